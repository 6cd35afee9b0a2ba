/*
 * splan: the scheduling passes over the queue (Slurm's
 * src/slurmctld/job_scheduler.c, src/plugins/sched/backfill/backfill.c). It
 * says what may start, when and where the rest is expected to, and why it
 * waits; with --start it starts them, with --record it stores the expected
 * starts.
 *
 * The passes work on a snapshot; the write lock is held only to write, and not
 * for long. When another process has written in between, they are made again.
 */
#include "cmd/splan/splan.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/cli/cli.h"
#include "db/entity/privacy.h"
#include "db/entity/user.h"
#include "db/store/meta.h"

enum { TRIES = 5 };

int64_t splan_data_version(struct store *store)
{
	int64_t version = 0;

	return meta_others(store, &version) ? -1 : version;
}

static int run(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	int done = 0, tries = 0;

	for (int i = 1; !done && i <= TRIES; i++) {
		p->version = splan_data_version(&site->store);
		if (p->version < 0 || splan_make(p, site, options, err))
			return -1;
		if ((options->statistics || options->form) &&
			splan_plans(options) &&
			splan_measure_effect(p, site, options, err))
			return -1;
		done = options->start || options->record
			       ? splan_write(p, options, i == TRIES, err)
			       : 1;
		if (done < 0 && store_again(&site->store, &tries))
			done = i = 0;
	}
	return done < 0 ? -1 : 0;
}

/* The options that only tell. */
static int tell(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	return options->when ? splan_when(p, site, options, err)
			     : splan_advise(p, site, options, err);
}

static void print_found(struct planned *p, const struct options *options)
{
	if (options->parameters) {
		print_ignored_words(p);
		print_parameters(p, options);
	} else if (options->over)
		print_over(p, options);
	else if (options->table)
		print_tables(p, options);
	else if (options->svg)
		print_picture(p, options);
	else
		print_plan(p, options);
}

static void print_first_remarks(const struct plan *plan)
{
	for (size_t i = 0; i < plan->remarks.n; i++)
		cli_error("SchedulerParameters: %s", plan->remarks.v[i]);
	for (size_t i = 0; i < plan->more_remarks.n; i++)
		cli_error("%s", plan->more_remarks.v[i]);
}

/* `text`: what is printed already, or NULL. */
static void print(struct planned *p, const char *text,
	const struct options *options)
{
	print_first_remarks(&p->plan);
	if (text)
		fputs(text, stdout);
	else
		print_found(p, options);
	if (!options->parameters && !options->over)
		print_remarks(p);
}

/* As print_found(), into memory. */
static char *print_to_memory(struct planned *p, const struct options *options)
{
	struct cli_held held;

	cli_hold(&held);
	print_found(p, options);
	return cli_held(&held);
}

/* Others wait while we write: no more is printed now than standard output takes
 * at once, and the rest after the commit. -1: it did not get out. */
static int tell_ready(
	struct planned *p, const struct options *options, struct err *err)
{
	size_t done;

	p->told = print_to_memory(p, options);
	if (cli_write_ready(p->told, &done))
		return err_set(err, ERR_SYSTEM,
			"standard output cannot be written: no start is "
			"recorded");
	p->rest = p->told + done;
	return 0;
}

/* Users may not start jobs. */
static int may_write(
	struct site *site, const struct options *options, struct err *err)
{
	if ((!options->start && !options->record) ||
		rights_level(site, &site->arena) >= ADMIN_OPERATOR)
		return 0;
	return err_set(err, ERR_DENIED,
		"%s is for root, SlurmUser, operators and administrators",
		options->start ? "--start" : "--record");
}

int main(int argc, char **argv)
{
	struct planned p = {.tell = tell_ready};
	struct options options;
	struct site site;
	struct err err = {0};
	bool writes;

	cli_init(argv[0]);
	splan_options(&options, argc, argv);
	arena_init(&p.arena);
	writes = options.start || options.record;
	if (site_open(&site, writes ? STORE_WRITE : STORE_READ, writes, &err))
		cli_die(&err);
	cli_print_hints(&site.conf.hints);
	cli_asked(site.cluster, site.caller.name);
	if (may_write(&site, &options, &err) ||
		privacy_open(&p.privacy, &site, PRIVATE_JOBS, &site.arena))
		cli_die(&err);
	if (options.when || options.advise) {
		if (tell(&p, &site, &options, &err))
			cli_die(&err);
	} else {
		if (run(&p, &site, &options, &err))
			cli_die(&err);
		print(&p, p.rest, &options);
		if (p.rest)
			cli_flush_done();
	}
	free(p.told);
	arena_release(&p.arena);
	site_close(&site);
	return 0;
}
