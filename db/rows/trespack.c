#include "db/rows/trespack.h"

#include <string.h>

static char *digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while (number /= 10);
	return end;
}

/* "4=1" and a comma in front unless it is the first; gives its length. */
static size_t pack_one(const struct tres_count *tres, bool first, char *out)
{
	char text[48], *end = text + sizeof(text),
		       *at = digits(end, tres->count);

	*--at = '=';
	at = digits(at, tres->id);
	if (!first)
		*--at = ',';
	memcpy(out, at, (size_t)(end - at));
	return (size_t)(end - at);
}

bool tres_pack_into(const struct tres_list *list, char *text, size_t size)
{
	size_t used = 0;

	if (list->n * 32 + 1 > size)
		return false;
	for (size_t i = 0; i < list->n; i++)
		used += pack_one(&list->v[i], !i, text + used);
	text[used] = '\0';
	return true;
}

char *tres_pack(const struct tres_list *list, struct arena *arena)
{
	size_t size = list->n * 32 + 1;
	char *text = arena_alloc(arena, size);

	tres_pack_into(list, text, size);
	return text;
}

static uint64_t take_number(const char **text)
{
	uint64_t number = 0;

	for (; **text >= '0' && **text <= '9'; (*text)++)
		number = number * 10 + (uint64_t)(**text - '0');
	return number;
}

void tres_unpack(const char *text, struct arena *arena, struct tres_list *list)
{
	*list = (struct tres_list){0};
	while (*text) {
		uint32_t id = (uint32_t)take_number(&text);

		if (*text != '=')
			return;
		text++;
		tres_list_set(list, arena, id, take_number(&text));
		if (*text != ',')
			return;
		text++;
	}
}
