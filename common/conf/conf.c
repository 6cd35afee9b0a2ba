/*
 * slurm.conf: the global keywords, and the order in which things are read.
 * See conf.h; text is conf_lex.c, values conf_key.c, the Priority keywords
 * conf_policy.c, nodes and partitions conf_nodes.c and conf_partitions.c.
 */
#include "common/conf/conf.h"
#include "common/text/hostlist.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/conf/conf_reader.h"
#include "common/conf/conf_words.h"
#include "common/text/tres.h"

/* --- values ------------------------------------------------------------ */

enum {
	ENFORCE_ALL = ENFORCE_ASSOCS | ENFORCE_LIMITS | ENFORCE_WCKEYS |
		      ENFORCE_QOS | ENFORCE_SAFE,
};

static const struct {
	const char *word;
	unsigned flags;
} enforce_words[] = {
	{"1", ENFORCE_ASSOCS},
	{"associations", ENFORCE_ASSOCS},
	{"2", ENFORCE_LIMITS | ENFORCE_ASSOCS},
	{"limits", ENFORCE_LIMITS | ENFORCE_ASSOCS},
	{"safe", ENFORCE_SAFE | ENFORCE_LIMITS | ENFORCE_ASSOCS},
	{"wckeys", ENFORCE_WCKEYS | ENFORCE_ASSOCS},
	{"qos", ENFORCE_QOS | ENFORCE_ASSOCS},
	{"all", ENFORCE_ALL},
	{"nojobs", ENFORCE_NO_JOBS | ENFORCE_NO_STEPS},
	{"nosteps", ENFORCE_NO_STEPS},
};

static int set_enforce_parts(const struct conf_assign *assign)
{
	static const struct {
		const char *word;
		enum enforce_parts parts;
	} words[] = {
		{"NO", ENFORCE_PARTS_NO},
		{"ANY", ENFORCE_PARTS_ANY},
		{"ALL", ENFORCE_PARTS_ALL},
		{"YES", ENFORCE_PARTS_ALL},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(assign->value, words[i].word)) {
			*(enum enforce_parts *)assign->member = words[i].parts;
			return 0;
		}
	return conf_bad_value(assign);
}

static int add_enforce(const struct conf_assign *assign, const char *word)
{
	for (size_t i = 0; i < sizeof(enforce_words) / sizeof(*enforce_words);
		i++)
		if (!strcasecmp(word, enforce_words[i].word)) {
			*(unsigned *)assign->member |= enforce_words[i].flags;
			return 0;
		}
	return err_set(assign->err, ERR_USAGE,
		"Invalid parameter for AccountingStorageEnforce: %s", word);
}

static int set_enforce(const struct conf_assign *assign)
{
	struct strv words = {0};

	*(unsigned *)assign->member = 0;
	strv_split(&words, assign->arena, assign->value);
	for (size_t i = 0; i < words.n; i++)
		if (*words.v[i] && add_enforce(assign, words.v[i]))
			return -1;
	return 0;
}

static int bad_licenses(const struct conf_assign *assign)
{
	return err_set(assign->err, ERR_USAGE,
		"Invalid configured licenses: %s", assign->value);
}

static struct conf_license *find_license(
	struct conf_reader *reader, const char *name)
{
	struct conf *conf = &reader->conf;
	struct conf_license *license;

	for (size_t i = 0; i < conf->n_licenses; i++)
		if (!strcmp(conf->licenses[i].name, name))
			return &conf->licenses[i];
	license = ARENA_PUSH(reader->arena, conf->licenses, conf->n_licenses,
		reader->cap_licenses);
	license->name = name;
	return license;
}

/* `name`, `name:count` or `name=count`; same names add up. */
static int add_license(const struct conf_assign *assign,
	struct conf_reader *reader, char *text)
{
	char *digits = text + strcspn(text, ":="), *end;
	unsigned long count = 1;
	struct conf_license *license;

	if (*digits) {
		*digits++ = '\0';
		count = strtoul(digits, &end, 10);
		if (!isdigit((unsigned char)*digits) || *end ||
			count > INT32_MAX)
			return bad_licenses(assign);
	}
	if (!*text || text[strcspn(text, " \t")])
		return bad_licenses(assign);
	license = find_license(reader, text);
	if (count > INT32_MAX - license->count)
		return bad_licenses(assign);
	license->count += (uint32_t)count;
	return 0;
}

static int set_licenses(const struct conf_assign *assign)
{
	struct conf_reader *reader = assign->record;
	char *text = arena_strdup(assign->arena, assign->value), *word;

	reader->conf.licenses = NULL;
	reader->conf.n_licenses = 0;
	reader->cap_licenses = 0;
	while ((word = strsep(&text, ",;")))
		if (*word && add_license(assign, reader, word))
			return -1;
	return 0;
}

/* It becomes a record of the store. */
static int set_cluster_name(const struct conf_assign *assign)
{
	if (strlen(assign->value) > MAX_NAME || !utf8_clean(assign->value))
		return conf_bad_value(assign);
	return conf_set_lower(assign);
}

/* Slurm takes two seconds for less, so 0 does not keep jobs for good. */
static int set_min_job_age(const struct conf_assign *assign)
{
	uint32_t *seconds = assign->member;

	if (conf_set_uint32(assign))
		return -1;
	if (*seconds < 2)
		*seconds = 2;
	return 0;
}

/* As slurmctld, which ends with these: the types there are, and which of them
 * have a name (_init_tres in slurmctld/controller.c). */
static int set_tres(const struct conf_assign *assign)
{
	const struct strv *names = assign->member;

	if (conf_set_lower_words(assign))
		return -1;
	for (size_t i = 0; i < names->n; i++)
		if (*names->v[i] && tres_check_name(names->v[i], assign->err))
			return err_prefix(assign->err, "%s", assign->key);
	return 0;
}

static const struct conf_key global_keys[] = {
	{"ClusterName", set_cluster_name, CONF_AT(cluster_name)},
	{"SlurmUser", conf_set_text, CONF_AT(slurm_user)},
	{"AccountingStorageTRES", set_tres, CONF_AT(tres)},
	{"AccountingStorageEnforce", set_enforce, CONF_AT(enforce)},
	{"PrivateData", conf_set_private_data, CONF_AT(private_data)},
	{"TrackWCKey", conf_set_bool, CONF_AT(track_wckey)},
	{"Licenses", set_licenses, 0},
	{"SelectType", conf_set_text, CONF_AT(select_type)},
	{"SelectTypeParameters", conf_set_text,
		CONF_AT(select_type_parameters)},
	{"GresTypes", conf_set_words, CONF_AT(gres_types)},
	{"SchedulerType", conf_set_text, CONF_AT(scheduler_type)},
	{"SchedulerParameters", conf_set_text, CONF_AT(scheduler_parameters)},
	{"PreemptType", conf_set_text, CONF_AT(preempt_type)},
	{"PreemptMode", conf_set_text, CONF_AT(preempt_mode)},
	{"PreemptExemptTime", conf_set_text, CONF_AT(preempt_exempt_time)},
	{"EnforcePartLimits", set_enforce_parts, CONF_AT(enforce_parts)},
	{"MinJobAge", set_min_job_age, CONF_AT(min_job_age)},
	{"OverTimeLimit", conf_set_minutes16, CONF_AT(over_time_limit)},
	{"DefMemPerCPU", conf_set_uint64, CONF_AT(def_mem_per_cpu)},
	{"DefMemPerNode", conf_set_uint64, CONF_AT(def_mem_per_node)},
	{"MaxMemPerCPU", conf_set_uint64, CONF_AT(max_mem_per_cpu)},
	{"MaxMemPerNode", conf_set_uint64, CONF_AT(max_mem_per_node)},
};

/* --- lines ------------------------------------------------------------- */

void conf_say(
	struct conf_reader *reader, struct strv *list, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*ARENA_PUSH(reader->arena, list->v, list->n, list->cap) =
		arena_vprintf(reader->arena, fmt, ap);
	va_end(ap);
}

int conf_take(struct conf_reader *reader, const struct conf_line *line,
	size_t i, const struct conf_key *keys, size_t n, void *record)
{
	const struct conf_pair *pair = &line->pairs.v[i];
	int rc = conf_assign(keys, n, record, pair, reader->arena, reader->err);
	const char *meant;

	if (rc <= 0)
		return rc;
	meant = conf_word_meant(
		line->pairs.v[0].key, pair->key, reader->arena);
	if (meant)
		conf_say(reader, &reader->conf.hints,
			"%s:%d: %s is not known; did you mean %s?", pair->file,
			pair->line, pair->key, meant);
	return rc;
}

static int ignore_line(struct conf_reader *reader, const struct conf_line *line)
{
	(void)reader;
	(void)line;
	return 0;
}

static int host_line(struct conf_reader *reader, const struct conf_line *line)
{
	struct conf_pairs *all = &reader->conf.all;

	*ARENA_PUSH(reader->arena, all->v, all->n, all->cap) =
		line->pairs.v[0];
	return 0;
}

/* Keywords whose line belongs to them: the pairs behind are not global. */
static const struct {
	const char *key;
	int (*read)(struct conf_reader *, const struct conf_line *);
} line_kinds[] = {
	{"NodeName", conf_node_line},
	{"NodeSet", conf_nodeset_line},
	{"PartitionName", conf_partition_line},
	{"DownNodes", ignore_line},
	{"FrontendName", ignore_line},
	{"PowerAction", ignore_line},
	{"SlurmctldHost", host_line},
	{"SwitchName", ignore_line},
};

static int global_line(struct conf_reader *reader, const struct conf_line *line)
{
	struct conf *conf = &reader->conf;
	int rc;

	for (size_t i = 0; i < line->pairs.n; i++) {
		const struct conf_pair *pair = &line->pairs.v[i];

		*ARENA_PUSH(reader->arena, conf->all.v, conf->all.n,
			conf->all.cap) = *pair;
		rc = conf_assign(conf_policy_keys, conf_policy_n_keys, reader,
			pair, reader->arena, reader->err);
		if (rc > 0)
			rc = conf_take(reader, line, i, global_keys,
				sizeof(global_keys) / sizeof(*global_keys),
				reader);
		if (rc < 0)
			return -1;
	}
	return 0;
}

static int read_line(struct conf_reader *reader, const struct conf_line *line)
{
	const char *key = line->pairs.v[0].key;

	for (size_t i = 0; i < sizeof(line_kinds) / sizeof(*line_kinds); i++)
		if (!strcasecmp(key, line_kinds[i].key))
			return line_kinds[i].read(reader, line);
	return global_line(reader, line);
}

/* With select/cons_tres, the default, memory counts unless the parameters
 * name only processors. */
static bool memory_counts(const struct conf *conf)
{
	if (conf->select_type_parameters)
		return strcasestr(conf->select_type_parameters, "_Memory");
	return !conf->select_type || strstr(conf->select_type, "cons_tres");
}

static int finish(struct conf_reader *reader)
{
	struct conf *conf = &reader->conf;

	if (!conf->slurm_user)
		conf->slurm_user = "root";
	if (conf->enforce & ENFORCE_WCKEYS)
		conf->track_wckey = true;
	conf->memory_consumable = memory_counts(conf);
	if (conf_policy_finish(reader))
		return -1;
	return conf_partitions_finish(reader);
}

/* --- loading ----------------------------------------------------------- */

void conf_defaults(struct conf *conf)
{
	*conf = (struct conf){.slurm_user = "root",
		.memory_consumable = true,
		.min_job_age = 300};
	conf_policy_defaults(&conf->policy);
}

/* Lines that come from no file: a NodeName=DEFAULT of the file does not apply
 * to them, and errors about them name no file and line. */
static int read_more(struct conf_reader *reader, const struct strv *more)
{
	struct conf_lines lines = {0};

	for (size_t i = 0; more && i < more->n; i++)
		if (conf_lex_line(
			    more->v[i], reader->arena, &lines, reader->err))
			return -1;
	conf_nodes_start(reader);
	for (size_t i = 0; i < lines.n; i++)
		if (read_line(reader, &lines.v[i]))
			return -1;
	return 0;
}

int conf_load_with(struct conf *conf, const char *slurm_conf_path,
	const struct strv *more, struct arena *arena, struct err *err)
{
	struct conf_reader reader = {.arena = arena, .err = err};
	struct conf_lines lines = {0};

	conf_defaults(&reader.conf);
	if (slurm_conf_path)
		reader.conf.path = arena_strdup(arena, slurm_conf_path);
	conf_nodes_start(&reader);
	conf_partitions_start(&reader);
	if (slurm_conf_path &&
		conf_lex_file(slurm_conf_path, arena, &lines, err))
		return -1;
	for (size_t i = 0; i < lines.n; i++)
		if (read_line(&reader, &lines.v[i]))
			return -1;
	if (read_more(&reader, more) || finish(&reader))
		return -1;
	*conf = reader.conf;
	conf->policy.since = lines.changed;
	return 0;
}

int conf_load(struct conf *conf, const char *slurm_conf_path,
	struct arena *arena, struct err *err)
{
	return conf_load_with(conf, slurm_conf_path, NULL, arena, err);
}

/* --- look-ups ---------------------------------------------------------- */

const struct conf_partition *conf_partition_by_name(
	const struct conf *conf, const char *name)
{
	size_t index;

	if (!conf_index_find(&conf->partition_index, name, &index))
		return NULL;
	return &conf->partitions[index];
}

const struct conf_partition *conf_partition_with_qos(
	const struct conf *conf, const char *qos, size_t nth)
{
	for (size_t i = 0; i < conf->n_partitions; i++)
		if (conf->partitions[i].qos &&
			!strcasecmp(conf->partitions[i].qos, qos) && !nth--)
			return &conf->partitions[i];
	return NULL;
}

uint32_t conf_minutes(const struct conf_partition *partition, uint32_t asked)
{
	if (asked != NO_VAL || !partition)
		return asked;
	return partition->default_time != NO_VAL ? partition->default_time
						 : partition->max_time;
}

const struct conf_node *conf_node_by_name(
	const struct conf *conf, const char *name)
{
	size_t index;

	if (!conf_index_find(&conf->node_index, name, &index))
		return NULL;
	return &conf->nodes[index];
}

bool conf_node_is_down(const struct conf_node *node)
{
	static const char *const words[] = {
		"DOWN", "DRAIN", "FAIL", "FUTURE", "NORESP", "POWER_DOWN"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(node->state, words[i], strlen(words[i])))
			return true;
	return false;
}

struct conf_places conf_nodes_listed(
	const struct conf *conf, const char *hostlist, struct arena *arena)
{
	struct conf_places places = {0};
	struct strv names = hostlist_names(hostlist, arena);

	places.v = arena_array(arena, names.n, sizeof(*places.v));
	for (size_t i = 0; i < names.n; i++) {
		size_t index;

		if (conf_index_find(&conf->node_index, names.v[i], &index))
			places.v[places.n++] = (uint32_t)index;
	}
	places.unknown = names.n - places.n;
	return places;
}

const struct conf_partition *conf_default_partition(const struct conf *conf)
{
	for (size_t i = 0; i < conf->n_partitions; i++)
		if (conf->partitions[i].is_default)
			return &conf->partitions[i];
	return NULL;
}
