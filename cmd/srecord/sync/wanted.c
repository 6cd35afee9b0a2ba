#include "cmd/srecord/sync/wanted.h"

#include <string.h>
#include <strings.h>

#include "cmd/srecord/sacctline.h"
#include "common/text/value.h"

/* ---- kinds ---------------------------------------------------------------*/

static void init_qos(void *record)
{
	qos_init(record);
}

static struct tres_list *tres_of_qos(void *record, const struct member *m)
{
	return &((struct qos *)record)->tres[m->arg];
}

static const struct strv *preempt_of_qos(const void *record)
{
	return &((const struct qos *)record)->preempt;
}

const struct wanted_kind wanted_of_qos = {&qos_members, sizeof(struct qos),
	init_qos, tres_of_qos, preempt_of_qos};

static void init_assoc(void *record)
{
	assoc_init(record);
}

static struct tres_list *tres_of_assoc(void *record, const struct member *m)
{
	return &((struct assoc *)record)->tres[m->arg];
}

static const struct strv *qos_of_assoc(const void *record)
{
	return &((const struct assoc *)record)->qos_names;
}

const struct wanted_kind wanted_of_assoc = {&assoc_members,
	sizeof(struct assoc), init_assoc, tres_of_assoc, qos_of_assoc};

/* ---- columns -------------------------------------------------------------*/

/* Aliases of one TRES, RawUsage and Parent are no members of their own. */
static bool is_own_member(const struct member *m)
{
	return m->set && !m->set->tres && m->set->type != ATTR_NUMBER64 &&
	       strcmp(m->set->name, "Parent") != 0;
}

/* SQL: the words of the bits that are set, joined by commas. */
static const char *flags_column(const struct member *m, struct arena *arena)
{
	const char *text = "CONCAT_WS(','";

	for (const struct flag_word *f = m->set->flags; f->names; f++)
		if (f->database)
			text = arena_printf(arena,
				"%s, IF(t.%s & %u, '%.*s', NULL)", text,
				m->column, f->database,
				(int)strcspn(f->names, ":"), f->names);
	return arena_printf(arena, "%s)", text);
}

static const char *database_column(const struct member *m, struct arena *arena)
{
	if (m->set->flags)
		return flags_column(m, arena);
	return m->database ? m->database : m->column;
}

static enum sync_type type_of(const struct member *m)
{
	switch (m->set->type) {
	case ATTR_TRES:
		return SYNC_TRES;
	case ATTR_QOS:
		return SYNC_QOS;
	case ATTR_QOS_LIST:
		return SYNC_QOS_LIST;
	default:
		return SYNC_PLAIN;
	}
}

void wanted_columns(const struct wanted_kind *kind,
	const struct sync_column *fixed, size_t n_fixed,
	struct wanted_columns *to, struct sync_table *table,
	struct arena *arena)
{
	to->n = n_fixed;
	for (size_t i = 0; i < n_fixed; i++) {
		to->columns[i] = fixed[i];
		to->members[i] = NULL;
	}
	for (size_t i = 0; i < kind->members->n; i++) {
		const struct member *m = &kind->members->v[i];

		if (!is_own_member(m) || to->n == WANTED_COLUMNS)
			continue;
		to->members[to->n] = m;
		to->columns[to->n++] = (struct sync_column){m->set->name,
			database_column(m, arena), type_of(m)};
	}
	table->columns = to->columns;
	table->n = to->n;
}

/* ---- values --------------------------------------------------------------*/

int wanted_setting(struct sync *sync, const struct wanted_kind *kind,
	const struct member *m, const char *text, struct settings *settings)
{
	struct store *store = sync->s->store;
	const struct attr_context context = {
		.tres = &store->tres, .qos = &store->qos};
	const struct word word = {.text = text, .op = OP_SET, .value = text};

	if (!settings_add(settings, kind->members, m, &word, &context,
		    &sync->arena, &sync->s->err))
		return 0;
	return err_prefix(&sync->s->err, "%s=%s as Slurm has it", m->set->name,
		text);
}

static const char *shown(struct sync *sync, const struct wanted_kind *kind,
	const struct member *m, void *record)
{
	const struct value_style style = {.tres = &sync->s->store->tres};
	struct value value = m->set->type == ATTR_TRES
		? of_tres(*kind->tres(record, m), &sync->arena)
		: member_value(m, record, &sync->arena);

	return value_text(&value, &style, &sync->arena);
}

/* What a new record would show if the text were set. */
static int shown_if_set(struct sync *sync, const struct wanted_kind *kind,
	const struct member *m, const char *text, const char **out)
{
	void *record = arena_alloc(&sync->arena, kind->size);
	void *blank = arena_alloc(&sync->arena, kind->size);
	struct settings one = {0};

	kind->init(record);
	kind->init(blank);
	if (*text && wanted_setting(sync, kind, m, text, &one))
		return -1;
	if (one.n && m->set->type == ATTR_TRES)
		tres_list_apply(kind->tres(record, m), &sync->arena,
			&one.v[0].tres);
	else if (one.n)
		setting_put(&one.v[0], record, blank);
	*out = shown(sync, kind, m, record);
	return 0;
}

static bool is_wanted(const struct strv *wanted, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < wanted->n; i++)
		if (!strncmp(wanted->v[i], name, len) &&
			wanted->v[i][len] == '=')
			return true;
	return false;
}

/* A list is changed amount by amount: those that are too much go by -1. */
static const char *tres_change(struct sync *sync, const struct tres_list *have,
	const char *text)
{
	struct strv wanted = {0}, words = {0};

	strv_words(&wanted, &sync->arena, text);
	for (size_t i = 0; i < have->n; i++) {
		const struct tres *tres =
			tres_by_id(&sync->s->store->tres, have->v[i].id);
		const char *name = tres_full_name(tres, &sync->arena);

		if (!is_wanted(&wanted, name))
			strv_push(&words, &sync->arena,
				arena_printf(&sync->arena, "%s=-1", name));
	}
	for (size_t i = 0; i < wanted.n; i++)
		strv_push(&words, &sync->arena, wanted.v[i]);
	return strv_join(&words, ",", &sync->arena);
}

static const char *cleared(const struct member *m)
{
	return m->set->type == ATTR_TEXT || m->set->type == ATTR_TEXT_CASE ||
			       m->set->type == ATTR_LIST
		       ? ""
		       : "-1";
}

static bool same_names(
	struct sync *sync, const struct strv *have, const char *text)
{
	struct strv a = {0}, b = {0};

	strv_words(&a, &sync->arena, text);
	strv_words(&b, &sync->arena, strv_join(have, ",", &sync->arena));
	strv_sort(&a);
	strv_sort(&b);
	return !strcmp(strv_join(&a, ",", &sync->arena),
		strv_join(&b, ",", &sync->arena));
}

/* Seconds are shown as a duration, and typed as a number. No mode of preemption
 * is that of the cluster. */
static const char *typed(
	struct sync *sync, const struct member *m, const char *text)
{
	int64_t usec;

	if (m->set->type == ATTR_PREEMPT_MODE && !*text)
		return "cluster";
	if (m->set->type != ATTR_PLAIN_SECONDS || !strchr(text, ':') ||
		sacct_duration(text, &usec))
		return text;
	return arena_printf(
		&sync->arena, "%lld", (long long)(usec / 1000000));
}

/* Adds a setting where the record has something else than the text says. */
static int want(struct sync *sync, const struct wanted_kind *kind,
	const struct member *m, const char *text, void *record,
	struct settings *settings)
{
	const char *new;

	if (m->set->type == ATTR_QOS_LIST)
		return same_names(sync, kind->list(record), text)
			       ? 0
			       : wanted_setting(
					 sync, kind, m, text, settings);
	if (shown_if_set(sync, kind, m, text, &new))
		return -1;
	/* Texts are kept in lower case when they are set. */
	if (!strcasecmp(new, shown(sync, kind, m, record)))
		return 0;
	if (m->set->type == ATTR_TRES)
		text = tres_change(sync, kind->tres(record, m), text);
	return wanted_setting(
		sync, kind, m, *text ? text : cleared(m), settings);
}

int wanted_settings(struct sync *sync, const struct wanted_kind *kind,
	const struct wanted_columns *columns, const char *const *values,
	void *record, struct settings *settings)
{
	for (size_t i = 0; i < columns->n; i++)
		if (columns->members[i] &&
			want(sync, kind, columns->members[i],
				typed(sync, columns->members[i], values[i]),
				record, settings))
			return -1;
	return 0;
}
