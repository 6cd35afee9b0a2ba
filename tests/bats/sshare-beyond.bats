# sshare beyond Slurm: algorithms beside each other, why, at a time, what if, when.
load lib

# site [CONF LINE...]: an empty store and four users
site() {
	fresh_cluster "$@"
	local_users ann bob cat dot
}

# Two accounts, one below the other, three users, usage.
tree() {
	sacctmgr -iQ add account lab fairshare=3 >/dev/null
	sacctmgr -iQ add account team parent=lab >/dev/null
	sacctmgr -iQ add account field >/dev/null
	sacctmgr -iQ add user ann account=lab fairshare=2 >/dev/null
	sacctmgr -iQ add user bob,cat account=team >/dev/null
	sacctmgr -iQ add user dot account=field >/dev/null
	sacctmgr -i modify user where name=ann account=lab set RawUsage=100 >/dev/null
	sacctmgr -i modify user where name=bob account=team set RawUsage=50 >/dev/null
	sacctmgr -i modify user where name=dot account=field set RawUsage=30 >/dev/null
}

# without_tree FLAG: fair-share of everyone when the site's own algorithm is another
under() {
	sed -i '/^PriorityFlags/d' "$SLURM_CONF"
	[[ ! $1 ]] || echo "PriorityFlags=$1" >>"$SLURM_CONF"
	sshare -anP -o account,user,effectvusage,fairshare
}

@test "sshare --algorithm: each pair of columns is what the site would show under it" {
	site
	tree
	local flag
	local -A flags=([fair-tree]='' [classic]=NO_FAIR_TREE [depth-oblivious]=DEPTH_OBLIVIOUS)
	for flag in fair-tree classic depth-oblivious; do
		under NO_FAIR_TREE >/dev/null
		capture sshare -anP -o account,user --algorithm="$flag"
		same "$flag" "$stdout" "$(under "${flags[$flag]}")"
	done
	under '' >/dev/null
	same 'all three' "$(sshare -anP -o user --algorithm=f,c,d -A field -U)" \
		"$(sshare -anP -U -A field -o user,effectvusage,fairshare)|$(under NO_FAIR_TREE |
			sed -n 's/^ *field|dot|//p')|$(under DEPTH_OBLIVIOUS | sed -n 's/^ *field|dot|//p')"
}

@test "sshare --algorithm: columns, doubles, machine output, bad names" {
	site
	tree
	prints 'Account|User|RawShares|RawUsage|ClassUsage|Classic|TreeUsage|FairTree' \
		bash -c 'sshare -P --algorithm=classic,fair-tree,CLASSIC | head -1'
	prints 'Account,User,RawShares,RawUsage,DepthUsage,DepthObliv' \
		bash -c 'sshare --csv --algorithm=depth | head -1'
	same json "$(sshare --json -U -u ann --algorithm=c,d |
		jq -c '[.shares.shares[] | select(.name == "ann").fairshare.algorithms[].algorithm]')" \
		'["classic","depth_oblivious"]'
	refuses "'best' is none of fair-tree, classic, depth-oblivious" sshare --algorithm=best
	refuses 'name one or more of' sshare --algorithm=,
	prints "$(sshare -a)" sshare --al
}
