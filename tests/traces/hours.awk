# What a trace (SWF) came to in each hour, straight from its lines, by the rules of Slurm's
# as_mysql_rollup.c: no code is shared with the programs.
#
# Prints: HOUR ALLOCATED DOWN PLANNED_DOWN IDLE PLANNED REPORTED (cpu seconds; hours since 1970),
# one line for each hour from the begin of the trace to the end of its last job.

/^; *UnixStartTime:/ { begin = $NF }
/^; *MaxProcs:/ { procs = $NF }
/^;/ { next }

# spread(SUMS, FROM, TO, EACH): so many processors between two times
function spread(sums, from, to, each, hour, until) {
	while (from < to) {
		hour = int(from / 3600)
		until = (hour + 1) * 3600 < to ? (hour + 1) * 3600 : to
		sums[hour] += (until - from) * each
		from = until
	}
}

{
	submit = begin + $2
	start = submit + ($3 > 0 ? $3 : 0)
	used = $5 > 0 ? $5 : $8
	asked = $8 > 0 ? $8 : used
	spread(waiting, submit, start, asked)
	spread(running, start, start + $4, used)
	if (start + $4 > last)
		last = start + $4
}

END {
	for (hour = int(begin / 3600); hour <= int((last - 1) / 3600); hour++) {
		from = hour * 3600 > begin ? hour * 3600 : begin
		total = procs * ((hour + 1) * 3600 - from)
		ran = running[hour] < total ? running[hour] + 0 : total
		idle = total - ran
		planned = waiting[hour] < idle ? waiting[hour] + 0 : idle
		printf "%d %.0f 0 0 %.0f %.0f %.0f\n",
			hour, ran, idle - planned, planned, total
	}
}
