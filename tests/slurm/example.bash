# What the site of the tests holds: QOS, accounts, users with limits, jobs that ran and jobs that
# wait. After site.bash.

# Users of every Debian system, so that jobs can run as them.
people=(games man mail news)

fill_site() {
	slurm sacctmgr -i add qos high,low set priority=10 flags=denyonlimit grpwall=70 \
		gracetime=100 usagefactor=2 maxtrespu=cpu=4 grptresmins=cpu=100000 preempt=normal
	slurm sacctmgr -i modify qos low set priority=1 maxwall=2-0 maxjobspu=3 \
		preempt= usagefactor=0.5
	slurm sacctmgr -i add account physics fairshare=3 maxjobs=9 description='all physics'
	slurm sacctmgr -i add account optics parent=physics fairshare=5 qos=normal,low \
		grptres=cpu=64
	slurm sacctmgr -i add account music fairshare=2 defaultqos=low qos=low
	slurm sacctmgr -i add user games account=physics,optics defaultaccount=optics \
		qos+=high maxwall=60
	slurm sacctmgr -i add user man account=optics fairshare=parent grptresmins=cpu=6000,mem=8000
	slurm sacctmgr -i add user mail account=music adminlevel=operator
	slurm sacctmgr -i add user news account=physics,music
	slurm sacctmgr -i add coordinator account=physics user=news
	slurm sacctmgr -i add qos gone priority=1
	slurm sacctmgr -i add qos late priority=5
	slurm sacctmgr -i remove qos gone
	slurm sacctmgr -i add federation birds clusters=rook
	slurm sacctmgr -i add resource matlab server=flexhost servertype=flexlm count=100 \
		type=license description='of the institute' cluster=rook percentallowed=40
	slurm sacctmgr -i add resource maple server=flexhost count=7 type=license
	{
		printf "Cluster - 'rook'\nParent - 'optics'\n"
		printf "User - 'u%s':Fairshare=7\n" {1..200}
	} >"$site/users.cfg"
	slurm sacctmgr -i load file="$site/users.cfg"
}

# job USER ACCOUNT OPTION...: its number
job() {
	local user=$1 account=$2
	shift 2
	(cd / && slurm sbatch --parsable --uid="$user" -A "$account" -o /dev/null "$@")
}

none_left() {
	[[ ! $(slurm squeue -h -t pending,running,completing -o %i) ]]
}

# The controller computes fair-share once a minute.
usage_is_counted() {
	slurm sshare -ahP -o user,fairshare |
		awk -F'|' '$1 == "u1" && $2 > 0 { n++ } END { exit !n }' &&
		[[ $(slurm sacct -nPaX -s PD -o jobid | wc -l) -ge 1 ]]
}

runs() {
	[[ $(slurm squeue -h -j "$1" -o %T) == "$2" ]]
}

# A job that was suspended twice, for a second each.
suspend_one() {
	local id
	id=$(job mail music -n1 -q low --wrap 'sleep 4')
	until_true 600 runs "$id" RUNNING
	for _ in 1 2; do
		slurm scontrol suspend "$id"
		sleep 1.2
		slurm scontrol resume "$id"
		sleep 1.2
	done
}

# Three tasks that write another amount each, so long that it is seen; others.
task='dd if=/dev/zero of=$WORK/$SLURM_PROCID bs=1M count=$((SLURM_PROCID * 7 + 3)); sleep 2'
tasks="srun -n3 sh -c '$task'; srun -n1 false; srun -n2 -m cyclic --cpu-freq=low-high:Performance \
-i /dev/null -o /dev/null sleep 1"

ended_as() {
	[[ $(slurm sacct -nPX -j "$1" -o state) == "$2"* ]]
}

# Jobs of every state: arrays, a heterogeneous one, steps of several tasks, cancelled by others and
# before they began, requeued, killed, over their time, waiting for this and that.
run_states() {
	local late cancelled requeued steps
	mkdir -m 1777 "$site/work"
	late=$(job man optics -n1 -t 1 --wrap 'sleep 600')
	cancelled=$(job mail music -q low -n1 --wrap 'sleep 600')
	requeued=$(job games optics -n1 --requeue --wrap 'sleep 4')
	steps=$(export WORK=$site/work && job news physics -n3 --comment 'of steps' --wrap "$tasks")
	until_true 600 runs "$cancelled" RUNNING
	slurm scancel "$cancelled"
	until_true 600 runs "$requeued" RUNNING
	slurm scontrol requeue "$requeued"
	job news physics -n1 -a '1-4%2' --wrap 'exit $((SLURM_ARRAY_TASK_ID == 3))'
	job games optics -n1 --wrap 'srun --het-group=0,1 -n1 true' : -n2
	job games optics -n1 --wrap 'kill -9 $$'
	slurm scancel "$(job games optics -n2 --begin=now+1hour --wrap true)"
	job games optics -n1 -d "afternotok:$steps" --wrap true
	job games optics -n2 --begin=now+1hour --wrap true
	job games optics -n1 --begin=now+1hour -a '1-9%3' --wrap true
	suspend_one
	until_true 600 ended_as "$late" TIMEOUT
	until_true 600 ended_as "$steps" COMPLETED
}

run_jobs() {
	job games optics -n2 --wrap 'sleep 2'
	job man optics -n1 --wrap 'exit 3'
	job mail music -n4 -q low --wrap 'srun -n2 sleep 1; sleep 1'
	job news physics -n1 -a 1-3 --wrap 'sleep 1'
	job news music -n1 --wrap 'sleep 1'
	suspend_one
	until_true 600 none_left
	slurm scontrol create reservation reservationname=course starttime=now+10minutes \
		duration=60 users=games nodecnt=1 flags=ignore_jobs
	slurm scontrol update NodeName="$(hostname -s)" State=DRAIN Reason='a disk | two'
	job games physics -n8 -t 30 --wrap 'sleep 1'
	job man optics -n2 -t 10 --hold --wrap 'sleep 1'
	until_true 600 usage_is_counted
}
