# Hosts of one site, each with a replica of its own, over the servers of servers.bash. The hosts are
# folders of one cluster (tests/replay/cluster.bash): etc and store are host a, etc-b and store-b
# host b, and so on. They have slurm.conf in common, and slurmdbd.conf but for its ReplicaDir.
#
#   hosts_make DIR HOST...   a new, empty database and the hosts in the cluster of DIR
#   hosts_env DIR            programs on PATH are on host a and host b by turns from here on
#   on HOST COMMAND...       runs it there
#   host_conf HOST           where its slurmdbd.conf is
#   replica HOST             where its replica is
#   replica_ask HOST SQL...  what it says, fields by |
#   replica_dump HOST        all that replicas have in common, as text, in an order of its own
#   catch_up HOST            takes in what is new
#   agree HOST...            takes in what is new there; all replicas are the same
#   conf_add LINE...         lines of slurmdbd.conf of every host in place of those before
#
# Needs sql_dir (servers.bash); sets hosts_dir and database.

. "${BASH_SOURCE[0]%/*}/servers.bash"
hosts_here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
hosts_user=bursar_site
hosts_password='Rather-Secret-7'

host_folder() {
	case $1 in
	a) echo "$hosts_dir/$2" ;;
	*) echo "$hosts_dir/$2-$1" ;;
	esac
}

host_conf() {
	echo "$(host_folder "$1" etc)/slurmdbd.conf"
}

replica() {
	echo "$(host_folder "$1" store)/replica.db"
}

on() {
	local host=$1
	shift
	SLURM_CONF=$(host_folder "$host" etc)/slurm.conf "$@"
}

hosts_make() {
	local host
	hosts_dir=$1
	shift
	database=t$$_$RANDOM
	sql_ask 1 "CREATE DATABASE $database;
		CREATE USER IF NOT EXISTS $hosts_user@'127.0.0.%' IDENTIFIED BY '$hosts_password';
		GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON $database.*
		TO $hosts_user@'127.0.0.%'" || return 1
	for host; do
		[[ $host == a ]] || rm -rf "$hosts_dir"/{etc,store}-"$host"
		mkdir -p "$(host_folder "$host" etc)" "$(host_folder "$host" store)" || return 1
		[[ $host == a ]] || ln -s ../etc/slurm.conf "$(host_folder "$host" etc)/slurm.conf"
		rm -f "$(host_folder "$host" store)"/replica.db*
		(umask 077 && cat >"$(host_conf "$host")") <<-END
			StorageType=accounting_storage/bursar-log
			StorageHost=$(sql_hosts)
			StoragePort=$sql_port
			StorageUser=$hosts_user
			StoragePass=$hosts_password
			StorageLoc=$database
			ReplicaDir=$(host_folder "$host" store)
		END
		chmod 600 "$(host_conf "$host")"
	done
	echo "$database" >"$hosts_dir/database"
}

conf_add() {
	local file line name
	for file in "$hosts_dir"/etc*/slurmdbd.conf; do
		for line; do
			name=${line%%=*}
			sed -i "/^$name=/d" "$file"
			echo "$line" >>"$file"
		done
	done
}

hosts_env() {
	local program
	hosts_dir=$1
	mkdir -p "$hosts_dir/turns"
	for program in $(ls "$SLURM_BIN"); do # patterns mean nothing in tests/replay/case
		ln -sf "$hosts_here/turn" "$hosts_dir/turns/$program"
	done
	export TURNS_BIN=$SLURM_BIN TURNS_DIR=$hosts_dir SLURM_BIN=$hosts_dir/turns
	export PATH="$SLURM_BIN:$PATH"
}

replica_ask() {
	local host=$1
	shift
	LD_PRELOAD='' sqlite3 -readonly "$(replica "$host")" "$@"
}

# Roll-ups are each replica's own. Rows that are in one order here may be in another there.
replica_dump() {
	local tables=()
	mapfile -t tables < <(replica_ask "$1" "SELECT name FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'replica%' AND name NOT LIKE 'rollup%'
		AND name NOT LIKE 'sqlite%'")
	replica_ask "$1" 'PRAGMA user_version' 'SELECT site, position, checksum FROM replica' \
		"${tables[@]/#/.dump }" | LC_ALL=C sort
}

# All of it, where a program that reads leaves some to the next.
catch_up() {
	local said
	while said=$(on "$1" "${TURNS_BIN:-$SLURM_BIN}/sacctmgr" -n show cluster \
		2>&1 >/dev/null); do
		[[ $said == *'still to be taken in'* ]] ||
			{ echo -n "$said" >&2; return; }
	done
	echo "$said" >&2
	return 1
}

# What a replica keeps of its rows (db/shared/state.c), where it is known, is what the others keep.
same_sum() {
	local is
	is=$(replica_ask "$1" "SELECT sum FROM replica_state JOIN replica USING (site, position)
		WHERE sum NOT NULL" 2>/dev/null)
	[[ ! $is || $is == "${sum:=$is}" ]] ||
		{ echo "rows of $1 come to $is, not $sum"; return 1; }
}

agree() {
	local host first=$1 sum=''
	for host; do
		catch_up "$host" && replica_dump "$host" >"$hosts_dir/dump-$host" || return 1
		diff -U0 --label "replica $first" --label "replica $host" \
			"$hosts_dir/dump-$first" "$hosts_dir/dump-$host" | head -40
		[[ ${PIPESTATUS[0]} == 0 ]] || return 1
		[[ $(replica_ask "$host" 'PRAGMA integrity_check') == ok ]] || return 1
		same_sum "$host" || return 1
	done
	(($(wc -l <"$hosts_dir/dump-$first") > 20))
}
