/*
 * A YAML or JSON document, written by people or programs, as a tree of maps,
 * lists and texts, each with its line. Every scalar is a text, which the caller
 * interprets: `no` and `0123` are names like others.
 *
 * Refused, though YAML allows it: a name that comes twice in a map, anchors
 * and aliases (a few lines of them grow to gigabytes), tags, a second document,
 * bytes that are not UTF-8.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/err.h"

enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAP };

struct tree {
	enum tree_kind kind;
	int line;
	const char *name; /* its key in the map that holds it; else NULL */
	const char *text; /* of a TREE_TEXT */
	bool quoted;	  /* "null" in quotes is a text, bare null is nothing */
	struct tree *first, *next; /* first child; next in the same parent */
	struct tree *last;	   /* last child that was added (tree_add_...) */
};

/* Reads the document of `size` bytes; the tree lies in the arena. 0, or -1: the
 * error begins with the line at fault. */
int tree_read(const char *text, size_t size, struct arena *, struct tree **,
	struct err *);

/* Is the value nothing: empty, or `null` or `~` without quotes? */
bool tree_is_nothing(const struct tree *);

/* Append a map, or a text, to a map; name and text are not copied. `plain`: the
 * text is a number, written without quotes. */
struct tree *tree_add_map(struct tree *map, const char *name, struct arena *);
void tree_add_text(struct tree *map, const char *name, const char *text,
	bool plain, struct arena *);

/* Writes the tree with indented lines, as YAML or as JSON; tree_read makes the
 * same tree of it. */
void tree_write(FILE *, const struct tree *, bool json);

/* The member of a map by that name, ignoring case; NULL when it has none. */
const struct tree *tree_find(const struct tree *map, const char *name);
