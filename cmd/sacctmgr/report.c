/*
 * Reports that wait; see report.h.
 */
#include "cmd/sacctmgr/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"

enum { MOST = 1 << 20, PIECE = 1 << 16 };

static void keep(struct kept_report *r, const char *text, size_t n)
{
	memory_append(&r->text, &r->size, &r->cap, text, n);
}

/* Where there is no file it stays in memory. */
static void move_to_file(struct kept_report *r)
{
	r->file = tmpfile();
	if (!r->file)
		return;
	if (fwrite(r->text, 1, r->size, r->file) != r->size)
		r->lost = errno ? errno : EIO;
	free(r->text);
	r->text = NULL;
	r->cap = 0;
}

static ssize_t take(void *cookie, const char *text, size_t n)
{
	struct kept_report *r = cookie;

	errno = 0;
	if (!r->file && r->size < MOST && r->size + n >= MOST)
		move_to_file(r);
	if (!r->file) {
		keep(r, text, n);
		return (ssize_t)n;
	}
	if (fwrite(text, 1, n, r->file) != n)
		r->lost = errno ? errno : EIO;
	r->size += n;
	return (ssize_t)n;
}

static int end(void *cookie)
{
	struct kept_report *r = cookie;

	errno = 0;
	if (r->file && fflush(r->file) && !r->lost)
		r->lost = errno ? errno : EIO;
	return 0;
}

FILE *report_open(struct kept_report *r)
{
	FILE *stream;

	*r = (struct kept_report){0};
	keep(r, "", 0);
	stream = fopencookie(
		r, "w", (cookie_io_functions_t){.write = take, .close = end});
	if (!stream)
		memory_out(0);
	r->buffer = memory_resize(NULL, 1, PIECE);
	setvbuf(stream, r->buffer, _IOFBF, PIECE);
	return stream;
}

/* What comes next, of a file at most a piece, with a NUL behind it; NULL: it
 * cannot be read. */
static const char *next(struct kept_report *r, char piece[PIECE + 1], size_t *n)
{
	*n = r->size - r->printed;
	if (!r->file)
		return r->text + r->printed;
	*n = *n < PIECE ? *n : PIECE;
	piece[*n] = '\0';
	return fseeko(r->file, (off_t)r->printed, SEEK_SET) ||
			       fread(piece, 1, *n, r->file) != *n
		       ? NULL
		       : piece;
}

int report_print(struct kept_report *r, FILE *to)
{
	char piece[PIECE + 1];

	while (r->printed < r->size) {
		size_t n;
		const char *text = next(r, piece, &n);

		if (!text || fwrite(text, 1, n, to) != n)
			return -1;
		r->printed += n;
	}
	return 0;
}

int report_print_ready(struct kept_report *r)
{
	char piece[PIECE + 1];
	size_t n, done;

	do {
		const char *text = next(r, piece, &n);

		if (!text || cli_write_ready(text, &done))
			return -1;
		r->printed += done;
	} while (done == n && r->printed < r->size);
	return 0;
}

const char *report_whole(struct kept_report *r)
{
	if (!r->file)
		return r->text;
	free(r->text);
	r->text = memory_resize(NULL, 1, r->size + 1);
	rewind(r->file);
	r->text[r->size] = '\0';
	return fread(r->text, 1, r->size, r->file) == r->size ? r->text : NULL;
}

void report_free(struct kept_report *r)
{
	if (r->file)
		fclose(r->file);
	free(r->text);
	free(r->buffer);
	*r = (struct kept_report){0};
}
