/*
 * How long something takes, whatever is done to the clock meanwhile.
 */
#ifndef BURSAR_STOPWATCH_H
#define BURSAR_STOPWATCH_H

#include <stdint.h>

/* Microseconds since some moment before the program began. */
int64_t stopwatch_usec(void);

#endif
