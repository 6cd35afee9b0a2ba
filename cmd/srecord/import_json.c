/*
 * `squeue --json`, `sacct --json`, and lists of nodes (import_node.c): one record
 * at a time is cut out of the text and given to json-c, so that memory is flat
 * however long the list is. A table
 * says which member is which column of `sacct -P`; what reads those reads
 * these.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/text/jobstate.h"
#include "common/text/pernode.h"
#include "common/text/reason.h"
#include "db/job/job.h"

enum { CHUNK = 1 << 16, MOST_JOB = 1 << 24 };

/* ---- values as text -------------------------------------------------------*/

struct json_object *import_find(struct json_object *from, const char *path)
{
	while (from && path) {
		size_t len = strcspn(path, "/");
		char key[64];

		if (!json_object_is_type(from, json_type_object) ||
			len >= sizeof(key))
			return NULL;
		memcpy(key, path, len);
		key[len] = '\0';
		from = json_object_object_get(from, key);
		path = path[len] ? path + len + 1 : NULL;
	}
	return from;
}

static bool is_true(struct json_object *from, const char *key)
{
	return json_object_get_boolean(import_find(from, key));
}

/* A number alone, or {"set": true, "infinite": false, "number": 7}. */
static bool number_of(struct json_object *o, int64_t *number)
{
	if (json_object_is_type(o, json_type_object)) {
		if (!is_true(o, "set") || is_true(o, "infinite"))
			return false;
		o = import_find(o, "number");
	}
	if (!json_object_is_type(o, json_type_int) &&
		!json_object_is_type(o, json_type_double))
		return false;
	*number = json_object_get_int64(o);
	return *number >= 0;
}

/* Of a list; 0: none. */
static size_t length(struct json_object *o)
{
	return json_object_is_type(o, json_type_array)
		       ? json_object_array_length(o)
		       : 0;
}

static const char *as_plain(struct import *im, struct json_object *o)
{
	int64_t number;

	if (json_object_is_type(o, json_type_string))
		return json_object_get_string(o);
	return number_of(o, &number)
		       ? arena_printf(&im->scratch, "%" PRId64, number)
		       : "";
}

static const char *as_item(struct import *im, struct json_object *list, size_t i)
{
	return as_plain(im, json_object_array_get_idx(list, i));
}

/* Slurm's marks of "no value" are no ids. */
static const char *as_id(struct import *im, struct json_object *o)
{
	int64_t number;

	return number_of(o, &number) && number < NO_VAL ? as_plain(im, o) : "";
}

/* 0 means not set. */
static const char *as_some(struct import *im, struct json_object *o)
{
	const char *text = as_plain(im, o);

	return strcmp(text, "0") ? text : "";
}

/* A job that never started began at "no value". */
static const char *as_time(struct import *im, struct json_object *o)
{
	int64_t number;

	return number_of(o, &number) && number && number < NO_VAL
		       ? as_plain(im, o)
		       : "";
}

/* Kilohertz. Slurm writes the bits of a double as if they were a number. */
static const char *as_frequency(struct import *im, struct json_object *o)
{
	int64_t bits;
	double khz;

	if (!number_of(o, &bits) || bits < INT64_C(1) << 52)
		return as_plain(im, o);
	memcpy(&khz, &bits, sizeof(khz));
	return khz < 1e15 ? arena_printf(&im->scratch, "%.0f", khz) : "";
}

static const char *as_limit(struct import *im, struct json_object *o)
{
	if (json_object_is_type(o, json_type_object) && is_true(o, "infinite"))
		return "UNLIMITED";
	return as_plain(im, o);
}

/* A word or a list of which the first counts. */
static const char *as_state(struct import *im, struct json_object *o)
{
	if (json_object_is_type(o, json_type_array))
		o = json_object_array_get_idx(o, 0);
	return as_plain(im, o);
}

/* What became of it says more than the state it went back to. */
static const char *as_past_state(struct import *im, struct json_object *o)
{
	static const char *const fates[] = {"REQUEUED", "RESIZING", "REVOKED"};
	size_t n = length(o);

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < 3; k++)
			if (!strcmp(fates[k], as_item(im, o, i)))
				return fates[k];
	return as_state(im, o);
}

/* What sacct --json calls them; those of squeue are others. */
static const char *as_flags(struct import *im, struct json_object *o)
{
	size_t n = length(o);
	const char *text = "";

	for (size_t i = 0; i < n; i++)
		for (size_t k = 1; k < JOB_FLAGS; k++)
			if (!strcmp(job_flag_names[k], as_item(im, o, i)))
				text = arena_printf(&im->scratch, "%s%s,", text,
					job_flag_words[k]);
	return text;
}

/* ["none"] of squeue: its nodes are its own, in the word of sacct. */
static const char *as_shared(struct import *im, struct json_object *o)
{
	size_t n = length(o);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(as_item(im, o, i), "none"))
			return "NODE";
	return "";
}

static const char *as_exit(struct import *im, struct json_object *o)
{
	int64_t code = 0, signal = 0;

	number_of(import_find(o, "return_code"), &code);
	if (!number_of(import_find(o, "signal/id"), &signal))
		number_of(import_find(o, "signal/signal_id"), &signal);
	return arena_printf(&im->scratch, "%" PRId64 ":%" PRId64, code, signal);
}

static const char *as_duration(struct import *im, struct json_object *o)
{
	int64_t seconds = 0, micro = 0;

	number_of(import_find(o, "seconds"), &seconds);
	number_of(import_find(o, "microseconds"), &micro);
	return arena_printf(
		&im->scratch, "%" PRId64 ".%06" PRId64, seconds, micro);
}

/* [{"type": "gres", "name": "gpu", "count": 2}, ...] */
static const char *as_tres(struct import *im, struct json_object *o)
{
	const char *text = "";

	if (!json_object_is_type(o, json_type_array))
		return as_plain(im, o);
	for (size_t i = 0; i < json_object_array_length(o); i++) {
		struct json_object *one = json_object_array_get_idx(o, i);
		const char *type = as_plain(im, import_find(one, "type"));
		const char *name = as_plain(im, import_find(one, "name"));
		int64_t count;

		if (!number_of(import_find(one, "count"), &count) || !*type)
			continue;
		text = arena_printf(&im->scratch, "%s%s%s%s%s=%" PRId64 "%s",
			text, *text ? "," : "", type, *name ? "/" : "", name,
			count, strcmp(type, "mem") ? "" : "M");
	}
	return text;
}

/* [{"type": "mem", "count": 1073741824}, ...]: CPU in milliseconds. */
static const char *as_usage(struct import *im, struct json_object *o)
{
	size_t n = length(o);
	const char *text = "";

	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(o, i);
		const char *type = as_plain(im, import_find(one, "type"));
		const char *name = as_plain(im, import_find(one, "name"));
		bool cpu = !strcmp(type, "cpu");
		int64_t count;

		if (!number_of(import_find(one, "count"), &count))
			continue;
		text = arena_printf(&im->scratch, "%s%s%s%s%s=%" PRId64, text,
			*text ? "," : "", type, *name ? "/" : "", name,
			cpu ? count / 1000 : count);
		if (cpu)
			text = arena_printf(&im->scratch, "%s.%03" PRId64, text,
				count % 1000);
	}
	return text;
}

/* [{"type": "mem", "node": "n1", "task": 3}, ...]; without a node nothing is known. */
static const char *as_where(
	struct import *im, struct json_object *o, const char *key)
{
	size_t n = length(o);
	const char *text = "";

	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(o, i);
		const char *name = as_plain(im, import_find(one, "name"));
		const char *value = as_plain(im, import_find(one, key));

		if (*value && *as_plain(im, import_find(one, "node")))
			text = arena_printf(&im->scratch, "%s%s%s%s%s=%s", text,
				*text ? "," : "",
				as_plain(im, import_find(one, "type")),
				*name ? "/" : "", name, value);
	}
	return text;
}

static const char *as_nodes(struct import *im, struct json_object *o)
{
	return as_where(im, o, "node");
}

static const char *as_tasks(struct import *im, struct json_object *o)
{
	return as_where(im, o, "task");
}

static const char *as_signed(struct import *im, struct json_object *o)
{
	if (json_object_is_type(o, json_type_object))
		o = is_true(o, "set") ? import_find(o, "number") : NULL;
	return o ? arena_printf(
			   &im->scratch, "%" PRId64, json_object_get_int64(o))
		 : "";
}

/* ---- how it lies on nodes -------------------------------------------------*/

/* GPUs in "gres/gpu:2" or "gres/gpu:a100=2"; other gres are passed over. */
static const char *as_gpus(struct import *im, struct json_object *o)
{
	const char *text = as_plain(im, o), *gpu = strstr(text, "gpu");
	size_t len = gpu ? strcspn(gpu, ",") : 0, digits = len;

	while (digits && gpu[digits - 1] >= '0' && gpu[digits - 1] <= '9')
		digits--;
	if (!len)
		return "";
	if (digits == len)
		return "1";
	return arena_printf(
		&im->scratch, "%.*s", (int)(len - digits), gpu + digits);
}

/* "gres/gpu:a100=2,gres/shard:1" as it was asked for: gpu:a100:2,shard:1. */
static const char *as_gres(struct import *im, struct json_object *o)
{
	char *to, *text = arena_strdup(&im->scratch, as_plain(im, o));

	to = text;
	for (const char *c = text; *c; c++) {
		if (!strncmp(c, "gres/", 5) || !strncmp(c, "gres:", 5))
			c += 5;
		if (*c)
			*to++ = *c == '=' ? ':' : *c;
	}
	*to = '\0';
	return text;
}

/* A number of each node that was given to it; "" where one is missing, or all
 * are 0. */
static const char *of_each_node(struct import *im, struct json_object *from,
	const char *path, const char *older)
{
	struct json_object *nodes = import_find(from, "nodes/allocation");
	struct pernode list = {0};
	bool some = false;
	size_t n;

	if (!json_object_is_type(nodes, json_type_array))
		nodes = import_find(from, "allocated_nodes");
	n = length(nodes);
	for (size_t i = 0; i < n; i++) {
		struct json_object *one = json_object_array_get_idx(nodes, i);
		int64_t number;

		if (!number_of(import_find(one, path), &number) &&
			!number_of(import_find(one, older), &number))
			return "";
		some |= number != 0;
		pernode_add(&list, (uint64_t)number, &im->scratch);
	}
	return some ? pernode_text(&list, &im->scratch) : "";
}

static const char *as_cpus_on(struct import *im, struct json_object *o)
{
	return of_each_node(im, o, "cpus/count", "cpus_used");
}

static const char *as_memory_on(struct import *im, struct json_object *o)
{
	return of_each_node(im, o, "memory/allocated", "memory_allocated");
}

/* ---- members --------------------------------------------------------------*/

struct json_column {
	const char *path, *column; /* of sacct */
	const char *(*text)(struct import *, struct json_object *);
	const struct import_column *to; /* found by open_columns */
};

/* Those of squeue, then those of sacct that read otherwise than facts of their
 * type do; where both have one, once. */
/* clang-format off */
static struct json_column job_columns[] = {
	{"cluster", "Cluster", as_plain, NULL},
	{"qos", "QOS", as_plain, NULL},
	{"nodes", "NodeList", as_plain, NULL},
	{"user_id", "UID", as_id, NULL},
	{"group_id", "GID", as_id, NULL},
	{"job_state", "State", as_state, NULL},
	{"state_reason", "Reason", as_plain, NULL},
	{"start_time", "Start", as_some, NULL},
	{"end_time", "End", as_some, NULL},
	{"time_limit", "TimelimitRaw", as_limit, NULL},
	{"time_minimum", "TimeMin", as_some, NULL},
	{"cpus", "ReqCPUS", as_some, NULL},
	{"node_count", "ReqNodes", as_some, NULL},
	{"memory_per_node", "MemPerNode", as_some, NULL},
	{"tres_per_node", "TresPerNode", as_gres, NULL},
	{"tres_per_task", "GPUsPerTask", as_gpus, NULL},
	{"tres_per_socket", "GPUsPerSocket", as_gpus, NULL},
	{"shared", "Exclusive", as_shared, NULL},
	{"job_resources", "CPUsOn", as_cpus_on, NULL},
	{"job_resources", "MemOn", as_memory_on, NULL},
	{"command_line", "SubmitLine", as_plain, NULL},
	{"mcs_label", "McsLabel", as_plain, NULL},

	{"state/current", "State", as_past_state, NULL},
	{"flags", "Flags", as_flags, NULL},
	{"time/elapsed", "ElapsedRaw", as_plain, NULL},
	{"time/suspended", "Suspended", as_plain, NULL},
	{"time/system", "SystemCPU", as_duration, NULL},
	{"time/user", "UserCPU", as_duration, NULL},
	{"time/total", "TotalCPU", as_duration, NULL},
	{"allocation_nodes", "AllocNodes", as_some, NULL},
	{NULL, NULL, NULL, NULL},
};

static struct json_column step_columns[] = {
	{"step/id", "JobIDRaw", as_plain, NULL},
	{"state", "State", as_state, NULL},
	{"time/start", "Start", as_time, NULL},
	{"time/end", "End", as_time, NULL},
	{"time/elapsed", "ElapsedRaw", as_plain, NULL},
	{"time/system", "SystemCPU", as_duration, NULL},
	{"time/user", "UserCPU", as_duration, NULL},
	{"time/total", "TotalCPU", as_duration, NULL},
	{"nodes/count", "AllocNodes", as_some, NULL},
	{"nodes/range", "NodeList", as_plain, NULL},
	{"statistics/CPU/actual_frequency", "AveCPUFreq", as_frequency, NULL},
	{"tres/requested/max", "TRESUsageInMax", as_usage, NULL},
	{"tres/requested/average", "TRESUsageInAve", as_usage, NULL},
	{"tres/requested/total", "TRESUsageInTot", as_usage, NULL},
	{"tres/requested/max", "TRESUsageInMaxNode", as_nodes, NULL},
	{"tres/requested/max", "TRESUsageInMaxTask", as_tasks, NULL},
	{"tres/requested/min", "TRESUsageInMin", as_usage, NULL},
	{"tres/requested/min", "TRESUsageInMinNode", as_nodes, NULL},
	{"tres/requested/min", "TRESUsageInMinTask", as_tasks, NULL},
	{"tres/consumed/max", "TRESUsageOutMax", as_usage, NULL},
	{"tres/consumed/max", "TRESUsageOutMaxNode", as_nodes, NULL},
	{"tres/consumed/max", "TRESUsageOutMaxTask", as_tasks, NULL},
	{"tres/consumed/min", "TRESUsageOutMin", as_usage, NULL},
	{"tres/consumed/min", "TRESUsageOutMinNode", as_nodes, NULL},
	{"tres/consumed/min", "TRESUsageOutMinTask", as_tasks, NULL},
	{"tres/consumed/total", "TRESUsageOutTot", as_usage, NULL},
	{"CPU/requested_frequency/min", "ReqCPUFreqMin", as_some, NULL},
	{"CPU/requested_frequency/max", "ReqCPUFreqMax", as_some, NULL},
	{"CPU/governor", "ReqCPUFreqGov", as_plain, NULL},
	{"kill_request_user", "KillRequestUser", as_plain, NULL},
	{"tres/consumed/average", "TRESUsageOutAve", as_usage, NULL},
	{NULL, NULL, NULL, NULL},
};
/* clang-format on */

static int read_columns(struct import *im, const struct json_column *columns,
	struct json_object *from, struct import_row *row)
{
	for (const struct json_column *c = columns; c->path; c++) {
		struct json_object *o = import_find(from, c->path);

		if (o && import_value(&im->reader, c->to, c->text(im, o), row))
			return -1;
	}
	return 0;
}

/* How a fact reads. */
static const char *(*const by_type[MEMBER_TYPES])(
	struct import *, struct json_object *) = {
	[MEMBER_TEXT] = as_plain,
	[MEMBER_TIME] = as_time,
	[MEMBER_KNOWN_TIME] = as_time,
	[MEMBER_SIGNED] = as_signed,
	[MEMBER_COUNT] = as_some,
	[MEMBER_MAYBE] = as_limit,
	[MEMBER_COUNT64] = as_some,
	[MEMBER_MAYBE64] = as_plain,
	[MEMBER_TRES] = as_tres,
	[MEMBER_EXIT] = as_exit,
};

enum { MOST_FACTS = 160 };

struct fact_list {
	struct json_column v[MOST_FACTS]; /* ends with a NULL path */
	size_t n;
};

static struct fact_list job_facts, step_facts;

static bool has_path(const struct json_column *columns, const char *path)
{
	while (columns->path && strcmp(columns->path, path) != 0)
		columns++;
	return columns->path != NULL;
}

/* But for paths that the columns read, or are read already: where sacct and
 * squeue have the same, once. */
static void add_fact(struct fact_list *list, const struct json_column *columns,
	const struct member *fact, const char *path)
{
	const struct import_column *to = import_fact(fact);

	if (!path || !to || !by_type[fact->type] ||
		has_path(columns, path) || has_path(list->v, path))
		return;
	if (list->n == MOST_FACTS - 1)
		BUG("more than %d facts", MOST_FACTS);
	list->v[list->n++] =
		(struct json_column){path, NULL, by_type[fact->type], to};
}

static void open_list(struct json_column *columns)
{
	for (; columns->path; columns++)
		columns->to = import_column(columns->column);
}

/* In squeue's records facts of ours have the name of their column. */
static void open_columns(void)
{
	const struct member *m;

	if (job_facts.n)
		return;
	open_list(job_columns);
	open_list(step_columns);
	for (m = job_members.v; m < job_members.v + job_members.n; m++) {
		add_fact(&job_facts, job_columns, m, m->json);
		add_fact(&job_facts, job_columns, m,
			m->queue		 ? m->queue->json
			: m->marks & MEMBER_OURS ? m->column
						 : NULL);
	}
	for (m = step_members.v; m < step_members.v + step_members.n; m++)
		add_fact(&step_facts, step_columns, m, m->json);
}

static void begin_row(struct import_row *row)
{
	import_row_init(row);
	row->job.cpus_req = row->job.nodes_req = NO_VAL;
}

/* Either form of a number under either of two names; 0: none. */
static int64_t number_at(
	struct json_object *from, const char *path, const char *other)
{
	int64_t number = 0;

	if (!number_of(import_find(from, path), &number))
		number_of(import_find(from, other), &number);
	return number;
}

static void read_array(
	struct import *im, struct json_object *from, struct job *job)
{
	struct json_object *task = import_find(from, "array_task_id");
	struct json_object *waits = import_find(from, "array_task_string");
	int64_t number;

	job->array_job =
		(uint32_t)number_at(from, "array_job_id", "array/job_id");
	if (!task)
		task = import_find(from, "array/task_id");
	if (!waits)
		waits = import_find(from, "array/task");
	if (job->array_job && number_of(task, &number))
		job->array_task = (uint32_t)number;
	else if (job->array_job)
		job->array_tasks = as_plain(im, waits);
	job->het_job = (uint32_t)number_at(from, "het_job_id", "het/job_id");
	if (job->het_job)
		job->het_offset = (uint32_t)number_at(
			from, "het_job_offset", "het/job_offset");
}

/* squeue tells since when it is suspended, or when it went on, and how long it
 * had run by then. */
static void read_suspension(struct json_object *from, struct job *job)
{
	int64_t at = job->suspended_since, ran;

	if (at && job->start && number_of(import_find(from, "pre_sus_time"), &ran))
		job->suspended = at > job->start + ran ? at - job->start - ran
						       : 0;
	if ((job->state & JOB_BASE_MASK) != JOB_SUSPENDED)
		job->suspended_since = 0;
}

/* What the controller says of its reason has the reason in front. */
static void read_description(
	struct import *im, struct json_object *from, struct job *job)
{
	const char *text = as_plain(im, import_find(from, "state_description"));

	if (reason_says_more(text, job->reason))
		job->reason = utf8_tame(&im->scratch, text);
}

static int read_steps(struct import *im, struct json_object *job)
{
	struct json_object *steps = import_find(job, "steps");
	size_t n = length(steps);

	for (size_t i = 0; i < n; i++) {
		struct json_object *step = json_object_array_get_idx(steps, i);
		struct import_row row;

		begin_row(&row);
		if (read_columns(im, step_facts.v, step, &row) ||
			read_columns(im, step_columns, step, &row) ||
			import_sacct_row(&im->reader, &row) ||
			import_one(im, &row))
			return -1;
	}
	return 0;
}

static int read_job(struct import *im, struct json_object *object)
{
	struct import_row row;

	begin_row(&row);
	if (read_columns(im, job_facts.v, object, &row) ||
		read_columns(im, job_columns, object, &row))
		return -1;
	row.job.id = row.raw_id.job;
	read_array(im, object, &row.job);
	read_suspension(object, &row.job);
	read_description(im, object, &row.job);
	if (im->options.only_open && job_state_finished(row.job.state))
		return 0;
	if (im->options.listed)
		*ARENA_PUSH(im->options.listed->arena, im->options.listed->v,
			im->options.listed->n, im->options.listed->cap) =
			row.job.id;
	if (import_settle(&im->reader, &row) || import_one(im, &row))
		return -1;
	return read_steps(im, object);
}

/* The lists of a document that are read, and what reads a record of each. */
static const struct {
	const char *key, *unit;
	int (*read)(struct import *, struct json_object *);
} lists[] = {
	{"jobs", "job", read_job},
	{"nodes", "node", import_node},
	{"sinfo", "row", import_node},
};

enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

static int read_text(
	struct import *im, size_t list, const char *text, size_t len)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object =
		json_tokener_parse_ex(tokener, text, (int)len);
	int rc;

	if (object)
		rc = lists[list].read(im, object);
	else
		rc = err_set(&im->s->err, ERR_USAGE, "no JSON: %s",
			json_tokener_error_desc(
				json_tokener_get_error(tokener)));
	json_object_put(object);
	json_tokener_free(tokener);
	return rc;
}

/* ---- cutting records out --------------------------------------------------*/

struct cutter {
	struct import *im;
	int depth;
	bool in_string, escaped, in_list, has_list;
	size_t list;  /* which of them */
	char key[16]; /* the last text outside of the lists */
	size_t key_len;
	char *text; /* of the record */
	size_t len, cap;
};

static int one_record(struct cutter *c)
{
	struct import *im = c->im;
	size_t len = c->len;
	int rc;

	c->len = 0;
	im->line++;
	if (im->line <= im->done)
		return 0;
	rc = read_text(im, c->list, c->text, len);
	im->at = gzoffset(im->source.gz);
	return import_done(im, rc, c->text, len);
}

static bool collects(const struct cutter *c)
{
	return c->in_list && c->depth > 2;
}

static int keep(struct cutter *c, char byte)
{
	if (c->len >= MOST_JOB)
		return err_set(&c->im->s->err, ERR_SYSTEM,
			"%s %" PRIu64 " is longer than 16 MiB", c->im->unit,
			c->im->line + 1);
	if (c->len == c->cap) {
		c->cap = c->cap ? 2 * c->cap : CHUNK;
		c->text = memory_resize(c->text, c->cap, 1);
	}
	c->text[c->len++] = byte;
	return 0;
}

static void in_string(struct cutter *c, char byte)
{
	if (!collects(c) && c->key_len < sizeof(c->key) - 1 && byte != '"')
		c->key[c->key_len++] = byte;
	if (c->escaped)
		c->escaped = false;
	else if (byte == '\\')
		c->escaped = true;
	else if (byte == '"')
		c->in_string = false;
}

static void open_bracket(struct cutter *c, char byte)
{
	c->depth++;
	c->key[c->key_len] = '\0';
	if (byte != '[' || c->depth != 2)
		return;
	for (size_t i = 0; i < LISTS; i++)
		if (!strcmp(c->key, lists[i].key)) {
			c->in_list = c->has_list = true;
			c->list = i;
			c->im->unit = lists[i].unit;
		}
}

static int cut(struct cutter *c, char byte)
{
	bool inside;

	if (c->in_string) {
		in_string(c, byte);
		return collects(c) ? keep(c, byte) : 0;
	}
	if (byte == '"') {
		c->in_string = true;
		c->key_len = collects(c) ? c->key_len : 0;
	} else if (byte == '{' || byte == '[') {
		open_bracket(c, byte);
	}
	inside = collects(c);
	if (byte == '}' || byte == ']')
		c->depth--;
	if (inside && keep(c, byte))
		return -1;
	if (inside && !collects(c))
		return one_record(c);
	if (c->depth < 2)
		c->in_list = false;
	return 0;
}

static int cut_all(struct cutter *c, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cut(c, bytes[i]))
			return -1;
	return 0;
}

static int no_list(struct import *im)
{
	im->reader.unreadable = true;
	return err_set(&im->s->err, ERR_SYSTEM,
		"no list of jobs or nodes, as --json of Slurm's programs has it");
}

int import_json(struct import *im)
{
	struct cutter c = {.im = im};
	static char bytes[CHUNK];
	int64_t n;

	open_columns();
	im->unit = "job";
	while ((n = source_read(&im->source, bytes, CHUNK, &im->s->err)) > 0)
		if (cut_all(&c, bytes, (size_t)n)) {
			n = -1;
			break;
		}
	if (n == 0 && c.depth)
		im->source.cut = true;
	free(c.text);
	return n < 0 ? -1 : c.has_list || im->source.cut ? 0 : no_list(im);
}
