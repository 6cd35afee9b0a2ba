#!/usr/bin/env bats
# The flat file: what `load` refuses, and how it says so. Checked against sacctmgr of Slurm 22.05.

load lib

setup() {
	fresh_cluster
	printf '%s\n' "Cluster - 'canis':Fairshare=1" "Parent - 'root'" >head.cfg
}

# of LINE: the file with this line behind its head.
of() {
	cat head.cfg
	printf '%s\n' "$@"
}

rows() {
	sacctmgr -nP show assoc format=account,user,share,maxjobs
}

@test "a quote that is never closed: the end, and nothing is changed" {
	local line before
	before=$(rows)
	for line in "Account - 'a:Fairshare=3" \
		"Account - 'a':Description=o'brien:Fairshare=3" \
		"Account - 'a':Description='a # b':Fairshare=3" "Parent - \"root" \
		"User - 'u':MaxJobs='3:Fairshare=2"; do
		of "Account - 'before':Fairshare=7" "$line" >bad.cfg
		capture sacctmgr -i load bad.cfg
		same "status of $line" "$status" 1
		[[ $stderr == 'sacctmgr: fatal: '*' problem with option '*' with quotes.' ]] ||
			same "message of $line" "$stderr" 'sacctmgr: fatal: ...'
		same "rows after $line" "$(rows)" "$before"
	done
	printf '%s\n' "QOS - 'q:Priority=3" "Cluster - 'canis'" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same message "$stderr" \
		"sacctmgr: fatal: There is a problem with option 'q:Priority=3 with quotes."
}

@test "quotes, colons and comment signs within quotes" {
	of "Account - 'a':Description=\"o'brien: the \\# 1\":Fairshare=3 # a comment" >good.cfg
	capture sacctmgr -i load good.cfg
	same status "$status" 0
	same account "$(sacctmgr -nP show account a)" 'a|o`brien: the # 1|a'
	same shares "$(sacctmgr -nP show assoc where account=a format=share)" 3
	sacctmgr -Q dump canis file=canis.cfg
	sacctmgr -i delete account a >out
	sacctmgr -i load canis.cfg >out 2>&1
	same account "$(sacctmgr -nP show account a)" 'a|o`brien: the # 1|a'
}

@test "a bad value: what is wrong, the word, the line" {
	of "Account - 'a':Fairshare=2:MaxJobs=abc" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same messages "$stderr" 'sacctmgr: error: Invalid value for MaxJobs (abc)
 Unknown option: MaxJobs=abc
 Problem with line(3)
 Problem with requests: Unspecified error'
	same status "$status" 1
	of "Account - 'a':Bogus=1" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same messages "$stderr" ' Unknown option: Bogus=1
 Problem with line(3)
 Problem with requests: Unspecified error'
}

@test "a bad cluster line" {
	echo "Cluster - 'canis':QOS='nope'" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same messages "$stderr" "sacctmgr: error: You gave a bad qos 'nope'. Valid QOS's are normal
 Unknown option: QOS='nope'
 error: Problem with line(1)
 Problem with requests: Unspecified error"
	same output "$stdout" ''
	echo "Cluster - '':Fairshare=2" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same messages "$stderr" ' No name given
 error: Problem with line(1)
 Problem with requests: Unspecified error'
}

@test "shares that the file does not give stay blank in the report, and become 1" {
	of "Account - 'a'" "Account - 'b':Fairshare=4" "Parent - 'a'" \
		"User - 'u':MaxJobs=3" >new.cfg
	capture sacctmgr -i load new.cfg
	same status "$status" 0
	same report "$(awk '$2 == "root" || $1 == "u" && $2 == "a" && NF == 3 {$1 = $1; print}' \
		<<<"$stdout")" 'a root
b root 4
u a 3'
	same rows "$(rows)" 'root||1|
root|root|1|
a||1|
a|u|1|3
b||4|'
}

@test "a dump without QOS lines (Slurm before 25.05) needs its QOS to be there" {
	printf '%s\n' "Cluster - 'canis':Fairshare=1:QOS='long,normal'" "Parent - 'root'" \
		"Account - 'a':Fairshare=2:QOS='+long'" >old.cfg
	refuses "You gave a bad qos 'long'" sacctmgr -i load old.cfg
	sacctmgr -i add qos long >out
	capture sacctmgr -i load old.cfg
	same status "$status" 0
	sacctmgr -Q dump canis file=canis.cfg
	same rows "$(grep -E '^(Cluster|Account)' canis.cfg)" \
		"Cluster - 'canis':Fairshare=1:QOS='long,normal'
Account - 'a':Description='a':Organization='a':Fairshare=2:QOS='+long'"
}

@test "load: changes are told in the order of a dump, whatever the line has" {
	sacctmgr -iQ add qos q >/dev/null
	sacctmgr -iQ add account a,b >/dev/null
	printf '%s\n' "QOS - 'q':Priority=3:Description='d'" "Cluster - 'canis'" "Parent - 'b'" \
		"Account - 'a':QOS=q,normal:MaxWall=60:MaxTRESPerJob=cpu=3:Fairshare=2" \
		>f.cfg
	capture sacctmgr -i load f.cfg
	same labels "$(cut -c1-30 <<<"$stdout" | sed 's/ *$//')" 'QOS
 Changed Description
 Changed Priority
For cluster canis
 Changed fairshare
 Changed MaxTRESPerJob
 Changed MaxWallDurationPerJob
 Added QOS
 Changed Parent'
}

@test "an account moves below one that is new in the same file" {
	sacctmgr -iQ add account a,b >/dev/null
	sacctmgr -iQ add user ann account=a >/dev/null
	of "Account - 'new'" "Parent - 'new'" "Account - 'a'" "Parent - 'a'" \
		"Account - 'b'" >f.cfg
	sacctmgr -i load f.cfg >out
	same moves "$(grep Parent out | grep -- '->' | awk '{print $5, $6, $8}')" 'a root new
b root a'
	prints 'root||
root|root|
new||root
a||new
a|ann|
b||a' sacctmgr -nP show assoc format=account,user,parentname
	# A second time nothing is new.
	sacctmgr -i load f.cfg >out 2>&1
	same again "$(<out)" "For cluster canis
 Nothing new added."
	of "Parent - 'b'" "Account - 'new'" >loop.cfg
	capture sacctmgr -i load loop.cfg
	same loop "$stderr" " Account new can't be below b, which is below it
 Problem with line(4)
 Problem with requests: Unspecified error"
}

@test "what is cleared and was not set is no change; TRES that are not named stay" {
	sacctmgr -iQ add account a grptres=cpu=4,mem=100 >/dev/null
	of "Account - 'a':MaxJobs=-1:GrpTRES=node=-1" >f.cfg
	sacctmgr -i load f.cfg >out 2>&1
	same nothing "$(<out)" "For cluster canis
 Nothing new added."
	of "Account - 'a':GrpTRES=cpu=5:GrpJobs=3" >f.cfg
	sacctmgr -i load f.cfg >out
	sed -n '/Changed/s/  */ /gp' out >told
	same told "$(<told)" ' Changed GrpTRES for Account a 1=4,2=100 -> 1=5
 Changed GrpJobs for Account a -1 -> 3'
	same row "$(sacctmgr -nP show assoc where account=a format=grptres,grpjobs)" \
		'cpu=5,mem=100M|3'
}

@test "accounts whose names differ in case alone, as imports bring them, are two" {
	sacctmgr -iQ add account lab,labs >/dev/null
	sacctmgr -iQ add user ann account=lab,labs >/dev/null
	ask "UPDATE account SET name = 'Lab' WHERE name = 'labs';
		UPDATE assoc SET account = 'Lab', lineage = replace(lineage, '/labs/', '/Lab/')
			WHERE account = 'labs'"
	sacctmgr -Q dump canis file=canis.cfg
	sacctmgr -i load canis.cfg >out 2>&1
	same again "$(tail -n 1 out)" ' Nothing new added.'
	of "Account - 'Lab':MaxJobs=3" "Account - 'lab':MaxJobs=4" "Parent - 'Lab'" \
		"User - 'ann':MaxJobs=2" >f.cfg
	sacctmgr -iQ load f.cfg >out
	prints 'Lab||3
Lab|ann|2
lab||4
lab|ann|4' sacctmgr -nP show assoc where account=Lab,lab format=account,user,maxjobs
}

@test "QOS of a list are added, of one with signs too" {
	sacctmgr -iQ add qos q1,q2 >/dev/null
	sacctmgr -iQ add account a,b,c >/dev/null
	sacctmgr -iQ modify account a set qos=normal,q1 >/dev/null
	sacctmgr -iQ modify account b set qos=+q1 >/dev/null
	own() {
		sacctmgr -Q dump canis file=own.cfg
		sed -n "s/^Account - '\(.\)'.*:QOS='\(.*\)'/\1 \2/p" own.cfg
	}
	of "Account - 'a':QOS=q2,q1" "Account - 'b':QOS=+q2" "Account - 'c':QOS=-normal" >f.cfg
	sacctmgr -i load f.cfg >out
	same told "$(sed -n '/Added QOS/s/  */ /gp' out)" ' Added QOS for Account a q2
 Added QOS for Account b +q2
 Added QOS for Account c -normal'
	same lists "$(own)" 'a normal,q1,q2
b +q1,+q2
c -normal'
	of "Account - 'a':QOS=-q2" "Account - 'b':QOS=-q1" "Account - 'c':QOS=q1" >f.cfg
	sacctmgr -i load f.cfg >out
	same again "$(own)" 'a normal,q1
b +q2,-q1
c q1'
}

@test "what an operation refuses has its line; an unknown class is none" {
	sacctmgr -iQ add qos q1 >/dev/null
	of "Account - 'a'" "Parent - 'a'" "User - 'u'" "User - 'v':DefaultQOS=q1" >f.cfg
	capture sacctmgr -i load f.cfg
	same status "$status" 1
	[[ $stderr == *"Problem with line(6)"* ]]
	same nobody "$(sacctmgr -nP show account format=account)" root
	echo "Cluster - 'canis':Classification=Capazity" >f.cfg
	capture sacctmgr -i load f.cfg
	same class "$stderr" "sacctmgr: error: Unknown Classification 'Capazity': Capability, \
Capacity or Capapacity
 error: Problem with line(1)
 Problem with requests: Unspecified error"
}

@test "what is added to flags, to whom a QOS preempts and to counts of TRES" {
	sacctmgr -iQ add qos q1,q2 flags=DenyOnLimit preempt=normal >/dev/null
	sacctmgr -iQ add account a grptres=cpu=2,mem=7 >/dev/null
	printf '%s\n' "QOS - q1:Flags+=NoReserve:Preempt+=q2" "QOS - q2:Flags-=DenyOnLimit" \
		"Cluster - canis" "Parent - root" "Account - a:GrpTRES=cpu+=2,mem=-1" >f.cfg
	sacctmgr -iQ load f.cfg >out
	sed -n '/Changed/{s/  */ /g;s/ $//;p}' out >told
	same told "$(<told)" ' Changed Flags for QOS q1 DenyOnLimit -> DenyOnLimit,NoReserve
 Changed Preempt for QOS q1 normal -> +q2
 Changed Flags for QOS q2 DenyOnLimit ->
 Changed GrpTRES for Account a 1=2,2=7 -> 1=+2,2=18446744073709551615'
	prints 'q1|DenyOnLimit,NoReserve|normal,q2
q2||normal' sacctmgr -nP show qos q1,q2 format=name,flags,preempt
	prints 'cpu=4' sacctmgr -nP show assoc where account=a format=grptres
}

@test "wckeys: the default is none that the user does not have; later lines add none" {
	of "Account - 'a'" "Parent - 'a'" "User - 'u':WCKeys='k,l':DefaultWCKey='l'" \
		"User - 'v':DefaultWCKey='x'" "Parent - 'root'" "User - 'u':WCKeys='m'" >f.cfg
	sacctmgr -iQ load f.cfg >out
	prints 'u|l
v|' sacctmgr -nP show user where user=u,v format=user,defaultwckey
	prints 'k
l' sacctmgr -nP show wckey where user=u format=wckey
	of "Parent - 'a'" "User - 'u':WCKeys='m,k':DefaultWCKey='y'" \
		"User - 'v':WCKeys='n'" >f.cfg
	sacctmgr -iQ load f.cfg >out
	sed -n '/WCKey/s/  */ /gp' out >told
	same told "$(<told)" ' Changed Default WCKey for User u l -> y
 Adding WCKey '"'m'"' to User '"'u'"'
 Adding WCKey(s) '"'n'"' for user '"'v'"''
	prints 'u|l
v|' sacctmgr -nP show user where user=u,v format=user,defaultwckey
}

# of a store: accounts, users, rows.
tables() {
	sacctmgr -Q dump canis file=now.cfg >/dev/null
	grep -v '^# ' now.cfg
	sacctmgr -nP show user
}

@test "load: an account cannot come to stand below itself" {
	local before
	sacctmgr -iQ add account lab,phys >/dev/null
	sacctmgr -iQ add account sub parent=lab >/dev/null
	before=$(ask 'SELECT * FROM assoc')
	printf '%s\n' "Cluster - 'canis'" "Parent - 'sub'" "Account - 'lab'" >bad.cfg
	capture sacctmgr -i load bad.cfg
	same status "$status" 1
	same message "$stderr" " Account lab can't be below sub, which is below it
 Problem with line(3)
 Problem with requests: Unspecified error"
	same rows "$(ask 'SELECT * FROM assoc')" "$before"
	printf '%s\n' "Cluster - 'canis'" "Parent - 'phys'" "Account - 'lab':MaxJobs=3" >good.cfg
	sacctmgr -iQ load good.cfg >/dev/null
	same lineages "$(ask 'SELECT lineage, max_jobs FROM assoc WHERE lineage LIKE "%/lab/%"')" \
		'/phys/lab/|3
/phys/lab/sub/|'
}

@test "load of a new cluster: one change with its entries, undone and redone whole" {
	local i before after
	before=$(tables)
	{
		of "Account - 'a':Description='the a':GrpTRES=cpu=9"
		echo "Parent - 'a'"
		for ((i = 1; i <= 300; i++)); do
			echo "User - 'u$i':Fairshare=$((i % 7 + 1)):MaxTRES=cpu=$i"
		done
	} >new.cfg
	capture sacctmgr -i load new.cfg
	same status "$status" 0
	after=$(tables)
	same users "$(grep -c '^User' <<<"$after")" 301
	sacctmgr -nP list transactions format=change,action >log
	same 'entries of one change' "$(grep -E '\|Add (Users|Associations)$' log |
		sort | uniq -c | awk '$2 ~ /^[0-9]/ { print $1, $2, $3 }')" '301 1|Add Associations
300 1|Add Users'
	capture sacctmgr -i undo
	same status "$status" 0
	same 'rows after undo' "$(tables)" "$before"
	capture sacctmgr -i redo
	same 'rows after redo' "$(tables)" "$after"
}

defaults() {
	sacctmgr -nP show user format=user,defaultaccount | grep -v root
}

@test "load: users of old who come back, and a default account without a row" {
	of "Account - 'a'" "Parent - 'a'" "User - 'ann'" "User - 'bob'" >old.cfg
	sacctmgr -iQ load old.cfg >/dev/null
	BURSAR_NOW=$((BURSAR_NOW + 200000)) sacctmgr -iQ delete user ann >/dev/null
	of "Account - 'a'" "Account - 'b'" "Parent - 'a'" "User - 'ann':Fairshare=3" \
		"User - 'new':DefaultAccount='b'" "Parent - 'b'" \
		"User - 'bob':DefaultAccount='b'" >f.cfg
	BURSAR_NOW=$((BURSAR_NOW + 200000)) capture sacctmgr -i load f.cfg
	same status "$status" 0
	same defaults "$(defaults)" 'ann|a
bob|b
new|a'
	same rows "$(rows | grep -v root)" 'a||1|
a|ann|3|
a|bob|1|
a|new|1|
b||1|
b|bob|1|'
	BURSAR_NOW=$((BURSAR_NOW + 200000)) capture sacctmgr -i undo
	same status "$status" 0
	same defaults "$(defaults)" 'bob|a'
}

@test "load: a default account that the file does not say stays" {
	of "Account - 'a'" "Parent - 'a'" "User - 'ann'" "User - 'bob'" >f.cfg
	sacctmgr -iQ load f.cfg >/dev/null
	same defaults "$(defaults)" 'ann|a
bob|a'
	sacctmgr -iQ delete user bob account=a >/dev/null
	of "Account - 'b'" "Parent - 'b'" "User - 'ann':Fairshare=4" "User - 'bob'" >f.cfg
	sacctmgr -iQ load f.cfg >out
	run ! grep Changed out
	same defaults "$(defaults)" 'ann|a
bob|b'
	of "Account - 'a'" "Account - 'b'" "Parent - 'b'" "User - 'ann'" "User - 'bob'" >f.cfg
	sacctmgr -iQ load f.cfg clean >out
	run ! grep 'Changed Default' out
	same defaults "$(defaults)" 'ann|b
bob|b'
}

@test "load clean: who is there already, with a default account without a row" {
	of "Account - 'a'" "Account - 'b'" "Parent - 'a'" "User - 'ann'" "User - 'bob'" >old.cfg
	sacctmgr -iQ load old.cfg >/dev/null
	of "Account - 'a'" "Account - 'b'" "Parent - 'b'" "User - 'ann':DefaultAccount='a'" \
		"User - 'bob':DefaultAccount='c'" "User - 'cid':DefaultAccount='a'" >f.cfg
	for clean in clean clean=user,account; do
		sacctmgr -iQ load f.cfg $clean >out
		same told "$(grep 'no association' out | cut -d ' ' -f 3,11,14- | sort)" \
			'ann a canis: it becomes b
bob c canis: it becomes b
cid a canis: it becomes b'
		same defaults "$(defaults)" 'ann|b
bob|b
cid|b'
	done
}

@test "a report of more than a megabyte is printed in full, asked about or not" {
	for ((i = 1; i <= 4000; i++)); do echo "User - 'u$i':Fairshare=$((i % 3 + 1))"; done >users
	of "Account - 'a'" "Parent - 'a'" "$(<users)" >many.cfg
	echo n | sacctmgr load many.cfg 2>&1 | grep -v 'Done adding' >asked
	same nobody "$(sacctmgr -nP show user format=user)" root
	(($(wc -c <asked) > 1 << 20))
	sacctmgr -i load many.cfg 2>/dev/null | cat >piped
	same names "$(sed -n '/^Users/,/^---*$/d; /^User Assoc/,$p' piped |
		awk '/^ +u[0-9]+ /{print $1}' | sort)" "$(seq 4000 | sed 's/^/u/' | sort)"
	# What was asked about was shown before, all but the question the same.
	lines=$(wc -l <piped)
	cmp piped <(head -n "$lines" asked)
	same question "$(tail -n +$((lines + 1)) asked | head -n 1)" \
		'Would you like to commit changes? (You have 30 seconds to decide)'
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ load many.cfg >filed
	cmp piped filed
}

@test "load asks; the second of two writers is told what came between" {
	of "Account - 'a'" "Parent - 'a'" "User - 'u'" >new.cfg
	mkfifo answer
	sacctmgr load new.cfg <answer >out 2>err &
	exec 7>answer
	until grep -q 'Would you like' out; do kill -0 $!; done
	sacctmgr -iQ add account b >/dev/null
	echo y >&7
	wait $! && return 1
	same told "$(sed 's/change [0-9]* of/change N of/; /Done adding/d' err)" \
		'sacctmgr: error: somebody else changed the store in the meantime, '\
'nothing was done: look and try again
 change N of root: add account b'
	same rows "$(rows | cut -d "|" -f 1 | sort -u | paste -sd " ")" 'b root'
}
