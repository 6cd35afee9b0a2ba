#!/usr/bin/env bats
# Another host was faster: every kind of change is made again from its beginning, once, and nothing
# of the first time is left or told. (A server that loses the entry in front of its commit is the
# same to a program.)

load lib
load ../bats/fake-slurm

setup() {
	fresh_site a b
	populate
	proxy_before b
	on b sshare -a >/dev/null
}

# once COMMAND...: on host b, the first time in vain
once() {
	rule drop 'INSERT INTO bursar_log'
	capture on b "$@"
	[[ $status == 0 ]] || { echo "$* (status $status): $stdout $stderr"; return 1; }
	followed || { echo "changed nothing: $*"; return 1; }
}

shares() {
	on "$1" sacctmgr -nP show assoc user=ann format=share
}

@test "undo and redo" {
	on a sacctmgr -iQ modify user ann set fairshare=7
	once sacctmgr -i undo
	same 'lines about the change' "$(grep -c 'Undo change' <<<"$stdout")" 1
	prints 1 shares a
	once sacctmgr -i redo
	prints 7 shares a
	agree a b
}

@test "undo, asked about first" {
	on a sacctmgr -iQ modify user ann set fairshare=7
	rule drop 'INSERT INTO bursar_log'
	on b sacctmgr undo <<<y >said
	followed
	prints 1 shares a
	agree a b
}

@test "archive dump with a purge, archive load" {
	local before
	job a 1 user=ann account=physics
	job a 2 user=bob account=physics
	before=$(on a sacct -aXnP -S2026-01-01)
	mkdir kept
	once sacctmgr -i archive dump directory="$PWD/kept" jobs purgejobafter=1months
	[[ $(ls kept | wc -l) == 1 ]]
	same 'told' "$(grep -c 'records erased' <<<"$stderr")" 1
	[[ ! $(on a sacct -aXnP -S2026-01-01) ]]
	once sacctmgr -i archive load file="$PWD/kept/$(ls kept)"
	same 'jobs' "$(on a sacct -aXnP -S2026-01-01)" "$before"
	agree a b
}

# An archive of so many jobs of two hours on 16 processors.
archive_of() {
	job a 1 user=ann account=physics
	mkdir kept
	on a sacctmgr -iQ archive dump directory="$PWD/kept" jobs purgejobafter=1months
	awk -v n="$1" '{ for (i = 1; i <= n; i++) {
		line = $0; sub(/"id":1,/, "\"id\":" i ",", line); print line } }' kept/* >many
}

@test "archive load: entries of 2000 records, refused before the first or loaded once" {
	local first
	archive_of 2100
	{ cat many; echo '{"kind":"job","cluster":"nowhere","id":5}'; } >bad
	first=$(number)
	refuses 'bad:2101: the cluster of this record does not exist' \
		on a sacctmgr -i archive load bad
	same 'entries of what is refused' "$(number)" "$first"
	once sacctmgr -iQ archive load many
	same 'entries' "$(number)" $((first + 2))
	same jobs "$(on a sacct -aXnP -S2026-01-01 -o jobid | wc -l)" 2100
	on a sacctmgr check usage
	agree a b
}

@test "archive load: refused by the server in the middle: what is there is told, again goes on" {
	archive_of 2100
	log_ask "ALTER TABLE bursar_log ADD CONSTRAINT few CHECK (number <= $(($(number) + 1)))"
	refuses '2000 of its records are here, load it again to go on' \
		on b sacctmgr -iQ archive load many
	log_ask 'ALTER TABLE bursar_log DROP CONSTRAINT few'
	on b sacctmgr -iQ archive load many
	same jobs "$(on a sacct -aXnP -S2026-01-01 -o jobid | wc -l)" 2100
	on a sacctmgr check usage
	agree a b
}

@test "runaway jobs are mended" {
	on a srecord job id=5 user=ann account=physics cpus=1 submit=2026-03-01T10:00:00 \
		start=2026-03-01T11:00:00 state=RUNNING timelimit=60
	once sacctmgr -i show runawayjobs
	[[ ! $(on a squeue -h) ]]
	agree a b
}

@test "splan --start, splan --record" {
	on a srecord job id=1 user=ann account=physics cpus=40 mem=100 timelimit=10
	on a srecord job id=2 user=ann account=physics cpus=40 mem=100 timelimit=10
	once splan --start
	same 'lines about the job that starts' "$(grep -c ' start ' <<<"$stdout")" 1
	prints 1 on a squeue -h -t R -o %i
	once splan --record
	[[ $(on a squeue -h --start -o %S) == 20* ]]
	agree a b
}

# lines FIRST LAST: of sacct, one of each batch refused
lines() {
	echo 'JobID|User|Account|Cluster|Partition|State|Submit|Start|End|AllocCPUS|ExitCode'
	seq "$1" "$2" | awk '{
		print $1 "|ann|physics|canis|debug|COMPLETED|" \
			"2026-03-01T10:00:00|2026-03-01T11:00:00|2026-03-01T12:00:00|" \
			($1 == 5 || $1 == 30001 ? "x" : 4) "|0:0"
	}'
}

# In the second batch: the first is in by then.
second_is_lost() {
	printf '#!/bin/sh\necho drop INSERT INTO bursar_log >"%s"\n' "$proxy/rule" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run 'INSERT INTO bursar_log'
}

imported_once() {
	[[ ! -e $proxy/rule ]]
	same 'status, with lines refused' "$status" 1
	printf '%s\n' "$stderr"
	[[ $stderr == *'44998 jobs, 44998 new, 2 refused'* ]]
	same 'refusals that were told' "$(grep -c 'error: line' <<<"$stderr")" 2
	catch_up a
	prints 44998 eval 'on a sacct -aXnP -S2026-01-01 | wc -l'
	# 4 processors for an hour each
	prints $((44998 * 4 * 3600)) eval 'on a sreport -nP -t seconds cluster \
		accountutilizationbyuser start=2026-03-01 end=2026-03-02 users=ann \
		accounts=physics format=used | tail -1'
	same 'imports that transactions tell of' \
		"$(on a sacctmgr -nP show transactions | grep -c 'import,')" 1
	agree a b
}

@test "a batch of an import from a file" {
	lines 1 45000 >jobs.txt
	second_is_lost
	capture on b srecord import --rejects=rejected jobs.txt
	imported_once
	same 'lines that were kept' "$(grep -vc '^#' rejected)" 2
}

@test "a batch of an import from a pipe" {
	second_is_lost
	capture on b srecord import <(lines 1 45000)
	imported_once
}

@test "an import of a document" {
	on a srecord job id=7 user=ann account=physics cpus=16 submit=2026-03-01T10:00:00 \
		start=2026-03-01T11:00:00 end=2026-03-01T13:00:00 state=COMPLETED exit=0:0
	on a sacct -aX -S2026-01-01 --json >jobs.json
	sed -i 's/"job_id": *7\b/"job_id": 8/' jobs.json
	once srecord import jobs.json
	[[ $stderr == *'1 jobs, 1 new'* ]]
	agree a b
}

@test "srecord sync: whichever change of a round it is" {
	local n lost=0
	fake_slurm
	cat >"$proxy/script" <<-END
		#!/bin/bash
		n=\$(<"$proxy/before")
		echo \$((n - 1)) >"$proxy/before"
		what='run INSERT INTO bursar_log'
		((n > 1)) || what='drop INSERT INTO bursar_log'
		echo "\$what" >"$proxy/rule"
	END
	chmod +x "$proxy/script"
	for n in 1 2 3 4 5; do
		sed -i "s/[0-9]*|lab|ann[0-9]*/$((n + 9))|lab|ann$n/; s/ann[0-9]*/ann$n/
			s/^[^0-9]*[0-9]*|ann/$n|ann/" slurm/*
		echo "$n" >"$proxy/before"
		rule run 'INSERT INTO bursar_log'
		capture on b srecord sync from=slurm bin="$PWD/slurm"
		[[ $status == 0 ]] || { echo "$stderr"; return 1; }
		followed && lost=$((lost + 1))
		rm -f "$proxy/rule"
		agree a b
		prints "ann$n" on a sacctmgr -nP show assoc account=lab format=user "user=ann$n"
	done
	# A position that is the same as a second ago is no change.
	((lost >= 2))
	on b srecord sync --end
	agree a b
}

@test "srecord sync: numbers of associations that change hands" {
	local user
	fake_slurm
	on b srecord sync from=slurm bin="$PWD/slurm"
	agree a b
	for user in bob ann; do
		sed -i "s/ann/USER/g; s/bob/USER/g; s/USER/$user/g" slurm/{sacctmgr,sacct}
		on b srecord sync from=slurm bin="$PWD/slurm"
		prints "9|$user" on a sacctmgr -nP show assoc account=lab user="$user" \
			format=id,user
		agree a b
	done
	sed -i 's/^\t*echo "9|lab|ann\(.*\)"$/echo "9|lab|cy\1"; echo "10|lab|ann\1"/
		s/echo "ann|None"/&; echo "cy|None"/' slurm/sacctmgr
	on b srecord sync from=slurm bin="$PWD/slurm"
	agree a b
	sed -i 's/"10|lab|ann/"0|lab|ann/; s/"9|lab|cy/"10|lab|cy/; s/"0|lab|ann/"9|lab|ann/' \
		slurm/sacctmgr
	on b srecord sync from=slurm bin="$PWD/slurm"
	prints $'9|ann\n10|cy' on a sacctmgr -nP show assoc account=lab user=ann,cy \
		format=id,user
	agree a b
}
