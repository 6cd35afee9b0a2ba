/*
 * One value on its way from a record to a table cell or a JSON member.
 * The type owns how it looks: blank when unset, `parent` for shares, a
 * `{set,infinite,number}` object in JSON, and so on.
 */
#ifndef BURSAR_VALUE_H
#define BURSAR_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/text/tres.h"

struct members;

enum value_type {
	VALUE_NONE,    /* nothing: a blank cell */
	VALUE_TEXT,    /* cut with + when too long */
	VALUE_UINT,    /* an integer that is always there */
	VALUE_INT,     /* the same, maybe negative (int64_t) */
	VALUE_LIMIT,   /* an integer; NO_VAL and INFINITE: unset */
	VALUE_REAL,    /* %f; NO_VAL: unset */
	VALUE_MINUTES, /* shown as [D-]HH:MM:00; unset as VALUE_LIMIT */
	VALUE_SECONDS, /* shown as [D-]HH:MM:SS; unset as VALUE_LIMIT */
	VALUE_TIME,    /* seconds since 1970; 0: Unknown */
	VALUE_LIST,    /* words; sorted, joined by commas */
	VALUE_TRES,    /* a TRES list */
	VALUE_SHARES,  /* an integer or SHARES_PARENT */
	VALUE_BOOL,    /* JSON only */
	VALUE_WORDS,   /* words in their own order, joined by commas */
	VALUE_FLAGS,   /* as VALUE_WORDS; None when there are none */
	VALUE_RECORD,  /* one record inside of another, or {}; JSON only */
	VALUE_EXIT,    /* a wait status; code:signal */
	VALUE_RECORDS, /* records inside a record; JSON only */
	VALUE_FIXED,   /* a real with no decimals; NAN: a blank, null */
	VALUE_FIXED9 = VALUE_FIXED + 9, /* between: so many decimals */
};

/* Records inside a record, and the table that knows their members. */
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

/* What it takes to write values as text. */
struct value_style {
	const struct tres_catalog *tres;
	const char *time_format; /* SLURM_TIME_FORMAT or NULL */
	int64_t now;
};

/* The text of the value, "" when it is unset; in the arena. */
const char *value_text(
	const struct value *, const struct value_style *, struct arena *);

/* May a fixed-width cell cut it and end it with `+`? */
bool value_may_cut(const struct value *);

#endif
