/*
 * sreport: what clusters, accounts, users, jobs and reservations used (Slurm's
 * src/sreport). The table of reports is in cmd/sreport/reports.c, that of
 * fields in fields.c, that of conditions in conditions.c.
 */
#include "cmd/sreport/sreport.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/cli/cli.h"
#include "db/viewer/viewer.h"

void complain(struct session *s, const char *fmt, ...)
{
	va_list ap;

	char text[4096];

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cli_say_error("%s", text);
	s->options.failed = true;
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;
	bool failed;
	int first;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.arena);
	arena_init(&s.scratch);
	first = sreport_options(&s.options, &arena, argc, argv);
	viewer_open(&s.site, false, &s.err);
	/* Memory stays small when millions of jobs are read. */
	if (store_sort_in_files(&s.site.store, 16384))
		cli_die(&s.err);
	if (s.options.openmetrics) {
		print_openmetrics(&s);
	} else if (first < argc) {
		run_command(&s, argc - first, argv + first);
	} else {
		s.interactive = true;
		run_shell(&s);
	}
	failed = s.options.failed;
	site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&s.arena);
	arena_release(&arena);
	return failed ? 1 : 0;
}
