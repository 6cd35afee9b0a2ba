/*
 * Tables of members and tables of the store: what has a column is a member, so
 * that a new column is read, written, and forgotten when its row is deleted.
 */
#include <stdlib.h>
#include <string.h>

#include "db/entity/account.h"
#include "db/entity/cluster.h"
#include "db/entity/federation.h"
#include "db/entity/qos.h"
#include "db/entity/reservation.h"
#include "db/entity/resource.h"
#include "db/entity/user.h"
#include "db/entity/wckey.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/store_fixture.h"

enum { NOW = 1700000000 };

static bool is_member(const struct members *members, const char *column)
{
	for (size_t i = 0; i < members->n; i++)
		if (members->v[i].column &&
			!strcmp(members->v[i].column, column))
			return true;
	return false;
}

/* Every column of the table is a member, but for those that make out which row
 * it is. */
static void columns_are_members(
	const char *table, const struct members *members, const char *identity)
{
	struct store_fixture t;
	struct strv known = {0};
	struct query q;
	size_t n = 0;

	store_fixture_open(&t, NOW);
	strv_split(&known, &t.arena, identity);
	ok(&t, query_open(&q, &t.store,
		       "SELECT name FROM pragma_table_info(:table)"));
	query_bind_text(&q, ":table", table);
	for (; query_row(&q); n++) {
		const char *column = query_text(&q, 0);

		if (!strv_has(&known, column) && !is_member(members, column))
			fail_msg("%s.%s is no member", table, column);
	}
	ok(&t, query_close(&q));
	assert_true(n > known.n);
	store_fixture_close(&t);
}

/* Each table, and the columns that are not read or written with the others. */
static const struct {
	const char *table;
	const struct members *members;
	const char *identity;
} tables[] = {
	{"assoc", &assoc_members,
		"key,cluster,id,account,user,partition,modified"},
	{"qos", &qos_members, "id,name,modified"},
	{"account", &account_members, "modified"},
	{"user", &user_members, "modified"},
	{"wckey", &wckey_members, "key,cluster,id,name,user,modified"},
	{"cluster", &cluster_members,
		"id,federation,nodes,tres,created,modified"},
	{"federation", &federation_members, "id,created,modified"},
	{"resource", &resource_members, "id,created,modified"},
	{"resource_cluster", &resource_share_members, "resource,cluster"},
	{"reservation", &reservation_members, "cluster,id"},
};

static void columns_of_tables(void **state)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		columns_are_members(tables[i].table, tables[i].members,
			tables[i].identity);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(columns_of_tables))
