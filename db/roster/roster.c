#include "db/roster/roster.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"

/* ---- properties ----------------------------------------------------------*/

static struct properties all_properties[ROSTER_KINDS];

static void add_member(struct properties *properties, enum property_type type,
	const struct members *table, const struct member *m)
{
	struct property *f =
		MEMORY_PUSH(properties->v, properties->n, properties->cap);

	*f = (struct property){.type = type,
		.name = m->set->name,
		.member = m,
		.table = table};
	words_first(m->set->words, f->word, sizeof(f->word));
	if (settings_word(table, f->word, strlen(f->word), false) != m)
		BUG("%s does not set %s", f->word, f->name);
}

/* What is in the flat file, in its order. */
static void add_members(
	struct properties *properties, const struct members *table)
{
	for (int order = 1; order <= (int)table->n; order++)
		for (size_t i = 0; i < table->n; i++)
			if (table->v[i].set &&
				table->v[i].set->dump_order == order)
				add_member(properties, PROPERTY_MEMBER, table,
					&table->v[i]);
}

static void add_property(struct properties *properties, enum property_type type,
	const char *name)
{
	struct property *f =
		MEMORY_PUSH(properties->v, properties->n, properties->cap);

	*f = (struct property){.type = type, .name = name};
	snprintf(f->word, sizeof(f->word), "%s", name);
}

static void make_properties(struct properties *f, enum roster_kind kind)
{
	switch (kind) {
	case ROSTER_CLUSTER:
		add_member(f, PROPERTY_CLASSIFICATION, &cluster_members,
			cluster_attr(classification_text));
		break;
	case ROSTER_QOS:
		add_members(f, &qos_members);
		break;
	case ROSTER_ACCOUNT:
		add_member(f, PROPERTY_PARENT, &assoc_members,
			assoc_attr(parent_account));
		add_member(f, PROPERTY_DESCRIPTION, &account_members,
			account_attr(description));
		add_member(f, PROPERTY_ORGANIZATION, &account_members,
			account_attr(organization));
		add_member(f, PROPERTY_FLAGS, &account_members,
			account_attr(flags));
		/* fall through */
	case ROSTER_ROW:
		add_members(f, &assoc_members);
		add_member(f, PROPERTY_MEMBER, &assoc_members,
			assoc_attr(comment));
		break;
	default:
		add_member(f, PROPERTY_DEFAULT_ACCOUNT, &user_members,
			user_attr(default_account));
		add_member(f, PROPERTY_ADMIN_LEVEL, &user_members,
			user_attr(admin_level));
		add_property(f, PROPERTY_COORDINATOR, "Coordinator");
		add_property(f, PROPERTY_WCKEYS, "WCKeys");
		add_member(f, PROPERTY_DEFAULT_WCKEY, &user_members,
			user_attr(default_wckey));
	}
}

const struct properties *roster_properties(enum roster_kind kind)
{
	if (!all_properties[kind].n)
		make_properties(&all_properties[kind], kind);
	return &all_properties[kind];
}

const struct property *roster_property(enum roster_kind kind, const char *name)
{
	const struct properties *properties = roster_properties(kind);

	/* Every name that is typed or dumped in full means it, too. */
	for (size_t i = 0; i < properties->n; i++)
		if (!strcasecmp(properties->v[i].name, name) ||
			!strcasecmp(properties->v[i].word, name) ||
			(properties->v[i].member &&
				!strcasecmp(
					set_dump(properties->v[i].member->set),
					name)))
			return &properties->v[i];
	return NULL;
}

const struct property *roster_property_of(
	enum roster_kind kind, enum property_type type)
{
	const struct properties *properties = roster_properties(kind);

	for (size_t i = 0; i < properties->n; i++)
		if (properties->v[i].type == type)
			return &properties->v[i];
	return NULL;
}

const struct property *roster_property_of_member(
	enum roster_kind kind, const struct member *m)
{
	const struct properties *properties = roster_properties(kind);

	for (size_t i = 0; i < properties->n; i++)
		if (properties->v[i].type == PROPERTY_MEMBER &&
			properties->v[i].member == m)
			return &properties->v[i];
	return NULL;
}

/* ---- entries -------------------------------------------------------------*/

const char *entry_text(const struct entry *e, enum property_type type)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->v[i].property->type == type)
			return e->v[i].text;
	return NULL;
}

const struct entry_value *entry_find(
	const struct entry *e, const struct property *property)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->v[i].property == property)
			return &e->v[i];
	return NULL;
}

const char *entry_text_of(
	const struct entry *e, const struct property *property)
{
	const struct entry_value *value = entry_find(e, property);

	return value ? value->text : NULL;
}

void entry_share(struct entry *e, struct entry *from)
{
	e->v = from->v;
	e->n = from->n;
	e->cap = from->cap = 0;
}

/* Room for one more property, in an array that no other entry has. */
static void own_properties(struct entry *e, struct arena *arena)
{
	struct entry_value *v;

	if (e->n < e->cap)
		return;
	e->cap = (uint16_t)(e->n + e->n / 2 + 2);
	v = arena_array(arena, e->cap, sizeof(*v));
	if (e->n)
		memcpy(v, e->v, e->n * sizeof(*v));
	e->v = v;
}

void entry_put(
	struct entry *e, const struct entry_value *value, struct arena *arena)
{
	size_t at = 0;

	while (at < e->n && e->v[at].property < value->property)
		at++;
	own_properties(e, arena);
	if (at == e->n || e->v[at].property != value->property) {
		memmove(&e->v[at + 1], &e->v[at],
			(e->n - at) * sizeof(*e->v));
		e->n++;
	}
	e->v[at] = *value;
}

void entry_set(struct entry *e, const struct property *property,
	const char *text, struct arena *arena)
{
	const struct entry_value value = {.property = property, .text = text},
				 *old;
	size_t at;

	if (text) {
		entry_put(e, &value, arena);
		return;
	}
	old = entry_find(e, property);
	if (!old)
		return;
	at = (size_t)(old - e->v);
	own_properties(e, arena);
	e->n--;
	memmove(&e->v[at], &e->v[at + 1], (e->n - at) * sizeof(*e->v));
}

void entry_set_of(struct entry *e, enum property_type type, const char *text,
	struct arena *arena)
{
	entry_set(e, roster_property_of(e->kind, type), text, arena);
}

bool entry_has_row(const struct entry *user, const char *account)
{
	for (const struct entry *row = user->other; row; row = row->other)
		if (!strcmp(row->account, account))
			return true;
	return false;
}

const char *entry_title(const struct entry *e, struct arena *arena)
{
	switch (e->kind) {
	case ROSTER_CLUSTER:
		return arena_printf(arena, "cluster %s", e->name);
	case ROSTER_QOS:
		return arena_printf(arena, "QOS %s", e->name);
	case ROSTER_ACCOUNT:
		return arena_printf(arena, "account %s", e->name);
	case ROSTER_ROW:
		return arena_printf(arena, "user %s in %s%s%s", e->name,
			e->account, *e->partition ? ", partition " : "",
			e->partition);
	default:
		return arena_printf(arena, "user %s", e->name);
	}
}

/* FNV, with the bytes of a name as if in lower case. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c + 'a' - 'A');
		hash = (hash ^ c) * 0x100000001b3u;
	}
	return (hash ^ 0xff) * 0x100000001b3u;
}

static uint32_t hash_of(enum roster_kind kind, const char *name,
	const char *account, const char *partition)
{
	uint64_t hash = 0xcbf29ce484222325u + (uint64_t)kind;

	hash = hash_text(hash, name);
	if (kind == ROSTER_ROW) {
		hash = hash_text(hash, account);
		hash = hash_text(hash, partition);
	}
	return (uint32_t)(hash ^ hash >> 32);
}

static bool is_named(const struct entry *e, enum roster_kind kind,
	const char *name, const char *account, const char *partition)
{
	return e->kind == kind && !e->erased && !strcasecmp(e->name, name) &&
	       (kind != ROSTER_ROW || (!strcmp(e->account, account) &&
					      !strcmp(e->partition, partition)));
}

enum { TAG = 15 }; /* what is 0 in the address of an entry */

/* Imports bring accounts whose names differ in case alone. */
static bool is_the_one(const struct entry *e, const char *name)
{
	return e->kind == ROSTER_ROW || e->kind == ROSTER_USER ||
	       !strcmp(e->name, name);
}

/* Of several that are named so, the one that is named exactly so. */
static struct entry *find(const struct roster *r, uint32_t hash,
	enum roster_kind kind, const char *name, const char *account,
	const char *partition)
{
	uint32_t tag = hash >> 28;
	struct entry *found = NULL;

	for (size_t i = r->n_slots ? hash % r->n_slots : 0;
		r->n_slots && r->slots[i]; i = (i + 1) % r->n_slots) {
		struct entry *e = (struct entry *)(r->slots[i] & ~(uintptr_t)TAG);

		if ((r->slots[i] & TAG) != tag || e->hash != hash ||
			!is_named(e, kind, name, account, partition))
			continue;
		if (is_the_one(e, name))
			return e;
		found = e;
	}
	return found;
}

struct entry *roster_find(
	const struct roster *r, enum roster_kind kind, const char *name)
{
	return find(r, hash_of(kind, name, "", ""), kind, name, "", "");
}

struct entry *roster_find_like(const struct roster *r, const struct entry *e)
{
	return find(r, hash_of(e->kind, e->name, e->account, e->partition),
		e->kind, e->name, e->account, e->partition);
}

static void put_slot(struct roster *r, struct entry *e)
{
	size_t i = e->hash % r->n_slots;

	while (r->slots[i])
		i = (i + 1) % r->n_slots;
	r->slots[i] = (uintptr_t)e | e->hash >> 28;
	r->used++;
}

static void grow(struct roster *r)
{
	struct roster old = *r;

	r->n_slots = old.n_slots ? old.n_slots * 4 : 256;
	r->slots = memory_zeroed(r->n_slots, sizeof(*r->slots));
	r->used = 0;
	for (size_t i = 0; i < old.n_slots; i++)
		if (old.slots[i])
			put_slot(r, (struct entry *)(old.slots[i] &
						     ~(uintptr_t)TAG));
	free(old.slots);
}

struct entry *roster_add(struct session *s, struct roster *r,
	enum roster_kind kind, const char *name, const char *account,
	const char *partition)
{
	uint32_t hash = hash_of(kind, name, account, partition);
	struct entry *e = find(r, hash, kind, name, account, partition);

	if (e && is_the_one(e, name))
		return NULL;
	e = arena_alloc(&s->arena, sizeof(*e));
	*e = (struct entry){.kind = kind,
		.hash = hash,
		.name = name,
		.account = kind == ROSTER_USER ? NULL : account,
		.partition = partition};
	if (r->used * 2 >= r->n_slots)
		grow(r);
	put_slot(r, e);
	*MEMORY_PUSH(r->of[kind].v, r->of[kind].n, r->of[kind].cap) = e;
	return e;
}

struct entry *roster_user(
	struct session *s, struct roster *r, struct entry *row)
{
	struct entry *e = roster_find(r, ROSTER_USER, row->name);

	if (!e)
		e = roster_add(s, r, ROSTER_USER, row->name, "", "");
	if (!e->account) {
		e->account = row->account;
		e->line = row->line;
	}
	e->several |= strcmp(e->account, row->account) != 0;
	row->other = e->other;
	e->other = row;
	return e;
}

int roster_bad(struct session *s, int line, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(&s->arena, fmt, ap);
	va_end(ap);
	return err_usage(&s->err, ERR_PLACED, "line %d: %s", line, text);
}

const char *roster_complaint(struct session *s)
{
	const char *text = arena_strdup(&s->arena, s->err.text);

	while (*text == ' ')
		text++;
	return text;
}

void roster_release(struct roster *r)
{
	free(r->slots);
	for (int kind = 0; kind < ROSTER_KINDS; kind++)
		free(r->of[kind].v);
	*r = (struct roster){.cluster = r->cluster};
}

const char *roster_default(const struct property *property,
	const struct entry *e, struct arena *arena)
{
	const char *parent = entry_text(e, PROPERTY_PARENT);
	bool description = property->type == PROPERTY_DESCRIPTION ||
			   property->member == qos_attr(description);

	if (property->type == PROPERTY_ORGANIZATION)
		return !parent || !strcmp(parent, "root") ? e->name : parent;
	if (!description)
		return NULL;
	return e->kind == ROSTER_ACCOUNT && !parent
		       ? "default root account"
		       : str_lower(arena, e->name);
}

/* ---- values --------------------------------------------------------------*/

const char *roster_plain(struct session *s, const char *text)
{
	return strpbrk(text, "\"'") ? str_unquote(&s->arena, text) : text;
}

/* The shortest that reads as the same number. */
static const char *real_text(struct session *s, double real)
{
	char text[40];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
	return arena_strdup(&s->arena, text);
}

static const char *number_text(struct session *s, const struct property *f,
	uint32_t number, uint32_t blank)
{
	const struct member_set *set = f->member->set;
	const char *words;

	if (number == INFINITE || number == NO_VAL || number == blank ||
		(set->type == ATTR_PREEMPT_MODE &&
			!(number & ~(uint32_t)PREEMPT_CLUSTER)))
		return NULL;
	words = set_words(set, number, &s->arena);
	return words ? words : arena_printf(&s->arena, "%u", number);
}

static const char *real_of(struct session *s, double real, double blank)
{
	return real == (double)INFINITE || real == blank ? NULL
							 : real_text(s, real);
}

static const char *tres_text(struct session *s, const struct tres_list *list)
{
	const char *text = list->n ? tres_list_format(list, &s->store->tres,
					     TRES_BY_ID, &s->arena)
				   : "";

	return *text ? text : NULL;
}

const char *roster_names(struct session *s, const struct strv *words)
{
	struct strv sorted = {0};

	for (size_t i = 0; i < words->n; i++)
		if (*words->v[i])
			strv_push(&sorted, &s->arena, words->v[i]);
	if (!sorted.n)
		return NULL;
	strv_sort(&sorted);
	return strv_join(&sorted, ",", &s->arena);
}

struct strv roster_beyond(
	struct session *s, const char *list, const char *other)
{
	struct strv names = {0}, others = {0}, beyond = {0};

	if (list)
		strv_split(&names, &s->arena, list);
	if (other)
		strv_split(&others, &s->arena, other);
	for (size_t i = 0; i < names.n; i++)
		if (!strv_has(&others, names.v[i]))
			strv_push(&beyond, &s->arena, names.v[i]);
	return beyond;
}

const char *roster_united(
	struct session *s, const char *list, const char *other)
{
	struct strv names = roster_beyond(s, list, other);

	if (other)
		strv_split(&names, &s->arena, other);
	return roster_names(s, &names);
}

bool roster_among(struct session *s, const char *list, const char *name)
{
	struct strv names = {0};

	if (list)
		strv_split(&names, &s->arena, list);
	return strv_has(&names, name);
}

bool qos_has_sign(const char *list)
{
	return list && (*list == '+' || *list == '-');
}

static const char *own_qos_text(struct session *s, const struct assoc *assoc)
{
	struct strv names = {0};

	for (size_t i = 0; i < assoc->own_qos.n; i++) {
		const struct assoc_qos *own = &assoc->own_qos.v[i];
		const struct qos_name *qos =
			qos_by_id(&s->store->qos, own->id);

		if (qos)
			strv_push(&names, &s->arena,
				own->sign == '='
					? qos->name
					: arena_printf(&s->arena, "%c%s",
						  own->sign, qos->name));
	}
	return roster_names(s, &names);
}

const void *property_blank(const struct property *f)
{
	static struct assoc assoc;
	static struct qos qos;
	static bool ready;

	if (!ready) {
		assoc_init(&assoc);
		qos_init(&qos);
		ready = true;
	}
	return f->table == &qos_members ? (const void *)&qos : &assoc;
}

const char *property_text(
	struct session *s, const struct property *f, const void *record)
{
	const char *at = (const char *)record + f->member->offset;
	const char *blank = (const char *)property_blank(f) + f->member->offset;
	const struct qos_name *qos;
	const char *text;
	double real, blank_real;
	uint32_t number, blank_number;

	switch (f->member->set->type) {
	case ATTR_TRES:
		return tres_text(s, (const struct tres_list *)(const void *)at);
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		memcpy(&text, at, sizeof(text));
		return *text ? roster_plain(s, text) : NULL;
	case ATTR_QOS_LIST:
		return f->table == &qos_members
			       ? roster_names(s, &((const struct qos *)record)
							->preempt)
			       : own_qos_text(s, record);
	case ATTR_REAL:
		memcpy(&real, at, sizeof(real));
		memcpy(&blank_real, blank, sizeof(blank_real));
		return real_of(s, real, blank_real);
	case ATTR_QOS:
		memcpy(&number, at, sizeof(number));
		qos = number == INFINITE || number == NO_VAL
			      ? NULL
			      : qos_by_id(&s->store->qos, number);
		return qos ? qos->name : NULL;
	default:
		memcpy(&number, at, sizeof(number));
		memcpy(&blank_number, blank, sizeof(blank_number));
		return number_text(s, f, number, blank_number);
	}
}

/* One setting as it would look in a new record. */
const char *property_of_setting(struct session *s, const struct property *f,
	const struct setting *set, const struct qos_catalog *catalog)
{
	uint32_t blank_number;
	double blank_real;
	const char *blank = (const char *)property_blank(f) + f->member->offset;
	const struct qos_name *qos;
	struct tres_list list = {0};

	switch (set->attr->set->type) {
	case ATTR_TRES:
		tres_list_apply(&list, &s->arena, &set->tres);
		return tres_text(s, &list);
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		return *set->text ? set->text : NULL;
	case ATTR_QOS_LIST:
		return roster_names(s, &set->list);
	case ATTR_REAL:
		memcpy(&blank_real, blank, sizeof(blank_real));
		return real_of(s, set->real, blank_real);
	case ATTR_QOS:
		qos = set->number == INFINITE ? NULL
					      : qos_by_id(catalog, set->number);
		return qos ? qos->name : NULL;
	default:
		memcpy(&blank_number, blank, sizeof(blank_number));
		return number_text(s, f, set->number, blank_number);
	}
}

static const char *tres_after(
	struct session *s, const struct setting *set, const char *was)
{
	const struct tres_catalog *tres = &s->store->tres;
	struct tres_list list = {0};
	struct err ignored;

	if (was)
		tres_list_parse(was, tres, &s->arena, &list, &ignored);
	tres_list_apply(&list, &s->arena, &set->tres);
	return tres_text(s, &list);
}

static const char *flags_after(struct session *s, const struct property *f,
	const struct setting *set, const char *was)
{
	struct settings before = {0};
	const char *text;
	uint32_t bits = 0;

	if (was && !property_setting(s, f, &s->store->qos, was, &before))
		bits = before.v[0].number;
	text = flags_text(set->attr->set->flags,
		set->op == OP_ADD ? bits | set->number : bits & ~set->number,
		&s->arena);
	return *text ? text : NULL;
}

const char *qos_after(struct session *s, const struct property *f,
	const struct strv *set, const char *was, bool longer)
{
	const bool signs = set->n && qos_has_sign(set->v[0]);
	bool whole = was && !qos_has_sign(was);
	struct strv all = {0};

	if (was && (signs || (longer && whole)))
		strv_split(&all, &s->arena, was);
	/* Whom a QOS preempts is no list of signs. */
	whole = all.n ? whole : !signs || f->table == &qos_members;
	for (size_t i = 0; i < set->n; i++) {
		const char *name = set->v[i] + signs;
		size_t kept = 0;

		for (size_t k = 0; k < all.n; k++)
			if (strcmp(all.v[k] + qos_has_sign(all.v[k]), name) !=
				0)
				all.v[kept++] = all.v[k];
		all.n = kept;
		if (!whole || *set->v[i] != '-')
			strv_push(&all, &s->arena, whole ? name : set->v[i]);
	}
	return roster_names(s, &all);
}

const char *property_after(struct session *s, const struct property *f,
	const struct setting *set, const char *was)
{
	switch (f->member->set->type) {
	case ATTR_QOS_LIST:
		return qos_after(s, f, &set->list, was, false);
	case ATTR_TRES:
		return tres_after(s, set, was);
	case ATTR_FLAGS:
		if (set->op != OP_SET && set->number != INFINITE)
			return flags_after(s, f, set, was);
		break;
	default:
		break;
	}
	return property_of_setting(s, f, set, &s->store->qos);
}

/* Texts are stored in lower case, so a difference only in case does not
 * count. */
bool property_is_same(const struct property *f, const char *was, const char *is)
{
	bool lower = f->type == PROPERTY_DESCRIPTION ||
		     f->type == PROPERTY_ORGANIZATION ||
		     (f->type == PROPERTY_MEMBER &&
			     f->member->set->type == ATTR_TEXT);

	if (was == is)
		return true;
	return was && is && !(lower ? strcasecmp(was, is) : strcmp(was, is));
}

int property_setting(struct session *s, const struct property *f,
	const struct qos_catalog *catalog, const char *text,
	struct settings *set)
{
	const struct attr_context context = {
		.tres = &s->store->tres, .qos = catalog};
	struct word word = word_split(
		arena_printf(&s->arena, "%s=%s", f->name, text));

	return settings_add(set, f->table, f->member, &word, &context,
		&s->arena, &s->err);
}

int entry_settings(
	struct session *s, const struct entry *e, struct settings *set)
{
	const struct qos_catalog *qos = &s->store->qos;

	*set = (struct settings){0};
	for (size_t i = 0; i < e->n; i++) {
		const struct entry_value *t = &e->v[i];
		struct setting *one;

		if (t->property->type != PROPERTY_MEMBER)
			continue;
		if (!t->set) {
			if (property_setting(s, t->property, qos, t->text, set))
				return -1;
			continue;
		}
		one = ARENA_PUSH(&s->arena, set->v, set->n, set->cap);
		*one = *t->set;
		if (t->text && t->property->member->set->type == ATTR_QOS)
			one->number = qos_by_name(qos, t->text)->id;
	}
	return 0;
}

int property_read(struct session *s, const struct property *f,
	const struct qos_catalog *catalog, const char *typed, const char **text)
{
	struct settings set = {0};

	if (property_setting(s, f, catalog, typed, &set))
		return -1;
	*text = property_of_setting(s, f, &set.v[0], catalog);
	return 0;
}

const char *roster_coordinated(struct session *s, const char *accounts,
	const struct roster *one, const struct roster *other)
{
	struct strv names = {0}, here = {0};

	if (!accounts)
		return NULL;
	strv_split(&names, &s->arena, accounts);
	for (size_t i = 0; i < names.n; i++)
		if (roster_find(one, ROSTER_ACCOUNT, names.v[i]) ||
			roster_find(other, ROSTER_ACCOUNT, names.v[i]))
			strv_push(&here, &s->arena, names.v[i]);
	return roster_names(s, &here);
}
