#!/usr/bin/env bats
# sdiag: what the store and a pass know, in sdiag's words, as exporters read them.

load lib

setup() {
	fresh_cluster
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	export BURSAR_NOW=1790000000 BURSAR_STORE # Mon Sep 21 14:13:20 2026
	BURSAR_STORE=$(store)
	# ID SUBMIT START END STATE...: hours before now.
	add() {
		local at=()
		[[ $3 == - ]] || at+=("start=@$((BURSAR_NOW - $3 * 3600))" nodelist=vm)
		[[ $4 == - ]] || at+=("end=@$((BURSAR_NOW - $4 * 3600))" "state=$5")
		srecord job id=$1 user=ann cpus=1 mem=10 timelimit=1-0 \
			submit=@$((BURSAR_NOW - $2 * 3600)) "${at[@]}" "${@:6}" >/dev/null
	}
}

@test "counts since midnight of Greenwich, whatever the zone" {
	add 1 20 19 15 COMPLETED # all of it yesterday
	add 2 20 13 12 FAILED flags=SchedBackfill
	add 3 9 8 7 CANCELLED
	add 4 9 8 7 NODE_FAIL
	add 5 9 8 7 TIMEOUT
	add 6 5 4 -
	add 7 4 - - '' array=1-5 array_job=7
	srecord job user=ann cpus=64 timelimit=60 >/dev/null # waits for 6
	same zone "$(TZ=America/New_York sdiag | sed -n 2p)" \
		'sdiag output at Mon Sep 21 10:13:20 2026 (1790000000)'
	capture sdiag
	same text "$(sed -E 's/(Last cycle: +)[0-9]+/\1T/' <<<"$stdout")" "\
*******************************************************
sdiag output at Mon Sep 21 14:13:20 2026 (1790000000)
Data since      Mon Sep 21 00:00:00 2026 (1789948800)
*******************************************************

Jobs submitted: 10
Jobs started:   5
Jobs completed: 2
Jobs canceled:  1
Jobs failed:    1

Job states ts:  Mon Sep 21 14:13:20 2026 (1790000000)
Jobs pending:   6
Jobs running:   1

Main schedule statistics (microseconds):
	Last cycle:   T
	Last queue length: 2

Backfilling stats
	Total backfilled jobs (since last stats cycle start): 1
	Last cycle when: Mon Sep 21 14:13:20 2026 (1790000000)
	Last cycle: T
	Last depth cycle: 2
	Last depth cycle (try sched): 2
	Last queue length: 2
	Last table size: 3

Backfill exit
	End of job queue: 1"
}

# prometheus-slurm-exporter takes each line at the colon and reads a number; rivosinc's and
# slurm-exporter the document.
@test "exporters: lines and the document" {
	add 1 5 4 -
	same lines "$(sdiag | grep -cE '^	?[A-Z][^:]*: +[0-9]+$')" 16
	prints '[1,0,1,[]]' bash -c "sdiag --json | jq -c '.statistics |
		[.jobs_started, .jobs_pending, .jobs_running, .rpcs_by_message_type]'"
	same absent "$(sdiag --json | jq '.statistics | has("server_thread_count")')" false
	prints 1 bash -c 'sdiag --yaml | grep -c jobs_failed'
	prints 1 bash -c 'bursar sdiag -aitT --no-trunc -M canis | grep -c ^Data'
}

@test "what it refuses" {
	refuses 'no controller here' sdiag --reset
	refuses 'no controller here' sdiag -r
	refuses 'only cluster canis' sdiag -M lupus
	refuses 'Too many arguments: x' sdiag x
}
