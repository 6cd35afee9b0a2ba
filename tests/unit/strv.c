/* Word lists, and the comma lists users type. */
#include <string.h>

#include "common/base/strv.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

static void test_split(void **state)
{
	static const char *const cases[][2] = {
		{"", "<>"},
		{"a", "<a>"},
		{"a,b", "<a>|<b>"},
		{" a , b c\t", "<a>|<b c>"},
		{"a,,b", "<a>|<>|<b>"},
		{"a,", "<a>|<>"},
		{"a,b,a", "<b>|<a>"},
		{"a,A", "<a>|<A>"},
		{",", "<>"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strv list = {0}, shown = {0};

		strv_split(&list, &arena, cases[i][0]);
		for (size_t j = 0; j < list.n; j++)
			strv_push(&shown, &arena,
				arena_printf(&arena, "<%s>", list.v[j]));
		assert_string_equal(
			strv_join(&shown, "|", &arena), cases[i][1]);
	}
}

static void test_split_appends(void **state)
{
	struct strv list = {0};

	strv_split(&list, &arena, "a,b");
	strv_split(&list, &arena, "c,a");
	assert_string_equal(strv_join(&list, ",", &arena), "b,c,a");
}

static void test_names(void **state)
{
	static const char *const cases[][2] = {
		{"", "<>"},
		{" , ", "<>"},
		{"a,,b,", "<a>|<b>"},
		{",a", "<a>"},
		{"a,b,a", "<b>|<a>"},
	};
	struct strv list = {0};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct strv names = {0}, shown = {0};

		strv_names(&names, &arena, cases[i][0]);
		for (size_t j = 0; j < names.n; j++)
			strv_push(&shown, &arena,
				arena_printf(&arena, "<%s>", names.v[j]));
		assert_string_equal(
			strv_join(&shown, "|", &arena), cases[i][1]);
	}
	strv_names(&list, &arena, "a,b");
	strv_names(&list, &arena, "c,,a");
	assert_string_equal(strv_join(&list, ",", &arena), "b,c,a");
}

static void test_words(void **state)
{
	struct strv list = {0};

	strv_words(&list, &arena, "a, b,,a");
	strv_words(&list, &arena, " , ");
	strv_words(&list, &arena, "b");
	assert_string_equal(strv_join(&list, "|", &arena), "b|a|b");
}

static void test_push_copies(void **state)
{
	struct strv list = {0};
	char word[] = "one";

	strv_push(&list, &arena, word);
	word[0] = 'x';
	assert_string_equal(list.v[0], "one");
	for (int i = 0; i < 100; i++)
		strv_push(&list, &arena, "more");
	assert_int_equal(list.n, 101);
	assert_string_equal(list.v[0], "one");
}

static void test_has(void **state)
{
	struct strv list = {0};

	assert_false(strv_has(&list, "a"));
	strv_split(&list, &arena, "One,two");
	assert_true(strv_has(&list, "One"));
	assert_false(strv_has(&list, "one"));
	assert_true(strv_has_nocase(&list, "oNE"));
	assert_false(strv_has_nocase(&list, "on"));
}

static void test_join(void **state)
{
	struct strv list = {0};

	assert_string_equal(strv_join(&list, ",", &arena), "");
	strv_push(&list, &arena, "a");
	assert_string_equal(strv_join(&list, ",", &arena), "a");
	strv_push(&list, &arena, "");
	strv_push(&list, &arena, "b");
	assert_string_equal(strv_join(&list, ", ", &arena), "a, , b");
	assert_string_equal(strv_join(&list, "", &arena), "ab");
}

static void test_join_some(void **state)
{
	struct strv list = {0};

	strv_split(&list, &arena, "a,b,c,d,e,f,g,h");
	assert_string_equal(strv_join_some(&list, ",", &arena), "a,b,c,d,e,f,g,h");
	for (int i = 0; i < 5000; i++)
		strv_push(&list, &arena, "x");
	assert_string_equal(strv_join_some(&list, ", ", &arena),
		"a, b, c, d, e, f, g, h and 5000 more");
}

static void test_sort(void **state)
{
	struct strv list = {0};

	strv_sort(&list);
	strv_split(&list, &arena, "b,a10,B,a2,\xc3\xa9");
	strv_sort(&list);
	assert_string_equal(
		strv_join(&list, ",", &arena), "B,a10,a2,b,\xc3\xa9");
}

static void test_text(void **state)
{
	static const char *const cases[][2] = {
		{"plain", "plain"},
		{"  blanks ", "blanks"},
		{"\"two words\"", "two words"},
		{"'two words'", "two words"},
		{"  \" inner \"  ", "inner"},
		{"don't", "don`t"},
		{"\"a\"b\"", "a`b"},
		{"\"open", "`open"},
		{"\"mixed'", "`mixed`"},
		{"\"\"", ""},
		{"\"", "`"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(
			str_unquote(&arena, cases[i][0]), cases[i][1]);
	assert_string_equal(
		str_lower(&arena, "MiXed 1\xc3\x89"), "mixed 1\xc3\x89");
	assert_null(str_lower(&arena, NULL));
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_teardown(test_split, teardown),
	cmocka_unit_test_teardown(test_split_appends, teardown),
	cmocka_unit_test_teardown(test_names, teardown),
	cmocka_unit_test_teardown(test_words, teardown),
	cmocka_unit_test_teardown(test_push_copies, teardown),
	cmocka_unit_test_teardown(test_has, teardown),
	cmocka_unit_test_teardown(test_join, teardown),
	cmocka_unit_test_teardown(test_join_some, teardown),
	cmocka_unit_test_teardown(test_sort, teardown),
	cmocka_unit_test_teardown(test_text, teardown))
