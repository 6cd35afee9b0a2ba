/* Damaged rows under sacctmgr: listings, the check, the log and what undoes it. */
#define main sacctmgr_main
#include "cmd/sacctmgr.c"
#undef main

#include "tests/fuzz/damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const commands[][4] = {{"check"},
		{"show", "user", "withassoc", "withcoord"},
		{"show", "qos"}, {"show", "txn"}, {"show", "change"},
		{"show", "assoc", "tree"}, {"undo"}, {"undo"}, {"redo"}};

	damage_store(data, size);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char *argv[8] = {"sacctmgr", "-iP"};
		int n = 2;

		for (int k = 0; k < 4 && commands[i][k]; k++)
			argv[n++] = commands[i][k];
		fuzz_call(sacctmgr_main, n, argv);
	}
	return 0;
}
