/*
 * srecord -: facts from standard input, a line each, in the words of the
 * command line. Each is answered by a line, in order, once it is in the store:
 * a writer that waits for each answer gets each fact committed by itself, one
 * that sends many at once gets them committed in groups.
 */
#include "cmd/srecord/stream.h"

#include "cmd/srecord/rollups.h"
#include "cmd/srecord/turn.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/memory.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/shared/shared.h"

/* A group is ended by so many lines, so that others may write, too. */
enum { GROUP = 1000, PIECE = 65536, MOST_LINE = 1 << 20 };

struct stream {
	struct recording *s;
	struct spool spool; /* for what the log cannot take */
	bool spools;	    /* there is one */
	FILE *out;
	char *text; /* what was read and not taken yet */
	size_t n, cap;
	bool at_end;
	uint64_t line;
	size_t grouped; /* lines since the last commit */
	bool refused;	/* any */
	bool told;	/* that facts wait */
	FILE *answers;	/* of the group */
	char *answer;
	size_t answer_size;
	char *kept; /* the group's lines, for when it is to be done again */
	size_t n_kept, cap_kept;
	uint64_t first; /* of these */
};

/* ---- words ---------------------------------------------------------------*/

/* How many there are; -1: s->err. */
static int split(struct recording *s, char *line, char **words)
{
	int n = line_unquote(line, words);

	if (n == -1)
		return err_set(&s->err, ERR_USAGE, "more than %d words",
			LINE_WORDS);
	return n < 0 ? err_set(&s->err, ERR_USAGE, "a quote is not closed") : n;
}

static bool says_nothing(const char *line)
{
	return !line[strspn(line, " \t\r")] || *line == '#';
}

/* ---- groups --------------------------------------------------------------*/

static int begin(struct stream *stream)
{
	struct recording *s = stream->s;

	stream->answers =
		memory_stream(&stream->answer, &stream->answer_size);
	if (!stream->answers)
		return err_set(&s->err, ERR_SYSTEM, "%s", strerror(errno));
	if (site_refresh(s->site) || store_begin_bulk(s->store))
		return -1;
	return 0;
}

static int take_again(struct stream *stream);

static int end_transaction(struct recording *s)
{
	owners_end(s->owners);
	return store_commit_bulk(s->store);
}

/* Another host was faster: all lines of the group once more. */
static int commit_group(struct stream *stream)
{
	struct recording *s = stream->s;
	int tries = 0, rc = end_transaction(s);

	while (rc && store_again(s->store, &tries)) {
		fclose(stream->answers);
		free(stream->answer);
		stream->answers = NULL;
		rc = begin(stream) || take_again(stream) || end_transaction(s);
	}
	return rc;
}

/* The log cannot take the line, for the reason in s->err that is not the line's:
 * it waits. */
static int leave_line(struct stream *stream, char *line)
{
	struct recording *s = stream->s;
	struct spool_fact fact = {.time = site_clock(),
		.uid = s->site->caller.uid,
		.user = s->site->caller.name};
	const struct err why = s->err;
	char *words[LINE_WORDS + 1];
	int n, rc;

	if (says_nothing(line))
		return 0;
	arena_reset(&s->arena);
	n = split(s, line, words);
	fact.words = words;
	fact.n = n;
	rc = n < 0 || record_may_wait(s, words, n);
	if (!rc && spool_leave(&stream->spool, &fact, &s->err))
		return -1;
	stream->refused |= rc;
	if (rc)
		fprintf(stream->out, "error: line %" PRIu64 ": %s\n",
			stream->line, s->err.text);
	else
		fputs("ok\n", stream->out);
	if (!rc && !stream->told)
		turn_say_waits(&stream->spool, &why);
	stream->told |= !rc;
	s->err = why;
	return cli_flush();
}

static bool may_leave(const struct stream *stream)
{
	const struct err *why = &stream->s->err;
	char token[33];
	int64_t number;

	return stream->spools && why->kind != ERR_USAGE &&
	       why->kind != ERR_DENIED &&
	       !shared_unsettled(stream->s->store, token, &number);
}

/* All lines of a group that could not be committed. */
static int leave_group(struct stream *stream)
{
	uint64_t last = stream->line;
	size_t at = 0;
	int rc = 0;

	stream->line = stream->first;
	while (!rc && at < stream->n_kept) {
		size_t n = strlen(stream->kept + at) + 1;

		rc = leave_line(stream, stream->kept + at);
		stream->line++;
		at += n;
	}
	stream->line = last;
	return rc;
}

/* Answers are given when what they say is true. */
static int commit(struct stream *stream)
{
	struct recording *s = stream->s;
	int rc;

	if (!stream->answers)
		return 0;
	rc = commit_group(stream);
	if (stream->answers)
		fclose(stream->answers);
	stream->answers = NULL;
	if (rc && may_leave(stream)) {
		rc = leave_group(stream);
	} else if (!rc) {
		fwrite(stream->answer, 1, stream->answer_size, stream->out);
		rc = cli_flush() ? err_set(&s->err, ERR_SYSTEM,
					   "the answers up to line %" PRIu64
					   " cannot be written; what was not "
					   "refused is recorded",
					   stream->line)
				 : 0;
	}
	free(stream->answer);
	stream->grouped = stream->n_kept = 0;
	if (!rc)
		follow_with_rollups(s, false);
	return rc;
}

/* -1: the store failed. */
static int answer_line(struct stream *stream, char *line)
{
	struct recording *s = stream->s;
	char *words[LINE_WORDS + 1];
	int n, rc;

	if (says_nothing(line))
		return 0;
	arena_reset(&s->arena);
	s->new_id = 0;
	n = split(s, line, words);
	rc = n < 0 ? 1 : record_part(s, words, n);
	if (rc < 0)
		return -1;
	stream->refused |= rc;
	if (rc)
		fprintf(stream->answers, "error: line %" PRIu64 ": %s\n",
			stream->line, s->err.text);
	else if (s->new_id)
		fprintf(stream->answers, "ok %" PRIu32 "\n", s->new_id);
	else
		fputs("ok\n", stream->answers);
	return 0;
}

/* As they came, with a NUL behind each: the words of one are changed as it is
 * taken. */
static void keep_line(struct stream *stream, const char *line)
{
	if (!stream->n_kept)
		stream->first = stream->line;
	memory_append(&stream->kept, &stream->n_kept, &stream->cap_kept, line,
		strlen(line) + 1);
}

static int take_again(struct stream *stream)
{
	char *lines = memory_resize(NULL, stream->n_kept + 1, sizeof(char));
	uint64_t last = stream->line;
	size_t at = 0;
	int rc = 0;

	memcpy(lines, stream->kept, stream->n_kept);
	stream->line = stream->first;
	while (!rc && at < stream->n_kept) {
		size_t n = strlen(lines + at) + 1;

		rc = answer_line(stream, lines + at);
		stream->line++;
		at += n;
	}
	stream->line = last;
	free(lines);
	return rc;
}

/* Those that wait are first. */
static int begin_or_leave(struct stream *stream)
{
	struct recording *s = stream->s;
	const char *why = stream->spools ? shared_is_down(s->site->shared_log,
						   INT64_MAX)
					 : NULL;
	int rc;

	if (why)
		return err_set(&s->err, ERR_SYSTEM, "%s", why);
	/* The refresh finds out whether a server is back. */
	if (stream->spools && spool_waits(&stream->spool) &&
		!site_refresh(s->site))
		deliver_here(s->site, &(struct delivered){0});
	rc = begin(stream);
	if (!rc)
		stream->told = false;
	if (!rc || !may_leave(stream))
		return rc;
	fclose(stream->answers);
	free(stream->answer);
	stream->answers = NULL;
	return rc;
}

static int take_line(struct stream *stream, char *line)
{
	stream->line++;
	if (says_nothing(line) && !stream->n_kept)
		return 0;
	if (!stream->answers && begin_or_leave(stream))
		return may_leave(stream) ? leave_line(stream, line) : -1;
	if (stream->spools)
		keep_line(stream, line);
	if (says_nothing(line))
		return 0;
	if (answer_line(stream, line))
		return -1;
	return ++stream->grouped == GROUP ? commit(stream) : 0;
}

/* ---- lines ---------------------------------------------------------------*/

/* More of the input. Before it waits, all that came is committed, and users of
 * the machine are asked for again. */
static int fill(struct stream *stream)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t n;

	if (poll(&in, 1, 0) <= 0) {
		if (commit(stream))
			return -1;
		owners_close(stream->s->owners);
		stream->s->owners = owners_open();
	}
	if (stream->n > MOST_LINE)
		return err_set(&stream->s->err, ERR_USAGE,
			"line %" PRIu64 " is longer than a million bytes",
			stream->line + 1);
	if (stream->cap - stream->n <= PIECE) {
		stream->cap = 2 * stream->cap + 2 * PIECE;
		stream->text = memory_resize(
			stream->text, stream->cap, sizeof(char));
	}
	do
		n = read(STDIN_FILENO, stream->text + stream->n, PIECE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(&stream->s->err, ERR_SYSTEM,
			"standard input: %s", strerror(errno));
	stream->at_end = n == 0;
	stream->n += (size_t)n;
	return 0;
}

/* All lines that are whole, and at the end the rest. */
static int take_lines(struct stream *stream)
{
	char *at = stream->text, *end = at + stream->n, *newline;

	while (at < end &&
		((newline = memchr(at, '\n', (size_t)(end - at))) ||
			stream->at_end)) {
		char *stop = newline ? newline : end;

		if (memchr(at, '\0', (size_t)(stop - at)))
			return err_set(&stream->s->err, ERR_USAGE,
				"line %" PRIu64 ": there is a NUL byte in it",
				stream->line + 1);
		*stop = '\0'; /* fill() leaves room behind the last byte */
		if (take_line(stream, at))
			return -1;
		at = newline ? newline + 1 : end;
	}
	stream->n = (size_t)(end - at);
	memmove(stream->text, at, stream->n);
	return 0;
}

int record_stream(struct recording *s, FILE *out)
{
	struct stream stream = {.s = s, .out = out};
	int rc = 0;

	stream.spools = s->store->shared_log &&
			spool_find(&stream.spool, s->site->shared_log);
	while (!rc && !stream.at_end)
		rc = fill(&stream) || take_lines(&stream) ? -1 : 0;
	if (!rc)
		rc = commit(&stream);
	if (stream.answers) {
		struct err why = s->err;

		owners_end(s->owners);
		store_rollback(s->store);
		s->err = why;
		fclose(stream.answers);
		free(stream.answer);
		err_prefix(&s->err,
			"line %" PRIu64 ": what was not answered is not "
			"recorded",
			stream.line);
	}
	free(stream.text);
	free(stream.kept);
	return rc ? -1 : stream.refused;
}
