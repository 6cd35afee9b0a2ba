#!/usr/bin/env bats
# Each word of `srecord job` is told of a job of its own; facts.list says in which columns of which
# program that is seen, and what is lost when it is exported and imported again. Columns that no
# word moves are listed at its end: a new column that shows a constant is a difference, too.
#
# A head of facts.list is `waits`, `runs` or `ended` and the words that are told of such a job; the
# lines below it are what differs then from such a job without them. To accept what has changed:
#   FACTS=tests/bats/facts.list bats tests/bats/facts.bats

load lib

list=$BATS_TEST_DIRNAME/facts.list

setup() {
	fresh_cluster 'NodeName=n[1-60] CPUs=64 RealMemory=256000 Gres=gpu:4 Feature=ib,big' \
		'PartitionName=debug Nodes=vm,n[1-60] Default=YES' \
		'PartitionName=gpu Nodes=n[1-60] OverSubscribe=YES' \
		TrackWCKey=yes DefMemPerCPU=100 PriorityMaxAge=1 \
		PriorityWeight{Age=1000,Fairshare=0,Assoc=0,JobSize=0,Partition=0,QOS=0,TRES=CPU=0}
	local_users ann bob
	export BURSAR_NOW=1790000000 SLURM_TIME_FORMAT=%s BURSAR_STORE # whose clock is that
	BURSAR_STORE=$(store)
	unset "${!SACCT_@}" "${!SQUEUE_@}"
}

entities() {
	sacctmgr -iQ add cluster felis
	sacctmgr -iQ add qos high
	sacctmgr -iQ add account lab,chem cluster=canis,felis
	sacctmgr -iQ add user ann account=lab,chem cluster=canis,felis qos=normal,high wckeys=w,x
	sacctmgr -iQ add user bob account=lab wckeys=w,x
	srecord reservation name=res users=ann nodes=n60 start=now-1hour end=now+1hour
} >/dev/null

# facts NUMBER KIND WORD...: the words of a fact about that job, which is of that kind.
fact() {
	local id=$1 kind=$2 submit=uts1789990000 start=uts1789995000 end=uts1789999900
	shift 2
	case $kind in
	waits) set -- submit=$submit "$@" ;;
	runs) set -- submit=$submit start=$start "$@" ;;
	ended) set -- submit=$submit start=$start end=$end cputime=1 "$@" ;;
	esac
	echo job id="$id" user=ann account=lab "$@"
}

# Members of a document that are one value to a reader are one here.
flatten='def one: if type == "object" and has("set") and has("number") then
		if .infinite then "infinite" elif .set then .number else null end
	elif type == "object" and has("return_code") then "\(.return_code):\(.signal.id)"
	elif type == "array" and all(.[]; type == "object" and has("type") and has("count")) then
		map("\(.type)\(if .name == "" then "" else "/" + .name end)=\(.count)") | join(",")
	elif type == "array" and all(.[]; type == "string" or type == "number") then
		map(tostring) | join(",")
	else . end;
	.jobs[] | walk(one) | .job_id as $id | paths(type != "object" and type != "array") as $p |
	"\($id)\t\($view)\t\($p | map(tostring) | join("/"))\t\(getpath($p))"'

# table VIEW: lines of fields by |, the job first, with a heading, as ID VIEW COLUMN VALUE.
table() {
	awk -F '|' -v view="$1" -v OFS='\t' '
		NR == 1 { n = split($0, names); next }
		{
			split($1, id, ".")
			for (i = 2; i <= n; i++) {
				gsub(/^ +| +$/, "", $i)
				print id[1], view, (id[2] ? id[2] ":" : "") names[i], $i
			}
		}'
}

stored() {
	LD_PRELOAD='' sqlite3 -header "$(store)" 'SELECT id AS job, * FROM job' | table "$1"
	LD_PRELOAD='' sqlite3 -header "$(store)" "SELECT job.id || '.batch' AS job, user_usec,
		sys_usec, in_max FROM step JOIN job ON job.key = step.job" | table "$1"
}

# Every view of every job.
views() {
	local types letters
	stored store
	types=$(squeue --helpFormat | xargs)
	{
		echo "JobId ${types}" | tr ' ' '|'
		squeue -h -t all -O "JobId:|,${types// /:|,}:|"
	} | table squeue
	squeue -t all --json | jq -r --arg view squeue.json "$flatten"
	scontrol show job -d -o | awk -v OFS='\t' '{
		id = substr($1, index($1, "=") + 1)
		for (i = 1; i <= NF; i++)
			print id, "scontrol", substr($i, 1, index($i, "=") - 1),
				substr($i, index($i, "=") + 1) }'
	letters=$(sprio --helpformat | tr -d '%s' | xargs)
	{
		echo "job|${letters// /|}"
		sprio -h -o "%i|%${letters// /|%}"
	} | table sprio
	types=$(sacct --helpformat | xargs)
	{
		echo "JobIDRaw|${types// /|}"
		sacct -naLP -j "$ids" -o "JobIDRaw,${types// /,}"
	} | table sacct
	sacct -aL --json -j "$ids" | jq -r --arg view sacct.json "$flatten"
}

# back VIEW FILE: the stored facts after an import of the file into an empty store.
back() {
	rm -f "$(store)"*
	cp empty.db "$(store)"
	srecord import "$2" >&2
	stored "$1"
}

# A job for each head, after one of each kind of which nothing else is told.
tell() {
	local id=5000 head
	while IFS= read -r head; do
		id=$((id + 1))
		[[ $head != *' id='* ]] || id=${head#* id=}
		fact $id $head
		printf '%s\thead\t%s\t\n' $id "$head" >&3
	done < <(printf '%s\n' waits runs ended && grep -E '^(waits|runs|ended) ' "$list") 3>heads
}

@test "every word of srecord job is seen where there is a column for it, and comes back" {
	local words ids
	entities
	cp "$(store)" empty.db
	tell >facts
	srecord - <facts >answers
	run -1 grep -v '^ok' answers
	ids=$(cut -f 1 heads | paste -s -d ,)
	views >seen
	squeue -t all --json >queue.json
	sacct -aL --json -j "$ids" >sacct.json
	sacct -aLP --noconvert -j "$ids" -o ALL >sacct.txt
	back 'back squeue.json' queue.json >back
	back 'back sacct.json' sacct.json >>back
	back 'back sacct -P' sacct.txt >>back
	cat heads seen back | awk -F '\t' -f "$BATS_TEST_DIRNAME/facts.awk" >got
	[[ ! ${FACTS-} ]] || cp got "$FACTS"
	same facts.list "$(<got)" "$(grep -v '^#' "$list")"
	words=$(bursar --complete -- srecord job '')
	same 'words told in facts.list' "$(sort <<<"$words")" \
		"$(grep '^[a-z]' got | grep -oE ' [a-z_]+=' | cut -c 2- | sort -u)"
}
