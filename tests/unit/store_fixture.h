/*
 * A store open for one test: cluster "t" and what calls on it need. A fixture
 * that has more of its own has this as a member. Include after cmocka.h.
 */
#pragma once

#include "db/entity/assoc.h"
#include "db/entity/cluster.h"
#include "db/entity/initial.h"
#include "db/job/job.h"
#include "tests/unit/store_file.h"

struct store_fixture {
	struct store store;
	struct policy policy;
	struct arena arena;
	struct err err;
	char path[STORE_FILE_SIZE];
	int64_t cluster;
};

static inline void ok(struct store_fixture *t, int rc)
{
	if (rc)
		fail_msg("%s", t->err.text);
}

/* Usage halves in a week. */
static inline void store_fixture_open(struct store_fixture *t, int64_t now)
{
	struct store_options options = {.path = t->path,
		.cluster = "t",
		.default_qos = "normal",
		.actor = "test",
		.now = now,
		.mode = STORE_CREATE,
		.need_write = true,
		.fill = initial_fill};

	*t = (struct store_fixture){
		.policy = {.half_life = 7 * 86400, .calc_period = 300}};
	arena_init(&t->arena);
	store_file_make(t->path);
	ok(t, store_open(&t->store, &options, &t->err));
	t->cluster = cluster_key(&t->store, "t");
}

static inline void store_fixture_close(struct store_fixture *t)
{
	store_close(&t->store);
	store_file_remove(t->path);
	arena_release(&t->arena);
}

/* As cmocka takes it, where the fixture is the state: a transaction may be
 * open. */
static inline int store_fixture_teardown(void **state)
{
	struct store_fixture *t = *state;

	store_rollback(&t->store);
	store_fixture_close(t);
	return 0;
}

/* That of the account. */
static inline struct assoc *account_assoc(
	struct store_fixture *t, const char *account)
{
	struct assoc *assoc;

	assert_int_equal(
		assoc_find(&t->store, "t", account, "", "", &t->arena, &assoc),
		1);
	return assoc;
}

/* The key of the new one; `user` "": the account itself. */
static inline int64_t add_assoc(struct store_fixture *t, const char *above,
	const char *account, const char *user)
{
	const struct assoc_new new = {.cluster = t->cluster,
		.cluster_name = "t",
		.account = account,
		.user = user,
		.partition = "",
		.parent = account_assoc(t, above)};
	int64_t key = assoc_add(&t->store, &new);

	assert_true(key > 0);
	return key;
}

/* Users u`from` to u`until - 1` of the account: their keys. */
static inline void add_users(struct store_fixture *t, const char *account,
	int64_t *keys, uint32_t from, uint32_t until)
{
	char name[16];

	for (uint32_t i = from; i < until; i++) {
		snprintf(name, sizeof(name), "u%u", i);
		keys[i] = add_assoc(t, account, account, name);
	}
}

static inline void save_job(struct store_fixture *t, struct job *job)
{
	ok(t, store_begin_bulk(&t->store));
	ok(t, job_save(&t->store, &t->policy, job));
	ok(t, store_commit_bulk(&t->store));
}
