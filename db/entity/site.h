/*
 * A site as a command sees it: its configuration, its store, and the caller.
 * Every program begins with site_open.
 *
 * Where the store is: BURSAR_STORE, else StorageLoc of
 * the slurmdbd.conf beside slurm.conf; else /var/lib/bursar/acct.db for root,
 * $XDG_DATA_HOME/bursar/acct.db for others. A program with more rights than its
 * caller heeds neither BURSAR_STORE nor SLURM_CONF nor the caller's folders.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/arena.h"
#include "common/base/err.h"
#include "common/conf/conf.h"
#include "common/text/value.h"
#include "db/store/store.h"

/* Who started the program; or as whom root looks (BURSAR_AS), which only reads. */
struct caller {
	uid_t uid;	  /* (uid_t)-1: of whom root looks as */
	const char *name; /* login name, or the number */
	bool only_looks;
	/* An administrator whatever the store says: uid 0, the owner of the
	 * store's file, and the SlurmUser of a slurm.conf that belongs to one
	 * of these two and that not everybody may write. */
	bool super;
};

struct site {
	struct arena arena; /* lives as long as the site */
	struct conf conf;
	struct conf_dbd dbd;
	struct store store;
	struct shared_log
		*shared_log;  /* of which the store is a replica, or NULL */
	enum store_mode mode; /* in which the store was opened */
	struct caller caller;
	const char *store_path, *store_found; /* found: what named the path, for
						 errors: "BURSAR_STORE" */
	struct strv registered;	 /* NodeName lines of nodes that registered
				    themselves (node.h) */
	/* Which of these the path is from; none: BURSAR_STORE. */
	bool by_default; /* no configuration names one */
	bool by_conf;	 /* StorageLoc of slurmdbd.conf */
	bool by_log;	 /* ReplicaDir of slurmdbd.conf: it is a replica */
	bool conf_is_enough; /* see site_open_described */
	const char *cluster; /* ClusterName, lower case; "cluster" without */
	const char *time_format; /* SLURM_TIME_FORMAT or NULL */
	int64_t now; /* epoch seconds */
};

/* The present time; BURSAR_NOW where a store of tests is named. No program asks
 * the clock elsewhere. */
int64_t site_clock(void);

/* Reads the configuration and opens the store as the mode says; `need_write`:
 * a store that cannot be written is an error. 0, or -1 with err, and then there
 * is nothing to close. Later errors of the store go to the same err. */
int site_open(
	struct site *, enum store_mode, bool need_write, struct err *);

/* As site_open, to read. Where there is no store, and BURSAR_STORE names none,
 * a slurm.conf with nodes is enough: it is as if nothing had happened yet. */
int site_open_described(struct site *, struct err *);

/* The second half of site_open, after site_find. On failure the site is gone. */
int site_open_found(
	struct site *, enum store_mode, bool need_write, struct err *);

/* From here on the caller is this one, with the rights that one has. */
void site_act_as(struct site *, const struct caller *);

/* Fills everything that does not need the store: configuration, path, caller.
 * Returns as site_open; after 0, site_close has to follow. */
int site_find(struct site *, struct err *);
void site_close(struct site *);

/* Opens a private copy over the store of `below`, which stays open: what is
 * changed in `site`, a copy of `below`, is forgotten with it. 0, or -1 with the
 * store's error. */
int site_lay_over(struct site *, struct site *below);

/* Before each command of a long session: sets the time, takes in what other
 * hosts have changed, puts expired leases back and reads the names of TRES and
 * QOS again. 0, or -1 with the store's error. */
int site_refresh(struct site *);

/* The same, where another clock counts. */
int site_refresh_at(struct site *, int64_t now);

/* Is there a store where site_open would look for it? Makes none. */
bool site_has_store(void);

/* How values are printed at this site: names of TRES, time format. */
struct value_style site_style(const struct site *);

/* Does FederationParameters have fed_display, so that listings are of the whole
 * federation? */
bool site_shows_federation(const struct site *);
