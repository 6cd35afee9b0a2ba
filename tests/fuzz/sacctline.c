/*
 * sacct lines: the first line is the header. Fields cut and joined give the
 * line back, and every reader takes any field.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/base/arena.h"
#include "cmd/srecord/sacctline.c"

enum { MOST = 64 };

static void read_field(char *text)
{
	static struct sacct_clock clock;
	struct sacct_id id;
	uint64_t number;
	uint32_t status;
	int64_t value;
	char per;

	if (!sacct_time(&clock, text, &value))
		CHECK(value >= 0);
	if (!sacct_duration(text, &value))
		CHECK(value >= 0);
	if (!sacct_size(text, 1 << 20, &number, &per))
		CHECK(number <= INT64_MAX);
	if (!sacct_exit(text, &status))
		CHECK(status <= 0xffff);
	if (!sacct_number(text, 1000, &number))
		CHECK(number <= 1000);
	if (!sacct_id_parse(text, &id))
		CHECK(id.job > 0 && (!id.step || *id.step));
}

static void read_line(
	const char *line, const char *delimiter, struct arena *arena)
{
	char *v[MOST], *copy = arena_strdup(arena, line);
	size_t n = sacct_split(copy, delimiter, v, MOST);

	CHECK(n > 0);
	CHECK(n == sacct_count(line, delimiter));
	sacct_unsplit(copy, delimiter, n);
	CHECK(!strcmp(copy, line));
	if (n > MOST)
		return;
	sacct_split(copy, delimiter, v, MOST);
	if (n > 1) {
		sacct_join(v, 1, 0, n - 1, delimiter);
		CHECK(!strcmp(v[0], line));
		sacct_split(copy, delimiter, v, MOST);
	}
	for (size_t i = 0; i < n; i++)
		read_field(v[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char delimiter[16], *text, *line;
	struct arena arena;

	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	line = strsep(&text, "\n");
	if (sacct_delimiter(line, delimiter, sizeof(delimiter)))
		while ((line = strsep(&text, "\n")))
			read_line(line, delimiter, &arena);
	arena_release(&arena);
	return 0;
}
