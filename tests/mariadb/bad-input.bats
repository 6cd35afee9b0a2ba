#!/usr/bin/env bats
# What is wrong with a server, a database, a configuration or a log: an error that names the host
# and what to do, nothing done, and no password anywhere.

load lib

setup() {
	fresh_site a b
}

# Nobody but the two files that hold it has the password: not what was printed, not what lies beside
# the replicas, not the log.
teardown() {
	[[ ${hosts_dir-} ]] || return 0
	run ! grep -rlF "$hosts_password" "$BATS_TEST_TMPDIR" --exclude=slurmdbd.conf
	same 'rows of the log with it' "$(sql_ask 1 "SELECT 1 FROM $database.bursar_log
		WHERE INSTR(command, '$hosts_password') OR INSTR(changeset, '$hosts_password')" \
		2>/dev/null)" ''
}

begin_log() {
	on a sacctmgr -iQ add account physics >/dev/null
	on a sacctmgr -iQ add user ann account=physics >/dev/null
}

# conf HOST LINE...: in place of what that host's slurmdbd.conf says of the same
conf() {
	local file line
	file=$(host_conf "$1")
	shift
	for line; do
		sed -i "/^${line%%=*}=/d" "$file"
		echo "$line" >>"$file"
	done
}

# reads_only WORDS HOST: it is answered, from the replica, and told these words
reads_only() {
	capture on "$2" sshare -aP
	same 'answer' "$status $stdout" "0 $(on "$2" sshare -aP --offline)" || return 1
	[[ $stderr == *'answered from the replica as of'*"$1"* ]] || { echo "$stderr"; return 1; }
}

# both_refuse WORDS...: host a changes nothing, reads only what its replica has, if there is one,
# and says all these words
both_refuse() {
	local words before after
	before=$(log_ask 'SELECT number FROM bursar_head' 2>/dev/null || true)
	for words; do
		if [[ -e $(replica a) ]]; then
			reads_only "$words" a || return 1
		else
			refuses "$words" on a sshare -a || return 1
		fi
		refuses "$words" on a sacctmgr -iQ add user dee account=physics || return 1
		refuses "$words" on a srecord job user=ann account=physics || return 1
	done
	after=$(log_ask 'SELECT number FROM bursar_head' 2>/dev/null || true)
	same 'the end of the log' "$after" "$before"
}

@test "wrong password, unknown user" {
	begin_log
	conf a StoragePass=Wrong-Guess-1
	both_refuse "$database at 127.0.0.1 refuses user '$hosts_user': check StorageUser and" \
		"StoragePass in $(host_conf a)"
	[[ $stderr != *Wrong-Guess-1* ]]
	conf a StorageUser=stranger
	both_refuse "refuses user 'stranger'"
}

@test "no such database, no right to it, a right that lacks" {
	begin_log
	conf a StorageLoc=elsewhere
	both_refuse "elsewhere at 127.0.0.1: user '$hosts_user' has no right to this database" \
		"CREATE DATABASE elsewhere" \
		"GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON elsewhere.*"
	conf a "StorageLoc=$database"
	sql_ask 1 "REVOKE INSERT ON $database.* FROM $hosts_user@'127.0.0.%'"
	on a sshare -a >/dev/null
	capture on a sacctmgr -iQ add user dee account=physics
	[[ $status == 1 && $stderr == *"lacks a right (INSERT command denied"*GRANT* ]]
	sql_ask 1 "GRANT INSERT ON $database.* TO $hosts_user@'127.0.0.%'"
	[[ ! $(on b sacctmgr -nP show user format=user | grep dee) ]]
	agree a b
}

@test "a database of slurmdbd" {
	log_ask 'CREATE TABLE acct_table (name TINYTEXT);
		CREATE TABLE cluster_table (name TINYTEXT);
		CREATE TABLE acct_coord_table (name TINYTEXT); CREATE TABLE txn_table (id INT);
		CREATE TABLE canis_assoc_table (id INT); CREATE TABLE canis_job_table (id INT)'
	both_refuse "$database at 127.0.0.1 is a database of slurmdbd" \
		'the log needs one of its own (StorageLoc'
	[[ ! $(log_ask "SHOW TABLES LIKE 'bursar%'") ]]
}

@test "a database of another program" {
	log_ask 'CREATE TABLE wp_posts (id INT)'
	both_refuse "$database at 127.0.0.1 holds tables of another program (wp_posts)"
	[[ ! $(log_ask "SHOW TABLES LIKE 'bursar%'") ]]
}

@test "nothing is in the log yet: who looks is told what begins it" {
	refuses "there is no log in $database at 127.0.0.1 yet" on a sshare -a
	[[ $stderr == *'sacctmgr add account'* && $stderr == *'sacctmgr restore FILE'* ]]
	[[ ! -e $(replica a) && ! $(log_ask 'SHOW TABLES') ]]
}

@test "an older server" {
	begin_log
	sql_end 1
	sql_again 1 --version=5.5.60-MariaDB
	both_refuse '127.0.0.1 runs 5.5.60-MariaDB: the log needs MariaDB 10.3 or later'
	sql_end 1
	sql_again 1
	on a sshare -a >/dev/null
}

@test "a log of a newer Bursar" {
	begin_log
	log_ask 'UPDATE bursar_head SET format = 2'
	both_refuse "the log in $database at 127.0.0.1 was written by a newer Bursar (format 2"
	log_ask 'UPDATE bursar_head SET format = 1, version = 900'
	both_refuse "was written by a newer Bursar (schema 900, this one knows" 'use that version'
}

@test "clocks that differ by more than a minute: no change" {
	begin_log
	sql_ask 1 'SET GLOBAL init_connect = "SET timestamp = UNIX_TIMESTAMP() + 75"'
	capture on a sacctmgr -iQ add user dee account=physics
	[[ $status == 1 ]]
	[[ $stderr =~ 'clock of this host ('.*') is '7[4-9]' seconds behind that of 127.0.0.1' ]]
	[[ $stderr == *NTP* ]]
	on a sshare -a >/dev/null
	sql_ask 1 'SET GLOBAL init_connect = "SET timestamp = UNIX_TIMESTAMP() - 75"'
	capture on a sacctmgr -iQ add user dee account=physics
	[[ $status == 1 && $stderr == *'seconds ahead of that of 127.0.0.1'* ]]
	sql_ask 1 'SET GLOBAL init_connect = "SET timestamp = UNIX_TIMESTAMP() - 20"'
	on a sacctmgr -iQ add user dee account=physics >/dev/null
	sql_ask 1 'SET GLOBAL init_connect = ""'
	agree a b
}

@test "two sites with one database: the second is refused" {
	begin_log
	rm "$BATS_TEST_TMPDIR/etc-b/slurm.conf"
	sed 's/^ClusterName=.*/ClusterName=lupus/' "$BATS_TEST_TMPDIR/etc/slurm.conf" \
		>"$BATS_TEST_TMPDIR/etc-b/slurm.conf"
	refuses "the log in $database at 127.0.0.1 knows no cluster 'lupus'" on b sshare -a
	refuses "knows no cluster 'lupus', only canis" on b sacctmgr -iQ add account chem
	[[ ! -e $(replica b) ]]
	on a sacctmgr -iQ add cluster lupus >/dev/null
	on b sacctmgr -iQ add user eve account=physics cluster=canis >/dev/null
	agree a b
}

@test "two sites begin a log in one database at the same moment: one has it" {
	local cluster first second other
	rm "$BATS_TEST_TMPDIR/etc-b/slurm.conf"
	sed 's/^ClusterName=.*/ClusterName=lupus/' "$BATS_TEST_TMPDIR/etc/slurm.conf" \
		>"$BATS_TEST_TMPDIR/etc-b/slurm.conf"
	on a sacctmgr -iQ add account physics >said-a 2>&1 3>&- & first=$!
	on b sacctmgr -iQ add account chem >said-b 2>&1 3>&- & second=$!
	if wait $first; then
		other=b cluster=lupus
		wait $second && return 1
	else
		other=a cluster=canis
		wait $second
	fi
	grep "knows no cluster '$cluster'" said-$other
	[[ ! -e $(replica $other) ]]
	same 'logs' "$(log_ask 'SELECT COUNT(*) FROM bursar_head')" 1
	same 'accounts' "$(on $(tr ab ba <<<$other) sacctmgr -nP show account format=account |
		grep -cx -e physics -e chem)" 1
}

@test "hosts of one site begin the log at the same moment: all that they add is there" {
	local i all=()
	for i in 1 2 3 4 5 6; do
		on "$(tr 123456 ababab <<<$i)" sacctmgr -iQ add account "c$i" >"said-$i" 2>&1 3>&- &
		all+=($!)
	done
	for i in 1 2 3 4 5 6; do
		wait "${all[i - 1]}" || { cat "said-$i"; return 1; }
	done
	same 'accounts' "$(on a sacctmgr -nP show account format=account | grep -c '^c[1-6]$')" 6
	agree a b
}

@test "a replica of another site is not taken for one of this log" {
	local first=$database
	begin_log
	sql_ask 1 "CREATE DATABASE ${first}x;
		GRANT ALL ON ${first}x.* TO $hosts_user@'127.0.0.%'"
	conf b "StorageLoc=${first}x"
	on b sacctmgr -iQ add account chem >/dev/null
	conf b "StorageLoc=$first"
	reads_only 'is the log of another site than the replica' b
	refuses "$(replica b)" on b sacctmgr -iQ add account biology
	[[ ! $(on a sacctmgr -nP show account biology format=account 2>/dev/null) ]]
}

# One who is behind meets it, and keeps what he has.
meets_damage() {
	local before
	before=$(replica_dump b)
	reads_only "$1" b
	[[ $stderr == *"$database at 127.0.0.1"* && $stderr == *'sacctmgr restore'* ]]
	same 'the replica' "$(replica_dump b)" "$before"
}

@test "an entry of the log that was altered, cut, or is missing" {
	local next
	begin_log
	on b sshare -a >/dev/null
	next=$(($(number) + 1))
	on a sacctmgr -iQ add user dee account=physics >/dev/null
	on a sacctmgr -iQ add user eve account=physics >/dev/null
	log_ask "CREATE TABLE bursar_kept AS SELECT * FROM bursar_log"
	log_ask "UPDATE bursar_log SET actor = 'somebody' WHERE number = $next"
	meets_damage "entry $next of the log"
	log_ask "UPDATE bursar_log l JOIN bursar_kept k USING (number) SET l.actor = k.actor,
		l.changeset = LEFT(l.changeset, 40) WHERE number = $next"
	meets_damage "entry $next of the log"
	log_ask "UPDATE bursar_log l JOIN bursar_kept k USING (number) SET l.changeset =
		CONCAT(LEFT(k.changeset, 40), 'x', SUBSTR(k.changeset, 42)) WHERE number = $next"
	meets_damage "entry $next of the log"
	log_ask "DELETE FROM bursar_log WHERE number = $next"
	meets_damage "entry $((next + 1)) of the log"
	[[ $stderr == *'the one before it is missing'* ]]
	log_ask "INSERT INTO bursar_log SELECT * FROM bursar_kept WHERE number = $next;
		DROP TABLE bursar_kept"
	on b sshare -a >/dev/null
	agree a b
}

@test "a snapshot that was altered, cut, or is missing: no replica is made of it" {
	begin_log
	log_ask 'CREATE TABLE bursar_kept AS SELECT * FROM bursar_piece'
	for what in 'UPDATE bursar_piece SET data = CONCAT(LEFT(data, 40), "x", SUBSTR(data, 42))' \
		'UPDATE bursar_piece SET data = LEFT(data, 40)' 'DELETE FROM bursar_piece'; do
		log_ask "$what"
		refuses "snapshot 0 of the log in $database at 127.0.0.1 is damaged" on b sshare -a
		[[ $stderr == *'sacctmgr restore'* ]]
		refuses 'is damaged' on b sacctmgr -iQ add account chem
		same 'files' "$(ls "$(dirname "$(replica b)")" | grep -v -e '-log$' -e '-lock$')" ''
		log_ask 'REPLACE INTO bursar_piece SELECT * FROM bursar_kept'
	done
	log_ask 'DROP TABLE bursar_kept'
	agree a b
}

@test "a damaged log that nobody helps is mended by a backup" {
	begin_log
	on b sshare -a >/dev/null
	on a sacctmgr -iQ add user dee account=physics >/dev/null
	log_ask "UPDATE bursar_log SET actor = 'somebody' WHERE number = $(number)"
	reads_only 'is damaged' b
	on a sacctmgr --offline backup "$BATS_TEST_TMPDIR/newest.db" >/dev/null
	on a sacctmgr -i restore "$BATS_TEST_TMPDIR/newest.db" >/dev/null
	[[ $(on b sacctmgr -nP show user dee format=user) == dee ]]
	agree a b
}

@test "a password file that others can read" {
	begin_log
	chmod 644 "$(host_conf a)"
	for command in 'sshare -a' 'sacctmgr -iQ add user dee account=physics'; do
		refuses "$(host_conf a) holds a password and may be read by anyone: chmod o= $(
			host_conf a)" on a $command
	done
	chmod 602 "$(host_conf a)"
	refuses "$(host_conf a) holds a password" on a sshare -a
	chmod 640 "$(host_conf a)"
	on a sshare -a >/dev/null
	sed -i '/^StoragePass=/d' "$(host_conf a)"
	chmod 644 "$(host_conf a)"
	both_refuse "refuses user '$hosts_user'"
}

@test "no password in the list of processes, while a program waits for the server" {
	local process
	begin_log
	proxy_before a
	rule silence 'SET SESSION'
	on a sshare -a >said 2>&1 &
	process=$!
	until_true followed
	ps -eww -o args >processes
	sql_ask 1 'SHOW FULL PROCESSLIST' >>processes
	grep -q "$hosts_user" processes
	tr '\0' '\n' <"/proc/$process/cmdline" >>processes
	tr '\0' '\n' <"/proc/$process/environ" >>processes 2>/dev/null || true
	run ! grep -F "$hosts_password" processes
	kill "$process"
}

@test "words of slurmdbd.conf that are wrong are named with the file" {
	local word kept
	begin_log
	kept=$(<"$(host_conf a)")
	for word in PollInterval=often StoragePort=0x 'StorageHost=[::1' StorageHost=db:port \
		StorageParameters=SSL_CAT=/x ReplicaDir=here; do
		conf a "$word"
		refuses "${word%%=*}" on a sshare -a
		echo "$kept" >"$(host_conf a)"
	done
}

@test "the server has no TLS, and TLS is asked for: no password is sent" {
	begin_log
	conf a "StorageParameters=SSL_CA=/etc/ssl/certs/ca-certificates.crt"
	capture on a sacctmgr -iQ add user dee account=physics
	[[ $status == 1 && $stderr == *'127.0.0.1: '* && $stderr == *[ST][SL][LS]* ]]
}

@test "a replica is not changed but by its log" {
	begin_log
	export BURSAR_STORE
	BURSAR_STORE=$(replica a)
	[[ $(on a sshare -nP -u ann -o user | tail -1) == ann ]]
	refuses 'is a replica of a log: it is changed by way of slurmdbd.conf' \
		on a sacctmgr -iQ add user dee account=physics
}

@test "a store of its own is not taken for a replica" {
	BURSAR_STORE=$(replica a) sacctmgr -iQ add account chem >/dev/null
	refuses "$(replica a) is a store of its own, no replica" on a sshare -a
	refuses "$(replica a) is a store of its own, no replica" \
		on a sacctmgr -iQ add account physics
	[[ $(BURSAR_STORE=$(replica a) sacctmgr -nP show account chem format=account) == chem ]]
}

@test "libmariadb is not there, or is none" {
	mkdir "$BATS_TEST_TMPDIR/lib"
	echo 'no library' >"$BATS_TEST_TMPDIR/lib/libmariadb.so.3"
	LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/lib refuses \
		'needs libmariadb.so.3: install libmariadb3' on a sshare -a
}

@test "the replica's folder is not there, or may not be written" {
	begin_log
	conf b "ReplicaDir=$BATS_TEST_TMPDIR/nowhere"
	capture on b sshare -a
	[[ $status == 1 && $stderr == *"$BATS_TEST_TMPDIR/nowhere"* ]]
}
