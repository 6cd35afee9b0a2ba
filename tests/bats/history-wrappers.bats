# The sacct and sreport lines of programs in the wild: each is run as it stands there, and what
# comes out is read as its parser reads it. Standard error stays empty: some take any word there for
# a failure.
load lib

setup() {
	fresh_cluster 'NodeName=n[1-9] CPUs=8'
	export TZ=UTC
	local_users amy bob
	sacctmgr -iQ add account phys,chem >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	sacctmgr -iQ add user bob account=chem >/dev/null
	srecord cluster tres=cpu=100,mem=400000,node=10,billing=100 start=2026-09-01
	local day=2026-10-01
	srecord job id=1 user=amy cpus=4 nodes=2 mem=8G timelimit=120 name='a|b' nodelist='n[1-2]' \
		submit=${day}T08:00 start=${day}T08:10 end=${day}T09:10 state=COMPLETED \
		cputime=3:00:00 maxrss=3G workdir=/home/amy
	srecord job id=2 user=bob cpus=1 mem=1000 timelimit=UNLIMITED name=uuid-7 nodelist=n3 \
		submit=${day}T08:00 start=${day}T08:00 end=${day}T08:30 killed_by=bob \
		state=CANCELLED cputime=99.5 comment=rule_x
	srecord job id=3 user=amy cpus=2 array_job=3 array=1-5,7 submit=${day}T10:00 hold=1
	srecord job id=4 user=amy cpus=2 submit=${day}T10:00 start=now-1hour nodelist=n4
	srecord job id=6 user=amy cpus=1 array_job=5 array_task=2 nodelist=n5 \
		submit=${day}T11:00 start=${day}T11:00 end=${day}T12:00 state=FAILED exit=1
}

window='--starttime 2026-10-01T00:00:00 --endtime 2026-10-02T00:00:00'

# quiet COMMAND...: exit status 0, nothing on standard error; the output in $stdout
quiet() {
	capture "$@"
	same "messages of $*" "$stderr" '' && same "exit status of $*" "$status" 0
}

# fields N [DELIMITER]: every line of $stdout has so many
fields() {
	local bad
	bad=$(awk -F"${2:-|}" -v n="$1" 'NF != n' <<<"$stdout")
	[[ $stdout ]] && same "lines without $1 fields" "$bad" ''
}

# line ID: of $stdout, by its first field
line() {
	grep -m1 "^$1[|]" <<<"$stdout"
}

@test "13 OpenXDMoD: 26 fields and more, times, ids, what is not over" {
	local columns=jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit
	columns+=,eligible,start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres
	columns+=,alloctres,timelimit,nodelist,jobname
	quiet sacct --allusers --parsable2 --noheader --allocations --duplicates --clusters canis \
		--format $columns $window
	same 'too few fields' "$(awk -F'|' 'NF < 26' <<<"$stdout")" ''
	same 'name with a |' "$(line 1 | cut -d'|' -f26-)" 'a|b'
	same times "$(line 1 | cut -d'|' -f11-15)" "2026-10-01T08:00:00|2026-10-01T08:00:00|$(
		)2026-10-01T08:10:00|2026-10-01T09:10:00|01:00:00"
	same 'state, limit' "$(line 2 | cut -d'|' -f17,24)" 'CANCELLED by 1002|UNLIMITED'
	same task "$(line 5_2 | cut -d'|' -f2)" 6
	same nodes "$(line 1 | cut -d'|' -f18,25)" '2|n[1-2]'
	quiet sacct --allusers --parsable2 --noheader --allocations --duplicates --clusters canis \
		--format $columns -j 3,4
	same waits "$(sed -n 's/^3_\[1-5,7\].*|\(Unknown\)|.*|\(None assigned\)|.*/\1 \2/p' \
		<<<"$stdout")" 'Unknown None assigned'
	same 'not over' "$(line 4 | cut -d'|' -f14)" Unknown
}

@test "14 OpenXDMoD: sacct --json" {
	quiet sacct --json $window
	same tres "$(jq -c '.jobs[] | select(.job_id == 1) | .tres.allocated[0]' <<<"$stdout")" \
		'{"type":"cpu","name":"","id":1,"count":4}'
	same array "$(jq -c '.jobs[] | select(.job_id == 6) |
		[.array.job_id, .array.task_id.number]' <<<"$stdout")" '[5,2]'
	same rest "$(jq -c '.jobs[] | select(.job_id == 1) | [(.time.limit.number),
		.state.current[0], .derived_exit_code.return_code.number,
		(.steps[0].time.start.number)]' <<<"$stdout")" '[120,"COMPLETED",0,1790842200]'
}

@test "29, 30 Waldur: usage of accounts, jobs of one" {
	quiet sacct --parsable2 --noheader --cluster=canis --noconvert --truncate --allocations \
		--allusers --starttime=2026-10-01 --endtime=2026-10-02 --accounts=phys,chem \
		--format=Account,ReqTRES,Elapsed,User
	fields 4
	grep -qxE 'phys\|.*mem=8192M.*\|01:00:00\|amy' <<<"$stdout"
	grep -qxE 'chem\|.*mem=1000M.*\|00:30:00\|bob' <<<"$stdout"
	quiet sacct -n -P -a --account=chem --user=bob \
		--format=JobID,JobName,Partition,Account,User,State,Elapsed,Timelimit,NodeList \
		-S 2026-10-01 -X
	fields 9
	same job "$(line 2 | cut -d'|' -f1,2,4-)" \
		'2|uuid-7|chem|bob|CANCELLED by 1002|00:30:00|UNLIMITED|n3'
}

@test "32 exporter: Allocgres is gone, and says so" {
	refuses 'fatal: AllocGRES has been removed, please use AllocTRES' \
		sacct -a -X --format=Allocgres --state=RUNNING --noheader --parsable2
}

@test "37 kempner: widths with -p, jobs on nodes" {
	quiet sacct -N n1,n3 -S 2026-10-01 -E 2026-10-02 --allusers -X -p \
		--format='JobID,State,user%-24,Account%-24,partition%-24,Elapsed,AllocTRES%-160'"$(
		)"',NodeList%-160,ReqMem,MaxRSS,ExitCode,NCPUs,TotalCPU,CPUTime,ReqTRES,start'"$(
		)"',end%-120'
	same heading "$(head -1 <<<"$stdout" | cut -d'|' -f1-5,12,16-18)" \
		'JobID|State|User|Account|Partition|NCPUS|Start|End|'
	same jobs "$(cut -d'|' -f1 <<<"$stdout" | tr '\n' ' ')" 'JobID 1 2 '
}

@test "39 Open OnDemand: unit separator, G, states" {
	local list=User,Group,JobId,JobName,Elapsed,ReqMem,AllocCPUS,ReqCPUS,Timelimit,State
	list+=,TotalCPU,MaxRSS,Partition,Submit,Start,End,ReqTRES
	quiet sacct -P --delimiter $'\x1f' -n --units G --allocations -o $list --state CD -j 1,2 \
		-S 2026-10-01 -E 2026-10-02
	fields 17 $'\x1f'
	same job "$(cut -d$'\x1f' -f1,3,4,6,10 --output-delimiter=' ' <<<"$stdout")" \
		'amy 1 a|b 8G COMPLETED'
}

@test "40, 41 snakemake: an account, states by name, efficiency" {
	same account "$(sacct -nu amy -S 2026-10-01 -o Account%256 | tail -1 | tr -d ' ')" phys
	quiet sacct -X --parsable2 --clusters all --noheader --format=JobIdRaw,State \
		--starttime 2026-10-01T00:00 --endtime now --name uuid-7
	same state "$stdout" '2|CANCELLED by 1002'
	quiet sacct --name=uuid-7 --parsable2 --noheader -S 2026-10-01 \
		--format=JobID,JobName,Comment,Elapsed,TotalCPU,NNodes,NCPUS,MaxRSS,ReqMem
	fields 9
	same job "$stdout" $'2|uuid-7|rule_x|00:30:00|01:39.500|1|1||1000M\n'"$(
		)"'2.batch|batch||00:30:00|01:39.500|1|1||'
	quiet sacct -j 1 -n -X -o 'nodelist%-256'
	same nodes "${stdout%%[[:blank:]]*}" 'n[1-2]'
}

@test "42 SlurmCommander: JSON of a job, of accounts" {
	quiet sacct -n --json -j 1
	same jobs "$(jq '.jobs | length' <<<"$stdout")" 1
	quiet sacct -A phys -S 2026-10-01 -E 2026-10-02 --json
	same accounts "$(jq -r '[.jobs[].account] | unique | join(" ")' <<<"$stdout")" phys
}

@test "43 firecrest: 20 fields, epoch seconds" {
	local list=JobID,AllocNodes,Cluster,ExitCode,Group,Account,JobName,NodeList,Partition
	list+=,Priority,State,Reason,ElapsedRaw,Submit,Start,End,Suspended,TimelimitRaw,User,WorkDir
	export SLURM_TIME_FORMAT=%s
	quiet sacct --allusers --jobs=2,4 --starttime=now-24hours --parsable2 --noheader \
		--format="$list"
	fields 20
	quiet sacct --allusers --jobs=2 --parsable2 --noheader --format="$list" --starttime=10/01/26
	fields 20
	same job "$(line 2 | cut -d'|' -f13-18)" \
		'1800|1790841600|1790841600|1790843400|00:00:00|UNLIMITED'
	quiet sacct --allusers --account=chem --name=uuid-7 --starttime=10/01/26 --parsable2 \
		--noheader --format="$list"
	fields 20
}

@test "44 jobstats: names in the heading" {
	quiet sacct -P -X -o "jobidraw,start,end,cluster,alloctres,admincomment,user,account,$(
		)state,nnodes,ncpus,reqmem,qos,partition,timelimitraw,sluid,jobname" -j 2 -M canis
	same heading "$(head -1 <<<"$stdout")" "JobIDRaw|Start|End|Cluster|AllocTRES|$(
		)AdminComment|User|Account|State|NNodes|NCPUS|ReqMem|QOS|Partition|TimelimitRaw|$(
		)SLUID|JobName"
	fields 17
	(($(sacct -V | awk '{ print $2 }' | cut -d. -f1) > 25))
}

@test "45 reportseff: a long delimiter at the end, the list of fields" {
	quiet sacct --parsable -n --delimiter='^|^' \
		--format=JobID,State,Elapsed,JobIDRaw,TotalCPU,MaxRSS,REQMEM,TimelimitRaw \
		--jobs=1,2
	same ends "$(grep -vc '\^|^$' <<<"$stdout")" 0
	same lines "$(wc -l <<<"$stdout")" 4
	quiet sacct --parsable -n --delimiter='^|^' --format=JobID,State --user=amy \
		--starttime=100126
	[[ $stdout == *$'1^|^COMPLETED^|^\n'* ]]
	quiet sacct --helpformat
	[[ " $(tr -s ' \n' ' ' <<<"$stdout") " == *' AllocTRES '*' MaxRSS '*' TimelimitRaw '* ]]
}

@test "46 submitit, toil, aiida" {
	quiet sacct -o JobID,State,NodeList --parsable2 -j 1 -j 2
	same jobs "$(cut -d'|' -f1 <<<"$stdout" | tr '\n' ' ')" \
		'JobID 1 1.batch 2 2.batch '
	quiet sacct -n -j 1,2 --format JobIDRaw,State,ExitCode -P -S 2026-10-01T00:00:00 \
		-E 2026-10-02T00:00:00
	grep -qx '1|COMPLETED|0:0' <<<"$stdout"
	quiet sacct --format="$(sacct --helpformat | tr -s '\n' ' ' | tr ' ' ',')" --parsable \
		--jobs=2
	same fields "$(awk -F'|' '{ print NF }' <<<"$stdout" | sort -u | wc -l)" 1
}

@test "47, 48, 49 slurm-mail, slurm2sql, apel" {
	local list=JobId,User,Group,Partition,Account,Start,End,State,ReqMem,MaxRSS,NCPUS
	list+=,CPUTimeRaw,TotalCPU,NNodes,WorkDir,Elapsed,ExitCode,AdminComment,Comment,Cluster
	list+=,NodeList,TimeLimit,TimelimitRaw,JobIdRaw,AllocTRES,JobName
	quiet sacct -j 2 -P -n --fields=$list
	fields 26
	quiet sacct -o JobID,ReqMem,MaxRSS,State -P --delimiter=';|;' -j 1
	same heading "$(head -1 <<<"$stdout")" 'JobID;|;ReqMem;|;MaxRSS;|;State'
	quiet sacct -P -n --format="JobID,JobName,User,Group,Start,End,Elapsed,CPUTimeRAW,$(
		)Partition,NCPUS,NNodes,NodeList,MaxRSS,MaxVMSize,State" -j 2
	fields 15
	same cpu "$(line 2 | cut -d'|' -f8)" 1800
}

@test "50 cyclecloud: -e, --start, --end" {
	quiet sacct -e
	grep -q AdminComment <<<"$stdout"
	quiet sacct --allusers --duplicates --parsable2 --allocations --noheader -M canis \
		--start=2026-10-01 --end=2026-10-02 -o "jobid,user,account,cluster,partition,$(
		)ncpus,nnodes,submit,start,end,elapsedraw,state,admincomment"
	same elapsed "$(line 2 | cut -d'|' -f11)" 1800
}

@test "51 parallelcluster: -nP, --clusters" {
	quiet sacct -nP -j 1 -o jobid,state --clusters canis
	same job "$stdout" $'1|COMPLETED\n1.batch|COMPLETED'
}

@test "55 slurmreportmonth: whole tables for a mail; slurmacct" {
	quiet sreport cluster utilization Start=100126 End=100226 -t percent
	same allocated "$(awk '$1 == "canis" { print $2 }' <<<"$stdout")" 0.23%
	quiet sreport -t hours cluster AccountUtilizationByUser Start=100126 End=100226 \
		format='Cluster%12,Accounts%15,Login%12,Used'
	grep -qE '^ *canis +phys +amy +5 *$' <<<"$stdout"
	quiet sreport -t hours cluster UserUtilizationByAccount Start=100126 End=100226
	quiet sreport -t hours user TopUsage TopCount=20 Accounts=phys Start=100126 End=100226 \
		format='Cluster%12,Login%12,Proper%25,Accounts%10,TresName,Used'
	grep -qE '^ *canis +amy +phys +cpu +5 *$' <<<"$stdout"
	export SLURM_TIME_FORMAT=%s
	quiet sacct -np -X -a -S 100126 -E 100226 -o "JobID,User%20,Group%20,Partition,AllocNodes,$(
		)AllocCPUS,AllocTRES,Submit,Eligible,Start,End,ElapsedRAW,CPUTimeRAW,State,$(
		)ConsumedEnergyRaw,WorkDir" -s ca,rq,cd,f,to,pr,oom
	fields 17
	same cpu "$(line 1 | cut -d'|' -f10-13)" '1790842200|1790845800|3600|14400'
}

@test "56, 57, 58 banks: minutes, billing, an account's total first" {
	quiet sreport -t minutes -np cluster AccountUtilizationByUser start=2026-10-01 \
		end=2026-10-02 clusters=canis account=phys,chem
	same lines "$stdout" 'canis|chem|||30|0|
canis|chem|bob||30|0|
canis|phys|||300|0|
canis|phys|amy||300|0|'
	quiet sreport cluster AccountUtilizationByUser -Pn -T Billing -t Hours cluster=canis \
		Account=phys start=2026-10-01 end=2026-10-02 format=Proper,Used
	same total "$(head -1 <<<"$stdout")" '|5'
	quiet sreport -nP cluster accountutilizationbyuser Cluster=canis Account=phys -t Hours \
		Start=2026-10-01 -T Billing Format=Proper,Used
	[[ $(head -1 <<<"$stdout") == '|'[0-9]* ]]
	quiet sreport -n -P -t Hour cluster AccountUtilizationByUser \
		format=account%30,login%30,used%30 Start=2026-10-01 End=2026-10-02
	grep -qx 'phys|amy|5' <<<"$stdout"
}

@test "invariants: abbreviations, bundles, nothing is found" {
	quiet sacct -nPXaS 2026-10-01 --end 2026-10-02 --acc phys --fields jobid
	grep -qx 1 <<<"$stdout"
	quiet sacct -npX -j 1 -o jobid
	same line "$stdout" '1|'
	quiet sacct -nP -j 99
	same nothing "$stdout" ''
	quiet sreport -nP user top users=nobody Start=2026-10-01 End=2026-10-02
	same nothing "$stdout" ''
}
