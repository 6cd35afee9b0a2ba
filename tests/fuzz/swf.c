/* SWF text: a job that was read prints and reads back the same. */
#include "tests/fuzz/fuzz.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/swf.h"

static char *print(const struct swf_job *job, struct arena *arena)
{
	char *text = arena_strdup(arena, "");

	for (int i = 0; i < SWF_FIELDS; i++)
		text = arena_printf(arena, "%s %" PRId64, text, job->v[i]);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct swf_header header = {0};
	struct arena arena;
	char *text, *line;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	while ((line = strsep(&text, "\n"))) {
		struct swf_job job, again;
		struct err err = {0};
		int found = swf_line(line, &header, &arena, &job, &err);

		CHECK(found >= -1 && found <= 1);
		CHECK(found >= 0 || *err.text);
		if (found < 1)
			continue;
		CHECK(swf_line(print(&job, &arena), &header, &arena, &again,
			      &err) == 1);
		CHECK(!memcmp(&job, &again, sizeof(job)));
	}
	CHECK(header.start >= 0 && header.queues.n <= 1001);
	arena_release(&arena);
	return 0;
}
