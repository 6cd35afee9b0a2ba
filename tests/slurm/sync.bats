#!/usr/bin/env bats
# srecord sync beside a real Slurm: what Slurm's commands print and what ours print after a sync,
# from its commands and from its database. `make check-slurm` runs it; it needs root and Debian's
# packages slurmctld slurmdbd slurmd slurm-client munge mariadb-server; skipped without them.

bats_require_minimum_version 1.5.0

load ours

setup_file() {
	site_for_tests fill_site run_jobs
}

teardown_file() {
	site_of_tests_ends
}

setup() {
	beside_the_site
}

# alike PROGRAM ARG...: both print the same
alike() {
	echo "$(slurm "$@" 2>/dev/null | wc -l) $*" >>"$BATS_FILE_TMPDIR/rows"
	diff -U1 --label "Slurm: $*" --label ours <(slurm "$@" 2>&1) <(ours "$@" 2>&1) | head -40
	[[ ${PIPESTATUS[0]} == 0 ]]
}

# The same rows; of those of one second slurmdbd promises no order.
alike_sorted() {
	echo "$(slurm "$@" 2>/dev/null | wc -l) $*" >>"$BATS_FILE_TMPDIR/rows"
	diff -U1 --label "Slurm: $*" --label ours <(slurm "$@" 2>&1 | sort) \
		<(ours "$@" 2>&1 | sort) | head -40
	[[ ${PIPESTATUS[0]} == 0 ]]
}

# COMPARED=FILE: what was compared, with the number of rows, for man/bursar-feeders.7
teardown() {
	[[ ! ${COMPARED-} ]] || cp "$BATS_FILE_TMPDIR/rows" "$COMPARED" 2>/dev/null || true
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
	alike_sorted sacctmgr -nP show transactions start=2020-01-01 \
		format=time,action,actor,where
	alike sacctmgr -nP show qos format=id,name
	alike sacctmgr -nP show federation format=federation,cluster
	alike sacctmgr -nP show cluster format=cluster,federation,id
	alike sacctmgr -nP show resource format=name,server,type,count
	alike sacctmgr -nP show resource withclusters \
		format=name,server,type,count,description,servertype,cluster
	alike sacctmgr -nP show event start=2020-01-01 \
		format=cluster,nodename,state,reason,timestart
	alike sacctmgr -nP show reservation start=2020-01-01 end=now+9days \
		format=name,cluster,timestart,timeend,nodenames,tres,flags
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

@test "a dump of Slurm differs from the store that was synced in nothing, and loads" {
	from_slurm
	slurm sacctmgr dump rook file="$BATS_TEST_TMPDIR/rook.cfg" >/dev/null 2>&1
	[[ $(grep -c '^User' "$BATS_TEST_TMPDIR/rook.cfg") -gt 200 ]]
	run -0 ours sacctmgr diff "$BATS_TEST_TMPDIR/rook.cfg" prune
	[[ ! $output ]]
	ours srecord sync --end
	run -0 ours sacctmgr -i load "$BATS_TEST_TMPDIR/rook.cfg"
	[[ $output == *'Nothing new added.'* ]] || { echo "$output"; return 1; }
}

@test "from=slurm: the queue, usage and fair-share are Slurm's" {
	from_slurm
	alike squeue -h -o '%i %u %a %P %t %C %l'
	alike sshare -ahP -o account,user,rawshares,normshares,fairshare
	run -0 from_slurm --verify
	[[ $output == *"fair-share: 211 rows, 0 differ"* ]] || { echo "$output"; return 1; }
	[[ $output == *"raw usage: 211 rows, 0 differ"* ]] || { echo "$output"; return 1; }
	[[ $output =~ "priority of pending jobs: "[1-9][0-9]*" rows, 0 differ" ]] ||
		{ echo "$output"; return 1; }
	[[ ! ${COMPARED-} ]] || grep rows <<<"$output" >"$COMPARED.verify"
}

@test "from=mysql: records and history are Slurm's" {
	from_mysql
	same_records
}

@test "a second round changes nothing; what changed in Slurm is followed" {
	from_slurm
	run -0 from_slurm
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
	echo no-rights >"$BATS_TEST_TMPDIR/bad"
	says "GRANT SELECT" ours srecord sync \
		"from=mysql://nobody@127.0.0.1:$port/slurm_acct_db" passfile="$BATS_TEST_TMPDIR/bad"
	says "no such file" ours srecord sync from=mysql
	says "holds a password and may be read" env -u SLURM_CONF "$bin/srecord" sync from=mysql \
		conf="$(open_conf)"
	# Nothing was done by any of them.
	[[ $(ours sacctmgr -nP show account format=account 2>/dev/null) == "" ||
		$(ours sacctmgr -nP show account format=account) == root ]]
}

# A site whose slurmdbd.conf others may read.
open_conf() {
	mkdir -p "$BATS_TEST_TMPDIR/open"
	cp "$SITE"/slurm.conf "$SITE/slurmdbd.conf" "$BATS_TEST_TMPDIR/open"
	chmod 644 "$BATS_TEST_TMPDIR/open/slurmdbd.conf"
	echo "$BATS_TEST_TMPDIR/open/slurm.conf"
}

@test "from=mysql: host, user and password of slurmdbd.conf; none of it can be seen" {
	"$bin/srecord" sync from=mysql conf="$SITE/slurm.conf" --follow=1 \
		2>"$BATS_TEST_TMPDIR/said" &
	local pid=$!
	until grep -q 'from mysql' "$BATS_TEST_TMPDIR/said"; do sleep 0.1; done
	run ! grep -q written-by-slurmdbd "/proc/$pid/cmdline"
	run ! grep -q written-by-slurmdbd "/proc/$pid/environ"
	kill "$pid"
	wait "$pid"
	run ! grep -q written-by-slurmdbd "$BATS_TEST_TMPDIR/said"
	run ! grep -q written-by-slurmdbd "$BURSAR_STORE"
	same_records
}

@test "from=mysql: suspensions and raw usage of the controller's state file" {
	from_mysql
	local want
	want=$(database 'SELECT count(*) FROM rook_suspend_table')
	[[ $want == 2 && $(sqlite3 "$BURSAR_STORE" 'SELECT count(*) FROM suspension') == 2 ]]
	[[ $(database 'SELECT concat(time_start, "|", time_end) FROM rook_suspend_table
		ORDER BY 1') == \
		$(sqlite3 "$BURSAR_STORE" 'SELECT start, end FROM suspension ORDER BY 1') ]]
	alike sacct -aPX -S 2020-01-01 -o jobid,suspended,elapsed
	# The controller writes it when it ends; what it said last is what sshare said.
	slurm scontrol shutdown slurmctld
	until_true 600 test -s "$SITE/state/assoc_usage"
	until_true 600 eval '! slurm scontrol ping'
	from_mysql assoc_usage="$SITE/state/assoc_usage"
	SLURM_CONF=$SITE/slurm.conf /usr/sbin/slurmctld >/dev/null 2>&1 </dev/null 3>&-
	until_true 600 slurm scontrol ping
	paste -d'|' <(slurm sshare -ahP -o account,user,rawusage) \
		<(ours sshare -ahP -o account,user,rawusage) |
		awk -F'|' '$1 != $4 || $2 != $5 || $3 - $6 > 2 || $6 - $3 > 2 { print; bad = 1 }
			END { exit bad }'
}

@test "two clusters in one database" {
	slurm sacctmgr -i add cluster owl-2 >/dev/null
	slurm sacctmgr -i add account music cluster=owl-2 fairshare=77 >/dev/null
	from_mysql
	from_mysql cluster=owl-2
	alike sacctmgr -nP show assoc wopl clusters=rook format=id,account,user,fairshare
	alike sacctmgr -nP show assoc wopl clusters=owl-2 format=id,account,user,fairshare
	alike_sorted sacctmgr -nP show transactions start=2020-01-01 format=time,action,where
	slurm sacctmgr -i delete cluster owl-2 >/dev/null
}

# feeder DIR NAME...: the scripts of that name, and a store of their own
feeder() {
	local dir=$SITE/$1 name
	shift
	mkdir "$dir"
	cp "$SLURM_CONF" "$dir/slurm.conf"
	printf 'export SLURM_CONF=%s BURSAR_STORE=%s PATH=%s:$PATH\n' "$dir/slurm.conf" \
		"$dir/acct.db" "$bin" >"$dir/conf"
	for name; do
		sed "s|/etc/bursar/feeder|$dir/conf|g" \
			"$BATS_TEST_DIRNAME/../../packaging/feeders/$name" >"$dir/$name"
		chmod +x "$dir/$name"
	done
	(
		. "$dir/conf"
		sacctmgr -iQ add account optics >/dev/null
		sacctmgr -iQ add user man account=optics >/dev/null
	)
}

# of DIR COMMAND...: asks the store there
of() {
	(. "$SITE/$1/conf" && shift && ours "$@")
}

has_failed() {
	of "$1" sacct -nPX -j "$2" -o state | grep -q FAILED
}

@test "feeders: slurmctld's prolog and epilog, and its jobcomp, tell of a job" {
	feeder ends jobcomp
	feeder both prolog epilog
	slurm scontrol delete reservation=course || true
	# Refused where the node is up already: a slow machine drains it now and then.
	slurm scontrol update NodeName="$(hostname -s)" State=RESUME || true
	slurm scontrol shutdown slurmctld
	until_true 600 eval '! slurm scontrol ping'
	cp "$SITE/slurm.conf" "$SITE/slurm.conf.before"
	printf '%s\n' JobCompType=jobcomp/script "JobCompLoc=$SITE/ends/jobcomp" \
		"PrologSlurmctld=$SITE/both/prolog" "EpilogSlurmctld=$SITE/both/epilog" \
		>>"$SITE/slurm.conf"
	daemon slurmctld
	until_true 600 slurm scontrol ping
	local id
	id=$(cd / && slurm sbatch --parsable --uid=man -A optics -n2 -t1 -J fed -o /dev/null \
		--wrap 'sleep 2; exit 3')
	until_true 300 has_failed ends "$id"
	until_true 300 has_failed both "$id"
	local columns=jobid,user,account,partition,jobname,state,exitcode,ncpus,nodelist
	diff <(slurm sacct -nPX -j "$id" -o $columns,submit,start,end) \
		<(of ends sacct -nPX -j "$id" -o $columns,submit,start,end)
	diff <(slurm sacct -nPX -j "$id" -o $columns) <(of both sacct -nPX -j "$id" -o $columns)
	cp "$SITE/slurm.conf.before" "$SITE/slurm.conf"
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

# slurmdbd rolls a day up when it is over, or when it is told to: all is of yesterday here.
@test "sreport: utilization is Slurm's" {
	local table column start end
	start=$(date -d yesterday +%FT00:00:00) end=$(date +%FT00:00:00)
	for column in submit eligible start end; do
		database "UPDATE rook_job_table SET time_$column = time_$column - 86400
			WHERE time_$column > 0"
	done
	for table in event suspend; do
		database "UPDATE rook_${table}_table SET time_start = time_start - 86400,
			time_end = IF(time_end, time_end - 86400, 0)"
	done
	slurm sacctmgr -i rollup "$start" "$end" >/dev/null 2>&1
	from_mysql
	alike sreport -nP -t seconds cluster AccountUtilizationByUser "start=$start" "end=$end" \
		format=cluster,account,login,used
	alike sreport -nP -t seconds cluster UserUtilizationByAccount "start=$start" "end=$end" \
		format=cluster,login,account,used
	alike sreport -nP -t seconds user TopUsage "start=$start" "end=$end" \
		format=cluster,login,account,used
}

# Last: nothing of what the site was is left. SEED=N CHANGES=N for others.
@test "a site that changes at random: all listings of both are the same after each sync" {
	. "$BATS_TEST_DIRNAME/random.bash"
	random_dir=$BATS_TEST_TMPDIR random_log=$BATS_TEST_TMPDIR/log
	random_changes "${SEED-1}" "${CHANGES-20}"
}
