/*
 * What could stand here? For the shell of sreport and, through
 * `sreport --complete -- WORD...`, for bash, zsh and fish.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd/sreport/sreport.h"
#include "common/base/words.h"
#include "db/entity/names.h"
#include "db/entity/rights.h"
#include "db/entity/user.h"

enum { MAX_NAMES = 500 };

/* Adds to `typed` the rest of a name that begins with its part behind `head`. */
static void offer(struct offers *o, const char *name, const char *suffix)
{
	const char *part = o->typed + o->head;
	size_t len = strlen(part);

	if (strncasecmp(name, part, len))
		return;
	strv_push(o->out, o->arena,
		arena_printf(o->arena, "%s%s%s", o->typed, name + len, suffix));
}

static void offer_one(const char *name, size_t len, size_t min, void *arg)
{
	struct offers *o = arg;
	size_t before = o->out->n;

	(void)min;
	if (o->done)
		return;
	offer(o, arena_strndup(o->arena, name, len), o->suffix);
	o->done = o->out->n > before;
}

void offer_names(struct offers *o, const char *names, const char *suffix)
{
	o->suffix = suffix;
	o->done = false;
	words_each(names, offer_one, o);
}

void offer_words(struct offers *o, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, " ");

		offer(o, arena_strndup(o->arena, list, len), "");
		list += len + (list[len] != '\0');
	}
}

/* Names of the store; those that PrivateData hides are not offered. */
void offer_stored(struct offers *o, enum name_kind kind, unsigned private)
{
	struct site *site = &o->session->site;
	struct strv names = {0};

	if (((site->dbd.private_data | site->conf.private_data) & private &&
		    rights_level(site, o->arena) < ADMIN_OPERATOR) ||
		store_names(&site->store, kind,
			str_lower(o->arena, o->typed + o->head), MAX_NAMES,
			o->arena, &names))
		return;
	for (size_t i = 0; i < names.n; i++)
		if (!names.v[i][strcspn(names.v[i], " \t'\"\\$`*?;&|<>()")])
			offer(o, names.v[i], "");
}

void offer_fields(struct offers *o, enum report_class class)
{
	int n;
	const struct report_field *fields = class_fields(class, &n);

	for (int i = 0; i < n; i++)
		offer_names(o, fields[i].member.names, "");
}

/* The value of a condition, from the last comma on. */
static void complete_value(struct offers *o, const struct report *report)
{
	struct word word = word_split(o->typed);
	const char *comma = strrchr(word.value, ',');

	o->head = (size_t)((comma ? comma + 1 : word.value) - o->typed);
	offer_value(o, report, &word);
}

void complete_words(struct session *s, char **words, int n,
	struct arena *arena, struct strv *candidates)
{
	struct offers o = {.session = s, .arena = arena, .out = candidates,
		.typed = n ? words[n - 1] : ""};
	const struct report *report;

	if (n <= 1) {
		offer_commands(&o);
	} else if (n == 2) {
		offer_reports(&o, words[0]);
	} else {
		report = report_called(words[0], words[1]);
		if (report && strchr(o.typed, '='))
			complete_value(&o, report);
		else if (report)
			offer_conditions(&o, report);
	}
	strv_sort(candidates);
}

int complete_print(struct session *s, char **words, int n)
{
	struct strv candidates = {0};
	int first = 0;

	while (first + 1 < n && *words[first] == '-')
		first++;
	complete_words(s, words + first, n - first, &s->arena, &candidates);
	for (size_t i = 0; i < candidates.n; i++)
		if (!i || strcmp(candidates.v[i - 1], candidates.v[i]))
			puts(candidates.v[i]);
	return 0;
}
