# sshare beyond the recordings: options, machine output, who sees what.
load lib

# site [CONF LINE...]: an empty store and three users
site() {
	fresh_cluster "$@"
	local_users ann bob cat dot
}

# Two accounts, one below the other, three users, usage.
tree() {
	sacctmgr -iQ add account lab fairshare=3 grptresmins=cpu=90 >/dev/null
	sacctmgr -iQ add account team parent=lab >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=2 >/dev/null
	sacctmgr -iQ add user bob,cat account=team >/dev/null
	sacctmgr -i modify user where name=ann account=lab set RawUsage=100 >/dev/null
	sacctmgr -i modify user where name=bob account=team set RawUsage=50 >/dev/null
}

# Slurm's long options, with what they take.
slurm_options='autocomplete= accounts= all helpformat long partition cluster= clusters= noheader
format= parsable parsable2 users= Users verbose version help usage json? yaml?'

@test "sshare: Slurm's abbreviations mean what they meant" {
	site
	abbreviations sshare 60 "$slurm_options" s/clusters/cluster/
	prints 'CLUSTER: canis' sshare --c canis --n -A nobody
}

@test "sshare: --csv quotes, keeps names plain, widens nothing" {
	site
	tree
	prints 'account,user,raw_shares,fairshare
root,,,
root,root,1,1.000000
lab,,3,
lab,ann,2,0.750000
team,,1,
team,bob,1,0.250000
team,cat,1,0.750000' sshare --csv -a -o Account%3,User,RawShares,FairShare
	prints 'account,grp_tres_mins,tres_run_mins
lab,cpu=90,"cpu=0,mem=0,energy=0,node=0,billing=0,fs/disk=0,vmem=0,pages=0,gres/gpu=0,'\
'gres/gpumem=0,gres/gpuutil=0,license/iop1=0,license/lica=0"' \
		sshare --csv -A lab -o account,grptresmins,tresrunmins
	prints 'canis,root,root,1,0.250000,0,0.000000,1.000000' \
		bash -c 'sshare --csv -n -M canis -U'
}

@test "sshare: --ndjson is one record a line, the same as in --json" {
	site
	tree
	capture sshare --ndjson -a
	same status "$status" 0
	same lines "$(wc -l <<<"$stdout")" 7
	same records "$(jq -c . <<<"$stdout")" "$(sshare --json -a | jq -c '.shares.shares[]')"
}

@test "sshare: --json has Slurm's members, compact on demand" {
	site
	tree
	same 'top level' "$(sshare --json | jq -c keys_unsorted)" \
		'["shares","meta","errors","warnings"]'
	same element "$(sshare --json | jq -c '.shares.shares[0] | keys_unsorted')" \
		'["id","cluster","name","parent","partition","shares_normalized","shares","tres",'\
'"effective_usage","usage_normalized","usage","fairshare","type"]'
	same command "$(sshare --json | jq -c '.meta.command')" '["sshare","--json"]'
	same minutes "$(sshare --json -A lab | jq -c '.shares.shares[0].tres.group_minutes[:2]')" \
		'[{"name":"cpu","value":{"set":true,"infinite":false,"number":90}},'\
'{"name":"mem","value":{"set":false,"infinite":true,"number":0}}]'
	same 'users stay' "$(sshare --json -aU | jq '.shares.shares | length')" 7
	same lines "$(SLURM_JSON=compact sshare --json -a | wc -l)" 1
	grep -q '"name": "fs\\/disk"' <(sshare --json)
}

@test "sshare: --json=WHAT" {
	site
	capture sshare --json=list
	same output "$stdout" data_parser/v0.0.45
	same messages "$stderr" 'Possible data_parser plugins:'
	refuses 'application/json output not supported by data_parser/v0.0.45' sshare --json=v9
	refuses 'application/x-yaml output not supported' sshare --yaml=v9
	sshare --json=v0.0.45 | jq . >/dev/null
}

@test "sshare: --yaml is the same document, typed" {
	site
	tree
	capture sshare --yaml -a
	same 'first lines' "$(head -4 <<<"$stdout")" '%YAML 1.1
--- !!map
shares: !!map
  shares: !!seq'
	grep -qx '    usage: !!int 150' <<<"$stdout"
	grep -qx '    parent: !!str ""' <<<"$stdout"
	same 'last line' "$(tail -1 <<<"$stdout")" ...
	same compact "$(SLURM_YAML=compact sshare --yaml | wc -l)" 3
}

@test "sshare: no rows in every form" {
	site
	same csv "$(sshare --csv -A nobody)" \
		account,user,raw_shares,shares_normalized,usage,effective_usage,fairshare
	same ndjson "$(sshare --ndjson -A nobody)" ''
	same json "$(sshare --json -A nobody | jq -c .shares)" '{"shares":[],"total_shares":0}'
}

@test "sshare: several clusters, all of them" {
	site
	sacctmgr -iQ add cluster draco >/dev/null
	prints 'CLUSTER: canis
root|root|1

CLUSTER: draco
root|root|1' sshare -M canis,Draco -UPn -o account,user,rawshares
	prints "$(sshare -M canis,draco -P)" sshare --clusters=all -P
	same json "$(sshare -M all --json | jq -c '[.shares.shares[].cluster]')" \
		'["canis","canis","draco","draco"]'
	prints "$(sshare)" sshare -M ''
	sacctmgr -iQ add federation f clusters=canis,draco >/dev/null
	echo FederationParameters=fed_display >>"$SLURM_CONF"
	prints 'root|root|1' sshare -UPn -o account,user,rawshares
	refuses "No cluster 'nix' known by database." sshare -M canis,nix
}

@test "sshare: names in any case, numbers, -1, the last of -a and -u" {
	site
	tree
	prints 'lab|ann' sshare -UPn -u ANN -A LAB -o account,user
	prints 'lab|ann' sshare -UPn -a -u ann -o account,user
	prints "$(sshare -UPn -a)" sshare -UPn -u ann -a
	prints "$(sshare -UPn -a)" sshare -UPn -u -1
	prints 'root|root' sshare -UPn -u 0 -o account,user
	refuses 'Invalid user id: 987654' sshare -u 987654
}

@test "sshare: the shortest abbreviation of each field" {
	site
	tree
	same headings "$(sshare -aP -o \
		a,i,c,u,p,n,r,g,grptresr,t,e,normu,rawu,f,l | head -1)" "\
Account|ID|Cluster|User|Partition|NormShares|RawShares|GrpTRESMins|GrpTRESRaw|TRESRunMins|\
EffectvUsage|NormUsage|RawUsage|FairShare|LevelFS"
}

@test "sshare: abbreviated fields, widths, doubled and empty items" {
	site
	tree
	prints 'RawShares|RawShares|EffectvUsage|GrpTRESMins
3|3|1.000000|cpu=90' sshare -P -A lab -o raw,raws,e,gr
	same 'two widths' "$(sshare -a -A team -o account%-4,user,account%12,user%3 | tr ' ' .)" \
		'.....Account.Use......Account.Use.
------------.---.------------.---.
........team.............team.....
........team.bob.........team.bob.
........team.cat.........team.cat.'
	same 'left and cut' "$(sshare -a -A team -o account%-3,rawshares%4,user%-2 | tr ' ' .)" \
		'Acc.RawS.Us.
---.----.--.
te+....1....
.t+....1.b+.
.t+....1.c+.'
	prints 'User' bash -c 'sshare -P -o "",user | head -1'
	prints 'RawShares|User' bash -c 'sshare -P -o raws,,user, | head -1'
	prints 'User' bash -c 'sshare -P -o "" -o user | head -1'
	prints 'Account' bash -c 'sshare -P -o "" | head -1'
	prints '' sshare -nP -A ''
	prints 'RawUsage|Account' bash -c 'sshare -P -o account,rawusage,account | head -1'
	refuses 'Invalid field requested: "us3r"' sshare -o account,Us3r%20
}

@test "sshare: -v says what was asked for, -vV the API" {
	site
	tree
	capture sshare -v -u ann -A lab,team
	same messages "$stderr" $'Users requested:\n\t: ann\nAccounts requested:\n\t: lab\n\t: team'
	capture sshare -v -a
	same messages "$stderr" $'Users requested:\n\t: all\nAccounts requested:\n\t: all'
	capture sshare -vV
	same version "${stdout#*$'\n'}" 'slurm_api_version: 2949120, 45.0.0'
}

@test "sshare: --autocomplete" {
	site
	prints '--clusters=
--users=' sshare --autocomplete=rs=
	same completions "$(sshare --autocomplete=yaml | tr ' ' .)" $'--yaml=\n--yaml.'
	prints '' sshare --autocomplete=nothing-of-the-kind
}

@test "sshare: PrivateData=usage" {
	site PrivateData=usage
	tree
	prints 'lab|ann' as ann sshare -Pn -a -o account,user
	prints '' as dot sshare -Pn -a
	sacctmgr -iQ add coordinator account=team names=ann >/dev/null
	prints ' lab|ann
 team|
  team|bob
  team|cat' bash -c 'runuser -u ann -- sshare -Pn -a -o account,user | sed "s/^/ /"'
	sacctmgr -iQ modify user ann set adminlevel=operator >/dev/null
	prints "$(sshare -a)" as ann sshare -a
}

@test "sshare: an odd name sorts by its lineage" {
	site
	for name in ab ab-c ab.d ab0; do
		sacctmgr -iQ add account "$name" >/dev/null
		sacctmgr -iQ add user ann account="$name" >/dev/null
	done
	prints 'ab-c|ann
ab.d|ann
ab|ann
ab0|ann' sshare -UPn -u ann -o account,user
}

@test "sshare: output that is lost is an error" {
	site
	[[ -w /dev/full ]] || skip 'no /dev/full'
	capture bash -c 'sshare >/dev/full'
	same status "$status" 1
	[[ $stderr == 'sshare: error: standard output: '* ]]
	capture bash -c 'sshare --yaml >/dev/full'
	same status "$status" 1
}
