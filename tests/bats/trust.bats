# Trust (tests/README.md): who reads stops nobody, nothing is lost, files stay whole.

setup() {
	load lib
	fresh_cluster
}

teardown() {
	local pid
	for pid in $(jobs -p); do
		kill -9 "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	[[ ${shared-} ]] && rm -rf "$shared"
	true
}

need_root() {
	[[ $(env -u LD_PRELOAD id -u) == 0 ]] ||
		skip "needs root: another uid that the kernel believes in"
}

# A store in a folder that others can reach and read but not write, and the programs in it.
shared_store() {
	shared=$(mktemp -d "${TMPDIR:-/tmp}/store.XXXXXX")
	export BURSAR_STORE=$shared/acct.db
	cp "$SLURM_CONF" "$(dirname "$(command -v sacctmgr)")"/* "$shared"
	export SLURM_CONF=$shared/slurm.conf
	chmod 755 "$shared"
	mkdir -m 1777 "$shared/tmp" # root's own may be closed to others
}

# Under another uid that the kernel believes in.
stranger() {
	TMPDIR=$shared/tmp env -u LD_PRELOAD \
		setpriv --reuid 12345 --clear-groups "$shared/$1" "${@:2}"
}

# More rows of everything than a pipe holds.
many_rows() {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user u[1-3000] account=lab >/dev/null
	seq 1 3000 | awk '
		BEGIN { print "JobID|JobName|User|Account|Partition|Submit|Start|End|State" }
		{ printf "%d|some-rather-long-name-of-a-job-%d|u%d|lab|debug|", $1, $1, $1
		  printf "2026-01-05T00:00:%02d|2026-01-05T01:00:00|", $1 % 60
		  print "2026-01-05T02:00:00|COMPLETED" }' >jobs
	srecord import jobs 2>/dev/null
}

# asleep COMMAND...: it has begun to print into a pipe that nobody reads on.
asleep() {
	local line
	mkfifo "pipe.$((++pipes))"
	exec {end}<>"pipe.$pipes"
	"$@" >"pipe.$pipes" {end}<&- &
	until read -t 1 -r -u "$end" line; do
		kill -0 $! || return 1 # it ended and printed no line
	done
}

@test "a reader asleep in a pager stops neither writers nor readers" {
	many_rows
	n=0
	while read -r command; do
		asleep $command
		timeout 300 sacctmgr -iQ add account "a$((++n))" >/dev/null
		timeout 300 srecord job user=u1 account=lab >/dev/null
		prints "a$n" timeout 300 sacctmgr -nP show account "a$n" format=account
		kill -0 $! || same 'it sleeps' "$command" ''
	done <<-END
		sacct -aP -S 2026-01-01 -E 2026-02-01 --format=all
		sacctmgr -P show assoc
		sacctmgr dump canis file=/dev/stdout
		sshare -a
		sshare -a --json
	END
}

@test "a writer whose report nobody reads stops nobody, and its change is made" {
	sacctmgr -iQ add account lab >/dev/null
	asleep sacctmgr -i add user 'n[1-2500]' account=lab
	timeout 300 sacctmgr -iQ add account other >/dev/null
	prints '2500' timeout 300 sh -c 'sacctmgr -nP show user format=user | grep -c ^n'
	cat "pipe.$pipes" >/dev/null &
	exec {end}<&-
}

# The reader goes away between the commit and the end of the report.
@test "a report that is lost after the change is made: a warning, no error" {
	local command
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user n1 account=lab >/dev/null
	seq 1 2000 | awk '
		BEGIN { print "JobID|JobName|User|Account|Partition|Submit|State|ReqTRES" }
		{ print $1 "|j|n1|lab|debug|2026-01-05T00:00:00|PENDING|cpu=1,node=1" }' >jobs
	srecord import jobs
	srecord cluster tres=cpu=64
	n=0
	for command in 'sacctmgr -i add user n[2-2500] account=lab' \
		'splan --record' 'splan --start'; do
		asleep bash -c "trap '' PIPE; exec $command 2>err"
		timeout 300 sacctmgr -iQ add account "a$((++n))" >/dev/null # it is committed
		exec {end}<&-
		status=0
		wait $! || status=$?
		same "status of $command" "$status" 0
		[[ $(<err) == *'warning: it is done'* ]] || same "$command" "$(<err)" 'a warning'
	done
	prints 2500 bash -c 'sacctmgr -nP show user format=user | grep -c ^n'
	prints 64 bash -c 'squeue -h -t R -o %i | wc -l'
}

@test "splan --start and --record into a pipe that nobody reads stop nobody" {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user u1 account=lab >/dev/null
	srecord cluster tres=cpu=64
	seq 1 2000 | awk '
		BEGIN { print "JobID|JobName|User|Account|Partition|Submit|State|ReqTRES" }
		{ print $1 "|j|u1|lab|debug|2026-01-05T00:00:00|PENDING|cpu=1,node=1" }' >jobs
	srecord import jobs
	n=0
	for command in 'splan --start' 'splan --record' 'splan --record --json'; do
		asleep $command
		timeout 300 sacctmgr -iQ add account "a$((++n))" >/dev/null
		prints 64 timeout 300 bash -c 'squeue -h -t R -o %i | wc -l'
		kill -0 $! || same 'it sleeps' "$command" ''
		# What was not printed yet comes when somebody reads, to the end.
		exec 8<"pipe.$pipes" {end}<&-
		cat <&8 >said
		exec 8<&-
		wait $!
	done
	prints 1936 jq '.jobs | length' <(echo '{' && cat said) # asleep() took the first line
}

@test "an import whose pipe is silent stops nobody" {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user u1 account=lab >/dev/null
	# Nor where the clock is set back by a day while it waits.
	cc -x c -shared -fPIC -o ahead.so - <<-'END'
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>
		int clock_gettime(clockid_t clock, struct timespec *at)
		{
			long rc = syscall(SYS_clock_gettime, clock, at);

			at->tv_sec += clock == CLOCK_REALTIME ? 86400 : 0;
			return (int)rc;
		}
	END
	mkfifo lines
	LD_PRELOAD=$PWD/ahead.so:$LD_PRELOAD srecord import --create - <lines 2>said &
	import=$!
	exec 8>lines
	seq 1 2000 | awk '
		BEGIN { print "JobID|JobName|User|Account|Partition|Submit|Start|End|State" }
		{ printf "%d|j|u1|lab|debug|2026-01-05T00:00:00|2026-01-05T01:00:00|", $1
		  print "2026-01-05T02:00:00|COMPLETED" }' >&8
	for ((i = 0; i < 3; i++)); do
		timeout 300 sacctmgr -iQ add account "during$i" >/dev/null
	done
	kill -0 "$import"
	echo '2001|j|u1|lab|debug|2026-01-05T00:00:00|2026-01-05T01:00:00|||COMPLETED' >&8
	exec 8>&-
	wait "$import" || true
	[[ $(sacct -anPX -S 2026-01-01 -E 2026-02-01 -o jobid | wc -l) -ge 2000 ]]
}

@test "nor does a document that comes slowly, nor a list of events" {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user u1 account=lab >/dev/null
	srecord job id=9 user=u1 account=lab submit=now-3hours start=now-2hours end=now-1hour
	sacct -j 9 --json | jq '.jobs[0] as $job | .jobs = [range(10; 310) | . as $id |
		$job | .job_id = $id]' >jobs.json
	srecord node node=vm state=drain reason=why start=now-1day end=now-1hour
	sacctmgr -P show event all_time | awk 'NR == 1 || $0 ~ /why/ {
		for (n = NR == 1 ? 1 : 6000; n > 0; n--) print }' >events
	for file in jobs.json events; do
		mkfifo pipe
		srecord import - <pipe 2>said &
		import=$!
		exec 8>pipe
		head -c $(($(stat -c %s $file) * 2 / 3)) $file >&8
		for ((i = 0; i < 3; i++)); do
			timeout 300 sacctmgr -iQ add account "during$i$import" >/dev/null
		done
		kill -0 "$import"
		tail -c +$(($(stat -c %s $file) * 2 / 3 + 1)) $file >&8
		exec 8>&-
		wait "$import"
		rm pipe
	done
	same jobs "$(ask 'SELECT count(*) FROM job')" 301
}

@test "another uid that may only read: while nobody writes, beside a writer, after a crash" {
	need_root
	shared_store
	sacctmgr -iQ add account lab >/dev/null
	[[ $(stranger sacctmgr -nP show account format=account) == $'lab\nroot' ]]
	chmod 644 "$BURSAR_STORE"
	[[ $(stranger sacctmgr -nP show account format=account) == $'lab\nroot' ]]

	# A writer that holds the store open, then is killed with half a change written.
	mkfifo say
	env -u LD_PRELOAD sqlite3 "$BURSAR_STORE" >said <say &
	writer=$!
	exec 8>say
	echo "INSERT INTO account (name, description, organization, created, modified)
		VALUES ('kept', '', '', 1, 1);
		PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
		UPDATE account SET description = hex(zeroblob(100000));
		SELECT 'half';" >&8
	until grep -q half said; do kill -0 "$writer"; sleep 0.02; done
	[[ $(stranger sacctmgr -nP show account format=account) == $'kept\nlab\nroot' ]]
	kill -9 "$writer"
	exec 8>&-
	[[ -s $BURSAR_STORE-wal ]]
	chmod 644 "$BURSAR_STORE"-*
	[[ $(stranger sacctmgr -nP show account format=account) == $'kept\nlab\nroot' ]]
	[[ $(stranger sacctmgr -nP show account kept format=description) == '' ]]

	# What a change of ours leaves: all can read it, the log is there and empty.
	sacctmgr -iQ add account more >/dev/null
	[[ -e $BURSAR_STORE-wal && ! -s $BURSAR_STORE-wal ]]
	[[ $(stat -c %a "$BURSAR_STORE-wal" "$BURSAR_STORE-shm") == $'644\n644' ]]
	[[ $(stranger sacctmgr -nP show account format=account | wc -l) == 4 ]]

	# Another program has taken the log away, and the folder cannot be written.
	rm "$BURSAR_STORE"-*
	[[ $(stranger sacctmgr -nP show account format=account | wc -l) == 4 ]]
	[[ $(stranger sshare -anP -o account | wc -l) == 4 ]]
}

@test "another uid that may only read: a log that was begun, and its writer killed" {
	need_root
	shared_store
	sacctmgr -iQ add account lab >/dev/null
	chmod 644 "$BURSAR_STORE"
	sacctmgr -nP show tres >/dev/null
	mkfifo say
	env -u LD_PRELOAD sqlite3 "$BURSAR_STORE" >said <say &
	writer=$!
	exec 8>say
	echo "UPDATE account SET description = 'x'; SELECT 'done';" >&8
	until grep -q done said; do kill -0 "$writer"; sleep 0.02; done
	head -c 32 "$BURSAR_STORE-wal" >header
	kill -9 "$writer"
	exec 8>&-
	cp header "$BURSAR_STORE-wal"
	[[ $(stat -c %s "$BURSAR_STORE-wal") == 32 ]]
	[[ $(stranger sacctmgr -nP show account lab format=description) == lab ]]
}

@test "a store of an older journal, left in the middle of a change, read by another uid" {
	need_root
	shared_store
	sacctmgr -iQ add account lab >/dev/null
	chmod 644 "$BURSAR_STORE"
	mkfifo say
	env -u LD_PRELOAD sqlite3 "$BURSAR_STORE" >said <say &
	writer=$!
	exec 8>say
	echo "PRAGMA journal_mode = delete; PRAGMA cache_size = 1; BEGIN IMMEDIATE;
		UPDATE account SET description = hex(zeroblob(1000000)); SELECT 'half';" >&8
	until grep -q half said; do kill -0 "$writer"; sleep 0.02; done
	kill -9 "$writer"
	exec 8>&-
	[[ -s $BURSAR_STORE-journal ]]
	[[ $(stranger sacctmgr -nP show account lab format=description) == lab ]]
	[[ -s $BURSAR_STORE-journal ]]
	sacctmgr -iQ add account more >/dev/null
	[[ $(stranger sacctmgr -nP show account format=account) == $'lab\nmore\nroot' ]]
}

@test "a store replaced under a reader: no crash" {
	many_rows
	cp "$(store)" whole
	: >empty
	for command in 'sacctmgr -P show assoc' 'sshare -a' \
		'sacct -aP -S 2026-01-01 -E 2026-02-01 --format=all'; do
		asleep $command
		reader=$!
		run ! grep -q 'acct[.]db$' "/proc/$reader/maps" # what is mapped can be cut off
		cp empty "$(store)"
		cat "pipe.$pipes" >/dev/null &
		exec {end}<&-
		status=0
		wait "$reader" || status=$?
		((status <= 1)) # not 128 + SIGBUS
		cp whole "$(store)"
	done
	[[ $(sacctmgr -nP show user u7 format=user) == u7 ]]
}

@test "torture, in seconds: kills, faults, power cuts, many at once (make torture: for minutes)" {
	root=$BATS_TEST_DIRNAME/../..
	bin=$(dirname "$(command -v sacctmgr)")
	! nm -D "$bin/sacctmgr" | grep -q __asan || skip "sanitized: a malloc of its own"
	env -u LD_PRELOAD make -s --no-print-directory -C "$root" O="${bin%/bin}" torture-tools
	run env -u LD_PRELOAD "$root/tests/torture/run" "${bin%/bin}" seed=$RANDOM \
		kills=54 faults=54 after=3 cuts=6 rounds=3
	echo "$output"
	[[ $status == 0 && $output == *'0 lost or wrong' ]]
}

# SQLite gives a transaction up when memory is short: what comes next would stand alone.
@test "undo: when memory is short it is done, or said not to be and not done" {
	bin=$(dirname "$(command -v sacctmgr)")
	! nm -D "$bin/sacctmgr" | grep -q __asan || skip "sanitized: a malloc of its own"
	env -u LD_PRELOAD make -s --no-print-directory -C "$BATS_TEST_DIRNAME/../.." \
		O="${bin%/bin}" torture-tools
	sacctmgr -iQ add account n1 >/dev/null
	mkdir base
	cp "$(store)"* base/
	undo() { # VARIABLE: of the library that counts calls, or makes one fail
		cp base/* "$(dirname "$(store)")"
		env "$1" TORTURE_PID= \
			LD_PRELOAD="${bin%/bin}/torture/faults.so${LD_PRELOAD:+:$LD_PRELOAD}" \
			sacctmgr -iQ undo >out 2>&1
	}
	undo TORTURE_COUNT=count
	all=$(awk 'NR == 1 { print $2 }' count) refused=0
	for ((i = all / 3 + RANDOM % 127; i <= all; i += 127)); do
		undo TORTURE_FAIL=alloc:"$i" && continue
		[[ $(sacctmgr -nP show account n1 format=account) == n1 ]] ||
			same "said, of call $i" "$(<out)" 'nothing, for it was done'
		((refused += 1))
	done
	((refused > 20))
}

# Of the calls of a session: its first lines begin and empty the log.
@test "one commit waits for the disk once" {
	bin=$(dirname "$(command -v sacctmgr)")
	! nm -D "$bin/sacctmgr" | grep -q __asan || skip "sanitized: a malloc of its own"
	env -u LD_PRELOAD make -s --no-print-directory -C "$BATS_TEST_DIRNAME/../.." \
		O="${bin%/bin}" torture-tools
	syncs() { # PREFIX NUMBER: of a session that adds so many accounts
		seq -f "add account $1%g" "$2" | TORTURE_COUNT=count TORTURE_PID= \
			LD_PRELOAD=${bin%/bin}/torture/faults.so${LD_PRELOAD:+:$LD_PRELOAD} \
			sacctmgr -iQ >/dev/null
		awk 'NR == 1 { print $3 }' count
	}
	sacctmgr -iQ add account lab >/dev/null
	few=$(syncs a 2) many=$(syncs b 12)
	same 'ten commits more' $((many - few)) 10
	[[ $(sacctmgr -nP show account b12 format=account) == b12 ]]
}

@test "ensure that cannot be kept does not say changed" {
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	ask "CREATE UNIQUE INDEX no_log ON change (actor)
		WHERE id >= $(ask 'SELECT max(id) FROM change')"
	for form in '' --json; do
		capture sacctmgr -i $form ensure user ann account=lab
		same status "$status" 1
		[[ $stdout != *changed* && $stderr == *'Error committing changes: '* ]]
	done
}

@test "a --what-if that is killed leaves nothing behind" {
	many_rows
	mkdir tmp
	before=$(ls -A "$(dirname "$(store)")")
	for ((i = 0; i < 20; i++)); do
		TMPDIR=$PWD/tmp sshare -a --what-if='modify account lab set fairshare=50' \
			--what-if='PriorityDecayHalfLife=14-0' >/dev/null 2>&1 &
		sleep "0.0$i"
		kill -9 $! 2>/dev/null || true
		wait $! 2>/dev/null || true
	done
	[[ ! $(ls -A tmp) ]]
	same 'beside the store' "$(ls -A "$(dirname "$(store)")")" "$before"
}

# Who reads of success must be able to rely on it; who reads of none, too: either it is said, or it
# is not done. Counts of the store before and after.
@test "a report that cannot be written: nothing is done, or it is done and said to be" {
	[[ -w /dev/full ]] || skip 'no /dev/full'
	local command before after status old
	old=$(date -d '3 months ago' +%F)
	everything() { ask .dump | grep -v '^INSERT INTO meta'; }
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user u1,u2,u3 account=lab >/dev/null
	srecord job id=9001 user=u1 account=lab submit=now-1hour start=now-1hour
	sacctmgr -iQ dump canis file=site.cfg >/dev/null
	sed -i "s/^Parent - 'root'/&\nAccount - 'fromfile':Description='d'/" site.cfg
	printf '%s\n' 'cluster: canis' 'accounts: {applied: {users: {u1: {}}}}' >site.yaml
	printf '%s\n' 'cluster: canis' 'groups:' '  root: {account: mapped, parent: root}' >map.yaml
	printf '%s\n' 'JobID|User|Account|Submit|Start|End|State' \
		"77|u1|lab|${old}T00:00:00|${old}T01:00:00|${old}T02:00:00|COMPLETED" >old.txt
	mkdir archive
	sacctmgr -Q backup copy
	(BURSAR_STORE=$PWD/copy && sacctmgr -iQ add account incopy && srecord import old.txt &&
		sacctmgr -iQ archive dump directory=archive jobs purgejobafter=1month) \
		>/dev/null 2>&1
	mv archive/* gone.jsonl
	while IFS= read -r command; do
		before=$(everything)
		status=0
		eval "$command" >/dev/full 2>err || status=$?
		after=$(everything)
		((status < 128)) || same "$command" "$status" 'no signal'
		if ((status == 0)); then
			[[ $before != "$after" ]] || same "$command" 'status 0' 'not done, so not 0'
		else
			same "after $command, refused: $(<err)" "$after" "$before"
		fi
		[[ -s err || $status == 0 ]] || same "$command" "$status without a word" 'a word'
	done <<-'END'
		sacctmgr -i add account new
		sacctmgr -i add user u1 account=lab fairshare=9
		sacctmgr -i modify account lab set description=changed
		sacctmgr -i add qos fast
		sacctmgr -i delete user u2
		sacctmgr -i ensure account ensured
		sacctmgr -i absent user u3
		sacctmgr -i load site.cfg
		sacctmgr -i undo
		sacctmgr -i redo
		sacctmgr -i --json ensure account ensured2
		sacctmgr -iQ ensure account ensured3
		sacctmgr -iQ absent account ensured3
		sacctmgr -i apply site.yaml
		sacctmgr -i --json apply site.yaml prune
		sacctmgr -i apply directory map.yaml
		sacctmgr -i add cluster other
		sacctmgr -i modify cluster other set maxjobs=3
		sacctmgr -i add wckey user=u1 wckey=key
		sacctmgr -i add coordinator accounts=lab names=u1
		sacctmgr -i delete coordinator accounts=lab names=u1
		sacctmgr -i add resource name=lic count=9 server=s type=license
		sacctmgr -i add federation fed clusters=canis
		sacctmgr -i add tres type=license name=lic
		sacctmgr -i modify qos normal set priority=9
		sacctmgr -i modify account lab set maxjobs=9 until=now+1day
		sacctmgr -i modify job 9001 set comment=full
		sacctmgr -i delete qos fast
		sacctmgr -i delete account new
		sacctmgr -i delete cluster other
		sacctmgr -i archive load gone.jsonl
		sacctmgr -i archive dump directory=archive jobs purgejobafter=1month
		sacctmgr -i rebuild usage
		sacctmgr -i restore copy
		srecord job user=u1 account=lab
		srecord --json job user=u1 account=lab
		srecord step job=9001 step=0
		srecord node node=vm state=drain reason=full
		srecord cluster tres=cpu=99
		srecord reservation name=r nodes=vm start=now+1day end=now+2days
		srecord import old.txt
		splan --start
	END
	# A file is there or not, and so is what is said.
	sacctmgr backup whole >/dev/full 2>err
	[[ $(<err) == *'warning: it is done'* && -s whole ]] || same backup "$(<err)" 'a warning'
	status=0
	srecord - <<<'job user=u1 account=lab' >/dev/full 2>err || status=$?
	[[ $status == 1 && $(<err) == *'what was not refused is recorded'* ]] ||
		same 'srecord -' "$status $(<err)" 'what became of it'
}
