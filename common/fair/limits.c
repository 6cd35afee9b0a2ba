/*
 * Which limit a job breaks first (Slurm's src/slurmctld/acct_policy.c). A limit
 * is a row of one table, a check a row of others in the order of 8.3. Pure.
 */
#include "common/fair/limits.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/conf/policy.h"
#include "common/fair/decay.h"
#include "common/table/assoc.h"
#include "common/table/qos.h"
#include "common/text/reason.h"
#include "common/text/timespec.h"

/* What is being asked. */
struct inquiry {
	const struct limit_chain *chain;
	const struct limit_job *job;
	uint64_t minutes; /* it may run, times UsageFactor where that counts */
	uint64_t seconds; /* a running job has run */
	bool alone;	  /* as if nothing else ran or ever had run */
	size_t at;	  /* index of the level being looked at */
	struct limit_breach *breach; /* NULL: the caller does not ask which */
};

/* Whose usage a rule looks at. */
enum who { WHO_ALL, WHO_USER, WHO_ACCOUNT };

/* Kinds of limits: those of numbers (enum limit_number), then those of TRES. */
enum { LIMIT_KINDS = LIMIT_NUMBERS + LIMIT_TRES_LISTS };
#define TRES_KIND(kind) (LIMIT_NUMBERS + (int)LIMIT_##kind)

/* ---- amounts -------------------------------------------------------------*/

void limit_level_init(struct limit_level *level)
{
	*level = (struct limit_level){0};
	for (size_t i = 0; i < LIMIT_NUMBERS; i++)
		level->number[i] = INFINITE;
}

static uint64_t amount(const struct tres_list *list, uint32_t id)
{
	uint64_t count = list ? tres_list_get(list, id) : 0;

	return count >= NO_VAL64 ? 0 : count;
}

static const struct limit_level *level_of(const struct inquiry *r)
{
	return &r->chain->levels[r->at];
}

static const struct limit_usage *usage_of_level(
	const struct inquiry *r, enum who who)
{
	static const struct limit_usage nothing;
	const struct limit_level *level = level_of(r);
	const struct limit_usage *const usage[] = {
		[WHO_ALL] = level->all,
		[WHO_USER] = level->user,
		[WHO_ACCOUNT] = level->account,
	};

	return r->alone || !usage[who] ? &nothing : usage[who];
}

/* Nodes that run nothing of the group yet are the ones it adds. */
static uint64_t new_nodes(
	const struct limit_job *job, const struct limit_usage *usage)
{
	uint64_t asked = amount(job->tres, TRES_NODE);
	uint64_t there = amount(&usage->tres, TRES_NODE);
	uint64_t n = 0;

	if (usage->node_jobs && !job->nodes && job->anywhere)
		return asked > there ? asked - there : 0;
	if (!usage->node_jobs || !job->nodes)
		return asked;
	for (size_t i = 0; i < job->n_nodes; i++)
		n += !usage->node_jobs[job->nodes[i]];
	return n;
}

static uint64_t added(const struct limit_job *job,
	const struct limit_usage *usage, uint32_t id)
{
	return id == TRES_NODE ? new_nodes(job, usage) : amount(job->tres, id);
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* ---- numbers -------------------------------------------------------------*/

static bool breaks_jobs(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)id;
	return usage_of_level(r, who)->jobs >= limit;
}

static bool breaks_submit(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)id;
	return plus(usage_of_level(r, who)->submit, r->job->tasks) > limit;
}

/* A job that asked for no time gets what is allowed, unless its partition says
 * what it asks for then. */
static bool is_timed(const struct inquiry *r)
{
	return r->job->time_limit != NO_VAL || r->chain->default_time != NO_VAL;
}

static bool breaks_wall(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)who;
	(void)id;
	return (is_timed(r) || !limit) && r->minutes > limit;
}

static bool breaks_grp_wall(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	uint64_t used = usage_of_level(r, who)->wall / 60;

	(void)id;
	return used >= limit ||
	       (r->chain->safe && plus(used, r->minutes) > limit);
}

/* ---- TRES ----------------------------------------------------------------*/

static bool breaks_amount(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)who;
	return amount(r->job->tres, id) > limit;
}

static uint64_t per_node(const struct inquiry *r, uint32_t id)
{
	uint64_t nodes = amount(r->job->tres, TRES_NODE);

	return amount(r->job->tres, id) / (nodes ? nodes : 1);
}

static bool breaks_per_node(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)who;
	return per_node(r, id) > limit;
}

static bool breaks_least(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)who;
	return amount(r->job->tres, id) < limit;
}

static uint64_t minutes_asked(const struct inquiry *r, uint32_t id)
{
	return times(r->minutes, amount(r->job->tres, id));
}

static bool breaks_minutes(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)who;
	return minutes_asked(r, id) > limit;
}

static bool breaks_asked_minutes(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	return is_timed(r) && breaks_minutes(r, who, id, limit);
}

static bool breaks_group(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	const struct limit_usage *usage = usage_of_level(r, who);
	uint64_t more = added(r->job, usage, id);

	return more && plus(amount(&usage->tres, id), more) > limit;
}

/* Minutes that other jobs may use yet. */
static uint64_t running_minutes(
	const struct inquiry *r, enum who who, uint32_t id)
{
	if (!(r->chain->usage_factor > 0))
		return 0;
	return amount(&usage_of_level(r, who)->run_secs, id) / 60;
}

/* Minutes that jobs used, decayed. */
static uint64_t minutes_used(const struct inquiry *r, enum who who, uint32_t id)
{
	if (!(r->chain->usage_factor > 0))
		return 0;
	return amount(&usage_of_level(r, who)->used_secs, id) / 60;
}

static bool breaks_running(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	uint64_t more = minutes_asked(r, id);

	return more && plus(running_minutes(r, who, id), more) > limit;
}

static bool breaks_used(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	uint64_t more = minutes_asked(r, id);
	uint64_t used = minutes_used(r, who, id);

	if (!more)
		return false;
	if (used >= limit)
		return true;
	return r->chain->safe &&
	       plus(more, running_minutes(r, who, id)) > limit - used;
}

/* ---- of running jobs -----------------------------------------------------*/

static bool breaks_reached_wall(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	(void)id;
	return usage_of_level(r, who)->wall / 60 >= limit;
}

/* Minutes of the job so far. */
static bool breaks_reached_minutes(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	uint64_t count = amount(r->job->tres, id);

	(void)who;
	return count && times(r->seconds, count) / 60 >= limit;
}

static bool breaks_reached_used(
	const struct inquiry *r, enum who who, uint32_t id, uint64_t limit)
{
	return amount(r->job->tres, id) && r->chain->usage_factor > 0 &&
	       amount(&usage_of_level(r, who)->used_secs, id) / 60 >= limit;
}

/* ---- what is checked, in its order (spec 8.3) ----------------------------*/

struct limit_check {
	bool (*breaks)(
		const struct inquiry *, enum who, uint32_t id, uint64_t limit);
	int kind;
};

#define NUMBER(check, kind)                                                    \
	{                                                                      \
		breaks_##check, LIMIT_##kind                                   \
	}
#define TRES(check, kind)                                                      \
	{                                                                      \
		breaks_##check, TRES_KIND(kind)                                \
	}
#define END                                                                    \
	{                                                                      \
		NULL, 0                                                        \
	}

static const struct limit_check qos_submit[] = {
	TRES(amount, PA),
	TRES(amount, PU),
	TRES(amount, GRP),
	NUMBER(submit, GRP_SUBMIT),
	TRES(asked_minutes, MINS_PJ),
	TRES(asked_minutes, GRP_MINS),
	TRES(asked_minutes, GRP_RUN_MINS),
	TRES(asked_minutes, RUN_MINS_PA),
	TRES(asked_minutes, RUN_MINS_PU),
	NUMBER(wall, MAX_WALL),
	NUMBER(wall, GRP_WALL),
	TRES(amount, PJ),
	TRES(per_node, PN),
	NUMBER(submit, MAX_SUBMIT_PA),
	NUMBER(submit, MAX_SUBMIT_PU),
	TRES(least, MIN_PJ),
	END,
};

static const struct limit_check assoc_submit[] = {
	TRES(amount, GRP),
	NUMBER(submit, GRP_SUBMIT),
	TRES(asked_minutes, GRP_MINS),
	TRES(asked_minutes, GRP_RUN_MINS),
	NUMBER(wall, GRP_WALL),
	TRES(amount, PJ),
	TRES(per_node, PN),
	NUMBER(submit, MAX_SUBMIT),
	TRES(asked_minutes, MINS_PJ),
	NUMBER(wall, MAX_WALL),
	END,
};

static const struct limit_check counts[] = {
	NUMBER(jobs, GRP_JOBS),
	NUMBER(grp_wall, GRP_WALL),
	NUMBER(jobs, MAX_JOBS),
	NUMBER(jobs, MAX_JOBS_PA),
	NUMBER(jobs, MAX_JOBS_PU),
	NUMBER(wall, MAX_WALL),
	END,
};

static const struct limit_check resources[] = {
	TRES(used, GRP_MINS),
	TRES(group, GRP),
	TRES(running, GRP_RUN_MINS),
	TRES(minutes, MINS_PJ),
	TRES(amount, PJ),
	TRES(per_node, PN),
	TRES(least, MIN_PJ),
	TRES(group, PA),
	TRES(group, PU),
	TRES(running, RUN_MINS_PA),
	TRES(running, RUN_MINS_PU),
	END,
};

static const struct limit_check reached[] = {
	TRES(reached_used, GRP_MINS),
	NUMBER(reached_wall, GRP_WALL),
	TRES(reached_minutes, MINS_PJ),
	END,
};

/* What is looked at in a QOS and in an association; a kind that only the other
 * has, or only the job's own association, is passed over. */
struct phase {
	const struct limit_check *qos, *assoc;
};

static const struct phase submit_phase = {qos_submit, assoc_submit};
static const struct phase counts_phase = {counts, counts};
static const struct phase resources_phase = {resources, resources};
static const struct phase reached_phase = {reached, reached};

/* ---- what of a limit is in use, and what the job asks for ----------------*/

static uint64_t running_jobs(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)id;
	return usage_of_level(r, who)->jobs;
}

static uint64_t open_jobs(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)id;
	return usage_of_level(r, who)->submit;
}

static uint64_t used_wall(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)id;
	return usage_of_level(r, who)->wall / 60;
}

static uint64_t used_tres(const struct inquiry *r, enum who who, uint32_t id)
{
	return amount(&usage_of_level(r, who)->tres, id);
}

static uint64_t its_tasks(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)who;
	(void)id;
	return r->job->tasks;
}

static uint64_t its_time(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)who;
	(void)id;
	return r->minutes;
}

static uint64_t its_tres(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)who;
	return amount(r->job->tres, id);
}

static uint64_t its_new_tres(const struct inquiry *r, enum who who, uint32_t id)
{
	return added(r->job, usage_of_level(r, who), id);
}

static uint64_t its_share(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)who;
	return per_node(r, id);
}

static uint64_t its_minutes(const struct inquiry *r, enum who who, uint32_t id)
{
	(void)who;
	return minutes_asked(r, id);
}

/* ---- the limits ----------------------------------------------------------*/

enum {
	GROUP = 1,   /* of associations above, too, not of the job's own only */
	MINUTES = 2, /* the number is of minutes */
	REFUSES = 4, /* a job at its submission, whatever its QOS says */
	STRETCHED = 8, /* in associations, by LimitFactor of the QOS */
};
enum { NOT_HERE = -1 }; /* a reason: such a level has no limit of the kind */

/* Where the limit stands in a struct qos or struct assoc, and the reason there:
 * that of a TRES is an enum reason_tres. */
struct limit_place {
	int reason;
	size_t offset;
};

struct limit {
	const char *word; /* that of sacctmgr */
	enum who who;
	unsigned flags;
	struct limit_place qos, assoc;
	/* NULL: no other job has any of it. */
	uint64_t (*in_use)(const struct inquiry *, enum who, uint32_t id);
	uint64_t (*asked)(const struct inquiry *, enum who, uint32_t id);
	/* The numbers of a QOS that hide it, as bits; 0: the same number. */
	unsigned hidden_by;
};

/* clang-format off */
#define QOS(reason, member) {REASON_QOS_##reason, offsetof(struct qos, member)}
#define ASSOC(reason, member) {REASON_ASSOC_##reason, offsetof(struct assoc, member)}
#define NO {NOT_HERE, 0}
#define BOTH(reason, member) QOS(reason, member), ASSOC(reason, member)
#define LISTS(reason, kind) QOS(reason, tres[QOS_##kind]), ASSOC(reason, tres[ASSOC_##kind])

static const struct limit limits[LIMIT_KINDS] = {
	[LIMIT_GRP_JOBS] = {"GrpJobs", WHO_ALL, GROUP,
		BOTH(GRP_JOBS, grp_jobs), running_jobs, its_tasks, 0},
	[LIMIT_GRP_SUBMIT] = {"GrpSubmitJobs", WHO_ALL, GROUP | REFUSES,
		BOTH(GRP_SUBMIT, grp_submit_jobs), open_jobs, its_tasks, 0},
	[LIMIT_GRP_WALL] = {"GrpWall", WHO_ALL, GROUP | MINUTES,
		BOTH(GRP_WALL, grp_wall), used_wall, its_time, 0},
	[LIMIT_MAX_JOBS] = {"MaxJobs", WHO_ALL, 0,
		NO, ASSOC(MAX_JOBS, max_jobs), running_jobs, its_tasks,
		1u << LIMIT_MAX_JOBS_PA | 1u << LIMIT_MAX_JOBS_PU},
	[LIMIT_MAX_JOBS_PA] = {"MaxJobsPerAccount", WHO_ACCOUNT, 0,
		QOS(MAX_JOBS_PA, max_jobs_pa), NO, running_jobs, its_tasks, 0},
	[LIMIT_MAX_JOBS_PU] = {"MaxJobsPerUser", WHO_USER, 0,
		QOS(MAX_JOBS_PU, max_jobs_pu), NO, running_jobs, its_tasks, 0},
	[LIMIT_MAX_SUBMIT] = {"MaxSubmitJobs", WHO_ALL, REFUSES,
		NO, ASSOC(MAX_SUBMIT, max_submit_jobs), open_jobs, its_tasks,
		1u << LIMIT_MAX_SUBMIT_PA | 1u << LIMIT_MAX_SUBMIT_PU},
	[LIMIT_MAX_SUBMIT_PA] = {"MaxSubmitJobsPerAccount", WHO_ACCOUNT, REFUSES,
		QOS(MAX_SUBMIT_PA, max_submit_jobs_pa), NO, open_jobs, its_tasks, 0},
	[LIMIT_MAX_SUBMIT_PU] = {"MaxSubmitJobsPerUser", WHO_USER, REFUSES,
		QOS(MAX_SUBMIT_PU, max_submit_jobs_pu), NO, open_jobs, its_tasks, 0},
	[LIMIT_MAX_WALL] = {"MaxWall", WHO_ALL, MINUTES,
		BOTH(MAX_WALL, max_wall_pj), NULL, its_time, 0},
	[TRES_KIND(GRP)] = {"GrpTRES", WHO_ALL, GROUP | STRETCHED,
		LISTS(GRP, GRP_TRES), used_tres, its_new_tres, 0},
	[TRES_KIND(GRP_MINS)] = {"GrpTRESMins", WHO_ALL, GROUP,
		LISTS(GRP_MINS, GRP_TRES_MINS), minutes_used, its_minutes, 0},
	[TRES_KIND(GRP_RUN_MINS)] = {"GrpTRESRunMins", WHO_ALL, GROUP,
		LISTS(GRP_RUN_MINS, GRP_TRES_RUN_MINS), running_minutes, its_minutes, 0},
	[TRES_KIND(PJ)] = {"MaxTRES", WHO_ALL, STRETCHED,
		LISTS(MAX_PJ, MAX_TRES_PJ), NULL, its_tres, 0},
	[TRES_KIND(PN)] = {"MaxTRESPerNode", WHO_ALL, 0,
		LISTS(MAX_PN, MAX_TRES_PN), NULL, its_share, 0},
	[TRES_KIND(MINS_PJ)] = {"MaxTRESMins", WHO_ALL, 0,
		LISTS(MAX_MINS_PJ, MAX_TRES_MINS_PJ), NULL, its_minutes, 0},
	[TRES_KIND(PA)] = {"MaxTRESPerAccount", WHO_ACCOUNT, 0,
		QOS(MAX_PA, tres[QOS_MAX_TRES_PA]), NO, used_tres, its_new_tres, 0},
	[TRES_KIND(PU)] = {"MaxTRESPerUser", WHO_USER, 0,
		QOS(MAX_PU, tres[QOS_MAX_TRES_PU]), NO, used_tres, its_new_tres, 0},
	[TRES_KIND(RUN_MINS_PA)] = {"MaxTRESRunMinsPerAccount", WHO_ACCOUNT, 0,
		QOS(MAX_RUN_MINS_PA, tres[QOS_MAX_TRES_RUN_MINS_PA]), NO,
		running_minutes, its_minutes, 0},
	[TRES_KIND(RUN_MINS_PU)] = {"MaxTRESRunMinsPerUser", WHO_USER, 0,
		QOS(MAX_RUN_MINS_PU, tres[QOS_MAX_TRES_RUN_MINS_PU]), NO,
		running_minutes, its_minutes, 0},
	[TRES_KIND(MIN_PJ)] = {"MinTRES", WHO_ALL, 0,
		QOS(MIN_PJ, tres[QOS_MIN_TRES_PJ]), NO, NULL, its_tres, 0},
};
/* clang-format on */

/* ---- as they are set -----------------------------------------------------*/

static void take(struct limit_level *level, int kind, const void *record,
	const struct limit_place *place)
{
	const char *from = (const char *)record + place->offset;

	if (place->reason == NOT_HERE)
		return;
	if (kind < LIMIT_NUMBERS)
		memcpy(&level->number[kind], from, sizeof(uint32_t));
	else
		memcpy(&level->tres[kind - LIMIT_NUMBERS], from,
			sizeof(struct tres_list));
}

void limit_level_of_qos(struct limit_level *level, const struct qos *qos)
{
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		take(level, kind, qos, &limits[kind].qos);
}

void limit_level_of_assoc(struct limit_level *level, const struct assoc *assoc)
{
	for (int kind = 0; kind < LIMIT_KINDS; kind++)
		take(level, kind, assoc, &limits[kind].assoc);
}

static void inherit_number(
	struct limit_level *level, const struct limit_level *above, int kind)
{
	if (limit_is_set(level->number[kind]) || !limit_is_set(above->number[kind]))
		return;
	level->number[kind] = above->number[kind];
	level->number_up[kind] = (uint16_t)(above->number_up[kind] + 1);
}

static void inherit_list(struct limit_level *level,
	const struct limit_level *above, int kind, struct arena *arena)
{
	const struct tres_list *from = &above->tres[kind];

	for (size_t t = 0; t < from->n; t++) {
		uint32_t id = from->v[t].id;

		if (tres_list_get(&level->tres[kind], id) != NO_VAL64)
			continue;
		tres_list_set(&level->tres[kind], arena, id, from->v[t].count);
		tres_list_set(&level->tres_up[kind], arena, id,
			amount(&above->tres_up[kind], id) + 1);
	}
}

void limit_level_inherit(struct limit_level *level,
	const struct limit_level *above, struct arena *arena)
{
	for (int kind = 0; kind < LIMIT_KINDS; kind++) {
		const struct limit_place *place = &limits[kind].assoc;

		if (place->reason == NOT_HERE ||
			!(member_at(&assoc_members, place->offset)->marks &
				MEMBER_INHERITED))
			continue;
		if (kind < LIMIT_NUMBERS)
			inherit_number(level, above, kind);
		else
			inherit_list(level, above, kind - LIMIT_NUMBERS, arena);
	}
}

/* ---- which limit wins (spec 8.2) -----------------------------------------*/

static size_t qos_before(const struct limit_chain *chain, size_t at)
{
	return at < chain->n_qos ? at : chain->n_qos;
}

static bool number_hidden(const struct limit_chain *chain, size_t at, int kind)
{
	unsigned others = limits[kind].hidden_by;
	unsigned kinds = others ? others : 1u << kind;

	for (size_t i = 0; i < qos_before(chain, at); i++)
		for (int k = 0; k < LIMIT_NUMBERS; k++)
			if ((kinds & 1u << k) &&
				limit_is_set(chain->levels[i].number[k]))
				return true;
	return false;
}

static bool tres_hidden(const struct limit_chain *chain, size_t at,
	enum limit_tres kind, uint32_t id)
{
	for (size_t i = 0; i < qos_before(chain, at); i++)
		if (tres_list_get(&chain->levels[i].tres[kind], id) < NO_VAL64)
			return true;
	return false;
}

static uint64_t stretched(
	const struct inquiry *r, enum limit_tres kind, uint64_t limit)
{
	double factor = r->chain->limit_factor;
	double product;

	if (level_of(r)->qos || !(factor > 0) ||
		!(limits[LIMIT_NUMBERS + (int)kind].flags & STRETCHED))
		return limit;
	product = (double)limit * factor;
	return product < (double)INT64_MAX ? (uint64_t)product : INFINITE64;
}

/* ---- which one it is -----------------------------------------------------*/

const char *limits_value(const struct limit_breach *breach, uint64_t amount_of,
	const struct tres_catalog *catalog, struct arena *arena)
{
	struct tres_list one = {0};

	if (breach->minutes && amount_of >= INFINITE)
		return "UNLIMITED";
	if (breach->minutes)
		return duration_format(arena, amount_of * 60);
	if (!breach->tres)
		return arena_printf(arena, "%" PRIu64, amount_of);
	tres_list_set(&one, arena, breach->tres, amount_of);
	return tres_list_format(&one, catalog, TRES_BY_ID, arena);
}

uint64_t limits_in_use(
	const struct limit_chain *chain, const struct limit_breach *breach)
{
	const struct inquiry r = {.chain = chain, .at = breach->at};
	const struct limit *limit = &limits[breach->kind];

	return breach->shared ? limit->in_use(&r, limit->who, breach->tres) : 0;
}

uint64_t limits_to_come(
	const struct limit_chain *chain, const struct limit_breach *breach)
{
	const struct inquiry r = {.chain = chain, .at = breach->at};
	const struct limit *limit = &limits[breach->kind];

	if (limit->in_use == minutes_used)
		return running_minutes(&r, limit->who, breach->tres);
	return limit->in_use == used_wall
		       ? usage_of_level(&r, limit->who)->run_wall / 60
		       : NO_VAL64;
}

bool limits_decays(const struct limit_chain *chain,
	const struct limit_breach *breach, int64_t now, int64_t *when)
{
	const struct inquiry r = {.chain = chain, .at = breach->at};
	const struct limit *limit = &limits[breach->kind];
	const struct limit_usage *usage = usage_of_level(&r, limit->who);
	const struct policy *policy = chain->policy;
	bool wall = limit->in_use == used_wall;
	uint64_t used = wall ? usage->wall : amount(&usage->used_secs, breach->tres);
	/* Minutes that may have been used by then. */
	uint64_t most = breach->limit;

	*when = 0;
	if (!wall && limit->in_use != minutes_used)
		return false;
	if (chain->safe && breach->asked)
		most = most < breach->asked ? 0 : most - breach->asked + 1;
	if (!most || !policy || level_of(&r)->no_decay)
		return true;
	*when = usage_reset_next(policy->reset, now);
	if (policy->half_life && used >= most * 60) {
		double halves = log2((double)used / ((double)most * 60));
		int64_t then = now + 1 + (int64_t)(halves * policy->half_life);

		*when = *when && *when < then ? *when : then;
	}
	return true;
}

uint64_t limit_used(const struct limit_usage *usage, int kind, uint32_t tres)
{
	struct limit_usage own = *usage;
	struct limit_level level = {.all = &own, .user = &own, .account = &own};
	const struct limit_chain chain = {.levels = &level, .usage_factor = 1};
	const struct inquiry r = {.chain = &chain};
	const struct limit *limit = &limits[kind];

	return limit->in_use ? limit->in_use(&r, limit->who, tres) : NO_VAL64;
}

/* Usage is the real one, whatever the round pretends. It was set `levels_up`
 * further up. */
static void note(const struct inquiry *r, int kind, uint32_t id, uint64_t most,
	uint64_t levels_up)
{
	const struct limit *limit = &limits[kind];
	const struct limit_level *level = level_of(r);
	struct inquiry now = *r;

	if (!r->breach)
		return;
	now.alone = false;
	*r->breach = (struct limit_breach){
		.level = level,
		.word = limit->word,
		.tres = id,
		.minutes = limit->flags & MINUTES,
		.limit = most,
		.set = kind < LIMIT_NUMBERS
			       ? most
			       : tres_list_get(
					 &level->tres[kind - LIMIT_NUMBERS],
					 id),
		.set_on = level +
			  (levels_up < r->chain->n - r->at ? levels_up : 0),
		.asked = limit->asked(&now, limit->who, id),
		.shared = limit->in_use != NULL,
		.group = limit->flags & GROUP,
		.of_one = limit->who != WHO_ALL,
		.lasting = r->alone,
		.at = r->at,
		.kind = kind,
	};
}

/* ---- going through -------------------------------------------------------*/

/* The number at the level, where it is one that holds. */
static bool number_holds(const struct inquiry *r, int kind, uint32_t *most)
{
	*most = level_of(r)->number[kind];
	return limit_is_set(*most) && !number_hidden(r->chain, r->at, kind);
}

/* The same of the i-th entry of a list. */
static bool tres_holds(
	const struct inquiry *r, enum limit_tres kind, size_t i, uint64_t *most)
{
	const struct tres_list *list = &level_of(r)->tres[kind];

	if (list->v[i].count >= NO_VAL64 ||
		tres_hidden(r->chain, r->at, kind, list->v[i].id))
		return false;
	*most = stretched(r, kind, list->v[i].count);
	return true;
}

static unsigned check_number(const struct inquiry *r,
	const struct limit_check *step, unsigned reason)
{
	uint32_t most;

	if (!number_holds(r, step->kind, &most) ||
		!step->breaks(r, limits[step->kind].who, 0, most))
		return REASON_NONE;
	note(r, step->kind, 0, most, level_of(r)->number_up[step->kind]);
	return reason;
}

static unsigned check_tres(const struct inquiry *r,
	const struct limit_check *step, enum reason_tres reason)
{
	const struct limit_level *level = level_of(r);
	enum limit_tres kind = (enum limit_tres)(step->kind - LIMIT_NUMBERS);
	const struct tres_list *list = &level->tres[kind];

	for (size_t i = 0; i < list->n; i++) {
		uint32_t id = list->v[i].id;
		uint64_t most;

		if (!tres_holds(r, kind, i, &most) ||
			!step->breaks(r, limits[step->kind].who, id, most))
			continue;
		note(r, step->kind, id, most,
			amount(&level->tres_up[kind], id));
		return reason_of_tres(reason, id, r->chain->catalog);
	}
	return REASON_NONE;
}

/* NOT_HERE where a level like this has no such limit. */
static int reason_at(const struct limit_chain *chain, size_t at, int kind)
{
	const struct limit *limit = &limits[kind];

	if (at > chain->n_qos && !(limit->flags & GROUP))
		return NOT_HERE;
	return at < chain->n_qos ? limit->qos.reason : limit->assoc.reason;
}

static unsigned check_step(
	const struct inquiry *r, const struct limit_check *step)
{
	int reason = reason_at(r->chain, r->at, step->kind);

	if (reason == NOT_HERE)
		return REASON_NONE;
	return step->kind < LIMIT_NUMBERS
		       ? check_number(r, step, (unsigned)reason)
		       : check_tres(r, step, (enum reason_tres)reason);
}

/* Every limit of the kind at the level. */
static void tell_kind(const struct inquiry *r, int kind,
	void (*each)(void *arg, const struct limit_breach *), void *arg)
{
	const struct limit_level *level = level_of(r);
	enum limit_tres list = (enum limit_tres)(kind - LIMIT_NUMBERS);
	uint32_t number;
	uint64_t most;

	if (reason_at(r->chain, r->at, kind) == NOT_HERE)
		return;
	if (kind < LIMIT_NUMBERS) {
		if (!number_holds(r, kind, &number))
			return;
		note(r, kind, 0, number, level->number_up[kind]);
		each(arg, r->breach);
		return;
	}
	for (size_t i = 0; i < level->tres[list].n; i++) {
		uint32_t id = level->tres[list].v[i].id;

		if (!tres_holds(r, list, i, &most))
			continue;
		note(r, kind, id, most, amount(&level->tres_up[list], id));
		each(arg, r->breach);
	}
}

void limits_each(const struct limit_chain *chain,
	void (*each)(void *arg, const struct limit_breach *), void *arg)
{
	static const struct tres_list nothing;
	const struct limit_job job = {.tres = &nothing, .time_limit = NO_VAL};
	struct limit_breach breach;
	struct inquiry r = {.chain = chain, .job = &job, .breach = &breach};

	for (; r.at < chain->n; r.at++)
		for (int kind = 0; kind < LIMIT_KINDS; kind++)
			tell_kind(&r, kind, each, arg);
}

/* Only the limits with one of the flags; 0: all. */
static unsigned check_phase(
	struct inquiry *r, const struct phase *phase, unsigned flags)
{
	const struct limit_chain *chain = r->chain;
	unsigned reason = REASON_NONE;

	for (r->at = 0; !reason && r->at < chain->n; r->at++) {
		const struct limit_check *step =
			r->at < chain->n_qos ? phase->qos : phase->assoc;

		for (; !reason && step->breaks; step++)
			if (!flags || (limits[step->kind].flags & flags))
				reason = check_step(r, step);
	}
	return reason;
}

/* Whatever its usage factor, a job without limit stays without. */
static uint64_t charged_minutes(const struct limit_chain *chain, uint32_t wall)
{
	double factor = chain->usage_factor;

	if (!chain->usage_factor_safe || !(factor >= 0) ||
		(wall == INFINITE && factor >= 1))
		return wall;
	return (uint64_t)(wall * factor);
}

static struct inquiry request_of(
	const struct limit_chain *chain, const struct limit_job *job)
{
	uint32_t wall = limits_wall(chain, job);

	return (struct inquiry){
		.chain = chain,
		.job = job,
		.minutes = charged_minutes(chain, wall),
	};
}

unsigned limits_submit(
	const struct limit_chain *chain, const struct limit_job *job)
{
	struct inquiry r = request_of(chain, job);

	r.minutes = limits_wall(chain, job);
	return check_phase(&r, &submit_phase, chain->deny ? 0 : REFUSES);
}

unsigned limits_start_breach(const struct limit_chain *chain,
	const struct limit_job *job, struct limit_breach *breach)
{
	struct inquiry r = request_of(chain, job);
	unsigned reason = REASON_NONE;

	r.breach = breach;
	if (breach)
		breach->level = NULL;
	if (chain->below_threshold)
		return REASON_QOS_USAGE_THRESHOLD;
	for (int round = 0; !reason && round < 2; round++) {
		r.alone = round == 0;
		reason = check_phase(&r, &counts_phase, 0);
		if (!reason)
			reason = check_phase(&r, &resources_phase, 0);
	}
	return reason;
}

uint32_t limits_most_nodes(const struct limit_chain *chain)
{
	static const enum limit_tres kinds[] = {
		LIMIT_GRP, LIMIT_PJ, LIMIT_PA, LIMIT_PU};
	uint64_t most = INFINITE;

	for (size_t at = 0; at < chain->n; at++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			uint64_t count = tres_list_get(
				&chain->levels[at].tres[kinds[k]], TRES_NODE);

			if (count < most &&
				reason_at(chain, at,
					LIMIT_NUMBERS + (int)kinds[k]) !=
					NOT_HERE &&
				!tres_hidden(chain, at, kinds[k], TRES_NODE))
				most = count;
		}
	return (uint32_t)most;
}

unsigned limits_count(
	const struct limit_chain *chain, const struct limit_job *job)
{
	struct limit_breach breach = {0};
	struct inquiry r = request_of(chain, job);
	unsigned reason;

	if (chain->below_threshold)
		return REASON_QOS_USAGE_THRESHOLD;
	r.breach = &breach;
	r.alone = true;
	reason = check_phase(&r, &counts_phase, 0);
	if (!reason) {
		reason = check_phase(&r, &resources_phase, 0);
		reason = reason && breach.shared ? REASON_NONE : reason;
	}
	r.alone = false;
	return reason ? reason : check_phase(&r, &counts_phase, 0);
}

unsigned limits_reached(const struct limit_chain *chain,
	const struct limit_job *job, uint64_t seconds)
{
	struct limit_chain below = *chain;
	struct inquiry r = {.chain = &below, .job = job, .seconds = seconds};

	if (chain->safe)
		return REASON_NONE;
	if (below.n > below.n_qos)
		below.n--;
	return check_phase(&r, &reached_phase, 0);
}

unsigned limits_start(
	const struct limit_chain *chain, const struct limit_job *job)
{
	return limits_start_breach(chain, job, NULL);
}

/* ---- time and usage ------------------------------------------------------*/

/* A job never gets a time limit of 0. */
static uint32_t number_at(const struct limit_chain *chain, size_t at, int kind)
{
	uint32_t number = chain->levels[at].number[kind];

	return number && limit_is_set(number) && !number_hidden(chain, at, kind)
		       ? number
		       : INFINITE;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* What its QOS give a job that asked for no time. */
static uint32_t qos_wall(const struct limit_chain *chain)
{
	uint32_t most = INFINITE;

	for (size_t i = 0; i < chain->n_qos; i++) {
		most = least_of(most, number_at(chain, i, LIMIT_MAX_WALL));
		most = least_of(most, number_at(chain, i, LIMIT_GRP_WALL));
	}
	return most;
}

/* The same of the associations: the first that say anything do, unless all
 * are held against a submission. */
static uint32_t assoc_wall(const struct limit_chain *chain)
{
	uint32_t most = INFINITE;

	for (size_t i = chain->n_qos; i < chain->n; i++) {
		uint32_t own = i == chain->n_qos
				       ? number_at(chain, i, LIMIT_MAX_WALL)
				       : INFINITE;
		uint32_t group = number_at(chain, i, LIMIT_GRP_WALL);

		if (chain->deny)
			most = least_of(most, least_of(own, group));
		else if (most == INFINITE)
			most = group != INFINITE ? group : own;
	}
	return most;
}

/* Minutes in which the job would use up a limit on minutes of a TRES. */
static uint32_t tres_wall(const struct limit_chain *chain, size_t at,
	enum limit_tres kind, const struct tres_list *asked)
{
	const struct tres_list *list = &chain->levels[at].tres[kind];
	uint64_t most = INFINITE;

	for (size_t i = 0; i < list->n; i++) {
		uint64_t count = amount(asked, list->v[i].id);

		if (!count || list->v[i].count >= NO_VAL64 ||
			tres_hidden(chain, at, kind, list->v[i].id) ||
			list->v[i].count / count >= most)
			continue;
		most = list->v[i].count / count;
	}
	return (uint32_t)most;
}

static uint32_t minutes_wall(
	const struct limit_chain *chain, const struct tres_list *asked)
{
	uint32_t most = INFINITE;

	for (size_t at = 0; chain->deny && at < chain->n; at++)
		for (int kind = LIMIT_NUMBERS; kind < LIMIT_KINDS; kind++)
			if (limits[kind].asked == its_minutes &&
				reason_at(chain, at, kind) != NOT_HERE)
				most = least_of(most,
					tres_wall(chain, at,
						(enum limit_tres)(kind -
							LIMIT_NUMBERS),
						asked));
	return most;
}

uint32_t limits_wall(
	const struct limit_chain *chain, const struct limit_job *job)
{
	uint32_t most = chain->max_time == NO_VAL ? INFINITE : chain->max_time;
	uint32_t by_qos;

	if (job->time_limit != NO_VAL)
		return job->time_limit;
	if (chain->default_time != NO_VAL)
		return chain->default_time;
	by_qos = qos_wall(chain);
	most = least_of(most, by_qos);
	if (by_qos == INFINITE || chain->deny)
		most = least_of(most, assoc_wall(chain));
	return least_of(most, minutes_wall(chain, job->tres));
}

static void add(struct tres_list *list, struct arena *arena, uint32_t id,
	uint64_t count)
{
	if (count)
		tres_list_set(list, arena, id, plus(amount(list, id), count));
}

void limit_usage_add(struct limit_usage *usage, const struct limit_job *job,
	uint64_t seconds, double factor, struct arena *arena)
{
	double charged = (double)seconds * (factor > 0 ? factor : 0);

	usage->jobs++;
	usage->run_wall += charged < 9e18 ? (uint64_t)charged : 0;
	for (size_t i = 0; i < job->tres->n; i++) {
		uint32_t id = job->tres->v[i].id;
		double left = charged * (double)amount(job->tres, id);

		add(&usage->tres, arena, id, added(job, usage, id));
		if (id != TRES_ENERGY)
			add(&usage->run_secs, arena, id,
				left < 9e18 ? (uint64_t)left : (uint64_t)9e18);
	}
	for (size_t i = 0; usage->node_jobs && i < job->n_nodes; i++)
		usage->node_jobs[job->nodes[i]]++;
}

void limits_begin(const struct limit_chain *chain, const struct limit_job *job,
	struct arena *arena)
{
	uint64_t seconds = (uint64_t)limits_wall(chain, job) * 60;

	for (size_t i = 0; i < chain->n; i++) {
		const struct limit_level *level = &chain->levels[i];
		struct limit_usage *const all[] = {
			level->all, level->user, level->account};

		for (size_t u = 0; u < sizeof(all) / sizeof(*all); u++)
			if (all[u])
				limit_usage_add(all[u], job, seconds,
					chain->usage_factor, arena);
	}
}
