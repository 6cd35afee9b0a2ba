/*
 * Steps in the store; see job.h.
 */
#include "db/job/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/sluid.h"
#include "db/rows/members.h"

#define SELECT_STEP "SELECT {columns} FROM step"

static void read_step(struct query *q, struct step *step,
	const struct members *members, struct arena *arena)
{
	memset(step, 0, sizeof(*step));
	members_read(q, 0, step, members, arena);
}

int step_save(struct store *store, const struct step *step)
{
	return members_write(store, &step_members, step,
		"INSERT OR REPLACE INTO step ({columns}) VALUES ({:columns})",
		NULL);
}

int step_remove(struct store *store, int64_t job, int32_t id)
{
	return store_run(store,
		"DELETE FROM step WHERE job = :job AND id = :id",
		bind_int(":job", job), bind_int(":id", id));
}

int step_find(struct store *store, int64_t job, int32_t id, struct arena *arena,
	struct step *step)
{
	struct query q;
	int found;

	if (query_open_members(&q, store, &step_members,
		    SELECT_STEP " WHERE job = :job AND id = :id"))
		return -1;
	query_bind_int(&q, ":job", job);
	query_bind_int(&q, ":id", id);
	found = query_row(&q);
	if (found)
		read_step(&q, step, &step_members, arena);
	return query_close(&q) ? -1 : found;
}

static int load(struct store *store, const struct members *members, int64_t job,
	struct arena *arena, struct step_list *list)
{
	struct query q;

	*list = (struct step_list){0};
	if (query_open_members(&q, store, members,
		    SELECT_STEP " WHERE job = :job ORDER BY id"))
		return -1;
	query_bind_int(&q, ":job", job);
	while (query_row(&q))
		read_step(&q, ARENA_PUSH(arena, list->v, list->n, list->cap),
			members, arena);
	return query_close(&q);
}

int step_load(struct store *store, int64_t job, struct arena *arena,
	struct step_list *list)
{
	return load(store, &step_members, job, arena, list);
}

enum { MOST_MEMBERS = 80 };

static bool is_list(const struct member *m)
{
	return m->offset >= offsetof(struct step, used) &&
	       m->offset < offsetof(struct step, used) +
				   sizeof(((struct step *)NULL)->used);
}

int step_load_plain(struct store *store, int64_t job, struct arena *arena,
	struct step_list *list)
{
	static struct member v[MOST_MEMBERS];
	static struct members plain = {v, 0};

	for (size_t i = 0, made = plain.n; !made && i < step_members.n; i++)
		if (!is_list(&step_members.v[i]) && plain.n < MOST_MEMBERS)
			v[plain.n++] = step_members.v[i];
	return load(store, &plain, job, arena, list);
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

bool step_ref_parse(const char *text, struct step_ref *ref, struct arena *arena)
{
	const char *dot = strrchr(text, '.');

	*ref = (struct step_ref){.all = !dot};
	if (dot && step_id_parse(dot + 1, &ref->step))
		return false;
	return job_id_parse(
		dot ? arena_strndup(arena, text, (size_t)(dot - text)) : text,
		&ref->job);
}

bool step_ref_is_of(const struct step_ref *ref, const struct job *job)
{
	const struct job_id *id = &ref->job;

	if (id->sluid)
		return id->sluid ==
		       sluid_make(job->cluster, job->id, job->submit);
	if (id->task != NO_VAL)
		return job->array_job == id->id && job->array_task == id->task;
	return job->id == id->id || job->array_job == id->id;
}

bool step_ref_has(
	const struct step_ref *ref, const struct job *job, int32_t step)
{
	return step_ref_is_of(ref, job) && (ref->all || ref->step == step);
}
