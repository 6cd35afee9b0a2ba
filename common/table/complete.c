#include "common/table/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/words.h"
#include "common/table/member.h"

void completion_value(struct completion *c, const char *value)
{
	const char *comma = strrchr(value, ',');

	value = comma ? comma + 1 : value;
	value += *value == '\'' || *value == '"';
	value += *value == '+' || *value == '-';
	c->head = (size_t)(value - c->typed);
}

static bool begins(const struct completion *c, const char *name)
{
	return !strncasecmp(
		name, completion_part(c), strlen(completion_part(c)));
}

/* What was typed, then the rest of the name. */
static void push(struct completion *c, const char *name, const char *suffix,
	const char *help)
{
	const char *rest = name + strlen(completion_part(c));

	*ARENA_PUSH(c->arena, c->v, c->n, c->cap) = (struct candidate){
		arena_printf(c->arena, "%s%s%s", c->typed, rest, suffix), help};
}

void offer_name(struct completion *c, const char *name, const char *suffix,
	const char *help)
{
	if (!name[strcspn(name, " \t'\"\\$`*?;&|<>()")] && begins(c, name))
		push(c, name, suffix, help);
}

static bool has_capital(const char *text)
{
	while (*text && !isupper((unsigned char)*text))
		text++;
	return *text;
}

static void offer_keyword(struct completion *c, const char *name,
	const char *suffix, const char *help)
{
	const char *part = completion_part(c);

	if (!begins(c, name))
		return;
	if (*part && !has_capital(part) && isupper((unsigned char)*name))
		name = str_lower(c->arena, name);
	push(c, name, suffix, help);
}

struct word_offered {
	struct completion *c;
	const char *suffix, *help;
	size_t before; /* candidates */
};

static void offer_first(const char *name, size_t len, size_t min, void *arg)
{
	struct word_offered *row = arg;

	(void)min;
	if (row->c->n == row->before)
		offer_keyword(row->c, arena_strndup(row->c->arena, name, len),
			row->suffix, row->help);
}

void offer_word(struct completion *c, const char *names, const char *suffix,
	const char *help)
{
	words_each(names, offer_first,
		&(struct word_offered){c, suffix, help, c->n});
}

void offer_list(struct completion *c, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ", \n");

		if (len)
			offer_keyword(c, arena_strndup(c->arena, list, len), "",
				NULL);
		list += len + (list[len] != '\0');
	}
}

void offer_columns(struct completion *c, const struct members *members)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++)
		if (m->names && !(m->marks & MEMBER_HIDDEN))
			offer_word(c, m->names, "", m->help);
}

void offer_from(struct completion *c, enum value_source source)
{
	if (source == FROM_ADMIN_LEVELS)
		offer_list(c, "None Operator Administrator");
	else if (source == FROM_SHARES)
		offer_list(c, "parent");
	else if (source < FROM_ADMIN_LEVELS && source && c->stored)
		c->stored(c, source);
}

static int by_word(const void *a, const void *b)
{
	return strcmp(((const struct candidate *)a)->word,
		((const struct candidate *)b)->word);
}

void completion_sort(struct completion *c)
{
	size_t kept = 0;

	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), by_word);
	for (size_t i = 0; i < c->n; i++)
		if (!kept || strcmp(c->v[kept - 1].word, c->v[i].word))
			c->v[kept++] = c->v[i];
	c->n = kept;
}
