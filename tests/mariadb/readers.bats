#!/usr/bin/env bats
# Whatever is wrong with the server, its database or the log: who reads is answered from the
# replica, with one line that says as of when and why, and exit status 0; only changes fail.

load lib

setup() {
	fresh_site a b
	populate
	wanted=$(on a sshare -aP)
}

# still_answers WORDS...: host a reads what was there and changes nothing, and says all these words
still_answers() {
	local words
	for words; do
		capture on a sshare -aP
		same "answer ($words)" "$stdout" "$wanted"
		said_once && [[ $stderr == *"$words"* ]] || { echo "$stderr"; return 1; }
		refuses "$words" on a sacctmgr -iQ add user dee account=physics || return 1
		[[ $stderr == *'nothing can be changed while'* ]]
	done
	capture on a sacctmgr --json show user ann
	json_says "$stdout" meta.replica.reason "$words"
	[[ $(json_of "$stdout" meta.replica.age) =~ ^[0-9]+$ ]]
	[[ $stdout == *'"ann"'* ]]
}

said_once() {
	[[ $status == 0 && $(wc -l <<<"$stderr") == 1 ]] &&
		[[ $stderr == 'sshare: answered from the replica as of 20'*' ago), because '* ]]
}

# json_of DOCUMENT PATH
json_of() {
	python3 -c 'import functools, json, sys
of = functools.reduce
print(of(lambda o, name: o[name], sys.argv[2].split("."), json.loads(sys.argv[1])))' "$@"
}

json_says() {
	[[ $(json_of "$1" "$2") == *"$3"* ]]
}

# The server is as it was: who reads says nothing, what others did is there.
as_before() {
	on b sacctmgr -iQ add user eve account=music >/dev/null
	sed -i 's/ failed=[0-9]*/ failed=0/' "$(replica a)-log"
	capture on a sacctmgr -nP show user eve format=user
	same 'what is said' "$status $stdout $stderr" '0 eve '
	json_says "$(on a sacctmgr --json show user eve)" meta.slurm.release 26
	run ! json_of "$(on a sacctmgr --json show user eve)" meta.replica
}

user_is() {
	sql_ask 1 "ALTER USER $hosts_user@'127.0.0.%' $1; FLUSH PRIVILEGES"
}

@test "the password is another (1045)" {
	user_is "IDENTIFIED BY 'another'"
	still_answers "refuses user '$hosts_user': check StorageUser and StoragePass"
	user_is "IDENTIFIED BY '$hosts_password'"
	as_before
}

@test "the user has had what he may have in an hour (1226), or too many connections (1203)" {
	user_is 'WITH MAX_QUERIES_PER_HOUR 1'
	still_answers "max_queries_per_hour"
	user_is 'WITH MAX_QUERIES_PER_HOUR 0'
	as_before
}

@test "the server has too many connections (1040)" {
	local i all=()
	for ((i = 0; i < 10; i++)); do
		mariadb --no-defaults --skip-ssl -h 127.0.0.1 -P "$sql_port" -u "$hosts_user" \
			-p"$hosts_password" -e 'SELECT SLEEP(60)' >/dev/null 2>&1 3>&- &
		all+=($!)
	done
	until_true eval '(($(sql_ask 1 "SELECT COUNT(*) FROM information_schema.processlist
		WHERE info LIKE \"%SLEEP%\" AND id <> CONNECTION_ID()") == 10))'
	sql_ask 1 'SET GLOBAL max_connections = 10'
	still_answers 'Too many connections'
	kill "${all[@]}"
	sql_ask 1 'SET GLOBAL max_connections = 120'
	as_before
}

@test "the database is gone (1049), or comes back empty" {
	sql_ask 1 "DROP DATABASE $database"
	still_answers 'has no right to this database, or it is not there'
	sql_ask 1 "CREATE DATABASE $database"
	still_answers "the log is gone from $database at 127.0.0.1" 'sacctmgr restore FILE'
}

@test "a table is gone (1146)" {
	log_ask 'RENAME TABLE bursar_head TO bursar_kept'
	still_answers 'the log is gone from'
	log_ask 'RENAME TABLE bursar_kept TO bursar_head'
	as_before
	on b sacctmgr -iQ add user fay account=music >/dev/null
	wanted=$(on a sshare -aP --offline)
	log_ask 'RENAME TABLE bursar_log TO bursar_kept'
	still_answers "bursar_log' doesn't exist"
	log_ask 'RENAME TABLE bursar_kept TO bursar_log'
}

@test "the log of another site" {
	log_ask "UPDATE bursar_head SET site = REVERSE(site)"
	still_answers 'is the log of another site'
	log_ask "UPDATE bursar_head SET site = REVERSE(site)"
	as_before
}

@test "a log of a newer Bursar" {
	local version
	version=$(log_ask 'SELECT version FROM bursar_head')
	log_ask 'UPDATE bursar_head SET version = 900'
	still_answers 'was written by a newer Bursar'
	log_ask "UPDATE bursar_head SET version = $version"
	as_before
}

@test "another program of the host is at a long change: answered without it, with the age" {
	local change
	proxy_before b
	on b sshare -a >/dev/null
	rule silence 'START TRANSACTION'
	SLURM_CONF=$(host_folder b etc)/slurm.conf sacctmgr -iQ add user eve account=music \
		>/dev/null 2>&1 3>&- &
	change=$!
	until_true followed
	hosts_of b "$(sql_hosts)"
	on a sacctmgr -iQ add user dee account=music >/dev/null
	capture on b sacctmgr -nP show user format=user
	kill -9 $change
	same status "$status" 0
	[[ $stdout == *ann* && $stdout != *dee* && $stderr == *'from the replica as of 20'* ]]
	[[ $stderr == *'because 1 changes of others are still to be taken in'* ]]
	has_user b dee
	agree a b
}

@test "a large entry is left to a program of its own" {
	awk 'BEGIN { print "Cluster - canis\nParent - root\nAccount - big\nParent - big"
		for (i = 1; i <= 25000; i++) print "User - u" i ":Fairshare=" i }' >site.cfg
	on b sshare -a >/dev/null
	on a sacctmgr -iQ load site.cfg >/dev/null
	(($(log_ask 'SELECT MAX(size) FROM bursar_log') > 512 * 1024))
	capture on b sacctmgr -nP show user format=user
	same status "$status" 0
	[[ $stdout == *ann* && $stdout != *u25000* && $stderr == *'from the replica as of 20'* ]]
	until_true has_user b u25000
	agree a b
}

@test "a server that accepts and never answers: waited for once, all others answer at once" {
	local began
	sql_freeze 1
	capture on a sshare -aP
	same answer "$stdout" "$wanted"
	[[ $status == 0 && $stderr == *'as of 20'*'because the log cannot be asked (127.0.0.1: '* ]]
	# After ten seconds, too; and one who tries again lets the others answer.
	sed -i "s/ failed=[0-9]*/ failed=$(($(date +%s) - 30))/" "$(replica a)-log"
	began=$(date +%s%N)
	for ((i = 0; i < 5; i++)); do
		capture on a sshare -aP
		[[ $stdout == "$wanted" && $stderr == *'because the log cannot be asked ('* ]]
		said_once
	done
	((($(date +%s%N) - began) / 1000000 < 2000))
	sql_thaw 1
	as_before
}
