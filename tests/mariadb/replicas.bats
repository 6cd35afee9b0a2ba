#!/usr/bin/env bats
# Replicas over a log in one MariaDB server: what one host does all have, once.

load lib

faults=$(programs)/../torture/faults.so

setup() {
	fresh_site a b c
}

@test "what one host does another shows, byte for byte" {
	populate
	job a 1 user=ann account=physics
	job b 2 user=bob account=physics
	on b sacctmgr -iQ modify user ann set fairshare=7
	on a sacctmgr -iQ delete user cy
	same_answers a b
	agree a b c
	[[ $(on c sshare -nP -u ann -o rawshares -A physics | tail -1) == 7 ]]
}

@test "a new host has everything, also what happened before there was one" {
	populate
	[[ ! -e $(replica c) ]]
	has_user c ann
	agree a c
}

# trips WHAT MOST COMMAND...: round trips behind a network of 50 milliseconds, but for that of the
# connection itself; one is the login
trips() {
	local what=$1 most=$2 began
	shift 2
	rm -f "$proxy/trips"
	began=$(date +%s%N)
	on a "$@" >/dev/null
	echo "$what: $(wc -l <"$proxy/trips") round trips," \
		"$((($(date +%s%N) - began) / 1000000)) milliseconds" >&3
	cat "$proxy/statements"
	(($(wc -l <"$proxy/trips") == most))
}

@test "round trips of a read when nothing is new, and of a change" {
	populate
	job b 1 user=ann account=physics # and the capacity that is assumed from then on
	proxy_before a 50
	on a sshare -a >/dev/null
	: >"$proxy/statements"
	trips 'a read' 2 sshare -a
	: >"$proxy/statements"
	trips 'a change' 4 sacctmgr -iQ add user dee account=music
	: >"$proxy/statements"
	trips 'a fact' 4 srecord job user=ann account=physics cpus=1
}

@test "PollInterval: a read does not ask again within that time, a change always does" {
	populate
	proxy_before a
	conf_add PollInterval=3600
	on a sshare -a >/dev/null
	: >"$proxy/statements"
	on a sshare -a >/dev/null
	on a sacctmgr -n show user >/dev/null
	[[ ! -s $proxy/statements ]]
	on b sacctmgr -iQ add user dee account=music
	on a sacctmgr -iQ add user eve account=music
	[[ -s $proxy/statements ]]
	has_user a dee
	has_user a eve
}

@test "usage is counted as in one store, and once" {
	local program
	populate
	job a 1 user=ann account=physics
	job b 2 user=ann account=physics
	job a 2 user=ann account=physics
	job b 3 user=cy account=music
	alone sacctmgr -iQ add account physics,music fairshare=10
	alone sacctmgr -iQ add user ann,bob account=physics
	alone sacctmgr -iQ add user cy account=music
	for id in 1 2; do
		BURSAR_STORE=$BATS_TEST_TMPDIR/alone.db job a $id user=ann account=physics
	done
	BURSAR_STORE=$BATS_TEST_TMPDIR/alone.db job a 3 user=cy account=music
	for program in 'sshare -alP' \
		'sreport -P cluster accountutilizationbyuser start=2026-03-01 end=2026-03-03'; do
		same "$program" "$(on b $program)" "$(alone $program)"
		same "$program" "$(on c $program)" "$(alone $program)"
	done
	agree a b c
}

# Seconds of processors that the jobs of a user come to, on that host.
used() {
	on "$1" sreport -nP -t seconds cluster accountutilizationbyuser start=2026-03-01 \
		end=2026-03-02 users="$2" accounts=physics format=used | tail -1
}

@test "every host has roll-ups of its own: what comes late is in all of them, once" {
	local host
	populate
	job a 1 user=ann account=physics
	for host in a b; do
		same "used, on $host" "$(used $host ann)" $((16 * 7200))
		(($(replica_ask $host 'SELECT count(*) FROM rollup') > 0))
	done
	# Of a time that both have rolled up: a job more, and one that becomes shorter.
	job b 2 user=ann account=physics
	for host in a b c; do
		same "used with another, on $host" "$(used $host ann)" $((2 * 16 * 7200))
	done
	on a srecord job id=1 end=2026-03-01T12:00:00
	for host in b a c; do
		same "used with a shorter one, on $host" "$(used $host ann)" $((16 * 10800))
	done
	agree a b c
}

@test "a fact from standard input, an import and a load are changes as others" {
	populate
	printf '%s\n' 'job id=5 user=ann account=physics cpus=1 submit=2026-03-01T10:00:00' \
		'job id=6 user=bob account=physics cpus=1 submit=2026-03-01T10:00:00' |
		on b srecord - >/dev/null
	on a sacctmgr dump canis file=site.cfg >/dev/null
	sed -i 's/ann/anna/' site.cfg
	on b sacctmgr -iQ load file=site.cfg >/dev/null
	[[ $(on a squeue -h | wc -l) == 2 ]]
	has_user a anna
	same_answers a b
	agree a b c
}

@test "an import of many jobs is in the log whole" {
	populate
	{
		echo 'JobID|User|Account|Cluster|Partition|State|Submit|Start|End|AllocCPUS|'\
'ExitCode'
		for ((i = 1; i <= 3000; i++)); do
			echo "$i|ann|physics|canis|debug|COMPLETED|2026-03-01T10:00:00|"\
"2026-03-01T11:00:00|2026-03-01T12:00:00|4|0:0"
		done
	} >jobs.txt
	on a srecord import jobs.txt >/dev/null
	[[ $(on b sacct -aXn -S2026-01-01 | wc -l) == 3000 ]]
	same_answers a b
	agree a b
}

has_snapshot() {
	(($(log_ask "SELECT MAX(number) FROM bursar_snapshot") > 0))
}

@test "a server that takes small packets: imports and snapshots go there in pieces" {
	populate
	sql_ask 1 'SET GLOBAL max_allowed_packet = 65536'
	conf_add SnapshotEntries=2
	{
		echo 'JobID|User|Account|Cluster|Partition|State|Submit|Start|End|AllocCPUS|'\
'ExitCode|JobName'
		seq 1 9000 | awk '{ print $1 "|ann|physics|canis|debug|COMPLETED|" \
			"2026-03-01T10:00:00|2026-03-01T11:00:00|2026-03-01T12:00:00|4|0:0|" \
			sin($1) cos($1) }'
	} >jobs.txt
	on a srecord import jobs.txt >/dev/null
	(($(log_ask "SELECT MAX(pieces) FROM bursar_log") > 1))
	until_true has_snapshot
	on c sshare -a >/dev/null
	agree a b c
	sql_ask 1 'SET GLOBAL max_allowed_packet = 16777216'
}

@test "a session sees what others do between its commands" {
	populate
	(
		echo "show user dee format=user"
		until_true test -e go >&2
		echo "show user dee format=user"
		echo quit
	) | on a sacctmgr -nP >session &
	until_true test -e "$(replica b)"
	on b sacctmgr -iQ add user dee account=music
	touch go
	wait %1
	grep -qx dee session
}

@test "the commit is not answered: the entry is looked for and found" {
	local before
	populate
	proxy_before a
	before=$(number)
	rule swallow 'INSERT INTO bursar_log'
	on a sacctmgr -iQ add user dee account=music
	followed
	(($(number) == before + 1))
	has_user b dee
	job b 1 user=ann account=physics # and the capacity that is assumed from then on
	before=$(number)
	rule swallow 'INSERT INTO bursar_log'
	job a 2 user=ann account=physics
	followed
	(($(number) == before + 1))
	agree a b
}

@test "the commit is lost on its way: it is done again, once" {
	local before
	populate
	proxy_before a
	before=$(number)
	rule drop 'INSERT INTO bursar_log'
	on a sacctmgr -iQ add user dee account=music
	followed
	(($(number) == before + 1))
	has_user b dee
	agree a b
}

@test "the connection is lost in the middle of a change: it is done again, once" {
	local before statement
	populate
	proxy_before a
	before=$(number)
	for statement in 'START TRANSACTION' 'INSERT INTO bursar_log'; do
		rule drop "$statement"
		on a sacctmgr -iQ add user "u$before" account=music
		followed
		rule swallow "$statement"
		on a sacctmgr -iQ add user "v$before" account=music
		followed
		before=$((before + 2))
	done
	(($(number) == before))
	agree a b
}

# killed_at STATEMENT USER: host a's program, which adds that user, is killed when the server has
# answered that.
killed_at() {
	local program
	printf '#!/bin/sh\nkill -9 $(cat "%s")\n' "$BATS_TEST_TMPDIR/process" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run "$1"
	SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf bash -c '
		echo $$ >"$0"; exec sacctmgr -iQ add user "$1" account=music' \
		"$BATS_TEST_TMPDIR/process" "$2" && return 1
	followed
}

@test "killed between the commit there and the commit here: it is done, once, everywhere" {
	local before
	populate
	proxy_before a
	before=$(number)
	killed_at 'INSERT INTO bursar_log' dee
	(($(number) == before + 1))
	has_user b dee
	has_user a dee
	agree a b
}

@test "killed before the commit there: nothing is done, and nobody waits for it" {
	local before
	populate
	proxy_before a
	before=$(number)
	killed_at 'START TRANSACTION' dee
	lacks_user b dee
	lacks_user a dee
	on b sacctmgr -iQ add user eve account=music
	(($(number) == before + 1))
	agree a b
}

@test "nobody can be asked about a commit: that is said, and the log decides" {
	local before
	populate
	proxy_before a
	before=$(number)
	printf '#!/bin/sh\nkill -9 %s\nexit 1\n' "$(<"$sql_dir/1/process")" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run 'INSERT INTO bursar_log'
	capture on a sacctmgr -iQ add user dee account=music
	[[ $status == 1 && $stderr == *'it is not known whether'*'look before you repeat it'* ]]
	sql_again 1
	(($(number) == before + 1))
	has_user a dee
	agree a b
}

@test "no server: answers from the replica, with its age, said once; changes are refused" {
	local wanted
	populate
	wanted=$(on a sshare -aP)
	sql_kill 1
	capture on a sshare -aP
	same 'answer without a server' "$stdout" "$wanted"
	[[ $status == 0 && $stderr == 'sshare: answered from '*' as of '*' ago), because '* ]]
	[[ $stderr == *'because the log cannot be asked ('* ]]
	[[ $(wc -l <<<"$stderr") == 1 && $stderr == *127.0.0.1* ]]
	capture on a sshare -aP
	[[ $status == 0 && $(wc -l <<<"$stderr") == 1 ]]
	refuses 'nothing can be changed while the log cannot be asked' \
		on a sacctmgr -iQ add user dee account=music
	prints "$wanted" on a sshare -aP --offline
	refuses 'nothing can be changed with --offline' \
		on a sacctmgr -iQ --offline add user dee account=music
	sql_again 1
	on a sacctmgr -iQ add user dee account=music
	agree a b
}

@test "a server that comes back is asked again by a change at once" {
	populate
	sql_kill 1
	capture on b sshare -a
	sql_again 1
	on b sacctmgr -iQ add user dee account=music
	has_user b dee
}

@test "a new host without a server has no answer" {
	populate
	sql_kill 1
	refuses 'the log cannot be asked' on c sshare -a
	[[ ! -e $(replica c) ]]
	sql_again 1
}

@test "the disk of a replica is full: the change is made there, and taken in later" {
	local n
	populate
	on a sshare -a >/dev/null
	[[ -e $faults ]] # "make torture-tools", else nothing would fail
	# Every call that writes fails once, at another place each time.
	for ((n = 1; n <= 110; n++)); do
		TORTURE_FAIL=io:$n LD_PRELOAD="$LD_PRELOAD:$faults" capture \
			on a sacctmgr -iQ add user "u$n" account=music
		if ((status == 0)) || [[ $stderr == *'the change is made'* ]]; then
			has_user b "u$n"
		elif [[ $stderr != *'not known'* ]]; then
			lacks_user b "u$n"
		fi
	done
	agree a b
}

@test "the disk of a replica is full: a read answers from what is there, and says so" {
	local n before after old=0
	populate
	before=$(on a sshare -alP)
	on b sacctmgr -iQ add user dee account=music
	after=$(on b sshare -alP)
	# From one of its writes on none finds room.
	for ((n = 1; n <= 40; n++)); do
		cp -p "$(replica a)" replica && cp -p "$(replica a)-wal" replica-wal
		TORTURE_FAIL=full:$n TORTURE_ROOT=$(host_folder a store) \
			LD_PRELOAD="$LD_PRELOAD:$faults" capture on a sshare -alP
		same "status ($n)" "$status" 0 || { echo "$stderr"; return 1; }
		if [[ $stdout == "$before" ]]; then
			old=$((old + 1))
			same "lines that are said ($n)" "$(wc -l <<<"$stderr")" 1
			[[ $stderr == *' as of '*" because the replica $(replica a) cannot "* ]]
		else
			same "answer ($n)" "$stdout" "$after"
		fi
		cp -p replica "$(replica a)" && cp -p replica-wal "$(replica a)-wal"
	done
	((old > 3))
	prints "$after" on a sshare -alP
	agree a b
}

@test "a damaged replica is set aside and made again" {
	populate
	same_answers a b
	on a sshare -a >/dev/null
	LD_PRELOAD='' sqlite3 "$(replica a)" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	printf 'no store at all' | dd of="$(replica a)" bs=1 conv=notrunc status=none
	capture on a sshare -a
	[[ $status == 0 && $stderr == *'set aside'*'made again'* ]]
	ls "$(replica a)".aside-* >/dev/null
	agree a b
}

@test "a replica whose rows are not what the log takes them for is made again" {
	populate
	on a sshare -a >/dev/null
	LD_PRELOAD='' sqlite3 "$(replica a)" "PRAGMA foreign_keys = OFF;
		DELETE FROM assoc WHERE user = 'ann'"
	on b sacctmgr -iQ modify user ann set fairshare=77
	capture on a sshare -a
	[[ $status == 0 && $stderr == *'set aside'*'made again'* ]]
	agree a b
}

@test "the server is lost while a replica is made again: the old one is still there" {
	populate
	proxy_before a
	on a sshare -a >/dev/null
	LD_PRELOAD='' sqlite3 "$(replica a)" "PRAGMA foreign_keys = OFF;
		DELETE FROM assoc WHERE user = 'ann'"
	on b sacctmgr -iQ modify user ann set fairshare=77
	rule drop 'SELECT data'
	refuses "$database at" on a sshare -a
	followed
	same 'what was there' "$(replica_ask a "SELECT count(*) FROM assoc WHERE user = 'bob'")" 1
	run ! compgen -G "$(replica a).aside-*"
	capture on a sshare -a
	[[ $status == 0 && $stderr == *'set aside'*'made again'* ]]
	agree a b
}

@test "a replica that was changed past the log: its entries stop nobody" {
	local before host
	populate
	on c sshare -a >/dev/null
	on b sshare -a >/dev/null
	LD_PRELOAD='' sqlite3 "$(replica a)" "PRAGMA foreign_keys = OFF;
		UPDATE assoc SET shares = 50 WHERE user IN ('ann', 'bob');
		DELETE FROM user WHERE name = 'cy'"
	before=$(number)
	on a sacctmgr -iQ modify user ann set fairshare=7
	capture on b sshare -a
	[[ $status == 0 ]]
	[[ $stderr == *"entry $((before + 1)) of the log in $database at 127.0.0.1"* ]]
	[[ $stderr == *"the replica of $(uname -n) was changed past the log"* ]]
	[[ $stderr == *'makes its replica again'* ]]
	# That is said once, to whoever meets it first.
	prints "$stdout" on c sshare -a
	same 'said on c' "$stderr" ''
	capture on a sshare -a
	[[ $status == 0 && $stderr == *'set aside'* ]]
	[[ $stderr == *'changed past the log'* || $stderr == *'not what the log made of them'* ]]
	agree a b c
	same_answers a b
	prints $'ann|7\nbob|1' on c sacctmgr -nP show assoc user=ann,bob format=user,share
	has_user a cy
	# What was right is not kept beside, and nothing more is said or written.
	ls "$(replica a)".aside-* >/dev/null
	run ! compgen -G "$(replica b).aside-*"
	run ! compgen -G "$(replica c).aside-*"
	for host in a b c; do
		capture on "$host" sshare -a
		same "said on $host" "$stderr" ''
	done
	same 'entries' "$(number)" $((before + 2))
	on a sacctmgr -iQ modify user bob set fairshare=8
	agree a b c
}

@test "how to leave: a backup is a store of its own" {
	populate
	on b sacctmgr backup "$BATS_TEST_TMPDIR/alone.db" >/dev/null
	same 'the backup' "$(alone sshare -aP)" "$(on a sshare -aP)"
	alone sacctmgr -iQ add user dee account=music
	lacks_user a dee
}

@test "a store that there was begins the log" {
	alone sacctmgr -iQ add account chem
	alone sacctmgr -iQ add user ann account=chem
	on a sacctmgr -i restore "$BATS_TEST_TMPDIR/alone.db"
	has_user b ann
	agree a b
}

@test "restore: all hosts have what the file has" {
	populate
	on a sacctmgr backup "$BATS_TEST_TMPDIR/before.db" >/dev/null
	on b sacctmgr -iQ add user dee account=music
	on b sacctmgr -iQ delete user ann
	on c sshare -a >/dev/null
	on b sacctmgr -i restore "$BATS_TEST_TMPDIR/before.db"
	for host in a b c; do
		has_user $host ann
		lacks_user $host dee
	done
	on c sacctmgr -iQ add user eve account=music
	agree a b c
}

@test "restore whose commit is not answered, or is lost: what it says is so" {
	local before
	populate
	on a sacctmgr backup "$BATS_TEST_TMPDIR/before.db" >/dev/null
	on b sacctmgr -iQ delete user ann
	proxy_before a
	before=$(number)
	rule swallow 'INSERT INTO bursar_log'
	on a sacctmgr -i restore "$BATS_TEST_TMPDIR/before.db"
	followed
	has_user b ann
	(($(number) == before + 1))
	on b sacctmgr -iQ delete user ann
	rule drop 'INSERT INTO bursar_log'
	on a sacctmgr -i restore "$BATS_TEST_TMPDIR/before.db"
	followed
	has_user b ann
	(($(number) == before + 3))
	agree a b
}

@test "killed while a replica is made: nothing of it is left, and the next makes it" {
	local n=0
	populate
	# From the first statement about the snapshot to its last piece.
	proxy_before c
	for statement in 'SELECT number, token' 'SELECT data' 'SELECT number, token, host'; do
		printf '#!/bin/sh\nkill -9 $(cat "%s")\n' "$BATS_TEST_TMPDIR/process" \
			>"$proxy/script"
		chmod +x "$proxy/script"
		rule run "$statement"
		SLURM_CONF=$BATS_TEST_TMPDIR/etc-c/slurm.conf bash -c \
			'echo $$ >"$0"; exec sshare -a' "$BATS_TEST_TMPDIR/process" && return 1
		followed
		n=$((n + 1))
	done
	((n == 3))
	has_user c ann
	same 'files' "$(ls "$BATS_TEST_TMPDIR/store-c" | grep -v -e '-wal$' -e '-shm$')" \
		$'replica.db\nreplica.db-lock\nreplica.db-log'
	agree a c
}

@test "many programs of a new host at once: one makes the replica" {
	local n all=()
	populate
	for n in 1 2 3 4 5 6; do
		on c sacctmgr -nP show user format=user >"users-$n" 2>"said-$n" 3>&- &
		all+=($!)
	done
	wait "${all[@]}"
	for n in 1 2 3 4 5 6; do
		same "said by $n" "$(<"said-$n")" ''
		grep -qx ann "users-$n"
	done
	# And so when it is damaged.
	LD_PRELOAD='' sqlite3 "$(replica c)" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	printf 'no store at all' | dd of="$(replica c)" bs=1 conv=notrunc status=none
	for n in 1 2 3 4 5 6; do
		on c sacctmgr -nP show user format=user >"users-$n" 2>"said-$n" 3>&- &
	done
	wait
	for n in 1 2 3 4 5 6; do
		grep -qx ann "users-$n" || { cat "said-$n"; return 1; }
	done
	[[ $(ls -d "$(replica c)".aside-*[0-9] | wc -l) == 1 ]]
	agree a c
}

was_pruned() {
	on a sacctmgr -Q ping >/dev/null && (($(log_ask 'SELECT MIN(number) FROM bursar_log') > 1))
}

@test "the log grows long: a snapshot is written, old entries go, a new host begins with it" {
	local i
	populate
	conf_add SnapshotEntries=20
	on b sshare -a >/dev/null
	for ((i = 1; i <= 90; i++)); do
		on a sacctmgr -iQ add user "u$i" account=music
	done
	until_true was_pruned
	(($(log_ask 'SELECT COUNT(*) FROM bursar_snapshot') <= 2))
	(($(log_ask 'SELECT COUNT(*) FROM bursar_log') < 90))
	same_answers a c
	agree a b c
}

@test "entries are pruned while a reader asks for them: it takes the snapshot" {
	populate
	proxy_before c
	on c sshare -a >/dev/null
	on a sacctmgr -iQ add user dee account=music
	conf_add SnapshotEntries=0
	on a sacctmgr -Q ping >/dev/null
	on a sacctmgr -iQ add user eve account=music
	same 'the first entry' "$(log_ask 'SELECT first FROM bursar_head')" 1
	# Between the question how far the log is and that for its entries.
	printf '#!/bin/sh\ncd /; unset LD_PRELOAD; SLURM_CONF=%s exec %s/sacctmgr -Q ping\n' \
		"$(host_folder b etc)/slurm.conf" "$SLURM_BIN" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run 'SET SESSION'
	capture on c sacctmgr -nP show user format=user
	followed
	(($(log_ask 'SELECT first FROM bursar_head') > 1))
	[[ $status == 0 && ! $stderr && $stdout == *eve* ]] || { echo "$stdout $stderr"; return 1; }
	agree a b c
}

@test "ping and show stats tell hosts, head, position, age, sizes" {
	populate
	on a sacctmgr ping >ping
	grep -qE "^log\(1\) at 127.0.0.1 is UP, 10[.0-9]*-MariaDB.*, [0-9.]+ ms$" ping
	grep -q "^log head $(number), replica $(number) (0 behind), asked [0-9]* seconds* ago" ping
	grep -qx 'spool: 0 wait, 0 refused' ping
	run ! grep 'last error' ping
	on b sacctmgr show stats >stats
	same 'the first line' "$(sed 1q stats | grep -c '^log(1) at 127.0.0.1 is UP')" 1
	grep -qi 'snapshot' stats
	grep -q "$(number)" stats
	on b sacctmgr show stats --json >stats.json
	same 'what of the log is in the document' "$(jq -c '.statistics[0].log |
		[.hosts[0].host, .hosts[0].state, .head, .position, .behind, .first, .entries,
		(.age < 60), (.bytes > 0), .snapshots[0].number, (.snapshots[0].bytes > 0)]' \
		stats.json)" \
		"[\"127.0.0.1\",\"UP\",$(number),$(number),0,1,$(number),true,true,0,true]"
	[[ $(jq '.statistics | map(select(.table)) | length' stats.json) -gt 10 ]]
	sql_kill 1
	on b sacctmgr show stats --json 2>/dev/null >stats.json
	same 'without a server' "$(jq -c '.statistics[0].log |
		[.hosts[0].state, .position, .head]' stats.json)" "[\"DOWN\",$(
		replica_ask b 'SELECT position FROM replica'),null]"
	capture on a sacctmgr ping
	[[ $stdout == *'log(1) at 127.0.0.1 is DOWN: '* ]]
	[[ $stdout == *'last error 0 seconds ago: the log cannot be asked (127.0.0.1: '* ]]
	on a srecord job id=7 user=ann account=physics 2>/dev/null
	on a srecord job id=8 user=nobody account=physics 2>/dev/null
	capture on a sacctmgr ping
	[[ $stdout == *'spool: 2 wait, 0 refused'* ]]
	sql_again 1
	on a sacctmgr ping >/dev/null 2>&1
	on a sacctmgr ping >ping
	grep -qx 'spool: 0 wait, 1 refused' ping
	grep -q '^last error [0-9]* seconds ago: the log cannot be asked (127.0.0.1: ' ping
	on a sacctmgr show stats --json >stats.json
	same 'in the document' "$(jq -c '.statistics[0].log | [.spool.waiting, .spool.refused,
		(.last_error.age < 60), .last_error.text[:23]]' stats.json)" \
		'[0,1,true,"the log cannot be asked"]'
	on a sacctmgr ping --json >ping.json
	same 'of a ping' "$(jq -c '.pings[0] | [.status, .log.behind, .log.spool.refused,
		.log.last_error.text[:23]]' <ping.json)" '["UP",0,1,"the log cannot be asked"]'
}

@test "eight writers on three hosts: each acknowledged change is there, once" {
	populate
	writers 8 "${LONG:+60}"
	all_there
	agree a b c
	same_answers a b
	same_answers b c
}
