#!/usr/bin/env bats
# Leases: `modify ... set fairshare=100 until=TIME`. After the time the earlier value holds, in
# every program, whoever looks; the log has it when somebody writes.

load lib

setup() {
	fresh_cluster
	local_users ann bob cid
	now=1800000000
	export BURSAR_STORE=$(store) BURSAR_NOW=$now
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add account lab parent=phys >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	sacctmgr -iQ add qos fast,slow >/dev/null
}

# at SECONDS COMMAND...: so long after the beginning
at() {
	BURSAR_NOW=$((now + $1)) "${@:2}"
}

# of USER COLUMNS [SECONDS]: of the association
of() {
	at "${3-0}" sacctmgr -nP show assoc where user="$1" account=lab format="$2"
}

# raw WORD...: ann's shares as sshare has them
raw() {
	sshare -nP -u ann -o user,rawshares "$@" | sed -n 's/^ann|//p'
}

lease() {
	sacctmgr -iQ modify "$@" >/dev/null
}

@test "a value holds until its time, then the earlier one does: to every reader" {
	lease user ann set fairshare=7 maxjobs=5
	lease user ann set fairshare=100 maxjobs=50 until=uts$((now + 1000))
	same before "$(of ann share,maxjobs 999)" '100|50'
	same after "$(of ann share,maxjobs 1000)" '7|5'
	same sshare "$(at 999 raw)" 100
	same sshare "$(at 1000 raw)" 7
	# Nobody has written: the file has what was set.
	same file "$(ask "SELECT shares, max_jobs FROM assoc WHERE user = 'ann'")" '100|50'
	same 'log of the file' \
		"$(ask "SELECT count(*) FROM change WHERE command LIKE 'lease ended%'")" 0
	same 'log as it is read' \
		"$(at 2000 sacctmgr -nP show txn action='Lease Ended' format=info)" \
		$'MaxJobs=5\nFairShare=7'
	# Who may not write sees the same.
	chmod 444 "$(store)"
	same 'after, for ann' \
		"$(at 1000 as ann sacctmgr -nP show assoc where user=ann format=share)" 7
	chmod 644 "$(store)"
}

@test "the log has the end when somebody writes, at the time it was" {
	lease user ann set fairshare=100 until=uts$((now + 1000))
	n=$(ask 'SELECT max(id) FROM change')
	at 5000 sacctmgr -iQ modify user bob set fairshare=3 >/dev/null
	same log "$(ask "SELECT time - $now, actor, command FROM change WHERE id > $n")" \
"1000|root|lease ended: FairShare of user ann in lab on canis
5000|root|modify user bob set fairshare=3"
	same txn "$(sacctmgr -nP show txn action='Lease Ended' format=action,actor,info)" \
		'Lease Ended|root|FairShare=1'
	same file "$(ask "SELECT shares FROM assoc WHERE user = 'ann';
		SELECT count(*) FROM lease")" $'1\n0'
	same blame "$(at 5000 sacctmgr -nP show assoc where user=ann withblame \
		format=setting,value,command)" ''
	# The end is no change that could be undone; it is named where it stands in the way.
	at 5000 sacctmgr -i undo >/dev/null
	same undone "$(of bob share 5000)" 1
	refuses 'a later one depends on it: change' at 5000 sacctmgr -i undo "$n"
	refuses "($(ask "SELECT command FROM change WHERE id = $n + 1")) follows" \
		at 5000 sacctmgr -i undo $((n + 1))
}

@test "any limit, QOS list, admin level, of QOS too" {
	lease account lab set grptres=cpu=8,mem=1G qos=normal,slow maxwall=60
	sacctmgr -iQ modify qos fast set priority=5 grptres=cpu=4 flags=DenyOnLimit >/dev/null
	before=$(sacctmgr -nP show assoc format=account,user,grptres,qos,maxwall,defaultqos)
	before+=$(sacctmgr -nP show qos format=name,priority,grptres,flags,usagefactor)
	until=until=uts$((now + 60))
	lease account lab set grptres=cpu=16,gres/gpu=2 qos+=fast maxwall=-1 defaultqos=slow $until
	lease qos fast set priority=9 grptres=cpu=-1,node=2 flags+=NoDecay usagefactor=2.5 $until
	lease user bob set adminlevel=operator $until
	same during "$(sacctmgr -nP show assoc where account=lab user= \
		format=grptres,qos,maxwall,defaultqos)" \
		'cpu=16,gres/gpu=2,mem=1G|fast,normal,slow||slow'
	same during "$(sacctmgr -nP show qos fast format=priority,grptres,flags,usagefactor)" \
		'9|node=2|DenyOnLimit,NoDecay|2.500000'
	same during "$(sacctmgr -nP show user bob format=adminlevel)" Operator
	state() {
		at 60 sacctmgr -nP show assoc format=account,user,grptres,qos,maxwall,defaultqos
		at 60 sacctmgr -nP show qos format=name,priority,grptres,flags,usagefactor
	}
	same after "$(state | tr -d '\n')" "$(tr -d '\n' <<<"$before")"
	same after "$(at 60 sacctmgr -nP show user bob format=adminlevel)" None
	at 60 sacctmgr -Q ping >/dev/null
	same written "$(BURSAR_NOW=$now state | tr -d '\n')" "$(tr -d '\n' <<<"$before")"
	same left "$(ask 'SELECT count(*) FROM lease')" 0
}

@test "add user until: the association goes, and the user with the last" {
	sacctmgr -iQ add user cid account=lab for=7days >/dev/null
	sacctmgr -iQ add user ann account=phys fairshare=3 until=uts$((now + 60)) >/dev/null
	srecord job user=cid account=lab cpus=4 mem=10 submit=uts$((now - 5000)) \
		start=uts$((now - 4000)) end=uts$((now - 400)) state=COMPLETED >/dev/null
	usage=$(sshare -nP -A lab -o rawusage)
	same during "$(sacctmgr -nP show assoc where user=ann,cid format=user,account)" \
		$'ann|phys\nann|lab\ncid|lab'
	week=$((7 * 86400))
	same before "$(at $((week - 1)) sacctmgr -nP show user cid format=user)" cid
	same after "$(at $week sacctmgr -nP show user cid format=user)" ''
	same after 'ann|lab' \
		"$(at $week sacctmgr -nP show assoc where user=ann,cid format=user,account)"
	same usage "$(at $week sshare -nP -A lab -o rawusage)" "$usage"
	at $week sacctmgr -Q ping >/dev/null
	same written "$(ask "SELECT deleted FROM user WHERE name = 'cid'")" 1
	same usage "$(at $week sshare -nP -A lab -o rawusage)" "$usage"
}

@test "leases lie on one another; a later set without until ends them" {
	lease user ann set fairshare=10 until=uts$((now + 100))
	lease user ann set fairshare=20 until=uts$((now + 50))
	lease user ann set fairshare=30 until=uts$((now + 200))
	shares() {
		for t in 0 49 50 99 100 199 200; do
			of ann share "$t"
		done | tr '\n' ' '
	}
	same stacked "$(shares)" '30 30 30 30 30 30 1 '
	lease user ann set fairshare=5 until=uts$((now + 10))
	same 'and back' "$(of ann share 10)" 30
	# The same value, for good.
	lease user ann set fairshare=5
	same ended "$(shares)" '5 5 5 5 5 5 5 '
	same left "$(ask 'SELECT count(*) FROM lease')" 0
	# The same value, for longer.
	lease user ann set fairshare=6 until=uts$((now + 50))
	lease user ann set fairshare=6 until=uts$((now + 100))
	same longer "$(shares)" '6 6 6 6 5 5 5 '
}

@test "undo does not take a lease away from below another" {
	lease user ann set fairshare=6 until=uts$((now + 50))
	n=$(ask 'SELECT max(id) FROM change')
	lease user ann set fairshare=6 until=uts$((now + 100))
	refuses "a later one depends on it: change $((n + 1))" sacctmgr -i undo "$n"
	# When the one below is over, the other stands alone.
	at 60 sacctmgr -Q ping >/dev/null
	same left "$(ask 'SELECT n, until - '"$now"', earlier FROM lease')" '1|100|1'
	same then "$(of ann share 100)" 1
}

@test "ensure: until an absolute time it is idempotent" {
	word=until=uts$((now + 100))
	ensures() {
		sacctmgr -i ensure user "$@" account=lab $word | tail -n 1
	}
	same first "$(ensures ann fairshare=9)" changed
	same again "$(ensures ann fairshare=9)" unchanged
	same new "$(ensures cid)" changed
	same again "$(ensures cid)" unchanged
	same level "$(ensures dan adminlevel=operator maxjobs=3)" changed
	same again "$(ensures dan adminlevel=operator maxjobs=3)" unchanged
	same longer "$(word=until=uts$((now + 150)) && ensures dan maxjobs=3)" changed
	same then "$(at 100 sacctmgr -nP show assoc account=lab format=user,share)" \
		$'|1\nann|1\nbob|1'
}

@test "backup has the end of a lease in its log" {
	lease user ann set fairshare=9 until=uts$((now + 100))
	at 200 sacctmgr -Q backup copy
	same log "$(BURSAR_STORE=$PWD/copy at 200 sacctmgr -nP show txn action='Lease Ended' \
		format=info)" FairShare=1
}

@test "in the shell, until is of its command alone" {
	sacctmgr -Q dump canis file=all >/dev/null
	sed -i "/'bob'/s/Fairshare=1/Fairshare=8/; /'ann'/s/Fairshare=1/Fairshare=9/" all
	printf '%s\n' "modify user ann set fairshare=9 until=uts$((now + 100))" 'load all' exit |
		sacctmgr -iQ >/dev/null
	same leases "$(sacctmgr -nP show assoc withleases format=user)" ann
	same bob "$(of bob share 100)" 8
}

@test "withleases: what holds until when, and what comes then" {
	lease user ann set fairshare=100 qos+=fast until=uts$((now + 1000))
	lease account lab set grptres=cpu=8
	lease account lab set grptres=cpu=16 until=uts$((now + 2000))
	lease qos slow set priority=4 until=uts$((now + 2000))
	export SLURM_TIME_FORMAT=%s
	prints "lab||GrpTRES=cpu|$((now + 2000))|cpu=8|root
lab|ann|FairShare|$((now + 1000))|1|root
lab|ann|QOS|$((now + 1000))||root" sacctmgr -nP show assoc withleases \
		format=account,user,setting,until,then,actor
	prints "slow|Priority|$((now + 2000))|0" sacctmgr -nP show qos withleases \
		format=name,setting,until,then
	prints '["FairShare",1]' bash -c 'sacctmgr --json show user ann withleases |
		jq -c ".settings[0] | [.setting, .then]"'
	same over "$(at 1000 sacctmgr -nP show assoc withleases format=user)" ''
}

@test "withleases: what comes after a lease over another" {
	lease user ann set maxjobs=5 fairshare=7
	lease user ann set maxjobs=10 fairshare=10 until=uts$((now + 1000))
	lease user ann set maxjobs=20 until=uts$((now + 2000))
	lease user ann set fairshare=20 until=uts$((now + 500))
	export SLURM_TIME_FORMAT=%s
	same rows "$(sacctmgr -nP show assoc where user=ann withleases \
		format=setting,until,then)" "FairShare|$((now + 500))|10
MaxJobs|$((now + 1000))|5
FairShare|$((now + 1000))|7
MaxJobs|$((now + 2000))|5"
	same kept "$(of ann share,maxjobs 600) $(of ann maxjobs 1500) $(of ann maxjobs 2000)" \
		'10|20 20 5'
}

@test "--at, --history, --what-if, --dry-run know of leases" {
	lease user ann set fairshare=100 until=uts$((now + 1000))
	at 5000 sacctmgr -iQ add account other >/dev/null
	at 6000 sacctmgr -iQ modify user ann set fairshare=50 until=uts$((now + 9000)) >/dev/null
	shares() {
		BURSAR_NOW=$1 raw --at=uts$((now + $2)) "${@:3}"
	}
	for when in $((now + 6000)) $((now + 20000)); do
		same 'at 500' "$(shares "$when" 500)" 100
		same 'at 1000' "$(shares "$when" 1000)" 1
	done
	same 'to come' "$(shares $((now + 6000)) 8999)" 50
	same 'to come' "$(shares $((now + 6000)) 9000)" 1
	same 'past and unwritten' "$(shares $((now + 20000)) 8999)" 50
	same 'past and unwritten' "$(shares $((now + 20000)) 9000)" 1
	same what-if "$(shares $((now + 6000)) 6400 \
		--what-if="modify user ann set fairshare=9 until=uts$((now + 6500))")" '50|9|-41'
	same 'what-if, and back' "$(shares $((now + 6000)) 6600 \
		--what-if="modify user ann set fairshare=9 until=uts$((now + 6500))")" '50|50|+0'
	at 20000 sacctmgr --dry-run modify user ann set fairshare=2 >dry
	grep -q 'Share 1 -> 2' dry
	same 'not written' "$(ask 'SELECT count(*) FROM lease')" 1
}

@test "sshare --forecast knows of shares that come back" {
	lease user ann set fairshare=100
	lease user ann set fairshare=1 until=uts$((now + 3600))
	lease user ann set fairshare=2 until=uts$((now + 60))
	for user in ann bob; do
		srecord job user=$user account=lab cpus=$((${#user} * 4)) mem=10 \
			start=uts$((now - 5000)) end=uts$((now - 400)) state=COMPLETED >/dev/null
	done
	lease user bob set fairshare=4
	export SLURM_TIME_FORMAT=%s
	prints "lab|ann|0.333333|$((now + 3600))|0.666667|" sshare -nP -u ann --forecast=0.5
	# For good: it does not come back.
	lease user ann set fairshare=1
	prints 'lab|ann|0.333333|never|0.666667|' sshare -nP -u ann --forecast=0.5
}

@test "splan and squeue --start plan behind the end of a limit, and not where one will hold" {
	export SLURM_TIME_FORMAT=%s
	starts() {
		squeue --start -h -S i -o '%i %S' "$@"
	}
	lease user ann set maxjobs=0 until=uts$((now + 3600))
	lease user bob set grptres=cpu=2 until=uts$((now + 1800))
	srecord job id=1 user=ann account=lab cpus=4 timelimit=10 mem=10 >/dev/null
	srecord job id=2 user=bob account=lab cpus=4 timelimit=10 mem=10 >/dev/null
	prints "1 $((now + 3600))"$'\n'"2 $((now + 1800))" starts
	same reasons "$(squeue -h -S i -o '%i %r')" $'1 AssocMaxJobsLimit\n2 AssocGrpCpuLimit'
	same splan "$(splan | grep -c "$((now + 3600))")" 1
	# What holds for good is as before.
	sacctmgr -iQ modify user bob set grptres=cpu=2 >/dev/null
	prints "1 $((now + 3600))"$'\n2 N/A' starts
	# More until a time, and then none: now, but not behind another job.
	sacctmgr -iQ modify user bob set grptres=cpu=-1 maxjobs=0 >/dev/null
	lease user bob set maxjobs=5 until=uts$((now + 1800))
	same splan "$(splan | awk '$1 == 2 { print $6, $7 }')" "start $now"
	sacctmgr -iQ add user cid account=lab >/dev/null
	srecord job id=3 user=cid account=lab cpus=62 mem=10 timelimit=20 \
		submit=uts$now start=uts$now nodelist=vm >/dev/null
	prints "1 $((now + 3600))"$'\n'"2 $((now + 1200))" starts -t PD
	srecord job id=3 timelimit=60 >/dev/null
	prints "1 $((now + 3600))"$'\n2 N/A' starts -t PD
}

@test "undo, dump and the flat file" {
	lease user ann set fairshare=100 until=uts$((now + 1000))
	sacctmgr -i undo >/dev/null
	same undone "$(of ann share)" 1
	same gone "$(ask 'SELECT count(*) FROM lease')" 0
	sacctmgr -i redo >/dev/null
	same redone "$(of ann share 999) $(of ann share 1000)" '100 1'
	# A dump has what holds then.
	sacctmgr -Q dump canis file=during >/dev/null
	grep -q "User - 'ann'.*Fairshare=100" during
	at 1000 sacctmgr -Q dump canis file=after >/dev/null
	grep -q "User - 'ann'.*Fairshare=1\b" after
	# What is as it is stays as it is, leases too.
	sacctmgr -i load during >/dev/null
	same lease "$(of ann share 1000)" 1
}

@test "check finds what is over and not in the log" {
	lease user ann set fairshare=100 until=uts$((now + 1000))
	same fine "$(sacctmgr -Q check leases)" ''
	capture at 1000 sacctmgr -Q check leases
	same status "$status" 2
	[[ $stdout == *'remedy: sacctmgr ping'* ]]
	at 1000 sacctmgr -iQ check leases --fix >/dev/null
	same fine "$(at 1000 sacctmgr -Q check leases)" ''
	same left "$(ask 'SELECT count(*) FROM lease')" 0
}

@test "bad words are refused, and nothing changes" {
	before=$(of ann share,maxjobs)
	refuses 'has passed' sacctmgr -i modify user ann set fairshare=9 until=2020-01-01
	refuses 'until=2020-01-01' sacctmgr -i modify user ann set fairshare=9 until=2020-01-01
	refuses 'has passed' sacctmgr -i add user cid account=lab until=2020-01-01
	refuses 'Invalid value for Until (soon)' \
		sacctmgr -i modify user ann set fairshare=9 until=soon
	refuses 'Invalid value for For (ever)' sacctmgr -i modify user ann set fairshare=9 for=ever
	refuses 'Parent cannot be set until a time' \
		sacctmgr -i modify account lab set parent=root for=1day
	refuses 'DefaultAccount cannot be set until a time' \
		sacctmgr -i modify user ann set defaultaccount=lab for=1day
	refuses "You didn't give me anything to set" sacctmgr -i modify user ann set for=1day
	refuses 'Unknown option: until=' sacctmgr -i add account new until=2030-01-01
	same state "$(of ann share,maxjobs)" "$before"
	same leases "$(ask 'SELECT count(*) FROM lease')" 0
}
