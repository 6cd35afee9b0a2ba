# For the scripts of this folder, sourced with the folder of the programs as $1: a temporary folder
# to be in, the programs on PATH, and
#
#   headings OTHER                          the heading of the table; OTHER: what stands beside
#   compare WHAT ROWS RUNS COMMAND... -- OTHER...
#                                           one line of it: seconds of both, their ratio, rows of
#                                           COMMAND a second (ROWS 0: none), MiB of COMMAND
#
# A command is run RUNS times and once before that to warm the caches, unless RUNS is 1; the median
# counts, of memory the most. Functions are commands too, but nobody knows their memory.

bin=$(cd "$1" && pwd) || exit 1
dir=$(mktemp -d "${TMPDIR:-/tmp}/bench.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
unset BURSAR_STORE SLURM_CONF
export PATH=$bin:$PATH LC_ALL=C TZ=UTC

needs() {
	command -v "$1" >/dev/null || { echo "bench: needs $1" >&2 && exit 1; }
}

# timed RUNS COMMAND...: microseconds into `took`, the most KiB into `memory`
timed() {
	local runs=$1 i start all=() measured=() kib=0
	shift
	[[ $(type -t "$1") == function ]] || measured=(/usr/bin/time -o time -f %M)
	memory=0
	for ((i = runs > 1 ? 0 : 1; i <= runs; i++)); do
		start=${EPOCHREALTIME/./}
		"${measured[@]}" "$@" >out 2>err </dev/null || {
			echo "bench: failed: $*" >&2
			cat out err >&2
			exit 1
		}
		((i == 0)) || all+=($((${EPOCHREALTIME/./} - start)))
		[[ ! ${measured[*]} ]] || kib=$(<time)
		memory=$((kib > memory ? kib : memory))
	done
	took=$(printf '%s\n' "${all[@]}" | sort -n | sed -n "$(((runs + 1) / 2))p")
}

headings() {
	printf '%-46s %9s %9s %7s %9s %5s\n' what seconds "$1" ratio rows/s MiB
}

compare() {
	local what=$1 rows=$2 runs=$3 ours=() mine kib
	shift 3
	while [[ $1 != -- ]]; do
		ours+=("$1")
		shift
	done
	shift
	timed "$runs" "${ours[@]}"
	mine=$took kib=$memory
	timed "$runs" "$@"
	awk -v what="$what" -v ours="$mine" -v other="$took" -v rows="$rows" -v kib="$kib" 'BEGIN {
		printf "%-46s %9.3f %9.3f %7.2f %9s %5s\n", what, ours / 1e6, other / 1e6,
			ours / other, rows ? int(rows / ours * 1e6) : "-",
			kib ? int(kib / 1024) : "-"
	}'
}
