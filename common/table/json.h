/*
 * Documents for machines, one record at a time so that memory stays flat: JSON
 * (json-c), YAML (libyaml), or one JSON object a line. The layout is that of
 * Slurm's data_parser/v0.0.45 (spec/sacctmgr.md 1.5, priority.md 6.6,
 * reporting.md 3.7): the list of records, then `meta`, `errors`, `warnings`.
 *
 *	struct json_doc doc;
 *	json_begin(&doc, stdout, JSON_PRETTY, "shares/shares");
 *	for (each row) {
 *		struct json_object *record = json_record();
 *		json_put(record, "max/jobs/per/count", &value, &catalog);
 *		json_write(&doc, record);
 *	}
 *	json_end(&doc, NULL, &meta, &err);
 *
 * The only part of Bursar that knows those two libraries. A record is an object
 * of theirs, which callers need not look into.
 */
#ifndef BURSAR_JSON_H
#define BURSAR_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/text/tres.h"
#include "common/text/value.h"

struct member;
struct members;
struct json_object;
struct json_yaml; /* libyaml's side of a document */

#define JSON_DATA_PARSER "data_parser/v0.0.45"

enum json_form {
	JSON_NONE, /* no machine output asked for */
	JSON_PRETTY,
	JSON_COMPACT, /* no blanks, one line */
	JSON_LINES,   /* --ndjson: a record a line, nothing around them */
	JSON_YAML,
	JSON_YAML_COMPACT, /* flow style */
};

struct json_doc {
	FILE *out;
	enum json_form form;
	const char *path; /* of the list of records */
	size_t depth;	  /* members on that path */
	size_t records;	  /* written so far */
	struct json_yaml *yaml;
};

/* What `meta` says of the run. The caller keeps the memory. */
struct json_meta {
	char *const *argv;
	int argc;
	const char *cluster;
	const char *user; /* login name of the caller */
};

/*
 * The form that `--json` or `--yaml` stands for: pretty, unless the text of
 * SLURM_JSON or SLURM_YAML (NULL: unset) asks for compact. Any other word has
 * no effect.
 */
enum json_form json_form(bool yaml, const char *environment);

/*
 * Judges the value of `--json=WHAT` or `--yaml=WHAT` (NULL: none). 0: go on; 1:
 * print the list of parsers ("list") and exit; -1: unknown parser.
 */
int json_parser_check(const char *what, bool yaml, struct err *);

/* ---- records -------------------------------------------------------------*/

/* An empty record; json_write or json_append takes it over. Out of memory
 * ends the program, as in common/base/arena.h. */
struct json_object *json_record(void);

/*
 * Sets the member at `path` ("max/jobs/per/count": objects on the way are
 * made). The value's type decides: limits, times with a unit and reals become
 * {set, infinite, number}, TRES lists of {type, name, id, count}, shares plain
 * integers, no value null. NaN counts as unset.
 */
void json_put(struct json_object *record, const char *path,
	const struct value *, const struct tres_catalog *);

/* Every member of the row that has a path (common/table/member.h). What getters
 * need lies in the arena. */
void json_put_members(struct json_object *record, const struct members *,
	const void *row, struct arena *, const struct tres_catalog *);

/* The same, as flat data wants it (json_put_plain). */
void json_put_members_plain(struct json_object *record, const struct members *,
	const void *row, struct arena *, const struct tres_catalog *);

/* The member `name`, as flat data wants it: a number, null when it is unset;
 * TRES as an object of numbers; shares may be "parent". */
void json_put_plain(struct json_object *record, const char *name,
	const struct value *, const struct tres_catalog *);

/* What flat data has of a member: its key and plain value. */
void json_put_flat(struct json_object *record, const struct member *,
	const void *row, struct arena *, const struct tres_catalog *);

/* Plain members, without {set, infinite, number}. */
void json_put_text(struct json_object *record, const char *path, const char *);
void json_put_int(struct json_object *record, const char *path, int64_t);
void json_put_real(struct json_object *record, const char *path, double);

/* An object as a member; taken over. NULL: null. */
void json_put_object(struct json_object *record, const char *path,
	struct json_object *object);

/* Adds `element` to the list at `path`, which is made when it is not there. A
 * NULL element just makes the list. */
void json_append(struct json_object *record, const char *path,
	struct json_object *element);

/* Gives back a record that was not written. */
void json_discard(struct json_object *record);

/* ---- documents -----------------------------------------------------------*/

/* Begins a document whose records go into the list at `path`, which must live
 * as long. Errors of the stream show in ferror(out). */
void json_begin(struct json_doc *, FILE *out, enum json_form, const char *path);

/* A whole document of nothing but errors, each with its text and the program it
 * came from. */
void json_errors(FILE *out, const char *const *texts, size_t n,
	const char *program, const struct json_meta *);

/* Puts the error into the document that is written later, or at hand. */
void json_note_error(const char *program, const char *text);

/* Has this process begun a document? */
bool json_begun(void);

/* Writes the record into the list and gives its memory back. */
void json_write(struct json_doc *, struct json_object *record);

/*
 * Ends the list and the document. `beside`, or NULL: members beside the list
 * (`total_shares`); taken over. -1 when libyaml failed for another reason than
 * the stream.
 */
int json_end(struct json_doc *, struct json_object *beside,
	const struct json_meta *, struct err *);

/* A whole document around one object that stands at `name` (no list: a
 * configuration, statistics). The object is taken over. */
int json_single(FILE *out, enum json_form, const char *name,
	struct json_object *object, const struct json_meta *, struct err *);

#endif
