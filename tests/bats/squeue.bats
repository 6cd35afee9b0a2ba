#!/usr/bin/env bats
# squeue: selection, columns, order, environment, output for machines.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ add account lab,phys >/dev/null
	sacctmgr -iQ add user ann,bob account=lab,phys >/dev/null
	srecord job user=ann account=lab name=one mem=100 cpus=2 time=60 start=now nodelist=vm \
		state=RUNNING >/dev/null
	srecord job user=bob account=phys name=two mem=100 cpus=4 time=30 hold=1 >/dev/null
	srecord job user=ann account=lab name=three mem=100 start=now-10minutes end=now-1minute \
		submit=now-10minutes >/dev/null
	srecord job user=ann account=lab name=old mem=100 submit=now-2hours start=now-2hours \
		end=now-1hour >/dev/null
}

ids() {
	squeue -h -S i -o %i "$@" | paste -sd' '
}

@test "squeue: which jobs" {
	prints "1 2" ids
	prints "1 2 3" ids -t all
	prints 3 ids -t CD
	prints 3 ids -t completed,failed
	prints "1 2" ids -t r,pd
	prints 1 ids -u ann
	prints "1 2" ids -u ann,1002
	prints 2 ids -A PHYS
	prints 1 ids -n ONE
	prints "1 2" ids -q normal
	prints 1 ids -w vm
	refuses 'squeue: error: Invalid node name other' squeue -w vm,other
	srecord node node=other state=down start=now-3hours end=now-2hours
	prints 1 ids -w vm,other
	prints 2 ids -j 2
	prints "" ids -j 2,99 -t R
	prints "1 2" ids -j 1,2
	prints "" ids -j 1_2 # the job is there, that task is not
	refuses 'Invalid job id specified' squeue -h -j 99_2
	prints "" ids --running-over=5
	prints 1 ids --running-under=5
	prints 1 as ann squeue -h --me -o %i
	prints 2 as ann squeue -h --notme -o %i
}

@test "squeue: a job that is not there" {
	capture squeue -j 4
	same status "$status" 1
	same message "$stderr" "slurm_load_jobs error: Invalid job id specified"
	capture squeue -j 3
	same status "$status" 0
}

@test "squeue: what was asked for is told as it was, in columns and as JSON" {
	echo 'NodeName=n[1-9] CPUs=64' >>"$SLURM_CONF"
	srecord job user=ann account=lab name=asks cpus=8 nodes=2 tasks=6 cpus_per_task=2 \
		tasks_per_node=3 mem_per_cpu=2000M required_nodes=n1 excluded_nodes=n[7,9] \
		max_nodes=4 gpus_per_task=1 gpus_per_socket=2 workdir=/home/ann \
		stdout=out-%j stderr=err-%u >/dev/null
	prints '6 2 2 3 out-%j err-%u (null) n1 n[7,9] 6 2000M 4 gres/gpu:1 gres/gpu:2 ' \
		squeue -h -j 5 -O "NumTasks: ,cpus-per-task: ,CPUsPerTask: ,NTPerNode: ,StdOut: ,\
StdErr: ,StdIn: ,ReqNodes: ,ExcNodes: ,MinCPUs: ,MinMemory: ,MaxNodes: ,tres-per-task: ,\
tres-per-socket: "
	prints '2000M 6 n1 n[7,9]' squeue -h -j 5 -o '%m %c %n %x'
	prints '/home/ann/out-5 /home/ann/err-ann' \
		squeue -h -j 5 --expand-patterns -O 'StdOut: ,StdErr:.17'
	prints '["out-%j","/home/ann/out-5","err-%u","/home/ann/err-ann","","",6]' \
		bash -c "squeue -j 5 --json | jq -c '.jobs[0] | [.standard_output, .stdout_expanded,
			.standard_error, .stderr_expanded, .standard_input, .stdin_expanded,
			.minimum_cpus_per_node.number]'"
	srecord job user=ann account=lab nodes=2 mem_per_node=3G gpus=2 >/dev/null
	prints 3G squeue -h -j 6 -o %m
	prints '1 0 2 2 (null) N/A' squeue -h -j 6 -O \
		'CPUsPerTask:2,NTPerNode:2,NumTasks:2,MaxNodes:2,StdOut:7,tres-per-task:3'
}

@test "squeue: columns of -o" {
	prints "[    1|vm   |one|2|1:00:00|R|vm|]" \
		squeue -h -t R -o "[%.5i|%5N|%j|%C|%l|%t|%R|%n]"
	prints "2 (JobHeldUser) N/A (null) 0 0.00000000000000" \
		squeue -h -t PD -o "%A %R %e %v %Q %p"
	prints "JOBID|USER" squeue -o "%i|%u" -t CA
	prints $'2 N/A (null)' squeue --start -h -o "%i %S %Y"
}

@test "squeue: columns of -O" {
	prints "1   one vm" \
		bash -c 'squeue -h -t R -O "jobid:4,name:.3 ,nodelist:3" | sed "s/ *$//"'
	prints "0:0 N/A NA" \
		bash -c 'squeue -h -t R -O "exit_code:4,arraytaskid:4,origin:3" | sed "s/ *$//"'
}

@test "squeue: what no request says" {
	prints "1 1 0 0 0 0 N/A N/A" bash -c 'squeue -h -t R -O "cpuspertask:.1,cpus-per-task:.2,\
boardspernode:.2,sperboard:.2,ntpernode:.2,ntperboard:.2,ntpersocket:.4,ntpercore:.4"'
}

@test "squeue: widths cut values, not lists of nodes" {
	prints "on" squeue -h -t R -o %2j
	prints "vm" squeue -h -t R -o %.1N
	prints "1:00:00" squeue -h -t R -o %.3l
	prints "TIM" bash -c 'squeue -t R -o %.3l | head -1'
}

@test "squeue: bad words" {
	refuses "Invalid sort specification: k" squeue -S k -h
	refuses "squeue: error: Invalid sort specification: s" squeue -S bogus -h
	refuses "Invalid job id: x" squeue -j x
	refuses "incompatible" squeue -o %i -O jobid
	refuses "mutually exclusive" squeue -l -o %i
	refuses "--iterate=0" squeue -i 0
	refuses "--iterate=5x" timeout 20 squeue -i 5x
	refuses "--iterate=5x" timeout 20 sinfo -i 5x
	refuses "Invalid time limit specification" squeue --running-over=x
	capture squeue word
	same status "$status" 1
	[[ $stderr == *"Unrecognized option: word"* ]]
}

@test "squeue: environment" {
	SQUEUE_FORMAT='%i' prints $'JOBID\n1' squeue -t R
	SQUEUE_FORMAT2='jobid:2' prints "1 " squeue -h -t R
	SQUEUE_STATES=PD prints 2 ids
	SQUEUE_USERS=bob prints 2 ids
	SQUEUE_ACCOUNT=lab prints 1 ids
	SQUEUE_SORT=-i prints $'2\n1' squeue -h -o %i
	SQUEUE_SORT=-i prints "1 2" ids
}

@test "squeue: order" {
	prints "2 1" bash -c 'squeue -h -S t -o %i | paste -sd" "'
	prints "2 1" bash -c 'squeue -h -S -C,i -o %i | paste -sd" "'
	prints "2 1" bash -c 'squeue -h -S -u -o %i | paste -sd" "'
	prints "1 2" bash -c 'squeue -h -S S -o %i | paste -sd" "'
	prints "1 3" bash -c 'squeue -h -t R,CD -S M -o %i | paste -sd" "'
	prints "3 1" bash -c 'squeue -h -t R,CD -S -M -o %i | paste -sd" "'
	# What is unlimited has the most left; of one job the partition of the higher tier.
	echo 'PartitionName=first Nodes=ALL PriorityTier=9 State=UP' >>"$SLURM_CONF"
	srecord job user=ann account=lab partition=debug,first time=unlimited >/dev/null
	prints "2 1 5" bash -c 'squeue -h -S L -o %i | paste -sd" "'
	prints $'debug\nfirst' squeue -h -P -j 5 -S p -o %P
	prints $'first\ndebug' squeue -h -P -j 5 -S -p -o %P
	# Of what nothing tells apart and has no start yet the newest comes first, as in Slurm.
	srecord job user=bob account=lab hold=1 array=1-2 >/dev/null
	srecord job user=bob account=lab hold=1 >/dev/null
	prints "7 6_1 6_2 2" bash -c 'squeue -h -r -u bob -o %i | paste -sd" "'
	prints "7 6_1 6_2 2" bash -c 'squeue -h -r -u bob -S u -o %i | paste -sd" "'
	prints "2 6_[1-2] 7" bash -c 'squeue -h -u bob -S i -o %i | paste -sd" "'
}

@test "squeue: arrays" {
	srecord job user=ann account=lab array=3-5 array_job=9 mem=100 >/dev/null
	prints "9_[3-5]" squeue -h -u ann -t PD -o %i
	prints "9_3 9_4 9_5" bash -c 'squeue -h -r -u ann -t PD -S i -o %i | paste -sd" "'
	prints $'9_4\n9_5' squeue -h -j 9_5,9_4,9_7 -S i -o %i
	prints 9_5 squeue -h -r -j 9_5 -o %i
	prints '9_[3-5]' squeue -h -j 9,9_5 -o %i
}

@test "squeue: a job that waits has as many nodes as its tasks need of the largest" {
	printf '%s\n' 'NodeName=n[1-4] CPUs=16 RealMemory=8000' \
		'PartitionName=small Nodes=n[1-4] State=UP' \
		'PartitionName=mixed Nodes=n1,vm State=UP' >>"$SLURM_CONF"
	for words in 'small cpus=40' 'mixed cpus=40' 'mixed,small cpus=80' 'small,mixed cpus=80' \
		'small cpus=33 nodes=4' 'small cpus=32 cpus_per_task=6' \
		'small cpus=8 tasks=8 tasks_per_node=2'; do
		srecord job user=bob account=lab mem=1 hold=1 partition=$words >/dev/null
	done
	prints $'3\n1\n2\n5\n4\n2\n4' bash -c 'squeue -h -u bob -S i -o %D | tail -n +2'
	[[ $(scontrol show job 5) == *NumNodes=3\ * ]]
	srecord job id=5 start=now nodelist='n[1-2]' hold=0
	prints 2 squeue -h -j 5 -o %D
}

@test "squeue: a limit on tasks is a reason when so many of them run" {
	local reason='squeue -h -j 9 -t PD -o %r'
	srecord job id=1 state=COMPLETED end=now >/dev/null
	srecord job id=9 user=ann account=lab array='1-4%2' array_job=9 mem=1 cpus=1 \
		time=10 >/dev/null
	prints Priority $reason
	srecord job id=10 user=ann account=lab array_job=9 array_task=5 mem=1 cpus=1 time=10 \
		start=now nodelist=vm state=RUNNING >/dev/null
	prints Priority $reason
	srecord job id=11 user=ann account=lab array_job=9 array_task=6 mem=1 cpus=1 time=10 \
		start=now nodelist=vm state=RUNNING >/dev/null
	prints JobArrayTaskLimit $reason
}

@test "squeue --start plans where no plan is recorded; a job that waits for its time" {
	local -x BURSAR_STORE BURSAR_NOW TZ=UTC
	BURSAR_STORE=$(store)
	BURSAR_NOW=$(date +%s)
	at() { date -d "@$((BURSAR_NOW + $1))" +%FT%T; }
	srecord job id=1 state=COMPLETED end=now >/dev/null
	srecord job id=20 user=ann account=lab cpus=60 mem=1 time=60 start=now nodelist=vm \
		state=RUNNING >/dev/null
	srecord job id=21 user=ann account=lab cpus=32 mem=1 time=60 >/dev/null
	srecord job id=22 user=ann account=lab cpus=1 mem=1 time=60 begin=now+2hours >/dev/null
	prints $'21 '"$(at 3600)"' vm
22 '"$(at 7200)"' (null)' squeue --start -h -j 21,22 -S i -o '%i %S %Y'
	srecord job id=23 user=ann account=lab cpus=1 mem=1 time=60 begin=now+90minutes >/dev/null
	prints "21 23 22" bash -c 'squeue --start -h -j 21,22,23 -o %i | paste -sd" "'
	capture squeue --start -v -h
	[[ $stderr == 'squeue: no plan is recorded for cluster canis: '* ]]
	prints '21 N/A' squeue -h -j 21 -o '%i %S'
	prints "22||$(at 7200)|wait" \
		bash -c 'splan -hP -o jobid,starttime,begintime,action | grep ^22'
	prints "BeginTime|$(at 7200)" bash -c 'splan -hP | grep ^22 | cut -d "|" -f 11-'
	splan --record >/dev/null
	capture squeue --start -v -h
	[[ $stderr != *'no plan'* && $stdout == *"$(at 3600)"* ]]
	BURSAR_NOW=$((BURSAR_NOW + 86400)) # all that was recorded has gone by
	capture squeue --start -v -h
	[[ $stderr == *'no plan is recorded'* ]]
}

@test "squeue: whether a job shares its nodes" {
	echo 'PartitionName=both Nodes=vm OverSubscribe=YES' >>"$SLURM_CONF"
	srecord job id=90 user=ann account=lab partition=both >/dev/null
	srecord job id=91 user=ann account=lab partition=both exclusive=1 >/dev/null
	srecord job id=92 user=ann account=lab >/dev/null
	prints $'90 OK\n91 NO\n92 NO' squeue -h -j 90,91,92 -S i -o '%i %h'
}

@test "squeue: -P has a line for each partition" {
	srecord job user=ann account=lab partition=debug,gpu cpus=64 mem=100 >/dev/null
	prints $'debug\ngpu' bash -c 'squeue -h -P -u ann -t PD -o %P | sort'
	prints "debug,gpu" squeue -h -u ann -t PD -o %P
}

@test "squeue: output for machines" {
	[ "$(squeue --json | jq -r '.jobs[] | select(.job_id==2).state_reason')" = JobHeldUser ]
	[ "$(squeue --json -t R | jq -r '.jobs[0].time_limit.number')" = 60 ]
	[ "$(squeue --json -t R | jq -r '.jobs[0].job_state[0]')" = RUNNING ]
	same members "$(squeue --json | jq -c '[.jobs[] | keys | length]')" '[137,137]'
	same 'not asked' "$(squeue --json -t PD | jq -c '.jobs[0] | [.cpus_per_task.number,
		.tasks_per_core.infinite, .sockets_per_node.set, .flags, .profile, .job_resources,
		.requeue, .step_id.step_id]')" '[1,true,false,[],["NOT_SET"],null,true,"entire"]'
	same allocated "$(squeue --json -t R | jq -c '.jobs[0] | [.batch_host, .tasks.set] +
		[.job_resources | .nodes.count, .nodes.list, .cpus]')" '["vm",false,1,"vm",2]'
	same beside "$(squeue --json | jq -c 'keys_unsorted')" \
		'["jobs","last_backfill","last_update","meta","errors","warnings"]'
	[ "$(squeue --ndjson | wc -l)" = 2 ]
	[ "$(squeue --csv -t R -o '%i %u')" = $'job_id,user\n1,ann' ]
}

@test "squeue: why, in more words where Slurm has them" {
	cat >>"$SLURM_CONF" <<-'EOF'
		PartitionName=vip Nodes=vm AllowQos=high,top
		PartitionName=not Nodes=vm DenyQos=normal
	EOF
	sacctmgr -iQ add qos high,top >/dev/null
	srecord job id=901 user=ann account=lab partition=vip >/dev/null
	srecord job id=902 user=ann account=lab partition=not >/dev/null
	local told="Job's QOS not permitted to use this partition"
	prints "901|$told (vip allows high,top not normal)" squeue -h -j 901 -o '%i|%r'
	prints "902|($told (not denies normal including normal))" squeue -h -j 902 -o '%i|%R'
	prints "QOSNotAllowed
$told (vip allows high,top not normal)" bash -c \
		'squeue --json -j 901 | jq -r ".jobs[] | .state_reason, .state_description"'
}

@test "squeue: private jobs" {
	echo PrivateData=jobs >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	prints 2 as bob squeue -h -o %i
	prints "1 2" ids
}

@test "squeue: help" {
	[[ $(squeue --helpstate | head -1) == pending ]]
	[[ $(squeue --helpFormat | head -1) == Account* ]]
	[[ $(squeue --helpformat | head -1) == %a* ]]
	[[ $(squeue -V) == "slurm 26.05.3"* ]]
}

@test "squeue: all letters and types can be printed" {
	capture squeue -t all -o %all
	same status "$status" 0
	for type in $(squeue --helpFormat); do
		capture squeue -h -t all -O "$type"
		same "status of $type" "$status" 0
		same "messages of $type" "$stderr" ''
	done
}

@test "squeue: named clusters, those of the federation" {
	sacctmgr -iQ add cluster draco >/dev/null
	sacctmgr -iQ add federation f clusters=canis,draco >/dev/null
	sacctmgr -iQ add account lab cluster=draco >/dev/null
	sacctmgr -iQ add user ann account=lab cluster=draco >/dev/null
	srecord job id=7 cluster=draco user=ann account=lab mem=100 >/dev/null
	prints "1 2" ids
	prints 7 ids -h -M draco
	prints "1 2 7" ids --federation
	prints "1 2" ids --federation --local
	refuses "'nix' can't be reached now" squeue -M nix
}

@test "squeue --what-if: what it shows is what happens then; nothing is written" {
	srecord job user=ann account=lab cpus=8 mem=100 time=60 >/dev/null
	chmod a+rX "$(dirname "$(store)")" "$(store)"
	local before seen
	before=$(ask .dump)
	capture as ann squeue -h -j 5 -o '%Q %r' --what-if='modify user ann set maxjobs=1' \
		--what-if='modify qos normal set priority=10' --what-if=PriorityWeightQOS=7000
	same status "$status" 0
	seen=$(awk '{ print $2, $5 }' <<<"$stdout")
	same reason "$(awk '{ print $4, $5 }' <<<"$stdout")" 'Priority AssocMaxJobsLimit'
	same store "$(ask .dump)" "$before"
	echo PriorityWeightQOS=7000 >>"$SLURM_CONF"
	sacctmgr -iQ modify qos normal set priority=10 >/dev/null
	sacctmgr -iQ modify user ann set maxjobs=1 >/dev/null
	prints "$seen" squeue -h -j 5 -o '%Q %r'
}

@test "squeue --what-if: columns, jobs that come and go, machine output" {
	srecord job user=ann account=lab cpus=8 mem=100 time=60 >/dev/null
	same heading "$(squeue -t CA --what-if='job user=ann account=lab' | tr -s ' ')" \
		" JOBID PARTITION USER ST PRIORITY IF_SO DIFFERENCE START_TIME IF_SO DIFFERENCE $(
		)REASON IF_SO "
	same csv "$(squeue -t CA --csv -o '%i %r %S' --what-if='job id=2 hold=0')" \
		job_id,reason,reason_if_so,start_time,start_time_if_so,start_time_difference
	prints $'2|JobHeldUser|Priority|PENDING|PENDING\n5|Priority|Priority|PENDING|PENDING' \
		squeue -h -S i -t PD -o '%i|%r|%T' --what-if='job id=2 hold=0'
	same starts "$(squeue -h -S i -t PD -o '%i|%S' --what-if='job id=2 hold=0' \
		--what-if='job user=bob account=lab cpus=64' | sed 's/|20[-0-9T:]*|/|later|/')" \
		$'2|N/A|now|\n5|now|N/A|\n6||later|'
	same places "$(squeue -h -S i -t R,PD -u bob -o '%i|%R' --what-if='job id=1 nodelist=vm')" \
		'2|(JobHeldUser)|(JobHeldUser)'
	same gone "$(squeue --json -j 5 --what-if='job id=5 state=CANCELLED end=now' -t PD |
		jq -c '.what_if[] | [.job_id, .before.state_reason, .after, .difference]')" \
		'[5,"Priority",null,{"priority":null,"start_time":null}]'
	same record "$(squeue --ndjson -j 2 --what-if='job id=2 hold=0' |
		jq -c '[.user_name, .before.starts_now, .after.starts_now, .after.state_reason]')" \
		'["bob",false,true,"Priority"]'
	prints 6 squeue -h -j 6 -o %i --what-if='job user=bob account=lab mem=1'
	capture squeue -j 7 --what-if='job user=bob account=lab mem=1'
	same status "$status" 1
	same titles "$(squeue -M canis -h -o %i -j 2 --what-if=PriorityWeightAge=1)" 2
	same titles "$(squeue -M canis -o %i -j 2 --what-if=PriorityWeightAge=1 | head -1)" \
		'CLUSTER: canis'
}

@test "squeue --what-if: what is no change, who sees what" {
	refuses "--what-if='nonsense': neither" squeue --what-if=nonsense
	refuses 'user nix is not known' squeue --what-if='job user=nix'
	refuses "'Prioritty' is no keyword" squeue --what-if=Prioritty=1
	chmod a+rX "$(dirname "$(store)")" "$(store)"
	echo PrivateData=jobs >>"$SLURM_CONF"
	prints 1 as ann squeue -h -S i -o %i --what-if='job user=bob account=lab mem=1' \
		--what-if='add coordinator account=lab,phys names=ann'
}

@test "squeue, sprio, sshare: the same users by name and number, repeated or not there" {
	prints "1" squeue -h -S i -o %i -u ann,ann,1001
	capture squeue -h -o %i -u nix,nix,99999,ann
	same messages "$stderr" "squeue: error: Invalid user: nix

squeue: error: Invalid user: nix

squeue: error: Invalid user: 99999"
	same job "$stdout" 1
	capture sprio -h -o %i -u nix,99999,ann
	same messages "$stderr" "sprio: error: Invalid user: nix

sprio: error: Invalid user: 99999"
	refuses 'Invalid user id: 99999' sshare -u 99999
	ask "UPDATE job SET uid = 99999, user = 'gone', assoc = NULL
		WHERE id = 2"
	prints 2 squeue -h -o %i -u 99999
	prints 2 squeue -h -o %i -u gone,99999
}

# association NAME: of that job of the queue its association's id and its priority.
association() {
	squeue -t all --json | jq -r --arg name "$1" \
		'.jobs[] | select(.name == $name) | "\(.association_id) \(.priority.number)"'
}

# Both need the tree of associations, which squeue reads only where there are jobs.
@test "a job that ended a moment ago is shown the same with and without others" {
	local id priority other_id other
	srecord job id=1 state=completed end=now >/dev/null
	srecord job id=2 state=cancelled end=now >/dev/null
	same active '' "$(squeue -h -o %i)"
	read -r id priority <<<"$(association three)"
	srecord job user=bob account=phys cpus=4 hold=1 >/dev/null
	read -r other_id other <<<"$(association three)"
	same association "$id" "$other_id"
	((id > 0 && priority > 1000)) || same 'fair-share in' "$priority" 'the priority'
	# its age may have come to another point meanwhile
	((other - priority <= 1 && priority - other <= 1)) || same priority "$priority" "$other"
}
