/*
 * A trace of the store's own history (db/view/trace.h) instead of a file.
 */
#include "cmd/ssim/ssim.h"

static int begin(void *arg)
{
	return set_window(arg);
}

static int find_machine(struct session *s)
{
	int64_t procs = machine_procs(s);

	if (procs <= 0 || procs > INT32_MAX)
		return err_set(&s->err, ERR_USAGE,
			"slurm.conf has no nodes: how large is the machine? "
			"Give --procs");
	store_trace_finish(&s->past, (uint32_t)procs);
	return 0;
}

int read_store(struct session *s)
{
	if (site_open(&s->site, STORE_READ, false, &s->err))
		return -1;
	s->conf = s->site.conf;
	if (s->options.conf && load_conf(s))
		return -1;
	s->source = s->site.cluster;
	s->past = (struct store_trace){
		.site = &s->site,
		.conf = &s->conf,
		.arena = &s->arena,
		.err = &s->err,
		.trace = &s->trace,
		.begin = begin,
		.arg = s,
	};
	return store_trace_read(&s->past) || find_machine(s) ? -1 : 0;
}

void close_store(struct session *s)
{
	if (!s->past.names)
		return;
	store_trace_release(&s->past);
	site_close(&s->site);
}
