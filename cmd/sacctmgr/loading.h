/*
 * `load`: what its parts offer each other. A flat file is read, compared and
 * made so as every roster is (db/roster); only what is told of it is Slurm's.
 */
#pragma once

#include "cmd/sacctmgr/sacctmgr.h"
#include "db/roster/flatfile.h"

struct loading {
	struct flat_part part; /* first */
	char *text;	       /* of the file */
	bool clean, clean_accounts, clean_users, clean_qos;
	bool new_cluster;
	enum flat_kind wrong; /* the line at which reading ended */
	struct differences qos, rest;
	struct assoc blank; /* a row as it is shown of which nothing is said */
};

/* ---- what is told: load_report.c -----------------------------------------*/

/* When they are in the store. -1 with session->err. */
int load_tell_qos(struct loading *);
void load_tell_cluster(struct loading *);
int load_tell_changes(struct loading *);
void load_tell_new(struct loading *);
