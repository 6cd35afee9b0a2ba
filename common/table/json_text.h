/*
 * Writes a json-c object as text straight into a stream: json-c's own printer
 * silently leaves out what it finds no memory for.
 */
#ifndef BURSAR_JSON_TEXT_H
#define BURSAR_JSON_TEXT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_text {
	FILE *out;
	bool pretty;	    /* a line for each member; else all on one line */
	bool plain_slashes; /* slashes as they are, not as \/ */
};

/* Writes the object; lines after the first are indented to `level`. Reals must
 * have been made with json_object_new_double_s(). */
void json_text(const struct json_text *, struct json_object *, size_t level);

/* Writes a newline and the indent of `level`; nothing unless pretty. */
void json_text_indent(const struct json_text *, size_t level);

#endif
