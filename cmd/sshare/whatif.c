/*
 * sshare --what-if: every row before, after, and the difference, when
 * hypothetical changes are made in a private copy (db/whatif/whatif.h).
 */
#include "cmd/sshare/sshare.h"

#include <stdio.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/viewer/viewer.h"
#include "db/whatif/whatif.h"

/* ---- rows ----------------------------------------------------------------*/

static const struct share *share_of(const struct row *row)
{
	return &row->shares->v[row->index];
}

struct kept_rows {
	struct row *v;
	size_t n;
	bool flat; /* a name is a name, without blanks before it */
};

static void keep(const struct row *row, void *arg)
{
	struct kept_rows *kept = arg;
	struct row *at = &kept->v[kept->n++];

	*at = *row;
	at->by_algorithm = NULL; /* it does not last as long */
	if (kept->flat)
		at->indent = 0;
}

static struct side load(struct session *s, struct store *store,
	const struct policy *policy, const char *cluster, struct arena *arena)
{
	struct shares *shares = arena_alloc(arena, sizeof(*shares));
	struct kept_rows kept = {.flat = s->options.mode == TABLE_CSV};

	if (shares_load(store, policy, cluster, s->at, sshare_details(&s->grid),
		    arena, shares))
		cli_die(&s->err);
	kept.v = arena_array(arena, shares->n, sizeof(*kept.v));
	sshare_each(shares, &s->filter, &s->site, policy, &s->options,
		&s->scratch, keep, &kept);
	return (struct side){kept.v, kept.n, sizeof(*kept.v)};
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

static void put_numbers(struct json_object *record, const struct pair *pair,
	const struct member *m, struct arena *arena)
{
	const struct row *row = pair_row(pair);
	char name[32], path[64];

	words_first(m->names, name, sizeof(name));
	for (enum pair_part part = PART_BEFORE; part <= PART_DIFFERENCE; part++) {
		struct value value = pair_value(pair, m, part, arena);

		if (value.type == VALUE_INT)
			value = of_real((double)(int64_t)value.number);
		snprintf(path, sizeof(path), "%s/%s", name, part_names[part]);
		json_put(record, path, &value, row->tres);
	}
}

static struct json_object *record_of(const void *pair, struct arena *arena)
{
	const struct row *row = pair_row(pair);
	const struct share *share = share_of(row);
	const struct members columns = share_columns(arena);
	struct json_object *record = json_record();

	json_put_int(record, "id", share->id);
	json_put_text(record, "cluster", row->shares->cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	for (size_t i = 0; i < columns.n; i++)
		if (pair_parts(&columns.v[i]) > 1)
			put_numbers(record, pair, &columns.v[i], arena);
	return record;
}

static void compare_cluster(
	struct session *s, struct whatif *what, const char *cluster)
{
	struct arena arena;
	struct side before, after;
	struct pairs pairs;

	arena_init(&arena);
	before = load(s, s->store, s->policy, cluster, &arena);
	after = load(s, &what->site.store, &what->site.conf.policy, cluster,
		&arena);
	pairs_match(&pairs, &before, &after, identity, &arena);
	pairs_in_order(&pairs, &before, &after, &arena);
	printout_rows(&s->out, pairs.v, pairs.n, sizeof(*pairs.v));
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
	if (!s->options.format)
		cli_fit(&wide.grid.table);
	wide.quiet = s->options.mode == TABLE_FIXED;
	s->out.pairs = &wide;
	s->out.list = "what_if";
	s->out.record = record_of;
	s->out.flat = false;
	for (size_t i = 0; i < clusters->n; i++) {
		if (titles)
			viewer_title(clusters, i);
		if (!i || !s->options.form)
			printout_begin(&s->out);
		compare_cluster(s, &what, clusters->v[i]);
	}
	printout_end(&s->out, NULL);
	whatif_close(&what);
	return 0;
}
