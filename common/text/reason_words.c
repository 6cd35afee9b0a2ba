/*
 * The reasons a job may wait for, as squeue and sacct -R know them, in order of
 * their numbers (Slurm's src/common/job_state_reason.c).
 */
#include "common/text/reason.h"

/* clang-format off */
const char *const reason_words[] = {
	"None", "Priority", "Dependency", "Resources", "PartitionNodeLimit",
	"PartitionTimeLimit", "PartitionDown", "PartitionInactive",
	"JobHeldAdmin", "BeginTime", "Licenses", "AssociationJobLimit",
	"AssociationResourceLimit", "AssociationTimeLimit", "Reservation",
	"ReqNodeNotAvail", "JobHeldUser", "NvidiaImexChannels", "SchedDefer",
	"PartitionDown", "NodeDown", "BadConstraints", "SystemFailure",
	"JobLaunchFailure", "NonZeroExitCode", "TimeLimit", "InactiveLimit",
	"InvalidAccount", "InvalidQOS", "QOSUsageThreshold", "QOSJobLimit",
	"QOSResourceLimit", "QOSTimeLimit", "RaisedSignal", "Cleaning",
	"Prolog", "QOSNotAllowed", "AccountNotAllowed",
	"DependencyNeverSatisfied", "QOSGrpCpuLimit", "QOSGrpCPUMinutesLimit",
	"QOSGrpCPURunMinutesLimit", "QOSGrpJobsLimit", "QOSGrpMemLimit",
	"QOSGrpNodeLimit", "QOSGrpSubmitJobsLimit", "QOSGrpWallLimit",
	"QOSMaxCpuPerJobLimit", "QOSMaxCpuMinutesPerJobLimit",
	"QOSMaxNodePerJobLimit", "QOSMaxWallDurationPerJobLimit",
	"QOSMaxCpuPerUserLimit", "QOSMaxJobsPerUserLimit",
	"QOSMaxNodePerUserLimit", "QOSMaxSubmitJobPerUserLimit",
	"QOSMinCpuNotSatisfied", "AssocGrpCpuLimit", "AssocGrpCPUMinutesLimit",
	"AssocGrpCPURunMinutesLimit", "AssocGrpJobsLimit", "AssocGrpMemLimit",
	"AssocGrpNodeLimit", "AssocGrpSubmitJobsLimit", "AssocGrpWallLimit",
	"AssocMaxJobsLimit", "AssocMaxCpuPerJobLimit",
	"AssocMaxCpuMinutesPerJobLimit", "AssocMaxNodePerJobLimit",
	"AssocMaxWallDurationPerJobLimit", "AssocMaxSubmitJobLimit",
	"JobHoldMaxRequeue", "JobArrayTaskLimit", "BurstBufferResources",
	"BurstBufferStageIn", "BurstBufferOperation", "AssocGrpUnknown",
	"AssocGrpUnknownMinutes", "AssocGrpUnknownRunMinutes",
	"AssocMaxUnknownPerJob", "AssocMaxUnknownPerNode",
	"AssocMaxUnknownMinutesPerJob", "AssocMaxCpuPerNode",
	"AssocGrpMemMinutes", "AssocGrpMemRunMinutes", "AssocMaxMemPerJob",
	"AssocMaxMemPerNode", "AssocMaxMemMinutesPerJob", "AssocGrpNodeMinutes",
	"AssocGrpNodeRunMinutes", "AssocMaxNodeMinutesPerJob", "AssocGrpEnergy",
	"AssocGrpEnergyMinutes", "AssocGrpEnergyRunMinutes",
	"AssocMaxEnergyPerJob", "AssocMaxEnergyPerNode",
	"AssocMaxEnergyMinutesPerJob", "AssocGrpGRES", "AssocGrpGRESMinutes",
	"AssocGrpGRESRunMinutes", "AssocMaxGRESPerJob", "AssocMaxGRESPerNode",
	"AssocMaxGRESMinutesPerJob", "AssocGrpLicense",
	"AssocGrpLicenseMinutes", "AssocGrpLicenseRunMinutes",
	"AssocMaxLicensePerJob", "AssocMaxLicenseMinutesPerJob", "AssocGrpBB",
	"AssocGrpBBMinutes", "AssocGrpBBRunMinutes", "AssocMaxBBPerJob",
	"AssocMaxBBPerNode", "AssocMaxBBMinutesPerJob", "QOSGrpUnknown",
	"QOSGrpUnknownMinutes", "QOSGrpUnknownRunMinutes",
	"QOSMaxUnknownPerJob", "QOSMaxUnknownPerNode", "QOSMaxUnknownPerUser",
	"QOSMaxUnknownMinutesPerJob", "QOSMinUnknown", "QOSMaxCpuPerNode",
	"QOSGrpMemoryMinutes", "QOSGrpMemoryRunMinutes",
	"QOSMaxMemoryMinutesPerJob", "QOSMaxMemoryPerJob",
	"QOSMaxMemoryPerNode", "QOSMaxMemoryPerUser", "QOSMinMemory",
	"QOSGrpEnergy", "QOSGrpEnergyMinutes", "QOSGrpEnergyRunMinutes",
	"QOSMaxEnergyPerJob", "QOSMaxEnergyPerNode", "QOSMaxEnergyPerUser",
	"QOSMaxEnergyMinutesPerJob", "QOSMinEnergy", "QOSGrpNodeMinutes",
	"QOSGrpNodeRunMinutes", "QOSMaxNodeMinutesPerJob", "QOSMinNode",
	"QOSGrpGRES", "QOSGrpGRESMinutes", "QOSGrpGRESRunMinutes",
	"QOSMaxGRESPerJob", "QOSMaxGRESPerNode", "QOSMaxGRESPerUser",
	"QOSMaxGRESMinutesPerJob", "QOSMinGRES", "QOSGrpLicense",
	"QOSGrpLicenseMinutes", "QOSGrpLicenseRunMinutes",
	"QOSMaxLicensePerJob", "QOSMaxLicensePerUser",
	"QOSMaxLicenseMinutesPerJob", "QOSMinLicense", "QOSGrpBB",
	"QOSGrpBBMinutes", "QOSGrpBBRunMinutes", "QOSMaxBBPerJob",
	"QOSMaxBBPerNode", "QOSMaxBBPerUser", "AssocMaxBBMinutesPerJob",
	"QOSMinBB", "DeadLine", "MaxBBPerAccount", "MaxCpuPerAccount",
	"MaxEnergyPerAccount", "MaxGRESPerAccount", "MaxNodePerAccount",
	"MaxLicensePerAccount", "MaxMemoryPerAccount", "MaxUnknownPerAccount",
	"MaxJobsPerAccount", "MaxSubmitJobsPerAccount", "PartitionConfig",
	"AccountingPolicy", "FedJobLock", "OutOfMemory", "MaxMemPerLimit",
	"AssocGrpBilling", "AssocGrpBillingMinutes",
	"AssocGrpBillingRunMinutes", "AssocMaxBillingPerJob",
	"AssocMaxBillingPerNode", "AssocMaxBillingMinutesPerJob",
	"QOSGrpBilling", "QOSGrpBillingMinutes", "QOSGrpBillingRunMinutes",
	"QOSMaxBillingPerJob", "QOSMaxBillingPerNode", "QOSMaxBillingPerUser",
	"QOSMaxBillingMinutesPerJob", "MaxBillingPerAccount", "QOSMinBilling",
	"ReservationDeleted", "ReservationInvalid", "Constraints",
	"MaxBBRunMinsPerAccount", "MaxBillingRunMinsPerAccount",
	"MaxCpuRunMinsPerAccount", "MaxEnergyRunMinsPerAccount",
	"MaxGRESRunMinsPerAccount", "MaxNodeRunMinsPerAccount",
	"MaxLicenseRunMinsPerAccount", "MaxMemoryRunMinsPerAccount",
	"MaxUnknownRunMinsPerAccount", "MaxBBRunMinsPerUser",
	"MaxBillingRunMinsPerUser", "MaxCpuRunMinsPerUser",
	"MaxEnergyRunMinsPerUser", "MaxGRESRunMinsPerUser",
	"MaxNodeRunMinsPerUser", "MaxLicenseRunMinsPerUser",
	"MaxMemoryRunMinsPerUser", "MaxUnknownRunMinsPerUser",
	"MaxPoweredUpNodes", "MpiPortsBusy",
	NULL,
};
/* clang-format on */

const char *reason_by_number(uint32_t number)
{
	static const uint32_t none[] = {34, 76, 77}; /* free for reuse */
	uint32_t place = number;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (number == none[i])
			return "";
		place -= number > none[i];
	}
	return place < sizeof(reason_words) / sizeof(*reason_words) - 1
		? reason_words[place] : "";
}
