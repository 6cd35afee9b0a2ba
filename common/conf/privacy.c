/*
 * Whose rows a caller may see; see privacy.h.
 */
#include "common/conf/privacy.h"

#include <string.h>
#include <strings.h>

void privacy_restrict(struct privacy *privacy, const char *caller,
	const struct strv *coordinated, struct arena *arena)
{
	*privacy = (struct privacy){
		.on = true, .caller = caller, .coordinated = *coordinated};
	strv_set_init(&privacy->accounts, coordinated, true, arena);
}

bool privacy_allows(
	const struct privacy *privacy, const char *user, const char *account)
{
	return !privacy->on || !strcasecmp(user, privacy->caller) ||
	       strv_set_has(&privacy->accounts, account);
}

void privacy_foreign_words(const struct privacy *privacy, const char *text,
	const char *typed, struct arena *arena, struct strv *words)
{
	static const char between[] = " \t\n,;:'\"()=|[]";

	for (text += strspn(text, between); *text;
		text += strspn(text, between)) {
		size_t len = strcspn(text, between);
		size_t dot = len - (text[len - 1] == '.');
		const char *word = arena_strndup(arena, text, dot);

		text += len;
		if (!strcasestr(typed, word) &&
			!privacy_allows(privacy, word, word))
			strv_push(words, arena, word);
	}
}
