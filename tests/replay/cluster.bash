# A cluster of its own for one test: a folder with slurm.conf, slurmdbd.conf, an empty store, and
# users who exist only there. Sourced by tests/replay/case and tests/bats/lib.bash; changes nothing
# outside the folder and needs no root.
#
# Users are faked: libnss_wrapper answers getpwnam() and getgrnam() from two files, libuid_wrapper
# makes every program believe it is root, or whoever the `runuser` of tests/replay/shim names.
#
# With SQL_DIR in the environment, the folder of servers of tests/mariadb, there is no store but a
# log in an empty database of those, two hosts have a replica each, and every second program that a
# test starts runs on the other one.
[[ ! ${SQL_DIR-} ]] || . "${BASH_SOURCE[0]%/*}/../mariadb/hosts.bash"

# The slurm.conf of the recordings. A later line of the same name replaces one of these.
cluster_conf='ClusterName=canis
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations,limits,qos
JobAcctGatherType=jobacct_gather/linux
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
PriorityType=priority/multifactor
GresTypes=gpu
Licenses=iop1:10,licA:20
AccountingStorageTRES=gres/gpu,license/iop1,license/licA
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=NONE
PriorityCalcPeriod=1
PriorityMaxAge=7-0
PriorityWeightAge=0
PriorityWeightAssoc=500
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PriorityWeightTRES=CPU=1000,Mem=2000,GRES/gpu=3000'
cluster_node='NodeName=vm CPUs=64 RealMemory=256000 Gres=gpu:4'
cluster_debug='PartitionName=debug Nodes=vm Default=YES MaxTime=INFINITE State=UP '
cluster_debug+='PriorityJobFactor=10'
cluster_gpu='PartitionName=gpu Nodes=vm MaxTime=1-0 State=UP PriorityJobFactor=50 '
cluster_gpu+='TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/licA=1.5"'

# cluster_slurm_conf LINE...: prints a slurm.conf with these lines over the defaults. Any
# PartitionName line replaces both partitions.
cluster_slurm_conf() {
	local line name text='' more='' partitions=''
	local -A given=()
	for line; do
		name=${line%%=*}
		name=${name,,}
		if [[ $name == partitionname ]]; then
			partitions+=$line$'\n'
		else
			given[$name]=1
			more+=$line$'\n'
		fi
	done
	while IFS= read -r line; do
		name=${line%%=*}
		[[ -v given[${name,,}] ]] || text+=$line$'\n'
	done <<<"$cluster_conf"
	printf '%s%s%s\n%s' "$text" "$more" "$cluster_node" \
		"${partitions:-$cluster_debug$'\n'$cluster_gpu$'\n'}"
}

# cluster_users DIR NAME...: the users of the cluster in DIR, from uid 1001 on, and root. None is
# the one who runs the tests: who owns the store's file is an administrator.
cluster_users() {
	local dir=$1 uid=1000 name passwd group
	shift
	passwd="root:x:0:0:root:$dir:/bin/bash"$'\n'
	group="root:x:0:"$'\n'
	for name; do
		uid=$((uid + 1))
		((uid != UID)) || uid=$((uid + 1))
		passwd+="$name:x:$uid:$uid::$dir:/bin/bash"$'\n'
		group+="$name:x:$uid:"$'\n'
	done
	printf '%s' "$passwd" >"$dir/etc/passwd"
	printf '%s' "$group" >"$dir/etc/group"
}

# cluster_make DIR [LINE...]: etc, run and store below DIR; LINE... as for cluster_slurm_conf.
cluster_make() {
	local dir=$1
	shift
	mkdir "$dir/etc" "$dir/run" "$dir/store"
	cluster_slurm_conf "$@" >"$dir/etc/slurm.conf"
	printf 'StorageType=accounting_storage/sqlite\nStorageLoc=%s\n' \
		"$dir/store/acct.db" >"$dir/etc/slurmdbd.conf"
	cluster_users "$dir"
	[[ ! ${SQL_DIR-} ]] || { sql_take "$SQL_DIR" && hosts_make "$dir" ${HOSTS:-a b}; }
}

# cluster_env DIR BIN SHIM: exports what a command needs to work in that cluster, once it is made.
# ASan objects to libraries loaded before its own, and to their way of loading libc, unless told.
# Whose shell names a store of its own keeps it as it is.
cluster_env() {
	unset BURSAR_STORE
	export PATH="$2:$3:/usr/sbin:/usr/bin:/sbin:/bin" HOME="$1" USER=root LC_ALL=C TZ=UTC
	export SLURM_BIN="$2" SLURM_CONF="$1/etc/slurm.conf"
	export NSS_WRAPPER_PASSWD="$1/etc/passwd" NSS_WRAPPER_GROUP="$1/etc/group"
	export ASAN_OPTIONS="verify_asan_link_order=0:${ASAN_OPTIONS-}"
	LSAN_OPTIONS=print_suppressions=0:suppressions=$(realpath "${BASH_SOURCE[0]%/*}/leaks")
	export LSAN_OPTIONS
	export UID_WRAPPER_DISABLE_DEEPBIND=1 NSS_WRAPPER_DISABLE_DEEPBIND=1
	export LD_PRELOAD=libuid_wrapper.so:libnss_wrapper.so UID_WRAPPER=1 UID_WRAPPER_ROOT=1
	[[ ! ${SQL_DIR-} ]] || hosts_env "$1"
}

# cluster_store: makes the store of the cluster, with nothing in it but what every new one holds.
# No listing makes one; this add changes nothing.
cluster_store() {
	[[ ! -x $SLURM_BIN/sacctmgr ]] || sacctmgr -iQ add account root >/dev/null 2>&1 || true
}
