#!/usr/bin/env bats
# The servers that the other tests here run on, and what stands between them and a program: they
# start, lose what a test says, and leave nothing behind.

bats_require_minimum_version 1.5.0

setup() {
	. "$BATS_TEST_DIRNAME/servers.bash"
	missing=$(sql_missing 1 | paste -sd ' ')
	[[ ! $missing ]] || skip "not installed: $missing"
	with=$BATS_TEST_DIRNAME/with
	folder=$(mktemp -d "${TMPDIR:-/tmp}/servers.XXXXXX")
	chmod 755 "$folder"
}

teardown() {
	rm -rf "${folder-}"
}

# Nothing of these servers is there any more.
nothing_left() {
	run ! pgrep -f "$folder"
	[[ ! $(ls -A "$folder") ]]
}

# The statements that a client sends through a proxy in $folder/proxy.
through_proxy() {
	mariadb --no-defaults --skip-ssl -h 127.0.0.1 -P "$(<"$folder/proxy/port")" -u "$SQL_USER" \
		-p"$SQL_PASSWORD" -N "$SQL_DATABASE" -e "$1"
}

@test "a command runs beside a server that ends with it" {
	TMPDIR=$folder run -0 "$with" 1 bash -c '
		[[ $(stat -c %a "$SQL_DIR") == 700 ]]
		mariadb --no-defaults -h "$SQL_HOSTS" -P "$SQL_PORT" -u "$SQL_USER" \
			-p"$SQL_PASSWORD" -N "$SQL_DATABASE" -e "SELECT 6 * 7"'
	[[ $output == 42 ]]
	until_true nothing_left
	TMPDIR=$folder run -3 "$with" 1 sh -c 'exit 3'
	until_true nothing_left
}

@test "its root has no way in over the network" {
	TMPDIR=$folder run -1 "$with" 1 sh -c \
		'mariadb --no-defaults -h 127.0.0.1 -P "$SQL_PORT" -u root -e "SELECT 1"'
	[[ $output == *denied* ]]
}

@test "no server outlives who started it, by whichever signal that one ends" {
	local signal process child
	for signal in TERM KILL; do
		TMPDIR=$folder "$with" 1 sleep 300 >/dev/null 2>&1 3>&- &
		process=$!
		until_true pgrep -P "$process" -fx 'sleep 300'
		child=$(pgrep -P "$process" -fx 'sleep 300')
		kill "-$signal" "$process"
		kill "$child"
		until_true nothing_left
	done
}

@test "a proxy loses a statement, or its answer, once" {
	sql_start "$folder/servers" 1
	SQL_PORT=$sql_port SQL_USER=t SQL_PASSWORD=t SQL_DATABASE=t
	sql_ask 1 "CREATE DATABASE t; CREATE TABLE t.t (n INT);
		CREATE USER t@'127.0.0.%' IDENTIFIED BY 't'; GRANT ALL ON t.* TO t@'127.0.0.%'"
	mkdir "$folder/proxy"
	"${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}/../mariadb/proxy" 127.0.0.1 "$sql_port" \
		"$folder/proxy" 3>&- &
	until_true test -s "$folder/proxy/port"
	echo 'drop COMMIT' >"$folder/proxy/rule"
	run ! through_proxy 'START TRANSACTION; INSERT INTO t VALUES (1); COMMIT'
	echo 'swallow COMMIT' >"$folder/proxy/rule"
	run ! through_proxy 'START TRANSACTION; INSERT INTO t VALUES (2); COMMIT'
	echo 'run COMMIT' >"$folder/proxy/rule"
	printf '#!/bin/sh\ntouch ran\n' >"$folder/proxy/script"
	chmod +x "$folder/proxy/script"
	through_proxy 'START TRANSACTION; INSERT INTO t VALUES (3); COMMIT'
	[[ -e $folder/proxy/ran ]]
	[[ $(through_proxy 'SELECT n FROM t' | paste -sd ' ') == '2 3' ]]
	[[ $(grep -c COMMIT "$folder/proxy/statements") == 3 ]]
	kill %1
	sql_down
}
