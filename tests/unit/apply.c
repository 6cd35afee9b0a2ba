/*
 * Rosters (db/roster/roster.h): random histories of operations, and between them
 * files applied. What was dumped, in any format, applies to no change; a file of
 * another time makes the store of that time; the same run twice does the same;
 * what `load` makes at least so is so the second time;
 * undo gives the store before back; and a plain reading of the two files line by
 * line finds a difference where the program does. Chance is seeded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/roster/flatfile.h"
#include "db/store/query.h"
#include "db/undo/undo.h"
#include "tests/unit/unit.h"
#include "tests/unit/seeded.h"
#include "tests/unit/random_steps.h"
#include "tests/unit/session_fixture.h"

enum { NOW = 1780000000, HISTORIES = 60, STEPS = 12 };

struct fixture {
	struct session_fixture f;
	size_t applied, made, loaded; /* to see that something happens */
};

static int setup(void **state)
{
	static struct fixture f;

	f.applied = f.made = f.loaded = 0;
	session_fixture_open(&f.f, NOW);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	session_fixture_close(&f->f);
	return 0;
}

/* ---- a history -----------------------------------------------------------*/

/* Many steps are refused; that is as good. */
static void step(struct fixture *f)
{
	char *text = random_step();

	f->made += session_do(&f->f, text);
	free(text);
}

/* ---- files ---------------------------------------------------------------*/

/* The caller frees it. */
static char *dump(struct fixture *f, bool json)
{
	struct roster r;
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream(&text, &size);

	if (roster_load(&f->f.s, "t", &r))
		fail_msg("%s", f->f.s.err.text);
	tree_write(out, roster_document(&f->f.s, &r), json);
	roster_release(&r);
	fclose(out);
	return text;
}

static void ignore_line(struct flat_out *out)
{
}

static char *dump_flat(struct fixture *f)
{
	char *text = NULL;
	size_t size;
	struct flat_out out = {memory_stream(&text, &size), ignore_line};

	if (flat_write(&f->f.s, "t", &out))
		fail_msg("%s", f->f.s.err.text);
	fclose(out.file);
	return text;
}

struct comparison {
	struct roster store, file;
	struct differences all;
};

static void compare(struct fixture *f, const char *text, bool prune,
	struct comparison *c)
{
	if (roster_read(&f->f.s, text, strlen(text), prune, &c->store,
		    &c->file))
		fail_msg("%s in\n%s", f->f.s.err.text, text);
	roster_compare(&f->f.s, &c->store, &c->file, prune, &c->all);
}

static void forget(struct comparison *c)
{
	roster_release(&c->store);
	roster_release(&c->file);
}

static size_t differences(struct fixture *f, const char *text, bool prune)
{
	struct comparison c;

	compare(f, text, prune, &c);
	forget(&c);
	return c.all.n;
}

static void no_difference(struct fixture *f, const char *text, bool prune)
{
	struct comparison c;

	compare(f, text, prune, &c);
	for (size_t i = 0; i < c.all.n; i++) {
		const struct difference *d = &c.all.v[i];

		print_error("%d %s\n", d->what,
			entry_title(d->entry, &f->f.s.arena));
		for (size_t k = 0; k < d->n; k++)
			print_error("  %s: %s -> %s\n", d->v[k].property->name,
				d->v[k].was ? d->v[k].was : "",
				d->v[k].is ? d->v[k].is : "");
	}
	forget(&c);
	if (c.all.n)
		fail_msg("%zu differences from\n%s", c.all.n, text);
}

/* In an open transaction; the changeset is the caller's. */
static void apply(struct fixture *f, const char *text, bool prune, void **blob,
	int *size)
{
	struct comparison c;
	struct strv lost;
	size_t before;

	fflush(f->f.say);
	before = f->f.said_size;
	*f->f.s.err.text = '\0';
	ok(&f->f.t, store_begin(&f->f.t.store));
	compare(f, text, prune, &c);
	if (roster_apply(&f->f.s, &c.store, &c.file, &c.all, &lost)) {
		fflush(f->f.say);
		print_error("%s", f->f.said + before);
		fail_msg("refused in\n%s", text);
	}
	forget(&c);
	ok(&f->f.t, store_changeset(&f->f.t.store, blob, size));
}

/* What a dry run would see, then the change: the same rows to the byte. True:
 * there were some. */
static bool apply_twice(struct fixture *f, const char *text, bool prune)
{
	void *first, *second;
	int first_size, second_size;

	apply(f, text, prune, &first, &first_size);
	store_rollback(&f->f.t.store);
	ok(&f->f.t, store_load_catalogs(&f->f.t.store));
	apply(f, text, prune, &second, &second_size);
	ok(&f->f.t, store_commit(&f->f.t.store, "apply"));
	assert_int_equal(first_size, second_size);
	assert_memory_equal(first, second, (size_t)first_size);
	store_changeset_free(first);
	store_changeset_free(second);
	f->applied += first_size > 0;
	return first_size > 0;
}

static void ignore(void *arg, const struct logged *l, const struct strv *rows)
{
}

static void undo_last(struct fixture *f)
{
	const struct undo_cond cond = {.redo = false};
	struct logged_list list;

	ok(&f->f.t, store_begin(&f->f.t.store));
	ok(&f->f.t, undo_choose(&f->f.t.store, &cond, &f->f.s.arena, &list));
	assert_int_equal(list.n, 1);
	if (undo_run(&f->f.t.store, &f->f.t.policy, &list, false, &f->f.s.arena,
		    ignore, NULL))
		fail_msg("%s", f->f.s.err.text);
	ok(&f->f.t, store_commit(&f->f.t.store, "undo"));
	ok(&f->f.t, store_load_catalogs(&f->f.t.store));
}

/* ---- at least what a file says -------------------------------------------*/

static int begin_part(struct flat_part *part, const char *cluster)
{
	return roster_load_all(part->s, cluster, &part->store);
}

/* What moved since may be above what is moved back: that alone is wrong. */
static int fail_part(struct flat_part *part, enum flat_fault fault,
	const struct flat_line *line, const char *word, const char *name)
{
	if (fault != FLAT_BELOW_ITSELF)
		fail_msg("%s: %s in\n%s", part->s->err.text, word, line->text);
	return -1;
}

/* What becomes other than it is; a list of TRES that says a part is told all the
 * same. */
static size_t count_changes(const struct differences *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct difference *d = &all->v[i];

		n += d->what == DIFFERENCE_ADDED;
		for (size_t k = 0; k < d->n; k++)
			n += !d->v[k].was || !d->v[k].is ||
			     strcmp(d->v[k].was, d->v[k].is) != 0;
	}
	return n;
}

/* How much `load` of the file changes, and does; -1: it is refused. */
static int load_part(struct fixture *f, const char *text)
{
	struct flat_part part = {
		.s = &f->f.s, .begin = begin_part, .fault = fail_part};
	struct differences all = {0};
	struct strv lost;
	int n = flat_read_part(&part, text);

	if (!n) {
		roster_compare(&f->f.s, &part.store, &part.file, false, &all);
		n = (int)count_changes(&all);
		if (roster_apply(&f->f.s, &part.store, &part.file, &all, &lost))
			n = -1;
	}
	roster_release(&part.store);
	roster_release(&part.file);
	return n;
}

/* A second time nothing is left to do. */
static void load_twice(struct fixture *f, const char *text, bool nothing)
{
	int n;

	ok(&f->f.t, store_begin(&f->f.t.store));
	n = load_part(f, text);
	if (nothing)
		assert_int_equal(n, 0);
	f->loaded += n > 0;
	if (n > 0 && load_part(f, text))
		fail_msg("a second load changes something in\n%s", text);
	store_rollback(&f->f.t.store);
	ok(&f->f.t, store_load_catalogs(&f->f.t.store));
}

/* ---- a plain second reading ----------------------------------------------*/

enum { MOST_LINES = 2000, DEEP = 40 };

/* "accounts/a1/users/u2/MaxJobs: 3": each line with all it stands below. */
static size_t flatten(const char *text, char **lines)
{
	char *above[DEEP] = {NULL};
	size_t n = 0;

	for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
		size_t blanks = strspn(at, " "), len = strcspn(at, "\n");
		size_t depth = blanks / 2;
		char *path;

		assert_true(depth + 1 < DEEP && n < MOST_LINES);
		if (asprintf(&path, "%s%s%.*s",
			    depth && above[depth - 1] ? above[depth - 1] : "",
			    "/", (int)(len - blanks), at + blanks) < 0)
			abort();
		lines[n++] = path;
		above[depth] = path;
	}
	return n;
}

static size_t only_in_first(char **a, size_t na, char **b, size_t nb)
{
	size_t found = 0;

	for (size_t i = 0; i < na; i++) {
		bool both = false;

		for (size_t k = 0; k < nb; k++)
			both |= !strcmp(a[i], b[k]);
		found += !both;
	}
	return found;
}

static void free_lines(char **lines, size_t n)
{
	while (n)
		free(lines[--n]);
}

/* Does either have a line that the other has not? */
static bool plainly_differ(const char *one, const char *other)
{
	static char *a[MOST_LINES], *b[MOST_LINES];
	size_t na = flatten(one, a), nb = flatten(other, b);
	bool differ = only_in_first(a, na, b, nb) ||
		      only_in_first(b, nb, a, na);

	free_lines(a, na);
	free_lines(b, nb);
	return differ;
}

/* ---- the histories -------------------------------------------------------*/

static void check_here(struct fixture *f, const char *now)
{
	char *json = dump(f, true), *flat = dump_flat(f);

	no_difference(f, now, true);
	no_difference(f, json, true);
	no_difference(f, flat, true);
	load_twice(f, flat, true);
	free(json);
	free(flat);
}

/* A coordinator may be one of an account without associations, which no file of
 * the cluster has. */
static void forget_coordinators(char *text)
{
	static const char word[] = ":Coordinator='";
	char *at = text;

	while ((at = strstr(at, word))) {
		const char *end = strchr(at + sizeof(word) - 1, '\'') + 1;

		memmove(at, end, strlen(end) + 1);
	}
}

/* The same with the flat file of then, which has no words for some of it. */
static void go_back_flat(struct fixture *f, char *then)
{
	char *before = dump(f, false), *after;
	bool changed;

	load_twice(f, then, false);
	changed = apply_twice(f, then, true);
	no_difference(f, then, true);
	after = dump_flat(f); /* QOS that came back may stand elsewhere */
	forget_coordinators(after);
	forget_coordinators(then);
	if (plainly_differ(after, then))
		fail_msg("wanted\n%s\nbut made\n%s", then, after);
	free(after);
	if (changed)
		undo_last(f);
	after = dump(f, false);
	assert_string_equal(after, before);
	free(after);
	free(before);
}

/* The store as it was at `then`, and back. */
static void go_back(struct fixture *f, const char *then)
{
	char *before = dump(f, false), *after;
	bool differs = differences(f, then, true) > 0;

	assert_int_equal(differs, plainly_differ(before, then));
	if (differs) {
		if (chance(2)) {
			bool changed = apply_twice(f, then, false);

			no_difference(f, then, false);
			if (changed)
				undo_last(f);
			after = dump(f, false);
			assert_string_equal(after, before);
			free(after);
		}
		apply_twice(f, then, true);
		no_difference(f, then, true);
		after = dump(f, false);
		assert_string_equal(after, then);
		free(after);
		if (chance(2)) {
			undo_last(f);
			after = dump(f, false);
			assert_string_equal(after, before);
			free(after);
		}
	}
	free(before);
}

static void one_history(struct fixture *f)
{
	char *then = dump(f, false), *then_flat = dump_flat(f);

	for (int i = 0; i < STEPS; i++)
		step(f);
	for (int i = 0; i < 3; i++) {
		char *now = dump(f, false), *flat = dump_flat(f);

		check_here(f, now);
		if (chance(2))
			go_back_flat(f, then_flat);
		go_back(f, then);
		free(then);
		free(then_flat);
		then = now;
		then_flat = flat;
		step(f);
	}
	free(then);
	free(then_flat);
	arena_reset(&f->f.s.arena);
}

static void test_histories(void **state)
{
	struct fixture *f = *state;
	const char *text = getenv("BURSAR_HISTORIES"); /* thousands, by hand */
	size_t histories = text ? strtoul(text, NULL, 10) : HISTORIES;

	seed = (uint32_t)(4711 + histories - HISTORIES);
	for (size_t i = 0; i < histories; i++) {
		one_history(f);
		ok(&f->f.t, store_load_catalogs(&f->f.t.store));
	}
	assert_true(f->made > 2 * histories);
	assert_true(f->applied > histories);
	assert_true(f->loaded > histories / 2);
}

/* Another system's changes come with that system's log. */
static void test_unlogged(void **state)
{
	static const char entries[] = "SELECT count(*) FROM txn";
	struct fixture *f = *state;
	char *then = dump(f, false), *now;
	int64_t before, after;

	seed = 4711;
	for (int i = 0; i < 4 * STEPS; i++)
		step(f);
	now = dump(f, false);
	assert_true(differences(f, then, true) > 0);
	ok(&f->f.t, store_number(&f->f.t.store, entries, &before));
	f->f.t.store.unlogged = true;
	apply_twice(f, then, true);
	apply_twice(f, now, true);
	f->f.t.store.unlogged = false;
	no_difference(f, now, true);
	ok(&f->f.t, store_number(&f->f.t.store, entries, &after));
	assert_int_equal(after, before);
	apply_twice(f, then, true);
	ok(&f->f.t, store_number(&f->f.t.store, entries, &after));
	assert_true(after > before);
	free(then);
	free(now);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test_setup_teardown(
		test_unlogged, setup, teardown),
	cmocka_unit_test_setup_teardown(
		test_histories, setup, teardown))
