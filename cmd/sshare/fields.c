/*
 * What sshare shows of an association: one row gives a member's name, heading,
 * width, help, its place in JSON and how to get it (Slurm's
 * src/sshare/process.c).
 */
#include "cmd/sshare/sshare.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"

#define NODE(row) (shares_node((row)->shares, (row)->index))
#define OF(row, array) ((row)->shares->array[(row)->index])
#define SHARE(row) (&OF(row, v))
#define GET(name, expression) GETTER(name, struct row, expression)

static bool is_root(const struct row *row)
{
	return OF(row, tree.parent) == FS_NO_PARENT;
}

static uint64_t whole(long double amount)
{
	if (!(amount > 0))
		return 0;
	return amount < 0x1p63L ? (uint64_t)amount : (uint64_t)INT64_MAX;
}

/* All TRES amounts of the row as `cpu=0,mem=0,...` divided by 60. */
static const char *tres_minutes(
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

/* ---- cells ---------------------------------------------------------------*/

static struct value shares_or_parent(const struct row *row)
{
	if (is_root(row))
		return no_value();
	return OF(row, tree.shares_raw) == SHARES_PARENT
		       ? of_text("parent")
		       : of_uint(OF(row, tree.shares_raw));
}

static struct value level_fs(const struct row *row)
{
	const struct fs_node node = NODE(row);

	return fs_is_marked(&node) ? no_value()
				   : of_real((double)node.level_fs);
}

static struct value tres_limits(const struct row *row, struct arena *arena)
{
	const struct tres_list *limits =
		shares_limits(row->shares, row->index);

	return limits ? of_text(tres_list_format(limits, row->tres,
				TRES_RAW_MEM | TRES_BY_ID, arena))
		      : no_value();
}

GET(account, of_text(arena_printf(arena, "%*s%s", (int)row->indent, "",
		     SHARE(row)->account)))
GET(cluster, of_text(row->shares->cluster))
GET(usage_efctv, of_real((double)NODE(row).usage_efctv))
GET(user_factor,
	OF(row, tree.is_user)
		? of_real(shares_factor(row->shares, row->index))
		: no_value())
GET(grp_tres_mins, tres_limits(row, arena))
GET(grp_tres_raw,
	of_text(tres_minutes(row, shares_seconds(row->shares, row->index), arena)))
GET(tres_run_mins,
	of_text(tres_minutes(row, shares_run_seconds(row->shares, row->index), arena)))
GET(id, of_uint(SHARE(row)->id))
GET(level_fs, level_fs(row))
GET(shares_norm, of_real(NODE(row).shares_norm))
GET(usage_norm, of_real((double)NODE(row).usage_norm))
GET(partition, of_text(SHARE(row)->partition))
GET(raw_shares, shares_or_parent(row))
GET(raw_usage, of_uint(whole(OF(row, usage_raw))))
GET(user, of_text(SHARE(row)->user))

/* ---- only for machines ---------------------------------------------------*/

/* The account of a user, the account above of an account. */
static const char *parent_of(const struct row *row)
{
	return is_root(row) ? ""
			    : row->shares->v[OF(row, tree.parent)].account;
}

/* One TRES of a list; every one of the catalogue has its place. */
struct tres_amount {
	const char *name;
	uint64_t count;
	double seconds;
};

#define AT(member) .offset = offsetof(struct tres_amount, member)
static const struct member count_rows[] = {
	{"name", MEMBER_TEXT, AT(name), .json = "name"},
	{"count", MEMBER_MAYBE64, AT(count), .json = "value"},
};
static struct value get_seconds(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct tres_amount *amount = record;

	(void)m, (void)arena;
	return of_fixed(amount->seconds, 6);
}
static const struct member usage_rows[] = {
	{"name", MEMBER_TEXT, AT(name), .json = "name"},
	{.get = get_seconds, .json = "value"},
};
#undef AT
static const struct members count_members = MEMBERS(count_rows);
static const struct members usage_members = MEMBERS(usage_rows);

enum amount_kind { RUN_SECONDS, GROUP_MINUTES, USED_SECONDS };

/* Minutes that are not limited are INFINITE64. */
static uint64_t group_minutes(const struct row *row, size_t i)
{
	const struct tres_list *limits =
		shares_limits(row->shares, row->index);
	uint64_t count =
		limits ? tres_list_get(limits, row->tres->v[i].id) : NO_VAL64;

	return count == NO_VAL64 ? INFINITE64 : count;
}

static struct value get_amounts(
	const struct member *m, const void *record, struct arena *arena)
{
	const struct row *row = record;
	size_t n = row->tres->n;
	struct tres_amount *amounts = arena_array(arena, n, sizeof(*amounts));
	const void **v = arena_array(arena, n, sizeof(*v));
	struct value_records *list = arena_alloc(arena, sizeof(*list));

	*list = (struct value_records){&count_members, v, n};
	for (size_t i = 0; i < n; i++) {
		v[i] = &amounts[i];
		amounts[i].name = tres_full_name(&row->tres->v[i], arena);
		if (m->arg == RUN_SECONDS)
			amounts[i].count =
				(uint64_t)shares_run_seconds(
					row->shares, row->index)[i];
		else if (m->arg == GROUP_MINUTES)
			amounts[i].count = group_minutes(row, i);
		else
			amounts[i].seconds =
				shares_seconds(row->shares, row->index)[i];
	}
	if (m->arg == USED_SECONDS)
		list->members = &usage_members;
	return (struct value){VALUE_RECORDS, {.records = list}};
}

static struct value type_of(const struct row *row, struct arena *arena)
{
	struct strv type = {0};

	strv_push(&type, arena, OF(row, tree.is_user) ? "USER" : "ASSOCIATION");
	return of_words(type, arena);
}

GET(name, of_text(*SHARE(row)->user ? SHARE(row)->user : SHARE(row)->account))
GET(parent, of_text(parent_of(row)))
GET(shares, of_limit(is_root(row) ? NO_VAL : OF(row, tree.shares_raw)))
GET(factor, of_real(shares_factor(row->shares, row->index)))
GET(level, of_real((double)NODE(row).level_fs))
GET(type, type_of(row, arena))

/* ---- the table -----------------------------------------------------------*/

enum { SHARE_NUMBER = MEMBER_MOVES | MEMBER_SUBTRACTED };

/* In the order of Slurm's records. */
/* clang-format off */
static const struct member rows[] = {
	{SHOWN("Account:1", "Account", -20, NULL, "account, moved in below its parent"), .fit.least = 10,
		.get = get_account},
	{SHOWN("ID:1", "ID", 6, "id", "number of the association"),
		.get = get_id},
	{SHOWN("Cluster:1", "Cluster", 10, "cluster", "cluster"),
		.get = get_cluster},
	{SHOWN("User:1", "User", 10, NULL, "user"),
		.get = get_user},
	{.json = "name", .get = get_name},
	{SHOWN("Parent:4", "Parent", 20, "parent", "account of a user, or above an account"),
		.get = get_parent, .marks = MEMBER_HIDDEN},
	{SHOWN("Partition:1", "Partition", 12, "partition", "partition of the association"),
		.get = get_partition},
	{SHOWN("NormShares:1", "NormShares", 11, "shares_normalized", "shares as a part of 1"), .fit.rank = 4,
		.get = get_shares_norm, .marks = SHARE_NUMBER},
	{SHOWN("RawShares:1", "RawShares", 10, NULL, "shares as set, or parent"), .fit.rank = 1,
		.get = get_raw_shares, .marks = SHARE_NUMBER},
	{.json = "shares", .get = get_shares},
	{.json = "tres/run_seconds", .get = get_amounts, .arg = RUN_SECONDS},
	{.json = "tres/group_minutes", .get = get_amounts, .arg = GROUP_MINUTES},
	{.json = "tres/usage", .get = get_amounts, .arg = USED_SECONDS},
	{SHOWN("GrpTRESMins:1", "GrpTRESMins", 30, NULL, "TRES minutes all jobs may use"),
		.get = get_grp_tres_mins, .arg = SHARES_TRES_LIMITS},
	{SHOWN("GrpTRESRaw:1", "GrpTRESRaw", 30, NULL, "TRES minutes used"),
		.get = get_grp_tres_raw, .arg = SHARES_TRES_USAGE},
	{SHOWN("TRESRunMins:1", "TRESRunMins", 30, NULL, "TRES minutes running jobs may use yet"),
		.get = get_tres_run_mins, .arg = SHARES_TRES_USAGE},
	{SHOWN("EffectvUsage:1", "EffectvUsage", 13, "effective_usage", "part of the usage that counts"), .fit.rank = 3,
		.get = get_usage_efctv, .marks = SHARE_NUMBER},
	{SHOWN("NormUsage:1", "NormUsage", 11, "usage_normalized", "usage as a part of all usage"),
		.get = get_usage_norm, .marks = SHARE_NUMBER},
	{SHOWN("RawUsage:1", "RawUsage", 11, "usage", "billed seconds used"), .fit.rank = 2,
		.get = get_raw_usage, .marks = SHARE_NUMBER},
	{SHOWN("FairShare:1", "FairShare", 10, NULL, "fair-share factor of a user"),
		.get = get_user_factor, .marks = SHARE_NUMBER},
	{.json = "fairshare/factor", .get = get_factor},
	{SHOWN("LevelFS:1", "LevelFS", 10, NULL, "share by usage among siblings"),
		.get = get_level_fs, .marks = SHARE_NUMBER},
	{.json = "fairshare/level", .get = get_level},
	{.json = "type", .get = get_type},
};
/* clang-format on */

const struct members share_members = MEMBERS(rows);

struct members share_columns(struct arena *arena)
{
	return members_ordered(&share_members,
		"Account Cluster EffectvUsage FairShare GrpTRESMins GrpTRESRaw"
		" ID LevelFS NormShares NormUsage Partition RawShares RawUsage"
		" TRESRunMins User",
		arena);
}

/* ---- which columns -------------------------------------------------------*/

/* What -l, -m and the algorithm make of the columns. */
static void default_format(struct strv *format, const struct options *options,
	enum fairshare_algorithm algorithm, struct arena *arena)
{
	bool all = options->long_list;
	bool machine = options->mode == TABLE_CSV && options->clusters.text;
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

void sshare_choose(struct grid *grid, const struct options *options,
	enum fairshare_algorithm algorithm)
{
	struct strv format = {0};

	if (options->format)
		strv_names(&format, grid->arena, options->format);
	else
		default_format(&format, options, algorithm, grid->arena);
	for (size_t i = 0; i < format.n; i++)
		if (grid_choose(grid, format.v[i])) {
			cli_error("Invalid field requested: \"%.*s\"",
				(int)strcspn(format.v[i], "%"), format.v[i]);
			cli_did_you_mean_member(grid->members, format.v[i]);
			exit(1);
		}
	if (options->what_if.n)
		return;
	algorithm_columns(grid, &options->algorithms);
	if (options->algorithms.n && !options->format)
		cli_fit(&grid->table);
}

unsigned sshare_details(const struct grid *grid)
{
	unsigned details = 0;

	for (size_t i = 0; i < grid->table.n; i++)
		if (grid->columns[i]->names)
			details |= grid->columns[i]->arg;
	return details & (SHARES_TRES_USAGE | SHARES_TRES_LIMITS);
}
