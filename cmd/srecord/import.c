/*
 * srecord import: years of history from another system. Lines stream through;
 * what is refused is reported and the rest goes on; batches are committed
 * whole, so that a run that was killed can be repeated: it goes on behind the
 * last batch, and what came twice changes nothing.
 *
 * This part prints: progress, refusals and the summary, all on standard error.
 */
#include "cmd/srecord/import.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/base/notice.h"
#include "common/base/stopwatch.h"
#include "common/cli/cli.h"
#include "db/store/meta.h"
#include "db/store/txn.h"

enum { IMPORT_STOPPED = -2 }; /* the session has the error */
enum { SHOWN = 5, PEEK = 4096, LISTED = 200 };

/* Lines that are committed together; fewer on a log, and fewer still when other
 * hosts were faster. */
enum { BATCH = 100000, LEAST_BATCH = 500 };

static int64_t began; /* microseconds */

/* ---- what is in the file --------------------------------------------------*/

static bool looks_json(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{';
}

static bool looks_sacct(const char *text)
{
	return strcasestr(text, "JobID") != NULL;
}

static bool looks_event(const char *text)
{
	return strstr(text, "TimeStart") || strstr(text, "Time Start");
}

static bool looks_dump(const char *text)
{
	return strstr(text, "Cluster - ") != NULL;
}

static bool looks_swf(const char *text)
{
	text += strspn(text, " \t");
	return *text == ';' || (*text >= '0' && *text <= '9');
}

static const struct import_format {
	const char *name;
	bool (*looks)(const char *text);
	bool first_line; /* it is told by that */
	/* What it is made of: jobs, a line each, */
	void (*begin)(struct import_reader *);
	import_read *read;
	import_continues *continues; /* NULL: each line by itself */
	/* or all of it; neither: sacctmgr loads it. */
	int (*whole)(struct import *);
} formats[] = {
	{"store", import_store_looks, false, NULL, NULL, NULL, import_store},
	{"squeue", looks_json, false, NULL, NULL, NULL, import_json},
	{"sacctmgr", looks_dump, false, NULL, NULL, NULL, NULL},
	{"sacctmgr", looks_event, true, NULL, NULL, NULL, import_event},
	{"sacct", looks_json, false, NULL, NULL, NULL, import_json},
	{"swf", looks_swf, true, import_swf_begin, import_swf_line, NULL, NULL},
	{"sacct", looks_sacct, true, import_sacct_begin, import_sacct_line,
		import_sacct_continues, NULL},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static bool is_format(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return true;
	return false;
}

/* With a name, the last one of that name if none looks like it. */
static const struct import_format *find_format(
	struct import *im, const char *name)
{
	const struct import_format *found = NULL;
	char text[PEEK + 1], first[PEEK + 1];

	text[source_peek(&im->source, text, PEEK)] = '\0';
	memcpy(first, text, sizeof(first));
	first[strcspn(first, "\n")] = '\0';
	for (size_t i = 0; i < FORMATS; i++) {
		const struct import_format *f = &formats[i];

		if (name && strcmp(f->name, name))
			continue;
		if (f->looks(f->first_line ? first : text))
			return f;
		if (name)
			found = f;
	}
	return found;
}

/* ---- progress -------------------------------------------------------------*/

static void show_progress(const struct import *im)
{
	if (im->options.quiet)
		return;
	if (im->source.size > 0)
		progress("importing", im->at, im->source.size);
	else
		progress("importing, lines", (int64_t)im->line, 0);
}

/* ---- refusals -------------------------------------------------------------*/

static int keep_reject(struct import *im, const char *text, size_t len)
{
	if (!im->rejects.file)
		return 0;
	if (fprintf(im->rejects.file, "# %" PRIu64 ": %s\n", im->line,
		    im->s->err.text) < 0 ||
		fwrite(text, 1, len, im->rejects.file) != len ||
		putc('\n', im->rejects.file) == EOF)
		return err_set(&im->s->err, ERR_SYSTEM, "%s: %s",
			im->options.rejects, strerror(errno));
	return 0;
}

/* A reason without what differs from line to line: quoted words and numbers. */
static void plain_reason(const char *text, char *plain, size_t size)
{
	size_t n = 0;

	while (*text && n + 5 < size) {
		if (*text == '\'' && strchr(text + 1, '\'')) {
			text = strchr(text + 1, '\'') + 1;
			n += (size_t)snprintf(plain + n, size - n, "'...'");
		} else if (*text >= '0' && *text <= '9') {
			text += strspn(text, "0123456789");
			plain[n++] = 'N';
		} else {
			plain[n++] = *text++;
		}
	}
	plain[n] = '\0';
}

static void count_reason(struct import *im, const char *text)
{
	char plain[REASON_SIZE];
	size_t i = 0;

	plain_reason(text, plain, sizeof(plain));
	while (i < im->count.n_reasons && strcmp(im->count.reasons[i].text, plain) != 0)
		i++;
	if (i == im->count.n_reasons && i < REASONS) {
		memcpy(im->count.reasons[i].text, plain, sizeof(plain));
		im->count.n_reasons++;
	}
	if (i < REASONS)
		im->count.reasons[i].count++;
	else
		im->count.other_reasons++;
}

/* The first time that this line was put in? Then something is said of it. */
static bool is_told(struct import *im)
{
	if (im->line <= im->told)
		return true;
	im->told = im->line;
	return false;
}

void import_leave(
	struct import_left *left, const char *reason, const char *which)
{
	struct left_reason *r = left->v;

	while (r < left->v + left->n && strcmp(r->text, reason) != 0)
		r++;
	if (r == left->v + left->n) {
		r = ARENA_PUSH(left->arena, left->v, left->n, left->cap);
		r->text = arena_strdup(left->arena, reason);
	}
	if (r->which.n > LISTED || !strv_has(&r->which, which))
		strv_push(&r->which, left->arena,
			arena_strdup(left->arena, which));
}

static int refuse(struct import *im, const struct import_item *item)
{
	const char *text = item->text;
	size_t len = item->len;

	im->count.refused++;
	count_reason(im, im->s->err.text);
	if (is_told(im))
		return 0;
	if (im->left) {
		import_leave(im->left, im->s->err.text,
			item->row.job.id ? arena_printf(&im->scratch, "%" PRIu32,
						   item->row.job.id)
					 : arena_printf(&im->scratch,
						   "%s %" PRIu64, im->unit,
						   im->line));
		return 0;
	}
	if (im->count.refused <= SHOWN) {
		cli_error("%s %" PRIu64 ": %s", im->unit, im->line,
			im->s->err.text);
	} else if (im->count.refused == SHOWN + 1) {
		cli_error("more lines are refused%s",
			im->rejects.file ? "" : ": --rejects=FILE keeps them all");
	}
	return keep_reject(im, text, len);
}

/* ---- batches --------------------------------------------------------------*/

/* Where this file is known by a name, a later run goes on behind this line,
 * unless it is the last. */
static int remember(struct import *im, bool last)
{
	struct store *store = im->s->store;
	const char *name = im->source.identity;

	if (!*name)
		return 0;
	return last ? meta_remove(store, name)
		    : meta_set_int(store, name, (int64_t)im->line);
}

static int begin_batch(struct import *im)
{
	int64_t others = im->others;

	if (job_bulk_begin(im->bulk))
		return -1;
	if (meta_others(im->s->store, &others)) {
		store_rollback(im->s->store);
		return -1;
	}
	if (others == im->others)
		return 0;
	im->others = others;
	import_forget(im);
	if (store_load_catalogs(im->s->store)) {
		store_rollback(im->s->store);
		return -1;
	}
	return 0;
}

static int commit_batch(struct import *im, bool last)
{
	if (remember(im, last)) {
		store_rollback(im->s->store);
		return -1;
	}
	/* Before the lines count as done: a later run does not see them. */
	if (im->rejects.file && outfile_publish(&im->rejects, &im->s->err)) {
		store_rollback(im->s->store);
		return -1;
	}
	if (job_bulk_commit(im->bulk))
		return -1;
	im->committed = im->line;
	im->committed_count = im->count;
	im->batches++;
	im->tries = 0;
	return 0;
}

static int end_batch(struct import *im)
{
	return commit_batch(im, false);
}

static int told(struct import *im, const struct import_item *item, int rc)
{
	if (!rc && item->found == FOUND_PASSED) {
		err_set(&im->s->err, ERR_USAGE, "%s", item->refusal);
		count_reason(im, item->refusal);
		return is_told(im) ? 0 : keep_reject(im, item->text, item->len);
	}
	if (!rc)
		return 0;
	if (im->s->err.kind != ERR_USAGE)
		return -1;
	return refuse(im, item);
}

/* After a line. */
static int go_on(struct import *im)
{
	show_progress(im);
	if (im->line / im->batch == im->committed / im->batch)
		return 0;
	return end_batch(im) || begin_batch(im) ? -1 : 0;
}

int import_done(struct import *im, int rc, const char *text, size_t len)
{
	const struct import_item item = {.text = text, .len = len};

	arena_reset(&im->scratch);
	if (told(im, &item, rc))
		return -1;
	return im->line % 1024 && im->line % im->batch ? 0 : go_on(im);
}

int import_put(struct import *im, struct import_item *items, size_t n)
{
	uint64_t last = im->line + n;

	for (size_t i = 0; i < n; i++)
		items[i].line = im->line + i + 1;
	if (import_items(im, items, n, told))
		return -1;
	im->line = last;
	return go_on(im);
}

/* ---- lines ----------------------------------------------------------------*/

/* The other end of a pipe may be silent for hours: only we wait for it. */
static int next_block(struct import *im, struct import_pipe *pipe,
	struct import_block **block)
{
	bool waits = import_pipe_is_slow(pipe, *block);
	int more;

	if (waits && end_batch(im))
		return IMPORT_STOPPED;
	more = import_pipe_next(pipe, block);
	return waits && begin_batch(im) ? IMPORT_STOPPED : more;
}

static int all_blocks(struct import *im, struct import_pipe *pipe)
{
	struct import_block *block = NULL;
	int more;

	while ((more = next_block(im, pipe, &block)) > 0) {
		if (import_items(im, block->items, block->n, told))
			return -1;
		im->line = block->line;
		im->at = block->at;
		if (block->n && go_on(im))
			return -1;
	}
	if (more == -1)
		im->s->err = *import_pipe_error(pipe);
	return more;
}

static int all_lines(struct import *im, const struct import_format *format)
{
	struct import_pipe *pipe;
	int rc;

	format->begin(&im->reader);
	pipe = import_pipe_open(
		im, format->read, format->continues, im->batch);
	rc = all_blocks(im, pipe);
	import_pipe_close(pipe);
	return rc;
}

/* ---- all of it ------------------------------------------------------------*/

static int resume(struct import *im)
{
	int64_t line = 0;

	if (*im->source.identity &&
		meta_get_int(im->s->store, im->source.identity, &line))
		return -1;
	im->done = im->committed = (uint64_t)line;
	if (line)
		fprintf(stderr,
			"%s: continuing after line %" PRId64
			", up to where an earlier run came\n",
			cli_name(), line);
	return 0;
}

static int finish(struct import *im)
{
	if (commit_batch(im, true))
		return -1;
	/* All of it is in the store. */
	if (job_bulk_finish(im->bulk))
		cli_warning("%s; all lines are in the store, the next program "
			    "that writes makes its indexes",
			im->s->err.text);
	return 0;
}

/* Who brought which file in: its rows are not in the log one by one. */
static int log_import(struct import *im)
{
	return txn_add(im->s->store, TXN_MODIFY_JOB, im->s->site->cluster,
		"import",
		arena_printf(&im->keep, "import, %s%s", im->path,
			im->options.create ? ", --create" : ""));
}

static int open_rejects(struct import *im)
{
	if (!im->options.rejects || im->options.dry_run)
		return 0;
	return outfile_open(&im->rejects, im->options.rejects,
		im->done ? OUTFILE_APPEND : OUTFILE_REPLACE, &im->s->err);
}

/* Lines are read ahead; what is a whole is read before there is a lock, and what
 * may have to be read twice is kept. */
static int get_ready(struct import *im, const struct import_format *format)
{
	bool keep = im->source.gz && (format->whole || im->options.to_end ||
					     im->s->store->shared_log);

	if (keep && source_spool(&im->source, &im->s->err))
		return -1;
	return job_bulk_prepare(im->bulk, im->options.create) || resume(im) ||
			       open_rejects(im)
		       ? -1
		       : 0;
}

static int run_batches(struct import *im, const struct import_format *format)
{
	if (begin_batch(im))
		return -1;
	if ((!im->options.quiet && !im->batches && log_import(im)) ||
		(format->whole ? format->whole(im) : all_lines(im, format))) {
		store_rollback(im->s->store);
		return -1;
	}
	return finish(im);
}

/* Another host was faster: once more from behind the last batch. */
static bool begin_again(struct import *im)
{
	if (!store_again(im->s->store, &im->tries) ||
		source_rewind(&im->source, &im->s->err))
		return false;
	if (im->batch > LEAST_BATCH)
		im->batch /= 2;
	im->done = im->committed;
	im->line = im->source.gz ? 0 : im->committed;
	im->count = im->committed_count;
	memset(&im->queue, 0, sizeof(im->queue));
	arena_reset(&im->scratch);
	import_forget(im);
	return true;
}

static void say(uint64_t n, const char *what)
{
	if (n)
		fprintf(stderr, ", %" PRIu64 " %s", n, what);
}

/* Why lines are not in the store, the most frequent reason first. */
static void say_reasons(struct import *im)
{
	for (size_t said = 0; said < im->count.n_reasons; said++) {
		struct import_reason *most = im->count.reasons;

		for (size_t i = 1; i < im->count.n_reasons; i++)
			if (im->count.reasons[i].count > most->count)
				most = &im->count.reasons[i];
		fprintf(stderr, "%8" PRIu64 "  %s\n", most->count, most->text);
		most->count = 0;
	}
	if (im->count.other_reasons)
		fprintf(stderr, "%8" PRIu64 "  other reasons\n",
			im->count.other_reasons);
}

static void summary(struct import *im)
{
	double took = (double)(stopwatch_usec() - began) / 1000000;
	const struct import_tally *count = &im->count;

	progress_end();
	fprintf(stderr, "%s: %" PRIu64 " %s", cli_name(),
		count->nodes ? count->nodes : count->jobs,
		count->nodes ? "nodes" : "jobs");
	say(count->added, "new");
	say(count->changed, "changed");
	say(count->same, "known");
	say(count->steps, "steps");
	say(count->events, "events");
	say(count->passed, "lines skipped");
	say(count->refused, "refused");
	say(count->created, "associations and other names created");
	fprintf(stderr, "; %.1f s\n", took);
	say_reasons(im);
	if (im->reader.tamed)
		cli_error("%" PRIu64 " texts held control characters, now "
			  "blanks or U+FFFD",
			im->reader.tamed);
	if (im->count.nobody)
		cli_warning("%" PRIu64 " %s to no association and %s charged "
			    "to none: import with --create",
			im->count.nobody,
			im->count.nobody == 1 ? "job belongs" : "jobs belong",
			im->count.nobody == 1 ? "is" : "are");
	if (im->count.late)
		cli_error("%" PRIu64 " of the jobs ran in a time of which "
			  "records were purged: utilization of that time "
			  "stays as it was",
			im->count.late);
	if (im->count.unknown_tres)
		cli_error("TRES that are not known here were left out %" PRIu64
			  " times: see AccountingStorageTRES",
			im->count.unknown_tres);
}

/* Every line was passed over, now and at earlier tries. */
static bool was_in_vain(const struct import *im)
{
	const struct import_tally *count = &im->count;

	return count->passed && !im->done && !count->jobs && !count->steps &&
	       !count->events && !count->nodes;
}

/* What is in the store and what is to be done after an import that stopped. */
static int stopped(struct import *im)
{
	struct err *err = &im->s->err, why = *err;

	progress_end();
	if (im->reader.unreadable)
		return err_prefix(err, "%s", im->path);
	if (im->options.dry_run)
		return err_set(err, why.kind,
			"%s; the import stops at %s %" PRIu64, why.text,
			im->unit, im->line);
	return err_set(err, why.kind,
		"%s; the import stopped at %s %" PRIu64 ", what came up to %s "
		"%" PRIu64 " is in the store; run it again to go on",
		why.text, im->unit, im->line, im->unit, im->committed);
}

static int run(struct import *im, const struct import_format *format)
{
	int rc = -1;

	im->bulk = job_bulk_open(im->s->store, &im->s->site->conf.policy);
	if (im->bulk)
		rc = get_ready(im, format);
	if (!rc)
		do
			rc = run_batches(im, format);
		while (rc && begin_again(im));
	if (rc && im->bulk)
		stopped(im);
	if (!rc && im->rejects.file)
		rc = outfile_publish(&im->rejects, &im->s->err);
	outfile_discard(&im->rejects);
	if (!rc && !im->options.quiet)
		summary(im);
	if (!rc && im->source.cut)
		cli_error("the file is cut: import it again when "
			  "it is whole");
	job_bulk_close(im->bulk);
	return rc;
}

/* format=NAME and the file. */
static int read_arguments(struct recording *s, char **words, int n,
	const char **format, const char **path)
{
	*format = *path = NULL;
	for (int i = 0; i < n; i++) {
		if (!strncmp(words[i], "format=", 7))
			*format = words[i] + 7;
		else if (*path)
			return err_set(&s->err, ERR_USAGE,
				"import reads one file: '%s'?", words[i]);
		else
			*path = words[i];
	}
	if (!*path)
		return err_set(&s->err, ERR_USAGE,
			"which file is to be imported? - is standard input");
	if (*format && !is_format(*format))
		return err_set(&s->err, ERR_USAGE,
			"unknown format '%s'; expected sacct, squeue, swf, "
			"sacctmgr or store",
			*format);
	return 0;
}

static int import_file(struct import *im, const char *name, const char *path)
{
	const struct import_format *format = find_format(im, name);

	if (!format && im->source.failed.kind) {
		im->s->err = im->source.failed;
		return -1;
	}
	if (!format && im->source.damaged)
		return err_set(&im->s->err, ERR_SYSTEM,
			"%s: the compressed data are damaged or cut", path);
	if (!format && im->source.start == im->source.end)
		return err_set(&im->s->err, ERR_USAGE, "%s is empty", path);
	if (!format)
		return err_set(&im->s->err, ERR_USAGE,
			"%s: the first lines are of no known format: "
			"give format=sacct, squeue, swf, sacctmgr or store",
			path);
	if (!format->read && !format->whole)
		return import_dump(im, "load", path);
	if (format->whole == import_store && import_dump(im, "apply", path) < 0)
		return -1;
	im->path = path;
	return run(im, format);
}

int import_passed(struct import_reader *r, const char *reason)
{
	err_set(r->err, ERR_USAGE, "%s", reason);
	return FOUND_PASSED;
}

/* Gets ready; the source is the caller's to open. */
static void begin(struct import *im)
{
	began = stopwatch_usec();
	im->batch = im->s->store->shared_log ? SHARED_RECORDS : BATCH;
	import_columns_open();
	arena_init(&im->keep);
	arena_init(&im->scratch);
	im->reader = (struct import_reader){.err = &im->s->err,
		.scratch = &im->scratch,
		.catalog = im->s->store->tres,
		.now = im->s->site->now};
	arena_init(&im->reader.keep);
	arena_init(&im->reader.lists);
}

static void end(struct import *im)
{
	import_forget(im);
	import_forget_tres(&im->reader);
	arena_release(&im->reader.keep);
	arena_release(&im->reader.lists);
	arena_release(&im->keep);
	arena_release(&im->scratch);
}

static void add_counts(struct import_counts *counts, const struct import *im)
{
	counts->jobs += im->count.jobs;
	counts->added += im->count.added;
	counts->changed += im->count.changed;
	counts->steps += im->count.steps;
	counts->events += im->count.events;
	counts->refused += im->count.refused;
}

int import_path(struct recording *s, const struct import_options *options,
	const char *format, const char *path, struct import_counts *counts)
{
	struct import im = {.s = s, .options = *options, .unit = "line"};
	int rc;

	if (source_open(&im.source, path, &s->err))
		return -1;
	im.left = counts->left.arena ? &counts->left : NULL;
	begin(&im);
	rc = import_file(&im, format, path);
	add_counts(counts, &im);
	end(&im);
	if (!rc)
		rc = im.count.refused || im.source.cut ||
		     was_in_vain(&im);
	source_close(&im.source);
	return rc;
}

int import_whole(struct recording *s, const struct import_options *options,
	int (*whole)(struct import *), void *arg, struct import_counts *counts)
{
	struct import im = {.s = s,
		.options = *options,
		.unit = "record",
		.path = "",
		.of_whole = arg};
	const struct import_format format = {.name = "", .whole = whole};
	int rc;

	im.left = counts->left.arena ? &counts->left : NULL;
	begin(&im);
	rc = run(&im, &format);
	add_counts(counts, &im);
	end(&im);
	return rc ? -1 : im.count.refused > 0;
}

int record_import(struct recording *s, const struct import_options *options,
	char **words, int n)
{
	struct import_counts counts = {0};
	const char *format, *path;

	return read_arguments(s, words, n, &format, &path)
		       ? -1
		       : import_path(s, options, format, path, &counts);
}
