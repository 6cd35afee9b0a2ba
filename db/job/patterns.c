/*
 * The patterns in file names (--expand-patterns): %j is the job, %u the user;
 * %4j is padded with zeros. A name with a backslash has no patterns.
 */
#include "db/job/job.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/text/hostlist.h"

enum { MOST_DIGITS = 10 };

static const char *number(struct arena *arena, uint64_t n, int width)
{
	return arena_printf(arena, "%0*" PRIu64, width, n);
}

static const char *first_node(const struct job *job, struct arena *arena)
{
	const char *name = hostlist_first(job->nodelist, arena);

	return arena_strndup(arena, name, strcspn(name, "."));
}

/* What the letter expands to in that step; NULL: it is kept. */
static const char *meaning(const struct job *job, const char *step, char letter,
	int width, struct arena *arena)
{
	bool task = job->array_job && job->array_task != NO_VAL;

	switch (letter) {
	case 'A':
		return number(arena, job->array_job ? job->array_job : job->id,
			width);
	case 'a':
		return task ? number(arena, job->array_task, width)
			    : number(arena, NO_VAL, width);
	case 'b':
		return number(arena, job->array_task % 10, width);
	case 'J':
	case 'j':
		return number(arena, job->id, width);
	case 'N':
		return first_node(job, arena);
	case 'n':
	case 't':
		return number(arena, 0, width);
	case 'r':
		return number(arena, job->restarts, width);
	case 's':
		return step;
	case 'u':
		return job->user;
	case 'x':
		return job->name;
	case '%':
		return "%";
	default:
		return NULL;
	}
}

/* A name that does not begin at the root is of the working directory. */
static const char *directory_of(
	const char *name, const struct job *job, struct arena *arena)
{
	size_t len = strlen(job->work_dir);

	if (!*name || *name == '/' || !len)
		return "";
	return job->work_dir[len - 1] == '/'
		       ? job->work_dir
		       : arena_printf(arena, "%s/", job->work_dir);
}

static const char *without_backslashes(const char *name, struct arena *arena)
{
	char *text = arena_strdup(arena, name), *to = text;

	for (const char *from = text; *from; from++)
		if (*from != '\\')
			*to++ = *from;
	*to = '\0';
	return text;
}

static const char *expand(const struct job *job, const char *step,
	const char *name, struct arena *arena)
{
	const char *text = directory_of(name, job, arena);

	if (strchr(name, '\\'))
		return arena_printf(
			arena, "%s%s", text, without_backslashes(name, arena));
	while (*name) {
		size_t plain = strcspn(name, "%");
		const char *letter = name + plain, *word;
		int width = 0;

		if (*letter)
			letter++;
		for (; *letter >= '0' && *letter <= '9'; letter++)
			if (width <= MOST_DIGITS)
				width = width * 10 + (*letter - '0');
		width = width < MOST_DIGITS ? width : MOST_DIGITS;
		word = *letter ? meaning(job, step, *letter, width, arena)
			       : NULL;
		if (word)
			text = arena_printf(arena, "%s%.*s%s", text, (int)plain,
				name, word);
		else
			text = arena_printf(arena, "%s%.*s", text,
				(int)(letter - name + (*letter != '\0')), name);
		name = *letter ? letter + 1 : letter;
	}
	return text;
}

const char *job_file_expand(
	const struct job *job, const char *name, struct arena *arena)
{
	return expand(job, "batch", name, arena);
}

const char *step_file_expand(const struct job *job, const struct step *step,
	const char *name, struct arena *arena)
{
	struct job there = *job;

	there.work_dir = step->work_dir;
	there.nodelist = step->nodelist;
	return expand(&there, step_id_text(step->id, arena), name, arena);
}

const char *step_file(
	const struct step *step, const char *name, struct arena *arena)
{
	if (!*name || *name == '/')
		return name;
	return arena_printf(arena, "%s/%s", step->work_dir, name);
}
