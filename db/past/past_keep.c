#include "db/past/past_keep.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"
#include "common/table/qos.h"
#include "db/store/meta.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

/* Which moments: those of the log; those before it, when all associations stand as
 * they were created; the time up to which somebody makes some; that there are
 * rows of moments which were dropped. */
enum series { OF_LOG, BEFORE_LOG, IN_WORK, LEFT_OVER };

enum { MOST_BYTES = 64 << 20 }; /* of new ones at once: the rest comes later */

/* What became of an owner's amounts between two moments. */
struct kept_row {
	int64_t owner;
	unsigned char *bytes;
	size_t n;
};

struct kept_moment {
	struct past_moment is;
	char *rules;
	struct kept_row *rows;
	size_t n_rows, cap_rows;
	struct kept_moment *next;
};

struct past_keep {
	struct store *below; /* where they go; NULL: nowhere */
	int64_t every, runs; /* runs since the last moment */
	int64_t token;	     /* of the row that says we make some; 0: none */
	int64_t until;	     /* up to when */
	bool on, distrusted, has_base;
	enum series series;
	struct arena arena;
	size_t bytes;
	struct kept_moment *first, **end;
};

/* ---- who makes some ------------------------------------------------------*/

static int find_newest(struct store *store, const struct policy *policy,
	enum series series, int64_t at, struct past_moment *moment)
{
	struct arena arena;
	struct query q;
	int found;

	if (query_open(&q, store,
		    "SELECT at, last_id, tree, rules FROM rollup_past"
		    " WHERE at <= :at AND series = :series"
		    " ORDER BY at DESC LIMIT 1"))
		return -1;
	query_bind_int(&q, ":at", at);
	query_bind_int(&q, ":series", (int)series);
	found = query_row(&q);
	arena_init(&arena);
	if (found) {
		char *rules;

		moment->at = query_int(&q, 0);
		moment->last_id = query_int(&q, 1);
		moment->tree = query_int(&q, 2);
		if (usage_rules(store, policy, moment->at, &arena, &rules))
			found = -1;
		else
			found = !strcmp(rules, query_text(&q, 3));
	}
	arena_release(&arena);
	return query_close(&q) ? -1 : found;
}

/* Are there runs enough for another moment? */
static int worth_it(struct store *store, int64_t from, int64_t at, int64_t every)
{
	int64_t n = 0;

	return store_ask(store,
		       "SELECT count(*) FROM (SELECT 1 FROM job"
		       " WHERE end > :from AND end <= :at LIMIT :most)",
		       &n, bind_int(":from", from), bind_int(":at", at),
		       bind_int(":most", every + 1))
		       ? -1
		       : n > every;
}

static int64_t any_number(struct store *store)
{
	int64_t n = 0;

	return store_number(store, "SELECT random() | 1", &n) ? 0 : n;
}

/* Whoever changes the past up to then drops this row too. */
static int put_mark(struct store *store, int64_t until, int64_t token)
{
	return store_run(store,
		"INSERT OR REPLACE INTO rollup_past"
		" (at, series, last_id, tree, rules)"
		" VALUES (:at, :series, :token, 0, '')",
		bind_int(":at", until), bind_int(":series", IN_WORK),
		bind_int(":token", token));
}

/* Only then can it be written while pages lie over it. */
static bool has_wal(struct store *store)
{
	return store_any(store, "SELECT 1 FROM pragma_journal_mode"
				" WHERE journal_mode = 'wal'") > 0;
}

static void reserve(struct past_keep *k, int64_t until)
{
	int64_t token = any_number(k->below);

	if (!token || !has_wal(k->below) || store_begin_own(k->below))
		return;
	if (put_mark(k->below, until, token)) {
		store_rollback(k->below);
		return;
	}
	if (store_commit_bulk(k->below))
		return;
	k->token = token;
	k->until = until;
}

struct past_keep *past_keep_open(
	struct store *below, const struct policy *policy, int64_t at,
	int64_t log_begins)
{
	struct past_keep *k = memory_zeroed(1, sizeof(*k));
	struct past_moment newest = {.at = INT64_MIN};

	k->every = PAST_KEEP_MANY;
	k->end = &k->first;
	arena_init(&k->arena);
	if (meta_get_int(below, PAST_KEEP_RUNS, &k->every))
		k->every = PAST_KEEP_MANY;
	if (at >= below->now || below->read_only || below->is_private)
		return k;
	k->below = below;
	if (find_newest(below, policy, at < log_begins ? BEFORE_LOG : OF_LOG, at,
		    &newest) >= 0 &&
		worth_it(below, newest.at, at, k->every) > 0)
		reserve(k, at);
	return k;
}

void past_keep_close(struct past_keep *k)
{
	if (!k)
		return;
	arena_release(&k->arena);
	free(k);
}

/* ---- amounts of an owner as bytes ----------------------------------------*/

/* Numbers seven bits at a time, small ones of either sign in few bytes. */
static void put_number(struct arena *arena, struct kept_row *row, size_t *cap,
	int64_t number)
{
	uint64_t u = ((uint64_t)number << 1) ^ (uint64_t)(number >> 63);

	for (; u > 127; u >>= 7)
		*ARENA_PUSH(arena, row->bytes, row->n, *cap) =
			(unsigned char)(u | 128);
	*ARENA_PUSH(arena, row->bytes, row->n, *cap) = (unsigned char)u;
}

static void put_real(struct arena *arena, struct kept_row *row, size_t *cap,
	double real)
{
	uint64_t u;

	memcpy(&u, &real, sizeof(u));
	for (int i = 0; i < 8; i++)
		*ARENA_PUSH(arena, row->bytes, row->n, *cap) =
			(unsigned char)(u >> 8 * i);
}

/* What is left of such bytes. */
struct bytes {
	const unsigned char *v;
	int n;
};

static bool get_number(struct bytes *b, int64_t *number)
{
	uint64_t u = 0;

	for (int shift = 0; b->n && shift < 64; shift += 7) {
		unsigned char byte = *b->v++;

		b->n--;
		u |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			*number = (int64_t)(u >> 1) ^ -(int64_t)(u & 1);
			return true;
		}
	}
	return false;
}

static bool get_real(struct bytes *b, double *real)
{
	uint64_t u = 0;

	if (b->n < 8)
		return false;
	for (int i = 0; i < 8; i++)
		u |= (uint64_t)b->v[i] << 8 * i;
	b->v += 8;
	b->n -= 8;
	memcpy(real, &u, sizeof(u));
	return true;
}

/* ---- a moment as it is kept ----------------------------------------------*/

int past_keep_find(struct past *p, int64_t at, struct past_moment *moment)
{
	p->keep->series = p->all_exist ? BEFORE_LOG : OF_LOG;
	return find_newest(p->store, p->policy, p->keep->series, at, moment);
}

void past_keep_distrust(struct past *p)
{
	p->keep->distrusted = true;
}

static uint64_t mixed(uint64_t sum, int64_t number)
{
	sum = (sum ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

int past_keep_tree(struct past *p, int64_t *tree)
{
	struct query q;
	uint64_t sum = 0;

	if (query_open(&q, p->store,
		    "SELECT 1, key, coalesce(parent, 0), 0 FROM assoc"
		    " WHERE deleted"
		    " UNION ALL SELECT 2, assoc, epoch, since"
		    " FROM assoc_usage_reset"
		    " UNION ALL SELECT 3, id, 0, 0 FROM qos"
		    " WHERE flags & :no_decay"))
		return -1;
	query_bind_int(&q, ":no_decay", QOS_NO_DECAY);
	while (query_row(&q)) {
		uint64_t row = 0;

		for (int i = 0; i < 4; i++)
			row = mixed(row, query_int(&q, i));
		sum += row; /* in whatever order */
	}
	*tree = (int64_t)sum;
	return query_close(&q);
}

/* Numbers of owners: the keys of associations; below 0 a QOS on a cluster. */
static int load_owner(
	struct past *p, int64_t owner, int64_t at, struct bytes bytes)
{
	bool qos = owner < 0;
	int64_t cluster = qos ? -owner >> 32 : 0, tres, back;

	while (bytes.n) {
		struct usage_amount a = {
			.owner = qos ? -owner & UINT32_MAX : owner};

		if (!get_number(&bytes, &tres) || !get_number(&bytes, &back) ||
			!get_real(&bytes, &a.amount))
			return err_set(p->store->err, ERR_STORE,
				"%s is damaged: usage of the past (sacctmgr "
				"rebuild rollups)",
				p->store->path);
		a.tres = (int)tres;
		a.at = at = (int64_t)((uint64_t)at - (uint64_t)back);
		if ((p->details || tres == USAGE_RAW) &&
			usage_put_amount(p->store, qos, cluster, &a))
			return -1;
	}
	return 0;
}

static int load(struct past *p, const struct past_moment *moment)
{
	struct query q;
	int status = 0;

	if (query_open(&q, p->store,
		    "WITH RECURSIVE one (owner) AS"
		    " (SELECT min(owner) FROM rollup_past_usage"
		    "  WHERE series = :series"
		    "  UNION ALL SELECT (SELECT min(u.owner)"
		    "   FROM rollup_past_usage u WHERE u.series = :series"
		    "   AND u.owner > one.owner) FROM one"
		    "  WHERE one.owner IS NOT NULL)"
		    " SELECT u.owner, u.at, u.amounts FROM one"
		    " CROSS JOIN rollup_past_usage u ON u.series = :series"
		    " AND u.owner = one.owner AND u.at ="
		    "  (SELECT max(at) FROM rollup_past_usage"
		    "   WHERE series = :series AND owner = one.owner"
		    "   AND at <= :at)"))
		return -1;
	query_bind_int(&q, ":series", p->keep->series);
	query_bind_int(&q, ":at", moment->at);
	while (!status && query_row(&q)) {
		struct bytes bytes;

		bytes.v = query_blob(&q, 2, &bytes.n);
		status = load_owner(
			p, query_int(&q, 0), query_int(&q, 1), bytes);
	}
	return query_close(&q) || status ? -1 : 0;
}

/* ---- collecting ----------------------------------------------------------*/

static int watch_owners(struct store *store)
{
#define WATCH(name, what, table, owner)                                        \
	"CREATE TRIGGER past_" name " AFTER " what " ON " table                \
	" BEGIN INSERT INTO past_touched SELECT " owner                        \
	" WHERE NOT EXISTS (SELECT 1 FROM past_touched"                        \
	" WHERE owner = " owner "); END;"
#define OF_QOS(row) "-(" row ".cluster << 32 | " row ".qos)"
	return store_exec(store,
		"CREATE TABLE past_touched (owner INTEGER PRIMARY KEY);"
		WATCH("assoc_insert", "INSERT", "assoc_usage", "new.assoc")
		WATCH("assoc_update", "UPDATE", "assoc_usage", "new.assoc")
		WATCH("assoc_delete", "DELETE", "assoc_usage", "old.assoc")
		WATCH("qos_insert", "INSERT", "qos_usage", OF_QOS("new"))
		WATCH("qos_update", "UPDATE", "qos_usage", OF_QOS("new"))
		WATCH("qos_delete", "DELETE", "qos_usage", OF_QOS("old")));
#undef OF_QOS
#undef WATCH
}

int past_keep_start(struct past *p, const struct past_moment *moment)
{
	struct past_keep *k = p->keep;

	k->on = true;
	k->has_base = moment != NULL;
	if (k->token)
		p->details = true; /* who comes after may want them */
	return (moment && load(p, moment)) ||
			       (k->token && watch_owners(p->store))
		       ? -1
		       : 0;
}

bool past_keep_is_due(const struct past *p, int64_t last_end, int64_t end)
{
	return p->keep && p->keep->on && p->keep->runs >= p->keep->every &&
	       end > last_end;
}

void past_keep_count(struct past *p)
{
	if (p->keep)
		p->keep->runs++;
}

void past_keep_stop(struct past *p)
{
	if (p->keep)
		p->keep->on = false;
}

static int collect_owner(
	struct past *p, struct kept_moment *m, int64_t owner)
{
	struct arena *arena = &p->keep->arena;
	struct kept_row *row =
		ARENA_PUSH(arena, m->rows, m->n_rows, m->cap_rows);
	int64_t last = m->is.at;
	struct query q;
	size_t cap = 0;

	*row = (struct kept_row){.owner = owner};
	if (query_open(&q, p->store,
		    owner > 0 ? "SELECT tres, amount, at FROM assoc_usage"
				" WHERE assoc = :owner ORDER BY tres"
			      : "SELECT tres, amount, at FROM qos_usage"
				" WHERE qos = -:owner & 4294967295"
				" AND cluster = -:owner >> 32 ORDER BY tres"))
		return -1;
	query_bind_int(&q, ":owner", owner);
	while (query_row(&q)) {
		int64_t at = query_int(&q, 2);

		put_number(arena, row, &cap, query_int(&q, 0));
		put_number(arena, row, &cap,
			(int64_t)((uint64_t)last - (uint64_t)at));
		put_real(arena, row, &cap, query_real(&q, 1));
		last = at;
	}
	p->keep->bytes += row->n + sizeof(*row);
	return query_close(&q);
}

static int collect(struct past *p, struct kept_moment *m)
{
	struct query q;
	int status = 0;

	if (query_open(&q, p->store, "SELECT owner FROM past_touched"))
		return -1;
	while (!status && query_row(&q))
		status = collect_owner(p, m, query_int(&q, 0));
	return query_close(&q) || status ||
			       store_exec(p->store, "DELETE FROM past_touched")
		       ? -1
		       : 0;
}

int past_keep_note(struct past *p, int64_t at)
{
	struct past_keep *k = p->keep;
	struct kept_moment *m;

	k->runs = 0;
	if (!k->token || at > k->until || k->bytes > MOST_BYTES)
		return 0;
	m = arena_alloc(&k->arena, sizeof(*m));
	*m = (struct kept_moment){.is = {.at = at, .last_id = p->last_id}};
	*k->end = m;
	k->end = &m->next;
	return usage_rules(p->store, p->policy, at, &k->arena, &m->rules) ||
			       past_keep_tree(p, &m->is.tree) || collect(p, m)
		       ? -1
		       : 0;
}

/* ---- writing -------------------------------------------------------------*/

static int run_of(struct past_keep *k, const char *sql)
{
	return store_run(k->below, sql, bind_int(":series", k->series));
}

/* 1: our mark still stands, so the past is as it was. */
static int take_mark(struct past_keep *k)
{
	int found;

	found = store_has(k->below,
		"SELECT 1 FROM rollup_past WHERE at = :at"
		" AND series = :series AND last_id = :token",
		bind_int(":at", k->until), bind_int(":series", IN_WORK),
		bind_int(":token", k->token));
	if (found <= 0)
		return found;
	return store_run(k->below,
		       "DELETE FROM rollup_past WHERE series = :series",
		       bind_int(":series", IN_WORK))
		       ? -1
		       : 1;
}

static int save_row(struct past_keep *k, int64_t at, const struct kept_row *row)
{
	struct query q;

	if (query_open(&q, k->below,
		    "INSERT OR REPLACE INTO rollup_past_usage"
		    " (series, owner, at, amounts)"
		    " VALUES (:series, :owner, :at, :amounts)"))
		return -1;
	query_bind_int(&q, ":series", k->series);
	query_bind_int(&q, ":owner", row->owner);
	query_bind_int(&q, ":at", at);
	query_bind_blob(&q, ":amounts", row->n ? row->bytes : (const void *)"",
		(int)row->n);
	return query_run(&q);
}

static int save_moment(struct past_keep *k, const struct kept_moment *m)
{
	for (size_t i = 0; i < m->n_rows; i++)
		if (save_row(k, m->is.at, &m->rows[i]))
			return -1;
	return store_run(k->below,
		"INSERT OR REPLACE INTO rollup_past"
		" (at, series, last_id, tree, rules)"
		" VALUES (:at, :series, :last_id, :tree, :rules)",
		bind_int(":at", m->is.at), bind_int(":series", k->series),
		bind_int(":last_id", m->is.last_id),
		bind_int(":tree", m->is.tree), bind_text(":rules", m->rules));
}

/* Those that did not serve go; so do the rows of what others dropped. */
static int make_room(struct past_keep *k)
{
	struct query q;

	if ((k->distrusted || (!k->has_base && k->first)) &&
		(run_of(k, "DELETE FROM rollup_past WHERE series = :series") ||
			run_of(k, "DELETE FROM rollup_past_usage"
				  " WHERE series = :series")))
		return -1;
	if (query_open(&q, k->below,
		    "DELETE FROM rollup_past WHERE series = :series"
		    " RETURNING 1"))
		return -1;
	query_bind_int(&q, ":series", LEFT_OVER);
	if (!query_row(&q))
		return query_close(&q);
	return query_close(&q) ||
			       store_exec(k->below,
				       "DELETE FROM rollup_past_usage AS u"
				       " WHERE NOT EXISTS (SELECT 1 FROM"
				       " rollup_past p WHERE p.at = u.at"
				       " AND p.series = u.series)")
		       ? -1
		       : 0;
}

static int save(struct past_keep *k)
{
	int ours = k->token ? take_mark(k) : k->distrusted;

	if (ours <= 0)
		return ours;
	if (make_room(k))
		return -1;
	for (const struct kept_moment *m = k->first; m; m = m->next)
		if (save_moment(k, m))
			return -1;
	return 0;
}

void past_keep_save(struct past *p)
{
	struct past_keep *k = p->keep;

	if (!k || !k->below || (!k->token && !k->distrusted) ||
		store_begin_own(k->below))
		return;
	if (save(k))
		store_rollback(k->below);
	else
		store_commit_bulk(k->below);
}
