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
	run -0 "$root/tests/tour" "$bin"
	[ "$status" -eq 0 ] || { echo "$output" "(tests/tour -w DIR writes it anew)"; return 1; }
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

@test "README names every program and promises none that is not there" {
	local program
	awk -F"|" '$2 ~ /^ `/ { gsub("[ `]+", "\n", $2); print $2 }' "$root/README.md" >named
	for program in $(<named); do
		[ -x "$bin/$program" ]
	done
	for program in "$bin"/*; do
		grep -qx "${program##*/}" named
	done
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
