# sshare beyond Slurm: algorithms beside each other, why, at a time, what if, when.
load lib

# site [CONF LINE...]: an empty store and four users
site() {
	fresh_cluster "$@"
	local_users ann bob cat dot
}

# Two accounts, one below the other, three users, usage.
tree() {
	sacctmgr -iQ add account lab fairshare=3 >/dev/null
	sacctmgr -iQ add account team parent=lab >/dev/null
	sacctmgr -iQ add account field >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=2 >/dev/null
	sacctmgr -iQ add user bob,cat account=team >/dev/null
	sacctmgr -iQ add user dot account=field >/dev/null
	sacctmgr -i modify user where name=ann account=lab set RawUsage=100 >/dev/null
	sacctmgr -i modify user where name=bob account=team set RawUsage=50 >/dev/null
	sacctmgr -i modify user where name=dot account=field set RawUsage=30 >/dev/null
}

# without_tree FLAG: fair-share of everyone when the site's own algorithm is another
under() {
	sed -i '/^PriorityFlags/d' "$SLURM_CONF"
	[[ ! $1 ]] || echo "PriorityFlags=$1" >>"$SLURM_CONF"
	sshare -anP -o account,user,effectvusage,fairshare
}

@test "sshare --algorithm: each pair of columns is what the site would show under it" {
	site
	tree
	local flag
	local -A flags=([fair-tree]='' [classic]=NO_FAIR_TREE [depth-oblivious]=DEPTH_OBLIVIOUS)
	for flag in fair-tree classic depth-oblivious; do
		under NO_FAIR_TREE >/dev/null
		capture sshare -anP -o account,user --algorithm="$flag"
		same "$flag" "$stdout" "$(under "${flags[$flag]}")"
	done
	under '' >/dev/null
	same 'all three' "$(sshare -anP -o user --algorithm=f,c,d -A field -U)" \
		"$(sshare -anP -U -A field -o user,effectvusage,fairshare)|$(under NO_FAIR_TREE |
			sed -n 's/^ *field|dot|//p')|$(under DEPTH_OBLIVIOUS |
			sed -n 's/^ *field|dot|//p')"
}

@test "sshare --algorithm: columns, doubles, machine output, bad names" {
	site
	tree
	prints 'Account|User|RawShares|RawUsage|ClassUsage|Classic|TreeUsage|FairTree' \
		bash -c 'sshare -P --algorithm=classic,fair-tree,CLASSIC | head -1'
	prints 'account,user,raw_shares,usage,depth_usage,depth_obliv' \
		bash -c 'sshare --csv --algorithm=depth | head -1'
	same json "$(sshare --json -U -u ann --algorithm=c,d |
		jq -c '[.shares.shares[] | select(.name == "ann")
			.fairshare.algorithms[].algorithm]')" \
		'["classic","depth_oblivious"]'
	refuses "unknown algorithm 'best'; expected fair-tree, classic or depth-oblivious" \
		sshare --algorithm=best
	refuses 'name one or more of' sshare --algorithm=,
	prints "$(sshare -a)" sshare --al
}

@test "sshare --explain: the levels, the order, the result, the changes" {
	site
	tree
	prints 'dot in account field: fair-share 0.800000
1 of the 5 users have a higher one; 1 is first in line.

Fair Tree decides from the top down. On every level those go first who used
least of what they were promised, and all below them go before all below the
next. LevelFS is promised / used: above 1 has had less than promised, below 1
more.

  level  shares  promised      used   LevelFS   place
  field  1 of 5   20.00 %   16.67 %  1.200000  2 of 3
   dot   1 of 1  100.00 %  100.00 %  1.000000  1 of 1

Who goes first (LevelFS behind the name):
  below root: root unused, [field 1.200000], lab 0.720000
  below field: [dot 1.000000]

Fair-share = place from the end / number of users = 4 / 5 = 0.800000

What one change would make of it, all else as it is:
  half the usage of dot                  0.800000  +0.000000
  2 shares instead of 1 for dot          0.800000  +0.000000
  half the usage of field and all below  0.800000  +0.000000
  2 shares instead of 1 for field        0.800000  +0.000000
None of these alone raises it.
Usage does not decay (PriorityDecayHalfLife=0).' sshare --explain -u dot
	capture sshare --explain -A lab,team
	same users "$(grep -c ': fair-share' <<<"$stdout")" 3
	same best "$(sshare --explain -u ann | grep 'helps most')" \
		'  half the usage of lab and all below  0.800000  +0.200000  <- helps most'
}

@test "sshare --explain: the change it recommends does what it says" {
	site
	tree
	local said
	said=$(sshare --explain -u ann --json | jq -r '.explanations[0].changes[]
		| select(.fairshare == .8 and .shares)
		| "\(.change) \(.name) \(.shares) \(.fairshare)"')
	same said "$said" 'shares lab 6 0.8'
	sacctmgr -iQ modify account lab set fairshare=6 >/dev/null
	prints 'ann|0.800000' sshare -UPn -u ann -o user,fairshare
}

@test "sshare --explain: the formulas of the other algorithms" {
	site PriorityFlags=NO_FAIR_TREE FairShareDampeningFactor=3
	tree
	capture sshare --explain -u dot
	[[ $stdout == *'= 2^-(0.166667 / 0.200000 / 3)'*"= $(sshare -UPn -u dot -o fairshare)"* ]]
	sed -i s/NO_FAIR_TREE/DEPTH_OBLIVIOUS/ "$SLURM_CONF"
	capture sshare --explain -u bob
	[[ $stdout == *' Rp '*' rl '*"= $(sshare -UPn -u bob -o fairshare)"* ]]
}

@test "sshare --explain: nobody, machine output, private usage" {
	site PrivateData=usage
	tree
	refuses 'No association of cat,nix in account lab' sshare --explain -u cat,nix -A lab
	same json "$(sshare --explain -a --json | jq -c '.explanations | map(.user)')" \
		'["root","dot","ann","bob","cat"]'
	same order "$(sshare --explain -u dot --json | jq -c '.explanations[0].levels[0].order |
		map([.name, .level_fs.infinite, (.level_fs.number * 100 | round)])')" \
		'[["root",true,0],["field",false,120],["lab",false,72]]'
	prints "$(as dot sshare --explain)" \
		bash -c 'runuser -u dot -- sshare --explain --json | jq -r ".explanations[].text"'
	same "what is private" "$(as dot sshare --explain --json |
		jq -c '.explanations[0].levels[0].order | map(has("level_fs"))')" \
		'[false,true,false]'
	capture as dot sshare --explain
	same status "$status" 0
	[[ $stdout == *'below root: (private), [field 1.200000], (private)'* && $stdout != *lab* ]]
}

@test "sshare --at: a time that is none" {
	site
	refuses 'sshare: error: --at: Invalid time specification (pos=0): soon' sshare --at=soon
	refuses 'Invalid time specification' sshare --at=
}

# history: a job of two hours that ended an hour ago, one that runs with a limit of two hours
history() {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	srecord job user=ann account=lab cpus=4 partition=debug submit=now-3hours \
		start=now-3hours end=now-1hour state=COMPLETED nodelist=vm >/dev/null
	srecord job user=bob account=lab cpus=1 partition=debug submit=now-1hour timelimit=120 \
		start=now-1hour nodelist=vm >/dev/null
}

# used TIME: usage of ann and bob in whole minutes
used() {
	sshare -anPU -A lab -o rawusage --at="$1" | awk '{ printf "%d ", $1 / 60 + 0.5 }'
}

@test "sshare --at: the past from the job records, the future until the limits" {
	site
	history
	same 'four hours ago' "$(used now-4hours)" '0 0 '
	same 'two hours ago' "$(used now-2hours)" '240 0 '
	same 'half an hour ago' "$(used now-30minutes)" '480 30 '
	same now "$(used now)" '480 60 '
	same 'in half an hour' "$(used now+30minutes)" '480 90 '
	same 'tomorrow' "$(used now+1day)" '480 120 '
	[[ $(sshare -UPn -u bob --at=now+30minutes -o tresrunmins) =~ ^cpu=(29|30), ]]
	# One time for both: that of a program that tries something for another.
	local -x BURSAR_STORE BURSAR_NOW
	BURSAR_STORE=$(store) BURSAR_NOW=$(date +%s)
	prints "$(sshare -alP)" sshare -alP --at=now
	unset BURSAR_STORE BURSAR_NOW
}

@test "sshare --at: half-lives on the way, of nothing, and far away" {
	site PriorityDecayHalfLife=1-0
	history
	local now later
	now=$(sshare -UPn -u ann -o rawusage) later=$(sshare -UPn -u ann -o rawusage --at=now+1day)
	((later * 2 - now < 4 && now - later * 2 < 4))
	local time
	for time in 1970-01-02 1969-01-01 9999-12-31 now+4000days; do
		capture sshare -al --at=$time
		same "status $time" "$status" 0
		[[ ! $stdout =~ nan|-[1-9] ]]
	done
	for life in 0:01 UNLIMITED 1; do
		sed -i "s/^PriorityDecayHalfLife=.*/PriorityDecayHalfLife=$life/" "$SLURM_CONF"
		capture sshare -al --at=now+1hour
		same "status $life" "$status" 0
		[[ ! $stdout =~ nan ]]
	done
}

@test "sshare --at: shares as they were" {
	local now before
	now=$(date +%s)
	before=$(date -d "@$((now + 50))" +%Y-%m-%dT%H:%M:%S)
	site
	export BURSAR_STORE BURSAR_NOW=$now
	BURSAR_STORE=$(store)
	tree
	export BURSAR_NOW=$((now + 100))
	sacctmgr -iQ modify account lab set fairshare=17 >/dev/null
	sacctmgr -iQ add user cat account=field >/dev/null
	sacctmgr -iQ delete user bob account=team >/dev/null
	prints 'lab|3
lab|2
team|1
team|1
team|1' bash -c "sshare -anP -o account,rawshares --at=$before -A lab,team | tr -d ' '"
	prints 'field|1
field|1' bash -c "sshare -anP -o account,rawshares --at=$before -A field | tr -d ' '"
	same 'nothing written' "$(sacctmgr -nP show assoc where account=lab user= format=share)" 17
}

# as_if WORDS...: account, user, shares and fair-share after the changes
as_if() {
	local options=() word
	for word; do options+=("--what-if=$word"); done
	sshare --csv -na -o account,user,rawshares,fairshare "${options[@]}" | cut -d, -f1,2,4,7
}

listed() {
	sshare --csv -na -o account,user,rawshares,fairshare
}

@test "sshare --what-if: what it shows is what happens then; nothing is written" {
	site
	tree
	local before said
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	before=$(sha256sum "$(store)")
	for words in 'modify account lab set fairshare=50' \
		'add user cat account=field fairshare=3' \
		"modify user where name='ann' set RawUsage=7 where account=lab" \
		'add account new parent=lab'; do
		said=$(as_if "$words")
		same 'the store' "$(sha256sum "$(store)")" "$before"
		eval "sacctmgr -iQ $words" >/dev/null
		same "$words" "$said" "$(listed)"
		before=$(sha256sum "$(store)")
	done
	same 'two at once' "$(as_if 'modify account lab set fairshare=9' \
		'modify user bob set fairshare=8')" \
		"$(sacctmgr -iQ modify account lab set fairshare=9 >/dev/null
			sacctmgr -iQ modify user bob set fairshare=8 >/dev/null; listed)"
	same 'left behind' "$(ls -A "$TMPDIR")" ''
}

@test "sshare --what-if: columns, rows that come and go, machine output" {
	site
	tree
	prints 'Account|User|RawShares|RawSharesIfSo|RawSharesDifference
field||1|4|+3
 field|dot|1|1|+0' sshare -P -o account,user,rawshares -A field -u dot \
		--what-if='modify account field set fairshare=4'
	prints 'field|dot|1||
field|new||1|' bash -c "sshare -PnU -a -o account,user,rawshares -A field \
		--what-if='delete user dot' --what-if='add user new account=field'"
	same json "$(sshare --json -U -u dot -A field \
		--what-if='modify account lab set fairshare=0' |
		jq -c '.what_if[] | select(.user == "dot").FairShare
			| map_values(.number * 1e6 | round)')" \
		'{"before":800000,"after":800000,"difference":0}'
}

@test "sshare --what-if: the policy, as if it had always been so" {
	site PriorityDecayHalfLife=1-0
	history
	local now
	now=$(sshare -UPn -u ann -o rawusage)
	capture sshare -UPn -u ann -o rawusage --what-if=PriorityDecayHalfLife=1:00:00
	[[ $stdout =~ ^[0-9]+\|([0-9]+)\|-[0-9]+$ ]]
	((BASH_REMATCH[1] * 2 < now))
	capture sshare -UPn -u ann -o fairshare --what-if=priorityflags=no_fair_tree
	sed -i '/^PriorityFlags/d' "$SLURM_CONF"
	echo PriorityFlags=NO_FAIR_TREE >>"$SLURM_CONF"
	same classic "$(cut -d'|' -f2 <<<"$stdout" | cut -c1-6)" \
		"$(sshare -UPn -u ann -o fairshare | cut -c1-6)"
}

@test "sshare --what-if: anybody may try, nobody learns more" {
	site PrivateData=usage
	tree
	chmod a+rX "$(dirname "$(store)")" "$(store)"
	capture as ann sshare -PnU -a -o user --what-if='modify account lab set fairshare=40'
	same rows "$stdout" ann
}

@test "sshare --what-if: what is no change" {
	site
	tree
	refuses "--what-if='dump canis': neither a change of sacctmgr" sshare --what-if='dump canis'
	refuses 'Invalid value for FairShare (x)' \
		sshare --what-if='modify account lab set fairshare=x'
	refuses "'PriorityFoo' is no keyword of the policy" sshare --what-if=PriorityFoo=1
	refuses 'Bad value "x" for PriorityDecayHalfLife' sshare --what-if=PriorityDecayHalfLife=x
	refuses 'a quote is open' sshare --what-if="modify account 'lab set fairshare=1"
	refuses 'neither a change' sshare --what-if=
	refuses 'must not lie in the past' sshare --at=now-1hour --what-if='delete account field'
}

@test "sshare --forecast: when a value is passed, if one runs nothing" {
	site PriorityDecayHalfLife=1-0 PriorityFlags=NO_FAIR_TREE
	tree
	local shown
	IFS='|' read -ra shown <<<"$(sshare -Pn -u ann --forecast=0.05,0.4,0.9)"
	echo "${shown[*]}"
	same row "${shown[*]:0:2} ${shown[3]} ${shown[5]}" 'lab ann now never'
	[[ ${shown[2]} == "$(sshare -UPn -u ann -o fairshare)" && ${shown[4]} == 2*T* ]]
	[[ ${shown[6]} > 0.4 && ${shown[6]} < 0.9 ]]
	refuses "'2' is no fair-share above 0 and up to 1" sshare --forecast=2
	refuses "'x' is no fair-share" sshare --forecast=0.5,x
	refuses 'exclude each other' sshare --forecast --explain
	same json "$(sshare --json --forecast=0.9 -u ann | jq -c '.forecasts[0].passes')" \
		'[{"value":0.9,"time":{"set":false,"infinite":true,"number":0}}]'
}

@test "sshare --forecast ends with the first start that is planned" {
	site 'NodeName=n1 CPUs=2 RealMemory=1000' 'PartitionName=p Nodes=n1 Default=YES'
	tree
	next() { sshare -Pn -u "$1" --forecast=0.5 | cut -d'|' -f6; }
	local now start
	now=$(date +%s)
	same nothing "$(next ann)" ''
	srecord job user=bob account=team cpus=2 time=60 start=uts$now nodelist=n1 >/dev/null
	srecord job user=ann account=lab cpus=2 time=60 >/dev/null
	srecord job user=ann account=lab cpus=1 time=60 >/dev/null
	srecord job user=cat account=team hold=user >/dev/null
	start=$(date -d @$((now + 3600)) +%FT%T)
	same ann "$(next ann)" "$start"
	same job "$(sshare --json --forecast -u ann |
		jq -c '.forecasts[0] | [.next_start, .next_job]')" \
		"[\"at $start\",2]"
	same cat "$(next cat)" unknown
}

@test "sshare --forecast as a plot and as a picture" {
	site PriorityDecayHalfLife=1-0 PriorityFlags=NO_FAIR_TREE
	tree
	export LC_ALL=C.UTF-8 BURSAR_STORE=$(store) BURSAR_NOW=$(date +%s)
	local best
	best=$(sshare -Pn -u ann --forecast=0.4 | cut -d'|' -f5)
	capture sshare --forecast=0.05,0.4,0.9 -u ann --plot
	same status "$status" 0
	[[ $stdout == "ann in lab: fair-share "*", at best $best; passes 0.05 now, 0.4 at "* ]]
	[[ $stdout == *', 0.9 never'* ]]
	[[ $stdout == *'█'*'└'* && $stdout != *'|'* ]]
	# What it comes to can be read where the table says when, give or take the second that
	# either is rounded to.
	local when told
	when=$(sshare -Pn -u ann --forecast=0.4 | cut -d'|' -f4)
	told=$(sed -n '1s/.*0\.4 at \([^,]*\),.*/\1/p' <<<"$stdout")
	((when = $(date -d "$when" +%s), told = $(date -d "$told" +%s)))
	((when - told <= 1 && told - when <= 1))
	capture sshare --forecast --plot user=ann end=now+1hour
	same 'an hour' "$(grep -c 'fair-share' <<<"$stdout")" 1
	capture sshare --forecast --plot -a
	same lines "$(grep -cE '^(ann|bob|cat|dot) in ' <<<"$stdout")" 4
	[[ $stdout != *└* ]]
	prints '' sshare --forecast --svg=pic.svg -a
	xmllint --noout pic.svg
	run ! grep -qi nan pic.svg
	grep -q 'ann in lab' pic.svg
	same json "$(sshare --forecast --svg=both.svg -u ann --json | jq '.forecasts | length')" 1
	cmp <(sshare --forecast --svg=- -u ann --at=now+1day) both.svg && return 1
	grep -q 'ann in lab' both.svg
	for mode in --forecast --history; do
		for best in --json --ndjson --plot; do
			capture sshare $mode --svg=- -a $best
			[[ $status == 1 && $stderr == *'name a file'* && $stdout != *'<svg'* ]]
		done
	done
	refuses 'it has no --start' sshare --forecast --start=now -a
	refuses 'with --plot or --svg alone' sshare --forecast --end=now+1day -a
	refuses '--end must lie after' sshare --forecast --plot --end=now-1day -a
	refuses '--history and --forecast' sshare --forecast --history -a || \
		refuses '--forecast and --history' sshare --forecast --history -a
	refuses 'No association of eve here' sshare --forecast --plot -u eve
	refuses 'cannot write' sshare --forecast --svg=/nowhere/pic.svg -a
}

@test "sshare --explain, --forecast, --history: words mean what options mean" {
	site
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	for mode in --explain --forecast '--history --csv --start=2026-01-01 --end=2026-01-02'; do
		same "$mode" "$(sshare $mode user=ann account=lab)" "$(sshare $mode -u ann -A lab)"
	done
	prints "$(sshare --history --csv -u ann --start=2026-01-01 --end=2026-01-02)" \
		sshare --history --csv user=ann start=2026-01-01 end=2026-01-02
	refuses 'Unrecognized word: strat=x' sshare --history strat=x
	refuses 'Unrecognized word: ann' sshare --explain ann
	refuses 'Invalid time specification' sshare --history start=x
	refuses 'Unrecognized word: ann' sshare ann
}

@test "sshare --history: table, machine output, plots" {
	site
	history
	capture sshare --history -u ann -P --start=now-4hours --end=now+2hours
	same head "$(head -1 <<<"$stdout")" \
		'Time|Account|User|Partition|RawUsage|EffectvUsage|FairShare'
	same first "$(sed -n 2p <<<"$stdout" | cut -d'|' -f2-5)" 'lab|ann||0'
	same last "$(tail -1 <<<"$stdout" | cut -d'|' -f2-5)" 'lab|ann||28800'
	same never 'less' "$(cut -d'|' -f5 <<<"$stdout" | sed 1d | sort -nc && echo less)"
	same json "$(sshare --history -u ann --json --start=now-4hours |
		jq '.history[-1].usage | round')" 28800
	export LC_ALL=C.UTF-8
	capture sshare --plot -u ann --start=now-4hours
	same status "$status" 0
	[[ $stdout == *'ann in lab: fair-share'*'█'*'└'*'usage, 28.8k billed seconds'* ]]
	[[ $stdout != *$'\033'* ]]
	sacctmgr -iQ add user cat account=lab >/dev/null
	capture sshare --plot -a --start=now-4hours
	[[ $stdout != *└* ]]
	sshare --svg=pic.svg -a --start=now-4hours
	xmllint --noout pic.svg
	run ! grep -qi nan pic.svg
	# Lines that are the same are both seen, and told when pointed at.
	grep -q 'stroke-width: 5' pic.svg
	grep -q '<title>ann in lab<' pic.svg
	# Of more than eight those who moved most; others where they are named.
	for user in a b c d e f g h i j k l m n o p q; do
		sacctmgr -iQ add user u$user account=lab >/dev/null
	done
	srecord job id=30 user=uq account=lab cpus=4 submit=now-5hours start=now-4hours end=now \
		nodelist=vm >/dev/null
	sshare --svg=pic.svg -a --start=now-4hours
	grep -q 'those who moved most' pic.svg
	same lines "$(grep -c '<path class="line' pic.svg)" 16
	grep -q '<title>uq in lab<' pic.svg
	run ! grep -q '<title>up in lab<' pic.svg
	sshare --svg=named.svg -u up,uq,uo,un,um,ul,uk,uj,ann --start=now-4hours
	grep -q '<title>up in lab<' named.svg
	# A user has one colour in all pictures, and at the line's end the name.
	local colour='s/.*class="line \(line[0-9]*\)".*<title>ann in.*/\1/p'
	same colour "$(sed -n "$colour" named.svg | sort -u)" \
		"$(sed -n "$colour" pic.svg | sort -u)"
	grep -q ' class="name part[0-9]*">uq in lab<' named.svg
	refuses '--start must lie before --end' sshare --history --start=now -a
	refuses 'No association of dot here' sshare --history -u dot
	refuses 'cannot write' sshare --svg=/nowhere/pic.svg -a
	refuses 'Invalid time specification' sshare --start=soon -a
}

@test "sshare --history: accounts have their usage, and a fair-share where there is one" {
	site
	history
	sacctmgr -iQ add account top >/dev/null
	sacctmgr -iQ modify account lab set parent=top >/dev/null
	local window='--start=now-4hours --end=now+2hours'
	capture sshare --history -A top,lab --csv $window
	same who "$(sed 1d <<<"$stdout" | cut -d, -f2,3 | uniq | xargs)" \
		'top, lab, lab,ann lab,bob'
	same factors "$(grep -c ',top,.*,$' <<<"$stdout")" "$(grep -c ,top, <<<"$stdout")"
	# At every moment the parent has what its children have.
	same sums "$(awk -F, 'NR > 1 && !$3 { all[$1 $2] = $5 } NR > 1 && $3 { sum[$1] += $5 }
		END { for (t in sum) {
			n++; d = all[t "lab"] - sum[t]; if (d < -2 || d > 2) bad++ }
		print (n > 5), bad + 0 }' <<<"$stdout")" '1 0'
	capture sshare --history -U -A lab --csv $window
	same users "$(cut -d, -f3 <<<"$stdout" | sort -u | xargs)" 'ann bob user'
	capture sshare --history -u ann -A lab --csv $window
	same chosen "$(cut -d, -f3 <<<"$stdout" | sort -u | xargs)" 'ann user'
	same json "$(sshare --history -A top --json | jq -c '.history[-1] |
		[.account, .user, (.usage / 100 | floor), has("fairshare")]')" \
		'["top","",324,false]'
	capture sshare --plot -A top
	[[ $stdout == 'account top: usage, 32.4k billed seconds'* && $stdout != *fair-share* ]]
	capture sshare --plot -a
	[[ $stdout == *'ann in lab '*'Usage ('*'account top '*' 32.4k'* ]]
	sshare --svg=pic.svg -A top
	xmllint --noout pic.svg
	run ! grep -qie nan -e fair-share pic.svg
	echo PriorityFlags=NO_FAIR_TREE >>"$SLURM_CONF"
	sed -i '/^PriorityFlags/{s/=.*/=NO_FAIR_TREE/}' "$SLURM_CONF"
	same classic "$(sshare --history -A top --csv | tail -1 | cut -d, -f7)" \
		"$(sshare -A top --json | jq '.shares.shares[] | select(.name == "top") |
			.fairshare.factor.number' | xargs printf %.6f)"
}

@test "sshare --explain: shares of the parent go first whatever was used" {
	site
	history
	sacctmgr -iQ modify user ann set fairshare=parent >/dev/null
	capture sshare --explain -u ann
	[[ $stdout == *' ann '*'parent'*' first '*'go first on their level'*'[ann first]'* ]]
	[[ $stdout != *'ann unused'* ]]
	sacctmgr -iQ add account top >/dev/null
	refuses 'No association of anybody in account top itself' \
		sshare --explain -A top
}

@test "manual pages: the examples of fairshare(7), sshare(1) and sprio(1)" {
	site
	local_users user1 user2 user3 user4 user5 user6
	examples fairshare.7
	examples sshare.1
	examples sprio.1
}

@test "manual pages: the examples of squeue(1)" {
	site
	local_users user1 user2 user3 user4 user5 user6
	examples fairshare.7
	examples squeue.1
}
