#!/usr/bin/env bats
# srecord import: every format, bad input, repeats, resuming. Totals are compared with what awk
# makes of the same file. tests/import has the first 400 jobs of two traces of the Parallel
# Workloads
# Archive: KTH SP2 1996 (thanks: Lars Malinowsky, PDC) and NASA Ames iPSC/860 1993 (thanks: Bill
# Nitzberg), both by way of Dror Feitelson.

load lib

traces=$BATS_TEST_DIRNAME/../import
kth_ended=845000000 nasa_ended=750000000

setup() {
	export TZ=UTC
	fresh_cluster
}

# says TEXT SQL
says() {
	same "$2" "$(ask "$2")" "$1"
}

# used USER: what USER had used when the last job had ended.
used() {
	sshare -ahP -u "$1" -o user,rawusage --at="uts$(ask 'SELECT max(end) FROM job')" |
		sed -n "s/^$1|//p"
}

# Everything an import writes, without row numbers and the time of writing.
everything() {
	ask "SELECT cluster, id, submit, user, account, name, start, end, state, tres_req,
		tres_alloc, billing FROM job ORDER BY 1, 2, 3"
	ask "SELECT job, id, state, user_usec, in_max FROM step ORDER BY 1, 2"
	ask "SELECT owner, life, at, hex(sums) FROM usage_sum ORDER BY 1, 2, 3"
	ask "SELECT owner, life, at, raw FROM usage ORDER BY 1"
	ask "SELECT node, start, end, state FROM event ORDER BY 1, 2"
}

# Jobs and cpu-seconds.
totals() {
	ask "SELECT count(*), sum((end - start) * substr(tres_alloc, 3, instr(tres_alloc, ',') - 3))
		FROM job"
}

# imports FILE [OPTION...]: without a refusal.
imports() {
	capture srecord import --create "$@"
	same "status of import $*" "$status" 0 || { printf '%s\n' "$stderr"; return 1; }
}

header='JobID|JobIDRaw|User|Account|JobName|State|ExitCode|Submit|Start|End|Elapsed|AllocCPUS'
header+='|ReqMem|NodeList|TotalCPU|MaxRSS'

# line ID USER NAME STATE SUBMIT START END: of that header, times as seconds.
line() {
	printf '%s|%s|%s|phys|%s|%s|0:0|%s|%s|%s|00:10:00|4|4G|n1||\n' \
		"$1" "${1##*_}" "$2" "$3" "$4" "$5" "$6" "$7"
}

@test "memory that slurmdbd was not told of yet, a user of whom there is only the number" {
	printf '%s\n' 'JobID|User|UID|Account|State|Submit|Start|End|ReqMem' \
		'1||0|phys|FAILED|1790000000|1790000000|1790000009|16?' \
		'2||4000000|phys|FAILED|1790000000|1790000000|1790000009|16?n' \
		'3|ann|0|phys|FAILED|1790000000|1790000000|1790000009|16M' >rows
	imports rows
	prints $'1|root|0|0\n2|4000000|4000000|0\n3|ann|0|16M' \
		sacct -naPX -S 2026-01-01 -o jobid,user,uid,reqmem
}

@test "a job that was released waits, whatever held it before" {
	printf '%s\n' 'JobID|User|Account|State|Submit|Eligible|Priority|Reason' \
		'1|ann|phys|PENDING|1790000000|1790000000|47|JobHeldUser' \
		'2|ann|phys|PENDING|1790000000|1790000000|0|JobHeldUser' \
		'3|ann|phys|PENDING|1790000000|Unknown|47|JobHeldAdmin' >rows
	imports rows
	prints $'1|2026-09-21T14:13:20\n2|Unknown\n3|Unknown' \
		sacct -naPX -j 1,2,3 -o jobid,eligible
}

@test "a job that failed before it got nodes had nothing" {
	local header='JobID|User|Account|State|Submit|Start|End|AllocNodes|NNodes|NodeList'
	local row='|ann|phys|FAILED|1790000000|1790000009|1790000009'
	printf '%s\n' "$header|AllocTRES|ReqTRES" "1$row|0|1|||cpu=2,mem=20M,node=1" \
		"2$row|1|1|||cpu=2,mem=20M,node=1" >rows
	imports rows
	prints $'1|0|\n2|1|billing=2,cpu=2,mem=20M,node=1' \
		sacct -naPX -S 2026-01-01 -o jobid,allocnodes,alloctres
}

@test "a trace: jobs and cpu-seconds are what awk counts" {
	for trace in kth nasa; do
		rm -f "$(store)"
		clock_at $((${trace}_ended))
		imports "$traces/$trace.swf"
		wanted=$(awk '!/^;/ { n++; s += $4 * $5 } END { print n "|" s }' \
			"$traces/$trace.swf")
		same "$trace" "$(totals)" "$wanted"
	done
}

# More than are remembered at once: memory that is given back is overwritten.
@test "a trace of 23000 users in accounts: every job keeps its own" {
	awk 'BEGIN { print "; UnixStartTime: 1700000000"; x = 1
		for (i = 1; i <= 32000; i++) {
			x = x * 48271 % 2147483647
			print i, i, 1, 10, 1, -1, -1, 1, 20, -1, 1, 1 + x % 1000, \
				1 + int(x / 1000) % 50, 1, 1, 1, -1, -1
		} }' >many.swf
	MALLOC_PERTURB_=165 srecord import --create many.swf
	says '32000|32000' "SELECT count(*), sum(user GLOB 'u[0-9]*'
		AND account GLOB 'g[0-9]*') FROM job"
}

@test "a trace: users, groups, queues and times" {
	clock_at $kth_ended
	imports "$traces/kth.swf"
	says '1|843480031|844445011|844542236|u1|g1|3|3500|1=56,4=1,5=56' \
		"SELECT id, submit, start, end,
		user, account, state, time_limit, tres_alloc FROM job WHERE id = 1"
	rm -f "$(store)"
	clock_at $nasa_ended
	imports "$traces/nasa.swf"
	says '1|0|u1|unknown' \
		"SELECT id, start - submit, user, iif(time_limit IS NULL, 'unknown', '')
		FROM job WHERE id = 1"
}

@test "what came twice changes nothing" {
	for file in nasa.swf kth.swf; do
		clock_at $((${file%.swf}_ended))
		imports "$traces/$file"
		once=$(everything)
		imports "$traces/$file"
		same "$file twice" "$(everything)" "$once"
		[[ $stderr == *"400 known"* ]]
	done
}

@test "usage equals that of the same jobs recorded one by one" {
	{ echo "$header"; line 1 amy a COMPLETED 1700000000 1700000100 1700000700
	line 2 amy b FAILED 1700000000 1700000200 1700000800
	line 3 bob c COMPLETED 1700000000 1700090200 1700090800; } >jobs
	imports jobs
	imported=$(ask 'SELECT owner, at, hex(sums) FROM usage_sum ORDER BY 1, 2')
	ask 'DELETE FROM job; DELETE FROM usage; DELETE FROM usage_sum'
	for job in 1:amy:100:700 2:amy:200:800 3:bob:90200:90800; do
		IFS=: read -r id user start end <<<"$job"
		srecord job id="$id" user="$user" account=phys cpus=4 mem=4G submit=uts1700000000 \
			start=uts$((1700000000 + start)) end=uts$((1700000000 + end))
	done
	[[ $imported ]]
	says "$imported" 'SELECT owner, at, hex(sums) FROM usage_sum ORDER BY 1, 2'
}

@test "columns: any order, unknown ones pass, -p, other delimiters" {
	{ printf 'State|Foo|User|JobID|Account|End|Start|\n'
	printf 'COMPLETED|x|amy|5|phys|1790000600|1790000000|\n'; } |
		srecord import --create -
	says '5|amy|3|1790000000|1790000600' 'SELECT id, user, state, start, end FROM job'
	{ printf 'JobID^|^User^|^Account^|^State^|^Start^|^End\n'
	printf '6^|^amy^|^phys^|^FAILED^|^1790000000^|^1790000600\n'; } |
		srecord import -
	says 2 'SELECT count(*) FROM job'
}

@test "job ids: arrays, steps, heterogeneous jobs; killers" {
	cat >jobs <<-END
		JobID|JobIDRaw|User|Account|State|Submit|Start|End|TotalCPU
		10_3|12|amy|phys|CANCELLED by 1001|1790000000|None|1790000060|
		10_[4-9%2]|10|amy|phys|PENDING|1790000000|Unknown|Unknown|
		20+1|21|amy|phys|COMPLETED|1790000000|1790000000|1790000060|00:30.500
		20+1.batch|21.batch|||COMPLETED||1790000000|1790000060|00:20.500
		20+1.extern|21.extern|||COMPLETED||1790000000|1790000060|00:00
		20+1.0|21.0|||COMPLETED||1790000000|1790000060|00:10.000
	END
	imports jobs
	says $'10|10||4-9%2|0||\n12|10|3||0||1001\n21|0|||20|1|' "SELECT id, array_job, array_task,
		array_tasks, het_job, het_offset, killed_by FROM job ORDER BY id"
	says $'-5|20500000\n-4|0\n0|10000000' 'SELECT id, user_usec FROM step ORDER BY id'
	echo '20+1.TBD|21.TBD|||PENDING||Unknown|Unknown|' >>jobs
	echo '30|30|amy|phys|OUT_OF_ME+|1790000000|1790000000|1790000060|' >>jobs
	imports jobs
	says 11 'SELECT state & 255 FROM job WHERE id = 30'
	ask 'DELETE FROM job WHERE id = 30'
	says 3 'SELECT count(*) FROM step'
	grep -v '\.' jobs >only
	imports only
	says 20500000 'SELECT user_usec FROM step WHERE id = -5'
}

@test "flags, files, priority, what tasks used; held jobs" {
	local line
	{ printf '%s' 'JobID|User|Account|State|Submit|Start|End|Flags|StdOut|Priority|'
	echo 'NTasks|TRESUsageInTot|TRESUsageInMax|MaxRSS|AveCPUFreq'
	printf '%s' '1|amy|phys|COMPLETED|1790000000|1790000000|1790000060|'
	echo 'SchedBackfill,New,StartReceived|%j.out|4711|||||'
	printf '%s' '1.0|||COMPLETED||1790000000|1790000060||||4|cpu=00:01:40,mem=8G,pages=7|'
	echo 'mem=3G,vmem=4G,fs/disk=1M||2.50G'
	for line in '2|amy|phys|PENDING|1790000000|Unknown|Unknown|||' \
		'3|amy|phys|PENDING|1790000000|Unknown|Unknown|||0'; do
		echo "$line|||||"
	done; } >jobs
	imports jobs
	says '1|24|%j.out|4711||0
2|0||||0
3|0||||1' 'SELECT id, flags, std_out, last_priority, priority, hold FROM job ORDER BY id'
	says '1=100000,2=8589934592,8=7|2=3221225472,6=1048576,7=4294967296|2500000' \
		'SELECT in_tot, in_max, cpu_freq FROM step'
	sacct --json -j 1 >jobs.json
	everything=$(ask 'SELECT flags, std_out, last_priority FROM job WHERE id = 1')
	ask 'DELETE FROM step; DELETE FROM job'
	imports jobs.json
	says "$everything" 'SELECT flags, std_out, last_priority FROM job'
	says 2500000 'SELECT cpu_freq FROM step'
	sed 's/2.50G$/fast/' jobs >bad
	capture srecord import bad
	[[ $stderr == *"AveCPUFreq: 'fast' is not a frequency such as 2.50G"* ]]
}

@test "steps in a file of their own; CPU time of jobs without steps" {
	{ printf 'JobID|User|Account|State|Start|End|TotalCPU\n'
	printf '7|amy|phys|COMPLETED|1790000000|1790000060|01:00\n'; } >jobs
	{ printf 'JobIDRaw|State|Start|End|TotalCPU\n'
	printf '7|COMPLETED|1790000000|1790000060|\n'
	printf '7.0|COMPLETED|1790000000|1790000060|00:50\n'; } >steps
	imports jobs
	says '-5|60000000|0' 'SELECT id, user_usec, tasks FROM step'
	imports steps
	says '0|50000000|1' 'SELECT id, user_usec, tasks FROM step'
	[[ $stderr == *"1 lines skipped"* ]]
}

@test "a delimiter inside of a job name or a comment" {
	{ echo "$header"; line 1 amy 'a|b||c' COMPLETED 1790000000 1790000001 1790000002; } >jobs
	imports jobs
	says 'a|b||c' 'SELECT name FROM job'
	{ printf 'JobID|User|Account|Comment|State|Start|JobName|End\n'
	printf '2|amy|phys|x|y|COMPLETED|1790000000|job|1790000060\n'; } >jobs
	imports jobs
	says 'x|y|job' 'SELECT comment, name FROM job WHERE id = 2'
	{ echo 'JobID|User|Account|State|Start|End|Reason|Flags|WorkDir|JobName|SubmitLine'
	printf '%s' '3|amy|phys|COMPLETED|1790000000|1790000060|None|SchedMain|/home/amy|'
	echo 'a|b|sbatch x'; } >jobs
	imports jobs
	says 'a|b|/home/amy|4||sbatch x' \
		'SELECT name, work_dir, flags, reason, submit_line FROM job WHERE id = 3'
}

# They make blanks: what is in the store stays on one line (tests/bats/hostile-text.bats).
@test "newlines inside of a text" {
	local columns='JobID|User|Account|SubmitLine|State|Submit|Start|End|Comment'
	local times='1790000000|1790000000|1790000060|'
	{ echo "$columns"
	printf '1|amy|phys|sbatch --wrap "\na\n\nb" -c 2|COMPLETED|%s\n' "$times"
	printf '2|amy|phys|sbatch x|COMPLETED|%sfirst\nsecond | third\n5\n' "$times"
	printf '3|amy|phys|sbatch x|COMPLETED|1790000000|1790000000|1790000060|\n'
	printf '4|amy|phys|sbatch y\n2|x|COMPLETED|1790000000|1790000000|1790000060|a\n\n'; } >jobs
	imports jobs
	says 'sbatch --wrap " a  b" -c 2' 'SELECT submit_line FROM job WHERE id = 1'
	says 'first second | third 5' 'SELECT comment FROM job WHERE id = 2'
	says $'1\n2\n3\n4' 'SELECT id FROM job ORDER BY id'
	says 'sbatch y 2|x|a' 'SELECT submit_line, comment FROM job WHERE id = 4'
	# A line that is cut takes none with it.
	{ echo "$columns"
	printf '5|amy|phys\n'
	printf '6|amy|phys|sbatch x|COMPLETED|%s\n7|amy|phys|sbatch\n' "$times"
	printf '8|amy|phys|sbatch x|COMPLETED|%s\n9|amy|ph\n' "$times"; } >jobs
	capture srecord import --create --rejects=bad jobs
	same status "$status" 1
	says $'6\n8' 'SELECT id FROM job WHERE id > 4 ORDER BY id'
	same rejects "$(grep -v '^#' bad)" $'5|amy|phys\n7|amy|phys|sbatch\n9|amy|ph'
	[[ $stderr == *'line 2: 3 fields'*'line 4: 4 fields'*'line 6: 3 fields'* ]]
	[[ $stderr == *'3 refused'*$'\n       3  N fields, the header has N columns'* ]]
}

@test "delimiters inside of texts: what was printed by sacct comes back" {
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	srecord job id=7 user=amy account=phys cpus=1 submit=2026-01-01T00:00:00 \
		start=2026-01-01T00:00:00 end=2026-01-01T01:00:00 state=COMPLETED \
		submitline='sbatch --wrap "a b|c"' comment='x y' constraints='a|b'
	sacct -aP --format=ALL -S 2026-01-01 >jobs.txt
	srecord import --create jobs.txt
	sacct -aP --format=ALL -S 2026-01-01 >again.txt
	same 'after the import' "$(<again.txt)" "$(<jobs.txt)"
	rm "$(store)"
	imports jobs.txt
	says 'sbatch --wrap "a b|c"|a|b' 'SELECT submit_line, constraints FROM job'
}

@test "a delimiter inside of two texts: -C a|b stands in Constraints and SubmitLine" {
	{ echo 'JobID|User|Account|Constraints|SubmitLine|State|Submit|Start|End|WorkDir'
	printf '%s|' 1 amy phys 'a|b' 'sbatch -C "a|b" x' COMPLETED 1790000000 1790000000 1790000060
	echo /home
	printf '%s|' 2 amy phys '[a|b|c]' '/usr/bin/srun -C [a|b|c] y' COMPLETED \
		1790000000 1790000000
	echo '1790000060|/home'
	printf '%s|' 3 amy phys '' 'salloc -C a|b' COMPLETED 1790000000 1790000000 1790000060
	echo /home; } >jobs
	imports jobs
	says '1|a|b|sbatch -C "a|b" x|/home
2|[a|b|c]|/usr/bin/srun -C [a|b|c] y|/home
3||salloc -C a|b|/home' 'SELECT id, constraints, submit_line, work_dir FROM job ORDER BY id'
}

@test "a heading that does not say when a job was submitted" {
	printf 'JobID|User|Account|State|End\n7|amy|phys|COMPLETED|1790000060\n' >jobs
	capture srecord import --create jobs
	same status "$status" 1
	same said "$stderr" \
		'srecord: error: jobs: no column says when a job was submitted: add Submit'
	says 0 'SELECT count(*) FROM job'
	echo '7|amy' >jobs
	refuses 'error: jobs: the first line is not a header of sacct -P: neither JobID' \
		srecord import format=sacct jobs
	refuses 'error: jobs: no list of jobs or nodes, as --json of' \
		srecord import format=squeue jobs
	echo '{"meta": {}, "errors": []}' >jobs
	refuses 'error: jobs: no list of jobs' srecord import format=sacct jobs
	echo '{"jobs": [], "errors": []}' >jobs
	capture srecord import jobs
	same 'status of an empty list' "$status" 0
}

@test "a heading that does not say whose the jobs are: their steps alone are of use" {
	printf 'JobID|Submit|State|Start|End\n7|1790000000|COMPLETED|1790000000|1790000060\n' >jobs
	run -1 srecord import jobs
	[[ $output == *'1 lines skipped'*'a job, and no column says whose it is: add User'* ]]
	run -1 srecord --dry-run import jobs
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	srecord job id=7 user=amy submit=uts1790000000 start=uts1790000000 end=uts1790000060 \
		state=COMPLETED
	run -1 srecord import jobs
	echo '7.0|1790000000|COMPLETED|1790000000|1790000060' >>jobs
	run -0 srecord import jobs
	says 1 'SELECT count(*) FROM step WHERE id = 0'
}

@test "jobs that belong to no association are a warning" {
	printf 'JobID|User|Account|Submit|Start|End|State\n' >jobs
	echo '7|amy|phys|1790000000|1790000000|1790000060|COMPLETED' >>jobs
	sed -i '/^AccountingStorageEnforce/d' "$SLURM_CONF"
	run -0 srecord import jobs
	[[ $output == *'warning: 1 job belongs to no association and is charged to none: '* ]]
	echo '8|amy|phys|1790000000|1790000000|1790000060|COMPLETED' >>jobs
	run -0 srecord import jobs
	[[ $output == *'warning: 2 jobs belong to no association and are charged to none: '* ]]
}

@test "reasons of what is left out, by count; left out lines are kept, too" {
	clock_at $kth_ended
	{ sed -n '/^;/p' "$traces/kth.swf"
	echo '2 0 0 10 4 -1 -1 4 -1 -1 2 1 1 -1 -1 -1 -1 -1'
	echo '3 0 0 10 4 -1 -1 4 -1 -1 2 1 1 -1 -1 -1 -1 -1'
	echo '4 -1 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1'; } >some.swf
	capture srecord import --create --rejects=bad some.swf
	local part='a part of a job whose whole has a line of its own'
	[[ $stderr == *$'\n       2  '"$part"$'\n       1  no submit time'* ]]
	same rejects "$(grep -vc '^#' bad)" 3
}

@test "refused lines: number and reason; the rest goes on" {
	{ echo "$header"
	line 1 amy ok COMPLETED 1790000000 1790000001 1790000002
	line 2 amy back COMPLETED 1790000000 1790000500 1790000400
	line 3 amy early COMPLETED 1790000000 1000000 1790000400
	line 4 amy never COMPLETED 1790000000 Unknown 1790000400
	line 5 amy state SLEEPING 1790000000 1790000500 1790000600
	line 6 '' nobody COMPLETED 1790000000 1790000500 1790000600
	line x amy id COMPLETED 1790000000 1790000500 1790000600
	echo '8|8|amy|phys'
	line 9 amy ok FAILED 1790000000 1790000001 1790000002; } >jobs
	capture srecord import --create --rejects=bad jobs
	same status "$status" 1
	says $'1\n9' 'SELECT id FROM job ORDER BY id'
	for reason in 'line 3: end is before start' 'line 4: start is before submit' \
		'line 5: it ran, but there is no start' "line 6: State: 'SLEEPING'" \
		'line 7: no user' '7 refused'; do
		[[ $stderr == *"$reason"* ]] || same "$reason" "$stderr" "$reason"
	done
	same rejects "$(grep -v '^#' bad)" "$(sed -n 3,9p jobs)"
	same reasons "$(grep -c '^# [0-9]*: ' bad)" 7
}

@test "an hour that came twice, bytes that are no UTF-8, NUL, a cut file" {
	{ echo "$header"; line 1 amy clock COMPLETED 1790000000 1790010000 1790007000; } |
		srecord import --create -
	says 1790010600 'SELECT end FROM job'
	{ echo "$header"
	line 2 amy $'b\xffd' COMPLETED 1790000000 1790000001 1790000002; } | srecord import -
	says $'b\xef\xbf\xbdd' 'SELECT name FROM job WHERE id = 2'
	{ echo "$header"
	line 3 amy x COMPLETED 1790000000 1790000001 1790000002 | tr x '\0'; } >nul
	refuses 'NUL byte' srecord import nul
	rm -f "$(store)"
	clock_at $kth_ended
	gzip -c "$traces/kth.swf" | head -c 4000 >cut.swf.gz
	refuses 'the file is cut' srecord import --create cut.swf.gz
	[[ $(ask 'SELECT count(*) > 50 FROM job') == 1 ]]
	imports <(gzip -c "$traces/kth.swf")
	same KTH "$(ask 'SELECT count(*) FROM job WHERE id > 3')" 397
}

# A row is taken as far as it goes; that it may be cut is said, and a whole file mends it.
@test "cut within a line, within a word" {
	{ echo "$header"; line 1 amy job COMPLETED 1790000000 1790000100 1790000200; } >whole
	head -c -30 whole >cut
	capture srecord import --create cut
	same status "$status" 1
	[[ $stderr == *'line 2: '*' fields, the header has 16 columns'*'the file is cut'* ]]
	says 0 'SELECT count(*) FROM job'
	printf '%s' "$(<whole)" >cut
	refuses 'the file is cut' srecord import --create cut
	imports whole
	says 1 'SELECT count(*) FROM job'
	same usage "$(used amy)" 400
}

# columns N FIRST: FIRST and N words x, then a line of as many ones.
columns() {
	printf '%s' "$2"
	printf '|x%.0s' $(seq "$1")
	printf '\n1'
	printf '|1%.0s' $(seq "$1")
	echo
}

@test "more columns than there is room for" {
	columns 256 JobID >wide
	refuses 'more than 256 words' srecord import format=sacct wide
	columns 5000 JobID >wide
	refuses 'more than 256 words' srecord import format=sacct wide
	columns 254 JobID | sed '1s/$/|Submit/; 2s/$/|1790000000/' >wide
	run -1 srecord import format=sacct wide # all passed over
	columns 300 Cluster >wide
	refuses 'the first line has more than' srecord import format=sacctmgr wide
}

@test "nothing in it, a folder, damaged compression, a mark of Windows" {
	: >empty
	refuses 'empty is empty' srecord import empty
	refuses 'Is a directory' srecord import .
	# It can be opened, and not read.
	refuses 'reading failed after line 0: Input/output error' \
		srecord import /proc/self/mem
	refuses 'reading failed after line 0: Input/output error' \
		srecord import format=swf /proc/self/mem
	refuses 'reading failed after line 0: Input/output error' \
		srecord import format=squeue /proc/self/mem
	clock_at $kth_ended
	gzip -c "$traces/kth.swf" >whole.gz
	{ head -c 3000 whole.gz; printf 'xxxx'; tail -c +3005 whole.gz; } >damaged.gz
	refuses 'damaged or cut' srecord import --create damaged.gz
	head -c 12 whole.gz >damaged.gz
	refuses 'damaged or cut' srecord import --create damaged.gz
	rm -f "$(store)"
	clock_at 1790100000
	{ printf '\xef\xbb\xbf%s\r\n' "$header"
	line 1 amy job COMPLETED 1790000000 1790000100 1790000200 | sed 's/$/\r/'; } >marked
	imports marked
	says '1|job' 'SELECT id, name FROM job'
}

@test "SWF: wrong counts, words for numbers; JSON: what is none" {
	clock_at $kth_ended
	{ sed -n '/^;/p' "$traces/kth.swf"
	echo '1 2 3'
	echo '2 0 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1 7'
	echo '3 0 0 x 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1'
	echo '4 -1 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1'
	echo '5 0 0 10 4 -1 -1 4 -1 -1 1 1 1 -1 -1 -1 -1 -1'; } >bad.swf
	capture srecord import --create bad.swf
	same status "$status" 1
	for why in '3 fields instead of 18' "'x' is not a number" 'no submit time' '3 refused'; do
		[[ $stderr == *"$why"* ]] || same "$why" "$stderr" "$why"
	done
	says $'2\n5' 'SELECT id FROM job ORDER BY id'
	rm -f "$(store)"
	clock_at 1793000100
	echo '{"jobs": [{"job_id": 7, bad}, {"job_id": 8, "user_name": "amy", "account": "phys",
		"job_state": ["PENDING"], "submit_time": 1793000000}, {"job_id": -1}]}' >bad.json
	capture srecord import --create bad.json
	same status "$status" 1
	[[ $stderr == *'job 1: no JSON'*'job 3: '*'2 refused'* ]]
	says 8 'SELECT id FROM job'
}

@test "a corrected record replaces the earlier one, its usage too" {
	{ echo "$header"; line 1 amy a COMPLETED 1790000000 1790000100 1790000200; } >jobs
	imports jobs
	{ echo "$header"; line 1 amy a COMPLETED 1790000000 1790000100 1790000400; } >jobs
	imports jobs
	[[ $stderr == *"1 changed"* ]]
	says 1790000400 'SELECT end FROM job'
	same usage "$(used amy)" 1200
}

@test "requeues: one submit time, two starts" {
	{ echo "$header"; line 1 amy a NODE_FAIL 1790000000 1790000100 1790000200
	line 1 amy a COMPLETED 1790000000 1790000500 1790000600; } >jobs
	imports jobs
	says '1790000500' 'SELECT start FROM job'
	rm -f "$(store)"
	for i in 1 2; do
		imports --duplicates jobs
		says $'1790000000|1790000100|7\n1790000500|1790000500|3' \
			'SELECT submit, start, state FROM job ORDER BY 1'
	done
}

@test "records of one job close to each other: in their order" {
	{
		echo "$header"
		line 5 amy one RUNNING 1790000000 1790000100 Unknown
		line 6 bea x COMPLETED 1790000000 1790000100 1790000200
		line 5 amy one COMPLETED 1790000000 1790000100 1790000700
		line 6 bea x COMPLETED 1790000000 1790000100 1790000200
		line 5 amy one COMPLETED 1790000000 1790000100 1790000300
	} >jobs
	capture srecord import --create jobs
	[[ $stderr == *' 5 jobs, 2 new, 2 changed, 1 known'* ]]
	says $'1|5|1790000300\n2|6|1790000200' 'SELECT key, id, end FROM job ORDER BY key'
	same usage "$(used amy)" 800
}

@test "steps take the place of their job's own line, wherever its group ends" {
	{
		echo 'JobID|User|Account|State|Start|End|TotalCPU|MaxRSS'
		for ((id = 1; id <= 500; id++)); do
			echo "$id|amy|phys|COMPLETED|1790000000|1790000060|01:00|"
			((id % 3)) || continue
			((id % 3 == 1)) && step=batch || step=0
			echo "$id.$step|||COMPLETED|1790000000|1790000060|00:50|1M"
			echo "$id.extern|||COMPLETED|1790000000|1790000060|00:00|2M"
			echo "$id.extern|||COMPLETED|1790000000|1790000060|00:00|3M"
		done
	} >all
	imports all
	says '334|2|2' 'SELECT count(*), min(n), max(n) FROM (SELECT count(*) AS n FROM step
		WHERE tasks = 1 GROUP BY job)'
	says '334|50000000|0|2=3145728' 'SELECT count(*) / 2, max(user_usec), min(user_usec),
		max(in_max) FROM step WHERE tasks = 1'
	says '166|60000000|60000000' 'SELECT count(*), min(user_usec), max(user_usec) FROM step
		WHERE tasks = 0'
	before=$(everything)
	imports all
	same 'the store, imported again' "$(everything)" "$before"
}

@test "a step finds what stands in front of it, not what comes" {
	{
		echo "$header"
		line 5 amy one COMPLETED 1790000000 1790000100 1790000200
		line 6 bea two COMPLETED 1790000000 1790000100 1790000200
		echo '7.0|7.0|||a|COMPLETED|0:0||1790000100|1790000200||1|||00:01:00|'
		echo '5.0|5.0|||b|COMPLETED|0:0||1790000100|1790000200||1|||00:01:00|'
		echo '6.0|6.0|||c|COMPLETED|0:0||1790000100|1790000200||1|||00:01:00|'
		line 7 amy three COMPLETED 1790000000 1790000100 1790000200
		echo '7.1|7.1|||d|COMPLETED|0:0||1790000100|1790000200||1|||00:01:00|'
	} >jobs
	refuses 'line 4: a step of job 7, which is not on record' \
		srecord import --create jobs
	says $'5|b\n6|c\n7|d' 'SELECT j.id, s.name FROM step s JOIN job j ON j.key = s.job
		ORDER BY 1'
}

@test "refusals of both kinds come in the order of the lines" {
	sacctmgr -i add account phys
	sacctmgr -i add user amy account=phys
	echo AccountingStorageEnforce=associations >>"$SLURM_CONF"
	{
		echo "$header"
		line x amy a COMPLETED 1790000000 1790000100 1790000200
		line 2 bea b COMPLETED 1790000000 1790000100 1790000200
		line 3 amy c COMPLETED 1790000000 1790000300 1790000200
		line 4 amy d COMPLETED 1790000000 1790000100 1790000200
		echo '9.0|9.0|||a|COMPLETED|0:0||1790000100|1790000200||1|||00:01:00|'
	} >jobs
	capture srecord import --rejects=bad jobs
	same lines "$(grep -o '^# [0-9]*' bad | tr '\n' ' ')" '# 2 # 3 # 4 # 6 '
	grep -q '^2|2|bea' bad
	says 4 'SELECT id FROM job'
}

@test "a store that fails ends it, though the other end of a pipe is silent" {
	mkfifo pipe
	awk -v header="$header" 'BEGIN { print header
		for (i = 1; i <= 60000; i++)
			printf "%d|%d|amy|phys|j|COMPLETED|0:0|%d|%d|%d|00:01:00|1|1G|n1||\n",
				i, i, 1790000000 + i, 1790000000 + i, 1790000060 + i }' >jobs
	exec {silent}<>pipe # open for writing until the test ends
	cat jobs >pipe &
	writer=$!
	sacctmgr -nP show cluster >/dev/null
	run -1 bash -c "ulimit -f 64; trap '' XFSZ
		timeout 300 srecord import --create - <pipe 2>said"
	kill "$writer" 2>/dev/null || true
	grep -q 'the import stopped' said
	says 0 'SELECT count(*) FROM job'
}

@test "roll-ups that are there learn of what is imported" {
	srecord cluster tres=cpu=4 start=uts1789000000
	line 5 amy one COMPLETED 1790000000 1790000100 1790000200 >jobs
	sed -i "1i $header" jobs
	imports jobs
	sreport -nP cluster utilization start=2026-09-21 end=2026-09-22 >/dev/null
	says 0 'SELECT count(*) FROM rollup_dirty'
	says 1=400,2=409600,4=100,5=400 'SELECT tres FROM rollup WHERE span = 2 AND assoc'
	line 6 amy two COMPLETED 1790000000 1790000300 1790000400 >>jobs
	imports jobs
	says 0 'SELECT count(*) FROM rollup_dirty'
	says 1=800,2=819200,4=200,5=800 'SELECT tres FROM rollup WHERE span = 2 AND assoc'
}

@test "who is missing is refused where associations are enforced, or created" {
	{ echo "$header"; line 1 Amy a COMPLETED 1790000000 1790000100 1790000200; } >jobs
	refuses "sacctmgr add user" srecord import jobs
	says 0 'SELECT count(*) FROM job'
	imports jobs
	says 'phys|1' "SELECT account, is_default FROM assoc WHERE user = 'amy'"
}

@test "it goes on where a run that was killed came to" {
	awk -v header="$header" 'BEGIN { print header
		for (i = 1; i <= 120000; i++)
			printf "%d|%d|amy|phys|j|COMPLETED|0:0|%d|%d|%d|00:01:00|1|1G|n1||\n", i, i,
				1790000000 + i,
				1790000000 + i, 1790000060 + i }' >jobs
	imports jobs
	whole=$(everything | cksum)
	rm -f "$(store)"
	srecord import --create jobs 2>/dev/null &
	until [[ $(ask 'SELECT count(*) FROM meta
		WHERE key LIKE "import%"' 2>/dev/null) == 1 ]] || ! kill -0 $!; do
		sleep 0.02
	done
	kill -KILL $! 2>/dev/null || true
	wait $! 2>/dev/null || true
	imports jobs
	same jobs "$(ask 'SELECT count(*) FROM job')" 120000
	same 'all of it' "$(everything | cksum)" "$whole"
	says 0 "SELECT count(*) FROM meta WHERE key LIKE 'import%'"
}

@test "a full disk: said, nothing half counted, and going on later" {
	clock_at $kth_ended
	imports "$traces/kth.swf"
	whole=$(everything)
	indexes=$(ask "SELECT sql FROM sqlite_schema WHERE tbl_name = 'job' ORDER BY name")
	for blocks in 64 96 160; do # of the log, which is written first
		rm -f "$(store)"
		srecord cluster tres=cpu=1 start=uts843000000
		ask 'DELETE FROM event'
		run -1 bash -c "ulimit -f $blocks; trap '' XFSZ
			srecord import --create '$traces/kth.swf' 2>full"
		grep -q '; the import stopped at line .* is in the store; run it again' full
		[[ $(ask 'SELECT count(*) FROM job') == @(0|400) ]]
		imports "$traces/kth.swf"
		same "with $blocks KiB" "$(everything)" "$whole"
		says "$indexes" "SELECT sql FROM sqlite_schema WHERE tbl_name = 'job' ORDER BY name"
	done
	refuses 'No space left' srecord import --create --rejects=/dev/full \
		<(echo "$header"; echo bad)
}

@test "indexes that a killed import left out come back with the next program" {
	clock_at $kth_ended
	imports "$traces/kth.swf"
	indexes=$(ask "SELECT sql FROM sqlite_schema WHERE tbl_name = 'job' ORDER BY name")
	ask "INSERT INTO meta SELECT 'index ' || name, sql FROM sqlite_schema
		WHERE name IN ('job_submit', 'job_user');
		DROP INDEX job_submit; DROP INDEX job_user;
		INSERT INTO meta VALUES ('job indexes dropped', unixepoch() - 100)"
	sacctmgr -nP show cluster >/dev/null
	says "$indexes" "SELECT sql FROM sqlite_schema WHERE tbl_name = 'job' ORDER BY name"
	says 0 "SELECT count(*) FROM meta WHERE key GLOB 'index*' OR key GLOB 'job indexes*'"
}

@test "who comes back in another spelling keeps his jobs" {
	{ echo "$header"; line 1 Ann a COMPLETED 1700000000 1700000100 1700000700; } >jobs
	imports jobs
	says 'Ann|Ann' 'SELECT j.user, a.user FROM job j JOIN assoc a ON a.key = j.assoc'
	sacctmgr -iQ delete user ann >/dev/null
	sacctmgr -iQ add user ann account=phys >/dev/null
	prints 1 sacct -nXP -S 2023-11-14 -E 2023-11-16 -u ann -o jobid
	says '/phys/0-ann/' "SELECT lineage FROM assoc WHERE user = 'ann'"
}

@test "reports find the same while an import has left indexes out" {
	local sacct='sacct -nP -S 1996-01-01 -E 1997-01-01 -o jobid,user,end'
	clock_at $kth_ended
	imports "$traces/kth.swf"
	user=$(ask 'SELECT user FROM job LIMIT 1')
	account=$(ask 'SELECT account FROM job LIMIT 1')
	everything=$($sacct -a) mine=$($sacct -u "$user") theirs=$($sacct -aA "$account")
	ended=$($sacct -as CD) one=$($sacct -j 1)
	[[ $everything && $mine && $theirs && $ended && $one ]]
	ask "INSERT INTO meta SELECT 'index ' || name, sql FROM sqlite_schema
		WHERE tbl_name = 'job' AND name GLOB 'job_*' AND name NOT IN
		('job_array', 'job_het', 'job_open');
		DROP INDEX job_submit; DROP INDEX job_user; DROP INDEX job_account;
		DROP INDEX job_assoc; DROP INDEX job_end;
		INSERT INTO meta VALUES ('job indexes dropped', unixepoch())"
	prints "$everything" $sacct -a
	prints "$mine" $sacct -u "$user"
	prints "$theirs" $sacct -aA "$account"
	prints "$ended" $sacct -as CD
	prints "$one" $sacct -j 1
	says '' "SELECT name FROM sqlite_schema WHERE name = 'job_end'"
}

@test "squeue --json and sacct --json" {
	cat >jobs.json <<-'END'
		{"meta": {"jobs": [1, {"x": "}"}]}, "jobs": [
		{"job_id": 7, "name": "a\"b}", "user_name": "amy", "account": "phys",
			"job_state": ["RUNNING"],
		 "submit_time": {"set": true, "infinite": false, "number": 1790000000},
		 "start_time": {"set": true, "infinite": false, "number": 1790000100},
		 "end_time": {"set": true, "infinite": false, "number": 1790009100},
		 "cpus": {"set": true, "infinite": false, "number": 4},
			"tres_alloc_str": "cpu=4,node=1"},
		{"job_id": 6, "user_name": "amy", "account": "phys", "partition": "debug",
			"job_state": ["PENDING"], "cpus": 128,
		 "submit_time": 1790000000, "eligible_time": 1790000000,
			"node_count": {"set": true, "number": 8},
			"tres_req_str": "cpu=128,mem=62.50G,node=1"},
		{"job_id": 8, "user": "amy", "account": "phys", "state": {"current": ["COMPLETED"]},
		 "time": {"submission": 1790000000, "start": 1790000100, "end": 1790000400},
		 "tres": {"allocated": [{"type": "cpu", "name": "", "count": 2}]},
		 "array": {"job_id": 5, "task_id": {"set": true, "infinite": false, "number": 3}},
		 "steps": [{"step": {"id": "8.batch", "name": "batch"}, "state": ["COMPLETED"],
		  "tres": {"consumed": {"average": [{"type": "fs", "name": "disk", "count": 7}]}},
		  "statistics": {"CPU": {"actual_frequency": 4702623120467427328},
			"energy": {"consumed": {"set": true, "number": 50}}},
		  "time": {"total": {"seconds": 9, "microseconds": 500000}}}]},
		{"job_id": 4, "user": "amy", "account": "phys", "state": {"current": ["FAILED"]},
		 "time": {"submission": 1790000000, "start": 4294967294, "end": 1790000400}},
		{"job_id": 3, "user": "amy", "account": "phys",
		 "state": {"current": ["PENDING", "REQUEUED"]},
		 "time": {"submission": 1790000000, "start": 1790000100, "end": 1790000400}},
		{"job_id": 9, "user": "amy"}]}
	END
	capture srecord import --create jobs.json
	same status "$status" 1
	[[ $stderr == *'job 6: no submit time'* ]]
	says $'7|a"b}|1|0||1=4,4=1,5=4\n8||3|5|3|1=2,4=1,5=2' 'SELECT id, name, state,
		array_job, array_task, tres_alloc FROM job WHERE id > 6 ORDER BY id'
	says '1=128,2=64000,4=1,5=128' 'SELECT tres_req FROM job WHERE id = 6'
	prints '6 8' squeue -h -t PD -o '%i %D'
	[[ $(sprio --explain 6) == *' 1 of 1 nodes, 128 of 64 CPUs'* ]]
	printf '%s\n' 'JobID|User|Account|State|Submit|AllocTRES|Start|End' \
		'10|amy|phys|COMPLETED|1790000000|cpu=1,mem=1.46K|1790000000|1790000001' \
		'11|amy|phys|COMPLETED|1790000000|cpu=1,mem=1.5X|1790000000|1790000001' >jobs
	capture srecord import jobs
	[[ $stderr == *'line 3: AllocTRES: Invalid unit type'* ]]
	says '1' "SELECT count(*) FROM job WHERE id = 10 AND tres_alloc LIKE '%,2=1,%'"
	says '-5|9500000|2500000|6=7|50' 'SELECT id, user_usec, cpu_freq, out_ave, energy
		FROM step'
	prints $'3|REQUEUED|00:05:00\n4|FAILED|00:00:00' sacct -nPX -j 3,4 -o jobid,state,elapsed
	same states "$(sacct --json -j 3 | jq -c '.jobs[0].state.current')" '["PENDING","REQUEUED"]'
	same written "$(sacct --json -j 8 | jq -c '.jobs[0].steps[0].tres.consumed |
		[.total[0].count, .average[0].count]')" '[7,7]'
	head -c 900 jobs.json >cut.json
	refuses 'the file is cut' srecord import cut.json
}

# What sacct and squeue say of a store, but for the numbers of records and the time that passes.
said() {
	local columns
	columns=$(sacct -e | tr -s ' \n' '\n\n' | grep -vxE \
		"DBIndex|CPUTime.*|Elapsed.*|Planned.*${1:+|}$1" | paste -sd,)
	sacct -aDP --noconvert --delimiter=$'\x1f' -S uts1000000 -o "$columns"
	sacct -aDPX -S uts1000000 -o elapsed -s cd,f,ca,nf
}

@test "whose an imported job is, and by what QOS, is settled as for a recorded one" {
	sacctmgr -iQ add qos high >/dev/null
	sacctmgr -iQ add account phys set qos=high,normal defaultqos=high >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	sacctmgr -iQ add user amy account=phys partition=gpu >/dev/null
	printf '%s\n' 'Account|JobID|User|Partition|Submit' \
		"phys|1|Amy|debug|2026-10-01T08:00" "phys|2|amy|gpu,debug|2026-10-01T08:00" \
		"phys|3|new|debug|2026-10-01T08:00" >jobs.txt
	srecord import --create jobs.txt
	srecord job id=11 user=Amy account=phys partition=debug
	srecord job id=12 user=amy account=phys partition=gpu,debug
	srecord job id=13 user=new account=phys partition=debug
	local whose=$'1|amy||high\n2|amy|gpu|high\n3|new||high'
	prints "$whose"$'\n11|amy||high\n12|amy|gpu|high\n13|new||high' \
		ask 'SELECT j.id, j.user, a.partition, q.name FROM job j
			JOIN assoc a ON a.key = j.assoc JOIN qos q ON q.id = j.qos ORDER BY j.id'
}

@test "numbers of users and groups" {
	printf '%s\n' 'Account|JobID|User|UID|GID|Submit|Start|End' \
		'phys|1|amy|5001|6001|2026-10-01T08:00|2026-10-01T08:00|2026-10-01T09:00' \
		'phys|2||5002||2026-10-01T08:00|2026-10-01T08:00|2026-10-01T09:00' \
		'phys|3|amy|amy||2026-10-01T08:00|2026-10-01T08:00|2026-10-01T09:00' >jobs.txt
	srecord import --create jobs.txt
	prints $'1|amy|5001|6001\n2|5002|5002|\n3|amy||' \
		sacct -aXnP -S 2026-10-01 -E 2026-10-02 -o jobid,user,uid,gid
	prints 1 sacct -XnP -S 2026-10-01 -E 2026-10-02 -o jobid -u 5001
	printf '%s\n' 'JobID|User|Submit' '4|nix|2026-10-01T08:00:00' >jobs.txt
	refuses 'line 2: user nix has no account on cluster canis: add one with' \
		srecord import jobs.txt
}

@test "what sacct prints comes back as it was: all columns, epoch seconds, JSON" {
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy,bob account=phys >/dev/null
	srecord job id=1 user=amy account=phys name='a|b' cpus=4 nodes=2 mem=8G timelimit=90 \
		submit=uts1790000000 start=uts1790000100 end=uts1790003700 suspended=600 exit=3 \
		wckey=w nodelist='n[1-2]' stdout=%j.out flags=SchedMain lastpriority=77 workdir=/w \
		submitline='sbatch "x y"' constraints='a&b' admincomment=c qos=normal
	srecord step job=1 step=0 tasks=4 cputime=7200.25 systime=1.5 maxrss=1G averss=900M \
		maxdiskread=3M
	# What Slurm alone records.
	srecord step job=1 step=1 tasks=4 layout=BBlock,Pack
	ask "INSERT OR IGNORE INTO tres VALUES (1002, 'gres', 'gpumem', 5, 0),
		(1003, 'gres', 'gpuutil', 5, 0);
		UPDATE step SET in_ave = '1=2000,2=2048,1002=4096,1003=55',
		in_max = '1=3000,2=4096,1002=8192,1003=99', in_max_node = '1=0,2=1,1002=1,1003=0',
		in_max_task = '1=0,2=3,1002=2,1003=1', in_min = '1=1000,2=1024,1002=5,1003=4',
		in_min_node = '1=1,2=0,1002=1,1003=0', in_min_task = '1=3,2=2,1002=1,1003=0',
		in_tot = '1=8000,2=8192,1002=16384', out_ave = '3=7,6=1048576',
		out_max = '3=8,6=2097152', out_max_node = '3=1,6=1', out_max_task = '3=2,6=3',
		out_min = '3=6,6=512', out_min_node = '3=0,6=0', out_min_task = '3=1,6=0',
		out_tot = '3=28,6=4194304', freq_min = 2147483649, freq_max = 2600000,
		freq_governor = 2181038080, std_in = '/in', std_out = '/out.%j', std_err = '/err'
		WHERE id = 1;
		UPDATE job SET mcs_label = 'secret', oversubscribe = 'OK', block = 'b00',
		segment_size = 4, reservation_req = 'r1,r2', exclusive_for = 'USER'"
	srecord job id=1 user=amy account=phys submit=uts1790005000 start=uts1790005000 \
		end=uts1790005060 restarts=1 cputime=20 maxrss=10M
	srecord job id=2 user=bob account=phys submit=uts1790000000 end=uts1790000500 killed_by=root
	srecord job id=4 user=bob account=phys array_job=3 array_task=7 submit=uts1790000000 \
		start=uts1790000000 end=uts1790000500 exit=0:9
	srecord job id=3 user=bob account=phys array_job=3 array=8-20%3 submit=uts1790000000
	srecord job id=6 user=bob account=phys het_job=5 het_offset=1 submit=uts1790000000 \
		start=uts1790000000 timelimit=UNLIMITED
	said >wanted
	SLURM_TIME_FORMAT=%s sacct -aDP --noconvert --delimiter=$'\x1f' -S uts1000000 -o ALL >1.txt
	sacct -aDP -S uts1000000 -o ALL | gzip >2.gz
	for file in 1.txt 2.gz; do
		rm -f "$(store)"
		imports --duplicates "$file"
		same "$file" "$(said)" "$(<wanted)"
	done
	said 'GID|WCKey.*' >wanted
	sacct -aD --json -S uts1000000 >3.json
	rm -f "$(store)"
	imports --duplicates 3.json
	same JSON "$(said 'GID|WCKey.*')" "$(<wanted)"
}

@test "squeue --json: what a waiting job asked for and what holds it" {
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy,bob account=phys >/dev/null
	srecord job id=1 user=amy account=phys cpus=4 nodes=2 mem=8G timelimit=90 nice=-20
	srecord job id=2 user=amy account=phys dependency=afterok:1 gres=gpu:2
	srecord job id=3 user=amy account=phys hold=admin
	squeue --json >queue.json
	squeue -ho '%i %P %C %D %l %y %E %r' | sort >wanted
	rm -f "$(store)"
	imports queue.json
	same queue "$(squeue -ho '%i %P %C %D %l %y %E %r' | sort)" "$(<wanted)"
}

@test "squeue --json of Slurm: how jobs may lie on nodes, and how they do" {
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	cat >jobs.json <<-'END'
		{"jobs": [{"job_id": 1, "user_name": "amy", "account": "phys",
		"job_state": ["RUNNING"], "submit_time": 1793000000,
		"start_time": 1793000010, "nodes": "n[1-3]", "cpus": 12,
		"tasks": {"set": true, "number": 12}, "max_nodes": {"set": true, "number": 3},
		"tres_per_node": "gres/gpu:2", "job_resources": {"nodes": {"allocation": [
		{"name": "n1", "cpus": {"count": 10}, "memory": {"allocated": 100}},
		{"name": "n2", "cpus": {"count": 1}, "memory": {"allocated": 100}},
		{"name": "n3", "cpus": {"count": 1}, "memory": {"allocated": 100}}]}}},
		{"job_id": 2, "user_name": "amy", "account": "phys", "job_state": ["PENDING"],
		"submit_time": 1793000000, "cpus": 9, "tasks": 3,
		"cpus_per_task": {"set": true, "number": 3},
		"tasks_per_node": 1, "memory_per_cpu": {"set": true, "number": 500},
		"required_nodes": "n1", "excluded_nodes": "n2",
		"tres_per_task": "gres/gpu:1"}]}
	END
	imports jobs.json
	says '12|3|gpu:2|10,1(x2)|100(x3)' 'SELECT tasks, nodes_max, gres, cpus_on, mem_on
		FROM job WHERE id = 1'
	says '3|3|1|500|n1|n2|1' 'SELECT tasks, cpus_per_task, tasks_per_node, mem_per_cpu,
		nodes_wanted, nodes_excluded, gpus_per_task FROM job WHERE id = 2'
}

@test "squeue --json of our own: how jobs may lie on nodes, and how they do" {
	echo 'NodeName=n[1-9] CPUs=64' >>"$SLURM_CONF"
	local facts='tasks, max(cpus_per_task, 1), tasks_per_node, nodes_max, mem_per_cpu,
		mem_per_node,
		nodes_wanted, nodes_excluded, constraints, gres, gpus_per_task, gpus_per_socket,
		cpus_on, mem_on, exclusive'
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	set -- user=amy account=phys submit=2026-02-28T00:00:00
	srecord job id=1 "$@" nodes=3 tasks=12 max_nodes=4 mem_per_node=100 gres=gpu:2 \
		required_nodes=n1 >/dev/null
	srecord job id=1 start=2026-02-28T00:01:00 'nodelist=n[1-3]' cpus-per-node='10,1(x2)' \
		mem-per-node='100(x3)' >/dev/null
	srecord job id=2 "$@" cpus=9 tasks=3 cpus_per_task=3 tasks_per_node=1 mem_per_cpu=500 \
		gpus_per_task=1 excluded_nodes='n[2,4]' constraints='ib&big' >/dev/null
	srecord job id=3 "$@" cpus=8 gpus_per_socket=2 exclusive=1 >/dev/null
	squeue --json >queue.json
	same paths "$(jq -c '.jobs | sort_by(.job_id) | [
		(.[0] | .max_nodes.number, .tasks.number, .memory_per_node.number,
		.required_nodes,
		(.job_resources.nodes.allocation[0] | .name, .cpus.count, .memory.allocated)),
		(.[1] | .cpus_per_task.number, .tasks_per_node.number,
		.memory_per_cpu.number, .memory_per_node.set, .excluded_nodes, .features,
		.tres_per_task),
		(.[2] | .tasks.set, .tres_per_socket)]' queue.json)" \
		'[4,12,100,"n1","n1",10,100,3,1,500,false,"n[2,4]","ib&big","gres/gpu:1",'\
'false,"gres/gpu:2"]'
	same sacct "$(sacct --json -a -S 2026-02-01 -E 2026-12-31 | jq -c '[.jobs |
		sort_by(.job_id)[] | .required |
		.memory_per_cpu.number, .memory_per_node.number]')" \
		'[0,100,500,0,0,0]'
	sqlite3 "$(store)" "SELECT id, $facts FROM job ORDER BY id" >wanted
	grep -q '^2|3|3|1|0|500|' wanted
	rm -f "$(store)"
	imports queue.json
	same facts "$(sqlite3 "$(store)" "SELECT id, $facts FROM job ORDER BY id")" "$(<wanted)"
}

@test "node events, and a dump" {
	cat >events <<-'END'
		Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User
		heron|n1|2026-01-24T00:00:00|2026-01-25T00:00:00|DOWN*|disk|root(0)
		heron|n1|2026-02-24T00:00:00|Unknown|DRAIN|fan|belt|root(0)
		heron|n2|2026-02-24T00:00:00|2026-02-25T00:00:00|IDLE+DRAIN|fan|root(0)
	END
	sed -i "s/heron/$(sacctmgr -nP show cluster format=cluster)/" events
	for i in 1 2; do
		imports events
		says 'n1|1769212800|1769299200|DOWN|disk|root
n1|1771891200||DRAIN|fan|belt|root
n2|1771891200|1771977600|DRAIN|fan|root' \
			'SELECT node, start, end, state, reason, user FROM event'
	done
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -Q dump "$(sacctmgr -nP show cluster format=cluster)" file=dump.cfg >/dev/null
	rm -f "$(store)"
	srecord import dump.cfg
	says 1 "SELECT count(*) FROM account WHERE name = 'phys'"
}

@test "what cannot be imported is said" {
	echo hello >text
	refuses 'of no known format' srecord import text
	refuses 'is not a header of sacct' srecord import format=sacct text
	refuses "unknown format 'pbs'; expected sacct" srecord import format=pbs text
	refuses 'which file' srecord import
	refuses 'cannot be read' srecord import nowhere
	refuses 'are for import' srecord job --create user=amy
}

@test "memory that was asked for is no allocation where AllocTRES has none" {
	local when='2026-10-01T10:00:00|2026-10-01T10:00:00|2026-10-01T11:00:00'
	printf '%s\n' 'JobID|User|Account|State|Submit|Start|End|ReqMem|AllocTRES' \
		"7|ann|lab|COMPLETED|$when|4G|cpu=2,node=1" "8|ann|lab|COMPLETED|$when|4G|" >jobs
	srecord import --create jobs 2>/dev/null
	prints $'billing=2,cpu=2,node=1\nbilling=1,cpu=1,mem=4G,node=1' \
		sacct -naPX -S 2026-10-01 -E 2026-10-02 -o AllocTRES
}

# in_other COMMAND...: on a copy of the store that went on by itself
in_other() {
	BURSAR_STORE=$PWD/other.db "$@"
}

@test "another store of the site: what it has and what has come further there" {
	sacctmgr -iQ add account physics && sacctmgr -iQ add user ann account=physics
	job() {
		srecord job cpus=4 user=ann account=physics submit=2026-03-01T10:00:00 \
			start=2026-03-01T11:00:00 "$@" >/dev/null
	}
	job id=1 state=RUNNING
	job id=2 state=RUNNING
	sacctmgr -Q backup "$PWD/other.db"
	in_other sacctmgr -iQ add user bob account=physics
	in_other job id=1 state=COMPLETED end=2026-03-01T12:00:00
	in_other srecord step job=1 step=0 cpus=4 start=2026-03-01T11:00:00 \
		end=2026-03-01T12:00:00 state=COMPLETED >/dev/null
	in_other job id=3 user=bob state=FAILED end=2026-03-01T12:00:00
	job id=2 state=CANCELLED end=2026-03-01T11:30:00
	sacctmgr -iQ add user cy account=physics
	capture sacctmgr diff other.db
	same status "$status" 2
	[[ $stdout == *bob* && $stderr == *'left alone without prune'* ]]
	capture srecord import other.db
	same status "$status" 0
	[[ $stderr == *'3 jobs, 1 new, 1 changed, 1 known, 1 steps'* ]]
	prints $'1|ann|COMPLETED\n1.0||COMPLETED\n2|ann|CANCELLED\n3|bob|FAILED' \
		sacct -anP -S2026-01-01 --format=jobid,user,state
	prints $'ann\nbob\ncy' sacctmgr -nP show user ann,bob,cy format=user
	# 4 processors for an hour twice, and half of one.
	prints 36000 sshare -nP -A physics -o rawusage
	capture srecord import other.db
	[[ $stderr == *'3 jobs, 3 known'* ]] || { echo "$stderr"; return 1; }
	# A pipe is read once, and from its beginning.
	same 'differences' "$(sacctmgr diff <(sacctmgr -Q dump canis file=-) 2>&1)" ''
}
