/*
 * SET and WHERE words and format= of sacctmgr, one a line; the first byte says
 * which verb. None of them names a file.
 */
#define main sacctmgr_main
#include "cmd/sacctmgr.c"
#undef main

#include "tests/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const verbs[] = {"add", "show", "modify", "delete",
		"ensure", "absent", "show", "modify"};
	char *argv[64] = {"sacctmgr", "-iP", "--"}, *text;

	if (!size)
		return 0;
	fuzz_fresh_store();
	argv[3] = verbs[*data % 8];
	text = fuzz_text(data + 1, size - 1);
	fuzz_call(sacctmgr_main, fuzz_words(argv, 4, 64, text), argv);
	free(text);
	return 0;
}
