/* What squeue takes behind -o, -O, --sort and its filters; the first byte says which. */
#define main squeue_main
#include "cmd/squeue.c"
#undef main

#include "tests/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const options[] = {
		"-O", "-o", "-S", "-t", "-j", "-s", "-w", "-u"};
	char *argv[8] = {"squeue"}, *text;

	if (!size)
		return 0;
	if (!fuzzed.base)
		fuzz_fresh_store();
	text = fuzz_text(data + 1, size - 1);
	argv[1] = options[*data % 8];
	argv[2] = text;
	fuzz_call(squeue_main, 3, argv);
	free(text);
	return 0;
}
