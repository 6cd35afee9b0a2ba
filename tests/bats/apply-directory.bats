#!/usr/bin/env bats
# `sacctmgr apply directory`: members of the machine's groups in accounts (beyond Slurm).

load lib

setup() {
	fresh_cluster
	local_users ann bob cid dan eve
	sacctmgr -iQ add account phys,chem,own >/dev/null
	sacctmgr -iQ add user ann,bob account=phys maxjobs=7 >/dev/null
	sacctmgr -iQ add user eve account=own >/dev/null
	group phys-users ann bob
	group chem-users cid
	cat >map.yaml <<'YAML'
cluster: canis
keep: [svc]
groups:
  phys-users: phys
  chem-users:
    account: [chem, new]
    parent: own
    FairShare: 5
YAML
}

# group NAME MEMBER...: is one of the machine.
group() {
	local name=$1 members
	shift
	members=$*
	sed -i "/^$name:/d" "$NSS_WRAPPER_GROUP"
	gid=$((4000 + $(wc -l <"$NSS_WRAPPER_GROUP")))
	echo "$name:x:$gid:${members// /,}" >>"$NSS_WRAPPER_GROUP"
}

rows() {
	sacctmgr -nP show assoc format=account,user,share,maxjobs,maxsubmit | grep '|[a-z].*|.*|' |
		grep -v '^root' | sort
}

@test "members are added; a second time nothing is to be done" {
	sacctmgr --dry-run apply directory map.yaml | grep -q 'Dry run'
	same before "$(rows)" 'own|eve|1||
phys|ann|1|7|
phys|bob|1|7|'
	sacctmgr -i apply directory map.yaml >out
	same told "$(<out)" '--- cluster canis
+++ map.yaml
@@ add account new, line 5 @@
+Parent: own
+Description: new
+Organization: own
@@ add user cid in chem, line 5 @@
+FairShare: 5
@@ add user cid in new, line 5 @@
+FairShare: 5
@@ user cid, line 5 @@
+DefaultAccount: chem'
	same rows "$(rows)" 'chem|cid|5||
new|cid|5||
own|eve|1||
phys|ann|1|7|
phys|bob|1|7|'
	prints ' Nothing to change' sacctmgr -i apply directory map.yaml
	prints '' sacctmgr diff directory map.yaml
}

@test "who leaves is quarantined, who moves has another default; who comes back is free" {
	sacctmgr -iQ apply directory map.yaml >/dev/null
	group phys-users ann
	group chem-users cid bob
	capture sacctmgr diff directory map.yaml
	same status "$status" 2
	sacctmgr -iQ apply directory map.yaml >/dev/null
	same rows "$(rows)" 'chem|bob|5||
chem|cid|5||
new|bob|5||
new|cid|5||
own|eve|1||
phys|ann|1|7|
phys|bob|1|0|0'
	same default "$(sacctmgr -nP show user bob format=defaultaccount)" chem
	prints ' Nothing to change' sacctmgr -i apply directory map.yaml
	group phys-users ann bob
	sacctmgr -iQ apply directory map.yaml >/dev/null
	same bob "$(rows | grep phys.bob)" 'phys|bob|1||'
	sacctmgr -iQ undo >/dev/null
	same bob "$(rows | grep phys.bob)" 'phys|bob|1|0|0'
}

@test "prune deletes; keep and other accounts are left alone; max-delete counts quarantines" {
	sacctmgr -iQ apply directory map.yaml >/dev/null
	sacctmgr -iQ add user svc account=phys >/dev/null
	sacctmgr -iQ add user bob account=own >/dev/null
	group phys-users dan
	before=$(rows)
	refuses ' so nothing was done: user ann in phys, user bob in phys' \
		sacctmgr -i apply directory map.yaml max-delete=1
	refuses ' max-delete=1: 2 would be deleted or quarantined' \
		sacctmgr -i apply directory map.yaml prune max-delete=1
	same rows "$(rows)" "$before"
	sacctmgr -iQ apply directory map.yaml prune max-delete=2 >/dev/null
	same rows "$(rows)" 'chem|cid|5||
new|cid|5||
own|bob|1||
own|eve|1||
phys|dan|1||
phys|svc|1||'
	same users "$(sacctmgr -nP show user format=user,defaultaccount | xargs)" \
		'bob|own cid|chem dan|phys eve|own root|root svc|phys'
}

# bad WORDS LINE...: a mapping of these lines is refused, and nothing changes.
bad() {
	local words=$1
	shift
	printf '%s\n' "$@" >bad.yaml
	refuses "error: bad.yaml: $words" sacctmgr -i apply directory bad.yaml
}

@test "bad mappings: the word and the line" {
	before=$(rows)
	bad "line 3: there is no group 'geo' on this machine" 'cluster: canis' 'groups:' \
		'  geo: phys'
	bad "line 3: there is no account 'geo' on cluster canis; with 'parent'" 'cluster: canis' \
		'groups:' '  phys-users: geo'
	bad "line 1: the mapping is for cluster 'felis'" 'cluster: felis' 'groups: {a: b}'
	bad "line 3: unknown key 'acount'" 'cluster: canis' 'groups:' \
		'  phys-users: {acount: phys}'
	bad "line 4: Invalid value for MaxJobs (many)" 'cluster: canis' 'groups:' \
		'  phys-users: {account: phys,' '    MaxJobs: many}'
	bad "line 2: unknown key 'group'" 'cluster: canis' 'group: {}'
	bad "line 2: 'groups' must be a map" 'cluster: canis' 'groups: [phys]'
	bad "line 3: group phys-users: 'account' is missing" 'cluster: canis' 'groups:' \
		'  phys-users: {parent: own}'
	bad "line 3: 'phys-users' a second time" 'groups:' '  phys-users: phys' \
		'  phys-users: chem'
	refuses ' No filename given' sacctmgr -i apply directory
	same rows "$(rows)" "$before"
}
