#!/usr/bin/env bats
# sreport --openmetrics: numbers for a monitoring system.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ add account lab grptres=cpu=20 >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	sacctmgr -iQ modify qos normal set grpjobs=7 >/dev/null
	srecord job id=1 user=ann cpus=40 submit=now-2hours start=now-1hour timelimit=120 \
		nodelist=vm >/dev/null
	srecord job id=2 user=bob cpus=30 timelimit=10 >/dev/null
	srecord job id=3 user=ann cpus=1 array=1-4 timelimit=10 hold=user >/dev/null
}

# value NAME LABEL...: of the sample with these labels among its own.
value() {
	local name=$1 lines
	lines=$(sreport --openmetrics | grep "^$name[{ ]")
	shift
	for label; do
		lines=$(grep -F "$label" <<<"$lines")
	done
	sed 's/.* //' <<<"$lines"
}

@test "fair-share, queue, limits, planned waits" {
	same fairshare "$(value bursar_fairshare 'user="ann"')" \
		"$(sshare --ndjson -u ann -o user,fairshare |
			jq 'select(.user == "ann").fairshare * 1e15 | round / 1e15')"
	same running 1 "$(value bursar_queue_jobs 'state="running"' 'partition="debug"')"
	same tasks 5 "$(value bursar_queue_jobs 'state="pending"' 'partition="debug"')"
	same cpus 34 "$(value bursar_queue_cpus 'state="pending"' 'partition="debug"')"
	same limit 20 "$(value bursar_limit 'account="lab"' 'limit="GrpTRES"' 'tres="cpu"')"
	same used 40 "$(value bursar_limit_used 'account="lab"' 'limit="GrpTRES"' 'tres="cpu"')"
	same qos 7 "$(value bursar_limit 'qos="normal"')"
	same jobs 1 "$(value bursar_limit_used 'qos="normal"')"
	same limit 1 "$(value bursar_waiting_jobs 'reason="AssocGrpCpuLimit"')"
	same held 4 "$(value bursar_waiting_jobs 'reason="JobHeldUser"')"
	sacctmgr -iQ modify account lab set grptres=cpu=-1 >/dev/null
	same waits 1 "$(value bursar_planned_wait_seconds_count 'partition="debug"')"
	wait=$(value bursar_planned_wait_seconds 'quantile="0.5"')
	((wait > 3500 && wait <= 3660)) || same wait "$wait" 'an hour'
	same bytes "$(stat -c %s "$BATS_TEST_TMPDIR/store/acct.db")" "$(value bursar_store_bytes)"
	same end "$(sreport --openmetrics | tail -1)" '# EOF'
}

@test "a name with a backslash, PrivateData" {
	sacctmgr -iQ add account 'a\b' >/dev/null
	same escaped "$(value bursar_shares_normalized 'account="a\\b"')" 0.333333333333333
	ask "UPDATE assoc SET lineage = lineage || 'p\"q/' WHERE user = 'ann'"
	same escaped "$(value bursar_shares_normalized 'partition="p\"q"')" 0.5
	same 'of accounts no factor' "$(sreport --openmetrics |
		grep '^bursar_fairshare{' | grep -vc 'user=')" 0
	ask "UPDATE assoc SET lineage = replace(lineage, 'p\"q/', '')"
	echo PrivateData=usage,jobs >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	as bob sreport --openmetrics >mine
	same others "$(grep -c 'user="ann"' mine)" 0
	same own "$(grep -c '^bursar_fairshare.*user="bob"' mine)" 1
	same running "$(grep '^bursar_queue_jobs.*running' mine | grep debug | sed 's/.* //')" 0
}

@test "the manual names every family; promtool finds nothing amiss" {
	sreport --openmetrics >all
	same families "$(sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' all | sort)" \
		"$(sed -n 's/^\.It Li \(bursar_[a-z_]*\)$/\1/p' \
			"$BATS_TEST_DIRNAME/../../man/sreport.1" | sort)"
	command -v promtool >/dev/null || skip 'promtool (prometheus) is not installed'
	prints '' promtool check metrics <all
	promtool check metrics <all
}

@test "an idle cluster has fair-share too" {
	for job in 1 2 3; do
		srecord job id=$job state=cancelled end=now >/dev/null
	done
	same jobs '' "$(squeue -h -o %i)"
	same fairshare "$(value bursar_fairshare 'user="ann"')" \
		"$(sshare --ndjson -u ann -o user,fairshare |
			jq 'select(.user == "ann").fairshare * 1e15 | round / 1e15')"
}
