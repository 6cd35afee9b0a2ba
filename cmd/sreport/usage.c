/*
 * What a cluster used in the window, by association: read once, then put
 * together as accounts, users or wckeys (Slurm's src/sreport/cluster_reports.c,
 * user_reports.c).
 */
#include "cmd/sreport/usage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/notice.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "db/entity/qos.h"

/* ---- reading ------------------------------------------------------------ */

struct privacy privacy_of(struct report_run *r, unsigned of)
{
	struct session *s = r->session;
	struct privacy privacy;

	if (privacy_open(&privacy, &s->site, of, &s->arena))
		cli_die(&s->err);
	return privacy;
}

/* The first report rolls up all records, which may take long. */
static void show_progress(int64_t from, int64_t at, int64_t until, void *arg)
{
	(void)arg;
	progress("rolling up the records", at - from, until - from);
}

static int roll_up(struct store *store, int64_t cluster)
{
	const struct rollup_watch watch = {show_progress, NULL};
	int rc = rollup_update(store, cluster, &watch);

	progress_end();
	return rc;
}

static bool has_capacity(const struct rollup_report *report)
{
	for (size_t i = 0; i < report->n_tres; i++)
		if (report->cluster[i].count)
			return true;
	return false;
}

void load_usage(struct report_run *r, const struct report_cluster *cluster,
	struct rollup_report *report)
{
	struct session *s = r->session;
	struct store *store = &s->site.store;

	if (roll_up(store, cluster->key) ||
		rollup_load(store, cluster->key, r->start, r->end, &s->arena,
			report))
		cli_die(&s->err);
	if (report->cells.n && !has_capacity(report))
		r->unknown = cluster->name;
}

/* Components of lineages: a name is smaller than its own extensions. */
static int compare_lineages(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (*a == *b)
		return 0;
	if (!*a || !*b)
		return *a ? 1 : -1;
	if (*a == '/' || *b == '/')
		return *a == '/' ? -1 : 1;
	return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

static int by_lineage(const void *a, const void *b)
{
	const struct tree_node *x = a, *y = b;

	return compare_lineages(x->assoc.lineage, y->assoc.lineage);
}

static bool is_below(const struct tree_node *node, const struct tree_node *top)
{
	size_t n = strlen(top->assoc.lineage);

	return !strncmp(node->assoc.lineage, top->assoc.lineage, n);
}

/* A row of an account; those of users have no rows below but their own. */
bool is_account(const struct tree_node *node)
{
	return !*node->assoc.user;
}

static void link_parents(struct tree_usage *u)
{
	size_t above = NO_NODE;

	for (size_t i = 0; i < u->n; i++) {
		while (above != NO_NODE &&
			!is_below(&u->nodes[i], &u->nodes[above]))
			above = u->nodes[above].parent;
		u->nodes[i].parent = above;
		if (is_account(&u->nodes[i]))
			above = i;
	}
}

static int by_key(const void *a, const void *b)
{
	const struct key_index *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static void index_keys(struct tree_usage *u, struct arena *arena)
{
	u->keys = arena_array(arena, u->n + 1, sizeof(*u->keys));
	for (size_t i = 0; i < u->n; i++)
		u->keys[i] = (struct key_index){u->nodes[i].assoc.key, i};
	qsort(u->keys, u->n, sizeof(*u->keys), by_key);
}

size_t usage_index(const struct tree_usage *u, int64_t key)
{
	struct key_index wanted = {key, 0}, *found;

	found = u->n ? bsearch(&wanted, u->keys, u->n, sizeof(wanted), by_key)
		     : NULL;
	return found ? found->index : NO_NODE;
}

void tree_read(struct report_run *r, const struct report_cluster *cluster,
	struct tree_usage *u)
{
	struct session *s = r->session;
	struct rollup_assocs assocs;

	*u = (struct tree_usage){.cluster = cluster};
	if (rollup_assocs_load(
		    &s->site.store, cluster->key, &s->arena, &assocs))
		cli_die(&s->err);
	u->n = assocs.n;
	u->nodes = arena_array(&s->arena, u->n + 1, sizeof(*u->nodes));
	for (size_t i = 0; i < u->n; i++)
		u->nodes[i].assoc = assocs.v[i];
	qsort(u->nodes, u->n, sizeof(*u->nodes), by_lineage);
	link_parents(u);
	index_keys(u, &s->arena);
}

void tree_usage_read(struct report_run *r, const struct report_cluster *cluster,
	struct tree_usage *u)
{
	tree_read(r, cluster, u);
	load_usage(r, cluster, &u->report);
}

/* A cluster that was not there in the window has no part in the report. */
bool usage_is_empty(const struct tree_usage *u)
{
	return !u->report.registered && !u->report.cells.n;
}

/* ---- amounts ------------------------------------------------------------ */

static size_t tres_index(const struct rollup_report *report, uint32_t id)
{
	size_t i = 0;

	while (i < report->n_tres && report->tres[i] != id)
		i++;
	return i;
}

int64_t amount_of(
	const struct rollup_report *report, const int64_t *secs, uint32_t id)
{
	size_t index = tres_index(report, id);

	return index < report->n_tres ? secs[index] : 0;
}

/* All that there was. */
static int64_t cluster_amount(const struct rollup_report *report, uint32_t id)
{
	size_t index = tres_index(report, id);

	return index < report->n_tres
		       ? cluster_usage_reported(&report->cluster[index])
		       : 0;
}

void add_secs(
	const struct rollup_report *report, int64_t *to, const int64_t *from)
{
	for (size_t i = 0; i < report->n_tres; i++)
		to[i] = usage_sum(to[i], from[i]);
}

int64_t *new_secs(const struct tree_usage *u, struct arena *arena)
{
	return arena_array(arena, u->report.n_tres + 1, sizeof(int64_t));
}

/* One row for each TRES asked for. */
void add_rows(struct report_run *r, struct rows *rows,
	const struct tree_usage *u, const struct row *like, const int64_t *secs)
{
	for (size_t i = 0; i < r->n_tres; i++) {
		struct row *row = ARENA_PUSH(
			&r->session->arena, rows->v, rows->n, rows->cap);

		*row = *like;
		row->cluster = u->cluster->name;
		row->tres = r->tres[i].name;
		row->amounts[AMOUNT_USED] =
			amount_of(&u->report, secs, r->tres[i].id);
		row->whole[AMOUNT_USED] =
			cluster_amount(&u->report, r->tres[i].id);
		row->amounts[AMOUNT_ENERGY] =
			amount_of(&u->report, secs, TRES_ENERGY);
		row->whole[AMOUNT_ENERGY] =
			cluster_amount(&u->report, TRES_ENERGY);
	}
}

/* ---- federations -------------------------------------------------------- */

static bool is_alike(const struct row *a, const struct row *b)
{
	return !strcmp(a->account, b->account) &&
	       !strcasecmp(a->login, b->login) && a->qos_id == b->qos_id &&
	       !strcmp(a->wckey ? a->wckey : "", b->wckey ? b->wckey : "") &&
	       !strcmp(a->tres, b->tres);
}

static void add_amounts(struct row *to, const struct row *from)
{
	for (size_t i = 0; i < AMOUNTS; i++)
		to->amounts[i] = usage_sum(to->amounts[i], from->amounts[i]);
}

/* What 100% is of one TRES: the sum over clusters. */
static void add_wholes(const struct rows *rows, struct row *row)
{
	const char *cluster = "";

	memset(row->whole, 0, sizeof(row->whole));
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *other = &rows->v[i];

		if (strcmp(other->tres, row->tres) ||
			!strcmp(other->cluster, cluster))
			continue;
		cluster = other->cluster;
		for (size_t a = 0; a < AMOUNTS; a++)
			row->whole[a] =
				usage_sum(row->whole[a], other->whole[a]);
	}
}

static void merge_row(
	struct report_run *r, struct rows *merged, const struct row *row)
{
	for (size_t i = 0; i < merged->n; i++)
		if (is_alike(&merged->v[i], row)) {
			add_amounts(&merged->v[i], row);
			return;
		}
	*ARENA_PUSH(&r->session->arena, merged->v, merged->n, merged->cap) =
		*row;
}

static int by_falling_use(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->amounts[AMOUNT_USED] != y->amounts[AMOUNT_USED])
		return x->amounts[AMOUNT_USED] > y->amounts[AMOUNT_USED] ? -1
									 : 1;
	return strcmp(x->login, y->login);
}

void merge_rows(struct report_run *r, struct rows *rows, size_t most)
{
	struct rows merged = {0};

	for (size_t i = 0; i < rows->n; i++)
		merge_row(r, &merged, &rows->v[i]);
	for (size_t i = 0; i < merged.n; i++)
		add_wholes(rows, &merged.v[i]);
	for (size_t i = 0; i < merged.n; i++)
		merged.v[i].cluster = arena_printf(
			&r->session->arena, "FED:%s", r->federation);
	if (most && r->n_tres == 1 && merged.n) {
		qsort(merged.v, merged.n, sizeof(*merged.v), by_falling_use);
		if (merged.n > most)
			merged.n = most;
	}
	*rows = merged;
}

/* ---- widths ------------------------------------------------------------- */

static bool has_energy(const struct report_run *r)
{
	for (size_t i = 0; i < r->output->n; i++) {
		const struct report_field *f = r->output->columns[i].field;

		if (f->kind == COLUMN_AMOUNT && f->amount == AMOUNT_ENERGY)
			return true;
	}
	return false;
}

/* The first row of a cluster, or where it has none the cluster itself,
 * decides; with Energy among the columns its CPUs do. */
void note_width(const struct report_run *r, const struct tree_usage *u,
	const int64_t *secs, struct widths *w)
{
	bool energy = has_energy(r);
	size_t n = energy ? 1 : r->n_tres;

	for (size_t i = 0; i < n; i++) {
		uint32_t id = energy ? TRES_CPU : r->tres[i].id;

		w->used =
			larger(w->used, secs ? amount_of(&u->report, secs, id)
					     : cluster_amount(&u->report, id));
	}
	w->energy = larger(
		w->energy, secs ? amount_of(&u->report, secs, TRES_ENERGY)
				: cluster_amount(&u->report, TRES_ENERGY));
}

void set_widths(struct report_run *r, const struct widths *w)
{
	widen(r, AMOUNT_USED, w->used);
	widen(r, AMOUNT_ENERGY, w->energy);
}

/* ---- names -------------------------------------------------------------- */

const char *qos_text(struct report_run *r, uint32_t id)
{
	struct session *s = r->session;
	const char *name;

	if (qos_name(&s->site.store, id, &s->arena, &name))
		cli_die(&s->err);
	return name;
}
