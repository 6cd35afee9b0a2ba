/*
 * key=value words: which there are is said in tables, how each type is read is
 * said here.
 */
#include "db/record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/text/array_tasks.h"
#include "common/text/hostlist.h"
#include "common/text/jobstate.h"
#include "common/text/pernode.h"
#include "common/text/timespec.h"

/* A word on its way to its member. A reader gives -1 for a bad text; it may
 * leave a reason of its own in `why`. */
struct word_reading {
	struct recording *session;
	const char *text;
	void *member;
	struct err why;
};

static int set(struct word_reading *r, int64_t value)
{
	struct number *number = r->member;

	number->given = true;
	number->v = value;
	return 0;
}

static int set_text(struct word_reading *r, const char *text)
{
	const char **member = r->member;

	*member = text;
	return 0;
}

static int read_text(struct word_reading *r)
{
	return set_text(r, r->text);
}

static int read_lower(struct word_reading *r)
{
	return set_text(r, str_lower(&r->session->arena, r->text));
}

static int read_hosts(struct word_reading *r)
{
	struct strv names = {0};

	if (hostlist_expand(r->text, &r->session->arena, &names, &r->why))
		return -1;
	return set_text(r, r->text);
}

static int read_array(struct word_reading *r)
{
	return array_tasks_valid(r->text) ? set_text(r, r->text) : -1;
}

static int whole(const char *text, int64_t low, int64_t high, int64_t *number)
{
	const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
	char *end;

	if (*digits < '0' || *digits > '9')
		return -1;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return errno || *end || *number < low || *number > high ? -1 : 0;
}

static int read_whole(struct word_reading *r, int64_t low, int64_t high)
{
	int64_t number;

	return whole(r->text, low, high, &number) ? -1 : set(r, number);
}

static int read_count(struct word_reading *r)
{
	return read_whole(r, 0, NO_VAL - 1);
}

static int read_amount(struct word_reading *r)
{
	return read_whole(r, 1, NO_VAL - 1);
}

static int read_signed(struct word_reading *r)
{
	return read_whole(r, -2147483645, 2147483645);
}

static int read_time(struct word_reading *r, bool past)
{
	time_t when;

	if (time_parse(r->text, r->session->site->now, past, &when, &r->why) ||
		when <= 0)
		return -1;
	return set(r, when);
}

static int read_past(struct word_reading *r)
{
	return read_time(r, true);
}

static int read_ahead(struct word_reading *r)
{
	return read_time(r, false);
}

/* 0 is no limit, as for sbatch. */
static int read_minutes(struct word_reading *r)
{
	uint32_t minutes;

	if (minutes_parse(r->text, &minutes, &r->why) || minutes == NO_VAL)
		return -1;
	return set(r, minutes ? minutes : INFINITE);
}

/* Bare numbers are seconds, other forms as for time limits. */
static int read_duration(struct word_reading *r, double scale)
{
	uint32_t seconds;
	double number;
	const char *end;

	if (strpbrk(r->text, ":-")) {
		if (seconds_parse(r->text, &seconds, &r->why) ||
			seconds >= NO_VAL)
			return -1;
		return set(r, (int64_t)(seconds * scale));
	}
	if (real_read(r->text, &number, &end) || *end || number > 1e12)
		return -1;
	return set(r, llround(number * scale));
}

static int read_seconds(struct word_reading *r)
{
	return read_duration(r, 1);
}

static int read_cpu_time(struct word_reading *r)
{
	return read_duration(r, 1e6);
}

static int read_cpu_milliseconds(struct word_reading *r)
{
	struct number *number = r->member;

	if (read_cpu_time(r))
		return -1;
	number->v /= 1000;
	return 0;
}

/* A size with a suffix, in bytes; `bare` is what a number without one counts.
 * A trailing B is for reading aloud. */
static int size(const char *text, double bare, double *bytes)
{
	static const char suffixes[] = "KMGTP";
	const char *suffix, *end;

	if (real_read(text, bytes, &end) || signbit(*bytes))
		return -1;
	if (!*end) {
		*bytes *= bare;
		return *bytes < 9e18 ? 0 : -1;
	}
	suffix = strchr(suffixes, *end >= 'a' ? *end - 'a' + 'A' : *end);
	if (!suffix || (end[1] && strcasecmp(end + 1, "B")))
		return -1;
	*bytes = ldexp(*bytes, 10 * (int)(suffix - suffixes + 1));
	return *bytes < 9e18 ? 0 : -1;
}

static int read_mib(struct word_reading *r)
{
	double bytes;

	if (size(r->text, 1024.0 * 1024, &bytes))
		return -1;
	return set(r, (int64_t)ceil(bytes / (1024.0 * 1024)));
}

static int read_bytes(struct word_reading *r)
{
	double bytes;

	return size(r->text, 1024, &bytes) ? -1 : set(r, llround(bytes));
}

static int read_state(struct word_reading *r)
{
	uint32_t state;

	return job_state_parse(r->text, &state) ? -1 : set(r, state);
}

static int read_exit(struct word_reading *r)
{
	struct arena *arena = &r->session->arena;
	const char *colon = strchr(r->text, ':');
	int64_t code, signal = 0;
	char *text = arena_strdup(arena, r->text);

	if (colon)
		text[colon - r->text] = '\0';
	if (whole(text, 0, 255, &code) ||
		(colon && whole(colon + 1, 0, 127, &signal)))
		return -1;
	return set(r, code << 8 | signal);
}

static int read_hold(struct word_reading *r)
{
	static const struct {
		const char *word;
		enum job_hold hold;
	} words[] = {
		{"0", HOLD_NONE},
		{"no", HOLD_NONE},
		{"none", HOLD_NONE},
		{"1", HOLD_USER},
		{"yes", HOLD_USER},
		{"user", HOLD_USER},
		{"2", HOLD_ADMIN},
		{"admin", HOLD_ADMIN},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(words[i].word, r->text))
			return set(r, words[i].hold);
	return -1;
}

static int read_flags(struct word_reading *r)
{
	uint32_t flags = 0;

	for (const char *text = r->text; *text;) {
		size_t len = strcspn(text, ",");
		uint32_t flag = job_flag_parse(text, len);

		if (!flag)
			return -1;
		flags |= flag;
		text += len + (text[len] == ',');
	}
	return set(r, flags);
}

static int read_step(struct word_reading *r)
{
	int32_t id;

	return step_id_parse(r->text, &id) ? -1 : set(r, id);
}

static int read_tres(struct word_reading *r)
{
	return tres_list_parse(r->text, &r->session->store->tres,
		&r->session->arena, r->member, &r->why);
}

static int read_cpus_on(struct word_reading *r)
{
	struct pernode list;

	return pernode_parse(r->text, false, &r->session->arena, &list)
		       ? -1
		       : set_text(r, pernode_text(&list, &r->session->arena));
}

static int read_mib_on(struct word_reading *r)
{
	struct pernode list;

	return pernode_parse(r->text, true, &r->session->arena, &list)
		       ? -1
		       : set_text(r, pernode_text(&list, &r->session->arena));
}

static const struct {
	int (*read)(struct word_reading *);
	const char *wanted; /* "... is not WANTED" */
} types[WORD_TYPES] = {
	[WORD_TEXT] = {read_text, "a text"},
	[WORD_LOWER] = {read_lower, "a name"},
	[WORD_USER] = {read_text, "a text"},
	[WORD_PARTITION] = {read_text, "a text"},
	[WORD_ACCOUNT] = {read_lower, "a name"},
	[WORD_CLUSTER] = {read_lower, "a name"},
	[WORD_QOS] = {read_lower, "a name"},
	[WORD_WCKEY] = {read_lower, "a name"},
	[WORD_HOSTS] = {read_hosts, "a host list such as n[1-4]"},
	[WORD_COUNT] = {read_count, "a whole number from 0 to 4294967293"},
	[WORD_AMOUNT] = {read_amount, "a whole number from 1 to 4294967293"},
	[WORD_JOB] = {read_amount, "a whole number from 1 to 4294967293"},
	[WORD_SIGNED] = {read_signed,
		"a whole number from -2147483645 to 2147483645"},
	[WORD_PAST] = {read_past,
		"a time such as now, now-2hours or 2026-10-01T08:00:00"},
	[WORD_AHEAD] = {read_ahead,
		"a time such as now, now+2hours or 2026-10-01T08:00:00"},
	[WORD_MINUTES] = {read_minutes,
		"a time limit such as 90, 1-12:00:00 or UNLIMITED"},
	[WORD_SECONDS] = {read_seconds,
		"a duration such as 90 (seconds) or 1:30:00"},
	[WORD_CPU_TIME] = {read_cpu_time,
		"a CPU time such as 90.5 (seconds) or 1:30:00"},
	[WORD_CPU_MS] = {read_cpu_milliseconds,
		"a CPU time such as 90.5 (seconds) or 1:30:00"},
	[WORD_MIB] = {read_mib, "a memory size such as 8000 (MiB) or 32G"},
	[WORD_BYTES] = {read_bytes, "a size such as 512M or 20G"},
	[WORD_STATE] = {read_state,
		"a job state such as PENDING, RUNNING, COMPLETED or FAILED"},
	[WORD_EXIT] = {read_exit, "an exit code such as 1 or 0:9"},
	[WORD_HOLD] = {read_hold, "0, 1 (or user) or 2 (or admin)"},
	[WORD_FLAGS] = {read_flags,
		"a list of SchedSubmit, SchedMain, SchedBackfill, "
		"StartReceived"},
	[WORD_STEP] = {read_step, "batch, extern, interactive or a number"},
	[WORD_TRES] = {read_tres, "a list such as cpu=4,mem=8G"},
	[WORD_CPUS_ON] = {read_cpus_on,
		"CPUs on each node such as 16 or 10,1(x2)"},
	[WORD_MIB_ON] = {read_mib_on,
		"memory on each node such as 8000 (MiB) or 16G,4G(x2)"},
	[WORD_ARRAY] = {read_array,
		"a list of indexes up to 4000000 such as 1-10:3,12%2"},
};

static const struct word_row *find_word(
	const struct word_row *table, const struct word *word)
{
	for (const struct word_row *row = table; row->names; row++)
		if (words_match(row->names, word->text, word->name_len))
			return row;
	return NULL;
}

enum value_source word_source(
	const struct word_row *table, const struct word *word)
{
	static const enum value_source sources[WORD_TYPES] = {
		[WORD_USER] = FROM_USERS,
		[WORD_PARTITION] = FROM_PARTITIONS,
		[WORD_ACCOUNT] = FROM_ACCOUNTS,
		[WORD_CLUSTER] = FROM_CLUSTERS,
		[WORD_QOS] = FROM_QOS,
		[WORD_WCKEY] = FROM_WCKEYS,
		[WORD_JOB] = FROM_OPEN_JOBS,
		[WORD_TRES] = FROM_TRES,
	};
	const struct word_row *row = find_word(table, word);

	return row ? sources[row->type] : FROM_NOTHING;
}

void offer_facts(struct completion *c, const struct word_row *table)
{
	struct word word = word_split(completion_part(c));

	if (word.op != OP_NONE) {
		completion_value(c, word.value);
		offer_from(c, word_source(table, &word));
		return;
	}
	for (const struct word_row *row = table; row->names; row++)
		offer_word(c, row->names, "=", row->help);
}

static int bad_value(struct word_reading *r, const struct word_row *row)
{
	char name[32];

	words_first(row->names, name, sizeof(name));
	if (r->why.text[0] && row->type == WORD_TRES)
		return err_set(&r->session->err, ERR_USAGE, "%s=%s: %s", name,
			r->text, r->why.text);
	if (r->why.code == ERR_NO_DAY)
		return err_set(&r->session->err, ERR_USAGE, "%s: %s", name,
			r->why.text);
	return err_set(&r->session->err, ERR_USAGE, "%s: '%s' is not %s", name,
		r->text, types[row->type].wanted);
}

/* cpus-per-node=2 is cpus_per_node=2. */
static const char *underscored(struct recording *session, const char *text)
{
	char *copy = arena_strdup(&session->arena, text);

	for (char *c = copy; *c && *c != '='; c++)
		if (*c == '-' && c[1] != '=')
			*c = '_';
	return copy;
}

/* What a line, a table and a terminal could not hold. */
static int bad_text(struct recording *session, const struct word_row *row)
{
	char name[32];

	return err_set(&session->err, ERR_USAGE,
		"%s: a value must be UTF-8 without control characters",
		words_first(row->names, name, sizeof(name)));
}

static int read_word(struct recording *session, const struct word_row *table,
	const char *text, void *into)
{
	struct word word = word_split(underscored(session, text));
	const struct word_row *row = find_word(table, &word);
	struct word_reading r = {.session = session, .text = word.value};

	if (word.op == OP_NONE)
		return err_set(
			&session->err, ERR_USAGE, "'%s' is not key=value", text);
	if (!row) {
		nearest_init(&session->nearest,
			arena_strndup(
				&session->arena, word.text, word.name_len),
			word.name_len);
		for (; table->names; table++)
			nearest_names(&session->nearest, table->names);
		return err_set(&session->err, ERR_USAGE,
			"unknown key '%.*s': see srecord --help",
			(int)word.name_len, text);
	}
	if (word.op != OP_SET)
		return err_set(&session->err, ERR_USAGE,
			"'%s': only = is possible here", text);
	if (!*word.value)
		return err_set(
			&session->err, ERR_USAGE, "'%s' lacks a value", text);
	if (!utf8_clean(word.value))
		return bad_text(session, row);
	r.member = (char *)into + row->offset;
	return types[row->type].read(&r) ? bad_value(&r, row) : 0;
}

int read_words(struct recording *session, const struct word_row *table,
	char **words, int n, void *into)
{
	for (int i = 0; i < n; i++)
		if (read_word(session, table, words[i], into))
			return -1;
	return 0;
}

/* Asked before the column is looked for: of all words few are. */
static bool is_given(enum word_type type, const void *fact)
{
	switch (type) {
	case WORD_TEXT:
	case WORD_LOWER:
	case WORD_USER:
	case WORD_WCKEY:
	case WORD_HOSTS:
	case WORD_CPUS_ON:
	case WORD_MIB_ON:
	case WORD_ARRAY:
		return *(const char *const *)fact != NULL;
	case WORD_TRES:
		return ((const struct tres_list *)fact)->n > 0;
	default:
		return ((const struct number *)fact)->given;
	}
}

static void take_fact(const void *fact, const struct member *m, void *to)
{
	const struct number *number = fact;

	switch (m->type) {
	case MEMBER_TEXT:
		*(const char **)to = *(const char *const *)fact;
		break;
	case MEMBER_TRES:
		*(struct tres_list *)to = *(const struct tres_list *)fact;
		break;
	case MEMBER_REAL:
		*(double *)to = (double)number->v;
		break;
	case MEMBER_INT:
	case MEMBER_TIME:
	case MEMBER_KNOWN_TIME:
	case MEMBER_COUNT64:
	case MEMBER_MAYBE64:
		*(int64_t *)to = number->v;
		break;
	default:
		*(uint32_t *)to = (uint32_t)number->v;
	}
}

void take_facts(const struct word_row *table, const void *facts,
	const struct members *members, void *record)
{
	for (const struct word_row *row = table; row->names; row++) {
		const void *fact = (const char *)facts + row->offset;
		const struct member *m;

		if (!row->column || !is_given(row->type, fact))
			continue;
		m = members_by_column(members, row->column);
		take_fact(fact, m, (char *)record + m->offset);
	}
}
