/*
 * srecord: writes down what happened: jobs, their steps, nodes that are down,
 * how large the cluster is (DESIGN.md "srecord: how facts come in"). One call,
 * one transaction; a fact that is refused changes nothing.
 */
#include "cmd/srecord/import.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"

static const struct {
	const char *name;
	int (*run)(struct recording *, char **words, int n);
	const struct word_row *words;
	const char *help;
} facts[] = {
	{"job", record_job, job_words,
		"a job: new, or more of what became of it"},
	{"step", record_step, step_words, "a step of a job"},
	{"node", record_node, node_words, "a node is down, or up again"},
	{"cluster", record_cluster, cluster_words,
		"how large the cluster is from a time on"},
	{"reservation", record_reservation, reservation_words,
		"what is kept free, and for whom"},
	{"import", NULL, NULL, "history from another system"},
};

enum { FACTS = sizeof(facts) / sizeof(facts[0]) };

static const char usage_text[] =
	"Usage: srecord [OPTION...] FACT KEY=VALUE...\n"
	"  -h, --help      every fact and its keys\n"
	"      --usage     this text\n"
	"  -v, --verbose   with -V: the API version too\n"
	"  -V, --version   version of this program\n"
	"FACT is one of\n";

static const char import_text[] =
	"\nsrecord import [OPTION...] [format=sacct|squeue|swf|sacctmgr] FILE|-\n"
	"      --create        add users, accounts, associations that are missing\n"
	"      --duplicates    records of one number and submit time that started\n"
	"                      at different times are a requeue each\n"
	"      --rejects=FILE  keep the lines that are refused\n";

static void print_usage(void)
{
	fputs(usage_text, stdout);
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

static void print_help(void)
{
	print_usage();
	for (size_t i = 0; i < FACTS; i++) {
		if (!facts[i].words)
			continue;
		printf("\nKeys of srecord %s\n", facts[i].name);
		print_words(facts[i].words);
	}
	fputs(import_text, stdout);
}

/* True: an option that takes no part in the rest. */
static bool import_option(int option, struct import_options *options)
{
	if (option == 'C')
		options->create = true;
	else if (option == 'D')
		options->duplicates = true;
	else if (option == 'R')
		options->rejects = optarg;
	else
		return false;
	return options->given = true;
}

static void read_options(int argc, char **argv, struct import_options *import)
{
	static const struct option options[] = {
		{"create", no_argument, NULL, 'C'},
		{"duplicates", no_argument, NULL, 'D'},
		{"help", no_argument, NULL, 'h'},
		{"rejects", required_argument, NULL, 'R'},
		{"usage", no_argument, NULL, 'u'},
		{"verbose", no_argument, NULL, 'v'},
		{"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0},
	};
	bool verbose = false;
	int option;

	while ((option = getopt_long(argc, argv, "hvV", options, NULL)) != -1) {
		if (import_option(option, import))
			continue;
		if (option == 'v')
			verbose = true;
		else if (option == 'V')
			cli_version(verbose);
		else if (option == 'u')
			print_usage();
		else if (option == 'h')
			print_help();
		else
			cli_bad_option();
		if (option != 'v')
			exit(0);
	}
}

static size_t find_fact(const char *name)
{
	for (size_t i = 0; name && i < FACTS; i++)
		if (!strcmp(facts[i].name, name))
			return i;
	if (name)
		cli_error("'%s' is none of job, step, node, cluster, "
			"reservation, import", name);
	else
		cli_error("what is to be recorded: job, step, node, cluster or "
			"reservation? Or import?");
	fprintf(stderr, "Try \"srecord --help\" for more information\n");
	exit(1);
}

/* The number of a new job is out before the job is in: whoever submitted it
 * must learn it. */
static int print_number(struct recording *s)
{
	if (s->new_id)
		printf("%" PRIu32 "\n", s->new_id);
	return cli_flush() ? err_set(&s->err, ERR_SYSTEM,
				     "nothing is recorded: the job's number "
				     "cannot be written")
			   : 0;
}

/* In one transaction, so that a refused fact leaves nothing behind. */
static int record(struct recording *s, size_t fact, char **words, int n)
{
	if (store_begin_bulk(s->store))
		return -1;
	if (facts[fact].run(s, words, n) || write_log(s, words, n) ||
		print_number(s)) {
		store_rollback(s->store);
		return -1;
	}
	return store_commit_bulk(s->store);
}

int main(int argc, char **argv)
{
	struct import_options import = {0};
	struct site site;
	struct recording s = {.site = &site};
	size_t fact;
	int rc;

	cli_init(argv[0]);
	read_options(argc, argv, &import);
	fact = find_fact(argv[optind]);
	if (facts[fact].run && import.given)
		cli_fatal("--create, --duplicates and --rejects are for import");
	if (site_open(&site, STORE_CREATE, true, &s.err))
		cli_die(&s.err);
	cli_print_warnings(&site.conf.warnings);
	s.store = &site.store;
	arena_init(&s.arena);
	if (rights_check(&s, facts[fact].name))
		cli_die(&s.err);
	rc = facts[fact].run ? record(&s, fact, argv + optind + 1,
				       argc - optind - 1)
			     : record_import(&s, &import, argv + optind + 1,
				       argc - optind - 1);
	if (rc < 0)
		cli_die(&s.err);
	arena_release(&s.arena);
	site_close(&site);
	return rc;
}
