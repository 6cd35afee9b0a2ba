/*
 * Which replays are made: every --policy with every combination of the values
 * of --sweep.
 */
#include "cmd/ssim/ssim.h"

#include <string.h>

static const struct sim_policy *const policies[] = {
	&sim_fcfs, &sim_easy, &sim_conservative};

enum { POLICIES = sizeof(policies) / sizeof(*policies), MOST_REPLAYS = 1000 };

static const struct {
	const char *key;
	int (*read)(const char *, struct sim_options *, struct err *);
} keys[] = {
	{"estimates", read_estimates},
	{"predict", read_predict},
	{"test-cost", read_test_cost},
};

static struct replay *push(struct session *s)
{
	return ARENA_PUSH(&s->arena, s->replays, s->n, s->cap);
}

static int add_policy(struct session *s, const char *text)
{
	for (size_t i = 0; i < POLICIES; i++)
		if (!strcmp(text, policies[i]->name)) {
			*push(s) = (struct replay){
				.label = policies[i]->name,
				.policy = policies[i],
				.sim = s->options.sim,
			};
			return 0;
		}
	return err_set(&s->err, ERR_USAGE,
		"--policy: '%s' is none of fcfs, easy, conservative", text);
}

/* ---- sweeps --------------------------------------------------------------*/

static int set_key(struct session *s, struct replay *replay, const char *key,
	const char *value)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i].key)) {
			replay->label = arena_printf(&s->arena, "%s %s=%s",
				replay->label, key, value);
			return keys[i].read(value, &replay->sim, &s->err);
		}
	return err_set(&s->err, ERR_USAGE,
		"'%s' is none of estimates, predict, test-cost", key);
}

/* Every replay so far becomes as many as there are values. */
static int sweep(struct session *s, const char *text)
{
	size_t len = strcspn(text, "="), n = s->n;
	const char *key = arena_strndup(&s->arena, text, len);
	struct replay *before = s->replays;
	struct strv values = {0};

	if (text[len] && text[len + 1])
		strv_split(&values, &s->arena, text + len + 1);
	if (!values.n)
		return err_set(&s->err, ERR_USAGE,
			"--sweep: '%s' is not KEY=VALUE,VALUE...", text);
	s->replays = NULL;
	s->n = s->cap = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t v = 0; v < values.n; v++) {
			struct replay *replay = push(s);

			*replay = before[i];
			if (set_key(s, replay, key, values.v[v]))
				return err_prefix(&s->err, "--sweep");
		}
	if (s->n > MOST_REPLAYS)
		return err_set(&s->err, ERR_USAGE,
			"--sweep: that makes %zu replays, more than %d", s->n,
			MOST_REPLAYS);
	return 0;
}

int make_replays(struct session *s)
{
	const struct strv *named = &s->options.policies;

	for (size_t i = 0; i < named->n; i++)
		if (add_policy(s, named->v[i]))
			return -1;
	for (size_t i = 0; !named->n && i < POLICIES; i++)
		if (add_policy(s, policies[i]->name))
			return -1;
	for (size_t i = 0; i < s->options.sweeps.n; i++)
		if (sweep(s, s->options.sweeps.v[i]))
			return -1;
	return 0;
}
