#!/usr/bin/env bats
# How far the rights of coordinators go, the order of events, members of federations: neighbours of
# the recordings, as as_mysql_assoc.c, assoc_mgr.c and federation_functions.c of Slurm have it.

load lib

setup() {
	fresh_cluster
	local_users amy
	sacctmgr -iQ add qos hi,lo >/dev/null
	sacctmgr -iQ add account a maxjobs=20 maxtres=cpu=64 qos=normal,lo >/dev/null
	sacctmgr -iQ add account b >/dev/null
	sacctmgr -iQ add account a1 parent=a maxjobs=10 grptres=cpu=8 >/dev/null
	sacctmgr -iQ add user amy account=a >/dev/null
	sacctmgr -iQ add user bob account=a,a1 >/dev/null
	sacctmgr -iQ add coordinator account=a names=amy >/dev/null
}

# may WORDS...: the coordinator's command is carried out. may_not WORDS...: it is refused, and
# nothing changes.
may() {
	capture as amy sacctmgr -i "$@"
	[ "$status" = 0 ] || { printf 'refused: %s\n%s\n' "$*" "$stderr"; return 1; }
}

may_not() {
	local before
	before=$(ask 'SELECT count(*) FROM txn')
	capture as amy sacctmgr -i "$@"
	[ "$status" = 1 ] || { printf 'carried out: %s\n%s\n' "$*" "$stdout"; return 1; }
	[[ $stderr == *"$reason"* ]] || { printf '%s\n' "$stderr"; return 1; }
	same "changes of $*" "$(ask 'SELECT count(*) FROM txn')" "$before"
}

@test "a coordinator gives out the QOS of the account, without signs" {
	local reason="Your user doesn't have privilege to perform this action"
	may modify user bob where account=a set qos=lo
	may modify user bob where account=a set qos=normal,lo
	may modify account a1 set qos=lo
	may add user cat account=a qos=lo
	may_not modify user bob where account=a set qos=hi
	may_not modify user bob where account=a set qos=lo,hi
	may_not modify user bob where account=a set qos+=lo
	may_not modify user bob where account=a set qos-=lo
	may_not modify user bob where account=a set qos=
	may_not modify user bob where account=a set qos=hi maxjobs=1
	may_not modify account a1 set qos=hi
	may_not add user dan account=a qos=hi
	may_not add user dan account=a,a1 qos=normal
	may_not add account a2 parent=a qos=lo
	may add account a2 parent=a
}

@test "coordinators are made and unmade by those of the account" {
	local reason=
	sacctmgr -iQ add coordinator account=b names=bob >/dev/null
	may add coordinator account=a names=bob
	may delete coordinator account=a names=bob
	may_not add coordinator account=b names=amy
	may_not add coordinator account=a,b names=bob
	may_not delete coordinator account=b names=bob
	may_not delete coordinator names=bob
	same coordinators "$(sacctmgr -nP show account b withcoord format=account,coord)" 'b|bob'
}

@test "a coordinator's own account gives what it has on that cluster" {
	local reason="Your user doesn't have privilege to perform this action"
	sacctmgr -iQ add cluster draco >/dev/null
	sacctmgr -iQ add account a cluster=draco qos=hi >/dev/null
	sacctmgr -iQ add user bob account=a cluster=draco >/dev/null
	may modify user bob where account=a cluster=draco set qos=hi
	may_not modify user bob where account=a set qos=hi
}

@test "limits: a coordinator lifts none above what it is now" {
	local reason='Coordinators can not increase job limits beyond the parent ones'
	may_not modify account a1 set maxjobs=15
	may_not modify account a1 set maxjobs=-1
	may modify account a1 set maxjobs=9
	may_not modify account a1 set maxjobs=10
	may_not modify account a1 set grptres=cpu=9
	may_not modify account a1 set grptres=cpu+=1
	may modify account a1 set grptres=cpu-=1
	may modify account a1 set grptres=cpu=-1
	may modify account a1 set grptres=cpu=9
	may modify account a1 set grptresmins=cpu=1000
	may_not modify account a1 set maxtres=cpu=65
	may modify account a1 set maxtres=cpu=8
	may_not modify account a1 set maxtres=cpu=9
	may_not modify account a1 set maxtres=cpu=-1
	may modify account a1 set maxtres=node=3
	may_not modify user bob where account=a set maxjobs=21
	may_not modify user bob where account=a set priority=3 maxjobs=21
	may modify user bob where account=a set priority=3
	may_not modify user bob where account=a set priority=4
	may modify user bob where account=a set fairshare=1000
}

@test "events: by node and start; open ones began in the period; without words of all clusters" {
	srecord cluster start=2026-01-01T00:00:00 nodes='n[1-2]' tres=cpu=8,mem=8G,node=2 >/dev/null
	srecord node node=n2 state=down reason=a tres=cpu=4 \
		start=2026-01-02T00:00:00 end=2026-01-03T00:00:00 >/dev/null
	srecord node node=n1 state=down reason=b start=2026-01-04T00:00:00 tres=cpu=4 >/dev/null
	srecord node node=n1 state=drain reason=c tres=cpu=4 \
		start=2026-01-02T00:00:00 end=2026-01-02T01:00:00 >/dev/null
	prints $'|\nn1|c\nn1|b\nn2|a' bash -c \
		"sacctmgr -nP show event all_time format=nodename,reason | sed 's/Cluster Reg.*//'"
	prints 'n1|b' sacctmgr -nP show event condflags=open start=2026-01-02 end=2026-01-03 \
		event=node format=nodename,reason
	prints '' sacctmgr -nP show event condflags=open start=2026-01-05 format=nodename
	prints $'\nn1' sacctmgr -nP show event condflags=open all_time format=nodename
	sacctmgr -iQ add cluster draco >/dev/null
	srecord cluster cluster=draco start=2026-01-01T00:00:00 nodes=d1 tres=cpu=8 >/dev/null
	same 'all clusters' "$(sacctmgr -nP show event | cut -d'|' -f1 | sort -u)" $'canis\ndraco'
	same 'this one' "$(sacctmgr -nP show event all_time | cut -d'|' -f1 | sort -u)" canis
}

@test "federations: signs of members, not mixed; 63 of them" {
	local i list=
	sacctmgr -iQ add cluster c1,c2,c3 >/dev/null
	sacctmgr -iQ add federation f clusters=c1 >/dev/null
	prints $' Setting\n  Cluster      += c2\n  Cluster      -= c1
 Modified federation...\n  f' \
		sacctmgr -i modify federation f set clusters=+c2,-c1
	prints 'c2' sacctmgr -nP show federation f format=cluster
	refuses "You can't use '=' and '+' or '-' in the same line" \
		sacctmgr -i modify federation f set clusters=c1,+c3
	refuses "You didn't specify any clusters to add" \
		sacctmgr -i modify federation f set clusters+=
	refuses "You didn't specify any clusters to remove" \
		sacctmgr -i modify federation f set clusters-=
	sacctmgr -iQ modify federation f set clusters+=c3,-c2 >/dev/null
	prints 'c3' sacctmgr -nP show federation f format=cluster
	prints $' Setting\n  Feature     += x
  Feature     -= y\n Modified cluster...\n  c3' \
		sacctmgr -i modify cluster c3 set features=+x,-y
	prints 'x' sacctmgr -nP show cluster c3 format=features
	refuses "You can't use '=' and '+' or '-' in the same line" \
		sacctmgr -i modify cluster c3 set features=a,-b
	for ((i = 1; i <= 63; i++)); do list+=${list:+,}k$i; done
	sacctmgr -iQ add cluster "$list" >/dev/null
	capture sacctmgr -i modify federation f set clusters+="$list"
	same message "$stderr" ' Error with request: Too many clusters in federation'
	prints 'c3' sacctmgr -nP show federation f format=cluster
	sacctmgr -iQ modify federation f set clusters="$list" >/dev/null
	prints 63 bash -c 'sacctmgr -nP show federation f | wc -l'
	capture sacctmgr -i add cluster more federation=f
	same message "$stderr" ' Problem adding clusters: Too many clusters in federation'
	prints '' sacctmgr -nP show cluster more
	capture sacctmgr -i modify cluster c1 set federation=f
	same message "$stderr" ' Error with request: Too many clusters in federation'
	list=$(seq -s, -f l%g 64)
	sacctmgr -iQ add cluster "$list" >/dev/null
	capture sacctmgr -i add federation g clusters="$list"
	same message "$stderr" ' Problem adding federation(s): Too many clusters in federation'
	prints f sacctmgr -nP show federation format=federation
}

@test "federations: with -P a delimiter ends the rows after the first" {
	sacctmgr -iQ add cluster c1,c2 >/dev/null
	sacctmgr -iQ add federation f clusters=c1,c2 >/dev/null
	prints $'f|c1\nf|c2|' sacctmgr -nP show federation format=federation,cluster
	prints $'f|\n|c1|\n|c2|' sacctmgr -nP show federation tree format=federation,cluster
	prints $'f|c1|\nf|c2|' sacctmgr -np show federation format=federation,cluster
}

@test "transactions: what was changed of an account's and a user's associations" {
	sacctmgr -iQ modify user bob where account=a1 set maxjobs=2 >/dev/null
	sacctmgr -iQ modify account b set maxjobs=3 >/dev/null
	prints $'Add Users|bob\nAdd Associations|id_assoc=7\nAdd Associations|id_assoc=8
Modify Associations|(id_assoc=8)' \
		sacctmgr -nP show txn user=bob format=action,where
	prints 'Modify Associations|max_jobs=3' bash -c \
		'sacctmgr -nP show txn account=b format=action,info | grep Modify'
	# As in Slurm, conditions of time do not hold for what is found by number.
	prints 'Modify Associations' sacctmgr -nP show txn user=bob start=2030-01-01 format=action
}

@test "load: a file of QOS alone adds nothing to the cluster, but is kept" {
	printf 'QOS - q1:Priority=5\nCluster - canis\n' >q.cfg
	capture sacctmgr -i load q.cfg
	[[ $stdout == *$'For cluster canis\n Nothing new added.' && $stderr == '' ]]
	[[ $stdout != *00:00:00* && $stdout != *1.000000* ]]
	prints 'q1|5|00:00:00|1.000000' \
		sacctmgr -nP show qos q1 format=name,priority,gracetime,usagefactor
}

@test "json: QOS in the order they were given; the command as it was typed" {
	sacctmgr -iQ modify user bob where account=a set qos=normal,hi >/dev/null
	prints '["normal","hi"]' bash -c "sacctmgr --json show assoc user=bob account=a |
		jq -c '.associations[0].qos'"
	prints '["show","qos","--json"]' bash -c \
		"sacctmgr show qos --json | jq -c '.meta.command[1:]'"
}

@test "a session: nothing to repeat is an error, as no words are" {
	run sacctmgr <<<$'!!\nexit'
	((status == 1))
	run sreport <<<$'!!\nexit'
	((status == 1))
	[[ $output == $'sreport: !!\nsreport: exit' ]]
	run sreport <<<$'# nothing\nexit'
	((status == 1))
}
