/*
 * sshare: shares, usage and fair-share factors of every association (Slurm's
 * src/sshare). Options are in cmd/sshare/options.c, fields in fields.c, which
 * rows in rows.c.
 */
#include "cmd/sshare/sshare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/timespec.h"
#include "db/entity/names.h"
#include "db/viewer/viewer.h"

/* ---- printing ------------------------------------------------------------*/

static struct json_object *share_record(const void *of, struct arena *arena)
{
	const struct row *row = of;
	struct json_object *record = json_record();

	json_put_members(record, &share_members, row, arena, row->tres);
	algorithm_members(row, record);
	return record;
}

/* Where a name is data, blanks in front of it would be, too. */
static void show_row(const struct row *row, void *arg)
{
	struct session *s = arg;
	struct row shown = *row;

	if (s->out.flat || s->options.mode == TABLE_CSV)
		shown.indent = 0;
	printout_row(&s->out, &shown);
}

void session_list(struct session *s, const char *cluster, unsigned details,
	void (*each)(const struct row *, void *session))
{
	struct arena arena;
	struct shares shares;

	arena_init(&arena);
	if (shares_load(s->store, s->policy, cluster, s->at, details, &arena,
		    &shares))
		cli_die(&s->err);
	sshare_each(&shares, &s->filter, &s->site, s->policy, &s->options,
		&s->scratch, each, s);
	arena_release(&arena);
}

/* A table that the terminal breaks is hard to read; the first and last columns
 * of it that matter most fit. */
static void offer_less(const struct session *s)
{
	const struct table *table = &s->grid.table;
	size_t room = cli_width(), width = table_width(table);

	if (room && table->mode == TABLE_FIXED && !s->options.format &&
		!s->options.algorithms.n && width > room)
		cli_hint("the table is %zu wide, the terminal %zu: "
			 "-o account,user,rawshares,rawusage,fairshare is "
			 "narrower",
			width, room);
}

/* Clusters have a table each; CSV and documents are one for all. */
static int list(struct session *s, const struct strv *clusters)
{
	bool together = s->options.form || s->options.mode == TABLE_CSV;
	unsigned details = SHARES_TRES_USAGE | SHARES_TRES_LIMITS;
	struct json_object *beside = NULL;

	if (!s->options.form) {
		details = sshare_details(&s->grid);
		offer_less(s);
		cli_pager();
	}
	for (size_t i = 0; i < clusters->n; i++) {
		if (s->options.clusters.text && !together)
			viewer_title(clusters, i);
		if (!together || !i)
			printout_begin(&s->out);
		session_list(s, clusters->v[i], details, show_row);
	}
	if (s->options.form) {
		beside = json_record();
		json_put_int(beside, "total_shares", 0);
	}
	printout_end(&s->out, beside);
	return 0;
}

/* ---- what -v says --------------------------------------------------------*/

static void say_list(const char *what, const struct strv *names, bool all)
{
	fprintf(stderr, "%s requested:\n", what);
	if (all)
		fputs("\t: all\n", stderr);
	for (size_t i = 0; !all && i < names->n; i++)
		fprintf(stderr, "\t: %s\n", names->v[i]);
}

/* ---- all -----------------------------------------------------------------*/

static void prepare(struct session *s, struct strv *clusters)
{
	s->columns = share_columns(&s->site.arena);
	grid_init(&s->grid, &s->columns, &s->site.arena);
	s->grid.table.mode = s->options.mode;
	s->grid.table.heading = s->options.heading;
	s->grid.table.style = site_style(&s->site);
	s->grid.table.scratch = &s->scratch;
	sshare_choose(&s->grid, &s->options, s->site.conf.policy.algorithm);
	/* --ndjson with -o has the chosen columns. */
	s->out = (struct printout){
		.grid = &s->grid,
		.form = s->options.form,
		.list = "shares/shares",
		.record = share_record,
		.flat = s->options.form == JSON_LINES && s->options.format,
		.catalog = &s->site.store.tres,
		.scratch = &s->scratch,
	};
	viewer_clusters(&s->site, &s->options.clusters, clusters);
	if (sshare_filter(&s->filter, &s->options, &s->site))
		cli_die(&s->err);
	if (!s->options.verbose)
		return;
	say_list("Users", &s->filter.users, s->filter.every_user);
	say_list("Accounts", &s->filter.accounts, !s->filter.accounts.n);
}

/* ---- at another time -----------------------------------------------------*/

/* Says what cannot be known, to people only. */
static void note_log(struct session *s)
{
	if (s->at >= s->past.log_begins || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr,
		"%s: note: the log of changes begins later (%s); all "
		"associations are shown as they were created\n",
		cli_name(),
		s->past.log_begins == INT64_MAX
			? "it is empty"
			: time_format(&s->scratch, s->past.log_begins, NULL,
				  s->site.now));
}

static void choose_time(struct session *s)
{
	s->store = &s->site.store;
	s->policy = &s->site.conf.policy;
	s->at = s->site.now;
	if (!s->options.at_text)
		return;
	s->at = option_time_of("--at", s->options.at_text, s->site.now);
	if (past_open(&s->past, &s->site.store, s->policy, true, false) ||
		past_move(&s->past, s->at))
		cli_die(&s->err);
	s->store = s->past.store;
	note_log(s);
}

/* One of the ways to look at shares, which exclude each other. */
static int run(struct session *s, const struct strv *clusters)
{
	const struct options *o = &s->options;
	const struct mode {
		const char *option;
		bool wanted;
		int (*run)(struct session *, const struct strv *clusters);
	} modes[] = {
		{"--what-if", o->what_if.n != 0, sshare_whatif},
		{"--explain", o->explain, sshare_explain},
		{"--forecast", o->forecast, sshare_forecast},
		{"--history", o->history, sshare_history},
	};
	const struct mode *chosen = NULL;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		if (!modes[i].wanted)
			continue;
		if (chosen)
			cli_fatal("%s and %s exclude each other",
				chosen->option, modes[i].option);
		chosen = &modes[i];
	}
	if (o->history && o->at_text)
		cli_fatal("--history has --start and --end, not --at");
	return chosen ? chosen->run(s, clusters) : list(s, clusters);
}

/* A name without its option. */
static _Noreturn void refuse_word(struct site *site, const char *word)
{
	struct nearest nearest;
	bool user, account;

	nearest_init(&nearest, word, strlen(word));
	user = store_nearest(&site->store, FROM_USERS, &nearest) > 0;
	account = store_nearest(&site->store, FROM_ACCOUNTS, &nearest) > 0;
	cli_error("Unrecognized word: %s", word);
	fprintf(stderr, "%s: did you mean %s %s?\n", cli_name(),
		account && !user ? "-A" : "-u", word);
	exit(1);
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;
	struct strv clusters;
	bool began;
	int status;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	sshare_options(&s.options, &arena, argc, argv);
	viewer_open(&s.site, false, &s.err);
	if (s.options.stray)
		refuse_word(&s.site, s.options.stray);
	prepare(&s, &clusters);
	choose_time(&s);
	began = store_begin_read(s.store);
	status = run(&s, &clusters);
	store_end_read(s.store, began);
	if (s.store != &s.site.store)
		past_close(&s.past);
	site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&arena);
	return status;
}
