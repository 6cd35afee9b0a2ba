#include "db/roster/roster_read.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/base/utf8.h"
#include "db/entity/initial.h"
#include "db/roster/flatfile.h"
#include "db/roster/near.h"

const char *reading_complaint(struct roster_reading *r)
{
	const char *text = roster_complaint(r->s);

	if (!r->member)
		return text;
	if (r->member->set->type == ATTR_FLAGS)
		text = arena_printf(&r->s->arena, "unknown %s '%s'",
			r->member->set->name, text);
	return arena_printf(&r->s->arena, "%s%s", text,
		near_value(r->s, r->member, &r->qos, r->typed));
}

int reading_bad(
	struct roster_reading *r, int line, const struct entry *e)
{
	return roster_bad(r->s, line, "%s: %s", entry_title(e, &r->s->arena),
		reading_complaint(r));
}

/* ---- values --------------------------------------------------------------*/

/* Names in order, of a part as they are given; each must be one that can be
 * typed. */
static int names_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	struct strv names = {0};

	strv_words(&names, &r->s->arena, str_lower(&r->s->arena, typed));
	for (size_t i = 0; i < names.n; i++)
		if (check_name(r->s, names.v[i]))
			return -1;
	if (!r->part)
		strv_sort(&names);
	*text = names.n ? strv_join(&names, ",", &r->s->arena) : NULL;
	return 0;
}

static int level_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	uint32_t level = admin_level_parse(typed);

	if (level == ADMIN_NOT_SET)
		return err_set(&r->s->err, ERR_USAGE,
			"unknown AdminLevel '%s': None, Operator or "
			"Administrator",
			typed);
	*text = level > ADMIN_NONE || r->part ? admin_level_text(level) : NULL;
	return 0;
}

static int flags_of(
	struct roster_reading *r, const char *typed, const char **text)
{
	if (strcasecmp(typed, "UsersAreCoords") != 0 && *typed)
		return err_set(&r->s->err, ERR_USAGE,
			"unknown Flags '%s': UsersAreCoords", typed);
	*text = *typed ? "UsersAreCoords" : NULL;
	return 0;
}

static int class_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	uint32_t class = cluster_classification(
		str_lower(&r->s->arena, typed));

	if (r->part)
		class &= 3; /* whether it is classified stays */
	*text = cluster_classification_text(class, "", &r->s->arena);
	return class & 3
		? 0
		: err_set(&r->s->err, ERR_USAGE,
			  CLASSIFICATION_UNKNOWN, typed);
}

static int plain_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	if (!utf8_clean(typed))
		return err_set(&r->s->err, ERR_USAGE,
			"a text must be UTF-8 without control characters");
	*text = str_lower(&r->s->arena, str_unquote(&r->s->arena, typed));
	return 0;
}

int reading_value(struct roster_reading *r, const struct property *f,
	const char *typed, const char **text)
{
	r->member = f->member;
	r->typed = typed;
	switch (f->type) {
	case PROPERTY_MEMBER:
		if (property_read(r->s, f, &r->qos, typed, text))
			return -1;
		if (!*text && f->member == qos_attr(description))
			*text = "";
		return 0;
	case PROPERTY_DESCRIPTION:
	case PROPERTY_ORGANIZATION:
		return plain_text(r, typed, text);
	case PROPERTY_FLAGS:
		return flags_of(r, typed, text);
	case PROPERTY_CLASSIFICATION:
		return class_text(r, typed, text);
	case PROPERTY_ADMIN_LEVEL:
		return level_text(r, typed, text);
	case PROPERTY_COORDINATOR:
	case PROPERTY_WCKEYS:
		return names_text(r, typed, text);
	default:
		*text = str_lower(&r->s->arena, typed);
		return 0;
	}
}

int reading_unknown(struct roster_reading *r, int line, const struct entry *e,
	const char *key)
{
	return roster_bad(r->s, line, "%s: unknown key '%s'%s",
		entry_title(e, &r->s->arena), key,
		near_key(r, e->kind, key, ""));
}

int reading_keys(struct session *s, const struct tree *map, const char *list)
{
	struct strv known = {0};

	strv_split(&known, &s->arena, list);
	for (const struct tree *t = map->first; t; t = t->next) {
		if (strv_has_nocase(&known, t->name))
			continue;
		known.n--;
		return roster_bad(s, t->line, "unknown key '%s': %s or %s%s",
			t->name, strv_join(&known, ", ", &s->arena),
			known.v[known.n], near_word(s, t->name, list));
	}
	return 0;
}

/* ---- records -------------------------------------------------------------*/

int reading_cluster(struct roster_reading *r, const char *name, int line)
{
	struct session *s = r->s;
	struct entry *e;

	r->file->cluster = r->part ? name : str_lower(&s->arena, name);
	if (!r->alone && !r->part && cluster_key(s->store, r->file->cluster) <= 0)
		return roster_bad(s, line,
			"the file is for cluster '%s', which is not in this "
			"store%s",
			r->file->cluster,
			near_cluster(s, r->file->cluster));
	e = roster_add(s, r->file, ROSTER_CLUSTER, r->file->cluster, "", "");
	e->line = line;
	r->file->has[ROSTER_CLUSTER] = true;
	if (r->part)
		return r->part->begin(r->part, name);
	return r->alone ? 0 : roster_load(s, r->file->cluster, r->store);
}

enum { NEW_QOS = 0x40000000 /* no real number is as high */ };

void reading_know_qos(struct roster_reading *r, const struct strv *names)
{
	const struct qos_catalog *known = &r->s->store->qos;
	const bool stay = !r->prune || (!names->n && !r->file->has[ROSTER_QOS]);
	struct arena *arena = &r->s->arena;
	size_t n = 0;
	struct qos_name *v =
		arena_array(arena, known->n + names->n + 1, sizeof(*v));

	for (size_t i = 0; i < known->n; i++)
		if (stay || strv_has(names, known->v[i].name))
			v[n++] = known->v[i];
	for (size_t i = 0; i < names->n; i++)
		if (!qos_by_name(known, names->v[i])) {
			v[n] = (struct qos_name){(uint32_t)(NEW_QOS + n),
				str_lower(arena, names->v[i])};
			n++;
		}
	r->qos = (struct qos_catalog){v, n};
}

int reading_name(struct session *s, const char *name)
{
	return strpbrk(name, ",[]\"'")
		? err_set(&s->err, ERR_USAGE, "'%s' is not a name", name)
		: check_name(s, name);
}

struct entry *reading_add(struct roster_reading *r, enum roster_kind kind,
	const char *typed, const char *account, const char *partition, int line)
{
	const bool user = kind == ROSTER_ROW || kind == ROSTER_USER;
	const char *name =
		name_case(r->s, user ? NAMES_USER : NAMES_PLAIN, typed);
	const struct entry wanted = {.kind = kind,
		.name = name,
		.account = account,
		.partition = partition};
	struct entry *e;

	if (!*name || reading_name(r->s, name)) {
		roster_bad(r->s, line, "'%s' is not a name", name);
		return NULL;
	}
	e = roster_add(r->s, r->file, kind, name, account, partition);
	if (e)
		e->line = line;
	else
		roster_bad(r->s, line,
			"%s a second time; the first is in line %d",
			entry_title(&wanted, &r->s->arena),
			roster_find_like(r->file, &wanted)->line);
	return e;
}

struct entry *reading_user(struct roster_reading *r, struct entry *row)
{
	return row->user = roster_user(r->s, r->file, row);
}

/* ---- what follows from what was said -------------------------------------*/

void reading_texts(struct session *s, struct entry *e)
{
	const struct properties *properties = roster_properties(e->kind);

	for (size_t i = 0; i < properties->n; i++) {
		const struct property *f = &properties->v[i];

		if (!entry_text_of(e, f))
			entry_set(e, f, roster_default(f, e, &s->arena),
				&s->arena);
	}
}

/* Which account is the default where the file does not say it: the only one,
 * else that of the store, else the first of the file. */
static int settle_account(struct roster_reading *r, struct entry *e)
{
	const struct property *f =
		roster_property_of(ROSTER_USER, PROPERTY_DEFAULT_ACCOUNT);
	const char *said = entry_text(e, PROPERTY_DEFAULT_ACCOUNT), *is = NULL;
	const struct entry *known;

	if (said && *said && !entry_has_row(e, said))
		return roster_bad(r->s, e->line,
			"user %s: the default account %s is not among the "
			"user's accounts in the file%s",
			e->name, said, near_account(r->s, said, r->file));
	if (said)
		return 0;
	known = e->several ? roster_find(r->store, ROSTER_USER, e->name) : NULL;
	if (known)
		is = entry_text(known, PROPERTY_DEFAULT_ACCOUNT);
	if (!is || !*is || !entry_has_row(e, is))
		is = e->account;
	entry_set(e, f, is, &r->s->arena);
	return 0;
}

static int settle_wckey(struct roster_reading *r, struct entry *e)
{
	const struct property *f =
		roster_property_of(ROSTER_USER, PROPERTY_DEFAULT_WCKEY);
	const struct entry *known;
	const char *keys = entry_text(e, PROPERTY_WCKEYS);
	const char *said = entry_text(e, PROPERTY_DEFAULT_WCKEY), *is = NULL;

	if (said && !roster_among(r->s, keys, said))
		return roster_bad(r->s, e->line,
			"user %s: the default wckey %s is not among WCKeys",
			e->name, said);
	if (said || !keys)
		return 0;
	known = roster_find(r->store, ROSTER_USER, e->name);
	is = known ? entry_text(known, PROPERTY_DEFAULT_WCKEY) : NULL;
	if (known && !is && entry_text(known, PROPERTY_WCKEYS))
		return 0; /* there are keys, and none is the default */
	if (!is || !roster_among(r->s, keys, is))
		is = arena_strndup(&r->s->arena, keys, strcspn(keys, ","));
	entry_set(e, f, is, &r->s->arena);
	return 0;
}

/* A flat file has the accounts of other clusters, too: these are left out. */
static int settle_coordinator(struct roster_reading *r, struct entry *e)
{
	const char *list = entry_text(e, PROPERTY_COORDINATOR);
	struct strv accounts = {0};

	if (r->flat)
		entry_set_of(e, PROPERTY_COORDINATOR,
			roster_coordinated(r->s, list, r->store, r->file),
			&r->s->arena);
	else if (list)
		strv_split(&accounts, &r->s->arena, list);
	for (size_t i = 0; i < accounts.n; i++)
		if (!roster_find(r->file, ROSTER_ACCOUNT, accounts.v[i]))
			return roster_bad(r->s, e->line,
				"user %s: Coordinator of '%s', which is not an "
				"account of the file%s",
				e->name, accounts.v[i],
				near_account(r->s, accounts.v[i], r->file));
	return 0;
}

/* Can the flat file say that the record has that? Slurm has written comments of
 * users since 23.02, lines of QOS since 25.05. */
static bool has_words(const struct roster_reading *r, const struct entry *e,
	const struct entry_value *t)
{
	const bool text = t->property->type == PROPERTY_DESCRIPTION ||
			  t->property->type == PROPERTY_ORGANIZATION;

	if (!*t->text || t->property->type == PROPERTY_FLAGS)
		return false;
	if (t->property->table == &assoc_members &&
		t->property->member->offset == offsetof(struct assoc, comment))
		return e->kind != ROSTER_ACCOUNT &&
		       (r->comments || r->file->has[ROSTER_QOS]);
	return e->kind != ROSTER_ACCOUNT || !text ||
	       entry_text(e, PROPERTY_PARENT);
}

/* What a flat file cannot say is as in the store. */
static void settle_unsaid(struct roster_reading *r, struct entry *e)
{
	const struct entry *old = roster_find_like(r->store, e);

	for (size_t i = 0; old && i < old->n; i++)
		if (!has_words(r, e, &old->v[i]) &&
			!entry_text_of(e, old->v[i].property))
			entry_set(e, old->v[i].property, old->v[i].text,
				&r->s->arena);
}

/* What was not said is as in a new record, and what was said is checked against
 * the rest of the file. */
static int settle(struct roster_reading *r)
{
	for (int kind = 0; kind < ROSTER_KINDS; kind++) {
		const struct entry_list *list = &r->file->of[kind];

		for (size_t i = 0; i < list->n; i++) {
			struct entry *e = list->v[i];

			if (r->flat)
				settle_unsaid(r, e);
			if (kind == ROSTER_QOS || kind == ROSTER_ACCOUNT)
				reading_texts(r->s, e);
			else if (kind == ROSTER_USER &&
				(settle_account(r, e) || settle_wckey(r, e) ||
					settle_coordinator(r, e)))
				return -1;
		}
	}
	return 0;
}

/* ---- files ---------------------------------------------------------------*/

static int read_file(struct roster_reading *r, const char *text, size_t size)
{
	r->flat = roster_is_flat(text);
	return any_failed((r->flat ? roster_read_flat(r, text)
				   : roster_read_tree(r, text, size)) ||
			  settle(r));
}

int roster_read(struct session *s, const char *text, size_t size, bool prune,
	struct roster *store, struct roster *file)
{
	struct roster_reading r = {
		.s = s, .store = store, .file = file, .prune = prune};

	*store = *file = (struct roster){0};
	return read_file(&r, text, size);
}

/* TRES that the text names, which no store tells: all "type/name=". */
static void know_tres(struct session *s, const char *text)
{
	struct strv names = {0};

	for (const char *at = strchr(text, '='); at; at = strchr(at + 1, '=')) {
		const char *from = at;
		struct err ignored;
		char *name;

		while (from > text &&
			(isalnum((unsigned char)from[-1]) ||
				strchr("/_.:-", from[-1])))
			from--;
		name = arena_strndup(&s->arena, from, (size_t)(at - from));
		if (strchr(name, '/') && !tres_check_name(name, &ignored) &&
			!strv_has(&names, name))
			strv_push(&names, &s->arena, name);
	}
	initial_know_tres(s->store, &names);
}

int roster_read_two(struct session *s, const struct roster_text *texts,
	struct roster *one, struct roster *other, size_t *bad)
{
	struct roster none = {0};
	struct roster_reading first = {
		.s = s, .store = &none, .file = one, .alone = true};
	struct roster_reading second = {
		.s = s, .store = one, .file = other, .alone = true};
	struct store *store = s->store, names = {.err = &s->err};
	int rc;

	*one = *other = none;
	s->store = &names;
	initial_fixed_tres(&names);
	for (size_t i = 0; i < 2; i++)
		know_tres(s, texts[i].text);
	*bad = 0;
	rc = read_file(&first, texts[0].text, texts[0].size);
	if (!rc) {
		*bad = 1;
		rc = read_file(&second, texts[1].text, texts[1].size);
	}
	arena_release(&names.arena);
	s->store = store;
	return rc;
}
