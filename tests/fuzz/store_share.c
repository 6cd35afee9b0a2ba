/* Damaged rows under sshare, which loads and decays usage. */
#define main sshare_main
#include "cmd/sshare.c"
#undef main

#include "tests/fuzz/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = {"sshare", "-al", NULL};
	char *explain[] = {"sshare", "-a", "--explain", NULL};

	damage_store(data, size);
	fuzz_call(sshare_main, 2, argv);
	fuzz_call(sshare_main, 3, explain);
	return 0;
}
