# The store: made, refused, read by those who may not write it.

setup() {
	load lib
	fresh_cluster
}

# Under another uid that the kernel believes in; only root can do that.
really_as() {
	env -u LD_PRELOAD setpriv --reuid "$1" --clear-groups "./$2" "${@:3}"
}

need_root() {
	[[ $(env -u LD_PRELOAD id -u) == 0 ]] ||
		skip "needs root: another uid that the kernel believes in"
}

# A folder that other users can reach, with the programs in it and a store to be.
shared_store() {
	BURSAR_STORE=$(mktemp -d "${TMPDIR:-/tmp}/store.XXXXXX")/acct.db
	cp "$SLURM_CONF" "$(command -v sacctmgr)" "$(command -v sshare)" "${BURSAR_STORE%/*}"
	export BURSAR_STORE SLURM_CONF=${BURSAR_STORE%/*}/slurm.conf
	chmod 755 "${BURSAR_STORE%/*}"
}

teardown() {
	[[ ${BURSAR_STORE:-} == */store.*/acct.db ]] && rm -rf "${BURSAR_STORE%/*}"
	[[ ${folder-} ]] && rm -rf "$folder"
	true
}

@test "the first add makes it: cluster, root, QOS normal, TRES" {
	rm "$(store)"
	sacctmgr -iQ add qos normal >/dev/null || true
	prints 'canis|root|
canis|root|root' sacctmgr -nP show assoc format=cluster,account,user
	prints 'normal|1' sacctmgr -nP show qos format=name,id
	[[ $(sacctmgr -nP show tres | wc -l) == 13 ]]
}

# no_store FOUND: nobody who only looks makes a store, or takes a missing one for an empty one.
no_store() {
	local path=${BURSAR_STORE:-$(store)}
	for command in 'sacctmgr show qos' 'sacctmgr show txn' 'sacctmgr dump canis' sshare sprio \
		squeue sacct 'seff 1' 'sreport cluster utilization' splan 'ssim --policy=fcfs' \
		'sacctmgr -i modify qos normal set priority=1' 'sacctmgr -i delete account lab' \
		'sacctmgr rebuild usage' 'splan --record' 'sacctmgr -i archive dump'; do
		refuses "there is no store at $path ($1); 'sacctmgr add account ...' or" $command
		[[ ! -s $path ]]
	done
	for command in 'sacctmgr help' 'sacctmgr help account' 'sacctmgr --help' 'sacctmgr -V' \
		'sacctmgr version' 'sacctmgr --helpformat' 'sshare --help' 'squeue --version' \
		'srecord --help' 'sacct --helpformat' 'sacctmgr --complete -- show a'; do
		capture $command
		same "status of $command" "$status" 0
		same "messages of $command" "$stderr" ''
		[[ ! -s $path ]]
	done
	capture sacctmgr ping
	[[ $status == 1 && $stdout == *DOWN && ! -e $path ]]
	printf 'show qos\nhelp\nversion\n' | sacctmgr >said 2>&1 || true
	[[ $(<said) == *"there is no store at"* && $(<said) == *"slurm 26.05"* && ! -e $path ]]
}

@test "begun without a ClusterName: said once, and how its cluster gets another name" {
	local conf=$SLURM_CONF hint mends program
	rm "$(store)"
	cp "$SLURM_CONF" named.conf
	sed -i '/^ClusterName/d' "$conf"
	capture sacctmgr -iQ add account lab
	mends="'sacctmgr modify cluster cluster set newname"
	[[ $stderr == *" begins with a cluster 'cluster': "*"$mends=NAME'"* ]]
	capture sacctmgr -iQ add account law
	same 'messages of the next' "$stderr" ''
	sacctmgr -iQ add user root account=lab >/dev/null
	srecord job id=7 user=root account=lab cpus=2 submit=2026-11-01 start=2026-11-01 \
		end=2026-11-01T05:00:00
	sshare -PhaA lab -o user,rawusage >usage
	grep -q 'root|[1-9]' usage

	cp named.conf "$conf"
	hint="knows only cluster 'cluster', slurm.conf has ClusterName=canis: $mends=canis'"
	for program in 'sacctmgr show user' 'srecord job user=root account=lab' sshare sprio \
		squeue sacct 'sreport cluster util' 'seff 7' splan sinfo 'scontrol show job' ssim \
		spage; do
		capture $program
		[[ $stderr == *"$hint"* ]] || same "messages of $program" "$stderr" "$hint"
	done
	refuses 'NewName must be one name: "a,b"' sacctmgr -i modify cluster cluster set newname=a,b
	sacctmgr -i modify cluster cluster set newname=canis >/dev/null 2>&1
	prints canis sacctmgr -nP show cluster format=cluster
	prints "$(<usage)" sshare -PhaA lab -o user,rawusage
	prints '7|lab|COMPLETED' sacct -XnPj 7 -o jobid,account,state
	prints 'canis|lab' sacctmgr -nP show assoc account=lab user=root format=cluster,account

	# Before it had that name.
	[[ $(sshare -PhaA lab --at=now-1minute -o user,rawshares) == *'root|1' ]]
	capture sacctmgr -iQ undo
	capture sacctmgr -nP show cluster format=cluster
	same 'the name before' "$stdout" cluster
}

@test "a cluster's new name: of one alone, and none that there is or was" {
	local_users adam
	sacctmgr -iQ add cluster felis,lynx >/dev/null
	refuses 'There is a cluster felis already' \
		sacctmgr -iQ modify cluster lynx set newname=felis
	refuses 'NewName is for one cluster' \
		sacctmgr -iQ modify cluster where name=felis,lynx set newname=leo
	run ! as adam sacctmgr -iQ modify cluster lynx set newname=leo
	prints $'canis\nfelis\nlynx' sacctmgr -nP show cluster format=cluster
	sacctmgr -iQ modify cluster lynx set newname=Leo
	prints $'canis\nfelis\nleo' sacctmgr -nP show cluster format=cluster
	sed -i '/^ClusterName/d' "$SLURM_CONF"
	sacctmgr -iQ delete cluster felis,leo >/dev/null 2>&1
	capture sacctmgr -nP show cluster format=cluster
	[[ $stderr == *"'canis', slurm.conf has no ClusterName: write ClusterName=canis"* ]]
}

@test "looking makes none: where slurmdbd.conf names the place, a new site is shown" {
	rm "$(store)"
	prints 'normal|1' sacctmgr -nP show qos format=name,id
	prints 'root|root' sshare -anPU -o account,user
	for command in sprio 'squeue -h' 'sacct -n' splan; do
		capture $command
		same "status of $command" "$status" 0
		[[ ! -e $(store) ]]
	done
	for command in 'sacctmgr -i modify qos normal set priority=1' \
		'sacctmgr -i delete account lab' 'splan --record'; do
		refuses 'there is no store at' $command
		[[ ! -e $(store) ]]
	done
	sacctmgr -iQ add account lab >/dev/null
	prints lab sacctmgr -nP show account lab format=account
}

@test "looking makes none, and says where it looked: slurmdbd.conf" {
	sed -i "s,^StorageLoc=.*,StorageLoc=$PWD/nosuch/acct.db," "${SLURM_CONF%/*}/slurmdbd.conf"
	refuses "there is no store at $PWD/nosuch/acct.db (StorageLoc in slurmdbd.conf)" \
		sacctmgr show qos
	[[ ! -e nosuch ]]
}

@test "looking makes none, and says where it looked: BURSAR_STORE" {
	export BURSAR_STORE=$PWD/typo.db
	no_store BURSAR_STORE
	prints 1 srecord job user=root account=root
	prints 1 sacct -anXP -o jobid
}

@test "looking makes none, and says where it looked: the default" {
	rm "$(store)"
	: >"${SLURM_CONF%/*}/slurmdbd.conf"
	local_users amy
	export XDG_DATA_HOME=$PWD/data
	refuses "there is no store at $PWD/data/bursar/acct.db (the default)" \
		as amy sacctmgr show qos
	[[ ! -e data ]]
}

@test "an empty file is no store" {
	: >empty.db
	BURSAR_STORE=$PWD/empty.db refuses 'there is no store' sshare
	[[ ! -s empty.db ]]
	BURSAR_STORE=$PWD/empty.db sacctmgr -iQ add account lab >/dev/null
	BURSAR_STORE=$PWD/empty.db prints lab sacctmgr -nP show account lab format=account
}

@test "tables are strict, foreign keys hold, strings in double quotes are no values" {
	sacctmgr -nP show qos >/dev/null
	[[ $(ask "SELECT count(*) FROM sqlite_schema WHERE type = 'table'
		AND sql NOT LIKE '%STRICT%' AND name NOT LIKE 'sqlite_%'") == 0 ]]
	[[ -z $(ask 'PRAGMA foreign_key_check') ]]
	[[ $(ask 'PRAGMA integrity_check') == ok ]]
}

@test "TRES added to slurm.conf later are listed at once, and stored by who changes something" {
	sacctmgr -nP show tres >/dev/null
	sed -i 's|^AccountingStorageTRES=.*|&,license/matlab|' "$SLURM_CONF"
	prints 'license|matlab|1006' sacctmgr -nP show tres name=matlab
	sshare -a >/dev/null
	[[ -z $(ask "SELECT id FROM tres WHERE name = 'matlab'") ]]
	sacctmgr -i --dry-run add account dry grptres=license/matlab=2 >/dev/null
	[[ -z $(ask "SELECT id FROM tres WHERE name = 'matlab'") ]]
	sacctmgr -iQ add account lab grptres=license/matlab=2 >/dev/null
	[[ $(ask "SELECT id FROM tres WHERE name = 'matlab'") == 1006 ]]
	prints 'license/matlab=2' sacctmgr -nP show assoc account=lab format=grptres
}

# The file's bytes and time, what is in it, and what SQLite keeps beside it.
content_of_store() {
	sha256sum "$(store)"
	stat -c %y "$(store)"
	ask .dump | sha256sum
}

@test "no listing of any program writes anything" {
	local line before
	# sreport rolls up an hour that is over: none ends meanwhile.
	export BURSAR_STORE=$(store) BURSAR_NOW=$(date +%s)
	local_users amy
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user amy account=lab >/dev/null
	srecord job user=amy account=lab submit=now-3days start=now-2days end=now-1day >/dev/null
	srecord job user=amy account=lab cpus=2 start=now-1hour >/dev/null
	srecord job user=amy account=lab cpus=4 >/dev/null
	# What the next change will add.
	sed -i 's|^AccountingStorageTRES=.*|&,license/matlab|' "$SLURM_CONF"
	ask 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	before=$(content_of_store)
	while read -r line; do
		eval "$line" >out 2>err </dev/null || [[ $? == 2 ]] || { cat err; return 1; }
		same "the store after $line" "$(content_of_store)" "$before"
	done <<-'END'
		sacctmgr show account withassoc withcoord
		sacctmgr show assoc witheffective
		sacctmgr show assoc withblame
		sacctmgr show cluster
		sacctmgr show config
		sacctmgr show event
		sacctmgr show federation
		sacctmgr show problem
		sacctmgr show qos
		sacctmgr show reservation
		sacctmgr show resource withclusters
		sacctmgr show runaway
		sacctmgr show stats
		sacctmgr show transactions
		sacctmgr show tres
		sacctmgr show user withassoc
		sacctmgr show wckey
		sacctmgr check
		sacctmgr dump canis file=dump.cfg
		sacctmgr -Q dump canis format=yaml
		sacctmgr diff canis.yaml
		sacctmgr backup backup.db
		sacctmgr -i --dry-run add account dry
		sshare -al
		sshare --history
		sshare --forecast
		sshare --what-if='modify account lab set fairshare=9'
		sprio -l
		sprio --explain=3
		sacct -a -S now-7days
		sreport cluster utilization start=now-7days
		sreport cluster accountutilizationbyuser start=now-7days
		sreport user top start=now-7days
		seff 1
		squeue
		squeue --start
		squeue --what-if='modify account lab set maxjobs=1'
		sinfo
		sinfo -T
		scontrol show job
		scontrol show node
		scontrol show partition
		scontrol show config
		mkdir pages; spage --dir=pages
		splan
		splan --advise
		splan --when='cpus=2 account=lab user=amy'
		srecord --dry-run job user=amy account=lab
	END
}

@test "TRES of slurm.conf that Slurm does not have are refused by every program" {
	local name
	sacctmgr -nP show tres >/dev/null
	for name in gres license bb fs ic gres/; do
		sed -i "s|^AccountingStorageTRES=.*|AccountingStorageTRES=$name|" "$SLURM_CONF"
		refuses "AccountingStorageTRES: '$name' needs a name (such as ${name%/}/NAME)" \
			sacctmgr show tres
	done
	for name in gres/gpu=4 gres/gpu: license/x=; do
		sed -i "s|^AccountingStorageTRES=.*|AccountingStorageTRES=$name|" "$SLURM_CONF"
		refuses "AccountingStorageTRES: '$name' is not the name of a TRES" \
			sacctmgr -i add account lab
	done
	sed -i 's|^AccountingStorageTRES=.*|AccountingStorageTRES=cpu/fast|' "$SLURM_CONF"
	refuses "'cpu/fast' must have no name: cpu" sacctmgr show tres
	sed -i 's|^AccountingStorageTRES=.*|AccountingStorageTRES=grse/gpu|' "$SLURM_CONF"
	refuses "no TRES known by type grse/gpu; did you mean gres?" sacctmgr -i add account lab
	refuses "no TRES known by type grse/gpu" srecord job user=root account=root
	sed -i 's|^AccountingStorageTRES=.*|AccountingStorageTRES=gpu|' "$SLURM_CONF"
	refuses "no TRES known by type gpu; did you mean gres/gpu?" sacctmgr show tres
	sed -i 's|^AccountingStorageTRES=.*|AccountingStorageTRES=gres/gpu|' "$SLURM_CONF"
	[[ $(ask 'SELECT count(*) FROM tres') == 13 ]]
}

@test "a file that is no database is refused and stays as it is" {
	echo 'these are not the rows' >junk
	BURSAR_STORE=$PWD/junk refuses 'junk is not a Bursar store' sacctmgr show qos
	[[ $(<junk) == 'these are not the rows' ]]
}

@test "names that mean something to SQLite are files, a store that cannot be opened says why" {
	for name in :memory: file:x file:y?mode=memory; do
		BURSAR_STORE=$name sacctmgr -iQ add account kept >/dev/null
		[[ -s $name ]]
		BURSAR_STORE=$name prints 'kept' sacctmgr -nP show account kept format=account
	done
	BURSAR_STORE=nosuch/a.db refuses 'nosuch/a.db cannot be opened: No such file or dir' \
		sacctmgr -i add account lab
	BURSAR_STORE=$PWD refuses 'cannot be opened: Is a directory' sacctmgr show qos
}

@test "a database of another program is refused" {
	sqlite3 other.db 'CREATE TABLE t (a)'
	BURSAR_STORE=$PWD/other.db refuses 'other.db is a database of another program' \
		sacctmgr show qos
	[[ $(sqlite3 other.db 'SELECT count(*) FROM sqlite_schema') == 1 ]]
}

@test "a store of a newer version is refused" {
	sacctmgr -nP show qos >/dev/null
	ask 'PRAGMA user_version = 99'
	refuses 'was written by a newer Bursar' sacctmgr show qos
	refuses 'was written by a newer Bursar' sshare -a
}

@test "a folder that is not there: the path is named, nothing is made" {
	BURSAR_STORE=$PWD/no/such/a.db refuses "$PWD/no/such/a.db" sacctmgr show qos
	BURSAR_STORE=$PWD/no/such/a.db refuses "$PWD/no/such/a.db" sacctmgr -i add account lab
	[[ ! -e no ]]
}

@test "an unreadable or missing slurm.conf is named" {
	SLURM_CONF=$PWD/nosuch.conf refuses "$PWD/nosuch.conf" sacctmgr show qos
	SLURM_CONF=$PWD/nosuch.conf refuses "$PWD/nosuch.conf" sshare
}

# closed FILE: no program passes over it, or makes a store elsewhere. Root may read everything: it
# becomes another user.
closed() {
	local command become=''
	[[ $(env -u LD_PRELOAD id -u) != 0 ]] ||
		become='env -u LD_PRELOAD setpriv --reuid 12345 --clear-groups'
	chmod 0 "$1"
	for command in sacct 'sacctmgr show qos' 'sacctmgr show configuration' \
		'sacctmgr ping' 'sacctmgr check' 'sacctmgr -i add account lab' \
		'scontrol show config' 'seff 1' sinfo 'spage -' splan sprio squeue \
		'srecord job user=root' 'srecord cluster tres=cpu=4' 'sreport user top' sshare; do
		capture $become "$folder"/$command
		[[ $status == 1 && $stderr == *"$1 cannot be read: Permission denied"* ]] ||
			same "$command" "$status $stdout $stderr" "1 $1 cannot be read"
	done
	same 'what was made' "$(find "$folder/home")" "$folder/home"
	chmod 644 "$1"
}

@test "a slurm.conf or slurmdbd.conf that the caller may not read is never passed over" {
	folder=$(mktemp -d "${TMPDIR:-/tmp}/closed.XXXXXX")
	chmod 755 "$folder"
	mkdir -m 777 "$folder/home"
	cp "$(dirname "$(command -v sacctmgr)")"/* "$SLURM_CONF" "${SLURM_CONF%/*}/slurmdbd.conf" \
		"$folder"
	export HOME=$folder/home SLURM_CONF=$folder/slurm.conf
	unset XDG_DATA_HOME
	closed "$folder/slurmdbd.conf"
	closed "$folder/slurm.conf"
	rm "$folder/slurmdbd.conf"
	closed "$folder/slurm.conf"
}

@test "a slurmdbd.conf that is a link to nothing is not passed over" {
	dbd=${SLURM_CONF%/*}/slurmdbd.conf
	mv "$dbd" mounted
	ln -s "$PWD/not-mounted" "$dbd"
	for command in 'sshare' 'sacctmgr -i add account lab' 'srecord job user=root' sinfo; do
		refuses "$dbd cannot be read: No such file or directory" $command
	done
	ln -sf "$PWD/mounted" "$dbd"
	sshare >/dev/null
}

@test "a StorageLoc that would be another file in every folder is refused" {
	dbd=${SLURM_CONF%/*}/slurmdbd.conf
	for path in acct.db ./acct.db :memory: file:/tmp/x; do
		sed -i "s|^StorageLoc=.*|StorageLoc=$path|" "$dbd"
		refuses "$dbd: StorageLoc=$path: the path of a store begins with /" \
			sacctmgr -i add account lab
		refuses "StorageLoc=$path" sshare
	done
	same 'what was made' "$(ls)" ''
}

@test "a bad value in slurm.conf: file, line and word" {
	echo 'PriorityMaxAge=tomorrow' >>"$SLURM_CONF"
	line=$(wc -l <"$SLURM_CONF")
	for program in 'sacctmgr show qos' sshare sprio; do
		refuses "slurm.conf:$line: Bad value \"tomorrow\" for PriorityMaxAge" $program
	done
}

@test "a full disk on standard output is an error" {
	for program in 'sacctmgr show qos' 'sshare -a' 'sprio -w' 'sacctmgr --help'; do
		status=0
		$program >/dev/full 2>err || status=$?
		[[ $status == 1 ]]
		grep -q 'No space left on device' err
	done
}

@test "an owner's store is readable by others, in a folder they cannot write" {
	need_root
	shared_store
	cd "${BURSAR_STORE%/*}"
	sacctmgr -iQ add account lab >/dev/null
	chmod 644 "$BURSAR_STORE"
	[[ $(really_as 12345 sacctmgr -nP show account format=account) == $'lab\nroot' ]]
	[[ $(really_as 12345 sshare -anP -o account | wc -l) == 3 ]]
	status=0
	really_as 12345 sacctmgr -i add account mine >out 2>err || status=$?
	[[ $status == 1 && $(<err) == *"cannot be written by you"* ]]
	[[ $(sacctmgr -nP show account format=account) == $'lab\nroot' ]]
}

@test "a read-only file system is called so, not a lack of rights" {
	LD_PRELOAD='' unshare -rm true 2>err || skip "no user namespaces: $(<err)"
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -Q backup copy
	folder=$(dirname "$(store)")
	# Below a file system of its own that nobody can write.
	read_only() {
		LD_PRELOAD='' unshare -rm bash -c 'mount --bind "$1" "$1" &&
			mount -o remount,ro,bind "$1" && LD_PRELOAD=$2 "${@:3}"' - \
			"$folder" "$LD_PRELOAD" "$@"
	}
	prints lab read_only sacctmgr -nP show account lab format=account
	refuses 'acct.db is on a read-only file system' read_only sacctmgr -i add account law
	refuses 'acct.db is on a read-only file system' read_only sacctmgr -i undo
	refuses 'acct.db is on a read-only file system' read_only srecord job user=root cpus=1
	capture read_only sacctmgr -i restore copy
	[[ $stderr == *'acct.db is on a read-only file system'* && $status == 1 ]]
	export BURSAR_STORE=$folder/new.db
	refuses "no store $BURSAR_STORE, and its file system is read-only" \
		read_only sacctmgr -i add account law
}

@test "a store nobody made yet, in a folder the caller cannot write" {
	need_root
	shared_store
	cd "${BURSAR_STORE%/*}"
	for command in 'show qos' '-i add account lab'; do
		status=0
		really_as 12345 sacctmgr $command >out 2>err || status=$?
		[[ $status == 1 && $(<err) == *"$BURSAR_STORE"* ]]
		[[ ! -e $BURSAR_STORE ]]
	done
}

@test "while the question waits, others read and write; a change in between is noticed" {
	sacctmgr -iQ add account lab >/dev/null
	mkfifo answer
	sacctmgr modify account lab set fairshare=5 <answer >out 2>err &
	asked=$!
	exec 7>answer
	until grep -q 'N/y' out; do kill -0 "$asked"; sleep 0.05; done
	sacctmgr -iQ modify account lab set fairshare=9 >/dev/null
	echo y >&7
	exec 7>&-
	status=0
	wait "$asked" || status=$?
	[[ $status == 1 ]]
	[[ $(sacctmgr -nP show assoc where account=lab format=share) == 9 ]]
	grep -q 'somebody else changed the store' err
}

@test "what was asked about is gone at the answer: nothing is done" {
	sacctmgr -iQ add account lab >/dev/null
	mkfifo answer
	sacctmgr delete account lab <answer >out 2>err &
	asked=$!
	exec 7>answer
	until grep -q 'N/y' out; do kill -0 "$asked"; sleep 0.05; done
	sacctmgr -iQ delete account lab >/dev/null
	echo y >&7
	exec 7>&-
	status=0
	wait "$asked" || status=$?
	[[ $status == 1 ]]
	grep -q 'somebody else changed the store' err
}

@test "every change keeps rows from before and after for undo" {
	sacctmgr -iQ add account lab fairshare=3 >/dev/null
	sacctmgr -iQ modify account lab set fairshare=4 >/dev/null
	[[ $(ask 'SELECT count(*) FROM change
		WHERE length(changeset) > 0') -ge 2 ]]
	[[ $(ask "SELECT count(*) FROM txn WHERE change IS NULL
		AND action IN (1402, 1429)") == 0 ]]
}

@test "weights whose sum overflows: said once, and the command goes on" {
	printf '%s\n' PriorityWeightAge=4000000000 PriorityWeightQOS=4000000000 >>"$SLURM_CONF"
	capture sacctmgr -nP show qos format=name
	same 'output' "$stdout" normal
	same 'messages' "$stderr" \
		'sacctmgr: error: PriorityWeight values too high, job priority value may overflow'
}

# A listing of /dev/null would be that of an empty cluster; a pipe would be waited for.
@test "a store and a configuration are regular files" {
	mkfifo pipe
	echo "Include $PWD/pipe" >includes.conf
	mkdir beside
	mkfifo beside/slurmdbd.conf
	cp "$SLURM_CONF" beside/slurm.conf
	local file
	for file in /dev/null /dev/zero pipe; do
		BURSAR_STORE=$file refuses 'not a regular file' squeue
		BURSAR_STORE=$file refuses 'not a regular file' sacctmgr -i add account lab
	done
	for file in /dev/zero pipe includes.conf beside/slurm.conf; do
		SLURM_CONF=$PWD/$file
		[[ $file != /* ]] || SLURM_CONF=$file
		refuses 'not a regular file' timeout 300 env SLURM_CONF="$SLURM_CONF" squeue
		refuses 'not a regular file' timeout 300 ssim --conf="$SLURM_CONF"
	done
}

@test "views: the manual's examples, and what the programs say" {
	export TZ=UTC
	local_users ann bob
	sacctmgr -iQ add account lab grptres=cpu=32 >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=3 maxjobs=4 >/dev/null
	sacctmgr -iQ add user bob account=lab >/dev/null
	srecord job user=ann account=lab cpus=8 submit=2026-10-02T08:00:00 \
		start=2026-10-02T09:00:00 end=2026-10-02T12:00:00 cputime=36000 maxrss=2G >/dev/null
	srecord job user=bob account=lab cpus=4 submit=2026-10-02T22:00:00 \
		start=2026-10-03T00:00:00 end=2026-10-03T02:00:00 state=FAILED exit=2:0 >/dev/null
	srecord job user=ann account=lab cpus=4 submit=now-5hours start=now-5hours >/dev/null
	srecord job user=bob account=lab cpus=16 submit=now-1hour >/dev/null
	cd "$(dirname "$(store)")"
	examples bursar-store.5
	# Readers with types of their own find one in each column, and no bytes.
	local view column
	for view in jobs steps usage_by_day waits limits shares; do
		for column in $(ask "SELECT name FROM pragma_table_info('$view')"); do
			echo "SELECT '$view $column', group_concat(DISTINCT typeof($column)) AS t
				FROM $view WHERE $column NOT NULL GROUP BY 1
				HAVING t LIKE '%,%' OR t = 'blob';"
		done
	done >types.sql
	same 'columns of several types' "$(ask "$(<types.sql)")" ''
	same jobs "$(ask 'SELECT id, user, state, exit_code, cpu, end_utc FROM jobs' | xargs)" \
		"$(sacct -aXnP -S2026-01-01 -ojobid,user,state,exitcode,reqcpus,end |
			sed 's/:[0-9]*|/|/; s/\([0-9]\)T/\1 /; s/Unknown//' | xargs)"
	# Time in which a job is suspended counts, as everywhere.
	srecord job id=90 user=bob account=lab cpus=2 submit=now-5hours start=now-4hours \
		suspended=3600 >/dev/null
	srecord job id=91 user=bob account=lab cpus=2 submit=now-5hours start=now-4hours \
		state=SUSPENDED >/dev/null
	same limits "$(ask "SELECT limit_name, used FROM limits
		WHERE user = '' AND account = 'lab'")" \
		"$(sacctmgr -n show assoc witheffective --csv account=lab user= |
			awk -F, '{ sub(/cpu=/, "", $8); print $6 "|" $8 }')"
	# A job runs, and a second may have passed between the two.
	{
		ask "SELECT user, usage_seconds, level_fs FROM shares
			WHERE user <> '' AND account = 'lab'"
		sshare -a -nP -Alab -ouser,rawusage,levelfs | sed '/^|/d'
	} | awk -F'|' 'function near(a, b, most) { return a - b < most && b - a < most }
		NR < 3 { usage[$1] = $2; level[$1] = $3 }
		NR > 2 && !(near(usage[$1], $2, 60) && near(level[$1], $3, 0.001)) {
			print "usage is " usage[$1], level[$1] ", wanted " $0; bad = 1 }
		END { exit bad || NR != 4 }'
	same waits "$(ask "SELECT id, wait_seconds BETWEEN 3590 AND 3700 FROM waits
		WHERE start_epoch IS NULL")" '4|1'
}

@test "views: of a day are the parts of runs that fell into it" {
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	TZ=UTC srecord job user=ann account=lab tres=cpu=2,gres/gpu=1 submit=2026-10-02T08:00:00 \
		start=2026-10-02T23:00:00 end=2026-10-04T01:00:00 >/dev/null
	same days "$(ask 'SELECT day_utc, cpu_seconds, gpu_seconds FROM usage_by_day')" \
		$'2026-10-02|7200|3600\n2026-10-03|172800|86400\n2026-10-04|7200|3600'
}
