/*
 * sreport --openmetrics: the present state as numbers for a monitoring system, in
 * OpenMetrics text. The names are in man/sreport.1.
 */
#include "cmd/sreport/sreport.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/array_tasks.h"
#include "common/text/jobstate.h"
#include "db/entity/assoc.h"
#include "db/entity/privacy.h"
#include "db/file/files.h"
#include "db/store/migrations.h"
#include "db/view/effective.h"
#include "db/view/plan.h"
#include "db/view/shares.h"

struct openmetrics {
	struct session *s;
	struct plan plan;
	struct privacy usage, jobs;
};

/* ---- lines ---------------------------------------------------------------*/

static void family(const char *name, const char *type, const char *help)
{
	printf("# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void put_label(const char *name, const char *value, const char *before)
{
	printf("%s%s=\"", before, name);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			putchar('\\');
		if (*value == '\n')
			fputs("\\n", stdout);
		else
			putchar(*value);
	}
	putchar('"');
}

/* `labels`: names and values in turn, up to NULL; those without a value are left
 * out. */
static void sample(const char *name, double value, const char *const *labels)
{
	const char *before = "{";

	if (!isfinite(value))
		return;
	fputs(name, stdout);
	for (; *labels; labels += 2) {
		if (!*labels[1])
			continue;
		put_label(labels[0], labels[1], before);
		before = ",";
	}
	if (*before == ',')
		putchar('}');
	printf(" %.15g\n", value);
}

#define SAMPLE(name, value, ...)                                               \
	sample(name, (double)(value), (const char *const[]){__VA_ARGS__, NULL})

/* ---- fair-share ----------------------------------------------------------*/

static bool may_see(const struct openmetrics *m, const struct share *share)
{
	return privacy_allows(&m->usage, share->user, share->account);
}

/* The plan reads them only where there are jobs. */
static void read_shares(const struct openmetrics *m, struct shares *shares)
{
	struct session *s = m->s;

	*shares = m->plan.prio.shares;
	if (!shares->n && shares_load(&s->site.store, &s->site.conf.policy,
				  s->site.cluster, m->plan.at, 0, &s->arena,
				  shares))
		cli_die(&s->err);
}

static void put_shares(const struct openmetrics *m)
{
	static const struct {
		const char *name, *help;
	} families[] = {
		{"bursar_fairshare", "Fair-share factor of a user, 0 to 1."},
		{"bursar_shares_normalized", "Share of the cluster, 0 to 1."},
		{"bursar_usage_effective", "Part of the usage, 0 to 1."},
		{"bursar_usage_billing_seconds", "Decayed usage, billed."},
	};
	struct shares shares;

	read_shares(m, &shares);
	for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++) {
		family(families[f].name, "gauge", families[f].help);
		for (uint32_t i = 1; i < shares.n; i++) {
			const struct fs_node node = shares_node(&shares, i);
			const struct share *share = &shares.v[i];
			const double values[] = {node.fairshare,
				node.shares_norm, (double)node.usage_efctv,
				(double)shares.usage_raw[i]};

			if (may_see(m, share) && (f > 0 || node.is_user))
				SAMPLE(families[f].name, values[f], "cluster",
					shares.cluster, "account",
					share->account, "user", share->user,
					"partition", share->partition);
		}
	}
}

/* ---- the queue -----------------------------------------------------------*/

struct tally {
	uint64_t jobs, cpus;
};

static const char *const queue_states[] = {"pending", "running", "suspended"};

static size_t queue_state(const struct job *job)
{
	uint32_t base = job->state & JOB_BASE_MASK;

	return base == JOB_PENDING ? 0 : base == JOB_SUSPENDED ? 2 : 1;
}

static bool in_partition(const struct job *job, const char *name)
{
	size_t len = strlen(name);
	const char *at = job->partition;

	while ((at = strstr(at, name))) {
		if ((at == job->partition || at[-1] == ',') &&
			(!at[len] || at[len] == ','))
			return true;
		at += len;
	}
	return false;
}

static struct tally count_jobs(
	const struct openmetrics *m, const char *partition, size_t state)
{
	struct tally tally = {0};

	for (size_t i = 0; i < m->plan.jobs.n; i++) {
		const struct job *job = &m->plan.jobs.v[i];
		const struct tres_list *list =
			state ? &job->tres_alloc : &job->tres_req;
		uint64_t n, cpus = tres_list_get(list, TRES_CPU);

		if (queue_state(job) != state || !in_partition(job, partition) ||
			!privacy_allows(&m->jobs, job->user, job->account))
			continue;
		n = state ? 1 : array_tasks_count(job->array_tasks);
		tally.jobs += n;
		tally.cpus += cpus < NO_VAL64 ? n * cpus : 0;
	}
	return tally;
}

static void put_queue(const struct openmetrics *m)
{
	const struct conf *conf = &m->s->site.conf;

	for (int cpus = 0; cpus < 2; cpus++) {
		const char *name = cpus ? "bursar_queue_cpus"
					: "bursar_queue_jobs";

		family(name, "gauge",
			cpus ? "CPUs that jobs have or ask for."
			     : "Jobs, each task of an array one; one that may "
			       "run in several partitions counts in each.");
		for (size_t i = 0; i < conf->n_partitions; i++)
			for (size_t state = 0; state < 3; state++) {
				const char *p = conf->partitions[i].name;
				struct tally t = count_jobs(m, p, state);

				SAMPLE(name, cpus ? t.cpus : t.jobs, "cluster",
					m->s->site.cluster, "partition", p,
					"state", queue_states[state]);
			}
	}
}

/* ---- waits ---------------------------------------------------------------*/

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void put_waits_of(const struct openmetrics *m,
	const struct conf_partition *p, double *waits)
{
	static const struct {
		double part;
		const char *text;
	} quantiles[] = {{0.5, "0.5"}, {0.9, "0.9"}, {1, "1"}};
	static const char name[] = "bursar_planned_wait_seconds";
	const struct schedule *schedule = &m->plan.schedule;
	const char *cluster = m->s->site.cluster;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < schedule->n_jobs; i++) {
		const struct sched_plan *plan =
			verdict_plan(&schedule->jobs[i]);

		if (!plan || strcmp(plan->choice->partition->name, p->name))
			continue;
		waits[n] = (double)larger(0, plan->start - m->plan.at);
		sum += waits[n++];
	}
	qsort(waits, n, sizeof(*waits), compare_doubles);
	for (size_t q = 0; n && q < 3; q++)
		SAMPLE(name,
			waits[(size_t)ceil(quantiles[q].part * (double)n) - 1],
			"cluster", cluster, "partition", p->name, "quantile",
			quantiles[q].text);
	SAMPLE("bursar_planned_wait_seconds_sum", sum, "cluster", cluster,
		"partition", p->name);
	SAMPLE("bursar_planned_wait_seconds_count", n, "cluster", cluster,
		"partition", p->name);
}

/* What the backfill pass finds now for those that wait. */
static void put_waits(struct openmetrics *m)
{
	const struct conf *conf = &m->s->site.conf;
	double *waits = arena_array(
		&m->s->arena, m->plan.schedule.n_jobs + 1, sizeof(*waits));

	plan_backfill(&m->plan);
	family("bursar_planned_wait_seconds", "summary",
		"How long jobs have yet to wait, by the plan of this moment.");
	for (size_t i = 0; i < conf->n_partitions; i++)
		put_waits_of(m, &conf->partitions[i], waits);
}

/* Why they wait, as squeue has it. */
static void put_reasons(struct openmetrics *m)
{
	struct plan *plan = &m->plan;
	uint64_t *counts =
		arena_array(&m->s->arena, plan->jobs.n + 1, sizeof(*counts));
	struct strv reasons = {0};

	for (size_t i = 0; i < plan->jobs.n; i++) {
		const struct job *job = &plan->jobs.v[i];
		const char *reason;
		size_t at = 0;

		if (queue_state(job) ||
			!privacy_allows(&m->jobs, job->user, job->account))
			continue;
		reason = plan_reason_word(plan, job);
		while (at < reasons.n && strcmp(reasons.v[at], reason) != 0)
			at++;
		if (at == reasons.n)
			strv_push(&reasons, &m->s->arena, reason);
		counts[at] += array_tasks_count(job->array_tasks);
	}
	family("bursar_waiting_jobs", "gauge",
		"Jobs that wait, each task of an array one, by reason.");
	for (size_t i = 0; i < reasons.n; i++)
		SAMPLE("bursar_waiting_jobs", counts[i], "cluster",
			m->s->site.cluster, "reason", reasons.v[i]);
}

/* ---- limits --------------------------------------------------------------*/

/* A limit with what is in use of it, and whose it is. */
struct metered_limit {
	const struct effective *of;
	const char *account, *user, *qos;
};

struct used_limits {
	struct metered_limit *v;
	size_t n, cap;
};

static int add_assocs(struct openmetrics *m, struct used_limits *all)
{
	struct session *s = m->s;
	struct assoc_cond cond = {0};
	struct assoc_list assocs;

	strv_push(&cond.clusters, &s->arena, s->site.cluster);
	if (assoc_list(&s->site.store, &cond, &s->arena, &assocs))
		return -1;
	for (size_t i = 0; i < assocs.n; i++) {
		const struct assoc *assoc = assocs.v[i];
		struct effective_list list;

		if (!privacy_allows(&m->usage, assoc->user, assoc->account))
			continue;
		if (effective_of_assoc(&m->plan.limits, assoc, 0, NULL, &list))
			return -1;
		for (size_t k = 0; k < list.n; k++)
			if (list.v[k].has_used && !list.v[k].of_qos &&
				list.v[k].key == assoc->key)
				*ARENA_PUSH(&s->arena, all->v, all->n,
					all->cap) = (struct metered_limit){
					&list.v[k], assoc->account, assoc->user,
					""};
	}
	return 0;
}

static int add_qos(struct openmetrics *m, struct used_limits *all)
{
	struct session *s = m->s;
	const struct qos_catalog *catalog = &s->site.store.qos;

	for (size_t i = 0; i < catalog->n; i++) {
		struct effective_list list;

		if (effective_of_qos(
			    &m->plan.limits, catalog->v[i].id, &list))
			return -1;
		for (size_t k = 0; k < list.n; k++)
			if (list.v[k].has_used)
				*ARENA_PUSH(&s->arena, all->v, all->n,
					all->cap) = (struct metered_limit){
					&list.v[k], "", "", catalog->v[i].name};
	}
	return 0;
}

static int put_limits(struct openmetrics *m)
{
	static const char *const names[] = {"bursar_limit", "bursar_limit_used"};
	struct used_limits all = {0};

	if (add_assocs(m, &all) || add_qos(m, &all))
		return -1;
	for (int used = 0; used < 2; used++) {
		family(names[used], "gauge",
			used ? "How much of the limit is in use."
			     : "A limit of an association or a QOS.");
		for (size_t i = 0; i < all.n; i++) {
			const struct metered_limit *limit = &all.v[i];
			const struct tres *tres = tres_by_id(
				&m->s->site.store.tres, limit->of->tres);

			SAMPLE(names[used],
				used ? limit->of->used : limit->of->limit,
				"cluster", m->s->site.cluster, "account",
				limit->account, "user", limit->user, "qos",
				limit->qos, "limit", limit->of->word, "tres",
				tres ? tres_full_name(tres, &m->s->arena) : "");
		}
	}
	return 0;
}

/* ---- the store -----------------------------------------------------------*/

static void put_store(const struct openmetrics *m)
{
	struct stat file;
	bool there = !store_files_stat(m->s->site.store_path, &file);

	family("bursar_store_bytes", "gauge", "Size of the store's file.");
	if (there)
		SAMPLE("bursar_store_bytes", file.st_size, "cluster", "");
	family("bursar_store_changed_timestamp_seconds", "gauge",
		"When the store's file was last written.");
	if (there)
		SAMPLE("bursar_store_changed_timestamp_seconds", file.st_mtime,
			"cluster", "");
	family("bursar_store_schema", "gauge", "Version of the store's schema.");
	SAMPLE("bursar_store_schema", schema_version(), "cluster", "");
}

void print_openmetrics(struct session *s)
{
	struct openmetrics m = {.s = s};

	if (privacy_open(&m.usage, &s->site, PRIVATE_USAGE, &s->arena) ||
		privacy_open(&m.jobs, &s->site, PRIVATE_JOBS, &s->arena) ||
		plan_look(&m.plan, &s->site, s->site.cluster, s->site.now,
			&s->arena))
		cli_die(&s->err);
	put_shares(&m);
	put_queue(&m);
	if (put_limits(&m))
		cli_die(&s->err);
	put_waits(&m);
	put_reasons(&m);
	put_store(&m);
	puts("# EOF");
}
