/*
 * Whoever records facts rolls up the hours that are over, so that no reader has
 * to, and records the capacity that reports assume.
 * This comes after the commit of the facts and does not undo them.
 */
#include "cmd/srecord/rollups.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"
#include "db/entity/capacity.h"
#include "db/rollup/rollup.h"

#define NOT_MADE(why)                                                          \
	"roll-ups of finished hours: " why "; what was recorded is in the "    \
	"store, the next report makes them"

void follow_with_rollups(struct recording *s, bool all)
{
	if (s->store->is_private || s->store->read_only)
		return;
	if (capacity_assume(s->site) || rollup_follow(s->store, all))
		cli_warning(NOT_MADE("%s"), s->err.text);
}

static int status_of_facts;

/* By itself: cli_warning() may want memory. */
static void end_as_recorded(void)
{
	fputs("srecord: warning: " NOT_MADE("out of memory") "\n", stderr);
	_exit(status_of_facts);
}

void end_with_rollups(struct recording *s, bool all, int status)
{
	status_of_facts = status;
	memory_when_out(end_as_recorded);
	follow_with_rollups(s, all);
}
