# Text that wants to be more than text: control characters, ends of lines, bytes that are no UTF-8,
# formulas. srecord refuses it, an import replaces and counts it, and what is in a store all the
# same is shown as \x1b (bursar-store(5)).
load lib

setup() {
	fresh_cluster
	local_users ann
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
}

@test "srecord: control characters and bad UTF-8 are refused, nothing is written" {
	local word bad
	for word in name comment wckey workdir reason submitline extra admincomment systemcomment \
		account user stdout container dependency constraints; do
		for bad in $'a\e[31mb' $'a\nb' $'a\tb' $'a\x7fb' $'a\xff\xfe' $'a\xc2\x9bb'; do
			refuses 'must be UTF-8 without control characters' \
				srecord job user=ann "$word=$bad"
		done
	done
	refuses 'must be UTF-8' srecord node node=vm state=down reason=$'x\e]0;y\a'
	refuses 'must be UTF-8' srecord reservation name=$'r\n' nodes=vm end=now+1hour
	same jobs "$(ask 'SELECT count(*) FROM job')" 0
	srecord job id=1 user=ann name='ünïcödé ✓ "quoted" | pipe' comment='=1+1'
	prints 'ünïcödé ✓ "quoted" | pipe' squeue -ho %j
}

@test "srecord import: replaced and counted" {
	{ echo 'JobIDRaw|User|Account|State|Submit|Start|End|JobName|Comment'
	printf '7|ann|lab|COMPLETED|2000000|2000010|2000020|a\e[31mb|x\ty\n'
	printf '8|ann|lab|COMPLETED|2000000|2000010|2000020|plain|\n'; } >jobs
	capture srecord import jobs
	same status "$status" 0
	[[ $stderr == *'2 texts held control characters'* ]] || same count "$stderr" '2 texts'
	same names "$(ask 'SELECT name, comment FROM job ORDER BY id')" \
		$'a\xef\xbf\xbd[31mb|x y\nplain|'
}

# Put there by force, as an older Bursar may have.
forge() {
	srecord job id=1 user=ann submit=now-1hour
	srecord job id=2 user=ann submit=now-3hours start=now-2hours end=now-1hour nodelist=vm
	ask "UPDATE job SET name = 'x' || char(27) || '[2J' || char(10) || '9|root|forged',
		comment = char(7) || char(155)"
}

@test "what is in a store all the same is shown as \\x1b" {
	local command
	forge
	for command in 'squeue -o %all' 'squeue -o %j|%u' 'squeue -O Name:30' \
		'squeue -O Name,Comment' 'squeue -l' \
		'sacct -aX -o JobID,JobName%40,Comment' 'sacct -aXP -o ALL' \
		'sacct -aXp -o JobName' 'sacct -aX -l' 'sprio -l' splan; do
		capture $command
		same "status of $command" "$status" 0
		[[ $stdout != *$'\e'* && $stdout != *$'\a'* ]] || same "$command" "$stdout" visible
		! grep -qa '^9|root|forged' "$BATS_TEST_TMPDIR/out" ||
			same "$command" "$stdout" 'no row of its own'
	done
	prints 'x\x1b[2J\x0a9|root|forged' squeue -h -t PD -o %j
	prints 'x\x1b[2J\x0a9|root|forged|2' sacct -nXaP -j 2 -S now-1day -o jobname,jobid
}

# A user, an account, a QOS, an event, a reservation, an entry of the log, a wckey.
forge_all() {
	local nasty="'x' || char(27) || '[2J' || char(10) || 'forged' || char(155)"
	sacctmgr -iQ add user bea account=lab defaultwckey=wk >/dev/null
	sacctmgr -iQ add qos fast >/dev/null
	srecord node node=vm state=drain reason=why start=now-1hour
	srecord reservation name=res users=ann nodes=vm start=now+1day end=now+2days
	ask "UPDATE account SET description = $nasty, organization = $nasty"
	ask "UPDATE qos SET description = $nasty"
	ask "UPDATE event SET reason = $nasty"
	ask "UPDATE reservation SET name = $nasty"
	ask "UPDATE txn SET info = $nasty, actor = $nasty"
	ask "UPDATE assoc SET comment = $nasty"
	ask "UPDATE wckey SET name = $nasty"
}

@test "nor from any table of any program" {
	local command
	forge
	forge_all
	for command in 'sinfo -R' 'sinfo -lR' 'sinfo -N -O Reason:40,NodeList' sinfo 'sinfo -T' \
		'sinfo -o %E' 'scontrol show node' 'scontrol -o show node' 'scontrol show job' \
		'scontrol -o show job' 'scontrol show reservation' 'scontrol -o show reservation' \
		'sacctmgr show account' 'sacctmgr -P show account' 'sacctmgr show qos' \
		'sacctmgr -p show txn' 'sacctmgr show txn' 'sacctmgr show event' \
		'sacctmgr show wckey' 'sacctmgr show reservation' 'sacctmgr -P show assoc tree' \
		'sacctmgr show change' 'sacctmgr check' \
		'sacctmgr -i --dry-run modify user ann set maxjobs=3' \
		'sacctmgr -i --dry-run delete account lab' 'sacctmgr -i undo' 'sacctmgr -i redo' \
		'sacctmgr -i ensure account lab description=d' \
		'sreport reservation utilization start=now end=now+3days' \
		'sreport cluster wckeyutilizationbyuser start=now-1day' 'seff 2' 'sshare -a' \
		'splan --table' 'sprio --explain=1' 'squeue --start' 'bursar squeue' spage; do
		capture $command
		((status < 3)) || same "status of $command" "$status" 0 # check: 2
		[[ $stdout$stderr != *[$'\e\a']* ]] || same "$command" "$stdout$stderr" visible
		! grep -qax -e 'forged.*' "$BATS_TEST_TMPDIR/out" ||
			same "$command" "$stdout" 'no row of its own'
	done
}

# The names themselves: of an account, a user of it, a QOS, a wckey, a job and a reservation.
forge_names() {
	forge
	forge_all
	sacctmgr -iQ add account bad parent=lab >/dev/null
	sacctmgr -iQ add user cid account=bad >/dev/null
	srecord job id=3 user=ann submit=now-1hour
	ask "UPDATE account SET name = 'bad' || char(10) || 'forged a' WHERE name = 'bad';
		UPDATE user SET name = 'cid' || char(10) || 'forged u' WHERE name = 'cid';
		UPDATE qos SET name = 'fast' || char(10) || 'forged q' WHERE name = 'fast';
		UPDATE assoc SET account = 'bad' || char(10) || 'forged a' WHERE account = 'bad';
		UPDATE assoc SET user = 'cid' || char(10) || 'forged u' WHERE user = 'cid';
		UPDATE job SET name = 'n' || char(10) || 'forged j', qos = (SELECT id FROM qos
			WHERE name GLOB 'fast*'), nodelist = 'vm' || char(10) || 'forged n',
			reason = 'r' || char(10) || 'forged r',
			assoc = (SELECT key FROM assoc WHERE user GLOB 'cid*') WHERE id != 3"
}

@test "nor is a sentence broken by a name" {
	local command words
	forge_names
	printf '%s\n' 'cluster: canis' 'accounts: {lab: {description: d, users: {ann: {}}}}' \
		>site.yaml
	sacctmgr -iQ dump canis file=site.cfg >/dev/null
	for command in 'sshare --explain' 'sshare -a --explain' 'sprio --explain=1' \
		'seff 1' 'seff 2' \
		'splan' 'splan --when=id=1' 'splan --start' 'splan --advise=1' 'squeue --start' \
		'sacctmgr check' 'sacctmgr diff site.yaml' 'sacctmgr show assoc tree' \
		'sacctmgr show assoc where witheffective' 'sacctmgr show assoc where withblame' \
		'sshare -a --what-if=modify_account_lab_set_fairshare=9' \
		'sacctmgr -i --dry-run modify account lab set fairshare=9' \
		'sacctmgr -i --dry-run delete account lab' \
		'sacctmgr -i modify account lab set maxjobs=5' \
		'sacctmgr -i modify account where organization=lab set maxjobs=6' \
		'sacctmgr -i load site.cfg' 'sacctmgr -i undo' 'sacctmgr -i redo' \
		'sacctmgr -i apply site.yaml prune' 'sacctmgr -i undo' \
		'sacctmgr -i check --fix' 'sacctmgr -i delete user where account=lab' \
		'sacctmgr -i delete account lab'; do
		read -ra words <<<"$command"
		capture "${words[@]//_/ }"
		! grep -qa '^ *forged' <<<"$stdout$stderr" ||
			same "$command" "$stdout$stderr" 'one line a sentence'
	done
}

@test "nor is a record of a dump begun by a name" {
	forge_names
	sacctmgr -iQ dump canis file=forged.cfg >/dev/null
	grep -qa 'bad\\\\x0aforged a' forged.cfg
	! grep -qa '^ *forged' forged.cfg || same dump "$(cat forged.cfg)" 'a line a record'
	sacctmgr -iQ load forged.cfg >/dev/null
	prints '1' ask "SELECT count(*) FROM account WHERE name = 'bad' || '\\x0a' || 'forged a'"
}

# Sentences and reports are not made of cells: the terminal itself is guarded. Colours are ours.
@test "nor from a sentence, on a terminal" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	local command seen
	forge
	forge_all
	ask "UPDATE job SET grp = comment, dependency = comment || char(27) || 'c'"
	printf '%s\n' 'cluster: canis' 'accounts: {lab: {description: d, users: {ann: {}}}}' \
		>site.yaml
	sacctmgr -iQ dump canis file=site.cfg >/dev/null
	ask "UPDATE account SET description = char(27) || '[31m' || char(27) || '[8mx'"
	for command in 'sacctmgr diff site.yaml' 'sacctmgr -i load site.cfg' 'sacctmgr -i undo' \
		'sprio --explain=1' 'seff 2' 'squeue --json'; do
		seen=$(LD_PRELOAD='' SHELL=/bin/bash TERM=xterm script -qec \
			"PAGER=cat LD_PRELOAD=$LD_PRELOAD $command" /dev/null </dev/null |
			sed -E 's/\x1b\[(0|1|3[1-6])m//g')
		[[ $seen ]]
		! LC_ALL=C grep -qP '[\x1b\x07]|\xc2[\x80-\x9f]' <<<"$seen" ||
			same "$command" "$(cat -v <<<"$seen")" visible
	done
	seen=$(LD_PRELOAD='' SHELL=/bin/bash TERM=xterm script -qec \
		"LD_PRELOAD=$LD_PRELOAD sacctmgr diff site.yaml" /dev/null </dev/null) || true
	[[ $seen == *$'\e[32m+Description: d'* ]] || same colours "$(cat -v <<<"$seen")" kept
}

@test "errors do not give a terminal what was typed" {
	capture squeue --states=$'\e[31m'
	[[ $stderr != *$'\e'* ]] || same error "$stderr" visible
	capture srecord job $'a\e[31m=1'
	[[ $stderr == *'\x1b[31m'* && $stderr != *$'\e'* ]] || same error "$stderr" visible
}

@test "--csv=safe: no cell is a formula" {
	local name
	for name in '=1+1' '+cmd' '-x' '@SUM(A1)' '=a,b' '-5' '+3.5' plain; do
		srecord job user=ann name="$name" >/dev/null
	done
	same safe "$(squeue --csv=safe -h -S i -o %j)" "'=1+1
'+cmd
'-x
'@SUM(A1)
\"'=a,b\"
-5
+3.5
plain"
	same plain "$(squeue --csv -h -S i -o %j | head -2)" $'=1+1\n+cmd'
	same sacct "$(sacct --csv=safe -nXa -S now-1day -o jobname | head -1)" "'=1+1"
	for program in sacct sinfo sprio sshare sreport splan squeue 'sacctmgr show user'; do
		capture $program --csv=safe
		same "$program" "$status" 0
	done
	refuses "--csv: 'tidy' is not known" sshare --csv=tidy
}
