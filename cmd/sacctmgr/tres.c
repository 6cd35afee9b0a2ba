/*
 * `show tres`: what is tracked (Slurm's src/sacctmgr/tres_function.c).
 */
#include "cmd/sacctmgr/sacctmgr.h"

/* clang-format off */
static const struct where_word tres_words[] = {
	{"WithDeleted:5", WHERE_SWITCH, COND(with_deleted), GROUP_NONE, "deleted TRES too", FROM_NOTHING},
	{"Type:2", WHERE_LIST, COND(types), GROUP_RECORD, "types", FROM_TRES_TYPES},
	{"Names:1", WHERE_LIST, COND(names), GROUP_RECORD, "names", FROM_TRES_TYPES},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"Ids:1", WHERE_IDS, COND(ids), GROUP_RECORD, "numbers", FROM_NOTHING},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

/* No cluster is given. */
GETTER(count, struct tres, of_uint(0))

#define T(field, json_, type_, member)                                         \
	{                                                                      \
		HEAD_##field, .json = (json_), .type = type_,                  \
			      .offset = offsetof(struct tres, member)          \
	}
static const struct member tres_rows[] = {
	T(TYPE, "type", MEMBER_TEXT, type),
	T(NAME, "name", MEMBER_TEXT, name),
	T(ID, "id", MEMBER_COUNT, id),
	{.json = "count", .get = get_count},
};
static const struct members tres_columns = MEMBERS(tres_rows);

static const struct vocabulary tres_vocabulary = {
	.where = {tres_words},
	.bare = COND(types),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.id_label = "TRES ID",
};

/* A bare word may be `type/name`. */
static bool tres_wanted(
	struct session *s, const struct tres *t, const struct conds *where)
{
	char *id = arena_printf(&s->arena, "%u", t->id);

	if (where->ids.n && !strv_has(&where->ids, id))
		return false;
	if (where->names.n && !strv_has(&where->names, t->name))
		return false;
	return !where->types.n || strv_has(&where->types, t->type) ||
		strv_has(&where->types, tres_full_name(t, &s->arena));
}

static int rows(struct session *s, struct request *r, struct listing *l)
{
	listing_open(l, "Type,Name%15,ID");
	listing_drop_foreign(l);
	for (size_t i = 0; i < s->store->tres.n; i++) {
		const struct tres *t = &s->store->tres.v[i];

		if (tres_wanted(s, t, &r->where))
			listing_row(l, t);
	}
	return 0;
}

const struct entity tres_entity = {
	.names = "TRES:2",
	.rows = rows,
	.vocabulary = &tres_vocabulary,
	.columns = {&tres_columns},
	.document = "TRES",
	.help = "what is tracked: cpu, mem, gres/gpu ...",
};
