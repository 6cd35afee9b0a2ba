# PrivateData: what ordinary users and coordinators see.
load lib

# site [PRIVATE]: pam and zoe are ordinary, carl coordinates lab, opal is an operator.
site() {
	fresh_cluster ${1:+"PrivateData=$1"}
	local_users pam zoe carl opal
	sacctmgr -iQ add account lab,other maxjobs=7 >/dev/null
	sacctmgr -iQ add account sub parent=lab >/dev/null
	sacctmgr -iQ add user pam account=lab >/dev/null
	sacctmgr -iQ add user zoe account=other >/dev/null
	sacctmgr -iQ add user carl account=other >/dev/null
	sacctmgr -iQ add user opal account=other adminlevel=operator >/dev/null
	sacctmgr -iQ add coordinator account=lab names=carl >/dev/null
	sacctmgr -iQ modify cluster canis set grpjobs=9 >/dev/null
}

everything='root|
root|root
lab|
lab|pam
sub|
other|
other|carl
other|opal
other|zoe'

denied='sacctmgr: error: Access/permission denied
 Error with request: Access/permission denied'

# seen FILTER NAME COMMAND...: what jq makes of the document NAME gets.
seen() {
	local filter=$1
	shift
	as "$@" | jq -c "$filter"
}

# denies COMMAND...: the two lines, nothing else.
denies() {
	capture "$@"
	same "exit status of $*" "$status" 1
	same "output of $*" "$stdout" ''
	same "messages of $*" "$stderr" "$denied"
}

@test "PrivateData: unset, everybody sees everything" {
	site
	prints "$everything" as pam sacctmgr -nP show assoc format=account,user
	prints 'lab
other
root
sub' as pam sacctmgr -nP show account format=account
	prints 'canis|9' as pam sacctmgr -nP show cluster format=cluster,grpjobs
}

@test "PrivateData=users: own user, own associations" {
	site users
	prints 'pam' as pam sacctmgr -nP show user format=user
	prints 'lab|pam' as pam sacctmgr -nP show assoc format=account,user
	prints '' as pam sacctmgr -nP show user zoe format=user
	prints 'pam|lab' as pam sacctmgr -nP show user withassoc format=user,account
	prints '["pam"]' seen '.users | map(.name)' pam sacctmgr --json show user
	prints '{"account":"lab","user":"pam"}' \
		as pam sacctmgr --ndjson show assoc format=account,user
}

@test "PrivateData=users: a coordinator sees the accounts coordinated, and what is below" {
	site users
	prints 'lab|
lab|pam
sub|
other|carl' as carl sacctmgr -nP show assoc format=account,user
	prints 'carl' as carl sacctmgr -nP show user format=user
}

@test "PrivateData=users: accounts keep their records, lose strangers' associations" {
	site users
	prints 'lab|pam
other|
root|
sub|' as pam sacctmgr -nP show account withassoc format=account,user
}

@test "PrivateData=accounts: only coordinated ones, else refused" {
	site accounts
	denies as pam sacctmgr show account
	capture as pam sacctmgr --json show account
	same 'status of a document' "$status" 1
	same 'a document of a refusal' \
		"$(jq -c '[.accounts, .errors[].description]' <<<"$stdout")" \
		'[null,"Access/permission denied"]'
	prints 'lab
sub' as carl sacctmgr -nP show account format=account
	prints '["lab","sub"]' seen '.accounts | map(.name)' carl sacctmgr --json show account
	prints "$(sacctmgr -nP show assoc format=account,user)" \
		as pam sacctmgr -nP show assoc format=account,user
}

@test "PrivateData: clusters, QOS and TRES stay, the cluster's limits do not" {
	local private
	for private in users accounts; do
		rm -rf "$BATS_TEST_TMPDIR"/{etc,store,run}
		site $private
		prints 'canis||' as pam sacctmgr -nP show cluster format=cluster,grpjobs,share
		prints 'canis|9|1' sacctmgr -nP show cluster format=cluster,grpjobs,share
		prints 'normal' as pam sacctmgr -nP show qos format=name
		prints 'cpu' as pam sacctmgr -nP show tres cpu format=type
		prints '{}' seen '.clusters[0].associations.root' pam sacctmgr --json show cluster
	done
}

@test "PrivateData: operators, SlurmUser and root see everything" {
	site users,accounts,jobs,usage
	prints "$everything" sacctmgr -nP show assoc format=account,user
	prints "$everything" as opal sacctmgr -nP show assoc format=account,user
	prints 'carl
opal
pam
root
zoe' as opal sacctmgr -nP show user format=user
}

@test "PrivateData: slurmdbd.conf says so too" {
	site
	echo PrivateData=users >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	prints 'pam' as pam sacctmgr -nP show user format=user
	echo DisableCoordDBD=yes >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	prints 'other|carl' as carl sacctmgr -nP show assoc format=account,user
}
