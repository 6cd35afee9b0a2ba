/*
 * Names of the reasons (Slurm's src/common/job_state_reason.c): one table, and
 * one for limits on a TRES. Pure.
 */
#include "common/text/reason.h"

#include <stddef.h>
#include <string.h>

static const char *const plain_names[] = {
#define X(id, name, help) name,
	REASONS(X)
#undef X
};

static const char *const helps[] = {
#define X(id, name, help) help,
	REASONS(X)
#undef X
};

/* How names tell TRES apart. */
enum tres_class {
	CLASS_CPU,
	CLASS_MEM,
	CLASS_NODE,
	CLASS_BILLING,
	CLASS_ENERGY,
	CLASS_GRES,
	CLASS_LICENSE,
	CLASS_BB,
	CLASS_UNKNOWN,
	CLASSES,
};

/* The names of one kind: cpu, mem and node as they are, the others between two
 * words. */
#define NAMES(cpu, mem, node, before, after)                                   \
	{                                                                      \
		cpu, mem, node, before "Billing" after, before "Energy" after, \
			before "GRES" after, before "License" after,           \
			before "BB" after, before "Unknown" after              \
	}
/* No limit counts nodes or licenses per node. */
#define NAMES_PER_NODE(cpu, mem, before, after)                                \
	{                                                                      \
		cpu, mem, before "Unknown" after, before "Billing" after,      \
			before "Energy" after, before "GRES" after,            \
			before "Unknown" after, before "BB" after,             \
			before "Unknown" after                                 \
	}

/* clang-format off */
static const char *const tres_names[REASON_TRES_KINDS][CLASSES] = {
	[REASON_ASSOC_GRP] = NAMES("AssocGrpCpuLimit", "AssocGrpMemLimit",
		"AssocGrpNodeLimit", "AssocGrp", ""),
	[REASON_ASSOC_GRP_MINS] = NAMES("AssocGrpCPUMinutesLimit",
		"AssocGrpMemMinutes", "AssocGrpNodeMinutes",
		"AssocGrp", "Minutes"),
	[REASON_ASSOC_GRP_RUN_MINS] = NAMES("AssocGrpCPURunMinutesLimit",
		"AssocGrpMemRunMinutes", "AssocGrpNodeRunMinutes",
		"AssocGrp", "RunMinutes"),
	[REASON_ASSOC_MAX_PJ] = NAMES("AssocMaxCpuPerJobLimit",
		"AssocMaxMemPerJob", "AssocMaxNodePerJobLimit",
		"AssocMax", "PerJob"),
	[REASON_ASSOC_MAX_PN] = NAMES_PER_NODE("AssocMaxCpuPerNode",
		"AssocMaxMemPerNode", "AssocMax", "PerNode"),
	[REASON_ASSOC_MAX_MINS_PJ] = NAMES("AssocMaxCpuMinutesPerJobLimit",
		"AssocMaxMemMinutesPerJob", "AssocMaxNodeMinutesPerJob",
		"AssocMax", "MinutesPerJob"),
	[REASON_QOS_GRP] = NAMES("QOSGrpCpuLimit", "QOSGrpMemLimit",
		"QOSGrpNodeLimit", "QOSGrp", ""),
	[REASON_QOS_GRP_MINS] = NAMES("QOSGrpCPUMinutesLimit",
		"QOSGrpMemoryMinutes", "QOSGrpNodeMinutes",
		"QOSGrp", "Minutes"),
	[REASON_QOS_GRP_RUN_MINS] = NAMES("QOSGrpCPURunMinutesLimit",
		"QOSGrpMemoryRunMinutes", "QOSGrpNodeRunMinutes",
		"QOSGrp", "RunMinutes"),
	[REASON_QOS_MAX_PJ] = NAMES("QOSMaxCpuPerJobLimit",
		"QOSMaxMemoryPerJob", "QOSMaxNodePerJobLimit",
		"QOSMax", "PerJob"),
	[REASON_QOS_MAX_PN] = NAMES_PER_NODE("QOSMaxCpuPerNode",
		"QOSMaxMemoryPerNode", "QOSMax", "PerNode"),
	[REASON_QOS_MAX_PU] = NAMES("QOSMaxCpuPerUserLimit",
		"QOSMaxMemoryPerUser", "QOSMaxNodePerUserLimit",
		"QOSMax", "PerUser"),
	[REASON_QOS_MAX_PA] = NAMES("MaxCpuPerAccount",
		"MaxMemoryPerAccount", "MaxNodePerAccount",
		"Max", "PerAccount"),
	[REASON_QOS_MAX_MINS_PJ] = NAMES("QOSMaxCpuMinutesPerJobLimit",
		"QOSMaxMemoryMinutesPerJob", "QOSMaxNodeMinutesPerJob",
		"QOSMax", "MinutesPerJob"),
	[REASON_QOS_MAX_RUN_MINS_PA] = NAMES("MaxCpuRunMinsPerAccount",
		"MaxMemoryRunMinsPerAccount", "MaxNodeRunMinsPerAccount",
		"Max", "RunMinsPerAccount"),
	[REASON_QOS_MAX_RUN_MINS_PU] = NAMES("MaxCpuRunMinsPerUser",
		"MaxMemoryRunMinsPerUser", "MaxNodeRunMinsPerUser",
		"Max", "RunMinsPerUser"),
	[REASON_QOS_MIN_PJ] = NAMES("QOSMinCpuNotSatisfied", "QOSMinMemory",
		"QOSMinNode", "QOSMin", ""),
};
/* clang-format on */

static const struct {
	uint32_t tres;
	enum tres_class class;
} fixed_classes[] = {
	{TRES_CPU, CLASS_CPU},
	{TRES_MEM, CLASS_MEM},
	{TRES_NODE, CLASS_NODE},
	{TRES_BILLING, CLASS_BILLING},
	{TRES_ENERGY, CLASS_ENERGY},
};

static const struct {
	const char *type;
	enum tres_class class;
} typed_classes[] = {
	{"gres", CLASS_GRES},
	{"license", CLASS_LICENSE},
	{"bb", CLASS_BB},
};

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static enum tres_class class_of(uint32_t id, const struct tres_catalog *catalog)
{
	const struct tres *tres;

	for (size_t i = 0; i < LENGTH(fixed_classes); i++)
		if (fixed_classes[i].tres == id)
			return fixed_classes[i].class;
	tres = tres_by_id(catalog, id);
	for (size_t i = 0; tres && i < LENGTH(typed_classes); i++)
		if (!strcmp(typed_classes[i].type, tres->type))
			return typed_classes[i].class;
	return CLASS_UNKNOWN;
}

unsigned reason_of_tres(enum reason_tres kind, uint32_t tres,
	const struct tres_catalog *catalog)
{
	return REASON_TRES + (unsigned)kind * CLASSES +
	       (unsigned)class_of(tres, catalog);
}

const char *reason_name(unsigned reason)
{
	unsigned index = reason - REASON_TRES;

	if (reason < REASON_TRES)
		return plain_names[reason];
	if (index >= REASON_TRES_KINDS * CLASSES)
		return plain_names[REASON_NONE];
	/* The one name of Slurm that breaks the pattern. */
	if (index == REASON_QOS_MAX_MINS_PJ * CLASSES + CLASS_BB)
		return "AssocMaxBBMinutesPerJob";
	return tres_names[index / CLASSES][index % CLASSES];
}

unsigned reason_by_name(const char *name)
{
	unsigned reason = REASON_TRES + REASON_TRES_KINDS * CLASSES;

	while (--reason && strcmp(reason_name(reason), name) != 0)
		;
	return reason;
}

unsigned reason_recorded(const char *text)
{
	size_t len = strcspn(text, ","); /* "ReqNodeNotAvail, Unavailable..." */
	char word[64] = "";
	unsigned reason;

	if (len < sizeof(word))
		memcpy(word, text, len);
	reason = reason_by_name(word);
	if (!reason && len && strcmp(word, reason_name(REASON_NONE)) != 0)
		return REASON_RECORDED;
	return (reason >= REASON_BAD_CONSTRAINTS && reason_is_hold(reason)) ||
			       (reason >= REASON_PROLOG &&
				       reason <= REASON_RECORDED)
		       ? reason
		       : REASON_NONE;
}

bool reason_is_hold(unsigned reason)
{
	return reason >= REASON_HELD_ADMIN && reason <= REASON_BB_OPERATION;
}

bool reason_says_more(const char *text, const char *name)
{
	size_t len = strlen(name);

	return len && !strncmp(text, name, len) && text[len] == ',';
}

const char *reason_alone(const char *text, struct arena *arena)
{
	const char *name = arena_strndup(arena, text, strcspn(text, ","));

	return reason_by_name(name) ? name : text;
}

const char *reason_word(unsigned reason)
{
	return reason_name(
		reason == REASON_NODES_DOWN ? REASON_RESOURCES : reason);
}

/* What a class is to people. */
static const char *const class_words[CLASSES] = {
	[CLASS_CPU] = "CPUs",
	[CLASS_MEM] = "memory",
	[CLASS_NODE] = "nodes",
	[CLASS_BILLING] = "billing units",
	[CLASS_ENERGY] = "energy",
	[CLASS_GRES] = "GRES (GPUs and the like)",
	[CLASS_LICENSE] = "licenses",
	[CLASS_BB] = "burst buffers",
	[CLASS_UNKNOWN] = "TRES",
};

/* The name of the TRES goes between the two. */
static const struct {
	const char *before, *after;
} tres_helps[REASON_TRES_KINDS] = {
	[REASON_ASSOC_GRP] =
		{"jobs of its account, or below one above, to free ",
			": with it they would use "
			"more than they may"},
	[REASON_ASSOC_GRP_MINS] = {"usage to decay: its account, or one above, "
				   "has used the minutes of ",
		" it may"},
	[REASON_ASSOC_GRP_RUN_MINS] = {"jobs of its account, or below one "
				       "above, to go on: they may yet use all "
				       "the minutes of ",
		" they may"},
	[REASON_ASSOC_MAX_PJ] = {"a change: it asks for more ",
		" than a job of its association may"},
	[REASON_ASSOC_MAX_PN] = {"a change: it asks for more ",
		" on a node than a job of its association may"},
	[REASON_ASSOC_MAX_MINS_PJ] = {"a change: its time limit gives it more "
				      "minutes of ",
		" than a job of its association may use"},
	[REASON_QOS_GRP] = {"jobs under its QOS to free ",
		": with it they would use "
		"more than they may"},
	[REASON_QOS_GRP_MINS] = {"usage to decay: its QOS has used the minutes "
				 "of ",
		" it may"},
	[REASON_QOS_GRP_RUN_MINS] = {"jobs under its QOS to go on: they may "
				     "yet use all the minutes of ",
		" they may"},
	[REASON_QOS_MAX_PJ] = {"a change: it asks for more ",
		" than a job under its QOS may"},
	[REASON_QOS_MAX_PN] = {"a change: it asks for more ",
		" on a node than a job under its QOS may"},
	[REASON_QOS_MAX_PU] = {"jobs of its user under this QOS to free ",
		": with it they would use "
		"more than they may"},
	[REASON_QOS_MAX_PA] = {"jobs of its account under this QOS to free ",
		": with it they would use "
		"more than they may"},
	[REASON_QOS_MAX_MINS_PJ] = {"a change: its time limit gives it more "
				    "minutes of ",
		" than a job under its QOS may use"},
	[REASON_QOS_MAX_RUN_MINS_PA] = {"jobs of its account under this QOS to "
					"go on: they may yet use all the "
					"minutes of ",
		" they may"},
	[REASON_QOS_MAX_RUN_MINS_PU] = {"jobs of its user under this QOS to go "
					"on: they may yet use all the minutes "
					"of ",
		" they may"},
	[REASON_QOS_MIN_PJ] = {"a change: it asks for less ",
		" than a job under its QOS must"},
};

const char *reason_help(unsigned reason, struct arena *arena)
{
	unsigned index = reason - REASON_TRES;

	if (reason < REASON_TRES)
		return helps[reason];
	if (index >= REASON_TRES_KINDS * CLASSES)
		return helps[REASON_NONE];
	return arena_printf(arena, "%s%s%s", tres_helps[index / CLASSES].before,
		class_words[index % CLASSES],
		tres_helps[index / CLASSES].after);
}

bool reason_needs_change(unsigned reason)
{
	unsigned kind = (reason - REASON_TRES) / CLASSES;
	const char *help = reason < REASON_TRES ? helps[reason]
			   : kind < REASON_TRES_KINDS
				   ? tres_helps[kind].before
				   : "";

	return !strncmp(help, "a change", strlen("a change"));
}

bool reason_is_qos_group(unsigned reason)
{
	return reason_is_limit(reason) &&
	       !strncmp(reason_name(reason), "QOSGrp", strlen("QOSGrp"));
}

bool reason_is_limit(unsigned reason)
{
	return reason >= REASON_QOS_USAGE_THRESHOLD;
}
