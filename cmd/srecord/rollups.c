/*
 * Whoever records facts rolls up the hours that are over, so that no reader has to.
 * This comes after the commit of the facts and does not undo them.
 */
#include "cmd/srecord/rollups.h"

#include <stdio.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"
#include "db/history/rollup.h"

void follow_with_rollups(struct recording *s, bool all)
{
	if (s->store->is_private || s->store->read_only)
		return;
	if (rollup_follow(s->store, all))
		cli_warning("roll-ups of finished hours: %s; what was recorded "
			    "is in the store, the next report makes them",
			s->err.text);
}

static int status_of_facts;

static void end_as_recorded(void)
{
	fputs("srecord: warning: no roll-ups of finished hours; what was "
	      "recorded is in the store, the next report makes them\n",
		stderr);
	_exit(status_of_facts);
}

void end_with_rollups(struct recording *s, bool all, int status)
{
	status_of_facts = status;
	memory_when_out(end_as_recorded);
	follow_with_rollups(s, all);
}
