# For every bats file: `load lib`, and in setup() `fresh_cluster`. Works as root and as anyone, and
# changes nothing outside the test's own folder (tests/replay/cluster.bash).
#
#   fresh_cluster [CONF LINE...]   an empty store with its slurm.conf: that of the recordings, and
#                                  these lines over it; the current folder is empty; the programs
#                                  are on PATH
#   local_users NAME...            users of the machine, known to getpwnam()
#   as NAME COMMAND...             runs it as that user
#   refuses WORDS COMMAND...       it exits with 1, says WORDS on standard error, prints nothing
#   prints TEXT COMMAND...         it exits with 0, prints exactly TEXT, says nothing
#   clock_at SECONDS               where the clock of the programs stands from here on. Every hour
#                                  from the first fact to now is rolled up: for jobs of 1996
#   store                          where the store is
#   ask SQL                        what the store says, fields by |
#   abbreviations PROGRAM LEAST OPTIONS [SED]
#                                  every prefix of these long options of Slurm (`jobs?`, `cluster=`:
#                                  with an argument) that means one of them is taken; there are
#                                  more than LEAST. SED makes two options that are one the same
#   examples PAGE                  runs those of man/PAGE that begin with "$ " and compares what
#                                  they print; where nothing is shown they must just succeed

bats_require_minimum_version 1.5.0 # run -0, run !

replay_dir=${BATS_TEST_DIRNAME%/*}/replay
. "$replay_dir/cluster.bash"

# bats notes where it is before each command of every function, which takes longer than many of
# these do. The lines of the test itself are enough to find what failed. (`bats --trace` has all.)
trace_tests_only() {
	[[ ${BATS_TRACE_LEVEL:-0} -eq 0 ]] || return 0
	set +T
	trap 'set -T; bats_error_trap' ERR
}

fresh_cluster() {
	local bin=${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}
	trace_tests_only
	[[ $bin == /* ]] || bin=$(cd "$bin" && pwd)
	cluster_make "$BATS_TEST_TMPDIR" "$@"
	cluster_env "$BATS_TEST_TMPDIR" "$bin" "$replay_dir/shim"
	cd "$BATS_TEST_TMPDIR/run" || return 1
	new_store "$*"
}

# The tests of a file that have the same lines in slurm.conf begin with copies of one new store.
new_store() {
	local made=$BATS_RUN_TMPDIR/store${1//\//|} file=$BATS_TEST_TMPDIR/store/acct.db
	if [[ ${SQL_DIR-} || ${BURSAR_NOW-} || ${#1} -gt 150 || $1 == *$'\n'* ]]; then
		cluster_store
	elif [[ -e $made ]]; then
		cp -p "$made" "$file"
	else
		cluster_store
		[[ ! -e $file || -e $file-wal ]] || cp -p "$file" "$made"
	fi
}

local_users() {
	cluster_users "$BATS_TEST_TMPDIR" "$@"
}

clock_at() {
	BURSAR_STORE=$(store)
	export BURSAR_STORE BURSAR_NOW=$1
}

as() {
	local name=$1
	shift
	runuser -u "$name" -- "$@"
}

# With SQL_DIR (tests/replay/cluster.bash): the replica of the first host, which must first take in
# what the other one did.
store() {
	if [[ ${SQL_DIR-} ]]; then
		replica a
	else
		echo "$BATS_TEST_TMPDIR/store/acct.db"
	fi
}

ask() {
	[[ ! ${SQL_DIR-} ]] || catch_up a
	LD_PRELOAD='' sqlite3 "$(store)" "$1"
}

# capture COMMAND...: standard output, standard error and status into stdout, stderr and status.
# (bats has `run --separate-stderr`, which loses empty lines.)
capture() {
	status=0
	"$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" </dev/null || status=$?
	content_of "$BATS_TEST_TMPDIR/out" && stdout=$REPLY
	content_of "$BATS_TEST_TMPDIR/err" && stderr=$REPLY
}

# REPLY=$(<FILE), without a fork.
content_of() {
	IFS= read -r -d '' REPLY <"$1" || true
	while [[ $REPLY == *$'\n' ]]; do
		REPLY=${REPLY%$'\n'}
	done
}

# same WHAT GOT WANTED: says what differs.
same() {
	[[ $2 == "$3" ]] && return 0
	printf '%s is not as expected\n' "$1"
	diff -u --label wanted --label got <(printf '%s\n' "$3") <(printf '%s\n' "$2")
	return 1
}

refuses() {
	local words=$1
	shift
	capture "$@"
	same "exit status of $*" "$status" 1 || { printf '%s\n' "$stdout" "$stderr"; return 1; }
	same "output of $*" "$stdout" '' || return 1
	[[ $stderr == *"$words"* ]] || same "message of $*" "$stderr" "$words"
}

prints() {
	local text=$1
	shift
	capture "$@"
	same "output of $*" "$stdout" "$text" || { printf '%s\n' "$stderr"; return 1; }
	same "messages of $*" "$stderr" '' || return 1
	same "exit status of $*" "$status" 0
}

abbreviations() {
	local program=$1 least=$2 same=${4-} option prefix meant i at=0 seen=0
	local -a options names
	local -A meanings=() # of a prefix, as getopt sees it
	read -ra options <<<"${3//$'\n'/ }"
	mapfile -t names < <(printf '%s\n' "${options[@]}" | sed "$same")
	for option in "${options[@]}"; do
		for ((i = 1; i <= ${#option}; i++)); do
			prefix=${option:0:i}
			[[ " ${meanings[$prefix]-}" == *" ${names[at]} "* ]] ||
				meanings[$prefix]+="${names[at]} "
		done
		at=$((at + 1))
	done
	for option in "${options[@]}"; do
		meanings[${option%[=?]}]="$option "
	done
	for option in "${options[@]}"; do
		for ((i = 1; i <= ${#option}; i++)); do
			prefix=${option:0:i}
			[[ $prefix != *[=?] ]] || continue
			meant=${meanings[$prefix]% }
			[[ $meant != *' '* ]] || continue
			seen=$((seen + 1))
			case $meant in
			*=) capture "$program" "--$prefix=x" --usage ;;
			*) capture "$program" "--$prefix" --usage ;;
			esac
			[[ $stderr != *ambiguous* && $stderr != *unrecognized* &&
				$stderr != *argument* ]] && continue
			same "--$prefix" "$stderr" '' || return 1
		done
	done
	((seen > least))
}

# One command of a manual page with what it prints.
example() {
	[[ $1 ]] || return 0
	capture bash -c "$1"
	same "messages of $1" "$stderr" ''
	same "status of $1" "$status" 0
	[[ ! $2 ]] || same "$1" "$stdout" "${2%$'\n'}"
}

examples() {
	local page=$BATS_TEST_DIRNAME/../../man/$1 line command='' wanted='' inside='' seen=0
	while IFS= read -r line; do
		case $line in
		'.Bd -literal -offset indent') inside=1 ;;
		.Ed)
			example "$command" "$wanted"
			inside='' command='' wanted=''
			;;
		'$ '* | '.Dl $ '*)
			example "$command" "$wanted"
			command=${line#*$ } wanted='' seen=$((seen + 1))
			[[ $inside ]] || { example "$command" ''; command=''; }
			;;
		*) [[ ! $inside || ! $command ]] || wanted+=$line$'\n' ;;
		esac
	done < <(sed ":a; /\\\\e\$/ { N; s/\\\\e\n *//; ba };
		s/\\\\(aq/'/g; s/\\\\&//; s/\\\\e/\\\\/g" "$page")
	((seen > 3))
}

# page_data FILE: the JSON in a page of spage.
page_data() {
	sed -n '/<script type="application\/json"/,/<\/script>/p' "$1" | sed '1d; s,</script>,,'
}

# page_words FILE: its explanations, unpacked. A stream of zlib is gzip's with another head and end.
page_words() {
	{
		printf '\037\213\010\0\0\0\0\0\0\0'
		page_data "$1" | jq -r '.why.zlib // ""' | base64 -d | tail -c +3
	} | gzip -dc 2>/dev/null | tr '\0' '\n'
}
