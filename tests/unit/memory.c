/* Streams into memory: all that was written, or the end of the program. */
#include "common/base/memory.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void all_of_it_is_there(void **state)
{
	char *text;
	size_t size;
	FILE *f = memory_stream(&text, &size);

	fflush(f);
	assert_string_equal(text, "");
	for (int i = 0; i < 100000; i++)
		fprintf(f, "%06d", i);
	fflush(f);
	assert_int_equal(size, 600000);
	fputs("end", f);
	fclose(f);
	assert_int_equal(size, 600003);
	assert_int_equal(strlen(text), size);
	assert_memory_equal(text, "000000000001", 12);
	assert_string_equal(text + size - 9, "099999end");
	free(text);
}

static void nothing_is_printed(void **state)
{
	char *text;
	size_t size;

	fclose(memory_stream(&text, &size));
	assert_string_equal(text, "");
	assert_int_equal(size, 0);
	free(text);
}

/* 64 MiB of address space, of which the stream gets what is left. */
static _Noreturn void write_too_much(void)
{
	static char piece[1 << 16];
	const struct rlimit little = {64 << 20, 64 << 20};
	char *text;
	size_t size;
	FILE *f = memory_stream(&text, &size);

	setrlimit(RLIMIT_AS, &little);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0});
	for (int i = 0; i < 2048; i++)
		fwrite(piece, 1, sizeof(piece), f);
	fclose(f);
	_exit(0);
}

static void without_memory_it_does_not_go_on(void **state)
{
	int status;
	pid_t child = fork();

	if (!child)
		write_too_much();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_not_equal(status, 0);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(all_of_it_is_there),
	cmocka_unit_test(nothing_is_printed),
	cmocka_unit_test(without_memory_it_does_not_go_on))
