#include "common/table/qos.h"

#include <string.h>

#include "common/base/numbers.h"

/* clang-format off */
const struct flag_word qos_flag_words[] = {
	{"DenyOnLimit:1", QOS_DENY_ON_LIMIT, "DENY_LIMIT"},
	{"EnforceUsageThreshold:1", QOS_ENFORCE_USAGE_THRESHOLD, "ENFORCE_USAGE_THRESHOLD"},
	{"PartitionMinNodes:1", QOS_PARTITION_MIN_NODES, "PARTITION_MINIMUM_NODE"},
	{"PartitionMaxNodes:1", QOS_PARTITION_MAX_NODES, "PARTITION_MAXIMUM_NODE"},
	{"PartitionTimeLimit:1", QOS_PARTITION_TIME_LIMIT, "PARTITION_TIME_LIMIT"},
	{"RequiresReservation:1", QOS_REQUIRES_RESERVATION, "REQUIRED_RESERVATION"},
	{"OverPartQOS:1", QOS_OVER_PART_QOS, "OVERRIDE_PARTITION_QOS"},
	{"NoReserve:1", QOS_NO_RESERVE, "NO_RESERVE"},
	{"NoDecay:1", QOS_NO_DECAY, "NO_DECAY"},
	{"Relative:1", QOS_RELATIVE, "RELATIVE"},
	{"UsageFactorSafe:1", QOS_USAGE_FACTOR_SAFE, "USAGE_FACTOR_SAFE"},
	{NULL, 0, NULL},
};

#define AT(member) .offset = offsetof(struct qos, member)
#define READ(select_, type, member) NULL, MEMBER_##type, AT(member), .select = (select_)
#define TRES(kind) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (kind)
/* One of the list's amounts: GrpCPUs is cpu of GrpTRES. */
#define TRES_ONE(kind, tres_id) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (tres_id)
#define ECHO(order, label) .echo_order = (order), .echo = (label)
#define DUMP(order) .dump_order = (order)

/* In the order of documents. */
static const struct member rows[] = {
	{READ("q.id", COUNT, id)},
	{READ("q.name", TEXT, name)},
	{"deleted", MEMBER_BOOL, AT(deleted)},
	{"created", MEMBER_INT, AT(created)},
	{"description", MEMBER_TEXT, AT(description), .json = "description",
		SETTABLE("Description", "Description:1", ATTR_TEXT, ECHO(1, "  Description    = "), DUMP(1))},
	{"flags", MEMBER_ID, AT(flags),
		SETTABLE("Flags", "Flags:2", ATTR_FLAGS,
			.flags = qos_flag_words, ECHO(2, "  Flags                    = "), DUMP(2), .operators = true)},
	{"grace_time", MEMBER_ID, AT(grace_time), .json = "limits/grace_time",
		SETTABLE("GraceTime", "GraceTime:3", ATTR_PLAIN_SECONDS,
			ECHO(3, "  GraceTime                = "), DUMP(3))},
	{"grp_jobs_accrue", MEMBER_LIMIT, AT(grp_jobs_accrue), .json = "limits/max/active_jobs/accruing",
		SETTABLE("GrpJobsAccrue", "GrpJobsAccrue:8", ATTR_UINT,
			ECHO(5, "  GrpJobsAccrue            = "), .none = "None", DUMP(4))},
	{"grp_jobs", MEMBER_LIMIT, AT(grp_jobs), .json = "limits/max/active_jobs/count",
		SETTABLE("GrpJobs", "GrpJobs:4", ATTR_UINT, ECHO(4, "  GrpJobs                  = "), DUMP(5))},
	{"grp_submit_jobs", MEMBER_LIMIT, AT(grp_submit_jobs), .json = "limits/max/jobs/count",
		SETTABLE("GrpSubmitJobs", "GrpSubmitJobs:4", ATTR_UINT,
			ECHO(6, "  GrpSubmitJobs            = "), DUMP(6))},
	{TRES_ONE(QOS_GRP_TRES, TRES_CPU),
		SETTABLE("GrpCPUs", "GrpCPUs:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES_MINS, TRES_CPU),
		SETTABLE("GrpCPUMins", "GrpCPUMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES_RUN_MINS, TRES_CPU),
		SETTABLE("GrpCPURunMins", "GrpCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES, TRES_MEM),
		SETTABLE("GrpMemory", "GrpMemory:4", ATTR_TRES, .tres = TRES_MEM)},
	{TRES_ONE(QOS_GRP_TRES, TRES_NODE),
		SETTABLE("GrpNodes", "GrpNodes:4", ATTR_TRES, .tres = TRES_NODE)},
	{TRES(QOS_GRP_TRES), .json = "limits/max/tres/total",
		SETTABLE("GrpTRES", "GrpTRES:7", ATTR_TRES,
			ECHO(7, "  GrpTRES                  = "), DUMP(7))},
	{TRES(QOS_GRP_TRES_MINS), .json = "limits/max/tres/minutes/total",
		SETTABLE("GrpTRESMins", "GrpTRESMins:8", ATTR_TRES,
			ECHO(8, "  GrpTRESMins              = "), DUMP(8))},
	{TRES(QOS_GRP_TRES_RUN_MINS), .json = "limits/max/tres/minutes/per/qos",
		SETTABLE("GrpTRESRunMins", "GrpTRESRunMins:8", ATTR_TRES,
			ECHO(9, "  GrpTRESRunMins           = "), DUMP(9))},
	{"grp_wall", MEMBER_MINUTES, AT(grp_wall), .json = "limits/max/wall_clock/per/qos",
		SETTABLE("GrpWall", "GrpWall:4", ATTR_MINUTES,
			ECHO(10, "  GrpWall                  = "), DUMP(10), .change = "GrpWallDuration")},
	{"limit_factor", MEMBER_FACTOR, AT(limit_factor), .json = "limits/factor",
		SETTABLE("LimitFactor", "LimitFactor:6", ATTR_REAL,
			ECHO(33, "  LimitFactor              = "), DUMP(11), .above_zero = true)},
	{TRES_ONE(QOS_MAX_TRES_MINS_PJ, TRES_CPU),
		SETTABLE("MaxCPUMins", "MaxCPUMinsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_PJ, TRES_CPU),
		SETTABLE("MaxCPUs", "MaxCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_PU, TRES_CPU),
		SETTABLE("MaxCPUsPerUser", "MaxCPUsPerUser:11 MaxCPUsPU:9", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_PJ, TRES_NODE),
		SETTABLE("MaxNodesPerJob", "MaxNodesPerJob:4", ATTR_TRES, .tres = TRES_NODE)},
	{TRES_ONE(QOS_MAX_TRES_PU, TRES_NODE),
		SETTABLE("MaxNodesPerUser", "MaxNodesPerUser:8 MaxNodesPU:8", ATTR_TRES, .tres = TRES_NODE)},
	{TRES_ONE(QOS_MIN_TRES_PJ, TRES_CPU),
		SETTABLE("MinCPUs", "MinCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{"max_jobs_pu", MEMBER_LIMIT, AT(max_jobs_pu),
		SETTABLE("MaxJobsPU", "MaxJobsPerUser:4 MaxJobsPU:4", ATTR_UINT,
			ECHO(14, "  MaxJobsPerUser = "), DUMP(13), .change = "MaxJobsPerUser")},
	{"max_jobs_pa", MEMBER_LIMIT, AT(max_jobs_pa), .json = "limits/max/jobs/active_jobs/per/account",
		SETTABLE("MaxJobsPA", "MaxJobsPerAccount:11 MaxJobsPA:9", ATTR_UINT,
			ECHO(13, "  MaxJobsPerAccount        = "), DUMP(12), .change = "MaxJobsPerAccount")},
	{"max_jobs_accrue_pa", MEMBER_LIMIT, AT(max_jobs_accrue_pa), .json = "limits/max/accruing/per/account",
		SETTABLE("MaxJobsAccruePA", "MaxJobsAccruePerAccount:17 MaxJobsAccruePA:15", ATTR_UINT,
			ECHO(11, "  MaxJobsAccruePerAccount  = "), DUMP(14), .change = "MaxJobsAccruePerAccount")},
	{"max_jobs_accrue_pu", MEMBER_LIMIT, AT(max_jobs_accrue_pu), .json = "limits/max/accruing/per/user",
		SETTABLE("MaxJobsAccruePU", "MaxJobsAccruePerUser:17 MaxJobsAccruePU:15", ATTR_UINT,
			ECHO(12, "  MaxJobsAccruePerUser     = "), DUMP(15), .change = "MaxJobsAccruePerUser")},
	{"max_submit_jobs_pu", MEMBER_LIMIT, AT(max_submit_jobs_pu),
		SETTABLE("MaxSubmitJobsPU", "MaxSubmitJobsPerUser:4 MaxSubmitJobsPU:4", ATTR_UINT,
			ECHO(16, "  MaxSubmitJobsPerUser     = "), DUMP(17), .change = "MaxSubmitJobsPerUser")},
	{"max_submit_jobs_pa", MEMBER_LIMIT, AT(max_submit_jobs_pa), .json = "limits/max/jobs/per/account",
		SETTABLE("MaxSubmitJobsPA", "MaxSubmitJobsPerAccount:17 MaxSubmitJobsPA:15", ATTR_UINT,
			ECHO(15, "  MaxSubmitJobsPerAccount  = "), DUMP(16), .change = "MaxSubmitJobsPerAccount")},
	{TRES(QOS_MAX_TRES_MINS_PJ), .json = "limits/max/tres/minutes/per/job",
		SETTABLE("MaxTRESMinsPerJob", "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", ATTR_TRES,
			ECHO(23, "  MaxTRESMins              = "), DUMP(18))},
	{TRES(QOS_MAX_TRES_PA), .json = "limits/max/tres/per/account",
		SETTABLE("MaxTRESPerAccount", "MaxTRESPerAccount:11 MaxTRESPA:9", ATTR_TRES,
			ECHO(17, "  MaxTRESPerAccount        = "), DUMP(19))},
	{TRES(QOS_MAX_TRES_PJ), .json = "limits/max/tres/per/job",
		SETTABLE("MaxTRESPerJob", "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", ATTR_TRES,
			ECHO(18, "  MaxTRESPerJob            = "), DUMP(20))},
	{TRES(QOS_MAX_TRES_PN), .json = "limits/max/tres/per/node",
		SETTABLE("MaxTRESPerNode", "MaxTRESPerNode:11 MaxTRESPN:9", ATTR_TRES,
			ECHO(19, "  MaxTRESPerNode           = "), DUMP(21))},
	{TRES(QOS_MAX_TRES_PU), .json = "limits/max/tres/per/user",
		SETTABLE("MaxTRESPerUser", "MaxTRESPerUser:11 MaxTRESPU:9", ATTR_TRES,
			ECHO(20, "  MaxTRESPerUser           = "), DUMP(22))},
	{TRES(QOS_MAX_TRES_RUN_MINS_PA), .json = "limits/max/tres/minutes/per/account",
		SETTABLE("MaxTRESRunMinsPerAccount", "MaxTRESRunMinsPerAccount:24 MaxTRESRunMinsPerAcct:20 MaxTRESRunMinsPA:16", ATTR_TRES,
			ECHO(24, "  MaxTRESRUNMinsPerAccount = "), DUMP(23))},
	{TRES(QOS_MAX_TRES_RUN_MINS_PU), .json = "limits/max/tres/minutes/per/user",
		SETTABLE("MaxTRESRunMinsPerUser", "MaxTRESRunMinsPerUser:20 MaxTRESRunMinsPU:16", ATTR_TRES,
			ECHO(25, "  MaxTRESRUNMinsPerUser    = "), DUMP(24))},
	{"max_wall_pj", MEMBER_MINUTES, AT(max_wall_pj), .json = "limits/max/wall_clock/per/job",
		SETTABLE("MaxWall", "MaxWallDurationPerJob:4", ATTR_MINUTES,
			ECHO(26, "  MaxWall                  = "), DUMP(25), .dump = "MaxWallDurationPerJob", .change = "MaxWallDurationPerJob")},
	{"min_prio_thresh", MEMBER_LIMIT, AT(min_prio_thresh), .json = "limits/min/priority_threshold",
		SETTABLE("MinPrioThresh", "MinPrioThresh:4", ATTR_UINT,
			ECHO(21, "  MinPrioThresh            = "), DUMP(26))},
	{TRES(QOS_MIN_TRES_PJ), .json = "limits/min/tres/per/job",
		SETTABLE("MinTRESPerJob", "MinTRESPerJob:7", ATTR_TRES,
			ECHO(22, "  MinTRESPerJob            = "), DUMP(27))},
	{NULL, MEMBER_NONE, AT(preempt),
		SETTABLE("Preempt", "Preempt:7", ATTR_QOS_LIST,
			ECHO(27, "  Preempt                  = "), DUMP(28), .operators = true)},
	{"preempt_mode", MEMBER_COUNT, AT(preempt_mode), .select = "coalesce(q.preempt_mode, 64)",
		SETTABLE("PreemptMode", "PreemptMode:8", ATTR_PREEMPT_MODE,
			.flags = preempt_mode_words, ECHO(28, "  PreemptMode              = "), DUMP(29))},
	{"preempt_exempt_time", MEMBER_SECONDS, AT(preempt_exempt_time), .json = "preempt/exempt_time",
		SETTABLE("PreemptExemptTime", "PreemptExemptTime:8", ATTR_SECONDS,
			ECHO(29, "  PreemptExemptTime        = "), DUMP(30))},
	{"priority", MEMBER_LIMIT, AT(priority), .select = "coalesce(q.priority, 0)", .json = "priority",
		SETTABLE("Priority", "Priority:3", ATTR_UINT, ECHO(30, "  Priority                 = "), DUMP(31))},
	{"usage_factor", MEMBER_FACTOR, AT(usage_factor), .select = "coalesce(q.usage_factor, 1.0)", .json = "usage_factor",
		SETTABLE("UsageFactor", "UsageFactor:6", ATTR_REAL, ECHO(31, "  UsageFactor              = "), DUMP(32))},
	{"usage_thres", MEMBER_FACTOR, AT(usage_thres), .json = "usage_threshold",
		SETTABLE("UsageThreshold", "UsageThreshold:6", ATTR_REAL,
			ECHO(32, "  UsageThreshold           = "), DUMP(33))},
	{NULL, MEMBER_NONE, AT(usage_raw),
		SETTABLE("RawUsage", "RawUsage:7", ATTR_NUMBER64)},
};

const struct members qos_members = MEMBERS(rows);

#define C(field, json, getter, member) {FIELD_##field, json, getter, offsetof(struct qos, member), 0}
#define C_TRES(field, json, kind) {FIELD_##field, json, get_tres, \
	offsetof(struct qos, tres) + (kind) * sizeof(struct tres_list), 0}
#define C_ONE(field, kind, tres_id) {FIELD_##field, NULL, get_tres_count, \
	offsetof(struct qos, tres) + (kind) * sizeof(struct tres_list), tres_id}
#define LIMITS "limits/max/"

static void get_json_flags(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
static void get_json_modes(const void *row, const struct column *column,
	struct arena *arena, struct value *value);

const struct column qos_columns[] = {
	C(DESCRIPTION, "description", get_text, description),
	C(FLAGS, NULL, get_split, flags_text),
	{FIELD_NONE, "flags", get_json_flags, 0, 0},
	C(ID, "id", get_uint, id),
	C(GRACE_TIME, NULL, get_seconds, grace_time),
	C(NONE, "limits/grace_time", get_uint, grace_time),
	C(GRP_JOBS_ACCRUE, LIMITS "active_jobs/accruing", get_limit, grp_jobs_accrue),
	C(GRP_JOBS, LIMITS "active_jobs/count", get_limit, grp_jobs),
	C(GRP_SUBMIT_JOBS, LIMITS "jobs/count", get_limit, grp_submit_jobs),
	C_ONE(GRP_CPUS, QOS_GRP_TRES, TRES_CPU),
	C_ONE(GRP_CPU_MINS, QOS_GRP_TRES_MINS, TRES_CPU),
	C_ONE(GRP_CPU_RUN_MINS, QOS_GRP_TRES_RUN_MINS, TRES_CPU),
	C_ONE(GRP_MEMORY, QOS_GRP_TRES, TRES_MEM),
	C_ONE(GRP_NODES, QOS_GRP_TRES, TRES_NODE),
	C_TRES(GRP_TRES, LIMITS "tres/total", QOS_GRP_TRES),
	C_TRES(GRP_TRES_MINS, LIMITS "tres/minutes/total", QOS_GRP_TRES_MINS),
	C_TRES(GRP_TRES_RUN_MINS, LIMITS "tres/minutes/per/qos", QOS_GRP_TRES_RUN_MINS),
	C(NAME, "name", get_text, name),
	C(GRP_WALL, LIMITS "wall_clock/per/qos", get_minutes, grp_wall),
	C(LIMIT_FACTOR, "limits/factor", get_real, limit_factor),
	C_ONE(MAX_CPU_MINS_PER_JOB, QOS_MAX_TRES_MINS_PJ, TRES_CPU),
	C_ONE(MAX_CPU_RUN_MINS_PER_USER, QOS_MAX_TRES_RUN_MINS_PU, TRES_CPU),
	C_ONE(MAX_CPUS_PER_JOB, QOS_MAX_TRES_PJ, TRES_CPU),
	C_ONE(MAX_CPUS_PER_USER, QOS_MAX_TRES_PU, TRES_CPU),
	C_ONE(MAX_NODES_PER_JOB, QOS_MAX_TRES_PJ, TRES_NODE),
	C_ONE(MAX_NODES_PER_USER, QOS_MAX_TRES_PU, TRES_NODE),
	C_ONE(MIN_CPUS_PER_JOB, QOS_MIN_TRES_PJ, TRES_CPU),
	C(MAX_JOBS, NULL, get_limit, max_jobs_pu),
	C(MAX_JOBS_PER_ACCOUNT, LIMITS "jobs/active_jobs/per/account", get_limit, max_jobs_pa),
	C(MAX_JOBS_PER_USER, LIMITS "jobs/active_jobs/per/user", get_limit, max_jobs_pu),
	C(MAX_JOBS_ACCRUE_PER_ACCOUNT, LIMITS "accruing/per/account", get_limit, max_jobs_accrue_pa),
	C(MAX_JOBS_ACCRUE_PER_USER, LIMITS "accruing/per/user", get_limit, max_jobs_accrue_pu),
	C(MAX_SUBMIT_JOBS, NULL, get_limit, max_submit_jobs_pu),
	C(MAX_SUBMIT_JOBS_PER_ACCOUNT, LIMITS "jobs/per/account", get_limit, max_submit_jobs_pa),
	C(MAX_SUBMIT_JOBS_PER_USER, LIMITS "jobs/per/user", get_limit, max_submit_jobs_pu),
	C_TRES(MAX_TRES_MINS_PER_JOB, LIMITS "tres/minutes/per/job", QOS_MAX_TRES_MINS_PJ),
	C_TRES(MAX_TRES_PER_ACCOUNT, LIMITS "tres/per/account", QOS_MAX_TRES_PA),
	C_TRES(MAX_TRES_PER_JOB, LIMITS "tres/per/job", QOS_MAX_TRES_PJ),
	C_TRES(MAX_TRES_PER_NODE, LIMITS "tres/per/node", QOS_MAX_TRES_PN),
	C_TRES(MAX_TRES_PER_USER, LIMITS "tres/per/user", QOS_MAX_TRES_PU),
	C_TRES(MAX_TRES_RUN_MINS_PER_ACCOUNT, LIMITS "tres/minutes/per/account", QOS_MAX_TRES_RUN_MINS_PA),
	C_TRES(MAX_TRES_RUN_MINS_PER_USER, LIMITS "tres/minutes/per/user", QOS_MAX_TRES_RUN_MINS_PU),
	C(MAX_WALL, LIMITS "wall_clock/per/job", get_minutes, max_wall_pj),
	C(MIN_PRIO_THRESH, "limits/min/priority_threshold", get_limit, min_prio_thresh),
	C_TRES(MIN_TRES_PER_JOB, "limits/min/tres/per/job", QOS_MIN_TRES_PJ),
	C(PREEMPT, "preempt/list", get_list, preempt),
	C(PREEMPT_MODE, NULL, get_split, preempt_mode_text),
	{FIELD_NONE, "preempt/mode", get_json_modes, 0, 0},
	C(PREEMPT_EXEMPT_TIME, "preempt/exempt_time", get_seconds, preempt_exempt_time),
	C(PRIORITY, "priority", get_limit, priority),
	C(USAGE_FACTOR, "usage_factor", get_real, usage_factor),
	C(USAGE_THRESHOLD, "usage_threshold", get_real, usage_thres),
	{FIELD_NONE, NULL, NULL, 0, 0},
};
/* clang-format on */

/* The JSON words of the bits of a flag table. */
static struct strv *json_words(
	const struct flag_word *flags, uint32_t bits, struct arena *arena)
{
	struct strv *words = arena_alloc(arena, sizeof(*words));

	for (; flags->names; flags++)
		if (flags->json && flags->value && (bits & flags->value))
			strv_push(words, arena, flags->json);
	return words;
}

static void get_json_flags(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	const struct qos *qos = row;
	struct strv *words = json_words(qos_flag_words, qos->flags, arena);

	(void)column;
	if (qos->deleted)
		strv_push(words, arena, "DELETED");
	value->type = VALUE_LIST;
	value->list = words;
}

static void get_json_modes(const void *row, const struct column *column,
	struct arena *arena, struct value *value)
{
	const struct qos *qos = row;
	struct strv *words =
		json_words(preempt_mode_words, qos->preempt_mode, arena);

	(void)column;
	if (!(qos->preempt_mode & ~(uint32_t)PREEMPT_CLUSTER))
		strv_push(words, arena, "DISABLED");
	value->type = VALUE_LIST;
	value->list = words;
}

void qos_init(struct qos *qos)
{
	static const struct qos empty = {.name = "", .description = "",
		.preempt_text = "", .flags_text = "", .preempt_mode_text = ""};

	*qos = empty;
	members_init(qos, &qos_members);
	qos->priority = 0;
	qos->usage_factor = 1.0;
	qos->preempt_mode = PREEMPT_CLUSTER;
}

void qos_texts(struct qos *qos, struct arena *arena)
{
	strv_sort(&qos->preempt);
	qos->preempt_text = strv_join(&qos->preempt, ",", arena);
	qos->flags_text = flags_text(qos_flag_words, qos->flags, arena);
	qos->preempt_mode_text = preempt_mode_text(qos->preempt_mode, arena);
}
