/*
 * Any fact by its words, and those that wait in the spool of a replica
 * (db/shared/spool.h): all in one transaction, each as by who told it and when.
 * See record.h.
 */
#include "db/record/record.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/notice.h"
#include "db/shared/shared.h"
#include "db/shared/spool.h"

enum { AT_ONCE = 1000 }; /* so that others may write, too */

/* Bytes that the struct of any kind of fact has at most. */
enum { MOST_FACTS = 1 << 13 };
_Static_assert(sizeof(struct job_facts) <= MOST_FACTS, "the largest of them");

static const struct {
	const char *name;
	int (*run)(struct recording *, char **words, int n);
	const struct word_row *words;
} kinds[] = {
#define KIND(name, help) {#name, record_##name, name##_words},
	RECORD_FACTS(KIND)
#undef KIND
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t kind_of(const char *name)
{
	size_t i = 0;

	while (i < KINDS && strcmp(kinds[i].name, name) != 0)
		i++;
	return i;
}

static int unknown(struct recording *s, const char *name)
{
	return err_set(&s->err, ERR_USAGE,
		"unknown fact '%.40s'; expected one of job, step, node, "
		"cluster, reservation",
		name);
}

int record_fact(struct recording *s, char **words, int n)
{
	size_t kind = kind_of(words[0]);

	if (kind == KINDS)
		return unknown(s, words[0]);
	s->log.action = 0;
	s->only_own = false;
	s->new_id = 0;
	return rights_check(s, words[0]) || kinds[kind].run(s, words + 1, n - 1) ||
			       write_log(s, words + 1, n - 1)
		       ? -1
		       : 0;
}

int record_part(struct recording *s, char **words, int n)
{
	struct err why;

	if (store_part_begin(s->store))
		return -1;
	if (!record_fact(s, words, n))
		return store_part_end(s->store, true);
	why = s->err;
	if (why.kind != ERR_USAGE && why.kind != ERR_DENIED)
		return -1;
	if (store_part_end(s->store, false))
		return -1;
	s->err = why;
	return 1;
}

bool record_lacks_number(char **words, int n)
{
	if (strcmp(words[0], "job") != 0)
		return false;
	for (int i = 1; i < n; i++)
		if (words_match(job_words[0].names, words[i],
			    strcspn(words[i], "=")))
			return false;
	return true;
}

int record_may_wait(struct recording *s, char **words, int n)
{
	max_align_t facts[MOST_FACTS / sizeof(max_align_t)] = {0};
	size_t kind = kind_of(words[0]);

	if (kind == KINDS)
		return unknown(s, words[0]);
	if (read_words(s, kinds[kind].words, words + 1, n - 1, facts))
		return -1;
	return !record_lacks_number(words, n)
		       ? 0
		       : err_set(&s->err, ERR_USAGE,
				 "a job without id= cannot wait: the log gives "
				 "it its number");
}

/* ---- those of a spool ----------------------------------------------------*/

struct delivering {
	struct recording *s;
	struct spool *spool;
	struct arena arena; /* of the facts */
	struct spool_facts facts;
	struct delivered *done;
};

/* As by whom and when it was told. */
static int deliver_one(struct recording *s, struct spool_fact *fact)
{
	const struct caller teller = {.uid = fact->uid, .name = fact->user};
	int rc;

	site_act_as(s->site, &teller);
	s->site->now = s->store->now = fact->time;
	s->store->actor = fact->user;
	rc = record_part(s, fact->words, fact->n);
	if (rc < 0)
		return -1;
	fact->answer = (struct spool_answer){
		.refused = rc, .id = rc ? 0 : s->new_id};
	if (rc)
		snprintf(fact->answer.why, sizeof(fact->answer.why), "%s",
			s->err.text);
	arena_reset(&s->arena);
	return 0;
}

static int deliver_all(struct delivering *d)
{
	struct recording *s = d->s;
	const struct caller caller = s->site->caller;
	const char *actor = s->store->actor;
	int64_t now = s->site->now;
	int rc = 0;

	for (size_t i = 0; !rc && i < d->facts.n; i++)
		rc = deliver_one(s, &d->facts.v[i]);
	s->site->caller = caller;
	s->site->now = s->store->now = now;
	s->store->actor = actor;
	owners_end(s->owners);
	return rc;
}

/* As the log names what is done. */
static const char *command_of(struct delivering *d)
{
	struct strv words = {0};

	if (d->facts.n != 1)
		return arena_printf(&d->arena, "srecord spool, %zu facts",
			d->facts.n);
	strv_push(&words, &d->arena, "srecord");
	for (int i = 0; i < d->facts.v->n; i++)
		strv_push(&words, &d->arena, d->facts.v->words[i]);
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

/* In the open transaction. 1: nothing waits. */
static int deliver_listed(struct delivering *d)
{
	struct recording *s = d->s;
	char token[33];
	int64_t number;

	if (recover(d))
		return -1;
	spool_list(d->spool, false, AT_ONCE, &d->arena, &d->facts);
	if (!d->facts.n)
		return 1;
	if (deliver_all(d))
		return -1;
	shared_plan(s->store, token, &number);
	return spool_batch_write(d->spool, token, number, &d->facts, &s->err);
}

static int deliver_some(struct delivering *d)
{
	struct recording *s = d->s;
	const char *command = s->store->command;
	int rc;

	arena_reset(&d->arena);
	if (store_begin_bulk(s->store))
		return -1;
	rc = deliver_listed(d);
	if (rc) {
		store_rollback(s->store);
		return rc;
	}
	s->store->command = command_of(d);
	rc = store_commit_bulk(s->store);
	s->store->command = command;
	if (!rc)
		answer_all(d);
	return rc;
}

int record_deliver(
	struct recording *s, struct spool *spool, struct delivered *done)
{
	struct delivering d = {.s = s, .spool = spool, .done = done};
	int tries = 0, rc;

	*done = (struct delivered){0};
	arena_init(&d.arena);
	do
		rc = deliver_some(&d);
	while (!rc || (rc < 0 && store_again(s->store, &tries)));
	arena_release(&d.arena);
	if (done->refused)
		notice("%zu of the facts that waited in %s are refused: "
		       "'srecord spool' lists them",
			done->refused, spool->path);
	return rc < 0 ? -1 : 0;
}

int record_deliver_here(struct site *site, struct delivered *done)
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
	rc = record_deliver(&r, &spool, done);
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
