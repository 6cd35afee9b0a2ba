/* Host lists: folding what was expanded loses and adds no name. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/text/hostlist.h"

/* `names` sorted, each once, as one text. */
static char *as_set(struct strv *names, struct arena *arena)
{
	struct strv set = {0};

	strv_sort(names);
	for (size_t i = 0; i < names->n; i++)
		if (!i || strcmp(names->v[i], names->v[i - 1]))
			*ARENA_PUSH(arena, set.v, set.n, set.cap) = names->v[i];
	return strv_join(&set, ",", arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strv names = {0}, again = {0};
	struct err err = {0};
	struct arena arena;
	char *text;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	if (hostlist_expand(text, &arena, &names, &err)) {
		CHECK(err.kind == ERR_USAGE && *err.text);
	} else if (names.n < 5000) {
		text = hostlist_fold(&names, &arena);
		CHECK(!hostlist_expand(text, &arena, &again, &err));
		CHECK(!strcmp(as_set(&names, &arena), as_set(&again, &arena)));
	}
	arena_release(&arena);
	return 0;
}
