/*
 * The tree of accounts and users: shares, what of them was used, fair-share;
 * each user unfolds to the words of sshare --explain. And limits on minutes.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

enum column {
	ACCOUNT,
	USER,
	PARTITION,
	CLUSTER,
	SHARES,
	NORM_SHARES,
	USAGE,
	NORM_USAGE,
	EFFECTIVE,
	FAIRSHARE,
	LEVEL,
	GRP_MINS,
	GRP_RAW,
	RUN_MINS,
};

enum { SHOWN_COLUMNS = 9 };

static double number(const char *text)
{
	return strtod(text, NULL);
}

static const char *percent(struct page *p, const char *text)
{
	return arena_printf(&p->arena, "%.1f %%", number(text) * 100);
}

/* Two bars above each other: what was promised, what was used. */
static void write_use(struct page *p, char **row)
{
	if (!*row[NORM_SHARES] || !*row[SHARES]) {
		fputs("<td><td>", p->out);
		return;
	}
	html_number(p->out, percent(p, row[NORM_SHARES]),
		number(row[NORM_SHARES]));
	fprintf(p->out, "<td data-v=\"%.10g\">", number(row[EFFECTIVE]));
	html_bar(p->out, "owed", number(row[NORM_SHARES]),
		arena_printf(&p->arena, "promised %s",
			percent(p, row[NORM_SHARES])));
	html_bar(p->out,
		number(row[EFFECTIVE]) > number(row[NORM_SHARES]) ? "over"
								  : "used",
		number(row[EFFECTIVE]),
		arena_printf(
			&p->arena, "used %s", percent(p, row[EFFECTIVE])));
	fprintf(p->out, " <span class=after>%s</span>",
		percent(p, row[EFFECTIVE]));
}

static void write_fairshare(struct page *p, char **row)
{
	if (!*row[FAIRSHARE]) {
		fputs("<td>", p->out);
		return;
	}
	fprintf(p->out, "<td data-v=\"%.10g\">", number(row[FAIRSHARE]));
	html_bar(p->out, "fair", number(row[FAIRSHARE]), "fair-share");
	fputs(" <span class=after>", p->out);
	html_text(p->out, row[FAIRSHARE]);
	fputs("</span>", p->out);
}

static void write_name(struct page *p, char **row, int depth)
{
	const char *account = row[ACCOUNT] + strspn(row[ACCOUNT], " ");

	fprintf(p->out, "<th scope=row class=name style=\"--d:%d\">", depth);
	if (*row[USER]) {
		html_text(p->out, row[USER]);
		fputs(" <small>", p->out);
		html_text(p->out, account);
		if (*row[PARTITION]) {
			fputs(", ", p->out);
			html_text(p->out, row[PARTITION]);
		}
		fputs("</small>", p->out);
	} else {
		fputs("<b>", p->out);
		html_text(p->out, account);
		fputs("</b>", p->out);
	}
}

/* The name under which sshare explains it. */
static const char *explained_as(struct page *p, char **row)
{
	return arena_printf(&p->arena, "%s in account %s%s%s", row[USER],
		row[ACCOUNT] + strspn(row[ACCOUNT], " "),
		*row[PARTITION] ? ", partition " : "", row[PARTITION]);
}

static void write_row(struct page *p, char **row, const struct row_index *why)
{
	int depth = (int)strspn(row[ACCOUNT], " ");
	char **words = NULL;

	if (*row[USER])
		words = row_index_find(why, explained_as(p, row));
	fprintf(p->out, "<tbody data-depth=%d class=%s><tr><td class=gutter>",
		depth, *row[USER] ? "user" : "account");
	write_name(p, row, depth);
	html_number(p->out, row[SHARES], number(row[SHARES]));
	write_use(p, row);
	html_number(p->out,
		arena_printf(&p->arena, "%.1f", number(row[USAGE]) / 3600),
		number(row[USAGE]));
	html_number(p->out, *row[NORM_USAGE] ? percent(p, row[NORM_USAGE]) : "",
		number(row[NORM_USAGE]));
	write_fairshare(p, row);
	html_number(p->out, row[LEVEL], number(row[LEVEL]));
	putc('\n', p->out);
	html_why(p->out,
		arena_printf(&p->arena, "Why %s has this fair-share",
			row[USER]),
		words ? words[1] : NULL, SHOWN_COLUMNS);
}

void write_shares(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;
	struct row_index why;

	row_index_make(
		&why, &p->answers[ASK_SHARES_WHY].rows, 0, &p->arena);
	for (size_t i = 0; i < rows->n; i++)
		write_row(p, rows->v[i], &why);
}

/* ---- limits on minutes ----------------------------------------------------*/

/* Of `cpu=10,mem=20` the number of a kind; -1: none. */
static double tres_amount(const char *list, const char *name, size_t len)
{
	while (*list) {
		if (!strncmp(list, name, len) && list[len] == '=')
			return number(list + len + 1);
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return -1;
}

static void write_limit(
	struct page *p, char **row, const char *limit, size_t len)
{
	double most = number(limit + len + 1);
	double used = tres_amount(row[GRP_RAW], limit, len);
	double soon = tres_amount(row[RUN_MINS], limit, len);
	double part = most > 0 ? used / most : 1;

	if (used < 0)
		used = 0;
	if (soon < 0)
		soon = 0;
	fputs("<tbody><tr><th scope=row>", p->out);
	html_text(p->out, row[ACCOUNT] + strspn(row[ACCOUNT], " "));
	if (*row[USER]) {
		fputs(", ", p->out);
		html_text(p->out, row[USER]);
	}
	html_cell(p->out,
		arena_printf(&p->arena, "%.*s minutes", (int)len, limit));
	html_number(p->out, arena_printf(&p->arena, "%.0f", most), most);
	html_number(p->out, arena_printf(&p->arena, "%.0f", used), used);
	html_number(p->out, arena_printf(&p->arena, "%.0f", soon), soon);
	fprintf(p->out, "<td data-v=\"%.10g\">", part);
	html_bar(p->out, part >= 0.8 ? "over" : "used", part, "used");
	fprintf(p->out, " <span class=after>%.1f %%</span>\n", part * 100);
}

void write_limits(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;

	for (size_t i = 0; i < rows->n; i++) {
		const char *list = rows->v[i][GRP_MINS];

		while (*list) {
			size_t whole = strcspn(list, ","), len;

			len = strcspn(list, "=");
			if (len < whole)
				write_limit(p, rows->v[i], list, len);
			list += whole + (list[whole] == ',');
		}
	}
}
