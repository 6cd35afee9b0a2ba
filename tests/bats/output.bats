#!/usr/bin/env bats
# Output for other programs: one convention of keys and types (man/bursar-output.7).

load lib

root=$BATS_TEST_DIRNAME/../..

setup() {
	fresh_cluster
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	srecord job id=1 user=ann account=lab cpus=4 mem=1000 time=60 submit=now-2hours \
		start=now-1hour nodelist=vm >/dev/null
	srecord job id=2 user=ann account=lab cpus=4 time=60 array=1-3 submit=now-1hour >/dev/null
}

@test "the manual has the keys that the programs have" {
	same keys "$(sed -n '/^\.\\" keys/,/^\.\\" end/{//!p}' "$root/man/bursar-output.7")" \
		"$("$root/tests/keys" "$BURSAR_BIN")"
}

@test "the same key and type in all programs" {
	local program types
	for program in 'squeue -o %i%u%a%P%S' 'sacct -X -o jobid,user,account,partition,start' \
		'splan -o jobid,user,account,partition,starttime'; do
		types=$($program --ndjson | jq -c '[.job_id, .job, .user, .account, .partition] |
			map(type)' | sort -u)
		same "$program" "$types" '["number","string","string","string","string"]'
		same "$program" "$($program --csv | head -1)" \
			job_id,user,account,partition,start_time
	done
	same sprio "$(sprio --ndjson -o %i%u%o%r | jq -c 'map(type)' | sort -u)" \
		'["number","string","string","string"]'
}

@test "--csv: a cell with a quote or a comma is quoted, its quotes are doubled" {
	srecord job id=1 comment='say "hi"'
	srecord job id=2 comment='a, b' >/dev/null
	same quote "$(sacct -nX -j 1 --csv -o comment | tail -1)" '"say ""hi"""'
	same comma "$(sacct -nX -j 2 --csv -o comment | tail -1)" '"a, b"'
}

@test "--ndjson follows -o; times are numbers, in CSV as people read them" {
	local start
	start=$(squeue --json | jq '.jobs[] | select(.job_id == 1).start_time.number')
	prints "{\"job_id\":1,\"job\":\"1\",\"start_time\":$start,\"elapsed\":3600,$(
		)\"time_limit\":60}" \
		bash -c 'squeue -t R --ndjson -o %i%S%M%l | sed -E "s/(elapsed.:36)[0-9]*/\\100/"'
	prints "{\"start_time\":$start,\"time_limit\":60,\"req_mem\":1000,\"max_rss\":null}" \
		sacct -X -j 1 --ndjson -o start,timelimit,reqmem,maxrss
	prints $'start_time,name\n'"$(date -d @"$start" +%FT%T)," \
		sacct -X -j 1 --csv -o start,jobname
	prints '{"start_time":null,"time_left":3600,"min_memory":"0"}' \
		bash -c 'squeue -t PD --ndjson -O starttime,timeleft,minmemory | head -1'
	same sshare "$(sshare -U -u ann --ndjson -o user,fairshare,rawshares | tail -1)" \
		'{"user":"ann","fairshare":0.5,"raw_shares":1}'
}

@test "with --json an error is a document" {
	told() {
		capture "${@:2}" --json
		[[ $status != 0 ]] || same "exit status of ${*:2}" "$status" 'not 0'
		same "errors of ${*:2}" "$1|$2" \
			"$(jq -r '.errors[0] | "\(.description)|\(.source)"' <<<"$stdout")"
	}
	# Of words that it does not know Slurm's sacctmgr makes none.
	refuses "Unknown field 'foo'" sacctmgr show assoc format=foo --json
	told 'Invalid group id: nosuch' sacct -g nosuch
	told 'Invalid time specification (pos=0): foo' sreport user top start=foo
	told 'slurm_load_jobs error: Invalid job id specified' squeue -j 999
	told 'Job not found.' seff 999
	told 'Node nosuch not found' scontrol show node nosuch
	told 'Partition nosuch not found' scontrol show partition nosuch
	told 'Bad state string: "foo"' sinfo -t foo
	told 'Unrecognized word: lab' sshare lab
	told "--policy: 'foo' is not a policy: slurm, conservative, easy or fcfs" splan --policy=foo
	# Also before --json is reached.
	told '--iterate=x' squeue --iterate=x
	told "unrecognized option '--bogus=3'" squeue --bogus=3
	told "unrecognized option '--bogus'" sacctmgr --bogus show assoc
	told "option '--st' is ambiguous" squeue --st
	told "option '--hide' doesn't allow an argument" squeue --hide=3
	told "invalid option -- 'y'" squeue -hy
	told "invalid option -- 'y'" squeue --hide -yz
	prints --iterate=x bash -c "squeue --iterate=x --yaml 2>said |
		jq -r '.errors[].description'" # which is YAML, too
	prints "option requires an argument -- 'S'" \
		bash -c "squeue --json -S 2>said | jq -r '.errors[].description'"
	prints "option '--sort' requires an argument" \
		bash -c "squeue --json --sort 2>said | jq -r '.errors[].description'"
	[[ $(<said) == *"squeue: option '--sort' requires an argument"$'\n'Try* ]]
	told 'nosuch.swf cannot be read: No such file or directory' ssim nosuch.swf
}
