#!/usr/bin/env bats
# `sacctmgr dump format=yaml`, `diff` and `apply`: the store beside a file (beyond Slurm).

load lib

page=$BATS_TEST_DIRNAME/../../man/sacctmgr.1

setup() {
	fresh_cluster
	local_users ann bob cid
	sacctmgr -iQ add qos high,low priority=5 maxtresperuser=cpu=10,mem=20G >/dev/null
	sacctmgr -iQ modify qos high set preempt=low,normal preemptmode=requeue \
		flags=DenyOnLimit,NoDecay grace=60 usagefactor=2.5 maxwall=2-0 >/dev/null
	sacctmgr -iQ add account lab,phys maxwall=60 >/dev/null
	sacctmgr -iQ add account sub parent=lab description="it: 'sub'" fairshare=parent \
		flags=UsersAreCoords >/dev/null
	sacctmgr -iQ add user ann,bob account=lab fairshare=3 qos=+high >/dev/null
	sacctmgr -iQ add user ann account=phys grptres=cpu=10,mem=5G comment=hello >/dev/null
	sacctmgr -iQ add user cid account=sub partition=debug,long maxjobs=3 \
		adminlevel=operator >/dev/null
	sacctmgr -iQ add user bob wckeys=k1,k2 >/dev/null
	sacctmgr -iQ add coordinator accounts=lab names=ann >/dev/null
	sacctmgr -Q dump canis format=yaml >/dev/null
}

# What the store says of everything that can be set.
state() {
	sacctmgr dump canis file=state.cfg >/dev/null 2>&1
	cat state.cfg
	sacctmgr -nP show user withassoc withcoord format=user,account,defaultaccount,comment,coord
	sacctmgr -nP show account format=account,org,descr,flags
	sacctmgr -nP show wckey format=wckey,user
}

# What a change would do to all of it.
spoil() {
	sacctmgr -iQ modify user bob set fairshare=7 maxjobs=4 grptres=cpu=4 >/dev/null
	sacctmgr -iQ modify user bob set defaultwckey=k2 >/dev/null
	sacctmgr -iQ modify account sub set parent=phys description=x flags=NoUsersAreCoords \
		>/dev/null
	sacctmgr -iQ modify account phys set qos=low,normal defaultqos=low >/dev/null
	sacctmgr -iQ add user dan account=phys >/dev/null
	sacctmgr -iQ add account new parent=phys >/dev/null
	sacctmgr -iQ modify user ann set defaultaccount=phys >/dev/null
	sacctmgr -iQ delete user ann account=lab >/dev/null
	sacctmgr -iQ modify qos high set usagefactor=1 flags=-1 preempt= preemptmode=cancel \
		maxwall=-1 maxtresperuser=cpu=-1,mem=4 >/dev/null
	sacctmgr -iQ delete coordinator names=ann >/dev/null
	sacctmgr -iQ modify user cid set adminlevel=none >/dev/null
}

@test "the file is short, in a stable order, and JSON says the same" {
	same file "$(<canis.yaml)" 'cluster: canis
qos:
  high:
    Flags: DenyOnLimit,NoDecay
    GraceTime: 60
    MaxTRESPerUser: cpu=10,mem=20G
    MaxWall: "2-00:00:00"
    Preempt: low,normal
    PreemptMode: requeue
    Priority: 5
    UsageFactor: 2.5
  low:
    MaxTRESPerUser: cpu=10,mem=20G
    Priority: 5
  normal:
    Description: Normal QOS default
root:
  QOS: normal
  users:
    root: {}
accounts:
  lab:
    MaxWall: "01:00:00"
    users:
      ann:
        FairShare: 3
        QOS: "+high"
      bob:
        FairShare: 3
        QOS: "+high"
    accounts:
      sub:
        Description: "it: `sub`"
        Flags: UsersAreCoords
        FairShare: parent
        users:
          cid:
            partitions:
              debug:
                MaxJobs: 3
              long:
                MaxJobs: 3
  phys:
    MaxWall: "01:00:00"
    users:
      ann:
        GrpTRES: cpu=10,mem=5G
        Comment: hello
users:
  ann:
    DefaultAccount: lab
    Coordinator: lab
  bob:
    WCKeys: k1,k2
    DefaultWCKey: k1
  cid:
    AdminLevel: Operator
  root:
    AdminLevel: Administrator'
	sacctmgr dump canis format=json file=- >canis.json
	same JSON "$(jq -r .accounts.lab.accounts.sub.FairShare canis.json)" parent
	prints '' sacctmgr diff canis.yaml prune
	prints '' sacctmgr diff canis.json prune
	sacctmgr -Q dump canis file=canis.cfg
	prints "$(<canis.cfg)" sacctmgr dump canis file=-
	prints "$(<canis.yaml)" sacctmgr --dry-run dump canis format=yaml file=-
	[[ ! -e - ]]
	refuses "Unknown format 'toml'" sacctmgr dump canis format=toml
}

@test "apply: makes everything as the file says, once" {
	before=$(state)
	spoil
	capture sacctmgr diff canis.yaml
	same status "$status" 2
	same kept "$stderr" 'sacctmgr: not in canis.yaml, and left alone without prune: 2'
	[[ $stdout == *'@@ user bob in lab, line 28 @@
-FairShare: 7
+FairShare: 3
-GrpTRES: cpu=4
-MaxJobs: 4'* ]]
	[[ $stdout == *$'@@ add user ann in lab, line 25 @@\n+FairShare: 3\n+QOS: +high'* ]]
	[[ $stdout != *dan* ]]
	changes=$(ask 'SELECT count(*) FROM change')
	sacctmgr -i apply canis.yaml >out 2>err
	same 'what is told' "$(<out)" "$stdout"
	same changes "$(ask 'SELECT count(*) FROM change')" $((changes + 1))
	prints '' sacctmgr -Q diff canis.yaml
	capture sacctmgr diff canis.yaml prune
	same status "$status" 2
	same removed "$(tail -n +3 <<<"$stdout")" '@@ delete account new @@
@@ delete user dan in phys @@'
	sacctmgr -i apply canis.yaml prune max-delete=2 >/dev/null
	same state "$(state)" "$before"
	prints ' Nothing to change' sacctmgr -i apply canis.yaml prune
	same changes "$(ask 'SELECT count(*) FROM change')" $((changes + 2))
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ undo >/dev/null
	sacctmgr -iQ apply canis.yaml prune >/dev/null
	same state "$(state)" "$before"
}

@test "apply: an empty cluster becomes what another was; only differences are logged" {
	before=$(state)
	cp canis.yaml ..
	rm -f "$(store)"*
	fresh=$(sacctmgr -nP show account format=account)
	same fresh "$fresh" root
	sacctmgr -iQ apply ../canis.yaml prune >/dev/null
	same state "$(state)" "$before"
	sed -i 's/GraceTime: 60/GraceTime: 61/' canis.yaml
	sacctmgr -iQ apply canis.yaml >/dev/null
	same log "$(ask 'SELECT action, name, info FROM txn ORDER BY id DESC LIMIT 1')" \
		"1451|(name='high')|grace_time=61"
	n=$(ask 'SELECT max(id) FROM change')
	same entries "$(ask "SELECT count(*) FROM txn WHERE change = $n")" 1
}

@test "apply: as JSON; a list may be one; defaults are settled; a user of old comes back" {
	cat >some.json <<'JSON'
{"cluster": "canis",
 "accounts": {
	"lab": {"maxwall": 60, "users": {"ann": null, "zoe": {}},
		"accounts": {"sub": {"QOS": ["+low", "+high"]}}},
	"other": {"users": {"zoe": {"fairshare": 4}}}},
 "users": {"zoe": {"DefaultAccount": "other", "wckeys": ["b", "a"]}}}
JSON
	sacctmgr -i --json apply some.json >out
	same added "$(jq -r '.differences[] | select(.change == "added") | .entity' out | sort |
		uniq -c | xargs)" '1 account 2 association'
	same default "$(sacctmgr -nP show user zoe format=defaultaccount,defaultwckey)" 'other|a'
	same qos "$(sacctmgr -nP show assoc where account=sub user= format=qos)" 'high,low,normal'
	same ann "$(sacctmgr -nP show user ann format=defaultaccount,adminlevel)" 'lab|None'
	prints '' sacctmgr -Q diff some.json
	sacctmgr -iQ delete user zoe >/dev/null
	sacctmgr -iQ apply some.json >/dev/null
	prints '' sacctmgr -Q diff some.json
	same cid "$(sacctmgr -nP show assoc where user=cid format=partition | xargs)" 'debug long'
}

@test "apply: max-delete refuses; jobs refuse; the first word of why names the record" {
	cp canis.yaml less.yaml
	sed -i '/^      bob:/,/QOS/d; /^  bob:/,/DefaultWCKey/d' less.yaml
	state >before
	refuses 'max-delete=0: 1 would be deleted, so nothing was done: user bob in lab' \
		sacctmgr -i apply less.yaml prune max-delete=0
	sacctmgr -iQ add account "$(seq -s, -f t%g 30)" >/dev/null
	capture sacctmgr -i apply less.yaml prune max-delete=0
	[[ $stderr == ' max-delete=0: 31 would be deleted, so '*' and 23 more' && $status == 1 ]]
	sacctmgr -iQ delete account "$(seq -s, -f t%g 30)" >/dev/null
	srecord job id=9 user=bob account=lab mem=100 >/dev/null
	refuses ' user bob in lab:
 Error with request: Job(s) active, cancel job(s) before remove
  JobID = 9 ' sacctmgr -i apply less.yaml prune
	same store "$(state)" "$(<before)"
	sacctmgr apply less.yaml prune <<<y >out 2>&1 && return 1
	[[ $(<out) == *'Job(s) active'* && $(<out) != *'commit changes'* ]]
}

@test "apply: a parent drops the default QOS of a child" {
	sacctmgr -iQ modify account phys set qos=normal,low >/dev/null
	sacctmgr -iQ modify user ann where account=phys set defaultqos=low >/dev/null
	sacctmgr -Q dump canis format=yaml file=with.yaml >/dev/null
	sed 's/^    QOS: low,normal/    QOS: normal/' with.yaml >without.yaml
	sed 's/DefaultQOS: low/DefaultQOS: normal/' without.yaml >mended.yaml
	same lines "$(diff with.yaml mended.yaml | grep -c '^[<>]')" 4
	capture sacctmgr -i apply mended.yaml
	same messages "$stderr" ''
	same status "$status" 0
	prints '' sacctmgr diff mended.yaml
	capture sacctmgr -i apply without.yaml
	same status "$status" 0
	[[ $stderr == "sacctmgr: without.yaml: line "*\
": user ann in phys: its default QOS, low, is none that it may use" ]]
	prints '' sacctmgr diff without.yaml
	capture sacctmgr check
	[[ $status == 2 && $stdout$stderr == *low* ]]
	capture sacctmgr -i apply with.yaml
	same messages "$stderr" ''
	prints '' sacctmgr diff with.yaml
}

@test "apply: a list of its own becomes one that follows the account" {
	sacctmgr -iQ modify user bob where account=lab set qos=normal,low >/dev/null
	sacctmgr -iQ modify account phys set qos=low >/dev/null
	sed 's/^  phys:/&\n    QOS: "+high"/' canis.yaml >then.yaml
	sacctmgr -iQ apply then.yaml >/dev/null
	prints '' sacctmgr diff then.yaml
	sacctmgr -iQ modify account phys set qos+=low >/dev/null
	sacctmgr -iQ apply then.yaml >/dev/null
	prints '' sacctmgr diff then.yaml
}

@test "apply: QOS that change places in preemption make no loop on the way" {
	sacctmgr -iQ modify qos high set preempt= >/dev/null
	sacctmgr -iQ modify qos low set preempt=high >/dev/null
	sacctmgr -iQ apply canis.yaml >/dev/null
	prints '' sacctmgr diff canis.yaml
	sacctmgr -iQ undo >/dev/null
	prints high sacctmgr -nP show qos low format=preempt
	printf '%s\n' 'cluster: canis' 'qos:' '  high: {preempt: low}' \
		'  low: {preempt: high}' >loop.yaml
	capture sacctmgr -i apply loop.yaml
	same message "$stderr" ' line 3: QOS high:
sacctmgr: error: QOS Preemption loop detected'
}

@test "apply: asks; the second of two writers is told what came between" {
	spoil
	state >before
	refuses 'standard input is no terminal: use -i' sacctmgr apply canis.yaml
	run -1 --separate-stderr sacctmgr apply canis.yaml <<<n
	[[ $output == *' Changes Discarded' ]]
	same store "$(state)" "$(<before)"
	mkfifo answer
	sacctmgr apply canis.yaml <answer >out 2>err &
	exec 7>answer
	until grep -q 'Would you like' out; do kill -0 $!; done
	sacctmgr -iQ modify user bob set fairshare=8 >/dev/null
	state >before
	echo y >&7
	wait $! && return 1
	same told "$(<err)" 'sacctmgr: error: somebody else changed the store in the meantime, '\
'nothing was done: look and try again
 change 21 of root: modify user bob set fairshare=8'
	same store "$(state)" "$(<before)"
}

@test "--dry-run apply: what would be printed and done; nothing is" {
	spoil
	ask .dump >before
	sacctmgr --dry-run apply canis.yaml prune >dry
	same store "$(ask .dump)" "$(<before)"
	sacctmgr --dry-run --json apply canis.yaml prune | jq -r '.dry_run[].report' >report
	sacctmgr -i apply canis.yaml prune >real
	same report "$(sed '/^ Dry run/,$d' dry)" "$(<real)"
	same 'report as JSON' "$(<report)" "$(<real)
"  || same 'report as JSON' "$(<report)" "$(<real)"
	grep -q '  ~ association C = canis A = lab U = bob: Share 7 -> 3, MaxJobs 4 -> none' dry
}

# bad WORDS TEXT...: a file of these lines is refused so, and nothing changes.
bad() {
	local words=$1
	shift
	printf '%s\n' "$@" >bad.yaml
	refuses "error: bad.yaml: $words" sacctmgr -i apply bad.yaml prune &&
		refuses "error: bad.yaml: $words" sacctmgr diff bad.yaml
}

@test "bad files: the word and the line, and nothing is changed" {
	state >before
	bad "line 2: the file is for cluster 'felis', which is not in" '#' 'cluster: felis'
	bad "line 1: which cluster is it? 'cluster: NAME' is missing" 'qos: {}'
	bad "line 2: unknown key 'acounts'" 'cluster: canis' 'acounts: {}'
	bad "line 4: account lab: unknown key 'MaxJob'; perhaps MaxJobs was meant" \
		'cluster: canis' 'accounts:' '  lab:' '    MaxJob: 4'
	bad "line 4: 'lab' a second time; the first is in line 3" 'cluster: canis' \
		'accounts:' '  lab: {}' '  lab: {}'
	bad "line 4: account lab a second time; the first is in line 3" 'cluster: canis' \
		'accounts:' '  lab: {}' '  LAB: {}'
	bad "line 5: account lab: 'grpjobs' is GrpJobs, which was given" 'cluster: canis' \
		'accounts:' '  lab:' '    GrpJobs: 1' '    grpjobs: 2'
	bad 'line 2: anchors (&) are not supported' 'cluster: canis' 'accounts: &a [x,x,x,x,x,x]' \
		'qos: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]'
	bad 'line 2: aliases (*) are not supported' 'cluster: canis' 'accounts: *a'
	bad 'line 2: tags (!) are not supported' 'cluster: canis' 'accounts: !!python/object {}'
	bad 'line 3: a tab: indent with blanks' 'cluster: canis' 'accounts:' $'\tlab: {}'
	bad 'line 3: a second document' 'cluster: canis' 'accounts: {}' '---' 'cluster: canis'
	bad 'line 4: account lab: Invalid value for MaxJobs (many)' 'cluster: canis' 'accounts:' \
		'  lab:' '    MaxJobs: many'
	bad "line 2: QOS high: You gave a bad qos 'none'" 'cluster: canis' \
		'qos: {high: {preempt: none}}'
	bad "line 3: user zoe is in no account of the file" 'cluster: canis' 'users:' '  zoe: {}'
	bad "line 4: user zoe: the default account phys is not among the user's accounts in \
the file" 'cluster: canis' \
		'accounts: {lab: {users: {zoe: {}}}}' 'users:' '  zoe: {DefaultAccount: phys}'
	bad "line 3: user zoe: unknown AdminLevel 'king'" 'cluster: canis' \
		'accounts: {lab: {users: {zoe: {}}}}' 'users: {zoe: {adminlevel: king}}'
	bad "line 3: user ann: Coordinator of 'phys', which is not an account" 'cluster: canis' \
		'accounts: {lab: {users: {ann: {}}}}' 'users: {ann: {coordinator: phys}}'
	bad "line 2: 'accounts' must be a map" 'cluster: canis' 'accounts: [lab]'
	bad "line 2: 'a,b' is not a name" 'cluster: canis' 'accounts: {"a,b": {}}'
	bad 'line 2: a control character' 'cluster: canis' 'accounts: {"a\nb": {}}'
	bad 'line 1: nothing is in it' ''
	bad 'line 1: this is no dump' 'canis'
	head -c 400 canis.yaml >cut.yaml
	echo '  "' >>cut.yaml
	capture sacctmgr -i apply cut.yaml prune
	[[ $status == 1 && $stderr == *'error: cut.yaml: line '* && ! $stdout ]]
	deep=$(printf '{a: %.0s' {1..200})
	bad 'line 2: nested too deeply' 'cluster: canis' "accounts: $deep"
	refuses 'cannot read none.yaml: No such file' sacctmgr diff none.yaml
	refuses 'cannot read /dev/zero: this is not text' sacctmgr -i apply /dev/zero
	refuses ' No filename given' sacctmgr -i apply
	refuses ' Unknown option: purge' sacctmgr -i apply canis.yaml purge
	refuses ' Unknown option: max-delete=1' sacctmgr diff canis.yaml max-delete=1
	refuses ' Bad number in max-delete=few' sacctmgr -i apply canis.yaml max-delete=few
	refuses "privilege" as ann sacctmgr -i apply "$PWD/canis.yaml"
	same store "$(state)" "$(<before)"
}

@test "a second cluster: its own tree; accounts and users of both stay" {
	sacctmgr -iQ add cluster felis >/dev/null
	sacctmgr -iQ add account lab cluster=felis >/dev/null
	sacctmgr -iQ add user ann account=lab cluster=felis fairshare=9 >/dev/null
	sacctmgr -Q dump felis format=yaml >/dev/null
	cat >canis.yaml <<'YAML'
cluster: canis
accounts: {}
YAML
	sacctmgr -iQ apply canis.yaml prune >/dev/null
	same accounts "$(sacctmgr -nP show account format=account | xargs)" 'lab root'
	prints '' sacctmgr diff felis.yaml prune
	prints '' sacctmgr diff canis.yaml prune
	same users "$(sacctmgr -nP show assoc where cluster=canis format=user | xargs)" root
}

@test "apply: a new account that another cluster has gets the record of the file" {
	sacctmgr -iQ add cluster felis >/dev/null
	printf '%s\n' 'cluster: felis' 'accounts: {sub: {Description: now}}' >felis.yaml
	sacctmgr -iQ apply felis.yaml >/dev/null
	prints 'sub|now|sub|None' sacctmgr -nP show account sub format=account,descr,org,flags
	prints '' sacctmgr diff felis.yaml
}

@test "apply: where no default is said the first wckey of the file is it" {
	key() {
		sed "s/^  bob:/&\n    WCKeys: $1/; /k1,k2/d; /DefaultWCKey/d" canis.yaml >keys.yaml
		sacctmgr -iQ apply keys.yaml >/dev/null
		prints '' sacctmgr -Q diff keys.yaml
		sacctmgr -nP show user bob format=defaultwckey
	}
	same first "$(key k1,k2,k3)" k1
	same first "$(key a,k4)" a
	sacctmgr -iQ delete user bob wckeys=a,k1,k2,k3,k4 >/dev/null
	same first "$(key a,b)" a
}

@test "the job file of the manual does what it is for" {
	awk '/^check:$/ { on = 1 } /^\.Ed/ { on = 0 } on' "$page" >job.yaml
	lines() {
		awk -v job="$1:" '$0 == job { on = 1; next } /^[a-z]/ { on = 0 }
			on && sub(/^    - sacctmgr /, "sacctmgr ")' job.yaml
	}
	same lines "$(lines check | wc -l) $(lines apply | wc -l) $(lines drift | wc -l)" '1 2 1'
	state >before
	eval "$(lines drift)"
	# somebody proposes
	sed -i 's/FairShare: 3/FairShare: 5/' canis.yaml
	eval "$(lines check)" >out
	grep -q -- '+FairShare: 5' out
	same store "$(state)" "$(<before)"
	status=0
	eval "$(lines drift)" >out || status=$?
	same status "$status" 2
	# and it is merged
	while read -r line; do eval "$line" >out || return 1; done < <(lines apply)
	same share "$(sacctmgr -nP show assoc where user=bob format=share)" 5
	eval "$(lines drift)"
}

@test "diff is in colour on a terminal, unless NO_COLOR is set" {
	spoil
	on_terminal() {
		TERM=xterm script -qc "$*" /dev/null </dev/null
	}
	on_terminal sacctmgr -Q diff canis.yaml | grep -q $'\e\[31m-Flags\|\e\[32m+Flags'
	NO_COLOR=1 on_terminal sacctmgr -Q diff canis.yaml >out
	same escapes "$(tr -dc '\033' <out)" ''
}

@test "completion knows the words" {
	same dump "$(sacctmgr --complete -- dump canis format= | xargs)" \
		'format=flat format=json format=yaml'
	same apply "$(sacctmgr --complete -- apply canis.yaml '' | xargs)" 'max-delete= prune'
	same diff "$(sacctmgr --complete -- diff canis.yaml p)" prune
}

@test "a backslash, a quote, what YAML ends a line at: the same in YAML and JSON" {
	sacctmgr -iQ add account odd $'description=a\\b "c" d\xe2\x80\xa8e\xef\xbb\xbff' >/dev/null
	sacctmgr -iQ add user ann account=odd partition=$'p\xe2\x80\xa9q' >/dev/null
	local said
	said=$(sacctmgr -nP show account odd format=descr)
	[[ $said == *'\'* ]]
	for form in yaml json; do
		sacctmgr -Q dump canis format=$form file=odd.$form >/dev/null
		sacctmgr -iQ modify account odd set description=other >/dev/null
		sacctmgr -i apply odd.$form >/dev/null
		prints "$said" sacctmgr -nP show account odd format=descr
	done
}

@test "a file that begins with a byte order mark, as editors of Windows write it" {
	for form in yaml json flat; do
		sacctmgr -Q dump canis format=$form file=plain >/dev/null
		{ printf '\xef\xbb\xbf' && sed 's/$/\r/' plain; } >marked
		prints '' sacctmgr diff marked prune
	done
	sacctmgr -i load marked >out
	[[ $(<out) == *'Nothing new added'* ]]
}

@test "prune takes away no QOS that the file itself makes use of" {
	before=$(state)
	printf '%s\n' 'cluster: canis' 'qos: {Low: {}}' 'root: {QOS: "normal,LOW"}' >use.yaml
	printf '%s\n' "QOS - 'low'" "Cluster - 'canis':QOS='normal,low'" >use.cfg
	for form in yaml cfg; do
		capture sacctmgr diff use.$form
		same status "$status" 2
		refuses "account root: You gave a bad qos 'normal'. Valid QOS's are low" \
			sacctmgr -i apply use.$form prune
		refuses "use.$form: line " sacctmgr diff use.$form prune
	done
	same state "$(state)" "$before"
}

# What a store without the users, the account phys and a few values becomes by a file.
spoil_more() {
	spoil
	sacctmgr -iQ delete user ann,cid,dan >/dev/null
	sacctmgr -iQ delete account new >/dev/null
}

@test "a flat file: told by its content; apply of a dump changes nothing, or brings it back" {
	local before
	sacctmgr -Q dump canis file=canis.cfg
	before=$(state)
	prints '' sacctmgr diff canis.cfg prune
	prints ' Nothing to change' sacctmgr -i apply canis.cfg prune
	sed -i "s/DefaultAccount='lab':Coordinator='lab':Fairshare=3/&:MaxJobs=7/" canis.cfg
	capture sacctmgr diff canis.cfg
	same status "$status" 2
	same differences "$stdout" '--- cluster canis
+++ canis.cfg
@@ user ann in lab, line 22 @@
+MaxJobs: 7'
	sed -i 's/:MaxJobs=7//' canis.cfg
	spoil_more
	sacctmgr -i apply canis.cfg prune >out
	prints '' sacctmgr diff canis.cfg prune
	# a flat file has no word for the flags of accounts
	sacctmgr -iQ modify account sub set flags=UsersAreCoords >out
	same state "$(state)" "$before"
}

@test "flat files of Slurm before 25.05 have no QOS lines: QOS stay, and must be there" {
	cat >old.cfg <<-'E'
		# To edit this file start with a cluster line for the new cluster
		Cluster - 'canis':Fairshare=1:QOS='normal'
		Parent - 'root'
		User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
		Account - 'old':Description='of old':Organization='u':Fairshare=7:QOS='high,normal'
		Parent - 'old'
		User - 'dan':Fairshare=2147483647:MaxWallDurationPerJob=60:GrpTRES=cpu=4,mem=5G
	E
	sacctmgr -i apply old.cfg prune >out
	prints '' sacctmgr diff old.cfg prune
	prints 'old|||7||high,normal
old|dan||parent|01:00:00|high,normal' sacctmgr -nP show assoc where account=old \
		format=account,user,partition,share,maxwall,qos
	same qos "$(sacctmgr -nP show qos format=name | sort | paste -sd ' ')" 'high low normal'
	# comments stay where none of the file is one: before 23.02 there were none
	sacctmgr -iQ modify user dan set comment=mine >out
	prints '' sacctmgr diff old.cfg prune
	sed "/^User - 'root'/s/\$/:Comment='of root'/" old.cfg >newer.cfg
	capture sacctmgr diff newer.cfg
	[[ $stdout == *'-Comment: mine'* ]]
	sed "s/high,normal/lng/" old.cfg >bad.cfg
	refuses "bad.cfg: line 5: account old: You gave a bad qos 'lng'" sacctmgr -i apply bad.cfg
}

@test "diff of two files of any format, without a store" {
	sacctmgr -Q dump canis file=a.cfg
	sacctmgr -Q dump canis file=a.json format=json
	spoil_more
	sacctmgr -Q dump canis file=b.cfg
	unset BURSAR_STORE SLURM_CONF
	export HOME=$PWD XDG_DATA_HOME=$PWD/none
	prints '' sacctmgr diff a.json a.cfg
	prints '' sacctmgr diff canis.yaml a.json
	capture sacctmgr diff a.json b.cfg
	same status "$status" 2
	same head "$(head -n 2 <<<"$stdout")" $'--- a.json\n+++ b.cfg'
	[[ $stdout == *'@@ delete user ann in lab, line '*' @@'* ]]
	sed -i "s/GrpTRES=cpu=4/GrpTRES=gres\/gpu:h100=4,license\/x=1/
		s/QOS='low,normal'/QOS='later'/" b.cfg
	capture sacctmgr diff a.cfg b.cfg
	same status "$status" 2
	[[ $stdout == *'+GrpTRES: gres/gpu:h100=4,license/x=1'* && $stdout == *'+QOS: later'* ]]
	run ! test -e none
	echo "Cluster - ''" >c.cfg
	refuses "c.cfg: line 1: which cluster is it? 'Cluster - NAME' is missing" \
		sacctmgr diff c.cfg a.cfg
}

@test "a flat file that says nothing of the cluster is silent about root" {
	sacctmgr -iQ modify account root set maxjobs=9 >out
	printf '%s\n' "Cluster - 'canis'" "Account - 'lab':MaxWallDurationPerJob=60" >lab.cfg
	capture sacctmgr diff lab.cfg
	same messages "$stderr" "sacctmgr: not in lab.cfg, and left alone without prune: 7"
	same output "$stdout" ''
	echo "Cluster - 'canis':MaxJobs=8:QOS='normal'" >root.cfg
	capture sacctmgr diff root.cfg
	same differences "$stdout" '--- cluster canis
+++ root.cfg
@@ account root, line 1 @@
-MaxJobs: 9
+MaxJobs: 8'
	# A dump of root without limits says so: the share is always told.
	echo "Cluster - 'canis':Fairshare=1" >root.cfg
	capture sacctmgr diff root.cfg
	same differences "$stdout" '--- cluster canis
+++ root.cfg
@@ account root, line 1 @@
-MaxJobs: 9
-QOS: normal'
}

# bad_flat WORDS LINE...: a flat file whose first lines are the cluster's and the parent's.
bad_flat() {
	local words=$1 before
	shift
	before=$(state)
	printf '%s\n' "Cluster - 'canis':Fairshare=1:QOS='normal'" "Parent - 'root'" "$@" >bad.cfg
	refuses "sacctmgr: error: bad.cfg: $words" sacctmgr -i apply bad.cfg
	same state "$(state)" "$before"
}

@test "bad flat files: the word and the line, and nothing is changed" {
	bad_flat "line 3: account lab: unknown key 'MaxJbos'; perhaps MaxJobs was meant" \
		"Account - 'lab':MaxJbos=3"
	bad_flat "line 3: user zoe in root: unknown key 'AdminLvl'; perhaps AdminLevel was meant" \
		"User - 'zoe':AdminLvl=Operator"
	bad_flat "line 3: account lab: unknown key 'MaxWallDurationPerJb'; perhaps \
MaxWallDurationPerJob was meant" "Account - 'lab':MaxWallDurationPerJb=3"
	bad_flat "line 3: account lab: unknown key 'Max-Jobs'; perhaps MaxJobs was meant" \
		"Account - 'lab':Max-Jobs=3"
	bad_flat "line 3: account root: unknown key 'MaxJbos'; perhaps MaxJobs was meant" \
		"Parent - 'root':MaxJbos=3"
	bad_flat "line 3: account lab: Invalid value for MaxJobs (many)" \
		"Account - 'lab':MaxJobs=many"
	bad_flat "line 3: account lab: 'MaxJobs' has no '='" "Account - 'lab':MaxJobs"
	bad_flat "line 4: account lab a second time; the first is in line 3" "Account - 'lab'" \
		"Account - 'lab'"
	bad_flat "line 3: parent no is not an account of the lines above" "Parent - 'no'"
	bad_flat "line 3: a quote is never closed: 'lab" "Account - 'lab"
	bad_flat "line 3: unknown word before the dash: Acount - 'lab'" "Acount - 'lab'"
	bad_flat "line 3: nothing follows: Account -" "Account -"
	bad_flat "line 3: a second cluster; the first is in line 1" "Cluster - 'felis'"
	bad_flat "line 3: user zoe: unknown AdminLevel 'King'" "User - 'zoe':AdminLevel=King"
	bad_flat "line 3: user zoe: the default account lab is not among the user's accounts in \
the file" "User - 'zoe':DefaultAccount=lab"
	bad_flat "line 4: user zoe: AdminLevel is 'Operator' here, and 'Administrator' before" \
		"User - 'zoe':AdminLevel=admin" "User - 'zoe':Partition=p:AdminLevel=oper"
	printf '%s\n' "Parent - 'root'" "Cluster - 'canis'" >bad.cfg
	refuses "bad.cfg: line 1: a 'Cluster - NAME' line comes before" sacctmgr diff bad.cfg
	printf '%s\n' "Cluster - 'felis'" >bad.cfg
	refuses "bad.cfg: line 1: the file is for cluster 'felis', which is not in" \
		sacctmgr diff bad.cfg
}
