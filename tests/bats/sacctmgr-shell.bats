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

prompt='sacctmgr: ' question='(N/y): '

# shows TEXT: reads what the terminal gets until TEXT has come, however long that takes.
shows() {
	local c got=''
	until [[ $got == *"$1" ]]; do
		IFS= read -rN 1 -t 300 c <&"$from" || {
			echo "the terminal never got '$1', but: $got"
			return 1
		}
		[[ $c == [$'\r\a'] ]] || got+=$c
	done
	screen+=$got
}

# terminal [KEYS TEXT]...: sacctmgr (or $command) at a terminal, where somebody types the keys, then
# waits for that text before the next ones. What the terminal got is in `screen`, without what moves
# the cursor.
terminal() {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	local from to rest
	screen=''
	# What bash runs in the background ignores Ctrl-C, and so would all below it.
	coproc tty {
		exec env --default-signal=INT,QUIT TERM=dumb ${preload:+LD_PRELOAD="$preload"} \
			script -qec "${command:-sacctmgr}" /dev/null
	}
	# Copies: bash closes its own when the other end is gone.
	exec {from}<&"${tty[0]}" {to}>&"${tty[1]}"
	if [[ ${command:-} ]]; then shows "$question"; else shows "$prompt"; fi
	while (($#)); do
		printf "$1" >&"$to"
		[[ ! $2 ]] || shows "$2"
		shift 2
	done
	rest=$(tr -d '\r\a' <&"$from")
	screen+=$rest
	exec {from}<&- {to}>&-
	wait "$tty_PID" 2>/dev/null || true
}

maxjobs() {
	sacctmgr -nP show assoc where user=amy format=maxjobs
}

@test "a session knows what others have added meanwhile" {
	coproc shell { sacctmgr -i 2>&1; }
	local said='' c out in
	exec {out}<&"${shell[0]}" {in}>&"${shell[1]}" # copies: bash closes its own
	echo version >&"$in"
	until [[ $said == *version*'sacctmgr: ' ]]; do
		read -rN 1 -t 60 c <&"$out" || break
		said+=$c
	done
	sacctmgr -iQ add qos late >/dev/null
	printf '%s\n' 'modify user amy set qos=late' exit >&"$in"
	cat <&"$out" >/dev/null
	same association "$(sacctmgr -nP list assoc user=amy format=qos)" late
}

@test "pipe: quotes, comments, !! and the end" {
	out=$(printf '%s\n' '# nothing' "add account 'x y'" '!!' 'exit' | sacctmgr -i) || true
	[[ $out == *"A = x y"*"Already existing account x y"* ]]
	out=$(printf '!!' | sacctmgr) || true
	same "an early !!" "$out" $'sacctmgr: !!\nsacctmgr: '
}

# Slurm loses what follows the first answer (interactive.t, shell-more.t).
@test "pipe: what follows an answer is the next command, the next answer, or left" {
	printf 'add qos qa\ny\nadd qos qb\ny\nadd qos qc\nno\nadd qos qd\nmaybe\nquit\n' |
		sacctmgr >out
	same "the last line" "$(tail -n 1 out)" 'sacctmgr: quit'
	same QOS "$(sacctmgr -nP show qos format=name | grep ^q)" $'qa\nqb\nqd'
	printf 'y\ny\nshow qos\n' | { sacctmgr delete qos qa; sacctmgr delete qos qb; cat; } >out
	same "what is left" "$(tail -n 1 out)" 'show qos'
	same QOS "$(sacctmgr -nP show qos format=name | grep ^q)" qd
	# One key answers, long before the end of its line.
	mkfifo keys
	exec 7<>keys
	printf y >&7
	BURSAR_ANSWER_MS=100 sacctmgr absent qos qd <&7 >out
	same "the last line" "$(tail -n 1 out)" changed
}

@test "pipe: a long line is one line" {
	long=$(printf '%070000d' 0)
	printf 'version\n%s version\nversion\n' "$long" | sacctmgr >out 2>/dev/null || true
	same "times the version is said" "$(grep -c '^slurm ' out)" 2
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
	terminal 'mod\t' 'modify ' 'user am\t' 'amy ' 'set maxj\t' 'maxjobs' '=7\n' "$question" \
		'y' "$prompt" 'exit\n' ''
	[[ $screen == *"Would you like to commit changes?"* ]]
	same "the limit" "$(maxjobs)" 7
}

@test "terminal: TAB lists what there is" {
	terminal 'show account name=l\t' 'name=l' '\t' $'\nlab  law\n' '\003' "$prompt" 'exit\n' ''
	[[ $screen == *$'\nlab  law\n'* ]]
}

@test "terminal: Ctrl-C drops the line, Ctrl-D leaves" {
	terminal 'modify user amy set maxjobs=8\003' $'^C\n'"$prompt" 'version\n' "$prompt" \
		'exit\n' ''
	[[ $screen == *"^C"*"slurm 26.05.3"* ]]
	same "the limit" "$(maxjobs)" ''
}

# libedit takes the terminal after its prompt: what is typed in between comes from a busy machine's
# users, here from a call that is slow.
@test "terminal: Ctrl-C drops the line that libedit is not ready for" {
	preload=$BATS_TEST_TMPDIR/slow.so
	"${CC:-cc}" -x c -shared -fPIC -o "$preload" - <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <termios.h>
		#include <unistd.h>
		int tcsetattr(int fd, int when, const struct termios *settings)
		{
			int (*real)(int, int, const struct termios *) =
				dlsym(RTLD_NEXT, "tcsetattr");
			usleep(300000);
			return real(fd, when, settings);
		}
	END
	terminal 'modify user amy set maxjobs=8\003' $'^C\n'"$prompt" 'exit\n' ''
	same "the limit" "$(maxjobs)" ''
}

@test "terminal: Ctrl-C is a no, other keys are asked again" {
	terminal 'modify user amy set maxjobs=8\n' "$question" 'x' "$question" '\003' "$prompt" \
		'version\n' "$prompt" 'exit\n' ''
	[[ $screen == *"Y or N please"*"Changes Discarded"*"slurm 26.05.3"* ]]
	same "the limit" "$(maxjobs)" ''
}

@test "terminal: one command, Ctrl-C and Enter at its question" {
	command='sacctmgr modify user amy set maxjobs=9; stty -a' terminal '\003' ''
	[[ $screen != *"Changes Discarded"* ]]
	command='sacctmgr modify user amy set maxjobs=9' terminal '\n' ''
	[[ $screen == *"Changes Discarded"* ]]
	same "the limit" "$(maxjobs)" ''
	command='sacctmgr modify user amy set maxjobs=9; stty -a' terminal 'y' ''
	[[ $screen == *" icanon"* ]]
	same "the limit" "$(maxjobs)" 9
}

@test "terminal: the history outlives the session, for its owner alone" {
	terminal 'show qos format=name\n' "$prompt" 'exit\n' ''
	same mode "$(stat -c %a "$HOME/.local/state/bursar/sacctmgr_history")" 600
	terminal '\020\020\n' "$prompt" 'exit\n' ''
	[[ $screen == *"show qos format=name"*"slow"* ]]
	export XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	terminal 'version\n' "$prompt" 'exit\n' ''
	[[ -s $XDG_STATE_HOME/bursar/sacctmgr_history ]]
}

@test "terminal: ~/.editrc is read" {
	echo 'sacctmgr:bind -s "^T" "version"' >"$HOME/.editrc"
	terminal '\024\n' "$prompt" 'exit\n' ''
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
	completes 'withassoc withblame withcoordinators withdeleted witheffective withleases '\
'withrawqoslevel' show user with
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
	completes 'format=account,used format=account,user' show assoc format=account,us
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
