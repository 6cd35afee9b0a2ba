#!/usr/bin/env bats
# scontrol: what it shows, as text and documents; what it refuses; lines that other programs run.

load lib

setup() {
	fresh_cluster 'NodeName=n[1-6] CPUs=8 CoresPerSocket=4 RealMemory=16000 TmpDisk=500' \
		'NodeName=old1 CPUs=4 State=DRAIN NodeAddr=10.0.0.1' \
		'NodeName=later1 State=FUTURE' \
		'PartitionName=long Nodes=n[1-6],old1 Default=YES MaxTime=7-0 AllowAccounts=lab' \
		'PartitionName=gpu Nodes=vm MaxTime=90 OverSubscribe=FORCE:2 DefMemPerCPU=1000' \
		'PartitionName=secret Nodes=n1 Hidden=YES AllocNodes=n2'
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	srecord job id=1 user=ann cpus=8 mem=8000 nodes=1 name=big start=now-1hour nodelist=n1 \
		timelimit=600 partition=long >/dev/null
	srecord job id=4 user=ann cpus=800 mem=8000 partition=long timelimit=60 >/dev/null
	srecord job id=5 user=ann cpus=2 mem=100 partition=long array=1-3%1 array_job=5 >/dev/null
	srecord node node=vm state=drain reason='bad dimm' start=2026-11-01T10:00:00
}

# has TEXT...: each is a word of stdout.
has() {
	local text
	for text; do
		[[ " ${stdout//$'\n'/ } " == *" $text "* ]] || same word "$stdout" "$text"
	done
}

@test "show partition" {
	capture scontrol show partition gpu
	same layout "$stdout" "\
PartitionName=gpu
   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL
   AllocNodes=ALL Default=NO QoS=N/A
   DefaultTime=NONE DisableRootJobs=NO Exclusive=NO GraceTime=0 Hidden=NO
   MaxNodes=UNLIMITED MaxTime=01:30:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED \
MaxCPUsPerSocket=UNLIMITED
   Nodes=vm
   PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=FORCE:2
   OverTimeLimit=NONE PreemptMode=OFF
   State=UP TotalCPUs=64 TotalNodes=1 SelectTypeParameters=NONE
   JobDefaults=(null)
   DefMemPerCPU=1000 MaxMemPerNode=UNLIMITED
   TRES=cpu=64,mem=250G,node=1,billing=64,gres/gpu=4,license/iop1=10"
	same all "$(scontrol show part -o | cut -d' ' -f1 | paste -sd' ')" \
		'PartitionName=long PartitionName=gpu'
	[[ $(scontrol -a -o show partitions | wc -l) == 3 ]]
	# One of its own is not that of all.
	sed -i '/^PartitionName=long/s/$/ SelectTypeParameters=CR_Socket/' "$SLURM_CONF"
	capture scontrol -o show partition=long
	has SelectTypeParameters=CR_SOCKET
	capture scontrol -o show partition=secret
	has Hidden=YES AllocNodes=n2
	capture scontrol show part nope
	same missing "$status $stdout" '1 Partition nope not found'
}

@test "show node" {
	capture scontrol show node vm
	has CPUTot=64 State=IDLE+DRAIN Partitions=gpu RealMemory=256000 Gres=gpu:4
	has 'Reason=bad dimm [root@2026-11-01T10:00:00]'
	has CfgTRES=cpu=64,mem=250G,billing=64,gres/gpu=4
	capture scontrol show node n1,old1 -o
	same lines "$(wc -l <<<"$stdout")" 2
	has State=ALLOCATED CPUAlloc=8 AllocMem=8000 AllocTRES=cpu=8,mem=8000M TmpDisk=500
	has NodeAddr=10.0.0.1 NodeHostName=old1 Partitions=long,secret
	[[ $(scontrol show nodes -o | wc -l) == 8 ]]
	[[ $(scontrol show nodes -F -o | wc -l) == 9 ]]
	prints '["vm",["IDLE","DRAIN"],"bad dimm"]' bash -c \
		"scontrol show node vm --json | jq -c '.nodes[0] | [.name, .state, .reason]'"
	capture scontrol show node nope
	same missing "$status $stdout" '1 Node nope not found'
}

@test "show job" {
	capture scontrol show job 1
	has JobId=1 JobName=big 'UserId=ann(1001)' Account=lab JobState=RUNNING TimeLimit=10:00:00
	has NodeList=n1 NumNodes=1 NumCPUs=8 BatchHost=n1 MinMemoryNode=8000M
	capture scontrol -o show job 4
	has JobState=PENDING Reason=PartitionConfig 'AllocTRES=(null)' StartTime=Unknown
	capture scontrol -o show jobid=5
	has ArrayJobId=5 ArrayTaskId=1-3%1 ArrayTaskThrottle=1
	[[ $(scontrol show job -o | wc -l) == 3 ]]
	refuses 'slurm_load_jobs error: Invalid job id specified' scontrol show job 99
	same document "$(scontrol show job 4 --json | jq .jobs)" "$(squeue -j 4 --json | jq .jobs)"
	prints '[[1,4,5],["last_backfill","last_update"]]' bash -c "scontrol show job --json |
		jq -c '[[.jobs[].job_id], [keys[] | select(startswith(\"last\"))]]'"
	echo PrivateData=jobs >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	refuses 'Invalid job id' as bob scontrol show job 1
	prints 'No jobs in the system' as bob scontrol show job
	prints '[]' as bob bash -c 'scontrol show job --json | jq -c .jobs'
}

@test "show reservation" {
	prints 'No reservations in the system' scontrol show res
	srecord reservation name=fans flags=MAINT nodes='n[4-5]' start=2026-11-01T10:00:00 \
		end=2036-11-01T10:00:00 users=ann
	capture scontrol show reservation fans
	has ReservationName=fans StartTime=2026-11-01T10:00:00 'Nodes=n[4-5]' NodeCnt=2 Users=ann
	has Flags=MAINT
	capture scontrol -o show node n4
	has State=IDLE+MAINTENANCE+RESERVED ReservationName=fans
	prints '["fans",2,"ann"]' bash -c "scontrol show res --json |
		jq -c '.reservations[0] | [.name, .node_count, .users]'"
	ask 'UPDATE reservation SET end = 0' # one that is open
	capture scontrol show reservation fans
	has EndTime=Unknown Duration=UNLIMITED State=ACTIVE
	prints '{"set":false,"infinite":true,"number":0}' bash -c "scontrol show res --json |
		jq -c '.reservations[0].end_time'"
	capture scontrol -o show node n4
	has State=IDLE+MAINTENANCE+RESERVED ReservationName=fans
	capture scontrol show res nope
	same missing "$status $stdout" '1 Reservation nope not found'
}

@test "host lists, configuration, version" {
	prints $'n1\nn2\nn10\nx' scontrol show hostnames 'n[1-2,10],x'
	prints $'a1\na2' env SLURM_JOB_NODELIST='a[1-2]' scontrol show hostname
	prints 'n[1-3]' scontrol show hostlistsorted n3,n1,n2
	prints 'n3,n[1-2],x' scontrol show hostlist n3,n1,n2,x
	refuses 'Invalid hostlist: n[1' scontrol show hostnames 'n[1'
	capture scontrol show config
	grep -qx 'ClusterName             = canis' <<<"$stdout"
	grep -qx 'SLURM_VERSION           = 26.05.3' <<<"$stdout"
	grep -qx 'MaxArraySize            = 1001' <<<"$stdout"
	echo AccountingStoragePass=geheim >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	capture scontrol show config
	[[ $stdout != *geheim* ]]
	[[ $(scontrol version) == 'slurm 26.05.3-bursar'* && $(scontrol -V) == 'slurm 26.05'* ]]
}

# Defaults, units and the order of lines are in a recording, scontrol-config.
@test "configuration: words as Slurm writes them, what one keyword does to another" {
	cluster_slurm_conf 'SlurmctldHost=n1(10.0.0.1)' SlurmctldHost=n2 Prolog=/a Prolog=/b \
		AccountingStorageEnforce=SAFE,qos PrivateData=user,events PreemptMode=requeue,gang \
		PreemptType=preempt/qos PrologFlags=x11,serial DebugFlags=jag,gang \
		SlurmctldDebug=5 TaskPlugin=affinity,cgroup LogTimeFormat=RFC3339 \
		JobCompType=job_comp/none \
		SelectTypeParameters=cr_lln,CR_Core PriorityFlags=no_fair_tree,max_tres \
		PriorityDecayHalfLife=1-12 PriorityUsageResetPeriod=weekly PreemptExemptTime=-1 \
		OverTimeLimit=UNLIMITED SuspendTime=NONE KillWait=0x10 UsePAM=1 \
		DefMemPerCPU=1000 MaxMemPerNode=2000 DefCPUPerGPU=4 DefMemPerGPU=500 \
		MessageTimeout=20 MaxJobCount=50000 PrologTimeout=60 MinJobAge=1 \
		PropagateResourceLimitsExcept=MEMLOCK JobContainerType=job_container/tmpfs \
		'NodeName=x[1-9] CPUs=1' JobCompPass=geheim >"$BATS_TEST_TMPDIR/etc/slurm.conf"
	capture scontrol show config
	same message '' "$stderr"
	[[ $stdout != *geheim* ]]
	while IFS= read -r line; do
		grep -qxF -- "$line" <<<"$stdout" ||
			same line "$(grep "^${line%% *}" <<<"$stdout")" "$line"
	done <<-'END'
		AccountingStorageEnforce = associations,limits,qos,safe
		DebugFlags              = JobAccountGather,Gang
		DefMemPerCPU            = 1000
		EpilogTimeout           = 65534
		JobCompPass             = (null)
		JobCompType             = (null)
		JobDefaults             = DefCpuPerGPU=4,DefMemPerGPU=500
		KillWait                = 16 sec
		LogTimeFormat           = rfc3339
		MaxDBDMsgs              = 100040
		MaxMemPerNode           = 2000
		MaxNodeCount            = 10
		MinJobAge               = 2 sec
		NamespaceType           = job_container/tmpfs
		OverTimeLimit           = UNLIMITED
		PreemptMode             = GANG,REQUEUE
		PreemptExemptTime       = NONE
		PriorityDecayHalfLife   = 1-12:00:00
		PriorityFlags           = NO_FAIR_TREE,MAX_TRES
		PriorityUsageResetPeriod = WEEKLY
		PrivateData             = events,users
		Prolog[0]               = /a
		Prolog[1]               = /b
		PrologFlags             = Alloc,Contain,Serial,X11
		PrologTimeout           = 60
		PropagateResourceLimits = (null)
		PropagateResourceLimitsExcept = MEMLOCK
		SelectTypeParameters    = CR_CORE,CR_LLN
		SlurmctldDebug          = debug
		SlurmctldHost[0]        = n1(10.0.0.1)
		SlurmctldHost[1]        = n2
		SuspendTime             = INFINITE
		TaskPlugin              = task/cgroup,task/affinity
		UnkillableStepTimeout   = 100 sec
		UsePam                  = yes
	END
	run ! grep -qE '^(DefMemPerNode|MaxMemPerCPU|PrologEpilogTimeout) ' <<<"$stdout"
	prints $'SlurmctldHost[0]        = n1(10.0.0.1)\nSlurmctldHost[1]        = n2' \
		scontrol show config slurmctldhost
	cluster_slurm_conf PriorityType=priority/basic SelectType=select/linear \
		>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	sed -i /^SelectTypeParameters/d "$BATS_TEST_TMPDIR/etc/slurm.conf"
	capture scontrol show config
	same weights "$(grep -cE '^(Fair|PriorityWeight|PriorityDecay|SelectTypeP)' <<<"$stdout")" 0
	prints 'PriorityType            = priority/basic' scontrol show config PriorityType
}

# ---- limits beside use -------------------------------------------------------------------------

# limits FIELD [WORD...]: the field of each record of `show assoc_mgr`.
limits() {
	scontrol -o show assoc_mgr "${@:2}" | grep -oE "(^| )$1=[^ ]*" | sed "s#.*$1=##" |
		paste -sd' '
}

@test "show assoc_mgr: which records; words that are none" {
	same users "$(limits UserName flags=users)" 'root(0) ann(1001)'
	same assocs "$(limits Account flags=assoc users=nobody)" 'root lab'
	same one "$(limits UserName flags=ASSOC accounts=LAB users=Ann)" ' ann(1001)'
	same cache "$(scontrol show cache flags=qos | grep -c ^QOS=)" 1
	sacctmgr -iQ add qos q3,q4 preemptmode=cancel minprio=7 >/dev/null
	same mode "$(limits PreemptMode flags=qos qos=q3,normal)" 'CANCEL OFF'
	same least "$(scontrol show assoc_mgr flags=qos qos=q3 | grep -o 'MinPrio.*')" \
		'MinPrioThresh=7 '
	same order "$(limits QOS qos=q4,none,normal fl=qos)" 'q4(4) normal(1)'
	same none "$(scontrol show assoc_mgr qos=none flags=qos | grep No)" \
		'No QOS currently cached in Slurm.'
	same all "$(scontrol -o show assoc_mgr | grep -c Records)" 3
	prints $'        No Accounts\n    User Limits\n        No Users' bash -c \
		'scontrol show assoc_mgr flags=qos qos=q3 | tail -n 3'
	refuses 'invalid entity: x=1 for keyword:show assoc_mgr' scontrol show assoc_mgr x=1
	capture scontrol show assoc_mgr users=
	same empty "$status $stdout$stderr" '0 No value given for option users='
}

@test "show assoc_mgr: counts are of now, usage of the last calculation" {
	local begin
	echo PriorityCalcPeriod=10 >>"$SLURM_CONF"
	begin=$(ask 'SELECT min(created) FROM assoc')
	sacctmgr -iQ add account calc grpwall=1000 maxjobs=9 >/dev/null
	sacctmgr -iQ add user ann account=calc >/dev/null
	srecord job id=30 user=ann account=calc cpus=1 mem=60 start=@$begin nodelist=vm \
		partition=gpu timelimit=20 submit=@$begin >/dev/null
	# at SECONDS: what the account has had in use so long after the store was made.
	at() {
		BURSAR_STORE=$(store) BURSAR_NOW=$((begin + $1)) scontrol -o show assoc_mgr \
			accounts=calc users=none flags=assoc |
			grep -oE '(Grp(Jobs|Wall)|MaxJobs)=[^ ]*|RunMins=cpu=N[^,]*'
	}
	same begin "$(at 599 | paste -sd' ')" \
		'GrpJobs=N(1) GrpWall=1000(0.00) RunMins=cpu=N(20) MaxJobs=9(1)'
	same calculated "$(at 600 | paste -sd' ')" \
		'GrpJobs=N(1) GrpWall=1000(10.00) RunMins=cpu=N(10) MaxJobs=9(1)'
}

@test "show assoc_mgr: where there is usage a new user has a fair-share" {
	BURSAR_NOW=$(($(date +%s) + 7200))
	export BURSAR_NOW BURSAR_STORE
	BURSAR_STORE=$(store)
	sacctmgr -iQ add user bob account=lab >/dev/null
	same shares "$(limits SharesRaw/Norm/Level/Factor flags=assoc users=bob accounts=lab)" \
		'1/0.50/2/0.00 1/0.50/2/0.67'
	same usage "$(limits UsageRaw/Norm/Efctv flags=assoc users=bob accounts=lab |
		sed -E 's#(^| )[0-9.]+/#\1#g')" '1.00/1.00 0.00/0.00'
}

@test "show assoc_mgr: a job that accrues age; one limit lets one do so" {
	same free "$(limits GrpJobsAccrue flags=assoc)" 'N(4) N(0) N(4) N(4)'
	sacctmgr -iQ modify account lab set grpjobsaccrue=1 >/dev/null
	same limited "$(limits GrpJobsAccrue flags=assoc)" 'N(1) N(0) 1(1) N(1)'
	echo PriorityFlags=ACCRUE_ALWAYS >>"$SLURM_CONF"
	same always "$(limits GrpJobsAccrue flags=assoc)" 'N(0) N(0) 1(0) N(0)'
}

@test "show assoc_mgr: PrivateData" {
	echo PrivateData=usage,users >>"$SLURM_CONF"
	sacctmgr -iQ add user bob account=lab >/dev/null
	same users "$(runuser -u bob -- scontrol -o show assoc_mgr flags=users | grep -c ^User)" 2
	same assocs "$(runuser -u bob -- scontrol show assoc_mgr flags=assoc | grep ^Cl | wc -l)" 1
	run ! grep ann <(runuser -u bob -- scontrol show assoc_mgr)
}

@test "show aliases, federation, licenses" {
	prints old1 scontrol show aliases old1
	echo 'NodeName=x[1-2] NodeHostName=box CPUs=1' >>"$SLURM_CONF"
	prints 'x1 x2' scontrol show aliases=box
	prints '' scontrol show aliases none
	srecord job id=40 user=ann cpus=1 partition=long licenses=licA:3 start=now \
		nodelist=n2 >/dev/null
	sacctmgr -iQ add resource name=mat count=20 server=srv lastconsumed=19 cluster=canis \
		allowed=50 >/dev/null
	same lines "$(scontrol -o show lic | cut -d' ' -f1,3,4,6)" "\
LicenseName=iop1 Used=0 Free=10 Remote=no
LicenseName=licA Used=3 Free=17 Remote=no
LicenseName=mat@srv Used=0 Free=10 Remote=yes"
	capture scontrol -o show licenses mat@srv
	has LastConsumed=19 LastDeficit=9
	prints '["licA",3,17,false]' bash -c \
		"scontrol show lic --json | jq -c '.licenses[1]|[.LicenseName,.Used,.Free,.Remote]'"
	sacctmgr -iQ add cluster lupus >/dev/null
	sacctmgr -iQ add federation pack clusters=canis,lupus >/dev/null
	prints "\
Federation: pack
Self:       canis::0 ID:1 FedState:ACTIVE Features:
Sibling:    lupus::0 ID:2 FedState:ACTIVE Features: PersistConnSend/Recv:No/No Synced:No" \
		scontrol show federation
}

@test "show steps" {
	srecord job id=50 user=ann cpus=8 submit=@1790000000 start=@1790000000 nodelist=n1 \
		partition=long timelimit=600 >/dev/null
	srecord step job=50 step=batch name=batch cpus=8 tasks=1 start=@1790000000 >/dev/null
	srecord step job=50 step=0 name=solve cpus=4 mem=500 nodes=1 tasks=2 start=@1790000000 \
		timelimit=30 >/dev/null
	srecord step job=50 step=1 name=done cpus=4 start=@1790000000 end=@1790000009 >/dev/null
	capture scontrol show step 50.0
	same layout "$stdout" "\
StepId=50.0 UserId=1001 StartTime=2026-09-21T14:13:20 TimeLimit=00:30:00
   State=RUNNING Partition=long NodeList=n1
   Nodes=1 CPUs=4 Tasks=2 Name=solve Network=(null)
   TRES=cpu=4,mem=500M,node=1
   ResvPorts=(null)
   CPUFreqReq=Default
   SrunHost:Pid=(null):0"
	same all "$(scontrol -o show steps | cut -d' ' -f1 | paste -sd' ')" \
		'StepId=50.batch StepId=50.0'
	same job "$(scontrol -o show step=50 | wc -l)" 2
	capture scontrol show step 50.7
	same missing "$status $stdout" '1 Job step 50.7 not found'
	capture scontrol show step x
	same none "$status $stdout" '1 No job steps found'
	echo PrivateData=jobs >>"$SLURM_CONF"
	prints 'No job steps in the system' runuser -u bob -- scontrol show step
}

@test "show topology: of a flat one there is nothing" {
	prints '' scontrol show topology
	prints '' scontrol show topo node=n1 switch=s1
	echo TopologyPlugin=topology/tree >>"$SLURM_CONF"
	refuses 'only a controller knows this of topology/tree' scontrol show topology
}

@test "what would act is refused; words that are none" {
	local verb
	for verb in 'update job=1 priority=5' 'hold 1' 'release 1' 'requeue 1' reconfigure \
		'suspend 1' 'resume 1' 'create reservation' 'delete partition=x' shutdown \
		'reboot n1' 'top 1' 'wait_job 1' 'write config' 'setdebug 3' takeover; do
		refuses 'there is no controller here' scontrol $verb
	done
	capture scontrol ping
	[[ $status == 1 && $stdout == 'Slurmctld(primary) at '*' is DOWN' ]]
	refuses 'invalid keyword: shw' scontrol shw
	refuses 'invalid entity:bogus for keyword:show' scontrol show bogus
	refuses 'too many arguments for keyword:show' scontrol show node n1 n2
	for verb in bbstat burst daemons 'dwstat a b' resources slurmd 'slurmd a b' topoconf; do
		refuses "only a controller knows this" scontrol show $verb
	done
	refuses 'too few arguments' scontrol show
	refuses 'no command' scontrol
	refuses 'only cluster canis' scontrol -M lupus show node
}

# ---- lines that other programs run ------------------------------------------------------------

@test "show job: a task of an array that waits as one record" {
	srecord job id=20 user=ann cpus=1 array=1-9:2,12 timelimit=10 partition=long >/dev/null
	for task in 1 7 12; do
		prints "ArrayTaskId=1-9:2,12" bash -c "scontrol -o show job 20_$task |
			grep -o 'ArrayTaskId=[^ ]*' | sed s/%.*//"
	done
	capture scontrol show job 20_2
	same none "$status $stderr" '1 slurm_load_jobs error: Invalid job id specified'
}

# ood_core takes each line of `show part -o` and each token of it apart at the sign, which must have
# something behind it; limits of who may use a partition are lists, TRES pairs.
@test "ood_core: partitions, nodes and GPUs" {
	srecord node node=vm state=up
	echo 'PartitionName=none State=DOWN' >>"$SLURM_CONF"
	same tokens "$(scontrol -M canis show part -o | tr ' ' '\n' | grep -vcE '^\w+=.+$')" 0
	same lines "$(scontrol -M canis show part -o | cut -d= -f1 | sort -u)" PartitionName
	same tres '' "$(scontrol -M canis show part -o | sed 's/.* TRES=\([^ ]*\).*/\1/' |
		tr , '\n' | grep -vE '^[a-z/]+[0-9]*=[0-9]+[MGT]?$|^\(null\)$')"
	same counts "$(sinfo -M canis -aho %F/%C | tr / '\n' | grep -cE '^[0-9]+$')" 8
	capture sinfo -M canis -ahNO nodehost:100,gres:512,gresused:512,statelong
	same columns "$(awk '{ print NF }' <<<"$stdout" | sort -u)" 4
	gpus() {
		awk -v n="$1" '!/maint|drain|down/ { print $n }' <<<"$stdout" |
			grep -oP 'gpu[s:]*[\w()-]*[=:]?\K\d+(?=[(,]|$)' |
			awk '{ n += $1 } END { print n }'
	}
	same gpus "$(gpus 2) $(gpus 3)" '4 0'
	capture sinfo -M canis -ho $'\x1e%c\x1f%n\x1f%f'
	same nodes "$(tr -d '\n' <<<"$stdout" | tr $'\x1e' '\n' | grep -a vm | tr $'\x1f' ' ')" \
		'64 vm (null)'
}

# stui cuts lines at blanks and tokens at the first sign, memory is what ends in Mem or Memory; a
# reason is the rest of the line.
@test "stui: nodes, partitions" {
	srecord node node=n2 state=drain reason='bad dimm, ask ann'
	stui() {
		scontrol show "$1" --oneliner | awk -v key="$2" '{
			for (i = 1; i <= NF; i++) if (index($i, key "=") == 1) {
				$1 = $1
				from = key == "Reason" ? index($0, "Reason=") : 0
				print from ? substr($0, from + 7) : substr($i, length(key) + 2)
			}
		}' | sort -u
	}
	same memory "$(stui nodes RealMemory)" $'1\n16000\n256000'
	same reason "$(stui nodes Reason | sed 's/ \[.*//')" $'bad dimm\nbad dimm, ask ann'
	same states "$(stui nodes State)" $'ALLOCATED\nIDLE\nIDLE+DRAIN'
	same partitions "$(stui partitions MaxTime | tail -1)" 7-00:00:00
}

# The awk programs of pestat, showpartitions, showuserjobs and showjob.
@test "Slurm_tools: what its scripts ask for" {
	capture sinfo -h -N -O "$(printf '%s:30,' NodeList Partition CPUsState CPUsLoad Memory \
		FreeMem StateCompact Threads Gres)GresUsed:30"
	same pestat "$(awk '{ print NF }' <<<"$stdout" | sort -u)" 10
	capture squeue -t RUNNING -h -O 'State: ,JobID: ,JobArrayID: ,UserName: ,GroupName: ,'$(
		)'Account: ,StartTime: ,EndTime: ,TimeUsed: ,Partition: ,NumNodes: ,'$(
		)'tres-alloc: ,NodeList: ,Name:'
	same jobs "$(awk '{ print NF }' <<<"$stdout" | sort -u)" 14
	capture scontrol -o show partition
	same default "$(grep -c ' Default=YES ' <<<"$stdout")" 1
	capture squeue --noheader -o '%P %C %r %D %t' -t pending
	same pending "$(awk '{ print NF }' <<<"$stdout" | sort -u)" 5
	capture squeue -h -j 1 -O 'UserName: ,Account: ,SubmitTime: ,State: ,NumCPUs: ,TimeLimit: '
	same showjob "$(awk '{ print NF }' <<<"$stdout")" 6
	capture scontrol -d show job 1
	same details "$(grep -c '^ *\(JobId\|UserId\|RunTime\|SubmitTime\)=' <<<"$stdout")" 4
}

@test "AiiDA, submitit, ood_core, Slurm_tools, ColdFront, stui" {
	capture scontrol show -o job 1
	has JobId=1 JobState=RUNNING
	capture scontrol show hostnames 'n[1-3]'
	same first "${stdout%%$'\n'*}" n1
	same workdir "$(scontrol show job 1 | grep -c '^   WorkDir=')" 1
	same nodes "$(scontrol --oneliner show nodes n1 | awk '{ for (i = 1; i <= NF; i++)
		if ($i ~ /^(CPUTot|RealMemory|State)=/) printf "%s ", $i }')" \
		'CPUTot=8 RealMemory=16000 State=ALLOCATED '
	same default "$(scontrol -o show partition | grep Default=YES |
		sed 's/PartitionName=\([^ ]*\).*/\1/')" long
	same cluster "$(scontrol show config | awk '$1 == "ClusterName" { print $3 }')" canis
	same max "$(scontrol show config | grep -i ^MaxArraySize | awk '{ print $3 }')" 1001
	same time "$(scontrol show partition long | grep -oP 'MaxTime=\K\S+')" 7-00:00:00
}

@test "abbreviations of Slurm's options; examples of the manual" {
	abbreviations scontrol 40 'autocomplete= all cluster= details federation future help hide
		json? local oneliner quiet sibling uid= usage verbose version yaml?'
	cluster_slurm_conf >"$BATS_TEST_TMPDIR/etc/slurm.conf"
	srecord node node=vm state=up
	srecord job id=1 end=now >/dev/null
	examples scontrol.1
}

@test "whose a reservation is, where no job waits or runs" {
	local job
	for job in $(squeue -h -a -o %A | sort -u); do
		srecord job id="$job" state=cancelled end=now >/dev/null
	done
	same jobs '' "$(squeue -h -a -o %i)"
	srecord reservation name=fans nodes=n4 start=2026-11-01T10:00:00 \
		end=2036-11-01T10:00:00 users=ann
	capture scontrol show reservation fans
	has Users=ann
}
