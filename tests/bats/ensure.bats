#!/usr/bin/env bats
# `sacctmgr ensure` and `absent`: make it so, and say whether anything changed (beyond Slurm).
# `ensure` tells differences as `apply` does.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
}

# twice WORDS...: changed, then unchanged, with the state as it is and nothing more in the log.
twice() {
	capture sacctmgr -i "$@"
	same "messages of $*" "$stderr" ''
	same "status of $*" "$status" 0
	same "last line of $*" "$(tail -n 1 <<<"$stdout")" changed
	before=$(ask .dump)
	prints unchanged sacctmgr -i "$@"
	same 'the store' "$(ask .dump)" "$before"
}

@test "ensure adds what is not there, sets what differs, and else does nothing" {
	twice ensure account phys fairshare=3
	twice ensure user ann account=lab fairshare=4 maxjobs=2
	twice ensure user ann account=lab fairshare=5
	twice ensure user ann,bob account=lab,phys fairshare=5
	prints unchanged sacctmgr -i ensure user bob account=lab
	twice ensure qos fast priority=7
	twice ensure qos fast priority=8
	twice ensure user ann account=lab qos=fast,normal
	same shares "$(sacctmgr -nP show assoc where user=ann account=lab \
		format=fairshare,maxjobs,qos)" '5|2|fast,normal'
}

@test "absent deletes what is there, and else does nothing" {
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -iQ add qos fast >/dev/null
	twice absent user ann
	twice absent qos fast
	twice absent account lab
	prints unchanged sacctmgr -i absent user nobody
}

@test "ensure says changed as JSON and YAML, and asks without -i" {
	prints '{"changed": true}' sacctmgr -i --json ensure user ann account=lab
	prints '{"changed": false}' sacctmgr -i --json ensure user ann account=lab
	prints 'changed: true' sacctmgr -i --yaml absent user ann
}

# asked STATUS ANSWER WORD...: as a person is asked, or a program that reads JSON; no answer at all:
# late.
asked() {
	local wanted=$1 answer=$2 hold
	shift 2
	status=0
	if [[ $answer == late ]]; then
		mkfifo answers
		exec {hold}<>answers
		BURSAR_ANSWER_MS=5 sacctmgr "$@" <answers >out 2>err || status=$?
		exec {hold}>&-
		rm answers
	else
		sacctmgr "$@" <<<"$answer" >out 2>err || status=$?
	fi
	stdout=$(<out) stderr=$(<err)
	same "status after $answer" "$status" "$wanted"
}

@test "ensure asks first, and says changed when it is" {
	question='Would you like to commit changes? (You have 30 seconds to decide)'
	words=(ensure user ann account=lab until=2030-01-01)
	report="--- cluster canis
+++ ${words[*]}
@@ add user ann in lab @@
@@ user ann @@
+DefaultAccount: lab
  Until         = 2030-01-01T00:00:00"
	users='SELECT user FROM assoc WHERE user = "ann" AND NOT deleted'
	for answer in n late; do
		typed='' && [[ $answer == n ]] || typed=timeout
		asked 1 $answer "${words[@]}"
		same output "$stdout" "$report
$question
(N/y): $typed
 Changes Discarded"
		same messages "$stderr" ''
		asked 1 $answer --json "${words[@]}"
		same document "$stdout" ''
		same messages "$stderr" "$report
$question
(N/y): $typed
 Changes Discarded"
		same users "$(ask "$users")" ''
	done
	asked 0 y "${words[@]}"
	typed=
	same output "$stdout" "$report
$question
(N/y): $typed
changed"
	same users "$(ask "$users")" ann
	prints unchanged sacctmgr "${words[@]}"
	asked 1 n absent user ann
	[[ $stdout == *' Changes Discarded' ]]
	asked 0 y --json absent user ann
	same document "$stdout" '{"changed": true}'
	[[ $stderr == *ann*"$question"* ]]
	asked 0 y --yaml "${words[@]}"
	same document "$stdout" 'changed: true'
	prints 'changed: false' sacctmgr --yaml "${words[@]}"
}

@test "ensure of what cannot be is an error, and nothing is done" {
	sacctmgr -iQ add qos fast >/dev/null
	before=$(ask .dump)
	capture sacctmgr -i ensure user ann account=none
	same status "$status" 1
	same messages "$stderr" ' No account none on cluster canis'
	refuses 'There is no cluster cans' \
		sacctmgr -i ensure user ann account=lab cluster=cans
	refuses 'ensure does not take RawUsage' sacctmgr -i ensure account lab rawusage=0
	refuses 'DefaultAccount cannot be set until a time' \
		sacctmgr -i ensure user ann defaultaccount=lab until=2030-01-01
	refuses "associations don't have access to their default qos" \
		sacctmgr -i ensure account lab defaultqos=fast
	refuses 'QOS Preemption loop detected' sacctmgr -i ensure qos fast preempt=fast
	same 'how often' "$(grep -c loop <<<"$stderr")" 1
	refuses 'takes an account, a QOS or a user' sacctmgr -i ensure cluster canis
	refuses 'readonly mode' sacctmgr -r -i ensure user ann account=lab
	refuses 'Need the name' sacctmgr -i ensure user account=lab
	refuses 'Unknown option: nonsense=3' sacctmgr -i ensure user ann account=lab nonsense=3
	same 'the store' "$(ask .dump)" "$before"
}

@test "ensure: each that is named is looked for by itself" {
	# Rows for partitions, or on another cluster, stand for nobody else.
	sacctmgr -iQ add user ann account=lab partition=p,q >/dev/null
	twice ensure user ann,bob account=lab
	twice ensure user ann account=lab partition=p maxjobs=4
	prints $'p|4\nq|' sacctmgr -nP show assoc where user=ann format=partition,maxjobs
	prints unchanged sacctmgr -i ensure user ann,ann bob ann account=lab,lab
	sacctmgr -iQ add cluster felis >/dev/null
	sacctmgr -iQ add account lab,law cluster=felis >/dev/null
	refuses 'No account sub on cluster canis' \
		sacctmgr -i ensure user ann account=lab,sub cluster=canis,felis
	twice ensure account lab,sub
	sacctmgr -iQ add account here cluster=canis >/dev/null
	refuses 'No account here on cluster felis' \
		sacctmgr -i ensure user ann account=here cluster=canis,felis
	twice ensure user ann account=lab cluster=canis,felis
	twice ensure user ann,bob account=law
	prints $'ann\nbob' sacctmgr -nP show assoc where account=law user=ann,bob format=user
}

@test "ensure: defaults and wckeys of users who are there" {
	sacctmgr -iQ add account law >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	twice ensure user ann account=lab wckey=key fairshare=4
	twice ensure user ann wckey=key defaultwckey=other
	twice ensure user bob wckey=key
	twice ensure user ann defaultaccount=law
	# The share is of the account that is named, the default account is the user's.
	twice ensure user ann account=lab fairshare=6 defaultaccount=lab adminlevel=operator
	prints $'lab|6\nlaw|1' sacctmgr -nP show assoc where user=ann format=account,share
	twice ensure user ann account=lab fairshare=7 defaultaccount=law
	prints $'lab|7\nlaw|1' sacctmgr -nP show assoc where user=ann format=account,share
	prints 'law|other|Operator' \
		sacctmgr -nP show user ann format=defaultaccount,defaultwckey,adminlevel
}

@test "ensure: a default where the account is" {
	sacctmgr -iQ add cluster felis >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -iQ add account law cluster=felis >/dev/null
	sacctmgr -iQ add user ann account=law >/dev/null
	sacctmgr -iQ add account sub cluster=felis >/dev/null
	twice ensure user ann,bob account=sub defaultaccount=sub defaultwckey=key
	prints $'lab|ann|canis\nsub|ann|felis\nsub|bob|felis' sacctmgr -nP show assoc \
		onlydefaults user=ann,bob format=account,user,cluster
}

@test "ensure: a default or a parent that cannot be is an error that is told" {
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -iQ add account sub parent=lab >/dev/null
	before=$(ask .dump)
	while IFS='|' read -r words why; do
		capture sacctmgr -i ensure $words
		same "status of $words" "$status" 1
		[[ $stdout$stderr == *"$why"* ]] || same "why not $words" "$stdout$stderr" "$why"
		same 'the store' "$(ask .dump)" "$before"
	done <<-'END'
		user ann account=lab defaultaccount=none|No account none on cluster canis
		user ann,bob account=lab fairshare=3 defaultaccount=none|No account none on cluster
		account lab parent=none|Account lab can't be below none: there is no such account
		account lab fairshare=3 parent=sub|Account lab can't be below sub, which is below it
		account new parent=none|there is no account none on canis
	END
}

@test "ensure: lists, amounts and flags as modify sets them" {
	sacctmgr -iQ add qos fast,slow >/dev/null
	twice ensure user ann account=lab qos+=fast grptres=cpu=5
	twice ensure user ann account=lab qos+=slow qos-=fast grptres=mem=10
	prints '+slow,-fast,normal|cpu=5,mem=10M' \
		sacctmgr -nP show assoc where user=ann withrawqoslevel format=qos,grptres
	twice ensure user ann account=lab qos=fast,slow grptres=cpu=-1
	twice ensure user ann account=lab qos-=slow
	prints 'fast|mem=10M' sacctmgr -nP show assoc where user=ann format=qos,grptres
	twice ensure qos fast flags=DenyOnLimit,NoReserve preempt=slow
	twice ensure qos fast flags-=NoReserve preempt+=normal
	twice ensure qos fast flags+=NoDecay preempt-=slow
	prints 'DenyOnLimit,NoDecay|normal' sacctmgr -nP show qos fast format=flags,preempt
	twice ensure account lab flags=UsersAreCoords
	twice ensure account lab flags=NoUsersAreCoords description=Lab organization=it
	prints unchanged sacctmgr -i ensure account lab description=LAB fairshare=1 maxjobs=-1
}

@test "ensure: an account moves, and what else is said is set" {
	twice ensure account law
	twice ensure account law parent=lab fairshare=3
	twice ensure account law parent=lab fairshare=4
	prints 'lab|4' sacctmgr -nP show assoc where account=law format=parentname,fairshare
	sacctmgr -iQ add cluster felis >/dev/null
	prints unchanged sacctmgr -i ensure account law
	twice ensure account new
	prints $'canis\nfelis' sacctmgr -nP show assoc where account=new format=cluster
	twice ensure account law cluster=canis,felis description=d
	prints $'canis|lab\nfelis|root' sacctmgr -nP show assoc where account=law \
		format=cluster,parentname
}

@test "ensure: what it makes, diff of the same file finds made" {
	sacctmgr -i ensure qos fast priority=3 >/dev/null
	sacctmgr -i ensure account law parent=lab fairshare=parent maxwall=60 >/dev/null
	sacctmgr -i ensure user ann,bob account=law,lab maxjobs=3 wckey=key \
		defaultaccount=law >/dev/null
	sacctmgr -Q dump canis file=canis.yaml format=yaml >/dev/null
	rm "$(store)"*
	cluster_store
	sacctmgr -i apply canis.yaml >/dev/null
	prints unchanged sacctmgr -i ensure user ann,bob account=law,lab maxjobs=3 wckey=key \
		defaultaccount=law defaultwckey=key
	prints unchanged sacctmgr -i ensure account law parent=lab fairshare=parent maxwall=60
	prints '' sacctmgr diff canis.yaml prune
}

@test "ensure: who may not set it is told" {
	sacctmgr -iQ add user bob account=lab >/dev/null
	refuses 'privilege' as bob sacctmgr -i ensure user bob account=lab fairshare=9
	prints unchanged as bob sacctmgr -i ensure qos normal priority=0
}

@test "ensure: a coordinator may do it in the own accounts, anybody what is so already" {
	sacctmgr -iQ add account law >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -iQ add coordinator ann account=lab >/dev/null
	for share in 3 4; do
		capture as ann sacctmgr -i ensure user bob account=lab fairshare=$share
		same "share $share" "$(tail -n 1 <<<"$stdout")" changed
	done
	prints unchanged as bob sacctmgr -i ensure user bob account=lab
	before=$(ask .dump)
	for words in 'user bob account=law' 'user ann account=lab adminlevel=operator' \
		'account new' 'account lab fairshare=9' 'qos new'; do
		capture as ann sacctmgr -i ensure $words
		same "status of $words" "$status" 1
		[[ $stdout$stderr == *denied* || $stdout$stderr == *privilege* ]]
		same 'the store' "$(ask .dump)" "$before"
	done
}
