/*
 * The first rows of the tables, in plain words: what is seen where the browser
 * runs no script. Else cmd/spage/page.js puts all rows, with bars, into their
 * place. Each begins with an empty cell: that of the button.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

enum {
	MOST_SHARES = 500,
	MOST_WAITING = 200,
	MOST_RUNNING = 100,
	MOST_LIMITS = 100
};

static void cell(struct page *p, const char *text)
{
	fputs("<td>", p->out);
	html_text(p->out, text);
}

static void head_cell(struct page *p, const char *text)
{
	fputs("<tr><td><th scope=row>", p->out);
	html_text(p->out, text);
}

static void percent(struct page *p, const char *text)
{
	if (*text)
		fprintf(p->out, "<td>%.1f %%", strtod(text, NULL) * 100);
	else
		fputs("<td>", p->out);
}

static void left_out(struct page *p, size_t n, size_t most, const char *command)
{
	if (n > most)
		fprintf(p->out,
			"<tr><td><td colspan=9>%zu more: with a script, or "
			"%s\n",
			n - most, command);
}

/* ---- shares ---------------------------------------------------------------*/

static void write_share(struct page *p, char **row)
{
	const char *name = row[SHARES_ACCOUNT];
	size_t depth = strspn(name, " ");

	fprintf(p->out, "<tr><td><th scope=row style=--d:%zu>", depth);
	if (*row[SHARES_USER]) {
		html_text(p->out, row[SHARES_USER]);
		fputs(" <small>", p->out);
		html_text(p->out, name + depth);
		if (*row[SHARES_PARTITION])
			fputs(", ", p->out);
		html_text(p->out, row[SHARES_PARTITION]);
		fputs("</small>", p->out);
	} else {
		fputs("<b>", p->out);
		html_text(p->out, name + depth);
		fputs("</b>", p->out);
	}
	cell(p, row[SHARES_RAW]);
	percent(p, *row[SHARES_RAW] ? row[SHARES_PROMISED] : "");
	percent(p, *row[SHARES_RAW] ? row[SHARES_USED] : "");
	fprintf(p->out, "<td>%.1f", strtod(row[SHARES_USAGE], NULL) / 3600);
	percent(p, row[SHARES_OF_ALL]);
	cell(p, row[SHARES_FAIRSHARE]);
	cell(p, row[SHARES_LEVEL]);
	putc('\n', p->out);
}

void plain_shares(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;

	for (size_t i = 0; i < rows->n && i < MOST_SHARES; i++)
		write_share(p, rows->v[i]);
	left_out(p, rows->n, MOST_SHARES, "sshare -a");
}

/* ---- jobs -----------------------------------------------------------------*/

static bool waits(char **row)
{
	return !strcmp(row[JOB_STATE], "PENDING");
}

static bool runs(char **row)
{
	static const char *const words[] = {
		"RUNNING", "SUSPENDED", "COMPLETING", NULL};

	for (const char *const *word = words; *word; word++)
		if (!strcmp(row[JOB_STATE], *word))
			return true;
	return false;
}

static void write_job(struct page *p, char **row)
{
	head_cell(p, row[JOB_SHOWN]);
	cell(p, row[JOB_NAME]);
	cell(p, row[JOB_USER]);
	cell(p, row[JOB_ACCOUNT]);
	cell(p, row[JOB_PARTITION]);
	cell(p, row[JOB_CPUS]);
}

static void write_planned(
	struct page *p, const struct row_index *plans, char **row)
{
	char **plan = row_index_find(plans, row[JOB_SHOWN]);

	if (!plan)
		plan = row_index_find(plans, row[JOB_ID]);
	if (plan && !strcmp(plan[PLAN_ACTION], "start"))
		cell(p, "can start");
	else
		cell(p, plan && *plan[PLAN_START] ? plan[PLAN_START]
						  : "not planned");
}

void plain_waiting(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_JOBS].rows;
	struct row_index plans;
	size_t n = 0;

	row_index_make(&plans, &p->answers[ASK_PLAN].rows, PLAN_ID, &p->arena);
	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		if (!waits(row) || ++n > MOST_WAITING)
			continue;
		write_job(p, row);
		cell(p, row[JOB_QOS]);
		cell(p, row[JOB_LIMIT]);
		cell(p, row[JOB_PRIORITY]);
		write_planned(p, &plans, row);
		cell(p, row[JOB_REASON]);
		putc('\n', p->out);
	}
	left_out(p, n, MOST_WAITING, "squeue -t PD");
}

void plain_running(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_JOBS].rows;
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		if (!runs(row) || ++n > MOST_RUNNING)
			continue;
		write_job(p, row);
		cell(p, row[JOB_NODE_LIST]);
		cell(p, row[JOB_START]);
		cell(p, row[JOB_END]);
		cell(p, row[JOB_ELAPSED]);
		putc('\n', p->out);
	}
	left_out(p, n, MOST_RUNNING, "squeue -t R");
}

/* ---- what was used --------------------------------------------------------*/

void plain_limits(struct page *p)
{
	const struct rows *rows = &p->limits;

	for (size_t i = 0; i < rows->n && i < MOST_LIMITS; i++) {
		char **row = rows->v[i];
		double most = strtod(row[2], NULL);

		head_cell(p, row[0]);
		cell(p, row[1]);
		cell(p, row[2]);
		cell(p, row[3]);
		if (most > 0)
			fprintf(p->out, "<td>%.1f %%\n",
				strtod(row[3], NULL) / most * 100);
		else
			fputs("<td>full\n", p->out);
	}
	left_out(p, rows->n, MOST_LIMITS, "sacctmgr show assoc witheffective");
}

void plain_waits(struct page *p)
{
	const struct rows *rows = &p->waits;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		head_cell(p, row[0]);
		cell(p, row[1]);
		cell(p, seconds_show(&p->arena, strtoll(row[2], NULL, 10)));
		cell(p, seconds_show(&p->arena, strtoll(row[3], NULL, 10)));
		putc('\n', p->out);
	}
}

void plain_top(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_TOP].rows;

	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];

		head_cell(p, rows_cell(rows, row, "user"));
		cell(p, rows_cell(rows, row, "proper_name"));
		cell(p, rows_cell(rows, row, "account"));
		cell(p, rows_cell(rows, row, "used"));
		putc('\n', p->out);
	}
}
