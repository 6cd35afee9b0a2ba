#!/usr/bin/env bats
# splan beside what a real slurmctld planned: tests/plans. What differs stands in
# tests/plans/differences, with the reason; where less is told than squeue --json tells, also in
# tests/plans/untold.

bats_require_minimum_version 1.5.0
plans=$BATS_TEST_DIRNAME/../plans

setup_file() {
	local bin=${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}
	"$BATS_TEST_DIRNAME/../plans/replay" "$(cd "$bin" && pwd)" \
		"$BATS_TEST_DIRNAME"/../plans/*.json >"$BATS_FILE_TMPDIR/found"
	"$BATS_TEST_DIRNAME/../plans/replay" -p "$(cd "$bin" && pwd)" \
		"$BATS_TEST_DIRNAME"/../plans/*.json >"$BATS_FILE_TMPDIR/found.plain"
}

# known LIST...: RECORDING JOB WHAT of the lists
known() {
	(cd "$plans" && cat "$@") | grep -v -e '^#' -e '^$' | sort
}

# nothing_new FOUND LIST...: all that differs is listed
nothing_new() {
	local found=$BATS_FILE_TMPDIR/$1 new=$BATS_TEST_TMPDIR/new
	comm -23 <(cut -d ' ' -f 1-3 "$found" | sort) <(known "${@:2}") >"$new"
	grep -Ff "$new" "$found" || true
	[[ ! -s $new ]]
}

# all_there FOUND LIST...: all that is listed differs
all_there() {
	local gone=$BATS_TEST_TMPDIR/gone
	comm -13 <(cut -d ' ' -f 1-3 "$BATS_FILE_TMPDIR/$1" | sort) <(known "${@:2}") >"$gone"
	cat "$gone"
	[[ ! -s $gone ]]
}

@test "every recording is planned as slurmctld did, but for what is listed" {
	nothing_new found differences
}

@test "what is listed still differs" {
	all_there found differences
}

@test "of plain words alone too, but for what they do not say" {
	nothing_new found.plain differences untold
	all_there found.plain differences untold
}

@test "the replay sees a difference" {
	sed 's/"start": 1795337696/"start": 1795337000/; s/"n1",/"n2",/' "$plans/min_layout2.json" \
		>"$BATS_TEST_TMPDIR/min_layout2.json"
	run -0 "$plans/replay" "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" \
		"$BATS_TEST_TMPDIR/min_layout2.json"
	[[ $output == $'min_layout2 4 start +48m +59m\nmin_layout2 4 nodes n2 n1' ]]
}
