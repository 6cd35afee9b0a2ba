#!/usr/bin/env bats
# `sacctmgr --dry-run`: what a change would print and do; nothing is written (beyond Slurm).

load lib

setup() {
	fresh_cluster
	local_users ann bob cid
	sacctmgr -iQ add account lab,phys >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=10 >/dev/null
	sacctmgr -iQ add user bob account=lab >/dev/null
	srecord job id=4 user=bob account=lab mem=100 cpus=2 start=now-100 end=now \
		state=COMPLETED >/dev/null
	srecord job id=5 user=ann account=lab mem=100 cpus=2 >/dev/null
}

# Everything in the store, and its files.
everything() {
	ask .dump
	(cd "$(dirname "$(store)")" && sha256sum ./*)
}

@test "a dry run prints what would be, the rows, fair-share and jobs; nothing is written" {
	everything >before
	capture sacctmgr --dry-run modify account lab set maxjobs=0
	same status "$status" 0
	same messages "$stderr" ''
	[[ $stdout == ' Modified account associations...'* ]]
	same told " Dry run${stdout#* Dry run}" \
' Dry run: nothing is changed
 Rows: 1
  ~ association C = canis A = lab: MaxJobs none -> 0
 Fair-share factors that move by 0.01 or more: 0
 Jobs that would wait for another reason: 1
  JobID = 5          U = ann       None -> AssocMaxJobsLimit'
	capture sacctmgr --dry-run modify user ann set fairshare=1
	same status "$status" 0
	[[ $stdout == *'~ association C = canis A = lab U = ann: Share 10 -> 1'* ]]
	same files "$(everything)" "$(<before)"
}

@test "a dry run says what the real run then prints and does, fair-share too" {
	sacctmgr -iQ add user cid account=lab >/dev/null
	while IFS= read -r words; do
		capture sacctmgr --dry-run $words
		same "status of --dry-run $words" "$status" 0
		said=${stdout%%' Dry run: nothing is changed'*}
		moved=$(grep ' U = .* -> ' <<<"$stdout" | grep -v '~' || true)
		prints "${said%$'\n'}" sacctmgr -i $words
		while read -r _ _ _ _ _ account _ _ user _ _ is; do
			[[ $account ]] || continue
			same "fair-share of $user" "$(sshare -ahPn -A "$account" -u "$user" \
				-o fairshare | tail -n 1)" "$is"
		done <<<"$moved"
		seen+=$moved
	done <<-'END'
		add user cid account=phys fairshare=4
		modify user ann where account=lab set fairshare=90
		add qos fast priority=4
		delete user cid account=phys
		modify account phys set parent=lab
		undo
		redo
	END
	[[ $seen ]]
}

@test "a dry run of what is refused says so and exits with 1" {
	capture sacctmgr --dry-run add user ann account=none
	same status "$status" 1
	[[ $stdout == *'No account none on cluster canis'* ]]
	refuses 'cannot try "restore"' sacctmgr --dry-run restore x
	prints '  Nothing modified' sacctmgr --dry-run rebuild usage
}

@test "a dry run of load, and as JSON" {
	sacctmgr dump canis file=canis.cfg >/dev/null
	sed -i "s/^User - 'bob'.*/&:MaxJobs=7/" canis.cfg
	everything >before
	capture sacctmgr --dry-run load canis.cfg
	same status "$status" 0
	[[ $stdout == *'~ association C = canis A = lab U = bob: MaxJobs none -> 7'* ]]
	capture sacctmgr --dry-run --json modify user bob set maxjobs=3
	same rows "$(jq -c '.dry_run[0].rows' <<<"$stdout")" \
'[{"change":"changed","row":"association C = canis A = lab U = bob: MaxJobs none -> 3"}]'
	same files "$(everything)" "$(<before)"
}

@test "a dry run is as much as the caller may do" {
	capture as ann sacctmgr --dry-run modify user bob set fairshare=9
	same status "$status" 1
	[[ $stdout$stderr != *'Dry run'* ]]
	sacctmgr -iQ add coordinator account=lab names=ann >/dev/null
	capture as ann sacctmgr --dry-run modify user bob set fairshare=9
	same status "$status" 0
	[[ $stdout == *'U = bob: Share 1 -> 9'* ]]
}

@test "archive and rebuild: what would be written, erased and made anew; no file" {
	srecord step job=4 step=0 state=COMPLETED start=now-100 end=now >/dev/null
	everything >before
	mkdir archive
	capture sacctmgr --dry-run archive dump directory="$PWD/archive" jobs steps \
		purgejobafter=0hours purgestepafter=0hours
	same status "$status" 0
	[[ $stdout == ' Records to be written: '*' Records to be erased: '*' Dry run: '* ]]
	same files "$(ls archive)" ''
	same store "$(everything)" "$(<before)"
	sacctmgr -i archive dump directory="$PWD/archive" jobs events steps >/dev/null 2>&1
	everything >before
	capture sacctmgr --dry-run archive load file="$(echo archive/*)"
	same status "$status" 0
	[[ $stdout == *'Rows: 0'* ]]
	ask 'UPDATE assoc_usage SET amount = amount * 3 + 1'
	everything >before
	capture sacctmgr --dry-run rebuild usage
	same status "$status" 0
	[[ $stdout == ' Rebuilt usage (seconds)...'*' Dry run: '* ]]
	real=$(sacctmgr -i rebuild usage)
	same report "$(sed '/^ Dry run/,$d' <<<"$stdout")" "$real"
	everything >before
	sacctmgr --dry-run rebuild rollups | grep -q ' Dry run: nothing is changed'
	same store "$(everything)" "$(<before)"
}

@test "srecord --dry-run: the number of a new job, rows, fair-share, what waits; nothing is kept" {
	everything >before
	capture srecord --dry-run job user=ann account=lab mem=100 cpus=2
	same messages "$stderr" ''
	same status "$status" 0
	same told "$stdout" '6
 Dry run: nothing is changed
 Rows: 1
  + job 6
 Fair-share factors that move by 0.01 or more: 0
 Jobs that would wait for another reason: 1
  JobID = 6          U = ann       new -> None'
	capture srecord --dry-run job id=5 start=now state=RUNNING
	same status "$status" 0
	[[ $stdout == *'JobID = 5          U = ann       None -> RUNNING'* ]]
	capture srecord --dry-run --json job id=9 user=ann account=lab mem=100 cpus=64 \
		submit=now-90000 start=now-90000 end=now state=COMPLETED
	same status "$status" 0
	same rows "$(jq -r '.dry_run[0].rows[] | .change + " " + .row' <<<"$stdout" |
		grep job)" 'added job 9'
	[[ $(jq '.dry_run[0].fairshare | length' <<<"$stdout") -ge 1 ]]
	refuses 'account nowhere is not known' srecord --dry-run job user=ann account=nowhere
	refuses '--dry-run is not for import' srecord --dry-run import x
	for words in 'node name=n1 state=DOWN start=now-10' 'cluster tres=cpu=8 start=now-10' \
		'reservation name=r nodes=vm end=now+1hour' \
		'step job=4 step=0 start=now-90 end=now'; do
		# shellcheck disable=SC2086
		capture srecord --dry-run $words
		echo "$words: $stdout$stderr"
		[[ $status == 0 && $stdout == *' Dry run: nothing is changed'* ]]
		[[ $stdout != *'Rows: 0'* ]]
	done
	same store "$(everything)" "$(<before)"
}
