# sprio beyond the recordings: which jobs, formats, sorting, machine output.
load lib

# site [CONF LINE...]: an empty store and two users
site() {
	fresh_cluster "$@"
	local_users ann bob
}

down="Nodes=ALL State=DOWN"

# Two users, two QOS above normal, one waiting job each.
jobs() {
	sacctmgr -iQ add qos high priority=100 >/dev/null
	sacctmgr -iQ add qos low priority=25 >/dev/null
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab qos=normal,high,low >/dev/null
	srecord job user=ann account=lab cpus=4 mem=8000 partition=debug timelimit=60 >/dev/null
	srecord job user=bob account=lab cpus=8 mem=1000 partition=debug qos=high timelimit=60 \
		nice=7 >/dev/null
}

slurm_options='autocomplete= noheader jobs? long cluster= clusters= norm format= sort= partition=
user= users= verbose version weights federation help helpformat local sib sibling usage'

@test "sprio: Slurm's abbreviations mean what they meant" {
	site
	abbreviations sprio 70 "$slurm_options" 's/clusters/cluster/; s/users/user/; s/sibling/sib/'
	jobs
	prints 2 sprio --c canis --j=2 --noh -o %i
}

@test "sprio: -j in all its forms" {
	site
	jobs
	for words in -j2 '-j 2' --jobs=2 '--jobs 2' -j2_1 -j2.0 -j2.batch -j1+1 -j77,2; do
		# shellcheck disable=SC2086
		prints 2 sprio -h -o %i $words
	done
	prints $'1\n2' sprio -h -o %i -j
	prints 2 sprio -h -o %i -j "$(sprio -h -o %s -j 2)"
	for id in abc 0 '3 4' '9_[1-2]' 9_ 1. s123 -1 99999999999; do
		refuses "sprio: error: Invalid job id: $id" sprio "-j$id"
	done
	capture sprio 3
	same status "$status" 1
	same message "$stderr" 'sprio: error: Unrecognized option: 3'
	[[ $stdout == 'Usage: sprio [-j'* ]]
}

@test "sprio: no job at all" {
	site
	prints 'Unable to find jobs matching user/id(s) specified' sprio -h -j 1
	same lines "$(sprio | wc -l)" 1
	same lines "$(sprio -u root | wc -l)" 1
}

@test "sprio: held, dependent, future, finished and lost jobs are absent" {
	site
	jobs
	srecord job user=ann account=lab partition=debug hold=1 >/dev/null
	srecord job user=ann account=lab partition=debug hold=2 >/dev/null
	srecord job user=ann account=lab partition=debug begin=now+1hour >/dev/null
	srecord job user=ann account=lab partition=debug dependency=afterok:1 >/dev/null
	srecord job user=ann account=lab partition=debug start=now-60 nodelist=vm >/dev/null
	srecord job user=ann account=lab partition=debug start=now-60 end=now nodelist=vm \
		state=COMPLETED >/dev/null
	prints $'1\n2' sprio -h -o %i
}

@test "sprio: CALCULATE_RUNNING lists running jobs too" {
	site PriorityFlags=CALCULATE_RUNNING
	jobs
	srecord job user=ann account=lab partition=debug start=now-60 nodelist=vm >/dev/null
	prints $'1\n2\n3' sprio -h -o %i
	srecord job id=3 state=suspended
	prints $'1\n2\n3' sprio -h -o %i
}

@test "sprio: a priority set by hand has no factors" {
	site
	jobs
	srecord job user=ann account=lab partition=debug priority=5000 nice=3 >/dev/null
	prints '3 5000 0 0 0 0 |5000.00000|0||' \
		sprio -h -j 3 -o '%i %Y %F %f %Q %N |%10y|%j|%T|%t'
	prints 'true 0 0' bash -c 'sprio --json -j 3 |
		jq -r ".jobs[] | \"\(.set_by_hand) \(.nice) \(.factors.fairshare.points)\""'
}

@test "sprio: a row for each partition and QOS" {
	site "PartitionName=debug $down Default=YES PriorityJobFactor=10" \
		"PartitionName=gpu $down PriorityJobFactor=50 PriorityTier=5"
	jobs
	srecord job user=ann account=lab partition=debug,gpu qos=low,high cpus=1 >/dev/null
	prints 'gpu high 1000 2000
gpu low 1000 500
debug high 200 2000
debug low 200 500' sprio -h -j 3 -o '%r %n %P %Q'
	srecord job user=ann account=lab partition=debug qos=normal,low cpus=1 >/dev/null
	prints 'low 500
normal 500' sprio -h -j 4 -o '%n %Q'
}

@test "sprio: formats" {
	site
	jobs
	prints 'id= JOBID;USER    |PRI
id=     1;ann     |108' sprio -j1 -o 'id=%.6i;%8u|%3Y'
	prints 'annX' sprio -h -j1 -o '%%uX'
	prints $'just text\njust text' sprio -j1 -o 'just text'
	prints "$(sprio -j1 -o %u)" env SPRIO_FORMAT=%u sprio -j1
	prints "$(sprio -j1 -l)" env SPRIO_FORMAT=%u sprio -j1 -l
	prints "$(sprio -j1 -o %i)" env SPRIO_FORMAT=%u sprio -j1 -o %i
	refuses 'sprio: fatal: Options -o(--format) and -l(--long) are mutually exclusive.' \
		sprio -l -o %i
	same letters "$(sprio --helpformat | tr -d ' %\n')" aAbBcfFijJnNopPrSqQsuyYtT
}

@test "sprio: sorting" {
	site
	jobs
	srecord job user=ann account=lab partition=debug qos=low cpus=1 >/dev/null
	prints $'3\n2\n1' sprio -h -o %i -S -i
	prints $'2\n3\n1' sprio -h -o %i -S -Q
	prints $'1\n3\n2' sprio -h -o %i -S u,i
	prints $'3\n1\n2' sprio -h -o %i -S +u-i
	prints $'2\n3\n1' sprio -h -o %i -S -q,i
	for key in S B b s z; do
		capture sprio -h -S "$key"
		same message "$stderr" "sprio: error: Invalid sort specification: $key"
		same status "$status" 1
	done
}

@test "sprio: jobs of the same key stay in the order of the jobs" {
	site
	jobs
	local job
	for job in 3 4 5 6 7; do
		srecord job user=ann account=lab partition=debug qos=low cpus=1 >/dev/null
	done
	prints $'1\n3\n4\n5\n6\n7\n2' sprio -h -o %i -S u
	prints $'2\n1\n3\n4\n5\n6\n7' sprio -h -o %i -S -u
	prints $'2\n3\n4\n5\n6\n7\n1' sprio -h -o %i -S -Q
	# They differ by less than is looked at.
	prints $'1\n2\n3\n4\n5\n6\n7' sprio -h -o %i -S r
}

@test "sprio: users by number and of the store, clusters by environment" {
	site
	jobs
	prints 1 sprio -h -o %i -u "$(id -u ann 2>/dev/null || getent passwd ann | cut -d: -f3)"
	capture sprio -h -o %i -u nix,ann
	same output "$stdout" 1
	same message "$stderr" 'sprio: error: Invalid user: nix'
	sacctmgr -iQ add cluster draco >/dev/null
	prints '' env SLURM_CLUSTERS=draco sprio -h
	prints $'1\n2' env SLURM_CLUSTERS=draco sprio -h -o %i -M canis
	refuses 'Only one cluster can be used at a time with sprio' sprio -M canis,draco
	refuses 'Only one cluster can be used at a time with sprio' sprio -M all
	prints "$(sprio -M canis)" sprio -M canis,
	refuses "'nix' can't be reached now" sprio -M nix
}

@test "sprio: federations" {
	site
	jobs
	prints $'(null)\n(null)' sprio -h -o %c --sibling
	sacctmgr -iQ add cluster draco >/dev/null
	sacctmgr -iQ add federation f clusters=canis,draco >/dev/null
	prints $'canis\ncanis' sprio -h -o %c --federation
	prints $'(null)\n(null)' sprio -h -o %c --federation --local
	[[ $(sprio --sib | head -1) == *' CLUSTER '* ]]
	[[ $(env SPRIO_SIBLING= sprio --local | head -1) != *' CLUSTER '* ]]
}

@test "sprio: PrivateData=jobs" {
	site PrivateData=jobs
	jobs
	prints 1 as ann sprio -h -o %i
	sacctmgr -iQ add coordinator account=lab names=ann >/dev/null
	prints $'1\n2' as ann sprio -h -o %i
	sacctmgr -iQ modify user bob set adminlevel=operator >/dev/null
	prints $'1\n2' as bob sprio -h -o %i
}

@test "sprio: priority/basic is refused" {
	site PriorityType=priority/basic
	capture sprio
	same status "$status" 1
	same message "$stderr" "You are not running a supported priority plugin
(priority/basic).
Only 'priority/multifactor' is supported."
}

@test "sprio: a bad weight list names itself, -w or not" {
	site PriorityWeightTRES=CPU=10,nix=3
	capture sprio
	same status "$status" 1
	[[ $stderr == *nix* ]]
}

@test "sprio: -v" {
	site
	prints '-----------------------------
format     = %i
job_flag   = 1
jobs       = 4
partition  = (null)
users      = (null)
verbose    = 1
-----------------------------


Unable to find jobs matching user/id(s) specified' sprio -v -j 4 -o %i
}

@test "sprio: --csv has a name for every column" {
	site
	jobs
	prints 'job_id,partition,priority,site,assoc_points,fairshare_points,job_size_points,'\
'partition_points,qos_points,tres_points' \
		bash -c 'sprio --csv | head -1'
	same names "$(sprio --csv -o "$(sprio --helpformat | tr -d ' \n')%R" | head -1 |
		tr , '\n' | sort | uniq -d)" ''
	same row "$(sprio --csv -h -j1 -o '%i %.3u%T')" '1,ann,"cpu=62,mem=62"'
}

@test "sprio: --json adds up, --ndjson is the same" {
	site
	jobs
	same 'top level' "$(sprio --json | jq -c keys_unsorted)" \
		'["jobs","weights","meta","errors","warnings"]'
	same sums "$(sprio --json | jq -c '[.jobs[] | ([.factors[].points, .tres[].points] | add)
		+ .site - .nice - .sum | fabs < 0.001]')" '[true,true]'
	same points "$(sprio --json | jq -c '[.jobs[] | [.factors[], .tres[]] | all(.weight
		* .factor - .points | fabs < 0.000001)] | all')" true
	same records "$(sprio --ndjson | jq -c .)" "$(sprio --json | jq -c '.jobs[]')"
	same order "$(sprio --json -S -i | jq -c '[.jobs[].job_id]')" '[2,1]'
	same weights "$(sprio -w --json | jq -c '[.jobs, .weights.fairshare, .weights.tres]')" \
		'[[],10000,"CPU=1000,Mem=2000,GRES/gpu=3000"]'
	sprio --yaml | grep -qx 'jobs: !!seq'
}
