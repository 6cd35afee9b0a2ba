/*
 * A trace of the store's own history: every job that has run to its end, in the
 * order of submission; see trace.h.
 */
#include "db/view/trace.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "db/entity/cluster.h"
#include "db/job/history.h"
#include "db/store/query.h"
#include "db/view/limits.h"
#include "db/view/shares.h"

/* ---- names ---------------------------------------------------------------*/

struct name {
	const char *text;
	int64_t number;
	UT_hash_handle hh;
};

/* Jobs of one kind stand under the same limits. */
struct kind_key {
	int64_t assoc;
	uint32_t qos, user, account, partition; /* names by number */
};

struct kind {
	struct kind_key key;
	uint32_t tag; /* from 1 */
	UT_hash_handle hh;
};

struct names {
	struct arena *arena;
	struct kind *kinds;
	struct name *known[NAME_KINDS];
	struct strv lists[NAME_KINDS];
};

static int64_t number_of(
	struct names *names, enum name_kind kind, const char *text)
{
	struct name *name;

	if (!*text)
		return -1;
	HASH_FIND_STR(names->known[kind], text, name);
	if (name)
		return name->number;
	name = arena_alloc(names->arena, sizeof(*name));
	name->number = (int64_t)names->lists[kind].n;
	strv_push(&names->lists[kind], names->arena, text);
	name->text = names->lists[kind].v[name->number];
	HASH_ADD_KEYPTR(
		hh, names->known[kind], name->text, strlen(name->text), name);
	return name->number;
}

const char *name_of(
	const struct names *names, enum name_kind kind, int64_t number)
{
	return number < 0 ? "" : names->lists[kind].v[number];
}

static void free_names(struct names *names)
{
	for (int kind = 0; kind < NAME_KINDS; kind++)
		HASH_CLEAR(hh, names->known[kind]);
	HASH_CLEAR(hh, names->kinds);
}

/* ---- jobs ----------------------------------------------------------------*/

static int64_t status_of(const struct job *job)
{
	enum { FAILED, COMPLETED, CANCELLED = 5 };
	uint32_t state = job->state & JOB_BASE_MASK;

	if (state == JOB_CANCELLED)
		return CANCELLED;
	return state == JOB_COMPLETED ? COMPLETED : FAILED;
}

/* Seconds; -1: none. */
static int64_t limit_of(const struct job *job)
{
	uint32_t minutes =
		job->wall_limit < NO_VAL ? job->wall_limit : job->time_limit;

	return minutes < NO_VAL ? (int64_t)minutes * 60 : -1;
}

static int64_t cpus_of(const struct job *job)
{
	uint64_t cpus = tres_list_get(&job->tres_alloc, TRES_CPU);

	return cpus < NO_VAL ? (int64_t)cpus : (int64_t)job->cpus_req;
}

/* It waits from when it could have run. */
static int64_t submit_of(const struct job *job)
{
	return job->eligible > job->submit ? job->eligible : job->submit;
}

static uint32_t tag_of(
	struct names *names, const struct job *job, const struct swf_job *swf)
{
	const struct kind_key key = {
		.assoc = job->assoc,
		.qos = job->qos,
		.user = (uint32_t)swf->v[SWF_USER],
		.account = (uint32_t)swf->v[SWF_GROUP],
		.partition = (uint32_t)swf->v[SWF_QUEUE],
	};
	struct kind *kind;

	HASH_FIND(hh, names->kinds, &key, sizeof(key), kind);
	if (kind)
		return kind->tag;
	kind = arena_alloc(names->arena, sizeof(*kind));
	kind->key = key;
	kind->tag = HASH_COUNT(names->kinds) + 1;
	HASH_ADD(hh, names->kinds, key, sizeof(kind->key), kind);
	return kind->tag;
}

static int keep(struct history_row *row, void *arg)
{
	struct store_trace *s = arg;
	const struct job *job = &row->job;
	struct names *names = s->names;
	struct trace *trace = s->trace;
	struct swf_job swf;
	size_t n;

	if (job->submit < s->from)
		return 0;
	for (size_t i = 0; i < SWF_FIELDS; i++)
		swf.v[i] = -1;
	if (!trace->rows) {
		trace->start = job->submit;
		if (s->begin && s->begin(s->arg))
			return -1;
	}
	swf.v[SWF_ID] = job->id;
	swf.v[SWF_SUBMIT] = submit_of(job) - trace->start;
	if (job->start && job->end)
		swf.v[SWF_RUN] = job->end - job->start - job->suspended;
	swf.v[SWF_PROCS] = swf.v[SWF_REQ_PROCS] = cpus_of(job);
	swf.v[SWF_REQ_TIME] = limit_of(job);
	swf.v[SWF_STATUS] = status_of(job);
	swf.v[SWF_USER] = number_of(names, NAME_USER, job->user);
	swf.v[SWF_GROUP] = number_of(names, NAME_ACCOUNT, job->account);
	swf.v[SWF_EXECUTABLE] = number_of(names, NAME_JOB, job->name);
	swf.v[SWF_QUEUE] = number_of(names, NAME_PARTITION, job->partition);
	n = trace->n;
	if (trace_add(trace, &swf, s->err))
		return -1;
	if (trace->n > n) {
		trace->jobs[n].tag = tag_of(names, job, &swf);
		if (s->each)
			s->each(s->arg, job, (uint32_t)n);
	}
	return 0;
}

static int read_jobs(struct store_trace *s)
{
	struct history_cond cond = {
		.states = ((1u << JOB_BASE_STATES) - 1) &
			  ~(JOB_STATE_BIT(JOB_PENDING) |
				  JOB_STATE_BIT(JOB_RUNNING) |
				  JOB_STATE_BIT(JOB_SUSPENDED)),
		.from = s->from,
		.until = s->site->now + 1,
		.duplicates = true,
	};
	struct store *store = &s->site->store;
	int64_t cluster = cluster_key(store, s->site->cluster);
	struct arena scratch;
	int rc;

	cond.clusters = &cluster;
	cond.n_clusters = 1;
	if (cluster < 0 || history_prepare(store) ||
		history_privacy(&cond, s->site, s->arena))
		return -1;
	arena_init(&scratch);
	rc = history_each(store, &cond, &scratch, keep, s);
	arena_release(&scratch);
	return rc ? -1 : 0;
}

/* ---- the association tree ------------------------------------------------*/

struct leaf {
	const char *key; /* account/user */
	uint32_t place;
	UT_hash_handle hh;
};

struct tree {
	struct sim_tree tree;
	const struct store_trace *of;
	struct leaf *leaves;
};

static const char *key_of(
	const char *account, const char *user, struct arena *arena)
{
	return arena_printf(arena, "%s/%s", account, user);
}

static uint32_t find_place(const void *arg, uint32_t group, uint32_t user)
{
	const struct tree *tree = arg;
	const struct store_trace *s = tree->of;
	struct arena scratch;
	const char *key;
	struct leaf *leaf;

	arena_init(&scratch);
	key = key_of(name_of(s->names, NAME_ACCOUNT,
			     s->trace->groups.numbers[group]),
		name_of(s->names, NAME_USER, s->trace->users.numbers[user]),
		&scratch);
	HASH_FIND_STR(tree->leaves, key, leaf);
	arena_release(&scratch);
	return leaf ? leaf->place : UINT32_MAX;
}

/* The first of a user in an account counts, of whatever partition. */
static int read_tree(struct store_trace *s)
{
	struct tree *tree = arena_alloc(s->arena, sizeof(*tree));
	struct shares shares;

	if (shares_load(&s->site->store, &s->conf->policy, s->site->cluster,
		    s->site->now, 0, s->arena, &shares))
		return -1;
	tree->of = s;
	for (uint32_t i = 0; i < shares.n; i++) {
		const struct share *share = &shares.v[i];
		struct leaf *leaf, *known;

		if (!shares.nodes[i].is_user)
			continue;
		leaf = arena_alloc(s->arena, sizeof(*leaf));
		leaf->key = key_of(share->account, share->user, s->arena);
		leaf->place = i;
		HASH_FIND_STR(tree->leaves, leaf->key, known);
		if (!known)
			HASH_ADD_KEYPTR(hh, tree->leaves, leaf->key,
				strlen(leaf->key), leaf);
	}
	tree->tree =
		(struct sim_tree){shares.nodes, shares.n, find_place, tree};
	s->tree = &tree->tree;
	return 0;
}

/* ---- limits --------------------------------------------------------------*/

static int read_chain(
	struct store_trace *s, struct limits *limits, const struct kind *kind)
{
	const struct kind_key *key = &kind->key;
	const struct names *names = s->names;
	const struct limits_of of = {
		.assoc = key->assoc,
		.qos = key->qos,
		.partition = conf_partition_by_name(
			s->conf, name_of(names, NAME_PARTITION,
					 (int32_t)key->partition)),
		.user = name_of(names, NAME_USER, (int32_t)key->user),
		.account = name_of(names, NAME_ACCOUNT, (int32_t)key->account),
	};
	const struct qos *qos;
	struct limit_chain *chain = NULL;

	if (limits_chain(limits, &of, &chain, &qos) < 0)
		return -1;
	s->chains[kind->tag - 1] = chain;
	return 0;
}

/* As they are now; only where slurm.conf enforces them. */
static int read_limits(struct store_trace *s)
{
	struct limits *limits = arena_alloc(s->arena, sizeof(*limits));
	const struct kind *kinds = s->names->kinds;
	int64_t cluster = cluster_key(&s->site->store, s->site->cluster);

	if (!(s->conf->enforce & ENFORCE_LIMITS) || !kinds)
		return 0;
	s->chains = arena_array(
		s->arena, HASH_COUNT(kinds), sizeof(struct limit_chain *));
	if (limits_open(limits, s->site, cluster, s->site->now,
		    LIMITS_SUBMITTED, s->arena))
		return -1;
	for (const struct kind *kind = kinds; kind; kind = kind->hh.next)
		if (read_chain(s, limits, kind))
			return -1;
	return 0;
}

struct limit_chain *store_trace_limits(const void *arg, uint32_t job)
{
	const struct store_trace *s = arg;
	uint32_t tag = s->trace->jobs[job].tag;

	return tag ? s->chains[tag - 1] : NULL;
}

/* ---- all -----------------------------------------------------------------*/

int store_trace_read(struct store_trace *s)
{
	s->names = arena_alloc(s->arena, sizeof(*s->names));
	s->names->arena = s->arena;
	return read_jobs(s) || read_tree(s) || read_limits(s) ? -1 : 0;
}

int64_t store_trace_since(struct site *site, size_t jobs)
{
	int64_t from = 0;
	struct query q;

	if (query_open(&q, &site->store,
		    "SELECT submit FROM job WHERE +cluster = :cluster"
		    " AND end IS NOT NULL"
		    " ORDER BY submit DESC LIMIT 1 OFFSET :jobs"))
		return -1;
	query_bind_int(
		&q, ":cluster", cluster_key(&site->store, site->cluster));
	query_bind_int(&q, ":jobs", (int64_t)jobs - 1);
	if (query_row(&q))
		from = query_int(&q, 0);
	return query_close(&q) ? -1 : from;
}

void store_trace_finish(struct store_trace *s, uint32_t procs)
{
	trace_finish(s->trace, procs);
	/* Jobs came by submission, but count from when they could run. */
	s->trace->counts[TRACE_UNORDERED].n = 0;
}

void store_trace_release(struct store_trace *s)
{
	if (!s->names)
		return;
	free_names(s->names);
	if (s->tree)
		HASH_CLEAR(hh, ((struct tree *)s->tree->arg)->leaves);
}
