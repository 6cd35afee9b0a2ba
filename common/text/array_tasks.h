/*
 * The tasks of an array that wait, as its record lists them: `1-10:3,12%2`,
 * where what stands behind the % says how many may run at once.
 */
#ifndef BURSAR_ARRAY_TASKS_H
#define BURSAR_ARRAY_TASKS_H

#include <stdbool.h>

/* One part between commas. */
struct task_run {
	unsigned long first, last, step; /* of `12`: 12, 12, 1 */
};

/* Reads the run that the list begins with. Gives what stands behind it, `list`
 * itself where it begins with no number; first and last are then 0. */
const char *task_run_read(const char *list, struct task_run *);

/* Takes the next run out of what is left of the list; false: there is none. */
bool task_run_next(const char **list, struct task_run *);

#endif
