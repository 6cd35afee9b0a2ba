/*
 * job Sizes: jobs that ran in the window, by account or wckey and by how many
 * CPUs they had (Slurm's src/sreport/job_reports.c). Read from the records
 * themselves.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sreport/usage.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "db/job/job.h"
#include "db/job/suspension.h"

/* One row: who, and how much in each group of sizes. */
struct holder {
	const char *name, *lineage, *wckey;
	const char *cluster;
	int64_t *secs, *jobs; /* by group */
	int64_t all_secs, all_jobs;
};

struct sizes {
	struct report_run *r;
	enum report_by by;
	int64_t *
		bounds; /* where groups begin, or with `individual` each size */
	size_t n_bounds, cap_bounds;
	size_t n_groups;
	struct holder *v;
	size_t n, cap;
	size_t first; /* of the cluster that is being read */
	struct tree_usage tree;
	const struct report_cluster *cluster;
	struct privacy privacy;
	struct strv nodes;
};

/* ---- groups ------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void add_bound(struct sizes *z, int64_t size)
{
	*ARENA_PUSH(&z->r->session->arena, z->bounds, z->n_bounds,
		z->cap_bounds) = size;
}

/* Group 0 begins at nothing; the last goes on without end. */
static size_t group_of(const struct sizes *z, int64_t cpus)
{
	size_t i = 0;

	while (i < z->n_bounds && cpus >= z->bounds[i])
		i++;
	if (!z->r->cond.individual)
		return i;
	return i ? i - 1 : 0;
}

static int choose_groups(struct sizes *z)
{
	struct report_run *r = z->r;
	struct strv words = r->cond.grouping;
	char *end;

	if (r->cond.individual)
		return 0;
	if (!words.n)
		strv_split(&words, &r->session->arena, "50,250,500,1000");
	for (size_t i = 0; i < words.n; i++) {
		add_bound(z, strtoll(words.v[i], &end, 10));
		/* A width may follow: 50%20. */
		if (end > words.v[i] && *words.v[i] != '-' &&
			(!*end || *end == '%'))
			continue;
		complain(r->session,
			"sreport: error: Invalid value for Grouping (%s)",
			words.v[i]);
		return -1;
	}
	r->cond.grouping = words;
	z->n_groups = z->n_bounds + 1;
	return 0;
}

static const char *heading_of(
	struct sizes *z, size_t i, const char *unit, struct arena *arena)
{
	long long first = i ? (long long)z->bounds[i - 1] : 0;

	if (z->r->cond.individual)
		return arena_printf(
			arena, "%lld %s", (long long)z->bounds[i], unit);
	if (i == z->n_bounds)
		return arena_printf(arena, ">= %lld %s", first, unit);
	return arena_printf(arena, "%lld-%lld %s", first,
		(long long)z->bounds[i] - 1, unit);
}

/* The `%N` behind a bound; the last group has that of the last bound. */
static int width_of(const struct sizes *z, size_t i)
{
	const struct strv *words = &z->r->cond.grouping;
	const char *percent;

	if (z->r->cond.individual || !words->n)
		return 0;
	percent = strchr(words->v[i < words->n ? i : words->n - 1], '%');
	return percent ? (int)strtol(percent + 1, NULL, 10) % 100000 : 0;
}

static void add_columns(struct sizes *z)
{
	struct arena *arena = &z->r->session->arena;
	const char *unit = z->r->tres[0].id == TRES_CPU ? "CPUs" : "TRES";
	char **headings =
		arena_array(arena, z->n_groups + 1, sizeof(*headings));
	int *widths = arena_array(arena, z->n_groups + 1, sizeof(*widths));

	for (size_t i = 0; i < z->n_groups; i++) {
		headings[i] =
			arena_strdup(arena, heading_of(z, i, unit, arena));
		widths[i] = width_of(z, i);
	}
	add_group_columns(z->r, headings, widths, z->n_groups);
}

/* ---- rows --------------------------------------------------------------- */

static struct holder *add_holder(struct sizes *z, const char *name,
	const char *lineage, const char *wckey)
{
	struct arena *arena = &z->r->session->arena;
	struct holder *h = ARENA_PUSH(arena, z->v, z->n, z->cap);

	*h = (struct holder){
		.name = arena_strdup(arena, name),
		.lineage = lineage,
		.wckey = arena_strdup(arena, wckey),
		.cluster = z->cluster->name,
		.secs = arena_array(arena, z->n_groups + 1, sizeof(int64_t)),
		.jobs = arena_array(arena, z->n_groups + 1, sizeof(int64_t)),
	};
	return h;
}

/* Accounts that get a row when nothing flat is asked for. */
static bool is_head(const struct sizes *z, const struct tree_node *node)
{
	const struct strv *names = &z->r->cond.accounts;
	const struct tree_node *parent =
		node->parent == NO_NODE ? NULL : &z->tree.nodes[node->parent];

	if (!is_account(node))
		return false;
	if (z->r->cond.as_parent)
		return parent &&
		       (names->n ? strv_has_nocase(names, parent->assoc.account)
				 : parent->parent == NO_NODE);
	return names->n ? strv_has_nocase(names, node->assoc.account) : !parent;
}

/* Depth first, so that a job finds the first row above it. */
static struct holder *holder_above(
	struct sizes *z, const struct tree_node *node, const char *wckey)
{
	const char *lineage = node->assoc.lineage;
	const char *name = node->assoc.account;

	for (size_t i = z->first; i < z->n; i++)
		if (!strcmp(z->v[i].lineage, lineage) &&
			!strcmp(z->v[i].wckey, wckey))
			return &z->v[i];
	if (z->by == BY_BOTH)
		name = arena_printf(
			&z->r->session->arena, "%s:%s", name, wckey);
	return add_holder(z, name, lineage, wckey);
}

static struct holder *find_by_tree(
	struct sizes *z, const struct job *job, const char *wckey)
{
	size_t index = usage_index(&z->tree, job->assoc);
	const struct tree_node *head = NULL;

	for (; index != NO_NODE; index = z->tree.nodes[index].parent)
		if (is_head(z, &z->tree.nodes[index]))
			head = &z->tree.nodes[index];
	return head ? holder_above(z, head, wckey) : NULL;
}

static struct holder *find_by_name(struct sizes *z, const char *name)
{
	for (size_t i = z->first; i < z->n; i++)
		if (!strcmp(z->v[i].name, name))
			return &z->v[i];
	return add_holder(z, name, "", "");
}

static struct holder *find_holder(struct sizes *z, const struct job *job)
{
	const char *wckey = job->wckey + (*job->wckey == '*');
	const struct strv *names = &z->r->cond.accounts;
	const char *both;

	if (z->by == BY_WCKEY)
		return *wckey ? find_by_name(z, wckey) : NULL;
	/* A row of a tree is an account with one of the wckeys there are. */
	if (!z->r->cond.flat && z->by == BY_BOTH && !*wckey)
		return NULL;
	if (!z->r->cond.flat)
		return find_by_tree(z, job, z->by == BY_BOTH ? wckey : "");
	if (names->n && !strv_has_nocase(names, job->account))
		return NULL;
	if (z->by == BY_ACCOUNT)
		return find_by_name(z, job->account);
	both = arena_printf(
		&z->r->session->arena, "%s:%s", job->account, wckey);
	return find_by_name(z, both);
}

/* ---- jobs --------------------------------------------------------------- */

int64_t seconds_within(
	struct session *s, const struct job *job, int64_t from, int64_t until)
{
	int64_t stop = job->end ? job->end : s->site.now;
	int64_t start = job->start > from ? job->start : from;
	int64_t end = stop < until ? stop : until;
	struct suspensions all;

	if (!job->start || end <= start)
		return 0;
	arena_reset(&s->scratch);
	if (suspensions_load(&s->site.store, job->key, job->suspended,
		    job->suspended_since, &s->scratch, &all))
		cli_die(s->site.store.err);
	/* As in the roll-up, so that both reports agree: only what is known
	 * to lie in the window. */
	all.loose = 0;
	return end - start -
	       suspended_within(&all, job->start, stop, start, end);
}

static bool has_number(
	const struct strv *list, int64_t number, struct arena *scratch)
{
	return !list->n ||
	       strv_has(list, arena_printf(scratch, "%lld", (long long)number));
}

static bool is_named(
	const struct sizes *z, const struct job *job, struct arena *scratch)
{
	const struct strv *jobs = &z->r->cond.jobs;

	return !jobs->n || has_number(jobs, job->id, scratch) ||
	       (job->array_job && has_number(jobs, job->array_job, scratch));
}

static bool wanted(struct sizes *z, const struct job *job)
{
	const struct conditions *cond = &z->r->cond;
	struct arena *scratch = &z->r->session->scratch;

	arena_reset(scratch);
	return (!cond->users.n || strv_has_nocase(&cond->users, job->user) ||
		       has_number(&cond->users, job->uid, scratch)) &&
	       has_number(&cond->gids, job->gid, scratch) &&
	       has_number(&cond->assocs, job->assoc, scratch) &&
	       (!cond->partitions.n ||
		       strv_has_nocase(&cond->partitions, job->partition)) &&
	       is_named(z, job, scratch) &&
	       (!cond->wckeys.n ||
		       strv_has_nocase(&cond->wckeys,
			       job->wckey + (*job->wckey == '*'))) &&
	       hostlist_meets(job->nodelist, &z->nodes, scratch) &&
	       privacy_allows(&z->privacy, job->user, job->account);
}

static int64_t count_of(const struct job *job, uint32_t tres)
{
	uint64_t count = tres_list_get(&job->tres_alloc, tres);

	return count == NO_VAL64 || count > INT64_MAX ? -1 : (int64_t)count;
}

static int add_job(const struct job *job, void *arg)
{
	struct sizes *z = arg;
	int64_t seconds =
		seconds_within(z->r->session, job, z->r->start, z->r->end);
	int64_t cpus = count_of(job, TRES_CPU);
	struct holder *h;
	size_t group;
	int64_t secs;

	if (seconds <= 0 || cpus < 0 || !wanted(z, job))
		return 0;
	h = find_holder(z, job);
	if (!h)
		return 0;
	group = group_of(z, cpus);
	secs = usage_product(
		(uint64_t)larger(0, count_of(job, z->r->tres[0].id)), seconds);
	h->secs[group] = usage_sum(h->secs[group], secs);
	h->all_secs = usage_sum(h->all_secs, secs);
	h->jobs[group]++;
	h->all_jobs++;
	return 0;
}

/* For grouping=individual: the sizes that occur. */
static int note_size(const struct job *job, void *arg)
{
	struct sizes *z = arg;
	int64_t cpus = count_of(job, TRES_CPU);

	if (seconds_within(z->r->session, job, z->r->start, z->r->end) <= 0 ||
		cpus < 0)
		return 0;
	for (size_t i = 0; i < z->n_bounds; i++)
		if (z->bounds[i] == cpus)
			return 0;
	add_bound(z, cpus);
	return 0;
}

static void each_job(struct sizes *z, int64_t cluster,
	int (*each)(const struct job *, void *))
{
	struct session *s = z->r->session;
	struct arena scratch;
	int rc;

	arena_init(&scratch);
	rc = rollup_each_job(&s->site.store, cluster, z->r->start, z->r->end,
		&scratch, each, z);
	arena_release(&scratch);
	if (rc)
		cli_die(&s->err);
}

/* ---- all ---------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;
	int order = strcmp(x->cluster, y->cluster);

	return order ? order : strcmp(x->name, y->name);
}

static int64_t cluster_total(const struct sizes *z, const char *cluster)
{
	int64_t sum = 0;

	for (size_t i = 0; i < z->n; i++)
		if (!strcmp(z->v[i].cluster, cluster))
			sum = usage_sum(sum, z->r->cond.job_count
						     ? z->v[i].all_jobs
						     : z->v[i].all_secs);
	return sum;
}

static void print_holders(struct sizes *z)
{
	bool jobs = z->r->cond.job_count;
	struct rows rows = {0};

	if (z->n)
		qsort(z->v, z->n, sizeof(*z->v), by_name);
	for (size_t i = 0; i < z->n; i++) {
		const struct holder *h = &z->v[i];
		struct row *row = ARENA_PUSH(
			&z->r->session->arena, rows.v, rows.n, rows.cap);

		*row = (struct row){.cluster = h->cluster,
			.account = h->name,
			.groups = jobs ? h->jobs : h->secs};
		row->amounts[AMOUNT_TOTAL] = jobs ? h->all_jobs : h->all_secs;
		row->whole[AMOUNT_TOTAL] = cluster_total(z, h->cluster);
	}
	print_rows(z->r, &rows);
}

/* The tree alone; usage is not asked for. */
static void read_cluster(struct sizes *z, const struct report_cluster *cluster)
{
	z->first = z->n;
	z->cluster = cluster;
	tree_read(z->r, cluster, &z->tree);
	if (z->r->federation) {
		struct report_cluster *all =
			arena_alloc(&z->r->session->arena, sizeof(*all));

		*all = (struct report_cluster){
			cluster->key, arena_printf(&z->r->session->arena,
					      "FED:%s", z->r->federation)};
		z->cluster = all;
		z->first = 0;
	}
	each_job(z, cluster->key, add_job);
}

void report_sizes(struct report_run *r)
{
	struct session *s = r->session;
	struct sizes z = {.r = r, .by = r->report->by};

	if (r->n_tres > 1) {
		complain(s, " Job report only supports a single --tres type.\n"
			    " Generate a separate report for each TRES type.");
		return;
	}
	z.privacy = privacy_of(r, PRIVATE_JOBS);
	expand_nodes(r, &z.nodes);
	choose_columns(r);
	if (choose_groups(&z))
		return;
	for (size_t i = 0; r->cond.individual && i < r->clusters.n; i++)
		each_job(&z, r->clusters.v[i].key, note_size);
	if (r->cond.individual) {
		if (z.n_bounds)
			qsort(z.bounds, z.n_bounds, sizeof(*z.bounds), by_size);
		z.n_groups = z.n_bounds;
	}
	add_columns(&z);
	for (size_t i = 0; i < r->clusters.n; i++)
		read_cluster(&z, &r->clusters.v[i]);
	print_holders(&z);
}
