/*
 * Statistics: where slurmdbd counts its calls, the store counts its rows
 * (Slurm's src/sacctmgr/config_functions.c).
 */
#include "cmd/sacctmgr/hosts.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/store/stats.h"

static const struct where_word where_words[] = {
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {.where = {where_words}};

static const char stars[] =
	"*******************************************************************";

static void print_time(struct session *s, const char *label, int64_t when)
{
	if (when)
		fprintf(output(s), "%s %s (%" PRId64 ")\n", label,
			time_format(&s->arena, when, "%a %b %e %T %Y", s->site.now),
			when);
	else
		fprintf(output(s), "%s never\n", label);
}

static void print_number(struct session *s, const char *label, int64_t n)
{
	fprintf(output(s), "\t%-14s%" PRId64 "\n", label, n);
}

static void print_head(struct session *s, const struct stats *stats)
{
	fprintf(output(s), "%s\n", stars);
	print_time(s, "sacctmgr show stats output at", s->site.now);
	print_time(s, "Data since                   ", stats->since);
	fprintf(output(s), "All statistics are of the store %s\n%s\n\n",
		s->site.store_path, stars);
	print_time(s, "Internal DBD rollup last ran", stats->last_rollup);
}

static void print_store(struct session *s, const struct stats *stats)
{
	fputs("\nStore statistics\n", output(s));
	print_number(s, "Size:", stats->pages * stats->page_size);
	print_number(s, "Pages:", stats->pages);
	print_number(s, "Page size:", stats->page_size);
	print_number(s, "Free pages:", stats->free_pages);
	fprintf(output(s), "\t%-14s%s\n", "Integrity:",
		stats->problems.n ? "damaged" : "ok");
	for (size_t i = 0; i < stats->problems.n; i++)
		fprintf(output(s), "\t\t%s\n", stats->problems.v[i]);
}

static void print_jobs(struct session *s, const struct stats *stats)
{
	fputs("\nJob statistics\n", output(s));
	print_number(s, "Open jobs:", stats->jobs_open);
	print_time(s, "\tOldest job:  ", stats->oldest_job);
	print_time(s, "\tNewest job:  ", stats->newest_job);
}

static void print_tables(struct session *s, const struct stats *stats)
{
	fputs("\nRows by table\n", output(s));
	for (size_t i = 0; i < stats->n_tables; i++)
		fprintf(output(s), "\t%-25s count:%" PRId64 "\n",
			stats->tables[i].name, stats->tables[i].rows);
}

/* Slurm's document tells of calls; this one of the store, under its name. */
static int write_document(struct session *s, const struct stats *stats,
	const struct shared_status *log)
{
	struct document document;

	document_open(&document, s, "statistics");
	if (log)
		document_write(&document, hosts_put(json_record(), log));
	for (size_t i = 0; i < stats->n_tables; i++) {
		struct json_object *record = json_record();

		json_put_text(record, "table", stats->tables[i].name);
		json_put_int(record, "count", stats->tables[i].rows);
		document_write(&document, record);
	}
	document_close(&document);
	return s->status || stats->problems.n ? -1 : 0;
}

static int show(struct session *s, char **words, int n)
{
	struct shared_status log;
	struct stats stats;
	bool has_log;

	(void)words;
	(void)n;
	if (!is_administrator(s))
		return complain(s, "sacctmgr: accounting_storage/slurmdbd: "
			"acct_storage_p_get_stats: RC:2002 Your user "
			"doesn't have privilege to perform this action");
	if (stats_read(s->store, &s->arena, &stats))
		return complain_err(s);
	has_log = s->store->shared_log && !hosts_read(s, &log);
	if (document_wanted(s))
		return write_document(s, &stats, has_log ? &log : NULL);
	if (has_log)
		hosts_print(s, &log);
	print_head(s, &stats);
	print_store(s, &stats);
	if (has_log)
		hosts_stats(s, &log);
	print_jobs(s, &stats);
	print_tables(s, &stats);
	return stats.problems.n ? -1 : 0;
}

const struct entity stats_entity = {
	.names = "Stats:1",
	.show = show,
	.vocabulary = &vocabulary,
	.help = "rows, size and health of the store",
};

int clear_command(struct session *s, char **words, int n)
{
	if (n < 1 || !words_match("Stats:1", words[0], strlen(words[0])))
		return complain(s, "No valid entity in list command\nInput line must "
			"include \"Stats\"");
	if (is_administrator(s))
		return 0;
	cli_error("Your user doesn't have privilege to perform this action");
	return -1;
}
