#!/usr/bin/env bats
# What-if: operations of sacctmgr and srecord tried in the program that shows what comes of them. No
# other program is run, nothing is written, and the store need not be writable.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab,phys
		add user ann account=lab
		add user bob account=phys
		add qos fast
	END
	srecord job id=1 user=ann account=lab >/dev/null
	sacctmgr -iQ add cluster lynx >/dev/null
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
}

teardown() {
	[[ ${shared-} == /tmp/what-if.* ]] && rm -rf "$shared"
	true
}

changes() {
	cat <<-'END'
		add account new
		add user ann account=phys fairshare=3
		add qos slow priority=4
		add cluster felis
		add federation fed
		add coordinator account=lab names=ann
		add resource name=mat server=srv type=license count=10
		modify account lab set fairshare=50
		modify user ann set maxjobs=1
		modify qos fast set priority=5
		modify cluster canis set maxjobs=3
		modify cluster lynx set newname=leo
		modify account phys set parent=lab
		modify user bob set newname=rob
		delete user bob
		delete qos fast
		job user=bob account=phys cpus=2
		job id=1 nice=5
		PriorityWeightAge=7
	END
}

@test "every operation can be tried, by every program; the store stays, nothing is left" {
	before=$(ask .dump)
	while IFS= read -r change; do
		for program in sshare sprio squeue; do
			capture $program --what-if="$change"
			same "messages of $program: $change" "$stderr" ''
			same "status of $program: $change" "$status" 0
		done
	done < <(changes)
	capture splan --when='user=ann cpus=1'
	same status "$status" 0
	same store "$(ask .dump)" "$before"
	same left "$(ls -A "$TMPDIR")" ''
}

@test "one after the other, each on what the one before left" {
	same shares "$(sshare -PhnA new -o account,rawshares \
		--what-if='add account new fairshare=7' \
		--what-if='modify account new set fairshare=9')" 'new||9|'
}

@test "a refusal says why, in one line, without another program's name" {
	refuses "--what-if='modify account lab set fairshare=x': " \
		sshare --what-if='modify account lab set fairshare=x'
	[[ $stderr != *sacctmgr:* && $stderr != *srecord:* && $stderr != *$'\n'* ]]
	refuses "user eve is not known" squeue --what-if='job user=eve'
	refuses "--when='user=eve': Invalid account" splan --when='user=eve'
}

@test "no other program is needed" {
	mkdir alone
	cp "$(command -v sshare)" alone
	capture alone/sshare -Pn -A lab -o rawshares --what-if='modify account lab set fairshare=5'
	same messages "$stderr" ''
	[[ $stdout == *'5'* ]]
}

# As somebody who may write neither the store nor its folder.
tries_there() {
	capture env -u LD_PRELOAD -u TMPDIR -C "$shared" SLURM_CONF="$shared/slurm.conf" \
		BURSAR_STORE="$shared/acct.db" setpriv --reuid 12345 --clear-groups \
		./sshare -Pn -A lab -o rawshares --what-if='modify account lab set fairshare=5'
	same messages "$stderr" ''
	[[ $stdout == *'5'* ]]
}

@test "who may only read tries, too" {
	[[ $(env -u LD_PRELOAD id -u) == 0 ]] ||
		skip "needs root: another uid that the kernel believes in"
	shared=$(mktemp -d /tmp/what-if.XXXXXX)
	cp "$(store)" "$shared/acct.db"
	cp "$(command -v sshare)" "$SLURM_CONF" "$shared"
	chmod 755 "$shared" "$shared/sshare"
	chmod 644 "$shared"/{acct.db,slurm.conf}
	tries_there
	BURSAR_STORE=$shared/acct.db SLURM_CONF=$shared/slurm.conf sshare >/dev/null
	chmod 644 "$shared"/acct.db*
	tries_there
}
