#include "db/view/plan.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/plan/backfill.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/reason.h"
#include "db/view/plan_request.h"

/* ---- running jobs --------------------------------------------------------*/

static struct sched_partition *find_partition(
	const struct plan *plan, const char *name)
{
	const struct conf *conf = &plan->site->conf;
	const struct conf_partition *found = conf_partition_by_name(conf, name);

	return found ? &plan->schedule.partitions[found - conf->partitions]
		     : NULL;
}

/* With time_min_as_soft_limit: what it asked for at least; beyond that, half of
 * what is left of its limit. */
static int64_t soft_end(
	const struct plan *plan, const struct job *job, int64_t end)
{
	int64_t soft = job->start + (int64_t)job->time_min * 60;

	if (soft < plan->at)
		soft = plan->at + (end - plan->at) / 2;
	return soft > plan->at ? soft : plan->at + 1;
}

/* slurm.conf(5), OverTimeLimit: its limit; after that, its OverTimeLimit. */
static int64_t expected_end(const struct plan *plan, const struct job *job)
{
	enum { YEAR = 365 * 24 * 3600, KILL_WAIT = 30 };
	const struct conf *conf = &plan->site->conf;
	const struct conf_partition *p =
		conf_partition_by_name(conf, job->partition);
	int64_t limit = job->wall_limit >= NO_VAL
				? YEAR
				: (int64_t)job->wall_limit * 60;
	int64_t end = job->start + job->suspended + limit;
	uint32_t over = p && p->over_time_limit != NO_VAL
				? p->over_time_limit
				: conf->over_time_limit;

	if (plan->backfill.params.time_min_as_soft_limit && job->time_min &&
		job->time_min < NO_VAL)
		return soft_end(plan, job, end);
	if (end <= plan->at)
		end = over == INFINITE ? plan->at + limit
				       : end + KILL_WAIT + (int64_t)over * 60;
	return end > plan->at ? end : plan->at + 1;
}

static void occupy(struct plan *plan, const struct job *job)
{
	struct sched_job *run = arena_alloc(plan->arena, sizeof(*run));
	const struct sched_partition *p = find_partition(plan, job->partition);
	const struct plan_layout *layout = &plan->layouts[job - plan->jobs.v];
	struct sched_start start = {0};
	struct sched_running running = {.job = run, .partition = p};
	struct conf_places places = conf_nodes_listed(
		&plan->site->conf, job->nodelist, plan->arena);

	if (!places.n)
		return;
	start.nodes = places.v;
	start.n_nodes = places.n;
	start.whole = job->exclusive || (p && p->exclusive);
	plan_request(plan, job, &job->tres_alloc, run);
	if (layout->n == start.n_nodes) {
		start.cpus_on = layout->cpus;
		start.mem_on = layout->mem;
	}
	run->record = job;
	run->user = plan_number(plan, &plan->users, job->user);
	running.start = start;
	running.began = job->start;
	running.end = expected_end(plan, job);
	running.qos = job->qos;
	if (plan_suspended(plan, job)) {
		plan_resume(plan, &running);
		return;
	}
	plan_preempt_running(plan, job, &running);
	schedule_run(&plan->schedule, &running, plan->arena);
}

/* ---- waiting jobs --------------------------------------------------------*/

static unsigned wait_reason(struct plan *plan, const struct job *job)
{
	unsigned depends, recorded = reason_recorded(job->reason);

	if (reason_is_hold(recorded))
		return recorded;
	if (job->hold == HOLD_USER)
		return REASON_HELD_USER;
	if (job->hold || !job->priority)
		return REASON_HELD_ADMIN;
	depends = plan_dependency(plan, job);
	if (depends)
		return depends;
	if (job->begin > plan->at ||
		(job->eligible > plan->at && job->eligible > job->submit))
		return REASON_BEGIN_TIME;
	if (*job->reservation && !plan_reservation(plan, job->reservation))
		return REASON_RESERVATION;
	return recorded;
}

static bool refused_by_list(
	const struct strv *allow, const struct strv *deny, const char *name)
{
	return (allow->n && !strv_has_nocase(allow, name)) ||
	       strv_has_nocase(deny, name);
}

/* Is the job's account in the list, or one above it? */
static bool has_account(
	const struct plan *plan, const struct strv *list, const struct job *job)
{
	const struct shares *shares = &plan->prio.shares;
	uint32_t index = shares_find(plan->prio.index, job->assoc);

	if (index == UINT32_MAX)
		return strv_has_nocase(list, job->account);
	for (; index != FS_NO_PARENT; index = shares->tree.parent[index])
		if (strv_has_nocase(list, shares->v[index].account))
			return true;
	return false;
}

static unsigned check_lists(struct plan *plan,
	const struct conf_partition *p, const struct job *job, const char *qos)
{
	if (refused_by_list(&p->allow_qos, &p->deny_qos, qos ? qos : ""))
		return REASON_QOS_NOT_ALLOWED;
	if ((plan->site->conf.enforce & ENFORCE_ASSOCS) &&
		((p->allow_accounts.n &&
			 !has_account(plan, &p->allow_accounts, job)) ||
			has_account(plan, &p->deny_accounts, job)))
		return REASON_PARTITION_ACCOUNT;
	return plan_is_outside(plan, p, job->user)
		       ? REASON_PARTITION_GROUPS
		       : REASON_NONE;
}

static bool below_threshold(
	const struct plan *plan, const struct job *job, const struct qos *qos)
{
	uint32_t index = shares_find(plan->prio.index, job->assoc);

	return qos && (qos->flags & QOS_ENFORCE_USAGE_THRESHOLD) &&
	       qos->usage_thres < NO_VAL && index != UINT32_MAX &&
	       shares_factor(&plan->prio.shares, index) < qos->usage_thres;
}

/* Limits, and what the QOS allows. */
static int choose_limits(struct plan *plan, const struct job *job,
	const struct conf_partition *p, uint32_t qos_id,
	struct sched_choice *choice)
{
	unsigned enforce = plan->site->conf.enforce;
	struct limits_of of = {job->assoc, qos_id, p, job->user, job->account};
	struct limit_chain *chain = NULL;
	const struct qos *qos;
	int found = limits_chain(&plan->limits, &of, &chain, &qos);

	if (found < 0)
		return -1;
	if (!found && (enforce & ENFORCE_ASSOCS))
		choice->refused = REASON_INVALID_ACCOUNT;
	else if (qos_id && !qos && (enforce & ENFORCE_QOS))
		choice->refused = REASON_INVALID_QOS;
	choice->may = preempt_site_rights(plan->preempt, qos);
	if (!chain)
		return 0;
	chain->below_threshold = below_threshold(plan, job, qos);
	if (!(enforce & ENFORCE_LIMITS))
		chain->n = chain->n_qos = 0;
	choice->limits = chain;
	return 0;
}

static int choose(struct plan *plan, const struct job *job,
	const struct jobprio_row *row, struct sched_choice *choice)
{
	const struct conf_partition *p =
		conf_partition_by_name(&plan->site->conf, row->partition);
	const struct qos_name *qos =
		row->qos ? qos_by_name(&plan->site->store.qos, row->qos) : NULL;

	choice->partition = find_partition(plan, row->partition);
	choice->priority = row->result.priority;
	choice->qos = qos ? qos->id : job->qos;
	choice->tres = &job->tres_req;
	if (choose_limits(plan, job, p, choice->qos, choice))
		return -1;
	if (!choice->refused)
		choice->refused = check_lists(plan, p, job, row->qos);
	return 0;
}

static int make_choices(
	struct plan *plan, const struct job *job, struct sched_job *out)
{
	struct jobprio_rows rows = {0};

	jobprio_rows(&plan->prio, job, plan->arena, &rows);
	out->choices = arena_array(plan->arena, rows.n, sizeof(*out->choices));
	for (size_t i = 0; i < rows.n; i++) {
		if (!find_partition(plan, rows.v[i].partition))
			continue;
		if (choose(plan, job, &rows.v[i],
			    &out->choices[out->n_choices++]))
			return -1;
	}
	if (!out->n_choices && plan->schedule.n_partitions)
		out->waits = REASON_PARTITION_CONFIG;
	return 0;
}

/* `%N` at the end of an array: so many of its tasks may run at a time. */
static uint32_t startable(
	const struct plan *plan, const struct job *job, uint32_t tasks)
{
	uint32_t most = array_tasks_at_once(job->array_tasks), running = 0;

	if (!most)
		return tasks;
	for (size_t i = 0; i < plan->jobs.n; i++)
		running += plan->jobs.v[i].array_job == job->array_job &&
			   job_state_started(plan->jobs.v[i].state);
	if (running >= most)
		return 0;
	return most - running < tasks ? most - running : tasks;
}

static int add_waiting(struct plan *plan, const struct job *job)
{
	struct sched_job *out = &plan->schedule.jobs[plan->schedule.n_jobs++];

	plan_request(plan, job, &job->tres_req, out);
	out->record = job;
	out->id = job->array_job ? job->array_job : job->id;
	out->task = job->array_task;
	out->submit = job->submit;
	out->eligible = job->eligible;
	out->user = plan_number(plan, &plan->users, job->user);
	out->assoc = plan_number(plan, &plan->assocs,
		arena_printf(plan->arena, "%" PRId64, job->assoc));
	out->het = job->het_job;
	out->time_min = known_or_0(job->time_min);
	out->reservation = plan_reservation(plan, job->reservation);
	out->reservation_name = job->reservation;
	out->features = job->constraints;
	out->may = plan_may(plan, job);
	out->required = plan_required(plan, job);
	out->waits = wait_reason(plan, job);
	out->time_limit = job->time_limit ? job->time_limit : INFINITE;
	out->exclusive = job->exclusive;
	out->tasks = array_tasks_count(job->array_tasks);
	out->startable = startable(plan, job, out->tasks);
	if (!out->waits && !out->startable)
		out->waits = REASON_ARRAY_TASK_LIMIT;
	return out->waits ? 0 : make_choices(plan, job, out);
}

static int load_jobs(struct plan *plan)
{
	struct job_cond cond = {.cluster = plan->prio.cluster, .open = true};
	struct schedule *s = &plan->schedule;

	if (job_load(&plan->site->store, &cond, plan->arena, &plan->jobs))
		return -1;
	plan_lay_out(plan);
	s->jobs = arena_array(plan->arena, plan->jobs.n, sizeof(*s->jobs));
	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];

		if (plan_suspended(plan, job))
			continue;
		if (job_state_started(job->state))
			occupy(plan, job);
		else if (job_state_pending(job->state) &&
			 add_waiting(plan, job))
			return -1;
	}
	for (size_t i = 0; i < plan->jobs.n; i++)
		if (plan_suspended(plan, &plan->jobs.v[i]))
			occupy(plan, &plan->jobs.v[i]);
	for (size_t i = 0; i < s->n_jobs; i++)
		for (size_t k = 0; s->jobs[i].het && k < s->n_jobs; k++)
			s->jobs[i].het_parts +=
				s->jobs[k].het == s->jobs[i].het;
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

static int load(struct plan *plan, const char *cluster, const char *policy)
{
	struct site *site = plan->site;

	if (backfill_read(&plan->backfill, &site->conf, policy, &plan->remarks,
		    plan->arena, site->store.err))
		return err_prefix(site->store.err, "--policy");
	if (jobprio_open(&plan->prio, site, cluster, plan->at, plan->arena) ||
		limits_open(&plan->limits, site, plan->prio.cluster, plan->at,
			LIMITS_RUNNING, &plan->prio.qos, plan->arena))
		return -1;
	plan->schedule.now = plan->at;
	backfill_lead(&plan->backfill, &plan->schedule);
	plan_kinds(plan);
	plan_load_nodes(plan);
	plan_load_partitions(plan);
	if (plan_load_events(plan) || plan_load_reservations(plan, cluster) ||
		plan_load_preempt(plan) || load_jobs(plan) ||
		plan_foresee(plan))
		return -1;
	qos_remarks(&plan->prio.qos, &site->conf, plan->arena,
		&plan->more_remarks);
	return 0;
}

static int look(struct plan *plan, struct site *site, const char *cluster,
	int64_t at, const struct plan_how *how,
	const struct one_node_jobs *one_node, struct arena *arena)
{
	bool began = store_begin_read(&site->store);
	int status;

	*plan = (struct plan){.site = site,
		.arena = arena,
		.at = at,
		.cluster = cluster,
		.one_node = one_node};
	status = load(plan, cluster, how ? how->policy : NULL);
	store_end_read(&site->store, began);
	return status;
}

int plan_look(struct plan *plan, struct site *site, const char *cluster,
	int64_t at, struct arena *arena)
{
	return look(plan, site, cluster, at, NULL, NULL, arena);
}

/* The main pass; textbook policies have none. */
static void plan_main(struct plan *plan)
{
	plan->begun = true;
	if (plan->schedule.textbook)
		schedule_reasons(&plan->schedule, plan->arena);
	else
		schedule_main(&plan->schedule, plan->arena);
}

int plan_make(struct plan *plan, struct site *site, const char *cluster,
	int64_t at, const struct plan_how *how, struct arena *arena)
{
	struct one_node_jobs *one_node = arena_alloc(arena, sizeof(*one_node));
	int again;

	*one_node = (struct one_node_jobs){0};
	do {
		if (look(plan, site, cluster, at, how, one_node, arena))
			return -1;
		again = plan_find_one_node_jobs(plan, one_node);
	} while (again > 0);
	if (again)
		return -1;
	plan_main(plan);
	plan->backfill.cores = how && how->cores;
	plan->backfill.skip_same_shape = how && how->skip_same_shape;
	return 0;
}

void plan_backfill(struct plan *plan)
{
	SCRATCH_ARENA(scratch);

	if (plan->planned)
		return;
	plan->planned = true;
	if (!plan->begun)
		plan_main(plan);
	backfill_pass(&plan->schedule, &plan->backfill, plan->arena, &scratch);
	/* Nodes may be free by then, but usage will not have decayed. */
	for (size_t i = 0; i < plan->schedule.n_jobs; i++) {
		struct sched_job *job = &plan->schedule.jobs[i];

		if (job->n_plans && reason_is_limit(job->reason) &&
			verdict_of(&plan->schedule, job).decays)
			job->n_plans = 0;
	}
}

/* Pending jobs are in the order of all jobs. */
const struct sched_job *plan_find(
	const struct plan *plan, const struct job *job)
{
	const struct schedule *s = &plan->schedule;

	for (size_t low = 0, high = s->n_jobs; low < high;) {
		size_t middle = low + (high - low) / 2;
		const struct job *there = s->jobs[middle].record;

		if (there == job)
			return &s->jobs[middle];
		if (there < job)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* What is computed of it; NULL: it is not pending. */
static const struct sched_job *judged(struct plan *plan, const struct job *job)
{
	const struct backfill *b = &plan->backfill;
	const struct sched_job *found = plan_find(plan, job);

	if (found && !plan->planned && b->policy == BACKFILL_SLURM &&
		b->release != RELEASE_20_11 && verdict_needs_backfill(found))
		plan_backfill(plan);
	return found;
}

static const char *reason_of(struct plan *plan, const struct job *job,
	const char *(*name)(unsigned reason))
{
	const struct sched_job *found = judged(plan, job);
	unsigned reason = found ? verdict_reason(found) : REASON_NONE;

	return found && reason != REASON_RECORDED
		       ? name(reason)
		       : reason_alone(job->reason, plan->arena);
}

const char *plan_reason(struct plan *plan, const struct job *job)
{
	return reason_of(plan, job, reason_name);
}

const char *plan_reason_word(struct plan *plan, const struct job *job)
{
	return reason_of(plan, job, reason_word);
}

/* Which of its QOS may not go to which partition, and which may. */
static const char *qos_not_allowed(
	struct plan *plan, const struct sched_choice *choice)
{
	const struct conf_partition *p = conf_partition_by_name(
		&plan->site->conf, choice->partition->name);
	const struct qos_name *qos =
		qos_by_id(&plan->site->store.qos, choice->qos);
	bool denied = !p->allow_qos.n;
	const char *list = strv_join_some(
		denied ? &p->deny_qos : &p->allow_qos, ",", plan->arena);

	if (!qos)
		return arena_printf(plan->arena,
			"Job's QOS not known, so it can't use this partition "
			"(%s allows %s)",
			p->name, list);
	return arena_printf(plan->arena,
		"Job's QOS not permitted to use this partition (%s %s %s %s "
		"%s)",
		p->name, denied ? "denies" : "allows", list,
		denied ? "including" : "not", qos->name);
}

static const char *group_not_allowed(struct plan *plan, const struct job *job,
	const struct sched_choice *choice)
{
	const struct conf_partition *p = conf_partition_by_name(
		&plan->site->conf, choice->partition->name);
	const struct passwd *pw = getpwnam(job->user);

	return arena_printf(plan->arena,
		"uid %u not in group permitted to use this partition (%s). "
		"groups allowed: %s",
		pw ? (unsigned)pw->pw_uid : job->uid, p->name,
		strv_join_some(&p->allow_groups, ",", plan->arena));
}

const char *plan_description(struct plan *plan, const struct job *job)
{
	const struct sched_job *found = judged(plan, job);

	if (reason_says_more(job->reason, plan_reason(plan, job)))
		return job->reason;
	if (!found || !found->reason)
		return NULL;
	if (found->reason == REASON_NODES_DOWN)
		return reason_name(found->reason);
	for (size_t i = 0; i < found->n_choices; i++) {
		const struct sched_choice *choice = &found->choices[i];

		if (choice->refused != found->reason)
			continue;
		if (found->reason == REASON_QOS_NOT_ALLOWED)
			return qos_not_allowed(plan, choice);
		if (found->reason == REASON_PARTITION_GROUPS)
			return group_not_allowed(plan, job, choice);
	}
	return NULL;
}

const char *plan_nodelist(const struct plan *plan, const uint32_t *indexes,
	size_t n, struct arena *arena)
{
	struct strv names = {0};

	for (size_t i = 0; i < n; i++)
		strv_push(&names, arena, plan->schedule.nodes[indexes[i]].name);
	return hostlist_fold(&names, arena);
}

/* ---- expected starts -----------------------------------------------------*/

static int compare_jobs(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;

	return (x->job > y->job) - (x->job < y->job);
}

void plan_expected_list(const struct plan *plan, struct expected_list *list)
{
	const struct schedule *s = &plan->schedule;

	for (size_t i = 0; i < s->n_jobs; i++) {
		const struct sched_plan *first = verdict_plan(&s->jobs[i]);
		const struct job *job = s->jobs[i].record;

		if (!first)
			continue;
		*ARENA_PUSH(plan->arena, list->v, list->n, list->cap) =
			(struct expected){job->key, first->start,
				plan_nodelist(plan, first->nodes,
					first->n_nodes, plan->arena)};
	}
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), compare_jobs);
}
