/*
 * What the parts of scontrol share.
 */
#pragma once

#include <stdbool.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/cli/options.h"
#include "common/table/json.h"
#include "common/table/member.h"
#include "db/entity/site.h"
#include "db/view/machine.h"

struct session {
	struct arena *arena; /* lives as long as the program; options need it
				first */
	bool all, details, future, one_line, quiet;
	int verbose;
	struct option_clusters clusters;
	enum json_form form;
	struct site site;
	struct machine machine;
	struct arena scratch;
	struct err err;
	char **words; /* behind the word of `show` */
	int n_words;
	int status;
};

/* Opens site and store. */
void scontrol_open(struct session *);

/* The same, where slurm.conf is enough without a store; and loads nodes,
 * partitions and reservations. */
void scontrol_load(struct session *);

/* Marks of a member that is shown as `key=value`. */
enum {
	SHOWN_LINE = MEMBER_OWN_MARK,	     /* on a line of its own */
	SHOWN_DETAIL = MEMBER_OWN_MARK << 1, /* only with -d */
};

/* Text that may be NULL or empty: then no value, or "(null)". */
struct value some_text(const char *);
const char *or_null_text(const char *);

/* The fields of a record, `Key=value` by the members' names; a member without a
 * value is left out. `line` begins a new line, where they are not all on one. */
void scontrol_fields(struct session *, const struct members *,
	const void *record, const char *line);

/* A record as Slurm prints one, with a blank line behind it. */
void scontrol_record(
	struct session *, const struct members *, const void *record);

/* Prints the record by the members `shown`; where there is a document, adds it to
 * that by the members `documented`. */
void scontrol_show(struct session *, struct json_doc *,
	const struct members *shown, const struct members *documented,
	const void *record);

/* With --json and --yaml a document of that name; NULL without. Its end says
 * when it was made, behind what `beside` (or NULL) has. */
struct json_doc *scontrol_begin(
	struct session *, struct json_doc *, const char *name);
void scontrol_end(
	struct session *, struct json_doc *, struct json_object *beside);

/* "KIND NAME not found", status 1; nothing with -Q. */
void scontrol_missing(struct session *, const char *kind, const char *name);

/* Those that slurmctld always counts, then AccountingStorageTRES. */
struct strv scontrol_tres(struct session *);

/* What `show` shows. Each is given the name behind the word, or NULL. */
void show_aliases(struct session *, const char *name);
void show_assoc_mgr(struct session *, const char *name);
void show_config(struct session *, const char *name);
void show_hostlist(struct session *, const char *name);
void show_hostnames(struct session *, const char *name);
void show_hostlistsorted(struct session *, const char *name);
void show_federation(struct session *, const char *name);
void show_jobs(struct session *, const char *name);
void show_licenses(struct session *, const char *name);
void show_nodes(struct session *, const char *name);
void show_partitions(struct session *, const char *name);
void show_reservations(struct session *, const char *name);
void show_steps(struct session *, const char *name);
void show_topology(struct session *, const char *name);
