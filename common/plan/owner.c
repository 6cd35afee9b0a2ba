#include "common/plan/owner.h"

#include <stdlib.h>

#include "common/base/bits.h"

bool owner_matters(const struct schedule *s)
{
	for (size_t i = 0; i < s->n_partitions; i++)
		if (s->partitions[i].exclusive_user)
			return true;
	return false;
}

static const struct sched_running *job_on(
	const struct schedule *s, const struct sched_node *node, size_t i)
{
	return &s->running[node->shares[i].running];
}

/* Jobs of a node are in the order of their ends. */
static int64_t free_at(const struct schedule *s, uint32_t index)
{
	const struct sched_node *node = &s->nodes[index];

	return node->jobs ? job_on(s, node, node->jobs - 1)->end : 0;
}

/* One job there of another user is enough where either side asks for it. */
static bool is_anothers(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p, uint32_t index)
{
	const struct sched_node *node = &s->nodes[index];

	for (size_t i = 0; i < node->jobs; i++) {
		const struct sched_running *r = job_on(s, node, i);
		bool owned = r->partition && r->partition->exclusive_user;

		if (r->job->user != job->user && (p->exclusive_user || owned))
			return true;
	}
	return false;
}

static int compare(const void *x, const void *y, void *arg)
{
	const struct schedule *s = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int64_t first = free_at(s, a), second = free_at(s, b);

	if (first != second)
		return first < second ? 1 : -1;
	return (a > b) - (a < b);
}

bool owner_filter(const struct schedule *s, const struct sched_job *job,
	const struct sched_partition *p, size_t least, int64_t from,
	uint64_t *nodes, int64_t *later)
{
	uint32_t *indexes = s->room;
	size_t n = 0, left = 0;

	*later = 0;
	for (uint32_t i = 0; i < s->n_nodes; i++) {
		if (!bits_has(nodes, i) || !bits_has(p->bits, i))
			continue;
		left++;
		if (free_at(s, i) > from && is_anothers(s, job, p, i))
			indexes[n++] = i;
	}
	if (n)
		qsort_r(indexes, n, sizeof(*indexes), compare, (void *)s);
	for (size_t i = 0; i < n; i++) {
		bool named =
			job->required && bits_has(job->required, indexes[i]);

		*later = free_at(s, indexes[i]);
		if (left <= least || named)
			return true;
		bits_clear(nodes, indexes[i]);
		left--;
	}
	return false;
}
