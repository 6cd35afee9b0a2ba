#!/usr/bin/env bats
# srecord -: facts from standard input, each answered by a line.

load lib

setup() {
	fresh_cluster
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

# feed FILE: (prints takes standard input away)
feed() {
	srecord - <"$1"
}

@test "a line is a fact, and is answered by a line" {
	echo 'NodeName=n[1-9] CPUs=64' >>"$SLURM_CONF"
	cat >facts <<-'END'
		job user=ann cpus=4
		# nothing

		job id=1 start=now nodelist=n2
		step job=1 step=0 name='two words' tasks=2
		  job   id=1 end=now comment="it's done" extra=a\ b
		node node=vm state=down reason=power
	END
	prints $'ok 1\nok\nok\nok\nok' feed facts
	prints "1|COMPLETED|it's done|a b" sacct -nPX -j 1 -o jobid,state,comment,extra
	prints '1.0|two words' sacct -nP -j 1.0 -o jobid,jobname
}

@test "each job has the association and the QOS of its own user and account" {
	sacctmgr -iQ add qos high,low >/dev/null
	sacctmgr -iQ add account top set defaultqos=high qos=high,low >/dev/null
	sacctmgr -iQ add account sub,other parent=top >/dev/null
	sacctmgr -iQ modify account other set defaultqos=low >/dev/null
	sacctmgr -iQ add user ann account=sub >/dev/null
	sacctmgr -iQ add user bob account=other >/dev/null
	printf '%s\n' 'job user=ann' 'job user=ann account=sub' 'job user=bob' \
		'job user=ann account=sub' 'job user=bob account=other' 'job user=ann' >facts
	srecord - <facts >answers
	prints $'1|ann|lab|normal\n2|ann|sub|high\n3|bob|other|low\n4|ann|sub|high' \
		sacct -nPX -j 1,2,3,4 -o jobid,user,account,qos
	ask 'SELECT j.user, j.account, a.user, a.account FROM job j
		LEFT JOIN assoc a ON a.key = j.assoc' >got
	awk -F'|' '$3 != "" && ($1 != $3 || $2 != $4)' got >wrong
	[[ ! -s wrong ]]
}

@test "a fact that is refused leaves nothing behind; the others go on" {
	printf '%s\n' 'job id=5 user=ann' 'job id=6 user=ann start=now+1day' 'import x' \
		'job id=7 user=ann comment="open' 'step job=5 step=0 start=now bogus=1' \
		'job id=8 user=nobody_here' 'job id=9 user=ann' >facts
	run srecord - <facts
	[[ $status == 1 && ${#lines[@]} == 7 ]]
	[[ ${lines[0]} == ok && ${lines[6]} == ok ]]
	[[ ${lines[1]} == 'error: line 2: '* && ${lines[2]} == *"unknown fact 'import'"* ]]
	[[ ${lines[3]} == *'a quote is not closed' && ${lines[4]} == *"unknown key 'bogus'"* ]]
	prints $'5\n9' sacct -naPX -S now-1day -o jobid
	prints '' sacct -nP -j 5.0 -o jobid
}

@test "whoever waits for an answer gets it, and the fact is in the store by then" {
	coproc srecord -
	pid=$COPROC_PID
	for id in 1 2 3; do
		echo 'job user=ann' >&"${COPROC[1]}"
		read -r -t 60 answer <&"${COPROC[0]}"
		[[ $answer == "ok $id" ]]
		prints "$id" sacct -nPX -j "$id" -o jobid
	done
	exec {COPROC[1]}>&-
	wait "$pid"
}

@test "others may write while a feeder waits" {
	coproc srecord -
	pid=$COPROC_PID
	echo 'job user=ann' >&"${COPROC[1]}"
	read -r -t 60 answer <&"${COPROC[0]}"
	sacctmgr -iQ add account more >/dev/null
	sacctmgr -iQ add user ann account=more >/dev/null
	echo 'job user=ann account=more' >&"${COPROC[1]}"
	read -r -t 60 answer <&"${COPROC[0]}"
	[[ $answer == 'ok 2' ]]
	exec {COPROC[1]}>&-
	wait "$pid"
	prints '2|more' sacct -nPX -j 2 -o jobid,account
}

@test "what was answered is in the store, whenever the feeder is killed" {
	for i in {1..9000}; do
		echo "job id=$i user=ann start=now-1hour end=now"
	done >facts
	srecord - <facts >answers &
	pid=$!
	until [[ -s answers ]]; do sleep 0.05; kill -0 "$pid" || break; done
	kill -9 "$pid" || true
	wait "$pid" || true
	n=$(grep -c ok answers)
	((n > 0))
	(($(ask 'SELECT count(*) FROM job') >= n))
	# Once more from the beginning: what came twice changes nothing.
	srecord - <facts >answers
	[[ $(grep -c ok answers) == 9000 && $(ask 'SELECT count(*) FROM job') == 9000 ]]
}

@test "bytes that are no text, a last line without an end, nothing at all" {
	printf 'job user=ann\njob us\0er=ann\n' >facts
	run srecord - <facts
	[[ $status == 1 && $output == *'line 2: there is a NUL byte in it'* ]]
	prints '' sacct -naPX -S now-1day -o jobid
	printf 'job user=ann' >facts
	prints 'ok 1' feed facts
	prints '' feed /dev/null
}

@test "no other words, no options of import and sync" {
	refuses "unknown fact '-'" srecord - job
	refuses '--end, --follow and --verify are for sync' srecord --verify -
}
