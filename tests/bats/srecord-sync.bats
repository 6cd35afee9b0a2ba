#!/usr/bin/env bats
# srecord sync from=slurm with commands that stand in for Slurm's: what it does with answers that
# are missing, late, wrong or of another release. What a real Slurm says: tests/slurm/sync.bats.

load lib

setup() {
	fresh_cluster
	mkdir slurm
	fake sacctmgr '
		case "$*" in
		-V) echo "slurm 26.05.3" ;;
		*"show cluster"*) echo canis ;;
		*"show qos"*Comment*) ;;
		*"show qos format=Name,"*) echo "normal|$(tr -dc , <<<"${4#*Name,}" | tr , "|")" ;;
		*"show account"*) echo "root|root|default root account"; echo "lab|org|the lab" ;;
		*"show user format=User,Admin"*) echo "root|Administrator"; echo "ann|None" ;;
		*"show association"*)
			n=$(tr -dc , <<<"${*#*format=}" | wc -c)
			pad=$(printf "%$((n - 4))s" "" | tr " " "|")
			echo "1|root||||${pad#|}1"
			echo "2|root|root|||${pad#|}1"
			echo "7|lab|||root|${pad#|}5"
			echo "9|lab|ann|||${pad#|}3"
			;;
		*dump*)
			tr "@" "\047" <<-END
				Cluster - @canis@:QOS=@normal@
				Parent - @root@
				Account - @lab@:Fairshare=5
				Parent - @lab@
				User - @ann@:Coordinator=@lab@:Fairshare=3
			END
			;;
		esac'
	fake sacct '
		case "$*" in
		--helpformat) echo JobID User Account State Submit Start End ;;
		*) tr "|" "\037" <<-END
			JobID|User|Account|State|Submit|Start|End
			3|ann|lab|COMPLETED|1790000000|1790000100|1790000200
		END
		esac'
	fake squeue 'echo "{\"jobs\": []}"'
	fake sshare 'true'
}

# fake NAME SCRIPT
fake() {
	printf '#!/bin/bash\n%s\n' "$2" >"slurm/$1"
	chmod +x "slurm/$1"
}

sync() {
	srecord sync from=slurm bin="$PWD/slurm" "$@"
}

@test "a round takes over associations, shares and jobs; the next one changes nothing" {
	sync 2>said
	prints $'1|root||1\n2|root|root|1\n7|lab||5\n9|lab|ann|3' \
		sacctmgr -nP show assoc format=id,account,user,share
	prints '3|ann|lab|COMPLETED' sacct -naPX -S 2026-01-01 -o jobid,user,account,state
	prints 'ann' sacctmgr -nP show account lab withcoord format=coordinators
	sync 2>again
	[[ $(<again) == *'cluster canis from slurm: 0 jobs; '* ]] ||
		same again "$(<again)" 'no changes'
}

@test "what Slurm has no more is removed" {
	sacctmgr -i add account old >/dev/null
	sacctmgr -i add user bob account=old >/dev/null
	sync 2>/dev/null
	prints $'root|\nroot|root\nlab|\nlab|ann' sacctmgr -nP show assoc format=account,user
	prints $'ann\nroot' sacctmgr -nP show user format=user
}

@test "a column that this release does not have is left out" {
	sed -i '2i [[ $* != *GrpWall* ]] || { echo "Unknown field \x27GrpWall\x27" >&2; exit 1; }' \
		slurm/sacctmgr
	sync 2>/dev/null
	prints 5 sacctmgr -nP show assoc where account=lab user='' format=share
}

@test "a store that follows is not changed by hand; what-if may" {
	sync 2>/dev/null
	for change in 'add account more' 'modify account lab set fairshare=9' 'delete user ann' \
		'load nosuch'; do
		refuses 'This store follows slurmdbd' sacctmgr -i $change
	done
	prints 'ann|3|9' bash -c "sshare -nPU -u ann -o user,rawshares \
		--what-if='modify user ann set fairshare=9' | cut -d'|' -f1-3"
	srecord sync --end
	sacctmgr -i modify account lab set fairshare=9 >/dev/null
	prints 9 sacctmgr -nP show assoc where account=lab user='' format=share
}

@test "a command that hangs is ended and named" {
	fake sacct 'sleep 100'
	refuses 'jobs: sacct said nothing for 1 seconds' sync timeout=1
}

@test "a command that fails, and what it said" {
	fake sacct 'echo "sacct: error: slurm_persist_conn_open_without_init: failed" >&2; exit 1'
	refuses 'jobs: sacct failed (exit status 1): sacct: error: slurm_persist' sync
}

@test "commands that are missing, or ours" {
	refuses 'there is no sacctmgr of Slurm' srecord sync from=slurm bin=/nonexistent
	ours=$(dirname "$(command -v srecord)")
	refuses 'there is no sacctmgr of Slurm' srecord sync from=slurm bin="$ours"
	PATH=$ours refuses 'bin=FOLDER says where they are' srecord sync from=slurm
}

@test "another cluster, other words" {
	refuses "knows no cluster 'owl', only canis" sync cluster=owl
	refuses "from: 'oracle' is neither slurm nor mysql" srecord sync from=oracle
	refuses "--follow: 'x' is not a number of seconds" srecord sync --follow=x
	refuses '--end, --follow and --verify are for sync' srecord job --verify
}

@test "--follow goes on until it is ended, also after a round that failed" {
	srecord sync from=slurm bin="$PWD/slurm" --follow=1 2>said &
	pid=$!
	until [[ $(grep -c 'from slurm' said) -ge 2 ]]; do sleep 0.1; done
	mv slurm/squeue squeue
	until grep -q 'squeue' said; do sleep 0.1; done
	mv squeue slurm/squeue
	n=$(grep -c 'from slurm' said)
	until [[ $(grep -c 'from slurm' said) -gt $n ]]; do sleep 0.1; done
	kill "$pid"
	wait "$pid"
}
