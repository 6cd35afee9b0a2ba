/*
 * TRES lists of the lines of an import: few different ones come again and
 * again, each is read once.
 */
#include "cmd/srecord/import.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"

struct known_tres {
	struct tres_list list;
	uint64_t unknown;
	UT_hash_handle hh;
	char text[];
};

enum { MOST_KNOWN = 20000 };

void import_forget_tres(struct import_reader *r)
{
	HASH_CLEAR(hh, r->tres);
	arena_reset(&r->lists);
}

static bool known_name(const struct import_reader *r, const char *entry)
{
	size_t len = strcspn(entry, "=");
	char name[128];

	if (!entry[len] || len >= sizeof(name))
		return true; /* the reader says what is wrong */
	memcpy(name, entry, len);
	name[len] = '\0';
	return tres_by_name(&r->catalog, name);
}

/* mem=62.50G, as Slurm prints it, is mem=64000M. */
static const char *without_fraction(const char *entry, struct arena *arena)
{
	static const char digit[] = "0123456789", units[] = "KMGTP";
	size_t name = strcspn(entry, "=");
	const char *value = entry + name + (entry[name] == '=');
	const char *end = value + strspn(value, digit), *unit;
	double count;

	if (end == value || *end != '.')
		return entry;
	end += 1 + strspn(end + 1, digit);
	unit = *end ? strchr(units, *end) : NULL;
	count = strtod(value, NULL);
	if (!unit || end[1] || count > 1e9)
		return entry; /* the reader says what is wrong */
	if (unit == units)
		return arena_printf(
			arena, "%.*s=%.0fK", (int)name, entry, count);
	return arena_printf(arena, "%.*s=%.0f%c", (int)name, entry,
		count * 1024, unit[-1]);
}

static int read_list(
	struct import_reader *r, const char *text, struct known_tres *known)
{
	struct strv entries = {0};

	strv_split(&entries, r->scratch, text);
	for (size_t i = 0; i < entries.n; i++) {
		if (!known_name(r, entries.v[i]))
			known->unknown++;
		else if (tres_list_parse(
				 without_fraction(entries.v[i], r->scratch),
				 &r->catalog, &r->lists, &known->list, r->err))
			return -1;
	}
	return 0;
}

static struct known_tres *look_up(
	struct import_reader *r, const char *text, size_t len)
{
	struct known_tres *known;

	if (HASH_COUNT(r->tres) >= MOST_KNOWN)
		import_forget_tres(r);
	known = arena_alloc(&r->lists, sizeof(*known) + len + 1);
	memcpy(known->text, text, len);
	if (read_list(r, text, known))
		return NULL;
	HASH_ADD(hh, r->tres, text, (unsigned)len, known);
	return known;
}

int import_tres(struct import_reader *r, const char *text,
	struct tres_list *list, uint64_t *unknown)
{
	struct known_tres *known;
	size_t len = strlen(text);

	HASH_FIND(hh, r->tres, text, len, known);
	if (!known)
		known = look_up(r, text, len);
	if (!known)
		return -1;
	*unknown += known->unknown;
	*list = tres_list_copy(&known->list, r->scratch);
	return 0;
}
