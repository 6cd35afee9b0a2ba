# Two whole traces of real machines (tests/traces/README.md): what sacct and sreport say of them is
# what awk makes of the same lines.
load lib

traces=$BATS_TEST_DIRNAME/../traces

setup() {
	export TZ=UTC
	fresh_cluster
}

# trace NAME ENDED: imports it, once for all tests; its job lines are in ./jobs, what its hours came
# to in ./hours
trace() {
	local file=$traces/$1.swf.gz made=$BATS_RUN_TMPDIR/$1.db
	clock_at "$2"
	gzip -dc "$file" >swf
	awk '!/^;/' swf >jobs
	awk -f "$traces/hours.awk" swf >hours
	begin=$(sed -n 's/^; *UnixStartTime: *//p' swf)
	if [[ -e $made ]]; then
		cp "$made" "$BURSAR_STORE"
	else
		capture srecord import --create "$file"
		same "status of the import" "$status" 0
		cp "$BURSAR_STORE" "$made"
	fi
	same jobs "$(sacct -nPXa -S uts1000000 -E 2000-01-01 -o jobid | wc -l)" "$(wc -l <jobs)"
}

# hours_between FROM TO: what sreport says of them, from ./hours
hours_between() {
	awk -v from="$1" -v to="$2" '$1 * 3600 >= from && $1 * 3600 < to {
		for (i = 2; i <= 7; i++)
			sum[i] += $i
	}
	END {
		for (i = 2; i <= 7; i++)
			printf "%.0f%s", sum[i], i < 7 ? "|" : "\n"
	}' hours
}

columns=Allocated,Down,PlannedDown,Idle,Planned,Reported

# utilization FROM TO: times as seconds
utilization() {
	prints "$(hours_between "$1" "$2")" sreport -nP -t seconds cluster utilization \
		format=$columns start="uts$1" end="uts$2"
}

# months FIRST LAST: each of them, and a day and a few hours of it
months() {
	local month=$1 from to
	while [[ $month < $2 || $month == "$2" ]]; do
		from=$(date -d "$month-01" +%s)
		to=$(date -d "$month-01 +1 month" +%s)
		utilization "$from" "$to" || return 1
		utilization $((from + 14 * 86400)) $((from + 15 * 86400)) || return 1
		utilization $((from + 20 * 86400 + 18000)) $((from + 21 * 86400 + 32400)) ||
			return 1
		month=$(date -d "$month-01 +1 month" +%Y-%m)
	done
}

# Cpu seconds of everyone, and of everyone with a group.
used_by() {
	awk "{ s = \$4 * (\$5 > 0 ? \$5 : \$8); if (s > 0) sum[$1] += s }"'
	END { for (who in sum) printf "%s|%.0f\n", who, sum[who] }' jobs | LC_ALL=C sort
}

reports() {
	local first last
	first=$((begin / 3600 * 3600))
	last=$(($(awk 'END { print $1 }' hours) * 3600 + 3600))
	utilization "$first" "$last"
	same 'used by user and account' \
		"$(sreport -nP -t seconds user top topcount=-1 format=login,account,used \
			start=uts$first end=uts$last | LC_ALL=C sort)" \
		"$(used_by '"u" $12 "|g" $13')"
	same 'used by account' \
		"$(sreport -nP -t seconds cluster accountutilizationbyuser \
			format=account,login,used start=uts$first end=uts$last |
			awk -F'|' '$1 != "root" && $2 == "" { print $1 "|" $3 }' | LC_ALL=C sort)" \
		"$(used_by '"g" $13')"
	same 'jobs by size' \
		"$(sreport -nP job sizes printjobcount grouping=2,8,32,100 \
			start=uts$first end=uts$last | cut -d'|' -f3-8)" \
		"$(awk '$4 > 0 { n = $5 > 0 ? $5 : $8; all++
			g[n < 2 ? 1 : n < 8 ? 2 : n < 32 ? 3 : n < 100 ? 4 : 5]++ }
			END { printf "%d|%d|%d|%d|%d|%d\n", g[1], g[2], g[3], g[4], g[5],
				all }' jobs)"
}

# ended STATE CODE: how many, for sacct and in the trace
ended() {
	same "jobs $1" \
		"$(sacct -nPXa -S uts1000000 -E 2000-01-01 -s "$1" -o jobid | wc -l)" \
		"$(awk -v code="$2" '$11 == code' jobs | wc -l)"
}

# selected RULE FROM TO: numbers of the jobs for which the rule RULE of sacct holds
selected() {
	awk -v begin="$begin" -v S="$2" -v E="$3" '{
		submit = begin + $2
		start = submit + ($3 > 0 ? $3 : 0)
		end = start + $4
		state = $11
		if ('"$1"')
			print $1
	}' jobs | sort -n
}

# selects RULE OPTION...: in windows of an hour, a day and ten days
selects() {
	local rule=$1 from length
	shift
	for from in 1000000 17000003; do
		for length in 3600 86400 864000; do
			same "jobs of sacct $* at $from" "$(sacct -nPXa -o jobid "$@" \
				-S "uts$((begin + from))" -E "uts$((begin + from + length))" |
				sort -n)" \
				"$(selected "$rule" $((begin + from)) \
					$((begin + from + length)))" || return 1
		done
	done
}

@test "KTH SP2: what existed, waited, ran and ended in windows" {
	trace KTH-SP2-1996 880000000
	selects 'submit < E && end >= S'
	selects 'submit < E && start > S' -s PD
	selects 'start < E && end > S' -s R
	selects 'state == 1 && end >= S && end <= E' -s CD
	selects 'state != 1 && end >= S && end <= E' -s F,CA,TO
	selects 'submit < E && end >= S && $12 == 6' -u u6
	selects 'submit < E && end >= S && ($13 == 3 || $13 == 86)' -A g3,g86
	selects 'submit < E && end >= S && $5 >= 8 && $5 <= 16' -I 8-16
	selects 'start < E && end > S && int(($9 + 59) / 60) == 60' -s R -k 60
}

@test "KTH SP2: utilization of months, days and hours; users, sizes, states" {
	trace KTH-SP2-1996 880000000
	reports
	months 1996-10 1997-07
	ended CD 1
	ended F 0
	ended CA 5
	same 'cpu time of a user' \
		"$(sacct -nPXu u6 -S uts1000000 -E 2000-01-01 -o cputimeraw |
			awk '{ s += $1 } END { printf "%.0f\n", s }')" \
		"$(used_by '"u" $12' | sed -n 's/^u6|//p')"
}

@test "NASA iPSC: the same, where nothing is known of waits" {
	trace NASA-iPSC-1993-3.1-cln 760000000
	reports
	months 1993-10 1993-12
	same 'who waited' "$(sacct -nPXa -S uts1000000 -E 2000-01-01 -o planned | sort -u)" \
		00:00:00
}

@test "the capacity of a trace is that of its header, unless one is on record" {
	trace NASA-iPSC-1993-3.1-cln 760000000
	prints '1993-10-01T07:00:03|billing=128,cpu=128,node=128' \
		sacctmgr -nP show event start=1993-01-01 format=timestart,tres
	rm -f "$(store)"
	srecord cluster tres=cpu=64 start=1993-01-01
	srecord import --create "$traces/../import/nasa.swf" 2>/dev/null
	[[ $(sacctmgr -nP show event start=1993-01-01 format=tres) == cpu=64 ]]
}
