/*
 * What is tortured: every kind of command that writes, and how to see whether
 * it was done.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/torture/torture.h"

static FILE *create(const struct place *place, const char *name)
{
	char path[TEXT];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", place->dir, name);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		exit(2);
	}
	return out;
}

static void prepare_load(const struct place *place, int round)
{
	FILE *out = create(place, "load.cfg");

	fprintf(out, "Cluster - 'canis':Fairshare=1:QOS='normal'\n"
		     "Parent - 'root'\n"
		     "Account - 'l%d':Description='l':Organization='o'\n"
		     "Parent - 'l%d'\n"
		     "User - 'l%da':DefaultAccount='l%d'\n"
		     "User - 'l%db':DefaultAccount='l%d'\n",
		round, round, round, round, round, round);
	fclose(out);
}

static void prepare_import(const struct place *place, int round)
{
	FILE *out = create(place, "jobs");

	fprintf(out, "JobID|JobName|User|Account|Partition|Submit|Start|End|"
		     "State\n");
	for (int i = 0; i < 3; i++)
		fprintf(out,
			"%d|imported%d|ann|lab|debug|2026-01-05T00:00:00|"
			"2026-01-05T01:00:00|2026-01-05T02:00:00|COMPLETED\n",
			1000000 + round * 3 + i, round);
	fclose(out);
}

/* What a file is that is written anew each time: whole, with a last line that
 * says so, or not there. */
static int look_at_file(const struct place *place, const char *name,
	const char *first, const char *last)
{
	char path[TEXT], line[4096], before[4096] = "";
	int status = 1;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", place->dir, name);
	in = fopen(path, "r");
	if (!in)
		return errno == ENOENT ? 0 : -1;
	if (!fgets(line, sizeof(line), in) || !strstr(line, first))
		status = -1;
	while (fgets(line, sizeof(line), in))
		memcpy(before, line, sizeof(before));
	if (!strstr(before, last) || !strchr(before, '\n'))
		status = -1;
	fclose(in);
	return status;
}

/* ---- dump ----------------------------------------------------------------*/

static bool same_content(
	const struct place *place, const char *a, const char *b)
{
	char command[4 * TEXT];

	snprintf(command, sizeof(command),
		"cmp -s '%s/%s' '%s/%s' 2>/dev/null", place->dir, a, place->dir,
		b);
	return !system(command);
}

/* The one before is kept, to know it again. */
static void keep_dump(const struct place *place, int round)
{
	char command[4 * TEXT];

	(void)round;
	snprintf(command, sizeof(command),
		"cp -f '%s/dump.cfg' '%s/dump.before' 2>/dev/null ||"
		" rm -f '%s/dump.before'",
		place->dir, place->dir, place->dir);
	if (system(command))
		exit(2);
}

/* As one written now, or as the one before; anything else is half of one. */
static int look_at_dump(const struct place *place, int round)
{
	char path[TEXT];

	if (run(place, "sacctmgr -iQ dump canis file=%D/dump.now", round))
		return -1;
	if (same_content(place, "dump.cfg", "dump.now"))
		return 1;
	snprintf(path, sizeof(path), "%s/dump.cfg", place->dir);
	if (same_content(place, "dump.cfg", "dump.before") || access(path, F_OK))
		return 0;
	return -1;
}

static int look_at_picture(const struct place *place, int round)
{
	(void)round;
	return look_at_file(place, "picture.svg", "<svg", "</svg>");
}

/* ---- archive -------------------------------------------------------------*/

enum { OLD_JOBS = 3 };

static void prepare_archive(const struct place *place, int round)
{
	char path[TEXT];
	FILE *out = create(place, "old");

	fprintf(out, "JobID|JobName|User|Account|Partition|Submit|Start|End|"
		     "State\n");
	for (int i = 0; i < OLD_JOBS; i++)
		fprintf(out,
			"%d|old%d.|ann|lab|debug|2020-01-05T00:00:00|"
			"2020-01-05T01:00:00|2020-01-05T02:00:00|COMPLETED\n",
			5000000 + round * OLD_JOBS + i, round);
	fclose(out);
	snprintf(path, sizeof(path), "%s/archive", place->dir);
	mkdir(path, 0700);
	if (run(place, "srecord import %D/old", round)) {
		fprintf(stderr, "old jobs cannot be imported\n");
		exit(2);
	}
}

/* In the store or in a file of the archive, all of them; in both is half done,
 * but only where the file was not to be there yet. */
static int look_at_archive(const struct place *place, int round)
{
	char command[2 * TEXT];
	int held = lines_of(place,
		"sacct -nPX -S 2020-01-01 -E 2020-02-01 --name=old%d. -o jobid",
		round);
	int archived = 0;
	FILE *in;

	snprintf(command, sizeof(command),
		"cat '%s'/archive/*.jsonl 2>/dev/null | grep -c '\"old%d[.]\"'",
		place->dir, round);
	in = popen(command, "r");
	if (!in || fscanf(in, "%d", &archived) != 1)
		archived = -1;
	if (in)
		pclose(in);
	if (held == OLD_JOBS)
		return 0;
	return !held && archived >= OLD_JOBS ? 1 : -1;
}

/* ---- delete --------------------------------------------------------------*/

static void prepare_delete(const struct place *place, int round)
{
	if (run(place, "sacctmgr -iQ add user d%d account=lab", round)) {
		fprintf(stderr, "a user to delete cannot be added\n");
		exit(2);
	}
}

static int look_at_deleted(const struct place *place, int round)
{
	switch (lines_of(place,
		"sacctmgr -nP show user d%d withassoc format=user,account",
		round)) {
	case 0:
		return 1;
	case 1:
		return 0;
	default:
		return -1;
	}
}

/* ---- backup --------------------------------------------------------------*/

/* Whole, or not there. */
static int look_at_backup(const struct place *place, int round)
{
	struct place copy = *place;

	(void)round;
	snprintf(copy.store, sizeof(copy.store), "%s/copy", place->dir);
	if (access(copy.store, F_OK))
		return 0;
	return is_sound(&copy) &&
			       lines_of(&copy,
				       "sacctmgr -nP show account lab",
				       round) == 1
		       ? 1
		       : -1;
}

/* As it is, with one account more. */
static void prepare_restore(const struct place *place, int round)
{
	struct place again = *place;
	char path[TEXT];

	snprintf(again.store, sizeof(again.store), "%s/again", place->dir);
	for (int i = 0; i < 3; i++) {
		static const char *const ends[] = {"", "-wal", "-shm"};

		snprintf(path, sizeof(path), "%s%s", again.store, ends[i]);
		unlink(path);
	}
	if (run(place, "sacctmgr -Q backup %D/again", round) ||
		run(&again, "sacctmgr -iQ add account b%d", round)) {
		fprintf(stderr, "what is to be restored cannot be made\n");
		exit(2);
	}
}

/* clang-format off */
const struct work works[] = {
	{"add account", "sacctmgr -iQ add account k%d", "sacctmgr -nP show account k%d format=account", 1, NULL, NULL},
	{"add user", "sacctmgr -iQ add user w%d account=lab", "sacctmgr -nP show user w%d withassoc format=user,account", 1, NULL, NULL},
	{"modify", "sacctmgr -iQ modify account lab set description=m%d", "sacctmgr -nP show account description=m%d format=account", 1, NULL, NULL},
	{"delete", "sacctmgr -iQ delete user d%d", NULL, 0, prepare_delete, look_at_deleted},
	{"load", "sacctmgr -iQ load %D/load.cfg", "sacctmgr -nP show assoc account=l%d format=user", 3, prepare_load, NULL},
	{"srecord job", "srecord job user=ann account=lab name=j%d cpus=2", "squeue -h --name=j%d -o %i", 1, NULL, NULL},
	{"srecord step", "srecord step job=1 step=%d start=2026-01-01T00:10:00 end=2026-01-01T00:20:00", "sacct -nP -j 1.%d -o jobid", 1, NULL, NULL},
	{"srecord import", "srecord import %D/jobs", "sacct -nPX -S 2026-01-01 -E 2026-02-01 --name=imported%d -o jobid", 3, prepare_import, NULL},
	{"srecord node", "srecord node node=vm state=drain reason=r%d start=now", "sacctmgr -nP show event reason=r%d format=reason", 1, NULL, NULL},
	{"roll-up", "sreport -nP cluster utilization start=2026-01-01 end=2026-01-09", "", 1, NULL, NULL},
	{"dump", "sacctmgr -iQ dump canis file=%D/dump.cfg", NULL, 0, keep_dump, look_at_dump},
	{"archive", "sacctmgr -iQ archive dump directory=%D/archive jobs purgejobafter=24months", NULL, 0, prepare_archive, look_at_archive},
	{"backup", "sacctmgr -Q backup %D/copy", NULL, 0, NULL, look_at_backup},
	{"picture", "sreport --svg=%D/picture.svg cluster utilization start=2026-01-01 end=2026-01-09", NULL, 0, NULL, look_at_picture},
	{"restore", "sacctmgr -i restore %D/again", "sacctmgr -nP show account b%d format=account", 1, prepare_restore, NULL},
};
/* clang-format on */

const size_t n_works = sizeof(works) / sizeof(works[0]);
