/*
 * srecord -: facts from standard input.
 */
#ifndef BURSAR_SRECORD_STREAM_H
#define BURSAR_SRECORD_STREAM_H

#include <stdio.h>

#include "db/record/record.h"

/* Answers go to `out`. 1: some lines were refused. -1 with s->err. */
int record_stream(struct recording *, FILE *out);

#endif
