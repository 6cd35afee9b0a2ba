/*
 * A site as a command sees it: its configuration, its store, and the caller.
 * Every program begins with site_open.
 *
 * Where the store is (DESIGN.md "The store"): BURSAR_STORE, else StorageLoc of
 * the slurmdbd.conf beside slurm.conf; else /var/lib/bursar/acct.db for root,
 * $XDG_DATA_HOME/bursar/acct.db for others. A program with more rights than its
 * caller heeds neither BURSAR_STORE nor SLURM_CONF nor the caller's folders.
 */
#ifndef BURSAR_SITE_H
#define BURSAR_SITE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf.h"
#include "common/text/value.h"
#include "db/store/store.h"

struct caller {
	uid_t uid;
	const char *name; /* login name, or the number */
	/* Administrator whatever the store says: uid 0, who owns the store's
	 * file, and the SlurmUser of a slurm.conf that belongs to one of those
	 * two (another's is not asked). */
	bool super;
};

struct site {
	struct arena arena; /* lives as long as the site */
	struct conf conf;
	struct conf_dbd dbd;
	struct store store;
	struct log *log; /* of which the store is a replica, or NULL */
	enum store_mode mode; /* it was opened in */
	struct caller caller;
	const char *store_path, *store_found; /* and what named it */
	struct strv registered; /* NodeName lines of nodes in no file */
	bool by_default; /* not configured */
	bool by_conf;	 /* slurmdbd.conf names the path */
	bool by_log;	 /* slurmdbd.conf says that it is a replica */
	const char *cluster; /* ClusterName, lower case */
	const char *time_format; /* SLURM_TIME_FORMAT or NULL */
	int64_t now;
};

/* Reads the configuration and opens the store as the mode says, with
 * `need_write` only if it can be written; -1 with err. The err stays the place
 * where the store's later errors go. */
int site_open(
	struct site *, enum store_mode, bool need_write, struct err *);

/* Everything but opening the store: its path, the caller. */
int site_find(struct site *, struct err *);
void site_close(struct site *);

/* Before each command of a long session: what time it is, and the names others
 * may have added to the store. */
int site_refresh(struct site *);

/* Is there a store already? Makes none. */
bool site_has_store(void);

/* How values of this site look as text. */
struct value_style site_style(const struct site *);

/* FederationParameters=fed_display: listings are of the whole federation. */
bool site_shows_federation(const struct site *);

#endif
