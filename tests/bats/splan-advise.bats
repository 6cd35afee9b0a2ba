#!/usr/bin/env bats
# splan --when: when a job would start, and what would bring it earlier. splan --advise: parameters
# and time limits from the history. The arithmetic itself is in tests/unit/advise.c.

load lib

page=$BATS_TEST_DIRNAME/../../man/splan.1

# The clock stands: two programs see the same second.
site() {
	fresh_cluster PriorityWeightTRES=CPU=0 PriorityWeightJobSize=0 PriorityWeightAge=0 \
		'NodeName=n[1-4] CPUs=32 RealMemory=64000' \
		'PartitionName=p Nodes=n[1-4] Default=YES MaxTime=2-0 DefaultTime=1:00:00' "$@"
	export BURSAR_STORE=$(store) BURSAR_NOW=1700000000
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

# Three of four nodes are in use, for 3, 3 and 10 hours; a job of all four waits.
busy() {
	site "$@"
	srecord job user=bob nodes=2 cpus=64 time=3:00:00 start=now nodelist='n[1-2]' >/dev/null
	srecord job user=bob cpus=32 time=10:00:00 start=now nodelist=n3 >/dev/null
	srecord job user=bob nodes=4 cpus=128 time=5:00:00 >/dev/null
}

# when WORDS [OPTION...]: the variants, a line each.
when() {
	local words=$1
	shift
	splan --when="$words" --ndjson "$@" | jq -r '[.change, .wait // "-", .gain // "-",
		.reason, .node_list // "-"] | join("|")'
}

# ---- when ----

@test "when: a job that fits starts at once, and nothing need be changed" {
	busy
	prints 'as asked|0|0|None|n4' when 'user=ann cpus=32 time=4:00:00'
	run splan --when='user=ann cpus=32 time=4:00:00'
	[[ $output == *"If submitted now, it starts at once on n4."* ]]
	[[ $output == *"4 nodes, 1 idle; 32 of 128 CPUs free; 1 waiting job is in front"* ]]
	[[ $output == *"Nothing need be changed"* ]]
}

@test "when: a shorter limit fits in front of a job of higher priority" {
	busy
	prints 'as asked|54040|0|Priority|n1
time=09:00:00|0|54040|None|n4
time=06:00:00|0|54040|None|n4
time=03:00:00|0|54040|None|n4
time=01:12:00|0|54040|None|n4
nodes=1 cpus=16|54040|0|Priority|n1
nodes=1 cpus=8|54040|0|Priority|n1' when 'user=ann cpus=32 time=12:00:00'
	# The longest limit that will do is searched for.
	run splan --when='user=ann cpus=32 time=12:00:00'
	[[ $output == *"Best change: time=09:59:00 or less instead of 12:00:00: it starts at once, \
15:00:40 earlier."* ]]
}

@test "when: fewer nodes start earlier where no limit does" {
	busy
	run splan --when='user=ann account=lab cpus=64 nodes=2 time=4:00:00'
	[[ $output == *"Job: 2 nodes, 64 CPUs, limit 04:00:00; user ann, account lab, partition p."* ]]
	[[ $output == *"expected to start at 2023-11-15T01:13:20, in 03:00:00, on n[1-2]."* ]]
	[[ $output == *"It waits for its turn: a job of higher priority comes first (Priority)."* ]]
	[[ $output == *"Best change: nodes=1 cpus=32 instead of nodes=2 cpus=64: it starts at once, \
03:00:00 earlier; it may run longer then, so mind the limit."* ]]
	[[ $output == *"These are estimates"* ]]
}

@test "when: a job that asks for too much is told what would do" {
	busy
	run splan --when='user=ann cpus=32 time=7-0'
	[[ $output == *"it gets no start that could be foreseen."* ]]
	[[ $output == *"(PartitionTimeLimit)"* ]]
	[[ $output == *"Best change: time=2-00:00:00 or less instead of 7-00:00:00: it \
starts at 2023-11-15T13:14:00."* ]]
	run splan --when='user=ann begin=now+1hour'
	[[ $output == *"Before its begin time, 2023-11-14T23:13:20, no start is planned"* ]]
}

@test "when: what lies behind the scheduler's window is looked for, and said" {
	busy SchedulerParameters=bf_window=60
	run splan --when='user=ann cpus=128 nodes=4 time=1:00:00'
	[[ $output == *"is expected to start at 2023-11-15T13:13:20"* ]]
	[[ $output == *"The scheduler does not look that far"* ]]
}

@test "when: memory and gres go with the nodes, the partition's limit counts" {
	busy
	prints 'as asked|54040|0|Priority|n[1-4]' \
		bash -c "$(declare -f when); when 'user=ann nodes=4 cpus=4 mem=256000' | head -1"
	when 'user=ann nodes=4 cpus=4 mem=256000' | grep -q '^nodes=1 cpus=1|0|54040|None|n4$'
	run splan --when='user=ann cpus=1'
	[[ $output == *"limit 01:00:00 (the partition's default)"* ]]
}

@test "when: a job that waits already, by its number" {
	busy
	run splan --when=id=3
	[[ $output == *"Job 3: 4 nodes, 128 CPUs, limit 05:00:00; user bob"* ]]
	[[ $output == *"It is expected to start at 2023-11-15T08:13:20"* ]]
	prints 'as asked|36000|0|Resources|n[1-4]' \
		bash -c "$(declare -f when); when 'id=3 time=2:00:00' | head -1"
}

@test "when: who asks is the user; nobody has to be allowed to change anything" {
	busy
	[ "$(as ann splan --when=cpus=1 --json | jq -r '.job | .user + " " + .account')" = "ann lab" ]
	[ "$(splan --when='job user=ann cpus=1' --json | jq -r .job.user)" = ann ]
	before=$(sha256sum <"$(store)")
	splan --when='user=ann cpus=64 time=3:00' >out
	[ "$(sha256sum <"$(store)")" = "$before" ]
	[ -z "$(ls "${TMPDIR:-/tmp}" | grep '^bursar\.' || true)" ]
	prints 3 bash -c 'squeue -h | wc -l'
}

@test "when: private jobs" {
	busy PrivateData=jobs
	refuses 'there is no job 3' as ann splan --when=id=3
	as bob splan --when=id=3 >out
}

@test "when: output for machines" {
	busy
	[[ $(splan --when='user=ann cpus=1' --csv) == \
		Change,TimeLimit,Nodes,CPUs,StartTime,Wait,Gain,Reason,NodeList* ]]
	splan --when='user=ann cpus=32 time=12:00:00' --json >out
	prints '{"change":"time=09:00:00","time":"09:59:00"}' jq -c '.advice | {change, time}' out
	[ "$(jq -r '.partition | [.nodes, .idle_nodes, .free_cpus, .jobs_before] | @csv' out)" = \
		4,1,32,1 ]
	[ "$(jq '.variants | length' out)" = 7 ]
}

@test "when: what cannot be is refused" {
	busy
	refuses "--when='user=eve': srecord: error: Invalid account" splan --when='user=eve'
	refuses "lunch" splan --when='lunch=1'
	refuses 'job 1 does not wait, it is RUNNING' splan --when=id=1
	refuses 'there is no job 99' splan --when=id=99
	refuses "'x' is not the number of a job" splan --when=id=x
	refuses 'start=, end= and state= have no place here' \
		splan --when='user=ann start=now nodelist=n4'
	refuses 'mutually exclusive' splan --when=cpus=1 --table
	refuses 'no --start, --record or --at' splan --when=cpus=1 --start
	refuses "'lunch' is no policy" splan --when=user=ann --policy=lunch
}
