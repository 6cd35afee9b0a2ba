/* Damaged rows under squeue, which loads jobs, shares, limits and plans. */
#define main squeue_main
#include "cmd/squeue.c"
#undef main

#include "tests/fuzz/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = {"squeue", "--start", "-O", "all", NULL};
	char *json[] = {"squeue", "--json", NULL};

	damage_store(data, size);
	fuzz_call(squeue_main, 4, argv);
	fuzz_call(squeue_main, 2, json);
	return 0;
}
