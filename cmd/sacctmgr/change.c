/*
 * Changes: carried out in one transaction, shown, asked about outside of it,
 * carried out again and compared. And the complaints of every part.
 */
#include "cmd/sacctmgr/effects.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/sacctmgr/input.h"
#include "common/base/memory.h"
#include "common/cli/cli.h"
#include "common/cli/screen.h"

/* On standard error, where no script reads it as Slurm's question. */
void say_count(struct session *s, enum value_source kind)
{
	static const char *const names[STORED_NAMES] = {
		[FROM_ACCOUNTS] = "accounts",
		[FROM_USERS] = "users",
		[FROM_CLUSTERS] = "clusters",
		[FROM_QOS] = "QOS",
		[FROM_FEDERATIONS] = "federations",
		[FROM_RESOURCES] = "resources",
	};
	int64_t records, assocs;

	if (s->immediate || !names[kind] ||
		store_count(s->store, kind, &records, &assocs))
		return;
	cli_flush();
	fprintf(stderr, "%s: that is every one of %" PRId64 " %s", cli_name(),
		records, names[kind]);
	if (assocs)
		fprintf(stderr, " with %" PRId64 " associations", assocs);
	fputc('\n', stderr);
}

void report_hold(struct session *s, struct held_output *held)
{
	*held = (struct held_output){.out = output(s)};
	program(s)->out = memory_stream(&held->text, &held->size);
}

char *report_text(struct session *s, struct held_output *held)
{
	fclose(output(s));
	program(s)->out = held->out;
	return held->text;
}

static void say_last(struct session *s, bool changed)
{
	if (program(s)->last_lines && !s->status)
		fputs(program(s)->last_lines[changed], output(s));
}

int change_try_told(struct session *s, const struct change *change,
	bool keep_changes, struct outcome *o, struct kept_report *report)
{
	FILE *out = output(s);
	int rc;

	program(s)->out = report_open(report);
	rc = change_try(s, change, keep_changes, o);
	effects_print(s, &o->effects);
	if (options(s)->dry_run && o->result >= PLAN_NOTHING)
		say_last(s, o->result == PLAN_CHANGED);
	fclose(output(s));
	program(s)->out = out;
	if (rc || !report->lost)
		return rc;
	store_rollback(s->store);
	outcome_free(o);
	return err_set(&s->err, ERR_SYSTEM,
		"the report cannot be kept below " P_tmpdir ": %s",
		strerror(report->lost));
}

/* What others have changed since. */
static void say_changes(struct session *s, int64_t since)
{
	struct strv lines = {0};

	if (changes_since(s->store, since, &s->arena, &lines))
		complain_err(s);
	for (size_t i = 0; i < lines.n; i++)
		complain(s, " %s", lines.v[i]);
}

/* After a yes: the same plan on the store as it is now. `last`: the change that
 * was the last before the question. */
static int run_again(struct session *s, const struct change *change,
	const struct outcome *first, int64_t last)
{
	struct outcome again;
	struct kept_report report;
	bool same;
	int rc = change_try_told(s, change, true, &again, &report);

	report_free(&report);
	if (rc)
		return complain_err(s);
	same = again.result == PLAN_CHANGED && again.size == first->size &&
		!memcmp(again.changes, first->changes, (size_t)first->size);
	outcome_free(&again);
	if (same)
		return 0;
	store_rollback(s->store);
	err_set(&s->err, ERR_STORE,
		"somebody else changed the store in the meantime, nothing was "
		"done: look and try again");
	complain_err(s);
	say_changes(s, last);
	return -1;
}

/* Prints the report. While the transaction is open, only as much as standard
 * output takes at once: a waiting pager must not block other writers. */
static int show(struct session *s, struct kept_report *report,
	enum plan_result result, bool is_open)
{
	if (result == PLAN_REFUSED)
		return cli_flush();
	if (is_open)
		return report_print_ready(report);
	return report_print(report, input_asking(s)) | cli_flush();
}

static int not_committed(struct session *s)
{
	return err_prefix(&s->err, " Error committing changes");
}

/* Shown and confirmed: commit, or discard. The transaction is open only when
 * there is no question to ask. */
static int confirm(struct session *s, const struct change *change,
	const struct outcome *o, int64_t last, bool *made)
{
	int tries = 0;

	if (!s->immediate && !input_ask(s, "Would you like to commit changes?")) {
		input_discarded(s);
		return 0;
	}
	do {
		if (!s->immediate && run_again(s, change, o, last))
			return -1;
		*made = !store_commit(s->store, s->command);
		if (*made) {
			prune_log(s);
			return 0;
		}
	} while (!s->immediate && store_again(s->store, &tries));
	not_committed(s);
	return complain_err(s);
}

/* With several hosts (db/shared), where another host may commit first, a change
 * without a question is committed before it is shown, and tried again if need
 * be. */
static int try_shared(struct session *s, const struct change *change,
	struct outcome *o, struct kept_report *report, bool *made)
{
	int tries = 0;

	*made = false;
	while (!change_try_told(s, change, !s->immediate, o, report)) {
		if (!s->store->shared_log || !s->immediate ||
			o->result != PLAN_CHANGED)
			return 0;
		*made = !store_commit(s->store, s->command);
		if (*made)
			return 0;
		outcome_free(o);
		if (!store_again(s->store, &tries))
			return not_committed(s);
		report_free(report);
	}
	return -1;
}

static int run(struct session *s, const struct change *change)
{
	struct kept_report report;
	struct outcome o;
	int64_t last;
	bool is_open, made;
	int rc = 0;

	if (program(s)->waits)
		return 0;
	cli_flush(); /* not while others wait */
	if (try_shared(s, change, &o, &report, &made)) {
		report_free(&report);
		return queue_change(s) ? complain_err(s) : 0;
	}
	program(s)->changed |= made;
	is_open = o.result == PLAN_CHANGED && s->immediate && !made;
	last = s->immediate ? 0 : change_last(s->store);
	if (!is_open && !made)
		store_rollback(s->store);
	/* A change is not made behind the back of who cannot read of it, and one that
	 * nobody can agree to is not shown. */
	if ((o.result == PLAN_CHANGED && !input_can_ask(s)) ||
		show(s, &report, o.result, is_open)) {
		o.result = PLAN_FAILED;
		if (is_open)
			store_rollback(s->store);
	}
	if (made) {
		prune_log(s);
	} else if (o.result == PLAN_CHANGED) {
		rc = confirm(s, change, &o, last, &made);
	} else if (o.result != PLAN_NOTHING) {
		s->status = 1;
		rc = -1;
	}
	if (!rc) {
		if (o.result != PLAN_REFUSED)
			report_print(&report, output(s));
		say_last(s, made);
	}
	if (!rc && o.result == PLAN_CHANGED)
		cli_flush_done();
	/* What is committed is done: its names are known from the plan, and the next
	 * command of a session reads them anew. */
	if (store_load_catalogs(s->store) && (rc || o.result != PLAN_CHANGED))
		complain_err(s);
	outcome_free(&o);
	report_free(&report);
	return rc;
}

static void say(struct session *s, const char *line, enum say how)
{
	if (how == SAY_OUTPUT) {
		fprintf(output(s), "%s\n", line);
		return;
	}
	fflush(stdout);
	if (how == SAY_NAMED) {
		cli_error("%s", line);
		return;
	}
	screen_say(line);
	fputc('\n', stderr);
}

static void tell(struct session *s, const struct effect *e)
{
	struct effect one = *e;

	effects_print(s, &(const struct effects){.v = &one, .n = 1});
}

const struct session_hooks ask_hooks = {say, tell, input_ask, run, NULL};
