#!/usr/bin/env bats
# Records are purged on one host: the roll-ups of what they came to go with the entry, since no
# other host could make them from then on.

load lib

setup() {
	fresh_site a b c
	populate
}

report() {
	on "$1" sreport -nP cluster accountutilizationbyuser start=2026-02-01 end=2026-04-01
}

@test "a purge: all hosts report what the records came to" {
	job a 1 user=ann account=physics
	job b 2 user=bob account=physics
	# b has roll-ups of its own by now, c has none.
	local before
	before=$(report b)
	[[ $before == *ann* && $before == *bob* ]]
	on a sacctmgr -iQ archive dump directory="$PWD" jobs purgejobafter=1months
	[[ ! $(on b sacct -aXnP -S2026-01-01) ]]
	same 'a' "$(report a)" "$before"
	same 'b' "$(report b)" "$before"
	same 'c' "$(report c)" "$before"
	# The next job counts beside what is gone.
	job c 3 user=ann account=physics
	agree a b c
	same 'b again' "$(report b)" "$(report a)"
}
