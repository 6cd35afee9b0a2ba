/*
 * A trace of the store's own history: every job that has run to its end, in the
 * order of submission; see trace.h.
 */
#include "db/view/trace.h"

#include <string.h>

/* Hash tables live and die with the arena of the trace. */
#define uthash_malloc(size) arena_alloc(names->arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "db/entity/cluster.h"
#include "db/job/history.h"
#include "db/store/query.h"

/* ---- names ---------------------------------------------------------------*/

struct name {
	const char *text;
	int64_t number;
	UT_hash_handle hh;
};

/* Jobs of one kind stand under the same limits. */
struct trace_kind_key {
	int64_t assoc;
	uint32_t qos, user, account, partition; /* names by number */
};

struct trace_kind {
	struct trace_kind_key key;
	uint32_t tag; /* from 1 */
	UT_hash_handle hh;
};

struct names {
	struct arena *arena;
	struct trace_kind *kinds;
	struct {
		struct trace_kind **v; /* by tag - 1 */
		size_t n, cap;
	} tags;
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

const struct strv *names_of(const struct names *names, enum name_kind kind)
{
	return &names->lists[kind];
}

const char *name_of(
	const struct names *names, enum name_kind kind, int64_t number)
{
	return number < 0 ? "" : names->lists[kind].v[number];
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

static uint32_t tag_of(
	struct names *names, const struct job *job, const struct swf_job *swf)
{
	const struct trace_kind_key key = {
		.assoc = job->assoc,
		.qos = job->qos,
		.user = (uint32_t)swf->v[SWF_USER],
		.account = (uint32_t)swf->v[SWF_GROUP],
		.partition = (uint32_t)swf->v[SWF_QUEUE],
	};
	struct trace_kind *kind;

	HASH_FIND(hh, names->kinds, &key, sizeof(key), kind);
	if (kind)
		return kind->tag;
	kind = arena_alloc(names->arena, sizeof(*kind));
	kind->key = key;
	kind->tag = (uint32_t)names->tags.n + 1;
	HASH_ADD(hh, names->kinds, key, sizeof(kind->key), kind);
	*ARENA_PUSH(names->arena, names->tags.v, names->tags.n,
		names->tags.cap) = kind;
	return kind->tag;
}

static uint16_t asks_of(const struct store_trace *s, const struct job *job)
{
	unsigned asks = *job->licenses ? TRACE_LICENSES : 0;

	if (job->mem_req && job->mem_req < NO_VAL64)
		asks |= TRACE_MEMORY;
	for (size_t i = 0; i < job->tres_req.n; i++) {
		const struct tres *tres = tres_by_id(
			&s->site->store.tres, job->tres_req.v[i].id);

		if (tres && !strcmp(tres->type, "gres"))
			asks |= TRACE_GRES;
	}
	return (uint16_t)asks;
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
	/* It waits from when it could have run. */
	swf.v[SWF_SUBMIT] =
		(job->eligible > job->submit ? job->eligible : job->submit) -
		trace->start;
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
		trace->jobs[n].asks = asks_of(s, job);
		trace->jobs[n].nodes = job_least_nodes(job);
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
	SCRATCH_ARENA(scratch);

	cond.clusters = &cluster;
	cond.n_clusters = 1;
	if (cluster < 0 || history_prepare(store) ||
		history_privacy(&cond, s->site, s->arena))
		return -1;
	return any_failed(history_each(store, &cond, &scratch, keep, s));
}

/* ---- all -----------------------------------------------------------------*/

int store_trace_read(struct store_trace *s)
{
	s->names = arena_alloc(s->arena, sizeof(*s->names));
	s->names->arena = s->arena;
	return read_jobs(s);
}

int64_t store_trace_since(struct site *site, size_t jobs)
{
	int64_t from = 0;

	return store_ask(&site->store,
		       "SELECT submit FROM job WHERE +cluster = :cluster"
		       " AND end IS NOT NULL"
		       " ORDER BY submit DESC LIMIT 1 OFFSET :jobs",
		       &from,
		       bind_int(":cluster",
			       cluster_key(&site->store, site->cluster)),
		       bind_int(":jobs", (int64_t)jobs - 1))
		       ? -1
		       : from;
}

void store_trace_finish(struct store_trace *s, uint32_t procs)
{
	trace_finish(s->trace, procs);
	/* Jobs came by submission, but count from when they could run. */
	s->trace->counts[TRACE_UNORDERED].n = 0;
}

size_t store_trace_kinds(const struct store_trace *s)
{
	return s->names->tags.n;
}

struct store_kind store_trace_kind(const struct store_trace *s, uint32_t tag)
{
	const struct names *names = s->names;
	const struct trace_kind_key *key;

	if (!tag)
		return (struct store_kind){
			.user = "", .account = "", .partition = ""};
	key = &names->tags.v[tag - 1]->key;
	return (struct store_kind){
		.assoc = key->assoc,
		.qos = key->qos,
		.user = name_of(names, NAME_USER, (int32_t)key->user),
		.account = name_of(names, NAME_ACCOUNT, (int32_t)key->account),
		.partition = name_of(
			names, NAME_PARTITION, (int32_t)key->partition),
	};
}
