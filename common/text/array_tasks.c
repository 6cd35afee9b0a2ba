#include "common/text/array_tasks.h"

#include <stdlib.h>

const char *task_run_read(const char *list, struct task_run *run)
{
	char *end;

	run->first = run->last = strtoul(list, &end, 10);
	run->step = 1;
	if (end == list)
		return list;
	if (*end == '-')
		run->last = strtoul(end + 1, &end, 10);
	if (*end == ':')
		run->step = strtoul(end + 1, &end, 10);
	return end;
}

bool task_run_next(const char **list, struct task_run *run)
{
	const char *end = task_run_read(*list, run);

	if (end == *list)
		return false;
	*list = end + (*end == ',');
	return true;
}
