/*
 * Every column of sshare: one row gives its name, heading, width, help and how
 * to get it (spec/priority.md 6.3, 6.4). The order decides which name an
 * abbreviation means.
 */
#include "cmd/sshare/sshare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"

/* A getter that sets nothing leaves the cell blank. */
#define NODE(row) (&(row)->shares->nodes[(row)->place])
#define SHARE(row) (&(row)->shares->v[(row)->place])

static void set_text(struct value *value, const char *text)
{
	value->type = VALUE_TEXT;
	value->text = text;
}

static void set_real(struct value *value, double real)
{
	value->type = VALUE_REAL;
	value->real = real;
}

static void set_uint(struct value *value, uint64_t number)
{
	value->type = VALUE_UINT;
	value->number = number;
}

static bool is_root(const struct row *row)
{
	return NODE(row)->parent == FS_NO_PARENT;
}

static void get_account(
	const struct row *row, struct arena *arena, struct value *value)
{
	set_text(value, arena_printf(arena, "%*s%s", (int)row->indent, "",
				SHARE(row)->account));
}

static void get_cluster(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_text(value, row->shares->cluster);
}

static void get_effective_usage(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_real(value, (double)NODE(row)->usage_efctv);
}

static void get_fairshare(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	if (NODE(row)->is_user)
		set_real(value, NODE(row)->fairshare);
}

static void get_grp_tres_mins(
	const struct row *row, struct arena *arena, struct value *value)
{
	const struct tres_list *limits = SHARE(row)->grp_tres_mins;

	if (limits)
		set_text(value, tres_list_format(limits, row->tres,
					TRES_RAW_MEM | TRES_BY_ID, arena));
}

static uint64_t whole(long double amount)
{
	if (!(amount > 0))
		return 0;
	return amount < 0x1p63L ? (uint64_t)amount : (uint64_t)INT64_MAX;
}

const char *tres_minutes(
	const struct row *row, const double *seconds, struct arena *arena)
{
	struct tres_list list = {0};

	for (size_t i = 0; i < row->tres->n; i++)
		*ARENA_PUSH(arena, list.v, list.n, list.cap) =
			(struct tres_count){
				row->tres->v[i].id, whole(seconds[i] / 60)};
	return tres_list_format(
		&list, row->tres, TRES_RAW_MEM | TRES_BY_ID, arena);
}

static void get_grp_tres_raw(
	const struct row *row, struct arena *arena, struct value *value)
{
	set_text(value, tres_minutes(row, SHARE(row)->tres_seconds, arena));
}

static void get_tres_run_mins(
	const struct row *row, struct arena *arena, struct value *value)
{
	set_text(value, tres_minutes(row, SHARE(row)->tres_run_seconds, arena));
}

static void get_id(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_uint(value, SHARE(row)->id);
}

static void get_level_fs(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	if (!fs_is_marked(NODE(row)))
		set_real(value, (double)NODE(row)->level_fs);
}

static void get_norm_shares(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_real(value, NODE(row)->shares_norm);
}

static void get_norm_usage(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_real(value, (double)NODE(row)->usage_norm);
}

static void get_partition(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_text(value, SHARE(row)->partition);
}

static void get_raw_shares(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	if (fs_is_marked(NODE(row)))
		set_text(value, "parent");
	else if (!is_root(row))
		set_uint(value, NODE(row)->shares_raw);
}

static void get_raw_usage(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_uint(value, whole(SHARE(row)->usage_raw));
}

static void get_user(
	const struct row *row, struct arena *arena, struct value *value)
{
	(void)arena;
	set_text(value, SHARE(row)->user);
}

/* clang-format off */
const struct share_field share_fields[SHARE_FIELDS] = {
	{{"Account:1", "Account", -20, "account, moved in below its parent"},
		get_account, 0},
	{{"Cluster:1", "Cluster", 10, "cluster"},
		get_cluster, 0},
	{{"EffectvUsage:1", "EffectvUsage", 13, "part of the usage that counts"},
		get_effective_usage, 0},
	{{"FairShare:1", "FairShare", 10, "fair-share factor of a user"},
		get_fairshare, 0},
	{{"GrpTRESMins:1", "GrpTRESMins", 30, "TRES minutes all jobs may use"},
		get_grp_tres_mins, SHARES_TRES_LIMITS},
	{{"GrpTRESRaw:1", "GrpTRESRaw", 30, "TRES minutes used"},
		get_grp_tres_raw, SHARES_TRES_USAGE},
	{{"ID:1", "ID", 6, "number of the association"},
		get_id, 0},
	{{"LevelFS:1", "LevelFS", 10, "share by usage among siblings"},
		get_level_fs, 0},
	{{"NormShares:1", "NormShares", 11, "shares as a part of 1"},
		get_norm_shares, 0},
	{{"NormUsage:1", "NormUsage", 11, "usage as a part of all usage"},
		get_norm_usage, 0},
	{{"Partition:1", "Partition", 12, "partition of the association"},
		get_partition, 0},
	{{"RawShares:1", "RawShares", 10, "shares as set, or parent"},
		get_raw_shares, 0},
	{{"RawUsage:1", "RawUsage", 11, "billed seconds used"},
		get_raw_usage, 0},
	{{"TRESRunMins:1", "TRESRunMins", 30, "TRES minutes running jobs may use yet"},
		get_tres_run_mins, SHARES_TRES_USAGE},
	{{"User:1", "User", 10, "user"},
		get_user, 0},
};
/* clang-format on */

void print_field_names(void)
{
	char name[32];

	for (size_t i = 0; i < SHARE_FIELDS; i++) {
		if (i)
			putchar(i % 4 ? ' ' : '\n');
		printf("%-17s", words_first(share_fields[i].field.names, name,
					sizeof(name)));
	}
	putchar('\n');
}

/* ---- which columns -------------------------------------------------------*/

/* The field an item of -o begins to spell; a prefix of nothing is one of the
 * first. */
static int field_of(const char *item, size_t len)
{
	for (int i = 0; i < SHARE_FIELDS; i++)
		if (!len || words_match(share_fields[i].field.names, item, len))
			return i;
	return -1;
}

static int choose(struct columns *columns, const char *item,
	struct arena *arena, struct err *err)
{
	size_t len = strcspn(item, "%");
	long width = item[len] ? strtol(item + len + 1, NULL, 10) : 0;
	int field = field_of(item, len);
	struct table_column head;

	if (field < 0)
		return err_set(err, ERR_USAGE,
			"Invalid field requested: \"%.*s\"", (int)len, item);
	head = (struct table_column){share_fields[field].field.heading,
		share_fields[field].field.width};
	table_choice_put(&columns->chosen, arena, field, &head, width);
	columns->details |= share_fields[field].details;
	return 0;
}

/* What -l, -m and the algorithm make of the columns. */
static void default_format(struct strv *format, const struct options *options,
	enum fairshare_algorithm algorithm, struct arena *arena)
{
	bool all = options->long_list;
	bool machine = options->mode == TABLE_CSV && options->clusters.n;
	bool one = !options->algorithms.n;
	bool brief = options->what_if.n && !all; /* each number is three */
	const struct {
		const char *name;
		bool on;
	} names[] = {
		{"cluster", machine},
		{"account", true},
		{"user", true},
		{"partition", options->with_partition},
		{"rawshares", true},
		{"normshares", one && !brief},
		{"rawusage", !brief},
		{"normusage", all},
		{"effectvusage", one && !brief},
		{"fairshare", one},
		{"levelfs", all && one && algorithm == FAIRSHARE_FAIR_TREE},
		{"grptresmins", all},
		{"tresrunmins", all},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].on)
			strv_push(format, arena, names[i].name);
}

int columns_choose(struct columns *columns, const struct options *options,
	enum fairshare_algorithm algorithm, struct arena *arena,
	struct err *err)
{
	struct strv format = {0};

	*columns = (struct columns){0};
	if (options->format)
		strv_names(&format, arena, options->format);
	else
		default_format(&format, options, algorithm, arena);
	for (size_t i = 0; i < format.n; i++)
		if (choose(columns, format.v[i], arena, err))
			return -1;
	algorithm_columns(&columns->chosen, &options->algorithms, arena);
	return 0;
}
