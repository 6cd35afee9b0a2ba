#include "db/entity/assoc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "common/base/numbers.h"
#include "db/store/query.h"
#include "db/store/txn.h"
#include "db/usage/usage.h"

enum { DAY = 86400 };

/* What is read before the columns of assoc_attrs. */
#define FIXED_COLUMNS                                                          \
	"a.key, a.parent, a.id, coalesce(p.id, 0), c.name, a.account, a.user," \
	" a.partition, a.lineage, coalesce(p.account, ''), a.is_default,"      \
	" a.deleted, a.created, CASE a.user WHEN '' THEN coalesce((SELECT"       \
	" n.flags & 1 FROM account n WHERE n.name = a.account), 0) ELSE 0 END"
enum { N_FIXED_COLUMNS = 14 };

#define FROM_ASSOC                                                             \
	" FROM assoc a JOIN cluster c ON c.id = a.cluster"                     \
	" LEFT JOIN assoc p ON p.key = a.parent"

/* Text while it is being put together; what is bound to its `?` in order. */
struct builder {
	FILE *sql;
	char *text;
	size_t size;
	struct strv binds;
	struct arena *arena;
};

static void builder_init(struct builder *b, struct arena *arena)
{
	*b = (struct builder){.arena = arena};
	b->sql = open_memstream(&b->text, &b->size);
}

static char *builder_text(struct builder *b)
{
	char *text;

	fclose(b->sql);
	text = arena_strdup(b->arena, b->text);
	free(b->text);
	return text;
}

static void one_of(
	struct builder *b, const char *column, const struct strv *words)
{
	if (!words->n)
		return;
	fprintf(b->sql, " AND %s IN (%s)", column,
		sql_marks(words->n, b->arena));
	for (size_t i = 0; i < words->n; i++)
		strv_push(&b->binds, b->arena, words->v[i]);
}

/* SELECT list: the fixed columns, then one for each attribute that has one. */
static void select_columns(FILE *sql)
{
	fputs("SELECT " FIXED_COLUMNS, sql);
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++)
		if (a->column)
			fprintf(sql, ", a.%s", a->column);
	fputs(FROM_ASSOC, sql);
}

static void read_attr(struct query *q, int column, const struct attr *attr,
	struct assoc *assoc, struct arena *arena)
{
	char *member = (char *)assoc + attr->offset;
	const char *text;
	uint32_t number;

	if (attr->type == ATTR_TEXT) {
		text = query_strdup(q, column, arena);
		memcpy(member, &text, sizeof(text));
		return;
	}
	number = query_limit(q, column);
	memcpy(member, &number, sizeof(number));
}

static const char *row_flags(const struct assoc *assoc)
{
	if (assoc->users_are_coords)
		return assoc->deleted ? "Deleted,UsersAreCoords"
				      : "UsersAreCoords";
	return assoc->deleted ? "Deleted" : "None";
}

static void read_row(struct query *q, struct assoc *assoc, struct arena *arena)
{
	int column = N_FIXED_COLUMNS;

	assoc_init(assoc);
	assoc->key = query_int(q, 0);
	assoc->parent_key = query_int(q, 1);
	assoc->id = (uint32_t)query_int(q, 2);
	assoc->parent_id = (uint32_t)query_int(q, 3);
	assoc->cluster = query_strdup(q, 4, arena);
	assoc->account = query_strdup(q, 5, arena);
	assoc->user = query_strdup(q, 6, arena);
	assoc->partition = query_strdup(q, 7, arena);
	assoc->lineage = query_strdup(q, 8, arena);
	assoc->parent_account = query_strdup(q, 9, arena);
	assoc->is_default = query_int(q, 10);
	assoc->deleted = query_int(q, 11);
	assoc->created = query_int(q, 12);
	assoc->users_are_coords = query_int(q, 13);
	assoc->flags_text = row_flags(assoc);
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++)
		if (a->column)
			read_attr(q, column++, a, assoc, arena);
}

static int read_tres(
	struct store *store, struct assoc *assoc, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT kind, tres, count FROM assoc_tres"
		    " WHERE assoc = :key ORDER BY kind, tres"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	while (query_row(&q)) {
		int64_t kind = query_int(&q, 0);

		if (kind >= 0 && kind < ASSOC_TRES_KINDS)
			tres_list_set(&assoc->tres[kind], arena,
				(uint32_t)query_int(&q, 1),
				(uint64_t)query_int(&q, 2));
	}
	return query_close(&q);
}

static int read_own_qos(
	struct store *store, struct assoc *assoc, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT qos, sign FROM assoc_qos WHERE assoc = :key"
		    " ORDER BY position, qos"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	while (query_row(&q)) {
		struct assoc_qos *own = ARENA_PUSH(arena, assoc->own_qos.v,
			assoc->own_qos.n, assoc->own_qos.cap);

		own->id = (uint32_t)query_int(&q, 0);
		own->sign = query_text(&q, 1)[0];
	}
	return query_close(&q);
}

/* The rows of an open SELECT made by select_columns; appends them, own values
 * only, and closes it. */
static int read_rows(struct query *q, struct arena *arena, struct assoc_list *list)
{
	struct store *store = q->store;
	size_t first = list->n;

	while (query_row(q)) {
		struct assoc *assoc = arena_alloc(arena, sizeof(*assoc));

		read_row(q, assoc, arena);
		*ARENA_PUSH(arena, list->v, list->n, list->cap) = assoc;
	}
	if (query_close(q))
		return -1;
	for (size_t i = first; i < list->n; i++)
		if (read_tres(store, list->v[i], arena) ||
			read_own_qos(store, list->v[i], arena))
			return -1;
	return 0;
}

static int load_rows(struct store *store, struct builder *b, struct arena *arena,
	struct assoc_list *list)
{
	struct query q;

	if (query_open_text(&q, store, builder_text(b)))
		return -1;
	query_bind_words(&q, 1, &b->binds);
	return read_rows(&q, arena, list);
}

/* Rows that are ready to inherit from, by key. */
struct known {
	int64_t key;
	struct assoc *assoc;
	UT_hash_handle hh;
};

struct family {
	struct store *store;
	struct arena *arena;
	struct known *known;
};

static void family_add(struct family *family, struct assoc *assoc)
{
	struct known *known = arena_alloc(family->arena, sizeof(*known));

	known->key = assoc->key;
	known->assoc = assoc;
	HASH_ADD(hh, family->known, key, sizeof(known->key), known);
}

static int load_by_key(struct family *family, int64_t key, struct assoc **found)
{
	struct assoc_list list = {0};
	struct builder b;

	builder_init(&b, family->arena);
	select_columns(b.sql);
	fprintf(b.sql, " WHERE a.key = %lld", (long long)key);
	if (load_rows(family->store, &b, family->arena, &list))
		return -1;
	if (!list.n)
		return err_set(family->store->err, ERR_STORE,
			"%s is damaged: an association has lost its parent",
			family->store->path);
	*found = list.v[0];
	return 0;
}

/* Fills one row from its ancestors, reading those that are not known yet:
 * first up to a known one or root, then down again. */
static int fill_row(struct family *family, struct assoc *assoc)
{
	struct assoc_list chain = {0};
	struct assoc *row = assoc;
	struct known *known = NULL;

	for (;;) {
		*ARENA_PUSH(family->arena, chain.v, chain.n, chain.cap) = row;
		if (!row->parent_key)
			break;
		HASH_FIND(hh, family->known, &row->parent_key,
			sizeof(row->parent_key), known);
		if (known)
			break;
		if (load_by_key(family, row->parent_key, &row))
			return -1;
	}
	for (size_t i = chain.n; i-- > 0;) {
		row = chain.v[i];
		if (known)
			assoc_inherit(row, known->assoc, family->arena);
		else
			assoc_no_parent(row, family->arena);
		family_add(family, row);
		HASH_FIND(hh, family->known, &row->key, sizeof(row->key),
			known);
	}
	return 0;
}

static int fill_all(struct store *store, const struct assoc_cond *cond,
	struct arena *arena, struct assoc_list *list)
{
	struct family family = {store, arena, NULL};

	for (size_t i = 0; i < list->n; i++) {
		struct assoc *assoc = list->v[i];

		if (cond->without_limits || cond->without_parent_info)
			assoc_no_parent(assoc, arena);
		else if (fill_row(&family, assoc)) {
			HASH_CLEAR(hh, family.known);
			return -1;
		}
		if (cond->without_parent_info)
			assoc->parent_account = "";
		assoc_name_qos(assoc, &store->qos, cond->raw_qos, arena);
	}
	HASH_CLEAR(hh, family.known);
	return 0;
}

/* Rows below the lineage of any of the accounts, and those themselves. */
static void sub_accounts(struct builder *b, const struct strv *accounts)
{
	fprintf(b->sql,
		" AND EXISTS (SELECT 1 FROM assoc top WHERE top.cluster ="
		" a.cluster AND top.user = '' AND NOT top.deleted"
		" AND substr(a.lineage, 1, length(top.lineage)) = top.lineage"
		" AND top.account IN (%s))",
		sql_marks(accounts->n, b->arena));
	for (size_t i = 0; i < accounts->n; i++)
		strv_push(&b->binds, b->arena, accounts->v[i]);
}

static void where_clause(struct builder *b, const struct assoc_cond *cond)
{
	fputs(" WHERE 1", b->sql);
	if (!cond->with_deleted)
		fputs(" AND NOT a.deleted", b->sql);
	one_of(b, "c.name", &cond->clusters);
	if (cond->with_sub_accounts && cond->accounts.n)
		sub_accounts(b, &cond->accounts);
	else
		one_of(b, "a.account", &cond->accounts);
	one_of(b, "a.user", &cond->users);
	one_of(b, "a.partition", &cond->partitions);
	one_of(b, "a.id", &cond->ids);
	one_of(b, "a.def_qos", &cond->def_qos);
	if (cond->parents.n) {
		one_of(b, "p.account", &cond->parents);
		fputs(" AND a.user = ''", b->sql);
	}
	if (cond->only_users)
		fputs(" AND a.user != ''", b->sql);
	if (cond->only_accounts)
		fputs(" AND a.user = ''", b->sql);
	if (cond->only_defaults)
		fputs(" AND a.is_default", b->sql);
}

static bool wanted_qos(const struct assoc *assoc, const struct strv *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (assoc_has_qos(assoc,
			    (uint32_t)strtoul(ids->v[i], NULL, 10)))
			return true;
	return !ids->n;
}

int assoc_list(struct store *store, const struct assoc_cond *cond,
	struct arena *arena, struct assoc_list *list)
{
	struct builder b;
	size_t kept = 0;
	bool began;
	int rc;

	*list = (struct assoc_list){0};
	builder_init(&b, arena);
	select_columns(b.sql);
	where_clause(&b, cond);
	fputs(" ORDER BY c.name, a.lineage", b.sql);
	began = store_begin_read(store);
	rc = load_rows(store, &b, arena, list) ||
		fill_all(store, cond, arena, list);
	store_end_read(store, began);
	if (rc)
		return -1;
	for (size_t i = 0; i < list->n; i++)
		if (wanted_qos(list->v[i], &cond->qos))
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

static const char *find_sql(struct store *store)
{
	struct builder b;

	if (store->assoc_find_sql)
		return store->assoc_find_sql;
	builder_init(&b, &store->arena);
	select_columns(b.sql);
	fputs(" WHERE c.name = :cluster AND a.account = :account"
	      " AND a.user = :user AND a.partition = :partition"
	      " AND NOT a.deleted",
		b.sql);
	store->assoc_find_sql = builder_text(&b);
	return store->assoc_find_sql;
}

int assoc_find(struct store *store, const char *cluster, const char *account,
	const char *user, const char *partition, struct arena *arena,
	struct assoc **found)
{
	struct assoc_list list = {0};
	struct query q;

	*found = NULL;
	if (query_open(&q, store, find_sql(store)))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":account", account);
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":partition", partition);
	if (read_rows(&q, arena, &list))
		return -1;
	if (list.n)
		*found = list.v[0];
	return list.n ? 1 : 0;
}

int assoc_first_account(struct store *store, const char *cluster,
	const char *user, const char *account, struct arena *arena,
	const char **first)
{
	struct query q;
	int found;

	if (query_open(&q, store,
		    "SELECT a.account FROM assoc a"
		    " JOIN cluster c ON c.id = a.cluster"
		    " WHERE c.name = :cluster AND a.user = :user"
		    " AND :account IN ('', a.account) AND NOT a.deleted"
		    " ORDER BY a.id LIMIT 1"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":account", account);
	found = query_row(&q);
	if (found)
		*first = query_strdup(&q, 0, arena);
	return query_close(&q) ? -1 : found;
}

int assoc_count_of_user(struct store *store, const char *cluster,
	const char *user, size_t *rows, size_t *defaults)
{
	struct query q;

	*rows = *defaults = 0;
	if (query_open(&q, store,
		    "SELECT count(*), coalesce(sum(a.is_default), 0)"
		    " FROM assoc a JOIN cluster c ON c.id = a.cluster"
		    " WHERE a.user = :user AND :cluster IN ('', c.name)"
		    " AND NOT a.deleted"))
		return -1;
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":cluster", cluster);
	if (query_row(&q)) {
		*rows = (size_t)query_int(&q, 0);
		*defaults = (size_t)query_int(&q, 1);
	}
	return query_close(&q);
}

/* ---- writing ------------------------------------------------------------ */

static void bind_setting(
	struct query *q, const char *name, const struct setting *s)
{
	if (s->attr->type == ATTR_TEXT)
		query_bind_text(q, name, s->text);
	else if (s->attr->type == ATTR_SHARES && s->number == INFINITE)
		query_bind_int(q, name, 1);
	else
		query_bind_limit(q, name, s->number);
}

static int set_scalar(struct store *store, int64_t key,
	const struct setting *setting, struct arena *arena)
{
	const struct attr *attr = setting->attr;
	struct query q;

	if (query_open_text(&q, store,
		    arena_printf(arena,
			    "UPDATE assoc SET %s = :value, modified = :now"
			    " WHERE key = :key",
			    attr->column)))
		return -1;
	bind_setting(&q, ":value", setting);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":key", key);
	return query_run(&q);
}

static int put_tres(struct store *store, int64_t key, int kind,
	const struct tres_list *list)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM assoc_tres WHERE assoc = :key"
		    " AND kind = :kind"))
		return -1;
	query_bind_int(&q, ":key", key);
	query_bind_int(&q, ":kind", kind);
	if (query_run(&q))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		if (query_open(&q, store,
			    "INSERT INTO assoc_tres (assoc, kind, tres, count)"
			    " VALUES (:key, :kind, :tres, :count)"))
			return -1;
		query_bind_int(&q, ":key", key);
		query_bind_int(&q, ":kind", kind);
		query_bind_int(&q, ":tres", list->v[i].id);
		query_bind_int(&q, ":count", (int64_t)list->v[i].count);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int set_tres(struct store *store, const struct assoc *assoc,
	const struct setting *setting, struct arena *arena)
{
	const struct tres_list *old = &assoc->tres[setting->attr->tres_kind];
	struct tres_list list = {0};

	for (size_t i = 0; i < old->n; i++)
		tres_list_set(&list, arena, old->v[i].id, old->v[i].count);
	tres_list_apply(&list, arena, &setting->tres);
	return put_tres(store, assoc->key, setting->attr->tres_kind, &list);
}

static void qos_drop(struct assoc_qos_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].id != id)
			continue;
		memmove(&list->v[i], &list->v[i + 1],
			(list->n - i - 1) * sizeof(*list->v));
		list->n--;
		return;
	}
}

/* One typed entry applied to a row's own list: `q`, `+q`, `-q` or "". */
static void apply_qos_entry(struct store *store, struct assoc_qos_list *list,
	const char *entry, bool is_explicit, struct arena *arena)
{
	char sign = *entry == '+' || *entry == '-' ? *entry++ : '=';
	const struct qos_name *qos = qos_by_name(&store->qos, entry);

	if (!qos)
		return;
	qos_drop(list, qos->id);
	if (is_explicit && sign == '-')
		return;
	*ARENA_PUSH(arena, list->v, list->n, list->cap) =
		(struct assoc_qos){qos->id, is_explicit ? '=' : sign};
}

static void apply_qos(struct store *store, struct assoc_qos_list *list,
	const struct setting *setting, struct arena *arena)
{
	const char *first = setting->list.n ? setting->list.v[0] : "";
	bool is_explicit;

	if (*first != '+' && *first != '-')
		list->n = 0;
	is_explicit = list->n ? list->v[0].sign == '='
			      : *first != '+' && *first != '-';
	for (size_t i = 0; i < setting->list.n; i++)
		apply_qos_entry(store, list, setting->list.v[i], is_explicit,
			arena);
}

static int put_qos(struct store *store, int64_t key,
	const struct assoc_qos_list *list)
{
	struct query q;

	if (query_open(&q, store, "DELETE FROM assoc_qos WHERE assoc = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	if (query_run(&q))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		char sign[2] = {list->v[i].sign};

		if (query_open(&q, store,
			    "INSERT INTO assoc_qos (assoc, qos, sign, position)"
			    " VALUES (:key, :qos, :sign, :position)"))
			return -1;
		query_bind_int(&q, ":key", key);
		query_bind_int(&q, ":qos", list->v[i].id);
		query_bind_text(&q, ":sign", sign);
		query_bind_int(&q, ":position", (int64_t)i);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int set_qos(struct store *store, const struct assoc *assoc,
	const struct setting *setting, struct arena *arena)
{
	struct assoc_qos_list list = {0};

	for (size_t i = 0; i < assoc->own_qos.n; i++)
		*ARENA_PUSH(arena, list.v, list.n, list.cap) =
			assoc->own_qos.v[i];
	apply_qos(store, &list, setting, arena);
	return put_qos(store, assoc->key, &list);
}

int assoc_update(struct store *store, const struct assoc *assoc,
	const struct settings *settings, struct arena *arena)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		int rc = 0;

		if (s->attr->type == ATTR_TRES)
			rc = set_tres(store, assoc, s, arena);
		else if (s->attr->type == ATTR_QOS_LIST)
			rc = set_qos(store, assoc, s, arena);
		else if (s->attr->column)
			rc = set_scalar(store, assoc->key, s, arena);
		if (rc)
			return -1;
	}
	return 0;
}

/* The key of a deleted row of the same name, or 0. */
static int64_t deleted_key(struct store *store, const struct assoc_new *new)
{
	struct query q;
	int64_t key = 0;

	if (query_open(&q, store,
		    "SELECT key FROM assoc WHERE cluster = :cluster"
		    " AND account = :account AND user = :user"
		    " AND partition = :partition AND deleted"))
		return -1;
	query_bind_int(&q, ":cluster", new->cluster);
	query_bind_text(&q, ":account", new->account);
	query_bind_text(&q, ":user", new->user);
	query_bind_text(&q, ":partition", new->partition);
	if (query_row(&q))
		key = query_int(&q, 0);
	return query_close(&q) ? -1 : key;
}

static void bind_new(struct query *q, struct store *store,
	const struct assoc_new *new, const char *lineage)
{
	if (new->parent)
		query_bind_int(q, ":parent", new->parent->key);
	else
		query_bind_null(q, ":parent");
	query_bind_text(q, ":lineage", lineage);
	query_bind_int(q, ":is_default", new->is_default);
	query_bind_int(q, ":now", store->now);
}

/* An INSERT with a parameter for every attribute that is a column. */
static const char *insert_sql(struct store *store)
{
	struct builder b;

	if (store->assoc_insert_sql)
		return store->assoc_insert_sql;
	builder_init(&b, &store->arena);
	fputs("INSERT INTO assoc (cluster, id, parent, account, user,"
	      " partition, lineage, is_default, created, modified",
		b.sql);
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++)
		if (a->column)
			fprintf(b.sql, ", %s", a->column);
	fputs(") VALUES (:cluster, :id, :parent, :account, :user, :partition,"
	      " :lineage, :is_default, :now, :now",
		b.sql);
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++)
		if (a->column)
			fprintf(b.sql, ", :%s", a->column);
	fputc(')', b.sql);
	store->assoc_insert_sql = builder_text(&b);
	return store->assoc_insert_sql;
}

static void bind_settings(struct query *q, const struct settings *settings)
{
	query_bind_int(q, ":shares", 1);
	for (size_t i = 0; settings && i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		char name[64];

		if (!s->attr->column)
			continue;
		snprintf(name, sizeof(name), ":%s", s->attr->column);
		bind_setting(q, name, s);
	}
}

/* Ids count from 1 in each cluster. */
static int next_id(struct store *store, int64_t cluster, uint32_t *id)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT coalesce(max(id), 0) + 1 FROM assoc"
		    " WHERE cluster = :cluster"))
		return -1;
	query_bind_int(&q, ":cluster", cluster);
	if (query_row(&q))
		*id = (uint32_t)query_int(&q, 0);
	return query_close(&q);
}

static int insert_row(struct store *store, const struct assoc_new *new,
	const char *lineage, struct assoc *row)
{
	struct query q;

	if (next_id(store, new->cluster, &row->id) ||
		query_open(&q, store, insert_sql(store)))
		return -1;
	bind_new(&q, store, new, lineage);
	query_bind_int(&q, ":id", row->id);
	query_bind_int(&q, ":cluster", new->cluster);
	query_bind_text(&q, ":account", new->account);
	query_bind_text(&q, ":user", new->user);
	query_bind_text(&q, ":partition", new->partition);
	bind_settings(&q, new->settings);
	if (query_run(&q))
		return -1;
	row->key = store_last_key(store);
	return 0;
}

/* A deleted row comes back with fresh values. */
static int revive_row(struct store *store, int64_t key,
	const struct assoc_new *new, const char *lineage, struct arena *arena)
{
	static const char *const kept[] = {"key", "cluster", "id", "account",
		"user", "partition", "parent", "lineage", "is_default",
		"created", "modified", NULL};
	struct query q;
	const struct assoc_qos_list no_qos = {0};
	char *fresh = query_fresh_columns(store, "assoc", kept, arena);

	if (!fresh ||
		query_open_text(&q, store,
			arena_printf(arena,
				"UPDATE assoc SET parent = :parent,"
				" lineage = :lineage,"
				" is_default = :is_default, created = :now,"
				" modified = :now, %s WHERE key = :key",
				fresh)))
		return -1;
	bind_new(&q, store, new, lineage);
	query_bind_int(&q, ":key", key);
	if (query_run(&q) || put_qos(store, key, &no_qos))
		return -1;
	if (query_open(&q, store, "DELETE FROM assoc_tres WHERE assoc = :key"))
		return -1;
	query_bind_int(&q, ":key", key);
	return query_run(&q);
}

static int log_added(struct store *store, const struct assoc_new *new,
	uint32_t id, struct arena *arena)
{
	char *info = arena_printf(arena,
		"mod_time=%lld, acct='%s', is_def=%d, user='%s'",
		(long long)store->now, new->account, new->is_default,
		new->user);

	if (*new->partition)
		info = arena_printf(
			arena, "%s, partition='%s'", info, new->partition);
	if (new->settings && new->settings->n)
		info = arena_printf(arena, "%s, %s", info,
			settings_text(new->settings, arena));
	return txn_add(store, TXN_ADD_ASSOCS, new->cluster_name,
		arena_printf(arena, "id_assoc=%u", id), info);
}

static int id_of(struct store *store, struct assoc *row)
{
	struct query q;

	if (query_open(&q, store, "SELECT id FROM assoc WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", row->key);
	if (query_row(&q))
		row->id = (uint32_t)query_int(&q, 0);
	return query_close(&q);
}

/* The settings that are rows of their own, or all for a revived row. */
static int update_new(struct store *store, const struct assoc *row,
	const struct settings *settings, bool all, struct arena *arena)
{
	struct settings rest = {0};

	for (size_t i = 0; settings && i < settings->n; i++)
		if (all || !settings->v[i].attr->column)
			*ARENA_PUSH(arena, rest.v, rest.n, rest.cap) =
				settings->v[i];
	return assoc_update(store, row, &rest, arena);
}

int64_t assoc_add(
	struct store *store, const struct assoc_new *new, struct arena *arena)
{
	const char *lineage = "/";
	struct assoc row;
	int64_t revived = deleted_key(store, new);
	int rc;

	if (revived < 0)
		return -1;
	if (new->parent)
		lineage = assoc_lineage(arena, new->parent->lineage,
			new->account, new->user, new->partition);
	assoc_init(&row);
	row.key = revived;
	if (revived)
		rc = revive_row(store, revived, new, lineage, arena) ||
			id_of(store, &row) || usage_revive(store, revived);
	else
		rc = insert_row(store, new, lineage, &row);
	if (rc ||
		update_new(store, &row, new->settings, revived > 0, arena) ||
		log_added(store, new, row.id, arena))
		return -1;
	return row.key;
}

int assoc_move(struct store *store, const struct assoc *assoc,
	const struct assoc *new_parent, struct arena *arena)
{
	char *lineage = assoc_lineage(
		arena, new_parent->lineage, assoc->account, "", "");
	struct query q;

	if (query_open(&q, store,
		    "UPDATE assoc SET parent = :parent, modified = :now"
		    " WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":parent", new_parent->key);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":key", assoc->key);
	if (query_run(&q))
		return -1;
	if (query_open(&q, store,
		    "UPDATE assoc SET lineage = :new || substr(lineage,"
		    " length(:old) + 1), modified = :now WHERE cluster ="
		    " (SELECT cluster FROM assoc WHERE key = :key)"
		    " AND substr(lineage, 1, length(:old)) = :old"))
		return -1;
	query_bind_text(&q, ":new", lineage);
	query_bind_text(&q, ":old", assoc->lineage);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":key", assoc->key);
	return query_run(&q);
}

int assoc_set_default(struct store *store, const char *cluster,
	const char *user, const char *account)
{
	struct query q;

	if (query_open(&q, store,
		    "UPDATE assoc SET is_default = (account = :account)"
		    " WHERE user = :user AND NOT deleted AND cluster ="
		    " (SELECT id FROM cluster WHERE name = :cluster)"
		    " AND is_default != (account = :account)"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":account", account);
	return query_run(&q);
}

int assoc_take_default(struct store *store, const char *cluster,
	const char *user, const char *account)
{
	struct query q;

	if (query_open(&q, store,
		    "UPDATE assoc SET is_default = 0"
		    " WHERE user = :user AND account != :account"
		    " AND is_default AND cluster ="
		    " (SELECT id FROM cluster WHERE name = :cluster)"))
		return -1;
	query_bind_text(&q, ":cluster", cluster);
	query_bind_text(&q, ":user", user);
	query_bind_text(&q, ":account", account);
	return query_run(&q);
}

static int count_of(
	struct store *store, const char *sql, int64_t key, int64_t *count)
{
	struct query q;

	if (query_open(&q, store, sql))
		return -1;
	query_bind_int(&q, ":key", key);
	*count = query_row(&q) ? query_int(&q, 0) : 0;
	return query_close(&q);
}

int assoc_remove(struct store *store, const struct assoc *assoc)
{
	int64_t jobs, below;
	struct query q;
	bool erase;

	if (count_of(store, "SELECT count(*) FROM job WHERE assoc = :key",
		    assoc->key, &jobs) ||
		count_of(store,
			"SELECT count(*) FROM assoc WHERE parent = :key",
			assoc->key, &below))
		return -1;
	erase = !jobs && !below && store->now - assoc->created < DAY;
	if (query_open(&q, store,
		    erase ? "DELETE FROM assoc WHERE key = :key"
			  : "UPDATE assoc SET deleted = 1, is_default = 0"
			    " WHERE key = :key"))
		return -1;
	query_bind_int(&q, ":key", assoc->key);
	return query_run(&q);
}

static void setting_text(
	FILE *out, const struct setting *s, struct arena *arena)
{
	const char *name = s->attr->column ? s->attr->column : s->attr->name;

	switch (s->attr->type) {
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		fprintf(out, "%s='%s'", name, s->text);
		break;
	case ATTR_REAL:
	case ATTR_NUMBER64:
		fprintf(out, "%s=%f", name, s->real);
		break;
	case ATTR_TRES:
		fprintf(out, "%s='", name);
		for (size_t i = 0; i < s->tres.n; i++)
			fprintf(out, "%s%u=%lld", i ? "," : "",
				s->tres.v[i].id,
				s->tres.v[i].count == INFINITE64
					? -1LL
					: (long long)s->tres.v[i].count);
		fputc('\'', out);
		break;
	case ATTR_QOS_LIST:
	case ATTR_LIST:
		fprintf(out, "%s='%s'", name, strv_join(&s->list, ",", arena));
		break;
	default:
		if (s->number == INFINITE)
			fprintf(out, "%s=NULL", name);
		else
			fprintf(out, "%s=%u", name, s->number);
	}
}

char *settings_text(const struct settings *settings, struct arena *arena)
{
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < settings->n; i++) {
		if (i)
			fputs(", ", out);
		setting_text(out, &settings->v[i], arena);
	}
	fclose(out);
	copy = arena_strdup(arena, text);
	free(text);
	return copy;
}
