/*
 * Why a job waits: Slurm's names (spec/priority.md 8.4). A reason is a number:
 * one of enum reason, or one of a limit on a TRES, made by reason_of_tres().
 */
#ifndef BURSAR_REASON_H
#define BURSAR_REASON_H

#include <stdbool.h>
#include <stdint.h>

#include "common/tres.h"

/* X(name of the constant, Slurm's name, what it says to a user) */
/* clang-format off */
#define REASONS(X) \
	X(NONE, "None", "nothing holds it back, or nobody looked at it yet") \
	X(PRIORITY, "Priority", "a job of higher priority comes first") \
	X(DEPENDENCY, "Dependency", "waits for another job") \
	X(DEPENDENCY_NEVER, "DependencyNeverSatisfied",                        \
		"the job it waits for did not end as it should")               \
	X(RESOURCES, "Resources", "waits for nodes to become free") \
	X(NODES_DOWN, \
		"Nodes required for job are DOWN, DRAINED or reserved for " \
		"jobs in higher priority partitions", "too few nodes are up") \
	X(PARTITION_NODE_LIMIT, "PartitionNodeLimit", \
		"asks for more or fewer nodes than its partition allows") \
	X(PARTITION_TIME_LIMIT, "PartitionTimeLimit", \
		"asks for more time than its partition allows") \
	X(PARTITION_DOWN, "PartitionDown", "its partition starts nothing") \
	X(PARTITION_INACTIVE, "PartitionInactive", \
		"its partition takes and starts nothing") \
	X(PARTITION_CONFIG, "PartitionConfig", \
		"no nodes of its partition could ever hold it") \
	X(HELD_ADMIN, "JobHeldAdmin", "held by an administrator") \
	X(HELD_USER, "JobHeldUser", "held by its user") \
	X(BEGIN_TIME, "BeginTime", "its begin time has not come") \
	X(LICENSES, "Licenses", "waits for licenses") \
	X(NODE_NOT_AVAIL, "ReqNodeNotAvail", "a node it names is not there") \
	X(RESERVATION, "Reservation", "waits for its reservation") \
	X(BAD_CONSTRAINTS, "BadConstraints", "can never be satisfied") \
	X(TIME_LIMIT, "TimeLimit", "ran into its time limit") \
	X(NODE_DOWN, "NodeDown", "its node failed") \
	X(NON_ZERO_EXIT, "NonZeroExitCode", "ended with an exit code") \
	X(RAISED_SIGNAL, "RaisedSignal", "ended by a signal") \
	X(OUT_OF_MEMORY, "OutOfMemory", "used too much memory") \
	X(DEADLINE, "DeadLine", "missed its deadline") \
	X(INVALID_ACCOUNT, "InvalidAccount", "its association is gone") \
	X(INVALID_QOS, "InvalidQOS", "it may not use its QOS any more") \
	X(QOS_NOT_ALLOWED, "QOSNotAllowed", "its partition refuses the QOS") \
	X(ACCOUNT_NOT_ALLOWED, "AccountNotAllowed", \
		"its partition refuses the account") \
	X(ARRAY_TASK_LIMIT, "JobArrayTaskLimit", \
		"as many tasks of its array run as may") \
	X(QOS_USAGE_THRESHOLD, "QOSUsageThreshold", \
		"fair-share factor below the threshold of its QOS") \
	X(QOS_GRP_JOBS, "QOSGrpJobsLimit", "jobs of the QOS") \
	X(QOS_GRP_SUBMIT, "QOSGrpSubmitJobsLimit", "submitted to the QOS") \
	X(QOS_GRP_WALL, "QOSGrpWallLimit", "wall time of the QOS") \
	X(QOS_MAX_WALL, "QOSMaxWallDurationPerJobLimit", \
		"time limit against that of the QOS") \
	X(QOS_MAX_JOBS_PU, "QOSMaxJobsPerUserLimit", \
		"jobs of the user in the QOS") \
	X(QOS_MAX_JOBS_PA, "MaxJobsPerAccount", \
		"jobs of the account in the QOS") \
	X(QOS_MAX_SUBMIT_PU, "QOSMaxSubmitJobPerUserLimit", \
		"submitted by the user to the QOS") \
	X(QOS_MAX_SUBMIT_PA, "MaxSubmitJobsPerAccount", \
		"submitted by the account to the QOS") \
	X(ASSOC_GRP_JOBS, "AssocGrpJobsLimit", "jobs of the association") \
	X(ASSOC_GRP_SUBMIT, "AssocGrpSubmitJobsLimit", \
		"submitted in the association") \
	X(ASSOC_GRP_WALL, "AssocGrpWallLimit", \
		"wall time of the association") \
	X(ASSOC_MAX_JOBS, "AssocMaxJobsLimit", "jobs of the user") \
	X(ASSOC_MAX_SUBMIT, "AssocMaxSubmitJobLimit", \
		"submitted by the user") \
	X(ASSOC_MAX_WALL, "AssocMaxWallDurationPerJobLimit", \
		"time limit against that of the association")
/* clang-format on */

enum reason {
#define X(id, name, help) REASON_##id,
	REASONS(X)
#undef X
		REASON_TRES, /* from here on: limits on a TRES */
};

/* Which limit on a TRES. */
enum reason_tres {
	REASON_ASSOC_GRP,
	REASON_ASSOC_GRP_MINS,
	REASON_ASSOC_GRP_RUN_MINS,
	REASON_ASSOC_MAX_PJ,
	REASON_ASSOC_MAX_PN,
	REASON_ASSOC_MAX_MINS_PJ,
	REASON_QOS_GRP,
	REASON_QOS_GRP_MINS,
	REASON_QOS_GRP_RUN_MINS,
	REASON_QOS_MAX_PJ,
	REASON_QOS_MAX_PN,
	REASON_QOS_MAX_PU,
	REASON_QOS_MAX_PA,
	REASON_QOS_MAX_MINS_PJ,
	REASON_QOS_MAX_RUN_MINS_PA,
	REASON_QOS_MAX_RUN_MINS_PU,
	REASON_QOS_MIN_PJ,
	REASON_TRES_KINDS,
};

/* The reason that names that limit and TRES. */
unsigned reason_of_tres(
	enum reason_tres, uint32_t tres, const struct tres_catalog *);

/* "QOSGrpCpuLimit"; "None" for a number that is none. */
const char *reason_name(unsigned reason);

/* What it says to a user; of a limit: what is counted. */
const char *reason_help(unsigned reason);

/* Is it a limit of a QOS or an association? Such a job lets others pass. */
bool reason_is_limit(unsigned reason);

/* The same name as a short word where the name is a sentence (JSON). */
const char *reason_word(unsigned reason);

#endif
