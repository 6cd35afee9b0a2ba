#!/usr/bin/env bats
# Clocks of hosts that go wrong: no change by a host whose clock differs from the server's, a word
# to who reads there; a clock that is set back changes no usage, and nothing is counted twice.

load lib

# The server's clock: it stands still, and so do those of the hosts.
zero=1772542800 # 2026-03-03T13:00:00

setup() {
	fresh_site a b c
	need faketime
	sql_ask 1 "SET GLOBAL init_connect = 'SET timestamp = $zero'"
	clock=0
	at a sacctmgr -iQ add account physics,music fairshare=10
	at b sacctmgr -iQ add user ann,bob account=physics
}

teardown() {
	sql_ask 1 'SET GLOBAL init_connect = ""' || true
}

need() {
	command -v "$1" >/dev/null || { echo "not installed: $1"; return 1; }
}

# at HOST COMMAND...: its clock is $clock seconds ahead
at() {
	local host=$1 now
	shift
	now=$(date -u -d "@$((zero + clock))" '+%F %T')
	on "$host" env NO_FAKE_STAT=1 FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "$now" "$@"
}

# ended HOST ID USER: a job of two hours on 16 processors ends there now
ended() {
	at "$1" srecord job id="$2" user="$3" account=physics cpus=16 \
		submit="uts$((zero + clock - 7200))" start="uts$((zero + clock - 7200))" \
		end="uts$((zero + clock))" state=COMPLETED
}

usage_of() {
	at "$1" sshare -nP -A physics -u "$2" -o user,rawusage | sed -n "s/^$2|//p"
}

used() {
	at "$1" sreport -nP -t seconds cluster accountutilizationbyuser \
		start="uts$((zero - 86400))" end="uts$((zero + 86400))" accounts=physics \
		format=login,used | sed -n "s/^$2|//p"
}

@test "an hour ahead, an hour behind: no change, and who reads is told" {
	local before words
	before=$(number)
	for clock in 3600 -3600; do
		words='ahead of'
		((clock > 0)) || words='behind'
		for command in 'sacctmgr -iQ add user dee account=physics' \
			'srecord job user=ann account=physics' 'sacctmgr -i undo'; do
			capture at a $command
			same "status of $command" "$status" 1
			[[ $stderr == *"this host ($(uname -n)) is 3600 seconds $words"* ]]
			[[ $stderr == *'127.0.0.1'*'nothing was done'*NTP* ]]
		done
		capture at a sshare -aP
		same status "$status" 0
		[[ $stdout == *ann* && $(wc -l <<<"$stderr") == 1 ]]
		[[ $stderr == *"this host ($(uname -n)) is 3600 seconds $words"*NTP* ]]
	done
	clock=0
	same 'entries' "$(number)" "$before"
	prints "$(at b sshare -aP)" at a sshare -aP
}

# What the three jobs below come to for ann and bob, 50 seconds ahead.
in_one_store() {
	(
		export BURSAR_STORE=$BATS_TEST_TMPDIR/alone.db BURSAR_NOW
		BURSAR_NOW=$((zero - 50)) clock=-50
		{
			sacctmgr -iQ add account physics,music fairshare=10
			sacctmgr -iQ add user ann,bob account=physics
			ended a 2 bob
			ended a 3 ann
			BURSAR_NOW=$((zero + 50)) clock=50
			ended a 1 ann
		} >/dev/null
		echo "$(usage_of a ann) $(usage_of a bob)"
	)
}

@test "a clock is set back between two commands: usage is counted once, and does not grow" {
	local before in_order
	echo PriorityDecayHalfLife=00:02:00 >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	clock=50
	ended a 1 ann
	before=$(usage_of a ann)
	((before > 0))
	clock=-50
	same 'usage, a clock that was set back' "$(usage_of a ann)" "$before"
	same 'usage, another host' "$(usage_of b ann)" "$before"
	ended a 2 bob
	ended b 3 ann
	# At its newest time ann's usage is what one store comes to that was told in order.
	in_order=$(in_one_store)
	clock=50
	for host in a b c; do
		same "usage on $host" "$(usage_of $host ann) $(usage_of $host bob)" "$in_order"
		same "ann on $host" "$(used $host ann)" $((2 * 16 * 7200))
		same "bob on $host" "$(used $host bob)" $((16 * 7200))
	done
	clock=-50
	same 'usage, set back again' "$(usage_of b ann)" "${in_order% *}"
	clock=0
	agree_at a b c
}

# As agree, by their clocks.
agree_at() {
	local host
	for host; do
		at "$host" sacctmgr -n show cluster >/dev/null
		replica_dump "$host" >"dump-$host"
		same "replica of $host" "$(<"dump-$host")" "$(<"dump-$1")"
	done
}

@test "roll-ups of a clock that was an hour ahead are not kept for true" {
	at a srecord job id=1 user=ann account=physics cpus=16 submit="uts$((zero - 7200))" \
		start="uts$((zero - 7200))" state=RUNNING
	clock=7200
	used a ann >/dev/null 2>&1
	clock=0
	same 'used so far' "$(used b ann)" $((16 * 7200))
	same 'used so far, by the clock that was set back' "$(used a ann)" $((16 * 7200))
	at b srecord job id=1 end="uts$zero" state=COMPLETED
	for host in a b c; do
		same "used on $host" "$(used $host ann)" $((16 * 7200))
	done
}

@test "a clock that was ahead hides nothing with PollInterval, nor a server that is back" {
	conf_add PollInterval=600
	clock=3600
	at a sshare -a >/dev/null 2>&1
	clock=0
	at b sacctmgr -iQ add user dee account=music
	prints dee at a sacctmgr -nP show user dee format=user
	conf_add PollInterval=0
	clock=3600
	sql_kill 1
	at a sshare -a >/dev/null 2>&1
	sql_again 1
	sql_ask 1 "SET GLOBAL init_connect = 'SET timestamp = $zero'"
	clock=0
	at b sacctmgr -iQ add user eve account=music
	prints eve at a sacctmgr -nP show user eve format=user
}
