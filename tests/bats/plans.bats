#!/usr/bin/env bats
# splan beside what a real slurmctld planned: tests/plans. What differs stands in
# tests/plans/differences, with the reason.

plans=$BATS_TEST_DIRNAME/../plans

setup_file() {
	local bin=${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}
	"$BATS_TEST_DIRNAME/../plans/replay" "$(cd "$bin" && pwd)" \
		"$BATS_TEST_DIRNAME"/../plans/*.json >"$BATS_FILE_TMPDIR/found"
}

# known: RECORDING JOB WHAT of the list
known() {
	grep -v -e '^#' -e '^$' "$plans/differences" | sort
}

@test "every recording is planned as slurmctld did, but for what is listed" {
	cut -d ' ' -f 1-3 "$BATS_FILE_TMPDIR/found" | sort >"$BATS_TEST_TMPDIR/found"
	comm -23 "$BATS_TEST_TMPDIR/found" <(known) >"$BATS_TEST_TMPDIR/new"
	grep -Ff "$BATS_TEST_TMPDIR/new" "$BATS_FILE_TMPDIR/found" || true
	[[ ! -s $BATS_TEST_TMPDIR/new ]]
}

@test "what is listed still differs" {
	cut -d ' ' -f 1-3 "$BATS_FILE_TMPDIR/found" | sort >"$BATS_TEST_TMPDIR/found"
	comm -13 "$BATS_TEST_TMPDIR/found" <(known) >"$BATS_TEST_TMPDIR/gone"
	cat "$BATS_TEST_TMPDIR/gone"
	[[ ! -s $BATS_TEST_TMPDIR/gone ]]
}

@test "the replay sees a difference" {
	sed 's/"start": 1795337696/"start": 1795337000/; s/"n1",/"n2",/' "$plans/min_layout2.json" \
		>"$BATS_TEST_TMPDIR/min_layout2.json"
	run "$plans/replay" "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" \
		"$BATS_TEST_TMPDIR/min_layout2.json"
	[[ $output == $'min_layout2 4 start +48m +59m\nmin_layout2 4 nodes n2 n1' ]]
}
