#!/usr/bin/env bats
# `sacctmgr --dry-run`: what a change would print and do; nothing is written (beyond Slurm).

load lib

setup() {
	fresh_cluster
	local_users ann bob cid
	sacctmgr -iQ add account lab,phys >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=10 >/dev/null
	sacctmgr -iQ add user bob account=lab >/dev/null
	srecord job id=4 user=bob account=lab mem=100 cpus=2 start=now-100 end=now \
		state=COMPLETED >/dev/null
	srecord job id=5 user=ann account=lab mem=100 cpus=2 >/dev/null
}

# Everything in the store, and its files.
everything() {
	ask .dump
	(cd "$(dirname "$(store)")" && sha256sum ./*)
}

@test "a dry run prints what would be, the rows, fair-share and jobs; nothing is written" {
	everything >before
	capture sacctmgr --dry-run modify account lab set maxjobs=0
	same status "$status" 0
	same messages "$stderr" ''
	[[ $stdout == ' Modified account associations...'* ]]
	same told " Dry run${stdout#* Dry run}" \
' Dry run: nothing is changed
 Rows: 1
  ~ association C = canis A = lab: MaxJobs none -> 0
 Fair-share factors that move by 0.01 or more: 0
 Jobs that would wait for another reason, or be over a limit: 1
  JobID = 5          U = ann       starts now -> AssocMaxJobsLimit'
	capture sacctmgr --dry-run modify user ann set fairshare=1
	same status "$status" 0
	[[ $stdout == *'~ association C = canis A = lab U = ann: Share 10 -> 1'* ]]
	same files "$(everything)" "$(<before)"
}

# rows WORDS...: those of a dry run.
rows() {
	sacctmgr --dry-run "$@" | sed -n '/^ Rows/,/^ Fair/{ /^  /p }'
}

@test "a dry run has the values of rows before and after, as they are typed" {
	fast='flags=nodecay,denyonlimit gracetime=40 grpwall=90 preemptmode=cancel usagefactor=2'
	a='association C = canis A ='
	same added "$(rows add user cid account=lab fairshare=7 maxwall=1-2 maxtres=cpu=4)" \
"  + user cid
  + $a lab U = cid: Default yes, Share 7, MaxWall 1-02:00:00
  + $a lab U = cid cpu MaxTRES: 4"
	words='  + QOS fast: Flags DenyOnLimit,NoDecay, GraceTime 40, GrpWall 01:30:00, '
	same qos "$(rows add qos fast $fast)" \
		"${words}PreemptMode cancel, UsageFactor 2.0"
	same plain "$(rows add qos fast)" '  + QOS fast'
	same accounts "$(rows add account bio description=cells)" \
"  + account bio: Descr cells
  + $a bio"
	sacctmgr -iQ add user cid account=lab fairshare=7 maxtres=cpu=4 maxjobs=2 >/dev/null
	sacctmgr -iQ add qos fast $fast >/dev/null
	same changed "$(rows modify user cid set maxtres=cpu=5,mem=3 maxwall=30 fairshare=parent \
		adminlevel=operator defaultqos=normal)" \
"  ~ user cid: Admin None -> Operator
  ~ $a lab U = cid: Share 7 -> parent, MaxWall none -> 00:30:00, DefaultQOS none -> normal
  + $a lab U = cid mem MaxTRES: 3
  ~ $a lab U = cid cpu MaxTRES: 4 -> 5"
	same changed "$(rows modify qos fast set grpwall=-1 preemptmode=cluster flags=-1)" \
"  ~ QOS fast: Flags DenyOnLimit,NoDecay -> none, GrpWall 01:30:00 -> none, \
PreemptMode cancel -> cluster"
	same moved "$(rows modify account phys set parent=lab)" "  ~ $a phys: Parent root -> lab"
	same removed "$(rows delete user cid)" \
"  - $a lab U = cid: Default yes, Share 7, MaxJobs 2
  - $a lab U = cid cpu MaxTRES: 4
  - user cid"
	# Jobs keep the row of who is deleted; it is marked.
	same marked "$(rows delete user bob)" \
"  - $a lab U = bob: Default yes
  - user bob"
	sacctmgr -iQ modify user bob set maxjobs=3 >/dev/null
	sacctmgr -iQ delete user bob >/dev/null
	same back "$(rows add user bob account=lab fairshare=4)" \
"  + user bob
  + $a lab U = bob: Default yes, Share 4"
	same undone "$(sacctmgr undo <<<n | sed -n '/^  /p')" \
"  + $a lab U = bob: Default yes, MaxJobs 3
  + user bob"
}

@test "a dry run says what the real run then prints and does, fair-share too" {
	sacctmgr -iQ add user cid account=lab >/dev/null
	while IFS= read -r words; do
		capture sacctmgr --dry-run $words
		same "status of --dry-run $words" "$status" 0
		said=${stdout%%' Dry run: nothing is changed'*}
		moved=$(grep ' U = .* -> ' <<<"$stdout" | grep -v '~' || true)
		prints "${said%$'\n'}" sacctmgr -i $words
		while read -r _ _ _ _ _ account _ _ user _ _ is; do
			[[ $account ]] || continue
			same "fair-share of $user" "$(sshare -ahPn -A "$account" -u "$user" \
				-o fairshare | tail -n 1)" "$is"
		done <<<"$moved"
		seen+=$moved
	done <<-'END'
		add user cid account=phys fairshare=4
		modify user ann where account=lab set fairshare=90
		add qos fast priority=4
		delete user cid account=phys
		modify account phys set parent=lab
		undo
		redo
	END
	[[ $seen ]]
}

@test "a dry run of what is refused says so and exits with 1" {
	capture sacctmgr --dry-run add user ann account=none
	same status "$status" 1
	[[ $stdout == *'No account none on cluster canis'* ]]
	refuses 'x cannot be read' sacctmgr --dry-run restore x
	refuses 'cannot try "ping"' sacctmgr --dry-run ping
	prints '  Nothing modified' sacctmgr --dry-run rebuild usage
}

@test "a dry run of load, and as JSON" {
	sacctmgr dump canis file=canis.cfg >/dev/null
	sed -i "s/^User - 'bob'.*/&:MaxJobs=7/" canis.cfg
	everything >before
	capture sacctmgr --dry-run load canis.cfg
	same status "$status" 0
	[[ $stdout == *'~ association C = canis A = lab U = bob: MaxJobs none -> 7'* ]]
	capture sacctmgr --dry-run --json modify user bob set maxjobs=3
	same rows "$(jq -c '.dry_run[0].rows' <<<"$stdout")" \
'[{"change":"changed","row":"association C = canis A = lab U = bob: MaxJobs none -> 3"}]'
	same files "$(everything)" "$(<before)"
}

@test "a dry run is as much as the caller may do" {
	capture as ann sacctmgr --dry-run modify user bob set fairshare=9
	same status "$status" 1
	[[ $stdout$stderr != *'Dry run'* ]]
	sacctmgr -iQ add coordinator account=lab names=ann >/dev/null
	capture as ann sacctmgr --dry-run modify user bob set fairshare=9
	same status "$status" 0
	[[ $stdout == *'U = bob: Share 1 -> 9'* ]]
}

@test "archive and rebuild: what would be written, erased and made anew; no file" {
	srecord step job=4 step=0 state=COMPLETED start=now-100 end=now >/dev/null
	everything >before
	mkdir archive
	capture sacctmgr --dry-run archive dump directory="$PWD/archive" jobs steps \
		purgejobafter=0hours purgestepafter=0hours
	same status "$status" 0
	[[ $stdout == ' Records to be written: '*' Records to be erased: '*' Dry run: '* ]]
	same files "$(ls archive)" ''
	same store "$(everything)" "$(<before)"
	sacctmgr -i archive dump directory="$PWD/archive" jobs events steps >/dev/null 2>&1
	everything >before
	capture sacctmgr --dry-run archive load file="$(echo archive/*)"
	same status "$status" 0
	[[ $stdout == *'Rows: 0'* ]]
	ask 'UPDATE usage SET raw = raw * 3 + 1'
	everything >before
	capture sacctmgr --dry-run rebuild usage
	same status "$status" 0
	[[ $stdout == ' Rebuilt usage (seconds)...'*' Dry run: '* ]]
	real=$(sacctmgr -i rebuild usage)
	same report "$(sed '/^ Dry run/,$d' <<<"$stdout")" "$real"
	everything >before
	sacctmgr --dry-run rebuild rollups | grep -q ' Dry run: nothing is changed'
	same store "$(everything)" "$(<before)"
}

@test "srecord --dry-run: the number of a new job, rows, fair-share, what waits; nothing is kept" {
	everything >before
	capture srecord --dry-run job user=ann account=lab mem=100 cpus=2
	same messages "$stderr" ''
	same status "$status" 0
	same told "$stdout" '6
 Dry run: nothing is changed
 Rows: 1
  + job 6
 Fair-share factors that move by 0.01 or more: 0
 Jobs that would wait for another reason, or be over a limit: 1
  JobID = 6          U = ann       new -> starts now'
	capture srecord --dry-run job id=5 start=now state=RUNNING
	same status "$status" 0
	[[ $stdout == *'JobID = 5          U = ann       starts now -> RUNNING'* ]]
	capture srecord --dry-run --json job id=9 user=ann account=lab mem=100 cpus=64 \
		submit=now-90000 start=now-90000 end=now state=COMPLETED
	same status "$status" 0
	same rows "$(jq -r '.dry_run[0].rows[] | .change + " " + .row' <<<"$stdout" |
		grep job)" 'added job 9'
	[[ $(jq '.dry_run[0].fairshare | length' <<<"$stdout") -ge 1 ]]
	refuses 'account nowhere is not known' srecord --dry-run job user=ann account=nowhere
	for words in 'node name=vm state=DOWN start=now-10' 'cluster tres=cpu=8 start=now-10' \
		'reservation name=r nodes=vm end=now+1hour' \
		'step job=4 step=0 start=now-90 end=now'; do
		# shellcheck disable=SC2086
		capture srecord --dry-run $words
		echo "$words: $stdout$stderr"
		[[ $status == 0 && $stdout == *' Dry run: nothing is changed'* ]]
		[[ $stdout != *'Rows: 0'* ]]
	done
	same store "$(everything)" "$(<before)"
}

# tried STATUS LAST LINE WORD...: of srecord --dry-run job user=ann account=lab
tried() {
	local wanted=$1 last=$2 form
	shift 2
	for form in -n --json; do
		capture srecord --dry-run "$form" job user=ann account=lab "$@"
		same "status of $form $*" "$status" "$wanted" || return 1
	done
	capture srecord --dry-run job user=ann account=lab "$@"
	same "$*" "$(tail -1 <<<"$stdout$stderr" | sed 's/.*ann *//')" "$last"
}

@test "srecord --dry-run: its status says whether a new job would start, wait or be refused" {
	echo AccountingStorageEnforce=limits >>"$SLURM_CONF"
	tried 0 'new -> starts now' mem=100
	tried 2 'new -> JobHeldUser' mem=100 hold=1
	tried 2 'new -> BeginTime' mem=100 begin=now+1hour
	tried 0 ' Jobs that would wait for another reason, or be over a limit: 0' \
		mem=100 id=90 start=now
	sacctmgr -iQ modify account lab set grptresmins=cpu=1
	tried 2 'new -> AssocGrpCPUMinutesLimit' mem=100 timelimit=60
	sacctmgr -iQ modify account lab set grptresmins=cpu=-1 grpsubmitjobs=0
	refuses AssocGrpSubmitJobsLimit srecord --dry-run job user=ann account=lab mem=100
	echo 'job user=ann account=lab mem=100 hold=1' >facts
	run -1 srecord --dry-run - <facts
	sacctmgr -iQ modify account lab set grpsubmitjobs=-1
	run -0 srecord --dry-run - <facts # many facts
}

# The fair-share that a dry run in the file `said` says will be is what there is.
same_shares() {
	while read -r _ _ _ _ _ account _ _ user _ _ is; do
		same "fair-share of $user" "$(sshare -ahPn -A "$account" -u "$user" \
			-o fairshare | tail -n 1)" "$is"
	done < <(grep ' C = .* U = .* -> ' said | grep -v association)
}

# some_change SEED: one of many changes, in words. The seed is set here: a subshell has its own.
some_change() {
	RANDOM=$1
	local a=(lab phys chem bio) u=(ann bob cid dan) n=$((RANDOM % 9 + 1))
	local account=${a[RANDOM % 4]} other=${a[RANDOM % 4]} user=${u[RANDOM % 4]}
	local changes=(
		"add account $account parent=$other"
		"add account $account fairshare=$n"
		"add user $user account=$account fairshare=$n"
		"add user $user,ann account=$account"
		"modify user $user set fairshare=$n maxjobs=$n"
		"modify user $user where account=$account set fairshare=$((n * 30))"
		"modify account $account set fairshare=$n"
		"modify account $account set parent=$other"
		"modify account $account set grptres=cpu=$n"
		"modify user $user set rawusage=$((n * 1000))"
		"modify user $user set qos=+q$n"
		"modify user $user set defaultaccount=$account"
		"add qos q$n priority=$n"
		"delete qos q$n"
		"add coordinator $user account=$account"
		"delete user $user account=$account"
		"delete user $user"
		"delete account $account"
		"ensure user $user account=$account fairshare=$n"
		"absent user $user account=$account"
		undo
		redo
		"load then.cfg"
		"apply then.yaml"
		"apply then.yaml prune"
	)
	printf '%s\n' "${changes[RANDOM % ${#changes[@]}]}"
}

# Everybody's fair-share, a line each: account, user, factor.
everybody() {
	sshare -ahnP -o account,user,fairshare | sed 's/^ *//' | grep -v '||'
}

# Users whose factor is another by 0.01 or more, as a dry run has them.
moves() {
	join -t '|' <(sed 's/|/ /' "$1" | sort) <(sed 's/|/ /' "$2" | sort) |
		awk -F '|' '{ d = $3 - $2 } d >= 0.01 || d <= -0.01 {
			split($1, name, " ")
			printf "%s %s %s -> %s\n", name[1], name[2], $2, $3
		}' | sort
}

# What the dry run in `said` says of that.
told_moves() {
	sed -n '/^ Fair-share/,/^ Jobs/p' said |
		sed -n 's/.* A = \([^ ]*\) *U = \([^ ]*\) *\([0-9]\)/\1 \2 \3/p' | sort
}

@test "a dry run of any change is what it then prints, does, and moves" {
	# Ranks of a few users are far apart: no move is nearly 0.01, and rounded.
	sacctmgr -iQ add user cid account=phys fairshare=7 >/dev/null
	changed=0 moved=0
	for ((i = 0; i < ${BURSAR_HISTORIES:-50}; i++)); do
		if ((i % 10 == 0)); then
			sacctmgr dump canis file=then.cfg >/dev/null 2>&1
			sacctmgr -Q dump canis format=yaml file=then.yaml >/dev/null
		fi
		words=$(some_change $((i + 77)))
		everybody >before
		# shellcheck disable=SC2086
		capture sacctmgr --dry-run $words
		cp "$BATS_TEST_TMPDIR/out" said
		said=$(sed '/^ Dry run: /,$d' said)
		errors=${stderr%usec=*} was=$status # load says how long it took
		same "fair-share before $words" "$(everybody)" "$(<before)"
		# shellcheck disable=SC2086
		capture sacctmgr -i $words
		same "status of $words" "$status" "$was" || { cat said; return 1; }
		same "$words, said" "$stdout" "$said"
		same "complaints about $words" "${stderr%usec=*}" "$errors"
		everybody >after
		same "moved by $words" "$(told_moves)" "$(moves before after)"
		changed=$((changed + (status == 0)))
		moved=$((moved + $(moves before after | wc -l)))
	done
	echo "$changed changes, $moved moved"
	((changed > i / 5 && moved > i / 10))
}

@test "restore: the rows of both stores that differ, counted; both files stay" {
	mkdir other
	sacctmgr -Q backup other/copy
	srecord job id=5 state=CANCELLED end=now >/dev/null
	sacctmgr -iQ modify user ann set fairshare=77 >/dev/null
	sacctmgr -iQ add user cid account=phys >/dev/null
	sacctmgr -iQ add account later >/dev/null
	everything >before
	sum=$(sha256sum other/copy)
	capture sacctmgr --dry-run restore other/copy
	same status "$status" 0
	same messages "$stderr" ''
	printf '%s\n' "$stdout" >said
	same rows "$(sed -n '/^ Rows/,/^ Fair/p' said)" ' Rows: 6
  - 1 accounts
  - 1 users
  ~ 1 associations
  - 2 associations
  ~ 1 jobs
 Of these
  - account later
  - user cid
  - association C = canis A = later
  - association C = canis A = phys U = cid: Default yes
  ~ association C = canis A = lab U = ann: Share 77 -> 10
 Accounts and users with other jobs: 1
  A = lab        U = ann       Jobs + 0 ~ 1 - 0  CPU hours +0.0
 Fair-share factors that move by 0.01 or more: 2'
	same store "$(everything)" "$(<before)"
	same copy "$(sha256sum other/copy; ls other)" "$sum"$'\ncopy'
	capture sacctmgr --dry-run --json restore other/copy
	same shares "$(jq -r '.dry_run[0].fairshare | length' <<<"$stdout")" \
		"$(sed -n 's/^ Fair.* or more: //p' said)"
	sacctmgr -i restore other/copy | sed 's/restore-.*/restore-/' >real
	same report "$(sed '/^ Dry run/,$d; s/restore-.*/restore-/' said)" "$(<real)"
	same_shares
}

# A history that sacct would print.
history_file() {
	echo 'JobID|User|Account|Submit|Start|End|State|AllocCPUS'
	for ((i = 1; i <= 40; i++)); do
		user=ann
		((i % 3)) || user=bob
		echo "$((100 + i))|$user|lab|$1|$1|$2|COMPLETED|$i"
	done
}

@test "import: rows counted, jobs by account and user, fair-share; again nothing" {
	# A day to the second: the clock is asked once.
	now=$(date +%s)
	history_file "$(date -d "@$((now - 172800))" +%FT%T)" \
		"$(date -d "@$((now - 86400))" +%FT%T)" >history.txt
	echo 'xyz|ann|lab|2026-01-01T00:00:00||||' >>history.txt
	everything >before
	capture srecord --dry-run import --rejects=rejected history.txt
	same status "$status" 1
	[[ $stderr == *"line 42: "*'srecord: 40 jobs, 40 new, 1 refused;'* && ! -e rejected ]]
	printf '%s\n' "$stdout" >said
	same told "$(sed '/^ Fair/,$d' said)" ' Dry run: nothing is changed
 Rows: 40
  + 40 jobs
 Accounts and users with other jobs: 2
  A = lab        U = ann       Jobs + 27 ~ 0 - 0  CPU hours +13128.0
  A = lab        U = bob       Jobs + 13 ~ 0 - 0  CPU hours +6552.0'
	sed -i '$d' history.txt
	capture srecord --dry-run --json import history.txt
	same status "$status" 0
	same counts "$(jq -c '.dry_run[0] | [.counts, .jobs_of[0].cpu_seconds]' <<<"$stdout")" \
		'[[{"kind":"jobs","added":40,"changed":0,"removed":0}],47260800]'
	same store "$(everything)" "$(<before)"
	srecord import history.txt 2>real
	same summary "$(sed 's/; .*//' real)" "$(sed 's/; .*//' <<<"$stderr")"
	same_shares
	capture srecord --dry-run import history.txt
	[[ $stdout == *$' Rows: 0\n'* && $stderr == *'40 known'* ]]
	sacctmgr dump canis file=canis.cfg >/dev/null 2>&1
	sed -i "s/^User - 'bob'.*/&:MaxJobs=7/" canis.cfg
	everything >before
	capture srecord --dry-run import canis.cfg
	same status "$status" 0
	[[ $stdout == *'A = lab U = bob: MaxJobs none -> 7'* ]]
	same store "$(everything)" "$(<before)"
}

@test "facts from standard input: the answers, and what came of all" {
	everything >before
	printf '%s\n' 'job id=6 user=ann account=lab' 'job id=7 user=eve account=lab' \
		'node name=vm state=DOWN start=now-10' >facts
	srecord --dry-run - <facts >told && status=0 || status=$?
	same status "$status" 1
	same told "$(sed '/^ Fair/,$d; s/^\(error: line .:\).*/\1/' told)" "ok
error: line 2:
ok
 Dry run: nothing is changed
 Rows: 2
  + 1 jobs
  + 1 events
 Accounts and users with other jobs: 1
  A = lab        U = ann       Jobs + 1 ~ 0 - 0  CPU hours +0.0"
	same store "$(everything)" "$(<before)"
}

@test "running jobs that reach a limit, jobs that are let go, and those refused" {
	echo AccountingStorageEnforce=limits >>"$SLURM_CONF"
	srecord job id=8 user=bob account=lab cpus=2 submit=now-2hours start=now-2hours \
		state=RUNNING >/dev/null
	capture sacctmgr --dry-run modify account lab set grpwall=60
	[[ $stdout == *'JobID = 8          U = bob       RUNNING -> AssocGrpWallLimit'* ]]
	sacctmgr -iQ modify account lab set maxjobs=0 >/dev/null
	srecord --dry-run job id=8 end=now state=COMPLETED | grep -c 'JobID = 8' && return 1
	capture sacctmgr --dry-run modify account lab set maxjobs=-1
	[[ $stdout == *'JobID = 5          U = ann       AssocMaxJobsLimit -> starts now'* ]]
}

@test "dump and backup write no file" {
	everything >before
	prints ' Dry run: copy is not written' sacctmgr --dry-run backup copy
	sacctmgr --dry-run dump canis file=x.cfg >said 2>/dev/null
	same said "$(<said)" ' Dry run: x.cfg is not written'
	prints ' Dry run: x.yaml is not written' \
		sacctmgr --dry-run dump canis format=yaml file=x.yaml
	[[ ! -e copy && ! -e x.cfg && ! -e x.yaml ]]
	same store "$(everything)" "$(<before)"
}

# From a megabyte on it is kept in a file. The library stands for a disk that reads no further.
@test "a report that cannot be read back is not printed in part" {
	{
		printf '%s\n' "Cluster - 'canis'" "Parent - 'root'"
		printf "Account - 'a%0240d'\n" {1..4000}
	} >many
	cc -x c -shared -fPIC -o short.so - <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		size_t fread(void *to, size_t size, size_t n, FILE *file)
		{
			size_t (*real)(void *, size_t, size_t, FILE *) =
				dlsym(RTLD_NEXT, "fread");

			return real(to, size, n < 1 << 20 ? n : 7, file);
		}
	END
	capture sacctmgr --dry-run load many
	same status "$status" 0
	[[ $stdout == *' Dry run'* && ${#stdout} -gt 1048576 ]]
	LD_PRELOAD=$PWD/short.so:$LD_PRELOAD \
		refuses 'the report cannot be read back' sacctmgr --dry-run load many
}
