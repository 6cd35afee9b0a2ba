/*
 * sshare --what-if: every row before, after, and the difference, when changes
 * that nobody has made are carried out on a private copy (db/whatif/whatif.h).
 */
#include "cmd/sshare/sshare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/whatif/whatif.h"

/* One of the two listings that are compared. */
struct side {
	struct store *store;
	const struct policy *policy;
	struct shares shares;
	struct shares_index *index;
	unsigned *indent; /* of each row, where it is shown */
};

struct comparison {
	struct session *s;
	struct side before, after;
	struct whatif what;
	/* The columns, and which of the three each is. */
	struct grid wide;
	int *part;
};

enum { BEFORE, AFTER, DIFFERENCE };

/* ---- columns -------------------------------------------------------------*/

static bool is_number(const struct member *m)
{
	return m->names && m->arg & SHARE_NUMBER;
}

static void add_part(struct comparison *c, const struct table_column *head,
	const struct member *m, int part)
{
	static const char *const heads[] = {NULL, "IfSo", "Difference"};
	struct table_column column = *head;

	if (part) {
		column.heading = heads[part];
		column.width = column.width < 10 ? 10 : column.width;
	}
	if (part && c->s->options.mode != TABLE_FIXED)
		column.heading = arena_printf(
			c->wide.arena, "%s%s", head->heading, heads[part]);
	c->part[c->wide.table.n] = part;
	grid_add_as(&c->wide, m, &column);
}

static void widen(struct comparison *c)
{
	const struct grid *own = &c->s->grid;

	c->wide = *own;
	grid_restart(&c->wide, own->members);
	c->part = arena_array(own->arena, own->table.n * 3, sizeof(*c->part));
	for (size_t i = 0; i < own->table.n; i++) {
		const struct member *m = own->columns[i];
		int parts = is_number(m) ? 3 : 1;

		for (int part = 0; m->names && part < parts; part++)
			add_part(c, &own->table.columns[i], m, part);
	}
}

/* ---- rows ----------------------------------------------------------------*/

static struct row row_of(
	const struct comparison *c, const struct side *side, uint32_t place)
{
	return (struct row){.shares = &side->shares,
		.index = place,
		.indent = c->s->options.mode == TABLE_CSV ? 0
							  : side->indent[place],
		.fair_tree = side->policy->algorithm == FAIRSHARE_FAIR_TREE,
		.tres = &c->s->site.store.tres};
}

static struct value get(const struct comparison *c, const struct side *side,
	uint32_t place, const struct member *m)
{
	struct row row;

	if (place == UINT32_MAX)
		return no_value();
	row = row_of(c, side, place);
	return member_value(m, &row, &c->s->scratch);
}

static double number_of(const struct value *value)
{
	return value->type == VALUE_REAL ? value->real : (double)value->number;
}

/* NO_VAL is none: the cell stays blank. */
static bool has_number(const struct value *value)
{
	if (value->type == VALUE_UINT)
		return true;
	return value->type == VALUE_REAL && isfinite(value->real) &&
	       value->real < NO_VAL;
}

/* Nothing where one of the two is no number; to people, where it is 0, too. */
static struct value difference_of(const struct comparison *c,
	const struct value *a, const struct value *b)
{
	double difference;

	if (!has_number(a) || !has_number(b))
		return no_value();
	difference = number_of(b) - number_of(a);
	if (c->s->options.mode == TABLE_FIXED && fabs(difference) < 5e-7)
		return no_value();
	return of_text(arena_printf(&c->s->scratch, "%+.*f",
		a->type == VALUE_REAL ? 6 : 0,
		no_minus_zero(difference, a->type == VALUE_REAL ? 6 : 0)));
}

/* The places of the association on both sides, UINT32_MAX where it is not. */
struct pair {
	uint32_t before, after;
};

static struct value cell(
	const struct comparison *c, const struct pair *pair, size_t i)
{
	const struct member *m = c->wide.columns[i];
	struct value before = get(c, &c->before, pair->before, m);
	struct value after = get(c, &c->after, pair->after, m);

	if (!is_number(m))
		return pair->after != UINT32_MAX ? after : before;
	if (c->part[i] == DIFFERENCE)
		return difference_of(c, &before, &after);
	return c->part[i] == BEFORE ? before : after;
}

static void print_pair(const struct comparison *c, const struct pair *pair)
{
	struct session *s = c->s;
	size_t n = c->wide.table.n;
	struct value *values;

	arena_reset(&s->scratch);
	values = arena_array(&s->scratch, n, sizeof(*values));
	for (size_t i = 0; i < n; i++)
		values[i] = cell(c, pair, i);
	table_row(&c->wide.table, values);
}

static void put_numbers(const struct comparison *c, const struct pair *pair,
	struct json_object *record, const struct member *m)
{
	static const char *const names[] = {"before", "after", "difference"};
	char name[32], path[64];
	struct value values[3] = {get(c, &c->before, pair->before, m),
		get(c, &c->after, pair->after, m), no_value()};

	if (has_number(&values[0]) && has_number(&values[1]))
		values[2] = of_real(number_of(&values[1]) -
				    number_of(&values[0]));
	words_first(m->names, name, sizeof(name));
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", name, names[i]);
		json_put(record, path, &values[i], &c->s->site.store.tres);
	}
}

static void write_pair(const struct comparison *c, const struct pair *pair)
{
	bool here = pair->after != UINT32_MAX;
	const struct side *side = here ? &c->after : &c->before;
	const struct share *share =
		&side->shares.v[here ? pair->after : pair->before];
	struct json_object *record = json_record();

	arena_reset(&c->s->scratch);
	json_put_int(record, "id", share->id);
	json_put_text(record, "cluster", side->shares.cluster);
	json_put_text(record, "account", share->account);
	json_put_text(record, "user", share->user);
	json_put_text(record, "partition", share->partition);
	for (size_t i = 0; i < c->s->columns.n; i++)
		if (is_number(&c->s->columns.v[i]))
			put_numbers(c, pair, record, &c->s->columns.v[i]);
	json_write(&c->s->doc, record);
}

/* ---- all rows of both ----------------------------------------------------*/

/* One blank more than the account above, if that is shown; see rows.c. */
static void set_indents(
	const struct comparison *c, struct side *side, struct arena *arena)
{
	const struct shares *shares = &side->shares;
	unsigned *below = arena_array(arena, shares->n, sizeof(*below));

	side->indent = arena_array(arena, shares->n, sizeof(*side->indent));
	for (uint32_t i = 0; i < shares->n; i++) {
		const struct fs_node *node = &shares->nodes[i];

		if (c->s->options.users_only && !node->is_user)
			continue;
		if (!sshare_wanted(&c->s->filter, &shares->v[i]))
			continue;
		if (node->parent != FS_NO_PARENT)
			side->indent[i] = below[node->parent];
		below[i] = side->indent[i] + 1;
	}
}

static void load_side(const struct comparison *c, struct side *side,
	const char *cluster, struct arena *arena)
{
	if (shares_load(side->store, side->policy, cluster, c->s->at,
		    sshare_details(&c->s->grid), arena, &side->shares))
		cli_die(&c->s->err);
	side->index = shares_index(&side->shares, arena);
	set_indents(c, side, arena);
}

static void tell_pair(const struct comparison *c, struct pair pair)
{
	bool here = pair.after != UINT32_MAX;
	const struct shares *shares =
		here ? &c->after.shares : &c->before.shares;
	uint32_t place = here ? pair.after : pair.before;

	if (!sshare_wanted(&c->s->filter, &shares->v[place]))
		return;
	if (c->s->options.form)
		write_pair(c, &pair);
	else if (!c->s->options.users_only || shares->nodes[place].is_user)
		print_pair(c, &pair);
}

/* The same association on the other side, or UINT32_MAX. A key that has become
 * free is given again, so names count too. */
static uint32_t other_place(
	const struct side *from, uint32_t place, const struct side *to)
{
	const struct share *a = &from->shares.v[place], *b;
	uint32_t found = shares_find(to->index, a->key);

	if (found == UINT32_MAX)
		return found;
	b = &to->shares.v[found];
	return strcmp(a->account, b->account) || strcmp(a->user, b->user) ||
			       strcmp(a->partition, b->partition)
		       ? UINT32_MAX
		       : found;
}

/* In the order of `after`; what is no more stands where it stood. */
static void tell_all(const struct comparison *c)
{
	uint32_t n = c->after.shares.n, old_n = c->before.shares.n, j = 0;

	for (uint32_t i = 0; i <= n; i++) {
		struct pair pair = {UINT32_MAX, i};

		for (; j < old_n; j++) {
			if (other_place(&c->before, j, &c->after) != UINT32_MAX)
				break;
			tell_pair(c, (struct pair){j, UINT32_MAX});
		}
		if (i == n)
			break;
		pair.before = other_place(&c->after, i, &c->before);
		tell_pair(c, pair);
		if (j < old_n && pair.before != UINT32_MAX)
			j++;
	}
}

static void compare_cluster(struct comparison *c, const char *cluster)
{
	struct arena arena;

	arena_init(&arena);
	load_side(c, &c->before, cluster, &arena);
	load_side(c, &c->after, cluster, &arena);
	if (!c->s->options.form)
		grid_heading(&c->wide);
	tell_all(c);
	arena_release(&arena);
}

/* ---- preparing -----------------------------------------------------------*/

static void open_sides(struct comparison *c)
{
	struct session *s = c->s;

	if (whatif_open(&c->what, &s->site, &s->options.what_if, s->at, true,
		    &s->err))
		cli_die(&s->err);
	c->before = (struct side){.store = s->store, .policy = s->policy};
	c->after = (struct side){.store = &c->what.site.store,
		.policy = &c->what.site.conf.policy};
}

int sshare_whatif(struct session *s, const struct strv *clusters)
{
	struct comparison c = {.s = s};

	open_sides(&c);
	widen(&c);
	if (s->options.form)
		json_begin(&s->doc, stdout, s->options.form, "what_if");
	for (size_t i = 0; i < clusters->n; i++) {
		if (s->options.clusters_text && !s->options.form &&
			s->options.mode != TABLE_CSV)
			printf("%sCLUSTER: %s\n", i ? "\n" : "",
				clusters->v[i]);
		compare_cluster(&c, clusters->v[i]);
	}
	if (s->options.form)
		session_end_document(s, NULL);
	whatif_close(&c.what);
	return 0;
}
