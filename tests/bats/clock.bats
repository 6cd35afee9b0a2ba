# Clocks that change: what jobs came to in hours and days of 23, 24 and 25 hours, in zones of whole
# and half hours; and local times of sacct that stand for two moments, or for none.
load lib

# Berlin, Newfoundland, India, a zone where midnight itself comes twice, Lord Howe Island, where
# clocks are set by half an hour, and Nepal.
zones=('CET-1CEST,M3.5.0,M10.5.0/3' 'NST3:30NDT,M3.2.0,M11.1.0' 'IST-5:30'
	'CST5CDT,M3.2.0/0,M11.1.0/1' '<+1030>-10:30<+11>-11,M10.1.0,M4.1.0' '<+0545>-5:45')

# days ZONE FIRST LAST: a job of one CPU from midnight to midnight, on a cluster of ten
days() {
	rm -f "$(store)"
	export TZ=$1
	shift
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add user amy account=phys >/dev/null
	srecord cluster tres=cpu=10 start="$1"
	srecord job id=1 user=amy cpus=1 submit="$1" start="$1" end="$2" state=COMPLETED
}

used() {
	sreport -nP -t seconds cluster utilization format=allocated,reported "start=$1" "end=$2"
}

# next DAY: the day after, whatever the clock does
next() {
	TZ=UTC date -d "$1 + 1 day" +%F
}

# adds_up ZONE FIRST LAST HOURS: of all, day by day and hour by hour, which are whole or half ones
adds_up() {
	local seconds=$((3600 * $4)) day=$2 at sum=0 each from
	days "$1" "$2" "$3"
	shift
	same "$TZ all" "$(used "$1" "$2")" "$seconds|${seconds}0" || return 1
	while [[ $day < $2 ]]; do
		each=$(used "$day" "$(next "$day")")
		same "$TZ of ten" "${each#*|}" "${each%|*}0" || return 1
		sum=$((sum + ${each%|*}))
		day=$(next "$day")
	done
	same "$TZ days" "$sum" "$seconds" || return 1
	from=$(SLURM_TIME_FORMAT=%s sacct -nPX -S uts1000000 -o start)
	for ((at = from; at < from + seconds; at += each)); do
		each=$(used "uts$at" "uts$((at + 1))")
		[[ $each == '3600|36000' || $TZ$each == '<+1030>'*'1800|18000' ]] ||
			same "$TZ hour" "$each" '3600|36000' || return 1
		each=${each%|*}
	done
	same "$TZ hours" "$at" $((from + seconds)) || return 1
	same "$TZ months" "$(used 2025-09-01 2026-06-01 | cut -d'|' -f1)" "$seconds" || return 1
	same "$TZ elapsed" "$(sacct -nPX -S uts1000000 -o elapsedraw)" "$seconds"
}

setup() {
	fresh_cluster
}

@test "summer begins: a day of 23 hours" {
	adds_up "${zones[0]}" 2026-03-28 2026-03-31 71
	adds_up "${zones[1]}" 2026-03-07 2026-03-10 71
	adds_up "${zones[2]}" 2026-03-28 2026-03-30 48
	adds_up "${zones[3]}" 2026-03-07 2026-03-10 71
}

@test "summer ends: a day of 25 hours" {
	adds_up "${zones[0]}" 2025-10-25 2025-10-28 73
	adds_up "${zones[1]}" 2025-11-01 2025-11-03 49
	adds_up "${zones[3]}" 2025-11-01 2025-11-03 49
}

@test "clocks set by half an hour: days of 23 and a half and 24 and a half hours" {
	adds_up "${zones[4]}" 2025-10-04 2025-10-07 143/2
	adds_up "${zones[4]}" 2026-04-04 2026-04-07 145/2
	adds_up "${zones[5]}" 2026-03-28 2026-03-30 48
}

# 2025-10-05T02:00 to 02:30 never was there: the hour is 1759591800 to 1759593600.
@test "a short hour is one of its own, and so kept" {
	days "${zones[4]}" 2025-10-04 2025-10-07
	same window "$(sreport -P cluster utilization start=2025-10-05T02:45 end=2025-10-05T02:50 |
		sed -n 2p)" 'Cluster Utilization 2025-10-05T02:30:00 - 2025-10-05T02:59:59'
	same kept "$(ask 'SELECT alloc FROM rollup_cluster
		WHERE span = 2 AND tres = 1 AND start BETWEEN 1759588200 AND 1759593600')" "3600
1800
3600"
}

# Each zone has its own hours; the store keeps those of the first.
@test "rows of one zone are not taken for those of another" {
	local zone
	days "${zones[4]}" 2025-10-04 2025-10-07
	used 2025-10-04 2025-10-07 >/dev/null
	for zone in UTC "${zones[5]}" "${zones[4]%M4*}M4.2.0" "${zones[4]}"; do
		export TZ=$zone
		same "$zone" "$(used uts1759400000 uts1760000000 | cut -d'|' -f1)" 257400
		same "$zone hour" "$(used uts1759588200 uts1759588201 | cut -d'|' -f1)" 3600
	done
}

# job ID SUBMIT START END ELAPSED: times of October 26th
line() {
	local day=${day:-2025-10-26}
	printf '%s|amy|p|COMPLETED|%s|%s|%s|%s\n' "$1" "${day}T$2:00" "${day}T$3:00" \
		"${day}T$4:00" "$5"
}

# imported: standard input; the begin and the run time of each job
imported() {
	{ echo 'JobID|User|Account|State|Submit|Start|End|Elapsed' && cat; } >jobs
	srecord import --create jobs
	ask 'SELECT id, start, end - start FROM job ORDER BY id'
}

# 02:30 is 1761438600 (summer) and 1761442200 (winter).
@test "import: an hour that came twice" {
	export TZ=${zones[0]}
	same jobs "$({ line 1 00:00 02:30 03:00 01:30:00
		line 2 00:00 02:30 03:00 00:30:00
		line 3 00:00 02:30 02:10 00:40:00
		line 4 02:40 02:30 02:40 00:10:00
		line 5 00:00 02:30 03:00 ''
		line 6 00:00 02:30 02:10 ''; } | imported)" '1|1761438600|5400
2|1761442200|1800
3|1761438600|2400
4|1761442200|600
5|1761438600|5400
6|1761438600|2400'
	# a real step back is none of the clock's
	{ cat jobs && line 7 00:00 05:30 05:10 '' && line 8 00:00 02:40 01:59 ''; } >more
	capture srecord import --create more
	same status "$status" 1
	same refused "$(grep -cE 'line [0-9]+: end is before start' <<<"$stderr")" 2
}

@test "import: an hour that never was" {
	export TZ=${zones[0]}
	same jobs "$(day=2026-03-29 line 1 00:00 01:30 03:30 01:00:00 | imported)" \
		'1|1774744200|3600'
}
