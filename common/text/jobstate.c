/*
 * Job states; see jobstate.h. One table gives numbers, words and codes.
 */
#include "common/text/jobstate.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

const struct job_state_word job_state_words[] = {
	{JOB_PENDING, "PENDING", "PD"},
	{JOB_RUNNING, "RUNNING", "R"},
	{JOB_SUSPENDED, "SUSPENDED", "S"},
	{JOB_COMPLETED, "COMPLETED", "CD"},
	{JOB_CANCELLED, "CANCELLED", "CA"},
	{JOB_FAILED, "FAILED", "F"},
	{JOB_TIMEOUT, "TIMEOUT", "TO"},
	{JOB_NODE_FAIL, "NODE_FAIL", "NF"},
	{JOB_PREEMPTED, "PREEMPTED", "PR"},
	{JOB_BOOT_FAIL, "BOOT_FAIL", "BF"},
	{JOB_DEADLINE, "DEADLINE", "DL"},
	{JOB_OUT_OF_MEMORY, "OUT_OF_MEMORY", "OOM"},
	{JOB_COMPLETING, "COMPLETING", "CG"},
	{JOB_STAGE_OUT, "STAGE_OUT", "SO"},
	{JOB_CONFIGURING, "CONFIGURING", "CF"},
	{JOB_RESIZING, "RESIZING", "RS"},
	{JOB_REQUEUED, "REQUEUED", "RQ"},
	{JOB_REQUEUE_FED, "REQUEUE_FED", "RF"},
	{JOB_REQUEUE_HOLD, "REQUEUE_HOLD", "RH"},
	{JOB_SPECIAL_EXIT, "SPECIAL_EXIT", "SE"},
	{JOB_STOPPED, "STOPPED", "ST"},
	{JOB_REVOKED, "REVOKED", "RV"},
	{JOB_RESV_DEL_HOLD, "RESV_DEL_HOLD", "RD"},
	{JOB_SIGNALING, "SIGNALING", "SI"},
	{JOB_LAUNCH_FAILED, "LAUNCH_FAILED", "LF"},
	{0, NULL, NULL},
};

static const struct job_state_word *row_of(uint32_t state)
{
	const struct job_state_word *base = NULL;

	for (const struct job_state_word *w = job_state_words; w->word; w++) {
		if (w->state > JOB_BASE_MASK && (state & w->state))
			return w;
		if (w->state == (state & JOB_BASE_MASK))
			base = w;
	}
	return base;
}

const char *job_state_word(uint32_t state)
{
	const struct job_state_word *row = row_of(state);

	return row ? row->word : "?";
}

const char *job_state_code(uint32_t state)
{
	const struct job_state_word *row = row_of(state);

	return row ? row->code : "?";
}

int job_state_parse(const char *text, uint32_t *state)
{
	for (const struct job_state_word *w = job_state_words; w->word; w++) {
		if (strcasecmp(text, w->word) && strcasecmp(text, w->code))
			continue;
		*state = w->state;
		return 0;
	}
	return -1;
}

bool job_state_pending(uint32_t state)
{
	return (state & JOB_BASE_MASK) == JOB_PENDING;
}

bool job_state_started(uint32_t state)
{
	uint32_t base = state & JOB_BASE_MASK;

	return base == JOB_RUNNING || base == JOB_SUSPENDED;
}

bool job_state_finished(uint32_t state)
{
	return (state & JOB_BASE_MASK) > JOB_SUSPENDED;
}

const char *const job_flag_words[JOB_FLAGS] = {"SchedNotSet", "SchedSubmit",
	"SchedMain", "SchedBackfill", "StartReceived"};

const char *const job_flag_names[JOB_FLAGS] = {"NOT_SET", "STARTED_ON_SUBMIT",
	"STARTED_ON_SCHEDULE", "STARTED_ON_BACKFILL", "START_RECEIVED"};

uint32_t job_flag_parse(const char *text, size_t len)
{
	static const char older[] = "StartRecieved"; /* up to 22.05 */

	if (len == strlen(older) && !strncasecmp(older, text, len))
		return JOB_FLAG_START_RECEIVED;
	for (unsigned i = 0; i < JOB_FLAGS; i++)
		if (strlen(job_flag_words[i]) == len &&
			!strncasecmp(job_flag_words[i], text, len))
			return UINT32_C(1) << i;
	return 0;
}
