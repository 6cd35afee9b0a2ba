#!/usr/bin/env bats
# Every recording of tests/golden, and the runner's own promises (tests/replay/README).

load recordings

@test "runner: passes what is as recorded" {
	replayed <<-'END'
		# a comment
		@user pam
		@conf ClusterName=lynx
		$ echo one; echo; printf two
		> one
		>
		> two%
		$ echo slurm 26.05.3-x y; echo took usec=12 >&2; exit 3
		> slurm 26.05.3 y
		! took usec=99
		? 3
		$ id -un; runuser -u pam -- id -u; grep -c lynx $SLURM_CONF; ls
		> root
		> 1001
		> 1
		$ printf ''
	END
	[ "$output" = "self.t: 4 passed, 0 failed, 0 of them expected" ]
	[ "$status" -eq 0 ]
}

@test "runner: notices output, message, exit status, set-up" {
	replayed <<-'END'
		$ echo one
		> two
		$ echo one >&2
		! two
		$ echo; exit 2
		>
		$ echo one
		> one
		> two
		@usage acct user 5
		$ true
	END
	[[ $output == "self.t: 1 passed, 5 failed, 0 of them expected"* ]]
	[[ $output == *"output line 1: |one|"*"recorded       : |two|"* ]]
	[[ $output == *"message line 1: |one|"* ]]
	[[ $output == *"exit status 2, recorded 0"* ]]
	[[ $output == *"set-up: sacctmgr"* ]]
	[ "$status" -eq 1 ]
}

@test "runner: an expected failure may fail, and may not pass" {
	expected=$'self.t\techo one\nself.t\techo two\t2 messages\nother.t\techo three'
	replayed <<-'END'
		$ echo one
		$ echo two
		> two
		$ echo two
		> two
		! x
	END
	[ "$output" = "self.t: 1 passed, 2 failed, 2 of them expected" ]
	[ "$status" -eq 0 ]
	replayed <<-'END'
		$ echo one
		> one
		$ echo two
		> two
		$ echo two
		> two
	END
	[[ $output == *"now passes: remove from tests/expected-failures"*"echo "*"echo "* ]]
	[ "$status" -eq 1 ]
}

@test "runner: a recording expected to fail whole" {
	expected=self.t
	replayed <<<'$ echo one'
	[ "$status" -eq 77 ]
	replayed <<<'$ true'
	[[ $output == *"now passes"* ]]
	[ "$status" -eq 1 ]
}

@test "runner: gives up on one that hangs" {
	echo '$ sleep 60' >"$BATS_TEST_TMPDIR/hang.t"
	run "$replay" -b /bin -s 1 "$BATS_TEST_TMPDIR/hang.t"
	[[ $output == *"hang.t: given up after 1 s"* ]]
	[ "$status" -eq 1 ]
}

@test "recording: account-add" { recording account-add; }
@test "recording: account-delete" { recording account-delete; }
@test "recording: account-modify" { recording account-modify; }
@test "recording: assoc-list" { recording assoc-list; }
@test "recording: cluster" { recording cluster; }
@test "recording: coord-rights-more" { recording coord-rights-more; }
@test "recording: coordinator" { recording coordinator; }
@test "recording: defqos-site" { recording defqos-site; }
@test "recording: delete-jobs-site" { recording delete-jobs-site; }
@test "recording: dump-load" { recording dump-load; }
@test "recording: dump-load-site" { recording dump-load-site; }
@test "recording: errors" { recording errors; }
@test "recording: events-more" { recording events-more; }
@test "recording: events-trans-site" { recording events-trans-site; }
@test "recording: federation" { recording federation; }
@test "recording: federation-more" { recording federation-more; }
@test "recording: format-widths" { recording format-widths; }
@test "recording: interactive" { recording interactive; }
@test "recording: json" { recording json; }
@test "recording: limit-qos-site" { recording limit-qos-site; }
@test "recording: limits-inherit" { recording limits-inherit; }
@test "recording: limits-reasons" { recording limits-reasons; }
@test "recording: limits-submit" { recording limits-submit; }
@test "recording: load-clean" { recording load-clean; }
@test "recording: load-partial-more" { recording load-partial-more; }
@test "recording: misc-shows" { recording misc-shows; }
@test "recording: multi-cluster-site" { recording multi-cluster-site; }
@test "recording: privileges" { recording privileges; }
@test "recording: prompt" { recording prompt; }
@test "recording: qos-basic" { recording qos-basic; }
@test "recording: qos-flags" { recording qos-flags; }
@test "recording: qos-inherit" { recording qos-inherit; }
@test "recording: qos-limits" { recording qos-limits; }
@test "recording: reports" { recording reports; }
@test "recording: resource" { recording resource; }
@test "recording: sacct-more" { recording sacct-more; }
@test "recording: sacct-steps-site" { recording sacct-steps-site; }
@test "recording: sacctmgr-json-more" { recording sacctmgr-json-more; }
@test "recording: scontrol-assoc-mgr" { recording scontrol-assoc-mgr; }
@test "recording: scontrol-config" { recording scontrol-config; }
@test "recording: shell-more" { recording shell-more; }
@test "recording: sprio-basic" { recording sprio-basic; }
@test "recording: sprio-flags" { recording sprio-flags; }
@test "recording: sprio-jobsize-time" { recording sprio-jobsize-time; }
@test "recording: sprio-site" { recording sprio-site; }
@test "recording: squeue-basic" { recording squeue-basic; }
@test "recording: squeue-options-more" { recording squeue-options-more; }
@test "recording: squeue-site" { recording squeue-site; }
@test "recording: sreport-options-more" { recording sreport-options-more; }
@test "recording: sshare-classic-damped" { recording sshare-classic-damped; }
@test "recording: sshare-classic-doc" { recording sshare-classic-doc; }
@test "recording: sshare-depth-doc" { recording sshare-depth-doc; }
@test "recording: sshare-depth-random-1" { recording sshare-depth-random-1; }
@test "recording: sshare-depth-random-2" { recording sshare-depth-random-2; }
@test "recording: sshare-depth-random-3" { recording sshare-depth-random-3; }
@test "recording: sshare-fairtree-doc" { recording sshare-fairtree-doc; }
@test "recording: sshare-options" { recording sshare-options; }
@test "recording: sshare-random-classic-1" { recording sshare-random-classic-1; }
@test "recording: sshare-random-classic-2" { recording sshare-random-classic-2; }
@test "recording: sshare-random-classic-3" { recording sshare-random-classic-3; }
@test "recording: sshare-random-fairtree-1" { recording sshare-random-fairtree-1; }
@test "recording: sshare-random-fairtree-2" { recording sshare-random-fairtree-2; }
@test "recording: sshare-random-fairtree-3" { recording sshare-random-fairtree-3; }
@test "recording: sshare-reset" { recording sshare-reset; }
@test "recording: stdin-site" { recording stdin-site; }
@test "recording: transactions" { recording transactions; }
@test "recording: transactions-more" { recording transactions-more; }
@test "recording: tres" { recording tres; }
@test "recording: usage-reset-site" { recording usage-reset-site; }
@test "recording: user-add" { recording user-add; }
@test "recording: user-modify" { recording user-modify; }
@test "recording: wckey" { recording wckey; }
@test "recording: wckeys-site" { recording wckeys-site; }
@test "recording: where-many" { recording where-many; }
@test "recording: where-set-words" { recording where-set-words; }
@test "recording: wrappers" { recording wrappers; }
