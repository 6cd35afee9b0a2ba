/*
 * What is told of single settings: `show assoc witheffective`, `withblame`,
 * `withleases`, a row for each limit in force, each value that was set, each that
 * holds until a time. The same for users,
 * accounts (their associations) and QOS. Slurm has nothing like it.
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

/* Is any of it asked for? */
bool settings_wanted(const struct conds *);

/* Before associations are read: with the values that are needed. */
void settings_ask(struct conds *);

/* `users`: their own settings too; or NULL. */
int show_settings(struct session *, const struct conds *,
	const struct assoc_list *, const struct user_list *users);
int show_qos_settings(
	struct session *, const struct conds *, const struct qos_list *);

#endif
