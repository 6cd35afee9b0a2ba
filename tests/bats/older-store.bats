#!/usr/bin/env bats
# A store that Bursar 0.1.0 made is read and migrated with all that it has. tests/older has the
# store, its slurm.conf and what the programs of 0.1.0 printed of it.

load lib

setup() {
	older=$BATS_TEST_DIRNAME/../older
	fresh_cluster
	cp "$older/slurm.conf" "$SLURM_CONF"
	gzip -dc "$older/0.1.0.db.gz" >"$(store)"
	BURSAR_STORE=$(store)
	export BURSAR_NOW=1763901000 BURSAR_STORE # whose clock is that
}

# Each command line of the file and what it prints now.
listings() {
	local line
	while IFS= read -r line; do
		echo "\$ $line"
		eval "$line" 2>&1 </dev/null
	done < <(sed -n 's/^\$ //p' "$older/0.1.0.listings")
}

same_listings() {
	listings >now
	diff -u "$older/0.1.0.listings" now
}

@test "what 0.1.0 printed of its store is printed, and the file stays as it is" {
	same_listings
	same version "$(ask 'PRAGMA user_version')" 16
	gzip -dc "$older/0.1.0.db.gz" | cmp - "$(store)"
}

@test "... and it is printed of the migrated store, whose log can be undone" {
	sacctmgr ping >/dev/null
	(($(ask 'PRAGMA user_version') > 16))
	same_listings
	prints 'ok' sqlite3 "$(store)" 'PRAGMA integrity_check'
	prints '' sqlite3 "$(store)" 'PRAGMA foreign_key_check'
	prints '  Nothing modified' sacctmgr rebuild usage
	sacctmgr -i undo >/dev/null
	prints 'cy|optics|high' sacctmgr -nP show user cy withassoc format=user,account,defaultqos
}
