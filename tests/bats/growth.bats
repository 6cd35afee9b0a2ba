# What a command costs as the store grows, without a clock: the steps of SQLite's virtual machine
# and the pages read, counted by tests/growth/steps.c, on two stores, one of them ten times as
# large. A command that touches one row does not grow at all; one that reads every row, as they do.

load lib

setup_file() {
	bin=$(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	make -s --no-print-directory -C "$BATS_TEST_DIRNAME/../.." O="${bin%/bin}" growth-tools
	export BURSAR_BIN=$bin STEPS=${bin%/bin}/growth/steps.so
}

# site N: N accounts under ten faculties and 10 N users, one account each; N jobs that have ended.
site() {
	local n=$1
	rm -f "$(store)"*
	awk -v n="$n" -v q=\' 'function account(name) {
		print "Account - " q name q ":Description=" q "d" q ":Organization=" q "o" q
	}
	function user(i, of) {
		printf "User - %su%05d%s:DefaultAccount=%s:Fairshare=%d\n", q, i, q,
			q of q, 1 + i % 5
	}
	BEGIN {
		print "Cluster - " q "canis" q ":Fairshare=1:QOS=" q "normal" q
		print "Parent - " q "root" q
		for (i = 0; i < 10; i++)
			account("f" i)
		for (i = 0; i < n; i++) {
			print "Parent - " q "f" i % 10 q
			account(sprintf("a%05d", i))
		}
		for (i = 0; i < n * 10; i++) {
			name = sprintf("a%05d", int(i / 10))
			if (i % 10 == 0)
				print "Parent - " q name q
			user(i, name)
		}
	}' >site.cfg
	sacctmgr -i load file=site.cfg >/dev/null
	awk -v n="$n" 'BEGIN {
		print "JobID|User|Account|Cluster|Submit|Start|End|AllocTRES|State|Partition"
		for (i = 1; i <= n; i++) {
			day = sprintf("2026-01-%02dT", i % 28 + 1)
			printf "%d|u%05d|a%05d|canis|%s|%s|%s|cpu=4,mem=4G|COMPLETED|p1\n",
				i, i, i / 10, day "00:00:00", day "00:10:00", day "01:10:00"
		}
	}' >jobs
	srecord import format=sacct jobs >/dev/null
}

# cost COMMAND...: "STEPS PAGES" of it.
cost() {
	rm -f growth.log
	GROWTH_LOG=$PWD/growth.log LD_PRELOAD="$STEPS:$LD_PRELOAD" "$@" >out 2>&1 </dev/null || {
		echo "failed: $*" >&2
		cat out >&2
		return 1
	}
	awk '$1 == "total" { steps += $2; pages += $4 } END { print steps, pages }' growth.log
}

# costs_of FILE: a line "STEPS PAGES COMMAND" for every line of FILE.
costs_of() {
	local line
	while read -r line; do
		printf '%s %s\n' "$(cost $line)" "$line"
	done <"$1"
}

# grows_at_most RATIO SLACK COMMANDS...: on a store ten times as large none takes more than RATIO
# times the steps and SLACK over it; pages may be a few more as trees get a level.
grows_at_most() {
	local ratio=$1 slack=$2
	site 60
	costs_of commands >small
	site 600
	costs_of commands >large
	[[ $(wc -l <small) == $(wc -l <commands) ]] || return 1
	paste -d' ' <(cut -d' ' -f1,2 small) large | awk -v ratio="$ratio" -v slack="$slack" '
		$3 > $1 * ratio + slack || $4 > $2 * ratio + slack {
			print "grows:", $0
			bad = 1
		}
		$1 < 100 { print "counted nothing:", $0; bad = 1 }
		END { exit bad }'
}

@test "what touches one row does not grow with the store" {
	fresh_cluster
	cat >commands <<-END
		sacctmgr -i add user zed account=a00001
		sacctmgr -i modify user where name=zed account=a00001 set maxjobs=4
		sacctmgr -i modify user where name=u00017 set fairshare=7
		sacctmgr -i delete user zed
		sacctmgr -i add account lab parent=a00002
		sacctmgr -i modify account lab set parent=a00003
		sacctmgr -i modify account f1 set fairshare=9
		sacctmgr -i modify account a00004 set maxjobs=9
		sacctmgr -i add coordinator u00017 account=a00001
		sacctmgr -i add qos high
		sacctmgr -i modify qos high set priority=3
		sacctmgr -nP show assoc where user=u00017
		sacctmgr -nP show assoc where account=a00007
		sacctmgr -nP show user u00017 withassoc
		sacctmgr -nP list qos
		sacctmgr -nP list tres
		srecord job id=100000 user=u00017 account=a00001 cpus=4 submit=2026-02-01T00:00:00
		srecord job id=100000 start=2026-02-01T01:00:00
		srecord job id=100000 end=2026-02-01T02:00:00 state=completed
		squeue
		sacct -u u00017 -S 2026-01-18T00:00:00 -E 2026-01-18T02:00:00
		sinfo
	END
	grows_at_most 1 200
}

@test "what reads every association grows as they do" {
	fresh_cluster
	cat >commands <<-END
		sshare -a
		sshare -u u00017
		sacctmgr -nP show assoc
		sacctmgr dump canis file=dump.cfg
		sprio -l
		sacctmgr -i add qos high
		sacctmgr -i delete qos high
	END
	grows_at_most 10.5 1000
}

@test "rolling up the hours since grows with them, not with the store" {
	local now
	fresh_cluster
	now=$(($(date +%s) / 3600 * 3600 + 600))
	export BURSAR_STORE=$(store)
	cat >commands <<-END
		env BURSAR_NOW=$((now + 7200)) srecord job id=100001 user=u00017 cpus=4
		env BURSAR_NOW=$((now + 14400)) srecord job id=100001 start=now-1hour
		env BURSAR_NOW=$((now + 21600)) srecord job id=100001 end=now-2hours state=completed
		env BURSAR_NOW=$((now + 36000)) srecord job id=100002 user=u00017 cpus=4
	END
	grows_at_most 1 200
	same 'rolled up to' "$(ask 'SELECT max(done) FROM rollup_state')" $((now - 600 + 32400))
}
