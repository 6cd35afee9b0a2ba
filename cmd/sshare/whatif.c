/*
 * sshare --what-if: every row before, after, and the difference, when
 * hypothetical changes are made in a private copy (db/whatif/whatif.h).
 */
#include "cmd/sshare/sshare.h"

#include <stdio.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/table/pairs.h"
#include "db/viewer/viewer.h"
#include "db/whatif/whatif.h"

/* ---- rows ----------------------------------------------------------------*/

static const struct share *share_of(const struct row *row)
{
	return &row->shares->v[row->index];
}

/* One blank more than the account above, if that is shown; see rows.c. */
static void set_indents(
	const struct session *s, struct row *rows, struct arena *arena)
{
	const struct shares *shares = rows->shares;
	unsigned *below = arena_array(arena, shares->n, sizeof(*below));

	for (uint32_t i = 0; i < shares->n; i++) {
		uint32_t parent = shares->tree.parent[i];

		if (s->options.users_only && !shares_is_user(shares, i))
			continue;
		if (!sshare_wanted(&s->filter, &shares->v[i]))
			continue;
		if (parent != FS_NO_PARENT)
			rows[i].indent = below[parent];
		below[i] = rows[i].indent + 1;
	}
}

static struct side load(struct session *s, struct store *store,
	const struct policy *policy, const char *cluster, struct arena *arena)
{
	struct shares *shares = arena_alloc(arena, sizeof(*shares));
	struct row *rows;

	if (shares_load(store, policy, cluster, s->at, sshare_details(&s->grid),
		    arena, shares))
		cli_die(&s->err);
	rows = arena_array(arena, shares->n, sizeof(*rows));
	for (uint32_t i = 0; i < shares->n; i++)
		rows[i] = (struct row){.shares = shares,
			.index = i,
			.fair_tree = policy->algorithm == FAIRSHARE_FAIR_TREE,
			.tres = &s->site.store.tres};
	if (shares->n && s->options.mode != TABLE_CSV)
		set_indents(s, rows, arena);
	return (struct side){rows, shares->n, sizeof(*rows)};
}

/* A key that has become free is given again, so names count too. */
static int identity(const void *x, const void *y)
{
	const struct share *a = share_of(x), *b = share_of(y);
	int order;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	order = strcmp(a->account, b->account);
	order = order ? order : strcmp(a->user, b->user);
	return order ? order : strcmp(a->partition, b->partition);
}

/* ---- printing ------------------------------------------------------------*/

static void put_numbers(struct session *s, struct json_object *record,
	const struct pair *pair, const struct member *m)
{
	char name[32], path[64];

	words_first(m->names, name, sizeof(name));
	for (int part = PART_BEFORE; part <= PART_DIFFERENCE; part++) {
		struct value value = pair_value(pair, m, part, &s->scratch);

		if (value.type == VALUE_INT)
			value = of_real((double)(int64_t)value.number);
		snprintf(path, sizeof(path), "%s/%s", name, part_names[part]);
		json_put(record, path, &value, &s->site.store.tres);
	}
}

static void write_pair(struct session *s, const struct pair *pair)
{
	const struct row *row = pair_row(pair);
	const struct share *share = share_of(row);
	struct json_object *record = json_record();

	json_put_int(record, "id", share->id);
	json_put_text(record, "cluster", row->shares->cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	for (size_t i = 0; i < s->columns.n; i++)
		if (pair_parts(&s->columns.v[i]) > 1)
			put_numbers(s, record, pair, &s->columns.v[i]);
	json_write(&s->doc, record);
}

static void tell(struct session *s, const struct pairs_grid *wide,
	const struct pair *pair)
{
	const struct row *row = pair_row(pair);
	bool is_user = shares_is_user(row->shares, row->index);

	if (!sshare_wanted(&s->filter, share_of(row)))
		return;
	arena_reset(&s->scratch);
	if (s->options.form)
		write_pair(s, pair);
	else if (!s->options.users_only || is_user)
		pairs_print(wide, pair);
}

static void compare_cluster(struct session *s, struct whatif *what,
	const struct pairs_grid *wide, const char *cluster)
{
	struct arena arena;
	struct side before, after;
	struct pairs pairs;

	arena_init(&arena);
	before = load(s, s->store, s->policy, cluster, &arena);
	after = load(s, &what->site.store, &what->site.conf.policy, cluster,
		&arena);
	if (!s->options.form)
		grid_heading(&wide->grid);
	pairs_match(&pairs, &before, &after, identity, &arena);
	pairs_in_order(&pairs, &before, &after, &arena);
	for (size_t i = 0; i < pairs.n; i++)
		tell(s, wide, &pairs.v[i]);
	arena_release(&arena);
}

int sshare_whatif(struct session *s, const struct strv *clusters)
{
	bool titles = s->options.clusters.text && !s->options.form &&
		      s->options.mode != TABLE_CSV;
	struct whatif what;
	struct pairs_grid wide;

	if (whatif_open(&what, &s->site, &s->options.what_if, s->at, true,
		    &s->err))
		cli_die(&s->err);
	pairs_grid_open(&wide, &s->grid);
	wide.quiet = s->options.mode == TABLE_FIXED;
	if (s->options.form)
		json_begin(&s->doc, stdout, s->options.form, "what_if");
	for (size_t i = 0; i < clusters->n; i++) {
		if (titles)
			viewer_title(clusters, i);
		compare_cluster(s, &what, &wide, clusters->v[i]);
	}
	if (s->options.form)
		cli_end_document(&s->doc, NULL);
	whatif_close(&what);
	return 0;
}
