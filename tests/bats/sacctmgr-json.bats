# sacctmgr for machines: documents and lines, beyond json.t.
load lib

site() {
	fresh_cluster "$@"
	sacctmgr -iQ add qos hi flags=nodecay,denyonlimit preempt=normal \
		preemptmode=requeue >/dev/null
	sacctmgr -iQ add account lab description='the lab' grptres=cpu=4,mem=2G \
		fairshare=parent >/dev/null
	sacctmgr -iQ add user ann account=lab qos=+hi maxwall=60 fairshare=3 >/dev/null
	sacctmgr -iQ add user bob account=lab partition=debug >/dev/null
}

# Members of every object of the list, sorted, on one line.
members() {
	jq -r "[.$1[] | keys] | add | unique | join(\" \")"
}

# is PROGRAM WANTED COMMAND...: what jq makes of its output.
is() {
	local filter=$1 wanted=$2
	shift 2
	capture "$@"
	same "messages of $*" "$stderr" '' && same "exit status of $*" "$status" 0 || return 1
	same "$filter" "$(jq -cr "$filter" <<<"$stdout")" "$wanted"
}

@test "sacctmgr --json: every document has meta, errors, warnings" {
	site
	local entity
	for entity in account assoc cluster qos tres user wckey transaction federation resource; do
		is 'keys - ["errors", "meta", "warnings"] | length' 1 sacctmgr --json show $entity
		is '[.errors, .warnings]' '[[],[]]' sacctmgr --json show $entity
	done
	is '.meta.command[1:]' '["--json","show","tres"]' sacctmgr --json show tres
	is '.meta.plugin.data_parser' data_parser/v0.0.45 sacctmgr --json show tres
	is '.meta.slurm | [(.version | .major, .minor, .micro), .release, .cluster] | join(" ")' \
		'26 05 3 26.05.3 canis' sacctmgr --json show tres
}

@test "sacctmgr --json: the members of Slurm, no other" {
	site
	sacctmgr -iQ add user cat account=lab wckey=key >/dev/null
	same account "$(sacctmgr --json show account | members accounts)" \
		'associations coordinators description flags name organization'
	same assoc "$(sacctmgr --json show assoc | members associations)" \
		'account accounting cluster comment default flags id is_default lineage max min'\
' parent_account partition priority qos shares_raw user'
	same cluster "$(sacctmgr --json show cluster | members clusters)" \
		'associations controller flags name nodes rpc_version tres'
	same qos "$(sacctmgr --json show qos | members qos)" \
		'description flags id limits name preempt priority usage_factor usage_threshold'
	same tres "$(sacctmgr --json show tres | members TRES)" 'count id name type'
	same user "$(sacctmgr --json show user | members users)" \
		'administrator_level associations coordinators default flags name old_name wckeys'
	same wckey "$(sacctmgr --json show wckey | members wckeys)" \
		'accounting cluster flags id name user'
}

@test "sacctmgr --json: values" {
	site
	is '.associations[] | [.account, .user, .partition, .shares_raw, .qos, .is_default]' \
		'["root","","",1,["normal"],false]
["root","root","",1,["normal"],true]
["lab","","",2147483647,["normal"],false]
["lab","ann","",3,["normal","hi"],true]
["lab","bob","debug",1,["normal"],true]' sacctmgr --json show assoc
	is '.associations[0].max.tres.total | map([.type, .count])' '[["cpu",4],["mem",2048]]' \
		sacctmgr --json show assoc account=lab user=
	is '.associations[0].max.jobs.per.wall_clock' '{"set":true,"infinite":false,"number":60}' \
		sacctmgr --json show assoc user=ann
	is '.qos[] | [.name, .flags, .preempt.list, .preempt.mode]' \
		'["hi",["DENY_LIMIT","NO_DECAY"],["normal"],["REQUEUE"]]' \
		sacctmgr --json show qos hi
	is '.clusters[0].associations.root' \
		'{"account":"root","cluster":"canis","partition":"","user":"","id":1}' \
		sacctmgr --json show cluster
	sacctmgr -iQ modify user ann set defaultqos=hi >/dev/null
	is '.users[0].default' '{"account":"lab","qos":3,"wckey":""}' sacctmgr --json show user ann
}

@test "sacctmgr --json: coordinators from above are not direct" {
	site
	sacctmgr -iQ add account sub parent=lab >/dev/null
	sacctmgr -iQ add coordinator account=lab names=ann >/dev/null
	is '.accounts[] | [.name, (.coordinators | map([.name, .direct]))]' \
		'["lab",[["ann",true]]]
["root",[]]
["sub",[["ann",false]]]' sacctmgr --json show account withcoord
	is '.users[0].coordinators | map([.name, .direct])' '[["lab",true],["sub",false]]' \
		sacctmgr --json show user ann withcoord
}

@test "sacctmgr --json: format, -n, -p have no influence; unknown fields still fail" {
	site
	same same "$(sacctmgr --json show qos | jq -S .qos)" \
		"$(sacctmgr -nP --json show qos format=name | jq -S .qos)"
	refuses "Unknown field 'nix'" sacctmgr --json show qos format=nix
}

@test "sacctmgr --json: listings that Slurm has no document for" {
	site
	is '.transactions[0] | [.action, .action_raw, .actor, .where, (.time_stamp | type)]' \
		'["Add Clusters",1405,"root","canis","number"]' sacctmgr --json show transaction
	sacctmgr -i add federation fed clusters=canis >/dev/null
	is '.federations[0] | [.federation, .cluster, .id, .features, .fed_state]' \
		'["fed","canis",1,[],"ACTIVE"]' sacctmgr --json show federation
}

@test "sacctmgr --json: verbs that change print text" {
	site
	capture sacctmgr --json -i add account other
	[[ $stdout == ' Adding Account(s)'* ]]
}

@test "sacctmgr --json: compact, layouts, the last option wins" {
	site
	same lines "$(SLURM_JSON=compact sacctmgr --json show tres | wc -l)" 1
	same lines "$(SLURM_JSON=pretty sacctmgr --json show tres | head -1)" '{'
	capture sacctmgr --json=list show tres
	same list "$stdout" data_parser/v0.0.45
	same heading "$stderr" 'Possible data_parser plugins:'
	capture sacctmgr --json=nix show tres
	same status "$status" 1
	same messages "$(wc -l <<<"$stderr") $(tail -1 <<<"$stderr")" \
		'3 sacctmgr: error: application/json output not supported by data_parser/v0.0.45'
	is '.TRES | length > 5' true sacctmgr --json=v0.0.45 show tres
	same yaml "$(sacctmgr --json --yaml show tres | head -1)" '%YAML 1.1'
	same csv "$(sacctmgr --json --csv show tres | head -1)" 'type,name,id'
	same completion "$(sacctmgr --autocomplete=son)" $'--json=\n--json \n--ndjson'
	same abbreviation "$(sacctmgr --n -P show qos format=name | head -1)" normal
}

@test "sacctmgr --yaml: typed scalars" {
	site
	capture sacctmgr --yaml show qos hi
	same status "$status" 0
	[[ $stdout == $'%YAML 1.1\n--- !!map\nqos: !!seq\n- !!map\n'* ]]
	[[ $stdout == *'  name: !!str hi'* && $stdout == *'id: !!int 3'* ]]
}

@test "sacctmgr --ndjson: the chosen columns, typed" {
	site
	prints '{"account":"root","raw_shares":1,"grp_tres":{},"qos":["normal"]}
{"account":"root","raw_shares":1,"grp_tres":{},"qos":["normal"]}
{"account":"lab","raw_shares":"parent","grp_tres":{"cpu":4,"mem":2048},"qos":["normal"]}
{"account":"lab","raw_shares":3,"grp_tres":{},"qos":["hi","normal"]}
{"account":"lab","raw_shares":1,"grp_tres":{},"qos":["normal"]}' \
		sacctmgr --ndjson show assoc tree format=account%30,share,grptres,qos
	prints '{"max_wall":60}' sacctmgr --ndjson show assoc user=ann format=maxwall
	prints '{"flags":["DenyOnLimit","NoDecay"],"usage_factor":1,"limit_factor":null}' \
		sacctmgr --ndjson show qos hi format=flags,usagefactor,limitfactor
	prints '{"name":"hi","preempt":["normal"],"preempt_mode":["requeue"]}' \
		sacctmgr --ndjson show qos hi format=name,preempt,preemptmode
	prints '{"type":"cpu","name":"","id":1}' sacctmgr --ndjson show tres cpu
	prints '{"type":"cpu"}' sacctmgr --ndjson show tres cpu format=user,type
	sacctmgr -iQ modify qos hi set usagefactor=0.1 >/dev/null
	prints '{"usage_factor":0.1}' sacctmgr --ndjson show qos hi format=usagefactor
	sacctmgr -iQ add user cat account=lab wckey=key >/dev/null
	prints '{"wckey":"key","cluster":"canis","user":"cat"}' sacctmgr --ndjson show wckey key
}

@test "sacctmgr: delimiters, line ends, control characters, no UTF-8" {
	fresh_cluster
	# What sacctmgr would not take (tests/bats/bad-input.bats), a store may hold.
	sacctmgr -iQ add account a,b,c,d >/dev/null
	sqlite3 "$(store)" "UPDATE account SET description = 'x, y' WHERE name = 'a';
		UPDATE account SET description = char(10) || '|' || char(34) WHERE name = 'b';
		UPDATE account SET description = 'bell' || char(7) || 'end' WHERE name = 'c';
		UPDATE account SET description = CAST(x'6772fc6e' AS TEXT) WHERE name = 'd'"
	prints $'account,description\na,"x, y"\nb,"\n|"""\nc,"bell\aend"\nd,gr\xef\xbf\xbdn' \
		sacctmgr --csv show account a,b,c,d format=account,descr
	prints $'{"description":"x, y"}\n{"description":"\\n|\\""}
{"description":"bell\\u0007end"}\n{"description":"gr\xef\xbf\xbdn"}' \
		sacctmgr --ndjson show account a,b,c,d format=descr
	is '.accounts[].description' $'gr\xef\xbf\xbdn' sacctmgr --json show account d
	capture sacctmgr --yaml show account a,b,c,d
	same status "$status$stderr" 0
	[[ $stdout == *$'gr\xef\xbf\xbdn'* ]]
}

@test "sacctmgr --json: a full disk is an error" {
	site
	run bash -c 'sacctmgr --json show qos >/dev/full'
	[[ $status == 1 && $output == *'standard output'* ]]
}
