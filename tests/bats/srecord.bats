#!/usr/bin/env bats
# srecord: facts in, refusals, defaults. What other programs make of them is in their own tests;
# here the store is asked.

load lib

setup() {
	fresh_cluster 'PriorityDecayHalfLife=0'
	local_users amy bob
	sacctmgr -iQ add qos high,slow >/dev/null
	sacctmgr -iQ modify qos slow set usagefactor=0.5 >/dev/null
	sacctmgr -iQ add account phys,chem >/dev/null
	sacctmgr -iQ add user amy account=phys qos=normal,high,slow >/dev/null
	sacctmgr -iQ add user bob account=chem >/dev/null
	sacctmgr -iQ add user amy account=chem >/dev/null
}

# says TEXT SQL
says() {
	same "$2" "$(ask "$2")" "$1"
}

# usage USER ACCOUNT: own RawUsage of finished jobs, undecayed.
usage() {
	ask "SELECT printf('%.6f', coalesce(sum(raw), 0)) FROM usage u JOIN assoc a
		ON a.key = u.owner WHERE user = '$1' AND account = '$2'"
}

@test "a new pending job gets the next number, printed alone" {
	prints 1 srecord job user=amy account=phys
	prints 2 srecord job user=amy
	prints '' srecord job id=10 user=bob
	prints 11 srecord job user=bob
	says '11|bob|chem|debug|normal|PD' "SELECT j.id, user, account, partition, q.name,
		iif(state = 0, 'PD', 'other') FROM job j JOIN qos q ON q.id = j.qos WHERE j.id = 11"
}

@test "behind the last number that a job may have, those that are free" {
	srecord job id=10 user=bob
	srecord job id=11 user=bob
	srecord job id=4294967293 user=bob
	prints 12 srecord job user=amy
	prints 13 srecord job user=amy
}

@test "a job is submitted, starts and ends" {
	srecord job id=7 user=amy cpus=4 mem=8000 timelimit=60 submit=now-2hours
	says '0||' 'SELECT state, start, end FROM job'
	srecord job id=7 start=now-1hour nodelist=vm
	says '1|1=4,2=8000,4=1,5=4|1' 'SELECT state, tres_alloc, nodes_alloc FROM job'
	srecord job id=7 end=now exit=0:0
	says '3|1|1' 'SELECT state, end - start BETWEEN 3600 AND 3630, (SELECT count(*) FROM job)
		FROM job'
}

@test "state follows from times and exit code, and times from state" {
	srecord job id=1 user=amy end=now
	srecord job id=2 user=amy start=now-60 end=now exit=3
	srecord job id=3 user=amy start=now-60
	srecord job id=3 state=TIMEOUT
	srecord job id=4 user=amy state=R
	srecord job id=5 user=amy start=now-60 state=cancelled killed_by=amy
	says $'1|4|0\n2|5|768\n3|6|0\n4|1|0\n5|4|0' 'SELECT id, state, exit_code FROM job'
	says '1001' 'SELECT killed_by FROM job WHERE id = 5'
	says $'1||1\n2|1|1\n3|1|1\n4|1|\n5|1|1' 'SELECT id, start > 0, end > 0 FROM job'
}

@test "usage is billing times seconds times usage factor" {
	srecord job id=1 user=amy account=phys cpus=4 mem=4G gpus=2 partition=gpu \
		start=2026-01-01T00:00:00 end=2026-01-01T00:10:00
	[ "$(usage amy phys)" = 5400.000000 ] # 4 + 4 * 0.25 + 2 * 2 = 9 a second
	srecord job id=2 user=amy account=phys cpus=4 mem=4G qos=slow \
		start=2026-01-01T00:00:00 end=2026-01-01T00:10:00
	[ "$(usage amy phys)" = 6600.000000 ]
	[ "$(usage amy chem)" = 0.000000 ]
}

@test "a record that comes again changes nothing, a corrected one replaces" {
	local job='job id=1 user=amy submit=2026-01-01 start=2026-01-01T01:00 end=2026-01-01T02:00'
	srecord $job cpus=2 account=phys
	srecord $job cpus=2 account=phys
	[ "$(usage amy phys)" = 7200.000000 ]
	srecord $job cpus=3 account=phys
	[ "$(usage amy phys)" = 10800.000000 ]
	srecord $job account=chem
	[ "$(usage amy phys)" = 0.000000 ]
	[ "$(usage amy chem)" = 10800.000000 ]
	says 1 'SELECT count(*) FROM job'
	srecord job id=1 user=amy submit=2026-01-02 cpus=1
	says 2 'SELECT count(*) FROM job'
}

@test "weights that change do not move what was charged" {
	srecord job id=1 user=amy account=phys cpus=4 partition=debug mem=0 \
		start=2026-01-01T00:00:00 end=2026-01-01T01:00:00
	sed -i 's/\(PartitionName=debug.*\)/\1 TRESBillingWeights=CPU=10/' "$SLURM_CONF"
	srecord job id=1 comment=later
	srecord job id=1 user=amy account=phys cpus=4 partition=debug mem=0 \
		start=2026-01-01T00:00:00 end=2026-01-01T01:00:00
	[ "$(usage amy phys)" = 14400.000000 ]
	srecord job id=1 cpus=5
	[ "$(usage amy phys)" = 180000.000000 ]
}

@test "what is asked for: memory, gres, licenses, tres" {
	echo 'NodeName=n[1-9] RealMemory=256000' >>"$SLURM_CONF"
	srecord job id=1 user=amy cpus=4 mem=2T gres=gpu:2 nodes=2 licenses=licA:3,iop1
	says '1=4,2=2097152,4=2,5=4,1001=4,1004=1,1005=3' 'SELECT tres_req FROM job'
	srecord job id=2 user=amy tres=cpu=8,mem=1G,gres/gpu=1,billing=100 start=now-1minute
	says '1=8,2=1024,4=1,5=100,1001=1|100.0' 'SELECT tres_alloc, billing FROM job WHERE id = 2'
	srecord job id=3 user=amy nodelist=n[1-3] start=now-1minute
	says '3|3|1=3,2=768000,4=3,5=3' \
		'SELECT cpus_req, nodes_alloc, tres_alloc FROM job WHERE id = 3'
}

@test "a hold, a later begin and a dependency keep a job from waiting its turn" {
	srecord job id=1 user=amy hold=1
	srecord job id=2 user=amy begin=now+2hours
	srecord job id=3 user=amy dependency=afterok:1
	srecord job id=4 user=amy
	says $'1|JobHeldUser||\n2|BeginTime|1|\n3|Dependency||\n4|None|1|1' \
		'SELECT id, reason, eligible > 0, accrue > 0 FROM job'
	srecord job id=1 hold=0
	srecord job id=3 dependency=none
	says $'1|None|1\n3|None|1' 'SELECT id, reason, accrue > 0 FROM job WHERE id IN (1, 3)'
}

@test "a job of several partitions runs in the one that has its node" {
	srecord job id=1 user=amy partition=gpu,debug
	says 'gpu,debug' 'SELECT partition FROM job'
	srecord job id=1 start=now
	says 'gpu' 'SELECT partition FROM job'
}

@test "cputime and maxrss make the batch step" {
	srecord job id=1 user=amy cpus=2 mem=100 nodelist=n[1-2] start=now-100 end=now \
		state=FAILED exit=1:0 cputime=1:30 maxrss=512M
	says '-5|batch|5|256|n1|90000000|2=536870912|1=2,2=100,4=1' \
		'SELECT id, name, state, exit_code, nodelist, user_usec, in_max, tres_alloc
		FROM step'
	srecord step job=1 step=0 name=solve cpus=1 nodelist=n2 cputime=2.5 systime=1 end=now-50 \
		start=now-90
	says '0|solve|3|40|2500000|1000000|1=1,2=0,4=1' 'SELECT id, name, state, end - start,
		user_usec, sys_usec, tres_alloc FROM step WHERE id = 0'
}

@test "nodes go down and come back, capacity grows" {
	srecord cluster tres=cpu=64,node=4 nodes=n[1-4] start=2026-01-01
	srecord cluster tres=cpu=128,node=8 nodes=n[1-8] start=2026-02-01
	srecord cluster tres=cpu=32,node=2 nodes=n[1-2] start=2025-12-01
	says $'2025-12-01|31|1=32,4=2\n2026-01-01|31|1=64,4=4\n2026-02-01||1=128,4=8' \
		"SELECT date(start, 'unixepoch'), (end - start) / 86400, tres FROM event
		ORDER BY start"
	says 'n[1-8]' "SELECT nodes FROM cluster WHERE name = 'canis'"
	srecord node node=n[2-3] state=drain reason="bad disk" start=2026-02-02 tres=cpu=16
	srecord node node=n3 state=up start=2026-02-03
	says $'n2|DRAIN|bad disk|\nn3|DRAIN|bad disk|86400' \
		"SELECT node, state, reason, end - start FROM event WHERE node != ''"
	srecord node node=n4 state=down start=2026-02-04 tres=cpu=16
	srecord node node=n4 state=up start=2026-02-04
	says 0 "SELECT end - start FROM event WHERE node = 'n4'"
}

@test "who and where: refusals say what to do" {
	refuses "Invalid account or account/partition combination specified" \
		srecord job user=amy account=nosuch
	refuses "sacctmgr add account nosuch" srecord job user=amy account=nosuch
	refuses "sacctmgr add user bob account=phys" srecord job user=bob account=phys
	refuses "user eve is not known" srecord job user=eve
	refuses "Invalid qos specification" srecord job user=amy qos=nosuch
	refuses "Invalid qos specification" srecord job user=bob qos=high
	refuses "invalid partition specified: nosuch" srecord job user=amy partition=nosuch
	refuses "cluster nosuch is not known" srecord job user=amy cluster=nosuch
	refuses "Invalid generic resource (gres)" srecord job user=amy gres=shark:1
	refuses "Invalid license" srecord job user=amy licenses=nosuch:1
	refuses "who runs it? Give user=" srecord job id=99
	says 0 'SELECT count(*) FROM job'
}

@test "a time limit of 0 is none, as for sbatch" {
	srecord job id=1 user=amy timelimit=0 timemin=0 start=now-1hour
	srecord step job=1 step=0 timelimit=0:00
	prints UNLIMITED sacct -nPX -j 1 -o timelimit
	says '-1|-1' 'SELECT time_min, step.time_limit FROM job, step'
}

@test "nodes that slurm.conf does not have, and more licenses than there are" {
	local end='is not in slurm.conf (of a job that has ended say end=, too)'
	srecord job id=1 user=amy licenses=licA:20
	refuses "nodelist: 'vn' $end" srecord job id=1 start=now nodelist=vm,vn
	refuses "did you mean 'vm'?" srecord job user=amy required_nodes=vn
	refuses "excluded_nodes: 'n1' $end" srecord job user=amy excluded_nodes=n1,vm
	refuses 'Invalid license specification: 21 of licA' srecord job id=1 licenses=licA:21
	refuses 'Invalid license specification: 21 of licA' srecord job id=1 tres=license/licA=21
	echo 'Licenses=licC:2' >>"$SLURM_CONF"
	refuses 'Invalid license specification: 3 of licC' \
		srecord job user=amy start=now licenses=licC:1,licC:2
	says '1=1,2=256000,4=1,5=1,1005=20|' 'SELECT tres_req, start FROM job'
	srecord job id=2 user=amy start=now-1hour end=now nodelist=old licenses=licA:30
	sacctmgr -iQ add cluster two >/dev/null
	sacctmgr -iQ add account phys cluster=two >/dev/null
	sacctmgr -iQ add user amy account=phys cluster=two >/dev/null
	srecord job id=3 user=amy cluster=two start=now nodelist=x1
	srecord node node=vm9 state=down start=now-2hours end=now
	srecord job id=4 user=amy start=now nodelist=vm9
	# The file may have had the node when the job started.
	srecord job id=5 user=amy start=now-1day state=RUNNING nodelist=vm8
	touch -d 'now - 2 days' "$SLURM_CONF"
	refuses "nodelist: 'vm7' $end" srecord job id=6 user=amy start=now-1day nodelist=vm7
	says $'2|old\n3|x1\n4|vm9\n5|vm8' \
		"SELECT id, nodelist FROM job WHERE nodelist != '' ORDER BY id"
}

@test "more than there is, and where no jobs are taken" {
	echo 'PartitionName=old Nodes=vm State=DRAIN' >>"$SLURM_CONF"
	echo 'PartitionName=off Nodes=vm State=INACTIVE' >>"$SLURM_CONF"
	echo 'PartitionName=down Nodes=vm State=DOWN' >>"$SLURM_CONF"
	refuses "Requested node configuration is not available" srecord job user=amy gres=gpu:5
	refuses "partition debug" srecord job user=amy mem=300000
	refuses "Invalid license specification: 21 of licA" srecord job user=amy licenses=licA:21
	refuses "Required partition not available (inactive or drain)" \
		srecord job user=amy partition=old
	refuses "inactive or drain): off,old" srecord job user=amy partition=off,old
	says 0 'SELECT count(*) FROM job'
	# It waits for what may change, or was so when it happened.
	srecord job user=amy partition=old,debug >/dev/null
	srecord job user=amy partition=down >/dev/null
	srecord job user=amy mem=300000 hold=1 >/dev/null
	srecord job user=amy cpus=65 >/dev/null
	srecord job user=amy nodes=2 mem=300000 >/dev/null
	srecord job user=amy partition=old gres=gpu:5 start=now >/dev/null
	says $'debug\ndown\ndebug\ndebug\ndebug\nold' 'SELECT partition FROM job'
}

@test "EnforcePartLimits: what no partition, or not each, would start" {
	sed -i /^PartitionName=/d "$SLURM_CONF"
	cat >>"$SLURM_CONF" <<-'EOF'
		EnforcePartLimits=ANY
		PartitionName=debug Nodes=vm Default=YES MaxTime=60 MaxCPUsPerNode=8
		PartitionName=vip Nodes=vm AllowQos=high DenyAccounts=phys
		PartitionName=down Nodes=vm State=DOWN MaxTime=1
	EOF
	may() { srecord job user=amy "$@" >/dev/null; }
	refuses "More processors requested than permitted" srecord job user=amy cpus=9
	refuses "Node count specification invalid" srecord job user=amy nodes=2
	refuses "Requested time limit is invalid (missing or exceeds some limit)" \
		srecord job user=amy time=61
	refuses "Invalid qos specification: partition vip" srecord job user=amy partition=vip
	refuses "Invalid account or account/partition" \
		srecord job user=amy partition=vip account=phys qos=high
	may cpus=8 time=60
	may time=90 partition=down
	may time=90 partition=debug,down
	sed -i 's/^EnforcePartLimits=.*/EnforcePartLimits=YES/' "$SLURM_CONF"
	refuses "Requested time limit is invalid" srecord job user=amy time=90 partition=down,debug
	sed -i 's/^EnforcePartLimits=.*/EnforcePartLimits=NO/' "$SLURM_CONF"
	may cpus=9 time=90
}

@test "wckeys are the user's, where they are tracked" {
	echo TrackWCKey=yes >>"$SLURM_CONF"
	sacctmgr -iQ add user amy wckey=w1 >/dev/null
	wckeys() {
		sacct -anX -P -S now-1day -o jobid,wckey
		squeue -h -S i -o '%i %w'
	}
	srecord job user=amy >/dev/null
	srecord job user=amy wckey=other >/dev/null
	srecord job user=bob >/dev/null
	prints $'1|*w1\n2|other\n3|*\n1 *w1\n2 other\n3 *' wckeys
	sed -i 's/^AccountingStorageEnforce=.*/&,wckeys/' "$SLURM_CONF"
	refuses "Invalid wckey specification: user amy has no wckey other" \
		srecord job user=amy wckey=other
	refuses "user bob has no default wckey" srecord job user=bob
	srecord job user=amy wckey=w1 >/dev/null
	srecord job user=bob start=now >/dev/null
}

@test "associations and QOS that are not enforced are not asked for" {
	sed -i '/^AccountingStorageEnforce/d' "$SLURM_CONF"
	prints 1 srecord job user=eve account=nosuch
	prints 2 srecord job user=bob qos=high
	says $'eve|nosuch|\nbob|chem|high' 'SELECT user, account, q.name FROM job
		LEFT JOIN qos q ON q.id = qos AND assoc NOT NULL'
}

@test "bad words and values are named, nothing is kept" {
	srecord job id=1 user=amy start=now-1hour
	local before
	before=$(ask 'SELECT * FROM job')
	refuses "'x' is not a whole number" srecord job id=1 cpus=x
	refuses "cpus: '0' is not" srecord job id=1 cpus=0
	refuses "cpus: '-1' is not" srecord job id=1 cpus=-1
	refuses "cpus: '99999999999' is not" srecord job id=1 cpus=99999999999
	refuses "mem: '4X' is not a memory size" srecord job id=1 mem=4X
	refuses "mem: '-4' is not" srecord job id=1 mem=-4
	for word in mem mem-per-cpu cputime maxrss suspended; do
		refuses "'0x10' is not" srecord job id=1 $word=0x10
		refuses "'inf' is not" srecord job id=1 $word=inf
	done
	echo GresTypes=gpu >>"$SLURM_CONF"
	for gres in gpu:-1 gpu:+5 gpu: gpu:4294967294 gpu:5x gpu:0x10; do
		refuses "Invalid generic resource (gres) specification: '$gres'" \
			srecord job id=1 gres=$gres
	done
	refuses "'4294967294' is not CPUs on" srecord job id=1 cpus_per_node=4294967294
	refuses "start: 'soon' is not a time" srecord job id=1 start=soon
	refuses "submit: Invalid time specification" srecord job id=1 submit=2026-02-30
	[[ $stderr == *': month 2 of 2026 has 28 days' ]]
	refuses "state: 'DONE' is not a job state" srecord job id=1 state=DONE
	refuses "exit: '256' is not" srecord job id=1 exit=256
	refuses "nice: '3000000000' is not" srecord job id=1 nice=3000000000
	refuses "nodelist: 'n[1-' is not a host list" srecord job id=1 'nodelist=n[1-'
	refuses "no TRES known by type bogus" srecord job id=1 tres=bogus=1
	refuses "unknown key 'color'" srecord job id=1 color=red
	refuses "'cpus' is not key=value" srecord job id=1 cpus
	refuses "'cpus=' lacks a value" srecord job id=1 cpus=
	refuses "'cpus+=1': only =" srecord job id=1 cpus+=1
	refuses "end is before its start" srecord job id=1 end=now-90minutes start=now-30minutes \
		submit=now-1day user=amy
	refuses "start is before its submission" srecord job id=1 start=2020-01-01
	refuses "and an end time exclude each other" srecord job id=1 state=RUNNING end=now
	refuses "it never started" srecord job user=amy state=COMPLETED
	refuses "start is in the future" srecord job user=amy start=now+1hour
	refuses "submit is in the future" srecord job user=amy submit=now+1hour
	refuses "suspended for longer" srecord job id=1 suspended=2-00:00:00 end=now
	refuses "unknown fact 'bogus'; expected one of job, step, node, cluster" srecord bogus
	refuses "what is to be recorded" srecord
	refuses "job 77 is not on record" srecord step job=77 step=0
	refuses "step: 'first' is not" srecord step job=1 step=first
	refuses "start is before that of job 1" srecord step job=1 step=0 start=2020-01-01
	refuses "state: 'sleepy' is not a node state" srecord node node=n1 state=sleepy
	refuses "end is not after its start" srecord node node=n1 state=down start=now end=now
	refuses "node= is missing" srecord node state=down
	same 'the job' "$(ask 'SELECT * FROM job')" "$before"
	says '0|0' "SELECT (SELECT count(*) FROM event WHERE node <> ''),
		(SELECT count(*) FROM step)"
}

@test "a store that cannot be written is left alone" {
	chmod 755 "$BATS_TEST_TMPDIR/store"
	srecord job user=amy
	chmod 444 "$(store)"
	[ -w "$(store)" ] && skip "root writes anything"
	refuses "cannot be written" srecord job user=amy
}

@test "help and version" {
	capture srecord --help
	same status "$status" 0
	[[ $stdout == *"srecord [<OPTION>]"*"timelimit "*"Keys of srecord node"* ]]
	capture srecord --usage
	[[ $status == 0 && $stdout == *"FACT is one of"* && $stdout != *"Keys of"* ]]
	capture srecord -V
	[[ $status == 0 && $stdout == "slurm 26.05.3-bursar-"* ]]
	refuses 'Try "srecord --help"' srecord --bogus
}

@test "completion: facts, their keys, options" {
	completed() { # WORD...: what may stand for the last one
		bursar --complete -- srecord "$@"
	}
	same fact "$(completed cl)" cluster
	same key "$(completed job user=ann timel)" timelimit=
	same "key of another fact" "$(completed node timel)" ''
	same option "$(completed import --dup)" --duplicates
}

@test "the manual: its examples" {
	local_users amy bob ann
	echo 'NodeName=n[1-4] CPUs=16 RealMemory=64000' >>"$SLURM_CONF"
	sed -i 's/^PartitionName=debug .*Nodes=[^ ]*/&,n[1-4]/' "$SLURM_CONF"
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	examples srecord.1
}

@test "the manual has every option and key" {
	local page=$BATS_TEST_DIRNAME/../../man/srecord.1 word
	srecord --help >help
	for word in $(grep -oE -- '--[a-z][a-z_0-9-]+' help | sort -u); do
		grep -qE -- "[ ,]-${word#--}( |\$)" "$page" || same option '' "$word"
	done
	awk '/^Keys of srecord/ { on = 1; print ".Ss Of srecord " $NF; next }
		$0 == "" { on = 0 }
		on { print ".It Cm " $1 }' help >wanted
	same keys "$(awk '/^\.Sh/ { on = $2 == "KEYS" } on && /^\.(Ss|It)/' "$page")" "$(<wanted)"
}

@test "reservations: new, more of them, who may use them, what is wrong" {
	echo 'NodeName=n[1-4] CPUs=8 RealMemory=1000' >>"$SLURM_CONF"
	show() {
		sacctmgr -nP show reservation start=2026-01-01 \
			format=name,id,timestart,timeend,nodenames,tres,assoc,flags,comment
	}
	number() {
		sacctmgr -nP show assoc account=phys format=user,id | sed -n "s/^$1|//p"
	}
	srecord reservation name=class nodes='n[1-2]' start=2026-10-01 end=2026-10-02 \
		accounts=phys flags=MAINT comment='a|b'
	prints 'class|1|2026-10-01T00:00:00|2026-10-02T00:00:00|n[1-2]|'"$(
		)billing=16,cpu=16,mem=2000M,node=2|$(number '')|MAINT|a|b" show
	srecord reservation name=class end=2026-10-03 users=amy accounts=phys tres=cpu=3
	prints 'class|1|2026-10-01T00:00:00|2026-10-03T00:00:00|n[1-2]|cpu=3|'"$(
		number amy)|MAINT|a|b" show
	srecord reservation name=class start=2026-11-01 end=2026-11-02 tres=cpu=1
	same ids "$(show | cut -d'|' -f1-2 | tr '\n' ' ')" 'class|1 class|2 '
	before=$(show)
	refuses 'name= is missing' srecord reservation start=now end=now+1hour tres=cpu=1
	refuses 'end= is missing' srecord reservation name=x tres=cpu=1
	refuses 'end is not after its start' \
		srecord reservation name=x tres=cpu=1 start=2026-10-02 end=2026-10-02
	refuses 'give tres=' srecord reservation name=x nodes=n9 end=now+1hour
	refuses 'no association of account nosuch' \
		srecord reservation name=x tres=cpu=1 end=now+1hour accounts=nosuch
	same unchanged "$(show)" "$before"
	sacctmgr -P show reservation start=2026-01-01 \
		format=cluster,name,id,tres,timestart,timeend,nodenames,assoc,flags,unused >resv
	rm -f "$(store)"
	srecord import resv
	same imported "$(show | cut -d'|' -f1-6)" "$(cut -d'|' -f1-6 <<<"$before")"
}

@test "how a job may lie on nodes, and how it does" {
	echo 'NodeName=n[1-9] CPUs=64' >>"$SLURM_CONF"
	srecord job id=1 user=amy nodes=3 tasks=12 max-nodes=4 cpus_per_task=2 tasks_per_node=4 \
		mem-per-node=1G required_nodes=n1 excluded-nodes='n[2-3]' gpus_per_socket=1
	says '24|3072|3|4|12|2|4|1024|0' 'SELECT cpus_req, mem_req, nodes_req, nodes_max, tasks,
		cpus_per_task, tasks_per_node, mem_per_node, mem_per_cpu FROM job'
	says 'n1|n[2-3]|1' 'SELECT nodes_wanted, nodes_excluded, gpus_per_socket FROM job'
	srecord job id=1 start=now nodelist='n[1,4-5]' cpus-per-node='20,2,2' mem-per-node='1G(x3)'
	says '20,2(x2)|1024(x3)|1024' 'SELECT cpus_on, mem_on, mem_per_node FROM job'
	srecord job id=2 user=amy tasks=3 cpus_per_task=4 mem_per_cpu=500
	says '12|6000|500' 'SELECT cpus_req, mem_req, mem_per_cpu FROM job WHERE id = 2'
	refuses "'1,x' is not CPUs on each node" srecord job id=2 cpus-per-node=1,x
}

@test "a job whose number cannot be printed is not recorded" {
	[[ -w /dev/full ]] || skip 'no /dev/full'
	run -1 bash -c 'srecord job user=root >/dev/full 2>said'
	grep -q 'nothing is recorded' said
	same jobs "$(ask 'SELECT count(*) FROM job')" 0
}

@test "array: a list that means nothing is refused, by its word" {
	local list
	for list in 1-10:0 1-10:-1 1- 5-1 1,,2 1-10% 1-10%x 4000001 99999999999999999999; do
		refuses "array: '$list' is not a list of indexes" srecord job user=amy array="$list"
	done
	same jobs "$(ask 'SELECT count(*) FROM job')" 0
	srecord job id=1 user=amy array=1-10:3,12%0
	same list "$(ask 'SELECT array_tasks FROM job')" '1-10:3,12%0'
}
