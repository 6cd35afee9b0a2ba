/*
 * scontrol show assoc_mgr: limits beside use, as slurmctld holds them: of
 * associations, of QOS and of each user and account in a QOS. Form and order are
 * those of Slurm 26.05 (scontrol/info_assoc_mgr.c, common/assoc_mgr.c).
 *
 * Counts of jobs are those of now. Usage is what it was at the last calculation
 * (PriorityCalcPeriod), for slurmctld knows no later one; of an association that
 * came after it no fair-share has been computed, while nothing was used.
 */
#include "cmd/scontrol/scontrol.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/fair/shares.h"
#include "common/table/preemptmode.h"
#include "db/entity/assoc.h"
#include "db/entity/privacy.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"
#include "db/view/limits.h"
#include "db/view/shares.h"

enum section { USERS = 1, ASSOCS = 2, QOS = 4 };

struct view {
	struct session *s;
	unsigned sections; /* enum section */
	struct strv users, accounts, qos;
	struct strv tres; /* those that are counted */
	int64_t calculated;
	struct privacy usage_privacy;
	struct limits limits;
	struct shares shares;
	const struct shares_index *index;
};

struct beside {
	const struct view *view;
	const struct assoc *assoc;
	const struct qos *qos;
	const struct limit_level *level;
	const struct limit_usage *usage;
	struct fs_node node;
	bool fresh; /* nothing was computed of it yet */
};

/* Without a limit nothing is shown, not N(use). */
enum { SHOWN_SET = MEMBER_OWN_MARK << 2 };

/* ---- limits --------------------------------------------------------------*/

static const char *pair_text(const struct member *m, uint32_t limit,
	const char *used, struct arena *arena)
{
	const char *text = arena_printf(arena, "%" PRIu32, limit);

	if (!limit_is_set(limit))
		text = m->marks & SHOWN_SET ? "" : "N";
	return *text && *used ? arena_printf(arena, "%s(%s)", text, used) : text;
}

static struct value get_number(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct beside *row = record;
	uint64_t used = limit_used(row->usage, (int)m->arg, 0);
	const char *text = "";

	if (m->arg == LIMIT_GRP_WALL)
		text = arena_printf(arena, "%.2f", (double)row->usage->wall / 60);
	else if (used != NO_VAL64)
		text = arena_printf(arena, "%" PRIu64, used);
	return of_text(pair_text(m, row->level->number[m->arg], text, arena));
}

static struct value get_accrue(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct beside *row = record;
	const struct value limit = member_raw(m, record, arena);
	const char *used = arena_printf(arena, "%" PRIu32, row->usage->accruing);

	return of_text(pair_text(m, (uint32_t)limit.number, used, arena));
}

/* Every TRES beside its use; those with a limit alone where jobs do not share
 * it. */
static struct value get_list(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct beside *row = record;
	const struct tres_catalog *catalog = &row->view->s->site.store.tres;
	struct strv words = {0};

	for (size_t i = 0; i < catalog->n; i++) {
		uint32_t id = catalog->v[i].id;
		const char *name = tres_full_name(&catalog->v[i], arena);
		uint64_t used = limit_used(
			row->usage, LIMIT_NUMBERS + (int)m->arg, id);
		uint64_t limit = tres_list_get(&row->level->tres[m->arg], id);
		const char *text = limit < NO_VAL64
			? arena_printf(arena, "%" PRIu64, limit) : "N";

		if (!strv_has(&row->view->tres, name))
			continue;
		if (used != NO_VAL64)
			strv_printf(&words, arena, "%s=%s(%" PRIu64 ")", name,
				text, used);
		else if (limit < NO_VAL64)
			strv_printf(&words, arena, "%s=%s", name, text);
	}
	return of_text(strv_join(&words, ",", arena));
}

/* ---- fields --------------------------------------------------------------*/

static const char *shares_text(const struct beside *row, struct arena *arena)
{
	const struct fs_node *n = &row->node;

	return arena_printf(arena, "%" PRIu32 "/%.2f/%" PRIu64 "/%.2f",
		n->shares_raw, n->shares_norm,
		n->level == NO_VAL ? 1 : n->level,
		row->fresh ? 0 : n->fairshare);
}

static const char *usage_text(const struct beside *row, struct arena *arena)
{
	const struct fs_node *n = &row->node;
	bool blank = row->fresh || n->usage_norm == NO_VAL;

	return arena_printf(arena, "%.2Lf/%.2Lf/%.2Lf", row->usage->raw,
		blank ? 1 : n->usage_norm, row->fresh ? 0 : n->usage_efctv);
}

/* Accounts alone have one. */
static const char *parent_text(const struct assoc *assoc, struct arena *arena)
{
	return *assoc->user || !*assoc->parent_account
		       ? ""
		       : arena_printf(arena, "%s(%" PRIu32 ")",
				 assoc->parent_account, assoc->parent_id);
}

/* slurmctld's word for a QOS without a mode of its own is OFF. */
static const char *mode_text(const struct qos *qos, struct arena *arena)
{
	return qos->preempt_mode & ~(uint32_t)PREEMPT_CLUSTER
		       ? str_upper(arena, preempt_mode_text(
						  qos->preempt_mode, arena))
		       : "OFF";
}

#define GET(name, expression) GETTER(name, struct beside, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
#define SOME(n) (limit_is_set(n) ? of_uint(n) : of_text(""))
TEXT(user, *row->assoc->user ? user_with_number(row->assoc->user, arena) : "")
GET(priority, of_uint(known_or_0(row->assoc->priority)))
TEXT(shares, shares_text(row, arena))
TEXT(used, usage_text(row, arena))
TEXT(parent, parent_text(row->assoc, arena))
TEXT(is_default, row->assoc->is_default ? "Yes" : "No")
GET(threshold, SOME(row->assoc->min_prio_thresh))
TEXT(comment, or_null_text(row->assoc->comment))
TEXT(qos, arena_printf(arena, "%s(%" PRIu32 ")", row->qos->name, row->qos->id))
TEXT(raw, arena_printf(arena, "%Lf", row->usage->raw))
TEXT(mode, mode_text(row->qos, arena))
/* A blank follows. */
TEXT(qos_threshold, limit_is_set(row->qos->min_prio_thresh)
	? arena_printf(arena, "%" PRIu32 " ", row->qos->min_prio_thresh) : " ")

/* clang-format off */
#define LINE .marks = SHOWN_LINE
#define NUMBER(kind) .get = get_number, .arg = LIMIT_##kind
#define LIST(kind) .get = get_list, .arg = LIMIT_##kind, LINE
#define OF(pointer, type, member) THROUGH(struct beside, pointer, MEMBER_##type, struct pointer, member)
#define ACCRUE(pointer, member) .get = get_accrue, OF(pointer, LIMIT, member)

static const struct member assoc_rows[] = {
	{.names = "ClusterName", OF(assoc, TEXT, cluster)},
	{.names = "Account", OF(assoc, TEXT, account)},
	{.names = "UserName", .get = get_user},
	{.names = "Partition", OF(assoc, TEXT, partition)},
	{.names = "Priority", .get = get_priority},
	{.names = "ID", OF(assoc, COUNT, id)},
	{.names = "SharesRaw/Norm/Level/Factor", .get = get_shares, LINE},
	{.names = "UsageRaw/Norm/Efctv", .get = get_used, LINE},
	{.names = "ParentAccount", .get = get_parent, LINE},
	{.names = "Lineage", OF(assoc, TEXT, lineage)},
	{.names = "DefAssoc", .get = get_is_default},
	{.names = "GrpJobs", NUMBER(GRP_JOBS), LINE},
	{.names = "GrpJobsAccrue", ACCRUE(assoc, grp_jobs_accrue)},
	{.names = "GrpSubmitJobs", NUMBER(GRP_SUBMIT), LINE},
	{.names = "GrpWall", NUMBER(GRP_WALL)},
	{.names = "GrpTRES", LIST(GRP)},
	{.names = "GrpTRESMins", LIST(GRP_MINS)},
	{.names = "GrpTRESRunMins", LIST(GRP_RUN_MINS)},
	{.names = "MaxJobs", NUMBER(MAX_JOBS), .marks = SHOWN_LINE | SHOWN_SET},
	{.names = "MaxJobsAccrue", ACCRUE(assoc, max_jobs_accrue), .marks = SHOWN_SET},
	{.names = "MaxSubmitJobs", NUMBER(MAX_SUBMIT), .marks = SHOWN_SET},
	{.names = "MaxWallPJ", NUMBER(MAX_WALL), .marks = SHOWN_SET},
	{.names = "MaxTRESPJ", LIST(PJ)},
	{.names = "MaxTRESPN", LIST(PN)},
	{.names = "MaxTRESMinsPJ", LIST(MINS_PJ)},
	{.names = "MinPrioThresh", .get = get_threshold, LINE},
	{.names = "Comment", .get = get_comment, LINE},
};

static const struct member qos_rows[] = {
	{.names = "QOS", .get = get_qos},
	{.names = "UsageRaw", .get = get_raw, LINE},
	{.names = "GrpJobs", NUMBER(GRP_JOBS), LINE},
	{.names = "GrpJobsAccrue", ACCRUE(qos, grp_jobs_accrue)},
	{.names = "GrpSubmitJobs", NUMBER(GRP_SUBMIT)},
	{.names = "GrpWall", NUMBER(GRP_WALL)},
	{.names = "GrpTRES", LIST(GRP)},
	{.names = "GrpTRESMins", LIST(GRP_MINS)},
	{.names = "GrpTRESRunMins", LIST(GRP_RUN_MINS)},
	{.names = "MaxWallPJ", NUMBER(MAX_WALL), .marks = SHOWN_LINE | SHOWN_SET},
	{.names = "MaxTRESPJ", LIST(PJ)},
	{.names = "MaxTRESPN", LIST(PN)},
	{.names = "MaxTRESMinsPJ", LIST(MINS_PJ)},
	{.names = "MinPrioThresh", .get = get_qos_threshold, LINE},
	{.names = "MinTRESPJ", LIST(MIN_PJ)},
	{.names = "PreemptMode", .get = get_mode, LINE},
	{.names = "Priority", OF(qos, COUNT, priority), LINE},
};

static const struct member of_account[] = {
	{.names = "MaxJobsPA", NUMBER(MAX_JOBS_PA)},
	{.names = "MaxJobsAccruePA", ACCRUE(qos, max_jobs_accrue_pa)},
	{.names = "MaxSubmitJobsPA", NUMBER(MAX_SUBMIT_PA)},
	{.names = "MaxTRESPA", LIST(PA)},
	{.names = "MaxTRESRunMinsPA", LIST(RUN_MINS_PA)},
};

static const struct member of_user[] = {
	{.names = "MaxJobsPU", NUMBER(MAX_JOBS_PU)},
	{.names = "MaxJobsAccruePU", ACCRUE(qos, max_jobs_accrue_pu)},
	{.names = "MaxSubmitJobsPU", NUMBER(MAX_SUBMIT_PU)},
	{.names = "MaxTRESPU", LIST(PU)},
	{.names = "MaxTRESRunMinsPU", LIST(RUN_MINS_PU)},
};

static const struct {
	const char *word;
	enum limits_whose_kind kind;
	struct members members;
} whose[] = {
	{"Account", WHOSE_ACCOUNT, MEMBERS(of_account)},
	{"User", WHOSE_USER, MEMBERS(of_user)},
};
/* clang-format on */

static const struct members assoc_fields = MEMBERS(assoc_rows);
static const struct members qos_fields = MEMBERS(qos_rows);

/* ---- sections ------------------------------------------------------------*/

static void title(const struct view *v, size_t n, const char *records,
	const char *none)
{
	const char *end = v->s->one_line ? "" : "\n";

	if (n)
		printf("%s%s Records\n%s", end, records, end);
	else
		printf("%sNo %s currently cached in Slurm.\n%s", end, none, end);
}

static bool chosen(const struct strv *names, const char *name)
{
	return !names->n || strv_has_nocase(names, name);
}

static void show_users(struct view *v)
{
	struct session *s = v->s;
	const struct user_cond cond = {.as_told = true};
	struct user_list list = {0};
	struct privacy privacy;
	size_t n = 0;

	if (privacy_open(&privacy, &s->site, PRIVATE_USERS, s->arena) ||
		user_list(&s->site.store, &cond, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++)
		if (chosen(&v->users, list.v[i].name) &&
			(!privacy.on || !strcmp(privacy.caller, list.v[i].name)))
			list.v[n++] = list.v[i];
	title(v, n, "User", "users");
	for (size_t i = 0; i < n; i++) {
		const struct user *u = &list.v[i];
		const char *wckey = u->default_wckey;

		printf("UserName=%s DefAccount=%s DefWckey=%s AdminLevel=%s\n",
			user_with_number(u->name, s->arena), u->default_account,
			strcmp(u->name, "root") ? or_null_text(wckey) : wckey,
			u->admin_text);
	}
}

/* The rows that the store begins with were there before everything else, and
 * where there is usage it was calculated. */
static bool is_fresh(const struct view *v, const struct assoc *assoc)
{
	return assoc->created >= v->calculated && strcmp(assoc->lineage, "/") &&
	       strcmp(assoc->lineage, "/0-root/") &&
	       !(v->shares.tree.usage_raw[0] > 0);
}

static void show_assoc(struct view *v, const struct assoc *assoc)
{
	struct beside row = {.view = v, .assoc = assoc};
	uint32_t place = shares_find(v->index, assoc->key);

	if (limits_of_assoc(&v->limits, assoc->key, &row.level))
		cli_die(&v->s->err);
	if (!row.level || place == UINT32_MAX)
		return;
	row.usage = row.level->all;
	row.node = shares_node(&v->shares, place);
	row.fresh = is_fresh(v, assoc);
	scontrol_fields(v->s, &assoc_fields, &row, "\n    ");
	putchar('\n');
}

static void show_assocs(struct view *v)
{
	struct session *s = v->s;
	struct assoc_cond cond = {.accounts = v->accounts};
	struct assoc_list list = {0};
	size_t n = 0;

	strv_push(&cond.clusters, s->arena, s->site.cluster);
	if (assoc_list(&s->site.store, &cond, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++)
		if ((!*list.v[i]->user || chosen(&v->users, list.v[i]->user)) &&
			privacy_allows(&v->usage_privacy, list.v[i]->user,
				list.v[i]->account))
			list.v[n++] = list.v[i];
	title(v, n, "Association", "associations");
	for (size_t i = 0; i < n; i++)
		show_assoc(v, list.v[i]);
}

/* What each account, or user, has in the QOS. */
static void show_whose(struct view *v, struct beside *row, size_t which)
{
	const bool line = v->s->one_line, user = whose[which].kind == WHOSE_USER;
	const struct limits_whose *one = NULL;
	const char *name;
	size_t n = 0;

	printf("%s%s Limits%s", line ? " " : "\n    ", whose[which].word,
		line ? "=" : "");
	while ((one = limits_next_whose(&v->limits, row->qos->id,
			whose[which].kind, one, &name, &row->usage))) {
		if (!privacy_allows(&v->usage_privacy, user ? name : "",
			    user ? "" : name))
			continue;
		n++;
		printf("%s%s%s", line ? " " : "\n      ",
			user ? user_with_number(name, v->s->arena) : name,
			line ? "={" : "\n        ");
		scontrol_fields(
			v->s, &whose[which].members, row, "\n        ");
		fputs(line ? "}" : "", stdout);
	}
	if (!n)
		printf("%sNo %ss", line ? "" : "\n        ", whose[which].word);
}

static void show_one_qos(struct view *v, const struct qos *qos)
{
	struct beside row = {.view = v,
		.qos = qos,
		.level = limits_of_qos(&v->limits, qos->id)};

	row.usage = row.level->all;
	scontrol_fields(v->s, &qos_fields, &row, "\n    ");
	for (size_t i = 0; i < sizeof(whose) / sizeof(*whose); i++)
		show_whose(v, &row, i);
	putchar('\n');
}

/* Those asked for in the order in which they were. */
static void show_qos(struct view *v)
{
	const struct qos_cond all = {0};
	struct qos_list list, asked = {0};

	if (qos_list(&v->s->site.store, &all, v->s->arena, &list))
		cli_die(&v->s->err);
	for (size_t q = 0; q < v->qos.n; q++)
		for (size_t i = 0; i < list.n; i++)
			if (!strcasecmp(v->qos.v[q], list.v[i]->name))
				*ARENA_PUSH(v->s->arena, asked.v, asked.n,
					asked.cap) = list.v[i];
	if (v->qos.n)
		list = asked;
	title(v, list.n, "QOS", "QOS");
	for (size_t i = 0; i < list.n; i++)
		show_one_qos(v, list.v[i]);
}

/* ---- all -----------------------------------------------------------------*/

/* When usage was last calculated: every PriorityCalcPeriod from when the
 * cluster's root was made. */
static int64_t last_calculation(struct session *s)
{
	const int64_t now = s->site.now, period = s->site.conf.policy.calc_period;
	struct assoc *root;
	int found = assoc_find(&s->site.store, s->site.cluster, "root", "", "",
		s->arena, &root);

	if (found < 0)
		cli_die(&s->err);
	return found && period && root->created < now
		       ? now - (now - root->created) % period : now;
}

static void load(struct view *v)
{
	struct session *s = v->s;

	v->tres = scontrol_tres(s);
	v->calculated = last_calculation(s);
	if (shares_load(&s->site.store, &s->site.conf.policy, s->site.cluster,
		    v->calculated, 0, s->arena, &v->shares) ||
		limits_open(&v->limits, &s->site, v->shares.cluster_key,
			v->calculated, LIMITS_SHOWN, NULL, s->arena) ||
		privacy_open(&v->usage_privacy, &s->site, PRIVATE_USAGE,
			s->arena))
		cli_die(&s->err);
	v->index = shares_index(&v->shares, s->arena);
}

static unsigned sections_of(const char *text)
{
	return (strcasestr(text, "users") ? USERS : 0u) |
	       (strcasestr(text, "assoc") ? ASSOCS : 0u) |
	       (strcasestr(text, "qos") ? QOS : 0u);
}

/* False: complained, in Slurm's words; most leave the exit status at 0. */
static bool read_word(struct view *v, const char *word)
{
	const struct {
		const char *name;
		struct strv *list;
	} lists[] = {{"accounts:1", &v->accounts}, {"flags:1", NULL},
		{"qos:1", &v->qos}, {"users:1", &v->users}};
	const char *equals = strchr(word, '=');

	if (!equals || !equals[1]) {
		cli_say_error("No value given for option %s", word);
		return false;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (!words_match(lists[i].name, word, (size_t)(equals - word)))
			continue;
		if (lists[i].list)
			strv_words(lists[i].list, v->s->arena,
				str_lower(v->s->arena, equals + 1));
		else
			v->sections |= sections_of(equals + 1);
		if (lists[i].list || v->sections)
			return true;
		cli_say_error("invalid flag '%s', valid options are "
			      "'Assoc, QOS, and/or Users'", equals + 1);
		return false;
	}
	cli_say_error("invalid entity: %s for keyword:show assoc_mgr", word);
	v->s->status = 1;
	return false;
}

void show_assoc_mgr(struct session *s, const char *name)
{
	struct view v = {.s = s};

	(void)name;
	for (int i = 0; i < s->n_words; i++)
		if (!read_word(&v, s->words[i]))
			return;
	if (!v.sections)
		v.sections = USERS | ASSOCS | QOS;
	scontrol_open(s);
	load(&v);
	puts("Current Association Manager state");
	if (v.sections & USERS)
		show_users(&v);
	if (v.sections & ASSOCS)
		show_assocs(&v);
	if (v.sections & QOS)
		show_qos(&v);
}
