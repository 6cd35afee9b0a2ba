# For recordings.bats: one recording is one test, run by tests/replay/run.

replay=$BATS_TEST_DIRNAME/../replay/run

# recording NAME: tests/golden/NAME.t does as it says, or fails as tests/expected-failures says.
recording() {
	run "$replay" "$BATS_TEST_DIRNAME/../golden/$1.t"
	((status != 77)) || skip "expected to fail: ${output#*: }"
	((status == 0)) || printf '%s\n' "$output"
	return "$status"
}

# replayed: runs the recording on standard input against the list of expected failures in the
# variable `expected`; what the runner says is in `output` and `status`.
replayed() {
	cat >"$BATS_TEST_TMPDIR/self.t"
	printf '%s\n' "${expected-}" >"$BATS_TEST_TMPDIR/expected"
	run "$replay" -b /bin -e "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/self.t"
}
