#!/usr/bin/env bats
# A replica whose rows are not what the log made of them, by hand or by a disk: it says so, sets
# itself aside and makes itself again, without anybody having changed these rows since.

load lib

setup() {
	made=0
	fresh_site a b c
	populate
	on c sshare -a >/dev/null
}

# state HOST COLUMN
state() {
	replica_ask "$1" "SELECT $2 FROM replica_state"
}

# changes COUNT HOST
changes() {
	local i
	for ((i = 0; i < $1; i++)); do
		on "$2" sacctmgr -iQ add user "u$((made++))" account=music >/dev/null || return 1
	done
}

# until_said HOST: who it is said by is the first one that meets it
until_said() {
	local i
	for ((i = 0; i < 30; i++)); do
		capture on "$1" sshare -a
		[[ $status == 0 ]] || { echo "$stderr"; return 1; }
		[[ ! $stderr ]] || break
		changes 1 b
	done
	[[ $stderr == *"its rows are not what the log made of them"*'set aside as'* ]]
	same 'lines that are said' "$(wc -l <<<"$stderr")" 1
	ls "$(replica "$1")".aside-* >/dev/null
	agree a b c
	capture on "$1" sshare -a
	same 'said by the next' "$stderr" ''
}

damage() {
	LD_PRELOAD='' sqlite3 "$(replica c)" "PRAGMA foreign_keys = OFF; $1"
}

@test "all hosts' rows come to the same, and all rows are read" {
	local host
	changes 12 a
	job b 1 user=ann account=physics
	on b sacctmgr -iQ modify user ann set fairshare=7 grptres=cpu=5
	on b sacctmgr -iQ delete user u3
	on a sacctmgr -i undo >/dev/null
	changes 20 b
	agree a b c
	for host in a b c; do
		(($(state $host 'sum IS NOT NULL')))
		same "the sum on $host" "$(state $host sum)" "$(state a sum)"
	done
	# Once more in a row, and nobody complains.
	changes 12 a
	capture on c sshare -a
	same 'said' "$stderr" ''
	same 'the sum' "$(state c sum)" "$(state a sum)"
	run ! compgen -G "$(replica c).aside-*"
}

@test "a row that was changed, one that was added, one that is gone" {
	local sql
	changes 20 a
	for sql in "UPDATE assoc SET shares = 50 WHERE user = 'ann'" \
		"INSERT INTO meta VALUES ('x', 'y')" "DELETE FROM user WHERE name = 'cy'"; do
		on c sshare -a >/dev/null
		damage "$sql"
		until_said c
		rm "$(replica c)".aside-*
	done
	has_user c cy
}


# The log and all replicas as if the next entry were that number.
next_is() {
	local host at=$(($1 - 1))
	catch_up a && catch_up b && catch_up c || return 1
	log_ask "DELETE FROM bursar_log; UPDATE bursar_head SET number = $at, first = $1"
	for host in a b c; do
		LD_PRELOAD='' sqlite3 "$(replica $host)" "UPDATE replica SET position = $at;
			UPDATE replica_state SET position = $at" || return 1
	done
}

@test "every thousandth entry says what the rows come to: a replica that differs says so" {
	changes 20 a
	next_is 999
	changes 3 a
	same 'entries that say it' "$(log_ask "SELECT GROUP_CONCAT(part) FROM bursar_piece
		WHERE owner = 'state'")" 1000
	on b sshare -a >/dev/null
	# Not what its rows would tell: these are not all read yet.
	damage "UPDATE replica_state SET sum = sum + 1, seen = 0, name = '', key = 0"
	capture on c sshare -a
	[[ $stderr == *"its rows are not what the log made of them"*'set aside as'* ]]
	agree a b c
}
