#!/usr/bin/env bats
# `sacctmgr rebuild usage`: usage anew from the job records and the log (beyond Slurm).

load lib

setup() {
	fresh_cluster 'PriorityDecayHalfLife=0' 'PriorityUsageResetPeriod=NONE'
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	sacctmgr -iQ add qos fast >/dev/null
	sacctmgr -iQ modify user ann,bob set qos+=fast >/dev/null
}

sql() {
	sqlite3 "$(store)" "$1"
}

# ran USER CPUS WORD...: a job of an hour
ran() {
	srecord job user="$1" account=lab mem=100 cpus="$2" submit=2026-01-01T00:00:00 \
		start=2026-01-01T01:00:00 end=2026-01-01T02:00:00 state=COMPLETED \
		"${@:3}" >/dev/null
}

usage() {
	sshare -ahP -A lab -o user,rawusage,grptresraw | cut -d, -f1,2
}

# All that is kept of it.
amounts() {
	sql 'SELECT owner, life, begin, at, hex(sums) FROM usage_sum ORDER BY 1, 2, 4;
		SELECT owner, life, begin, at, still, raw FROM usage ORDER BY 1'
}

@test "rebuild: what was kept is what comes out" {
	ran ann 2
	ran bob 3 qos=fast
	sacctmgr -i modify user bob where account=lab set RawUsage=500 >/dev/null
	sacctmgr -i modify qos fast set RawUsage=70 >/dev/null
	ran bob 1
	prints '  Nothing modified' sacctmgr -i rebuild usage
}

@test "rebuild: scrambled amounts are named, asked for, and mended" {
	ran ann 2
	ran bob 3 qos=fast
	before=$(usage)
	kept=$(amounts)
	sql "UPDATE usage SET raw = 5 WHERE owner > 0 AND raw = 7200;
		DELETE FROM usage_sum
			WHERE owner = (SELECT key FROM assoc WHERE user = 'bob');
		DELETE FROM usage WHERE owner < 0 AND raw = 10800"
	wrong=$(amounts)
	said=' Rebuilt usage (seconds)...
  C = canis      A = lab        U = ann        RawUsage: 5 -> 7200
  C = canis      A = lab        U = bob        wall: 0 -> 3600
  C = canis      A = lab        U = bob        cpu: 0 -> 10800
  C = canis      A = lab        U = bob        mem: 0 -> 360000
  C = canis      A = lab        U = bob        node: 0 -> 3600
  C = canis      A = lab        U = bob        billing: 0 -> 10800
  C = canis      Q = fast                      wall: 0 -> 3600
  C = canis      Q = fast                      RawUsage: 0 -> 10800
  C = canis      Q = fast                      cpu: 0 -> 10800
  C = canis      Q = fast                      mem: 0 -> 360000
  C = canis      Q = fast                      node: 0 -> 3600
  C = canis      Q = fast                      billing: 0 -> 10800'
	run -1 sacctmgr rebuild usage <<<n
	[[ $output == "$said"$'\nWould you like to commit changes?'*' Changes Discarded' ]]
	same amounts "$(amounts)" "$wrong"
	prints "$said" sacctmgr -i rebuild usage where cluster=canis
	same usage "$(usage)" "$before"
	same amounts "$(amounts)" "$kept"
	prints '  Nothing modified' sacctmgr -i reb us
	same log "$(sacctmgr -nP show txn format=action,where,info | tail -n 1)" \
		'Modify Associations|usage|rebuilt from the job records'
}

@test "rebuild: an answer that comes too late changes nothing" {
	ran ann 2
	sql 'UPDATE usage SET raw = 5'
	mkfifo answer
	sacctmgr rebuild usage <answer >out 2>err &
	asked=$!
	exec 7>answer
	until grep -q 'N/y' out; do kill -0 "$asked"; sleep 0.05; done
	srecord job user=bob account=lab mem=0 submit=2026-01-01T00:00:00 \
		start=2026-01-01T01:00:00 end=2026-01-01T02:00:00 state=COMPLETED >/dev/null
	sql 'UPDATE usage SET raw = 6 WHERE raw = 5'
	echo y >&7
	exec 7>&-
	status=0
	wait "$asked" || status=$?
	same status "$status" 1
	[[ $(<err) == *'somebody else changed the store'* ]]
	same amounts "$(sql 'SELECT count(*) FROM usage WHERE raw = 6')" 1
}

@test "rebuild: what purged jobs have used stays" {
	ran ann 2
	before=$(usage)
	mkdir old
	sacctmgr -iQ archive dump jobs purgejobafter=1days directory=old >/dev/null 2>&1
	same jobs "$(sql 'SELECT count(*) FROM job')" 0
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sql 'DELETE FROM usage; DELETE FROM usage_sum'
	sacctmgr -i rebuild usage >/dev/null
	same usage "$(usage)" "$before"
	sacctmgr -iQ archive load old/*.jsonl >/dev/null 2>&1
	same jobs "$(sql 'SELECT count(*) FROM job')" 1
	prints '  Nothing modified' sacctmgr -i rebuild usage
	same usage "$(usage)" "$before"
}

@test "rebuild: flags of a QOS rule from when they are set" {
	sacctmgr -iQ add qos keep flags=NoDecay >/dev/null
	sacctmgr -iQ modify user ann set qos+=keep >/dev/null
	ran ann 2 qos=keep
	ran ann 3 qos=fast
	sacctmgr -iQ modify qos fast set flags=NoDecay >/dev/null
	sacctmgr -iQ modify qos keep set flags-=NoDecay >/dev/null
	prints '  Nothing modified' sacctmgr -i rebuild usage
}

@test "rebuild: bad words, and who may not" {
	refuses 'No valid entity in rebuild command' sacctmgr -i rebuild
	refuses 'No valid entity in rebuild command' sacctmgr -i rebuild users
	refuses ' Unknown condition: user=ann' sacctmgr -i rebuild usage user=ann
	refuses ' Unknown condition: cluster+=canis' sacctmgr -i rebuild usage cluster+=canis
	refuses 'Failed to find cluster nosuch' sacctmgr -i rebuild usage cluster=nosuch
	refuses "Can't run this command in readonly mode." sacctmgr -r rebuild usage
	refuses "doesn't have privilege" as bob sacctmgr -i rebuild usage
	sacctmgr -iQ modify user bob set adminlevel=operator >/dev/null
	refuses "doesn't have privilege" as bob sacctmgr -i rebuild usage
}

@test "rebuild: its words are completed, Slurm's are as short as they were" {
	prints $'rollups\nusage' sacctmgr --complete rebuild ''
	prints cluster= sacctmgr --complete rebuild usage ''
	prints cluster=canis sacctmgr --complete rebuild usage cluster=
	refuses 'invalid keyword: re' sacctmgr re
	capture sacctmgr -i reco
	same status "$status" 0
}

@test "rebuild: a user who was removed and came back" {
	ran ann 1
	ran bob 2
	sacctmgr -iQ delete user bob >/dev/null
	ran ann 3 nice=1
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -iQ add user bob account=lab >/dev/null
	ran bob 4
	same usage "$(sshare -ahP -u bob -o user,rawusage | tail -n 1)" 'bob|14400'
	prints '  Nothing modified' sacctmgr -i rebuild usage
}
