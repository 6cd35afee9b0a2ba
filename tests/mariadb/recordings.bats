#!/usr/bin/env bats
# What Slurm answered (tests/golden), and bats files of tests/bats, on two hosts that share a log:
# every second program runs on the other one.

load lib

setup() {
	need_servers
}

@test "the recordings" {
	local file rc failed=''
	for file in "$BATS_TEST_DIRNAME"/../golden/*.t; do
		rc=0
		"$replay_dir/run" -b "$(programs)" "$file" >"$BATS_TEST_TMPDIR/told" 2>&1 || rc=$?
		((rc == 0 || rc == 77)) || { failed=1; cat "$BATS_TEST_TMPDIR/told"; }
	done
	[[ ! $failed ]]
}

on_two_hosts() {
	run env BURSAR_BIN="$(programs)" bats -t "$BATS_TEST_DIRNAME/../bats/$1.bats"
	printf '%s\n' "$output" | grep -A30 '^not ok' || true
	((status == 0))
}

# Files that neither write the store past the programs nor ask about its file.
@test "tests/bats/ensure.bats" {
	on_two_hosts ensure
}

@test "tests/bats/leases.bats" {
	on_two_hosts leases
}

@test "tests/bats/sacctmgr-more.bats" {
	on_two_hosts sacctmgr-more
}

@test "tests/bats/sacctmgr-words.bats" {
	on_two_hosts sacctmgr-words
}

@test "tests/bats/sshare.bats" {
	on_two_hosts sshare
}

@test "tests/bats/srecord-stream.bats" {
	on_two_hosts srecord-stream
}

@test "tests/bats/usage.bats" {
	on_two_hosts usage
}
