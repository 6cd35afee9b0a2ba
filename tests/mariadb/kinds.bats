#!/usr/bin/env bats
# Operations of all kinds, at random, by twelve writers at once on three hosts: whatever was faster,
# all replicas are the same, and what each keeps of its rows is what is in them. LONG=1: longer.
# The seed is in front of what a test says; SEED=N does the same operations again.

load lib

setup() {
	fresh_site a b c
	populate
	seed=${SEED:-$((RANDOM % 1000))}
	job a 1 user=ann account=physics
	on a sacctmgr -Q dump canis file=site.cfg >/dev/null
	on a sacctmgr -Q dump canis file=site.yaml format=yaml
	mkdir kept
	on a sacctmgr -iQ archive dump directory="$PWD/kept" jobs >/dev/null 2>&1
	archive=$PWD/kept/$(ls kept)
}

# operation WRITER N: one of all kinds; its words are in `words`
operation() {
	local id=$(($1 * 1000 + $2)) user=u$1x$2
	words=(sacctmgr -iQ)
	case $((RANDOM % 16)) in
	0 | 1) words+=(add user "$user" account=music,physics) ;;
	2) words+=(modify user ann where account=physics set "fairshare=$2" "grptres=cpu=$1") ;;
	3) words+=(modify account music set "maxjobs=$2" for=1hours) ;;
	4) words+=(add qos "q$1x$2" "priority=$2") ;;
	5) words+=(delete user "u$1x$(($2 - 1))") ;;
	6 | 7) words+=(undo) ;;
	8) words+=(redo) ;;
	9) words+=(load file=site.cfg) ;;
	10) words+=(apply site.yaml) ;;
	11) words+=(archive load "file=$archive") ;;
	12) words+=(archive dump "directory=$PWD/kept" jobs "purgejobafter=1months") ;;
	13) words=(job_on "$id") ;;
	14) words=(srecord job "id=$id" user=bob account=physics cpus=2) ;;
	15) words=(srecord step job=1 "step=$id" cpus=2 state=COMPLETED) ;;
	esac
}

# writes WRITER HOST COUNT
writes() {
	local n words
	RANDOM=$((seed * 100 + $1))
	for ((n = 1; n <= $3; n++)); do
		operation "$1" "$n"
		if on "$2" "${words[@]}" >"said-$1" 2>&1 </dev/null; then
			echo "${words[*]}" >>done
		else
			sed "s/^/${words[*]}: /; s,/,|,g" "said-$1" >>refused
		fi
	done
}

@test "twelve writers on three hosts, operations of all kinds: replicas are the same" {
	local i hosts=(a b c) all=() host
	echo "seed $seed"
	for ((i = 1; i <= 12; i++)); do
		writes "$i" "${hosts[i % 3]}" $((${LONG:+100} + 6)) 3>&- &
		all+=($!)
	done
	wait "${all[@]}"
	(($(wc -l <done) > 24))
	# Refused by the site at the most, never by the log or for a replica.
	run ! grep -E 'replica|entry|the log|again|damaged|row of' refused
	agree a b c
	same_answers a b
	same_answers b c
	# All rows are read: a snapshot is written of each of them in turn.
	for host in a b c; do
		on "$host" sacctmgr -iQ add user "last-$host" account=music >/dev/null
		conf_add SnapshotEntries=0
		log_ask 'UPDATE bursar_head SET snapshotting = 0'
		capture on "$host" sacctmgr ping
		[[ $status == 0 ]] || { echo "$stderr"; return 1; }
		conf_add SnapshotEntries=20000
	done
	agree a b c
}
