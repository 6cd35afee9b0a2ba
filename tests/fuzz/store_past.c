/* Damaged rows under sreport, which rolls up, and sacct in every column. */
#define main sreport_main
#include "cmd/sreport.c"
#undef main

#include "tests/fuzz/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = {"sreport", "-P", "cluster", "accountutilizationbyuser",
		"start=2026-01-01", "end=2026-01-08", NULL};
	char *sizes[] = {"sreport", "-P", "job", "sizesbyaccount",
		"start=2026-01-01", "end=2026-01-08", NULL};

	damage_store(data, size);
	fuzz_call(sreport_main, 6, argv);
	fuzz_call(sreport_main, 6, sizes);
	return 0;
}
