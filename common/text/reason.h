/*
 * Reasons why a job is pending, by Slurm's names (Slurm's
 * src/common/job_state_reason.c). A reason is a number: of enum reason, or for
 * a limit on a TRES one that reason_of_tres() returns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/text/tres.h"

/* X(name of the constant, Slurm's name, what a job with it waits for). Holds are
 * those from JobHeldAdmin to BurstBufferOperation. Of all from BadConstraints to
 * there and from Prolog to the last before AccountingPolicy only a controller
 * knows: a store has them as text, and a job waits until it says otherwise. Of
 * the others a pass knows, or they tell of a run that has ended. */
/* clang-format off */
#define REASONS(X) \
	X(NONE, "None", "nothing that is known: nobody looked at it yet") \
	X(PRIORITY, "Priority", \
		"its turn: a job of higher priority comes first") \
	X(DEPENDENCY, "Dependency", "another job, on which it depends") \
	X(DEPENDENCY_NEVER, "DependencyNeverSatisfied", \
		"a change: the job it depends on did not end as it should " \
		"have") \
	X(RESOURCES, "Resources", "nodes to become free") \
	X(NODES_DOWN, \
		"Nodes required for job are DOWN, DRAINED or reserved for " \
		"jobs in higher priority partitions", \
		"nodes to come up: too few are") \
	X(PARTITION_NODE_LIMIT, "PartitionNodeLimit", \
		"a change: it asks for more or fewer nodes than its " \
		"partition allows") \
	X(PARTITION_TIME_LIMIT, "PartitionTimeLimit", \
		"a change: it asks for more time than its partition allows") \
	X(PARTITION_DOWN, "PartitionDown", \
		"its partition to come up: it starts nothing now") \
	X(PARTITION_INACTIVE, "PartitionInactive", \
		"its partition to come up: it takes and starts nothing now") \
	X(PARTITION_CONFIG, "PartitionConfig", \
		"a change: no nodes of its partition could ever hold it") \
	X(HELD_ADMIN, "JobHeldAdmin", \
		"an administrator, who holds it, to release it") \
	X(HELD_USER, "JobHeldUser", "its user, who holds it, to release it") \
	X(BAD_CONSTRAINTS, "BadConstraints", \
		"a change: no node has what it asks for") \
	X(MAX_REQUEUE, "JobHoldMaxRequeue", \
		"its user or an administrator to release it: it was " \
		"requeued as often as is allowed") \
	X(RESERVATION_DELETED, "ReservationDeleted", \
		"a change: its reservation was deleted") \
	X(RESERVATION_INVALID, "ReservationInvalid", \
		"a change: it may not use its reservation") \
	X(BB_OPERATION, "BurstBufferOperation", \
		"a change: what it asks of the burst buffer failed") \
	X(BEGIN_TIME, "BeginTime", "its begin time") \
	X(LICENSES, "Licenses", "licenses to become free") \
	X(NODE_NOT_AVAIL, "ReqNodeNotAvail", \
		"a node it names to be available") \
	X(RESERVATION, "Reservation", "its reservation") \
	X(TIME_LIMIT, "TimeLimit", "ran into its time limit") \
	X(NODE_DOWN, "NodeDown", "its node failed") \
	X(NON_ZERO_EXIT, "NonZeroExitCode", "ended with an exit code") \
	X(RAISED_SIGNAL, "RaisedSignal", "ended by a signal") \
	X(OUT_OF_MEMORY, "OutOfMemory", "used too much memory") \
	X(DEADLINE, "DeadLine", "missed its deadline") \
	X(LAUNCH, "JobLaunchFailure", \
		"could not be launched: its program, its directory or a " \
		"file system failed") \
	X(SYSTEM, "SystemFailure", \
		"ended by a failure of Slurm, the network or a file " \
		"system") \
	X(INACTIVE_LIMIT, "InactiveLimit", \
		"ended: its salloc or srun gave no sign of life for too " \
		"long") \
	X(DEFER, "SchedDefer", \
		"could not start at once, as it asked: no job is tried " \
		"when it is submitted") \
	X(CONSTRAINTS, "Constraints", \
		"nodes with what it asks for: they are not available now") \
	X(INVALID_ACCOUNT, "InvalidAccount", \
		"a change: its association is gone") \
	X(INVALID_QOS, "InvalidQOS", \
		"a change: it may not use its QOS any more") \
	X(QOS_NOT_ALLOWED, "QOSNotAllowed", \
		"a change: its partition refuses the QOS") \
	X(ACCOUNT_NOT_ALLOWED, "AccountNotAllowed", \
		"a change: its partition refuses the account") \
	X(PARTITION_ACCOUNT, "PartitionConfig", /* as slurmctld says it */ \
		"a change: its partition refuses the account") \
	X(PARTITION_GROUPS, "AccountNotAllowed", \
		"a change: its partition refuses the groups of its user") \
	X(ARRAY_TASK_LIMIT, "JobArrayTaskLimit", \
		"a task of its array to end: no more may run at once") \
	X(PROLOG, "Prolog", "its nodes to be made ready: a prolog runs there") \
	X(CLEANING, "Cleaning", \
		"what is left of its former run to be cleared away") \
	X(MAX_MEM, "MaxMemPerLimit", \
		"a change: it asks for more memory of a node or CPU " \
		"than its partition allows") \
	X(BB_RESOURCES, "BurstBufferResources", \
		"room in the burst buffer to become free") \
	X(BB_STAGE_IN, "BurstBufferStageIn", \
		"its files to be copied to the burst buffer") \
	X(FED_JOB_LOCK, "FedJobLock", \
		"another cluster of the federation, which tries to " \
		"start it") \
	X(MAX_POWERED_UP, "MaxPoweredUpNodes", \
		"a node to be powered down: no more may be powered up") \
	X(MPI_PORTS, "MpiPortsBusy", \
		"ports for MPI to become free on its nodes") \
	X(IMEX, "NvidiaImexChannels", \
		"an IMEX channel of NVIDIA to become free") \
	X(RECORDED, "Recorded", "what only its controller knows") \
	X(ACCOUNTING_POLICY, "AccountingPolicy", \
		"a limit of its QOS or association, which Slurm does " \
		"not name") \
	X(ASSOC_JOBS_OLD, "AssociationJobLimit", \
		"a job of its association to end: no more may run at once") \
	X(ASSOC_RESOURCES_OLD, "AssociationResourceLimit", \
		"jobs of its association to end: with it they would use " \
		"more than they may") \
	X(ASSOC_TIME_OLD, "AssociationTimeLimit", \
		"usage to decay: its association has used the time it " \
		"may") \
	X(QOS_JOBS_OLD, "QOSJobLimit", \
		"a job under its QOS to end: no more may run at once") \
	X(QOS_RESOURCES_OLD, "QOSResourceLimit", \
		"jobs under its QOS to end: with it they would use more " \
		"than they may") \
	X(QOS_TIME_OLD, "QOSTimeLimit", \
		"usage to decay: its QOS has used the time it may") \
	X(QOS_USAGE_THRESHOLD, "QOSUsageThreshold", \
		"its fair-share to rise: it is below the threshold of its " \
		"QOS") \
	X(QOS_GRP_JOBS, "QOSGrpJobsLimit", \
		"a job under its QOS to end: no more may run at once") \
	X(QOS_GRP_SUBMIT, "QOSGrpSubmitJobsLimit", \
		"a job under its QOS to end: no more may be submitted") \
	X(QOS_GRP_WALL, "QOSGrpWallLimit", \
		"usage to decay: its QOS has used the wall time it may") \
	X(QOS_MAX_WALL, "QOSMaxWallDurationPerJobLimit", \
		"a change: it asks for more time than its QOS allows") \
	X(QOS_MAX_JOBS_PU, "QOSMaxJobsPerUserLimit", \
		"a job of its user under this QOS to end: no more may run at once") \
	X(QOS_MAX_JOBS_PA, "MaxJobsPerAccount", \
		"a job of its account under this QOS to end: no more may run at once") \
	X(QOS_MAX_SUBMIT_PU, "QOSMaxSubmitJobPerUserLimit", \
		"a job of its user under this QOS to end: no more may be submitted") \
	X(QOS_MAX_SUBMIT_PA, "MaxSubmitJobsPerAccount", \
		"a job of its account under this QOS to end: no more may be submitted") \
	X(ASSOC_GRP_JOBS, "AssocGrpJobsLimit", \
		"a job of its account, or below one above, to end: no more may run at once") \
	X(ASSOC_GRP_SUBMIT, "AssocGrpSubmitJobsLimit", \
		"a job of its account, or below one above, to end: no more may be submitted") \
	X(ASSOC_GRP_WALL, "AssocGrpWallLimit", \
		"usage to decay: its account, or one above, has used the " \
		"wall time it may") \
	X(ASSOC_MAX_JOBS, "AssocMaxJobsLimit", \
		"a job of its user in this account to end: no more may run at once") \
	X(ASSOC_MAX_SUBMIT, "AssocMaxSubmitJobLimit", \
		"a job of its user in this account to end: no more may be submitted") \
	X(ASSOC_MAX_WALL, "AssocMaxWallDurationPerJobLimit", \
		"a change: it asks for more time than its association " \
		"allows")
/* clang-format on */

enum reason {
#define X(id, name, help) REASON_##id,
	REASONS(X)
#undef X
		REASON_TRES, /* from here on: limits on a TRES */
};

/* Which limit on a TRES: of an association or a QOS; GRP: of all its jobs
 * together, MAX and MIN: of a job (PJ), a node of it (PN), a user (PU), an
 * account (PA); MINS: TRES minutes, RUN_MINS: those that running jobs may still
 * use. */
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
	REASON_TRES_KINDS, /* number of these limits */
};

/* The reason that names this limit on the TRES with that id. */
unsigned reason_of_tres(
	enum reason_tres, uint32_t tres, const struct tres_catalog *);

/* Slurm's name, such as "QOSGrpCpuLimit"; "None" for an unknown number. */
const char *reason_name(unsigned reason);

/* The reason that Slurm calls so, as a store has it of a controller; REASON_NONE:
 * none. */
unsigned reason_by_name(const char *name);

/* What a job waits for by that text of a controller, where no pass knows better;
 * an unknown word is REASON_RECORDED. */
unsigned reason_recorded(const char *text);

/* Is it a hold, for which slurmctld gives the job priority 0? */
bool reason_is_hold(unsigned reason);

/* A controller may say more of one: "ReqNodeNotAvail, UnavailableNodes:n7". Does
 * the text? */
bool reason_says_more(const char *text, const char *name);

/* The reason alone, in the arena. */
const char *reason_alone(const char *text, struct arena *);

/* What a job with this reason waits for, in words for its user; "a change: ..."
 * if waiting alone does not help. A constant, or in the arena. */
const char *reason_help(unsigned reason, struct arena *);

/* Does waiting alone not help? */
bool reason_needs_change(unsigned reason);

/* Is it a limit of a QOS or an association? A job with such a reason lets jobs
 * of lower priority start, unless SchedulerParameters has assoc_limit_stop. */
bool reason_is_limit(unsigned reason);

/* Is it a limit on all jobs of a QOS together? */
bool reason_is_qos_group(unsigned reason);

/* reason_name(), but for JSON "Resources" in place of the one name that is a
 * sentence. */
const char *reason_word(unsigned reason);

/* All that Slurm 26.05 has, those of limits on a TRES too; ends with NULL. */
extern const char *const reason_words[];

/* The reason with that number, as slurm_acct_db has it; "": none has it. */
const char *reason_by_number(uint32_t number);
