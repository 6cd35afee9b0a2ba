/*
 * Reading the words of a command into conditions and settings, by the tables of
 * the entity (Slurm's src/sacctmgr).
 */
#include "db/change/change.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"
#include "db/entity/user.h"
#include "db/store/query.h"

/* clang-format off */
const struct where_word record_where_words[] = {
	{"WithAssoc:5", WHERE_SWITCH, COND(with_assoc), GROUP_NONE, "one row for each association", FROM_NOTHING},
	{"WithCoordinators:5", WHERE_SWITCH, COND(with_coordinators), GROUP_NONE, "who coordinates what", FROM_NOTHING},
	{"WithDeleted:5", WHERE_SWITCH, COND(with_deleted), GROUP_NONE, "deleted ones too", FROM_NOTHING},
	{"WithRawQOSLevel:5", WHERE_SWITCH, COND(assoc.raw_qos), GROUP_NONE, "QOS lists with their signs", FROM_NOTHING},
	{"WOPLimits:4", WHERE_SWITCH, COND(assoc.without_limits), GROUP_NONE, "only what the row itself holds", FROM_NOTHING},
	SETTING_WHERE_WORDS,
	JOB_WHERE_WORDS,
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

const struct where_word assoc_where_words[] = {
	{"Accounts:2 Acct:4", WHERE_LIST, COND(assoc.accounts), GROUP_ASSOC, "account names", FROM_ACCOUNTS},
	{"Ids:1 Associations:2", WHERE_IDS, COND(assoc.ids), GROUP_ASSOC, "association numbers", FROM_NOTHING},
	{"Clusters:1", WHERE_LIST, COND(assoc.clusters), GROUP_ASSOC, "cluster names", FROM_CLUSTERS},
	{"DefaultQOS:8", WHERE_QOS, COND(assoc.def_qos), GROUP_ASSOC, "default QOS", FROM_QOS},
	{"Partitions:3", WHERE_LIST, COND(assoc.partitions), GROUP_ASSOC, "partition names", FROM_PARTITIONS},
	{"Parents:4", WHERE_LIST, COND(assoc.parents), GROUP_ASSOC, "accounts directly above", FROM_ACCOUNTS},
	{"QosLevel:1", WHERE_QOS, COND(assoc.qos), GROUP_ASSOC, "QOS the association may use", FROM_QOS},
	{"Users:1", WHERE_LIST, COND(assoc.users), GROUP_ASSOC, "user names; empty: account rows", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

/* Where the parser stands. */
struct parser {
	struct session *s;
	const struct vocabulary *vocabulary;
	struct request *request;
	bool modify;
	bool unchecked_ops; /* one word with operators was seen */
};

int check_name(struct session *s, const char *name)
{
	if (strlen(name) > MAX_NAME)
		return err_set(&s->err, ERR_USAGE,
			"a name of %zu bytes is too long (at most %d): "
			"%.40s...",
			strlen(name), MAX_NAME, name);
	if (!utf8_clean(name))
		return err_set(&s->err, ERR_USAGE,
			"a name must be UTF-8 without control characters: "
			"\"%.200s\"",
			name);
	return 0;
}

/* A name with a comma could not be named again. */
int check_new_name(struct session *s, const char *name)
{
	if (!*name || strchr(name, ','))
		return err_set(&s->err, ERR_USAGE,
			"NewName must be one name: \"%s\"", name);
	return check_name(s, name);
}

static bool keeps_case(const struct session *s, enum names_kind kind)
{
	switch (kind) {
	case NAMES_USER:
		return s->site.dbd.preserve_case_user;
	case NAMES_RESOURCE:
		return s->site.dbd.preserve_case_resource;
	case NAMES_PLAIN:
		break;
	}
	return false;
}

/* Is there an account, a QOS or a cluster of exactly that name? None is created
 * with capitals here, but imports bring them. */
static bool has_name(struct session *s, const char *name)
{
	return s->store &&
	       store_has(s->store,
		       "SELECT 1 FROM account WHERE name = :name"
		       " AND NOT deleted UNION ALL"
		       " SELECT 1 FROM qos WHERE name = :name AND NOT deleted"
		       " UNION ALL SELECT 1 FROM cluster WHERE name = :name"
		       " AND NOT deleted",
		       bind_text(":name", name)) > 0;
}

/* In lower case, but where the name with capitals is one: so twins can be typed
 * apart. */
static const char *lower_name(struct session *s, const char *name)
{
	const char *lower = str_lower(&s->arena, name);

	return strcmp(lower, name) && has_name(s, name) ? name : lower;
}

const char *name_case(struct session *s, enum names_kind kind, const char *name)
{
	return keeps_case(s, kind)   ? name
	       : kind == NAMES_PLAIN ? lower_name(s, name)
				     : str_lower(&s->arena, name);
}

enum { MOST_NAMES = 100000 };

/* Appends a comma list; `n[1-3]` stands for its members. Two commas in a row
 * are one comma; an empty list is one empty name. */
static int add_list(
	struct session *s, struct strv *list, const char *value, bool keep_case)
{
	const char *text = str_unquote(&s->arena, value);
	struct strv added = {0};

	if (!keep_case && strchr(text, '['))
		text = str_lower(&s->arena, text);
	if (strchr(text, '[')) {
		if (hostlist_expand(text, &s->arena, &added, &s->err))
			return -1;
	} else {
		strv_names(&added, &s->arena, text);
	}
	if (list->n + added.n > MOST_NAMES)
		return err_set(&s->err, ERR_USAGE,
			"more than %d names in one list", MOST_NAMES);
	for (size_t i = 0; i < added.n; i++) {
		const char *name = keep_case ? added.v[i]
					     : lower_name(s, added.v[i]);

		if (check_name(s, name))
			return -1;
		strv_push(list, &s->arena, name);
	}
	return 0;
}

/* A condition takes a number, too; a name that looks like one goes first. */
static const struct qos_name *qos_of(
	const struct qos_catalog *catalog, const char *word)
{
	const struct qos_name *qos = qos_by_name(catalog, word);
	uint32_t id;

	return qos || uint_parse(word, &id) ? qos : qos_by_id(catalog, id);
}

static int add_qos(struct session *s, struct strv *list, const char *value)
{
	struct strv names = {0};

	if (*value && !value[strspn(value, ", ")])
		return err_set(
			&s->err, ERR_USAGE, "You gave me an empty qos list");
	if (add_list(s, &names, value, false))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		const struct qos_name *qos = qos_of(&s->store->qos, names.v[i]);

		if (!qos)
			return qos_unknown(&s->err, &s->store->qos, names.v[i],
				&s->arena);
		strv_printf(list, &s->arena, "%u", qos->id);
	}
	return 0;
}

static int add_ids(struct session *s, struct strv *list, const char *value,
	const char *label)
{
	struct strv ids = {0};

	if (add_list(s, &ids, value, false))
		return -1;
	for (size_t i = 0; i < ids.n; i++) {
		uint32_t id;

		if (uint_parse(ids.v[i], &id))
			return err_set(&s->err, ERR_USAGE,
				"Invalid value for %s (%s)",
				label ? label : "AssocId", ids.v[i]);
		strv_push(list, &s->arena, ids.v[i]);
	}
	return 0;
}

/* An unknown level would choose every user. */
static int check_level(struct session *s, const struct strv *levels)
{
	for (size_t i = 0; i < levels->n; i++)
		if (admin_level_parse(levels->v[i]) == ADMIN_NOT_SET)
			return err_set(&s->err, ERR_USAGE,
				"Unknown AdminLevel '%s': None, Operator or "
				"Administrator",
				levels->v[i]);
	return 0;
}

static int apply_where(
	struct parser *p, const struct where_word *row, const struct word *word)
{
	struct strv *list = NULL; /* a switch has none */
	size_t before = 0;

	p->request->where.record_given |= row->group == GROUP_RECORD;
	p->request->where.assoc_given |= row->group == GROUP_ASSOC;
	p->request->where.wckey_given |= row->group == GROUP_WCKEY;
	if (row->kind != WHERE_SWITCH) {
		list = (struct strv *)((char *)&p->request->where +
				       row->offset);
		before = list->n;
	}
	switch (row->kind) {
	case WHERE_LIST:
	case WHERE_LIST_CASE:
		if (add_list(p->s, list, word->value,
			    row->kind == WHERE_LIST_CASE))
			return -1;
		if (row->offset == offsetof(struct conds, admin_level) &&
			check_level(p->s, list))
			return -1;
		if (p->s->hints && p->s->hints->named)
			p->s->hints->named(p->s, row, list, before);
		return 0;
	case WHERE_FORMAT:
		return add_list(p->s, list, word->value, true);
	case WHERE_QOS:
		return add_qos(p->s, list, word->value);
	case WHERE_IDS:
		return add_ids(
			p->s, list, word->value, p->vocabulary->id_label);
	case WHERE_SWITCH:
		*(bool *)((char *)&p->request->where + row->offset) = true;
		return 0;
	}
	return 0;
}

const struct where_word *where_find(
	const struct vocabulary *v, const struct word *word)
{
	bool bare = word->op == OP_NONE;

	for (size_t i = 0; v->where[i]; i++)
		for (const struct where_word *row = v->where[i]; row->names;
			row++)
			if ((row->kind == WHERE_SWITCH) == bare &&
				words_match(
					row->names, word->text, word->name_len))
				return row;
	return NULL;
}

enum value_source where_bare(const struct vocabulary *v)
{
	for (size_t i = 0; v->where[i]; i++)
		for (const struct where_word *row = v->where[i]; row->names;
			row++)
			if (row->offset == v->bare)
				return row->source;
	return FROM_NOTHING;
}

static void bad_operator(struct parser *p, const struct word *word)
{
	complain(p->s, " Invalid operator '%s' in %s",
		word->op == OP_ADD ? "+=" : "-=", word->text);
	p->request->failed = true;
}

static void parse_where(struct parser *p, const struct word *word)
{
	const struct vocabulary *v = p->vocabulary;
	const struct where_word bare = {.kind = v->bare_kind,
		.offset = v->bare,
		.group = v->bare_group,
		.source = where_bare(v)};
	const struct where_word *row;

	if (word->op == OP_ADD || word->op == OP_SUB) {
		bad_operator(p, word);
		return;
	}
	row = where_find(v, word);
	if (!row && word->op == OP_NONE)
		row = &bare;
	if (row && apply_where(p, row, word) == 0)
		return;
	p->request->failed = true;
	if (row)
		complain_err(p->s);
	if (!row || row->kind == WHERE_QOS) {
		complain(p->s, " Unknown condition: %s", word->text);
		if (p->vocabulary->unknown_where)
			complain(p->s, "%s", p->vocabulary->unknown_where);
	}
	if (!p->s->hints)
		return;
	if (row && row->kind == WHERE_QOS && p->s->hints->qos)
		p->s->hints->qos(p->s, word->value);
	else if (!row && p->s->hints->where)
		p->s->hints->where(p->s, p->vocabulary, word);
}

/* Of a SET word: where the entity's errors of that kind go. */
__attribute__((format(printf, 2, 3))) static void set_error(
	struct parser *p, const char *fmt, ...)
{
	char line[4096];
	va_list ap;

	va_start(ap, fmt);
	err_vprint(line, sizeof(line), fmt, ap);
	va_end(ap);
	p->s->hooks->say(p->s, line,
		p->vocabulary->set_errors_on_stdout ? SAY_OUTPUT : SAY_LINE);
	p->s->status = 1;
}

/* For a known word only the value is wrong, and that was reported: Slurm then
 * also calls the word unknown, which people need not read. */
static void unknown_set(
	struct parser *p, const struct member *row, const struct word *word)
{
	if (!row || !p->s->for_people) {
		set_error(p, " Unknown option: %s", word->text);
		if (p->vocabulary->unknown_where || p->modify)
			set_error(
				p, " Use keyword 'where' to modify condition");
	}
	p->s->status = 1;
	p->request->failed = true;
	if (!row && p->s->hints && p->s->hints->set)
		p->s->hints->set(p->s, p->vocabulary, word, p->modify);
}

/* An unknown flag: the word (err holds it) and the list of flags. */
static void bad_flag(struct parser *p, const struct member *attr)
{
	const char *kind = p->vocabulary->flag_kind;
	const char *all = flags_all(attr->set->flags, &p->s->arena);
	p->request->failed = true;
	if (!kind)
		set_error(p, " Unknown Flag(s)=%s", p->s->err.text);
	else
		set_error(p,
			" Unknown %s flag used in:\n%s'%s'\n Valid %s flags "
			"are\n%s'%s'",
			kind, *all ? "  " : " ", p->s->err.text, kind,
			strcmp(kind, "Server Resource") ? "  " : " ",
			*all ? all : "(null)");
	if (p->s->hints && p->s->hints->flag)
		p->s->hints->flag(p->s, p->s->err.text, all);
}

/* Messages that stand alone; others are followed by "Unknown option". */
static bool message_is_enough(const struct err *err)
{
	return err->code == ERR_NO_QOS || err->code == ERR_CONFLICT;
}

static void bad_value(
	struct parser *p, const struct member *attr, const struct word *word)
{
	struct err *err = &p->s->err;

	if (attr->set->type == ATTR_FLAGS && !message_is_enough(err)) {
		bad_flag(p, attr);
		return;
	}
	p->request->failed = true;
	/* A bad number: as if the word had not been there. */
	p->request->nothing_left |= err->code == ERR_NO_NUMBER &&
				    attr->set->type != ATTR_SHARES &&
				    !p->request->set_given;
	if (message_is_enough(err)) {
		complain(p->s, "%s", err->text);
	} else {
		complain_err(p->s);
		if (!p->vocabulary->set_errors_on_stdout)
			unknown_set(p, attr, word);
	}
	if (p->s->hints && p->s->hints->value)
		p->s->hints->value(p->s, attr, word->value);
}

const struct member *set_find(const struct vocabulary *v,
	const struct word *word, bool add, const struct members **table)
{
	const struct member *row = NULL;

	for (size_t i = 0; !row && i < 4 && v->set[i]; i++) {
		*table = v->set[i];
		row = settings_word(*table, word->text, word->name_len, add);
	}
	return row;
}

const struct add_word *add_word_find(
	const struct vocabulary *v, const struct word *word)
{
	for (const struct add_word *row = v->name_words; row && row->names; row++)
		if (words_match(row->names, word->text, word->name_len))
			return row;
	return NULL;
}

/* Values of the names an add gives: Names=, Accounts=, Clusters= ... */
static struct strv *add_target(struct parser *p, const struct word *word)
{
	const struct add_word *row = add_word_find(p->vocabulary, word);

	return row ? (struct strv *)((char *)p->request + row->offset) : NULL;
}

static void add_names(
	struct parser *p, struct strv *list, const struct word *word)
{
	bool own = list == &p->request->names;
	struct strv added = {0};

	if (add_list(p->s, own ? list : &added, word->value,
		    own && keeps_case(p->s, p->vocabulary->names))) {
		complain_err(p->s);
		p->request->failed = true;
		return;
	}
	if (own)
		return;
	strv_add_all(list, &p->s->arena, &added);
	if (list == &p->request->accounts)
		strv_add_all(&p->request->named_accounts, &p->s->arena, &added);
	if (p->s->hints && p->s->hints->beside)
		p->s->hints->beside(p->s, p->vocabulary, word, &added, 0);
}

/* Names in the SET part of a modify. True when the word was one. */
static bool refuse_names(struct parser *p, const struct word *word)
{
	const struct strv *target;

	if (!p->modify)
		return false;
	if (word->op == OP_NONE && !p->vocabulary->bare_set_is_name) {
		complain(p->s,
			" Bad format on %s: End your option with an '=' sign",
			word->text);
		p->request->failed = true;
		return true;
	}
	target = word->op == OP_NONE ? &p->request->names : add_target(p, word);
	if (!target)
		return false;
	if (p->vocabulary->drop_names_in_set)
		return true;
	complain(p->s, " Can't modify the %s of an account",
		target == &p->request->clusters ? "cluster" : "name");
	p->request->failed = true;
	return true;
}

/* An add has one default account, one default wckey. */
static bool refuse_second(struct parser *p, const struct member *attr)
{
	const struct setting *first = settings_find(&p->request->set, attr);

	if (p->modify || !attr->set->once || !first)
		return false;
	complain(p->s, " Already listed %s %s", attr->set->name, first->text);
	p->request->failed = true;
	return true;
}

/* To add a default account or wckey is to add that account or wckey, too: where it
 * was named before it moves to the end, as in Slurm, which numbers them so. */
static void add_default(struct parser *p, const struct member *row)
{
	struct request *r = p->request;

	if (!p->modify && row->set->once)
		strv_names(row == user_attr(default_account) ? &r->accounts
							     : &r->wckeys,
			&p->s->arena, settings_text_of(&r->set, row));
}

/* Set; a name in it may be none, which only the command finds. */
static void keep_set(
	struct parser *p, const struct member *row, const struct word *word)
{
	struct strv names = {0};

	p->request->set_given = true;
	add_default(p, row);
	if (!p->s->hints || !p->s->hints->set_to)
		return;
	strv_names(&names, &p->s->arena,
		str_lower(&p->s->arena, str_unquote(&p->s->arena, word->value)));
	p->s->hints->set_to(p->s, row, &names);
}

static void apply_set(struct parser *p, const struct word *word)
{
	struct attr_context context = {
		.tres = &p->s->store->tres, .qos = &p->s->store->qos};
	const struct members *table;
	const struct member *row =
		set_find(p->vocabulary, word, !p->modify, &table);

	if (!row) {
		unknown_set(p, NULL, word);
		return;
	}
	if (refuse_second(p, row))
		return;

	if (word->op != OP_SET && !row->set->operators && !p->unchecked_ops) {
		bad_operator(p, word);
		return;
	}
	p->unchecked_ops |= row->set->operators;
	if (settings_add(&p->request->set, table, row, word, &context,
		    &p->s->arena, &p->s->err))
		bad_value(p, row, word);
	else
		keep_set(p, row, word);
}

static void bad_until(struct parser *p)
{
	p->s->status = 1;
	p->request->failed = true;
}

/* Until= and For=: until when what is set holds. */
static bool take_until(struct parser *p, const struct word *word)
{
	bool until = words_match(UNTIL_WORDS, word->text, word->name_len);
	struct session *s = p->s;
	const char *value;
	time_t when;

	if (!takes_until(p->vocabulary, p->modify) || word->op == OP_NONE ||
		(!until && !words_match(FOR_WORDS, word->text, word->name_len)))
		return false;
	if (word->op != OP_SET) {
		bad_operator(p, word);
		return true;
	}
	value = str_unquote(&s->arena, word->value);
	if (time_parse(until ? value
			     : arena_printf(&s->arena, "now+%s", value),
		    (time_t)s->site.now, false, &when, &s->err)) {
		complain_named(s, "Invalid value for %s (%s)",
			until ? "Until" : "For", value);
		bad_until(p);
	} else if (when <= s->site.now) {
		complain_named(s, "%s=%s: %s has passed", until ? "until" : "for",
			value,
			time_format(&s->arena, when, s->site.time_format,
				(time_t)s->site.now));
		bad_until(p);
	} else {
		s->until = when;
	}
	return true;
}

/* What has a place for an earlier value. */
static bool may_be_leased(const struct setting *set)
{
	const struct member *m = set->attr;

	if (members_has(&qos_members, m))
		return m->set->type == ATTR_TRES || m->column;
	if (members_has(&assoc_members, m))
		return m->set->type == ATTR_TRES ||
		       m->set->type == ATTR_QOS_LIST || m->column;
	return m == user_attr(admin_level);
}

int require_leasable(struct session *s, const struct settings *set)
{
	int rc = 0;

	for (size_t i = 0; s->until && i < set->n; i++) {
		if (may_be_leased(&set->v[i]))
			continue;
		rc = complain_named(s, "%s cannot be set until a time",
			set->v[i].attr->set->name);
		s->status = 1;
	}
	return rc;
}

static void parse_set(struct parser *p, const struct word *word)
{
	struct strv *target;

	if (take_until(p, word) || refuse_names(p, word))
		return;
	if (word->op == OP_NONE) {
		add_names(p, &p->request->names, word);
		return;
	}
	target = p->modify ? NULL : add_target(p, word);
	if (target) {
		if (word->op != OP_SET)
			bad_operator(p, word);
		else
			add_names(p, target, word);
		return;
	}
	apply_set(p, word);
}

void parse_words(struct session *s, const struct vocabulary *vocabulary,
	enum parse_mode first, bool modify, char **words, int n,
	struct request *request)
{
	struct parser p = {.s = s,
		.vocabulary = vocabulary,
		.request = request,
		.modify = modify};
	enum parse_mode mode = first;

	*request = (struct request){.n = n};
	s->until = 0;
	for (int i = 0; i < n; i++) {
		struct word word = word_split(words[i]);
		bool bare = word.op == OP_NONE;

		if (bare && words_match("where:5", words[i], word.name_len)) {
			mode = modify ? PARSE_WHERE : mode;
		} else if (bare &&
			   words_match("set:3", words[i], word.name_len)) {
			mode = modify ? PARSE_SET : mode;
			p.unchecked_ops = false;
		} else if (mode == PARSE_WHERE) {
			parse_where(&p, &word);
		} else {
			parse_set(&p, &word);
		}
	}
	request->failed |= modify && require_leasable(s, &request->set);
}

int read_time(struct session *s, const struct strv *words, int64_t *when)
{
	time_t t;

	*when = 0;
	if (!words->n)
		return 0;
	if (time_parse(words->v[words->n - 1], (time_t)s->site.now, true, &t,
		    &s->err))
		return -1;
	*when = t;
	return 0;
}
