#!/usr/bin/env bats
# `show ... witheffective` and `withblame`: limits in force, where they come from, who set what.

load lib

setup() {
	fresh_cluster 'PartitionName=debug Nodes=vm Default=YES State=UP' \
		'PartitionName=big Nodes=vm State=UP QOS=part'
	local_users ann bob
	sacctmgr -iQ add account phys grptres=cpu=32 maxjobs=9 grpwall=600 >/dev/null
	sacctmgr -iQ add account lab parent=phys maxwall=60 >/dev/null
	sacctmgr -iQ add user ann,bob account=lab maxtres=cpu=8 >/dev/null
	sacctmgr -iQ add qos part grpjobs=4 >/dev/null
	sacctmgr -iQ add qos fast maxtrespu=cpu=6 maxjobspu=2 maxwall=30 >/dev/null
}

# told SWITCHES COLUMNS: of ann's association
told() {
	sacctmgr -nP show assoc where user=ann $1 format="$2"
}

runs() {
	srecord job account=lab start=now time=20 mem=1024 "$@" >/dev/null
}

@test "witheffective: each limit, where it is from, and what is used" {
	runs user=ann cpus=4
	runs user=bob cpus=2
	prints \
"Cluster|Account|User|Partition|JobQOS|Setting|Value|Used|Remaining|Running|Origin
canis|lab|ann|debug|normal|MaxJobs|9|1|8||account phys
canis|lab|ann|debug|normal|MaxWall|01:00:00||||account lab
canis|lab|ann|debug|normal|MaxTRES|cpu=8||||user ann in account lab
canis|lab|ann|debug|normal|GrpWall|10:00:00|00:00:00|10:00:00|00:40:00|account phys
canis|lab|ann|debug|normal|GrpTRES|cpu=32|cpu=6|cpu=26||account phys" \
		bash -c 'sacctmgr -P show assoc where user=ann witheffective | sed s/:39:/:40:/'
	prints 'GrpWall|10:00:00|00:00:00|account phys
MaxJobs|9||account phys
GrpTRES|cpu=32|cpu=6|account phys' \
		sacctmgr -nP show account phys witheffective users= format=setting,value,used,origin
}

@test "witheffective: what remains, and what running jobs may use yet" {
	local now=1790000000 # a store of tests has its own clock
	export BURSAR_NOW=$now BURSAR_STORE
	BURSAR_STORE=$(store)
	sacctmgr -iQ modify account phys set grptresmins=cpu=100,mem=1 >/dev/null
	srecord job user=ann account=lab cpus=4 mem=1024 time=20 submit=@$((now - 600)) \
		start=@$((now - 600)) >/dev/null
	sacctmgr -nP show assoc where user=ann witheffective \
		format=setting,value,used,remaining,running >all
	same minutes "$(grep -E 'GrpWall|Mins' all)" "\
GrpWall|10:00:00|00:10:00|09:50:00|00:10:00
GrpTRESMins|cpu=100|cpu=40|cpu=60|cpu=40
GrpTRESMins|mem=1M|mem=10G|mem=0|mem=10G"
}

@test "witheffective: a QOS hides limits, that of the partition first" {
	sacctmgr -iQ modify user ann set qos+=fast >/dev/null
	runs user=ann cpus=4 qos=fast partition=big
	prints 'GrpJobs|4|1|partition QOS part
MaxJobsPerUser|2|1|QOS fast
MaxWall|00:30:00||QOS fast
MaxTRESPerUser|cpu=6|cpu=4|QOS fast
MaxTRES|cpu=8||user ann in account lab
GrpWall|10:00:00|00:00:00|account phys
GrpTRES|cpu=32|cpu=4|account phys' \
		sacctmgr -nP show user ann witheffective jobqos=fast jobpartition=big \
		format=setting,value,used,origin
	prints 'fast|MaxJobsPerUser|2|
fast|MaxWall|00:30:00|
fast|MaxTRESPerUser|cpu=6|' \
		sacctmgr -nP show qos fast witheffective format=name,setting,value,used
	# Whoever may not use the QOS has no jobs in it.
	prints '' sacctmgr -nP show assoc where user=bob witheffective jobqos=fast
	refuses "slurm.conf has no partition 'huge'" \
		sacctmgr -nP show assoc where user=bob witheffective jobpartition=huge
	refuses ' WithEffective, WithBlame or WithLeases there are Clusters, Account, User, Part' \
		sacctmgr show assoc witheffective format=account,fairshare
	capture sacctmgr show assoc format=account,nosuch
	same 'own columns' "$stderr" "Unknown field 'nosuch'"
}

@test "witheffective: limits on jobs that accrue age" {
	sacctmgr -iQ modify account phys set maxjobsaccrue=3 grpjobsaccrue=9 >/dev/null
	sacctmgr -iQ modify qos fast set maxjobsaccruepu=2 >/dev/null
	sacctmgr -iQ modify user ann set qos+=fast >/dev/null
	for i in 1 2 3 4; do
		srecord job user=ann account=lab cpus=1 mem=10 submit=now-10minutes >/dev/null
	done
	prints 'MaxJobsAccrue|3|3|account phys
GrpJobsAccrue|9|3|account phys' bash -c "sacctmgr -nP show assoc where user=ann witheffective \
		format=setting,value,used,origin | grep Accrue"
	prints 'MaxJobsAccruePerUser|2|0|QOS fast
GrpJobsAccrue|9|3|account phys' bash -c "sacctmgr -nP show assoc where user=ann witheffective \
		jobqos=fast format=setting,value,used,origin | grep Accrue"
}

@test "what witheffective tells is what splan and srecord hold jobs to" {
	sacctmgr -iQ modify user ann set maxjobs=2 >/dev/null
	for i in 1 2 3; do
		left=$(told witheffective setting,value,used |
			awk -F'|' '$1 == "MaxJobs" { print $2 - $3 }')
		srecord job user=ann account=lab cpus=1 mem=10 time=20 >/dev/null
		splan --start >/dev/null
		reason=$(squeue -h -t PD -o %r)
		case $left in
		0) same reason "$reason" AssocMaxJobsLimit ;;
		*) same reason "$reason" '' ;;
		esac
	done
	same left "$left" 0
}

@test "the columns are those of a setting; a column of the entity is refused" {
	local switch
	for switch in witheffective withblame withleases; do
		refuses "Unknown field 'maxjobs'" sacctmgr show assoc $switch format=user,maxjobs
		refuses "Unknown field 'grpjobs'" sacctmgr show qos $switch format=name,grpjobs
	done
}

@test "withblame: who set it, when, by which command" {
	sacctmgr -iQ modify user ann set fairshare=7 maxjobs=3 >/dev/null
	sacctmgr -iQ modify user ann set maxjobs=4 >/dev/null
	n=$(ask 'SELECT max(id) FROM change')
	sacctmgr -iQ modify user ann set qos+=fast defaultqos=fast >/dev/null
	prints "MaxJobs|4|root|$n|modify user ann set maxjobs=4
MaxTRES|cpu=8|root|$((n - 4))|add user ann,bob account=lab maxtres=cpu=8
FairShare|7|root|$((n - 1))|modify user ann set fairshare=7 maxjobs=3
DefaultQOS|fast|root|$((n + 1))|modify user ann set qos+=fast defaultqos=fast
QOS|+fast|root|$((n + 1))|modify user ann set qos+=fast defaultqos=fast" \
		told withblame setting,value,actor,change,command
	told 'witheffective withblame jobqos=normal' setting,value,used,origin,change >both
	same both "$(grep 'MaxJobs|4\|GrpTRES' both)" "MaxJobs|4|0|user ann in account lab|$n
GrpTRES|cpu=32|cpu=0|account phys|1"
	# What was undone does not count, nor does undo itself.
	sacctmgr -i undo "$n" >/dev/null
	same undone "$(told withblame setting,value,change | grep MaxJobs)" \
		"MaxJobs|3|$((n - 1))"
	sacctmgr -i redo "$n" >/dev/null
	same redone "$(told withblame setting,value,change | grep MaxJobs)" \
		"MaxJobs|4|$n"
	sacctmgr -i modify user bob set adminlevel=operator >/dev/null
	prints 'AdminLevel|Operator|root|modify user bob set adminlevel=operator
MaxTRES|cpu=8|root|add user ann,bob account=lab maxtres=cpu=8' \
		sacctmgr -nP show user bob withblame format=setting,value,actor,command
	prints 'Description|part|root|add qos part grpjobs=4
GrpJobs|4|root|add qos part grpjobs=4' \
		sacctmgr -nP show qos part withblame format=setting,value,actor,command
}

@test "witheffective and withblame as documents" {
	runs user=ann cpus=4
	sacctmgr --json show assoc where user=ann witheffective withblame |
		jq -c '.settings[] | select(.setting == "MaxJobs") |
			[.user, .value, .used, .origin, .actor, .change]' >got
	same json "$(<got)" '["ann",9,1,"account phys","root",1]'
	sacctmgr --ndjson show assoc where user=ann witheffective format=setting,value |
		jq -c . >lines
	same lines "$(head -n 1 lines)" '{"setting":"MaxJobs","value":9}'
}

@test "others' usage and names stay private" {
	echo PrivateData=usage,accounts,users,jobs >>"$SLURM_CONF"
	runs user=bob cpus=2
	as ann sacctmgr -nP show assoc where user=ann witheffective withblame \
		format=setting,value,used,actor >seen
	same used "$(tail -n 1 seen)" 'GrpTRES|cpu=32||'
	prints '' as ann sacctmgr -nP show assoc where user=bob witheffective
}
