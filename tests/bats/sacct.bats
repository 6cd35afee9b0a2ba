# sacct beyond the recordings: which jobs, which times, what a cell says.
load lib

# site [CONF LINE...]: an empty store, two accounts, three users
site() {
	fresh_cluster "$@"
	export TZ=UTC
	local_users amy bob cat
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add account chem >/dev/null
	sacctmgr -iQ add user amy,bob account=phys >/dev/null
	sacctmgr -iQ add user cat account=chem >/dev/null
}

# job ID WORD...: it ran on October 1st from 08:00 to 10:00 unless WORDS say more
job() {
	local id=$1
	shift
	srecord job id="$id" user=amy submit=2026-10-01T07:00:00 start=2026-10-01T08:00:00 \
		end=2026-10-01T10:00:00 state=COMPLETED "$@"
}

# ids OPTION...: the jobs that are found, in one line
ids() {
	capture sacct -nPX -o jobid "$@"
	same "messages of sacct $*" "$stderr" '' || return 1
	stdout=${stdout//$'\n'/ }
	echo "$stdout"
}

# finds IDS OPTION...
finds() {
	local wanted=$1
	shift
	same "jobs of sacct $*" "$(ids "$@")" "$wanted"
}

slurm_options='autocomplete= allusers accounts= allocations array brief batch-script completion
constraints= delimiter= duplicates federation helpformat help-fields helpreason helpstate endtime=
env-vars expand-patterns file= flags= gid= group= help local name= nnodes= ncpus= jobs=
timelimit-min= timelimit-max= long allclusters cluster= clusters= nodelist= noconvert units=
noheader fields= format= parsable parsable2 qos= partition= reason= state= starttime= truncate uid=
use-local-uid usage user= verbose version wckeys= whole-hetjob? associations= json? yaml?'

@test "a running job has run until the time that all programs have" {
	site
	srecord job id=900 user=amy cpus=2 submit=uts2000000 start=uts2000000
	export BURSAR_STORE BURSAR_NOW=2000600
	BURSAR_STORE=$(store)
	prints 00:10:00 sacct -nPX -j 900 -S uts2000000 -o Elapsed
	[[ $(seff 900) == *'Job Wall-clock time: 00:10:00'* ]]
}

@test "sacct: Slurm's abbreviations mean what they meant" {
	site
	abbreviations sacct 150 "$slurm_options" s/clusters/cluster/
}

@test "sacct: a window is half open, and about eligible and end" {
	site
	job 1
	finds 1 -S 2026-10-01T10:00:00 -E 2026-10-01T11:00:00
	finds '' -S 2026-10-01T10:00:01 -E 2026-10-01T11:00:00
	finds 1 -S 2026-10-01T06:00:00 -E 2026-10-01T07:00:01
	finds '' -S 2026-10-01T06:00:00 -E 2026-10-01T07:00:00
	srecord job id=2 user=amy hold=1 submit=now-1hour
	finds '' -S now-2hours
	finds 2 -j 2
	finds 1 -S 10/01/26-09:00 -E 10/01/26-09:00
}

@test "sacct: what a job was in a window" {
	site
	job 1
	job 2 state=FAILED exit=1 end=2026-10-01T12:00:00
	local day='-S 2026-10-01 -E 2026-10-02'
	finds '1 2' $day
	finds '1 2' $day -s PD
	finds '1 2' $day -s r
	finds 2 $day -s F
	finds '1 2' $day -s CD,failed
	finds '' $day -s CA
	finds 2 -S 2026-10-01T10:30:00 -E 2026-10-01T11:00:00 -s RUNNING
	finds '' -S 2026-10-01T10:30:00 -E 2026-10-01T11:00:00 -s F
	finds 2 -S 2026-10-01T10:30:00 -E 2026-10-01T12:00:00 -s F
	finds '' -S 2026-10-01T08:00:00 -E 2026-10-01T09:00:00 -s PD
	srecord job id=3 user=amy submit=now-1hour start=now-30minutes
	finds 3 -s R
	finds '' -s CD
	refuses 'fatal: job state CG is not supported / accounted' sacct -s CG
	refuses "fatal: unrecognized job state value 'x'" sacct -s x
}

@test "sacct: the newest submission, or all" {
	site
	job 7 state=NODE_FAIL
	srecord job id=7 user=amy submit=2026-10-02T07:00:00 start=2026-10-02T08:00:00 \
		end=2026-10-02T09:00:00 state=COMPLETED
	finds 7 -S 2026-10-01 -E 2026-10-03
	prints '7|COMPLETED' sacct -nPX -o jobid,state -j 7
	prints $'7|NODE_FAIL\n7|COMPLETED' sacct -nPXD -o jobid,state -j 7
	prints '7|NODE_FAIL' sacct -nPX -o jobid,state -S 2026-10-01 -E 2026-10-02
	job 8 state=REVOKED
	finds 7 -S 2026-10-01 -E 2026-10-03
	finds '7 8 7' -S 2026-10-01 -E 2026-10-03 -D
}

@test "sacct: jobs by number, task, component, step, SLUID" {
	site
	job 10 array_job=10 array_task=1 cputime=10
	job 11 array_job=10 array_task=2
	srecord job id=12 user=amy array_job=10 array=3-9
	job 20 het_job=20 het_offset=0
	job 21 het_job=20 het_offset=1
	job 30
	srecord step job=30 step=0 name=solve
	srecord step job=30 step=1 name=post
	finds '10_1 10_2 10_[3-9]' -j 10
	finds 10_2 -j 10_2
	finds '10_[3-9]' -j 10_5
	finds '' -j 10_77
	finds 10_2 -j 11
	finds '20+0 20+1' -j 20
	finds 20+1 -j 20+1
	finds 20+1 -j 21
	finds '20+0 20+1' -j 21 --whole-hetjob
	finds 20+0 -j 20 --whole-hetjob=no
	finds '30 10_2' -j 11 -j 30
	prints 30.1 sacct -nP -o jobid -j 30.1
	prints $'30.0\n10_1.batch' sacct -nP -o jobid -j 10_1.batch,30.0
	local sluid
	sluid=$(sacct -nPX -o sluid -j 30)
	prints 30 sacct -nPX -o jobid -j "$sluid"
	local bad="sacct: fatal: Bad job/step specified:" odd='unexpected non-numeric characters'
	refuses "$bad 1x: JobID includes $odd" sacct -j 1x
	refuses "$bad 1_x: Job Array ID includes $odd" sacct -j 1_x
	refuses "$bad 1_: Job Array ID must not be an empty string" sacct -j 1_
	refuses "$bad 1.x: StepID includes $odd" sacct -j 1.x
	refuses "$bad abc: JobID can not be zero" sacct -j abc
	refuses "$bad -1: JobID can not be a negative number" sacct -j-1
	finds '10_1 10_2' -j '10_[1-2]'
	finds '30 10_2 10_[3-9]' -j '10_[2,7-100%4],30'
	finds '10_2 10_[3-9]' -j '10_[0-90:2]'
	finds '' -j '10_[20-30]'
	prints 10_1.batch sacct -nP -o jobid -j '10_[1,2].batch'
	for bad in '10_[' '10_[]' '10_[3-1]' '10_[1-3' '10_[1-3]x' '10_[a]' '10_[1,]' \
		'10_[1-9:0]'; do
		refuses "Bad job/step specified: $bad" sacct -j "$bad"
	done
	prints $'10_3\n10_4\n10_5\n10_6\n10_7\n10_8\n10_9' sacct -nPX --array -o jobid -j 10_5
}

@test "sacct: steps that lie in the window" {
	site
	job 1
	srecord step job=1 step=0 end=2026-10-01T08:30:00
	srecord step job=1 step=1 start=2026-10-01T09:30:00
	prints $'1\n1.0' sacct -nP -o jobid -S 2026-10-01T08:00 -E 2026-10-01T09:00
	prints $'1\n1.1' sacct -nP -o jobid -S 2026-10-01T09:00 -E 2026-10-01T10:00
	prints 1 sacct -nP -o jobid -s PD -S 2026-10-01 -E 2026-10-02
	prints '1.0|2026-10-01T08:15:00|2026-10-01T08:30:00|900' sacct -TnP \
		-o jobid,start,end,elapsedraw -j 1.0 -S 2026-10-01T08:15:00 -E 2026-10-01T09:00
}

@test "sacct: whose jobs" {
	site
	job 1
	job 2 user=bob
	job 3 user=cat account=chem
	local day='-S 2026-10-01 -E 2026-10-02'
	finds '1 2 3' $day
	prints 1 as amy sacct -nPX -o jobid $day
	prints $'1\n2\n3' as amy sacct -nPX -o jobid $day -a
	prints 2 as amy sacct -nPX -o jobid $day -a -u bob
	prints $'1\n2\n3' as amy sacct -nPX -o jobid $day -u bob -u -1
	prints 3 as amy sacct -nPX -o jobid -j 3
	finds '1 2' $day --user=amy,bob
	finds 2 $day --uid="$(id -u bob 2>/dev/null || echo 1002)"
	finds 3 $day -A CHEM
	finds '1 2' $day -x "$(sacct -nPX -j 1 -o associd),$(sacct -nPX -j 2 -o associd)"
	refuses 'error: Invalid user id: nobodyhere' sacct -u nobodyhere
	refuses 'error: Invalid user id: ' sacct -u ''
	refuses "You gave a bad qos ''" sacct -n -q ''
	finds '' $day -A ''
	refuses "No cluster 'nowhere' known" sacct -M nowhere
	finds '1 2 3' $day -M all
	finds '1 2 3' $day -M canis -L
	job 4 wckey=wine
	finds '1 2 3' $day -W ''
}

@test "sacct, squeue, seff: the store's spelling of a user, not that of who asks" {
	site
	printf '%s\n' Parameters=PreserveCaseUser >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	sacctmgr -iQ add user Dee account=phys >/dev/null
	local_users amy dee
	job 1 user=Dee cputime=100
	srecord job id=2 user=Dee
	local name
	for name in Dee dee DEE "$(id -u dee 2>/dev/null || echo Dee)"; do
		prints $'1\n2' sacct -nPX -o jobid -S 2026-10-01 -E now -u "$name"
		prints 2 squeue -h -o %i -u "$name"
		prints 1 bash -c "seff -n -u $name -S 2026-10-01 -E now | awk '{ print \$1 }'"
	done
	prints 1 as dee sacct -nPX -o jobid -S 2026-10-01 -E 2026-10-02
	refuses 'Invalid user id: nobodyhere' seff -u nobodyhere
}

@test "sacct: today is one day, though midnight passes while it runs" {
	site
	job 1
	cc -x c -shared -fPIC -o later.so - <<-'END'
		#include <time.h>
		time_t time(time_t *at) /* October 1st 23:59:59, then a second more each time */
		{
			static time_t now = 1790899199;

			return at ? *at = now++ : now++;
		}
	END
	SLURM_TIME_FORMAT=relative LD_PRELOAD=$PWD/later.so:$LD_PRELOAD \
		prints '  08:00:00 ' sacct -nX -o start%10
	SLURM_TIME_FORMAT=relative LD_PRELOAD=$PWD/later.so:$LD_PRELOAD \
		prints '08:00:00' sacct -nXP -o start
}

@test "sacct, sreport: a job that was suspended, and when" {
	site
	srecord cluster nodes=n1 tres=cpu=4 start=2026-10-01
	sreport -nP cluster Utilization Start=2026-10-01 End=2026-10-02 >/dev/null
	# at HH:MM WORD...: recorded at that time of October 1st
	at() {
		local -x BURSAR_STORE BURSAR_NOW
		BURSAR_STORE=$(store) BURSAR_NOW=$(date -u -d "2026-10-01T$1" +%s)
		srecord job id=1 "${@:2}" >/dev/null
	}
	at 08:00 user=amy cpus=4 submit=now start=now
	at 09:30 state=SUSPENDED
	at 10:30 state=RUNNING
	at 11:00 state=SUSPENDED
	at 11:15 state=RUNNING
	at 12:00 end=now
	job 2 suspended=1200
	local day=2026-10-01T
	part() { prints "$3" sacct -nPX -T -j 1 -S "$day$1" -E "$day$2" -o elapsed,suspended; }
	prints '02:45:00|01:15:00' sacct -nPX -j 1 -o elapsed,suspended
	part 08:00 12:00 '02:45:00|01:15:00'
	part 08:00 09:00 '01:00:00|00:00:00'
	part 09:00 10:00 '00:30:00|00:30:00'
	part 09:45 10:15 '00:00:00|00:30:00'
	part 11:00 12:00 '00:45:00|00:15:00'
	finds '' -s S -S "${day}10:30" -E "${day}11:00"
	finds 1 -s S -S "${day}10:29" -E "${day}10:40"
	finds 1 -s S -S "${day}10:40" -E "${day}11:01"
	# Of a total nobody knows the time.
	finds '2 1' -s S -S "${day}09:45" -E "${day}09:50"
	prints '00:50:00|00:10:00' sacct -nPX -T -j 2 -S "${day}08:00" -E "${day}09:00" \
		-o elapsed,suspended
	# It does not lower usage, in no report.
	prints "canis|root|60|0|60|100.00%" sreport -nP job SizesByAccount Grouping=individual \
		Users=amy Jobs=2, "Start=${day}08:00" "End=${day}09:00"
	srecord job id=2 suspended=0
	# Its CPUs were free then, its memory was not.
	used() {
		prints "$3" sreport -nP -t minutes -T "${4:-cpu}" user Top "Start=$day$1" \
			"End=$day$2" Users=amy Format=Used
	}
	used 08:00 09:00 $((4 * 60 + 60))
	used 09:00 10:00 $((4 * 30 + 60))
	used 10:00 11:00 $((4 * 30))
	used 11:00 12:00 $((4 * 45))
	prints "canis|root|$((4 * 45))|$((4 * 45))|100.00%" sreport -nP job SizesByAccount \
		Grouping=individual Users=amy Jobs=1 "Start=${day}11:00" "End=${day}12:00"
	# A correction that takes it back is believed.
	srecord job id=1 suspended=0
	finds '' -s S -S "${day}08:00" -E "${day}12:00"
	used 10:00 11:00 $((4 * 60))
}

@test "sacct: PrivateData=jobs leaves one's own and one's accounts" {
	site PrivateData=jobs
	job 1
	job 2 user=bob
	job 3 user=cat account=chem
	sacctmgr -iQ add coordinator account=chem names=bob >/dev/null
	local all='-nPXa -o jobid -S 2026-10-01 -E 2026-10-02'
	prints 1 as amy sacct $all
	prints $'2\n3' as bob sacct $all
	prints '' as amy sacct -nPX -o jobid -j 2,3
	sacctmgr -iQ modify user amy set adminlevel=operator >/dev/null
	prints $'1\n2\n3' as amy sacct $all
	finds '1 2 3' -S 2026-10-01 -E 2026-10-02
}

@test "sacct: counts, limits, names, places" {
	site 'NodeName=n[1-9] CPUs=8'
	job 1 cpus=4 nodes=2 nodelist='n[1-2]' timelimit=60 name=one wckey=w
	job 2 cpus=16 nodes=2 nodelist='n[2-3]' timelimit=120 name=two partition=gpu
	job 3 cpus=1 nodelist=n9 timelimit=UNLIMITED constraints='a100&big' reason=Priority
	local day='-S 2026-10-01 -E 2026-10-02'
	finds '1 2' $day -i 2
	finds '1 2 3' $day -i 1-2
	finds 2 $day -I 8-100
	finds 1 $day -I 4
	finds 1 $day -k 60
	finds '1 2' $day -k 30 -K 2:00:00
	finds '1 2 3' $day -K 60
	finds 3 $day -k UNLIMITED
	finds '1 2' $day -N 'n[1-2]'
	finds 3 $day -N n9
	finds '' $day -N elsewhere
	finds 2 $day -r gpu
	finds 2 $day -r GPU
	finds '1 2' $day --name one,two
	finds '1 2' $day --name ONE,Two
	finds 1 $day -W w
	finds 1 $day -W W
	job 4 wckey='*v'
	finds '' $day -W v
	finds 4 $day -W '*V'
	finds '1 2 3 4' $day -q normal
	finds 1 $day --name=one -g "$(sacct -nPXj 1 -o group),root"
	finds 3 $day -C a100,big
	finds '' $day -C a100,small
	finds 3 $day -R priority
	finds '' $day -F SchedMain
	refuses 'Invalid numeric value "x" for requested node range.' sacct -i x
	refuses 'fatal: Invalid time limit specification' sacct -k 0
	refuses "unrecognized job reason value 'Boredom'" sacct -R Boredom
	refuses "You gave a bad qos 'nosuch'. Valid QOS's are normal" sacct -q nosuch
	sacctmgr -iQ add cluster other >/dev/null
	refuses 'must only have 1 cluster' sacct -N n1 -M canis,other
}

@test "sacct: columns" {
	site
	job 1 name=a_rather_long_name
	prints 'a_ra+ ' sacct -nX -j 1 -o jobname%5
	prints 'a_rather_long_name    COMPLETED ' sacct -nX -j 1 -o jobname%-20,state
	prints '########## ' sacct -nX -j 1 -o start%10
	prints $'JobID|State|\n1|COMPLETED|' sacct -pX -j 1 -o jobid%3,stat%40
	srecord step job=1 step=0 name=go cpus=1 nodes=1 nodelist=n1 tasks=1
	prints $'1|Unknown|Unknown|Unknown|Unknown\n1.0|0|0|0|0' sacct -nP -j 1 \
		-o jobid,reqcpufreq,reqcpufreqmin,reqcpufreqmax,reqcpufreqgov
	prints $'JobID|ExitCode|User\n1|0:0|amy' sacct -PX -j 1 -o jobid -o exit,use
	SACCT_FORMAT=user%-5,jobid prints 'amy   1            ' sacct -nX -j 1
	capture sacct -PX -j 1 -o ALL
	same columns "$(head -1 <<<"$stdout" | tr '|' '\n' | wc -l)" 123
	capture sacct -j 1 -p --format="$(sacct --helpformat | tr -s '\n' ' ' | tr ' ' ',')"
	same status "$status$stderr" 0
	refuses 'Invalid field requested: "nix"' sacct -o jobid,nix
	refuses 'AllocGRES has been removed, please use AllocTRES' sacct -o AllocGRES
	refuses 'mutually exclusive' sacct -l -o jobid
}

@test "sacct: files with patterns, flags, the last priority" {
	site
	job 12 name=sim array_job=10 array_task=3 nodelist='n[4-5].site' stdin=/dev/null \
		stdout='%u-%x_%A_%4a.%%' stderr='/log/%N/%j.%s%q%' flags=SchedMain,StartReceived \
		lastpriority=1203
	prints '/dev/null|%u-%x_%A_%4a.%%|/log/%N/%j.%s%q%|SchedMain,StartReceived|1203' \
		sacct -nPX -j 12 -o stdin,stdout,stderr,flags,priority
	prints '/dev/null|amy-sim_10_0003.%|/log/n4/12.batch%q%' \
		sacct -nPX -j 12 --expand-patterns -o stdin,stdout,stderr
	finds 10_3 -j 12 -F SchedMain
	finds '' -j 12 -F SchedBackfill
	same json "$(sacct --json -j 12 | jq -c '.jobs[0] |
		[.stdout, .stdout_expanded, .flags[], .priority.number]')" \
		"$(printf '%s' '["%u-%x_%A_%4a.%%","amy-sim_10_0003.%",' \
			'"STARTED_ON_SCHEDULE","START_RECEIVED",1203]')"
	job 13 stdout='a\\%j' workdir=/home/amy
	prints '/home/amy/a%j' sacct -nPX -j 13 --expand-patterns -o stdout
	job 14 stdin=/in stdout='o%r.%b' workdir=/ restarts=3 array_job=10 array_task=24
	prints '/in|/o3.4' sacct -nPX -j 14 --expand-patterns -o stdin,stdout
	finds '13 10_24' -j 12,13,14 -F none
	srecord job id=12 priority=7
	prints 7 sacct -nPX -j 12 -o priority
	refuses "flags: 'Sched' is not a list of SchedSubmit" srecord job id=12 flags=Sched
}

@test "sacct: times that are not there" {
	site
	srecord job id=1 user=amy submit=2026-10-01T07:00:00
	srecord job id=2 user=amy submit=2026-10-01T07:00:00 end=2026-10-01T08:30:00 killed_by=amy
	prints '1|Unknown|Unknown|00:00:00|PENDING|None assigned' sacct -nPX -j 1 \
		-o jobid,start,end,elapsed,state,nodelist
	prints '2|Unknown|01:30:00|CANCELLED by 1001' sacct -nPX -j 2 -o jobid,start,planned,state
	prints '2|2026-10-01T08:00:00|2026-10-01T08:00:00' sacct -TnPX -j 2 -o jobid,start,end \
		-S 2026-10-01 -E 2026-10-01T08:00:00
	SLURM_TIME_FORMAT=%s prints 1790838000 sacct -nPX -j 1 -o submit
}

@test "sacct: units" {
	site
	job 1 mem=1500 maxrss=1536K
	prints $'1|1500M|\n1.batch||1.50M' sacct -nP -j 1 -o jobid,reqmem,maxrss
	prints $'1|1.46G|\n1.batch||0.00G' sacct -nP -j 1 -o jobid,reqmem,maxrss --units=G
	prints $'1|0.00K|1\n1.batch|0.00K|1' sacct -nP -j 1 -o jobid,reqnodes,allocnodes --units=K
	prints $'1|1500M|\n1.batch||1572864' sacct -nP -j 1 -o jobid,reqmem,maxrss --noconvert
	capture sacct --units=x
	same message "$stderr" "sacct: error: Invalid unit type 'x'. Possible options are 'KMGTP'
sacct: fatal: Invalid unit type"
}

@test "sacct: one output for programs" {
	site
	job 1 name='a|b "c"' exit=0:9 state=FAILED cputime=3.5
	prints $'job_id,name\n1,"a|b ""c"""' sacct --csv -X -j 1 -o jobid,jobname
	capture sacct --json -j 1
	local exit='.jobs[0]|[.name,.exit_code.signal.name,.exit_code.status]'
	same json "$(jq -c "$exit" <<<"$stdout")" '["a|b \"c\"","KILL",["SIGNALED"]]'
	local total='{"seconds":3,"microseconds":500000}'
	same time "$(jq -c '.jobs[0].time.total' <<<"$stdout")" "$total"
	same steps "$(jq -c '[.jobs[].steps[].step.id]' <<<"$stdout")" '["1.batch"]'
	job 2
	capture sacct --ndjson -j 1,2
	same ndjson "$(jq -c .job_id <<<"$stdout")" $'1\n2'
	capture sacct --yaml -j 1
	[[ $stdout == *'job_id: !!int 1'* ]]
	capture sacct --json -j 99
	same none "$(jq -c .jobs <<<"$stdout")" '[]'
}

@test "sacct: what is wrong" {
	site
	refuses 'Unknown arguments:' sacct 101
	local why='Start time (2026-10-02T00:00:00) requested is after '
	why+='end time (2026-10-01T00:00:00).'
	refuses "$why" sacct -S 2026-10-02 -E 2026-10-01
	refuses "you must also request specific jobs with the '-j' option." sacct -B
	refuses 'are mutually exclusive' sacct -B --env-vars -j 1
	refuses 'Slurm job completion is disabled' sacct -c
	refuses '/nowhere is not a valid file' sacct -f /nowhere
	refuses 'Invalid --whole-hetjob value "maybe"' sacct --whole-hetjob=maybe
	job 1
	prints 'Batch Script for 1
--------------------------------------------------------------------------------
NONE' sacct -B -j 1
	capture sacct --helpstate
	[[ $stdout == 'PENDING             RUNNING'* ]]
	capture sacct --helpreason
	[[ $stdout == 'None                                    Priority'* ]]
	run -1 bash -c 'sacct -j 1 -nX >/dev/full 2>err'
	[[ $(<err) == *'No space left on device'* ]]
}

# The commands and outputs of the literal blocks of a page; blanks at the end do not count.
examples() {
	awk '
	/^\.Bd -literal/ { on = 1; next }
	/^\.Ed/ { on = 0 }
	on' "$1" | sed 's/^\\&//; s/\\e/\\/g; s/[[:blank:]]*$//'
}

@test "sacct: the examples of the manual, and every field in it" {
	site
	local page=$BATS_TEST_DIRNAME/../../man/sacct.1 field
	examples "$page" >wanted
	(($(grep -c '^\$ ' wanted) >= 6))
	while IFS= read -r command; do
		printf '$ %s\n' "$command"
		eval "$command" 2>&1 </dev/null || true
	done < <(sed -n 's/^\$ //p' wanted) | sed 's/[[:blank:]]*$//' >got
	same examples "$(<got)" "$(<wanted)" || return 1
	for field in $(sacct -e); do
		grep -qw "$field" "$page" || same "field in sacct.1" '' "$field"
	done
	for field in $(sacct --help | grep -oE -- '--[a-z][a-z0-9-]+' | sort -u); do
		grep -qE -- "[ ,]-${field#--}( |\$)" "$page" || same option '' "$field"
	done
}

@test "sacct: steps that ran while their job was suspended; what one task used" {
	site
	job 1 suspended=1800
	srecord step job=1 step=0 tasks=1 cputime=60 avecpu=50 maxdiskwrite=2M \
		start=2026-10-01T08:00:00 end=2026-10-01T09:00:00
	srecord step job=1 step=1 tasks=4 avediskwrite=1M start=2026-10-01T09:00:00
	prints '1|01:30:00|00:30:00
1.0|00:45:00|00:15:00
1.1|00:45:00|00:15:00' sacct -nP -j 1 -o jobid,elapsed,suspended
	prints '1||||Unknown
1.0|cpu=00:00:50|fs/disk=2M|fs/disk=2M|0
1.1|||fs/disk=4M|0' sacct -nP -j 1 \
		-o jobid,tresusageinmax,tresusageoutmin,tresusageouttot,reqcpufreqmax
}

@test "sacct --array: waiting tasks that are not all neighbours" {
	site
	srecord job id=20 user=amy submit=2026-10-01T07:00:00 array=1-2,10-20:5%4
	prints $'20_1\n20_2\n20_10\n20_15\n20_20' sacct -nPX --array -o jobid -j 20
}

@test "sacct: more jobs than are read at once, in order, each with its own steps" {
	site
	for ((i = 0; i < 70; i++)); do
		at=$((i * 37 % 71)) job=$((1000 + i * 37 % 71))
		printf 'job id=%d user=amy submit=2026-09-01T07:%02d:%02d start=%s end=%s\n' \
			$job $((at / 60)) $((at % 60)) 2026-09-01T08:00:00 2026-09-01T09:00:00
		echo $job >>expected
		((at % 3)) && continue
		echo "step job=$job step=0 name=s start=2026-09-01T08:00:00 end=2026-09-01T08:30:00"
		echo $job.0 >>expected
	done >facts
	srecord - <facts >/dev/null
	same jobs "$(sacct -nPa -S 2026-09-01 -E 2026-09-02 -o jobid)" "$(sort expected)"
}
