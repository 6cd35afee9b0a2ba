#!/usr/bin/env bats
# Lines that portals, exporters and site scripts run, and what
# their parsers make of the answer.

load lib

setup() {
	fresh_cluster AccountingStorageTRES=gres/gpu,billing
	local_users ann bob cgray u1 u2
	sacctmgr -iQ >/dev/null <<-'END'
		add qos q1,q2,high
		add account lab organization=uni fairshare=10
		add account sub parent=lab description="Sub lab"
		add user ann,bob account=lab
		add user ann account=sub
	END
}

# A table is said to be of these lines, or nothing.
prints_lines() {
	local wanted
	wanted=$(cat)
	prints "$wanted" "$@"
}

# silent COMMAND...: exits with 0 and says nothing on standard error.
silent() {
	capture "$@"
	same "messages of $*" "$stderr" '' && same "status of $*" "$status" 0
}

# fails_with TEXT COMMAND...: exits with 1 and says TEXT on standard output.
fails_with() {
	local text=$1
	shift
	capture "$@"
	same "status of $*" "$status" 1 && [[ $stdout == *"$text"* ]]
}

# column NAME: of the `|` table in `stdout`, by the name in its heading.
column() {
	awk -F'|' -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if (tolower($i) == tolower(name)) n = i; next }
	{ print $n }' <<<"$stdout"
}

@test "1-5 ColdFront: delete, modify, create; failure told on standard output" {
	silent sacctmgr -Q -i create account name=proj cluster=canis Fairshare=100 QOS+=q1
	fails_with "Already existing" sacctmgr -Q -i create account name=proj cluster=canis
	silent sacctmgr -Q -i create user name=cgray cluster=canis account=proj Fairshare=7 QOS+=q2
	prints 'proj||100|normal,q1
proj|cgray|7|normal,q1,q2' sacctmgr -nP list assoc account=proj format=account,user,share,qos
	silent sacctmgr -Q -i modify user where name=cgray cluster=canis account=proj set \
		'QOS-=q1,q2'
	silent sacctmgr -Q -i create account name=other cluster=canis QOS+=q1 DefaultQOS=q1
	prints normal sacctmgr -nP list assoc account=proj user=cgray format=qos
	silent sacctmgr -Q -i delete user where name=cgray cluster=canis account=proj
	fails_with "Nothing deleted" sacctmgr -Q -i delete user where name=cgray cluster=canis \
		account=proj
	silent sacctmgr -Q -i delete account where name=proj cluster=canis
	fails_with "Nothing deleted" sacctmgr -Q -i delete account where name=proj cluster=canis
}

@test "6-8 ColdFront: a table for DictReader, bare names" {
	prints 'Cluster|Account|User|QOS
canis|lab|ann|normal' sacctmgr list associations User=ann Cluster=canis Account=lab \
		Format=Cluster,Account,User,QOS -P
	prints_lines sacctmgr list associations User=ann Cluster=canis Format=Account -Pn \
		<<<$'lab\nsub'
	prints lab sacctmgr show user User=ann Cluster=canis Format=DefaultAccount -Pn
	prints '' sacctmgr list associations User=cgray Cluster=canis Format=Account -Pn
}

@test "9-10 ColdFront: a condition before where" {
	silent sacctmgr -Q -i modify user User=ann where Cluster=canis set DefaultAccount=sub
	prints sub sacctmgr show user User=ann Cluster=canis Format=DefaultAccount -Pn
	silent sacctmgr -Q -i modify account lab where Cluster=canis set GrpSubmitJobs=0
	prints 0 sacctmgr -nP show assoc account=lab user= format=grpsubmit
}

@test "11 ColdFront: a dump that its regular expressions read" {
	silent sacctmgr -Q -i modify account lab set qos+=q1
	silent sacctmgr -Q dump canis file=f.cfg
	run -0 awk -F"'" '
	/^#/ || /^QOS - / { next }
	/^Cluster - / { print "c", $2; next }
	/^Account - / { known[$2] = 1; next }
	/^Parent - / { if ($2 != "root" && !known[$2]) print "unknown parent", $2; next }
	/^User - / { print "u", $2; next }
	{ print "unread:", $0 }' f.cfg
	same entries "$output" $'c canis\nu root\nu ann\nu bob\nu ann'
	grep -q "^Account - 'lab':.*:QOS='+q1'\$" f.cfg
	same 'words of another kind' "$(grep -v '^#' f.cfg | tr ':' '\n' | grep -vE \
		"^(QOS|Cluster|Account|Parent|User) - '|^[A-Za-z]+=")" ''
}

@test "12 ColdFront: a file in any order of words, with empty ends" {
	cat >f.cfg <<-'END'
		# written by a portal
		Cluster - 'canis':Fairshare=1:QOS='normal'
		Parent - 'root'
		User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
		Account - 'x':
		Account - 'y':Fairshare=20:Organization='y':QOS='+q1':Description='y'
		Parent - 'y'
		User - 'cgray':Fairshare=3:DefaultAccount='y'
	END
	for try in 1 2; do
		silent sacctmgr -iQ load file=f.cfg
	done
	prints $'x|\ny|\ny|cgray' sacctmgr -nP list assoc account=x,y format=account,user
	capture sacctmgr show user cgray -s list
	[[ $status == 0 && $stdout == *cgray* ]]
}

waldur() {
	sacctmgr --parsable2 --noheader --immediate "$@"
}

@test "15-18 Waldur: records by position, quotes in the arguments" {
	prints_lines waldur list account <<-'END'
		lab|lab|uni
		root|default root account|root
		sub|sub lab|lab
	END
	prints 'lab|lab|uni' waldur show account lab
	capture waldur list tres
	[[ $stdout == *'cpu||1'*'gres|gpu|100'* ]]
	prints canis waldur list cluster format=cluster
	silent waldur add account c1 'description="Customer 1"' 'organization="c1"'
	silent waldur add account p1 'description="P 1"' 'organization="o"' 'parent="c1"'
	prints 'p1|p 1|o' waldur show account p1
	fails_with "Already existing" waldur add account p1 'description="P 1"'
}

@test "19-20 Waldur: parents" {
	prints_lines sacctmgr --parsable2 --noheader --immediate show assoc account=sub \
		format=Account,ParentName,User -n -P <<-'END'
		sub|lab|
		sub||ann
	END
	silent waldur add account c1
	silent waldur modify account where name=sub set parent=c1
	prints 'sub|c1' waldur show assoc account=sub user= format=Account,ParentName
	capture waldur modify account where name=sub set parent=c1
	[[ $status == 0 || $stdout == *"Nothing modified"* ]]
}

@test "21 Waldur: and is a name" {
	silent waldur add user u1 account=lab
	silent waldur remove user where name=u1 and account=lab
	prints '' waldur list assoc user=u1 format=user
	silent waldur add user u1 account=sub
	silent waldur remove user where account=sub
	silent waldur remove account where name=sub
	prints '' waldur show account sub
}

@test "22 Waldur: the fields of the default columns" {
	silent waldur modify user ann where account=lab set MaxTRESMins=cpu=600 \
		GrpTRES=cpu=12,mem=5G
	silent waldur modify account lab set GrpTRES=cpu=64
	capture waldur show association where account=lab
	same rows "$(cut -d'|' -f2,3 <<<"$stdout")" $'lab|\nlab|ann\nlab|bob'
	capture sacctmgr -P show association where user=ann account=lab
	same heading "$(head -n 1 <<<"$stdout" | cut -d'|' -f1-10)" \
		'Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|GrpSubmit|GrpWall'
	prints 'cpu=12,mem=5G' waldur show association where user=ann account=lab format=GrpTRES
}

@test "23 Waldur: limits, set before where" {
	silent waldur modify account lab set GrpTRESMins=cpu=1,mem=2
	silent waldur modify user ann where account=lab set MaxTRESMins=cpu=10,mem=20
	silent waldur modify user ann where account=lab set MaxTRESMins=cpu=11,mem=-1
	prints 'cpu=11' waldur show assoc user=ann account=lab format=maxtresmins
	silent waldur modify account lab set fairshare=5
	silent waldur modify account lab set RawUsage=0
	silent waldur modify account lab set qos=q1,q2
	silent waldur modify account set qos+=high where account=lab
	silent waldur modify account set defaultqos=high where account=lab
	silent waldur modify account lab set GrpSubmitJobs=7
	silent waldur modify account lab set GrpSubmitJobs=-1
	prints 'lab|5|high,q1,q2|high||cpu=1,mem=2M' waldur show assoc account=lab user= \
		format=account,share,qos,defaultqos,grpsubmit,grptresmins
}

@test "24 Waldur: a user with everything" {
	silent waldur add user u1 account=lab DefaultAccount=lab Partition=debug QosLevel=q1,q2 \
		DefaultQOS=q1 Share=parent
	prints 'lab|u1|debug|parent|q1,q2|q1' waldur show assoc user=u1 \
		format=account,user,partition,share,qos,defaultqos
	silent waldur add user u2 account=lab Partitions=debug,gpu Share=parent
	prints $'debug\ngpu' waldur show assoc user=u2 format=partition
}

@test "25-27 Waldur: format before and after where, columns of associations" {
	silent waldur modify account lab set GrpTRESMins=cpu=600,mem=4G
	prints_lines waldur show association format=account,GrpTRESMins where accounts=lab <<-'END'
		lab|cpu=600,mem=4G
		lab|
		lab|
	END
	prints_lines waldur show association where accounts=lab format=Account,MaxTRESMins,User \
		<<-'END'
		lab||
		lab||ann
		lab||bob
	END
	prints $'lab|\nlab|ann\nlab|bob' waldur list associations format=account,user where \
		account=lab
	prints $'lab|normal\nlab|normal\nlab|normal' waldur list associations format=account,qos \
		where account=lab
	prints 'lab||||' waldur list account format=account,grptres,grptresmin,maxtres,maxtresmin \
		where account=lab
}

@test "28 Waldur: QOS" {
	silent waldur add qos w set flags=DenyOnLimit
	silent waldur modify qos w set GrpTRES=cpu=10,gres/gpu=2
	silent waldur modify qos w set MaxJobs=3
	silent waldur modify qos w set MaxSubmit=4
	silent waldur modify qos w set MaxWall=60
	silent waldur modify qos w set MinTRESPerJob=cpu=1
	prints 'w|cpu=10,gres/gpu=2|3|4|01:00:00|cpu=1|DenyOnLimit' waldur show qos w \
		format=name,grptres,maxjobspu,maxsubmitpu,maxwall,mintres,flags
	silent waldur modify qos w set GrpTRES=cpu=-1,gres/gpu=-1
	prints 'w|' waldur show qos w format=name,grptres
	silent waldur remove qos where name=w
	prints '' waldur show qos w
}

@test "30, 61 version; the cluster and its users" {
	capture sacctmgr --version
	[[ $status == 0 && $stdout == slurm\ 26.* ]]
	capture sacctmgr list cluster -n -P
	[[ $stdout == canis\|* && $(wc -l <<<"$stdout") == 1 ]]
	silent sacctmgr add account G -i
	silent sacctmgr add user u1,u2 Account=G -i
	same users "$(sacctmgr list assoc account=G format=user --noheader -P | awk NF | sort)" \
		$'u1\nu2'
	same lines "$(sacctmgr -n list account Name=G | wc -l)" 1
	silent sacctmgr remove user u1,u2 Account=G -i
	same users "$(sacctmgr list assoc account=G format=user --noheader -P | awk NF | sort)" ''
	sacctmgr -Q dump canis file=sacct.cfg
	silent sacctmgr -Q load file=sacct.cfg -i
}

@test "33 exporter: six fields, numbers plain" {
	silent sacctmgr -i modify account lab set grptres=cpu=100,mem=2048 grpjobs=5 grpsubmit=9
	prints_lines sacctmgr show assoc where account=lab \
		format=User,Account,GrpCPU,GrpMem,GrpJobs,GrpSubmit \
		--noheader --parsable2 <<-'END'
		|lab|100|2048|5|9
		ann|lab||||
		bob|lab||||
	END
	capture sacctmgr show assoc format=User,Account,GrpCPU,GrpMem,GrpJobs,GrpSubmit \
		--noheader --parsable2
	same fields "$(awk -F'|' '{ print NF }' <<<"$stdout" | sort -u)" 6
}

@test "38 Open OnDemand: accounts with their QOS" {
	silent sacctmgr -i modify user ann where account=lab set qos=q1,q2
	prints_lines sacctmgr -nP show users withassoc format=account,qos where user=ann \
		cluster=canis <<-'END'
		lab|q1,q2
		sub|normal
	END
	prints '' sacctmgr -nP show users withassoc format=account,qos where user=cgray \
		cluster=canis
}

@test "40 snakemake: accounts, wide and stripped" {
	capture sacctmgr -n -s list user ann format=account%256
	same accounts "$(awk '{ print $1 }' <<<"$stdout")" $'lab\nsub'
	same width "$(awk '{ print length($0) }' <<<"$stdout" | sort -u)" 257
	prints '' sacctmgr -n -s list user cgray format=account%256
}

@test "42-43 SlurmCommander, firecrest" {
	prints $'lab\nsub' sacctmgr list Association format=account -P -n user=ann
	prints_lines sacctmgr show assoc user=ann format=account -n <<<$'       lab \n       sub '
	prints '       lab ' sacctmgr show user ann format=defaultaccount -n
	silent sacctmgr -i add account a_long_account_name
	prints 'a_long_ac+ ' sacctmgr show account a_long_account_name format=account -n
}

@test "44 jobstats: a comment of the administrator" {
	silent srecord job id=17 user=ann account=lab start=now-60 end=now state=COMPLETED
	silent sacctmgr -i update job where jobid=17 set AdminComment=JS1:H4sIAAAAAAAA
	[[ $(LD_PRELOAD='' sqlite3 "$(store)" .dump) == *JS1:H4sIAAAAAAAA* ]]
}

@test "51 parallelcluster: association columns of users" {
	prints_lines sacctmgr list users -nP \
		Format=user,account,adminlevel,coordinators,defaultaccount,defaultwckey <<-'END'
		ann||None||lab|
		bob||None||lab|
		root||Administrator||root|
	END
}

@test "52-54 slurmaccounts: bundled letters" {
	prints_lines sacctmgr -snorp show accounts lab,sub \
		format=Account,Description,Organization,Cluster,ParentName,User,Fairshare <<-'END'
		lab|lab|uni|canis|root||10|
		lab|lab|uni|canis||ann|1|
		lab|lab|uni|canis||bob|1|
		sub|sub lab|lab|canis|lab||1|
		sub|sub lab|lab|canis||ann|1|
	END
	all=format=Cluster,Account,User,Partition,Fairshare,GrpJobs,GrpTRES,GrpSubmit,GrpWall,
	all+=GrpTRESMins,MaxJobs,MaxTRES,MaxTRESPerNode,MaxSubmitJobs,MaxWall,MaxTRESMins,QOS,
	all+=DefaultQOS,GrpTRESRunMins,GrpJobsAccrue,MaxJobsAccrue
	capture sacctmgr -snrp show associations "$all"
	same fields "$(awk -F'|' '{ print NF }' <<<"$stdout" | sort -u)" 22
	prints_lines sacctmgr -nrp show user ann,bob WithAssoc \
		format=User,DefaultAccount,Account,Cluster <<-'END'
		ann|lab|lab|canis|
		ann|lab|sub|canis|
		bob|lab|lab|canis|
	END
	capture sacctmgr -nrp list transactions Action="Add Users" Start=01/01/20 \
		format=Where,TimeStamp,Action
	same actions "$(awk -F'|' '{ print $1, $3 }' <<<"$stdout")" $'ann Add Users\nbob Add Users'
	prints_lines sacctmgr -nrp show accounts lab WithAssoc format=Account,User \
		<<<$'lab||\nlab|ann|\nlab|bob|'
	prints $'lab|lab|uni|canis|root||10|
lab|lab|uni|canis||ann|1|\nlab|lab|uni|canis||bob|1|' \
		sacctmgr -nrp show accounts lab WithAssoc \
		format=Account,Descr,Org,Cluster,ParentName,User,Share
	prints $'|lab|\nann|lab|\nbob|lab|' sacctmgr -snrP show associations account=lab \
		format=user,account,GrpTRES
	prints 'ann|lab|None|' sacctmgr -nrp show user ann
	prints $'       ann \n       bob \n      root ' sacctmgr -nr show user format=user
	silent sacctmgr -iQ delete user bob
	prints 'ann        ' sacctmgr -nr show user format=user%-10 ann
}

@test "56-57 slurm-bank, bank" {
	prints $'lab||\nlab|ann|\nlab|bob|' sacctmgr list accounts withassoc -np clusters=canis \
		format=Account,User accounts=LAB
	capture sacctmgr list accounts withassoc -np format=Account,User users=ann
	same "ann's accounts" "$(grep '|ann|' <<<"$stdout")" $'lab|ann|\nsub|ann|'
	silent sacctmgr -i modify account lab set grpcpumins=6000
	prints $'lab|6000|\nlab||\nlab||' sacctmgr list association cluster=canis account=lab \
		format='Account,GrpCPUMins' -p -n
	prints canis sacctmgr show clusters format=Cluster --noheader --parsable2
	silent sacctmgr -i modify account sub set GrpTresRunMins=billing=0
	capture sacctmgr -n -P show assoc account=sub format=GrpTresRunMins clusters=canis
	[[ $stdout == billing=0* ]]
	prints '' sacctmgr -n list account account=none format=account%30
}

@test "59 vsc: tables with headings, found by name" {
	for entity in accounts users qos resource; do
		silent sacctmgr -s -P list "$entity"
	done
	capture sacctmgr -s -P list accounts
	same accounts "$(column Account | sort -u)" $'lab\nroot\nsub'
	capture sacctmgr -s -P list users
	same users "$(column User | sort -u)" $'ann\nbob\nroot'
	same accounts "$(column Account | sort -u)" $'lab\nroot\nsub'
	capture sacctmgr -s -P list qos
	same qos "$(column Name | sort)" $'high\nnormal\nq1\nq2'
	silent sacctmgr -i add account A Parent=lab Organization=o Cluster=canis Fairshare=3 Qos=q1
	prints 'a|lab|3|q1' sacctmgr -nP show assoc account=A format=account,parentname,share,qos
	silent sacctmgr -i add user u1 account=A,sub
	silent sacctmgr -i modify user Name=u1 Cluster=canis set DefaultAccount=sub
	prints sub sacctmgr -nP show user u1 format=defaultaccount
	silent sacctmgr -i add resource name=matlab server=flex servertype=flexlm count=10 \
		type=License
	capture sacctmgr -s -P list resource
	same resources "$(column Name | sort -u)" matlab
}

@test "60 aws-eda: options behind the verb" {
	capture sacctmgr --noheader --parsable2 list assoc \
		format=Cluster,Account,User,Share,ParentName
	same rows "$stdout" $'canis|root||1|\ncanis|root|root|1|\ncanis|lab||10|root
canis|lab|ann|1|\ncanis|lab|bob|1|\ncanis|sub||1|lab\ncanis|sub|ann|1|'
	prints $'ann|lab\nbob|lab\nroot|root' sacctmgr --noheader --parsable2 list users \
		format=User,DefaultAccount
	silent sacctmgr add -i account X Description=d Organization=o Fairshare=4 Parent=lab
	silent sacctmgr modify -i account X set Parent=root
	prints 'x|root|4' sacctmgr -nP show assoc account=X format=account,parentname,share
}

@test "62 ULHPC: conditions of associations, completion by list" {
	prints lab sacctmgr show user where name="ann" --noheader -P format=DefaultAccount
	prints $'lab|ann\nsub|ann' sacctmgr show association where users=ann format=account,user -nP
	prints $'sub|' sacctmgr show association where parent=lab format=account,user -nP
	capture sacctmgr show association where accounts="lab" format=account%20,user,qos%50 \
		withsubaccounts -n
	same rows "$(awk '{ print $1 }' <<<"$stdout" | sort | uniq -c | awk '{ print $2, $1 }')" \
		$'lab 3\nsub 2'
	for entity in qos users accounts clusters wckeys resource; do
		silent sacctmgr -p -n list "$entity"
		cut -d'|' -f1 <<<"$stdout" >"names.$entity"
	done
	same users "$(<names.users)" $'ann\nbob\nroot'
	same clusters "$(<names.clusters)" canis
}

@test "63 OpenSCOW: quotes, the same word twice" {
	silent sacctmgr -i create user name="'u1'" partition="'debug'" account="'lab'"
	prints 'lab|u1|debug' sacctmgr -nP show assoc user=u1 format=account,user,partition
	silent sacctmgr -i modify user u1 set qos="'q1,q2'" DefaultQOS="'q1'"
	prints 'q1,q2|q1' sacctmgr -nP show assoc user=u1 format=qos,defaultqos
	silent sacctmgr -i -Q modify user where name=ann account=lab set MaxSubmitJobs=0 MaxJobs=0 \
		GrpJobs=0 GrpSubmit=0 GrpSubmitJobs=0 MaxSubmitJobs=0
	prints '0|0|0|0' sacctmgr -nP show assoc user=ann account=lab \
		format=maxjobs,maxsubmit,grpjobs,grpsubmit
}

@test "66 galaxy, os-autoinst, ubccr: columns by position" {
	sacctmgr -iQ add cluster linux >/dev/null
	capture sacctmgr -n list cluster
	same 'the name, right-justified' "$(cut -c1-10 <<<"$stdout" | tr -d ' ' | sort | xargs)" \
		'canis linux'
	capture sacctmgr -n -p list cluster where name=linux
	same row "$stdout" 'linux||0|0|1||||||||normal||'
	silent sacctmgr list -P associations cluster=linux format=Account,Cluster,User,Fairshare
	same lines "$(wc -l <<<"$stdout")" 3
}
