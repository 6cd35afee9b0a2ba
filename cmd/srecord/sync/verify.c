/*
 * What Slurm's programs print beside what ours do: the same command lines of both
 * are run and compared, row by row. What cannot be compared is said, and is no
 * difference.
 */
#include "cmd/srecord/sync/sync.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/cli/cli.h"
#include "cmd/srecord/sacctline.h"
#include "db/rollup/rollup.h"

enum { HOUR = 3600, DAYS = 30, DAY = 86400, MOST = 24, MOST_CELLS = 160 };

/* A command line of both. */
struct compared_listing {
	const char *what;
	const char *program;
	const char *words; /* {c}: the cluster, {t}: a time */
	const char *columns; /* behind the words, in their order; NULL: those of
				sacct that both have */
	size_t keys;	     /* the first columns say of what a row is */
	/* When {t} is; -1: there is nothing to compare. NULL: none is needed. */
	int64_t (*since)(struct sync *);
	const char *until; /* what a second time is called: until the last hour */
	double slack; /* numbers that differ by no more than this part are the
			 same: both programs do not run at the same moment */
};

struct compared_row {
	char *key;
	char **cells;
	size_t times; /* rows may be the same */
	UT_hash_handle hh;
};

struct listing_outcome {
	size_t rows, differ, only_slurm, only_ours;
	double largest;
	const char *where;   /* the largest difference of numbers is */
	const char *only;    /* the first row that one of them alone has */
	struct strv columns; /* that differ somewhere */
	const char *first;   /* the first text that does */
};

struct verifying {
	struct sync *sync;
	const char *folder; /* of Slurm's programs */
	const struct compared_listing *of;
	struct strv columns; /* of the listing */
	struct listing_outcome o;
	struct strv not_compared;
};

static const char *const sacct_apart[] = {"AllocCPUS", "ConsumedEnergy",
	"ConsumedEnergyRaw", "DBIndex", "Flags", "NCPUS", "Priority", "Reason",
	"Reserved", "ResvCPU", "ResvCPURAW", "SystemCPU", "TotalCPU", "UserCPU"};

/* What of a job that has not ended is more in the next second, and both programs do
 * not run in the same. */
static const char *const sacct_growing[] = {"Elapsed", "ElapsedRaw", "Suspended"};

/* ---- times ---------------------------------------------------------------*/

static int64_t some_days(struct sync *sync)
{
	return sync->now - DAYS * (int64_t)DAY;
}

/* The last hour of which slurmdbd has reports: it makes them when an hour is
 * over, and need not have begun with the last one. */
static int64_t last_hour(const struct sync *sync)
{
	return sync->now - sync->now % HOUR - HOUR;
}

/* From the first job that the store has. */
static int64_t common_time(struct sync *sync)
{
	int64_t first;

	if (rollup_first(sync->s->store, sync->cluster_key, &first) ||
		first == INT64_MAX)
		return -1;
	first += (HOUR - first % HOUR) % HOUR;
	return first < last_hour(sync) ? first : -1;
}

/* ---- all of them ---------------------------------------------------------*/

static const struct compared_listing listings[] = {
	{"associations", "sacctmgr",
		"-nP show association wopl withdeleted clusters={c} format=",
		"ID,Account,User,Partition,ParentName", 1, NULL, NULL, 0},
	{"accounts", "sacctmgr", "-nP show account withdeleted format=",
		"Account,Organization,Description", 1, NULL, NULL, 0},
	{"users", "sacctmgr", "-nP show user withdeleted format=", "User", 1,
		NULL, NULL, 0},
	{"QOS", "sacctmgr", "-nP show qos withdeleted format=", "ID,Name", 1,
		NULL, NULL, 0},
	{"wckeys", "sacctmgr", "-nP show wckey clusters={c} format=",
		"WCKey,User", 2, NULL, NULL, 0},
	{"TRES", "sacctmgr", "-nP show tres format=", "Type,Name,ID", 2, NULL,
		NULL, 0},
	{"clusters", "sacctmgr", "-nP show cluster {c} format=",
		"Cluster,Federation,ID", 1, NULL, NULL, 0},
	{"node events", "sacctmgr",
		"-nP show event clusters={c} start=uts{t} format=",
		"NodeName,TimeStart,TimeEnd,State,Reason", 2, some_days, NULL, 0},
	/* Without an end Slurm lists none that is to begin later. */
	{"reservations", "sacctmgr",
		"-nP show reservation clusters={c} start=uts{t}"
		" end=now+3650days format=",
		"Name,TimeStart,TimeEnd,NodeNames,TRES", 2, some_days, NULL, 0},
	{"transactions", "sacctmgr",
		"-nP show transactions start=uts{t} format=",
		"Time,Action,Actor,Where", 4, some_days, NULL, 0},
	{"jobs and steps", "sacct",
		"-naP --duplicates --delimiter=\x1f -M {c} -S uts{t} -o ", NULL,
		2, some_days, NULL, 0},
	{"the queue", "squeue", "-h -M {c} -o %i|%u|%a|%P|%q|%t|%C|%l|%j", NULL,
		1, NULL, NULL, 0},
	{"shares", "sshare", "-ahP -M {c} -o ", "account,user,partition,rawshares",
		3, NULL, NULL, 0},
	{"fair-share", "sshare", "-ahP -M {c} -o ",
		"account,user,partition,fairshare", 3, NULL, NULL, 0},
	{"raw usage", "sshare", "-ahP -M {c} -o ",
		"account,user,partition,rawusage", 3, NULL, NULL, 0.01},
	{"priority of pending jobs", "sprio", "-h -M {c} -o %i|%r|%Y", NULL, 2,
		NULL, NULL, 0},
	{"utilization by user (CPU minutes)", "sreport",
		"-nP cluster AccountUtilizationByUser clusters={c} start=uts{t}"
		" format=",
		"Account,Login,Used", 2, common_time, "end", 0},
	{"utilization of the cluster (CPU minutes)", "sreport",
		"-nP cluster Utilization clusters={c} start=uts{t} format=",
		"Cluster,Allocated,Reported", 1, common_time, "end", 0},
};

/* ---- rows ----------------------------------------------------------------*/

static const char *separator(const struct verifying *v)
{
	return !strcmp(v->of->program, "sacct") ? "\x1f" : "|";
}

/* "CLUSTER: name" and the like are not rows. A free text stands last. */
static bool read_row(struct verifying *v, char *line, struct compared_row *row)
{
	struct arena *arena = &v->sync->arena;
	const size_t n = v->columns.n;
	char *cells[MOST_CELLS];
	struct strv names = {0};
	size_t found;

	line += strspn(line, " ");
	found = sacct_split(line, separator(v), cells, MOST_CELLS);
	if (found < n || found > MOST_CELLS)
		return false;
	sacct_join(cells, n, n - 1, found - n, separator(v));
	for (size_t i = 0; i < n; i++) {
		cells[i] += strspn(cells[i], " ");
		if (i < v->of->keys)
			strv_push(&names, arena, cells[i]);
	}
	row->key = strv_join(&names, " ", arena);
	row->cells = arena_array(arena, n, sizeof(*row->cells));
	memcpy(row->cells, cells, n * sizeof(*cells));
	row->times = 1;
	return true;
}

static struct compared_row *find_row(
	struct compared_row *all, const struct compared_row *row)
{
	struct compared_row *found;

	HASH_FIND_STR(all, row->key, found);
	return found;
}

static struct compared_row *read_rows(struct verifying *v, char *text)
{
	struct compared_row *all = NULL, *known, row;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (!read_row(v, line, &row))
			continue;
		known = find_row(all, &row);
		if (known) {
			known->times++;
			continue;
		}
		known = arena_alloc(&v->sync->arena, sizeof(*known));
		*known = row;
		HASH_ADD_KEYPTR(
			hh, all, known->key, strlen(known->key), known);
	}
	return all;
}

/* By how much; 0: not at all, NAN: texts. */
static double difference(const char *slurms, const char *ours)
{
	char *end_a, *end_b;
	double a = strtod(slurms, &end_a), b = strtod(ours, &end_b);

	if (!strcmp(slurms, ours))
		return 0;
	if (!*slurms || !*ours || *end_a || *end_b)
		return NAN;
	return fabs(a - b);
}

static bool grows(
	const struct verifying *v, const struct compared_row *row, size_t column)
{
	if (!STR_AMONG(v->columns.v[column], sacct_growing))
		return false;
	for (size_t i = 0; i < v->columns.n; i++)
		if (!strcmp(v->columns.v[i], "End"))
			return !strcmp(row->cells[i], "Unknown");
	return false;
}

static void compare_cells(struct verifying *v, const struct compared_row *slurms,
	const struct compared_row *ours)
{
	struct listing_outcome *o = &v->o;
	struct arena *arena = &v->sync->arena;
	bool differs = false;

	for (size_t i = v->of->keys; i < v->columns.n; i++) {
		double by = difference(slurms->cells[i], ours->cells[i]);

		if (by == 0 || (grows(v, slurms, i) && grows(v, ours, i)))
			continue;
		if (by > o->largest) {
			o->largest = by;
			o->where = ours->key;
		}
		if (by <= v->of->slack * strtod(slurms->cells[i], NULL))
			continue;
		differs = true;
		if (!strv_has(&o->columns, v->columns.v[i]))
			strv_push(&o->columns, arena, v->columns.v[i]);
		if (isnan(by) && !o->first)
			o->first = arena_printf(arena,
				"%s: %s is '%s' there, '%s' here", ours->key,
				v->columns.v[i], slurms->cells[i],
				ours->cells[i]);
	}
	o->differ += differs;
}

/* How many rows like it the other has not. */
static size_t count_only(struct verifying *v, const struct compared_row *row,
	const struct compared_row *other)
{
	size_t there = other ? other->times : 0;

	if (row->times <= there)
		return 0;
	v->o.only = v->o.only ? v->o.only : row->key;
	return row->times - there;
}

static void compare_rows(struct verifying *v, char *slurms_text, char *ours_text)
{
	struct compared_row *slurms = read_rows(v, slurms_text);
	struct compared_row *ours = read_rows(v, ours_text);
	struct compared_row *other, *row;

	for (row = ours; row; row = row->hh.next) {
		v->o.rows += row->times;
		other = find_row(slurms, row);
		if (other)
			compare_cells(v, other, row);
		v->o.only_ours += count_only(v, row, other);
	}
	for (row = slurms; row; row = row->hh.next)
		v->o.only_slurm += count_only(v, row, find_row(ours, row));
	HASH_CLEAR(hh, slurms);
	HASH_CLEAR(hh, ours);
}

/* ---- running them --------------------------------------------------------*/

/* Slurm's, in that folder, or with NULL ours. */
static int run(struct verifying *v, const char *folder, const char *program,
	const char *line, char **text)
{
	struct sync *sync = v->sync;
	char path[PATH_MAX];
	char *argv[MOST], *words = arena_strdup(&sync->arena, line);
	struct child_command command = {.argv = argv,
		.name = program,
		.conf = folder ? sync->words.conf : NULL,
		.timeout = sync->words.timeout.v};
	size_t n = 0;

	if (!folder && cli_beside(path, program, &sync->s->err))
		return -1;
	argv[n++] = folder ? arena_printf(&sync->arena, "%s/%s", folder, program)
			   : path;
	while (n < MOST - 1 && (argv[n] = strsep(&words, " ")))
		n++;
	argv[n] = NULL;
	return command_text(&command, &sync->arena, text, &sync->s->err);
}

static int help_names(struct verifying *v, const char *folder, struct strv *names)
{
	char *text, *word;

	if (run(v, folder, "sacct", "--helpformat", &text))
		return -1;
	while ((word = strsep(&text, " \n")))
		if (*word)
			strv_push(names, &v->sync->arena, word);
	return 0;
}

/* Those that sync takes over, of what both can print. */
static int sacct_columns(struct verifying *v)
{
	struct strv slurms = {0}, ours = {0};
	struct arena *arena = &v->sync->arena;

	if (help_names(v, v->folder, &slurms) || help_names(v, NULL, &ours))
		return -1;
	import_columns_open();
	strv_push(&v->columns, arena, "JobID");
	strv_push(&v->columns, arena, "Submit");
	for (size_t i = 0; i < ours.n; i++)
		if (strv_has(&slurms, ours.v[i]) && import_column(ours.v[i]) &&
			!STR_AMONG(ours.v[i], sacct_apart) &&
			!strv_has(&v->columns, ours.v[i]))
			strv_push(&v->columns, arena, ours.v[i]);
	return 0;
}

/* "%i|%r|%Y" */
static void format_columns(struct verifying *v)
{
	char *text = arena_strdup(
		&v->sync->arena, strrchr(v->of->words, ' ') + 1);
	char *one;

	while ((one = strsep(&text, "|")))
		strv_push(&v->columns, &v->sync->arena, one);
}

static int find_columns(struct verifying *v)
{
	v->columns = (struct strv){0};
	if (v->of->columns)
		strv_split(&v->columns, &v->sync->arena, v->of->columns);
	else if (!strcmp(v->of->program, "sacct"))
		return sacct_columns(v);
	else
		format_columns(v);
	return 0;
}

static const char *command_line(struct verifying *v, int64_t since)
{
	struct sync *sync = v->sync;
	const char *line = sync_fill(sync, v->of->words, since);

	if (line[strlen(line) - 1] == '=' || line[strlen(line) - 1] == ' ')
		line = arena_printf(&sync->arena, "%s%s", line,
			strv_join(&v->columns, ",", &sync->arena));
	return v->of->until ? arena_printf(&sync->arena, "%s %s=uts%lld", line,
				      v->of->until,
				      (long long)last_hour(sync))
			    : line;
}

static void leave_out(struct verifying *v, const char *why)
{
	strv_printf(&v->not_compared, &v->sync->arena, "%s: %s", v->of->what, why);
}

static void print(const struct verifying *v)
{
	const struct listing_outcome *o = &v->o;

	printf("%s: %zu rows, %zu differ", v->of->what, o->rows, o->differ);
	if (o->columns.n && v->of->keys + 1 < v->columns.n)
		printf(" in %s", strv_join_some(&o->columns, ", ",
					 &v->sync->arena));
	if (o->first)
		printf(" (%s)", o->first);
	if (o->largest > 0)
		printf(", most by %g (%s)", o->largest, o->where);
	if (o->only_slurm)
		printf(", %zu only in Slurm", o->only_slurm);
	if (o->only_ours)
		printf(", %zu only here", o->only_ours);
	if (o->only)
		printf(" (%s)", o->only);
	putchar('\n');
}

/* 1: something differs. */
static int compare(struct verifying *v)
{
	int64_t since = v->of->since ? v->of->since(v->sync) : 0;
	const char *line;
	char *slurms, *ours;

	v->o = (struct listing_outcome){0};
	if (since < 0) {
		leave_out(v, "there is no time that both have");
		return 0;
	}
	if (find_columns(v))
		return -1;
	line = command_line(v, since);
	if (run(v, NULL, v->of->program, line, &ours))
		return -1;
	if (run(v, v->folder, v->of->program, line, &slurms)) {
		leave_out(v, v->sync->s->err.text);
		return 0;
	}
	compare_rows(v, slurms, ours);
	print(v);
	return v->o.differ || v->o.only_ours || v->o.only_slurm;
}

static void print_left_out(struct verifying *v)
{
	struct arena *arena = &v->sync->arena;
	struct strv apart = {0};

	for (size_t i = 0; i < sizeof(sacct_apart) / sizeof(*sacct_apart); i++)
		strv_push(&apart, arena, sacct_apart[i]);
	strv_printf(&v->not_compared, arena,
		"jobs and steps: those before the last %d days, how long one runs "
		"that has not ended, and %s", DAYS, strv_join(&apart, ", ", arena));
	strv_printf(&v->not_compared, arena,
		"utilization: time that slurmdbd has not rolled up yet, and "
		"before the first job of the store");
	for (size_t i = 0; i < v->not_compared.n; i++)
		printf("not compared: %s\n", v->not_compared.v[i]);
}

int sync_verify(struct sync *sync)
{
	struct verifying v = {.sync = sync, .folder = sync_slurm_folder(sync)};
	int differs = 0;

	if (!v.folder)
		return err_set(&sync->s->err, ERR_USAGE,
			"--verify runs Slurm's commands: bin=FOLDER says where "
			"they are");
	for (size_t i = 0; i < sizeof(listings) / sizeof(*listings); i++) {
		int rc;

		v.of = &listings[i];
		rc = compare(&v);
		if (rc < 0)
			return -1;
		differs |= rc;
	}
	print_left_out(&v);
	return differs;
}
