# MariaDB servers for tests: one, or three as a Galera cluster, in one folder and on the loopback
# alone, each on an address of its own (127.0.0.1, .2, .3) with the same port. Needs no root, and
# works as root. Nothing outside the folder is touched, and no server outlives the process that
# started it, however that one ends.
#
#   sql_missing COUNT        what is not installed to start so many, as Debian's packages
#   sql_start DIR COUNT      starts 1 or 3 in DIR and waits until each answers and has all others;
#                            DIR is removed when the process that asked for it is gone. For root
#                            the servers run as somebody else, who must get as far as DIR
#   sql_take DIR             DIR is that of servers started by another process (a bats setup_file)
#   sql_down                 ends all
#   sql_hosts                their addresses, with commas between, as StorageHost= has them
#   sql_ask NODE SQL         what that server answers, fields by tabs, as its administrator
#   sql_kill NODE            kill -9
#   sql_freeze NODE          from here on it answers nobody, and its connections stay open
#   sql_thaw NODE            ... until now
#   sql_cut_off NODE         the server hears no other server, but clients: a partition
#   sql_join NODE            ... until now
#   sql_again NODE [OPTION]  starts one that was killed or ended, and waits until it is in step
#   sql_revive               ... all of those
#   sql_end NODE             in good order
#   sql_in_step NODE...      waits until these have each other and what the others have
#   until_true COMMAND...    waits until it succeeds, a minute at most; what it says is not shown
#
# NODE is 1, 2 or 3. The folder of a server is $sql_dir/NODE, its messages are $sql_dir/NODE/log.
# Sets sql_dir, sql_port and sql_count for its caller.

sql_provider() {
	local dir
	for dir in /usr/lib/galera /usr/lib64/galera-4 /usr/lib/*-linux-gnu*/galera; do
		[[ ! -e $dir/libgalera_smm.so ]] || { echo "$dir/libgalera_smm.so"; return; }
	done
	return 1
}

sql_missing() {
	local path=$PATH:/usr/sbin:/sbin
	PATH=$path command -v mariadbd mariadb-install-db >/dev/null || echo mariadb-server
	PATH=$path command -v mariadb >/dev/null || echo mariadb-client
	(($1 == 1)) || sql_provider >/dev/null || echo galera-4
	(($1 == 1)) || PATH=$path command -v rsync >/dev/null || echo rsync
}

# The programs under test may run with libraries in front of libc that fake users; these must not.
sql_plain=(env -u LD_PRELOAD "PATH=$PATH:/usr/sbin:/sbin")

# Who the servers run as. Root's run as somebody else: rsync lets no daemon of root write for root.
sql_user() {
	if (($(id -u))); then
		id -un
	else
		id -un mysql 2>/dev/null || echo nobody
	fi
}

until_true() {
	local until=$((SECONDS + ${UNTIL_TRUE:-60}))
	until "$@" >/dev/null 2>&1; do
		((SECONDS < until)) || { echo "never came true: $*" >&2; return 1; }
		sleep 0.1
	done
}

sql_hosts() {
	local node hosts=''
	for ((node = 1; node <= sql_count; node++)); do
		hosts+=,127.0.0.$node
	done
	echo "${hosts#,}"
}

# A socket's path has at most 107 bytes, which a test's folder may have by itself.
sql_ask() {
	(cd "$sql_dir/$1" &&
		"${sql_plain[@]}" timeout 60 mariadb --no-defaults -u root -S sql -N -e "$2")
}

sql_connects() {
	(exec 3<>"/dev/tcp/$1/$2") 2>/dev/null
}

# Below the ports that the system gives to clients by itself. Cluster and state transfer take the
# next ones.
sql_free_port() {
	local try port offset node
	for ((try = 0; try < 50; try++)); do
		port=$((12000 + RANDOM % 18000))
		for offset in 0 1 2 3; do
			for node in 1 2 3; do
				! sql_connects "127.0.0.$node" $((port + offset)) || continue 3
			done
		done
		echo "$port"
		return
	done
	return 1
}

# The options of a server; of a cluster's, also how it finds the others, and how soon (seconds) it
# gives up one that does not answer.
sql_options() {
	local node=$1 dir=$sql_dir/$1 host=127.0.0.$1 cluster_port=$((sql_port + 1)) all options
	cat <<-END
		[mariadbd]
		user=$(sql_user)
		tmpdir=$dir
		datadir=$dir/data
		socket=$dir/sql
		pid-file=$dir/pid
		bind-address=$host
		port=$sql_port
		skip-name-resolve
		performance-schema=OFF
		character-set-server=utf8mb4
		innodb-buffer-pool-size=32M
		innodb-log-file-size=24M
		key-buffer-size=1M
		max-connections=120
	END
	((sql_count > 1)) || return 0
	all=$(sql_hosts)
	options="gmcast.listen_addr=tcp://$host:$cluster_port
		ist.recv_addr=$host:$((sql_port + 2))
		gcache.size=32M
		gcache.dir=$dir/data
		pc.recovery=false"
	cat <<-END
		binlog-format=ROW
		default-storage-engine=InnoDB
		innodb-autoinc-lock-mode=2
		wsrep-on=ON
		wsrep-provider=$(sql_provider)
		wsrep-cluster-name=tests
		wsrep-cluster-address=gcomm://${all//,/:$cluster_port,}:$cluster_port
		wsrep-node-name=node$node
		wsrep-node-address=$host:$((sql_port + 1))
		wsrep-node-incoming-address=$host:$sql_port
		wsrep-sst-method=rsync
		wsrep-sst-receive-address=$host:$((sql_port + 3))
		wsrep-provider-options="${options//$'\n\t\t'/;}"
	END
}

# sql_run NODE OPTION...: in the background; bats waits for whoever holds its descriptor 3
sql_run() {
	local dir=$sql_dir/$1
	shift
	"${sql_plain[@]}" mariadbd --defaults-file="$dir/options" "$@" \
		>>"$dir/log" 2>&1 </dev/null 3>&- &
	echo $! >"$dir/process"
	disown
}

# Answers, or will never.
sql_answers() {
	sql_gone "$(<"$sql_dir/$1/process")" || sql_ask "$1" 'SELECT 1'
}

# sql_gone PROCESS: also one that is no child of this shell
sql_gone() {
	! kill -0 "$1" 2>/dev/null
}

sql_has() {
	[[ $(sql_ask "$1" "SHOW STATUS LIKE '$2'" | cut -f2) == "$3" ]]
}

sql_in_step() {
	local node
	for node; do
		until_true sql_answers "$node" || return 1
		if sql_gone "$(<"$sql_dir/$node/process")"; then
			tail -n 30 "$sql_dir/$node/log" >&2
			return 1
		fi
		((sql_count > 1)) || continue
		until_true sql_has "$node" wsrep_ready ON &&
			until_true sql_has "$node" wsrep_local_state_comment Synced || return 1
		if (($# == sql_count)); then
			until_true sql_has "$node" wsrep_cluster_size "$#" || return 1
		fi
	done
}

# The data of a new server. Its root, without a password, comes in by the socket alone, which is in
# a folder that nobody else may enter.
sql_new_data() {
	"${sql_plain[@]}" mariadb-install-db --no-defaults --user="$(sql_user)" \
		--tmpdir="$sql_dir/1" --datadir="$sql_dir/1/data" \
		--auth-root-authentication-method=normal --skip-test-db \
		--innodb-log-file-size=24M >"$sql_dir/1/log" 2>&1
}

sql_only_by_socket="DELETE FROM mysql.global_priv WHERE Host <> 'localhost'; FLUSH PRIVILEGES"

# Node 1 begins the cluster; the others begin with a copy of its data from the moment it was last
# ended, so that they take what came since, and not everything.
sql_start_cluster() {
	local node
	sql_run 1 --wsrep-new-cluster
	sql_in_step 1 && sql_ask 1 "$sql_only_by_socket" && sql_end 1 || return 1
	for ((node = 2; node <= sql_count; node++)); do
		cp -a "$sql_dir/1/data" "$sql_dir/$node/data" || return 1
		rm -f "$sql_dir/$node/data/gvwstate.dat" "$sql_dir/$node/data/galera.cache"
	done
	sql_run 1 --wsrep-new-cluster
	sql_in_step 1 || return 1
	for ((node = 2; node <= sql_count; node++)); do
		sql_run "$node"
		sql_in_step "$node" || return 1
	done
	sql_in_step $(seq "$sql_count")
}

# What ends the servers and removes the folder when who started them is gone.
sql_keeper() {
	"${sql_plain[@]}" setsid bash -c '
		tail -f --pid="$1" /dev/null
		for file in "$2"/?/process; do
			kill -CONT "$(<"$file")"; kill -9 "$(<"$file")"
		done
		rm -rf "$2"' keeper "$$" "$sql_dir" >/dev/null 2>&1 </dev/null 3>&- &
	echo $! >"$sql_dir/keeper"
	disown
}

sql_start() {
	local node
	sql_dir=$1 sql_count=$2
	mkdir -p "$sql_dir" && chmod 700 "$sql_dir" && sql_port=$(sql_free_port) || return 1
	echo "sql_count=$sql_count sql_port=$sql_port" >"$sql_dir/servers"
	for ((node = 1; node <= sql_count; node++)); do
		mkdir "$sql_dir/$node" && sql_options "$node" >"$sql_dir/$node/options" || return 1
	done
	(($(id -u))) || chown -R "$(sql_user)" "$sql_dir" || return 1
	sql_keeper
	sql_new_data || { tail -20 "$sql_dir/1/log" >&2; return 1; }
	if ((sql_count == 1)); then
		sql_run 1
		sql_in_step 1 && sql_ask 1 "$sql_only_by_socket" && return 0
	else
		sql_start_cluster && return 0
	fi
	tail -n 20 "$sql_dir"/?/log >&2
	return 1
}

sql_take() {
	sql_dir=$1
	. "$sql_dir/servers"
}

# sql_send SIGNAL NODE: and with a signal that ends it, waits until it is gone
sql_send() {
	local process
	process=$(<"$sql_dir/$2/process") || return 1
	kill "-$1" "$process" 2>/dev/null || return 0
	case $1 in
	KILL | TERM) until_true sql_gone "$process" ;;
	esac
}

sql_kill() { sql_send KILL "$1"; }
sql_end() { sql_send TERM "$1"; }
sql_freeze() { sql_send STOP "$1"; }
sql_thaw() { sql_send CONT "$1"; }

sql_cut_off() {
	sql_ask "$1" "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'"
	until_true sql_has "$1" wsrep_cluster_status non-Primary
}

sql_join() {
	sql_ask "$1" "SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'"
}

# Where a server stands in what the cluster did; one that was killed finds out.
sql_position() {
	((sql_count > 1)) || return 0
	"${sql_plain[@]}" mariadbd --defaults-file="$sql_dir/$1/options" --wsrep-recover \
		2>&1 </dev/null 3>&- | sed -n 's/.*Recovered position: *//p' | tail -1
}

# The others may still take it for one that comes back by itself, and then let no new one in.
sql_again() {
	local node=$1 position try
	shift
	for try in 1 2 3; do
		position=$(sql_position "$node")
		sql_run "$node" ${position:+--wsrep-start-position="$position"} "$@"
		! sql_in_step "$node" 2>"$sql_dir/$node/why" || return 0
	done
	cat "$sql_dir/$node/why" >&2
	return 1
}

sql_revive() {
	local node
	for ((node = 1; node <= sql_count; node++)); do
		! sql_gone "$(<"$sql_dir/$node/process")" || sql_again "$node" || return 1
	done
}

sql_down() {
	local node
	for ((node = 1; node <= sql_count; node++)); do
		[[ ! -e $sql_dir/$node/process ]] || { sql_thaw "$node"; sql_kill "$node"; }
	done
	kill -- "-$(<"$sql_dir/keeper")" 2>/dev/null || true
	rm -rf "$sql_dir"
}
