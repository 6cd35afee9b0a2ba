#include "common/table/assoc.h"

#include <string.h>

#include "common/base/numbers.h"

/* Blank on user rows and on root. */
static struct value get_parent_name(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct assoc *assoc = record;

	(void)m, (void)arena;
	return of_text(*assoc->user ? "" : assoc->parent_account);
}

static struct value get_json_flags(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct assoc *assoc = record;
	struct strv words = {0};

	(void)m;
	if (assoc->deleted)
		strv_push(&words, arena, "DELETED");
	if (assoc->users_are_coords)
		strv_push(&words, arena, "UsersAreCoords");
	return of_words(words, arena);
}

/* clang-format off */
#define AT(member) .offset = offsetof(struct assoc, member)
#define READ(select_, type, member) NULL, MEMBER_##type, AT(member), .select = (select_)
#define TRES(kind, database_) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (kind), .database = (database_)
/* One of the list's amounts: GrpCPUs is cpu of GrpTRES. */
#define TRES_ONE(kind, tres_id) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (tres_id), .get = get_tres_count
#define ECHO(order, label) .echo_order = (order), .echo = (label)
#define DUMP(order) .dump_order = (order)

/* In the order of documents. */
static const struct member rows[] = {
	{READ("a.key", INT, key)},
	{READ("a.id", COUNT, id)},
	{READ("c.name", TEXT, cluster)},
	{READ("a.account", TEXT, account)},
	{READ("a.user", TEXT, user)},
	{READ("a.partition", TEXT, partition)},
	{READ("iif(a.user = '', (SELECT n.flags & 1 FROM account n" /* AND asks both */
		" WHERE n.name = a.account), 0)", BOOL, users_are_coords)},
	{"parent", MEMBER_KEY, AT(parent_key)},
	{"lineage", MEMBER_TEXT, AT(lineage)},
	{"is_default", MEMBER_BOOL, AT(is_default)},
	{"deleted", MEMBER_BOOL, AT(deleted)},
	{"created", MEMBER_INT, AT(created)},
	{.get = get_nothing, .json = "accounting"},
	{NULL, MEMBER_TEXT, AT(account), HEAD_ACCOUNT, .json = "account"},
	{NULL, MEMBER_TEXT, AT(cluster), HEAD_CLUSTER, .json = "cluster"},
	{"comment", MEMBER_TEXT, AT(comment), HEAD_COMMENT, .json = "comment",
		SETTABLE("Comment", "Comment:2", ATTR_TEXT, ECHO(22, "  Comment       = "))},
	{NULL, MEMBER_TEXT, AT(def_qos), HEAD_DEFAULT_QOS, .json = "default/qos"},
	{"def_qos", MEMBER_LIMIT, AT(def_qos_id), .database = "def_qos_id", .marks = MEMBER_INHERITED,
		SETTABLE("DefaultQOS", "DefaultQOS:8", ATTR_QOS,
			ECHO(21, "  DefQOS        = "), .none = "(null)", DUMP(1))},
	{NULL, MEMBER_NONE, AT(flags_text), HEAD_FLAGS, .get = get_flags},
	{NULL, MEMBER_NONE, AT(deleted), .json = "flags", .get = get_json_flags},
	{TRES_ONE(ASSOC_GRP_TRES_MINS, TRES_CPU), HEAD_GRP_CPU_MINS,
		SETTABLE("GrpCPUMins", "GrpCPUMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_GRP_TRES_RUN_MINS, TRES_CPU), HEAD_GRP_CPU_RUN_MINS,
		SETTABLE("GrpCPURunMins", "GrpCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_CPU), HEAD_GRP_CPUS,
		SETTABLE("GrpCpus", "GrpCPUs:7", ATTR_TRES, .tres = TRES_CPU)},
	{"grp_jobs", MEMBER_LIMIT, AT(grp_jobs), HEAD_GRP_JOBS, .json = "max/jobs/per/count",
		SETTABLE("GrpJobs", "GrpJobs:4", ATTR_UINT, ECHO(2, "  GrpJobs       = "), DUMP(6))},
	{"grp_jobs_accrue", MEMBER_LIMIT, AT(grp_jobs_accrue), HEAD_GRP_JOBS_ACCRUE, .json = "max/jobs/per/accruing",
		SETTABLE("GrpJobsAccrue", "GrpJobsAccrue:8", ATTR_UINT,
			ECHO(3, "  GrpJobsAccrue            = "), .none = "None", DUMP(7))},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_MEM), HEAD_GRP_MEMORY,
		SETTABLE("GrpMemory", "GrpMemory:4", ATTR_TRES, .tres = TRES_MEM)},
	{TRES_ONE(ASSOC_GRP_TRES, TRES_NODE), HEAD_GRP_NODES,
		SETTABLE("GrpNodes", "GrpNodes:4", ATTR_TRES, .tres = TRES_NODE)},
	{"grp_submit_jobs", MEMBER_LIMIT, AT(grp_submit_jobs), HEAD_GRP_SUBMIT_JOBS, .json = "max/jobs/per/submitted",
		SETTABLE("GrpSubmitJobs", "GrpSubmitJobs:4", ATTR_UINT, ECHO(4, "  GrpSubmitJobs = "), DUMP(8))},
	{TRES(ASSOC_GRP_TRES, "grp_tres"), HEAD_GRP_TRES, .json = "max/tres/total",
		SETTABLE("GrpTRES", "GrpTRES:7", ATTR_TRES,
			ECHO(5, "  GrpTRES       = "), DUMP(5))},
	{TRES(ASSOC_GRP_TRES_MINS, "grp_tres_mins"), HEAD_GRP_TRES_MINS, .json = "max/tres/group/minutes",
		SETTABLE("GrpTRESMins", "GrpTRESMins:8", ATTR_TRES,
			ECHO(6, "  GrpTRESMins   = "), DUMP(3), .not_of_cluster = true)},
	{TRES(ASSOC_GRP_TRES_RUN_MINS, "grp_tres_run_mins"), HEAD_GRP_TRES_RUN_MINS, .json = "max/tres/group/active",
		SETTABLE("GrpTRESRunMins", "GrpTRESRunMins:8", ATTR_TRES,
			ECHO(7, "  GrpTRESRunMins= "), DUMP(4), .not_of_cluster = true)},
	{"grp_wall", MEMBER_MINUTES, AT(grp_wall), HEAD_GRP_WALL, .json = "max/per/account/wall_clock",
		SETTABLE("GrpWall", "GrpWall:4", ATTR_MINUTES,
			ECHO(8, "  GrpWall       = "), DUMP(9), .change = "GrpWallDuration", .not_of_cluster = true)},
	{NULL, MEMBER_COUNT, AT(id), HEAD_ID, .json = "id"},
	{NULL, MEMBER_TEXT, AT(lineage), HEAD_LINEAGE, .json = "lineage"},
	{TRES_ONE(ASSOC_MAX_TRES_MINS_PJ, TRES_CPU), HEAD_MAX_CPU_MINS_PER_JOB,
		SETTABLE("MaxCPUMinsPerJob", "MaxCPUMinsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_MAX_TRES_RUN_MINS, TRES_CPU), HEAD_MAX_CPU_RUN_MINS_PER_USER,
		SETTABLE("MaxCPURunMins", "MaxCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(ASSOC_MAX_TRES_PJ, TRES_CPU), HEAD_MAX_CPUS_PER_JOB,
		SETTABLE("MaxCpusPerJob", "MaxCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{"max_jobs", MEMBER_LIMIT, AT(max_jobs), HEAD_MAX_JOBS, .json = "max/jobs/active", .marks = MEMBER_INHERITED,
		SETTABLE("MaxJobs", "MaxJobs:4", ATTR_UINT, ECHO(9, "  MaxJobs       = "), DUMP(14))},
	{"max_jobs_accrue", MEMBER_LIMIT, AT(max_jobs_accrue), HEAD_MAX_JOBS_ACCRUE, .json = "max/jobs/accruing", .marks = MEMBER_INHERITED,
		SETTABLE("MaxJobsAccrue", "MaxJobsAccrue:8", ATTR_UINT, ECHO(10, "  MaxJobsPrioAcc= "), DUMP(15))},
	{TRES_ONE(ASSOC_MAX_TRES_PJ, TRES_NODE), HEAD_MAX_NODES_PER_JOB,
		SETTABLE("MaxNodes", "MaxNodesPerJob:4", ATTR_TRES, .tres = TRES_NODE)},
	{"max_submit_jobs", MEMBER_LIMIT, AT(max_submit_jobs), HEAD_MAX_SUBMIT_JOBS, .json = "max/jobs/total", .marks = MEMBER_INHERITED,
		SETTABLE("MaxSubmitJobs", "MaxSubmitJobs:4", ATTR_UINT, ECHO(11, "  MaxSubmitJobs = "), DUMP(16))},
	{TRES(ASSOC_MAX_TRES_PJ, "max_tres_pj"), HEAD_MAX_TRES_PER_JOB, .json = "max/tres/per/job", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRES", "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", ATTR_TRES,
			ECHO(12, "  MaxTRES       = "), DUMP(12), .dump = "MaxTRESPerJob", .change = "MaxTRESPerJob")},
	{TRES(ASSOC_MAX_TRES_PN, "max_tres_pn"), HEAD_MAX_TRES_PER_NODE, .json = "max/tres/per/node", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESPerNode", "MaxTRESPerNode:11 MaxTRESPN:9", ATTR_TRES,
			ECHO(13, "  MaxTRESPerNode= "), DUMP(13))},
	{TRES(ASSOC_MAX_TRES_MINS_PJ, "max_tres_mins_pj"), HEAD_MAX_TRES_MINS_PER_JOB, .json = "max/tres/minutes/per/job", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESMins", "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", ATTR_TRES,
			ECHO(14, "  MaxTRESMins   = "), DUMP(10), .dump = "MaxTRESMinsPerJob", .change = "MaxTRESMinsPerJob")},
	{TRES(ASSOC_MAX_TRES_RUN_MINS, "max_tres_run_mins"), HEAD_MAX_TRES_RUN_MINS_PER_USER, .json = "max/tres/minutes/total", .marks = MEMBER_INHERITED,
		SETTABLE("MaxTRESRunMins", "MaxTRESRunMins:8", ATTR_TRES,
			ECHO(15, "  MaxTRESRUNMins= "), DUMP(11))},
	{"max_wall_pj", MEMBER_MINUTES, AT(max_wall_pj), HEAD_MAX_WALL, .json = "max/jobs/per/wall_clock", .marks = MEMBER_INHERITED,
		SETTABLE("MaxWall", "MaxWallDurationPerJob:4", ATTR_MINUTES,
			ECHO(16, "  MaxWall       = "), DUMP(17), .dump = "MaxWallDurationPerJob", .change = "MaxWallDurationPerJob")},
	{"min_prio_thresh", MEMBER_LIMIT, AT(min_prio_thresh), HEAD_MIN_PRIO_THRESH, .json = "min/priority_threshold", .marks = MEMBER_INHERITED,
		SETTABLE("MinPrioThresh", "MinPrioThresh:4", ATTR_UINT, ECHO(17, "  MinPrioThresh = "), DUMP(18))},
	{NULL, MEMBER_COUNT, AT(parent_id), HEAD_PARENT_ID},
	{.get = get_parent_name, HEAD_PARENT_NAME, .json = "parent_account"},
	{NULL, MEMBER_TEXT, AT(parent_account), .help = "account above it",
		SETTABLE("Parent", "Parent:2", ATTR_TEXT, .source = FROM_ACCOUNTS, ECHO(18, "  Parent        = "))},
	{NULL, MEMBER_TEXT, AT(partition), HEAD_PARTITION, .json = "partition"},
	{"priority", MEMBER_LIMIT, AT(priority), HEAD_PRIORITY, .json = "priority", .marks = MEMBER_INHERITED,
		SETTABLE("Priority", "Priority:2", ATTR_UINT, ECHO(19, "  Priority      = "), DUMP(19))},
	{NULL, MEMBER_SPLIT, AT(qos_text), HEAD_QOS},
	{NULL, MEMBER_SPLIT, AT(qos_in_order), .json = "qos"},
	{NULL, MEMBER_WORDS, AT(qos_raw), HEAD_QOS_RAW},
	{NULL, MEMBER_NONE, AT(own_qos), .database = "IF(t.qos <> '', t.qos, t.delta_qos)",
		SETTABLE("QOS", "QosLevel:1", ATTR_QOS_LIST, ECHO(20, "  QOS           = "), DUMP(20), .operators = true)},
	{"shares", MEMBER_SHARES, AT(shares_raw), HEAD_SHARE, .database = "IF(t.shares = 2147483647, 'parent', t.shares)",
		SETTABLE("FairShare", "FairShare:1 Shares:1", ATTR_SHARES,
			ECHO(1, "  Fairshare     = "), DUMP(2), .dump = "Fairshare", .change = "fairshare")},
	{NULL, MEMBER_COUNT, AT(shares_raw), .json = "shares_raw"},
	{NULL, MEMBER_BOOL, AT(is_default), .json = "is_default"},
	{NULL, MEMBER_TEXT, AT(user), HEAD_USER, .json = "user"},
};

const struct members assoc_members = MEMBERS(rows);

static const struct member short_rows[] = {
	{NULL, MEMBER_TEXT, AT(account), .json = "account"},
	{NULL, MEMBER_TEXT, AT(cluster), .json = "cluster"},
	{NULL, MEMBER_TEXT, AT(partition), .json = "partition"},
	{NULL, MEMBER_TEXT, AT(user), .json = "user"},
	{NULL, MEMBER_COUNT, AT(id), .json = "id"},
};

const struct members assoc_short_members = MEMBERS(short_rows);
/* clang-format on */

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
	if (!limit_is_set(own))
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

bool assoc_lost_default_qos(const struct assoc *assoc)
{
	return *assoc->def_qos && !assoc_has_qos(assoc, assoc->def_qos_id);
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
	strv_printf(&assoc->qos_names, arena, "%s%s", prefix, qos->name);
	strv_printf(&assoc->qos_raw, arena, "%s%u", prefix, qos->id);
}

static void name_list(struct assoc *assoc, const struct qos_catalog *catalog,
	bool raw, struct arena *arena)
{
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
}

void assoc_name_qos(struct assoc *assoc, const struct assoc *parent,
	const struct qos_catalog *catalog, bool raw, struct arena *arena)
{
	const struct qos_name *def = qos_by_id(catalog, assoc->def_qos_id);

	if (parent && !assoc->own_qos.n) {
		assoc->qos_names = parent->qos_names;
		assoc->qos_raw = parent->qos_raw;
		assoc->qos_in_order = parent->qos_in_order;
		assoc->qos_text = parent->qos_text;
	} else {
		name_list(assoc, catalog, raw, arena);
	}
	if (def)
		assoc->def_qos = def->name;
	else if (limit_is_set(assoc->def_qos_id))
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
	/* An account of that name does not count: a user's row is wanted. */
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

/* `len` bytes of a lineage as the name they stand for. */
static const char *part_name(const char *part, size_t len, struct arena *arena)
{
	char *name = arena_strndup(arena, part, len), *to = name;

	if (!strchr(name, '%'))
		return name;
	for (const char *from = name; *from; from++) {
		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		*to++ = !strncmp(from, "%2F", 3)   ? '/'
			: !strncmp(from, "%30", 3) ? '0'
						   : '%';
		from += strnlen(from, 3) - 1;
	}
	*to = '\0';
	return name;
}

static bool is_user_part(const char *part)
{
	return !strncmp(part, "0-", 2);
}

/* The part that ends before `end`, a slash; `text`: where the first begins. */
static const char *part_before(const char *text, const char *end)
{
	while (end > text && end[-1] != '/')
		end--;
	return end;
}

void assoc_lineage_names(const char *lineage, struct arena *arena,
	const char **account, const char **user, const char **partition)
{
	const char *text = lineage + 1, *end = text + strlen(text);
	const char *last, *before;

	*user = *partition = "";
	if (end == text) {
		*account = "root";
		return;
	}
	end--;
	last = part_before(text, end);
	before = last > text ? part_before(text, last - 1) : last;
	if (last > text && is_user_part(before)) {
		*user = part_name(
			before + 2, (size_t)(last - before) - 3, arena);
		*partition = part_name(last, (size_t)(end - last), arena);
	} else if (is_user_part(last)) {
		*user = part_name(last + 2, (size_t)(end - last) - 2, arena);
	} else {
		*account = part_name(last, (size_t)(end - last), arena);
	}
}
