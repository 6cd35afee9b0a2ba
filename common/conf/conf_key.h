/*
 * Keywords of slurm.conf as rows of a table: name, how its value is read,
 * where it goes. Adding a keyword is adding a row.
 */
#ifndef BURSAR_CONF_KEY_H
#define BURSAR_CONF_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf_lex.h"

/* The 16-bit kin of numbers.h. */
enum { NO_VAL16 = 0xfffe, INFINITE16 = 0xffff };

/* A value on its way into a record. */
struct conf_assign {
	const char *key; /* as the table spells it */
	const char *value;
	void *record;
	void *member; /* `offset` bytes into the record */
	struct arena *arena;
	struct err *err;
};

struct conf_key {
	const char *name;
	int (*set)(const struct conf_assign *);
	size_t offset;
};

/* 0 also for a key the table does not hold. -1: a bad value, with Slurm's
 * sentence behind "<file>:<line>: ". */
int conf_assign(const struct conf_key *keys, size_t n, void *record,
	const struct conf_pair *, struct arena *, struct err *);

/* "Bad value "X" for KEY". Returns -1. */
int conf_bad_value(const struct conf_assign *);

/* The readers; the member they fill in brackets. UNLIMITED and INFINITE give
 * the largest number of the type. */
int conf_set_text(const struct conf_assign *);	/* const char *; "": NULL */
int conf_set_lower(const struct conf_assign *); /* likewise */
int conf_set_bool(const struct conf_assign *);	/* bool */
int conf_set_uint16(const struct conf_assign *);
int conf_set_uint32(const struct conf_assign *);    /* K: times 1024 */
int conf_set_uint64(const struct conf_assign *);    /* K: times 1024 */
int conf_set_minutes(const struct conf_assign *);   /* uint32_t */
int conf_set_minutes16(const struct conf_assign *); /* uint32_t, no d-h:m */
int conf_set_words(const struct conf_assign *);	    /* struct strv */
int conf_set_lower_words(const struct conf_assign *);
int conf_set_names(const struct conf_assign *); /* strv; ALL empties it */
int conf_set_private_data(const struct conf_assign *); /* unsigned */

#endif
