#!/usr/bin/env bats
# README as a newcomer meets it: its tour, the lines it has one type, and the demo.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	bin=$(cd "${BURSAR_BIN:-$root/build/bin}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
}

# session NAME: the lines between `<!-- session: NAME -->` and `<!-- /session -->`.
session() {
	awk -v name="$1" '/^<!-- session: / { on = $3 == name; next }
		/^<!-- \/session/ { on = 0 } on { sub(/^    /, ""); print }' "$root/README.md"
}

@test "README's tour prints what README shows" {
	"$root/tests/tour" "$bin" || { echo "(tests/tour -w DIR writes it anew)" && false; }
}

@test "README's lines for a cluster of one's own work typed as they stand" {
	mkdir -p build home
	ln -s "$bin" build/bin
	{ echo 'set -eu'; session own; session slurm; session bursar; } >lines
	(($(grep -c . lines) > 15))
	run env -i HOME="$PWD/home" PATH=/usr/bin:/bin TMPDIR="$PWD" bash lines </dev/null
	echo "$output"
	[ "$status" -eq 0 ]
	# The job has a length, so fair-share and the report have something to show.
	[[ $output == *$'\n  physics                   ann          1    1.000000      1'* ]]
	[[ $output =~ lab\ +physics\ +ann\ +[A-Z]?[a-z]*\ +1[0-9]{3}\  ]]
	[[ $output != *rror* ]]
}

@test "the demo fits 100 columns and says how to go on" {
	cd "$root"
	run tests/show-example "$bin"
	[ "$status" -eq 0 ]
	[ "$(awk 'length($0) > 100' <<<"$output")" = "" ]
	[[ ${lines[-1]} == *"tests/show-example $bin bash" ]]
	# ... and that works.
	run tests/show-example "$bin" \
		bash -c 'squeue -h -t PD | wc -l; echo "$SLURM_CONF"'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" -gt 20 ]
	[ ! -e "${lines[1]}" ]
}

@test "README is short, and what it names is there" {
	local name
	(($(wc -l <"$root/README.md") <= 200))
	for name in $(grep -o '](.[^)]*)' "$root/README.md" | tr -d ']()') \
		$(grep -oE '(tests|man)/[A-Za-z0-9_./-]+[A-Za-z0-9]' "$root/README.md"); do
		[ -e "$root/$name" ]
	done
	for name in "$bin"/*; do
		grep -q "\`${name##*/}" "$root/README.md"
	done
	# ... and the map of tests has every folder.
	for name in "$root"/tests/*/; do
		name=${name%/}
		grep -q "\`${name##*/}/" "$root/tests/README.md"
	done
	for name in $(grep -oE '(`|&& )make [a-z-]+' "$root/README.md" | sed 's/.* //'); do
		grep -q "^#   $name " "$root/Makefile"
	done
}

# What README has in `quotes` with a program in front, in words of its own: on the example.
@test "README's commands work as they are written" {
	sed 's/^    .*//' "$root/README.md" | tr '\n' ' ' | grep -oE '`[a-z]+ [^`]+`' | tr -d '`' |
		sed -n "/^bursar /d; s/JOB/4324/; s/USER/gudrun/; s/TIME/2026-12-31/
			s/backup FILE/&.db/; s,FILE,$PWD/file,; s/^sacctmgr/& -i/
			/^s[a-z]* [^F]*\$/p" | sort -u >commands
	cat >all <<-'END'
		sacctmgr -Q dump heron file=file >/dev/null
		sacctmgr -iQ add account lab >/dev/null
		while IFS= read -r line; do
			echo "$line"
			eval "$line" >said 2>&1 </dev/null
			status=$?
			# check exits with 2 where it found something
			[[ $status == 0 || $line$status == *check2 ]] || { cat said && exit 1; }
		done <commands
	END
	run "$root/tests/show-example" "$bin" bash all
	echo "$output"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -ge 20 ]
}

# Slurm's own commands are stand-ins; tests/slurm/sync.bats has a real Slurm.
@test "README's lines for the doors beside a Slurm work typed as they stand" {
	load fake-slurm
	fake_slurm
	printf '#!/bin/sh\n' | tee slurm/sprio >slurm/sreport
	chmod +x slurm/s*
	mkdir links
	ln -s "$bin/bursar" links
	printf '%s\n' ClusterName=canis NodeName=n1 'PartitionName=p Nodes=ALL' >slurm.conf
	export SLURM_CONF=$PWD/slurm.conf PATH=$PWD/links:$PWD/slurm:$PATH HOME=$PWD
	export BURSAR_STORE=$PWD/feeders.db
	session feeders >lines
	run bash -u lines </dev/null
	[ "$status" -eq 0 ]
	[[ $output == *JobCompType=jobcomp/script* ]]
	export BURSAR_STORE=$PWD/sync.db
	session sync >lines
	(($(grep -c . lines) == 4))
	run bash -u lines </dev/null
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *'cluster canis from slurm: 1 jobs'*'0 differ'*' ann '* ]]
	[[ $output != *rror* ]]
}

@test "a build says how far it is, and what it prints only when it fails" {
	cat >make <<-'END'
		#!/bin/sh
		for file in a b c d e; do
			[ "$1" = -n ] && echo "echo \"  CC $file.c\"" || echo "  CC $file.c"
		done
		[ "$1" = -n ] || [ ! -e broken ] || { echo 'c.c: error' && exit 2; }
	END
	chmod +x make
	[ "$("$root/tests/build" ./make 2>said)" = "" ]
	[ "$(head -1 said)" = "Building: 1 of 5 files" ]
	touch broken
	run "$root/tests/build" ./make
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = "c.c: error" ]
}
