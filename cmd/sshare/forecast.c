/*
 * sshare --forecast: when the fair-share of a user passes given values, should
 * it run nothing from now on while all others keep the usage they have.
 */
#include "cmd/sshare/sshare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/fair/explain.h"
#include "common/text/timespec.h"

enum { MAX_VALUES = 16 };

struct forecast {
	struct session *s;
	double values[MAX_VALUES];
	const char *texts[MAX_VALUES];
	size_t n;
};

static int add_value(struct forecast *f, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0) || value > 1)
		return -1;
	f->texts[f->n] = text;
	f->values[f->n++] = value;
	return 0;
}

static void read_values(struct forecast *f)
{
	const char *text = f->s->options.forecast_text;
	struct strv words = {0};

	strv_split(&words, &f->s->site.arena, text ? text : "0.25,0.5,0.75");
	if (words.n > MAX_VALUES)
		cli_fatal("--forecast takes at most %d values", MAX_VALUES);
	for (size_t i = 0; i < words.n; i++)
		if (add_value(f, words.v[i]))
			cli_fatal("--forecast: '%s' is no fair-share above 0 "
				  "and up to 1",
				words.v[i]);
}

/* When it passes the value: a time, "now", or "never". */
static const char *when_text(const struct forecast *f, int64_t seconds)
{
	struct session *s = f->s;

	if (!seconds)
		return "now";
	if (seconds == EXPLAIN_NEVER)
		return "never";
	return time_format(
		&s->scratch, s->at + seconds, s->site.time_format, s->site.now);
}

static int64_t seconds_to(
	const struct forecast *f, const struct row *row, size_t i)
{
	return explain_when(row->shares->nodes, row->shares->n, f->s->policy,
		row->index, f->values[i]);
}

static void print_forecast(const struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	const struct fs_node *node = &row->shares->nodes[row->index];
	struct value values[MAX_VALUES + 4] = {
		{VALUE_TEXT, {.text = share->account}},
		{VALUE_TEXT, {.text = share->user}},
		{VALUE_REAL, {.real = node->fairshare}},
	};

	for (size_t i = 0; i < f->n; i++)
		values[3 + i] = (struct value){VALUE_TEXT,
			{.text = when_text(f, seconds_to(f, row, i))}};
	values[3 + f->n] = (struct value){VALUE_REAL,
		{.real = explain_at_best(row->shares->nodes, row->shares->n,
			 f->s->policy, row->index)}};
	table_row(&f->s->grid.table, values);
}

static void write_forecast(const struct forecast *f, const struct row *row)
{
	const struct share *share = &row->shares->v[row->index];
	struct json_object *record = json_record();

	json_put_text(record, "cluster", row->shares->cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	json_put_real(
		record, "fairshare", row->shares->nodes[row->index].fairshare);
	json_append(record, "passes", NULL);
	for (size_t i = 0; i < f->n; i++) {
		struct json_object *passing = json_record();
		int64_t seconds = seconds_to(f, row, i);
		struct value time = {VALUE_LIMIT, {.number = INFINITE64}};

		if (seconds != EXPLAIN_NEVER)
			time.number = (uint64_t)(f->s->at + seconds);
		json_put_real(passing, "value", f->values[i]);
		json_put(passing, "time", &time, NULL);
		json_append(record, "passes", passing);
	}
	json_put_real(record, "at_best",
		explain_at_best(row->shares->nodes, row->shares->n,
			f->s->policy, row->index));
	json_write(&f->s->doc, record);
}

static void tell_row(const struct row *row, void *session)
{
	struct session *s = session;

	if (!row->shares->nodes[row->index].is_user)
		return;
	if (s->options.form)
		write_forecast(s->forecast, row);
	else
		print_forecast(s->forecast, row);
	s->told++;
}

static void set_columns(struct forecast *f)
{
	struct arena *arena = &f->s->site.arena;
	struct table *table = &f->s->grid.table;

	table->n = f->n + 4;
	table->columns = arena_array(arena, table->n, sizeof(*table->columns));
	table->columns[0] = (struct table_column){"Account", -20};
	table->columns[1] = (struct table_column){"User", 10};
	table->columns[2] = (struct table_column){"FairShare", 10};
	for (size_t i = 0; i < f->n; i++)
		table->columns[3 + i] = (struct table_column){
			arena_printf(arena, "Passes%s", f->texts[i]), 19};
	table->columns[3 + f->n] = (struct table_column){"AtBest", 10};
}

int sshare_forecast(struct session *s, const struct strv *clusters)
{
	struct forecast f = {.s = s};

	if (s->options.accounts.n && !s->options.users.n)
		s->filter.every_user = true;
	read_values(&f);
	s->forecast = &f;
	set_columns(&f);
	if (s->options.form)
		json_begin(&s->doc, stdout, s->options.form, "forecasts");
	else
		table_heading(&s->grid.table);
	for (size_t i = 0; i < clusters->n; i++)
		session_list(s, clusters->v[i], 0, tell_row);
	if (s->options.form)
		return session_end_document(s, NULL);
	return s->told ? 0 : sshare_nobody(s);
}
