#!/usr/bin/env bats
# Many programs of one host at once: who waits for its turn holds no connection, and what waits is
# recorded together. Debian's server takes 151 connections; here it takes fewer.

load lib

setup() {
	fresh_site a b
	populate
}

# burst COUNT: so many srecord at once on host a, each a job that ran on one processor for an hour;
# what was not acknowledged is in `failed`, what was told in `said`
burst() {
	local i
	export SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf
	for ((i = 1; i <= $1; i++)); do
		srecord job id=$i user=ann account=physics cpus=1 submit=2026-03-01T10:00:00 \
			start=2026-03-01T11:00:00 end=2026-03-01T12:00:00 2>>said 3>&- ||
			echo $i >>failed &
	done
	wait
}

most_connections() {
	sql_ask 1 "SHOW STATUS LIKE 'Max_used_connections'" | cut -f2
}

all_recorded() {
	same 'what was told' "$(cat said)" ''
	[[ ! -e failed ]]
	catch_up b
	same jobs "$(on b sacct -naXDP -S2026-01-01 -o jobid | sort -n | uniq -c |
		awk '$1 == 1' | wc -l)" "$1"
	same 'seconds of all jobs' "$(on b sreport -nP -t seconds cluster accountutilizationbyuser \
		start=2026-03-01 end=2026-03-02 users=ann accounts=physics format=used | tail -1)" \
		$((3600 * $1))
	same 'facts that wait' "$(ls "$(replica a)-spool" | grep -c '^[0-9]')" 0
	agree a b
}

@test "300 at once, where the server takes 10 connections" {
	sql_ask 1 'SET GLOBAL max_connections = 10; FLUSH STATUS'
	burst 300
	sql_ask 1 'SET GLOBAL max_connections = 120'
	all_recorded 300
	(($(most_connections) <= 4))
	(($(log_ask 'SELECT COUNT(*) FROM bursar_log') < 100))
}

# New jobs, which would be there twice if they were recorded twice.
named_job() {
	srecord job user=ann account=physics cpus=1 name="n$1" start=now-60 end=now \
		>>numbers 2>>said 3>&- && echo "n$1" >>acknowledged
}

@test "some of those at once are killed: each that was acknowledged is there, none is twice" {
	local i all=()
	export SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf
	RANDOM=7
	for ((i = 1; i <= 90; i++)); do
		named_job $i &
		all+=($!)
		((i % 3)) || pkill -9 -P "${all[RANDOM % i]}" || true
	done
	wait
	on a srecord spool deliver >/dev/null
	same 'facts that wait' "$(ls "$(replica a)-spool" | grep -c '^[0-9]')" 0
	catch_up b
	on b sacct -naXDP -S2026-01-01 -o jobname | sort >there
	same 'jobs that are there twice' "$(uniq -d there)" ''
	same 'what was acknowledged and is not there' "$(sort acknowledged | comm -23 - there)" ''
	same 'numbers given twice' "$(sort numbers | uniq -d)" ''
	echo "acknowledged: $(wc -l <acknowledged)"
	(($(wc -l <acknowledged) > 30))
	agree a b
}

# No change holds a connection while it waits for its turn; who reads waits for one.
@test "60 changes of sacctmgr and 60 readers at once, where the server takes 10 connections" {
	local i
	sql_ask 1 'SET GLOBAL max_connections = 10; FLUSH STATUS'
	export SLURM_CONF=$BATS_TEST_TMPDIR/etc/slurm.conf
	for ((i = 1; i <= 60; i++)); do
		sacctmgr -iQ add user u$i account=music >/dev/null 2>>said 3>&- ||
			echo $i >>failed &
		sshare -a >/dev/null 2>>read 3>&- || echo $i >>failed &
	done
	wait
	sql_ask 1 'SET GLOBAL max_connections = 120'
	same 'what was told' "$(cat said)" ''
	[[ ! -e failed ]]
	catch_up b
	same users "$(on b sacctmgr -nP show user format=user | grep -c '^u[0-9]')" 60
	agree a b
}

milliseconds() {
	local began=$(date +%s%N)
	"$@"
	took=$((($(date +%s%N) - began) / 1000000))
}

@test "1000 at once: within ten seconds, or half as long again as on a store of their own" {
	local floor took
	[[ ${LONG-} ]] || skip 'LONG=1: it takes a minute'
	alone sacctmgr -iQ add account physics >/dev/null
	alone sacctmgr -iQ add user ann account=physics >/dev/null
	alone milliseconds burst 1000
	floor=$took
	rm -f said failed # so many may wait too long for one file
	milliseconds burst 1000
	echo "$took ms, on a store of their own $floor ms, $(number) entries"
	all_recorded 1000
	((took < 10000 || took < floor * 3 / 2))
}
