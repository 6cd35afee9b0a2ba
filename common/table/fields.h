/*
 * Every column sacctmgr can print (spec/sacctmgr.md 4.1): one row gives its
 * names, heading, width and help. Order matters: a typed name takes the first
 * row it matches. Which entity fills which column stands in the entity's own
 * table of struct column.
 */
#ifndef BURSAR_FIELDS_H
#define BURSAR_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/nearest.h"
#include "common/text/value.h"

/* X(id, names with minima, heading, width (negative: left), help) */
/* clang-format off */
#define SACCTMGR_FIELDS(X) \
	X(ACCOUNT, "Account:3 Acct:4", "Account", 10, "account") \
	X(ACTION_RAW, "ActionRaw:7", "ActionRaw", 10, "action as a number") \
	X(ACTION, "Action:4", "Action", 20, "what was done") \
	X(ACTOR, "Actor:4", "Actor", 10, "who did it") \
	X(ADMIN_LEVEL, "AdminLevel:2", \
		"Admin", 9, "administrator level of the user") \
	X(ALLOWED, "Allowed:2", \
		"Allowed", 8, "share of the resource a cluster may use") \
	X(ASSOCS, "Associations:2", \
		"Assocs", 10, "associations of the reservation") \
	X(TRES, "TRES:2", "TRES", 20, "trackable resources") \
	X(CLASSIFICATION, "Classification:3", \
		"Class", 9, "what the cluster is for") \
	X(CLUSTER_NODES, "ClusterNodes:8", \
		"Cluster Nodes", 20, "nodes of the cluster at that time") \
	X(CLUSTER, "Clusters:2", "Cluster", 10, "cluster") \
	X(COORDINATORS, "Coordinators:3", \
		"Coord Accounts", 20, "coordinators of the account, or accounts the user coordinates") \
	X(COMMENT, "Comment:3", "Comment", 20, "free text") \
	X(CONTROL_HOST, "ControlHost:8", \
		"ControlHost", 15, "host of the registered controller") \
	X(CONTROL_PORT, "ControlPort:8", \
		"ControlPort", 12, "port of the registered controller") \
	X(COUNT, "Count:3", "Count", 6, "how many there are in all") \
	X(COUNT_ALLOWED, "CountAllowed:6", \
		"# Allowed", 10, "units a cluster may use") \
	X(COUNT_USED, "CountUsed:6", \
		"# Used", 10, "units handed to clusters") \
	X(CPU_COUNT, "CPUCount:2", "CPU Cnt", 7, "CPUs") \
	X(DEFAULT_ACCOUNT, "DefaultAccount:8", \
		"Def Acct", 10, "account of jobs that name none") \
	X(DEFAULT_QOS, "DefaultQOS:8", \
		"Def QOS", 9, "QOS of jobs that name none") \
	X(DEFAULT_WCKEY, "DefaultWCKey:8", \
		"Def WCKey", 10, "wckey of jobs that name none") \
	X(DESCRIPTION, "Description:3", "Descr", 20, "description") \
	X(DURATION, "Duration:2", "Duration", 13, "how long it lasted") \
	X(EVENT_RAW, "EventRaw:6", \
		"EventRaw", 8, "kind of event as a number") \
	X(EVENT, "Event:2", "Event", 7, "kind of event") \
	X(EXTRA, "Extra:2", "Extra", 20, "free text") \
	X(FEATURES, "Features:3", \
		"Features", 20, "features of the cluster in its federation") \
	X(FEDERATION, "Federation:3", "Federation", 10, "federation") \
	X(FED_STATE, "FedState:4", "FedState", 12, "state in the federation") \
	X(FED_STATE_RAW, "FedStateRaw:9", \
		"FedStateRaw", 11, "state in the federation as a number") \
	X(FLAGS, "Flags:2", "Flags", 20, "flags") \
	X(GRACE_TIME, "GraceTime:3", \
		"GraceTime", 10, "time a preempted job keeps running") \
	X(GRP_CPUS, "GrpCPUs:6", \
		"GrpCPUs", 8, "CPUs all jobs together may use") \
	X(GRP_CPU_MINS, "GrpCPUMins:7", \
		"GrpCPUMins", 11, "CPU minutes all jobs together may use") \
	X(GRP_CPU_RUN_MINS, "GrpCPURunMins:7", \
		"GrpCPURunMins", 13, "CPU minutes running jobs together may have left") \
	X(GRP_TRES, "GrpTRES:7", \
		"GrpTRES", 13, "TRES all jobs together may use") \
	X(GRP_TRES_MINS, "GrpTRESMins:7", \
		"GrpTRESMins", 13, "TRES minutes all jobs together may use") \
	X(GRP_TRES_RUN_MINS, "GrpTRESRunMins:7", \
		"GrpTRESRunMins", 13, "TRES minutes running jobs together may have left") \
	X(GRP_JOBS, "GrpJobs:4", "GrpJobs", 7, "jobs that may run at once") \
	X(GRP_JOBS_ACCRUE, "GrpJobsAccrue:8", \
		"GrpJobsAccrue", 13, "pending jobs that may gain age priority at once") \
	X(GRP_MEMORY, "GrpMemory:4", \
		"GrpMem", 7, "memory (MiB) all jobs together may use") \
	X(GRP_NODES, "GrpNodes:4", \
		"GrpNodes", 8, "nodes all jobs together may use") \
	X(GRP_SUBMIT_JOBS, "GrpSubmitJobs:4", \
		"GrpSubmit", 9, "jobs that may be pending or running at once") \
	X(GRP_WALL, "GrpWall:4", \
		"GrpWall", 11, "wall time all jobs together may use") \
	X(ID, "ID:2", "ID", 6, "number") \
	X(INFO, "Info:3", "Info", 20, "what was changed") \
	X(INSTANCE_ID, "InstanceId:9", "InstanceId", 20, "cloud instance") \
	X(INSTANCE_TYPE, "InstanceType:9", \
		"InstanceType", 20, "type of cloud instance") \
	X(LINEAGE, "Lineage:1", "Lineage", -20, "path from the root") \
	X(SERVER_TYPE, "ServerType:10", \
		"ServerType", 10, "kind of license server") \
	X(MAX_CPU_MINS_PER_JOB, "MaxCPUMinsPerJob:7", \
		"MaxCPUMins", 11, "CPU minutes of one job") \
	X(MAX_CPU_RUN_MINS_PER_USER, "MaxCPURunMinsPerUser:7 MaxCPURunMinsPU:7", \
		"MaxCPURunMinsPU", 15, "CPU minutes the running jobs of a user may have left") \
	X(MAX_CPUS_PER_JOB, "MaxCPUsPerJob:7", \
		"MaxCPUs", 8, "CPUs of one job") \
	X(MAX_CPUS_PER_USER, "MaxCPUsPerUser:11 MaxCPUsPU:9", \
		"MaxCPUsPU", 9, "CPUs of one user") \
	X(MAX_TRES_PER_JOB, "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", \
		"MaxTRES", 13, "TRES of one job") \
	X(MAX_TRES_PER_NODE, "MaxTRESPerNode:11 MaxTRESPN:9", \
		"MaxTRESPerNode", 14, "TRES of one job on one node") \
	X(MAX_TRES_MINS_PER_JOB, "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", \
		"MaxTRESMins", 13, "TRES minutes of one job") \
	X(MAX_TRES_RUN_MINS_PER_ACCOUNT, "MaxTRESRunMinsPerAccount:18 MaxTRESRunMinsPerAcct:18 MaxTRESRunMinsPA:15", \
		"MaxTRESRunMinsPA", 16, "TRES minutes the running jobs of an account may have left") \
	X(MAX_TRES_RUN_MINS_PER_USER, "MaxTRESRunMinsPerUser:8 MaxTRESRunMinsPU:8", \
		"MaxTRESRunMinsPU", 16, "TRES minutes the running jobs of a user may have left") \
	X(MAX_TRES_PER_ACCOUNT, "MaxTRESPerAccount:11 MaxTRESPerAcct:11 MaxTRESPA:9", \
		"MaxTRESPA", 13, "TRES of one account") \
	X(MAX_TRES_PER_USER, "MaxTRESPerUser:11 MaxTRESPU:9", \
		"MaxTRESPU", 13, "TRES of one user") \
	X(MAX_JOBS, "MaxJobs:4", \
		"MaxJobs", 7, "jobs of one user that may run at once") \
	X(MAX_JOBS_ACCRUE, "MaxJobsAccrue:4", \
		"MaxJobsAccrue", 13, "pending jobs of one user that may gain age priority") \
	X(MAX_JOBS_ACCRUE_PER_ACCOUNT, "MaxJobsAccruePerAccount:17 MaxJobsAccruePerAcct:17 MaxJobsAccruePA:15", \
		"MaxJobsAccruePA", 15, "pending jobs of one account that may gain age priority") \
	X(MAX_JOBS_ACCRUE_PER_USER, "MaxJobsAccruePerUser:17 MaxJobsAccruePU:15", \
		"MaxJobsAccruePU", 15, "pending jobs of one user that may gain age priority") \
	X(MAX_JOBS_PER_ACCOUNT, "MaxJobsPerAccount:11 MaxJobsPerAcct:11 MaxJobsPA:9", \
		"MaxJobsPA", 9, "jobs of one account that may run at once") \
	X(MAX_JOBS_PER_USER, "MaxJobsPerUser:11 MaxJobsPU:9", \
		"MaxJobsPU", 9, "jobs of one user that may run at once") \
	X(MAX_NODES_PER_JOB, "MaxNodesPerJob:4", \
		"MaxNodes", 8, "nodes of one job") \
	X(MAX_NODES_PER_USER, "MaxNodesPerUser:12 MaxNodesPU:10", \
		"MaxNodesPU", 10, "nodes of one user") \
	X(MIN_PRIO_THRESH, "MinPrioThreshold:4", \
		"MinPrioThres", 12, "priority a job needs for a reservation") \
	X(MAX_SUBMIT_JOBS, "MaxSubmitJobs:4", \
		"MaxSubmit", 9, "jobs of one user that may be pending or running") \
	X(MAX_SUBMIT_JOBS_PER_ACCOUNT, "MaxSubmitJobsPerAccount:17 MaxSubmitJobsPerAcct:17 MaxSubmitJobsPA:15 MaxSubmitPA:11", \
		"MaxSubmitPA", 11, "jobs of one account that may be pending or running") \
	X(MAX_SUBMIT_JOBS_PER_USER, "MaxSubmitJobsPerUser:10 MaxSubmitJobsPU:10 MaxSubmitPU:6", \
		"MaxSubmitPU", 11, "jobs of one user that may be pending or running") \
	X(MAX_WALL, "MaxWallDurationPerJob:4", \
		"MaxWall", 11, "time limit of one job") \
	X(MIN_CPUS_PER_JOB, "MinCPUsPerJob:7", \
		"MinCPUs", 8, "CPUs a job must ask for") \
	X(MIN_TRES_PER_JOB, "MinTRESPerJob:7", \
		"MinTRES", 13, "TRES a job must ask for") \
	X(NAME, "Name:2", "Name", 10, "name") \
	X(NODE_COUNT, "NodeCount:5", "NodeCount", 9, "number of nodes") \
	X(NODE_INX, "NodeInx:5", "NodeInx", 9, "nodes by index") \
	X(NODE_NAME, "NodeNames:5", "NodeName", -15, "nodes") \
	X(ORGANIZATION, "Organization:1", "Org", 20, "organization") \
	X(PARENT_ID, "ParentID:7", \
		"ParentID", 8, "number of the parent association") \
	X(PARENT_NAME, "ParentName:7", "ParentName", 10, "parent account") \
	X(PARTITION, "Partition:4", "Partition", 10, "partition") \
	X(PREEMPT_MODE, "PreemptMode:8", \
		"PreemptMode", 11, "how its jobs are preempted") \
	X(PREEMPT, "Preempt:7", "Preempt", 10, "QOS it may preempt") \
	X(PREEMPT_EXEMPT_TIME, "PreemptExemptTime:8", \
		"PreemptExemptTime", 19, "run time before a job may be preempted") \
	X(PRIORITY, "Priority:3", "Priority", 10, "priority") \
	X(PROBLEM, "Problem:1", "Problem", 40, "what is wrong") \
	X(QOS, "QOSLevel:3", "QOS", 20, "QOS that may be used") \
	X(QOS_RAW, "QOSRAWLevel:4", \
		"QOS_RAW", 10, "QOS as stored, by number") \
	X(REASON, "Reason:1", "Reason", 30, "reason") \
	X(RPC, "RPC:1", "RPC", 5, "protocol version of the controller") \
	X(SERVER, "Server:3", "Server", 10, "license server") \
	X(SHARE, "Share:1 FairShare:2", "Share", 9, "fair-share shares") \
	X(STATE_RAW, "StateRaw:6", "StateRaw", 8, "state as a number") \
	X(STATE, "State:1", "State", 6, "state") \
	X(TIME_STAMP, "TimeStamp:2", "Time", 19, "when it was done") \
	X(TIME_ELIGIBLE, "TimeEligible:6 Eligible:2", \
		"TimeEligible", 19, "when the job could first run") \
	X(TIME_END, "TimeEnd:6 End:2", "TimeEnd", 19, "end") \
	X(TIME_START, "TimeStart:7 Start:3", "TimeStart", 19, "start") \
	X(TIME_SUBMIT, "TimeSubmit:6 Submit:2", \
		"TimeSubmit", 19, "when the job was submitted") \
	X(TYPE, "Type:2", "Type", 8, "type") \
	X(UNUSED_WALL, "UnusedWall:2", \
		"UnusedWall", 10, "reserved time nobody used") \
	X(USAGE_FACTOR, "UsageFactor:6", \
		"UsageFactor", 11, "multiplies what jobs are charged") \
	X(USAGE_THRESHOLD, "UsageThreshold:6", \
		"UsageThres", 10, "lowest fair-share factor that may use it") \
	X(LIMIT_FACTOR, "LimitFactor:6", \
		"LimitFactor", 11, "multiplies the limits of associations") \
	X(ALLOCATED, "Allocated:7", \
		"Allocated", 9, "sum of what clusters may use") \
	X(LAST_CONSUMED, "LastConsumed:8", \
		"LastConsumed", 12, "units in use when last reported") \
	X(USER, "User:1", "User", 10, "user") \
	X(WCKEY, "WCKeys:2", "WCKeys", 20, "wckey") \
	X(WHERE, "Where:2", "Where", 20, "what it was done to")
/* clang-format on */

enum field_id {
#define X(id, names, heading, width, help) FIELD_##id,
	SACCTMGR_FIELDS(X)
#undef X
	FIELD_COUNT_ALL, /* how many there are */
	FIELD_NONE,	 /* a column for JSON only */
};

struct field {
	const char *names; /* "Account:3 Acct:4", see common/base/words.h */
	const char *heading;
	int width;
	const char *help;
};

extern const struct field sacctmgr_fields[FIELD_COUNT_ALL];

/*
 * What a field is called in JSON where nothing else is said: "max_tres". Of
 * sacctmgr's own fields by their number; of other tables from the heading. In
 * the arena.
 */
const char *field_member(
	const struct field *fields, int field, struct arena *arena);

/* A field as asked for with `format=`: which one, how wide. */
struct field_choice {
	int field; /* index into the field table */
	int width;
};

/*
 * Reads one `name[%width]` against a field table of `n` rows. A width of 0 or
 * none keeps the default, a negative one left-justifies. -1: no such field.
 */
int field_choose(const struct field *fields, int n, const char *text,
	struct field_choice *choice);

/* The nearest of the names of those fields, for one that is none of them. */
void field_nearest(const struct field *fields, int n, const char *text,
	struct nearest *nearest);

/*
 * How an entity fills a field, and where the value stands in its JSON.
 * `get` reads `row` (the entity's record); `offset` and `arg` are for shared
 * getters.
 */
struct column {
	enum field_id field;
	const char *json; /* "max/jobs/per/count"; NULL: not in JSON */
	void (*get)(const void *row, const struct column *column,
		struct arena *arena, struct value *value);
	size_t offset;
	uint32_t arg;
};

/* Shared getters: the member at `offset` of the row. */
void get_text(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_uint(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_limit(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_minutes(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_seconds(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_real(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_time(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_list(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_tres(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_shares(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
void get_bool(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* A list in its own order. */
void get_words(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* A comma list held as text: words, blank when empty. */
void get_split(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* The same of flags; "None" is the text of none. */
void get_flags(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* No words at all: members that Slurm has and that are always empty. */
void get_nothing(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* A struct value_rows. */
void get_rows(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* DELETED, when the bool at `offset` says so. */
void get_deleted(const void *row, const struct column *column,
	struct arena *arena, struct value *value);
/* The count of TRES `arg` in the TRES list at `offset`. */
void get_tres_count(const void *row, const struct column *column,
	struct arena *arena, struct value *value);

#endif
