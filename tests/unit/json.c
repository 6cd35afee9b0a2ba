/* Records and documents for machines: common/table/json.h, common/text/sluid.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <json-c/json.h>

#include "common/base/numbers.h"
#include "common/table/json.h"
#include "common/table/json_out.h"
#include "common/text/sluid.h"
#include "tests/unit/unit.h"

static const struct tres catalog_rows[] = {
	{TRES_CPU, "cpu", ""}, {TRES_MEM, "mem", ""}, {1001, "gres", "gpu"}};
static const struct tres_catalog catalog = {catalog_rows, 3};

static char text[65536];

/* One record with one member, as a line. */
static const char *line_of(struct json_object *record)
{
	struct json_doc doc;
	FILE *out = fmemopen(text, sizeof(text), "w");

	json_begin(&doc, out, JSON_LINES, "x");
	json_write(&doc, record);
	assert_int_equal(json_end(&doc, NULL, NULL, NULL), 0);
	fclose(out);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static const char *put(const char *path, struct value value)
{
	struct json_object *record = json_record();

	json_put(record, path, &value, &catalog);
	return line_of(record);
}

static void test_optional_numbers(void **state)
{
	static const struct {
		struct value value;
		const char *want;
	} cases[] = {
		{{VALUE_LIMIT, {.number = 7}},
			"true,\"infinite\":false,\"number\":7"},
		{{VALUE_LIMIT, {.number = INFINITE}},
			"false,\"infinite\":true,\"number\":0"},
		{{VALUE_LIMIT, {.number = NO_VAL}},
			"false,\"infinite\":false,\"number\":0"},
		{{VALUE_MINUTES, {.number = INFINITE64}},
			"false,\"infinite\":true,\"number\":0"},
		{{VALUE_SECONDS, {.number = NO_VAL64}},
			"false,\"infinite\":false,\"number\":0"},
		{{VALUE_REAL, {.real = 0.1}}, "true,\"infinite\":false,"
					      "\"number\":0.1"},
		{{VALUE_REAL, {.real = 1}},
			"true,\"infinite\":false,\"number\":1.0"},
		{{VALUE_REAL, {.real = INFINITY}},
			"false,\"infinite\":true,\"number\":0.0"},
		{{VALUE_REAL, {.real = NAN}},
			"false,\"infinite\":false,\"number\":0.0"},
		{{VALUE_REAL, {.real = (double)NO_VAL}},
			"false,\"infinite\":false,\"number\":0.0"},
	};
	char want[128];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(want, sizeof(want), "{\"a\":{\"set\":%s}}",
			cases[i].want);
		assert_string_equal(put("a", cases[i].value), want);
	}
}

static void test_plain_values(void **state)
{
	char *words[] = {"b", "a"};
	struct strv list = {words, 2, 2};

	assert_string_equal(put("a", (struct value){VALUE_NONE, {.number = 0}}),
		"{\"a\":null}");
	assert_string_equal(
		put("a", (struct value){VALUE_TEXT, {.text = NULL}}),
		"{\"a\":\"\"}");
	assert_string_equal(
		put("a", (struct value){VALUE_TEXT, {.text = "/\"\n\xc3\xa4"}}),
		"{\"a\":\"\\/\\\"\\n\xc3\xa4\"}");
	assert_string_equal(put("a", (struct value){VALUE_SHARES,
					     {.number = SHARES_PARENT}}),
		"{\"a\":2147483647}");
	assert_string_equal(put("a", (struct value){VALUE_BOOL, {.number = 1}}),
		"{\"a\":true}");
	assert_string_equal(
		put("a", (struct value){VALUE_LIST, {.list = &list}}),
		"{\"a\":[\"b\",\"a\"]}");
	assert_string_equal(
		put("a", (struct value){VALUE_UINT, {.number = UINT64_MAX}}),
		"{\"a\":9223372036854775807}");
}

static void test_tres(void **state)
{
	struct tres_count counts[] = {
		{TRES_CPU, 4}, {TRES_MEM, INFINITE64}, {1001, 2}, {4711, 1}};
	struct tres_list list = {counts, 4, 4};

	assert_string_equal(
		put("max/tres", (struct value){VALUE_TRES, {.tres = &list}}),
		"{\"max\":{\"tres\":["
		"{\"type\":\"cpu\",\"name\":\"\",\"id\":1,\"count\":4},"
		"{\"type\":\"gres\",\"name\":\"gpu\",\"id\":1001,\"count\":2}]}"
		"}");
}

static void test_paths(void **state)
{
	struct json_object *record = json_record();

	json_put_int(record, "max/jobs/per/count", 1);
	json_put_text(record, "name", "n");
	json_put_int(record, "max/jobs/per/user", 2);
	json_append(record, "max/list", NULL);
	json_append(record, "max/list", json_record());
	json_put_real(record, "max/real", -0.5);
	assert_string_equal(line_of(record),
		"{\"max\":{\"jobs\":{\"per\":{\"count\":1,\"user\":2}},"
		"\"list\":[{}],\"real\":-0.5},\"name\":\"n\"}");
}

/* A document of `n` records, up to its meta. */
static const char *document(enum json_form form, int n)
{
	static char *argv[] = {"sshare", "-a", NULL};
	struct json_meta meta = {argv, 2, "canis", "ann"};
	struct json_object *beside = json_record();
	struct json_doc doc;
	struct err err;
	FILE *out = fmemopen(text, sizeof(text), "w");
	char *cut;

	json_begin(&doc, out, form, "a/b");
	for (int i = 0; i < n; i++) {
		struct json_object *record = json_record();

		json_put_int(record, "n/m", i);
		json_write(&doc, record);
	}
	json_put_int(beside, "c", 0);
	assert_int_equal(json_end(&doc, beside, &meta, &err), 0);
	fclose(out);
	cut = strstr(text, "meta");
	assert_non_null(cut);
	*cut = '\0';
	return text;
}

static void test_documents(void **state)
{
	assert_string_equal(
		document(JSON_COMPACT, 2), "{\"a\":{\"b\":[{\"n\":{\"m\":0}},{"
					   "\"n\":{\"m\":1}}],\"c\":0},\"");
	assert_string_equal(
		document(JSON_COMPACT, 0), "{\"a\":{\"b\":[],\"c\":0},\"");
	assert_string_equal(document(JSON_PRETTY, 1),
		"{\n  \"a\": {\n    \"b\": [\n      {\n        \"n\": {\n"
		"          \"m\": 0\n        }\n      }\n    ],\n"
		"    \"c\": 0\n  },\n  \"");
	assert_string_equal(document(JSON_PRETTY, 0),
		"{\n  \"a\": {\n    \"b\": [],\n    \"c\": 0\n  },\n  \"");
	assert_string_equal(document(JSON_YAML, 1),
		"%YAML 1.1\n--- !!map\na: !!map\n  b: !!seq\n  - !!map\n"
		"    n: !!map\n      m: !!int 0\n  c: !!int 0\n");
}

static void test_options(void **state)
{
	struct err err;

	assert_int_equal(json_form(false, NULL), JSON_PRETTY);
	assert_int_equal(json_form(false, "compact"), JSON_COMPACT);
	assert_int_equal(json_form(true, "pretty"), JSON_YAML);
	assert_int_equal(json_parser_check(NULL, false, &err), 0);
	assert_int_equal(json_parser_check("v0.0.45+fast", false, &err), 0);
	assert_int_equal(json_parser_check("list", true, &err), 1);
	assert_int_equal(json_parser_check("v0.0.4", true, &err), -1);
	assert_non_null(strstr(err.text, "v0.0.4"));
}

static void test_sluid(void **state)
{
	char buf[SLUID_SIZE];

	for (uint32_t i = 0; i < 5000; i += 7) {
		uint64_t sluid = sluid_make(i % 2000 + 1, i, 1700000000 + i);

		sluid_text(sluid, buf);
		assert_int_equal(strlen(buf), 14);
		assert_true(sluid_parse(buf) == sluid);
	}
	assert_true(sluid_make(1, 1, 5) != sluid_make(1, 1025, 5));
	assert_true(sluid_parse("s123") == 0);
	assert_true(sluid_parse("sUUUUUUUUUUUUU") == 0);
	assert_true(sluid_parse("x0000000000001") == 0);
}

/* As json-c itself prints it, whatever it is. */
static void test_text_is_that_of_json_c(void **state)
{
	struct json_object *tree = json_tokener_parse(
		"{\"a\":{},\"b\":[],\"c\":{\"d\":[]},\"e\":[1,-2,null,[true]],"
		"\"q\\\"\":\"\\u0001\\u001f\\u007f/\\b\\t\\f\\r\\n\\\\ \u00e9\","
		"\"f\":{\"g\":false,\"h\":[{}]}}");

	assert_non_null(tree);
	json_object_object_add(tree, "r", json_object_new_double_s(1, "1.0"));
	for (int form = 0; form < 3; form++) {
		FILE *out = fmemopen(text, sizeof(text), "w");

		json_out_value(&(struct json_out){.out = out, .pretty = form > 0,
				       .plain_slashes = form > 1}, tree);
		fclose(out);
		assert_string_equal(text,
			json_object_to_json_string_ext(tree,
				(form > 0 ? JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_SPACED
					  : JSON_C_TO_STRING_PLAIN) |
					(form > 1 ? JSON_C_TO_STRING_NOSLASHESCAPE
						  : 0)));
	}
	json_object_put(tree);
}

RUN_TESTS(NULL, NULL,
	cmocka_unit_test(test_optional_numbers),
	cmocka_unit_test(test_plain_values),
	cmocka_unit_test(test_tres),
	cmocka_unit_test(test_paths),
	cmocka_unit_test(test_documents),
	cmocka_unit_test(test_options),
	cmocka_unit_test(test_sluid),
	cmocka_unit_test(test_text_is_that_of_json_c))
