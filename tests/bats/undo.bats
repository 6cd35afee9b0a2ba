#!/usr/bin/env bats
# `sacctmgr undo` and `redo`: changes of the log taken back, or made once more (beyond Slurm).

load lib

setup() {
	fresh_cluster 'PriorityDecayHalfLife=0' 'PriorityUsageResetPeriod=NONE'
	local_users ann bob cid
	sacctmgr -iQ add account lab,phys >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

# What people see of the store, and every amount of usage.
state() {
	sacctmgr dump canis file=dump.cfg >/dev/null 2>&1
	cat dump.cfg
	sshare -aP -o account,user,rawshares,rawusage,grptresraw
	sacctmgr -nP show qos format=name,priority,flags,maxtres
	ask 'SELECT owner, life, begin, at, hex(sums) FROM usage_sum ORDER BY 1, 2, 4;
		SELECT owner, life, begin, at, still, raw FROM usage ORDER BY 1;
		SELECT * FROM usage_fact ORDER BY 1'
}

# The number of the last change.
last() {
	ask 'SELECT max(id) FROM change'
}

# ran USER CPUS WORD...: a job of an hour
ran() {
	srecord job user="$1" account=lab mem=100 cpus="$2" submit=2026-01-01T00:00:00 \
		start=2026-01-01T01:00:00 end=2026-01-01T02:00:00 state=COMPLETED \
		"${@:3}" >/dev/null
}

# What a move takes along is below its account afterwards, and no account is above itself.
@test "a move is neither undone nor redone against a later one" {
	local n
	sacctmgr -iQ modify account lab set parent=phys >/dev/null
	n=$(last)
	sacctmgr -iQ add user cid account=lab >/dev/null
	refuses "change $n cannot be undone: a later one depends on it: change $((n + 1)) of root: \
add user cid account=lab" sacctmgr -iQ undo "$n"
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ modify account phys set parent=lab >/dev/null
	refuses "change $n cannot be redone: a later one depends on it: change $((n + 4)) of root: \
modify account phys set parent=lab" sacctmgr -iQ redo "$n"
	prints $'root|\nlab|root\nphys|lab' \
		sacctmgr -nP show assoc user= format=account,parentname
	[[ $(sacctmgr check tree) == *fine* ]]
}

@test "undo shows what it would do, asks, and does it; redo gives it back" {
	before=$(state)
	sacctmgr -i modify user ann set fairshare=7 maxjobs=3 >/dev/null
	after=$(state)
	n=$(last)
	run -1 sacctmgr undo <<<n
	[[ $output == *" Undo change $n of root, "*': modify user ann set fairshare=7 maxjobs=3'* ]]
	row='~ association C = canis A = lab U = ann: Share 7 -> 1, MaxJobs 3 -> none'
	[[ $output == *"  $row"* ]]
	[[ $output == *'Would you like to commit changes?'*' Changes Discarded' ]]
	same state "$(state)" "$after"
	sacctmgr -i undo >/dev/null
	same state "$(state)" "$before"
	sacctmgr -i redo >/dev/null
	same state "$(state)" "$after"
	sacctmgr -i undo "$n" >/dev/null
	same state "$(state)" "$before"
	refuses "Change $n is undone already, by change $((n + 3))" sacctmgr -i undo "$n"
	sacctmgr -i redo "$n" >/dev/null
	refuses "Change $n is not undone" sacctmgr -i redo "$n"
	refuses "Change $((n + 1)) is itself an undo or redo" sacctmgr -i undo "$((n + 1))"
	refuses 'The log has no change 4711' sacctmgr -i undo 4711
}

@test "undo: the log has it, and marks what was undone" {
	sacctmgr -i modify user ann set fairshare=7 >/dev/null
	n=$(last)
	sacctmgr -i undo >/dev/null
	same log "$(sacctmgr -nP show txn format=action,where,info,change,undone | tail -n 2)" \
"Modify Associations|(id_assoc=5)|shares=7 (undone)|$n|$((n + 1))
Undo|change=$n|modify user ann set fairshare=7|$((n + 1))|"
	sacctmgr -i redo >/dev/null
	same log "$(sacctmgr -nP show txn format=action,change,undone | tail -n 3)" \
"Modify Associations|$n|
Undo|$((n + 1))|
Redo|$((n + 2))|"
}

@test "undo of several: by time, by name, newest first, all or nothing" {
	before=$(state)
	n=$(last)
	sacctmgr -i add user cid account=phys fairshare=2 >/dev/null
	sacctmgr -i modify user cid set fairshare=3 >/dev/null
	sacctmgr -i delete user bob >/dev/null
	after=$(state)
	ask "UPDATE change SET time = time - 1000 WHERE id <= $n;
		UPDATE change SET actor = 'eve' WHERE id > $n"
	same order "$(sacctmgr -i undo actor=eve | grep -o 'Undo change [0-9]*')" \
"Undo change $((n + 3))
Undo change $((n + 2))
Undo change $((n + 1))"
	same state "$(state)" "$before"
	sacctmgr -i redo >/dev/null
	same state "$(state)" "$after"
	sacctmgr -i undo since=now-500 >/dev/null
	same state "$(state)" "$before"
	refuses 'Nothing to undo' sacctmgr -i undo actor=nobody
	refuses 'Unknown condition: foo=1' sacctmgr -i undo foo=1
	refuses 'Unknown condition: foo' sacctmgr -i undo foo
	refuses 'Unknown condition: actor=' sacctmgr -i undo actor=
	refuses 'Unknown condition: since=' sacctmgr -i undo 'since=""'
}

@test "undo is refused where a later change depends on it, and that is named" {
	sacctmgr -i add account bio >/dev/null
	n=$(last)
	sacctmgr -i add user cid account=bio >/dev/null
	before=$(state)
	later="change $((n + 1)) of root: add user cid account=bio"
	refuses "change $n cannot be undone: a later one depends on it: $later" \
		sacctmgr -i undo "$n"
	same state "$(state)" "$before"
	sacctmgr -i modify user ann set fairshare=3 >/dev/null
	sacctmgr -i modify user ann set fairshare=4 >/dev/null
	refuses "change $((n + 3)) of root: modify user ann set fairshare=4" \
		sacctmgr -i undo $((n + 2))
	sacctmgr -i modify user ann set maxjobs=4 >/dev/null
	sacctmgr -i undo $((n + 3)) >/dev/null
	same shares "$(sacctmgr -nP show assoc where user=ann format=fairshare,maxjobs)" '3|4'
}

@test "undo of what was deleted since is refused" {
	sacctmgr -i modify user bob set maxjobs=4 >/dev/null
	n=$(last)
	sacctmgr -i delete user bob >/dev/null
	before=$(state)
	refuses "change $n cannot be undone: a later one depends on it: change $((n + 1)) of root: \
delete user bob" sacctmgr -i undo "$n"
	same state "$(state)" "$before"
	sacctmgr -i add qos fast priority=3 >/dev/null
	sacctmgr -i delete qos fast >/dev/null
	refuses "of root: delete qos fast" sacctmgr -i undo $((n + 2))
}

@test "undo is refused where it would take limits, coordinators or jobs along" {
	sacctmgr -i add user cid account=phys >/dev/null
	n=$(last)
	sacctmgr -i modify user cid set maxtres=cpu=5 >/dev/null
	refuses "change $((n + 1)) of root: modify user cid set maxtres=cpu=5" sacctmgr -i undo "$n"
	sacctmgr -i undo >/dev/null
	sacctmgr -i add coordinator account=lab names=cid >/dev/null
	refuses "of root: add coordinator account=lab names=cid" sacctmgr -i undo "$n"
	sacctmgr -i undo >/dev/null
	srecord job id=9 user=cid account=phys mem=0 >/dev/null
	refuses "change $n cannot be undone: job 9 of user cid in account phys is active" \
		sacctmgr -i undo "$n"
	srecord job id=9 end=now state=CANCELLED >/dev/null
	refuses "change $n cannot be undone: job records depend on it" sacctmgr -i undo "$n"
	sacctmgr -i delete user bob >/dev/null
	sacctmgr -i undo >/dev/null
	[[ $(sacctmgr -nP show assoc where user=bob format=account) == lab ]]
}

# A file with two accounts, one below the other, and so many users in both.
many_users() {
	local i
	printf '%s\n' "Cluster - 'canis'" "Parent - 'root'" "Account - 'new'" "Parent - 'new'" \
		"Account - 'below'"
	for ((i = 1; i <= $1; i++)); do
		((i != $1 / 2)) || echo "Parent - 'below'"
		echo "User - 'u$i':Fairshare=$i"
	done
}

@test "undo of hundreds of rows looks for what needs them as well" {
	before=$(state)
	many_users 150 >many.cfg
	sacctmgr -iQ load many.cfg >/dev/null
	after=$(state)
	n=$(last)
	sacctmgr -iQ add account more parent=new >/dev/null
	refuses "change $n cannot be undone: a later one depends on it: change $((n + 1)) of root: \
add account more parent=new" sacctmgr -i undo "$n"
	sacctmgr -i undo >/dev/null
	sacctmgr -iQ modify user u3 set maxtres=cpu=3 >/dev/null
	refuses "change $n cannot be undone: a later one depends on it: change $((n + 3)) of root: \
modify user u3 set maxtres=cpu=3" sacctmgr -i undo "$n"
	sacctmgr -i undo >/dev/null
	same 'after the load' "$(state)" "$after"
	sacctmgr -i undo "$n" >/dev/null
	same 'before it' "$(state)" "$before"
	same 'nothing refers to what is gone' "$(ask 'PRAGMA foreign_key_check')" ''
	sacctmgr -i redo >/dev/null
	same 'with it once more' "$(state)" "$after"
	srecord job user=u3 account=new cpus=1 end=now start=now-1hours >/dev/null
	refuses "change $n cannot be undone: " sacctmgr -i undo "$n"
	same 'and with a job' "$(sacctmgr -nP show user u3)" 'u3|new|None'
}

@test "undo of accounts and hundreds of rows that apply added: not when a job has one" {
	many_users 150 >many.cfg
	sacctmgr -iQ load many.cfg >/dev/null
	sacctmgr -Q dump canis file=dump.cfg
	sacctmgr -i undo >/dev/null
	sacctmgr -iQ apply dump.cfg >/dev/null
	n=$(last)
	srecord job user=u3 account=new cpus=1 end=now start=now-1hours >/dev/null
	refuses "change $n cannot be undone: " sacctmgr -i undo "$n"
	same 'the job has its user' "$(sacctmgr -nP show user u3)" 'u3|new|None'
}

@test "undo: usage follows, what jobs have added since stays" {
	ran ann 2
	ran bob 3
	sacctmgr -i modify user ann where account=lab set RawUsage=500 >/dev/null
	ran ann 1
	sacctmgr -i undo >/dev/null
	same usage "$(sshare -ahP -A lab -u ann -o rawusage | tail -n 1)" 10800
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -i redo >/dev/null
	same usage "$(sshare -ahP -A lab -u ann -o rawusage | tail -n 1)" 4100
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -i delete user bob >/dev/null
	sacctmgr -i undo >/dev/null
	same usage "$(sshare -ahP -A lab -u bob -o rawusage | tail -n 1)" 10800
	prints '  Nothing modified' sacctmgr -i rebuild usage
	ran bob 1
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -i modify qos normal set RawUsage=70 >/dev/null
	ran bob 1
	sacctmgr -i undo >/dev/null
	prints '  Nothing modified' sacctmgr -i rebuild usage
}

# Accounts of a chain, however the log has them in order.
@test "undo and redo: what was used below accounts that go together goes up past all of them" {
	job=(submit=2026-01-01T00:00:00 start=2026-01-01T01:00:00 end=2026-01-01T02:00:00
		user=cid account=s6 mem=0 state=COMPLETED)
	above=lab
	for account in s1 s2 s3 s4 s5 s6; do
		sacctmgr -iQ add account $account parent=$above >/dev/null
		above=$account
	done
	sacctmgr -iQ add user cid account=s6 >/dev/null
	srecord job "${job[@]}" cpus=1 >/dev/null
	sacctmgr -iQ modify user cid where account=s6 set rawusage=113 >/dev/null
	sacctmgr -iQ delete account s1 >/dev/null
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -iQ undo >/dev/null
	prints '  Nothing modified' sacctmgr -i rebuild usage
	srecord job "${job[@]}" cpus=2 >/dev/null
	sacctmgr -iQ redo >/dev/null
	same usage "$(sshare -ahP -A lab -o account,user,rawusage | head -n 1)" 'lab||7313'
	prints '  Nothing modified' sacctmgr -i rebuild usage
	sacctmgr -iQ undo >/dev/null
	same usage "$(sshare -ahP -o account,user,rawusage | grep -E '^ *(lab\|\||s6\|cid)')" \
" lab||7313
        s6|cid|7313"
	prints '  Nothing modified' sacctmgr -i rebuild usage
}

@test "undo: a job that ran over a reset counts whole again" {
	srecord job id=5 user=ann account=lab cpus=2 mem=0 start=now-100 >/dev/null
	sacctmgr -i modify user ann where account=lab set RawUsage=0 >/dev/null
	sacctmgr -i undo >/dev/null
	srecord job id=5 end=now state=COMPLETED >/dev/null
	amount=$(ask 'SELECT cast(raw AS INTEGER) FROM usage WHERE owner > 0')
	(($(ask 'SELECT 2 * (end - start) FROM job WHERE id = 5') == amount))
}

@test "undo is for administrators, and not for readers" {
	sacctmgr -i modify user ann set fairshare=7 >/dev/null
	capture as ann sacctmgr -i undo
	same status "$status" 1
	[[ $stderr == *'Access/permission denied'* ]]
	refuses 'readonly mode' sacctmgr -r -i undo
	refuses 'follows the configuration' sacctmgr -i undo "$(ask "
		INSERT INTO change (time, actor, command, changeset)
		VALUES (0, 'root', 'AccountingStorageTRES', x'') RETURNING id")"
}

# step N: one change of a random history, perhaps one that is refused.
step() {
	local users=(ann bob cid) accounts=(lab phys bio) user account
	user=${users[RANDOM % 3]} account=${accounts[RANDOM % 3]}
	case $((RANDOM % 13)) in
	0) echo "add account $account" ;;
	1 | 2) echo "add user $user account=$account" ;;
	3) echo "modify user $user set fairshare=$((RANDOM % 9 + 1))" ;;
	4) echo "modify account $account set grpjobs=$((RANDOM % 9)) maxtres=cpu=$((RANDOM % 9))" ;;
	5) echo "delete user $user" ;;
	6) echo "delete account $account" ;;
	7) echo "add qos q$((RANDOM % 2))" ;;
	8) echo "modify qos q$((RANDOM % 2)) set prio=$((RANDOM % 9)) grpjobs=$((RANDOM % 9))" ;;
	9) echo "modify user $user set qos+=q$((RANDOM % 2))" ;;
	10) echo "modify user $user where account=$account set rawusage=$((RANDOM % 900))" ;;
	11) echo "add coordinator account=$account names=$user" ;;
	12) echo "modify account $account set parent=${accounts[RANDOM % 3]}" ;;
	esac
}

@test "undo of any history gives the store back byte for byte, redo the later ones" {
	ran ann 2
	ran bob 3
	for ((history = 0; history < ${BURSAR_HISTORIES:-15}; history++)); do
		RANDOM=$history
		before=$(state)
		first=$(last)
		for ((i = 0; i < 8; i++)); do
			step
		done >steps
		sacctmgr -iQ <steps >/dev/null 2>&1 || true
		after=$(state)
		n=$(($(last) - first))
		for ((i = 0; i < n; i++)); do
			capture sacctmgr -i undo
			same "messages of undo in history $history" "$stderr" ''
		done
		same "history $history undone" "$(state)" "$before"
		prints '  Nothing modified' sacctmgr -i rebuild usage
		for ((i = 0; i < n; i++)); do
			capture sacctmgr -i redo
			same "messages of redo in history $history" "$stderr" ''
		done
		same "history $history redone" "$(state)" "$after"
		prints '  Nothing modified' sacctmgr -i rebuild usage
	done
}

# purge_after TEXT: as slurmdbd.conf says it from now on.
purge_after() {
	sed -i '/^PurgeTXNAfter/d' "$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	echo "PurgeTXNAfter=$1" >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
}

@test "PurgeTXNAfter: the log is kept short by count and by age, and undo says so" {
	for n in 1 2 3 4; do sacctmgr -iQ modify user ann set maxjobs=$n >/dev/null; done
	before=$(last)
	first=$(ask 'SELECT min(id) FROM change')
	purge_after 3changes
	sacctmgr -iQ modify user ann set maxjobs=5 >/dev/null
	same kept "$(ask 'SELECT min(id), max(id) FROM change')" "$((before - 1))|$((before + 1))"
	same log "$(ask 'SELECT count(DISTINCT change) FROM txn')" 3
	capture sacctmgr -i undo "$first"
	same status "$status" 1
	[[ $stderr == " The log has no change $first"*' Changes before '*' were purged' ]]
	refuses ' were purged and cannot be undone: give a later since=' \
		sacctmgr -i undo since=2000-01-01
	[[ $(sacctmgr -i undo actor=root) == *' were purged and stay'* ]]
	same limit "$(sacctmgr -nP show assoc where user=ann format=maxjobs)" 2
	# four months old, and yesterday's
	ask "UPDATE change SET time = time - 86400 * 130 WHERE id <= $before"
	purge_after 3months
	sacctmgr -iQ modify user bob set maxjobs=5 >/dev/null
	same kept "$(ask 'SELECT min(id) FROM change')" $((before + 1))
	sacctmgr check log >/dev/null
	sacctmgr -iQ undo >/dev/null
	purge_after 3weeks
	capture sacctmgr -i modify user bob set maxjobs=6
	same status "$status" 0
	[[ $stderr == *"PurgeTXNAfter in slurmdbd.conf: Invalid purge unit 'weeks'"* ]]
}

@test "changesets are small; a damaged one is told" {
	sacctmgr -iQ add user "u[1-2000]" account=lab fairshare=5 >/dev/null
	((10 * $(ask 'SELECT length(changeset) FROM change ORDER BY id DESC LIMIT 1') <
		$(ask 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')))
	same mark "$(ask "SELECT substr(changeset, 1, 1) FROM change WHERE id = $(last)")" Z
	sacctmgr -iQ undo >/dev/null
	same users "$(sacctmgr -nP show user format=user | xargs)" 'ann bob root'
	ask "UPDATE change SET changeset = x'5A00010000789C0300000000' WHERE id = $(($(last) - 1))"
	refuses 'the log of changes is damaged' sacctmgr -i redo
}

# The entries of a large load: a thousand of them are one row of the store.
load_many() {
	{
		echo "Cluster - 'canis'"
		echo "Parent - 'root'"
		echo "Account - 'big':Description='big'"
		echo "Parent - 'big'"
		for ((i = 1; i <= 1200; i++)); do
			printf "User - 'm%04d':DefaultAccount='big':Fairshare=%d\n" "$i" $((i % 9))
		done
	} >many.cfg
	sacctmgr -i load file=many.cfg >/dev/null 2>&1
	packed='SELECT count(*) FROM txn_pack'
	same packed "$(ask "$packed")" 2
}

@test "entries of a large load are packed, and are read as any others" {
	first=$(($(ask 'SELECT max(id) FROM txn') + 1))
	load_many
	count=$((2 * 1200 + 2))
	same entries "$(sacctmgr -nP show txn start=1970-01-01 | wc -l)" $((first - 1 + count))
	same numbers "$(sacctmgr -nP show txn format=id | tail -n +"$first")" \
		"$(seq "$first" $((first + count - 1)))"
	same an-entry "$(sacctmgr -nP show txn users=m0777 format=action,actor,where,info |
		sed "s/mod_time=[0-9]*/mod_time=T/; s/id_assoc=[0-9]*/id_assoc=N/")" \
		"Add Users|root|m0777|admin_level=1
Add Associations|root|id_assoc=N|mod_time=T, acct='big', is_def=1, user='m0777', shares=3"
	same actor "$(sacctmgr -nP show txn actor=nobody)" ''
	same later "$(sacctmgr -nP show txn start=now+1hour)" ''
	same number "$(sacctmgr -nP show txn id=$((first + 6)) format=where)" m0005
	sacctmgr -iQ modify user m0001 set maxjobs=1 >/dev/null
	same next "$(sacctmgr -nP show txn format=id | tail -n 1)" $((first + count))
	[[ $(sacctmgr check) == *' the log of changes is complete'* ]]
	# Undone and done again, its entries stay.
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ undo >/dev/null
	same users "$(sacctmgr -nP show user format=user | wc -l)" 3
	sacctmgr -iQ redo >/dev/null
	same users "$(sacctmgr -nP show user format=user | wc -l)" 1203
	same kept "$(ask "$packed")" 2
}

@test "packed entries are archived, come back, and are purged" {
	load_many
	sacctmgr -nP show txn >before
	mkdir archive
	sacctmgr -iQ archive dump directory="$PWD/archive" txn >/dev/null
	same untouched "$(ask "$packed")" 2
	sacctmgr -iQ archive load file="$(echo "$PWD"/archive/*)" >/dev/null
	same loaded-again "$(sacctmgr -nP show txn)" "$(cat before)"
	sacctmgr -iQ add account other >/dev/null
	same next "$(sacctmgr -nP show txn format=id | uniq -d)" ''
	sacctmgr -iQ undo >/dev/null
	purge_after 1changes
	sacctmgr -iQ add account another >/dev/null
	same purged "$(ask "$packed; SELECT count(*) < 5 FROM txn" | xargs)" '0 1'
}

@test "packed entries that are purged by age go into the archive" {
	load_many
	sacctmgr -nP show txn format=id >before
	ask 'UPDATE txn SET time = time - 86400 * 90; UPDATE txn_pack SET time = time - 86400 * 90'
	mkdir archive
	sacctmgr -iQ archive dump directory="$PWD/archive" txn purgetxnafter=1month >/dev/null
	same purged "$(ask "$packed; SELECT count(*) FROM txn" | xargs)" '0 0'
	sacctmgr -iQ archive load file="$(echo "$PWD"/archive/*)" >/dev/null
	same back "$(sacctmgr -nP show txn format=id)" "$(cat before)"
}

@test "a damaged pack of entries is told" {
	load_many
	ask "UPDATE txn_pack SET entries = x'5A00010000789C0300000000'"
	capture sacctmgr -nP show txn
	same status "$status" 1
	[[ $stderr == *'the log of transactions is damaged'* ]]
}
