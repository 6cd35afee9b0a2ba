#include "cmd/sacctmgr/dry_run.h"

#include <stdlib.h>

#include "common/base/privilege.h"
#include "db/whatif/dry_run.h"

/* ---- the store -----------------------------------------------------------*/

/* The site as it is, while the session has one with a store laid over. */
static struct site below;

int dry_run_open(struct session *s)
{
	if (privilege_guards())
		return err_set(&s->err, ERR_DENIED,
			"--dry-run is not for programs with rights of their "
			"own");
	below = s->site;
	below.store.err = &s->err;
	return site_lay_over(&s->site, &below);
}

void dry_run_close(struct session *s)
{
	store_close(&s->site.store);
	s->site.store = below.store;
}

int dry_run_refuse(struct session *s, const char *verb)
{
	return complain(s, " --dry-run cannot try \"%s\"", verb);
}

void dry_run_file(struct session *s, const char *path)
{
	fprintf(output(s), " Dry run: %s is not written\n", path);
}

/* ---- telling -------------------------------------------------------------*/

/* `report` NULL: it was lost. */
static int tell(struct session *s, struct site *after, const char *report,
	const void *changes, int size, enum dry_run_rows rows)
{
	struct dry_run d;
	struct document doc;

	if (!report) {
		err_set(&s->err, ERR_SYSTEM,
			"the report cannot be read back from " P_tmpdir);
		return complain_err(s);
	}
	if (dry_run_compare(&d, &below, after, changes, size, rows,
		    &s->arena))
		return complain_err(s);
	if (!document_wanted(s)) {
		dry_run_write(&d, report, output(s));
		return 0;
	}
	document_open(&doc, s, "dry_run");
	document_write(&doc, dry_run_record(&d, report));
	document_close(&doc);
	return 0;
}

/* ---- commands without a plan --------------------------------------------- */

int dry_run_around(
	struct session *s, int (*work)(struct session *, void *), void *arg)
{
	struct held_output held;
	void *changes = NULL;
	char *report;
	int size = 0, rc;

	if (store_watch(s->store))
		return complain_err(s);
	report_hold(s, &held);
	rc = work(s, arg);
	report = report_text(s, &held);
	if (!rc && store_watched(s->store, &changes, &size)) {
		complain_err(s);
		rc = -1;
	}
	if (!rc)
		rc = tell(s, &s->site, report, changes, size, DRY_RUN_COUNTED);
	store_changeset_free(changes);
	free(report);
	return rc;
}

/* ---- another store ------------------------------------------------------*/

int dry_run_beside(struct session *s, struct store *other, const char *report)
{
	struct site after = s->site;
	void *changes = NULL;
	int size = 0, rc;

	after.store = *other;
	rc = store_differences(&below.store, &after.store, &changes, &size);
	if (rc)
		complain_err(s);
	else
		rc = tell(s, &after, report, changes, size, DRY_RUN_COUNTED);
	store_changeset_free(changes);
	*other = after.store;
	return rc;
}

/* ---- plans ---------------------------------------------------------------*/

static int run(struct session *s, const struct change *change)
{
	struct outcome o;
	struct kept_report report;
	int rc = -1;

	if (change_try_told(s, change, true, &o, &report)) {
		report_free(&report);
		return complain_err(s);
	}
	if (o.result == PLAN_CHANGED)
		rc = tell(s, &s->site, report_whole(&report), o.changes, o.size,
			document_wanted(s) ? DRY_RUN_ALL : DRY_RUN_SOME);
	else if (o.result == PLAN_NOTHING)
		rc = 0;
	store_rollback(s->store);
	if (store_load_catalogs(s->store)) {
		complain_err(s);
		rc = -1;
	}
	if (o.result != PLAN_CHANGED && o.result != PLAN_REFUSED)
		report_print(&report, output(s));
	if (rc)
		s->status = 1;
	outcome_free(&o);
	report_free(&report);
	return rc;
}

static void say(struct session *s, const char *line, enum say how)
{
	ask_hooks.say(s, line, how);
}

static void tell_effect(struct session *s, const struct effect *e)
{
	ask_hooks.tell(s, e);
}

const struct session_hooks dry_run_hooks = {
	.say = say, .tell = tell_effect, .run = run};
