/*
 * srecord -: facts from standard input.
 */
#pragma once

#include <stdio.h>

#include "db/record/record.h"

/* Answers go to `out`. 1: some lines were refused. -1 with s->err. */
int record_stream(struct recording *, FILE *out);
