/*
 * Usage (db/usage) against its slow twin (slow_ledger.h), to the bit: random
 * histories of jobs recorded on time, late, corrected, undone, purged; usage set and
 * reset; users and QOS removed and revived, accounts moved, leases that end; half-lives
 * and resets that change; a clock that goes back; undo and redo. After each operation:
 *
 *	what is read is what the twin has;
 * and now and then, and at the end:
 *	a rebuild finds nothing, also from nothing, and the tables are the same;
 *	undone is as before, redone as after;
 *	the past shows what was shown then, the future what will be;
 *	nothing grows with a clock behind.
 *
 * By hand: BURSAR_HISTORIES=5000 BURSAR_SEED=7; BURSAR_TELL=1 tells every
 * operation; BURSAR_SKIP=3,5 leaves these out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/table/qos.h"
#include "db/archive/archive.h"
#include "db/entity/lease.h"
#include "db/job/job_bulk.h"
#include "db/past/past.h"
#include "db/past/rebuild.h"
#include "db/rollup/rollup.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/undo/undo.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/session_fixture.h"
#include "tests/unit/slow_ledger.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, T0 = 1780000000 };
enum { HISTORIES = 32, STEPS = 40, LAST_CHECK = 1000 };
enum { MOST = 400, MOST_SKIPPED = 200 };

struct known_fact {
	struct usage_fact f;
	bool present;
	int64_t made, dropped; /* by these changes */
};

/* A change of the log that wrote a job. */
struct edit {
	int64_t change;
	size_t job;
	struct job before, after; /* .key 0: none */
};

/* What was read at a time. */
struct snap {
	int64_t at;
	bool valid;
	int step;
	struct usage_list assocs, qos;
};

struct history {
	struct session_fixture f;
	uint32_t from;
	int step;
	int64_t first;	/* change that is not undone: who there is */
	int64_t latest; /* from where a clock went back */
	bool ended;	/* a lease: undo passes that over */
	struct arena arena; /* as long as the history */
	struct job jobs[MOST]; /* .key 0: not there */
	bool locked[MOST];     /* the log has it */
	size_t n_jobs;
	uint32_t next_id;
	struct known_fact facts[MOST * 4];
	size_t n_facts;
	int64_t last_fact;
	struct edit edits[MOST];
	size_t n_edits;
	struct slow_kept kept[MOST];
	size_t n_kept;
	struct snap snaps[MOST];
	size_t n_snaps;
	struct eras eras;
	bool eras_known;
	int64_t *keys; /* of associations */
	size_t n_keys, cap_keys;
	char *told;
	size_t told_size;
	FILE *tell;
};

static struct history h;

#define STORE (&h.f.t.store)
#define POLICY (&h.f.t.policy)

static char *tables(void);
static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void wrong(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

static void tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(h.tell, format, args);
	va_end(args);
	fflush(h.tell);
}

static void wrong(const char *format, ...)
{
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fflush(h.tell);
	fprintf(stderr, "%s\n", h.told); /* longer than cmocka's messages */
	if (getenv("BURSAR_TABLES"))
		fprintf(stderr, "%s\n", tables());
	fail_msg("seed %u, step %d: %s", h.from, h.step, text);
	abort();
}

static void fine(int rc)
{
	if (rc)
		wrong("%s", h.f.s.err.text);
}

/* Relative to the beginning: "12d03:04:05". */
static const char *when(int64_t at)
{
	static char texts[8][40];
	static int i;
	char *text = texts[i++ % 8];
	int64_t t = at - T0;

	if (at == INT64_MIN || at == INT64_MAX || !at)
		return "-";
	snprintf(text, sizeof(texts[0]), "%s%lldd%02lld:%02lld:%02lld",
		t < 0 ? "-" : "", (long long)llabs(t) / DAY,
		(long long)llabs(t) / HOUR % 24,
		(long long)llabs(t) / MINUTE % 60, (long long)llabs(t) % 60);
	return text;
}

/* ---- the twin ------------------------------------------------------------*/

static bool qos_still(void *arg, int64_t owner)
{
	bool still = false;

	fine(usage_is_still(STORE, qos_of_owner(owner), &still));
	return still;
}

static int by_id(const void *a, const void *b)
{
	const struct usage_fact *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static struct slow twin_at(int64_t at)
{
	struct usage_fact *facts = arena_array(&h.f.s.arena, h.n_facts + 1, sizeof(*facts));
	struct job *jobs = arena_array(&h.f.s.arena, h.n_jobs + 1, sizeof(*jobs));
	struct slow s = {.kept = h.kept,
		.n_kept = h.n_kept,
		.eras = h.eras,
		.at = at,
		.first_still = qos_still,
		.arena = &h.f.s.arena};

	for (size_t i = 0; i < h.n_facts; i++)
		if (h.facts[i].present)
			facts[s.n_facts++] = h.facts[i].f;
	qsort(facts, s.n_facts, sizeof(*facts), by_id);
	for (size_t i = 0; i < h.n_jobs; i++)
		if (h.jobs[i].key)
			jobs[s.n_jobs++] = h.jobs[i];
	s.facts = facts;
	s.jobs = jobs;
	slow_open(&s);
	return s;
}

static bool same_number(long double a, long double b)
{
	return a >= b && a <= b;
}

/* The twin has whole parts (WORTH_PARTS) of a job that runs, as of one that ended,
 * and what was carried over as doubles. */
static bool near_number(long double a, long double b)
{
	return fabsl(a - b) <= 1e-8L + 1e-15L * fabsl(b);
}

static void same(const char *who, int64_t key, int tres, long double got,
	long double want, bool nearly)
{
	if (!(nearly ? near_number(got, want) : same_number(got, want)))
		wrong("%s %lld, TRES %d: %.21Lg, the twin has %.21Lg (%Lg)", who,
			(long long)key, tres, got, want, got - want);
}

static const struct usage_tres *tres_of(const struct usage *usage, uint32_t id)
{
	static const struct usage_tres none;

	for (size_t i = 0; i < usage->n_tres; i++)
		if (usage->tres[i].id == id)
			return &usage->tres[i];
	return &none;
}

static long double amount_of(const struct usage *usage, int kind)
{
	if (slow_kinds[kind] == USAGE_RAW)
		return usage->raw;
	if (slow_kinds[kind] == USAGE_WALL)
		return usage->wall;
	return tres_of(usage, (uint32_t)slow_kinds[kind])->seconds;
}

static int64_t ask(const char *sql, int64_t a)
{
	int64_t found = -1;

	if (strstr(sql, ":a"))
		fine(store_ask(STORE, sql, &found, bind_int(":a", a)));
	else
		fine(store_number(STORE, sql, &found));
	return found;
}

/* What running jobs may use yet. */
static long double to_run(const struct slow *s, int64_t owner, int kind)
{
	long double sum = 0;

	for (size_t i = 0; i < s->n_pieces; i++) {
		const struct slow_piece *p = &s->pieces[i];
		long double left = (long double)p->job->wall_limit * 60 -
				   (long double)(s->at - p->job->start);

		if (p->open && p->end == s->at && left > 0 &&
			slow_runs_for(s, p) == owner)
			sum += slow_rate(p->job, kind) * left;
	}
	return sum;
}

static void compare_owner(struct slow *s, const char *who, int64_t key,
	int64_t owner, const struct usage *usage)
{
	const struct slow_life *life = slow_now(s, owner);
	int64_t last = ask("SELECT last FROM usage WHERE owner = :a", owner);
	long double amounts[SLOW_KINDS], removed;
	bool open = life->open;

	/* A clock that went back, and a job runs. */
	if (open && (last > s->at || s->at < h.latest || slow_went_back(s)))
		return;
	slow_read(s, life, larger(s->at, last), amounts);
	for (int k = 0; k < SLOW_KINDS; k++) {
		same(who, key, slow_kinds[k], amount_of(usage, k), amounts[k],
			open);
		if (slow_kinds[k] > 0)
			same("to run", key, slow_kinds[k],
				tres_of(usage, (uint32_t)slow_kinds[k])
					->run_seconds,
				to_run(s, owner, k), true);
	}
	if (!life->any && !open && last >= 0)
		wrong("%s %lld has a row, and has used nothing (last %lld)",
			who, (long long)key, (long long)last);
	removed = owner > 0 ? slow_removed(s, owner, &open) : 0;
	if (open && (s->at < h.latest || slow_went_back(s)))
		return;
	same("removed", key, 0, usage->removed, removed, true);
}

/* As its flags say. */
static void check_still(struct slow *s, uint32_t qos)
{
	int64_t owner = owner_of_qos(qos, h.f.t.cluster);

	if (ask("SELECT count() FROM qos WHERE id = :a AND NOT deleted", qos) &&
		slow_now(s, owner)->still != qos_still(NULL, owner))
		wrong("QOS %u %s", qos, slow_now(s, owner)->still
						? "does not decay"
						: "decays");
}

/* Who is removed has left what it used. */
static void check_gone(const struct slow *s, int64_t key)
{
	bool deleted = ask("SELECT deleted FROM assoc WHERE key = :a", key);

	if (deleted != slow_gone(slow_fact(s, key, INT64_MAX)))
		wrong("association %lld is %s", (long long)key,
			deleted ? "removed, and has usage" : "there, and has none");
}

static void list_keys(void)
{
	struct query q;

	fine(query_open(&q, STORE, "SELECT key FROM assoc ORDER BY key"));
	h.n_keys = 0;
	while (query_row(&q))
		*ARENA_PUSH(&h.arena, h.keys, h.n_keys, h.cap_keys) =
			query_int(&q, 0);
	fine(query_close(&q));
}

/* QOS have numbers from 1 on. */
enum { MOST_QOS = 12 };

static void read_of(struct store *store, int64_t at, struct usage_list *assocs,
	struct usage_list *qos, struct arena *arena)
{
	fine(usage_read(store, POLICY, h.f.t.cluster, at, true, arena, assocs));
	fine(usage_read_qos(
		store, POLICY, h.f.t.cluster, at, true, arena, qos));
}

static void read_both(int64_t at, struct usage_list *assocs,
	struct usage_list *qos, struct arena *arena)
{
	read_of(STORE, at, assocs, qos, arena);
}

static void compare_twin(int64_t at)
{
	struct slow s = twin_at(at);
	struct usage_list assocs, qos;

	read_both(at, &assocs, &qos, &h.f.s.arena);
	list_keys();
	for (size_t i = 0; i < h.n_keys; i++) {
		compare_owner(&s, "association", h.keys[i], h.keys[i],
			usage_of(&assocs, h.keys[i]));
		check_gone(&s, h.keys[i]);
	}
	for (uint32_t i = 1; i < MOST_QOS; i++) {
		compare_owner(&s, "QOS", i, owner_of_qos(i, h.f.t.cluster),
			usage_of(&qos, i));
		check_still(&s, i);
	}
}

/* ---- what the store recorded ---------------------------------------------*/

static bool same_real(double a, double b)
{
	return isnan(a) ? isnan(b) : a >= b && a <= b;
}

static bool same_fact(const struct usage_fact *a, const struct usage_fact *b)
{
	return a->id == b->id && a->owner == b->owner && a->time == b->time &&
	       a->heir == b->heir && same_real(a->raw, b->raw) &&
	       a->was_still == b->was_still && a->still == b->still &&
	       a->until == b->until;
}

static void read_fact(struct query *q, struct usage_fact *f)
{
	*f = (struct usage_fact){.id = query_int(q, 0),
		.owner = query_int(q, 1),
		.time = query_int(q, 2),
		.heir = query_int(q, 3),
		.raw = query_is_null(q, 4) ? NAN : query_real(q, 4),
		.was_still = query_int(q, 5),
		.still = query_int(q, 6),
		.until = query_int(q, 7)};
}

static struct known_fact *known(int64_t id)
{
	for (size_t i = 0; i < h.n_facts; i++)
		if (h.facts[i].f.id == id)
			return &h.facts[i];
	return NULL;
}

static void tell_fact(const struct usage_fact *f)
{
	tell("\n      fact %lld.%lld of %lld at %s, heir %lld, raw %g%s%s",
		(long long)(f->id >> 20), (long long)(f->id & 0xfffff),
		(long long)f->owner, when(f->time), (long long)f->heir, f->raw,
		f->was_still ? ", was still" : "", f->still ? ", still" : "");
}

/* What an association that is gone has used is its parent's; the row may be
 * erased. */
static void check_heir(const struct usage_fact *f)
{
	if (f->heir == f->owner || f->owner < 0 ||
		!ask("SELECT count(*) FROM assoc WHERE key = :a", f->owner))
		return;
	if (f->heir && (ask("SELECT parent FROM assoc WHERE key = :a",
				f->owner) != f->heir ||
			       !ask("SELECT deleted FROM assoc WHERE key = :a",
				       f->owner)))
		wrong("%lld is no heir of %lld", (long long)f->heir,
			(long long)f->owner);
}

static void take_fact(const struct usage_fact *f, int64_t change)
{
	struct known_fact *k = known(f->id);

	if (k) {
		if (!k->present || !same_fact(&k->f, f))
			wrong("fact %lld is there, or is another",
				(long long)f->id);
		return;
	}
	if (f->id <= h.last_fact)
		wrong("fact %lld has an old number", (long long)f->id);
	if (h.n_facts == sizeof(h.facts) / sizeof(*h.facts))
		fail_msg("too many facts");
	h.facts[h.n_facts++] = (struct known_fact){
		.f = *f, .present = true, .made = smaller(change, f->id >> 20)};
	h.last_fact = f->id;
	tell_fact(f);
	check_heir(f);
}

/* Facts of an association that was erased may go. */
static void drop_fact(struct known_fact *k, int64_t change)
{
	int64_t there = ask("SELECT count() FROM usage_fact WHERE id = :a",
		k->f.id);

	if (there)
		return;
	if (ask("SELECT count() FROM assoc WHERE key = :a", k->f.owner))
		wrong("fact %lld is gone", (long long)k->f.id);
	k->present = false;
	k->dropped = change;
}

/* Takes over the facts that a change recorded. */
static void take_facts(int64_t change)
{
	struct query q;
	struct usage_fact f;

	for (size_t i = 0; i < h.n_facts; i++)
		if (h.facts[i].present)
			drop_fact(&h.facts[i], change);
	fine(query_open(&q, STORE,
		"SELECT id, owner, time, coalesce(heir, 0), raw, was_still,"
		" still, until FROM usage_fact ORDER BY id"));
	while (query_row(&q)) {
		read_fact(&q, &f);
		take_fact(&f, change);
	}
	fine(query_close(&q));
}

/* ---- policies ------------------------------------------------------------*/

static const uint32_t half_lives[] = {0, HOUR, 2 * DAY, 7 * DAY, 14 * DAY};
static const enum usage_reset resets[] = {
	RESET_NONE, RESET_NONE, RESET_DAILY, RESET_WEEKLY, RESET_MONTHLY};

static void draw_policy(void)
{
	POLICY->half_life = half_lives[chance(5)];
	POLICY->reset = resets[chance(5)];
	h.f.s.site.conf.policy = *POLICY;
}

static void settle(void)
{
	fine(store_begin_bulk(STORE));
	fine(usage_settle_policy(STORE, POLICY));
	fine(store_commit_bulk(STORE));
}

/* The twin's, as they are recorded. */
static void note_era(void)
{
	const struct era *last;
	int64_t since = POLICY->since ? smaller(POLICY->since, STORE->now)
				      : STORE->now;

	if (!h.eras.n) {
		h.eras.v[h.eras.n++] = (struct era){
			INT64_MIN, POLICY->half_life, POLICY->reset};
		return;
	}
	last = &h.eras.v[h.eras.n - 1];
	if (last->half_life == POLICY->half_life && last->reset == POLICY->reset)
		return;
	h.eras.v[h.eras.n] = (struct era){larger(last->since + 1, since),
		POLICY->half_life, POLICY->reset};
	if (h.eras.n == 1)
		h.eras.v[1].since = larger(1, since);
	h.eras.n++;
}

/* ---- what was read -------------------------------------------------------*/

/* What was read from then on was not all that happened until then. */
static void forget_since(int64_t at)
{
	for (size_t i = 0; i < h.n_snaps; i++)
		if (h.snaps[i].at >= at)
			h.snaps[i].valid = false;
}

/* A record says that a run ended after now: it counts whole now, and as one
 * that runs when it is looked back at. */
static bool ends_later(void)
{
	int found = store_has(STORE, "SELECT 1 FROM job WHERE end > :now",
		bind_int(":now", STORE->now));

	assert_true(found >= 0);
	return found;
}

static void take_snap(void)
{
	struct snap *snap = &h.snaps[h.n_snaps];

	forget_since(STORE->now);
	/* A time that comes for the second time is not told from the first. */
	if (h.n_snaps == MOST || STORE->now <= h.latest || ends_later())
		return;
	*snap = (struct snap){.at = STORE->now, .valid = true, .step = h.step};
	read_both(STORE->now, &snap->assocs, &snap->qos, &h.arena);
	h.n_snaps++;
}

/* To the bit, but for the order in which jobs that run are added up. */
static void same_amount(const char *who, const struct usage *of, int tres,
	long double got, long double want)
{
	if (fabsl(got - want) > 1e-17L * fabsl(want))
		wrong("%s %lld, TRES %d: %.21Lg, was %.21Lg (%Lg)", who,
			(long long)of->assoc, tres, got, want, got - want);
}

static void same_entry(
	const char *who, const struct usage *got, const struct usage *want)
{
	const struct usage *of = want->assoc ? want : got;

	for (int k = 0; k < SLOW_KINDS; k++) {
		const uint32_t tres = (uint32_t)slow_kinds[k];

		same_amount(who, of, slow_kinds[k], amount_of(got, k),
			amount_of(want, k));
		if (slow_kinds[k] > 0)
			same_amount(who, of, slow_kinds[k],
				tres_of(got, tres)->run_seconds,
				tres_of(want, tres)->run_seconds);
	}
	same_amount(who, of, USAGE_RAW, got->removed, want->removed);
}

static void same_list(const char *who, const struct usage_list *got,
	const struct usage_list *want)
{
	for (size_t i = 0; i < want->n; i++)
		same_entry(who, usage_of(got, want->v[i].assoc), &want->v[i]);
	for (size_t i = 0; i < got->n; i++)
		same_entry(who, &got->v[i], usage_of(want, got->v[i].assoc));
}

static void same_usage(struct store *store, int64_t at,
	const struct usage_list *assocs, const struct usage_list *qos)
{
	struct usage_list got, got_qos;

	read_of(store, at, &got, &got_qos, &h.f.s.arena);
	same_list("then, association", &got, assocs);
	same_list("then, QOS", &got_qos, qos);
}

static void move_and_compare(struct past *past, int64_t at,
	const struct usage_list *assocs, const struct usage_list *qos)
{
	fine(past_move(past, at));
	same_usage(past->store, at, assocs, qos);
}

/* Some of those that hold, one after the other in one past. */
static void check_past(void)
{
	struct past past;
	bool opened = false;

	for (size_t i = chance(5); i < h.n_snaps; i += 1 + chance(12)) {
		const struct snap *snap = &h.snaps[i];
		int step = h.step;

		if (!snap->valid || snap->at >= STORE->now ||
			(opened && snap->at < past.at))
			continue;
		if (!opened)
			fine(past_open(&past, STORE, POLICY, true, false));
		opened = true;
		tell("\n   --at=%s, as after step %d", when(snap->at), snap->step);
		move_and_compare(&past, snap->at, &snap->assocs, &snap->qos);
		h.step = step;
	}
	if (opened)
		past_close(&past);
}

static int64_t random_step(void)
{
	static const uint32_t steps[] = {
		1, MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 10 * DAY};

	return 1 + chance(steps[chance(7)]);
}

/* Any time in the past, in one step or in two. */
static void check_steps(void)
{
	int64_t at = larger(T0 - 9 * DAY, STORE->now - 1 - chance(20 * DAY));
	int64_t before = at - random_step();
	struct usage_list assocs, qos;
	struct past past;

	if (at >= STORE->now)
		return;
	tell("\n   --at=%s, after %s", when(at), when(before));
	fine(past_open(&past, STORE, POLICY, true, false));
	fine(past_move(&past, at));
	read_of(past.store, at, &assocs, &qos, &h.f.s.arena);
	past_close(&past);
	fine(past_open(&past, STORE, POLICY, true, false));
	fine(past_move(&past, before));
	move_and_compare(&past, at, &assocs, &qos);
	past_close(&past);
}

/* When the first lease ends. */
static int64_t first_lease(void)
{
	const int64_t until = ask("SELECT coalesce(min(until), 0) FROM lease", 0);

	return until ? until : INT64_MAX;
}

/* When the first running job is to end. */
static int64_t first_end(void)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < h.n_jobs; i++)
		if (h.jobs[i].key && h.jobs[i].start > 0 && !h.jobs[i].end)
			first = smaller(first, h.jobs[i].start +
						       h.jobs[i].wall_limit * 60LL);
	return first;
}

/* Has the last policy come? */
static bool is_recorded(void)
{
	return h.eras.v[h.eras.n - 1].since <= STORE->now;
}

static void check_future(void)
{
	int64_t at = STORE->now + random_step(), now = STORE->now;
	struct usage_list assocs, qos;
	struct past past;

	if (at >= smaller(first_end(), first_lease()) || !is_recorded())
		return;
	tell("\n   --at=%s, the future", when(at));
	fine(past_open(&past, STORE, POLICY, true, false));
	if (chance(2))
		fine(past_move(&past, now + (at - now) / 2));
	STORE->now = at;
	read_both(at, &assocs, &qos, &h.f.s.arena);
	STORE->now = now;
	move_and_compare(&past, at, &assocs, &qos);
	past_close(&past);
}

/* With the clock behind an amount stays what it was last. */
static void check_behind(void)
{
	struct usage_list assocs, qos, behind, behind_qos;
	int64_t at = STORE->now - random_step();

	read_both(at, &assocs, &qos, &h.f.s.arena);
	read_both(at - random_step(), &behind, &behind_qos, &h.f.s.arena);
	for (size_t i = 0; i < behind.n; i++) {
		const struct usage *u = &behind.v[i];
		struct slow s = twin_at(at);
		int64_t last = ask("SELECT last FROM usage WHERE owner = :a",
			u->assoc);

		if (last >= at && !slow_now(&s, u->assoc)->open &&
			u->raw > usage_of(&assocs, u->assoc)->raw)
			wrong("with the clock behind %lld has %Lg, not %Lg",
				(long long)u->assoc, u->raw,
				usage_of(&assocs, u->assoc)->raw);
	}
}

/* ---- rows ----------------------------------------------------------------*/

static void put_rows(FILE *out, const char *sql)
{
	struct query q;

	fine(query_open_text(&q, STORE, sql));
	while (query_row(&q)) {
		for (int i = 0; i < query_columns(&q); i++)
			fprintf(out, "%s|", query_is_null(&q, i)
						    ? "NULL"
						    : query_text(&q, i));
		fputc('\n', out);
	}
	fine(query_close(&q));
}

/* The caller frees it. */
static char *tables(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream(&text, &size);

	put_rows(out, "SELECT 'sum', owner, life, at, begin, hex(sums)"
		      " FROM usage_sum ORDER BY owner, life, at");
	put_rows(out, "SELECT 'usage', owner, life, begin, at, still,"
		      " format('%!.20g', raw) FROM usage ORDER BY owner");
	put_rows(out, "SELECT 'fact', * FROM usage_fact ORDER BY id");
	put_rows(out, "SELECT 'decay', since, half_life, reset FROM decay"
		      " ORDER BY since");
	fclose(out);
	return text;
}

/* The first line that differs is told. */
static void same_tables(const char *why, char *got, char *wanted)
{
	const char *a = got, *b = wanted;

	if (strcmp(a, b) != 0) {
		while (*a && *a == *b)
			a++, b++;
		while (a > got && a[-1] != '\n')
			a--, b--;
		wrong("%s: %.*s, not %.*s", why, (int)strcspn(a, "\n"), a,
			(int)strcspn(b, "\n"), b);
	}
	free(got);
}

static void rebuild_finds(const char *why, bool nothing)
{
	struct rebuild_list list;

	fine(rebuild_usage(STORE, POLICY, &h.f.t.cluster, 1, &h.f.s.arena, &list));
	if (list.n && nothing)
		wrong("%s: rebuilt %s %s %s %s, TRES %d: %.15Lg is %.15Lg", why,
			list.v[0].account, list.v[0].user, list.v[0].partition,
			list.v[0].qos ? list.v[0].qos : "", list.v[0].tres,
			list.v[0].was, list.v[0].is);
}

static void check_rebuild(const char *why)
{
	char *before = tables();

	fine(store_begin_bulk(STORE));
	rebuild_finds(why, true);
	same_tables(why, tables(), before);
	fine(store_exec(STORE, "DELETE FROM usage; DELETE FROM usage_sum"));
	rebuild_finds(why, false);
	same_tables("rebuilt from nothing", tables(), before);
	store_rollback(STORE);
	free(before);
}

/* ---- jobs ----------------------------------------------------------------*/

static const struct tres_list allocs[] = {
	{(struct tres_count[]){{TRES_CPU, 4}, {TRES_MEM, 1000}, {TRES_NODE, 1},
		 {TRES_BILLING, 6}},
		4, 4},
	{(struct tres_count[]){{TRES_CPU, 1}, {TRES_ENERGY, 9}}, 2, 2},
	{(struct tres_count[]){{TRES_CPU, 64}, {TRES_MEM, 256000},
		 {TRES_NODE, 2}, {TRES_BILLING, 80}, {SLOW_GPU, 8}},
		5, 5},
	{NULL, 0, 0},
};

/* The n-th number that the statement gives, any. */
static int64_t any_of(const char *sql)
{
	int64_t v[64];
	uint32_t n = 0;
	struct query q;

	fine(query_open(&q, STORE, sql));
	while (query_row(&q) && n < 64)
		v[n++] = query_int(&q, 0);
	fine(query_close(&q));
	return n ? v[chance(n)] : 0;
}

static int64_t any_assoc(void)
{
	if (!chance(6))
		return any_of("SELECT key FROM assoc WHERE deleted OR user = ''");
	return any_of("SELECT key FROM assoc WHERE user <> '' AND NOT deleted");
}

static uint32_t any_qos(void)
{
	if (!chance(12))
		return (uint32_t)any_of("SELECT id FROM qos");
	return (uint32_t)any_of("SELECT id FROM qos WHERE NOT deleted");
}

static void draw_charge(struct job *job)
{
	static const double factors[] = {1, 1, 1, 0.5, 2, 0, -1};

	job->billing = chance(4) ? 1 + chance(1000) / 8.0 : chance(3) / 3.0;
	job->usage_factor = factors[chance(7)];
	job->tres_alloc = allocs[chance(4)];
}

static void draw_owner(struct job *job)
{
	job->assoc = any_assoc();
	job->qos = chance(5) ? any_qos() : 0;
	job->part_qos = chance(4) ? 0 : any_qos();
}

/* A length of a run. */
static int64_t draw_length(void)
{
	static const uint32_t lengths[] = {1, 100, HOUR, 9 * HOUR, 3 * DAY, 30 * DAY};

	return 1 + chance(lengths[chance(6)]);
}

static struct job *new_job(int64_t start, int64_t end)
{
	struct job *job;

	if (h.n_jobs == MOST)
		fail_msg("too many jobs");
	job = &h.jobs[h.n_jobs++];
	job_init(job);
	job->cluster = h.f.t.cluster;
	job->id = h.next_id++;
	job->submit = job->eligible =
		smaller(start ? start : STORE->now, STORE->now) - chance(HOUR);
	job->start = start;
	job->end = end;
	job->state = end ? JOB_COMPLETED : start ? JOB_RUNNING : JOB_PENDING;
	job->wall_limit = chance(2) ? 400 * 24 * 60 : 1 + chance(3000);
	draw_owner(job);
	draw_charge(job);
	return job;
}

static void tell_job(const char *how, const struct job *job)
{
	tell("%s job %u, assoc %lld, QOS %u/%u, %s to %s, billing %g x %g,"
	     " %zu TRES", how, job->id, (long long)job->assoc, job->qos, job->part_qos,
		when(job->start), when(job->end), job->billing,
		job->usage_factor, job->tres_alloc.n);
}

/* Which facts it was recorded after; the association's life counts. */
static void put_epoch(struct job *job, const struct job *old)
{
	int64_t epoch = 0;

	for (size_t i = 0; i < h.n_facts; i++)
		if (h.facts[i].present)
			epoch = larger(epoch, h.facts[i].f.id);
	job->usage_epoch = old && old->assoc == job->assoc ? old->usage_epoch
							   : epoch;
}

static void check_epoch(const struct job *job)
{
	if (ask("SELECT usage_epoch FROM job WHERE key = :a", job->key) !=
		job->usage_epoch)
		wrong("job %u has another epoch", job->id);
}

static void save(struct job *job, const struct job *old)
{
	struct job copy = *job;

	save_job(&h.f.t, &copy);
	job->key = copy.key;
	put_epoch(job, old);
	note_era();
	check_epoch(job);
	forget_since(STORE->now);
}

static struct job *any_job(bool open)
{
	for (int tries = 0; tries < 20 && h.n_jobs; tries++) {
		size_t i = chance((uint32_t)h.n_jobs);
		struct job *job = &h.jobs[i];

		if (job->key && !h.locked[i] && (!open || !job->end))
			return job;
	}
	return NULL;
}

static void job_starts(void)
{
	struct job *job = new_job(chance(5) ? STORE->now : 0, 0);

	save(job, NULL);
	tell_job("starts", job);
}

static void job_goes_on(void)
{
	struct job *job = any_job(true), old;

	if (!job)
		return;
	old = *job;
	if (!job->start)
		job->start = larger(STORE->now, job->submit);
	else if (chance(4))
		job->end = STORE->now;
	else if (job->suspended_since)
		job->suspended += larger(STORE->now - job->suspended_since, 0);
	if (job->end)
		job->state = chance(2) ? JOB_COMPLETED : JOB_FAILED;
	else if (old.start)
		job->state = job->suspended_since ? JOB_RUNNING : JOB_SUSPENDED;
	else
		job->state = JOB_RUNNING;
	job->suspended_since = job->state == JOB_SUSPENDED ? STORE->now : 0;
	if (old.start > STORE->now)
		forget_since(0);
	save(job, &old);
	tell_job("goes on", job);
}

static int64_t draw_late(void)
{
	static const uint32_t late[] = {1, HOUR, DAY, 10 * DAY, 90 * DAY, 400 * DAY};

	return chance(late[chance(6)]);
}

static struct job *draw_late_job(void)
{
	int64_t end = STORE->now - draw_late();
	struct job *job = new_job(end - draw_length(), end);

	forget_since(job->start);
	return job;
}

static void job_comes_late(void)
{
	struct job *job = draw_late_job();

	save(job, NULL);
	tell_job("late", job);
}

static void jobs_are_imported(void)
{
	struct job_bulk *bulk;
	struct job *jobs[6], copies[6], *refs[6];
	size_t n = 2 + chance(4);

	for (size_t i = 0; i < n; i++) {
		jobs[i] = draw_late_job();
		copies[i] = *jobs[i];
		refs[i] = &copies[i];
		tell_job(i ? "\n   import" : "import", jobs[i]);
	}
	bulk = job_bulk_open(STORE, POLICY);
	fine(job_bulk_begin(bulk));
	fine(job_bulk_insert(bulk, refs, n / 2));
	fine(job_bulk_insert(bulk, refs + n / 2, n - n / 2));
	fine(job_bulk_commit(bulk));
	job_bulk_close(bulk);
	note_era();
	for (size_t i = 0; i < n; i++) {
		jobs[i]->key = copies[i].key;
		put_epoch(jobs[i], NULL);
		check_epoch(jobs[i]);
	}
	forget_since(STORE->now);
}

static void draw_correction(struct job *job)
{
	struct job drawn = *job;
	int64_t end;

	switch (chance(6)) {
	case 0:
		if (job->end)
			job->end = larger(job->start + 1,
				job->end - (int64_t)chance(2 * DAY));
		break;
	case 1:
		/* Never before it was submitted, which is the record's name. */
		end = job->end ? job->end : STORE->now;
		if (job->start && job->start < end)
			job->start += (int64_t)chance(
				(uint32_t)(end - job->start));
		break;
	case 2:
		draw_owner(&drawn);
		job->assoc = drawn.assoc;
		break;
	case 3:
		draw_owner(&drawn);
		job->qos = drawn.qos;
		job->part_qos = drawn.part_qos;
		break;
	default:
		draw_charge(job);
	}
}

static void job_is_corrected(void)
{
	struct job *job = any_job(false), old;

	if (!job)
		return;
	old = *job;
	draw_correction(job);
	forget_since(smaller(old.start, job->start));
	save(job, &old);
	tell_job("corrected", job);
}

/* ---- archives ------------------------------------------------------------*/

static void keep_piece(struct slow *s, const struct slow_piece *p)
{
	const bool still = slow_still(s, p->owner, p->life);
	const struct bucket b = eras_bucket(&s->eras, still, p->end);
	size_t i = 0;

	while (i < h.n_kept &&
		(h.kept[i].owner != p->owner || h.kept[i].life != p->life ||
			h.kept[i].end != b.end))
		i++;
	if (i == MOST)
		fail_msg("too much is kept");
	if (i == h.n_kept)
		h.kept[h.n_kept++] = (struct slow_kept){
			.owner = p->owner, .life = p->life, .end = b.end};
	slow_add_piece(s, p, &b, still, h.kept[i].added);
}

/* The twin has no job any longer, but what it came to. */
static void forget_job(struct slow *s, struct job *job)
{
	for (size_t i = 0; i < s->n_pieces; i++)
		if (s->pieces[i].job->key == job->key &&
			s->pieces[i].start < s->pieces[i].end)
			keep_piece(s, &s->pieces[i]);
	job->key = 0;
}

/* Usage stays; there is no looking back at a time before. */
static void jobs_are_purged(void)
{
	struct slow s = twin_at(STORE->now);
	struct archive_cond cond = {.until = STORE->now + 400 * DAY};
	char *before = tables();
	uint64_t n = 0, purged = 0;

	for (int i = 0; i < 3; i++) {
		struct job *job = any_job(false);

		if (!job || job->start <= 0 || !job->end)
			continue;
		strv_printf(&cond.jobs, &h.f.s.arena, "%u", job->id);
		forget_job(&s, job);
		tell_job("purged", job);
		n++;
	}
	fine(rollup_complete(STORE, h.f.t.cluster));
	fine(store_begin_purge(STORE));
	if (n)
		fine(archive_purge(STORE, ARCHIVE_JOB, &cond, &h.f.s.arena, &purged));
	fine(store_commit_bulk(STORE));
	if (purged != n)
		wrong("%llu jobs were purged", (unsigned long long)purged);
	same_tables("purged", tables(), before);
	free(before);
	forget_since(INT64_MIN);
}

/* ---- the log -------------------------------------------------------------*/

/* A change that the log has: of a job that is there, or a new one. */
static void job_in_the_log(void)
{
	struct job *job = chance(3) ? any_job(false) : draw_late_job(), old = {0};
	struct job copy;

	if (!job)
		return;
	if (job->key) {
		old = *job;
		draw_correction(job);
	}
	tell_job(old.key ? "logged correction:" : "logged:", job);
	forget_since(old.key ? smaller(old.start, job->start) : job->start);
	copy = *job;
	fine(store_begin(STORE));
	fine(job_save(STORE, POLICY, &copy));
	fine(store_commit(STORE, "a job"));
	job->key = copy.key;
	put_epoch(job, old.key ? &old : NULL);
	note_era();
	h.locked[job - h.jobs] = true;
	h.edits[h.n_edits++] = (struct edit){change_last(STORE),
		(size_t)(job - h.jobs), old, *job};
	forget_since(STORE->now);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An operation in words. */
static void say(const char *format, ...)
{
	char text[120];
	int64_t before = change_last(STORE);
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	tell("%s", text);
	h.f.s.site.now = STORE->now;
	if (!session_do(&h.f, text))
		tell(" (refused)");
	h.f.s.err.text[0] = '\0';
	if (change_last(STORE) != before) {
		note_era();
		tell(" = change %lld", (long long)change_last(STORE));
	}
	take_facts(change_last(STORE));
	forget_since(STORE->now);
}

#define A ((unsigned)chance(4))
#define U ((unsigned)chance(5))
#define Q ((unsigned)chance(6))

/* No command does, but a store may have it. */
static void qos_is_set(unsigned value)
{
	uint32_t qos = (uint32_t)any_of("SELECT id FROM qos WHERE NOT deleted");

	tell("QOS %u set rawusage=%u", qos, value);
	fine(store_begin(STORE));
	fine(usage_set_qos(STORE, POLICY, qos, value));
	fine(store_commit(STORE, "set a QOS"));
	note_era();
	take_facts(change_last(STORE));
	forget_since(STORE->now);
}

static void usage_is_set(void)
{
	unsigned value = chance(2) ? chance(100000) : 0;
	size_t i = h.n_facts;

	switch (chance(4)) {
	case 0:
		say("modify account where name=a%u set rawusage=%u", A, value);
		break;
	case 1:
		value = chance(2) ? value : 0;
		if (value || chance(2))
			qos_is_set(value);
		else
			say("modify qos where name=q%u set rawusage=0", Q);
		break;
	default:
		say("modify user where name=u%u account=a%u set rawusage=%u", U,
			A, value);
	}
	for (; i < h.n_facts; i++)
		if (value ? !same_number(h.facts[i].f.raw, value)
			  : !isnan(h.facts[i].f.raw) || h.facts[i].f.heir)
			wrong("it was not set");
}

static void tree_changes(void)
{
	switch (chance(8)) {
	case 0:
	case 1:
		say("delete user where name=u%u account=a%u", U, A);
		break;
	case 2:
		say("delete user where name=u%u", U);
		break;
	case 3:
		say("delete account where name=a%u", A);
		break;
	case 4:
	case 5:
		say("add user name=u%u account=a%u", U, A);
		break;
	case 6:
		say("modify account where name=a%u set parent=a%u", A, A);
		break;
	default:
		say("add account name=a%u parent=%s", A,
			chance(2) ? "root" : "a0");
	}
}

static void flags_change(void)
{
	switch (chance(6)) {
	case 0:
	case 1:
		say("delete qos where name=q%u", Q);
		break;
	case 2:
	case 3:
		say("add qos name=q%u%s", Q, chance(2) ? " flags=nodecay" : "");
		break;
	default:
		say("modify qos where name=q%u set flags%snodecay", Q,
			chance(2) ? "=" : "-=");
	}
}

/* Usage decays otherwise from now on. */
static void policy_changes(void)
{
	if (h.eras.n + 2 > MAX_ERAS / 2)
		return;
	POLICY->since = chance(2) ? STORE->now - random_step() : 0;
	draw_policy();
	tell("half-life %u s, reset %d, since %s", POLICY->half_life,
		POLICY->reset, when(POLICY->since));
	/* Recorded by the first command, whose change may be undone. */
	if (!chance(3)) {
		tell("; ");
		usage_is_set();
	}
	settle();
	note_era();
	forget_since(h.eras.v[h.eras.n - 1].since);
	check_past();
}

/* ---- undo ----------------------------------------------------------------*/

static void ignore(void *arg, const struct logged *l, const struct strv *rows)
{
}

static void turn_edit(struct edit *e, bool redo)
{
	struct job *job = &h.jobs[e->job];
	const struct job *first = job->key ? job : &e->after;

	forget_since(smaller(first->start, e->before.key ? e->before.start
							 : first->start));
	*job = redo ? e->after : e->before;
	forget_since(job->key ? job->start : INT64_MAX);
}

static void turn(int64_t change, bool redo)
{
	for (size_t i = 0; i < h.n_facts; i++) {
		struct known_fact *k = &h.facts[i];

		if (k->made == change)
			k->present = redo;
		if (k->dropped == change)
			k->present = !redo;
	}
	for (size_t i = h.n_edits; i-- > 0;)
		if (h.edits[i].change == change)
			turn_edit(&h.edits[i], redo);
}

/* Undoes the last change, or redoes what was undone last: false: it was refused. */
static bool reverse(bool redo)
{
	const struct undo_cond cond = {.redo = redo};
	struct logged_list list;

	tell("%s", redo ? "redo" : "undo");
	fine(store_begin(STORE));
	fine(undo_choose(STORE, &cond, &h.f.s.arena, &list));
	/* Another QOS would get the number of the first. */
	if (list.n && list.v[0].id <= h.first)
		list.n = 0;
	if (!list.n || undo_run(STORE, POLICY, &list, redo, &h.f.s.arena, ignore,
			       NULL)) {
		if (list.n && h.f.s.err.kind != ERR_USAGE)
			wrong("%s", h.f.s.err.text);
		tell(" refused: %s", h.f.s.err.text);
		h.f.s.err.text[0] = '\0';
		store_rollback(STORE);
		fine(store_load_catalogs(STORE));
		return false;
	}
	fine(store_commit(STORE, redo ? "redo" : "undo"));
	fine(store_load_catalogs(STORE));
	for (size_t i = 0; i < list.n; i++) {
		tell(" change %lld", (long long)list.v[i].id);
		turn(list.v[i].id, redo);
	}
	tell(" = change %lld", (long long)change_last(STORE));
	take_facts(change_last(STORE));
	note_era();
	forget_since(STORE->now);
	return true;
}

static void some_are_undone(void)
{
	unsigned n = 1 + chance(3);

	while (n-- && reverse(false))
		if (chance(2) && !reverse(true))
			return;
}

/* ---- leases --------------------------------------------------------------*/

static void is_leased(void)
{
	const long long until = (long long)(STORE->now + random_step());

	if (chance(3))
		say("add user name=u%u account=a%u until=uts%lld", U, A, until);
	else
		say("modify qos where name=q%u set flags%snodecay until=uts%lld",
			Q, chance(2) ? "=" : "-=", until);
}

/* What a reader has while nobody wrote, and before what was foreseen, is what the
 * store has when they are ended. */
static void leases_end(struct past *foreseen)
{
	struct usage_list assocs, qos;
	struct store reader;

	tell(" leases end from %s on", when(first_lease()));
	forget_since(first_lease());
	h.ended = true;
	check_past();
	fine(lease_open_private(&reader, STORE, POLICY));
	fine(lease_settle(STORE, POLICY));
	note_era();
	take_facts(change_last(STORE));
	read_both(STORE->now, &assocs, &qos, &h.f.s.arena);
	same_usage(&reader, STORE->now, &assocs, &qos);
	store_close(&reader);
	if (foreseen)
		move_and_compare(foreseen, STORE->now, &assocs, &qos);
}

/* ---- time ----------------------------------------------------------------*/

static void time_passes(int64_t seconds)
{
	struct past past;
	const bool foresee = STORE->now + seconds < first_end() &&
			     STORE->now >= h.latest && is_recorded();

	if (first_lease() > STORE->now + seconds) {
		STORE->now += seconds;
		return;
	}
	fine(past_open(&past, STORE, POLICY, true, false));
	STORE->now += seconds;
	leases_end(foresee ? &past : NULL);
	past_close(&past);
}

static void clock_goes(void)
{
	if (chance(15)) {
		time_passes(random_step());
	} else {
		h.latest = larger(h.latest, STORE->now);
		STORE->now -= random_step();
		forget_since(STORE->now);
		tell(" BACK");
	}
	h.f.s.site.now = STORE->now;
}

/* ---- histories -----------------------------------------------------------*/

static void (*const operations[])(void) = {job_starts, job_starts, job_starts,
	job_goes_on, job_goes_on, job_goes_on, job_comes_late, job_comes_late,
	jobs_are_imported, jobs_are_purged, job_is_corrected, job_is_corrected, job_in_the_log,
	usage_is_set, usage_is_set, usage_is_set, tree_changes, tree_changes,
	flags_change, flags_change, is_leased, is_leased, policy_changes, some_are_undone,
	some_are_undone};

/* Those that the log has all of. */
static void (*const logged[])(void) = {job_in_the_log, usage_is_set, usage_is_set,
	tree_changes, tree_changes, flags_change, is_leased};

#define ANY(list) list[chance(sizeof(list) / sizeof(*list))]

static void check_now(void)
{
	struct arena *arena = &h.f.s.arena;

	take_snap();
	compare_twin(STORE->now);
	if (!chance(6))
		compare_twin(STORE->now + random_step());
	if (!chance(6))
		check_future();
	if (!chance(8))
		check_past();
	if (!chance(8))
		check_steps();
	if (!chance(8))
		check_behind();
	if (!chance(6))
		check_rebuild("made anew");
	arena_reset(arena);
}

static bool is_skipped(int step)
{
	const char *skip = getenv("BURSAR_SKIP");

	while (skip && *skip) {
		char *end;

		if (strtol(skip, &end, 10) == step)
			return true;
		skip = *end ? end + 1 : end;
	}
	return false;
}

/* Each step has its own chance, so that others may be left out. */
static bool next_step(void)
{
	h.step++;
	seed = (uint32_t)((h.from * 2654435761ULL + (unsigned)h.step * 40503ULL *
							    65537ULL) %
			  2147483646) +
	       1;
	chance(2);
	return !is_skipped(h.step);
}

static void one_step(void (*operation)(void))
{
	if (chance(3))
		clock_goes();
	tell("\n%3d %s: ", h.step, when(STORE->now));
	operation();
	check_now();
}

/* Undone is as before, redone as after; nothing but the log was written. */
static void a_stretch(void)
{
	char *before = tables(), *after;
	int64_t n = -change_last(STORE);

	h.ended = false;
	for (int i = 0; i < 6; i++)
		if (next_step())
			one_step(ANY(logged));
	n += change_last(STORE);
	after = tables();
	if (!next_step() || h.ended)
		n = 0;
	tell("\n%3d %s: ", h.step, when(STORE->now));
	for (int64_t i = 0; i < n; i++)
		if (!reverse(false)) {
			n = i;
			wrong("refused");
		}
	if (n) {
		same_tables("undone", tables(), before);
		check_now();
		for (int64_t i = 0; i < n; i++)
			if (!reverse(true))
				wrong("refused");
		same_tables("redone", tables(), after);
		check_now();
	}
	free(before);
	free(after);
}

static void begin(uint32_t from)
{
	static char tree[][60] = {"add account name=a0,a1",
		"add account name=a2 parent=a0", "add account name=a3 parent=a2",
		"add user name=u0,u1 account=a0,a1", "add user name=u2 account=a2",
		"add user name=u3,u4 account=a3,a1",
		"add user name=u0 account=a0 partition=p,q",
		"add qos name=q0,q1", "add qos name=q2 flags=nodecay"};

	h = (struct history){.from = from, .next_id = 1};
	h.tell = memory_stream(&h.told, &h.told_size);
	arena_init(&h.arena);
	seed = from * 2654435761U % 2147483646 + 1;
	chance(2);
	session_fixture_open(&h.f, T0 - 10 * DAY);
	h.f.s.site.cluster = "t";
	draw_policy();
	for (size_t i = 0; i < sizeof(tree) / sizeof(*tree); i++) {
		char text[60];

		strcpy(text, tree[i]);
		if (!session_do(&h.f, text))
			wrong("%s: %s", tree[i], h.f.s.err.text);
	}
	STORE->now = T0;
	h.first = change_last(STORE);
	tell("half-life %u s, reset %d", POLICY->half_life, POLICY->reset);
	settle();
	note_era();
	take_facts(h.first);
	arena_reset(&h.f.s.arena);
}

static void end(void)
{
	if (getenv("BURSAR_TELL")) {
		fflush(h.tell);
		print_message("history %u: %s\n", h.from, h.told);
	}
	session_fixture_close(&h.f);
	arena_release(&h.arena);
	fclose(h.tell);
	free(h.told);
}

static void one_history(uint32_t from)
{
	begin(from);
	while (h.step < STEPS) {
		if (h.step == 20)
			a_stretch();
		else if (next_step())
			one_step(ANY(operations));
	}
	h.step = LAST_CHECK;
	check_rebuild("at the end");
	check_past();
	check_past();
	end();
}

static void histories(void **state)
{
	const char *many = getenv("BURSAR_HISTORIES");
	const char *first = getenv("BURSAR_SEED");
	uint32_t n = many ? (uint32_t)strtoul(many, NULL, 10) : HISTORIES;
	uint32_t from = first ? (uint32_t)strtoul(first, NULL, 10) : 1;

	for (uint32_t i = 0; i < n; i++)
		one_history(from + i);
}

static void later(int64_t seconds)
{
	STORE->now += seconds;
	h.f.s.site.now = STORE->now;
	tell("\n%s: ", when(STORE->now));
}

/* Runs of one who is gone are the account's until the user comes back. */
static void comes_back_while_it_runs(void **state)
{
	struct job *job;

	begin(1);
	job = new_job(STORE->now, 0);
	job->assoc = ask("SELECT key FROM assoc WHERE user = 'u2'", 0);
	job->billing = job->usage_factor = 1;
	h.n_jobs = 0;
	h.f.s.err.text[0] = '\0';
	say("delete user where name=u2 account=a2");
	later(HOUR);
	h.n_jobs = 1;
	save(job, NULL);
	later(HOUR);
	say("add user name=u2 account=a2");
	later(HOUR);
	compare_twin(STORE->now);
	job->end = STORE->now;
	job->state = JOB_COMPLETED;
	save(job, job);
	compare_twin(STORE->now);
	end();
}

/* What a run was worth before a fact is not there yet while it goes on. */
static void set_while_it_runs(void **state)
{
	struct usage_list assocs, qos;
	struct past past;
	struct job *job;
	int64_t then;

	begin(1);
	job = new_job(STORE->now, 0);
	job->assoc = ask("SELECT key FROM assoc WHERE user = 'u2'", 0);
	job->billing = job->usage_factor = 1;
	job->wall_limit = 400 * 24 * 60;
	save(job, NULL);
	later(HOUR);
	say("modify user where name=u2 account=a2 set rawusage=5");
	later(20 * DAY);
	then = STORE->now;
	read_both(then, &assocs, &qos, &h.arena);
	later(HOUR);
	job->end = STORE->now;
	job->state = JOB_COMPLETED;
	save(job, job);
	fine(past_open(&past, STORE, POLICY, true, false));
	move_and_compare(&past, then, &assocs, &qos);
	past_close(&past);
	end();
}

/* What is kept of a run goes where the run would. */
static void undone_after_a_purge(void **state)
{
	struct job *job;

	begin(1);
	say("modify user where name=u2 account=a2 set rawusage=0");
	job = new_job(STORE->now - DAY, STORE->now - HOUR);
	job->assoc = ask("SELECT key FROM assoc WHERE user = 'u2'", 0);
	job->billing = job->usage_factor = 1;
	save(job, NULL);
	later(HOUR);
	jobs_are_purged();
	assert_true(reverse(false));
	compare_twin(STORE->now);
	assert_true(reverse(true));
	compare_twin(STORE->now);
	end();
}

/* What a sync sets is not in the log: before it was not so. */
static void set_without_an_entry(void **state)
{
	struct usage_list then, then_qos, now, now_qos;
	int64_t assoc, at;
	struct past past;
	struct job *job;

	begin(1);
	assoc = ask("SELECT key FROM assoc WHERE user = 'u2'", 0);
	job = new_job(STORE->now - DAY, STORE->now);
	job->assoc = assoc;
	job->billing = job->usage_factor = 1;
	save(job, NULL);
	later(HOUR);
	at = STORE->now;
	read_both(at, &then, &then_qos, &h.arena);
	later(DAY);
	fine(store_begin_bulk(STORE));
	fine(usage_set_raw(STORE, POLICY, assoc, 5));
	fine(store_commit_bulk(STORE));
	later(HOUR);
	read_both(STORE->now - 1, &now, &now_qos, &h.arena);
	fine(past_open(&past, STORE, POLICY, true, false));
	move_and_compare(&past, at, &then, &then_qos);
	move_and_compare(&past, STORE->now - 1, &now, &now_qos);
	past_close(&past);
	end();
}

/* Who is there for a while alone is erased at its end, but for a job that runs. */
static void lease_ends_while_it_runs(void **state)
{
	struct job *job;

	begin(1);
	say("add user name=u3 account=a0 until=uts%lld",
		(long long)STORE->now + HOUR);
	job = new_job(STORE->now, 0);
	job->assoc = ask("SELECT key FROM assoc WHERE user = 'u3'"
			 " ORDER BY key DESC LIMIT 1", 0);
	job->billing = job->usage_factor = 1;
	job->wall_limit = 3 * HOUR / MINUTE;
	save(job, NULL);
	time_passes(2 * HOUR);
	compare_twin(STORE->now);
	end();
}

/* What ends after a lease is foreseen for whom it will be. */
static void lease_ends_between_runs(void **state)
{
	struct usage_list foreseen, qos, then;
	struct past past;
	struct job *job;

	begin(1);
	say("add user name=u3 account=a0 until=uts%lld",
		(long long)STORE->now + 2 * HOUR);
	for (int hours = 1; hours <= 3; hours += 2) {
		job = new_job(STORE->now, 0);
		job->assoc = ask("SELECT key FROM assoc WHERE user = 'u3'"
				 " ORDER BY key DESC LIMIT 1", 0);
		job->billing = job->usage_factor = 1;
		job->wall_limit = (uint32_t)(hours * HOUR / MINUTE);
		save(job, NULL);
	}
	fine(past_open(&past, STORE, POLICY, true, false));
	fine(past_move(&past, STORE->now + 4 * HOUR));
	read_of(past.store, STORE->now + 4 * HOUR, &foreseen, &qos, &h.arena);
	past_close(&past);
	for (int i = 0; i < 2; i++) {
		job = &h.jobs[i];
		time_passes(i ? 2 * HOUR : HOUR);
		job->end = STORE->now;
		job->state = JOB_COMPLETED;
		save(job, job);
	}
	time_passes(HOUR);
	read_both(STORE->now, &then, &qos, &h.arena);
	same_list("foreseen", &foreseen, &then);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_while_it_runs),
		cmocka_unit_test(set_while_it_runs),
		cmocka_unit_test(undone_after_a_purge),
		cmocka_unit_test(set_without_an_entry),
		cmocka_unit_test(lease_ends_while_it_runs),
		cmocka_unit_test(lease_ends_between_runs),
		cmocka_unit_test(histories),
	};

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
