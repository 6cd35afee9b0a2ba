#include "db/check/check_content.h"

#include <inttypes.h>
#include <pwd.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/conf/conf_words.h"
#include "common/conf/sched_params.h"
#include "common/table/assoc.h"
#include "db/entity/assoc.h"
#include "db/entity/lease.h"
#include "db/entity/qos.h"
#include "db/store/query.h"

#define uthash_malloc(size) arena_alloc(t->arena, (size))
#define uthash_free(memory, size) ((void)(memory))
#include <uthash.h>

/* ---- users and their accounts --------------------------------------------*/

/* The first account becomes the default, as where a user is added. */
int check_default_accounts(struct checking *c)
{
	struct query q;

	if (c->dbd->allow_no_def_acct)
		return 0;
	if (query_open(&q, c->store,
		    "SELECT a.user, c.name, min(a.account) FROM assoc a"
		    " JOIN cluster c ON c.id = a.cluster"
		    " WHERE NOT a.deleted AND a.user <> ''"
		    " GROUP BY a.cluster, a.user HAVING NOT max(a.is_default)"
		    " ORDER BY a.user, c.name"))
		return -1;
	while (query_row(&q))
		check_found(c,
			arena_printf(c->arena,
				"user %s has no default account on %s",
				query_text(&q, 0), query_text(&q, 1)),
			arena_printf(c->arena,
				"modify" WORD "user" WORD "where" WORD
				"user=%s" WORD "cluster=%s" WORD "set" WORD
				"defaultaccount=%s",
				query_text(&q, 0), query_text(&q, 1),
				query_text(&q, 2)),
			true);
	return query_close(&q);
}

static int list_users(struct checking *c, struct strv *names)
{
	return store_all_words(c->store,
		"SELECT name FROM user WHERE NOT deleted ORDER BY name", names,
		c->arena);
}

/* Known to the system by this name in lower case only. */
static bool is_misspelled(struct checking *c, const char *name)
{
	const char *lower = str_lower(c->arena, name);

	return strcmp(lower, name) != 0 && !getpwnam(name) && getpwnam(lower);
}

/* Where nobody has one but root, the host is not one to log in to. */
int check_system_users(struct checking *c)
{
	struct strv names = {0}, missing = {0};
	bool some = false;

	if (list_users(c, &names))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		if (getpwnam(names.v[i]) || is_misspelled(c, names.v[i]))
			some |= strcmp(names.v[i], "root") != 0;
		else
			strv_push(&missing, c->arena, names.v[i]);
	}
	if (some && missing.n)
		check_found(c,
			arena_printf(c->arena,
				"%zu of %zu users have no login on this host: %s",
				missing.n, names.n,
				strv_join_some(&missing, ", ", c->arena)),
			NULL, false);
	return 0;
}

/* The one with capitals, which is never created here by accident. */
static void found_twins(struct checking *c, const char *kind, const char *one,
	const char *other)
{
	const char *odd = strcmp(str_lower(c->arena, one), one) ? one : other;

	check_found(c,
		arena_printf(c->arena, "%s %s and %s differ only in case", kind,
			one, other),
		arena_printf(c->arena, "delete" WORD "%s" WORD "%s",
			str_lower(c->arena, kind), odd),
		false);
}

static int twins(struct checking *c)
{
	struct query q;

	if (query_open(&q, c->store,
		    "SELECT 'account', a.name, b.name FROM account a"
		    " JOIN account b ON lower(b.name) = lower(a.name)"
		    " AND b.name > a.name WHERE NOT a.deleted AND NOT b.deleted"
		    " UNION ALL SELECT 'QOS', a.name, b.name FROM qos a"
		    " JOIN qos b ON lower(b.name) = lower(a.name)"
		    " AND b.name > a.name WHERE NOT a.deleted AND NOT b.deleted"
		    " UNION ALL SELECT 'cluster', a.name, b.name FROM cluster a"
		    " JOIN cluster b ON lower(b.name) = lower(a.name)"
		    " AND b.name > a.name"
		    " WHERE NOT a.deleted AND NOT b.deleted"))
		return -1;
	while (query_row(&q))
		found_twins(c, query_strdup(&q, 0, c->arena),
			query_strdup(&q, 1, c->arena),
			query_strdup(&q, 2, c->arena));
	return query_close(&q);
}

int check_letter_case(struct checking *c)
{
	struct strv names = {0};

	if (list_users(c, &names) || twins(c))
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.v[i];
		const char *lower = str_lower(c->arena, name);

		if (!is_misspelled(c, name))
			continue;
		check_found(c,
			arena_printf(c->arena,
				"user %s is %s to the system", name, lower),
			arena_printf(c->arena,
				"modify" WORD "user" WORD "where" WORD
				"user=%s" WORD "set" WORD "newname=%s",
				name, lower),
			true);
	}
	return 0;
}

/* ---- the tree ------------------------------------------------------------*/

struct assoc_node {
	int64_t key;
	const struct assoc *assoc;
	UT_hash_handle hh;
};

struct assoc_nodes {
	struct arena *arena;
	struct assoc_node *nodes;
};

static void tree_make(struct assoc_nodes *t, const struct assoc_list *list,
	struct arena *arena)
{
	*t = (struct assoc_nodes){.arena = arena};
	for (size_t i = 0; i < list->n; i++) {
		struct assoc_node *node = arena_alloc(arena, sizeof(*node));

		node->key = list->v[i]->key;
		node->assoc = list->v[i];
		HASH_ADD(hh, t->nodes, key, sizeof(node->key), node);
	}
}

static const struct assoc *tree_find(struct assoc_nodes *t, int64_t key)
{
	struct assoc_node *node;

	HASH_FIND(hh, t->nodes, &key, sizeof(key), node);
	return node ? node->assoc : NULL;
}

/* "user ann in account lab on canis" */
static const char *whose(struct checking *c, const struct assoc *a)
{
	return arena_printf(c->arena, "%s%s%saccount %s%s%s on %s",
		*a->user ? "user " : "", a->user, *a->user ? " in " : "",
		a->account, *a->partition ? ", partition " : "", a->partition,
		a->cluster);
}

/* The words that choose the row and set something. */
static const char *modify_words(struct checking *c, const struct assoc *a)
{
	if (!*a->user)
		return arena_printf(c->arena,
			"modify" WORD "account" WORD "where" WORD
			"account=%s" WORD "cluster=%s" WORD "set" WORD,
			a->account, a->cluster);
	return arena_printf(c->arena,
		"modify" WORD "user" WORD "where" WORD "user=%s" WORD
		"account=%s" WORD "cluster=%s" WORD "partition=%s" WORD
		"set" WORD,
		a->user, a->account, a->cluster, a->partition);
}

/* ---- QOS -----------------------------------------------------------------*/

int check_reachable_qos(struct checking *c)
{
	struct query q;

	if (query_open(&q, c->store,
		    "SELECT name FROM qos WHERE NOT deleted AND NOT EXISTS"
		    " (SELECT 1 FROM assoc_qos l JOIN assoc a ON a.key = l.assoc"
		    "  WHERE l.qos = qos.id AND l.sign <> '-'"
		    "  AND NOT a.deleted)"
		    " AND id NOT IN (SELECT def_qos FROM assoc"
		    "  WHERE NOT deleted AND def_qos NOT NULL) ORDER BY id"))
		return -1;
	while (query_row(&q)) {
		const char *name = query_text(&q, 0);

		if (conf_partition_with_qos(c->conf, name, 0))
			continue;
		check_found(c,
			arena_printf(c->arena,
				"QOS %s: no association may use it, and no "
				"partition has it",
				name),
			arena_printf(c->arena, "delete" WORD "qos" WORD "%s",
				name),
			false);
	}
	return query_close(&q);
}

/* A row that only inherits the fault is mended with the row above it. */
int check_default_qos(struct checking *c)
{
	const struct assoc_cond own = {.without_limits = true}, all = {0};
	struct assoc_list rows, own_rows;
	struct assoc_nodes tree, own_tree;

	if (assoc_list(c->store, &all, c->arena, &rows) ||
		assoc_list(c->store, &own, c->arena, &own_rows))
		return -1;
	tree_make(&tree, &rows, c->arena);
	tree_make(&own_tree, &own_rows, c->arena);
	for (size_t i = 0; i < rows.n; i++) {
		const struct assoc *a = rows.v[i];
		const struct assoc *above = tree_find(&tree, a->parent_key);
		const struct assoc *set = tree_find(&own_tree, a->key);

		if (!assoc_lost_default_qos(a) ||
			(above && assoc_lost_default_qos(above) && !*set->def_qos &&
				!set->own_qos.n))
			continue;
		check_found(c,
			arena_printf(c->arena,
				"%s has the default QOS %s and may not use it",
				whose(c, a), a->def_qos),
			arena_printf(c->arena, "%sqos+=%s", modify_words(c, a),
				a->def_qos),
			false);
	}
	return 0;
}

/* ---- limits --------------------------------------------------------------*/

struct limits_check {
	struct checking *c;
	struct assoc_nodes tree;
	const struct assoc *assoc;
};

static bool is_group(const struct member *m)
{
	return !strncmp(m->set->name, "Grp", 3);
}

static bool is_limit(const struct member *m)
{
	if (!m->set || m->set->tres)
		return false;
	return is_group(m) || !strncmp(m->set->name, "Max", 3);
}

/* A row's own value; of a list that of the TRES. */
static uint64_t own_limit(
	const struct assoc *a, const struct member *m, uint32_t tres)
{
	const void *at = (const char *)a + m->offset;
	uint32_t number;

	if (m->type == MEMBER_TRES)
		return tres_list_get(at, tres);
	memcpy(&number, at, sizeof(number));
	return number == NO_VAL || number == INFINITE ? NO_VAL64 : number;
}

/* Of groups every account above counts, else the nearest that has one. */
static uint64_t limit_above(struct limits_check *l, const struct member *m,
	uint32_t tres, const struct assoc **whose)
{
	const struct assoc *a = tree_find(&l->tree, l->assoc->parent_key);
	uint64_t least = NO_VAL64;

	for (; a; a = tree_find(&l->tree, a->parent_key)) {
		uint64_t limit = own_limit(a, m, tres);

		if (limit >= least)
			continue;
		least = limit;
		*whose = a;
		if (!is_group(m))
			break;
	}
	return least;
}

static const char *tres_name(struct limits_check *l, uint32_t id)
{
	const struct tres *tres = tres_by_id(&l->c->store->tres, id);

	return tres ? tres_full_name(tres, l->c->arena)
		    : arena_printf(l->c->arena, "%" PRIu32, id);
}

static void compare(
	struct limits_check *l, const struct member *m, uint32_t tres)
{
	struct checking *c = l->c;
	const struct assoc *above = NULL;
	const char *word = m->set->name, *of = "";
	uint64_t own = own_limit(l->assoc, m, tres), most;

	if (own >= NO_VAL64)
		return;
	most = limit_above(l, m, tres, &above);
	if (own <= most)
		return;
	if (m->type == MEMBER_TRES)
		of = arena_printf(c->arena, "%s=", tres_name(l, tres));
	check_found(c,
		arena_printf(c->arena, "%s: %s=%s%llu is above that of %s, %llu",
			whose(c, l->assoc), word, of, (unsigned long long)own,
			whose(c, above), (unsigned long long)most),
		arena_printf(c->arena, "%s%s=%s%llu", modify_words(c, l->assoc),
			str_lower(c->arena, word), of,
			(unsigned long long)most),
		is_group(m));
}

int check_child_limits(struct checking *c)
{
	const struct assoc_cond cond = {.without_limits = true};
	struct limits_check l = {.c = c};
	struct assoc_list rows;

	if (assoc_list(c->store, &cond, c->arena, &rows))
		return -1;
	tree_make(&l.tree, &rows, c->arena);
	for (size_t i = 0; i < rows.n; i++) {
		l.assoc = rows.v[i];
		for (size_t m = 0; m < assoc_members.n; m++) {
			const struct member *row = &assoc_members.v[m];
			const struct tres_list *list;

			if (!is_limit(row))
				continue;
			if (row->type != MEMBER_TRES) {
				compare(&l, row, 0);
				continue;
			}
			list = &l.assoc->tres[row->arg];
			for (size_t t = 0; t < list->n; t++)
				compare(&l, row, list->v[t].id);
		}
	}
	return 0;
}

/* ---- leases --------------------------------------------------------------*/

/* Readers see expired values put back; the file waits for a writer. */
int check_leases(struct checking *c)
{
	if (lease_waits(c->store))
		check_found(c,
			"values held until a time that has passed, and nobody "
			"has written since",
			"ping", true);
	return 0;
}

/* ---- capacity ------------------------------------------------------------*/

/* For the cluster of slurm.conf what its nodes have is assumed. */
int check_capacity(struct checking *c)
{
	struct query q;

	if (query_open(&q, c->store,
		    "SELECT name FROM cluster c WHERE NOT deleted"
		    " AND NOT (name = :own AND :nodes > 0)"
		    " AND EXISTS (SELECT 1 FROM job WHERE cluster = c.id)"
		    " AND NOT EXISTS (SELECT 1 FROM event WHERE cluster = c.id"
		    "  AND node = '' AND state = '') ORDER BY name"))
		return -1;
	query_bind_text(&q, ":own",
		c->conf->cluster_name ? c->conf->cluster_name : "cluster");
	query_bind_int(&q, ":nodes", (int64_t)c->conf->n_nodes);
	while (query_row(&q))
		check_found(c,
			arena_printf(c->arena,
				"the size of cluster %s is not recorded: its "
				"reports have no percentages",
				query_text(&q, 0)),
			NULL, false);
	return query_close(&q);
}

/* ---- slurm.conf ----------------------------------------------------------*/

static void found_in_conf(
	struct checking *c, const char *text, const char *remedy)
{
	check_found(c, text, NULL, false)->remedy = remedy;
}

static int strange_words(struct checking *c)
{
	struct conf_strange_list list;

	if (conf_strange_words(
		    c->conf->path, c->arena, &list, c->store->err))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		const struct conf_strange *s = &list.v[i];

		found_in_conf(c,
			arena_printf(c->arena, "%s:%d: %s is not known",
				s->file, s->line, s->word),
			s->nearest ? arena_printf(c->arena,
					     "writing %s in line %d of %s",
					     s->nearest, s->line, s->file)
				   : NULL);
	}
	return 0;
}

/* Names in partitions that the store does not have. */
static void partition_names(struct checking *c, const struct conf_partition *p)
{
	const struct strv *lists[] = {&p->allow_qos, &p->deny_qos};
	struct strv names = {0};

	if (p->qos)
		strv_push(&names, c->arena, p->qos);
	for (size_t i = 0; i < 2; i++)
		strv_add_all(&names, c->arena, lists[i]);
	for (size_t i = 0; i < names.n; i++)
		if (!qos_by_name(&c->store->qos, names.v[i]))
			check_found(c,
				arena_printf(c->arena,
					"%s:%d: partition %s names the QOS %s, "
					"which is not there",
					p->file, p->line, p->name, names.v[i]),
				arena_printf(c->arena,
					"add" WORD "qos" WORD "%s", names.v[i]),
				false);
}

/* What slurmctld does and programs without a daemon cannot. */
static void needs_slurmctld(struct checking *c)
{
	const struct policy *policy = &c->conf->policy;

	if (policy->flags & PRIO_INCR_ONLY)
		found_in_conf(c,
			"PriorityFlags: INCR_ONLY changes nothing: no earlier "
			"priority of a job is kept",
			"taking INCR_ONLY out");
	if (policy->reset == RESET_NOW)
		found_in_conf(c,
			"PriorityUsageResetPeriod: NOW resets nothing: no "
			"slurmctld starts that would",
			"sacctmgr modify account root set rawusage=0, and NONE "
			"in its place");
}

int check_conf(struct checking *c)
{
	const struct qos_cond all = {0};
	struct qos_list qos;
	struct sched_params params;
	struct strv remarks = {0}, relative = {0};

	if (!c->conf->path)
		return 0;
	if (strange_words(c))
		return -1;
	sched_params_parse(&params, c->conf->scheduler_parameters, &remarks,
		c->arena);
	sched_params_complete(&params, &remarks, c->arena);
	if (qos_list(c->store, &all, c->arena, &qos))
		return -1;
	qos_remarks(&qos, c->conf, c->arena, &relative);
	for (size_t i = 0; i < relative.n; i++)
		found_in_conf(c, relative.v[i],
			"giving each partition a relative QOS of its own");
	for (size_t i = 0; i < c->conf->remarks.n; i++)
		found_in_conf(c, c->conf->remarks.v[i], NULL);
	for (size_t i = 0; i < remarks.n; i++)
		found_in_conf(c,
			arena_printf(c->arena, "SchedulerParameters: %s",
				remarks.v[i]),
			NULL);
	for (size_t i = 0; i < c->conf->n_partitions; i++)
		partition_names(c, &c->conf->partitions[i]);
	needs_slurmctld(c);
	return 0;
}
