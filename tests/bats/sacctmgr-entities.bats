# The entities and verbs of sacctmgr beside accounts, users, QOS and clusters.

load lib

setup() {
	fresh_cluster
	local_users ann bob opal
}

quiet() {
	"$@" >/dev/null
}

sql() {
	sqlite3 "$(store)" "$@"
}

# A job that ran for an hour, and one that runs.
some_jobs() {
	quiet sacctmgr -i add account lab
	quiet sacctmgr -i add user ann account=lab
	quiet sacctmgr -i add user bob account=lab
	quiet srecord job id=7 user=ann account=lab cpus=4 timelimit=120 \
		submit=2026-01-05T08:00:00 start=2026-01-05T09:00:00 \
		end=2026-01-05T10:00:00 state=COMPLETED cputime=100
	quiet srecord job id=8 user=bob account=lab cpus=2 timelimit=60 \
		submit=2026-01-06T08:00:00 start=2026-01-06T09:00:00
}

operator() {
	quiet sacctmgr -i add account ops
	quiet sacctmgr -i add user opal account=ops adminlevel=operator
}

usage_of() {
	sshare -hnP -A lab -u "$1" -o rawusage | tail -1
}

# ---- resources ----------------------------------------------------------------------------------

matlab() {
	quiet sacctmgr -i add cluster draco
	quiet sacctmgr -i add resource matlab server=flex count=100 cluster=canis,draco allowed=40
}

@test "resource: name@server names both" {
	quiet sacctmgr -i add resource ansys@flex2 count=5
	prints 'ansys|flex2|5|License' \
		sacctmgr -nP show resource format=name,server,count,type
}

@test "resource: nothing without a count, nothing twice" {
	refuses "Need to designate a resource count to initially add 'x'" \
		sacctmgr -i add resource x
	quiet sacctmgr -i add resource x count=3
	capture sacctmgr -i add resource x count=3
	same output "$stdout" ' Nothing new added.'
	same status "$status" 1
	refuses 'Need name of resource to add' sacctmgr -i add resource count=3
}

@test "resource: shares add up to all there is at most" {
	matlab
	capture sacctmgr -i modify resource matlab where cluster=draco set allowed=61
	same status "$status" 1
	[[ $stderr == *'You can not allocate more than 100% of a resource'* ]]
	[[ $stderr == *'If change was accepted it would look like this...'* ]]
	[[ $stderr == *$'   Cluster - draco\t 61%'* ]]
	[[ $stderr == *$'   total\t\t101%'* ]]
	prints $'canis|40\ndraco|40' \
		sacctmgr -nP show resource withclusters format=cluster,allowed
	quiet sacctmgr -i modify resource matlab where cluster=draco set allowed=60
	prints '100' sacctmgr -nP show resource format=allocated
}

@test "resource: an add that does not fit changes nothing" {
	capture sacctmgr -i add resource big count=10 cluster=canis allowed=101
	same status "$status" 1
	[[ $stderr == ' Problem adding system resource: You can not allocate more than 100%'* ]]
	prints '' sacctmgr -nP show resource
}

@test "resource: Absolute counts units, SharedPool takes all or nothing" {
	quiet sacctmgr -i add cluster draco
	quiet sacctmgr -i add resource a count=30 flags=absolute cluster=canis allowed=20
	prints 'canis|20|20|Absolute' \
		sacctmgr -nP show resource withclusters format=cluster,allowed,countallowed,flags
	capture sacctmgr -i modify resource a set count=10
	same status "$status" 1
	quiet sacctmgr -i add resource p count=30 flags=sharedpool cluster=canis,draco allowed=100
	capture sacctmgr -i modify resource p where cluster=canis set allowed=50
	same status "$status" 1
	quiet sacctmgr -i modify resource p where cluster=canis set allowed=0
	capture sacctmgr -i add resource z count=1 flags=nosuch
	same output "$stdout" " Unknown Server Resource flag used in:
  'nosuch'
 Valid Server Resource flags are
 'Absolute,SharedPool'"
	same status "$status" 1
}

@test "resource: conditions" {
	matlab
	quiet sacctmgr -i add resource ansys count=5 servertype=lmx description="Two Words"
	prints 'ansys' sacctmgr -nP show resource where servert=lmx format=name
	prints 'ansys' sacctmgr -nP show resource desc="two words" format=name
	prints 'ansys' sacctmgr -nP show resource id=2 format=name
	prints 'matlab' sacctmgr -nP show resource server=flex format=name
	prints $'matlab|draco' sacctmgr -nP show resource cluster=draco format=name,cluster
	prints $'matlab|canis\nmatlab|draco' \
		sacctmgr -nP show resource allowed=40 withc format=name,cluster
	refuses "Unknown condition: bogus=1" sacctmgr show resource bogus=1
	refuses "This cluster 'nosuch' doesn't exist." sacctmgr show resource cluster=nosuch
}

@test "resource: what belongs to a cluster, what to the record" {
	matlab
	refuses $'Can\'t change "allowed" without specifying a cluster.' \
		sacctmgr -i modify resource matlab set allowed=5
	refuses $'Can\'t change "count" on a cluster-based resource.' \
		sacctmgr -i modify resource matlab where cluster=canis set count=5
	refuses 'Unknown resource type' sacctmgr -i modify resource matlab set type=x
	refuses 'Invalid value for count' sacctmgr -i modify resource matlab set count=-1
	sacctmgr -i modify resource matlab set lastconsumed=7 >said
	diff said - <<-END
	 Modified server resource ...
	  matlab@flex
	  Cluster - canis	- matlab@flex
	  Cluster - draco	- matlab@flex
	END
	prints $' Deleting resource(s)...\n  Cluster - draco\t- matlab@flex' \
		sacctmgr -i delete resource matlab cluster=draco
	prints 'matlab|canis|7' sacctmgr -nP show resource withc format=name,cluster,lastconsumed
}

@test "resource: rights" {
	matlab
	operator
	capture as opal sacctmgr -i add resource x count=1
	[[ $stderr == ' Problem adding system resource: Access/permission denied' ]]
	quiet as opal sacctmgr -i modify resource matlab set count=90
	refuses "Your user doesn't have privilege" as opal sacctmgr -i delete resource matlab
	refuses "Your user doesn't have privilege" \
		as bob sacctmgr -i modify resource matlab set count=1
	prints '90' as bob sacctmgr -nP show resource format=count
}

@test "resource: the log" {
	matlab
	quiet sacctmgr -i modify resource matlab where cluster=canis set allowed=10
	quiet sacctmgr -i delete resource matlab
	run -0 sacctmgr -nP show txn start=now-1hour format=action,where
	[[ $output == *$'Add Resources|1\nAdd Resources|1@canis\nAdd Resources|1@draco\n'* ]]
	[[ $output == *"MsgType=1484|(res_id='1' && cluster='canis')"* ]]
	# Slurm, too, has one number for shares and resources, and a term for each share.
	[[ $output == *"MsgType=1483|res_id='1' || res_id='1'
MsgType=1483|id='1' || id='1'" ]]
}

# ---- events -------------------------------------------------------------------------------------

some_events() {
	srecord cluster start=2026-01-01T00:00:00 'nodes=n[1-4]' tres=cpu=64,node=4
	srecord node node=n1 state=down reason='power cut' start=2026-01-02T00:00:00 \
		end=2026-01-02T01:30:00 tres=cpu=16
	srecord node node=n2 state=drain reason=disk start=2026-01-03T00:00:00 tres=cpu=16
}

@test "event: time, kind, nodes, state, reason, user, CPUs" {
	some_events
	show() { sacctmgr -nP show event "$@" format=nodename,state; }
	prints $'|\nn1|DOWN\nn2|DRAIN' show start=2026-01-01
	prints $'n1|DOWN\nn2|DRAIN' show all_time event=node
	prints '|' show all_time cluster
	prints $'n2|DRAIN' show all_time nodes='n[2-3]'
	prints $'n2|DRAIN' show all_time states=drain
	prints $'n1|DOWN' show start=2026-01-01 state=down
	prints $'n1|DOWN' show all_time reason=POWER
	prints $'n1|DOWN\nn2|DRAIN' show all_time user=0
	prints $'n1|DOWN\nn2|DRAIN' show all_time maxcpus=20
	prints '|' show all_time mincpus=20
	prints $'|\nn2|DRAIN' show all_time condflags=open
	prints $'|\nn1|DOWN' show start=2026-01-01 end=2026-01-02T12:00:00
	prints $'|\nn2|DRAIN' show
}

@test "event: columns" {
	some_events
	prints 'n1|Node|2|DOWN|1|01:30:00|root(0)|16|power cut|2026-01-02T01:30:00' \
		sacctmgr -nP show event all_time nodes=n1 \
		format=nodename,event,eventraw,state,stateraw,duration,user,cpucount,reason,end
	prints 'canis|cpu=64,node=4|2026-01-01T00:00:00|Unknown|n[1-4]' \
		sacctmgr -nP show event all_time cluster
	prints '1|0|Cluster' sacctmgr -nP show event all_time cluster format=eventraw,stateraw,event
}

@test "event: bad words" {
	refuses "Unknown event type: 'x'  Valid events are Cluster and Node." sacctmgr show event x
	refuses 'Invalid state: bogus' sacctmgr show event state=bogus
	refuses 'Unknown condition flag shut' sacctmgr show event condflags=shut
	refuses 'Invalid user id: nobodyhere' sacctmgr show event user=nobodyhere
	refuses 'Invalid value for MinCpus (x)' sacctmgr show event mincpus=x
	refuses 'Unknown condition: bogus=1' sacctmgr show event bogus=1
	refuses 'Invalid time specification' sacctmgr show event start=rubbish
}

@test "event, reservation: PrivateData" {
	echo 'PrivateData=events,reservations' >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	some_events
	operator
	refuses 'Access/permission denied' as bob sacctmgr show event
	refuses 'Problem with query.' as bob sacctmgr show reservation
	quiet as opal sacctmgr show event
	quiet as opal sacctmgr show reservation
}

@test "instance: cloud nodes" {
	some_events
	sql "UPDATE event SET instance_id='i-1', instance_type='m5' WHERE node='n2'"
	prints 'n2|i-1|m5' sacctmgr -nP show instance format=nodename,instanceid,instancetype
	prints '' sacctmgr -nP show instance instanceid=i-2
	prints 'n2' sacctmgr -nP show instance instancetype=m5 format=nodename
	refuses 'Unknown condition: bogus=1' sacctmgr show instance bogus=1
}

@test "reservation: period, names, nodes" {
	quiet sacctmgr show cluster
	sql "INSERT INTO reservation (cluster, id, name, start, end, nodes, tres)
		VALUES (1, 1, 'old', 1000, 2000, 'n1', '1=4'),
		(1, 2, 'new', 1000, 4000000000, 'n[2-4]', '1=8')"
	prints 'new' sacctmgr -nP show reservation format=name
	prints $'new\nold' sacctmgr -nP show resv start=1970-01-01T00:10:00 format=name
	prints 'old|cpu=4|0.000000|1' \
		sacctmgr -nP show reservation names=old start=1970-01-01T00:10:00 \
		format=name,tres,unusedwall,id
	prints 'new' sacctmgr -nP show reservation nodes=n3 cluster=canis format=name
	capture sacctmgr -nP show reservation nodes=n3
	same status "$status" 1
	[[ $stdout == "If requesting nodes you must also request the cluster.
Would you like to use the local cluster of 'canis'?"* ]]
}

# ---- problems, runaway jobs ---------------------------------------------------------------------

@test "problem: accounts without users, users without a uid or accounts" {
	some_jobs
	quiet sacctmgr -i add account empty
	quiet sacctmgr -i add user nouid account=lab
	prints $'canis|empty||Account has no users\n||nouid|User does not have a uid' \
		sacctmgr -nP show problem
	prints '||nouid|User does not have a uid' sacctmgr -nP show problem user=nouid
	refuses 'Access/permission denied' as ann sacctmgr show problem
}

@test "runawayjobs: a job past its limit is ended and costs nothing more" {
	some_jobs
	capture sacctmgr -P show runawayjobs
	same status "$status" 0
	[[ $stdout == 'NOTE: Runaway jobs are jobs'* ]]
	row='|debug|canis|RUNNING|2026-01-06T08:00:00|2026-01-06T09:00:00|Unknown'
	[[ $stdout == *$'\n8|'*"$row"* ]]
	[[ $stdout == *$'\n\nWould you like to fix these runaway jobs?\n(This sets'* ]]
	[[ $stdout == *'Changes Discarded' ]]
	[[ $(usage_of bob) -gt 0 ]]
	quiet sacctmgr -i show runawayjobs
	prints 'Runaway Jobs: No runaway jobs found on cluster canis' sacctmgr show runawayjobs
	same usage "$(usage_of bob)" 0
	same record "$(sql 'SELECT state, end = start FROM job WHERE id = 8')" '3|1'
}

@test "runawayjobs: not those within their limit, not suspended ones" {
	some_jobs
	quiet srecord job id=8 start=now-10minutes
	prints 'Runaway Jobs: No runaway jobs found on cluster canis' sacctmgr show runawayjobs
}

@test "runawayjobs: EndState, clusters, rights" {
	some_jobs
	operator
	refuses 'Unknown or unsupported state specified (running)' \
		sacctmgr -i show runawayjobs set endstate=running
	refuses 'only fix runaway jobs on one cluster at a time' sacctmgr show runawayjobs a,b
	refuses 'Cluster nosuch is unknown' sacctmgr show runawayjobs nosuch
	refuses 'You must have an AdminLevel>=Operator' as ann sacctmgr show lostjobs
	quiet sacctmgr -i -r show orphanjobs
	quiet as opal sacctmgr -i show orphanjobs set endstate=failed
	same state "$(sql 'SELECT state FROM job WHERE id = 8')" 5
}

# ---- jobs ---------------------------------------------------------------------------------------

@test "job: comments, codes, extra" {
	some_jobs
	prints $' Modified jobs...\n  7 submitted at 2026-01-05T08:00:00' \
		sacctmgr -i modify job 7 set comment="So So" extra=E derivedexitcode=3 \
		admincomment=A systemcomment=S
	query='SELECT comment, extra, derived_ec, admin_comment, system_comment
		FROM job WHERE id = 7'
	same record "$(sql "$query")" 'So So|E|3|A|S'
	run -0 sacctmgr -nP show txn start=now-1hour format=action,cluster
	[[ $output == *'Modify Job|canis' ]]
}

@test "job: TRES changes what was used" {
	some_jobs
	same before "$(usage_of ann)" 14400
	quiet sacctmgr -i modify job where jobid=7 set tres=cpu=8,billing=8
	same after "$(usage_of ann)" 28800
}

@test "job: conditions" {
	some_jobs
	prints $' Modified jobs...\n  8 submitted at 2026-01-06T08:00:00' \
		sacctmgr -i modify job where user=bob set comment=x
	both=$'  7 submitted at 2026-01-05T08:00:00\n  8 submitted at 2026-01-06T08:00:00'
	prints $' Modified jobs...\n'"$both" \
		sacctmgr -i modify job where account=lab set comment=x
	prints $' Modified jobs...\n  7 submitted at 2026-01-05T08:00:00' \
		sacctmgr -i modify job account=lab end=2026-01-06 set comment=x
	capture sacctmgr -i modify job 99 set comment=x
	same messages "$stderr" ' Error with request: Data has not changed since time specified'
	same status "$status" 1
	refuses 'Invalid job id(s) x7 specified' sacctmgr -i modify job x7 set comment=x
	refuses "You didn't give me anything to set" sacctmgr -i modify job 7
	capture sacctmgr -i modify job 7 set bogus=1
	same output "$stdout" " Unknown option: bogus=1
 Use keyword 'where' to modify condition"
	same status "$status" 1
}

@test "job: own ones, and what only operators may" {
	some_jobs
	operator
	quiet as ann sacctmgr -i modify job 7 set comment=mine
	refuses "Your user doesn't have privilege" as ann sacctmgr -i modify job 8 set comment=x
	refuses "Your user doesn't have privilege" \
		as ann sacctmgr -i modify job 7 set admincomment=x
	refuses "Your user doesn't have privilege" as ann sacctmgr -i modify job 7 set tres=cpu=1
	quiet as opal sacctmgr -i modify job 7 set admincomment=x
	same comment "$(sql 'SELECT group_concat(comment) FROM job')" 'mine,'
}

@test "job: wckeys only where they are kept" {
	some_jobs
	capture sacctmgr -i modify job 7 set newwckey=w
	same output "$stdout" $' Modified jobs...\n  Nothing modified'
	same status "$status" 1
	echo TrackWCKey=yes >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	quiet sacctmgr -i modify job 7 set newwckey=w
	same wckey "$(sql 'SELECT wckey FROM job WHERE id = 7')" w
	prints 'w|ann' sacctmgr -nP show wckey format=wckey,user
}

# ---- archive ------------------------------------------------------------------------------------

everything() {
	sql 'SELECT id, submit, user, assoc, qos, billing, usage_factor, tres_alloc
		FROM job ORDER BY id;
		SELECT id, user_usec FROM step;
		SELECT j.id, s.start - j.start, s.end - j.start FROM suspension s
			JOIN job j ON j.key = s.job;
		SELECT node, start, end, reason FROM event ORDER BY 1, 2'
}

@test "archive: what is purged can be loaded again, usage stays" {
	some_jobs
	some_events
	sql 'INSERT INTO suspension SELECT key, start + 5, start + 9 FROM job WHERE id = 7'
	before=$(everything)
	used=$(usage_of ann)
	mkdir old
	capture sacctmgr -i archive dump jobs steps suspend events purgejobafter=1days \
		purgeeventafter=1hours directory=old
	same status "$status" 0
	[[ $stderr == *'jobacct_storage_p_archive: SUCCESS' ]]
	same jobs "$(sql 'SELECT group_concat(id) FROM job')" 8
	same events "$(sql 'SELECT count(*) FROM event')" 2
	same suspensions "$(sql 'SELECT count(*) FROM suspension')" 0
	same usage "$(usage_of ann)" "$used"
	jq -e . old/*.jsonl >/dev/null
	file=$(echo old/*.jsonl)
	quiet sacctmgr -i archive load file="$file"
	same store "$(everything)" "$before"
	quiet sacctmgr -i archive load "$file"
	same store "$(everything)" "$before"
	same usage "$(usage_of ann)" "$used"
}

@test "archive: reports go on telling what was purged" {
	local report='sreport -nP -t hours cluster accountutilizationbyuser tree
		start=2026-01-05 end=2026-01-07 format=account,login,used'
	some_jobs
	quiet srecord job id=9 user=ann account=lab cpus=1 submit=2026-01-06T08:00:00 \
		start=2026-01-06T09:00:00 end=2026-01-06T10:00:00 state=COMPLETED
	before=$($report)
	[[ $before == *'lab|ann|5'* ]]
	quiet sacctmgr -i archive dump jobs purgejobafter=1hours directory=.
	same jobs "$(sql 'SELECT group_concat(id) FROM job')" 8
	same report "$($report)" "$before"
	quiet srecord job id=10 user=ann account=lab cpus=1 submit=2026-01-06T11:00:00 \
		start=2026-01-06T12:00:00 end=2026-01-06T13:00:00 state=COMPLETED
	[[ $($report) == *'lab|ann|6'* ]]
	cat >late <<-'EOF'
		JobIDRaw|User|Account|State|Submit|Start|End|AllocCPUS
		11|ann|lab|COMPLETED|2026-01-06T08:00:00|2026-01-06T08:30:00|2026-01-06T09:00:00|1
		12|ann|lab|COMPLETED|2026-01-06T11:00:00|2026-01-06T14:00:00|2026-01-06T15:00:00|1
	EOF
	capture srecord import late
	[[ $stderr == *'2 jobs, 2 new'* ]]
	[[ $stderr == *'1 of the jobs ran in a time of which records were purged'* ]]
	[[ $($report) == *'lab|ann|7'* ]]
	quiet sacctmgr -i archive load file="$(echo *.jsonl)"
	[[ $($report) == *'lab|ann|7'* ]]
}

# one_job ID DAY [USER]: an hour of one CPU.
one_job() {
	quiet srecord job id="$1" user="${3:-ann}" account=lab cpus=1 submit="$2T08:00:00" \
		start="$2T09:00:00" end="$2T10:00:00" state=COMPLETED
}

@test "archive: what is kept is that of the clock of whoever purges first" {
	local report='sreport -nP -t hours cluster accountutilizationbyuser tree
		start=2026-01-04 end=2026-01-09 format=account,login,used'
	export TZ=UTC
	some_jobs
	one_job 9 2026-01-06
	TZ=Asia/Tokyo $report >/dev/null
	one_job 10 2026-01-07
	before=$($report)
	quiet sacctmgr -i archive dump jobs purgejobafter=1hours directory=.
	same report "$($report)" "$before"
	one_job 11 2026-01-08
	before=$($report)
	same report "$($report | grep -c 'lab|ann|7')" 1
	TZ=Asia/Tokyo refuses 'another time zone' sacctmgr -i archive dump jobs \
		purgejobafter=1hours directory=.
	same jobs "$(sql 'SELECT group_concat(id) FROM job')" 8,11
	same report "$($report)" "$before"
}

@test "archive: when jobs were suspended goes on counting, and counts where it is loaded" {
	local report='sreport -nP -t hours cluster accountutilizationbyuser
		start=2026-01-06 end=2026-01-07 format=login,used'
	quiet sacctmgr -i add account lab
	quiet sacctmgr -i add user ann,bob account=lab
	quiet srecord job id=1 user=ann account=lab cpus=1 submit=2026-01-06T08:00:00 \
		start=2026-01-06T09:00:00 end=2026-01-06T13:00:00 state=COMPLETED
	sql 'UPDATE job SET suspended = 3600;
		INSERT INTO suspension SELECT key, start + 3600, start + 7200 FROM job;
		DELETE FROM rollup; DELETE FROM rollup_state'
	[[ $($report) == *'ann|3' ]]
	cp "$(store)" whole
	quiet sacctmgr -i archive dump suspend purgesuspendafter=1hours directory=.
	one_job 2 2026-01-06 bob
	[[ $($report) == *'ann|3'* ]]
	cp whole "$(store)"
	sql 'DELETE FROM suspension; DELETE FROM rollup; DELETE FROM rollup_state'
	[[ $($report) == *'ann|4' ]]
	quiet sacctmgr -i archive load file="$(echo *.jsonl)"
	[[ $($report) == *'ann|3' ]]
}

@test "archive: without a purge nothing is erased; conditions" {
	some_jobs
	mkdir old
	quiet sacctmgr -i archive dump jobs directory=old user=bob
	[[ -z $(ls old) ]]
	quiet sacctmgr -i archive dump jobs directory=old user=ann
	said=$(jq -r '[.kind, .id, .cluster, .qos, .assoc[0]] | join(" ")' old/*.jsonl)
	same record "$said" 'job 7 canis normal lab'
	same jobs "$(sql 'SELECT count(*) FROM job')" 2
}

@test "archive: into another store" {
	some_jobs
	quiet sacctmgr -i archive dump jobs steps directory=.
	mkdir other
	other() { BURSAR_STORE=$PWD/other/acct.db sacctmgr "$@"; }
	quiet other -i add account zzz
	quiet other -i add account lab
	quiet other -i add user ann account=lab
	other -i archive load *.jsonl
	query='SELECT j.id, a.account, a.user FROM job j JOIN assoc a ON a.key = j.assoc'
	same record "$(sqlite3 other/acct.db "$query")" '7|lab|ann'
	same steps "$(sqlite3 other/acct.db 'SELECT count(*) FROM step')" 1
}

@test "archive: asks, and no means no" {
	some_jobs
	mkdir old
	capture bash -c 'sacctmgr archive dump jobs purgejobafter=1days directory=old <<<n'
	same status "$status" 1
	[[ $stdout == 'This may result in loss of accounting database records (if Purge* '* ]]
	[[ $stdout == *' Changes Discarded' ]]
	same jobs "$(sql 'SELECT count(*) FROM job')" 2
	[[ -z $(ls old) ]]
}

@test "archive: the log, with its old values" {
	quiet sacctmgr -i add account lab
	mkdir old
	n=$(sacctmgr -nP show txn | wc -l)
	sql 'UPDATE txn SET time = time - 86400 * 90'
	quiet sacctmgr -i archive dump txn purgetxnafter=1 directory=old
	same rows "$(sacctmgr -nP show txn | wc -l)" 0
	quiet sacctmgr -i archive load old/*.jsonl
	same rows "$(sacctmgr -nP show txn | wc -l)" "$n"
}

@test "archive: bad words, bad files" {
	refuses "Invalid purge string 'x'" sacctmgr -i archive dump jobs purgejobafter=x
	refuses "Invalid purge unit 'weeks'" sacctmgr -i archive dump jobs purgejobafter=2weeks
	refuses 'Unknown condition: bogus=1' sacctmgr -i archive dump bogus=1
	refuses 'dump: Failed to stat /nosuch: No such file or directory' \
		sacctmgr -i archive dump jobs directory=/nosuch
	refuses 'Failed to stat /nosuch' sacctmgr -i archive dump jobs script=/nosuch
	refuses 'No valid entity in archive command' sacctmgr archive bogus
	refuses 'Problem loading archive file: No such file or directory' \
		sacctmgr -i archive load file=nosuch
	refuses 'Problem loading archive file: Is a directory' sacctmgr -i archive load file=.
	refuses 'Unknown option: bogus=1' sacctmgr -i archive load bogus=1
	refuses "Can't run this command in readonly mode." sacctmgr -r archive dump jobs
	refuses "Your user doesn't have privilege" as bob sacctmgr -i archive dump jobs
}

@test "archive: a bad line changes nothing and is named" {
	some_jobs
	quiet sacctmgr -i archive dump jobs purgejobafter=1days directory=.
	file=$(echo *.jsonl)
	for bad in rubbish '{"kind":"bogus"}' '{"kind":"event","cluster":"nosuch","start":1}' \
		'{"kind":"step","job":["canis",99,1],"id":0}' \
		'{"kind":"job","cluster":"canis","id":"x","submit":1}'; do
		{ cat "$file"; echo "$bad"; } >bad
		refuses 'bad:2: ' sacctmgr -i archive load file=bad
		same jobs "$(sql 'SELECT group_concat(id) FROM job')" 8
	done
	refuses 'the cluster of this record does not exist' sacctmgr -i archive load \
		<(echo '{"kind":"event","cluster":"nosuch","start":1}')
}

# ---- transactions -------------------------------------------------------------------------------

@test "transaction: period, WithAssocInfo" {
	some_jobs
	quiet sacctmgr -i modify user ann set fairshare=5
	run -0 sacctmgr -nP show txn withassocinfo start=now-1hour \
		format=action,user,account,cluster
	[[ $output == *$'\nAdd Associations|bob|lab|canis'* ]]
	[[ $output == *$'\nModify Associations|ann|lab|canis' ]]
	prints '' sacctmgr -nP show txn end=now-1hour
	refuses 'Invalid time specification' sacctmgr show txn start=rubbish
	refuses "You gave a bad action '1402'." sacctmgr show txn action=1402
}

# ---- small verbs --------------------------------------------------------------------------------

@test "ping" {
	prints "slurmdbd(primary) at localhost is UP" sacctmgr ping
	capture sacctmgr ping extra
	same status "$status" 0
	same messages "$stderr" 'too many arguments for ping keyword'
}

@test "ping: a store that cannot be opened is down" {
	quiet sacctmgr show cluster
	echo rubbish >"$(store)"
	capture sacctmgr ping
	same output "$stdout" "slurmdbd(primary) at localhost is DOWN"
	same status "$status" 1
	[[ -n $stderr ]]
	echo AccountingStorageHost=db1 >>"$SLURM_CONF"
	capture sacctmgr ping
	same output "$stdout" "slurmdbd(primary) at db1 is DOWN"
}

@test "clear, reconfigure, rollup, shutdown" {
	prints '' sacctmgr clear stats
	refuses 'No valid entity in list command' sacctmgr clear bogus
	prints '' sacctmgr reconfigure
	prints '' sacctmgr -iQ rollup
	capture bash -c 'sacctmgr rollup <<<n'
	[[ $stderr == *'/slurmdbd: acct_storage_p_roll_usage: SUCCESS' ]]
	[[ $stdout == 'Would you like to commit rollup?'*' Rollup Discarded' ]]
	same status "$status" 0
	prints '' sacctmgr -Q shutdown
	refuses 'Problem shutting down server' as bob sacctmgr shutdown
	refuses 'privilege' as bob sacctmgr clear stats
	prints '' as bob sacctmgr reconfigure
	refuses 'Invalid time specification' sacctmgr -i rollup rubbish
}

@test "show stats tells of the store" {
	some_jobs
	capture sacctmgr show stats
	same status "$status" 0
	[[ $stdout == '*******************************************************************
sacctmgr show stats output at '* ]]
	[[ $stdout == *$'\tIntegrity:    ok\n'* ]]
	[[ $stdout == *$'\tOldest job:   Mon Jan  5 08:00:00 2026 ('* ]]
	[[ $stdout =~ $'\n\tjob '\ +count:2 ]]
	size=$(stat -c %s "$(store)")
	[[ $stdout == *$'\tSize:         '$size$'\n'* ]]
	refuses 'acct_storage_p_get_stats: RC:2002' as ann sacctmgr show stats
}

@test "show configuration shows both files, no password" {
	etc=$BATS_TEST_TMPDIR/etc
	printf '%s\n' StoragePass=secret PurgeJobAfter=12months >>"$etc/slurmdbd.conf"
	echo AccountingStoragePass=secret >>"$etc/slurm.conf"
	capture sacctmgr show configuration
	same status "$status" 0
	[[ $stdout == 'Configuration data as of 20'*'SlurmUserId            = root(0)'* ]]
	[[ $stdout == *$'\n\nSlurmDBD configuration:\n'* ]]
	[[ $stdout == *'PurgeJobAfter          = 12months'* ]]
	[[ $stdout == *'MessageTimeout         = 10 sec'$'\n'*'MessageTimeout         = 10 secs'* ]]
	[[ $stdout != *secret* && $stderr != *secret* ]]
}

@test "documents of ping, stats, configuration, events" {
	some_jobs
	some_events
	json() { sacctmgr --json "$@" | jq -r "$query"; }
	query='.pings[0] | [.responding, .primary, .status] | join(" ")'
	prints 'true true UP' json ping
	query='.statistics[] | select(.table == "job").count'
	prints 2 json show stats
	query='.slurmdbd_conf[] | select(.key == "StorageType").value'
	prints accounting_storage/sqlite json show configuration
	query='.events | length'
	prints 3 json show event all_time
	query='.meta.slurm.cluster'
	prints canis json show resource
}

# What other records refer to is marked as deleted, and never removed from under them.
@test "what jobs, nodes, reservations and rows refer to can be deleted" {
	sed -i 's/^PartitionName=.*/& QOS=part/' "$SLURM_CONF"
	sacctmgr -iQ add qos part >/dev/null
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user root account=lab >/dev/null
	srecord job user=root account=lab cpus=1 state=CANCELLED end=now >/dev/null
	prints $' Deleting QOS(s)...\n  part' sacctmgr -i delete qos part
	prints 'part' sacctmgr -nP show qos part withdeleted format=name
	sacctmgr -iQ add cluster two,three,four >/dev/null
	srecord node cluster=two name=n1 cpus=4
	srecord reservation cluster=three name=r start=now+1hour \
		end=now+2hours tres=cpu=2 users=root
	sacctmgr -iQ add account up,low cluster=four >/dev/null
	ask "UPDATE assoc SET created = 1 WHERE account = 'low' AND cluster =
		(SELECT id FROM cluster WHERE name = 'four')"
	sacctmgr -iQ modify account low cluster=four set parent=up >/dev/null
	for cluster in two three four; do
		prints $' Deleting clusters...\n  '$cluster sacctmgr -i delete cluster $cluster
	done
	prints canis sacctmgr -nP show cluster format=cluster
	[[ -z $(ask 'PRAGMA foreign_key_check') ]]
}
