#include "common/table/assoc.h"

#include <string.h>

#include "common/base/numbers.h"

/* clang-format off */
#define AT(member) .offset = offsetof(struct assoc, member)
#define READ(select_, type, member) NULL, MEMBER_##type, AT(member), .select = (select_)
#define TRES(kind) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (kind)
/* One of the list's amounts: GrpCPUs is cpu of GrpTRES. */
#define TRES_ONE(kind, tres_id) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (tres_id)
#define ECHO(order, label) .echo_order = (order), .echo = (label)
#define DUMP(order) .dump_order = (order)

/* In the order of documents. */
static const struct member rows[] = {
	{READ("a.key", INT, key)},
	{READ("p.id", ID, parent_id)},
	{READ("a.id", COUNT, id)},
	{READ("c.name", TEXT, cluster)},
	{READ("a.account", TEXT, account)},
	{READ("a.user", TEXT, user)},
	{READ("a.partition", TEXT, partition)},
	{READ("p.account", TEXT, parent_account)},
	{READ("a.user = '' AND EXISTS (SELECT 1 FROM account n"
		" WHERE n.name = a.account AND n.flags & 1)", BOOL, users_are_coords)},
	{"parent", MEMBER_KEY, AT(parent_key)},
	{"lineage", MEMBER_TEXT, AT(lineage)},
	{"is_default", MEMBER_BOOL, AT(is_default)},
	{"deleted", MEMBER_BOOL, AT(deleted)},
	{"created", MEMBER_INT, AT(created)},
	{"comment", MEMBER_TEXT, AT(comment), .json = "comment",
		SETTABLE("Comment", "Comment:2", ATTR_TEXT, ECHO(22, "  Comment       = "))},
	{"def_qos", MEMBER_LIMIT, AT(def_qos_id), .marks = MEMBER_INHERITED,
		SETTABLE("DefaultQOS", "DefaultQOS:8", ATTR_QOS,
			ECHO(21, "  DefQOS        = "), .none = "(null)", DUMP(1))},
	{TRES_ONE(ASSOC_GRP_TRES_MINS, TRES_CPU),
		SETTABLE("GrpCPUMins", "GrpCPUMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_GRP_TRES_RUN_MINS, TRES_CPU),
		SETTABLE("GrpCPURunMins", "GrpCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_CPU),
		SETTABLE("GrpCpus", "GrpCPUs:7", ATTR_TRES, .tres = TRES_CPU)},
	{"grp_jobs", MEMBER_LIMIT, AT(grp_jobs), .json = "max/jobs/per/count",
		SETTABLE("GrpJobs", "GrpJobs:4", ATTR_UINT, ECHO(2, "  GrpJobs       = "), DUMP(6))},
	{"grp_jobs_accrue", MEMBER_LIMIT, AT(grp_jobs_accrue), .json = "max/jobs/per/accruing",
		SETTABLE("GrpJobsAccrue", "GrpJobsAccrue:8", ATTR_UINT,
			ECHO(3, "  GrpJobsAccrue            = "), .none = "None", DUMP(7))},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_MEM),
		SETTABLE("GrpMemory", "GrpMemory:4", ATTR_TRES, .tres = TRES_MEM)},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_NODE),
		SETTABLE("GrpNodes", "GrpNodes:4", ATTR_TRES, .tres = TRES_NODE)},
	{"grp_submit_jobs", MEMBER_LIMIT, AT(grp_submit_jobs), .json = "max/jobs/per/submitted",
		SETTABLE("GrpSubmitJobs", "GrpSubmitJobs:4", ATTR_UINT, ECHO(4, "  GrpSubmitJobs = "), DUMP(8))},
	{TRES(ASSOC_GRP_TRES), .json = "max/tres/total",
		SETTABLE("GrpTRES", "GrpTRES:7", ATTR_TRES,
			ECHO(5, "  GrpTRES       = "), DUMP(5))},
	{TRES(ASSOC_GRP_TRES_MINS), .json = "max/tres/group/minutes",
		SETTABLE("GrpTRESMins", "GrpTRESMins:8", ATTR_TRES,
			ECHO(6, "  GrpTRESMins   = "), DUMP(3), .not_of_cluster = true)},
	{TRES(ASSOC_GRP_TRES_RUN_MINS), .json = "max/tres/group/active",
		SETTABLE("GrpTRESRunMins", "GrpTRESRunMins:8", ATTR_TRES,
			ECHO(7, "  GrpTRESRunMins= "), DUMP(4), .not_of_cluster = true)},
	{"grp_wall", MEMBER_MINUTES, AT(grp_wall), .json = "max/per/account/wall_clock",
		SETTABLE("GrpWall", "GrpWall:4", ATTR_MINUTES,
			ECHO(8, "  GrpWall       = "), DUMP(9), .change = "GrpWallDuration", .not_of_cluster = true)},
	{TRES_ONE(ASSOC_MAX_TRES_MINS_PJ, TRES_CPU),
		SETTABLE("MaxCPUMinsPerJob", "MaxCPUMinsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_MAX_TRES_RUN_MINS, TRES_CPU),
		SETTABLE("MaxCPURunMins", "MaxCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_MAX_TRES_PJ, TRES_CPU),
		SETTABLE("MaxCpusPerJob", "MaxCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{"max_jobs", MEMBER_LIMIT, AT(max_jobs), .json = "max/jobs/active", .marks = MEMBER_INHERITED,
		SETTABLE("MaxJobs", "MaxJobs:4", ATTR_UINT, ECHO(9, "  MaxJobs       = "), DUMP(14))},
	{"max_jobs_accrue", MEMBER_LIMIT, AT(max_jobs_accrue), .json = "max/jobs/accruing", .marks = MEMBER_INHERITED,
		SETTABLE("MaxJobsAccrue", "MaxJobsAccrue:8", ATTR_UINT, ECHO(10, "  MaxJobsPrioAcc= "), DUMP(15))},
	{TRES_ONE(ASSOC_MAX_TRES_PJ, TRES_NODE),
		SETTABLE("MaxNodes", "MaxNodesPerJob:4", ATTR_TRES, .tres = TRES_NODE)},
	{"max_submit_jobs", MEMBER_LIMIT, AT(max_submit_jobs), .json = "max/jobs/total", .marks = MEMBER_INHERITED,
		SETTABLE("MaxSubmitJobs", "MaxSubmitJobs:4", ATTR_UINT, ECHO(11, "  MaxSubmitJobs = "), DUMP(16))},
	{TRES(ASSOC_MAX_TRES_PJ), .json = "max/tres/per/job", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRES", "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", ATTR_TRES,
			ECHO(12, "  MaxTRES       = "), DUMP(12), .dump = "MaxTRESPerJob", .change = "MaxTRESPerJob")},
	{TRES(ASSOC_MAX_TRES_PN), .json = "max/tres/per/node", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESPerNode", "MaxTRESPerNode:11 MaxTRESPN:9", ATTR_TRES,
			ECHO(13, "  MaxTRESPerNode= "), DUMP(13))},
	{TRES(ASSOC_MAX_TRES_MINS_PJ), .json = "max/tres/minutes/per/job", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESMins", "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", ATTR_TRES,
			ECHO(14, "  MaxTRESMins   = "), DUMP(10), .dump = "MaxTRESMinsPerJob", .change = "MaxTRESMinsPerJob")},
	{TRES(ASSOC_MAX_TRES_RUN_MINS), .json = "max/tres/minutes/total", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESRunMins", "MaxTRESRunMins:8", ATTR_TRES,
			ECHO(15, "  MaxTRESRUNMins= "), DUMP(11))},
	{"max_wall_pj", MEMBER_MINUTES, AT(max_wall_pj), .json = "max/jobs/per/wall_clock", .marks = MEMBER_INHERITED,
		SETTABLE("MaxWall", "MaxWallDurationPerJob:4", ATTR_MINUTES,
			ECHO(16, "  MaxWall       = "), DUMP(17), .dump = "MaxWallDurationPerJob", .change = "MaxWallDurationPerJob")},
	{"min_prio_thresh", MEMBER_LIMIT, AT(min_prio_thresh), .json = "min/priority_threshold", .marks = MEMBER_INHERITED,
		SETTABLE("MinPrioThresh", "MinPrioThresh:4", ATTR_UINT, ECHO(17, "  MinPrioThresh = "), DUMP(18))},
	{NULL, MEMBER_TEXT, AT(parent_account),
		SETTABLE("Parent", "Parent:2", ATTR_TEXT, ECHO(18, "  Parent        = "))},
	{"priority", MEMBER_LIMIT, AT(priority), .json = "priority", .marks = MEMBER_INHERITED,
		SETTABLE("Priority", "Priority:2", ATTR_UINT, ECHO(19, "  Priority      = "), DUMP(19))},
	{NULL, MEMBER_NONE, AT(own_qos),
		SETTABLE("QOS", "QosLevel:1", ATTR_QOS_LIST, ECHO(20, "  QOS           = "), DUMP(20), .operators = true)},
	{"shares", MEMBER_SHARES, AT(shares_raw),
		SETTABLE("FairShare", "FairShare:1 Shares:1", ATTR_SHARES,
			ECHO(1, "  Fairshare     = "), DUMP(2), .dump = "Fairshare", .change = "fairshare")},
};

const struct members assoc_members = MEMBERS(rows);

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
	members_init(assoc, &assoc_members);
	assoc->shares_raw = 1;
}

bool assoc_is_root(const struct assoc *assoc)
{
	return !strcmp(assoc->lineage, "/");
}

static void inherit_number(struct assoc *child, const struct assoc *parent,
	const struct member *m)
{
	uint32_t own;

	memcpy(&own, (char *)child + m->offset, sizeof(own));
	if (own == INFINITE || own == NO_VAL)
		memcpy((char *)child + m->offset,
			(const char *)parent + m->offset, sizeof(own));
}

static void inherit_tres(struct tres_list *own, const struct tres_list *above,
	struct arena *arena)
{
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
	for (size_t i = 0; i < assoc_members.n; i++) {
		const struct member *m = &rows[i];

		if (!(m->marks & MEMBER_INHERITED))
			continue;
		if (m->type == MEMBER_TRES)
			inherit_tres(&child->tres[m->arg],
				&parent->tres[m->arg], arena);
		else
			inherit_number(child, parent, m);
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
