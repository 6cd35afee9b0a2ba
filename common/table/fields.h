/*
 * Every column sacctmgr can print (Slurm's src/sacctmgr/common.c,
 * sacctmgr_process_format_list()): its names, heading, width and help. Several
 * entities (account, user, QOS ...) have columns of the same name: a row of
 * their members (common/table/member.h) begins with the column's HEAD_ macro.
 *
 * A name in `format=` means the first column in SACCTMGR_FIELDS that it matches,
 * even one that the entity does not fill; only when none matches, a name that
 * the entity alone has.
 */
#pragma once

#include "common/table/member.h"

/* clang-format off */
#define HEAD_ACCOUNT .names = "Account:3 Acct:4", .heading = "Account", .width = 10, .help = "account"
#define HEAD_ACTION_RAW .names = "ActionRaw:7", .heading = "ActionRaw", .width = 10, .help = "action as a number"
#define HEAD_ACTION .names = "Action:4", .heading = "Action", .width = 20, .help = "what was done"
#define HEAD_ACTOR .names = "Actor:4", .heading = "Actor", .width = 10, .help = "who did it"
#define HEAD_ADMIN_LEVEL .names = "AdminLevel:2", .heading = "Admin", .width = 9, .help = "administrator level of the user"
#define HEAD_ALLOWED .names = "Allowed:2", .heading = "Allowed", .width = 8, .help = "share of the resource a cluster may use"
#define HEAD_ASSOCS .names = "Associations:2", .heading = "Assocs", .width = 10, .help = "associations of the reservation"
#define HEAD_TRES .names = "TRES:2", .heading = "TRES", .width = 20, .help = "trackable resources"
#define HEAD_CLASSIFICATION .names = "Classification:3", .heading = "Class", .width = 9, .help = "what the cluster is for"
#define HEAD_CLUSTER_NODES .names = "ClusterNodes:8", .heading = "Cluster Nodes", .width = 20, .help = "nodes of the cluster at that time"
#define HEAD_CLUSTER .names = "Clusters:2", .heading = "Cluster", .width = 10, .help = "cluster"
#define HEAD_COORDINATORS .names = "Coordinators:3", .heading = "Coord Accounts", .width = 20, .help = "coordinators of the account, or accounts the user coordinates"
#define HEAD_COMMENT .names = "Comment:3", .heading = "Comment", .width = 20, .help = "free text"
#define HEAD_CONTROL_HOST .names = "ControlHost:8", .heading = "ControlHost", .width = 15, .help = "host of the registered controller"
#define HEAD_CONTROL_PORT .names = "ControlPort:8", .heading = "ControlPort", .width = 12, .help = "port of the registered controller"
#define HEAD_COUNT .names = "Count:3", .heading = "Count", .width = 6, .help = "how many there are in all"
#define HEAD_COUNT_ALLOWED .names = "CountAllowed:6", .heading = "# Allowed", .width = 10, .help = "units a cluster may use"
#define HEAD_COUNT_USED .names = "CountUsed:6", .heading = "# Used", .width = 10, .help = "units handed to clusters"
#define HEAD_CPU_COUNT .names = "CPUCount:2", .heading = "CPU Cnt", .width = 7, .help = "CPUs"
#define HEAD_DEFAULT_ACCOUNT .names = "DefaultAccount:8", .heading = "Def Acct", .width = 10, .help = "account of jobs that name none"
#define HEAD_DEFAULT_QOS .names = "DefaultQOS:8", .heading = "Def QOS", .width = 9, .help = "QOS of jobs that name none"
#define HEAD_DEFAULT_WCKEY .names = "DefaultWCKey:8", .heading = "Def WCKey", .width = 10, .help = "wckey of jobs that name none"
#define HEAD_DESCRIPTION .names = "Description:3", .heading = "Descr", .width = 20, .help = "description"
#define HEAD_DURATION .names = "Duration:2", .heading = "Duration", .width = 13, .help = "how long it lasted"
#define HEAD_EVENT_RAW .names = "EventRaw:6", .heading = "EventRaw", .width = 8, .help = "kind of event as a number"
#define HEAD_EVENT .names = "Event:2", .heading = "Event", .width = 7, .help = "kind of event"
#define HEAD_EXTRA .names = "Extra:2", .heading = "Extra", .width = 20, .help = "free text"
#define HEAD_FEATURES .names = "Features:3", .heading = "Features", .width = 20, .help = "features of the cluster in its federation"
#define HEAD_FEDERATION .names = "Federation:3", .heading = "Federation", .width = 10, .help = "federation"
#define HEAD_FED_STATE .names = "FedState:4", .heading = "FedState", .width = 12, .help = "state in the federation"
#define HEAD_FED_STATE_RAW .names = "FedStateRaw:9", .heading = "FedStateRaw", .width = 11, .help = "state in the federation as a number"
#define HEAD_FLAGS .names = "Flags:2", .heading = "Flags", .width = 20, .help = "flags"
#define HEAD_GRACE_TIME .names = "GraceTime:3", .heading = "GraceTime", .width = 10, .help = "time a preempted job keeps running"
#define HEAD_GRP_CPUS .names = "GrpCPUs:6", .heading = "GrpCPUs", .width = 8, .help = "CPUs all jobs together may use"
#define HEAD_GRP_CPU_MINS .names = "GrpCPUMins:7", .heading = "GrpCPUMins", .width = 11, .help = "CPU minutes all jobs together may use"
#define HEAD_GRP_CPU_RUN_MINS .names = "GrpCPURunMins:7", .heading = "GrpCPURunMins", .width = 13, .help = "CPU minutes running jobs together may have left"
#define HEAD_GRP_TRES .names = "GrpTRES:7", .heading = "GrpTRES", .width = 13, .help = "TRES all jobs together may use"
#define HEAD_GRP_TRES_MINS .names = "GrpTRESMins:7", .heading = "GrpTRESMins", .width = 13, .help = "TRES minutes all jobs together may use"
#define HEAD_GRP_TRES_RUN_MINS .names = "GrpTRESRunMins:7", .heading = "GrpTRESRunMins", .width = 13, .help = "TRES minutes running jobs together may have left"
#define HEAD_GRP_JOBS .names = "GrpJobs:4", .heading = "GrpJobs", .width = 7, .help = "jobs that may run at once"
#define HEAD_GRP_JOBS_ACCRUE .names = "GrpJobsAccrue:8", .heading = "GrpJobsAccrue", .width = 13, .help = "pending jobs that may gain age priority at once"
#define HEAD_GRP_MEMORY .names = "GrpMemory:4", .heading = "GrpMem", .width = 7, .help = "memory (MiB) all jobs together may use"
#define HEAD_GRP_NODES .names = "GrpNodes:4", .heading = "GrpNodes", .width = 8, .help = "nodes all jobs together may use"
#define HEAD_GRP_SUBMIT_JOBS .names = "GrpSubmitJobs:4", .heading = "GrpSubmit", .width = 9, .help = "jobs that may be pending or running at once"
#define HEAD_GRP_WALL .names = "GrpWall:4", .heading = "GrpWall", .width = 11, .help = "wall time all jobs together may use"
#define HEAD_ID .names = "ID:2", .heading = "ID", .width = 6, .help = "number"
#define HEAD_INFO .names = "Info:3", .heading = "Info", .width = 20, .help = "what was changed"
#define HEAD_INSTANCE_ID .names = "InstanceId:9", .heading = "InstanceId", .width = 20, .help = "cloud instance"
#define HEAD_INSTANCE_TYPE .names = "InstanceType:9", .heading = "InstanceType", .width = 20, .help = "type of cloud instance"
#define HEAD_LINEAGE .names = "Lineage:1", .heading = "Lineage", .width = -20, .help = "path from the root"
#define HEAD_SERVER_TYPE .names = "ServerType:10", .heading = "ServerType", .width = 10, .help = "kind of license server"
#define HEAD_MAX_CPU_MINS_PER_JOB .names = "MaxCPUMinsPerJob:7", .heading = "MaxCPUMins", .width = 11, .help = "CPU minutes of one job"
#define HEAD_MAX_CPU_RUN_MINS_PER_USER .names = "MaxCPURunMinsPerUser:7 MaxCPURunMinsPU:7", .heading = "MaxCPURunMinsPU", .width = 15, .help = "CPU minutes the running jobs of a user may have left"
#define HEAD_MAX_CPUS_PER_JOB .names = "MaxCPUsPerJob:7", .heading = "MaxCPUs", .width = 8, .help = "CPUs of one job"
#define HEAD_MAX_CPUS_PER_USER .names = "MaxCPUsPerUser:11 MaxCPUsPU:9", .heading = "MaxCPUsPU", .width = 9, .help = "CPUs of one user"
#define HEAD_MAX_TRES_PER_JOB .names = "MaxTRES:7 MaxTRESPJ:9 MaxTRESPerJob:11", .heading = "MaxTRES", .width = 13, .help = "TRES of one job"
#define HEAD_MAX_TRES_PER_NODE .names = "MaxTRESPerNode:11 MaxTRESPN:9", .heading = "MaxTRESPerNode", .width = 14, .help = "TRES of one job on one node"
#define HEAD_MAX_TRES_MINS_PER_JOB .names = "MaxTRESMinsPerJob:8 MaxTRESMinsPJ:13", .heading = "MaxTRESMins", .width = 13, .help = "TRES minutes of one job"
#define HEAD_MAX_TRES_RUN_MINS_PER_ACCOUNT .names = "MaxTRESRunMinsPerAccount:18 MaxTRESRunMinsPerAcct:18 MaxTRESRunMinsPA:15", .heading = "MaxTRESRunMinsPA", .width = 16, .help = "TRES minutes the running jobs of an account may have left"
#define HEAD_MAX_TRES_RUN_MINS_PER_USER .names = "MaxTRESRunMinsPerUser:8 MaxTRESRunMinsPU:8", .heading = "MaxTRESRunMinsPU", .width = 16, .help = "TRES minutes the running jobs of a user may have left"
#define HEAD_MAX_TRES_PER_ACCOUNT .names = "MaxTRESPerAccount:11 MaxTRESPerAcct:11 MaxTRESPA:9", .heading = "MaxTRESPA", .width = 13, .help = "TRES of one account"
#define HEAD_MAX_TRES_PER_USER .names = "MaxTRESPerUser:11 MaxTRESPU:9", .heading = "MaxTRESPU", .width = 13, .help = "TRES of one user"
#define HEAD_MAX_JOBS .names = "MaxJobs:4", .heading = "MaxJobs", .width = 7, .help = "jobs of one user that may run at once"
#define HEAD_MAX_JOBS_ACCRUE .names = "MaxJobsAccrue:4", .heading = "MaxJobsAccrue", .width = 13, .help = "pending jobs of one user that may gain age priority"
#define HEAD_MAX_JOBS_ACCRUE_PER_ACCOUNT .names = "MaxJobsAccruePerAccount:17 MaxJobsAccruePerAcct:17 MaxJobsAccruePA:15", .heading = "MaxJobsAccruePA", .width = 15, .help = "pending jobs of one account that may gain age priority"
#define HEAD_MAX_JOBS_ACCRUE_PER_USER .names = "MaxJobsAccruePerUser:17 MaxJobsAccruePU:15", .heading = "MaxJobsAccruePU", .width = 15, .help = "pending jobs of one user that may gain age priority"
#define HEAD_MAX_JOBS_PER_ACCOUNT .names = "MaxJobsPerAccount:11 MaxJobsPerAcct:11 MaxJobsPA:9", .heading = "MaxJobsPA", .width = 9, .help = "jobs of one account that may run at once"
#define HEAD_MAX_JOBS_PER_USER .names = "MaxJobsPerUser:11 MaxJobsPU:9", .heading = "MaxJobsPU", .width = 9, .help = "jobs of one user that may run at once"
#define HEAD_MAX_NODES_PER_JOB .names = "MaxNodesPerJob:4", .heading = "MaxNodes", .width = 8, .help = "nodes of one job"
#define HEAD_MAX_NODES_PER_USER .names = "MaxNodesPerUser:12 MaxNodesPU:10", .heading = "MaxNodesPU", .width = 10, .help = "nodes of one user"
#define HEAD_MIN_PRIO_THRESH .names = "MinPrioThreshold:4", .heading = "MinPrioThres", .width = 12, .help = "priority a job needs for a reservation"
#define HEAD_MAX_SUBMIT_JOBS .names = "MaxSubmitJobs:4", .heading = "MaxSubmit", .width = 9, .help = "jobs of one user that may be pending or running"
#define HEAD_MAX_SUBMIT_JOBS_PER_ACCOUNT .names = "MaxSubmitJobsPerAccount:17 MaxSubmitJobsPerAcct:17 MaxSubmitJobsPA:15 MaxSubmitPA:11", .heading = "MaxSubmitPA", .width = 11, .help = "jobs of one account that may be pending or running"
#define HEAD_MAX_SUBMIT_JOBS_PER_USER .names = "MaxSubmitJobsPerUser:10 MaxSubmitJobsPU:10 MaxSubmitPU:6", .heading = "MaxSubmitPU", .width = 11, .help = "jobs of one user that may be pending or running"
#define HEAD_MAX_WALL .names = "MaxWallDurationPerJob:4", .heading = "MaxWall", .width = 11, .help = "time limit of one job"
#define HEAD_MIN_CPUS_PER_JOB .names = "MinCPUsPerJob:7", .heading = "MinCPUs", .width = 8, .help = "CPUs a job must ask for"
#define HEAD_MIN_TRES_PER_JOB .names = "MinTRESPerJob:7", .heading = "MinTRES", .width = 13, .help = "TRES a job must ask for"
#define HEAD_NAME .names = "Name:2", .heading = "Name", .width = 10, .help = "name"
#define HEAD_NODE_COUNT .names = "NodeCount:5", .heading = "NodeCount", .width = 9, .help = "number of nodes"
#define HEAD_NODE_INX .names = "NodeInx:5", .heading = "NodeInx", .width = 9, .help = "nodes by index"
#define HEAD_NODE_NAME .names = "NodeNames:5", .heading = "NodeName", .width = -15, .help = "nodes"
#define HEAD_ORGANIZATION .names = "Organization:1", .heading = "Org", .width = 20, .help = "organization"
#define HEAD_PARENT_ID .names = "ParentID:7", .heading = "ParentID", .width = 8, .help = "number of the parent association"
#define HEAD_PARENT_NAME .names = "ParentName:7", .heading = "ParentName", .width = 10, .help = "parent account"
#define HEAD_PARTITION .names = "Partition:4", .heading = "Partition", .width = 10, .help = "partition"
#define HEAD_PREEMPT_MODE .names = "PreemptMode:8", .heading = "PreemptMode", .width = 11, .help = "how its jobs are preempted"
#define HEAD_PREEMPT .names = "Preempt:7", .heading = "Preempt", .width = 10, .help = "QOS it may preempt"
#define HEAD_PREEMPT_EXEMPT_TIME .names = "PreemptExemptTime:8", .heading = "PreemptExemptTime", .width = 19, .help = "run time before a job may be preempted"
#define HEAD_PRIORITY .names = "Priority:3", .heading = "Priority", .width = 10, .help = "priority"
#define HEAD_PROBLEM .names = "Problem:1", .heading = "Problem", .width = 40, .help = "what is wrong"
#define HEAD_QOS .names = "QOSLevel:3", .heading = "QOS", .width = 20, .help = "QOS that may be used"
#define HEAD_QOS_RAW .names = "QOSRAWLevel:4", .heading = "QOS_RAW", .width = 10, .help = "QOS as stored, by number"
#define HEAD_REASON .names = "Reason:1", .heading = "Reason", .width = 30, .help = "reason"
#define HEAD_RPC .names = "RPC:1", .heading = "RPC", .width = 5, .help = "protocol version of the controller"
#define HEAD_SERVER .names = "Server:3", .heading = "Server", .width = 10, .help = "license server"
#define HEAD_SHARE .names = "Share:1 FairShare:2", .heading = "Share", .width = 9, .help = "fair-share shares"
#define HEAD_STATE_RAW .names = "StateRaw:6", .heading = "StateRaw", .width = 8, .help = "state as a number"
#define HEAD_STATE .names = "State:1", .heading = "State", .width = 6, .help = "state"
#define HEAD_CHANGE .names = "Change:6", .heading = "Change", .width = 6, .help = "the commit it belongs to, for undo"
#define HEAD_UNDONE .names = "Undone:5", .heading = "Undone", .width = 6, .help = "the change that has undone it"
#define HEAD_TIME_STAMP .names = "TimeStamp:2", .heading = "Time", .width = 19, .help = "when it was done"
#define HEAD_TIME_ELIGIBLE .names = "TimeEligible:6 Eligible:2", .heading = "TimeEligible", .width = 19, .help = "when the job could first run"
#define HEAD_TIME_END .names = "TimeEnd:6 End:2", .heading = "TimeEnd", .width = 19, .help = "end"
#define HEAD_TIME_START .names = "TimeStart:7 Start:3", .heading = "TimeStart", .width = 19, .help = "start"
#define HEAD_TIME_SUBMIT .names = "TimeSubmit:6 Submit:2", .heading = "TimeSubmit", .width = 19, .help = "when the job was submitted"
#define HEAD_TYPE .names = "Type:2", .heading = "Type", .width = 8, .help = "type"
#define HEAD_UNUSED_WALL .names = "UnusedWall:2", .heading = "UnusedWall", .width = 10, .help = "reserved time nobody used"
#define HEAD_USAGE_FACTOR .names = "UsageFactor:6", .heading = "UsageFactor", .width = 11, .help = "multiplies what jobs are charged"
#define HEAD_USAGE_THRESHOLD .names = "UsageThreshold:6", .heading = "UsageThres", .width = 10, .help = "lowest fair-share factor that may use it"
#define HEAD_LIMIT_FACTOR .names = "LimitFactor:6", .heading = "LimitFactor", .width = 11, .help = "multiplies the limits of associations"
#define HEAD_ALLOCATED .names = "Allocated:7", .heading = "Allocated", .width = 9, .help = "sum of what clusters may use"
#define HEAD_LAST_CONSUMED .names = "LastConsumed:8", .heading = "LastConsumed", .width = 12, .help = "units in use when last reported"
#define HEAD_USER .names = "User:1", .heading = "User", .width = 10, .help = "user"
#define HEAD_WCKEY .names = "WCKeys:2", .heading = "WCKeys", .width = 20, .help = "wckey"
#define HEAD_WHERE .names = "Where:2", .heading = "Where", .width = 20, .help = "what it was done to"

#define SACCTMGR_FIELDS(X) \
	X(ACCOUNT) X(ACTION_RAW) X(ACTION) X(ACTOR) X(ADMIN_LEVEL) X(ALLOWED) \
	X(ASSOCS) X(TRES) X(CLASSIFICATION) X(CLUSTER_NODES) X(CLUSTER) \
	X(COORDINATORS) X(COMMENT) X(CONTROL_HOST) X(CONTROL_PORT) X(COUNT) \
	X(COUNT_ALLOWED) X(COUNT_USED) X(CPU_COUNT) X(DEFAULT_ACCOUNT) X(DEFAULT_QOS) \
	X(DEFAULT_WCKEY) X(DESCRIPTION) X(DURATION) X(EVENT_RAW) X(EVENT) X(EXTRA) \
	X(FEATURES) X(FEDERATION) X(FED_STATE) X(FED_STATE_RAW) X(FLAGS) X(GRACE_TIME) \
	X(GRP_CPUS) X(GRP_CPU_MINS) X(GRP_CPU_RUN_MINS) X(GRP_TRES) X(GRP_TRES_MINS) \
	X(GRP_TRES_RUN_MINS) X(GRP_JOBS) X(GRP_JOBS_ACCRUE) X(GRP_MEMORY) X(GRP_NODES) \
	X(GRP_SUBMIT_JOBS) X(GRP_WALL) X(ID) X(INFO) X(INSTANCE_ID) X(INSTANCE_TYPE) \
	X(LINEAGE) X(SERVER_TYPE) X(MAX_CPU_MINS_PER_JOB) X(MAX_CPU_RUN_MINS_PER_USER) \
	X(MAX_CPUS_PER_JOB) X(MAX_CPUS_PER_USER) X(MAX_TRES_PER_JOB) \
	X(MAX_TRES_PER_NODE) X(MAX_TRES_MINS_PER_JOB) X(MAX_TRES_RUN_MINS_PER_ACCOUNT) \
	X(MAX_TRES_RUN_MINS_PER_USER) X(MAX_TRES_PER_ACCOUNT) X(MAX_TRES_PER_USER) \
	X(MAX_JOBS) X(MAX_JOBS_ACCRUE) X(MAX_JOBS_ACCRUE_PER_ACCOUNT) \
	X(MAX_JOBS_ACCRUE_PER_USER) X(MAX_JOBS_PER_ACCOUNT) X(MAX_JOBS_PER_USER) \
	X(MAX_NODES_PER_JOB) X(MAX_NODES_PER_USER) X(MIN_PRIO_THRESH) \
	X(MAX_SUBMIT_JOBS) X(MAX_SUBMIT_JOBS_PER_ACCOUNT) X(MAX_SUBMIT_JOBS_PER_USER) \
	X(MAX_WALL) X(MIN_CPUS_PER_JOB) X(MIN_TRES_PER_JOB) X(NAME) X(NODE_COUNT) \
	X(NODE_INX) X(NODE_NAME) X(ORGANIZATION) X(PARENT_ID) X(PARENT_NAME) \
	X(PARTITION) X(PREEMPT_MODE) X(PREEMPT) X(PREEMPT_EXEMPT_TIME) X(PRIORITY) \
	X(PROBLEM) X(QOS) X(QOS_RAW) X(REASON) X(RPC) X(SERVER) X(SHARE) X(STATE_RAW) \
	X(STATE) X(TIME_STAMP) X(TIME_ELIGIBLE) X(TIME_END) X(TIME_START) \
	X(TIME_SUBMIT) X(TYPE) X(UNUSED_WALL) X(USAGE_FACTOR) X(USAGE_THRESHOLD) \
	X(LIMIT_FACTOR) X(ALLOCATED) X(LAST_CONSUMED) X(USER) X(WCKEY) X(WHERE) \
	X(CHANGE) X(UNDONE)
/* clang-format on */

/* The columns above, in order. `json` of a row is the name of its macro without
 * HEAD_: "GRP_JOBS". */
extern const struct members sacctmgr_fields;

/* Is this row of sacctmgr_fields the column with that macro name ("GRP_JOBS")? */
bool field_is(const struct member *field, const char *name);

/*
 * The name of a field in JSON, where its row gives no path: for a column of
 * SACCTMGR_FIELDS its macro name in lower case ("max_tres"), else its column in
 * the store, else its heading in lower_snake_case. In the arena.
 */
const char *field_member(const struct member *field, struct arena *arena);

/* The member with the same names as `field`; NULL: the record has none. */
const struct member *field_of(
	const struct members *, const struct member *field);

/*
 * Reads one `name[%width]`: the first of the fields whose names match, or NULL.
 * `*width` gets the width; the field's own where none or 0 is given, or one
 * beyond 100000 either way. A negative width left-justifies.
 */
const struct member *field_choose(
	const struct members *fields, const char *text, int *width);

/* Getters for members that are printed in another form than they are kept in.
 * A comma list of flags as its words; "" and "None" have no words. */
struct value get_flags(
	const struct member *, const void *record, struct arena *);
/* An empty list: for members that Slurm prints and Bursar never fills. */
struct value get_nothing(
	const struct member *, const void *record, struct arena *);
/* A bool as a list of words: DELETED where it is true, else empty. */
struct value get_deleted(
	const struct member *, const void *record, struct arena *);
/* The count of the TRES whose id is `arg` in a struct tres_list. */
struct value get_tres_count(
	const struct member *, const void *record, struct arena *);
