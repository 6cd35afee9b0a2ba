/*
 * Writing of trees (tree.h): one way to write each, so that files in a
 * repository differ only where what they say does.
 */
#include "common/table/tree.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static struct tree *add(struct tree *map, const char *name, struct arena *arena)
{
	struct tree *t = arena_alloc(arena, sizeof(*t));

	*t = (struct tree){.name = name};
	if (map->last)
		map->last->next = t;
	else
		map->first = t;
	map->last = t;
	return t;
}

struct tree *tree_add_map(
	struct tree *map, const char *name, struct arena *arena)
{
	struct tree *t = add(map, name, arena);

	t->kind = TREE_MAP;
	return t;
}

void tree_add_text(struct tree *map, const char *name, const char *text,
	bool plain, struct arena *arena)
{
	struct tree *t = add(map, name, arena);

	t->text = text;
	t->quoted = !plain;
}

/* ---- texts ---------------------------------------------------------------*/

/* Would another program take it for something else than a text? Then it is
 * quoted: what begins with a digit may be a number, a date or a time. */
static bool is_plain(const char *text)
{
	static const char *const words[] = {
		"null", "true", "false", "yes", "no", "on", "off", "y", "n"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(text, words[i]))
			return false;
	if (!isalpha((unsigned char)*text) && *text != '_')
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_-./,=+@", *text) &&
			!(*text == ' ' && isalnum((unsigned char)text[1])))
			return false;
	return true;
}

/* What YAML takes for the end of a line, or not at all: how it is written; NULL:
 * as it is. */
static const char *escape_of(const char *text)
{
	static const char *const odd[][2] = {
		{"\xe2\x80\xa8", "\\u2028"},
		{"\xe2\x80\xa9", "\\u2029"},
		{"\xef\xbb\xbf", "\\ufeff"},
		{"\xef\xbf\xbe", "\\ufffe"},
		{"\xef\xbf\xbf", "\\uffff"},
	};

	if ((unsigned char)*text < 0xe2)
		return NULL;
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		if (!strncmp(text, odd[i][0], 3))
			return odd[i][1];
	return NULL;
}

/* Reads the same in both languages. */
static void put_quoted(FILE *out, const char *text)
{
	const char *escape;

	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\') {
			fprintf(out, "\\%c", *text);
		} else if ((unsigned char)*text < ' ' || *text == 0x7f) {
			fprintf(out, "\\u%04x", (unsigned)*text);
		} else if ((escape = escape_of(text))) {
			fputs(escape, out);
			text += 2;
		} else {
			fputc(*text, out);
		}
	}
	fputc('"', out);
}

static void put_text(FILE *out, const char *text, bool json)
{
	if (!json && is_plain(text))
		fputs(text, out);
	else
		put_quoted(out, text);
}

/* ---- maps ----------------------------------------------------------------*/

static void put_map(FILE *out, const struct tree *map, bool json, int depth);

static void put_value(FILE *out, const struct tree *t, bool json, int depth)
{
	if (t->kind != TREE_MAP) {
		fputc(' ', out);
		if (t->quoted)
			put_text(out, t->text, json);
		else
			fputs(t->text, out);
	} else if (!t->first) {
		fputs(" {}", out);
	} else {
		fputs(json ? " {\n" : "\n", out);
		put_map(out, t, json, depth + 1);
		if (json)
			fprintf(out, "%*s}", 2 * depth, "");
	}
}

static void put_map(FILE *out, const struct tree *map, bool json, int depth)
{
	for (const struct tree *t = map->first; t; t = t->next) {
		fprintf(out, "%*s", 2 * depth, "");
		put_text(out, t->name, json);
		fputc(':', out);
		put_value(out, t, json, depth);
		/* The lines of a YAML map within end themselves. */
		if (json)
			fputs(t->next ? ",\n" : "\n", out);
		else if (t->kind != TREE_MAP || !t->first)
			fputc('\n', out);
	}
}

void tree_write(FILE *out, const struct tree *tree, bool json)
{
	if (json)
		fputs("{\n", out);
	put_map(out, tree, json, json);
	if (json)
		fputs("}\n", out);
}
