/*
 * from=slurm: Slurm's own commands are asked, as any user of the machine may.
 */
#include "cmd/srecord/sync/sync.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/base/strv.h"
#include "cmd/srecord/sacctline.h"

/* sacct takes no earlier time than FIRST. */
enum { DAY = 86400, WINDOW = 30 * DAY, FIRST = 1000000, MOST_FIELDS = 64 };

struct from_slurm {
	const char *folder; /* where Slurm's commands are */
	const char *columns; /* of sacct; job_columns */
	/* Of the flat file, which is asked for with the associations. */
	struct sync_rows coordinators;
	/* Commands that run already. */
	struct begun_command {
		const char *words;
		struct child_command command;
	} **begun;
	size_t n_begun, cap_begun;
};

/* ---- finding and asking --------------------------------------------------*/

/* Is the sacctmgr of that folder Slurm's, not one of ours? */
static bool is_slurms(struct sync *sync, const char *folder)
{
	char *argv[] = {
		arena_printf(&sync->arena, "%s/sacctmgr", folder), "-V", NULL};
	struct child_command command = {.argv = argv,
		.name = "sacctmgr -V",
		.conf = sync->words.conf,
		.timeout = 10};
	struct err ignored;
	char *text;

	return !access(argv[0], X_OK) &&
	       !command_text(&command, &sync->arena, &text, &ignored) &&
	       !strncmp(text, "slurm", 5) && !strstr(text, "bursar");
}

/* The parts of a text between any of these bytes. */
static void split(struct sync *sync, const char *text, const char *bytes,
	struct strv *parts)
{
	char *rest = arena_strdup(&sync->arena, text), *part;

	while ((part = strsep(&rest, bytes)))
		if (*part)
			strv_push(parts, &sync->arena, part);
}

const char *sync_slurm_folder(struct sync *sync)
{
	const char *path = getenv("PATH");
	struct strv folders = {0};

	if (sync->words.bin)
		return is_slurms(sync, sync->words.bin) ? sync->words.bin
							: NULL;
	split(sync, path ? path : "/usr/bin:/bin", ":", &folders);
	for (size_t i = 0; i < folders.n; i++)
		if (is_slurms(sync, folders.v[i]))
			return folders.v[i];
	return NULL;
}

static struct child_command make_command(
	struct sync *sync, const char *program, const struct strv *words)
{
	const struct from_slurm *from = sync->of_source;
	char **argv = arena_alloc(&sync->arena, (words->n + 2) * sizeof(*argv));

	argv[0] = arena_printf(&sync->arena, "%s/%s", from->folder, program);
	for (size_t i = 0; i < words->n; i++)
		argv[i + 1] = arena_strdup(&sync->arena, words->v[i]);
	argv[words->n + 1] = NULL;
	return (struct child_command){.argv = argv,
		.name = program,
		.conf = sync->words.conf,
		.timeout = sync->words.timeout.v};
}

/* Words separated by blanks. */
static struct child_command split_command(
	struct sync *sync, const char *program, const char *words)
{
	struct strv list = {0};

	split(sync, words, " ", &list);
	return make_command(sync, program, &list);
}

/* Each of them waits for slurmdbd most of its time. */
static void begin(struct sync *sync, const char *program, const char *words)
{
	struct from_slurm *from = sync->of_source;
	struct begun_command *new = arena_alloc(&sync->arena, sizeof(*new));
	struct err ignored;

	new->words = words;
	new->command = split_command(sync, program, words);
	if (!command_start(&new->command, &ignored))
		*ARENA_PUSH(&sync->arena, from->begun, from->n_begun,
			from->cap_begun) = new;
}

static struct child_command *find_begun(
	struct sync *sync, const char *program, const char *words)
{
	struct from_slurm *from = sync->of_source;

	for (size_t i = 0; i < from->n_begun; i++) {
		struct begun_command *one = from->begun[i];

		if (one->command.started && !strcmp(one->words, words) &&
			!strcmp(one->command.name, program))
			return &one->command;
	}
	return NULL;
}

static int ask(struct sync *sync, const char *program, const char *words,
	char **text)
{
	struct child_command *begun = find_begun(sync, program, words), command;

	if (!begun) {
		command = split_command(sync, program, words);
		begun = &command;
	}
	return command_text(begun, &sync->arena, text, &sync->s->err);
}

static void close_slurm(struct sync *sync)
{
	struct from_slurm *from = sync->of_source;
	struct err ignored;

	for (size_t i = 0; from && i < from->n_begun; i++)
		if (from->begun[i]->command.started)
			command_end(&from->begun[i]->command, -1, &ignored);
}

static int check_cluster(struct sync *sync)
{
	struct strv names = {0};
	char *text;

	if (ask(sync, "sacctmgr", "-nP show cluster format=cluster", &text))
		return -1;
	split(sync, text, "\n", &names);
	for (size_t i = 0; i < names.n; i++)
		if (!strcasecmp(names.v[i], sync->cluster))
			return 0;
	return err_set(&sync->s->err, ERR_USAGE,
		"slurmdbd knows no cluster '%s', only %s: say which with "
		"cluster=NAME",
		sync->cluster, strv_join_some(&names, ", ", &sync->arena));
}

/* By the controller's clock: times of jobs and events are its. sdiag says what
 * that shows, "(1795351023)" in its second line; where it may not, ours counts. */
static int64_t controllers_now(struct sync *sync)
{
	struct err ignored = sync->s->err;
	char *text;
	const char *at;
	int64_t now = 0;

	if (!ask(sync, "sdiag", "", &text) &&
		(at = strstr(text, "sdiag output at")) &&
		(at = strpbrk(at, "(\n")) && *at == '(')
		now = strtoll(at + 1, NULL, 10);
	sync->s->err = ignored;
	return now > 0 ? now : site_clock();
}

static int open_slurm(struct sync *sync)
{
	struct from_slurm *from = arena_alloc(&sync->arena, sizeof(*from));

	from->folder = sync_slurm_folder(sync);
	if (!from->folder && sync->words.bin)
		return err_set(&sync->s->err, ERR_USAGE,
			"bin=%s: there is no sacctmgr of Slurm's",
			sync->words.bin);
	if (!from->folder)
		return err_set(&sync->s->err, ERR_SYSTEM,
			"Slurm's commands are not in the folders of PATH: "
			"bin=FOLDER says where they are");
	sync->of_source = from;
	if (check_cluster(sync))
		return -1;
	sync->now = controllers_now(sync);
	return 0;
}

/* ---- sacctmgr dump -------------------------------------------------------*/

/* `show` leaves the signs of an association's QOS out in some releases; the flat
 * file has them. */
struct qos_of {
	char *name; /* account/user/partition */
	const char *qos;
	UT_hash_handle hh;
};

/* The value of ":KEY='value'" in the line; "" without one. */
static const char *flat_value(
	struct sync *sync, const char *line, const char *key)
{
	const char *at = strstr(line, key);

	if (!at)
		return "";
	at += strlen(key);
	return arena_printf(&sync->arena, "%.*s", (int)strcspn(at, "'"), at);
}

static void take_flat_line(struct sync *sync, const char *line,
	const char **parent, struct qos_of **all)
{
	struct from_slurm *from = sync->of_source;
	bool user = !strncmp(line, "User - ", 7);
	const char *name = flat_value(sync, line, " - '"), **row;
	struct qos_of *one;

	if (!strncmp(line, "Parent - ", 9)) {
		*parent = name;
		return;
	}
	if (!user && strncmp(line, "Account - ", 10) &&
		strncmp(line, "Cluster - ", 10))
		return;
	if (*line == 'C')
		name = "root"; /* its account */
	one = arena_alloc(&sync->arena, sizeof(*one));
	one->name = arena_printf(&sync->arena, "%s/%s/%s",
		user ? *parent : name, user ? name : "",
		user ? flat_value(sync, line, ":Partition='") : "");
	one->qos = flat_value(sync, line, ":QOS='");
	HASH_ADD_KEYPTR(hh, *all, one->name, strlen(one->name), one);
	if (!user)
		return;
	/* `show` names those of the accounts below, too. */
	row = sync_row(sync, &from->coordinators, 2);
	row[0] = name;
	row[1] = flat_value(sync, line, ":Coordinator='");
}

#define DUMP "-n dump {c} file=/proc/self/fd/1"

static int read_dump(struct sync *sync, struct qos_of **all)
{
	const char *parent = "root";
	char *text, *line;

	if (ask(sync, "sacctmgr", sync_fill(sync, DUMP, 0), &text))
		return -1;
	while ((line = strsep(&text, "\n")))
		take_flat_line(sync, line, &parent, all);
	return 0;
}

static const char *qos_in_dump(struct sync *sync, const struct qos_of *all,
	const char *account, const char *user, const char *partition)
{
	const char *name = arena_printf(
		&sync->arena, "%s/%s/%s", account, user, partition);
	struct qos_of *one;

	HASH_FIND_STR(all, name, one);
	return one ? one->qos : "";
}

/* ---- sacctmgr show -------------------------------------------------------*/

static const char *show_words(struct sync *sync, const struct sync_table *t,
	const struct strv *fields, int64_t since)
{
	return arena_printf(&sync->arena, "-nP show %s%s%s format=%s",
		sync_fill(sync, t->show, since),
		since && t->show_since ? " " : "",
		since && t->show_since ? sync_fill(sync, t->show_since, since)
				       : "",
		strv_join(fields, ",", &sync->arena));
}

/* "Unknown field 'Comment'": another release has no such column. */
static bool drop_unknown(struct strv *fields, const char *complaint)
{
	const char *name = strstr(complaint, "nknown field '");
	size_t n, kept = 0;

	if (!name)
		return false;
	name += strlen("nknown field '");
	n = strcspn(name, "'");
	for (size_t i = 0; i < fields->n; i++)
		if (strncasecmp(fields->v[i], name, n) || fields->v[i][n])
			fields->v[kept++] = fields->v[i];
	if (kept == fields->n || !kept)
		return false;
	fields->n = kept;
	return true;
}

static int show(struct sync *sync, const struct sync_table *t,
	struct strv *fields, int64_t since, char **text)
{
	struct err *err = &sync->s->err;

	while (ask(sync, "sacctmgr", show_words(sync, t, fields, since), text))
		if (!drop_unknown(fields, err->text))
			return -1;
	return 0;
}

/* A table while its lines are taken. */
struct shown_table {
	const struct sync_table *table;
	struct strv fields;	 /* that were asked for */
	int places[MOST_FIELDS]; /* of each column in a line; -1: not there */
	struct qos_of *dump;	 /* of associations */
	struct sync_rows *rows;
};

static size_t column_of(const struct sync_table *t, const char *field)
{
	size_t i = 0;

	while (i < t->n && (!t->columns[i].field ||
				   strcmp(t->columns[i].field, field) != 0))
		i++;
	return i;
}

static void find_places(struct shown_table *shown)
{
	for (size_t i = 0; i < shown->table->n; i++)
		shown->places[i] = -1;
	for (size_t i = 0; i < shown->fields.n; i++)
		shown->places[column_of(shown->table, shown->fields.v[i])] =
			(int)i;
}

static void put_signs(
	struct sync *sync, const struct shown_table *shown, const char **values)
{
	const struct sync_table *t = shown->table;

	values[column_of(t, "QOS")] = qos_in_dump(sync, shown->dump,
		values[column_of(t, "Account")], values[column_of(t, "User")],
		values[column_of(t, "Partition")]);
}

/* A free text may hold the delimiter: it stands last, or before the row's first
 * cell once more, under its other name. */
static void join_free_text(const struct strv *fields, char **cells, size_t n)
{
	size_t column = 0, at;

	while (column < fields->n && strcmp(fields->v[column], SYNC_AGAIN))
		column++;
	for (at = column; at < n && strcmp(cells[at], cells[0]);)
		at++;
	if (at < n && n - (at - column) >= fields->n) {
		n -= at - column;
		sacct_join(cells, n, column - 1, at - column, "|");
	}
	sacct_join(cells, fields->n, fields->n - 1, n - fields->n, "|");
}

static int take_line(
	struct sync *sync, const struct shown_table *shown, char *line)
{
	const size_t fields = shown->fields.n;
	const char **values;
	char *cells[MOST_FIELDS];
	size_t n = sacct_split(line, "|", cells, MOST_FIELDS);

	if (n < fields || n > MOST_FIELDS)
		return err_set(&sync->s->err, ERR_SYSTEM,
			"sacctmgr show %s: a line has %zu columns where %zu "
			"were asked for: '%s'",
			shown->table->what, n, fields, line);
	join_free_text(&shown->fields, cells, n);
	values = sync_row(sync, shown->rows, shown->table->n);
	for (size_t i = 0; i < shown->table->n; i++)
		values[i] = shown->places[i] < 0 ? ""
						 : cells[shown->places[i]];
	if (shown->dump)
		put_signs(sync, shown, values);
	return 0;
}

static int take_lines(
	struct sync *sync, const struct shown_table *shown, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line && take_line(sync, shown, line))
			return -1;
	return 0;
}

static struct strv fields_of(struct sync *sync, const struct sync_table *t)
{
	struct strv fields = {0};

	for (size_t i = 0; i < t->n; i++)
		if (t->columns[i].field)
			strv_push(&fields, &sync->arena, t->columns[i].field);
	return fields;
}

static bool is_of_dump(const struct sync_table *t)
{
	return !strcmp(t->what, "coordinator");
}

static bool needs_dump(const struct sync_table *t)
{
	return !strcmp(t->what, "association");
}

static void begin_rows(
	struct sync *sync, const struct sync_table *t, int64_t since)
{
	const struct strv fields = fields_of(sync, t);

	if (is_of_dump(t))
		return;
	begin(sync, "sacctmgr", show_words(sync, t, &fields, since));
	if (needs_dump(t))
		begin(sync, "sacctmgr", sync_fill(sync, DUMP, 0));
}

static int show_rows(struct sync *sync, const struct sync_table *t,
	int64_t since, struct sync_rows *rows)
{
	const struct from_slurm *from = sync->of_source;
	struct shown_table shown = {.table = t, .rows = rows};
	char *text;
	int rc;

	if (is_of_dump(t)) {
		*rows = from->coordinators;
		return 0;
	}
	shown.fields = fields_of(sync, t);
	if (show(sync, t, &shown.fields, since, &text) ||
		(needs_dump(t) && read_dump(sync, &shown.dump)))
		return -1;
	find_places(&shown);
	rc = take_lines(sync, &shown, text);
	HASH_CLEAR(hh, shown.dump);
	return rc;
}

/* ---- jobs ----------------------------------------------------------------*/

/* What this sacct can print and the import reads. */
static int job_columns(struct sync *sync, const char **columns)
{
	struct from_slurm *from = sync->of_source;
	struct strv known = {0}, words = {0};
	char *text;

	*columns = from->columns;
	if (*columns)
		return 0;
	if (ask(sync, "sacct", "--helpformat", &text))
		return -1;
	split(sync, text, " \n", &words);
	import_columns_open();
	for (size_t i = 0; i < words.n; i++)
		if (import_column(words.v[i]))
			strv_push(&known, &sync->arena, words.v[i]);
	if (!known.n)
		return err_set(&sync->s->err, ERR_SYSTEM,
			"sacct --helpformat names no columns: is it Slurm's?");
	*columns = from->columns = strv_join(&known, ",", &sync->arena);
	return 0;
}

/* All of a command's output through the import. */
static int import_command(struct sync *sync, struct child_command *command,
	const struct import_options *options, const char *format)
{
	char path[32];
	int rc;

	if (command_start(command, &sync->s->err))
		return -1;
	snprintf(path, sizeof(path), "/dev/fd/%d", command->fd);
	rc = import_path(sync->s, options, format, path, &sync->jobs);
	return command_end(command, rc < 0 ? -1 : 0, &sync->s->err);
}

/* Of what waits or runs squeue knows more. */
#define ENDED "BF,CA,CD,DL,F,NF,OOM,PR,RQ,RV,TO"
#define OPEN "PD,R,S"

static int jobs_between(struct sync *sync, const char *states,
	const struct ids *known, int64_t from, int64_t until)
{
	const struct import_options options = {
		.quiet = true, .to_end = true, .numbers = true, .known = known};
	struct child_command command;
	const char *columns = "";

	if (job_columns(sync, &columns))
		return -1;
	command = split_command(sync, "sacct",
		arena_printf(&sync->arena,
			"-aP --duplicates --delimiter=\x1f -M %s -S uts%lld "
			"-E uts%lld -s %s -o %s",
			sync->cluster, (long long)from, (long long)until, states,
			columns));
	command.time_format = "%s";
	return import_command(sync, &command, &options, "sacct");
}

/* In pieces of a month, so that a run that was ended goes on in the last. */
static int jobs(struct sync *sync, int64_t since)
{
	int64_t from = since, until;

	for (; from < sync->now; from = until) {
		/* Before all records: nothing, however long. */
		until = from ? from + WINDOW : sync->now - 400 * (int64_t)DAY;
		if (until > sync->now)
			until = sync->now + 1;
		if (jobs_between(sync, ENDED, NULL, from > FIRST ? from : FIRST,
			    until) ||
			sync_note_position(sync, "jobs",
				until < sync->now ? until : sync->now))
			return -1;
	}
	return 0;
}

/* squeue's list; then what only slurmdbd knows of its jobs, and those that it has
 * and the controller does not. */
static int queue(struct sync *sync)
{
	struct ids listed = {.arena = &sync->arena};
	const struct import_options options = {
		.quiet = true, .only_open = true, .numbers = true, .listed = &listed};
	struct child_command command = split_command(sync, "squeue",
		arena_printf(&sync->arena, "--json -M %s", sync->cluster));

	if (import_command(sync, &command, &options, "squeue"))
		return -1;
	ids_sort(&listed);
	return jobs_between(sync, OPEN, &listed, sync->now - 1, sync->now + 1);
}

/* ---- usage ---------------------------------------------------------------*/

static int usage(struct sync *sync, struct sync_rows *rows)
{
	char *text, *line;

	if (ask(sync, "sshare",
		    arena_printf(&sync->arena,
			    "-ahP -M %s -o account,user,partition,rawusage",
			    sync->cluster),
		    &text))
		return -1;
	while ((line = strsep(&text, "\n"))) {
		char *cells[4];

		line += strspn(line, " ");
		if (sacct_split(line, "|", cells, 4) != 4)
			continue; /* "CLUSTER: name" */
		memcpy(sync_row(sync, rows, 4), cells, sizeof(cells));
	}
	return 0;
}

const struct sync_source sync_from_slurm = {
	"slurm", open_slurm, show_rows, begin_rows, jobs, queue, usage,
	close_slurm};
