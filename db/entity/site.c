#include "db/entity/site.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/privilege.h"
#include "common/base/strv.h"
#include "db/entity/cluster.h"
#include "db/entity/initial.h"
#include "db/entity/lease.h"
#include "db/entity/node.h"
#include "db/shared/shared.h"
#include "db/file/files.h"
#include "db/usage/convert.h"

/* Root may look as somebody else, who need have no login here. */
static bool find_other(struct caller *caller)
{
	const char *name = getuid() ? NULL : secure_getenv("BURSAR_AS");

	if (!name || !*name)
		return false;
	*caller = (struct caller){
		.uid = (uid_t)-1, .name = name, .only_looks = true};
	return true;
}

/* Who started us, by the real uid. */
static void find_caller(struct site *site)
{
	uid_t uid = getuid();
	struct passwd *pw;

	if (find_other(&site->caller))
		return;
	pw = getpwuid(uid);
	site->caller.uid = uid;
	site->caller.name = pw
		? arena_strdup(&site->arena, pw->pw_name)
		: arena_printf(&site->arena, "%u", (unsigned)uid);
}

/* slurm.conf may name a store's SlurmUser only if its author has that power
 * anyway: root, or the owner of the store's file. */
static bool conf_is_trusted(const struct site *site, const struct stat *store)
{
	struct stat conf;

	if (!site->conf.path || stat(site->conf.path, &conf))
		return false;
	return (conf.st_uid == 0 || conf.st_uid == store->st_uid) &&
	       !(conf.st_mode & S_IWOTH);
}

/* Once there is a store. */
static void find_rights(struct site *site)
{
	struct caller *caller = &site->caller;
	struct stat store;

	caller->super = caller->uid == 0;
	if (caller->super || store_files_stat(site->store_path, &store))
		return;
	caller->super = caller->uid == store.st_uid ||
			(!strcmp(caller->name, site->conf.slurm_user) &&
				conf_is_trusted(site, &store));
}

/* In a program with rights of its own, one whom the store would belong to must
 * not be just anybody. */
static int may_create(const struct site *site, struct err *err)
{
	bool super = site->caller.uid == 0 ||
		     !strcmp(site->caller.name, site->conf.slurm_user);

	if (super || !privilege_held() ||
		!store_files_access(site->store_path, F_OK))
		return 0;
	return err_set(err, ERR_DENIED,
		"there is no store at %s: root or SlurmUser makes it",
		site->store_path);
}

static char *default_path(struct site *site)
{
	const char *data = secure_getenv("XDG_DATA_HOME");
	const char *home = secure_getenv("HOME");

	if (getuid() == 0 || privilege_held())
		return "/var/lib/bursar/acct.db";
	if (data && *data == '/')
		return arena_printf(
			&site->arena, "%s/bursar/acct.db", data);
	return arena_printf(&site->arena, "%s/.local/share/bursar/acct.db",
		home ? home : "");
}

/* Folders of a default path are created as needed; a configured path must
 * exist. */
static void make_folders(const char *path)
{
	char folder[4096];

	for (const char *slash = strchr(path + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		size_t n = (size_t)(slash - path);

		if (n >= sizeof(folder))
			return;
		memcpy(folder, path, n);
		folder[n] = '\0';
		if (mkdir(folder, 0755) && errno != EEXIST)
			return;
	}
}

static int find_store(struct site *site, struct err *err)
{
	const char *override = secure_getenv("BURSAR_STORE");
	const char *type = site->dbd.storage_type;

	if (override && *override) {
		site->store_found = "BURSAR_STORE";
		/* SQLite takes some names for no file, as `:memory:` and
		 * `file:x`: what was written there would be gone. */
		site->store_path = *override == '/' ? override
						    : arena_printf(&site->arena,
							      "./%s", override);
	} else if (shared_wanted(&site->dbd)) {
		site->store_found = "ReplicaDir in slurmdbd.conf";
		site->by_log = true;
	} else if (site->dbd.storage_loc && type &&
		   !strcmp(type, "accounting_storage/sqlite")) {
		site->store_found = "StorageLoc in slurmdbd.conf";
		site->store_path = site->dbd.storage_loc;
		site->by_conf = true;
		if (*site->store_path != '/') /* another one in every folder */
			return err_set(err, ERR_USAGE,
				"%s: StorageLoc=%s: the path of a store begins "
				"with /",
				site->dbd.path, site->store_path);
	} else {
		site->store_found = "the default";
		site->store_path = default_path(site);
		site->by_default = true;
	}
	return 0;
}

/* slurmdbd.conf names a store that the caller could create but that does not
 * exist yet: reading shows what a new one would hold, as slurmdbd does with its
 * new database. Nothing is created. */
static bool is_new_site(const struct site *site, enum store_mode mode)
{
	const char *slash = strrchr(site->store_path, '/');
	char folder[4096];

	if (mode != STORE_READ || !site->by_conf || privilege_held() ||
		store_is_there(site->store_path) ||
		!access(site->store_path, F_OK))
		return false;
	snprintf(folder, sizeof(folder), "%.*s",
		(int)(slash - site->store_path), site->store_path);
	return !access(*folder ? folder : "/", W_OK);
}

/* A mistyped path must not look like a cluster without anything in it. */
static int check_there(
	const struct site *site, enum store_mode mode, struct err *err)
{
	if (mode == STORE_CREATE && site->by_default)
		make_folders(site->store_path);
	if (mode == STORE_CREATE || store_is_there(site->store_path))
		return 0;
	return err_set(err, ERR_STORE,
		"there is no store at %s (%s); 'sacctmgr add account ...' or "
		"'srecord ...' makes one",
		site->store_path, site->store_found);
}

/* What it says about rights must not be missed by those it is meant for. It may
 * hold a password (db/shared), which is for the program, not for its caller. */
static int load_dbd(struct site *site, const char *path, struct err *err)
{
	char why[sizeof(err->text)];
	int rc;

	privilege_raise();
	rc = conf_load_dbd(&site->dbd, path, &site->arena, err);
	privilege_lower();
	if (!rc || err->kind != ERR_DENIED)
		return rc;
	memcpy(why, err->text, sizeof(why));
	return err_set(err, ERR_DENIED, "%s; %s", why,
		privilege_held()
			? "it must be readable by the group of this program, "
			  "which has rights of its own"
			: "where the store is stands there: ask an "
			  "administrator");
}

/* A site without a slurm.conf is one that wrote nothing down; a SLURM_CONF that
 * names no file is a mistake, and so is a link to none. */
static int load_conf(struct site *site, struct err *err)
{
	const char *path = secure_getenv("SLURM_CONF");
	struct stat there;

	if (!path || !*path) {
		path = BURSAR_CONF_FOLDER "/slurm.conf";
		if (lstat(path, &there) && (errno == ENOENT || errno == ENOTDIR)) {
			conf_defaults(&site->conf);
			return load_dbd(site, path, err);
		}
	}
	return any_failed(conf_load(&site->conf, path, &site->arena, err) ||
			  load_dbd(site, path, err));
}

/* Those of AccountingStorageTRES that the store lacks: who opens it to change
 * something adds them; a reader sees them with the numbers they will get. */
static int add_tres(struct site *site)
{
	int tries = 0, rc = 0;

	if (site->mode == STORE_READ || site->store.read_only) {
		initial_know_tres(&site->store, &site->conf.tres);
		return 0;
	}
	do
		rc = initial_add_tres(&site->store, &site->conf.tres);
	while (rc && store_again(&site->store, &tries));
	if (rc)
		store_close(&site->store);
	return rc;
}

/* Nodes and partitions of slurm.conf can be shown without one. A path that was
 * typed may be mistyped. */
static bool does_without(const struct site *site)
{
	return site->conf_is_enough && (site->by_default || site->by_conf) &&
	       site->conf.n_nodes && !store_is_there(site->store_path) &&
	       access(site->store_path, F_OK);
}

static int look_at_leases(
	struct site *site, const struct store_options *options)
{
	return any_failed(
		lease_opened(&site->store, options, &site->conf.policy) ||
		add_tres(site));
}

static int open_store(struct site *site, enum store_mode mode, bool need_write,
	struct err *err)
{
	struct store_options options = {
		.path = site->store_path,
		.cluster = site->cluster,
		.tres = &site->conf.tres,
		.default_qos = site->dbd.default_qos,
		.actor = site->caller.name,
		.now = site->now,
		.mode = mode,
		.need_write = need_write,
		.own = true,
		.fill = initial_fill,
	};

	if (site->shared_log) {
		if (shared_open_store(
			    site->shared_log, &site->store, &options, err))
			return -1;
		return look_at_leases(site, &options);
	}
	if (is_new_site(site, mode) || does_without(site)) {
		options.path = ":memory:";
		options.mode = STORE_CREATE;
		options.own = false;
	} else if (check_there(site, mode, err) || may_create(site, err)) {
		return -1;
	}
	if (store_open(&site->store, &options, err))
		return -1;
	return look_at_leases(site, &options);
}

/* Nodes that registered themselves are nodes like those of slurm.conf. */
static int add_nodes(struct site *site, struct err *err)
{
	if (node_lines(&site->store, site->cluster, &site->conf, &site->arena,
		    &site->registered))
		return -1;
	if (!site->registered.n)
		return 0;
	return conf_load_with(&site->conf, site->conf.path, &site->registered,
		&site->arena, err);
}

bool site_has_store(void)
{
	struct site site = {0};
	struct err err;
	bool found = !load_conf(&site, &err);

	if (found) {
		find_caller(&site);
		found = !find_store(&site, &err) &&
			store_is_there(site.store_path);
	}
	arena_release(&site.arena);
	return found;
}

/* A program that tries something on a copy for another program
 * (db/whatif/whatif.h) uses that one's time. */
int64_t site_clock(void)
{
	const char *store = secure_getenv("BURSAR_STORE");
	const char *text = secure_getenv("BURSAR_NOW");
	char *end = NULL;
	long long now = store && *store && text ? strtoll(text, &end, 10) : 0;

	return now > 0 && !*end ? now : time(NULL);
}

/* BURSAR_OFFLINE is what --offline sets (common/cli/options.h). */
static int find_log(struct site *site, struct err *err)
{
	const char *offline = getenv("BURSAR_OFFLINE");

	if (shared_find(&site->shared_log, &site->dbd, offline && *offline,
		    site->cluster, &site->arena, err))
		return -1;
	site->store_path = shared_replica(site->shared_log);
	return 0;
}

int site_find(struct site *site, struct err *err)
{
	*site = (struct site){.now = site_clock(),
		.time_format = getenv("SLURM_TIME_FORMAT")};
	err->text[0] = '\0';
	if (load_conf(site, err)) {
		arena_release(&site->arena);
		return -1;
	}
	usage_convert_when_migrated(&site->conf.policy);
	find_caller(site);
	site->cluster = site->conf.cluster_name ? site->conf.cluster_name
						: "cluster";
	if (find_store(site, err) || (site->by_log && find_log(site, err))) {
		arena_release(&site->arena);
		return -1;
	}
	return 0;
}

static void hint(struct site *site, const char *text)
{
	strv_push(&site->conf.hints, &site->arena, text);
}

/* One who has one cluster in the store and another in slurm.conf is told how
 * they become one: no row that anybody asks for is found. */
static int compare_clusters(struct site *site)
{
	const char *named = site->conf.cluster_name, *only;
	struct strv names = {0};

	if (site->store.is_new) {
		if (!named && site->mode == STORE_CREATE)
			hint(site, arena_printf(&site->arena,
				"%s begins with a cluster 'cluster': slurm.conf has "
				"no ClusterName. 'sacctmgr modify cluster cluster "
				"set newname=NAME' gives it another name",
				site->store_path));
		return 0;
	}
	if (cluster_names(&site->store, &site->arena, &names))
		return -1;
	if (names.n != 1 || !strcmp(only = names.v[0], site->cluster))
		return 0;
	hint(site, named ? arena_printf(&site->arena,
			"the store knows only cluster '%s', slurm.conf has "
			"ClusterName=%s: 'sacctmgr modify cluster %s set "
			"newname=%s' gives it that name, 'sacctmgr add cluster "
			"%s' adds another",
			only, named, only, named, named)
			: arena_printf(&site->arena,
			"the store knows only cluster '%s', slurm.conf has no "
			"ClusterName: write ClusterName=%s there",
			only, only));
	return 0;
}

void site_act_as(struct site *site, const struct caller *caller)
{
	site->caller = *caller;
	find_rights(site);
}

int site_open_found(struct site *site, enum store_mode mode,
	bool need_write, struct err *err)
{
	site->mode = mode;
	if (mode != STORE_READ && site->caller.only_looks) {
		arena_release(&site->arena);
		return err_set(err, ERR_DENIED,
			"BURSAR_AS: who looks as %s changes nothing",
			site->caller.name);
	}
	if (open_store(site, mode, need_write, err)) {
		arena_release(&site->arena);
		return -1;
	}
	if (add_nodes(site, err) || compare_clusters(site)) {
		site_close(site);
		return -1;
	}
	find_rights(site);
	return 0;
}

int site_open(struct site *site, enum store_mode mode, bool need_write,
	struct err *err)
{
	return any_failed(site_find(site, err) ||
			  site_open_found(site, mode, need_write, err));
}

int site_open_described(struct site *site, struct err *err)
{
	if (site_find(site, err))
		return -1;
	site->conf_is_enough = true;
	return site_open_found(site, STORE_READ, false, err);
}

int site_lay_over(struct site *site, struct site *below)
{
	if (lease_open_private(
		    &site->store, &below->store, &site->conf.policy))
		return -1;
	if (!initial_add_tres(&site->store, &site->conf.tres))
		return 0;
	store_close(&site->store);
	return -1;
}

/* Puts back values whose leases have ended. */
static int refresh_leases(struct site *site)
{
	struct err *err = site->store.err;
	int due = lease_due(&site->store, &site->conf.policy);

	if (due <= 0 || (site->store.refusal && site->store.shared_log))
		return due < 0 ? -1 : 0;
	if (site->mode != STORE_READ && !site->store.read_only)
		return lease_settle(&site->store, &site->conf.policy);
	store_close(&site->store);
	return open_store(site, site->mode, false, err);
}

int site_refresh_at(struct site *site, int64_t now)
{
	site->now = site->store.now = now;
	return shared_refresh(&site->store) || refresh_leases(site) ||
			       store_load_catalogs(&site->store)
		       ? -1
		       : add_tres(site);
}

int site_refresh(struct site *site)
{
	return site_refresh_at(site, site_clock());
}

void site_close(struct site *site)
{
	store_close(&site->store);
	shared_close(site->shared_log);
	arena_release(&site->arena);
}

struct value_style site_style(const struct site *site)
{
	return (struct value_style){.tres = &site->store.tres,
		.time_format = site->time_format, .now = site->now};
}

bool site_shows_federation(const struct site *site)
{
	const char *parameters =
		conf_pairs_get(&site->conf.all, "FederationParameters");

	return parameters && strcasestr(parameters, "fed_display");
}
