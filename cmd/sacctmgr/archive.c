/*
 * archive dump, archive load (spec/sacctmgr.md 5.15).
 */
#include "cmd/sacctmgr/sacctmgr.h"

int archive_command(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	complain(s, "No valid entity in archive command\nInput line must "
		    "include, \"Dump\", or \"load\"");
	return -1;
}
