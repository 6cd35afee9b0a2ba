/*
 * The cluster line of a file, and what `clean` takes away before it
 * (spec/sacctmgr.md 6.2 - 6.4).
 */
#include "cmd/sacctmgr/loading.h"

#include <string.h>

#include "common/base/numbers.h"

/* What `clean` takes away. Root and the caller stay. */
static int clean(struct loading *l)
{
	if (!l->clean)
		return 0;
	if (cluster_key(l->s->store, l->cluster) > 0 &&
		cluster_remove(l->s->store, l->cluster, &l->s->arena))
		return -1;
	if (l->clean_accounts && account_remove_all(l->s->store))
		return -1;
	return l->clean_users ? user_remove_all(l->s->store,
					l->s->site.caller.name)
			      : 0;
}

static int clean_qos(struct loading *l)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	if (!l->clean_qos)
		return 0;
	if (qos_list(l->s->store, &cond, &l->s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (qos_remove(l->s->store, list.v[i]))
			return -1;
	return 0;
}

static uint32_t classification(const char *text)
{
	return cluster_classification(text) & 3;
}

static int set_classification(
	struct loading *l, const struct flat_record *record)
{
	const struct cluster_values values = {
		.classification = record->classification
					  ? classification(record->classification)
					  : NO_VAL,
		.fed_state = NO_VAL,
	};

	return cluster_set(l->s->store, l->cluster, &values);
}

static int add_cluster(struct loading *l, const struct flat_record *record)
{
	const struct new_assoc new = {.account = "root",
		.user = "",
		.options = record};

	if (record->classification)
		fprintf(output(l->s), "Classification: %s\n",
			cluster_classification_text(
				classification(record->classification), "",
				&l->s->arena));
	load_print_assocs(l, &new, 1, "Account,ParentName");
	l->changed = true;
	return cluster_add(
		       l->s->store, l->cluster, &record->set, &l->s->arena) ||
			set_classification(l, record)
		? -1
		: 0;
}

static int change_cluster(struct loading *l, const struct flat_record *record)
{
	struct known_row *root;
	struct cluster_cond cond = {0};
	struct cluster_list list;
	uint32_t bits;

	if (load_read_rows(l))
		return -1;
	root = load_find_row(l, "root", "", "");
	strv_push(&cond.names, &l->s->arena, l->cluster);
	if (!root || cluster_list(l->s->store, &cond, &l->s->arena, &list) ||
		!list.n)
		return -1;
	if (record->classification) {
		bits = classification(record->classification);
		if (bits != (list.v[0].classification & 3)) {
			load_change_line(l, "Changed Classification", "Cluster",
				l->cluster, list.v[0].classification_text,
				cluster_classification_text(
					bits, "", &l->s->arena));
			if (set_classification(l, record))
				return -1;
		}
	}
	root->seen = true;
	return load_update_row(l, root->row, &record->set, "Cluster", l->cluster);
}

int load_cluster_line(struct loading *l, const struct flat_line *line)
{
	struct flat_record record;
	const char *name = flat_name(l->s, line);

	if (!name)
		return load_bad_line(l, " error:");
	l->cluster = l->cluster_given ? l->cluster_given : name;
	l->cluster_seen = true;
	/* Users as they are before anything is taken away. */
	if (load_read_users(l) || clean(l) || clean_qos(l) || load_qos(l))
		return -1;
	l->number = line->number;
	if (flat_parse(l->s, line, &record))
		return load_bad_line(l, " error:");
	fprintf(output(l->s), "For cluster %s\n", l->cluster);
	if (l->clean_users) {
		HASH_CLEAR(hh, l->known_users);
		if (load_read_users(l))
			return -1;
	}
	if (load_read_accounts(l))
		return -1;
	if (cluster_key(l->s->store, l->cluster) > 0)
		return change_cluster(l, &record);
	return add_cluster(l, &record) || load_read_rows(l) ? -1 : 0;
}
