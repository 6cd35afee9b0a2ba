/*
 * bursar PROGRAM ARGS...: runs the program of that name from bursar's own
 * folder, for machines where `sacctmgr` and the others are Slurm's. It opens
 * neither store nor configuration.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"
#include "common/cli/complete.h"

static const struct bursar_program {
	const char *name;
	const char *purpose;
	const char *word_of; /* the program that knows it as a word, or NULL */
} programs[] = {
	{"feeders", "the lines of slurm.conf by which jobs come in", "srecord"},
	{"sacct", "job history", NULL},
	{"sacctmgr", "accounts, users, associations, QOS and the rest", NULL},
	{"scontrol", "shows nodes, partitions, jobs, host lists", NULL},
	{"sdiag", "statistics of jobs and of a scheduling pass", NULL},
	{"seff", "efficiency of jobs", NULL},
	{"sinfo", "partitions and nodes, their states", NULL},
	{"spage", "the site as one HTML file", NULL},
	{"splan", "one scheduling pass over the queue, expected starts", NULL},
	{"sprio", "priority of pending jobs, factor by factor", NULL},
	{"squeue", "pending and running jobs", NULL},
	{"srecord", "writes jobs, node events and capacity into the store", NULL},
	{"sreport", "utilization reports", NULL},
	{"sshare", "shares, usage and fair-share of associations", NULL},
	{"ssim", "replays a trace under scheduling policies", NULL},
};

enum { N_PROGRAMS = sizeof(programs) / sizeof(*programs) };

/* False: there is no such program. */
static bool program_path(char path[PATH_MAX], const struct bursar_program *p)
{
	struct err err;

	if (cli_beside(path, p->word_of ? p->word_of : p->name, &err))
		cli_fatal("%s", err.text);
	return !access(path, X_OK);
}

static void list_programs(bool names_only)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < N_PROGRAMS; i++) {
		if (!program_path(path, &programs[i]))
			continue;
		if (names_only)
			puts(programs[i].name);
		else
			printf("  %-9s %s\n", programs[i].name,
				programs[i].purpose);
	}
}

static void usage(void)
{
	puts("Usage: bursar [-V|--version] [-h|--help] PROGRAM [ARG...]\n\n"
	     "Runs Bursar's program of that name where the plain name is "
	     "Slurm's.\n\n"
	     "Programs:");
	list_programs(false);
	puts("\n\"bursar PROGRAM --help\" tells what a program takes.");
}

static const struct bursar_program *find_program(const char *name)
{
	for (size_t i = 0; i < N_PROGRAMS; i++)
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	return NULL;
}

/* Returns only when there is nothing to run. In front of argv stands another
 * word, which a word of a program gives way to. */
static _Noreturn void run(char **argv)
{
	const struct bursar_program *program = find_program(*argv);
	char path[PATH_MAX];

	if (!program)
		cli_refuse("no program '%s'; \"bursar\" alone lists them",
			*argv);
	if (!program_path(path, program))
		cli_refuse("%s: %s", path, strerror(errno));
	if (program->word_of)
		*--argv = (char *)program->word_of;
	execv(path, argv);
	cli_refuse("%s: %s", path, strerror(errno));
}

static void complete_program(const char *typed, bool described)
{
	char path[PATH_MAX];
	struct arena arena;
	struct completion c = {.arena = &arena, .typed = typed};

	arena_init(&arena);
	for (size_t i = 0; i < N_PROGRAMS; i++)
		if (program_path(path, &programs[i]))
			offer_name(&c, programs[i].name, "",
				programs[i].purpose);
	completion_print(&c, described);
	arena_release(&arena);
}

/* `bursar squeue -u ...` completes as `squeue -u ...`, which knows best. */
static void complete(char **words, int n, bool described)
{
	const struct bursar_program *program;
	char path[PATH_MAX];
	char **argv;

	if (n && !strcmp(words[0], "bursar")) {
		words++;
		n--;
	}
	if (n == 1)
		complete_program(words[0], described);
	program = n > 1 ? find_program(words[0]) : NULL;
	if (!program || program->word_of || !program_path(path, program))
		return;
	argv = memory_zeroed((size_t)n + 3, sizeof(*argv));
	argv[0] = words[0];
	argv[1] = described ? "--complete=help" : "--complete";
	argv[2] = "--";
	memcpy(argv + 3, words + 1, (size_t)(n - 1) * sizeof(*argv));
	execv(path, argv);
}

int main(int argc, char **argv)
{
	enum { AUTOCOMPLETE = 256, COMPLETE };
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{"autocomplete", optional_argument, NULL, AUTOCOMPLETE},
		{"complete", optional_argument, NULL, COMPLETE},
		{0},
	};

	cli_init(argv[0]);
	switch (getopt_long(argc, argv, "+hV", options, NULL)) {
	case -1:
		break;
	case 'h':
		usage();
		return 0;
	case 'V':
		cli_version(false);
		return 0;
	case AUTOCOMPLETE:
		list_programs(true);
		return 0;
	case COMPLETE:
		if (optind < argc && !strcmp(argv[optind], "--"))
			optind++;
		complete(argv + optind, argc - optind, optarg != NULL);
		return 0;
	default:
		cli_bad_option();
	}
	if (optind == argc) {
		usage();
		return 0;
	}
	run(argv + optind);
}
