# `load older`, behind lib: a log that an older sacctmgr made, on hosts a, b and c. The older one is
# the one that is built; the newer one beside it knows one migration more (Makefile).
#
#   older           the older one; after older_site `sacctmgr` is the newer one
#   newer           what they say of a log that a newer program migrated
#   older_site      accounts and users in the log, replicas on a and b; sets version and newest
#   migrated        every replica, and the log, know the newest migration, which is in it once
#   nine_writers    of the newer program at once, three on each host

older=$(programs)/sacctmgr
newer='was written by a newer Bursar'

older_site() {
	SLURM_BIN=${older%/bin/sacctmgr}/mariadb/newer/bin
	[[ -x $SLURM_BIN/sacctmgr ]]
	export SLURM_BIN PATH=$SLURM_BIN:$PATH
	on a "$older" -iQ add account physics,music fairshare=10
	on b "$older" -iQ add user ann,bob account=physics
	on c "$older" -iQ add user cy account=music
	on a "$older" -n show user >/dev/null
	on b "$older" -n show user >/dev/null
	version=$(log_ask 'SELECT version FROM bursar_head')
	newest=$(alone sacctmgr -iQ add account x >/dev/null 2>&1
		sqlite3 "$BATS_TEST_TMPDIR/alone.db" 'PRAGMA user_version')
	((version < newest))
}

migrated() {
	local host
	same 'migrations in the log' "$(log_ask 'SELECT COUNT(*) FROM bursar_log WHERE kind = 2')" 1
	same 'version of the log' "$(log_ask 'SELECT version FROM bursar_head')" "$newest"
	agree a b c
	for host in a b c; do
		same "version on $host" "$(replica_ask $host 'PRAGMA user_version')" "$newest"
	done
}

nine_writers() {
	local i all=() hosts=(a b c)
	for ((i = 0; i < 9; i++)); do
		on "${hosts[i % 3]}" sacctmgr -iQ add user "n$i" account=music \
			>"said-$i" 2>&1 3>&- &
		all+=($!)
	done
	for ((i = 0; i < 9; i++)); do
		wait "${all[i]}" || { cat "said-$i"; return 1; }
	done
	same users "$(on c sacctmgr -nP show user format=user | grep -c '^n[0-8]$')" 9
}
