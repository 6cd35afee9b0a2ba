/*
 * The keys of slurm.conf that scontrol show config shows, in the order of Slurm
 * 26.05 (src/api/config_info.c), with its defaults (src/common/read_config.c).
 * A table only: what is done with a row is in config.c.
 */
#include "cmd/scontrol/config.h"

#include <stddef.h>

#include "common/base/version.h"

/* clang-format off */
#define PLAIN(name) {name, TEXT, NULL, NULL}
#define SITE(name) {name, SITE, NULL, NULL}

/* Words in the order and letters in which Slurm shows them. Behind colons:
 * what means the same, or implies it. */
static const char enforce_words[] = "associations:1:limits:2:safe:wckeys:qos:all "
	"limits:2:safe:all nojobs nosteps:nojobs qos:all safe:all wckeys:all";
static const char governors[] =
	"Conservative OnDemand Performance PowerSave SchedUtil UserSpace";
static const char debug_flags[] = "Accrue JobAccountGather:JAG Agent AuditRPCs AuditTLS "
	"Backfill BackfillMap BurstBuffer Cgroup CpuFrequency CPU_Bind Data DBD_Agent "
	"DB_Archive DB_Assoc DB_TRES DB_Event DB_Job DB_QOS DB_Query DB_Reservation DB_Resource "
	"DB_Step DB_Usage DB_WCKey Dependency Energy Federation Gang GLOB_SILENCE Gres Hetjob "
	"Interconnect JobComp:Elasticsearch Namespace:JobContainer NodeFeatures License Metrics "
	"MPI Network:Net NetworkRaw:NetRaw NO_CONF_HASH Power:PowerSave Priority Profile "
	"Protocol Reservation Route Sack Script SelectType Steps Switch thread:threads:workqueue:workq "
	"TLS TraceJobs Triggers:Trigger ConMgr";
static const char debug_levels[] = "quiet:0 fatal:1 error:2 info:3 verbose:4 debug:5 "
	"debug2:6 debug3:7 debug4:8 debug5:9";
static const char health_states[] =
	"CYCLE ANY IDLE ALLOC MIXED NONDRAINED_IDLE REBOOT_ONLY START_ONLY";
static const char log_formats[] =
	"iso8601_ms iso8601 rfc5424_ms rfc5424 rfc3339 clock short thread_id";
static const char priority_flags[] = "ACCRUE_ALWAYS SMALL_RELATIVE_TO_TIME "
	"CALCULATE_RUNNING DEPTH_OBLIVIOUS NO_FAIR_TREE:DEPTH_OBLIVIOUS INCR_ONLY MAX_TRES "
	"MAX_TRES_GRES NO_NORMAL_ALL NO_NORMAL_ASSOC NO_NORMAL_PART NO_NORMAL_QOS NO_NORMAL_TRES";
static const char private_data[] = "accounts:account:all events:event:all jobs:job:all "
	"nodes:node:all partitions:partition:all reservations:reservation:all usage:all "
	"users:user:all";
static const char prolog_flags[] = "Alloc:Contain:RunInJob:DeferBatch:NoHold:"
	"ForceRequeueOnFail:X11 Contain:RunInJob:X11 RunInJob DeferBatch NoHold "
	"ForceRequeueOnFail Serial X11";
static const char select_words[] = "CR_CPU_MEMORY CR_CORE_MEMORY CR_SOCKET_MEMORY CR_CPU "
	"CR_CORE CR_SOCKET CR_MEMORY CR_ONE_TASK_PER_CORE CR_NO_DIST_TOPO_BLOCK "
	"CR_CORE_DEFAULT_DIST_BLOCK CR_LLN CR_PACK_NODES LL_SHARED_GRES "
	"MULTIPLE_SHARING_GRES_PJ ENFORCE_BINDING_GRES ONE_TASK_PER_SHARING_GRES";
static const char task_params[] = "OOMKillStep SlurmdOffSpec SlurmdSpecOverride verbose "
	"threads cores sockets none autobind=threads autobind=cores autobind=sockets";
static const char topologies[] =
	"topology/tree topology/block topology/ring topology/torus3d";

const char CONFIG_DEPENDS[] = "";

const struct config_row config_rows[] = {
	PLAIN("AccountingStorageBackupHost"),
	{"AccountingStorageEnforce", WORDS, "none", enforce_words},
	{"AccountingStorageHost", TEXT, "localhost", NULL},
	PLAIN("AccountingStorageExternalHost"), PLAIN("AccountingStorageParameters"),
	{"AccountingStoragePort", NUMBER, CONFIG_DEPENDS, NULL},
	SITE("AccountingStorageTRES"), PLAIN("AccountingStorageType"),
	{"AccountingStoreFlags", WORDS, NULL, "job_comment job_env job_extra job_script no_stdio"},
	PLAIN("AcctGatherEnergyType"), PLAIN("AcctGatherFilesystemType"),
	PLAIN("AcctGatherInterconnectType"),
	{"AcctGatherNodeFreq", NUMBER, "0", "sec"},
	PLAIN("AcctGatherProfileType"),
	{"AllowSpecResourcesUsage", YES_NO, "no", NULL},
	PLAIN("AuthAltTypes"), PLAIN("AuthAltParameters"), PLAIN("AuthInfo"),
	{"AuthType", TEXT, "auth/munge", NULL},
	{"BatchStartTimeout", NUMBER, "10", "sec"},
	{"BcastExclude", TEXT, "/lib,/usr/lib,/lib64,/usr/lib64", NULL},
	PLAIN("BcastParameters"), PLAIN("BurstBufferType"), PLAIN("CertgenParameters"),
	PLAIN("CertgenType"), PLAIN("CertmgrParameters"), PLAIN("CertmgrType"),
	PLAIN("CliFilterParameters"), PLAIN("CliFilterPlugins"), SITE("ClusterName"),
	PLAIN("CommunicationParameters"),
	{"CompleteWait", NUMBER, "0", "sec"},
	{"CpuFreqDef", WORDS, "Unknown", governors},
	{"CpuFreqGovernors", WORDS, "OnDemand,Performance,UserSpace", governors},
	{"CredType", TEXT, "cred/munge", NULL},
	PLAIN("DataParserParameters"),
	{"DebugFlags", WORDS, NULL, debug_flags},
	SITE("DefMemPerCPU"), SITE("DefMemPerNode"), PLAIN("DependencyParameters"),
	{"DisableRootJobs", YES_NO, "no", NULL},
	{"EioTimeout", NUMBER, "60", NULL},
	{"EnforcePartLimits", WORDS, "NO", "ANY ALL:YES"},
	PLAIN("Epilog[]"),
	{"EpilogMsgTime", NUMBER, "2000", "usec"},
	PLAIN("EpilogSlurmctld[]"),
	{"FairShareDampeningFactor", NUMBER, "1", NULL},
	PLAIN("FederationParameters"),
	{"FirstJobId", NUMBER, "1", NULL},
	PLAIN("GresTypes"), PLAIN("GpuFreqDef"),
	{"GroupUpdateForce", NUMBER, "1", NULL},
	{"GroupUpdateTime", NUMBER, "600", "sec"},
	{"HashPlugin", TEXT, "hash/k12", NULL},
	{"HealthCheckInterval", NUMBER, "0", "sec"},
	{"HealthCheckNodeState", WORDS, "ANY", health_states},
	PLAIN("HealthCheckProgram"),
	{"HealthCheckTimeout", NUMBER, "0", "sec"},
	PLAIN("HttpParserType"),
	{"InactiveLimit", NUMBER, "0", "sec"},
	{"InteractiveStepOptions", TEXT, "--interactive --preserve-env --pty $SHELL", NULL},
	{"JobAcctGatherFrequency", TEXT, "30", NULL},
	PLAIN("JobAcctGatherType"), PLAIN("JobAcctGatherParams"),
	{"JobCompHost", TEXT, "localhost", NULL},
	PLAIN("JobCompLoc"), PLAIN("JobCompParams"), SITE("JobCompPass"),
	{"JobCompPort", NUMBER, CONFIG_DEPENDS, NULL},
	PLAIN("JobCompType"),
	{"JobCompUser", TEXT, "root", NULL},
	SITE("JobDefaults"),
	{"JobFileAppend", NUMBER, "0", NULL},
	{"JobRequeue", NUMBER, "1", NULL},
	PLAIN("JobSubmitPlugins"),
	{"KillOnBadExit", NUMBER, "0", NULL},
	{"KillWait", NUMBER, "30", "sec"},
	PLAIN("LaunchParameters"), PLAIN("LicenseParameters"), PLAIN("Licenses"),
	{"LogTimeFormat", WORDS, "iso8601_ms", log_formats},
	PLAIN("MailDomain"),
	{"MailProg", TEXT, "/bin/mail", NULL},
	{"MaxArraySize", NUMBER, "1001", NULL},
	{"MaxBatchRequeue", NUMBER, "5", NULL},
	{"MaxDBDMsgs", NUMBER, CONFIG_DEPENDS, NULL},
	{"MaxJobCount", NUMBER, "10000", NULL},
	{"MaxJobId", NUMBER, "67043328", NULL},
	SITE("MaxMemPerCPU"), SITE("MaxMemPerNode"),
	{"MaxNodeCount", NUMBER, CONFIG_DEPENDS, NULL},
	{"MaxStepCount", NUMBER, "40000", NULL},
	{"MaxTasksPerNode", NUMBER, "512", NULL},
	PLAIN("MCSPlugin"), PLAIN("MCSParameters"),
	{"MessageTimeout", NUMBER, "10", "sec"},
	PLAIN("MetricsAuthUsers"), PLAIN("MetricsParameters"), PLAIN("MetricsType"),
	SITE("MinJobAge"),
	PLAIN("MpiDefault"), PLAIN("MpiParams"), PLAIN("NamespaceType"),
	PLAIN("NodeFeaturesPlugins"),
	{"OverTimeLimit", NUMBER, "0", "min"},
	{"PluginDir", TEXT, "/usr/lib/slurm", NULL},
	PLAIN("PlugStackConfig"),
	{"PreemptMode", WORDS, "OFF", "GANG WITHIN PRIORITY CANCEL REQUEUE SUSPEND:ON"},
	PLAIN("PreemptParameters"), PLAIN("PreemptType"),
	{"PreemptExemptTime", DURATION, "0", "NONE"},
	PLAIN("PrEpParameters"),
	{"PrEpPlugins", TEXT, "prep/script", NULL},
	PLAIN("PriorityParameters"), PLAIN("PrioritySiteFactorParameters"),
	PLAIN("PrioritySiteFactorPlugin"),
	{"PriorityDecayHalfLife", DURATION, "7-0", "UNLIMITED"},
	{"PriorityCalcPeriod", DURATION, "5", "UNLIMITED"},
	{"PriorityFavorSmall", YES_NO, "no", NULL},
	{"PriorityFlags", WORDS, "", priority_flags},
	{"PriorityMaxAge", DURATION, "7-0", "UNLIMITED"},
	{"PriorityType", TEXT, "priority/multifactor", NULL},
	{"PriorityUsageResetPeriod", WORDS, "NONE", "NOW DAILY WEEKLY MONTHLY QUARTERLY YEARLY"},
	{"PriorityWeightAge", NUMBER, "0", NULL},
	{"PriorityWeightAssoc", NUMBER, "0", NULL},
	{"PriorityWeightFairShare", NUMBER, "0", NULL},
	{"PriorityWeightJobSize", NUMBER, "0", NULL},
	{"PriorityWeightPartition", NUMBER, "0", NULL},
	{"PriorityWeightQOS", NUMBER, "0", NULL},
	PLAIN("PriorityWeightTRES"),
	{"PrivateData", WORDS, "none", private_data},
	{"ProctrackType", TEXT, "proctrack/cgroup", NULL},
	PLAIN("Prolog[]"), SITE("PrologEpilogTimeout"), SITE("EpilogTimeout"),
	SITE("PrologTimeout"), PLAIN("PrologSlurmctld[]"),
	{"PrologFlags", WORDS, NULL, prolog_flags},
	{"PropagatePrioProcess", NUMBER, "0", NULL},
	{"PropagateResourceLimits", TEXT, CONFIG_DEPENDS, NULL},
	PLAIN("PropagateResourceLimitsExcept"), PLAIN("RebootProgram"),
	{"ReconfigFlags", WORDS, NULL, "KeepPartInfo KeepPartState KeepPowerSaveSettings"},
	PLAIN("RequeueExit"), PLAIN("RequeueExitHold"), PLAIN("ResumeFailProgram"),
	PLAIN("ResumeProgram"),
	{"ResumeRate", NUMBER, "300", "nodes/min"},
	{"ResumeTimeout", NUMBER, "60", "sec"},
	PLAIN("ResvEpilog"),
	{"ResvOverRun", NUMBER, "0", "min"},
	PLAIN("ResvProlog"),
	{"ReturnToService", NUMBER, "0", NULL},
	PLAIN("SchedulerParameters"),
	{"SchedulerTimeSlice", NUMBER, "30", "sec"},
	{"SchedulerType", TEXT, "sched/backfill", NULL},
	PLAIN("ScronParameters"),
	{"SelectType", TEXT, "select/cons_tres", NULL},
	{"SelectTypeParameters", WORDS, CONFIG_DEPENDS, select_words},
	{"SlurmUser", USER, "root", NULL},
	PLAIN("SlurmctldAddr"),
	{"SlurmctldDebug", WORDS, "info", debug_levels},
	PLAIN("SlurmctldHost[]"), PLAIN("SlurmctldHttpAuthParameters"),
	PLAIN("SlurmctldLogFile"),
	{"SlurmctldPort", TEXT, "6817", NULL},
	{"SlurmctldSyslogDebug", WORDS, NULL, debug_levels},
	PLAIN("SlurmctldPrimaryOffProg"), PLAIN("SlurmctldPrimaryOnProg"),
	{"SlurmctldTimeout", NUMBER, "120", "sec"},
	PLAIN("SlurmctldParameters"),
	{"SlurmdDebug", WORDS, "info", debug_levels},
	PLAIN("SlurmdHttpAuthParameters"), PLAIN("SlurmdLogFile"), PLAIN("SlurmdParameters"),
	{"SlurmdPidFile", TEXT, "/var/run/slurmd.pid", NULL},
	{"SlurmdPort", NUMBER, "6818", NULL},
	{"SlurmdSpoolDir", TEXT, "/var/spool/slurmd", NULL},
	{"SlurmdSyslogDebug", WORDS, NULL, debug_levels},
	{"SlurmdTimeout", NUMBER, "300", "sec"},
	{"SlurmdUser", USER, "root", NULL},
	PLAIN("SlurmSchedLogFile"),
	{"SlurmSchedLogLevel", NUMBER, "0", NULL},
	{"SlurmctldPidFile", TEXT, "/var/run/slurmctld.pid", NULL},
	SITE("SLURM_CONF"),
	{"SLURM_VERSION", TEXT, SLURM_VERSION_TEXT, NULL},
	PLAIN("SrunEpilog"),
	{"SrunPortRange", TEXT, "0-0", NULL},
	PLAIN("SrunProlog"),
	{"StateSaveLocation", TEXT, "/var/spool", NULL},
	PLAIN("SuspendExcNodes"), PLAIN("SuspendExcParts"), PLAIN("SuspendExcStates"),
	PLAIN("SuspendProgram"),
	{"SuspendRate", NUMBER, "60", "nodes/min"},
	{"SuspendTime", NUMBER, "INFINITE", "sec"},
	{"SuspendTimeout", NUMBER, "30", "sec"},
	PLAIN("SwitchParameters"), PLAIN("SwitchType"), PLAIN("TaskEpilog"),
	{"TaskPlugin", WORDS, NULL, "task/cgroup:cgroup task/affinity:affinity"},
	{"TaskPluginParam", WORDS, "(null type)", task_params},
	PLAIN("TaskProlog"),
	{"TCPTimeout", NUMBER, "2", "sec"},
	PLAIN("TLSParameters"),
	{"TLSType", TEXT, "tls/none", NULL},
	{"TmpFS", TEXT, "/tmp", NULL},
	PLAIN("TopologyParam"),
	{"TopologyPlugin", WORDS, "topology/flat", topologies},
	SITE("TrackWCKey"),
	{"TreeWidth", NUMBER, "16", NULL},
	{"UsePam", YES_NO, "no", NULL},
	PLAIN("UnkillableStepProgram"),
	{"UnkillableStepTimeout", NUMBER, CONFIG_DEPENDS, "sec"},
	PLAIN("UrlParserType"),
	{"VSizeFactor", NUMBER, "0", "percent"},
	{"WaitTime", NUMBER, "0", "sec"},
	PLAIN("X11Parameters"),
};
/* clang-format on */

const size_t n_config_rows = sizeof(config_rows) / sizeof(*config_rows);
