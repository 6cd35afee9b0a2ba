/*
 * Trackable resources (TRES): the catalogue of a store, lists of counts, and
 * their text form `cpu=4,mem=2G,gres/gpu=1` (Slurm's
 * src/common/slurmdb_defs.c).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/nearest.h"

enum {
	TRES_CPU = 1,
	TRES_MEM = 2, /* counted in MiB */
	TRES_ENERGY = 3,
	TRES_NODE = 4,
	TRES_BILLING = 5,
	TRES_FS_DISK = 6,
	TRES_VMEM = 7,
	TRES_PAGES = 8,
	TRES_FIRST_SITE = 1001, /* ids of GRES, licenses ... begin here */
};

struct tres {
	uint32_t id;
	const char *type; /* "cpu", "gres" */
	const char *name; /* "gpu"; "" when the type stands alone */
};

/* All TRES a store knows, ascending by id. */
struct tres_catalog {
	const struct tres *v;
	size_t n;
};

struct tres_count {
	uint32_t id;
	uint64_t count; /* mem and bb in MiB; INFINITE64: limit cleared */
};

/* Ascending by id, each id once. A zeroed struct is the empty list. */
struct tres_list {
	struct tres_count *v;
	size_t n, cap;
};

enum tres_op { TRES_OP_SET, TRES_OP_ADD, TRES_OP_SUB };

/* One entry of a typed value such as `cpu=4,mem+=2G,node=-1`. */
struct tres_edit {
	uint32_t id;
	enum tres_op op;
	uint64_t count; /* INFINITE64 for `=-1`: remove the entry */
};

/* At most one edit per TRES. A zeroed struct is the empty list. */
struct tres_edits {
	struct tres_edit *v;
	size_t n, cap;
};

/* Is the text, in lower case, a name that a TRES can have: "type", or
 * "type/name" where there are several of the type? 0, or -1 and a sentence. */
int tres_check_name(const char *text, struct err *);

/* NULL: the catalogue has no TRES with this id. */
const struct tres *tres_by_id(const struct tres_catalog *, uint32_t id);

/* `text` is `type` or `type/name`, any case. NULL: no such TRES. */
const struct tres *tres_by_name(const struct tres_catalog *, const char *text);

/* What somebody means by the name of a TRES that there is not: one of the
 * catalogue, or without that (NULL) a type of Slurm. Lives in the nearest. NULL:
 * nothing is near. */
const char *tres_meant(
	const struct tres_catalog *, const char *text, struct nearest *);

/* "gres/gpu", in the arena. */
const char *tres_full_name(const struct tres *, struct arena *);

/* Adds to the count of a TRES; a missing one is 0. Adding 0 adds no entry. */
void tres_list_add(
	struct tres_list *, struct arena *, uint32_t id, uint64_t count);

/* The count, or NO_VAL64 when the list does not mention the id. */
uint64_t tres_list_get(const struct tres_list *, uint32_t id);

/* As tres_list_get, but 0 where there is none. */
uint64_t tres_list_count(const struct tres_list *, uint32_t id);

/* Sets the count, replacing an earlier one. */
void tres_list_set(struct tres_list *, struct arena *, uint32_t id, uint64_t count);
void tres_list_remove(struct tres_list *, uint32_t id);

struct tres_list tres_list_copy(const struct tres_list *, struct arena *);

/* Do both lists have the same TRES with the same counts? */
bool tres_list_same(const struct tres_list *, const struct tres_list *);

/* Adds a copy of the edit; it replaces an earlier edit of the same TRES. */
void tres_edits_put(
	struct tres_edits *, struct arena *, const struct tres_edit *);

/*
 * Adds the edits of a text: `type[/name]=value` or `id=value`, also with `+=`
 * or `-=`, separated by commas; blanks around an entry are dropped. Suffixes K
 * M G T P are powers of 1024; counts of mem and bb/... become MiB, rounded up.
 * Returns 0. -1 with err (ERR_USAGE) and perhaps some edits added: an unknown
 * TRES, an entry without `=` or value, a bad number or one beyond 63 bits, a
 * bad suffix. The message names the word ("no TRES known by type bogus", "no
 * TRES known by id 99", "no TRES id found for cpu" if `=` is missing, "Invalid
 * unit type 'a'. Possible options are 'KMGTP'"). Slurm puts
 * "slurmdb_format_tres_str: " before those that begin with "no TRES"; that is
 * left to the caller.
 */
int tres_edits_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_edits *, struct err *);

/* Reads the same text without `+=`, `-=` and `=-1`, which give -1, and sets its
 * counts in `list`; the last one of a TRES wins. -1: `list` is unchanged. */
int tres_list_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_list *, struct err *);

/* Applies the edits: SET replaces a count or, with INFINITE64, removes the
 * entry; ADD and SUB take a missing count as 0, and SUB does not go below 0. */
void tres_list_apply(struct tres_list *, struct arena *, const struct tres_edits *);

enum tres_style {
	TRES_RAW_MEM = 1,   /* memory as a number of MiB, no unit (sshare) */
	TRES_BY_ID = 2,	    /* order by id instead of by text */
	TRES_NONE_WORD = 4, /* INFINITE64 prints as NONE instead of being left out */
};

/* The text form, in the arena; "" for the empty list. `styles`: enum tres_style
 * or-ed. Memory (mem, bb, gres/gpumem) is printed in the largest unit that
 * shows it exactly, halves included (`1G`, `1500M`, `62.50G`). Left out are
 * TRES that the catalogue does not have, counts of NO_VAL64 and, without
 * TRES_NONE_WORD, counts of INFINITE64. */
char *tres_list_format(const struct tres_list *, const struct tres_catalog *,
	unsigned styles, struct arena *);
