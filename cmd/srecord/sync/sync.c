/*
 * srecord sync: the words, the rounds, and what is said of them.
 */
#include "cmd/srecord/sync/sync.h"

#include "cmd/srecord/rollups.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/stopwatch.h"
#include "common/cli/cli.h"
#include "db/entity/cluster.h"
#include "db/store/meta.h"

/* Records of an hour before the last round may have come late. */
enum { OVERLAP = 3600, TIMEOUT = 60, SKEW = 60 };

#define W(names, type, member, help)                                           \
	{                                                                      \
		names, WORD_##type, offsetof(struct sync_words, member), help, \
			NULL                                                   \
	}

/* clang-format off */
const struct word_row sync_words[] = {
	W("from:4", TEXT, from, "slurm: its commands; mysql or mysql://USER@HOST[:PORT]/NAME"),
	W("bin:3", TEXT, bin, "folder of Slurm's commands; default: looked for in PATH"),
	W("conf:4", TEXT, conf, "Slurm's slurm.conf; default: as for every program"),
	W("cluster:7", LOWER, cluster, "which one; default: ClusterName"),
	W("passfile:8", TEXT, passfile, "file with the password of the database"),
	W("assoc_usage:11", TEXT, assoc_usage, "raw usage from this state file of slurmctld"),
	W("start:5", PAST, start, "the first time: no jobs that ended before"),
	W("timeout:7", AMOUNT, timeout, "seconds Slurm may be silent; default 60"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};
/* clang-format on */

static const struct sync_source *const sources[] = {
	&sync_from_slurm,
#ifdef HAVE_MARIADB
	&sync_from_mysql,
#endif
};

enum { SOURCES = sizeof(sources) / sizeof(*sources) };

/* ---- positions -----------------------------------------------------------*/

static const char *position_key(struct sync *sync, const char *what)
{
	return arena_printf(
		&sync->arena, "sync %s %s", sync->cluster, what);
}

int sync_position(struct sync *sync, const char *what, int64_t *position)
{
	return meta_get_int(
		sync->s->store, position_key(sync, what), position);
}

int sync_set_position(struct sync *sync, const char *what, int64_t position)
{
	return meta_set_int(
		sync->s->store, position_key(sync, what), position);
}

int sync_note_position(struct sync *sync, const char *what, int64_t position)
{
	return meta_note_int(
		sync->s->store, position_key(sync, what), position);
}

const char *sync_fill(struct sync *sync, const char *text, int64_t time)
{
	const char *filled = "";

	for (const char *mark; (mark = strchr(text, '{')); text = mark + 3) {
		filled = mark[1] == 'c'
			? arena_printf(&sync->arena, "%s%.*s%s", filled,
				  (int)(mark - text), text, sync->cluster)
			: arena_printf(&sync->arena, "%s%.*s%" PRId64, filled,
				  (int)(mark - text), text, time);
	}
	return arena_printf(&sync->arena, "%s%s", filled, text);
}

/* ---- a round -------------------------------------------------------------*/

static int sync_jobs(struct sync *sync)
{
	int64_t since = sync->words.start.given ? sync->words.start.v : 0;

	if (sync_position(sync, "jobs", &since))
		return -1;
	return sync->source->jobs(sync, since > OVERLAP ? since - OVERLAP : 0);
}

static int sync_roster(struct sync *sync)
{
	return sync_entities(sync, true, sync->report);
}

static int sync_queue(struct sync *sync)
{
	return sync->source->queue ? sync->source->queue(sync) : 0;
}

static const struct sync_part {
	const char *name;
	int (*run)(struct sync *);
} parts[] = {
	{"associations", sync_roster},
	{"events", sync_events},
	{"jobs", sync_jobs},
	{"the queue", sync_queue},
	{"usage", sync_usage},
};

static int all_parts(struct sync *sync)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].run(sync))
			return err_prefix(&sync->s->err, "%s", parts[i].name);
	return 0;
}

static bool is_from(const struct sync *sync, const struct sync_source *source)
{
	const char *from = sync->words.from;

	return !from || !strncmp(from, source->name, strlen(source->name));
}

static void close_source(struct sync *sync)
{
	if (sync->source && sync->source->close)
		sync->source->close(sync);
}

/* The first source that answers, or the one that was asked for. */
static int open_source(struct sync *sync)
{
	struct err first = {0};
	bool tried = false;

	for (size_t i = 0; i < SOURCES; i++) {
		if (!is_from(sync, sources[i]))
			continue;
		sync->source = sources[i];
		sync->of_source = NULL;
		if (!sources[i]->open(sync))
			return 0;
		close_source(sync);
		if (!tried)
			first = sync->s->err;
		tried = true;
	}
	sync->source = NULL;
	if (tried) {
		sync->s->err = first;
		return -1;
	}
#ifndef HAVE_MARIADB
	if (!strncmp(sync->words.from, "mysql", 5))
		return err_set(&sync->s->err, ERR_USAGE,
			"from=mysql: this program was built without "
			"libmariadb");
#endif
	return err_set(&sync->s->err, ERR_USAGE,
		"from: '%s' is neither slurm nor mysql", sync->words.from);
}

static void say(uint64_t n, const char *what)
{
	if (n)
		fprintf(stderr, ", %" PRIu64 " %s", n, what);
}

/* What was not taken over as it is, is listed. */
static void summary(const struct sync *sync, double took)
{
	const struct import_counts *jobs = &sync->jobs;

	fprintf(stderr, "%s: cluster %s from %s: %" PRIu64 " jobs", cli_name(),
		sync->cluster, sync->source->name, jobs->added + jobs->changed);
	say(jobs->added, "new");
	say(jobs->changed, "changed");
	say(sync->changed, "other records changed");
	say(jobs->refused, "refused");
	fprintf(stderr, "; %.1f s\n", took);
	for (size_t i = 0; i < jobs->left.n; i++) {
		const struct left_reason *r = &jobs->left.v[i];

		cli_error("%s: %s", r->text,
			strv_join_some(&r->which, ", ", jobs->left.arena));
	}
}

static int add_sync_cluster(void *arg)
{
	struct sync *sync = arg;

	return cluster_add(sync->s->store, sync->cluster, &(struct settings){0},
		&sync->arena);
}

static int find_sync_cluster(struct sync *sync, bool add)
{
	sync->cluster = sync->words.cluster ? sync->words.cluster
					    : sync->s->site->cluster;
	sync->cluster_key = cluster_key(sync->s->store, sync->cluster);
	if (sync->cluster_key || !add)
		return sync->cluster_key < 0 ? -1 : 0;
	if (store_change_bulk(sync->s->store, add_sync_cluster, sync))
		return -1;
	sync->cluster_key = cluster_key(sync->s->store, sync->cluster);
	return sync->cluster_key > 0 ? 0 : -1;
}

static double seconds(void)
{
	return (double)stopwatch_usec() / 1e6;
}

/* What Slurm says has happened must not lie in the future here. */
static int agree_on_now(struct sync *sync)
{
	struct site *site = sync->s->site;
	int64_t ahead = sync->now - site->now;

	if (ahead > SKEW || ahead < -SKEW)
		cli_error("the clock of Slurm's host is %" PRId64 " seconds "
			  "%s this machine's; its times count",
			ahead < 0 ? -ahead : ahead,
			ahead < 0 ? "behind" : "ahead of");
	return ahead > 0 ? site_refresh_at(site, sync->now) : 0;
}

/* Brings the store up to date. */
static int follow_slurm(struct sync *sync, double began)
{
	if (all_parts(sync) ||
		meta_note_int(sync->s->store, META_FOLLOWS, sync->now))
		return -1;
	summary(sync, seconds() - began);
	return sync->jobs.left.n ? SYNC_LEFT : 0;
}

/* Nothing is written. 1: something differs. */
static int verify(struct sync *sync)
{
	int records = sync_entities(sync, false, true);
	int numbers = records < 0 ? -1 : sync_verify(sync);

	return numbers < 0 ? -1 : records || numbers;
}

/* 0, 1: something differs (with --verify), SYNC_LEFT, -1. */
static int one_round(struct recording *s, const struct sync_words *words,
	const struct sync_options *options)
{
	struct sync sync = {
		.s = s, .words = *words, .report = options->report};
	double began = seconds();
	int rc;

	arena_init(&sync.arena);
	sync.jobs.left.arena = &sync.arena;
	rc = site_refresh(s->site) ||
			     find_sync_cluster(&sync, !options->verify) ||
			     open_source(&sync) || agree_on_now(&sync)
		     ? -1
		     : 0;
	if (!rc)
		rc = options->verify ? verify(&sync) : follow_slurm(&sync, began);
	close_source(&sync);
	arena_release(&sync.arena);
	return rc;
}

/* ---- all -----------------------------------------------------------------*/

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	(void)number;
	stopped = 1;
}

static int read_typed(
	struct recording *s, char **words, int n, struct sync_words *typed)
{
	*typed = (struct sync_words){.timeout = {true, TIMEOUT}};
	return read_words(s, sync_words, words, n, typed);
}

/* A round that fails is told, and the next one tries again. What was typed is
 * read for each: it lies in the arena of the round. */
static int follow(struct recording *s, char **words, int n,
	const struct sync_options *options)
{
	struct sigaction action = {.sa_handler = stop};
	int rc = 0;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	while (!stopped) {
		struct timespec wait = {.tv_sec = options->follow};
		struct sync_words typed;

		rc = read_typed(s, words, n, &typed)
			     ? -1
			     : one_round(s, &typed, options);
		if (rc < 0 && !stopped)
			cli_print_err(&s->err);
		if (rc >= 0)
			follow_with_rollups(s, true);
		arena_reset(&s->arena);
		if (!stopped)
			nanosleep(&wait, NULL);
	}
	return 0;
}

int record_sync(struct recording *s, const struct sync_options *options,
	char **words, int n)
{
	struct sync_words typed;

	if (read_typed(s, words, n, &typed))
		return -1;
	if (options->end)
		return meta_note_int(s->store, META_FOLLOWS, 0);
	if (options->follow)
		return follow(s, words, n, options);
	return one_round(s, &typed, options);
}
