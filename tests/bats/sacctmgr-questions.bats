#!/usr/bin/env bats
# Every change asks before it is kept. Each command below is answered y, n, and not at all, from a
# pipe and at a terminal: after a yes the store is what the same command leaves with -i; after a no
# and a time-out it is what it was.

load lib

setup() {
	fresh_cluster
	local_users amy bob cy
	sacctmgr -iQ >/dev/null <<-'END'
		add account solo cluster=canis
		add cluster felis
		add account lab,law
		add account phys parent=lab
		add qos fast,slow,old
		add user amy,bob account=lab
		add user amy account=law
		add user amy wckey=key
		add federation fed
		add coordinator account=lab names=bob
		add resource name=mat server=srv type=license count=10 cluster=canis percent=50
	END
	srecord job id=7 user=amy account=lab submit=now-3hours start=now-2hours \
		end=now-1hour >/dev/null
	# There is something to rebuild, and a name that was taken away comes back in its old row.
	ask 'UPDATE usage SET raw = raw + 77'
	sacctmgr -iQ delete qos old >/dev/null
	sacctmgr -iQ dump canis file=whole.cfg >/dev/null
	printf '%s\n' 'Cluster - canis' 'Parent - root' 'Account - zoo:Fairshare=3' 'Parent - zoo' \
		'User - cy:DefaultAccount=zoo' >zoo.cfg
	cp "$(store)" begin.db
}

# What the store holds, without times and without which question of a command changed what.
content() {
	LD_PRELOAD='' sqlite3 "$(store)" .dump | grep -v '^INSERT INTO "\?change"\? ' |
		sed -E 's/\b1[0-9]{9}\b/T/g; s/^(INSERT INTO txn VALUES\([0-9]+),[0-9]+/\1/'
}

begin_again() {
	rm -f "$(store)"-*
	cp begin.db "$(store)"
}

# One command, in the words of a shell, into `commands`.
commands() {
	cat <<-'END'
		add account zoo
		add account zoo fairshare=3 description=x
		add user cy account=lab
		add user cy account=lab,law defaultaccount=law fairshare=4
		add user bob wckey=other
		add qos zebra
		add qos zebra,zorse priority=4 preempt=fast
		add qos old priority=4
		add cluster lynx
		add cluster lynx fairshare=3 federation=fed
		add federation other
		add federation other cluster=felis
		add coordinator account=law names=amy
		add resource name=abq server=srv type=license count=3
		add resource name=abq server=srv type=license count=3 cluster=canis percent=20
		modify account lab set fairshare=7
		modify account lab set fairshare=7 description=y
		modify account lab where cluster=canis,felis set maxjobs=4
		modify account phys set parent=law
		modify account lab set rawusage=0
		modify user amy set maxjobs=3
		modify user amy where account=lab set qos+=fast
		modify user amy where cluster=canis set defaultaccount=law
		modify user amy set adminlevel=operator
		modify user bob set newname=rob
		modify user amy where account=lab set rawusage=0
		modify qos fast set priority=5 maxtres=cpu=4
		modify qos fast set preempt=slow
		modify qos slow set rawusage=0
		modify cluster canis set maxjobs=3
		modify cluster felis set federation=fed
		modify cluster felis set newname=lynx
		modify federation fed set clusters+=felis
		modify resource mat where server=srv set count=20
		modify resource mat where server=srv cluster=canis set percent=30
		modify job where jobid=7 set comment=late
		delete account law
		delete account law where cluster=canis
		delete user bob
		delete user amy where account=law
		delete user amy where wckey=key
		delete qos slow
		delete cluster felis
		delete federation fed
		delete coordinator account=lab names=bob
		delete resource mat where server=srv cluster=canis
		delete resource mat where server=srv
		ensure user cy account=law fairshare=3
		absent qos slow
		load zoo.cfg
		load whole.cfg clean
		rebuild usage
	END
}

# answered WHERE TYPED WORD...: sacctmgr asks on a pipe or a terminal; `late` types nothing. What is
# typed comes from a FIFO that stays open: where its input ends script(1) waits for two seconds.
answered() {
	local where=$1 typed=$2 hold
	shift 2
	local -a command=(sacctmgr "$@")
	[[ $where == pipe ]] || command=(script -qec "sacctmgr $*" /dev/null)
	[[ -p answers ]] || mkfifo answers
	exec {hold}<>answers
	if [[ $typed == late ]]; then
		BURSAR_ANSWER_MS=5 TERM=dumb "${command[@]}" <answers >said 2>&1 || true
	else
		printf '%s' "$typed" >&"$hold"
		TERM=dumb "${command[@]}" <answers >said 2>&1 || true
	fi
	exec {hold}>&-
}

# What the store holds is what it held in the beginning: mostly every byte of its file.
as_in_the_beginning() {
	[[ ! -e $file-wal ]] && cmp -s begin.db "$file" || [[ $(content) == "$begun" ]]
}

# each WHERE TYPED LINE...: what is left to do of the commands, one after the other.
each() {
	local where=$1 typed=$2 line words wanted begun said file seen=0
	file=$(store) begun=$(content)
	while IFS= read -r line; do
		read -ra words <<<"$line"
		if [[ $typed == y* ]]; then
			begin_again
			capture sacctmgr -i "${words[@]}"
			same "status of $line" "$status" 0 || { echo "$stdout$stderr"; return 1; }
			wanted=$(content)
			[[ $wanted != "$begun" ]] || { echo "$line changes nothing"; return 1; }
		fi
		begin_again
		answered "$where" "$typed" "${words[@]}"
		said=$(<said)
		if [[ $typed == y* ]]; then
			same "what $line left after '$typed'" "$(content)" "$wanted"
		else
			as_in_the_beginning ||
				same "what $line left after '$typed'" "$(content)" "$begun"
		fi || { echo "$said"; return 1; }
		[[ $said == *'(You have 30 seconds to decide)'* ]] || { echo "$said"; return 1; }
		[[ $typed != late || $said == *timeout* ]] || { echo "$said"; return 1; }
		seen=$((seen + 1))
	done < <(commands)
	((seen > 40))
}

@test "a pipe says yes" {
	each pipe yyy
}

@test "a pipe says no" {
	each pipe nnn
}

@test "a pipe says nothing in time" {
	each pipe late
}

@test "a terminal says yes" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	each terminal yyy
}

@test "a terminal says no" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	each terminal nnn
}

@test "a terminal says nothing in time" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	each terminal late
}

# tests/unit/members.c: there is a member for every column.
@test "a name that comes back has nothing of the old row" {
	ask 'UPDATE assoc SET max_jobs = 8, comment = "old", priority = 7'
	ask 'UPDATE qos SET grp_wall = 8, limit_factor = 2, flags = 3'
	sacctmgr -iQ delete account law >/dev/null
	ask "UPDATE qos SET created = created - 200000 WHERE name = 'slow'"
	ask "UPDATE assoc SET created = created - 200000 WHERE account = 'phys'"
	sacctmgr -iQ delete account phys >/dev/null
	sacctmgr -iQ delete qos slow >/dev/null
	same 'kept rows' "$(ask "SELECT count(*) FROM assoc WHERE account = 'phys' AND deleted")" 2
	sacctmgr -iQ add account phys >/dev/null
	sacctmgr -iQ add qos slow priority=3 >/dev/null
	same account "$(ask "SELECT deleted, max_jobs, comment, priority, shares FROM assoc
		WHERE account = 'phys'")" $'0||||1\n0||||1'
	same qos "$(ask "SELECT deleted, grp_wall, limit_factor, flags, priority FROM qos
		WHERE name = 'slow'")" '0||||3'
}

# The last entries of the log.
log() {
	ask "SELECT action, cluster, name FROM txn ORDER BY id DESC LIMIT $1"
}

@test "ids in the log stand beside their own cluster" {
	sacctmgr -iQ add user cy account=lab >/dev/null
	sacctmgr -iQ modify user cy set maxjobs=4 >/dev/null
	id="SELECT a.id FROM assoc a JOIN cluster c ON c.id = a.cluster
		WHERE user = 'cy' AND c.name"
	one=$(ask "$id = 'canis'") two=$(ask "$id = 'felis'")
	[[ $one != "$two" ]]
	same modified "$(log 2)" "1429|felis|(id_assoc=$two)"$'\n'"1429|canis|(id_assoc=$one)"
	sacctmgr -iQ delete user cy where account=lab >/dev/null
	same deleted "$(log 4 | grep '^1437')" \
		"1437|felis|id_assoc='$two'"$'\n'"1437|canis|id_assoc='$one'"
}

@test "a log that cannot be written undoes the change and says so" {
	for change in 'modify account lab set fairshare=9' 'modify account lab set description=z' \
		'modify user amy set maxjobs=9' 'delete user amy where account=law'; do
		ask "CREATE UNIQUE INDEX no_log ON txn (actor)
			WHERE id >= $(ask 'SELECT max(id) FROM txn')"
		before=$(content)
		capture sacctmgr -i $change
		same "status of $change" "$status" 1
		[[ $stderr == *"a record would exist twice (txn.actor)"* ]] ||
			{ echo "$change: $stdout$stderr"; return 1; }
		same "what $change left" "$(content)" "$before"
		ask 'DROP INDEX no_log'
	done
}

@test "without a terminal and without -i: nothing is said to be done, and it is a failure" {
	local line sentence='standard input is no terminal: use -i'
	sacctmgr -Q dump canis format=yaml >/dev/null
	sed 's/^  fast:.*/  fast: {Priority: 9}/' canis.yaml >more.yaml
	content >before
	for line in 'ensure account new' 'absent account law' 'load zoo.cfg' 'apply more.yaml' \
		'undo last' 'rebuild usage' 'restore begin.db'; do
		refuses "$sentence" sacctmgr $line
		content | cmp - before
	done
	capture sacctmgr --json ensure qos new
	same "the document's" "$(jq -r '.changed, .errors[].description' <<<"$stdout")" \
		$'null\n'"$sentence"
	# A session goes on with its next line; one that comes too late is the same.
	capture bash -c 'echo ensure account new | sacctmgr'
	[[ $status == 1 && $stderr == *"$sentence"* && $stdout != *changed* ]]
	capture bash -c '(sleep 0.3) | sacctmgr ensure account new'
	[[ $status == 1 && $stderr == *"$sentence"* && $stdout != *changed* ]]
	# What asks nothing needs no answer, and an answer may come through a pipe.
	prints unchanged sacctmgr ensure account lab
	capture bash -c 'echo y | sacctmgr ensure account new'
	[[ $status == 0 && $stdout == *changed ]]
}
