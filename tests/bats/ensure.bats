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
	[[ $(sacctmgr ensure user ann account=lab <<<n) == *'Changes Discarded' ]]
	same users "$(sacctmgr -nP show assoc where user=ann)" ''
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
