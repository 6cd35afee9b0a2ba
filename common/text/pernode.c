#include "common/text/pernode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"

enum { MOST_NODES = 1000000 };

static bool starts_number(const char *text)
{
	return *text >= '0' && *text <= '9';
}

/* "4G": in MiB. Returns the text after it; NULL when there is no number. */
static const char *read_amount(const char *text, bool memory, uint64_t *amount)
{
	static const char suffixes[] = "KMGT";
	const char *suffix;
	char *end;

	if (!starts_number(text))
		return NULL;
	*amount = strtoull(text, &end, 10);
	if (*amount >= NO_VAL)
		return NULL;
	suffix = memory && *end ? strchr(suffixes, *end & ~0x20) : NULL;
	if (!suffix)
		return end;
	if (*suffix == 'K')
		*amount = (*amount + 1023) / 1024;
	else
		*amount <<= 10 * (suffix - suffixes - 1);
	return end + 1;
}

/* "(x3)"; 1 where it is missing. */
static const char *read_times(const char *text, uint64_t *times)
{
	char *end;

	*times = 1;
	if (strncmp(text, "(x", 2) != 0)
		return text;
	if (!starts_number(text + 2))
		return NULL;
	*times = strtoull(text + 2, &end, 10);
	return *end == ')' && *times && *times <= MOST_NODES ? end + 1 : NULL;
}

void pernode_add(struct pernode *list, uint64_t amount, struct arena *arena)
{
	*ARENA_PUSH(arena, list->v, list->n, list->cap) = amount;
}

int pernode_parse(const char *text, bool memory, struct arena *arena,
	struct pernode *list)
{
	*list = (struct pernode){0};
	for (;;) {
		uint64_t amount, times;

		text = read_amount(text, memory, &amount);
		text = text ? read_times(text, &times) : NULL;
		if (!text || list->n + times > MOST_NODES)
			return -1;
		while (times--)
			pernode_add(list, amount, arena);
		if (!*text)
			return 0;
		if (*text++ != ',')
			return -1;
	}
}

const char *pernode_text(const struct pernode *list, struct arena *arena)
{
	struct strv parts = {0};

	for (size_t i = 0, n; i < list->n; i += n) {
		for (n = 1; i + n < list->n && list->v[i + n] == list->v[i];)
			n++;
		strv_push(&parts, arena,
			n == 1 ? arena_printf(arena, "%" PRIu64, list->v[i])
			       : arena_printf(arena, "%" PRIu64 "(x%zu)",
					 list->v[i], n));
	}
	return strv_join(&parts, ",", arena);
}
