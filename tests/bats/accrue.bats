#!/usr/bin/env bats
# MaxJobsAccrue, GrpJobsAccrue and those of a QOS: whose age counts.

load lib

start() {
	fresh_cluster PriorityWeightAge=10000 PriorityMaxAge=10-0 "$@"
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	sacctmgr -iQ add qos fast >/dev/null
	sacctmgr -iQ modify user ann,bob set qos+=fast >/dev/null
}

# waits USER DAYS [WORD...]: a job that has waited as long
waits() {
	srecord job user="$1" account=lab mem=100 time=20 partition=debug submit="now-$2days" \
		eligible="now-$2days" "${@:3}" >/dev/null
}

# The age in days (1000 points each).
ages() {
	sprio -h -S i -o '%i %.9A' | awk '
		{ printf "%s%s:%d", (NR > 1 ? " " : ""), $1, ($2 + 5) / 1000 }'
}

@test "accrue: MaxJobsAccrue of a user, first come first served" {
	start
	waits ann 5
	waits ann 4
	waits ann 3
	waits bob 2
	same free "$(ages)" '1:5 2:4 3:3 4:2'
	sacctmgr -iQ modify user ann set maxjobsaccrue=2 >/dev/null
	same two "$(ages)" '1:5 2:4 3:0 4:2'
	sacctmgr -iQ modify user ann set maxjobsaccrue=-1 >/dev/null
	sacctmgr -iQ modify account lab set maxjobsaccrue=1 >/dev/null
	same inherited "$(ages)" '1:5 2:0 3:0 4:2'
	same squeue "$(squeue -h -S i -O accruetime | sed 's/^2.*/since/; s/ *$//' | tr '\n' ' ')" \
		'since N/A N/A since '
}

@test "accrue: a place that is given up is taken at that moment" {
	start
	waits ann 8
	waits ann 6
	waits ann 5
	sacctmgr -iQ modify user ann set maxjobsaccrue=1 >/dev/null
	srecord job id=1 start=now-3days nodelist=vm >/dev/null
	same started "$(ages)" '2:3 3:0'
	srecord job id=2 end=now-1days state=CANCELLED >/dev/null
	same cancelled "$(ages)" 3:1
	srecord job id=3 hold=user >/dev/null
	waits ann 1
	same held "$(ages)" 4:1
}

@test "accrue: GrpJobsAccrue counts all below" {
	start
	waits ann 5
	waits bob 4
	waits ann 3
	sacctmgr -iQ modify account lab set grpjobsaccrue=2 >/dev/null
	same ages "$(ages)" '1:5 2:4 3:0'
	sacctmgr -iQ modify account root set grpjobsaccrue=1 >/dev/null
	same above "$(ages)" '1:5 2:0 3:0'
}

@test "accrue: limits of the job's QOS, not of the partition's, hide the association's" {
	start 'PartitionName=debug Nodes=vm Default=YES State=UP QOS=part'
	sacctmgr -iQ add qos part grpjobsaccrue=0 >/dev/null
	sacctmgr -iQ modify user ann set maxjobsaccrue=0 grpjobsaccrue=0 >/dev/null
	sacctmgr -iQ modify qos fast set maxjobsaccruepu=1 grpjobsaccrue=5 >/dev/null
	waits ann 5 qos=fast
	waits ann 4 qos=fast
	waits bob 3 qos=fast
	waits ann 2
	waits bob 1
	same ages "$(ages)" '1:5 2:0 3:3 4:0 5:1'
	sacctmgr -iQ modify qos fast set maxjobsaccruepu=-1 maxjobsaccruepa=2 >/dev/null
	same account "$(ages)" '1:5 2:4 3:0 4:0 5:1'
}

@test "accrue: without limits, and with ACCRUE_ALWAYS, everybody's age counts" {
	start AccountingStorageEnforce=associations
	waits ann 5
	waits ann 4
	sacctmgr -iQ modify user ann set maxjobsaccrue=1 >/dev/null
	same ages "$(ages)" '1:5 2:4'
	sed -i 's/^AccountingStorageEnforce=.*/&,limits/; $a PriorityFlags=ACCRUE_ALWAYS' \
		"$SLURM_CONF"
	same always "$(ages)" '1:5 2:4'
	sed -i '$d' "$SLURM_CONF"
	same limited "$(ages)" '1:5 2:0'
}

@test "accrue: what if, and why" {
	start
	waits ann 5
	waits ann 4
	sacctmgr -iQ modify user ann set maxjobsaccrue=1 >/dev/null
	capture sprio --explain 2
	[[ $stdout == *'MaxJobsAccrue or GrpJobsAccrue jobs accrue age already'* ]]
	[[ $(sprio --what-if='modify user ann set maxjobsaccrue=2' -j 2 -o '%i %A') == *4000* ]]
}
