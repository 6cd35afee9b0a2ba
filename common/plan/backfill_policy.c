/*
 * Policies in words and as the rules a pass goes by: part of common/plan/backfill.h.
 */
#include <string.h>
#include <strings.h>

#include "common/plan/backfill_pass.h"

static const char *const policy_names[] = {
	[BACKFILL_SLURM] = "slurm",
	[BACKFILL_CONSERVATIVE] = "conservative",
	[BACKFILL_EASY] = "easy",
	[BACKFILL_FCFS] = "fcfs",
};

const char *backfill_policy_name(enum backfill_policy policy)
{
	return policy_names[policy];
}

const char *backfill_exit_name(enum backfill_exit reason)
{
	static const char *const names[] = {
		[BACKFILL_END_OF_QUEUE] = "End of job queue",
		[BACKFILL_MAX_JOB_START] = "Hit bf_max_job_start",
		[BACKFILL_MAX_JOB_TEST] = "Hit bf_max_job_test",
		[BACKFILL_STATE_CHANGED] = "System state changed",
		[BACKFILL_TABLE_FULL] =
			"Hit table size limit (bf_node_space_size)",
		[BACKFILL_TIMEOUT] = "Timeout (bf_max_time)",
	};

	return names[reason];
}

static int set_release(struct backfill *b, const char *text, struct err *err)
{
	if (!strcmp(text, "20.11"))
		b->release = RELEASE_20_11;
	else if (!strcmp(text, "26.05"))
		b->release = RELEASE_26_05;
	else
		return err_set(err, ERR_USAGE,
			"release: '%s' is not 20.11 or 26.05", text);
	return 0;
}

static int set_words(struct backfill *b, const char *list, struct err *err)
{
	while (*list) {
		char word[128];
		size_t len = strcspn(list, ",");

		if (len >= sizeof(word))
			return err_set(err, ERR_USAGE,
				"'%.20s...' is not a scheduler parameter", list);
		memcpy(word, list, len);
		word[len] = '\0';
		if (!strncasecmp(word, "release=", 8)) {
			if (set_release(b, word + 8, err))
				return -1;
		} else if (len && sched_params_set(&b->params, word, err)) {
			return -1;
		}
		list += len + (list[len] == ',');
	}
	return 0;
}

static int parse_policy(struct backfill *b, const char *text, struct err *err)
{
	size_t len = strcspn(text, ":");

	for (size_t i = 0; i < sizeof(policy_names) / sizeof(*policy_names);
		i++) {
		if (strlen(policy_names[i]) != len ||
			strncasecmp(policy_names[i], text, len))
			continue;
		b->policy = (enum backfill_policy)i;
		if (!text[len])
			return 0;
		if (b->policy != BACKFILL_SLURM)
			return err_set(err, ERR_USAGE,
				"policy %s takes no parameters: '%s'",
				policy_names[i], text);
		return set_words(b, text + len + 1, err);
	}
	return err_set(err, ERR_USAGE,
		"'%.*s' is not a policy: slurm, conservative, easy or fcfs",
		(int)len, text);
}

int backfill_read(struct backfill *b, const struct conf *conf,
	const char *policy, struct strv *remarks, struct arena *arena,
	struct err *err)
{
	const char *type = conf->scheduler_type;

	*b = (struct backfill){
		.builtin = !policy && type &&
			   !strcasecmp(type, "sched/builtin"),
	};
	if (b->builtin)
		b->policy = BACKFILL_FCFS;
	sched_params_parse(
		&b->params, conf->scheduler_parameters, remarks, arena);
	if (policy && parse_policy(b, policy, err))
		return -1;
	sched_params_complete(&b->params, remarks, arena);
	return 0;
}

/* The textbook policies know no bounds of a pass, and no job that lets others
 * by. */
void backfill_lead(const struct backfill *b, struct schedule *s)
{
	const struct sched_params none = {0};
	bool slurm = b->policy == BACKFILL_SLURM || b->builtin;
	const struct sched_params *params = slurm ? &b->params : &none;

	s->textbook = !slurm;
	s->limit_stops = b->params.assoc_limit_stop;
	s->serial_at_end = params->pack_serial_at_end;
	s->licenses_stop = params->bf_licenses;
	s->min_reserve_age = params->bf_min_age_reserve;
	s->min_reserve_priority = (uint32_t)params->bf_min_prio_reserve;
	s->partition_depth = (uint32_t)params->partition_job_depth;
	s->start_most = (uint32_t)params->sched_max_job_start;
}

static struct backfill_rules slurm_rules(const struct pass *p)
{
	const struct sched_params *params = &p->b->params;
	bool old = p->b->release == RELEASE_20_11;
	int64_t end = p->s->now + params->bf_window * 60;

	return (struct backfill_rules){
		.resolution = params->bf_resolution,
		.window_end = old ? end
				  : end / params->bf_resolution *
					      params->bf_resolution,
		.reserve_most = params->bf_job_part_count_reserve,
		.insert_started = !old,
		.licenses = !old && params->bf_licenses,
		.round_up = !old,
		.end_counts = true,
		.limits_of_tests = true,
		.reasons = !old,
		.later = params->bf_busy_nodes ? SELECT_BUSY : 0,
	};
}

struct backfill_rules backfill_rules_of(const struct pass *p)
{
	enum { CENTURY = 100 };
	struct backfill_rules rules = {
		.resolution = 1,
		.window_end = p->s->now + INT64_C(86400) * 365 * CENTURY,
		.exact = true,
		.reserve_most = p->b->policy == BACKFILL_EASY,
		.in_order = p->b->policy == BACKFILL_FCFS,
		.later = p->b->policy == BACKFILL_EASY ? SELECT_FREE_LAST : 0,
	};

	return p->b->policy == BACKFILL_SLURM ? slurm_rules(p) : rules;
}
