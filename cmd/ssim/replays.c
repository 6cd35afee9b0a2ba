/*
 * Which replays are made: every --policy, under each way to run the site.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/words.h"

static const struct sim_policy *const policies[] = {
	&sim_fcfs, &sim_easy, &sim_conservative, &sim_sjbf};

enum {
	POLICIES = sizeof(policies) / sizeof(*policies),
	USUAL = 3, /* the first, when none is named */
	MOST_VARIANTS = 100,
};

/* SchedulerParameters about slurmctld's load, which is not simulated: a pass
 * over the queue takes no time, and there are no RPCs. */
static const struct {
	const char *name, *why;
} not_simulated[] = {
	{"batch_sched_delay", "a main pass follows every event at once"},
	{"bf_hetjob_immediate", "parts of a job are replayed as jobs"},
	{"bf_hetjob_prio", "parts of a job are replayed as jobs"},
	{"build_queue_timeout", "to build the queue takes no time"},
	{"defer", "a main pass follows every event at once"},
	{"defer_batch", "a main pass follows every event at once"},
	{"max_rpc_cnt", "there are no calls"},
	{"max_sched_time", "a main pass takes no time"},
};

/* Why the parameter that the word sets has no effect here; NULL: it may have
 * one. */
static const char *why_not(const char *word)
{
	size_t len = strcspn(word, "=");
	const struct sched_param *row = sched_param_find(word, len);

	for (size_t i = 0; i < sizeof(not_simulated) / sizeof(*not_simulated);
		i++)
		if (words_have(not_simulated[i].name, word, len))
			return not_simulated[i].why;
	return row && row->use == PARAM_UNUSED ? "it has no meaning here" : NULL;
}

void remark_not_simulated(
	const char *parameters, struct strv *remarks, struct arena *arena)
{
	struct strv words = {0}, named = {0};

	strv_split(&words, arena, parameters ? parameters : "");
	for (size_t i = 0; i < words.n; i++)
		if (why_not(words.v[i]))
			strv_push(&named, arena,
				arena_strndup(arena, words.v[i],
					strcspn(words.v[i], "=")));
	if (named.n)
		strv_printf(remarks, arena,
			"SchedulerParameters: not simulated: %s",
			strv_join_some(&named, ", ", arena));
}

static struct replay *push(struct session *s)
{
	return ARENA_PUSH(&s->arena, s->replays, s->n, s->cap);
}

/* A mistake in them is told before the trace is read. */
static int check_words(
	struct session *s, const struct replay *replay, const char *words)
{
	struct backfill unused;
	const struct conf none = {0};
	const char *text = arena_printf(&s->arena, "slurm:%s", words);

	if (backfill_read(&unused, &none, text, NULL, &s->arena, &s->err))
		return err_prefix(&s->err, "%s", replay->label);
	return 0;
}

/* Words that are not SchedulerParameters; the rest of the list. */
static int add_words(struct session *s, struct replay *replay, const char *list)
{
	struct strv words = {0};
	const char *rest = "";

	strv_split(&words, &s->arena, list);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.v[i];

		if (!strcmp(word, "granularity=core"))
			replay->cores = true;
		else if (!strcmp(word, "granularity=node"))
			replay->cores = false;
		else if (!strcmp(word, "skip-same-shape"))
			replay->skip_same_shape = true;
		else if (why_not(word))
			return err_set(&s->err, ERR_USAGE,
				"%s: %.*s is not simulated: %s", replay->label,
				(int)strcspn(word, "="), word, why_not(word));
		else
			rest = arena_printf(&s->arena, "%s%s%s", rest,
				*rest ? "," : "", word);
	}
	if (*rest)
		strv_push(&replay->words, &s->arena, rest);
	return check_words(s, replay, rest);
}

/* Under each way to run the site; the other policies know of none. */
static int add_slurm(struct session *s, const char *text)
{
	for (size_t i = 0; i < s->n_variants; i++) {
		struct variant *v = &s->variants[i];
		struct replay *replay = push(s);

		*replay = (struct replay){
			.label = arena_printf(&s->arena, "%s%s%s", text,
				*v->label ? " " : "", v->label),
			.variant = v,
			.policy = &sim_slurm_policy,
			.sim = s->options.sim,
		};
		if (text[5] && text[6] && add_words(s, replay, text + 6))
			return -1;
	}
	return 0;
}

static int add_policy(struct session *s, const char *text)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (!strcmp(text, policies[i]->name)) {
			*push(s) = (struct replay){
				.label = policies[i]->name,
				.variant = s->variants,
				.policy = policies[i],
				.sim = s->options.sim,
			};
			return 0;
		}
	if (!strcmp(text, "slurm") || !strncmp(text, "slurm:", 6))
		return add_slurm(s, text);
	return err_set(&s->err, ERR_USAGE,
		"--policy: unknown policy '%s'; expected fcfs, easy, sjbf, "
		"conservative, slurm or slurm:KEY=VALUE,...",
		text);
}

/* ---- how the site is run -------------------------------------------------*/

/* Short, unless two files have the same name. */
static const char *conf_label(const struct strv *confs, size_t i)
{
	const char *name = basename(confs->v[i]);

	if (confs->n < 2)
		return "";
	for (size_t k = 0; k < confs->n; k++)
		if (k != i && !strcmp(basename(confs->v[k]), name))
			return confs->v[i];
	return name;
}

/* Every --conf as it is, and with each --what-if. */
int make_variants(struct session *s)
{
	const struct strv *confs = &s->options.confs;
	const struct strv *changes = &s->options.what_ifs;
	size_t rows = confs->n ? confs->n : 1, columns = changes->n + 1;

	if (changes->n && s->options.file)
		return err_set(&s->err, ERR_USAGE,
			"--what-if is about the jobs of the store; a FILE has "
			"--conf");
	if (rows * columns > MOST_VARIANTS)
		return err_set(&s->err, ERR_USAGE,
			"--conf and --what-if: that makes %zu ways to run the "
			"site, more than %d",
			rows * columns, MOST_VARIANTS);
	s->n_variants = rows * columns;
	s->variants = arena_array(
		&s->arena, s->n_variants, sizeof(*s->variants));
	for (size_t i = 0; i < s->n_variants; i++) {
		struct variant *v = &s->variants[i];
		size_t row = i / columns, column = i % columns;
		const char *label = confs->n ? conf_label(confs, row) : "";

		v->path = confs->n ? confs->v[row] : NULL;
		v->changes = column ? changes->v[column - 1] : NULL;
		v->label = arena_printf(&s->arena, "%s%s%s", label,
			*label && column ? " " : "",
			column ? v->changes : "");
	}
	return 0;
}

/* ---- what jobs asked for -------------------------------------------------*/

static uint32_t largest_node(const struct sim_machine *m, size_t partition)
{
	const struct sched_partition *p = &m->partitions[partition];
	uint32_t most = 0;

	for (size_t i = 0; i < p->n_nodes; i++)
		if (m->nodes[p->nodes[i]].cpus > most)
			most = m->nodes[p->nodes[i]].cpus;
	return most;
}

/* CPUs of the largest node where jobs of each queue run; NULL: the policy knows
 * of processors only. */
static uint32_t *largest_nodes(
	const struct session *s, const struct replay *r, struct arena *arena)
{
	const struct sim_machine *m = &r->variant->machine;
	size_t n = s->trace.queues.n;
	uint32_t *largest;

	if (r->policy != &sim_slurm_policy)
		return NULL;
	largest = arena_array(arena, n + 1, sizeof(*largest));
	for (size_t i = 0; i < n; i++)
		largest[i] = largest_node(
			m, m->partition_of ? m->partition_of[i] : 0);
	return largest;
}

/* Jobs that asked for more nodes than the replay gives them: under slurm as
 * many as their processors need, else none. */
static uint64_t count_spread(
	const struct session *s, const struct replay *r, struct arena *arena)
{
	const uint32_t *largest = largest_nodes(s, r, arena);
	uint64_t n = 0;

	for (size_t i = 0; i < s->trace.n; i++) {
		const struct trace_job *job = &s->trace.jobs[i];
		uint64_t fewer = job->nodes ? job->nodes - 1 : 0;

		n += fewer && !(largest &&
				      fewer * largest[job->queue] < job->procs);
	}
	return n;
}

static uint64_t count_asks(const struct session *s, enum trace_ask ask)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->trace.n; i++)
		n += (s->trace.jobs[i].asks & ask) != 0;
	return n;
}

static const char *list_asks(const struct session *s, struct arena *arena)
{
	static const struct {
		enum trace_ask ask;
		const char *what;
	} asks[] = {
		{TRACE_MEMORY, "memory"},
		{TRACE_GRES, "GPUs and other GRES"},
		{TRACE_LICENSES, "licenses"},
	};
	/* That of all variants is the same but for experiments. */
	bool memory = s->variants->conf.memory_consumable;
	const char *text = "";

	for (size_t i = 0; i < sizeof(asks) / sizeof(*asks); i++) {
		uint64_t n = count_asks(s, asks[i].ask);

		if (n && (memory || asks[i].ask != TRACE_MEMORY))
			text = arena_printf(arena, "%s, %s (%" PRIu64 " %s)",
				text, asks[i].what, n, n > 1 ? "jobs" : "job");
	}
	return text;
}

/* The replay that leaves out most is named, unless they are all alike. */
static const char *list_spread(const struct session *s, struct arena *arena)
{
	uint64_t most = 0, least = UINT64_MAX;
	const char *worst = "";

	for (size_t i = 0; i < s->n; i++) {
		uint64_t n = count_spread(s, &s->replays[i], arena);

		if (n > most) {
			most = n;
			worst = s->replays[i].label;
		}
		if (n < least)
			least = n;
	}
	if (!most)
		return "";
	return arena_printf(arena, ", several nodes (%" PRIu64 " %s%s%s)", most,
		most > 1 ? "jobs" : "job", most > least ? " under " : "",
		most > least ? worst : "");
}

void warn_not_simulated(const struct session *s)
{
	struct arena arena;
	const char *text;

	if (s->options.quiet)
		return;
	arena_init(&arena);
	text = arena_printf(&arena, "%s%s", list_asks(s, &arena),
		list_spread(s, &arena));
	if (*text)
		fprintf(stderr,
			"ssim: warning: %s: asked for and not simulated: %s; "
			"waits may be far too short\n",
			s->source, text + 2);
	arena_release(&arena);
}

/* ---- all -----------------------------------------------------------------*/

int make_replays(struct session *s)
{
	const struct strv *named = &s->options.policies;
	bool several = s->n_variants > 1;

	for (size_t i = 0; i < named->n; i++)
		if (add_policy(s, named->v[i]))
			return -1;
	for (size_t i = 0; !named->n && !several && i < USUAL; i++)
		if (add_policy(s, policies[i]->name))
			return -1;
	if (!named->n && several && add_slurm(s, "slurm"))
		return -1;
	return 0;
}
