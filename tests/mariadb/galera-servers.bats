#!/usr/bin/env bats
# The three servers of the tests here as a Galera cluster: one is killed, freezes, is cut off from
# the others, and comes back with what it has missed.

servers=3
load lib

setup() {
	need_servers
	sql_ask 1 'CREATE DATABASE IF NOT EXISTS t;
		CREATE TABLE IF NOT EXISTS t.t (n INT PRIMARY KEY)'
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
	run ! add 1 5
	add 2 4
	sql_join 1
	sql_in_step 1 2 3
	has 1 1 2 3 4
}
