/*
 * scontrol show aliases, federation, licenses, topology: what slurm.conf and the
 * store tell of the cluster itself. Forms are those of Slurm 26.05 (scontrol/info_lics.c,
 * api/federation_info.c).
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/cli/cli.h"
#include "db/entity/cluster.h"
#include "db/entity/resource.h"

/* ---- aliases -------------------------------------------------------------*/

/* The nodes that are on the host, on one line; none: no line. */
static bool print_aliases(struct session *s, const char *host)
{
	const struct conf *conf = &s->site.conf;
	bool any = false;

	for (size_t i = 0; i < conf->n_nodes; i++)
		if (!strcmp(conf->nodes[i].host, host)) {
			printf("%s%s", any ? " " : "", conf->nodes[i].name);
			any = true;
		}
	if (any)
		putchar('\n');
	return any;
}

void show_aliases(struct session *s, const char *name)
{
	char host[256] = "localhost";

	scontrol_load(s);
	if (name) {
		print_aliases(s, name);
		return;
	}
	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ".")] = '\0';
	if (!print_aliases(s, host))
		print_aliases(s, "localhost");
}

/* ---- topology ------------------------------------------------------------*/

/* Of a flat one there is nothing to show; topology.conf is not read here. */
void show_topology(struct session *s, const char *name)
{
	const char *plugin;

	(void)name;
	scontrol_load(s);
	plugin = conf_pairs_get(&s->site.conf.all, "TopologyPlugin");
	if (!plugin || !strcasecmp(plugin, "topology/flat"))
		return;
	cli_error("show topology: only a controller knows this of %s, and none "
		  "is here",
		plugin);
	s->status = 1;
}

/* ---- federation ----------------------------------------------------------*/

static void print_member(const struct cluster *c, bool self)
{
	printf("%-11s %s:%s:%u ID:%u FedState:%s Features:%s",
		self ? "Self:" : "Sibling:", c->name, c->control_host,
		c->control_port, c->fed_id, c->fed_state_text,
		c->features_text);
	puts(self ? "" : " PersistConnSend/Recv:No/No Synced:No");
}

void show_federation(struct session *s, const char *name)
{
	struct cluster_cond cond = {0};
	struct cluster_list list;
	const struct cluster *own = NULL;

	(void)name;
	scontrol_open(s);
	if (cluster_list(&s->site.store, &cond, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++)
		if (!strcmp(list.v[i].name, s->site.cluster))
			own = &list.v[i];
	if (!own || !*own->federation)
		return;
	printf("%-11s %s\n", "Federation:", own->federation);
	print_member(own, true);
	for (size_t i = 0; i < list.n; i++)
		if (&list.v[i] != own &&
			!strcmp(list.v[i].federation, own->federation))
			print_member(&list.v[i], false);
}

/* ---- licenses ------------------------------------------------------------*/

struct license {
	const char *name;
	uint64_t total, used;
	const struct resource *remote; /* NULL: of slurm.conf */
};

/* What was consumed beyond what others may have and we hold. */
static uint64_t deficit(const struct license *row)
{
	uint64_t known = row->remote->count - row->total + row->used;
	uint64_t consumed = row->remote->last_consumed;

	return consumed > known ? consumed - known : 0;
}

#define GET(name, expression) GETTER(name, struct license, expression)
GET(free, of_uint(row->total > row->used ? row->total - row->used : 0))
GET(remote, of_text(row->remote ? "yes" : "no"))
GET(consumed, row->remote ? of_uint(row->remote->last_consumed) : no_value())
GET(deficit, row->remote ? of_uint(deficit(row)) : no_value())
GET(document_remote, of_bool(row->remote != NULL))
GET(document_consumed, of_uint(row->remote ? row->remote->last_consumed : 0))
GET(document_deficit, of_uint(row->remote ? deficit(row) : 0))

/* clang-format off */
#define AT(type_, member) .type = MEMBER_##type_, .offset = offsetof(struct license, member)
#define LINE .marks = SHOWN_LINE
static const struct member rows[] = {
	{.names = "LicenseName", AT(TEXT, name)},
	{.names = "Total", AT(COUNT64, total), LINE},
	{.names = "Used", AT(COUNT64, used)},
	{.names = "Free", .get = get_free},
	{.names = "Reserved", SAME_UINT(0)},
	{.names = "Remote", .get = get_remote},
	{.names = "LastConsumed", .get = get_consumed, LINE},
	{.names = "LastDeficit", .get = get_deficit},
};

static const struct member records[] = {
	{.json = "LicenseName", AT(TEXT, name)},
	{.json = "Total", AT(COUNT64, total)},
	{.json = "Used", AT(COUNT64, used)},
	{.json = "Free", .get = get_free},
	{.json = "Remote", .get = get_document_remote},
	{.json = "Reserved", SAME_UINT(0)},
	{.json = "LastConsumed", .get = get_document_consumed},
	{.json = "LastDeficit", .get = get_document_deficit},
	{.json = "Nodes", .constant = ""},
};
/* clang-format on */
static const struct members shown = MEMBERS(rows);
static const struct members documented = MEMBERS(records);

struct license_list {
	struct license *v;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct license *)a)->name, ((const struct license *)b)->name);
}

/* Those of slurm.conf, then those that the store gives the cluster. */
static void read_licenses(struct session *s, struct license_list *all)
{
	const struct conf *conf = &s->site.conf;
	struct resource_cond cond = {0};
	struct resource_list list = {0};

	for (size_t i = 0; i < conf->n_licenses; i++)
		*ARENA_PUSH(s->arena, all->v, all->n, all->cap) = (struct license){
			.name = conf->licenses[i].name,
			.total = conf->licenses[i].count,
			.used = s->machine.plan.schedule.licenses_used[i]};
	strv_push(&cond.clusters, s->arena, s->site.cluster);
	if (s->site.store.db &&
		resource_list(&s->site.store, &cond, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < list.n; i++)
		*ARENA_PUSH(s->arena, all->v, all->n, all->cap) = (struct license){
			.name = arena_printf(s->arena, "%s@%s",
				list.v[i].name, list.v[i].server),
			.total = list.v[i].shares[0].count_allowed,
			.remote = &list.v[i]};
	qsort(all->v, all->n, sizeof(*all->v), by_name);
}

static void print_license(struct session *s, const struct license *row,
	struct json_doc *doc)
{
	if (doc) {
		scontrol_show(s, doc, &shown, &documented, row);
		return;
	}
	scontrol_fields(s, &shown, row, "\n    ");
	putchar('\n');
}

void show_licenses(struct session *s, const char *name)
{
	struct license_list all = {0};
	struct json_doc whole, *doc;
	bool found = false;

	scontrol_load(s);
	read_licenses(s, &all);
	doc = scontrol_begin(s, &whole, "licenses");
	if (!doc && !all.n)
		puts("No licenses configured in Slurm.");
	for (size_t i = 0; i < all.n; i++) {
		if (name && !doc && strcmp(name, all.v[i].name))
			continue;
		found = true;
		print_license(s, &all.v[i], doc);
	}
	if (name && all.n && !doc && !found) {
		cli_error("query \"%s\" matched zero licenses.", name);
		s->status = 1;
	}
	scontrol_end(s, doc, NULL);
}
