#include "common/text/jobid.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/text/sluid.h"

const char *job_id_read(const char *text, struct job_id *job)
{
	uint32_t part = 0;

	*job = (struct job_id){.task = NO_VAL, .sluid = sluid_parse(text)};
	if (job->sluid)
		return text + strlen(text);
	if (number_read(text, &job->id, &text) || !job->id)
		return NULL;
	if (*text == '_')
		return number_read(text + 1, &job->task, &text) ? NULL : text;
	if (*text == '+' && number_read(text + 1, &part, &text))
		return NULL;
	job->id += part;
	return text;
}

bool job_id_parse(const char *text, struct job_id *job)
{
	const char *rest = job_id_read(text, job);

	return rest && !*rest;
}
