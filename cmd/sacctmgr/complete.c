#include "cmd/sacctmgr/complete.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/help.h"
#include "cmd/sacctmgr/private.h"
#include "common/base/words.h"
#include "db/entity/names.h"
#include "db/history/check.h"

enum { MAX_NAMES = 500 };

/* What the value of a word is taken from. */
enum source {
	FROM_NOTHING,
	FROM_ACCOUNTS,
	FROM_USERS,
	FROM_CLUSTERS,
	FROM_QOS,
	FROM_WCKEYS,
	FROM_FEDERATIONS,
	FROM_RESOURCES,
	FROM_PARTITIONS,
	FROM_TRES,
	FROM_TRES_TYPES,
	FROM_COLUMNS,
	FROM_ADMIN_LEVELS,
	FROM_FLAGS, /* of an attribute */
	FROM_SHARES,
	FROM_ITSELF, /* names of the entity the command is about */
};

/* One question. */
struct completion {
	struct session *s;
	struct arena *arena;
	struct strv *out;
	const struct entity *entity; /* the command is about, or NULL */
	enum verb verb;
	const char *typed; /* the word to be completed */
	size_t head;	   /* what of it stays: account=lab, */
};

/* ---- candidates ----------------------------------------------------------*/

static const char *typed_part(const struct completion *c)
{
	return c->typed + c->head;
}

static bool is_shouted(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

static bool begins(const struct completion *c, const char *name, size_t len)
{
	size_t typed = strlen(typed_part(c));

	return typed <= len && !strncasecmp(name, typed_part(c), typed);
}

/* What was typed, then the rest of the name as it is. */
static void push(struct completion *c, const char *name, size_t len,
	const char *suffix)
{
	size_t typed = strlen(typed_part(c));

	strv_push(c->out, c->arena,
		arena_printf(c->arena, "%s%.*s%s", c->typed,
			(int)(len - typed), name + typed, suffix));
}

/* A name of the store; one that the shell would take apart is left out. */
static void offer_name(struct completion *c, const char *name)
{
	if (!name[strcspn(name, " \t'\"\\$`*?;&|<>()")] &&
		begins(c, name, strlen(name)))
		push(c, name, strlen(name), "");
}

/* A keyword: who types small letters gets small letters. */
static void offer_keyword(
	struct completion *c, const char *name, size_t len, const char *suffix)
{
	char *text = arena_strndup(c->arena, name, len);

	if (!begins(c, name, len))
		return;
	if (*typed_part(c) && !is_shouted(typed_part(c)))
		text = str_lower(c->arena, text);
	push(c, text, len, suffix);
}

struct offering {
	struct completion *c;
	const char *suffix;
	bool done;
};

static void offer_first(const char *name, size_t len, size_t min, void *arg)
{
	struct offering *o = arg;

	(void)min;
	if (o->done || !begins(o->c, name, len))
		return;
	o->done = true;
	offer_keyword(o->c, name, len, o->suffix);
}

/* The first of a row's names that fits. */
static void offer_row(
	struct completion *c, const char *names, const char *suffix)
{
	struct offering o = {c, suffix, false};

	words_each(names, offer_first, &o);
}

static void offer_list(struct completion *c, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");

		offer_keyword(c, list, len, "");
		list += len + (list[len] != '\0');
	}
}

/* ---- values --------------------------------------------------------------*/

/* PrivateData keeps names from those who may not list them. */
static bool may_see(struct completion *c, unsigned private)
{
	return !private_hides(c->s, private);
}

static void offer_stored(
	struct completion *c, enum name_kind kind, unsigned private)
{
	struct strv names = {0};
	const char *prefix = str_lower(c->arena, typed_part(c));

	if (!c->s->store || !may_see(c, private) ||
		store_names(c->s->store, kind, prefix, MAX_NAMES, c->arena,
			&names))
		return;
	for (size_t i = 0; i < names.n; i++)
		offer_name(c, names.v[i]);
}

static void offer_partitions(struct completion *c)
{
	const struct conf *conf = &c->s->site.conf;

	for (size_t i = 0; i < conf->n_partitions; i++)
		offer_name(c, conf->partitions[i].name);
}

/* The next `,` element of a TRES list: its type and name, then a count. */
static void offer_tres(struct completion *c, bool types_only)
{
	const struct tres_catalog *all = &c->s->store->tres;

	for (size_t i = 0; i < all->n; i++) {
		const struct tres *t = &all->v[i];
		const char *name = types_only || !t->name || !*t->name
			? t->type
			: arena_printf(c->arena, "%s/%s", t->type, t->name);

		if (begins(c, name, strlen(name)))
			push(c, name, strlen(name), types_only ? "" : "=");
	}
}

static void offer_field(const struct member *field, void *c)
{
	offer_row(c, field->names, "");
}

static enum source own_source(const struct entity *entity)
{
	const struct {
		const struct entity *entity;
		enum source source;
	} own[] = {
		{&account_entity, FROM_ACCOUNTS},
		{&user_entity, FROM_USERS},
		{&coordinator_entity, FROM_USERS},
		{&cluster_entity, FROM_CLUSTERS},
		{&qos_entity, FROM_QOS},
		{&wckey_entity, FROM_WCKEYS},
		{&federation_entity, FROM_FEDERATIONS},
		{&resource_entity, FROM_RESOURCES},
		{&tres_entity, FROM_TRES_TYPES},
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (own[i].entity == entity)
			return own[i].source;
	return FROM_NOTHING;
}

static void offer_from(
	struct completion *c, enum source source, const struct member *attr)
{
	if (source == FROM_ITSELF)
		source = own_source(c->entity);
	switch (source) {
	case FROM_ACCOUNTS:
		offer_stored(c, NAME_ACCOUNT, PRIVATE_ACCOUNTS);
		break;
	case FROM_USERS:
		offer_stored(c, NAME_USER, PRIVATE_USERS);
		break;
	case FROM_CLUSTERS:
		offer_stored(c, NAME_CLUSTER, 0);
		break;
	case FROM_QOS:
		offer_stored(c, NAME_QOS, 0);
		break;
	case FROM_WCKEYS:
		offer_stored(c, NAME_WCKEY, PRIVATE_USERS);
		break;
	case FROM_FEDERATIONS:
		offer_stored(c, NAME_FEDERATION, 0);
		break;
	case FROM_RESOURCES:
		offer_stored(c, NAME_RESOURCE, 0);
		break;
	case FROM_PARTITIONS:
		offer_partitions(c);
		break;
	case FROM_TRES:
	case FROM_TRES_TYPES:
		if (c->s->store)
			offer_tres(c, source == FROM_TRES_TYPES);
		break;
	case FROM_COLUMNS:
		entity_fields(c->entity, offer_field, c);
		break;
	case FROM_ADMIN_LEVELS:
		offer_list(c, "None,Operator,Administrator");
		break;
	case FROM_FLAGS:
		if (attr)
			offer_list(c, flags_all(attr->set->flags, c->arena));
		break;
	case FROM_SHARES:
		offer_list(c, "parent");
		break;
	case FROM_NOTHING:
	case FROM_ITSELF:
		break;
	}
}

/* ---- which value a word takes --------------------------------------------*/

static enum source where_source(const struct where_word *row)
{
#define AT(member) offsetof(struct conds, member)
	static const struct {
		size_t offset;
		enum source source;
	} lists[] = {
		{AT(assoc.accounts), FROM_ACCOUNTS},
		{AT(assoc.parents), FROM_ACCOUNTS},
		{AT(default_accounts), FROM_ACCOUNTS},
		{AT(assoc.users), FROM_USERS},
		{AT(actors), FROM_USERS},
		{AT(assoc.clusters), FROM_CLUSTERS},
		{AT(allowed), FROM_NOTHING},
		{AT(assoc.partitions), FROM_PARTITIONS},
		{AT(wckeys), FROM_WCKEYS},
		{AT(default_wckeys), FROM_WCKEYS},
		{AT(federations), FROM_FEDERATIONS},
		{AT(admin_level), FROM_ADMIN_LEVELS},
		{AT(types), FROM_TRES_TYPES},
		{AT(names), FROM_ITSELF},
	};
#undef AT

	if (row->kind == WHERE_FORMAT)
		return FROM_COLUMNS;
	if (row->kind == WHERE_QOS)
		return FROM_QOS;
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (lists[i].offset == row->offset)
			return lists[i].source;
	return FROM_NOTHING;
}

static enum source set_source(const struct member *attr)
{
	static const struct {
		const char *name;
		enum source source;
	} texts[] = {
		{"Parent", FROM_ACCOUNTS},
		{"DefaultAccount", FROM_ACCOUNTS},
		{"DefaultWCKey", FROM_WCKEYS},
		{"Federation", FROM_FEDERATIONS},
		{"Clusters", FROM_CLUSTERS},
		{"AdminLevel", FROM_ADMIN_LEVELS},
	};

	if (attr->set->flags)
		return FROM_FLAGS;
	if (attr->set->type == ATTR_QOS || attr->set->type == ATTR_QOS_LIST)
		return FROM_QOS;
	if (attr->set->type == ATTR_TRES)
		return FROM_TRES;
	if (attr->set->type == ATTR_SHARES)
		return FROM_SHARES;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(texts[i].name, attr->set->name))
			return texts[i].source;
	return FROM_NOTHING;
}

static const struct member *find_set_value(const struct completion *c,
	const struct vocabulary *v, const struct word *word)
{
	const struct member *row = NULL;

	for (size_t i = 0; !row && i < 4 && v->set[i]; i++)
		row = settings_word(v->set[i], word->text, word->name_len,
			c->verb == VERB_ADD);
	return row;
}

/* Flags=, PreemptMode= of a condition: the words of the setting. */
static void offer_where_value(struct completion *c, const struct vocabulary *v,
	const struct word *word)
{
	const struct where_word *row = where_find(v, word);
	const struct member *set;
	enum source source;

	if (!row)
		return;
	source = where_source(row);
	set = source == FROM_NOTHING ? find_set_value(c, v, word) : NULL;
	if (set && set->set->flags)
		offer_from(c, FROM_FLAGS, set);
	else
		offer_from(c, source, NULL);
}

/* `name_words`: where an add puts what it adds. */
static enum source add_source(
	struct arena *arena, const char *spec, const struct word *word)
{
	static const struct {
		const char *key;
		enum source source;
	} keys[] = {
		{"account", FROM_ACCOUNTS},
		{"user", FROM_USERS},
		{"cluster", FROM_CLUSTERS},
		{"partition", FROM_PARTITIONS},
		{"wckey", FROM_WCKEYS},
	};

	while (spec && *spec) {
		size_t key = strcspn(spec, "="), len = strcspn(spec, ";");
		char *names = arena_strndup(
			arena, spec + key + 1, len - key - 1);

		if (words_match(names, word->text, word->name_len))
			for (size_t i = 0; i < sizeof(keys) / sizeof(*keys);
				i++)
				if (!strncmp(keys[i].key, spec, key))
					return keys[i].source;
		spec += len + (spec[len] == ';');
	}
	return FROM_NOTHING;
}

static void offer_set_value(struct completion *c, const struct vocabulary *v,
	const struct word *word)
{
	const struct member *row;
	enum source source = c->verb == VERB_ADD
		? add_source(c->arena, v->name_words, word)
		: FROM_NOTHING;

	if (source != FROM_NOTHING) {
		offer_from(c, source, NULL);
		return;
	}
	row = find_set_value(c, v, word);
	if (row && !row->set->tres)
		offer_from(c, set_source(row), row);
}

/* ---- names for others ----------------------------------------------------*/

static bool kind_of(enum source source, enum name_kind *kind)
{
	static const enum name_kind kinds[] = {
		[FROM_ACCOUNTS] = NAME_ACCOUNT,
		[FROM_USERS] = NAME_USER,
		[FROM_CLUSTERS] = NAME_CLUSTER,
		[FROM_QOS] = NAME_QOS,
		[FROM_WCKEYS] = NAME_WCKEY,
		[FROM_FEDERATIONS] = NAME_FEDERATION,
		[FROM_RESOURCES] = NAME_RESOURCE,
	};

	if (source < FROM_ACCOUNTS || source > FROM_RESOURCES)
		return false;
	*kind = kinds[source];
	return true;
}

bool where_kind(const struct entity *entity, const struct where_word *row,
	enum name_kind *kind)
{
	enum source source = where_source(row);

	if (source == FROM_ITSELF)
		source = entity ? own_source(entity) : FROM_NOTHING;
	return kind_of(source, kind);
}

bool set_kind(const struct member *attr, enum name_kind *kind)
{
	return attr->set->type != ATTR_QOS && attr->set->type != ATTR_QOS_LIST &&
		kind_of(set_source(attr), kind);
}

bool add_kind(struct session *s, const struct vocabulary *v,
	const struct word *word, enum name_kind *kind)
{
	return kind_of(add_source(&s->arena, v->name_words, word), kind);
}

/* ---- the part being typed ------------------------------------------------*/

/* The element behind the last comma, behind a quote or a sign. */
static void find_part(struct completion *c, const struct word *word)
{
	const char *part = strrchr(word->value, ',');

	part = part ? part + 1 : word->value;
	part += *part == '\'' || *part == '"';
	part += *part == '+' || *part == '-';
	c->head = (size_t)(part - c->typed);
}

/* ---- keywords ------------------------------------------------------------*/

static void offer_where_words(
	struct completion *c, const struct where_word *table)
{
	for (; table->names; table++) {
		bool bare = table->kind == WHERE_SWITCH;

		if (c->verb == VERB_SHOW ||
			(!bare && table->kind != WHERE_FORMAT))
			offer_row(c, table->names, bare ? "" : "=");
	}
}

/* A name with its operator half typed: `qoslevel+`. */
static const char *operator_of(struct completion *c, bool operators)
{
	size_t n = strlen(c->typed);
	char last = n ? c->typed[n - 1] : '\0';

	if (!operators || (last != '+' && last != '-'))
		return NULL;
	return arena_printf(c->arena, "%s=", c->typed);
}

static void offer_set_word(struct completion *c, const struct member_set *set)
{
	const char *whole = operator_of(c, set->operators);

	if (c->verb == VERB_ADD && set->only_modify)
		return;
	if (whole && words_match(set->words, c->typed, strlen(c->typed) - 1))
		strv_push(c->out, c->arena, whole);
	else
		offer_row(c, set->words, "=");
}

static void offer_set_words(struct completion *c, const struct vocabulary *v)
{
	for (size_t i = 0; i < 4 && v->set[i]; i++)
		for (size_t j = 0; j < v->set[i]->n; j++)
			if (v->set[i]->v[j].set)
				offer_set_word(c, v->set[i]->v[j].set);
	if (!takes_until(v, c->verb == VERB_MODIFY))
		return;
	offer_row(c, UNTIL_WORDS, "=");
	offer_row(c, FOR_WORDS, "=");
}

static void offer_add_words(struct completion *c, const char *spec)
{
	while (spec && *spec) {
		size_t key = strcspn(spec, "="), len = strcspn(spec, ";");

		offer_row(c,
			arena_strndup(c->arena, spec + key + 1, len - key - 1),
			"=");
		spec += len + (spec[len] == ';');
	}
}

/* ---- commands ------------------------------------------------------------*/

static void offer_verbs(struct completion *c)
{
	for (const struct verb_word *v = sacctmgr_verbs; v->names; v++)
		offer_row(c, v->names, "");
}

/* The name in the singular when that fits, else as the verb calls it. */
static void offer_entity(
	struct completion *c, const struct entity *entity, const char *names)
{
	char name[64];

	entity_name(entity, name, sizeof(name));
	if (begins(c, name, strlen(name)))
		offer_keyword(c, name, strlen(name), "");
	else
		offer_row(c, names, "");
}

static void offer_entities(struct completion *c, enum verb verb)
{
	for (size_t i = 0; sacctmgr_entities[i]; i++)
		if (entity_names(sacctmgr_entities[i], verb))
			offer_entity(c, sacctmgr_entities[i],
				entity_names(sacctmgr_entities[i], verb));
}

static void offer_options(struct completion *c)
{
	for (const char *name = sacctmgr_option_names; *name;) {
		size_t len = strcspn(name, " ");

		offer_keyword(c, arena_printf(c->arena, "--%.*s", (int)len, name),
			len + 2, "");
		name += len + (name[len] == ' ');
	}
}

static bool is_word(const char *names, const char *word)
{
	return words_match(names, word, strlen(word));
}

/* Where the last word stands: in a condition, or behind `set`. */
static bool is_setting(const struct completion *c, const struct vocabulary *v,
	char **words, int n)
{
	bool setting = c->verb == VERB_ADD && (v->set[0] || v->name_words);

	for (int i = 0; c->verb == VERB_MODIFY && i + 1 < n; i++)
		if (is_word("set:3", words[i]))
			setting = true;
		else if (is_word("where:5", words[i]))
			setting = false;
	return setting;
}

/* The words behind the entity. */
static void complete_spec(struct completion *c, char **words, int n)
{
	const struct vocabulary *v = c->verb == VERB_ADD && c->entity->add
		? c->entity->add
		: c->entity->vocabulary;
	struct word word = word_split(c->typed);
	bool setting = is_setting(c, v, words, n);

	if (word.op != OP_NONE) {
		find_part(c, &word);
		if (setting)
			offer_set_value(c, v, &word);
		else
			offer_where_value(c, v, &word);
		return;
	}
	if (c->verb != VERB_ADD)
		offer_list(c, c->verb == VERB_MODIFY ? "where,set" : "where");
	if (setting) {
		if (c->verb == VERB_ADD)
			offer_add_words(c, v->name_words);
		offer_set_words(c, v);
		return;
	}
	for (size_t i = 0; v->where[i]; i++)
		offer_where_words(c, v->where[i]);
	offer_from(c, own_source(c->entity), NULL);
}

static void complete_dump(struct completion *c)
{
	struct word word = word_split(c->typed);

	if (word.op == OP_NONE) {
		offer_list(c, "cluster=,file=,format=");
	} else if (words_match("Format:2", word.text, word.name_len)) {
		find_part(c, &word);
		offer_list(c, "yaml,json,flat");
		return;
	} else if (words_match("Cluster:1", word.text, word.name_len)) {
		find_part(c, &word);
	} else {
		return;
	}
	offer_from(c, FROM_CLUSTERS, NULL);
}

static void complete_rebuild(struct completion *c, bool first)
{
	struct word word = word_split(c->typed);

	if (first) {
		offer_list(c, "usage,rollups");
	} else if (word.op == OP_NONE) {
		offer_list(c, "cluster=");
	} else if (words_match("Clusters:1", word.text, word.name_len)) {
		find_part(c, &word);
		offer_from(c, FROM_CLUSTERS, NULL);
	}
}

static void complete_load(struct completion *c, bool first)
{
	struct word word = word_split(c->typed);

	if (words_match("Cluster:3", word.text, word.name_len) &&
		word.op != OP_NONE) {
		find_part(c, &word);
		offer_from(c, FROM_CLUSTERS, NULL);
	} else if (words_match("clean:3", word.text, word.name_len) &&
		word.op != OP_NONE) {
		find_part(c, &word);
		offer_list(c, "account,user,qos");
	} else if (!first) {
		offer_list(c, "cluster=,clean");
	}
}

static void complete_command(struct completion *c, char **words, int n)
{
	const struct verb_word *verb = find_verb(words[0]);

	if (!verb)
		return;
	c->verb = verb->verb;
	if (verb->after == AFTER_DUMP) {
		complete_dump(c);
	} else if (verb->after == AFTER_LOAD) {
		complete_load(c, n == 2);
	} else if (verb->after == AFTER_REBUILD) {
		complete_rebuild(c, n == 2);
	} else if (verb->after == AFTER_UNDO) {
		offer_list(c, "last,since=,actor=");
	} else if ((verb->after == AFTER_DIFF || verb->after == AFTER_APPLY) &&
		   n == 2) {
		offer_list(c, "directory");
	} else if (verb->after == AFTER_DIFF) {
		offer_list(c, "prune");
	} else if (verb->after == AFTER_APPLY) {
		offer_list(c, "prune,max-delete=");
	} else if (verb->after == AFTER_CHECK) {
		for (size_t i = 0; i < n_checks; i++)
			offer_list(c, checks[i].name);
	} else if (verb->after == AFTER_HELP && n == 2) {
		for (int i = 0; i < VERBS; i++)
			offer_entities(c, (enum verb)i);
	} else if (verb->after == AFTER_ENTITY && n == 2) {
		offer_entities(c, verb->verb);
	} else if (verb->after == AFTER_ENTITY) {
		c->entity = find_entity(verb->verb, words[1]);
		if (c->entity)
			complete_spec(c, words + 2, n - 2);
	}
}

static void remove_doubles(struct strv *list)
{
	size_t kept = 0;

	strv_sort(list);
	for (size_t i = 0; i < list->n; i++)
		if (!kept || strcmp(list->v[kept - 1], list->v[i]))
			list->v[kept++] = list->v[i];
	list->n = kept;
}

void complete_words(struct session *s, char **words, int n,
	struct arena *arena, struct strv *candidates)
{
	struct completion c = {.s = s, .arena = arena, .out = candidates,
		.typed = n ? words[n - 1] : ""};
	char **plain = arena_array(arena, (size_t)n + 1, sizeof(*plain));
	int kept = 0;

	for (int i = 0; i + 1 < n; i++)
		if (*words[i] != '-')
			plain[kept++] = words[i];
	plain[kept++] = n ? words[n - 1] : "";
	if (*c.typed == '-')
		offer_options(&c);
	else if (kept == 1)
		offer_verbs(&c);
	else
		complete_command(&c, plain, kept);
	remove_doubles(candidates);
}

void complete_print(char **words, int n)
{
	struct program p = {.session.hooks = &ask_hooks, .out = stdout};
	struct session *s = &p.session;
	struct strv candidates = {0};
	bool open = site_has_store() &&
		    !site_open(&s->site, STORE_READ, false, &s->err);

	if (open)
		s->store = &s->site.store;
	arena_init(&s->arena);
	complete_words(s, words, n, &s->arena, &candidates);
	for (size_t i = 0; i < candidates.n; i++)
		puts(candidates.v[i]);
	arena_release(&s->arena);
	if (open)
		site_close(&s->site);
}
