#!/usr/bin/env bats
# srecord sync from=slurm with commands that stand in for Slurm's: what it does with answers that
# are missing, late, wrong or of another release. What a real Slurm says: tests/slurm/sync.bats.

load lib
load fake-slurm

setup() {
	fresh_cluster
	fake_slurm
}

sync() {
	srecord sync from=slurm bin="$PWD/slurm" "$@"
}

@test "a round takes over associations, shares and jobs; the next one changes nothing" {
	sync 2>said
	prints $'1|root||1\n2|root|root|1\n7|lab||5\n9|lab|ann|3' \
		sacctmgr -nP show assoc format=id,account,user,share
	prints '3|ann|lab|COMPLETED' sacct -naPX -S 2026-01-01 -o jobid,user,account,state
	prints 'ann' sacctmgr -nP show account lab withcoord format=coordinators
	sync 2>again
	[[ $(<again) == *'cluster canis from slurm: 0 jobs; '* ]] ||
		same again "$(<again)" 'no changes'
}

@test "a wckey without a name, which slurmdbd gives, is not in a dump" {
	sed -i '/^\t*\*dump\*)/i *"show wckey"*) echo "|ann"; echo "k1|ann" ;;' slurm/sacctmgr
	sync 2>/dev/null
	sacctmgr -Q dump canis file=dump.cfg
	prints "User - 'ann':Coordinator='lab':WCKeys='k1':Fairshare=3" \
		grep ann dump.cfg
}

@test "while Slurm's commands run the store may be changed" {
	local command
	sync 2>/dev/null
	# Two that look at once keep each other waiting, for less than that.
	cat >look <<-END
		echo "\$1" >>asked
		LD_PRELOAD= sqlite3 -cmd '.timeout 2000' "$(store)" \
			'BEGIN IMMEDIATE; ROLLBACK' 2>>locked
	END
	for command in sacctmgr sacct squeue sshare; do
		sed -i "2i sh '$PWD/look' $command" slurm/$command
		echo "sh '$PWD/look' $command" >>slurm/$command # it has printed all
	done
	sed -i 's/\(9|lab|ann.*\)3"$/\14"/' slurm/sacctmgr
	sync 2>/dev/null
	prints 4 sacctmgr -nP show assoc user=ann format=share
	same 'commands that were asked' "$(sort -u asked | paste -sd ' ')" \
		'sacct sacctmgr squeue sshare'
	same 'said about locks' "$(<locked)" ''
}

@test "the number of an association returns under another name" {
	local user
	sync 2>/dev/null
	for user in bob ann; do
		sed -i "s/ann/USER/g; s/bob/USER/g; s/USER/$user/g" slurm/{sacctmgr,sacct}
		sync 2>said || same said "$(<said)" ''
		prints $'1|root||1\n2|root|root|1\n7|lab||5\n9|lab|'"$user|3" \
			sacctmgr -nP show assoc format=id,account,user,share
		prints "$user" sacctmgr -nP show account lab withcoord format=coordinators
	done
	# Two that change their numbers, and one between them that goes.
	sed -i 's/^\t*echo "9|lab|ann\(.*\)"$/echo "9|lab|cy\1"; echo "10|lab|ann\1"/
		s/echo "ann|None"/&; echo "cy|None"/' slurm/sacctmgr
	sync 2>said || same said "$(<said)" ''
	prints $'10|ann\n9|cy' sacctmgr -nP show assoc account=lab user=ann,cy format=id,user
}

@test "-v: what differed, and how" {
	sync 2>/dev/null
	sed -i 's/\(9|lab|ann.*\)3"$/\14"/; s/the lab/our lab/' slurm/sacctmgr
	sync -v 2>/dev/null >told
	same told "$(<told)" "--- cluster canis
+++ slurm
@@ account lab @@
-Description: the lab
+Description: our lab
@@ user ann in lab @@
-FairShare: 3
+FairShare: 4"
	same again "$(sync -v 2>/dev/null)" ''
}

# Our own sacctmgr stands in for Slurm's, with a store of its own.
@test "what a store was becomes what Slurm has: moved, renamed, removed, with jobs that run" {
	local theirs=$PWD/theirs.db commands
	export BURSAR_STORE=$theirs
	sacctmgr -iQ <<-'END' >/dev/null
		add qos high,low,late set priority=3 grptres=cpu=7
		modify qos high set preempt=low,normal gracetime=100 flags=denyonlimit
		add account a description="Some Text" fairshare=3 qos=normal,high
		add account b parent=a grptres=cpu=5,gres/gpu=2 maxwall=90
		add account c defaultqos=low qos=low
		add user ann account=b,c defaultaccount=c adminlevel=operator wckey=k1,k2
		add user bob account=b partition=batch,debug fairshare=parent qos+=late
		modify user ann set defaultwckey=k2
		add coordinator account=a name=bob
		add account z
		add user dan account=z adminlevel=operator
		delete account z
	END
	unset BURSAR_STORE
	sacctmgr -iQ <<-'END' >/dev/null
		add qos late,other,high set priority=9
		modify qos normal set preempt=high grpjobs=8
		add account c fairshare=9 maxjobs=3 qos=other defaultqos=other
		add account a parent=c grpwall=70
		add account b
		add user ann account=a,b wckey=k1,k3 qos=late,other
		add user cy account=c,a adminlevel=admin wckey=k1
		add coordinator account=b,c name=ann
		add user dan account=a wckey=k1
	END
	srecord job id=7 user=cy account=c cpus=1 start=now >/dev/null
	mv slurm/sacctmgr slurm/rest
	fake sacctmgr "[[ \$1 != -V ]] || exec \${0%/*}/rest -V
		BURSAR_STORE=$theirs exec $(command -v sacctmgr) \"\$@\""
	sed -i '/^\t*3|ann/d' slurm/sacct
	sync 2>/dev/null
	sacctmgr dump canis file=ours.cfg >/dev/null
	BURSAR_STORE=$theirs sacctmgr dump canis file=theirs.cfg >/dev/null
	diff theirs.cfg ours.cfg
	for commands in \
		'-nP show assoc format=id,account,user,partition,parentname,lineage,qos' \
		'-nP show qos format=id,name,preempt' '-nP show wckey format=wckey,user' \
		'-nP show account withcoord' '-nP show user' '-nP show user withassoc'; do
		same "$commands" "$(sacctmgr $commands)" \
			"$(BURSAR_STORE=$theirs sacctmgr $commands)"
	done
	same again "$(sync -v 2>again)" ''
	run ! grep -q 'other records' again
	# What cannot be is refused with its reason: QOS that preempt each other.
	LD_PRELOAD='' sqlite3 "$theirs" "INSERT INTO qos_preempt SELECT a.id, b.id
		FROM qos a, qos b WHERE a.name = 'normal' AND b.name = 'high'"
	refuses 'associations: QOS normal: QOS Preemption loop detected' sync
}

@test "--dry-run: what a round would do; nothing is" {
	ask .dump >before
	capture srecord --dry-run sync from=slurm bin="$PWD/slurm"
	same status "$status" 0
	[[ $stderr == *'cluster canis from slurm: 1 jobs, 1 new'* ]]
	[[ $stdout == *'+ account lab'*'A = lab U = ann'*'A = lab        U = ann       Jobs + 1'* ]]
	same store "$(ask .dump)" "$(<before)"
	refuses 'not with --follow' srecord --dry-run sync --follow=9 from=slurm bin="$PWD/slurm"
}

@test "what Slurm no longer has is removed" {
	sacctmgr -i add account old >/dev/null
	sacctmgr -i add user bob account=old >/dev/null
	sync 2>/dev/null
	prints $'root|\nroot|root\nlab|\nlab|ann' sacctmgr -nP show assoc format=account,user
	prints $'ann\nroot' sacctmgr -nP show user format=user
	# What is in no association, as of other clusters, comes and goes apart.
	sed -i 's/echo "lab|org|the lab"/&; echo "far|o|d"/; s/echo "ann|None"/&; echo "Eve|None"/
		' slurm/sacctmgr
	sync 2>/dev/null
	prints $'ann\nEve\nroot' sacctmgr -nP show user format=user
	prints $'far\nlab\nroot' sacctmgr -nP show account format=account
	sed -i 's/; echo "far|o|d"//; s/; echo "Eve|None"//' slurm/sacctmgr
	sync 2>/dev/null
	prints $'ann\nroot' sacctmgr -nP show user format=user
	prints $'lab\nroot' sacctmgr -nP show account format=account
}

@test "a column that this release does not have is left out" {
	sed -i '2i [[ $* != *GrpWall* ]] || { echo "Unknown field \x27GrpWall\x27" >&2; exit 1; }' \
		slurm/sacctmgr
	sync 2>/dev/null
	prints 5 sacctmgr -nP show assoc where account=lab user='' format=share
}

@test "a store that follows is not changed by hand; what-if may" {
	sync 2>/dev/null
	for change in 'add account more' 'modify account lab set fairshare=9' 'delete user ann' \
		'load nosuch'; do
		refuses 'This store follows slurmdbd' sacctmgr -i $change
	done
	prints 'ann|3|9' bash -c "sshare -nPU -u ann -o user,rawshares \
		--what-if='modify user ann set fairshare=9' | cut -d'|' -f1-3"
	srecord sync --end
	sacctmgr -i modify account lab set fairshare=9 >/dev/null
	prints 9 sacctmgr -nP show assoc where account=lab user='' format=share
}

# The first that is asked, lest another is slow on a machine under load.
@test "a command that hangs is ended and named" {
	fake sacctmgr '[[ $1 != -V ]] || { echo "slurm 26.05.3"; exit; }
		sleep 1000 & echo $! >>started; wait'
	refuses 'sacctmgr said nothing for 1 seconds' sync timeout=1
	while read -r pid; do
		until ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
	done <started
}

@test "a command that fails, and what it said" {
	fake sacct 'echo "sacct: error: slurm_persist_conn_open_without_init: failed" >&2; exit 1'
	refuses 'jobs: sacct failed (exit status 1): sacct: error: slurm_persist' sync
}

@test "commands that are missing, or ours" {
	refuses 'there is no sacctmgr of Slurm' srecord sync from=slurm bin=/nonexistent
	ours=$(dirname "$(command -v srecord)")
	refuses 'there is no sacctmgr of Slurm' srecord sync from=slurm bin="$ours"
	PATH=$ours refuses 'bin=FOLDER says where they are' srecord sync from=slurm
}

@test "another cluster, other words" {
	refuses "knows no cluster 'owl', only canis" sync cluster=owl
	refuses "from: 'oracle' is neither slurm nor mysql" srecord sync from=oracle
	refuses "--follow: 'x' is not a number of seconds" srecord sync --follow=x
	refuses 'not with --follow' srecord sync --verify --follow=9
	refuses '--end, --follow and --verify are for sync' srecord job --verify
}

# queue JOB...: what the controller says, as 26.05 prints it; of a job its number, state, reason,
# description, tasks
queue() {
	local job
	for job; do
		IFS='|' read -r id state reason description tasks <<<"$job"
		jq -n --arg state "$state" --arg reason "$reason" --arg more "$description" \
			"def number: {set: true, infinite: false, number: .};
			{job_id: $id, job_state: [\$state], state_reason: \$reason,
			state_description: \$more,
			user_name: \"ann\", account: \"lab\", partition: \"debug\",
			submit_time: 1790000000 | number, eligible_time: 1790000000 | number,
			start_time: 1790000100 | number, tasks: $tasks | number,
			time_limit: 60 | number, priority: 77 | number}"
	done | jq -s '{jobs: .}' >queued
	fake squeue "cat '$PWD/queued'"
}

# sacct_says OPEN ENDED: its rows of jobs that have not ended, and of those that have
sacct_says() {
	fake sacct "case \"\$*\" in
		--helpformat) echo JobID User Account State Submit Start End Priority SubmitLine ;;
		*) tr '|' '\037' <<-END
			JobID|User|Account|State|Submit|Start|End|Priority|SubmitLine
			\$([[ \$* != *'-s PD,'* ]] && cat '$PWD/ended' || cat '$PWD/open')
		END
		esac"
	printf '%s' "$1" >open
	printf '%s' "$2" >ended
}

@test "the queue is the controller's; what only slurmdbd knows of it comes along" {
	queue '4|RUNNING|None||8' \
		'5|PENDING|ReqNodeNotAvail|ReqNodeNotAvail, UnavailableNodes:n[7-9]|3'
	sacct_says '4|ann|lab|RUNNING|1790000000|1790000100|Unknown|1|srun four
5|ann|lab|PENDING|1790000000|Unknown|Unknown|1|sbatch five
6|ann|lab|RUNNING|1790000000|1790000200|Unknown|1|srun six' ''
	sync 2>/dev/null
	prints $'4|RUNNING|77|srun four\n5|PENDING|77|sbatch five\n6|RUNNING|1|srun six' \
		sacct -naPX -S 2026-01-01 -o jobid,state,priority,submitline
	prints 'ReqNodeNotAvail, UnavailableNodes:n[7-9]' ask 'SELECT reason FROM job WHERE id = 5'
	prints ReqNodeNotAvail sacct -naPX -j 5 -o reason
	prints $'4|8\n5|3' eval 'squeue -h -j 4,5 -S i -O jobid:.1,numtasks:.2 | sed "s/ /|/"'
	sync 2>again
	[[ $(<again) == *'from slurm: 0 jobs; '* ]] || same again "$(<again)" 'no changes'
	queue '5|PENDING|Cleaning|Cleaning, n7 is not ready yet|3'
	sync 2>/dev/null
	prints '5 (Cleaning, n7 is not ready yet)' squeue -h -t pending -o '%i %R'
	prints 'Cleaning' eval 'squeue --json -j 5 | jq -r ".jobs[].state_reason"'
	# It ends: what the controller knew of it stays.
	queue '5|PENDING|None||3'
	sacct_says '' '4|ann|lab|COMPLETED|1790000000|1790000100|1790000900|77|srun four
6|ann|lab|COMPLETED|1790000000|1790000200|1790000900|1|srun six'
	sync 2>/dev/null
	prints $'4|COMPLETED\n5|PENDING\n6|COMPLETED' sacct -naPX -S 2026-01-01 -o jobid,state
	prints 8 ask 'SELECT tasks FROM job WHERE id = 4'
}

@test "a default wckey that Slurm knows no more is none" {
	sed -i '/^\t*\*dump\*)/i *"show wckey"*) cat "'"$PWD"'/wckeys" ;;\
		*"show user withassoc"*) cat "'"$PWD"'/defaults" ;;' slurm/sacctmgr
	printf '%s\n' 'k1|ann' 'k2|ann' >wckeys
	echo 'ann|lab|k2' >defaults
	sync 2>/dev/null
	prints 'ann|k2' sacctmgr -nP show user ann format=user,defaultwckey
	echo 'ann|lab|' >defaults
	sync 2>/dev/null
	prints 'ann|' sacctmgr -nP show user ann format=user,defaultwckey
	prints $'k1\nk2' sacctmgr -nP show wckey format=wckey
	sync 2>again
	run ! grep -q 'other records' again
}

# until_said N WORDS: a follower that is there has said it so often
until_said() {
	until [[ $(grep -c "$2" said) -ge $1 ]]; do
		[[ $(grep -c . said) -lt 50 ]] && kill -0 "$pid" || { cat said; return 1; }
		sleep 0.1
	done
}

@test "--follow goes on until it is ended, also after a round that failed" {
	srecord sync from=slurm bin="$PWD/slurm" --follow=1 2>said &
	pid=$!
	until_said 2 'from slurm'
	mv slurm/squeue squeue
	until_said 1 squeue
	mv squeue slurm/squeue
	until_said $(($(grep -c 'from slurm' said) + 1)) 'from slurm'
	kill "$pid"
	wait "$pid"
}

@test "federations, resources with their shares, and QOS with Slurm's numbers" {
	mv slurm/sacctmgr slurm/rest
	fake sacctmgr 'case "$*" in
		*"show federation"*) cat federation ;;
		*"show cluster format=Cluster,"*) cat cluster ;;
		*"show resource format"*) sort -u resource ;;
		*"show resource withclusters"*) cat shares ;;
		*"show qos"*)
			c=$(tr -dc , <<<"${*#*Name,ID}" | tr , "|")
			echo "normal|1$c"
			echo "late|7$c"
			echo "third|3$c"
			;;
		*) exec "${0%/*}/rest" "$@" ;;
		esac'
	echo birds >federation
	echo 'canis|birds|3|1|fast,big' >cluster
	echo 'matlab|flex|flexlm|maths|License|100||Absolute' >resource
	printf '%s\n' 'matlab|flex|canis|40|' 'matlab|flex|elsewhere|9|' >shares
	sacctmgr -i add qos old,late >/dev/null
	sacctmgr -i modify user ann set qos=late >/dev/null 2>&1 || true
	sacctmgr -i modify qos late set grpjobs=5 >/dev/null
	sacctmgr -i modify qos late set grpjobs=-1 until=now+1hour >/dev/null
	sync 2>/dev/null
	prints $'1|normal|\n3|third|\n7|late|' sacctmgr -nP show qos format=id,name,grpjobs
	export BURSAR_STORE=$(store)
	BURSAR_NOW=$(($(date +%s) + 7200)) prints $'1|normal|\n3|third|\n7|late|5' \
		sacctmgr -nP show qos format=id,name,grpjobs
	prints 'canis|birds|3' sacctmgr -nP show cluster format=cluster,federation,id
	prints 'matlab|flex|100|canis|40' sacctmgr -nP show resource withclusters \
		format=name,server,count,cluster,allowed
	sync 2>again
	run ! grep -q 'other records' again
	: >federation
	echo 'canis||0|0|' >cluster
	: >shares
	sync 2>/dev/null
	prints '' sacctmgr -nP show federation
	prints 'matlab|100' sacctmgr -nP show resource format=name,count
}

@test "a clock that goes wrong is told, and its times count" {
	fake sdiag "echo \"sdiag output at whenever (\$((\$(date +%s) + 7200)))\""
	soon=$(($(date +%s) + 7000))
	sed -i "s/^3|.*/3|ann|lab|COMPLETED|1790000000|1790000100|$soon/" slurm/sacct
	sync 2>said
	grep -q "Slurm's host is 7[12][0-9][0-9] seconds ahead of" said
	prints 3 sacct -naPX -S 2026-01-01 -E now+1day -o jobid
	fake sdiag "echo \"sdiag output at whenever (\$((\$(date +%s) - 600)))\""
	sync 2>said
	grep -q 'seconds behind this machine' said
}

@test "another release prints other columns: the line is shown, nothing is half done" {
	sed -i '2i [[ $* != *"show account"* ]] || { echo "root|only two"; exit; }' slurm/sacctmgr
	refuses "associations: sacctmgr show account: a line has 2 columns where 3" sync
	prints root sacctmgr -nP show account format=account
}

@test "an answer that cannot be whole takes nothing away" {
	sync 2>/dev/null
	cp slurm/sacctmgr whole
	ask .dump >before
	sed -i '2i [[ $* != *"show association"* ]] || exit 0' slurm/sacctmgr
	refuses 'associations: Slurm shows no association of root on cluster canis' sync
	sed '2i [[ $* != *"show account"* ]] || printf "\\0"' whole >slurm/sacctmgr
	refuses 'associations: there is a NUL byte in what sacctmgr printed' sync
	same store "$(ask .dump)" "$(<before)"
}

@test "a round that is killed at any point is gone on with" {
	for at in sacct squeue sshare; do
		mv "slurm/$at" "slurm/$at.real"
		fake "$at" 'kill -9 $PPID; sleep 1'
		sync 2>/dev/null && return 1
		mv "slurm/$at.real" "slurm/$at"
	done
	sync 2>/dev/null
	prints '3|ann|lab|COMPLETED' sacct -naPX -S 2026-01-01 -o jobid,user,account,state
	prints $'1|root||1\n2|root|root|1\n7|lab||5\n9|lab|ann|3' \
		sacctmgr -nP show assoc format=id,account,user,share
}

# text TEXT: as slurmctld writes it
text() {
	printf "\\x$(printf %02x $((${#1} >> 8)))\\x$(printf %02x $(((${#1} + 1) & 255)))" |
		cat <(printf '\0\0') -
	printf '%s\0' "$1"
}

# number BYTES VALUE: big-endian
number() {
	printf "$(printf "%0$((2 * $1))x" "$2" | sed 's/../\\x&/g')"
}

@test "usage: an account has by itself what is beyond those below it" {
	fake sshare 'printf "%s\n" "root|||600" " root|root||0" " lab|||600" "  lab|ann||500"'
	sync 2>/dev/null
	prints $'root||600\n root|root|0\n lab||600\n  lab|ann|500' \
		sshare -nPa -o account,user,rawusage
}

@test "usage: Slurm reckons once a period; what that explains is not set anew" {
	printf '%s\n' PriorityDecayHalfLife=7-0 PriorityCalcPeriod=5 >>"$SLURM_CONF"
	fake sshare 'printf "%s\n" "root|||8000000" " lab|||8000000" "  lab|ann||8000000"'
	sync 2>/dev/null
	facts=$(ask 'SELECT count(*) FROM usage_fact')
	fake sdiag "echo \"sdiag output at whenever (\$((\$(date +%s) + 200)))\""
	sync 2>again
	grep -q ': 0 jobs; ' again || same again "$(<again)" ''
	same facts "$(ask 'SELECT count(*) FROM usage_fact')" "$facts"
	sed -i 's/8000000/8100000/g' slurm/sshare
	sync 2>/dev/null
	((facts < $(ask 'SELECT count(*) FROM usage_fact')))
}

# usage_file VERSION: association 9 has used 5000
usage_file() {
	number 2 $(($1 << 8))
	number 8 "$(date +%s)"
	number 4 9
	text 5000.000000
	text '1=5000.0'
	number 4 60
}

@test "assoc_usage: raw usage from the controller's state file" {
	usage_file 45 >usage
	sync assoc_usage=usage 2>/dev/null
	used=$(sshare -nPU -u ann -o rawusage)
	((used >= 4999 && used <= 5000)) || { echo "$used"; return 1; }
	usage_file 99 >usage
	refuses 'usage is of version 25344; those of Slurm 22.05 to 26.05 (9728 to 11520)' \
		sync assoc_usage=usage
	usage_file 40 | head -c 30 >usage
	refuses 'usage ends in the middle of a record' sync assoc_usage=usage
	echo nothing of the kind >usage
	refuses 'usage is not a state file of slurmctld' sync assoc_usage=usage
	: >usage
	refuses 'usage is not a state file of slurmctld' sync assoc_usage=usage
	refuses 'assoc_usage: nosuch: No such file' sync assoc_usage=nosuch
}
