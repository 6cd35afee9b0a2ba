#!/usr/bin/env bats
# squeue -s: steps in place of jobs.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	srecord job user=ann account=lab cpus=2 mem=100 submit=now-2hours start=now-2hours \
		nodelist=vm >/dev/null
	srecord step job=1 step=0 name=solve start=now-1hour tasks=2
	srecord step job=1 step=batch start=now-2hours
	srecord step job=1 step=1 name=post start=now-1hour end=now-30minutes
	srecord step job=1 step=2 name=plot start=now-10minutes nodelist=n7
	srecord job user=bob account=lab mem=100 >/dev/null
	srecord job user=bob account=lab mem=100 array_job=9 array_task=3 start=now-10minutes \
		nodelist=vm >/dev/null
	srecord step job=3 step=extern start=now-10minutes
	srecord job user=ann account=lab mem=100 submit=now-3hours start=now-3hours \
		end=now-1minute >/dev/null
	srecord step job=4 step=0 name=gone start=now-3hours
}

ids() {
	squeue -h -o %i "$@" | paste -sd' '
}

@test "squeue -s: the steps that run, their columns" {
	same table "$(squeue -s | sed 's/ [0-9:]*:[0-9][0-9] / T /')" \
		'         STEPID     NAME PARTITION     USER      TIME NODELIST
        1.batch    batch     debug      ann   T vm
            1.0    solve     debug      ann   T vm
            1.2     plot     debug      ann     T n7
     9_3.extern   extern     debug      bob     T vm'
	prints 'STEPID TASKS STATE
1.0 2 RUNNING' squeue -s1.0 -o '%i %A %t'
	prints 'STEPID              NAME                TASKS               ACCOUNT             ' \
		squeue -s 7 -O stepid,stepname,numtasks,account
	same letters "$(squeue -s --helpformat | tr -d ' %\n')" NAPSijlMUu
	same types "$(squeue -s --helpFormat | wc -w)" 33
	prints "1 2 -: (null) (null)" bash -c 'squeue -hs1.0 \
		-O jobid:.1,numtasks:.2,cpufreq:.3,tres-per-job:.7,resvports:.7'
	capture squeue -s1.0 -O "$(squeue -s --helpFormat | xargs | tr ' ' ,),gres,tres-per-node"
	same 'every type' "$status$stderr" 0
	prints '1.0,solve' squeue -s1.0 --csv -h -o '%i %j'
}

@test "squeue -s: which, and in which order" {
	prints '1.batch 1.0 1.2 9_3.extern' ids -s
	prints '1.0 9_3.extern' ids -s1.0,9_3.extern
	prints '1.0' ids --steps=1.0
	prints '1.batch' ids -s 1.batch
	prints '1.batch 1.0 1.2' ids --step=1
	prints '9_3.extern' ids -s9
	prints '9_3.extern' ids -s -u bob
	prints '1.batch 1.0 1.2' ids -s -j1
	prints '' ids -s2
	prints '9_3.extern 1.2 1.0 1.batch' ids -s -S -i
	prints '1.batch 1.0 1.2 9_3.extern' ids -s -S S,i
	prints '1.batch 9_3.extern 1.2 1.0' ids -s -S j
}

@test "squeue -s: what is wrong is named" {
	refuses 'Invalid job_step id: 1.x' squeue -s1.x
	refuses 'Invalid job_step id: x' squeue --steps=x
	capture squeue -s --json
	same status "$status" 1
	[[ $(jq -r '.errors[0].description' <<<"$stdout") == '--steps is a table'* ]]
	refuses '--steps is a table' squeue -s --what-if='modify user ann set fairshare=2'
	capture squeue -s -h -o %Z
	same message "$stderr" 'squeue: error: Invalid job step format specification: Z'
	capture squeue -s -h -O workdir
	same message "$stderr" 'squeue: error: Invalid job step format specification: workdir'
}

@test "squeue -s, scontrol show step: a SLUID means its job alone" {
	local sluid
	srecord job id=20 user=bob account=lab mem=100 start=now nodelist=vm >/dev/null
	srecord step job=20 step=0 start=now
	sluid=$(squeue -h -j 1 -O sluid | tr -d ' ')
	[[ $sluid == s* ]]
	same squeue "$(squeue -h -s "$sluid" -o %i)" "$(squeue -h -s 1 -o %i)"
	same scontrol "$(scontrol -o show step "$sluid")" "$(scontrol -o show step 1)"
}
