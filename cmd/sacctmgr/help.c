#include "cmd/sacctmgr/help.h"

#include <ctype.h>
#include <string.h>

#include "cmd/sacctmgr/settings.h"

enum { NAMES_WIDTH = 31, PAGE_WIDTH = 79 };

/* ---- finding -------------------------------------------------------------*/

const struct verb_word *find_verb(const char *word)
{
	for (const struct verb_word *v = sacctmgr_verbs; v->names; v++)
		if (words_match(v->names, word, strlen(word)))
			return v;
	return NULL;
}

const char *entity_names(const struct entity *entity, enum verb verb)
{
	if (verb == VERB_SHOW)
		return entity->names;
	return entity->changes ? entity->changes->names[verb] : NULL;
}

const struct entity *find_entity(enum verb verb, const char *word)
{
	for (size_t i = 0; sacctmgr_entities[i]; i++) {
		const char *names = entity_names(sacctmgr_entities[i], verb);

		if (names && words_match(names, word, strlen(word)))
			return sacctmgr_entities[i];
	}
	return NULL;
}

const struct entity *find_any_entity(const char *word)
{
	static const enum verb order[] = {
		VERB_SHOW, VERB_ADD, VERB_MODIFY, VERB_DELETE};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const struct entity *found = find_entity(order[i], word);

		if (found)
			return found;
	}
	return NULL;
}

const char *entity_name(const struct entity *entity, char *buf, size_t size)
{
	*buf = '\0';
	for (enum verb verb = VERBS; verb-- > 0;)
		if (entity_names(entity, verb))
			words_first(entity_names(entity, verb), buf, size);
	return buf;
}

/* ---- names with their abbreviations --------------------------------------*/

/* A line being filled: names, each with `after` behind it. */
struct names_line {
	char text[512];
	const char *after;
};

static void line_add(struct names_line *line, const char *text, size_t len)
{
	size_t used = strlen(line->text);

	if (used + len >= sizeof(line->text))
		len = sizeof(line->text) - 1 - used;
	memcpy(line->text + used, text, len);
	line->text[used + len] = '\0';
}

static void line_name(const char *name, size_t len, size_t min, void *arg)
{
	struct names_line *line = arg;

	if (*line->text)
		line_add(line, ", ", 2);
	if (min > len)
		min = len;
	line_add(line, name, min);
	if (min < len) {
		line_add(line, "[", 1);
		line_add(line, name + min, len - min);
		line_add(line, "]", 1);
	}
	line_add(line, line->after, strlen(line->after));
}

/* Names, kind and help in columns; long names get a line of their own. */
static void print_row(FILE *out, const char *names, const char *after,
	const char *kind, const char *help)
{
	struct names_line line = {.after = after};

	words_each(names, line_name, &line);
	if (strlen(line.text) > NAMES_WIDTH)
		fprintf(out, "  %s\n  %*s", line.text, NAMES_WIDTH, "");
	else
		fprintf(out, "  %-*s", NAMES_WIDTH, line.text);
	fprintf(out, "  %-8s %s\n", kind, help);
}

/* A comma list in lines no wider than the page. */
static void print_wrapped(FILE *out, const char *list)
{
	static const char margin[] = "                                   ";
	size_t column = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		if (!column || column + len + 2 > PAGE_WIDTH) {
			fprintf(out, "%s%s", column ? ",\n" : "", margin);
			column = sizeof(margin) - 1;
		} else {
			fputs(", ", out);
			column += 2;
		}
		fprintf(out, "%.*s", (int)len, list);
		column += len;
		list += len + (list[len] != '\0');
	}
	fputc('\n', out);
}

/* ---- usage ---------------------------------------------------------------*/

/* "add account", "list associations": what can be done to what. */
static void usage_pairs(FILE *out, enum verb verb)
{
	static const char *const verbs[VERBS] = {
		[VERB_ADD] = "add",
		[VERB_SHOW] = "list",
		[VERB_MODIFY] = "modify",
		[VERB_DELETE] = "delete",
	};
	char name[64];
	size_t n = 0;

	for (size_t i = 0; sacctmgr_entities[i]; i++) {
		const char *names = entity_names(sacctmgr_entities[i], verb);

		if (!names)
			continue;
		words_first(names, name, sizeof(name));
		for (char *c = name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		fprintf(out, "%s%s %-*s", n % 3 ? " " : n ? "\n  " : "  ",
			verbs[verb], 25 - (int)strlen(verbs[verb]), name);
		n++;
	}
	fputc('\n', out);
}

void help_usage(FILE *out)
{
	fputs("sacctmgr [<OPTION>] [<COMMAND>]\n\n"
	      "Valid <OPTION> values are:\n", out);
	option_print_list(
		out, sacctmgr_option_rows, sacctmgr_option_names, 23);
	fputs("\nValid <COMMAND> values are:\n", out);
	for (const struct verb_word *v = sacctmgr_verbs; v->names; v++)
		fprintf(out, "  %-34s %s\n", v->usage, v->help);
	fputs("\nWithout a command it is interactive.\n"
	      "\n<ENTITY> may be one of:\n", out);
	for (size_t i = 0; sacctmgr_entities[i]; i++) {
		char name[64];

		fprintf(out, "  %-14s %s\n",
			entity_name(sacctmgr_entities[i], name, sizeof(name)),
			sacctmgr_entities[i]->help);
	}
	fputs("\n<SPECS> are different for each command entity pair:\n", out);
	for (int verb = 0; verb < VERBS; verb++)
		usage_pairs(out, (enum verb)verb);
	fputs("\n`sacctmgr help ENTITY` lists its words and columns; "
	      "man sacctmgr tells more.\n",
		out);
}

/* ---- one entity ----------------------------------------------------------*/

/* What is typed behind the `=`. */
static const char *kind_of(const struct member_set *set)
{
	static const char *const kinds[] = {
		[ATTR_UINT] = "NUMBER",
		[ATTR_MINUTES] = "TIME",
		[ATTR_SECONDS] = "TIME",
		[ATTR_PLAIN_SECONDS] = "SECONDS",
		[ATTR_REAL] = "DECIMAL",
		[ATTR_SHARES] = "SHARES",
		[ATTR_TRES] = "TRES",
		[ATTR_TEXT] = "TEXT",
		[ATTR_TEXT_CASE] = "TEXT",
		[ATTR_QOS] = "QOS",
		[ATTR_QOS_LIST] = "QOS",
		[ATTR_FLAGS] = "FLAGS",
		[ATTR_PREEMPT_MODE] = "MODES",
		[ATTR_LIST] = "LIST",
		[ATTR_NUMBER64] = "NUMBER",
	};
	size_t type = set->type;

	if (set->tres)
		return "NUMBER";
	return type < sizeof(kinds) / sizeof(*kinds) && kinds[type]
		? kinds[type]
		: "TEXT";
}

const char *setting_help(const struct member *m)
{
	char name[64];

	if (m->help)
		return m->help;
	words_first(m->set->words, name, sizeof(name));
	for (size_t i = 0; i < sacctmgr_fields.n; i++)
		if (words_match(sacctmgr_fields.v[i].names, name, strlen(name)))
			return sacctmgr_fields.v[i].help;
	return "";
}

static void print_forms(FILE *out, const struct entity *entity)
{
	static const struct {
		const char *verb, *rest;
	} forms[VERBS] = {
		[VERB_ADD] = {"add", "NAME,... [SETTING=VALUE ...]"},
		[VERB_SHOW] = {"show", "[CONDITION=VALUE | SWITCH ...]"},
		[VERB_MODIFY] = {"modify",
			"CONDITION=VALUE ... set SETTING=VALUE ..."},
		[VERB_DELETE] = {"delete", "CONDITION=VALUE ..."},
	};

	for (enum verb verb = 0; verb < VERBS; verb++) {
		struct names_line line = {.after = ""};

		if (!entity_names(entity, verb))
			continue;
		words_each(entity_names(entity, verb), line_name, &line);
		fprintf(out, "  %s %.*s %s\n", forms[verb].verb,
			(int)strcspn(line.text, ","), line.text,
			forms[verb].rest);
	}
}

/* A row of a table whose name a row of one before it takes. */
static bool is_hidden(const struct vocabulary *v, size_t table,
	const struct where_word *row)
{
	char name[64];

	words_first(row->names, name, sizeof(name));
	for (size_t i = 0; i < table; i++)
		for (const struct where_word *w = v->where[i]; w->names; w++)
			if (w->kind != WHERE_SWITCH &&
				words_match(w->names, name, strlen(name)))
				return true;
	return false;
}

static void print_condition(FILE *out, const struct where_word *row)
{
	static const char *const kinds[] = {
		[WHERE_LIST] = "LIST",
		[WHERE_LIST_CASE] = "LIST",
		[WHERE_QOS] = "QOS",
		[WHERE_IDS] = "NUMBERS",
		[WHERE_FORMAT] = "COLUMNS",
	};

	print_row(out, row->names, "=", kinds[row->kind], row->help);
}

static void print_conditions(FILE *out, const struct vocabulary *v)
{
	fputs("\nConditions\n", out);
	for (size_t i = 0; v->where[i]; i++)
		for (const struct where_word *w = v->where[i]; w->names; w++)
			if (w->kind != WHERE_SWITCH && !is_hidden(v, i, w))
				print_condition(out, w);
}

static void print_switches(FILE *out, const struct vocabulary *v)
{
	bool any = false;

	for (size_t i = 0; v->where[i]; i++)
		for (const struct where_word *w = v->where[i]; w->names; w++) {
			if (w->kind != WHERE_SWITCH)
				continue;
			if (!any)
				fputs("\nSwitches\n", out);
			any = true;
			print_row(out, w->names, "", "", w->help);
		}
}

static void print_add_names(FILE *out, const struct add_word *row)
{
	for (; row->names; row++)
		print_row(out, row->names, "=", "LIST",
			row->offset == offsetof(struct request, names)
				? "what is added"
				: "where it is added");
}

static void print_setting(
	FILE *out, const struct member *m, struct arena *arena)
{
	const struct member_set *set = m->set;

	print_row(out, set->words, set->operators ? "= += -=" : "=",
		kind_of(set),
		arena_printf(arena, "%s%s", setting_help(m),
			set->only_modify ? " (modify only)" : ""));
	if (set->flags && set->flags->names)
		print_wrapped(out, flags_all(set->flags, arena));
}

static void print_settings(
	FILE *out, const struct vocabulary *v, struct arena *arena)
{
	for (size_t i = 0; i < 4 && v->set[i]; i++)
		for (size_t j = 0; j < v->set[i]->n; j++)
			if (v->set[i]->v[j].set)
				print_setting(out, &v->set[i]->v[j], arena);
	if (v->leases) {
		const char *where =
			takes_until(v, false) ? "" : " (modify only)";

		print_row(out, UNTIL_WORDS, "=", "TIME",
			arena_printf(arena, "until when it holds; then the "
					    "earlier value does%s",
				where));
		print_row(out, FOR_WORDS, "=", "TIME",
			arena_printf(arena, "the same from now: 7days%s", where));
	}
	fputs("\nTIME is 90, 1:30:00 or 2-12:00; TRES is cpu=8,mem=64G,gres/gpu=2; "
	      "-1 clears a limit.\n",
		out);
}

static void print_field(FILE *out, const struct member *field)
{
	char width[16];

	snprintf(width, sizeof(width), "%4d", field->width);
	print_row(out, field->names, "", width, field->help);
}

struct column_list {
	FILE *out;
	bool of_settings; /* columns of listings of one setting a row */
	const char *heading; /* not printed yet */
};

static void print_column(const struct member *field, void *arg)
{
	struct column_list *list = arg;

	if (members_has(&setting_columns, field) != list->of_settings)
		return;
	if (list->heading)
		fputs(list->heading, list->out);
	list->heading = NULL;
	print_field(list->out, field);
}

static void print_columns(FILE *out, const struct entity *entity)
{
	struct column_list plain = {
		out, false, "\nColumns (format=NAME[%WIDTH],...)\n"};
	struct column_list rest = {out, true,
		"\nColumns with WithEffective, WithBlame or WithLeases\n"};

	if (!entity->columns[0])
		return;
	entity_fields(entity, print_column, &plain);
	entity_fields(entity, print_column, &rest);
}

void help_entity(FILE *out, const struct entity *entity, struct arena *arena)
{
	const struct vocabulary *v = entity_words(entity, VERB_SHOW);
	const struct vocabulary *add = entity_words(entity, VERB_ADD);
	char name[64];

	fprintf(out, "%s: %s\n\n", entity_name(entity, name, sizeof(name)),
		entity->help);
	print_forms(out, entity);
	print_switches(out, v);
	print_conditions(out, v);
	if (entity_names(entity, VERB_ADD) && add->name_words) {
		fputs("\nNames (add)\n", out);
		print_add_names(out, add->name_words);
	}
	if (v->set[0]) {
		fputs("\nSettings\n", out);
		print_settings(out, v, arena);
	}
	print_columns(out, entity);
}

/* ---- columns -------------------------------------------------------------*/

void help_fields(FILE *out)
{
	fprintf(out, "%-39s %-16s %5s  %s\n", "Name", "Heading", "Width",
		"What it holds");
	for (size_t i = 0; i < sacctmgr_fields.n; i++) {
		const struct member *f = &sacctmgr_fields.v[i];
		struct names_line line = {.after = ""};

		words_each(f->names, line_name, &line);
		if (strlen(line.text) > 39)
			fprintf(out, "%s\n%39s", line.text, "");
		else
			fprintf(out, "%-39s", line.text);
		fprintf(out, " %-17s %4d  %s\n", f->heading, f->width, f->help);
	}
}
