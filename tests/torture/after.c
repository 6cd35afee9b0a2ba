/*
 * What is on the disk is done, whatever fails afterwards: the command says so,
 * with exit status 0 and a warning at most. Of each command the sync is looked
 * for that makes its change last, by letting the disk die behind it; then every
 * call after it fails, one at a time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/torture/torture.h"

enum { IO, ALLOC, KINDS, MAX_SYNCS = 1000 };

struct calls {
	long all[KINDS];
	long synced[MAX_SYNCS][KINDS]; /* so many calls before each sync */
	int n_synced;
};

static const char *const kinds[KINDS] = {"io", "alloc"};

static void read_counts(const char *path, struct calls *calls)
{
	FILE *in = fopen(path, "r");
	long *n = calls->all, syncs;

	calls->n_synced = 0;
	if (!in || fscanf(in, "%ld %ld %ld", &n[IO], &n[ALLOC], &syncs) != 3) {
		fprintf(stderr, "torture: %s: calls are not counted\n", path);
		exit(2);
	}
	while (calls->n_synced < MAX_SYNCS) {
		n = calls->synced[calls->n_synced];
		if (fscanf(in, "%ld %ld", &n[IO], &n[ALLOC]) != 2)
			break;
		calls->n_synced++;
	}
	fclose(in);
}

/* One run on a fresh copy, with this in its environment; it stays in `place`. */
static int run_with(const struct place *base, const struct work *w,
	const char *fail, const char *count, struct place *place)
{
	const char *environment[] = {preload_text(), fail, count, NULL};

	copy_place(base, place, "after");
	prepare(place, w, 1);
	return finish(start_work(place, w, 1, environment));
}

/* Let alone. False: the store shows nothing of it. */
static bool count_calls_of(
	const struct place *base, const struct work *w, struct calls *calls)
{
	char count[TEXT];
	struct place place;
	bool shown;

	copy_place(base, &place, "after");
	prepare(&place, w, 1);
	shown = !state_of(&place, w, 1);
	remove_place(&place);
	if (!shown)
		return false;
	snprintf(count, sizeof(count), "TORTURE_COUNT=%s.count", base->dir);
	run_with(base, w, "TORTURE_FAIL=io:0", count, &place);
	read_counts(strchr(count, '=') + 1, calls);
	remove_place(&place);
	return true;
}

/* The disk dies right behind a sync: is the change there? */
static bool lasts(const struct place *base, const struct work *w,
	const long *synced, struct tally *tally)
{
	char fail[64];
	struct place place;
	int status;
	bool done;

	snprintf(fail, sizeof(fail), "TORTURE_FAIL=gone:%ld", synced[IO] + 1);
	status = run_with(base, w, fail, "TORTURE_COUNT=/dev/null", &place);
	done = state_of(&place, w, 1) == 1;
	if (done)
		judge_done(tally, &place, w, status, fail);
	remove_place(&place);
	return done;
}

/* Of some commands only, as in make check: about so many calls of a kind. An
 * import rolls up after its COMMIT, with thousands of them. */
enum { SOME = 40 };

static void fail_each_after(const struct place *base, const struct work *w,
	const struct calls *calls, const long *synced, struct tally *tally)
{
	for (int kind = 0; kind < KINDS; kind++) {
		long all = calls->all[kind] - synced[kind];
		long step = (size_t)options.after < n_works ? 1 + all / SOME : 1;
		long first = synced[kind] + 1 + (long)(options.seed % (size_t)step);

		for (long n = first; n <= calls->all[kind]; n += step) {
			char fail[64];
			struct place place;

			snprintf(fail, sizeof(fail), "TORTURE_FAIL=%s:%ld",
				kinds[kind], n);
			judge_done(tally, &place, w,
				run_with(base, w, fail,
					"TORTURE_COUNT=/dev/null", &place),
				fail);
			remove_place(&place);
		}
	}
}

/* False: it has no COMMIT, or several, or one that nothing is seen of. */
static bool after_commit_of(
	const struct place *base, const struct work *w, struct tally *tally)
{
	static struct calls calls;

	if (w->goes_on || !count_calls_of(base, w, &calls))
		return false;
	for (int i = 0; i < calls.n_synced; i++)
		if (lasts(base, w, calls.synced[i], tally)) {
			fail_each_after(
				base, w, &calls, calls.synced[i], tally);
			return true;
		}
	return false;
}

long after_commits(const struct place *base, struct tally *tally)
{
	size_t first = chance(n_works);
	long n = 0;

	for (size_t i = 0; i < n_works && n < options.after; i++) {
		const struct work *w = &works[(first + i) % n_works];

		if (after_commit_of(base, w, tally))
			n++;
		else
			printf("no single COMMIT that is seen: %s\n", w->name);
	}
	return n;
}
