#!/usr/bin/env bats
# man/sacctmgr.1: its examples run as they stand, and no word of the program is missing in it.

load lib

page=$BATS_TEST_DIRNAME/../../man/sacctmgr.1

setup() {
	fresh_cluster
	local_users amy bob
	echo 'team-users:x:7000:amy,bob' >>"$NSS_WRAPPER_GROUP"
}

# The commands and outputs of the literal blocks, as one text; blanks at the end do not count.
examples() {
	awk '
	/^\.Bd -literal/ { on = 1; next }
	/^\.Ed/ { on = 0 }
	on' "$page" | sed 's/^\\&//; s/\\e/\\/g; s/[[:blank:]]*$//'
}

@test "the examples" {
	examples >wanted
	(($(grep -c '^\$ ' wanted) >= 10))
	while IFS= read -r command; do
		printf '$ %s\n' "$command"
		eval "$command" 2>&1 </dev/null || true
	done < <(sed -n 's/^\$ //p' wanted) | sed 's/[[:blank:]]*$//' >got
	same examples "$(<got)" "$(<wanted)"
}

# first_words SECTION: of its lines in `sacctmgr help`.
first_words() {
	sacctmgr help | awk -v section="$1" '
	index($0, section) == 1 { on = 1; next }
	!NF { on = 0 }
	on { print $1 }'
}

# Names as the page lists them: `.It Cm Acc[ount] , Cm Acct`.
listed() {
	sed -n 's/^\.It //p' "$page" | tr ' ' '\n' |
		grep -v '^\(,\|Cm\|Fl\|Ns\|Ar\|Oo\|Oc\|Op\|=\)$'
}

# known WHAT: the words on standard input are all listed.
known() {
	local missing
	missing=$(sort -u | comm -23 - <(listed | sort -u))
	[[ ! $missing ]] || { printf '%s missing in the page:\n%s\n' "$1" "$missing"; return 1; }
}

@test "every word and column of help is in the page" {
	for entity in $(first_words '<ENTITY>'); do
		sacctmgr help "$entity" | sed -n '/^[A-Z][a-z]*\( (.*\)*$/,$s/^  \([^ ].*\)/\1/p' |
			sed 's/   *.*//; s/ += -=//; s/[=,]//g' | tr ' ' '\n' |
			known "words of $entity" || return 1
	done
	sacctmgr --helpformat | awk '
		NR > 1 && /^[^ ]/ { print $0 ~ / -?[0-9]+  [^ ]/ ? substr($0, 1, 39) : $0 }' |
		sed 's/ *$//; s/, */\n/g' | known columns
}

@test "every option, verb and entity is in the page" {
	sacctmgr --help | grep -o -- '--[a-z0-9-]*' | sed 's/^-//' | known options
	first_words 'Valid <COMMAND>' | tr -d , | known verbs
	for entity in $(first_words '<ENTITY>'); do
		grep -qx ".Ss $entity" "$page" || { echo "no section of $entity"; return 1; }
	done
}

@test "SYNOPSIS is the usage" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	usage=$(sacctmgr --help | head -n 1 | tr -d '<>' | tr A-Z a-z)
	LD_PRELOAD='' mandoc -T ascii "$page" | sed 's/.\x08//g' |
		awk '/^SYNOPSIS/ { getline; sub(/^ */, ""); print }' >synopsis
	same SYNOPSIS "$(<synopsis)" "$usage"
}

@test "mandoc has nothing to say" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	LD_PRELOAD='' mandoc -T lint -W warning "$page"
}
