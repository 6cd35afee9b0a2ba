/*
 * Billing: lists of TRES weights as slurm.conf writes them, and what a job
 * costs per second under them (Slurm's src/common/assoc_mgr.c,
 * assoc_mgr_tres_weighted()).
 */
#pragma once

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
 * Returns 0, or -1 with Slurm's sentence in `err` (ERR_USAGE) for a TRES
 * unknown to the catalogue, an entry without `=` or without a number, an
 * unreadable number or one that is not finite, and a bad suffix. Slurm adds a
 * second line "failed to parse tres weights str 'LIST'", which the caller
 * writes. The list is in the arena.
 */
int tres_weights_parse(const char *text, const struct tres_catalog *,
	struct arena *, struct tres_weights *, struct err *);

/* The count of the TRES as a double: 0 when the list has no such entry, when
 * the count is NO_VAL64 or INFINITE64, or when `list` is NULL. */
double tres_list_amount(const struct tres_list *list, uint32_t id);

/*
 * Billable TRES of a job that was allocated `alloc`, or of a whole partition
 * that has it (spec 5.1). `weights` NULL or empty: the number of CPUs. A weight
 * for billing itself is ignored. Never below 0, however negative the weights.
 */
double billing_compute(enum billing_rule, const struct tres_weights *weights,
	const struct tres_list *alloc, const struct tres_catalog *);

/* `billing` as the count of the billing TRES: fractions are cut off. 0 means
 * that it is left out of a job's TRES strings. */
uint64_t billing_truncate(double billing);

/* Returns billing_compute of `alloc`, and stores the truncated value in `alloc`
 * as its billing TRES (removed when 0). */
double billing_put(enum billing_rule, const struct tres_weights *,
	struct tres_list *alloc, const struct tres_catalog *, struct arena *);
