/* TRES text: what can be read prints and reads back as the same list. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/text/tres.h"

static const struct tres known[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", NULL},
	{TRES_FS_DISK, "fs", "disk"},
	{1001, "gres", "gpu"},
	{1002, "gres", "gpumem"},
	{1003, "bb", "x"},
};
static const struct tres_catalog catalog = {
	known, sizeof(known) / sizeof(*known)};

static void edit(const char *text, struct arena *arena)
{
	struct tres_list list = {0};
	struct tres_edits edits = {0};
	struct err err;

	if (tres_edits_parse(text, &catalog, arena, &edits, &err))
		return;
	CHECK(edits.n > 0);
	tres_list_set(&list, arena, TRES_MEM, INT64_MAX);
	tres_list_apply(&list, arena, &edits);
	CHECK(list.n <= catalog.n);
	for (size_t i = 0; i < list.n; i++)
		CHECK(list.v[i].count <= INT64_MAX);
}

static void echo(const char *text, struct arena *arena)
{
	struct tres_list list = {0}, again = {0};
	struct err err = {0};
	char *shown;

	if (tres_list_parse(text, &catalog, arena, &list, &err)) {
		CHECK(err.kind == ERR_USAGE && *err.text);
		return;
	}
	tres_list_format(&list, &catalog, 0, arena);
	shown = tres_list_format(&list, &catalog, TRES_RAW_MEM, arena);
	CHECK(!tres_list_parse(shown, &catalog, arena, &again, &err));
	CHECK(list.n == again.n);
	CHECK(!memcmp(list.v, again.v, list.n * sizeof(*list.v)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	char *text;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	edit(text, &arena);
	echo(text, &arena);
	arena_release(&arena);
	return 0;
}
