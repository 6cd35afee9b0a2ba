#include "db/past/past_usage.h"

#include "common/table/job.h"
#include "db/rows/members.h"
#include "db/usage/fold.h"

void past_usage_open(struct past *p)
{
	p->bulk = usage_bulk_open(p->store, p->policy);
	usage_bulk_raw(p->bulk, !p->details);
}

void past_usage_close(struct past *p)
{
	if (p->bulk)
		usage_bulk_close(p->bulk);
	p->bulk = NULL;
}

int past_fold(struct past *p, int64_t from, int64_t until)
{
	usage_bulk_begin(p->bulk);
	return usage_fold(p->store, p->policy, true, from, until);
}

int past_charge(struct past *p, int64_t at)
{
	struct query q;

	if (at <= p->charged)
		return 0;
	if (query_open_members(&q, p->store, &job_members,
		    "SELECT " USAGE_RUN_COLUMNS " FROM past_job"
		    " WHERE end > :from AND end <= :at AND start > 0"
		    " ORDER BY end"))
		return -1;
	query_bind_int(&q, ":from", p->charged);
	query_bind_int(&q, ":at", at);
	p->charged = at;
	return usage_bulk_add_rows(p->bulk, &q, 1) || usage_bulk_write(p->bulk)
		       ? -1
		       : 0;
}

/* ---- a change ------------------------------------------------------------*/

int past_note_fact(
	void *m, const char *table, int op, sqlite3_changeset_iter *iter)
{
	enum { ID, OWNER, TIME };

	if (strcmp(table, "usage_fact") != 0 || op == SQLITE_UPDATE)
		return 0;
	return usage_moving_fact(m, op_key(iter, op, OWNER),
		op_key(iter, op, ID), op_key(iter, op, TIME));
}

static int carry_out(struct past *p, const struct logged_change *change,
	int (*apply)(struct store *, const struct logged_change *))
{
	struct usage_moving m;
	int rc;

	usage_moving_open(&m, p->store, p->policy, true, p->charged);
	rc = change_each_of(
		     p->store, change, "usage_fact", past_note_fact, &m) ||
	     usage_moving_out(&m) || apply(p->store, change) ||
	     usage_moving_in(&m);
	usage_moving_close(&m);
	usage_bulk_begin(p->bulk);
	return rc ? -1 : 0;
}

int past_undo(struct past *p, const struct logged_change *change)
{
	return carry_out(p, change, change_unapply);
}

int past_follow(struct past *p, const struct logged_change *change)
{
	p->store->now = change->time;
	return past_charge(p, change->time) ||
			       carry_out(p, change, change_apply)
		       ? -1
		       : 0;
}
