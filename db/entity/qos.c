#include "db/entity/qos.h"

#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "db/entity/lease.h"
#include "db/entity/limits_rows.h"
#include "db/rows/members.h"
#include "db/store/query.h"
#include "db/usage/usage.h"

static int set_preempt(struct store *, const void *qos, const struct setting *,
	struct arena *);

const struct limits_table qos_limits = LIMITS_TABLE(
	"qos", "id", LEASE_QOS, LEASE_QOS_TRES, LEASE_KINDS, set_preempt);

static int read_lists(struct store *store, struct qos *qos, struct arena *arena)
{
	if (limits_rows_read(store, &qos_limits, qos->id, qos->tres,
		    QOS_TRES_KINDS, arena))
		return -1;
	return store_words(store,
		"SELECT v.name FROM qos_preempt p"
		" JOIN qos v ON v.id = p.victim"
		" WHERE p.qos = :qos AND NOT v.deleted",
		&qos->preempt, arena, bind_int(":qos", qos->id));
}

static bool is_name(const struct store *store, const char *name)
{
	for (size_t i = 0; i < store->qos.n; i++)
		if (!strcmp(store->qos.v[i].name, name))
			return true;
	return false;
}

/* By its name in any case, but where that is another one's very name. */
static bool is_named(const struct store *store, const struct qos *qos,
	const struct strv *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->v[i], qos->name) ||
			(!strcasecmp(names->v[i], qos->name) &&
				!is_name(store, names->v[i])))
			return true;
	return false;
}

static bool wanted(const struct store *store, const struct qos *qos,
	const struct qos_cond *cond, const char *id)
{
	if (cond->names.n && !is_named(store, qos, &cond->names) &&
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
	if (query_open_members(&q, store, &qos_members,
		    "SELECT {q.columns} FROM qos q"
		    " WHERE NOT q.deleted OR :deleted ORDER BY q.id"))
		return -1;
	query_bind_int(&q, ":deleted", cond->with_deleted);
	while (query_row(&q)) {
		struct qos *qos = arena_alloc(arena, sizeof(*qos));

		qos_init(qos);
		members_read(&q, 0, qos, &qos_members, arena);
		if (wanted(store, qos, cond, arena_printf(arena, "%u", qos->id)))
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
	cond.names = STRV_ONE(name->name);
	if (qos_list(store, &cond, arena, &list))
		return -1;
	if (list.n)
		*qos = list.v[0];
	return 0;
}

void qos_remarks(const struct qos_list *list, const struct conf *conf,
	struct arena *arena, struct strv *remarks)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *name = list->v[i]->name;
		const struct conf_partition *second =
			conf_partition_with_qos(conf, name, 1);

		if (second && list->v[i]->flags & QOS_RELATIVE)
			strv_printf(remarks, arena,
				"%s:%d: partitions %s and %s have the "
				"QOS %s: one that is relative must be "
				"unique, slurmctld would not start",
				second->file, second->line,
				conf_partition_with_qos(conf, name, 0)
					->name,
				second->name, name);
	}
}

int qos_highest(struct store *store, const struct strv *names,
	struct arena *arena, uint32_t *id)
{
	const struct qos_cond cond = {.names = *names};
	struct qos_list found;
	uint32_t best = 0;

	if (qos_list(store, &cond, arena, &found))
		return -1;
	for (size_t i = 0; i < found.n; i++) {
		uint32_t priority = found.v[i]->priority < NO_VAL
					    ? found.v[i]->priority
					    : 0;

		if (i && priority <= best)
			continue;
		best = priority;
		*id = found.v[i]->id;
	}
	return 0;
}

int qos_name(struct store *store, uint32_t id, struct arena *arena,
	const char **name)
{
	*name = id ? "Unknown" : "";
	return any_failed(
		id && store_text(store, "SELECT name FROM qos WHERE id = :id",
			      name, arena, bind_int(":id", id)) < 0);
}

int qos_has_been(struct store *store, uint32_t id)
{
	return store_has(store, "SELECT 1 FROM qos WHERE id = :id",
		bind_int(":id", id));
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

static int check_preempt_loop(struct store *store, uint32_t id)
{
	int loop = store_has(store,
		"WITH RECURSIVE reach (id) AS ("
		" SELECT victim FROM qos_preempt WHERE qos = :qos"
		" UNION SELECT p.victim FROM qos_preempt p"
		" JOIN reach r ON p.qos = r.id)"
		" SELECT 1 FROM reach WHERE id = :qos",
		bind_int(":qos", id));

	return loop > 0 ? err_set(store->err, ERR_USAGE,
				  "QOS Preemption loop detected")
			: loop;
}

static int set_preempt(struct store *store, const void *record,
	const struct setting *s, struct arena *arena)
{
	const struct qos *qos = record;
	const char *first = s->list.n ? s->list.v[0] : "";

	(void)arena;
	if (*first != '+' && *first != '-' &&
		store_run(store, "DELETE FROM qos_preempt WHERE qos = :qos",
			bind_int(":qos", qos->id)))
		return -1;
	for (size_t i = 0; i < s->list.n; i++) {
		const char *name = s->list.v[i];
		bool drop = *name == '-';
		const struct qos_name *victim;


		if (*name == '+' || *name == '-')
			name++;
		victim = qos_by_name(&store->qos, name);
		if (victim &&
			store_run(store,
				drop ? "DELETE FROM qos_preempt"
				       " WHERE qos = :qos AND victim = :victim"
				     : "INSERT OR IGNORE INTO qos_preempt"
				       " VALUES (:qos, :victim)",
				bind_int(":qos", qos->id),
				bind_int(":victim", victim->id)))
			return -1;
	}
	return check_preempt_loop(store, qos->id);
}

int qos_update(struct store *store, const struct qos *qos,
	const struct settings *settings, struct arena *arena)
{
	struct qos changed = *qos, blank;

	qos_init(&blank);
	return limits_update(store, &qos_limits, qos, &changed, &blank, qos->id,
		qos->tres, settings, arena);
}

/* With a new slurmdbd, too, normal is 1 and the next one 3. */
int qos_add(struct store *store, const char *name,
	const struct settings *settings, struct arena *arena)
{
	struct qos qos;
	struct query q;

	qos_init(&qos);
	qos.description = name;
	qos.created = store->now;
	/* Lists that a deleted QOS of that name may have left. */
	if (store_run(store,
		    "DELETE FROM qos_tres WHERE qos IN"
		    " (SELECT id FROM qos WHERE name = :name AND deleted)",
		    bind_text(":name", name)))
		return -1;
	if (query_open_record(&q, store, &qos_members, &qos,
		    "INSERT INTO qos (id, name, modified, {columns}) VALUES"
		    " ((SELECT max(3, max(id) + 1) FROM qos),"
		    " :name, :now, {:columns})"
		    " ON CONFLICT (name) DO UPDATE SET modified = :now,"
		    " {columns = excluded} RETURNING id"))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":now", store->now);
	while (query_row(&q))
		qos.id = (uint32_t)query_int(&q, 0);
	if (query_close(&q) || store_load_catalogs(store))
		return -1;
	return any_failed(qos_update(store, &qos, settings, arena) ||
			  usage_settle_qos(store, NULL, qos.id, false));
}

/* Without its values, which Slurm clears, too, but for these. */
static int mark_deleted(struct store *store, const struct qos *qos)
{
	struct qos fresh;
	struct query q;

	qos_init(&fresh);
	fresh.description = qos->description;
	fresh.flags = qos->flags;
	fresh.preempt_mode = qos->preempt_mode;
	fresh.created = qos->created;
	fresh.deleted = true;
	if (query_open_record(&q, store, &qos_members, &fresh,
		    "UPDATE qos SET modified = :now, {columns = :columns}"
		    " WHERE id = :id"))
		return -1;
	query_bind_int(&q, ":now", store->now);
	query_bind_int(&q, ":id", qos->id);
	return query_run(&q);
}

int qos_remove(struct store *store, const struct qos *qos)
{
	static const char *const statements[] = {
		"DELETE FROM assoc_qos WHERE qos = :qos",
		"UPDATE assoc SET def_qos = NULL WHERE def_qos = :qos",
		"DELETE FROM qos_preempt WHERE qos = :qos OR victim = :qos",
		"DELETE FROM qos_tres WHERE qos = :qos",
	};
	int used;

	if (lease_drop_qos(store, qos->id) || usage_drop_qos(store, qos->id))
		return -1;
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		if (store_run(store, statements[i], bind_int(":qos", qos->id)))
			return -1;
	/* Of a partition, too: those have no index, and mostly no need of one. */
	used = store_has(store,
		"SELECT 1 FROM job WHERE qos = :qos"
		" UNION ALL SELECT 1 FROM job WHERE part_qos = :qos LIMIT 1",
		bind_int(":qos", qos->id));
	if (used < 0)
		return -1;
	if (!used && is_young(store, qos->created)
			? store_run(store, "DELETE FROM qos WHERE id = :qos",
				  bind_int(":qos", qos->id))
			: mark_deleted(store, qos))
		return -1;
	return store_load_catalogs(store);
}
