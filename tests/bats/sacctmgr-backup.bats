# sacctmgr backup, restore and check: the whole store (bursar-store(5)).

setup() {
	load lib
	fresh_cluster
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

ran() {
	srecord job user=ann account=lab cpus=2 submit=2026-01-01T00:00:00 "$@" \
		state=COMPLETED >/dev/null
}

damaged() {
	sqlite3 "$(store)" "$1"
}

@test "backup: a file that is a store of its own, with nothing beside it" {
	prints ' Store written to copy' sacctmgr backup copy
	[[ ! -e copy-wal && $(stat -c %a copy) == 600 ]]
	chmod 400 copy
	BURSAR_STORE=$PWD/copy prints lab sacctmgr -nP show account lab format=account
	refuses 'is the store itself' sacctmgr backup "$(store)"
	refuses 'not a regular file' sacctmgr backup /dev/null
	mkfifo pipe
	refuses 'not a regular file' sacctmgr backup pipe # at once: nobody reads it
	refuses 'takes one file' sacctmgr backup
	refuses 'nosuch/copy' sacctmgr backup nosuch/copy
	prints '' sacctmgr -Q backup copy2
}

@test "backup: every copy is sound while others write" {
	(for ((i = 0; i < 30; i++)); do
		sacctmgr -iQ add account "w$i" >/dev/null
	done) &
	writer=$!
	for ((i = 0; i < 10; i++)); do
		sacctmgr -Q backup copy
		prints ok sqlite3 copy 'PRAGMA integrity_check'
	done
	wait "$writer"
}

@test "restore: everything is as it was, and what was there is kept" {
	sacctmgr -Q backup copy
	sacctmgr -iQ add account later >/dev/null
	sacctmgr -iQ delete user ann >/dev/null
	sacctmgr -i restore copy >out
	prints $'lab\nroot' sacctmgr -nP show account format=account
	prints ann sacctmgr -nP show user ann format=user
	kept=$(sed -n 's/^ What was there is in //p' out)
	BURSAR_STORE=$kept prints $'lab\nlater\nroot' sacctmgr -nP show account format=account
	sacctmgr -iQ add account again >/dev/null
	prints again sacctmgr -nP show account again format=account
}

@test "restore: asks, and a no changes nothing" {
	sacctmgr -Q backup copy
	sacctmgr -iQ add account later >/dev/null
	run -1 sacctmgr restore copy <<<n
	[[ $output == *'Changes Discarded' ]]
	prints later sacctmgr -nP show account later format=account
	run ! compgen -G "$(store).before*"
}

@test "restore: what is not a sound store is refused" {
	echo 'no rows' >junk
	refuses 'junk is not a Bursar store' sacctmgr -i restore junk
	sqlite3 other 'CREATE TABLE t (a)'
	refuses 'other is not a Bursar store' sacctmgr -i restore other
	sacctmgr -Q backup copy
	head -c 300000 copy >half
	refuses 'half' sacctmgr -i restore half
	cp copy newer
	sqlite3 newer 'PRAGMA user_version = 99'
	refuses 'written by a newer Bursar' sacctmgr -i restore newer
	cp copy broken
	printf 'xxxxxxxxxxxxxxxx' | dd of=broken bs=1 seek=$((16384 * 3)) conv=notrunc 2>/dev/null
	refuses 'broken is damaged' sacctmgr -i restore broken
	refuses 'nosuch cannot be read' sacctmgr -i restore nosuch
	refuses 'is the store itself' sacctmgr -i restore "$(store)"
	prints lab sacctmgr -nP show account lab format=account
}

@test "restore: over a store that cannot be opened" {
	sacctmgr -Q backup copy
	echo 'these are not the rows' >"$(store)"
	refuses 'is not a Bursar store' sacctmgr show account
	capture sacctmgr -i restore copy
	[[ $status == 0 && $stderr == *'is not a Bursar store'* ]]
	kept=$(sed -n 's/^ What was there is in //p' <<<"$stdout")
	prints lab sacctmgr -nP show account lab format=account
	[[ $(<"$kept") == 'these are not the rows' ]]
}

@test "restore: a reader sees all of the old or all of the new" {
	sacctmgr -iQ add user 'u[1-500]' account=lab >/dev/null
	sacctmgr -Q backup many
	sacctmgr -iQ delete user 'u[1-500]' >/dev/null
	sacctmgr -Q backup few
	(for ((i = 0; i < 5; i++)); do
		sacctmgr -i restore many >/dev/null
		sacctmgr -i restore few >/dev/null
	done) &
	writer=$!
	while kill -0 "$writer" 2>/dev/null; do
		n=$(sacctmgr -nP show assoc account=lab format=user | wc -l)
		[[ $n == 2 || $n == 502 ]]
	done
	wait "$writer"
}

@test "backup, restore and check are for those who may" {
	local_users ann
	sacctmgr -Q backup copy
	refuses "doesn't have privilege" as ann sacctmgr backup mine
	refuses "doesn't have privilege" as ann sacctmgr -i restore copy
	refuses "doesn't have privilege" as ann sacctmgr check
	refuses 'readonly' sacctmgr -ir restore copy
}

@test "check: a store that is right" {
	srecord cluster tres=cpu=64 start=2026-01-01
	ran start=2026-01-01T01:00:00 end=2026-01-01T02:00:00
	sreport cluster utilization start=2026-01-01 end=2026-01-09 >/dev/null
	capture sacctmgr check
	same status "$status" 0
	[[ $stdout == *' checks, nothing found' && ! $stderr ]]
	prints '' sacctmgr -Q check
	prints ' tree            fine: every association has its account above it
 1 checks, nothing found' sacctmgr check tree
	refuses 'Unknown check: nosuch' sacctmgr check nosuch
}

# finds CHECK WORDS: exit status 2, and that is what it says.
finds() {
	capture sacctmgr check
	same status "$status" 2
	[[ $stdout == *"$1"*"$2"* ]] || same "what is found" "$stdout" "$1 ... $2"
}

@test "check: what is wrong is found, and said what mends it" {
	damaged "DELETE FROM user WHERE name = 'ann'"
	finds names 'association of user ann, who is not there'
	sacctmgr -iQ add user ann >/dev/null || true
	damaged "UPDATE assoc SET parent = 2 WHERE user = 'ann'"
	finds tree 'is not below what is above it'
}

@test "check: half of an added user" {
	damaged "DELETE FROM assoc WHERE user = 'ann'"
	finds users 'user ann has no association; the log has one'
	sacctmgr -iQ add user ann account=lab >/dev/null
	[[ $(sacctmgr check users) == *'nothing found' ]]
}

@test "check: a row that refers to nothing, an index that lacks a row" {
	damaged 'UPDATE txn SET change = 999 WHERE change NOT NULL'
	finds references 'a row of txn refers to none of change'
	finds log 'is of no change'
}

@test "check: usage that is not what the records come to, until it is rebuilt" {
	ran start=2026-01-01T01:00:00 end=2026-01-01T02:00:00
	damaged 'UPDATE usage SET raw = raw + 1000'
	finds usage 'remedy: sacctmgr rebuild usage'
	sacctmgr -i rebuild usage >/dev/null
	[[ $(sacctmgr check usage) == *'nothing found' ]]
}

@test "check: roll-ups that are not what the records come to, until they are rebuilt" {
	srecord cluster tres=cpu=64 start=2026-01-01
	now=$(date +%s)
	ran start=uts$((now - 86400 * 9)) end=uts$((now - 86400 * 8))
	sreport cluster utilization start=now-20days end=now >/dev/null
	[[ $(sacctmgr check roll-ups) == *'nothing found' ]]
	damaged 'UPDATE rollup_cluster SET alloc = alloc / 2'
	finds roll-ups 'remedy: sacctmgr rebuild rollups'
	sacctmgr rebuild rollups
	[[ $(sacctmgr check roll-ups) == *'nothing found' ]]
}

@test "check: a damaged page is found, and no other file is touched" {
	page=$(ask "SELECT rootpage FROM sqlite_schema WHERE name = 'assoc_user'")
	printf 'xxxxxxxxxxxxxxxx' |
		dd of="$(store)" bs=1 seek=$((16384 * (page - 1))) conv=notrunc 2>/dev/null
	capture sacctmgr check
	same status "$status" 2
	[[ $stdout == *integrity*'remedy: sacctmgr restore FILE'* ]]
}

# What is written waits for a reader of the pipe, or is large: interrupted somewhere on the way.
@test "restore, backup: an interrupt leaves no copy behind" {
	local command pid n
	seq 1 30000 | awk 'BEGIN { print "JobID|User|Account|Submit|Start|End|State" }
		{ print $1 "|root|root|2026-01-05T00:00:00|2026-01-05T01:00:00|" \
			"2026-01-05T02:00:00|COMPLETED" }' |
		srecord import - 2>/dev/null || true
	sacctmgr -Q backup whole
	for command in 'sacctmgr -iQ restore whole' 'sacctmgr -iQ backup other'; do
		for n in 1 2 3 4 5 6; do
			bash -c "trap - INT; exec $command" >/dev/null 2>&1 &
			pid=$!
			until compgen -G "$(store).before-*" || compgen -G 'other*'; do
				kill -0 "$pid" || break
			done >/dev/null 2>&1
			kill -TERM "$pid" 2>/dev/null || true
			wait "$pid" && break
			# A copy that has its name already is a whole one.
			same 'what is left' "$(compgen -G "$(store).before-*"
				compgen -G 'other?*')" ''
			[[ ! -e other ]] || BURSAR_STORE=$PWD/other sacctmgr -Q check integrity
			rm -f other
		done
		rm -f "$(store)".before-* other
	done
	[[ $(sacctmgr check integrity) == *fine* ]]
}
