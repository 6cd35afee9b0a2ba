/*
 * srecord -: facts from standard input.
 */
#ifndef BURSAR_SRECORD_STREAM_H
#define BURSAR_SRECORD_STREAM_H

#include <stdio.h>

#include "db/record/record.h"

/* Records one fact inside of a transaction: its name and its words. -1 with
 * s->err: refused, or the store failed. */
typedef int stream_fact(struct recording *, char **words, int n);

/* Answers go to `out`. 1: some lines were refused. -1 with s->err. */
int record_stream(struct recording *, stream_fact *, FILE *out);

#endif
