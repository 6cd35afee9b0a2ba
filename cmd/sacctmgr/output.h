/*
 * Documents of sacctmgr: `--json` and `--yaml` (Slurm's
 * src/plugins/data_parser/v0.0.45). The tables of members say what a record
 * has: members with a path; records inside a record are a member too
 * (MEMBER_RECORDS).
 *
 *	struct document doc;
 *	document_open(&doc, s, "pings");
 *	for (each row)
 *		document_row(&doc, &(struct record_part){&ping_columns, &row},
 *1); document_close(&doc);
 *
 * A listing (struct listing) does this by itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/base/strv.h"
#include "common/table/fields.h"
#include "common/table/json.h"
#include "db/entity/assoc.h"

struct entity;
struct record_part;
struct session;

struct document {
	struct session *session;
	struct json_doc doc;
	struct arena scratch; /* for one record */
};

/* Was --json or --yaml given? A command that has nothing to say in a document
 * need not ask. */
bool document_wanted(const struct session *);

/* The name of the list of an entity: "users". In the command's arena. */
const char *document_key(struct session *, const struct entity *);

/* Begins a document on standard output whose records go into the list `key`,
 * which must live as long. */
void document_open(struct document *, struct session *, const char *key);

/* A record of every member that the tables of the parts have a path for. */
void document_row(
	struct document *, const struct record_part *parts, size_t n_parts);

/* The same, to be given to document_write. */
struct json_object *document_record(
	struct document *, const struct record_part *parts, size_t n_parts);

/* A record made by hand (common/table/json.h); taken over. */
void document_write(struct document *, struct json_object *record);

/* Ends it; complains when it could not be written. */
void document_close(struct document *);

/* ---- records inside a record ---------------------------------------------*/

/* {name, direct}: an account's coordinators, or accounts a user coordinates.
 * `direct` are the names that are not inherited. */
struct value_records coordinator_rows(
	const struct strv *names, const struct strv *direct, struct arena *);

/*
 * Associations by the account or the user they belong to: found in no time,
 * in the order of the list.
 */
struct assoc_index {
	const void **v; /* struct assoc, by name, then as they came */
	size_t n;
	bool by_user;
};

void assoc_index_make(struct assoc_index *, const struct assoc_list *,
	bool by_user, struct arena *);

/* Those of one account or user (user names: case ignored). */
struct value_records assoc_index_find(
	const struct assoc_index *, const char *name);
