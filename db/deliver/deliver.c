#include "db/deliver/deliver.h"

#include <stdio.h>
#include <string.h>

#include "common/base/notice.h"
#include "common/base/words.h"
#include "db/change/change.h"
#include "db/shared/shared.h"

enum { AT_ONCE = 1000 }; /* so that others may write, too */

struct delivering {
	struct recording *s;
	struct spool *spool;
	struct arena arena; /* of the facts */
	struct spool_facts facts;
	struct delivered *done;
	/* Who delivers, and when. */
	struct caller caller;
	const char *actor;
	int64_t now;
};

/* ---- one -----------------------------------------------------------------*/

static bool is_change(const struct spool_fact *fact)
{
	return !strcmp(fact->words[0], DELIVER_CHANGE);
}

/* As by whom and when it was told; NULL: as before. */
static void act_as(struct delivering *d, const struct spool_fact *fact)
{
	struct site *site = d->s->site;

	if (fact)
		site_act_as(site,
			&(const struct caller){
				.uid = fact->uid, .name = fact->user});
	else
		site->caller = d->caller;
	site->now = site->store.now = fact ? fact->time : d->now;
	site->store.actor = fact ? fact->user : d->actor;
}

/* `why`: it is refused; or NULL. */
static void set_answer(struct spool_fact *fact, uint32_t id, const char *why)
{
	fact->answer = (struct spool_answer){.refused = why, .id = id};
	snprintf(fact->answer.why, sizeof(fact->answer.why), "%s",
		why ? why : "");
}

static int deliver_fact(struct delivering *d, struct spool_fact *fact)
{
	struct recording *s = d->s;
	int rc;

	act_as(d, fact);
	rc = record_part(s, fact->words, fact->n);
	if (rc < 0)
		return -1;
	set_answer(fact, rc ? 0 : s->new_id, rc ? s->err.text : NULL);
	arena_reset(&s->arena);
	return 0;
}

static int deliver_facts(struct delivering *d)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < d->facts.n; i++)
		rc = deliver_fact(d, &d->facts.v[i]);
	act_as(d, NULL);
	owners_end(d->s->owners);
	return rc;
}

/* As the log names what is done. */
static const char *command_of(struct delivering *d)
{
	const struct spool_fact *fact = d->facts.v;
	struct strv words = {0};

	if (d->facts.n != 1)
		return arena_printf(&d->arena, "srecord spool, %zu facts",
			d->facts.n);
	if (!is_change(fact))
		strv_push(&words, &d->arena, "srecord");
	for (int i = is_change(fact); i < fact->n; i++)
		strv_push(&words, &d->arena, fact->words[i]);
	return strv_join(&words, " ", &d->arena);
}

static void answer_all(struct delivering *d)
{
	for (size_t i = 0; i < d->facts.n; i++) {
		d->done->facts++;
		d->done->refused += spool_answer(d->spool, &d->facts.v[i]);
	}
}

/* What a program that was killed had committed, or not. */
static int recover(struct delivering *d)
{
	char token[33];
	int64_t number;
	int found;

	spool_batch_read(d->spool, &d->arena, token, &number, &d->facts);
	if (!d->facts.n)
		return 0;
	found = shared_look(d->s->store, token, number);
	for (size_t i = 0; found == SHARED_UNKNOWN && i < d->facts.n; i++)
		d->facts.v[i].answer = (struct spool_answer){.refused = true,
			.why = "it is not known whether this was recorded: the "
			       "program was killed, and the log does not go "
			       "back so far: look before you repeat it"};
	if (found > 0)
		answer_all(d);
	return found < 0 ? -1 : 0;
}

/* In the open transaction: which entry of the log it will be. */
static int write_batch(void *arg)
{
	struct delivering *d = arg;
	char token[33];
	int64_t number;

	shared_plan(d->s->store, token, &number);
	return spool_batch_write(
		d->spool, token, number, &d->facts, d->s->store->err);
}

enum { NOTHING_WAITS = 1, CHANGE_WAITS };

/* In the open transaction: the facts before the first change. */
static int deliver_listed(struct delivering *d)
{
	size_t n = 0;

	if (recover(d))
		return -1;
	spool_list(d->spool, false, AT_ONCE, &d->arena, &d->facts);
	while (n < d->facts.n && !is_change(&d->facts.v[n]))
		n++;
	if (!n && d->facts.n) {
		d->facts.n = 1;
		return CHANGE_WAITS;
	}
	d->facts.n = n;
	if (!n)
		return NOTHING_WAITS;
	return deliver_facts(d) ? -1 : write_batch(d);
}

/* The one change that is listed, in a transaction of its own, so that it can be
 * undone. */
static int deliver_change(struct delivering *d)
{
	struct spool_fact *fact = d->facts.v;
	struct site *site = d->s->site;
	struct unasked u = {.command = command_of(d),
		.before_commit = write_batch,
		.arg = d};
	enum verb verb = fact->n > 1 ? change_verb(fact->words[1]) : VERBS;
	int rc;

	if (verb == VERBS) {
		set_answer(fact, 0, "there is no such change");
		return 0;
	}
	set_answer(fact, 0, NULL);
	act_as(d, fact);
	rc = change_unasked(site, &u, verb, fact->words + 2, fact->n - 2);
	act_as(d, NULL);
	if (u.failed || store_load_catalogs(&site->store))
		return -1;
	set_answer(fact, 0, rc ? u.why : NULL);
	return 0;
}

static int deliver_some(struct delivering *d)
{
	struct store *store = d->s->store;
	const char *command = store->command;
	int rc;

	arena_reset(&d->arena);
	if (store_begin_bulk(store))
		return -1;
	rc = deliver_listed(d);
	if (rc)
		store_rollback(store);
	if (rc == CHANGE_WAITS) {
		rc = deliver_change(d);
	} else if (!rc) {
		store->command = command_of(d);
		rc = store_commit_bulk(store);
		store->command = command;
	}
	if (!rc)
		answer_all(d);
	return rc;
}

int deliver(struct recording *s, struct spool *spool, struct delivered *done)
{
	struct delivering d = {.s = s,
		.spool = spool,
		.done = done,
		.caller = s->site->caller,
		.actor = s->store->actor,
		.now = s->site->now};
	int tries = 0, rc;

	*done = (struct delivered){0};
	arena_init(&d.arena);
	do
		rc = deliver_some(&d);
	while (!rc || (rc < 0 && store_again(s->store, &tries)));
	arena_release(&d.arena);
	if (done->refused)
		notice("%zu of what waited in %s is refused: 'srecord spool' "
		       "lists it",
			done->refused, spool->path);
	return rc < 0 ? -1 : 0;
}

int deliver_here(struct site *site, struct delivered *done)
{
	struct recording r = {.site = site, .store = &site->store};
	struct err *before = site->store.err;
	struct spool spool;
	int rc = 0;

	*done = (struct delivered){0};
	if (!site->shared_log || site->store.read_only ||
		!spool_find(&spool, site->shared_log) || !spool_waits(&spool) ||
		spool_hold(&spool, 0, &r.err))
		return 0;
	r.owners = owners_open();
	nearest_init(&r.nearest, "", 0);
	arena_init(&r.arena);
	site->store.err = &r.err;
	rc = deliver(&r, &spool, done);
	site->store.err = before;
	if (rc) {
		*before = r.err;
		notice("what waits in %s cannot be recorded yet: %s", spool.path,
			r.err.text);
	}
	owners_close(r.owners);
	arena_release(&r.arena);
	spool_release(&spool);
	return rc;
}
