/*
 * Who an imported job belongs to: cluster, account, user, association, QOS,
 * and what that makes a second of it cost. Looked up once for each that comes
 * along; with --create what is missing is added.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/numbers.h"
#include "common/fair/billing.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"
#include "db/job/job.h"
#include "db/rollup/rollup.h"
#include "db/store/txn.h"

/* Looked up by "cluster\n account\n user\n partition\n qos\n numbers". */
struct known_owner {
	int64_t cluster, assoc;
	int64_t kept; /* see rollup_kept */
	const char *user, *account;
	uint32_t qos, part_qos;
	double usage_factor;
	const struct conf_partition *partition;
	struct tres_weights weights;
	UT_hash_handle hh;
	char key[];
};

enum { MOST_KNOWN = 20000 };

void import_forget_many(struct import *im)
{
	if (HASH_COUNT(im->owners) >= MOST_KNOWN)
		import_forget(im);
}

void import_forget(struct import *im)
{
	HASH_CLEAR(hh, im->owners);
	owners_end(im->s->owners);
	im->last_cluster = NULL;
	im->last_qos = 0;
	im->known_nodes = (struct conf_index){0};
	arena_reset(&im->keep);
}

/* ---- adding what is missing ---------------------------------------------- */

static int add_cluster(struct import *im, const char *name)
{
	static const struct settings none;

	im->count.created++;
	return cluster_add(im->s->store, name, &none, &im->scratch);
}

static int cluster_of(struct import *im, const char *name, int64_t *key)
{
	struct recording *s = im->s;

	if (!*name)
		name = s->site->cluster;
	if (!im->last_cluster || strcmp(im->last_cluster, name)) {
		if (im->options.create && !cluster_key(s->store, name) &&
			add_cluster(im, name))
			return -1;
		im->last_cluster_key = find_cluster(s, name);
		if (im->last_cluster_key <= 0)
			return -1;
		im->last_cluster = arena_strdup(&im->keep, name);
	}
	*key = im->last_cluster_key;
	return 0;
}

static int add_account(struct import *im, struct known_owner *o)
{
	struct store *store = im->s->store;
	struct assoc_new new = {.cluster = o->cluster,
		.cluster_name = im->last_cluster,
		.account = o->account,
		.user = "",
		.partition = ""};
	struct assoc *root, *known;
	int there = account_exists(store, o->account), found;

	if (there < 0 ||
		(!there && (account_add(store, o->account, o->account,
				    o->account, 0) ||
				   txn_add(store, TXN_ADD_ACCOUNTS, "",
					   o->account, "import"))))
		return -1;
	found = assoc_find(store, im->last_cluster, o->account, "", "",
		&im->scratch, &known);
	if (found)
		return found < 0 ? -1 : 0;
	if (assoc_find(store, im->last_cluster, "root", "", "", &im->scratch,
		    &root) <= 0)
		return -1;
	new.parent = root;
	im->count.created++;
	return assoc_add(store, &new) < 0 ? -1 : 0;
}

static int add_user(struct import *im, struct known_owner *o)
{
	struct store *store = im->s->store;
	struct assoc_new new = {.cluster = o->cluster,
		.cluster_name = im->last_cluster,
		.account = o->account,
		.user = o->user,
		.partition = ""};
	const char *account;
	struct assoc *parent;
	int there = user_exists(store, o->user);

	if (there < 0 || (!there && (user_add(store, o->user, ADMIN_NONE) ||
					    txn_add(store, TXN_ADD_USERS, "",
						    o->user, "import"))))
		return -1;
	if (assoc_find(store, im->last_cluster, o->account, "", "",
		    &im->scratch, &parent) <= 0 ||
		user_default_account(store, im->last_cluster, o->user,
			&im->scratch, &account))
		return -1;
	new.parent = parent;
	new.is_default = !*account;
	im->count.created++;
	return assoc_add(store, &new) < 0 ? -1 : 0;
}

/* ---- association --------------------------------------------------------- */

static int no_association(struct import *im, const struct known_owner *o)
{
	if (!*o->account)
		return err_set(&im->s->err, ERR_USAGE,
			"user %s has no account on cluster %s: add one with "
			"'sacctmgr add user %s account=...'",
			o->user, im->last_cluster, o->user);
	return err_set(&im->s->err, ERR_USAGE,
		"user %s is not in account %s on cluster %s: add it with "
		"'sacctmgr add user %s account=%s', or import with --create",
		o->user, o->account, im->last_cluster, o->user, o->account);
}

static int find_assoc(
	struct import *im, struct known_owner *o, const char *partition)
{
	struct job job = {.user = o->user,
		.account = o->account,
		.partition = partition};
	struct assoc *assoc;

	if (job_assoc(im->s, im->last_cluster, &job, &im->scratch, &assoc))
		return -1;
	o->account = arena_strdup(&im->keep, job.account);
	o->user = arena_strdup(&im->keep, job.user);
	o->assoc = job.assoc;
	if (assoc)
		o->qos = assoc_default_qos(assoc, &im->s->store->qos);
	return 0;
}

/* The association of that number, deleted ones too. Its user may have another name
 * by now. */
static int find_number(
	struct import *im, struct known_owner *o, const struct import_row *row)
{
	struct assoc *assoc;
	int found;

	if (!im->options.numbers || !row->assoc_id)
		return 0;
	found = assoc_by_number(im->s->store, o->cluster, row->assoc_id,
		&im->keep, &assoc);
	if (found <= 0 || !*assoc->user)
		return found;
	o->assoc = assoc->key;
	o->user = assoc->user;
	if (!*o->account)
		o->account = assoc->account;
	return 0;
}

static int settle_assoc(struct import *im, struct known_owner *o,
	const struct import_row *row)
{
	const char *partition = row->job.partition;

	if (find_number(im, o, row) ||
		(!o->assoc && find_assoc(im, o, partition)))
		return -1;
	if (o->assoc || im->options.numbers)
		return 0;
	if (im->options.create && !*o->account)
		return err_set(&im->s->err, ERR_USAGE,
			"no account: one is needed to create user %s", o->user);
	if (im->options.create)
		return add_account(im, o) || add_user(im, o) ||
				       find_assoc(im, o, partition)
			       ? -1
			       : 0;
	if (im->s->site->conf.enforce & ENFORCE_ASSOCS)
		return no_association(im, o);
	return 0;
}

/* ---- QOS and price ------------------------------------------------------- */

static int find_qos(struct import *im, const char *name, uint32_t *id)
{
	static const struct settings none;
	struct store *store = im->s->store;
	const struct qos_name *qos = qos_by_name(&store->qos, name);

	if (!qos && im->options.create) {
		im->count.created++;
		if (qos_add(store, name, &none, &im->scratch) ||
			txn_add(store, TXN_ADD_QOS, "", name, "import"))
			return -1;
		qos = qos_by_name(&store->qos, name);
	}
	if (!qos && (im->options.numbers || !strcmp(name, "normal")))
		return 0;
	if (!qos)
		return err_set(&im->s->err, ERR_USAGE,
			"QOS %s is not known: add it with 'sacctmgr add qos "
			"%s', or import with --create",
			name, name);
	*id = qos->id;
	return 0;
}

static int find_qos_number(
	struct import *im, struct known_owner *o, const struct import_row *row)
{
	int known = im->options.numbers && row->qos_id
			    ? qos_has_been(im->s->store, row->qos_id)
			    : 0;

	if (known > 0)
		o->qos = row->qos_id;
	return known;
}

/* A job that waits may have asked for several: the highest is its own. */
static int settle_qos(struct import *im, struct known_owner *o,
	const struct import_row *row)
{
	const char *list = row->qos;
	struct strv names = {0};
	int known = find_qos_number(im, o, row);

	if (known || (!*list && o->qos))
		return known < 0 ? -1 : 0;
	strv_split(&names, &im->scratch, *list ? list : "normal");
	for (size_t i = 0; i < names.n; i++)
		if (find_qos(im, names.v[i], &o->qos))
			return -1;
	if (names.n < 2)
		return 0;
	return qos_highest(im->s->store, &names, &im->scratch, &o->qos);
}

/* The same few QOS come along with every owner. */
static int usage_factor(struct import *im, uint32_t qos, double *factor)
{
	*factor = 1;
	if (!qos)
		return 0;
	if (im->last_qos != qos && qos_usage_factor(im->s->store, qos,
					   &im->scratch, &im->last_factor))
		return -1;
	im->last_qos = qos;
	*factor = im->last_factor;
	return 0;
}

static int settle_price(
	struct import *im, struct known_owner *o, const struct job *job)
{
	struct recording *s = im->s;

	o->partition = *job->partition ? job_partition(s, job) : NULL;
	o->part_qos = job_part_qos(s, o->partition);
	if (o->partition &&
		tres_weights_parse(o->partition->billing_weights,
			&s->store->tres, &im->keep, &o->weights, &s->err))
		return -1;
	return usage_factor(im, o->qos, &o->usage_factor);
}

/* ---- all of it ----------------------------------------------------------- */

static size_t put(char *key, size_t used, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (used + len + 1 > size)
		return size + 1;
	memcpy(key + used, text, len);
	key[used + len] = '\n';
	return used + len + 1;
}

/* 0: too long to be a name. */
static size_t put_key(const struct import_row *row, char *key, size_t size)
{
	const struct job *job = &row->job;
	const char *const parts[] = {row->cluster, job->account, job->user,
		job->partition, row->qos};
	char numbers[32];
	size_t used = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		used = put(key, used, size, parts[i]);
		if (used > size)
			return 0;
	}
	snprintf(numbers, sizeof(numbers), "%" PRIu32 " %" PRIu32,
		row->assoc_id, row->qos_id);
	used = put(key, used, size, numbers);
	return used > size ? 0 : used;
}

int import_owner_key(struct import_reader *r, struct import_row *row)
{
	char key[2048];

	row->owner_len = put_key(row, key, sizeof(key));
	if (!row->owner_len)
		return err_set(r->err, ERR_USAGE, "names are too long");
	row->owner_key = arena_strndup(r->scratch, key, row->owner_len);
	HASH_VALUE(key, row->owner_len, row->owner_hash);
	return 0;
}

static int look_up(
	struct import *im, const struct import_row *row, struct known_owner *o)
{
	const struct job *job = &row->job;

	if (cluster_of(im, row->cluster, &o->cluster) ||
		rollup_kept(im->s->store, o->cluster, &o->kept))
		return -1;
	o->user = job->user;
	o->account = str_lower(&im->scratch, job->account);
	if (!*o->user)
		return err_set(&im->s->err, ERR_USAGE, "no user");
	return settle_assoc(im, o, row) || settle_qos(im, o, row) ||
			       settle_price(im, o, job)
		       ? -1
		       : 0;
}

static struct known_owner *owner_of(
	struct import *im, const struct import_row *row)
{
	const size_t len = row->owner_len;
	struct known_owner *o;

	HASH_FIND_BYHASHVALUE(
		hh, im->owners, row->owner_key, len, row->owner_hash, o);
	if (o)
		return o;
	o = arena_alloc(&im->keep, sizeof(*o) + len);
	memcpy(o->key, row->owner_key, len);
	if (look_up(im, row, o))
		return NULL;
	HASH_ADD_KEYPTR_BYHASHVALUE(
		hh, im->owners, o->key, len, row->owner_hash, o);
	return o;
}

/* As said in the record, else by the weights of the partition. */
static void put_price(
	struct import *im, const struct known_owner *o, struct job *job)
{
	struct tres_list *list = job->start ? &job->tres_alloc : &job->tres_req;
	uint64_t said = tres_list_get(list, TRES_BILLING);

	job->usage_factor = o->usage_factor;
	job->billing = (double)said;
	if (said < NO_VAL64)
		return;
	job->billing = billing_put(im->s->site->conf.policy.billing, &o->weights,
		list, &im->s->store->tres, &im->scratch);
}

/* A list without numbers of associations, as that of squeue, says of whom the job
 * is by a name that may be another's by now: of a job that is known it stays. */
static int keep_owner(struct import *im, const struct import_row *row,
	struct job *job)
{
	struct job known;
	int found;

	if (!im->options.numbers || row->assoc_id)
		return 0;
	found = job_find(im->s->store, job->cluster, job->id, job->submit,
		&im->scratch, &known);
	if (found > 0 && known.assoc && !strcmp(known.account, job->account)) {
		job->assoc = known.assoc;
		job->user = known.user;
	}
	return found < 0 ? -1 : 0;
}

static void tell_nobody(struct import *im, const struct job *job)
{
	im->count.nobody++;
	/* Of jobs that wait or run sacct says it better. */
	if (im->left && !im->options.only_open)
		import_leave(im->left,
			arena_printf(&im->scratch,
				"charged to no association: Slurm no longer "
				"has one of user %s in account %s",
				job->user, job->account),
			arena_printf(&im->scratch, "%" PRIu32, job->id));
}

int import_owner(struct import *im, struct import_row *row)
{
	const struct known_owner *o = owner_of(im, row);
	struct job *job = &row->job;

	if (!o)
		return -1;
	job->cluster = o->cluster;
	job->user = o->user;
	job->account = o->account;
	job->assoc = o->assoc;
	if (keep_owner(im, row, job))
		return -1;
	job->qos = o->qos;
	if (strchr(row->qos, ','))
		job->qos_req = row->qos;
	job->part_qos = o->part_qos;
	job->wall_limit = conf_minutes(o->partition, job->time_limit);
	put_price(im, o, job);
	row->too_late = job->start && job->start < o->kept;
	if (!job->assoc)
		tell_nobody(im, job);
	return 0;
}
