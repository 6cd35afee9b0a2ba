/*
 * Jobs: what can be changed in their records (Slurm's
 * src/sacctmgr/job_functions.c).
 */
#include "db/change/change.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "db/job/job.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Accounts:1 Accts:1", WHERE_LIST, COND(assoc.accounts), GROUP_RECORD, "accounts", FROM_ACCOUNTS},
	{"Cluster:1", WHERE_LIST, COND(assoc.clusters), GROUP_NONE, "clusters; default: this one", FROM_CLUSTERS},
	{"JobID:1", WHERE_LIST, COND(names), GROUP_RECORD, "jobs: 7, 7_2", FROM_OPEN_JOBS},
	{"EndTime:1", WHERE_LIST_CASE, COND(end), GROUP_NONE, "there before this time", FROM_NOTHING},
	{"StartTime:1", WHERE_LIST_CASE, COND(start), GROUP_NONE, "there after this time", FROM_NOTHING},
	{"WCkeys:1", WHERE_LIST, COND(wckeys), GROUP_RECORD, "wckeys", FROM_WCKEYS},
	{"Users:1", WHERE_LIST_CASE, COND(assoc.users), GROUP_RECORD, "users", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

#define AT(member) .offset = offsetof(struct job, member)
static const struct member job_attrs[] = {
	{"derived_ec", AT(derived_ec), .help = "exit code the user gave the job",
		SETTABLE("DerivedExitCode", "DerivedExitCode:12 DerivedEC:9", ATTR_UINT)},
	{"derived_es", AT(comment),
		SETTABLE("Comment", "Comment:7 DerivedExitString:12 DerivedES:9", ATTR_TEXT_CASE)},
	{"extra", AT(extra), SETTABLE("Extra", "Extra:5", ATTR_TEXT_CASE)},
	{"admin_comment", AT(admin_comment), .help = "what administrators say about it",
		SETTABLE("AdminComment", "AdminComment:12", ATTR_TEXT_CASE)},
	{"system_comment", AT(system_comment), .help = "what the site's programs say about it",
		SETTABLE("SystemComment", "SystemComment:13", ATTR_TEXT_CASE)},
	{"tres_alloc", AT(tres_alloc), SETTABLE("TRES", "TRES:1", ATTR_TRES)},
	{"wckey", AT(wckey), .help = "wckey it counts for from now on",
		SETTABLE("NewWCKey", "NewWCKey:1", ATTR_TEXT)},
};
static const struct members own_members = MEMBERS(job_attrs);
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {&own_members},
	.set_errors_on_stdout = true,
};

/* What was set of that member; NULL: nothing. */
#define given(r, member)                                                       \
	settings_find(&(r)->set,                                               \
		member_at(&own_members, offsetof(struct job, member)))

/* ---- which jobs ----------------------------------------------------------*/

/* "7", "7_2"; of "7.0" the step does not matter. */
static int read_ref(const char *text, struct job_ref *ref)
{
	char *end;
	unsigned long id = strtoul(text, &end, 10), task = NO_VAL;

	if (*text < '0' || *text > '9' || id >= NO_VAL)
		return -1;
	if (*end == '_') {
		const char *start = end + 1;

		task = strtoul(start, &end, 10);
		if (*start < '0' || *start > '9' || task >= NO_VAL)
			return -1;
	}
	if (*end && *end != '.')
		return -1;
	*ref = (struct job_ref){(uint32_t)id, (uint32_t)task};
	return 0;
}

static int read_refs(
	struct session *s, const struct strv *words, struct job_cond *cond)
{
	cond->ids = arena_array(&s->arena, words->n, sizeof(*cond->ids));
	for (size_t i = 0; i < words->n; i++) {
		if (read_ref(words->v[i], &cond->ids[i]))
			return complain(s, "Invalid job id(s) %s specified",
				words->v[i]);
	}
	cond->n_ids = words->n;
	return 0;
}

static int cond_of(struct session *s, const struct request *r,
	struct job_cond *cond)
{
	*cond = (struct job_cond){
		.accounts = r->where.assoc.accounts,
		.users = r->where.assoc.users,
		.wckeys = r->where.wckeys,
	};
	if (read_refs(s, &r->where.names, cond))
		return -1;
	if (read_time(s, &r->where.start, &cond->from) ||
		read_time(s, &r->where.end, &cond->until))
		return complain_err(s);
	if (private_hides(s, PRIVATE_JOBS)) {
		cond->users = (struct strv){0};
		strv_push(&cond->users, &s->arena, s->site.caller.name);
	}
	return 0;
}

/* ---- the change ----------------------------------------------------------*/

struct job_change {
	const struct request *request;
	struct strv clusters;
	struct job_cond cond;
	bool any, operator;
};

static bool may(struct session *s, const struct request *r,
	const struct job *job)
{
	return !strcasecmp(job->user, s->site.caller.name) &&
		!given(r, admin_comment) &&
		!given(r, system_comment) && !given(r, tres_alloc);
}

/* A TRES named replaces that entry; billing is what the job is charged with. */
static void apply_tres(
	struct session *s, const struct setting *set, struct job *job)
{
	uint64_t billing;

	tres_list_apply(&job->tres_alloc, &s->arena, &set->tres);
	billing = tres_list_get(&job->tres_alloc, TRES_BILLING);
	for (size_t i = 0; i < set->tres.n; i++)
		if (set->tres.v[i].id == TRES_BILLING)
			job->billing =
				billing == NO_VAL64 ? 0 : (double)billing;
}

static void apply(struct session *s, const struct request *r, struct job *job)
{
	for (size_t i = 0; i < r->set.n; i++) {
		const struct setting *set = &r->set.v[i];

		if (set->attr->set->type == ATTR_TRES)
			apply_tres(s, set, job);
		else if (set->attr->set->type == ATTR_UINT)
			job->derived_ec = set->number;
		else
			memcpy((char *)job + set->attr->offset, &set->text,
				sizeof(set->text));
	}
}

/* A new wckey is one its user has from now on. */
static int note_wckey(struct session *s, const struct request *r,
	const char *cluster, const struct job *job)
{
	const struct setting *set = given(r, wckey);

	if (!set || !*set->text)
		return 0;
	return any_failed(
		wckey_add(s->store, cluster, set->text, job->user, false) < 0);
}

static int modify_job(struct session *s, const struct request *r,
	const char *cluster, struct job *job)
{
	apply(s, r, job);
	effect(s, (struct effect){
		VERB_MODIFY, EFFECT_DONE, ON_JOB, .record = job});
	return any_failed(note_wckey(s, r, cluster, job) ||
			  job_save(s->store, &s->site.conf.policy, job) ||
			  txn_add(s->store, TXN_MODIFY_JOB, cluster,
				  arena_printf(&s->arena, "job_db_inx=%lld",
					  (long long)job->key),
				  settings_text(&r->set, &s->arena)));
}

static int modify_on(
	struct session *s, struct job_change *change, const char *cluster)
{
	struct job_list list;

	change->cond.cluster = cluster_key(s->store, cluster);
	if (change->cond.cluster <= 0)
		return (int)change->cond.cluster;
	if (job_load(s->store, &change->cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (!change->operator && !may(s, change->request, &list.v[i]))
			return err_set(&s->err, ERR_DENIED, " ");
		if (modify_job(s, change->request, cluster, &list.v[i]))
			return -1;
		change->any = true;
	}
	return 0;
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	struct job_change *change = arg;

	change->any = false;
	change->operator = is_operator(s);
	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_JOB, NULL);
	for (size_t i = 0; i < change->clusters.n; i++) {
		if (!modify_on(s, change, change->clusters.v[i]))
			continue;
		if (s->err.kind == ERR_DENIED)
			complain_denied(s);
		else
			complain_err(s);
		return PLAN_REFUSED;
	}
	if (change->any)
		return PLAN_CHANGED;
	complain_request(s, "Data has not changed since time specified");
	return PLAN_FAILED;
}

static int check_code(struct session *s, const struct request *r)
{
	const struct setting *set = given(r, derived_ec);

	if (!set || set->number < NO_VAL)
		return 0;
	complain_named(s, "Invalid value for DerivedExitCode: it can not be below 0");
	s->status = 1;
	return -1;
}

static int run(struct session *s, struct request *r)
{
	struct job_change change = {.request = r};

	if (cond_of(s, r, &change.cond))
		return -1;
	/* A site that does not track wckeys has none to change. */
	if (given(r, wckey) && r->set.n == 1 && !s->site.conf.track_wckey) {
		effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_JOB, NULL);
		effect_named(s, VERB_MODIFY, EFFECT_NOTHING, ON_JOB, NULL);
		s->status = 1;
		return -1;
	}
	change.clusters = r->where.assoc.clusters;
	if (!change.clusters.n)
		strv_push(&change.clusters, &s->arena, s->site.cluster);
	return change_run(s, plan_modify, &change);
}

static int modify(struct session *s, struct request *r)
{
	if (r->failed || check_code(s, r))
		return -1;
	if (require_set(s, r))
		return -1;
	if (!r->where.record_given && !confirm_all(s, FROM_NOTHING))
		return 0;
	return run(s, r);
}

const struct changeable job_changes = {
	.names = {[VERB_MODIFY] = "Job:1"},
	.words = &vocabulary,
	.run = {[VERB_MODIFY] = modify},
};
