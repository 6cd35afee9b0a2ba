/*
 * A line of squeue: the values for the pieces of its format
 * (common/cli/format.h).
 */
#include "cmd/squeue/squeue.h"

/* In CSV a blank where there is nothing; machines trip over "N/A" for a time. */
static const char *text_of(const struct piece *piece, const void *row, bool csv,
	struct arena *arena)
{
	struct value value;

	if (csv) {
		value = member_value(piece->type, row, arena);
		if (value.type == VALUE_TIME && !value.number)
			return "";
	}
	return cell_text(piece->type, row, arena);
}

void squeue_format_read(
	struct format *format, const struct options *o, struct arena *arena)
{
	const char *kind = o->step_flag ? "job step" : "job";
	const struct format_types types = {
		.members = squeue_types(o->step_flag),
		.kind = kind,
		.kind_long = kind,
		.least = -1,
		.heading = o->heading,
		.csv = o->csv,
		.cell = text_of,
		.whole_values = WHOLE_VALUE,
		.whole_headings = WHOLE_HEADING,
	};

	format_read(format, &types, o->format_text, o->format_long, arena);
}
