/*
 * The pending tasks of an array, as its record lists them: `1-10:3,12%2`, where
 * the number after % says how many may run at once.
 */
#ifndef BURSAR_ARRAY_TASKS_H
#define BURSAR_ARRAY_TASKS_H

#include <stdbool.h>

/* The largest index that any MaxArraySize of Slurm allows. */
enum { ARRAY_TASK_MOST = 4000000 };

/* Is all of it such a list, as sbatch --array takes it? `1-10:3`: a step of 1 or
 * more, the end not before the beginning; after %, 0 is no bound. No list at
 * all is one. */
bool array_tasks_valid(const char *list);

/* One part between commas. */
struct task_run {
	unsigned long first, last, step; /* of `12`: 12, 12, 1 */
};

/* Reads the range that the list begins with. Returns the text after it, or
 * `list` itself if it does not begin with a number; first and last are then
 * 0. */
const char *task_run_read(const char *list, struct task_run *);

/* Takes the next range out of the rest of the list; false at its end. */
bool task_run_next(const char **list, struct task_run *);

#endif
