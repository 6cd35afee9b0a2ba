#!/usr/bin/env bats
# Limits: refused at submission or waiting with a reason.

load lib

start() {
	fresh_cluster "$@"
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

submit() {
	srecord job user=ann account=lab mem=100 time=20 "$@" >/dev/null
}

reasons() {
	splan --start >/dev/null
	squeue -h -S i -o "%i %r"
}

@test "limits: partition QOS before job QOS before association" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP' \
		'PartitionName=big Nodes=vm State=UP QOS=part'
	sacctmgr -iQ add qos part maxtres=cpu=6 >/dev/null
	sacctmgr -iQ add qos job maxtres=cpu=4 >/dev/null
	sacctmgr -iQ add qos over maxtres=cpu=4 flags=OverPartQOS >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,job,over maxtres=cpu=3 >/dev/null
	submit cpus=5 partition=big qos=job
	submit cpus=5 partition=big qos=over
	submit cpus=4 qos=job
	submit cpus=4
	prints $'1 None\n2 QOSMaxCpuPerJobLimit\n3 None\n4 AssocMaxCpuPerJobLimit' reasons
}

@test "limits: jobs of a group share its nodes" {
	start
	sacctmgr -iQ add qos one grptres=node=1,license/lica=2 >/dev/null
	sacctmgr -iQ add qos own maxtrespu=node=1,gres/gpu=1 >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,one,own >/dev/null
	submit qos=one licenses=licA:1
	submit qos=one licenses=licA:1
	submit qos=one licenses=licA:1
	submit qos=own gres=gpu:1
	submit qos=own gres=gpu:1
	submit qos=own
	prints $'1 None\n2 None\n3 QOSGrpLicense\n4 None\n5 QOSMaxGRESPerUser\n6 None' reasons
	# Without room each would need another node, and nodes come before licenses and gres.
	submit cpus=60
	submit qos=one
	# That is what the main pass says; backfill looks before it has nodes, where it can.
	splan --start >/dev/null
	prints $'3 QOSGrpLicense\n5 QOSMaxGRESPerUser\n8 QOSGrpNodeLimit' \
		squeue -h -t PD -S i -o '%i %r'
	echo SchedulerType=sched/builtin >>"$SLURM_CONF"
	prints $'3 QOSGrpNodeLimit\n5 QOSMaxNodePerUserLimit\n8 QOSGrpNodeLimit' \
		squeue -h -t PD -S i -o '%i %r'
}

@test "limits: what the whole partition has not comes first" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP MaxTime=10' \
		'PartitionName=down Nodes=vm State=DOWN MaxTime=10'
	sacctmgr -iQ modify user ann set maxtres=cpu=2 >/dev/null
	submit cpus=65
	submit nodes=2 cpus=3
	submit cpus=3
	submit cpus=3 time=5
	submit cpus=65 partition=down
	prints $'1 PartitionConfig\n2 PartitionNodeLimit\n3 PartitionTimeLimit
4 AssocMaxCpuPerJobLimit\n5 PartitionDown' bash -c 'splan --start 2>/dev/null >&2
		squeue -h -S i -o "%i %r"'
}

@test "limits: LimitFactor and Relative" {
	start
	sacctmgr -iQ add qos twice limitfactor=2 >/dev/null
	sacctmgr -iQ add qos part flags=Relative grptres=cpu=25 >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,twice,part maxtres=cpu=20 >/dev/null
	submit cpus=21
	submit cpus=21 qos=twice
	submit cpus=17 qos=part
	submit cpus=16 qos=part
	prints $'1 AssocMaxCpuPerJobLimit\n2 None\n3 QOSGrpCpuLimit\n4 None' reasons
}

@test "limits: a relative QOS of two partitions is named, by a plan and by check" {
	start 'PartitionName=debug Nodes=vm Default=YES QOS=part' \
		'PartitionName=twin Nodes=vm QOS=part' 'PartitionName=more Nodes=vm QOS=plain'
	echo 'PartitionName=again Nodes=vm QOS=plain' >>"$SLURM_CONF"
	sacctmgr -iQ add qos part flags=Relative grptres=cpu=25 >/dev/null
	sacctmgr -iQ add qos plain grptres=cpu=25 >/dev/null
	local says="$SLURM_CONF:$(grep -n twin "$SLURM_CONF" | cut -d: -f1): partitions debug and \
twin have the QOS part: one that is relative must be unique, slurmctld would not start"
	capture splan
	same 'a plan' "$stderr" "splan: error: $says"
	capture sacctmgr check slurm.conf
	same check "$(grep -A1 -F "$SLURM_CONF:" <<<"$stdout" | sed 's/^ *//; s/^slurm.conf *//')" \
		"$says
remedy: giving each partition a relative QOS of its own"
	sacctmgr -iQ modify qos part set flags-=Relative >/dev/null
	prints '' splan -h
}

@test "limits: usage threshold" {
	start
	sacctmgr -iQ add qos thr usagethreshold=0.5 flags=EnforceUsageThreshold >/dev/null
	sacctmgr -iQ modify user ann,bob set qos=normal,thr >/dev/null
	sacctmgr -i modify user ann where account=lab set RawUsage=100000 >/dev/null
	submit cpus=1 qos=thr
	srecord job user=bob account=lab mem=100 qos=thr >/dev/null
	prints $'1 QOSUsageThreshold\n2 None' reasons
}

@test "limits: used minutes, and safe" {
	start
	sacctmgr -iQ modify account lab set grptresmins=cpu=100 >/dev/null
	submit cpus=10
	prints "1 None" reasons
	fresh_dir=$BATS_TEST_TMPDIR
	sed -i 's/^AccountingStorageEnforce=.*/AccountingStorageEnforce=safe,qos/' \
		"$fresh_dir/etc/slurm.conf"
	submit cpus=1
	prints $'1 None\n2 AssocGrpCPUMinutesLimit' reasons
}

@test "limits: none without limits in AccountingStorageEnforce" {
	start 'AccountingStorageEnforce=associations'
	sacctmgr -iQ modify account lab set maxjobs=0 maxsubmit=1 >/dev/null
	submit cpus=1
	submit cpus=1
	prints $'1 None\n2 None' reasons
}

@test "limits: a refused submission changes nothing" {
	start
	sacctmgr -iQ modify account lab set grpsubmit=1 >/dev/null
	submit cpus=1
	refuses "AssocGrpSubmitJobsLimit: Job violates accounting/QOS policy" \
		srecord job user=bob account=lab
	prints 1 bash -c 'squeue -h | wc -l'
	# What happened is written down all the same, and frees the place at its end.
	srecord job user=bob account=lab start=now state=RUNNING >/dev/null
	srecord job id=1 state=CANCELLED >/dev/null
	srecord job id=2 end=now state=COMPLETED >/dev/null
	srecord job user=bob account=lab >/dev/null
}

@test "limits: tasks of an array are submitted jobs" {
	start
	sacctmgr -iQ modify account lab set maxsubmit=10 >/dev/null
	refuses AssocMaxSubmitJobLimit srecord job user=ann account=lab array=1-11 array_job=1
	submit array=1-10 array_job=1
	refuses AssocMaxSubmitJobLimit srecord job user=ann account=lab
}

@test "limits: QOS that ask for more" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP QOS=rel'
	sacctmgr -iQ add qos resv flags=RequiresReservation >/dev/null
	sacctmgr -iQ add qos rel flags=Relative grptres=cpu=50 >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,resv,rel >/dev/null
	refuses "Invalid qos specification" srecord job user=ann account=lab qos=resv
	refuses "Invalid qos specification" srecord job user=ann account=lab qos=rel
	submit qos=resv reservation=night
}

@test "limits: partition flags of a QOS" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP MaxTime=10'
	sacctmgr -iQ add qos long flags=PartitionTimeLimit >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,long >/dev/null
	submit cpus=1
	submit cpus=1 qos=long
	prints $'1 PartitionTimeLimit\n2 None' reasons
}

@test "limits: a job without time limit gets MaxWall" {
	start
	sacctmgr -iQ modify user ann set maxwall=45 >/dev/null
	srecord job user=ann account=lab mem=100 >/dev/null
	prints "1 None" reasons
	prints 45:00 squeue -h -o %l
}

@test "limits: a job without time limit gets what groups allow, from its submission on" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP' \
		'PartitionName=hour Nodes=vm State=UP DefaultTime=60'
	sacctmgr -iQ add qos deny flags=DenyOnLimit maxwall=40 grptresmins=cpu=100 >/dev/null
	sacctmgr -iQ modify user ann set qos=normal,deny >/dev/null
	sacctmgr -iQ modify account lab set grpwall=70 >/dev/null
	for words in cpus=1 'cpus=4 qos=deny' 'cpus=1 qos=deny' partition=hour; do
		srecord job user=ann account=lab mem=100 $words >/dev/null
	done
	prints $'1 1:10:00\n2 25:00\n3 40:00\n4 1:00:00' squeue -h -S i -o '%i %l'
	srecord job id=1 nice=5
	prints $'1 1:10:00' squeue -h -j 1 -o '%i %l'
	# What the partition says is as if it had asked for it.
	refuses QOSMaxWallDurationPerJobLimit \
		srecord job user=ann account=lab partition=hour qos=deny
}

@test "limits: a partition's accounts are those below them, too" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP AllowAccounts=lab' \
		'PartitionName=not Nodes=vm State=UP DenyAccounts=lab'
	sacctmgr -iQ add account sub parent=lab >/dev/null
	sacctmgr -iQ add account other >/dev/null
	sacctmgr -iQ add user ann account=sub,other >/dev/null
	for account in lab sub other; do
		srecord job user=ann account=$account mem=1 >/dev/null
	done
	srecord job user=ann account=sub mem=1 partition=not >/dev/null
	prints $'1 None\n2 None\n3 PartitionConfig\n4 PartitionConfig' reasons
	# Forgotten where the next partition takes the job.
	srecord job id=9 user=ann account=sub mem=1 partition=not,debug >/dev/null
	prints Priority squeue -h -j 9 -o %r
	sprio --explain 3 | grep -q 'its partition refuses the account'
}

@test "limits: ReqResv, RootOnly, AllowGroups and MaxMemPerNode of a partition" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP' \
		'PartitionName=reserved Nodes=vm State=UP ReqResv=YES' \
		'PartitionName=admins Nodes=vm State=UP RootOnly=YES' \
		'PartitionName=group Nodes=vm State=UP AllowGroups=ann' \
		'PartitionName=nobody Nodes=vm State=UP AllowGroups=elsewhere' \
		'PartitionName=small Nodes=vm State=UP MaxMemPerNode=2000'
	refuses 'Access/permission denied: partition reserved' submit partition=reserved
	refuses 'Access/permission denied: partition reserved' submit partition=debug,reserved
	submit partition=reserved reservation=week
	refuses 'Access/permission denied: partition admins' submit partition=admins
	# The others only where EnforcePartLimits says so.
	submit partition=group user=bob
	local told="uid $(id -u bob) not in group permitted to use this partition (group)."
	prints "$told groups allowed: ann" squeue -h -u bob -o %r
	prints "$told groups allowed: ann|AccountNotAllowed" bash -c "squeue --json -u bob |
		jq -r '.jobs[] | .state_description + \"|\" + .state_reason'"
	submit partition=small mem_per_node=3000
	echo EnforcePartLimits=ANY >>"$SLURM_CONF"
	refuses "User's group not permitted to use this partition: partition group" \
		submit partition=group user=bob
	submit partition=group
	submit partition=debug,group user=bob
	# This machine does not know the group.
	submit partition=nobody
	refuses 'Memory required by task is not available: partition small' \
		submit partition=small mem_per_node=3000
	refuses 'Memory required by task is not available: partition small' \
		submit partition=small mem_per_cpu=3000
	refuses 'Memory required by task is not available: partition small' \
		submit partition=small mem=3000
	refuses 'Memory required by task is not available: partition small' \
		srecord job user=ann account=lab partition=small tres=mem=3000,cpu=4
	submit partition=small mem=2000
	submit partition=small mem_per_node=2000
	# What ran ran.
	submit partition=admins start=now-1hour end=now state=COMPLETED
	capture splan --parameters
	local words="s/.*: partition \([^ ]* [^ ]*\) is ignored by .*/\1/"
	same named "$(sed "$words" <<<"$stderr")" \
		'reserved: ReqResv
admins: RootOnly
small: MaxMemPerNode'
}

@test "limits: MaxMemPerCPU gives a job more CPUs" {
	start 'MaxMemPerCPU=4000' 'PartitionName=debug Nodes=vm Default=YES State=UP' \
		'PartitionName=lean Nodes=vm State=UP MaxMemPerCPU=1000' \
		'PartitionName=node Nodes=vm State=UP MaxMemPerNode=2000'
	# CPUs, of each task, MiB of a CPU.
	asked() {
		srecord job user=ann account=lab "$@" >id
		sqlite3 -separator ' ' "$BATS_TEST_TMPDIR/store/acct.db" \
			"SELECT cpus_req, cpus_per_task, mem_per_cpu FROM job WHERE id = $(<id)"
	}
	same 'fits' "$(asked mem_per_cpu=4000 cpus=2)" '2 0 4000'
	same 'by the CPU' "$(asked partition=lean mem_per_cpu=1500 cpus=3)" '6 2 750'
	same 'whole CPUs' '12 6 667' \
		"$(asked partition=lean mem_per_cpu=2001 tasks=2 cpus_per_task=2)"
	same 'by the node' "$(asked partition=lean mem_per_node=3500)" '4 0 0'
	same 'tasks' "$(asked partition=lean mem_per_node=3500 tasks=3)" '6 2 0'
	same 'nodes' "$(asked partition=lean mem_per_node=3500 nodes=2 cpus=9)" '9 0 0'
	same 'no such limit' "$(asked partition=node mem_per_cpu=9000)" '1 0 9000'
	# What ran ran.
	same 'ran' "$(asked partition=lean mem_per_node=3500 start=now nodelist=vm)" '1 0 0'
	prints 4 squeue -h -j 4 -o %C
	prints 'cpu=4,mem=3500M,node=1,billing=4' squeue -h -j 4 -O tres-alloc:0
}

@test "limits: a job without an association waits where they are enforced" {
	start
	sed -i /^AccountingStorageEnforce=/d "$BATS_TEST_TMPDIR/etc/slurm.conf"
	srecord job user=bob account=nosuch mem=100 >/dev/null
	prints Priority squeue -h -o %r
	echo AccountingStorageEnforce=limits >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	prints "1 InvalidAccount" reasons
}

@test "limits: running jobs that have reached theirs are listed" {
	start 'PriorityDecayHalfLife=0' 'PriorityUsageResetPeriod=NONE'
	run_job() {
		srecord job user=ann account=lab mem=100 submit=now-2hours start="$1" nodelist=vm \
			"${@:2}" >/dev/null
	}
	run_job now-2hours cpus=2
	run_job now-1minute cpus=1
	srecord job user=ann account=lab mem=100 >/dev/null
	prints '' splan --over-limits -h --csv
	sacctmgr -iQ modify user ann set maxtresmins=cpu=240 >/dev/null
	prints '1,debug,ann,lab,AssocMaxCpuMinutesPerJobLimit' \
		bash -c 'splan --over-limits -h --csv | cut -d, -f1-4,6'
	sacctmgr -iQ modify user ann set maxtresmins=cpu=245 >/dev/null
	prints '' splan --over-limits -h --csv
	sacctmgr -iQ modify account lab set grpwall=120 >/dev/null
	prints $'1 AssocGrpWallLimit\n2 AssocGrpWallLimit' \
		bash -c 'splan --over-limits --json | jq -r ".jobs[] | .job + \" \" + .reason"'
	sed -i 's/^AccountingStorageEnforce=.*/&,safe/' "$SLURM_CONF"
	prints '' splan --over-limits -h --csv
	refuses 'mutually exclusive' splan --over-limits --start
}
