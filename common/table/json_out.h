/*
 * A document while it is written, piece by piece: as JSON, straight into the
 * stream (json-c's own printer silently leaves out what it finds no memory
 * for), or as YAML through libyaml's events, every scalar with its type. For
 * common/table/json.c only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/err.h"

struct json_object;
struct json_yaml; /* libyaml's side */

enum json_kind { JSON_MAP, JSON_LIST };

struct json_out {
	FILE *out;
	bool pretty;	    /* a line for each member; else all on one line */
	bool plain_slashes; /* slashes as they are, not as \/ */
	struct json_yaml *yaml; /* NULL: JSON */
	size_t level; /* how many maps and lists are open */
	bool any;     /* the innermost has something already */
	bool named;   /* a name was written, its value comes next */
};

/* Makes it one of YAML: begins a stream with one document; `flow`: in flow
 * style, {a: 1}. Out of memory ends the program. json_out_end frees it. */
void json_out_yaml(struct json_out *, bool flow);

/* The beginning and the end of a map or list. */
void json_out_open(struct json_out *, enum json_kind);
void json_out_close(struct json_out *, enum json_kind);

/* The name of the member that comes next. */
void json_out_name(struct json_out *, const char *name, size_t len);

/* Writes a whole json-c object, list or scalar. Reals must have been made with
 * json_object_new_double_s(). */
void json_out_value(struct json_out *, struct json_object *);

/* Ends the document. 0; -1 with err: an event of libyaml failed. */
int json_out_end(struct json_out *, struct err *);
