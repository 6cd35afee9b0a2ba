/*
 * slurmdbd.conf: where the store is and what its server would allow. See
 * conf.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/conf/conf.h"
#include "common/conf/conf_key.h"

/* Options that are words in one text: Parameters=PreserveCaseUser,... */
static int set_parameters(const struct conf_assign *assign)
{
	struct conf_dbd *dbd = assign->record;

	dbd->parameters = assign->value;
	dbd->preserve_case_user = strcasestr(assign->value, "PreserveCaseUser");
	dbd->preserve_case_resource =
		strcasestr(assign->value, "PreserveCaseResource");
	return 0;
}

#define DBD_AT(member) offsetof(struct conf_dbd, member)

static const struct conf_key dbd_keys[] = {
	{"StorageType", conf_set_text, DBD_AT(storage_type)},
	{"StorageLoc", conf_set_text, DBD_AT(storage_loc)},
	{"DefaultQOS", conf_set_lower, DBD_AT(default_qos)},
	{"ArchiveDir", conf_set_text, DBD_AT(archive_dir)},
	{"Parameters", set_parameters, 0},
	{"AllowNoDefAcct", conf_set_bool, DBD_AT(allow_no_def_acct)},
	{"AllowOwnJobRecords", conf_set_bool, DBD_AT(allow_own_jobs)},
	{"DisableCoordDBD", conf_set_bool, DBD_AT(disable_coord)},
	{"TrackWCKey", conf_set_bool, DBD_AT(track_wckey)},
	{"PrivateData", conf_set_private_data, DBD_AT(private_data)},
	{"PurgeEventAfter", conf_set_text, DBD_AT(purge_event)},
	{"PurgeJobAfter", conf_set_text, DBD_AT(purge_job)},
	{"PurgeJobEnvAfter", conf_set_text, DBD_AT(purge_job_env)},
	{"PurgeJobScriptAfter", conf_set_text, DBD_AT(purge_job_script)},
	{"PurgeResvAfter", conf_set_text, DBD_AT(purge_resv)},
	{"PurgeStepAfter", conf_set_text, DBD_AT(purge_step)},
	{"PurgeSuspendAfter", conf_set_text, DBD_AT(purge_suspend)},
	{"PurgeTXNAfter", conf_set_text, DBD_AT(purge_txn)},
	{"PurgeUsageAfter", conf_set_text, DBD_AT(purge_usage)},
};

static const char *path_beside(struct arena *arena, const char *slurm_conf)
{
	const char *slash = strrchr(slurm_conf, '/');
	size_t n = slash ? (size_t)(slash - slurm_conf) + 1 : 0;

	return arena_printf(arena, "%.*sslurmdbd.conf", (int)n, slurm_conf);
}

static int read_lines(struct conf_dbd *dbd, const struct conf_lines *lines,
	struct arena *arena, struct err *err)
{
	for (size_t i = 0; i < lines->n; i++) {
		const struct conf_pairs *pairs = &lines->v[i].pairs;

		for (size_t j = 0; j < pairs->n; j++) {
			*ARENA_PUSH(arena, dbd->all.v, dbd->all.n,
				dbd->all.cap) = pairs->v[j];
			if (conf_assign(dbd_keys,
				    sizeof(dbd_keys) / sizeof(*dbd_keys), dbd,
				    &pairs->v[j], arena, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* With the rights that opening it would have. A link to a file that is not
 * there, as of a folder that is not mounted, is no file left out. */
static int look_for(struct conf_dbd *dbd, struct err *err)
{
	int fd = open(dbd->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), why = errno;
	struct stat link;

	dbd->present = fd >= 0;
	if (dbd->present)
		close(fd);
	else if ((why != ENOENT && why != ENOTDIR) || !lstat(dbd->path, &link))
		return err_set(err, why == EACCES ? ERR_DENIED : ERR_SYSTEM,
			"%s cannot be read: %s", dbd->path, strerror(why));
	return 0;
}

/* A line that cannot be read is shown, but for one with a password. */
static int hide_password(struct err *err)
{
	char *text = strchr(err->text, '"');

	if (text && strcasestr(text, "pass"))
		*text = '\0';
	return -1;
}

/* The caller of a program with rights of its own hears no word of a file that
 * the program alone may read. */
static int hide_words(const char *path, struct err *err)
{
	if (!access(path, R_OK))
		return hide_password(err);
	return err_set(err, err->kind,
		"%s has an error, which only those who may read the file are shown", path);
}

int conf_load_dbd(struct conf_dbd *out, const char *slurm_conf_path,
	struct arena *arena, struct err *err)
{
	struct conf_dbd dbd = {.path = path_beside(arena, slurm_conf_path)};
	struct conf_lines lines = {0};

	if (look_for(&dbd, err))
		return -1;
	if (dbd.present && (conf_lex_file(dbd.path, arena, &lines, err) ||
				   read_lines(&dbd, &lines, arena, err)))
		return hide_words(dbd.path, err);
	if (!dbd.archive_dir)
		dbd.archive_dir = "/tmp";
	*out = dbd;
	return 0;
}
