/*
 * A line of squeue: the values for the pieces of its format
 * (common/cli/format.h).
 */
#include "cmd/squeue/squeue.h"

#include "common/table/flat.h"

void squeue_format_read(
	struct format *format, const struct options *o, struct arena *arena)
{
	const char *kind = o->step_flag ? "job step" : "job";
	const struct format_types types = {
		.members = squeue_types(o->step_flag),
		.kind = kind,
		.kind_long = kind,
		.least = -1,
	};

	if (o->format_long)
		format_read_long(format, &types, o->format_long, arena);
	else
		format_read(format, &types, o->format_text, arena);
}

/* A blank where there is nothing; machines trip over "N/A" for a time. */
static const char *flat_text(
	const struct member *type, const struct queue_row *row, struct arena *arena)
{
	struct value value = member_value(type, row, arena);

	return value.type == VALUE_TIME && !value.number
		       ? ""
		       : cell_text(type, row, arena);
}

void squeue_print(const struct format *format, const struct queue_row *row, bool csv,
	struct arena *scratch)
{
	const char **texts = arena_array(scratch, format->n, sizeof(*texts));

	for (size_t i = 0; i < format->n; i++) {
		const struct member *type = format->v[i].type;

		if (type && csv)
			texts[i] = row ? flat_text(type, row, scratch)
				       : member_key(type, scratch);
		else if (type)
			texts[i] = row ? cell_text(type, row, scratch)
				       : type->heading;
	}
	format_line(format, texts, row ? WHOLE_VALUE : WHOLE_HEADING, csv);
}
