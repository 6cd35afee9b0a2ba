/* Tables of members: their SQL, rows that show facts of another record, chosen columns. */
#include <string.h>

#include "common/base/numbers.h"
#include "common/table/grid.h"
#include "db/rows/members.h"
#include "tests/unit/unit.h"

struct thing {
	const char *name;
	int64_t made;
	uint32_t size;
	const char *colour;
};

#define AT(member) .offset = offsetof(struct thing, member)
static const struct member thing_rows[] = {
	{"name", MEMBER_TEXT, AT(name), SHOWN("Name:2", "Name", 6, "name", "what it is called")},
	{"made", MEMBER_TIME, AT(made), SHOWN("Made:1", "Made", 19, "made", "when")},
	{.type = MEMBER_COUNT, .select = "count(*)", AT(size)},
	{"colour", MEMBER_TEXT, AT(colour), SHOWN("Colour:1", "Colour", 8, "colour", "ours"),
		.marks = MEMBER_OURS},
};
#undef AT
static const struct members thing_members = MEMBERS(thing_rows);

static void test_sql(void **state)
{
	struct arena *arena = *state;

	assert_string_equal(members_sql("INSERT INTO thing ({columns}) VALUES ({:columns})",
				    &thing_members, arena),
		"INSERT INTO thing (name, made, colour) VALUES (:name, :made, :colour)");
	assert_string_equal(members_sql("SELECT t.id, {t.columns} FROM thing t", &thing_members,
				    arena),
		"SELECT t.id, t.name, t.made, count(*), t.colour FROM thing t");
	assert_string_equal(members_sql("SET {columns = excluded}", &thing_members, arena),
		"SET name = excluded.name, made = excluded.made, colour = excluded.colour");
	assert_string_equal(members_sql("SET {columns = :columns} WHERE 1", &thing_members, arena),
		"SET name = :name, made = :made, colour = :colour WHERE 1");
}

static void test_unset(void **state)
{
	struct thing thing, older = {"box", 7, 2, "red"}, blank;
	const void *both[] = {&blank, &thing};
	bool used[4] = {false};

	members_init(&thing, &thing_members);
	members_init(&blank, &thing_members);
	assert_string_equal(thing.name, "");
	assert_int_equal(thing.made, 0);
	thing.made = 9;
	members_note(both, 1, &blank, &thing_members, used);
	assert_true(!used[0] && !used[1] && !used[2] && !used[3]);
	members_note(both, 2, &blank, &thing_members, used);
	assert_true(!used[0] && used[1] && !used[2] && !used[3]);
	assert_false(members_same(&thing, &older, &thing_members));
	members_fill(&thing, &older, &thing_members); /* texts, not times */
	assert_string_equal(thing.colour, "red");
	assert_int_equal(thing.made, 9);
	thing.made = 7;
	assert_true(members_same(&thing, &older, &thing_members));
}

/* A row of a listing, which points to a thing. */
struct line {
	int number;
	const struct thing *thing;
};

GETTER(loud, struct line,
	of_text(arena_printf(arena, "%s!", member_raw(m, row, arena).text)))
GETTER(number, struct line, of_int(row->number))

static const struct member line_rows[] = {
	{SHOWN("Number:1", "Number", 6, NULL, "which"), .get = get_number},
	{"name", .names = "Nickname:2", .heading = "Nick", .get = get_loud},
	{.names = "Made:1"},
	{.names = "Size:1", .heading = "Size", .constant = "n/a"},
};
static const struct members line_members = MEMBERS(line_rows);

static const char *text_of(const struct member *m, const void *row, struct arena *arena)
{
	static const struct value_style plain;
	struct value value = member_value(m, row, arena);

	return value_text(&value, &plain, arena);
}

static void test_join(void **state)
{
	struct arena *arena = *state;
	const struct thing thing = {"box", 0, 2, "red"};
	const struct line line = {-3, &thing};
	struct members joined = members_join(
		&line_members, &thing_members, offsetof(struct line, thing), arena);
	struct members listed = members_list(
		&line_members, &thing_members, offsetof(struct line, thing), arena);

	assert_int_equal(joined.n, 6);
	assert_string_equal(text_of(&joined.v[0], &line, arena), "-3");
	assert_string_equal(text_of(&joined.v[1], &line, arena), "box!");
	assert_string_equal(joined.v[2].heading, "Made");
	assert_string_equal(text_of(&joined.v[2], &line, arena), "Unknown");
	assert_string_equal(text_of(&joined.v[3], &line, arena), "n/a");
	/* "name" has another name there; nothing is colour. */
	assert_string_equal(text_of(&joined.v[4], &line, arena), "box");
	assert_string_equal(text_of(&joined.v[5], &line, arena), "red");
	assert_string_equal(joined.v[5].json, "colour");
	assert_int_equal(listed.n, 6);
	assert_string_equal(listed.v[0].heading, "Name");
	assert_string_equal(listed.v[5].heading, "Colour"); /* ours is the last */
}

/* Facts stand where the alphabet has them; a row may say only where. */
static void test_list(void **state)
{
	static const struct member rows[] = {
		{.names = "Lid", .constant = "no"},
		{.names = "Owner", .constant = "ann"},
		{.names = "Age", .constant = "7"},
		PLACE("made"),
	};
	static const struct members own = MEMBERS(rows);
	static const char *const order[] = {
		"Lid", "Name:2", "Owner", "Age", "Made:1", "Colour:1"};
	struct members all = members_list(
		&own, &thing_members, offsetof(struct line, thing), *state);

	assert_int_equal(all.n, 6);
	for (size_t i = 0; i < all.n; i++)
		assert_string_equal(all.v[i].names, order[i]);
	assert_int_equal(all.v[4].width, 19);
	assert_string_equal(all.v[4].json, "made");
}

static void test_columns(void **state)
{
	struct arena *arena = *state;
	struct members ordered = members_ordered(&thing_members, "Made Name", arena);
	struct grid grid;

	assert_string_equal(ordered.v[0].heading, "Made");
	assert_string_equal(ordered.v[3].heading, "Colour");
	grid_init(&grid, &ordered, arena);
	assert_int_equal(grid_choose(&grid, "n"), -1); /* needs two letters */
	assert_int_equal(grid_choose(&grid, "na%9"), 0);
	assert_int_equal(grid_choose(&grid, "col"), 0);
	assert_int_equal(grid_choose(&grid, "name"), 0); /* as wide as the first */
	assert_int_equal(grid.table.columns[2].width, 9);
	assert_int_equal(grid_choose(&grid, "name%-4"), 0);
	assert_int_equal(grid.table.columns[0].width, -4); /* all of them */
	assert_int_equal(grid_choose(&grid, "name%200000"), 0);
	assert_int_equal(grid.table.columns[4].width, -4);
	assert_int_equal(grid_choose(&grid, "x"), -1);
}

/* What is left of four columns, by the width of the terminal. */
static void test_fit(void **state)
{
	const struct {
		size_t room, left_out;
		int widths[4]; /* 0: left out */
	} cases[] = {
		{100, 0, {10, 10, -20, -30}},
		{74, 0, {10, 10, -20, -30}},
		{73, 0, {10, 10, -20, -29}},
		{54, 0, {10, 10, -15, -15}}, /* the last text first */
		{49, 0, {10, 10, -10, -15}},
		{48, 1, {10, 0, -20, -15}},
		{38, 1, {10, 0, -10, -15}},
		{37, 2, {10, 0, 0, -25}},
		{26, 3, {10, 0, 0, 0}},
		{2, 3, {10, 0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct table_column columns[] = {
			{.heading = "", .width = 10},
			{.heading = "", .width = 10, .fit.rank = 3},
			{.heading = "", .width = -20, .fit = {2, 10}},
			{.heading = "", .width = -30, .fit = {1, 15}},
		};
		struct table table = {.columns = columns, .n = 4};

		assert_int_equal(table_fit(&table, cases[i].room),
			cases[i].left_out);
		for (size_t c = 0; c < 4; c++) {
			int width = columns[c].left_out ? 0 : columns[c].width;

			assert_int_equal(width, cases[i].widths[c]);
		}
	}
}

static void test_values(void **state)
{
	struct arena *arena = *state;
	const struct value_style plain = {0};
	const struct {
		struct value value;
		const char *text;
	} cases[] = {
		{of_int(-7), "-7"},
		{of_limit(NO_VAL), ""},
		{of_fixed(2.345, 1), "2.3"},
		{of_fixed(2.5, 0), "2"},
		{(struct value){VALUE_EXIT, {.number = 3 << 8}}, "3:0"},
		{(struct value){VALUE_EXIT, {.number = 9}}, "0:9"},
		{no_value(), ""},
		{of_some_time(0), ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(
			value_text(&cases[i].value, &plain, arena), cases[i].text);
}

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(test_sql),
	cmocka_unit_test(test_unset),
	cmocka_unit_test(test_join),
	cmocka_unit_test(test_list),
	cmocka_unit_test(test_columns),
	cmocka_unit_test(test_fit),
	cmocka_unit_test(test_values))
