#include "common/table/qos.h"

#include <string.h>

/* clang-format off */
const struct flag_word qos_flag_words[] = {
	{"DenyOnLimit:1", QOS_DENY_ON_LIMIT, "DENY_LIMIT", 1 << 6},
	{"EnforceUsageThreshold:1", QOS_ENFORCE_USAGE_THRESHOLD, "ENFORCE_USAGE_THRESHOLD", 1 << 3},
	{"PartitionMinNodes:1", QOS_PARTITION_MIN_NODES, "PARTITION_MINIMUM_NODE", 1 << 0},
	{"PartitionMaxNodes:1", QOS_PARTITION_MAX_NODES, "PARTITION_MAXIMUM_NODE", 1 << 1},
	{"PartitionTimeLimit:1", QOS_PARTITION_TIME_LIMIT, "PARTITION_TIME_LIMIT", 1 << 2},
	{"RequiresReservation:1", QOS_REQUIRES_RESERVATION, "REQUIRED_RESERVATION", 1 << 5},
	{"OverPartQOS:1", QOS_OVER_PART_QOS, "OVERRIDE_PARTITION_QOS", 1 << 7},
	{"NoReserve:1", QOS_NO_RESERVE, "NO_RESERVE", 1 << 4},
	{"NoDecay:1", QOS_NO_DECAY, "NO_DECAY", 1 << 8},
	{"Relative:1", QOS_RELATIVE, "RELATIVE", 1 << 10},
	{"UsageFactorSafe:1", QOS_USAGE_FACTOR_SAFE, "USAGE_FACTOR_SAFE", 1 << 9},
	{NULL, 0, NULL, 0},
};

/* clang-format on */

/* The JSON words of the bits of a flag table. */
static struct strv json_words(
	const struct flag_word *flags, uint32_t bits, struct arena *arena)
{
	struct strv words = {0};

	for (; flags->names; flags++)
		if (flags->json && flags->value && (bits & flags->value))
			strv_push(&words, arena, flags->json);
	return words;
}

/* Sorted. */
static struct value of_list(struct strv words, struct arena *arena)
{
	struct value value = of_words(words, arena);

	value.type = VALUE_LIST;
	return value;
}

static struct value get_json_flags(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct qos *qos = record;
	struct strv words = json_words(qos_flag_words, qos->flags, arena);

	(void)m;
	if (qos->deleted)
		strv_push(&words, arena, "DELETED");
	return of_list(words, arena);
}

static struct value get_json_modes(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct qos *qos = record;
	struct strv words =
		json_words(preempt_mode_words, qos->preempt_mode, arena);

	(void)m;
	if (!(qos->preempt_mode & ~(uint32_t)PREEMPT_CLUSTER))
		strv_push(&words, arena, "DISABLED");
	return of_list(words, arena);
}

/* clang-format off */
#define AT(member) .offset = offsetof(struct qos, member)
#define READ(select_, type, member) NULL, MEMBER_##type, AT(member), .select = (select_)
#define TRES(kind, database_) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (kind), .database = (database_)
/* One of the list's amounts: GrpCPUs is cpu of GrpTRES. */
#define TRES_ONE(kind, tres_id) NULL, MEMBER_TRES, AT(tres[kind]), .arg = (tres_id), .get = get_tres_count
#define ECHO(order, label) .echo_order = (order), .echo = (label)
#define DUMP(order) .dump_order = (order)

/* In the order of documents. */
static const struct member rows[] = {
	{READ("q.id", COUNT, id)},
	{READ("q.name", TEXT, name)},
	{"deleted", MEMBER_BOOL, AT(deleted)},
	{"created", MEMBER_INT, AT(created)},
	{"description", MEMBER_TEXT, AT(description), HEAD_DESCRIPTION, .json = "description",
		SETTABLE("Description", "Description:1", ATTR_TEXT, ECHO(1, "  Description    = "), DUMP(1))},
	{NULL, MEMBER_SPLIT, AT(flags_text), HEAD_FLAGS},
	{.get = get_json_flags, .json = "flags"},
	{"flags", MEMBER_ID, AT(flags),
		SETTABLE("Flags", "Flags:2", ATTR_FLAGS,
			.flags = qos_flag_words, ECHO(2, "  Flags                    = "), DUMP(2), .operators = true)},
	{NULL, MEMBER_COUNT, AT(id), HEAD_ID, .json = "id"},
	{NULL, MEMBER_SECONDS, AT(grace_time), HEAD_GRACE_TIME},
	{"grace_time", MEMBER_ID, AT(grace_time), .json = "limits/grace_time",
		SETTABLE("GraceTime", "GraceTime:3", ATTR_PLAIN_SECONDS,
			ECHO(3, "  GraceTime                = "), DUMP(3))},
	{"grp_jobs_accrue", MEMBER_LIMIT, AT(grp_jobs_accrue), HEAD_GRP_JOBS_ACCRUE, .json = "limits/max/active_jobs/accruing",
		SETTABLE("GrpJobsAccrue", "GrpJobsAccrue:8", ATTR_UINT,
			ECHO(5, "  GrpJobsAccrue            = "), .none = "None", DUMP(4))},
	{"grp_jobs", MEMBER_LIMIT, AT(grp_jobs), HEAD_GRP_JOBS, .json = "limits/max/active_jobs/count",
		SETTABLE("GrpJobs", "GrpJobs:4", ATTR_UINT, ECHO(4, "  GrpJobs                  = "), DUMP(5))},
	{"grp_submit_jobs", MEMBER_LIMIT, AT(grp_submit_jobs), HEAD_GRP_SUBMIT_JOBS, .json = "limits/max/jobs/count",
		SETTABLE("GrpSubmitJobs", "GrpSubmitJobs:4", ATTR_UINT,
			ECHO(6, "  GrpSubmitJobs            = "), DUMP(6))},
	{TRES_ONE(QOS_GRP_TRES, TRES_CPU), HEAD_GRP_CPUS,
		SETTABLE("GrpCPUs", "GrpCPUs:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES_MINS, TRES_CPU), HEAD_GRP_CPU_MINS,
		SETTABLE("GrpCPUMins", "GrpCPUMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES_RUN_MINS, TRES_CPU), HEAD_GRP_CPU_RUN_MINS,
		SETTABLE("GrpCPURunMins", "GrpCPURunMins:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_GRP_TRES, TRES_MEM), HEAD_GRP_MEMORY,
		SETTABLE("GrpMemory", "GrpMemory:4", ATTR_TRES, .tres = TRES_MEM)},
	{TRES_ONE(QOS_GRP_TRES, TRES_NODE), HEAD_GRP_NODES,
		SETTABLE("GrpNodes", "GrpNodes:4", ATTR_TRES, .tres = TRES_NODE)},
	{TRES(QOS_GRP_TRES, "grp_tres"), HEAD_GRP_TRES, .json = "limits/max/tres/total",
		SETTABLE("GrpTRES", "GrpTRES:7", ATTR_TRES,
			ECHO(7, "  GrpTRES                  = "), DUMP(7))},
	{TRES(QOS_GRP_TRES_MINS, "grp_tres_mins"), HEAD_GRP_TRES_MINS, .json = "limits/max/tres/minutes/total",
		SETTABLE("GrpTRESMins", "GrpTRESMins:8", ATTR_TRES,
			ECHO(8, "  GrpTRESMins              = "), DUMP(8))},
	{TRES(QOS_GRP_TRES_RUN_MINS, "grp_tres_run_mins"), HEAD_GRP_TRES_RUN_MINS, .json = "limits/max/tres/minutes/per/qos",
		SETTABLE("GrpTRESRunMins", "GrpTRESRunMins:8", ATTR_TRES,
			ECHO(9, "  GrpTRESRunMins           = "), DUMP(9))},
	{NULL, MEMBER_TEXT, AT(name), HEAD_NAME, .json = "name"},
	{"grp_wall", MEMBER_MINUTES, AT(grp_wall), HEAD_GRP_WALL, .json = "limits/max/wall_clock/per/qos",
		SETTABLE("GrpWall", "GrpWall:4", ATTR_MINUTES,
			ECHO(10, "  GrpWall                  = "), DUMP(10), .change = "GrpWallDuration")},
	{"limit_factor", MEMBER_FACTOR, AT(limit_factor), HEAD_LIMIT_FACTOR, .json = "limits/factor",
		SETTABLE("LimitFactor", "LimitFactor:6", ATTR_REAL,
			ECHO(33, "  LimitFactor              = "), DUMP(11), .above_zero = true)},
	{TRES_ONE(QOS_MAX_TRES_MINS_PJ, TRES_CPU), HEAD_MAX_CPU_MINS_PER_JOB,
		SETTABLE("MaxCPUMins", "MaxCPUMinsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_RUN_MINS_PU, TRES_CPU), HEAD_MAX_CPU_RUN_MINS_PER_USER},
	{TRES_ONE(QOS_MAX_TRES_PJ, TRES_CPU), HEAD_MAX_CPUS_PER_JOB,
		SETTABLE("MaxCPUs", "MaxCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_PU, TRES_CPU), HEAD_MAX_CPUS_PER_USER,
		SETTABLE("MaxCPUsPerUser", "MaxCPUsPerUser:11 MaxCPUsPU:9", ATTR_TRES, .tres = TRES_CPU)},
	{TRES_ONE(QOS_MAX_TRES_PJ, TRES_NODE), HEAD_MAX_NODES_PER_JOB,
		SETTABLE("MaxNodesPerJob", "MaxNodesPerJob:4", ATTR_TRES, .tres = TRES_NODE)},
	{TRES_ONE(QOS_MAX_TRES_PU, TRES_NODE), HEAD_MAX_NODES_PER_USER,
		SETTABLE("MaxNodesPerUser", "MaxNodesPerUser:8 MaxNodesPU:8", ATTR_TRES, .tres = TRES_NODE)},
	{TRES_ONE(QOS_MIN_TRES_PJ, TRES_CPU), HEAD_MIN_CPUS_PER_JOB,
		SETTABLE("MinCPUs", "MinCPUsPerJob:7", ATTR_TRES, .tres = TRES_CPU)},
	{"max_jobs_pu", MEMBER_LIMIT, AT(max_jobs_pu), .database = "max_jobs_per_user", HEAD_MAX_JOBS,
		SETTABLE("MaxJobsPU", "MaxJobsPerUser:4 MaxJobsPU:4", ATTR_UINT,
			ECHO(14, "  MaxJobsPerUser = "), DUMP(13), .change = "MaxJobsPerUser")},
	{"max_jobs_pa", MEMBER_LIMIT, AT(max_jobs_pa), HEAD_MAX_JOBS_PER_ACCOUNT, .json = "limits/max/jobs/active_jobs/per/account",
		SETTABLE("MaxJobsPA", "MaxJobsPerAccount:11 MaxJobsPA:9", ATTR_UINT,
			ECHO(13, "  MaxJobsPerAccount        = "), DUMP(12), .change = "MaxJobsPerAccount")},
	{NULL, MEMBER_LIMIT, AT(max_jobs_pu), HEAD_MAX_JOBS_PER_USER, .json = "limits/max/jobs/active_jobs/per/user"},
	{"max_jobs_accrue_pa", MEMBER_LIMIT, AT(max_jobs_accrue_pa), HEAD_MAX_JOBS_ACCRUE_PER_ACCOUNT, .json = "limits/max/accruing/per/account",
		SETTABLE("MaxJobsAccruePA", "MaxJobsAccruePerAccount:17 MaxJobsAccruePA:15", ATTR_UINT,
			ECHO(11, "  MaxJobsAccruePerAccount  = "), DUMP(14), .change = "MaxJobsAccruePerAccount")},
	{"max_jobs_accrue_pu", MEMBER_LIMIT, AT(max_jobs_accrue_pu), HEAD_MAX_JOBS_ACCRUE_PER_USER, .json = "limits/max/accruing/per/user",
		SETTABLE("MaxJobsAccruePU", "MaxJobsAccruePerUser:17 MaxJobsAccruePU:15", ATTR_UINT,
			ECHO(12, "  MaxJobsAccruePerUser     = "), DUMP(15), .change = "MaxJobsAccruePerUser")},
	{"max_submit_jobs_pu", MEMBER_LIMIT, AT(max_submit_jobs_pu), .database = "max_submit_jobs_per_user", HEAD_MAX_SUBMIT_JOBS,
		SETTABLE("MaxSubmitJobsPU", "MaxSubmitJobsPerUser:4 MaxSubmitJobsPU:4", ATTR_UINT,
			ECHO(16, "  MaxSubmitJobsPerUser     = "), DUMP(17), .change = "MaxSubmitJobsPerUser")},
	{"max_submit_jobs_pa", MEMBER_LIMIT, AT(max_submit_jobs_pa), HEAD_MAX_SUBMIT_JOBS_PER_ACCOUNT, .json = "limits/max/jobs/per/account",
		SETTABLE("MaxSubmitJobsPA", "MaxSubmitJobsPerAccount:17 MaxSubmitJobsPA:15", ATTR_UINT,
			ECHO(15, "  MaxSubmitJobsPerAccount  = "), DUMP(16), .change = "MaxSubmitJobsPerAccount")},
	{NULL, MEMBER_LIMIT, AT(max_submit_jobs_pu), HEAD_MAX_SUBMIT_JOBS_PER_USER, .json = "limits/max/jobs/per/user"},
	{TRES(QOS_MAX_TRES_MINS_PJ, "max_tres_mins_pj"), HEAD_MAX_TRES_MINS_PER_JOB, .json = "limits/max/tres/minutes/per/job",
		SETTABLE("MaxTRESMinsPerJob", "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", ATTR_TRES,
			ECHO(23, "  MaxTRESMins              = "), DUMP(18))},
	{TRES(QOS_MAX_TRES_PA, "max_tres_pa"), HEAD_MAX_TRES_PER_ACCOUNT, .json = "limits/max/tres/per/account",
		SETTABLE("MaxTRESPerAccount", "MaxTRESPerAccount:11 MaxTRESPA:9", ATTR_TRES,
			ECHO(17, "  MaxTRESPerAccount        = "), DUMP(19))},
	{TRES(QOS_MAX_TRES_PJ, "max_tres_pj"), HEAD_MAX_TRES_PER_JOB, .json = "limits/max/tres/per/job",
		SETTABLE("MaxTRESPerJob", "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", ATTR_TRES,
			ECHO(18, "  MaxTRESPerJob            = "), DUMP(20))},
	{TRES(QOS_MAX_TRES_PN, "max_tres_pn"), HEAD_MAX_TRES_PER_NODE, .json = "limits/max/tres/per/node",
		SETTABLE("MaxTRESPerNode", "MaxTRESPerNode:11 MaxTRESPN:9", ATTR_TRES,
			ECHO(19, "  MaxTRESPerNode           = "), DUMP(21))},
	{TRES(QOS_MAX_TRES_PU, "max_tres_pu"), HEAD_MAX_TRES_PER_USER, .json = "limits/max/tres/per/user",
		SETTABLE("MaxTRESPerUser", "MaxTRESPerUser:11 MaxTRESPU:9", ATTR_TRES,
			ECHO(20, "  MaxTRESPerUser           = "), DUMP(22))},
	{TRES(QOS_MAX_TRES_RUN_MINS_PA, "max_tres_run_mins_pa"), HEAD_MAX_TRES_RUN_MINS_PER_ACCOUNT, .json = "limits/max/tres/minutes/per/account",
		SETTABLE("MaxTRESRunMinsPerAccount", "MaxTRESRunMinsPerAccount:24 MaxTRESRunMinsPerAcct:20 MaxTRESRunMinsPA:16", ATTR_TRES,
			ECHO(24, "  MaxTRESRUNMinsPerAccount = "), DUMP(23))},
	{TRES(QOS_MAX_TRES_RUN_MINS_PU, "max_tres_run_mins_pu"), HEAD_MAX_TRES_RUN_MINS_PER_USER, .json = "limits/max/tres/minutes/per/user",
		SETTABLE("MaxTRESRunMinsPerUser", "MaxTRESRunMinsPerUser:20 MaxTRESRunMinsPU:16", ATTR_TRES,
			ECHO(25, "  MaxTRESRUNMinsPerUser    = "), DUMP(24))},
	{"max_wall_pj", MEMBER_MINUTES, AT(max_wall_pj), .database = "max_wall_duration_per_job", HEAD_MAX_WALL, .json = "limits/max/wall_clock/per/job",
		SETTABLE("MaxWall", "MaxWallDurationPerJob:4", ATTR_MINUTES,
			ECHO(26, "  MaxWall                  = "), DUMP(25), .dump = "MaxWallDurationPerJob", .change = "MaxWallDurationPerJob")},
	{"min_prio_thresh", MEMBER_LIMIT, AT(min_prio_thresh), HEAD_MIN_PRIO_THRESH, .json = "limits/min/priority_threshold",
		SETTABLE("MinPrioThresh", "MinPrioThresh:4", ATTR_UINT,
			ECHO(21, "  MinPrioThresh            = "), DUMP(26))},
	{TRES(QOS_MIN_TRES_PJ, "min_tres_pj"), HEAD_MIN_TRES_PER_JOB, .json = "limits/min/tres/per/job",
		SETTABLE("MinTRESPerJob", "MinTRESPerJob:7", ATTR_TRES,
			ECHO(22, "  MinTRESPerJob            = "), DUMP(27))},
	{NULL, MEMBER_LIST, AT(preempt), HEAD_PREEMPT, .json = "preempt/list"},
	{NULL, MEMBER_NONE, AT(preempt), .database = "preempt",
		SETTABLE("Preempt", "Preempt:7", ATTR_QOS_LIST,
			ECHO(27, "  Preempt                  = "), DUMP(28), .operators = true)},
	{NULL, MEMBER_SPLIT, AT(preempt_mode_text), HEAD_PREEMPT_MODE},
	{.get = get_json_modes, .json = "preempt/mode"},
	{"preempt_mode", MEMBER_COUNT, AT(preempt_mode), .select = "coalesce(q.preempt_mode, 64)",
		SETTABLE("PreemptMode", "PreemptMode:8", ATTR_PREEMPT_MODE,
			.flags = preempt_mode_words, ECHO(28, "  PreemptMode              = "), DUMP(29))},
	{"preempt_exempt_time", MEMBER_SECONDS, AT(preempt_exempt_time), HEAD_PREEMPT_EXEMPT_TIME, .json = "preempt/exempt_time",
		SETTABLE("PreemptExemptTime", "PreemptExemptTime:8", ATTR_SECONDS,
			ECHO(29, "  PreemptExemptTime        = "), DUMP(30))},
	{"priority", MEMBER_LIMIT, AT(priority), .select = "coalesce(q.priority, 0)", HEAD_PRIORITY, .json = "priority",
		SETTABLE("Priority", "Priority:3", ATTR_UINT, ECHO(30, "  Priority                 = "), DUMP(31))},
	{"usage_factor", MEMBER_FACTOR, AT(usage_factor), .select = "coalesce(q.usage_factor, 1.0)", HEAD_USAGE_FACTOR, .json = "usage_factor",
		SETTABLE("UsageFactor", "UsageFactor:6", ATTR_REAL, ECHO(31, "  UsageFactor              = "), DUMP(32))},
	{"usage_thres", MEMBER_FACTOR, AT(usage_thres), HEAD_USAGE_THRESHOLD, .json = "usage_threshold",
		SETTABLE("UsageThreshold", "UsageThreshold:6", ATTR_REAL,
			ECHO(32, "  UsageThreshold           = "), DUMP(33))},
	{NULL, MEMBER_NONE, AT(usage_raw), .help = "its own usage so far; 0 forgets it",
		SETTABLE("RawUsage", "RawUsage:7", ATTR_NUMBER64)},
};

const struct members qos_members = MEMBERS(rows);

/* clang-format on */

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
