#!/usr/bin/env bats
# splan: the backfill pass over a store: a worked example, policies,
# expected starts, what is refused. What the planner itself does is in tests/unit/backfill.c.

load lib

site() {
	fresh_cluster PriorityWeightTRES=CPU=0 PriorityWeightJobSize=0 PriorityWeightAge=0 "$@"
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

submit() {
	srecord job user=ann account=lab "$@" >/dev/null
}

queue() {
	squeue -h -S i -o "$1"
}

# ---- backfill: a worked example ----

# Eight nodes; job 1 has six of them for a day since 11:33:24, three more wait.
article() {
	site 'NodeName=node[1-8] CPUs=1 State=UNKNOWN' \
		'PartitionName=p Nodes=node[1-8] Default=YES OverSubscribe=EXCLUSIVE' \
		'SchedulerParameters=bf_window=43200'
	local job='partition=p' day=2023-02-08T11:33
	submit $job id=1 nodes=6 cpus=6 time=1-0 submit=$day:20 start=$day:24 \
		nodelist='node[1-6]' exclusive=1 state=RUNNING
	submit $job id=2 nodes=3 cpus=3 time=12:00:00 submit=$day:30 exclusive=1
	submit $job id=3 nodes=4 cpus=4 time=12:00:00 submit=$day:40 exclusive=1
	submit $job id=4 nodes=2 cpus=2 time=10:00:00 submit=$day:46 exclusive=1
	at=$day:49
}

# The table behind the last change.
last_table() {
	splan --at="$at" --ndjson --table "$@" |
		jq -rs 'last.job as $job | .[] | select(.job == $job) |
			[(.begin, .end | strflocaltime("%Y-%m-%dT%H:%M:%S")), .nodes] |
			join(" ") | sub(",vm"; "")'
}

@test "splan: the worked example, today's rules" {
	article
	prints "2023-02-08T11:33:00 2023-02-08T11:33:00 node[1-8]
2023-02-08T11:33:00 2023-02-08T21:34:00 node[1-6]
2023-02-08T21:34:00 2023-02-09T11:33:00 node[1-8]
2023-02-09T11:33:00 2023-02-09T23:34:00 node8
2023-02-09T23:34:00 2023-03-10T11:33:00 node[1-8]" last_table
	prints "2 reserve 2023-02-09T11:33:24 node[1-3]
3 reserve 2023-02-09T11:33:24 node[4-7]
4 start 2023-02-08T11:33:49 node[7-8]" plans
}

plans() {
	splan --at="$at" --ndjson "$@" |
		jq -r '[.job_id, .action, (.start_time // 0 | strflocaltime("%Y-%m-%dT%H:%M:%S")),
			.node_list // "-"] | join(" ")' | sort
}

@test "splan: the worked example, the article's rules" {
	article
	prints "2023-02-08T11:33:49 2023-02-09T11:33:00 node[1-8]
2023-02-09T11:33:00 2023-02-09T23:33:00 node8
2023-02-09T23:33:00 2023-03-10T11:33:49 node[1-8]" last_table --policy=slurm:release=20.11
}

@test "splan: the worked example under easy and conservative" {
	article
	prints "2 reserve 2023-02-09T11:33:24 node[1-3]
3 wait 1970-01-01T00:00:00 -
4 start 2023-02-08T11:33:49 node[7-8]" plans --policy=easy
	prints "2 reserve 2023-02-09T11:33:24 node[1-3]
3 reserve 2023-02-09T11:33:24 node[4-7]
4 start 2023-02-08T11:33:49 node[7-8]" plans --policy=conservative
	srecord job id=4 time=34:00:00 >/dev/null
	prints "4 start 2023-02-08T11:33:49 node[7-8]" only4 --policy=easy
	prints "4 reserve 2023-02-09T23:33:24 node[1-2]" only4 --policy=conservative
	prints "4 reserve 2023-02-09T23:34:00 node[1-2]" only4
}

only4() {
	plans "$@" | grep ^4
}

@test "splan: expected starts are recorded, squeue shows them" {
	article
	srecord job id=1 start=now-1hour >/dev/null
	prints "N/A (null)" squeue -h -j 2 -o "%S %Y"
	splan --record >/dev/null
	prints "node[1-3]" squeue -h -j 2 -o %Y
	[ "$(squeue -h -j 2 --start -o %S)" != N/A ]
	[ "$(squeue -j 2 --json | jq '.jobs[0].start_time.number > now')" = true ]
	splan --record --start >/dev/null
	prints "4 RUNNING node[7-8]" squeue -h -j 4 -o "%i %T %N"
	# A job that has started is expected no more.
	srecord job id=2 start=now nodelist='node[1-3]' state=RUNNING >/dev/null
	prints "RUNNING" squeue -h -j 2 -o %T
}

@test "splan: policies, times and units that are none are refused" {
	site
	refuses "'backfill' is not a policy" splan --policy=backfill
	refuses "'bf_windw' is not a scheduler parameter" splan --policy=slurm:bf_windw=3
	refuses 'bf_window: 0 is out of range (1 to 43200 min)' splan --policy=slurm:bf_window=0
	refuses "'rack' is not node or core" splan --granularity=rack
	refuses '--at' splan --at=yesterdayish
	refuses 'mutually exclusive' splan --table --parameters
}

@test "splan: what slurm.conf says wrongly is named, the default holds" {
	site 'SchedulerParameters=bf_window=99999,bf_continue,other=1'
	capture splan
	[ "$status" -eq 0 ]
	[[ $stderr == *'SchedulerParameters: bf_window: 99999 is out of range'* ]]
	[ "$(splan --parameters --ndjson 2>/dev/null |
		jq -r 'select(.parameter == "bf_window" or .parameter == "bf_continue").value' |
		paste -sd,)" = 1440,on ]
}

@test "splan: words of SchedulerParameters as Slurm searches for them; unknown ones are named" {
	site 'SchedulerParameters==bf_max_job_user=20,xbf_continue,max_job_bf=1200,bf_windo=5'
	capture splan
	[[ $stderr == *"SchedulerParameters: '=bf_max_job_user=20' is read as"* ]]
	[[ $stderr == *'SchedulerParameters: max_job_bf=1200 is ignored: slurmctld'* ]]
	[[ $stderr == *"'bf_windo' is not known; did you mean 'bf_window'?"* ]]
	prints 20,on,1440,500 bash -c 'for p in bf_max_job_user bf_continue bf_window \
		bf_max_job_test; do splan --parameters --ndjson 2>/dev/null | jq -r \
		"select(.parameter == \"$p\").value"; done | paste -sd,'
	sed -i 's/^SchedulerParameters=.*/SchedulerParameters=whole_hetjob,defer/' "$SLURM_CONF"
	capture splan
	[[ $stderr != *SchedulerParameters* ]]
}

@test "splan: features, reservations" {
	site 'NodeName=a CPUs=4 Feature=fast,big' 'NodeName=b CPUs=4 Feature=big' \
		'PartitionName=p Nodes=a,b Default=YES MaxTime=1-0'
	submit constraints='big&fast' cpus=1
	submit constraints=slow cpus=1
	submit constraints='slow|big' cpus=4
	splan --start >/dev/null
	prints $'1 a None\n2  PartitionConfig\n3 b None' queue "%i %N %r"
	submit reservation=none cpus=1
	prints Reservation squeue -h -j 4 -o %r
	# One that is open keeps its nodes as one with an end does.
	srecord reservation name=fans nodes=a start=now-1hour end=now+30days users=root
	submit constraints=fast cpus=1
	submit constraints=big cpus=1 reservation=fans
	splan --start >/dev/null
	with=$(squeue -h -o '%i %N %r' -S i)
	ask 'UPDATE reservation SET end = 0'
	splan --start >/dev/null
	prints "$with" squeue -h -o '%i %N %r' -S i
}

@test "splan: the effect of granularity and of skipping shapes" {
	site 'NodeName=a CPUs=4 RealMemory=1000' 'PartitionName=p Nodes=a Default=YES' \
		'SchedulerParameters=bf_window=120'
	submit cpus=4 mem=400 time=60 start=now nodelist=a state=RUNNING
	for job in 1 2 3 4; do submit cpus=2 mem=100 time=60 nice=$job; done
	effect() {
		splan --json "$@" | jq -c '.backfill.effect | [.earlier, .later, .found, .lost]'
	}
	prints '[0,0,1,0]' effect --granularity=core
	prints '[0,0,0,0]' effect --skip-same-shape
	[[ $(splan -v --granularity=core) == *$'\n'effect:*found=+1* ]]
	[[ $(splan -v --skip-same-shape) == *same_shape=2*$'\n'effect:* ]]
	[[ $(splan -v) != *effect* ]]
	prints null bash -c 'splan --json | jq .backfill.effect'
}

@test "splan: what can never run is named" {
	site 'NodeName=a,b CPUs=4 RealMemory=1000 Gres=gpu:2' GresTypes=gpu Licenses=x:2 \
		'PartitionName=p Nodes=a,b,c,d Default=YES' 'PartitionName=none' \
		'PartitionName=zero Nodes=a MaxTime=0'
	submit nodes=3 time=5
	submit cpus=9 time=5
	submit cpus=8 nodes=2 gres=gpu:2 time=5
	submit partition=none time=5
	submit partition=zero
	submit licenses=x:2 time=5
	submit time=0 cpus=8
	submit nodes=2 gres=gpu:1 cpus=2 time=5
	sed -i 's/gpu:2/gpu:1/; s/x:2/x:1/' "$SLURM_CONF"
	capture splan --start
	same "exit status" "$status" 0
	same remarks "${stderr//splan: error: /}" \
		"partition p: 'c' and 1 more are not nodes of slurm.conf
partition none has no nodes; its jobs can never start
partition zero: MaxTime=0 lets no job run
job 1 asks for 3 nodes; of partition p it may have 2 at most
job 2 asks for 9 CPUs; partition p has 8
job 3 asks for CPUs, memory, gres or features that partition p has not together
job 6 asks for more of license x than there are"
	prints '1 PENDING PartitionNodeLimit
2 PENDING PartitionConfig
3 PENDING PartitionConfig
4 PENDING PartitionConfig
5 PENDING PartitionTimeLimit
6 PENDING Licenses
7 RUNNING None
8 PENDING Resources' queue '%i %T %r'
	prints UNLIMITED squeue -h -j 7 -o %l
}

@test "splan: with bf_continue, too, licenses that others took are not given again" {
	site 'NodeName=n[1-4] CPUs=4' 'PartitionName=p Nodes=n[1-4] Default=YES' Licenses=x:1 \
		SchedulerParameters=bf_continue,bf_yield_interval=1,bf_yield_sleep=1000000
	submit time=5 cpus=4
	submit time=5 cpus=4
	submit time=5 cpus=4 licenses=x:1
	splan --start >/dev/null &
	# It goes on a little at a time, so that it is in its pause, without a lock, when seen.
	kill -STOP $!
	until [[ $(queue %t) == *R* ]] || ! kill -CONT $!; do
		sleep 0.01
		kill -STOP $!
	done
	submit time=5 cpus=4 licenses=x:1 start=now nodelist=n4 state=RUNNING
	kill -CONT $!
	wait
	prints $'1 R\n2 R\n3 PD\n4 R' queue '%i %t'
}

# ---- what waiting jobs tell of themselves ----

# Two nodes with two CPUs free each; job 3 wants four and was passed over when job 2 began.
passed_over() {
	site 'NodeName=n[1-2] CPUs=4 RealMemory=1000 State=UNKNOWN' \
		'PartitionName=p Nodes=n[1-2] Default=YES' \
		'SchedulerParameters=bf_resolution=1' SelectTypeParameters=CR_CPU
	local day=2026-03-02T10:00
	submit partition=p id=1 cpus=2 time=60 submit=$day:00 start=$day:00 nodelist=n1
	submit partition=p id=3 cpus=4 time=10 submit=$day:10
	submit partition=p id=2 cpus=2 time=90 submit=$day:20 start=$day:21 nodelist=n2
}

starts() {
	splan -hP -o jobid,action,start,nodelist --at=2026-03-02T10:01:00
}

@test "a job that was passed over where pieces were free asks for one node" {
	passed_over
	starts
	[[ $(starts) == '3|reserve|2026-03-02T11:00:00|n1' ]]
}

@test "a job that says how it may lie gets pieces" {
	passed_over
	srecord job id=3 tasks=4 >/dev/null
	[[ $(starts) == '3|start|2026-03-02T10:01:00|n[1-2]' ]]
}

@test "a job since whose submission another ended gets pieces" {
	passed_over
	submit partition=p id=4 cpus=1 time=90 submit=2026-03-02T10:00:00 \
		start=2026-03-02T10:00:05 nodelist=n2
	srecord job id=4 state=COMPLETED end=2026-03-02T10:00:30 >/dev/null
	[[ $(starts) == '3|start|2026-03-02T10:01:00|n[1-2]' ]]
}

@test "the parts of a heterogeneous job start together on nodes that are alike" {
	local program
	site 'NodeName=n[1-8] CPUs=4' 'PartitionName=p Nodes=ALL Default=YES MaxTime=1-0'
	submit cpus=4 het_job=1 het_offset=0
	submit cpus=4 het_job=1 het_offset=1
	prints $'start|n1\nstart|n2' splan -nPo action,nodelist
	for program in 'squeue --start' 'splan --start' 'splan --when cpus=4' 'splan --advise'; do
		capture $program
		[[ $status = 0 ]]
	done
}

# ---- parameters of slurm.conf and of --policy are read in one place ----

# A group has its 4 CPUs; the next in the queue is of it, too, then one who is not.
group_is_full() {
	site PriorityType=priority/basic 'NodeName=n[1-2] CPUs=4 State=UNKNOWN' \
		'PartitionName=p Nodes=n[1-2] Default=YES' "$1"
	sacctmgr -iQ add account other >/dev/null
	sacctmgr -iQ add user ann account=other >/dev/null
	sacctmgr -iQ modify account lab set grptres=cpu=4 >/dev/null
	at=2023-02-08T12:00:00
	submit id=1 cpus=4 time=2:00:00 submit=$at start=$at nodelist=n1 state=RUNNING
	submit id=2 cpus=4 time=60 submit=$at
	submit id=3 cpus=4 time=60 submit=$at account=other
}

@test "splan: assoc_limit_stop keeps nodes for a job that waits for its group" {
	group_is_full SchedulerParameters=assoc_limit_stop
	local held=$'2 reserve 2023-02-08T12:08:20 n2\n3 reserve 2023-02-08T13:09:00 n2'
	prints "$held" plans
	sed -i /^SchedulerParameters/d "$SLURM_CONF"
	prints $'2 estimate 2023-02-08T13:00:00 n2\n3 start 2023-02-08T12:00:00 n2' plans
	prints "$held" plans --policy=slurm:assoc_limit_stop
}

@test "splan: what follows from a word does so wherever the word stands" {
	site SchedulerParameters=bf_interval=120,bf_max_job_test=7
	splan --policy=slurm --ndjson --parameters >one
	sed -i /^SchedulerParameters/d "$SLURM_CONF"
	splan --policy=slurm:bf_interval=120,bf_max_job_test=7 --ndjson --parameters >two
	cmp one two
	grep -q 120 two
}

@test "squeue: --start plans without backfill under sched/builtin" {
	article
	echo SchedulerType=sched/builtin >>"$SLURM_CONF"
	export BURSAR_STORE=$(store) BURSAR_NOW=$(date -d "$at" +%s)
	squeue -h --start -S i -o '%i %S' >queue
	splan --ndjson | jq -r '[(.job_id | tostring),
		(.start_time | strflocaltime("%Y-%m-%dT%H:%M:%S"))] | join(" ")' | sort >plan
	cmp queue plan
}

@test "QOS flags PartitionMinNodes and PartitionMaxNodes lift the partition's limits" {
	site 'NodeName=n[1-8] CPUs=4' \
		'PartitionName=p Nodes=ALL Default=YES MaxNodes=2 MinNodes=2' \
		AccountingStorageEnforce=associations,limits,qos
	sacctmgr -iQ add qos wide flags=PartitionMaxNodes >/dev/null
	sacctmgr -iQ add qos thin flags=PartitionMinNodes >/dev/null
	sacctmgr -iQ modify account lab set qos+=wide,thin >/dev/null
	submit cpus=12 nodes=3 qos=wide
	submit cpus=4 nodes=1 max_nodes=1 qos=thin
	submit cpus=12 nodes=3
	capture splan -nPo jobid,action,nodes,reason
	same out "$stdout" '1|start|3|None
2|start|1|None
3|wait|3|PartitionNodeLimit'
	[[ $stderr != *'job 1 '* ]]
	[[ $stderr == *'job 3 asks for 3 nodes; of partition p it may have 2 at most'* ]]
}

@test "nodes= is the most, too; with id and submission, as squeue tells of jobs, 1 is the least" {
	site 'NodeName=n[1-8] CPUs=8' 'PartitionName=two Nodes=n[1-8] Default=YES MaxNodes=2' \
		'PartitionName=all Nodes=n[1-8]'
	submit cpus=3 nodes=1
	submit cpus=3
	refuses 'Requested node configuration is not available' \
		srecord job user=ann partition=all cpus=12 nodes=1 id=9
	refuses 'Requested node configuration is not available' \
		splan --when='user=ann partition=all cpus=12 nodes=1'
	submit cpus=12 nodes=1 max_nodes=2 partition=all
	submit cpus=12 nodes=1 partition=all id=4 submit=now
	submit cpus=12 nodes=1 partition=all id=5 submit=now
	srecord job id=5 nodes=1 >/dev/null
	same plan "$(splan -nPo jobid,action,nodelist,reason 2>/dev/null)" '1|start|n1|None
2|wait||PartitionNodeLimit
3|start|n[2-3]|None
4|start|n[4-5]|None
5|wait||PartitionConfig'
}

@test "splan --when: the nodes of a smaller size are the most, too" {
	site 'NodeName=n[1-2] CPUs=4' 'PartitionName=p Nodes=n[1-2] Default=YES' \
		SelectTypeParameters=CR_CPU
	submit cpus=2 time=60 start=now nodelist=n1 submit=now
	submit cpus=2 time=60 start=now nodelist=n2 submit=now
	# One node has no 4 CPUs free; both nodes have 2.
	splan --when='user=ann nodes=2 cpus=8 time=5' --ndjson | jq -r .change >when
	same when "$(<when)" $'as asked\ncpus=4'
}

@test "textbook policies give a job the nodes it named" {
	site 'NodeName=n[1-3] CPUs=4 RealMemory=100' 'NodeName=n4 CPUs=8 RealMemory=100' \
		'PartitionName=p Nodes=n[1-4] Default=YES'
	submit mem=9 time=60 cpus=1 required_nodes=n3
	submit mem=9 time=60 cpus=12 nodes=2 required_nodes=n2
	submit mem=9 time=60 cpus=2 nodes=1 max_nodes=2 required_nodes='n[1,3]'
	submit mem=9 time=60 cpus=1 excluded_nodes=n1
	for policy in fcfs easy conservative; do
		prints $'1|start|n3\n2|start|n[2,4]\n3|start|n[1,3]\n4|start|n3' \
			splan -nPo jobid,action,nodelist --granularity=core --policy=$policy
	done
}

@test "textbook policies make no main pass: with fcfs none starts before the first" {
	site 'NodeName=n[1-4] CPUs=4' 'PartitionName=p Nodes=n[1-4] Default=YES'
	submit nodes=2 cpus=8 time=60 submit=now start=now nodelist='n[1-2]'
	submit cpus=4 time=60 required_nodes=n1 priority=4000000000
	submit cpus=4 time=60
	local plan=jobid,action,nodelist,reason
	prints $'2|reserve|n1|Resources\n3|reserve|n2|Priority' splan -nPo $plan --policy=fcfs
	prints $'2|reserve|n1|Resources\n3|start|n3|None' splan -nPo $plan --policy=easy
	prints $'2|reserve|n1|Resources\n3|start|n3|None' splan -nPo $plan --policy=conservative
}

@test "easy: the first that waits is promised the nodes that come free last" {
	site 'NodeName=n[1-4] CPUs=4' 'PartitionName=p Nodes=n[1-4] Default=YES'
	submit nodes=2 cpus=8 time=10 submit=now start=now nodelist='n[3-4]'
	submit nodes=3 cpus=12 time=60 submit=now-1minute
	submit cpus=4 time=10:00:00
	local plan=jobid,action,nodelist
	prints $'2|reserve|n[1,3-4]\n3|start|n2' splan -nPo $plan --policy=easy
	prints $'2|reserve|n[1-3]\n3|reserve|n4' splan -nPo $plan --policy=conservative
	prints $'2|reserve|n[1-3]\n3|reserve|n4' splan -nPo $plan --policy=fcfs
}

@test "fcfs: none starts before one that waits for a license or under a limit" {
	site Licenses=x:1 'NodeName=n[1-4] CPUs=4' AccountingStorageEnforce=limits \
		'PartitionName=p Nodes=n[1-4] Default=YES' 'PartitionName=q Nodes=n[1-4]'
	submit cpus=4 time=60 submit=now start=now nodelist=n1 licenses=x
	submit cpus=4 time=60 licenses=x submit=now-2minutes
	submit cpus=4 time=60
	submit cpus=4 time=60 partition=q
	local plan=jobid,action,nodelist,reason
	prints $'2|wait||Licenses\n3|wait||Priority\n4|start|n2|None' \
		splan -nPo $plan --policy=fcfs
	prints $'2|wait||Licenses\n3|start|n2|None\n4|start|n3|None' \
		splan -nPo $plan --policy=easy
	srecord job id=2 state=CANCELLED end=now >/dev/null
	submit cpus=12 time=60 priority=4000000000
	sacctmgr -iQ modify account lab set grptres=cpu=12 >/dev/null
	prints $'5|wait||AssocGrpCpuLimit\n3|wait||Priority\n4|start|n2|None' \
		splan -nPo $plan --policy=fcfs
	prints $'5|wait||AssocGrpCpuLimit\n3|start|n2|None\n4|start|n3|None' \
		splan -nPo $plan --policy=easy
	# What no end of another job lifts keeps nobody back.
	sacctmgr -iQ modify account lab set grptres=cpu=-1 maxtres=cpu=8 >/dev/null
	prints $'5|wait||AssocMaxCpuPerJobLimit\n3|start|n2|None\n4|start|n3|None' \
		splan -nPo $plan --policy=fcfs
}

@test "priority/basic: first come, first served, whatever the weights" {
	site PriorityType=priority/basic PriorityWeightQOS=100000
	sacctmgr -iQ add qos high priority=100 >/dev/null
	sacctmgr -iQ modify user ann set qos+=high >/dev/null
	at=2023-02-08T12:00:00
	submit id=1 cpus=64 time=60 submit=$at
	submit id=2 cpus=64 time=60 submit=$at qos=high
	submit id=3 cpus=64 time=60 submit=$at nice=-10
	submit id=4 cpus=64 time=60 submit=$at priority=5
	prints $'3\n1\n2\n4' bash -c 'squeue -h -S -p -o %i'
	prints '3 start' bash -c "splan --at=$at --ndjson --policy=fcfs |
		jq -r '\"\(.job_id) \(.action)\"' | head -1"
	prints 4294901759 squeue -h -j 1 -o %Q
}

@test "granularity=core: who takes the CPUs of a job that ends is not counted beside it" {
	site SelectTypeParameters=CR_Core 'NodeName=a CPUs=16' \
		'PartitionName=p Nodes=a Default=YES'
	local second at
	submit id=1 nodelist=a cpus=8 time=60 submit=2023-02-08T11:00 start=2023-02-08T11:33
	submit id=2 nodelist=a cpus=4 time=300 submit=2023-02-08T11:00 start=2023-02-08T11:33
	submit id=3 cpus=8 time=120 submit=2023-02-08T11:01
	submit id=4 cpus=4 time=120 submit=2023-02-08T11:02
	for second in 00 12 59; do
		at=2023-02-08T11:33:$second
		submit id=1 start=$at
		submit id=2 start=$at
		prints $'3|reserve\n4|start' splan -nPo jobid,action --at=$at --granularity=core
	done
}
