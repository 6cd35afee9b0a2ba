/*
 * Statements without memory to spare: an error, and no other answer; also where
 * one row is all that is asked for, so that no further step tells.
 */
#include "db/store/query.h"

#include "tests/unit/unit.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/store_fixture.h"

/* What one run of a statement came to: the rows that it printed, or an error.
 */
typedef int ask_function(struct store *, char answer[64]);

/* A text found by a text. */
static int ask_by_text(struct store *store, char answer[64])
{
	struct query q;

	if (query_open(&q, store, "SELECT name FROM qos WHERE name = :name"))
		return -1;
	query_bind_text(&q, ":name", "normal");
	if (query_row(&q))
		snprintf(answer, 64, "%s", query_text(&q, 0));
	return query_close(&q);
}

/* By words, by a blob, as a number that is asked for as a text. */
static int ask_by_words(struct store *store, char answer[64])
{
	char *word = "normal";
	const struct strv words = {.v = &word, .n = 1};
	struct query q;

	if (query_open_text(&q, store,
		    "SELECT 1000 + count(*) FROM qos WHERE name IN (?)"))
		return -1;
	query_bind_words(&q, 1, &words);
	if (query_row(&q))
		snprintf(answer, 64, "%s", query_text(&q, 0));
	return query_close(&q);
}

static int ask_by_blob(struct store *store, char answer[64])
{
	const void *blob;
	struct query q;
	int size;

	if (query_open_text(&q, store, "SELECT zeroblob(20), :blob IS NULL"))
		return -1;
	query_bind_blob(&q, ":blob", "\1\2\3", 3);
	if (query_row(&q)) {
		blob = query_blob(&q, 0, &size);
		snprintf(answer, 64, "%d %d", blob ? size : -1,
			(int)query_int(&q, 1));
	}
	return query_close(&q);
}

/* Each in one call with its value; a row that is not there is none. */
static int ask_in_one_call(struct store *store, char answer[64])
{
	const char *name = "none", *other = "none";
	struct strv words = {0};
	struct arena arena;
	int64_t n = 0;
	int has, lacks, status = -1;

	arena_init(&arena);
	has = store_has(store, "SELECT 1 FROM qos WHERE name = :name",
		bind_text(":name", "normal"));
	lacks = store_has(
		store, "SELECT 1 FROM qos WHERE id = :id", bind_int(":id", 77));
	if (has >= 0 && lacks >= 0 &&
		store_text(store, "SELECT name FROM qos WHERE name = :name",
			&name, &arena, bind_text(":name", "normal")) >= 0 &&
		store_text(store, "SELECT name FROM qos WHERE id = :id", &other,
			&arena, bind_int(":id", 77)) >= 0 &&
		!store_ask(store, "SELECT :one + :half + :unset IS NULL", &n,
			bind_int(":one", 1), bind_real(":half", 0.5),
			bind_limit(":unset", NO_VAL)) &&
		!store_words(store, "SELECT :a UNION SELECT 'b'", &words,
			&arena, bind_text(":a", "a"))) {
		snprintf(answer, 64, "%d %d %s %s %d %s", has, lacks, name,
			other, (int)n, strv_join(&words, ",", &arena));
		status = 0;
	}
	arena_release(&arena);
	return status;
}

static void refuse_each(ask_function *ask, const char *right)
{
	struct store_fixture t;
	long refused = 0, failed = 0;
	bool again;

	store_fixture_open(&t, 1767225600);
	do {
		char answer[64] = "";
		int status;

		no_memory_from(++refused);
		status = ask(&t.store, answer);
		again = no_memory_end();
		failed += status != 0;
		if (!status && strcmp(answer, right) != 0)
			fail_msg("request %ld: '%s' without an error", refused,
				answer);
		if (status && !strstr(t.err.text, "not enough memory"))
			fail_msg("request %ld: %s", refused, t.err.text);
	} while (again);
	assert_true(failed > 3);
	store_fixture_close(&t);
}

static void by_text(void **state)
{
	refuse_each(ask_by_text, "normal");
}

static void by_words(void **state)
{
	refuse_each(ask_by_words, "1001");
}

static void by_blob(void **state)
{
	refuse_each(ask_by_blob, "20 0");
}

static void in_one_call(void **state)
{
	refuse_each(ask_in_one_call, "1 0 normal none 1 a,b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_text),
		cmocka_unit_test(by_words),
		cmocka_unit_test(by_blob),
		cmocka_unit_test(in_one_call),
	};

	no_memory_begin();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
