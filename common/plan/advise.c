/*
 * The arithmetic of advice; see advise.h.
 */
#include "common/plan/advise.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/numbers.h"
#include "common/base/select_kth.h"

enum {
	HOUR = 60,
	DAY = 24 * HOUR,
	LONGEST_WINDOW = 30 * DAY
};

/* ---- depth ---------------------------------------------------------------*/

void advise_depth(const struct advise_pace *pace, struct advise_depth *depth)
{
	depth->mean = (pace->test + pace->reject) / 2;
	depth->work = pace->cycle / (pace->hold + pace->sleep) * pace->hold;
	depth->jobs = depth->work / depth->mean;
	depth->partition = depth->jobs / pace->partitions;
	depth->full_tests = depth->work / pace->test;
}

int64_t advise_whole(double jobs)
{
	return (int64_t)floor(jobs * (1 + 1e-12));
}

/* ---- windows and limits --------------------------------------------------*/

int64_t advise_window(uint32_t longest)
{
	int64_t days = ((int64_t)longest + DAY - 1) / DAY;

	if (days < 1)
		return DAY;
	return days * DAY < LONGEST_WINDOW ? days * DAY : LONGEST_WINDOW;
}

int64_t advise_resolution(int64_t window, size_t nodes, uint32_t median)
{
	static const int64_t round[] = {
		60, 120, 180, 300, 600, 900, 1200, 1800, 3600};
	int64_t steps = nodes < 1000 ? 1440 : 720, best = round[0];

	for (size_t i = 0; i < sizeof(round) / sizeof(*round); i++) {
		if (i && round[i] > (int64_t)median * 60 / 2)
			break;
		best = round[i];
		if (best * steps >= window * 60)
			break;
	}
	return best;
}

uint32_t advise_round_limit(int64_t seconds)
{
	static const uint32_t round[] = {1, 2, 5, 10, 15, 20, 30, HOUR,
		2 * HOUR, 3 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR};

	for (size_t i = 0; i < sizeof(round) / sizeof(*round); i++)
		if (seconds <= (int64_t)round[i] * 60)
			return round[i];
	return (uint32_t)((seconds + DAY * 60 - 1) / (DAY * 60)) * DAY;
}

/* ---- numbers of a history ------------------------------------------------*/

int64_t advise_quantile(int64_t *v, size_t n, double q)
{
	double rank = ceil(q * (double)n - 1e-9);
	size_t k = rank < 1 ? 0 : (size_t)rank - 1;

	if (!n)
		return 0;
	return select_kth(v, n, k < n ? k : n - 1);
}

static int compare(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

size_t advise_deepest(int64_t *from, int64_t *to, size_t n)
{
	size_t most = 0, over = 0;

	if (!n)
		return 0;
	qsort(from, n, sizeof(*from), compare);
	qsort(to, n, sizeof(*to), compare);
	for (size_t i = 0; i < n; i++) {
		while (over < n && to[over] <= from[i])
			over++;
		if (i + 1 > most + over)
			most = i + 1 - over;
	}
	return most;
}

size_t advise_busiest(int64_t *moments, size_t n, int64_t span)
{
	size_t most = 0;

	if (!n)
		return 0;
	qsort(moments, n, sizeof(*moments), compare);
	for (size_t i = 0, first = 0; i < n; i++) {
		while (moments[first] <= moments[i] - span)
			first++;
		if (i - first + 1 > most)
			most = i - first + 1;
	}
	return most;
}

int64_t advise_round_count(int64_t jobs)
{
	int64_t more = jobs + (jobs + 3) / 4, step = 1;

	while (more / step >= 100)
		step *= 10;
	return (more + step - 1) / step * step;
}
