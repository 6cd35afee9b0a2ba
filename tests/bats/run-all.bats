#!/usr/bin/env bats
# tests/run-all, which `make check` is: what it says while suites run, and what in the end. On a
# tree of three suites, with a `bats` that prints what it is given.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p tests/bats build
	cp "$root"/tests/{run-all,build} tests
	touch tests/bats/{fast,slow}.bats
	printf '# seconds\n9 bats slow\n3 lint\n' >tests/suite-seconds
	printf '#comment\n' >tests/expected-failures
	cat >bats <<-'END'
		#!/bin/sh
		echo "$2" >>begun
		printf '1..2\nok 1 one\n'
		[ "$2" = tests/bats/fast.bats ] && [ -e broken ] && echo 'not ok 2 two' ||
			echo 'ok 2 two # skip no reason'
	END
	printf '#!/bin/sh\necho lint >>begun; echo ok - lint; echo 1..1\n' >tests/lint
	printf '#!/bin/sh\n' >make
	chmod +x bats make tests/lint
}

@test "the slowest suite begins, and what is left is said" {
	BATS=$PWD/bats run tests/run-all "$PWD/make" build
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(head -1 begun)" = tests/bats/slow.bats ]
	[[ $output == *' of 3 suites, about 0:'*' left'* ]]
	[[ $output == *'3 of 3 suites, about 0:00 left'* ]]
	[ "${lines[-1]}" = '3 passed, 0 failed, 2 skipped' ]
	# ... and the next run knows what each took.
	[ "$(cut -d' ' -f2- build/suite-seconds | sort | paste -sd,)" = 'bats fast,bats slow,lint' ]
}

@test "what failed is told with its suite" {
	touch broken
	BATS=$PWD/bats run tests/run-all "$PWD/make" build
	[ "$status" -eq 1 ]
	[[ $output == *'FAILED bats fast: two'* ]]
	[ "${lines[-1]}" = '3 passed, 1 failed, 1 skipped' ]
}
