#include "common/table/attr.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/table/member.h"
#include "common/table/preemptmode.h"
#include "common/text/timespec.h"

int uint_parse(const char *text, uint32_t *number)
{
	char *end;
	long long n;

	if (!*text || isspace((unsigned char)*text))
		return -1;
	errno = 0;
	n = strtoll(text, &end, 10);
	if (*end || errno || n > (long long)INFINITE)
		return -1;
	*number = n < 0 || n == (long long)INFINITE ? INFINITE : (uint32_t)n;
	return *number == NO_VAL ? -1 : 0;
}

/* A finite decimal; a negative one clears. */
static int real_parse(const char *text, double *number)
{
	const char *end;
	double n;

	if (real_read(text, &n, &end) || *end)
		return -1;
	*number = n < 0 ? (double)INFINITE : n;
	return 0;
}

const struct qos_name *qos_by_id(const struct qos_catalog *qos, uint32_t id)
{
	for (size_t i = 0; i < qos->n; i++)
		if (qos->v[i].id == id)
			return &qos->v[i];
	return NULL;
}

const struct qos_name *qos_by_name(
	const struct qos_catalog *qos, const char *text)
{
	for (size_t i = 0; i < qos->n; i++)
		if (!strcasecmp(qos->v[i].name, text))
			return &qos->v[i];
	return NULL;
}

const char *flags_text(
	const struct flag_word *flags, uint32_t bits, struct arena *arena)
{
	struct strv words = {0};
	char name[64];

	for (; flags->names; flags++)
		if (flags->value && (bits & flags->value) == flags->value)
			strv_push(&words, arena,
				words_first(flags->names, name, sizeof(name)));
	return strv_join(&words, ",", arena);
}

const char *set_words(
	const struct member_set *set, uint32_t number, struct arena *arena)
{
	switch (set->type) {
	case ATTR_MINUTES:
		return duration_format(arena, (uint64_t)number * 60);
	case ATTR_SECONDS:
		return duration_format(arena, number);
	case ATTR_SHARES:
		return number == SHARES_PARENT ? "parent" : NULL;
	case ATTR_FLAGS:
		return flags_text(set->flags, number, arena);
	case ATTR_PREEMPT_MODE:
		return preempt_mode_text(number, arena);
	default:
		return NULL;
	}
}

const char *flags_all(const struct flag_word *flags, struct arena *arena)
{
	return flags_text(flags, ~(uint32_t)0, arena);
}

const struct member *member_at(const struct members *members, size_t offset)
{
	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];

		if (m->set && m->offset == offset && !m->set->tres)
			return m;
	}
	BUG("no member to set at offset %zu", offset);
}

const struct member *settings_word(
	const struct members *members, const char *word, size_t len, bool add)
{
	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];

		if (m->set && !(add && m->set->only_modify) &&
			words_match(m->set->words, word, len))
			return m;
	}
	return NULL;
}

const struct setting *settings_find(
	const struct settings *settings, const struct member *attr)
{
	for (size_t i = 0; i < settings->n; i++)
		if (settings->v[i].attr == attr)
			return &settings->v[i];
	return NULL;
}

const char *settings_text_of(
	const struct settings *settings, const struct member *member)
{
	const struct setting *set = settings_find(settings, member);

	return set ? set->text : NULL;
}

static struct setting *setting_for(struct settings *settings,
	const struct member *attr, struct arena *arena)
{
	struct setting *s;

	for (size_t i = 0; i < settings->n; i++)
		if (settings->v[i].attr == attr)
			return &settings->v[i];
	s = ARENA_PUSH(arena, settings->v, settings->n, settings->cap);
	s->attr = attr;
	return s;
}

/* What every reader below is given. */
struct value_reading {
	struct setting *setting;
	const struct word *word;
	const char *text; /* the value without quotes */
	const struct member *row;
	const struct attr_context *context;
	struct arena *arena;
	struct err *err;
};

static int bad_number(const struct value_reading *r)
{
	return err_usage(r->err, ERR_NO_NUMBER, "Invalid value for %s (%s)",
		r->row->set->name, r->text);
}

static int read_uint(const struct value_reading *r)
{
	if (uint_parse(r->text, &r->setting->number))
		return bad_number(r);
	return 0;
}

static int read_shares(const struct value_reading *r)
{
	if (!strncasecmp(r->text, "parent", 6)) {
		r->setting->number = SHARES_PARENT;
		return 0;
	}
	return read_uint(r);
}

static int read_minutes(const struct value_reading *r)
{
	struct err ignored;

	if (minutes_parse(r->text, &r->setting->number, &ignored))
		return err_set(r->err, ERR_USAGE, " Bad %s time format: %s",
			r->setting->attr->set->name, r->word->text);
	return 0;
}

static int read_seconds(const struct value_reading *r)
{
	struct err ignored;

	if (r->context->from_dump && !uint_parse(r->text, &r->setting->number))
		return 0;
	if (seconds_parse(r->text, &r->setting->number, &ignored))
		return err_set(r->err, ERR_USAGE, " Bad %s format: %s",
			r->setting->attr->set->name, r->word->text);
	return 0;
}

/* What is not below NO_VAL means no value wherever it is read. */
static int read_real(const struct value_reading *r)
{
	double n = strtod(r->text, NULL);

	if (real_parse(r->text, &r->setting->real))
		return err_usage(r->err, ERR_NO_NUMBER,
			"%s value (%s) is not a valid number",
			r->setting->attr->set->name, r->text);
	if (n < 0 ? n != -1 : n >= NO_VAL)
		return err_usage(r->err, ERR_NO_NUMBER,
			"%s value (%s) is out of range: 0 to %u, or -1 to "
			"clear it",
			r->setting->attr->set->name, r->text, NO_VAL - 1);
	return 0;
}

static int read_number64(const struct value_reading *r)
{
	if (real_parse(r->text, &r->setting->real) ||
		r->setting->real == (double)INFINITE ||
		r->setting->real >= (double)INT64_MAX)
		return err_set(r->err, ERR_USAGE, " Bad %s value: %s",
			r->setting->attr->set->name, r->text);
	return 0;
}

/* GrpCPUs=5 means GrpTRES=cpu=5. */
static int read_tres_alias(const struct value_reading *r)
{
	uint32_t number;
	struct tres_edit edit = {.id = r->row->set->tres, .op = TRES_OP_SET};

	if (uint_parse(r->text, &number))
		return bad_number(r);
	edit.count = number == INFINITE ? INFINITE64 : number;
	tres_edits_put(&r->setting->tres, r->arena, &edit);
	return 0;
}

static int read_tres(const struct value_reading *r)
{
	if (r->row->set->tres)
		return read_tres_alias(r);
	if (tres_edits_parse(r->text, r->context->tres, r->arena,
		    &r->setting->tres, r->err) == 0)
		return 0;
	if (r->err->code == ERR_NO_TRES)
		err_prefix(r->err, "slurmdb_format_tres_str");
	return -1;
}

static int check_text(const struct value_reading *r)
{
	if (utf8_clean(r->text))
		return 0;
	return err_set(r->err, ERR_USAGE,
		"%s must be UTF-8 without control characters: \"%.200s\"",
		r->setting->attr->set->name, r->text);
}

static int read_text(const struct value_reading *r)
{
	const char *text = r->text;

	if (check_text(r))
		return -1;
	if (r->setting->attr->set->type == ATTR_TEXT)
		text = str_lower(r->arena, text);
	r->setting->text = arena_strdup(r->arena, text);
	return 0;
}

static int read_qos(const struct value_reading *r)
{
	const struct qos_name *qos;

	if (!strcmp(r->text, "-1")) {
		r->setting->number = INFINITE;
		return 0;
	}
	qos = qos_by_name(r->context->qos, r->text);
	if (!qos)
		return err_usage(r->err, ERR_NO_QOS,
			"You gave a bad default qos '%s'.  "
			"Use 'list qos' to get complete list.",
			r->text);
	r->setting->number = qos->id;
	return 0;
}

const char *qos_all_names(const struct qos_catalog *qos, struct arena *arena)
{
	struct strv names = {0};

	for (size_t i = 0; i < qos->n; i++)
		strv_push(&names, arena, qos->v[i].name);
	return strv_join(&names, ",", arena);
}

int qos_unknown(struct err *err, const struct qos_catalog *qos,
	const char *name, struct arena *arena)
{
	return err_set(err, ERR_USAGE,
		"You gave a bad qos '%s'. Valid QOS's are %s", name,
		qos_all_names(qos, arena));
}

/* One entry of a QOS list: keeps the sign in front of the name. */
static int read_qos_entry(
	const struct value_reading *r, const char *entry, char op)
{
	const struct qos_name *qos;
	char sign = '\0';

	if (*entry == '+' || *entry == '-')
		sign = *entry++;
	else if (op)
		sign = op;
	if (!*entry) {
		strv_push(&r->setting->list, r->arena, "");
		return 0;
	}
	qos = qos_by_name(r->context->qos, entry);
	if (!qos)
		return qos_unknown(r->err, r->context->qos, entry, r->arena);
	strv_push(&r->setting->list, r->arena,
		sign ? arena_printf(r->arena, "%c%s", sign, qos->name)
		     : qos->name);
	return 0;
}

/* All entries have a sign, or none. */
static int check_signs(const struct value_reading *r, const char *message)
{
	size_t signs = 0;

	for (size_t i = 0; i < r->setting->list.n; i++)
		signs += *r->setting->list.v[i] == '+' ||
			 *r->setting->list.v[i] == '-';
	return signs && signs < r->setting->list.n
		       ? err_set(r->err, ERR_USAGE, "%s", message)
		       : 0;
}

static int read_qos_list(const struct value_reading *r)
{
	char op = r->word->op == OP_ADD	  ? '+'
		  : r->word->op == OP_SUB ? '-'
					  : '\0';
	struct strv entries = {0};

	if (*r->text)
		strv_words(&entries, r->arena, str_lower(r->arena, r->text));
	else
		strv_push(&entries, r->arena, "");
	if (!entries.n)
		return err_set(
			r->err, ERR_USAGE, "You gave me an empty qos list");
	for (size_t i = 0; i < entries.n; i++)
		if (read_qos_entry(r, entries.v[i], op))
			return -1;
	return check_signs(r,
		"You can't set qos equal to something and then "
		"add or subtract from it in the same line");
}

static int read_list(const struct value_reading *r)
{
	struct strv words = {0};

	if (check_text(r))
		return -1;
	r->setting->list = (struct strv){0};
	if (*r->text)
		strv_split(&words, r->arena, r->text);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.v[i];
		bool has_sign = *word == '+' || *word == '-';

		if (!has_sign && r->word->op != OP_SET)
			word = arena_printf(r->arena, "%c%s",
				r->word->op == OP_ADD ? '+' : '-', word);
		strv_push(&r->setting->list, r->arena, word);
	}
	return check_signs(
		r, "You can't use '=' and '+' or '-' in the same line");
}

int flags_parse(const struct flag_word *flags, const char *text, uint32_t *bits,
	struct arena *arena)
{
	struct strv words = {0};

	*bits = 0;
	strv_split(&words, arena, text);
	for (size_t i = 0; i < words.n; i++) {
		const struct flag_word *f = flags;

		while (f->names &&
			!words_match(f->names, words.v[i], strlen(words.v[i])))
			f++;
		if (!f->names)
			return -1;
		*bits |= f->value;
	}
	return 0;
}

/* Words of a flag table; -1 as text clears all. */
static int read_flags(const struct value_reading *r)
{
	r->setting->number = INFINITE;
	if (strcmp(r->text, "-1") != 0 &&
		flags_parse(r->setting->attr->set->flags, r->text,
			&r->setting->number, r->arena))
		return err_set(r->err, ERR_USAGE, "%s", r->text);
	return 0;
}

static int read_preempt_mode(const struct value_reading *r)
{
	if (preempt_mode_parse(r->text, &r->setting->number))
		return err_set(r->err, ERR_USAGE, " Bad Preempt Mode given: %s",
			r->word->text);
	return 0;
}

static int (*const readers[])(const struct value_reading *) = {
	[ATTR_UINT] = read_uint,
	[ATTR_MINUTES] = read_minutes,
	[ATTR_SECONDS] = read_seconds,
	[ATTR_PLAIN_SECONDS] = read_uint,
	[ATTR_REAL] = read_real,
	[ATTR_SHARES] = read_shares,
	[ATTR_TRES] = read_tres,
	[ATTR_TEXT] = read_text,
	[ATTR_TEXT_CASE] = read_text,
	[ATTR_QOS] = read_qos,
	[ATTR_QOS_LIST] = read_qos_list,
	[ATTR_FLAGS] = read_flags,
	[ATTR_PREEMPT_MODE] = read_preempt_mode,
	[ATTR_LIST] = read_list,
	[ATTR_NUMBER64] = read_number64,
};

static void unite(struct strv *list, const struct strv *with, bool keep,
	struct arena *arena)
{
	struct strv all = {0};

	for (size_t i = 0; i < list->n; i++)
		if (keep || !strv_has(with, list->v[i]))
			strv_push(&all, arena, list->v[i]);
	for (size_t i = 0; keep && i < with->n; i++)
		if (!strv_has(list, with->v[i]))
			strv_push(&all, arena, with->v[i]);
	*list = all;
}

/* The list is read again in place. */
static struct setting copy(const struct setting *old, struct arena *arena)
{
	struct setting setting = *old;

	setting.list = (struct strv){0};
	for (size_t i = 0; i < old->list.n; i++)
		strv_push(&setting.list, arena, old->list.v[i]);
	return setting;
}

/* A word that was there before in the same line, with what it says now. */
static int combine(const struct setting *before, struct setting *now,
	struct arena *arena, struct err *err)
{
	bool keep = now->op == OP_ADD || before->op == now->op ||
		    now->attr->set->type == ATTR_LIST;
	struct strv list = before->list;
	uint32_t bits = before->number >= NO_VAL ? 0 : before->number;

	if (now->op == OP_SET && now->attr->set->type != ATTR_LIST)
		return 0;
	if (before->op != OP_SET && before->op != now->op &&
		now->attr->set->type != ATTR_LIST)
		return err_usage(err, ERR_CONFLICT,
			"You can't add to and take from %s in the same line",
			now->attr->set->name);
	unite(&list, &now->list, keep, arena);
	now->list = list;
	now->number = keep ? bits | now->number : bits & ~now->number;
	now->op = before->op;
	return 0;
}

int settings_add(struct settings *settings, const struct members *members,
	const struct member *row, const struct word *word,
	const struct attr_context *context, struct arena *arena,
	struct err *err)
{
	const struct member *attr =
		row->set->tres ? member_at(members, row->offset) : row;
	const struct setting *old = settings_find(settings, attr);
	struct setting before = old ? copy(old, arena) : (struct setting){0};
	struct value_reading reading = {
		.setting = setting_for(settings, attr, arena),
		.word = word,
		.text = str_unquote(arena, word->value),
		.row = row,
		.context = context,
		.arena = arena,
		.err = err,
	};

	reading.setting->op = word->op;
	if (readers[attr->set->type](&reading))
		return -1;
	if (!old ||
		(attr->set->type != ATTR_FLAGS && attr->set->type != ATTR_LIST))
		return 0;
	return combine(&before, reading.setting, arena, err);
}

static void put_number(const struct setting *s, void *at, const void *blank)
{
	uint32_t number = s->number;

	if (number == INFINITE)
		memcpy(&number, blank, sizeof(number));
	memcpy(at, &number, sizeof(number));
}

static void put_flags(const struct setting *s, void *at)
{
	uint32_t bits, given = s->number == INFINITE ? 0 : s->number;

	memcpy(&bits, at, sizeof(bits));
	if (s->number == INFINITE || s->op == OP_SET)
		bits = given;
	else
		bits = s->op == OP_ADD ? bits | given : bits & ~given;
	memcpy(at, &bits, sizeof(bits));
}

static void put_real(const struct setting *s, void *at, const void *blank)
{
	bool cleared = s->real == (double)INFINITE ||
		       (s->attr->set->above_zero && s->real <= 0);

	memcpy(at, cleared ? blank : &s->real, sizeof(s->real));
}

void setting_put(const struct setting *s, void *record, const void *blank)
{
	void *at = (char *)record + s->attr->offset;
	const void *unset = (const char *)blank + s->attr->offset;

	switch (s->attr->set->type) {
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		memcpy(at, &s->text, sizeof(s->text));
		break;
	case ATTR_REAL:
		put_real(s, at, unset);
		break;
	case ATTR_FLAGS:
		put_flags(s, at);
		break;
	case ATTR_TRES:
	case ATTR_QOS_LIST:
	case ATTR_LIST:
	case ATTR_NUMBER64:
		break;
	default:
		put_number(s, at, unset);
	}
}
