/*
 * Who the caller is to PrivateData; see privacy.h.
 */
#include "db/entity/privacy.h"

#include "db/entity/account.h"
#include "db/entity/user.h"
#include "db/store/query.h"

uint32_t rights_level(struct site *site, struct arena *arena)
{
	struct user_cond cond = {.names = STRV_ONE(site->caller.name)};
	struct user_list found = {0};

	if (site->caller.super)
		return ADMIN_ADMINISTRATOR;
	if (user_list(&site->store, &cond, arena, &found) || !found.n)
		return ADMIN_NONE;
	return found.v[0].admin_level;
}

int privacy_open(struct privacy *privacy, struct site *site, unsigned what,
	struct arena *arena)
{
	struct strv accounts = {0};
	unsigned private = site->conf.private_data | site->dbd.private_data;

	*privacy = (struct privacy){.caller = site->caller.name};
	if (!(private & what) || rights_level(site, arena) >= ADMIN_OPERATOR)
		return 0;
	privacy->on = true;
	if (coordinated_accounts(
		    &site->store, privacy->caller, arena, &accounts, NULL))
		return -1;
	privacy_restrict(privacy, privacy->caller, &accounts, arena);
	return 0;
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
	struct strv words = {0};

	if (!privacy->on)
		return false;
	privacy_foreign_words(privacy, text, typed, arena, &words);
	for (size_t i = 0; i < words.n; i++)
		if (is_name(store, words.v[i], privacy->caller))
			return true;
	return false;
}
