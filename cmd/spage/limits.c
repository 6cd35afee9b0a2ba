/*
 * Limits of which something is used, as sacctmgr tells them: it has a record
 * for every user, also of a limit that several share.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/spage/spage.h"

/* Of a number, or of TRES: {"cpu":1}. */
static double amount_of(struct member_text m)
{
	const char *colon = memchr(m.value, ':', m.len);

	return strtod(colon ? colon + 1 : m.value, NULL);
}

/* Whose use it is of: nobody's where several share it. */
static const char *owner_of(const char *record, struct arena *arena)
{
	struct member_text user = member_of(record, "user");
	struct member_text account = member_of(record, "account");

	if (!strncmp(member_of(record, "setting").value, "\"Grp", 4))
		return "";
	return arena_printf(arena, ",\"user\":%.*s,\"account\":%.*s",
		(int)user.len, user.value, (int)account.len, account.value);
}

void limits_drop(struct page *p)
{
	struct strv *records = &p->answers[ASK_LIMITS].lines, kept = {0};
	struct arena *arena = &p->arena;

	for (size_t i = 0; i < records->n; i++) {
		const char *record = records->v[i];
		struct member_text used = member_of(record, "used");

		if (amount_of(used) > 0)
			strv_printf(&kept, arena, "%.*s%s}",
				(int)(used.value + used.len - record), record,
				owner_of(record, arena));
	}
	*records = (struct strv){0};
	strv_add_all(records, arena, &kept);
}
