/*
 * Numbers as another system has them (db/entity/mirror.h): a QOS or an
 * association that gets another number has it wherever the store keeps one.
 * Which columns hold the number of a QOS the schema itself tells, so that a new
 * one is not forgotten.
 */
#include <string.h>

#include "db/entity/mirror.h"
#include "db/entity/qos.h"
#include "db/entity/reservation.h"
#include "db/store/query.h"
#include "db/usage/sums.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000, OLD = 1, NEW = 7 }; /* OLD: "normal" */

static int setup(void **state)
{
	static struct store_fixture t;

	store_fixture_open(&t, T0);
	ok(&t, store_begin_bulk(&t.store));
	*state = &t;
	return 0;
}

/* ---- QOS -----------------------------------------------------------------*/

/* The first value of the rows. */
static const char *ask(struct store_fixture *t, const char *sql)
{
	const char *value = NULL;
	struct query q;

	ok(t, query_open_text(&q, &t->store, sql));
	if (query_row(&q))
		value = query_strdup(&q, 0, &t->arena);
	ok(t, query_close(&q));
	return value;
}

struct column {
	const char *table, *name;
	bool owns; /* usage: its number is that of the cluster, too */
};

struct columns {
	struct column v[64];
	size_t n;
};

/* Numbers that refer to the table qos, or whose name says so. */
static void find_columns(struct store_fixture *t, struct columns *list)
{
	struct query q;

	list->n = 0;
	ok(t, query_open_text(&q, &t->store,
		      "SELECT s.name, c.name, s.name LIKE 'usage%'"
		      " FROM sqlite_schema s,"
		      " pragma_table_info(s.name) c WHERE s.type = 'table'"
		      " AND ((s.name = 'qos' AND c.name = 'id')"
		      "  OR (c.type IN ('INTEGER', 'ANY')"
		      "   AND c.name LIKE '%qos%')"
		      "  OR (s.name LIKE 'usage%'"
		      "   AND c.name IN ('owner', 'heir'))"
		      "  OR EXISTS (SELECT 1 FROM pragma_foreign_key_list("
		      "   s.name) f WHERE f.\"table\" = 'qos'"
		      "   AND f.\"from\" = c.name))"));
	while (query_row(&q)) {
		assert_true(list->n < 64);
		list->v[list->n++] =
			(struct column){query_strdup(&q, 0, &t->arena),
				query_strdup(&q, 1, &t->arena),
				query_int(&q, 2)};
	}
	ok(t, query_close(&q));
}

/* As the column has it. */
static int64_t number_in(
	const struct store_fixture *t, const struct column *c, int qos)
{
	return c->owns ? owner_of_qos((uint32_t)qos, t->cluster) : qos;
}

/* A row with the number there, and something in all that must not be empty. */
static void put_number(
	struct store_fixture *t, const struct column *c, size_t filler)
{
	const char *names = c->name;
	const char *values = arena_printf(
		&t->arena, "%lld", (long long)number_in(t, c, OLD));
	struct query q;

	ok(t, query_open_text(&q, &t->store,
		      arena_printf(&t->arena,
			      "SELECT name, type FROM pragma_table_info('%s')"
			      " WHERE \"notnull\" AND dflt_value IS NULL"
			      " AND name <> '%s'",
			      c->table, c->name)));
	while (query_row(&q)) {
		names = arena_printf(
			&t->arena, "%s, %s", names, query_text(&q, 0));
		values = !strcmp(query_text(&q, 1), "TEXT")
				 ? arena_printf(&t->arena, "%s, '='", values)
			 : !strcmp(query_text(&q, 1), "BLOB")
				 ? arena_printf(&t->arena, "%s, x''", values)
				 : arena_printf(&t->arena, "%s, %zu", values,
					   filler);
	}
	ok(t, query_close(&q));
	ok(t, store_exec(&t->store,
		      arena_printf(&t->arena,
			      "INSERT OR REPLACE INTO %s (%s) VALUES (%s)",
			      c->table, names, values)));
}

static int64_t count(struct store_fixture *t, const struct column *c, int of)
{
	struct query q;
	int64_t n = -1;

	ok(t, query_open_text(&q, &t->store,
		      arena_printf(&t->arena,
			      "SELECT count(*) FROM %s WHERE %s = %lld",
			      c->table, c->name, (long long)number_in(t, c, of))));
	ok(t, query_number(&q, &n));
	return n;
}

static void test_qos_everywhere(void **state)
{
	struct store_fixture *t = *state;
	struct columns columns;

	store_rollback(&t->store);
	ok(t, store_check_foreign_keys(&t->store, false));
	ok(t, store_begin_bulk(&t->store));
	find_columns(t, &columns);
	assert_true(columns.n >= 14);
	for (size_t i = 0; i < columns.n; i++)
		if (strcmp(columns.v[i].table, "qos") != 0)
			put_number(t, &columns.v[i], 900 + i);
	assert_int_equal(mirror_qos_id(&t->store, "normal", NEW), 1);
	for (size_t i = 0; i < columns.n; i++) {
		const struct column *c = &columns.v[i];

		if (count(t, c, OLD) || !count(t, c, NEW))
			fail_msg("%s.%s keeps the old number", c->table,
				c->name);
	}
}

/* What one that is gone has used, under the number that another gets, is not the
 * other's. */
static void test_usage_of_one_gone(void **state)
{
	struct store_fixture *t = *state;
	static const struct column owner = {"usage_fact", "owner", true};

	ok(t, store_run(&t->store,
		      "INSERT INTO usage_fact (id, owner, time)"
		      " VALUES (5, :owner, 9)",
		      bind_int(":owner", number_in(t, &owner, NEW))));
	assert_int_equal(mirror_qos_id(&t->store, "normal", NEW), 1);
	assert_int_equal(count(t, &owner, NEW), 0);
	assert_int_equal(count(t, &owner, NEW + 1), 1);
}

/* What comes back at the end of a lease, and whose it is. */
static void test_qos_of_leases(void **state)
{
	struct store_fixture *t = *state;
	static const char *const kept =
		"SELECT group_concat(kind || ' ' || owner || ' ' || field ||"
		" ' ' || coalesce(earlier, 'NULL') || ' ' || typeof(earlier),"
		" '; ') FROM (SELECT * FROM lease ORDER BY kind, field, owner,"
		" n)";

	ok(t, store_exec(&t->store,
		      "INSERT INTO lease (kind, owner, field, n, until, set_at,"
		      " actor, earlier) VALUES"
		      " (0, 1, 'def_qos', 1, 9, 1, 'x', 1),"
		      " (0, 2, 'def_qos', 1, 9, 1, 'x', 11),"
		      " (0, 1, 'grp_jobs', 1, 9, 1, 'x', 1),"
		      " (1, 1, '0 1', 1, 9, 1, 'x', 1),"
		      " (2, 1, '', 1, 9, 1, 'x', '=1,=11,=1'),"
		      " (2, 2, '', 1, 9, 1, 'x', '+1,-1,-21'),"
		      " (2, 3, '', 1, 9, 1, 'x', NULL),"
		      " (4, 1, 'priority', 1, 9, 1, 'x', 1),"
		      " (4, 11, 'priority', 1, 9, 1, 'x', 1),"
		      " (5, 1, '0 1', 1, 9, 1, 'x', 1),"
		      " (6, '1', 'admin_level', 1, 9, 1, 'x', 1)"));
	assert_int_equal(mirror_qos_id(&t->store, "normal", NEW), 1);
	assert_string_equal(ask(t, kept),
		"0 1 def_qos 7 integer; 0 2 def_qos 11 integer;"
		" 0 1 grp_jobs 1 integer; 1 1 0 1 1 integer;"
		" 2 1  =7,=11,=7 text; 2 2  +7,-7,-21 text; 2 3  NULL null;"
		" 4 7 priority 1 integer; 4 11 priority 1 integer;"
		" 5 7 0 1 1 integer; 6 1 admin_level 1 integer");
}

/* Who has the number makes way, with its leases. */
static void test_qos_makes_way(void **state)
{
	struct store_fixture *t = *state;
	const struct settings none = {0};

	ok(t, qos_add(&t->store, "late", &none, &t->arena));
	ok(t, store_exec(&t->store,
		      "INSERT INTO lease (kind, owner, field, n, until, set_at,"
		      " actor, earlier) SELECT 4, id, 'priority', 1, 9, 1, 'x',"
		      " 10 * id FROM qos"));
	assert_int_equal(mirror_qos_id(&t->store, "late", OLD), 1);
	assert_string_equal(
		ask(t, "SELECT group_concat(name || ' ' || id || ' ' ||"
		       " earlier, '; ') FROM (SELECT q.name, q.id, l.earlier"
		       " FROM lease l JOIN qos q ON q.id = l.owner"
		       " ORDER BY q.id)"),
		"late 1 30; normal 4 10");
}

/* ---- associations --------------------------------------------------------*/

/* Reservations name associations by their numbers on the cluster. */
static void test_assocs_of_reservations(void **state)
{
	struct store_fixture *t = *state;
	const int64_t root = account_assoc(t, "root")->key;
	const int64_t a = add_assoc(t, "root", "a", "");
	const int64_t b = add_assoc(t, "root", "b", "");
	struct reservation r = {.cluster = "t", .name = "r", .nodes = "",
		.flags = "", .comment = "", .start = T0, .end = T0 + 60};
	struct mirror_ids ids = {0};

	r.assocs = arena_printf(&t->arena, "%u,-%u,77,,%u",
		account_assoc(t, "a")->id, account_assoc(t, "b")->id,
		account_assoc(t, "root")->id);
	ok(t, reservation_save(&t->store, t->cluster, &r));
	r.start++;
	r.assocs = "";
	ok(t, reservation_save(&t->store, t->cluster, &r));
	mirror_ids_push(&ids, &t->arena, root, 1);
	mirror_ids_push(&ids, &t->arena, a, 40);
	mirror_ids_push(&ids, &t->arena, b, account_assoc(t, "a")->id);
	ok(t, mirror_assoc_ids(&t->store, t->cluster, &ids));
	assert_string_equal(
		ask(t, "SELECT assocs FROM reservation ORDER BY start"),
		arena_printf(&t->arena, "40,-%u,77,,1",
			account_assoc(t, "b")->id));
	assert_string_equal(
		ask(t, "SELECT assocs FROM reservation ORDER BY start DESC"),
		"");
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(
		test_qos_everywhere, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(
		test_usage_of_one_gone, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(
		test_qos_of_leases, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(
		test_qos_makes_way, setup, store_fixture_teardown),
	cmocka_unit_test_setup_teardown(
		test_assocs_of_reservations, setup, store_fixture_teardown))
