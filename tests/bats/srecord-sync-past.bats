#!/usr/bin/env bats
# srecord sync of a Slurm with a past: users, accounts and QOS that were deleted, renamed, moved and
# added again. Our own programs stand in for Slurm's, with a store of their own.

load lib
load fake-slurm

setup() {
	fresh_cluster
	mkdir slurm
	theirs=$PWD/theirs.db
	local program
	for program in sacctmgr sacct squeue sshare sprio sreport sdiag; do
		fake $program "[[ \$1 != -V ]] || { echo slurm 26.05.3; exit; }
			BURSAR_STORE=$theirs exec $(command -v $program) \"\$@\""
	done
}

# there PROGRAM ARG...: on the side that stands in for Slurm
there() {
	BURSAR_STORE=$theirs "$@"
}

sync() {
	srecord sync from=slurm bin="$PWD/slurm" "$@"
}

# alike PROGRAM ARG...: both print the same
alike() {
	same "$*" "$("$@" 2>&1)" "$(there "$@" 2>&1)"
}

# fine NAME...: checks that find nothing
fine() {
	sacctmgr check >checked || true
	local name
	for name; do
		grep -q "^ $name *fine" checked || same "check $name" "$(<checked)" fine
	done
}

same_past() {
	alike sacctmgr -nP show assoc format=id,account,user,partition,parentname,lineage
	alike sacctmgr -nP show assoc withdeleted \
		format=id,account,user,partition,parentname
	alike sacctmgr -nP show user withdeleted format=user
	alike sacctmgr -nP show account withdeleted format=account
	alike sacctmgr -nP show assoc withdeleted \
		format=id,share,priority,grpjobs,grptres,maxjobs,maxwall,qos,defaultqos
	alike sacctmgr -nP show qos withdeleted "format=id,name,description,priority,flags,$(
		)preempt,preemptmode,grptres,maxtrespu,maxwall,maxjobspu,usagefactor"
	alike sacctmgr -nP show wckey withdeleted format=wckey,user
	alike sacct -aPX -S 2020-01-01 -o jobid,user,account,associd,qos,qosraw,state
	fine tree usage
}

ran() {
	there srecord job "$@" cpus=2 submit=2026-09-01T10:00 start=2026-09-01T10:00 \
		end=2026-09-01T11:00 >/dev/null
}

past_site() {
	there sacctmgr -iQ <<-'END' >/dev/null
		add qos high,gone priority=7
		add account a
		add account b parent=a
		add account old
		add user ann account=a,b qos=normal,high,gone
		add user dan account=a,old qos=normal,high,gone
		add user eve account=old
	END
	ran id=1 user=dan account=old
	ran id=2 user=eve account=old
	ran id=3 user=ann account=b qos=gone
	ran id=4 user=dan account=a
}

@test "what was deleted before the first round comes along, deleted; jobs keep theirs" {
	past_site
	there sacctmgr -iQ delete user eve >/dev/null
	there sacctmgr -iQ delete user dan account=old >/dev/null
	there sacctmgr -iQ delete account old >/dev/null
	there sacctmgr -iQ modify user ann set qos-=gone >/dev/null
	there sacctmgr -iQ modify user dan set qos-=gone >/dev/null
	there sacctmgr -iQ delete qos gone >/dev/null
	run -0 sync
	[[ $output == *': 4 jobs, 4 new'* ]] || same said "$output" '4 new'
	same_past
	run -0 sync
	[[ $output == *': 0 jobs; '* ]] || same again "$output" ''
}

@test "a transaction may hold the delimiter, in its object and in what was set" {
	past_site
	LD_PRELOAD='' sqlite3 "$theirs" "INSERT INTO txn (time, action, actor, name, info) VALUES
		(1790000000, 1451, 'root', '(name=''a'' || name=''b'')', 'priority=3'),
		(1790000001, 1455, 'root', 'id_wckey=''1'' || id_wckey=''2''', ''),
		(1790000002, 1431, 'root', '|', 'a|b||'),
		(1790000003, 1456, 'root', 'id_wckey', '')"
	sync
	alike sacctmgr -nP show transactions start=2026-01-01 format=time,action,actor,where
	alike sacctmgr -nP show transactions start=2026-01-01 format=info
	[[ $(sacctmgr -nP show transactions start=2026-01-01 format=info) == *'a|b||'* ]]
}

@test "what is left over is listed, with status 2" {
	past_site
	LD_PRELOAD='' sqlite3 "$theirs" 'UPDATE job SET assoc = NULL WHERE id = 4;
		UPDATE assoc SET id = id + 5 WHERE user = "dan" AND account = "a";
		UPDATE assoc SET user = "" WHERE FALSE;
		UPDATE job SET user = "joe", account = "lab" WHERE id = 4'
	capture sync
	same status "$status" 2
	[[ $stderr == *"no longer has one of user joe in account lab: 4"* ]] ||
		same list "$stderr" ""
	run ! grep -q -e --create <<<"$stderr"
	prints '4|joe|lab' sacct -naPX -S 2026-01-01 -j 4 -o jobid,user,account
}

@test "a renamed user, and rows that change their names in a ring, are followed by number" {
	past_site
	sync
	there sacctmgr -iQ modify user dan set newname=daniel >/dev/null
	run -0 sync
	same_past
	prints $'1|daniel\n4|daniel' sacct -naPX -S 2026-01-01 -u daniel -o jobid,user
	run -0 sync
	[[ $output == *': 0 jobs; '* ]] || same again "$output" ''
	# ann and daniel change names, by hand in the database; an account and a QOS are renamed.
	LD_PRELOAD='' sqlite3 "$theirs" "
		UPDATE assoc SET user = '-' WHERE user = 'ann' AND account = 'a';
		UPDATE assoc SET user = 'ann',
			lineage = replace(lineage, '0-daniel/', '0-ann/')
			WHERE user = 'daniel' AND account = 'a';
		UPDATE assoc SET user = 'daniel',
			lineage = replace(lineage, '0-ann/', '0-daniel/') WHERE user = '-';
		UPDATE job SET user = 'ann' WHERE id = 4;
		UPDATE account SET name = 'bb' WHERE name = 'b';
		UPDATE assoc SET account = 'bb', lineage = replace(lineage, '/b/', '/bb/')
			WHERE account = 'b';
		UPDATE qos SET name = '-' WHERE name = 'high';
		UPDATE qos SET name = 'high' WHERE name = 'gone';
		UPDATE qos SET name = 'higher' WHERE name = '-'"
	run -0 sync
	same_past
	prints $'3|high' sacct -naPX -S 2026-01-01 -j 3 -o jobid,qos
	# The new name was another's, who is gone without a trace.
	there sacctmgr -iQ add user fay account=a >/dev/null
	sync
	there sacctmgr -iQ delete user fay >/dev/null
	there sacctmgr -iQ modify user daniel set newname=fay >/dev/null
	run -0 sync
	same_past
}

@test "deleted and added again, in the same round or another" {
	past_site
	sync
	there sacctmgr -iQ delete user eve >/dev/null
	there sacctmgr -iQ delete user ann account=b >/dev/null
	sync
	same_past
	there sacctmgr -iQ add user eve account=old fairshare=4 >/dev/null
	there sacctmgr -iQ delete user dan account=old >/dev/null
	there sacctmgr -iQ add user dan account=old fairshare=9 >/dev/null
	there sacctmgr -iQ delete qos gone >/dev/null
	there sacctmgr -iQ add user ann account=b >/dev/null
	sync
	same_past
	there sacctmgr -iQ add qos gone,more >/dev/null
	sync
	same_past
}

@test "an account and a user that went without a trace, with no association left, go here too" {
	past_site
	there sacctmgr -iQ add account lab >/dev/null
	there sacctmgr -iQ add user fay account=lab >/dev/null
	LD_PRELOAD='' sqlite3 "$theirs" "DELETE FROM assoc WHERE 'lab' IN (account, user)
		OR user = 'fay'"
	sync
	prints $'fay\nlab' bash -c "sacctmgr -nP show user fay format=user &&
		sacctmgr -nP show account lab format=account"
	LD_PRELOAD='' sqlite3 "$theirs" "DELETE FROM user WHERE name = 'fay';
		DELETE FROM account WHERE name = 'lab'"
	run -0 sync
	[[ $output == *': 0 jobs, 1 other records changed;'* ]] || same said "$output" '1 other'
	same_past
}

# Slurm keeps these of a QOS; a key and an association have no more than their names.
@test "of what is deleted comes what Slurm keeps" {
	past_site
	there sacctmgr -iQ <<-'END' >/dev/null
		modify qos gone set flags=NoDecay,DenyOnLimit preemptmode=requeue description=old
		modify qos gone set maxwall=60 grptres=cpu=4 maxtrespu=cpu=2 usagefactor=3
		modify user eve set maxjobs=4 fairshare=7 maxwall=60
		add user eve wckey=k1,k2
		modify user ann set qos-=gone
		modify user dan set qos-=gone
	END
	LD_PRELOAD='' sqlite3 "$theirs" 'UPDATE wckey SET created = created - 200000'
	local store=$PWD/second.db
	BURSAR_STORE=$store sync
	there sacctmgr -iQ delete user eve wckey=k2 >/dev/null
	there sacctmgr -iQ delete user eve >/dev/null
	there sacctmgr -iQ modify qos gone set description=older >/dev/null
	there sacctmgr -iQ delete qos gone >/dev/null
	LD_PRELOAD='' sqlite3 "$theirs" '.mode list' 'SELECT name, deleted FROM wckey' >keys
	same keys "$(<keys)" $'k1|1\nk2|1'
	prints 'gone|older|0|DenyOnLimit,NoDecay|requeue|||1.000000' \
		there sacctmgr -nP show qos gone withdeleted \
		format=name,description,priority,flags,preemptmode,grptres,maxwall,usagefactor
	# In a store that begins now, and in one that followed.
	sync
	same_past
	BURSAR_STORE=$store sync
	BURSAR_STORE=$store same_past
	# They come back without what they were.
	there sacctmgr -iQ add qos gone >/dev/null
	there sacctmgr -iQ add user eve account=old wckey=k2 >/dev/null
	sync
	same_past
}

# A tree of the accounts a to h, by the numbers: each is below one of those before it, in an order
# of its own.
random_tree() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		n = split("a b c d e f g h", v, " ")
		for (i = n; i > 1; i--) { k = 1 + int(rand() * i); t = v[i]; v[i] = v[k]; v[k] = t }
		for (i = 1; i <= n; i++) {
			k = int(rand() * i)
			print v[i], k ? v[k] : "root"
		}
	}'
}

@test "any tree of the same accounts becomes any other, by one round" {
	local seed name parent
	# Slurm's rows may come in any order.
	fake sacctmgr "[[ \$1 != -V ]] || { echo slurm 26.05.3; exit; }
		[[ \$* == *association* ]] && order=tac || order=cat
		BURSAR_STORE=$theirs $(command -v sacctmgr) \"\$@\" | \$order"
	{
		printf 'add account %s\n' a b c d e f g h
		printf 'add user u%s account=%s\n' 1 a 2 b 3 c 4 d 5 e 6 f 7 g 8 h
	} | there sacctmgr -iQ >/dev/null
	for seed in {1..8}; do
		# The rows of ours, which stands in for Slurm, are changed as they would be there.
		random_tree "$seed" | while read -r name parent; do
			echo "UPDATE assoc SET parent = (SELECT key FROM assoc WHERE user = ''
				AND account = '$parent') WHERE user = '' AND account = '$name';"
		done >moves
		cat >>moves <<-'END'
			WITH RECURSIVE t (key, lineage) AS (
				SELECT key, '/' FROM assoc WHERE parent IS NULL
				UNION ALL SELECT a.key, t.lineage || iif(a.user = '', a.account,
				'0-' || a.user) || '/' FROM assoc a JOIN t ON a.parent = t.key)
			UPDATE assoc SET lineage = t.lineage FROM t WHERE t.key = assoc.key;
		END
		LD_PRELOAD='' sqlite3 "$theirs" <moves
		sync 2>said || same said "$(<said)" ''
		alike sacctmgr -nP show assoc format=id,account,user,parentname,lineage
		# The same by a file, in a third store.
		there sacctmgr dump canis format=yaml file=tree.yaml >/dev/null
		BURSAR_STORE=$PWD/third.db sacctmgr -iQ apply tree.yaml prune >said ||
			same said "$(<said)" ''
		same third "$(BURSAR_STORE=$PWD/third.db sacctmgr -nP show assoc \
			format=account,user,parentname,lineage)" \
			"$(there sacctmgr -nP show assoc format=account,user,parentname,lineage)"
	done
	fine tree
}

@test "amounts of usage that came from Slurm are facts: check and rebuild leave them" {
	local amounts
	past_site
	there sacctmgr -iQ delete user eve >/dev/null
	fake sshare 'printf "%s\n" "root|||8723578" " root|root||0" " a|||8000000" \
		"  a|ann||70000" "  a|dan||5" "  b|||900" "   b|ann||900" \
		" old|||600000" "  old|dan||0"'
	sync
	# A group that is gone left some at root, as eve did at old.
	amounts='root||8723578
 root|root|0
 a||8000000
  a|ann|70000
  a|dan|5
  b||900
   b|ann|900
 old||600000
  old|dan|0'
	prints "$amounts" sshare -nPa -o account,user,rawusage
	fine usage
	run -0 sacctmgr -i rebuild usage
	prints "$amounts" sshare -nPa -o account,user,rawusage
	# Another round, after a change of the tree.
	there sacctmgr -iQ modify account old set parent=a >/dev/null
	there sacctmgr -iQ modify user dan set newname=zoe >/dev/null
	sed -i 's/dan/zoe/g; s/8000000/8500000/' slurm/sshare
	sync
	prints ' a||8500000' bash -c "sshare -nPa -o account,user,rawusage | grep '^ a|'"
	fine usage
}

# Days of work by all, with steps, one that was cancelled, one that runs, keys and a departed user.
verified_site() {
	there sacctmgr -iQ <<-'END' >/dev/null
		add account a
		add account b parent=a
		add account old
		add user ann account=a,b wckey=k1,k2
		add user bob account=a
		modify user ann set defaultwckey=k2
		add user eve account=old
	END
	local id=0 user
	there srecord cluster tres=cpu=64 start=now-3days
	for user in ann bob eve; do
		there srecord job id=$((++id)) user=$user cpus=2 start=now-2days end=now-47hours \
			nodelist='n[1-2]' state=COMPLETED >/dev/null
		there srecord step job=$id step=0 tasks=4 start=now-2days end=now-47hours \
			maxrss=5M state=COMPLETED
	done
	there srecord job id=4 user=ann account=b cpus=1 start=now-1day end=now-20hours \
		state=CANCELLED killed_by=1002 >/dev/null
	there srecord job id=5 user=ann account=a cpus=1 submit=now-1hour start=now-50minutes \
		timelimit=90 >/dev/null
	there sacctmgr -iQ delete user eve >/dev/null
}

# finds LISTING WORDS SQL: of a copy that was damaged so, --verify says WORDS of the listing
finds() {
	local copy=$PWD/copy.db
	cp "$(store)" "$copy"
	LD_PRELOAD='' sqlite3 "$copy" "$3"
	BURSAR_STORE=$copy capture sync --verify
	same "status after $3" "$status" 1
	grep -q "^$1: .*$2" <<<"$stdout" || same "what is said of $1" "$stdout" "$2"
}

@test "--verify compares all listings, and says what it did not" {
	verified_site
	sync 2>/dev/null
	LD_PRELOAD='' sqlite3 "$(store)" .dump >before
	run -0 sync --verify
	same listings "$(sed 's/:.*//' <<<"$output" | uniq)" 'associations
accounts
users
QOS
wckeys
TRES
clusters
node events
reservations
transactions
jobs and steps
the queue
shares
fair-share
raw usage
priority of pending jobs
utilization by user (CPU minutes)
utilization of the cluster (CPU minutes)
not compared'
	run ! grep -v -e ' 0 differ$' -e '^raw usage: [0-9]* rows, 0 differ' \
		-e '^not compared: ' <<<"$output"
	same store "$(LD_PRELOAD='' sqlite3 "$(store)" .dump)" "$(<before)"
	# A job that runs has run for longer when it is asked for later.
	fake sacct "BURSAR_STORE=$theirs BURSAR_NOW=$(($(date +%s) + 30)) \
		exec $(command -v sacct) \"\$@\""
	run -0 sync --verify
	# What Slurm's side does not answer is no difference.
	fake sreport 'echo "sreport: error: no way" >&2; exit 1'
	run -0 sync --verify
	[[ $output == *'not compared: utilization by user (CPU minutes): sreport failed'* ]]
}

@test "--verify finds each kind of damage" {
	verified_site
	sync 2>/dev/null
	finds 'jobs and steps' '2 only in Slurm' 'DELETE FROM step WHERE job IN
		(SELECT key FROM job WHERE user = "eve"); DELETE FROM job WHERE user = "eve"'
	finds 'utilization by user.*' 'only in Slurm' \
		'UPDATE job SET assoc = NULL, account = "x" WHERE user = "eve"'
	finds associations '1 only in Slurm' 'DELETE FROM assoc WHERE user = "eve"'
	finds associations "User is 'bob' there, 'rob' here" \
		'UPDATE assoc SET user = "rob" WHERE user = "bob"'
	finds associations "ParentName is 'a' there, 'root' here" 'UPDATE assoc SET
		lineage = "/b/", parent = (SELECT key FROM assoc WHERE parent IS NULL)
		WHERE account = "b" AND user = ""'
	finds 'raw usage' '[1-9] differ, most by' 'DELETE FROM usage'
	finds 'jobs and steps' 'differ in .*NTasks.*most by 3' 'UPDATE step SET tasks = 1'
	finds 'jobs and steps' '1 only in Slurm' 'DELETE FROM job WHERE id = 5'
	finds +DefaultWCKey k2 'UPDATE wckey SET is_default = 0'
	finds 'jobs and steps' "State is 'CANCELLED by 1002' there, 'CANCELLED' here" \
		'UPDATE job SET killed_by = ""'
	finds 'jobs and steps' '1 differ in AssocID' 'UPDATE job SET
		assoc = (SELECT key FROM assoc WHERE user = "bob") WHERE id = 4'
	srecord step job=1 step=0 maxrss=6M
	finds 'jobs and steps' "MaxRSS is '5M' there, '6M' here" ''
}

@test "a job that waits keeps its association when its user is renamed" {
	past_site
	there srecord job id=9 user=dan account=a cpus=1 submit=now-9 >/dev/null
	# sacct knows the number of its association, squeue has the user's old name.
	fake squeue "BURSAR_STORE=$theirs $(command -v squeue) \"\$@\" | sed 's/zoe/dan/g'"
	sync
	there sacctmgr -iQ modify user dan set newname=zoe >/dev/null
	run -0 sync
	prints 'zoe|a' sacct -naPX -S now-1hour -j 9 -o user,account
	# Another has the name now.
	there sacctmgr -iQ add user dan account=a >/dev/null
	run -0 sync
	prints 'zoe|a' sacct -naPX -S now-1hour -j 9 -o user,account
	alike sacctmgr -nP show assoc format=id,account,user
	# slurmctld gives it to who has the name; and a store that begins now has it right at once.
	alike sacct -naPX -S now-1hour -o jobid,user,account,associd
	BURSAR_STORE=$PWD/third.db sync
	same third "$(BURSAR_STORE=$PWD/third.db sacct -naPX -j 9 -S now-1hour -o user,account)" \
		'zoe|a'
	LD_PRELOAD='' sqlite3 "$theirs" "UPDATE job SET user = 'dan', assoc = (SELECT key FROM assoc
		WHERE user = 'dan' AND account = 'a') WHERE id = 9"
	sync
	alike sacct -naPX -S now-1hour -o jobid,user,account,associd
}
