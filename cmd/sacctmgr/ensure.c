/*
 * ensure, absent: make it so, and say whether anything had to be done; for
 * configuration management. `ensure` is `apply` of one line of words
 * (db/roster/roster_line.h). Slurm has no such words.
 */
#include <string.h>

#include "cmd/sacctmgr/help.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "common/cli/cli.h"
#include "db/roster/roster_line.h"

struct ensuring {
	struct session *s;
	const struct entity *entity;
	struct request request; /* the words as add reads them, or delete */
	bool tells;   /* what is done */
	bool changed; /* in this run of the plan */
};

/* ---- what is told --------------------------------------------------------*/

/* A program that has its document is not told what was done; a person who is
 * asked sees what it is about. */
static bool tells_changes(struct session *s)
{
	return options(s)->form == JSON_NONE ||
	       !(s->immediate || options(s)->dry_run);
}

static const char *const *last_lines(struct session *s)
{
	static const char *const plain[] = {"unchanged\n", "changed\n"},
				 *const json[] = {"{\"changed\": false}\n",
					 "{\"changed\": true}\n"},
				 *const yaml[] = {"changed: false\n",
					 "changed: true\n"};

	switch (options(s)->form) {
	case JSON_NONE:
		return plain;
	case JSON_YAML:
	case JSON_YAML_COMPACT:
		return yaml;
	default:
		return json;
	}
}

static void tell(struct session *s, const struct roster *store,
	const struct differences *all)
{
	differences_write(all,
		*store->cluster ? arena_printf(&s->arena, "cluster %s",
					  store->cluster)
				: "store",
		s->command, output(s), cli_coloured() && !options(s)->dry_run,
		&s->arena);
}

/* ---- the plans -----------------------------------------------------------*/

static int make_so(void *arg, struct roster *store, struct roster *wanted)
{
	struct ensuring *w = arg;
	struct session *s = w->s;
	struct differences all;
	struct strv lost;
	int rc;

	roster_compare(s, store, wanted, false, &all);
	if (!all.n)
		return 0;
	w->changed = true;
	if (w->tells)
		tell(s, store, &all);
	s->silent = true;
	rc = roster_apply(s, store, wanted, &all, &lost);
	s->silent = !w->tells;
	*s->err.text = '\0'; /* it was said */
	return rc;
}

static enum plan_result plan_ensure(struct session *s, void *arg)
{
	static const struct {
		const struct entity *entity;
		enum roster_kind kind;
	} kinds[] = {{&account_entity, ROSTER_ACCOUNT},
		{&qos_entity, ROSTER_QOS}, {&user_entity, ROSTER_USER}};
	struct ensuring *w = arg;
	size_t i = 0;

	while (kinds[i].entity != w->entity)
		i++;
	w->changed = false;
	*s->err.text = '\0';
	if (!roster_read_line(s, kinds[i].kind, &w->request, make_so, w))
		return w->changed ? PLAN_CHANGED : PLAN_NOTHING;
	if (*s->err.text)
		complain_err(s);
	return PLAN_REFUSED;
}

static enum plan_result plan_absent(struct session *s, void *arg)
{
	struct ensuring *w = arg;
	struct request request = w->request;
	int status = s->status;

	if (roster_erase(s, w->entity->changes, &request, &w->changed))
		return PLAN_FAILED;
	s->status = status;
	if (!w->changed)
		s->effects.n = 0;
	return w->changed ? PLAN_CHANGED : PLAN_NOTHING;
}

/* ---- words ---------------------------------------------------------------*/

static int run(struct session *s, bool absent, char **words, int n)
{
	struct ensuring w = {.s = s, .tells = tells_changes(s)};
	const struct request *r = &w.request;
	int rc;

	w.entity = n ? find_entity(VERB_ADD, words[0]) : NULL;
	if (w.entity != &account_entity && w.entity != &user_entity &&
		w.entity != &qos_entity)
		return complain(s, " %s takes an account, a QOS or a user",
			absent ? "absent" : "ensure");
	parse_words(s, entity_words(w.entity, absent ? VERB_DELETE : VERB_ADD),
		absent ? PARSE_WHERE : PARSE_SET, false, words + 1, n - 1,
		&w.request);
	if (r->failed || (!absent && require_leasable(s, &r->set)))
		return -1;
	if (!absent && (!r->names.n || strv_has(&r->names, "")))
		return complain(s, " Need the name of an account, a QOS or a user");
	program(s)->last_lines = last_lines(s);
	s->silent = !w.tells;
	rc = change_run(s, absent ? plan_absent : plan_ensure, &w);
	s->silent = false;
	return rc;
}

int ensure_command(struct session *s, char **words, int n)
{
	return run(s, false, words, n);
}

int absent_command(struct session *s, char **words, int n)
{
	return run(s, true, words, n);
}
