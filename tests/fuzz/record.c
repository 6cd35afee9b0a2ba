/* The words of srecord job, step, node, cluster and reservation, one a line. */
#define main srecord_main
#include "cmd/srecord.c"
#undef main

#include "tests/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const kinds[] = {
		"job", "step", "node", "cluster", "reservation"};
	char *argv[64] = {"srecord", "--"}, *text;

	if (!size)
		return 0;
	fuzz_fresh_store();
	argv[2] = kinds[*data % 5];
	text = fuzz_text(data + 1, size - 1);
	fuzz_call(srecord_main, fuzz_words(argv, 3, 64, text), argv);
	free(text);
	return 0;
}
