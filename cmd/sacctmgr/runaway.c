/*
 * Runaway jobs: jobs recorded as running that cannot be any more; shows and
 * ends them (Slurm's src/sacctmgr/runaway_job_functions.c).
 *
 * There is no controller to ask. A job has run away when its time limit, with
 * OverTimeLimit and a while for cleaning up, has passed, or when the same
 * number was submitted again after it.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "db/job/job.h"

enum {
	CLEANUP = 300, /* seconds a job may take to end after its limit */
};

/* clang-format off */
static const struct where_word where_words[] = {
	{"Cluster:1", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "one cluster; default: this one", FROM_CLUSTERS},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

static const struct member end_state[] = {
	{.help = "state the jobs get when they are ended",
		SETTABLE("EndState", "EndState:1", ATTR_TEXT_CASE)},
};
static const struct members own_members = MEMBERS(end_state);

/* A job as it is listed. */
struct runaway_row {
	struct job job;
	const char *cluster;
};

GETTER(state, struct runaway_row, of_text(job_state_word(row->job.state)))

#define R(field, type_, member) \
	{HEAD_##field, .type = MEMBER_##type_, .offset = offsetof(struct runaway_row, member)}
static const struct member runaway_rows[] = {
	R(ID, COUNT, job.id),
	R(NAME, TEXT, job.name),
	R(PARTITION, TEXT, job.partition),
	R(CLUSTER, TEXT, cluster),
	{HEAD_STATE, .get = get_state},
	R(TIME_SUBMIT, TIME, job.submit),
	R(TIME_ELIGIBLE, TIME, job.eligible),
	R(TIME_START, TIME, job.start),
	R(TIME_END, TIME, job.end),
};
static const struct members runaway_columns = MEMBERS(runaway_rows);
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(assoc.clusters),
	.bare_group = GROUP_RECORD,
	.set = {&own_members},
};

static const char question[] =
	"\nWould you like to fix these runaway jobs?\n"
	"(This sets the end time for each job to the latest of the job's "
	"start, eligible, and submit times, and sets the state to completed.\n"
	"Once corrected, this triggers the SlurmDBD to recalculate the usage "
	"from before the earliest submit time of all the runaway jobs. "
	"Warning: This could take a long time and sreport may not return data "
	"until the recalculation is completed.)\n\n";

/* Minutes the job may run over; INFINITE: as long as it likes. */
static uint32_t over_time(struct session *s, const struct job *job)
{
	const struct conf *conf = &s->site.conf;
	const struct conf_partition *p =
		conf_partition_by_name(conf, job->partition);

	return p && p->over_time_limit != NO_VAL ? p->over_time_limit
						 : conf->over_time_limit;
}

static bool limit_has_passed(struct session *s, const struct job *job)
{
	uint32_t over = over_time(s, job);
	uint32_t limit = job->wall_limit != NO_VAL ? job->wall_limit
						   : job->time_limit;
	int64_t last;

	if (!job->start || job->suspended_since || limit >= NO_VAL ||
		over >= NO_VAL)
		return false;
	last = job->start + job->suspended + ((int64_t)limit + over) * 60;
	return last + CLEANUP < s->site.now;
}

/* 1: the number was submitted again later; 0; -1. */
static int was_replaced(struct session *s, const struct job *job)
{
	struct job newest;

	if (job_find(s->store, job->cluster, job->id, 0, &s->arena, &newest) <
		0)
		return -1;
	return newest.submit > job->submit;
}

static int find_runaways(
	struct session *s, int64_t cluster, struct job_list *list)
{
	const struct job_cond cond = {.cluster = cluster, .open = true};
	size_t kept = 0;

	if (job_load(s->store, &cond, &s->arena, list))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		int gone = limit_has_passed(s, &list->v[i])
			? 1
			: was_replaced(s, &list->v[i]);

		if (gone < 0)
			return -1;
		if (gone)
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
	return 0;
}

static void print_runaways(struct session *s, const struct strv *format,
	const char *cluster, const struct job_list *list)
{
	struct listing l;

	if (options(s)->form == JSON_NONE)
		fputs("NOTE: Runaway jobs are jobs that don't exist in the "
		      "controller but have a start time and no end time in "
		      "the database\n",
			output(s));
	listing_init(&l, s, &runaway_columns);
	l.format = format;
	listing_open(&l, "ID%-12,Name,Part,Cluster,State%10,Submit,Start,End");
	for (size_t i = 0; i < list->n; i++) {
		const struct runaway_row row = {list->v[i], cluster};

		listing_row(&l, &row);
	}
	listing_close(&l);
}

static int64_t latest(const struct job *job)
{
	int64_t end = job->submit;

	if (job->eligible > end)
		end = job->eligible;
	return job->start > end ? job->start : end;
}

/* The record may have come by its end while the question stood. */
static int end_job(
	struct session *s, const struct job *runaway, uint32_t state)
{
	struct job job;
	int found = job_find(s->store, runaway->cluster, runaway->id,
		runaway->submit, &s->arena, &job);

	if (found <= 0 || job.end)
		return found < 0 ? -1 : 0;
	job.end = latest(&job);
	job.state = state;
	job.suspended_since = 0;
	return job_save(s->store, &s->site.conf.policy, &job);
}

static int fix_once(
	struct session *s, const struct job_list *list, uint32_t state)
{
	if (store_begin(s->store))
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (end_job(s, &list->v[i], state)) {
			store_rollback(s->store);
			return -1;
		}
	return store_commit(s->store, s->command);
}

static int fix(
	struct session *s, const struct job_list *list, uint32_t state)
{
	int tries = 0;

	while (fix_once(s, list, state))
		if (!store_again(s->store, &tries))
			return -1;
	return 0;
}

static int read_end_state(
	struct session *s, const struct request *r, uint32_t *state)
{
	const struct setting *set = settings_find(&r->set, end_state);

	*state = JOB_COMPLETED;
	if (!set || (!job_state_parse(set->text, state) &&
			    (*state == JOB_COMPLETED || *state == JOB_FAILED)))
		return 0;
	return complain(s,
		"sacctmgr: fatal: Unknown or unsupported state specified (%s). "
		"Only Completed or Failed are accepted.",
		set->text);
}

/* One cluster, and one there is. */
static int choose_cluster(struct session *s, const struct strv *given,
	const char **name, int64_t *key)
{
	*name = given->n ? given->v[0] : s->site.cluster;
	if (given->n > 1)
		err_set(&s->err, ERR_USAGE,
			"You can only fix runaway jobs on one cluster at a "
			"time.");
	else if ((*key = cluster_key(s->store, *name)) > 0)
		return 0;
	else if (!*key)
		err_set(&s->err, ERR_USAGE, "Cluster %s is unknown", *name);
	return complain_err(s);
}

/* A document is for machines: it is only shown. So it is in readonly mode. */
static int ask_and_fix(
	struct session *s, const struct job_list *list, uint32_t state)
{
	if (options(s)->readonly || options(s)->form != JSON_NONE)
		return 0;
	if (!prompt(s, question)) {
		fputs("Changes Discarded\n", output(s));
		return 0;
	}
	if (!fix(s, list, state))
		return 0;
	return complain_err(s);
}

static int show_runaways(
	struct session *s, const struct request *r, uint32_t state)
{
	struct job_list list;
	const char *cluster;
	int64_t key = 0;

	if (choose_cluster(s, &r->where.assoc.clusters, &cluster, &key))
		return -1;
	if (find_runaways(s, key, &list))
		return complain_err(s);
	if (!list.n && options(s)->form == JSON_NONE) {
		fprintf(output(s),
			"Runaway Jobs: No runaway jobs found on cluster %s\n",
			cluster);
		return 0;
	}
	print_runaways(s, &r->where.format, cluster, &list);
	return ask_and_fix(s, &list, state);
}

static int show(struct session *s, char **words, int n)
{
	struct request r;
	uint32_t state;

	parse_words(s, &vocabulary, PARSE_WHERE, true, words, n, &r);
	if (r.failed || read_end_state(s, &r, &state))
		return -1;
	if (is_operator(s))
		return show_runaways(s, &r, state);
	cli_error("You must have an AdminLevel>=Operator to fix runaway jobs");
	return -1;
}

const struct entity runaway_entity = {
	.names = "RunawayJobs:2 OrphanJobs:1 LostJobs:1",
	.show = show,
	.vocabulary = &vocabulary,
	.columns = {&runaway_columns},
	.help = "jobs that cannot be running any more; ends them",
};
