#include "cmd/sacctmgr/complete.h"

void complete_words(struct session *s, char **words, int n,
	struct arena *arena, struct strv *candidates)
{
	(void)s;
	(void)words;
	(void)n;
	(void)arena;
	(void)candidates;
}

void complete_print(char **words, int n)
{
	(void)words;
	(void)n;
}
