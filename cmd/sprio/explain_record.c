/*
 * sprio --explain for machines: what explain.c works out, in the members that
 * the other records of sprio have.
 */
#include "cmd/sprio/explain.h"

#include <stdio.h>

#include "common/cli/cli.h"

static struct json_object *other_record(const struct telling *t,
	const struct jobprio_row *other, const struct jobprio_row *row)
{
	struct json_object *record = json_record();

	if (sprio_may_see(t->privacy, other->job)) {
		json_put_int(record, "job_id", other->job->id);
		json_put_text(record, "user", other->job->user);
		json_put_text(record, "account", other->job->account);
	}
	json_put_int(record, "priority", other->result.priority);
	json_put_int(record, "more",
		(int64_t)other->result.priority - row->result.priority);
	json_put_text(record, "mostly_by", explain_main_reason(other, row));
	return record;
}

static void put_place(struct json_object *record, const struct telling *t,
	const struct jobprio_row *row)
{
	struct place place = explain_place(t, row);

	json_put_int(record, "place", (int64_t)place.n + 1);
	json_put_int(record, "in_line", (int64_t)place.of);
	json_append(record, "just_ahead", NULL);
	for (size_t i = explain_first_shown(&place); i < place.n; i++)
		json_append(record, "just_ahead",
			other_record(t, place.ahead[i], row));
}

/* One partition and QOS: the formula and, if the job is queued there, its
 * position. */
static struct json_object *line_record(
	const struct telling *t, struct jobprio_row *prio)
{
	const struct row row = {.policy = &t->site->conf.policy,
		.tres = &t->site->store.tres,
		.prio = prio,
		.cluster = t->cluster,
		.cluster_key = t->prio->cluster};
	struct json_object *record = row_record(&row, t->arena);

	if (jobprio_listed(t->prio, t->job))
		put_place(record, t, prio);
	return record;
}

static void put_limit(struct json_object *record, const struct wait *wait)
{
	const struct {
		const char *path, *text;
	} members[] = {
		{"limit/name", wait->limit},
		{"limit/value", wait->value},
		{"limit/of", wait->owner},
		{"limit/inherited_by", wait->heir},
		{"limit/in_use", wait->in_use},
		{"limit/in_use_soon", wait->soon ? wait->soon : wait->in_use},
		{"limit/asked", wait->asked},
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (members[i].text)
			json_put_text(record, members[i].path, members[i].text);
}

static void put_waits(struct json_object *record, const struct telling *t)
{
	struct waits waits = explain_waits(t);
	struct value now = {VALUE_BOOL, {.number = waits.starts_now}};

	json_put(record, "starts_now", &now, &t->site->store.tres);
	json_append(record, "waits_for", NULL);
	for (size_t i = 0; i < waits.n && !waits.starts_now; i++) {
		struct json_object *wait = json_record();

		json_put_text(wait, "reason", waits.v[i].reason);
		json_put_text(wait, "text", waits.v[i].text);
		put_limit(wait, &waits.v[i]);
		json_append(record, "waits_for", wait);
	}
}

struct json_object *explain_record(const struct telling *t)
{
	const struct job *job = t->job;
	struct json_object *record = json_record();

	json_put_int(record, "job_id", job->id);
	json_put_text(record, "cluster", t->cluster);
	json_put_text(record, "user", job->user);
	json_put_text(record, "account", job->account);
	json_put_int(record, "submit_time", job->submit);
	json_append(record, "lines", NULL);
	for (size_t i = 0; i < t->mine.n; i++)
		json_append(record, "lines", line_record(t, &t->mine.v[i]));
	put_waits(record, t);
	return record;
}
