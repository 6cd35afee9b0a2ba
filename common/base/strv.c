#include "common/base/strv.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void strv_push(struct strv *list, struct arena *arena, const char *word)
{
	*ARENA_PUSH(arena, list->v, list->n, list->cap) =
		arena_strdup(arena, word);
}

void strv_printf(struct strv *list, struct arena *arena, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*ARENA_PUSH(arena, list->v, list->n, list->cap) =
		arena_vprintf(arena, fmt, ap);
	va_end(ap);
}

static void push_unique(struct strv *list, struct arena *arena, char *word)
{
	for (size_t i = 0; i < list->n; i++) {
		if (strcmp(list->v[i], word))
			continue;
		memmove(&list->v[i], &list->v[i + 1],
			(list->n - i - 1) * sizeof(*list->v));
		list->n--;
		break;
	}
	*ARENA_PUSH(arena, list->v, list->n, list->cap) = word;
}

static void add_unique(
	struct strv *list, struct arena *arena, const struct strv *items)
{
	enum { FEW = 16 }; /* a set costs more */

	if (list->n + items->n > FEW) {
		strv_add_all(list, arena, items);
		return;
	}
	for (size_t i = 0; i < items->n; i++)
		push_unique(list, arena, items->v[i]);
}

void strv_split(struct strv *list, struct arena *arena, const char *text)
{
	struct strv items = {0};

	for (;;) {
		size_t n = strcspn(text, ",");
		const char *start = text, *end = text + n;

		while (start < end && isspace((unsigned char)*start))
			start++;
		while (end > start && isspace((unsigned char)end[-1]))
			end--;
		*ARENA_PUSH(arena, items.v, items.n, items.cap) =
			arena_strndup(arena, start, (size_t)(end - start));
		if (!text[n])
			break;
		text += n + 1;
	}
	add_unique(list, arena, &items);
}

void strv_names(struct strv *list, struct arena *arena, const char *text)
{
	struct strv items = {0}, names = {0};
	bool any = false;

	strv_split(&items, arena, text);
	for (size_t i = 0; i < items.n; i++)
		any = any || *items.v[i];
	for (size_t i = 0; i < items.n; i++)
		if (*items.v[i] || !any)
			*ARENA_PUSH(arena, names.v, names.n, names.cap) =
				items.v[i];
	add_unique(list, arena, &names);
}

void strv_words(struct strv *list, struct arena *arena, const char *text)
{
	struct strv items = {0};

	strv_split(&items, arena, text);
	for (size_t i = 0; i < items.n; i++)
		if (*items.v[i])
			strv_push(list, arena, items.v[i]);
}

bool strv_has(const struct strv *list, const char *word)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i], word))
			return true;
	return false;
}

bool strv_has_nocase(const struct strv *list, const char *word)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcasecmp(list->v[i], word))
			return true;
	return false;
}

/* ---- many words ----------------------------------------------------------*/

static size_t hash(const char *word)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *word; word++)
		h = (h ^ (uint64_t)tolower((unsigned char)*word)) *
		    UINT64_C(1099511628211);
	return (size_t)(h ^ h >> 32);
}

/* Where the word is, or would be. */
static const char **place(const struct strv_set *set, const char *word)
{
	size_t at = hash(word) & set->mask;

	while (set->slots[at] &&
		(set->nocase ? strcasecmp(set->slots[at], word)
			     : strcmp(set->slots[at], word)))
		at = (at + 1) & set->mask;
	return &set->slots[at];
}

static void make_room(
	struct strv_set *set, size_t n, bool nocase, struct arena *arena)
{
	size_t size = 8;

	while (size < 2 * n)
		size *= 2;
	*set = (struct strv_set){
		.slots = arena_array(arena, size, sizeof(*set->slots)),
		.mask = size - 1,
		.nocase = nocase};
}

void strv_set_init(struct strv_set *set, const struct strv *list, bool nocase,
	struct arena *arena)
{
	make_room(set, list->n, nocase, arena);
	for (size_t i = 0; i < list->n; i++)
		*place(set, list->v[i]) = list->v[i];
}

bool strv_set_has(const struct strv_set *set, const char *word)
{
	return *place(set, word) != NULL;
}

void strv_add_all(
	struct strv *list, struct arena *arena, const struct strv *words)
{
	struct strv_set set;
	size_t kept;

	for (size_t i = 0; i < words->n; i++)
		*ARENA_PUSH(arena, list->v, list->n, list->cap) = words->v[i];
	make_room(&set, list->n, false, arena);
	kept = list->n;
	for (size_t i = list->n; i-- > 0;) {
		const char **at = place(&set, list->v[i]);

		if (*at)
			continue;
		*at = list->v[i];
		list->v[--kept] = list->v[i];
	}
	list->n -= kept;
	if (kept)
		memmove(list->v, list->v + kept, list->n * sizeof(*list->v));
}

char *strv_join(const struct strv *list, const char *sep, struct arena *arena)
{
	size_t size = 1, used = 0;
	char *text;

	for (size_t i = 0; i < list->n; i++)
		size += strlen(list->v[i]) + strlen(sep);
	text = arena_alloc(arena, size);
	for (size_t i = 0; i < list->n; i++) {
		if (i) {
			memcpy(text + used, sep, strlen(sep));
			used += strlen(sep);
		}
		memcpy(text + used, list->v[i], strlen(list->v[i]));
		used += strlen(list->v[i]);
	}
	return text;
}

char *strv_join_some(
	const struct strv *list, const char *sep, struct arena *arena)
{
	enum { MOST = 8 };
	const struct strv some = {.v = list->v, .n = list->n < MOST ? list->n : MOST};

	if (list->n == some.n)
		return strv_join(list, sep, arena);
	return arena_printf(arena, "%s and %zu more", strv_join(&some, sep, arena),
		list->n - some.n);
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *list)
{
	if (list->n > 1)
		qsort(list->v, list->n, sizeof(*list->v), compare_words);
}

char *strv_join_sorted(const struct strv *list, struct arena *arena)
{
	struct strv sorted = {.n = list->n};

	sorted.v = arena_array(arena, list->n, sizeof(*sorted.v));
	if (list->n)
		memcpy(sorted.v, list->v, list->n * sizeof(*sorted.v));
	strv_sort(&sorted);
	return strv_join(&sorted, ",", arena);
}

static char *in_case(struct arena *arena, const char *text, int (*to)(int))
{
	char *copy = arena_strdup(arena, text);

	for (char *c = copy; c && *c; c++)
		*c = (char)to((unsigned char)*c);
	return copy;
}

char *str_lower(struct arena *arena, const char *text)
{
	return in_case(arena, text, tolower);
}

char *str_upper(struct arena *arena, const char *text)
{
	return in_case(arena, text, toupper);
}

char *str_unquote(struct arena *arena, const char *text)
{
	const char *end;
	char *copy;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end - text >= 2 && (*text == '"' || *text == '\'') &&
		end[-1] == *text) {
		text++;
		end--;
		while (text < end && isspace((unsigned char)*text))
			text++;
		while (end > text && isspace((unsigned char)end[-1]))
			end--;
	}
	copy = arena_strndup(arena, text, (size_t)(end - text));
	for (char *c = copy; *c; c++)
		if (*c == '"' || *c == '\'')
			*c = '`';
	return copy;
}

bool str_among(const char *text, const char *const *array, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(array[i], text))
			return true;
	return false;
}
