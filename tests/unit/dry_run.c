/*
 * Dry runs (db/whatif/dry_run.h) over random histories: a change on a store laid
 * over another is, row for row, the change that is made then, and what is told of
 * rows and fair-share is what two loads of the tree show, one before and one
 * behind the change. Chance is seeded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "db/view/shares.h"
#include "db/whatif/dry_run.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/random_steps.h"
#include "tests/unit/session_fixture.h"

enum { NOW = 1780000000, HISTORIES = 20, STEPS = 30 };

struct fixture {
	struct session_fixture f;
	size_t made, moved; /* to see that something happens */
};

/* ---- one step ------------------------------------------------------------*/

/* What comes of a plan is kept in `made`, and in the store. */
static struct outcome made;
static bool kept;

static int make(struct session *s, const struct change *change)
{
	int rc = -1;

	if (change_try(s, change, true, &made))
		return -1;
	kept = made.result == PLAN_CHANGED;
	if (kept)
		rc = store_commit(s->store, "a change");
	else
		store_rollback(s->store);
	assert_int_equal(store_load_catalogs(s->store), 0);
	return rc;
}

/* The same words, on the store that the session has: the changeset is in `made`.
 */
static bool carry_out(struct fixture *f, const char *words)
{
	char *copy = strdup(words);

	made = (struct outcome){.changes = NULL};
	kept = false;
	session_do(&f->f, copy);
	free(copy);
	return kept;
}

/* ---- what was told, and what is ------------------------------------------*/

static void load(struct fixture *f, struct store *store, struct shares *shares,
	struct arena *arena)
{
	ok(&f->f.t, shares_load(store, &f->f.s.site.conf.policy, "t", NOW, 0,
			    arena, shares));
}

static const struct dry_run_share *told(const struct dry_run *d, int64_t key)
{
	for (size_t i = 0; i < d->moved.n; i++)
		if (d->moved.v[i].key == key)
			return &d->moved.v[i];
	return NULL;
}

/* Every user of both trees, by looking for each in the other. */
static void check_shares(struct fixture *f, const struct dry_run *d,
	const struct shares *was, const struct shares *is)
{
	size_t moved = 0;

	for (uint32_t i = 0; i < was->n; i++)
		for (uint32_t k = 0; k < is->n; k++) {
			double before = shares_factor(was, i);
			double after = shares_factor(is, k);
			const struct dry_run_share *t;

			if (was->v[i].key != is->v[k].key ||
				!shares_is_user(was, i) ||
				fabs(before - after) < dry_run_threshold)
				continue;
			t = told(d, was->v[i].key);
			assert_non_null(t);
			assert_true(t->was == before && t->is == after);
			moved++;
		}
	assert_int_equal(moved, d->moved.n);
	for (size_t i = 1; i < d->moved.n; i++)
		assert_true(fabs(d->moved.v[i - 1].is - d->moved.v[i - 1].was) >=
			    fabs(d->moved.v[i].is - d->moved.v[i].was));
	f->moved += moved;
}

static void check_rows(struct fixture *f, const struct dry_run *d,
	const struct strv *gone, struct arena *arena)
{
	struct strv rows = *gone;

	ok(&f->f.t, change_rows(&f->f.t.store, made.changes, made.size,
			    CHANGE_AFTER, SIZE_MAX, arena, &rows));
	assert_int_equal(rows.n, d->rows.n);
	for (size_t i = 0; i < rows.n; i++)
		assert_string_equal(rows.v[i], d->rows.v[i]);
}

static void one_step(struct fixture *f, const char *words)
{
	struct session *s = &f->f.s;
	struct store real = f->f.t.store;
	struct site before = s->site, after = s->site;
	struct shares was, is;
	struct outcome tried;
	struct dry_run d;
	struct strv gone = {0};
	struct arena arena;
	bool changed;

	arena_init(&arena);
	before.store = real;
	ok(&f->f.t, store_open_private(&after.store, &before.store));
	after.store.now = before.store.now;
	s->store = &after.store;
	after.store.err = &s->err;
	changed = carry_out(f, words);
	tried = made;
	if (changed) {
		ok(&f->f.t, dry_run_compare(&d, &before, &after, tried.changes,
				    tried.size, DRY_RUN_ALL, &arena));
		ok(&f->f.t, change_rows(&before.store, tried.changes,
				    tried.size, CHANGE_BEFORE, SIZE_MAX, &arena,
				    &gone));
	}
	store_close(&after.store);
	f->f.t.store = before.store;
	s->store = &f->f.t.store;
	load(f, s->store, &was, &arena);
	assert_int_equal(carry_out(f, words), changed);
	if (changed) {
		assert_int_equal(made.size, tried.size);
		assert_memory_equal(
			made.changes, tried.changes, (size_t)made.size);
		load(f, s->store, &is, &arena);
		check_rows(f, &d, &gone, &arena);
		check_shares(f, &d, &was, &is);
		f->made++;
	}
	outcome_free(&made);
	outcome_free(&tried);
	arena_release(&arena);
}

/* ---- histories -----------------------------------------------------------*/

/* Some have used something, so that factors differ. */
static void use(struct fixture *f)
{
	struct query q;

	ok(&f->f.t, store_begin_bulk(&f->f.t.store));
	ok(&f->f.t,
		query_open_text(&q, &f->f.t.store,
			"INSERT OR REPLACE INTO usage"
			" SELECT key, 0, ?2, ?2, 0, ?1, 0 FROM assoc"
			" WHERE user <> '' AND key % 7 = ?3"));
	query_put_int(&q, 1, 1000 * (1 + chance(9)));
	query_put_int(&q, 2, NOW - (int64_t)chance(900000));
	query_put_int(&q, 3, chance(7));
	ok(&f->f.t, query_run(&q));
	ok(&f->f.t, store_commit_bulk(&f->f.t.store));
}

static const char *const first[] = {"add account name=a0,a1,a2",
	"add account name=a3,a4 parent=a1", "add qos name=q0,q1",
	"add user name=u0,u1,u2 account=a0,a3 fairshare=3",
	"add user name=u3,u4 account=a1,a4 fairshare=9"};

static void one_history(uint32_t number, struct fixture *sums)
{
	static struct fixture f;

	seed = number * 7919 + 1;
	f = (struct fixture){.made = 0};
	session_fixture_open(&f.f, NOW);
	f.f.hooks.run = make;
	f.f.s.site.cluster = "t";
	f.f.s.site.conf.policy.algorithm = chance(3) ? FAIRSHARE_FAIR_TREE
						     : FAIRSHARE_CLASSIC;
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		one_step(&f, first[i]);
	for (int i = 0; i < STEPS; i++) {
		char *words = random_step();

		if (!chance(5))
			use(&f);
		one_step(&f, words);
		free(words);
		arena_reset(&f.f.s.arena);
	}
	session_fixture_close(&f.f);
	sums->made += f.made;
	sums->moved += f.moved;
}

static void test_histories(void **state)
{
	const char *text = getenv("BURSAR_HISTORIES"); /* thousands, by hand */
	size_t histories = text ? strtoul(text, NULL, 10) : HISTORIES;
	struct fixture sums = {.made = 0};

	for (size_t i = 1; i <= histories; i++)
		one_history((uint32_t)i, &sums);
	print_message(
		"%zu changes, %zu factors moved\n", sums.made, sums.moved);
	assert_true(sums.made > histories * STEPS / 8);
	assert_true(sums.moved > histories);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_histories))
