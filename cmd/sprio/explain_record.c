/*
 * sprio --explain for machines, in the members that the other records of sprio
 * have.
 */
#include "cmd/sprio/explain.h"

#include <stdlib.h>

#include "common/cli/cli.h"

static struct json_object *ahead_record(const struct ahead *ahead)
{
	struct json_object *record = json_record();

	if (ahead->user) {
		json_put_int(record, "job_id", ahead->id);
		json_put_text(record, "user", ahead->user);
		json_put_text(record, "account", ahead->account);
	}
	json_put_int(record, "priority", ahead->priority);
	json_put_int(record, "more", ahead->more);
	json_put_text(record, "mostly_by", ahead->mostly_by);
	return record;
}

/* The formula and, if the job is queued there, its position. */
static struct json_object *line_record(
	const struct explained *e, const struct queued_line *line)
{
	const struct row row = {.policy = &e->site->conf.policy,
		.tres = &e->site->store.tres,
		.prio = line->prio,
		.cluster = e->cluster,
		.cluster_key = e->prio->cluster};
	struct json_object *record = row_record(&row, e->arena);

	if (!line->of)
		return record;
	json_put_int(record, "place", (int64_t)line->place);
	json_put_int(record, "in_line", (int64_t)line->of);
	json_append(record, "just_ahead", NULL);
	for (size_t i = 0; i < line->n; i++)
		json_append(
			record, "just_ahead", ahead_record(&line->ahead[i]));
	return record;
}

static struct json_object *wait_record(const struct wait_told *wait)
{
	const struct {
		const char *path, *text;
	} members[] = {
		{"reason", wait->reason},
		{"text", wait->text},
		{"limit/name", wait->limit},
		{"limit/value", wait->value},
		{"limit/of", wait->owner},
		{"limit/inherited_by", wait->heir},
		{"limit/in_use", wait->in_use},
		{"limit/in_use_soon", wait->soon ? wait->soon : wait->in_use},
		{"limit/asked", wait->asked},
	};
	struct json_object *record = json_record();

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (members[i].text)
			json_put_text(record, members[i].path, members[i].text);
	return record;
}

static struct json_object *remedy_record(const struct remedied *r)
{
	struct json_object *record = json_record();

	json_put_text(record, "change", r->words);
	json_put_text(record, "instead_of", r->instead);
	json_put_int(record, "start_time", r->then->start);
	return record;
}

struct json_object *explain_record(const struct explained *e)
{
	const struct job *job = e->job;
	const struct verdict *v = &e->verdict;
	const struct waits *waits = &e->waits;
	const struct value start = of_some_time(v->start);
	const struct value now = of_bool(v->when == VERDICT_NOW);
	struct json_object *record = json_record();
	struct cli_held held;

	json_put_int(record, "job_id", job->id);
	json_put_text(record, "cluster", e->cluster);
	json_put_text(record, "user", job->user);
	json_put_text(record, "account", job->account);
	json_put_int(record, "submit_time", job->submit);
	json_append(record, "lines", NULL);
	for (size_t i = 0; i < e->n; i++)
		json_append(record, "lines", line_record(e, &e->lines[i]));
	json_put_text(record, "reason", plan_reason_word(e->plan, job));
	json_put(record, "starts_now", &now, NULL);
	json_put_int(record, "since", v->since);
	json_put(record, "start_time", &start, NULL);
	json_put_text(record, "starts",
		verdict_start_text(v, NULL, e->site->now, e->arena));
	json_append(record, "waits_for", NULL);
	for (size_t i = 0; i < waits->n && v->when != VERDICT_NOW; i++)
		json_append(record, "waits_for", wait_record(&waits->v[i]));
	if (e->remedies.arena)
		json_append(record, "changes", NULL);
	for (size_t i = 0; i < e->remedies.n; i++)
		json_append(
			record, "changes", remedy_record(&e->remedies.v[i]));
	cli_hold(&held);
	explain_text(e);
	json_put_text(record, "text", cli_held(&held));
	free(held.text);
	return record;
}
