# For the bats files here: `load lib`, which starts a server for the file and ends it, or three with
# `servers=3` in front of it; what is missing is said by every test, skipped. And
#
#   setup() { fresh_site a b c; }        hosts with a log that nothing is in yet (hosts.bash); the
#                                        current folder is empty, users are faked
#   need_servers                         in place of fresh_site: servers, no hosts
#
# Besides what tests/bats/lib.bash has (refuses, prints, capture, same):
#
#   proxy_before HOST [MILLISECONDS]     a proxy between that host and server 1, the only one it
#                                        knows from here on; its folder is $proxy; rules:
#                                        tests/mariadb/proxy.c
#   proxy_to NODE FOLDER [MILLISECONDS]  a proxy to that server at $proxy_address
#   rule ACTION WORDS                    what it does next; `followed`: it was done
#   alone COMMAND...                     on a store of its own without a log, beside the hosts
#   log_ask SQL                          what the database of this site says
#   number                               of the newest entry of the log
#   same_answers HOST HOST               programs print the same there, byte for byte
#   job HOST ID ARG...                   a job that ran two hours on 16 processors

. "$BATS_TEST_DIRNAME/../bats/lib.bash"
. "$BATS_TEST_DIRNAME/hosts.bash"

setup_file() {
	servers_up "${servers:-1}"
}

teardown_file() {
	servers_down
}

servers_up() {
	local missing
	missing=$(sql_missing "$1" | paste -sd ' ')
	[[ $missing || -x $(programs)/sacctmgr ]] || missing="build/bin: run make"
	echo "$missing" >"$BATS_FILE_TMPDIR/missing"
	[[ ! $missing ]] || return 0
	SQL_DIR=$(mktemp -d "${TMPDIR:-/tmp}/mariadb.XXXXXX")
	export SQL_DIR
	sql_start "$SQL_DIR" "$1"
}

servers_down() {
	[[ ! ${SQL_DIR-} ]] || { sql_take "$SQL_DIR" && sql_down; }
}

programs() {
	(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
}

need_servers() {
	[[ ! $(<"$BATS_FILE_TMPDIR/missing") ]] ||
		skip "not installed: $(<"$BATS_FILE_TMPDIR/missing")"
	sql_take "$SQL_DIR" && sql_revive
}

fresh_site() {
	need_servers || return 1
	HOSTS="$*" cluster_make "$BATS_TEST_TMPDIR"
	SQL_DIR='' cluster_env "$BATS_TEST_TMPDIR" "$(programs)" "$replay_dir/shim"
	cd "$BATS_TEST_TMPDIR/run" || return 1
}

log_ask() {
	sql_ask 1 "USE $database; $1"
}

number() {
	log_ask 'SELECT number FROM bursar_head'
}

proxy_to() {
	mkdir -p "$2"
	rm -f "$2"/*
	env -u LD_PRELOAD "$(programs)/../mariadb/proxy" "127.0.0.$1" "$sql_port" "$2" "${3:-0}" \
		>/dev/null 3>&- &
	until_true test -s "$2/port"
	proxy_address=127.0.0.1:$(<"$2/port")
}

proxy_before() {
	proxy=$BATS_TEST_TMPDIR/proxy-$1
	proxy_to 1 "$proxy" "${2:-0}"
	hosts_of "$1" "$proxy_address"
}

# hosts_of HOST LIST: the servers that host asks
hosts_of() {
	sed -i "s/^StorageHost=.*/StorageHost=$2/" "$(host_conf "$1")"
}

user_there() {
	on "$1" sacctmgr -nP show user format=user | grep -cx "$2" || true
}

# has_user HOST NAME
has_user() {
	same "times that $1 has user $2" "$(user_there "$1" "$2")" 1
}

lacks_user() {
	same "times that $1 has user $2" "$(user_there "$1" "$2")" 0
}

# Accounts and users that tests change, made on hosts a and b.
populate() {
	{
		on a sacctmgr -iQ add account physics,music fairshare=10
		on b sacctmgr -iQ add user ann,bob account=physics
		on a sacctmgr -iQ add user cy account=music
	} >/dev/null
}

rule() {
	echo "$*" >"$proxy/rule"
}

followed() {
	[[ ! -e $proxy/rule ]]
}

alone() {
	BURSAR_STORE=$BATS_TEST_TMPDIR/alone.db "$@"
}

job() {
	local host=$1 id=$2
	shift 2
	on "$host" srecord job id="$id" cpus=16 submit=2026-03-01T10:00:00 \
		start=2026-03-01T11:00:00 end=2026-03-01T13:00:00 state=COMPLETED exit=0:0 "$@"
}

same_answers() {
	local command
	while IFS= read -r command; do
		same "$command, on $2" "$(on "$2" $command 2>&1)" "$(on "$1" $command 2>&1)" ||
			return 1
	done <<-END
		sacctmgr -nP show assoc tree format=account,user,share,grptres,qos,maxjobs
		sacctmgr -P show user withassoc
		sacctmgr -P show qos
		sacctmgr -P show transactions
		sacctmgr show tres
		sshare -alP
		sacct -aXP -S2026-01-01 --format=jobid,user,account,state,elapsed,cputimeraw
		squeue -aP
		sreport -P cluster accountutilizationbyuser start=2026-01-01 end=2026-12-31
		sreport -P job sizesbyaccount start=2026-01-01 end=2026-12-31
	END
}

# writer NAME HOST SECONDS: changes on that host, 12 of them or for so long; what was acknowledged
# is a line in acknowledged-NAME.
writer() {
	local n=0 until=$((SECONDS + ${3:-0})) user
	RANDOM=$1
	while ((n++ < 12 || SECONDS < until)); do
		case $((RANDOM % 4)) in
		0 | 1)
			user=w$1x$n
			change_as "$1" "$2" "user $user" sacctmgr -iQ add user "$user" account=music
			;;
		2) change_as "$1" "$2" "job $(($1 * 100000 + n))" job_on "$(($1 * 100000 + n))" ;;
		3)
			change_as "$1" "$2" nothing \
				sacctmgr -iQ modify account music set "fairshare=$n"
			;;
		esac
	done
}

job_on() {
	srecord job id="$1" user=ann account=physics cpus=16 submit=2026-03-01T10:00:00 \
		start=2026-03-01T11:00:00 end=2026-03-01T13:00:00 state=COMPLETED exit=0:0
}

# change_as WRITER HOST WHAT COMMAND...
change_as() {
	local writer=$1 host=$2 what=$3
	shift 3
	if on "$host" "$@" >"said-$writer" 2>&1; then
		echo "$what" >>"acknowledged-$writer"
	else
		sed "s/^/$what: /" "said-$writer" >>"refused-$writer"
	fi
}

# writers COUNT SECONDS: at once, on hosts a, b, c by turns
writers() {
	local i hosts=(a b c) all=()
	for ((i = 1; i <= $1; i++)); do
		writer "$i" "${hosts[i % 3]}" "${2-}" 3>&- &
		all+=($!)
	done
	wait "${all[@]}"
}

# Everything the writers were told is done is in the log's store, and all usage once.
all_there() {
	on a sacctmgr -nP show user format=user | sed 's/^/user /' >there
	on a sacct -aXnP -S2026-01-01 --format=jobidraw | sed 's/^/job /' >>there
	sort -o there there
	cat acknowledged-* | grep -v nothing | sort >acknowledged
	[[ -s acknowledged && ! $(uniq -d there) ]]
	same 'what was acknowledged and is not there' "$(comm -23 acknowledged there)" ''
	same 'refused otherwise' "$(grep -hv 'not known whether' refused-* 2>/dev/null |
		grep .)" '' || return 1
	# 16 processors for two hours
	same 'seconds of all jobs' "$(on a sreport -nP -t seconds cluster accountutilizationbyuser \
		start=2026-03-01 end=2026-03-02 users=ann accounts=physics format=used | tail -1)" \
		$(($(grep -c '^job' there) * 16 * 7200))
}
