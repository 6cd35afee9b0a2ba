#include "common/table/tree.h"

#include <string.h>
#include <strings.h>
#include <uthash.h>
#include <yaml.h>

#include "common/base/utf8.h"

enum { DEEPEST = 64 };

struct yaml_reading {
	yaml_parser_t parser;
	const char *text;
	size_t size;
	struct arena *arena;
	struct err *err;
	int depth;
};

/* ---- what libyaml says ---------------------------------------------------*/

static size_t line_at(const struct yaml_reading *r, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset && i < r->size; i++)
		line += r->text[i] == '\n';
	return line;
}

static int bad_syntax(struct yaml_reading *r)
{
	const yaml_parser_t *p = &r->parser;
	size_t line = p->problem_mark.line + 1;
	const char *at = p->problem_mark.index < r->size
				 ? r->text + p->problem_mark.index
				 : "";

	if (p->error == YAML_READER_ERROR)
		return err_usage(r->err, ERR_PLACED,
			"line %zu: not UTF-8, or a control character",
			line_at(r, p->problem_offset));
	if (*at == '\t')
		return err_usage(r->err, ERR_PLACED,
			"line %zu: a tab: indent with blanks", line);
	return err_usage(r->err, ERR_PLACED, "line %zu: %s%s%s", line,
		p->problem ? p->problem : "this is not YAML",
		p->context ? " " : "", p->context ? p->context : "");
}

/* The next event; the caller deletes it. */
static int next_event(struct yaml_reading *r, yaml_event_t *event)
{
	return yaml_parser_parse(&r->parser, event) ? 0 : bad_syntax(r);
}

static int line_of(const yaml_event_t *event)
{
	return (int)event->start_mark.line + 1;
}

/* ---- the tree ------------------------------------------------------------*/

static int refuse(struct yaml_reading *r, int line, const char *what)
{
	return err_usage(r->err, ERR_PLACED, "line %d: %s", line, what);
}

static bool has_tag(const yaml_char_t *tag)
{
	return tag && strcmp((const char *)tag, "!") != 0;
}

/* What our files have no use for. */
static int check_event(struct yaml_reading *r, const yaml_event_t *event)
{
	static const char anchored[] =
		"anchors (&) are not supported: write the text out";
	static const char tagged[] = "tags (!) are not supported";
	int line = line_of(event);

	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return refuse(r, line, "aliases (*) are not supported: write the text out");
	case YAML_SCALAR_EVENT:
		if (event->data.scalar.anchor)
			return refuse(r, line, anchored);
		return has_tag(event->data.scalar.tag) ? refuse(r, line, tagged)
						       : 0;
	case YAML_MAPPING_START_EVENT:
		if (event->data.mapping_start.anchor)
			return refuse(r, line, anchored);
		return has_tag(event->data.mapping_start.tag)
			       ? refuse(r, line, tagged)
			       : 0;
	case YAML_SEQUENCE_START_EVENT:
		if (event->data.sequence_start.anchor)
			return refuse(r, line, anchored);
		return has_tag(event->data.sequence_start.tag)
			       ? refuse(r, line, tagged)
			       : 0;
	default:
		return 0;
	}
}

static int read_text(
	struct yaml_reading *r, const yaml_event_t *event, const char **text)
{
	const char *value = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;

	*text = arena_strndup(r->arena, value, len);
	if (strlen(*text) != len || !utf8_clean(*text))
		return refuse(r, line_of(event),
			"a control character within a text");
	return 0;
}

/* Names of a map, to find one that comes again. */
struct seen {
	const struct tree *tree;
	UT_hash_handle hh;
};

static int note_name(
	struct yaml_reading *r, struct seen **all, const struct tree *tree)
{
	struct seen *seen;

	HASH_FIND_STR(*all, tree->name, seen);
	if (seen)
		return err_usage(r->err, ERR_PLACED,
			"line %d: '%s' a second time; the first is in line %d",
			tree->line, tree->name, seen->tree->line);
	seen = arena_alloc(r->arena, sizeof(*seen));
	seen->tree = tree;
	HASH_ADD_KEYPTR(
		hh, *all, tree->name, strlen(tree->name), seen);
	return 0;
}

static int read_value(
	struct yaml_reading *r, yaml_event_t *event, struct tree **tree);

/* `name` stays NULL at the end of the map. */
static int read_name(struct yaml_reading *r, const char **name, int *line)
{
	yaml_event_t event;
	int rc;

	*name = NULL;
	if (next_event(r, &event))
		return -1;
	*line = line_of(&event);
	rc = check_event(r, &event);
	if (!rc && event.type == YAML_SCALAR_EVENT)
		rc = read_text(r, &event, name);
	else if (!rc && event.type != YAML_MAPPING_END_EVENT)
		rc = refuse(r, *line, "a name must be a text");
	yaml_event_delete(&event);
	return rc;
}

static int read_next(struct yaml_reading *r, struct tree **tree)
{
	yaml_event_t event;
	int rc;

	if (next_event(r, &event))
		return -1;
	rc = read_value(r, &event, tree);
	yaml_event_delete(&event);
	return rc;
}

static int read_map(struct yaml_reading *r, struct tree *map)
{
	struct tree **end = &map->first;
	struct seen *seen = NULL;
	const char *name;
	int rc, line;

	while (!(rc = read_name(r, &name, &line)) && name) {
		rc = read_next(r, end);
		if (rc)
			break;
		(*end)->name = name;
		(*end)->line = line;
		rc = note_name(r, &seen, *end);
		if (rc)
			break;
		end = &(*end)->next;
	}
	HASH_CLEAR(hh, seen);
	return rc;
}

static int read_list(struct yaml_reading *r, struct tree *list)
{
	struct tree **end = &list->first;
	int rc;

	while (!(rc = read_next(r, end)) && *end)
		end = &(*end)->next;
	return rc;
}

static int read_inside(struct yaml_reading *r, struct tree *tree)
{
	int rc;

	if (r->depth == DEEPEST)
		return refuse(r, tree->line, "nested too deeply");
	r->depth++;
	rc = tree->kind == TREE_MAP ? read_map(r, tree) : read_list(r, tree);
	r->depth--;
	return rc;
}

/* NULL at the end of a list. */
static int read_value(
	struct yaml_reading *r, yaml_event_t *event, struct tree **tree)
{
	struct tree *t;

	*tree = NULL;
	if (event->type == YAML_SEQUENCE_END_EVENT)
		return 0;
	if (check_event(r, event))
		return -1;
	t = arena_alloc(r->arena, sizeof(*t));
	*t = (struct tree){.line = line_of(event)};
	*tree = t;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		t->kind = TREE_TEXT;
		t->quoted =
			event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		return read_text(r, event, &t->text);
	case YAML_MAPPING_START_EVENT:
		t->kind = TREE_MAP;
		return read_inside(r, t);
	case YAML_SEQUENCE_START_EVENT:
		t->kind = TREE_LIST;
		return read_inside(r, t);
	default:
		return refuse(r, t->line, "this is not YAML");
	}
}

/* Skips the start events up to the first value; `document` is false for an
 * empty file. */
static int read_start(struct yaml_reading *r, bool *document)
{
	yaml_event_t event;
	yaml_event_type_t type;

	do {
		if (next_event(r, &event))
			return -1;
		type = event.type;
		yaml_event_delete(&event);
	} while (type == YAML_STREAM_START_EVENT);
	*document = type == YAML_DOCUMENT_START_EVENT;
	return 0;
}

static int read_end(struct yaml_reading *r)
{
	yaml_event_t event;
	int rc = 0;

	if (next_event(r, &event))
		return -1;
	yaml_event_delete(&event); /* of the document */
	if (next_event(r, &event))
		return -1;
	if (event.type != YAML_STREAM_END_EVENT)
		rc = refuse(r, line_of(&event), "a second document");
	yaml_event_delete(&event);
	return rc;
}

int tree_read(const char *text, size_t size, struct arena *arena,
	struct tree **tree, struct err *err)
{
	struct yaml_reading r = {
		.text = text, .size = size, .arena = arena, .err = err};
	bool document;
	int rc;

	if (!yaml_parser_initialize(&r.parser))
		return err_set(err, ERR_SYSTEM, "out of memory");
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
		&r.parser, (const unsigned char *)text, size);
	rc = read_start(&r, &document);
	if (!rc && !document)
		rc = err_usage(err, ERR_PLACED, "line 1: nothing is in it");
	if (!rc)
		rc = read_next(&r, tree) || read_end(&r) ? -1 : 0;
	yaml_parser_delete(&r.parser);
	return rc;
}

bool tree_is_nothing(const struct tree *tree)
{
	return tree->kind == TREE_TEXT && !tree->quoted &&
	       (!*tree->text || !strcmp(tree->text, "~") ||
		       !strcasecmp(tree->text, "null"));
}

const struct tree *tree_find(const struct tree *map, const char *name)
{
	for (const struct tree *t = map->first; t; t = t->next)
		if (!strcasecmp(t->name, name))
			return t;
	return NULL;
}
