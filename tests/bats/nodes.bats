#!/usr/bin/env bats
# Nodes that register themselves and so stand in no slurm.conf: declared, imported, gone.

load lib

setup() {
	fresh_cluster 'MaxNodeCount=20' 'NodeName=DEFAULT Sockets=2 Gres=gpu:9 RealMemory=77' \
		'NodeName=m1 CPUs=4' 'NodeSet=quick Feature=fast' 'NodeSet=gpus Feature=gpu' \
		'PartitionName=long Nodes=quick,m1 Default=YES' 'PartitionName=some Nodes=gpus'
	local_users amy
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user amy account=lab >/dev/null
	srecord node name=n[1-16] cpus=8 memory=16G features=fast
	srecord node name=g1 cpus=64 memory=256000 gres=gpu:a100:4 features=fast,gpu sockets=2 \
		cores=32 weight=7
}

@test "sinfo, scontrol and splan know them, partitions by their features" {
	prints '8 1 1 8 16384 idle n[1-16]' sinfo -h -p long -n 'n[1-16]' -o '%X %Y %Z %c %m %t %N'
	prints '2 32 64 7 gpu:a100:4 fast,gpu g1' sinfo -h -p some -o '%X %Y %c %w %G %f %N'
	prints '["g1",["IDLE","DYNAMIC_NORM"],["fast","gpu"],["long","some"],256000]' bash -c \
		"scontrol show node g1 --json |
		jq -c '.nodes[0] | [.name, .state, .features, .partitions, .real_memory]'"
	srecord job id=1 user=amy cpus=64 gres=gpu:2 partition=some timelimit=10
	srecord job id=2 user=amy cpus=65 partition=some timelimit=10
	capture splan -nP -o JobID,Action,NodeList
	same plan "$stdout" $'1|start|g1\n2|wait|'
	same remark "$stderr" 'splan: error: job 2 asks for 65 CPUs; partition some has 64'
	srecord cluster
	prints 'cpu=196' bash -c 'sacctmgr -nP show cluster format=tres | grep -o cpu=[0-9]*'
}

@test "down, another size, gone" {
	srecord node node=n3 state=down reason=x
	prints down sinfo -h -p long -n n3 -o %t
	srecord node name=n3 cpus=16 state=up
	prints '16 idle' sinfo -h -p long -n n3 -o '%c %t'
	srecord node node=n3 state=drain reason=x
	srecord node node=n3 state=gone
	prints '' sinfo -h -N -n n3
	prints '' sacctmgr -nP show event condflags=open event=node format=nodename
}

@test "what is refused" {
	refuses 'm9 did not register itself' srecord node node=m9 state=gone
	refuses 'node m1 is described in slurm.conf' srecord node name=m1 cpus=9
	refuses 'MaxNodeCount=20 in slurm.conf: there would be 21 nodes' \
		srecord node name=x[1-2] cpus=1
	refuses 'holds blanks' srecord node name=n1 cpus=1 'features=a State=DOWN'
	refuses 'Bad GRES configuration' srecord node name=n1 cpus=1 gres=:1
	refuses 'node= is missing' srecord node cpus=1
	refuses 'state= is missing' srecord node name=n1
}

@test "import of what scontrol and sinfo say; slurm.conf wins" {
	scontrol -o show node | sort >before
	scontrol show node --json >nodes.json
	sinfo -N --json >rows.json
	for document in nodes.json,2 rows.json,1; do
		srecord node name=n[1-16],g1 state=gone
		prints m1 sinfo -h -p long -o %N
		capture srecord import ${document%,*}
		same $document "${stderr%;*}" "srecord: 17 nodes, ${document#*,} lines skipped"
		scontrol -o show node | sort | diff before -
	done
	srecord node name=n1 cpus=16
	sinfo --json >groups.json
	capture srecord import groups.json
	[[ $status == 1 && $stderr == *"nodes of a row differ in cpus: 'sinfo -N --json'"* ]]
	sed -i 's/^NodeName=m1/NodeName=n1 CPUs=2\n&/' "$SLURM_CONF"
	prints 'CPUTot=2' bash -c 'scontrol show node n1 | grep -o CPUTot=[0-9]*'
	prints '8' sinfo -h -p long -n n2 -o %c
}

@test "a policy tried and a trace simulated have them" {
	srecord job id=1 user=amy cpus=64 gres=gpu:2 partition=some timelimit=10
	capture sprio -h --what-if PriorityWeightAge=7
	[[ $status == 0 && $stdout == *' some '* ]]
	srecord job id=2 user=amy cpus=1 submit=now-1hour start=now-20minutes nodelist=n1 end=now \
		timelimit=60
	printf 'ClusterName=canis\nPartitionName=some Nodes=ALL Default=YES\n' >other.conf
	capture ssim --policy=slurm --conf=other.conf
	[[ $status == 0 ]] || same ssim "$stderr" ''
}

# clang-format off
@test "the state of a node that slurm.conf does not have is refused, but for retired ones" {
	refuses "node: 'm2' is not in slurm.conf (of one that was retired say end= or tres=)" \
		srecord node node=m[1-2] state=down reason=fan
	same events "$(ask "SELECT count(*) FROM event WHERE node != ''")" 0
	run srecord node node=m2 state=up
	[[ $status -eq 1 && $output == *"did you mean 'm1'?"* ]]
	srecord node node=old1 state=down start=now-2days end=now-1day
	srecord node node=old2 state=down tres=cpu=4
	srecord node node=old1,old2,m1 state=drain reason=sold
	srecord node node=old2 state=up
	sacctmgr -iQ add cluster two >/dev/null
	srecord node node=x9 cluster=two state=down
	srecord - <<-'END'
		node name=n20 cpus=8
		node name=n20 state=down reason=new
		node name=n21 cpus=8 state=down reason=new
	END
	same open "$(ask "SELECT group_concat(node, ' ') FROM (SELECT node FROM event WHERE node != '' AND end IS NULL ORDER BY node)")" \
		'm1 n20 n21 old1 x9'
}
# clang-format on
