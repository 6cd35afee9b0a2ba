/*
 * The configuration in force, both halves (Slurm's
 * src/sacctmgr/config_functions.c). Passwords are never printed.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <string.h>

#include "common/cli/cli.h"
#include "common/conf/conf_key.h"
#include "common/text/timespec.h"

static const struct where_word where_words[] = {
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};

static const struct vocabulary vocabulary = {.where = {where_words}};

enum setting_kind {
	SETTING_TEXT,
	SETTING_SECRET,	 /* not shown, only that it is set */
	SETTING_YES_NO,	 /* "yes", "no" */
	SETTING_YES_BIG, /* "Yes", "No" */
	SETTING_SECONDS, /* "10 secs" */
	SETTING_SEC,	 /* "10 sec" */
	SETTING_USER,	 /* "root(0)" */
	SETTING_LOWER,	 /* "none" */
};

struct config_line {
	const char *name;
	enum setting_kind kind;
	const char *fallback; /* NULL: "(null)" */
	const char *key;      /* in the file; NULL: the name */
};

/* clang-format off */
static const struct config_line slurm_lines[] = {
	{"AccountingStorageBackupHost ", SETTING_TEXT, NULL, "AccountingStorageBackupHost"},
	{"AccountingStorageHost", SETTING_TEXT, "localhost", NULL},
	{"AccountingStorageParameters", SETTING_TEXT, NULL, NULL},
	{"AccountingStoragePass", SETTING_SECRET, NULL, NULL},
	{"AccountingStoragePort", SETTING_TEXT, "6819", NULL},
	{"AccountingStorageType", SETTING_TEXT, NULL, NULL},
	{"AuthType", SETTING_TEXT, "auth/munge", NULL},
	{"MessageTimeout", SETTING_SEC, "10", NULL},
	{"PluginDir", SETTING_TEXT, NULL, NULL},
	{"PrivateData", SETTING_LOWER, "none", NULL},
	{"SlurmUserId", SETTING_USER, "root", "SlurmUser"},
	{"SLURM_CONF", SETTING_TEXT, NULL, NULL},
	{"SLURM_VERSION", SETTING_TEXT, SLURM_VERSION_TEXT, NULL},
	{"TCPTimeout", SETTING_SEC, "2", NULL},
	{"TrackWCKey", SETTING_YES_BIG, "no", NULL},
};

static const struct config_line dbd_lines[] = {
	{"AllowNoDefAcct", SETTING_YES_NO, "no", NULL},
	{"AllResourcesAbsolute", SETTING_YES_NO, "no", NULL},
	{"ArchiveDir", SETTING_TEXT, "/tmp", NULL},
	{"ArchiveEvents", SETTING_YES_NO, "no", NULL},
	{"ArchiveJobs", SETTING_YES_NO, "no", NULL},
	{"ArchiveResvs", SETTING_YES_NO, "no", NULL},
	{"ArchiveScript", SETTING_TEXT, NULL, NULL},
	{"ArchiveSteps", SETTING_YES_NO, "no", NULL},
	{"ArchiveSuspend", SETTING_YES_NO, "no", NULL},
	{"ArchiveTXN", SETTING_YES_NO, "no", NULL},
	{"ArchiveUsage", SETTING_YES_NO, "no", NULL},
	{"AuthAltParameters", SETTING_TEXT, NULL, NULL},
	{"AuthAltTypes", SETTING_TEXT, NULL, NULL},
	{"AuthInfo", SETTING_TEXT, NULL, NULL},
	{"AuthType", SETTING_TEXT, "auth/munge", NULL},
	{"CommitDelay", SETTING_YES_NO, "no", NULL},
	{"CommunicationParameters", SETTING_TEXT, NULL, NULL},
	{"DbdAddr", SETTING_TEXT, NULL, NULL},
	{"DbdBackupHost", SETTING_TEXT, NULL, NULL},
	{"DbdHost", SETTING_TEXT, "localhost", NULL},
	{"DbdPort", SETTING_TEXT, "6819", NULL},
	{"DebugFlags", SETTING_TEXT, NULL, NULL},
	{"DebugLevel", SETTING_TEXT, "info", NULL},
	{"DebugLevelSyslog", SETTING_TEXT, "unknown", NULL},
	{"DefaultQOS", SETTING_TEXT, NULL, NULL},
	{"DisableArchiveCommands", SETTING_YES_NO, "no", NULL},
	{"DisableCoordDBD", SETTING_YES_NO, "no", NULL},
	{"HashPlugin", SETTING_TEXT, "hash/k12", NULL},
	{"LogFile", SETTING_TEXT, NULL, NULL},
	{"MaxQueryTimeRange", SETTING_TEXT, "UNLIMITED", NULL},
	{"MessageTimeout", SETTING_SECONDS, "10", NULL},
	{"Parameters", SETTING_TEXT, NULL, NULL},
	{"PidFile", SETTING_TEXT, NULL, NULL},
	{"PluginDir", SETTING_TEXT, NULL, NULL},
	{"PrivateData", SETTING_LOWER, "none", NULL},
	{"PurgeEventAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeJobAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeJobEnvAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeJobScriptAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeResvAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeStepAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeSuspendAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeTXNAfter", SETTING_TEXT, "NONE", NULL},
	{"PurgeUsageAfter", SETTING_TEXT, "NONE", NULL},
	{"SLURMDBD_CONF", SETTING_TEXT, NULL, NULL},
	{"SLURMDBD_VERSION", SETTING_TEXT, SLURM_VERSION_TEXT, NULL},
	{"SlurmUser", SETTING_USER, "root", NULL},
	{"StorageBackupHost", SETTING_TEXT, NULL, NULL},
	{"StorageHost", SETTING_TEXT, "localhost", NULL},
	{"StorageLoc", SETTING_TEXT, NULL, NULL},
	{"StorageParameters", SETTING_TEXT, NULL, NULL},
	{"StoragePort", SETTING_TEXT, "0", NULL},
	{"StorageType", SETTING_TEXT, "accounting_storage/sqlite", NULL},
	{"StorageUser", SETTING_TEXT, NULL, NULL},
	{"TCPTimeout", SETTING_SECONDS, "2", NULL},
	{"TrackSlurmctldDown", SETTING_YES_NO, "no", NULL},
	{"TrackWCKey", SETTING_YES_NO, "no", NULL},
};
/* clang-format on */

static const char *shown(
	struct session *s, enum setting_kind kind, const char *value)
{
	switch (kind) {
	case SETTING_TEXT:
		break;
	case SETTING_SECRET:
		return "(hidden)";
	case SETTING_YES_NO:
		return conf_is_yes(value) ? "yes" : "no";
	case SETTING_YES_BIG:
		return conf_is_yes(value) ? "Yes" : "No";
	case SETTING_SECONDS:
		return arena_printf(&s->arena, "%s secs", value);
	case SETTING_SEC:
		return arena_printf(&s->arena, "%s sec", value);
	case SETTING_USER:
		return user_with_number(value, &s->arena);
	case SETTING_LOWER:
		return str_lower(&s->arena, value);
	}
	return value;
}

/* Lines that are in no file. */
static const char *known_value(struct session *s, const char *name)
{
	if (!strcmp(name, "SLURM_CONF"))
		return s->site.conf.path;
	if (!strcmp(name, "SLURMDBD_CONF"))
		return s->site.dbd.path;
	if (!strcmp(name, "StorageLoc"))
		return s->site.store_path;
	return NULL;
}

static const char *line_value(struct session *s,
	const struct config_line *line, const struct conf_pairs *pairs)
{
	const char *value = known_value(s, line->name);

	if (!value)
		value = conf_pairs_get(
			pairs, line->key ? line->key : line->name);
	if (!value)
		value = line->fallback;
	return value ? shown(s, line->kind, value) : "(null)";
}

static void print_lines(struct session *s, const struct config_line *lines,
	size_t n, const struct conf_pairs *pairs)
{
	for (size_t i = 0; i < n; i++)
		fprintf(output(s), "%-22s = %s\n", lines[i].name,
			line_value(s, &lines[i], pairs));
}

enum { SLURM_LINES = sizeof(slurm_lines) / sizeof(*slurm_lines) };
enum { DBD_LINES = sizeof(dbd_lines) / sizeof(*dbd_lines) };

/* The server's half, as Slurm's document has it. */
static int write_document(struct session *s)
{
	struct document document;

	document_open(&document, s, "slurmdbd_conf");
	for (size_t i = 0; i < DBD_LINES; i++) {
		struct json_object *record = json_record();

		json_put_text(record, "key", dbd_lines[i].name);
		json_put_text(record, "value",
			line_value(s, &dbd_lines[i], &s->site.dbd.all));
		document_write(&document, record);
	}
	document_close(&document);
	return s->status ? -1 : 0;
}

static int show(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	if (document_wanted(s))
		return write_document(s);
	fprintf(output(s), "Configuration data as of %s\n",
		time_format(&s->arena, (time_t)s->site.now,
			s->site.time_format, (time_t)s->site.now));
	print_lines(s, slurm_lines, SLURM_LINES, &s->site.conf.all);
	fputs("\nSlurmDBD configuration:\n", output(s));
	print_lines(s, dbd_lines, DBD_LINES, &s->site.dbd.all);
	return 0;
}

const struct entity configuration_entity = {
	.names = "Configuration:2",
	.show = show,
	.vocabulary = &vocabulary,
	.help = "what slurm.conf and slurmdbd.conf say",
};
