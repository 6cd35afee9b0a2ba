/*
 * A value of a record, to be printed in a table cell or a JSON member. Its type
 * decides how it is printed: blank when unset, `parent` for shares, a
 * `{set,infinite,number}` object in JSON, and so on.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/text/tres.h"

struct members;

enum value_type {
	VALUE_NONE,    /* nothing: a blank cell */
	VALUE_TEXT,    /* cut with + when too long */
	VALUE_UINT,    /* an integer that is always set */
	VALUE_INT,     /* the same, perhaps negative (int64_t) */
	VALUE_LIMIT,   /* an integer; NO_VAL and INFINITE: unset */
	VALUE_REAL,    /* %f; NO_VAL and INFINITE: unset */
	VALUE_MINUTES, /* minutes as [D-]HH:MM:00; unset like VALUE_LIMIT */
	VALUE_SECONDS, /* seconds as [D-]HH:MM:SS; unset like VALUE_LIMIT */
	VALUE_TIME,    /* seconds since 1970; 0: Unknown */
	VALUE_LIST,    /* words; sorted, joined by commas */
	VALUE_TRES,    /* a TRES list */
	VALUE_SHARES,  /* VALUE_LIMIT or SHARES_PARENT */
	VALUE_BOOL,    /* JSON only */
	VALUE_WORDS,   /* words in their own order, joined by commas */
	VALUE_FLAGS,   /* like VALUE_WORDS, but "None" for no words */
	VALUE_RECORD,  /* one record inside another, or {}; JSON only */
	VALUE_EXIT,    /* a wait status, printed as code:signal */
	VALUE_RECORDS, /* records inside a record; JSON only */
	VALUE_FIXED,   /* a real without decimals; NAN: blank, JSON null */
	VALUE_FIXED9 = VALUE_FIXED + 9, /* VALUE_FIXED + n: n decimals */
};

/* Records inside a record: `v` points to `n` of them, `members` describes them.
 */
struct value_records {
	const struct members *members;
	const void *const *v;
	size_t n;
};

struct value {
	enum value_type type;
	union {
		const char *text;
		uint64_t number; /* every integer type and times */
		double real;
		const struct strv *list;
		const struct tres_list *tres;
		const struct value_records *records;
	};
};

/* What a column gives up where a terminal is narrower than the lines. */
struct value_fit {
	unsigned char rank;  /* the highest is left out first; 0: never */
	unsigned char least; /* texts may be cut to that width; 0: they are not */
};

/* What value_text needs beside the value. */
struct value_style {
	const struct tres_catalog *tres;
	const char *time_format; /* SLURM_TIME_FORMAT or NULL */
	int64_t now;		 /* epoch seconds */
};

/* The text of the value, "" when it is unset: in the arena, or the value's own.
 */
const char *value_text(
	const struct value *, const struct value_style *, struct arena *);

/* May a fixed-width cell cut it and end it with `+`? */
bool value_may_cut(const struct value *);
