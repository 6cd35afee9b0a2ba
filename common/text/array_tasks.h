/*
 * Reads the list of pending tasks of a job array, as its record has it:
 * `1-10:3,12%2`. The number after % is how many tasks may run at once.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"

/* The largest index that any MaxArraySize of Slurm allows. */
enum { ARRAY_TASK_MOST = 4000000 };

/* Is the whole text such a list, as sbatch --array takes it? In `1-10:3` the
 * step must be 1 or more and the end not below the beginning; 0 after % means
 * no bound. The empty text is a valid list. */
bool array_tasks_valid(const char *list);

/* How many tasks of the list may run at once, the number after its %; 0: no
 * bound. */
uint32_t array_tasks_at_once(const char *list);

/* One part between commas: the tasks first, first + step ... up to last. */
struct task_run {
	unsigned long first, last, step; /* of `12`: 12, 12, 1 */
};

/* Reads the range at the beginning of the list, without checking it. Returns
 * the text after the range, or `list` itself if that does not begin with a
 * number; first and last are then 0. */
const char *task_run_read(const char *list, struct task_run *);

/* Reads the next range and moves *list behind it and its comma. False at the
 * end of the list, which may be a `%`. */
bool task_run_next(const char **list, struct task_run *);

/* How many tasks `1-4,7%2` has: 5; 1 for other text. */
uint32_t array_tasks_count(const char *list);

/* A list as slurmdbd keeps it, `0xE%2` (bit 0 is task 0, the last digit), as sacct
 * prints it: `1-3%2`; other text stays. In the arena. */
const char *array_tasks_of_mask(const char *mask, struct arena *);
