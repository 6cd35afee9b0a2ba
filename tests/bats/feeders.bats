#!/usr/bin/env bats
# The files of packaging/feeders, as slurmctld and a scheduler of another kind run them. Beside a
# real slurmctld: tests/slurm/sync.bats.

load lib

feeders=$BATS_TEST_DIRNAME/../../packaging/feeders

setup() {
	fresh_cluster 'NodeName=n[1-2] CPUs=4'
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

@test "jobcomp: a job that ended, with what slurmctld says of it" {
	env JOBID=7 USERNAME=ann ACCOUNT=lab PARTITION=debug SUBMIT=1790000000 START=1790000100 \
		END=1790003700 PROCS=8 NODECNT=2 JOBSTATE=TIMEOUT EXITCODE=0:15 NODES='n[1-2]' \
		QOS=normal JOBNAME='my job' WORK_DIR=/home/ann ARRAYJOBID=0 LIMIT=60 \
		"$feeders/jobcomp"
	prints '7|ann|lab|debug|my job|TIMEOUT|0:15|01:00:00|8|n[1-2]|01:00:00' sacct -naPX \
		-S 2026-01-01 -E 2027-01-01 -o \
		jobid,user,account,partition,jobname,state,exitcode,elapsed,ncpus,nodelist,timelimit
}

@test "jobcomp: a job that never started, and one task of an array" {
	env JOBID=8 USERNAME=ann ACCOUNT=lab PARTITION=debug SUBMIT=1790000000 START=0 \
		END=1790003700 PROCS=1 NODECNT=1 JOBSTATE=CANCELLED EXITCODE=0:0 NODES='' \
		ARRAYJOBID=0 LIMIT=Partition_Limit "$feeders/jobcomp"
	env JOBID=10 USERNAME=ann ACCOUNT=lab PARTITION=debug SUBMIT=1790000000 START=1790000100 \
		END=1790003700 PROCS=1 NODECNT=1 JOBSTATE=COMPLETED EXITCODE=0:0 NODES=n1 \
		ARRAYJOBID=9 ARRAYTASKID=3 LIMIT=UNLIMITED "$feeders/jobcomp"
	prints $'8|CANCELLED|00:00:00\n9_3|COMPLETED|01:00:00' sacct -naPX -S 2026-01-01 \
		-E 2027-01-01 -o jobid,state,elapsed
}

@test "prolog and epilog: a job that starts and ends" {
	export SLURM_JOB_ID=5 SLURM_JOB_USER=ann SLURM_JOB_ACCOUNT=lab SLURM_JOB_PARTITION=debug \
		SLURM_JOB_NODELIST='n[1-2]' SLURM_JOB_NAME='a b' SLURM_JOB_CPUS_PER_NODE='4(x1),3'
	"$feeders/prolog"
	prints '5 R 7 n[1-2] a b' squeue -h -o '%i %t %C %N %j'
	SLURM_JOB_EXIT_CODE2=3:0 "$feeders/epilog"
	prints '5|FAILED|3:0' sacct -naPX -o jobid,state,exitcode
}

@test "prolog and epilog never fail, whatever becomes of the record" {
	mkdir shim
	printf '#!/bin/sh\necho "$@" >>logged\n' >shim/logger
	chmod +x shim/logger
	PATH=$PWD/shim:$PATH SLURM_JOB_ID=x "$feeders/prolog"
	PATH=$PWD/shim:$PATH SLURM_JOB_ID=99 "$feeders/epilog"
	grep -q 'bursar-prolog -- srecord: error:' logged
	grep -q 'bursar-epilog -- srecord: error:' logged
}

@test "a scheduler that is not Slurm" {
	now=$(date +%s)
	printf '%s\n' "$((now - 900)) submit 1 ann lab 4 60" "$((now - 800)) start 1 n[1-2]" \
		"$((now - 700)) submit 2 ann lab 1 10" "$((now - 600)) end 1 0" \
		"$((now - 500)) kill 2" "$((now - 400)) submit 3 ann lab 2 30" |
		"$feeders/any-scheduler" | srecord - >answers
	same answers "$(<answers)" $'ok\nok\nok\nok\nok\nok'
	prints $'1|COMPLETED|00:03:20|4\n2|CANCELLED|00:00:00|0\n3|PENDING|00:00:00|0' \
		sacct -naPX -S now-1day -o jobid,state,elapsed,alloccpus
}

# What is missing, each by its first words.
missing() {
	capture srecord feeders
	{
		sed -n 's/^  - //p' <<<"$stdout"
		# The machine that tests may have it.
		grep -q '  - the command bursar' <<<"$stdout" ||
			echo 'the command bursar where slurmctld'
	} | sort | cut -d' ' -f1-5
}

@test "srecord feeders: the lines for slurm.conf, and what they lack" {
	local_users amy
	echo 'SlurmUser=amy' >>"$SLURM_CONF"
	chmod 600 "$(store)"
	same all "$(missing)" "the command bursar where slurmctld
the right of SlurmUser amy
these two lines in $SLURM_CONF;"
	line=$(srecord feeders | grep JobCompLoc)
	[ -x "${line#*=}" ]
	# As printed, blanks and all, they are enough.
	srecord feeders | grep '^    JobComp' >>"$SLURM_CONF"
	chmod 666 "$(store)"
	same lines "$(missing)" 'the command bursar where slurmctld'
	sed -i 's,^ *JobCompLoc=.*,JobCompLoc=/nowhere,' "$SLURM_CONF"
	[[ $(missing) == *"JobCompLoc of $SLURM_CONF is /nowhere:"* ]]
	sed -i 's,^ *JobCompType=.*,JobCompType=jobcomp/kafka,' "$SLURM_CONF"
	[[ $(missing) == *"JobCompType=jobcomp/script in $SLURM_CONF, which has"* ]]
	# A look makes no store.
	rm "$(store)"
	[[ $(missing) == *"the store $(store), which"* ]]
	[ ! -e "$(store)" ]
	# slurmctld has no such variable.
	[[ $(BURSAR_STORE=$PWD/x.db missing) == *'a store that slurmctld knows:'* ]]
}

@test "cron's line is one that cron takes, and what it runs is there" {
	line=$(grep -v '^#' "$feeders/cron")
	[[ $line =~ ^'*/5 * * * * root /usr/bin/'(bursar srecord sync from=slurm)' 2>&1 | logger' ]]
	refuses 'bin=FOLDER says where they are' env PATH="$(dirname "$(command -v srecord)")" \
		${BASH_REMATCH[1]}
}

@test "the units name what is installed" {
	units=$BATS_TEST_DIRNAME/../../packaging/systemd
	for unit in "$units"/*.service; do
		grep -qE '^ExecStart=/usr/libexec/bursar/srecord sync ' "$unit"
		grep -q '^EnvironmentFile=-/etc/bursar/sync$' "$unit"
	done
	grep -q '^OnUnitInactiveSec=' "$units/bursar-sync.timer"
	grep -q '^SYNC_OPTIONS=' "$units/../etc/sync"
}

@test "systemd takes the units" {
	command -v systemd-analyze >/dev/null || skip 'systemd-analyze is not installed'
	cd "$BATS_TEST_DIRNAME/../../packaging/systemd"
	systemd-analyze verify --man=no ./*.service >"$BATS_TEST_TMPDIR/out" 2>&1 || true
	same complaints "$(grep -v 'not executable' "$BATS_TEST_TMPDIR/out")" ''
}
