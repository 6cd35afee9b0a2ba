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

# starts WORDS: when such a job starts as asked for; 0: nobody knows.
starts() {
	splan --when="$1" --ndjson | jq -r 'select(.change == "as asked") | .start_time // 0'
}

# check_changes WORDS: each change that would help such a job is typed: it starts when that said.
check_changes() {
	local change start as_asked=$(starts "$1")
	cp "$(store)" kept
	splan --when="$1" --ndjson | jq -r 'select(.change != "as asked") |
		[.change, .start_time] | @tsv' >changes
	while IFS=$'\t' read -r change start; do
		echo "$1 $change" >>typed
		((!as_asked || start < as_asked))
		if [[ $change == modify* ]]; then
			sacctmgr -iQ $change >/dev/null
			change=
		fi
		same "$1 $change" "$(starts "$1 $change")" $start
		cp kept "$(store)"
	done <changes
}

# ---- when ----

@test "when: a job that fits starts at once, and nothing need be changed" {
	busy
	prints 'as asked|0|0|None|n4' when 'user=ann cpus=32 time=4:00:00'
	run -0 splan --when='user=ann cpus=32 time=4:00:00'
	[[ $output == *"If submitted now, it starts at once on n4."* ]]
	[[ $output == *"4 nodes, 1 idle; 32 of 128 CPUs free; 1 waiting job is in front"* ]]
	[[ $output == *"Nothing need be changed"* ]]
}

@test "when: a shorter limit fits in front of a job of higher priority" {
	busy
	# The longest limit that will do is searched for; fewer CPUs bring nothing.
	prints 'as asked|54040|0|Priority|n1
time=09:59:00|0|54040|None|n4' when 'user=ann cpus=32 time=12:00:00'
	run splan --when='user=ann cpus=32 time=12:00:00'
	[[ $output == *"Best change: time=09:59:00 or less instead of time=12:00:00: it starts at \
once, 15:00:40 earlier."* ]]
}

@test "when: fewer nodes start earlier where no limit does" {
	busy
	run splan --when='user=ann account=lab cpus=64 nodes=2 time=4:00:00'
	[[ $output == *"Job: 2 nodes, 64 CPUs, limit 04:00:00; user ann, account lab, \
partition p."* ]]
	[[ $output == *"expected to start at 2023-11-15T01:13:20, in 03:00:00, on n[1-2]."* ]]
	[[ $output == *"It waits for its turn: a job of higher priority comes first (Priority)."* ]]
	[[ $output == *"Best change: nodes=1 cpus=32 instead of nodes=2 cpus=64: it starts \
at once, 03:00:00 earlier; it may run longer then, so mind the limit."* ]]
	[[ $output == *"These are estimates"* ]]
}

@test "when: a job that asks for too much is told what would do" {
	busy
	run splan --when='user=ann cpus=32 time=7-0'
	[[ $output == *"it starts never, without a change: it asks for more time than its \
partition allows."* ]]
	[[ $output == *"(PartitionTimeLimit)"* ]]
	[[ $output == *"Best change: time=2-00:00:00 or less instead of time=7-00:00:00: it \
starts at 2023-11-15T13:14:00."* ]]
	run -0 splan --when='user=ann begin=now+1hour'
	[[ $output == *"Before its begin time, 2023-11-14T23:13:20, no start is planned"* ]]
}

@test "when: what lies behind the scheduler's window is looked for, and said" {
	busy SchedulerParameters=bf_window=60
	run -0 splan --when='user=ann cpus=128 nodes=4 time=1:00:00'
	[[ $output == *"is expected to start at 2023-11-15T13:13:20"* ]]
	[[ $output == *"The scheduler keeps no nodes for it yet"* ]]
	# Nor does it look at more than one job: the reason is its own, the start an estimate.
	sed -i s/bf_window=60/bf_max_job_test=1/ "$SLURM_CONF"
	when 'user=ann cpus=128 nodes=4' | grep -qx 'nodes=1 cpus=32|0|54000|Priority|n4'
	run -0 splan --when='user=ann cpus=128 nodes=4'
	[[ $output == *"15:00:00 earlier; the scheduler keeps no nodes for it yet, either."* ]]
}

@test "when: memory and gres go with the nodes, the partition's limit counts" {
	busy
	prints 'as asked|54040|0|Priority|n[1-4]' \
		bash -c "$(declare -f when); when 'user=ann nodes=4 cpus=4 mem=256000' | head -1"
	when 'user=ann nodes=4 cpus=4 mem=256000' |
		grep -q '^nodes=1 cpus=1 mem=64000M|0|54040|None|n4$'
	run -0 splan --when='user=ann cpus=1'
	[[ $output == *"limit 01:00:00 (the partition's default)"* ]]
}

@test "when: a job that waits already, by its number" {
	busy
	run -0 splan --when=id=3
	[[ $output == *"Job 3: 4 nodes, 128 CPUs, limit 05:00:00; user bob"* ]]
	[[ $output == *"It is expected to start at 2023-11-15T08:13:20"* ]]
	prints 'as asked|36000|0|Resources|n[1-4]' \
		bash -c "$(declare -f when); when 'id=3 time=2:00:00' | head -1"
}

@test "when: who asks is the user; nobody has to be allowed to change anything" {
	busy
	[ "$(as ann splan --when=cpus=1 --json | jq -r '.job | .user + "/" + .account')" = \
		ann/lab ]
	[ "$(splan --when='job user=ann cpus=1' --json | jq -r .job.user)" = ann ]
	before=$(sha256sum <"$(store)")
	mkdir tmp
	TMPDIR=$PWD/tmp splan --when='user=ann cpus=64 time=3:00' >out
	[ "$(sha256sum <"$(store)")" = "$before" ]
	[ -z "$(ls -A tmp)" ]
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
		change,time_limit,nodes,cpus,start_time,wait,gain,reason,node_list* ]]
	splan --when='user=ann cpus=32 time=12:00:00' --json >out
	prints '{"change":"time=09:59:00","time":"09:59:00"}' jq -c '.advice | {change, time}' out
	[ "$(jq -r '.partition | [.nodes, .idle_nodes, .free_cpus, .jobs_before] | @csv' out)" = \
		4,1,32,1 ]
	[ "$(jq '.variants | length' out)" = 2 ]
}

@test "when: what cannot be is refused" {
	busy
	refuses "--when='user=eve': Invalid account" splan --when='user=eve'
	refuses "lunch" splan --when='lunch=1'
	refuses 'job 1 is not waiting: it is RUNNING' splan --when=id=1
	refuses 'there is no job 99' splan --when=id=99
	refuses "'x' is not the number of a job" splan --when=id=x
	refuses 'start=, end= and state= are for jobs' \
		splan --when='user=ann start=now nodelist=n4'
	refuses 'mutually exclusive' splan --when=cpus=1 --table
	refuses 'no --start, --record or --at' splan --when=cpus=1 --start
	refuses "'lunch' is not a policy" splan --when=user=ann --policy=lunch
	sed -i '/^PartitionName/d' "$SLURM_CONF"
	refuses 'has no PartitionName line: nothing can be planned' splan --when=user=ann
}

@test "when: what waits for no nodes" {
	busy
	run -0 splan --when='user=ann hold=1 cpus=4'
	[[ $output == *"limit 01:00:00 (the partition's default)"*"(JobHeldUser)"* ]]
	[[ $output == *"Another limit or size would not change that."* ]]
	sacctmgr -iQ modify account lab set grptres=cpu=96 >/dev/null
	run -0 splan --when='user=ann cpus=32'
	[[ $output == *"(AssocGrpCpuLimit)"*"Best change: modify account lab set GrpTRES=cpu=128 \
instead of GrpTRES=cpu=96: it starts at once; an administrator can do that."* ]]
}

@test "when: a job that pushes others aside starts at once" {
	busy PreemptType=preempt/qos PreemptMode=CANCEL
	sacctmgr -iQ add qos urgent set preempt=normal >/dev/null
	sacctmgr -iQ modify user ann set qos+=urgent >/dev/null
	run -0 splan --when='user=ann qos=urgent cpus=128 nodes=4'
	[[ $output == *"If submitted now, it starts at once on n[1-4]."* ]]
}

# The example of the manual's first page: whole nodes' memory for one CPU.
@test "when: less memory starts at once where a whole node's has to be waited for" {
	site SelectTypeParameters=CR_Core_Memory 'NodeName=g[1-2] CPUs=32 RealMemory=512000' \
		'PartitionName=gpu Nodes=g[1-2]'
	srecord job user=bob partition=gpu mem=100G time=720 start=now nodelist=g1 >/dev/null
	srecord job user=bob partition=gpu mem=300G time=780 start=now nodelist=g2 >/dev/null
	srecord job user=bob nodes=4 cpus=128 time=240 start=now nodelist='n[1-4]' >/dev/null
	prints 'as asked|43200|0|Resources|g1
mem=400G|0|43200|None|g1
partition=p|14400|28800|Resources|n1' when 'user=ann cpus=1 time=0:20:00 partition=gpu'
	run -0 splan --when='user=ann cpus=1 time=0:20:00 partition=gpu'
	[[ $output == *"Best change: mem=400G or less instead of mem=500G: it starts at once"* ]]
	# As it was asked for.
	[[ $(when 'user=ann cpus=2 mem_per_cpu=250G partition=gpu') == \
		*$'\n'mem_per_cpu=200G'|0|'* ]]
	[[ $(when 'user=ann mem_per_node=500G partition=gpu') == *$'\n'mem_per_node=400G'|0|'* ]]
}

@test "when: fewer GPUs, or whole tasks, as they were asked for" {
	site GresTypes=gpu,shard AccountingStorageTRES=gres/gpu SelectTypeParameters=CR_Core \
		'NodeName=g1 CPUs=32 RealMemory=64000 Gres=gpu:4,shard:8' \
		'PartitionName=closed Nodes=g1 State=DOWN' 'PartitionName=gpu Nodes=g1'
	srecord job user=bob partition=gpu gpus=1 time=3:00:00 start=now nodelist=g1 >/dev/null
	[[ $(when 'user=ann gpus=4 partition=gpu') == *$'\n'gpus=3'|0|10800|None|g1'* ]]
	[[ $(when 'user=ann gres=gpu:4 partition=gpu') == *$'\n'gres=gpu:3'|0|10800|None|g1'* ]]
	[[ $(when 'user=ann gres=shard:1,gpu:4 partition=gpu') == \
		*$'\n'gres=shard:1,gpu:3'|0|10800|None|g1'* ]]
	[[ $(when 'user=ann tasks=2 gpus_per_task=2 partition=gpu') == \
		*$'\n'gpus_per_task=1'|0|10800|None|g1'* ]]
	# One CPU of 32 is in use.
	[[ $(when 'user=ann tasks=16 cpus_per_task=2 partition=gpu') == \
		*$'\n'cpus=30\ tasks=15'|0|10800|None|g1'* ]]
	refuses 'those of partition gpu have: partition=gpu' splan --when='user=ann gpus=4'
	refuses 'those of partition gpu have: partition=gpu' srecord job user=ann gpus=4
	refuses 'NodeName of slurm.conf says what they have' srecord job user=ann gpus=5
	# Not the partition that it asks for, nor one that has too few such nodes.
	refuses 'partition gpu have what it asks for together (NodeName of slurm.conf says' \
		srecord job user=ann partition=gpu gpus=5
	refuses 'NodeName of slurm.conf says' srecord job user=ann partition=p nodes=2 gres=gpu:2
}

@test "when: another QOS or account of the user, and partitions that take him" {
	busy AccountingStorageEnforce=associations,limits,qos \
		'PartitionName=closed Nodes=n[1-4] State=DOWN' \
		'PartitionName=theirs Nodes=n[1-4] AllowAccounts=other PriorityTier=9' \
		'PartitionName=root Nodes=n[1-4] RootOnly=YES PriorityTier=9' \
		'PartitionName=first Nodes=n[1-4] MaxTime=2-0 PriorityTier=9'
	sacctmgr -iQ add qos urgent,secret >/dev/null
	sacctmgr -iQ add account other,strange >/dev/null
	sacctmgr -iQ add user ann account=other >/dev/null
	sacctmgr -iQ modify user ann set qos+=urgent >/dev/null
	sacctmgr -iQ modify user ann where account=lab set grptres=cpu=16 >/dev/null
	sacctmgr -iQ modify qos urgent set grptres=cpu=64 flags=OverPartQOS >/dev/null
	prints 'as asked|-|-|AssocGrpCpuLimit|
cpus=16|0|-|None|n4
qos=urgent|0|-|None|n4
account=other|0|-|None|n4
modify user ann where account=lab set GrpTRES=cpu=32|0|-|None|n4' \
		when 'user=ann account=lab cpus=32 time=4:00:00'
	check_changes 'user=ann account=lab cpus=32 time=4:00:00'
	sacctmgr -iQ modify user ann where account=lab set grptres=cpu=-1 >/dev/null
	[[ $(when 'user=ann account=lab cpus=32 time=12:00:00') == \
		*$'\n'partition=first'|0|'* ]]
	[[ $(when 'user=ann account=lab cpus=32 time=12:00:00') != *partition=[tr]* ]]
	# A job that waits can be told so, too.
	id=$(srecord job user=ann account=lab cpus=32 time=12:00:00)
	when "id=$id" >waiting
	grep -q '^partition=first|0|' waiting
	run ! grep 'partition=[tr]' waiting
}

# A queue at random: two partitions, three accounts with limits, GPUs, memory.
random_queue() {
	site SelectTypeParameters=CR_Core_Memory GresTypes=gpu AccountingStorageTRES=gres/gpu \
		AccountingStorageEnforce=associations,limits,qos \
		'NodeName=g[1-3] CPUs=16 RealMemory=128000 Gres=gpu:4' \
		'PartitionName=gpu Nodes=g[1-3] MaxTime=2-0 DefMemPerCPU=1000'
	RANDOM=$1
	sacctmgr -iQ add account a,b grptres=cpu=$((36 + RANDOM % 20)) >/dev/null
	sacctmgr -iQ add user ann,bob account=a,b >/dev/null
	sacctmgr -iQ add qos fast grptres=cpu=32 >/dev/null
	sacctmgr -iQ modify user ann,bob set qos+=fast >/dev/null
	local users=(ann bob) accounts=(lab a b) k
	for k in 1 2 3 4; do
		srecord job user=bob account=${accounts[RANDOM % 3]} cpus=$((RANDOM % 24 + 1)) \
			mem=$((RANDOM % 60))G time=$((RANDOM % 900 + 60)) start=now nodelist=n$k
		srecord job user=bob account=lab partition=gpu cpus=$((RANDOM % 8 + 1)) \
			gpus=$((RANDOM % 4 + 1)) time=$((RANDOM % 900 + 60)) start=now \
			nodelist=g$((k % 3 + 1))
	done >/dev/null
	for k in 1 2 3 4 5; do
		srecord job user=${users[RANDOM % 2]} account=${accounts[RANDOM % 3]} \
			cpus=$((RANDOM % 30 + 2)) nodes=$((RANDOM % 2 + 1)) \
			mem=$((RANDOM % 60 + 2))G time=$((RANDOM % 900 + 60))
	done >/dev/null
}

check_queue() {
	local words
	random_queue $1
	for words in 'user=ann account=a cpus=32 nodes=2 mem=40G time=10:00:00' \
		'user=ann account=b cpus=4 gpus=4 partition=gpu time=20:00:00' \
		id=$((9 + $1 % 5)); do
		check_changes "$words"
	done
}

@test "when: each change that is told, typed, does what it says, in queues at random" {
	check_queue 4
	[ -s typed ]
}

@test "when: and so in another queue" {
	check_queue 5
	[ -s typed ]
}

@test "when: on a terminal the table fits its line; elsewhere it has all columns" {
	on_80() { # the table, on a terminal of 80 columns
		LD_PRELOAD='' SHELL=/bin/bash script -qec "stty cols 80; $1" /dev/null </dev/null |
			tr -d '\r' | sed -n '/^Change/,/^$/p'
	}
	busy
	on_80 "splan --when='user=ann cpus=32 time=12:00:00'" >table
	[ "$(grep -c . table)" -ge 4 ]
	[ "$(wc -L <table)" -le 80 ]
	grep -q 'StartTime *Wait.*NodeList' table
	sacctmgr -iQ modify account lab set grptresrunmins=cpu=12000 >/dev/null
	on_80 "splan --when='user=ann cpus=32 time=12:00:00'" >table
	grep -q 'modify account lab set GrpTRESRunMins=cpu=[0-9]* ' table
	[ "$(wc -L <table)" -le 80 ]
	splan --when='user=ann cpus=32' | grep -q 'Change .* Gain Reason .* NodeList'
}

@test "--start says when nothing starts, below the table for people" {
	busy
	splan --start >out
	same last "$(tail -n 1 out)" 'Nothing starts now.'
	grep -q Resources out
	for form in --json -n -P --csv; do
		splan --start $form >out
		run ! grep Nothing out
	done
	splan >out
	run ! grep Nothing out
	srecord job user=ann cpus=1 >/dev/null
	splan --start >out
	run ! grep Nothing out
	grep -q ' start ' out
}

# ---- advise ----

# history N: N jobs that ran in partition p, one every ten minutes, half of them without a limit of
# their own; the others asked for a day, the last for three. The k-th ran for k minutes, every
# fifth on all nodes.
history() {
	local k limit nodes
	for ((k = 1; k <= $1; k++)); do
		limit=time=1-0
		((k % 2)) && limit=
		((k == $1)) && limit=time=3-0
		nodes='nodes=1 cpus=32 nodelist=n1'
		((k % 5)) || nodes='nodes=4 cpus=128 nodelist=n[1-4]'
		srecord job user=ann $nodes $limit submit=now-$((20000 - k * 10))minutes \
			start=now-$((20000 - k * 10))minutes end=now-$((20000 - k * 11))minutes \
			state=COMPLETED >/dev/null
	done
}

# advised [OPTION...]: every parameter, what it is and what it should be.
advised() {
	splan --ndjson "$@" | jq -r '[.parameter, .current, .advised // "-", .do] | join("|")'
}

@test "advise: the article's example" {
	site
	run splan --advise=test=0.02,reject=0.002,cycle=60,hold=1,sleep=0.5,partitions=3
	[ "$status" -eq 0 ]
	[[ $output == *"(0.02 + 0.002) / 2 = 0.011 s"* ]]
	[[ $output == *"60 / (1 + 0.5) * 1 = 40 s"* ]]
	[[ $output == *"bf_max_job_test = 40 / 0.011 = 3636"* ]]
	[[ $output == *"bf_max_job_part = 3636 / 3 partitions = 1212"* ]]
	[[ $output == *"26.05 counts only full tests: 40 / 0.02 = at most 2000 in a cycle"* ]]
	[[ $output == *"SchedulerParameters=bf_yield_interval=1000000,bf_continue,bf_max_time=60,\
bf_max_job_test=3636,bf_max_job_part=1212"* ]]
}

@test "advise: without history it says so and invents nothing" {
	site
	prints 'bf_window|1440|-|unknown
bf_resolution|60|-|unknown
bf_yield_interval|2000000|-|unknown
bf_yield_sleep|500000|-|unknown
bf_continue|off|on|change
bf_max_job_test|500|-|unknown
bf_max_job_part|0|-|unknown
MaxTime of p|2-00:00:00|-|unknown
DefaultTime of p|01:00:00|-|unknown' advised --advise
	run -0 splan --advise
	[[ $output == *"has no history: no job has run yet."* ]]
	[[ $output == *"No replay: the history is too short."* ]]
	history 5
	run -0 splan --advise
	[[ $output == *"5 jobs that ran from"* ]]
	[[ $output == *"too little history: only what needs none is advised with fewer than "* ]]
}

@test "advise: window, limits and a replay from the history" {
	site SchedulerParameters=bf_window=1440,bf_busy_nodes \
		'PartitionName=q Nodes=n1'
	sed -i 's/ DefaultTime=1:00:00//' "$SLURM_CONF"
	history 80
	prints 'bf_window|1440|4320|change
bf_resolution|60|180|change
bf_yield_interval|2000000|2000000|keep
bf_yield_sleep|500000|500000|keep
bf_continue|off|on|change
bf_max_job_test|500|-|unknown
bf_max_job_part|0|-|unknown
MaxTime of p|2-00:00:00|2-00:00:00|keep
DefaultTime of p|MaxTime|02:00:00|change
MaxTime of q|UNLIMITED|-|unknown
DefaultTime of q|MaxTime|-|unknown' advised --advise
	run splan --advise
	[[ $output == *"longest limit asked for: 3-00:00:00 (job 80) = 4320 min"* ]]
	[[ $output == *"80 jobs, 50 % without a limit of their own; half ran up to \
00:40:00, 95 % up to 01:16:00, the longest 01:20:00"* ]]
	[[ $output == \
*"SchedulerParameters=bf_busy_nodes,bf_window=4320,bf_resolution=180,bf_continue"* ]]
	[[ $output == *"PartitionName=p DefaultTime=02:00:00"* ]]
	[[ $output == *"MaxTime is 2-00:00:00 now, which a bf_window can hold: it stays"* ]]
	[[ $output == *"the last 80 jobs that ran, replayed: "* ]]
	[[ $output == *"  mean wait "*"  mean bounded slowdown "*"  utilization "*" %"* ]]
	[[ $output == *"  The replay speaks against the advice"*"try other values: ssim "* ]]
	# What is advised to be tried can be.
	read -r -d '' -a words <<<"${output##*try other values: ssim }" || true
	run -0 --separate-stderr ssim -nP "${words[@]::2}" -o policy --by=policy
	same policies "$output" $'slurm:bf_window=1440\nslurm:bf_window=4320'
	# No window holds a limit without end.
	sed -i 's/^\(PartitionName=p .*\)MaxTime=2-0/\1MaxTime=UNLIMITED/' "$SLURM_CONF"
	run splan --advise
	[[ $output == *"MaxTime = twice the longest run, 2 * 01:20:00, rounded up = \
03:00:00; 40 jobs asked"* ]]
	[[ $output == *"PartitionName=p DefaultTime=02:00:00 MaxTime=03:00:00"* ]]
	# What is as advised stays.
	site_again='SchedulerParameters=bf_window=4320,bf_resolution=180,bf_continue'
	sed -i "s/^SchedulerParameters=.*/$site_again/" "$SLURM_CONF"
	splan --advise >out
	run ! grep -q '^  SchedulerParameters' out
}

@test "advise: a pass over the queue is timed where enough jobs wait" {
	site
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		srecord job user=ann nodes=3 cpus=96 >/dev/null
	done
	run -0 splan --advise
	[[ $output == *"measured in a pass over 1"*" jobs: a full test 0."* ]]
	[[ $output == *"longest queue, in the history or now, was 12 jobs"* ]]
	[[ $output == *"bf_max_job_test "*" 500 "*" 500 "*" keep "* ]]
}

@test "advise: output for machines" {
	site
	history 40
	splan --advise=test=0.02,reject=0.002,jobs=35 --json >out
	prints 35 jq .replay.jobs out
	[ "$(jq '.replay.current.mean_wait, .replay.advised.utilization | type' out | sort -u)" = \
		'"number"' ]
	[ "$(jq -r '.arithmetic[] | select(.about == "bf_max_job_test").line' out | wc -l)" -ge 4 ]
	[[ $(jq -r .slurm_conf out) == SchedulerParameters=* ]]
	[[ $(splan --advise --csv) == parameter,current,advised,unit,do,why* ]]
	[ "$(splan --advise=jobs=0 --json | jq -r .replay.verdict)" = 'No replay: jobs=0.' ]
}

@test "advise: what is given wrongly is refused; the jobs of others may be private" {
	site PrivateData=jobs
	refuses "unknown word 'lunch=1'; expected test=, reject=" splan --advise=lunch=1
	refuses "test: 'x' is not a number" splan --advise=test=x
	refuses "test: 0 is out of range" splan --advise=test=0
	refuses "partitions: 1.5 is not a whole number" splan --advise=partitions=1.5
	refuses "sleep: -1 is out of range" splan --advise=sleep=-1
	refuses 'mutually exclusive' splan --advise --when=cpus=1
	refuses 'PrivateData=jobs keeps them from you' as ann splan --advise
}

# ---- the manual page ----

# The literal blocks of a section.
examples() {
	awk -v section="$1" '
	/^\.Sh/ { here = $2 == section }
	/^\.Bd -literal/ { on = here; next }
	/^\.Ed/ { on = 0 }
	on' "$page" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta'
}

@test "splan: the examples of WHEN and ADVICE in the manual page" {
	busy
	for section in WHEN ADVICE; do
		examples $section >wanted
		(($(grep -c '^\$ ' wanted) >= 3))
		sed -n 's/^\$ //p' wanted | while IFS= read -r command; do
			printf '$ %s\n' "$command"
			eval "$command" 2>&1 </dev/null
		done >got
		same "the examples of $section" "$(<got)" "$(<wanted)"
	done
}
