/*
 * Text from anywhere: what is tamed or repaired is UTF-8 as promised, what is
 * made visible is clean, and a cell of CSV read back is the text.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/base/arena.h"
#include "common/base/utf8.h"
#include "common/table/table.h"

/* A cell as RFC 4180 has it, back into a text; NULL: it is none. */
static char *read_cell(const char *cell, struct arena *arena)
{
	char *text = arena_alloc(arena, strlen(cell) + 1), *out = text;

	if (*cell != '"') {
		CHECK(!strpbrk(cell, ",\"\n\r"));
		return arena_strdup(arena, cell);
	}
	for (cell++; *cell != '"' || cell[1] == '"'; cell++) {
		CHECK(*cell);
		if (*cell == '"')
			cell++;
		*out++ = *cell;
	}
	CHECK(!cell[1]);
	*out = '\0';
	return text;
}

static void check_csv(const char *text, struct arena *arena)
{
	char *cell = NULL;
	size_t size;
	FILE *out = open_memstream(&cell, &size);

	CHECK(out);
	table_csv_cell(out, text);
	fclose(out);
	CHECK(!strcmp(read_cell(cell, arena), utf8_repair(arena, text)));
	free(cell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	const char *text, *tame, *visible;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	tame = utf8_tame(&arena, text);
	visible = utf8_visible(&arena, text);
	CHECK(utf8_clean(tame) && utf8_clean(visible));
	CHECK((tame == text) == utf8_clean(text));
	CHECK((visible == text) == utf8_clean(text));
	CHECK(utf8_valid(utf8_repair(&arena, text)));
	CHECK((utf8_repair(&arena, text) == text) == utf8_valid(text));
	check_csv(text, &arena);
	arena_release(&arena);
	return 0;
}
