/*
 * Billing: the examples of slurm.conf(5) and others, the grammar of
 * TRESBillingWeights and the error sentences.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/fair/billing.h"
#include "tests/unit/unit.h"
#include "tests/unit/arena_fixture.h"

enum { GPU = 1001, LIC_A = 1002, BB = 1003, IC = 1004 };

static const struct tres all_tres[] = {
	{TRES_CPU, "cpu", ""},
	{TRES_MEM, "mem", ""},
	{TRES_ENERGY, "energy", ""},
	{TRES_NODE, "node", ""},
	{TRES_BILLING, "billing", ""},
	{TRES_FS_DISK, "fs", "disk"},
	{TRES_VMEM, "vmem", ""},
	{TRES_PAGES, "pages", ""},
	{GPU, "gres", "gpu"},
	{LIC_A, "license", "lica"},
	{BB, "bb", "cray"},
	{IC, "ic", "ofed"},
};
static const struct tres_catalog catalog = {all_tres, LENGTH(all_tres)};

static struct tres_weights weights(const char *text)
{
	struct tres_weights parsed;
	struct err err = {0};

	if (tres_weights_parse(text, &catalog, &arena, &parsed, &err))
		fail_msg("%s: %s", text, err.text);
	return parsed;
}

static double weight(const char *text, uint32_t id)
{
	struct tres_weights parsed = weights(text);

	for (size_t i = 0; i < parsed.n; i++)
		if (parsed.v[i].id == id)
			return parsed.v[i].weight;
	return 0;
}

struct alloc {
	uint64_t cpu, mem, gpu, license;
};

static double bill(
	enum billing_rule rule, const char *text, const struct alloc *alloc)
{
	struct tres_count v[] = {
		{TRES_CPU, alloc->cpu},
		{TRES_MEM, alloc->mem},
		{TRES_NODE, 1},
		{TRES_BILLING, 1000},
		{GPU, alloc->gpu},
		{LIC_A, alloc->license},
	};
	struct tres_list list = {.v = v, .n = LENGTH(v)};
	struct tres_weights parsed = weights(text);

	return billing_compute(rule, &parsed, &list, &catalog);
}

static void examples(void **state)
{
	static const char text[] =
		"CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/licA=1.5";
	static const struct {
		struct alloc alloc;
		double sum, max_tres, max_tres_gres;
		uint64_t billing;
	} want[] = {
		{{1, 8192, 0, 0}, 3, 2, 2, 3},
		{{2, 8192, 1, 2}, 9, 5, 7, 9},
		{{1, 8192, 0, 1}, 4.5, 3.5, 3.5, 4},
		{{4, 1000, 0, 0}, 4.244140625, 4, 4, 4},
		{{0, 0, 0, 0}, 0, 0, 0, 0},
	};

	for (size_t i = 0; i < LENGTH(want); i++) {
		const struct alloc *a = &want[i].alloc;
		double sum = bill(BILLING_SUM, text, a);

		assert_true(sum == want[i].sum);
		assert_true(
			bill(BILLING_MAX_TRES, text, a) == want[i].max_tres);
		assert_true(bill(BILLING_MAX_TRES_GRES, text, a) ==
			    want[i].max_tres_gres);
		assert_int_equal(billing_truncate(sum), want[i].billing);
	}
}

static void memory_and_cores(void **state)
{
	static const struct {
		const char *text;
		struct alloc alloc;
		double sum, max;
	} want[] = {
		{"mem=.25", {0, 8192, 0, 0}, 2048, 2048},
		{"mem=.25G", {0, 8192, 0, 0}, 2, 2},
		{"CPU=1.0,Mem=0.25G", {1, 60 * 1024, 0, 0}, 16, 15},
		{"CPU=1.0,Mem=0.25G", {16, 1024, 0, 0}, 16.25, 16},
		{"CPU=1.0,Mem=0.25G", {16, 60 * 1024, 0, 0}, 31, 16},
	};

	for (size_t i = 0; i < LENGTH(want); i++) {
		const struct alloc *a = &want[i].alloc;

		assert_true(bill(BILLING_SUM, want[i].text, a) == want[i].sum);
		assert_true(
			bill(BILLING_MAX_TRES, want[i].text, a) == want[i].max);
	}
}

static void edges(void **state)
{
	static const struct alloc a = {6, 1024, 0, 0};
	struct tres_count v[] = {{TRES_CPU, INFINITE64}, {TRES_MEM, NO_VAL64}};
	struct tres_list list = {.v = v, .n = LENGTH(v)}, none = {0};
	struct tres_weights parsed = weights("cpu=1,mem=1");

	/* No weights: CPUs. Weights that name nothing it has: nothing. */
	assert_true(bill(BILLING_SUM, "", &a) == 6);
	assert_true(billing_compute(BILLING_SUM, NULL, &none, &catalog) == 0);
	assert_true(billing_compute(BILLING_SUM, NULL, NULL, &catalog) == 0);
	assert_true(bill(BILLING_SUM, "gres/gpu=1", &a) == 0);
	/* A weight for billing is ignored. */
	assert_true(bill(BILLING_SUM, "cpu=1,billing=5", &a) == 6);
	assert_true(bill(BILLING_SUM, "billing=5", &a) == 0);
	/* Negative weights count, but not below 0; the maximum starts at 0. */
	assert_true(bill(BILLING_SUM, "cpu=1,node=-2", &a) == 4);
	assert_true(bill(BILLING_SUM, "cpu=-1", &a) == 0);
	assert_true(bill(BILLING_MAX_TRES, "cpu=-1,mem=-1", &a) == 0);
	/* Cleared and missing counts are none. */
	assert_true(
		billing_compute(BILLING_SUM, &parsed, &list, &catalog) == 0);
}

static void truncation(void **state)
{
	assert_true(billing_truncate(4.9) == 4);
	assert_true(billing_truncate(0.99) == 0);
	assert_true(billing_truncate(-3) == 0);
	assert_true(billing_truncate(NAN) == 0);
	assert_true(billing_truncate(1e30) < NO_VAL64);
}

/* --- Grammar --- */

static void numbers(void **state)
{
	assert_true(weight("cpu=1e1", TRES_CPU) == 10);
	assert_true(weight("cpu=0x10", TRES_CPU) == 16);
	assert_true(weight("cpu=-1", TRES_CPU) == -1);
	assert_true(weight("CPU=.5", TRES_CPU) == 0.5);
	assert_true(weight("cpu=1,cpu=2", TRES_CPU) == 2);
	assert_true(weight("GRES/GPU=3,cpu=1", GPU) == 3);
	assert_true(weight("gres/gpu=3", TRES_CPU) == 0);
	assert_true(weight(",cpu=1,,mem=2,", TRES_MEM) == 2);
	assert_int_equal(weights(NULL).n, 0);
	assert_int_equal(weights("").n, 0);
}

static void lists_are_in_id_order(void **state)
{
	struct tres_weights w = weights("bb/cray=4,cpu=1,node=3,mem=2,cpu=7");

	assert_int_equal(w.n, 4);
	assert_int_equal(w.v[0].id, TRES_CPU);
	assert_true(w.v[0].weight == 7);
	assert_int_equal(w.v[1].id, TRES_MEM);
	assert_int_equal(w.v[2].id, TRES_NODE);
	assert_int_equal(w.v[3].id, BB);
}

/* The table of spec 5.2; 1 where 32 bits overflow. */
static void suffixes(void **state)
{
	static const struct {
		const char *suffix;
		double mem, others;
	} want[] = {
		{"", 1, 1},
		{"K", 1, 1024},
		{"m", 1, 1048576},
		{"G", 1024, 1073741824},
		{"GB", 1024, 1073741824},
		{"t", 1048576, 1},
		{"P", 1073741824, 1},
	};
	char text[64];

	for (size_t i = 0; i < LENGTH(want); i++) {
		const char *s = want[i].suffix;

		snprintf(text, sizeof(text), "mem=3%s,bb/cray=3%s", s, s);
		assert_true(weight(text, TRES_MEM) == 3 / want[i].mem);
		assert_true(weight(text, BB) == 3 / want[i].mem);
		snprintf(text, sizeof(text), "cpu=3%s,gres/gpu=3%s", s, s);
		assert_true(weight(text, TRES_CPU) == 3 / want[i].others);
		assert_true(weight(text, GPU) == 3 / want[i].others);
	}
}

static void refusals(void **state)
{
	static const struct {
		const char *text, *message;
	} want[] = {
		{"gres/foo=1", "TRES weight 'gres:foo' is not a configured "
			       "TRES type."},
		{"foo=1", "TRES weight 'foo' is not a configured TRES type."},
		{"gpu=1", "TRES weight 'gpu' is not a configured TRES type. "
			  "Did you mean gres/gpu?"},
		{"cpu=1, Mem=1",
			"TRES weight ' Mem' is not a configured TRES type."},
		{"=1", "TRES weight '' is not a configured TRES type."},
		{"cpu", "\"cpu\" is an invalid TRES weight entry"},
		{"mem=1,cpu=", "\"cpu=\" is an invalid TRES weight entry"},
		{"cpu=K", "\"cpu=K\" is an invalid TRES weight entry"},
		{"cpu=nan", "\"cpu=nan\" is an invalid TRES weight entry"},
		{"cpu=1e999", "\"cpu=1e999\" is an invalid TRES weight entry"},
		{"cpu=1x",
			"Invalid unit type 'x'. Possible options are 'KMGTP'"},
		{"cpu=1 ",
			"Invalid unit type ' '. Possible options are 'KMGTP'"},
		{"cpu=abc",
			"Invalid unit type 'a'. Possible options are 'KMGTP'"},
	};

	for (size_t i = 0; i < LENGTH(want); i++) {
		struct tres_weights parsed;
		struct err err = {0};

		assert_int_equal(tres_weights_parse(want[i].text, &catalog,
					 &arena, &parsed, &err),
			-1);
		assert_string_equal(err.text, want[i].message);
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

static void the_tres_of_a_list(void **state)
{
	struct tres_weights two = weights("cpu=2.5"), none = weights("cpu=0");
	struct tres_list list = {0};

	tres_list_set(&list, &arena, TRES_CPU, 3);
	assert_float_equal(
		billing_put(BILLING_SUM, &two, &list, &catalog, &arena), 7.5,
		0);
	assert_int_equal(tres_list_get(&list, TRES_BILLING), 7);
	billing_put(BILLING_SUM, &none, &list, &catalog, &arena);
	assert_true(tres_list_get(&list, TRES_BILLING) == NO_VAL64);
}

RUN_TESTS(setup, teardown,
	cmocka_unit_test(examples),
	cmocka_unit_test(memory_and_cores),
	cmocka_unit_test(edges),
	cmocka_unit_test(truncation),
	cmocka_unit_test(the_tres_of_a_list),
	cmocka_unit_test(numbers),
	cmocka_unit_test(lists_are_in_id_order),
	cmocka_unit_test(suffixes),
	cmocka_unit_test(refusals))
