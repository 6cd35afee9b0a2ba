/*
 * Trackable resources: the catalogue of a store, lists of counts, and the
 * text form `cpu=4,mem=2G,gres/gpu=1` (spec/sacctmgr.md 4.4, reporting 1.4).
 */
#ifndef BURSAR_TRES_H
#define BURSAR_TRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"

enum {
	TRES_CPU = 1,
	TRES_MEM = 2, /* counted in MiB */
	TRES_ENERGY = 3,
	TRES_NODE = 4,
	TRES_BILLING = 5,
	TRES_FS_DISK = 6,
	TRES_VMEM = 7,
	TRES_PAGES = 8,
	TRES_FIRST_SITE = 1001,
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
	uint64_t count; /* mem and bb in MiB; INFINITE64: cleared */
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
	uint64_t count; /* INFINITE64 for `=-1`: take the entry away */
};

/* One for each TRES. */
struct tres_edits {
	struct tres_edit *v;
	size_t n, cap;
};

const struct tres *tres_by_id(const struct tres_catalog *, uint32_t id);

/* `text` is `type` or `type/name`, any case. NULL when unknown. */
const struct tres *tres_by_name(const struct tres_catalog *, const char *text);

/* "gres/gpu", in the arena. */
const char *tres_full_name(const struct tres *, struct arena *);

/* Adds to the count, an unset one being 0; adding 0 does not set it. */
void tres_list_add(
	struct tres_list *, struct arena *, uint32_t id, uint64_t count);

/* The count, or NO_VAL64 when the list does not mention the id. */
uint64_t tres_list_get(const struct tres_list *, uint32_t id);
void tres_list_set(struct tres_list *, struct arena *, uint32_t id, uint64_t count);
void tres_list_remove(struct tres_list *, uint32_t id);

/* Do both hold the same counts? */
bool tres_list_same(const struct tres_list *, const struct tres_list *);

/* Adds an entry; one for the same TRES gives way to it. */
void tres_edits_put(
	struct tres_edits *, struct arena *, const struct tres_edit *);

/*
 * Reads `type[/name]=value` or `id=value` entries (`+=`, `-=` too), comma
 * separated, blanks around an entry dropped; suffixes K M G T P stand for
 * powers of 1024, and what comes out is MiB for mem and bb/... (part of a MiB
 * counts as a whole one). An unknown TRES, an entry without `=` or value, an
 * unreadable number or one beyond 63 bits, a bad suffix: -1 with a message that
 * names the word ("no TRES known by type bogus", "no TRES known by id 99", "no
 * TRES id found for cpu" where `=` is missing, "Invalid unit type 'a'. Possible
 * options are 'KMGTP'"). Slurm puts "slurmdb_format_tres_str: " before those
 * that begin with "no TRES"; that is left to the caller.
 */
int tres_edits_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_edits *, struct err *);

/* Plain counts only: as above but `+=`, `-=` and `=-1` are refused. Entries
 * are set in `list`, the last one for a TRES wins. */
int tres_list_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_list *, struct err *);

/* SET replaces or (INFINITE64) removes; ADD and SUB count a missing entry as
 * 0 and never go below 0. */
void tres_list_apply(struct tres_list *, struct arena *, const struct tres_edits *);

enum tres_style {
	TRES_RAW_MEM = 1,   /* memory as a bare MiB number (sshare) */
	TRES_BY_ID = 2,	    /* order by id instead of by text */
	TRES_NONE_WORD = 4, /* INFINITE64 prints as NONE instead of being left out */
};

/* The text form; "" for the empty list. Memory (mem, bb, gres/gpumem) prints
 * with the largest unit that shows it exactly, halves included (`1G`, `1500M`,
 * `62.50G`). TRES the catalogue does not hold, counts of NO_VAL64 and (without
 * TRES_NONE_WORD) INFINITE64 are left out. `styles`: enum tres_style or-ed. */
char *tres_list_format(const struct tres_list *, const struct tres_catalog *,
	unsigned styles, struct arena *);

#endif
