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
	const char *day = day_of(RECENT);
	FILE *out = create(place, "jobs");

	fprintf(out, "JobID|JobName|User|Account|Partition|Submit|Start|End|"
		     "State\n");
	for (int i = 0; i < 3; i++)
		fprintf(out,
			"%d|imported%d|ann|lab|debug|%sT01:00:00|"
			"%sT01:00:00|%sT02:00:00|COMPLETED\n",
			1000000 + round * 3 + i, round, day, day, day);
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

/* As one written now, or as the one before; anything else is half of one. What
 * changes it is above it in the list. */
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
	const char *day = day_of(OLD);
	char path[TEXT];
	FILE *out = create(place, "old");

	fprintf(out, "JobID|JobName|User|Account|Partition|Submit|Start|End|"
		     "State\n");
	for (int i = 0; i < OLD_JOBS; i++)
		fprintf(out,
			"%d|old%d.|ann|lab|debug|%sT00:00:00|"
			"%sT01:00:00|%sT02:00:00|COMPLETED\n",
			5000000 + round * OLD_JOBS + i, round, day, day, day);
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
		"sacct -nPX -S %O -E %R --name=old%d. -o jobid",
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

/* ---- files that are applied ----------------------------------------------*/

static void prepare_apply(const struct place *place, int round)
{
	FILE *out = create(place, "site.yaml");

	fprintf(out,
		"cluster: canis\n"
		"accounts:\n"
		"  y%d:\n"
		"    users: {y%da: {}, y%db: {FairShare: 3}}\n",
		round, round, round);
	fclose(out);
}

/* A group without members: the accounts it is mapped to are made. */
static void prepare_directory(const struct place *place, int round)
{
	FILE *out = create(place, "groups.yaml");

	fprintf(out, "cluster: canis\ngroups:\n"
		"  root: {account: [g%da, g%db], parent: root}\n", round,
		round);
	fclose(out);
}

/* ---- undo ----------------------------------------------------------------*/

static void must(const struct place *place, const char *words, int round)
{
	char text[TEXT];

	if (!run(place, words, round))
		return;
	fill(words, place, round, text);
	fprintf(stderr, "torture: fails: %s\n", text);
	exit(2);
}

/* The number of the last change is the first line of `words`. */
static void keep_last_change(const struct place *place)
{
	char command[3 * TEXT];

	must(place, "sacctmgr -nP show txn format=change", 0);
	snprintf(command, sizeof(command),
		"sort -n '%s.out' | tail -n 1 >'%s/words'", place->dir,
		place->dir);
	if (system(command))
		exit(2);
}

static void prepare_undo(const struct place *place, int round)
{
	must(place, "sacctmgr -iQ add account n%d", round);
	keep_last_change(place);
}

static int look_at_undone(const struct place *place, int round)
{
	return !lines_of(place, "sacctmgr -nP show account n%d", round);
}

/* ---- leases --------------------------------------------------------------*/

static void prepare_lease(const struct place *place, int round)
{
	must(place, "sacctmgr -iQ add account t%d", round);
}

/* One that has ended, and nobody has written since. */
static void prepare_lease_end(const struct place *place, int round)
{
	must(place,
		"BURSAR_NOW=1760000000 sacctmgr -iQ modify account lab"
		" set maxjobs=%d until=uts1760001000",
		round);
}

/* Whoever writes first puts the end into the log, before anything else. */
static int look_at_lease_end(const struct place *place, int round)
{
	int written = lines_of(place, "sacctmgr -nP show account v%d", round);
	int left = run(place, "sacctmgr -nP check leases", round);

	if (left == 1)
		return -1;
	if (!written)
		return 0;
	return left ? -1 : 1;
}

/* ---- what was archived, loaded -------------------------------------------*/

static void prepare_archive_load(const struct place *place, int round)
{
	const char *day = day_of(OLD);
	FILE *out = create(place, "gone");
	char command[3 * TEXT];

	fprintf(out, "JobID|JobName|User|Account|Submit|Start|End|State\n");
	for (int i = 0; i < OLD_JOBS; i++)
		fprintf(out,
			"%d|gone%d|ann|lab|%sT00:00:00|"
			"%sT01:00:00|%sT02:00:00|COMPLETED\n",
			6000000 + round * OLD_JOBS + i, round, day, day, day);
	fclose(out);
	snprintf(command, sizeof(command),
		"rm -rf '%s/away' && mkdir '%s/away'", place->dir, place->dir);
	if (system(command))
		exit(2);
	must(place, "srecord import --create %D/gone", round);
	must(place,
		"sacctmgr -iQ archive dump directory=%D/away jobs"
		" purgejobafter=40days",
		round);
	snprintf(command, sizeof(command),
		"cat '%s'/away/*.jsonl >'%s/gone.jsonl'", place->dir,
		place->dir);
	if (system(command))
		exit(2);
}

/* ---- a Slurm to follow ---------------------------------------------------*/

/* Stands in for Slurm's commands, with an account and a job more in each
 * round. $* are its words. */
static void stand_in(const struct place *place, const char *name,
	const char *script)
{
	char path[TEXT];
	FILE *out;

	snprintf(path, sizeof(path), "slurm/%s", name);
	out = create(place, path);
	fprintf(out, "#!/bin/sh\nread -r n at <\"${0%%/*}/round\"\n%s", script);
	fclose(out);
	snprintf(path, sizeof(path), "%s/slurm/%s", place->dir, name);
	chmod(path, 0755);
}

static const char sacctmgr_script[] =
	"columns() { echo \"$*\" | sed 's/.*[Ff]ormat=//; s/[^,]//g' |"
	" tr , '|'; }\n"
	"case \"$*\" in\n"
	"-V) echo 'slurm 26.05.3' ;;\n"
	"*'show cluster format=cluster') echo canis ;;\n"
	"*'show cluster'*) echo 'canis||0|0|' ;;\n"
	"*'show qos'*Comment*) ;;\n"
	"*'show qos format=Name,'*) echo \"normal$(columns \"$*\")\" ;;\n"
	"*'show account'*) echo 'root|root|default root account'\n"
	"	echo 'lab|org|the lab'; echo \"s$n|o|d\" ;;\n"
	"*'show user format=User,Admin'*) echo 'root|Administrator'\n"
	"	echo 'ann|None' ;;\n"
	"*'show association'*)\n"
	"	pad=$(columns \"$*\"); pad=${pad#|||||}\n"
	"	echo \"1|root||||${pad}1\"\n"
	"	echo \"2|root|root|||${pad}1\"\n"
	"	echo \"7|lab|||root|${pad}5\"\n"
	"	echo \"9|lab|ann|||${pad}3\"\n"
	"	echo \"$((10 + n))|s$n|||root|${pad}1\" ;;\n"
	"*dump*) tr @ \"'\" <<-END\n"
	"	Cluster - @canis@:QOS=@normal@\n"
	"	Parent - @root@\n"
	"	Account - @lab@:Fairshare=5\n"
	"	Account - @s$n@\n"
	"	Parent - @lab@\n"
	"	User - @ann@:Coordinator=@lab@:Fairshare=3\n"
	"	END\n"
	"esac\n";

static const char sacct_script[] =
	"case \"$*\" in\n"
	"--helpformat) echo JobID JobName User Account State Submit Start End ;;\n"
	"*) tr '|' '\\037' <<-END\n"
	"	JobID|JobName|User|Account|State|Submit|Start|End\n"
	"	$n|slurm$n|ann|lab|COMPLETED|$at|$at|$((at + 100))\n"
	"	END\n"
	"esac\n";

static void prepare_sync(const struct place *place, int round)
{
	char path[TEXT];
	FILE *out;

	snprintf(path, sizeof(path), "%s/slurm", place->dir);
	if (!mkdir(path, 0755)) {
		stand_in(place, "sacctmgr", sacctmgr_script);
		stand_in(place, "sacct", sacct_script);
		stand_in(place, "squeue", "echo '{\"jobs\": []}'\n");
		stand_in(place, "sshare", "");
	}
	out = create(place, "slurm/round");
	fprintf(out, "%d %lld\n", round, (long long)midnight(RECENT));
	fclose(out);
}

/* Records first, then jobs; what was begun the next round goes on with. */
static int look_at_sync(const struct place *place, int round)
{
	int job, account;

	if (access(place->store, F_OK))
		return 0;
	account = lines_of(place, "sacctmgr -nP show assoc account=s%d", round);
	job = lines_of(place,
		"sacct -naPX -S %R -E %L --name=slurm%d"
		" -o jobid",
		round);
	if (job)
		return job == 1 && account == 1 ? 1 : -1;
	return account > 1 ? -1 : 0;
}

/* clang-format off */
const struct work works[] = {
	{"add account", "sacctmgr -iQ add account k%d", "sacctmgr -nP show account k%d format=account", 1, NULL, NULL, NULL, false, false},
	{"add user", "sacctmgr -iQ add user w%d account=lab", "sacctmgr -nP show user w%d withassoc format=user,account", 1, NULL, NULL, NULL, false, false},
	{"modify", "sacctmgr -iQ modify account lab set description=m%d", "sacctmgr -nP show account description=m%d format=account", 1, NULL, NULL, NULL, false, false},
	{"delete", "sacctmgr -iQ delete user d%d", NULL, 0, prepare_delete, look_at_deleted, NULL, true, false},
	{"load", "sacctmgr -iQ load %D/load.cfg", "sacctmgr -nP show assoc account=l%d format=user", 3, prepare_load, NULL, NULL, false, false},
	{"srecord job", "srecord job user=ann account=lab name=j%d cpus=2", "squeue -h --name=j%d -o %i", 1, NULL, NULL, NULL, false, false},
	{"srecord step", "srecord step job=1 step=%d start=%RT00:10:00 end=%RT00:20:00", "sacct -nP -j 1.%d -o jobid", 1, NULL, NULL, NULL, false, false},
	{"srecord import", "srecord import %D/jobs", "sacct -nPX -S %R -E %L --name=imported%d -o jobid", 3, prepare_import, NULL, NULL, false, false},
	{"srecord node", "srecord node node=vm state=drain reason=r%d start=now", "sacctmgr -nP show event reason=r%d format=reason", 1, NULL, NULL, NULL, false, false},
	{"roll-up", "sreport -nP cluster utilization start=%R end=%L", "", 1, NULL, NULL, NULL, false, false},
	{"ensure", "sacctmgr -iQ ensure user e%d account=lab fairshare=3", "sacctmgr -nP show user e%d withassoc format=user,account", 1, NULL, NULL, NULL, false, false},
	{"absent", "sacctmgr -iQ absent user d%d", NULL, 0, prepare_delete, look_at_deleted, NULL, true, false},
	{"apply", "sacctmgr -iQ apply %D/site.yaml", "sacctmgr -nP show assoc account=y%d format=user", 3, prepare_apply, NULL, NULL, false, false},
	{"apply directory", "sacctmgr -iQ apply directory %D/groups.yaml", "sacctmgr -nP show account g%da,g%db format=account", 2, prepare_directory, NULL, NULL, false, false},
	{"undo", "sacctmgr -iQ undo %F", NULL, 0, prepare_undo, look_at_undone, NULL, true, false},
	{"lease", "sacctmgr -iQ modify account t%d set maxjobs=7 until=now+10days", "sacctmgr -nP show account t%d withleases", 1, prepare_lease, NULL, NULL, false, false},
	{"end of a lease", "sacctmgr -iQ add account v%d", NULL, 0, prepare_lease_end, look_at_lease_end, NULL, true, false},
	{"conversion", "BURSAR_NOW=1780000000 sacctmgr ping", NULL, 0, prepare_older, look_at_older, "older.db", false, true},
	{"rebuild", "sacctmgr -iQ rebuild rollups", "", 1, NULL, NULL, NULL, false, false},
	{"reservation", "srecord reservation name=r%d nodes=vm start=now+1day end=now+2days", "sacctmgr -nP show reservation names=r%d start=now end=now+3days format=name", 1, NULL, NULL, NULL, false, false},
	{"archive load", "sacctmgr -iQ archive load %D/gone.jsonl", "sacct -naPX -S %O -E %R --name=gone%d -o jobid", OLD_JOBS, prepare_archive_load, NULL, "archived.db", false, false},
	{"sync", "srecord sync from=slurm bin=%D/slurm start=%R", NULL, 0, prepare_sync, look_at_sync, "follower.db", false, true},
	{"dump", "sacctmgr -iQ dump canis file=%D/dump.cfg", NULL, 0, keep_dump, look_at_dump, NULL, false, false},
	{"archive", "sacctmgr -iQ archive dump directory=%D/archive jobs purgejobafter=40days", NULL, 0, prepare_archive, look_at_archive, NULL, false, false},
	{"backup", "sacctmgr -Q backup %D/copy", NULL, 0, NULL, look_at_backup, NULL, false, false},
	{"picture", "sreport --svg=%D/picture.svg cluster utilization start=%R end=%L", NULL, 0, NULL, look_at_picture, NULL, false, false},
	{"restore", "sacctmgr -i restore %D/again", "sacctmgr -nP show account b%d format=account", 1, prepare_restore, NULL, NULL, false, false},
};
/* clang-format on */

const size_t n_works = sizeof(works) / sizeof(works[0]);
