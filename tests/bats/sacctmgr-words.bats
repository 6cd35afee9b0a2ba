#!/usr/bin/env bats
# Every word that `sacctmgr help ENTITY` and `sacctmgr --helpformat` list: a new row of a table is
# tested by being there. A name is shown as Acc[ount]: all of it and what stands before the bracket
# are accepted; one letter less is refused, unless another row takes it.

load lib

declare -gA taken

setup() {
	fresh_cluster
	local_users amy bob
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab,law maxjobs=9
		add qos fast,slow grpjobs=9
		add user amy account=lab wckeys=wk
		add user bob account=law
		add federation fed
		add coordinator bob account=lab
		modify account lab set grpjobs=5 until=2100-01-01
		modify user bob set maxjobs=5 until=2100-01-01
		modify qos fast set maxwall=5 until=2100-01-01
	END
}

entities() {
	sacctmgr help | awk '/^<ENTITY> may be/ { on = 1; next } !NF { on = 0 } on { print $1 }'
}

# rows ENTITY: the rows of its help, as SECTION NAMES OPERATORS KIND HELP FLAGS, tab between.
rows() {
	sacctmgr help "$1" | awk '
	function emit() {
		if (names != "")
			print section "\t" names "\t" ops "\t" kind "\t" help "\t" flags
		names = flags = ""
	}
	/^Columns with / { emit(); section = "WithColumns"; next }
	/^[A-Z][a-z]+( \(.*\))?$/ { emit(); section = $1; next }
	!section || !NF { next }
	/^  [^ ]/ {
		emit()
		line = substr($0, 3)
		n = match(line, /  /) ? RSTART : length(line) + 1
		names = substr(line, 1, n - 1)
		rest = substr(line, n)
		ops = names ~ /\+=/
		gsub(/ \+= -=/, "", names)
		gsub(/[=,]/, "", names)
		kind = ""
		$0 = rest
	}
	/^ / && names != "" && !kind {
		if (!NF)
			next
		kind = $1
		help = $0
		sub(/^ *[^ ]+ */, "", help)
		next
	}
	/^ / && names != "" { gsub(/ /, ""); flags = flags $0 }
	END { emit() }'
}

# name NAME[rest]: sets full and min, in small letters.
name() {
	full=${1//[\[\]]/}
	full=${full,,}
	min=${1%%\[*}
	min=${min,,}
}

# know SECTION...: `known` gets FULL:MIN of every name in these sections of `table`, `taken` all
# that can be typed for them.
know() {
	local section names n i
	known=
	taken=()
	while IFS=$'\t' read -r section names _; do
		[[ " $* " == *" $section "* ]] || continue
		for n in $names; do
			name "$n"
			known+=" $full:${#min}"
			for ((i = ${#min}; i <= ${#full}; i++)); do
				taken[${full:0:i}]=1
			done
		done
	done <<<"$table"
}

# words CALLBACK SECTION...: CALLBACK WORD KIND OPERATORS FLAGS FULL EXPECTED HELP for every name of
# these sections: whole and at its shortest (EXPECTED yes), and a letter less (no, when no row takes
# it).
words() {
	local callback=$1 section names ops kind help flags n
	shift
	while IFS=$'\t' read -r section names ops kind help flags; do
		[[ " $* " == *" $section "* ]] || continue
		for n in $names; do
			name "$n"
			"$callback" "$full" "$kind" "$ops" "$flags" "$full" yes "$help"
			"$callback" "${min^^}" "$kind" "$ops" "$flags" "$full" yes "$help"
			((${#min} > 1)) && [[ ! ${taken[${min%?}]-} ]] || continue
			"$callback" "${min%?}" "$kind" "$ops" "$flags" "$full" no "$help"
		done
	done <<<"$table"
}

# Commands to be carried out in one session: `line EXPECTED COMMAND`.
line() {
	printf '%s\n' "$2" >>lines
	printf '%s\n' "$1" >>expected
}

# session PATTERN: what matches a refused command's output must not match an accepted one's.
session() {
	[[ -s lines ]] || return 0
	{ cat lines; echo exit; } | sacctmgr -i >out 2>&1 || true
	awk -v pattern="$1" '
	function judge() {
		if (!n)
			return
		if ((said ~ pattern) == (expected[n] == "yes"))
			print (expected[n] == "yes" ? "refused: " : "taken: ") lines[n] "\n" said
	}
	FILENAME == "lines" { lines[FNR] = $0; total = FNR; next }
	FILENAME == "expected" { expected[FNR] = $0; next }
	n < total && $0 == "sacctmgr: " lines[n + 1] { judge(); n++; said = ""; next }
	{ said = said $0 "\n" }
	END {
		judge()
		if (n != total)
			print "the session ended at: " lines[n + 1]
	}' lines expected out >wrong
	[[ ! -s wrong ]] || { cat wrong; return 1; }
	rm -f lines expected
}

# value FULL KIND FLAGS: sets `value` to one that the word takes.
value() {
	case $1 in
	adminlevel) value=operator ;;
	classification) value=capacity ;;
	defaultaccount) value=lab ;;
	defaultwckey) value=wk ;;
	parent) value=root ;;
	newname) value=amy ;;
	federation) value=fed ;;
	fedstate) value=active ;;
	start | end) value=now ;;
	until) value=2100-01-01 ;;
	for) value=7days ;;
	preemptmode) value=cancel ;;
	*)
		case $2 in
		QOS) value=normal ;;
		TRES) value=cpu=1 ;;
		TEXT) value=text ;;
		FLAGS | WORD) value=${3%%,*} ;;
		*) value=1 ;;
		esac
		;;
	esac
}

condition() {
	[[ $5 != format ]] || return 0
	value "$5" "$2" "$4"
	line "$6" "$list $1=$value"
}

@test "conditions: whole, shortest, too short" {
	for entity in $(entities); do
		table=$(rows "$entity")
		know Conditions
		list="show $entity"
		[[ ${entity,,} != coordinator ]] || list="delete coordinator names=nobody"
		words condition Conditions
		echo "$entity"
		session "Unknown condition:"
	done
}

# The format word of each entity: with it a listing has just that column.
format() {
	[[ $5 == format ]] || return 0
	line "$6" "show $entity $1=${column%%[\[]*}"
}

@test "format=: whole, shortest, too short" {
	for entity in $(entities); do
		table=$(rows "$entity")
		know Conditions
		column=$(awk -F'\t' '$1 == "Columns" { print $2; exit }' <<<"$table")
		[[ $column ]] || continue
		words format Conditions
		session "Unknown condition"
	done
}

# A bare word that is no switch is a name: there is none of that name.
@test "switches: whole, shortest, too short" {
	for entity in $(entities); do
		table=$(rows "$entity")
		know Switches
		[[ $known && $(sacctmgr -inP show "$entity") ]] || continue
		while IFS=$'\t' read -r section names _; do
			[[ $section == Switches ]] || continue
			for n in $names; do
				name "$n"
				prints_rows "$full"
				prints_rows "${min^^}"
				[[ ${taken[${min%?}]-} ]] || prints_none "${min%?}"
			done
		done <<<"$table"
	done
}

prints_rows() {
	capture sacctmgr -inP show "$entity" "$1"
	[[ $stdout && ! $stderr ]] || { echo "show $entity $1: $stderr"; return 1; }
}

prints_none() {
	capture sacctmgr -inP show "$entity" "$1"
	[[ ! $stdout ]] || { echo "show $entity $1: $stdout"; return 1; }
}

# What is to be changed.
target() {
	case ${1,,} in
	account) echo lab ;;
	user) echo amy ;;
	cluster) echo canis ;;
	qos) echo fast ;;
	federation) echo fed ;;
	job) echo 1 ;;
	*) echo thing ;;
	esac
}

setting() {
	value "$5" "$2" "$4"
	[[ $7 == *"(add only)"* || $forms != *"  modify "* ]] ||
		line "$6" "modify $entity $target set $1=$value"
	[[ $7 == *"(modify only)"* || $forms != *"  add "* ]] ||
		line "$6" "add $entity $target $1=$value"
}

# `+=` where the row says so, else refused. After a word that takes it others are not looked at.
operator() {
	local expected=no
	[[ $1 == "$5" && $7 != *"(add only)"* && $forms == *"  modify "* ]] || return 0
	((!$3)) || expected=yes
	value "$5" "$2" "$4"
	line "$expected" "modify $entity $target set $1+=$value"
	line "$expected" "modify $entity $target set $1-=$value"
}

@test "settings: whole, shortest, too short, operators" {
	for entity in $(entities); do
		table=$(rows "$entity")
		target=$(target "$entity")
		forms=$(sacctmgr help "$entity" | sed -n '3,/^$/p')
		know Settings Names
		[[ $table == *$'\n'Settings* ]] || continue
		words setting Settings
		echo "$entity"
		session "Unknown option|Bad format|Invalid|not a valid number|No valid entity"
		words operator Settings
		session "Invalid operator"
	done
}

adding() {
	line "$6" "add $entity $1=new"
}

@test "names of an add: whole, shortest, too short" {
	for entity in $(entities); do
		table=$(rows "$entity")
		know Settings Names
		[[ $table == *$'\n'Names* ]] || continue
		words adding Names
		session "Unknown option|No valid entity"
	done
}

# --helpformat as NAMES HEADING WIDTH, tab between.
fields() {
	sacctmgr --helpformat | awk '
	NR == 1 { next }
	/^[^ ]/ { names = $0 !~ / -?[0-9]+  [^ ]/ ? $0 : substr($0, 1, 39) }
	/ -?[0-9]+  [^ ]/ {
		gsub(/,/, "", names)
		sub(/ +$/, "", names)
		heading = substr($0, 41, 17)
		sub(/ +$/, "", heading)
		split(substr($0, 58), word, " ")
		print names "\t" heading "\t" word[1]
	}'
}

# NAME|HEADING|WIDTH of every name of `fields`: whole, with its own heading; at its shortest, with
# that of the first row that takes it. A heading is cut to its width.
headings() {
	awk -F'\t' '
	function show(typed, row) {
		print typed "|" substr(heading[row], 1, width[row]) "|" width[row]
	}
	{
		heading[NR] = $2
		width[NR] = $3 < 0 ? -$3 : $3
		count = split(tolower($1), word, " ")
		for (i = 1; i <= count; i++) {
			min[++n] = word[i]
			sub(/\[.*/, "", min[n])
			full[n] = word[i]
			gsub(/[][]/, "", full[n])
			row[n] = NR
		}
	}
	END {
		for (i = 1; i <= n; i++) {
			show(full[i], row[i])
			for (k = 1; k < i; k++)
				if (index(full[k], min[i]) == 1 && length(min[i]) >= length(min[k]))
					break
			show(min[i], row[k])
		}
	}' "$1"
}

@test "columns: every name prints its heading in its width" {
	fields >fields
	(($(wc -l <fields) >= 113))
	headings fields >wanted
	sed 's/|.*//; s/^/show assoc account=none format=/' wanted | sacctmgr 2>&1 | awk '
		/format=/ { sub(/.*format=/, ""); name = $0; next }
		/^-+ $/ { print name "|" heading "|" length($0) - 1; next }
		{ sub(/^ +/, ""); sub(/ +$/, ""); heading = $0 }' >got
	same columns "$(<got)" "$(<wanted)"
}

@test "columns: a letter less is unknown" {
	table=$(fields | sed 's/^/Columns\t/')
	know Columns
	for n in $known; do
		full=${n%:*} min=${full:0:${n#*:}}
		((${#min} > 1)) && [[ ! ${taken[${min%?}]-} ]] || continue
		refuses "Unknown field '${min%?}'" sacctmgr show assoc format="${min%?}"
	done
}

# fills ENTITY FORMAT [SWITCH]
fills() {
	capture sacctmgr -inP show "$1" ${3-} format="$2"
	same "messages of $1" "$stderr" '' || return 1
	[[ $stdout ]] || { echo "no row of $1"; return 1; }
}

@test "columns of an entity: each fills what help says it fills" {
	for entity in $(entities); do
		table=$(rows "$entity")
		know Columns
		[[ $known && $(sacctmgr -inP show "$entity") ]] || continue
		format=
		for n in $known; do
			format+=,${n%:*}
		done
		fills "$entity" "${format#,}"
		know WithColumns
		format=
		for n in $known; do
			format+=,${n%:*}
		done
		[[ ! $format ]] || fills "$entity" "${format#,}" witheffective
	done
}

# Scripts use the abbreviations that getopt takes: what Slurm's options allow must stay so.
@test "options: every abbreviation that Slurm takes" {
	local options='autocomplete help usage immediate noheader oneliner parsable parsable2 quiet
		readonly associations verbose version json yaml' option other prefix n known_option
	known_option=$(sacctmgr --autocomplete=--)
	for option in $options; do
		[[ $known_option == *--$option* ]] || continue
		for ((n = 1; n <= ${#option}; n++)); do
			prefix=${option:0:n}
			unique=1
			for other in $options; do
				[[ $other == "$option" || $other != "$prefix"* ]] || unique=
			done
			[[ $unique || $prefix == "$option" ]] || continue
			argument=
			[[ $option != autocomplete ]] || argument==x
			capture sacctmgr --"$prefix$argument" version
			same "status of --$prefix" "$status" 0
			same "messages of --$prefix" "$stderr" ''
		done
	done
}

# meant WORD COMMAND...: it says on standard error, last and once, what was meant.
meant() {
	local word=$1
	shift
	capture "$@"
	same "last message of $*" "${stderr##*$'\n'}" "sacctmgr: did you mean '$word'?" || return 1
	[[ $(grep -c 'did you mean' <<<"$stderr") -eq 1 && $status -eq 1 ]]
}

# no_such KIND TYPED MEANT COMMAND...
no_such() {
	local text="sacctmgr: no $1 '$2' exists; did you mean '$3'?"
	shift 3
	capture "$@"
	same "last message of $*" "${stderr##*$'\n'}" "$text"
}

@test "did you mean: commands, entities, words, flags, columns, QOS" {
	meant show sacctmgr shw user
	meant Users sacctmgr show usr
	meant Accounts sacctmgr -i modify acount lab set fairshare=3
	meant Accounts sacctmgr show assoc where acounts=lab
	meant FairShare sacctmgr -i modify account lab set fairshre=3
	meant DefaultAccount sacctmgr -i add user cat defaultacount=lab account=lab
	meant DenyOnLimit sacctmgr -i modify qos fast set flags+=DenyOnlimt
	meant Account sacctmgr show assoc format=user,acount
	meant fast sacctmgr -i modify user amy set qos+=fst
	meant NewName sacctmgr -i modify user amy set rename=ann
	meant NewName sacctmgr -i modify user amy set name=ann
	meant 'modify user OLD set newname=NEW' sacctmgr rename user amy ann
	meant fast sacctmgr show assoc where qos=slow,fsat
	# What is like nothing there is gets no guess.
	capture sacctmgr frobnicate
	same messages "$stderr" 'invalid keyword: frobnicate'
}

@test "did you mean: names that do not exist; what Slurm prints stays" {
	no_such account lbb lab sacctmgr -i modify account lbb set fairshare=3
	same output "$stdout" $' Modified account associations...\n  Nothing modified'
	same status "$status" 1
	no_such user ammy amy sacctmgr -i delete user ammy
	same output "$stdout" ' Nothing deleted'
	no_such cluster cnis canis sacctmgr -nP show assoc where cluster=cnis
	same output "$stdout" ''
	same status "$status" 0
	no_such QOS fsat fast sacctmgr -i modify qos fsat set priority=3
	no_such account lsw law sacctmgr -i add user dan account=lsw
	no_such account lbb lab sacctmgr -i add account new parent=lbb
	no_such federation fde fed sacctmgr -i modify federation fde set clusters=canis
	# No name is near: nothing is said that Slurm does not say.
	capture sacctmgr -i modify account nowhere set fairshare=3
	same messages "$stderr" ''
	# What exists is not spoken of.
	capture sacctmgr -i delete user amy,ammy
	same messages "$stderr" ''
}

@test "did you mean: names that PrivateData hides are not given away" {
	echo PrivateData=accounts,users >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	local_users amy bob
	capture as amy sacctmgr show account lbb
	[[ $stderr != *mean* ]]
	no_such account lbb lab sacctmgr show account lbb
}

@test "AdminLevel: its words and two letters of them or more" {
	local word
	for word in admn administrators king a o n op-erator; do
		refuses "Unknown AdminLevel '$word'" \
			sacctmgr -i modify user amy set adminlevel=$word
		refuses "Unknown AdminLevel '$word'" \
			sacctmgr -i modify user where adminlevel=$word set maxjobs=3
		refuses "Unknown AdminLevel '$word'" \
			sacctmgr -i delete user where adminlevel=$word
	done
	same level "$(sacctmgr -nP show user amy format=admin)" None
	for word in ad Admin administrator su; do
		sacctmgr -iQ modify user amy set adminlevel=$word
		same "$word" "$(sacctmgr -nP show user amy format=admin)" Administrator
		sacctmgr -iQ modify user amy set adminlevel=no
		same none "$(sacctmgr -nP show user amy format=admin)" None
	done
}

@test "modify without conditions: the question says how many it would touch" {
	capture sacctmgr modify account set fairshare=20
	same messages "$stderr" 'sacctmgr: that is every one of 3 accounts with 3 associations'
	[[ $stdout == "You didn't set any conditions with 'WHERE'."*Aborted ]]
	same shares "$(sacctmgr -nP show assoc where account=lab user= format=share)" 1
	# With -i there is no question, and every account has them.
	capture sacctmgr -i modify account set fairshare=20
	same messages "$stderr" ''
	same shares "$(sacctmgr -nP show assoc where account=lab,law user= format=share)" $'20\n20'
}

@test "lists of many names: in order, the last of those that come twice, a most" {
	sacctmgr -iQ add account crowd >/dev/null
	sacctmgr -iQ add user "n[1-3000],n7" account=crowd >/dev/null
	same users "$(ask "SELECT count(*) FROM user WHERE name GLOB 'n*'")" 3000
	same shown "$(sacctmgr -nP show user 'n[1-40000],N5' format=user 2>/dev/null | wc -l)" 3000
	same assocs "$(sacctmgr -nP show assoc 'user=n[1-40000]' format=user 2>/dev/null |
		wc -l)" 3000
	sacctmgr -iQ modify user 'n[1-3000]' set maxjobs=3 >/dev/null
	same limits "$(ask 'SELECT count(*) FROM assoc WHERE max_jobs = 3')" 3000
	capture sacctmgr -iQ add user 'm[1-100001]' account=crowd
	same status "$status" 1
	[[ $stdout$stderr == *'more than 100000 names in one list'* ]] ||
		same refusal "$stdout$stderr" 'more than 100000'
	same users "$(ask "SELECT count(*) FROM user WHERE name GLOB 'm*'")" 0
}

@test "sacctmgr: a decimal that would not count is refused" {
	local word value
	for word in UsageFactor LimitFactor UsageThreshold; do
		for value in -5 4294967294 4294967296 1e18; do
			refuses "$word value ($value) is out of range" \
				sacctmgr -i modify qos normal set "$word=$value"
		done
	done
	sacctmgr -iQ modify qos normal set usagefactor=4294967293 >/dev/null
	prints 4294967293.000000 sacctmgr -nP show qos normal format=usagefactor%20
	sacctmgr -iQ modify qos normal set usagefactor=-1 >/dev/null
}

@test "help ENTITY has every word of SET and WHERE that the parser offers" {
	local entity verb word seen=0 help
	for entity in account cluster qos user; do
		help=$(sacctmgr help $entity | tr -d '[]')
		for verb in 'modify set' 'modify where' 'show where'; do
			for word in $(sacctmgr --complete -- ${verb% *} $entity ${verb#* } '' |
				sed -n 's/=.*//p'); do
				seen=$((seen + 1))
				grep -qiE "^ .*\b$word(=|,| )" <<<"$help" ||
					same "help $entity" "no $word" "$verb $word"
			done
		done
	done
	[[ $seen -gt 200 ]] || same words $seen 'more than 200'
}
