#include "common/text/array_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"

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

/* Is the task in a mask of n digits? */
static bool mask_has(const char *digits, size_t n, size_t task)
{
	char digit[2] = {task / 4 < n ? digits[n - 1 - task / 4] : '0'};

	return strtoul(digit, NULL, 16) >> (task & 3) & 1;
}

/* The step of all that are in it, where there is one and they are many; else 0. */
static size_t mask_step(const char *digits, size_t n, size_t first, size_t last)
{
	size_t step = 1;

	if (last - first <= 10)
		return 0;
	while (!mask_has(digits, n, first + step))
		step++;
	for (size_t i = first; i <= last; i++)
		if (mask_has(digits, n, i) != ((i - first) % step == 0))
			return 0;
	return step > 1 ? step : 0;
}

/* "1-3,7", from the first on. */
static const char *mask_ranges(const char *digits, size_t n, size_t first,
	size_t last, struct arena *arena)
{
	struct strv ranges = {0};
	size_t end;

	for (size_t i = first; i <= last; i = end + 1) {
		end = i;
		if (!mask_has(digits, n, i))
			continue;
		while (mask_has(digits, n, end + 1))
			end++;
		strv_push(&ranges, arena,
			end > i ? arena_printf(arena, "%zu-%zu", i, end)
				: arena_printf(arena, "%zu", i));
	}
	return strv_join(&ranges, ",", arena);
}

const char *array_tasks_of_mask(const char *mask, struct arena *arena)
{
	const char *digits = mask + 2;
	size_t n, first = 0, last, step;

	if (strncmp(mask, "0x", 2) != 0)
		return mask;
	n = strspn(digits, "0123456789abcdefABCDEF");
	if (strspn(digits, "0") >= n || n > ARRAY_TASK_MOST / 4)
		return mask;
	while (!mask_has(digits, n, first))
		first++;
	for (last = n * 4 - 1; !mask_has(digits, n, last); last--)
		;
	step = mask_step(digits, n, first, last);
	return step ? arena_printf(arena, "%zu-%zu:%zu%s", first, last, step,
			      digits + n)
		    : arena_printf(arena, "%s%s",
			      mask_ranges(digits, n, first, last, arena),
			      digits + n);
}
