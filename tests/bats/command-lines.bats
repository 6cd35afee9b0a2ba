#!/usr/bin/env bats
# Every command line in README and in the manual pages runs: inline ones and those shown without
# their output. (Those with output are compared in the bats file of each program and in
# readme.bats.)

bats_require_minimum_version 1.5.0
root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
programs='bursar|sacct|sacctmgr|seff|splan|sprio|squeue|srecord|sreport|sshare|ssim'

setup() {
	bin=$(cd "${BURSAR_BIN:-$root/build/bin}" && pwd)
	cd "$BATS_TEST_TMPDIR" || return
}

# README's, between backquotes; a line break inside counts as a blank.
of_readme() {
	tr '\n' ' ' <"$root/README.md" | grep -oE "\`($programs) [^\`]*\`" | tr -d '`' | tr -s ' '
}

# Those of the pages: displays of one line, and words of the text that have an option (others name
# a command, such as "srecord job").
of_pages() {
	sed -nE "s/^\.Dl (\\$ )?(($programs)( .*)?)\$/\2/p
		s/^\.(Ql|Li) (($programs) .*-.*)\$/\2/p" "$root"/man/*.[157] |
		sed "s/\\\\(aq/'/g; s/\\\\&//g; s/\\\\e/\\\\/g; s/ [.,]\$//"
}

# Placeholders stand for what the example cluster has; files are our own; "..." is no word. The
# users of the example are none of the machine, which sacctmgr check finds.
filled() {
	sed -E 's/ \.\.\.( |$)/\1/; s/\bJOB\b/4251/; s/\bTIME\b/now/; s/=FILE\b/=file.svg/
		s/\bFILE\b/copy.db/; s/\bNAME\b/something/; s,/backup/,backup/,
		s/^sacctmgr (add|apply|modify) /sacctmgr -i \1 /; s/^sacctmgr (restore|undo)/& -i/
		s/ where account=quantum / where account=gait /; s/ -A c / -A gait /
		s/ -u (user2|ann|USER)\b/ -u gudrun/; s/ user amy / user gudrun /
		s/ account lab / account gait /; s/^sprio --explain 4$/&251/
		s/ until=([0-9-]+|now)$/ until=now+1day/; s,=[^ ]*\.conf\b,="$SLURM_CONF",g
		s/^sacctmgr check$/& integrity/'
}

# No whole command line (names of commands and options), or one that asks a running Slurm, or for
# its slurm.conf (feeders.bats).
left_out='^sacctmgr (-i )?(add|add user|dump)$|^srecord ((job|import)$|sync)|^sprio --explain$'
left_out+='|^sshare --at$|^bursar feeders$'

@test "every command line of README and of the manual pages runs" {
	{ of_readme; of_pages; } | filled | grep -vE "$left_out" | sort -u >lines
	(($(grep -c . lines) > 25))
	mkdir backup
	cat >all <<-'END'
		sacctmgr backup copy.db >/dev/null
		while read -r line; do
			timeout 300 bash -c "$line" >out 2>err </dev/null &&
				! grep -q "error\|fatal" err && continue
			printf '%s\n' "$line:"
			cat out err | head -5
		done <lines
	END
	run "$root/tests/show-example" "$bin" bash all
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "" ]
}
