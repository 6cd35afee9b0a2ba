#include "db/store/txn.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/memory.h"
#include "db/store/query.h"
#include "db/store/txnpack.h"

static const struct {
	enum txn_action action;
	const char *text;
} action_texts[] = {
	{TXN_ADD_ACCOUNTS, "Add Accounts"},
	{TXN_ADD_ACCOUNT_COORDS, "Add Account Coord"},
	{TXN_ADD_ASSOCS, "Add Associations"},
	{TXN_ADD_CLUSTERS, "Add Clusters"},
	{TXN_ADD_FEDERATIONS, "Add Clusters"}, /* so it is printed */
	{TXN_ADD_USERS, "Add Users"},
	{TXN_CLUSTER_TRES, "Cluster TRES"},
	{TXN_MODIFY_ACCOUNTS, "Modify Accounts"},
	{TXN_MODIFY_ASSOCS, "Modify Associations"},
	{TXN_MODIFY_CLUSTERS, "Modify Clusters"},
	{TXN_MODIFY_USERS, "Modify Users"},
	{TXN_NODE_STATE, "Node State"},
	{TXN_REGISTER_CLUSTER, "Register Cluster"},
	{TXN_REMOVE_ACCOUNTS, "Remove Accounts"},
	{TXN_REMOVE_ACCOUNT_COORDS, "Remove Account Coords"},
	{TXN_REMOVE_ASSOCS, "Remove Associations"},
	{TXN_REMOVE_CLUSTERS, "Remove Clusters"},
	{TXN_REMOVE_USERS, "Remove Users"},
	{TXN_ADD_QOS, "Add QOS"},
	{TXN_REMOVE_QOS, "Remove QOS"},
	{TXN_MODIFY_QOS, "Modify QOS"},
	{TXN_ADD_WCKEYS, "Add WCKeys"},
	{TXN_REMOVE_WCKEYS, "Remove WCKeys"},
	{TXN_ADD_RESERVATION, "Add Reservation"},
	{TXN_MODIFY_RESERVATION, "Modify Reservation"},
	{TXN_MODIFY_JOB, "Modify Job"},
	{TXN_ADD_RESOURCES, "Add Resources"},
	{TXN_REMOVE_RESOURCES, "Remove Resources"},
	{TXN_MODIFY_RESOURCES, "Modify Resources"},
	{TXN_ADD_TRES, "Add TRES"},
	{TXN_MODIFY_FEDERATIONS, "Modify Federations"},
	{TXN_REMOVE_FEDERATIONS, "Remove Federations"},
	{TXN_UNDO, "Undo"},
	{TXN_REDO, "Redo"},
	{TXN_LEASE_ENDED, "Lease Ended"},
};

enum { ACTION_TEXTS = sizeof(action_texts) / sizeof(*action_texts) };

/* clang-format off */
#define C(field, type_, member) {HEAD_##field, .json = NULL, .type = type_, .offset = offsetof(struct txn, member)}
static const struct member txn_rows[] = {
	C(TIME_STAMP, MEMBER_TIME, time),
	C(ACTION, MEMBER_TEXT, action_text),
	C(ACTION_RAW, MEMBER_COUNT, action),
	C(ACTOR, MEMBER_TEXT, actor),
	C(CLUSTER, MEMBER_TEXT, cluster),
	C(ID, MEMBER_COUNT, id),
	C(INFO, MEMBER_TEXT, info),
	C(WHERE, MEMBER_TEXT, name),
	C(USER, MEMBER_TEXT, users),
	C(ACCOUNT, MEMBER_TEXT, accounts),
	C(CHANGE, MEMBER_LIMIT, change),
	C(UNDONE, MEMBER_LIMIT, undone),
};
const struct members txn_columns = MEMBERS(txn_rows);
/* clang-format on */

int txn_add(struct store *store, enum txn_action action, const char *cluster,
	const char *name, const char *info)
{
	struct query q;

	if (store->unlogged)
		return 0;
	if (store->packs)
		return txnpack_add(store, action, cluster, name, info);
	if (query_open(&q, store,
		    "INSERT INTO txn (time, action, actor, cluster, name, info,"
		    " change) VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0))"))
		return -1;
	query_put_int(&q, 1, store->now);
	query_put_int(&q, 2, action);
	query_put_text(&q, 3, store->actor);
	query_put_text(&q, 4, cluster);
	query_put_text(&q, 5, name);
	query_put_text(&q, 6, info);
	query_put_int(&q, 7, store->change);
	return query_run(&q);
}

int txn_forget(struct store *store, int64_t since)
{
	if (store_run(store, "DELETE FROM txn WHERE time >= :since",
		    bind_int(":since", since)))
		return -1;
	return store_run(store, "DELETE FROM txn_pack WHERE time >= :since",
		bind_int(":since", since));
}

int64_t change_last(struct store *store)
{
	int64_t last = 0;

	if (store_number(store, "SELECT max(id) FROM change", &last))
		return 0;
	return last - (last && last == store->change);
}

int changes_since(struct store *store, int64_t id, struct arena *arena,
	struct strv *lines)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT id, actor, command FROM change WHERE id > :id"
		    " ORDER BY id LIMIT 10"))
		return -1;
	query_bind_int(&q, ":id", id);
	while (query_row(&q))
		strv_printf(lines, arena, "change %lld of %s: %s",
			(long long)query_int(&q, 0), query_text(&q, 1),
			query_text(&q, 2));
	return query_close(&q);
}

const char *txn_action_text(uint32_t action, struct arena *arena)
{
	for (size_t i = 0; i < ACTION_TEXTS; i++)
		if (action_texts[i].action == action)
			return action_texts[i].text;
	return arena_printf(arena, "MsgType=%u", action);
}

uint32_t txn_action_parse(const char *text)
{
	static const char unnamed[] = "MsgType=";

	if (!strncmp(text, unnamed, sizeof(unnamed) - 1))
		return (uint32_t)strtoul(
			text + sizeof(unnamed) - 1, NULL, 10);
	for (size_t i = 0; *text && i < ACTION_TEXTS; i++)
		if (!strncasecmp(action_texts[i].text, text, strlen(text)))
			return action_texts[i].action;
	return 0;
}

/* Rows that mention one of the words as a quoted name, or are named so. */
static void mention(FILE *sql, struct strv *binds, const struct strv *words,
	const char *key, struct arena *arena)
{
	if (!words->n)
		return;
	fputs(" AND (0", sql);
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];

		fputs(" OR name = ? OR instr(name, ?) OR instr(info, ?)", sql);
		strv_push(binds, arena, word);
		strv_printf(binds, arena, "'%s'", word);
		strv_printf(binds, arena, "%s='%s'", key, word);
	}
	fputc(')', sql);
}

static void one_of(FILE *sql, struct strv *binds, const struct strv *words,
	const char *column, struct arena *arena)
{
	if (!words->n)
		return;
	fprintf(sql, " AND %s IN (%s)", column, sql_marks(words->n, arena));
	for (size_t i = 0; i < words->n; i++)
		strv_push(binds, arena, words->v[i]);
}

/* Rows about the associations of the accounts and users, by number. */
static void about_assocs(FILE *sql, struct strv *binds,
	const struct txn_cond *cond, struct arena *arena)
{
	if (!cond->accounts.n && !cond->users.n)
		return;
	fputs(" (instr(name, 'id_assoc=') AND EXISTS (SELECT 1 FROM assoc a"
	      " JOIN cluster c ON c.id = a.cluster"
	      " WHERE c.name = txn.cluster",
		sql);
	one_of(sql, binds, &cond->clusters, "c.name", arena);
	one_of(sql, binds, &cond->accounts, "a.account", arena);
	one_of(sql, binds, &cond->users, "a.user", arena);
	fputs(" AND (instr(txn.name, 'id_assoc=' || a.id || ' ')"
	      " OR instr(txn.name, 'id_assoc=' || a.id || ')')))) OR",
		sql);
}

/* Slurm's conditions of action, actor, id and time do not hold for the rows
 * found by the number of an association: its OR stands outside of their AND. */
static char *list_sql(
	const struct txn_cond *cond, struct strv *binds, struct arena *arena)
{
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *sql = memory_stream(&text, &size);

	fputs("SELECT id, time, action, actor, cluster, name, info,"
	      " change, (SELECT undone FROM change"
	      " WHERE id = txn.change) FROM " TXN_ROWS " AS txn WHERE",
		sql);
	about_assocs(sql, binds, cond, arena);
	fputs(" (1", sql);
	mention(sql, binds, &cond->accounts, "acct", arena);
	if (cond->clusters.n) {
		fputs(" AND (1", sql);
		one_of(sql, binds, &cond->clusters, "cluster", arena);
		fputs(" OR 1", sql);
		mention(sql, binds, &cond->clusters, "cluster", arena);
		fputc(')', sql);
	}
	mention(sql, binds, &cond->users, "user", arena);
	one_of(sql, binds, &cond->actions, "action", arena);
	one_of(sql, binds, &cond->actors, "actor", arena);
	one_of(sql, binds, &cond->ids, "id", arena);
	if (cond->start)
		fprintf(sql, " AND time >= %lld", (long long)cond->start);
	if (cond->end)
		fprintf(sql, " AND time < %lld", (long long)cond->end);
	fputs(") ORDER BY time, id", sql);
	fclose(sql);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

/* The numbers of "(id_assoc=13 || id_assoc='12')" as "13, 12, 0". */
static const char *assoc_ids(const char *name, struct arena *arena)
{
	static const char key[] = "id_assoc=";
	const char *ids = "";

	while ((name = strstr(name, key))) {
		name += sizeof(key) - 1;
		name += *name == '\'';
		ids = arena_printf(arena, "%s%lu, ", ids,
			strtoul(name, NULL, 10));
	}
	return arena_printf(arena, "%s0", ids);
}

static bool is_of_assocs(uint32_t action)
{
	return action == TXN_ADD_ASSOCS || action == TXN_MODIFY_ASSOCS ||
		action == TXN_REMOVE_ASSOCS;
}

static const char *assoc_rows(
	const char *column, const char *ids, struct arena *arena)
{
	return arena_printf(arena,
		"SELECT DISTINCT %s AS word FROM assoc WHERE cluster ="
		" (SELECT id FROM cluster WHERE name = :cluster)"
		" AND id IN (%s) AND %s != '' ORDER BY 1",
		column, ids, column);
}

/* Users and accounts of the associations that a change was about, as far as
 * they are still there. */
static int fill_assoc_info(
	struct store *store, struct txn *txn, struct arena *arena)
{
	const char *ids = assoc_ids(txn->name, arena);
	struct query q;

	if (query_open_text(&q, store,
		    arena_printf(arena,
			    "SELECT (SELECT group_concat(word) FROM (%s)),"
			    " (SELECT group_concat(word) FROM (%s))",
			    assoc_rows("user", ids, arena),
			    assoc_rows("account", ids, arena))))
		return -1;
	query_bind_text(&q, ":cluster", txn->cluster);
	if (query_row(&q)) {
		txn->users = query_strdup(&q, 0, arena);
		txn->accounts = query_strdup(&q, 1, arena);
	}
	return query_close(&q);
}

int txn_list(struct store *store, const struct txn_cond *cond,
	struct arena *arena, int (*each)(const struct txn *, void *arg),
	void *arg)
{
	struct strv binds = {0};
	struct query q;
	int stop = 0;

	if (query_open_text(&q, store, list_sql(cond, &binds, arena)))
		return -1;
	query_bind_words(&q, 1, &binds);
	while (!stop && query_row(&q)) {
		struct txn txn = {
			.id = (uint32_t)query_int(&q, 0),
			.time = query_int(&q, 1),
			.action = (uint32_t)query_int(&q, 2),
			.actor = query_strdup(&q, 3, arena),
			.cluster = query_strdup(&q, 4, arena),
			.name = query_strdup(&q, 5, arena),
			.info = query_strdup(&q, 6, arena),
			.change = query_limit(&q, 7),
			.undone = query_limit(&q, 8),
			.users = "",
			.accounts = "",
			.clusters = "",
		};

		txn.action_text = txn_action_text(txn.action, arena);
		if (cond->with_assoc_info && is_of_assocs(txn.action) &&
			fill_assoc_info(store, &txn, arena)) {
			query_close(&q);
			return -1;
		}
		stop = each(&txn, arg);
	}
	return query_close(&q) ? -1 : stop;
}
