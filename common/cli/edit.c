#include "common/cli/edit.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "common/base/library.h"
#include "common/base/words.h"
#include "common/cli/screen.h"

enum { HISTORY_LINES = 1000, MAX_SHOWN = 200 };

/* ---- libedit -------------------------------------------------------------*/

#define FUNCTIONS(X)                                                           \
	X(el_init)                                                             \
	X(el_end)                                                              \
	X(el_get)                                                              \
	X(el_set)                                                              \
	X(el_source)                                                           \
	X(el_gets)                                                             \
	X(el_line)                                                             \
	X(el_cursor)                                                           \
	X(el_insertstr)                                                        \
	X(el_push)                                                             \
	X(history_init)                                                        \
	X(history_end)                                                         \
	X(history)

static struct {
	FUNCTIONS(LIBRARY_MEMBER)
} lib;

/* With the libraries that it needs it would be a tenth of a short command. */
static bool load(void)
{
#define NAME(name) LIBRARY_FUNCTION(lib, name)
	static const struct library_function functions[] = {FUNCTIONS(NAME)};
	static const char *const libraries[] = {
		"libedit.so.2", "libedit.so.0", NULL};

	return library_load(libraries, functions,
		sizeof(functions) / sizeof(*functions), &lib);
}

/* ---- the line ------------------------------------------------------------*/

struct edit {
	const char *program; /* whose history */
	const char *prompt;
	void (*complete)(void *arg, struct completion *, char **words, int n);
	void *arg;
	EditLine *el;
	History *history;
	char *history_path; /* NULL: not kept */
	bool interrupted;   /* Ctrl-C ended the line */
};

static struct edit *of_line(EditLine *el)
{
	struct edit *e = NULL;

	lib.el_get(el, EL_CLIENTDATA, &e);
	return e;
}

static char *prompt_of(EditLine *el)
{
	return (char *)(uintptr_t)of_line(el)->prompt;
}

/* ---- history -------------------------------------------------------------*/

/* Makes the folders above the path; what fails shows when it is written. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
}

/* Both variables are NULL in a program with more rights than its caller. */
static char *find_history(const char *program)
{
	const char *state = secure_getenv("XDG_STATE_HOME");
	const char *home = secure_getenv("HOME");
	char *path = NULL;
	int n = -1;

	if (state && *state == '/')
		n = asprintf(&path, "%s/bursar/%s_history", state,
			program);
	else if (home && *home == '/')
		n = asprintf(&path,
			"%s/.local/state/bursar/%s_history", home,
			program);
	if (n < 0)
		return NULL;
	make_folders(path);
	return path;
}

static void open_history(struct edit *e)
{
	HistEvent event;

	e->history = lib.history_init();
	if (!e->history)
		return;
	lib.history(e->history, &event, H_SETSIZE, HISTORY_LINES);
	lib.history(e->history, &event, H_SETUNIQUE, 1);
	e->history_path = find_history(e->program);
	if (e->history_path)
		lib.history(e->history, &event, H_LOAD, e->history_path);
	lib.el_set(e->el, EL_HIST, lib.history, e->history);
}

/* Saved at once, so that a closed window loses nothing. */
static void remember(struct edit *e, const char *line)
{
	HistEvent event;

	if (!e->history || !line[strspn(line, " \t")] || !strcmp(line, "!!"))
		return;
	lib.history(e->history, &event, H_ENTER, line);
	if (e->history_path)
		lib.history(e->history, &event, H_SAVE, e->history_path);
}

/* ---- completion ----------------------------------------------------------*/

static size_t terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col
		? size.ws_col
		: 80;
}

/* Of `account=lab,law` what is shown is `law`. */
static void show_candidates(const struct completion *c)
{
	size_t n = c->n < MAX_SHOWN ? c->n : MAX_SHOWN;
	size_t width = 0, columns, rows;

	for (size_t i = 0; i < n; i++)
		if (strlen(c->v[i].word + c->head) > width)
			width = strlen(c->v[i].word + c->head);
	columns = terminal_width() / (width + 2);
	columns += !columns;
	rows = (n + columns - 1) / columns;
	putchar('\n');
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = row; i < n; i += rows)
			printf("%-*s", i + rows < n ? (int)width + 2 : 0,
				c->v[i].word + c->head);
		putchar('\n');
	}
	if (c->n > n)
		printf("... and more: %zu\n", c->n - n);
	fflush(stdout);
}

/* How far all of them agree. */
static size_t common_length(const struct completion *c)
{
	const char *first = c->v[0].word;
	size_t n = strlen(first);

	for (size_t i = 1; i < c->n; i++) {
		size_t same = 0;

		while (same < n && c->v[i].word[same] == first[same])
			same++;
		n = same;
	}
	return n;
}

/* Puts behind the cursor what all candidates have in common; one that stands
 * alone and wants no value is finished with a blank. */
static unsigned char extend(EditLine *el, const struct completion *c)
{
	size_t len = strlen(c->typed), common;
	const char *more;

	if (!c->n)
		return CC_ERROR;
	common = common_length(c);
	more = arena_printf(c->arena, "%.*s%s", (int)(common - len),
		c->v[0].word + len,
		c->n == 1 && c->v[0].word[common - 1] != '=' ? " " : "");
	if (*more)
		return lib.el_insertstr(el, more) ? CC_ERROR : CC_REFRESH;
	if (c->n == 1)
		return CC_NORM;
	show_candidates(c);
	return CC_REDISPLAY;
}

static unsigned char on_tab(EditLine *el, int key)
{
	struct edit *e = of_line(el);
	const LineInfo *info = lib.el_line(el);
	struct arena arena;
	struct completion c = {.arena = &arena};
	char *words[LINE_WORDS + 1];
	char *line;
	unsigned char result = CC_ERROR;
	int n;

	(void)key;
	arena_init(&arena);
	line = arena_strndup(&arena, info->buffer,
		(size_t)(info->cursor - info->buffer));
	n = line_split_partial(line, QUOTES_NEST, words);
	if (n > 0) {
		c.typed = words[n - 1];
		e->complete(e->arg, &c, words, n);
		completion_sort(&c);
		result = extend(el, &c);
	}
	arena_release(&arena);
	return result;
}

/* ---- lines ---------------------------------------------------------------*/

/* Ends the line as Enter does, but it must not be executed. */
static unsigned char on_interrupt(EditLine *el, int key)
{
	struct edit *e = of_line(el);
	const LineInfo *info = lib.el_line(el);

	(void)key;
	e->interrupted = true;
	lib.el_cursor(el, (int)(info->lastchar - info->cursor));
	lib.el_insertstr(el, "^C");
	lib.el_push(el, "\n");
	return CC_REFRESH;
}

/* libedit restores the terminal, stops, and continues the line afterwards. */
static unsigned char on_suspend(EditLine *el, int key)
{
	(void)el;
	(void)key;
	raise(SIGTSTP);
	return CC_REDISPLAY;
}

/* Ctrl-C and Ctrl-Z come as keys while a line is edited, as signals else. */
static void bind_keys(EditLine *el)
{
	lib.el_set(el, EL_ADDFN, "bursar-complete", "complete the word", on_tab);
	lib.el_set(el, EL_ADDFN, "bursar-interrupt", "drop the line", on_interrupt);
	lib.el_set(el, EL_ADDFN, "bursar-suspend", "stop the program", on_suspend);
	lib.el_set(el, EL_BIND, "^I", "bursar-complete", NULL);
	lib.el_set(el, EL_BIND, "^C", "bursar-interrupt", NULL);
	lib.el_set(el, EL_BIND, "^Z", "bursar-suspend", NULL);
	lib.el_set(el, EL_BIND, "-a", "^C", "bursar-interrupt", NULL);
	lib.el_set(el, EL_BIND, "-a", "^Z", "bursar-suspend", NULL);
	lib.el_set(el, EL_SETTY, "-d", "-isig", NULL);
}

struct edit *edit_open(const char *program, const char *prompt,
	void (*complete)(void *arg, struct completion *, char **words, int n),
	void *arg)
{
	struct edit *e = load() ? calloc(1, sizeof(*e)) : NULL;

	if (!e)
		return NULL;
	setlocale(LC_CTYPE, "");
	e->program = program;
	e->complete = complete;
	e->arg = arg;
	e->prompt = prompt;
	e->el = lib.el_init(program, stdin, screen_plain(), stderr);
	if (!e->el) {
		free(e);
		return NULL;
	}
	lib.el_set(e->el, EL_CLIENTDATA, e);
	lib.el_set(e->el, EL_PROMPT, prompt_of);
	lib.el_set(e->el, EL_EDITOR, "emacs");
	lib.el_set(e->el, EL_SIGNAL, 1);
	lib.el_set(e->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	if (secure_getenv("HOME"))
		lib.el_source(e->el, NULL);
	bind_keys(e->el);
	open_history(e);
	return e;
}

/* libedit prints its prompt before it takes the terminal: what is typed in
 * between, a Ctrl-C above all, must wait for it and not be a signal yet. It
 * restores what was there before its last line. */
static void take_terminal(const struct edit *e)
{
	struct termios settings;
	int edits = 0;

	if (lib.el_get(e->el, EL_EDITMODE, &edits) || !edits ||
		tcgetattr(STDIN_FILENO, &settings))
		return;
	settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	settings.c_cc[VMIN] = 1;
	settings.c_cc[VTIME] = 0;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

char *edit_line(struct edit *e, struct arena *arena)
{
	const char *typed;
	char *line;
	int n;

	fflush(stdout);
	do {
		e->interrupted = false;
		take_terminal(e);
		typed = lib.el_gets(e->el, &n);
	} while (typed && e->interrupted);
	if (!typed)
		return NULL;
	line = arena_strndup(arena, typed, strcspn(typed, "\r\n"));
	remember(e, line);
	return line;
}

void edit_close(struct edit *e)
{
	if (!e)
		return;
	if (e->history)
		lib.history_end(e->history);
	lib.el_end(e->el);
	free(e->history_path);
	free(e);
}
