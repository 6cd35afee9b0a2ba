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
	prints "" ids -w other
	prints 2 ids -j 2
	prints "" ids -j 2,99 -t R
	prints "1 2" ids -j 1,2
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

@test "squeue: widths cut values, not lists of nodes" {
	prints "on" squeue -h -t R -o %2j
	prints "vm" squeue -h -t R -o %.1N
	prints "1:00:00" squeue -h -t R -o %.3l
	prints "TIM" bash -c 'squeue -t R -o %.3l | head -1'
}

@test "squeue: bad words" {
	refuses "Invalid sort specification: k" squeue -S k -h
	refuses "Invalid job id: x" squeue -j x
	refuses "incompatible" squeue -o %i -O jobid
	refuses "mutually exclusive" squeue -l -o %i
	refuses "--iterate=0" squeue -i 0
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
}

@test "squeue: arrays" {
	srecord job user=ann account=lab array=3-5 array_job=9 mem=100 >/dev/null
	prints "9_[3-5]" squeue -h -u ann -t PD -o %i
	prints "9_3 9_4 9_5" bash -c 'squeue -h -r -u ann -t PD -S i -o %i | paste -sd" "'
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
	[ "$(squeue --ndjson | wc -l)" = 2 ]
	[ "$(squeue --csv -t R -o '%i %u')" = $'JOBID,USER\n1,ann' ]
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
