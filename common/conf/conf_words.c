#include "common/conf/conf_words.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/base/words.h"
#include "common/conf/conf_lex.h"

/* Slurm 26.05's words. */
static const char global_words[] =
	"AccountingStorageBackupHost AccountingStorageEnforce "
	"AccountingStorageExternalHost AccountingStorageHost "
	"AccountingStorageParameters AccountingStoragePass "
	"AccountingStoragePort AccountingStorageTRES AccountingStorageType "
	"AccountingStorageUser AccountingStoreFlags "
	"AccountingStoreJobComment AcctGatherEnergyType "
	"AcctGatherFilesystemType AcctGatherInfinibandType "
	"AcctGatherInterconnectType AcctGatherNodeFreq "
	"AcctGatherProfileType AllowSpecResourcesUsage AuthAltParameters "
	"AuthAltTypes AuthInfo AuthType BackupAddr BackupController "
	"BatchStartTimeout BcastExclude BcastParameters "
	"BurstBufferParameters BurstBufferType CertgenParameters "
	"CertgenType CertmgrParameters CertmgrType CliFilterParameters "
	"CliFilterPlugins ClusterName CommunicationParameters CompleteWait "
	"ControlAddr ControlMachine CoreSpecPlugin CpuFreqDef "
	"CpuFreqGovernors CredType CryptoType DataParserParameters "
	"DebugFlags DefCPUPerGPU DefMemPerCPU DefMemPerGPU DefMemPerNode "
	"DefRuntimePlugin DependencyParameters DisableRootJobs EioTimeout "
	"EnforcePartLimits Epilog EpilogMsgTime EpilogSlurmctld "
	"EpilogTimeout ExtSensorsFreq ExtSensorsType "
	"FairShareDampeningFactor FastSchedule FederationParameters "
	"FirstJobId GetEnvTimeout GpuFreqDef GresTypes GroupUpdateForce "
	"GroupUpdateTime HashPlugin HealthCheckInterval "
	"HealthCheckNodeState HealthCheckProgram HealthCheckTimeout "
	"HttpParserType InactiveLimit InteractiveStepOptions "
	"JobAcctGatherFrequency JobAcctGatherParams JobAcctGatherType "
	"JobCompHost JobCompLoc JobCompParams JobCompPass JobCompPassScript "
	"JobCompPort JobCompType JobCompUser JobContainerType "
	"JobCredentialPrivateKey JobCredentialPublicCertificate "
	"JobFileAppend JobRequeue JobSubmitPlugins KeepAliveTime "
	"KillOnBadExit KillWait LaunchParameters LaunchType "
	"LicenseParameters Licenses LogTimeFormat MailDomain MailProg "
	"MaxArraySize MaxBatchRequeue MaxDBDMsgs MaxJobCount MaxJobId "
	"MaxMemPerCPU MaxMemPerNode MaxNodeCount MaxStepCount "
	"MaxTasksPerNode MCSParameters MCSPlugin MessageTimeout "
	"MetricsAuthUsers MetricsParameters MetricsType MinJobAge "
	"MpiDefault MpiParams NamespaceType NodeFeaturesPlugins "
	"OverTimeLimit PluginDir PlugStackConfig PowerParameters "
	"PowerPlugin PreemptExemptTime PreemptMode PreemptParameters "
	"PreemptType PrEpParameters PrEpPlugins PriorityCalcPeriod "
	"PriorityDecayHalfLife PriorityFavorSmall PriorityFlags "
	"PriorityMaxAge PriorityParameters PrioritySiteFactorParameters "
	"PrioritySiteFactorPlugin PriorityType PriorityUsageResetPeriod "
	"PriorityWeightAge PriorityWeightAssoc PriorityWeightFairshare "
	"PriorityWeightJobSize PriorityWeightPartition PriorityWeightQOS "
	"PriorityWeightTRES PrivateData ProctrackType Prolog "
	"PrologEpilogTimeout PrologFlags PrologSlurmctld PrologTimeout "
	"PropagatePrioProcess PropagateResourceLimits "
	"PropagateResourceLimitsExcept RebootProgram ReconfigFlags "
	"RequeueExit RequeueExitHold ResumeFailProgram ResumeProgram "
	"ResumeRate ResumeTimeout ResvEpilog ResvOverRun ResvProlog "
	"ReturnToService RoutePlugin SallocDefaultCommand SbcastParameters "
	"SchedulerParameters SchedulerTimeSlice SchedulerType "
	"ScronParameters SelectType SelectTypeParameters "
	"SerializerParameters SerializerPlugins SlurmctldAddr "
	"SlurmctldDebug SlurmctldHttpAuthParameters SlurmctldLogFile "
	"SlurmctldParameters SlurmctldPidFile SlurmctldPort "
	"SlurmctldPrimaryOffProg SlurmctldPrimaryOnProg "
	"SlurmctldSyslogDebug SlurmctldTimeout SlurmdDebug "
	"SlurmdHttpAuthParameters SlurmdLogFile SlurmdParameters "
	"SlurmdPidFile SlurmdPort SlurmdSpoolDir SlurmdSyslogDebug "
	"SlurmdTimeout SlurmdUser SlurmrestdHttpAuthParameters "
	"SlurmrestdParameters SlurmSchedLogFile SlurmSchedLogLevel "
	"SlurmstepdParameters SlurmUser SrunEpilog SrunPortRange SrunProlog "
	"StateSaveLocation SuspendExcNodes SuspendExcParts SuspendExcStates "
	"SuspendProgram SuspendRate SuspendTime SuspendTimeout "
	"SwitchParameters SwitchType TaskEpilog TaskPlugin TaskPluginParam "
	"TaskProlog TCPTimeout TLSParameters TLSType TmpFS TopologyParam "
	"TopologyPlugin TrackWCKey TreeWidth UnkillableStepProgram "
	"UnkillableStepTimeout UrlParserType UsePAM VSizeFactor WaitTime "
	"X11Parameters";
static const char node_words[] =
	"NodeName BcastAddr Boards CoreSpecCount CoresPerSocket CpuBind "
	"CPUs CPUSpecList Feature Features Gres GresConf MemSpecLimit "
	"NodeAddr NodeHostname Parameters Port Procs RealMemory Reason "
	"RestrictedCoresPerGPU Sockets SocketsPerBoard State SuspendTime "
	"ThreadsPerCore TmpDisk Topology TRESWeights Weight";
static const char partition_words[] =
	"PartitionName AllocNodes AllowAccounts AllowGroups AllowQos "
	"Alternate CpuBind Default DefaultTime DefCPUPerGPU DefMemPerCPU "
	"DefMemPerGPU DefMemPerNode DenyAccounts DenyQos DisableRootJobs "
	"Exclusive ExclusiveTopo ExclusiveUser GraceTime Hidden LLN "
	"MaxCPUsPerNode MaxCPUsPerSocket MaxMemPerCPU MaxMemPerNode "
	"MaxNodes MaxTime MinNodes Nodes OverSubscribe OverTimeLimit "
	"PowerDownOnIdle PreemptMode Priority PriorityJobFactor "
	"PriorityTier QOS ReqResv ResumeTimeout RootOnly "
	"SelectTypeParameters Shared State SuspendTime SuspendTimeout "
	"Topology TRESBillingWeights";
static const char down_words[] = "DownNodes Reason State";
static const char set_words[] = "NodeSet Feature Nodes";
static const char action_words[] = "PowerAction Program Location";
static const char host_words[] = "SlurmctldHost";

/* What a line is about is said by its first word; words[0]: of the others. */
static const char *const line_words[] = {global_words, node_words,
	partition_words, down_words, set_words, action_words, host_words};

enum { LINE_KINDS = sizeof(line_words) / sizeof(*line_words) };

static const char priority_flags[] =
	"ACCRUE_ALWAYS CALCULATE_RUNNING DEPTH_OBLIVIOUS FAIR_TREE INCR_ONLY "
	"MAX_TRES MAX_TRES_GRES NO_FAIR_TREE NO_NORMAL_ALL NO_NORMAL_ASSOC "
	"NO_NORMAL_PART NO_NORMAL_QOS NO_NORMAL_TRES SMALL_RELATIVE_TO_TIME";
static const char private_data[] =
	"accounts all events jobs nodes partitions reservations usage users";

/* Keywords whose value is a list of words. */
static const struct {
	const char *key, *words;
} lists[] = {
	{"PriorityFlags", priority_flags},
	{"PrivateData", private_data},
};

/* Of the words; NULL: none is within so many slips of the fingers. */
static const char *nearest_of(const char *words, const char *word, size_t len,
	unsigned slips, struct arena *arena)
{
	struct nearest nearest;

	nearest_init(&nearest, word, len);
	nearest_names(&nearest, words);
	if (!nearest_found(&nearest) || nearest_slips(&nearest) > slips)
		return NULL;
	return arena_strdup(arena, nearest_found(&nearest));
}

/* The keywords of a line that begins with this one. */
static const char *words_of(const char *first)
{
	for (size_t i = 1; i < LINE_KINDS; i++) {
		size_t n = strcspn(line_words[i], " ");

		if (strlen(first) == n && !strncasecmp(line_words[i], first, n))
			return line_words[i];
	}
	return global_words;
}

const char *conf_word_meant(
	const char *first, const char *word, struct arena *arena)
{
	const char *words = words_of(first);
	size_t len = strlen(word);

	return words_have(words, word, len)
		       ? NULL
		       : nearest_of(words, word, len, 2, arena);
}

struct strange_words {
	struct arena *arena;
	struct conf_strange_list *list;
};

static void strange(struct strange_words *f, const struct conf_pair *pair,
	const char *words, const char *word, size_t len)
{
	struct conf_strange *s = ARENA_PUSH(
		f->arena, f->list->v, f->list->n, f->list->cap);

	s->file = pair->file;
	s->line = pair->line;
	s->word = arena_printf(f->arena, "%.*s", (int)len, word);
	s->nearest = nearest_of(words, word, len, UINT_MAX, f->arena);
}

static void look_at_list(struct strange_words *f, const struct conf_pair *pair)
{
	const char *words = NULL;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (!strcasecmp(lists[i].key, pair->key))
			words = lists[i].words;
	for (const char *at = pair->value; words && *at;) {
		size_t n = strcspn(at, ", ");

		if (n && !words_have(words, at, n) &&
			!(words == private_data &&
				words_have(words,
					arena_printf(f->arena, "%.*ss", (int)n,
						at),
					n + 1)))
			strange(f, pair, words, at, n);
		at += n + (at[n] != '\0');
	}
}

static void look_at_line(struct strange_words *f, const struct conf_line *line)
{
	const char *words = words_of(line->pairs.v[0].key);

	for (size_t i = 0; i < line->pairs.n; i++) {
		const struct conf_pair *pair = &line->pairs.v[i];
		size_t len = strlen(pair->key);

		if (words_have(words, pair->key, len))
			look_at_list(f, pair);
		else
			strange(f, pair, words, pair->key, len);
	}
}

int conf_strange_words(const char *path, struct arena *arena,
	struct conf_strange_list *list, struct err *err)
{
	struct strange_words f = {arena, list};
	struct conf_lines lines = {0};

	*list = (struct conf_strange_list){0};
	if (conf_lex_file(path, arena, &lines, err))
		return -1;
	for (size_t i = 0; i < lines.n; i++)
		look_at_line(&f, &lines.v[i]);
	return 0;
}
