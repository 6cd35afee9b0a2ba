/*
 * Whose rows a caller may see; see privacy.h.
 */
#include "db/entity/privacy.h"

#include <string.h>
#include <strings.h>

#include "db/entity/account.h"
#include "db/entity/rights.h"
#include "db/entity/user.h"
#include "db/store/query.h"

int privacy_open(struct privacy *privacy, struct site *site, unsigned what,
	struct arena *arena)
{
	unsigned private = site->conf.private_data | site->dbd.private_data;

	*privacy = (struct privacy){.caller = site->caller.name};
	if (!(private & what) || rights_level(site, arena) >= ADMIN_OPERATOR)
		return 0;
	privacy->on = true;
	return coordinated_accounts(&site->store, privacy->caller, arena,
		&privacy->coordinated, NULL);
}

bool privacy_allows(
	const struct privacy *privacy, const char *user, const char *account)
{
	return !privacy->on || !strcasecmp(user, privacy->caller) ||
	       strv_has_nocase(&privacy->coordinated, account);
}

/* ---- errors --------------------------------------------------------------*/

static bool is_name(struct store *store, const char *word, const char *caller)
{
	struct query q;
	bool found;

	if (query_open(&q, store,
		    "SELECT 1 FROM user WHERE name = :word"
		    " UNION ALL SELECT 1 FROM account WHERE name = :word"
		    " AND NOT EXISTS (SELECT 1 FROM assoc"
		    "  WHERE account = :word AND user = :caller"
		    "  AND NOT deleted)"
		    " UNION ALL SELECT 1 FROM wckey WHERE name = :word"
		    " AND user <> :caller"
		    " UNION ALL SELECT 1 FROM reservation WHERE name = :word"))
		return true;
	query_bind_text(&q, ":word", word);
	query_bind_text(&q, ":caller", caller);
	found = query_row(&q);
	return query_close(&q) || found;
}

bool privacy_hides_text(const struct privacy *privacy, struct store *store,
	const char *text, const char *typed, struct arena *arena)
{
	static const char between[] = " \t\n,;:'\"()=|[]";

	if (!privacy->on)
		return false;
	for (text += strspn(text, between); *text;
		text += strspn(text, between)) {
		size_t len = strcspn(text, between);
		size_t dot = len - (text[len - 1] == '.');
		const char *word = arena_strndup(arena, text, dot);

		text += len;
		if (strcasestr(typed, word) ||
			!strcasecmp(word, privacy->caller) ||
			strv_has_nocase(&privacy->coordinated, word))
			continue;
		if (is_name(store, word, privacy->caller))
			return true;
	}
	return false;
}
