#include "cmd/srecord/feeders.h"

#include <grp.h>
#include <limits.h>
#include <paths.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cli/cli.h"
#include "db/entity/site.h"

#define TYPE "JobCompType"
#define LOC "JobCompLoc"
#define PLUGIN "jobcomp/script"
/* What the script reads first. */
#define SETTINGS "/etc/bursar/feeder"

/* Where the script is; of the programs' folder: installed, installed beside
 * Slurm (LIBEXEC), in a clone. */
static const char *const folders[] = {
	"../share/bursar/feeders",
	"../../share/bursar/feeders",
	"../../packaging/feeders",
};

struct feeders {
	struct site site;
	const char *conf;      /* slurm.conf, or where one would be */
	char self[PATH_MAX];   /* this program */
	char script[PATH_MAX]; /* "": not found */
	const struct passwd *slurm_user;
};

static const char *setting(const struct feeders *f, const char *key)
{
	const char *value = conf_pairs_get(&f->site.conf.all, key);

	return value ? value : "";
}

static void find_script(struct feeders *f)
{
	char path[PATH_MAX * 2];
	const char *slash = strrchr(f->self, '/');

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%.*s/%s/jobcomp",
			(int)(slash - f->self), f->self, folders[i]);
		if (realpath(path, f->script) && !access(f->script, X_OK))
			return;
	}
	f->script[0] = '\0';
}

/* ---- what is missing: each returns a text, or NULL ------------------------*/

static const char *no_script(struct feeders *f)
{
	if (f->script[0])
		return NULL;
	return arena_printf(&f->site.arena,
		"the script jobcomp, which \"make install\" puts into "
		"share/bursar/feeders beside %s",
		f->self);
}

static const char *no_lines(struct feeders *f)
{
	const char *type = setting(f, TYPE), *loc = setting(f, LOC);
	char real[PATH_MAX];

	if (*type && strcasecmp(type, "jobcomp/none") != 0 &&
		strcasecmp(type, PLUGIN) != 0)
		return arena_printf(&f->site.arena,
			TYPE "=" PLUGIN " in %s, which has %s: slurmctld takes "
			     "one; with a prolog and an epilog it can keep that "
			     "(bursar-feeders(7))",
			f->conf, type);
	if (strcasecmp(type, PLUGIN) != 0)
		return arena_printf(&f->site.arena,
			"these two lines in %s; then restart slurmctld",
			f->conf);
	if (realpath(loc, real) && !strcmp(real, f->script))
		return NULL;
	return arena_printf(&f->site.arena,
		LOC " of %s is %s: the second of these lines; then restart "
		    "slurmctld",
		f->conf, *loc ? loc : "not set");
}

/* slurmctld runs the script with this PATH
 * (src/plugins/jobcomp/script/jobcomp_script.c, _create_environment()). */
static const char *not_on_path(struct feeders *f)
{
	static const char path[] = _PATH_STDPATH;
	char name[PATH_MAX];

	for (const char *p = path; *p;) {
		size_t n = strcspn(p, ":");

		snprintf(name, sizeof(name), "%.*s/bursar", (int)n, p);
		if (!access(name, X_OK))
			return NULL;
		p += n + (p[n] == ':');
	}
	return arena_printf(&f->site.arena,
		"the command bursar where slurmctld looks for it: "
		"ln -s %.*s/bursar /usr/bin",
		(int)(strrchr(f->self, '/') - f->self), f->self);
}

/* A store that is named only here, or is the caller's own, is not the one that
 * the script writes. */
static const char *another_store(struct feeders *f)
{
	const struct site *site = &f->site;
	bool by_environment =
		!site->by_default && !site->by_conf && !site->by_log;

	if (!access(SETTINGS, F_OK))
		return NULL;
	if (by_environment)
		return arena_printf(&f->site.arena,
			"a store that slurmctld knows: it does not have "
			"BURSAR_STORE. Export that in " SETTINGS ", or set "
			"StorageLoc in slurmdbd.conf");
	if (site->by_default && strcmp(site->conf.slurm_user, "root") != 0)
		return arena_printf(&f->site.arena,
			"StorageLoc in a slurmdbd.conf beside %s: without it "
			"SlurmUser %s has a store of its own",
			f->conf, site->conf.slurm_user);
	return NULL;
}

static const char *no_store(struct feeders *f)
{
	if (site_has_store())
		return NULL;
	return arena_printf(&f->site.arena,
		"the store %s, which \"sacctmgr -i add account NAME\" makes",
		f->site.store_path);
}

static bool in_group(const struct passwd *user, gid_t gid)
{
	gid_t groups[1024];
	int n = sizeof(groups) / sizeof(*groups);

	if (getgrouplist(user->pw_name, user->pw_gid, groups, &n) < 0)
		return true;
	for (int i = 0; i < n; i++)
		if (groups[i] == gid)
			return true;
	return false;
}

/* A program with the rights of the store's group writes it for everybody. */
static const char *may_not_write(struct feeders *f)
{
	const struct passwd *user = f->slurm_user;
	struct stat store, program;

	if (!user)
		return arena_printf(&f->site.arena,
			"the SlurmUser of %s, %s, on this machine",
			f->conf, f->site.conf.slurm_user);
	if (!user->pw_uid || stat(f->site.store_path, &store) ||
		store.st_uid == user->pw_uid || store.st_mode & S_IWOTH)
		return NULL;
	if (store.st_mode & S_IWGRP &&
		(in_group(user, store.st_gid) ||
			(!stat(f->self, &program) &&
				program.st_mode & S_ISGID &&
				program.st_gid == store.st_gid)))
		return NULL;
	return arena_printf(&f->site.arena,
		"the right of SlurmUser %s to write %s, and its folder: chown "
		"both to %s",
		user->pw_name, f->site.store_path, user->pw_name);
}

static const char *(*const checks[])(struct feeders *) = {
	no_script,
	no_lines,
	not_on_path,
	another_store,
	no_store,
	may_not_write,
};

static int print(struct feeders *f)
{
	const char *storage = setting(f, "AccountingStorageType");
	const char *wanting;
	int missing = 0;

	printf("With these lines in %s slurmctld tells the store of every job "
	       "that ends:\n\n"
	       "    " TYPE "=" PLUGIN "\n"
	       "    " LOC "=%s\n\n",
		f->conf,
		f->script[0] ? f->script : "/usr/share/bursar/feeders/jobcomp");
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		wanting = checks[i](f);
		if (wanting)
			printf("%s  - %s\n", missing++ ? "" : "Missing:\n",
				wanting);
	}
	if (!missing)
		printf("Nothing is missing. The store is %s.\n",
			f->site.store_path);
	if (strstr(storage, "slurmdbd"))
		puts("\nThis Slurm has a slurmdbd: \"srecord sync\" brings "
		     "accounts, limits and waiting jobs too.");
	return missing != 0;
}

int show_feeders(void)
{
	struct feeders f = {0};
	struct err err;
	int rc;

	if (cli_beside(f.self, "srecord", &err) || site_find(&f.site, &err))
		cli_die(&err);
	f.conf = f.site.conf.path;
	if (!f.conf)
		f.conf = BURSAR_CONF_FOLDER "/slurm.conf";
	find_script(&f);
	f.slurm_user = getpwnam(f.site.conf.slurm_user);
	rc = print(&f);
	site_close(&f.site);
	return rc;
}
