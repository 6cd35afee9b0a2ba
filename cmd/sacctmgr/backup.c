/*
 * backup and restore: the whole store (man/bursar-store.5). Slurm leaves
 * this to its database. What they do is in db/archive.
 */
#include "db/archive/backup.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/sacctmgr/dry_run.h"
#include "cmd/sacctmgr/input.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/privilege.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/entity/lease.h"
#include "db/shared/shared.h"

/* The one word is a file, also as file=FILE. */
static const char *one_file(
	struct session *s, const char *verb, char **words, int n)
{
	struct word word;

	if (n != 1) {
		complain(s, "%s takes one file: %s FILE", verb, verb);
		return NULL;
	}
	word = word_split(words[0]);
	return word.op == OP_SET &&
			       words_match("File:1", word.text, word.name_len)
		       ? str_unquote(&s->arena, word.value)
		       : words[0];
}

int backup_command(struct session *s, char **words, int n)
{
	const char *path = one_file(s, "backup", words, n);

	if (!path)
		return -1;
	if (!is_administrator(s))
		return complain_denied(s);
	if (options(s)->dry_run) {
		dry_run_file(s, path);
		return 0;
	}
	/* The copy is to have in its log what its values are from. */
	if (lease_waits(s->store) && session_open(s, STORE_WRITE))
		return complain_err(s);
	if (backup_write(s->store, path, false))
		return complain_err(s);
	if (!options(s)->quiet)
		fprintf(output(s), " Store written to %s\n", path);
	cli_flush_done();
	return 0;
}

/* ---- restore -------------------------------------------------------------*/

static void announce(struct session *s, const char *path)
{
	struct stat st;
	const char *time = "";

	if (!stat(path, &st))
		time = time_format(&s->arena, st.st_mtime,
			s->site.time_format, (time_t)s->site.now);
	fprintf(output(s),
		" Everything in %s\n becomes what %s has, a file of %s\n",
		s->site.store_path, path, time);
}

/* Nothing is done behind the back of who cannot read of it. */
static bool agreed(struct session *s, const char *path)
{
	if (!input_can_ask(s))
		return false;
	announce(s, path);
	if (cli_flush())
		return false;
	if (prompt(s, "Would you like to commit changes?"))
		return true;
	input_discarded(s);
	return false;
}

static void tell(struct session *s, const char *kept)
{
	if (kept)
		fprintf(output(s), " What was there is in %s\n", kept);
	cli_flush_done();
}

/* Of several hosts' store each has the new one with its next command; this one
 * has it now. */
static int put_back(struct session *s, const char *path, const char **kept)
{
	if (!s->site.shared_log)
		return backup_restore(s->store, path, &s->arena, kept);
	return backup_keep(s->store, &s->arena, kept) ||
			       shared_restore(s->site.shared_log, path,
				       s->site.caller.name, s->command,
				       &s->err) ||
			       shared_refresh(s->store)
		       ? -1
		       : 0;
}

/* What would be said, and what would be another. */
static int try_restore(struct session *s, const char *path)
{
	struct store backup;
	struct held_output held;
	char *report;
	int rc;

	report_hold(s, &held);
	announce(s, path);
	tell(s, backup_kept(s->store, &s->arena));
	report = report_text(s, &held);
	rc = backup_look(&backup, s->store, &s->site.conf.policy, path);
	if (rc) {
		complain_err(s);
	} else {
		rc = dry_run_beside(s, &backup, report);
		store_close(&backup);
	}
	free(report);
	return rc;
}

int restore_command(struct session *s, char **words, int n)
{
	const char *path = one_file(s, "restore", words, n), *kept;

	if (!path)
		return -1;
	if (options(s)->readonly)
		return complain(s, "Can't run this command in readonly mode.");
	if (!is_administrator(s))
		return complain_denied(s);
	if (backup_check(s->site.store_path, path, &s->err))
		return complain_err(s);
	if (options(s)->dry_run)
		return try_restore(s, path);
	if (!agreed(s, path))
		return 0;
	if (put_back(s, path, &kept))
		return complain_err(s);
	tell(s, kept);
	return 0;
}

/* The store says nothing of rights: those of the folder decide. */
int restore_over_damage(struct session *s, char **words, int n)
{
	struct err damage = s->err;
	const char *path, *kept;

	if (site_find(&s->site, &s->err))
		return complain_err(s);
	path = one_file(s, "restore", words, n);
	if (!path)
		return -1;
	if (!s->site.shared_log)
		cli_print_err(&damage);
	if (options(s)->dry_run)
		return complain(s, " There is nothing to compare %s with", path);
	if (privilege_held() && s->site.caller.uid)
		return complain_denied(s);
	if (backup_check(s->site.store_path, path, &s->err))
		return complain_err(s);
	if (!agreed(s, path))
		return 0;
	kept = NULL;
	if (s->site.shared_log
			? shared_restore(s->site.shared_log, path,
				  s->site.caller.name, s->command, &s->err)
			: backup_replace(s->site.store_path, path, s->site.now,
				  &s->arena, &kept, &s->err))
		return complain_err(s);
	tell(s, kept);
	return 0;
}
