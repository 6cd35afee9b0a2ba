#include "db/roster/bulk.h"

#include "db/rows/bulk_insert.h"
#include "db/store/txnpack.h"

enum { MANY = 100 };

int bulk_begin(struct bulk *b, struct session *s, const char *cluster,
	size_t count, bool adds_only)
{
	int64_t rows, last, users;

	*b = (struct bulk){.s = s,
		.cluster = cluster,
		.cluster_key = cluster_key(s->store, cluster)};
	if (count < MANY)
		return 0;
	if (assoc_count_deleted(s->store, b->cluster_key, &rows, &last) ||
		user_count_deleted(s->store, &users) ||
		(s->store->session && store_change_ahead(s->store)))
		return -1;
	b->next_id = rows ? 0 : (uint32_t)last + 1;
	b->inserts_in_bulk = adds_only && !rows && !users;
	return b->inserts_in_bulk ? bulk_insert_begin(s->store) : 0;
}

int64_t bulk_add(struct bulk *b, struct assoc_new *new)
{
	new->cluster = b->cluster_key;
	new->cluster_name = b->cluster;
	new->id = b->next_id;
	b->next_id += b->next_id != 0;
	return *new->user ? op_add_user_row(b->s, new, &b->checked)
			  : op_add_account_row(b->s, new);
}

int bulk_end(struct bulk *b)
{
	return any_failed(
		(b->inserts_in_bulk && bulk_insert_end(b->s->store)) ||
		txnpack_end(b->s->store));
}
