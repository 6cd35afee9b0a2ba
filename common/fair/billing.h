/*
 * Billing: lists of TRES weights as slurm.conf writes them, and what a job
 * costs per second under them (spec/priority.md 5).
 */
#ifndef BURSAR_BILLING_H
#define BURSAR_BILLING_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/policy.h"
#include "common/text/tres.h"

struct tres_weight {
	uint32_t id;
	double weight; /* of one counted unit; may be negative */
};

/* Ascending by id, each id once. A zeroed struct is the empty list. */
struct tres_weights {
	struct tres_weight *v;
	size_t n, cap;
};

/*
 * Reads `type[/name]=weight[suffix],...`, the grammar of TRESBillingWeights and
 * PriorityWeightTRES (spec 5.2); NULL and "" give the empty list. The last
 * entry for a TRES wins. A suffix divides the weight, with Slurm's 32-bit
 * arithmetic: T and P do nothing outside mem and bb.
 *
 * A TRES unknown to the catalogue, an entry without `=` or without a number, an
 * unreadable number or one that is not finite, a bad suffix: -1 with Slurm's sentence in
 * `err` (ERR_USAGE). Slurm adds a second line "failed to parse tres weights str
 * 'LIST'"; that is the caller's. Memory is the arena's.
 */
int tres_weights_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_weights *, struct err *);

/* The weight, or 0 when the list does not mention the id. */
double tres_weights_get(const struct tres_weights *, uint32_t id);

/* The count as a number to weigh: 0 when missing, cleared or `list` is NULL. */
double tres_list_amount(const struct tres_list *list, uint32_t id);

/*
 * Billable TRES of a job that has `alloc`, or of a whole partition (spec 5.1).
 * `weights` NULL or empty: its CPUs. An entry for billing itself is ignored.
 * Never below 0, however negative the weights.
 */
double billing_compute(enum billing_rule, const struct tres_weights *weights,
	const struct tres_list *alloc, const struct tres_catalog *);

/* The count of the billing TRES: truncated. 0 means it is left out of a job's
 * TRES strings. */
uint64_t billing_truncate(double billing);

/* Computes it for `alloc` and makes it the billing TRES there. */
double billing_put(enum billing_rule, const struct tres_weights *,
	struct tres_list *alloc, const struct tres_catalog *, struct arena *);

#endif
