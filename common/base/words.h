/*
 * How typed words match keywords (spec/sacctmgr.md 1.4): a typed word matches
 * a keyword when it is a prefix of it, case ignored, and at least as long as
 * the keyword's minimum. In every table the first row that matches wins.
 *
 * The names of a row are one string: "Account:3 Acct:4" reads "Account, at
 * least 3 letters; Acct, at least 4".
 */
#ifndef BURSAR_WORDS_H
#define BURSAR_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Does `typed`, `len` bytes of it, match one of the names? */
bool words_match(const char *names, const char *typed, size_t len);

/* The first of the names, without its minimum; copied to buf, cut to size. */
const char *words_first(const char *names, char *buf, size_t size);

/* Calls `each` for every name of the string. */
void words_each(const char *names,
	void (*each)(const char *name, size_t len, size_t min, void *arg),
	void *arg);

enum word_op { OP_NONE, OP_SET, OP_ADD, OP_SUB };

/* A typed word taken apart: `GrpTRES+=cpu=4` is name GrpTRES, op OP_ADD,
 * value cpu=4. A word without `=` has OP_NONE, and its text is the value. */
struct word {
	const char *text; /* the whole word as typed */
	size_t name_len;
	enum word_op op;
	const char *value;
};

struct word word_split(const char *text);

/* The words of a line typed in a session. */
enum {
	LINE_WORDS = 127, /* so many a line may have */
};

/* What a quote of one kind is between two of the other. */
enum line_quotes {
	QUOTES_NEST,  /* a letter like any other */
	QUOTES_CROSS, /* a quote all the same; the word ends with all closed */
};

/* Cuts the line into at most LINE_WORDS words, where it stands; a quoted
 * stretch belongs to its word, quotes and all. -1: too many. */
int line_split(char *line, enum line_quotes, char **words);

/* The same for a line that is still being typed: the last word is the one at
 * the cursor, empty after a blank. Needs room for one more word. */
int line_split_partial(char *line, enum line_quotes, char **words);

#endif
