#!/usr/bin/env bats
# bursar: runs the programs of its own folder.

load lib

setup() {
	fresh_cluster
	bin=$(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
}

@test "bursar alone lists every program that is built" {
	bursar >list
	for program in "$bin"/*; do
		program=${program##*/}
		[[ $program == bursar ]] || grep "^  $program " list || same list '' "$program"
	done
	same '--help' "$(bursar --help)" "$(<list)"
}

@test "a program gets its arguments, standard input and exit status" {
	same version "$(bursar sshare -V)" "$(sshare -V)"
	sacctmgr -i add account 'lab one' >/dev/null
	same names "$(bursar sacctmgr -nP show account 'lab one' format=account)" 'lab one'
	same input "$(echo 'show account format=account -nP' | bursar sacctmgr -nP)" \
		"$(echo 'show account format=account -nP' | sacctmgr -nP)"
	capture sacctmgr show nonsense
	wanted=$stdout$stderr$status
	capture bursar sacctmgr show nonsense
	same failure "$stdout$stderr$status" "$wanted"
}

@test "a link elsewhere finds the folder; Slurm's names on PATH are not touched" {
	mkdir slurm links
	printf '#!/bin/sh\necho of Slurm\n' >slurm/sshare
	chmod +x slurm/sshare
	ln -s "$bin/bursar" links/bursar
	PATH=$PWD/links:$PWD/slurm:$PATH
	same plain "$(sshare)" 'of Slurm'
	[[ $(bursar sshare -V) == slurm*bursar* ]]
}

@test "bursar feeders is srecord feeders" {
	capture srecord feeders
	same found "$status" 1
	wanted=$stdout
	capture bursar feeders
	same words "$status$stdout" "1$wanted"
	same 'nothing to complete' "$(bursar --complete -- feeders '')" ''
}

@test "unknown programs and options" {
	refuses "no program 'sshair'" bursar sshair
	refuses "no program '../bin/sshare'" bursar ../bin/sshare
	refuses 'Try "bursar --help"' bursar --nonsense
	[[ $(bursar -V) == 'slurm 26.05.3-bursar-'* ]]
}
