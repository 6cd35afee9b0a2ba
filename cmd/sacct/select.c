/*
 * From options to a condition: whose jobs, which states, which times (Slurm's
 * src/plugins/accounting_storage/mysql/as_mysql_jobacct_process.c).
 */
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/text/hostlist.h"
#include "common/text/reason.h"
#include "common/text/sluid.h"
#include "common/text/span.h"
#include "common/text/timespec.h"
#include "db/entity/cluster.h"
#include "db/entity/names.h"
#include "db/entity/user.h"
#include "db/viewer/viewer.h"

struct work {
	struct selection *selection;
	struct history_cond *cond;
	struct options *options;
	struct site *site;
	struct arena *arena;
	struct history_ref *refs;
	size_t n_refs, cap_refs;
};

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* ---- -j ------------------------------------------------------------------*/

static void add_ref(struct work *w, const struct history_ref *ref)
{
	*ARENA_PUSH(w->arena, w->refs, w->n_refs, w->cap_refs) = *ref;
}

/* _TASK or +OFFSET, then .STEP */
static int read_tail(const char *rest, struct history_ref *ref)
{
	if (*rest == '_' && number_read(rest + 1, &ref->task, &rest))
		return -1;
	ref->last = ref->task;
	ref->every = 1;
	if (*rest == '+' && number_read(rest + 1, &ref->offset, &rest))
		return -1;
	if (*rest == '.')
		return strcmp(rest, ".TBD")
			       ? step_id_parse(rest + 1, &ref->step)
			       : 0;
	return *rest ? -1 : 0;
}

/* One run of a list of tasks: 7, 1-3 or 1-9:2. Gives where it ends. */
static const char *read_run(const char *text, struct history_ref *ref)
{
	ref->every = 1;
	if (number_read(text, &ref->task, &text))
		return NULL;
	ref->last = ref->task;
	if (*text == '-' && number_read(text + 1, &ref->last, &text))
		return NULL;
	if (*text == ':' && number_read(text + 1, &ref->every, &text))
		return NULL;
	return ref->last >= ref->task && ref->every ? text : NULL;
}

/* ID_[1,3-5%2].STEP: a reference for each range of the list. The number after %
 * says how many may run at once. */
static int add_tasks(struct work *w, const char *list, struct history_ref ref)
{
	const char *end = strchr(list, ']');
	uint32_t unused;

	if (!end || (end[1] && end[1] != '.') || read_tail(end + 1, &ref))
		return -1;
	for (bool more = true; more; list++) {
		list = read_run(list, &ref);
		if (list && *list == '%' &&
			number_read(list + 1, &unused, &list))
			return -1;
		if (!list || (*list != ',' && list != end))
			return -1;
		add_ref(w, &ref);
		more = *list == ',';
	}
	return 0;
}

static int read_ref(struct work *w, const char *text, struct history_ref *ref)
{
	const char *rest = text + strcspn(text, ".");
	char head[SLUID_SIZE];
	size_t len = (size_t)(rest - text);

	*ref = (struct history_ref){
		.task = NO_VAL, .offset = NO_VAL, .step = HISTORY_ALL};
	if ((*text == 's' || *text == 'S') && len < sizeof(head)) {
		memcpy(head, text, len);
		head[len] = '\0';
		ref->sluid = sluid_parse(head);
		if (!ref->sluid || read_tail(rest, ref))
			return -1;
		add_ref(w, ref);
		return 0;
	}
	if (number_read(text, &ref->id, &rest) || !ref->id)
		return -1;
	if (rest[0] == '_' && rest[1] == '[')
		return add_tasks(w, rest + 2, *ref);
	if (read_tail(rest, ref))
		return -1;
	add_ref(w, ref);
	return 0;
}

/* What is wrong with it, as unfmt_job_id_string() of Slurm says it. */
static const char *fault_of(const char *text)
{
	char *end;
	const long id = strtol(text, &end, 10);

	if (!*text)
		return "JobID must not be an empty string";
	if (id == 0)
		return "JobID can not be zero";
	if (id < 0)
		return "JobID can not be a negative number";
	if (*end == '_' && !end[1])
		return "Job Array ID must not be an empty string";
	if (*end == '_' && end[1] == '-')
		return "Job Array ID can not be a negative number";
	if (*end == '_')
		return "Job Array ID includes unexpected non-numeric "
		       "characters";
	if (*end == '.' && !end[1])
		return "StepID must not be an empty string";
	if (*end == '.')
		return "StepID includes unexpected non-numeric characters";
	return "JobID includes unexpected non-numeric characters";
}

static void choose_jobs(struct work *w)
{
	const struct strv *jobs = &w->options->jobs;
	struct history_ref ref;

	if (!jobs->n)
		return;
	for (size_t i = 0; i < jobs->n; i++)
		if (read_ref(w, jobs->v[i], &ref))
			cli_fatal("Bad job/step specified: %s: %s", jobs->v[i],
				fault_of(jobs->v[i]));
	w->cond->refs = w->refs;
	w->cond->n_refs = w->n_refs;
	w->cond->whole_het = w->options->whole_het;
	w->cond->leader_only = w->options->leader_only;
}

/* ---- -s ------------------------------------------------------------------*/

static void choose_states(struct work *w)
{
	const struct strv *states = &w->options->states;

	for (size_t i = 0; i < states->n; i++) {
		const char *word = states->v[i];
		uint32_t state;

		if (job_state_parse(word, &state))
			cli_fatal("unrecognized job state value '%s'", word);
		if (state < JOB_BASE_STATES)
			w->cond->states |= JOB_STATE_BIT(state);
		else if (state == JOB_REQUEUED || state == JOB_RESIZING ||
			 state == JOB_REVOKED)
			w->cond->state_flags |= state;
		else
			cli_fatal("job state %s is not supported / accounted",
				word);
	}
	w->selection->only_pending =
		w->cond->states == JOB_STATE_BIT(JOB_PENDING) &&
		!w->cond->state_flags;
}

/* ---- -S, -E --------------------------------------------------------------*/

static void default_start(struct work *w, bool states)
{
	int64_t now = w->options->now;

	if (!w->cond->from && !w->cond->n_refs)
		w->cond->from = states ? now : span_floor(now, SPAN_DAY);
}

static void choose_window(struct work *w)
{
	struct history_cond *cond = w->cond;
	bool states = cond->states || cond->state_flags;
	int64_t now = w->options->now;

	cond->from = w->options->from;
	cond->until = w->options->until;
	default_start(w, states);
	if (states && cond->from && !cond->until)
		cond->until = cond->from;
	if (!cond->until)
		cond->until = now;
	if (cond->until == cond->from || cond->until == now)
		cond->until++;
	if (cond->from <= cond->until)
		return;
	cli_refuse("Start time (%s) requested is after end time (%s).",
		time_format(w->arena, (time_t)cond->from, w->site->time_format,
			(time_t)now),
		time_format(w->arena, (time_t)cond->until, w->site->time_format,
			(time_t)now));
}

static void say_window(struct work *w)
{
	const struct strv *states = &w->options->states;
	char from[32] = "Epoch 0", until[32] = "";
	time_t start = (time_t)w->cond->from, end = (time_t)w->cond->until;

	if (!w->options->verbose)
		return;
	if (start && ctime_r(&start, from))
		from[strcspn(from, "\n")] = '\0';
	if (ctime_r(&end, until))
		until[strcspn(until, "\n")] = '\0';
	fprintf(stderr, "sacct: Jobs %s in the time window from %s to %s\n",
		states->n ? strv_join(states, ",", w->arena) : "Eligible", from,
		until);
}

/* ---- who -----------------------------------------------------------------*/

static void add_user(struct work *w, const char *text)
{
	const struct passwd *pw;

	if (is_number(text)) {
		pw = getpwuid((uid_t)strtoul(text, NULL, 10));
		if (!pw) {
			strv_push(&w->cond->uids, w->arena, text);
			return;
		}
		text = arena_strdup(w->arena, pw->pw_name);
	}
	strv_push(&w->cond->users, w->arena, viewer_user(w->site, text));
}

static void choose_users(struct work *w)
{
	const struct strv *users = &w->options->users;
	bool by_place = w->cond->n_refs || w->options->nodes;

	site_missing(
		w->site, FROM_ACCOUNTS, &w->options->accounts, cli_no_such);
	if (w->options->all_users)
		return;
	for (size_t i = 0; i < users->n; i++)
		add_user(w, users->v[i]);
	if (!users->n && !by_place && w->site->caller.uid)
		add_user(w, w->site->caller.name);
}

static void choose_groups(struct work *w)
{
	for (size_t i = 0; i < w->options->groups.n; i++) {
		const char *text = w->options->groups.v[i];
		const struct group *group;
		int known = group_exists(&w->site->store, text);

		if (known < 0)
			cli_die(w->site->store.err);
		if (!known)
			cli_refuse("Invalid group id: %s", text);
		group = getgrnam(text);

		if (is_number(text)) {
			strv_push(&w->cond->gids, w->arena, text);
			continue;
		}
		strv_push(&w->cond->groups, w->arena, text);
		if (group)
			strv_printf(&w->cond->gids, w->arena,
				"%u", group->gr_gid);
	}
}

/* ---- where ---------------------------------------------------------------*/

static int64_t known_cluster(struct work *w, const char *name)
{
	int64_t key = cluster_key(&w->site->store, name);

	if (key < 0)
		cli_die(w->site->store.err);
	if (!key && w->options->clusters_text)
		option_bad_cluster(name, w->options->clusters_text);
	return key;
}

static void cluster_words(struct work *w, struct strv *names)
{
	bool fed = w->options->federation || site_shows_federation(w->site);

	*names = w->options->clusters;
	if (w->options->all_clusters) {
		*names = (struct strv){0};
		if (cluster_names(&w->site->store, w->arena, names))
			cli_die(w->site->store.err);
		return;
	}
	if (fed && !names->n && !w->options->local &&
		cluster_federation(
			&w->site->store, w->site->cluster, w->arena, names))
		cli_die(w->site->store.err);
	if (!names->n)
		strv_push(names, w->arena, w->site->cluster);
}

static void choose_clusters(struct work *w)
{
	struct selection *s = w->selection;
	struct strv names = {0};

	cluster_words(w, &names);
	s->clusters = arena_array(w->arena, names.n, sizeof(*s->clusters));
	s->keys = arena_array(w->arena, names.n, sizeof(*s->keys));
	for (size_t i = 0; i < names.n; i++) {
		s->keys[i] = known_cluster(w, names.v[i]);
		s->clusters[i] = (struct cluster_name){s->keys[i], names.v[i]};
	}
	s->n_clusters = names.n;
	w->cond->clusters = s->keys;
	w->cond->n_clusters = names.n;
}

/* A host that slurm.conf does not name is not part of the cluster: as in Slurm
 * no job can be found by it. Of other clusters the names alone count. */
static bool is_host(const struct work *w, const char *name)
{
	const struct conf *conf = &w->site->conf;
	bool own =
		!strcasecmp(w->selection->clusters[0].name, w->site->cluster);

	return !own || !conf->n_nodes || conf_node_by_name(conf, name);
}

static void choose_nodes(struct work *w)
{
	struct strv hosts = {0};
	struct err err;

	if (!w->options->nodes)
		return;
	if (w->selection->n_clusters != 1)
		cli_refuse("If you are doing a query against nodes you must "
			   "only have 1 cluster you are asking for.");
	if (hostlist_expand(w->options->nodes, w->arena, &hosts, &err))
		cli_die(&err);
	for (size_t i = 0; i < hosts.n; i++)
		if (is_host(w, hosts.v[i]))
			strv_push(&w->cond->nodes, w->arena, hosts.v[i]);
	if (!w->cond->nodes.n)
		strv_push(&w->cond->nodes, w->arena, "");
}

/* ---- the rest ------------------------------------------------------------*/

static void choose_qos(struct work *w)
{
	const struct qos_catalog *known = &w->site->store.qos;
	struct err err;

	for (size_t i = 0; i < w->options->qos.n; i++) {
		const char *name = w->options->qos.v[i];
		const struct qos_name *qos = qos_by_name(known, name);

		if (!qos) {
			qos_unknown(&err, known, name, w->arena);
			cli_print_err(&err);
			cli_fatal("problem processing qos list");
		}
		strv_printf(&w->cond->qos, w->arena, "%" PRIu32, qos->id);
	}
}

static void choose_reasons(struct work *w)
{
	for (size_t i = 0; i < w->options->reasons.n; i++) {
		const char *const *word = reason_words;

		while (*word && strcasecmp(*word, w->options->reasons.v[i]))
			word++;
		if (!*word)
			cli_fatal("unrecognized job reason value '%s'",
				w->options->reasons.v[i]);
		strv_push(&w->cond->reasons, w->arena, *word);
	}
}

static void choose_flags(struct work *w)
{
	for (size_t i = 0; i < w->options->flags.n; i++) {
		const char *word = w->options->flags.v[i];
		uint32_t flag = job_flag_parse(word, strlen(word));

		if (!strcasecmp(word, "None")) {
			w->cond->no_flags = true;
			continue;
		}
		if (flag <= 1) { /* SchedNotSet cannot be asked for */
			cli_refuse("str_2_job_flags: Invalid job flag %s", word);
		}
		w->cond->flags |= flag;
	}
}

static _Noreturn void bad_range(const char *text, const char *what)
{
	cli_refuse("Invalid numeric value \"%s\" for %s.", text, what);
}

/* A count with k or m after it. */
static int read_count(const char *text, uint32_t *count, const char **rest)
{
	uint64_t scaled;

	if (number_read(text, count, rest))
		return -1;
	scaled = *count;
	if (**rest == 'k' || **rest == 'K')
		scaled *= 1024, ++*rest;
	else if (**rest == 'm' || **rest == 'M')
		scaled *= 1048576, ++*rest;
	*count = (uint32_t)scaled;
	return scaled > INT_MAX ? -1 : 0;
}

/* MIN or MIN-MAX; nothing or `*`: any count. */
static struct history_range range_of(const char *text, const char *what)
{
	struct history_range range = {0};
	const char *rest;

	if (!text)
		return range;
	if (!*text || *text == '*')
		return (struct history_range){1, INT_MAX};
	if (read_count(text, &range.min, &rest))
		bad_range(text, what);
	if (*rest == '-' && read_count(rest + 1, &range.max, &rest))
		bad_range(text, what);
	if (*rest)
		bad_range(text, what);
	return range;
}

static void choose_words(struct work *w)
{
	const struct options *o = w->options;
	struct history_cond *cond = w->cond;

	cond->accounts = o->accounts;
	cond->partitions = o->partitions;
	cond->names = o->names;
	cond->wckeys = o->wckeys;
	cond->assocs = o->assocs;
	cond->constraints = o->constraints;
	cond->limit_min = o->limit_min;
	cond->limit_max = o->limit_max;
	cond->duplicates = o->duplicates;
	cond->n_nodes = range_of(o->nodes_count, "requested node range");
	cond->n_cpus = range_of(o->cpus_count, "requested cpu range");
	cond->steps = !o->allocations && !o->script && !o->environment &&
		      !w->selection->only_pending;
}

void sacct_select(
	struct selection *selection, struct options *options, struct site *site)
{
	struct work w = {
		.selection = selection,
		.cond = &selection->cond,
		.options = options,
		.site = site,
		.arena = &site->arena,
	};

	*selection = (struct selection){0};
	choose_states(&w);
	choose_reasons(&w);
	choose_flags(&w);
	choose_jobs(&w);
	choose_words(&w);
	choose_window(&w);
	say_window(&w);
	choose_qos(&w);
	choose_clusters(&w);
	choose_nodes(&w);
	choose_users(&w);
	choose_groups(&w);
	if (history_privacy(w.cond, site, w.arena))
		cli_die(site->store.err);
}
