/*
 * Listings with a row per setting: `show assoc witheffective` (each limit in
 * force), `withblame` (each value, and who set it), `withleases` (each value that
 * holds until a time); of users, accounts and QOS, too. Slurm has none of them.
 */
#ifndef BURSAR_SACCTMGR_SETTINGS_H
#define BURSAR_SACCTMGR_SETTINGS_H

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

/* Prints the listing of these associations, or QOS; with `users` (or NULL) those
 * users' own settings come first. Return 0, or -1 with s->err set or printed. */
int show_settings(struct session *, const struct conds *,
	const struct assoc_list *, const struct user_list *users);
int show_qos_settings(
	struct session *, const struct conds *, const struct qos_list *);

#endif
