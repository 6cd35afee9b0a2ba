/* What sacct takes behind -o, its times and filters; the first byte says which. */
#define main sacct_main
#include "cmd/sacct.c"
#undef main

#include "tests/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const options[] = {
		"-o", "-S", "-E", "-j", "-s", "-N", "-i", "-k"};
	char *argv[8] = {"sacct", "-nP"}, *text;

	if (!size)
		return 0;
	if (!fuzzed.base)
		fuzz_fresh_store();
	text = fuzz_text(data + 1, size - 1);
	argv[2] = options[*data % 8];
	argv[3] = text;
	fuzz_call(sacct_main, 4, argv);
	free(text);
	return 0;
}
