/*
 * The flat file that `dump` writes (Slurm's src/sacctmgr/file_functions.c).
 */
#include "db/roster/flatfile.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"

struct flat_writing {
	struct session *s;
	struct flat_out *out;
	const char *cluster;
	struct assoc_list rows; /* of accounts of the cluster, own values */
	struct account_list accounts;
	struct roster users; /* what is said of them beside their rows */
	const struct assoc *parent; /* of the line at hand */
	bool parent_written;
	struct arena scratch; /* of one line */
};

/* ---- values --------------------------------------------------------------*/

static void put_text(FILE *out, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(out, ":%s=", key);
	flat_quote(out, value);
}

/* With six decimals, as Slurm does, where they are the whole number. */
static void put_real(FILE *out, const char *key, double real)
{
	char text[400];

	snprintf(text, sizeof(text), "%f", real);
	if (strtod(text, NULL) == real)
		fprintf(out, ":%s=%s", key, text);
	else
		fprintf(out, ":%s=%.17g", key, real);
}

static uint32_t number_at(const void *record, const struct member *attr)
{
	uint32_t n;

	memcpy(&n, (const char *)record + attr->offset, sizeof(n));
	return n;
}

static double real_at(const void *record, const struct member *attr)
{
	double n;

	memcpy(&n, (const char *)record + attr->offset, sizeof(n));
	return n;
}

/* Values a new record (`blank`) has anyway are left out, but for shares. */
static bool is_given(
	const void *record, const void *blank, const struct member *attr)
{
	uint32_t n;

	if (attr->set->type == ATTR_REAL) {
		double real = real_at(record, attr);

		return real != (double)INFINITE && real != real_at(blank, attr);
	}
	n = number_at(record, attr);
	if (n == INFINITE || n == NO_VAL)
		return false;
	return attr->set->type == ATTR_SHARES || n != number_at(blank, attr);
}

static void put_tres(
	struct flat_writing *d, const void *record, const struct member *attr)
{
	const struct tres_list *list =
		(const void *)((const char *)record + attr->offset);

	if (list->n)
		fprintf(d->out->file, ":%s=%s", set_dump(attr->set),
			tres_list_format(
				list, &d->s->store->tres, 0, &d->scratch));
}

static void put_property(struct flat_writing *d, const struct property *f,
	const void *record, const void *blank)
{
	const struct member *m = f->member;
	const struct assoc *assoc =
		f->table == &assoc_members ? record : NULL;
	const char *key = set_dump(m->set), *text;
	FILE *out = d->out->file;

	switch (m->set->type) {
	case ATTR_TRES:
		put_tres(d, record, m);
		return;
	case ATTR_TEXT:
		memcpy(&text, (const char *)record + m->offset, sizeof(text));
		put_text(out, key, text);
		return;
	case ATTR_QOS:
		put_text(out, key, assoc->def_qos);
		return;
	case ATTR_QOS_LIST:
	case ATTR_FLAGS:
	case ATTR_PREEMPT_MODE:
		put_text(out, key,
			assoc ? assoc->qos_text
			      : property_text(d->s, f, record));
		return;
	case ATTR_REAL:
		if (is_given(record, blank, m))
			put_real(out, key, real_at(record, m));
		return;
	default:
		if (is_given(record, blank, m))
			fprintf(out, ":%s=%u", key, number_at(record, m));
	}
}

/* The members that the file has, in its order, which is that of properties. */
static void put_properties(
	struct flat_writing *d, enum roster_kind kind, const void *record)
{
	const struct properties *properties = roster_properties(kind);

	for (size_t i = 0; i < properties->n; i++) {
		const struct property *f = &properties->v[i];

		if (f->member && f->member->set->dump_order)
			put_property(d, f, record, property_blank(f));
	}
}

static void end_line(struct flat_writing *d)
{
	fputc('\n', d->out->file);
	arena_reset(&d->scratch);
	d->out->written(d->out);
}

static void put_cluster(struct flat_writing *d)
{
	struct cluster_cond cond = {.names = STRV_ONE(d->cluster)};
	struct cluster_list list;

	fputs("Cluster - ", d->out->file);
	flat_quote(d->out->file, d->cluster);
	if (cluster_list(d->s->store, &cond, &d->s->arena, &list) == 0 &&
		list.n)
		put_text(d->out->file, "Classification",
			list.v[0].classification_text);
	for (size_t i = 0; i < d->rows.n; i++)
		if (assoc_is_root(d->rows.v[i]))
			put_properties(d, ROSTER_ROW, d->rows.v[i]);
	end_line(d);
}

static int put_qos(struct flat_writing *d)
{
	struct qos_cond cond = {0};
	struct qos_list list;

	if (qos_list(d->s->store, &cond, &d->s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		fputs("QOS - ", d->out->file);
		flat_quote(d->out->file, list.v[i]->name);
		put_properties(d, ROSTER_QOS, list.v[i]);
		fputc('\n', d->out->file);
	}
	return 0;
}

static int compare_accounts(const void *a, const void *b)
{
	return strcmp(((const struct account *)a)->name,
		((const struct account *)b)->name);
}

static void put_account(struct flat_writing *d, const struct assoc *row)
{
	const struct account key = {.name = row->account};
	const struct account *account = NULL;

	fputs("Account - ", d->out->file);
	flat_quote(d->out->file, row->account);
	if (d->accounts.n)
		account = bsearch(&key, d->accounts.v, d->accounts.n,
			sizeof(key), compare_accounts);
	if (account) {
		put_text(d->out->file, "Description", account->description);
		put_text(d->out->file, "Organization", account->organization);
	}
	put_properties(d, ROSTER_ROW, row);
	end_line(d);
}

/* ---- users ---------------------------------------------------------------*/

/* Of most users the row at hand says it. */
static int put_default_account(struct flat_writing *d, const struct assoc *row)
{
	struct user_cond cond = {0};
	struct user_list list;
	const char *account = row->account;

	if (!row->is_default || *row->partition) {
		strv_push(&cond.names, &d->scratch, row->user);
		strv_push(&cond.clusters, &d->scratch, d->cluster);
		if (user_list(d->s->store, &cond, &d->scratch, &list))
			return -1;
		account = list.n ? list.v[0].default_account : NULL;
	}
	put_text(d->out->file, "DefaultAccount", account);
	return 0;
}

/* Besides. */
static void put_user_record(struct flat_writing *d, const char *name)
{
	static const struct {
		const char *key;
		enum property_type type;
	} properties[] = {
		{"DefaultWCKey", PROPERTY_DEFAULT_WCKEY},
		{"AdminLevel", PROPERTY_ADMIN_LEVEL},
		{"Coordinator", PROPERTY_COORDINATOR},
		{"WCKeys", PROPERTY_WCKEYS},
	};
	const struct entry *e = roster_find(&d->users, ROSTER_USER, name);

	for (size_t i = 0; e && i < sizeof(properties) / sizeof(*properties);
		i++)
		put_text(d->out->file, properties[i].key,
			entry_text(e, properties[i].type));
}

static void tell_parent(struct flat_writing *d)
{
	if (d->parent_written)
		return;
	d->parent_written = true;
	fputs("Parent - ", d->out->file);
	flat_quote(d->out->file, d->parent->account);
	end_line(d);
}

static int put_user(void *arg, struct assoc *row)
{
	struct flat_writing *d = arg;

	tell_parent(d);
	fputs("User - ", d->out->file);
	flat_quote(d->out->file, row->user);
	put_text(d->out->file, "Partition", row->partition);
	if (put_default_account(d, row))
		return -1;
	put_user_record(d, row->user);
	put_text(d->out->file, "Comment", row->comment);
	put_properties(d, ROSTER_ROW, row);
	end_line(d);
	return 0;
}

/* The children of the account in row `top`, users first. Rows are in lineage
 * order: what is below an account follows it, and children come sorted. */
static int put_block(struct flat_writing *d, struct assoc_walk *walk, size_t top)
{
	const struct assoc *parent = d->rows.v[top];
	size_t len = strlen(parent->lineage);

	d->parent = parent;
	d->parent_written = false;
	if (assoc_walk_users(walk, parent, put_user, d))
		return -1;
	for (size_t i = top + 1; i < d->rows.n; i++) {
		const struct assoc *row = d->rows.v[i];

		if (strncmp(row->lineage, parent->lineage, len))
			break;
		if (row->parent_key != parent->key)
			continue;
		tell_parent(d);
		put_account(d, row);
	}
	return 0;
}

/* ---- the file ------------------------------------------------------------*/

static int load_accounts(struct flat_writing *d, const struct assoc_cond *rows)
{
	struct session *s = d->s;
	struct assoc_cond of_accounts = *rows;
	struct account_cond any = {0};

	of_accounts.only_accounts = true;
	if (assoc_list(s->store, &of_accounts, &s->arena, &d->rows) ||
		account_list(s->store, &any, &s->arena, &d->accounts))
		return -1;
	if (d->accounts.n)
		qsort(d->accounts.v, d->accounts.n, sizeof(*d->accounts.v),
			compare_accounts);
	return 0;
}

/* In memory are the accounts; users are read as they are written. */
static int put_all(struct flat_writing *d, struct assoc_walk *walk,
	const struct assoc_cond *rows)
{
	if (load_accounts(d, rows) || roster_load_users(d->s, &d->users) || put_qos(d))
		return -1;
	put_cluster(d);
	for (size_t i = 0; i < d->rows.n; i++)
		if (put_block(d, walk, i))
			return -1;
	return 0;
}

int flat_write(
	struct session *s, const char *cluster, struct flat_out *out)
{
	struct assoc_cond rows = {.without_limits = true,
		.raw_qos = true,
		.clusters = STRV_ONE(cluster)};
	struct flat_writing d = {.s = s,
		.out = out,
		.cluster = cluster,
		.users = {.cluster = cluster}};
	struct assoc_walk *walk;
	int rc;

	walk = assoc_walk_open(s->store, &rows);
	rc = put_all(&d, walk, &rows);
	assoc_walk_close(walk);
	roster_release(&d.users);
	arena_release(&d.scratch);
	return rc;
}
