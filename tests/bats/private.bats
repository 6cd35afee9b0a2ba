# PrivateData holds on every path: who must not see another sees no name of his anywhere, whatever
# the program, the form of its output, the error. The hidden ones carry a marker in every name.
load lib

setup() {
	fresh_cluster PrivateData=accounts,events,jobs,reservations,usage,users \
		AccountingStorageTRES=gres/gpu PartitionName=debug\ Nodes=vm\ Default=YES\ State=UP
	local_users pam hidmark carl
	sacctmgr -iQ add account lab,hidlab >/dev/null
	sacctmgr -iQ add account hidsub parent=hidlab >/dev/null
	sacctmgr -iQ add user pam account=lab >/dev/null
	sacctmgr -iQ add user carl account=lab >/dev/null
	sacctmgr -iQ add user hidmark account=hidlab,hidsub defaultwckey=hidkey >/dev/null
	sacctmgr -iQ add coordinator account=hidlab names=hidmark >/dev/null
	srecord cluster tres=cpu=64,mem=256000,gres/gpu=4 start=now-3days
	hidden_job 11 start=now-2hours nodelist=vm submit=now-3hours
	hidden_job 12 submit=now-1day start=now-20hours end=now-10hours nodelist=vm exit=1 maxrss=1G
	hidden_job 13 submit=now-2hours
	hidden_job 14 submit=now-2hours hold=1
	srecord step job=11 step=0 name=hidstep start=now-1hour
	srecord job id=21 user=pam submit=now-1hour cpus=64 timelimit=60
	srecord job id=22 user=pam submit=now-1day start=now-20hours end=now-19hours nodelist=vm \
		cpus=2
	srecord node node=vm state=drain reason=hidreason start=now-2days end=now-1day
	srecord reservation name=hidres users=hidmark nodes=vm start=now+1day end=now+2days
}

# Its job's every text says hid.
hidden_job() {
	local id=$1
	shift
	srecord job id="$id" user=hidmark account=hidlab name=hidname comment=hidcomment \
		wckey=hidkey workdir=/hidden/dir submitline='sbatch hidscript' extra=hidextra \
		cpus=32 timelimit=300 stdout=/hidden/out "$@"
}

# sees_nothing COMMAND...: as pam; whatever it prints, there is no mark in it, but where the words
# typed hold it, which errors may repeat.
sees_nothing() {
	local text
	capture as pam "$@"
	text=$stdout$stderr
	text=${text//Hidden=NO/} # of every partition
	[[ ${text,,} != *hid* ]] || same "what pam sees of $*" "$text" 'no mark'
	((status < 100)) || same "status of $*" "$status" 1
	[[ $text != *nrecognized* && $text != *'invalid option'* ]] ||
		same "an option of $*" "$text" known
}

@test "PrivateData: squeue" {
	local form
	for form in '' --long --json --yaml --ndjson --csv --steps -r \
		'-O Name:40,UserName,Account' '-o %all' '-o %u|%a|%j|%k|%Z|%v' '-t all' \
		'-t all --json' '-i 0' --start '--start --json' '-u nobody-such' '-j 11' \
		'-j 11,12,13 --json' '-A other' '-w vm' '-s 11.0'; do
		sees_nothing squeue $form
	done
	[[ $(as pam squeue -h -o %i) == 21 ]]
}

@test "PrivateData: sacct" {
	local form
	for form in -X --json --yaml --ndjson --csv '-o ALL' -l -P '-P -o ALL' -B \
		'--duplicates -l' '-N vm' '-s R' '-x x' --completion; do
		sees_nothing sacct -S now-5days $form
		sees_nothing sacct -a -S now-5days $form
		sees_nothing sacct -j 11,12,13 $form
	done
	[[ $(as pam sacct -nXaP -S now-5days -o jobid | sort | tr '\n' ' ') == '21 22 ' ]]
}

@test "PrivateData: sprio, sshare" {
	local form
	for form in '' -l --json --yaml --csv --ndjson '-o %u|%a|%i' -w -n '-j 13' '-u all' \
		'--explain=21' --explain=all --explain \
		'--explain=21 --json' '--explain=all --json' \
		'--explain=all --yaml' --what-if=PriorityWeightAge=5; do
		sees_nothing sprio $form
	done
	for form in '' -a -l --json --yaml --csv --ndjson -m -P '-A lab' '-a -l -o ALL' \
		--explain '--explain --json' --history=1day \
		'--forecast' --what-if=PriorityDecayHalfLife=1-0 \
		'-a --json'; do
		sees_nothing sshare $form
	done
}

@test "PrivateData: splan" {
	local form
	for form in '' --json --yaml --ndjson --csv -P --statistics --table '--table --json' \
		--parameters --over-limits --when=id=21 --when=id=11 '--when=cpus=4 --json' \
		--advise '--advise --json' --at=now+1hour --format=JobID,User,Account,Reason; do
		sees_nothing splan $form
	done
	as pam splan --csv | grep -q 21
	hidden_job 15 constraints='a*2'
	capture splan --parameters
	[[ $stderr == *'job 15: '* ]]
	capture as pam splan --parameters
	[[ $stderr != *'job 15'* ]]
}

# Its limit is a hidden account's, nodes are kept for hidden jobs, and would-be partitions and QOS
# are tried with hidden jobs around.
@test "PrivateData: why a job waits, and what would help" {
	sacctmgr -iQ add account hidtop >/dev/null
	sacctmgr -iQ modify account lab set parent=hidtop >/dev/null
	why() {
		local form
		for form in '' --json; do
			sees_nothing sprio --explain=21 $form
			sees_nothing sprio --explain=all $form
			sees_nothing splan --when=id=21 $form
			sees_nothing splan --when=cpus=64 $form
			sees_nothing sshare --forecast $form
			sees_nothing splan $form
		done
		sees_nothing seff 21
		sees_nothing seff --suggest 21
		sees_nothing squeue -j 21
		sees_nothing scontrol show job 21
		sees_nothing sreport --openmetrics
	}
	why
	[[ $(as pam seff 21) == *'It starts '* ]]
	sacctmgr -iQ modify account hidtop set grptres=cpu=10 >/dev/null
	why
	[[ $(as pam squeue -h -j 21 -o %r) == AssocGrpCpuLimit ]]
	sacctmgr -iQ modify account hidtop set grptres=cpu=-1 grptresmins=cpu=1 >/dev/null
	why
	sacctmgr -iQ modify account hidtop set grptresmins=cpu=-1 >/dev/null
	srecord reservation name=hidnow users=hidmark nodes=vm start=now end=now+1day
	srecord job id=21 dependency=afterany:11 >/dev/null
	why
	srecord job id=21 dependency=none reservation=hidres >/dev/null
	sees_nothing seff 11
}

@test "PrivateData: sreport, seff, ssim" {
	local form report
	for form in '' --csv -P --json --yaml --ndjson; do
		for report in 'cluster accountutilizationbyuser' \
			'cluster userutilizationbyaccount' 'cluster userutilizationbywckey' \
			'cluster wckeyutilizationbyuser' 'user topusage' \
			'job sizesbyaccount' 'job sizesbywckey' 'job sizesbyaccountandwckey' \
			'reservation utilization'; do
			sees_nothing sreport $form $report start=now-3days end=now+3days
		done
	done
	for form in '' --json --csv --yaml; do
		sees_nothing seff $form 11
		sees_nothing seff $form 11 12 13
		sees_nothing seff $form -u pam
		sees_nothing seff $form --waste
		sees_nothing seff $form --waste by=account,partition since=now-5days
		sees_nothing seff $form -u none -S now-5days
		sees_nothing seff $form --suggest 12
	done
	sees_nothing ssim
	sees_nothing ssim --json
	sees_nothing ssim --starts=starts.csv --svg=gantt:gantt.svg --svg=curves:curves.svg
	run ! grep -il hid starts* gantt.svg curves.svg
}

@test "PrivateData: sacctmgr" {
	local form what
	for form in '' -P --json --yaml --ndjson --csv; do
		for what in account 'account withassoc' 'account withcoord' assoc \
			'assoc tree' user 'user withassoc' 'user withcoord' cluster \
			'cluster withfed' qos tres wckey event 'event all' reservation \
			transactions 'transactions withassocinfo' runawayjobs problem \
			resource federation stats job 'coordinator'; do
			sees_nothing sacctmgr $form show $what
		done
	done
	sees_nothing sacctmgr dump canis
	sees_nothing sacctmgr show transactions actor=root
}

@test "PrivateData: sinfo, scontrol" {
	local form what
	for form in '' -l -N -lN -R -s -T --json --yaml --csv --ndjson -a '-o %all' \
		'-O Reason,User,NodeList,Comment,Extra' '-t drain' '-R -l'; do
		sees_nothing sinfo $form
	done
	for form in '' -d -o -a; do
		for what in 'job' 'job 11' 'job 13' 'job 12,14' jobs 'job hidname' node 'node vm' \
			partition config reservation 'reservation other' hostnames step \
			assoc_mgr licenses aliases; do
			sees_nothing scontrol $form show $what
		done
	done
	for form in --json --yaml; do
		for what in node partition reservation; do
			sees_nothing scontrol $form show $what
		done
	done
	sees_nothing sdiag
	as pam scontrol show job | grep -q JobId=21
}

@test "PrivateData: spage" {
	as pam spage page.html
	page_words page.html >words
	grep -q pam words
	run ! grep -iE \
		'hid(mark|lab|sub|key|name|comment|reason|res|step|script|extra)' page.html words
	run ! grep -F /hidden/ page.html words
	grep -q pam page.html
	refuses 'only root can look as another' as pam spage --user=hidmark
	sees_nothing spage --dir=pages
}

@test "PrivateData: what sacctmgr tries, ensures, undoes and keeps" {
	local command form
	for command in 'undo' 'redo' 'ensure user pam account=lab' 'ensure user zoe account=lab' \
		'absent account lab' 'absent user pam' 'add user zoe account=lab' \
		'modify user pam set fairshare=3' 'modify user set fairshare=3' \
		'delete user where account=lab' 'show change' 'show undo' 'check' 'rebuild usage' \
		'archive dump jobs' 'backup copy' 'load copy' 'diff copy' 'apply copy' 'ping'; do
		sees_nothing sacctmgr -i $command
		sees_nothing sacctmgr -i --dry-run $command
		sees_nothing sacctmgr -i --json $command
	done
	for form in '' --verify --end; do
		sees_nothing srecord $form sync from=slurm bin=/nonexistent
	done
	sees_nothing srecord job id=13 state=CANCELLED
	sees_nothing srecord reservation name=hers delete
	sees_nothing srecord node node=vm state=idle
}

# One at a time and all at once; with files that can be read: what the store has beyond them is not
# told either.
@test "PrivateData: sacctmgr, who set what, undo by number, check, diff and apply" {
	local form command n last
	sacctmgr -iQ modify user hidmark set fairshare=9 maxjobs=3 >/dev/null
	sacctmgr -iQ modify user hidmark set maxsubmit=9 until=now+1day >/dev/null
	sacctmgr -iQ modify account hidlab set fairshare=4 until=now+2days >/dev/null
	printf '%s\n' 'cluster: canis' 'accounts:' '  lab: {users: {pam: {}}}' >site.yaml
	printf '%s\n' 'cluster: canis' 'groups:' '  root: lab' >groups.yaml
	for form in '' -P --json --yaml --ndjson --csv; do
		for command in 'account withblame' 'user withblame' 'assoc withblame' \
			'qos withblame' 'account withleases' 'user withleases' \
			'user withassoc withblame' \
			'transactions since=now-1day'; do
			sees_nothing sacctmgr $form show $command
		done
		for command in 'diff site.yaml' 'diff site.yaml prune' \
			'diff directory groups.yaml' \
			'diff directory groups.yaml prune' 'check' 'check child-limits' \
			'check leases system-users empty-accounts' 'rebuild rollups' \
			'undo last' 'undo since=now-1day' 'undo actor=root' 'redo last'; do
			sees_nothing sacctmgr -i $form $command
			sees_nothing sacctmgr -i --dry-run $form $command
		done
	done
	for command in 'apply site.yaml' 'apply site.yaml prune' 'apply directory groups.yaml' \
		'load site.yaml' 'check --fix'; do
		sees_nothing sacctmgr -i $command
		sees_nothing sacctmgr -i --dry-run $command
	done
	for form in yaml json flat; do
		sees_nothing sacctmgr -i dump canis format=$form file=dumped
		[[ ! -e dumped ]] || run ! grep -i hid dumped
		rm -f dumped
	done
	last=$(ask 'SELECT max(id) FROM change')
	for ((n = 1; n <= last; n++)); do
		sees_nothing sacctmgr -i --dry-run undo "$n"
		sees_nothing sacctmgr -i undo "$n"
	done
}

@test "PrivateData: pictures, plots and metrics" {
	local form report
	for form in '' --history=2days '--history=2days --json' --forecast '--forecast --json' \
		'--algorithm --explain'; do
		sees_nothing sshare -a $form --plot
		sees_nothing sshare -a $form --svg=shares.svg
		[[ ! -e shares.svg ]] || run ! grep -i hid shares.svg
		rm -f shares.svg
	done
	for report in 'cluster accountutilizationbyuser' 'cluster userutilizationbywckey' \
		'user topusage' 'job sizesbyaccount' 'reservation utilization' \
		'cluster utilization'; do
		sees_nothing sreport --svg=report.svg $report start=now-3days end=now+3days
		[[ ! -e report.svg ]] || run ! grep -i hid report.svg
		rm -f report.svg
	done
	sees_nothing sreport --openmetrics
	capture sreport --openmetrics
	[[ $stdout == *hidlab* ]] || same 'what root sees' "$stdout" hidlab
	for form in --at=now+1hour '--at=now+1hour --json' '--explain --json'; do
		sees_nothing sprio $form
		sees_nothing sshare -a $form
	done
}

@test "PrivateData: what-if and its errors" {
	local change
	for change in 'job id=13 user=pam' 'job id=11 user=pam' 'job id=12' 'job id=13' \
		'job user=pam cpus=64' 'modify user pam set fairshare=9' \
		'modify job 13 set comment=x' 'remove account lab' 'remove user pam' \
		'modify account where cluster=canis set fairshare=3' \
		'remove user where cluster=canis' 'remove account where cluster=canis' \
		'modify user where account=lab set maxjobs=x' 'remove qos normal' \
		'remove cluster canis' 'add user zoe account=lab'; do
		sees_nothing squeue --what-if="$change"
		sees_nothing squeue --what-if="$change" --json
		sees_nothing sshare --what-if="$change" -a
		sees_nothing sshare --what-if="$change" -a --json
		sees_nothing sprio --what-if="$change"
	done
	sees_nothing squeue --what-if='job user=pam cpus=64' --csv
	sees_nothing splan --when='user=pam cpus=4'
	sees_nothing splan --when='id=13 user=pam'
	sees_nothing splan --when='id=13'
	sees_nothing sprio --job='user=pam'
}

@test "PrivateData: nobody becomes another in a what-if" {
	refuses 'nobody gets a new name' as pam sshare -a \
		--what-if='modify user where name=hidmark set newname=pam'
	refuses 'job 13 is not yours' as pam squeue --what-if='job id=13 user=pam account=lab'
	refuses 'job 13 is not yours' as pam sprio --what-if='job jobid=13 user=pam account=lab'
}

@test "PrivateData: to root the marks are there" {
	local command
	for command in 'squeue' 'sacct -aX -S now-5days' 'sprio -l' 'sshare -a' splan \
		'splan --json' \
		'sreport cluster userutilizationbyaccount start=now-3days end=now+3days' \
		'seff -u hidmark' 'sacctmgr show transactions'; do
		capture $command
		[[ $stdout == *hid* ]] || same "what root sees of $command" "$stdout$stderr" hid
	done
}

@test "PrivateData: splan --start is no user's" {
	refuses '--start is for root, SlurmUser' as pam splan --start
	refuses '--record is for root, SlurmUser' as pam splan --record
}

@test "PrivateData: completion" {
	sees_nothing sacctmgr --autocomplete=show user ''
	sees_nothing sacctmgr --autocomplete show account name=
	sees_nothing sacctmgr --autocomplete modify user where account=
}
