#include "common/table/assoc.h"

#include <string.h>

#include "common/base/numbers.h"

/* clang-format off */
#define A(member) .offset = offsetof(struct assoc, member)
#define TRES(kind) .type = ATTR_TRES, .tres_kind = (kind), \
	.offset = offsetof(struct assoc, tres) + (kind) * sizeof(struct tres_list)
#define ECHO(label) .echo = (label), .none = "NONE"
#define DUMP(order, key) .dump_order = (order), .dump = (key)

const struct attr assoc_attrs[ASSOC_ATTRS] = {
	[ASSOC_ATTR_FAIRSHARE] = {"FairShare", ATTR_SHARES, "shares", A(shares_raw),
		ECHO("  Fairshare     = "), DUMP(2, "Fairshare"), .change = "fairshare"},
	[ASSOC_ATTR_GRP_JOBS] = {"GrpJobs", ATTR_UINT, "grp_jobs", A(grp_jobs),
		ECHO("  GrpJobs       = "), DUMP(6, "GrpJobs"), .change = "GrpJobs"},
	[ASSOC_ATTR_GRP_JOBS_ACCRUE] = {"GrpJobsAccrue", ATTR_UINT, "grp_jobs_accrue", A(grp_jobs_accrue),
		.echo = "  GrpJobsAccrue            = ", .none = "None", DUMP(7, "GrpJobsAccrue"),
		.change = "GrpJobsAccrue"},
	[ASSOC_ATTR_GRP_SUBMIT_JOBS] = {"GrpSubmitJobs", ATTR_UINT, "grp_submit_jobs", A(grp_submit_jobs),
		ECHO("  GrpSubmitJobs = "), DUMP(8, "GrpSubmitJobs"), .change = "GrpSubmitJobs"},
	[ASSOC_ATTR_GRP_TRES] = {"GrpTRES", TRES(ASSOC_GRP_TRES),
		ECHO("  GrpTRES       = "), DUMP(5, "GrpTRES"), .change = "GrpTRES"},
	[ASSOC_ATTR_GRP_TRES_MINS] = {"GrpTRESMins", TRES(ASSOC_GRP_TRES_MINS),
		ECHO("  GrpTRESMins   = "), DUMP(3, "GrpTRESMins"), .change = "GrpTRESMins"},
	[ASSOC_ATTR_GRP_TRES_RUN_MINS] = {"GrpTRESRunMins", TRES(ASSOC_GRP_TRES_RUN_MINS),
		ECHO("  GrpTRESRunMins= "), DUMP(4, "GrpTRESRunMins"), .change = "GrpTRESRunMins"},
	[ASSOC_ATTR_GRP_WALL] = {"GrpWall", ATTR_MINUTES, "grp_wall", A(grp_wall),
		ECHO("  GrpWall       = "), DUMP(9, "GrpWall"), .change = "GrpWallDuration"},
	[ASSOC_ATTR_MAX_JOBS] = {"MaxJobs", ATTR_UINT, "max_jobs", A(max_jobs), .inherited = true,
		ECHO("  MaxJobs       = "), DUMP(14, "MaxJobs"), .change = "MaxJobs"},
	[ASSOC_ATTR_MAX_JOBS_ACCRUE] = {"MaxJobsAccrue", ATTR_UINT, "max_jobs_accrue", A(max_jobs_accrue),
		.inherited = true, ECHO("  MaxJobsPrioAcc= "), DUMP(15, "MaxJobsAccrue"), .change = "MaxJobsAccrue"},
	[ASSOC_ATTR_MAX_SUBMIT_JOBS] = {"MaxSubmitJobs", ATTR_UINT, "max_submit_jobs", A(max_submit_jobs),
		.inherited = true, ECHO("  MaxSubmitJobs = "), DUMP(16, "MaxSubmitJobs"), .change = "MaxSubmitJobs"},
	[ASSOC_ATTR_MAX_TRES] = {"MaxTRES", TRES(ASSOC_MAX_TRES_PJ), .inherited = true,
		ECHO("  MaxTRES       = "), DUMP(12, "MaxTRESPerJob"), .change = "MaxTRESPerJob"},
	[ASSOC_ATTR_MAX_TRES_PER_NODE] = {"MaxTRESPerNode", TRES(ASSOC_MAX_TRES_PN), .inherited = true,
		ECHO("  MaxTRESPerNode= "), DUMP(13, "MaxTRESPerNode"), .change = "MaxTRESPerNode"},
	[ASSOC_ATTR_MAX_TRES_MINS] = {"MaxTRESMins", TRES(ASSOC_MAX_TRES_MINS_PJ), .inherited = true,
		ECHO("  MaxTRESMins   = "), DUMP(10, "MaxTRESMinsPerJob"), .change = "MaxTRESMinsPerJob"},
	[ASSOC_ATTR_MAX_TRES_RUN_MINS] = {"MaxTRESRunMins", TRES(ASSOC_MAX_TRES_RUN_MINS), .inherited = true,
		ECHO("  MaxTRESRUNMins= "), DUMP(11, "MaxTRESRunMins"), .change = "MaxTRESRunMins"},
	[ASSOC_ATTR_MAX_WALL] = {"MaxWall", ATTR_MINUTES, "max_wall_pj", A(max_wall_pj), .inherited = true,
		ECHO("  MaxWall       = "), DUMP(17, "MaxWallDurationPerJob"), .change = "MaxWallDurationPerJob"},
	[ASSOC_ATTR_MIN_PRIO_THRESH] = {"MinPrioThresh", ATTR_UINT, "min_prio_thresh", A(min_prio_thresh),
		.inherited = true, ECHO("  MinPrioThresh = "), DUMP(18, "MinPrioThresh"), .change = "MinPrioThresh"},
	[ASSOC_ATTR_PARENT] = {"Parent", ATTR_TEXT, NULL, A(parent_account),
		ECHO("  Parent        = "), .change = "Parent"},
	[ASSOC_ATTR_PRIORITY] = {"Priority", ATTR_UINT, "priority", A(priority), .inherited = true,
		ECHO("  Priority      = "), DUMP(19, "Priority"), .change = "Priority"},
	[ASSOC_ATTR_QOS] = {"QOS", ATTR_QOS_LIST, NULL, A(own_qos),
		ECHO("  QOS           = "), DUMP(20, "QOS"), .change = "QOS"},
	[ASSOC_ATTR_DEFAULT_QOS] = {"DefaultQOS", ATTR_QOS, "def_qos", A(def_qos_id), .inherited = true,
		.echo = "  DefQOS        = ", .none = "(null)", DUMP(1, "DefaultQOS"), .change = "DefaultQOS"},
	[ASSOC_ATTR_COMMENT] = {"Comment", ATTR_TEXT, "comment", A(comment),
		ECHO("  Comment       = "), .change = "Comment"},
};

#define W(names, id) {names, &assoc_attrs[ASSOC_ATTR_##id], 0, false, false, false, NULL}
#define W_TRES(names, id, tres, label) {names, &assoc_attrs[ASSOC_ATTR_##id], tres, false, false, false, label}

const struct set_word assoc_set_words[] = {
	W("Comment:2", COMMENT),
	W("DefaultQOS:8", DEFAULT_QOS),
	W("FairShare:1 Shares:1", FAIRSHARE),
	W_TRES("GrpCPUMins:7", GRP_TRES_MINS, TRES_CPU, "GrpCPUMins"),
	W_TRES("GrpCPURunMins:7", GRP_TRES_RUN_MINS, TRES_CPU, "GrpCPURunMins"),
	W_TRES("GrpCPUs:7", GRP_TRES, TRES_CPU, "GrpCpus"),
	W("GrpJobs:4", GRP_JOBS),
	W("GrpJobsAccrue:8", GRP_JOBS_ACCRUE),
	W_TRES("GrpMemory:4", GRP_TRES, TRES_MEM, "GrpMemory"),
	W_TRES("GrpNodes:4", GRP_TRES, TRES_NODE, "GrpNodes"),
	W("GrpSubmitJobs:4", GRP_SUBMIT_JOBS),
	W("GrpTRES:7", GRP_TRES),
	W("GrpTRESMins:8", GRP_TRES_MINS),
	W("GrpTRESRunMins:8", GRP_TRES_RUN_MINS),
	W("GrpWall:4", GRP_WALL),
	W_TRES("MaxCPUMinsPerJob:7", MAX_TRES_MINS, TRES_CPU, "MaxCPUMinsPerJob"),
	W_TRES("MaxCPURunMins:7", MAX_TRES_RUN_MINS, TRES_CPU, "MaxCPURunMins"),
	W_TRES("MaxCPUsPerJob:7", MAX_TRES, TRES_CPU, "MaxCpusPerJob"),
	W("MaxJobs:4", MAX_JOBS),
	W("MaxJobsAccrue:8", MAX_JOBS_ACCRUE),
	W_TRES("MaxNodesPerJob:4", MAX_TRES, TRES_NODE, "MaxNodes"),
	W("MaxSubmitJobs:4", MAX_SUBMIT_JOBS),
	W("MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", MAX_TRES),
	W("MaxTRESPerNode:11 MaxTRESPN:9", MAX_TRES_PER_NODE),
	W("MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", MAX_TRES_MINS),
	W("MaxTRESRunMins:8", MAX_TRES_RUN_MINS),
	W("MaxWallDurationPerJob:4", MAX_WALL),
	W("MinPrioThresh:4", MIN_PRIO_THRESH),
	W("Parent:2", PARENT),
	W("Priority:2", PRIORITY),
	{"QosLevel:1", &assoc_attrs[ASSOC_ATTR_QOS], 0, true, false, false, NULL},
	{NULL, NULL, 0, false, false, false, NULL},
};

#define C(field, json, getter, member) \
	{FIELD_##field, json, getter, offsetof(struct assoc, member), 0}
#define C_TRES(field, json, kind) {FIELD_##field, json, get_tres, \
	offsetof(struct assoc, tres) + (kind) * sizeof(struct tres_list), 0}
#define C_ONE(field, kind, tres_id) {FIELD_##field, NULL, get_tres_count, \
	offsetof(struct assoc, tres) + (kind) * sizeof(struct tres_list), tres_id}
/* clang-format on */

/* Blank on user rows and on root. */
static void get_parent_name(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	const struct assoc *assoc = row;

	(void)column;
	(void)arena;
	value->type = VALUE_TEXT;
	value->text = *assoc->user ? "" : assoc->parent_account;
}

static void get_json_flags(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	const struct assoc *assoc = row;
	struct strv *words = arena_alloc(arena, sizeof(*words));

	(void)column;
	if (assoc->deleted)
		strv_push(words, arena, "DELETED");
	if (assoc->users_are_coords)
		strv_push(words, arena, "UsersAreCoords");
	value->type = VALUE_WORDS;
	value->list = words;
}

const struct column assoc_columns[] = {
	{FIELD_NONE, "accounting", get_nothing, 0, 0},
	C(ACCOUNT, "account", get_text, account),
	C(CLUSTER, "cluster", get_text, cluster),
	C(COMMENT, "comment", get_text, comment),
	C(DEFAULT_QOS, "default/qos", get_text, def_qos),
	C(FLAGS, NULL, get_flags, flags_text),
	C(NONE, "flags", get_json_flags, deleted),
	C_ONE(GRP_CPU_MINS, ASSOC_GRP_TRES_MINS, TRES_CPU),
	C_ONE(GRP_CPU_RUN_MINS, ASSOC_GRP_TRES_RUN_MINS, TRES_CPU),
	C_ONE(GRP_CPUS, ASSOC_GRP_TRES, TRES_CPU),
	C(GRP_JOBS, "max/jobs/per/count", get_limit, grp_jobs),
	C(GRP_JOBS_ACCRUE, "max/jobs/per/accruing", get_limit, grp_jobs_accrue),
	C_ONE(GRP_MEMORY, ASSOC_GRP_TRES, TRES_MEM),
	C_ONE(GRP_NODES, ASSOC_GRP_TRES, TRES_NODE),
	C(GRP_SUBMIT_JOBS, "max/jobs/per/submitted", get_limit,
		grp_submit_jobs),
	C_TRES(GRP_TRES, "max/tres/total", ASSOC_GRP_TRES),
	C_TRES(GRP_TRES_MINS, "max/tres/group/minutes", ASSOC_GRP_TRES_MINS),
	C_TRES(GRP_TRES_RUN_MINS, "max/tres/group/active",
		ASSOC_GRP_TRES_RUN_MINS),
	C(GRP_WALL, "max/per/account/wall_clock", get_minutes, grp_wall),
	C(ID, "id", get_uint, id),
	C(LINEAGE, "lineage", get_text, lineage),
	C_ONE(MAX_CPU_MINS_PER_JOB, ASSOC_MAX_TRES_MINS_PJ, TRES_CPU),
	C_ONE(MAX_CPU_RUN_MINS_PER_USER, ASSOC_MAX_TRES_RUN_MINS, TRES_CPU),
	C_ONE(MAX_CPUS_PER_JOB, ASSOC_MAX_TRES_PJ, TRES_CPU),
	C(MAX_JOBS, "max/jobs/active", get_limit, max_jobs),
	C(MAX_JOBS_ACCRUE, "max/jobs/accruing", get_limit, max_jobs_accrue),
	C_ONE(MAX_NODES_PER_JOB, ASSOC_MAX_TRES_PJ, TRES_NODE),
	C(MAX_SUBMIT_JOBS, "max/jobs/total", get_limit, max_submit_jobs),
	C_TRES(MAX_TRES_PER_JOB, "max/tres/per/job", ASSOC_MAX_TRES_PJ),
	C_TRES(MAX_TRES_PER_NODE, "max/tres/per/node", ASSOC_MAX_TRES_PN),
	C_TRES(MAX_TRES_MINS_PER_JOB, "max/tres/minutes/per/job",
		ASSOC_MAX_TRES_MINS_PJ),
	C_TRES(MAX_TRES_RUN_MINS_PER_USER, "max/tres/minutes/total",
		ASSOC_MAX_TRES_RUN_MINS),
	C(MAX_WALL, "max/jobs/per/wall_clock", get_minutes, max_wall_pj),
	C(MIN_PRIO_THRESH, "min/priority_threshold", get_limit,
		min_prio_thresh),
	C(PARENT_ID, NULL, get_uint, parent_id),
	{FIELD_PARENT_NAME, "parent_account", get_parent_name, 0, 0},
	C(PARTITION, "partition", get_text, partition),
	C(PRIORITY, "priority", get_limit, priority),
	C(QOS, NULL, get_split, qos_text),
	C(NONE, "qos", get_split, qos_in_order),
	C(QOS_RAW, NULL, get_words, qos_raw),
	C(SHARE, NULL, get_shares, shares_raw),
	C(NONE, "shares_raw", get_uint, shares_raw),
	C(NONE, "is_default", get_bool, is_default),
	C(USER, "user", get_text, user),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

const struct column assoc_short_columns[] = {
	C(NONE, "account", get_text, account),
	C(NONE, "cluster", get_text, cluster),
	C(NONE, "partition", get_text, partition),
	C(NONE, "user", get_text, user),
	C(NONE, "id", get_uint, id),
	{FIELD_NONE, NULL, NULL, 0, 0},
};

void assoc_init(struct assoc *assoc)
{
	static const struct assoc empty = {.cluster = "",
		.account = "",
		.user = "",
		.partition = "",
		.lineage = "",
		.parent_account = "",
		.comment = "",
		.flags_text = "None",
		.def_qos = "",
		.qos_text = "",
		.qos_in_order = ""};

	*assoc = empty;
	assoc->shares_raw = 1;
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++) {
		uint32_t unset = INFINITE;

		if (a->type == ATTR_UINT || a->type == ATTR_MINUTES ||
			a->type == ATTR_QOS)
			memcpy((char *)assoc + a->offset, &unset,
				sizeof(unset));
	}
}

bool assoc_is_root(const struct assoc *assoc)
{
	return !strcmp(assoc->lineage, "/");
}

static void inherit_number(struct assoc *child, const struct assoc *parent,
	const struct attr *attr)
{
	uint32_t own;

	memcpy(&own, (char *)child + attr->offset, sizeof(own));
	if (own == INFINITE || own == NO_VAL)
		memcpy((char *)child + attr->offset,
			(const char *)parent + attr->offset, sizeof(own));
}

static void inherit_tres(struct assoc *child, const struct assoc *parent,
	const struct attr *attr, struct arena *arena)
{
	struct tres_list *own = &child->tres[attr->tres_kind];
	const struct tres_list *above = &parent->tres[attr->tres_kind];

	for (size_t i = 0; i < above->n; i++)
		if (tres_list_get(own, above->v[i].id) == NO_VAL64)
			tres_list_set(
				own, arena, above->v[i].id, above->v[i].count);
}

static bool has_sign(const struct assoc_qos_list *list, char sign)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].sign == sign)
			return true;
	return false;
}

static void qos_put(struct assoc_qos_list *list, uint32_t id, char sign,
	struct arena *arena)
{
	*ARENA_PUSH(arena, list->v, list->n, list->cap) =
		(struct assoc_qos){id, sign};
}

static const struct assoc_qos *qos_find(
	const struct assoc_qos_list *list, uint32_t id)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].id == id)
			return &list->v[i];
	return NULL;
}

/* The parent's list, plus own `+` entries, minus own `-` entries. */
static void relative_qos(struct assoc *child, const struct assoc_qos_list *base,
	struct arena *arena)
{
	for (size_t i = 0; i < base->n; i++) {
		const struct assoc_qos *own =
			qos_find(&child->own_qos, base->v[i].id);

		if (!own || own->sign != '-')
			qos_put(&child->qos, base->v[i].id, '=', arena);
	}
	for (size_t i = 0; i < child->own_qos.n; i++) {
		const struct assoc_qos *own = &child->own_qos.v[i];

		if (own->sign == '+' && !qos_find(&child->qos, own->id))
			qos_put(&child->qos, own->id, '=', arena);
	}
}

/* Own relative entries and those of the rows above, each once. */
static void inherit_deltas(
	struct assoc *child, const struct assoc *parent, struct arena *arena)
{
	const struct assoc_qos_list *lists[] = {
		&child->own_qos, &parent->delta_qos};

	child->delta_qos = (struct assoc_qos_list){0};
	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; i < lists[l]->n; i++) {
			const struct assoc_qos *entry = &lists[l]->v[i];
			const struct assoc_qos *known =
				qos_find(&child->delta_qos, entry->id);

			if (!known || known->sign != entry->sign)
				qos_put(&child->delta_qos, entry->id,
					entry->sign, arena);
		}
}

void assoc_inherit(
	struct assoc *child, const struct assoc *parent, struct arena *arena)
{
	for (const struct attr *a = assoc_attrs; a < assoc_attrs + ASSOC_ATTRS;
		a++) {
		if (!a->inherited)
			continue;
		if (a->type == ATTR_TRES)
			inherit_tres(child, parent, a, arena);
		else
			inherit_number(child, parent, a);
	}
	child->qos = (struct assoc_qos_list){0};
	if (has_sign(&child->own_qos, '=')) {
		child->qos = child->base_qos = child->own_qos;
		return;
	}
	child->base_qos = parent->base_qos;
	if (!child->own_qos.n) {
		child->qos = parent->qos;
		child->delta_qos = parent->delta_qos;
		return;
	}
	inherit_deltas(child, parent, arena);
	relative_qos(child, &parent->qos, arena);
}

void assoc_no_parent(struct assoc *assoc, struct arena *arena)
{
	static const struct assoc_qos_list none;

	assoc->qos = (struct assoc_qos_list){0};
	if (has_sign(&assoc->own_qos, '=')) {
		assoc->qos = assoc->base_qos = assoc->own_qos;
		return;
	}
	assoc->delta_qos = assoc->own_qos;
	relative_qos(assoc, &none, arena);
}

bool assoc_has_qos(const struct assoc *assoc, uint32_t qos_id)
{
	return qos_find(&assoc->qos, qos_id) != NULL;
}

uint32_t assoc_default_qos(
	const struct assoc *assoc, const struct qos_catalog *catalog)
{
	const struct qos_name *normal;

	if (assoc && assoc->def_qos_id && assoc->def_qos_id < NO_VAL)
		return assoc->def_qos_id;
	if (assoc && assoc->qos.n == 1)
		return assoc->qos.v[0].id;
	normal = qos_by_name(catalog, "normal");
	return normal ? normal->id : 0;
}

static void name_one(struct assoc *assoc, const struct assoc_qos *entry,
	const struct qos_catalog *catalog, bool sign, struct arena *arena)
{
	const struct qos_name *qos = qos_by_id(catalog, entry->id);
	char prefix[2] = {sign && entry->sign != '=' ? entry->sign : '\0'};

	if (!qos)
		return;
	strv_push(&assoc->qos_names, arena,
		arena_printf(arena, "%s%s", prefix, qos->name));
	strv_push(&assoc->qos_raw, arena,
		arena_printf(arena, "%s%u", prefix, qos->id));
}

void assoc_name_qos(struct assoc *assoc, const struct qos_catalog *catalog,
	bool raw, struct arena *arena)
{
	const struct qos_name *def = qos_by_id(catalog, assoc->def_qos_id);
	const struct assoc_qos_list *list =
		raw ? &assoc->base_qos : &assoc->qos;

	assoc->qos_names = assoc->qos_raw = (struct strv){0};
	for (size_t i = 0; raw && i < assoc->delta_qos.n; i++)
		name_one(assoc, &assoc->delta_qos.v[i], catalog, true, arena);
	for (size_t i = 0; i < list->n; i++)
		name_one(assoc, &list->v[i], catalog, false, arena);
	assoc->qos_in_order = strv_join(&assoc->qos_names, ",", arena);
	strv_sort(&assoc->qos_names);
	strv_sort(&assoc->qos_raw);
	assoc->qos_text = strv_join(&assoc->qos_names, ",", arena);
	if (def)
		assoc->def_qos = def->name;
	else if (assoc->def_qos_id != INFINITE && assoc->def_qos_id != NO_VAL)
		assoc->def_qos =
			arena_printf(arena, "UNKN-%u", assoc->def_qos_id);
	else
		assoc->def_qos = "";
}

/* A name as a part of a lineage: without the slash that parts them. */
static const char *lineage_part(struct arena *arena, const char *name)
{
	char *part = arena_alloc(arena, strlen(name) * 3 + 1), *at = part;

	for (; *name; name++) {
		if (*name != '/' && *name != '%') {
			*at++ = *name;
			continue;
		}
		memcpy(at, *name == '/' ? "%2F" : "%25", 3);
		at += 3;
	}
	*at = '\0';
	return part;
}

char *assoc_lineage(struct arena *arena, const char *parent_lineage,
	const char *account, const char *user, const char *partition)
{
	/* An account of that name is no user's row. */
	bool disguised = !strncmp(account, "0-", 2);

	if (!*user)
		return arena_printf(arena, "%s%s%s/", parent_lineage,
			disguised ? "%30" : "",
			lineage_part(arena, account + disguised));
	user = lineage_part(arena, user);
	if (!*partition)
		return arena_printf(arena, "%s0-%s/", parent_lineage, user);
	return arena_printf(arena, "%s0-%s/%s/", parent_lineage, user,
		lineage_part(arena, partition));
}
