/*
 * UserUtilizationByAccount, TopUsage and the two reports by wckey: rows by
 * user (spec/reporting.md 4.5).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sreport/usage.h"
#include "common/cli/cli.h"

/* A row while it is added up. */
struct person {
	const char *login, *account, *partition, *wckey;
	struct strv accounts; /* of a group */
	int64_t *secs;
	size_t order; /* in which it came */
	uint32_t sort_by;
	const struct tree_usage *usage;
	bool by_name;
};

struct people {
	struct person *v;
	size_t n, cap;
};

/* Own usage of every association, in the order of the tree. */
static int64_t **own_usage(struct report_run *r, const struct tree_usage *u)
{
	struct arena *arena = &r->session->arena;
	int64_t **own = arena_array(arena, u->n + 1, sizeof(*own));

	for (size_t i = 0; i < u->report.cells.n; i++) {
		const struct usage_cell *cell = &u->report.cells.v[i];
		size_t index = usage_index(u, cell->assoc);

		if (index == NO_NODE)
			continue;
		if (r->cond.qos.n &&
			!strv_has_nocase(&r->cond.qos, qos_text(r, cell->qos)))
			continue;
		if (!own[index])
			own[index] = new_secs(u, arena);
		add_secs(&u->report, own[index], cell->secs);
	}
	return own;
}

static bool wanted(const struct report_run *r, const struct privacy *privacy,
	const char *user, const char *account)
{
	if (!*user)
		return false;
	if (r->cond.users.n && !strv_has_nocase(&r->cond.users, user))
		return false;
	if (r->cond.accounts.n && !strv_has_nocase(&r->cond.accounts, account))
		return false;
	return privacy_allows(privacy, user, account);
}

/* Which rows are one: every partition, every account, or none. */
enum merge { MERGE_NOTHING, MERGE_PARTITIONS, MERGE_ACCOUNTS };

static bool is_same(
	const struct person *p, const struct rollup_assoc *a, enum merge merge)
{
	return merge == MERGE_ACCOUNTS ||
	       (merge == MERGE_PARTITIONS && !strcmp(p->account, a->account));
}

/* They come user by user. */
static struct person *person_of(struct report_run *r, struct people *people,
	const struct tree_usage *u, const struct rollup_assoc *a,
	enum merge merge)
{
	struct arena *arena = &r->session->arena;
	struct person *p;

	for (size_t i = people->n;
		i-- > 0 && !strcasecmp(people->v[i].login, a->user);)
		if (is_same(&people->v[i], a, merge))
			return &people->v[i];
	p = ARENA_PUSH(arena, people->v, people->n, people->cap);
	*p = (struct person){.login = a->user,
		.account = a->account,
		.partition = a->partition,
		.wckey = "",
		.secs = new_secs(u, arena),
		.order = people->n,
		.sort_by = TRES_CPU,
		.usage = u,
		.by_name = r->session->options.by_name};
	return p;
}

static int by_user(const void *a, const void *b)
{
	const struct rollup_assoc *x =
		&(*(const struct tree_node *const *)a)->assoc;
	const struct rollup_assoc *y =
		&(*(const struct tree_node *const *)b)->assoc;
	int order = strcasecmp(x->user, y->user);

	return order ? order
	       : *(const struct tree_node *const *)a <
			       *(const struct tree_node *const *)b
		       ? -1
		       : 1;
}

/* The nodes that used something, user by user. */
static struct tree_node **by_users(const struct tree_usage *u,
	int64_t *const *own, struct arena *arena, size_t *n)
{
	struct tree_node **v =
		arena_array(arena, u->n + 1, sizeof(struct tree_node *));

	*n = 0;
	for (size_t i = 0; i < u->n; i++)
		if (own[i])
			v[(*n)++] = &u->nodes[i];
	qsort(v, *n, sizeof(struct tree_node *), by_user);
	return v;
}

static void add_people(struct report_run *r, const struct tree_usage *u,
	enum merge merge, struct people *people)
{
	struct arena *arena = &r->session->arena;
	int64_t **own = own_usage(r, u);
	struct privacy privacy;
	size_t n;
	struct tree_node **nodes = by_users(u, own, arena, &n);

	if (privacy_open(&privacy, &r->session->site, PRIVATE_USAGE,
		    &r->session->arena))
		cli_die(&r->session->err);
	for (size_t i = 0; i < n; i++) {
		const struct rollup_assoc *a = &nodes[i]->assoc;
		struct person *p;

		if (!wanted(r, &privacy, a->user, a->account))
			continue;
		p = person_of(r, people, u, a, merge);
		add_secs(&u->report, p->secs, own[nodes[i] - u->nodes]);
		if (*a->partition && r->report->class == CLASS_USER)
			r->has_partitions = true;
		if (!strv_has(&p->accounts, a->account))
			strv_push(&p->accounts, arena, a->account);
	}
}

/* By falling use, or by name. */
static int by_use(const void *a, const void *b)
{
	const struct person *x = a, *y = b;
	int64_t use_x = amount_of(&x->usage->report, x->secs, x->sort_by);
	int64_t use_y = amount_of(&y->usage->report, y->secs, y->sort_by);
	int order;

	if (!x->by_name && use_x != use_y)
		return use_x > use_y ? -1 : 1;
	order = strcmp(x->login, y->login);
	if (order)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_people(struct people *people, uint32_t tres)
{
	for (size_t i = 0; i < people->n; i++)
		people->v[i].sort_by = tres;
	if (people->n)
		qsort(people->v, people->n, sizeof(*people->v), by_use);
}

static void add_person_rows(struct report_run *r, const struct tree_usage *u,
	const struct people *people, size_t most, struct rows *rows)
{
	for (size_t i = 0; i < people->n && i < most; i++) {
		const struct person *p = &people->v[i];
		struct row row = {.login = p->login,
			.account = strv_join(
				&p->accounts, ", ", &r->session->arena),
			.partition = p->partition,
			.wckey = p->wckey};

		add_rows(r, rows, u, &row, p->secs);
	}
}

/* ---- the reports -------------------------------------------------------- */

struct cluster_people {
	struct tree_usage usage;
	struct people people;
};

/* Reads the clusters that were there, and has their rows collected. */
static struct cluster_people *collect(struct report_run *r, size_t *n,
	void (*add)(struct report_run *, const struct tree_usage *,
		struct people *))
{
	struct cluster_people *v =
		arena_array(&r->session->arena, r->clusters.n + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 0; i < r->clusters.n; i++) {
		struct cluster_people *c = &v[*n];

		tree_usage_read(r, &r->clusters.v[i], &c->usage);
		if (usage_is_empty(&c->usage))
			continue;
		add(r, &c->usage, &c->people);
		++*n;
	}
	return v;
}

/* Widths go by CPU use, rows by the TRES given. */
static void print_people(struct report_run *r, struct cluster_people *v,
	size_t n, uint32_t sort_by, size_t most)
{
	struct widths widths = {0};
	struct rows rows = {0};

	choose_columns(r);
	for (size_t i = 0; i < n; i++) {
		struct people *people = &v[i].people;

		sort_people(people, TRES_CPU);
		note_width(r, &v[i].usage, people->n ? people->v[0].secs : NULL,
			&widths);
		sort_people(people, sort_by);
		add_person_rows(r, &v[i].usage, people,
			r->federation ? (size_t)-1 : most, &rows);
	}
	if (r->federation)
		merge_rows(r, &rows, most);
	set_widths(r, &widths);
	print_rows(r, &rows);
}

static void add_by_account(
	struct report_run *r, const struct tree_usage *u, struct people *people)
{
	add_people(r, u, MERGE_PARTITIONS, people);
}

void report_users(struct report_run *r)
{
	size_t n;
	struct cluster_people *v = collect(r, &n, add_by_account);

	print_people(r, v, n, TRES_CPU, (size_t)-1);
}

static void add_top(
	struct report_run *r, const struct tree_usage *u, struct people *people)
{
	add_people(
		r, u, r->cond.group ? MERGE_ACCOUNTS : MERGE_NOTHING, people);
}

void report_top(struct report_run *r)
{
	size_t n;
	/* Slurm looks at the count behind the first row. */
	size_t most = r->cond.top < 0	 ? (size_t)-1
		      : r->cond.top == 0 ? 1
					 : (size_t)r->cond.top;
	struct cluster_people *v = collect(r, &n, add_top);

	print_people(r, v, n, r->tres[0].id, most);
}

/* ---- wckeys ------------------------------------------------------------- */

static struct person *person_with(struct report_run *r, struct people *people,
	const struct tree_usage *u, const char *wckey, const char *login)
{
	struct arena *arena = &r->session->arena;
	struct person *p;

	for (size_t i = 0; i < people->n; i++)
		if (!strcmp(people->v[i].wckey, wckey) &&
			!strcasecmp(people->v[i].login, login))
			return &people->v[i];
	p = ARENA_PUSH(arena, people->v, people->n, people->cap);
	*p = (struct person){.login = login,
		.account = "",
		.partition = "",
		.wckey = wckey,
		.secs = new_secs(u, arena),
		.order = people->n,
		.usage = u,
		.by_name = r->session->options.by_name};
	return p;
}

static const char *user_of(const struct tree_usage *u, int64_t assoc)
{
	size_t index = usage_index(u, assoc);

	return index == NO_NODE ? "" : u->nodes[index].assoc.user;
}

/* `totals`: one more without login, of the whole wckey. */
static void add_wckeys(struct report_run *r, const struct tree_usage *u,
	struct people *people, bool totals)
{
	struct privacy privacy;

	if (privacy_open(&privacy, &r->session->site, PRIVATE_USAGE,
		    &r->session->arena))
		cli_die(&r->session->err);
	for (size_t i = 0; i < u->report.cells.n; i++) {
		const struct usage_cell *cell = &u->report.cells.v[i];
		const char *user = user_of(u, cell->assoc);

		if (!*cell->wckey || !wanted(r, &privacy, user, ""))
			continue;
		if (r->cond.wckeys.n &&
			!strv_has_nocase(&r->cond.wckeys, cell->wckey))
			continue;
		if (totals)
			add_secs(&u->report,
				person_with(r, people, u, cell->wckey, "")
					->secs,
				cell->secs);
		add_secs(&u->report,
			person_with(r, people, u, cell->wckey, user)->secs,
			cell->secs);
	}
}

static void add_user_wckeys(
	struct report_run *r, const struct tree_usage *u, struct people *people)
{
	add_wckeys(r, u, people, false);
}

void report_user_wckeys(struct report_run *r)
{
	size_t n;
	struct cluster_people *v = collect(r, &n, add_user_wckeys);

	print_people(r, v, n, TRES_CPU, (size_t)-1);
}

static int by_wckey(const void *a, const void *b)
{
	const struct person *x = a, *y = b;
	int order = strcmp(x->wckey, y->wckey);

	return order ? order : strcmp(x->login, y->login);
}

static void add_wckey_totals(
	struct report_run *r, const struct tree_usage *u, struct people *people)
{
	add_wckeys(r, u, people, true);
	if (people->n)
		qsort(people->v, people->n, sizeof(*people->v), by_wckey);
}

void report_wckeys(struct report_run *r)
{
	size_t n;
	struct cluster_people *v = collect(r, &n, add_wckey_totals);
	struct widths widths = {0};
	struct rows rows = {0};

	choose_columns(r);
	for (size_t i = 0; i < n; i++) {
		struct people *people = &v[i].people;

		note_width(r, &v[i].usage, people->n ? people->v[0].secs : NULL,
			&widths);
		add_person_rows(r, &v[i].usage, people, (size_t)-1, &rows);
	}
	if (r->federation)
		merge_rows(r, &rows, 0);
	set_widths(r, &widths);
	print_rows(r, &rows);
}
