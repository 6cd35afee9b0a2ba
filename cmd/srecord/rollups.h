/*
 * Roll-ups follow what is recorded.
 */
#pragma once

#include "db/record/record.h"

/* After a commit, see rollup_follow: a failure is a warning, for what was
 * recorded stays so. */
void follow_with_rollups(struct recording *, bool all);

/* As the last thing the program does: it ends with `status` as well when there
 * is no memory for it. */
void end_with_rollups(struct recording *, bool all, int status);
