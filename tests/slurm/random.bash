# Changes of a site as they come in years, at random: random_changes SEED N makes N of them in
# the Slurm of site.bash, with syncs in between, and compares both sides (random_compare) now and
# then. After site.bash; `ours`, from_slurm and from_mysql are the caller's. What was done is in
# $random_log, how often in $random_dir/counts.
#
# Differences that Slurm's side alone has are in man/bursar-feeders.7, "Known differences".

# Users of every Debian system: jobs can run as them, also when they are renamed.
random_people=(games man mail news lp sys bin daemon uucp proxy backup list irc www-data)

# A number of its own for each question, also in a sub-shell.
dice() {
	printf '%d\n' "0x$(echo "$random_seed $random_at $*" | md5sum | head -c 7)"
}

# one_of WORD...
one_of() {
	((!$#)) || printf '%s\n' "${@:$(($(dice "$BASH_LINENO" "$@") % $# + 1)):1}"
}

count() {
	printf '%s\n' "$1" >>"$random_dir/counts"
}

# Slurm's own words, of which it may refuse some: that is no change.
try() {
	count changes
	printf '%s\n' "$*" >>"$random_log"
	slurm "$@" >>"$random_log" 2>&1 || true
}

accounts() {
	slurm sacctmgr -nP show assoc cluster=rook format=account user= | grep -vx root | sort -u
}

users() {
	slurm sacctmgr -nP show assoc cluster=rook format=user | grep -vx -e root -e '' | sort -u
}

qos() {
	slurm sacctmgr -nP show qos format=name | grep -vx normal
}

an_account() {
	one_of $(accounts)
}

a_user() {
	one_of $(users)
}

change_add_account() {
	try sacctmgr -i add account "$(one_of acct{1..9})" fairshare="$(one_of {1..9})" \
		parent="$(one_of root $(accounts))"
}

change_add_user() {
	try sacctmgr -i add user "$(one_of "${random_people[@]}" u{1..9})" \
		account="$(an_account)" $(one_of '' '' partition=batch) \
		$(one_of '' fairshare=3 fairshare=parent maxjobs=5)
}

change_delete_user() {
	try sacctmgr -i delete user name="$(a_user)" $(one_of '' "account=$(an_account)")
}

change_delete_account() {
	try sacctmgr -i delete account name="$(an_account)"
}

change_rename_user() {
	try sacctmgr -i modify user where name="$(a_user)" \
		set newname="$(one_of "${random_people[@]}" r{1..30})"
}

change_move_account() {
	try sacctmgr -i modify account where name="$(an_account)" cluster=rook \
		set parent="$(one_of root $(accounts))"
}

# An account below one of its own children.
change_swap() {
	local pair
	pair=$(one_of $(slurm sacctmgr -nP show assoc cluster=rook format=account,parentname user= |
		grep -v -e '|root$' -e '|$'))
	[[ ! $pair ]] || try sacctmgr -i modify account where name="${pair#*|}" cluster=rook \
		set parent="${pair%|*}"
}

change_limits() {
	try sacctmgr -i modify account where name="$(an_account)" cluster=rook set \
		"$(one_of fairshare=7 maxjobs=4 maxjobs=-1 grptres=cpu=9 grptres=cpu=-1 \
			grptresmins=cpu=900,mem=7 maxwall=90 maxwall=-1 qos+=high qos-=high \
			defaultqos=normal)"
	try sacctmgr -i modify user where name="$(a_user)" cluster=rook set \
		"$(one_of fairshare=2 maxsubmitjobs=30 maxsubmitjobs=-1 qos+=night qos-=high \
			maxtresperjob=cpu=4 adminlevel=operator adminlevel=none)"
}

change_default() {
	local user
	user=$(a_user)
	try sacctmgr -i modify user where name="$user" set defaultaccount="$(one_of \
		$(slurm sacctmgr -nP show assoc user="$user" cluster=rook format=account))"
}

change_coordinator() {
	try sacctmgr -i "$(one_of add add delete)" coordinator account="$(an_account)" \
		names="$(a_user)"
}

change_qos() {
	try sacctmgr -i add qos "$(one_of high night q{1..4})" priority="$(one_of {1..9})" \
		"$(one_of grpjobs=5 maxwall=60 flags=nodecay usagefactor=2)"
	try sacctmgr -i modify qos "$(one_of $(qos))" set \
		"$(one_of grpjobs=-1 preempt=normal preempt= maxtresperuser=cpu=5 priority=3)"
}

change_delete_qos() {
	try sacctmgr -i delete qos "$(one_of $(qos))"
}

# The same name with another number.
change_renew_qos() {
	local name
	name=$(one_of $(qos))
	try sacctmgr -i delete qos "$name"
	try sacctmgr -i add qos "$name" priority="$(one_of {1..9})" \
		"$(one_of maxjobspu=3 grptres=cpu=7 preemptmode=requeue description=new)"
	try sacctmgr -i modify account where name="$(an_account)" cluster=rook set qos+="$name"
}

# What is older than a day stays when it is deleted.
change_age() {
	local table
	for table in acct_table user_table qos_table rook_assoc_table rook_wckey_table; do
		database "UPDATE $table SET creation_time = creation_time - 200000
			WHERE creation_time > unix_timestamp() - 86400"
	done
}

change_wckey() {
	local user
	user=$(a_user)
	try sacctmgr -i add user "$user" wckey="$(one_of k{1..4})"
	[[ $(one_of no no yes) == no ]] || try sacctmgr -i modify user where name="$user" \
		set defaultwckey="$(one_of k{1..4})"
	[[ $(one_of no no no yes) == no ]] ||
		try sacctmgr -i delete user name="$user" wckey="$(one_of k{1..4})"
}

change_reset() {
	try sacctmgr -i modify account where name="$(one_of root $(accounts))" cluster=rook \
		set rawusage=0
}

change_cluster() {
	if slurm sacctmgr -nP show cluster format=cluster | grep -qx owl; then
		try sacctmgr -i delete cluster owl
	else
		try sacctmgr -i add cluster owl
		try sacctmgr -i add account "$(an_account)" cluster=owl fairshare=77
		try sacctmgr -i add user "$(a_user)" account="$(an_account)" cluster=owl
	fi
}

# Of somebody who can run one: "user account", or nothing.
a_person() {
	one_of $(slurm sacctmgr -nP show assoc cluster=rook format=user,account |
		grep -E "^($(IFS='|'; echo "${random_people[*]}"))\|")
}

change_job() {
	local who id
	who=$(a_person)
	[[ $who ]] || return 0
	id=$(cd / && slurm sbatch --parsable --uid="${who%|*}" -A "${who#*|}" -o /dev/null \
		$(one_of '-n1' '-n2' '-n1 -a 1-3' '-n1 --hold' '-n2 -t 5' '-n1 --requeue') \
		$(one_of '' '' '' --gpus=1 '--gpus=2 --mem=20' '-q high' '--wckey=k1') \
		--wrap "$(one_of 'sleep 1' 'exit 3' 'srun sleep 0.2; sleep 1' 'sleep 30' \
			'srun --gpus=1 sleep 1; srun -n1 false')" \
		$(one_of '' '' '' ': -n1' ': -n2 --gpus=1' ': -n1 --hold : -n1') \
		2>>"$random_log") || return 0
	printf 'job %s of %s\n' "$id" "$who" >>"$random_log"
	count changes
	random_jobs+=("${id%%;*}")
}

# Parts that run a step together.
change_het_job() {
	local who
	who=$(a_person)
	[[ ! $who ]] || (cd / && try sbatch --uid="${who%|*}" -A "${who#*|}" -o /dev/null -n1 \
		--wrap "$(one_of 'srun --het-group=0,1 true' 'srun --het-group=1 false')" \
		: -n2 $(one_of '' --gpus=1 -t3))
}

change_job_state() {
	local id
	id=$(one_of "${random_jobs[@]}")
	[[ ! $id ]] || case $(one_of {0..4}) in
	0) try scancel "$id" ;;
	1) try scontrol requeue "$id" ;;
	2)
		try scontrol suspend "$id"
		sleep 1.1
		try scontrol resume "$id"
		;;
	3) try scontrol release "$id" ;;
	5) try scontrol update jobid="$id" "$(one_of timelimit=9 comment=new priority=77)" ;;
	4) try scontrol hold "$id" ;;
	esac
}

# What ended is a month old, and Slurm throws it away, or writes it into a file first.
change_purge() {
	database "UPDATE rook_job_table SET time_submit = time_submit - 2700000,
		time_eligible = time_eligible - 2700000, time_start = time_start - 2700000,
		time_end = time_end - 2700000 WHERE time_end > unix_timestamp() - 172800
		AND time_start > 0 AND time_eligible BETWEEN 1 AND time_end
		ORDER BY id_job LIMIT 3"
	mkdir -p "$site/archive"
	try sacctmgr -i archive dump directory="$site/archive" \
		$(one_of 'purgejobafter=20days jobs' 'purgejobafter=20days' \
			'purgestepafter=20days steps purgejobafter=20days jobs')
}

# A sync while all moves: what it cannot know yet the next one brings.
change_sync() {
	count syncs
	if [[ $(one_of slurm mysql) == slurm ]]; then
		BURSAR_STORE=$random_dir/slurm.db from_slurm >>"$random_log" 2>&1 || true
	else
		BURSAR_STORE=$random_dir/mysql.db from_mysql >>"$random_log" 2>&1 || true
	fi
}

random_changes_of=(add_account add_account add_user add_user add_user delete_user
	delete_account rename_user rename_user move_account move_account swap swap limits limits
	default coordinator qos qos delete_qos renew_qos wckey wckey reset cluster job job job job
	het_job job_state job_state job_state purge age sync sync)

# Nothing moves while both sides are looked at.
random_settle() {
	local id
	for id in $(slurm squeue -h -t running -o %i); do
		slurm scancel "$id" || true
	done
	until_true 60 eval '[[ ! $(slurm squeue -h -t running,completing -o %i) ]]'
	until_true 60 eval '[[ $(database "SELECT count(*) FROM rook_job_table
		WHERE time_start > 0 AND time_end = 0 AND state < 3") == 0 ]]'
	until_true 60 slurmdbd_knows_all
}

# The controller tells of jobs in threads of its own: first that there is an allocation.
slurmdbd_knows_all() {
	[[ $(slurm sdiag) == *"DBD Agent queue size: 0"* ]] &&
		[[ $(database "SELECT count(*) FROM rook_job_table
			WHERE job_name = 'allocation' AND time_end > 0") == 0 ]] &&
		[[ ! $(comm -12 <(slurm squeue -h -t CA,CD,F,TO -o %A | sort -u) <(database \
			"SELECT id_job FROM rook_job_table WHERE time_end = 0" | sort -u)) ]]
}

# both WHAT PROGRAM ARG...: the same rows, in whatever order
both() {
	local what=$1
	shift
	count listings
	diff -U0 --label "Slurm: $*" --label "ours, $what" <(slurm "$@" 2>&1 | sort) \
		<(ours "$@" 2>&1 | sort) | head -30
	[[ ${PIPESTATUS[0]} == 0 ]] || { echo "seed $random_seed, change $random_at"; return 1; }
}

# Columns of sacct that both have, less those of man/bursar-feeders.7.
random_columns() {
	comm -12 <(slurm sacct --helpformat | tr -s ' \n' '\n' | sort -u) \
		<(ours sacct --helpformat | tr -s ' \n' '\n' | sort -u) |
		grep -vx -e '' -e AllocCPUS -e ConsumedEnergy -e ConsumedEnergyRaw -e DBIndex \
			-e Flags -e NCPUS -e Priority -e Reason -e SystemCPU -e TotalCPU \
			-e UserCPU -e AveCPU -e MinCPU -e 'TRESUsage.*' -e SubmitLine -e Suspended \
			-e WCKeyID -e Timelimit -e TimelimitRaw |
		paste -sd,
}

# What Slurm has purged stays here.
random_jobs_alike() {
	local fields
	fields=jobid,$(random_columns)
	count listings
	slurm sacct -naP --duplicates -S now-2days -o "$fields" | sort >"$random_log.theirs"
	ours sacct -naP --duplicates -S now-2days -o "$fields" | sort |
		awk -F'|' 'NR == FNR { has[$1] = 1; next } $1 in has' \
			"$random_log.theirs" - >"$random_log.ours"
	diff -U0 --label "Slurm: sacct -o $fields" --label "ours, $1" \
		"$random_log.theirs" "$random_log.ours" | head -30
	[[ ${PIPESTATUS[0]} == 0 ]] || { echo "seed $random_seed, change $random_at"; return 1; }
}

# Of accounts that have associations.
coordinators() {
	local show=(sacctmgr -nP show account withcoord format=account,coordinators)
	accounts | sed 's/.*/^&|/' >"$random_dir/accounts"
	count listings
	diff -U0 --label "Slurm: coordinators" --label "ours, $1" \
		<(slurm "${show[@]}" | grep -f "$random_dir/accounts" | sort) \
		<(ours "${show[@]}" | grep -f "$random_dir/accounts" | sort)
}

# Those that Slurm has purged stay here.
transactions_are_there() {
	local show=(sacctmgr -nP show transactions start=now-2days format=time,action,actor,where)
	count listings
	comm -23 <(slurm "${show[@]}" | sort) <(ours "${show[@]}" | sort) | head -30 | grep . ||
		return 0
	echo "ours, $1: these transactions are not there: seed $random_seed, change $random_at"
	return 1
}

# slurmctld reckons usage once a period: one of a few seconds, and a part of the whole.
usage_is_near() {
	paste -d'|' <(slurm sshare -ahP -o account,user,partition,rawusage | sort) \
		<(ours sshare -ahP -o account,user,partition,rawusage | sort) |
		awk -F'|' '{ by = $4 - $8; by = by < 0 ? -by : by }
			$1 != $5 || $2 != $6 || by > 5 + $4 / 100 { print; bad = 1 }
			END { exit bad }' ||
		{ echo "usage: seed $random_seed, change $random_at"; return 1; }
}

# random_compare WAY: all listings, after a sync from there
random_compare() {
	local way=$1 bad=0 fields
	local limits=account,grpjobs,grptres,grpsubmit,grpwall,grptresmins,grptresrunmins
	limits+=,maxjobs,maxtres,maxtrespernode,maxsubmit,maxwall,maxtresmins,priority,defaultqos
	local of_qos=description,priority,gracetime,preempt,preemptmode,flags,usagethreshold
	of_qos+=,usagefactor,grptres,grptresmins,grptresrunmins,grpjobs,grpsubmit,grpwall,maxtres
	of_qos+=,maxtrespernode,maxtresmins,maxwall,maxtrespu,maxjobspu,maxsubmitpu,mintres
	both "$way" sacctmgr -nP show assoc wopl cluster=rook \
		format=id,account,user,partition,parentname,fairshare,defaultqos || bad=1
	both "$way" sacctmgr -nP show assoc wopl cluster=rook \
		format=id,maxjobs,maxsubmit,maxwall,grptres,grptresmins,maxtres || bad=1
	both "$way" sacctmgr -nP show assoc cluster=rook \
		format=account,user,maxjobs,maxwall,maxsubmit,grptres,qos,defaultqos || bad=1
	both "$way" sacctmgr -nP show assoc wopl withdeleted cluster=rook \
		format=id,account,user,partition || bad=1
	both "$way" sacctmgr -nP show user format=user,adminlevel,defaultaccount || bad=1
	both "$way" sacctmgr -nP show account format=account,description,organization || bad=1
	coordinators "$way" || bad=1
	both "$way" sacctmgr -nP show qos \
		format=id,name,priority,flags,grpjobs,maxwall,preempt || bad=1
	both "$way" sacctmgr -nP show qos format=id,usagefactor,maxtrespu || bad=1
	both "$way" sacctmgr -nP show wckey cluster=rook format=wckey,user || bad=1
	both "$way" sacctmgr -nP show wckey withdeleted cluster=rook format=wckey,user || bad=1
	both "$way" sacctmgr -nP show assoc wopl withdeleted cluster=rook \
		"format=id,share,$limits" || bad=1
	both "$way" sacctmgr -nP show qos withdeleted "format=id,name,$of_qos" || bad=1
	both "$way" sacctmgr -nP show event \
		format=cluster,nodename,state,reason,timestart || bad=1
	transactions_are_there "$way" || bad=1
	both "$way" sacctmgr -nP show user withdeleted format=user || bad=1
	both "$way" sacctmgr -nP show account withdeleted format=account || bad=1
	both "$way" sacctmgr -nP show qos withdeleted format=id,name || bad=1
	random_jobs_alike "$way" || bad=1
	both "$way" sshare -ahP -o account,user,partition,rawshares,normshares || bad=1
	[[ $way != slurm ]] || usage_is_near || bad=1
	ours sacctmgr check >"$random_log.check" 2>&1 || true
	for fields in references tree names users defaults log jobs usage; do
		grep -q "^ $fields  *fine" "$random_log.check" ||
			{ grep -A1 "^ $fields " "$random_log.check"; bad=1; }
	done
	return $bad
}

# slurmdbd rolls a day up when it is over, or when it is told to: all is of yesterday.
random_reports() {
	local bad=0 column table period report
	for column in submit eligible start end; do
		database "UPDATE rook_job_table SET time_$column = time_$column - 86400
			WHERE time_$column > 0"
	done
	for table in event suspend; do
		database "UPDATE rook_${table}_table SET time_start = time_start - 86400,
			time_end = IF(time_end, time_end - 86400, 0)"
	done
	period=("start=$(date -d yesterday +%FT00:00:00)" "end=$(date +%FT00:00:00)")
	slurm sacctmgr -i rollup "${period[0]#*=}" "${period[1]#*=}" >>"$random_log" 2>&1
	count syncs
	from_mysql 2>>"$random_log" || bad=1
	both reports sreport -nP -t seconds cluster Utilization "${period[@]}" || bad=1
	for report in 'cluster AccountUtilizationByUser' 'cluster UserUtilizationByAccount' \
		'user TopUsage'; do
		both reports sreport -nP -t seconds $report "${period[@]}" \
			format=cluster,login,account,used || bad=1
		both reports sreport -nP -t seconds $report "${period[@]}" -T gres/gpu,billing \
			format=cluster,login,account,tresname,used || bad=1
	done
	return $bad
}

# random_changes SEED N [EVERY]: compares after about EVERY changes, and at the end
random_changes() {
	local n=$2 every=${3-6} bad=0
	random_seed=$1
	random_jobs=()
	for ((random_at = 1; random_at <= n; random_at++)); do
		"change_$(one_of "${random_changes_of[@]}")"
		((random_at < n && $(dice round) % every)) || random_round || bad=1
	done
	BURSAR_STORE=$random_dir/reports.db random_reports || bad=1
	sort "$random_dir/counts" | uniq -c
	return $bad
}

# After a round of each way in, and, now and then, in a store that begins only now.
random_round() {
	local bad=0
	random_settle
	count syncs
	BURSAR_STORE=$random_dir/slurm.db from_slurm 2>>"$random_log" || bad=1
	BURSAR_STORE=$random_dir/slurm.db random_compare slurm || bad=1
	count syncs
	BURSAR_STORE=$random_dir/mysql.db from_mysql 2>>"$random_log" || bad=1
	BURSAR_STORE=$random_dir/mysql.db random_compare mysql || bad=1
	(($(dice first) % 3)) || random_first || bad=1
	((!bad)) || tail -20 "$random_log"
	return $bad
}

random_first() {
	local way bad=0
	way=$(one_of slurm mysql)
	count syncs
	rm -f "$random_dir"/first.db*
	BURSAR_STORE=$random_dir/first.db "from_$way" 2>>"$random_log" || bad=1
	BURSAR_STORE=$random_dir/first.db random_compare "first $way" || bad=1
	return $bad
}
