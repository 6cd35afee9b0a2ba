/*
 * Documents for machines, one record at a time so that memory stays flat: JSON
 * (json-c), YAML (libyaml), or one JSON object a line. The layout is that of
 * Slurm's data_parser/v0.0.45: the list of records, then `meta`, `errors`,
 * `warnings`.
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
 * No other part of Bursar calls those two libraries. A record is a json-c object,
 * which callers need not look into. Functions that return int give 0, or -1 with
 * err set.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/table/json_out.h"
#include "common/text/tres.h"
#include "common/text/value.h"

struct member;
struct members;
struct json_object;

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
	struct json_out out;
	enum json_form form;
	const char *path; /* of the list of records: "shares/shares" */
	size_t depth;	  /* how many names that path has */
	size_t records;	  /* written so far */
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

/* Puts every member of the row that has a path (common/table/member.h). What
 * the getters compute lies in the arena. */
void json_put_members(struct json_object *record, const struct members *,
	const void *row, struct arena *, const struct tres_catalog *);

/* Puts every member of the row that has a path, as json_put_plain does: its
 * plain value, and under the key `also` what is printed. */
void json_put_members_plain(struct json_object *record, const struct members *,
	const void *row, struct arena *, const struct tres_catalog *);

/* Sets the member `name` in the form of flat data: a number, null when it is
 * unset; TRES as an object of numbers; shares may be "parent". */
void json_put_plain(struct json_object *record, const char *name,
	const struct value *, const struct tres_catalog *);

/* Puts a member as flat data: its key (member_key) and its plain value
 * (member_plain), and under the key `also` what is printed. */
void json_put_flat(struct json_object *record, const struct member *,
	const void *row, struct arena *, const struct tres_catalog *);

/* Set the member at `path` to a bare text or number, without {set, infinite,
 * number}. */
void json_put_text(struct json_object *record, const char *path, const char *);
void json_put_int(struct json_object *record, const char *path, int64_t);
void json_put_real(struct json_object *record, const char *path, double);

/* Sets the member at `path` to an object, which is taken over. NULL: null. */
void json_put_object(struct json_object *record, const char *path,
	struct json_object *object);

/* Adds `element`, which is taken over, to the list at `path`; makes the list
 * when it is missing. A NULL element only makes the list. */
void json_append(struct json_object *record, const char *path,
	struct json_object *element);

/* ---- documents -----------------------------------------------------------*/

/* Begins a document whose records go into the list at `path`; the text of
 * `path` must live as long as the document. Errors of writing show in
 * ferror(out). */
void json_begin(struct json_doc *, FILE *out, enum json_form, const char *path);

/* Writes a whole document that has only errors: the `n` texts, each with the
 * name of the program. JSON, which YAML readers take too. */
void json_errors(FILE *out, const char *const *texts, size_t n,
	const char *program, const struct json_meta *);

/* Keeps an error for the list `errors` of the document that this process is
 * writing or will write: the first 16, cut at 511 bytes. */
void json_note_error(const char *program, const char *text);

/* What is listed is as of `as_of` (epoch seconds; 0: unknown), `age` seconds ago
 * (-1: unknown), because of `why` (NULL: it is as of now): `meta` of the document
 * says so, in `replica`. */
void json_note_age(int64_t as_of, int64_t age, const char *why);

/* Has this process begun a document? */
bool json_begun(void);

/* Writes the record into the list and frees it. */
void json_write(struct json_doc *, struct json_object *record);

/*
 * Ends the list and the document. `beside`, or NULL: an object whose members
 * are written beside the list (`total_shares`); taken over. -1: libyaml failed
 * for another reason than the stream.
 */
int json_end(struct json_doc *, struct json_object *beside,
	const struct json_meta *, struct err *);
