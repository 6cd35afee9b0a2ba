#!/usr/bin/env bats
# `sacctmgr ensure` and `absent`: make it so, and say whether anything changed (beyond Slurm).

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
	report=$(sacctmgr add "${words[@]:1}" <<<n | sed '/^Would/,$d')
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
	before=$(ask .dump)
	capture sacctmgr -i ensure user ann account=none
	same status "$status" 1
	[[ $stderr == *'It could not be added'* ]]
	refuses 'Only an account, a QOS or a user' sacctmgr -i ensure cluster canis
	refuses 'readonly mode' sacctmgr -r -i ensure user ann account=lab
	refuses 'Need a name' sacctmgr -i ensure user account=lab
	capture sacctmgr -i ensure user ann account=lab nonsense=3
	same status "$status" 1
	same 'the store' "$(ask .dump)" "$before"
}

@test "ensure: each that is named is looked for by itself" {
	# Rows for partitions, or on another cluster, stand for nobody else.
	sacctmgr -iQ add user ann account=lab partition=p,q >/dev/null
	twice ensure user ann,bob account=lab
	prints unchanged sacctmgr -i ensure user ann,ann bob ann account=lab,lab
	sacctmgr -iQ add cluster felis >/dev/null
	sacctmgr -iQ add account lab,law cluster=felis >/dev/null
	twice ensure account lab,sub
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
	prints 'lab|other|Operator' \
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
		user ann,bob account=lab fairshare=3 defaultaccount=none|It could not be added
		account lab parent=none|Parent account none doesn't exist on cluster canis
		account lab fairshare=3 parent=sub|Requested parent account sub is a child of lab
	END
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
