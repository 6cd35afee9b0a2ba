/*
 * A document that people or programs wrote, YAML or JSON, as a tree of its
 * maps, lists and texts, each with its line. Every scalar is a text: what it
 * means is the reader's matter, so `no` and `0123` are names like others.
 *
 * More is refused than YAML forbids: a name that comes twice in a map, anchors
 * and aliases (a few lines of them grow to gigabytes), tags, a second document,
 * bytes that are no UTF-8.
 */
#ifndef BURSAR_TREE_H
#define BURSAR_TREE_H

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
	bool quoted;	  /* "null" is a text, null is nothing */
	struct tree *first, *next; /* what is in it; beside it */
	struct tree *last;	   /* of what was added to it */
};

/* The document of `size` bytes, in the arena. -1: the error begins with the
 * line at fault. */
int tree_read(const char *text, size_t size, struct arena *, struct tree **,
	struct err *);

/* Is it nothing: empty, `null` or `~`? */
bool tree_is_nothing(const struct tree *);

/* A new map, or text, at the end of a map; the text as it is. `plain`: a
 * number, which stands without quotes. */
struct tree *tree_add_map(struct tree *map, const char *name, struct arena *);
void tree_add_text(struct tree *map, const char *name, const char *text,
	bool plain, struct arena *);

/* Writes it in lines with blanks in front, as YAML or as JSON; reads as the
 * same. */
void tree_write(FILE *, const struct tree *, bool json);

/* The member of a map by that name, ignoring case; NULL when it has none. */
const struct tree *tree_find(const struct tree *map, const char *name);

#endif
