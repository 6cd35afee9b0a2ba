/*
 * Host lists: `n[001-128,200],login` to single names and back. Pure text
 * work; follows the node-name grammar of slurm.conf (any number of brackets
 * in a name) and of sacctmgr(1) (`name[a,b]` with words).
 */
#include "common/text/hostlist.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAMES_MAX = 1000000,
	NAME_LENGTH_MAX = 255,
	DIGITS_MAX = 18, /* always fits 64 bits */
};

static const char SEPARATORS[] = ", \t\r\n";
static const char DIGITS[] = "0123456789";

/* --- expanding --------------------------------------------------------- */

/*
 * Names are built depth first in one buffer, so that only finished names take
 * memory however many brackets a text multiplies.
 */
struct expansion {
	struct arena *arena;
	struct strv *names;
	size_t limit; /* names->n may grow up to here */
	const char *text;
	struct err *err;
	size_t used;
	char name[NAME_LENGTH_MAX + 1];
};

static int expand_rest(struct expansion *x, const char *p, const char *end);

static int fail(struct expansion *x, const char *why)
{
	return err_set(x->err, ERR_USAGE, "Invalid host list \"%s\": %s",
		x->text, why);
}

static bool all_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return n > 0;
}

/* What else brackets may hold; a word cannot contain a dash, which would look
 * like a range. */
static bool is_word(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0 && !isdigit((unsigned char)s[0]);
}

static uint64_t digits_value(const char *s, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value * 10 + (uint64_t)(s[i] - '0');
	return value;
}

/* The name so far, `n` bytes of `part`, then all that [rest, end) gives. */
static int join(struct expansion *x, const char *part, size_t n,
	const char *rest, const char *end)
{
	int status;

	if (n > NAME_LENGTH_MAX - x->used)
		return fail(x, "a name is longer than 255 bytes");
	memcpy(x->name + x->used, part, n);
	x->used += n;
	status = expand_rest(x, rest, end);
	x->used -= n;
	return status;
}

/* `low-high` of digits; the numbers are padded to the width of `low`. */
static int join_range(struct expansion *x, const char *part, size_t n,
	const char *rest, const char *end)
{
	size_t width = strspn(part, DIGITS), high_width = n - width - 1;
	uint64_t low, high;

	if (!width || width > DIGITS_MAX || width >= n || part[width] != '-' ||
		high_width > DIGITS_MAX ||
		!all_digits(part + width + 1, high_width))
		return fail(x, "bad range");
	low = digits_value(part, width);
	high = digits_value(part + width + 1, high_width);
	if (low > high)
		return fail(x, "a range runs backwards");
	if (high - low >= NAMES_MAX)
		return fail(x, "more than 1000000 names");
	for (; low <= high; low++) {
		char number[24];
		int len = snprintf(
			number, sizeof(number), "%0*" PRIu64, (int)width, low);

		if (join(x, number, (size_t)len, rest, end))
			return -1;
	}
	return 0;
}

/* `list` is the text between the brackets; `rest` the text after them. */
static int join_each(struct expansion *x, const char *list, const char *close,
	const char *end)
{
	for (const char *part = list; part <= close;) {
		size_t n = strcspn(part, ",]");
		int status;

		if (all_digits(part, n) || is_word(part, n))
			status = join(x, part, n, close + 1, end);
		else
			status = join_range(x, part, n, close + 1, end);
		if (status)
			return -1;
		part += n + 1;
	}
	return 0;
}

static int expand_rest(struct expansion *x, const char *p, const char *end)
{
	size_t n = strcspn(p, "[");

	if (p < end && !n)
		return join_each(x, p + 1, strchr(p, ']'), end);
	if (p < end) {
		const char *next = p + n < end ? p + n : end;

		return join(x, p, (size_t)(next - p), next, end);
	}
	if (x->names->n >= x->limit)
		return fail(x, "more than 1000000 names");
	*ARENA_PUSH(x->arena, x->names->v, x->names->n, x->names->cap) =
		arena_strndup(x->arena, x->name, x->used);
	return 0;
}

/* The end of the name at `p`, or NULL when its brackets do not pair. */
static const char *name_end(const char *p)
{
	for (;;) {
		p += strcspn(p, "[], \t\r\n");
		if (*p == ']')
			return NULL;
		if (*p != '[')
			return p;
		p++;
		p += strcspn(p, "[]");
		if (*p++ != ']')
			return NULL;
	}
}

int hostlist_expand(const char *text, struct arena *arena, struct strv *names,
	struct err *err)
{
	struct expansion x = {.arena = arena,
		.names = names,
		.limit = names->n + NAMES_MAX,
		.text = text,
		.err = err};

	for (text += strspn(text, SEPARATORS); *text;
		text += strspn(text, SEPARATORS)) {
		const char *end = name_end(text);

		if (!end)
			return fail(&x, "unbalanced brackets");
		if (expand_rest(&x, text, end))
			return -1;
		text = end;
	}
	return 0;
}

struct strv hostlist_names(const char *text, struct arena *arena)
{
	struct strv names = {0};
	struct err unused;

	if (hostlist_expand(text, arena, &names, &unused))
		names.n = 0;
	return names;
}

const char *hostlist_first(const char *text, struct arena *arena)
{
	struct strv names = hostlist_names(text, arena);

	return names.n ? names.v[0] : "";
}

bool hostlist_place(const char *text, const char *name, struct arena *arena,
	uint64_t *place)
{
	struct strv names = hostlist_names(text, arena);

	for (size_t i = 0; i < names.n; i++)
		if (!strcmp(names.v[i], name)) {
			*place = i;
			return true;
		}
	return false;
}

bool hostlist_meets(
	const char *text, const struct strv *wanted, struct arena *arena)
{
	struct strv names = {0};

	if (!wanted->n)
		return true;
	names = hostlist_names(text, arena);
	for (size_t i = 0; i < wanted->n; i++)
		if (strv_has(&names, wanted->v[i]))
			return true;
	return false;
}

/* --- folding ----------------------------------------------------------- */

/* A name taken apart: the digits at its end are its number. */
struct host {
	const char *name;
	size_t prefix; /* bytes before the number */
	size_t width;  /* digits of the number; 0: none */
	uint64_t number;
};

static struct host host_split(const char *name)
{
	struct host host = {.name = name, .prefix = strlen(name)};

	while (host.prefix && host.width < DIGITS_MAX &&
		isdigit((unsigned char)name[host.prefix - 1])) {
		host.prefix--;
		host.width++;
	}
	host.number = digits_value(name + host.prefix, host.width);
	return host;
}

static int compare_hosts(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	size_t n = x->prefix < y->prefix ? x->prefix : y->prefix;
	int order = memcmp(x->name, y->name, n);

	if (order)
		return order;
	if (x->prefix != y->prefix)
		return x->prefix < y->prefix ? -1 : 1;
	if (!x->width != !y->width)
		return x->width ? 1 : -1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->width > y->width) - (x->width < y->width);
}

static bool same_prefix(const struct host *a, const struct host *b)
{
	return a->prefix == b->prefix && a->width && b->width &&
	       !memcmp(a->name, b->name, a->prefix);
}

static size_t natural_width(uint64_t number)
{
	size_t n = 1;

	while (number /= 10)
		n++;
	return n;
}

/* Does `next`, printed with the padding of the run's `first`, look as it
 * does: 9 and 10 do, 09 and 10 do, 9 and 010 do not. */
static bool continues(const struct host *first, const struct host *last,
	const struct host *next)
{
	size_t natural = natural_width(next->number);
	size_t padded = natural > first->width ? natural : first->width;

	return next->number == last->number + 1 && next->width == padded;
}

static size_t sort_unique(struct host *v, size_t n)
{
	size_t kept = 0;

	if (n > 1)
		qsort(v, n, sizeof(*v), compare_hosts);
	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(v[kept - 1].name, v[i].name))
			v[kept++] = v[i];
	return kept;
}

/* The hosts [i, end) share a prefix: their numbers as `1-3,7`. Widths mix
 * (9, 09), so a run is followed over the names that belong to other runs. */
static char *fold_numbers(
	const struct host *v, size_t n, bool *taken, struct arena *arena)
{
	struct strv parts = {0};

	for (size_t i = 0; i < n; i++) {
		const struct host *first = &v[i], *last = first;

		if (taken[i])
			continue;
		for (size_t j = i + 1; j < n; j++) {
			if (v[j].number > last->number + 1)
				break;
			if (taken[j] || !continues(first, last, &v[j]))
				continue;
			taken[j] = true;
			last = &v[j];
		}
		*ARENA_PUSH(arena, parts.v, parts.n, parts.cap) =
			first == last ? arena_strdup(arena,
						first->name + first->prefix)
				      : arena_printf(arena, "%s-%s",
						first->name + first->prefix,
						last->name + last->prefix);
	}
	return strv_join(&parts, ",", arena);
}

char *hostlist_fold(const struct strv *names, struct arena *arena)
{
	struct host *v = arena_array(arena, names->n, sizeof(*v));
	struct strv parts = {0};
	bool *taken;
	size_t n;

	for (size_t i = 0; i < names->n; i++)
		v[i] = host_split(names->v[i]);
	n = sort_unique(v, names->n);
	taken = arena_array(arena, n, sizeof(*taken));
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_prefix(&v[i], &v[end]);)
			end++;
		*ARENA_PUSH(arena, parts.v, parts.n, parts.cap) =
			end == i + 1 ? arena_strdup(arena, v[i].name)
				     : arena_printf(arena, "%.*s[%s]",
					       (int)v[i].prefix, v[i].name,
					       fold_numbers(&v[i], end - i,
						       &taken[i], arena));
	}
	return strv_join(&parts, ",", arena);
}
