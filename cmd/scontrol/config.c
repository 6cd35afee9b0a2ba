/*
 * scontrol show config: what slurm.conf says, and what it leaves to Slurm's
 * defaults as far as this suite goes by them.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/cli/cli.h"
#include "common/text/timespec.h"

struct line {
	const char *name, *value;
};

struct lines {
	struct line *v;
	size_t n, cap;
};

/* Where the file says nothing. */
static const struct line defaults[] = {
	{"AccountingStorageEnforce", "none"},
	{"AccountingStorageTRES", "cpu,mem,energy,node,billing,fs/disk,vmem,pages"},
	{"AccountingStorageType", "(null)"},
	{"EnforcePartLimits", "NO"},
	{"MaxArraySize", "1001"},
	{"MaxJobCount", "10000"},
	{"MinJobAge", "300"},
	{"PreemptMode", "OFF"},
	{"PreemptType", "(null)"},
	{"PriorityCalcPeriod", "5"},
	{"PriorityDecayHalfLife", "7-0"},
	{"PriorityFlags", ""},
	{"PriorityMaxAge", "7-0"},
	{"PriorityType", "priority/multifactor"},
	{"PriorityUsageResetPeriod", "NONE"},
	{"PriorityWeightAge", "0"},
	{"PriorityWeightAssoc", "0"},
	{"PriorityWeightFairShare", "0"},
	{"PriorityWeightJobSize", "0"},
	{"PriorityWeightPartition", "0"},
	{"PriorityWeightQOS", "0"},
	{"PriorityWeightTRES", "(null)"},
	{"PrivateData", "none"},
	{"SchedulerParameters", "(null)"},
	{"SchedulerType", "sched/backfill"},
	{"SelectType", "select/cons_tres"},
	{"SelectTypeParameters", "CR_CORE_MEMORY"},
	{"SlurmUser", "root"},
	{"SlurmdPort", "6818"},
	{"TrackWCKey", "No"},
};

/* Lines shown elsewhere, and secrets. */
static bool is_left_out(const char *key)
{
	static const char *const keys[] = {"NodeName", "NodeSet",
		"PartitionName", "DownNodes", "FrontendName", "Include",
		"AccountingStoragePass"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcasecmp(keys[i], key))
			return true;
	return false;
}

static void put(struct lines *lines, const char *name, const char *value,
	struct arena *arena)
{
	for (size_t i = 0; i < lines->n; i++)
		if (!strcasecmp(lines->v[i].name, name)) {
			lines->v[i].value = value;
			return;
		}
	*ARENA_PUSH(arena, lines->v, lines->n, lines->cap) =
		(struct line){name, value};
}

static int by_name(const void *x, const void *y)
{
	const struct line *a = x, *b = y;

	return strcasecmp(a->name, b->name);
}

static void read_lines(struct session *s, struct lines *lines)
{
	const struct conf *conf = &s->site.conf;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		put(lines, defaults[i].name, defaults[i].value, s->arena);
	for (size_t i = 0; i < conf->all.n; i++)
		if (!is_left_out(conf->all.v[i].key))
			put(lines, conf->all.v[i].key, conf->all.v[i].value,
				s->arena);
	put(lines, "ClusterName", s->site.cluster, s->arena);
	put(lines, "SLURM_CONF", conf->path ? conf->path : "(null)", s->arena);
	put(lines, "SLURM_VERSION", SLURM_VERSION_TEXT, s->arena);
	qsort(lines->v, lines->n, sizeof(*lines->v), by_name);
}

void show_config(struct session *s, const char *name)
{
	struct lines lines = {0};

	if (s->form)
		cli_fatal("show config is text");
	if (site_find(&s->site, &s->err))
		cli_die(&s->err);
	read_lines(s, &lines);
	if (!name)
		printf("Configuration data as of %s\n",
			time_format(s->arena, s->site.now, s->site.time_format,
				s->site.now));
	for (size_t i = 0; i < lines.n; i++)
		if (!name || !strcasecmp(name, lines.v[i].name))
			printf("%-23s = %s\n", lines.v[i].name,
				lines.v[i].value);
}
