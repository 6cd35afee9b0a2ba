#!/usr/bin/env bats
# Usage as a user sees it: half-lives and resets of every kind, billing, odd jobs. The
# property tests are in tests/unit/usage.c and rebuild.c.

load lib

# start CONF...: may be called again, for another store
start() {
	rm -rf "$BATS_TEST_TMPDIR"/{etc,run,store,bin}
	fresh_cluster "$@"
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

# ran DAY WORD...: an hour of a processor on that day
ran() {
	srecord job user=ann account=lab mem=0 submit="$1T00:00:00" start="$1T01:00:00" \
		end="$1T02:00:00" state=COMPLETED "${@:2}" >/dev/null
}

usage() {
	sshare -ahP -u ann -o user,rawusage,normusage,effectvusage,fairshare,levelfs "$@" |
		awk -F'|' '$1 == "ann" { print $2 }'
}

sane() {
	local shown
	shown=$(sshare -al; sshare -alP --algorithm=fair-tree,classic,depth-oblivious
		sprio -l; sprio -n)
	[[ $shown != *[nN]a[nN]* ]]
}

@test "usage: half-lives of nothing, a second, for ever" {
	for life in 0 1 0:01 UNLIMITED -1 INFINITE 7-0; do
		start "PriorityDecayHalfLife=$life"
		ran 2026-01-01
		srecord job user=bob account=lab >/dev/null
		sane
		case $life in
		0) same "usage, $life" "$(usage --at=2500-01-01)" 3600 ;;
		7-0) same "usage, $life" "$(usage --at=2026-01-08T01:30:00)" 1800 ;;
		1 | 0:01) same "usage, $life" "$(usage --at=2026-01-01T03:00:00)" 0 ;;
		*) same "usage, $life" "$(usage --at=2026-01-08T01:30:00)" 3599 ;;
		esac
	done
	for life in x -5 1-2-3 99999999999; do
		sed -i "s/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=$life/" "$SLURM_CONF"
		refuses "Bad value \"$life\" for PriorityDecayHalfLife" sshare
		refuses "Bad value \"$life\" for PriorityDecayHalfLife" sprio
	done
	sed -i 's/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=/' "$SLURM_CONF"
	refuses 'Value missing: "PriorityDecayHalfLife="' sshare
}

@test "usage: every reset period" {
	while read -r period kept; do
		start "PriorityDecayHalfLife=0" "PriorityUsageResetPeriod=$period"
		for day in 2025-12-31 2026-05-31 2026-06-30 2026-07-11 2026-07-14 2026-07-15; do
			ran $day
		done
		same "hours, $period" "$(usage --at=2026-07-15T12:00:00)" $((kept * 3600))
		prints '  Nothing modified' sacctmgr -i rebuild usage
	done <<'END'
NONE 6
NOW 6
DAILY 1
WEEKLY 2
MONTHLY 3
QUARTERLY 3
YEARLY 5
END
	sed -i 's/^PriorityUsageResetPeriod=.*/PriorityUsageResetPeriod=sometimes/' "$SLURM_CONF"
	refuses 'Bad value "sometimes" for PriorityUsageResetPeriod' sshare
	sed -i '/^PriorityUsageResetPeriod=/d' "$SLURM_CONF"
	refuses 'You have to either have PriorityDecayHalfLife != 0 or' sshare
}

# billed FLAGS WEIGHTS WORD...: billing of a job with 8 GB, as it is charged for an hour
billed() {
	start "PriorityFlags=$1" PriorityDecayHalfLife=0 Licenses=lica:9 \
		AccountingStorageTRES=gres/gpu,license/lica \
		"PartitionName=debug Nodes=vm Default=YES TRESBillingWeights=$2"
	ran 2026-01-01 mem=8G "${@:3}"
	printf '%s %s\n' "$(usage)" \
		"$(sacct -aXnP -S 2026-01-01 -o alloctres | grep -o 'billing=[0-9]*')"
}

@test "usage: billing as the page on TRES has it" {
	weights=CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/lica=1.5
	same sum "$(billed ACCRUE_ALWAYS $weights)" '10800 billing=3'
	same max "$(billed MAX_TRES $weights)" '7200 billing=2'
	same gres "$(billed MAX_TRES_GRES $weights)" '7200 billing=2'
	same mem "$(billed ACCRUE_ALWAYS mem=.25)" '7372800 billing=2048'
	same mem.25G "$(billed ACCRUE_ALWAYS mem=.25G)" '7200 billing=2'
	same more "$(billed ACCRUE_ALWAYS $weights cpus=2 gpus=1 licenses=lica:2)" '32400 billing=9'
	same more "$(billed MAX_TRES $weights cpus=2 gpus=1 licenses=lica:2)" '18000 billing=5'
	same more "$(billed MAX_TRES_GRES $weights cpus=2 gpus=1 licenses=lica:2)" '25200 billing=7'
	same half "$(billed ACCRUE_ALWAYS $weights licenses=lica:1)" '16200 billing=4'
}

@test "usage: jobs that cannot be are refused, and nothing is charged" {
	start PriorityDecayHalfLife=0
	refuses 'end is before its start' \
		srecord job user=ann account=lab start=now end=now-1hour state=COMPLETED
	refuses 'start is in the future' srecord job user=ann account=lab start=now+2hours
	refuses 'end is in the future' srecord job user=ann account=lab submit=now-2hours \
		start=now-1hour end=now+1hour state=COMPLETED
	refuses 'submit is in the future' srecord job user=ann account=lab submit=now+1hour \
		start=now+1hour end=now+2hours state=COMPLETED
	refuses "'tomorow' is not a time" srecord job user=ann account=lab start=tomorow
	refuses "'2026-13-01' is not a time" srecord job user=ann account=lab end=2026-13-01
	refuses 'no TRES known by type gres/foo' srecord job user=ann account=lab tres=gres/foo=3
	refuses "'2147483646' is not a whole number" \
		srecord job user=ann account=lab nice=2147483646
	prints '' sacct -anX -S 2000-01-01
	same usage "$(usage)" 0
}

@test "usage: a job of ten years" {
	start PriorityDecayHalfLife=0
	srecord job user=ann account=lab cpus=1 mem=0 submit=2016-01-01T00:00:00 \
		start=2016-01-01T00:00:00 end=2026-01-01T00:00:00 state=COMPLETED >/dev/null
	same usage "$(usage)" 315619200
	sane
	sed -i 's/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=1/' "$SLURM_CONF"
	sane
	prints '  Nothing modified' sacctmgr -i rebuild usage
}

@test "usage: nice and weights at their borders" {
	start PriorityWeightTRES=CPU=1e300
	srecord job user=ann account=lab >/dev/null
	same priority "$(squeue -h -o %Q)" 4294967295
	[[ $(sprio -h -o %Y) != *-* ]]
	sane
	sprio --json | jq -e . >/dev/null
	sed -i 's/^PriorityWeightTRES=.*/PriorityWeightTRES=CPU=-1e300/' "$SLURM_CONF"
	same priority "$(squeue -h -o %Q)" 1
	same priority "$(sprio -h -o %Y)" 1
	sed -i 's/^PriorityWeightTRES=.*//' "$SLURM_CONF"
	srecord job id=1 nice=-2147483645 >/dev/null
	same nice "$(($(squeue -h -o %Q) >= 2147483645))" 1
	srecord job id=1 nice=2147483645 >/dev/null
	same nice "$(squeue -h -o %Q)" 1
	for bad in '4294967296) is greater than 4294967295' '-1) is less than zero' \
		'abc) is not a valid number'; do
		sed -i "s/^PriorityWeightAge=.*/PriorityWeightAge=${bad%%)*}/" "$SLURM_CONF"
		refuses "PriorityWeightAge value ($bad" sprio
	done
}

@test "usage: slurm.conf has another half-life, and nobody has written since: check is content" {
	start PriorityDecayHalfLife=14-0
	ran 2026-01-01
	sed -i 's/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=7-0/' "$SLURM_CONF"
	run -0 sacctmgr check
	[[ $output == *'nothing found' ]]
	same rebuilt "$(sacctmgr -i rebuild usage)" '  Nothing modified'
}
