/*
 * Resources that clusters share: add, show, modify, delete (Slurm's
 * src/sacctmgr/resource_functions.c).
 */
#include "db/change/change.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "db/entity/resource.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(resource.with_deleted), GROUP_NONE, "deleted resources too", FROM_NOTHING},
	{"WithClusters:5", WHERE_SWITCH, COND(with_clusters), GROUP_NONE, "one row for each cluster", FROM_NOTHING},
	{"Names:1", WHERE_LIST, COND(resource.names), GROUP_RECORD, "resource names", FROM_RESOURCES},
	{"Clusters:1", WHERE_LIST, COND(resource.clusters), GROUP_RECORD, "clusters that may use it", FROM_CLUSTERS},
	{"Descriptions:1", WHERE_LIST, COND(resource.descriptions), GROUP_RECORD, "descriptions", FROM_NOTHING},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Ids:1", WHERE_IDS, COND(resource.ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{"Allowed:1 PercentAllowed:1", WHERE_IDS, COND(resource.allowed), GROUP_RECORD, "what a cluster may use", FROM_NOTHING},
	{"ServerType:7", WHERE_LIST, COND(resource.server_types), GROUP_RECORD, "kinds of license server", FROM_NOTHING},
	{"Servers:2", WHERE_LIST, COND(resource.servers), GROUP_RECORD, "servers", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct add_word name_words[] = {
	{"Names:1 Resources:1", offsetof(struct request, names), FROM_NOTHING},
	{NULL, 0, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {
	.where = {where_words},
	.bare = COND(resource.names),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify SLURM_PRINT_VALUE",
	.id_label = "RES ID",
	.set = {&resource_members, &resource_share_members},
	.set_errors_on_stdout = true,
	.flag_kind = "Server Resource",
	.bare_set_is_name = true,
	.drop_names_in_set = true,
	.name_words = name_words,
};

static const struct add_word add_name_words[] = {
	{"Names:1 Resources:1", offsetof(struct request, names), FROM_NOTHING},
	{"Clusters:1", offsetof(struct request, clusters), FROM_CLUSTERS},
	{NULL, 0, FROM_NOTHING},
};

/* In an add, words without a name and these are names. */
static const struct vocabulary add_vocabulary = {
	.where = {where_words},
	.unknown_where = " Use keyword 'set' to modify SLURM_PRINT_VALUE",
	.set = {&resource_members, &resource_share_members},
	.set_errors_on_stdout = true,
	.flag_kind = "Server Resource",
	.bare_set_is_name = true,
	.name_words = add_name_words,
	.names = NAMES_RESOURCE,
};

static const struct setting *given_allowed(const struct request *r)
{
	return settings_find(&r->set, resource_share_attr(allowed));
}

/* Every cluster named must exist. */
int resource_check_clusters(struct session *s, const struct strv *clusters)
{
	int bad = 0;

	for (size_t i = 0; i < clusters->n; i++) {
		int64_t key = cluster_key(s->store, clusters->v[i]);

		if (key < 0)
			return complain_err(s);
		if (key)
			continue;
		complain(s,
			" This cluster '%s' doesn't exist.\n"
			"        Contact your admin to add it to accounting.",
			clusters->v[i]);
		bad = -1;
	}
	if (bad)
		complain(s, " Need a valid cluster name to add a cluster "
			    "resource.");
	return bad;
}

/* Numbers are at least 0, the only type is License. */
static int check_values(struct session *s, const struct request *r)
{
	const char *type = settings_text_of(&r->set, resource_attr(type_text));

	for (size_t i = 0; i < r->set.n; i++) {
		const struct setting *set = &r->set.v[i];

		if (set->attr->set->type != ATTR_UINT || set->number < NO_VAL)
			continue;
		complain_named(s, "Invalid value for %s: it can not be below 0",
			set->attr->set->name);
		s->status = 1;
		return -1;
	}
	if (!type || (*type && !strncasecmp("License", type, strlen(type))))
		return 0;
	return complain(s,
		" Unknown resource type: '%s'  Valid resources is License.",
		type);
}

/* The server is part of the name. */
static void apply(const struct request *r, struct resource *resource)
{
	static const struct resource blank;
	const char *server = resource->server;

	for (size_t i = 0; i < r->set.n; i++)
		if (members_has(&resource_members, r->set.v[i].attr))
			setting_put(&r->set.v[i], resource, &blank);
	resource->server = server;
	if (settings_find(&r->set, resource_attr(type_text)))
		resource->type = RESOURCE_LICENSE;
}

/* ---- add -----------------------------------------------------------------*/

/* What an add has come to. */
struct resource_adding {
	const struct request *request;
	const struct resource *last;
	bool last_is_new;
	bool any;
	const char *problem; /* shares that do not fit */
};

/* A new record. The store takes it for a license when no type was given. */
static int add_record(
	struct session *s, struct resource_adding *a, struct resource *resource)
{
	const struct request *r = a->request;
	struct resource stored;

	if (!settings_find(&r->set, resource_attr(count)))
		return complain(s,
			" Need to designate a resource count to initially add "
			"'%s'.",
			resource->name);
	resource->description = resource->name;
	resource->server_type = "";
	apply(r, resource);
	stored = *resource;
	stored.type = RESOURCE_LICENSE;
	if (resource_add(s->store, &stored) ||
		txn_add(s->store, TXN_ADD_RESOURCES, "",
			arena_printf(&s->arena, "%u", stored.id),
			settings_text(&r->set, &s->arena)))
		return complain_err(s);
	resource->id = stored.id;
	return 0;
}

static bool has_share(const struct resource *resource, const char *cluster)
{
	for (size_t i = 0; i < resource->n_shares; i++)
		if (!strcmp(resource->shares[i].cluster, cluster))
			return true;
	return false;
}

static int add_share(struct session *s, const struct resource *resource,
	const char *cluster, uint32_t allowed)
{
	effect(s, (struct effect){VERB_ADD, EFFECT_DONE, ON_RESOURCE_SHARE,
		.cluster = cluster,
		.record = resource,
		.allowed = allowed});
	if (resource_share_set(s->store, resource->id, cluster, allowed) ||
		txn_add(s->store, TXN_ADD_RESOURCES, "",
			arena_printf(&s->arena, "%u@%s", resource->id, cluster),
			arena_printf(&s->arena, "allowed=%u", allowed)))
		return complain_err(s);
	return 0;
}

/* The clusters that do not have it yet. */
static int add_shares(struct session *s, struct resource_adding *a,
	const struct resource *resource)
{
	const struct strv *clusters = &a->request->clusters;
	const struct setting *set = given_allowed(a->request);
	uint32_t allowed = set ? set->number : 0;

	for (size_t i = 0; i < clusters->n; i++) {
		if (has_share(resource, clusters->v[i]))
			continue;
		a->any = true;
		if (add_share(s, resource, clusters->v[i], allowed))
			return -1;
	}
	return 0;
}

/* `name` or `name@server`. */
static void split_name(struct session *s, const struct request *r,
	const char *typed, struct resource *resource)
{
	const char *at = strrchr(typed, '@');
	const char *server = settings_text_of(&r->set, resource_attr(server));

	*resource = (struct resource){
		.name = typed, .server = server ? server : "slurmdb"};
	if (!at || at == typed || !at[1])
		return;
	resource->name = arena_strndup(&s->arena, typed, (size_t)(at - typed));
	resource->server = at + 1;
}

static int add_one(
	struct session *s, struct resource_adding *a, const char *typed)
{
	struct resource *resource = arena_alloc(&s->arena, sizeof(*resource));
	struct resource found;
	int old;

	split_name(s, a->request, typed, resource);
	if (!*resource->server)
		return complain(s, " Server must have a name");
	old = resource_find(s->store, resource->name, resource->server,
		&s->arena, &found);
	if (old < 0)
		return complain_err(s);
	if (old)
		*resource = found;
	else if (add_record(s, a, resource))
		return -1;
	effect(s, (struct effect){VERB_ADD, old ? EFFECT_EXISTS : EFFECT_DONE,
		ON_RESOURCE, .record = resource});
	a->any |= !old;
	a->last = resource;
	a->last_is_new = !old;
	if (add_shares(s, a, resource))
		return -1;
	if (resource_check(s->store, resource->id))
		a->problem = arena_strdup(&s->arena, s->err.text);
	return 0;
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	const struct request *r = arg;
	struct resource_adding a = {.request = r};

	for (size_t i = 0; i < r->names.n; i++)
		if (add_one(s, &a, r->names.v[i])) {
			s->effects.n = 0;
			return PLAN_FAILED;
		}
	if (!a.any)
		return plan_nothing(s, VERB_ADD, ON_RESOURCE);
	effect(s, (struct effect){VERB_ADD, EFFECT_SET, ON_RESOURCE,
		.set = r->set,
		.record = a.last,
		.is_new = a.last_is_new});
	if (!is_administrator(s))
		return plan_not_added(
			s, "system resource", "Access/permission denied");
	return a.problem ? plan_not_added(s, "system resource", a.problem)
			 : PLAN_CHANGED;
}

static int add(struct session *s, struct request *r)
{
	if (resource_check_clusters(s, &r->clusters) || r->failed ||
		check_values(s, r) || require_names(s, r, "resource"))
		return -1;
	return change_run(s, plan_add, r);
}

/* ---- what modify and delete share ----------------------------------------*/

static int find_meant(struct session *s, const struct request *r,
	struct resource_list *list)
{
	struct resource_cond cond = r->where.resource;

	cond.with_deleted = false;
	return resource_list(s->store, &cond, &s->arena, list);
}

/* Is the command about what clusters may use, not about the records? */
static bool about_shares(const struct request *r)
{
	return r->where.resource.clusters.n || r->where.resource.allowed.n;
}

/* The record, if the command is about that, and what clusters may use. */
static void list_touched(struct session *s, enum verb verb,
	const struct request *r, const struct resource *resource)
{
	struct effect e = {verb, EFFECT_DONE, ON_RESOURCE, .record = resource};

	if (!about_shares(r))
		effect(s, e);
	e.on = ON_RESOURCE_SHARE;
	for (size_t i = 0; i < resource->n_shares; i++) {
		e.cluster = resource->shares[i].cluster;
		effect(s, e);
	}
}

static const char *id_text(struct session *s, const struct resource *resource)
{
	return arena_printf(&s->arena, "id='%u'", resource->id);
}

static const char *share_text(struct session *s,
	const struct resource *resource, const struct resource_share *share)
{
	return arena_printf(&s->arena, "(res_id='%u' && cluster='%s')",
		resource->id, share->cluster);
}

/* ---- modify --------------------------------------------------------------*/

static int modify_record(struct session *s, const struct request *r,
	struct resource *resource)
{
	apply(r, resource);
	return any_failed(resource_update(s->store, resource) ||
			  txn_add(s->store, TXN_MODIFY_RESOURCES, "",
				  id_text(s, resource),
				  settings_text(&r->set, &s->arena)));
}

static int modify_shares(struct session *s, const struct resource *resource,
	uint32_t allowed)
{
	for (size_t i = 0; i < resource->n_shares; i++) {
		const struct resource_share *share = &resource->shares[i];

		if (resource_share_set(s->store, resource->id, share->cluster,
			    allowed) ||
			txn_add(s->store, TXN_MODIFY_CLUSTER_RESOURCES, "",
				share_text(s, resource, share),
				arena_printf(
					&s->arena, "allowed=%u", allowed)))
			return -1;
	}
	return 0;
}

/* What a change that does not fit would come to. */
static void print_overcommit(
	struct session *s, const struct resource *resource)
{
	struct resource now;
	const char *unit;
	uint32_t total = 0;

	if (resource_find(s->store, resource->name, resource->server,
		    &s->arena, &now) <= 0)
		return;
	unit = now.flags & RESOURCE_ABSOLUTE ? "" : "%";
	complain(s, " If change was accepted it would look like this...\n"
		    "  %s@%s", now.name, now.server);
	for (size_t i = 0; i < now.n_shares; i++) {
		complain(s, "   Cluster - %s\t %u%s", now.shares[i].cluster,
			now.shares[i].allowed, unit);
		total += now.shares[i].allowed;
	}
	complain(s, "   total\t\t%u%s", total, unit);
}

static int modify_one(struct session *s, const struct request *r,
	struct resource *resource)
{
	const struct setting *allowed = given_allowed(r);

	if ((r->set.n > (allowed ? 1u : 0u) &&
		    modify_record(s, r, resource)) ||
		(allowed && modify_shares(s, resource, allowed->number)))
		return complain_err(s);
	if (!resource_check(s->store, resource->id))
		return 0;
	complain_err(s);
	print_overcommit(s, resource);
	return -1;
}

static enum plan_result plan_modify(struct session *s, void *arg)
{
	const struct request *r = arg;
	struct resource_list list;

	if (!is_operator(s))
		return plan_denied(s);
	if (find_meant(s, r, &list))
		return plan_failed(s);
	if (!list.n)
		return plan_nothing(s, VERB_MODIFY, ON_RESOURCE);
	for (size_t i = 0; i < list.n; i++)
		if (modify_one(s, r, &list.v[i]))
			return PLAN_FAILED;
	effect_named(s, VERB_MODIFY, EFFECT_BEGUN, ON_RESOURCE, NULL);
	for (size_t i = 0; i < list.n; i++)
		list_touched(s, VERB_MODIFY, r, &list.v[i]);
	return PLAN_CHANGED;
}

/* What belongs to the record cannot be asked of one cluster, and what belongs
 * to a cluster not without it. */
static int check_cluster_use(struct session *s, const struct request *r)
{
	bool clusters = r->where.resource.clusters.n;

	if (settings_find(&r->set, resource_attr(count)) && clusters)
		complain(s, "Can't change \"count\" on a cluster-based "
			    "resource. Remove cluster selection.");
	else if (settings_find(&r->set, resource_attr(last_consumed)) &&
		 clusters)
		complain(s, "Can't change \"lastconsumed\" on a cluster-based "
			    "resource. Remove cluster selection.");
	else if (given_allowed(r) && !clusters)
		complain(s, "Can't change \"allowed\" without specifying a "
			    "cluster.");
	else
		return 0;
	return -1;
}

static int modify(struct session *s, struct request *r)
{
	if (r->failed && r->nothing_left)
		complain(s, " You didn't give me anything to set");
	if (resource_check_clusters(s, &r->where.resource.clusters) || r->failed ||
		check_values(s, r))
		return -1;
	if (require_set(s, r))
		return -1;
	if (settings_find(&r->set, resource_attr(server)))
		return complain(s, " Can't modify the server of a resource");
	if (!r->where.record_given && !confirm_all(s, FROM_RESOURCES))
		return 0;
	if (check_cluster_use(s, r))
		return -1;
	return change_run(s, plan_modify, r);
}

/* ---- delete --------------------------------------------------------------*/

/* What was removed, as the log of Slurm has it: of shares, and of resources once
 * for each share they had. */
struct removed {
	struct strv shares, resources;
};

static int delete_shares(struct session *s, const struct resource *resource)
{
	for (size_t i = 0; i < resource->n_shares; i++)
		if (resource_share_remove(s->store, resource->id,
			    resource->shares[i].cluster))
			return -1;
	return 0;
}

static int delete_one(struct session *s, const struct request *r,
	const struct resource *resource, struct removed *removed)
{
	const size_t rows = resource->n_shares ? resource->n_shares : 1;

	list_touched(s, VERB_DELETE, r, resource);
	if (delete_shares(s, resource))
		return -1;
	if (about_shares(r)) {
		for (size_t i = 0; i < resource->n_shares; i++)
			strv_push(&removed->shares, &s->arena,
				share_text(s, resource, &resource->shares[i]));
		return 0;
	}
	for (size_t i = 0; i < rows; i++) {
		strv_printf(&removed->shares, &s->arena, "res_%s",
			id_text(s, resource));
		strv_push(&removed->resources, &s->arena, id_text(s, resource));
	}
	return resource_remove(s->store, resource);
}

/* Slurm's number is that of shares for both. */
static int log_removed(struct session *s, const struct strv *list)
{
	return list->n ? txn_add(s->store, TXN_REMOVE_CLUSTER_RESOURCES, "",
				 strv_join(list, " || ", &s->arena), "")
		       : 0;
}

static enum plan_result plan_delete(struct session *s, void *arg)
{
	const struct request *r = arg;
	struct removed removed = {0};
	struct resource_list list;

	if (!is_administrator(s))
		return plan_denied(s);
	if (find_meant(s, r, &list))
		return plan_failed(s);
	if (!list.n)
		return plan_nothing(s, VERB_DELETE, ON_RESOURCE);
	effect_named(s, VERB_DELETE, EFFECT_BEGUN, ON_RESOURCE, NULL);
	for (size_t i = 0; i < list.n; i++)
		if (delete_one(s, r, &list.v[i], &removed))
			return plan_failed(s);
	if (log_removed(s, &removed.shares) ||
		log_removed(s, &removed.resources))
		return plan_failed(s);
	return PLAN_CHANGED;
}

static int erase(struct session *s, struct request *r)
{
	if (resource_check_clusters(s, &r->where.resource.clusters) || r->failed)
		return -1;
	return delete_records(s, r, plan_delete);
}

const struct changeable resource_changes = {
	.names = {[VERB_ADD] = "Resource:1",
		[VERB_MODIFY] = "Resource:1",
		[VERB_DELETE] = "Resource:1"},
	.words = &vocabulary,
	.add_words = &add_vocabulary,
	.run = {[VERB_ADD] = add,
		[VERB_MODIFY] = modify,
		[VERB_DELETE] = erase},
};
