/*
 * Steps in the store; see job.h.
 */
#include "db/job/job_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"

/* X(column, type, member) */
/* clang-format off */
#define STEP_MEMBERS(X) \
	X(name, TEXT, name) \
	X(state, COUNT, state) \
	X(exit_code, COUNT, exit_code) \
	X(start, SOME, start) \
	X(end, SOME, end) \
	X(nodelist, TEXT, nodelist) \
	X(nodes, COUNT, nodes) \
	X(tasks, COUNT, tasks) \
	X(task_dist, TEXT, task_dist) \
	X(time_limit, SET, time_limit) \
	X(user_usec, COUNT64, user_usec) \
	X(sys_usec, COUNT64, sys_usec) \
	X(cpu_freq, COUNT64, cpu_freq) \
	X(energy, COUNT64, energy) \
	X(tres_alloc, TRES, tres_alloc) \
	X(max_rss, SET64, usage.max_rss) \
	X(ave_rss, SET64, usage.ave_rss) \
	X(tot_rss, SET64, usage.tot_rss) \
	X(max_vmem, SET64, usage.max_vmem) \
	X(ave_vmem, SET64, usage.ave_vmem) \
	X(max_read, SET64, usage.max_read) \
	X(ave_read, SET64, usage.ave_read) \
	X(max_write, SET64, usage.max_write) \
	X(ave_write, SET64, usage.ave_write) \
	X(max_pages, SET64, usage.max_pages) \
	X(ave_pages, SET64, usage.ave_pages) \
	X(min_cpu, SET64, usage.min_cpu) \
	X(ave_cpu, SET64, usage.ave_cpu) \
	X(max_rss_node, TEXT, usage.max_rss_node) \
	X(min_cpu_node, TEXT, usage.min_cpu_node) \
	X(max_rss_task, SET64, usage.max_rss_task) \
	X(min_cpu_task, SET64, usage.min_cpu_task) \
	X(killed_by, TEXT, killed_by) \
	X(submit_line, TEXT, submit_line)
#define STEP_ROW(column, type, member) \
	{":" #column, ROW_##type, offsetof(struct step, member)},

#define SELECT_STEP \
	"SELECT job, id" STEP_MEMBERS(ROW_COMMA_NAME) " FROM step"
#define UPSERT_STEP \
	"INSERT OR REPLACE INTO step (job, id" STEP_MEMBERS(ROW_COMMA_NAME) ")"
const char step_rows_upsert[] =
	UPSERT_STEP " SELECT job, id" STEP_MEMBERS(ROW_COMMA_NAME)
	" FROM step_rows";
/* clang-format on */

/* Every column; those of STEP_MEMBERS are FIRST and on. */
enum { FIRST = 2 };
const struct row_member step_members[] = {
	{":job", ROW_INT, offsetof(struct step, job)},
	{":id", ROW_SIGNED, offsetof(struct step, id)}, STEP_MEMBERS(STEP_ROW)};
const size_t n_step_members = sizeof(step_members) / sizeof(*step_members);

void step_init(struct step *step)
{
	memset(step, 0, sizeof(*step));
	row_init(step, step_members + FIRST, n_step_members - FIRST);
	step->nodes = step->tasks = 1;
	step->task_dist = "Unknown";
}

static void read_step(struct query *q, struct step *step, struct arena *arena)
{
	memset(step, 0, sizeof(*step));
	row_read(q, 0, step, step_members, n_step_members, arena);
}

int step_save(struct store *store, const struct step *step)
{
	struct arena scratch;
	struct query q;

	if (query_open(&q, store,
		    UPSERT_STEP " VALUES (:job, :id" STEP_MEMBERS(
			    ROW_COMMA_PARAMETER) ")"))
		return -1;
	arena_init(&scratch);
	row_bind(&q, step, step_members, n_step_members, &scratch);
	arena_release(&scratch);
	return query_run(&q);
}

int step_remove(struct store *store, int64_t job, int32_t id)
{
	struct query q;

	if (query_open(&q, store,
		    "DELETE FROM step WHERE job = :job AND id = :id"))
		return -1;
	query_bind_int(&q, ":job", job);
	query_bind_int(&q, ":id", id);
	return query_run(&q);
}

int step_find(struct store *store, int64_t job, int32_t id, struct arena *arena,
	struct step *step)
{
	struct query q;
	int found;

	if (query_open(&q, store, SELECT_STEP " WHERE job = :job AND id = :id"))
		return -1;
	query_bind_int(&q, ":job", job);
	query_bind_int(&q, ":id", id);
	found = query_row(&q);
	if (found)
		read_step(&q, step, arena);
	return query_close(&q) ? -1 : found;
}

int step_load(struct store *store, int64_t job, struct arena *arena,
	struct step_list *list)
{
	struct query q;

	*list = (struct step_list){0};
	if (query_open(&q, store, SELECT_STEP " WHERE job = :job ORDER BY id"))
		return -1;
	query_bind_int(&q, ":job", job);
	while (query_row(&q))
		read_step(&q, ARENA_PUSH(arena, list->v, list->n, list->cap),
			arena);
	return query_close(&q);
}

static const struct {
	int32_t id;
	const char *word;
} step_words[] = {
	{STEP_INTERACTIVE, "interactive"},
	{STEP_BATCH, "batch"},
	{STEP_EXTERN, "extern"},
};

const char *step_id_text(int32_t id, struct arena *arena)
{
	for (size_t i = 0; i < sizeof(step_words) / sizeof(*step_words); i++)
		if (step_words[i].id == id)
			return step_words[i].word;
	return arena_printf(arena, "%" PRId32, id);
}

int step_id_parse(const char *text, int32_t *id)
{
	char *end;
	long number;

	for (size_t i = 0; i < sizeof(step_words) / sizeof(*step_words); i++) {
		if (strcmp(step_words[i].word, text))
			continue;
		*id = step_words[i].id;
		return 0;
	}
	if (*text < '0' || *text > '9')
		return -1;
	number = strtol(text, &end, 10);
	if (*end || number > INT32_MAX)
		return -1;
	*id = (int32_t)number;
	return 0;
}
