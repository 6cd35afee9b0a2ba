/*
 * Files that srecord imports: the first byte says which format it is told, the
 * rest is the file. Whatever stands in it, the store stays sound.
 */
#define main srecord_main
#include "cmd/srecord.c"
#undef main

#include "tests/fuzz/program.h"

static void check_store(void)
{
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;

	CHECK(!sqlite3_open(fuzzed.store, &db));
	CHECK(!sqlite3_prepare_v2(
		db, "PRAGMA foreign_key_check", -1, &stmt, NULL));
	CHECK(sqlite3_step(stmt) == SQLITE_DONE);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const formats[] = {"format=sacct", "format=squeue",
		"format=swf", "format=sacct"};
	char *argv[8] = {"srecord", "--create", "import"};
	int n = 3;

	if (!size)
		return 0;
	fuzz_fresh_store();
	fuzz_write(fuzzed.input, data + 1, size - 1);
	argv[n++] = formats[*data % 4];
	argv[n++] = fuzzed.input;
	argv[n] = NULL;
	fuzz_call(srecord_main, n, argv);
	check_store();
	return 0;
}
