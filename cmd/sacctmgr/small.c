/*
 * The small listings: TRES, transactions, wckeys (spec/sacctmgr.md 3.14, 3.15,
 * 3.17).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cli/cli.h"

#define W(member) offsetof(struct conds, member)

/* clang-format off */
static const struct where_word tres_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, W(with_deleted), GROUP_NONE, "deleted TRES too"},
	{"Type:2", WHERE_LIST, W(types), GROUP_RECORD, "types"},
	{"Names:1", WHERE_LIST, W(names), GROUP_RECORD, "names"},
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{"Ids:1", WHERE_IDS, W(ids), GROUP_RECORD, "numbers"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};

static const struct where_word txn_words[] = {
	{"WithAssocInfo:5", WHERE_SWITCH, W(with_assoc_info), GROUP_NONE, "accounts, users and clusters concerned"},
	{"Ids:1 Txn:1", WHERE_IDS, W(ids), GROUP_RECORD, "numbers"},
	{"Accounts:3 Acct:4", WHERE_LIST, W(assoc.accounts), GROUP_RECORD, "accounts mentioned"},
	{"Action:4", WHERE_LIST_CASE, W(actions), GROUP_RECORD, "what was done"},
	{"Actors:4", WHERE_LIST_CASE, W(actors), GROUP_RECORD, "who did it"},
	{"Clusters:3", WHERE_LIST, W(assoc.clusters), GROUP_RECORD, "clusters"},
	{"End:1", WHERE_LIST_CASE, W(end), GROUP_RECORD, "before this time"},
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{"Start:1", WHERE_LIST_CASE, W(start), GROUP_RECORD, "from this time on"},
	{"Users:1", WHERE_LIST, W(assoc.users), GROUP_RECORD, "users mentioned"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};

static const struct where_word wckey_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, W(with_deleted), GROUP_NONE, "deleted wckeys too"},
	{"Ids:1", WHERE_IDS, W(ids), GROUP_RECORD, "numbers"},
	{"WCKeys:3 Names:3", WHERE_LIST, W(wckeys), GROUP_RECORD, "wckeys"},
	{"Clusters:3", WHERE_LIST, W(assoc.clusters), GROUP_RECORD, "clusters"},
	{"End:1", WHERE_LIST_CASE, W(end), GROUP_RECORD, "accepted, no effect"},
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{"Start:1", WHERE_LIST_CASE, W(start), GROUP_RECORD, "accepted, no effect"},
	{"Users:1", WHERE_LIST, W(assoc.users), GROUP_RECORD, "users"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};
/* clang-format on */

/* ---- TRES ----------------------------------------------------------------*/

struct tres_row {
	uint32_t id;
	const char *type, *name;
	uint32_t count; /* of no particular place: 0 */
};

#define T(field, json, getter, member)                                         \
	{FIELD_##field, json, getter, offsetof(struct tres_row, member), 0}
static const struct column tres_columns[] = {
	T(TYPE, "type", get_text, type),
	T(NAME, "name", get_text, name),
	T(ID, "id", get_uint, id),
	T(NONE, "count", get_uint, count),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

static const struct vocabulary tres_vocabulary = {
	.where = {tres_words},
	.bare = W(types),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.id_label = "TRES ID",
};

/* A bare word may be `type/name`. */
static bool tres_wanted(
	struct session *s, const struct tres *t, const struct conds *where)
{
	char *id = arena_printf(&s->arena, "%u", t->id);

	if (where->ids.n && !strv_has(&where->ids, id))
		return false;
	if (where->names.n && !strv_has(&where->names, t->name))
		return false;
	return !where->types.n || strv_has(&where->types, t->type) ||
		strv_has(&where->types, tres_full_name(t, &s->arena));
}

static int show_tres(struct session *s, char **words, int n)
{
	struct part part = {tres_columns, NULL};
	struct request r;
	struct listing l;

	parse_words(s, &tres_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	listing_open(&l, s, &r.where.format, "Type,Name%15,ID", &part, 1);
	listing_drop_foreign(&l);
	for (size_t i = 0; i < s->store->tres.n; i++) {
		const struct tres *t = &s->store->tres.v[i];
		struct tres_row row = {t->id, t->type, t->name, 0};

		part.row = &row;
		if (tres_wanted(s, t, &r.where))
			listing_row(&l, &part);
	}
	listing_close(&l);
	return 0;
}

const struct entity tres_entity = {
	.names = {[VERB_SHOW] = "TRES:2"},
	.run = {[VERB_SHOW] = show_tres},
	.vocabulary = &tres_vocabulary,
	.columns = {tres_columns},
	.document = "TRES",
	.help = "what is tracked: cpu, mem, gres/gpu ...",
};

/* ---- transactions --------------------------------------------------------*/

static const struct vocabulary txn_vocabulary = {
	.where = {txn_words},
	.bare = W(ids),
	.bare_kind = WHERE_IDS,
	.id_label = "Transaction ID",
	.bare_group = GROUP_RECORD,
};

static int txn_cond_of(
	struct session *s, const struct request *r, struct txn_cond *cond)
{
	*cond = (struct txn_cond){
		.ids = r->where.ids,
		.actors = r->where.actors,
		.clusters = r->where.assoc.clusters,
		.accounts = r->where.assoc.accounts,
		.users = r->where.assoc.users,
		.with_assoc_info = r->where.with_assoc_info,
	};
	for (size_t i = 0; i < r->where.actions.n; i++) {
		uint32_t action = txn_action_parse(r->where.actions.v[i]);

		if (!action)
			return err_set(&s->err, ERR_USAGE,
				"You gave a bad action '%s'.",
				r->where.actions.v[i]);
		strv_push(&cond->actions, &s->arena,
			arena_printf(&s->arena, "%u", action));
	}
	return read_time(s, &r->where.start, &cond->start) ||
			read_time(s, &r->where.end, &cond->end)
		? -1
		: 0;
}

static int print_txn(const struct txn *txn, void *arg)
{
	struct listing *l = arg;
	const struct part part = {txn_columns, txn};

	listing_row(l, &part);
	return 0;
}

static int show_txn(struct session *s, char **words, int n)
{
	const struct part part = {txn_columns, NULL};
	struct request r;
	struct txn_cond cond;
	struct listing l;

	parse_words(s, &txn_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	if (txn_cond_of(s, &r, &cond)) {
		complain_err(s);
		return -1;
	}
	listing_open(&l, s, &r.where.format,
		cond.with_assoc_info ? "Time,Action,Actor,Where,Info,User,"
				       "Account,Cluster"
				     : "Time,Action,Actor,Where,Info",
		&part, 1);
	if (txn_list(s->store, &cond, &s->arena, print_txn, &l))
		complain_err(s);
	listing_close(&l);
	return s->status ? -1 : 0;
}

const struct entity txn_entity = {
	.names = {[VERB_SHOW] = "Transactions:1 Txn:1"},
	.run = {[VERB_SHOW] = show_txn},
	.vocabulary = &txn_vocabulary,
	.columns = {txn_columns},
	.help = "the log: who changed what, when",
};

/* ---- wckeys --------------------------------------------------------------*/

static const struct vocabulary wckey_vocabulary = {
	.where = {wckey_words},
	.bare = W(wckeys),
	.id_label = "WCKeyID",
	.bare_group = GROUP_RECORD,
};

static int show_wckeys(struct session *s, char **words, int n)
{
	struct part part = {wckey_columns, NULL};
	struct request r;
	struct wckey_cond cond;
	struct wckey_list list;
	struct listing l;

	parse_words(s, &wckey_vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	if (!is_operator(s)) {
		complain_denied(s);
		return -1;
	}
	cond = (struct wckey_cond){
		.names = r.where.wckeys,
		.clusters = r.where.assoc.clusters,
		.users = r.where.assoc.users,
		.ids = r.where.ids,
		.with_deleted = r.where.with_deleted,
	};
	if (wckey_list(s->store, &cond, &s->arena, &list)) {
		complain_err(s);
		return -1;
	}
	listing_open_fields(&l, s, wckey_fields, WCKEY_FIELDS, &r.where.format,
		"Name,Cluster,User", &part, 1);
	for (size_t i = 0; i < list.n; i++) {
		part.row = &list.v[i];
		listing_row(&l, &part);
	}
	listing_close(&l);
	return 0;
}

const struct entity wckey_entity = {
	.names = {[VERB_SHOW] = "WCKeys:1"},
	.run = {[VERB_SHOW] = show_wckeys},
	.vocabulary = &wckey_vocabulary,
	.columns = {wckey_columns},
	.fields = wckey_fields,
	.n_fields = WCKEY_FIELDS,
	.document = "wckeys",
	.help = "workload keys of users",
};
