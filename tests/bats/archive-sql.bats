#!/usr/bin/env bats
# sacctmgr archive load: SQL text as Slurm wrote it once, and as its own tests feed it.

load lib

setup() {
	export TZ=UTC
	fresh_cluster
	local_users amy bob
	sacctmgr -iQ add cluster old >/dev/null
	sacctmgr -iQ add account phys,chem cluster=old >/dev/null
	sacctmgr -iQ add user amy account=phys cluster=old >/dev/null
	sacctmgr -iQ add user bob account=chem cluster=old >/dev/null
	amy=$(sacctmgr -nP show assoc cluster=old user=amy format=id)
	bob=$(sacctmgr -nP show assoc cluster=old user=bob format=id)
}

columns='jobid, associd, wckey, wckeyid, uid, gid, `partition`, blockid, cluster, account,'
columns+=' eligible, submit, start, end, suspended, name, state, comp_code, priority,'
columns+=' req_cpus, tres_alloc, nodelist, kill_requid, qos, deleted'

# job ID ASSOC ACCOUNT START END NAME
job() {
	printf "('%s', '%s', 'w1', '1', '1001', '0', 'debug', '', 'old', '%s'," "$1" "$2" "$3"
	printf " %s, %s, %s, %s, '0'," "$4" "$4" "$4" "$5"
	printf " '%s', '3', '0', '2', 2, '1=2', 'n1', '0', '0', '0')" "$6"
}

@test "jobs and events of Slurm's own tests" {
	{ echo 'insert into cluster_event_table (node_name, cluster, tres, period_start,'
	echo "period_end, reason, cluster_nodes) values"
	echo "('', 'old', '1=10', 1199145600, 0, 'Registered', 'n[1-2]')"
	echo ", ('n1', 'old', '1=5', 1199148300, 1199150100, 'down','')"
	echo 'on duplicate key update period_start=VALUES(period_start);'
	echo "insert into job_table ($columns) values"
	job 65536 "$amy" phys 1199145600 1199149500 "it''s; (one)"
	echo
	job 65537 "$bob" chem 1199149200 1199152800 two
	echo "on duplicate key update id=LAST_INSERT_ID(id), end=VALUES(end);"; } >old.sql
	capture sacctmgr -i -n archive load old.sql
	same status "$status" 0 || { printf '%s\n' "$stderr"; return 1; }
	prints "old|phys|amy|$amy|w1|2008-01-01T00:00:00|2008-01-01T01:05:00|01:05:00|it's; (one)
old|chem|bob|$bob|w1|2008-01-01T01:00:00|2008-01-01T02:00:00|01:00:00|two" \
		sacct -nPX -a -M old -S 2008-01-01 -E 2008-01-02 \
		-o cluster,account,user,associd,wckey,start,end,elapsed,jobname
	prints 'n1|DOWN|2008-01-01T00:45:00|2008-01-01T01:15:00|down' sacctmgr -nP show event \
		all_time cluster=old event=node format=nodename,state,timestart,timeend,reason
	prints 'old|phys|amy||7800
old|chem|bob||7200' bash -c "sreport -nP -t seconds -M old cluster AccountUtilizationByUser \
		start=2008-01-01 end=2008-01-02 format=cluster,account,login,proper,used |
		grep -E 'amy|bob' | sort -r -t'|' -k2"
	prints 'old|15000|9000' sreport -nP -t seconds -M old cluster utilization start=2008-01-01 \
		end=2008-01-02 format=cluster,alloc,down
	capture sacctmgr -i archive load old.sql # again: nothing comes twice
	same status "$status" 0
	same jobs "$(ask 'SELECT count(*) FROM job')" 2
}

@test "steps and suspensions by the number of their job; NULL, quotes, names of today" {
	cat >old.sql <<-END
		INSERT INTO "old_job_table" (job_db_inx, id_job, id_assoc, time_submit, time_start,
			time_end, state, job_name, nodelist, id_array_task, deleted, id_qos)
		VALUES (7, 12, $amy, 1199145600, 1199145600, 1199149200, 3, 'a\\'b', NULL,
			4294967294, 0, 1),
			(8, 13, $amy, 1199145600, 1199145600, 1199149200, 3, 'gone', '',
			4294967294, 1, 1);
		insert into step_table (id, stepid, name, state, start, end, nodelist, user_sec,
			user_usec, cluster, tres_usage_in_max, tres_usage_in_max_nodeid) values
			(7, 0, 'step', 3, 1199145600, 1199145660, 'n1', 2, 5, 'old',
			'1=3000,2=4096', '1=0,2=0');
		insert into suspend_table (cluster, id, period_start, period_end) values
			('old', 7, 1199145700, 1199145800);
		insert into txn_table (timestamp, action, name, actor, info) values
			(1199145600, 1406, 'x', 'root', 'y');
		insert into assoc_day_usage_table (cluster, id) values ('old', 3);
		truncate table "old_event_table";
	END
	capture sacctmgr -i archive load file=old.sql
	same status "$status" 0 || { printf '%s\n' "$stderr"; return 1; }
	[[ $stderr == *'2 statements passed over'* ]]
	prints "12|a'b|None assigned|normal" sacct -nPX -a -M old -S 2008-01-01 -E 2008-01-02 \
		-o jobid,jobname,nodelist,qos
	same steps "$(ask 'SELECT id, name, user_usec FROM step')" '0|step|2000005'
	same suspensions "$(ask 'SELECT start, end FROM suspension')" '1199145700|1199145800'
	same lists "$(ask 'SELECT in_max, in_max_node FROM step')" '1=3000,2=4096|1=0,2=0'
}

@test "what steps used, in archives from before it was lists" {
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user amy account=lab >/dev/null
	srecord job id=7 user=amy account=lab nodelist='n[1-2]' start=now-4days end=now-3days
	srecord step job=7 step=0 nodelist='n[1-2]' tasks=4
	sacctmgr -i archive dump directory=. jobs steps purgejobafter=1days purgestepafter=1days \
		>/dev/null 2>&1
	cat *_archive_* | jq -c 'if .kind == "step" then del(.in_max, .in_ave, .in_max_node) +
		{max_rss: 4096, ave_rss: 1024, max_rss_node: "n2"} else . end' >older
	same steps "$(ask 'SELECT count(*) FROM step')" 0
	sacctmgr -i archive load older >/dev/null
	prints '7.0|4K|1K|n2' eval \
		'sacct -naP -S now-9days -o jobid,maxrss,averss,maxrssnode | grep "7\.0"'
}

@test "a job that still runs there is a runaway job" {
	{ echo "insert into job_table (jobid, associd, cluster, uid, gid, \`partition\`, account,"
	echo 'eligible, submit, start, end, name, state, priority, tres_req, tres_alloc, nodelist,'
	echo 'alloc_nodes, qos, deleted, timelimit) values'
	echo "('65536', '$amy', 'old', '1002', '1002', 'debug',"
	echo "'phys', 1199170800, 1199170800, 1199170800, 0, 'run', '1', '2', '1=2,2=200,4=1',"
	echo "'1=2,2=200,4=1', 'n7', 'n7', '0', '0', 60);"; } >run.sql
	sacctmgr -iQ archive load run.sql
	capture sacctmgr -i show runawayjobs old
	[[ $stdout$stderr == *65536* ]]
	capture sacctmgr -i show runawayjobs old
	[[ $stdout$stderr != *65536* ]]
}

@test "what is wrong is said with its line, and nothing is changed" {
	wrong() {
		capture sacctmgr -i archive load bad.sql
		same status "$status" 1 || return 1
		[[ $stderr == *"$1"* ]] || same "$1" "$stderr" "$1" || return 1
		same jobs "$(ask 'SELECT count(*) FROM job')" 0
	}
	{ echo "insert into job_table ($columns) values"
	job 1 "$amy" phys 1199145600 1199149500 one; echo ,
	echo "('x');"; } >bad.sql
	wrong "bad.sql:3: ',' expected"
	echo "insert into nosuch_table (a) values (1);" >bad.sql
	wrong "bad.sql:1: unknown table 'nosuch_table'"
	echo "insert into job_table (jobid, submit, cluster) values ('7', 'x', 'old');" >bad.sql
	wrong "'x' is not a number"
	echo "insert into job_table (jobid, submit, cluster) values (7, 8, 'nosuch');" >bad.sql
	wrong 'the cluster of this record does not exist'
	printf "insert into job_table (jobid) values (7);\nselect * from job;\n" >bad.sql
	wrong 'bad.sql:'
	printf "insert into job_table (jobid) values ('7" >bad.sql
	wrong 'a value expected'
	printf "delete from job_table where id=7; nonsense" >bad.sql
	wrong 'insert into expected'
}
