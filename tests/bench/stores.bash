# For the scripts of this folder, sourced: what the stores are made of, the same every time.
#
#   dump_lines N              a dump of cluster heron, for `sacctmgr load`, of N associations
#   sacct_lines N END         N jobs, one every 9.5 seconds, the last submitted by END, as sacct -P
#                             prints them
#   needs_store KIND N        a store of that size in the folder of kept ones, its path into `kept`:
#                             made when there is none of this schema
#   kept_folder               where they are (KEEP)
#
# KIND: assoc (N associations, a waiting job), jobs (1000 users, N ended jobs, rolled up) or pending
# (1000 users, N jobs that wait).

# Accounts of three levels, one for a hundred associations (ten faculties of ten groups, the rest
# projects spread over them), every user in one project.
dump_lines() {
	awk -v n="$1" '
	function block(name, i) {
		print "Parent - \047" name "\047"
		printf "%s", members[name]
		printf "%s", children[name]
		for (i = 1; i <= count[name]; i++)
			block(child[name, i])
	}
	# A faculty, a group of a faculty, or a project of a group.
	function parent_of(i) {
		if (i <= 10)
			return "root"
		return sprintf("a%05d", i <= 110 ? (i - 1) % 10 + 1 : (i - 1) % 100 + 11)
	}
	function add(parent, name, share) {
		child[parent, ++count[parent]] = name
		children[parent] = children[parent] "Account - \047" name "\047:Description=\047" \
			name "\047:Organization=\047site\047:Fairshare=" share "\n"
	}
	BEGIN {
		accounts = int(n / 100)
		user = "User - \047u%07d\047:DefaultAccount=\047%s\047:Fairshare=%d\n"
		print "Cluster - \047heron\047:Fairshare=1:QOS=\047normal\047"
		for (i = 1; i <= accounts; i++)
			add(parent_of(i), sprintf("a%05d", i), 1 + i % 17)
		for (i = 1; i <= n - accounts - 2; i++) {
			at = accounts <= 110 ? accounts : 111 + i % (accounts - 110)
			name = sprintf("a%05d", at)
			members[name] = members[name] sprintf(user, i, name, 1 + i % 5)
		}
		block("root")
	}'
}

# A thousand users in a hundred accounts.
sacct_lines() {
	awk -v jobs="$1" -v begin=$(($2 - $1 * 19 / 2)) 'BEGIN {
		srand(7)
		print "JobIDRaw|User|Account|Partition|QOS|State|ExitCode|" \
			"Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|" \
			"NNodes|ReqMem|ReqTRES|AllocTRES|NodeList|WorkDir|JobName"
		for (i = 1; i <= jobs; i++) {
			submit += int(rand() * 20)
			start = begin + submit + int(rand() * 3000)
			ran = int(rand() * 20000)
			user = int(rand() * 1000)
			cpus = 2 ^ int(rand() * 6)
			tres = sprintf("billing=%d,cpu=%d,mem=%dM,node=1", cpus, cpus, 2000 * cpus)
			printf "%d|u%04d|a%03d|batch|normal|%s|0:0|%d|%d|%d|%d|%d|" \
				"1440|%d|1|%dM|%s|%s|n%03d|" \
				"/home/u%04d|run_%d\n", i, user, user % 100,
				rand() < .8 ? "COMPLETED" : "FAILED", begin + submit,
				begin + submit, start, start + ran, ran, cpus,
				2000 * cpus, tres, tres, user % 400, user, user % 7
		}
	}'
}

make_assoc() {
	dump_lines "$2" >dump.cfg
	local -x BURSAR_STORE=$1
	sacctmgr -i load file=dump.cfg >/dev/null 2>&1 &&
		srecord job user=u0000001 cpus=4 submit=2023-11-14T22:00:00 >/dev/null
}

# Their users are there before them, in the log too.
make_jobs() {
	local -x BURSAR_STORE=$1
	awk 'BEGIN {
		print "Cluster - \047heron\047\nParent - \047root\047"
		for (i = 0; i < 100; i++)
			printf "Account - \047a%03d\047:Description=\047a\047\n", i
		for (i = 0; i < 1000; i++) {
			printf "Parent - \047a%03d\047\n", i % 100
			printf "User - \047u%04d\047:DefaultAccount=\047a%03d\047\n", i, i % 100
		}
	}' >dump.cfg
	BURSAR_NOW=1300000000 sacctmgr -i load file=dump.cfg >/dev/null 2>&1 || return
	sacct_lines "$2" $((BURSAR_NOW - 30000)) >jobs.txt
	srecord import --create jobs.txt >/dev/null
}

make_pending() {
	local -x BURSAR_STORE=$1
	awk -v jobs="$2" -v now="$BURSAR_NOW" 'BEGIN {
		srand(7)
		print "JobIDRaw|User|Account|Partition|State|Submit|Eligible|Start|End|ReqCPUS|" \
			"TimelimitRaw|ReqTRES"
		for (i = 1; i <= jobs; i++) {
			user = int(rand() * 1000)
			cpus = 2 ^ int(rand() * 6)
			at = now - jobs + i
			printf "%d|u%04d|a%03d|batch|PENDING|%d|%d|Unknown|Unknown|%d|1440|" \
				"billing=%d,cpu=%d,mem=%dM,node=1\n", i, user, user % 100, at, at,
				cpus, cpus, cpus, 2000 * cpus
		}
	}' >jobs.txt
	srecord import --create jobs.txt >/dev/null
}

# Named by what decides what is in a store: the schema and this file.
kept_folder() {
	local version sum
	rm -f empty.db*
	BURSAR_STORE=$PWD/empty.db sacctmgr -i add account x >/dev/null || return
	version=$(sqlite3 empty.db 'PRAGMA user_version')
	sum=$(cksum <"${BASH_SOURCE[0]}")
	echo "${KEEP:-${XDG_CACHE_HOME:-$HOME/.cache}/bursar-bench}/schema-$version-${sum%% *}"
}

needs_store() {
	kept_in=${kept_in:-$(kept_folder)} && kept=$kept_in/$1-$2.db || return
	[[ ! -e $kept ]] || return 0
	mkdir -p "${kept%/*}" && rm -f "$kept".new* || return
	"make_$1" "$kept.new" "$2" && mv "$kept.new" "$kept" && rm -f dump.cfg jobs.txt "$kept".new*
}
