/*
 * Listings with a row per setting: `show assoc witheffective` (each limit in
 * force), `withblame` (each value, and who set it), `withleases` (each value that
 * holds until a time); of users, accounts and QOS, too. Slurm has none of them.
 */
#pragma once

#include <stdbool.h>

#include "db/entity/assoc.h"
#include "db/entity/qos.h"
#include "db/entity/user.h"

struct conds;
struct session;

extern const struct members setting_columns;

/* Was one of the three asked for? */
bool settings_wanted(const struct conds *);

/* Sets the conditions so that associations are then read with the values that the
 * listing needs: limits of their own, or inherited ones too. */
void settings_ask(struct conds *);

/* Prints the listing of these users, associations and QOS, each or NULL. 0, or
 * -1 and the reason was reported. */
int show_settings(struct session *, const struct conds *,
	const struct user_list *, const struct assoc_list *,
	const struct qos_list *);
