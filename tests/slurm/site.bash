# A real Slurm for tests: MariaDB, munge, slurmdbd, slurmctld and slurmd of Debian's packages, in
# one folder and on the loopback alone. Needs root: jobs of several users run.
#
#   site_missing        the programs that are not installed, one a line
#   site_start DIR      starts all in DIR and waits until the node is idle
#   site_stop DIR       ends all of them
#   slurm PROGRAM...    Slurm's own program, whatever else is on PATH; SLURM_BIN=/usr/bin
#   database SQL        what MariaDB says, as its root
#
# Sets site (DIR) and site_port (that of MariaDB; the next three are Slurm's) for its caller.

site_programs=(mariadbd mariadb-install-db mariadb munged slurmdbd slurmctld slurmd sacctmgr
	sbatch)

slurm_bin=${SLURM_BIN:-/usr/bin}

site_missing() {
	local program
	for program in "${site_programs[@]}"; do
		PATH=$slurm_bin:/usr/sbin:/usr/bin:/sbin:/bin command -v "$program" >/dev/null ||
			echo "$program"
	done
	! grep -q bursar "$slurm_bin/sacctmgr" || echo "Slurm's sacctmgr in $slurm_bin"
}

slurm() {
	local program=$1
	shift
	SLURM_CONF=$site/slurm.conf timeout 60 "$slurm_bin/$program" "$@"
}

database() {
	mariadb --no-defaults -S "$site/run/sql" -N -e "$1" slurm_acct_db
}

# until_true SECONDS COMMAND...: asks five times a second.
until_true() {
	local tries=$(($1 * 5))
	shift
	until "$@" >/dev/null 2>&1; do
		((tries-- > 0)) || { echo "never came true: $*" >&2; return 1; }
		sleep 0.2
	done
}

# Four ports in a row that nobody listens on.
free_ports() {
	local try port offset
	for ((try = 0; try < 50; try++)); do
		port=$((20000 + RANDOM % 20000))
		for offset in 0 1 2 3; do
			! (exec 3<>"/dev/tcp/127.0.0.1/$((port + offset))") 2>/dev/null ||
				continue 2
		done
		echo "$port"
		return
	done
	return 1
}

write_confs() {
	local host
	host=$(hostname -s)
	cat >"$site/slurmdbd.conf" <<-END
		AuthType=auth/munge
		AuthInfo=socket=$site/run/munge
		DbdHost=localhost
		DbdPort=$((site_port + 1))
		SlurmUser=root
		LogFile=$site/log/slurmdbd
		PidFile=$site/run/slurmdbd.pid
		StorageType=accounting_storage/mysql
		StorageHost=127.0.0.1
		StoragePort=$site_port
		StorageUser=slurm
		StoragePass=written-by-slurmdbd
		StorageLoc=slurm_acct_db
	END
	chmod 600 "$site/slurmdbd.conf"
	cat >"$site/slurm.conf" <<-END
		ClusterName=rook
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$((site_port + 2))
		SlurmdPort=$((site_port + 3))
		AuthType=auth/munge
		AuthInfo=socket=$site/run/munge
		SlurmUser=root
		StateSaveLocation=$site/state
		SlurmdSpoolDir=$site/spool
		SlurmctldPidFile=$site/run/slurmctld.pid
		SlurmdPidFile=$site/run/slurmd.pid
		SlurmctldLogFile=$site/log/slurmctld
		SlurmdLogFile=$site/log/slurmd
		SlurmdParameters=config_overrides
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/linux
		JobAcctGatherFrequency=task=1
		MpiDefault=none
		MinJobAge=3600
		ReturnToService=2
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=localhost
		AccountingStoragePort=$((site_port + 1))
		AccountingStoragePass=$site/run/munge
		AccountingStorageEnforce=associations,limits,qos
		PriorityType=priority/multifactor
		PriorityWeightFairshare=10000
		PriorityWeightAge=1000
		PriorityDecayHalfLife=7-0
		PriorityCalcPeriod=1
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		GresTypes=gpu
		AccountingStorageTRES=gres/gpu
		NodeName=$host NodeAddr=127.0.0.1 CPUs=8 Gres=gpu:4 State=UNKNOWN
		PartitionName=batch Nodes=ALL Default=YES MaxTime=1-0
	END
	# Files stand in for devices: nothing opens them.
	touch "$site"/gpu{0..3}
	echo "Name=gpu File=$site/gpu[0-3]" >"$site/gres.conf"
}

start_database() {
	mariadb-install-db --no-defaults --user=root --datadir="$site/db" \
		--auth-root-authentication-method=normal >"$site/log/install" 2>&1 || return 1
	mariadbd --no-defaults --user=root --datadir="$site/db" --socket="$site/run/sql" \
		--port="$site_port" --bind-address=127.0.0.1 --pid-file="$site/run/mariadbd.pid" \
		--innodb-lock-wait-timeout=900 >"$site/log/mariadbd" 2>&1 </dev/null 3>&- &
	until_true 600 mariadb --no-defaults -S "$site/run/sql" -e 'SELECT 1' || return 1
	mariadb --no-defaults -S "$site/run/sql" -e "
		CREATE DATABASE slurm_acct_db; CREATE DATABASE other;
		CREATE USER slurm@'127.0.0.1' IDENTIFIED BY 'written-by-slurmdbd';
		GRANT ALL ON slurm_acct_db.* TO slurm@'127.0.0.1';
		CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'only-looks';
		GRANT SELECT ON slurm_acct_db.* TO reader@'127.0.0.1';
		GRANT SELECT ON other.* TO reader@'127.0.0.1';
		CREATE USER nobody@'127.0.0.1' IDENTIFIED BY 'no-rights'"
}

start_munge() {
	head -c 128 /dev/urandom >"$site/munge.key"
	chmod 600 "$site/munge.key"
	munged --key-file="$site/munge.key" --socket="$site/run/munge" --force \
		--pid-file="$site/run/munged.pid" --log-file="$site/log/munged" \
		--seed-file="$site/run/seed" >"$site/log/munged.out" 2>&1 </dev/null 3>&-
}

# daemon NAME: Slurm's, which goes to the background by itself.
daemon() {
	SLURM_CONF=$site/slurm.conf "/usr/sbin/$1" >"$site/log/$1.out" 2>&1 </dev/null 3>&-
}

node_is_idle() {
	slurm sinfo -h -o %T | grep -q idle
}

site_start() {
	site=$1
	mkdir -p "$site"/{db,run,log,state,spool} || return 1
	chmod 755 "$site"
	site_port=$(free_ports) || return 1
	write_confs && start_database && start_munge && daemon slurmdbd || return 1
	until_true 600 slurm sacctmgr -n show cluster || return 1
	slurm sacctmgr -i add cluster rook >"$site/log/cluster" || return 1
	daemon slurmctld && daemon slurmd && until_true 600 node_is_idle
}

site_stop() {
	local name pid
	for name in slurmd slurmctld slurmdbd munged mariadbd; do
		pid=$(cat "$1/run/$name.pid" 2>/dev/null) || continue
		kill "$pid" 2>/dev/null
		until_true 20 eval "! kill -0 $pid" || kill -9 "$pid"
	done
}
