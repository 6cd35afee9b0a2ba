#include "db/roster/flatfile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/base/hash.h"
#include "common/base/utf8.h"
#include "common/base/words.h"

void flat_reader_init(
	struct flat_reader *reader, const char *text, struct arena *arena)
{
	*reader = (struct flat_reader){.at = text, .arena = arena};
}

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

/* Where the option that starts at `text` ends: at a `:` outside of quotes that
 * is not part of a typed TRES (gres/gpu:tesla=4). */
static size_t option_length(const char *text, bool *balanced)
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
	*balanced = !quote;
	return i;
}

static int open_quote(struct session *s, const char *text)
{
	err_usage(&s->err, ERR_FATAL,
		"sacctmgr: fatal: There is a problem with option %s with quotes.",
		text);
	return -1;
}

bool flat_cut(const char *at, struct strv *parts, struct arena *arena)
{
	for (;;) {
		bool balanced;
		size_t len = option_length(at, &balanced);

		strv_push(parts, arena, arena_strndup(arena, at, len));
		if (!balanced || !at[len])
			return balanced;
		at += len + 1;
		while (isspace((unsigned char)*at))
			at++;
	}
}

/* Words that only the flat file knows, beside those of associations. */
#define R(member) offsetof(struct flat_record, member)
static const struct record_word {
	const char *names;
	size_t offset;
	enum fact_type fact;
} record_words[] = {
	{"AdminLevel:2", R(admin_level), FACT_ADMIN_LEVEL},
	{"Coordinator:2", R(coordinators), FACT_COORDINATOR},
	{"Classification:2", R(classification), FACT_CLASSIFICATION},
	{"DefaultAccount:8", R(default_account), FACT_DEFAULT_ACCOUNT},
	{"DefaultWCKey:8", R(default_wckey), FACT_DEFAULT_WCKEY},
	{"Description:3", R(description), FACT_DESCRIPTION},
	{"Organization:1", R(organization), FACT_ORGANIZATION},
	{"Partition:1", R(partition), FACT_PARTITION},
	{"WCKeys:2", R(wckeys), FACT_WCKEYS},
};

static const struct record_word *record_word(const struct word *word)
{
	for (size_t i = 0; i < sizeof(record_words) / sizeof(*record_words);
		i++)
		if (words_match(record_words[i].names, word->text,
			    word->name_len))
			return &record_words[i];
	return NULL;
}

enum fact_type flat_fact(const struct word *word)
{
	const struct record_word *known = record_word(word);

	return known ? known->fact : FACT_MEMBER;
}

/* 1: it was one of the words above. */
static int take_record_word(struct session *s, struct flat_record *record,
	const struct word *word)
{
	const struct record_word *known = record_word(word);
	const char *value;
	char *member;

	if (!known)
		return 0;
	member = (char *)record + known->offset;
	value = str_lower(&s->arena, str_unquote(&s->arena, word->value));
	if (known->fact == FACT_COORDINATOR || known->fact == FACT_WCKEYS)
		strv_split((struct strv *)member, &s->arena, value);
	else
		memcpy(member, &value, sizeof(value));
	return 1;
}

static int unknown_option(struct session *s, const char *text)
{
	return err_set(&s->err, ERR_USAGE, " Unknown option: %s", text);
}

static int take_option(struct session *s, enum flat_kind kind,
	struct flat_record *record, const char *text)
{
	const struct members *table =
		kind == FLAT_QOS ? &qos_members : &assoc_members;
	struct attr_context context = {.tres = &s->store->tres,
		.qos = &s->store->qos,
		.from_dump = true};
	struct word word = word_split(text);
	const struct member *row;

	if (word.op == OP_NONE)
		return err_set(&s->err, ERR_USAGE,
			" Bad format on %s: End your option with an '=' sign",
			text);
	if (!*str_unquote(&s->arena, word.value) ||
		(kind != FLAT_QOS && take_record_word(s, record, &word)))
		return 0;
	row = settings_word(table, word.text, word.name_len, false);
	if (!row)
		return unknown_option(s, word.text);
	if (!settings_add(&record->set, table, row, &word, &context, &s->arena,
		    &s->err))
		return 0;
	if (kind == FLAT_QOS || s->err.code == ERR_NO_QOS)
		return -1;
	/* A bad value is reported before its keyword is looked at. */
	complain_err(s);
	return unknown_option(s, text);
}

/* The name, and in `len` how much of the line it takes. `arena`: for the rest. */
static const char *take_name(struct session *s, const struct flat_line *line,
	size_t *len, struct arena *arena)
{
	const char *name, *typed;
	bool balanced;

	*len = option_length(line->options, &balanced);
	name = arena_strndup(arena, line->options, *len);
	if (!balanced) {
		open_quote(s, name);
		return NULL;
	}
	typed = str_unquote(arena, name);
	name = name_case(s, line->kind == FLAT_USER ? NAMES_USER : NAMES_PLAIN,
		typed);
	if (name == typed && arena != &s->arena)
		name = arena_strdup(&s->arena, name);
	if (*name)
		return check_name(s, name) ? NULL : name;
	err_set(&s->err, ERR_USAGE, " No name given");
	return NULL;
}

const char *flat_name(struct session *s, const struct flat_line *line)
{
	size_t len;

	return take_name(s, line, &len, &s->arena);
}

/* The options behind the name, which takes `len` bytes. */
static int take_options(struct session *s, const struct flat_line *line,
	size_t len, struct flat_record *record)
{
	const char *text = line->options + len;
	struct strv parts = {0};
	bool balanced = flat_cut(text, &parts, &s->arena);

	/* The first is what is before the `:` behind the name: nothing. */
	for (size_t i = 0; i < parts.n; i++) {
		if (!balanced && i + 1 == parts.n)
			return open_quote(s, parts.v[i]);
		if (*parts.v[i] &&
			take_option(s, line->kind, record, parts.v[i]))
			return -1;
	}
	if (record->admin_level &&
		admin_level_parse(record->admin_level) == ADMIN_NOT_SET)
		return err_set(&s->err, ERR_USAGE,
			"Unknown AdminLevel '%s': None, Operator or "
			"Administrator",
			record->admin_level);
	return 0;
}

int flat_parse(struct session *s, const struct flat_line *line,
	struct flat_record *record)
{
	const char *name;
	size_t len;

	*record = (struct flat_record){0};
	name = take_name(s, line, &len, &s->arena);
	record->name = name;
	return name ? take_options(s, line, len, record) : -1;
}

/* ---- options that come again ---------------------------------------------*/

struct flat_options {
	const char *text;
	struct flat_record record; /* without a name */
	UT_hash_handle hh;
};

enum { MOST_KNOWN = 100000 }; /* a file may have other ones in every line */

/* Beyond that they are kept, but not found again. */
static const struct flat_record *remember(struct session *s,
	struct flat_known *known, const char *text,
	const struct flat_record *record)
{
	struct flat_options *options =
		arena_alloc(&s->arena, sizeof(*options));

	options->record = *record;
	if (HASH_COUNT(known->v) < MOST_KNOWN) {
		options->text = arena_strdup(&s->arena, text);
		HASH_ADD_KEYPTR(hh, known->v, options->text,
			strlen(options->text), options);
	}
	return &options->record;
}

int flat_parse_user(struct session *s, const struct flat_line *line,
	struct flat_known *known, struct arena *arena,
	struct flat_record *record)
{
	const struct flat_record *shared;
	struct flat_options *options;
	const char *name, *text;
	size_t len;

	*record = (struct flat_record){0};
	name = take_name(s, line, &len, arena);
	if (!name)
		return -1;
	text = line->options + len;
	HASH_FIND_STR(known->v, text, options);
	if (!options && take_options(s, line, len, record))
		return -1;
	shared = options ? &options->record : remember(s, known, text, record);
	*record = *shared;
	record->name = name;
	record->shared = shared;
	return 0;
}

void flat_known_clear(struct flat_known *known)
{
	HASH_CLEAR(hh, known->v);
}

void flat_quote(FILE *out, const char *value)
{
	struct arena arena;

	arena_init(&arena);
	fputc('\'', out);
	for (value = utf8_visible(&arena, value); *value; value++) {
		if (*value == '#' || *value == '\\')
			fputc('\\', out);
		fputc(*value == '\'' ? '`' : *value, out);
	}
	fputc('\'', out);
	arena_release(&arena);
}
