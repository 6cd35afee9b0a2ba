/* Lines of a session cut into words: quotes of both kinds, blanks, too many words. */
#include <string.h>

#include "common/base/words.h"
#include "tests/unit/unit.h"

/* The words with bars between; "-1" for too many. */
static const char *cut(const char *line, enum line_quotes quotes, bool partial)
{
	static char copy[4096], text[4096];
	char *words[LINE_WORDS + 1];
	size_t at = 0;
	int n;

	memcpy(copy, line, strlen(line) + 1);
	n = partial ? line_split_partial(copy, quotes, words)
		    : line_split(copy, quotes, words);
	if (n < 0)
		return "-1";
	for (int i = 0; i < n; i++) {
		size_t len = strlen(words[i]);

		memcpy(text + at, words[i], len);
		text[at + len] = '|';
		at += len + 1;
	}
	text[at] = '\0';
	return text;
}

static void test_blanks(void **state)
{
	assert_string_equal(cut("", QUOTES_NEST, false), "");
	assert_string_equal(cut(" \t ", QUOTES_NEST, false), "");
	assert_string_equal(cut("  show\tuser  ", QUOTES_NEST, false), "show|user|");
}

static void test_quotes(void **state)
{
	assert_string_equal(cut("a 'b c' d=\"e f\"g h", QUOTES_NEST, false),
		"a|'b c'|d=\"e f\"g|h|");
	/* A quote between two of the other kind. */
	assert_string_equal(cut("'a\"b' c\" d", QUOTES_NEST, false), "'a\"b'|c\" d|");
	assert_string_equal(cut("'a\"b' c\" d", QUOTES_CROSS, false), "'a\"b' c\"|d|");
	/* One that stays open. */
	assert_string_equal(cut("a 'b c", QUOTES_NEST, false), "a|'b c|");
}

static void test_partial(void **state)
{
	assert_string_equal(cut("", QUOTES_NEST, true), "|");
	assert_string_equal(cut("show us", QUOTES_NEST, true), "show|us|");
	assert_string_equal(cut("show user ", QUOTES_NEST, true), "show|user||");
	assert_string_equal(cut("add 'a ", QUOTES_NEST, true), "add|'a |");
}

static void test_many(void **state)
{
	char line[2 * LINE_WORDS + 2];

	for (size_t i = 0; i < LINE_WORDS; i++)
		memcpy(line + 2 * i, "a ", 3);
	assert_string_not_equal(cut(line, QUOTES_CROSS, false), "-1");
	memcpy(line + strlen(line), "a", 2);
	assert_string_equal(cut(line, QUOTES_CROSS, false), "-1");
}

/* As a shell cuts them. */
static void test_unquote(void **state)
{
	char line[] = " a 'b \\c'\"d\"  e\\ f\t''", open[] = "a 'b";
	char *words[LINE_WORDS + 1];

	assert_int_equal(line_unquote(line, words), 4);
	assert_string_equal(words[0], "a");
	assert_string_equal(words[1], "b \\cd");
	assert_string_equal(words[2], "e f");
	assert_string_equal(words[3], "");
	assert_null(words[4]);
	assert_int_equal(line_unquote(open, words), -2);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_blanks),
	cmocka_unit_test(test_quotes),
	cmocka_unit_test(test_unquote),
	cmocka_unit_test(test_partial),
	cmocka_unit_test(test_many))
