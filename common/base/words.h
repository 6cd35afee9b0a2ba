/*
 * How typed words match keywords: a typed word matches a keyword when it is a
 * prefix of it, case ignored, and at least as long as the keyword's minimum. In
 * every table the first row that matches wins.
 *
 * The names of a row are one string: "Account:3 Acct:4" reads "Account, at
 * least 3 letters; Acct, at least 4".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Do the first `len` bytes of `typed` match one of the names? No for len 0. */
bool words_match(const char *names, const char *typed, size_t len);

/* Are they the whole of one of the names, which have no minima? */
bool words_have(const char *names, const char *word, size_t len);

/* Copies the first of the names, without its minimum, to `buf` of `size` bytes,
 * cut when too long. Returns `buf`. */
const char *words_first(const char *names, char *buf, size_t size);

/* Calls `each` for every name of the string: its first `len` bytes (no NUL
 * after them), its minimum `min` (0: none is given), and `arg`. */
void words_each(const char *names,
	void (*each)(const char *name, size_t len, size_t min, void *arg),
	void *arg);

enum word_op { OP_NONE, OP_SET, OP_ADD, OP_SUB };

/* A typed word taken apart: `GrpTRES+=cpu=4` is name GrpTRES, op OP_ADD, value
 * cpu=4. A word without `=` has OP_NONE; its text is both name and value. */
struct word {
	const char *text; /* the whole word as typed; begins with the name */
	size_t name_len;
	enum word_op op;
	const char *value; /* points into `text` */
};

/* Nothing is copied. */
struct word word_split(const char *text);

/* The words of a line typed in a session. */
enum {
	LINE_WORDS = 127, /* the most words a line may have */
};

/* What a quote of one kind (" or ') means between two of the other kind. */
enum line_quotes {
	QUOTES_NEST,  /* an ordinary letter */
	QUOTES_CROSS, /* it opens or closes too: a blank ends the word only
		       * where both kinds are closed */
};

/* Cuts the line in place into words at blanks; blanks between quotes do not end
 * a word, and quotes stay in it. words[i] points into the line; `words` needs
 * room for LINE_WORDS. Returns the number of words, or -1 for more than
 * LINE_WORDS. */
int line_split(char *line, enum line_quotes, char **words);

/* The same for a line that is still being typed up to the cursor: the last word
 * is the one at the cursor, empty if the line is empty or ends with a blank.
 * `words` needs room for LINE_WORDS + 1. */
int line_split_partial(char *line, enum line_quotes, char **words);

/* Cuts the line in place into words at blanks, as a shell does: quotes go, and a
 * character after a backslash is taken as it is, but between single quotes.
 * `words` needs room for LINE_WORDS + 1: NULL follows the last. Returns the number
 * of words, -1 for more than LINE_WORDS, -2 for a quote that is not closed. */
int line_unquote(char *line, char **words);
