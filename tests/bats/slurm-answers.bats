#!/usr/bin/env bats
# Answers that differed from those of a real Slurm 26.05: one test each.

load lib

setup() {
	fresh_cluster
	local_users amy bob
	sacctmgr -iQ add qos hi >/dev/null
	sacctmgr -iQ add account a >/dev/null
	sacctmgr -iQ add account b parent=a >/dev/null
	sacctmgr -iQ add user amy account=a partition=p1 >/dev/null
	sacctmgr -iQ add user amy,bob account=b >/dev/null
}

@test "a list of QOS that names none" {
	local empty='You gave me an empty qos list'
	refuses "$empty" sacctmgr -i modify user amy set qos=,
	refuses "$empty" sacctmgr -i modify account a set qos+=,
	refuses "$empty" sacctmgr -i add user cat account=a qos=,
	refuses "$empty" sacctmgr -i modify qos hi set preempt=,,
	refuses "$empty" sacctmgr show assoc where qos=,
	sacctmgr -iQ modify user amy set qos=normal,,hi >/dev/null
	prints hi,normal sacctmgr -nP show assoc user=amy account=b format=qos
	sacctmgr -iQ modify user amy set qos= >/dev/null
	prints normal sacctmgr -nP show assoc user=amy account=b format=qos
}

@test "sacct -g: groups the machine or a job knows, and numbers" {
	refuses 'Invalid group id: nosuch' sacct -n -g nosuch
	refuses 'Invalid group id: nosuch' sacct -n --gid=root,nosuch
	prints '' sacct -n -g root,77
	srecord job id=7 user=bob account=b cpus=1 submit=now start=now end=now state=COMPLETED
	ask "UPDATE job SET grp = 'far'"
	prints 7 sacct -nP -X -a -g far -o jobid
}

@test "RawUsage=0 of what is not there" {
	capture sacctmgr -i modify account nosuch set rawusage=0
	same status "$status" 1
	[[ $stderr == *'Failed to find cluster canis account nosuch association in database' ]]
	capture sacctmgr -i modify user bob where account=a set rawusage=0
	same status "$status" 1
	[[ $stderr == *'cluster canis account a user bob association in database' ]]
}

@test "parent='' are those without an account above: users, and root" {
	prints $'root|\nroot|root\na|amy\nb|amy\nb|bob' \
		sacctmgr -nP show assoc where parent='' format=account,user
	prints $'a|\nb|' sacctmgr -nP show assoc where parent=root,a format=account,user
}

@test "remove account: rows of a partition" {
	sacctmgr -iQ add user amy account=a partition=p2 >/dev/null
	prints $' Deleting account associations...
  C = canis      A = a          U = amy       P = p2' \
		sacctmgr -i remove account a partition=p2
	prints $'|p1\n|' sacctmgr -nP show assoc user=amy format=comment,partition
	prints ' Nothing deleted' bash -c 'sacctmgr -i remove account a partition=p9 || true'
}

@test "a second default: another partition of the default account" {
	sacctmgr -iQ add user amy account=a partition=p2,p3 defaultaccount=a >/dev/null
	prints $'a|p1\na|p2' sacctmgr -nP show assoc onlydefaults user=amy format=account,partition
	sacctmgr -iQ add user bob account=a partition=p1,p2 >/dev/null
	prints 'b|' sacctmgr -nP show assoc onlydefaults user=bob format=account,partition
	sacctmgr -iQ modify user bob set defaultaccount=a >/dev/null
	sacctmgr -iQ add user bob account=b partition=p7 defaultaccount=b >/dev/null
	prints 'b|p7' sacctmgr -nP show assoc onlydefaults user=bob format=account,partition
}

@test "ping: the host of AccountingStorageHost, else localhost" {
	prints 'slurmdbd(primary) at localhost is UP' sacctmgr ping
	echo AccountingStorageHost=db7 >>"$SLURM_CONF"
	prints 'slurmdbd(primary) at db7 is UP' sacctmgr ping
	prints db7 bash -c 'sacctmgr ping --json | jq -r ".pings[0].hostname"'
}

@test "squeue --json: how a job shares nodes" {
	cat >>"$SLURM_CONF" <<-'END'
		PartitionName=forced Nodes=vm OverSubscribe=FORCE:4
		PartitionName=alone Nodes=vm OverSubscribe=EXCLUSIVE
	END
	srecord job id=1 user=bob account=b mem=1 >/dev/null
	srecord job id=2 user=bob account=b mem=1 exclusive=1 >/dev/null
	srecord job id=3 user=bob account=b mem=1 partition=forced >/dev/null
	srecord job id=4 user=bob account=b mem=1 partition=alone >/dev/null
	prints '[1,[]] [2,["none"]] [3,["oversubscribe"]] [4,["none"]]' bash -c \
		'squeue --json | jq -c "[.jobs[] | [.job_id, .shared]] | sort[]" | paste -sd" "'
}

@test "job sizes: the number behind the last comma is not taken" {
	srecord cluster tres=cpu=100 start=2026-10-01
	for i in 1 2 3; do
		srecord job id=$i user=bob account=b cpus=1 submit=2026-10-01T00:00:00 \
			start=2026-10-01T00:00:00 end=2026-10-01T01:00:00 state=COMPLETED
	done
	count() {
		sreport -nP job sizesbyaccount printjobcount start=2026-10-01 end=2026-10-02 "$@" |
			cut -d'|' -f3
	}
	prints 3 count
	prints 1 count jobs=1,2
	prints 2 count jobs=1,2,
	prints 3 count jobs=1
}

@test "sacct: a column without width" {
	srecord job id=7 user=bob account=b name=long cpus=3 submit=now start=now end=now \
		state=COMPLETED
	prints $' JobID \n ----- \n     7 ' sacct -a -X -o jobname%0,jobid%5
	prints $' JobID \n ----- \n     7 ' sacct -a -X -o 'jobname%,jobid%5'
}

@test "half-lives: what is rounded is said, and told in words" {
	half_life() {
		sed -i "s/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=$1/" "$SLURM_CONF"
		capture sacctmgr -nP show qos hi format=name
		same qos "$stdout" hi
		warning=$stderr
		capture sshare --explain -u bob -A b
	}
	half_life 00:00:30
	[[ $warning == *'PriorityDecayHalfLife=00:00:30 is taken for 1 minute, as Slurm does'* ]]
	[[ $stdout == *'Usage counts half after 1 minute.'* ]]
	half_life 12:00:00
	[[ $warning == '' && $stdout == *'Usage counts half after 12 hours.'* ]]
	half_life 1-0
	[[ $stdout == *'Usage counts half after 1 day.'* && $stdout != *-0.000000* ]]
	half_life 01:01:30
	[[ $warning == *'PriorityDecayHalfLife=01:01:30 is taken for 62 minutes'* ]]
}
