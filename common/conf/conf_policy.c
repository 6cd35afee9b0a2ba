/*
 * The Priority... keywords of slurm.conf (slurm.conf(5)).
 */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/conf/conf_reader.h"
#include "common/text/timespec.h"

enum { WEEK_SECONDS = 7 * 86400 };

void conf_policy_defaults(struct policy *policy)
{
	*policy = (struct policy){
		.multifactor = true,
		.priority_type = "priority/multifactor",
		.algorithm = FAIRSHARE_FAIR_TREE,
		.dampening = 1,
		.half_life = WEEK_SECONDS,
		.calc_period = 300,
		.reset = RESET_NONE,
		.max_age = WEEK_SECONDS,
		.billing = BILLING_SUM,
	};
}

static int set_type(const struct conf_assign *assign)
{
	struct policy *policy = assign->member;

	policy->priority_type = assign->value;
	policy->multifactor =
		!strcasecmp(assign->value, "priority/multifactor");
	return 0;
}

/* Slurm counts in whole minutes: 30 seconds are one, and that is said. */
static void say_rounded(const struct conf_assign *assign, uint32_t minutes)
{
	struct conf_reader *reader = assign->record;
	struct err unused;
	uint32_t seconds;

	if (minutes != INFINITE && reader &&
		!seconds_parse(assign->value, &seconds, &unused) && seconds % 60)
		conf_say(reader, &reader->conf.warnings,
			"%s=%s is taken for %u minute%s, as Slurm does",
			assign->key, assign->value, minutes,
			minutes == 1 ? "" : "s");
}

/* Whole minutes, kept in seconds. UNLIMITED wraps as it does in Slurm, which
 * leaves 136 years: practically none. */
static int set_duration(const struct conf_assign *assign)
{
	struct err unused;
	uint32_t minutes;

	if (minutes_parse(assign->value, &minutes, &unused) ||
		(minutes != INFINITE && minutes > UINT32_MAX / 60))
		return conf_bad_value(assign);
	say_rounded(assign, minutes);
	*(uint32_t *)assign->member = minutes * 60;
	return 0;
}

static int set_period(const struct conf_assign *assign)
{
	struct err unused;
	uint32_t minutes;

	if (minutes_parse(assign->value, &minutes, &unused) || !minutes ||
		minutes > UINT32_MAX / 60)
		return conf_bad_value(assign);
	*(uint32_t *)assign->member = minutes * 60;
	return 0;
}

static int set_reset(const struct conf_assign *assign)
{
	static const char *const words[] = {
		[RESET_NONE] = "NONE",
		[RESET_NOW] = "NOW",
		[RESET_DAILY] = "DAILY",
		[RESET_WEEKLY] = "WEEKLY",
		[RESET_MONTHLY] = "MONTHLY",
		[RESET_QUARTERLY] = "QUARTERLY",
		[RESET_YEARLY] = "YEARLY",
	};
	struct conf_reader *reader = assign->record;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(assign->value, words[i])) {
			reader->conf.policy.reset = (enum usage_reset)i;
			reader->reset_given = true;
			return 0;
		}
	return conf_bad_value(assign);
}

enum {
	NO_NORMAL_ALL = PRIO_NO_NORMAL_ASSOC | PRIO_NO_NORMAL_PART |
			PRIO_NO_NORMAL_QOS | PRIO_NO_NORMAL_TRES,
};

static const struct {
	const char *word;
	unsigned flags;
} flag_words[] = {
	{"ACCRUE_ALWAYS", PRIO_ACCRUE_ALWAYS},
	{"SMALL_RELATIVE_TO_TIME", PRIO_SMALL_RELATIVE_TO_TIME},
	{"CALCULATE_RUNNING", PRIO_CALCULATE_RUNNING},
	{"INCR_ONLY", PRIO_INCR_ONLY},
	{"MAX_TRES", PRIO_MAX_TRES},
	{"MAX_TRES_GRES", PRIO_MAX_TRES_GRES},
	{"NO_NORMAL_ALL", NO_NORMAL_ALL},
	{"NO_NORMAL_ASSOC", PRIO_NO_NORMAL_ASSOC},
	{"NO_NORMAL_PART", PRIO_NO_NORMAL_PART},
	{"NO_NORMAL_QOS", PRIO_NO_NORMAL_QOS},
	{"NO_NORMAL_TRES", PRIO_NO_NORMAL_TRES},
};

/* The words are looked for anywhere in the text, as Slurm does; so
 * MAX_TRES_GRES is also MAX_TRES until that is taken back. */
static int set_flags(const struct conf_assign *assign)
{
	struct policy *policy = assign->member;
	const char *text = assign->value;

	policy->flags = 0;
	for (size_t i = 0; i < sizeof(flag_words) / sizeof(*flag_words); i++)
		if (strcasestr(text, flag_words[i].word))
			policy->flags |= flag_words[i].flags;
	if (policy->flags & PRIO_MAX_TRES_GRES)
		policy->flags &= ~(unsigned)PRIO_MAX_TRES;
	policy->billing = policy->flags & PRIO_MAX_TRES_GRES
				  ? BILLING_MAX_TRES_GRES
			  : policy->flags & PRIO_MAX_TRES ? BILLING_MAX_TRES
							  : BILLING_SUM;
	policy->algorithm =
		strcasestr(text, "DEPTH_OBLIVIOUS") ? FAIRSHARE_DEPTH_OBLIVIOUS
		: strcasestr(text, "NO_FAIR_TREE")  ? FAIRSHARE_CLASSIC
						    : FAIRSHARE_FAIR_TREE;
	return 0;
}

const struct conf_key conf_policy_keys[] = {
	{"PriorityType", set_type, CONF_AT(policy)},
	{"PriorityDecayHalfLife", set_duration, CONF_AT(policy.half_life)},
	{"PriorityCalcPeriod", set_period, CONF_AT(policy.calc_period)},
	{"PriorityUsageResetPeriod", set_reset, 0},
	{"PriorityMaxAge", set_duration, CONF_AT(policy.max_age)},
	{"PriorityFavorSmall", conf_set_bool, CONF_AT(policy.favor_small)},
	{"PriorityFlags", set_flags, CONF_AT(policy)},
	{"PriorityWeightAge", conf_set_uint32, CONF_AT(policy.weights.age)},
	{"PriorityWeightAssoc", conf_set_uint32, CONF_AT(policy.weights.assoc)},
	{"PriorityWeightFairshare", conf_set_uint32,
		CONF_AT(policy.weights.fairshare)},
	{"PriorityWeightJobSize", conf_set_uint32,
		CONF_AT(policy.weights.job_size)},
	{"PriorityWeightPartition", conf_set_uint32,
		CONF_AT(policy.weights.partition)},
	{"PriorityWeightQOS", conf_set_uint32, CONF_AT(policy.weights.qos)},
	{"PriorityWeightTRES", conf_set_text, CONF_AT(policy.weights.tres)},
	{"FairShareDampeningFactor", conf_set_uint16,
		CONF_AT(policy.dampening)},
};
const size_t conf_policy_n_keys =
	sizeof(conf_policy_keys) / sizeof(*conf_policy_keys);

int conf_policy_finish(struct conf_reader *reader)
{
	const struct policy *policy = &reader->conf.policy;
	const struct priority_weights *w = &policy->weights;
	uint64_t sum = (uint64_t)w->age + w->assoc + w->fairshare +
		       w->job_size + w->partition + w->qos;

	if (!policy->half_life && !reader->reset_given) {
		err_set(reader->err, ERR_USAGE,
			"You have to either have PriorityDecayHalfLife != 0 or "
			"PriorityUsageResetPeriod set to something or the "
			"priority plugin will result in rolling over.");
		return err_prefix(reader->err, "%s", reader->conf.path);
	}
	if (sum > UINT32_MAX)
		conf_say(reader, &reader->conf.warnings,
			"PriorityWeight values too high, job priority value "
			"may overflow");
	return 0;
}
