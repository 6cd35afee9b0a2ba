#include "db/roster/flatfile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/base/hash.h"
#include "common/base/utf8.h"
#include "common/base/words.h"

/* Bytes enough for a line with all that continues it. */
static size_t line_room(const char *text)
{
	size_t n = strcspn(text, "\n");

	while (text[n] && n && text[n - 1] == '\\')
		n += 1 + strcspn(text + n + 1, "\n");
	return n + 1;
}

/* The next physical lines up to one that is not continued, without comment.
 * NULL at the end. */
static char *logical_line(struct flat_reader *r)
{
	char *line, *out;

	if (!*r->at)
		return NULL;
	line = out = arena_alloc(r->arena, line_room(r->at));
	r->number++;
	while (*r->at && *r->at != '\n') {
		if (r->at[0] == '\\' && r->at[1] == '\n') {
			r->at += 2;
			r->number++;
		} else if (r->at[0] == '\\' && r->at[1]) {
			*out++ = r->at[1];
			r->at += 2;
		} else if (*r->at == '#') {
			r->at += strcspn(r->at, "\n");
		} else {
			*out++ = *r->at++;
		}
	}
	if (*r->at == '\n')
		r->at++;
	while (out > line && isspace((unsigned char)out[-1]))
		out--;
	*out = '\0';
	return line;
}

static enum flat_kind keyword_kind(const char *text, size_t len)
{
	static const struct {
		const char *word;
		enum flat_kind kind;
	} keywords[] = {
		{"QOS", FLAT_QOS},
		{"Cluster", FLAT_CLUSTER},
		{"Machine", FLAT_CLUSTER},
		{"Parent", FLAT_PARENT},
		{"Account", FLAT_ACCOUNT},
		{"Project", FLAT_ACCOUNT},
		{"User", FLAT_USER},
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (strlen(keywords[i].word) == len &&
			!strncasecmp(keywords[i].word, text, len))
			return keywords[i].kind;
	return FLAT_UNKNOWN;
}

int flat_next(
	struct flat_reader *reader, struct flat_line *line, struct err *err)
{
	char *text;

	while ((text = logical_line(reader))) {
		const char *dash = strchr(text, '-');
		size_t len;

		while (isspace((unsigned char)*text))
			text++;
		if (!dash || dash <= text)
			continue;
		len = (size_t)(dash - text);
		while (len && isspace((unsigned char)text[len - 1]))
			len--;
		if (!len)
			continue;
		line->number = reader->number;
		line->text = text;
		line->kind = keyword_kind(text, len);
		line->options = dash + 1;
		while (isspace((unsigned char)*line->options))
			line->options++;
		if (*line->options)
			return 1;
		return err_set(err, ERR_USAGE,
			" Nothing after object name '%.*s'. line(%d)",
			(int)len, text, reader->number);
	}
	return 0;
}

/* ---- options -------------------------------------------------------------*/

/* A `:` within quotes or a typed TRES (gres/gpu:tesla=4) ends no option. */
size_t flat_length(const char *text, bool *closed)
{
	const char *element = text; /* of a comma list */
	bool equals = false;	    /* seen in the element */
	char quote = '\0';
	size_t i;

	for (i = 0; text[i]; i++) {
		char c = text[i];

		if (quote) {
			quote = c == quote ? '\0' : quote;
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == ',' || (c == '=' && !equals)) {
			equals = c == '=' &&
				strncasecmp(element, "gres/", 5) == 0;
			element = text + i + 1;
		} else if (c == ':' &&
			(equals || strncasecmp(element, "gres/", 5))) {
			break;
		}
	}
	*closed = !quote;
	return i;
}

bool flat_cut(const char *at, struct strv *parts, struct arena *arena)
{
	for (;;) {
		bool closed;
		size_t len = flat_length(at, &closed);

		strv_push(parts, arena, arena_strndup(arena, at, len));
		if (!closed || !at[len])
			return closed;
		at += len + 1;
		while (isspace((unsigned char)*at))
			at++;
	}
}

void flat_quote(FILE *out, const char *value)
{
	SCRATCH_ARENA(arena);

	fputc('\'', out);
	for (value = utf8_visible(&arena, value); *value; value++) {
		if (*value == '#' || *value == '\\')
			fputc('\\', out);
		fputc(*value == '\'' ? '`' : *value, out);
	}
	fputc('\'', out);
}
