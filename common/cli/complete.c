#include "common/cli/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The option of that long name or, without `len`, of that letter. */
static const struct option_row *find(const struct option_row *rows,
	const char *name, size_t len, int letter)
{
	for (; rows->take; rows++)
		if (len ? rows->name && strlen(rows->name) == len &&
				  !strncmp(rows->name, name, len)
			: rows->code == letter)
			return rows;
	return NULL;
}

/* The option of which the next word is the argument, or NULL. One that may be
 * left out is asked for too where it is known: squeue takes the words behind -j
 * for it. */
static const struct option_row *wants_next(
	const struct option_row *rows, const char *word)
{
	const struct option_row *row = NULL;

	if (!strncmp(word, "--", 2) && word[2])
		row = find(rows, word + 2, strlen(word + 2), 0);
	else if (*word == '-' && word[1] && word[1] != '-')
		row = find(rows, NULL, 0, word[strlen(word) - 1]);
	return row && (row->has_arg == required_argument || row->source) ? row
									 : NULL;
}

/* Of the rows of one option, those with the same letter, one says where its
 * values come from. */
static void offer_argument(struct completion *c, const struct option_row *rows,
	const struct option_row *row, const char *value)
{
	completion_value(c, value);
	for (; rows->take; rows++) {
		if (rows != row && (!row->code || rows->code != row->code))
			continue;
		if (rows->values)
			offer_list(c, rows->values);
		if (rows->offer)
			rows->offer(c);
		offer_from(c, rows->source);
	}
}

static void offer_option(struct completion *c, const char *word,
	const char *end, const char *help)
{
	if (!strncmp(word, c->typed, strlen(c->typed)))
		*ARENA_PUSH(c->arena, c->v, c->n, c->cap) = (struct candidate){
			arena_printf(c->arena, "%s%s", word, end), help};
}

static void offer_options(struct completion *c, const struct option_row *row)
{
	for (; row->take; row++) {
		const char letter[] = {'-', (char)row->code, '\0'};
		const char *word = arena_printf(
			c->arena, "--%s", row->name ? row->name : "");

		if (row->hidden)
			continue;
		if (row->code)
			offer_option(c, letter, "", row->help);
		if (row->name && row->has_arg != required_argument)
			offer_option(c, word, "", row->help);
		if (row->name && row->has_arg != no_argument)
			offer_option(c, word, "=", row->help);
	}
}

static void complete_line(struct completion *c, const struct option_row *rows,
	char **words, int n)
{
	const struct option_row *complete = rows, *row = NULL;
	const char *equals = strchr(c->typed, '=');
	/* Neither options nor their arguments. */
	char **plain = arena_array(c->arena, (size_t)n, sizeof(*plain));
	int kept = 0;

	while (complete->take != option_complete)
		complete++;
	c->stored = complete->stored;
	c->line = (struct strv){.v = words, .n = (size_t)n};
	for (int i = 0; i + 1 < n; i++) {
		if (!row && *words[i] != '-')
			plain[kept++] = words[i];
		row = row ? NULL : wants_next(rows, words[i]);
	}
	plain[kept++] = words[n - 1];
	if (!row && equals && !strncmp(c->typed, "--", 2))
		row = find(rows, c->typed + 2, (size_t)(equals - c->typed - 2), 0);
	else
		equals = NULL;
	if (row)
		offer_argument(c, rows, row, equals ? equals + 1 : c->typed);
	else if (*c->typed == '-')
		offer_options(c, rows);
	else if (complete->complete)
		complete->complete(c, plain, kept);
}

/* One line, without what would move the cursor. */
static void print_help(const char *help)
{
	putchar('\t');
	for (; *help; help++)
		putchar((unsigned char)*help < ' ' || *help == 127 ? ' ' : *help);
}

void completion_print(struct completion *c, bool described)
{
	completion_sort(c);
	for (size_t i = 0; i < c->n; i++) {
		fputs(c->v[i].word, stdout);
		if (described && c->v[i].help)
			print_help(c->v[i].help);
		putchar('\n');
	}
}

void complete_if_asked(const struct option_row *rows, int argc, char **argv)
{
	bool described = argc > 1 && !strcmp(argv[1], "--complete=help");
	int first = argc > 2 && !strcmp(argv[2], "--") ? 3 : 2;
	struct arena arena;
	struct completion c = {.arena = &arena, .typed = argv[argc - 1]};

	if (argc < 2 || (!described && strcmp(argv[1], "--complete") != 0))
		return;
	/* A log that is asked for what is new may be slow. */
	option_offline(NULL, NULL, NULL);
	arena_init(&arena);
	if (first < argc)
		complete_line(&c, rows, argv + first, argc - first);
	completion_print(&c, described);
	arena_release(&arena);
	exit(0);
}
