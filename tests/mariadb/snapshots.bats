#!/usr/bin/env bats
# Snapshots of a log that grows long: soon enough that a new host has little more to take in, and
# nobody's change waits for one.

load lib

setup() {
	fresh_site a b c
	populate
}

snapshots() {
	log_ask 'SELECT COUNT(*) FROM bursar_snapshot'
}

written() {
	(($(snapshots) > 1))
}

@test "who makes the log too long does not wait for the snapshot" {
	local i
	conf_add SnapshotEntries=3
	proxy_before a
	rule silence 'INSERT INTO bursar_piece'
	for i in 1 2 3 4 5; do
		timeout 5 env SLURM_CONF="$BATS_TEST_TMPDIR/etc/slurm.conf" \
			sacctmgr -iQ add user "u$i" account=music
	done
	until_true followed
	same 'snapshots' "$(snapshots)" 1
	# One that was killed is written by another, ten minutes later.
	log_ask 'UPDATE bursar_head SET snapshotting = snapshotting - 601'
	on b sacctmgr -iQ add user last account=music
	until_true written
	has_user c last
	agree a b c
}

@test "of many that find it due one writes it, and ping does by itself" {
	conf_add SnapshotEntries=1000
	on a sacctmgr -iQ add user dee account=music
	conf_add SnapshotEntries=1
	log_ask 'UPDATE bursar_head SET snapshotting = UNIX_TIMESTAMP() - 5'
	on a sacctmgr ping >/dev/null
	same 'snapshots while another writes one' "$(snapshots)" 1
	log_ask 'UPDATE bursar_head SET snapshotting = 0'
	on a sacctmgr ping >/dev/null
	same 'snapshots' "$(snapshots)" 2
	on b sacctmgr ping >/dev/null
	same 'snapshots when nothing is new' "$(snapshots)" 2
	same 'number of the snapshot' "$(log_ask 'SELECT snapshot FROM bursar_head')" "$(number)"
}

lines() {
	echo 'JobID|User|Account|Cluster|Partition|State|Submit|Start|End|AllocCPUS|'\
'ExitCode|JobName'
	seq 1 "$1" | awk '{ print $1 "|ann|physics|canis|debug|COMPLETED|2026-03-01T10:00:00|" \
		"2026-03-01T11:00:00|2026-03-01T12:00:00|4|0:0|" sin($1) cos($1) }'
}

# What a new host has to take in keeps it half a second at the most.
little_behind() {
	on a sacctmgr -Q ping >/dev/null && written && (($(log_ask \
		'SELECT bytes * 2 + (number - snapshot) * 500 FROM bursar_head') <= 500000))
}

@test "the log is compared with the snapshot as both are kept, packed" {
	lines 30000 >jobs.txt
	on a srecord import jobs.txt 2>/dev/null
	until_true little_behind
	same 'bytes of the snapshot' "$(log_ask 'SELECT snapshot_size FROM bursar_head')" \
		"$(log_ask 'SELECT SUM(LENGTH(p.data)) FROM bursar_piece p JOIN bursar_snapshot s
			ON s.token = p.owner WHERE s.number = (SELECT snapshot FROM bursar_head)')"
	(($(log_ask 'SELECT snapshot_size * 3 < size FROM bursar_head JOIN bursar_snapshot s
		ON s.number = snapshot') == 1))
	capture on c sshare -a
	same 'said' "$stderr" ''
	agree a c
}

@test "an import elsewhere does not keep who reads: he is told how far it is" {
	local said=0 i
	on b sshare -a >/dev/null
	conf_add SnapshotEntries=1000000
	# Somebody is writing a snapshot: nobody else does.
	log_ask 'UPDATE bursar_head SET snapshotting = UNIX_TIMESTAMP() + 1000'
	lines 60000 >jobs.txt
	on a srecord import jobs.txt 2>/dev/null
	(($(log_ask "SELECT COUNT(*) FROM bursar_log WHERE size > 10000") >= 30))
	capture on b sacct -aXn -S2026-01-01
	same status "$status" 0
	[[ $stderr =~ 'from the replica as of 20'.*', because '[0-9]+' changes of others are' ]]
	same 'lines that are said' "$(wc -l <<<"$stderr")" 1
	(($(wc -l <<<"$stdout") < 60000))
	# Documents tell it, too; a change takes in all.
	on b squeue --json 2>/dev/null | jq -r .meta.replica | grep -q 'still to be taken in'
	on b sacctmgr -iQ add user dee account=music >/dev/null
	same 'said after it' "$(on b sshare -a 2>&1 >/dev/null)" ''
	agree a b
}
