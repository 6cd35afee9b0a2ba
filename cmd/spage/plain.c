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

/* The first is the row's heading. */
static void cells(struct page *p, char *const *texts, size_t n)
{
	fputs("<tr><td><th scope=row>", p->out);
	html_text(p->out, texts[0]);
	for (size_t i = 1; i < n; i++)
		cell(p, texts[i]);
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

/* Some columns are none of squeue's. */
enum { PLANNED = -1, END = -2 };

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

static void write_job(struct page *p, char **row, const int *columns,
	const struct row_index *plans)
{
	char *const who[] = {row[JOB_SHOWN], row[JOB_NAME], row[JOB_USER],
		row[JOB_ACCOUNT], row[JOB_PARTITION], row[JOB_CPUS]};

	cells(p, who, sizeof(who) / sizeof(*who));
	for (; *columns != END; columns++)
		if (*columns == PLANNED)
			write_planned(p, plans, row);
		else
			cell(p, row[*columns]);
	putc('\n', p->out);
}

static bool is_one_of(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

static void write_jobs(struct page *p, const char *const *states, size_t most,
	const int *columns, const char *command)
{
	const struct rows *rows = &p->answers[ASK_JOBS].rows;
	const struct row_index *plans = row_index_make(
		&p->answers[ASK_PLAN].rows, PLAN_ID, &p->arena);
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (is_one_of(states, rows->v[i][JOB_STATE]) && ++n <= most)
			write_job(p, rows->v[i], columns, plans);
	left_out(p, n, most, command);
}

void plain_waiting(struct page *p)
{
	static const char *const states[] = {"PENDING", NULL};
	static const int columns[] = {JOB_QOS, JOB_LIMIT, JOB_PRIORITY, PLANNED,
		JOB_REASON, END};

	write_jobs(p, states, MOST_WAITING, columns, "squeue -t PD");
}

void plain_running(struct page *p)
{
	static const char *const states[] = {
		"RUNNING", "SUSPENDED", "COMPLETING", NULL};
	static const int columns[] = {
		JOB_NODE_LIST, JOB_START, JOB_END, JOB_ELAPSED, END};

	write_jobs(p, states, MOST_RUNNING, columns, "squeue -t R");
}

/* ---- what was used --------------------------------------------------------*/

void plain_limits(struct page *p)
{
	const struct rows *rows = &p->limits;

	for (size_t i = 0; i < rows->n && i < MOST_LIMITS; i++) {
		char **row = rows->v[i];
		double most = strtod(row[2], NULL);

		cells(p, row, 4);
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

		cells(p, row, 2);
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
		char *const texts[] = {rows_cell(rows, row, "user"),
			rows_cell(rows, row, "proper_name"),
			rows_cell(rows, row, "account"),
			rows_cell(rows, row, "used")};

		cells(p, texts, sizeof(texts) / sizeof(*texts));
		putc('\n', p->out);
	}
}
