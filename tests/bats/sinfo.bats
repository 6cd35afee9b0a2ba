#!/usr/bin/env bats
# sinfo: states of nodes, its forms, filters, formats, documents; lines that other programs run.

load lib

setup() {
	fresh_cluster "NodeName=n[1-6] CPUs=8 CoresPerSocket=4 RealMemory=16000 Feature=fast,ib" \
		"NodeName=old1 CPUs=4 State=DRAIN" 'NodeName=later1 State=FUTURE' \
		'PartitionName=long Nodes=n[1-6],old1,later1 Default=YES MaxTime=7-0' \
		'PartitionName=gpu Nodes=vm MaxTime=90 OverSubscribe=FORCE:2 DefaultTime=30' \
		'PartitionName=void State=DOWN' 'PartitionName=secret Nodes=n1 Hidden=YES'
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

# trims TEXT COMMAND...: as prints, without the blanks at the ends of lines.
trims() {
	local text=$1
	shift
	capture "$@"
	same "output of $*" "$(sed 's/ *$//' <<<"$stdout")" "$text"
	same "messages of $*" "$stderr" ''
}

# A node of each state.
busy() {
	srecord job id=1 user=ann cpus=8 mem=8000 start=now-1hour nodelist=n1 timelimit=600 \
		partition=long >/dev/null
	srecord job id=2 user=ann cpus=4 mem=8000 start=now-1hour nodelist=n2 timelimit=600 \
		partition=long >/dev/null
	srecord job id=3 user=ann cpus=4 mem=8000 start=now-1hour nodelist=vm timelimit=600 \
		partition=gpu tres=gres/gpu=2 >/dev/null
	srecord node node=n2 state=drain reason='bad dimm' start=2026-11-01T10:00:00
	srecord node node=n3 state=down reason='no ping' start=2026-11-02T10:00:00
	srecord reservation name=fans flags=MAINT nodes=n4 start=now-1hour end=now+1day users=ann
}

@test "states: of slurm.conf, of events, of reservations, of what runs" {
	busy
	trims "\
PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
long*        up 7-00:00:00      1  maint n4
long*        up 7-00:00:00      1   drng n2
long*        up 7-00:00:00      1  drain old1
long*        up 7-00:00:00      1  alloc n1
long*        up 7-00:00:00      2   idle n[5-6]
long*        up 7-00:00:00      1   down n3
gpu          up    1:30:00      1    mix vm
void       down   infinite      0    n/a" sinfo
	srecord node node=n2 state=up
	srecord job id=2 end=now >/dev/null
	prints 'idle n[2,5-6]' sinfo -h -t idle -p long -o '%t %N' -S t --format='%t %N' \
		--nodes='n[1-6]' --states='idle+~maint'
	prints $'n1\nn2\nn3\nn4\nn5\nn6\nold1' sinfo -h -N -p long -o %N
}

@test "the usual forms" {
	busy
	trims "\
NODELIST   NODES PARTITION STATE
n1             1     long* alloc
n2             1     long* drng
n3             1     long* down
n4             1     long* maint
n5             1     long* idle
n6             1     long* idle
old1           1     long* drain
vm             1       gpu mix" sinfo -N
	trims "\
PARTITION AVAIL  TIMELIMIT   NODES(A/I/O/T) NODELIST
long*        up 7-00:00:00          2/3/2/7 n[1-6],old1
gpu          up    1:30:00          1/0/0/1 vm
void       down   infinite          0/0/0/0" sinfo -s
	prints "\
REASON               USER      TIMESTAMP           NODELIST
bad dimm             root      2026-11-01T10:00:00 n2
none                 Unknown   Unknown             old1
no ping              root      2026-11-02T10:00:00 n3" sinfo -R
	capture sinfo -N -l -n n2,n3
	same long "$(sed 's/  */ /g; s/ $//; 1d' <<<"$stdout")" "\
NODELIST NODES PARTITION STATE CPUS S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON
n2 1 long* draining 8 2:4:1 16000 0 1 fast,ib bad dimm
n3 1 long* down 8 2:4:1 16000 0 1 fast,ib no ping"
	capture sinfo -l -p gpu
	same long "$(sed 's/  */ /g; 1d' <<<"$stdout")" "\
PARTITION AVAIL TIMELIMIT JOB_SIZE ROOT OVERSUBS GROUPS NODES STATE RESERVATION NODELIST
gpu up 1:30:00 1-infinite no FORCE:2 all 1 mixed vm"
	[[ $(sinfo -T -h) == 'fans '*'  ACTIVE  '*'  1-01:00:00  n4' ]]
	ask 'UPDATE reservation SET end = 0' # one that is open
	[[ $(sinfo -T -h) == 'fans '*'  ACTIVE  '*'  Unknown    UNLIMITED  n4' ]]
	prints maint sinfo -h -N -n n4 -o %T
}

@test "JOB_SIZE from the least nodes on; CPUs with a unit where it is exact" {
	echo 'NodeName=big CPUs=2048
NodeName=odd CPUs=2000
PartitionName=cpus Nodes=big,odd
PartitionName=some Nodes=n[1-5] MinNodes=2 MaxNodes=4
PartitionName=most Nodes=n[1-5] MaxNodes=4
PartitionName=two Nodes=n[1-5] MinNodes=2 MaxNodes=2' >>"$SLURM_CONF"
	prints $'some 2-4\nmost 1-4\ntwo 2' sinfo -h -p some,most,two -o '%R %s'
	prints $'big 2K   \nodd 2000 ' sinfo -h -N -n big,odd -O NodeList:4,CPUs:5
}

@test "-T: the column of names is as wide as the longest of them, 9 at least" {
	ask 'DELETE FROM reservation'
	prints 'No reservations in the system' sinfo -T
	srecord reservation name=short nodes=n3 users=root start=2090-11-01T10:00 \
		end=2090-11-02T11:30
	prints "\
RESV_NAME     STATE           START_TIME             END_TIME     DURATION  NODELIST
short      INACTIVE  2090-11-01T10:00:00  2090-11-02T11:30:00   1-01:30:00  n3" sinfo -T
	srecord reservation name=a-long-name nodes=n4 users=root start=2090-11-01T10:00 \
		end=2090-11-01T10:05
	prints "\
RESV_NAME       STATE           START_TIME             END_TIME     DURATION  NODELIST
a-long-name  INACTIVE  2090-11-01T10:00:00  2090-11-01T10:05:00     00:05:00  n4
short        INACTIVE  2090-11-01T10:00:00  2090-11-02T11:30:00   1-01:30:00  n3" sinfo -T
	same 'without a heading' "$(sinfo -T -h)" "$(sinfo -T | sed 1d)"
}

@test "which: partitions, hidden ones, nodes, states" {
	busy
	prints $'long\ngpu\nvoid' sinfo -h -o %R
	prints $'long\ngpu\nvoid\nsecret' sinfo -h -a -o %R
	prints secret sinfo -h -p secret -o %R
	prints '' sinfo -h -p nosuch
	prints later1 sinfo -h -F -t future -N -o %N
	prints $'n2\nold1' sinfo -h -N -t drain -o %N
	prints n2 sinfo -h -N -t draining -o %N
	prints old1 sinfo -h -N -t drained -o %N
	prints $'n1\nn2\nvm' sinfo -h -N -t alloc -o %N
	prints n4 sinfo -h -N -t maint -o %N
	prints $'n5\nn6' sinfo -h -N -t 'idle&~drain&~maint' -o %N
	srecord node node=n5 state=drain reason=x
	prints n6 sinfo -h -N -t 'idle&~drain&~maint' -o %N
	prints 'secret' env SINFO_PARTITION=secret sinfo -h -o %R
	refuses 'Bad state string: "foo"' sinfo -t foo
	refuses 'Conflicting options, -a and -p' sinfo -a -p long
	refuses 'mutually exclusive' sinfo -l -o %P
	refuses "'n[1' invalid entry for --nodes" sinfo -n 'n[1'
	refuses "No cluster 'x'" sinfo -M x
	sacctmgr -iQ add cluster lupus >/dev/null
	refuses 'nothing is known of the nodes of cluster lupus' sinfo -M lupus
}

@test "formats" {
	busy
	prints "\
PARTITION| NODES|STATE|CPUS(A/I/O/T)|GRES|MEMORY|FEATURES_CUT|S:C:T
gpu|     1|mix|4/60/0/64|gpu:4|256000|(null)|64:1:1" bash -c \
		"sinfo -p gpu -o '%P|%.6D|%t|%C|%G|%m|%f|%z' | sed s/AVAIL_FEATURES/FEATURES_CUT/"
	prints 'gpu:2               8000 up 30:00 FORCE:2' sinfo -h -p gpu \
		-O 'gresused,allocmem:0 ,available:0 ,defaulttime:0 ,share:0'
	prints 'mixed+drain' sinfo -h -n n2 -p long -O statecomplete:0 -t draining
	prints '1+ 1+ 8' sinfo -h -s -p long -o '%c %m %D' -F
	prints $'4 1 1\n8 16000 6' sinfo -h -e -p long -o '%c %m %D' -S c
	prints $'gpu\nlong*\nvoid' sinfo -h -o %P -S P
	prints $'void\nlong*\ngpu' sinfo -h -o %P -S -P
	prints $'lo*\ngpu\nvoi' sinfo -h -o %3P
	capture sinfo -h -p gpu -o '%q %P'
	same bad "$stderr" 'Invalid node format specification: q'
	capture sinfo -O nodelst
	[[ $stderr == *'Invalid job format specification: nodelst'*"did you mean 'NodeList'"* ]]
	prints $'partition,node_list\ngpu,vm' sinfo --csv -p gpu -o '%R %N'
}

@test "documents: the members Slurm's have" {
	busy
	sinfo --json -p gpu,void >all.json
	prints '["gpu",["MIXED"],["vm"],4,60,8000,"gpu:2",90,["UP"],["CLUSTER_GLOBAL"],"FORCE:2"]' \
		jq -c '.sinfo[0] | [.partition.name, .node.state, .nodes.nodes, .cpus.allocated,
		.cpus.idle,
		.memory.allocated, .gres.used, .partition.maximums.time.number,
		.partition.partition.state, .partition.preempt_mode,
		.partition.partition.oversubscribe]' all.json
	prints '[2,0,"sinfo"]' jq -c \
		'[(.sinfo|length), .sinfo[1].nodes.total, .meta.command[0]]' all.json
	prints 2 bash -c 'sinfo --ndjson -p gpu,void | wc -l'
	sinfo --yaml -p gpu | grep -q 'oversubscribe:.*FORCE:2'
}

# keys FILTER COMMAND...: the paths of the record that FILTER finds, one word;
# a number that may be unset or infinite counts as one.
keys() {
	local filter=$1
	shift
	"$@" | jq -r "$filter"' | [paths(type != "object" or has("infinite") or . == {})
		| select(all(.[]; type == "string") and (.[-1] | IN("set", "infinite", "number")
		| not))
		| join("/")] | unique | join(" ")'
}

# has_keys KEYS FILTER COMMAND...
has_keys() {
	same "keys of ${*:3}" "$(keys "${@:2}")" "$(xargs <<<"$1")"
}

@test "documents: all keys of data_parser/v0.0.45, none more" {
	has_keys "
		active_features address alloc_cpus alloc_idle_cpus alloc_memory architecture
		boards boot_time burstbuffer_network_address cert_flags cluster_name comment
		cores cpu_binding cpu_load cpus effective_cpus energy/average_watts
		energy/base_consumed_energy energy/consumed_energy energy/current_watts
		energy/last_collected energy/previous_consumed_energy extra features free_mem
		gpu_spec gres gres_drained gres_used hostname instance_id instance_type
		last_busy mcs_label name next_state_after_reboot operating_system owner
		partitions port real_memory reason reason_changed_at reason_set_by_user
		res_cores_per_gpu reservation resume_after slurmd_start_time sockets
		specialized_cores specialized_cpus specialized_memory state suspend_time
		temporary_disk threads tls_cert_last_renewal topology tres tres_used version
		weight" '.nodes[0]' scontrol show node n1 --json
	has_keys "
		accounts/allowed accounts/deny alternate cluster cpus/task_binding cpus/total
		defaults/job defaults/memory_per_cpu defaults/partition_memory_per_cpu
		defaults/partition_memory_per_node defaults/time flags grace_time groups/allowed
		maximums/cpus_per_node maximums/cpus_per_socket maximums/memory_per_cpu
		maximums/nodes maximums/over_time_limit maximums/oversubscribe/flags
		maximums/oversubscribe/jobs maximums/partition_memory_per_cpu
		maximums/partition_memory_per_node maximums/shares maximums/time minimums/nodes
		name node_sets nodes/allowed_allocation nodes/configured nodes/total
		partition/exclusive partition/oversubscribe partition/state preempt_mode
		priority/job_factor priority/tier qos/allowed qos/assigned qos/deny select_type
		suspend_time timeouts/resume timeouts/suspend topology tres/billing_weights
		tres/configured" '.partitions[0]' scontrol show partition long --json
	has_keys "
		cluster comment cores/maximum cores/minimum cpus/allocated cpus/idle
		cpus/load/maximum cpus/load/minimum cpus/maximum cpus/minimum cpus/other
		cpus/per_node/max cpus/total disk/maximum disk/minimum extra features/active
		features/total gres/total gres/used memory/allocated memory/free/maximum
		memory/free/minimum memory/maximum memory/minimum node/state nodes/addresses
		nodes/allocated nodes/hostnames nodes/idle nodes/nodes nodes/other nodes/total
		port reason/description reason/time reason_set_by_user reservation
		resource_spec/cpus resource_spec/memory sockets/maximum sockets/minimum
		threads/maximum threads/minimum weight/maximum weight/minimum" \
		'.sinfo[0] | del(.partition)' sinfo -p long --json
	srecord reservation name=fans flags=MAINT nodes=n4 start=now-1hour end=now+1day users=ann
	has_keys "
		accounts burst_buffer core_count core_specializations end_time features flags
		groups licenses max_start_delay name node_count node_list partition
		purge_completed/time start_time tres users" '.reservations[0]' \
		scontrol show reservation --json
	prints '[0,0,0,{"jobs":0,"flags":[]}]' bash -c "scontrol show part long --json |
		jq -c '.partitions[0] | [.defaults.memory_per_cpu, .maximums.memory_per_cpu,
		.maximums.shares,
		.maximums.oversubscribe]'"
}

@test "flat data: keys and types of all programs" {
	busy
	prints "\
partition,available,time_limit,nodes,state,node_list
long,up,7-00:00:00,1,maint,n4
long,up,7-00:00:00,1,drng,n2
long,up,7-00:00:00,1,drain,old1
long,up,7-00:00:00,1,alloc,n1
long,up,7-00:00:00,2,idle,n[5-6]
long,up,7-00:00:00,1,down,n3
gpu,up,1:30:00,1,mix,vm
void,down,,0,," sinfo --csv
	prints '{"partition":"long","time_limit":10080,"cpus":8,"real_memory":16000,'\
'"free_mem":null,"reason":"bad dimm","reason_set_by_user":"root","root_only":false,'\
'"over_subscribe":"NO"}' \
		sinfo --ndjson -p long -t draining -o '%P %l %c %m %e %E %U %r %h'
	prints '{"partition":"void","time_limit":null,"preempt_mode":["OFF"],"nodes":0}' \
		sinfo --ndjson -p void -O partitionname,time,preemptmode,nodes
	prints '{"user":"root","node_name":"n2"}' \
		sacctmgr --ndjson show event node=n2 format=user,nodename
}

@test "PrivateData" {
	busy
	echo PrivateData=events,nodes,partitions,reservations \
		>>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	prints '' as bob sinfo -h -N
	prints '' as bob sinfo -h
	prints '' as bob sinfo -h -a
	prints '' as bob sinfo -h -R
	prints 'No reservations in the system' as bob sinfo -T
	prints $'bad dimm\nnone\nno ping' sinfo -h -R -o %E
	sed -i s/nodes,partitions,// "$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	prints 'none Unknown drng' as bob sinfo -h -n n2 -p long -o '%E %u %t' -t drain
}

@test "Slurm's long options keep their abbreviations; ours come to nothing of theirs" {
	abbreviations sinfo 60 'all autocomplete= dead exact federation future help helpformat
		helpFormat helpstate hide iterate= json? local long cluster= nodes= noconvert
		noheader Node format= Format= partition= responding list-reasons summarize sort=
		states= reservation usage verbose version yaml?'
	prints vm sinfo --c=canis -h -p gpu -o %N
}

# ---- lines that other programs run ------------------------------------------------------------

@test "prometheus-slurm-exporter: its commands and regular expressions" {
	busy
	prints '12/24/16/52' sinfo -h -p long -o %C
	capture sinfo -h -o '%D|%T'
	words='alloc|comp|down|drain|fail|err|idle|maint|mix|resv|n/a'
	same states "$(grep -cE "^[0-9]+\|($words)" <<<"$stdout")" "$(wc -l <<<"$stdout")"
	capture sinfo -h -N -O 'NodeList,AllocMem,Memory,CPUsState,StateLong'
	same node "$(awk '$1 == "vm"' <<<"$stdout" | tr -s ' ')" 'vm 8000 256000 4/60/0/64 mixed '
	capture sinfo -a -h '--Format=Nodes: ,Gres: ,GresUsed:' --state=allocated
	[[ $status == 0 ]]
	capture sinfo -h -o %n,%C
	grep -qx 'vm,4/60/0/64' <<<"$stdout"
	capture sinfo -h -o%R,%C
	grep -qx 'gpu,4/60/0/64' <<<"$stdout"
}

@test "stui, ood_core, Slurm_tools, ColdFront, submitit, reportseff" {
	busy
	capture sinfo -h --Node --format='%N %P %t %C %m %e %G'
	grep -qx 'vm gpu mix 4/60/0/64 256000 N/A gpu:4' <<<"$stdout"
	prints '2/3,7,2/3/2/7' sinfo -ho %A,%D,%F -p long
	capture sinfo -ho '%A %D %C'
	same fields "$(awk '{ print NF }' <<<"$stdout" | sort -u)" 3
	capture sinfo -a -h -o '%-R %l %D' -p long
	capture sinfo --noheader -N -o '%N %P %.11T %.13C %.8O %.6m %.8e %E'
	same n2 "$(tr -s ' ' <<<"$stdout" | grep ^n2)" \
		'n2 long* draining 4/0/4/8 N/A 16000 N/A bad dimm'
	capture sinfo -V
	[[ $stdout == *slurm* ]]
	capture sinfo -o '%G' --noheader
	grep -qx gpu:4 <<<"$stdout"
	capture sinfo --version
	[[ $stdout == 'slurm 26.05'* ]]
}

@test "examples of the manual" {
	cluster_slurm_conf >"$BATS_TEST_TMPDIR/etc/slurm.conf"
	examples sinfo.1
}

@test "without a store slurm.conf answers, and none is made" {
	rm "$(store)"
	: >"${SLURM_CONF%/*}/slurmdbd.conf"
	unset BURSAR_STORE
	local_users amy
	export XDG_DATA_HOME=$PWD/data
	prints 'gpu|idle|vm' as amy sinfo -h -p gpu -o '%P|%t|%N'
	[[ $(as amy scontrol show node vm) == *'State=IDLE'* ]]
	[[ $(as amy scontrol show partition gpu) == *'MaxTime=01:30:00'* ]]
	refuses 'there is no store' as amy scontrol show job
	[[ ! -e data ]]
	# A path that was typed may be mistyped.
	BURSAR_STORE=$PWD/typo.db refuses 'there is no store' sinfo
}
