/*
 * The words after the name of a report: `Start=...`, `Accounts=...`, bare words
 * (Slurm's src/sreport/cluster_reports.c, job_reports.c, user_reports.c), and
 * the period they define.
 */
#include "cmd/sreport/sreport.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"
#include "db/entity/cluster.h"
#include "db/entity/names.h"
#include "db/entity/user.h"

struct condition {
	const char *names;
	unsigned reports; /* WORDS_... */
	bool bare;	  /* a word without `=` */
	/* `text` is behind the `=`; a bare word itself. */
	void (*take)(struct report_run *, const struct condition *, char *text);
	size_t offset;
	enum value_source source; /* of its values */
};

static void *member(struct report_run *r, const struct condition *c)
{
	return (char *)&r->cond + c->offset;
}

static void take_flag(
	struct report_run *r, const struct condition *c, char *text)
{
	(void)text;
	*(bool *)member(r, c) = true;
}

/* Names in lower case, each once; `users=` means the empty user name, which
 * rows of accounts have. */
static void take_list(
	struct report_run *r, const struct condition *c, char *text)
{
	struct arena *arena = &r->session->arena;

	strv_names(member(r, c), arena,
		str_lower(arena, str_unquote(arena, text)));
}

static void take_time(
	struct report_run *r, const struct condition *c, char *text)
{
	struct session *s = r->session;
	struct err err;
	time_t when;

	text = str_unquote(&s->arena, text);
	if (time_parse(text, (time_t)s->site.now, true, &when, &err))
		complain(s, "%s", err.text);
	else
		*(int64_t *)member(r, c) = (int64_t)when;
}

static void take_top(
	struct report_run *r, const struct condition *c, char *text)
{
	char *end;
	long long n;

	(void)c;
	text = str_unquote(&r->session->arena, text);
	n = strtoll(text, &end, 10);
	if (end == text || *end)
		complain(r->session,
			"sreport: error: Invalid value for TopCount (%s)",
			text);
	else
		r->cond.top = n;
}

static void take_qos(
	struct report_run *r, const struct condition *c, char *text)
{
	struct session *s = r->session;
	struct strv *names = member(r, c);
	struct err err;

	r->cond.with_qos = true;
	take_list(r, c, text);
	for (size_t i = 0; i < names->n; i++) {
		if (qos_by_name(&s->site.store.qos, names->v[i]))
			continue;
		qos_unknown(&err, &s->site.store.qos, names->v[i], &s->arena);
		complain(s, "sreport: error: %s", err.text);
	}
}

/* Of jobs, by name or number. */
static void take_users(
	struct report_run *r, const struct condition *c, char *text)
{
	struct session *s = r->session;
	struct strv *names = member(r, c);
	const char *name;

	take_list(r, c, text);
	for (size_t i = 0; i < names->n; i++)
		if (!isdigit((unsigned char)*names->v[i]) &&
			!user_meant(
				&s->site.store, names->v[i], &s->arena, &name))
			complain(s, "sreport: error: Invalid user id: %s",
				names->v[i]);
}

static void take_grouping(
	struct report_run *r, const struct condition *c, char *text)
{
	if (words_match("individual:1", text, strlen(text)))
		r->cond.individual = true;
	else if (*text)
		take_list(r, c, text);
}

/* As Slurm reads it: the part after the last comma is ignored, and a list
 * without a comma selects all jobs. */
static void take_jobs(
	struct report_run *r, const struct condition *c, char *text)
{
	char *last;

	text = str_unquote(&r->session->arena, text);
	last = strrchr(text, ',');
	if (!last)
		return;
	*last = '\0';
	take_list(r, c, text);
}

#define AT(member) offsetof(struct conditions, member)
#define ALL 63
#define USAGE (WORDS_ASSOC | WORDS_USER)

/* The first row of the report that fits is taken. */
/* clang-format off */
static const struct condition conditions[] = {
	{"all_clusters:1", ALL, true, take_flag, AT(all_clusters), FROM_NOTHING},
	{"Tree:4", WORDS_ASSOC, true, take_flag, AT(tree), FROM_NOTHING},
	{"withdeleted:5", WORDS_WCKEY, true, NULL, 0, FROM_NOTHING},
	{"AcctAsParent:2", WORDS_JOB, true, take_flag, AT(as_parent), FROM_NOTHING},
	{"PrintJobCount:2", WORDS_JOB, true, take_flag, AT(job_count), FROM_NOTHING},
	{"FlatView:2", WORDS_JOB, true, take_flag, AT(flat), FROM_NOTHING},
	{"group:1", WORDS_USER, true, take_flag, AT(group), FROM_NOTHING},
	{NULL, USAGE, true, take_list, AT(users), FROM_NOTHING},
	{NULL, WORDS_WCKEY, true, take_list, AT(wckeys), FROM_NOTHING},
	{NULL, WORDS_CLUSTER | WORDS_JOB, true, take_list, AT(clusters), FROM_NOTHING},
	{NULL, WORDS_RESERVATION, true, take_list, AT(names), FROM_NOTHING},
	{"Names:1", WORDS_RESERVATION, false, take_list, AT(names), FROM_NOTHING},
	{"WCKeys:3", WORDS_WCKEY, false, take_list, AT(wckeys), FROM_WCKEYS},
	{"Clusters:3", WORDS_WCKEY, false, take_list, AT(clusters), FROM_CLUSTERS},
	{"Users:1", USAGE, false, take_list, AT(users), FROM_USERS},
	{"Accounts:2 Acct:4", USAGE, false, take_list, AT(accounts), FROM_ACCOUNTS},
	{"Clusters:1", ALL & ~WORDS_WCKEY, false, take_list, AT(clusters), FROM_CLUSTERS},
	{"Accounts:2 Acct:4", WORDS_JOB, false, take_list, AT(accounts), FROM_ACCOUNTS},
	{"Associations:2", WORDS_JOB, false, take_list, AT(assocs), FROM_NOTHING},
	{"End:1", ALL, false, take_time, AT(end), FROM_NOTHING},
	{"Flags:2", WORDS_RESERVATION, false, take_list, AT(flags), FROM_NOTHING},
	{"Format:2", WORDS_JOB | WORDS_RESERVATION, false, take_list, AT(format), FROM_COLUMNS},
	{"Format:1", ALL & ~(WORDS_JOB | WORDS_RESERVATION), false, take_list, AT(format), FROM_COLUMNS},
	{"Ids:1", WORDS_RESERVATION, false, take_list, AT(ids), FROM_NOTHING},
	{"Gid:2", WORDS_JOB, false, take_list, AT(gids), FROM_NOTHING},
	{"grouping:2", WORDS_JOB, false, take_grouping, AT(grouping), FROM_NOTHING},
	{"Jobs:1", WORDS_JOB, false, take_jobs, AT(jobs), FROM_STARTED_JOBS},
	{"Nodes:1", WORDS_JOB | WORDS_RESERVATION, false, take_list, AT(nodes), FROM_NOTHING},
	{"Partitions:2", WORDS_JOB, false, take_list, AT(partitions), FROM_PARTITIONS},
	{"QosLevel:1", WORDS_ASSOC, false, take_qos, AT(qos), FROM_QOS},
	{"Start:1", ALL, false, take_time, AT(start), FROM_NOTHING},
	{"User:1", WORDS_WCKEY, false, take_list, AT(users), FROM_USERS},
	{"Users:1", WORDS_JOB, false, take_users, AT(users), FROM_USERS},
	{"Wckeys:2", WORDS_JOB, false, take_list, AT(wckeys), FROM_WCKEYS},
	{"TopCount:1", WORDS_USER, false, take_top, 0, FROM_NOTHING},
	{NULL, 0, false, NULL, 0, FROM_NOTHING},
};
/* clang-format on */

static const struct condition *find_condition(
	const struct report_run *r, const char *word, size_t len, bool bare)
{
	const struct condition *c = conditions;

	for (; c->reports; c++) {
		if (!(c->reports & r->report->words) || c->bare != bare)
			continue;
		if (!c->names || words_match(c->names, word, len))
			return c;
	}
	return NULL;
}

static void suggest_condition(
	const struct report_run *r, const char *word, size_t len)
{
	struct nearest nearest;

	nearest_init(&nearest, word, len);
	for (const struct condition *c = conditions; c->reports; c++)
		if (c->reports & r->report->words && c->names)
			nearest_names(&nearest, c->names);
	cli_did_you_mean(&nearest);
}

/* Reports unknown names; rows stay as Slurm prints them. */
static void suggest_names(struct report_run *r)
{
	struct site *site = &r->session->site;

	site_missing(site, FROM_CLUSTERS, &r->cond.clusters, cli_no_such);
	site_missing(site, FROM_ACCOUNTS, &r->cond.accounts, cli_no_such);
	site_missing(site, FROM_USERS, &r->cond.users, cli_no_such);
}

void expand_nodes(struct report_run *r, struct strv *names)
{
	struct session *s = r->session;

	if (r->cond.nodes.n &&
		hostlist_expand(strv_join(&r->cond.nodes, ",", &s->arena),
			&s->arena, names, &s->err))
		cli_die(&s->err);
}

static void read_condition(struct report_run *r, char *word)
{
	size_t len = strcspn(word, "=");
	bool bare = !word[len];
	const struct condition *c = find_condition(r, word, len, bare);
	char *text = word;

	if (!bare)
		text += len + (word[len + 1] == '=' ? 2 : 1);
	if (c && c->take)
		c->take(r, c, text);
	else if (!c && r->report->words == WORDS_WCKEY)
		complain(r->session, " Unknown condition: %s", word);
	else if (!c)
		complain(r->session,
			" Unknown condition: %s\n"
			"Use keyword set to modify value",
			word);
	if (!c)
		suggest_condition(r, word, len);
}

void read_conditions(struct report_run *r, int n, char **words)
{
	r->cond.top = 10;
	for (int i = 0; i < n; i++)
		read_condition(r, words[i]);
	suggest_names(r);
}

/* ---- the window --------------------------------------------------------- */

/* By default all of the day before: up to where today begins (Slurm's source
 * rounds up to an hour later and counts that hour twice). */
void set_window(struct report_run *r)
{
	int64_t now = r->session->site.now, end = r->cond.end;
	int64_t start = r->cond.start, today = span_floor(now, SPAN_DAY);

	if (!end)
		end = today;
	if (!start)
		start = span_floor(today - 1, SPAN_DAY);
	r->end = span_ceil(end < now ? end : now, SPAN_HOUR);
	r->start = span_floor(start, SPAN_HOUR);
	if (r->end <= r->start)
		r->end = span_next(r->start, SPAN_HOUR);
}

/* ---- clusters and TRES -------------------------------------------------- */

/* Deleted clusters count: they still have usage. */
static void ask_for(struct report_run *r, const struct cluster_list *all)
{
	struct session *s = r->session;
	struct strv *names = &r->cond.clusters;
	const char *federation = "";

	if (s->options.clusters)
		strv_split(names, &s->arena, s->options.clusters);
	if (r->cond.all_clusters || s->options.all_clusters)
		return;
	if (s->options.federation && !s->options.clusters && !s->options.local)
		federation = cluster_list_federation(
			all, s->site.cluster, &s->arena, names);
	if (*federation)
		r->federation = federation;
	if (!names->n)
		strv_push(names, &s->arena, s->site.cluster);
}

int choose_clusters(struct report_run *r)
{
	struct session *s = r->session;
	struct cluster_cond any = {.with_deleted = true};
	struct cluster_list all;

	if (cluster_list(&s->site.store, &any, &s->arena, &all)) {
		complain(s, "sreport: error: %s", s->err.text);
		return -1;
	}
	ask_for(r, &all);
	for (size_t i = 0; i < all.n; i++)
		if (!r->cond.clusters.n ||
			strv_has(&r->cond.clusters, all.v[i].name))
			*ARENA_PUSH(&s->arena, r->clusters.v, r->clusters.n,
				r->clusters.cap) = (struct report_cluster){
				all.v[i].key, all.v[i].name};
	return 0;
}

static void add_tres(struct report_run *r, const struct tres *tres)
{
	*ARENA_PUSH(&r->session->arena, r->tres, r->n_tres, r->cap_tres) =
		(struct report_tres){
			tres->id, tres_full_name(tres, &r->session->arena)};
}

void choose_all_tres(struct report_run *r)
{
	const struct tres_catalog *all = &r->session->site.store.tres;

	r->n_tres = 0;
	for (size_t i = 0; i < all->n; i++)
		add_tres(r, &all->v[i]);
}

static int refuse_nodes(struct report_run *r, bool utilization)
{
	complain(r->session,
		"sreport: fatal: TRES node usage is no longer reported in %s.  "
		"Please use TRES CPU instead.",
		utilization ? "the Cluster Utilization report"
			    : "percent format reports");
	return -1;
}

int choose_tres(struct report_run *r)
{
	struct session *s = r->session;
	const struct options *o = &s->options;
	struct strv words = {0};
	bool utilization = r->report->run == report_cluster;
	struct nearest near;

	strv_split(&words, &s->arena, o->tres ? o->tres : "cpu");
	if (strv_has_nocase(&words, "node") && (o->style.percent || utilization))
		return refuse_nodes(r, !o->style.percent);
	for (size_t i = 0; i < words.n; i++) {
		const struct tres *tres =
			tres_by_name(&s->site.store.tres, words.v[i]);

		if (tres)
			add_tres(r, tres);
		else if (tres_meant(&s->site.store.tres, words.v[i], &near))
			cli_no_such("TRES", &near);
	}
	if (strv_has_nocase(&words, "all"))
		choose_all_tres(r);
	if (r->n_tres)
		return 0;
	complain(s, "sreport: fatal: No valid TRES given");
	return -1;
}

/* ---- completion ----------------------------------------------------------*/

static void offer_fields(struct completion *c, enum report_class class)
{
	int n;
	const struct report_field *fields = class_fields(class, &n);

	for (int i = 0; i < n; i++)
		offer_word(c, fields[i].member.names, "",
			fields[i].member.help);
}

void offer_conditions(struct completion *c, const struct report *report)
{
	const struct word word = word_split(c->typed);
	const struct report_run r = {.report = report};
	const struct condition *row = conditions;

	if (word.op == OP_NONE) {
		for (; row->reports; row++)
			if (row->reports & report->words && row->names &&
				row->take)
				offer_word(c, row->names, row->bare ? "" : "=",
					NULL);
		return;
	}
	row = find_condition(&r, word.text, word.name_len, false);
	completion_value(c, word.value);
	if (row && row->source == FROM_COLUMNS)
		offer_fields(c, report->class);
	else if (row)
		offer_from(c, row->source);
}
