/*
 * The roster of a flat file, as `dump` of this program and of Slurm write it. It
 * is complete for what it lists, but for what such a file has no words for; or,
 * for `load`, it says what shall be there at least (struct flat_part).
 */
#include "db/roster/roster_read.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/base/hash.h"
#include "db/roster/flatfile.h"
#include "db/roster/near.h"

/* Most lines of users have options that an earlier one had, word for word. */
struct flat_options {
	const char *text;
	struct entry row, user;
	UT_hash_handle hh;
};

/* A word of options, as it was typed, and what it means. */
struct option_word {
	const struct members *table;
	const char *text;
	size_t len;
	enum property_type type;
	const struct member
		*member; /* of PROPERTY_MEMBER; NULL: there is none */
};

struct flat_roster {
	struct roster_reading *r;
	struct flat_line line;
	const char *name;    /* of the line */
	const char *options; /* behind it */
	const char *parent; /* below which accounts and users stand */
	const char *cluster;
	int cluster_line;
	bool cluster_read, parent_read;
	bool root_given; /* the cluster's line says something of root */
	struct strv qos; /* names that the file has */
	struct flat_options *known;
	struct option_word words[32]; /* those that came so far */
	size_t n_words;
	struct arena scratch; /* of the line */
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

/* ---- what is wrong -------------------------------------------------------*/

/* `e`: whose option it is. */
static int fault(struct flat_roster *f, enum flat_fault what,
	const struct entry *e, const char *word)
{
	struct session *s = f->r->s;
	int line = f->line.number;

	if (f->r->part)
		return f->r->part->fault(
			f->r->part, what, &f->line, word, f->name);
	switch (what) {
	case FLAT_NOTHING:
		return roster_bad(
			s, line, "nothing follows: %s", f->line.text);
	case FLAT_OPEN_QUOTE:
		return roster_bad(s, line, "a quote is never closed: %s", word);
	case FLAT_BAD_PROPERTY:
	case FLAT_BAD_VALUE:
		return reading_bad(f->r, line, e);
	case FLAT_NO_EQUALS:
		return roster_bad(s, line, "%s: '%s' has no '='",
			entry_title(e, &s->arena), word);
	case FLAT_UNKNOWN_OPTION:
		return reading_unknown(f->r, line, e,
			arena_strndup(
				&s->arena, word, word_split(word).name_len));
	case FLAT_UNKNOWN_KEYWORD:
		return roster_bad(s, line,
			"unknown word before the dash: %s%s", f->line.text,
			near_word(s,
				arena_strndup(&s->arena, f->line.text,
					strcspn(f->line.text, " \t")),
				"QOS,Cluster,Parent,Account,User"));
	case FLAT_SECOND_CLUSTER:
		return roster_bad(s, line,
			"a second cluster; the first is in line %d",
			f->cluster_line);
	case FLAT_NO_CLUSTER:
		return roster_bad(
			s, line, "a 'Cluster - NAME' line comes before");
	case FLAT_NO_PARENT:
		return roster_bad(s, line,
			"parent %s is not an account of the lines above%s",
			word, near_account(s, word, f->r->file));
	default:
		return roster_bad(s, line, "'%s' is not a name", word);
	}
}

/* ---- options -------------------------------------------------------------*/

/* Words that only the flat file knows, beside those of members. */
static enum property_type property_of(const struct word *word)
{
	static const struct {
		const char *names;
		enum property_type type;
	} words[] = {
		{"AdminLevel:2", PROPERTY_ADMIN_LEVEL},
		{"Coordinator:2", PROPERTY_COORDINATOR},
		{"Classification:2", PROPERTY_CLASSIFICATION},
		{"DefaultAccount:8", PROPERTY_DEFAULT_ACCOUNT},
		{"DefaultWCKey:8", PROPERTY_DEFAULT_WCKEY},
		{"Description:3", PROPERTY_DESCRIPTION},
		{"Organization:1", PROPERTY_ORGANIZATION},
		{"Partition:1", PROPERTY_PARTITION},
		{"WCKeys:2", PROPERTY_WCKEYS},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words_match(words[i].names, word->text, word->name_len))
			return words[i].type;
	return PROPERTY_MEMBER;
}

/* Of a user's line `user` is whose row `e` is; of the cluster's `e` is root. */
static int take_property(struct flat_roster *f, struct entry *e,
	struct entry *user, enum property_type type, const struct word *word)
{
	const char *typed = str_unquote(&f->r->s->arena, word->value), *text;
	const struct property *property;

	if (user && type == PROPERTY_PARTITION) {
		e->partition = str_lower(&f->r->s->arena, typed);
		return 0;
	}
	if (f->line.kind == FLAT_CLUSTER && type == PROPERTY_CLASSIFICATION)
		e = f->r->file->of[ROSTER_CLUSTER].v[0];
	else if (user && !roster_property_of(e->kind, type))
		e = user;
	property = roster_property_of(e->kind, type);
	if (!property || (f->r->part && f->line.kind == FLAT_CLUSTER &&
				 e->kind == ROSTER_ACCOUNT))
		return f->r->part ? 0
				  : fault(f, FLAT_UNKNOWN_OPTION, e, word->text);
	if (reading_value(f->r, property, typed, &text))
		return fault(f, FLAT_BAD_PROPERTY, e, typed);
	entry_set(e, property, text, &f->r->s->arena);
	return 0;
}

/* Lines have the same words, mostly. */
static struct option_word meaning(struct flat_roster *f,
	const struct members *table, const struct word *word)
{
	struct option_word w = {.table = table, .len = word->name_len};

	for (size_t i = 0; i < f->n_words; i++)
		if (f->words[i].table == table && f->words[i].len == w.len &&
			!memcmp(f->words[i].text, word->text, w.len))
			return f->words[i];
	w.type = table == &qos_members ? PROPERTY_MEMBER : property_of(word);
	if (w.type == PROPERTY_MEMBER)
		w.member = settings_word(table, word->text, w.len, false);
	w.text = arena_strndup(&f->r->s->arena, word->text, w.len);
	if (f->n_words < sizeof(f->words) / sizeof(*f->words))
		f->words[f->n_words++] = w;
	return w;
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
	struct option_word means;

	if (word.op == OP_NONE)
		return fault(f, FLAT_NO_EQUALS, e, text);
	if (!*str_unquote(&s->arena, word.value))
		return 0;
	means = meaning(f, table, &word);
	if (means.type != PROPERTY_MEMBER)
		return take_property(f, e, user, means.type, &word);
	if (!means.member)
		return fault(f, FLAT_UNKNOWN_OPTION, e, text);
	f->r->member = means.member;
	f->r->typed = word.value;
	if (settings_add(set, table, means.member, &word, &context, &s->arena,
		    &s->err))
		return fault(f, FLAT_BAD_VALUE, e, text);
	return 0;
}

/* What was set as properties. A part keeps what was typed, too: there the value
 * of a new record is not the same as none. */
static int tell_members(
	struct flat_roster *f, struct entry *e, const struct settings *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct setting *one = &set->v[i];
		const struct property *property =
			roster_property_of_member(e->kind, one->attr);
		struct entry_value value = {.property = property, .set = one};

		f->root_given |= f->line.kind == FLAT_CLUSTER;
		f->r->comments |= one->attr == assoc_attr(comment);
		if (f->r->part && one->attr == assoc_attr(parent_account))
			continue;
		if (!property)
			return fault(f, FLAT_UNKNOWN_OPTION, e,
				one->attr->set->name);
		value.text =
			property_of_setting(f->r->s, property, one, &f->r->qos);
		if (f->r->part)
			entry_put(e, &value, &f->r->s->arena);
		else
			entry_set(e, property, value.text, &f->r->s->arena);
	}
	return 0;
}

static int take_options(
	struct flat_roster *f, struct entry *e, struct entry *user)
{
	struct settings set = {0};
	struct strv parts = {0};
	bool closed = flat_cut(f->options, &parts, &f->r->s->arena);

	for (size_t i = 0; i < parts.n; i++) {
		if (!closed && i + 1 == parts.n)
			return fault(f, FLAT_OPEN_QUOTE, e, parts.v[i]);
		if (*parts.v[i] && take_option(f, e, user, &set, parts.v[i]))
			return -1;
	}
	return tell_members(f, e, &set);
}

/* The name of the line, and where its options are. */
static int take_name(struct flat_roster *f)
{
	struct session *s = f->r->s;
	const bool user = f->line.kind == FLAT_USER;
	const char *typed;
	bool closed;
	size_t len = flat_length(f->line.options, &closed);

	typed = arena_strndup(&f->scratch, f->line.options, len);
	f->options = f->line.options + len;
	if (!closed)
		return fault(f, FLAT_OPEN_QUOTE, NULL, typed);
	typed = str_unquote(&f->scratch, typed);
	f->name = name_case(s, user ? NAMES_USER : NAMES_PLAIN, typed);
	if (f->name == typed)
		f->name = arena_strdup(&s->arena, typed);
	if (!f->r->part)
		return 0;
	if (!*f->name)
		return fault(f, FLAT_NO_NAME, NULL, f->name);
	return reading_name(s, f->name)
		? fault(f, FLAT_BAD_NAME, NULL, f->name)
		: 0;
}

/* ---- lines ---------------------------------------------------------------*/

/* NULL: there is one of that name. In a part the first one counts, else it is an
 * error. */
static struct entry *add(struct flat_roster *f, enum roster_kind kind,
	const char *account, const char *partition)
{
	struct entry *e;

	if (!f->r->part)
		return reading_add(f->r, kind, f->name, account, partition,
			f->line.number);
	e = roster_add(
		f->r->s, f->r->file, kind, f->name, account, partition);
	if (e)
		e->line = f->line.number;
	return e;
}

static int qos_line(struct flat_roster *f)
{
	struct entry *e;

	if (f->r->part && f->cluster_read)
		return fault(f, FLAT_LATE_QOS, NULL, f->name);
	f->r->file->has[ROSTER_QOS] = true;
	e = add(f, ROSTER_QOS, "", "");
	return e ? take_options(f, e, NULL) : -1;
}

/* What is said of the cluster is what root has; where nothing is said of it the
 * file is silent about root. */
static int cluster_line(struct flat_roster *f)
{
	struct entry root = {.kind = ROSTER_ACCOUNT, .name = "root"}, *e;

	if (f->cluster_read)
		return fault(f, FLAT_SECOND_CLUSTER, NULL, f->name);
	if (take_options(f, &root, NULL))
		return -1;
	f->cluster_read = true;
	if (f->r->part)
		f->r->part->cluster_read = true;
	if (!f->root_given)
		return 0;
	f->name = root.name;
	e = add(f, ROSTER_ACCOUNT, "", "");
	if (!e)
		return -1;
	entry_share(e, &root);
	return 0;
}

/* Of a part: would the account be below itself? The lines above count, then the
 * store. */
static bool is_below_itself(struct flat_roster *f, const struct entry *e)
{
	const char *at = f->parent;

	while (strcmp(at, e->name) != 0) {
		const struct entry *above =
			roster_find(f->r->file, ROSTER_ACCOUNT, at);
		const char *next =
			above ? entry_text(above, PROPERTY_PARENT) : NULL;

		if (!next)
			above = roster_find(f->r->store, ROSTER_ACCOUNT, at);
		if (!next && above)
			next = entry_text(above, PROPERTY_PARENT);
		if (!next)
			return false;
		at = next;
	}
	return true;
}

static int parent_line(struct flat_roster *f)
{
	struct entry *e, ignored = {.kind = ROSTER_ACCOUNT, .name = f->name};

	if (take_options(f, &ignored, NULL))
		return -1;
	e = roster_find(f->r->file, ROSTER_ACCOUNT, f->name);
	if (!e && f->r->part)
		e = roster_find(f->r->store, ROSTER_ACCOUNT, f->name);
	if ((!e || e->abroad) && strcmp(f->name, "root") != 0)
		return fault(f, FLAT_NO_PARENT, NULL, f->name);
	f->parent = e ? e->name : "root";
	f->parent_read = true;
	return 0;
}

static int account_line(struct flat_roster *f)
{
	const struct property *parent =
		roster_property_of(ROSTER_ACCOUNT, PROPERTY_PARENT);
	struct entry again = {.kind = ROSTER_ACCOUNT, .name = f->name};
	struct entry *e = add(f, ROSTER_ACCOUNT, "", "");

	if (!e && !f->r->part)
		return -1;
	if (e && f->r->part && is_below_itself(f, e))
		return fault(f, FLAT_BELOW_ITSELF, e, f->parent);
	if (e && strcmp(e->name, "root") != 0)
		entry_set(e, parent, f->parent, &f->r->s->arena);
	return take_options(f, e ? e : &again, NULL);
}

enum { MOST_KNOWN = 100000 }; /* a file may have other ones in every line */

/* The options of a user's line; NULL: they are wrong. */
static struct flat_options *user_options(struct flat_roster *f)
{
	struct arena *arena = &f->r->s->arena;
	struct flat_options *o;

	HASH_FIND_STR(f->known, f->options, o);
	if (o)
		return o;
	o = arena_alloc(arena, sizeof(*o));
	o->text = f->options = arena_strdup(arena, f->options);
	o->row = (struct entry){.kind = ROSTER_ROW,
		.name = f->name,
		.account = f->parent,
		.partition = ""};
	o->user = (struct entry){.kind = ROSTER_USER, .name = f->name};
	if (take_options(f, &o->row, &o->user))
		return NULL;
	if (HASH_COUNT(f->known) < MOST_KNOWN)
		HASH_ADD_KEYPTR(hh, f->known, o->text, strlen(o->text), o);
	return o;
}

/* A user may have several lines, which all say the same. */
static int tell_user(
	struct flat_roster *f, struct entry *e, const struct entry *line)
{
	for (size_t i = 0; i < line->n; i++) {
		const struct entry_value *value = &line->v[i];
		const char *said = entry_text_of(e, value->property);

		if (said && strcasecmp(said, value->text) != 0)
			return roster_bad(f->r->s, f->line.number,
				"user %s: %s is '%s' here, and '%s' before",
				e->name, value->property->name, value->text,
				said);
		if (!said)
			entry_set(e, value->property, value->text,
				&f->r->s->arena);
	}
	return 0;
}

/* Of a part: who is new and has no default account there gets this one; others
 * keep theirs. */
static void tell_default(struct flat_roster *f, struct entry *user)
{
	const struct property *wanted =
		roster_property_of(ROSTER_USER, PROPERTY_DEFAULT_ACCOUNT);

	if (f->r->part && !entry_find(user, wanted) &&
		!roster_find(f->r->store, ROSTER_USER, user->name))
		entry_set(user, wanted, f->parent, &f->r->s->arena);
}

static int user_line(struct flat_roster *f)
{
	struct flat_options *o = user_options(f);
	struct entry *e, *user;

	if (!o)
		return -1;
	if (reading_name(f->r->s, o->row.partition))
		return fault(f, FLAT_BAD_NAME, NULL, o->row.partition);
	e = add(f, ROSTER_ROW, f->parent, o->row.partition);
	if (!e)
		return f->r->part ? 0 : -1;
	entry_share(e, &o->row);
	user = reading_user(f->r, e);
	if (user->other == e && !e->other) {
		entry_share(user, &o->user);
		tell_default(f, user);
	}
	return f->r->part ? 0 : tell_user(f, user, &o->user);
}

static int one_line(struct flat_roster *f)
{
	struct roster *file = f->r->file;
	const bool body =
		f->line.kind != FLAT_QOS && f->line.kind != FLAT_CLUSTER;

	if (f->line.kind == FLAT_UNKNOWN)
		return fault(f, FLAT_UNKNOWN_KEYWORD, NULL, f->line.text);
	if (take_name(f))
		return -1;
	if (body) {
		if (!f->cluster_read)
			return fault(f, FLAT_NO_CLUSTER, NULL, f->name);
		file->has[ROSTER_ACCOUNT] = file->has[ROSTER_ROW] =
			file->has[ROSTER_USER] = true;
	}
	switch (f->line.kind) {
	case FLAT_QOS:
		return qos_line(f);
	case FLAT_CLUSTER:
		return cluster_line(f);
	case FLAT_PARENT:
		return parent_line(f);
	case FLAT_ACCOUNT:
		return account_line(f);
	default:
		return user_line(f);
	}
}

/* Accounts and users before any Parent line stand below root. */
static int body_line(struct flat_roster *f)
{
	int rc = one_line(f);

	if (!rc && f->r->part && !f->parent_read &&
		(f->line.kind == FLAT_ACCOUNT || f->line.kind == FLAT_USER))
		f->r->part->no_parent = true;
	return rc;
}

/* ---- the file ------------------------------------------------------------*/

/* `take` gives 0, 1: that is enough, or -1. */
static int each_line(struct flat_roster *f, const char *text,
	int (*take)(struct flat_roster *))
{
	struct flat_reader reader = {.at = text, .arena = &f->scratch};
	int rc = 0, taken = 0;

	while (!taken &&
		(rc = flat_next(&reader, &f->line, &f->r->s->err)) > 0) {
		taken = take(f);
		arena_reset(&f->scratch);
	}
	if (taken)
		return taken < 0 ? -1 : 0;
	return rc ? fault(f, FLAT_NOTHING, NULL, f->line.text) : 0;
}

static void know_qos(struct flat_roster *f, const char *name)
{
	if (!strv_has(&f->qos, name))
		strv_push(&f->qos, &f->r->s->arena, name);
}

/* QOS that the line names: those of Slurm before 25.05 are in no line of their
 * own. */
static void note_qos(struct flat_roster *f)
{
	struct arena *arena = &f->r->s->arena;
	struct strv parts = {0};

	flat_cut(f->options, &parts, &f->scratch);
	for (size_t i = 0; i < parts.n; i++) {
		struct word word = word_split(parts.v[i]);
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

	if (!qos && f->line.kind != FLAT_CLUSTER && f->r->part)
		return fault(f, FLAT_NO_CLUSTER, NULL, f->line.text);
	if (!qos && f->line.kind != FLAT_CLUSTER && !f->r->alone)
		return 0;
	if (take_name(f))
		return -1;
	if (qos && f->r->part && strv_has(&f->qos, f->name))
		return fault(f, FLAT_SECOND_QOS, NULL, f->name);
	if (qos)
		know_qos(f, f->name);
	else if (f->r->alone)
		note_qos(f);
	if (f->line.kind != FLAT_CLUSTER)
		return 0;
	if (f->cluster)
		return fault(f, FLAT_SECOND_CLUSTER, NULL, f->name);
	f->cluster = f->name;
	f->cluster_line = f->line.number;
	return f->r->part ? 1 : 0;
}

static int find_cluster(struct flat_roster *f)
{
	if (f->r->part && f->r->part->cluster)
		f->cluster = f->r->part->cluster;
	if (!f->cluster || !*f->cluster)
		return roster_bad(f->r->s, f->cluster ? f->cluster_line : 1,
			"which cluster is it? 'Cluster - NAME' is missing");
	return reading_cluster(f->r, f->cluster, f->cluster_line);
}

static int read_file(struct flat_roster *f, const char *text)
{
	int rc = each_line(f, text, note_line);

	if (rc || (f->r->part && !f->cluster))
		return rc;
	if (find_cluster(f))
		return -1;
	reading_know_qos(f->r, &f->qos);
	return each_line(f, text, body_line);
}

int roster_read_flat(struct roster_reading *r, const char *text)
{
	struct flat_roster f = {.r = r, .parent = "root"};
	int rc = read_file(&f, text);

	HASH_CLEAR(hh, f.known);
	arena_release(&f.scratch);
	return rc;
}

int flat_read_part(struct flat_part *part, const char *text)
{
	struct roster_reading r = {.s = part->s,
		.store = &part->store,
		.file = &part->file,
		.flat = true,
		.part = part};

	part->file = (struct roster){.at_least = true};
	return roster_read_flat(&r, text);
}
