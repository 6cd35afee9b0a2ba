/*
 * The file of sacctmgr dump, load and apply: what was loaded is dumped, loaded
 * and dumped again, and both dumps agree; diff finds nothing between the store
 * and its dump. A file that is refused is read by diff, too.
 */
#define main sacctmgr_main
#include "cmd/sacctmgr.c"
#undef main

#include "tests/fuzz/program.h"

static int with_file(char *verb, char *path)
{
	char *argv[] = {"sacctmgr", "-iQ", verb, path, NULL};

	return fuzz_call(sacctmgr_main, 4, argv);
}

static char *dump(void)
{
	char path[310], word[320], *text;
	char *argv[] = {"sacctmgr", "-iQ", "dump", "canis", word, NULL};
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/dump", fuzzed.folder);
	snprintf(word, sizeof(word), "file=%s", path);
	unlink(path);
	if (fuzz_call(sacctmgr_main, 5, argv))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && !fstat(fd, &st));
	text = malloc((size_t)st.st_size + 1);
	CHECK(text && read(fd, text, (size_t)st.st_size) == st.st_size);
	text[st.st_size] = '\0';
	close(fd);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[310], *first, *again;

	fuzz_fresh_store();
	fuzz_write(fuzzed.input, data, size);
	if (with_file("load", fuzzed.input)) {
		with_file("apply", fuzzed.input);
		return 0;
	}
	first = dump();
	if (!first)
		return 0;
	snprintf(path, sizeof(path), "%s/dump", fuzzed.folder);
	CHECK(!with_file("diff", path));
	if (!with_file("load", path)) { /* changes nothing */
		again = dump();
		CHECK(again && !strcmp(first, again));
		free(again);
	}
	free(first);
	return 0;
}
