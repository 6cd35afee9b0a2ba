#!/usr/bin/env bats
# Completion of all programs: `bursar --complete`, and what bash, zsh and fish make of it. That of
# sacctmgr is in sacctmgr-shell.bats.

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
	completes 'jobID' splan -o job
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
	completes 'Hours HourPer' sreport -t H
	srecord job id=7 user=amy cpus=1 state=RUNNING >/dev/null
	completes '7' seff ''
}

@test "what completes nothing is no noise; PrivateData hides names" {
	completes '' nosuch x
	completes '' sshare -u nobody
	echo PrivateData=accounts,users >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	capture as bob bursar --complete -- sreport user topusage users=a
	same 'names for bob' "$stdout" ''
	completes 'users=amy' sreport user topusage users=a
}

# in_bash LINE: what bash would put there.
in_bash() {
	local program=${1%% *}
	. "$completions/$program"
	compopt() { :; }
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"=:' COMP_WORDS=($1)
	COMPREPLY=()
	"_$program" "$program" "${1##* }" ''
	echo "${COMPREPLY[*]}"
}

@test "bash" {
	same sshare "$(in_bash 'sshare -o us')" user
	same sshare "$(in_bash 'sshare --users=a')" amy
	same srecord "$(in_bash 'srecord job user=a')" amy
	same sreport "$(in_bash 'sreport cluster utilization format=al')" allocated
	same sprio "$(in_bash 'sprio -u a')" amy
	same splan "$(in_bash 'splan -o act')" action
	same bursar "$(in_bash 'bursar squeue -A la')" 'lab law'
	local file
	for file in "$completions"/*; do
		case $file in
		*.fish | */_*) ;;
		*) bash -n "$file" ;;
		esac
	done
}

@test "zsh" {
	command -v zsh >/dev/null || skip "zsh is not installed (tests/deps test)"
	cat >ask.zsh <<-'END'
		compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@" }
		_files() { print files }
		words=("${(@)argv[2,-1]}") CURRENT=$#words PREFIX=$words[-1] service=$words[1]
		complete_it() { source $1 }
		complete_it $1
	END
	in_zsh() { zsh -f ask.zsh "$completions/_bursar" "$@" | grep . | xargs; }
	same sshare "$(in_zsh sshare -o us)" user
	same srecord "$(in_zsh srecord job user=a)" user=amy
	same srecord "$(in_zsh srecord job us)" user=
	same sreport "$(in_zsh sreport cluster utilization form)" format=
	same files "$(in_zsh srecord import jobs)" files
	for program in bursar sacct seff sinfo spage splan sprio squeue srecord sreport sshare \
		ssim; do
		grep -q "^#compdef.* $program\( \|\$\)" "$completions/_bursar"
	done
}

@test "fish" {
	command -v fish >/dev/null || skip "fish is not installed (tests/deps test)"
	in_fish() {
		HOME=$BATS_TEST_TMPDIR fish --no-config -c \
			"source $completions/${1%% *}.fish; complete -C '$1'" | cut -f1 | xargs
	}
	same sshare "$(in_fish 'sshare -o us')" user
	same sacct "$(in_fish 'sacct -s RUN')" RUNNING
	same srecord "$(in_fish 'srecord job user=a')" user=amy
	same sreport "$(in_fish 'sreport cluster utilization format=al')" format=allocated
	same squeue "$(in_fish 'squeue -u a')" amy
	for program in bursar sacct seff sinfo spage splan sprio squeue srecord sreport sshare \
		ssim; do
		fish --no-config -n "$completions/$program.fish"
	done
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
