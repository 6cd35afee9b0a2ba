/*
 * Lists of words, and the comma lists users type.
 */
#ifndef BURSAR_STRV_H
#define BURSAR_STRV_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"

struct strv {
	char **v;
	size_t n, cap;
};

/* Appends a copy of `word`. */
void strv_push(struct strv *, struct arena *, const char *word);

/* Appends the elements of a comma list, each trimmed; an empty text adds one
 * empty element. A name that is already there moves to the end. */
void strv_split(struct strv *, struct arena *, const char *list);

/* The same for names: empty elements are left out, except that of a text
 * without any name. */
void strv_names(struct strv *, struct arena *, const char *list);

/* Appends the elements that are not empty, each trimmed; what stood in the list
 * stays as it is. */
void strv_words(struct strv *, struct arena *, const char *list);

bool strv_has(const struct strv *, const char *word); /* byte for byte */
bool strv_has_nocase(const struct strv *, const char *word);

/* Appends words that hold no comma; of one that is there already the last
 * stays. Linear, for lists of a hundred thousand. */
void strv_add_all(struct strv *, struct arena *, const struct strv *words);

/* A hash index over a list, for many look-ups. The list must not change while
 * the index is in use. Without regard to case (ASCII) if `nocase`. */
struct strv_set {
	const char **slots;
	size_t mask;
	bool nocase;
};

void strv_set_init(
	struct strv_set *, const struct strv *, bool nocase, struct arena *);
bool strv_set_has(const struct strv_set *, const char *word);

/* Joined by `sep`, in the arena. */
char *strv_join(const struct strv *, const char *sep, struct arena *);

/* Sorted byte for byte, in place. */
void strv_sort(struct strv *);

/* The text in lower case (ASCII), in the arena; NULL stays NULL. */
char *str_lower(struct arena *, const char *text);

/* Removes one pair of quotes around `text`, trims blanks outside them; a
 * quote inside becomes a backtick. In the arena. */
char *str_unquote(struct arena *, const char *text);

#endif
