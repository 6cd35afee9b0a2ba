/*
 * Undo with decay (db/undo/undo.h): jobs have left usage, which halves in a
 * week. Whatever operations follow, each later than the one before, when all of
 * them are undone, later still, every amount is what it was, halved as time has
 * it; reckoned here by nothing but that. Chance is seeded.
 */
#include <math.h>

#include "db/undo/undo.h"
#include "db/usage/usage.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/session_fixture.h"
#include "tests/unit/random_jobs.h"

enum { HOUR = 3600, T0 = 1780000000, HISTORIES = 60, STEPS = 6, JOBS = 5 };
enum { HALF_LIFE = 7 * 86400 /* store_fixture.h */ };

struct fixture {
	struct session_fixture f;
	int64_t now;
	uint32_t next_id;
	size_t undone, moved;
};

static void later(struct fixture *f, int64_t seconds)
{
	f->now += seconds;
	f->f.t.store.now = f->f.s.site.now = f->now;
}

/* Each %u is the next of both numbers. */
static bool do_it(struct fixture *f, const char *step, unsigned a, unsigned b)
{
	char text[200], *to = text;
	unsigned numbers[] = {a, b}, n = 0;

	for (; *step; step++)
		if (!strncmp(step, "%u", 2)) {
			*to++ = (char)('0' + numbers[n++ % 2]);
			step++;
		} else {
			*to++ = *step;
		}
	*to = '\0';
	return session_do(&f->f, text);
}

static int setup(void **state)
{
	static struct fixture f;

	session_fixture_open(&f.f, T0);
	f.now = T0;
	f.next_id = 1;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	session_fixture_close(&f->f);
	return 0;
}

/* ---- what there is -------------------------------------------------------*/

static void add_everybody(struct fixture *f)
{
	do_it(f, "add account name=a%u,a%u", 0, 1);
	do_it(f, "add account name=a2 parent=a%u", 0, 0);
	for (unsigned i = 0; i < 6; i++)
		do_it(f, "add user name=u%u account=a%u", i, i % 3);
}

static void read_all(struct fixture *f, struct usage_list *list)
{
	ok(&f->f.t, usage_read(&f->f.t.store, &f->f.t.policy, f->f.t.cluster,
			    f->now, true, &f->f.s.arena, list));
}

/* ---- what is done --------------------------------------------------------*/

static const char *const steps[] = {
	"delete user where name=u%u",
	"delete user where name=u%u account=a%u",
	"delete account where name=a%u",
	"add user name=u%u account=a%u",
	"modify user where name=u%u set rawusage=0",
	"modify user where name=u%u set fairshare=%u",
	"modify account where name=a%u set rawusage=0",
	"modify account where name=a2 set parent=a%u",
};

/* How many of them the log has; one may find nothing to change. */
static int64_t make_changes(struct fixture *f)
{
	int64_t before = change_last(&f->f.t.store);

	for (int i = 0; i < STEPS; i++) {
		later(f, 60 + chance(100 * HOUR));
		do_it(f, steps[chance(sizeof(steps) / sizeof(*steps))],
			(unsigned)chance(6), (unsigned)chance(3));
	}
	return change_last(&f->f.t.store) - before;
}

static void ignore(void *arg, const struct logged *l, const struct strv *rows)
{
}

static void undo_last(struct fixture *f)
{
	const struct undo_cond cond = {.redo = false};
	struct store *store = &f->f.t.store;
	struct logged_list list;

	*f->f.s.err.text = '\0';
	ok(&f->f.t, store_begin(store));
	ok(&f->f.t, undo_choose(store, &cond, &f->f.s.arena, &list));
	assert_int_equal(list.n, 1);
	if (undo_run(store, &f->f.t.policy, &list, false, &f->f.s.arena, ignore,
		    NULL))
		fail_msg("%s", f->f.s.err.text);
	ok(&f->f.t, store_commit(store, "undo"));
	f->undone++;
}

/* ---- the reckoning -------------------------------------------------------*/

static void halved(struct fixture *f, int64_t assoc, double was, double is,
	int64_t since)
{
	double wanted = was * pow(0.5, (double)(f->now - since) / HALF_LIFE);

	if (fabs(is - wanted) > 1e-9 * wanted)
		fail_msg("association %lld: %.15g, not %.15g", (long long)assoc,
			is, wanted);
	f->moved += wanted > 0;
}

/* Nothing is nothing, to the last bit. */
static void compare(struct fixture *f, const struct usage_list *was,
	const struct usage_list *is, int64_t since)
{
	for (size_t i = 0; i < was->n; i++) {
		const struct usage *a = &was->v[i], *b = usage_of(is, a->assoc);

		halved(f, a->assoc, (double)a->raw, (double)b->raw, since);
		halved(f, a->assoc, (double)a->wall, (double)b->wall, since);
		for (size_t k = 0; k < a->n_tres; k++)
			halved(f, a->assoc, (double)a->tres[k].seconds,
				k < b->n_tres ? (double)b->tres[k].seconds : 0,
				since);
	}
	for (size_t i = 0; i < is->n; i++) {
		const struct usage *a = usage_of(was, is->v[i].assoc);

		assert_true(a->assoc || !(is->v[i].raw > 0 || is->v[i].raw < 0));
		assert_int_equal(a->n_tres, is->v[i].n_tres);
	}
}

static void one_history(struct fixture *f)
{
	struct usage_list was, is;
	int64_t since, made;

	add_everybody(f);
	run_random_jobs(&f->f, JOBS, &f->next_id, f->now - HOUR, 0.25);
	later(f, HOUR);
	read_all(f, &was);
	since = f->now;
	made = make_changes(f);
	later(f, HOUR);
	while (made--)
		undo_last(f);
	read_all(f, &is);
	compare(f, &was, &is, since);
	make_changes(f); /* another beginning for the next */
	later(f, 30 * HOUR);
	arena_reset(&f->f.s.arena);
}

static void test_histories(void **state)
{
	struct fixture *f = *state;

	seed = 815;
	for (int i = 0; i < HISTORIES; i++)
		one_history(f);
	assert_true(f->undone > HISTORIES);
	assert_true(f->moved > HISTORIES);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(
		test_histories, setup, teardown))
