#!/usr/bin/env bats
# What all programs have in common at the edge: --help, --usage and --version, words that are none,
# names that do not exist ("did you mean"), hints. sacctmgr's words are in sacctmgr-words.bats.

load lib

programs='sacct sacctmgr seff splan sprio squeue srecord sreport sshare ssim'

setup() {
	fresh_cluster
	local_users amy bob
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab,law
		add qos fast
		add user amy account=lab
	END
}

# meant WORD STATUS COMMAND...
meant() {
	local word=$1 want=$2
	shift 2
	capture "$@"
	[[ $stderr == *"$(basename "$1"): did you mean $word?"* ]] || same "of $*" "$stderr" "$word"
	same "status of $*" "$status" "$want"
}

# no_such KIND TYPED MEANT STATUS COMMAND...
no_such() {
	local text="no $1 '$2' exists; did you mean '$3'?" want=$4
	shift 4
	capture "$@"
	[[ $stderr == *"$(basename "$1"): $text"* ]] || same "of $*" "$stderr" "$text"
	same "status of $*" "$status" "$want"
}

# on_terminal COMMAND: what it writes on a terminal, of $columns if there are any.
on_terminal() {
	local size=${columns:+stty columns $columns;}
	LD_PRELOAD='' SHELL=/bin/bash script -qec "$size LD_PRELOAD=$LD_PRELOAD $1" /dev/null \
		</dev/null | tr -d '\r'
}

@test "--help, --usage, --version, --helpformat: the same in every program" {
	local program option
	for program in $programs; do
		for option in --help --usage --version -V --helpformat; do
			capture $program $option
			same "status of $program $option" "$status" 0
			same "messages of $program $option" "$stderr" ''
			[[ $stdout ]]
		done
		capture $program --version
		[[ $stdout == 'slurm 26.05.3'* ]]
		capture $program --help
		[[ ${stdout%%$'\n'*} == *"$program"* ]]
		for option in --help --usage --version --json --csv --ndjson; do
			capture $program --autocomplete=$option
			[[ $stdout == *$option* ]] || same "$program $option" "$stdout" there
		done
	done
}

@test "the words that Slurm's own tests look for in --help" {
	local text
	capture sacctmgr --usage
	for text in 'sacctmgr [<OPTION>] [<COMMAND>]' 'Valid <OPTION> values are:' \
		'Valid <COMMAND> values are:' '<ENTITY> may be' \
		'<SPECS> are different for each command entity pair' 'add account' \
		'list associations' 'modify cluster' 'delete qos' 'add cluster' \
		'commit changes immediately' 'display tool version number'; do
		[[ $stdout == *"$text"* ]] || same sacctmgr "$stdout" "$text"
	done
	capture sreport -h
	for text in 'sreport [<OPTION>] [<COMMAND>]' 'Valid <OPTION> values are' \
		'Valid <COMMAND> values are'; do
		[[ $stdout == *"$text"* ]] || same sreport "$stdout" "$text"
	done
	capture sacct --help
	for text in 'sacct [<OPTION>]' 'Valid <OPTION> values are:' '-A, --accounts:' \
		'-j, --jobs:' '-s, --state:' '-S, --starttime:' \
		'valid start/end time formats are...'; do
		[[ $stdout == *"$text"* ]] || same sacct "$stdout" "$text"
	done
}

@test "a word that belongs to nothing is an error" {
	local program
	refuses 'Unrecognized word: amy' sshare amy
	for program in squeue sprio splan; do
		capture $program amy
		same "status of $program" "$status" 1
		[[ $stderr == *'Unrecognized option: amy'* ]]
	done
	refuses 'Unknown arguments' sacct amy
	meant '-u amy' 1 sshare amy
	meant '-A lab' 1 sshare lab
	meant '-u amy' 1 sshare --explain amy
	meant '-A lab' 1 sshare --forecast lab
	refuses 'Unrecognized word: usr=amy (user=, ' sshare --explain usr=amy
	capture ssim a b
	same status "$status" 1
	capture sreport amy
	[[ $stderr == *'invalid keyword: amy'* ]]
}

@test "did you mean: options, fields, words" {
	meant "'--accounts'" 1 sshare --acount=lab
	meant "'--noheader'" 1 sacct --nohaeder
	meant "'User'" 1 sshare -o account,usr
	meant "'JobID'" 1 sacct -o jobidd
	meant "'JobID'" 1 splan -o jobidd
	meant "'MeanWait'" 1 ssim -o mecan
	meant "'JobId'" 0 squeue -O jobidd
	capture sreport cluster utilization format=clustr
	[[ $stderr == *"sreport: did you mean 'Cluster'?"* ]]
	capture sreport cluster utilization strt=now
	[[ $stderr == *"sreport: did you mean 'Start'?"* ]]
	capture sreport clustre utilization
	[[ $stderr == *"sreport: did you mean 'cluster'?"* ]]
	meant "'user'" 1 srecord job usr=amy
	meant "'job'" 1 srecord jb user=amy
}

@test "did you mean: names; what Slurm prints and its exit status stay" {
	no_such user ammy amy 0 sshare -u ammy
	[[ $stdout == Account* ]]
	no_such account lbb lab 0 sshare -A lbb
	no_such user ammy amy 0 squeue -u ammy
	no_such account lbb lab 0 squeue -A lbb
	no_such user ammy amy 0 sprio -u ammy
	no_such user ammy amy 1 sacct -u ammy
	no_such account lbb lab 0 sacct -A lbb
	no_such user ammy amy 1 seff -u ammy
	no_such account lbb lab 0 sreport cluster accountutilizationbyuser accounts=lbb
	no_such user ammy amy 1 srecord job user=ammy cpus=1
	# No name is near: only a person is told.
	capture sshare -u nosuch
	same messages "$stderr" ''
}

@test "hints: on a terminal only, and not where BURSAR_HINTS says no" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	export BURSAR_PAGER=cat
	capture sacct -s CD -S 2026-01-01
	same messages "$stderr" ''
	[[ $(on_terminal 'sacct -s CD -S 2026-01-01') == *$'\nhint: '*'add -E now'* ]]
	[[ $(on_terminal 'sacct -s CD -S 2026-01-01 -E now') != *hint:* ]]
	[[ $(BURSAR_HINTS=no on_terminal 'sacct -s CD -S 2026-01-01') != *hint:* ]]
	[[ $(on_terminal 'sshare -u nosuch') == *"no user 'nosuch' exists"* ]]
}

@test "tables that Slurm lacks fit a terminal; in a pipe, and when named, every column is there" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	local columns=80 command width change='modify user amy set fairshare=50'
	export PAGER=cat
	srecord job id=1 user=amy cpus=1 timelimit=60 hold=user >/dev/null
	for command in splan 'splan --table' 'splan --parameters' 'splan --over-limits' \
		"sprio --what-if='$change'" "squeue --what-if='$change'" 'seff -u amy' \
		"sshare -a --what-if='$change'" 'sshare -a --algorithm=classic,fair-tree' \
		'sshare -a --forecast' 'sshare -a --history' 'sacctmgr show assoc withblame' \
		'sacctmgr show assoc witheffective' 'sacctmgr show assoc withleases'; do
		width=$(on_terminal "$command" | sed 1,2p | grep -v ^hint: | wc -L)
		((width > 40 && width <= 80)) || same "width of $command" "$width" 80
	done
	# The least important go first; a text is cut once that is enough.
	same 80 "$(on_terminal splan | sed 's/ *$//')" "$(
		)       JobID Partition     User Action             StartTime Reason
------------ --------- -------- -------- ------------------- ------------------
           1     debug      amy wait                         JobHeldUser
hint: 5 columns do not fit the terminal; in a pipe (| cat) all are there"
	columns=130
	same 130 "$(on_terminal splan | sed -n 1p | xargs)" "$(
		)JobID Partition User Account Priority Action StartTime Nodes NodeList Reason"
	columns=156
	[[ $(on_terminal splan | tail -1) != hint:* ]] || same cut "$(on_terminal splan)" 'no hint'
	columns=157
	same 157 "$(on_terminal splan)" "$(splan)"
	columns=40
	same pipe "$(on_terminal 'splan | cat')" "$(splan)"
	same parsable "$(on_terminal 'splan -P')" "$(splan -P)"
	same named "$(on_terminal 'splan -o jobid,starttime,endtime')" \
		"$(splan -o jobid,starttime,endtime)"
	same "Slurm's" "$(on_terminal squeue)" "$(squeue)"
	[[ $(BURSAR_HINTS=no on_terminal splan) != *hint:* ]]
	columns=80
	srecord job id=1 hold=no >/dev/null
	width=$(on_terminal 'sprio --explain 1' | wc -L)
	((width <= 80)) || same 'width of sprio --explain' "$width" 80
	(($(sprio --explain 1 | wc -L) > 80))
}

@test "long work tells how far it is: on a terminal in one line, elsewhere in a line a stage" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	local fast=$LD_PRELOAD
	cc -x c -shared -fPIC -o slow.so - <<-'END'
		#define _GNU_SOURCE
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>
		int clock_gettime(clockid_t clock, struct timespec *at) /* each takes an hour */
		{
			static int n;
			long rc = syscall(SYS_clock_gettime, clock, at);

			at->tv_sec += clock == CLOCK_MONOTONIC ? 3600 * ++n : 0;
			return (int)rc;
		}
	END
	stages() {
		LD_PRELOAD=$PWD/slow.so:$fast "$@" 2>&1 >/dev/null | grep ' \.\.\.$' || true
	}
	sacctmgr -iQ backup kept.db
	echo '1 0 0 60 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1' >one.swf
	same check "$(stages sacctmgr check | sed '2q')" "sacctmgr: checking integrity ...
sacctmgr: checking references ..."
	same restore "$(stages sacctmgr -i restore kept.db)" \
		"sacctmgr: looking through the backup ...
sacctmgr: copying the store ...
sacctmgr: copying the store ..."
	same ssim "$(stages ssim --procs=1 one.swf)" "ssim: reading the jobs ..."
	same spage "$(stages spage page.html)" "spage: asking the programs ..."
	same quiet "$(stages sacctmgr -Q check; stages sacctmgr -iQ restore kept.db
		stages ssim -Q --procs=1 one.swf; stages spage -Q page.html)" ''
	LD_PRELOAD=$PWD/slow.so:$fast
	same terminal "$(on_terminal 'sacctmgr check jobs' | head -1 |
		sed -E 's/\x1b\[K/|/g; s/[0-9]+ s left/N s left/')" \
		"|sacctmgr: checking jobs: 30 %, N s left| jobs            fine: times of jobs $(
			)are in order"
	[[ $(on_terminal 'sacctmgr -Q check jobs') != *checking* ]]
	LD_PRELOAD=$fast
	[[ $(on_terminal 'sacctmgr check jobs') != *checking* ]]
}

@test "srecord: the number of a new job, as a line and as a document" {
	prints 1 srecord job user=amy cpus=1
	prints $'job_id\n2' srecord --csv job user=amy cpus=1
	prints '{"job_id":3}' srecord --ndjson job user=amy cpus=1
	capture srecord --json job user=amy cpus=1
	same document "$(jq -c '[.jobs[].job_id, .errors]' <<<"$stdout")" '[4,[]]'
}

@test "with --json an error is a document, too" {
	local command
	for command in 'sacct --json -u ammy' 'sshare --json -M nosuch' \
		'srecord --json job usr=x' 'seff --json -u ammy' 'splan --yaml --at=x'; do
		capture $command
		same "status of $command" "$status" 1
		[[ $stderr ]]
		same "errors of $command" "$(jq -r '.errors | length > 0' <<<"$stdout")" true
		same "command of $command" "$(jq -r '.meta.command | join(" ")' <<<"$stdout")" \
			"$command"
	done
	capture sacct --json -u ammy
	same error "$(jq -c '.errors[0] | [.description, .source]' <<<"$stdout")" \
		'["Invalid user id: ammy","sacct"]'
	# A listing that went well has none; lines of objects stay lines.
	same none "$(sacct --json | jq -c .errors)" '[]'
	refuses 'Invalid user id' sacct --ndjson -u ammy
}

@test "a pager on a terminal: for listings, not in pipes, not where it is switched off" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	export TERM=vt100 PAGER='sed s/^/page:/'
	paged() {
		LD_PRELOAD='' SHELL=/bin/bash script -qec \
			"$size LD_PRELOAD=$LD_PRELOAD $1" /dev/null |
			tr -d '\r'
	}
	size='stty rows 24 columns 200;'
	[[ $(paged 'sshare -a' </dev/null) == page:Account* ]]
	[[ $(paged 'sacctmgr show qos format=name' </dev/null) == *page:* ]]
	[[ $(paged 'sreport cluster utilization' </dev/null) == page:---* ]]
	[[ $(paged "sreport" <<<'cluster utilization') != *page:* ]]
	[[ $(paged "seff -u amy" </dev/null) == page:* ]]
	echo '1 0 0 60 1 -1 -1 1 60 -1 1 1 -1 -1 -1 -1 -1 -1' >one.swf
	[[ $(paged 'ssim --procs=1 one.swf' </dev/null) == *page:* ]]
	[[ $(BURSAR_PAGER= paged 'sshare -a' </dev/null) == Account* ]]
	[[ $(PAGER=cat paged 'sshare -a' </dev/null) == Account* ]]
	[[ $(TERM=dumb paged 'sshare -a' </dev/null) == Account* ]]
	[[ $(paged 'sshare -a | cat' </dev/null) == Account* ]]
	# A program that plays a terminal (expect) would wait for the pager for ever.
	[[ $(size='' paged 'sshare -a' </dev/null) == Account* ]]
	[[ $(sshare -a) == Account* ]]
}

@test "a wrong value is told once on a terminal; Slurm's lines stay where none is" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	export TERM=vt100
	told() {
		LD_PRELOAD='' SHELL=/bin/bash script -qec "LD_PRELOAD=$LD_PRELOAD $1" /dev/null \
			</dev/null | tr -d '\r'
	}
	same value "$(told 'sacctmgr -i modify account lab set grpjobs=abc')" \
		'sacctmgr: error: Invalid value for GrpJobs (abc)
hint: GrpJobs is a whole number; -1 clears it'
	[[ $(told 'sacctmgr -i modify account lab set maxjobs=') == *'; -1 clears it' ]]
	[[ $(told 'sacctmgr -i modify account lab set grptres=cpu') == *' cpu=-1 clears it' ]]
	local forms='MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS or DAYS-HOURS:MIN'
	[[ $(told 'sacctmgr -i modify account lab set maxwall=25h') == *"MaxWall is $forms"* ]]
	[[ $(told 'sacctmgr -i modify qos fast set grpwall=25h') == *"GrpWall is $forms"* ]]
	[[ $(told 'sacctmgr -i modify qos fast set gracetime=25h') == *' is seconds, a whole'* ]]
	[[ $(told 'sacctmgr -n show qos where name=nosuch') == "sacctmgr: no QOS 'nosuch' exists" ]]
	same word "$(told 'sacctmgr -i modify account lab set grpjbs=1' | head -1)" \
		' Unknown option: grpjbs=1'
	capture sacctmgr -i modify account lab set grpjobs=abc
	same scripts "$stderr" "sacctmgr: error: Invalid value for GrpJobs (abc)
 Unknown option: grpjobs=abc
 Use keyword 'where' to modify condition"
}

@test "plots: as wide as the terminal, ASCII outside UTF-8" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	srecord job id=1 user=amy cpus=4 start=now-2hours end=now-1hour state=COMPLETED >/dev/null
	capture sshare --plot -u amy --start=now-4hours
	[[ $(LC_ALL=C grep -c '[^ -~]' <<<"$stdout") -eq 0 && $stdout == *'#'*'+--'* ]]
	LC_ALL=C.UTF-8 capture sshare --plot -u amy --start=now-4hours
	[[ $stdout == *'█'*'└'* ]]
	export TERM=dumb
	for columns in 60 120; do
		on_terminal "stty cols $columns; sshare --plot -u amy --start=now-4hours" >plot
		same "width at $columns" "$(grep -- '--' plot | head -1 | wc -L)" $columns
	done
}

@test "a table wider than the terminal: narrower columns are offered, never in a pipe" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	srecord job user=amy cpus=4 >/dev/null
	export TERM=dumb
	for command in 'sshare -l' 'sprio -l'; do
		[[ $(on_terminal "stty cols 80; $command") == *hint:*'the terminal 80: -o '* ]]
		[[ $(on_terminal "stty cols 300; $command") != *hint:* ]]
		[[ $(on_terminal "stty cols 80; $command | cat") != *hint:* ]]
		[[ $(on_terminal "stty cols 80; BURSAR_HINTS=no $command") != *hint:* ]]
	done
}
