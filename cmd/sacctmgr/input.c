#include "cmd/sacctmgr/input.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"

enum { ANSWER_MS = 30000, TIMEOUT = -2 };

/* The last answer's line is not read to its end. */
static bool in_answer;
static bool given_back; /* a byte that poll() does not know of */

/* One byte at a time: what a program that is started later shall read stays
 * there. */
void input_init(void)
{
	setvbuf(stdin, NULL, _IONBF, 0);
}

static int take(void)
{
	given_back = false;
	return fgetc(stdin);
}

static void give_back(int c)
{
	given_back = ungetc(c, stdin) != EOF;
}

static bool is_ready(int ms)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int ready;

	if (given_back)
		return true;
	do
		ready = poll(&in, 1, ms);
	while (ready < 0 && errno == EINTR);
	return ready != 0;
}

/* Forgets the end of a line of which the answer was all, if it is there
 * already: a program that reads on finds the next line. Further keys may be the
 * next answers. */
static void end_answer(void)
{
	int c = in_answer && is_ready(0) ? take() : EOF;

	if (c == '\n')
		in_answer = false;
	else if (c != EOF)
		give_back(c);
}

static void skip_answer(void)
{
	int c = 0;

	while (in_answer && c != '\n' && c != EOF)
		c = take();
	in_answer = false;
}

/* ---- lines ---------------------------------------------------------------*/

char *input_line(const char *prompt, struct arena *arena)
{
	char *text = NULL, *line = NULL;
	size_t size = 0;

	fputs(prompt, stdout);
	fflush(stdout);
	skip_answer();
	given_back = false;
	if (getline(&text, &size, stdin) > 0) {
		line = arena_strndup(arena, text, strcspn(text, "\n"));
		puts(line);
	}
	free(text);
	return line;
}

/* ---- answers -------------------------------------------------------------*/

/* Reads single keys from the terminal, Ctrl-C too, so that the terminal can be
 * restored before leaving. False: not a terminal. */
static bool keys_begin(struct termios *saved)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, saved))
		return false;
	raw = *saved;
	raw.c_lflag &= ~(tcflag_t)ICANON;
	raw.c_cc[VINTR] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	return true;
}

/* Tests do not wait for half a minute. */
static int answer_ms(void)
{
	const char *text = secure_getenv("BURSAR_ANSWER_MS");
	uint32_t ms;

	return text && !uint_parse(text, &ms) && ms < ANSWER_MS ? (int)ms
								: ANSWER_MS;
}

/* TIMEOUT, EOF with errno, or a byte; not the one that ends the last answer. */
static int next_key(int ms)
{
	bool ends;
	int key;

	do {
		if (!is_ready(ms))
			return TIMEOUT;
		errno = 0;
		key = take();
		ends = in_answer && key == '\n';
		in_answer = false;
	} while (ends);
	return key;
}

/* A yes, a no, or -1 for neither. */
static int answer_of(int key)
{
	if (key == 'y' || key == 'Y')
		return true;
	return key < 0 || key == 'n' || key == 'N' || key == '\n' ? false : -1;
}

FILE *input_asking(struct session *s)
{
	return program(s)->last_lines && options(s)->form != JSON_NONE
		       ? stderr
		       : stdout;
}

static bool nobody_answers(struct session *s)
{
	complain_named(s, "standard input is no terminal: use -i");
	s->status = 1;
	return false;
}

/* add, modify, delete and show end with 0 there and after a no, and so they do
 * in Slurm: its scripts know. */
static bool asks_as_slurm(const struct session *s)
{
	return program(s)->entity != NULL;
}

/* What is not ready now may come. */
bool input_can_ask(struct session *s)
{
	int key;

	if (s->immediate || asks_as_slurm(s) || isatty(STDIN_FILENO) ||
		!is_ready(0))
		return true;
	key = next_key(0);
	if (key != EOF) {
		give_back(key);
		return true;
	}
	return nobody_answers(s);
}

/* What Slurm calls the end of a pipe. */
static void tell_end(struct session *s, FILE *out)
{
	fputc('\n', out);
	if (asks_as_slurm(s))
		fprintf(out, "error: %s\n", strerror(errno ? errno : ENOTTY));
	else
		nobody_answers(s);
}

static void tell_key(struct session *s, int key, FILE *out)
{
	if (key == TIMEOUT)
		fputs("timeout\n", out);
	else if (key == EOF)
		tell_end(s, out);
	else
		fputc('\n', out);
}

/* The keys are ready before the question is seen: none is typed too early. */
bool input_ask(struct session *s, const char *question)
{
	FILE *out = input_asking(s);
	struct termios saved = {0};
	bool terminal;
	int key, answer;

	if (!input_can_ask(s))
		return false;
	terminal = keys_begin(&saved);
	fprintf(out, "%s (You have 30 seconds to decide)\n", question);
	do {
		fputs("(N/y): ", out);
		fflush(out);
		key = next_key(answer_ms());
		tell_key(s, key, out);
		answer = terminal && (key == saved.c_cc[VINTR] ||
					     key == saved.c_cc[VEOF])
				 ? false
				 : answer_of(key);
		if (answer < 0)
			fputs("Y or N please\n", out);
	} while (answer < 0);
	in_answer = !terminal && key >= 0 && key != '\n';
	end_answer();
	if (terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	if (terminal && key == saved.c_cc[VINTR] && !program(s)->interactive)
		raise(SIGINT);
	return answer;
}

void input_discarded(struct session *s)
{
	fputs(" Changes Discarded\n", input_asking(s));
	if (!asks_as_slurm(s))
		s->status = 1;
}
