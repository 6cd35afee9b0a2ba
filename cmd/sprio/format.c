/*
 * The formats of sprio (Slurm's src/sprio/opts.c, print.c): those of its modes,
 * and what is shown for each letter (common/cli/format.h).
 */
#include "cmd/sprio/sprio.h"

/* ---- default formats -----------------------------------------------------*/

/* A column of a default format, and whether it is shown. */
struct item {
	const char *text;
	bool on;
};

static const char *join(const struct item *items, size_t n, struct arena *arena)
{
	struct strv words = {0};

	for (size_t i = 0; i < n; i++)
		if (items[i].on)
			strv_push(&words, arena, items[i].text);
	return strv_join(&words, " ", arena);
}

static const char *long_points =
	"%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n "
	"%.10Q %.11N %.20T";
static const char *long_factors =
	"%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t";

static const char *default_format(const struct options *options,
	const struct policy *policy, struct arena *arena)
{
	const struct priority_weights *w = &policy->weights;
	bool norm = options->normalized;
	const struct item items[] = {
		{"%.15i", true},
		{"%9r", true},
		{"%.8c", options->clusters.sibling && !options->clusters.local},
		{"%.8u", options->users.text != NULL},
		{norm ? "%10y" : "%.10Y", true},
		{"%.10S", !norm},
		{norm ? "%10a" : "%.10A", w->age != 0},
		{norm ? "%10b" : "%.10B", w->assoc != 0},
		{norm ? "%10f" : "%.10F", w->fairshare != 0},
		{norm ? "%10j" : "%.10J", w->job_size != 0},
		{norm ? "%10p" : "%.10P", w->partition != 0},
		{norm ? "%10q" : "%.10Q", w->qos != 0},
		{norm ? "%20t" : "%.20T", w->tres != NULL},
	};

	if (options->long_list)
		return norm ? long_factors : long_points;
	return join(items, sizeof(items) / sizeof(*items), arena);
}

/* ---- cells ---------------------------------------------------------------*/

static const char *text_of(const struct piece *piece, const void *shown,
	bool csv, struct arena *arena)
{
	static const struct value_style plain;
	const struct member *letter = piece->type;
	const struct row *row = shown;
	struct value value;

	(void)csv;
	if (!row->prio && letter->constant)
		return letter->constant;
	value = member_value(letter, row, arena);
	return value_text(&value, &plain, arena);
}

void sprio_format_read(struct format *format, const struct options *o,
	const struct policy *policy, struct arena *arena)
{
	const struct format_types types = {
		.members = &sprio_letters,
		.kind = "job",
		.letters_only = true,
		.heading = o->heading,
		.csv = o->csv,
		.cell = text_of,
	};
	const char *text = o->format_text;

	if (!text)
		text = default_format(o, policy, arena);
	format_read(format, &types, text, NULL, arena);
}
