/*
 * UserUtilizationByAccount, TopUsage and the two reports by wckey: rows by user
 * (Slurm's src/sreport/user_reports.c).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sreport/usage.h"

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

static struct person *add_person(
	struct report_run *r, struct people *people, const struct tree_usage *u)
{
	struct arena *arena = &r->session->arena;
	struct person *p = ARENA_PUSH(arena, people->v, people->n, people->cap);

	*p = (struct person){.account = "",
		.partition = "",
		.wckey = "",
		.secs = new_secs(u, arena),
		.order = people->n,
		.usage = u,
		.by_name = r->session->options.by_name};
	return p;
}

/* They come user by user. */
static struct person *person_of(struct report_run *r, struct people *people,
	const struct tree_usage *u, const struct rollup_assoc *a, enum merge merge)
{
	struct person *p;

	for (size_t i = people->n;
		i-- > 0 && !strcasecmp(people->v[i].login, a->user);)
		if (is_same(&people->v[i], a, merge))
			return &people->v[i];
	p = add_person(r, people, u);
	p->login = a->user;
	p->account = a->account;
	p->partition = a->partition;
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
	const struct privacy privacy = privacy_of(r, PRIVATE_USAGE);
	size_t n;
	struct tree_node **nodes = by_users(u, own, arena, &n);

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

/* ---- wckeys ------------------------------------------------------------- */

static struct person *person_with(struct report_run *r, struct people *people,
	const struct tree_usage *u, const char *wckey, const char *login)
{
	struct person *p;

	for (size_t i = 0; i < people->n; i++)
		if (!strcmp(people->v[i].wckey, wckey) &&
			!strcasecmp(people->v[i].login, login))
			return &people->v[i];
	p = add_person(r, people, u);
	p->login = login;
	p->wckey = wckey;
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
	const struct privacy privacy = privacy_of(r, PRIVATE_USAGE);

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

static int by_wckey(const void *a, const void *b)
{
	const struct person *x = a, *y = b;
	int order = strcmp(x->wckey, y->wckey);

	return order ? order : strcmp(x->login, y->login);
}

/* ---- the reports -------------------------------------------------------- */

struct cluster_people {
	struct tree_usage usage;
	struct people people;
};

static void collect(struct report_run *r, struct cluster_people *c)
{
	enum report_by by = r->report->by;

	if (by == BY_WCKEY || by == BY_USER_WCKEY)
		add_wckeys(r, &c->usage, &c->people, by == BY_WCKEY);
	else
		add_people(r, &c->usage,
			by == BY_ACCOUNT     ? MERGE_PARTITIONS
			: r->cond.group ? MERGE_ACCOUNTS
					: MERGE_NOTHING,
			&c->people);
}

/* Reads the clusters that were there, and collects their rows. */
static struct cluster_people *collect_all(struct report_run *r, size_t *n)
{
	struct cluster_people *v =
		arena_array(&r->session->arena, r->clusters.n + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 0; i < r->clusters.n; i++) {
		tree_usage_read(r, &r->clusters.v[i], &v[*n].usage);
		if (usage_is_empty(&v[*n].usage))
			continue;
		collect(r, &v[*n]);
		++*n;
	}
	return v;
}

static void sort_people(
	const struct report_run *r, struct people *people, uint32_t tres)
{
	for (size_t i = 0; i < people->n; i++)
		people->v[i].sort_by = tres;
	if (people->n)
		qsort(people->v, people->n, sizeof(*people->v),
			r->report->by == BY_WCKEY ? by_wckey : by_use);
}

/* How many rows of each cluster; Slurm looks at the count behind the first. */
static size_t most_rows(const struct report_run *r)
{
	if (r->report->by != BY_USE || r->cond.top < 0)
		return (size_t)-1;
	return r->cond.top ? (size_t)r->cond.top : 1;
}

/* Widths go by CPU use, rows of the top by the TRES given. */
void report_people(struct report_run *r)
{
	uint32_t sort_by = r->report->by == BY_USE ? r->tres[0].id : TRES_CPU;
	size_t n, most = most_rows(r);
	struct cluster_people *v = collect_all(r, &n);
	struct widths widths = {0};
	struct rows rows = {0};

	choose_columns(r);
	for (size_t i = 0; i < n; i++) {
		struct people *people = &v[i].people;

		sort_people(r, people, TRES_CPU);
		note_width(r, &v[i].usage, people->n ? people->v[0].secs : NULL,
			&widths);
		sort_people(r, people, sort_by);
		add_person_rows(r, &v[i].usage, people,
			r->federation ? (size_t)-1 : most, &rows);
	}
	if (r->federation)
		merge_rows(r, &rows, r->report->by == BY_WCKEY ? 0 : most);
	set_widths(r, &widths);
	print_rows(r, &rows);
}
