/*
 * Leases over a time axis equal the same changes made by hand at those times:
 * random settings with and without an end, looked at by readers, by writers and
 * from the past. The second opinion is plain and slow: of all that was ever set,
 * the newest that is not over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/entity/lease.h"
#include "db/entity/qos.h"
#include "db/entity/site.h"
#include "db/entity/user.h"
#include "db/past/past.h"
#include "db/store/query.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/store_fixture.h"

enum { T0 = 1760000000, SEEDS = 8, STEPS = 150, USERS = 2, TEXT = 2000 };

/* ---- what can be set -----------------------------------------------------*/

enum kind { OF_ASSOC, OF_QOS, OF_USER };

static const struct {
	enum kind kind;
	const char *name; /* of the setting */
	const char *values[4];
} fields[] = {
	{OF_ASSOC, "fairshare", {"1", "7", "100", "parent"}},
	{OF_ASSOC, "maxjobs", {"-1", "3", "9", "0"}},
	{OF_ASSOC, "maxwall", {"-1", "60", "90", "1-0"}},
	{OF_ASSOC, "grptres", {"cpu=-1", "cpu=8", "cpu=64", "cpu=1"}},
	{OF_ASSOC, "maxtres", {"node=-1", "node=8", "node=6", "node=1"}},
	{OF_ASSOC, "qos", {"normal", "normal,q2", "q2", "q2,normal"}},
	{OF_ASSOC, "defaultqos", {"-1", "normal", "q2", "normal"}},
	{OF_ASSOC, "comment", {"one", "two", "3", "four"}},
	{OF_QOS, "priority", {"1", "5", "9", "7"}},
	{OF_QOS, "usagefactor", {"0.1", "1.5", "2", "0.3"}},
	{OF_QOS, "grptres", {"cpu=-1", "cpu=3", "cpu=4", "cpu=5"}},
	{OF_USER, "adminlevel", {"1", "2", "3", "2"}},
};

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

struct set {
	int64_t time, until; /* 0: for good */
	unsigned field, owner;
	const char *value;
};

struct history {
	struct set v[STEPS + FIELDS * USERS];
	size_t n;
};

/* ---- carrying it out -----------------------------------------------------*/

static struct settings parse(struct store_fixture *t,
	const struct members *members, const char *name, const char *value)
{
	struct attr_context context = {
		.tres = &t->store.tres, .qos = &t->store.qos};
	struct word word = word_split(
		arena_printf(&t->arena, "%s=%s", name, value));
	struct settings settings = {0};

	ok(t, settings_add(&settings, members,
		      settings_word(members, word.text, word.name_len, false),
		      &word, &context, &t->arena, &t->err));
	return settings;
}

static void set_assoc(struct store_fixture *t, const struct set *set)
{
	struct assoc *row;
	struct settings settings = parse(
		t, &assoc_members, fields[set->field].name, set->value);

	assert_int_equal(
		assoc_find(&t->store, "t", "lab", set->owner ? "u1" : "u0", "",
			&t->arena, &row),
		1);
	ok(t, assoc_update(&t->store, row, &settings, &t->arena));
}

static void set_qos(struct store_fixture *t, const struct set *set)
{
	struct settings settings =
		parse(t, &qos_members, fields[set->field].name, set->value);
	struct qos_cond cond = {0};
	struct qos_list list;

	strv_push(&cond.names, &t->arena, "q2");
	ok(t, qos_list(&t->store, &cond, &t->arena, &list));
	assert_int_equal(list.n, 1);
	ok(t, qos_update(&t->store, list.v[0], &settings, &t->arena));
}

static void carry_out(
	struct store_fixture *t, const struct set *set, int64_t until)
{
	t->store.now = set->time;
	ok(t, lease_settle(&t->store, &t->policy));
	ok(t, store_begin(&t->store));
	lease_until(&t->store, until);
	if (fields[set->field].kind == OF_ASSOC)
		set_assoc(t, set);
	else if (fields[set->field].kind == OF_QOS)
		set_qos(t, set);
	else
		ok(t, user_set_admin_level(&t->store, set->owner ? "u1" : "u0",
			      (uint32_t)atoi(set->value)));
	ok(t, store_commit(&t->store, "set"));
}

/* ---- the second opinion --------------------------------------------------*/

/* The newest that is not over at the time. */
static const struct set *holds(const struct history *h, unsigned field,
	unsigned owner, int64_t time)
{
	for (size_t i = h->n; i-- > 0;) {
		const struct set *s = &h->v[i];

		if (s->field == field && s->owner == owner && s->time <= time &&
			(!s->until || s->until > time))
			return s;
	}
	return NULL;
}

/* The moments in between at which something ends, by hand. */
static void by_hand(struct store_fixture *t, const struct history *h,
	int64_t after, int64_t until)
{
	for (int64_t time = after + 1; time <= until; time++)
		for (size_t i = 0; i < h->n; i++) {
			const struct set *s = &h->v[i], *now;
			struct set change;

			if (s->until != time)
				continue;
			now = holds(h, s->field, s->owner, time);
			assert_non_null(now);
			change = *now;
			change.time = time;
			carry_out(t, &change, 0);
		}
}

/* ---- looking -------------------------------------------------------------*/

static void state(struct store *store, char text[TEXT])
{
	static const char *const sql[] = {
		"SELECT user || ' ' || shares || ' ' || coalesce(max_jobs, '-')"
		" || ' ' || coalesce(max_wall_pj, '-') || ' ' ||"
		" coalesce(def_qos, '-') || ' ' || coalesce(comment, '-')"
		" FROM assoc ORDER BY key",
		"SELECT assoc || ':' || kind || ':' || tres || '=' || count"
		" FROM assoc_tres ORDER BY 1",
		"SELECT assoc || sign || qos || '.' || position"
		" FROM assoc_qos ORDER BY 1",
		"SELECT name || priority || ' ' || usage_factor FROM qos"
		" ORDER BY id",
		"SELECT kind || ':' || tres || '=' || count FROM qos_tres"
		" ORDER BY 1",
		"SELECT name || admin_level FROM user ORDER BY name",
	};
	size_t len = 0;

	for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++) {
		struct query q;

		assert_int_equal(query_open_text(&q, store, sql[i]), 0);
		while (query_row(&q) && len < TEXT)
			len += (size_t)snprintf(text + len, TEXT - len, "%s\n",
				query_text(&q, 0));
		assert_int_equal(query_close(&q), 0);
	}
}

static void open_again(struct store_fixture *t, struct store *store,
	enum store_mode mode, int64_t now)
{
	const struct store_options options = {.path = t->path,
		.default_qos = "normal",
		.actor = "reader",
		.now = now,
		.mode = mode};

	ok(t, store_open(store, &options, &t->err));
	ok(t, lease_opened(store, &options, &t->policy));
}

static void same_state(
	struct store_fixture *t, enum store_mode mode, int64_t now,
	const char *wanted)
{
	char got[TEXT] = "";
	struct store store;

	open_again(t, &store, mode, now);
	state(&store, got);
	store_close(&store);
	assert_string_equal(got, wanted);
}

/* ---- one history ---------------------------------------------------------*/

static void fill(struct store_fixture *t)
{
	int64_t keys[USERS];

	store_fixture_open(t, T0);
	ok(t, store_begin(&t->store));
	ok(t, store_exec(&t->store,
		      "INSERT INTO qos (id, name, description, created,"
		      " modified) VALUES (2, 'q2', '', 1, 1);"
		      "INSERT INTO account (name, description, organization,"
		      " created, modified) VALUES ('lab', '', '', 1, 1);"
		      "INSERT INTO user (name, created, modified)"
		      " VALUES ('u0', 1, 1), ('u1', 1, 1)"));
	ok(t, store_load_catalogs(&t->store));
	add_assoc(t, "root", "lab", "");
	add_users(t, "lab", keys, 0, USERS);
	ok(t, store_commit(&t->store, "fill"));
}

static struct set *add(struct history *h, int64_t time, unsigned field,
	unsigned owner, int64_t until)
{
	struct set *set = &h->v[h->n++];

	*set = (struct set){time, until, field, owner,
		fields[field].values[chance(4)]};
	return set;
}

/* Everything has a value that was set for good. */
static void begin(
	struct store_fixture *ours, struct store_fixture *hand, struct history *h)
{
	for (unsigned f = 0; f < FIELDS; f++)
		for (unsigned o = 0; o < USERS; o++) {
			unsigned owner = fields[f].kind == OF_QOS ? 0 : o;
			const struct set *set = add(h, T0, f, owner, 0);

			carry_out(ours, set, 0);
			carry_out(hand, set, 0);
		}
}

struct seen {
	int64_t time;
	char text[TEXT];
};

/* The same from the log, once all has happened. */
static void look_back(
	struct store_fixture *t, const struct seen *seen, size_t n, int64_t now)
{
	struct past past;

	t->store.now = now;
	ok(t, past_open(&past, &t->store, &t->policy, false, false));
	for (size_t i = 0; i < n; i++) {
		char got[TEXT] = "";

		ok(t, past_move(&past, seen[i].time));
		state(past.store, got);
		assert_string_equal(got, seen[i].text);
	}
	past_close(&past);
}

static void history(uint32_t number)
{
	static struct seen seen[STEPS];
	struct store_fixture ours, hand;
	struct history h = {.n = 0};
	int64_t now = T0, before;
	size_t n = 0;

	seed = number * 7919 + 1;
	fill(&ours);
	fill(&hand);
	begin(&ours, &hand, &h);
	for (int step = 0; step < STEPS; step++) {
		before = now;
		now += 1 + chance(40);
		by_hand(&hand, &h, before, now);
		if (chance(3)) {
			unsigned f = chance(FIELDS);
			unsigned owner =
				fields[f].kind == OF_QOS ? 0 : chance(USERS);
			int64_t until =
				chance(4) ? now + 1 + chance(200) : 0;
			const struct set *set = add(&h, now, f, owner, until);

			carry_out(&ours, set, until);
			carry_out(&hand, set, 0);
			continue;
		}
		seen[n].time = now;
		state(&hand.store, seen[n].text);
		same_state(&ours, STORE_READ, now, seen[n].text);
		if (!chance(3))
			same_state(&ours, STORE_WRITE, now, seen[n].text);
		n++;
	}
	look_back(&ours, seen, n, now);
	store_fixture_close(&hand);
	store_fixture_close(&ours);
}

static void as_by_hand(void **unused)
{
	const char *text = getenv("BURSAR_HISTORIES"); /* thousands, by hand */
	uint32_t seeds = text ? (uint32_t)strtoul(text, NULL, 10) : SEEDS;

	for (uint32_t i = 1; i <= seeds; i++)
		history(i);
}

/* A lease that the store does not let go is an error of whoever ends it. */
static void stays(void **unused)
{
	static const struct set set = {T0, T0 + 10, 0, 0, "2"};
	struct store_fixture t;
	struct assoc *row;
	struct store *store = &t.store;

	fill(&t);
	carry_out(&t, &set, set.until);
	assert_int_equal(
		assoc_find(store, "t", "lab", "u0", "", &t.arena, &row), 1);
	ok(&t, store_exec(store,
		       "CREATE TEMP TRIGGER stays BEFORE DELETE ON main.lease"
		       " BEGIN SELECT raise(ABORT, 'stays'); END"));
	ok(&t, store_begin(store));
	assert_int_equal(lease_drop_assoc(store, row->key), -1);
	assert_int_equal(lease_expire(store, &t.policy, set.until), -1);
	lease_until(store, 0);
	assert_int_equal(lease_note(store, LEASE_ASSOC, row->key, NULL,
				 "shares"),
		-1);
	store_rollback(store);
	store_fixture_close(&t);
}

/* One who only reads, for longer than two leases last. */
static void refreshed(void **unused)
{
	static const struct set first = {T0, T0 + 10, 0, 0, "2"},
				second = {T0, T0 + 20, 0, 1, "3"};
	char before[TEXT] = "", after[TEXT] = "", got[TEXT] = "";
	struct store_fixture t;
	struct site site;
	char now[24], conf[sizeof(t.path) + 8];

	fill(&t);
	state(&t.store, before);
	carry_out(&t, &first, first.until);
	carry_out(&t, &second, second.until);
	state(&t.store, after);
	assert_string_not_equal(before, after);
	setenv("BURSAR_STORE", t.path, 1);
	snprintf(conf, sizeof(conf), "%s.conf", t.path);
	fclose(fopen(conf, "w"));
	setenv("SLURM_CONF", conf, 1);
	for (int64_t at = T0 + 5; at < T0 + 30; at += 10) {
		snprintf(now, sizeof(now), "%lld", (long long)at);
		setenv("BURSAR_NOW", now, 1);
		if (at == T0 + 5)
			ok(&t, site_open(&site, STORE_READ, false, &t.err));
		else
			ok(&t, site_refresh(&site));
	}
	state(&site.store, got);
	assert_string_equal(got, before);
	site_close(&site);
	unlink(conf);
	store_fixture_close(&t);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(as_by_hand),
	cmocka_unit_test(refreshed),
	cmocka_unit_test(stays))
