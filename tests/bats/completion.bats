#!/usr/bin/env bats
# Completion of all programs: what they say could stand at the cursor, asked through bursar, and
# what bash, zsh and fish make of it. Words of sacctmgr are in sacctmgr-shell.bats.

load lib

completions=$BATS_TEST_DIRNAME/../../completions

setup() {
	fresh_cluster
	local_users amy bob
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab,law
		add qos fast
		add user amy account=lab
	END
}

# completes CANDIDATES WORD...
completes() {
	local wanted=$1
	shift
	capture bursar --complete -- "$@"
	same "candidates of $*" "${stdout//$'\n'/ }" "$wanted"
	same "messages of $*" "$stderr" ''
}

@test "options, columns, states, names: of every program" {
	completes '--accounts=' sshare --acc
	completes 'user' sshare -o us
	completes '--format=account,user' sshare --format=account,us
	completes 'amy' sshare -u a
	completes 'lab law' sshare -A l
	completes '--users=amy' sshare --users=a
	completes 'amy' sprio -u a
	completes 'lab,law' squeue -A lab,law
	completes 'debug' squeue -p d
	completes 'debug' sinfo -p d
	completes 'nodelist' sinfo -O nodel
	completes 'fast' squeue -q f
	completes 'nodelist' squeue -O nodel
	completes 'RUNNING' sacct -s RUN
	completes 'jobid,jobidraw' sacct -o jobid,jobidr
	completes 'jobid' splan -o job
	completes '--policy=conservative' ssim --policy=c
	completes 'meanwait' ssim -o meanwait
	completes 'squeue' bursar sq
	completes 'amy' bursar squeue -u a
	completes 'account' sacctmgr show acc
	completes '--suggest' seff --sug
}

@test "facts of srecord, reports of sreport, with names" {
	completes 'job' srecord j
	completes 'user=' srecord job us
	completes 'user=amy' srecord job user=a
	completes 'account=lab account=law' srecord job user=amy account=l
	completes 'cluster' sreport cl
	completes 'accountutilizationbyuser' sreport cluster accountutilizationbyu
	completes 'format=' sreport cluster utilization form
	completes 'format=cluster,allocated' sreport cluster utilization format=cluster,al
	completes 'accounts=lab accounts=law' sreport cluster accountutilizationbyuser accounts=l
	completes 'HourPer Hours' sreport -t H
	srecord job id=7 user=amy cpus=1 state=RUNNING >/dev/null
	completes '7' seff ''
}

@test "what completes nothing is no noise; PrivateData hides names" {
	completes '' nosuch x
	completes '' sshare -u nobody
	echo PrivateData=accounts,users >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	capture as bob sreport --complete -- user topusage users=a
	same 'names for bob' "$stdout" ''
	completes 'users=amy' sreport user topusage users=a
}

@test "jobs: those that wait, those that are there, those that have started" {
	srecord job id=7 user=amy cpus=1 name=solve start=now-1hour >/dev/null
	srecord job id=8 user=amy cpus=1 name=later >/dev/null
	srecord job id=9 user=amy cpus=1 start=now-2hours end=now-1hour >/dev/null
	srecord job id=10 user=amy cpus=1 array=1-4 >/dev/null
	completes '10 8 all' sprio --explain ''
	completes '--explain=8' sprio --explain=8
	completes '10 8' sprio -j ''
	completes '10 7 8' squeue -j ''
	completes '7,8' squeue --jobs 7,8
	completes '7' scontrol show job 7
	completes '7 9' seff ''
	completes '7,9' sacct -j 7,9
	completes '--when=id=10 --when=id=8' splan --when=id=
	completes 'id=7' srecord job id=7
	completes 'debug' scontrol show partition d
	echo PrivateData=jobs >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	capture as bob squeue --complete -- -j ''
	same "jobs for bob" "$stdout" ''
	capture as amy squeue --complete -- -j 7
	same "jobs for amy" "$stdout" 7
}

@test "a list goes on after a comma; letters of options may share a word" {
	completes 'account,user account,usercpu' sacct -o account,user
	completes 'format=account,share' sacctmgr show assoc format=account,sha
	completes 'qos=normal,fast' sacctmgr modify user amy set qos=normal,f
	completes '--users=bob,amy' squeue --users=bob,a
	completes 'R,running' squeue -t R,runn
	completes 'amy' sshare -nu a
	completes 'Hours' sreport -n -t Hours cluster utilization -t Hours
	completes 'utilization' sreport -t Hours cluster utilization
	completes 'cpu' sreport -T cp
}

@test "what it is, for shells that show that" {
	same option "$(sshare --complete=help -- --pl)" \
		$'--plot\ta forecast or a history as a plot in the terminal, not as a table'
	same column "$(sacctmgr --complete=help -- show assoc format=maxj | head -1)" \
		$'format=maxjobs\tjobs of one user that may run at once'
	same program "$(bursar --complete=help -- bursar sprio)" \
		$'sprio\tpriority of pending jobs, factor by factor'
	srecord job id=8 user=amy cpus=1 name=later >/dev/null
	same job "$(bursar --complete=help -- sprio --explain 8)" $'8\tlater of amy'
	same plain "$(sprio --complete -- --explain 8)" 8
}

@test "a missing store is not made, a broken one is no noise" {
	local program
	rm "$(store)"
	for program in sacct seff sinfo spage splan sprio squeue sreport sshare ssim; do
		capture "$program" --complete -- --user=a
		same "$program without a store" "$stdout$stderr" ''
	done
	completes 'debug' sinfo -p d
	[[ ! -e $(store) ]]
	echo garbage >"$(store)"
	completes '' squeue -u a
	completes '' sprio --explain 8
	same store "$(cat "$(store)")" garbage
}

# installed SHELL_FILE PROGRAM: the file under the name of the program, as make install links it.
installed() {
	local end=
	[[ $1 != *.* ]] || end=.${1##*.}
	ln -sf "$completions/$1" "$BATS_TEST_TMPDIR/$2$end"
	echo "$BATS_TEST_TMPDIR/$2$end"
}

# in_bash LINE: what bash would put there.
in_bash() {
	local program=${1%% *}
	. "$(installed bursar "$program")"
	compopt() { :; }
	[[ $(complete -p "$program") == "complete -o default -F _bursar $program" ]]
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"=:' COMP_WORDS=($1)
	COMPREPLY=()
	_bursar "$program" "${1##* }" ''
	echo "${COMPREPLY[*]}"
}

@test "bash" {
	same sshare "$(in_bash 'sshare -o us')" user
	same sshare "$(in_bash 'sshare --users=a')" amy
	same 'a list' "$(in_bash 'squeue --users=bob,a')" bob,amy
	same srecord "$(in_bash 'srecord job user=a')" amy
	same sreport "$(in_bash 'sreport cluster utilization format=al')" allocated
	same sprio "$(in_bash 'sprio -u a')" amy
	same splan "$(in_bash 'splan -o act')" action
	same ssim "$(in_bash 'ssim --policy=co')" conservative
	same sacctmgr "$(in_bash 'sacctmgr -i modify user name=am')" amy
	same bursar "$(in_bash 'bursar squeue -A la')" 'lab law'
}

@test "zsh" {
	command -v zsh >/dev/null || skip "zsh is not installed (tests/deps test)"
	cat >ask.zsh <<-'END'
		compadd() {
			while [[ $1 != -- ]]; do
				[[ $1 != -d ]] || texts=("${(@P)2}")
				shift
			done
			shift
			print -l -- "$@" $texts
		}
		_files() { print files }
		words=("${(@)argv[2,-1]}") CURRENT=$#words PREFIX=$words[-1] service=$words[1]
		complete_it() { source $1 }
		complete_it $1
	END
	in_zsh() { zsh -f ask.zsh "$completions/_bursar" "$@" | grep . | xargs; }
	same sshare "$(in_zsh sshare -o us)" 'user user -- user'
	same srecord "$(in_zsh srecord job user=a)" 'user=amy user=amy'
	same srecord "$(in_zsh srecord job us)" 'user= user= -- who runs it'
	same sreport "$(in_zsh sreport cluster utilization form)" 'format= format='
	same sacctmgr "$(in_zsh sacctmgr show assoc account=lab,law)" \
		'account=lab,law account=lab,law'
	same files "$(in_zsh srecord import jobs)" files
	local program
	for program in "$BATS_TEST_DIRNAME"/../../cmd/*.c; do
		program=${program##*/}
		grep -q "^#compdef.* ${program%.c}\( \|\$\)" "$completions/_bursar"
	done
}

@test "fish" {
	command -v fish >/dev/null || skip "fish is not installed (tests/deps test)"
	in_fish() {
		HOME=$BATS_TEST_TMPDIR fish --no-config -c \
			"source $(installed bursar.fish "${1%% *}"); complete -C '$1'" | xargs
	}
	same sshare "$(in_fish 'sshare -o us')" 'user user'
	same sacct "$(in_fish 'sacct -s RUN')" RUNNING
	same srecord "$(in_fish 'srecord job user=a')" user=amy
	same srecord "$(in_fish 'srecord job us')" 'user= who runs it'
	same sreport "$(in_fish 'sreport cluster utilization format=al')" \
		'format=allocated what jobs and reservations held'
	same squeue "$(in_fish 'squeue -u a')" amy
	same sacctmgr "$(in_fish 'sacctmgr show assoc account=lab,la')" \
		'account=lab,lab account=lab,law'
	touch "$BATS_TEST_TMPDIR/jobs.swf"
	same files "$(cd "$BATS_TEST_TMPDIR" && in_fish 'srecord import jobs.s')" jobs.swf
}

@test "sreport's shell: the line editor, with TAB" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	# TAB completes the words of a report; the history is sreport's own.
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	printf 'vers\t\nexit\n' | TERM=dumb script -qec sreport /dev/null >screen
	[[ $(tr -d '\r\a' <screen) == *'slurm 26.05.3'* ]]
	grep -q version "$XDG_STATE_HOME/bursar/sreport_history"
	same 'lines of a pipe' "$(printf 'version\nexit\n' | sreport | head -1)" 'sreport: version'
}
