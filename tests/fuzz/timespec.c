/* Times and durations: what is read prints and reads back as the same. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/text/timespec.h"

enum { NOW = 1715761820 };

/* Times that print with a year of four digits and not as a word. */
static int prints_plainly(time_t when)
{
	return when > -30000000000 && when < 253402300800 && when != 0 &&
	       when != (time_t)INFINITE && when != (time_t)NO_VAL && when != -1;
}

static void point(const char *text, int past, struct arena *arena)
{
	time_t when = 0, again = 0;
	struct err err = {0};

	if (time_parse(text, NOW, past, &when, &err)) {
		CHECK(!strncmp(err.text, "Invalid time specification", 26));
		return;
	}
	time_format(arena, when, "relative", NOW);
	if (!prints_plainly(when))
		return;
	CHECK(!time_parse(
		time_format(arena, when, NULL, NOW), NOW, past, &again, &err));
	CHECK(when == again);
}

static void duration(const char *text, struct arena *arena)
{
	uint32_t minutes = 0, seconds = 0, again = 0;
	struct err err;

	if (seconds_parse(text, &seconds, &err))
		return;
	CHECK(!seconds_parse(duration_format(arena, seconds), &again, &err));
	CHECK(seconds == again);
	CHECK(!minutes_parse(text, &minutes, &err));
	CHECK((minutes == INFINITE) == (seconds == INFINITE));
	CHECK(minutes == INFINITE ||
		minutes == seconds / 60 + !!(seconds % 60));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	char *text;

	setenv("TZ", "UTC", 1);
	arena_init(&arena);
	text = arena_strndup(&arena, (const char *)data, size);
	point(text, 0, &arena);
	point(text, 1, &arena);
	duration(text, &arena);
	arena_release(&arena);
	return 0;
}
