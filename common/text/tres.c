/*
 * Trackable resources: catalogue look-ups, lists of counts, and their text
 * form. Pure: knows no store. Follows Slurm's src/common/slurmdb_defs.c.
 */
#include "common/text/tres.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/bisect.h"
#include "common/base/numbers.h"
#include "common/base/strv.h"

/* The store keeps counts in a signed 64-bit column. */
static const uint64_t COUNT_MAX = INT64_MAX;

static const char UNITS[] = "KMGTP";

/* The types that Slurm has. */
static const struct tres_type {
	const char *type;
	bool named; /* there are several: "gres/gpu" */
} tres_types[] = {
	{"cpu", false},
	{"mem", false},
	{"energy", false},
	{"node", false},
	{"billing", false},
	{"vmem", false},
	{"pages", false},
	{"fs", true},
	{"bb", true},
	{"gres", true},
	{"ic", true},
	{"license", true},
};
enum { N_TYPES = sizeof(tres_types) / sizeof(*tres_types) };

/* The GRES that Slurm knows; gpu is not a mistyped cpu. */
static bool is_gres(const char *text)
{
	static const char *const known[] = {"gpu", "mps", "nic", "shard"};
	size_t len = strcspn(text, ":");

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i]) == len && !strncasecmp(known[i], text, len))
			return true;
	return false;
}

/* The type alone, or the name alone, stands for the whole. */
static void try_tres(struct nearest *near, const struct tres *tres)
{
	char full[NEAREST_MOST + 1];
	bool named = tres->name && *tres->name;

	snprintf(full, sizeof(full), "%s%s%s", tres->type, named ? "/" : "",
		named ? tres->name : "");
	if (named && (!strcasecmp(tres->name, near->typed) ||
			     !strcasecmp(tres->type, near->typed)))
		nearest_take(near, full);
	else
		nearest_try(near, full, strlen(full));
}

const char *tres_meant(const struct tres_catalog *catalog, const char *text,
	struct nearest *near)
{
	char full[NEAREST_MOST + 1];

	nearest_init(near, text, catalog ? strlen(text) : strcspn(text, "/"));
	for (size_t i = 0; catalog && i < catalog->n; i++)
		try_tres(near, &catalog->v[i]);
	for (size_t i = 0; !catalog && i < N_TYPES; i++)
		nearest_try(near, tres_types[i].type,
			strlen(tres_types[i].type));
	snprintf(full, sizeof(full), "gres/%s", text);
	if (is_gres(text))
		nearest_take(near, full);
	return nearest_found(near);
}

static int unknown(const struct tres_catalog *catalog, const char *text,
	struct err *err)
{
	struct nearest near;
	const char *meant = tres_meant(catalog, text, &near);

	return err_usage(err, ERR_NO_TRES, "no TRES known by type %s%s%s%s", text,
		meant ? "; did you mean " : "", meant ? meant : "",
		meant ? "?" : "");
}

int tres_check_name(const char *text, struct err *err)
{
	size_t len = strcspn(text, "/");
	bool named = text[len];

	for (size_t i = 0; i < N_TYPES; i++) {
		const struct tres_type *t = &tres_types[i];

		if (strlen(t->type) != len || strncmp(t->type, text, len))
			continue;
		if (t->named && !(named && text[len + 1]))
			return err_set(err, ERR_USAGE,
				"'%s' needs a name (such as %s/NAME)", text,
				t->type);
		if (named && !t->named)
			return err_set(err, ERR_USAGE,
				"'%s' must have no name: %s", text, t->type);
		/* "gres/gpu=4" in a list would be 4 of gres/gpu. */
		if (strchr(text, '=') || text[strlen(text) - 1] == ':')
			return err_set(err, ERR_USAGE,
				"'%s' is not the name of a TRES: it has a = or ends "
				"with :",
				text);
		return 0;
	}
	return unknown(NULL, text, err);
}

const struct tres *tres_by_id(const struct tres_catalog *catalog, uint32_t id)
{
	size_t low = 0, high = catalog->n;

	BISECT(low, high, at, catalog->v[at].id < id);
	return low < catalog->n && catalog->v[low].id == id ? &catalog->v[low]
							    : NULL;
}

static bool has_name(const struct tres *tres, const char *text)
{
	size_t n = strlen(tres->type);

	if (strncasecmp(tres->type, text, n))
		return false;
	if (!tres->name || !*tres->name)
		return !text[n];
	return text[n] == '/' && !strcasecmp(tres->name, text + n + 1);
}

const struct tres *tres_by_name(
	const struct tres_catalog *catalog, const char *text)
{
	for (size_t i = 0; i < catalog->n; i++)
		if (has_name(&catalog->v[i], text))
			return &catalog->v[i];
	return NULL;
}

const char *tres_full_name(const struct tres *tres, struct arena *arena)
{
	if (!tres->name || !*tres->name)
		return arena_strdup(arena, tres->type);
	return arena_printf(arena, "%s/%s", tres->type, tres->name);
}

/* Where `id` stands, or would stand, in the ascending list. */
static size_t position(const struct tres_list *list, uint32_t id)
{
	size_t low = 0, high = list->n;

	if (high && list->v[high - 1].id < id) /* lists come in order */
		return high;
	BISECT(low, high, middle, list->v[middle].id < id)
	return low;
}

uint64_t tres_list_get(const struct tres_list *list, uint32_t id)
{
	size_t i = position(list, id);

	return i < list->n && list->v[i].id == id ? list->v[i].count : NO_VAL64;
}

void tres_list_set(struct tres_list *list, struct arena *arena, uint32_t id,
	uint64_t count)
{
	size_t i = position(list, id);

	if (i == list->n || list->v[i].id != id) {
		(void)ARENA_PUSH(arena, list->v, list->n, list->cap);
		memmove(&list->v[i + 1], &list->v[i],
			(list->n - 1 - i) * sizeof(*list->v));
		list->v[i].id = id;
	}
	list->v[i].count = count;
}

uint64_t tres_list_count(const struct tres_list *list, uint32_t id)
{
	uint64_t count = tres_list_get(list, id);

	return count < NO_VAL64 ? count : 0;
}

void tres_list_add(struct tres_list *list, struct arena *arena, uint32_t id,
	uint64_t count)
{
	if (count)
		tres_list_set(
			list, arena, id, tres_list_count(list, id) + count);
}

void tres_list_remove(struct tres_list *list, uint32_t id)
{
	size_t i = position(list, id);

	if (i == list->n || list->v[i].id != id)
		return;
	memmove(&list->v[i], &list->v[i + 1],
		(list->n - i - 1) * sizeof(*list->v));
	list->n--;
}

struct tres_list tres_list_copy(
	const struct tres_list *list, struct arena *arena)
{
	struct tres_list copy = {.n = list->n, .cap = list->n};

	copy.v = arena_array(arena, list->n, sizeof(*copy.v));
	if (list->n)
		memcpy(copy.v, list->v, list->n * sizeof(*copy.v));
	return copy;
}

bool tres_list_same(const struct tres_list *a, const struct tres_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->v[i].id != b->v[i].id || a->v[i].count != b->v[i].count)
			return false;
	return true;
}

/* What one unit of a count is worth, as a place in UNITS: 0 is one, 2 is M. */
static int parsed_base(const struct tres *tres)
{
	bool in_mib =
		!strcasecmp(tres->type, "mem") || !strcasecmp(tres->type, "bb");

	return in_mib ? 2 : 0;
}

/* Printing knows one more: gres/gpumem is kept as typed but shown from MiB. */
static int printed_base(const struct tres *tres)
{
	if (tres->name && !strcasecmp(tres->name, "gpumem"))
		return 2;
	return parsed_base(tres);
}

static int too_large(const char *value, struct err *err)
{
	return err_set(err, ERR_USAGE, "Number too large: %s", value);
}

static int no_number(const char *value, struct err *err)
{
	return err_set(err, ERR_USAGE, "'%s' is not a TRES count", value);
}

static int parse_digits(const char **text, uint64_t *number)
{
	*number = 0;
	for (; isdigit((unsigned char)**text); (*text)++) {
		uint64_t digit = (uint64_t)(**text - '0');

		if (*number > (COUNT_MAX - digit) / 10)
			return -1;
		*number = *number * 10 + digit;
	}
	return 0;
}

/* Multiplies by 1024 `steps` times; negative steps divide, rounding up. */
static int scale(uint64_t *count, int steps)
{
	for (; steps < 0; steps++)
		*count = *count / 1024 + (*count % 1024 != 0);
	for (; steps > 0; steps--) {
		if (*count > COUNT_MAX / 1024)
			return -1;
		*count *= 1024;
	}
	return 0;
}

/* The place of a suffix in UNITS, from 1. Behind the letter `B` and `iB` are
 * taken, for Slurm reads the letter only. */
static int parse_unit(const char *text, struct err *err)
{
	const char *unit = strchr(UNITS, toupper((unsigned char)*text));

	if (!unit)
		return err_set(err, ERR_USAGE,
			"Invalid unit type '%c'. Possible options are '%s'",
			*text, UNITS);
	if (text[1] && strcasecmp(text + 1, "B") && strcasecmp(text + 1, "iB"))
		return err_set(err, ERR_USAGE,
			"Invalid unit type '%s'. Possible options are '%s'",
			text, UNITS);
	return (int)(unit - UNITS) + 1;
}

/* `abc` is a bad unit rather than a bad number: that is what Slurm says. */
static int parse_count(const char *value, const struct tres *tres,
	uint64_t *count, struct err *err)
{
	const char *rest = value;
	int unit = parsed_base(tres);

	if (!*value)
		return err_set(err, ERR_USAGE, "no value given for TRES %s%s%s",
			tres->type, tres->name && *tres->name ? "/" : "",
			tres->name ? tres->name : "");
	if (parse_digits(&rest, count))
		return too_large(value, err);
	if (rest == value && !isalpha((unsigned char)*value))
		return no_number(value, err);
	if (*rest && (unit = parse_unit(rest, err)) < 0)
		return -1;
	if (rest == value)
		return no_number(value, err);
	if (scale(count, unit - parsed_base(tres)))
		return too_large(value, err);
	return 0;
}

/* The left side of an entry: a number is an id, anything else a name. */
static const struct tres *find_key(
	const struct tres_catalog *catalog, const char *key, struct err *err)
{
	const struct tres *found = NULL;
	const char *rest = key;
	uint64_t id;

	if (!isdigit((unsigned char)*key)) {
		found = tres_by_name(catalog, key);
		if (!found)
			unknown(catalog, key, err);
		return found;
	}
	if (!parse_digits(&rest, &id) && !*rest && id < NO_VAL)
		found = tres_by_id(catalog, (uint32_t)id);
	if (!found)
		err_usage(err, ERR_NO_TRES, "no TRES known by id %s", key);
	return found;
}

static enum tres_op cut_operator(char *equals)
{
	enum tres_op op = TRES_OP_SET;

	*equals = '\0';
	if (equals[-1] == '+')
		op = TRES_OP_ADD;
	else if (equals[-1] == '-')
		op = TRES_OP_SUB;
	if (op != TRES_OP_SET)
		equals[-1] = '\0';
	return op;
}

/* One entry; `entry` is cut to pieces. */
static int parse_entry(char *entry, const struct tres_catalog *catalog,
	struct tres_edit *edit, struct err *err)
{
	char *equals = strchr(entry, '=');
	const struct tres *tres;

	if (!equals || equals == entry)
		return err_usage(
			err, ERR_NO_TRES, "no TRES id found for %s", entry);
	edit->op = cut_operator(equals);
	tres = find_key(catalog, entry, err);
	if (!tres)
		return -1;
	edit->id = tres->id;
	if (edit->op == TRES_OP_SET && !strcmp(equals + 1, "-1")) {
		edit->count = INFINITE64;
		return 0;
	}
	return parse_count(equals + 1, tres, &edit->count, err);
}

/* The next comma-separated entry, blanks around it dropped; *text moves on,
 * to NULL behind the last one. */
static char *next_entry(const char **text, struct arena *arena)
{
	const char *start = *text, *end = start + strcspn(start, ",");

	*text = *end ? end + 1 : NULL;
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return arena_strndup(arena, start, (size_t)(end - start));
}

void tres_edits_put(struct tres_edits *edits, struct arena *arena,
	const struct tres_edit *edit)
{
	for (size_t i = 0; i < edits->n; i++)
		if (edits->v[i].id == edit->id) {
			edits->v[i] = *edit;
			return;
		}
	*ARENA_PUSH(arena, edits->v, edits->n, edits->cap) = *edit;
}

int tres_edits_parse(const char *text, const struct tres_catalog *catalog,
	struct arena *arena, struct tres_edits *edits, struct err *err)
{
	if (*text == ',') /* the stored form may start with one */
		text++;
	while (text) {
		struct tres_edit edit = {0};

		if (parse_entry(next_entry(&text, arena), catalog, &edit, err))
			return -1;
		tres_edits_put(edits, arena, &edit);
	}
	return 0;
}

int tres_list_parse(const char *text, const struct tres_catalog *catalog,
	struct arena *arena, struct tres_list *list, struct err *err)
{
	struct tres_edits edits = {0};

	if (tres_edits_parse(text, catalog, arena, &edits, err))
		return -1;
	for (size_t i = 0; i < edits.n; i++)
		if (edits.v[i].op != TRES_OP_SET ||
			edits.v[i].count == INFINITE64)
			return err_set(err, ERR_USAGE,
				"only plain counts may stand in '%s'", text);
	tres_list_apply(list, arena, &edits);
	return 0;
}

static uint64_t add(uint64_t old, uint64_t more)
{
	return more > COUNT_MAX - old ? COUNT_MAX : old + more;
}

static uint64_t subtract(uint64_t old, uint64_t less)
{
	return less > old ? 0 : old - less;
}

static void apply_one(struct tres_list *list, struct arena *arena,
	const struct tres_edit *edit)
{
	uint64_t old = tres_list_get(list, edit->id);

	if (edit->op == TRES_OP_SET && edit->count == INFINITE64) {
		tres_list_remove(list, edit->id);
		return;
	}
	if (old > COUNT_MAX) /* not there, or cleared */
		old = 0;
	tres_list_set(list, arena, edit->id,
		edit->op == TRES_OP_ADD	  ? add(old, edit->count)
		: edit->op == TRES_OP_SUB ? subtract(old, edit->count)
					  : edit->count);
}

void tres_list_apply(struct tres_list *list, struct arena *arena,
	const struct tres_edits *edits)
{
	for (size_t i = 0; i < edits->n; i++)
		apply_one(list, arena, &edits->v[i]);
}

/* Halves still count as exact: 2560M prints 2.50G, 1500M stays. */
static char *format_scaled(uint64_t count, int base, struct arena *arena)
{
	bool half = false;

	if (!count)
		return arena_strdup(arena, "0");
	while (!half && count >= 1024 && count % 512 == 0 && UNITS[base]) {
		half = count % 1024 != 0;
		count /= 1024;
		base++;
	}
	return arena_printf(arena, "%" PRIu64 "%s%c", count, half ? ".50" : "",
		UNITS[base - 1]);
}

static char *format_value(const struct tres *tres, uint64_t count,
	unsigned styles, struct arena *arena)
{
	int base = printed_base(tres);

	if (count == INFINITE64)
		return arena_strdup(arena, "NONE");
	if (base && !(styles & TRES_RAW_MEM))
		return format_scaled(count, base, arena);
	return arena_printf(arena, "%" PRIu64, count);
}

char *tres_list_format(const struct tres_list *list,
	const struct tres_catalog *catalog, unsigned styles,
	struct arena *arena)
{
	struct strv entries = {0};

	for (size_t i = 0; i < list->n; i++) {
		const struct tres *tres = tres_by_id(catalog, list->v[i].id);
		uint64_t count = list->v[i].count;

		if (!tres || count == NO_VAL64 ||
			(count == INFINITE64 && !(styles & TRES_NONE_WORD)))
			continue;
		*ARENA_PUSH(arena, entries.v, entries.n, entries.cap) =
			arena_printf(arena, "%s=%s",
				tres_full_name(tres, arena),
				format_value(tres, count, styles, arena));
	}
	if (!(styles & TRES_BY_ID))
		strv_sort(&entries);
	return strv_join(&entries, ",", arena);
}
