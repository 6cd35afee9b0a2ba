#include "common/table/preemptmode.h"

#include <string.h>

enum { FIRST_ADDITION = 5 };

const struct flag_word preempt_mode_words[] = {
	{"off:3", PREEMPT_OFF, "DISABLED", 0},
	{"cluster:7", PREEMPT_CLUSTER, NULL, 0},
	{"suspend:7 on:2", PREEMPT_SUSPEND, "SUSPEND", 1 << 0},
	{"requeue:7", PREEMPT_REQUEUE, "REQUEUE", 1 << 1},
	{"cancel:6", PREEMPT_CANCEL, "CANCEL", 1 << 3},
	[FIRST_ADDITION] = {"gang:4", PREEMPT_GANG, "GANG", 1 << 15},
	{"within:6", PREEMPT_WITHIN, NULL, 1 << 14},
	{"priority:8", PREEMPT_PRIORITY, NULL, 0},
	{NULL, 0, NULL, 0},
};

static const struct flag_word *find(const char *word, size_t len)
{
	const struct flag_word *f = preempt_mode_words;

	while (f->names && !words_match(f->names, word, len))
		f++;
	return f->names ? f : NULL;
}

int preempt_mode_parse(const char *text, uint32_t *mode)
{
	uint32_t bits = 0;
	int ways = 0;

	while (*text) {
		size_t len = strcspn(text, ",");
		const struct flag_word *f = find(text, len);

		if (!f)
			return -1;
		bits |= f->value;
		ways += f < preempt_mode_words + FIRST_ADDITION;
		text += len + (text[len] == ',');
	}
	if (ways > 1 || ((bits & PREEMPT_GANG) &&
				(bits & (PREEMPT_WITHIN | PREEMPT_PRIORITY))))
		return -1;
	*mode = bits;
	return 0;
}

const char *preempt_mode_text(uint32_t mode, struct arena *arena)
{
	const char *way, *additions;

	if (!(mode & ~(uint32_t)PREEMPT_CLUSTER))
		return "cluster";
	mode &= ~(uint32_t)PREEMPT_CLUSTER;
	way = flags_text(preempt_mode_words, mode & (PREEMPT_GANG - 1), arena);
	additions =
		flags_text(preempt_mode_words + FIRST_ADDITION, mode, arena);
	return arena_printf(
		arena, "%s%s%s", additions, *way && *additions ? "," : "", way);
}
