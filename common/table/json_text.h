/*
 * A tree of json-c as text, straight into a stream: json-c's own printer drops
 * in silence what it finds no memory for.
 */
#ifndef BURSAR_JSON_TEXT_H
#define BURSAR_JSON_TEXT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_text {
	FILE *out;
	bool pretty;	    /* a line each; else all on one */
	bool plain_slashes; /* as they are, not as \/ */
};

/* Lines after the first are moved in to `level`. Reals are those of
 * json_object_new_double_s(). */
void json_text(const struct json_text *, struct json_object *, size_t level);

/* A new line, moved in to `level`; nothing where all is on one. */
void json_text_indent(const struct json_text *, size_t level);

#endif
