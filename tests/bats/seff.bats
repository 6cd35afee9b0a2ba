# seff: arithmetic, exit codes, tables, suggestions.
load lib

setup() {
	fresh_cluster
	export TZ=UTC
	local_users amy bob
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy,bob account=phys >/dev/null
}

# job ID SECONDS WORD...: it ran so long, from 08:00 on
job() {
	local id=$1 seconds=$2
	shift 2
	srecord job id="$id" user=amy submit=2026-10-01T07:00:00 start=2026-10-01T08:00:00 \
		end="uts$((1790841600 + seconds))" state=COMPLETED "$@"
}

# shown COMMAND...: with a $ at the end of lines that end in a blank
shown() {
	"$@" | sed 's/ $/$/'
}

# says STATUS MESSAGE OPTION...
says() {
	local wanted=$1 message=$2
	shift 2
	capture seff "$@"
	same "status of seff $*" "$status" "$wanted" || return 1
	same "messages of seff $*" "$stderr" "$message"
}

@test "seff: the sample of the backfill article" {
	job 1 4435 cpus=32 nodes=2 mem=64G cputime=141259 maxrss=1G
	prints 'Job ID: 1
Cluster: canis
User/Group: amy/amy
State: COMPLETED (exit code 0)
Nodes: 2
Cores per node: 16
CPU Utilized: 1-15:14:19
CPU Efficiency: 99.53% of 1-15:25:20 core-walltime
Job Wall-clock time: 01:13:55
Memory Utilized: 1.00 GB
Memory Efficiency: 1.56% of 64.00 GB (32.00 GB/node)' seff 1
}

# clang-format off
@test "seff: memory asked for by the CPU is told by the core" {
	job 1 600 cpus=4 nodes=1 mem_per_cpu=1G cputime=60 maxrss=1G
	[[ $(seff 1) == *'25.00% of 4.00 GB (1.00 GB/core)'* ]]
}

@test "seff: array task, one core, signal, uneven tasks" {
	job 6 1800 cpus=1 mem=1G array_job=5 array_task=3 state=FAILED exit=0:9 cputime=10.6 systime=0.9
	srecord step job=6 step=0 tasks=4 maxrss=500M averss=300M
	prints 'Job ID: 6
Array Job ID: 5_3
Cluster: canis
User/Group: amy/amy
State: FAILED (exit code 0)
Cores: 1
CPU Utilized: 00:00:12
CPU Efficiency: 0.67% of 00:30:00 core-walltime
Job Wall-clock time: 00:30:00
Memory Utilized: 1.17 GB
Memory Efficiency: 117.19% of 1.00 GB (1.00 GB/node)
The task which had the largest memory consumption differs by 166.67% from the average task max memory consumption' \
		seff 5_3
	srecord step job=6 step=1 tasks=8 maxrss=900M
	capture seff 6
	[[ $stdout == *'Memory Utilized: 7.03 GB (estimated maximum)'* ]]
}
# clang-format on

@test "seff: jobs that wait and run" {
	srecord job id=1 user=bob cpus=4
	prints 'Job ID: 1
Cluster: canis
User/Group: bob/bob
State: PENDING
Cores: 1
Efficiency not available for jobs in the PENDING state.
It waits for nothing: there is room for it now (Priority).
It starts now, with the next pass.' seff 1
	srecord job id=1 hold=user
	same held "$(seff 1 | tail -n 2)" \
		"It waits for its user, who holds it, to release it (JobHeldUser).
It starts when it has what it waits for."
	srecord job id=2 user=bob cpus=4 submit=now-2hours start=now-1hour
	capture seff 2
	same status "$status" 0
	[[ $stdout == *$'\nState: RUNNING\n'*'WARNING: Efficiency statistics can only'* ]]
}

@test "seff: the number of an array: its first task, in tables all that ran" {
	job 7 60 array_job=5 array_task=2
	job 6 60 array_job=5 array_task=1
	srecord job id=5 user=amy array_job=5 array=3-9 submit=2026-10-01T07:00:00
	says 0 '' 5
	same tasks "$(grep 'Array Job ID' <<<"$stdout")" 'Array Job ID: 5_1'
	prints $'5_1\n5_2' bash -c 'seff -nP 5 | cut -d"|" -f1'
	prints $'5_1\n5_2' bash -c 'seff --ndjson 5 | jq -r .job'
	prints 5_2 bash -c 'seff -nP 5_2 | cut -d"|" -f1'
	says 3 'Badly formatted array jobid 5 with task_id = -2' 5_3
}

@test "seff: exit codes" {
	says 2 'Job not found.' 99
	says 2 'Job not found.' nonsense
	srecord job id=5 user=amy array_job=5 array=1-9
	says 3 'Badly formatted array jobid 5 with task_id = -2' 5
	says 1 ''
	says 1 '' -h
	says 1 '' -v
	same version "$stdout" 'seff Version 2.1'
	says 0 '' -V
	job 1 60
	job 2 60
	says 0 '' 1 2
	same 'jobs apart' "$(grep -c '^$' <<<"$stdout")" 1
	says 2 'Job not found: 99' 1 99 2
	[[ $stdout == *'Job ID: 1'*'Job ID: 2'* ]]
	says 1 "seff: fatal: --quantile: 'x' is not a percentage from 1 to 100" --quantile=x 1
}

@test "seff: raw numbers with -d" {
	job 1 100 cpus=2 mem=2G cputime=50 maxrss=1M
	capture seff -d 1
	same debug "$(sed -n 2p <<<"$stdout")" \
		'Slurm data: 1  amy amy COMPLETED canis 2 1 2097152 1 50 100 1024 0'
}

# clang-format off
@test "seff: a user's last week, what was lost most first" {
	srecord job id=1 user=amy name=a cpus=4 mem=4G timelimit=120 submit=now-5hours \
		start=now-4hours end=now-3hours state=COMPLETED cputime=3600 maxrss=1G
	srecord job id=2 user=amy name=b cpus=8 mem=1G timelimit=60 submit=now-5hours \
		start=now-4hours end=now-3hours state=COMPLETED cputime=14400 maxrss=1G
	srecord job id=3 user=bob submit=now-5hours start=now-4hours end=now-3hours
	srecord job id=4 user=amy submit=now-15days start=now-14days end=now-10days
	srecord job id=5 user=amy submit=now-5hours start=now-4hours
	prints 'JobID             JobName      State   CPUs     Elapsed  Time%   CPU%  CPUhLost   MemGiB   Mem%  GiBhLost$
------------ ------------ ---------- ------ ----------- ------ ------ --------- -------- ------ ---------$
2                       b  COMPLETED      8    01:00:00  100.0   50.0      4.00     1.00  100.0      0.00$
1                       a  COMPLETED      4    01:00:00   50.0   25.0      3.00     4.00   25.0      3.00$' \
		shown seff -u amy
	capture seff -u amy --ndjson
	same ndjson "$(jq -c '[.job_id,.cpus,(.cpu_hours_lost,.memory_gib_hours_lost|floor)]' <<<"$stdout")" \
		$'[2,8,4,0]\n[1,4,3,3]'
	capture seff -u amy --csv -S now-20days
	same rows "$(wc -l <<<"$stdout")" 4
	capture seff --json 1 2
	same json "$(jq -c '[.jobs[].job_id]' <<<"$stdout")" '[1,2]'
	srecord job id=7 user=amy name=c cpus=16 mem=1G het_job=6 het_offset=1 submit=now-5hours \
		start=now-4hours end=now-3hours
	same 'nobody knows' "$(seff -u amy -nP | tail -1)" '6+1|c|COMPLETED|16|01:00:00||||1.00||'
	same null "$(seff --ndjson 7 | jq -c '[.cpu_percent, .memory_percent]')" '[null,null]'
}

@test "seff: what to ask for next time" {
	local i
	for i in {1..20}; do
		srecord job id=$i user=amy name=sim cpus=4 mem=8G timelimit=600 submit=now-2days \
			start=now-1days end=now-$((86400 - i * 60)) state=COMPLETED maxrss=$((i * 100))M
	done
	srecord job id=21 user=amy name=other cpus=4 submit=now-2days start=now-1days \
		end=now-1hour state=COMPLETED
	srecord job id=22 user=amy name=sim cpus=8 submit=now-2days start=now-1days \
		end=now-1hour state=COMPLETED
	capture seff --suggest 7
	same suggestion "$(tail -3 <<<"$stdout")" \
'Similar jobs: 20 (user amy, name sim, 4 cores on 1 nodes, the last 365 days)
Suggested time limit: 00:21:00 (95% of 20 needed at most 00:19:00; 0.00% would have hit it; asked for: 10:00:00)
Suggested memory: 2.04 GB (95% of 20 needed at most 1.86 GB; 0.00% would have hit it; asked for: 8.00 GB)'
	capture seff --suggest --quantile=50 7
	same half "$(tail -2 <<<"$stdout")" \
'Suggested time limit: 00:11:00 (50% of 20 needed at most 00:10:00; 45.00% would have hit it; asked for: 10:00:00)
Suggested memory: 1.07 GB (50% of 20 needed at most 1000.00 MB; 45.00% would have hit it; asked for: 8.00 GB)'
	says 1 'seff: fatal: --suggest speaks of jobs one by one: leave out -u and the machine formats' \
		--suggest -u amy
}

# wasted ID USER ACCOUNT PARTITION HOURS WORD...: it ended an hour ago, after so many hours
wasted() {
	local id=$1 user=$2 account=$3 partition=$4 hours=$5
	shift 5
	srecord job id="$id" user="$user" account="$account" partition="$partition" nodes=1 \
		submit=$((NOW - 90000)) start=$((NOW - 3600 - hours * 3600)) end=$((NOW - 3600)) \
		state=COMPLETED "$@"
}

# Who asked for what: amy in two accounts, cat without anything measured.
wasteful_week() {
	local i
	export BURSAR_STORE=$(store) BURSAR_NOW=1790928000 NOW=1790928000
	printf '%s\n' PartitionName=debug\ Nodes=vm\ Default=YES PartitionName=long\ Nodes=vm \
		>>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	local_users amy bob cat
	sacctmgr -iQ add account chem >/dev/null
	sacctmgr -iQ add user amy,cat account=chem >/dev/null
	for i in 1 2 3; do
		wasted $i amy phys debug 2 name=sim cpus=8 mem=16G timelimit=600 cputime=14400 maxrss=2G
	done
	wasted 4 amy chem long 1 name=fit cpus=2 mem=4G timelimit=60 cputime=7200 maxrss=4G
	wasted 5 bob phys long 10 name=big cpus=16 mem=100G timelimit=1200 cputime=36000 maxrss=50G
	wasted 6 bob phys long 10 name=odd cpus=64 timelimit=1200 state=FAILED
	srecord step job=6 step=batch tasks=1
	wasted 7 cat chem debug 10 name=no cpus=64 mem=100G timelimit=1200 state=CANCELLED
	srecord job id=8 user=cat submit=$((NOW - 900000)) start=$((NOW - 800000)) \
		end=$((NOW - 700000)) cputime=60 cpus=4
	srecord job id=9 user=cat submit=$((NOW - 9000)) start=$((NOW - 8000)) cpus=4
}

@test "seff --waste: who asked for what was not used, the worst first" {
	wasteful_week
	prints '      User  Jobs Unknown  CPU%  CPUhLost  Mem%  GiBhLost  GPU% GPUhLost Time% TimehLost     Newest Enough                              $
---------- ----- ------- ----- --------- ----- --------- ----- -------- ----- --------- ---------- ------------------------------------$
       bob     2       1   6.2    150.00  50.0    500.00                 50.0     10.00          5 cpus=1 mem=55G time=11:00:00        $
       amy     4       0  28.0     36.00  16.0     84.00                 22.6     24.00          3 cpus=2 mem=2253M time=02:12:00      $
       cat     1       1                                                                         7                                     $' \
		shown seff --waste
	# What it says is enough is taken at its word, and is what --suggest says.
	[[ $(seff --suggest 3) == *'Suggested cores: 2 (95% of 3 kept at most 2.00 busy; asked for: 8)'*'Suggested time limit: 02:12:00 ('* ]]
	refuses 'time=02:12:00x' splan --when="$(seff --waste --json user=amy | jq -r '.groups[0].enough')x"
	splan --when="user=amy $(seff --waste --json user=amy | jq -r '.groups[0].enough')" >/dev/null
	# What lost most but failed tells nothing; the next does.
	wasted 10 amy phys debug 9 name=bad cpus=64 timelimit=600 cputime=60 state=FAILED
	prints '3|cpus=2 mem=2253M time=02:12:00' bash -c "seff --waste user=amy -nP | cut -d'|' -f12,13"
	# Of which nothing is known are last, and null.
	prints '["cat",1,1,null,null,null,null,null,null,null,null,"7",""]' bash -c \
		'seff --waste --ndjson user=cat | jq -c "[.[]]"'
}

@test "seff --waste: by account and partition, of some jobs, by what was lost" {
	wasteful_week
	prints 'phys|long|150.00
phys|debug|36.00
chem|long|0.00
chem|debug|' bash -c "seff --waste -nP by=partition,account | cut -d'|' -f1,2,6"
	prints 'debug 36.00 24.00
long 150.00 10.00' bash -c "seff --waste --csv by=partition sort=time | awk -F, 'NR > 1 { print \$1, \$5, \$11 }'"
	prints 'bob|500.00
amy|84.00
cat|' bash -c "seff --waste sort=mem -nP | cut -d'|' -f1,7"
	prints 'amy|3' bash -c "seff --waste account=phys part=debug -nP | cut -d'|' -f1,2"
	prints $'bob|2\namy|1' bash -c "seff --waste partition=long -nP | cut -d'|' -f1,2"
	prints 'amy|4' bash -c "seff --waste -u amy -nP | cut -d'|' -f1,2"
	prints 'cat|2|1' bash -c "seff --waste user=cat since=now-20days -nP | cut -d'|' -f1-3"
	prints 'cat|1|0' bash -c "seff --waste since=now-20days until=now-8days -nP | cut -d'|' -f1-3"
	says 1 $'seff: error: --waste: unknown word \'usr=x\'\nseff: did you mean \'user\'?' --waste usr=x
	says 1 "seff: fatal: --waste: by='job' is none of user, account, partition" --waste by=job
	says 1 "seff: fatal: the jobs' window ends before it begins" --waste since=now until=now-1day
	[[ $(seff --complete -- --waste part) == partition= ]]
	[[ $(seff --complete -- --waste partition=lo) == partition=long ]]
}

@test "seff --waste: GPUs that were idle, as far as anybody looked" {
	wasteful_week
	echo AccountingStorageTRES=gres/gpu >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	wasted 11 amy chem long 10 name=net gpus=4 cputime=60
	srecord step job=11 step=0 tasks=2 maxgpuutil=45
	wasted 12 bob phys long 10 name=net gpus=4 cputime=60
	prints $'amy|22.5|31.00\nbob||' bash -c "seff --waste sort=gpu -nP | sed -n 1,2p | cut -d'|' -f1,8,9"
	prints 'gpus=1' bash -c "seff --waste -nP user=amy account=chem partition=long sort=gpu | grep -o 'gpus=[0-9]*'"
	[[ $(seff --suggest 11) == *'Suggested GPUs: 1 (95% of 1 kept at most 0.90 busy; asked for: 4)'* ]]
	# What Slurm tells of them comes in and goes out.
	[[ $(sacct -nPj 11.0 -o tresusageinmax) == *gres/gpuutil=45* ]]
	printf '%s\n' 'JobID|JobName|User|Account|Start|End|State|AllocTRES|TRESUsageInMax' \
		'20|net|bob|phys|2026-10-01T00:00:00|2026-10-01T10:00:00|COMPLETED|cpu=1,gres/gpu=2|' \
		'20.0|net|||2026-10-01T00:00:00|2026-10-01T10:00:00|COMPLETED|cpu=1,gres/gpu=2|cpu=00:00:07,gres/gpuutil=0' |
		srecord import - >/dev/null
	prints '0|0.0|20.00' bash -c "seff --waste -nP user=bob by=account since=2026-10-01 until=2026-10-02 | cut -d'|' -f3,8,9"
	[[ $(seff --waste user=bob since=2026-10-01 until=2026-10-02) == *gpus=0* ]]
}

@test "seff --waste: under PrivateData=jobs each sees his own" {
	wasteful_week
	echo PrivateData=jobs >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	prints $'amy|4' as amy bash -c "seff --waste -nP | cut -d'|' -f1,2"
	prints '' as amy seff --waste -nP user=bob
	prints 'phys|3' as amy bash -c "seff --waste -nP by=account account=phys | cut -d'|' -f1,2"
}

# suggests JOB TIME MEMORY: after "Suggested time limit: " and "Suggested memory: "
suggests() {
	capture seff --suggest "$1"
	same "suggestion for $1" "$(tail -2 <<<"$stdout")" \
		"Suggested time limit: $2"$'\n'"Suggested memory: $3"
}

@test "seff: jobs that their limit killed needed at least so much" {
	local i
	# Jobs of a year are looked at, and these have their dates.
	export BURSAR_STORE=$(store) BURSAR_NOW=1790928000
	job 1 3600 name=late cpus=2 mem=1G timelimit=60 state=TIMEOUT maxrss=100M
	job 2 60 name=full cpus=2 mem=1G timelimit=60 state=OUT_OF_MEMORY maxrss=1000M
	suggests 1 'cannot tell: it ran into its limit (asked for: 01:00:00)' \
		'no similar job recorded what it used'
	suggests 2 'no similar job recorded what it used' \
		'cannot tell: it ran into its limit (asked for: 1.00 GB)'
	for i in 3 4 5; do
		job $i 600 name=late cpus=2 mem=1G timelimit=60 maxrss=100M
		job $((i + 3)) 600 name=full cpus=2 mem=1G timelimit=60 maxrss=100M
	done
	suggests 1 'cannot tell: 1 of 4 ran into their limit (asked for: 01:00:00)' \
		'110.00 MB (95% of 3 needed at most 100.00 MB; 0.00% would have hit it; asked for: 1.00 GB)'
	suggests 2 '00:11:00 (95% of 3 needed at most 00:10:00; 0.00% would have hit it; asked for: 01:00:00)' \
		'cannot tell: 1 of 4 ran into their limit (asked for: 1.00 GB)'
	job 9 7200 name=late cpus=2 mem=1G timelimit=180 maxrss=100M
	suggests 1 '02:12:00 (1 of 5 ran into their limit; 95% of 5 needed at most 02:00:00; 0.00% would have hit it; asked for: 01:00:00)' \
		'110.00 MB (95% of 4 needed at most 100.00 MB; 0.00% would have hit it; asked for: 1.00 GB)'
	capture seff --suggest --quantile=60 1
	[[ $stdout == *'time limit: 00:11:00 (1 of 5 ran into their limit; 60% of 5 needed at most 00:10:00; 40.00% would have hit it;'* ]]
}
# clang-format on

@test "seff: under PrivateData=jobs the jobs of others are not there" {
	echo PrivateData=jobs >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	job 1 60
	capture as bob seff 1
	same status "$status" 2
	capture as amy seff 1
	same status "$status" 0
}

# The commands and outputs of the literal blocks of a page; blanks at the end do not count.
examples() {
	awk '
	/^\.Bd -literal/ { on = 1; next }
	/^\.Ed/ { on = 0 }
	on' "$1" | sed 's/^\\&//; s/\\e/\\/g; s/[[:blank:]]*$//'
}

@test "seff: the examples of the manual" {
	examples "$BATS_TEST_DIRNAME/../../man/seff.1" >wanted
	(($(grep -c '^\$ ' wanted) >= 3))
	while IFS= read -r command; do
		printf '$ %s\n' "$command"
		eval "$command" 2>&1 </dev/null || true
	done < <(sed -n 's/^\$ //p' wanted) | sed 's/[[:blank:]]*$//' >got
	same examples "$(<got)" "$(<wanted)"
	for word in $(seff -h | grep -oE -- '--[a-z][a-z0-9-]+' | sort -u); do
		grep -qE -- "[ ,]-${word#--}( |\$)" "$BATS_TEST_DIRNAME/../../man/seff.1" ||
			same option '' "$word"
	done
}
