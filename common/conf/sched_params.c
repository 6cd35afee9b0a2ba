#include "common/conf/sched_params.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/base/words.h"

/* A default that follows from other parameters. */
enum { FOLLOWS = -2 };

#define AT(member) offsetof(struct sched_params, member)
#define NUMBER(name, unit, use, initial, low, high, help)                      \
	{                                                                      \
#name, unit, PARAM_NUMBER, PARAM_##use, AT(name), initial,     \
			low, high, false, help                                 \
	}
#define NUMBER_OR_OFF(name, unit, use, initial, low, high, help)               \
	{                                                                      \
#name, unit, PARAM_NUMBER, PARAM_##use, AT(name), initial,     \
			low, high, true, help                                  \
	}
#define FLAG(name, use, help)                                                  \
	{                                                                      \
#name, "", PARAM_FLAG, PARAM_##use, AT(name), 0, 0, 1, false,  \
			help                                                   \
	}

/* clang-format off */
const struct sched_param sched_param_rows[] = {
	NUMBER_OR_OFF(bf_interval, "s", PACES, 30, 1, 10800, "pause between backfill passes"),
	NUMBER(bf_max_time, "s", PACES, FOLLOWS, 1, 3600, "length of a pass, sleep included; default: bf_interval"),
	NUMBER(bf_window, "min", PLANS, 1440, 1, 43200, "how far ahead is planned; the longest limit should fit"),
	NUMBER(bf_resolution, "s", PLANS, 60, 1, 3600, "grid of the node-space table"),
	NUMBER(bf_max_job_test, "jobs", PLANS, 500, 1, 1000000, "jobs tested in a pass"),
	NUMBER(bf_node_space_size, "records", PLANS, FOLLOWS, 2, 2000000, "size of the table; default: bf_max_job_test"),
	NUMBER(bf_max_job_array_resv, "tasks", PLANS, 20, 0, 1000, "tasks of an array that are planned ahead"),
	NUMBER(bf_max_job_part, "jobs", PLANS, 0, 0, 1000000, "jobs of a partition that are tested; 0: all"),
	NUMBER(bf_max_job_user, "jobs", PLANS, 0, 0, 1000000, "jobs of a user that are tested; 0: all"),
	NUMBER(bf_max_job_user_part, "jobs", PLANS, 0, 0, 1000000, "jobs of a user in a partition that are tested; 0: all"),
	NUMBER(bf_max_job_assoc, "jobs", PLANS, 0, 0, 1000000, "jobs of an association that are tested; 0: all"),
	NUMBER(bf_max_job_start, "jobs", PLANS, 0, 0, 10000, "jobs started by a pass; 0: any number"),
	NUMBER(bf_job_part_count_reserve, "jobs", PLANS, 0, 0, 100000, "jobs of a partition that nodes are kept for; 0: all"),
	NUMBER(bf_min_age_reserve, "s", PLANS, 0, 0, 2592000, "nodes are kept only for jobs that waited so long"),
	NUMBER(bf_min_prio_reserve, "priority", PLANS, 0, 0, UINT32_MAX, "nodes are kept only for jobs of that priority and above"),
	FLAG(bf_one_resv_per_job, PLANS, "a job of several partitions gets nodes kept in one"),
	FLAG(bf_running_job_reserve, PLANS, "running whole-node jobs are in the table"),
	FLAG(bf_licenses, PLANS, "licenses are in the table; brings bf_running_job_reserve"),
	FLAG(bf_busy_nodes, PLANS, "later starts prefer nodes that are in use"),
	NUMBER(bf_window_linear, "s", PLANS, 0, 0, 2592000, "step in which running jobs are left out; 0: it doubles"),
	FLAG(bf_continue, PACES, "a pass goes on after it let others in"),
	NUMBER(bf_yield_interval, "us", PACES, 2000000, 1, 10000000, "how long others are kept out"),
	NUMBER(bf_yield_sleep, "us", PACES, 500000, 1, 10000000, "how long others are let in"),
	NUMBER(bf_yield_rpc_cnt, "threads", UNUSED, FOLLOWS, 0, 200, "calls waiting when a pass goes on"),
	{"bf_hetjob_prio", "", PARAM_HETJOB_PRIO, PARAM_PLANS, AT(bf_hetjob_prio), 0, 0, HETJOB_PRIO_MAX, false, "min, avg, max: one priority for all parts of a job"},
	FLAG(bf_hetjob_immediate, PLANS, "parts of a job start as soon as the last of them can; brings bf_hetjob_prio=min"),
	FLAG(bf_allow_magnetic_slot, UNUSED, "nodes are kept for jobs of magnetic reservations"),
	FLAG(bf_topopt_enable, UNUSED, "choice of nodes by topology"),
	NUMBER(bf_topopt_iterations, "slots", UNUSED, 10, 2, 30, "starts that choice looks at"),
	FLAG(assoc_limit_stop, PLANS, "a job that a limit holds back holds back those behind it"),
	FLAG(time_min_as_soft_limit, PLANS, "plans with --time-min, lets run until --time"),
	NUMBER(max_rpc_cnt, "threads", UNUSED, 0, 0, 1000, "calls waiting when a pass gives way"),
	NUMBER(default_queue_depth, "jobs", PACES, 100, 1, 1000000, "jobs looked at when something happened"),
	NUMBER(partition_job_depth, "jobs", PACES, 0, 0, 1000000, "jobs of a partition looked at; 0: all"),
	NUMBER_OR_OFF(sched_interval, "s", PACES, 60, 0, 86400, "pause between main passes over the whole queue"),
	NUMBER(sched_min_interval, "us", PACES, 2, 0, 10000000, "least pause between main passes"),
	NUMBER(sched_max_job_start, "jobs", PACES, 0, 0, 1000000, "jobs started by a main pass; 0: any number"),
	NUMBER(max_sched_time, "s", PACES, 2, 1, 3600, "length of a main pass"),
	NUMBER(batch_sched_delay, "s", PACES, 3, 0, 3600, "batch jobs wait so long for others to be scheduled with"),
	NUMBER(build_queue_timeout, "us", PACES, 2000000, 1, 60000000, "time for building the queue"),
	FLAG(defer, PACES, "no attempt at submission"),
	FLAG(defer_batch, PACES, "no attempt at submission of batch jobs"),
	NUMBER(delay_boot, "min", UNUSED, 0, 0, 43200, "age from which nodes are booted for features"),
	NUMBER(max_switch_wait, "s", UNUSED, 300, 0, 2592000, "longest wait for a count of switches"),
	FLAG(reduce_completing_frag, UNUSED, "completing jobs hold back only their partition"),
	FLAG(pack_serial_at_end, PLANS, "one-CPU jobs go to the last nodes"),
	FLAG(ignore_numa, UNUSED, "sockets are those of the node, not its NUMA parts"),
	FLAG(spec_cores_first, UNUSED, "specialized cores are the first ones"),
	FLAG(allow_zero_lic, UNUSED, "jobs may ask for more licenses than there are"),
	NUMBER(max_array_tasks, "tasks", UNUSED, 1001, 0, 4000001, "tasks of an array; default: MaxArraySize"),
	NUMBER(bb_array_stage_cnt, "tasks", UNUSED, 10, 0, 1000, "tasks of an array whose burst buffers are filled ahead"),
	NUMBER(correspond_after_task_cnt, "tasks", UNUSED, 10, 0, 4000001, "tasks split off ahead for aftercorr"),
	NUMBER(requeue_delay, "s", UNUSED, 0, 0, 2592000, "a job put back waits so long; default: the credential's time"),
	FLAG(enable_user_top, UNUSED, "users may reorder their own jobs"),
	FLAG(extra_constraints, UNUSED, "jobs may ask for nodes by their free text"),
	FLAG(ignore_constraint_validation, UNUSED, "features are not checked at submission"),
	FLAG(ignore_prefer_validation, UNUSED, "preferred features are not checked at submission"),
};
/* clang-format on */

const size_t sched_param_count =
	sizeof(sched_param_rows) / sizeof(*sched_param_rows);

int64_t *sched_param_member(
	struct sched_params *params, const struct sched_param *row)
{
	return (int64_t *)((char *)params + row->offset);
}

void sched_params_init(struct sched_params *params)
{
	for (size_t i = 0; i < sched_param_count; i++)
		*sched_param_member(params, &sched_param_rows[i]) =
			sched_param_rows[i].initial;
}

/* ---- words ---------------------------------------------------------------*/

const struct sched_param *sched_param_find(const char *word, size_t len)
{
	for (size_t i = 0; i < sched_param_count; i++)
		if (words_have(sched_param_rows[i].name, word, len))
			return &sched_param_rows[i];
	return NULL;
}

static int set_number(int64_t *member, const struct sched_param *row,
	const char *text, struct err *err)
{
	char *end;
	long long value = strtoll(text, &end, 10);

	if (end == text || *end)
		return err_set(err, ERR_USAGE, "%s: '%s' is not a number",
			row->name, text);
	if ((value < row->low || value > row->high) &&
		!(row->or_off && value == -1))
		return err_set(err, ERR_USAGE,
			"%s: %s is out of range (%" PRId64 " to %" PRId64
			"%s%s%s)",
			row->name, text, row->low, row->high,
			*row->unit ? " " : "", row->unit,
			row->or_off ? ", or -1" : "");
	*member = value;
	return 0;
}

static int set_hetjob_prio(int64_t *member, const char *text, struct err *err)
{
	static const char *const words[] = {
		[HETJOB_PRIO_MIN] = "min",
		[HETJOB_PRIO_AVG] = "avg",
		[HETJOB_PRIO_MAX] = "max",
	};

	for (int i = HETJOB_PRIO_MIN; i <= HETJOB_PRIO_MAX; i++)
		if (!strcasecmp(text, words[i])) {
			*member = i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
		"bf_hetjob_prio: '%s' is not min, avg or max", text);
}

static int set_row(struct sched_params *params, const struct sched_param *row,
	const char *value, struct err *err)
{
	int64_t *member = sched_param_member(params, row);

	if (row->kind == PARAM_FLAG) {
		*member = 1;
		return 0;
	}
	if (!value || !*value)
		return err_set(err, ERR_USAGE, "%s needs a value", row->name);
	return row->kind == PARAM_NUMBER ? set_number(member, row, value, err)
					 : set_hetjob_prio(member, value, err);
}

int sched_params_set(
	struct sched_params *params, const char *word, struct err *err)
{
	size_t len = strcspn(word, "=");
	const struct sched_param *row = sched_param_find(word, len);

	if (!row)
		return err_set(err, ERR_USAGE,
			"'%.*s' is not a scheduler parameter", (int)len, word);
	return set_row(params, row, word[len] ? word + len + 1 : NULL, err);
}

/* ---- what follows --------------------------------------------------------*/

static void remark(struct strv *remarks, struct arena *arena, const char *text)
{
	if (remarks)
		strv_push(remarks, arena, text);
}

/* A count of jobs above bf_max_job_test is never reached: as if it were not
 * there. */
static void check_counts(
	struct sched_params *p, struct strv *remarks, struct arena *arena)
{
	const struct {
		const char *name;
		int64_t *count;
	} counts[] = {
		{"bf_max_job_part", &p->bf_max_job_part},
		{"bf_max_job_user", &p->bf_max_job_user},
		{"bf_max_job_user_part", &p->bf_max_job_user_part},
		{"bf_max_job_assoc", &p->bf_max_job_assoc},
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		if (*counts[i].count > p->bf_max_job_test) {
			remark(remarks, arena,
				arena_printf(arena,
					"%s=%" PRId64
					" is above bf_max_job_test=%" PRId64
					", it is ignored",
					counts[i].name, *counts[i].count,
					p->bf_max_job_test));
			*counts[i].count = 0;
		}
	if (!p->bf_max_job_assoc || !p->bf_max_job_user)
		return;
	remark(remarks, arena,
		"bf_max_job_assoc and bf_max_job_user exclude each other, the "
		"second is ignored");
	p->bf_max_job_user = 0;
}

void sched_params_complete(
	struct sched_params *p, struct strv *remarks, struct arena *arena)
{
	if (p->bf_max_time == FOLLOWS)
		p->bf_max_time = p->bf_interval > 0 ? p->bf_interval : 30;
	if (p->bf_node_space_size == FOLLOWS)
		p->bf_node_space_size =
			p->bf_max_job_test < 2 ? 2 : p->bf_max_job_test;
	if (p->bf_yield_rpc_cnt == FOLLOWS)
		p->bf_yield_rpc_cnt =
			p->max_rpc_cnt > 200 ? p->max_rpc_cnt / 10 : 20;
	if (p->bf_licenses)
		p->bf_running_job_reserve = 1;
	if (p->bf_hetjob_immediate && !p->bf_hetjob_prio)
		p->bf_hetjob_prio = HETJOB_PRIO_MIN;
	check_counts(p, remarks, arena);
}

/* Slurm searches its parameters within the text, so that any text in front of
 * one does not matter (`==bf_max_job_user=20`). NULL when it is not there. */
static const char *find_inside(const char *word)
{
	const char *found = NULL;
	size_t longest = 0;

	for (size_t i = 0; i < sched_param_count; i++) {
		const struct sched_param *row = &sched_param_rows[i];
		const char *at = strcasestr(word, row->name);
		size_t len = strlen(row->name);

		if (at && len > longest &&
			(at[len] == (row->kind == PARAM_FLAG ? '\0' : '='))) {
			found = at;
			longest = len;
		}
	}
	return found;
}

/* Words of other parts of slurmctld, which have nothing to do here. */
static const char others[] =
	"disable_hetjob_steps disable_job_shrink enable_hetjob_steps "
	"kill_invalid_depend max_depend_depth max_script_size "
	"max_submit_line_size no_backup_scheduling no_env_cache "
	"nohold_on_prolog_fail permit_job_expansion preempt_reorder_count "
	"preempt_send_user_signal preempt_strict_order preempt_youngest_first "
	"requeue_on_resume_failure salloc_wait_nodes sbatch_wait_nodes "
	"step_retry_count step_retry_time whole_hetjob whole_pack";

static void remark_unknown(
	const char *word, struct strv *remarks, struct arena *arena)
{
	size_t len = strcspn(word, "=");
	struct nearest near;

	if (len == 10 && !strncasecmp(word, "max_job_bf", len)) {
		remark(remarks, arena,
			arena_printf(arena,
				"%s is ignored: slurmctld does not start with "
				"it; the name is bf_max_job_test",
				word));
		return;
	}
	nearest_init(&near, word, len);
	for (size_t i = 0; i < sched_param_count; i++)
		nearest_try(&near, sched_param_rows[i].name,
			strlen(sched_param_rows[i].name));
	remark(remarks, arena,
		arena_printf(arena,
			"'%.*s' is not known%s%s%s",
			(int)len, word,
			nearest_found(&near) ? "; did you mean '" : "",
			nearest_found(&near) ? nearest_found(&near) : "",
			nearest_found(&near) ? "'?" : ""));
}

static void parse_word(struct sched_params *params, const char *word,
	struct strv *remarks, struct arena *arena)
{
	size_t len = strcspn(word, "=");
	const char *inside = word;
	struct err err;

	if (!*word || words_have(others, word, len))
		return;
	if (!sched_param_find(word, len)) {
		inside = find_inside(word);
		if (!inside) {
			remark_unknown(word, remarks, arena);
			return;
		}
		remark(remarks, arena,
			arena_printf(arena,
				"'%s' is read as %s, as Slurm does",
				word, inside));
	}
	if (sched_params_set(params, inside, &err))
		remark(remarks, arena, arena_strdup(arena, err.text));
}

void sched_params_parse(struct sched_params *params, const char *text,
	struct strv *remarks, struct arena *arena)
{
	struct strv words = {0};

	sched_params_init(params);
	if (text)
		strv_split(&words, arena, text);
	for (size_t i = 0; i < words.n; i++)
		parse_word(params, words.v[i], remarks, arena);
}
