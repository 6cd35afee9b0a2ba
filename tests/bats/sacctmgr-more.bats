#!/usr/bin/env bats
# Neighbours of the recordings: other words, orders, lists and clusters. What is wanted here follows
# src/sacctmgr and as_mysql_*.c of Slurm.

load lib

setup() {
	fresh_cluster
}

# says STATUS OUTPUT MESSAGES COMMAND...: exactly these, but for blanks at the ends of lines.
says() {
	local status_wanted=$1 out=$2 err=$3
	shift 3
	capture "$@"
	stdout=$(sed 's/ *$//' <<<"$stdout") stderr=$(sed 's/ *$//' <<<"$stderr")
	same "output of $*" "$stdout" "$out" || { printf '%s\n' "$stderr"; return 1; }
	same "messages of $*" "$stderr" "$err" || return 1
	same "exit status of $*" "$status" "$status_wanted"
}

# quietly COMMAND...: it has to succeed.
quietly() {
	"$@" >quiet.out 2>&1 || { cat quiet.out; return 1; }
}

# ---- settings -----------------------------------------------------------------------------------

@test "TRES given twice: the last one counts, others stay" {
	quietly sacctmgr -iQ add account lab
	capture sacctmgr -i add account sub maxtres=cpu=4,mem=3G maxtres=cpu=5 maxcpus=6
	[[ $stdout == *'  MaxTRES       = cpu=6,mem=3G'* ]]
	capture sacctmgr -i add account sub2 maxtres=cpu=4,cpu+=2
	[[ $stdout == *'  MaxTRES       = cpu+=2'* ]]
	quietly sacctmgr -i modify account lab set grptres=cpu=4 grptres=cpu=7,node=2
	prints 'cpu=7,node=2' sacctmgr -nP show assoc account=lab format=grptres
}

@test "numbers that are none: messages name the word; in a QOS nothing is left" {
	local left=" You didn't give me anything to set"
	quietly sacctmgr -iQ add qos q
	says 1 '' "sacctmgr: error: Invalid value for GraceTime (a)"$'\n'"$left" \
		sacctmgr -i modify qos q set gracetime=a
	says 1 '' "sacctmgr: error: UsageFactor value (b) is not a valid number"$'\n'"$left" \
		sacctmgr -i modify qos q set usagefactor=b
	says 1 '' "sacctmgr: error: Invalid value for MaxCPUs (c)"$'\n'"$left" \
		sacctmgr -i modify qos q set maxcpus=c
	says 1 '' "sacctmgr: error: Invalid value for MaxJobsPU (d)"$'\n'"$left" \
		sacctmgr -i modify qos q set maxjobs=d
	says 1 '' ' Bad PreemptExemptTime format: preemptexempttime=e' \
		sacctmgr -i modify qos q set preemptexempttime=e
	says 1 '' 'sacctmgr: error: Invalid value for MaxCpusPerJob (f)
 Unknown option: maxcpus=f
 Use keyword '"'where'"' to modify condition' sacctmgr -i add account a maxcpus=f
}

@test "PreemptMode: one way, with an addition; whole words" {
	local mode
	quietly sacctmgr -iQ add qos q,other
	for mode in gang,suspend:gang,suspend SUSPEND,GANG:gang,suspend \
		cancel,within:within,cancel priority,requeue:priority,requeue \
		on:suspend gang:gang off:cluster cluster:cluster; do
		quietly sacctmgr -i modify qos q set "preemptmode=${mode%:*}"
		prints "${mode#*:}" sacctmgr -nP show qos q format=preemptmode
	done
	for mode in req cancel,requeue gang,within gang,priority off,suspend; do
		says 1 '' " Bad Preempt Mode given: preemptmode=$mode" \
			sacctmgr -i modify qos q set "preemptmode=$mode"
	done
	quietly sacctmgr -i modify qos q set preemptmode=cancel
	prints $'normal\nother' sacctmgr -nP show qos preemptmode=off format=name
	prints $'normal\nother' sacctmgr -nP show qos preemptmode=cluster format=name
	prints q sacctmgr -nP show qos preemptmode=cancel,requeue format=name
	says 0 ' Adding QOS(s)
  r
 Settings
  Description    = r
  PreemptMode              = GANG,SUSPEND' '' sacctmgr -i add qos r preemptmode=gang,suspend
	says 0 ' Adding QOS(s)
  s
 Settings
  Description    = s' '' sacctmgr -i add qos s preemptmode=cluster
}

# ---- reports ------------------------------------------------------------------------------------

@test "clusters: in order of their names, or as typed" {
	quietly sacctmgr -iQ add cluster draco,berlin
	says 0 ' Adding Account(s)
  a
 Settings
  Description     = Account Name
  Organization    = Parent/Account Name
 Associations =
  C = berlin     A = a
  C = canis      A = a
  C = draco      A = a' '' sacctmgr -i add account a
	quietly sacctmgr -i add user u account=a cluster=draco,berlin
	says 0 ' Modified account associations...
  C = draco      A = a of root
  C = berlin     A = a of root' '' \
		sacctmgr -i modify account a where cluster=draco,berlin set fairshare=2
	says 1 ' Modified users...
 Can'"'t modify because these users aren't associated with new default account 'x'...
  U = root C = berlin
  U = root C = canis
  U = root C = draco
  U = u C = berlin
  U = u C = canis
  U = u C = draco" '' sacctmgr -i modify user u,root set defaultaccount=x
	says 0 ' Deleting account associations...
  C = draco      A = a of root
  C = draco      A = a          U = u
  C = canis      A = a of root' '' sacctmgr -i delete account a where cluster=draco,canis
}

@test "what a child takes away is no news to it" {
	quietly sacctmgr -iQ add qos q1,q2
	quietly sacctmgr -iQ add account p
	quietly sacctmgr -iQ add account c,d parent=p
	quietly sacctmgr -iQ modify account c set qos-=q2
	says 0 ' Modified account associations...
  C = canis      A = p of root
  C = canis      A = d' '' sacctmgr -i modify account p set qos+=q2
	says 0 ' Modified account associations...
  C = canis      A = p of root
  C = canis      A = c
  C = canis      A = d' '' sacctmgr -i modify account p set qos+=q2,q1
}

@test "a default QOS out of reach: partitions are named" {
	quietly sacctmgr -iQ add qos q1
	quietly sacctmgr -iQ add account p
	quietly sacctmgr -iQ add user u account=p partition=debug
	says 1 ' Modified user associations...' "sacctmgr: error:
 These associations don't have access to their default qos.
 Please give them access before they the default can be set to this.
  DefQOS = q1         C = canis      A = p                    U = u         P = debug

 Error with request: This request would make it so some associations would not have access to\
 their default qos." sacctmgr -i modify user u set defaultqos=q1
}

@test "jobs that keep an account: with their QOS" {
	quietly sacctmgr -iQ add account p
	quietly sacctmgr -iQ add user u account=p
	quietly srecord job id=7 user=u account=p submit=now start=now nodelist=vm
	says 1 '' ' Error with request: Job(s) active, cancel job(s) before remove
  JobID = 7          C = canis      A = p          U = u         Q = normal' \
		sacctmgr -i delete account p
}

# ---- users --------------------------------------------------------------------------------------

@test "add user: one default account, one default wckey" {
	quietly sacctmgr -iQ add account a,b
	says 1 '' ' Already listed DefaultAccount a' \
		sacctmgr -i add user u account=a defaultaccount=a defaultaccount=b
	says 1 '' ' Already listed DefaultWCKey k' \
		sacctmgr -i add user u account=a defaultwckey=k defaultwckey=l
}

@test "modify user: all of them, some, none" {
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add user x,y account=a,b
	says 0 ' Modified user associations...
  C = canis      A = root                 U = root
  C = canis      A = a                    U = x
  C = canis      A = a                    U = y
  C = canis      A = b                    U = x
  C = canis      A = b                    U = y' '' sacctmgr -i modify user set fairshare=4
	says 1 '' " There was a problem with your 'where' options." \
		sacctmgr -i modify user where cluster=canis set fairshare=4
	# A cluster says where, not who.
	says 1 $' Modified users...\n  Nothing modified' '' \
		sacctmgr -i modify user where cluster=canis set adminlevel=operator
	says 1 $' Modified users...\n  Nothing modified' '' \
		sacctmgr -i modify user set adminlevel=operator
	prints $'None\nNone' sacctmgr -nP show user x,y format=admin
}

@test "modify user: accounts beside a default account are default accounts" {
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add user x account=a,b
	quietly sacctmgr -iQ add user y account=b,a
	says 0 $' Modified users...\n  x' '' \
		sacctmgr -i modify user where account=a cluster=canis set defaultaccount=b
	prints $'x|b\ny|b' sacctmgr -nP show user x,y format=user,defaultaccount
	# A name says enough; rows of all accounts are meant then.
	says 0 ' Modified users...
  x
 Modified user associations...
  C = canis      A = a                    U = x
  C = canis      A = b                    U = x' '' \
		sacctmgr -i modify user x where account=a set defaultaccount=a fairshare=5
}

@test "show user: defaults of each cluster, QOS that come down the tree" {
	quietly sacctmgr -iQ add cluster draco
	quietly sacctmgr -iQ add qos q
	quietly sacctmgr -iQ add account p qos=normal,q defaultqos=q
	quietly sacctmgr -iQ add account c parent=p
	quietly sacctmgr -iQ add account d
	quietly sacctmgr -iQ add user u account=c,d
	quietly sacctmgr -iQ modify user u where cluster=draco set defaultaccount=d
	prints 'u|c|q' sacctmgr -nP show user u format=user,defaultaccount,defaultqos
	prints 'u|d|' sacctmgr -nP show user u where cluster=draco \
		format=user,defaultaccount,defaultqos
	prints 'u|c|canis|d|
u|c|canis|c|q
u|d|draco|d|
u|d|draco|c|q' sacctmgr -nP show user u withassoc \
		format=user,defaultaccount,cluster,account,defaultqos
	# Without a cluster the local one counts.
	prints '' sacctmgr -nP show user where defaultaccount=d format=user
	prints u sacctmgr -nP show user where defaultaccount=d cluster=draco format=user
	prints 'u|c' sacctmgr -nP show user where defaultaccount=c format=user,defaultaccount
	# Conditions on associations say which default is seen.
	prints 'u||canis|d' sacctmgr -nP show user u withassoc where account=d cluster=canis \
		format=user,defaultaccount,cluster,account
	prints $'root|\nu|' sacctmgr -inP show user where account=d cluster=canis \
		format=user,defaultaccount
}

@test "show user: coordinators come before what is said of associations" {
	capture sacctmgr -P show user withassoc withcoord
	[[ $stdout == 'User|Def Acct|Admin|Coord Accounts|Cluster|Account|Partition|Share|'* ]]
}

# ---- clusters and federations -------------------------------------------------------------------

@test "cluster: what was set, in order; a federation that is none" {
	says 0 ' Adding Cluster(s)
  Name           = w
 Setting
  Classification = Capacity
  Feature       = a
  Feature       = b
  FedState       = ACTIVE' '' sacctmgr -i add cluster w fedstate=active features=a,b class=capac
	says 0 ' Setting
  Feature     =
 Modified cluster...
  w' '' sacctmgr -i modify cluster w set features=
	says 1 '' " You didn't specify any features to remove" \
		sacctmgr -i modify cluster w set features-=
	says 1 '' " The federation nope doesn't exist." sacctmgr -i add cluster x federation=nope
	says 0 '' " The federation nope doesn't exist." \
		sacctmgr -i modify cluster w set federation=nope
	prints $'canis\nw' sacctmgr -nP show cluster format=cluster
}

@test "cluster: into a federation it is in, or out of another" {
	quietly sacctmgr -iQ add cluster draco,hydra
	quietly sacctmgr -iQ add federation f1 clusters=draco
	quietly sacctmgr -iQ add federation f2
	says 1 '  Nothing to change' ' The cluster draco is already assigned to federation f1' \
		sacctmgr -i modify cluster draco set federation=f1
	says 0 ' Setting
  Federation     = f1
 Modified cluster...
  hydra' ' The cluster draco is already assigned to federation f1' \
		sacctmgr -i modify cluster draco,hydra set federation=f1
	says 0 '
Are you sure you want to continue? (You have 30 seconds to decide)
(N/y):
error: Inappropriate ioctl for device' ' The cluster draco is assigned to federation f1' \
		sacctmgr modify cluster draco set federation=f2
	prints $'f1|draco\nf1|hydra|\nf2|' sacctmgr -nP show federation format=federation,cluster
}

@test "federation: a list that replaces, what is there already, what is not" {
	quietly sacctmgr -iQ add cluster draco,hydra,lyra
	quietly sacctmgr -iQ add federation f clusters=draco,hydra
	says 0 ' Setting
  Cluster      += lyra
  Cluster      -= draco
 Modified federation...
  f' ' The cluster hydra is already assigned to federation f' \
		sacctmgr -i modify federation f set clusters=hydra,lyra
	says 1 'Nothing to change' ' The cluster hydra is already assigned to federation f
 The cluster lyra is already assigned to federation f' \
		sacctmgr -i modify federation f set clusters=hydra,lyra
	says 0 ' Setting
  Cluster      -= lyra
 Modified federation...
  f' " The cluster canis isn't assigned to federation f" \
		sacctmgr -i modify federation f set clusters-=canis,lyra
	says 0 ' Setting
  Cluster      -= hydra
 Modified federation...
  f' '' sacctmgr -i modify federation f set clusters=
	says 1 'Nothing to change' '' sacctmgr -i modify federation f set clusters=
	says 1 '' " The cluster x doesn't exist. Please add first.
 The cluster y doesn't exist. Please add first." sacctmgr -i add federation g clusters=x,canis,y
	says 1 '' " Unknown federation flag used in:
 'x'
 Valid federation flags are
  '(null)'" sacctmgr -i modify federation f set flags=x
}

@test "federation: clusters are listed when a column is theirs, features do not count" {
	quietly sacctmgr -iQ add cluster draco features=ib
	quietly sacctmgr -iQ add federation f clusters=canis,draco
	prints f sacctmgr -nP show federation format=federation
	prints 'f|' sacctmgr -nP show federation format=federation,features
	prints $'f|1\nf|2|' sacctmgr -nP show federation format=federation,id
	prints $'f|\n|canis|\n|draco|' sacctmgr -nP show federation tree format=federation,cluster
}

@test "flags: the whole value stands in the message" {
	capture sacctmgr -i add qos q flags=denyonlimit,bogus
	[[ $stdout == " Unknown QOS flag used in:
  'denyonlimit,bogus'
"* ]]
	says 1 '' ' Unknown Flag(s)=UsersAreCoords,bogus' \
		sacctmgr -i add account a flags=UsersAreCoords,bogus
}

# ---- the rest -----------------------------------------------------------------------------------

@test "coordinators: all names that are none are told" {
	quietly sacctmgr -iQ add account a
	says 1 '' " You specified a non-existent account 'x'.
 You specified a non-existent account 'y'.
 You specified a non-existent user 'z'." sacctmgr -i add coordinator account=x,a,y names=z
}

@test "resource: words that are none" {
	quietly sacctmgr -iQ add resource r count=3
	says 0 $' Adding Resource(s)\n  r@slurmdb\n   Cluster - canis\t40
 Settings
  Name           = r
  Server         = slurmdb
  Count          = 3
  LastConsumed   = 0
  Flags          = (null)
  Type           = License' '' sacctmgr -i add resource r cluster=canis allowed=40
	says 1 " Unknown option: bogus=1
 Use keyword 'where' to modify condition" '' sacctmgr -i add resource s count=1 bogus=1
	says 1 " Unknown Server Resource flag used in:
  'x'
 Valid Server Resource flags are
 'Absolute,SharedPool'" '' sacctmgr -i add resource s count=1 flags=x
	says 1 '' " You didn't give me anything to set" sacctmgr -i modify resource r set name=x
	says 1 '' "sacctmgr: error: Invalid value for count (x)
 You didn't give me anything to set" sacctmgr -i modify resource r set count=x
}

@test "wckey: a long name is cut in the report" {
	quietly sacctmgr -iQ add account a
	says 0 ' Adding User(s)
  averylonguser
 Settings
 Associations =
  C = canis      A = a                    U = averylonguser
 Wckey(s)
  C = canis      W = averylongw U = averylong' '' \
		sacctmgr -i add user averylonguser account=a wckey=averylongwckey
}

@test "transactions: a default account is a change of associations" {
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add user u account=a,b
	quietly sacctmgr -iQ modify user u set defaultaccount=b
	[[ $(sacctmgr -nP show txn format=action,where,info | tail -1) == \
		'Modify Associations|(id_assoc=6)|is_def=1' ]]
}

# ---- load ---------------------------------------------------------------------------------------

# changes COMMAND...: the lines that tell of a change, blanks squeezed.
changes() {
	capture "$@"
	same "exit status of $*" "$status" 0
	sed -nE 's/ +/ /g; s/^ ((Changed|Added|Set|Making|Adding) .*)/\1/p' <<<"$stdout"
}

@test "load: changes are told with the numbers of the store" {
	quietly sacctmgr -iQ add qos q grptres=cpu=4,mem=5G
	quietly sacctmgr -iQ add account a grptres=cpu=4,mem=5G qos=normal
	cat >f.cfg <<-END
		QOS - 'q':GrpTRES=cpu=5,node=3:GrpJobs=4:PreemptMode='gang,suspend'
		Cluster - 'canis':Classification='capab'
		Parent - 'root'
		Account - 'a':MaxJobs=3:GrpTRES=cpu=5,node=3:MaxTRESPerJob=cpu=1:QOS='normal,q'
	END
	same changes "$(changes sacctmgr -i load f.cfg)" \
		'Changed GrpJobs for QOS q 4294967295 -> 4
Changed GrpTRES for QOS q 1=4,2=5120 -> 1=5,4=3
Changed PreemptMode for QOS q OFF -> GANG,SUSPEND
Changed Classification for Cluster canis (null) -> Capability
Changed GrpTRES for Account a 1=4,2=5120 -> 1=5,4=3
Changed MaxTRESPerJob for Account a (null) -> 1=1
Changed MaxJobs for Account a -1 -> 3
Added QOS for Account a q'
	prints 'normal,q' sacctmgr -nP show assoc account=a format=qos
}

@test "load: the log and the checks are those of add and modify" {
	quietly sacctmgr -iQ add qos fast
	printf '%s\n' 'Cluster - canis' 'Parent - root' 'Account - a' 'Account - b' \
		'Parent - a' 'User - ann:Coordinator=a:WCKeys=x:AdminLevel=Operator' >f.cfg
	quietly sacctmgr -iQ load f.cfg
	printf '%s\n' 'Cluster - canis' 'Parent - root' 'Account - b:Description=other' \
		'Parent - b' 'Account - a' \
		'Parent - a' 'User - ann:AdminLevel=Administrator' >f.cfg
	quietly sacctmgr -iQ load f.cfg
	prints "Add Users|ann|admin_level=2
Add Account Coord|ann|acct='a'
Add WCKeys|wckey='x'|user='ann'" sacctmgr -nP show txn format=action,where,info \
		action='Add Users,Add Account Coord,Add WCKeys'
	prints "Modify Accounts|(name='b')|description='other'
Modify Associations|(id_assoc=3)|Parent='b'
Modify Users|(name='ann')|admin_level=3" sacctmgr -nP show txn format=action,where,info \
		action='Modify Accounts,Modify Associations,Modify Users'
	for line in 'User - bob:DefaultQOS=fast:QOS=normal' 'User - ann:DefaultQOS=fast'; do
		printf '%s\n' 'Cluster - canis' 'Parent - root' 'Account - a' 'Parent - a' \
			"$line" >f.cfg
		capture sacctmgr -i load f.cfg
		same status "$status" 1
		[[ $stderr == *'access to their default qos'* ]]
	done
	prints '' sacctmgr -nP show user bob
	prints '' sacctmgr -nP show assoc user=ann format=defaultqos
}

@test "load: a list of QOS that is shorter takes none away" {
	quietly sacctmgr -iQ add qos q
	quietly sacctmgr -iQ add account a qos=normal,q
	printf '%s\n' "Cluster - 'canis'" "Parent - 'root'" \
		"Account - 'a':QOS='normal'" >f.cfg
	says 0 $'For cluster canis\n Nothing new added.' '' sacctmgr -i load f.cfg
	prints 'normal,q' sacctmgr -nP show assoc account=a format=qos
}

@test "load: wckeys and coordinators, of who has none, of who has some" {
	quietly sacctmgr -iQ add account a,b,c
	quietly sacctmgr -iQ add user u account=a
	cat >f.cfg <<-END
		Cluster - 'canis'
		Parent - 'a'
		User - 'u':DefaultWCKey='k2':Coordinator='a,b':WCKeys='k1,k2'
	END
	same changes "$(changes sacctmgr -i load f.cfg)" \
		"Changed Default WCKey for User u (null) -> k2
Making User 'u' coordinator for account(s) a, b
Adding WCKey(s) 'k1', 'k2' for user 'u'"
	sed -i "s/'a,b'/'a,c'/; s/'k1,k2'/'k2,k3'/" f.cfg
	same changes "$(changes sacctmgr -i load f.cfg)" \
		"Making User 'u' coordinator of account 'c'
Adding WCKey 'k3' to User 'u'"
	prints 'u|k2' sacctmgr -nP show user u format=user,defaultwckey
}

@test "load: an exempt time comes back as long as it was" {
	quietly sacctmgr -iQ add qos q preemptexempttime=1-02:03:04 gracetime=120 maxwall=90
	quietly sacctmgr -Q dump canis file=d.cfg
	quietly sacctmgr -iQ modify qos q set preemptexempttime=5
	quietly sacctmgr -iQ load d.cfg
	prints '1-02:03:04|00:02:00|01:30:00' sacctmgr -nP show qos q \
		format=preemptexempttime,gracetime,maxwall
}

@test "load: a dump changes nothing, and no default wckey gets lost" {
	quietly sacctmgr -iQ add account a
	quietly sacctmgr -iQ add user u account=a wckeys=k1,k2
	quietly sacctmgr -Q dump canis file=f.cfg
	sed -i 's/Fairshare=1/Fairshare=2/' f.cfg
	quietly sacctmgr -iQ load f.cfg
	prints 'u|k1' sacctmgr -nP show user u format=user,defaultwckey
	quietly sacctmgr -Q dump canis file=g.cfg
	diff f.cfg g.cfg
}

# ---- rights and QOS -----------------------------------------------------------------------------

@test "a coordinator moves an account only to one of his own" {
	local_users carl
	quietly sacctmgr -iQ add account lab,other
	quietly sacctmgr -iQ add account sub,sub2 parent=lab
	quietly sacctmgr -iQ add user carl account=lab
	quietly sacctmgr -iQ add coordinator account=lab names=carl
	says 1 ' Modified account associations...' \
		"sacctmgr: error: Your user doesn't have privilege to perform this action
 Error with request: Access/permission denied" \
		as carl sacctmgr -i modify account sub set parent=other
	quietly as carl sacctmgr -i modify account sub set parent=sub2
	prints sub2 sacctmgr -nP show assoc account=sub user= format=parentname
}

@test "limits of a cluster: no heading when they are refused" {
	local_users pam
	quietly sacctmgr -iQ add user pam account=root
	says 1 '' "sacctmgr: error: Your user doesn't have privilege to perform this action
 Error with request: Access/permission denied" \
		as pam sacctmgr -i modify cluster canis set fairshare=3
}

@test "add user: a default QOS that comes down the tree must be in the list" {
	local reason='This request would make it so some associations would not have access'
	reason+=' to their default qos.'
	quietly sacctmgr -iQ add qos long,short
	quietly sacctmgr -iQ add account eng qos=long,short defaultqos=short
	says 1 '' " error: Problem adding user associations: $reason ($reason)" \
		sacctmgr -i add user pat account=eng qos=long
	says 1 '' " error: Problem adding user associations: $reason ($reason)" \
		sacctmgr -i add user pat account=eng defaultqos=normal
	# As Slurm, an account without access is taken; its users are not.
	quietly sacctmgr -i add account new defaultqos=long
	says 1 '' " error: Problem adding user associations: $reason ($reason)" \
		sacctmgr -i add user pat account=new
	prints root sacctmgr -nP show user format=user
	quietly sacctmgr -i add user pat account=eng qos+=normal defaultqos=normal
}

@test "the usage of QOS is set for all that are named, or for none" {
	quietly sacctmgr -iQ modify qos normal set rawusage=5
	says 1 'No cluster specified, resetting on local cluster canis' \
		'sacctmgr: error: Failed to find QOS nosuch' \
		sacctmgr -i modify qos normal,nosuch set rawusage=0
	scontrol show assoc_mgr flags=qos | grep -q 'UsageRaw=5.000000'
}

@test "a QOS that is none in a condition" {
	says 1 '' "sacctmgr: error: You gave a bad qos 'x'. Valid QOS's are normal
 Unknown condition: qos=x" sacctmgr show assoc where qos=x
	says 1 '' "sacctmgr: error: You gave a bad qos 'x'. Valid QOS's are normal
 Unknown condition: qos=x
 Use keyword 'set' to modify value" sacctmgr show account where qos=x
}

@test "a session: load after a command that failed" {
	printf '%s\n' "Cluster - 'canis'" "Parent - 'root'" "Account - 'new'" >f.cfg
	printf '%s\n' bogus 'load f.cfg' >session
	capture sh -c 'sacctmgr -iQ <session'
	same status "$status" 1
	prints new sacctmgr -nP show account new format=account
}

@test "numbers of things: the message says of which" {
	local what
	for what in 'assoc:AssocId' 'qos:QOS ID' 'resource:RES ID' 'txn:Transaction ID' \
		'wckey:WCKeyID'; do
		refuses "sacctmgr: error: Invalid value for ${what#*:} (x)" \
			sacctmgr show "${what%%:*}" where id=x
	done
}

# ---- what a slurmdbd does with the neighbours of the recordings ----------------------------------

@test "add account: an empty parent or cluster is one that is none" {
	says 1 '' " error: No parent account '' on cluster 'canis'" \
		sacctmgr -i add account a parent=
	says 1 '' " error: Cluster '' has not been added yet, please contact your admin before\
 adding accounts to it" sacctmgr -i add account a cluster=
	prints root sacctmgr -nP show account format=account
}

@test "show assoc: a bare word is a number" {
	refuses 'sacctmgr: error: Invalid value for AssocId (abc)' sacctmgr show assoc abc
	prints 'root|root' sacctmgr -nP show assoc 2 format=account,user
}

@test "format: nothing between two commas is not a field" {
	prints 'root|Administrator' sacctmgr -nP show user format=,user,,admin,
	refuses "Unknown field ''" sacctmgr show user format=,
}

@test "a QOS is set by its name, never by a number" {
	quietly sacctmgr -iQ add qos hi
	quietly sacctmgr -iQ add qos 2
	quietly sacctmgr -iQ add account a
	quietly sacctmgr -i modify account a set qos=2
	prints 2 sacctmgr -nP show assoc account=a format=qos
	says 1 '' "sacctmgr: error: You gave a bad qos '1'. Valid QOS's are normal,hi,2
 Unknown option: qos=-1
 Use keyword 'where' to modify condition" sacctmgr -i modify account a set qos=-1
	refuses "You gave a bad default qos '1'.  Use 'list qos' to get complete list." \
		sacctmgr -i modify account a set defaultqos=1
	refuses "sacctmgr: error: You gave a bad qos '1'. Valid QOS's are normal,hi,2" \
		sacctmgr -i modify qos hi set preempt=-1
}

@test "WithRawQOSLevel: the signs of all rows above, then the list they apply to" {
	quietly sacctmgr -iQ add qos a,b,c,d
	quietly sacctmgr -iQ add account x qos=a,b,c
	quietly sacctmgr -iQ add account y parent=x qos=-b,+d
	quietly sacctmgr -iQ add account z parent=y qos=-a
	quietly sacctmgr -iQ add user u account=z
	prints $'x||a,b,c\ny||+d,-b,a,b,c\nz||+d,-a,-b,a,b,c\nz|u|+d,-a,-b,a,b,c' \
		sacctmgr -nP show assoc account=x,y,z withraw format=account,user,qos
	prints $'y|+d,-b|+6,-4\nz|-a|-3' \
		sacctmgr -nP show assoc account=y,z user= withraw wopl format=account,qos,qosraw
	prints 'c,d|5,6' sacctmgr -nP show assoc user=u format=qos,qosraw
}

@test "add user: nobody gets on an account whose default QOS is not in its list" {
	local reason='This request would make it so some associations would not have access'
	reason+=' to their default qos.'
	quietly sacctmgr -iQ add qos a
	quietly sacctmgr -iQ add account x qos=a,normal defaultqos=a
	quietly sacctmgr -iQ add account z parent=x qos=-a
	says 1 '' " error: Problem adding user associations: $reason ($reason)" \
		sacctmgr -i add user u,v account=x,z
	prints root sacctmgr -nP show user format=user
	quietly sacctmgr -i add user u account=z qos=+a
	quietly sacctmgr -i add user v account=x,z defaultqos=normal
}

@test "modify: a QOS list of nobody is nobody's fault" {
	quietly sacctmgr -iQ add qos a
	quietly sacctmgr -iQ add account x qos=a,normal defaultqos=a
	quietly sacctmgr -iQ add account z parent=x qos=-a
	says 1 ' Modified user associations...
  Nothing modified' '' sacctmgr -i modify user nosuch set qos+=normal
}

@test "wckeys choose no users" {
	local wanted=' WCKeys= is a condition of delete only; perhaps DefaultWCKey= was meant'
	quietly sacctmgr -iQ add account a
	quietly sacctmgr -iQ add user u account=a wckey=k
	refuses "$wanted" sacctmgr -i modify user where wckey=k set fairshare=3
	refuses "$wanted" sacctmgr show user where wckey=k
	refuses ' Unknown option: rawusage=0' sacctmgr -i add user v account=a rawusage=0
}

@test "delete user: conditions on users and on associations hold together" {
	quietly sacctmgr -iQ add cluster draco
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add user u account=a
	quietly sacctmgr -iQ add user v account=b,a
	says 0 ' Deleting user associations...
  C = draco      A = a          U = u' '' \
		sacctmgr -i delete user where defaultaccount=a cluster=draco
	says 1 ' Nothing deleted' '' sacctmgr -i delete user where admin=operator cluster=draco
	quietly sacctmgr -iQ add user w account=a partition=p
	quietly sacctmgr -iQ add user w account=a partition=q
	says 1 '' ' Error with request: You can not remove the default account of a user
  C = canis           A = a          U = w         P = p
 You must change the default account of these users or remove the users completely from '\
'the affected clusters to allow these changes.
 Changes Discarded' sacctmgr -i delete user w where partition=p
}

@test "delete, modify: no condition is passed over, and what is no condition chooses nothing" {
	quietly sacctmgr -iQ add cluster draco
	quietly sacctmgr -iQ add account a organization=o flags=usersarecoords
	quietly sacctmgr -iQ add account b
	quietly sacctmgr -iQ add qos q
	says 0 ' Deleting account associations...
  C = draco      A = a of root' '' sacctmgr -i delete account organization=o cluster=draco
	says 1 ' Nothing deleted' '' sacctmgr -i delete account flags=usersarecoords cluster=draco
	says 1 ' Nothing deleted' '' sacctmgr -i delete account organization=p cluster=draco
	says 0 ' Deleting accounts...
  a' '' sacctmgr -i delete account flags=usersarecoords
	refuses ' Unknown Flag(s)=x' sacctmgr -i delete account flags=x
	says 1 ' Modified accounts...' ' Unknown Flag(s)=x' \
		sacctmgr -i modify account flags=x set description=y
	refuses ' Unknown Flag(s)=x' sacctmgr -i delete cluster flags=x
	refuses ' Unknown Flag(s)=x' sacctmgr -i modify cluster flags=x set grpjobs=5
	refuses ' No conditions given to remove' sacctmgr -i delete qos cluster=draco
	says 1 '' "sacctmgr: error: Unknown preempt_mode given 'x'
 Bad Preempt Mode given: preemptmode=x" sacctmgr -i delete qos preemptmode=x
	prints $'b\nroot' sacctmgr -nP show account format=account
	prints $'canis\ndraco' sacctmgr -nP show cluster format=cluster
	prints $'normal\nq' sacctmgr -nP show qos format=name
}

@test "modify account: of the record, too, conditions on associations hold" {
	quietly sacctmgr -iQ add cluster draco
	quietly sacctmgr -iQ add account a cluster=draco organization=o
	quietly sacctmgr -iQ add account b organization=o parent=root
	quietly sacctmgr -iQ add account c cluster=canis organization=o parent=b
	says 0 ' Modified accounts...
  a
  b' '' sacctmgr -i modify account organization=o cluster=draco set description=x
	says 0 ' Modified accounts...
  c' '' sacctmgr -i modify account organization=o parent=b set description=y
	says 1 ' Modified accounts...
  Nothing modified' '' sacctmgr -i modify account a cluster=canis set description=z
	prints $'a|x\nb|x\nc|y' sacctmgr -nP show account a,b,c format=account,description
}

@test "modify account: users= reaches the rows of users; root has no parent" {
	quietly sacctmgr -iQ add account a
	quietly sacctmgr -iQ add account b parent=a
	quietly sacctmgr -iQ add user u account=a,b
	says 0 ' Modified account associations...
  C = canis      A = b                    U = u' '' \
		sacctmgr -i modify account b where user=u set fairshare=7
	prints $'a|1\nb|7' sacctmgr -nP show assoc user=u format=account,share
	says 0 ' Modified account associations...
  C = canis      A = root' '' sacctmgr -i modify account root set parent=a
	says 1 ' Modified account associations...
  Requested parent account a is a child of a on cluster canis. '\
'Please re-parent a before using it as a parent.' '' sacctmgr -i modify account a set parent=a
	says 0 " Modified account associations...
  Parent account x doesn't exist on cluster canis" '' \
		sacctmgr -i modify account b set parent=x
	capture sacctmgr -nP show txn format=info
	[[ $stdout != *"'x'"* ]]
}

@test "clusters by classification: capapacity is both, classified or not" {
	quietly sacctmgr -iQ add cluster n1 class=capacity
	quietly sacctmgr -iQ add cluster n2 class='*capability'
	quietly sacctmgr -iQ add cluster n3 class=capap
	prints $'n1\nn3' sacctmgr -nP show cluster class=Capacity format=cluster
	prints $'n2\nn3' sacctmgr -nP show cluster where classification=capab format=cluster
	refuses " You didn't give me anything to set" sacctmgr -i modify cluster n1 set name=n4
	# As in Slurm, none is no condition; nothing is deleted without one.
	prints $'canis\nn1\nn2\nn3' sacctmgr -nP show cluster class=none format=cluster
	refuses 'No conditions given' sacctmgr -i delete cluster where class=none
	refuses "unknown Classification 'capazity'" sacctmgr -i delete cluster class=capazity
	refuses "unknown Classification 'big'" sacctmgr show cluster class=big
}

@test "of a deleted cluster its associations keep nothing, until that is undone" {
	[[ ! ${SQL_DIR-} ]] || skip "what is written here stays in one replica"
	quietly sacctmgr -iQ add cluster n1
	quietly sacctmgr -iQ add account a fairshare=5 grptres=cpu=4 cluster=n1
	quietly sacctmgr -iQ add user u account=a maxjobs=3 cluster=n1
	ask 'UPDATE assoc SET created = 1; UPDATE cluster SET created = 1'
	quietly sacctmgr -iQ delete cluster n1
	held() {
		sacctmgr -nP show assoc where cluster=n1 "$@" \
			format=account,user,share,grptres,maxjobs,qos | grep -v root
	}
	prints $'a||1|||\na|u|1|||' held withdeleted
	quietly sacctmgr -iQ undo
	prints $'a||5|cpu=4||normal\na|u|1||3|normal' held
}

@test "clusters by their protocol version: one of those listed" {
	[[ ! ${SQL_DIR-} ]] || skip "what is written here stays in one replica"
	quietly sacctmgr -iQ add cluster n1,n2,n3
	ask "UPDATE cluster SET rpc_version = 11264 WHERE name = 'n1';
		UPDATE cluster SET rpc_version = 11008 WHERE name = 'n2'"
	prints n1 sacctmgr -nP show cluster rpc=11264 format=cluster
	prints $'n1\nn2' sacctmgr -nP show cluster where rpcversions=11008,11264 format=cluster
	prints '' sacctmgr -nP show cluster n3 rpc=11264 format=cluster
	prints '' sacctmgr -nP show cluster rpc=11264x,112 format=cluster
	sacctmgr -i delete cluster where rpcversions=11008 >/dev/null
	prints $'canis\nn1\nn3' sacctmgr -nP show cluster format=cluster
}

@test "add user: a default account that is none leaves nobody without one" {
	quietly sacctmgr -iQ add cluster draco
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add account d cluster=draco
	quietly sacctmgr -i add user u account=b,a defaultaccount=d
	prints $'canis|b\ndraco|d' \
		sacctmgr -nP show assoc user=u onlydefaults format=cluster,account
	prints 'u|b' sacctmgr -nP show user u format=user,defaultaccount
}

@test "show txn: a bare word is a number; show problem: a cluster that is none" {
	refuses 'sacctmgr: error: Invalid value for Transaction ID (x)' sacctmgr show txn x
	prints 1 sacctmgr -nP show txn 1 format=id
	refuses 'sacctmgr: error: Cluster x is unknown' sacctmgr show problem cluster=canis,x
}

@test "lists: nothing between two commas is nothing" {
	quietly sacctmgr -i add account a,,b
	quietly sacctmgr -i add user u,,v, account=,a,b
	prints $'a|u\na|v\nb|u\nb|v' sacctmgr -nP show assoc user=u,,v format=account,user
	prints $'root|\na|\nb|' sacctmgr -nP show assoc user=, format=account,user
	says 1 ' Nothing deleted' '' sacctmgr -i delete user ,
}

@test "UsersAreCoords: the row of the account shows it; nobody is named for it" {
	quietly sacctmgr -iQ add account a,b
	quietly sacctmgr -iQ add account sub parent=a
	quietly sacctmgr -iQ add user u account=a,b
	quietly sacctmgr -iQ add coordinator u account=b
	quietly sacctmgr -iQ modify account a set flags=usersarecoords
	prints $'a||UsersAreCoords\na|u|None\nsub||None' \
		sacctmgr -nP show assoc account=a,sub format=account,user,flags
	prints '["UsersAreCoords"]' sh -c \
		'sacctmgr --json show assoc account=a user= | jq -c ".associations[].flags"'
	prints '[["a",false],["b",true],["sub",false]]' sh -c \
		'sacctmgr --json show user u withcoord |
			jq -c "[.users[].coordinators[] | [.name, .direct]]"'
	quietly sacctmgr -iQ modify account a set flags=nousersarecoords
	prints None sacctmgr -nP show assoc account=a user= format=flags
}

@test "modify by QOS: what comes down the tree does not become the row's own" {
	quietly sacctmgr -i add account a
	quietly sacctmgr -i modify account a set maxtres=cpu=5
	quietly sacctmgr -i add user u account=a
	quietly sacctmgr -i modify user u where qos=normal set maxtres=node=3
	quietly sacctmgr -i modify account a set maxtres=cpu=7
	prints cpu=7,node=3 sacctmgr -nP show assoc user=u format=maxtres
}

@test "modify: an account and one below it move in one command" {
	quietly sacctmgr -i add account a,d
	quietly sacctmgr -i add account b parent=a
	quietly sacctmgr -i add account c parent=b
	quietly sacctmgr -i add user u account=c
	quietly sacctmgr -i modify account b,c set parent=d
	prints $'/d/b/\n/d/c/\n/d/c/0-u/' \
		sacctmgr -nP show assoc account=b,c format=lineage
}
