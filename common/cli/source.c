/*
 * Lines of a file; see source.h.
 */
#include "common/cli/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/utf8.h"

enum { BUFFER = 1 << 20, READ = 1 << 17 };

/* The same file with the same content has the same identity. */
static void identify(struct source *source, int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	source->size = st.st_size;
	snprintf(source->identity, sizeof(source->identity),
		"import %" PRIuMAX ":%" PRIuMAX ":%jd:%jd.%09ld",
		(uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
		(intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
		st.st_mtim.tv_nsec);
}

int source_open(struct source *source, const char *path, struct err *err)
{
	struct stat st;
	int fd;

	*source = (struct source){0};
	fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(0);
	if (fd < 0)
		return err_set(err, ERR_SYSTEM, "%s cannot be read: %s", path,
			strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_SYSTEM, "%s cannot be read: %s", path,
			strerror(EISDIR));
	}
	identify(source, fd);
	source->gz = gzdopen(fd, "rb");
	source->buffer = malloc(BUFFER + 1);
	if (!source->gz || !source->buffer)
		BUG("no memory");
	gzbuffer(source->gz, READ);
	return 0;
}

void source_close(struct source *source)
{
	if (source->gz)
		gzclose_r(source->gz);
	free(source->buffer);
	*source = (struct source){0};
}

/* What Windows writes in front of UTF-8. */
static void skip_mark(struct source *source)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (!source->begun && source->end >= 3 &&
		!memcmp(source->buffer, mark, 3))
		source->start = 3;
	source->begun = true;
}

/* The one place where a reading thread may be cancelled: it may wait for ever
 * for the other end of a pipe. */
static int read_bytes(struct source *source, char *bytes, size_t size)
{
	int old, n;

	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	n = gzread(source->gz, bytes, (unsigned)size);
	pthread_setcancelstate(old, NULL);
	return n;
}

/* Makes room and reads on. */
static int fill(struct source *source, struct err *err)
{
	size_t held = source->end - source->start, room;
	const char *why;
	int n, code;

	if (source->failed.kind) {
		*err = source->failed;
		return -1;
	}
	memmove(source->buffer, source->buffer + source->start, held);
	source->start = 0;
	source->end = held;
	room = BUFFER - held;
	n = read_bytes(
		source, source->buffer + held, room < READ ? room : READ);
	if (n > 0) {
		source->end += (size_t)n;
		skip_mark(source);
		return 0;
	}
	why = gzerror(source->gz, &code);
	source->cut = source->damaged = n || code == Z_BUF_ERROR;
	source->at_end = !n || code == Z_BUF_ERROR || code == Z_DATA_ERROR;
	if (source->at_end)
		return 0;
	err_set(&source->failed, ERR_SYSTEM,
		"reading failed after line %" PRIu64 ": %s", source->line,
		code == Z_ERRNO ? strerror(errno) : why);
	*err = source->failed;
	return -1;
}

static char *find_end(const struct source *source, size_t *searched)
{
	size_t held = source->end - source->start;
	char *at = source->buffer + source->start;
	char *end = memchr(at + *searched, '\n', held - *searched);

	*searched = held;
	return end;
}

/* The rest of a line that does not fit. */
static int skip_line(struct source *source, struct err *err)
{
	while (!source->at_end) {
		size_t searched = 0;
		char *end;

		if (source->start == source->end && fill(source, err))
			return -1;
		end = find_end(source, &searched);
		source->start =
			end ? (size_t)(end + 1 - source->buffer) : source->end;
		if (end)
			return 0;
	}
	return 0;
}

static int give(struct source *source, size_t len, char **line, size_t *given)
{
	*line = source->buffer + source->start;
	source->start += len;
	source->line++;
	if (len && (*line)[len - 1] == '\r')
		len--;
	(*line)[len] = '\0';
	*given = len;
	return 1;
}

int source_line(
	struct source *source, char **line, size_t *len, struct err *err)
{
	size_t searched = 0;
	char *end;

	if (source->too_long && skip_line(source, err))
		return -1;
	source->too_long = false;
	while (!(end = find_end(source, &searched))) {
		if (searched == BUFFER)
			source->too_long = true;
		if (source->at_end && searched)
			source->cut = true;
		if (source->at_end && !searched)
			return 0;
		if (source->too_long || source->at_end)
			return give(source, searched, line, len);
		if (fill(source, err))
			return -1;
	}
	give(source, (size_t)(end - source->buffer) - source->start, line, len);
	source->start++;
	return 1;
}

size_t source_peek(struct source *source, char *bytes, size_t size)
{
	struct err unused;
	size_t held;

	while (source->end - source->start < size && !source->at_end)
		if (fill(source, &unused))
			break;
	held = source->end - source->start;
	if (held > size)
		held = size;
	memcpy(bytes, source->buffer + source->start, held);
	return held;
}

int64_t source_read(
	struct source *source, char *bytes, size_t size, struct err *err)
{
	size_t held;

	if (source->start == source->end && !source->at_end &&
		fill(source, err))
		return -1;
	held = source->end - source->start;
	if (held > size)
		held = size;
	memcpy(bytes, source->buffer + source->start, held);
	source->start += held;
	return (int64_t)held;
}

static int spool_all(struct source *source, int to, struct err *err)
{
	int64_t n = (int64_t)(source->end - source->start);

	do {
		const char *at = source->buffer + source->start;

		source->start = source->end;
		for (source->size += n; n > 0;) {
			ssize_t done = write(to, at, (size_t)n);

			if (done < 0)
				return err_set(err, ERR_SYSTEM,
					"the input cannot be kept in a file "
					"below " P_tmpdir ": %s",
					strerror(errno));
			at += done;
			n -= done;
		}
		if (source->at_end)
			return 0;
		if (fill(source, err))
			return -1;
		n = (int64_t)(source->end - source->start);
	} while (true);
}

int source_spool(struct source *source, struct err *err)
{
	FILE *file;
	int to;

	if (*source->identity)
		return 0;
	file = tmpfile();
	to = file ? dup(fileno(file)) : -1;
	if (file)
		fclose(file);
	if (to < 0)
		return err_set(err, ERR_SYSTEM,
			"no file can be made below " P_tmpdir ": %s",
			strerror(errno));
	if (spool_all(source, to, err)) {
		close(to);
		return -1;
	}
	gzclose_r(source->gz);
	lseek(to, 0, SEEK_SET);
	source->gz = gzdopen(to, "rb");
	if (!source->gz)
		BUG("no memory");
	gzbuffer(source->gz, READ);
	source->start = source->end = 0;
	source->at_end = false;
	return 0;
}

int source_rewind(struct source *source, struct err *err)
{
	if (!source->gz)
		return 0;
	if (gzrewind(source->gz))
		return err_set(err, ERR_SYSTEM,
			"the input cannot be read a second time");
	source->start = source->end = 0;
	source->begun = source->at_end = false;
	source->cut = source->damaged = source->too_long = false;
	source->failed = (struct err){0};
	source->line = 0;
	return 0;
}

static bool is_ascii(const char *text, size_t len)
{
	const uint64_t high = 0x8080808080808080;
	uint64_t bits = 0, eight;

	for (; len >= sizeof(eight); len -= sizeof(eight)) {
		memcpy(&eight, text, sizeof(eight));
		bits |= eight;
		text += sizeof(eight);
	}
	for (; len; len--)
		bits |= (unsigned char)*text++;
	return !(bits & high);
}

int source_copy(const struct source *source, struct arena *arena,
	const char *line, size_t len, char **copy, struct err *err)
{
	if (source->too_long)
		return err_set(err, ERR_USAGE,
			"the line is longer than a million bytes");
	if (memchr(line, '\0', len))
		return err_set(err, ERR_USAGE, "there is a NUL byte in it");
	*copy = arena_strndup(arena, line, len);
	if (!is_ascii(line, len) && !utf8_valid(*copy))
		*copy = arena_strdup(arena, utf8_repair(arena, *copy));
	return 0;
}
