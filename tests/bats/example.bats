#!/usr/bin/env bats
# What --explain says of the example cluster (tests/example): every user, every waiting job.

load lib

# Loaded once. The clock stands still from then on, so that all commands speak of one moment.
setup_file() {
	local example=$BATS_TEST_DIRNAME/../example
	export PATH=${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}:$PATH
	export BURSAR_STORE=$BATS_FILE_TMPDIR/acct.db SLURM_CONF=$BATS_FILE_TMPDIR/slurm.conf
	unset SLURM_TIME_FORMAT
	cp "$example/slurm.conf" "$BATS_FILE_TMPDIR"
	sacctmgr -iQ load file="$example/example.cfg" >/dev/null
	"$example/jobs" >/dev/null
	BURSAR_NOW=$(date +%s)
	export BURSAR_NOW
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "sshare --explain: every user, beside what sshare lists" {
	sshare --explain -a --json >why.json
	# Factor, shares, usage and LevelFS of the last level are those of the row.
	same rows "$(jq -r '.explanations[] | .levels[-1] as $own | [.account, .user,
			(if $own.shares then $own.shares else "parent" end),
			($own.usage | floor), (.fairshare * 1e6 | round)] | @csv' why.json)" \
		"$(sshare -a --json | jq -r '.shares.shares[] | select(.type[0] == "USER") |
			[.parent, .name,
			(if .shares.infinite then "parent" else .shares.number end),
			(.usage | floor), (.fairshare.factor.number * 1e6 | round)] | @csv')"
	same counts "$(jq '[.explanations[].fairshare] as $all | .explanations | all(. as $u |
		.users == ($all | length)
		and .ahead == ($all | map(select(. > $u.fairshare)) | length)
		and .equal + 1 == ($all | map(select(. == $u.fairshare)) | length))' why.json)" true
	same best "$(jq '.explanations | all(. as $u | ([.changes[].fairshare] | max) as $most |
		[.changes[] | select(.best).fairshare] ==
			if $most > $u.fairshare then [$most] else [] end)' why.json)" true
	# Shares of a level add up, and so does what was used of it.
	same levels "$(jq '.explanations | all(.levels | all(. as $l |
		((.order | length) > .ahead + .equal) and
		(.shares == null or .level_fs.infinite or .effective_usage == 0 or
		(.shares / .shares_of_level / .effective_usage / .level_fs.number
			- 1 | fabs) < 1e-6)
		))' why.json)" true
}

@test "sshare --explain: the changes it tries, made with --what-if" {
	local account user name shares said n=0
	sshare --explain -a --json >why.json
	while read -r account user name shares said; do
		capture sshare -PnU -u "$user" -A "$account" -o fairshare \
			--what-if="modify account $name set fairshare=$shares"
		same "$name=$shares for $user" "$(cut -d'|' -f2 <<<"$stdout")" "$said"
		n=$((n + 1))
	done < <(jq -r '.explanations | group_by([.account, .user])[] | select(length == 1)[0]
		| . as $u | .changes[] | select(.shares and .name != $u.user
		and .fairshare > $u.fairshare) | [$u.account, $u.user, .name, .shares,
		(.fairshare * 1e6 | round | "\(. / 1e6 | floor)." + ("00000\(. % 1e6)")[-6:])]
		| join(" ")' why.json | sed -n '1~7p' | head -8)
	((n > 4))
}

@test "sprio --explain: every waiting job, its sum, its reason, the limit behind it" {
	local job
	squeue --json -t R >run.json
	sacctmgr --json show assoc >assoc.json
	sprio --explain=all --json >why.json
	# Of all at once remedies are not looked for; one for each reason is asked for by itself.
	for job in $(squeue -h -t PD -o '%i %r' | awk '!seen[$2]++ { print $1 }'); do
		same "$job" "$(sprio --explain "$job" --json |
			jq '.explanations[0] | del(.changes, .text)')" \
			"$(jq ".explanations[] | select(.job_id == $job) | del(.changes, .text)" \
				why.json)"
	done
	same all "$(jq -r '.explanations[] | "\(.job_id) \(.lines[0].priority) \(.reason)"' \
		why.json | sort)" "$(squeue -h -t PD -o '%i %Q %r' | sort)"
	jq -r '.explanations[] | select(.waits_for[0].limit.in_use)
		| "\(.job_id) \(.waits_for[0].limit.in_use)"' why.json >used
	same 'in use' "$(<used)" "$(jq -rn --slurpfile run run.json \
		--slurpfile why why.json --slurpfile assoc assoc.json '
		($assoc[0].associations | map(select(.user == "") |
			{(.account): .parent_account}) | add) as $above
		| def up: recurse($above[.] // empty; . != "");
		$why[0].explanations[] as $e | $e.waits_for[0].limit as $l
		| select($l.in_use) | ($l.of | split(" ")) as [$kind, $name]
		| [$run[0].jobs[] | select(if $kind == "QOS"
			then .qos == $name and .user_name == $e.user
			else [.account | up] | index($name) end)]
		| "\($e.job_id) " + if $l.name == "GrpTRES" or $l.name == "MaxTRESPerUser" then
			"gres/gpu=\(map(.tres_alloc_str | capture("gres/gpu=(?<n>[0-9]+)").n
				| tonumber) | add // 0)"
		else "\(length)" end')"
	(($(wc -l <used) > 3))
}

@test "why a job waits: squeue, scontrol, sprio, splan and a dry run say the same" {
	local id reason what
	cp "$BURSAR_STORE" own.db
	local -x BURSAR_STORE=$PWD/own.db
	waits() {
		squeue -h -t PD -S i -o '%i %r'
	}
	waits >before
	run ! grep None before
	capture sacctmgr --dry-run modify account gait set grptresmins=cpu=100
	sed -n 's/^  JobID = \([0-9]*\) .* -> \(.*\)/\1 \2/p' <<<"$stdout" >told
	sacctmgr -iQ modify account gait set grptresmins=cpu=100 >/dev/null
	waits >after
	grep '^4298 AssocGrpCPUMinutesLimit$' after
	# Of those that would run at once squeue says what a pass says that has not come to them.
	same 'a dry run' "$(grep -v 'starts now' told)" "$(
		(diff before after | sed -n 's/^> //p'
			echo '4311 AssocGrpCPUMinutesLimit') | sort)"
	scontrol -o show job | sort |
		sed -n 's/^JobId=\([0-9]*\) .*JobState=PENDING Reason=\([^ ]*\) .*/\1 \2/p' >job
	same scontrol "$(<job)" "$(<after)"
	sprio --explain=all --json | jq -r '.explanations[] | "\(.job_id) \(.reason)"' |
		sort >why
	same sprio "$(<why)" "$(<after)"
	# Where nodes are free then does not help: the limit must let it.
	same help "$(sprio --explain=4298 --json | jq -r '.explanations[0].changes[].change' |
		sed 's/=[0-9]*$//')" 'modify account gait set GrpTRESMins=cpu'
	splan -nPo jobid,action,reason | awk -F'|' '{ print $1, $2 == "start" ? "Priority" : $3 }' |
		sort >plan
	same splan "$(<plan)" "$(<after)"
}
