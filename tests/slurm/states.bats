#!/usr/bin/env bats
# srecord sync beside a real Slurm: jobs of every state and their steps, all columns of sacct; and
# every column of slurmdbd's tables of them. See sync.bats.

bats_require_minimum_version 1.5.0

load ours

setup_file() {
	site_for_tests fill_site run_states
}

teardown_file() {
	site_of_tests_ends
}

setup() {
	beside_the_site
}

# Columns that both sacct have, but for those of which man/bursar-feeders.7 says how they differ.
columns() {
	comm -12 <(slurm sacct -e | xargs -n1 | sort) <(ours sacct -e | xargs -n1 | sort) |
		grep -vxE "$1"
}

# all_of PROGRAM NOT: jobs and steps, a line for each column that says something
all_of() {
	local program=$1 names
	names=$(columns "$2" | paste -sd,)
	"$program" sacct -aDP --delimiter=$'\x1f' -S 2020-01-01 -o "jobidraw,submit,state,$names" |
		# 22.05 takes 128 off an exit code.
		awk -F$'\x1f' 'NR == 1 { split($0, name); next }
			{ for (i = 4; i <= NF; i++)
				if (name[i] ~ /ExitCode$/ && $i + 0 >= 128)
					sub(/^[0-9]*/, $i - 128, $i)
			for (i = 4; i <= NF; i++)
				if ($i != "") print $1, $2, $3, name[i] "=" $i }' |
		# The spelling of 22.05, and what it has where no energy is known.
		sed 's/StartRecieved/StartReceived/; /ConsumedEnergy[RawA-Z]*=0$/d' | sort
}

# same_jobs NOT WAITING: but for those columns, and of jobs that wait for these, too
same_jobs() {
	all_of slurm "$1" | grep -vE " PENDING ($2)=" >"$BATS_TEST_TMPDIR/theirs"
	all_of ours "$1" | grep -vE " PENDING ($2)=" >"$BATS_TEST_TMPDIR/ours"
	[[ $(cut -d' ' -f1 "$BATS_TEST_TMPDIR/theirs" | sort -u | wc -l) -ge 20 ]]
	diff -U0 "$BATS_TEST_TMPDIR/theirs" "$BATS_TEST_TMPDIR/ours"
}

never='DBIndex|AllocCPUS|NCPUS'

@test "from=mysql: every column of sacct, of jobs in every state" {
	from_mysql
	same_jobs "$never" none
}

@test "from=slurm: every column of sacct, of jobs in every state" {
	from_slurm
	same_jobs "$never|TotalCPU|UserCPU|SystemCPU" 'Priority|Reason|Timelimit|TimelimitRaw'
}

@test "the queue: reasons, tasks and what waits" {
	from_slurm
	diff <(slurm squeue -ht pending,running -o '%i %u %P %t %C %D' | sort) \
		<(ours squeue -ht pending,running -o '%i %u %P %t %C %D' | sort)
	diff <(slurm squeue -hO 'jobid,numtasks' | sort) <(ours squeue -hO 'jobid,numtasks' | sort)
}

@test "no column of slurmdbd's tables of jobs and steps is forgotten" {
	local table
	for table in job step; do
		diff <(database "SELECT column_name FROM information_schema.columns WHERE
			table_schema = DATABASE() AND table_name = 'rook_${table}_table'" | sort |
			comm -23 - <(sed -n "s/^$table \([a-z_]*\) .*/\1/p" \
				"$BATS_TEST_DIRNAME/columns" | sort)) /dev/null
	done
}

# Those of later releases are added; the job that had steps of several tasks gets the values.
@test "each of these columns arrives" {
	local inx id table column value field lost=0
	read -r inx id < <(database "SELECT s.job_db_inx, j.id_job FROM rook_step_table s
		JOIN rook_job_table j USING (job_db_inx) WHERE s.id_step = 0 AND s.task_cnt = 3")
	database "INSERT IGNORE INTO tres_table (creation_time, id, type, name)
		VALUES (1, 1003, 'gres', 'gpumem'), (1, 1004, 'gres', 'gpuutil')"
	while read -r table column value; do
		database "ALTER TABLE rook_${table}_table ADD COLUMN IF NOT EXISTS $column text;
			UPDATE rook_${table}_table SET $column = '$value' WHERE job_db_inx = $inx
			$([[ $table == job ]] || echo 'AND id_step = 0')"
	done < <(sed -n '/^#/d; s/ = / /p' "$BATS_TEST_DIRNAME/columns" | sed 's/ [^ ]*$//')
	from_mysql
	while read -r table column value field; do
		[[ $table == step ]] && table=$id.0 || table=$id
		[[ $(ours sacct -nP -S 2020-01-01 -j "$id" -o "jobid,${field%%=*}" |
			sed -n "s/^$table|//p") == "${field#*=}" ]] ||
			{ echo "lost: $column ($field)"; lost=1; }
	done < <(sed -n '/^#/d; s/ = / /p' "$BATS_TEST_DIRNAME/columns")
	[[ $lost == 0 ]]
}
