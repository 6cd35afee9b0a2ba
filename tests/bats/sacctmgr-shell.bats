#!/usr/bin/env bats
# The shell of sacctmgr: lines of a pipe, lines of a terminal, completion there and for other
# shells. What Slurm's shell does with a pipe is in the recording interactive.t.

load lib

setup() {
	fresh_cluster
	local_users amy bob
	unset XDG_STATE_HOME
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab,law
		add qos fast,slow
		add user amy,bob account=lab
		add federation fed
	END
}

# completes CANDIDATES WORD...
completes() {
	local wanted=$1
	shift
	capture sacctmgr --complete -- "$@"
	same "candidates of $*" "${stdout//$'\n'/ }" "$wanted"
	same "messages of $*" "$stderr" ''
}

# shows END TRIES: waits until there is more on the screen than before, which ends with END, and
# nothing new for a moment. It is given up after so many tries of 50 ms.
shows() {
	local size=$on_screen was=-1 tries
	for ((tries = $2; tries > 0; tries--)); do
		sleep 0.05
		size=$(stat -c %s screen.raw)
		((size > on_screen && size == was)) && [[ $(<screen.raw) == *"$1" ]] && break
		was=$size
	done
	on_screen=$size
}

# terminal KEYS...: sacctmgr at a terminal, where somebody types these, each when the screen rests,
# behind a full line at the next prompt or question; what the screen got is in `screen`, without
# what moves the cursor.
terminal() {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	local on_screen=0
	: >screen.raw
	{
		shows ': ' 200
		for keys; do
			printf "$keys"
			case $keys in
			exit* | '\n') shows '' 10 ;;
			*'\n') shows ': ' 100 ;;
			*) shows '' 20 ;;
			esac
		done
	} | TERM=dumb script -qec "${command:-sacctmgr}" /dev/null >screen.raw || true
	screen=$(tr -d '\r\a' <screen.raw)
}

maxjobs() {
	sacctmgr -nP show assoc where user=amy format=maxjobs
}

@test "a session knows what others have added meanwhile" {
	coproc shell { sacctmgr -i 2>&1; }
	local said='' c out=${shell[0]}
	echo version >&"${shell[1]}"
	until [[ $said == *version*'sacctmgr: ' ]]; do
		read -rN 1 -t 60 c <&"$out" || break
		said+=$c
	done
	sacctmgr -iQ add qos late >/dev/null
	printf '%s\n' 'modify user amy set qos=late' exit >&"${shell[1]}"
	cat <&"$out" >/dev/null
	same association "$(sacctmgr -nP list assoc user=amy format=qos)" late
}

@test "pipe: quotes, comments, !! and the end" {
	out=$(printf '%s\n' '# nothing' "add account 'x y'" '!!' 'exit' | sacctmgr -i) || true
	[[ $out == *"A = x y"*"Already existing account x y"* ]]
	out=$(printf '!!' | sacctmgr) || true
	same "an early !!" "$out" $'sacctmgr: !!\nsacctmgr: '
}

@test "pipe: 127 words and no more" {
	words=$(printf 'a%s ' {1..125})
	printf 'show account %s\nexit\n' "$words" | sacctmgr >/dev/null
	run sacctmgr <<<"show account $words one more"
	[[ $status == 1 && $output == *"can not process over 127 words"* ]]
}

@test "pipe: nothing of the terminal" {
	printf 'show qos\n' | sacctmgr >/dev/null
	[[ ! -e $HOME/.local/state ]]
}

@test "terminal: TAB completes, one key answers" {
	terminal 'mod\t' 'user am\t' 'set maxj\t' '=7\n' 'y' 'exit\n'
	[[ $screen == *"Would you like to commit changes?"* ]]
	same "the limit" "$(maxjobs)" 7
}

@test "terminal: TAB lists what there is" {
	terminal 'show account name=l\t' '\t' '\003' 'exit\n'
	[[ $screen == *$'\nlab  law\n'* ]]
}

@test "terminal: Ctrl-C drops the line, Ctrl-D leaves" {
	terminal 'modify user amy set maxjobs=8\003' 'version\n' '\004'
	[[ $screen == *"^C"*"slurm 26.05.3"* ]]
	same "the limit" "$(maxjobs)" ''
}

@test "terminal: Ctrl-C is a no, other keys are asked again" {
	terminal 'modify user amy set maxjobs=8\n' 'x' '\003' 'version\n' '\004'
	[[ $screen == *"Y or N please"*"Changes Discarded"*"slurm 26.05.3"* ]]
	same "the limit" "$(maxjobs)" ''
}

@test "terminal: one command, Ctrl-C and Enter at its question" {
	command='sacctmgr modify user amy set maxjobs=9; stty -a' terminal '\003'
	[[ $screen != *"Changes Discarded"* ]]
	command='sacctmgr modify user amy set maxjobs=9' terminal '\n'
	[[ $screen == *"Changes Discarded"* ]]
	same "the limit" "$(maxjobs)" ''
	command='sacctmgr modify user amy set maxjobs=9; stty -a' terminal 'y'
	[[ $screen == *" icanon"* ]]
	same "the limit" "$(maxjobs)" 9
}

@test "terminal: the history outlives the session, for its owner alone" {
	terminal 'show qos format=name\n' 'exit\n'
	same mode "$(stat -c %a "$HOME/.local/state/bursar/sacctmgr_history")" 600
	terminal '\020\020\n' '\004'
	[[ $screen == *"show qos format=name"*"slow"* ]]
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	terminal 'version\n' '\004'
	[[ -s $XDG_STATE_HOME/bursar/sacctmgr_history ]]
}

@test "terminal: ~/.editrc is read" {
	echo 'sacctmgr:bind -s "^T" "version"' >"$HOME/.editrc"
	terminal '\024\n' '\004'
	[[ $screen == *"slurm 26.05.3"* ]]
}

@test "completion: verbs, entities, words" {
	completes 'show' sho
	completes 'modify' m
	completes '--parsable --parsable2' --par
	completes 'account' show acc
	completes 'Account' show Acc
	completes 'user' modify -i u
	completes 'defaultaccount= defaultqos= defaultwckey=' modify user amy set def
	completes 'set' modify user amy se
	completes 'withassoc withcoordinators withdeleted withrawqoslevel' show user with
	completes 'qoslevel=' modify account lab set q
	completes 'qoslevel+=' modify account lab set qoslevel+
	completes 'wckeys' help w
	completes '' bogus ''
	completes '' exit ''
}

@test "completion: names from the store" {
	completes 'accounts= adminlevel= amy associations=' modify user a
	completes 'account=lab account=law' show assoc account=l
	completes 'account=lab,law' show assoc account=lab,law
	completes 'name=amy' delete user name=a
	completes 'qos+=fast,slow' modify user amy set qos+=fast,s
	completes 'defaultqos=slow' modify account lab set defaultqos=s
	completes 'parent=lab parent=law' add account x parent=l
	completes 'cluster=canis' show assoc cluster=
	completes 'partition=debug partition=gpu' add user x partition=
	completes 'federation=fed' modify cluster canis set federation=
	completes 'grptres=cpu=4,mem=' modify account lab set grptres=cpu=4,me
	completes 'canis cluster=' dump c
}

@test "completion: columns, flags, levels" {
	completes 'format=account,user' show assoc format=account,us
	completes 'format=GrpJobs format=GrpJobsAccrue' show assoc format=GrpJ
	completes 'flags=NoDecay flags=NoReserve' modify qos fast set flags=No
	completes 'adminlevel=Operator' add user x adminlevel=O
	completes 'fairshare=parent' modify user amy set fairshare=
}

@test "completion: a deleted name is gone, a strange one not offered" {
	sacctmgr -iQ delete user bob >/dev/null
	sacctmgr -iQ add account "l'x" >/dev/null || true
	sacctmgr -iQ add account "l x" >/dev/null
	completes 'users=amy users=root' delete coordinator users=
	completes 'account=lab account=law' show assoc account=l
}

@test "completion: a broken store is no noise, a missing one is not made" {
	rm "$(store)"
	completes '' modify user name=a
	[[ ! -e $(store) ]]
	echo garbage >"$(store)"
	completes '' modify user name=a
	completes 'show' sho
}

@test "completion: PrivateData hides names from those who may not list them" {
	chmod 755 "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/store"
	echo PrivateData=users,accounts >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	completes 'name=amy' show user name=a
	capture as bob sacctmgr --complete -- show user name=a
	same 'what bob sees' "$stdout" ''
}

@test "completion: bash" {
	. "$BATS_TEST_DIRNAME/../../completions/sacctmgr"
	compopt() { :; }
	COMP_LINE='sacctmgr -i modify user name=am' COMP_POINT=31 COMP_WORDBREAKS=$' \t\n"=:'
	_sacctmgr sacctmgr am =
	same candidates "${COMPREPLY[*]}" amy
	COMP_LINE='sacctmgr show acc' COMP_POINT=17
	_sacctmgr sacctmgr acc show
	same candidates "${COMPREPLY[*]}" account
	COMP_LINE='sacctmgr show ' COMP_POINT=14
	_sacctmgr sacctmgr '' show
	((${#COMPREPLY[@]} > 5))
}

@test "completion: zsh and fish" {
	local dir=$BATS_TEST_DIRNAME/../../completions
	command -v zsh >/dev/null || command -v fish >/dev/null || skip "neither zsh nor fish"
	! command -v zsh >/dev/null || LD_PRELOAD='' zsh -n "$dir/_sacctmgr"
	command -v fish >/dev/null || return 0
	run fish --no-config -c "source $dir/sacctmgr.fish; complete -C 'sacctmgr modify user am'"
	[[ $output == *amy* ]]
}
