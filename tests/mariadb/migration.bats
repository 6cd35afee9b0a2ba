#!/usr/bin/env bats
# Hosts are upgraded one after the other: a newer program migrates the log, all replicas become the
# same, and programs that are older stop and say so.

load lib
load older

setup() {
	fresh_site a b c
	older_site
}

@test "who only reads does not migrate, and reads what older programs write" {
	prints ann on a sacctmgr -nP show user ann format=user
	on b "$older" -iQ add user dee account=music
	has_user a dee
	same 'version of the log' "$(log_ask 'SELECT version FROM bursar_head')" "$version"
	same 'migrations' "$(log_ask 'SELECT COUNT(*) FROM bursar_log WHERE kind = 2')" 0
	agree a b
}

@test "the first change migrates the log; older programs stop, and change nothing" {
	local host
	on a sacctmgr -iQ add user dee account=music
	for host in a b c; do
		refuses "$newer (schema $newest, this one knows $version)" \
			on $host "$older" -iQ add user eve account=music
		capture on $host "$older" -n show user # from its replica, unless that is newer
		[[ $stderr == *"$newer"* ]]
	done
	has_user b dee
	lacks_user c eve
	migrated
}

@test "hosts that migrate at the same moment do so once" {
	nine_writers
	migrated
}

@test "a new host of the newer program takes a snapshot of before, and migrates" {
	local i all=()
	rm -f "$(replica c)"*
	for i in 1 2 3; do
		on c sacctmgr -iQ add user "n$i" account=music >"said-$i" 2>&1 3>&- &
		all+=($!)
	done
	for i in 1 2 3; do
		wait "${all[i - 1]}" || { cat "said-$i"; return 1; }
		has_user a "n$i"
	done
	migrated
}

# old_writer HOST NUMBER: changes of the older program, until it is told that it is too old
old_writer() {
	local n=0
	while ((n++ < 200)); do
		if on "$1" "$older" -iQ add user "o$2x$n" account=music >"said-$2" 2>&1; then
			echo "o$2x$n" >>acknowledged
		elif ! grep -q "$newer" "said-$2"; then
			cat "said-$2" >>wrong
		else
			return 0
		fi
	done
	echo "$1 was never stopped" >>wrong
}

@test "an older program writes while newer ones migrate: what it was told is done is there" {
	local i all=()
	old_writer a 1 3>&- & all+=($!)
	old_writer b 2 3>&- & all+=($!)
	old_writer c 3 3>&- & all+=($!)
	until_true eval '(($(cat acknowledged 2>/dev/null | wc -l) > 5))'
	for i in a b c; do
		on $i sacctmgr -iQ add user "new$i" account=music 3>&- &
		all+=($!)
	done
	for i in "${all[@]}"; do
		wait "$i"
	done
	same 'what went wrong' "$(cat wrong 2>/dev/null)" ''
	printf '%s\n' newa newb newc >>acknowledged
	on b sacctmgr -nP show user format=user | sort >there
	same 'users acknowledged that are not there' \
		"$(sort acknowledged | comm -23 - there)" ''
	same 'users' "$(wc -l <there)" $(($(wc -l <acknowledged) + 4))
	migrated
}

@test "an open session of an older program changes nothing of a newer log" {
	mkfifo words
	on a "$older" -inP <words >session 2>&1 3>&- &
	exec 4>words
	echo 'show user ann format=user' >&4
	until_true grep -qx ann session
	on b sacctmgr -iQ add user dee account=music
	echo 'add user eve account=music' >&4
	until_true grep -q "$newer" session
	echo 'show user ann format=user' >&4
	echo quit >&4
	exec 4>&-
	wait $! || true
	lacks_user b eve
	migrated
}

@test "the migration is lost, or others are faster: it is made again, once" {
	local what
	proxy_before a
	on a sacctmgr -n show user >/dev/null
	for what in 'drop INSERT INTO bursar_log' 'swallow INSERT INTO bursar_log' \
		'drop START TRANSACTION'; do
		rule "$what"
		on a sacctmgr -iQ add user dee account=music || return 1
		followed
		has_user b dee
		migrated
		[[ $what == 'drop START'* ]] || again_before
	done
}

# The log as it is made by setup, again.
again_before() {
	hosts_make "$BATS_TEST_TMPDIR" a b c
	on b "$older" -iQ add account physics,music fairshare=10
	proxy_before a
	on a "$older" -n show user >/dev/null
}

@test "killed between the migration there and here: it is there, once" {
	printf '#!/bin/sh\nkill -9 $(cat "%s")\n' "$BATS_TEST_TMPDIR/process" >script
	proxy_before a
	on a sacctmgr -n show user >/dev/null
	cp script "$proxy/script" && chmod +x "$proxy/script"
	rule run 'INSERT INTO bursar_log'
	SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf bash -c '
		echo $$ >"$0"; exec sacctmgr -iQ add user dee account=music' \
		"$BATS_TEST_TMPDIR/process" && return 1
	followed
	same 'migrations in the log' "$(log_ask 'SELECT COUNT(*) FROM bursar_log WHERE kind = 2')" 1
	same 'version here' "$(replica_ask a 'PRAGMA user_version')" "$version"
	on a sacctmgr -iQ add user dee account=music
	migrated
}
