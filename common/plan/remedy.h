/*
 * What would help a job that waits: the smallest single changes of it that
 * bring an earlier start, each checked by planning the job so. Pure: which
 * amounts and choices there are the caller says, and plans them.
 *
 * Amounts are taken to help monotonically: less (of a limit: more) starts no
 * later. Of each, two are planned, a middle one and the furthest; where one
 * starts earlier the smallest change that starts as early is found by bisection.
 * So a search makes at most
 *
 *	REMEDY_AMOUNTS * (2 + 2 * halvings) + (all choices)
 *
 * plans, and two for each amount where nothing helps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they are told. */
enum remedy_kind {
	/* Amounts, of which less is tried; and a limit, of which more. */
	REMEDY_TIME, /* minutes */
	REMEDY_MEM,  /* MiB */
	REMEDY_CPUS,
	REMEDY_GPUS,
	REMEDY_NODES,
	REMEDY_LIMIT, /* for the administrator: told last */
	/* Choices, by the caller's number from 0. */
	REMEDY_PARTITION,
	REMEDY_QOS,
	REMEDY_ACCOUNT,
	REMEDY_KINDS,
	REMEDY_AMOUNTS = REMEDY_PARTITION,
};

/* Choices of one kind that are tried; remedies of a job. */
enum { REMEDY_CHOICES = 8 };
enum { REMEDY_MOST = REMEDY_AMOUNTS * 2 +
		     (REMEDY_KINDS - REMEDY_AMOUNTS) * REMEDY_CHOICES };

struct remedy {
	enum remedy_kind kind;
	uint64_t value; /* the new amount, or the number of the choice */
	int64_t start;	/* then; epoch seconds; 0: unknown, or refused */
	const void *then; /* what else the caller keeps of its plan */
};

/* Amounts between `asked` and `furthest`, which is less or more. Those tried are
 * multiples of `step`, as `middle` and `furthest` must be. step 0: none is. */
struct remedy_range {
	uint64_t asked, middle, furthest, step;
};

struct remedy_ask {
	struct remedy_range ranges[REMEDY_AMOUNTS];
	size_t choices[REMEDY_KINDS]; /* how many; REMEDY_CHOICES are tried */
	int64_t start;		      /* as asked for; 0: unknown */
	int64_t grain;		      /* starts no further apart are the same */
	unsigned halvings;	      /* of one bisection, at most */
	/* Plans it: sets `start`, and `then`. -1 ends the search. */
	int (*plan)(void *arg, struct remedy *);
	void *arg;
};

/* The range of less than `asked`: down to a half and a tenth of it, in round
 * steps, `least` being the least; step 0 where there is nothing less. Minutes of
 * a year or more are no limit: down to a day and an hour. */
struct remedy_range remedy_less(
	enum remedy_kind, uint64_t asked, uint64_t least);

/* Finds them, in the order of the kinds (the limit last), the smaller change
 * before the larger. *n: how many of `v` are filled. -1: as `plan` returned. */
int remedies_find(
	const struct remedy_ask *, struct remedy v[REMEDY_MOST], size_t *n);

/* The first that starts at most `grain` after the earliest; a limit only where
 * it alone helps. n: there are none. */
size_t remedies_best(const struct remedy *, size_t n, int64_t grain);
