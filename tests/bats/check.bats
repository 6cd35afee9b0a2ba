#!/usr/bin/env bats
# `sacctmgr check`: what an administrator probably did not intend, and the command that mends it.
# The checks of the store itself are in sacctmgr-backup.bats.

load lib

setup() {
	fresh_cluster 'PartitionName=debug Nodes=vm Default=YES State=UP QOS=part'
	local_users ann bob cid
	sacctmgr -iQ add qos part >/dev/null
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add account lab parent=phys >/dev/null
	sacctmgr -iQ add user ann,bob account=lab >/dev/null
}

ann='user=ann account=lab cluster=canis partition='

# finds CHECK TEXT [COMMAND]: it is found, and mended by that command, which the test runs.
finds() {
	capture sacctmgr check "$1"
	same status "$status" 2
	[[ $stdout == *"$2"* ]] || same 'what is found' "$stdout" "$2"
	[[ ! ${3-} ]] && return
	grep -qxF " $(printf '%15s' '') remedy: sacctmgr $3" <<<"$stdout" ||
		same 'what mends it' "$stdout" "$3"
	eval "sacctmgr -i $3" >mended 2>&1 || { cat mended; return 1; }
	capture sacctmgr check "$1"
	same "status after $3" "$status" 0 || same "after $3" "$stdout" ''
}

@test "check: nothing to say about a store that is meant so" {
	capture sacctmgr check
	same found "$(grep -v ' fine: ' <<<"$stdout")" ' 23 checks, nothing found'
	same status "$status" 0
	prints '{"findings":[],"warnings":[],"errors":[]}' bash -c 'sacctmgr --json check |
		jq -c "{findings, warnings, errors}"'
}

@test "check: users without account, or without a default one" {
	sacctmgr -iQ add user cid account=lab >/dev/null
	ask "UPDATE assoc SET deleted = 1, is_default = 0 WHERE user = 'cid'"
	finds accountless 'user cid has no account to run jobs in' 'delete user cid'
	ask "UPDATE assoc SET is_default = 0 WHERE user = 'bob'"
	finds default-account 'user bob has no default account on canis' \
		'modify user where user=bob cluster=canis set defaultaccount=lab'
	same default "$(sacctmgr -nP show user bob format=defaultaccount)" lab
	ask "UPDATE assoc SET is_default = 0 WHERE user = 'bob'"
	echo AllowNoDefAcct=yes >>"${SLURM_CONF%/*}/slurmdbd.conf"
	[[ $(sacctmgr check default-account) == *'nothing found' ]]
}

@test "check: QOS that nobody can use, or that a default cannot" {
	sacctmgr -iQ add qos lost,used >/dev/null
	sacctmgr -iQ modify user ann set qos+=used >/dev/null
	finds unused-qos 'QOS lost: no association may use it' 'delete qos lost'
	sacctmgr -iQ modify account phys set qos+=used defaultqos=used >/dev/null
	ask "DELETE FROM assoc_qos WHERE qos = (SELECT id FROM qos WHERE name = 'used')"
	finds default-qos 'account phys on canis has the default QOS used and may not use it' \
		'modify account where account=phys cluster=canis set qos+=used'
	ask "DELETE FROM assoc_qos WHERE qos = (SELECT id FROM qos WHERE name = 'used');
		INSERT INTO assoc_qos (assoc, qos, sign)
			SELECT key, 1, '=' FROM assoc WHERE user = 'ann'"
	sacctmgr -iQ modify account phys set qos+=used >/dev/null
	finds default-qos 'user ann in account lab on canis has' \
		"modify user where $ann set qos+=used"
}

@test "check: a child's limit above its parent's" {
	sacctmgr -iQ modify account phys set grptres=cpu=32,mem=64G maxwall=60 >/dev/null
	sacctmgr -iQ modify account lab set grptres=cpu=48 >/dev/null
	finds child-limits \
		'account lab on canis: GrpTRES=cpu=48 is above that of account phys on canis, 32' \
		'modify account where account=lab cluster=canis set grptres=cpu=32'
	sacctmgr -iQ modify user ann set grptres=mem=65G >/dev/null
	finds child-limits 'user ann in account lab on canis: GrpTRES=mem=66560 is above' \
		"modify user where $ann set grptres=mem=65536"
	sacctmgr -iQ modify user ann set maxwall=90 >/dev/null
	finds child-limits 'MaxWall=90 is above that of account phys on canis, 60' \
		"modify user where $ann set maxwall=60"
}

@test "check: zero shares with users below, accounts without users" {
	sacctmgr -iQ modify account phys set fairshare=0 >/dev/null
	finds zero-shares 'account phys on canis has no shares, and users below it' \
		'modify account where account=phys cluster=canis set fairshare=1'
	sacctmgr -iQ add account chem >/dev/null
	finds empty-accounts 'account chem has no users' 'delete account chem'
	sacctmgr -iQ add account chem >/dev/null
	sacctmgr -iQ add account org parent=chem >/dev/null
	# From the leaves up, so that they can be carried out as they stand.
	sacctmgr check empty-accounts | sed -n 's/.*remedy: sacctmgr/sacctmgr -iQ/p' >commands
	same commands "$(<commands)" \
		$'sacctmgr -iQ delete account org\nsacctmgr -iQ delete account chem'
	. ./commands >/dev/null
	[[ $(sacctmgr check empty-accounts) == *'nothing found' ]]
}

@test "check: users the system does not know, or by another case" {
	local_users ann
	capture sacctmgr check system-users
	[[ $status == 2 && $stdout == *'1 of 3 users have no login on this host: bob'* ]]
	local_users nobody
	[[ $(sacctmgr check system-users) == *'nothing found' ]]
	sacctmgr -iQ delete user bob >/dev/null
	echo Parameters=PreserveCaseUser >>"${SLURM_CONF%/*}/slurmdbd.conf"
	local_users ann Bob
	sacctmgr -iQ add user Bob account=lab >/dev/null
	local_users ann bob
	finds letter-case 'user Bob is bob to the system' \
		'modify user where user=Bob set newname=bob'
	same name "$(sacctmgr -nP show user bob format=user)" bob
	ask "INSERT INTO account SELECT 'Lab', description, organization, flags, created, modified,
		deleted FROM account WHERE name = 'lab'"
	finds letter-case 'account Lab and lab differ only in case' 'delete account Lab'
	ask "INSERT INTO qos SELECT 99, 'Normal', description, flags, grace_time, grp_jobs,
		grp_jobs_accrue, grp_submit_jobs, grp_wall, max_jobs_pa, max_jobs_pu,
		max_jobs_accrue_pa, max_jobs_accrue_pu, max_submit_jobs_pa, max_submit_jobs_pu,
		max_wall_pj, min_prio_thresh, preempt_mode, preempt_exempt_time, priority,
		usage_factor, usage_thres, limit_factor, created, modified, deleted
		FROM qos WHERE name = 'normal'"
	finds letter-case 'QOS Normal and normal differ only in case' 'delete qos Normal'
	same left "$(sacctmgr -nP show account format=account; sacctmgr -nP show qos format=name)" \
		$'lab\nphys\nroot\nnormal\npart'
}

@test "check: usage of deleted associations" {
	srecord job user=bob account=lab cpus=4 mem=10 start=2026-01-01T01:00:00 \
		end=2026-01-01T02:00:00 state=COMPLETED >/dev/null
	sacctmgr -iQ delete user bob >/dev/null
	[[ $(sacctmgr check deleted-usage) == *'nothing found' ]]
	ask "INSERT INTO usage (owner, life, begin, at, still, raw, last)
		SELECT key, 0, 1767225600, 1767225600, 0, 1000, 0 FROM assoc
		WHERE user = 'bob' AND deleted"
	finds deleted-usage 'user bob) on canis was deleted and still has usage' \
		'rebuild usage cluster=canis'
}

@test "check: words in slurm.conf that mean nothing" {
	cat >>"$SLURM_CONF" <<-'END'
	PriorityWieghtAge=100
	PriorityFlags=NO_FAIR_TREE,NO_NORMAL_ASOC
	SchedulerParameters=bf_windw=1440
	NodeName=n2 CPUs=4 Wight=3
	PartitionName=odd Nodes=vm AllowQos=nosuch
	END
	capture sacctmgr check slurm.conf
	same status "$status" 2
	line=$(grep -n Wieght "$SLURM_CONF")
	line=${line%%:*}
	same found "$(sed 's/^ *//; s/^slurm.conf *//' <<<"$stdout")" \
"$SLURM_CONF:$line: PriorityWieghtAge is not known
remedy: writing PriorityWeightAge in line $line of $SLURM_CONF
$SLURM_CONF:$((line + 1)): NO_NORMAL_ASOC is not known
remedy: writing NO_NORMAL_ASSOC in line $((line + 1)) of $SLURM_CONF
$SLURM_CONF:$((line + 3)): Wight is not known
remedy: writing Weight in line $((line + 3)) of $SLURM_CONF
SchedulerParameters: 'bf_windw' is not known; did you mean 'bf_window'?
remedy: an editor
$SLURM_CONF:$((line + 4)): partition odd names the QOS nosuch, which is not there
remedy: sacctmgr add qos nosuch
1 checks, 5 found"
	# What the recordings' slurm.conf has, and the examples, are words of Slurm.
	for conf in "$BATS_TEST_DIRNAME"/../example/slurm.conf; do
		[[ ! -e $conf ]] ||
			SLURM_CONF=$conf BURSAR_STORE=$(store) capture sacctmgr check slurm.conf
		[[ $stdout != *"is not known"* ]]
	done
}

@test "check: what slurm.conf asks of slurmctld" {
	echo 'PriorityFlags=INCR_ONLY' >>"$SLURM_CONF"
	echo 'PriorityUsageResetPeriod=NOW' >>"$SLURM_CONF"
	finds slurm.conf 'PriorityFlags: INCR_ONLY changes nothing: no earlier priority'
	finds slurm.conf 'PriorityUsageResetPeriod: NOW resets nothing: no slurmctld'
	srecord job user=ann account=lab start=2026-01-01T01:00:00 end=2026-01-01T02:00:00 \
		state=COMPLETED >/dev/null
	[[ $(sshare -nPo rawusage -A root | head -1) -gt 0 ]]
	grep -q 'remedy: sacctmgr modify account root set rawusage=0, and NONE' <<<"$stdout"
	sacctmgr -iQ modify account root set rawusage=0 >/dev/null
	same 'usage of all' "$(sshare -anPo rawusage | sort -u)" 0
}

@test "check --fix: what is safe, after asking" {
	ask "UPDATE assoc SET is_default = 0 WHERE user = 'bob'"
	sacctmgr -iQ modify account phys set grpjobs=3 fairshare=0 >/dev/null
	sacctmgr -iQ modify account lab set grpjobs=4 >/dev/null
	before=$(sacctmgr -nP show assoc format=user,share,grpjobs)
	capture bash -c 'sacctmgr check --fix <<<n'
	same status "$status" 2
	[[ $stdout == *'Safe to carry out:
  sacctmgr modify user where user=bob cluster=canis set defaultaccount=lab
  sacctmgr modify account where account=lab cluster=canis set grpjobs=3
'*'Changes Discarded' ]]
	same state "$(sacctmgr -nP show assoc format=user,share,grpjobs)" "$before"
	capture bash -c 'sacctmgr check --fix <<<y'
	same status "$status" 2
	same done "$(grep -A9 ' Done:' <<<"$stdout")" \
' Done: sacctmgr modify user where user=bob cluster=canis set defaultaccount=lab
 Modified account associations...
  C = canis      A = lab of phys
 Done: sacctmgr modify account where account=lab cluster=canis set grpjobs=3
 1 left'
	sacctmgr -iQ modify account phys set fairshare=1 >/dev/null
	sacctmgr -iQ modify account lab set grpjobs=9 >/dev/null
	sacctmgr -i --json check --fix |
		jq -c '.findings[] | [.check, .safe, .fixed, .remedy]' >got
	command='sacctmgr modify account where account=lab cluster=canis set grpjobs=3'
	same json "$(<got)" "[\"child-limits\",true,true,\"$command\"]"
	capture sacctmgr check
	same status "$status" 0
	refuses '--fix goes with check' sacctmgr --fix show user
	refuses 'give -i' sacctmgr --json --fix check
	refuses 'readonly' sacctmgr -r --fix check
}

@test "check: names that a shell would take apart" {
	sacctmgr -iQ add account "o'brien and sons" >/dev/null
	finds empty-accounts 'account o`brien and sons has no users' \
		"delete account 'o\`brien and sons'"
}
