#include "common/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/cli/complete.h"
#include "common/table/json.h"
#include "common/table/table.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"

/* Codes from here on have no letter. */
enum { OPTION_LONG = 256, MAX_OPTIONS = 64 };

/* ---- takers --------------------------------------------------------------*/

static void *member(void *options, const struct option_row *row)
{
	return (char *)options + row->offset;
}

void option_bool(void *options, const struct option_row *row, const char *arg)
{
	bool on = row->value != 0;

	(void)arg;
	memcpy(member(options, row), &on, sizeof(on));
}

void option_int(void *options, const struct option_row *row, const char *arg)
{
	(void)arg;
	memcpy(member(options, row), &row->value, sizeof(row->value));
}

void option_offline(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options;
	(void)row;
	(void)arg;
	setenv("BURSAR_OFFLINE", "1", true);
}

void option_count(void *options, const struct option_row *row, const char *arg)
{
	(void)arg;
	++*(int *)member(options, row);
}

static void check_csv(const char *arg)
{
	if (!arg)
		return;
	if (strcmp(arg, "safe"))
		cli_refuse("--csv: '%s' is not known: --csv or --csv=safe", arg);
	table_csv_safe();
}

void option_csv(void *options, const struct option_row *row, const char *arg)
{
	check_csv(arg);
	option_int(options, row, NULL);
}

void option_csv_flag(
	void *options, const struct option_row *row, const char *arg)
{
	check_csv(arg);
	option_bool(options, row, NULL);
}

void option_text(void *options, const struct option_row *row, const char *arg)
{
	memcpy(member(options, row), &arg, sizeof(arg));
}

void option_nothing(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options;
	(void)row;
	(void)arg;
}

void option_list_read(
	struct option_list *list, struct arena *arena, const char *text)
{
	*list = (struct option_list){.text = text};
	while (*text) {
		size_t len = strcspn(text, ",");

		if (len)
			strv_push(&list->words, arena,
				arena_strndup(arena, text, len));
		text += len + (text[len] == ',');
	}
}

/* The pointer all programs' options begin with. */
static struct arena *arena_of(void *options)
{
	struct arena *arena;

	memcpy(&arena, options, sizeof(arena));
	return arena;
}

void option_list(void *options, const struct option_row *row, const char *arg)
{
	option_list_read(member(options, row), arena_of(options), arg);
}

void option_push(void *options, const struct option_row *row, const char *arg)
{
	strv_push(member(options, row), arena_of(options), arg);
}

void option_hosts_read(struct option_list *list, struct arena *arena,
	const char *text, const char *option)
{
	struct err err;

	*list = (struct option_list){.text = text};
	if (!hostlist_expand(text, arena, &list->words, &err))
		return;
	cli_refuse("'%s' invalid entry for --%s", text, option);
}

bool option_interval_read(int *seconds, const char *text)
{
	uint32_t number;
	const char *rest;

	if (number_read(text, &number, &rest) || *rest || !number ||
		number > 86400)
		return false;
	*seconds = (int)number;
	return true;
}

void option_clusters(
	void *options, const struct option_row *row, const char *arg)
{
	struct option_clusters *clusters = member(options, row);

	clusters->text = *arg ? arg : NULL;
	clusters->local = true;
}

void option_jobs_read(
	struct option_jobs *jobs, struct arena *arena, const char *text)
{
	struct option_list list;

	option_list_read(&list, arena, text);
	jobs->text = text;
	jobs->n = 0;
	for (size_t i = 0; i < list.words.n; i++) {
		if (jobs->parse(list.words.v[i],
			    ARENA_PUSH(arena, jobs->v, jobs->n, jobs->cap)))
			continue;
		cli_refuse("Invalid job id: %s", list.words.v[i]);
	}
}

void option_jobs(void *options, const struct option_row *row, const char *arg)
{
	struct option_jobs *jobs = member(options, row);

	jobs->given = true;
	if (arg)
		option_jobs_read(jobs, arena_of(options), arg);
}

void option_print(void *options, const struct option_row *row, const char *arg)
{
	(void)arg;
	if (row->text)
		fputs(row->text, stdout);
	if (row->page)
		option_print_help(row->page);
	if (row->print)
		row->print(options);
	exit(0);
}

void option_version(
	void *options, const struct option_row *row, const char *arg)
{
	const int *verbose = member(options, row);

	(void)arg;
	cli_version(row->value && *verbose > 0);
	exit(0);
}

/* Slurm's three lines, and no document: there is none in that form. */
static _Noreturn void bad_parser(const char *name, bool yaml)
{
	cli_document(JSON_NONE, 0, NULL);
	cli_error("Couldn't find the specified plugin name for data_parser/%s "
		  "looking at all files",
		name);
	cli_error("cannot find data_parser plugin for data_parser/%s", name);
	cli_refuse("%s output not supported by " JSON_DATA_PARSER,
		yaml ? "application/x-yaml" : "application/json");
}

/* The command line, for a document of errors. */
static const struct option_row *asked_rows;
static int asked_argc;
static char *const *asked_argv;

static void take_document(
	void *options, const struct option_row *row, const char *arg, bool yaml)
{
	const char *style = getenv(yaml ? "SLURM_YAML" : "SLURM_JSON");
	enum json_form form = json_form(yaml, style);
	struct err err;

	switch (json_parser_check(arg, yaml, &err)) {
	case -1:
		bad_parser(arg, yaml);
	case 1:
		fputs("Possible data_parser plugins:\n", stderr);
		puts(JSON_DATA_PARSER);
		exit(0);
	}
	memcpy(member(options, row), &form, sizeof(form));
	cli_document(form, asked_argc, asked_argv);
}

void option_json(void *options, const struct option_row *row, const char *arg)
{
	take_document(options, row, arg, false);
}

void option_yaml(void *options, const struct option_row *row, const char *arg)
{
	take_document(options, row, arg, true);
}

void option_bad_cluster(const char *name, const char *typed)
{
	cli_error("No cluster '%s' known by database.", name);
	cli_error("'%s' can't be reached now, or it is an invalid entry for "
		  "--cluster.  Use 'sacctmgr list clusters' to see available "
		  "clusters.",
		typed);
	cli_fatal("Could not get cluster information");
}

void option_bad_users(const struct strv *words)
{
	for (size_t i = 0; i < words->n; i++)
		cli_error("Invalid user: %s\n", words->v[i]);
}

void option_bad_word(const char *word, const char *usage)
{
	cli_error("Unrecognized option: %s", word);
	fputs(usage, stdout);
	exit(1);
}

void option_check_long(bool long_list, const char *format)
{
	if (long_list && format)
		cli_fatal("Options -o(--format) and -l(--long) are mutually "
			  "exclusive. Please remove one and retry.");
}

int64_t option_time(const char *text, int64_t now)
{
	struct err err;
	time_t when;

	if (time_parse(text, (time_t)now, true, &when, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	return when;
}

int64_t option_time_of(const char *option, const char *text, int64_t now)
{
	struct err err;
	time_t when;

	if (time_parse(text, (time_t)now, true, &when, &err))
		cli_refuse("%s: %s", option, err.text);
	return when;
}

void options_say(const struct option_said *said, size_t n, int width)
{
	static const char rule[] = "-----------------------------";

	puts(rule);
	for (size_t i = 0; i < n; i++)
		printf("%-*s = %s\n", width, said[i].name,
			said[i].text ? said[i].text : "(null)");
	printf("%s\n\n\n", rule);
}

/* options_read knows the table. */
void option_complete(
	void *options, const struct option_row *row, const char *arg)
{
	(void)options;
	(void)row;
	(void)arg;
	BUG("option_complete called");
}

/* ---- --autocomplete ------------------------------------------------------*/

static void print_if(const char *word, const char *end, const char *text)
{
	char whole[128];

	snprintf(whole, sizeof(whole), "%s%s", word, end);
	if (strstr(whole, text))
		puts(whole);
}

static void complete_long(const struct option_row *row, const char *text)
{
	char word[96];

	snprintf(word, sizeof(word), "--%s", row->name);
	if (row->has_arg != no_argument)
		print_if(word, "=", text);
	if (row->has_arg == optional_argument)
		print_if(word, " ", text);
	else if (row->has_arg == no_argument)
		print_if(word, "", text);
}

static void print_completions(const struct option_row *rows, const char *text)
{
	bool only_letters = !strcmp(text, "-");

	for (; rows->take; rows++) {
		char letter[3] = {'-', (char)rows->code, '\0'};

		if (rows->hidden)
			continue;
		if (rows->code)
			print_if(letter, "", text);
		if (rows->name && !only_letters)
			complete_long(rows, text);
	}
	putchar('\n');
}

/* ---- help ----------------------------------------------------------------*/

static const struct option_row *row_by_name(
	const struct option_row *rows, const char *name, size_t len)
{
	for (; rows->take; rows++)
		if (rows->name && strlen(rows->name) == len &&
			!memcmp(rows->name, name, len))
			return rows;
	BUG("no option --%.*s", (int)len, name);
}

/* "--jobs[=IDS]"; before it the letter of the first name. */
static int print_name(
	FILE *out, const struct option_row *row, bool first, int width)
{
	bool maybe = row->has_arg == optional_argument;
	bool equals = row->arg && *row->arg != ':';
	int before = width;

	if (first && row->code)
		width += fprintf(
			out, "%s-%c", width ? ", " : "  ", row->code);
	width += fprintf(out, "%s--%s", width ? ", " : "      ", row->name);
	if (row->arg)
		width += fprintf(out, "%s%s%s%s", maybe ? "[" : "",
			equals ? "=" : "", row->arg, maybe ? "]" : "");
	return width - before;
}

/* Gives how wide the names are. */
static int print_names(FILE *out, const struct option_row *rows,
	const char *names, size_t len, const struct option_row **first)
{
	int width = 0;

	*first = NULL;
	for (size_t at = 0, n; at < len; at += n + 1) {
		const struct option_row *row;

		n = strcspn(names + at, ", ");
		if (names[at] == '-') {
			width += fprintf(out, "%s%.*s", width ? ", " : "  ",
				(int)n, names + at);
			continue;
		}
		row = row_by_name(rows, names + at, n);
		width += print_name(out, row, !*first, width);
		if (!*first)
			*first = row;
	}
	return width;
}

static void print_option(FILE *out, const struct option_row *rows,
	const char *names, size_t len, int column)
{
	const struct option_row *first;
	int width = print_names(out, rows, names, len, &first);

	for (const char *line = first->help; line;) {
		size_t n = strcspn(line, "\n");

		if (width >= column) {
			fputc('\n', out);
			width = 0;
		}
		fprintf(out, "%*s%.*s", column - width, "", (int)n, line);
		width = column;
		line = line[n] ? line + n + 1 : NULL;
	}
	fputc('\n', out);
}

void option_print_list(FILE *out, const struct option_row *rows,
	const char *names, int column)
{
	while (*names) {
		size_t len = strcspn(names, " ");

		print_option(out, rows, names, len, column);
		names += len + (names[len] == ' ');
	}
}

void option_print_help(const struct option_help *help)
{
	fputs(help->head, stdout);
	for (const struct option_group *g = help->groups; g->names; g++) {
		if (*help->head || g > help->groups)
			puts("");
		if (g->heading)
			puts(g->heading);
		option_print_list(stdout, asked_rows, g->names, help->column);
	}
	if (help->tail)
		fputs(help->tail, stdout);
}

/* ---- reading -------------------------------------------------------------*/

static void check_size(const struct option_row *rows)
{
	size_t n = 0;

	while (rows[n].take)
		n++;
	if (n > MAX_OPTIONS)
		BUG("%zu options", n);
}

/* What getopt gives for it: options that are one have one code. */
static int code_of(const struct option_row *rows, const struct option_row *row)
{
	if (row->alias)
		row = row_by_name(rows, row->alias, strlen(row->alias));
	return row->code ? row->code : OPTION_LONG + (int)(row - rows);
}

static void fill_long(const struct option_row *rows, struct option *out)
{
	for (const struct option_row *row = rows; row->take; row++)
		if (row->name)
			*out++ = (struct option){row->name, row->has_arg, NULL,
				code_of(rows, row)};
	*out = (struct option){NULL, 0, NULL, 0};
}

/* "ab:c::"; equal letters once. */
static void fill_short(const struct option_row *rows, char *out)
{
	char *start = out;

	*out = '\0';
	for (; rows->take; rows++) {
		if (!rows->code || strchr(start, rows->code))
			continue;
		*out++ = (char)rows->code;
		for (int i = 0; i < rows->has_arg; i++)
			*out++ = ':';
		*out = '\0';
	}
}

static const struct option_row *row_of(const struct option_row *rows, int code)
{
	if (code >= OPTION_LONG)
		return &rows[code - OPTION_LONG];
	while (rows->take && rows->code != code)
		rows++;
	return rows->take ? rows : NULL;
}

static bool begins_a_name(
	const struct option_row *rows, const char *text, size_t len)
{
	for (; rows->take; rows++)
		if (rows->name && !strncmp(rows->name, text, len))
			return true;
	return false;
}

/* For the document, what getopt has complained of. */
static void note_bad_option(
	const struct option_row *rows, const char *typed, bool is_long)
{
	size_t len = strcspn(typed, "=");

	if (!is_long)
		cli_note_error("%s -- '%c'",
			row_of(rows, optopt) ? "option requires an argument"
					     : "invalid option",
			optopt);
	else if (optopt)
		cli_note_error("option '%.*s' %s", (int)len, typed,
			typed[len] ? "doesn't allow an argument"
				   : "requires an argument");
	else if (begins_a_name(rows, typed + 2, len - 2))
		cli_note_error("option '%s' is ambiguous", typed);
	else
		cli_note_error("unrecognized option '%s'", typed);
}

/* getopt has complained; of an unknown long option the nearest is named.
 * `typed`: its word, but the word before it when a letter is unknown. */
static _Noreturn void bad_option(
	const struct option_row *rows, const char *typed)
{
	struct nearest nearest;
	bool is_long = !strncmp(typed, "--", 2) &&
		       (!optopt || row_of(rows, optopt));

	note_bad_option(rows, typed, is_long);
	nearest_init(&nearest, "", 0);
	if (!optopt) {
		nearest_init(&nearest, typed + 2, strcspn(typed + 2, "="));
		for (; rows->take; rows++)
			if (rows->name && !rows->hidden)
				nearest_try(&nearest, rows->name,
					strlen(rows->name));
	}
	if (nearest_found(&nearest))
		fprintf(stderr, "%s: did you mean '--%s'?\n", cli_name(),
			nearest_found(&nearest));
	cli_bad_option();
}

static bool is_long_option(const char *word, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(word, "--", 2) && !strncmp(word + 2, name, len) &&
	       (!word[2 + len] || word[2 + len] == '=');
}

/* An option before --json or --yaml may be wrong: that is an error of the
 * document, too. */
static void expect_document(
	const struct option_row *rows, int argc, char *const *argv)
{
	bool has = false;

	for (const struct option_row *row = rows; row->take; row++)
		has |= row->take == option_json;
	for (int i = 1; has && i < argc && strcmp(argv[i], "--"); i++)
		if (is_long_option(argv[i], "json"))
			cli_document(json_form(false, getenv("SLURM_JSON")),
				argc, argv);
		else if (is_long_option(argv[i], "yaml"))
			cli_document(json_form(true, getenv("SLURM_YAML")),
				argc, argv);
}

static void read_environment(const struct option_row *row, void *options)
{
	for (; row->take; row++) {
		const char *text = row->env ? getenv(row->env) : NULL;

		if (text)
			row->take(options, row, text);
	}
}

int options_read(
	const struct option_row *rows, void *options, int argc, char **argv)
{
	struct option names[MAX_OPTIONS + 1];
	char letters[3 * MAX_OPTIONS + 1];
	int code;

	complete_if_asked(rows, argc, argv);
	asked_rows = rows;
	asked_argc = argc;
	asked_argv = argv;
	expect_document(rows, argc, argv);
	check_size(rows);
	fill_long(rows, names);
	fill_short(rows, letters);
	read_environment(rows, options);
	while ((code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct option_row *row = row_of(rows, code);

		if (!row)
			bad_option(rows, argv[optind - 1]);
		if (row->take == option_complete) {
			print_completions(rows, optarg);
			exit(0);
		}
		row->take(options, row, optarg);
	}
	return optind;
}
