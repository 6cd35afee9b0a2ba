/*
 * tests/torture/run calls this; see torture.h and tests/README.md.
 *
 *   torture BIN FAULTS.SO [seed=N] [kills=N] [faults=N] [after=N] [cuts=N] [rounds=N]
 *
 * Its caller sets SLURM_CONF. Prints what it did; exit status 1 when anything was lost.
 */
#include "tests/torture/torture.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct options options = {
	.seed = 1, .kills = 60, .faults = 60, .after = 2, .cuts = 60,
	.rounds = 4};

static const char *folder; /* below which the places are */
static long bad; /* all that must not be */

static _Noreturn void stop(const char *what)
{
	fprintf(stderr, "torture: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* xorshift64*: the same numbers everywhere for a seed. */
uint64_t chance(uint64_t below)
{
	options.seed ^= options.seed >> 12;
	options.seed ^= options.seed << 25;
	options.seed ^= options.seed >> 27;
	return (options.seed * 2685821657736338717u >> 11) % below;
}

/* ---- places --------------------------------------------------------------*/

void make_place(struct place *place, const char *name)
{
	snprintf(place->dir, sizeof(place->dir), "%s/%s", folder, name);
	snprintf(place->store, sizeof(place->store), "%s/acct.db", place->dir);
	remove_place(place);
	if (mkdir(place->dir, 0755))
		stop(place->dir);
}

static void system_or_stop(const char *command)
{
	if (system(command))
		stop(command);
}

/* Without a process for each: most of what is tortured runs on a copy. */
static const struct place *copied_from, *copied_to;

static int copy_one(const char *path, const struct stat *st, int type,
	struct FTW *where)
{
	char to[TEXT];
	int in, out;

	if (!where->level)
		return 0;
	snprintf(to, sizeof(to), "%s%s", copied_to->dir,
		path + strlen(copied_from->dir));
	if (type == FTW_D)
		return mkdir(to, st->st_mode & 0777);
	in = open(path, O_RDONLY | O_CLOEXEC);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (in < 0 || out < 0 || fchmod(out, st->st_mode & 0777) ||
		sendfile(out, in, NULL, (size_t)st->st_size) != st->st_size)
		return -1;
	close(in);
	return close(out);
}

void copy_place(const struct place *from, struct place *to, const char *name)
{
	make_place(to, name);
	copied_from = from;
	copied_to = to;
	if (nftw(from->dir, copy_one, 16, FTW_PHYS))
		stop(from->dir);
}

static int remove_one(const char *path, const struct stat *st, int type,
	struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

void remove_place(const struct place *place)
{
	if (nftw(place->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS) &&
		errno != ENOENT)
		stop(place->dir);
}

/* ---- programs ------------------------------------------------------------*/

static size_t put_first_line(const struct place *place, char *text)
{
	char path[TEXT];
	FILE *in;

	snprintf(path, sizeof(path), "%s/words", place->dir);
	in = fopen(path, "r");
	if (!in || fscanf(in, "%250[^\n]", text) != 1)
		*text = '\0';
	if (in)
		fclose(in);
	return strlen(text);
}

int64_t midnight(int days_ago)
{
	static int64_t today;

	if (!today)
		today = (int64_t)time(NULL) / 86400 * 86400;
	return today - days_ago * 86400;
}

const char *day_of(int days_ago)
{
	static char text[16];
	const time_t at = (time_t)midnight(days_ago);

	strftime(text, sizeof(text), "%Y-%m-%d", gmtime(&at));
	return text;
}

void fill(const char *format, const struct place *place, int round,
	char text[TEXT])
{
	size_t n = 0;

	for (; *format && n + 300 < TEXT; format++) {
		if (format[0] == '%' && format[1] == 'd')
			n += (size_t)sprintf(text + n, "%d", round);
		else if (format[0] == '%' && format[1] == 'D')
			n += (size_t)sprintf(text + n, "%s", place->dir);
		else if (format[0] == '%' && format[1] == 'F')
			n += put_first_line(place, text + n);
		else if (format[0] == '%' && format[1] == 'O')
			n += (size_t)sprintf(text + n, "%s", day_of(OLD));
		else if (format[0] == '%' && format[1] == 'R')
			n += (size_t)sprintf(text + n, "%s", day_of(RECENT));
		else if (format[0] == '%' && format[1] == 'L')
			n += (size_t)sprintf(text + n, "%s", day_of(LATER));
		else
			text[n++] = *format;
		if (format[0] == '%' && format[1] && strchr("dDFORL", format[1]))
			format++;
	}
	text[n] = '\0';
}

enum { OWN_UID, STRANGER = 12345 };

/* As `uid`, unless that is OWN_UID. All files are opened before it is taken:
 * the programs may be in a folder that only their builder may enter. */
static void become(const struct place *place, char *text, const char *out,
	const char *const *environment, uid_t uid)
{
	char *words[64], path[TEXT];
	size_t n = 0;
	int program, fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	for (char *word = strtok(text, " "); word && n < 63;
		word = strtok(NULL, " "))
		if (!n && strchr(word, '='))
			putenv(word);
		else
			words[n++] = word;
	words[n] = NULL;
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(fd, 1);
	snprintf(path, sizeof(path), "%s.err", out);
	dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), 2);
	setenv("BURSAR_STORE", place->store, 1);
	snprintf(path, sizeof(path), "%ld", (long)getpid());
	setenv("TORTURE_PID", path, 1);
	for (; environment && *environment; environment++)
		putenv((char *)*environment);
	snprintf(path, sizeof(path), "%s/%s", options.bin, words[0]);
	program = open(path, O_PATH | O_CLOEXEC);
	if (uid != OWN_UID && (setgroups(0, NULL) || setgid(uid) || setuid(uid)))
		_exit(126);
	fexecve(program, words, environ);
	_exit(127);
}

struct place place_of(const struct place *place, const struct work *work)
{
	struct place own = *place;

	if (work->store)
		snprintf(own.store, sizeof(own.store), "%s/%s", place->dir,
			work->store);
	return own;
}

pid_t start(const struct place *place, const char *words, int round,
	const char *const *environment)
{
	char text[TEXT], out[TEXT];
	pid_t child;

	fill(words, place, round, text);
	snprintf(out, sizeof(out), "%s.out", place->dir);
	child = fork();
	if (child < 0)
		stop("fork");
	if (!child)
		become(place, text, out, environment, OWN_UID);
	return child;
}

int finish(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			stop("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(const struct place *place, const char *words, int round)
{
	return finish(start(place, words, round, NULL));
}

int lines_of(const struct place *place, const char *words, int round)
{
	char out[TEXT];
	int c, lines = 0;
	FILE *in;

	run(place, words, round); /* "there is none" is a failure to some */
	snprintf(out, sizeof(out), "%s.out", place->dir);
	in = fopen(out, "r");
	while (in && (c = getc(in)) != EOF)
		lines += c == '\n';
	if (in)
		fclose(in);
	return lines;
}

int state_of(const struct place *place, const struct work *work, int round)
{
	const struct place at = place_of(place, work);
	int lines;

	if (work->look)
		return work->look(&at, round);
	if (!*work->ask)
		return 1;
	lines = lines_of(&at, work->ask, round);
	if (lines == work->whole)
		return 1;
	return lines ? -1 : 0;
}

/* ---- judging -------------------------------------------------------------*/

static bool says_ok(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	bool fine = true;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fine = false;
	while (fine && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(stmt, 0);

		if (!text || strcmp(text, "ok")) {
			printf("# %s: %s\n", sql, text ? text : "NULL");
			fine = false;
		}
	}
	sqlite3_finalize(stmt);
	return fine;
}

/* FNV-1a, eight bytes at a time. */
uint64_t hash_of(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint64_t eight;

	hash ^= n;
	for (; n >= sizeof(eight); n -= sizeof(eight), at += sizeof(eight)) {
		memcpy(&eight, at, sizeof(eight));
		hash = (hash ^ eight) * 0x100000001b3;
		hash ^= hash >> 29;
	}
	for (; n; n--)
		hash = (hash ^ *at++) * 0x100000001b3;
	return hash;
}

static uint64_t hash_of_store(const struct place *place)
{
	static const char *const ends[] = {"", "-wal", "-journal"};
	static char bytes[1 << 16];
	uint64_t hash = 0xcbf29ce484222325;

	for (int i = 0; i < 3; i++) {
		char path[TEXT];
		size_t n;
		FILE *in;

		snprintf(path, sizeof(path), "%s%s", place->store, ends[i]);
		in = fopen(path, "r");
		while (in && (n = fread(bytes, 1, sizeof(bytes), in)))
			hash = hash_of(hash, bytes, n);
		if (in)
			fclose(in);
		hash = hash_of(hash, "", 1);
	}
	return hash;
}

/* To look takes longer than to read it, and most stores are as one was before. */
static bool was_sound(uint64_t hash, bool now)
{
	static uint64_t known[4096];
	uint64_t *at = &known[hash % 4096];

	if (now)
		*at = hash;
	return *at == hash;
}

bool is_sound(const struct place *place)
{
	uint64_t hash = hash_of_store(place);
	sqlite3 *db;
	int keep = 1;
	bool fine;

	if (was_sound(hash, false))
		return true;
	if (sqlite3_open_v2(place->store, &db, SQLITE_OPEN_READWRITE, NULL) !=
		SQLITE_OK)
		return false;
	sqlite3_busy_timeout(db, 20000);
	sqlite3_file_control(db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
	fine = says_ok(db, "PRAGMA integrity_check") &&
	       says_ok(db, "PRAGMA foreign_key_check");
	sqlite3_close(db);
	if (fine)
		was_sound(hash, true);
	return fine;
}

bool are_sound(const struct place *place)
{
	bool fine = is_sound(place);

	for (size_t i = 0; i < n_works; i++) {
		const struct place own = place_of(place, &works[i]);

		if (works[i].store && !access(own.store, F_OK))
			fine &= is_sound(&own);
	}
	return fine;
}

static char *first_line(const char *path, char line[TEXT])
{
	FILE *in = fopen(path, "r");

	if (!in || !fgets(line, TEXT, in))
		*line = '\0';
	if (in)
		fclose(in);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static void report(const struct place *place, const struct work *work,
	int round, const char *what, const char *said)
{
	char words[TEXT];

	fill(work->words, place, round, words);
	printf("# %s: %s (%s)\n", what, words, said);
}

/* After a sync that failed nobody can tell; it says so. An import says up to
 * which line it came. */
static bool admits(const char *said)
{
	return strstr(said, "may have been made") ||
	       strstr(said, "is in the store; run it again to go on");
}

static bool shows_done(const struct work *work)
{
	return work->look ? work->by_itself : *work->ask != '\0';
}

void judge(struct tally *tally, const struct place *place,
	const struct work *work, int round, int status)
{
	char err[TEXT], said[TEXT];
	int state;

	snprintf(err, sizeof(err), "%s.out.err", place->dir);
	first_line(err, said);
	tally->runs++;
	if (status == 128 + SIGSEGV || status == 128 + SIGBUS ||
		status == 128 + SIGFPE || status == 128 + SIGILL) {
		tally->broken++;
		report(place, work, round, "crashed", said);
	}
	state = state_of(place, work, round);
	if (!status)
		tally->said_yes++;
	else if (status < 128)
		tally->said_no++;
	if (state < 0) {
		tally->half++;
		report(place, work, round, "half done", said);
	} else if (!status && !state) {
		tally->lost++;
		report(place, work, round, "said yes, not done", said);
	} else if (status && status < 128 && state && shows_done(work) &&
		   !admits(said)) {
		tally->unsaid++;
		report(place, work, round, "said no, done", said);
	}
}

void judge_done(struct tally *tally, const struct place *place,
	const struct work *work, int status, const char *with)
{
	char err[TEXT], said[TEXT], what[TEXT];

	snprintf(err, sizeof(err), "%s.out.err", place->dir);
	first_line(err, said);
	tally->runs++;
	if (state_of(place, work, 1) != 1) {
		/* Memory may be short before SQLite has it done. */
		tally->said_no += status != 0;
		if (status && strstr(with, "alloc"))
			return;
		tally->lost++;
		snprintf(what, sizeof(what), "lost with %s", with);
	} else if (status >= 128 && status != 128 + SIGABRT) {
		tally->broken++;
		snprintf(what, sizeof(what), "crashed with %s", with);
	} else if (status) {
		tally->said_no++;
		tally->unsaid++;
		snprintf(what, sizeof(what), "said no, done, with %s", with);
	} else {
		tally->said_yes++;
		return;
	}
	report(place, work, 1, what, said);
}

static long wrong_in(const struct tally *t)
{
	return t->lost + t->half + t->broken + t->unsaid;
}

static void print_tally(const char *name, const struct tally *t)
{
	printf("%s: %ld, %ld acknowledged, %ld refused; %ld lost, %ld half "
	       "done, %ld crashed or damaged, %ld done but refused\n",
		name, t->runs, t->said_yes, t->said_no, t->lost, t->half,
		t->broken, t->unsaid);
	fflush(stdout);
	bad += wrong_in(t);
}

/* ---- another uid ---------------------------------------------------------*/

static long strange_readings, strange_errors;

/* Not as a library in front of libc believes. */
static bool is_really_root(void)
{
	unsigned real = 1, effective = 1;
	char line[256];
	FILE *in = fopen("/proc/self/status", "r");

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "Uid: %u %u", &real, &effective) == 2)
			break;
	if (in)
		fclose(in);
	return !real && !effective;
}

/* One who may read the store, and write neither it nor its folder, whatever
 * state a kill has left it in. */
static void read_as_stranger(const struct place *place)
{
	char words[TEXT] = "sacctmgr -nP show account lab format=account";
	char out[TEXT], err[TEXT + 8], line[TEXT];
	pid_t child;

	if (!is_really_root())
		return;
	snprintf(out, sizeof(out), "%s.strange", place->dir);
	snprintf(err, sizeof(err), "%s.err", out);
	child = fork();
	if (!child)
		become(place, words, out, NULL, STRANGER);
	strange_readings++;
	if (finish(child)) {
		strange_errors++;
		printf("# cannot be read by another uid: %s\n",
			first_line(err, line));
	}
}

/* ---- kills ---------------------------------------------------------------*/

static int64_t microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void prepare(const struct place *place, const struct work *w, int round)
{
	const struct place at = place_of(place, w);

	if (w->prepare)
		w->prepare(&at, round);
}

pid_t start_work(const struct place *place, const struct work *w,
	int round, const char *const *environment)
{
	const struct place at = place_of(place, w);

	return start(&at, w->words, round, environment);
}

/* Each at a moment between its start and what it took when it was left alone,
 * and a little later. */
static void kills(const struct place *base)
{
	int64_t takes[64];
	struct tally tally = {0};
	struct place place;

	copy_place(base, &place, "kills");
	for (size_t i = 0; i < n_works; i++) {
		prepare(&place, &works[i], (int)i + 100);
		takes[i] = microseconds();
		if (finish(start_work(&place, &works[i], (int)i + 100, NULL))) {
			report(&place, &works[i], (int)i + 100, "fails", "");
			exit(2);
		}
		takes[i] = microseconds() - takes[i];
	}
	for (long i = 0; i < options.kills; i++) {
		const struct work *w = &works[(size_t)i % n_works];
		int round = (int)i + 1000, status;
		pid_t child;

		prepare(&place, w, round);
		child = start_work(&place, w, round, NULL);
		usleep((useconds_t)chance(
			(uint64_t)takes[(size_t)i % n_works] * 5 / 4));
		kill(child, SIGKILL);
		status = finish(child);
		if (i % 10 == 9)
			read_as_stranger(&place);
		judge(&tally, &place, w, round, status);
		if (i % 50 == 49 && !are_sound(&place))
			tally.broken++;
	}
	if (!are_sound(&place))
		tally.broken++;
	print_tally("kills", &tally);
	printf("readings by another uid after kills: %ld, %ld errors\n",
		strange_readings, strange_errors);
	bad += strange_errors;
	remove_place(&place);
}

/* ---- faults --------------------------------------------------------------*/

static void count_calls(
	const struct place *base, long counts[][2], const char *preload)
{
	for (size_t i = 0; i < n_works; i++) {
		char count[TEXT];
		const char *environment[] = {preload, count, NULL};
		struct place place;
		FILE *in;

		copy_place(base, &place, "counted");
		prepare(&place, &works[i], 1);
		snprintf(count, sizeof(count), "TORTURE_COUNT=%s/count",
			place.dir);
		finish(start_work(&place, &works[i], 1, environment));
		in = fopen(count + strlen("TORTURE_COUNT="), "r");
		if (!in || fscanf(in, "%ld %ld", &counts[i][0],
				   &counts[i][1]) != 2)
			stop("calls cannot be counted");
		fclose(in);
		remove_place(&place);
	}
}

const char *preload_text(void)
{
	static char text[TEXT];
	const char *before = getenv("LD_PRELOAD");

	snprintf(text, sizeof(text), "LD_PRELOAD=%s%s%s", options.faults_so,
		before && *before ? ":" : "", before ? before : "");
	return text;
}

static void fault(const struct place *base, const struct work *w,
	const char *kind, long call, struct tally *tally)
{
	char fail[64];
	const char *environment[] = {preload_text(), fail, NULL};
	long wrong = wrong_in(tally);
	struct place place;

	snprintf(fail, sizeof(fail), "TORTURE_FAIL=%s:%ld", kind, call);
	copy_place(base, &place, "fault");
	prepare(&place, w, 1);
	judge(tally, &place, w, 1,
		finish(start_work(&place, w, 1, environment)));
	if (!are_sound(&place))
		tally->broken++;
	if (wrong_in(tally) > wrong)
		report(&place, w, 1, "with", fail);
	remove_place(&place);
}

/* Every call of every command where there are enough rounds for it, else some
 * of them by chance. */
static void faults(const struct place *base, const char *kind, int column,
	long counts[][2])
{
	struct tally tally = {0};
	long all = 0;

	for (size_t n = 0; n < n_works; n++)
		all += counts[n][column];
	if (options.faults >= all)
		for (size_t n = 0; n < n_works; n++)
			for (long call = 1; call <= counts[n][column]; call++)
				fault(base, &works[n], kind, call, &tally);
	else
		for (long i = 0; i < options.faults; i++) {
			size_t n = (size_t)i % n_works;

			fault(base, &works[n], kind,
				1 + (long)chance((uint64_t)counts[n][column]),
				&tally);
		}
	print_tally(column ? "failed allocations" : "failed calls on files",
		&tally);
}

/* Commands that only read: what they print is right, or they fail; some have
 * something to find fault with, and exit with that. None of them
 * says the time, nor anything that decays while they run. */
static const char *const readings[] = {
	"sacctmgr -nP show assoc tree",
	"sacctmgr --json show user withassoc",
	"sacctmgr -nP show txn format=action,where",
	"sacct -nPX -S %R -E %L",
	"sacct --json -j 1",
	"squeue -h",
	"sshare -anP -o account,user,rawshares",
	"sprio -nl",
	"sinfo -h",
	"scontrol show nodes",
	"splan",
	"sreport -nP cluster utilization start=%R end=%L",
};

enum { READINGS = sizeof(readings) / sizeof(readings[0]) };

static int right_status[READINGS];

static bool printed_the_same(const struct place *place, int reading)
{
	char command[2 * TEXT];

	snprintf(command, sizeof(command), "cmp -s '%s.out' '%s/right%d'",
		place->dir, place->dir, reading);
	return !system(command);
}

static void keep_what_is_right(
	const struct place *place, const char *preload, long counts[][2])
{
	for (int n = 0; n < READINGS; n++) {
		char command[2 * TEXT], count[TEXT];
		const char *environment[] = {preload, count, NULL};
		FILE *in;

		/* The second time: nothing is rolled up or made any more. */
		snprintf(count, sizeof(count), "TORTURE_COUNT=%s/count",
			place->dir);
		for (int i = 0; i < 2; i++)
			right_status[n] = finish(
				start(place, readings[n], 0, environment));
		if (right_status[n] > 2)
			stop(readings[n]);
		snprintf(command, sizeof(command), "cp '%s.out' '%s/right%d'",
			place->dir, place->dir, n);
		system_or_stop(command);
		in = fopen(count + strlen("TORTURE_COUNT="), "r");
		if (!in || fscanf(in, "%ld %ld", &counts[n][0],
				   &counts[n][1]) != 2)
			stop("calls cannot be counted");
		fclose(in);
	}
}

static void faults_of_readings(
	const struct place *base, const char *kind, int column)
{
	const char *preload = preload_text();
	long counts[READINGS][2], refused = 0, lies = 0, crashed = 0;
	char err[TEXT], line[TEXT];
	struct place place;

	copy_place(base, &place, "read");
	keep_what_is_right(&place, preload, counts);
	for (long i = 0; i < options.faults; i++) {
		int n = (int)(i % READINGS), status;
		char fail[64];
		const char *environment[] = {preload, fail, NULL};

		snprintf(fail, sizeof(fail), "TORTURE_FAIL=%s:%ld", kind,
			1 + (long)chance((uint64_t)counts[n][column]));
		status = finish(start(&place, readings[n], 0, environment));
		snprintf(err, sizeof(err), "%s.out.err", place.dir);
		if (status && *first_line(err, line)) {
			refused++;
		} else if (status < 128 && (status != right_status[n] ||
						!printed_the_same(&place, n))) {
			lies++;
			printf("# says what is not so: %s %s\n", fail,
				readings[n]);
		}
		if (status > 128 && status != 128 + SIGABRT) {
			crashed++;
			printf("# crashed: %s %s\n", fail, readings[n]);
		}
	}
	printf("readings with failed %s: %ld, %ld refused; %ld lies, %ld "
	       "crashed\n",
		column ? "allocations" : "calls on files", options.faults,
		refused, lies, crashed);
	fflush(stdout);
	bad += lies + crashed;
	remove_place(&place);
}

/* ---- many at once --------------------------------------------------------*/

enum { WRITERS = 8, READERS = 8 };

static void complain(const struct place *place)
{
	char err[TEXT], line[TEXT];

	snprintf(err, sizeof(err), "%s.out.err", place->dir);
	printf("# %s", first_line(err, line));
	snprintf(err, sizeof(err), "%s.out", place->dir);
	printf(" %s\n", first_line(err, line));
	fflush(stdout);
}

static _Noreturn void write_on(const struct place *all, int who)
{
	struct place place = *all;
	int errors = 0;

	snprintf(place.dir, sizeof(place.dir), "%s/w%d", all->dir, who);
	for (long i = 0; i < options.rounds; i++)
		{
			int status = run(&place, "sacctmgr -iQ add account p%d",
				who * 100000 + (int)i);

			if (status) {
				printf("# exit status %d\n", status);
				errors++;
				complain(&place);
			}
		}
	_exit(errors > 100 ? 100 : errors);
}

static _Noreturn void read_on(const struct place *all, int who)
{
	struct place place = *all;
	int errors = 0;

	snprintf(place.dir, sizeof(place.dir), "%s/r%d", all->dir, who);
	for (long i = 0; i < options.rounds; i++) {
		int status = run(&place, "sshare -anP", 0);
		int lines = lines_of(
			&place, "sacctmgr -nP show account lab", 0);

		if (status || lines != 1) {
			printf("# exit status %d, %d lines\n", status, lines);
			errors++;
			complain(&place);
		}
	}
	_exit(errors > 100 ? 100 : errors);
}

static void race(const struct place *base)
{
	struct place place;
	pid_t child[WRITERS + READERS];
	int64_t began = microseconds();
	long errors = 0, lost = 0;

	copy_place(base, &place, "race");
	for (int i = 0; i < WRITERS + READERS; i++) {
		child[i] = fork();
		if (child[i] < 0)
			stop("fork");
		if (!child[i] && i < WRITERS)
			write_on(&place, i);
		else if (!child[i])
			read_on(&place, i);
	}
	for (int i = 0; i < WRITERS + READERS; i++)
		errors += finish(child[i]);
	for (int who = 0; who < WRITERS; who++)
		for (long i = 0; i < options.rounds; i++)
			lost += lines_of(&place,
					"sacctmgr -nP show account p%d",
					who * 100000 + (int)i) != 1;
	if (!is_sound(&place))
		lost++;
	printf("%d writers beside %d readers: %ld changes, %ld readings in "
	       "%.0f s; %ld errors, %ld lost\n",
		WRITERS, READERS, WRITERS * options.rounds,
		READERS * options.rounds * 2,
		(double)(microseconds() - began) / 1e6, errors, lost);
	fflush(stdout);
	bad += errors + lost;
	remove_place(&place);
}

/* ---- all -----------------------------------------------------------------*/

static void read_words(int argc, char **argv)
{
	const struct {
		const char *name;
		long *value;
	} names[] = {{"kills=", &options.kills}, {"faults=", &options.faults},
		{"after=", &options.after}, {"cuts=", &options.cuts}, {"rounds=", &options.rounds}};

	for (int i = 3; i < argc; i++) {
		if (!strncmp(argv[i], "seed=", 5))
			options.seed = strtoull(argv[i] + 5, NULL, 10) | 1;
		for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
			if (!strncmp(argv[i], names[n].name,
				    strlen(names[n].name)))
				*names[n].value = strtol(
					argv[i] + strlen(names[n].name), NULL,
					10);
	}
}

static void make_base(struct place *base)
{
	static const char *const words[] = {
		"sacctmgr -iQ add account lab",
		"sacctmgr -iQ add user ann account=lab",
		"srecord job id=1 user=ann account=lab submit=%R "
		"start=%RT00:00:00 end=%RT01:00:00 state=COMPLETED",
	};

	make_place(base, "base");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (run(base, words[i], 0)) {
			fprintf(stderr, "torture: fails: %s\n", words[i]);
			exit(2);
		}
	make_older(base);
	chmod(base->store, 0644); /* what is beside it follows */
}

int main(int argc, char **argv)
{
	char text[TEXT / 4];
	long counts[64][2];
	struct tally tally = {0};
	struct place base;

	if (argc < 3) {
		fprintf(stderr, "usage: torture BIN FAULTS.SO [NAME=N]...\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	options.bin = argv[1];
	options.faults_so = argv[2];
	read_words(argc, argv);
	snprintf(text, sizeof(text), "%s/torture.XXXXXX",
		getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	folder = mkdtemp(text);
	if (!folder || chmod(folder, 0755))
		stop(text);
	printf("seed %llu\n", (unsigned long long)options.seed);
	make_base(&base);
	if (options.kills)
		kills(&base);
	if (options.faults) {
		count_calls(&base, counts, preload_text());
		faults(&base, "io", 0, counts);
		faults(&base, "alloc", 1, counts);
		faults_of_readings(&base, "io", 0);
		faults_of_readings(&base, "alloc", 1);
	}
	if (options.after) {
		long n = after_commits(&base, &tally);

		printf("%ld commands, calls after COMMIT; ", n);
		print_tally("failed", &tally);
		tally = (struct tally){0};
	}
	if (options.cuts) {
		power_cuts(&base, &tally);
		print_tally("power cuts", &tally);
	}
	if (options.rounds)
		race(&base);
	if (!bad) {
		snprintf(base.dir, sizeof(base.dir), "%s", folder);
		remove_place(&base);
	}
	printf("%ld lost or wrong\n", bad);
	return bad ? 1 : 0;
}
