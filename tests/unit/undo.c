/*
 * Undo and redo (db/undo/undo.h): after random operations, with usage that
 * jobs left or that was set, each is undone, newest first: every row and every
 * amount is as it was. Each is redone: as it was then. Each time a rebuild from
 * the job records and the log finds nothing else. Chance is seeded.
 *
 * By hand: BURSAR_HISTORIES=5000 BURSAR_SEED=7; BURSAR_TELL=1 tells every operation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/past/rebuild.h"
#include "db/undo/undo.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/random_steps.h"
#include "tests/unit/session_fixture.h"
#include "tests/unit/random_jobs.h"

enum { HOUR = 3600, NOW = 1780000000 };
enum { HISTORIES = 40, TOGETHER = 10 /* in one store */, STEPS = 10, JOBS = 4 };

struct fixture {
	struct session_fixture f;
	uint32_t from; /* the seed of this history */
	uint32_t next_id;
	size_t *undone;
};

/* ---- what there is -------------------------------------------------------*/

static void column(FILE *out, struct query *q, int i)
{
	if (query_is_null(q, i))
		fputs("NULL|", out);
	else
		fprintf(out, "%s|", query_text(q, i));
}

static void put_rows(struct fixture *f, FILE *out, const char *sql)
{
	struct query q;

	ok(&f->f.t, query_open_text(&q, &f->f.t.store, sql));
	while (query_row(&q)) {
		for (int i = 0; i < query_columns(&q); i++)
			column(out, &q, i);
		fputc('\n', out);
	}
	ok(&f->f.t, query_close(&q));
}

/* All rows but those of the log, and all that is kept of usage, to the last bit.
 * The caller frees it. */
static char *content(struct fixture *f)
{
	static const char *const queries[] = {
		"SELECT * FROM account ORDER BY 1",
		"SELECT * FROM user ORDER BY 1",
		"SELECT * FROM coordinator ORDER BY 1, 2",
		"SELECT * FROM qos ORDER BY 1",
		"SELECT * FROM qos_tres ORDER BY 1, 2, 3",
		"SELECT * FROM qos_preempt ORDER BY 1, 2",
		"SELECT * FROM assoc ORDER BY 1",
		"SELECT * FROM assoc_tres ORDER BY 1, 2, 3",
		"SELECT * FROM assoc_qos ORDER BY 1, 2",
		"SELECT * FROM wckey ORDER BY 1",
		"SELECT 'fact', * FROM usage_fact ORDER BY id",
		"SELECT 'sum', owner, life, begin, at, hex(sums)"
		" FROM usage_sum ORDER BY 1, 2, 3, 4, 5",
		"SELECT 'head', owner, life, begin, at, still,"
		" printf('%!.20g', raw) FROM usage ORDER BY owner",
	};
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream(&text, &size);

	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++)
		put_rows(f, out, queries[i]);
	fclose(out);
	return text;
}

/* The first line that differs is told. */
static void same_content(
	struct fixture *f, const char *when, char *got, char *wanted)
{
	const char *a = got, *b = wanted;

	if (strcmp(a, b) != 0) {
		while (*a && *a == *b)
			a++, b++;
		while (a > got && a[-1] != '\n')
			a--, b--;
		fail_msg("seed %u, %s: %.*s, not %.*s", f->from, when,
			(int)strcspn(a, "\n"), a, (int)strcspn(b, "\n"), b);
	}
	free(got);
}

static void nothing_to_rebuild(struct fixture *f, const char *when)
{
	struct store *store = &f->f.t.store;
	struct rebuild_list list;

	ok(&f->f.t, store_begin(store));
	ok(&f->f.t, rebuild_usage(store, &f->f.t.policy, &f->f.t.cluster, 1,
			    &f->f.s.arena, &list));
	store_rollback(store);
	if (list.n)
		fail_msg("seed %u, %s: rebuilt %s %s %s %s, TRES %d: %.9Lg is "
			 "%.9Lg",
			f->from, when, list.v[0].account ? list.v[0].account : "",
			list.v[0].user ? list.v[0].user : "",
			list.v[0].partition ? list.v[0].partition : "",
			list.v[0].qos ? list.v[0].qos : "", list.v[0].tres,
			(long double)list.v[0].was, (long double)list.v[0].is);
}

/* ---- a history -----------------------------------------------------------*/

/* Many are refused; that is as good. */
static void carry_out(struct fixture *f, char *text)
{
	if (getenv("BURSAR_TELL"))
		print_message("%s\n", text);
	session_do(&f->f, text);
}

static void one_step(struct fixture *f)
{
	char text[100], *random;

	switch (chance(6)) {
	case 0:
		snprintf(text, sizeof(text),
			"modify user where name=u%u account=a%u set rawusage=%u",
			(unsigned)chance(6), (unsigned)chance(6),
			(unsigned)chance(900));
		break;
	case 1:
		snprintf(text, sizeof(text), "modify account where name=a%u set %s",
			(unsigned)chance(6), chance(3) ? "parent=a0" : "rawusage=0");
		break;
	default:
		random = random_step();
		carry_out(f, random);
		free(random);
		return;
	}
	carry_out(f, text);
}

static void ignore(void *arg, const struct logged *l, const struct strv *rows)
{
}

/* The last one. */
static void reverse(struct fixture *f, bool redo)
{
	const struct undo_cond cond = {.redo = redo};
	struct store *store = &f->f.t.store;
	struct logged_list list;

	*f->f.s.err.text = '\0';
	ok(&f->f.t, store_begin(store));
	ok(&f->f.t, undo_choose(store, &cond, &f->f.s.arena, &list));
	assert_int_equal(list.n, 1);
	if (undo_run(store, &f->f.t.policy, &list, redo, &f->f.s.arena, ignore,
		    NULL))
		fail_msg("seed %u: %s", f->from, f->f.s.err.text);
	ok(&f->f.t, store_commit(store, redo ? "redo" : "undo"));
	ok(&f->f.t, store_load_catalogs(store));
	++*f->undone;
}

static void one_history(struct fixture *f)
{
	char *before, *after;
	int64_t made;

	seed = f->from * 2654435761U % 2147483646 + 1;
	if (getenv("BURSAR_TELL"))
		print_message("history %u\n", f->from);
	for (uint32_t i = chance(3); i > 0; i--)
		one_step(f);
	run_random_jobs(&f->f, JOBS, &f->next_id, NOW - 2 * HOUR, 1);
	before = content(f);
	made = -change_last(&f->f.t.store);
	for (int i = 0; i < STEPS; i++)
		one_step(f);
	made += change_last(&f->f.t.store);
	after = content(f);
	nothing_to_rebuild(f, "done");
	for (int64_t i = 0; i < made; i++)
		reverse(f, false);
	same_content(f, "undone", content(f), before);
	nothing_to_rebuild(f, "undone");
	for (int64_t i = 0; i < made; i++)
		reverse(f, true);
	same_content(f, "redone", content(f), after);
	nothing_to_rebuild(f, "redone");
	free(before);
	free(after);
	arena_reset(&f->f.s.arena);
}

/* From one store to the next nothing is left. */
static void histories(uint32_t from, uint32_t until, size_t *undone)
{
	struct fixture f = {.next_id = 1, .undone = undone};
	char accounts[] = "add account name=a0,a1,a2";
	char users[] = "add user name=u0,u1,u2 account=a0,a1";

	session_fixture_open(&f.f, NOW);
	f.f.t.policy.half_life = f.f.s.site.conf.policy.half_life =
		from / TOGETHER % 2 ? 7 * 24 * HOUR : 0;
	f.f.s.site.cluster = "t";
	session_do(&f.f, accounts);
	session_do(&f.f, users);
	for (f.from = from; f.from < until; f.from++)
		one_history(&f);
	session_fixture_close(&f.f);
}

static void test_histories(void **state)
{
	const char *many = getenv("BURSAR_HISTORIES");
	const char *first = getenv("BURSAR_SEED");
	uint32_t n = many ? (uint32_t)strtoul(many, NULL, 10) : HISTORIES;
	uint32_t from = first ? (uint32_t)strtoul(first, NULL, 10) : 1;
	size_t undone = 0;

	for (uint32_t i = 0; i < n; i += TOGETHER)
		histories(from + i, from + i + TOGETHER, &undone);
	assert_true(undone > n);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_histories))
