/*
 * `show transactions`: the log of changes (Slurm's
 * src/sacctmgr/txn_functions.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <strings.h>

#include "cmd/sacctmgr/private.h"
#include "common/base/numbers.h"

/* clang-format off */
static const struct where_word txn_words[] = {
	{"WithAssocInfo:5", WHERE_SWITCH, COND(txn.with_assoc_info), GROUP_NONE, "accounts, users and clusters concerned", FROM_NOTHING},
	{"Ids:1 Txn:1", WHERE_IDS, COND(txn.ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{"Accounts:3 Acct:4", WHERE_LIST, COND(txn.accounts), GROUP_RECORD, "accounts mentioned", FROM_ACCOUNTS},
	{"Action:4", WHERE_LIST_CASE, COND(actions), GROUP_RECORD, "what was done", FROM_NOTHING},
	{"Actors:4", WHERE_LIST_CASE, COND(txn.actors), GROUP_RECORD, "who did it", FROM_USERS},
	{"Clusters:3", WHERE_LIST, COND(txn.clusters), GROUP_RECORD, "clusters", FROM_CLUSTERS},
	{"End:1", WHERE_LIST_CASE, COND(end), GROUP_RECORD, "before this time", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Start:1", WHERE_LIST_CASE, COND(start), GROUP_RECORD, "from this time on", FROM_NOTHING},
	{"Users:1", WHERE_LIST, COND(txn.users), GROUP_RECORD, "users mentioned", FROM_USERS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary txn_vocabulary = {
	.where = {txn_words},
	.bare = COND(txn.ids),
	.bare_kind = WHERE_IDS,
	.id_label = "Transaction ID",
	.bare_group = GROUP_RECORD,
};

static int txn_cond_of(
	struct session *s, const struct request *r, struct txn_cond *cond)
{
	*cond = r->where.txn;
	for (size_t i = 0; i < r->where.actions.n; i++) {
		uint32_t action = txn_action_parse(r->where.actions.v[i]);

		if (!action)
			return err_set(&s->err, ERR_USAGE,
				"You gave a bad action '%s'.",
				r->where.actions.v[i]);
		strv_printf(&cond->actions, &s->arena, "%u", action);
	}
	return read_time(s, &r->where.start, &cond->start) ||
			read_time(s, &r->where.end, &cond->end)
		? -1
		: 0;
}

/* Rows name everybody: who must not see others sees what he did himself. */
struct shown_txns {
	struct listing *listing;
	const char *only_by; /* NULL: of all */
};

static int print_txn(const struct txn *txn, void *arg)
{
	const struct shown_txns *shown = arg;
	struct txn told = *txn;

	if (txn->undone < INFINITE)
		told.info = arena_printf(&shown->listing->session->arena,
			"%s%s(undone)", txn->info, *txn->info ? " " : "");
	if (!shown->only_by || !strcasecmp(txn->actor, shown->only_by))
		listing_row(shown->listing, &told);
	return 0;
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	struct txn_cond cond;
	struct shown_txns shown = {.listing = l};

	if (txn_cond_of(s, r, &cond))
		return complain_err(s);
	listing_open(l,
		cond.with_assoc_info ? "Time,Action,Actor,Where,Info,User,"
				       "Account,Cluster"
				     : "Time,Action,Actor,Where,Info");
	if (private_hides(s, PRIVATE_NAMES))
		shown.only_by = s->site.caller.name;
	return txn_list(s->store, &cond, &s->arena, print_txn, &shown)
		       ? complain_err(s)
		       : 0;
}

const struct entity txn_entity = {
	.names = "Transactions:1 Txn:1",
	.rows = rows,
	.vocabulary = &txn_vocabulary,
	.columns = {&txn_columns},
	.help = "the log: who changed what, when",
};
