#!/usr/bin/env bats
# splan: preemption over a store: what is shown, what --start does with those that make way. Who is
# chosen is in tests/unit/preempt.c.

load lib

# Two nodes of four CPUs; QOS urgent pushes aside low, with these settings of low.
site() {
	local low=$1
	shift
	fresh_cluster PriorityWeightTRES=CPU=0 PriorityWeightJobSize=0 PriorityWeightAge=0 \
		'NodeName=n[1-2] CPUs=4 RealMemory=100 State=UNKNOWN' \
		'PartitionName=p Nodes=n[1-2] Default=YES MaxTime=1-0' \
		PreemptType=preempt/qos "$@"
	local_users ann
	sacctmgr -iQ add qos low $low >/dev/null
	sacctmgr -iQ add qos urgent preempt=low priority=100 >/dev/null
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab qos=low,urgent,normal defaultqos=low >/dev/null
}

submit() {
	srecord job user=ann account=lab partition=p mem=10 "$@" >/dev/null
}

# Job 1 has n1, job 2 has n2, since an hour ago.
both_busy() {
	local job='qos=low cpus=4 time=600 submit=now-2hour start=now-1hour state=RUNNING'
	submit id=1 $job nodelist=n1
	submit id=2 $job nodelist=n2
}

lines() {
	splan --csv -h "$@" | cut -d, -f1,6,9-11
}

states() {
	sacct -aXPn -D -S now-1day -E now+1day -o JobID,State,NodeList "$@"
}

@test "splan: a job pushes another aside, one line for each" {
	site preemptmode=cancel
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	prints $'3,preempt,1,n1,None\n1,cancel,1,n1,Preempted by 3' lines
	prints '[{"job_id":1,"job":"1","mode":"cancel"}]' preempts
	# Nothing has changed.
	prints $'1|RUNNING|n1\n2|RUNNING|n2\n3|PENDING|None assigned' states
}

preempts() {
	splan --json | jq -c '.jobs[] | select(.job_id == 3).preempts | map(del(.end_time))'
}

@test "splan --start: cancel" {
	site preemptmode=cancel
	both_busy
	srecord step job=1 step=0 >/dev/null
	submit id=3 qos=urgent cpus=4 time=60
	splan --start >/dev/null
	prints $'1|PREEMPTED|n1\n2|RUNNING|n2\n3|RUNNING|n1' states
	prints '1.0|CANCELLED' steps -j 1
	[ "$(ask 'SELECT count(*) FROM preemption')" = 0 ]
}

steps() {
	sacct -Pn -o JobID,State "$@" | grep '[.]'
}

@test "splan --start: every task of an array pushes for itself" {
	site preemptmode=cancel
	both_busy
	submit id=3 qos=urgent cpus=4 time=60 array=1-3 array_job=3
	prints "3_[1-3],preempt,1,n1,None
1,cancel,1,n1,Preempted by 3_[1-3]
3_[1-3],preempt,1,n2,None
2,cancel,1,n2,Preempted by 3_[1-3]
3_[1-3],reserve,1,n1,Resources" lines
	splan --start >/dev/null
	prints $'3_1|RUNNING|n1\n3_2|RUNNING|n2\n3_[3]|PENDING|None assigned' states -j 3
}

@test "splan: who may push others aside stands in front" {
	site preemptmode=cancel PriorityWeightQOS=0
	submit id=3 qos=low cpus=8 nodes=2 time=60 priority=9000
	submit id=4 qos=urgent cpus=8 nodes=2 time=60 priority=10
	prints $'4 start\n3 reserve' actions
}

actions() {
	splan --csv -h "$@" | cut -d, -f1,6 | tr , ' ' | sort -r
}

@test "splan --start: requeue" {
	site preemptmode=requeue
	both_busy
	submit id=3 qos=urgent cpus=8 nodes=2 time=60 submit=now-1minute
	prints "3,preempt,2,n[1-2],None
1,requeue,1,n1,Preempted by 3
2,requeue,1,n2,Preempted by 3" lines
	splan --start >/dev/null
	prints "1|PREEMPTED|n1
2|PREEMPTED|n2
3|RUNNING|n[1-2]
1|PENDING|None assigned
2|PENDING|None assigned" states
	# They wait like any other, and start once more.
	prints $'1 PENDING Resources\n2 PENDING Priority' squeue -h -t pd -S i -o '%i %T %r'
	srecord job id=3 end=now >/dev/null
	splan --start >/dev/null
	prints $'1 RUNNING n1 1\n2 RUNNING n2 1' restarts
}

restarts() {
	squeue -h -S i -O 'JobID:.1,State:.8,NodeList:.3,RestartCnt:.2' | tr -s ' '
}

@test "splan --start: suspend, and run on when there is room" {
	site preemptmode=suspend PreemptMode=SUSPEND,GANG
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	submit id=4 qos=low cpus=4 time=60
	splan --start >/dev/null
	prints $'1 SUSPENDED\n2 RUNNING\n3 RUNNING\n4 PENDING' squeue -h -S i -o '%i %T'
	# No room yet.
	splan --start >/dev/null
	prints $'1 SUSPENDED\n2 RUNNING\n3 RUNNING\n4 PENDING' squeue -h -S i -o '%i %T'
	srecord job id=3 end=now >/dev/null
	prints $'1,resume,1,n1,None\n4,reserve,1,n1,Resources' lines
	splan --start >/dev/null
	prints $'1 RUNNING\n2 RUNNING\n4 PENDING' squeue -h -S i -o '%i %T'
	[ "$(ask 'SELECT count(*) FROM preemption')" = 0 ]
}

@test "splan: a suspended job keeps its memory" {
	site preemptmode=suspend PreemptMode=SUSPEND,GANG
	both_busy
	submit id=3 qos=urgent cpus=4 time=60 mem=95
	prints 3,reserve,1,n1,Resources lines
	srecord job id=3 mem=90 >/dev/null
	prints $'3,preempt,1,n1,None\n1,suspend,1,n1,Preempted by 3' lines
}

@test "splan --start: warned first, gone when the grace time is over" {
	site 'preemptmode=cancel gracetime=300'
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	submit id=4 qos=normal cpus=4 time=1
	prints $'3,preempt,1,n1,Resources\n1,cancel,1,n1,Preempted by 3' first_two
	splan --start >/dev/null
	splan --start >/dev/null
	prints $'1 RUNNING\n2 RUNNING\n3 PENDING\n4 PENDING' squeue -h -S i -o '%i %T'
	prints 300 ask 'SELECT due - warned FROM preemption'
	[[ $(squeue -h -j 1 -O PreemptTime) == 2* ]]
	[[ $(squeue -h -j 2 -O PreemptTime) == N/A* ]]
	# Not before its time.
	ask 'UPDATE preemption SET warned = warned - 200, due = due - 200'
	splan --start >/dev/null
	prints $'1 RUNNING\n2 RUNNING\n3 PENDING\n4 PENDING' squeue -h -S i -o '%i %T'
	ask 'UPDATE preemption SET warned = warned - 200, due = due - 200'
	splan --start >/dev/null
	prints $'2 RUNNING\n3 RUNNING\n4 PENDING' squeue -h -S i -o '%i %T'
	prints $'1|PREEMPTED|n1' states -j 1
}

first_two() {
	lines | head -n 2
}

@test "splan --start: a warning is taken back when nobody needs it" {
	site 'preemptmode=cancel gracetime=300'
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	splan --start >/dev/null
	prints 1 ask 'SELECT job FROM preemption'
	srecord job id=2 end=now >/dev/null
	splan --start >/dev/null
	prints $'1 RUNNING n1\n3 RUNNING n2' squeue -h -S i -o '%i %T %N'
	prints '' ask 'SELECT job FROM preemption'
}

@test "splan: exemption of QOS, partition and site" {
	site preemptmode=cancel PreemptExemptTime=2:00:00
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	prints 3,reserve,1,n1,Resources lines
	sacctmgr -iQ modify qos low set preemptexempttime=00:30:00 >/dev/null
	prints $'3,preempt,1,n1,None\n1,cancel,1,n1,Preempted by 3' lines
}

@test "splan: the mode of the site" {
	site '' PreemptMode=REQUEUE
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	prints $'3,preempt,1,n1,None\n1,requeue,1,n1,Preempted by 3' lines
}

@test "splan: no mode, no preemption" {
	site ''
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	prints 3,reserve,1,n1,Resources lines
	prints Resources squeue -h -j 3 -o %r
}

@test "splan: no type, no preemption" {
	site preemptmode=cancel PreemptType=preempt/none
	both_busy
	submit id=3 qos=urgent cpus=4 time=60
	prints 3,reserve,1,n1,Resources lines
}

@test "splan: by the tier of partitions" {
	site preemptmode=off PreemptType=preempt/partition_prio PreemptMode=REQUEUE \
		'PartitionName=high Nodes=n[1-2] PriorityTier=10' \
		'PartitionName=kept Nodes=n[1-2] PreemptMode=OFF'
	both_busy
	srecord job id=1 partition=kept >/dev/null
	submit id=3 partition=high qos=normal cpus=4 time=60
	prints $'3,preempt,1,n2,None\n2,requeue,1,n2,Preempted by 3' lines
}

@test "splan: words of slurm.conf that are none are named" {
	site '' PreemptType=preempt/luck
	capture splan
	[ "$status" -eq 0 ]
	[[ $stderr == *"PreemptType: 'preempt/luck' is not known"* ]]
}

@test "splan: a mode that is none is named" {
	site '' PreemptMode=REQUEUE,HOPE
	capture splan
	[[ $stderr == *"PreemptMode: 'REQUEUE,HOPE' is not known"* ]]
}
