#include "cmd/sacctmgr/suggest.h"

#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/help.h"
#include "common/cli/cli.h"

/* ---- words ---------------------------------------------------------------*/

void suggest_verb(const char *word)
{
	struct nearest n;

	nearest_init(&n, word, strlen(word));
	for (const struct verb_word *v = sacctmgr_verbs; v->names; v++)
		nearest_names(&n, v->names);
	if (!strcasecmp(word, "rename"))
		nearest_take(&n, "modify user OLD set newname=NEW");
	cli_did_you_mean(&n);
}

void suggest_entity(enum verb verb, const char *word)
{
	struct nearest n;

	nearest_init(&n, word, strlen(word));
	for (size_t i = 0; sacctmgr_entities[i]; i++)
		if (entity_names(sacctmgr_entities[i], verb))
			nearest_names(
				&n, entity_names(sacctmgr_entities[i], verb));
	/* Slurm leaves a plural alone: `add users`. */
	if (!nearest_is_plural(&n))
		cli_did_you_mean(&n);
}

static void try_set_words(
	struct nearest *n, const struct vocabulary *v, bool modify)
{
	for (size_t i = 0; i < 4 && v->set[i]; i++)
		for (size_t j = 0; j < v->set[i]->n; j++) {
			const struct member_set *set = v->set[i]->v[j].set;

			if (!set || (set->only_modify && !modify))
				continue;
			nearest_names(n, set->words);
			if (words_match("Name", n->typed, n->len) &&
				!strcmp(set->name, "NewName"))
				nearest_take(n, set->name);
		}
	if (!takes_until(v, modify))
		return;
	nearest_names(n, UNTIL_WORDS);
	nearest_names(n, FOR_WORDS);
}

static void hint_where(
	struct session *s, const struct vocabulary *v, const struct word *word)
{
	struct nearest n;

	(void)s;
	nearest_init(&n, word->text, word->name_len);
	for (size_t i = 0; v->where[i]; i++)
		for (const struct where_word *row = v->where[i]; row->names;
			row++)
			if (row->kind != WHERE_SWITCH)
				nearest_names(&n, row->names);
	cli_did_you_mean(&n);
}

static void hint_set(struct session *s, const struct vocabulary *v,
	const struct word *word, bool modify)
{
	struct nearest n;

	(void)s;
	nearest_init(&n, word->text, word->name_len);
	try_set_words(&n, v, modify);
	for (const struct add_word *row = modify ? NULL : v->name_words;
		row && row->names; row++)
		nearest_names(&n, row->names);
	cli_did_you_mean(&n);
}

/* The first of a comma list, with their signs, that is not among the words. */
static bool bad_word(const char *text, const char *all, struct nearest *n)
{
	while (*text) {
		size_t len;

		text += strspn(text, "+-'\",");
		len = strcspn(text, ",'\"");
		nearest_init(n, text, len);
		nearest_list(n, all);
		if (n->cost)
			return len != 0;
		text += len;
	}
	return false;
}

static void suggest_one_of(const char *text, const char *all)
{
	struct nearest n;

	if (bad_word(text, all, &n))
		cli_did_you_mean(&n);
}

static void hint_qos(struct session *s, const char *text)
{
	suggest_one_of(text, qos_all_names(&s->store->qos, &s->arena));
}

/* How the value of a member is written. */
static void hint_value(
	struct session *s, const struct member *attr, const char *text)
{
	static const char times[] = "MINUTES, MINUTES:SECONDS, "
		"HOURS:MINUTES:SECONDS, DAYS-HOURS or DAYS-HOURS:MINUTES:SECONDS";
	static const char *const forms[] = {
		[ATTR_UINT] = "a whole number",
		[ATTR_MINUTES] = times,
		[ATTR_SECONDS] = times,
		[ATTR_PLAIN_SECONDS] = "seconds, a whole number",
		[ATTR_REAL] = "a number",
		[ATTR_SHARES] = "a whole number, or parent",
		[ATTR_TRES] = "TRES=COUNT,... (cpu=8,mem=64G,gres/gpu=2)",
	};
	const struct member_set *set = attr->set;
	enum attr_type type = set->tres ? ATTR_UINT : set->type;
	const char *form = (size_t)type < sizeof(forms) / sizeof(*forms)
				   ? forms[type]
				   : NULL;

	if (type == ATTR_QOS || type == ATTR_QOS_LIST)
		hint_qos(s, text);
	else if (form)
		cli_hint("%s is %s; %s-1 clears it", set->name, form,
			type == ATTR_TRES ? "cpu=" : "");
}

/* ---- names of the store --------------------------------------------------*/

static void keep(struct session *s, enum value_source kind,
	const struct strv *names, size_t from)
{
	for (size_t i = from; kind < STORED_NAMES && i < names->n; i++)
		strv_push(&program(s)->named[kind], &s->arena, names->v[i]);
}

void suggest_names(struct session *s)
{
	for (int kind = FROM_ACCOUNTS; kind < STORED_NAMES; kind++)
		site_missing(&s->site, (enum value_source)kind, &program(s)->named[kind],
			cli_no_such);
}

/* ---- what the operations tell --------------------------------------------*/

static void hint_flag(struct session *s, const char *text, const char *all)
{
	(void)s;
	suggest_one_of(text, all);
}

static void keep_named(struct session *s, const struct where_word *row,
	const struct strv *names, size_t from)
{
	keep(s, row->source, names, from);
}

static void keep_beside(struct session *s, const struct vocabulary *v,
	const struct word *word, const struct strv *names, size_t from)
{
	keep(s, add_word_find(v, word)->source, names, from);
}

static void keep_set(struct session *s, const struct member *attr,
	const struct strv *names)
{
	keep(s, attr->set->source, names, 0);
}

const struct session_hints suggest_hints = {
	.where = hint_where,
	.set = hint_set,
	.flag = hint_flag,
	.qos = hint_qos,
	.value = hint_value,
	.named = keep_named,
	.beside = keep_beside,
	.set_to = keep_set,
	.all = say_count,
};
