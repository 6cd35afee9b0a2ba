/*
 * --queue: a change that the log of several hosts cannot take now waits in the spool
 * of the replica (db/deliver).
 */
#include "cmd/sacctmgr/help.h"
#include "cmd/sacctmgr/sacctmgr.h"

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/deliver/deliver.h"
#include "db/shared/shared.h"

static bool may_wait(const struct session *s)
{
	char token[33];
	int64_t number;

	return options(s)->queue && s->site.shared_log &&
	       !program(s)->changed && s->err.kind != ERR_USAGE &&
	       s->err.kind != ERR_DENIED &&
	       !shared_unsettled(s->store, token, &number);
}

int queue_change(struct session *s)
{
	struct program *p = program(s);
	struct strv words = {0};
	char verb[32];
	struct spool spool;
	struct spool_fact change = {.time = s->site.now,
		.uid = s->site.caller.uid,
		.user = s->site.caller.name};
	const struct err why = s->err;

	if (!may_wait(s) || !spool_find(&spool, s->site.shared_log))
		return -1;
	strv_push(&words, &s->arena, DELIVER_CHANGE);
	strv_push(&words, &s->arena,
		words_first(p->verb->names, verb, sizeof(verb)));
	for (int i = 1; i < p->n_words; i++)
		strv_push(&words, &s->arena, p->words[i]);
	change.words = words.v;
	change.n = (int)words.n;
	if (spool_leave(&spool, &change, &s->err))
		return -1;
	p->waits = true;
	cli_warning("not changed yet, it waits in %s: %s", spool.path, why.text);
	return 0;
}
