/*
 * The roster of a flat file, as `dump` of this program and of Slurm write it. It
 * is complete for what it lists, but for what such a file has no words for.
 */
#include "db/roster/roster_read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "db/roster/flatfile.h"
#include "db/roster/near.h"

struct flat_roster {
	struct roster_reading *r;
	struct flat_line line;
	const char *parent; /* below which accounts and users stand */
	const char *cluster;
	int cluster_line;
	bool cluster_read;
	struct strv qos; /* names that the file has */
};

static bool is_blank_line(const char *text)
{
	text += strspn(text, " \t\r");
	return *text == '#' || *text == '\n';
}

/* "Cluster - 'canis'": a word, blanks, a dash. */
bool roster_is_flat(const char *text)
{
	size_t len;

	while (is_blank_line(text))
		text += strcspn(text, "\n") + 1;
	text += strspn(text, " \t");
	while (isalpha((unsigned char)*text))
		text++;
	len = strspn(text, " \t");
	return len && text[len] == '-';
}

/* ---- options -------------------------------------------------------------*/

static int unknown(struct flat_roster *f, const struct entry *e,
	const struct word *word)
{
	return reading_unknown(f->r, f->line.number, e,
		arena_strndup(&f->r->s->arena, word->text, word->name_len));
}

/* A user may have several lines, which all say the same. */
static int tell_user(struct flat_roster *f, struct entry *e,
	const struct fact *fact, const char *text)
{
	const char *said = entry_said(e, fact);

	if (said && text && strcasecmp(said, text) != 0)
		return roster_bad(f->r->s, f->line.number,
			"user %s: %s is '%s' here, and '%s' before", e->name,
			fact->name, text, said);
	entry_tell(e, fact, text, &f->r->s->arena);
	return 0;
}

/* Of a user's line `user` is whose row `e` is. */
static int take_fact(struct flat_roster *f, struct entry *e, struct entry *user,
	enum fact_type type, const struct word *word)
{
	const struct fact *fact = roster_fact_of(e->kind, type);
	const char *typed = str_unquote(&f->r->s->arena, word->value), *text;

	if (user && type == FACT_PARTITION)
		return 0;
	if (user && !fact) {
		fact = roster_fact_of(ROSTER_USER, type);
		e = user;
	}
	if (!fact)
		return unknown(f, e, word);
	if (reading_value(f->r, fact, typed, &text))
		return reading_bad(f->r, f->line.number, e);
	if (e == user)
		return tell_user(f, e, fact, text);
	entry_tell(e, fact, text, &f->r->s->arena);
	return 0;
}

static int take_option(struct flat_roster *f, struct entry *e,
	struct entry *user, struct settings *set, const char *text)
{
	struct session *s = f->r->s;
	const struct members *table =
		e->kind == ROSTER_QOS ? &qos_members : &assoc_members;
	const struct attr_context context = {.tres = &s->store->tres,
		.qos = &f->r->qos,
		.from_dump = true};
	struct word word = word_split(text);
	enum fact_type type = table == &qos_members ? FACT_MEMBER
						    : flat_fact(&word);
	const struct member *m;

	if (word.op == OP_NONE)
		return roster_bad(s, f->line.number, "%s: '%s' has no '='",
			entry_title(e, &s->arena), text);
	if (!*str_unquote(&s->arena, word.value))
		return 0;
	if (type != FACT_MEMBER)
		return take_fact(f, e, user, type, &word);
	m = settings_word(table, word.text, word.name_len, false);
	if (!m)
		return unknown(f, e, &word);
	f->r->member = m;
	f->r->typed = word.value;
	if (settings_add(set, table, m, &word, &context, &s->arena, &s->err))
		return reading_bad(f->r, f->line.number, e);
	return 0;
}

/* What was set as facts. */
static int tell_members(
	struct flat_roster *f, struct entry *e, const struct settings *set)
{
	const struct facts *facts = roster_facts(e->kind);

	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		const struct fact *fact = facts->v, *end = fact + facts->n;

		while (fact < end && (fact->member != one->attr ||
					     fact->type == FACT_PARENT))
			fact++;
		if (fact == end)
			return reading_unknown(f->r, f->line.number, e,
				one->attr->set->name);
		entry_tell(e, fact,
			fact_of_setting(f->r->s, fact, one, &f->r->qos),
			&f->r->s->arena);
	}
	return 0;
}

/* The name and the options of the line. */
static int cut(struct flat_roster *f, struct strv *parts)
{
	struct session *s = f->r->s;

	if (!flat_cut(f->line.options, parts, &s->arena))
		return roster_bad(s, f->line.number,
			"a quote is never closed: %s", parts->v[parts->n - 1]);
	parts->v[0] = str_unquote(&s->arena, parts->v[0]);
	return 0;
}

static int take_options(struct flat_roster *f, struct entry *e,
	struct entry *user, const struct strv *parts)
{
	struct settings set = {0};

	for (size_t i = 1; i < parts->n; i++)
		if (*parts->v[i] && take_option(f, e, user, &set, parts->v[i]))
			return -1;
	return tell_members(f, e, &set);
}

/* ---- lines ---------------------------------------------------------------*/

/* The value of Partition=. */
static const char *partition_of(struct flat_roster *f, const struct strv *parts)
{
	for (size_t i = 1; i < parts->n; i++) {
		struct word word = word_split(parts->v[i]);

		if (word.op != OP_NONE && flat_fact(&word) == FACT_PARTITION)
			return str_lower(&f->r->s->arena,
				str_unquote(&f->r->s->arena, word.value));
	}
	return "";
}

static struct entry *add(struct flat_roster *f, enum roster_kind kind,
	const struct strv *parts, const char *account, const char *partition)
{
	return reading_add(f->r, kind, parts->v[0], account, partition,
		f->line.number);
}

static int qos_line(struct flat_roster *f, const struct strv *parts)
{
	struct entry *e = add(f, ROSTER_QOS, parts, "", "");

	f->r->file->has[ROSTER_QOS] = true;
	return e ? take_options(f, e, NULL, parts) : -1;
}

/* What is said of the cluster is what root has; where nothing is said of it the
 * file is silent about root. */
static int cluster_line(struct flat_roster *f, struct strv *parts)
{
	struct strv limits = {0}, root = {0};
	struct entry *e;

	strv_push(&root, &f->r->s->arena, "root");
	strv_push(&limits, &f->r->s->arena, "root");
	for (size_t i = 1; i < parts->n; i++) {
		struct word word = word_split(parts->v[i]);

		if (flat_fact(&word) != FACT_CLASSIFICATION) {
			strv_push(&limits, &f->r->s->arena, parts->v[i]);
			continue;
		}
		e = f->r->file->of[ROSTER_CLUSTER].v[0];
		if (*word.value &&
			take_fact(f, e, NULL, FACT_CLASSIFICATION, &word))
			return -1;
	}
	f->cluster_read = true;
	if (limits.n == 1)
		return 0;
	e = add(f, ROSTER_ACCOUNT, &root, "", "");
	return e ? take_options(f, e, NULL, &limits) : -1;
}

static int parent_line(struct flat_roster *f, const struct strv *parts)
{
	const char *name = name_case(f->r->s, NAMES_PLAIN, parts->v[0]);
	const struct entry *e = roster_find(
		f->r->s, f->r->file, ROSTER_ACCOUNT, name, "", "");

	if (!e && strcmp(name, "root") != 0)
		return roster_bad(f->r->s, f->line.number,
			"parent %s is no account of the lines above%s",
			parts->v[0],
			near_account(f->r->s, name, f->r->file));
	f->parent = e ? e->name : "root";
	return 0;
}

static int account_line(struct flat_roster *f, const struct strv *parts)
{
	struct entry *e = add(f, ROSTER_ACCOUNT, parts, "", "");

	if (!e)
		return -1;
	entry_tell(e, roster_fact_of(ROSTER_ACCOUNT, FACT_PARENT), f->parent,
		&f->r->s->arena);
	return take_options(f, e, NULL, parts);
}

static int user_line(struct flat_roster *f, const struct strv *parts)
{
	const char *partition = partition_of(f, parts);
	struct entry *e;

	if (check_name(f->r->s, partition) || strpbrk(partition, ",[]"))
		return roster_bad(f->r->s, f->line.number,
			"'%s' is no name", partition);
	e = add(f, ROSTER_ROW, parts, f->parent, partition);
	return e ? take_options(f, e, reading_user(f->r, e), parts) : -1;
}

static int one_line(struct flat_roster *f)
{
	struct session *s = f->r->s;
	struct roster *file = f->r->file;
	struct strv parts = {0};

	if (cut(f, &parts))
		return -1;
	if (f->line.kind == FLAT_UNKNOWN)
		return roster_bad(s, f->line.number,
			"unknown word before the dash: %s%s", f->line.text,
			near_word(s,
				arena_strndup(&s->arena, f->line.text,
					strcspn(f->line.text, " \t")),
				"QOS,Cluster,Parent,Account,User"));
	if (f->line.kind != FLAT_QOS && f->line.kind != FLAT_CLUSTER) {
		if (!f->cluster_read)
			return roster_bad(s, f->line.number,
				"a 'Cluster - NAME' line comes before");
		file->has[ROSTER_ACCOUNT] = file->has[ROSTER_ROW] =
			file->has[ROSTER_USER] = true;
	}
	switch (f->line.kind) {
	case FLAT_QOS:
		return qos_line(f, &parts);
	case FLAT_CLUSTER:
		return cluster_line(f, &parts);
	case FLAT_PARENT:
		return parent_line(f, &parts);
	case FLAT_ACCOUNT:
		return account_line(f, &parts);
	default:
		return user_line(f, &parts);
	}
}

/* ---- the file ------------------------------------------------------------*/

static int each_line(struct flat_roster *f, const char *text,
	int (*take)(struct flat_roster *))
{
	struct session *s = f->r->s;
	struct flat_reader reader;
	int rc;

	flat_reader_init(&reader, text, &s->arena);
	while ((rc = flat_next(&reader, &f->line, &s->err)) > 0)
		if (take(f))
			return -1;
	return rc ? roster_bad(s, f->line.number, "nothing follows: %s",
			    f->line.text)
		  : 0;
}

static void know_qos(struct flat_roster *f, const char *name)
{
	if (!strv_has(&f->qos, name))
		strv_push(&f->qos, &f->r->s->arena, name);
}

/* QOS that the line names: those of Slurm before 25.05 are in no line of their
 * own. */
static void note_qos(struct flat_roster *f, const struct strv *parts)
{
	struct arena *arena = &f->r->s->arena;

	for (size_t i = 1; i < parts->n; i++) {
		struct word word = word_split(parts->v[i]);
		const struct member *m = word.op == OP_NONE ? NULL
			: settings_word(&assoc_members, word.text,
				  word.name_len, false);
		struct strv names = {0};

		if (!m || (m != assoc_attr(own_qos) &&
				  m != assoc_attr(def_qos_id)))
			continue;
		strv_split(&names, arena,
			str_lower(arena, str_unquote(arena, word.value)));
		for (size_t k = 0; k < names.n; k++)
			know_qos(f, names.v[k] + strspn(names.v[k], "+-"));
	}
}

/* Which cluster it is, and the names of QOS: values are read with both known. */
static int note_line(struct flat_roster *f)
{
	const bool qos = f->line.kind == FLAT_QOS;
	struct strv parts = {0};

	if (!qos && f->line.kind != FLAT_CLUSTER && !f->r->alone)
		return 0;
	if (cut(f, &parts))
		return -1;
	if (qos)
		know_qos(f, parts.v[0]);
	else if (f->r->alone)
		note_qos(f, &parts);
	if (f->line.kind != FLAT_CLUSTER)
		return 0;
	if (f->cluster)
		return roster_bad(f->r->s, f->line.number,
			"a second cluster; the first is in line %d",
			f->cluster_line);
	f->cluster = parts.v[0];
	f->cluster_line = f->line.number;
	return 0;
}

int roster_read_flat(struct roster_reading *r, const char *text)
{
	struct flat_roster f = {.r = r, .parent = "root"};

	if (each_line(&f, text, note_line))
		return -1;
	if (!f.cluster || !*f.cluster)
		return roster_bad(r->s, f.cluster ? f.cluster_line : 1,
			"which cluster is it? 'Cluster - NAME' is missing");
	if (reading_cluster(r, f.cluster, f.cluster_line))
		return -1;
	reading_know_qos(r, &f.qos);
	return each_line(&f, text, one_line);
}
