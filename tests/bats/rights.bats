# Who may change what: srecord, the transaction log, whose slurm.conf is believed (bursar-store(5)).
# What only real users show is in tests/bats/rights-uids.bats.

setup() {
	load lib
	fresh_cluster
	local_users ann bob opal
	sacctmgr -iQ add account lab,other >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
	sacctmgr -iQ add user opal account=lab adminlevel=operator >/dev/null
}

# log ID: what the log says from that row on.
log() {
	sacctmgr -nP show transactions format=action,actor,where,info |
		tail -n "+$(($1 + 1))"
}

rows() {
	ask 'SELECT count(*) FROM txn'
}

own_jobs() {
	echo AllowOwnJobRecords=yes >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
}

@test "srecord: facts are for root, SlurmUser, operators and administrators" {
	local fact
	srecord job id=1 user=bob cpus=1
	for fact in 'job user=ann' 'job id=1 state=cancelled' 'node node=vm state=down' \
		'cluster tres=cpu=1' 'reservation name=r end=now+1hour nodes=vm' \
		'step job=1 step=0' 'import nothing'; do
		refuses 'is for root, SlurmUser, operators and administrators' \
			as ann srecord $fact
	done
	same jobs "$(ask 'SELECT id, user, state FROM job')" '1|bob|0'
	same events "$(ask "SELECT count(*) FROM event WHERE node <> ''")" 0
	as opal srecord node node=vm state=down
	as opal srecord job id=2 user=ann
	same jobs "$(ask 'SELECT id, user, state FROM job')" $'1|bob|0\n2|ann|0'
}

@test "srecord import: an operator's, not a user's" {
	{ echo 'JobIDRaw|User|Account|State|Submit|Start|End'
	echo '7|ann|lab|COMPLETED|2000000|2000010|2000020'; } >jobs
	refuses 'import is for root' as ann srecord import jobs
	as opal srecord import jobs
	same jobs "$(ask 'SELECT id FROM job')" 7
}

@test "srecord job for oneself: only where slurmdbd.conf allows it" {
	refuses 'AllowOwnJobRecords' as ann srecord job user=ann
	own_jobs
	prints 1 as ann srecord job user=ann
	as ann srecord job id=1 state=cancelled
	refuses 'it is not yours' as ann srecord job user=bob
	printf '%s\n' 'job id=1 comment=x' 'job user=bob' 'node node=vm state=down' >facts
	run -1 as ann srecord - <facts
	[[ ${lines[0]} == ok && ${lines[1]} == 'error: line 2: '*'it is not yours' ]]
	[[ ${lines[2]} == 'error: line 3: node is for root, SlurmUser, operators'* ]]
	srecord job id=5 user=bob
	refuses 'job 5: it is not yours' as ann srecord job id=5 state=cancelled
	refuses 'job 5: it is not yours' as ann srecord job id=5 user=ann
	refuses 'job 1: it is not yours' as ann srecord job id=1 user=bob
	refuses 'not in that account' as ann srecord job user=ann account=other start=now-2hours \
		end=now-1hour || refuses 'account' as ann srecord job user=ann account=other
	refuses 'node is for root' as ann srecord node node=vm state=down
	same jobs "$(ask 'SELECT id, user, state FROM job')" $'1|ann|4\n5|bob|0'
}

@test "srecord job for oneself: what only operators may say" {
	local word
	own_jobs
	for word in priority=9 lastpriority=9 site=5 nice=-5 admincomment=x systemcomment=x \
		hold=admin; do
		refuses 'for operators and administrators' as ann srecord job user=ann $word ||
			refuses 'only operators' as ann srecord job user=ann $word
	done
	same jobs "$(ask 'SELECT count(*) FROM job')" 0
	srecord job id=3 user=ann hold=admin
	refuses 'that hold is for operators' as ann srecord job id=3 hold=0
	prints 4 as ann srecord job user=ann nice=5 hold=1 comment=mine
}

@test "the log: nodes, clusters, reservations, with who it was" {
	local before
	before=$(rows)
	as opal srecord node node=vm state=drain reason=fan
	as opal srecord node node=vm state=up
	as opal srecord cluster tres=cpu=64
	as opal srecord reservation name=r nodes=vm end=now+1hour
	as opal srecord reservation name=r comment=later
	same log "$(log "$before")" 'Node State|opal|vm|node=vm, state=drain, reason=fan
Node State|opal|vm|node=vm, state=up
Cluster TRES|opal|canis|tres=cpu=64
Add Reservation|opal|r|name=r, nodes=vm, end=now+1hour
Modify Reservation|opal|r|name=r, comment=later'
}

@test "the log: corrections of jobs, not their course" {
	local before
	before=$(rows)
	srecord job id=1 user=ann cpus=2 submit=now-3hours
	srecord job id=1 start=now-2hours nodelist=vm
	srecord job id=1 end=now-1hour
	srecord job id=1 end=now-1hour
	same course "$(log "$before")" ''
	as opal srecord job id=1 user=bob
	as opal srecord job id=1 exit=3
	srecord job id=2 user=ann
	as opal srecord job id=2 state=cancelled killed_by=opal
	same log "$(log "$before")" 'Modify Job|opal|1|id=1, user=bob
Modify Job|opal|1|id=1, exit=3
Modify Job|opal|2|id=2, state=cancelled, killed_by=opal'
}

@test "the log: an import, and whom it creates" {
	local before
	before=$(rows)
	{ echo "JobIDRaw|User|Account|State|Submit|Start|End|QOS"
	echo '7|zoe|zoo|COMPLETED|2000000|2000010|2000020|fast'; } >jobs
	as opal srecord import --create jobs
	log "$before" | grep -v Associations >said
	same log "$(<said)" 'Modify Job|opal|import|import, jobs, --create
Add Accounts|opal|zoo|import
Add Users|opal|zoe|import
Add QOS|opal|fast|import'
}

@test "a slurm.conf of one's own makes no SlurmUser" {
	sed 's/^SlurmUser=.*/SlurmUser=ann/' "$SLURM_CONF" >own.conf
	cp "$BATS_TEST_TMPDIR/etc/slurmdbd.conf" slurmdbd.conf
	chmod 666 own.conf
	SLURM_CONF=own.conf refuses 'Only admins/operators/coordinators can add accounts' \
		as ann sacctmgr -iQ add account mine
	SLURM_CONF=own.conf refuses 'is for root, SlurmUser' as ann srecord job user=ann
	chmod 644 own.conf
	SLURM_CONF=own.conf as ann srecord job user=ann
}
