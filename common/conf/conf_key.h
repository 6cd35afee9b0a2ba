/*
 * Keywords of slurm.conf as rows of a table: the name, the function that reads
 * the value, and the member that gets it. A new keyword is a new row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf_lex.h"

/* Slurm's special numbers of 16 bits (see common/base/numbers.h). */
enum { NO_VAL16 = 0xfffe, INFINITE16 = 0xffff };

/* What the function of a row gets: a value, and the member to set. */
struct conf_assign {
	const char *key; /* as the table spells it */
	const char *value;
	void *record;
	void *member; /* `offset` bytes into the record */
	struct arena *arena;
	struct err *err;
};

struct conf_key {
	const char *name; /* any case in the file */
	int (*set)(const struct conf_assign *);
	size_t offset; /* of the member in the record */
};

/* Sets the member for the pair's key, by the `n` rows of the table. Returns 0;
 * 1: the key is not in the table; -1: a bad value, err is "<file>:<line>: " and
 * Slurm's sentence. */
int conf_assign(const struct conf_key *keys, size_t n, void *record,
	const struct conf_pair *, struct arena *, struct err *);

/* Sets the error "Bad value "X" for KEY". Returns -1. */
int conf_bad_value(const struct conf_assign *);

/* Functions for the rows, with the type of their member. Each returns 0, or -1
 * with Slurm's sentence in err. UNLIMITED and INFINITE give the largest number
 * of the type. K after a number means times 1024. */
int conf_set_text(const struct conf_assign *);	/* const char *; "": NULL */
int conf_set_lower(const struct conf_assign *); /* the same, lower case */
int conf_set_bool(const struct conf_assign *);	/* bool */
int conf_set_uint16(const struct conf_assign *);    /* no K */
int conf_set_uint32(const struct conf_assign *);    /* may have a K */
int conf_set_uint64(const struct conf_assign *);    /* may have a K */
int conf_set_minutes(const struct conf_assign *);   /* uint32_t, d-h:m ... */
int conf_set_minutes16(const struct conf_assign *); /* uint32_t, a number */
int conf_set_any_minutes16(const struct conf_assign *); /* as a partition's */
int conf_set_words(const struct conf_assign *);	    /* struct strv */
int conf_set_lower_words(const struct conf_assign *);
int conf_set_names(const struct conf_assign *); /* lower strv; ALL: empty */
int conf_set_private_data(const struct conf_assign *); /* unsigned flags */

/* Does Slurm take the value for yes? */
bool conf_is_yes(const char *value);
