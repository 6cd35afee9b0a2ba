#include "db/entity/qos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "db/store/query.h"

enum { DAY = 86400 };
enum { N_FIXED_COLUMNS = 4 };

static bool is_double(const struct attr *attr)
{
	return attr->type == ATTR_REAL;
}

static char *select_text(struct arena *arena)
{
	char *sql = "SELECT id, name, deleted, created";

	for (const struct attr *a = qos_attrs; a < qos_attrs + QOS_ATTRS; a++)
		if (a->column)
			sql = arena_printf(arena, "%s, %s", sql, a->column);
	return arena_printf(arena,
		"%s FROM qos WHERE NOT deleted OR :deleted ORDER BY id", sql);
}

static void read_attr(struct query *q, int column, const struct attr *attr,
	struct qos *qos, struct arena *arena)
{
	char *member = (char *)qos + attr->offset;

	if (attr->type == ATTR_TEXT) {
		const char *text = query_strdup(q, column, arena);

		memcpy(member, &text, sizeof(text));
	} else if (query_is_null(q, column)) {
		return; /* as qos_init left it */
	} else if (is_double(attr)) {
		double real = query_real(q, column);

		memcpy(member, &real, sizeof(real));
	} else {
		uint32_t number = (uint32_t)query_int(q, column);

		memcpy(member, &number, sizeof(number));
	}
}

static void read_row(struct query *q, struct qos *qos, struct arena *arena)
{
	int column = N_FIXED_COLUMNS;

	qos_init(qos);
	qos->id = (uint32_t)query_int(q, 0);
	qos->name = query_strdup(q, 1, arena);
	qos->deleted = query_int(q, 2);
	qos->created = query_int(q, 3);
	for (const struct attr *a = qos_attrs; a < qos_attrs + QOS_ATTRS; a++)
		if (a->column)
			read_attr(q, column++, a, qos, arena);
}

static int read_lists(struct store *store, struct qos *qos, struct arena *arena)
{
	struct query q;

	if (query_open(&q, store,
		    "SELECT kind, tres, count FROM qos_tres WHERE qos = :qos"
		    " ORDER BY kind, tres"))
		return -1;
	query_bind_int(&q, ":qos", qos->id);
	while (query_row(&q)) {
		int64_t kind = query_int(&q, 0);

		if (kind >= 0 && kind < QOS_TRES_KINDS)
			tres_list_set(&qos->tres[kind], arena,
				(uint32_t)query_int(&q, 1),
				(uint64_t)query_int(&q, 2));
	}
	if (query_close(&q))
		return -1;
	if (query_open(&q, store,
		    "SELECT v.name FROM qos_preempt p"
		    " JOIN qos v ON v.id = p.victim"
		    " WHERE p.qos = :qos AND NOT v.deleted"))
		return -1;
	query_bind_int(&q, ":qos", qos->id);
	while (query_row(&q))
		strv_push(&qos->preempt, arena, query_text(&q, 0));
	return query_close(&q);
}

static bool wanted(
	const struct qos *qos, const struct qos_cond *cond, const char *id)
{
	if (cond->names.n && !strv_has_nocase(&cond->names, qos->name) &&
		!strv_has(&cond->names, id))
		return false;
	if (cond->descriptions.n &&
		!strv_has_nocase(&cond->descriptions, qos->description))
		return false;
	if (cond->preempt_modes &&
		!(cond->preempt_modes & (qos->preempt_mode ? qos->preempt_mode
							   : PREEMPT_CLUSTER)))
		return false;
	return !cond->ids.n || strv_has(&cond->ids, id);
}

int qos_list(struct store *store, const struct qos_cond *cond,
	struct arena *arena, struct qos_list *list)
{
	struct query q;

	*list = (struct qos_list){0};
	if (query_open_text(&q, store, select_text(arena)))
		return -1;
	query_bind_int(&q, ":deleted", cond->with_deleted);
	while (query_row(&q)) {
		struct qos *qos = arena_alloc(arena, sizeof(*qos));

		read_row(&q, qos, arena);
		if (wanted(qos, cond, query_strdup(&q, 0, arena)))
			*ARENA_PUSH(arena, list->v, list->n, list->cap) = qos;
	}
	if (query_close(&q))
		return -1;
	for (size_t i = 0; i < list->n; i++) {
		if (read_lists(store, list->v[i], arena))
			return -1;
		qos_texts(list->v[i], arena);
	}
	return 0;
}

int qos_load(struct store *store, uint32_t id, struct arena *arena,
	const struct qos **qos)
{
	const struct qos_name *name = qos_by_id(&store->qos, id);
	struct qos_cond cond = {0};
	struct qos_list list;

	*qos = NULL;
	if (!name)
		return 0;
	strv_push(&cond.names, arena, name->name);
	if (qos_list(store, &cond, arena, &list))
		return -1;
	if (list.n)
		*qos = list.v[0];
	return 0;
}

int qos_name(struct store *store, uint32_t id, struct arena *arena,
	const char **name)
{
	struct query q;

	*name = "";
	if (query_open(&q, store, "SELECT name FROM qos WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":id", id);
	if (query_row(&q))
		*name = query_strdup(&q, 0, arena);
	return query_close(&q);
}

int qos_usage_factor(
	struct store *store, uint32_t id, struct arena *arena, double *factor)
{
	const struct qos *qos;

	*factor = 1;
	if (qos_load(store, id, arena, &qos))
		return -1;
	if (qos && qos->usage_factor >= 0 && qos->usage_factor < NO_VAL)
		*factor = qos->usage_factor;
	return 0;
}

/* ---- writing ------------------------------------------------------------ */

static uint32_t new_flags(const struct qos *qos, const struct setting *s)
{
	if (s->number == INFINITE)
		return 0;
	if (s->op == OP_ADD)
		return qos->flags | s->number;
	if (s->op == OP_SUB)
		return qos->flags & ~s->number;
	return s->number;
}

/* What a cleared value becomes: unset, but for those that are never unset. */
static void bind_number(
	struct query *q, const struct qos *qos, const struct setting *s)
{
	const struct attr *attr = s->attr;
	bool cleared = s->number == INFINITE;

	if (attr->type == ATTR_FLAGS)
		query_bind_int(q, ":value", new_flags(qos, s));
	else if (cleared && (attr == &qos_attrs[QOS_ATTR_PRIORITY] ||
				    attr == &qos_attrs[QOS_ATTR_GRACE_TIME]))
		query_bind_int(q, ":value", 0);
	else
		query_bind_limit(q, ":value", s->number);
}

static void bind_real(struct query *q, const struct setting *s)
{
	bool factor = s->attr == &qos_attrs[QOS_ATTR_USAGE_FACTOR];
	bool limit = s->attr == &qos_attrs[QOS_ATTR_LIMIT_FACTOR];

	if (s->real != (double)INFINITE && !(limit && s->real <= 0))
		query_bind_real(q, ":value", s->real);
	else if (factor)
		query_bind_real(q, ":value", 1.0);
	else
		query_bind_null(q, ":value");
}

static int set_scalar(struct store *store, const struct qos *qos,
	const struct setting *s, struct arena *arena)
{
	struct query q;

	if (query_open_text(&q, store,
		    arena_printf(arena,
			    "UPDATE qos SET %s = :value, modified = :now"
			    " WHERE id = :id",
			    s->attr->column)))
		return -1;
	if (s->attr->type == ATTR_TEXT)
		query_bind_text(&q, ":value", s->text);
	else if (is_double(s->attr))
		bind_real(&q, s);
	else
		bind_number(&q, qos, s);
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":id", qos->id);
	return query_run(&q);
}

static int set_tres(struct store *store, const struct qos *qos,
	const struct setting *s, struct arena *arena)
{
	int kind = s->attr->tres_kind;
	struct tres_list list = {0};
	struct query q;

	for (size_t i = 0; i < qos->tres[kind].n; i++)
		tres_list_set(&list, arena, qos->tres[kind].v[i].id,
			qos->tres[kind].v[i].count);
	tres_list_apply(&list, arena, &s->tres);
	if (query_open(&q, store,
		    "DELETE FROM qos_tres WHERE qos = :qos AND kind = :kind"))
		return -1;
	query_bind_int(&q, ":qos", qos->id);
	query_bind_int(&q, ":kind", kind);
	if (query_run(&q))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		if (query_open(&q, store,
			    "INSERT INTO qos_tres (qos, kind, tres, count)"
			    " VALUES (:qos, :kind, :tres, :count)"))
			return -1;
		query_bind_int(&q, ":qos", qos->id);
		query_bind_int(&q, ":kind", kind);
		query_bind_int(&q, ":tres", list.v[i].id);
		query_bind_int(&q, ":count", (int64_t)list.v[i].count);
		if (query_run(&q))
			return -1;
	}
	return 0;
}

static int run_pair(
	struct store *store, const char *sql, uint32_t qos, uint32_t victim)
{
	struct query q;

	if (query_open(&q, store, sql))
		return -1;
	query_bind_int(&q, ":qos", qos);
	query_bind_int(&q, ":victim", victim);
	return query_run(&q);
}

static int check_preempt_loop(struct store *store, uint32_t id)
{
	struct query q;
	bool loop;

	if (query_open(&q, store,
		    "WITH RECURSIVE reach (id) AS ("
		    " SELECT victim FROM qos_preempt WHERE qos = :qos"
		    " UNION SELECT p.victim FROM qos_preempt p"
		    " JOIN reach r ON p.qos = r.id)"
		    " SELECT 1 FROM reach WHERE id = :qos"))
		return -1;
	query_bind_int(&q, ":qos", id);
	loop = query_row(&q);
	if (query_close(&q))
		return -1;
	return loop ? err_set(store->err, ERR_USAGE,
			      "QOS Preemption loop detected")
		    : 0;
}

static int set_preempt(
	struct store *store, const struct qos *qos, const struct setting *s)
{
	const char *first = s->list.n ? s->list.v[0] : "";

	if (*first != '+' && *first != '-' &&
		run_pair(store,
			"DELETE FROM qos_preempt WHERE qos = :qos"
			" AND :victim = 0",
			qos->id, 0))
		return -1;
	for (size_t i = 0; i < s->list.n; i++) {
		const char *name = s->list.v[i];
		bool drop = *name == '-';
		const struct qos_name *victim;

		if (*name == '+' || *name == '-')
			name++;
		victim = qos_by_name(&store->qos, name);
		if (victim &&
			run_pair(store,
				drop ? "DELETE FROM qos_preempt"
				       " WHERE qos = :qos AND victim = :victim"
				     : "INSERT OR IGNORE INTO qos_preempt"
				       " VALUES (:qos, :victim)",
				qos->id, victim->id))
			return -1;
	}
	return check_preempt_loop(store, qos->id);
}

int qos_update(struct store *store, const struct qos *qos,
	const struct settings *settings, struct arena *arena)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *s = &settings->v[i];
		int rc = 0;

		if (s->attr->type == ATTR_TRES)
			rc = set_tres(store, qos, s, arena);
		else if (s->attr->type == ATTR_QOS_LIST)
			rc = set_preempt(store, qos, s);
		else if (s->attr->column)
			rc = set_scalar(store, qos, s, arena);
		if (rc)
			return -1;
	}
	return 0;
}

static int revive(struct store *store, const char *name)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM qos_tres WHERE qos IN"
		    " (SELECT id FROM qos WHERE name = :name AND deleted)"))
		return -1;
	query_bind_text(&q, ":name", name);
	return query_run(&q);
}

int qos_add(struct store *store, const char *name,
	const struct settings *settings, struct arena *arena)
{
	static const char *const set[] = {"id", "name", "description",
		"created", "modified", "priority", "usage_factor", NULL};
	struct qos qos;
	struct query q;
	char *fresh = query_fresh_columns(store, "qos", set, arena);

	if (!fresh || revive(store, name))
		return -1;
	if (query_open_text(&q, store,
		    arena_printf(arena,
			    "INSERT INTO qos (name, description, created,"
			    " modified, priority, usage_factor)"
			    " VALUES (:name, :name, :now, :now, 0, 1.0)"
			    " ON CONFLICT (name) DO UPDATE SET"
			    " description = :name, created = :now,"
			    " modified = :now, priority = 0,"
			    " usage_factor = 1.0, %s RETURNING id",
			    fresh)))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":now", store->now);
	qos_init(&qos);
	while (query_row(&q))
		qos.id = (uint32_t)query_int(&q, 0);
	if (query_close(&q) || store_load_catalogs(store))
		return -1;
	return qos_update(store, &qos, settings, arena);
}

int qos_remove(struct store *store, const struct qos *qos)
{
	static const char *const statements[] = {
		"DELETE FROM assoc_qos WHERE qos = :qos",
		"DELETE FROM qos_preempt WHERE qos = :qos OR victim = :qos",
		"DELETE FROM qos_usage WHERE qos = :qos",
		"DELETE FROM qos_tres WHERE qos = :qos",
	};
	bool young = store->now - qos->created < DAY;
	bool used = false;
	struct query q;

	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		if (query_open(&q, store, statements[i]))
			return -1;
		query_bind_int(&q, ":qos", qos->id);
		if (query_run(&q))
			return -1;
	}
	if (query_open(&q, store, "SELECT 1 FROM job WHERE qos = :qos LIMIT 1"))
		return -1;
	query_bind_int(&q, ":qos", qos->id);
	used = query_row(&q);
	if (query_close(&q))
		return -1;
	if (query_open(&q, store,
		    young && !used ? "DELETE FROM qos WHERE id = :qos"
				   : "UPDATE qos SET deleted = 1"
				     " WHERE id = :qos"))
		return -1;
	query_bind_int(&q, ":qos", qos->id);
	if (query_run(&q))
		return -1;
	return store_load_catalogs(store);
}
