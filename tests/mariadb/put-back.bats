#!/usr/bin/env bats
# A server that was put back to an earlier state, from an old dump, after which others went on.
# However far the log has come by then: what only this host had is set aside as a store of its own,
# and one command brings it in.

load lib

setup() {
	made=0
	fresh_site a b c
	populate
	conf_add SnapshotEntries=10
	keep_log
	job a 1 user=ann account=physics
	on a sacctmgr -iQ add user dee account=music >/dev/null
	on a sacctmgr -iQ modify user ann set fairshare=7 >/dev/null
}

keep_log() {
	local table
	for table in head log snapshot piece; do
		log_ask "CREATE TABLE bursar_kept_$table AS SELECT * FROM bursar_$table" || return 1
	done
}

put_back() {
	local table
	for table in head log snapshot piece; do
		log_ask "DELETE FROM bursar_$table;
			INSERT INTO bursar_$table SELECT * FROM bursar_kept_$table" || return 1
	done
}

# others COUNT: so many changes by another host
others() {
	local i
	for ((i = 0; i < $1; i++)); do
		on b sacctmgr -iQ add user "b$((made++))" account=physics >/dev/null || return 1
	done
}

# Snapshots are written by programs of their own.
pruned() {
	on b sacctmgr -Q ping >/dev/null && (($(log_ask 'SELECT first FROM bursar_head') > 8))
}

# Host a meets the log: as one that reads, or that changes something.
set_aside() {
	local command=(sshare -a)
	[[ ${1-} != change ]] || command=(sacctmgr -iQ add user eve account=music)
	capture on a "${command[@]}"
	[[ $status == 0 ]] || { echo "$stderr"; return 1; }
	same 'lines that are said' "$(wc -l <<<"$stderr")" 1
	aside=$(ls "$(replica a)".aside-*[0-9])
	[[ $stderr == *"the log in $database at 127.0.0.1 was put back to an earlier state"* ]]
	[[ $stderr == *"set aside as $aside, a store of its own"* ]]
	[[ $stderr == *"'sacctmgr diff $aside'"*"'srecord import $aside'"* ]]
	lacks_user a dee
	agree a b c
	capture on a sshare -a
	same 'said by the next' "$stderr" ''
}

# ... and brings it in.
bring_in() {
	capture on a sacctmgr diff "$aside"
	[[ $status == 2 && $stdout == *dee* ]] || { echo "$stdout$stderr"; return 1; }
	capture on a srecord import "$aside"
	[[ $status == 0 ]] || { echo "$stderr"; return 1; }
	has_user b dee
	prints '1|COMPLETED' on b sacct -aXnP -S2026-01-01 --format=jobid,state
	prints 7 on b sacctmgr -nP show assoc user=ann format=share
	agree a b c
}

@test "put back, nobody wrote since" {
	put_back
	set_aside
	bring_in
}

@test "put back, others wrote less: a change meets it" {
	put_back
	others 1
	set_aside change
	bring_in
	has_user b b0
	has_user b eve
}

@test "put back, others wrote as much" {
	put_back
	others 3
	set_aside
	bring_in
}

@test "put back, others wrote more" {
	put_back
	others 5
	set_aside
	bring_in
	has_user a b4
}

@test "put back, others wrote so much that entries were pruned" {
	put_back
	others 12
	on b sacctmgr -Q ping >/dev/null
	others 23
	until_true pruned
	set_aside
	bring_in
	has_user a b34
}

@test "put back, and a whole store took the place of everything" {
	put_back
	others 1
	on b sacctmgr backup "$BATS_TEST_TMPDIR/b.db" >/dev/null
	on b sacctmgr -i restore "$BATS_TEST_TMPDIR/b.db" >/dev/null
	others 2
	set_aside
	bring_in
}

@test "a replica that was away for long is of the same log: nothing is set aside" {
	on c sshare -a >/dev/null
	others 12
	on b sacctmgr -Q ping >/dev/null
	others 23
	until_true pruned
	same 'entries whose checksums are kept' "$(log_ask "SELECT SUM(LENGTH(data)) DIV 4
		FROM bursar_piece WHERE owner = 'chain'")" \
		"$(log_ask 'SELECT first - 1 FROM bursar_head')"
	capture on c sshare -a
	same 'said' "$stderr" ''
	run ! compgen -G "$(replica c).aside-*"
	agree a b c
}

has_snapshot() {
	on a sacctmgr -Q ping >/dev/null &&
		(($(log_ask 'SELECT COUNT(*) FROM bursar_snapshot') > 1))
}

@test "an entry is damaged: the next snapshot of a host that is past it helps" {
	conf_add SnapshotEntries=20000
	on b sshare -a >/dev/null
	on a sacctmgr -iQ add user eve account=physics >/dev/null
	log_ask "UPDATE bursar_log SET actor = 'somebody' WHERE number = $(number)"
	capture on b sacctmgr -nP show user eve format=user
	[[ $stderr == *"entry $(number) of the log in $database at 127.0.0.1 is damaged"* ]]
	on a sacctmgr -iQ add user fay account=physics >/dev/null
	until_true has_snapshot
	has_user b fay
	run ! compgen -G "$(replica b).aside-*"
	agree a b
}
