#!/usr/bin/env bats
# man/bursar-tutorial.7, typed as it stands in an empty folder, as an ordinary user would; and the
# examples of man/bursar.7.

load lib

@test "the tutorial's commands succeed and print what it shows" {
	fresh_cluster
	mkdir tour
	cd tour
	export SLURM_CONF=$PWD/slurm.conf BURSAR_STORE=$PWD/acct.db
	examples bursar-tutorial.7
}

@test "the tutorial counts its commands" {
	count=$(grep -cE '^[$] (printf|sacctmgr|srecord|sshare|sprio|splan)' \
		"$BATS_TEST_DIRNAME/../../man/bursar-tutorial.7")
	same 'number of commands' "$count" 15
}

@test "the examples of bursar(7) work as they are written" {
	fresh_cluster 'NodeName=n[1-2] CPUs=8'
	sacctmgr -iQ add account physics >/dev/null
	sacctmgr -iQ add user ann account=physics >/dev/null
	srecord job id=7 user=ann cpus=8
	examples bursar.7
}
