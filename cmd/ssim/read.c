/*
 * A trace from an SWF file. An unreadable line ends the program: a replay of
 * half a trace would be worth nothing.
 */
#include "cmd/ssim/ssim.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "common/cli/source.h"
#include "common/text/timespec.h"

/* The window is only known once the header was seen. */
static int moment(struct session *s, const char *text, int64_t *at)
{
	size_t digits = strspn(text, "0123456789");
	time_t time;

	if (!text[digits] && digits < 16) {
		*at = 0;
		for (size_t i = 0; i < digits; i++)
			*at = *at * 10 + (text[i] - '0');
		return 0;
	}
	if (!s->trace.start)
		return err_set(&s->err, ERR_USAGE,
			"%s: the trace does not say when it began; give "
			"seconds since then",
			text);
	if (time_parse(text, (time_t)s->trace.start, true, &time, &s->err))
		return -1;
	*at = (int64_t)time - s->trace.start;
	return 0;
}

static int set_show(struct session *s)
{
	const char *text = s->options.show;
	size_t len;

	if (!text)
		return 0;
	len = strcspn(text, ",");
	if (!text[len])
		return err_set(&s->err, ERR_USAGE,
			"--show: '%s' is not FROM,UNTIL", text);
	if (moment(s, arena_strndup(&s->arena, text, len),
		    &s->options.show_from) ||
		moment(s, text + len + 1, &s->options.show_until))
		return err_prefix(&s->err, "--show");
	if (s->options.show_until <= s->options.show_from)
		return err_set(
			&s->err, ERR_USAGE, "--show: '%s' is empty", text);
	return 0;
}

static int set_jobs_window(struct session *s)
{
	struct trace_rules *rules = &s->trace.rules;

	if (!s->options.from && !s->options.until)
		return 0;
	rules->until = INT64_MAX;
	if ((s->options.from && moment(s, s->options.from, &rules->from)) ||
		(s->options.until &&
			moment(s, s->options.until, &rules->until)))
		return -1;
	if (rules->from < 0)
		rules->from = 0;
	if (rules->until <= rules->from)
		return err_set(&s->err, ERR_USAGE,
			"the window from %s to %s is empty",
			s->options.from ? s->options.from : "the beginning",
			s->options.until ? s->options.until : "the end");
	return 0;
}

int set_window(struct session *s)
{
	return set_jobs_window(s) || set_show(s) ? -1 : 0;
}

static int read_line(struct session *s, struct source *source,
	struct swf_header *header, const char *line)
{
	struct swf_job row;
	int found = swf_line(line, header, &s->arena, &row, &s->err);

	if (found < 0 || source->too_long)
		return err_prefix(
			&s->err, "%s:%" PRIu64, s->source, source->line);
	if (!found)
		return 0;
	if (!s->trace.rows) {
		s->trace.start = header->start;
		if (set_window(s))
			return -1;
	}
	return trace_add(&s->trace, &row, &s->err);
}

static int read_lines(
	struct session *s, struct source *source, struct swf_header *header)
{
	char *line;
	size_t len;
	int rc;

	while ((rc = source_line(source, &line, &len, &s->err)) > 0) {
		if (source->damaged)
			break;
		if (strlen(line) < len)
			return err_set(&s->err, ERR_USAGE,
				"%s:%" PRIu64 ": no text", s->source,
				source->line);
		if (read_line(s, source, header, line))
			return -1;
	}
	if (rc >= 0 && source->damaged)
		return err_set(&s->err, ERR_USAGE,
			"%s: the compressed data end early or are damaged, "
			"behind line %" PRIu64,
			s->source, source->line);
	return rc;
}

/* The machine: as asked for, else what the trace says. */
static int find_machine(struct session *s, const struct swf_header *header)
{
	int64_t procs = machine_procs(s);

	if (procs < 0)
		return -1;
	if (!procs)
		procs = header->procs > 0 ? header->procs : header->nodes;
	if (procs <= 0)
		return err_set(&s->err, ERR_USAGE,
			"%s does not say how large the machine is (MaxProcs); "
			"give --procs",
			s->source);
	if (procs > INT32_MAX)
		return err_set(&s->err, ERR_USAGE,
			"%s: MaxProcs: %" PRId64 " is too large", s->source,
			procs);
	s->queues = header->queues;
	trace_finish(&s->trace, (uint32_t)procs);
	return 0;
}

int read_swf(struct session *s)
{
	struct swf_header header = {0};
	struct source source;
	int rc;

	s->source = strcmp(s->options.file, "-") ? s->options.file
						 : "standard input";
	if (source_open(&source, s->options.file, &s->err))
		return -1;
	rc = read_lines(s, &source, &header);
	source_close(&source);
	if (!rc)
		rc = find_machine(s, &header);
	return rc;
}

const char *user_name(
	const struct session *s, uint32_t user, struct arena *arena)
{
	int64_t number = s->trace.users.numbers[user];

	if (s->past.names)
		return name_of(s->past.names, NAME_USER, number);
	return arena_printf(arena, "%" PRId64, number);
}
