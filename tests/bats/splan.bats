#!/usr/bin/env bats
# splan: what the main pass starts in the store, and what it says.

load lib

setup() {
	fresh_cluster 'AccountingStorageEnforce=associations,limits,qos' \
		'PartitionName=debug Nodes=vm Default=YES MaxTime=1-0 DefaultTime=30 State=UP' \
		'PartitionName=off Nodes=vm State=DOWN'
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

submit() {
	srecord job user=ann account=lab mem=100 "$@" >/dev/null
}

queue() {
	squeue -h -S i -o "$1"
}

@test "splan: without --start nothing is changed" {
	submit cpus=4
	run splan -h
	[ "$status" -eq 0 ]
	[[ $output == *" vm "*"None"* ]]
	prints "1 PENDING" queue "%i %T"
}

@test "splan: --start starts what fits, in priority order" {
	submit cpus=40 nice=100
	submit cpus=40 nice=0
	submit cpus=20 nice=200
	splan --start
	prints $'1 PENDING Resources\n2 RUNNING None\n3 PENDING Priority' queue "%i %T %r"
	prints "2 vm cpu=40,mem=100M,node=1,billing=40" \
		squeue -h -t R -O "jobid:1 ,nodelist:2 ,tres-alloc:0"
	# Nothing new the second time.
	splan --start
	prints $'1 PENDING Resources\n2 RUNNING None\n3 PENDING Priority' queue "%i %T %r"
}

@test "splan: the default time limit of the partition holds" {
	submit cpus=1
	splan --start
	prints "30:00" queue "%l"
	submit time=-1
	prints "UNLIMITED" squeue -h -t PD -o %l
	prints "PartitionTimeLimit" bash -c "squeue -h -t PD -o %r"
}

@test "splan: down nodes and partitions" {
	srecord node node=vm state=down reason=fan start=now-1minute
	submit cpus=1
	submit cpus=1 partition=off
	submit cpus=1 partition=off,debug nice=5
	splan --start
	[[ $(queue "%i %r") == "1 Nodes required for job are DOWN"*"2 PartitionDown"* ]]
	srecord node node=vm state=up
	splan --start
	prints $'1 debug R\n2 off PD\n3 debug R' queue "%i %P %t"
}

@test "splan: arrays start task by task, as many as may" {
	submit cpus=1 array=1-5%2 array_job=1
	splan --start
	prints $'1_1 R\n1_2 R\n1_[3-5%2] PD' bash -c 'squeue -h -o "%i %t" | sort'
	prints JobArrayTaskLimit squeue -h -t PD -o %r
	srecord job id=1 state=PENDING array=3-5 >/dev/null
	splan --start
	prints $'1_1\n1_2\n1_3\n1_4\n1_5' bash -c 'squeue -h -t R -o %i | sort'
}

@test "splan: the priority a job was started with stays on record" {
	submit cpus=1 priority=700
	submit cpus=1 array=1-2 array_job=2 site=5000
	submit cpus=1000
	splan --start
	# Sorted: sacct lists jobs by the second they were submitted in.
	mapfile -t lines < <(sacct -aXnP -s R,PD -S now-1hour -E now+1hour -o jobid,priority |
		LC_ALL=C sort)
	[[ ${lines[0]} == "1|700" && ${lines[3]} == "3|" ]]
	[[ ${lines[1]} =~ ^2_1\|[1-9][0-9]*$ && ${lines[2]} =~ ^2_2\|[1-9][0-9]*$ ]]
	((${lines[1]#*|} >= 5000))
}

@test "splan: holds, dependencies, begin times" {
	submit hold=1
	submit dependency=afterok:1
	submit begin=now+1hour
	submit hold=2
	splan --start
	prints $'1 JobHeldUser\n2 Dependency\n3 BeginTime\n4 JobHeldAdmin' queue "%i %r"
}

@test "splan: dependencies are judged by what became of the jobs" {
	submit time=60
	submit dependency=afterok:1
	submit dependency=afternotok:1
	submit dependency=afterany:1:2
	submit dependency=after:1
	submit dependency=afternotok:1?afterok:1
	submit dependency=afterok:99
	splan --start
	prints $'1 None\n2 Dependency\n3 Dependency\n4 Dependency\n5 Priority\n6 Dependency
7 DependencyNeverSatisfied' queue "%i %r"
	srecord job id=1 end=now state=COMPLETED >/dev/null
	splan --start
	prints $'2 R None\n3 PD DependencyNeverSatisfied\n4 PD Dependency\n5 R None\n6 R None
7 PD DependencyNeverSatisfied' queue "%i %t %r"
}

@test "splan: gres and licenses" {
	submit gres=gpu:3
	submit gres=gpu:2 nice=1
	submit licenses=iop1:8
	splan --start
	submit licenses=iop1:3
	submit gres=gpu:4
	sed -i 's/Gres=gpu:4/Gres=gpu:3/' "$SLURM_CONF"
	prints $'1 None\n2 Resources\n3 Priority\n4 Priority\n5 PartitionConfig' queue "%i %r"
	srecord job id=2 state=CANCELLED >/dev/null
	splan --start
	prints $'1 None\n3 None\n4 Licenses\n5 PartitionConfig' queue "%i %r"
}

@test "splan: output for machines" {
	submit cpus=4
	submit cpus=100
	[[ $(splan --csv) == job_id,partition,user,account,priority,action,start_time,end_time,* ]]
	[ "$(splan --ndjson | jq -r 'select(.node_list=="vm").job_id')" = 1 ]
	[ "$(splan --json | jq -r '.jobs[].reason' | sort | paste -sd,)" = None,PartitionConfig ]
}

@test "splan: an array without a number of its own has that of its job" {
	submit cpus=1 mem=1 array=1-3%1
	splan --start >/dev/null
	prints $'1_1 R\n1_[2-3%1] PD' bash -c 'squeue -h -o "%i %t" | sort'
}

@test "splan: fields by name" {
	submit cpus=4
	prints "1|start|vm" splan -hP -o jobid,action,nodel
	prints "JobID|Action|" bash -c 'splan -p -o job,act | head -1'
	[ "$(splan --helpformat | wc -l)" -ge 11 ]
	refuses "Unknown field 'colour'" splan -o jobid,colour
}

@test "splan: bad options" {
	refuses "unrecognized option '--bogus'" splan --bogus
	capture splan word
	[ "$status" -eq 1 ]
	[[ $stderr == *"Unrecognized option: word"* ]]
}

@test "splan: two at once start no job twice" {
	for i in 1 2 3 4 5 6; do submit cpus=16; done
	splan --start >/dev/null &
	splan --start >/dev/null
	wait
	prints 4 bash -c 'squeue -h -t R -o %i | wc -l'
}

@test "splan: -p and -P hold for every table" {
	submit cpus=1
	for what in --table --parameters --over-limits --when=user=ann --advise; do
		[[ $(splan $what -P | head -n 1) == *[a-zA-Z]'|'[A-Z]*[a-zA-Z] ]]
		[[ $(splan $what -p | head -n 1) == *'|' ]]
	done
}

@test "--start: what cannot be printed is not done" {
	[[ -w /dev/full ]] || skip 'no /dev/full'
	srecord cluster tres=cpu=64
	srecord job id=901 user=root submit=now-1hour
	run -1 bash -c 'splan --start >/dev/full 2>said'
	grep -q 'no start is recorded' said
	same state "$(ask 'SELECT state FROM job WHERE id = 901')" 0
	splan --start >/dev/null
	same state "$(ask 'SELECT state FROM job WHERE id = 901')" 1
}

@test "splan --parameters: what the plan does not look at is named" {
	cat >>"$SLURM_CONF" <<-'END'
		SelectTypeParameters=CR_Core_Memory
		TopologyPlugin=topology/tree
		NodeName=t[1-2] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=1000 Feature=a
		PartitionName=shared Nodes=vm OverSubscribe=FORCE:4
		PartitionName=cpu Nodes=vm OverSubscribe=FORCE:1 MaxMemPerCPU=100
		PartitionName=node Nodes=vm MaxMemPerNode=900
	END
	submit 'constraints=a*2'
	capture splan --parameters
	local by='is ignored by the plan'
	same named "$stderr" "splan: error: partition shared: OverSubscribe=FORCE $by
splan: error: partition cpu: MaxMemPerCPU $by, only when a job is submitted
splan: error: partition node: MaxMemPerNode $by, only when a job is submitted
splan: error: node t1: ThreadsPerCore $by: it allocates single CPUs
splan: error: TopologyPlugin=topology/tree $by
splan: error: job 1: the number of nodes that it wants of each feature $by"
}

# bars FILE: their words, sorted.
bars() {
	sed -n 's,.*<title>\(.*\): \([a-z]*\).*</title>.*,\1 \2,p' "$1" | sort
}

@test "splan --svg: who runs and has nodes kept, alike nodes in one row" {
	BURSAR_NOW=$(date +%s)
	export BURSAR_NOW
	cat >>"$SLURM_CONF" <<-'END'
		NodeName=p[1-3] CPUs=4
		PartitionName=p Nodes=p[1-3] MaxTime=60
		SchedulerParameters=bf_window=300
	END
	local job='user=ann account=lab partition=p'
	srecord job id=71 $job cpus=8 nodes=2 timelimit=60 submit=now-1hour start=now-10minutes \
		nodelist='p[1-2]' name='<b>' >/dev/null
	srecord job id=72 $job cpus=12 nodes=3 timelimit=60 name=all submit=now-9minutes >/dev/null
	srecord job id=73 $job cpus=2 timelimit=10 submit=now-8minutes >/dev/null
	prints '' splan --svg=plan.svg
	same bars "$(bars plan.svg)" "$(
		printf '%s\n' '71 &lt;b&gt;, ann in lab runs' '72 all, ann in lab reserved' \
			'72 all, ann in lab reserved' '73 , ann in lab starts'
	)"
	grep -q '>p1 +1<' plan.svg
	grep -q '>p3<' plan.svg
	grep -q '>ann 71<' plan.svg
	same 'standard output' "$(splan --svg=-)" "$(<plan.svg)"
	xmllint --noout plan.svg 2>/dev/null || ! command -v xmllint
	refuses 'mutually exclusive' splan --svg=x --table
	refuses 'No space left' splan --svg=/dev/full
}

@test "splan --svg: an estimate is a line of words, not a bar" {
	cat >>"$SLURM_CONF" <<-'END'
		NodeName=p1 CPUs=4
		PartitionName=p Nodes=p1 MaxTime=600
		SchedulerParameters=bf_window=30
	END
	srecord job id=71 user=root partition=p cpus=4 timelimit=600 submit=now-1hour \
		start=now-10minutes nodelist=p1 >/dev/null
	srecord job id=72 user=root partition=p cpus=4 timelimit=60 submit=now-9minutes >/dev/null
	splan --svg=plan.svg
	same bars "$(bars plan.svg)" '71 , root in root runs'
	# Until most of what runs has ended, as the page has it.
	local from to
	IFS=';' read -r from to <<<"$(sed -n 's/.*subtitle">\(.*\) to \(.*\);.*/\1;\2/p' plan.svg)"
	same minutes $((($(date -d "$to" +%s) - $(date -d "$from" +%s)) / 60)) 590
	grep -q '>1 jobs start later than [A-Z][a-z]. [0-9 :]*: nothing is kept for them yet.<' \
		plan.svg
}
