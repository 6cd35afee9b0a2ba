/*
 * Standard output, where it is a terminal; see screen.h. A stream of ours
 * stands in front of it. What a table prints has no control character any more
 * (utf8_visible()); this is for sentences, reports and lists.
 */
#include "common/cli/screen.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/base/arena.h"
#include "common/base/utf8.h"

enum { HELD = 8, ROOM = 4096 };

static struct {
	FILE *plain; /* the terminal; NULL: it is none */
	char held[HELD]; /* the beginning of a character or of a colour */
	size_t n_held, wants; /* so many bytes it has; a colour: 0 */
	char out[ROOM];
	size_t n;
} screen;

static int write_out(void)
{
	size_t done = 0;

	while (done < screen.n) {
		ssize_t n = write(STDOUT_FILENO, screen.out + done,
			screen.n - done);

		if (n < 0 && errno != EINTR)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	screen.n = 0;
	return 0;
}

static void put_held(bool plainly)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < screen.n_held; i++) {
		unsigned char c = (unsigned char)screen.held[i];

		if (plainly) {
			screen.out[screen.n++] = (char)c;
			continue;
		}
		screen.out[screen.n++] = '\\';
		screen.out[screen.n++] = 'x';
		screen.out[screen.n++] = digits[c >> 4];
		screen.out[screen.n++] = digits[c & 15];
	}
	screen.n_held = 0;
}

/* How long the character is that begins so; 0: none does. */
static size_t length_of(unsigned char c)
{
	if (c < 0x80)
		return 1;
	return c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

/* One of ours, up to its last byte? */
static bool begins_colour(void)
{
	static const char *const forms[] = {
		"\033[0m", "\033[1m", "\033[3#m"};
	const char *h = screen.held;

	for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++) {
		size_t i = 0;

		while (i < screen.n_held &&
			(h[i] == forms[f][i] || (forms[f][i] == '#' &&
							h[i] >= '1' &&
							h[i] <= '6')))
			i++;
		if (i == screen.n_held)
			return true;
	}
	return false;
}

static bool is_control(void)
{
	const unsigned char *h = (const unsigned char *)screen.held;

	return (*h < ' ' && *h != '\n' && *h != '\t') || *h == 0x7f ||
	       (*h == 0xc2 && h[1] < 0xa0);
}

/* The first byte of something; it may be all of it. */
static void begin(char c)
{
	screen.held[0] = c;
	screen.n_held = 1;
	if (c == '\033') {
		screen.wants = 0;
		return;
	}
	screen.wants = length_of((unsigned char)c);
	if (screen.wants <= 1)
		put_held(screen.wants && !is_control());
}

static void put(char c)
{
	bool goes_on;

	if (!screen.n_held) {
		begin(c);
		return;
	}
	screen.held[screen.n_held++] = c;
	goes_on = screen.wants ? ((unsigned char)c & 0xc0) == 0x80
			       : c && begins_colour();
	if (!goes_on) {
		screen.n_held--;
		put_held(false);
		begin(c);
	} else if (screen.wants ? screen.n_held == screen.wants : c == 'm') {
		put_held(!screen.wants || !is_control());
	}
}

static ssize_t guarded_write(void *cookie, const char *text, size_t n)
{
	(void)cookie;
	for (size_t i = 0; i < n; i++) {
		put(text[i]);
		if (screen.n + 4 * HELD > ROOM && write_out())
			return 0;
	}
	return write_out() ? 0 : (ssize_t)n;
}

void screen_guard(void)
{
	const cookie_io_functions_t functions = {.write = guarded_write};
	FILE *guarded;

	if (screen.plain || !isatty(STDOUT_FILENO))
		return;
	guarded = fopencookie(NULL, "w", functions);
	if (!guarded)
		return;
	setvbuf(guarded, NULL, _IOLBF, BUFSIZ);
	screen.plain = stdout;
	stdout = guarded;
}

bool screen_is_guarded(void)
{
	return screen.plain != NULL;
}

FILE *screen_plain(void)
{
	return screen.plain ? screen.plain : stdout;
}

void screen_say(const char *text)
{
	struct arena arena;

	arena_init(&arena);
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\n\t");
		fputs(utf8_visible(&arena, arena_strndup(&arena, text, len)),
			stderr);
		if (text[len])
			fputc(text[len++], stderr);
	}
	arena_release(&arena);
}
