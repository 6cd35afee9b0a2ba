/*
 * The table of what scontrol show config shows.
 */
#pragma once

#include <stddef.h>

enum config_kind {
	TEXT,	  /* as written; `none` and `.../none` are nothing */
	NUMBER,	  /* of: its unit, or NULL */
	YES_NO,
	WORDS,	  /* of: the words there are, a blank between them */
	DURATION, /* of: the word for one without end */
	USER,	  /* "root(0)" */
	SITE,	  /* what follows from more than this keyword */
};

struct config_row {
	const char *name; /* []: a line each time the keyword stands there */
	enum config_kind kind;
	/* Where the file says nothing: NULL for nothing, or CONFIG_DEPENDS. */
	const char *fallback;
	const char *of;
};

/* The fallback of a row whose default follows from other keywords. */
extern const char CONFIG_DEPENDS[];

extern const struct config_row config_rows[];
extern const size_t n_config_rows;
