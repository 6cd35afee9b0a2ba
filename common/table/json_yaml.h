/*
 * The YAML side of common/table/json.c: json-c objects written through
 * libyaml's events, every scalar with its type (spec/sacctmgr.md 1.1,
 * `--yaml`). For common/table/json.c only.
 */
#ifndef BURSAR_JSON_YAML_H
#define BURSAR_JSON_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/err.h"

struct json_object;
struct json_yaml;

enum json_yaml_kind { JSON_YAML_MAP, JSON_YAML_LIST };

/* Begins a stream with one document; `flow`: in flow style, {a: 1}. Out of
 * memory ends the program. json_yaml_end frees it. */
struct json_yaml *json_yaml_begin(FILE *out, bool flow);

/* The beginning and the end of a map or list. */
void json_yaml_open(struct json_yaml *, enum json_yaml_kind);
void json_yaml_close(struct json_yaml *, enum json_yaml_kind);

/* The name of the member that comes next. */
void json_yaml_name(struct json_yaml *, const char *name, size_t len);

/* Writes a whole json-c object, list or scalar. */
void json_yaml_object(struct json_yaml *, struct json_object *);

/* Ends the document and frees the writer. 0; -1 with err: an event failed. */
int json_yaml_end(struct json_yaml *, struct err *);

#endif
