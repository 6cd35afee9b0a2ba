/*
 * The rules of accounts, users, associations and QOS a second time, plain and
 * slow: a few arrays, every list walked from its beginning. Random histories of
 * operations go to both; then both are asked for the whole tree, with what each
 * association has from above. Chance is seeded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/session_fixture.h"

enum { NOW = 1780000000, HISTORIES = 25, STEPS = 60 };
enum { ROOT, ACCOUNTS = 7, USERS = 5, QOS = 4, NOBODY = -1, UNSET = -1 };

/* ---- the plain rules -----------------------------------------------------*/

struct values {
	int shares, max_jobs, grp_jobs, cpu, mem;
	bool explicit; /* a list of QOS of its own */
	bool list[QOS], plus[QOS], minus[QOS];
};

struct row {
	bool there, is_default;
	int parent;
	struct values v;
};

static struct model {
	bool account[ACCOUNTS], user[USERS], coordinator[ACCOUNTS][USERS];
	bool qos[QOS];
	struct row tree[ACCOUNTS], of[ACCOUNTS][USERS];
} m;

static const char *const accounts[ACCOUNTS] = {
	"root", "a1", "a2", "a3", "a4", "a5", "a6"};
static const char *const users[USERS] = {"u0", "u1", "u2", "u3", "u4"};
static const char *const qos[QOS] = {"normal", "q1", "q2", "q3"};

static struct values nothing(int shares)
{
	return (struct values){.shares = shares,
		.max_jobs = UNSET,
		.grp_jobs = UNSET,
		.cpu = UNSET,
		.mem = UNSET};
}

static void begin(void)
{
	m = (struct model){.account = {[ROOT] = true}, .qos = {true}};
	m.tree[ROOT] = (struct row){
		.there = true, .parent = NOBODY, .v = nothing(1)};
	m.tree[ROOT].v.explicit = m.tree[ROOT].v.list[0] = true;
}

/* Is `a` the account `top`, or below it? */
static bool below(int a, int top)
{
	for (; a != NOBODY; a = m.tree[a].parent)
		if (a == top)
			return true;
	return false;
}

static int default_of(int u)
{
	for (int a = 0; a < ACCOUNTS; a++)
		if (m.of[a][u].there && m.of[a][u].is_default)
			return a;
	return NOBODY;
}

static void add_account(int a, int parent, int shares)
{
	if (m.tree[a].there || !m.tree[parent].there)
		return;
	m.account[a] = true;
	m.tree[a] = (struct row){
		.there = true, .parent = parent, .v = nothing(shares)};
}

static void add_user(int u, int a, int shares)
{
	if (!m.tree[a].there || m.of[a][u].there)
		return;
	m.user[u] = true;
	m.of[a][u] = (struct row){.there = true,
		.is_default = default_of(u) == NOBODY,
		.v = nothing(shares)};
}

static void set_default(int u, int a)
{
	if (!m.of[a][u].there)
		return;
	for (int i = 0; i < ACCOUNTS; i++)
		m.of[i][u].is_default = i == a;
}

static void move(int a, int parent)
{
	if (a != ROOT && m.tree[a].there && m.tree[parent].there &&
		!below(parent, a))
		m.tree[a].parent = parent;
}

static void delete_user(int u)
{
	m.user[u] = false;
	for (int a = 0; a < ACCOUNTS; a++) {
		m.of[a][u].there = false;
		m.coordinator[a][u] = false;
	}
}

static void delete_row(int u, int a)
{
	int left = 0;

	if (!m.of[a][u].there)
		return;
	for (int i = 0; i < ACCOUNTS; i++)
		left += m.of[i][u].there;
	if (left == 1)
		delete_user(u);
	else if (!m.of[a][u].is_default)
		m.of[a][u].there = false;
}

/* Does somebody have a default in what goes, and another row that stays? */
static bool keeps_one(int top)
{
	for (int u = 0; u < USERS; u++) {
		int d = default_of(u);

		for (int a = 0; d != NOBODY && below(d, top) && a < ACCOUNTS;
			a++)
			if (m.of[a][u].there && !below(a, top))
				return true;
	}
	return false;
}

static void delete_account(int top)
{
	bool goes[ACCOUNTS];

	if (top == ROOT || !m.account[top] ||
		(m.tree[top].there && keeps_one(top)))
		return;
	m.account[top] = false;
	for (int u = 0; u < USERS; u++)
		m.coordinator[top][u] = false;
	if (!m.tree[top].there)
		return;
	for (int a = 0; a < ACCOUNTS; a++)
		goes[a] = m.tree[a].there && below(a, top);
	for (int a = 0; a < ACCOUNTS; a++) {
		if (!goes[a])
			continue;
		m.tree[a].there = false;
		for (int u = 0; u < USERS; u++)
			m.of[a][u].there = false;
	}
}

/* A list of which nothing is left is none: what is above holds again. */
static void settle(struct values *v)
{
	bool any = false;

	for (int q = 0; q < QOS; q++)
		any |= v->list[q];
	v->explicit &= any;
}

static void edit_qos(struct values *v, int q, char op)
{
	bool *had = v->explicit ? v->list : op == '+' ? v->plus : v->minus;
	bool *other = op == '+' ? v->minus : v->plus;

	if (!m.qos[q])
		return;
	if (op == '=') {
		*v = (struct values){v->shares, v->max_jobs, v->grp_jobs,
			v->cpu, v->mem, .explicit = true};
		v->list[q] = true;
	} else if (v->explicit) {
		v->list[q] = op == '+';
		settle(v);
	} else {
		had[q] = true;
		other[q] = false;
	}
}

static void delete_qos(int q)
{
	m.qos[q] = false;
	for (int a = 0; a < ACCOUNTS; a++)
		for (int u = -1; u < USERS; u++) {
			struct values *v =
				u < 0 ? &m.tree[a].v : &m.of[a][u].v;

			v->list[q] = v->plus[q] = v->minus[q] = false;
			settle(v);
		}
}

/* ---- what each has from above --------------------------------------------*/

static int nearest(const struct row *row, int above, size_t member)
{
	int value = *(const int *)((const char *)&row->v + member);

	if (value != UNSET || above == NOBODY)
		return value;
	return nearest(&m.tree[above], m.tree[above].parent, member);
}

static bool may_use(const struct row *row, int above, int q)
{
	if (row->v.explicit || above == NOBODY)
		return row->v.list[q];
	if (row->v.plus[q] || row->v.minus[q])
		return row->v.plus[q];
	return may_use(&m.tree[above], m.tree[above].parent, q);
}

static void put(FILE *out, const struct row *row, int above, const char *account,
	const char *user)
{
	fprintf(out, "%s %s%s below %s: %d %d %d %d %d", account, user,
		row->is_default ? "*" : "",
		*user || above == NOBODY ? "-" : accounts[above], row->v.shares,
		row->v.grp_jobs,
		nearest(row, above, offsetof(struct values, max_jobs)),
		nearest(row, above, offsetof(struct values, cpu)),
		nearest(row, above, offsetof(struct values, mem)));
	for (int q = 0; q < QOS; q++)
		if (may_use(row, above, q))
			fprintf(out, " %s", qos[q]);
	fputc('\n', out);
}

static void write_model(FILE *out)
{
	for (int a = 0; a < ACCOUNTS; a++) {
		if (m.account[a])
			fprintf(out, "account %s\n", accounts[a]);
		if (m.tree[a].there)
			put(out, &m.tree[a], m.tree[a].parent, accounts[a], "");
		for (int u = 0; u < USERS; u++) {
			if (m.of[a][u].there)
				put(out, &m.of[a][u], a, accounts[a], users[u]);
			if (m.coordinator[a][u])
				fprintf(out, "%s coordinates %s\n", users[u],
					accounts[a]);
		}
	}
	for (int u = 0; u < USERS; u++)
		if (m.user[u])
			fprintf(out, "user %s\n", users[u]);
	for (int q = 0; q < QOS; q++)
		if (m.qos[q])
			fprintf(out, "qos %s\n", qos[q]);
}

/* ---- the same of the store -----------------------------------------------*/

static int number(uint32_t n)
{
	return n >= NO_VAL ? UNSET : (int)n;
}

static int tres(const struct assoc *row, uint32_t id)
{
	uint64_t n = tres_list_get(&row->tres[ASSOC_MAX_TRES_PJ], id);

	return n >= NO_VAL64 ? UNSET : (int)n;
}

static const struct assoc *find(
	const struct assoc_list *list, const char *account, const char *user)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i]->account, account) &&
			!strcmp(list->v[i]->user, user))
			return list->v[i];
	return NULL;
}

static void put_assoc(FILE *out, const struct assoc *row)
{
	if (!row)
		return;
	fprintf(out, "%s %s%s below %s: %d %d %d %d %d", row->account, row->user,
		row->is_default ? "*" : "",
		!*row->user && *row->parent_account ? row->parent_account : "-",
		number(row->shares_raw), number(row->grp_jobs),
		number(row->max_jobs), tres(row, TRES_CPU), tres(row, TRES_MEM));
	for (int q = 0; q < QOS; q++)
		if (strv_has(&row->qos_names, qos[q]))
			fprintf(out, " %s", qos[q]);
	fputc('\n', out);
}

static bool ask(struct session_fixture *f, const char *sql, const char *a,
	const char *b)
{
	struct query q;

	assert_int_equal(query_open_text(&q, &f->t.store, sql), 0);
	query_put_text(&q, 1, a);
	query_put_text(&q, 2, b);
	return query_found(&q) > 0;
}

static void write_store(struct session_fixture *f, FILE *out)
{
	const struct assoc_cond all = {.only_users = false};
	struct assoc_list list;

	assert_int_equal(
		assoc_list(&f->t.store, &all, &f->s.arena, &list), 0);
	for (int a = 0; a < ACCOUNTS; a++) {
		const char *account = accounts[a];

		if (ask(f, "SELECT 1 FROM account WHERE name = ?1 AND NOT"
			   " deleted AND ?2 = ''", account, ""))
			fprintf(out, "account %s\n", account);
		put_assoc(out, find(&list, account, ""));
		for (int u = 0; u < USERS; u++) {
			put_assoc(out, find(&list, account, users[u]));
			if (ask(f, "SELECT 1 FROM coordinator WHERE account ="
				   " ?1 AND user = ?2", account, users[u]))
				fprintf(out, "%s coordinates %s\n", users[u],
					account);
		}
	}
	for (int u = 0; u < USERS; u++)
		if (ask(f, "SELECT 1 FROM user WHERE name = ?1 AND NOT deleted"
			   " AND ?2 = ''", users[u], ""))
			fprintf(out, "user %s\n", users[u]);
	for (int q = 0; q < QOS; q++)
		if (ask(f, "SELECT 1 FROM qos WHERE name = ?1 AND NOT deleted"
			   " AND ?2 = ''", qos[q], ""))
			fprintf(out, "qos %s\n", qos[q]);
}

/* ---- one step for both ---------------------------------------------------*/

static __attribute__((format(printf, 2, 3))) void tell(
	struct session_fixture *f, const char *fmt, ...)
{
	char words[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	if (getenv("BURSAR_TELL"))
		print_message("%s\n", words);
	session_do(f, words);
}

static void set_value(struct session_fixture *f, struct values *v,
	const char *where, bool there)
{
	static const struct {
		const char *word;
		size_t member;
	} words[] = {
		{"fairshare=", offsetof(struct values, shares)},
		{"maxjobs=", offsetof(struct values, max_jobs)},
		{"grpjobs=", offsetof(struct values, grp_jobs)},
		{"maxtres=cpu=", offsetof(struct values, cpu)},
		{"maxtres=mem=", offsetof(struct values, mem)},
	};
	unsigned i = chance(5);
	int n = i && !chance(3) ? -1 : (int)(1 + chance(20));

	tell(f, "modify %s set %s%d", where, words[i].word, n);
	if (there)
		*(int *)((char *)v + words[i].member) = n;
}

static void set_qos(struct session_fixture *f, struct values *v,
	const char *where, bool there)
{
	int q = (int)chance(QOS);
	char op = "=+-"[chance(3)];

	tell(f, "modify %s set qos%.*s=%s", where, op != '=', &op, qos[q]);
	if (there)
		edit_qos(v, q, op);
}

static void set_some(struct session_fixture *f, int a, int u)
{
	struct row *row = u == NOBODY ? &m.tree[a] : &m.of[a][u];
	char where[80];

	snprintf(where, sizeof(where),
		u == NOBODY ? "account where name=%s" : "user where account=%s"
							 " name=%s",
		accounts[a], u == NOBODY ? "" : users[u]);
	(chance(2) ? set_value : set_qos)(f, &row->v, where, row->there);
}

static void step(struct session_fixture *f)
{
	int a = 1 + (int)chance(ACCOUNTS - 1), b = (int)chance(ACCOUNTS);
	int u = (int)chance(USERS), n = 1 + (int)chance(9);
	int q = 1 + (int)chance(QOS - 1);

	switch (chance(14)) {
	case 0:
	case 1:
		tell(f, "add account name=%s parent=%s fairshare=%d",
			accounts[a], accounts[b], n);
		add_account(a, b, n);
		return;
	case 2:
	case 3:
	case 4:
		tell(f, "add user name=%s account=%s fairshare=%d", users[u],
			accounts[a], n);
		add_user(u, a, n);
		return;
	case 5:
	case 6:
		set_some(f, a, u);
		return;
	case 7:
		set_some(f, a, NOBODY);
		return;
	case 8:
		tell(f, "modify user where name=%s set defaultaccount=%s",
			users[u], accounts[a]);
		set_default(u, a);
		return;
	case 9:
		tell(f, "modify account where name=%s set parent=%s",
			accounts[a], accounts[b]);
		move(a, b);
		return;
	case 10:
		tell(f, "delete user where name=%s account=%s", users[u],
			accounts[a]);
		delete_row(u, a);
		return;
	case 11:
		if (chance(2)) {
			tell(f, "delete user where name=%s", users[u]);
			delete_user(u);
		} else {
			tell(f, "delete account where name=%s", accounts[a]);
			delete_account(a);
		}
		return;
	case 12:
		tell(f, "add coordinator name=%s accounts=%s", users[u],
			accounts[a]);
		if (m.user[u] && m.account[a])
			m.coordinator[a][u] = true;
		return;
	default:
		if (chance(3)) {
			tell(f, "add qos name=%s", qos[q]);
			m.qos[q] = true;
		} else {
			tell(f, "delete qos where name=%s", qos[q]);
			delete_qos(q);
		}
	}
}

static char *written(struct session_fixture *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream(&text, &size);

	if (f)
		write_store(f, out);
	else
		write_model(out);
	fclose(out);
	return text;
}

static size_t one_history(uint32_t number)
{
	static struct session_fixture f;
	size_t lines = 0;

	seed = number * 7919 + 1;
	session_fixture_open(&f, NOW);
	begin();
	for (int a = 1; a < ACCOUNTS - 1; a++) {
		tell(&f, "add account name=%s parent=%s", accounts[a],
			accounts[a / 2]);
		add_account(a, a / 2, 1);
	}
	for (int q = 1; q < QOS - 1; q++) {
		tell(&f, "add qos name=%s", qos[q]);
		m.qos[q] = true;
	}
	for (int i = 0; i < STEPS; i++) {
		char *theirs, *ours;

		step(&f);
		theirs = written(NULL);
		ours = written(&f);
		if (strcmp(ours, theirs))
			print_error("history %u, step %d\n", number, i);
		assert_string_equal(ours, theirs);
		lines += strlen(ours) / 20;
		free(ours);
		free(theirs);
		arena_reset(&f.s.arena);
	}
	session_fixture_close(&f);
	return lines;
}

static void as_the_plain_rules(void **unused)
{
	const char *text = getenv("BURSAR_HISTORIES"); /* thousands, by hand */
	uint32_t histories = text ? (uint32_t)strtoul(text, NULL, 10)
				  : HISTORIES;
	size_t lines = 0;

	for (uint32_t i = 1; i <= histories; i++)
		lines += one_history(i);
	assert_true(lines > histories * STEPS * 5);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(as_the_plain_rules))
