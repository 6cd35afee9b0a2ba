#include "db/entity/initial.h"

#include <string.h>

#include "db/entity/account.h"
#include "db/entity/cluster.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"
#include "db/store/query.h"
#include "db/store/txn.h"

static const struct tres fixed_tres[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_ENERGY, "energy", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", ""},
	{TRES_FS_DISK, "fs", "disk"},
	{TRES_VMEM, "vmem", ""},
	{TRES_PAGES, "pages", ""},
};

static int insert_tres(struct store *store, const struct tres *tres)
{
	return store_run(store,
		"INSERT INTO tres (id, type, name, created)"
		" VALUES (:id, :type, :name, :now)",
		bind_int(":id", tres->id), bind_text(":type", tres->type),
		bind_text(":name", tres->name), bind_int(":now", store->now));
}

static int insert_root_records(struct store *store)
{
	struct setting v[] = {
		{.attr = qos_attr(description), .text = "Normal QOS default"},
		{.attr = qos_attr(preempt_mode)}, /* not even "cluster" */
	};
	const struct settings normal = {.v = v, .n = 2};

	return any_failed(
		qos_add(store, "normal", &normal, &store->arena) ||
		account_add(store, "root", "default root account", "root", 0) ||
		user_add(store, "root", ADMIN_ADMINISTRATOR));
}

/* A new store logs what a controller that registers itself would. */
static int insert_cluster(struct store *store, const char *name)
{
	struct settings none = {0};

	if (cluster_add(store, name, &none, &store->arena))
		return -1;
	return txn_add(store, TXN_MODIFY_CLUSTERS, "",
		arena_printf(&store->arena, "(name='%s')", name), "");
}

/* The next free number; 0: the store has it. */
static uint32_t number_of_new(const struct store *store, const struct tres *tres)
{
	uint32_t id = TRES_FIRST_SITE;

	for (size_t i = 0; i < store->tres.n; i++) {
		const struct tres *known = &store->tres.v[i];

		if (!strcmp(known->type, tres->type) &&
			!strcmp(known->name, tres->name))
			return 0;
		if (known->id >= id)
			id = known->id + 1;
	}
	return id;
}

static int add_tres(struct store *store, const struct tres *tres)
{
	return any_failed(
		insert_tres(store, tres) ||
		txn_add(store, TXN_ADD_TRES, "",
			arena_printf(&store->arena, "id=%u", tres->id),
			arena_printf(&store->arena, "type='%s', name='%s'",
				tres->type, tres->name)) ||
		store_load_catalogs(store));
}

/* A copy of the catalogue with one more. */
static int know_tres(struct store *store, const struct tres *tres)
{
	struct tres_catalog *all = &store->tres;
	struct tres *v = arena_alloc(&store->arena, (all->n + 1) * sizeof(*v));

	if (all->n)
		memcpy(v, all->v, all->n * sizeof(*v));
	v[all->n] = *tres;
	*all = (struct tres_catalog){v, all->n + 1};
	return 0;
}

typedef int put_function(struct store *, const struct tres *);

static int put_tres(struct store *store, const char *full_name, put_function *put)
{
	const char *slash = strchr(full_name, '/');
	struct tres tres = {.type = full_name, .name = ""};

	if (slash) {
		tres.type = arena_strndup(&store->arena, full_name,
			(size_t)(slash - full_name));
		tres.name = slash + 1;
	}
	tres.id = number_of_new(store, &tres);
	return tres.id ? put(store, &tres) : 0;
}

static int put_all(
	struct store *store, const struct strv *names, put_function *put)
{
	for (size_t i = 0; names && i < names->n; i++) {
		const char *name = names->v[i];

		if (!*name)
			continue;
		if (put_tres(store, name, put))
			return -1;
		if (strcmp(name, "gres/gpu"))
			continue;
		if (put_tres(store, "gres/gpumem", put) ||
			put_tres(store, "gres/gpuutil", put))
			return -1;
	}
	return 0;
}

int initial_put_tres(struct store *store, const struct strv *names)
{
	return put_all(store, names, add_tres);
}

void initial_know_tres(struct store *store, const struct strv *names)
{
	(void)put_all(store, names, know_tres);
}

int initial_fill(struct store *store, const struct store_options *options)
{
	for (size_t i = 0; i < sizeof(fixed_tres) / sizeof(*fixed_tres); i++)
		if (insert_tres(store, &fixed_tres[i]))
			return -1;
	if (insert_root_records(store) || store_load_catalogs(store) ||
		insert_cluster(store, options->cluster))
		return -1;
	return initial_put_tres(store, options->tres);
}

void initial_fixed_tres(struct store *store)
{
	store->tres = (struct tres_catalog){
		fixed_tres, sizeof(fixed_tres) / sizeof(*fixed_tres)};
}

static bool lacks_tres(const struct store *store, const struct strv *names)
{
	for (size_t i = 0; names && i < names->n; i++)
		if (*names->v[i] && !tres_by_name(&store->tres, names->v[i]))
			return true;
	return false;
}

int initial_add_tres(struct store *store, const struct strv *names)
{
	if (!lacks_tres(store, names))
		return 0;
	if (store_begin(store))
		return -1;
	if (store_load_catalogs(store) || initial_put_tres(store, names)) {
		store_rollback(store);
		return -1;
	}
	return store_commit(store, "AccountingStorageTRES");
}
