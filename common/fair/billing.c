/*
 * Billing: weight lists and billable TRES (Slurm's src/common/assoc_mgr.c,
 * assoc_mgr_tres_weighted()).
 */
#include "common/fair/billing.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

/* --- Weight lists --- */

static void weights_set(struct tres_weights *weights, struct arena *arena,
	uint32_t id, double weight)
{
	size_t i = 0;

	while (i < weights->n && weights->v[i].id < id)
		i++;
	if (i == weights->n || weights->v[i].id != id) {
		(void)ARENA_PUSH(arena, weights->v, weights->n, weights->cap);
		memmove(&weights->v[i + 1], &weights->v[i],
			(weights->n - 1 - i) * sizeof(*weights->v));
	}
	weights->v[i] = (struct tres_weight){.id = id, .weight = weight};
}

static bool counts_mebibytes(const struct tres *tres)
{
	return !strcasecmp(tres->type, "mem") || !strcasecmp(tres->type, "bb");
}

/*
 * What a suffix divides by; 0 for none of ours. The last two outside memory
 * would be 1024^4 and 1024^5: Slurm's 32 bits make 0 of that, and no division.
 */
static double suffix_divisor(char suffix, bool mebibytes)
{
	static const char suffixes[] = "KMGTP";
	static const double plain[] = {1024, 1048576, 1073741824, 1, 1};
	static const double from_mebi[] = {1, 1, 1024, 1048576, 1073741824};
	const char *at = strchr(suffixes, toupper((unsigned char)suffix));

	if (!suffix)
		return 1;
	if (!at)
		return 0;
	return (mebibytes ? from_mebi : plain)[at - suffixes];
}

static int unknown_tres(const char *full_name,
	const struct tres_catalog *catalog, struct err *err)
{
	size_t type = strcspn(full_name, "/");
	const char *name = full_name + type;
	struct nearest near;
	const char *meant = tres_meant(catalog, full_name, &near);

	return err_set(err, ERR_USAGE,
		"TRES weight '%.*s%s%s' is not a configured TRES type.%s%s%s",
		(int)type, full_name, *name ? ":" : "", *name ? name + 1 : "",
		meant ? " Did you mean " : "", meant ? meant : "",
		meant ? "?" : "");
}

static int invalid_entry(const char *entry, struct err *err)
{
	return err_set(err, ERR_USAGE, "\"%s\" is an invalid TRES weight entry",
		entry);
}

/* `value` is the text after the `=` of `entry`. */
static int parse_weight(const char *entry, const char *value, bool mebibytes,
	double *weight, struct err *err)
{
	char *end;
	double divisor;

	*weight = strtod(value, &end);
	divisor = suffix_divisor(*end, mebibytes);
	if (divisor == 0)
		return err_set(err, ERR_USAGE,
			"Invalid unit type '%c'. Possible options are 'KMGTP'",
			*end);
	if (end == value || !isfinite(*weight))
		return invalid_entry(entry, err);
	*weight /= divisor;
	return 0;
}

static int parse_entry(const char *entry, const struct tres_catalog *catalog,
	struct arena *arena, struct tres_weights *weights, struct err *err)
{
	const char *equals = strchr(entry, '='), *name;
	const struct tres *tres;
	double weight;

	if (!equals || !equals[1])
		return invalid_entry(entry, err);
	name = arena_strndup(arena, entry, (size_t)(equals - entry));
	tres = tres_by_name(catalog, name);
	if (!tres)
		return unknown_tres(name, catalog, err);
	if (parse_weight(
		    entry, equals + 1, counts_mebibytes(tres), &weight, err))
		return -1;
	weights_set(weights, arena, tres->id, weight);
	return 0;
}

int tres_weights_parse(const char *text, const struct tres_catalog *catalog,
	struct arena *arena, struct tres_weights *weights, struct err *err)
{
	*weights = (struct tres_weights){0};
	while (text && *text) {
		size_t n = strcspn(text, ",");

		/* Two commas in a row are not an entry. */
		if (n && parse_entry(arena_strndup(arena, text, n), catalog,
				 arena, weights, err))
			return -1;
		text += n + (text[n] == ',');
	}
	return 0;
}

/* --- Billable TRES --- */

/* How a TRES enters the sum. */
enum binding { GLOBAL, NODE, GRES };

static enum binding binding(const struct tres *tres)
{
	if (!tres)
		return GLOBAL;
	if (tres->id == TRES_CPU || tres->id == TRES_MEM ||
		tres->id == TRES_NODE)
		return NODE;
	return strcasecmp(tres->type, "gres") ? GLOBAL : GRES;
}

static bool is_maximized(enum billing_rule rule, enum binding binding)
{
	switch (rule) {
	case BILLING_SUM:
		return false;
	case BILLING_MAX_TRES:
		return binding != GLOBAL;
	case BILLING_MAX_TRES_GRES:
		return binding == NODE;
	}
	return false;
}

double tres_list_amount(const struct tres_list *list, uint32_t id)
{
	uint64_t count = list ? tres_list_get(list, id) : 0;

	return count == NO_VAL64 || count == INFINITE64 ? 0 : (double)count;
}

double billing_compute(enum billing_rule rule,
	const struct tres_weights *weights, const struct tres_list *alloc,
	const struct tres_catalog *catalog)
{
	double sum = 0, max = 0;

	if (!weights || !weights->n)
		return tres_list_amount(alloc, TRES_CPU);
	for (size_t i = 0; i < weights->n; i++) {
		uint32_t id = weights->v[i].id;
		double x = tres_list_amount(alloc, id) * weights->v[i].weight;

		if (id == TRES_BILLING)
			continue;
		if (!is_maximized(rule, binding(tres_by_id(catalog, id))))
			sum += x;
		else if (x > max)
			max = x;
	}
	return sum + max > 0 ? sum + max : 0;
}

uint64_t billing_truncate(double billing)
{
	if (!(billing >= 1))
		return 0;
	/* 2^64 - 2 is the first number that means something else. */
	return billing < 0x1p64 ? (uint64_t)billing : NO_VAL64 - 1;
}

double billing_put(enum billing_rule rule, const struct tres_weights *weights,
	struct tres_list *alloc, const struct tres_catalog *catalog,
	struct arena *arena)
{
	double billing = billing_compute(rule, weights, alloc, catalog);
	uint64_t count = billing_truncate(billing);

	tres_list_remove(alloc, TRES_BILLING);
	if (count)
		tres_list_set(alloc, arena, TRES_BILLING, count);
	return billing;
}
