#!/usr/bin/env bats
# Names of users and resources with their case kept; which rows of a user are the default. What is
# said of defaults follows as_mysql_assoc.c of Slurm 26.05.3: `modify` marks every row of the
# account, `add` the first one it inserts.

load lib

setup() {
	fresh_cluster
	sacctmgr -iQ add account lab,mill >out
}

# dbd LINE...: over slurmdbd.conf.
dbd() {
	printf '%s\n' "$@" >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
}

defaults() {
	sacctmgr -nP show assoc onlydefaults "user=$1" format=account,partition,user
}

# ---- case ---------------------------------------------------------------------------------------

@test "case: names of users and resources become lower case" {
	sacctmgr -i add user Ann account=lab >out
	sacctmgr -i add resource Matlab count=3 >out
	prints 'ann|lab' sacctmgr -nP show user ANN format=user,defaultaccount
	prints matlab sacctmgr -nP show resource MATLAB format=name
}

@test "PreserveCaseUser: users keep it, however they are looked up" {
	dbd Parameters=PreserveCaseUser
	sacctmgr -i add user Ann account=LAB >out
	sacctmgr -i add resource Matlab count=3 >out
	prints 'Ann|lab' sacctmgr -nP show user ann format=user,defaultaccount
	prints 'matlab' sacctmgr -nP show resource format=name
	prints 'lab|Ann' sacctmgr -nP show assoc user=ANN format=account,user
	capture sacctmgr -i add user aNN account=lab
	same status "$status" 1
	sacctmgr -i add user aNN account=mill >out
	prints $'lab|Ann\nmill|Ann' sacctmgr -nP show assoc user=ann format=account,user
	sacctmgr -i modify user ANN set maxjobs=3 >out
	prints $'3\n3' sacctmgr -nP show assoc user=ann format=maxjobs
	prints $'lab|Ann\nmill|Ann' sshare -hnPU -u ann -o account,user
}

@test "PreserveCaseUser: a new name, another spelling" {
	dbd Parameters=PreserveCaseUser
	sacctmgr -i add user ann,bob account=lab >out
	sacctmgr -i modify user ann set newname=Ann >out
	sacctmgr -i modify user bob set newname=Bob2 >out
	prints $'Ann\nBob2' sacctmgr -nP show user ann,bob2 format=user
	capture sacctmgr -i modify user Bob2 set newname=ANN
	same status "$status" 1
	prints $'Ann\nBob2' sacctmgr -nP show user ann,bob2 format=user
}

@test "PreserveCaseUser: dump and load" {
	dbd Parameters=PreserveCaseUser
	sacctmgr -i add user Ann account=lab wckeys=key >out
	sacctmgr -Q dump canis file=canis.cfg
	grep -q "^User - 'Ann'" canis.cfg
	capture sacctmgr -i load canis.cfg
	same output "${stdout##*$'\n'}" ' Nothing new added.'
	sed -i "s/'Ann'/'ANN'/" canis.cfg
	capture sacctmgr -i load canis.cfg
	same output "${stdout##*$'\n'}" ' Nothing new added.'
	sacctmgr -i delete user ann >out
	sacctmgr -i load canis.cfg >out 2>&1
	prints ANN sacctmgr -nP show user ann format=user
}

@test "PreserveCaseResource: resources keep it, however they are looked up" {
	dbd Parameters=PreserveCaseResource
	sacctmgr -i add user Ann account=lab >out
	sacctmgr -i add resource Matlab count=3 server=Flex >out
	prints ann sacctmgr -nP show user ann format=user
	prints Matlab sacctmgr -nP show resource matlab format=name
	capture sacctmgr -i add resource matlab count=3 server=flex
	same output "$stdout" ' Nothing new added.'
	sacctmgr -i modify resource MATLAB set count=5 >out
	prints 'Matlab|5' sacctmgr -nP show resource format=name,count
	sacctmgr -i delete resource matlab >out
	prints '' sacctmgr -nP show resource
}

# ---- the default account ------------------------------------------------------------------------

@test "default: the first of the rows that an add makes" {
	sacctmgr -i add user ann account=lab,mill partition=p1,p2 >out
	prints 'lab|p1|ann' defaults ann
	sacctmgr -i add user bob account=lab,mill partition=p1,p2 defaultaccount=mill >out
	prints 'mill|p1|bob' defaults bob
	sacctmgr -i add user cas,dee account=lab partition=p1,p2 defaultaccount=lab >out
	prints $'lab|p1|cas' defaults cas
	prints $'lab|p1|dee' defaults dee
}

@test "default: every row of the account that a modify names, partitions or not" {
	sacctmgr -i add user ann account=lab,mill partition=p1,p2 >out
	sacctmgr -i modify user ann set defaultaccount=mill >out
	prints $'mill|p1|ann\nmill|p2|ann' defaults ann
	prints mill sacctmgr -nP show user ann format=defaultaccount
	sacctmgr -i add user ann account=lab >out
	sacctmgr -i modify user ann set defaultaccount=lab >out
	prints $'lab||ann\nlab|p1|ann\nlab|p2|ann' defaults ann
}

@test "default: one of several default rows may go, the last not" {
	sacctmgr -i add user ann account=lab,mill partition=p1,p2 >out
	sacctmgr -i modify user ann set defaultaccount=lab >out
	sacctmgr -i delete user ann account=lab partition=p1 >out
	prints 'lab|p2|ann' defaults ann
	capture sacctmgr -i delete user ann account=lab partition=p2
	same status "$status" 1
	[[ $stderr == *'  C = canis           A = lab        U = ann       P = p2'* ]]
	prints 'lab|p2|ann' defaults ann
}

@test "AllowNoDefAcct: the default account can be cleared, and deleted" {
	sacctmgr -i add user ann account=lab,mill >out
	capture sacctmgr -i modify user ann set defaultaccount=
	same status "$status" 1
	dbd AllowNoDefAcct=yes
	sacctmgr -i modify user ann set defaultaccount= >out
	prints '' sacctmgr -nP show user ann format=defaultaccount
	sacctmgr -i modify user ann set defaultaccount=lab >out
	sacctmgr -i delete user ann account=lab >out
	prints mill sacctmgr -nP show assoc user=ann format=account
}

# ---- load ---------------------------------------------------------------------------------------

without='has no association with the default account mill on cluster canis:'

# of LINE...: the file of cluster canis with these lines in account lab.
of() {
	printf '%s\n' "Cluster - 'canis'" "Parent - 'root'" "Account - 'lab'" "Account - 'mill'" \
		"Parent - 'lab'" "$@" >file.cfg
}

@test "user root is deleted: a new cluster makes it again, and a load takes both" {
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -Q dump canis file=canis.cfg >/dev/null
	sacctmgr -iQ delete user root >/dev/null
	sacctmgr -iQ load canis.cfg clean >/dev/null
	prints 'root|Administrator' sacctmgr -nP show user root format=user,adminlevel
	sacctmgr -iQ delete user root >/dev/null
	sacctmgr -iQ add cluster two >/dev/null
	prints 'two|root|root' sacctmgr -nP show assoc user=root format=cluster,account,user
	capture sacctmgr -iQ modify user ann set newname=root
	[[ $status == 1 && $stderr != *'stand twice'* ]] || same rename "$stderr" 'as for any user'
}

@test "load clean: the default account has no association: the first one stands in" {
	of "User - 'ann':DefaultAccount='mill'" "User - 'bob'"
	capture sacctmgr -i load file.cfg clean
	same status "$status" 0
	[[ $stdout == *" User ann $without it becomes lab"* ]]
	prints $'ann|lab\nbob|lab' sacctmgr -nP show user ann,bob format=user,defaultaccount
	dbd AllowNoDefAcct=yes
	capture sacctmgr -i load file.cfg clean
	[[ $stdout == *" User ann $without no default account"* ]]
	# Of bob, who is there by now, the file says none.
	prints $'ann|\nbob|' sacctmgr -nP show user ann,bob format=user,defaultaccount
}

@test "load: who has a default account keeps it when the new one has no association" {
	sacctmgr -i add user ann account=lab >out
	of "User - 'ann':DefaultAccount='mill':Partition='p1'"
	capture sacctmgr -i load file.cfg
	same status "$status" 0
	[[ $stdout == *" User ann $without it stays lab"* ]]
	prints 'lab||ann' defaults ann
}

@test "load: a default account of partition rows only" {
	sacctmgr -i add user ann account=mill >out
	of "User - 'ann':DefaultAccount='lab':Partition='p1'" "User - 'ann':Partition='p2'"
	capture sacctmgr -i load file.cfg
	same status "$status" 0
	prints lab sacctmgr -nP show user ann format=defaultaccount
}

# ---- odd names ----------------------------------------------------------------------------------

@test "names with a slash, a percent sign or 0- in front are not below others" {
	sacctmgr -i add account a,a/b,0-ann,a%2Fb >out
	sacctmgr -i add account sub parent=a >out
	sacctmgr -i add user ann,x/y account=root >out
	prints $'/a%252fb/\n/a%2Fb/\n/a/' sacctmgr -nP show assoc account=a,a/b,a%2fb format=lineage
	prints $'a\nsub' sacctmgr -nP show assoc account=a withsubaccounts format=account
	sacctmgr -i modify user x/y set newname=%z >out
	prints '/0-%25z/' sacctmgr -nP show assoc user=%z format=lineage
	sacctmgr -i delete account a >out
	sacctmgr -i delete account 0-ann >out
	prints $'root|\nroot|%z\nroot|ann\nroot|root\na%2fb|\na/b|' \
		sacctmgr -nP show assoc account=a,sub,a/b,a%2Fb,root format=account,user
}

# What Slurm puts into a list that has it already moves to the list's end; DefaultAccount= and
# DefaultWCKey= put theirs into the lists of what is to be added.
@test "add user: the default account has its place, and so its number, by the order of the words" {
	local made='s/.*[AW] = \([^ ]*\).*/\1/p'
	same 'after the others' "$(sacctmgr -i add user ann account=lab,mill defaultaccount=lab |
		sed -n "$made" | paste -sd ' ')" 'mill lab'
	same 'before them' "$(sacctmgr -i add user bob defaultaccount=mill account=lab,mill,root |
		sed -n "$made" | paste -sd ' ')" 'lab mill root'
	same 'wckeys' "$(sacctmgr -i add user bob wckey=a,b defaultwckey=a |
		sed -n "$made" | paste -sd ' ')" 'b a'
	prints $'5|mill|ann\n6|lab|ann' bash -c \
		'sacctmgr -nP show assoc user=ann format=id,account,user | sort'
	prints $'lab\nmill' sacctmgr -nP show user where user=ann,bob format=defaultaccount
}
