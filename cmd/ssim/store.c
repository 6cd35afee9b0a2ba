/*
 * A trace of the store's own history (db/view/trace.h) instead of a file.
 */
#include "cmd/ssim/ssim.h"

#include <string.h>

#include "common/cli/cli.h"

static int begin(void *arg)
{
	return set_window(arg);
}

static int find_machine(struct session *s)
{
	int64_t procs = machine_procs(s);

	if (procs < 0)
		return -1;
	if (!procs)
		return err_set(&s->err, ERR_USAGE,
			"slurm.conf has no nodes: how large is the machine? "
			"Give --procs");
	store_trace_finish(&s->past, (uint32_t)procs);
	return 0;
}

/* Changes are separated by semicolons outside of quotes. */
static void split_changes(
	const char *text, struct strv *changes, struct arena *arena)
{
	const char *from = text;
	char quote = 0;

	for (const char *c = text;; c++) {
		if (*c && (quote || (*c != ';'))) {
			if (quote ? *c == quote : *c == '"' || *c == '\'')
				quote = quote ? 0 : *c;
			continue;
		}
		if (strspn(from, " \t\n") < (size_t)(c - from))
			strv_push(changes, arena,
				arena_strndup(arena, from, (size_t)(c - from)));
		if (!*c)
			return;
		from = c + 1;
	}
}

static int try_changes(struct session *s, struct variant *v)
{
	struct strv changes = {0};

	split_changes(v->changes, &changes, &s->arena);
	if (!changes.n)
		return err_set(&s->err, ERR_USAGE, "--what-if: '%s' is empty",
			v->changes);
	if (whatif_open(&v->whatif, &v->site, &changes, v->site.now, false,
		    &s->err))
		return -1;
	v->tried = true;
	v->conf = v->whatif.site.conf;
	return 0;
}

static int read_conf(struct session *s, struct variant *v)
{
	v->site = s->site;
	if (v->path && load_conf(s, v))
		return -1;
	if (v->path)
		v->site.conf = v->conf;
	else
		v->conf = v->site.conf;
	return v->changes ? try_changes(s, v) : 0;
}

static int read_policy(struct session *s, struct variant *v)
{
	v->policy = (struct store_policy){
		.of = &s->past,
		.site = v->tried ? &v->whatif.site : &v->site,
		.conf = &v->conf,
		.arena = &s->arena,
	};
	if (!store_policy_read(&v->policy))
		return 0;
	if (v->tried)
		s->err = *v->whatif.site.store.err;
	return -1;
}

static int each_variant(
	struct session *s, int (*what)(struct session *, struct variant *))
{
	for (size_t i = 0; i < s->n_variants; i++)
		if (what(s, &s->variants[i]))
			return -1;
	return 0;
}

int read_store(struct session *s)
{
	if (site_open(&s->site, STORE_READ, false, &s->err))
		return -1;
	cli_print_hints(&s->site.conf.hints);
	if (each_variant(s, read_conf))
		return -1;
	s->source = s->site.cluster;
	s->past = (struct store_trace){
		.site = &s->site,
		.arena = &s->arena,
		.err = &s->err,
		.trace = &s->trace,
		.begin = begin,
		.arg = s,
	};
	if (store_trace_read(&s->past) || find_machine(s))
		return -1;
	s->queues = *names_of(s->past.names, NAME_PARTITION);
	return each_variant(s, read_policy);
}

void close_store(struct session *s)
{
	if (!s->past.names)
		return;
	for (size_t i = 0; i < s->n_variants; i++)
		if (s->variants[i].tried)
			whatif_close(&s->variants[i].whatif);
	site_close(&s->site);
}
