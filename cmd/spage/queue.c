/*
 * The queue: jobs that wait, with their priority taken apart, the reason and
 * the planned start, each unfolding to the words of sprio --explain; and jobs
 * that run.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

enum job_column {
	ID,
	SHOWN_ID,
	PARTITION,
	USER,
	ACCOUNT,
	QOS,
	STATE,
	REASON,
	PRIORITY,
	NODES,
	CPUS,
	LIMIT,
	USED,
	START,
	END,
	SUBMIT,
	NODE_LIST,
	NAME,
};

/* Of splan. */
enum plan_column { PLAN_ID, ACTION, PLAN_START, PLAN_END, PLAN_NODES };

/* Of sprio. */
enum prio_column { PRIO_ID, PRIO_PARTITION, PRIO_SUM, FIRST_FACTOR };

enum { SHOWN_COLUMNS = 12, FACTORS = 8 };

static const char *const factor_names[FACTORS] = {"site", "age", "association",
	"fair-share", "job size", "partition", "QOS", "TRES"};

struct queue {
	struct page *p;
	struct row_index why, prio, plan;
	double most; /* the highest priority */
};

static const char *const *state_words(bool running)
{
	static const char *const waits[] = {"PENDING", NULL};
	static const char *const runs[] = {
		"RUNNING", "SUSPENDED", "COMPLETING", NULL};

	return running ? runs : waits;
}

static bool has_state(char **row, bool running)
{
	for (const char *const *word = state_words(running); *word; word++)
		if (!strcmp(row[STATE], *word))
			return true;
	return false;
}

/* TRES are a list, `cpu=10,mem=1`: their sum. */
static double factor_points(const char *text)
{
	double sum = 0;

	if (!text)
		return 0;
	if (!strchr(text, '='))
		return strtod(text, NULL);
	for (text = strchr(text, '='); text; text = strchr(text + 1, '='))
		sum += strtod(text + 1, NULL);
	return sum;
}

static const char *factors_told(struct page *p, char **prio)
{
	const char *text = "";

	for (int i = 0; i < FACTORS; i++)
		if (factor_points(prio[FIRST_FACTOR + i]) > 0)
			text = arena_printf(&p->arena, "%s%s%s %.0f", text,
				*text ? ", " : "", factor_names[i],
				factor_points(prio[FIRST_FACTOR + i]));
	return text;
}

static void write_priority(struct queue *q, char **job)
{
	char **prio = row_index_find(&q->prio, job[ID]);
	FILE *out = q->p->out;
	const char *told;

	fprintf(out, "<td data-v=\"%.10g\">", strtod(job[PRIORITY], NULL));
	if (prio && q->most > 0) {
		told = factors_told(q->p, prio);
		fputs("<span class=stack role=img title=\"", out);
		html_text(out, told);
		fputs("\" aria-label=\"", out);
		html_text(out, told);
		fputs("\">", out);
		for (int i = 0; i < FACTORS; i++) {
			double part = factor_points(prio[FIRST_FACTOR + i]) /
				      q->most;

			if (part >= 0.002)
				fprintf(out,
					"<i class=f%d "
					"style=\"width:%.1f%%\"></i>",
					i, part * 100);
		}
		fputs("</span> ", out);
	}
	fputs("<span class=after>", out);
	html_text(out, job[PRIORITY]);
	fputs("</span>", out);
}

static void write_moment(struct page *p, const char *text)
{
	fprintf(p->out, "<td class=t data-v=%lld>",
		(long long)moment_read(text, p->now));
	html_text(p->out, moment_show(p, text));
}

/* What both tables begin with. */
static void write_job(struct page *p, char **row)
{
	fputs("<tbody id=\"job", p->out);
	html_text(p->out, row[ID]);
	fputs("\"><tr><td class=gutter><th scope=row>", p->out);
	html_text(p->out, row[SHOWN_ID]);
	fputs("<td class=clip title=\"", p->out);
	html_text(p->out, row[NAME]);
	fputs("\">", p->out);
	html_text(p->out, row[NAME]);
	html_cell(p->out, row[USER]);
	html_cell(p->out, row[ACCOUNT]);
	html_cell(p->out, row[PARTITION]);
	html_number(p->out, row[CPUS], strtod(row[CPUS], NULL));
}

static void write_planned(struct queue *q, char **row)
{
	char **plan = row_index_find(&q->plan, row[SHOWN_ID]);

	if (!plan)
		plan = row_index_find(&q->plan, row[ID]);
	if (plan && !strcmp(plan[ACTION], "start"))
		fputs("<td class=t data-v=1><b class=now>can start</b>",
			q->p->out);
	else if (plan && *plan[PLAN_START])
		write_moment(q->p, plan[PLAN_START]);
	else
		fputs("<td class=t data-v=9e15>not planned", q->p->out);
}

static void write_wait(struct queue *q, char **row)
{
	struct page *p = q->p;
	char **words = row_index_find(
		&q->why, arena_printf(&p->arena, "Job %s", row[ID]));

	write_job(p, row);
	html_cell(p->out, row[QOS]);
	html_cell(p->out, row[LIMIT]);
	write_priority(q, row);
	write_planned(q, row);
	html_cell(p->out, row[REASON]);
	putc('\n', p->out);
	html_why(p->out, arena_printf(&p->arena, "Why job %s waits", row[ID]),
		words ? words[1] : NULL, SHOWN_COLUMNS);
}

void write_waiting(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_JOBS].rows;
	struct queue q = {.p = p};

	row_index_make(&q.why, &p->answers[ASK_JOBS_WHY].rows, 0, &p->arena);
	row_index_make(
		&q.prio, &p->answers[ASK_PRIORITIES].rows, PRIO_ID, &p->arena);
	row_index_make(&q.plan, &p->answers[ASK_PLAN].rows, PLAN_ID, &p->arena);
	for (size_t i = 0; i < rows->n; i++)
		if (has_state(rows->v[i], false) &&
			strtod(rows->v[i][PRIORITY], NULL) > q.most)
			q.most = strtod(rows->v[i][PRIORITY], NULL);
	for (size_t i = 0; i < rows->n; i++)
		if (has_state(rows->v[i], false))
			write_wait(&q, rows->v[i]);
}

static void write_run(struct page *p, char **row)
{
	double from = (double)moment_read(row[START], p->now);
	double to = (double)moment_read(row[END], p->now);
	double part = to > from ? ((double)p->now - from) / (to - from) : 0;

	write_job(p, row);
	html_cell(p->out, row[NODE_LIST]);
	write_moment(p, row[START]);
	write_moment(p, row[END]);
	fprintf(p->out, "<td data-v=\"%.4f\">", part);
	html_bar(p->out, "fair", part, "of its time limit");
	fputs(" <span class=after>", p->out);
	html_text(p->out, row[USED]);
	fputs(" of ", p->out);
	html_text(p->out, row[LIMIT]);
	fputs("</span>\n", p->out);
}

void write_running(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_JOBS].rows;

	for (size_t i = 0; i < rows->n; i++)
		if (has_state(rows->v[i], true))
			write_run(p, rows->v[i]);
}
