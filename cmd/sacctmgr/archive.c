/*
 * archive dump, archive load: old records to a file, and back (Slurm's
 * src/sacctmgr/archive_functions.c). What the file looks like:
 * db/archive/archive.h.
 */
#include "db/archive/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/sacctmgr/dry_run.h"
#include "cmd/sacctmgr/input.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/numbers.h"
#include "common/base/outfile.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/entity/cluster.h"
#include "db/rollup/rollup.h"

/* What a dump is to do. */
struct archive_dump {
	bool archive[ARCHIVE_KINDS];
	int64_t purge[ARCHIVE_KINDS]; /* those older; 0: none */
	bool nothing;	 /* kinds the store does not have */
	int64_t purge_nothing;
	struct archive_cond cond;
	struct strv start, end;
	const char *directory, *script;
};

enum dump_kind {
	DUMP_SWITCH,
	DUMP_LIST,	/* lower-cased */
	DUMP_LIST_CASE,
	DUMP_NUMBERS,
	DUMP_PATH,
	DUMP_PURGE,	/* "12months" */
	DUMP_MONTHS,	/* "12" */
};

struct dump_word {
	const char *names;
	enum dump_kind kind;
	size_t offset;
};

/* clang-format off */
#define D(names, kind, member) {names, DUMP_##kind, offsetof(struct archive_dump, member)}
static const struct dump_word dump_words[] = {
	D("events:1", SWITCH, archive[ARCHIVE_EVENT]),
	D("jobs:1", SWITCH, archive[ARCHIVE_JOB]),
	D("reservations:1", SWITCH, archive[ARCHIVE_RESERVATION]),
	D("steps:1", SWITCH, archive[ARCHIVE_STEP]),
	D("suspend:1", SWITCH, archive[ARCHIVE_SUSPENSION]),
	D("txn:1", SWITCH, archive[ARCHIVE_TXN]),
	D("usage:1", SWITCH, nothing),
	D("jobscript:1", SWITCH, nothing),
	D("jobenv:1", SWITCH, nothing),
	D("Clusters:1", LIST, cond.clusters),
	D("Accounts:2", LIST, cond.accounts),
	D("Associations:2", NUMBERS, cond.assocs),
	D("Directory:2", PATH, directory),
	D("End:1", LIST_CASE, end),
	D("Gid:2", NUMBERS, cond.gids),
	D("Jobs:1", NUMBERS, cond.jobs),
	D("Partitions:2", LIST_CASE, cond.partitions),
	D("PurgeEventAfter:10", PURGE, purge[ARCHIVE_EVENT]),
	D("PurgeJobAfter:10", PURGE, purge[ARCHIVE_JOB]),
	D("PurgeResvAfter:10", PURGE, purge[ARCHIVE_RESERVATION]),
	D("PurgeStepAfter:10", PURGE, purge[ARCHIVE_STEP]),
	D("PurgeSuspendAfter:10", PURGE, purge[ARCHIVE_SUSPENSION]),
	D("PurgeTXNAfter:10", PURGE, purge[ARCHIVE_TXN]),
	D("PurgeUsageAfter:10", PURGE, purge_nothing),
	D("PurgeJobScriptAfter:10", PURGE, purge_nothing),
	D("PurgeJobEnvAfter:10", PURGE, purge_nothing),
	D("PurgeEventMonths:7", MONTHS, purge[ARCHIVE_EVENT]),
	D("PurgeJobMonths:7", MONTHS, purge[ARCHIVE_JOB]),
	D("PurgeResvMonths:7", MONTHS, purge[ARCHIVE_RESERVATION]),
	D("PurgeStepMonths:7", MONTHS, purge[ARCHIVE_STEP]),
	D("PurgeSuspendMonths:7", MONTHS, purge[ARCHIVE_SUSPENSION]),
	D("PurgeTXNMonths:6", MONTHS, purge[ARCHIVE_TXN]),
	D("PurgeUsageMonths:6", MONTHS, purge_nothing),
	D("Start:2", LIST_CASE, start),
	D("Script:2", PATH, script),
	D("Users:1", LIST_CASE, cond.users),
	{NULL, DUMP_SWITCH, 0},
};
/* clang-format on */

/* ---- words ---------------------------------------------------------------*/

static int read_numbers(
	struct session *s, const char *text, struct strv *numbers)
{
	struct strv words = {0};

	strv_split(&words, &s->arena, text);
	for (size_t i = 0; i < words.n; i++) {
		uint32_t number;

		if (uint_parse(words.v[i], &number) || number >= NO_VAL)
			return err_set(&s->err, ERR_USAGE,
				"'%s' is not a number", words.v[i]);
		strv_printf(numbers, &s->arena, "%u", number);
	}
	return 0;
}

static int apply_word(struct session *s, struct archive_dump *dump,
	const struct dump_word *row, const struct word *word)
{
	void *at = (char *)dump + row->offset;
	const char *text = str_unquote(&s->arena, word->value);

	switch (row->kind) {
	case DUMP_SWITCH:
		*(bool *)at = true;
		return 0;
	case DUMP_LIST:
		strv_split(at, &s->arena, str_lower(&s->arena, text));
		return 0;
	case DUMP_LIST_CASE:
		strv_split(at, &s->arena, text);
		return 0;
	case DUMP_NUMBERS:
		return read_numbers(s, text, at);
	case DUMP_PATH:
		*(const char **)at = text;
		return 0;
	case DUMP_PURGE:
	case DUMP_MONTHS:
		return read_purge(s, text, row->kind == DUMP_PURGE, at);
	}
	return 0;
}

static const struct dump_word *find_word(const struct word *word)
{
	for (const struct dump_word *row = dump_words; row->names; row++)
		if ((row->kind == DUMP_SWITCH) == (word->op == OP_NONE) &&
			words_match(row->names, word->text, word->name_len))
			return row;
	return NULL;
}

static int read_word(
	struct session *s, struct archive_dump *dump, const char *text)
{
	struct word word = word_split(text);
	const struct dump_word *row = find_word(&word);

	if (word.op == OP_ADD || word.op == OP_SUB)
		return complain(s, " Invalid operator '%s' in %s",
			word.op == OP_ADD ? "+=" : "-=", text);
	if (!row && word.op == OP_NONE) {
		if (!words_match("where:5 set:3", text, strlen(text)))
			strv_split(&dump->cond.clusters, &s->arena,
				str_lower(&s->arena, text));
		return 0;
	}
	if (!row)
		return complain(s, " Unknown condition: %s", text);
	if (!apply_word(s, dump, row, &word))
		return 0;
	return complain_err(s);
}

static int read_words(
	struct session *s, struct archive_dump *dump, char **words, int n)
{
	int rc = 0;

	for (int i = 0; i < n; i++)
		if (read_word(s, dump, words[i]))
			rc = -1;
	if (rc)
		return -1;
	if (!read_time(s, &dump->start, &dump->cond.from) &&
		!read_time(s, &dump->end, &dump->cond.until))
		return 0;
	return complain_err(s);
}

/* ---- where to ------------------------------------------------------------*/

static int check_directory(struct session *s, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		complain(s,
			" dump: Failed to stat %s: %s\n Note: For archive "
			"dump, the directory must be on the calling host.",
			path, strerror(errno));
	else if (!S_ISDIR(st.st_mode))
		complain(s, " dump: archive dir %s isn't a directory", path);
	else if (access(path, W_OK))
		complain(s, " dump: archive dir %s is not writable", path);
	else
		return 0;
	return -1;
}

/* Scripts would get tables of Slurm's database, which do not exist here. */
static int check_script(struct session *s, const char *path)
{
	struct stat st;

	if (!path)
		return 0;
	if (stat(path, &st))
		complain(s,
			" dump: Failed to stat %s: %s\n Note: For archive "
			"dump, the script must be on the calling host.",
			path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		complain(s, " dump: archive script %s isn't a regular file",
			path);
	else if (access(path, X_OK))
		complain(s, " dump: archive script %s is not executable",
			path);
	else
		complain(s,
			" dump: no script is run here: leave Script= out and "
			"give the file in Directory= to %s",
			path);
	return -1;
}

/* A new file in the directory, readable for its owner only. */
static int create(
	struct session *s, const char *directory, struct outfile *out)
{
	const char *stamp =
		time_format(&s->arena, s->site.now, NULL, s->site.now);

	for (int i = 1; i < 1000; i++) {
		char *name = arena_printf(&s->arena, "%s/%s_archive_%s%s.jsonl",
			directory, s->site.cluster, stamp,
			i == 1 ? "" : arena_printf(&s->arena, ".%d", i));
		if (!outfile_open(out, name, OUTFILE_NEW, &s->err))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return -1;
}

/* ---- dump ----------------------------------------------------------------*/

/* With a purge only what is purged, older things, is written. */
static struct archive_cond cond_of(
	const struct archive_dump *dump, enum archive_kind kind)
{
	struct archive_cond cond = dump->cond;
	int64_t before = dump->purge[kind];

	if (before && (!cond.until || before < cond.until))
		cond.until = before;
	return cond;
}

static int write_all(struct session *s, const struct archive_dump *dump,
	FILE *out, uint64_t *count)
{
	for (int kind = 0; kind < ARCHIVE_KINDS; kind++) {
		struct archive_cond cond =
			cond_of(dump, (enum archive_kind)kind);

		if (dump->archive[kind] &&
			archive_write(s->store, (enum archive_kind)kind, &cond,
				&s->arena, out, count))
			return -1;
	}
	return 0;
}

static int purge_all(
	struct session *s, const struct archive_dump *dump, uint64_t *count)
{
	for (int kind = ARCHIVE_KINDS; kind-- > 0;) {
		struct archive_cond cond =
			cond_of(dump, (enum archive_kind)kind);

		if (dump->purge[kind] &&
			archive_purge(s->store, (enum archive_kind)kind, &cond,
				&s->arena, count))
			return -1;
	}
	return 0;
}

static bool wants_file(const struct archive_dump *dump)
{
	for (int kind = 0; kind < ARCHIVE_KINDS; kind++)
		if (dump->archive[kind])
			return true;
	return false;
}

static int write_nowhere(
	struct session *s, const struct archive_dump *dump, uint64_t *count)
{
	FILE *out = fopen("/dev/null", "w");
	int rc = out ? write_all(s, dump, out, count)
		     : err_set(&s->err, ERR_SYSTEM, "/dev/null: %s",
			       strerror(errno));

	if (out)
		fclose(out);
	return rc;
}

static int write_file(struct session *s, const struct archive_dump *dump,
	struct outfile *out, uint64_t *count)
{
	if (options(s)->dry_run)
		return write_nowhere(s, dump, count);
	if (create(s, dump->directory, out) ||
		write_all(s, dump, out->file, count))
		return -1;
	/* On the disk, before anything is erased. */
	return *count ? outfile_publish(out, &s->err) : 0;
}

/* What the records came to is added up before any of them goes. */
static int roll_up(struct session *s)
{
	struct cluster_cond cond = {.with_deleted = true};
	struct cluster_list clusters = {0};

	if (cluster_list(s->store, &cond, &s->arena, &clusters))
		return -1;
	for (size_t i = 0; i < clusters.n; i++)
		if (rollup_complete(s->store, clusters.v[i].key))
			return -1;
	return 0;
}

static bool erases(const struct archive_dump *dump)
{
	for (int kind = 0; kind < ARCHIVE_KINDS; kind++)
		if (dump->purge[kind])
			return true;
	return false;
}

/* What came of it. */
struct dumped {
	const char *path;
	uint64_t written, erased;
};

/* All or nothing: without a commit there is no file either. */
static int dump_once(
	struct session *s, const struct archive_dump *dump, struct dumped *done)
{
	struct outfile out = {0};

	*done = (struct dumped){0};
	if ((erases(dump) && roll_up(s)) || store_begin_purge(s->store))
		return -1;
	if ((wants_file(dump) && write_file(s, dump, &out, &done->written)) ||
		purge_all(s, dump, &done->erased) ||
		store_commit_bulk(s->store)) {
		store_rollback(s->store);
		if (out.path && !out.beside)
			unlink(out.path);
		outfile_discard(&out);
		return -1;
	}
	if (out.path)
		done->path = arena_strdup(&s->arena, out.path);
	outfile_discard(&out);
	return 0;
}

static int carry_out(struct session *s, const struct archive_dump *dump)
{
	struct dumped done;
	int tries = 0;

	while (dump_once(s, dump, &done))
		if (!store_again(s->store, &tries))
			return -1;
	if (options(s)->quiet)
		return 0;
	if (done.written)
		fprintf(stderr, "sacctmgr: %llu records written to %s\n",
			(unsigned long long)done.written, done.path);
	if (done.erased)
		fprintf(stderr, "sacctmgr: %llu records erased\n",
			(unsigned long long)done.erased);
	fputs("sacctmgr: accounting_storage/slurmdbd: "
	      "jobacct_storage_p_archive: SUCCESS\n",
		stderr);
	return 0;
}

/* How much would be written, and what erased; no file is made. */
static int try_dump(struct session *s, void *arg)
{
	struct dumped done;

	if (dump_once(s, arg, &done))
		return complain_err(s);
	fprintf(output(s), " Records to be written: %llu\n Records to be erased: %llu\n",
		(unsigned long long)done.written,
		(unsigned long long)done.erased);
	return 0;
}

static bool may(struct session *s, const char *doing)
{
	const char *off = conf_pairs_get(
		&s->site.dbd.all, "DisableArchiveCommands");

	if (off && !strcasecmp(off, "yes"))
		cli_error("DisableArchiveCommands is set in %s",
			s->site.dbd.path);
	else if (is_administrator(s))
		return true;
	else
		cli_error("Your user doesn't have privilege to perform this "
			  "action");
	complain(s, " Problem %s: Access/permission denied", doing);
	return false;
}

static int archive_dump(struct session *s, char **words, int n)
{
	struct archive_dump dump = {.directory = s->site.dbd.archive_dir};

	if (read_words(s, &dump, words, n) ||
		check_directory(s, dump.directory) ||
		check_script(s, dump.script) || !may(s, "dumping archive"))
		return -1;
	if (!prompt(s, "This may result in loss of accounting database "
		       "records (if Purge* options enabled).\n"
		       "Are you sure you want to continue?")) {
		input_discarded(s);
		return 0;
	}
	if (options(s)->dry_run)
		return dry_run_around(s, try_dump, &dump);
	if (!carry_out(s, &dump))
		return 0;
	complain_err(s);
	return complain(s, " Problem dumping archive: nothing was changed");
}

/* ---- load ----------------------------------------------------------------*/

static int refuse_file(struct session *s, const char *path, int why)
{
	cli_error("cannot read %s: %s", path, strerror(why));
	return complain(s,
		" Problem loading archive file: %s\n Note: For archive load, "
		"the file must be accessible on the slurmdbd host.",
		strerror(why));
}

struct archive_loading {
	FILE *in;
	const char *path;
	struct archive_loaded read;
};

/* To the end, where something may be refused; nothing of it stays, and no other host
 * waits. */
static int check_archive(struct session *s, const struct archive_loading *l)
{
	struct archive_loaded read = {0};
	int rc;

	if (store_begin_local(s->store))
		return -1;
	rc = archive_read(s->store, l->in, l->path, &read);
	store_rollback(s->store);
	return rc;
}

static int read_archive(struct session *s, struct archive_loading *l)
{
	if (store_begin_bulk(s->store))
		return -1;
	if (!archive_read(s->store, l->in, l->path, &l->read))
		return store_commit_bulk(s->store);
	store_rollback(s->store);
	return -1;
}

/* Where another host was faster it is read again. */
static int keep_archive(struct session *s, struct archive_loading *l)
{
	uint64_t committed;
	int tries = 0;

	do {
		committed = l->read.committed;
		if (!read_archive(s, l))
			return 0;
		tries = l->read.committed > committed ? 0 : tries;
	} while (store_again(s->store, &tries));
	return -1;
}

/* No transaction is held during the question: it is read again after a yes. On a
 * log it comes in pieces, so it is read to the end before the first. */
static int load_file(struct session *s, struct archive_loading *l)
{
	l->read.piece = s->store->shared_log ? SHARED_RECORDS : 0;
	if ((l->read.piece || !s->immediate) && check_archive(s, l))
		return -1;
	if (!prompt(s, "Would you like to commit changes?")) {
		input_discarded(s);
		return 0;
	}
	if (keep_archive(s, l))
		return -1;
	if (l->read.passed && !options(s)->quiet)
		fprintf(stderr,
			"sacctmgr: %llu statements passed over: they take "
			"records away, or are about usage, which is reckoned "
			"here\n",
			(unsigned long long)l->read.passed);
	return 0;
}

/* What comes through a pipe is kept: a file is read more than once. NULL with
 * errno; the pipe is closed. */
static FILE *keep_pipe(FILE *pipe)
{
	FILE *kept = tmpfile();
	char piece[4096];
	size_t n;

	while (kept && (n = fread(piece, 1, sizeof(piece), pipe)) > 0)
		if (fwrite(piece, 1, n, kept) != n)
			break;
	if (kept && (ferror(pipe) || !feof(pipe) || fflush(kept))) {
		fclose(kept);
		kept = NULL;
	}
	fclose(pipe);
	return kept;
}

static int try_load(struct session *s, void *arg)
{
	struct archive_loading *l = arg;

	if (!load_file(s, l))
		return 0;
	complain_err(s);
	if (!l->read.committed)
		return complain(s, " Problem loading archive file: nothing was "
				   "changed");
	return complain(s, " Problem loading archive file: %llu of its records "
			   "are here, load it again to go on",
		(unsigned long long)l->read.committed);
}

static int load_path(struct session *s, const char *path)
{
	struct archive_loading l = {.path = path};
	struct stat st;
	FILE *in = fopen(path, "r");
	int rc;

	if (!in)
		return refuse_file(s, path, errno);
	if (fstat(fileno(in), &st) || S_ISDIR(st.st_mode)) {
		fclose(in);
		return refuse_file(s, path, EISDIR);
	}
	if (!S_ISREG(st.st_mode) && !(in = keep_pipe(in)))
		return refuse_file(s, path, errno);
	l.in = in;
	rc = options(s)->dry_run ? dry_run_around(s, try_load, &l)
				 : try_load(s, &l);
	fclose(in);
	return rc;
}

static int archive_load(struct session *s, char **words, int n)
{
	const char *path = NULL;

	for (int i = 0; i < n; i++) {
		struct word word = word_split(words[i]);

		if (word.op == OP_NONE ||
			(word.op == OP_SET && words_match("File:1", word.text,
						      word.name_len))) {
			path = str_unquote(&s->arena, word.value);
		} else if (words_match("Insert:2", word.text, word.name_len)) {
			return complain(s, " Problem loading archive file: Insert= "
				"is SQL of another database, give file=");
		} else {
			return complain(s, " Unknown option: %s", words[i]);
		}
	}
	if (!may(s, "loading archive file"))
		return -1;
	if (path && *path)
		return load_path(s, path);
	return complain(s, " Problem loading archive file: which file? give "
		"file=PATH");
}

int archive_command(struct session *s, char **words, int n)
{
	size_t len = n > 0 ? strlen(words[0]) : 0;

	if (len && words_match("Dump:1", words[0], len))
		return archive_dump(s, words + 1, n - 1);
	if (len && words_match("Load:1", words[0], len))
		return archive_load(s, words + 1, n - 1);
	return complain(s, "No valid entity in archive command\nInput line must "
		"include, \"Dump\", or \"load\"");
}
