#!/usr/bin/env bats
# srecord sync beside a real Slurm: what Slurm's commands print and what ours print after a sync,
# from its commands and from its database. `make check-slurm` runs it; it needs root and Debian's
# packages slurmctld slurmdbd slurmd slurm-client munge mariadb-server; skipped without them.

bats_require_minimum_version 1.5.0

setup_file() {
	. "$BATS_TEST_DIRNAME/site.bash"
	. "$BATS_TEST_DIRNAME/example.bash"
	[[ $(id -u) == 0 ]] || skip 'needs root'
	local missing
	missing=$(site_missing | tr '\n' ' ')
	[[ ! $missing ]] || skip "not installed: $missing"
	SITE=$(mktemp -d /tmp/slurm-site.XXXXXX) # the jobs' users must be able to look into it
	export SITE
	site_start "$SITE" >"$BATS_FILE_TMPDIR/start" 2>&1 ||
		{ tail "$BATS_FILE_TMPDIR/start"; return 1; }
	{ fill_site && run_jobs; } >"$BATS_FILE_TMPDIR/fill" 2>&1 ||
		{ tail "$BATS_FILE_TMPDIR/fill"; return 1; }
	# Our own configuration: the same policy, the store beside it.
	mkdir "$BATS_FILE_TMPDIR/ours"
	grep -E '^(ClusterName|Priority|AccountingStorageEnforce|Select|NodeName|Partition)' \
		"$SITE/slurm.conf" >"$BATS_FILE_TMPDIR/ours/slurm.conf"
}

teardown_file() {
	. "$BATS_TEST_DIRNAME/site.bash"
	[[ -d ${SITE-} ]] || return 0
	site_stop "$SITE"
	rm -rf "$SITE"
}

setup() {
	. "$BATS_TEST_DIRNAME/site.bash"
	site=$SITE
	bin=$(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	export SLURM_CONF=$BATS_FILE_TMPDIR/ours/slurm.conf BURSAR_STORE=$BATS_TEST_TMPDIR/acct.db
	port=$(sed -n 's/^StoragePort=//p' "$SITE/slurmdbd.conf")
	echo only-looks >"$BATS_TEST_TMPDIR/pass"
	chmod 600 "$BATS_TEST_TMPDIR/pass"
}

ours() {
	local program=$1
	shift
	"$bin/$program" "$@"
}

from_slurm() {
	ours srecord sync from=slurm conf="$SITE/slurm.conf" "$@"
}

from_mysql() {
	ours srecord sync "from=mysql://reader@127.0.0.1:$port/slurm_acct_db" \
		passfile="$BATS_TEST_TMPDIR/pass" "$@"
}

# alike PROGRAM ARG...: both print the same
alike() {
	diff -u --label "Slurm: $*" --label ours <(slurm "$@" 2>&1) <(ours "$@" 2>&1)
}

# What both sources bring.
same_records() {
	alike sacctmgr -nP show assoc wopl \
		format=id,account,user,partition,parentname,fairshare,maxjobs,maxwall,grptres
	alike sacctmgr -nP show assoc wopl format=id,grptresmins,defaultqos
	alike sacctmgr -nP show assoc format=account,user,maxjobs,maxwall,qos
	alike sacctmgr -nP show qos \
		format=name,id,description,priority,flags,gracetime,grpwall
	alike sacctmgr -nP show qos \
		format=name,grptresmins,maxtrespu,maxwall,maxjobspu,preempt,usagefactor
	alike sacctmgr -nP show account format=account,description,organization
	alike sacctmgr -nP show user format=user,adminlevel,defaultaccount
	alike sacctmgr -nP show tres format=type,name,id
	alike sacctmgr -nP show transactions start=2020-01-01 format=time,action,actor
	alike sacct -aPX -S 2020-01-01 \
		-o jobid,jobname,user,account,partition,qos,state,exitcode,submit,eligible,start,end
	alike sacct -aPX -S 2020-01-01 -o jobid,elapsed,reqtres,alloctres,timelimit,nodelist,nnodes
	alike sacct -aP -S 2020-01-01 \
		-o jobid,jobname,state,exitcode,start,end,nnodes,ntasks,alloctres
	# sreport is not compared: slurmdbd rolls an hour up when it is over.
}

@test "from=slurm: records and history are Slurm's" {
	from_slurm
	same_records
}

@test "from=slurm: the queue, usage and fair-share are Slurm's" {
	from_slurm
	alike squeue -h -o '%i %u %a %P %t %C %l'
	alike sshare -ahP -o account,user,rawshares,normshares,fairshare
	run from_slurm --verify
	[[ $output == *"fair-share: 207 rows, 0 differ"* ]] || { echo "$output"; return 1; }
	[[ $output == *"raw usage: 211 rows, 0 differ"* ]] || { echo "$output"; return 1; }
}

@test "from=mysql: records and history are Slurm's" {
	from_mysql
	same_records
}

@test "a second round changes nothing; what changed in Slurm is followed" {
	from_slurm
	run from_slurm
	[[ $output == *": 0 jobs; "* ]] || { echo "$output"; return 1; }
	slurm sacctmgr -i modify account optics set grptres=cpu=-1 maxjobs=4 fairshare=6 >/dev/null
	slurm sacctmgr -i modify user games set qos-=high where account=physics >/dev/null
	slurm sacctmgr -i remove user u7 >/dev/null
	slurm sacctmgr -i add user u999 account=music >/dev/null
	from_slurm
	alike sacctmgr -nP show assoc wopl format=id,account,user,fairshare,maxjobs,grptres
	alike sacctmgr -nP show assoc format=account,user,qos
	alike sacctmgr -nP show user format=user,defaultaccount
}

@test "both sources give the same store" {
	from_slurm
	ours sacctmgr dump rook file="$BATS_TEST_TMPDIR/a" >/dev/null 2>&1
	ours sacct -aPlS 2020-01-01 >"$BATS_TEST_TMPDIR/a.jobs"
	BURSAR_STORE=$BATS_TEST_TMPDIR/other.db from_mysql
	export BURSAR_STORE=$BATS_TEST_TMPDIR/other.db
	ours sacctmgr dump rook file="$BATS_TEST_TMPDIR/b" >/dev/null 2>&1
	ours sacct -aPlS 2020-01-01 >"$BATS_TEST_TMPDIR/b.jobs"
	diff -u "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	diff -u "$BATS_TEST_TMPDIR/a.jobs" "$BATS_TEST_TMPDIR/b.jobs"
}

# says WORDS COMMAND...: it fails and says so, and never a password
says() {
	local words=$1
	shift
	run "$@"
	[[ $status == 1 && $output == *"$words"* && $output != *only-looks* ]] ||
		{ printf '%s\n' "status $status" "$output"; return 1; }
}

@test "from=mysql: bad ways in" {
	says "port" ours srecord sync from=mysql://reader@127.0.0.1:x/slurm_acct_db
	says "no password in the address" ours srecord sync \
		from=mysql://reader:only-looks@127.0.0.1/slurm_acct_db
	says "127.0.0.1: cannot be reached" ours srecord sync \
		from=mysql://reader@127.0.0.1:1/slurm_acct_db
	echo wrong >"$BATS_TEST_TMPDIR/bad"
	chmod 644 "$BATS_TEST_TMPDIR/bad"
	says "may be read by anyone" from_mysql passfile="$BATS_TEST_TMPDIR/bad"
	chmod 600 "$BATS_TEST_TMPDIR/bad"
	says "check user and password" ours srecord sync \
		"from=mysql://reader@127.0.0.1:$port/slurm_acct_db" passfile="$BATS_TEST_TMPDIR/bad"
	says "not a database of slurmdbd" ours srecord sync \
		"from=mysql://reader@127.0.0.1:$port/other" passfile="$BATS_TEST_TMPDIR/pass"
	says "knows no cluster 'owl', only rook" from_mysql cluster=owl
}

@test "a sync that was killed goes on" {
	local i
	for i in 0.02 0.05 0.1 0.2; do
		timeout -s KILL "$i" "$bin/srecord" sync \
			"from=mysql://reader@127.0.0.1:$port/slurm_acct_db" \
			passfile="$BATS_TEST_TMPDIR/pass" 2>/dev/null || true
	done
	from_mysql
	same_records
}
