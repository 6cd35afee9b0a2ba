#!/usr/bin/env bats
# The same mistakes in everything that says what shall be: YAML, JSON, the flat file, two files, a
# mapping of groups, a line of `ensure`. The file, the line, the word, what was perhaps meant; and
# nothing is done.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add qos fast >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	echo "phys:x:4001:ann,bob" >>"$NSS_WRAPPER_GROUP"
	cat >good.yaml <<-'END'
		cluster: canis
		qos: {normal: {}, fast: {}, slow: {}}
		accounts:
		  lab:
		    users:
		      ann: {}
		      bob: {}
		users:
		  ann: {}
	END
	cat >good.json <<-'END'
		{"cluster": "canis",
		"qos": {"normal": {}, "fast": {}, "slow": {}},
		"accounts": {
		  "lab": {
		    "users": {
		      "ann": {},
		      "bob": {}}}},
		"users": {
		  "ann": {}}}
	END
	cat >good.cfg <<-'END'
		QOS - 'normal'
		QOS - 'fast'
		QOS - 'slow'
		Cluster - 'canis'
		Parent - 'root'
		Account - 'lab'
		Parent - 'lab'
		User - 'ann'
		User - 'bob'
	END
	cat >good.map <<-'END'
		cluster: canis
		groups:
		  phys: {account: lab}
	END
	before=$(ask .dump)
}

# refused WHERE COMMAND...: in a line, with $word and behind it $meant.
refused() {
	local where=$1
	shift
	refuses "$where" "$@" || return 1
	[[ $stderr == *"$word"*"$meant"* ]] || same "message of $*" "$stderr" "$word ... $meant"
	[[ $(wc -l <<<"$stderr") == 1 ]] || same "lines of $*" "$stderr" one
	same "what $* left" "$(ask .dump)" "$before"
}

# unloaded: nor is it loaded, for which Slurm has words; where it is lenient, $lenient is set.
unloaded() {
	capture sacctmgr -i load bad.cfg
	same 'status of load' "$status" 1
	same 'what load left' "$(ask .dump)" "$before"
	[[ $stderr ]]
}

# bad FORMAT LINE SED: the good file of the format with that mistake in that line. Two files know no
# store; those of the formats in $alone may say it then.
bad() {
	sed "$3" "good.$1" >"bad.$1"
	run ! cmp -s "good.$1" "bad.$1"
	if [[ $1 == map ]]; then
		refused "bad.map: line $2: " sacctmgr -i apply directory bad.map
		return
	fi
	refused "bad.$1: line $2: " sacctmgr -i apply "bad.$1" prune
	[[ $1 != cfg || ${lenient-} ]] || unloaded
	[[ ${alone-} == *$1* ]] || refused "bad.$1: line $2: " sacctmgr diff good.json "bad.$1"
}

# ensured WORD...: it is refused as `ensure`, in the words of add.
ensured() {
	capture sacctmgr -i ensure "$@"
	same "status of $*" "$status" 1
	[[ $stdout$stderr == *"$word"* ]] || same "message of $*" "$stdout$stderr" "$word"
	same "what $* left" "$(ask .dump)" "$before"
}

# of_ann KEY VALUE: said of the user's association.
of_ann() {
	bad yaml 6 "6s/{}/{$1: \"$2\"}/"
	bad json 6 "6s/{}/{\"$1\": \"$2\"}/"
	bad cfg 8 "8s/\$/:$1=$2/"
	bad map 3 "3s/lab/&, $1: \"$2\"/"
	ensured user ann account=lab "$1=$2"
}

# of_fast KEY VALUE: said of a QOS.
of_fast() {
	bad yaml 2 "2s/fast: {}/fast: {$1: \"$2\"}/"
	bad json 2 "2s/\"fast\": {}/\"fast\": {\"$1\": \"$2\"}/"
	bad cfg 2 "2s/\$/:$1=$2/"
	ensured qos fast "$1=$2"
}

# of_user KEY VALUE: said of the user, whatever the account.
of_user() {
	bad yaml "$3" "9s/{}/{$1: \"$2\"}/"
	bad json "$3" "9s/{}/{\"$1\": \"$2\"}/"
	bad cfg 8 "8s/\$/:$1=$2/"
	ensured user ann account=lab "$1=$2"
}

@test "a key that means nothing" {
	word="MaxJbos" meant="; perhaps MaxJobs was meant"
	of_ann MaxJbos 3
	word="Priortiy" meant="; perhaps Priority was meant"
	of_fast Priortiy 3
}

@test "a value that is not a number, share or time" {
	word="MaxJobs (many)" meant=
	of_ann MaxJobs many
	word="FairShare (lots)"
	of_ann FairShare lots
	word="MaxWall=1-x"
	of_ann MaxWall 1-x
	word="'x'"
	of_ann GrpTRES cpu=x
}

@test "a QOS, a flag, a mode, a TRES that is not known" {
	word="'fsat'" meant="; perhaps fast was meant"
	alone=cfg # dumps of Slurm before 25.05 lack lines of QOS
	of_ann QOS normal,fsat
	of_ann DefaultQOS fsat
	of_fast Preempt fsat
	word="'DenyLimit'" meant="; perhaps DenyOnLimit was meant"
	of_fast Flags DenyLimit
	word="PreemptMode=requeu" meant="; perhaps requeue was meant"
	of_fast PreemptMode requeu
	word="cpx" meant="; did you mean cpu?"
	of_ann GrpTRES cpx=4
}

@test "an admin level, a default account, an account coordinated that are none" {
	meant=
	word="AdminLevel 'Operater': None, Operator or Administrator"
	bad yaml 9 '9s/{}/{AdminLevel: Operater}/'
	bad json 9 '9s/{}/{"AdminLevel": "Operater"}/'
	bad cfg 8 '8s/$/:AdminLevel=Operater/'
	word="AdminLevel 'operater': None, Operator or Administrator"
	ensured user ann account=lab AdminLevel=Operater
	word="lba" meant="; perhaps lab was meant"
	lenient=yes of_user DefaultAccount lba 9
	word="Coordinator of 'lba'"
	bad yaml 9 '9s/{}/{Coordinator: lba}/'
	bad json 9 '9s/{}/{"Coordinator": "lba"}/'
}

@test "an account, a cluster, a group that is not there" {
	meant="; perhaps lab was meant" word="lba"
	bad cfg 7 '7s/lab/lba/'
	bad map 3 '3s/lab/lba/'
	bad map 3 '3s/lab/new, parent: lba/'
	ensured user ann account=lba
	meant= word="'phsy'"
	bad map 3 '3s/phys/phsy/'
	alone='yaml json cfg' lenient=yes meant="; perhaps canis was meant" word="'canes'"
	bad yaml 1 '1s/canis/canes/'
	bad json 1 '1s/canis/canes/'
	bad cfg 4 '4s/canis/canes/'
	bad map 1 '1s/canis/canes/'
}

@test "a word at the top that means nothing" {
	word="'acounts'" meant="; perhaps accounts was meant"
	bad yaml 3 's/^accounts/acounts/'
	bad json 3 's/^"accounts/"acounts/'
	word="'gruops'" meant="; perhaps groups was meant"
	bad map 2 's/^groups/gruops/'
	word="'acount'" meant="; perhaps account was meant"
	bad map 3 's/account/acount/'
	word="QSO - 'normal'" meant="; perhaps QOS was meant"
	bad cfg 1 '1s/QOS/QSO/'
	word="Usre - 'ann'" meant="; perhaps User was meant"
	bad cfg 8 '8s/User/Usre/'
	word="'Parent'" meant=
	bad yaml 4 '4s/$/ {Parent: root}/; 5,7d'
	lenient=yes bad cfg 6 '6s/$/:Parent=lab/'
}

@test "the same twice, a name that is none" {
	meant=
	word="'ann' a second time; the first is in line 6"
	bad yaml 7 6p
	bad json 7 6p
	word="user ann in lab a second time; the first is in line 8"
	lenient=yes bad cfg 9 8p
	word="'phys' a second time; the first is in line 3"
	bad map 4 3p
	for name in '' 'a,b' 'a[1-2]'; do
		word="'$name' is not a name"
		bad yaml 6 "6s/ann/'$name'/"
		bad json 6 "6s/ann/$name/"
		bad cfg 8 "8s/ann/$name/"
	done
	word="'p,q'" lenient=yes bad cfg 8 "8s/\$/:Partition='p,q'/"
	printf '%s\n' "Cluster - 'canis'" "User - 'ann':Partition='p,q'" >bad.cfg
	unloaded
	word='Need the name'
	ensured user '' account=lab
}

@test "a text that is no text, a broken line" {
	meant= word="MaxJobs"
	bad yaml 6 '6s/{}/{MaxJobs: {a: b}}/'
	bad json 6 '6s/{}/{"MaxJobs": {"a": 3}}/'
	bad map 3 '3s/lab/lab, MaxJobs: {}/'
	bad cfg 8 '8s/$/:MaxJobs/'
	word=
	bad yaml 6 $'6s/^/\t/'
	bad json 6 '6s/}//'
	bad map 3 $'3s/^/\t/'
	word="'ann"
	bad cfg 8 "8s/'\$//"
}

@test "bytes that are no UTF-8, control characters" {
	meant= word=UTF-8
	for byte in $'\377' $'\033'; do
		bad yaml 6 "6s/{}/{Comment: a${byte}b}/"
		bad json 6 "6s/{}/{\"Comment\": \"a${byte}b\"}/"
		bad cfg 8 "8s/\$/:Comment=a${byte}b/"
		bad map 3 "3s/lab/&, Comment: a${byte}b/"
		ensured user ann account=lab "comment=a${byte}b"
	done
}
