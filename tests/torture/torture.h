/*
 * The torture tests: programs are run on a store of their own and killed, cut
 * off from the disk or starved of memory; afterwards everything that was
 * acknowledged must be there, and nothing by half. Only the programs are asked,
 * so that the schema may change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { TEXT = 1024 };

/* A folder with a store and what is read and written beside it. */
struct place {
	char dir[256];
	char store[300]; /* $BURSAR_STORE */
};

/* So many days ago something ran that is to be archived, what stays, and the end
 * of what reports show of that: as far back as it must be, for from there on every
 * hour is rolled up. */
enum { OLD = 70, RECENT = 20, LATER = 12 };

int64_t midnight(int days_ago);
const char *day_of(int days_ago);

/* One command that writes; NAME=VALUE may stand before its name. In `words` and
 * `ask`, %d is the number of the round, %D the folder, %F the first line of the file
 * `words` there, %O, %R and %L the days OLD, RECENT and LATER. */
struct work {
	const char *name;
	const char *words; /* separated by blanks */
	const char *ask; /* its lines are counted */
	int whole; /* so many when it was done; none when it was not */
	/* Makes what it reads, or NULL. */
	void (*prepare)(const struct place *, int round);
	/* Instead of `ask`: 1 done, 0 not done, -1 by half. */
	int (*look)(const struct place *, int round);
	const char *store; /* one of its own, by name; NULL: that of the place */
	bool by_itself; /* `look` says 1 only of what this run has done */
	bool goes_on; /* after the COMMIT that `look` sees there are others */
};

/* The last one is the restore. */
extern const struct work works[];
extern const size_t n_works;

/* What a kind of torture came to. */
struct tally {
	long runs, said_yes, said_no, lost, half, broken;
	long unsaid; /* done, though it said that it was not */
};

struct options {
	const char *bin; /* where the programs are */
	const char *faults_so;
	uint64_t seed;
	long kills, faults, after, cuts, rounds;
};

extern struct options options;

uint64_t chance(uint64_t below);

/* LD_PRELOAD=... with faults.so in it. */
const char *preload_text(void);

/* Makes what the work reads; starts it. */
void prepare(const struct place *, const struct work *, int round);
pid_t start_work(const struct place *, const struct work *, int round,
	const char *const *environment);

/* The place with the store that the work is done on. */
struct place place_of(const struct place *, const struct work *);

/* Runs words (blanks between them; %d, %D, %F) with extra environment, as
 * NAME=VALUE up to NULL; output into DIR/out. */
pid_t start(const struct place *, const char *words, int round,
	const char *const *environment);
int finish(pid_t); /* exit status, or 128 + signal */
int run(const struct place *, const char *words, int round);

/* How many lines it prints; -1: it fails. */
int lines_of(const struct place *, const char *words, int round);

/* 1 done, 0 not done, -1 by half. */
int state_of(const struct place *, const struct work *, int round);

/* Is the store as SQLite and its foreign keys want it? Says what is wrong. */
bool is_sound(const struct place *);

/* Goes on with a hash of what came before; a start is any number. */
uint64_t hash_of(uint64_t hash, const void *bytes, size_t n);

/* All that works use. */
bool are_sound(const struct place *);

void make_place(struct place *, const char *name);
void copy_place(const struct place *from, struct place *to, const char *name);
void remove_place(const struct place *);
void fill(const char *format, const struct place *, int round,
	char text[TEXT]);

/* Adds one run to the tally; `status` is the exit status. */
void judge(struct tally *, const struct place *, const struct work *,
	int round, int status);

/* ... that is on the disk: it must say so, and warn at most. */
void judge_done(struct tally *, const struct place *, const struct work *,
	int status, const char *with);

/* A store of an older version, in the folder of the base; a copy of it to be
 * converted; was it? */
void make_older(const struct place *base);
void prepare_older(const struct place *, int round);
int look_at_older(const struct place *, int round);

/* Its calls after the sync of its COMMIT fail, of options.after commands; how
 * many there were. See after.c. */
long after_commits(const struct place *base, struct tally *);

/* A round of cuts of the power; see power.c. */
void power_cuts(const struct place *base, struct tally *);
