#include "db/check/check.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/entity/cluster.h"
#include "db/check/check_content.h"
#include "db/past/rebuild.h"
#include "db/rollup/rollup.h"
#include "db/store/query.h"
#include "db/file/pages.h"
#include "db/file/reason.h"
#include "db/file/sidefiles.h"
#include "db/store/txnpack.h"

struct finding *check_found(
	struct checking *c, const char *text, const char *words, bool safe)
{
	struct finding *f =
		ARENA_PUSH(c->arena, c->found->v, c->found->n, c->found->cap);
	const char *end;

	f->text = arena_strdup(c->arena, text);
	f->safe = safe;
	for (; words && *words; words = end + (*end != '\0')) {
		end = words + strcspn(words, WORD);
		strv_printf(&f->words, c->arena, "%.*s", (int)(end - words),
			words);
	}
	return f;
}

/* ---- usage ---------------------------------------------------------------*/

/* Usage computed again in `copy`, beside the stored one. */
static int compare_usage(struct store *copy, struct checking *c)
{
	struct arena *arena = c->arena;
	struct cluster_cond cond = {0};
	struct cluster_list clusters = {0};
	struct rebuild_list *lists;
	int64_t *keys;

	if (cluster_list(copy, &cond, arena, &clusters))
		return -1;
	keys = arena_array(arena, clusters.n, sizeof(*keys));
	lists = arena_array(arena, clusters.n, sizeof(*lists));
	for (size_t i = 0; i < clusters.n; i++)
		keys[i] = clusters.v[i].key;
	if (rebuild_usage(copy, &c->conf->policy, keys, clusters.n, arena, lists))
		return -1;
	for (size_t i = 0; i < clusters.n; i++) {
		const struct rebuild_list list = lists[i];

		for (size_t n = 0; n < list.n; n++) {
			const struct rebuild_row *row = &list.v[n];

			check_found(c,
				arena_printf(arena,
					"%s%s%s%s%s on %s: %.0Lf seconds "
					"(TRES %d), the records come to %.0Lf",
					row->qos ? "QOS " : "account ",
					row->qos ? row->qos : row->account,
					row->qos || !*row->user ? "" : " user ",
					row->qos ? "" : row->user,
					row->qos || !*row->partition
						? ""
						: " with a partition",
					clusters.v[i].name, row->was, row->tres,
					row->is),
				NULL, false);
		}
	}
	return 0;
}

/* Open, and no longer in the file system. */
static int open_copy(struct store *from, struct store *copy)
{
	static const struct strv no_tres;
	struct store_options options = {.cluster = "copy",
		.tres = &no_tres,
		.default_qos = from->default_qos,
		.actor = from->actor,
		.now = from->now};
	char *path = sidefiles_name_copy(from->err);
	int rc;

	if (!path)
		return -1;
	options.path = path;
	rc = pages_write(path, from->db, true);
	rc = rc == SQLITE_OK ? store_open(copy, &options, from->err)
			     : reason_set(from->err, NULL, rc,
				       "%s cannot be copied", from->path);
	sidefiles_remove_copy(path);
	return rc;
}

/* In a copy, so that others need not wait. */
static int check_usage(struct checking *c)
{
	struct store *store = c->store;
	struct store copy;
	int status;

	if (open_copy(store, &copy))
		return -1;
	status = store_begin(&copy) ||
		 compare_usage(&copy, c);
	store_rollback(&copy);
	store_close(&copy);
	return status ? -1 : 0;
}

/* ---- roll-ups ------------------------------------------------------------*/

static int64_t done_until(struct store *store, int64_t cluster)
{
	int64_t done = 0;

	return store_ask(store,
		       "SELECT done FROM rollup_state WHERE cluster = :cluster",
		       &done, bind_int(":cluster", cluster))
		       ? -1
		       : done;
}

/* What is kept beside what the records of the same days come to. */
static int compare_days(struct checking *c, const struct cluster *cluster)
{
	struct store *store = c->store;
	struct arena *arena = c->arena;
	enum { DAYS = 62 };
	struct rollup_report kept, made;
	int64_t until = done_until(store, cluster->key), from, purged;

	if (until <= 0)
		return (int)until;
	from = until - (int64_t)DAYS * 86400;
	if (rollup_kept(store, cluster->key, &purged))
		return -1;
	if (purged > from)
		from = purged;
	if (from >= until)
		return 0;
	if (rollup_load(store, cluster->key, from, until, arena, &kept) ||
		rollup_compute(
			store, cluster->key, from, until, arena, &made))
		return -1;
	for (size_t i = 0; i < kept.n_tres && i < made.n_tres; i++) {
		const struct cluster_usage *a = &kept.cluster[i];
		const struct cluster_usage *b = &made.cluster[i];

		if (a->alloc != b->alloc || a->down != b->down ||
			a->pdown != b->pdown)
			check_found(c,
				arena_printf(arena,
					"cluster %s, TRES %u: %" PRId64
					" seconds allocated, %" PRId64
					" down; the records come to %" PRId64
					" and %" PRId64,
					cluster->name, (unsigned)kept.tres[i],
					a->alloc, a->down + a->pdown, b->alloc,
					b->down + b->pdown),
				NULL, false);
	}
	return 0;
}

static int check_rollups(struct checking *c)
{
	struct cluster_cond cond = {0};
	struct cluster_list clusters = {0};

	if (cluster_list(c->store, &cond, c->arena, &clusters))
		return -1;
	for (size_t i = 0; i < clusters.n; i++)
		if (compare_days(c, &clusters.v[i]))
			return -1;
	return 0;
}

/* ---- the table -----------------------------------------------------------*/

#define RESTORE "sacctmgr restore FILE, with a backup from before"

/* A user `u` below the account `a`. */
#define BELOW                                                                  \
	" u.cluster = a.cluster AND NOT u.deleted AND u.user <> ''"            \
	" AND u.lineage > a.lineage AND u.lineage < a.lineage || char(1114111)"

const struct check checks[] = {
	{"integrity", "pages, rows and indexes of the file", RESTORE,
		REASON_DAMAGES(100),
		NULL},
	{"references", "rows that refer to rows that are not there", RESTORE,
		"SELECT 'a row of ' || \"table\" || ' refers to none of '"
		" || parent FROM pragma_foreign_key_check",
		NULL},
	{"tree", "every association has its account above it", RESTORE,
		"SELECT 'association ' || a.id || ' (account ' || a.account ||"
		"  CASE a.user WHEN '' THEN '' ELSE ', user ' || a.user END ||"
		"  '): ' || CASE WHEN p.key IS NULL THEN 'nothing above it'"
		"   WHEN p.deleted THEN 'what is above it was deleted'"
		"   ELSE 'is not below what is above it' END"
		" FROM assoc a LEFT JOIN assoc p ON p.key = a.parent"
		" WHERE NOT a.deleted AND NOT (a.user = '' AND a.account = 'root')"
		" AND (p.key IS NULL OR p.deleted OR p.cluster <> a.cluster OR"
		"  substr(a.lineage, 1, length(p.lineage)) <> p.lineage)",
		NULL},
	{"names", "users and accounts of associations are there",
		"sacctmgr add user NAME, or add account NAME",
		"SELECT DISTINCT 'association of user ' || a.user ||"
		"  ', who is not there' FROM assoc a"
		" WHERE NOT a.deleted AND a.user <> '' AND NOT EXISTS"
		"  (SELECT 1 FROM user u WHERE u.name = a.user AND NOT u.deleted)"
		" UNION ALL "
		"SELECT DISTINCT 'association of account ' || a.account ||"
		"  ', which is not there' FROM assoc a"
		" WHERE NOT a.deleted AND a.account <> 'root' AND NOT EXISTS"
		"  (SELECT 1 FROM account c WHERE c.name = a.account"
		"   AND NOT c.deleted)",
		NULL},
	{"users", "associations of users agree with the log",
		"sacctmgr add user NAME account=ACCOUNT",
		"SELECT 'user ' || u.name || ' has no association; the log has one'"
		" FROM user u WHERE NOT u.deleted"
		" AND NOT EXISTS (SELECT 1 FROM assoc a WHERE a.user = u.name)"
		" AND EXISTS (SELECT 1 FROM " TXN_ROWS " t WHERE t.action = 1404"
		"  AND t.info LIKE '%user=''' || u.name || '''%'"
		"  AND NOT EXISTS (SELECT 1 FROM txn r WHERE r.id > t.id"
		"   AND r.action IN (1431, 1435, 1437, 1438, 1439)))",
		NULL},
	{"defaults", "no user has two default accounts on a cluster",
		"sacctmgr modify user NAME set defaultaccount=ACCOUNT",
		"SELECT 'user ' || a.user || ' has ' || count(DISTINCT a.account)"
		"  || ' default accounts on ' || c.name"
		" FROM assoc a JOIN cluster c ON c.id = a.cluster"
		" WHERE NOT a.deleted AND a.is_default AND a.user <> ''"
		" GROUP BY a.cluster, a.user HAVING count(DISTINCT a.account) > 1",
		NULL},
	{"log", "the log of changes is complete", RESTORE,
		"SELECT 'transaction ' || t.id || ' is of no change' FROM"
		" " TXN_CHANGES " t"
		" WHERE t.change NOT NULL AND NOT EXISTS"
		"  (SELECT 1 FROM change c WHERE c.id = t.change)",
		NULL},
	{"jobs", "times of jobs are in order",
		"srecord job id=ID start=TIME end=TIME",
		"SELECT 'job ' || id || ' ends before it starts' FROM job"
		" WHERE start > 0 AND end > 0 AND end < start",
		NULL},
	{"usage", "usage agrees with the job records",
		"sacctmgr rebuild usage", NULL, check_usage},
	{"roll-ups", "reports of the last two months agree with the records",
		"sacctmgr rebuild rollups", NULL, check_rollups},

	/* What an administrator probably did not intend. */
	{"accountless", "users have an account to run jobs in",
		NULL,
		"SELECT 'user ' || name || ' has no account to run jobs in',"
		"  'delete' || char(31) || 'user' || char(31) || name,"
		"  admin_level < 2 AND NOT EXISTS"
		"  (SELECT 1 FROM coordinator c WHERE c.user = user.name)"
		" FROM user WHERE NOT deleted AND NOT EXISTS"
		"  (SELECT 1 FROM assoc a WHERE a.user = user.name"
		"   AND NOT a.deleted) ORDER BY name",
		NULL},
	{"default-account", "users have a default account where they have one",
		NULL, NULL, check_default_accounts},
	{"unused-qos", "every QOS can be used by an association", NULL, NULL,
		check_reachable_qos},
	{"default-qos", "default QOS are among those that may be used", NULL,
		NULL, check_default_qos},
	{"child-limits", "no limit is above that of the account above", NULL,
		NULL, check_child_limits},
	{"zero-shares", "accounts with users have shares", NULL,
		"SELECT 'account ' || a.account || ' on ' || c.name ||"
		"  ' has no shares, and users below it',"
		"  'modify' || char(31) || 'account' || char(31) || 'where' ||"
		"  char(31) || 'account=' || a.account || char(31) ||"
		"  'cluster=' || c.name || char(31) || 'set' || char(31) ||"
		"  'fairshare=1', 0"
		" FROM assoc a JOIN cluster c ON c.id = a.cluster"
		" WHERE a.user = '' AND NOT a.deleted AND a.shares = 0"
		" AND EXISTS (SELECT 1 FROM assoc u WHERE" BELOW ")"
		" ORDER BY c.name, a.lineage",
		NULL},
	{"empty-accounts", "accounts have users", NULL,
		"SELECT 'account ' || name || ' has no users',"
		"  'delete' || char(31) || 'account' || char(31) || name, 0"
		" FROM account WHERE NOT deleted AND name <> 'root'"
		" AND NOT EXISTS (SELECT 1 FROM assoc a JOIN assoc u ON" BELOW
		"  WHERE a.account = account.name AND a.user = ''"
		"  AND NOT a.deleted)"
		/* What is below others goes first. */
		" ORDER BY (SELECT max(length(lineage)) FROM assoc"
		"  WHERE account = account.name AND user = '') DESC, name",
		NULL},
	{"system-users", "the users have a login here, or none has", NULL, NULL,
		check_system_users},
	{"letter-case", "no names differ only in case", RESTORE, NULL,
		check_letter_case},
	{"leases", "ends of leases are in the log", NULL, NULL,
		check_leases},
	{"deleted-usage", "deleted associations have no usage", NULL,
		"SELECT 'association ' || a.id || ' (account ' || a.account ||"
		"  CASE a.user WHEN '' THEN '' ELSE ', user ' || a.user END ||"
		"  ') on ' || c.name || ' was deleted and still has usage',"
		"  'rebuild' || char(31) || 'usage' || char(31) || 'cluster='"
		"  || c.name, 0"
		" FROM assoc a JOIN cluster c ON c.id = a.cluster"
		" WHERE a.deleted AND EXISTS (SELECT 1 FROM usage u"
		"  WHERE u.owner = a.key AND u.raw > 0)"
		" ORDER BY c.name, a.id",
		NULL},
	{"capacity", "the size of each cluster is recorded",
		"srecord cluster tres=... start=...", NULL, check_capacity},
	{"slurm.conf", "words in slurm.conf are known",
		"an editor", NULL, check_conf},
};

const size_t n_checks = sizeof(checks) / sizeof(checks[0]);

static int run_sql(struct checking *c, const char *sql)
{
	struct query q;

	if (query_open_text(&q, c->store, sql))
		return -1;
	while (c->found->n <= CHECK_MOST && query_row(&q)) {
		bool more = query_columns(&q) > 1;

		check_found(c, query_text(&q, 0),
			more ? query_text(&q, 1) : NULL,
			more && query_int(&q, 2));
	}
	return query_close(&q);
}

/* Could the store not be looked at? That says nothing of what is in it. */
static bool is_out_of_reach(struct store *store)
{
	int code = sqlite3_errcode(store->db) & 0xff;

	return code == SQLITE_NOMEM || code == SQLITE_IOERR ||
	       code == SQLITE_CANTOPEN || code == SQLITE_BUSY;
}

int check_run(const struct check *check, struct checking *c)
{
	int status = check->sql ? run_sql(c, check->sql) : check->run(c);

	if (status && c->store->err->kind == ERR_STORE &&
		!is_out_of_reach(c->store)) {
		check_found(c, c->store->err->text, NULL, false);
		status = 0;
	}
	if (c->found->n > CHECK_MOST) {
		c->found->n = CHECK_MOST;
		check_found(c, "and more of the kind", NULL, false);
	}
	return status;
}
