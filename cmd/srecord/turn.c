#include "cmd/srecord/turn.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/shared/shared.h"

enum { WAIT_SECONDS = 2 * BEGIN_SECONDS };

static void put(struct turn *t)
{
	struct err ignored;

	if (t->fd < 0 && spool_put(&t->spool, &t->fact, &t->fd, &ignored))
		t->fd = -1;
}

/* One who asked the log in vain since we wait, or waited long for it, asked for
 * all. */
static bool is_down(struct turn *t, const struct site *site, bool waited)
{
	const char *why = shared_is_down(
		site->shared_log, waited ? site->now : INT64_MAX);

	if (why)
		err_set(&t->why, ERR_SYSTEM, "%s", why);
	return why;
}

/* `others`: hold the spool. */
static void wait_for_turn(struct turn *t, const struct site *site, bool others)
{
	struct err ignored;

	put(t);
	if (others && spool_hold(&t->spool, WAIT_SECONDS, &ignored)) {
		err_set(&t->why, ERR_SYSTEM,
			"other programs of this host have kept the log for "
			"%d seconds",
			WAIT_SECONDS);
		t->how = TURN_LATER;
	} else if (turn_answered(t)) {
		spool_release(&t->spool); /* the next need not wait for our end */
		t->how = TURN_ANSWERED;
	} else if (t->fd >= 0) {
		t->how = is_down(t, site, others) ? TURN_LATER : TURN_ALL;
	}
}

void turn_begin(struct turn *t, const struct site *site, char **words, int n)
{
	struct err ignored;
	int rc;

	*t = (struct turn){.how = TURN_NONE, .fd = -1, .spool.held = -1};
	if (!site->shared_log || !spool_find(&t->spool, site->shared_log))
		return;
	snprintf(t->user, sizeof(t->user), "%s", site->caller.name);
	t->fact = (struct spool_fact){.time = site->now,
		.uid = site->caller.uid,
		.user = t->user,
		.words = words,
		.n = n};
	rc = spool_hold(&t->spool, 0, &ignored);
	if (rc < 0)
		return;
	t->how = TURN_ALONE;
	if (rc || spool_waits(&t->spool) || is_down(t, site, false))
		wait_for_turn(t, site, rc);
}

bool turn_answered(struct turn *t)
{
	return t->fd >= 0 && spool_answered(t->fd, &t->fact.answer);
}

void turn_end(struct turn *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
	spool_release(&t->spool);
}

/* ---- what has to wait ----------------------------------------------------*/

/* By what the replica knows of words, if there is one. */
static int check_words(struct turn *t, struct recording *s, bool open)
{
	struct site site, *before = s->site;
	struct err ignored;
	int rc;

	if (open)
		return record_may_wait(s, t->fact.words, t->fact.n);
	setenv("BURSAR_OFFLINE", "1", 1);
	if (site_open(&site, STORE_READ, false, &ignored))
		return record_lacks_number(t->fact.words, t->fact.n) ? -1 : 0;
	s->site = &site;
	s->store = &site.store;
	arena_init(&s->arena);
	rc = record_may_wait(s, t->fact.words, t->fact.n);
	arena_release(&s->arena);
	site_close(&site);
	s->site = before;
	return rc;
}

/* The commit was not answered: whoever comes next finds out. */
static int note_unsettled(struct turn *t, struct recording *s)
{
	struct spool_facts facts = {&t->fact, 1, 1};
	char token[33];
	int64_t number;

	if (t->how != TURN_ALONE || !shared_unsettled(s->store, token, &number))
		return 0;
	return spool_batch_write(&t->spool, token, number, &facts, &s->err);
}

void turn_say_waits(const struct spool *spool, const struct err *why)
{
	cli_warning("not recorded yet, it waits in %s, and limits are not "
		    "checked before: %s",
		spool->path, why->text);
}

int turn_keep(struct turn *t, struct recording *s, bool open, const struct err *why)
{
	const struct err reason = *why;

	s->err = (struct err){0};
	put(t);
	if (t->fd < 0) {
		s->err = reason;
		return -1;
	}
	if (check_words(t, s, open) || (open && note_unsettled(t, s)) ||
		spool_keep(&t->spool, t->fd, &s->err)) {
		spool_forget(&t->spool, &t->fact);
		if (*s->err.text)
			cli_print_err(&reason);
		else
			s->err = reason;
		return -1;
	}
	turn_say_waits(&t->spool, &reason);
	return 0;
}

/* ---- the list ------------------------------------------------------------*/

static void print_facts(struct spool *spool, bool refused, struct arena *arena)
{
	struct spool_facts facts;

	spool_list(spool, refused, SIZE_MAX, arena, &facts);
	for (size_t i = 0; i < facts.n; i++) {
		const struct spool_fact *f = &facts.v[i];

		printf("%s %s %s", time_format(arena, f->time, NULL, f->time),
			refused ? "refused" : "waits", f->user);
		for (int w = 0; w < f->n; w++)
			printf(" %s", f->words[w]);
		if (refused)
			printf(": %s", f->answer.why);
		putchar('\n');
	}
}

static int deliver_all(struct recording *s, struct site *site)
{
	struct delivered done;

	if (site_open(site, STORE_WRITE, true, &s->err))
		return -1;
	if (deliver_here(site, &done)) {
		site_close(site);
		return -1;
	}
	printf("%zu recorded, %zu refused\n", done.facts - done.refused,
		done.refused);
	site_close(site);
	return done.refused > 0;
}

int turn_spool(char **words, int n)
{
	struct recording s = {0};
	struct spool spool;
	struct site site;
	int rc = 0;

	if (n > 1 || (n && strcmp(words[0], "deliver") &&
			     strcmp(words[0], "drop")))
		cli_fatal("unknown '%s'; expected srecord spool, srecord spool "
			  "deliver or srecord spool drop",
			words[n - 1]);
	if (n && !strcmp(words[0], "deliver")) {
		rc = deliver_all(&s, &site);
		if (rc < 0)
			cli_die(&s.err);
		return rc;
	}
	if (site_find(&site, &s.err))
		cli_die(&s.err);
	if (!site.shared_log)
		cli_fatal("there is a spool only where several hosts share a "
			  "log (bursar-hosts(7))");
	spool_find(&spool, site.shared_log);
	if (n) {
		spool_drop(&spool);
	} else {
		print_facts(&spool, true, &site.arena);
		print_facts(&spool, false, &site.arena);
	}
	site_close(&site);
	return 0;
}
