#include "common/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/base/notice.h"
#include "common/base/privilege.h"
#include "common/cli/screen.h"
#include "common/table/grid.h"

static const char *program = "bursar";

/* The error of standard output, once output was lost. */
static int lost;

int cli_flush(void)
{
	progress_end();
	errno = 0;
	if (!lost && (fflush(stdout) || ferror(stdout)))
		lost = errno ? errno : EIO;
	return lost ? -1 : 0;
}

void cli_flush_done(void)
{
	errno = 0;
	if (lost || (!fflush(stdout) && !ferror(stdout)))
		return;
	fprintf(stderr,
		"%s: warning: it is done, but standard output has lost what "
		"was said of it: %s\n",
		program, strerror(errno ? errno : EIO));
	__fpurge(stdout);
	clearerr(stdout);
}

/* How much standard output takes at once when it is ready: a file all, a pipe at
 * least this. */
static size_t ready_size(void)
{
	struct stat out;

	return !fstat(STDOUT_FILENO, &out) && S_ISREG(out.st_mode) ? SSIZE_MAX
								   : PIPE_BUF;
}

void cli_hold(struct cli_held *held)
{
	held->stdout_before = stdout;
	stdout = memory_stream(&held->text, &held->size);
}

char *cli_held(struct cli_held *held)
{
	fclose(stdout);
	stdout = held->stdout_before;
	return held->text;
}

/* A terminal is not written to behind the back of its guard: it gets all
 * later. */
int cli_write_ready(const char *text, size_t *done)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	size_t len = strlen(text), most = ready_size();

	*done = 0;
	if (cli_flush())
		return -1;
	if (screen_is_guarded())
		return 0;
	while (*done < len && poll(&out, 1, 0) > 0) {
		size_t left = len - *done;
		ssize_t n = write(STDOUT_FILENO, text + *done,
			left < most ? left : most);

		if (n >= 0) {
			*done += (size_t)n;
		} else if (errno == EAGAIN) {
			break;
		} else if (errno != EINTR) {
			lost = errno;
			return -1;
		}
	}
	return 0;
}

/* ---- errors as a document ------------------------------------------------*/

enum { MOST_ERRORS = 16, ERROR_LEN = 512 };

static struct {
	enum json_form form;
	struct json_meta meta;
	const char *cluster, *user;
	char errors[MOST_ERRORS][ERROR_LEN];
	size_t n;
} document;

void cli_document(enum json_form form, int argc, char *const *argv)
{
	document.form = form;
	document.meta = (struct json_meta){
		.argv = argv, .argc = argc, .cluster = "", .user = ""};
}

void cli_asked(const char *cluster, const char *user)
{
	document.cluster = cluster;
	document.user = user;
}

void cli_end_document(struct json_doc *doc, struct json_object *beside)
{
	struct json_meta meta = document.meta;
	struct err err;

	if (document.cluster) {
		meta.cluster = document.cluster;
		meta.user = document.user;
	}
	if (json_end(doc, beside, &meta, &err))
		cli_die(&err);
}

/* Without the blanks before it and the ends of lines that Slurm prints after
 * some. */
static void keep_error(const char *text)
{
	size_t n;

	text += strspn(text, " ");
	for (n = strlen(text); n && text[n - 1] == '\n'; n--)
		;
	if (document.n < MOST_ERRORS)
		snprintf(document.errors[document.n++], ERROR_LEN, "%.*s",
			(int)n, text);
}

static void write_errors(void)
{
	const char *texts[MOST_ERRORS];

	if (!document.form || document.form == JSON_LINES || !document.n ||
		json_begun())
		return;
	for (size_t i = 0; i < document.n; i++)
		texts[i] = document.errors[i];
	json_errors(stdout, texts, document.n, program, &document.meta);
}

static void say_left_out(void);

/* Output that was lost is an error, also on the way out. */
static void close_stdout(void)
{
	write_errors();
	if (!cli_flush()) {
		say_left_out();
		return;
	}
	if (lost != EPIPE)
		fprintf(stderr, "%s: error: standard output: %s\n", program,
			strerror(lost));
	_exit(1);
}

/* A closed stream would become the next file that is opened, and what is
 * printed would go into it. The wrong way round, so that it stays an error. */
static void hold_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
			open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(1);
}

static void say_notice(const char *sentence);
static void show_progress(
	const char *what, int64_t done, int64_t all, int64_t left);

void cli_init(const char *argv0)
{
	const char *slash;

	privilege_drop();
	slash = strrchr(argv0, '/');
	program = slash ? slash + 1 : argv0;
	hold_streams();
	screen_guard();
	notice_to(say_notice);
	if (isatty(STDERR_FILENO))
		progress_to(show_progress, 500000);
	atexit(close_stdout);
}

const char *cli_name(void)
{
	return program;
}

int cli_beside(char *path, const char *name, struct err *err)
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *end;

	if (n < 0)
		return err_set(err, ERR_SYSTEM,
			"cannot tell where this program is: %s",
			strerror(errno));
	path[n] = '\0';
	end = strrchr(path, '/') + 1;
	if ((size_t)(end - path) + strlen(name) >= PATH_MAX)
		return err_set(err, ERR_SYSTEM, "%s: the path is too long",
			path);
	memcpy(end, name, strlen(name) + 1);
	return 0;
}

/* "NAME: SENTENCE", after what was printed so far. */
static void say_notice(const char *sentence)
{
	cli_flush();
	fprintf(stderr, "%s: ", program);
	screen_say(sentence);
	fputc('\n', stderr);
}

/* On a line of its own, which is taken away when it is over. */
static void show_progress(
	const char *what, int64_t done, int64_t all, int64_t left)
{
	fputs("\r\033[K", stderr);
	if (!what)
		return;
	fprintf(stderr, "%s: %s", program, what);
	if (all)
		fprintf(stderr, ": %d %%", (int)(done * 100 / all));
	else if (done)
		fprintf(stderr, ": %" PRId64, done);
	if (left)
		fprintf(stderr, ", %" PRId64 " s left", left);
}

/* Where it is no terminal: each `what` is a line. */
static void show_stage(
	const char *what, int64_t done, int64_t all, int64_t left)
{
	static const char *told;

	(void)done, (void)all, (void)left;
	if (what && what != told)
		fprintf(stderr, "%s: %s ...\n", program, what);
	told = what;
}

void cli_progress(bool quiet)
{
	if (quiet)
		progress_to(NULL, 0);
	else if (!isatty(STDERR_FILENO))
		progress_to(show_stage, 5000000);
}

__attribute__((format(printf, 2, 0))) static void print(
	const char *level, const char *fmt, va_list ap)
{
	char *text;

	cli_flush();
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	keep_error(text ? text : fmt);
	fprintf(stderr, "%s: %s: ", program, level);
	screen_say(text ? text : fmt);
	fputc('\n', stderr);
	free(text);
}

void cli_say_error(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	cli_flush();
	keep_error(text ? text : fmt);
	json_note_error(program, text ? text + strspn(text, " ") : fmt);
	screen_say(text ? text : fmt);
	fputc('\n', stderr);
	free(text);
}

void cli_note_error(const char *fmt, ...)
{
	char text[ERROR_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	keep_error(text);
}

void cli_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print("error", fmt, ap);
	va_end(ap);
}

void cli_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print("warning", fmt, ap);
	va_end(ap);
}

static pid_t pager;
static int screen; /* standard output while there is a pager */

size_t cli_width(void)
{
	int out = pager ? screen : STDOUT_FILENO;
	struct winsize size;

	if (!isatty(out) || ioctl(out, TIOCGWINSZ, &size) || !size.ws_col)
		return 0;
	return size.ws_col;
}

static size_t left_out; /* columns, of the table that lacks most */

void cli_fit(struct table *table)
{
	size_t room = cli_width(), n = 0;

	if (room && table->mode == TABLE_FIXED)
		n = table_fit(table, room);
	if (n > left_out)
		left_out = n;
}

/* As the C library does: the first of the three that is set. */
bool cli_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *text = getenv(names[i]);

		if (text && *text)
			return strcasestr(text, "utf-8") ||
			       strcasestr(text, "utf8");
	}
	return false;
}

bool cli_coloured(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) &&
	       !(term && !strcmp(term, "dumb"));
}

/* ---- a pager -------------------------------------------------------------*/

/* Its end is ours, so that the prompt of the shell comes behind it. */
static void wait_for_pager(void)
{
	if (!pager)
		return;
	cli_flush();
	dup2(screen, STDOUT_FILENO);
	close(screen);
	waitpid(pager, NULL, 0);
	pager = 0;
}

static const char *find_pager(void)
{
	const char *command = secure_getenv("BURSAR_PAGER");
	const char *terminal = getenv("TERM");

	/* Nobody turns pages on a terminal without a size: a program plays it. */
	if (getauxval(AT_SECURE) || !isatty(STDIN_FILENO) || !cli_width() || !terminal ||
		!strcmp(terminal, "dumb"))
		return NULL;
	if (!command)
		command = secure_getenv("PAGER");
	if (!command)
		command = "if command -v less >/dev/null; then less; else cat; "
			  "fi";
	return *command && strcmp(command, "cat") ? command : NULL;
}

void cli_pager(void)
{
	const char *command = find_pager();
	int ends[2];

	if (!command || pager || pipe(ends))
		return;
	cli_flush();
	screen = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	pager = fork();
	if (pager == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		atexit(wait_for_pager);
	}
	close(ends[1]);
}

bool cli_hints(void)
{
	static const char *const no[] = {"no", "off", "0", "never", "false"};
	const char *wish = getenv("BURSAR_HINTS");

	for (size_t i = 0; wish && i < sizeof(no) / sizeof(*no); i++)
		if (!strcasecmp(wish, no[i]))
			return false;
	return isatty(STDERR_FILENO);
}

void cli_print_date(int64_t at)
{
	time_t when = (time_t)at;
	struct tm tm;
	char text[64];

	if (localtime_r(&when, &tm) &&
		strftime(text, sizeof(text), "%a %b %d %H:%M:%S %Y", &tm))
		puts(text);
}

void cli_hint(const char *fmt, ...)
{
	va_list ap;

	if (!cli_hints())
		return;
	cli_flush();
	wait_for_pager();
	fputs("hint: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void say_left_out(void)
{
	if (left_out)
		cli_hint("%zu %s not fit the terminal; in a pipe (| cat) all "
			 "are there",
			left_out,
			left_out > 1 ? "columns do" : "column does");
}

void cli_did_you_mean(const struct nearest *nearest)
{
	const char *word = nearest_found(nearest);

	if (!word)
		return;
	cli_flush();
	fprintf(stderr, "%s: did you mean '%s'?\n", program, word);
}

void cli_did_you_mean_member(const struct members *members, const char *word)
{
	struct nearest nearest;

	grid_nearest(members, word, &nearest);
	cli_did_you_mean(&nearest);
}

void cli_no_such(const char *kind, const struct nearest *nearest)
{
	const char *word = nearest_found(nearest);

	if (!word && !cli_hints())
		return;
	cli_flush();
	fprintf(stderr, "%s: no %s '%.*s' exists", program, kind,
		(int)nearest->len, nearest->typed);
	if (word)
		fprintf(stderr, "; did you mean '%s'?", word);
	fputc('\n', stderr);
}

void cli_print_err(const struct err *err)
{
	cli_flush();
	if (*err->text != ' ') {
		cli_error("%s", err->text);
		return;
	}
	keep_error(err->text);
	screen_say(err->text);
	fputc('\n', stderr);
}

void cli_print_warnings(const struct strv *warnings)
{
	for (size_t i = 0; i < warnings->n; i++)
		cli_error("%s", warnings->v[i]);
}

void cli_print_hints(const struct strv *hints)
{
	for (size_t i = 0; i < hints->n; i++)
		cli_warning("%s", hints->v[i]);
}

void cli_die(const struct err *err)
{
	left_out = 0; /* there is no table */
	cli_print_err(err);
	exit(1);
}

void cli_refuse(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print("error", fmt, ap);
	va_end(ap);
	exit(1);
}

void cli_fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print("fatal", fmt, ap);
	va_end(ap);
	exit(1);
}

void cli_bad_option(void)
{
	fprintf(stderr, "Try \"%s --help\" for more information\n", program);
	exit(1);
}

void cli_version(bool verbose)
{
	printf("slurm %s-bursar-%s\n", SLURM_VERSION_TEXT, BURSAR_VERSION);
	if (verbose)
		printf("slurm_api_version: %s\n", SLURM_API_VERSION);
}
