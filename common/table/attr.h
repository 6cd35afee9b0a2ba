/*
 * What an administrator can set: members (common/table/member.h) with a `set`.
 * It serves the SET words, the echo of what was set, the flat file and the
 * change lines of `load` (Slurm's src/sacctmgr/common.c).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/base/words.h"
#include "common/table/complete.h"
#include "common/text/tres.h"

struct member;
struct members;

/* How the text of a value is read, and the C type it is kept in. */
enum attr_type {
	ATTR_UINT,	/* uint32_t; INFINITE or NO_VAL: unset */
	ATTR_MINUTES,	/* uint32_t minutes */
	ATTR_SECONDS,	/* uint32_t seconds */
	ATTR_PLAIN_SECONDS, /* uint32_t seconds, typed as a plain integer */
	ATTR_REAL,	/* double */
	ATTR_SHARES,	/* uint32_t or SHARES_PARENT */
	ATTR_TRES,	/* struct tres_list */
	ATTR_TEXT,	/* const char *, lower-cased */
	ATTR_TEXT_CASE, /* const char *, case kept */
	ATTR_QOS,	/* uint32_t: id of one QOS */
	ATTR_QOS_LIST,	/* QOS names with signs; stored in a table of its own */
	ATTR_FLAGS,	/* uint32_t bits, words in `flags` */
	ATTR_PREEMPT_MODE, /* uint32_t, enum preempt_mode */
	ATTR_LIST,	/* struct strv; entries with a `+` or `-`, or all without */
	ATTR_NUMBER64,	/* double >= 0 (RawUsage) */
};

/* The word for a bit; a table of them ends with NULL names. */
struct flag_word {
	const char *names;  /* "DenyOnLimit:1" */
	uint32_t value;
	const char *json;
	uint32_t database; /* its bit in slurm_acct_db; 0: has none */
};

/* How an administrator sets a member: `set` of its row. */
struct member_set {
	const char *name;  /* in messages: "GrpJobs" */
	const char *words; /* what is typed: "GrpJobs:4" */
	enum attr_type type;
	/* If not 0, an alias of one TRES of the list (GrpCPUs=5 is
	 * GrpTRES=cpu=5). */
	uint32_t tres;
	const struct flag_word *flags;
	enum value_source source; /* of a text: whose name it is */
	bool operators;	  /* += and -= allowed */
	bool only_modify; /* not in add */
	bool once;	  /* an add takes it at most once */
	bool above_zero;  /* 0 clears it, too */
	bool not_of_cluster; /* makes no sense for a whole cluster */

	const char *echo; /* label after an add: "  GrpJobs       = " */
	int echo_order;
	const char *none; /* echo of a cleared value; NULL: NONE */
	int dump_order;	  /* 0: not in the flat file */
	const char *dump; /* its key there; NULL: the name */
	const char *change; /* label of load's change line; NULL: the name */
	const char *log; /* in the transaction log; NULL: its column, or name */
};

/* In a row of members:
 * SETTABLE("GrpJobs", "GrpJobs:4", ATTR_UINT, .once = true) */
#define SETTABLE(name_, words_, ...)                                           \
	.set = &(const struct member_set)                                      \
	{                                                                      \
		.name = (name_), .words = (words_), .type = __VA_ARGS__        \
	}

/* Its key in the flat file. */
static inline const char *set_dump(const struct member_set *set)
{
	return set->dump ? set->dump : set->name;
}

/* Its label in the change lines of `load`. */
static inline const char *set_change(const struct member_set *set)
{
	return set->change ? set->change : set->name;
}

/* The row that sets the member at the offset; rows that are aliases
 * (`set->tres`) are skipped. */
const struct member *member_at(const struct members *, size_t offset);

/* One value an administrator typed. */
struct setting {
	const struct member *attr;
	enum word_op op;
	uint32_t number; /* INFINITE: the value is cleared */
	double real;	 /* ATTR_REAL, ATTR_NUMBER64; INFINITE: cleared */
	const char *text;
	struct tres_edits tres;
	struct strv list; /* ATTR_QOS_LIST, ATTR_LIST: with signs */
};

struct settings {
	struct setting *v;
	size_t n, cap;
};

/* What reading values needs to know of the store. */
struct attr_context {
	const struct tres_catalog *tres;
	const struct qos_catalog *qos;
	bool from_dump; /* read from a flat file: a bare number is seconds where
			   `dump` writes seconds */
};

struct qos_name {
	uint32_t id;
	const char *name;
};

/* All QOS that are not deleted, ascending by id. */
struct qos_catalog {
	const struct qos_name *v;
	size_t n;
};

/* The QOS by its name or its id as text; NULL: no such QOS. */
const struct qos_name *qos_by_name(const struct qos_catalog *, const char *text);
const struct qos_name *qos_by_id(const struct qos_catalog *, uint32_t id);

/* The names of all QOS by ascending id, joined by commas; in the arena. */
const char *qos_all_names(const struct qos_catalog *, struct arena *);

/* -1, and the error for a name that no QOS has. */
int qos_unknown(struct err *, const struct qos_catalog *, const char *name,
	struct arena *);

/* The setting of `attr`, or NULL when it was not given. */
const struct setting *settings_find(
	const struct settings *, const struct member *);

/* The text that `member` is set to; NULL when it was not given. */
const char *settings_text_of(const struct settings *, const struct member *);

/*
 * The first row that can be set and whose words match the typed word of `len`
 * bytes; NULL: none. With `add`, rows that only modify can set are left out.
 */
const struct member *settings_word(
	const struct members *, const char *word, size_t len, bool add);

/*
 * Reads the value of a word and adds it to the settings: lists and TRES are
 * appended to an earlier value of the same row, others replace it. 0; -1: a bad
 * value, err names the word. Where err's text begins with a blank, it is
 * Slurm's line and is printed without the program's name.
 */
int settings_add(struct settings *, const struct members *,
	const struct member *row, const struct word *, const struct attr_context *, struct arena *,
	struct err *);

/* Puts the value into the record; a cleared value becomes that of `blank`, a
 * record as new. Does nothing for TRES and lists of QOS. */
void setting_put(const struct setting *, void *record, const void *blank);

/* The words of the bits, in table order, joined by commas; in the arena. */
const char *flags_text(const struct flag_word *, uint32_t bits, struct arena *);

/* The bits of such words; -1: one is unknown, those before it are set. */
int flags_parse(const struct flag_word *, const char *text, uint32_t *bits,
	struct arena *);

/* The number of a value as it is typed, where that is no plain number: a
 * duration, "parent", the words of bits. Else NULL. */
const char *set_words(
	const struct member_set *, uint32_t number, struct arena *);

/* All words of a flag table, joined by commas; in the arena. */
const char *flags_all(const struct flag_word *, struct arena *);

/* Reads an unsigned integer; a negative one gives INFINITE (clear). 0, or -1:
 * not a number, or too large. */
int uint_parse(const char *text, uint32_t *number);
