/*
 * A job that is only tried; see record.h.
 */
#include "db/record/record.h"

static int in_transaction(struct recording *r, char **words, int n)
{
	if (store_begin_bulk(r->store))
		return -1;
	if (!record_job(r, words, n))
		return store_commit_bulk(r->store);
	store_rollback(r->store);
	return -1;
}

int record_submit(
	struct site *site, char **words, int n, uint32_t *id, struct err *err)
{
	struct recording r = {.site = site,
		.store = &site->store,
		.owners = owners_open()};
	struct err *before = site->store.err;
	int rc;

	site->store.err = &r.err;
	rc = in_transaction(&r, words, n);
	site->store.err = before;
	if (rc)
		*err = r.err;
	*id = r.new_id;
	owners_close(r.owners);
	arena_release(&r.arena);
	return rc;
}
