/*
 * Differences between two rosters in words: as text or as records of JSON.
 */
#include "db/roster/roster.h"

#include "common/base/utf8.h"
#include "common/table/json.h"

struct difference_report {
	FILE *file;
	bool colour;
	struct arena *arena;
};

static void line(const struct difference_report *r, const char *number, const char *text)
{
	text = utf8_visible(r->arena, text);
	if (r->colour)
		fprintf(r->file, "\033[%sm%s\033[0m\n", number, text);
	else
		fprintf(r->file, "%s\n", text);
}

static const char *const verbs[] = {
	[DIFFERENCE_ADDED] = "add ",
	[DIFFERENCE_CHANGED] = "",
	[DIFFERENCE_REMOVED] = "delete ",
};

static void write_one(const struct difference_report *r, const struct difference *d)
{
	const char *title = entry_title(d->entry, r->arena);

	if (d->entry->line)
		title = arena_printf(
			r->arena, "%s, line %d", title, d->entry->line);
	line(r, "36",
		arena_printf(r->arena, "@@ %s%s @@", verbs[d->what], title));
	for (size_t i = 0; i < d->n; i++) {
		const struct changed_property *c = &d->v[i];

		if (c->was)
			line(r, "31",
				arena_printf(r->arena, "-%s: %s",
					c->property->name, c->was));
		if (c->is)
			line(r, "32",
				arena_printf(r->arena, "+%s: %s",
					c->property->name, c->is));
	}
}

void differences_write(const struct differences *all, const char *was,
	const char *is, FILE *file, bool colour, struct arena *arena)
{
	const struct difference_report r = {file, colour, arena};

	line(&r, "1", arena_printf(arena, "--- %s", was));
	line(&r, "1", arena_printf(arena, "+++ %s", is));
	for (size_t i = 0; i < all->n; i++)
		write_one(&r, &all->v[i]);
}

static struct json_object *told_value(const struct changed_property *c)
{
	struct json_object *row = json_record();

	json_put_text(row, "name", c->property->name);
	if (c->was)
		json_put_text(row, "before", c->was);
	else
		json_put_object(row, "before", NULL);
	if (c->is)
		json_put_text(row, "after", c->is);
	else
		json_put_object(row, "after", NULL);
	return row;
}

struct json_object *difference_record(const struct difference *d)
{
	static const char *const changes[] = {
		[DIFFERENCE_ADDED] = "added",
		[DIFFERENCE_CHANGED] = "changed",
		[DIFFERENCE_REMOVED] = "removed",
	};
	static const char *const kinds[] = {
		[ROSTER_CLUSTER] = "cluster",
		[ROSTER_QOS] = "qos",
		[ROSTER_ACCOUNT] = "account",
		[ROSTER_ROW] = "association",
		[ROSTER_USER] = "user",
	};
	struct json_object *row = json_record();

	json_put_text(row, "change", changes[d->what]);
	json_put_text(row, "entity", kinds[d->entry->kind]);
	if (d->entry->kind == ROSTER_ROW) {
		json_put_text(row, "user", d->entry->name);
		json_put_text(row, "account", d->entry->account);
		json_put_text(row, "partition", d->entry->partition);
	} else {
		json_put_text(row, "name", d->entry->name);
	}
	json_put_int(row, "line", d->entry->line);
	json_append(row, "values", NULL);
	for (size_t i = 0; i < d->n; i++)
		json_append(row, "values", told_value(&d->v[i]));
	return row;
}
