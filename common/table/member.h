/*
 * Members: one row of a table describes one member of a record (a job, an
 * association, a row of a listing). From it come the SQL that stores it
 * (db/rows/members.h), the columns of a listing with `format=`, heading and
 * `--helpformat`, JSON, YAML and CSV (common/table/grid.h), completion, and what
 * importers read.
 *
 *	#define AT(member) .offset = offsetof(struct thing, member)
 *	GETTER(age, struct thing, of_seconds(row->now - row->made))
 *	static const struct member rows[] = {
 *		{"name", MEMBER_TEXT, AT(name),
 *			SHOWN("Name:2", "Name", 10, "name", "what it is called")},
 *		{SHOWN("Age:1", "Age", 6, NULL, "seconds since it was made"),
 *			.get = get_age},
 *	};
 *	const struct members thing_members = MEMBERS(rows);
 *
 * A row gives only what applies to its member: one that is not stored has no
 * `column`, one that is not printed no `names`, and so on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/text/value.h"

struct member_set;

/* What squeue and scontrol call a fact of a job; what is NULL, or 0, they do not
 * show. */
struct member_queue {
	const char *type; /* of squeue -O */
	char letter;	  /* of squeue -o */
	const char *heading;
	const char *json; /* path in the records of both */
	const char *key;  /* of scontrol show job */
};

/* The C type at the offset, which decides how the store keeps the member and
 * how it is printed. An unset value is NULL in the store and blank in a
 * listing. */
enum member_type {
	MEMBER_NONE,	/* nothing: a getter or a constant gives the value */
	MEMBER_TEXT,	/* const char *, never NULL */
	MEMBER_SPLIT,	/* const char *, a comma list: in JSON a list of words */
	MEMBER_INT,	/* int64_t */
	MEMBER_TIME,	/* int64_t seconds since 1970; 0: unset */
	MEMBER_KNOWN_TIME, /* int64_t, a time that is always set: 0 is stored
			    * as 0, not NULL */
	MEMBER_KEY,	/* int64_t, the key of a row of another table; 0: unset */
	MEMBER_BOOL,	/* bool */
	MEMBER_SIGNED,	/* int32_t */
	MEMBER_COUNT,	/* uint32_t */
	MEMBER_EXIT,	/* uint32_t, a wait status */
	MEMBER_ID,	/* uint32_t; 0: unset */
	MEMBER_MAYBE,	/* uint32_t; NO_VAL: unset, INFINITE is stored as -1 */
	MEMBER_LIMIT,	/* uint32_t; NO_VAL and INFINITE: unset, read as
			 * INFINITE */
	MEMBER_MINUTES, /* MEMBER_LIMIT, a duration */
	MEMBER_SECONDS, /* MEMBER_LIMIT, a duration */
	MEMBER_SHARES,	/* MEMBER_LIMIT or SHARES_PARENT */
	MEMBER_COUNT64, /* uint64_t */
	MEMBER_MAYBE64, /* uint64_t; NO_VAL64: unset */
	MEMBER_REAL,	/* double */
	MEMBER_FACTOR,	/* double; INFINITE: unset */
	MEMBER_TRES,	/* struct tres_list, as text "1=4,2=8000" */
	/* These have no column in the record's table. */
	MEMBER_WORDS, /* struct strv, in its own order */
	MEMBER_LIST,  /* struct strv, printed sorted */
	MEMBER_RECORDS, /* struct value_records; JSON only */
	MEMBER_TYPES, /* how many types there are */
};

enum member_mark {
	MEMBER_OURS = 1 << 0,	   /* Slurm has no such member */
	MEMBER_INHERITED = 1 << 1, /* where unset, the parent's value counts */
	MEMBER_HIDDEN = 1 << 2,	   /* can be chosen; --helpformat leaves it out */
	MEMBER_FREE_TEXT = 1 << 3, /* anything may be in it: delimiters too */
	/* --what-if shows it before and after the change; with the second mark
	 * the difference too (common/table/pairs.h). */
	MEMBER_MOVES = 1 << 4,
	MEMBER_SUBTRACTED = 1 << 5,
	MEMBER_ASKED = 1 << 6, /* 0: not known; a record that was there may know */
	MEMBER_OWN_MARK = 1 << 8, /* from here on each program's own */
};

struct member {
	/* In the store. */
	const char *column; /* of the record's table; NULL: not stored there */
	enum member_type type;
	size_t offset; /* in the record */

	/* In listings. */
	const char *names; /* "Account:3 Acct:4" (common/base/words.h) */
	const char *heading;
	int width;	  /* negative: left-justified */
	const char *json; /* path: "max/jobs/per/count"; NULL: not in JSON */
	const char *help; /* a line */
	struct value_fit fit; /* of its column, on a terminal (cli_fit) */

	char letter;	  /* in formats such as "%.10i" */

	/* Computes what is printed; NULL: the value at the offset. */
	struct value (*get)(const struct member *, const void *record,
		struct arena *);
	uint32_t arg; /* for a getter that serves several rows */

	unsigned marks; /* enum member_mark */

	/* How an administrator sets it (common/table/attr.h); NULL: it cannot be
	 * set. */
	const struct member_set *set;

	const struct member_queue *queue;

	/* An SQL expression that reads it from another table; never written. */
	const char *select;

	/* Its column in slurm_acct_db where that is not called the same, or an
	 * SQL expression of a row `t` there. */
	const char *database;

	const char *constant; /* text that is the same for every record */

	/* In flat data (common/table/flat.h). */
	const char *key; /* NULL: made of its path in JSON, name or heading */
	const char *also; /* a second key, which gets what is printed */
	/* Computes the value for machines where what is printed is text for
	 * people; NULL: as printed. */
	struct value (*plain)(const struct member *, const void *record,
		struct arena *);

	/* 0: `offset` counts from the record; else from what the pointer at
	 * offset `through - 1` of the record points to (members_join). */
	size_t through;
};

/* SHOWN: the fields for listings in a row. PLACE: a row that says only where a
 * fact stands (members_join). GETTER: defines get_NAME, which computes the
 * expression from `row`, a record of that type; `arena` and the member `m` can be
 * used in it. */
#define SHOWN(names_, heading_, width_, json_, help_)                          \
	.names = (names_), .heading = (heading_), .width = (width_),           \
	.json = (json_), .help = (help_)
#define PLACE(column_) {.column = (column_)}
#define GETTER(name, row_type, expression)                                     \
	static struct value get_##name(const struct member *m,                 \
		const void *record, struct arena *arena)                       \
	{                                                                      \
		const row_type *row = record;                                  \
		(void)m, (void)row, (void)arena;                               \
		return expression;                                             \
	}

/* What is the same for every record: a number, a limit, a flag, a list without
 * words. Text is `constant`. */
#define SAME_UINT(n) .get = member_same, .type = MEMBER_COUNT, .arg = (n)
#define SAME_LIMIT(n) .get = member_same, .type = MEMBER_MAYBE, .arg = (n)
#define SAME_BOOL(on) .get = member_same, .type = MEMBER_BOOL, .arg = (on)
#define NO_WORDS .get = member_same, .type = MEMBER_WORDS
struct value member_same(
	const struct member *, const void *record, struct arena *);

/* A member of what the record's pointer points to. */
#define THROUGH(record_type, pointer, type_, of_type, member)                  \
	.type = (type_), .through = offsetof(record_type, pointer) + 1,        \
	.offset = offsetof(of_type, member)

struct members {
	const struct member *v;
	size_t n;
};

#define MEMBERS(rows)                                                          \
	{                                                                      \
		rows, sizeof(rows) / sizeof(*(rows))                           \
	}

/* Is it a row of that table? */
static inline bool members_has(const struct members *members, const struct member *m)
{
	return m >= members->v && m < members->v + members->n;
}

/* Is the member read from the store: from a column of the record's table, or by
 * an SQL expression? */
static inline bool member_is_read(const struct member *m)
{
	return m->column || m->select;
}

/* How many bytes of a record each type takes. */
extern const unsigned char member_sizes[MEMBER_TYPES];

/* Sets the members that are read from the store (member_is_read) to unset: text
 * "", times and ids 0, limits INFINITE, NO_VAL where the type has it. */
void members_init(void *record, const struct members *);

/* What is printed: from its getter, else the value at the offset. */
struct value member_value(
	const struct member *, const void *record, struct arena *);

/* The value at the offset, whatever the getter makes of it. */
struct value member_raw(
	const struct member *, const void *record, struct arena *);

/* The first member with that column, first name, path in JSON, or letter; NULL:
 * none. */
const struct member *members_by_column(const struct members *, const char *);
const struct member *members_by_name(const struct members *, const char *);
const struct member *members_by_path(const struct members *, const char *);
const struct member *members_by_letter(const struct members *, char);

/*
 * The members of a program's own row struct, which has at offset `pointer` a
 * pointer to a record (a job) with the members `facts`. A row of `own` stands
 * for the fact that has the same column, else the same first name, else
 * (without a getter) the same path: it takes the fact's type and offset, and
 * heading, width and help where it has none; without a name and a path, these
 * too. Its getter is given the program's row and may read the fact with
 * member_raw. A row with a constant stands for no fact. Behind them come those
 * facts with a name or path that no row is called as. In the arena.
 */
struct members members_join(const struct members *own,
	const struct members *facts, size_t pointer, struct arena *);

/* As members_join; facts that Slurm has, too, stand where their name belongs:
 * its lists are in the order of the alphabet. */
struct members members_list(const struct members *own,
	const struct members *facts, size_t pointer, struct arena *);

/* ---- values that getters return ------------------------------------------*/

static inline struct value no_value(void)
{
	return (struct value){.type = VALUE_NONE};
}

static inline struct value of_text(const char *text)
{
	return (struct value){VALUE_TEXT, {.text = text}};
}

static inline struct value of_uint(uint64_t number)
{
	return (struct value){VALUE_UINT, {.number = number}};
}

static inline struct value of_int(int64_t number)
{
	return (struct value){VALUE_INT, {.number = (uint64_t)number}};
}

/* A limit: NO_VAL and INFINITE are blank, in JSON {set: false}. */
static inline struct value of_limit(uint64_t number)
{
	return (struct value){VALUE_LIMIT, {.number = number}};
}

static inline struct value of_real(double real)
{
	return (struct value){VALUE_REAL, {.real = real}};
}

/* A number with `decimals` digits after the point (0 to 9), bare in JSON; NAN:
 * blank. */
static inline struct value of_fixed(double real, unsigned decimals)
{
	return (struct value){
		(enum value_type)(VALUE_FIXED + decimals), {.real = real}};
}

static inline struct value of_time(int64_t when)
{
	return (struct value){VALUE_TIME, {.number = (uint64_t)when}};
}

/* A time; 0 is blank, null in JSON. */
static inline struct value of_some_time(int64_t when)
{
	return when ? of_time(when) : no_value();
}

static inline struct value of_seconds(uint64_t seconds)
{
	return (struct value){VALUE_SECONDS, {.number = seconds}};
}

static inline struct value of_minutes(uint64_t minutes)
{
	return (struct value){VALUE_MINUTES, {.number = minutes}};
}

static inline struct value of_bool(bool on)
{
	return (struct value){VALUE_BOOL, {.number = on}};
}

/* The struct is copied into the arena; what it points to is not. */
struct value of_tres(struct tres_list, struct arena *);
struct value of_words(struct strv, struct arena *);
