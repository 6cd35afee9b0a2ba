/*
 * Flat data; see flat.h.
 */
#include "common/table/flat.h"

#include <ctype.h>
#include <string.h>

/* ---- keys ----------------------------------------------------------------*/

/* What Slurm's programs call by several names. */
static const struct {
	const char *name, *key;
} same[] = {
	{"eligible", "eligible_time"},
	{"end", "end_time"},
	{"fair_share", "fairshare"},
	{"gid", "group_id"},
	{"group_name", "group"},
	{"job_array_id", "array_job_id"},
	{"job_name", "name"},
	{"jobid", "job_id"},
	{"login", "user"},
	{"ncpus", "cpus"},
	{"n_nodes", "nodes"},
	{"n_tasks", "tasks"},
	{"nodelist", "node_list"},
	{"num_cpus", "cpus"},
	{"num_nodes", "nodes"},
	{"num_tasks", "tasks"},
	{"of_cluster", "percent_of_cluster"},
	{"planned_cpuraw", "planned_cpu_raw"},
	{"qosraw", "qos_id"},
	{"qosreq", "qos_req"},
	{"restarts", "restart_cnt"},
	{"share", "raw_shares"},
	{"start", "start_time"},
	{"submit", "submit_time"},
	{"time_eligible", "eligible_time"},
	{"time_end", "end_time"},
	{"time_start", "start_time"},
	{"time_submit", "submit_time"},
	{"time_used", "elapsed"},
	{"timelimit", "time_limit"},
	{"timelimit_raw", "time_limit_raw"},
	{"tres_alloc", "alloc_tres"},
	{"uid", "user_id"},
	{"user_name", "user"},
	{"wc_key", "wckey"},
	{"wc_key_id", "wckey_id"},
};

/* Does a word begin here? "MaxRSS", "GrpTRESMins", "CPUTime" have two, three,
 * two. */
static bool begins_word(const char *name, const char *at)
{
	if (at == name || !isupper((unsigned char)*at) ||
		!isalnum((unsigned char)at[-1]))
		return false;
	return !isupper((unsigned char)at[-1]) ||
	       (islower((unsigned char)at[1]) && at[1] != 's') ||
	       (at[1] == 's' && islower((unsigned char)at[2]));
}

static const char *snake_case(const char *name, struct arena *arena)
{
	char *key = arena_array(arena, strlen(name) + 1, 2), *end = key;

	for (const char *c = name; *c; c++) {
		bool letter = isalnum((unsigned char)*c);

		if (begins_word(name, c))
			*end++ = '_';
		if (letter)
			*end++ = (char)tolower((unsigned char)*c);
		else if (end > key && end[-1] != '_' && *c != ')')
			*end++ = '_';
	}
	*end = '\0';
	return key;
}

const char *flat_key(const char *name, struct arena *arena)
{
	const char *key = snake_case(name, arena);

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (!strcmp(same[i].name, key))
			return same[i].key;
	return key;
}

const char *member_key(const struct member *m, struct arena *arena)
{
	if (m->key)
		return m->key;
	if (m->json && !strchr(m->json, '/'))
		return flat_key(m->json, arena);
	if (m->names)
		return flat_key(arena_strndup(arena, m->names,
					strcspn(m->names, ": ")),
			arena);
	return flat_key(m->heading, arena);
}

/* ---- values --------------------------------------------------------------*/

/* What Slurm prints for nothing. */
static bool means_nothing(const char *text)
{
	return !strcmp(text, "N/A") || !strcmp(text, "n/a") ||
	       !strcmp(text, "NA") || !strcmp(text, "(null)");
}

struct value member_plain(
	const struct member *m, const void *record, struct arena *arena)
{
	struct value value;

	if (m->plain)
		return m->plain(m, record, arena);
	value = member_value(m, record, arena);
	if (value.type == VALUE_TEXT && (m->get || m->constant) &&
		means_nothing(value.text))
		return no_value();
	return value;
}
