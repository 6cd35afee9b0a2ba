/*
 * What is typed: the words of a line, SET and WHERE words, lists of names. The
 * first byte says what kind of quotes; long and short lists are made in two
 * ways that must agree.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/base/words.h"

static void check_word(const char *text)
{
	static const char names[] = "Account:3 Acct:4 GrpTRES:6 user:1";
	struct word word = word_split(text);

	CHECK(word.text == text && word.name_len <= strlen(text));
	CHECK(word.value >= text && word.value <= text + strlen(text));
	if (words_match(names, text, word.name_len))
		CHECK(word.name_len && word.name_len <= 7);
}

static void check_line(
	const char *text, enum line_quotes quotes, struct arena *arena)
{
	char *words[LINE_WORDS + 1];
	char *line = arena_strdup(arena, text);
	int n = line_split(line, quotes, words);

	CHECK(n <= LINE_WORDS);
	for (int i = 0; i < n; i++) {
		CHECK(words[i] >= line && words[i] <= line + strlen(text));
		check_word(words[i]);
	}
	line = arena_strdup(arena, text);
	n = line_split_partial(line, quotes, words);
	CHECK(n <= LINE_WORDS + 1);
	for (int i = 0; i < n; i++)
		check_word(words[i]);
}

/* Word by word, the last of those that come again. */
static void check_list(const char *text, struct arena *arena)
{
	struct strv list = {0}, plain = {0}, again = {0};
	struct strv_set set, nocase;

	strv_split(&list, arena, text);
	CHECK(list.n > 0);
	strv_set_init(&set, &list, false, arena);
	strv_set_init(&nocase, &list, true, arena);
	for (size_t i = 0; i < list.n; i++) {
		CHECK(!strv_has(&plain, list.v[i]));
		strv_push(&plain, arena, list.v[i]);
		CHECK(strv_set_has(&set, list.v[i]));
		CHECK(strv_set_has(
			&nocase, str_lower(arena, list.v[i])));
	}
	CHECK(strv_set_has(&set, "other") == strv_has(&list, "other"));
	strv_add_all(&again, arena, &list);
	strv_add_all(&again, arena, &list);
	CHECK(again.n == list.n);
	for (size_t i = 0; i < list.n; i++)
		CHECK(!strcmp(again.v[i], list.v[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	const char *text;

	if (!size)
		return 0;
	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data + 1, size - 1);
	check_line(text, *data & 1 ? QUOTES_NEST : QUOTES_CROSS, &arena);
	check_list(text, &arena);
	arena_release(&arena);
	return 0;
}
