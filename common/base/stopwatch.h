/*
 * How long something takes, whatever is done to the clock meanwhile.
 */
#pragma once

#include <stdint.h>

/* Microseconds since some moment before the program began. */
int64_t stopwatch_usec(void);
