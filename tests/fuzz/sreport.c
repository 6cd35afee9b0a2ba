/* Times, conditions and format= of sreport, one a line; the first byte says which report. */
#define main sreport_main
#include "cmd/sreport.c"
#undef main

#include "tests/fuzz/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const reports[][2] = {{"cluster", "utilization"},
		{"cluster", "accountutilizationbyuser"},
		{"job", "sizesbyaccount"}, {"user", "topusage"},
		{"reservation", "utilization"}};
	char *argv[64] = {"sreport", "-nP", "--"}, *text;

	if (!size)
		return 0;
	fuzz_fresh_store();
	argv[3] = reports[*data % 5][0];
	argv[4] = reports[*data % 5][1];
	text = fuzz_text(data + 1, size - 1);
	fuzz_call(sreport_main, fuzz_words(argv, 5, 64, text), argv);
	free(text);
	return 0;
}
