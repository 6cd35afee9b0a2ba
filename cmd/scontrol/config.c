/*
 * scontrol show config: the settings of slurm.conf, as slurmctld would have
 * them from the file alone and scontrol of Slurm 26.05 prints them. What only a
 * running slurmctld can know has no line. The keys are in config_table.c.
 */
#include "cmd/scontrol/config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/scontrol/scontrol.h"
#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/cli/cli.h"
#include "common/conf/conf_key.h"
#include "common/text/timespec.h"
#include "db/entity/user.h"

/* The value of a setting that has no line. */
static const char NO_LINE[] = "";

/* Keywords that Slurm still reads under an older name too. */
static const struct {
	const char *name, *older;
} renamed[] = {
	{"AcctGatherInterconnectType", "AcctGatherInfinibandType"},
	{"BcastParameters", "SbcastParameters"},
	{"NamespaceType", "JobContainerType"},
	{"SlurmctldHost[]", "ControlMachine"},
};

static const char *in_file(struct session *s, const char *key)
{
	const char *value = conf_pairs_get(&s->site.conf.all, key);

	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (!value && !strcmp(renamed[i].name, key))
			return in_file(s, renamed[i].older);
	return value && *value ? value : NULL;
}

/* The file's number, else the other one. */
static unsigned long number_in_file(
	struct session *s, const char *key, unsigned long other)
{
	const char *value = in_file(s, key);

	return value ? strtoul(value, NULL, 0) : other;
}

/* Does the file have this value? */
static bool is(struct session *s, const char *key, const char *value)
{
	const char *text = in_file(s, key);

	return text && !strcmp(text, value);
}

static const char *count_text(struct session *s, uint64_t n)
{
	return arena_printf(s->arena, "%" PRIu64, n);
}

static const char *at_least(struct session *s, uint64_t a, uint64_t b)
{
	return count_text(s, a > b ? a : b);
}

struct strv scontrol_tres(struct session *s)
{
	const struct strv *tres = &s->site.conf.tres;
	struct strv names = {0};

	strv_words(&names, s->arena,
		"cpu,mem,energy,node,billing,fs/disk,vmem,pages");
	for (size_t i = 0; i < tres->n; i++) {
		if (*tres->v[i] && !strv_has(&names, tres->v[i]))
			strv_push(&names, s->arena, tres->v[i]);
		if (!strcmp(tres->v[i], "gres/gpu"))
			strv_words(&names, s->arena, "gres/gpumem,gres/gpuutil");
	}
	return names;
}

static const char *job_defaults_text(struct session *s)
{
	const char *cpus = in_file(s, "DefCPUPerGPU");
	const char *mem = in_file(s, "DefMemPerGPU");
	struct strv words = {0};

	if (cpus)
		strv_printf(&words, s->arena, "DefCpuPerGPU=%s", cpus);
	if (mem)
		strv_printf(&words, s->arena, "DefMemPerGPU=%s", mem);
	return words.n ? strv_join(&words, ",", s->arena) : NULL;
}

/* Memory per CPU has a line where it is what limits. */
static const char *per_cpu(struct session *s, uint64_t cpu)
{
	return cpu ? count_text(s, cpu) : NO_LINE;
}

static const char *per_node(struct session *s, uint64_t cpu, uint64_t node)
{
	if (cpu)
		return NO_LINE;
	return node && node != INFINITE64 ? count_text(s, node) : "UNLIMITED";
}

/* What depends on more than the keyword itself. */
static const char *site_value(struct session *s, const char *name)
{
	const struct conf *conf = &s->site.conf;
	bool dbd = is(s, "AccountingStorageType", "accounting_storage/slurmdbd");
	bool mysql = is(s, "JobCompType", "job_comp/mysql");
	bool all_limits = !in_file(s, "PropagateResourceLimitsExcept");
	const char *type = in_file(s, "SelectType");
	bool cons_tres = !type || strstr(type, "cons_tres");
	unsigned long both = number_in_file(s, "PrologEpilogTimeout", NO_VAL16);
	unsigned long prolog = number_in_file(s, "PrologTimeout", both);
	unsigned long epilog = number_in_file(s, "EpilogTimeout", both);
	unsigned long jobs = number_in_file(s, "MaxJobCount", 10000);
	unsigned long message = number_in_file(s, "MessageTimeout", 10);
	bool same = prolog == epilog;
	struct strv tres = scontrol_tres(s);
	/* clang-format off */
	const struct {
		const char *name, *value;
	} values[] = {
		{"AccountingStoragePort", dbd ? "6819" : "0"},
		{"AccountingStorageTRES", strv_join(&tres, ",", s->arena)},
		{"ClusterName", s->site.cluster},
		{"DefMemPerCPU", per_cpu(s, conf->def_mem_per_cpu)},
		{"DefMemPerNode", per_node(s, conf->def_mem_per_cpu, conf->def_mem_per_node)},
		{"EpilogTimeout", same ? NO_LINE : count_text(s, epilog)},
		{"JobCompPass", in_file(s, "JobCompPassScript")},
		{"JobCompPort", mysql ? "3306" : "0"},
		{"JobDefaults", job_defaults_text(s)},
		{"MaxDBDMsgs", dbd ? at_least(s, 10000, jobs * 2 + conf->n_nodes * 4) : "0"},
		{"MaxMemPerCPU", per_cpu(s, conf->max_mem_per_cpu)},
		{"MaxMemPerNode", per_node(s, conf->max_mem_per_cpu, conf->max_mem_per_node)},
		{"MaxNodeCount", count_text(s, conf->n_nodes)},
		{"MinJobAge", arena_printf(s->arena, "%u sec", conf->min_job_age)},
		{"PrologEpilogTimeout", same ? count_text(s, prolog) : NO_LINE},
		{"PrologTimeout", same ? NO_LINE : count_text(s, prolog)},
		{"PropagateResourceLimits", all_limits ? "ALL" : NULL},
		{"SelectTypeParameters", cons_tres ? "CR_CORE_MEMORY" : NO_LINE},
		{"SLURM_CONF", conf->path},
		{"TrackWCKey", conf->track_wckey ? "yes" : "no"},
		{"UnkillableStepTimeout", at_least(s, 60, message * 5)},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (!strcmp(values[i].name, name))
			return values[i].value;
	return NULL;
}

/* Without an end: UNLIMITED in minutes, else INFINITE. */
static const char *number_text(
	struct session *s, const char *value, const char *unit)
{
	char *end;
	uint64_t n = strtoull(value, &end, 0);

	if (!strcasecmp(value, "UNLIMITED") || !strcasecmp(value, "INFINITE") ||
		!strcasecmp(value, "NONE") || !strcmp(value, "-1"))
		return unit && !strcmp(unit, "min") ? "UNLIMITED" : "INFINITE";
	if (*end == 'k' || *end == 'K')
		n *= 1024;
	else if (*end)
		return value;
	return arena_printf(s->arena, "%" PRIu64 "%s%s", n, unit ? " " : "",
		unit ? unit : "");
}

static const char *duration_text(
	struct session *s, const char *value, const char *endless)
{
	uint32_t seconds;
	struct err unused;

	if (seconds_parse(value, &seconds, &unused))
		return value;
	return seconds == INFINITE ? endless : duration_format(s->arena, seconds);
}

/* Is the word written, or one behind its colons? Cuts it at the first colon. */
static bool is_meant(char *word, const struct strv *written)
{
	char *other;

	while ((other = strsep(&word, ":")))
		if (strv_has_nocase(written, other))
			return true;
	return false;
}

/* NULL: none of the known words is written. */
static const char *words_text(
	struct session *s, const char *value, const char *known)
{
	struct strv written = {0}, found = {0};
	char *rest = arena_strdup(s->arena, known), *word;

	strv_words(&written, s->arena, value);
	while ((word = strsep(&rest, " ")))
		if (is_meant(word, &written))
			strv_push(&found, s->arena, word);
	return found.n ? strv_join(&found, ",", s->arena) : NULL;
}

/* A plugin that is called none is no plugin where there is no other default. */
static const char *plain_text(const struct config_row *row, const char *value)
{
	const char *slash = strrchr(value, '/');

	return row->fallback || strcasecmp(slash ? slash + 1 : value, "none")
		? value : NULL;
}

static const char *shown_value(
	struct session *s, const struct config_row *row, const char *value)
{
	const char *text = NULL;

	switch (row->kind) {
	case TEXT:
		return plain_text(row, value);
	case NUMBER:
		return number_text(s, value, row->of);
	case YES_NO:
		return conf_is_yes(value) ? "yes" : "no";
	case WORDS:
		text = words_text(s, value, row->of);
		return text ? text : row->fallback;
	case DURATION:
		return duration_text(s, value, row->of);
	case USER:
		return user_with_number(value, s->arena);
	case SITE:
		break;
	}
	return value;
}

static const char *row_text(struct session *s, const struct config_row *row)
{
	const char *value = in_file(s, row->name);

	if (!value)
		value = row->fallback;
	if (row->kind == SITE || value == CONFIG_DEPENDS)
		value = site_value(s, row->name);
	if (!value || value == NO_LINE || row->kind == SITE)
		return value;
	return shown_value(s, row, value);
}

/* --- lines ------------------------------------------------------------- */

/* Without priority/multifactor Slurm has no use for these. */
static bool is_of_multifactor(const char *name)
{
	return !strcmp(name, "FairShareDampeningFactor") ||
	       (!strncmp(name, "Priority", 8) && strcmp(name, "PriorityType") &&
		       strcmp(name, "PriorityParameters") &&
		       strncmp(name, "PrioritySite", 12));
}

/* `wanted`: the only name that is printed, or NULL. `Name` is `Name[0]` too. */
static void print_line(const char *name, const char *wanted, const char *value)
{
	size_t n = strcspn(name, "[");

	if (!wanted || !strcasecmp(name, wanted) ||
		(!strncasecmp(name, wanted, n) && !wanted[n]))
		printf("%-23s = %s\n", name, value ? value : "(null)");
}

static void print_each(struct session *s, const char *name, const char *wanted)
{
	const struct conf_pairs *all = &s->site.conf.all;
	size_t n = strcspn(name, "[");
	int count = 0;

	for (size_t i = 0; i < all->n; i++)
		if (!strncasecmp(all->v[i].key, name, n) && !all->v[i].key[n])
			print_line(arena_printf(s->arena, "%.*s[%d]", (int)n,
					   name, count++),
				wanted, all->v[i].value);
	if (!count && in_file(s, name))
		print_line(arena_printf(s->arena, "%.*s[0]", (int)n, name),
			wanted, in_file(s, name));
}

static void print_row(
	struct session *s, const struct config_row *row, const char *wanted)
{
	const char *text;

	if (strchr(row->name, '[')) {
		print_each(s, row->name, wanted);
		return;
	}
	if (!s->site.conf.policy.multifactor && is_of_multifactor(row->name))
		return;
	text = row_text(s, row);
	if (text != NO_LINE)
		print_line(row->name, wanted, text);
}

void show_config(struct session *s, const char *name)
{
	if (s->form)
		cli_fatal("show config is text");
	if (site_find(&s->site, &s->err))
		cli_die(&s->err);
	cli_print_hints(&s->site.conf.hints);
	if (!name)
		printf("Configuration data as of %s\n",
			time_format(s->arena, s->site.now, s->site.time_format,
				s->site.now));
	for (size_t i = 0; i < n_config_rows; i++)
		print_row(s, &config_rows[i], name);
	site_close(&s->site);
}
