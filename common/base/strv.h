/*
 * Lists of words, and the comma lists that users type. A zeroed struct strv is
 * the empty list. Words and arrays are in the arena given; trimming removes
 * blanks at both ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"

struct strv {
	char **v;
	size_t n, cap;
};

/* A list of that one word, which is not copied: for the block around it. */
#define STRV_ONE(word) ((struct strv){(char *[]){(char *)(word)}, 1, 1})

/* Appends a copy of `word`. */
void strv_push(struct strv *, struct arena *, const char *word);

/* Appends a text that is made in the arena. */
void strv_printf(struct strv *, struct arena *, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends the elements of a comma list, each trimmed. No word is in the list
 * twice then: one that was in it already moves to the end. An empty text adds
 * one empty element. */
void strv_split(struct strv *, struct arena *, const char *list);

/* The same without empty elements; a text without any name adds one empty
 * element. */
void strv_names(struct strv *, struct arena *, const char *list);

/* Appends those elements of a comma list that are not empty, each trimmed, once
 * each; words that were in the list before stay where they are, so a word may
 * be in it twice. */
void strv_words(struct strv *, struct arena *, const char *list);

bool strv_has(const struct strv *, const char *word); /* byte for byte */
bool strv_has_nocase(const struct strv *, const char *word);

/* Appends `words` (not copied), then removes duplicates: only the last of equal
 * words stays. Linear time, for lists of a hundred thousand. */
void strv_add_all(struct strv *, struct arena *, const struct strv *words);

/* A hash index of a list, for many look-ups. It points to the words of the
 * list, which must not change while it is in use. `nocase`: ignores case
 * (ASCII). */
struct strv_set {
	const char **slots;
	size_t mask;
	bool nocase;
};

void strv_set_init(
	struct strv_set *, const struct strv *, bool nocase, struct arena *);
bool strv_set_has(const struct strv_set *, const char *word);

/* The words with `sep` between them; "" for none. */
char *strv_join(const struct strv *, const char *sep, struct arena *);

/* The same in order, with commas. */
char *strv_join_sorted(const struct strv *, struct arena *);

/* The same for a message, which must stay short: "a, b and 40 more". */
char *strv_join_some(const struct strv *, const char *sep, struct arena *);

/* Sorts byte for byte, in place. */
void strv_sort(struct strv *);

/* A copy of the text in lower or upper case (ASCII); NULL for NULL. */
char *str_lower(struct arena *, const char *text);
char *str_upper(struct arena *, const char *text);

/* A copy of the text, trimmed; one pair of equal quotes around it is removed
 * and the text inside trimmed. Other quotes, " or ', become backticks. */
char *str_unquote(struct arena *, const char *text);

/* Is the text one of an array's? */
#define STR_AMONG(text, array)                                                 \
	str_among(text, array, sizeof(array) / sizeof(*(array)))
bool str_among(const char *text, const char *const *array, size_t n);
