/*
 * srecord: writes down what happened: jobs, their steps, nodes that are down,
 * how large the cluster is. One call, one transaction; a fact that is refused
 * changes nothing.
 */
#include "cmd/srecord/feeders.h"
#include "cmd/srecord/import.h"
#include "cmd/srecord/rollups.h"
#include "cmd/srecord/stream.h"
#include "cmd/srecord/sync/sync.h"
#include "cmd/srecord/turn.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/base/privilege.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "common/table/json.h"
#include "common/table/table.h"
#include "db/entity/names.h"
#include "db/whatif/dry_run.h"
#include "db/job/complete.h"

static const struct {
	const char *name;
	int (*run)(struct recording *, char **words, int n);
	const struct word_row *words;
	const char *help;
} facts[] = {
#define FACT(name, help) {#name, record_##name, name##_words, help},
	RECORD_FACTS(FACT)
#undef FACT
	{"import", NULL, NULL, "history from another system"},
	{"sync", NULL, sync_words, "everything a running Slurm knows"},
	{"feeders", NULL, NULL,
		"the lines of slurm.conf by which its jobs come in"},
	{"spool", NULL, NULL, "what waits for the log, and what was refused"},
};

enum { FACTS = sizeof(facts) / sizeof(facts[0]) };

static const struct option_group option_groups[] = {
	{"Valid <OPTION> values are:", "help dry-run usage verbose offline version "
				      "helpformat -n,-p,-P,csv,json,yaml,ndjson"},
	{NULL, NULL},
};
static const struct option_help usage_page = {
	"srecord [<OPTION>] FACT KEY=VALUE...\n", option_groups, 22, NULL};

static const struct option_group import_groups[] = {
	{"srecord import [OPTION...] [format=sacct|squeue|swf|sacctmgr] FILE|-",
		"create duplicates rejects"},
	{"srecord -    facts from standard input, a line each, answered by a line",
		""},
	{"srecord sync [OPTION...] [KEY=VALUE...]", "end follow verify"},
	{NULL, NULL},
};
static const struct option_help import_page = {"", import_groups, 22, NULL};

static void print_usage(void *options)
{
	(void)options;
	option_print_help(&usage_page);
	puts("FACT is one of");
	for (size_t i = 0; i < FACTS; i++)
		printf("  %-15s %s\n", facts[i].name, facts[i].help);
}

/* "  nodelist   ...": a line for each word. */
static void print_words(const struct word_row *table)
{
	char name[32];

	for (const struct word_row *row = table; row->names; row++)
		printf("  %-16s %s\n",
			words_first(row->names, name, sizeof(name)), row->help);
}

static void print_help(void *options)
{
	print_usage(options);
	for (size_t i = 0; i < FACTS; i++) {
		if (!facts[i].words)
			continue;
		printf("\nKeys of srecord %s\n", facts[i].name);
		print_words(facts[i].words);
	}
	puts("");
	option_print_help(&import_page);
}

/* The keys of every fact, where other programs list their columns. */
static void print_keys(void *options)
{
	(void)options;
	for (size_t i = 0; i < FACTS; i++)
		if (facts[i].words) {
			printf("%s:\n", facts[i].name);
			print_words(facts[i].words);
		}
}

/* What was asked for beside the fact. */
struct options {
	struct arena *arena;
	struct import_options import;
	struct sync_options sync;
	enum table_mode mode; /* of the number of a new job */
	enum json_form form;
	bool heading;
	bool dry_run;
	int verbose;
};

static void take_follow(void *o, const struct option_row *row, const char *arg)
{
	struct sync_options *sync = &((struct options *)o)->sync;
	char *end;

	(void)row;
	sync->follow = strtol(arg, &end, 10);
	if (*end || sync->follow < 1 || sync->follow > 86400)
		cli_fatal("--follow: '%s' is not a number of seconds from 1 to "
			  "86400",
			arg);
}

static void complete_fact(struct completion *c, char **words, int n)
{
	for (size_t i = 0; i < FACTS; i++)
		if (n == 1)
			offer_word(c, facts[i].name, "", facts[i].help);
		else if (facts[i].words && !strcmp(facts[i].name, words[0]))
			offer_facts(c, facts[i].words);
}

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored, .complete = complete_fact},
	{"create", 0, no_argument, option_bool, .offset = AT(import.create), .value = true,
		.help = "add users, accounts, associations that are missing"},
	{"dry-run", 0, no_argument, option_bool, .offset = AT(dry_run), .value = true,
		.help = "what would be recorded and come of it; nothing is"},
	{"duplicates", 0, no_argument, option_bool, .offset = AT(import.duplicates), .value = true,
		.help = "records of one number and submit time that started\nat different times are a requeue each"},
	{"end", 0, no_argument, option_bool, .offset = AT(sync.end), .value = true,
		.help = "the store no longer follows that Slurm"},
	{"follow", 0, required_argument, take_follow, .value = 0,
		.arg = "N", .help = "again and again, N seconds between two rounds"},
	{"rejects", 0, required_argument, option_text, .offset = AT(import.rejects),
		.arg = "FILE", .help = "keep the lines that are refused"},
	{"noheader", 'n', no_argument, option_bool, .offset = AT(heading)},
	{"parsable", 'p', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE},
	{"parsable2", 'P', no_argument, option_int, .offset = AT(mode), .value = TABLE_PARSABLE2},
	{"csv", 0, no_argument, option_int, .offset = AT(mode), .value = TABLE_CSV,
		.help = "how the number of a new job is printed"},
	{"json", 0, optional_argument, option_json, .offset = AT(form)},
	{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)},
	{"ndjson", 0, no_argument, option_int, .offset = AT(form), .value = JSON_LINES},
	{"help", 'h', no_argument, option_print, .print = print_help,
		.help = "every fact and its keys"},
	{"helpformat", 0, no_argument, option_print, .print = print_keys,
		.help = "the keys alone"},
	{"usage", 0, no_argument, option_print, .print = print_usage,
		.help = "this text"},
	{"verbose", 'v', no_argument, option_count, .offset = AT(verbose),
		.help = "of sync: what differed; with -V: the API version\ntoo"},
	{"verify", 0, no_argument, option_bool, .offset = AT(sync.verify), .value = true,
		.help = "compare what Slurm says with what is here"},
	OPTION_OFFLINE,
	{"version", 'V', no_argument, option_version, .offset = AT(verbose), .value = true,
		.help = "version of this program"},
	{.take = NULL},
};
/* clang-format on */

/* ---- what came of it -----------------------------------------------------*/

/* For the number of a new job. */
static const struct options *asked;
static FILE *printed; /* standard output, or a report that is kept */

/* Names in the words that the store does not have: what was meant. */
static _Noreturn void fail(
	struct recording *s, const struct word_row *table, char **words)
{
	cli_print_err(&s->err);
	cli_did_you_mean(&s->nearest);
	for (; table && *words; words++) {
		struct word word = word_split(*words);
		enum value_source source = word_source(table, &word);

		if (word.op == OP_SET && source && source < STORED_NAMES)
			site_missing_one(
				s->site, source, word.value, cli_no_such);
	}
	exit(1);
}

/* The number of a new job: a line, or a document as other programs have it. */
static int write_number(struct recording *s)
{
	const struct options *options = asked;
	struct json_object *record;
	struct json_doc doc;

	if (!options->form || options->dry_run) {
		if (options->mode == TABLE_CSV && options->heading)
			fputs("job_id\n", printed);
		fprintf(printed, "%" PRIu32 "%s\n", s->new_id,
			options->mode == TABLE_PARSABLE ? "|" : "");
		return 0;
	}
	record = json_record();
	json_put_int(record, "job_id", s->new_id);
	json_begin(&doc, stdout, options->form, "jobs");
	json_write(&doc, record);
	cli_end_document(&doc, NULL);
	return 0;
}

static size_t find_fact(const char *name)
{
	struct nearest nearest;

	for (size_t i = 0; name && i < FACTS; i++)
		if (!strcmp(facts[i].name, name))
			return i;
	if (name)
		cli_error("unknown fact '%s'; expected one of job, step, node, "
			  "cluster, reservation, import, sync, feeders, "
			  "spool",
			name);
	else
		cli_error("what is to be recorded: job, step, node, cluster or "
			"reservation? Or import, sync, feeders or spool?");
	nearest_init(&nearest, name ? name : "", name ? strlen(name) : 0);
	for (size_t i = 0; i < FACTS; i++)
		nearest_try(&nearest, facts[i].name, strlen(facts[i].name));
	cli_did_you_mean(&nearest);
	fprintf(stderr, "Try \"srecord --help\" for more information\n");
	exit(1);
}

static bool is_recorded; /* whatever is wrong now */

/* The id of a new job is printed before the commit: the submitter must learn
 * it. */
static int print_number(struct recording *s)
{
	if (s->new_id && write_number(s))
		return -1;
	if (!cli_flush())
		return 0;
	if (is_recorded)
		return err_set(&s->err, ERR_SYSTEM,
			"job %" PRIu32 " is recorded, but its number cannot be "
			"written",
			s->new_id);
	return err_set(&s->err, ERR_SYSTEM,
		"nothing is recorded: the job's number cannot be written");
}

/* In one transaction, so that a refused fact leaves nothing behind. */
static int record_once(struct recording *s, size_t fact, char **words, int n)
{
	bool later = s->store->shared_log; /* another host may be faster */

	s->new_id = 0;
	owners_end(s->owners);
	if (store_begin_bulk(s->store))
		return -1;
	if (facts[fact].run(s, words, n) || write_log(s, words, n) ||
		(!later && print_number(s))) {
		store_rollback(s->store);
		return -1;
	}
	if (store_commit_bulk(s->store))
		return -1;
	is_recorded = true;
	return later ? print_number(s) : 0;
}

static int record(struct recording *s, size_t fact, char **words, int n)
{
	int tries = 0, rc;

	do
		rc = record_once(s, fact, words, n);
	while (rc && store_again(s->store, &tries));
	return rc;
}

static void check_options(size_t fact, const struct options *options)
{
	const struct import_options *import = &options->import;
	const char *name = fact < FACTS ? facts[fact].name : "-";
	const struct sync_options *sync = &options->sync;

	if ((import->create || import->duplicates || import->rejects) &&
		strcmp(name, "import") != 0)
		cli_fatal("--create, --duplicates and --rejects are for import");
	if ((sync->end || sync->follow || sync->verify) &&
		strcmp(name, "sync") != 0)
		cli_fatal("--end, --follow and --verify are for sync");
}

/* ---- a dry run -----------------------------------------------------------*/

static int act(struct recording *s, size_t fact, const struct options *options,
	char **words, int n);

enum { WOULD_WAIT = 2 }; /* exit status */

/* What came of it: `before` as it is, the recording's site as it would be. 0,
 * WOULD_WAIT, or -1. */
static int tell(struct recording *s, struct site *before, size_t fact,
	const struct options *options, const char *report)
{
	bool many = fact == FACTS || !facts[fact].run;
	struct dry_run d;
	struct json_doc doc;
	void *changes = NULL;
	int size = 0, rc;

	before->now = s->site->now;
	rc = store_watched(s->store, &changes, &size) ||
	     dry_run_compare(&d, before, s->site, changes, size,
		     many	     ? DRY_RUN_COUNTED
		     : options->form ? DRY_RUN_ALL
				     : DRY_RUN_SOME,
		     &s->arena);
	store_changeset_free(changes);
	if (rc)
		return -1;
	rc = !many && dry_run_waits(&d) ? WOULD_WAIT : 0;
	if (!options->form) {
		dry_run_write(&d, report, stdout);
		return rc;
	}
	json_begin(&doc, stdout, options->form, "dry_run");
	json_write(&doc, dry_run_record(&d, report));
	cli_end_document(&doc, NULL);
	return rc;
}

/* Everything goes to a store that lies over the other, and is forgotten; what
 * would be printed is kept. */
static int try_it(struct recording *s, size_t fact,
	const struct options *options, char **words, int n)
{
	struct site below = *s->site;
	char *report = NULL;
	size_t length;
	int rc, told = 0;

	below.store.err = s->site->store.err = &s->err;
	if (site_lay_over(s->site, &below))
		return -1;
	if (store_watch(s->store))
		return -1;
	printed = memory_stream(&report, &length);
	rc = act(s, fact, options, words, n);
	fclose(printed);
	printed = stdout;
	if (rc == IMPORT_TOLD)
		rc = 0;
	else if (rc >= 0)
		told = tell(s, &below, fact, options, report);
	free(report);
	store_close(&s->site->store);
	s->site->store = below.store;
	return told ? told : rc;
}

/* How sacctmgr is asked for the same form. */
static const char *form_option(enum json_form form)
{
	switch (form) {
	case JSON_NONE:
		return NULL;
	case JSON_LINES:
		return "--ndjson";
	case JSON_YAML:
		return "--yaml";
	default:
		return "--json";
	}
}

static int act(struct recording *s, size_t fact, const struct options *options,
	char **words, int n)
{
	if (fact == FACTS)
		return record_stream(s, printed);
	if (facts[fact].run)
		return record(s, fact, words, n);
	if (!strcmp(facts[fact].name, "sync"))
		return record_sync(s, &options->sync, words, n);
	return record_import(s, &options->import, words, n);
}

/* As it was typed, for a log of several hosts. */
static const char *command_of(struct site *site, char **words)
{
	struct strv list = {0};

	strv_push(&list, &site->arena, "srecord");
	for (; *words; words++)
		strv_push(&list, &site->arena, *words);
	return strv_join(&list, " ", &site->arena);
}

/* ---- where several hosts share a log -------------------------------------*/

/* What another program was told of the fact that this one left, or this one. */
static int told(struct recording *s, const struct turn *turn)
{
	const struct spool_answer *answer = &turn->fact.answer;

	is_recorded = !answer->refused;
	s->new_id = answer->id;
	return answer->refused ? err_set(&s->err, ERR_USAGE, "%s", answer->why)
			       : print_number(s);
}

/* All that waits, this fact among it. */
static int record_all(struct recording *s, struct turn *turn)
{
	struct delivered done;
	int rc = deliver(s, &turn->spool, &done);

	return turn_answered(turn) ? told(s, turn) : rc;
}

/* What is refused for a reason that is not the command's is not lost: the status
 * is 0 then. */
static int keep(struct recording *s, struct turn *turn, bool open)
{
	const struct err why = turn->how == TURN_LATER ? turn->why : s->err;

	if (turn->how == TURN_NONE || is_recorded || why.kind == ERR_USAGE ||
		why.kind == ERR_DENIED)
		return -1;
	return turn_keep(turn, s, open, &why);
}

/* Opens the site in its turn. 1: there is nothing to do any more, and *status is
 * the exit status. */
static int open_in_turn(struct recording *s, struct turn *turn, bool stream,
	const struct options *options, int *status)
{
	bool need_write = !options->dry_run && !(stream && s->site->shared_log);

	*status = 0;
	if (turn->how == TURN_ANSWERED) {
		*status = told(s, turn);
	} else if (turn->how == TURN_LATER) {
		*status = keep(s, turn, false);
	} else if (!site_open_found(s->site,
			   options->dry_run ? STORE_READ : STORE_CREATE,
			   need_write, &s->err)) {
		return 0;
	} else if (keep(s, turn, false)) {
		*status = -1;
	}
	if (*status)
		cli_die(&s->err);
	return 1;
}

static int act_in_turn(struct recording *s, struct turn *turn, size_t fact,
	const struct options *options, char **words, int n)
{
	int rc = turn->how == TURN_ALL ? record_all(s, turn)
		 : options->dry_run    ? try_it(s, fact, options, words, n)
				       : act(s, fact, options, words, n);

	if (rc < 0)
		rc = keep(s, turn, true);
	turn_end(turn);
	return rc;
}

int main(int argc, char **argv)
{
	struct options options = {.heading = true};
	struct site site;
	struct recording s = {.site = &site};
	struct turn turn = {.how = TURN_NONE, .fd = -1, .spool.held = -1};
	bool stream, many;
	size_t fact;
	int rc;

	cli_init(argv[0]);
	options_read(option_rows, &options, argc, argv);
	nearest_init(&s.nearest, "", 0);
	stream = optind + 1 == argc && !strcmp(argv[optind], "-");
	fact = stream ? FACTS : find_fact(argv[optind]);
	check_options(fact, &options);
	if (!stream && !strcmp(facts[fact].name, "feeders"))
		return show_feeders();
	options.sync.report = options.verbose;
	if (options.sync.verify && options.sync.follow)
		cli_fatal("--verify changes nothing: not with --follow");
	if (options.dry_run && options.sync.follow)
		cli_fatal("--dry-run tries one round: not with --follow");
	if (options.dry_run && privilege_guards())
		cli_fatal("--dry-run is not for programs with rights of their "
			  "own");
	if (!stream && !strcmp(facts[fact].name, "spool"))
		return turn_spool(argv + optind + 1, argc - optind - 1);
	many = stream || !facts[fact].run;
	asked = &options;
	printed = stdout;
	if (site_find(&site, &s.err))
		cli_die(&s.err);
	s.store = &site.store;
	if (!many && !options.dry_run)
		turn_begin(&turn, &site, argv + optind, argc - optind);
	cli_asked(site.cluster, site.caller.name);
	if (open_in_turn(&s, &turn, stream, &options, &rc))
		return rc;
	cli_print_warnings(&site.conf.warnings);
	cli_print_hints(&site.conf.hints);
	s.owners = owners_open();
	s.store->command = command_of(&site, argv + 1);
	arena_init(&s.arena);
	if (many && !options.dry_run)
		deliver_here(&site, &(struct delivered){0});
	if (!stream && turn.how != TURN_ALL &&
		rights_check(&s, facts[fact].name))
		cli_die(&s.err);
	options.import.dry_run = options.dry_run;
	options.import.form = form_option(options.form);
	rc = act_in_turn(&s, &turn, fact, &options, argv + optind + 1,
		argc - optind - 1);
	if (rc < 0)
		fail(&s, fact < FACTS ? facts[fact].words : NULL,
			argv + optind + 1);
	if (!options.dry_run)
		end_with_rollups(&s, many && !stream, rc);
	owners_close(s.owners);
	arena_release(&s.arena);
	site_close(&site);
	return rc;
}
