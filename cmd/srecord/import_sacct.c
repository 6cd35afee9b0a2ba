/*
 * `sacct -P`: the header line decides which column is what; columns that are
 * not known here pass. Facts are read by the type of their member (common/table/job.c),
 * what looks otherwise by a table.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/err.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/text/stepwords.h"
#include "common/text/timespec.h"
#include "db/job/job.h"

enum { MOST_COLUMNS = 256 };

/* A value on its way to its member. */
struct cell {
	struct import_reader *r;
	struct import_row *row;
	const char *text;
	void *member;
	const struct import_column *column;
};

struct import_column {
	const char *name;
	int (*read)(struct cell *);
	size_t offset;
	const char *wanted; /* "... is not WANTED" */
	bool free_text;	    /* may hold the delimiter */
	uint32_t tres;	    /* of which the list at the offset gets an amount */
};

/* ---- readers ------------------------------------------------------------- */

/* A text that is as the store may hold it. */
static int read_text(struct cell *v)
{
	const char **member = v->member;
	const char *tame = utf8_tame(v->r->scratch, v->text);

	if (!strcmp(tame, "(null)"))
		return 0;
	v->r->tamed += tame != v->text;
	*member = tame;
	return 0;
}

static int read_hosts(struct cell *v)
{
	static const char *const none[] = {
		"None assigned", "None", "(null)", "(unknown)", "Unknown"};

	return STR_AMONG(v->text, none) ? 0 : read_text(v);
}

static int read_reason(struct cell *v)
{
	return strcmp(v->text, "None") ? read_text(v) : 0;
}

static int read_time(struct cell *v)
{
	int64_t *member = v->member;
	struct err unused;
	time_t when;

	if (!sacct_time(&v->r->clock, v->text, member))
		return 0;
	if (time_parse(v->text, v->r->now, true, &when, &unused) || when <= 0)
		return -1;
	*member = when;
	return 0;
}

static int read_count(struct cell *v)
{
	uint32_t *member = v->member;
	uint64_t number;

	if (sacct_number(v->text, NO_VAL - 1, &number))
		return -1;
	*member = (uint32_t)number;
	return 0;
}

static int read_signed(struct cell *v)
{
	int32_t *member = v->member;
	uint64_t number;

	if (sacct_number(v->text + (*v->text == '-'), INT32_MAX, &number))
		return -1;
	*member = *v->text == '-' ? -(int32_t)number : (int32_t)number;
	return 0;
}

/* JSON has the name where sacct prints the number. */
static int read_killer(struct cell *v)
{
	const char **member = v->member;

	*member = uid_text(v->r->scratch, v->text);
	return 0;
}

static int read_big(struct cell *v)
{
	uint64_t *member = v->member;

	return sacct_number(v->text, INT64_MAX, member);
}

/* Counts of older releases come with a suffix: 1K nodes. */
static int scaled(const char *text, uint32_t *count)
{
	uint64_t number;
	char per;

	if (sacct_size(text, 1, &number, &per) || per || number >= NO_VAL)
		return -1;
	*count = (uint32_t)number;
	return 0;
}

static int read_scaled(struct cell *v)
{
	return scaled(v->text, v->member);
}

static int read_scaled_number(struct cell *v)
{
	struct number *member = v->member;
	uint32_t count;

	if (scaled(v->text, &count))
		return -1;
	*member = (struct number){true, count};
	return 0;
}

/* Of a job without nodes those it asked for: AllocNodes knows better. */
static int read_nnodes(struct cell *v)
{
	const struct number *member = v->member;

	return member->given ? 0 : read_scaled_number(v);
}

static int read_usec(struct cell *v)
{
	struct number *member = v->member;

	if (!strcmp(v->text, "INVALID"))
		return 0;
	if (sacct_duration(v->text, &member->v))
		return -1;
	member->given = true;
	return 0;
}

static int read_elapsed(struct cell *v)
{
	struct number *member = v->member;

	if (!strcmp(v->text, "INVALID"))
		return 0;
	if (read_usec(v))
		return -1;
	member->v /= 1000000;
	return 0;
}

static int read_seconds(struct cell *v)
{
	int64_t *member = v->member;

	if (sacct_duration(v->text, member))
		return -1;
	*member /= 1000000;
	return 0;
}

static int read_millis(struct cell *v)
{
	uint64_t *member = v->member;
	int64_t usec;

	if (sacct_duration(v->text, &usec))
		return -1;
	*member = (uint64_t)usec / 1000;
	return 0;
}

static int read_bytes(struct cell *v)
{
	uint64_t *member = v->member;
	char per;

	return sacct_size(v->text, 1, member, &per);
}

/* Kilohertz, a thousand of them an M. */
static int read_frequency(struct cell *v)
{
	static const char units[] = "KMGT";
	uint64_t *member = v->member;
	char *end;
	double khz = strtod(v->text, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;

	if (end == v->text || (*end && (!unit || end[1])) || !(khz >= 0))
		return -1;
	for (const char *u = units; unit && u < unit; u++)
		khz *= 1000;
	if (khz >= 1e15)
		return -1;
	*member = (uint64_t)(khz + 0.5);
	return 0;
}

/* "16?": Slurm's "no value", until slurmdbd was told of it. */
static int read_memory(struct cell *v)
{
	uint64_t *member = v->member, bytes;

	if (!strcmp(v->text, "0") || !strncmp(v->text, "16?", 3))
		return 0;
	if (sacct_size(v->text, 1 << 20, &bytes, &v->row->mem_per))
		return -1;
	*member = (bytes + (1 << 20) - 1) >> 20;
	return 0;
}

static int read_minutes(struct cell *v)
{
	uint32_t *member = v->member;
	struct err unused;

	if (!strcasecmp(v->text, "Partition_Limit"))
		return 0;
	return minutes_parse(v->text, member, &unused);
}

/* The first word that begins so. */
static int cut_state(const char *word, size_t len, uint32_t *state)
{
	for (const struct job_state_word *w = job_state_words; w->word; w++)
		if (len >= 4 && !strncmp(w->word, word, len)) {
			*state = w->state;
			return 0;
		}
	return -1;
}

/* "CANCELLED by 1001"; a word that was cut ends with +. */
static int read_state(struct cell *v)
{
	size_t len = strcspn(v->text, " +");
	char word[32];
	uint32_t state;

	if (len >= sizeof(word))
		return -1;
	memcpy(word, v->text, len);
	word[len] = '\0';
	if (v->text[len] == '+' ? cut_state(word, len, &state)
				: job_state_parse(word, &state))
		return -1;
	v->row->job.state = job_full_state(state);
	v->row->has_state = true;
	if (!strncmp(v->text + len, " by ", 4))
		v->row->job.killed_by = v->text + len + 4;
	return 0;
}

static int read_exit(struct cell *v)
{
	return sacct_exit(v->text, v->member);
}

static int read_tres(struct cell *v)
{
	return import_tres(v->r, v->text, v->member, &v->row->unknown_tres);
}

static int read_id(struct cell *v)
{
	return sacct_id_parse(arena_strdup(v->r->scratch, v->text), v->member);
}

/* NODE, USER, MCS or TOPO: whom its nodes are not shared with. */
static int read_exclusive(struct cell *v)
{
	*(uint32_t *)v->member = !strcmp(v->text, "NODE");
	return strcmp(v->text, "NODE")
		? read_text(&(struct cell){v->r, v->row, v->text,
			  &v->row->job.exclusive_for, v->column})
		: 0;
}

/* "SchedMain,StartReceived"; words of other releases pass. */
static int read_flags(struct cell *v)
{
	uint32_t *member = v->member;

	for (const char *text = v->text; *text;) {
		size_t len = strcspn(text, ",");

		*member |= job_flag_parse(text, len);
		text += len + (text[len] == ',');
	}
	return 0;
}

/* ---- lists of what tasks used -------------------------------------------- */

/* Calls `each` with the TRES and the value of every "mem=1.5M" of the cell. */
static int read_pairs(struct cell *v, int (*each)(struct cell *,
		const struct tres *, const char *value))
{
	struct strv items = {0};

	strv_split(&items, v->r->scratch, v->text);
	for (size_t i = 0; i < items.n; i++) {
		size_t len = strcspn(items.v[i], "=");
		const struct tres *tres = tres_by_name(&v->r->catalog,
			arena_strndup(v->r->scratch, items.v[i], len));

		if (!tres)
			v->row->unknown_tres++;
		else if (items.v[i][len] && each(v, tres, items.v[i] + len + 1))
			return -1;
	}
	return 0;
}

static int put_amount(struct cell *v, const struct tres *tres, const char *value)
{
	uint64_t n = INFINITE64;
	struct cell amount = {v->r, v->row, value, &n, v->column};

	if (strcmp(value, "NONE") && (tres->id == TRES_CPU
						     ? read_millis(&amount)
						     : read_bytes(&amount)))
		return -1;
	tres_list_set(v->member, v->r->scratch, tres->id, n);
	return 0;
}

static int put_task(struct cell *v, const struct tres *tres, const char *value)
{
	uint64_t n;

	if (sacct_number(value, INT64_MAX, &n))
		return -1;
	tres_list_set(v->member, v->r->scratch, tres->id, n);
	return 0;
}

/* Its place is known when the whole row is. */
static void note_node(struct cell *v, uint32_t tres, const char *name)
{
	struct used_node *node = arena_alloc(v->r->scratch, sizeof(*node));
	const struct tres_list *list = v->member;

	node->node = name;
	node->list = (enum step_use)(list - v->row->step.used);
	node->tres = tres;
	node->next = v->row->used_nodes;
	v->row->used_nodes = node;
}

static int put_node(struct cell *v, const struct tres *tres, const char *value)
{
	note_node(v, tres->id, value);
	return 0;
}

static int read_used(struct cell *v)
{
	return read_pairs(v, put_amount);
}

static int read_used_nodes(struct cell *v)
{
	return read_pairs(v, put_node);
}

static int read_used_tasks(struct cell *v)
{
	return read_pairs(v, put_task);
}

/* A column for one TRES of a list. */
static int read_part(struct cell *v)
{
	struct tres tres = {.id = v->column->tres};

	return put_amount(v, &tres, v->text);
}

static int read_part_task(struct cell *v)
{
	struct tres tres = {.id = v->column->tres};

	return put_task(v, &tres, v->text);
}

static int read_part_node(struct cell *v)
{
	note_node(v, v->column->tres, v->text);
	return 0;
}

static int read_cpu_freq(struct cell *v)
{
	return cpu_freq_parse(v->text, v->member);
}

/* ---- columns ------------------------------------------------------------- */

#define J(member) offsetof(struct import_row, job.member)
#define S(member) offsetof(struct import_row, step.member)
#define R(member) offsetof(struct import_row, member)
#define NUMBER "a whole number"
#define TIME "a time such as 2026-10-01T08:00:00 or 1790000000"
#define DURATION "a duration such as 1-02:03:04"
#define SIZE "a size such as 512M"
#define FREQUENCY "a frequency such as 2.50G"
#define USAGE "a list such as cpu=00:01:00,mem=512M"
#define USED_NODES "a list such as cpu=n1,mem=n2"
#define USED_TASKS "a list such as cpu=0,mem=3"
#define PART(name, read, list, tres, wanted)                                   \
	{                                                                      \
		name, read, S(used[STEP_##list]), wanted, false, TRES_##tres   \
	}

/* clang-format off */
static const struct import_column columns[] = {
	{"AllocCPUS", read_scaled_number, R(alloc_cpus), NUMBER, false, 0},
	{"AllocNodes", read_scaled_number, R(alloc_nodes), NUMBER, false, 0},
	{"AssocID", read_count, R(assoc_id), NUMBER, false, 0},
	{"AveCPUFreq", read_frequency, S(cpu_freq), FREQUENCY, false, 0},
	{"Cluster", read_text, R(cluster), "", false, 0},
	{"Elapsed", read_elapsed, R(elapsed), DURATION, false, 0},
	{"ElapsedRaw", read_elapsed, R(elapsed), DURATION, false, 0},
	{"FailedNode", read_hosts, J(failed_node), "", false, 0},
	{"Exclusive", read_exclusive, J(exclusive), "", false, 0},
	{"Flags", read_flags, J(flags), "", false, 0},
	{"JobID", read_id, R(id), "a job id", false, 0},
	{"JobIDRaw", read_id, R(raw_id), "a job id", false, 0},
	{"KillRequestUser", read_killer, J(killed_by), "", false, 0}, /* of JSON */
	{"MaxRSS", read_bytes, R(max_rss), SIZE, false, 0},
	{"NCPUS", read_scaled_number, R(alloc_cpus), NUMBER, false, 0},
	{"ReqNodeList", read_hosts, J(nodes_wanted), "", false, 0},
	{"ExcNodeList", read_hosts, J(nodes_excluded), "", false, 0},
	{"NNodes", read_nnodes, R(alloc_nodes), NUMBER, false, 0},
	{"NodeList", read_hosts, J(nodelist), "", false, 0},
	{"QOS", read_text, R(qos), "", false, 0},
	{"QOSRAW", read_count, R(qos_id), NUMBER, false, 0},
	{"Reason", read_reason, J(reason), "", true, 0},
	{"ReqMem", read_memory, J(mem_req), SIZE, false, 0},
	{"ReqNodes", read_scaled, J(nodes_req), NUMBER, false, 0},
	{"State", read_state, J(state), "a job state such as COMPLETED", false, 0},
	{"Suspended", read_seconds, J(suspended), DURATION, false, 0},
	{"SystemCPU", read_usec, R(system_cpu), DURATION, false, 0},
	{"Timelimit", read_minutes, J(time_limit), "a time limit", false, 0},
	{"TimelimitRaw", read_minutes, J(time_limit), "a time limit", false, 0},
	{"TotalCPU", read_usec, R(total_cpu), DURATION, false, 0},
	PART("AveCPU", read_part, IN_AVE, CPU, DURATION),
	PART("AveDiskRead", read_part, IN_AVE, FS_DISK, SIZE),
	PART("AveDiskWrite", read_part, OUT_AVE, FS_DISK, SIZE),
	PART("AvePages", read_part, IN_AVE, PAGES, SIZE),
	PART("AveRSS", read_part, IN_AVE, MEM, SIZE),
	PART("AveVMSize", read_part, IN_AVE, VMEM, SIZE),
	PART("MaxDiskRead", read_part, IN_MAX, FS_DISK, SIZE),
	PART("MaxDiskReadNode", read_part_node, IN_MAX_NODE, FS_DISK, ""),
	PART("MaxDiskReadTask", read_part_task, IN_MAX_TASK, FS_DISK, NUMBER),
	PART("MaxDiskWrite", read_part, OUT_MAX, FS_DISK, SIZE),
	PART("MaxDiskWriteNode", read_part_node, OUT_MAX_NODE, FS_DISK, ""),
	PART("MaxDiskWriteTask", read_part_task, OUT_MAX_TASK, FS_DISK, NUMBER),
	PART("MaxPages", read_part, IN_MAX, PAGES, SIZE),
	PART("MaxPagesNode", read_part_node, IN_MAX_NODE, PAGES, ""),
	PART("MaxPagesTask", read_part_task, IN_MAX_TASK, PAGES, NUMBER),
	PART("MaxRSSNode", read_part_node, IN_MAX_NODE, MEM, ""),
	PART("MaxRSSTask", read_part_task, IN_MAX_TASK, MEM, NUMBER),
	PART("MaxVMSize", read_part, IN_MAX, VMEM, SIZE),
	PART("MaxVMSizeNode", read_part_node, IN_MAX_NODE, VMEM, ""),
	PART("MaxVMSizeTask", read_part_task, IN_MAX_TASK, VMEM, NUMBER),
	PART("MinCPU", read_part, IN_MIN, CPU, DURATION),
	PART("MinCPUNode", read_part_node, IN_MIN_NODE, CPU, ""),
	PART("MinCPUTask", read_part_task, IN_MIN_TASK, CPU, NUMBER),
	{"TRESUsageInAve", read_used, S(used[STEP_IN_AVE]), USAGE, false, 0},
	{"TRESUsageInMax", read_used, S(used[STEP_IN_MAX]), USAGE, false, 0},
	{"TRESUsageInMaxNode", read_used_nodes, S(used[STEP_IN_MAX_NODE]), USED_NODES, false, 0},
	{"TRESUsageInMaxTask", read_used_tasks, S(used[STEP_IN_MAX_TASK]), USED_TASKS, false, 0},
	{"TRESUsageInMin", read_used, S(used[STEP_IN_MIN]), USAGE, false, 0},
	{"TRESUsageInMinNode", read_used_nodes, S(used[STEP_IN_MIN_NODE]), USED_NODES, false, 0},
	{"TRESUsageInMinTask", read_used_tasks, S(used[STEP_IN_MIN_TASK]), USED_TASKS, false, 0},
	{"TRESUsageInTot", read_used, S(used[STEP_IN_TOT]), USAGE, false, 0},
	{"TRESUsageOutAve", read_used, S(used[STEP_OUT_AVE]), USAGE, false, 0},
	{"TRESUsageOutMax", read_used, S(used[STEP_OUT_MAX]), USAGE, false, 0},
	{"TRESUsageOutMaxNode", read_used_nodes, S(used[STEP_OUT_MAX_NODE]), USED_NODES, false, 0},
	{"TRESUsageOutMaxTask", read_used_tasks, S(used[STEP_OUT_MAX_TASK]), USED_TASKS, false, 0},
	{"TRESUsageOutMin", read_used, S(used[STEP_OUT_MIN]), USAGE, false, 0},
	{"TRESUsageOutMinNode", read_used_nodes, S(used[STEP_OUT_MIN_NODE]), USED_NODES, false, 0},
	{"TRESUsageOutMinTask", read_used_tasks, S(used[STEP_OUT_MIN_TASK]), USED_TASKS, false, 0},
	{"TRESUsageOutTot", read_used, S(used[STEP_OUT_TOT]), USAGE, false, 0},
	{"ReqCPUFreqGov", read_cpu_freq, S(freq_governor), FREQUENCY, false, 0},
	{"ReqCPUFreqMax", read_cpu_freq, S(freq_max), FREQUENCY, false, 0},
	{"ReqCPUFreqMin", read_cpu_freq, S(freq_min), FREQUENCY, false, 0},
	{"UID", read_text, R(user_id), "", false, 0},
	{"UserCPU", read_usec, R(user_cpu), DURATION, false, 0},
	{NULL, NULL, 0, NULL, false, 0},
};
/* clang-format on */

/* Any other fact (common/table/job.c): by the type of the member. */
static const struct {
	int (*read)(struct cell *);
	const char *wanted;
} by_type[MEMBER_TYPES] = {
	[MEMBER_TEXT] = {read_text, ""},
	[MEMBER_TIME] = {read_time, TIME},
	[MEMBER_KNOWN_TIME] = {read_time, TIME},
	[MEMBER_SIGNED] = {read_signed, NUMBER},
	[MEMBER_COUNT] = {read_scaled, NUMBER},
	[MEMBER_MAYBE] = {read_count, NUMBER},
	[MEMBER_COUNT64] = {read_big, NUMBER},
	[MEMBER_MAYBE64] = {read_bytes, SIZE},
	[MEMBER_TRES] = {read_tres, "a list such as cpu=4,mem=8G"},
	[MEMBER_EXIT] = {read_exit, "CODE:SIGNAL"},
};

enum { MOST_FACTS = 160, MOST_NAME = 32 };

static struct {
	struct import_column v[MOST_FACTS];
	char names[MOST_FACTS][MOST_NAME];
	size_t n;
} facts;

static void add_facts(const struct members *members, size_t offset)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		char *name;

		if (!m->names || !by_type[m->type].read)
			continue;
		if (facts.n == MOST_FACTS)
			BUG("more than %d facts", MOST_FACTS);
		name = facts.names[facts.n];
		facts.v[facts.n++] = (struct import_column){
			words_first(m->names, name, MOST_NAME),
			by_type[m->type].read, offset + m->offset,
			by_type[m->type].wanted,
			m->marks & MEMBER_FREE_TEXT, 0};
	}
}

void import_columns_open(void)
{
	if (facts.n)
		return;
	add_facts(&job_members, offsetof(struct import_row, job));
	add_facts(&step_members, offsetof(struct import_row, step));
}

const struct import_column *import_column(const char *name)
{
	for (const struct import_column *c = columns; c->name; c++)
		if (!strcasecmp(c->name, name))
			return c->read ? c : NULL;
	for (size_t i = 0; i < facts.n; i++)
		if (!strcasecmp(facts.v[i].name, name))
			return &facts.v[i];
	return NULL;
}

const struct import_column *import_fact(const struct member *fact)
{
	char name[MOST_NAME];

	return fact->names ? import_column(words_first(
				     fact->names, name, sizeof(name)))
			   : NULL;
}

int import_value(struct import_reader *r, const struct import_column *column,
	const char *text, struct import_row *row)
{
	struct cell v = {.r = r, .row = row, .text = text, .column = column};

	if (!column || !*text)
		return 0;
	v.member = (char *)row + column->offset;
	if (!column->read(&v))
		return 0;
	if (column->read == read_tres)
		return err_prefix(r->err, "%s", column->name);
	return err_set(r->err, ERR_USAGE, "%s: '%.80s' is not %s", column->name,
		text, column->wanted);
}

/* ---- rows ---------------------------------------------------------------- */

static int settle_id(struct import_reader *r, struct import_row *row)
{
	const struct sacct_id *id = row->id.job ? &row->id : &row->raw_id;
	struct job *job = &row->job;

	if (!row->raw_id.job && id->has_task)
		return err_set(r->err, ERR_USAGE,
			"the number of array task %" PRIu32 "_%" PRIu32
			" is not known: let sacct print JobIDRaw, too",
			id->job, id->task);
	job->id = row->raw_id.job ? row->raw_id.job : id->job;
	if (!row->raw_id.job && id->has_het)
		job->id += id->het;
	if (id->has_het) {
		job->het_job = id->job;
		job->het_offset = id->het;
	}
	if (id->has_task || id->tasks)
		job->array_job = id->job;
	if (id->has_task)
		job->array_task = id->task;
	if (id->tasks)
		job->array_tasks = id->tasks;
	if (!row->id.step)
		row->id.step = row->raw_id.step;
	return 0;
}

int import_sacct_row(struct import_reader *r, struct import_row *row)
{
	if (settle_id(r, row))
		return -1;
	if (!row->id.step)
		return import_settle(r, row);
	row->is_step = true;
	if (step_id_parse(row->id.step, &row->step.id))
		return err_set(
			r->err, ERR_USAGE, "no step id: '%.40s'", row->id.step);
	return 0;
}

/* ---- lines --------------------------------------------------------------- */

/* What the header said. */
struct layout {
	char delimiter[16];
	char *header; /* as it was, to know it again */
	const struct import_column *columns[MOST_COLUMNS];
	size_t n;
	size_t id;	 /* the column of the job's number */
	bool only_steps; /* it does not say whose jobs they are */
};

void import_sacct_begin(struct import_reader *r)
{
	r->format = arena_alloc(&r->keep, sizeof(struct layout));
}

static bool has_column(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->n; i++)
		if (layout->columns[i] &&
			!strcmp(layout->columns[i]->name, name))
			return true;
	return false;
}

static int bad_header(struct import_reader *r, const char *why)
{
	r->unreadable = true;
	return err_set(r->err, ERR_SYSTEM, "%s", why);
}

static int no_header(struct import_reader *r, const char *why)
{
	return bad_header(r, arena_printf(r->scratch,
		"the first line is not a header of sacct -P: %s (without -n "
		"sacct prints one)", why));
}

static int read_header(
	struct import_reader *r, struct layout *layout, char *line)
{
	char *names[MOST_COLUMNS];
	size_t n;

	layout->header = arena_strdup(&r->keep, line);
	if (!sacct_delimiter(
		    line, layout->delimiter, sizeof(layout->delimiter)))
		return no_header(r, "it has one word only");
	n = sacct_split(line, layout->delimiter, names, MOST_COLUMNS);
	if (n > MOST_COLUMNS)
		return no_header(r, "it has more than 256 words");
	for (size_t i = 0; i < n; i++)
		layout->columns[i] = import_column(names[i]);
	layout->n = n;
	if (!has_column(layout, "JobID") && !has_column(layout, "JobIDRaw"))
		return no_header(r, "neither JobID nor JobIDRaw is in it");
	if (!has_column(layout, "Submit") && !has_column(layout, "Start"))
		return bad_header(r,
			"no column says when a job was submitted: add Submit");
	while (!layout->columns[layout->id] ||
		layout->columns[layout->id]->read != read_id)
		layout->id++;
	layout->only_steps =
		!has_column(layout, "User") && !has_column(layout, "UID");
	return 0;
}

static int read_row(struct import_reader *r, const struct layout *layout,
	char *const *fields, struct import_row *row)
{
	import_row_init(row);
	row->job.cpus_req = row->job.nodes_req = NO_VAL;
	for (size_t i = 0; i < layout->n; i++)
		if (import_value(r, layout->columns[i], fields[i], row))
			return -1;
	return 0;
}

/* ---- delimiters inside of a text ------------------------------------------ */

/* A line of more fields than columns, and where the surplus ones may belong. */
struct wide {
	const struct layout *layout;
	const char *line;
	size_t surplus;
	bool strict;
};

enum { MOST_SURPLUS = 32 }; /* more are not tried on two columns */

/* What is typed begins with a command of Slurm's. */
static bool is_submit_line(const char *text)
{
	static const char *const commands[] = {
		"sbatch", "srun", "salloc", "scrun", "scrontab"};
	size_t len = strcspn(text, " \n");
	const char *name = text;

	for (const char *c = text; c < text + len; c++)
		if (*c == '/')
			name = c + 1;
	len -= (size_t)(name - text);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strlen(commands[i]) == len &&
			!strncmp(commands[i], name, len))
			return true;
	return !*text;
}

/* Does the text look like one of its column? Names have no blanks. */
static bool looks_right(const struct import_column *column, const char *text)
{
	if (!column)
		return true;
	if (!strcmp(column->name, "SubmitLine"))
		return is_submit_line(text);
	return column->free_text || column->read != read_text ||
	       !strpbrk(text, " \"'\n");
}

/* `n` of the surplus fields belong to column `at`, the others to column `more`:
 * does that make sense of all? */
static int read_joined(struct import_reader *r, const struct wide *wide,
	size_t at, size_t n, size_t more, struct import_row *row)
{
	const struct layout *layout = wide->layout;
	size_t most = layout->n + wide->surplus;
	char **fields = arena_array(r->scratch, most, sizeof(*fields));

	sacct_split(arena_strdup(r->scratch, wide->line), layout->delimiter,
		fields, most);
	sacct_join(fields, most - n, at, n, layout->delimiter);
	if (n < wide->surplus)
		sacct_join(fields, layout->n, more, wide->surplus - n,
			layout->delimiter);
	for (size_t i = 0; wide->strict && i < layout->n; i++)
		if (!looks_right(layout->columns[i], fields[i]))
			return -1;
	return read_row(r, layout, fields, row);
}

static bool is_free(const struct layout *layout, size_t at)
{
	return layout->columns[at] && layout->columns[at]->free_text;
}

/* In one text: most likely the name of the job, else the last that fits. */
static int read_in_one(struct import_reader *r, const struct wide *wide,
	struct import_row *row)
{
	const struct layout *layout = wide->layout;
	const struct import_column *name = import_column("JobName");

	for (size_t at = 0; at < layout->n; at++)
		if (layout->columns[at] == name &&
			!read_joined(r, wide, at, wide->surplus, at, row))
			return 0;
	for (size_t at = layout->n; at-- > 0;)
		if (is_free(layout, at) && layout->columns[at] != name &&
			!read_joined(r, wide, at, wide->surplus, at, row))
			return 0;
	return -1;
}

static int read_in_pair(struct import_reader *r, const struct wide *wide,
	size_t at, size_t more, struct import_row *row)
{
	const struct layout *layout = wide->layout;

	if (!is_free(layout, at) || !is_free(layout, more))
		return -1;
	for (size_t n = 1; n < wide->surplus; n++)
		if (!read_joined(r, wide, at, n, more, row))
			return 0;
	return -1;
}

static size_t place_of(const struct layout *layout, const char *name)
{
	const struct import_column *column = import_column(name);
	size_t i = 0;

	while (i < layout->n && layout->columns[i] != column)
		i++;
	return i;
}

/* In two: `-C "a|b"` is most likely in Constraints and in SubmitLine. */
static int read_in_two(struct import_reader *r, const struct wide *wide,
	struct import_row *row)
{
	const struct layout *layout = wide->layout;
	size_t a = place_of(layout, "Constraints");
	size_t b = place_of(layout, "SubmitLine");

	if (a < layout->n && b < layout->n &&
		!read_in_pair(r, wide, a < b ? a : b, a < b ? b : a, row))
		return 0;
	for (size_t at = 0; at < layout->n; at++)
		for (size_t more = at + 1; more < layout->n; more++)
			if (!read_in_pair(r, wide, at, more, row))
				return 0;
	return -1;
}

/* More fields than columns. */
static int read_wide(struct import_reader *r, const struct layout *layout,
	const char *line, size_t n, struct import_row *row)
{
	struct wide wide = {layout, line, n - layout->n, true};

	if (!read_in_one(r, &wide, row))
		return 0;
	if (wide.surplus <= MOST_SURPLUS && !read_in_two(r, &wide, row))
		return 0;
	wide.strict = false;
	return read_in_one(r, &wide, row);
}

/* ---- texts with newlines --------------------------------------------------- */

/* Does it begin with what the columns up to the job's number may hold? */
static bool begins_record(const struct layout *layout, const char *line)
{
	static const char of_ids[] = "0123456789_[]%,-+."
				     "abcdefghijklmnopqrstuvwxyz";
	size_t len;

	for (size_t i = 0; i < layout->id; i++) {
		line = strstr(line, layout->delimiter);
		if (!line)
			return false;
		line += strlen(layout->delimiter);
	}
	len = strspn(line, of_ids);
	return *line >= '0' && *line <= '9' &&
	       !strncmp(line + len, layout->delimiter,
		       strlen(layout->delimiter));
}

/* Of a line with too few fields: does what is there make sense of its columns?
 * The last one may be cut. */
static bool reads_as_record(
	struct import_reader *r, const struct layout *layout, const char *line)
{
	char *fields[MOST_COLUMNS];
	struct import_row row;
	size_t n = sacct_split(arena_strdup(r->scratch, line),
		layout->delimiter, fields, MOST_COLUMNS);

	if (n < 2 || !begins_record(layout, line))
		return false;
	import_row_init(&row);
	for (size_t i = 0; i + 1 < n && i < layout->n; i++)
		if (!looks_right(layout->columns[i], fields[i]) ||
			import_value(r, layout->columns[i], fields[i], &row))
			return false;
	return true;
}

/* An unknown column may hold any text. */
static bool may_break(const struct layout *layout, size_t at)
{
	return !layout->columns[at] || layout->columns[at]->free_text;
}

static bool may_break_before(const struct layout *layout, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (may_break(layout, i))
			return true;
	return false;
}

static int read_line(struct import_reader *, const struct layout *, char *line,
	struct import_row *);

bool import_sacct_continues(
	struct import_reader *r, const char *held, const char *line)
{
	const struct layout *layout = r->format;
	struct import_row row;
	size_t n, fields;

	if (!layout->n || !strcmp(line, layout->header) ||
		!strcmp(held, layout->header))
		return false;
	fields = sacct_count(line, layout->delimiter);
	if (fields >= layout->n && begins_record(layout, line))
		return false;
	if (reads_as_record(r, layout, line))
		return false;
	n = sacct_count(held, layout->delimiter);
	if (n < layout->n)
		return may_break_before(layout, n);
	if (fields >= layout->n)
		return false;
	/* Delimiters inside of a text may make it look whole. */
	return may_break(layout, layout->n - 1) ||
	       read_line(r, layout, arena_strdup(r->scratch, held), &row);
}

/* ---- a line ---------------------------------------------------------------- */

static int wrong_count(
	struct import_reader *r, const struct layout *layout, size_t n)
{
	return err_set(r->err, ERR_USAGE,
		"%zu fields, the header has %zu columns", n, layout->n);
}

static int read_line(struct import_reader *r, const struct layout *layout,
	char *line, struct import_row *row)
{
	char *fields[MOST_COLUMNS];
	size_t n = sacct_split(line, layout->delimiter, fields, MOST_COLUMNS);

	if (n == layout->n)
		return read_row(r, layout, fields, row);
	if (n < layout->n)
		return wrong_count(r, layout, n);
	sacct_unsplit(line, layout->delimiter, n);
	return read_wide(r, layout, line, n, row) ? wrong_count(r, layout, n)
						  : 0;
}

/* A step that has not begun has no number yet. */
static bool waits(const char *step)
{
	return step && !strcmp(step, "TBD");
}

int import_sacct_line(
	struct import_reader *r, char *line, size_t len, struct import_row *row)
{
	struct layout *layout = r->format;

	if (!len)
		return FOUND_NOTHING;
	if (!layout->n)
		return read_header(r, layout, line) ? -1 : FOUND_NOTHING;
	if (!strcmp(line, layout->header))
		return FOUND_NOTHING;
	if (read_line(r, layout, line, row))
		return -1;
	if (layout->only_steps && !row->id.step && !row->raw_id.step)
		return import_passed(
			r, "a job, and no column says whose it is: add User");
	if (waits(row->id.step) || waits(row->raw_id.step))
		return import_passed(r, "a step that has not begun");
	return import_sacct_row(r, row) ? -1 : FOUND_ROW;
}
