#include "common/text/array_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"

/* Digits only; false when there are none, or when the number is too large. */
static bool take_number(const char **text, unsigned long *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number <= ARRAY_TASK_MOST;
}

static bool take_range(const char **text)
{
	unsigned long first, last, step = 1;

	if (!take_number(text, &first))
		return false;
	if (**text != '-')
		return true;
	++*text;
	if (!take_number(text, &last) || last < first)
		return false;
	if (**text != ':')
		return true;
	++*text;
	return take_number(text, &step) && step;
}

bool array_tasks_valid(const char *list)
{
	unsigned long at_once;

	if (!*list)
		return true;
	while (take_range(&list)) {
		if (!*list)
			return true;
		if (*list == '%') {
			list++;
			return take_number(&list, &at_once) && !*list;
		}
		if (*list++ != ',')
			return false;
	}
	return false;
}

uint32_t array_tasks_at_once(const char *list)
{
	const char *percent = strchr(list, '%');

	return percent ? (uint32_t)strtoul(percent + 1, NULL, 10) : 0;
}

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

uint32_t array_tasks_count(const char *list)
{
	struct task_run run;
	uint64_t n = 0;

	while (n < NO_VAL && task_run_next(&list, &run))
		n += run.last < run.first || !run.step
			     ? 1
			     : (run.last - run.first) / run.step + 1;
	return n == 0 ? 1 : n < NO_VAL ? (uint32_t)n : NO_VAL;
}
