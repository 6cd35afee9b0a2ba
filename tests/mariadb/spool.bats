#!/usr/bin/env bats
# A record of a job is never lost: what srecord cannot put into the log for a reason that is not the
# command's waits in a spool beside the replica, and whoever comes next with a server records it, in
# order, once, with its own time.

load lib

setup() {
	fresh_site a b
	populate
	spool=$(replica a)-spool
}

teardown() {
	[[ ${hosts_dir-} ]] || return 0
	sql_thaw 1
	sql_revive
	sql_ask 1 "SET GLOBAL init_connect = ''"
	password "$hosts_password"
}

waits() {
	same 'facts that wait' "$(ls "$spool" | grep -c '^[0-9]')" "$1"
}

# kept WORDS...: srecord there is done, and says that it waits
kept() {
	capture on a srecord "$@"
	[[ $status == 0 && ! $stdout ]] || { echo "$status: $stdout $stderr"; return 1; }
	[[ $stderr == "srecord: warning: not recorded yet, it waits in $spool, and "* ]]
	[[ $stderr == *'limits are not checked before: '* ]]
}

# password WORD: what the servers take from now on
password() {
	sql_ask 1 "ALTER USER $hosts_user@'127.0.0.%' IDENTIFIED BY '$1'"
}

# queued WORDS...: sacctmgr --queue there is done, and says that it waits
queued() {
	capture on a sacctmgr -iQ --queue "$@"
	[[ $status == 0 && ! $stdout ]] || { echo "$status: $stdout $stderr"; return 1; }
	[[ $stderr == *"sacctmgr: warning: not changed yet, it waits in $spool: "* ]]
}

job_shows() {
	same "job $1" "$(on "$2" sacct -nXP -j "$1" -S2026-01-01 -o "$3")" "$4"
}

@test "no server: facts wait, and the next one records all, in order, with their own times" {
	local then
	sql_kill 1
	kept job id=7 user=ann account=physics cpus=4
	then=$(date +%Y-%m-%dT%H:%M)
	kept job id=7 start=now nodelist=vm
	kept step job=7 step=0 name=one
	kept node node=vm state=drain start=now reason=disk
	kept job id=7 end=now state=COMPLETED
	waits 5
	capture on a srecord spool
	same 'lines of the list' "$(wc -l <<<"$stdout")" 5
	[[ $stdout == 20*' waits '*' job id=7 user=ann account=physics cpus=4'* ]]
	sql_again 1
	on a srecord job id=8 user=bob account=physics
	waits 0
	same refused "$(on a srecord spool)" ''
	job_shows 7 b state COMPLETED
	same steps "$(on b sacct -nP -j 7 -S2026-01-01 -o jobid | paste -sd ' ')" '7 7.0'
	[[ $(on b sacct -nXP -j 7 -S2026-01-01 -o submit) == "$then"* ]]
	on b sinfo -h -N -n vm -o %T | grep -q drain
	job_shows 8 b state PENDING
	agree a b
}

@test "refused for a reason that is not the command's: password, connections, database, clock" {
	password another
	kept job id=1 user=ann account=physics start=now-60 end=now
	[[ $stderr == *"refuses user '$hosts_user'"* ]]
	password "$hosts_password"
	log_ask 'RENAME TABLE bursar_log TO bursar_kept'
	kept job id=2 user=ann account=physics start=now-60 end=now
	log_ask 'RENAME TABLE bursar_kept TO bursar_log'
	sql_ask 1 'SET GLOBAL init_connect = "SET timestamp = UNIX_TIMESTAMP() + 75"'
	kept job id=3 user=ann account=physics start=now-60 end=now
	sql_ask 1 'SET GLOBAL init_connect = ""'
	on a sacctmgr ping >/dev/null
	waits 0
	same jobs "$(on b sacct -naXP -S2026-01-01 -o jobid | paste -sd ' ')" '1 2 3'
	agree a b
}

@test "facts from standard input wait, too, and go on when the server is back" {
	local feeder
	mkfifo facts
	on a srecord - <facts >answers 2>said 3>&- &
	feeder=$!
	exec 4>facts
	echo 'job id=1 user=ann account=physics' >&4
	until_true grep -qx ok answers
	sql_kill 1
	printf '%s\n' 'job id=2 user=ann account=physics' '# nothing' 'job user=ann' \
		'job id=1 start=now nodelist=vm' 'job id=3 colour=red' >&4
	until_true eval '(($(wc -l <answers) == 5))'
	waits 2
	sql_again 1 4>&-
	echo 'job id=1 end=now state=COMPLETED' >&4
	exec 4>&-
	wait $feeder && return 1 # some were refused
	same answers "$(cut -c1-40 answers)" "$(printf '%s\n' ok ok \
		'error: line 4: a job without id= cannot ' ok \
		"error: line 6: unknown key 'colour': see" ok)"
	same 'what was told' "$(grep -c 'not recorded yet, it waits in' said)" 1
	waits 0
	job_shows 1 b state COMPLETED
	job_shows 2 b state PENDING
	agree a b
}

@test "the command's own faults are refused at once" {
	sql_kill 1
	refuses "unknown key 'colour'" on a srecord job id=7 colour=red
	refuses 'a job without id= cannot wait' on a srecord job user=ann account=physics
	refuses "unknown fact 'jobs'" on a srecord jobs id=7
	waits 0
}

@test "what the site then refuses is kept, told and listed" {
	sql_kill 1
	kept job id=7 user=nobody account=physics
	kept job id=8 user=ann account=physics
	sql_again 1
	capture on a srecord job id=9 user=ann account=physics
	[[ $status == 0 ]]
	[[ $stderr == *'1 of what waited in '*" is refused: 'srecord spool'"* ]]
	waits 0
	capture on a srecord spool
	[[ $stdout == 20*' refused '*' job id=7 user=nobody account=physics: '*nobody* ]]
	[[ $(wc -l <<<"$stdout") == 1 ]]
	same jobs "$(on b squeue -ho %i | sort | paste -sd ' ')" '8 9'
	on a srecord spool drop
	same 'the list' "$(on a srecord spool)" ''
}

@test "who finds no replica keeps it, too" {
	sql_kill 1
	rm "$(replica a)"*
	kept job id=7 user=ann account=physics
	sql_again 1
	on a srecord spool deliver
	job_shows 7 b state PENDING
}

# As after a server that did not answer for three seconds.
down_for_a_while() {
	sed -i "s/ failed=[0-9]* / failed=$(date +%s) /; s/wait=[0-9]*/wait=60/" "$(replica a)-log"
}

# Kills the program on host a at the next statement that begins with the words.
dies_at() {
	printf '#!/bin/sh\nkill -9 $(cat "%s")\n%s' "$BATS_TEST_TMPDIR/process" "${2-}" \
		>"$proxy/script"
	chmod +x "$proxy/script"
	rule run "$1"
	SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf bash -c '
		echo $$ >"$0"; exec srecord spool deliver' "$BATS_TEST_TMPDIR/process" && return 1
	followed
}

@test "the one who delivers is killed at any point: each is recorded, once" {
	local what n=0 jobs=''
	proxy_before a
	on a sshare -a >/dev/null
	for what in 'START TRANSACTION' 'INSERT INTO bursar_log'; do
		for i in 1 2 3; do
			n=$((n + 1)) jobs+=" $n"
			down_for_a_while
			kept job id=$n user=ann account=physics nice=5
		done
		dies_at "$what" || return 1
		# A second time would put this back.
		[[ $what != INSERT* ]] || on b srecord job id=$n nice=9
		on a srecord spool deliver
		waits 0
		same "jobs, killed at $what" "$(on b squeue -ho %i | sort -n | paste -sd ' ')" \
			"${jobs# }"
		same 'submissions' "$(on b sacct -nXaDP -S2026-01-01 -o jobid | wc -l)" "$n"
	done
	prints 9 on b squeue -h -j $n -o %y
	same 'entries with facts of the spool' "$(log_ask "SELECT COUNT(*) FROM bursar_log
		WHERE command = 'srecord spool, 3 facts'")" 2
	agree a b
}

@test "a commit that was not answered, and nobody to ask: once" {
	[[ ${LONG-} ]] || skip 'LONG=1: it is asked about for half a minute'
	proxy_before a
	on a sshare -a >/dev/null
	printf '#!/bin/sh\nkill -STOP %s; exit 1\n' "$(<"$SQL_DIR/1/process")" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run 'INSERT INTO bursar_log'
	capture on a srecord job id=7 user=ann account=physics start=now-60 end=now
	[[ $status == 0 && $stderr == *'it is not known whether the change was made'* ]]
	sql_thaw 1
	on a srecord spool deliver
	waits 0
	same 'submissions' "$(on b sacct -nXaDP -S2026-01-01 -o jobid)" 7
	same 'entries about job 7' "$(log_ask "SELECT COUNT(*) FROM bursar_log
		WHERE command LIKE '%id=7%'")" 1
	agree a b
}

@test "sacctmgr --queue: a change waits where it is asked to, in order with the facts" {
	sql_kill 1
	refuses 'nothing can be changed while' on a sacctmgr -iQ add account optics
	waits 0
	queued add account optics parent=physics
	queued add user dora account=optics
	kept job id=7 user=dora account=optics
	queued modify user where name=dora set comment='two words'
	waits 4
	capture on a srecord spool
	[[ $(sed 1q <<<"$stdout") == 20*' waits '*' sacctmgr add account optics parent=physics' ]]
	sql_again 1
	on a sacctmgr -iQ add user eve account=optics
	waits 0
	same refused "$(on a srecord spool)" ''
	job_shows 7 b account optics
	same users "$(on b sacctmgr -nP show assoc format=user account=optics | paste -sd ' ')" \
		' dora eve'
	agree a b
	# Each is a change of its own.
	on b sacctmgr -iQ undo last
	on b sacctmgr -iQ undo last
	same comment "$(replica_ask b "SELECT comment FROM user WHERE name = 'dora'")" ''
}

@test "a change that waited and is refused is listed; one whose deliverer is killed is made once" {
	local what
	proxy_before a
	on a sshare -a >/dev/null
	for what in 'START TRANSACTION' 'INSERT INTO bursar_log'; do
		password another
		queued add account "lab-${what%% *}"
		password "$hosts_password"
		dies_at "$what" || return 1
		on a srecord spool deliver
		waits 0
	done
	same refused "$(on a srecord spool)" ''
	same accounts 'lab-insert lab-start' \
		"$(on b sacctmgr -nP show account format=account | grep lab- | paste -sd ' ')"
	password another
	queued add user ann account=nowhere
	password "$hosts_password"
	capture on a sacctmgr ping
	[[ $status == 0 && $stderr == *'1 of what waited in '*" is refused: 'srecord spool'"* ]]
	capture on a srecord spool
	[[ $stdout == *' refused '*' sacctmgr add user ann account=nowhere: a cluster lacks'* ]]
	agree a b
}

@test "sacctmgr --queue is for a change that nobody is asked about" {
	refuses '--queue goes with -i and add, modify or delete' \
		on a sacctmgr --queue add account x
	refuses '--queue goes with -i and add, modify or delete' \
		on a sacctmgr -i --queue undo last
	sql_kill 1
	refuses 'Unknown option: colour=red' on a sacctmgr -iQ --queue add account x colour=red
	waits 0
}

@test "who only reads has it recorded by a program of its own" {
	sql_kill 1
	kept job id=7 user=ann account=physics
	sql_again 1
	rm "$(replica a)-log" # the server is asked again at once
	on a squeue -h >/dev/null
	until_true eval '! ls "$spool" | grep -q ^0'
	job_shows 7 b state PENDING
}

# Another change and snapshot, perhaps the last that the entry of the two facts needs to go.
has_gone_on() {
	on b sacctmgr -iQ modify account music set "fairshare=$RANDOM" >/dev/null
	on b sacctmgr -Q ping >/dev/null
	[[ ! $(log_ask "SELECT number FROM bursar_log WHERE command = 'srecord spool, 2 facts'") ]]
}

@test "killed, and the log has gone on past its entry: what was in it is among the refused" {
	proxy_before a
	on a sshare -a >/dev/null
	down_for_a_while
	kept job id=7 user=ann account=physics
	kept job id=8 user=ann account=physics
	dies_at 'INSERT INTO bursar_log'
	conf_add SnapshotEntries=0
	until_true has_gone_on
	capture on a srecord spool deliver
	[[ $status == 1 && $stdout == '0 recorded, 2 refused' ]]
	same 'what is said of them' "$(on a srecord spool |
		grep -c 'it is not known whether this was recorded: .*look before you repeat')" 2
	agree a b
}
