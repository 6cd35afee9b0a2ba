#include "common/table/json.h"

#include <grp.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/base/version.h"
#include "common/table/flat.h"
#include "common/table/member.h"

enum { PATH_DEPTH = 8, PATH_NAME = 64 };

/* ---- options -------------------------------------------------------------*/

enum json_form json_form(bool yaml, const char *environment)
{
	bool compact = environment && strstr(environment, "compact");

	if (yaml)
		return compact ? JSON_YAML_COMPACT : JSON_YAML;
	return compact ? JSON_COMPACT : JSON_PRETTY;
}

int json_parser_check(const char *what, bool yaml, struct err *err)
{
	static const char *const known[] = {
		"", "latest", "v0.0.45", JSON_DATA_PARSER};
	size_t len;

	if (!what)
		return 0;
	if (!strcmp(what, "list"))
		return 1;
	len = strcspn(what, "+");
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (len == strlen(known[i]) && !strncmp(what, known[i], len))
			return 0;
	return err_set(err, ERR_USAGE,
		"%s: no such data parser; %s output not supported "
		"by " JSON_DATA_PARSER,
		what, yaml ? "application/x-yaml" : "application/json");
}

/* ---- values --------------------------------------------------------------*/

static struct json_object *needed(struct json_object *object)
{
	if (!object)
		memory_out(0);
	return object;
}

struct json_object *json_record(void)
{
	return needed(json_object_new_object());
}

/* Neither format takes bytes that are no UTF-8. */
static struct json_object *text_of(const char *text)
{
	struct json_object *object;
	struct arena arena;

	if (!text || utf8_valid(text))
		return needed(json_object_new_string(text ? text : ""));
	arena_init(&arena);
	object = needed(json_object_new_string(utf8_repair(&arena, text)));
	arena_release(&arena);
	return object;
}

/* Nothing real has counts beyond 63 bits. */
static struct json_object *integer_of(uint64_t number)
{
	if (number > INT64_MAX)
		number = INT64_MAX;
	return needed(json_object_new_int64((int64_t)number));
}

/* The shortest text that reads as the same number. */
static void shortest(double real, char *text, size_t size)
{
	if (!signbit(real) && real < 1e15 && real == floor(real)) {
		snprintf(text, size, "%" PRId64, (int64_t)real);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			return;
	}
}

/* JSON has no word for infinity or NaN; 1 is written 1.0 so that it stays a
 * real number. */
static struct json_object *real_of(double real)
{
	char digits[32], text[40];

	if (!isfinite(real))
		real = 0;
	shortest(real, digits, sizeof(digits));
	snprintf(text, sizeof(text), "%s%s", digits,
		strpbrk(digits, ".e") ? "" : ".0");
	return needed(json_object_new_double_s(real, text));
}

static void add(struct json_object *object, const char *name,
	struct json_object *member)
{
	if (json_object_object_add(object, name, member))
		memory_out(0);
}

static void append(struct json_object *array, struct json_object *element)
{
	if (json_object_array_add(array, element))
		memory_out(0);
}

static struct json_object *truth(bool value)
{
	return needed(json_object_new_boolean(value));
}

static struct json_object *optional(
	bool set, bool infinite, struct json_object *number)
{
	struct json_object *object = json_record();

	add(object, "set", truth(set));
	add(object, "infinite", truth(infinite));
	add(object, "number", number);
	return object;
}

static struct json_object *limit_of(uint64_t number)
{
	bool infinite = number == INFINITE || number == INFINITE64;
	bool set = !infinite && number != NO_VAL && number != NO_VAL64;

	return optional(set, infinite, integer_of(set ? number : 0));
}

static struct json_object *optional_real_of(double real)
{
	bool infinite = isinf(real) || real == (double)INFINITE ||
			real == (double)INFINITE64;
	bool set = !infinite && !isnan(real) && real != (double)NO_VAL &&
		   real != (double)NO_VAL64;

	return optional(set, infinite, real_of(set ? real : 0));
}

static struct json_object *list_of(const struct strv *list)
{
	struct json_object *array = needed(json_object_new_array());

	for (size_t i = 0; list && i < list->n; i++)
		append(array, text_of(list->v[i]));
	return array;
}

static struct json_object *tres_of(
	const struct tres_count *count, const struct tres *tres)
{
	struct json_object *object = json_record();

	add(object, "type", text_of(tres->type));
	add(object, "name", text_of(tres->name));
	add(object, "id", integer_of(tres->id));
	add(object, "count", integer_of(count->count));
	return object;
}

/* Counts that were cleared, and TRES that no longer exist, are left out. */
static struct json_object *tres_list_of(
	const struct tres_list *list, const struct tres_catalog *catalog)
{
	struct json_object *array = needed(json_object_new_array());

	for (size_t i = 0; list && i < list->n; i++) {
		const struct tres_count *count = &list->v[i];
		const struct tres *tres = tres_by_id(catalog, count->id);

		if (tres && count->count != INFINITE64 &&
			count->count != NO_VAL64)
			append(array, tres_of(count, tres));
	}
	return array;
}

static struct json_object *exit_signal(uint32_t number)
{
	struct json_object *record = json_record();
	const char *name = sigabbrev_np((int)number);
	char digits[16];

	snprintf(digits, sizeof(digits), "%" PRIu32, number);
	add(record, "id", limit_of(number ? number : NO_VAL));
	json_put_text(record, "name", !number ? "" : name ? name : digits);
	return record;
}

/* How a process ended, from its wait status. */
static struct json_object *exit_of(uint32_t wait_status)
{
	uint32_t number = wait_status & 0x7f, code = wait_status >> 8 & 0xff;
	struct json_object *object = json_record();

	json_append(object, "status",
		text_of(number ? "SIGNALED"
			: code ? "ERROR"
			       : "SUCCESS"));
	add(object, "return_code", limit_of(number ? NO_VAL : code));
	add(object, "signal", exit_signal(number));
	return object;
}

/* A record inside a record, made from its own table. */
static struct json_object *record_of(const struct value_records *records,
	size_t i, const struct tres_catalog *catalog)
{
	struct json_object *object = json_record();
	struct arena arena;

	arena_init(&arena);
	json_put_members(
		object, records->members, records->v[i], &arena, catalog);
	arena_release(&arena);
	return object;
}

static struct json_object *records_of(
	const struct value_records *records, const struct tres_catalog *catalog)
{
	struct json_object *array = needed(json_object_new_array());

	for (size_t i = 0; i < records->n; i++)
		append(array, record_of(records, i, catalog));
	return array;
}

static struct json_object *object_of(
	const struct value *value, const struct tres_catalog *catalog)
{
	switch (value->type) {
	case VALUE_NONE:
		return NULL;
	case VALUE_TEXT:
		return text_of(value->text);
	case VALUE_UINT:
	case VALUE_TIME:
	case VALUE_SHARES:
		return integer_of(value->number);
	case VALUE_INT:
		return needed(json_object_new_int64((int64_t)value->number));
	case VALUE_LIMIT:
	case VALUE_MINUTES:
	case VALUE_SECONDS:
		return limit_of(value->number);
	case VALUE_REAL:
		return optional_real_of(value->real);
	case VALUE_LIST:
	case VALUE_WORDS:
	case VALUE_FLAGS:
		return list_of(value->list);
	case VALUE_TRES:
		return tres_list_of(value->tres, catalog);
	case VALUE_BOOL:
		return truth(value->number != 0);
	case VALUE_RECORD:
		return value->records->n ? record_of(value->records, 0, catalog)
					 : json_record();
	case VALUE_EXIT:
		return exit_of((uint32_t)value->number);
	case VALUE_RECORDS:
		return records_of(value->records, catalog);
	default: /* VALUE_FIXED and above */
		return isfinite(value->real) ? real_of(value->real) : NULL;
	}
}

/* ---- values without Slurm's wrapping -------------------------------------*/

static bool is_unset(uint64_t number)
{
	return number == NO_VAL || number == INFINITE || number == NO_VAL64 ||
	       number == INFINITE64;
}

static struct json_object *plain_real_of(double real)
{
	char text[32];

	if (!isfinite(real) || real == (double)NO_VAL ||
		real == (double)INFINITE || real == (double)NO_VAL64 ||
		real == (double)INFINITE64)
		return NULL;
	shortest(real, text, sizeof(text));
	return needed(json_object_new_double_s(real, text));
}

/* {"cpu": 4, "gres/gpu": 1} */
static struct json_object *plain_tres_of(
	const struct tres_list *list, const struct tres_catalog *catalog)
{
	struct json_object *object = json_record();
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < list->n; i++) {
		const struct tres_count *count = &list->v[i];
		const struct tres *tres = tres_by_id(catalog, count->id);

		if (tres && count->count != INFINITE64 &&
			count->count != NO_VAL64)
			add(object, tres_full_name(tres, &arena),
				integer_of(count->count));
	}
	arena_release(&arena);
	return object;
}

static struct json_object *plain_of(
	const struct value *value, const struct tres_catalog *catalog)
{
	switch (value->type) {
	case VALUE_SHARES:
		if (value->number == SHARES_PARENT)
			return text_of("parent");
		/* fall through */
	case VALUE_LIMIT:
	case VALUE_MINUTES:
	case VALUE_SECONDS:
		return is_unset(value->number) ? NULL
					       : integer_of(value->number);
	case VALUE_TIME:
		return value->number ? integer_of(value->number) : NULL;
	case VALUE_REAL:
		return plain_real_of(value->real);
	case VALUE_TRES:
		return plain_tres_of(value->tres, catalog);
	default:
		return object_of(value, catalog);
	}
}

/* ---- paths ---------------------------------------------------------------*/

/* The member `path[0..len)` of an object; NULL when it is not there. */
static struct json_object *member(
	struct json_object *object, const char *path, size_t len, char *name)
{
	struct json_object *found = NULL;

	if (len >= PATH_NAME)
		BUG("member name too long: %s", path);
	memcpy(name, path, len);
	name[len] = '\0';
	json_object_object_get_ex(object, name, &found);
	return found;
}

/* Goes down to the object that holds the last member of `path`; its name goes
 * to `name`. */
static struct json_object *descend(
	struct json_object *object, const char *path, char *name)
{
	for (;;) {
		size_t len = strcspn(path, "/");
		struct json_object *next = member(object, path, len, name);

		if (!path[len])
			return object;
		if (!next) {
			next = json_record();
			add(object, name, next);
		} else if (!json_object_is_type(next, json_type_object)) {
			BUG("%s is a value, nothing can stand below it", path);
		}
		object = next;
		path += len + 1;
	}
}

static void put(
	struct json_object *record, const char *path, struct json_object *value)
{
	char name[PATH_NAME];
	struct json_object *holder = descend(record, path, name);

	add(holder, name, value);
}

void json_put(struct json_object *record, const char *path,
	const struct value *value, const struct tres_catalog *catalog)
{
	put(record, path, object_of(value, catalog));
}

void json_put_plain(struct json_object *record, const char *name,
	const struct value *value, const struct tres_catalog *catalog)
{
	add(record, name, plain_of(value, catalog));
}

void json_put_members(struct json_object *record,
	const struct members *members, const void *row, struct arena *arena,
	const struct tres_catalog *catalog)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		struct value value;

		if (!m->json)
			continue;
		value = member_value(m, row, arena);
		json_put(record, m->json, &value, catalog);
	}
}

void json_put_members_plain(struct json_object *record,
	const struct members *members, const void *row, struct arena *arena,
	const struct tres_catalog *catalog)
{
	for (const struct member *m = members->v; m < members->v + members->n;
		m++) {
		struct value value;

		if (!m->json)
			continue;
		value = m->plain ? m->plain(m, row, arena)
				 : member_value(m, row, arena);
		json_put_plain(record, m->json, &value, catalog);
		if (!m->also)
			continue;
		value = member_value(m, row, arena);
		json_put_plain(record, m->also, &value, catalog);
	}
}

/* An exit code is told apart in documents only. */
static struct json_object *flat_of(const struct value *value,
	const struct tres_catalog *catalog, struct arena *arena)
{
	static const struct value_style plain;

	if (value->type == VALUE_EXIT)
		return text_of(value_text(value, &plain, arena));
	if (value->type >= VALUE_FIXED)
		return plain_real_of(value->real);
	return plain_of(value, catalog);
}

void json_put_flat(struct json_object *record, const struct member *m,
	const void *row, struct arena *arena,
	const struct tres_catalog *catalog)
{
	struct value value = member_plain(m, row, arena);

	add(record, member_key(m, arena), flat_of(&value, catalog, arena));
	if (m->also) {
		value = member_value(m, row, arena);
		add(record, m->also, flat_of(&value, catalog, arena));
	}
}

void json_put_text(
	struct json_object *record, const char *path, const char *text)
{
	put(record, path, text_of(text));
}

void json_put_int(struct json_object *record, const char *path, int64_t number)
{
	put(record, path, needed(json_object_new_int64(number)));
}

void json_put_real(struct json_object *record, const char *path, double real)
{
	put(record, path, real_of(real));
}

void json_put_object(struct json_object *record, const char *path,
	struct json_object *object)
{
	put(record, path, object);
}

void json_append(struct json_object *record, const char *path,
	struct json_object *element)
{
	char name[PATH_NAME];
	struct json_object *holder = descend(record, path, name);
	struct json_object *array = NULL;

	if (!json_object_object_get_ex(holder, name, &array)) {
		array = needed(json_object_new_array());
		add(holder, name, array);
	}
	if (element)
		append(array, element);
}

/* ---- documents -----------------------------------------------------------*/

static bool begun;

bool json_begun(void)
{
	return begun;
}

/* Opens a map, and the next for each `/` of the path: its last name stands
 * there, without a value. */
static void open_path(struct json_doc *doc)
{
	const char *name = doc->path;

	begun = true;
	if (doc->form == JSON_LINES)
		return;
	if (doc->form == JSON_YAML || doc->form == JSON_YAML_COMPACT)
		json_out_yaml(&doc->out, doc->form == JSON_YAML_COMPACT);
	for (;;) {
		size_t len = strcspn(name, "/");

		json_out_open(&doc->out, JSON_MAP);
		json_out_name(&doc->out, name, len);
		doc->depth++;
		if (!name[len])
			return;
		name += len + 1;
	}
}

void json_begin(
	struct json_doc *doc, FILE *out, enum json_form form, const char *path)
{
	*doc = (struct json_doc){.out = {.out = out, .pretty = form == JSON_PRETTY},
		.form = form,
		.path = path};
	open_path(doc);
	if (form != JSON_LINES)
		json_out_open(&doc->out, JSON_LIST);
}

void json_write(struct json_doc *doc, struct json_object *record)
{
	json_out_value(&doc->out, record);
	if (doc->form == JSON_LINES) {
		fputc('\n', doc->out.out);
		doc->out.any = false;
	}
	doc->records++;
	json_object_put(record);
}

/* Every member of `object` as one more of the object that is open; frees it. */
static void write_members(struct json_doc *doc, struct json_object *object)
{
	json_object_object_foreach(object, name, value)
	{
		json_out_name(&doc->out, name, strlen(name));
		json_out_value(&doc->out, value);
	}
	json_object_put(object);
}

/* The name of the caller's group, or its number. */
static void put_group(struct json_object *root)
{
	struct group entry, *found = NULL;
	char buf[4096], number[16];

	snprintf(number, sizeof(number), "%lu", (unsigned long)getgid());
	if (getgrgid_r(getgid(), &entry, buf, sizeof(buf), &found))
		found = NULL;
	json_put_text(
		root, "meta/client/group", found ? entry.gr_name : number);
}

static void put_client(struct json_object *root, const struct json_meta *meta)
{
	char terminal[256];

	if (ttyname_r(STDIN_FILENO, terminal, sizeof(terminal)))
		*terminal = '\0';
	json_put_text(root, "meta/client/source", terminal);
	json_put_text(root, "meta/client/user", meta->user);
	put_group(root);
}

static struct {
	bool told;
	int64_t as_of, age;
	char why[600];
} aged;

void json_note_age(int64_t as_of, int64_t age, const char *why)
{
	aged.told = why != NULL;
	aged.as_of = as_of;
	aged.age = age;
	snprintf(aged.why, sizeof(aged.why), "%s", why ? why : "");
}

static void put_age(struct json_object *root)
{
	if (!aged.told)
		return;
	json_put_int(root, "meta/replica/as_of", aged.as_of);
	json_put_int(root, "meta/replica/age", aged.age);
	json_put_text(root, "meta/replica/reason", aged.why);
}

static struct json_object *tail(const struct json_meta *meta)
{
	struct json_object *root = json_record();

	json_put_text(root, "meta/plugin/type", "");
	json_put_text(root, "meta/plugin/name", "");
	json_put_text(root, "meta/plugin/data_parser", JSON_DATA_PARSER);
	json_put_text(root, "meta/plugin/accounting_storage",
		"accounting_storage/slurmdbd");
	put_client(root, meta);
	json_append(root, "meta/command", NULL);
	for (int i = 0; i < meta->argc; i++)
		json_append(root, "meta/command", text_of(meta->argv[i]));
	json_put_text(root, "meta/slurm/version/major", "26");
	json_put_text(root, "meta/slurm/version/micro", "3");
	json_put_text(root, "meta/slurm/version/minor", "05");
	json_put_text(root, "meta/slurm/release", SLURM_VERSION_TEXT);
	json_put_text(root, "meta/slurm/cluster", meta->cluster);
	put_age(root);
	json_append(root, "errors", NULL);
	json_append(root, "warnings", NULL);
	return root;
}

static void add_error(
	struct json_object *root, const char *program, const char *text)
{
	struct json_object *error = json_record();

	json_put_text(error, "description", text);
	json_put_int(error, "error_number", 1);
	json_put_text(error, "error", "Error");
	json_put_text(error, "source", program);
	json_append(root, "errors", error);
}

enum { MOST_NOTED = 16, NOTED_LEN = 512 };

static struct {
	const char *program;
	char texts[MOST_NOTED][NOTED_LEN];
	size_t n;
} noted;

void json_note_error(const char *program, const char *text)
{
	noted.program = program;
	if (noted.n < MOST_NOTED)
		snprintf(noted.texts[noted.n++], NOTED_LEN, "%s", text);
}

/* As JSON, which is YAML too. */
void json_errors(FILE *out, const char *const *texts, size_t n,
	const char *program, const struct json_meta *meta)
{
	struct json_object *root = tail(meta);

	for (size_t i = 0; i < n; i++)
		add_error(root, program, texts[i]);
	json_out_value(&(struct json_out){out, .pretty = true,
			       .plain_slashes = true},
		root);
	fputc('\n', out);
	json_object_put(root);
}

/* `meta`, `errors`, `warnings`, and the end. */
static int finish(
	struct json_doc *doc, const struct json_meta *meta, struct err *err)
{
	struct json_object *rest = tail(meta);

	for (size_t i = 0; i < noted.n; i++)
		add_error(rest, noted.program, noted.texts[i]);
	write_members(doc, rest);
	json_out_close(&doc->out, JSON_MAP);
	return json_out_end(&doc->out, err);
}

int json_end(struct json_doc *doc, struct json_object *beside,
	const struct json_meta *meta, struct err *err)
{
	if (doc->form == JSON_LINES) {
		json_object_put(beside);
		return 0;
	}
	/* An empty list of records is [], one within a record has a line. */
	doc->out.pretty = doc->records && doc->form == JSON_PRETTY;
	json_out_close(&doc->out, JSON_LIST);
	doc->out.pretty = doc->form == JSON_PRETTY;
	if (beside)
		write_members(doc, beside);
	while (--doc->depth > 0)
		json_out_close(&doc->out, JSON_MAP);
	return finish(doc, meta, err);
}
