/*
 * Who a job belongs to and where it may run: user, account, association,
 * partition, QOS. Refusals say what Slurm says, and what to do about it.
 */
#include "db/record/record.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/text/hostlist.h"
#include "db/entity/account.h"
#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"

/* A user of this machine, if there is one of that name. */
struct machine_user {
	const char *name, *group;
	uint32_t uid, gid;
	UT_hash_handle hh;
};

struct owners {
	struct assoc_walk *walk;
	struct machine_user *users;
	struct arena arena;
};

struct owners *owners_open(void)
{
	return memory_zeroed(1, sizeof(struct owners));
}

void owners_end(struct owners *owners)
{
	if (owners->walk)
		assoc_walk_close(owners->walk);
	owners->walk = NULL;
}

void owners_close(struct owners *owners)
{
	owners_end(owners);
	HASH_CLEAR(hh, owners->users);
	arena_release(&owners->arena);
	free(owners);
}

int64_t find_cluster(struct recording *s, const char *name)
{
	int64_t key;

	if (!name)
		name = s->site->cluster;
	key = cluster_key(s->store, name);
	if (!key)
		return err_set(&s->err, ERR_USAGE,
			"cluster %s is not known: 'sacctmgr show cluster' has "
			"those that are, 'sacctmgr add cluster %s' adds it",
			name, name);
	return key;
}

const char *uid_text(struct arena *arena, const char *name)
{
	const struct passwd *pw = getpwnam(name);

	return pw ? arena_printf(arena, "%u", (unsigned)pw->pw_uid) : name;
}

bool job_is_past(const struct job *job)
{
	return job->end != 0;
}

/* ---- partition ---------------------------------------------------------- */

static int unknown_partition(struct recording *s, const char *name)
{
	const struct conf *conf = &s->site->conf;
	struct strv names = {0};

	for (size_t i = 0; i < conf->n_partitions; i++)
		strv_push(&names, &s->arena, conf->partitions[i].name);
	return err_set(&s->err, ERR_USAGE,
		"invalid partition specified: %s (slurm.conf has %s; add a "
		"PartitionName line there)",
		name, strv_join_some(&names, ", ", &s->arena));
}

/* Is every partition of the list known? Any is when slurm.conf has none at
 * all. */
static int check_partitions(struct recording *s, const char *list)
{
	struct strv names = {0};

	if (!s->site->conf.n_partitions)
		return 0;
	strv_split(&names, &s->arena, list);
	for (size_t i = 0; i < names.n; i++)
		if (!conf_partition_by_name(&s->site->conf, names.v[i]))
			return unknown_partition(s, names.v[i]);
	return 0;
}

/* A job that has started is in one partition: the first of its list that has
 * the first of its nodes, else the first. */
static const char *settle_partition(
	struct recording *s, const char *list, const struct strv *nodes)
{
	struct strv names = {0};

	strv_split(&names, &s->arena, list);
	for (size_t i = 0; nodes->n && i < names.n; i++) {
		const struct conf_partition *partition =
			conf_partition_by_name(&s->site->conf, names.v[i]);

		if (partition && strv_has(&partition->nodes, nodes->v[0]))
			return names.v[i];
	}
	return names.v[0];
}

static bool is_closed(const struct conf_partition *partition)
{
	return partition && (partition->state == PARTITION_DRAIN ||
				    partition->state == PARTITION_INACTIVE);
}

/* A new job goes to those of its partitions that take jobs. */
static int leave_closed(struct recording *s, struct job *job)
{
	struct strv names = {0}, open = {0};

	strv_split(&names, &s->arena, job->partition);
	for (size_t i = 0; i < names.n; i++)
		if (!is_closed(
			    conf_partition_by_name(&s->site->conf, names.v[i])))
			strv_push(&open, &s->arena, names.v[i]);
	if (names.n && !open.n)
		return err_set(&s->err, ERR_USAGE,
			"Required partition not available (inactive or "
			"drain): %s",
			job->partition);
	if (open.n < names.n)
		job->partition = strv_join(&open, ",", &s->arena);
	return 0;
}

static int find_partition(
	struct recording *s, const struct job_facts *facts, struct job *job)
{
	const struct conf_partition *marked;
	struct strv nodes;

	if (facts->partition) {
		job->partition = facts->partition;
		if (check_partitions(s, job->partition))
			return -1;
	}
	marked = conf_default_partition(&s->site->conf);
	if (!*job->partition && marked)
		job->partition = marked->name;
	if (!*job->partition && s->site->conf.n_partitions)
		return err_set(&s->err, ERR_USAGE,
			"no partition: give partition=, slurm.conf marks none "
			"as Default");
	if (!job->start || !strchr(job->partition, ','))
		return 0;
	nodes = hostlist_names(job->nodelist, &s->arena);
	job->partition = settle_partition(s, job->partition, &nodes);
	return 0;
}

const struct conf_partition *job_partition(
	struct recording *s, const struct job *job)
{
	struct strv names = {0};

	strv_split(&names, &s->arena, job->partition);
	return conf_partition_by_name(&s->site->conf, names.v[0]);
}

/* ---- association -------------------------------------------------------- */

#define NO_ASSOC "Invalid account or account/partition combination specified: "

static int no_association(
	struct recording *s, const char *cluster, const struct job *job)
{
	int known = user_exists(s->store, job->user);
	int there = account_exists(s->store, job->account);

	if (known < 0 || there < 0)
		return -1;
	if (!there)
		return err_set(&s->err, ERR_USAGE,
			NO_ASSOC "account %s is not known: add it with "
				 "'sacctmgr add account %s'",
			job->account, job->account);
	return err_set(&s->err, ERR_USAGE,
		NO_ASSOC "user %s %s in account %s on cluster %s: add it with "
			 "'sacctmgr add user %s account=%s'",
		job->user, known ? "is not" : "is not known and so not",
		job->account, cluster, job->user, job->account);
}

static int no_account(
	struct recording *s, const char *cluster, const struct job *job)
{
	int known = user_exists(s->store, job->user);

	if (known < 0)
		return -1;
	if (!known)
		return err_set(&s->err, ERR_USAGE,
			NO_ASSOC "user %s is not known: add it with 'sacctmgr "
				 "add user %s account=NAME'",
			job->user, job->user);
	return err_set(&s->err, ERR_USAGE,
		NO_ASSOC "user %s has no default account on cluster %s: give "
			 "account=",
		job->user, cluster);
}

/* The association for the partition, else the one for all partitions. */
static struct assoc *choose_assoc(const struct assoc_list *list,
	const struct job *job, struct arena *arena)
{
	struct strv partitions = {0};
	struct assoc *any = NULL;

	strv_split(&partitions, arena, job->partition);
	for (size_t i = 0; i < list->n; i++) {
		struct assoc *assoc = list->v[i];

		if (!*assoc->partition)
			any = assoc;
		else if (!strcmp(assoc->partition, partitions.v[0]))
			return assoc;
	}
	return any;
}

int job_assoc(struct recording *s, const char *cluster, struct job *job,
	struct arena *arena, struct assoc **assoc)
{
	static const struct assoc_cond any;
	struct assoc_list list = {0};

	if (!*job->account && user_default_account(s->store, cluster, job->user,
				      arena, &job->account))
		return -1;
	if (!s->owners->walk)
		s->owners->walk = assoc_walk_open(s->store, &any);
	if (*job->account &&
		assoc_walk_user(s->owners->walk, cluster, job->account,
			job->user, arena, &list))
		return -1;
	*assoc = choose_assoc(&list, job, arena);
	job->assoc = *assoc ? (*assoc)->key : 0;
	if (*assoc)
		job->user = (*assoc)->user;
	return 0;
}

static int find_assoc(struct recording *s, const struct job_facts *facts,
	struct job *job, struct assoc **assoc)
{
	const char *cluster = facts->cluster ? facts->cluster : s->site->cluster;

	if (facts->account)
		job->account = facts->account;
	if (job_assoc(s, cluster, job, &s->arena, assoc))
		return -1;
	if (*assoc || !(s->site->conf.enforce & ENFORCE_ASSOCS))
		return 0;
	return *job->account ? no_association(s, cluster, job)
			     : no_account(s, cluster, job);
}

static struct machine_user *ask_machine(struct owners *owners, const char *name)
{
	struct machine_user *user = arena_alloc(&owners->arena, sizeof(*user));
	const struct passwd *pw = getpwnam(name);
	const struct group *group = pw ? getgrgid(pw->pw_gid) : NULL;

	user->uid = pw ? pw->pw_uid : NO_VAL;
	user->gid = pw ? pw->pw_gid : NO_VAL;
	user->group = arena_strdup(
		&owners->arena, group ? group->gr_name : "");
	user->name = arena_strdup(&owners->arena, name);
	HASH_ADD_KEYPTR(
		hh, owners->users, user->name, strlen(user->name), user);
	return user;
}

/* What the system knows of the user, if anything. */
static void find_user(struct recording *s, struct job *job)
{
	struct machine_user *user;

	HASH_FIND_STR(s->owners->users, job->user, user);
	if (!user)
		user = ask_machine(s->owners, job->user);
	job->uid = user->uid;
	job->gid = user->gid;
	job->group = arena_strdup(&s->arena, user->group);
}

/* ---- QOS ---------------------------------------------------------------- */

static int bad_qos(
	struct recording *s, const struct job *job, const char *name, bool known)
{
	if (!known)
		return err_set(&s->err, ERR_USAGE,
			"Invalid qos specification: QOS %s is not known: add "
			"it with 'sacctmgr add qos %s'",
			name, name);
	return err_set(&s->err, ERR_USAGE,
		"Invalid qos specification: user %s may not use QOS %s in "
		"account %s: allow it with 'sacctmgr modify user %s where "
		"account=%s set qos+=%s'",
		job->user, name, job->account, job->user, job->account, name);
}

/* The highest of those asked for is the job's QOS. */
static int chosen_qos(struct recording *s, const char *list, struct job *job,
	const struct assoc *assoc)
{
	bool enforced = (s->site->conf.enforce & ENFORCE_QOS) && assoc &&
			!job_is_past(job);
	struct strv names = {0};

	strv_split(&names, &s->arena, list);
	for (size_t i = 0; i < names.n; i++) {
		const struct qos_name *qos =
			qos_by_name(&s->store->qos, names.v[i]);

		if (!qos || (enforced && !assoc_has_qos(assoc, qos->id)))
			return bad_qos(s, job, names.v[i], qos);
	}
	job->qos_req = list;
	return qos_highest(s->store, &names, &s->arena, &job->qos);
}

static int find_qos(struct recording *s, const struct job_facts *facts,
	struct job *job, const struct assoc *assoc)
{
	if (facts->qos)
		return chosen_qos(s, facts->qos, job, assoc);
	if (job->qos)
		return 0;
	job->qos = assoc_default_qos(assoc, &s->store->qos);
	if (job->qos && (s->site->conf.enforce & ENFORCE_QOS) && assoc &&
		!job_is_past(job) && !assoc_has_qos(assoc, job->qos)) {
		const struct qos_name *qos =
			qos_by_id(&s->store->qos, job->qos);

		return bad_qos(s, job, qos ? qos->name : "(deleted)", true);
	}
	return 0;
}

uint32_t job_part_qos(
	struct recording *s, const struct conf_partition *partition)
{
	const struct qos_name *qos =
		partition && partition->qos
			? qos_by_name(&s->store->qos, partition->qos)
			: NULL;

	return qos ? qos->id : 0;
}

int job_owner(struct recording *s, const struct job_facts *facts,
	struct job *job, bool is_new)
{
	bool moved =
		is_new || facts->user || facts->account || facts->partition;
	struct assoc *assoc = NULL;

	if (facts->user)
		job->user = facts->user;
	if (!*job->user)
		return err_set(&s->err, ERR_USAGE,
			"job %u is new: who runs it? Give user=", job->id);
	if (find_partition(s, facts, job) ||
		(is_new && job_state_pending(job->state) &&
			leave_closed(s, job)))
		return -1;
	if (is_new || facts->user)
		find_user(s, job);
	if ((moved || facts->qos) && find_assoc(s, facts, job, &assoc))
		return -1;
	if (find_qos(s, facts, job, assoc))
		return -1;
	job->part_qos = job_part_qos(s, job_partition(s, job));
	return 0;
}
