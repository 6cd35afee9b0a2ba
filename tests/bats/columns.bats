#!/usr/bin/env bats
# A store whose tables have a column more than the program knows, as after the next migration:
# everything that finds its columns in a changeset, a row or a copy answers as before.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	export BURSAR_NOW=1790000000 BURSAR_STORE # whose clock is that
	BURSAR_STORE=$(store)
}

# What happened before, with its entries in the log.
past() {
	sacctmgr -iQ add account lab,other fairshare=3 grptres=cpu=8
	sacctmgr -iQ add user ann,bob account=lab,other
	sacctmgr -iQ add qos fast priority=10 usagefactor=2
	sacctmgr -iQ modify user ann set qos+=fast
	srecord job user=ann account=lab cpus=4 qos=fast submit=now-3hours start=now-2hours \
		end=now-1hour
	srecord job user=bob account=lab cpus=2 start=now-30minutes
	srecord job user=bob account=other cpus=2 start=now-40minutes end=now-20minutes
	BURSAR_NOW=$((BURSAR_NOW + 600))
	sacctmgr -iQ modify user bob account=lab set fairshare=7
	sacctmgr -iQ modify qos fast set priority=20 flags=NoDecay
	sacctmgr -iQ modify account lab set rawusage=0
	sacctmgr -iQ delete user bob account=other
}

# change_before N: the number of the Nth change before the last.
change_before() {
	ask "SELECT id FROM change ORDER BY id DESC LIMIT 1 OFFSET $1"
}

# What comes now, and all that reads it: each command with what it prints.
present() {
	BURSAR_NOW=$((BURSAR_NOW + 600))
	local line
	while read -r line; do
		printf '$ %s\n' "$line"
		eval "$line" 2>&1 || echo "status $?"
	done <<-'END'
		sacctmgr -iQ modify account other set fairshare=9 maxjobs=4
		sacctmgr -i undo
		sacctmgr -i redo
		sacctmgr -i modify user ann account=lab set fairshare=5 until=now+2days
		srecord job id=2 end=now state=COMPLETED
		srecord job user=ann account=other cpus=1 start=now-10minutes end=now
		sacctmgr -i undo
		sacctmgr -i undo
		sacctmgr -i undo
		sacctmgr -i undo
		sacctmgr -i undo
		sshare -alP
		sacctmgr -i redo
		sacctmgr -i delete account other
		sacctmgr -i undo
		sshare -alP
		sacctmgr -i rebuild usage
		sacctmgr -i rebuild rollups
		sacctmgr check
		sacctmgr -P list transactions
		sacctmgr -P show assoc withblame
		sacctmgr -P show qos withblame
		sacctmgr -i --dry-run modify account lab set fairshare=50
		sacctmgr -i --dry-run delete user bob
		sshare -alP --what-if='modify account lab set fairshare=50'
		sshare -alP --at=now-15minutes
		sshare -alP --at=now-25minutes
		sshare -alP --at=now+3days
		sshare -aP --history --start=now-1hour
		sacctmgr -iQ delete user ann account=other
		sacctmgr -iQ add user ann account=other
		srecord job user=ann account=other cpus=3 start=now-10minutes end=now
		sacctmgr -iQ modify qos fast set priority=30
		BURSAR_NOW=$((BURSAR_NOW + 60)) sacctmgr -iQ modify qos fast set grpjobs=5
		sacctmgr -i undo "$(change_before 1)"
		sacctmgr -i undo "$(change_before 3)"
		sshare -alP
		srecord cluster tres=cpu=8,node=1 start=now-4days
		srecord node node=vm state=down start=now-3hours end=now-2hours reason=disk
		srecord reservation name=res nodes=vm start=now-1hour end=now+1hour accounts=lab
		srecord job user=ann account=lab id=900 start=now-49hours end=now-26hours
		srecord step job=900 step=0 start=now-49hours end=now-48hours cputime=60 maxrss=1M
		sreport -P cluster utilization start=now-3days
		srecord job id=900 suspended=1:00:00
		sreport -P cluster utilization start=now-3days
		srecord import jobs.txt 2>&1 | sed 's/;.*//'
		sacctmgr -i backup kept.db
		sacctmgr -i delete user bob
		sacctmgr -i restore kept.db >/dev/null
		sacctmgr -i load more.cfg 2>&1 | sed 's,usec=.*,,'
		sacctmgr -i undo
		sacctmgr -i archive dump directory=. jobs events steps purgejobafter=1hours
		sacctmgr -i archive load file=$(echo canis_archive*)
		sacct -aXP -S now-1day -o all
		sreport -P user top start=now-1day
		sacctmgr -i dump canis file=dump.cfg
		cat dump.cfg
		sshare -alP
	END
}

@test "a column behind the others changes no answer" {
	local table
	past >/dev/null
	printf '%s\n' 'JobID|User|Account|Submit|Start|End|State|NCPUS' \
		'950|ann|lab|2026-09-20T10:00|2026-09-20T10:00|2026-09-20T11:00|COMPLETED|2' \
		>jobs.txt
	sacctmgr -iQ dump canis file=more.cfg >/dev/null 2>&1
	{ echo "Parent - 'lab'"; seq -f "User - 'u%g':DefaultAccount='lab'" 30; } >>more.cfg
	cp "$(store)" plain.db
	for table in $(ask "SELECT name FROM sqlite_schema WHERE type = 'table'
			AND name NOT LIKE 'sqlite_%'"); do
		LD_PRELOAD='' sqlite3 "$(store)" "ALTER TABLE \"$table\"
			ADD COLUMN later TEXT; UPDATE \"$table\" SET later = 'mark'"
	done
	(present) >more.txt
	mv plain.db "$(store)"
	rm -f "$(store)"-wal "$(store)"-shm archive* *_archive_*
	(present) >plain.txt
	diff plain.txt <(sed '/: later none -> mark$/d; s/[:,] later mark//' more.txt)
	grep -q '|ann|' plain.txt
	grep -E -B3 'error:|^status' plain.txt | tee bad
	[[ ! -s bad ]]
}
