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

#define A(member) .offset = offsetof(struct qos, member)
#define TRES(kind) .type = ATTR_TRES, .tres_kind = (kind), \
	.offset = offsetof(struct qos, tres) + (kind) * sizeof(struct tres_list)
#define ECHO(label) .echo = (label), .none = "NONE"
#define DUMP(order, key) .dump_order = (order), .dump = (key)
#define UINT(name_, member, column_) .name = (name_), .type = ATTR_UINT, .column = (column_), A(member)

const struct attr qos_attrs[QOS_ATTRS] = {
	[QOS_ATTR_DESCRIPTION] = {"Description", ATTR_TEXT, "description", A(description),
		.echo = "  Description    = ", DUMP(1, "Description"), .change = "Description"},
	[QOS_ATTR_FLAGS] = {"Flags", ATTR_FLAGS, "flags", A(flags), .flags = qos_flag_words,
		.echo = "  Flags                    = ", DUMP(2, "Flags"), .change = "Flags"},
	[QOS_ATTR_GRACE_TIME] = {"GraceTime", ATTR_PLAIN_SECONDS, "grace_time", A(grace_time),
		ECHO("  GraceTime                = "), DUMP(3, "GraceTime"), .change = "GraceTime"},
	[QOS_ATTR_GRP_JOBS] = {UINT("GrpJobs", grp_jobs, "grp_jobs"),
		ECHO("  GrpJobs                  = "), DUMP(5, "GrpJobs"), .change = "GrpJobs"},
	[QOS_ATTR_GRP_JOBS_ACCRUE] = {UINT("GrpJobsAccrue", grp_jobs_accrue, "grp_jobs_accrue"),
		.echo = "  GrpJobsAccrue            = ", .none = "None", DUMP(4, "GrpJobsAccrue"),
		.change = "GrpJobsAccrue"},
	[QOS_ATTR_GRP_SUBMIT_JOBS] = {UINT("GrpSubmitJobs", grp_submit_jobs, "grp_submit_jobs"),
		ECHO("  GrpSubmitJobs            = "), DUMP(6, "GrpSubmitJobs"), .change = "GrpSubmitJobs"},
	[QOS_ATTR_GRP_TRES] = {"GrpTRES", TRES(QOS_GRP_TRES),
		ECHO("  GrpTRES                  = "), DUMP(7, "GrpTRES"), .change = "GrpTRES"},
	[QOS_ATTR_GRP_TRES_MINS] = {"GrpTRESMins", TRES(QOS_GRP_TRES_MINS),
		ECHO("  GrpTRESMins              = "), DUMP(8, "GrpTRESMins"), .change = "GrpTRESMins"},
	[QOS_ATTR_GRP_TRES_RUN_MINS] = {"GrpTRESRunMins", TRES(QOS_GRP_TRES_RUN_MINS),
		ECHO("  GrpTRESRunMins           = "), DUMP(9, "GrpTRESRunMins"), .change = "GrpTRESRunMins"},
	[QOS_ATTR_GRP_WALL] = {"GrpWall", ATTR_MINUTES, "grp_wall", A(grp_wall),
		ECHO("  GrpWall                  = "), DUMP(10, "GrpWall"), .change = "GrpWallDuration"},
	[QOS_ATTR_MAX_JOBS_ACCRUE_PA] = {UINT("MaxJobsAccruePA", max_jobs_accrue_pa, "max_jobs_accrue_pa"),
		ECHO("  MaxJobsAccruePerAccount  = "), DUMP(14, "MaxJobsAccruePA"), .change = "MaxJobsAccruePerAccount"},
	[QOS_ATTR_MAX_JOBS_ACCRUE_PU] = {UINT("MaxJobsAccruePU", max_jobs_accrue_pu, "max_jobs_accrue_pu"),
		ECHO("  MaxJobsAccruePerUser     = "), DUMP(15, "MaxJobsAccruePU"), .change = "MaxJobsAccruePerUser"},
	[QOS_ATTR_MAX_JOBS_PA] = {UINT("MaxJobsPA", max_jobs_pa, "max_jobs_pa"),
		ECHO("  MaxJobsPerAccount        = "), DUMP(12, "MaxJobsPA"), .change = "MaxJobsPerAccount"},
	[QOS_ATTR_MAX_JOBS_PU] = {UINT("MaxJobsPU", max_jobs_pu, "max_jobs_pu"),
		ECHO("  MaxJobsPerUser = "), DUMP(13, "MaxJobsPU"), .change = "MaxJobsPerUser"},
	[QOS_ATTR_MAX_SUBMIT_JOBS_PA] = {UINT("MaxSubmitJobsPA", max_submit_jobs_pa, "max_submit_jobs_pa"),
		ECHO("  MaxSubmitJobsPerAccount  = "), DUMP(16, "MaxSubmitJobsPA"), .change = "MaxSubmitJobsPerAccount"},
	[QOS_ATTR_MAX_SUBMIT_JOBS_PU] = {UINT("MaxSubmitJobsPU", max_submit_jobs_pu, "max_submit_jobs_pu"),
		ECHO("  MaxSubmitJobsPerUser     = "), DUMP(17, "MaxSubmitJobsPU"), .change = "MaxSubmitJobsPerUser"},
	[QOS_ATTR_MAX_TRES_PA] = {"MaxTRESPerAccount", TRES(QOS_MAX_TRES_PA),
		ECHO("  MaxTRESPerAccount        = "), DUMP(19, "MaxTRESPerAccount"), .change = "MaxTRESPerAccount"},
	[QOS_ATTR_MAX_TRES_PJ] = {"MaxTRESPerJob", TRES(QOS_MAX_TRES_PJ),
		ECHO("  MaxTRESPerJob            = "), DUMP(20, "MaxTRESPerJob"), .change = "MaxTRESPerJob"},
	[QOS_ATTR_MAX_TRES_PN] = {"MaxTRESPerNode", TRES(QOS_MAX_TRES_PN),
		ECHO("  MaxTRESPerNode           = "), DUMP(21, "MaxTRESPerNode"), .change = "MaxTRESPerNode"},
	[QOS_ATTR_MAX_TRES_PU] = {"MaxTRESPerUser", TRES(QOS_MAX_TRES_PU),
		ECHO("  MaxTRESPerUser           = "), DUMP(22, "MaxTRESPerUser"), .change = "MaxTRESPerUser"},
	[QOS_ATTR_MIN_PRIO_THRESH] = {UINT("MinPrioThresh", min_prio_thresh, "min_prio_thresh"),
		ECHO("  MinPrioThresh            = "), DUMP(26, "MinPrioThresh"), .change = "MinPrioThresh"},
	[QOS_ATTR_MIN_TRES_PJ] = {"MinTRESPerJob", TRES(QOS_MIN_TRES_PJ),
		ECHO("  MinTRESPerJob            = "), DUMP(27, "MinTRESPerJob"), .change = "MinTRESPerJob"},
	[QOS_ATTR_MAX_TRES_MINS_PJ] = {"MaxTRESMinsPerJob", TRES(QOS_MAX_TRES_MINS_PJ),
		ECHO("  MaxTRESMins              = "), DUMP(18, "MaxTRESMinsPerJob"), .change = "MaxTRESMinsPerJob"},
	[QOS_ATTR_MAX_TRES_RUN_MINS_PA] = {"MaxTRESRunMinsPerAccount", TRES(QOS_MAX_TRES_RUN_MINS_PA),
		ECHO("  MaxTRESRUNMinsPerAccount = "), DUMP(23, "MaxTRESRunMinsPerAccount"),
		.change = "MaxTRESRunMinsPerAccount"},
	[QOS_ATTR_MAX_TRES_RUN_MINS_PU] = {"MaxTRESRunMinsPerUser", TRES(QOS_MAX_TRES_RUN_MINS_PU),
		ECHO("  MaxTRESRUNMinsPerUser    = "), DUMP(24, "MaxTRESRunMinsPerUser"),
		.change = "MaxTRESRunMinsPerUser"},
	[QOS_ATTR_MAX_WALL] = {"MaxWall", ATTR_MINUTES, "max_wall_pj", A(max_wall_pj),
		ECHO("  MaxWall                  = "), DUMP(25, "MaxWallDurationPerJob"), .change = "MaxWallDurationPerJob"},
	[QOS_ATTR_PREEMPT] = {"Preempt", ATTR_QOS_LIST, NULL, A(preempt),
		.echo = "  Preempt                  = ", DUMP(28, "Preempt"), .change = "Preempt"},
	[QOS_ATTR_PREEMPT_MODE] = {"PreemptMode", ATTR_PREEMPT_MODE, "preempt_mode", A(preempt_mode),
		.flags = preempt_mode_words,
		.echo = "  PreemptMode              = ", DUMP(29, "PreemptMode"), .change = "PreemptMode"},
	[QOS_ATTR_PREEMPT_EXEMPT_TIME] = {"PreemptExemptTime", ATTR_SECONDS, "preempt_exempt_time", A(preempt_exempt_time),
		ECHO("  PreemptExemptTime        = "), DUMP(30, "PreemptExemptTime"), .change = "PreemptExemptTime"},
	[QOS_ATTR_PRIORITY] = {UINT("Priority", priority, "priority"),
		ECHO("  Priority                 = "), DUMP(31, "Priority"), .change = "Priority"},
	[QOS_ATTR_USAGE_FACTOR] = {"UsageFactor", ATTR_REAL, "usage_factor", A(usage_factor),
		ECHO("  UsageFactor              = "), DUMP(32, "UsageFactor"), .change = "UsageFactor"},
	[QOS_ATTR_USAGE_THRESHOLD] = {"UsageThreshold", ATTR_REAL, "usage_thres", A(usage_thres),
		ECHO("  UsageThreshold           = "), DUMP(33, "UsageThreshold"), .change = "UsageThreshold"},
	[QOS_ATTR_LIMIT_FACTOR] = {"LimitFactor", ATTR_REAL, "limit_factor", A(limit_factor),
		ECHO("  LimitFactor              = "), DUMP(11, "LimitFactor"), .change = "LimitFactor"},
	[QOS_ATTR_RAW_USAGE] = {"RawUsage", ATTR_NUMBER64, NULL, A(usage_raw)},
};

#define W(names, id) {names, &qos_attrs[QOS_ATTR_##id], 0, false, false, false, NULL}
#define W_OPS(names, id) {names, &qos_attrs[QOS_ATTR_##id], 0, true, false, false, NULL}
#define W_TRES(names, id, tres, label) {names, &qos_attrs[QOS_ATTR_##id], tres, false, false, false, label}

const struct set_word qos_set_words[] = {
	W("Description:1", DESCRIPTION),
	W_OPS("Flags:2", FLAGS),
	W("GraceTime:3", GRACE_TIME),
	W_TRES("GrpCPUMins:7", GRP_TRES_MINS, TRES_CPU, "GrpCPUMins"),
	W_TRES("GrpCPURunMins:7", GRP_TRES_RUN_MINS, TRES_CPU, "GrpCPURunMins"),
	W_TRES("GrpCPUs:7", GRP_TRES, TRES_CPU, "GrpCPUs"),
	W("GrpJobs:4", GRP_JOBS),
	W("GrpJobsAccrue:8", GRP_JOBS_ACCRUE),
	W_TRES("GrpMemory:4", GRP_TRES, TRES_MEM, "GrpMemory"),
	W_TRES("GrpNodes:4", GRP_TRES, TRES_NODE, "GrpNodes"),
	W("GrpSubmitJobs:4", GRP_SUBMIT_JOBS),
	W("GrpTRES:7", GRP_TRES),
	W("GrpTRESMins:8", GRP_TRES_MINS),
	W("GrpTRESRunMins:8", GRP_TRES_RUN_MINS),
	W("GrpWall:4", GRP_WALL),
	W("LimitFactor:6", LIMIT_FACTOR),
	W_TRES("MaxCPUMinsPerJob:7", MAX_TRES_MINS_PJ, TRES_CPU, "MaxCPUMins"),
	W_TRES("MaxCPUsPerJob:7", MAX_TRES_PJ, TRES_CPU, "MaxCPUs"),
	W_TRES("MaxCPUsPerUser:11 MaxCPUsPU:9", MAX_TRES_PU, TRES_CPU, "MaxCPUsPerUser"),
	W("MaxJobsAccruePerAccount:17 MaxJobsAccruePA:15", MAX_JOBS_ACCRUE_PA),
	W("MaxJobsAccruePerUser:17 MaxJobsAccruePU:15", MAX_JOBS_ACCRUE_PU),
	W("MaxJobsPerAccount:11 MaxJobsPA:9", MAX_JOBS_PA),
	W("MaxJobsPerUser:4 MaxJobsPU:4", MAX_JOBS_PU),
	W_TRES("MaxNodesPerJob:4", MAX_TRES_PJ, TRES_NODE, "MaxNodesPerJob"),
	W_TRES("MaxNodesPerUser:8 MaxNodesPU:8", MAX_TRES_PU, TRES_NODE, "MaxNodesPerUser"),
	W("MaxSubmitJobsPerAccount:17 MaxSubmitJobsPA:15", MAX_SUBMIT_JOBS_PA),
	W("MaxSubmitJobsPerUser:4 MaxSubmitJobsPU:4", MAX_SUBMIT_JOBS_PU),
	W("MaxTRESPerAccount:11 MaxTRESPA:9", MAX_TRES_PA),
	W("MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", MAX_TRES_PJ),
	W("MaxTRESPerNode:11 MaxTRESPN:9", MAX_TRES_PN),
	W("MaxTRESPerUser:11 MaxTRESPU:9", MAX_TRES_PU),
	W("MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", MAX_TRES_MINS_PJ),
	W("MaxTRESRunMinsPerAccount:24 MaxTRESRunMinsPerAcct:20 MaxTRESRunMinsPA:16", MAX_TRES_RUN_MINS_PA),
	W("MaxTRESRunMinsPerUser:20 MaxTRESRunMinsPU:16", MAX_TRES_RUN_MINS_PU),
	W("MaxWallDurationPerJob:4", MAX_WALL),
	W_TRES("MinCPUsPerJob:7", MIN_TRES_PJ, TRES_CPU, "MinCPUs"),
	W("MinPrioThresh:4", MIN_PRIO_THRESH),
	W("MinTRESPerJob:7", MIN_TRES_PJ),
	W("PreemptMode:8", PREEMPT_MODE),
	W_OPS("Preempt:7", PREEMPT),
	W("PreemptExemptTime:8", PREEMPT_EXEMPT_TIME),
	W("Priority:3", PRIORITY),
	W("RawUsage:7", RAW_USAGE),
	W("UsageFactor:6", USAGE_FACTOR),
	W("UsageThreshold:6", USAGE_THRESHOLD),
	{NULL, NULL, 0, false, false, false, NULL},
};

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
	for (const struct attr *a = qos_attrs; a < qos_attrs + QOS_ATTRS; a++) {
		uint32_t unset = INFINITE;
		double no_factor = (double)INFINITE;
		char *member = (char *)qos + a->offset;

		if (a->type == ATTR_UINT || a->type == ATTR_MINUTES ||
			a->type == ATTR_SECONDS)
			memcpy(member, &unset, sizeof(unset));
		else if (a->type == ATTR_REAL)
			memcpy(member, &no_factor, sizeof(no_factor));
	}
	qos->priority = 0;
	qos->grace_time = 0;
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
