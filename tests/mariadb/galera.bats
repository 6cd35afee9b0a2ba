#!/usr/bin/env bats
# Replicas over a log in three servers of a Galera cluster, each host with another one first: what
# was acknowledged is on all replicas, once, whatever server is lost meanwhile.

servers=3
load lib
load older

setup() {
	fresh_site a b c
	each_another_first
	populate
}

each_another_first() {
	sql_in_step 1 2 3
	hosts_of b 127.0.0.2,127.0.0.3,127.0.0.1
	hosts_of c 127.0.0.3,127.0.0.1,127.0.0.2
}

@test "who reads after a change sees it, on whichever server" {
	local i
	for ((i = 1; i <= 15; i++)); do
		on a sacctmgr -iQ modify user ann set fairshare=$((i + 100)) >/dev/null
		prints $((i + 100)) on b sacctmgr -nP show assoc user=ann format=share
		on b sacctmgr -iQ modify user ann set fairshare=$((i + 200)) >/dev/null
		prints $((i + 200)) on c sacctmgr -nP show assoc user=ann format=share
	done
	agree a b c
}

@test "eight writers on three servers: who loses the certification does it again" {
	writers 8 "${LONG:+60}"
	all_there
	agree a b c
	same_answers a b
	same_answers b c
}

@test "hosts that migrate at the same moment, on three servers, do so once" {
	hosts_make "$BATS_TEST_TMPDIR" a b c
	each_another_first
	older_site
	nine_writers
	migrated
}

@test "a server is killed while eight write, and comes back" {
	writers 8 "${LONG:+60}" &
	until_true test -s acknowledged-3
	sql_kill 2
	until_true grep -q . acknowledged-6
	sql_again 2
	wait %1
	all_there
	sql_in_step 1 2 3
	agree a b c
	same_answers a b
}

@test "a server answers nobody while eight write, and comes back" {
	writers 8 "${LONG:+60}" &
	until_true test -s acknowledged-3
	sql_freeze 3
	UNTIL_TRUE=120 wait %1
	sql_thaw 3
	sql_in_step 1 2 3
	all_there
	agree a b c
}

@test "a server is cut off from the others while eight write: hosts go on with those" {
	writers 8 "${LONG:+60}" &
	until_true test -s acknowledged-3
	sql_cut_off 1
	wait %1
	sql_join 1
	sql_in_step 1 2 3
	all_there
	agree a b c
}

@test "a server that is cut off gives no answer of its own" {
	sql_cut_off 1
	hosts_of a 127.0.0.1
	capture on a sshare -aP
	[[ $status == 0 && $stderr == *' ago), because the log cannot be asked (127.0.0.1: '* ]]
	capture on a sacctmgr -iQ add user dee account=music
	[[ $status == 1 && $stderr == *'nothing can be changed while the log cannot be asked'* ]]
	hosts_of a 127.0.0.1,127.0.0.2
	on a sacctmgr -iQ add user dee account=music >/dev/null
	has_user b dee
	sql_join 1
	sql_in_step 1 2 3
	agree a b c
}

@test "the server dies between its commit and its answer: another one knows" {
	local before
	before=$(number)
	proxy=$BATS_TEST_TMPDIR/proxy
	proxy_to 1 "$proxy"
	hosts_of a "$proxy_address,127.0.0.2,127.0.0.3"
	printf '#!/bin/sh\nkill -9 %s\nexit 1\n' "$(<"$sql_dir/1/process")" >"$proxy/script"
	chmod +x "$proxy/script"
	rule run 'INSERT INTO bursar_log'
	on a sacctmgr -iQ add user dee account=music
	followed
	has_user b dee
	sql_again 1
	sql_in_step 1 2 3
	(($(number) == before + 1))
	agree a b c
}

# A commit that arrives late: host a has asked server 2 meanwhile, by way of a second proxy.
late_commit() {
	proxy=$BATS_TEST_TMPDIR/proxy
	proxy_to 2 "$proxy-2"
	second=$proxy_address
	proxy_to 1 "$proxy"
	hosts_of a "$proxy_address,$second"
	rule hold 'INSERT INTO bursar_log'
}

@test "a commit arrives after it was done again elsewhere: it counts for nothing" {
	local before
	# The first job also has the capacity written down.
	on b srecord job id=1 user=ann account=physics >/dev/null
	before=$(number)
	late_commit
	on a srecord job id=7 user=ann account=physics >/dev/null
	followed
	touch "$proxy/release"
	until_true test -e "$proxy/answered"
	sql_in_step 1 2 3
	(($(number) == before + 1))
	agree a b c
}

@test "a commit arrives while it is done again elsewhere: one of the two counts" {
	local before
	# The first job also has the capacity written down.
	on b srecord job id=1 user=ann account=physics >/dev/null
	before=$(number)
	late_commit
	cat >"$proxy-2/script" <<-END
		#!/bin/sh
		touch "$proxy/release"
		while [ ! -e "$proxy/answered" ]; do sleep 0.05; done
	END
	chmod +x "$proxy-2/script"
	echo 'run SELECT number FROM bursar_log' >"$proxy-2/rule"
	# Each time it is run it makes another job.
	on a srecord job user=ann account=physics >/dev/null
	[[ -e $proxy/answered && ! -e $proxy-2/rule ]]
	sql_in_step 1 2 3
	(($(number) == before + 1))
	[[ $(on b squeue -ah | wc -l) == 2 ]]
	agree a b c
}
