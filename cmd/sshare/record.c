/*
 * A row of sshare for machines, in Slurm's layout (spec/priority.md 6.6): one
 * table says which member comes from where.
 */
#include "cmd/sshare/sshare.h"

#include "common/base/numbers.h"

#define NODE(row) (&(row)->shares->nodes[(row)->place])
#define SHARE(row) (&(row)->shares->v[(row)->place])

static struct value text(const char *words)
{
	return (struct value){VALUE_TEXT, {.text = words}};
}

static struct value real(long double number)
{
	return (struct value){VALUE_REAL, {.real = (double)number}};
}

static struct value limit(uint64_t number)
{
	return (struct value){VALUE_LIMIT, {.number = number}};
}

static struct value get_id(const struct row *row)
{
	return (struct value){VALUE_UINT, {.number = SHARE(row)->id}};
}

static struct value get_cluster(const struct row *row)
{
	return text(row->shares->cluster);
}

static struct value get_name(const struct row *row)
{
	const struct share *share = SHARE(row);

	return text(*share->user ? share->user : share->account);
}

/* The account of a user, the account above of an account. */
static struct value get_parent(const struct row *row)
{
	uint32_t parent = NODE(row)->parent;

	return text(
		parent == FS_NO_PARENT ? "" : row->shares->v[parent].account);
}

static struct value get_partition(const struct row *row)
{
	return text(SHARE(row)->partition);
}

static struct value get_shares_norm(const struct row *row)
{
	return real(NODE(row)->shares_norm);
}

static struct value get_shares_raw(const struct row *row)
{
	if (NODE(row)->parent == FS_NO_PARENT)
		return limit(NO_VAL);
	return limit(NODE(row)->shares_raw);
}

static struct value get_usage_efctv(const struct row *row)
{
	return real(NODE(row)->usage_efctv);
}

static struct value get_usage_norm(const struct row *row)
{
	return real(NODE(row)->usage_norm);
}

static struct value get_usage(const struct row *row)
{
	long double usage = SHARE(row)->usage_raw;
	uint64_t number = usage < 0x1p63L ? (uint64_t)usage : INT64_MAX;

	return (struct value){VALUE_UINT, {.number = number}};
}

static struct value get_factor(const struct row *row)
{
	return real(NODE(row)->fairshare);
}

static struct value get_level(const struct row *row)
{
	return real(NODE(row)->level_fs);
}

static const struct member {
	const char *path;
	struct value (*get)(const struct row *);
} before_tres[] =
	{
		{"id", get_id},
		{"cluster", get_cluster},
		{"name", get_name},
		{"parent", get_parent},
		{"partition", get_partition},
		{"shares_normalized", get_shares_norm},
		{"shares", get_shares_raw},
		{NULL, NULL},
},
  after_tres[] = {
	  {"effective_usage", get_usage_efctv},
	  {"usage_normalized", get_usage_norm},
	  {"usage", get_usage},
	  {"fairshare/factor", get_factor},
	  {"fairshare/level", get_level},
	  {NULL, NULL},
};

static void put_members(struct json_object *record, const struct member *member,
	const struct row *row)
{
	for (; member->path; member++) {
		struct value value = member->get(row);

		json_put(record, member->path, &value, row->tres);
	}
}

/* ---- TRES: every one of the catalogue has its place ----------------------*/

static uint64_t run_seconds(const struct row *row, size_t i)
{
	return (uint64_t)SHARE(row)->tres_run_seconds[i];
}

/* Minutes that are not limited are INFINITE64. */
static uint64_t group_minutes(const struct row *row, size_t i)
{
	const struct tres_list *limits = SHARE(row)->grp_tres_mins;
	uint64_t count =
		limits ? tres_list_get(limits, row->tres->v[i].id) : NO_VAL64;

	return count == NO_VAL64 ? INFINITE64 : count;
}

static struct json_object *amount_of(
	const struct row *row, size_t i, struct arena *scratch)
{
	struct json_object *amount = json_record();

	json_put_text(
		amount, "name", tres_full_name(&row->tres->v[i], scratch));
	return amount;
}

static void put_counts(struct json_object *record, const char *path,
	const struct row *row, uint64_t (*get)(const struct row *, size_t),
	struct arena *scratch)
{
	json_append(record, path, NULL);
	for (size_t i = 0; i < row->tres->n; i++) {
		struct json_object *amount = amount_of(row, i, scratch);
		struct value value = limit(get(row, i));

		json_put(amount, "value", &value, row->tres);
		json_append(record, path, amount);
	}
}

static void put_usage(struct json_object *record, const char *path,
	const struct row *row, struct arena *scratch)
{
	json_append(record, path, NULL);
	for (size_t i = 0; i < row->tres->n; i++) {
		struct json_object *amount = amount_of(row, i, scratch);

		json_put_real(amount, "value", SHARE(row)->tres_seconds[i]);
		json_append(record, path, amount);
	}
}

static void put_type(struct json_object *record, const struct row *row,
	struct arena *scratch)
{
	struct strv type = {0};
	struct value value = {VALUE_LIST, {.list = &type}};

	strv_push(&type, scratch, NODE(row)->is_user ? "USER" : "ASSOCIATION");
	json_put(record, "type", &value, row->tres);
}

struct json_object *share_record(const struct row *row, struct arena *scratch)
{
	struct json_object *record = json_record();

	put_members(record, before_tres, row);
	put_counts(record, "tres/run_seconds", row, run_seconds, scratch);
	put_counts(record, "tres/group_minutes", row, group_minutes, scratch);
	put_usage(record, "tres/usage", row, scratch);
	put_members(record, after_tres, row);
	put_type(record, row, scratch);
	return record;
}
