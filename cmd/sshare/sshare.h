/*
 * What the parts of sshare share: its options, its rows and its fields (Slurm's
 * src/sshare).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/base/strv.h"
#include "common/cli/options.h"
#include "common/cli/printout.h"
#include "common/draw/plot.h"
#include "common/fair/explain.h"
#include "common/text/value.h"
#include "db/entity/privacy.h"
#include "db/entity/site.h"
#include "db/past/past.h"
#include "common/draw/svg.h"
#include "db/view/shares.h"

/* Fair-share algorithms beside each other, each once. */
struct algorithms {
	enum fairshare_algorithm v[3];
	size_t n;
};

struct options {
	struct arena *arena;
	const char *stray; /* a word that belongs to nothing */
	struct strv accounts, users;
	struct option_clusters clusters;
	const char *format; /* every -o, a comma behind each */
	bool all_users, users_only, with_partition, long_list;
	bool heading;
	enum table_mode mode;
	enum json_form form;
	int verbose;
	/* Only in Bursar. */
	struct algorithms algorithms; /* --algorithm */
	bool explain;
	const char *at_text; /* --at, or NULL */
	struct strv what_if; /* as typed */
	bool forecast, history, plot;
	/* NULL: not given. */
	const char *forecast_text, *start_text, *end_text, *svg;
};

/* Fills the options from the command line; may end the program. */
void sshare_options(struct options *, struct arena *, int argc, char **argv);

/* ---- rows ----------------------------------------------------------------*/

/* One row on its way to a cell or a member. */
struct row {
	const struct shares *shares;
	uint32_t index; /* of shares->v and shares->tree */
	unsigned indent; /* of Account */
	const struct tres_catalog *tres;
	/* --algorithm: the same tree, computed by each. */
	const struct algorithms *algorithms;
	const struct fs_tree *by_algorithm;
};

/* Who sees which rows (spec 6.2). */
struct filter {
	struct strv users; /* unless every_user */
	bool every_user;
	struct strv accounts; /* empty: any */
	struct privacy privacy;
};

/* Fills the filter; a wrong user id ends the program. */
int sshare_filter(struct filter *, const struct options *, struct site *);

/* May the caller see the row at all? */
bool sshare_may_see(const struct filter *, const struct share *);

/*
 * Calls `each` for every row of the cluster that passes, in order; with -U
 * (not in documents) accounts are left out. `scratch` is reset before each.
 */
void sshare_each(const struct shares *, const struct filter *,
	const struct site *, const struct policy *, const struct options *,
	struct arena *scratch, void (*each)(const struct row *, void *arg), void *arg);

/* ---- members -------------------------------------------------------------*/

/* Of a struct row, in the order of Slurm's records (spec 6.6). `arg` of what
 * is a column: what shares_load must bring for it (SHARES_TRES_...). */
extern const struct members share_members;

/* The same, columns in the order in which abbreviations are matched. */
struct members share_columns(struct arena *);

/* Chooses the columns by -o, or else those of the mode (spec 6.3); ends the
 * program at an unknown field. */
void sshare_choose(struct grid *, const struct options *,
	enum fairshare_algorithm);

/* What shares_load must bring for the columns. */
unsigned sshare_details(const struct grid *);

/* ---- algorithms beside each other -----------------------------------------*/

/* Takes a comma list of names; any unique beginning will do. -1: an unknown
 * name, or an empty list (ERR_USAGE). */
int algorithms_read(struct algorithms *, const char *list, struct err *);

/* The columns that --algorithm adds behind the others. */
void algorithm_columns(struct grid *, const struct algorithms *);

/* What the formulas of `algorithms` make of the tree; in the arena. */
struct fs_tree *algorithms_compute(const struct shares *,
	const struct algorithms *, const struct policy *, struct arena *);

/* What they show as members of the row's record. */
void algorithm_members(const struct row *, struct json_object *record);

/* ---- plots and pictures ----------------------------------------------------*/

/* How many moments a plot has in a terminal of so many columns. */
size_t sshare_plot_width(size_t columns);

/* Prints the area; height, characters and whether it is coloured are ours. */
void sshare_plot(const struct plot_area *, struct arena *);

/* Chooses the `n` rows with the largest of `of` keys as lines of a picture.
 * places[0 .. n-1] get their indexes, in ascending order. NAN is smallest. */
void sshare_largest(const double *keys, size_t of, size_t n, size_t *places,
	struct arena *);

/* Draws the picture into the file; "-" is standard output. A failure ends the
 * program with its message. */
void sshare_write_svg(const char *path,
	void (*draw)(const void *picture, FILE *), const void *picture);

struct forecast;
struct history;

/* ---- a run of the program --------------------------------------------------*/

struct session {
	struct options options;
	struct site site;
	struct filter filter;
	struct members columns; /* that can be asked for */
	struct grid grid;
	struct printout out;
	struct json_doc doc;
	struct arena scratch;
	struct err err;
	/* What is listed: the store as it is, or a copy at another time. */
	struct store *store;
	const struct policy *policy;
	int64_t at;
	struct past past;
	struct history *history;   /* of --history, while it runs */
	struct forecast *forecast; /* of --forecast */
	size_t told; /* how many explanations were given */
	struct explain_memory explained; /* of one cluster's users */
};

/* Who chooses a colour first: as in the pictures of all programs. */
void sshare_books(struct session *, const char *cluster, struct arena *,
	struct svg_book *users, struct svg_book *accounts);

/* Calls `each` with every row of the cluster that passes, the session as its
 * argument. Errors end the program. */
void session_list(struct session *, const char *cluster, unsigned details,
	void (*each)(const struct row *, void *session));

/* --explain, for the users the filter lets through; gives the exit status. */
int sshare_explain(struct session *, const struct strv *clusters);

/* Says that no user was chosen; gives the exit status. */
int sshare_nobody(struct session *);

/* --history and --forecast; give the exit status. */
int sshare_history(struct session *, const struct strv *clusters);
int sshare_forecast(struct session *, const struct strv *clusters);

/* --what-if; gives the exit status. */
int sshare_whatif(struct session *, const struct strv *clusters);

/* How many of n lines a picture has: 8 can be told apart; of users who were named
 * it has 16. */
size_t sshare_lines(const struct session *, size_t n);
