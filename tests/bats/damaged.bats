# Stores that somebody has damaged, by mistake or to do harm: an error, never a crash or a hang.

setup() {
	load lib
	fresh_cluster
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	srecord job user=ann account=lab cpus=2 submit=2026-01-01T00:00:00 \
		start=2026-01-01T01:00:00 end=2026-01-01T02:00:00 state=COMPLETED >/dev/null
	srecord job user=ann account=lab cpus=2 start=now nodelist=vm >/dev/null
	srecord job user=ann account=lab cpus=2 >/dev/null
}

# By which timeout and signals end it.
no_signal() {
	((status < 64)) || same "exit status of $1" "$status" 'less than 64'
}

# Messages of SQLite are for programmers: db/file/reason.c says it in words.
no_sqlite() {
	local said
	said=$(grep -aE 'malformed|I/O error|constraint failed|no such (table|column)|logic error' \
		out err; grep -aE 'not a database|unable to open|out of memory|not an error' out err
		grep -aF '*** in' out err) || return 0
	same "words of $1" "$said" 'not those of SQLite'
}

# Everything that lists; each ends, and not by a signal.
all_end() {
	local command
	while read -r command; do
		status=0
		timeout 300 $command >out 2>err </dev/null || status=$?
		no_signal "$command"
		no_sqlite "$command"
	done <<-END
		sacctmgr show assoc
		sacctmgr show user withassoc
		sacctmgr show txn
		sacctmgr dump canis file=dump
		sacctmgr check
		sshare -al
		sshare --at=now-1day
		sshare --explain
		sprio -l
		squeue --all --Format=ALL
		squeue --start
		sacct -aP -S 2020-01-01 --format=all
		sreport cluster utilization start=2026-01-01 end=2026-01-09
		seff 1
		splan
		ssim --policy=slurm
	END
}

@test "damaged: a log of changes whose numbers do not fall" {
	ask 'DROP TABLE change;
		CREATE TABLE change (id REAL, time INTEGER, actor TEXT, command TEXT,
			changeset BLOB, undone INTEGER)'
	ask "INSERT INTO change VALUES (-0.5, 1767225600, 'root', 'x', x'', NULL)"
	capture timeout 300 sshare --at=2025-01-01
	same status "$status" 1
	[[ $stderr == *'its log of changes is out of order'* ]]
	all_end
}

@test "damaged: a view without end in the place of a table" {
	ask "ALTER TABLE tres RENAME TO tres_before;
		CREATE VIEW tres AS WITH RECURSIVE c (x) AS
			(SELECT 1 UNION ALL SELECT x + 1 FROM c)
			SELECT x AS id, 'cpu' AS type, '' AS name, 0 AS deleted FROM c"
	for command in 'sshare -a' 'sacctmgr show tres' 'sacctmgr -i add account x' squeue; do
		capture timeout 300 $command
		same "exit status of $command" "$status" 1
		[[ $stderr == *"has a view 'tres' that Bursar did not make"* ]]
	done
}

@test "damaged: an index with fewer associations than another" {
	local root
	root=$(ask "SELECT rootpage FROM sqlite_schema WHERE name = 'assoc_parent'")
	sqlite3 "$(store)" '.dbconfig defensive off' 'PRAGMA writable_schema = on' \
		"DELETE FROM sqlite_schema WHERE name = 'assoc_parent'" >/dev/null
	sacctmgr -iQ add account other >/dev/null
	sqlite3 "$(store)" '.dbconfig defensive off' 'PRAGMA writable_schema = on' \
		"INSERT INTO sqlite_schema VALUES ('index', 'assoc_parent', 'assoc', $root,
			'CREATE INDEX assoc_parent ON assoc (parent)')" >/dev/null
	capture sshare -a
	same status "$status" 1
	[[ $stderr == *'an index of associations lacks some'* ]]
	all_end
}

@test "damaged: a trigger of somebody else" {
	ask 'CREATE TRIGGER mine AFTER INSERT ON account BEGIN DELETE FROM assoc; END'
	refuses "has a trigger 'mine' that Bursar did not make" sacctmgr -i add account x
	ask 'DROP TRIGGER mine'
	sacctmgr -iQ add account x >/dev/null
}

@test "damaged: times and amounts at the ends of what a number can be" {
	columns=$(ask "SELECT name FROM pragma_table_info('job') WHERE type = 'INTEGER'
		AND name NOT IN ('key', 'cluster', 'id', 'assoc', 'qos', 'state')")
	for n in 9223372036854775807 '(-9223372036854775807 - 1)' 1767225600; do
		for column in $columns; do
			ask "UPDATE job SET $column = $n WHERE NOT $column ISNULL" || true
		done
		all_end
		ask "UPDATE assoc SET shares = $n, grp_wall = $n, max_jobs = $n;
			UPDATE usage SET raw = 1e308, at = $n, begin = $n;
			UPDATE usage_fact SET time = $n;
			UPDATE usage_sum SET begin = $n, at = $n" || true
		all_end
	done
}

@test "damaged: pages overwritten, one after the other" {
	sacctmgr -Q backup whole
	pages=$(($(stat -c %s whole) / 16384))
	for ((page = 1; page < pages; page += 5)); do
		cp whole "$(store)"
		head -c 600 /dev/urandom |
			dd of="$(store)" bs=1 seek=$((16384 * page)) conv=notrunc 2>/dev/null
		for command in 'sacctmgr show assoc' 'sshare -al' 'squeue --all' \
			'sacct -aP -S 2020-01-01' 'sacctmgr check' 'sacctmgr -i add account y'; do
			status=0
			timeout 300 $command >out 2>err </dev/null || status=$?
			no_signal "$command"
			no_sqlite "$command"
		done
	done
}

@test "damaged: what a restore would change cannot be said beside a lacking table" {
	sacctmgr -Q backup good
	ask 'PRAGMA foreign_keys = OFF; DROP TABLE coordinator'
	refuses 'good: stores cannot be compared: coordinator: its tables are not those that' \
		sacctmgr --dry-run restore good
}

@test "damaged: accounts above themselves" {
	ask 'PRAGMA foreign_keys = OFF; UPDATE assoc SET parent = (SELECT max(key) FROM assoc)'
	all_end
	for command in squeue 'srecord job user=ann' splan sinfo; do
		refuses 'is damaged: an association' $command
	done
	for command in '-i add user bob account=lab' '-i delete user ann' 'show user withassoc'; do
		capture timeout 60 sacctmgr $command
		((status < 2)) || same "$command" "$status $stderr" 'an end'
	done
}

@test "damaged: no TRES" {
	ask 'PRAGMA foreign_keys = OFF; DELETE FROM tres'
	all_end
}
