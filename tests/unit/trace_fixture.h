/*
 * A trace that tests fill again and again. Include after cmocka.h.
 */
#pragma once

#include "common/sim/trace.h"

static struct trace trace;

/* Empty again; NULL: no rules. */
static inline void begin_trace(const struct trace_rules *rules)
{
	static const struct trace_rules none;

	trace_release(&trace);
	trace_init(&trace, rules ? rules : &none);
}

static inline int release_trace(void **state)
{
	trace_release(&trace);
	return 0;
}
