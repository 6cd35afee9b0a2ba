#!/usr/bin/env bats
# The three servers of the tests here as a Galera cluster: one is killed, freezes, is cut off from
# the others, and comes back with what it has missed.

bats_require_minimum_version 1.5.0

setup_file() {
	. "$BATS_TEST_DIRNAME/servers.bash"
	missing=$(sql_missing 3 | paste -sd ' ')
	echo "$missing" >"$BATS_FILE_TMPDIR/missing"
	[[ ! $missing ]] || return 0
	SQL_DIR=$(mktemp -d "${TMPDIR:-/tmp}/galera.XXXXXX")
	export SQL_DIR
	sql_start "$SQL_DIR" 3
	sql_ask 1 'CREATE DATABASE t; CREATE TABLE t.t (n INT PRIMARY KEY)'
}

teardown_file() {
	. "$BATS_TEST_DIRNAME/servers.bash"
	[[ ! ${SQL_DIR-} ]] || { sql_take "$SQL_DIR" && sql_down; }
}

setup() {
	[[ ! $(<"$BATS_FILE_TMPDIR/missing") ]] ||
		skip "not installed: $(<"$BATS_FILE_TMPDIR/missing")"
	. "$BATS_TEST_DIRNAME/servers.bash"
	sql_take "$SQL_DIR"
}

add() {
	sql_ask "$1" "INSERT INTO t.t VALUES ($2)"
}

# has NODE NUMBER...
has() {
	local node=$1
	shift
	[[ $(sql_ask "$node" 'SET wsrep_sync_wait = 15; SELECT n FROM t.t' |
		paste -sd ' ') == "$*" ]]
}

@test "what one takes in all have" {
	add 1 1
	has 2 1
	has 3 1
}

@test "one that was killed comes back with what it missed" {
	sql_kill 2
	add 1 2
	sql_again 2
	has 2 1 2
	sql_in_step 1 2 3
}

@test "one that answers nobody is given up, and comes back" {
	sql_freeze 3
	add 1 3
	sql_thaw 3
	sql_in_step 1 2 3
	has 3 1 2 3
}

@test "one that was cut off takes nothing in until it hears the others" {
	sql_cut_off 1
	! add 1 5
	add 2 4
	sql_join 1
	sql_in_step 1 2 3
	has 1 1 2 3 4
}
