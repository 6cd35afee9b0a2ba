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

#include "cmd/bursar/complete.h"
#include "common/cli/cli.h"

static const struct program {
	const char *name;
	const char *purpose;
} programs[] = {
	{"sacct", "job history"},
	{"sacctmgr", "accounts, users, associations, QOS and the rest"},
	{"scontrol", "shows nodes, partitions, jobs, host lists"},
	{"seff", "efficiency of jobs"},
	{"sinfo", "partitions and nodes, their states"},
	{"spage", "the site as one HTML file"},
	{"splan", "one scheduling pass over the queue, expected starts"},
	{"sprio", "priority of pending jobs, factor by factor"},
	{"squeue", "pending and running jobs"},
	{"srecord", "writes jobs, node events and capacity into the store"},
	{"sreport", "utilization reports"},
	{"sshare", "shares, usage and fair-share of associations"},
	{"ssim", "replays a trace under scheduling policies"},
};

enum { N_PROGRAMS = sizeof(programs) / sizeof(*programs) };

/* False: there is no such program. */
static bool program_path(char path[PATH_MAX], const char *name)
{
	struct err err;

	if (cli_beside(path, name, &err))
		cli_fatal("%s", err.text);
	return !access(path, X_OK);
}

static void list_programs(bool names_only)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < N_PROGRAMS; i++) {
		if (!program_path(path, programs[i].name))
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

static const struct program *find_program(const char *name)
{
	for (size_t i = 0; i < N_PROGRAMS; i++)
		if (!strcmp(programs[i].name, name))
			return &programs[i];
	return NULL;
}

/* Returns only when there is nothing to run. */
static _Noreturn void run(char **argv)
{
	const struct program *program = find_program(*argv);
	char path[PATH_MAX];

	if (!program) {
		cli_error("no program '%s'; \"bursar\" alone lists them",
			*argv);
		exit(1);
	}
	if (!program_path(path, program->name)) {
		cli_error("%s: %s", path, strerror(errno));
		exit(1);
	}
	execv(path, argv);
	cli_error("%s: %s", path, strerror(errno));
	exit(1);
}

/* Of one program at a time. */
static const char *path_of(const char *name)
{
	static char path[PATH_MAX];

	return program_path(path, name) ? path : NULL;
}

/* `bursar squeue -u ...` completes as `squeue -u ...`. */
static void complete(char **words, int n)
{
	if (n && !strcmp(words[0], "bursar")) {
		words++;
		n--;
	}
	if (n == 1)
		for (size_t i = 0; i < N_PROGRAMS; i++) {
			if (!strncmp(programs[i].name, words[0],
				    strlen(words[0])) &&
				path_of(programs[i].name))
				puts(programs[i].name);
		}
	else if (n && find_program(words[0]))
		complete_print(words, n, path_of);
}

int main(int argc, char **argv)
{
	enum { AUTOCOMPLETE = 256, COMPLETE };
	static const struct option options[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{"autocomplete", optional_argument, NULL, AUTOCOMPLETE},
		{"complete", no_argument, NULL, COMPLETE},
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
		complete(argv + optind, argc - optind);
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
