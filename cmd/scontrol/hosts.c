/*
 * scontrol show hostnames, hostlist, hostlistsorted: lists of hosts taken apart
 * and put together. Neither configuration nor store is needed.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/text/hostlist.h"

/* Without a name the nodes of the job that runs this. */
static const char *list_of(const char *name)
{
	const char *text = name ? name : getenv("SLURM_JOB_NODELIST");

	if (!text)
		text = getenv("SLURM_NODELIST");
	if (!text) {
		fputs("host list is empty\n", stderr);
		exit(1);
	}
	return text;
}

static void expand(struct session *s, const char *name, struct strv *names)
{
	const char *text = list_of(name);
	struct err err;

	if (!hostlist_expand(text, s->arena, names, &err))
		return;
	fprintf(stderr, "Invalid hostlist: %s\n", text);
	exit(1);
}

void show_hostnames(struct session *s, const char *name)
{
	struct strv names = {0};

	expand(s, name, &names);
	for (size_t i = 0; i < names.n; i++)
		puts(names.v[i]);
}

/* In the order they were typed: each run of ascending names is folded. */
void show_hostlist(struct session *s, const char *name)
{
	struct strv names = {0}, run = {0};

	expand(s, name, &names);
	for (size_t i = 0; i < names.n; i++) {
		strv_push(&run, s->arena, names.v[i]);
		if (i + 1 < names.n &&
			strverscmp(names.v[i], names.v[i + 1]) < 0)
			continue;
		printf("%s%s", hostlist_fold(&run, s->arena),
			i + 1 < names.n ? "," : "\n");
		run = (struct strv){0};
	}
}

void show_hostlistsorted(struct session *s, const char *name)
{
	struct strv names = {0};

	expand(s, name, &names);
	puts(hostlist_fold(&names, s->arena));
}
