# sprio beyond Slurm: why, at a time, what if.
load lib

# site [CONF LINE...]: an empty store and two users
site() {
	fresh_cluster "$@"
	local_users ann bob
}

# Two users, two QOS above normal, one waiting job each.
jobs() {
	sacctmgr -iQ add qos high priority=100 >/dev/null
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab qos=normal,high >/dev/null
	srecord job user=ann account=lab cpus=4 mem=8000 partition=debug timelimit=60 >/dev/null
	srecord job user=bob account=lab cpus=8 mem=1000 partition=debug qos=high timelimit=60 \
		nice=7 >/dev/null
}

@test "sprio --explain: the points add up to the priority" {
	site PriorityWeightAge=1000
	jobs
	local job
	for job in 1 2; do
		capture sprio --explain=$job
		same "sum $job" "$(awk '
			/^  factor/ { on = 1; next }
			/^  sum/ { printf "%d", sum; exit }
			on && match($0, /= /) { sum += substr($0, RSTART + 1); next }
			on { sum += $2 }' <<<"$stdout")" "$(sprio -h -j $job -o %Y)"
		[[ $stdout == *"-> priority $(sprio -h -j $job -o %Y)"* ]]
	done
	[[ $stdout == *'place 1 of 2'*'room for it now'* ]]
	capture sprio --explain 1
	[[ $stdout == *'place 2 of 2'*' 2  bob          lab '*QOS* ]]
}

@test "sprio --explain: what it waits for" {
	site
	jobs
	srecord job id=1 hold=user >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'held jobs have priority 0'*'its user, who holds it, to release it (Job'* ]]
	srecord job user=ann account=lab begin=now+2hours partition=debug >/dev/null
	capture sprio --explain 3
	[[ $stdout == *'its begin time, 2'* ]]
	capture sprio --explain 2
	[[ $stdout == *'nothing: there is room for it now

When it starts:
  now, with the next pass' ]]
	sacctmgr -iQ modify user bob set maxtres=cpu=2 >/dev/null
	capture sprio --explain 2
	[[ $stdout == *"a change: it asks for more CPUs than a job of its association may$(
		) (AssocMaxCpuPerJobLimit)"*'the limit: MaxTRES=cpu=2 of user bob in '* ]]
	sacctmgr -iQ modify user bob set maxtres=cpu=-1 >/dev/null
	srecord job id=2 start=now nodelist=vm >/dev/null
	refuses 'Job 2 is not waiting: it is RUNNING' sprio --explain 2
	refuses 'No job 77 here' sprio --explain 77
	refuses 'Invalid job id: x' sprio --explain x
}

# all_say WORD: of job 1, for which there is room, every program says that it waits for this.
all_say() {
	prints "$1" squeue -h -j 1 -o %r
	prints "$1" bash -c "scontrol show job 1 | grep -Po '(?<= Reason=)\\S+'"
	prints "[\"$1\",false,[\"$1\"]]" bash -c "sprio --explain 1 --json | jq -c '
		.explanations[] | [.reason, .starts_now, [.waits_for[].reason]]'"
	prints "wait|$1" bash -c "splan -n -P -o jobid,action,reason | sed -n 's/^1|//p'"
	says_it "$1" splan --when=id=1
	says_it "$1" seff 1
	capture srecord --dry-run job id=1 hold=no reason=None
	[[ $stdout == *"JobID = 1 "*" $1 -> starts now"* ]] || same "dry run" "$stdout" "$1"
}

# says_it WORD COMMAND...
says_it() {
	capture "${@:2}"
	[[ $stdout == *" ($1)."* && $stdout != *' now, with'* ]] || same "$*" "$stdout" "($1)."
}

@test "a recorded reason that only a controller knows: every program says it" {
	site
	jobs
	local word
	for word in Foo Cleaning MaxMemPerLimit JobHoldMaxRequeue ReservationDeleted; do
		srecord job id=1 reason=$word >/dev/null
		all_say $word
	done
	# A hold stays one when something else is changed, until it is let go.
	srecord job id=1 reason=JobHoldMaxRequeue >/dev/null
	srecord job id=1 timelimit=50 >/dev/null
	all_say JobHoldMaxRequeue
	prints '0' squeue -h -j 1 -o '%Q'
	for word in JobHeldUser JobHeldAdmin; do
		srecord job id=1 reason=$word >/dev/null
		all_say $word
	done
	srecord job id=1 hold=no >/dev/null
	# Of what a pass knows, and of a run that has ended, it knows better.
	for word in None Resources NodeDown Constraints; do
		srecord job id=1 reason=$word >/dev/null
		capture sprio --explain 1
		[[ $stdout == *'nothing: there is room for it now'* ]]
		prints start bash -c "splan -n -P -o jobid,action | sed -n 's/^1|//p'"
	done
}

@test "sprio --explain: what nodes are short of, what no node has, and when it starts" {
	site
	jobs
	srecord job user=bob account=lab cpus=2 mem=200000 gres=gpu:3 timelimit=60 \
		start=now nodelist=vm >/dev/null
	says() {
		srecord job id=1 "${@:2}" >/dev/null
		capture sprio --explain 1
		[[ $stdout == *"$1"* ]] || same "$*" "$stdout" "$1"
	}
	says '
  memory of nodes to become free (Resources)

When it starts:
  at 2' mem=100000
	says $'\n  GRES (GPUs and the like) of nodes to become free (Res' mem=1 gres=gpu:2
	says $'\n  nodes to become free (Resources)' mem=1 gres=gpu:1 cpus=63
	says '
  a change: it asks for 65 CPUs; partition debug has 64 (PartitionConfig)

When it starts:
  never, without a change: it asks for 65 CPUs; partition debug has 64' cpus=65
}

@test "sprio --explain: the feature or the reservation that it waits for" {
	site 'NodeName=f1 CPUs=4 RealMemory=64000 Features=fast' \
		'NodeName=f2 CPUs=8 RealMemory=64000' \
		'PartitionName=f Nodes=f[1-2] MaxTime=1-0' 'PartitionName=debug Nodes=f2'
	jobs
	srecord job user=bob account=lab partition=f cpus=4 timelimit=60 start=now \
		nodelist=f1 >/dev/null
	srecord job id=2 hold=user >/dev/null
	srecord reservation name=own nodes=f2 start=now+1hour end=now+3hours users=ann
	local job
	says() {
		job=$(srecord job user=ann account=lab partition=f cpus=1 mem=100 timelimit=60 \
			"${@:2}")
		capture sprio --explain "$job"
		srecord job id="$job" hold=user >/dev/null
		[[ $stdout == *"$1"* ]] || same "$*" "$stdout" "$1"
	}
	says $'\n  nodes with feature fast to become free (Resources)\n' constraints=fast
	says '
  a change: it asks for feature slow, which too few nodes of partition f have (' \
		constraints=slow
	says '
When it starts:
  never, without a change: it asks for feature slow' constraints=slow
	says $'\n  its reservation own, which begins at 20' reservation=own
	says $'\nWhen it starts:\n  not before 20' reservation=own
	says '
When it starts:
  never, without a change: its reservation own ends at ' reservation=own timelimit=180
	says $'\n  its reservation none: there is none of that name (Reservation)' \
		reservation=none
	# Of others it is not told whose it is.
	srecord reservation name=others nodes='f[1-2]' start=now end=now+3hours users=bob
	says $'\n  nodes that are not reserved for others, as some are until 20' cpus=2
}

@test "sprio --explain=all: every job that waits" {
	site
	jobs
	srecord job user=ann account=lab cpus=1 partition=debug submit=now-2hours \
		start=now-1hour nodelist=vm >/dev/null # its usage decides from the beginning
	alone() {
		sprio --explain "$1" | sed '/^What would help/,$d'
	}
	prints "$(alone 1; alone 2)" sprio --explain=all
	record() {
		sprio --explain="$1" --json | jq -c '.explanations[] | del(.changes, .text)'
	}
	same documents "$(record all)" "$(record 1; record 2)"
	prints "$(sprio --explain 1)" \
		bash -c 'sprio --explain 1 --json | jq -r ".explanations[].text"'
	srecord job id=1 state=CANCELLED >/dev/null
	srecord job id=2 state=CANCELLED >/dev/null
	prints '' sprio --explain=all
	same none "$(sprio --explain=all --json | jq -c .explanations)" '[]'
}

# By the rules of the manual, from the list of all jobs: what sprio --explain JOB claims.
claims='
def names: {"fair-share": "fairshare", "age": "age", "QOS": "qos", "partition": "partition",
	"job size": "job_size", "association": "association"};
def near($a; $b): ($a - $b | fabs) < 1e-6;
def points: .tres | map(.points) | add // 0;
def most_ahead($other; $row):
	[{name: "what it asks for (TRES)", more: (($other | points) - ($row | points))},
	 (names | to_entries[] | {name: .key,
		more: ($other.factors[.value].points - $row.factors[.value].points)}),
	 {name: "nice", more: ($row.nice - $other.nice)}]
	| max_by(.more) | if .more > 0 then .name else "" end;
($all.jobs | map(select(.job_id == $why.job_id))) as $mine
| $why.lines | length == ($mine | length) and all(. as $row
	| ([$row.factors[], $row.tres[]] | all(near(.weight * .factor; .points)))
	and near(($row.factors | map(.points) | add) + ($row | points) - $row.nice; $row.sum)
	and $row.priority == ([1, ($row.sum | floor)] | max)
	and ($all.jobs | map(select(.partition == $row.partition and .job_id != $row.job_id))
	     | sort_by([-.priority, .job_id])) as $others
	| ($others | map(select([-.priority, .job_id] < [-$row.priority, $row.job_id]))) as $ahead
	| $row.place == ($ahead | length) + 1 and $row.in_line == ($others | length) + 1
	and ($row.just_ahead | map([.job_id, .priority, .more])) ==
		($ahead[-5:] | map([.job_id, .priority, .priority - $row.priority]))
	and ([$row.just_ahead, $ahead[-5:]] | transpose | all(.[0].mostly_by ==
		if .[1].priority == $row.priority then "submitted earlier"
		else most_ahead(.[1]; $row) end)))'

@test "sprio --explain: every claim on random jobs, computed a second time" {
	site PriorityWeightAge=300 PriorityWeightAssoc=40 PriorityMaxAge=1-0
	jobs
	sacctmgr -iQ modify user bob set priority=7 >/dev/null
	awk 'BEGIN {
		srand(20261121)
		split("ann bob", user)
		split("debug gpu debug,gpu", part)
		split("normal high", qos)
		for (i = 3; i < 24; i++)
			printf "job user=%s account=lab partition=%s qos=%s cpus=%d mem=%d " \
				"nice=%d submit=now-%dminutes time=60\n",
				user[1 + int(rand() * 2)], part[1 + int(rand() * 3)],
				qos[1 + int(rand() * 2)], 1 + rand() * 64, 1 + rand() * 9000,
				rand() < .4 ? rand() * 900 : 0, 900 - i * 30
	}' | while read -r words; do
		# shellcheck disable=SC2086
		srecord $words >/dev/null
	done
	local job at
	at=$(date -d '+10 minutes' +%FT%T)
	sprio --at="$at" --json >all.json
	for job in $(sprio -h -o %i | sort -un); do
		sprio --explain "$job" --at="$at" --json >why.json
		same "claims of $job" "$(jq -n --slurpfile all all.json --slurpfile why why.json \
			"\$all[0] as \$all | \$why[0].explanations[0] as \$why | $claims")" true
		same "reason of $job" "$(jq -r '.explanations[0] |
			if .starts_now then .reason else .waits_for[].reason end' why.json)" \
			"$(squeue -h -j "$job" -o %r)"
		same "field of $job" "$(sprio -h -j "$job" -o %R | sort -u)" \
			"$(squeue -h -j "$job" -o %r)"
	done
	((job > 20))
}

# Sets each limit so that job 1 of ann meets it; what --explain names is what it was, and holds no
# longer once that is taken away. The last columns: in use by job 3, asked for by job 1, both known
# from their submissions.
@test "sprio --explain: the limit that is named is the one" {
	site
	jobs
	srecord job user=ann account=lab cpus=4 mem=100 time=60 start=now nodelist=vm >/dev/null
	local word value named kind name where used asked reason
	while read -r word value named kind name used asked; do
		where="$kind $name"
		# shellcheck disable=SC2086
		sacctmgr -iQ modify $where set "$word=$value" >/dev/null
		sprio --explain 1 --json >why.json
		same "$word" "$(jq -r '.explanations[0].waits_for[] |
			"\(.limit.name)=\(.limit.value) \(.limit.of)"' why.json)" \
			"$named ${where/qos/QOS}"
		# shellcheck disable=SC2053
		[[ $(jq -r '.explanations[0].waits_for[].limit |
			"\(.in_use // "-") \(.asked // "-")"' why.json) == $used\ $asked ]]
		reason=$(jq -r '.explanations[0].waits_for[].reason' why.json)
		same "reason of $word" "$(squeue -h -j 1 -o %r)" "$reason"
		[[ $value == *=* ]] && value=${value%=*}=-1 || value=-1
		# shellcheck disable=SC2086
		sacctmgr -iQ modify $where set "$word=$value" >/dev/null
		same "without $word" "$(squeue -h -j 1 -o %r)" Priority
	done <<-'END'
		MaxJobsPerUser 1 MaxJobsPerUser=1 qos normal 1 -
		MaxJobsPerAccount 1 MaxJobsPerAccount=1 qos normal 1 -
		GrpJobs 1 GrpJobs=1 account lab 1 -
		GrpTRES cpu=6 GrpTRES=cpu=6 account lab cpu=4 cpu=4
		GrpTRES mem=8000 GrpTRES=mem=8000M account lab mem=100M mem=8000M
		MaxTRESPerUser cpu=7 MaxTRESPerUser=cpu=7 qos normal cpu=4 cpu=4
		MaxTRESPerAccount cpu=7 MaxTRESPerAccount=cpu=7 qos normal cpu=4 cpu=4
		MaxWall 30 MaxWall=00:30:00 qos normal - 01:00:00
		GrpTRESRunMins cpu=400 GrpTRESRunMins=cpu=400 account lab cpu=2[34]? cpu=240
		MaxTRESMins cpu=100 MaxTRESMins=cpu=100 qos normal - cpu=240
		MaxTRES cpu=3 MaxTRES=cpu=3 qos normal - cpu=4
		MinTRES cpu=5 MinTRES=cpu=5 qos normal - cpu=4
	END
}

@test "sprio --explain: a limit is told with the account it was set on" {
	site
	jobs
	sacctmgr -iQ modify account root set maxtres=cpu=1 maxwall=20 >/dev/null
	sacctmgr -iQ modify account lab set maxtres=cpu=3 >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'
  the limit: MaxWall=00:20:00 of account root, inherited by user ann in account lab
  this job asks for 01:00:00

When it starts:
  never, without a change: it asks for more time than its association allows

What would help:
  nothing that was tried: '* ]]
	srecord job user=ann account=lab cpus=4 partition=debug timelimit=10 >/dev/null
	capture sprio --explain 3
	[[ $stdout == *'
  the limit: MaxTRES=cpu=3 of account lab, inherited by user ann in account lab
  this job asks for cpu=4

When'* ]]
	same json "$(sprio --explain 3 --json | jq -c '.explanations[0].waits_for[0].limit |
		[.of, .inherited_by]')" '["account lab","user ann in account lab"]'
	sacctmgr -iQ modify user ann set maxtres=cpu=2 >/dev/null
	capture sprio --explain 3
	[[ $stdout == *'
  the limit: MaxTRES=cpu=2 of user ann in account lab
  this job asks for cpu=4

When'* ]]
}

@test "sprio --explain: what is in use, and what will be with those that can start" {
	site PriorityWeightFairshare=0 # bob's running job must not move his other one back
	jobs
	srecord job user=bob account=lab cpus=3 mem=100 start=now nodelist=vm >/dev/null
	sacctmgr -iQ modify account lab set grptres=cpu=12 >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'
  the limit: GrpTRES=cpu=12 of account lab
  in use: cpu=3; with what can start now: cpu=11; this job asks for cpu=4

When it starts:
  when it has what it waits for

What would help:
'*'
  modify account lab set GrpTRES=cpu=15 now' ]]
	srecord job id=2 start=now nodelist=vm >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'
  in use: cpu=11; this job asks for cpu=4

When'* ]]
}

# Group limits have one reason for what others use and for what is too much in any case.
@test "sprio --explain: a group limit that no end of other jobs can help" {
	site
	jobs
	sacctmgr -iQ modify account lab set grptres=cpu=3 >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'
  a change: the limit would not let it start if nothing else ran, either (AssocGrpCpuLimit)
  the limit: GrpTRES=cpu=3 of account lab
  in use: cpu=0; this job asks for cpu=4

When it starts:
  never, without a change: the limit would not let it start if nothing else ran, either

What would help:
  cpus=3 '* ]]
	sacctmgr -iQ modify account lab set grptres=cpu=-1 grpjobs=0 >/dev/null
	capture sprio --explain 1
	[[ $stdout == *'  a change: '*'(AssocGrpJobsLimit)'*'GrpJobs=0 of account lab'* ]]
}

@test "sprio --explain: what would help is what splan --when says" {
	site
	jobs
	sacctmgr -iQ modify user ann set maxtres=cpu=3 >/dev/null
	sprio --explain 1 --json | jq -r '.explanations[0].changes[] | .change' >told
	grep -x cpus=3 told
	same splan "$(splan --when=id=1 --json | jq -r '.variants[1:][].change')" "$(<told)"
	# Only of one that waits now: what was tried in the past is of no use.
	run ! grep help <(sprio --explain 1 --at=now+1minute)
	srecord job id=1 hold=user >/dev/null
	run ! grep help <(sprio --explain 1)
}

@test "sprio --explain: the threshold of a QOS, and the fair-share below it" {
	site
	jobs
	sacctmgr -iQ modify qos high set usagethreshold=0.9 flags=EnforceUsageThreshold >/dev/null
	sacctmgr -iQ modify user bob where account=lab set rawusage=100 >/dev/null
	capture sprio --explain 2
	[[ $stdout == *"  its fair-share to rise: it is $(sshare -UPn -u bob -o fairshare), $(
		)below UsageThreshold=0.9 of QOS high (QOSUsageThreshold)"* ]]
}

@test "sprio --explain: not with --what-if" {
	site
	refuses '--what-if and --explain exclude each other' \
		sprio --explain 1 --what-if=PriorityWeightAge=1
}

@test "sprio --explain: every partition, the weights that are none, other people's jobs" {
	site PrivateData=jobs
	jobs
	srecord job user=ann account=lab partition=debug,gpu >/dev/null
	capture as ann sprio --explain 3
	same partitions "$(grep -c '^In partition' <<<"$stdout")" 2
	[[ $stdout == *'Without weight here: age'*' 0  (private) '* ]]
	refuses 'No job 2 here' as ann sprio --explain 2
	same 'just ahead' "$(as ann sprio --explain 1 --json |
		jq -c '.explanations[0].lines[0].just_ahead[0] | keys')" \
		'["more","mostly_by","priority"]'
	same 'as root sees it' "$(sprio --explain 1 --json |
		jq -c '.explanations[0].lines[0].just_ahead[0] | [.job_id, .user, .account]')" \
		'[2,"bob","lab"]'
}

@test "sprio --at: a time that is none" {
	site
	refuses 'sprio: error: --at: Invalid time specification (pos=0): soon' sprio --at=soon
	refuses 'Invalid time specification' sprio --at=
}

@test "sprio --at: age and fair-share of the day" {
	site PriorityDecayHalfLife=1-0 PriorityWeightAge=7000
	jobs
	prints '1|0
2|0' sprio -h -o '%i|%A'
	prints '1|1000
2|1000' sprio -h --at=now+1day -o '%i|%A'
	prints '' sprio -h --at=now-1hour
	srecord job id=1 start=now nodelist=vm >/dev/null
	prints '2' sprio -h --at=now+30minutes -o %i
	same store "$(sprio -h -o %i)" 2
}

@test "sprio --what-if: a job that nobody submitted" {
	site
	jobs
	local first second
	first=$(sprio -h -j 1 -o %Y) second=$(sprio -h -j 2 -o %Y)
	local job='user=ann account=lab cpus=4 mem=8000 partition=debug timelimit=60'
	capture sprio --csv --what-if="job $job"
	same heading "${stdout%%$'\n'*}" "job_id,partition,user,account,priority,priority_if_so,\
priority_difference,place,place_if_so"
	same rows "${stdout#*$'\n'}" "1,debug,ann,lab,$first,$first,+0,2,2
2,debug,bob,lab,$second,$second,+0,1,1
3,debug,ann,lab,,$first,,,3"
	prints '1
2' sprio -h -o %i
}

@test "sprio --what-if: weights, shares, who may" {
	site
	jobs
	chmod a+rX "$(dirname "$(store)")" "$(store)"
	local fresh
	capture as ann sprio --csv -h -j 2 --what-if=PriorityWeightQOS=5000
	fresh=$(cut -d, -f6 <<<"$stdout")
	echo PriorityWeightQOS=5000 >>"$SLURM_CONF"
	same weight "$fresh" "$(sprio -h -j 2 -o %Y)"
	same json "$(as bob sprio --json -u ann --what-if='modify user ann set priority=10' |
		jq -c '.what_if[0] | [.job_id, .after.priority - .before.priority, .difference]')" \
		'[1,500,{"priority":500,"place":0}]'
	refuses 'user nix is not known' sprio --what-if='job user=nix'
}
