#!/usr/bin/env bats
# ssim: the reference schedules, what is said of a trace, what is refused.

load lib
bats_require_minimum_version 1.5.0

traces=$BATS_TEST_DIRNAME/../traces
page=$BATS_TEST_DIRNAME/../../man/ssim.1
kth=$traces/KTH-SP2-1996.swf.gz

setup() {
	fresh_cluster
}

# job ID SUBMIT RUN PROCS LIMIT [STATUS [USER]]: a line of SWF.
job() {
	echo "$1 $2 -1 $3 $4 -1 -1 $4 $5 -1 ${6:-1} ${7:-1} 1 -1 -1 -1 -1 -1"
}

four() {
	echo "; MaxProcs: 8"
	job 1 0 86400 6 86400
	job 2 1 43200 3 43200 1 2
	job 3 2 172800 4 172800 1 3
	job 4 3 122400 2 122400 1 4
}

@test "ssim: KTH-SP2 under FCFS and EASY: the start of every job" {
	for policy in fcfs easy; do
		ssim --policy=$policy --starts=starts.csv "$kth" >out
		zcat "$traces/KTH-SP2-$policy-start-times.csv.gz" | cmp - starts.csv
	done
}

@test "ssim: KTH-SP2: the reference figures" {
	prints 'fcfs|29379608|353776.41|409362.00|805926.00|6814.97|0.6852|0
easy|29363626|6834.59|0.00|37634.00|92.69|0.6856|0
conservative|29363626|7316.24|0.00|39007.00|88.97|0.6856|0' \
		ssim -nP --by=policy "$kth" \
		-o policy,makespan,meanwait,medianwait,p95wait,meanbounded,utilization,late
	# All four decimals.
	[ "$(ssim --policy=conservative --ndjson "$kth" |
		jq '.mean_bounded_slowdown * 10000 | round')" = 889666 ]
}

@test "ssim: what was replayed stands above the table" {
	run ssim "$kth"
	[ "$status" -eq 0 ]
	[[ $output == *"Rows       28489"*"Jobs       28481"*"LeftOut    8 no run time"* ]]
	[[ $output == *"Changed    475 ran over the limit (run cut to it)"* ]]
	[[ $output == *"Procs      100"*"Estimates  user"*"Seed       0"* ]]
}

@test "ssim: the same seed, the same result; another, another" {
	ssim --seed=7 --estimates=random:3 -P "$kth" >one
	ssim --seed=7 --estimates=random:3 -P "$kth" >two
	ssim --seed=8 --estimates=random:3 -P "$kth" >three
	cmp one two
	run ! cmp -s one three
}

@test "ssim: start times as a trace of its own" {
	four >four.swf
	ssim --policy=easy --starts=easy.swf four.swf >out
	[ "$(grep -c -v '^;' easy.swf)" -eq 4 ]
	grep -q '^4 3 0 122400 2 -1 -1 2 122400 -1 1 4 1 -1 -1 -1 -1 -1$' easy.swf
	ssim --policy=easy --starts=again.swf easy.swf >out
	cmp easy.swf again.swf
	refuses "an SWF file holds one replay" ssim --starts=x.swf four.swf
	refuses "'x.txt' ends neither with .csv nor with .swf" ssim --starts=x.txt four.swf
	refuses "No such file" ssim --starts=none/x.csv four.swf
}

@test "ssim: pictures" {
	four >four.swf
	ssim --svg=curves:curves.svg --svg=gantt:gantt.svg four.swf >out
	xmllint --noout curves.svg gantt.svg
	# Every job of every policy, in one piece or several, with its name and tale.
	[ "$(grep -c '<title>job 2, user 2: 3 processors, waited 86399 s, ran 43200 of 43200 s' \
		gantt.svg)" -ge 3 ]
	grep -q '>conservative<' gantt.svg
	grep -q 'four.swf: 4 jobs, 8 processors' curves.svg
	# What is mostly where another is lies below it, wider.
	ssim --policy=fcfs --policy=fcfs --svg=curves:twins.svg four.swf >out
	same twins "$(grep -c 'stroke-width: 5' twins.svg)" 2
	{ four; job 5 300000 100 8 200; job 6 300001 100 8 200; } >six.swf
	ssim --policy=fcfs --policy=easy --svg=twins.svg six.swf >out
	(($(grep -c 'stroke-width: 5' twins.svg) > 0))
	# Groups in which nobody waits have no bars; labels have the room they need.
	{ cat six.swf; job 7 900000 100 1 200 1 "$(printf 1%.0s {1..9})"; } >seven.swf
	ssim --policy=fcfs --policy=easy --svg=waits.svg --compare=user seven.swf >out
	same users "$(sed -n 's/.* class="number">\(user [0-9]*\)<.*/\1/p' waits.svg | xargs)" \
		'user 1 user 2 user 3 user 4'
	grep -q '>Not shown: 0 groups that used less, 1 in which nobody waits<' waits.svg
	{ cat six.swf; job 7 300002 100 8 200 1 "$(printf 1%.0s {1..9})"; } >seven.swf
	ssim --policy=fcfs --policy=easy --svg=waits.svg --compare=user seven.swf >out
	grep -q '>user 111111111<' waits.svg
	# A year of jobs is drawn as through a grid.
	ssim --policy=easy --svg=gantt:gantt.svg "$kth" >out
	xmllint --noout gantt.svg
	[ "$(wc -c <gantt.svg)" -lt 600000 ]
	run ! grep -q '<title>' gantt.svg
	ssim --policy=easy --svg=gantt:gantt.svg --show=8000000,8100000 "$kth" >out
	grep -q '<title>job ' gantt.svg
	refuses "'5' is not FROM,UNTIL" ssim --show=5 --svg=gantt:x.svg four.swf
	refuses "'5,5' is empty" ssim --show=5,5 --svg=gantt:x.svg four.swf
	refuses "none/x.svg: No such file" ssim --svg=gantt:none/x.svg four.swf
	job 1 0 100 1 200 >one.swf
	ssim --procs=8 --svg=waits:- one.swf >waits.svg
	xmllint --noout waits.svg
	grep -q '>nothing<' waits.svg
	refuses "No space left" ssim --svg=curves:/dev/full four.swf
}

@test "ssim: slurm's parameters, one by one" {
	four >four.swf
	refuses "slurm:bf_lunch=1: 'bf_lunch' is not a scheduler parameter" \
		ssim --policy=slurm:bf_lunch=1 four.swf
	refuses "bf_window: 'x' is not a number" ssim --policy=slurm:bf_window=x four.swf
	refuses "bf_resolution" ssim --policy=slurm:bf_resolution=0 four.swf
	prints 'slurm:bf_window=1440
slurm:bf_window=4320' ssim -nP --by=policy -o policy --policy=slurm:bf_window=1440 \
		--policy=slurm:bf_window=4320 four.swf
}

# starts WORDS FILE: what the main pass alone makes of it, "start start ..."
starts() {
	ssim --conf=one.conf --policy="slurm:bf_interval=-1$1" --starts=s.csv "$2" >out
	sed 1d s.csv | cut -d, -f2 | xargs
}

@test "ssim: how far and how often slurm's main pass looks at the queue" {
	printf '%s\n' ClusterName=canis 'NodeName=n1 CPUs=8' 'PartitionName=p Nodes=n1' >one.conf
	{
		echo '; MaxProcs: 8'
		job 1 5 100 8 100
		for id in 2 3 4; do
			job $id 6 500 1 600
		done
	} >queue.swf
	same whole "$(starts '' queue.swf)" '5 105 105 105'
	# The rest of the queue waits for a pass over all of it, at multiples of sched_interval.
	same depth "$(starts ,default_queue_depth=1 queue.swf)" '5 105 105 120'
	same interval "$(starts ,default_queue_depth=1,sched_interval=400 queue.swf)" \
		'5 105 105 400'
	same 'events alone' "$(starts ,default_queue_depth=1,sched_interval=-1 queue.swf)" \
		'5 105 105 605'
	same partition "$(starts ,partition_job_depth=1 queue.swf)" '5 105 605 1105'
	same most "$(starts ,sched_max_job_start=1 queue.swf)" '5 105 120 180'
	{ echo '; MaxProcs: 8'; job 1 5 100 1 100; job 2 6 100 1 100; } >two.swf
	same 'at once' "$(starts '' two.swf)" '5 6'
	same pause "$(starts ,sched_min_interval=9000000 two.swf)" '5 14'
}

@test "ssim: each yield of slurm's backfill pass lets it sleep" {
	{ echo '; MaxProcs: 4'; job 1 0 6000 3 6000; job 2 1 600 4 600; job 4 3 600 1 600; } >y.swf
	local words=bf_max_time=3600,bf_continue,bf_yield_sleep=10000000 often
	set -- --nodes=4 --cpus-per-node=1 --test-cost=5 -o policy y.swf --starts=s.csv
	ssim --policy=slurm:$words,bf_yield_interval=1 "$@" >out
	often=$(<s.csv)
	ssim --policy=slurm:$words,bf_yield_interval=10000000 "$@" >out
	[[ $often != "$(<s.csv)" ]]
}

@test "ssim: parameters that are not simulated are refused" {
	local word
	four >four.swf
	for word in max_sched_time=1 batch_sched_delay=10 build_queue_timeout=5 defer defer_batch \
		max_rpc_cnt=20 bf_hetjob_immediate \
		bf_hetjob_prio=avg bf_yield_rpc_cnt=5 max_switch_wait=10; do
		refuses "slurm:$word: ${word%=*} is not simulated: " \
			ssim --policy="slurm:$word" four.swf
	done
	printf '%s\n' ClusterName=canis 'NodeName=n1 CPUs=8' 'PartitionName=p Nodes=n1' \
		SchedulerParameters=defer,bf_window=3000,max_rpc_cnt=2 >d.conf
	ssim --conf=d.conf --policy=slurm --policy=slurm:bf_window=4320 four.swf >out 2>err
	same 'of slurm.conf' "$(<err)" \
		'ssim: warning: SchedulerParameters: not simulated: defer, max_rpc_cnt'
}

@test "ssim: slurm without backfill is first come, first served; with it, much better" {
	unset SLURM_CONF
	ssim --policy=slurm:bf_interval=-1 --end=3000000 --starts=slurm.csv "$kth" >out
	ssim --policy=fcfs --end=3000000 --starts=fcfs.csv "$kth" >out
	cmp slurm.csv fcfs.csv
	ssim --policy=fcfs --policy=slurm --end=3000000 --csv -o meanwait "$kth" |
		awk 'NR == 2 { fcfs = $1 } NR == 3 { exit !($1 < fcfs / 5) }'
}

@test "ssim: nodes, partitions and priorities of a slurm.conf" {
	cat >two.conf <<-END
		ClusterName=x
		NodeName=a[1-2] CPUs=4
		NodeName=b CPUs=8 State=DOWN
		PartitionName=day Nodes=a[1-2] Default=YES
		PartitionName=small Nodes=a1 MaxTime=1:00:00
		PriorityType=priority/multifactor
		PriorityWeightJobSize=1000
		SchedulerParameters=bf_interval=-1
	END
	{
		echo "; Queue: 1 small"
		job 1 0 600 8 600
		job 2 1 600 1 600
		job 3 2 600 8 600
		job 4 3 600 4 600 | sed 's/\(.*\) -1 -1 -1 -1/\1 1 -1 -1 -1/'
		job 5 4 600 9 600
		job 6 5 60 1 7200 | sed 's/\(.*\) -1 -1 -1 -1/\1 1 -1 -1 -1/'
	} >six.swf
	capture ssim --conf=two.conf --policy=slurm --starts=starts.csv six.swf
	[ "$(<starts.csv)" = $'job_id,start_time\n1,0\n2,1200\n3,600\n4,1200\n6,' ]
	[[ $stdout == *"1 larger than the machine"*"Procs      8"*"NeverStarted"*" 1"* ]]
	[[ $stderr == *"warning: slurm: 1 job never started; job 6: PartitionTimeLimit"* ]]
	echo ClusterName=x >bare.conf
	refuses "bare.conf has no NodeName" ssim --conf=bare.conf six.swf
	refuses "none.conf" ssim --conf=none.conf six.swf
	unset SLURM_CONF
	ssim --policy=slurm:bf_interval=-1 --nodes=4 --cpus-per-node=4 --starts=s.csv six.swf >out
	[[ $(<s.csv) == *$'\n1,0\n2,1\n3,600\n4,600\n5,1200\n6,1200' ]]
	refuses "--nodes: '0' is not a number" ssim --nodes=0 six.swf
	refuses "--cpus-per-node: 'x' is not" ssim --cpus-per-node=x six.swf
}

@test "ssim: predictions and a slow scheduler" {
	# The third job of the user is believed to run 10 s, so the fourth may not pass it.
	{
		echo "; MaxProcs: 2"
		job 1 0 10 1 1000
		job 2 0 10 1 1000
		job 3 20 10 1 1000
		job 4 21 10 2 1000
		job 5 22 10 1 998 1 2
	} >five.swf
	ssim --policy=easy --starts=starts.csv five.swf >out
	grep -q '^5,22$' starts.csv
	ssim --policy=easy --predict=last2 --starts=starts.csv five.swf >out
	grep -q '^5,40$' starts.csv
	ssim --policy=easy --test-cost=5 --starts=starts.csv five.swf >out
	grep -q '^1,5$' starts.csv
	grep -q '^2,10$' starts.csv
}

@test "ssim: jobs larger than the machine, out of order, without limits" {
	{
		job 1 50 10 1 100
		job 2 20 10 9 100
		job 3 30 10 1 -1
		job 4 -1 10 1 100
		job 5 40 -1 1 100 5
	} >odd.swf
	capture ssim --procs=4 --starts=starts.csv odd.swf
	[ "$status" -eq 0 ]
	[[ $stdout == *"1 no submit time, 1 no run time, 1 no time limit, 1 larger than the "* ]]
	[[ $stderr == *"warning: odd.swf: larger than the machine: 1 job, the first is job 2"* ]]
	[[ $stderr == *"no time limit: 1 job, the first is job 3"* ]]
	capture ssim --procs=9 --missing-limit=run --starts=starts.csv odd.swf
	[ "$(<starts.csv)" = $'job_id,fcfs,easy,conservative\n2,20,20,20\n3,30,30,30\n1,50,50,50' ]
	[[ $stdout == *"1 given a limit, 1 out of order, sorted"* ]]
	capture ssim --procs=9 -Q odd.swf
	[ "$stderr" = "" ]
}

@test "ssim: a window of the trace" {
	local count="ssim -nP --by=policy -o jobs --policy=easy"
	prints 15 $count --end=600000 "$kth"
	[ "$($count --start=1997-01-01 --end=1997-02-01 "$kth")" -gt 1000 ]
	four >four.swf
	refuses "does not say when it began" ssim --start=1997-01-01 four.swf
	refuses "is empty" ssim --start=5 --end=5 four.swf
	refuses "Invalid time specification" ssim --start=lunch "$kth"
	refuses "none of 4 jobs can be replayed" ssim --start=5 --end=6 four.swf
}

@test "ssim: the store's own history" {
	printf '%s\n' ClusterName=kth 'NodeName=n[001-100] CPUs=1' \
		'PartitionName=batch Nodes=ALL Default=YES' >kth.conf
	export SLURM_CONF=$PWD/kth.conf BURSAR_STORE=$PWD/kth.db
	refuses "there is no store" ssim
	cluster_store
	refuses "none of 0 jobs can be replayed" ssim
	BURSAR_NOW=845000000 srecord import --create "$BATS_TEST_DIRNAME/../import/kth.swf" \
		2>import.log
	ssim --starts=store.csv >out
	grep -qx 'Trace      kth' out
	grep -qx 'Procs      100' out
	ssim --starts=file.csv "$BATS_TEST_DIRNAME/../import/kth.swf" >out
	cmp store.csv file.csv
	ssim --policy=slurm --svg=gantt:gantt.svg >out
	grep -q 'user u[0-9]' gantt.svg
	# A window, in times of the store; another machine.
	[ "$(ssim -nP --by=policy -o jobs,procs --policy=easy --procs=200 --start=1996-09-30)" \
		= "$(awk -v from=$(($(date -d 1996-09-30 +%s) - 843480031)) \
			'!/^;/ && $2 >= from { n++ } END { print n "|200" }' \
			"$BATS_TEST_DIRNAME/../import/kth.swf")" ]
	echo ClusterName=kth >kth.conf
	refuses "slurm.conf has no nodes" ssim
}

# asked WORD...: a job of the store, which asks for these.
asked() {
	srecord job user=ann account=lab timelimit=10 submit=2026-01-01T00:00:00 \
		start=2026-01-01T01:00:00 end=2026-01-01T01:10:00 state=COMPLETED "$@" >/dev/null
}

@test "ssim: what jobs asked for and no replay has is said in one line" {
	local said='ssim: warning: canis: asked for and not simulated: '
	rm -rf "$BATS_TEST_TMPDIR"/{etc,run,store,bin}
	fresh_cluster 'NodeName=n[1-4] CPUs=8 RealMemory=1000 Gres=gpu:2' GresTypes=gpu \
		'PartitionName=p Nodes=n[1-4] Default=YES' AccountingStorageTRES=gres/gpu \
		Licenses=lic:3
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	asked cpus=2 mem=0
	asked cpus=16 nodes=2 mem=0
	ssim --policy=slurm >out 2>err
	same 'two full nodes under slurm' "$(<err)" ''
	ssim --policy=easy --policy=slurm >out 2>err
	same 'without nodes' "$(<err)" \
		"${said}several nodes (1 job under easy); waits may be far too short"
	asked cpus=4 nodes=2 mem=100
	asked cpus=1 mem=100 gpus=1
	asked cpus=1 mem=0 licenses=lic:2
	ssim --policy=slurm --json >out 2>err
	same 'all of it' "$(<err)" "${said}memory (2 jobs), GPUs and other GRES (1 job), \
licenses (1 job), several nodes (1 job); waits may be far too short"
	jq -e . out >/dev/null
	ssim --policy=slurm --quiet >out 2>err
	same 'with --quiet' "$(<err)" ''
	sed -i 's/^SelectTypeParameters=.*//' "$SLURM_CONF"
	echo SelectTypeParameters=CR_Core >>"$SLURM_CONF"
	ssim --policy=slurm >out 2>err
	[[ $(<err) == "${said}GPUs"* ]]
	{ echo '; MaxProcs: 8'; echo '1 1 -1 9 2 -1 -1 2 9 1024 1 1 1 -1 -1 -1 -1 -1'; } >mem.swf
	env -u SLURM_CONF ssim --policy=fcfs mem.swf >out 2>err
	[[ $(<err) == *'mem.swf: asked for and not simulated: memory (1 job); waits may'* ]]
}

@test "ssim: fair share of the store's tree" {
	cat >x.conf <<-END
		ClusterName=x
		NodeName=n CPUs=4
		PartitionName=batch Nodes=n Default=YES
		PriorityType=priority/multifactor
		PriorityWeightFairshare=1000
	END
	export SLURM_CONF=$PWD/x.conf BURSAR_STORE=$PWD/x.db
	sacctmgr -iQ add account rich fairshare=90
	sacctmgr -iQ add account poor fairshare=10
	sacctmgr -iQ add user ann account=rich
	sacctmgr -iQ add user bob account=poor
	local id=0 who
	for who in ann,rich bob,poor bob,poor ann,rich; do
		srecord job id=$((++id)) user=${who%,*} account=${who#*,} cpus=4 timelimit=60 \
			submit=2026-01-01T00:00:0$id start=2026-01-02T0$id:00:00 \
			end=2026-01-02T0$id:30:00 state=COMPLETED
	done
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(tail -n +2 starts.csv | sort -t, -n -k2 | cut -d, -f1 | paste -sd' ')" = "1 2 4 3" ]
	sacctmgr -iQ modify account rich set fairshare=1
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(tail -n +2 starts.csv | sort -t, -n -k2 | cut -d, -f1 | paste -sd' ')" = "1 2 3 4" ]
}

@test "ssim: bad traces" {
	four >four.swf
	refuses "cannot be read: No such file" ssim none.swf
	refuses "one trace at a time: 'b'" ssim a b
	grep -v MaxProcs four.swf >nameless.swf
	refuses "does not say how large the machine is" ssim nameless.swf
	echo "5 0 0 x" >>four.swf
	refuses "four.swf:6: field 4: 'x' is not a number" ssim four.swf
	head -c 100000 "$kth" >cut.swf.gz
	refuses "compressed data end early or are damaged" ssim cut.swf.gz
	: >empty.swf
	refuses "does not say how large" ssim empty.swf
	refuses "none of 0 jobs" ssim --procs=4 empty.swf
	{
		echo "; MaxProcs: 1073741824"
		job 1 0 10 1 1000
		job 2 0 9007199254740991 1 9007199254740991
		job 3 9007199254740991 10 1 1000
		job 4 1 10 1073741824 1000
	} >huge.swf
	ssim -nP -o jobs,leftout,makespan --policy=conservative huge.swf >out
	[ "$(<out)" = $'Jobs|2\nLeftOut|2 a time of thousands of years\nMakespan|20' ]
	refuses "1073741824 nodes are too many for slurm" ssim --policy=slurm huge.swf
	printf 'a\0b\n' >binary.swf
	refuses "binary.swf:1: no text" ssim binary.swf
}

@test "ssim: bad options" {
	four >four.swf
	refuses "unknown policy 'random'; expected fcfs" ssim --policy=random four.swf
	refuses "--procs: '0' is not a number" ssim --procs=0 four.swf
	refuses "--procs: '4x' is not a number" ssim --procs=4x four.swf
	refuses "--seed: '-1' is not a number" ssim --seed=-1 four.swf
	refuses "unknown word 'random:0.5'" ssim --estimates=random:0.5 four.swf
	refuses "unknown word 'quantile:2'" ssim --predict=quantile:2 four.swf
	refuses "'soon' is not a number of seconds" ssim --test-cost=soon four.swf
	refuses "'x' is neither keep nor drop" ssim --cancelled=x four.swf
	refuses "'x' is neither cut nor raise" ssim --over-limit=x four.swf
	refuses "'x' is neither drop nor run" ssim --missing-limit=x four.swf
	refuses "'nothing' is not a field" ssim -o nothing four.swf
	refuses "unrecognized option '--bogus'" ssim --bogus four.swf
}

@test "ssim: output for machines" {
	four >four.swf
	[[ $(ssim --csv four.swf) == policy,trace,rows,jobs,*$'\n'fcfs,four.swf,4,4,none,* ]]
	[ "$(ssim --ndjson four.swf | jq -r '.policy + " " + (.overtaken | tostring)')" = \
		$'fcfs 0\neasy 2\nconservative 0' ]
	[ "$(ssim --json four.swf | jq '.replays | length')" = 3 ]
	ssim --yaml four.swf | grep -q 'policy: .*easy'
	[ "$(ssim -nP four.swf | grep -c '^MeanWait|')" = 1 ]
	cat four.swf | ssim -nP --policy=easy -o maxwait - | grep -q '^MaxWait|122401.00$'
	[ "$(ssim --helpformat | wc -l)" -gt 30 ]
}

# labs [LINES...]: labs a and b with two jobs of an hour each, of 4 of 8 CPUs
labs() {
	printf '%s\n' ClusterName=x 'NodeName=n CPUs=8' 'PartitionName=batch Nodes=n Default=YES' \
		AccountingStorageEnforce=limits,qos "$@" >labs.conf
	export SLURM_CONF=$PWD/labs.conf BURSAR_STORE=$PWD/labs.db
	sacctmgr -iQ add account a,b >/dev/null
	sacctmgr -iQ add user ann account=a >/dev/null
	sacctmgr -iQ add user bob account=b >/dev/null
	local id=0 who
	for who in ann,a ann,a bob,b bob,b; do
		srecord job id=$((++id)) user=${who%,*} account=${who#*,} cpus=4 timelimit=60 \
			submit=2026-01-01T00:00:00 start=2026-01-02T0$id:00:00 \
			end=2026-01-02T0$((id + 1)):00:00 state=COMPLETED
	done
}

@test "ssim: the examples of the manual page" {
	labs
	four >four.swf
	awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$page" |
		sed 's/^\\&//; s/\\e/\\/g; s/[[:blank:]]*$//' >wanted
	(($(grep -c '^\$ ' wanted) >= 4))
	while IFS= read -r command; do
		printf '$ %s\n' "$command"
		eval "$command" 2>&1 </dev/null || true
	done < <(sed -n 's/^\$ //p' wanted) | sed 's/[[:blank:]]*$//' >got
	same examples "$(<got)" "$(<wanted)"
}

@test "ssim: every field and option is in the manual page" {
	{ ssim --helpformat && ssim --compare=all --helpformat; } | awk '{ print $1 }' |
		sed -E 's/^(Mean|Median|P95|Max)//' |
		sort -u | while read -r field; do
		grep -qE "Cm .*\b(Mean|Max)?$field\b" "$page" || echo "$field"
	done >missing
	ssim --help | grep -o -- '--[a-z0-9-]*' | sort -u | while read -r option; do
		grep -q -- " ${option#-}\b" "$page" || echo "$option"
	done >>missing
	same "what the page lacks" "$(<missing)" ''
}

@test "ssim: limits of the store's associations hold under slurm" {
	cat >x.conf <<-END
		ClusterName=x
		NodeName=n CPUs=8
		PartitionName=batch Nodes=n Default=YES
		AccountingStorageEnforce=limits
	END
	export SLURM_CONF=$PWD/x.conf BURSAR_STORE=$PWD/x.db
	sacctmgr -iQ add account lab
	sacctmgr -iQ add user ann account=lab
	sacctmgr -iQ add user bob account=lab
	local id=0 who
	for who in ann ann ann bob; do
		srecord job id=$((++id)) user=$who account=lab cpus=2 timelimit=60 \
			submit=2026-01-01T00:00:0$id start=2026-01-02T0$id:00:00 \
			end=2026-01-02T0$id:30:00 state=COMPLETED
	done
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(paste -sd' ' starts.csv)" = "job_id,start_time 1,0 2,1 3,2 4,3" ]
	sacctmgr -iQ modify user ann set maxjobs=1
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(paste -sd' ' starts.csv)" = "job_id,start_time 1,0 2,1800 3,3600 4,3" ]
	sacctmgr -iQ modify user ann set maxjobs=-1
	sacctmgr -iQ modify account lab set grptres=cpu=4
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(paste -sd' ' starts.csv)" = "job_id,start_time 1,0 2,1 3,1800 4,1801" ]
	# Only where they are enforced.
	sed -i /Enforce/d x.conf
	ssim --policy=slurm --starts=starts.csv >out
	[ "$(paste -sd' ' starts.csv)" = "job_id,start_time 1,0 2,1 3,2 4,3" ]
}

@test "ssim: a policy as an experiment: what-if, who waits longer" {
	labs
	ssim --what-if='modify account a set GrpTRES=cpu=4' --what-if='PriorityWeightAge=7' \
		--compare=account,size,qos --csv -o by,group,policy,change,longer,shorter \
		>out 2>err
	prints "by,group,policy,change,longer,shorter
account,a,slurm,,,
account,a,slurm modify account a set GrpTRES=cpu=4,1800.00,1,0
account,a,slurm PriorityWeightAge=7,0.00,0,0
account,b,slurm,,,
account,b,slurm modify account a set GrpTRES=cpu=4,-1800.00,0,1
account,b,slurm PriorityWeightAge=7,0.00,0,0
size,3-4,slurm,,,
size,3-4,slurm modify account a set GrpTRES=cpu=4,0.00,1,1
size,3-4,slurm PriorityWeightAge=7,0.00,0,0
qos,normal,slurm,,,
qos,normal,slurm modify account a set GrpTRES=cpu=4,0.00,1,1
qos,normal,slurm PriorityWeightAge=7,0.00,0,0
all,all,slurm,,,
all,all,slurm modify account a set GrpTRES=cpu=4,0.00,1,1
all,all,slurm PriorityWeightAge=7,0.00,0,0" cat out
	same warnings "$(<err)" "ssim: warning: --what-if='PriorityWeightAge=7' changes no start"
	# For people: the metrics in short, then those that it moves, the worst first.
	ssim -Q --what-if='modify account b set GrpTRES=cpu=4' --what-if='PriorityWeightAge=7' \
		--compare=account,size >out
	same metrics "$(sed -n '/^Metric/,/^$/p' out | awk '/^[A-Z]/ { print $1, $2, $NF }')" "$(
		)Metric slurm PriorityWeightAge=7
Makespan 7200 7200
Utilization 1.0000 1.0000
LossOfCapacity 0.0000 0.0000
MeanWait 1800.00 1800.00
P95Wait 3600.00 3600.00
MeanBounded 1.50 1.50
P95Bounded 2.00 2.00"
	same moved "$(sed '1,/^--------- /d; s/  */ /g; s/ $//' out)" "$(
		)account b slurm 2 3600.00 3600.00 0
account b slurm modify account b set GrpTRES=cpu=4 2 5400.00 7020.00 1800.00 1 0 0
size 3-4 slurm 4 1800.00 3600.00 0
size 3-4 slurm modify account b set GrpTRES=cpu=4 4 2700.00 6660.00 900.00 1 0 0
all all slurm 4 1800.00 3600.00 0
all all slurm modify account b set GrpTRES=cpu=4 4 2700.00 6660.00 900.00 1 0 0
all all slurm PriorityWeightAge=7 4 1800.00 3600.00 0.00 0 0 0"
	sacctmgr -iQ modify account a set grptres=cpu=4 >silent
	ssim -Q --what-if='modify account a set GrpTRES=cpu=-1' --compare=account -n \
		-o group,change >out
	same order "$(awk 'NF > 1 { print $1, $2 }' out)" $'b 1800.00\na -1800.00\nall 0.00'
	sacctmgr -iQ modify account a set grptres=cpu=-1 >silent
	# Nothing was written.
	same limits "$(sacctmgr -nP show assoc account=a format=grptres | sort -u)" ''
	# Changes that belong together, and a semicolon that is quoted.
	ssim -Q --what-if="modify account a set GrpTRES=cpu=4 description='x;y'" \
		--compare=all -nP -o longer >out
	prints "
1" cat out
	ssim -Q --what-if="modify account a set GrpTRES=cpu=4; modify account b set GrpTRES=cpu=2" \
		--compare=account -nP -o group,jobs,neverstarted >out
	prints "a|2|0
a|2|0
b|2|0
b|0|2
all|4|0
all|2|2" cat out
}

@test "ssim: a policy as an experiment: several slurm.conf" {
	labs
	mkdir other
	sed 's/CPUs=8/CPUs=4/' labs.conf >small.conf
	sed 's/CPUs=8/CPUs=16/' labs.conf >other/labs.conf
	prints "slurm labs.conf|8|7200
slurm small.conf|4|14400" ssim --conf=labs.conf --conf=small.conf --by=policy -nP \
		-o policy,procs,makespan
	prints "slurm labs.conf|7200
slurm other/labs.conf|3600" ssim --conf=labs.conf --conf=other/labs.conf --by=policy -nP \
		-o policy,makespan
	# Both together, and beside another policy.
	ssim --policy=fcfs --policy=slurm:bf_interval=60 --conf=labs.conf --conf=small.conf \
		--what-if='modify account a set GrpTRES=cpu=4' --by=policy -nP -o policy,procs >out
	prints "fcfs|8
slurm:bf_interval=60 labs.conf|8
slurm:bf_interval=60 labs.conf modify account a set GrpTRES=cpu=4|8
slurm:bf_interval=60 small.conf|4
slurm:bf_interval=60 small.conf modify account a set GrpTRES=cpu=4|4" cat out
	# A job that only the larger one could run counts for neither.
	srecord job id=9 user=ann account=a cpus=8 timelimit=60 submit=2026-01-01T00:00:00 \
		start=2026-01-03 end=2026-01-03T01:00:00 state=COMPLETED
	prints "4
4" ssim -Q --conf=labs.conf --conf=small.conf --by=policy -nP -o jobs
	four >four.swf
	prints "slurm labs.conf|295231
slurm other/labs.conf|172802" ssim --conf=labs.conf --conf=other/labs.conf --by=policy -nP \
		-o policy,makespan four.swf
}

@test "ssim: limits on minutes" {
	labs
	# The jobs of a have used 360 CPU minutes after 45, but for what has faded; that is
	# seen at the next multiple of five minutes.
	ssim --what-if='modify account a set GrpTRESMins=cpu=360' --what-if="modify account a set
		GrpTRESMins=cpu=300" --what-if='modify account a set MaxTRESMins=cpu=100' \
		--what-if='modify account a set GrpWall=30' \
		--by=policy -nP -o limited,neverstarted,makespan >out 2>err
	prints "0|0|7200
2|0|6600
2|0|6000
0|2|3600
2|0|4800" cat out
	same warnings "$(grep -c 'never started' err)" 1
}

@test "ssim: preemption" {
	labs PreemptType=preempt/qos PreemptMode=REQUEUE PriorityWeightQOS=1000
	sacctmgr -iQ add qos low priority=1
	sacctmgr -iQ add qos high priority=9 preempt=low
	sacctmgr -iQ modify account a set qos=low
	sacctmgr -iQ modify account b set qos=high
	# Those of b come later and push both of a aside.
	local id user account qos minute who
	for who in 1,ann,a,low,00 2,ann,a,low,00 3,bob,b,high,30 4,bob,b,high,30; do
		IFS=, read -r id user account qos minute <<<"$who"
		srecord job id="$id" user="$user" account="$account" cpus=4 timelimit=60 \
			qos="$qos" submit=2026-01-01T00:00:00 \
			eligible=2026-01-01T00:"$minute":00 start=2026-01-02T0"$id":00:00 \
			end=2026-01-02T0$((id + 1)):00:00 state=COMPLETED
	done
	ssim --what-if='modify qos low set PreemptMode=cancel' \
		--what-if='modify qos low set PreemptMode=suspend' \
		--what-if='modify qos high set preempt=' --by=policy -nP \
		-o requeued,suspended,cancelled,lost,makespan >out
	prints "2|0|0|14400|9000
0|0|2|0|5400
0|2|0|0|7200
0|0|0|0|7200" cat out
	ssim --what-if='modify qos low set PreemptMode=cancel' --compare=qos -nP \
		-o group,meanwait,preempted,cut >out
	prints "high|0.00|0|0
high|0.00|0|0
low|5400.00|2|0
low|0.00|0|2
all|2700.00|2|0
all|0.00|0|2" cat out
	# Who was pushed aside is on the machine twice.
	ssim --policy=slurm --svg=gantt:gantt.svg >out
	[ "$(grep -c 'job 1, user ann' gantt.svg)" -eq 2 ]
}

@test "ssim: who waits longer: pictures, documents, mistakes" {
	labs
	local what='modify account a set GrpTRES=cpu=4'
	ssim -Q --what-if="$what" --svg=waits:waits.svg >out
	xmllint --noout waits.svg
	grep -q "account a, slurm $what: mean wait 30.0 min (+30.0 min), 2 jobs" waits.svg
	ssim -Q --what-if="$what" --compare=account --json >out.json
	[ "$(jq -c '.groups[1] | [.by, .group, .change, .longer]' out.json)" = \
		'["account","a",1800,1]' ]
	[ "$(jq -c '.groups[0] | [.change, .longer]' out.json)" = '[null,null]' ]
	refuses "unknown word 'lab'" ssim --compare=lab
	refuses "'cheese' is not a field of --compare" ssim --compare=size -o cheese
	refuses "--what-if is about the jobs of the store" ssim --what-if=x four.swf
	refuses "neither a change of sacctmgr" ssim --what-if='cheese'
	refuses "'  ; ' is empty" ssim --what-if='  ; '
	four >four.swf
	refuses "jobs of a FILE have no QOS" ssim --compare=qos four.swf
	ssim --policy=fcfs --policy=easy --compare=user,size -nP -o group,change four.swf >out
	[ "$(sed -n 's/^all|//p' out | paste -sd"|")" = "|-23398.50" ]
}
