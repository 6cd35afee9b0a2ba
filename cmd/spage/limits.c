/*
 * Limits of which something is used, as sacctmgr tells them: it has a record
 * for every user, also of a limit that several share.
 */
#include <string.h>

#include "cmd/spage/spage.h"

/* Of a number, or the first of TRES: {"cpu":1}. */
static double amount_of(struct json_object *used)
{
	if (json_object_is_type(used, json_type_object)) {
		json_object_object_foreach(used, name, first) {
			(void)name;
			return json_object_get_double(first);
		}
	}
	return json_object_get_double(used);
}

void limits_drop(struct page *p)
{
	struct strv *records = &p->answers[ASK_LIMITS].lines, kept = {0};
	struct arena *arena = &p->arena;

	for (size_t i = 0; i < records->n; i++) {
		struct json_object *record = json_tokener_parse(records->v[i]);

		/* Where several share it, it is nobody's use. */
		if (!strncmp(record_text(record, "setting"), "Grp", 3)) {
			json_object_object_del(record, "user");
			json_object_object_del(record, "account");
		}
		if (amount_of(json_object_object_get(record, "used")) > 0)
			strv_push(&kept, arena,
				arena_strdup(arena, record_json(record)));
		json_object_put(record);
	}
	*records = (struct strv){0};
	strv_add_all(records, arena, &kept);
}
