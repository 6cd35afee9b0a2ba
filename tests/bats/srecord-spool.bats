#!/usr/bin/env bats
# What waits for a log that no server answers for (bursar-hosts(7)); with servers: tests/mariadb.

load lib

setup() {
	fresh_cluster
	unset BURSAR_STORE
	mkdir replica
	printf '%s\n' StorageType=accounting_storage/bursar-log StorageHost=127.0.0.1:1 \
		"ReplicaDir=$PWD/replica" >"$(dirname "$SLURM_CONF")/slurmdbd.conf"
	capture srecord job id=7 user=ann account=lab
	[[ $stderr != *libmariadb* ]] || skip 'built without MariaDB'
	spool=$PWD/replica/replica.db-spool
}

@test "a fact waits, is said to, and listed with who told it and when" {
	[[ $status == 0 && $stderr == "srecord: warning: not recorded yet, it waits in $spool"* ]]
	srecord job jobid=8 'comment=two words' start=now 2>/dev/null
	capture srecord spool
	[[ $(sed 1q <<<"$stdout") == 20??-??-??T*" waits $(id -un) job id=7 user=ann account=lab" ]]
	[[ $(sed 1d <<<"$stdout") == *' job jobid=8 comment=two words start=now' ]]
}

@test "only what is the command's is refused" {
	refuses '127.0.0.1:1' srecord job user=ann account=lab
	refuses "unknown fact 'jobs'" srecord jobs id=7
	refuses "unknown 'list'" srecord spool list
	refuses '127.0.0.1:1' srecord spool deliver
	refuses 'there is no replica at' srecord --offline job id=9 user=ann
	same 'facts that wait' "$(srecord spool | wc -l)" 1
}

@test "a file that was cut, of a program that was killed, is none" {
	cp "$spool"/0* "$spool/000000000001.000000000-1"
	truncate -s 12 "$spool/000000000001.000000000-1"
	same 'facts that wait' "$(srecord spool | wc -l)" 1
}

@test "there is a spool only beside a replica" {
	rm "$(dirname "$SLURM_CONF")/slurmdbd.conf"
	BURSAR_STORE=$PWD/alone.db refuses 'there is a spool only where several hosts share a log' \
		srecord spool
}
