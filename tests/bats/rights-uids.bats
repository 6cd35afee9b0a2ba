# Rights as the system sees them: several real users, programs with set-group-ID (bursar-store(5)).
# Needs root, and a /tmp that heeds set-group-ID; skipped by name without. The programs are copies
# whose fixed folder is the test's: /etc/slurm and /tmp/XXXXX are equally long.

load lib

# daemon is SlurmUser, mail the group of the programs; games, news and man are users like others.
setup() {
	((EUID == 0)) || skip 'needs root: real users are tried'
	fixed=$(mktemp -d /tmp/XXXXX)
	chmod 755 "$fixed"
	bin=$fixed/bin plain=$fixed/plain store=$fixed/store/acct.db
	mkdir -m 755 "$bin" "$plain"
	mkdir "$fixed/store"
	chgrp mail "$fixed/store"
	chmod 2770 "$fixed/store"
	copy_programs
	conf
	[[ $(as games "$bin/sacct" --version) ]] || skip 'programs in /tmp cannot be run'
	as_user daemon "$bin/sacctmgr" -iQ add account lab >/dev/null 2>&1 || true
	[[ -e $store ]] || skip '/tmp does not heed set-group-ID'
	as_user daemon "$bin/sacctmgr" -iQ add user games,news account=lab >/dev/null
}

teardown() {
	[[ ! ${fixed-} ]] || rm -rf "$fixed"
}

copy_programs() {
	local program from
	from=$(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	for program in bursar sacct sacctmgr scontrol sdiag seff sinfo spage splan sprio squeue \
		srecord sreport sshare ssim; do
		sed "s,/etc/slurm,$fixed,g" "$from/$program" >"$plain/$program"
		chmod 755 "$plain/$program"
		cp "$plain/$program" "$bin/$program"
		chgrp mail "$bin/$program"
		chmod 2755 "$bin/$program"
	done
}

# conf [LINE...]: slurm.conf and slurmdbd.conf of the fixed folder; LINEs for slurmdbd.conf.
conf() {
	cluster_slurm_conf SlurmUser=daemon >"$fixed/slurm.conf"
	{ echo StorageType=accounting_storage/sqlite
	echo "StorageLoc=$store"
	(($# == 0)) || printf '%s\n' "$@"; } >"$fixed/slurmdbd.conf"
}

# as_user NAME COMMAND...: as that real user, in a folder of its own, with [VARIABLE=VALUE...] of
# the array environment.
environment=()
as_user() {
	local name=$1 home=$fixed/home-$1
	shift
	[[ -d $home ]] || install -d -o "$name" -g "$(id -g "$name")" "$home"
	(cd "$home" && exec setpriv --reuid="$name" --regid="$(id -g "$name")" --clear-groups \
		env -i PATH="$PATH" LC_ALL=C TZ=UTC HOME="$home" "${environment[@]}" "$@")
}

mode() {
	stat -c '%a %U %G' "$1"
}

@test "setgid: the store is shared by the group, and by it alone" {
	same store "$(mode "$store")" '660 daemon mail'
	refuses 'cannot be opened' as_user games "$plain/sacctmgr" show account
	prints $'lab\nroot' as_user games "$bin/sacctmgr" -nP show account format=account
	refuses 'Only admins' as_user games "$bin/sacctmgr" -iQ add account mine
	local command
	for command in sacct 'bursar sacct' 'sacctmgr --dry-run undo' 'scontrol show job' \
		sdiag 'seff -u games' sinfo 'spage -' splan sprio squeue 'sreport user top' \
		'sreport --openmetrics' sshare; do
		capture as_user games $bin/$command
		((status <= 1)) && [[ $stderr != *'be opened'* && $stderr != *ermission* ]] ||
			same "$command" "$status $stderr" 'it reads the store'
	done
}

@test "setgid: nobody but root and SlurmUser makes a store" {
	rm "$store"
	refuses 'there is no store' as_user games "$bin/sacctmgr" show account
	refuses 'root or SlurmUser makes it' as_user games "$bin/sacctmgr" -i add account lab
	[[ ! -e $store ]]
	as_user daemon "$bin/sacctmgr" -iQ add account lab
	[[ -e $store ]]
}

@test "setgid: writing works, within the rights of the caller" {
	refuses 'is for root, SlurmUser' as_user games "$bin/srecord" job user=games
	conf AllowOwnJobRecords=yes
	prints 1 as_user games "$bin/srecord" job user=games
	refuses 'it is not yours' as_user news "$bin/srecord" job id=1 state=cancelled
	prints '1|games' as_user news "$bin/squeue" -ho '%i|%u'
	same store "$(mode "$store")" '660 daemon mail'
	[[ ! -e $store-journal ]] || same journal "$(mode "$store-journal")" '660 daemon mail'
	as_user games "$bin/sacctmgr" ping
}

# Whatever lock the reader holds where it stands. (Once in 30 it kept everybody out.)
@test "setgid: a reader that its user stops, at any moment, stops nobody" {
	local home=$fixed/home-games n stopped=0 pid
	as_user games true
	mkfifo "$fixed/never"
	exec 8<>"$fixed/never"
	for ((n = 0; n < 100; n++)); do
		(cd "$home" && exec setpriv --reuid=games --regid=games --clear-groups \
			env -i PATH="$PATH" HOME="$home" "$bin/squeue" -h) >/dev/null 2>&1 8>&- &
		pid=$!
		read -rt "0.00$((RANDOM % 10))$((RANDOM % 10))" -u 8 || true
		kill -STOP "$pid" 2>/dev/null && stopped=$((stopped + 1))
		timeout 5 "$plain/srecord" job user=games account=lab state=CANCELLED end=now \
			>/dev/null || same "stop $n" "$(cat /proc/$pid/syscall)" 'a write'
		timeout 5 "$plain/sinfo" -h >/dev/null || same "stop $n" stopped 'a read'
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	((stopped > 10)) || same stopped "$stopped" "more than 10"
	exec 8>&-
}

@test "setgid: a slurmdbd.conf that the caller cannot read is no slurmdbd.conf left out" {
	chmod 600 "$fixed/slurmdbd.conf"
	refuses 'must be readable' as_user games "$bin/squeue"
}

# The password of a database may stand there. That there is a mistake is said, not its words; what
# `show configuration` lists is what Slurm's lists.
@test "setgid: no word of a slurmdbd.conf that the caller may not read" {
	local line command
	for line in StoragePass=secretword 'secretword hidden' 'secretword = "hidden' secretword=1 \
		PrivateData=secretword AllowOwnJobRecords=secretword 'Include secretword'; do
		conf "$line"
		chgrp mail "$fixed/slurmdbd.conf"
		chmod 640 "$fixed/slurmdbd.conf"
		for command in squeue 'sacctmgr -iQ add account mine' 'sacctmgr ping' \
			'sacctmgr check' 'srecord job user=news' 'sshare -a' \
			'sacctmgr show configuration' 'scontrol show config'; do
			[[ $command != *config* || $line == StoragePass* ]] || continue
			capture as_user games $bin/$command
			[[ $stdout$stderr != *secretword* && $stdout$stderr != *hidden* ]] ||
				same "$command, $line" "$stdout$stderr" 'no word of it'
		done
	done
}

@test "setgid: what the environment says of files is not heard" {
	local own=$fixed/home-games
	as_user games true
	sed 's/^SlurmUser=.*/SlurmUser=games/' "$fixed/slurm.conf" >"$own/slurm.conf"
	printf 'StorageType=accounting_storage/sqlite\nStorageLoc=%s\n' "$own/mine.db" \
		>"$own/slurmdbd.conf"
	environment=("SLURM_CONF=$own/slurm.conf" "BURSAR_STORE=$own/mine.db"
		"XDG_DATA_HOME=$own" "TMPDIR=$own/tmp" "SQLITE_TMPDIR=$own/tmp")
	refuses 'Only admins' as_user games "$bin/sacctmgr" -iQ add account mine
	prints $'lab\nroot' as_user games "$bin/sacctmgr" -nP show account format=account
	[[ ! -e $own/mine.db ]]
	as_user games "$plain/sacctmgr" -iQ add account mine
	same own "$(mode "$own/mine.db")" '640 games games'
}

@test "setgid: files that are written are the caller's" {
	as_user daemon "$bin/srecord" cluster tres=cpu=64 start=now-2days
	capture as_user games "$bin/sreport" --svg="$store" cluster utilization start=now-1day
	[[ $status == 1 && $stderr == *[Pp]ermission* ]] || same svg "$status $stderr" 1
	capture as_user daemon "$bin/sacctmgr" -Q dump canis "file=$fixed/bin/dump"
	[[ $status == 1 ]] || same dump "$status" 1
	prints $'lab\nroot' as_user games "$bin/sacctmgr" -nP show account format=account
	as_user daemon "$bin/sacctmgr" -Q dump canis file=dump.cfg
	same dump "$(mode "$fixed/home-daemon/dump.cfg")" '644 daemon daemon'
}

# An administrator, who has no more rights on files than others: what follows is about them alone.
news_may_all() {
	as_user daemon "$bin/sacctmgr" -iQ modify user news set adminlevel=administrator >/dev/null
}

# FILE stands for the file that the group of the programs may read and the caller may not, OWN.conf
# for one that includes it, SITE for a folder in which it is the slurmdbd.conf.
reading='ssim FILE
ssim --conf=FILE FILE
ssim --conf=OWN.conf
srecord import FILE
srecord import format=sacct FILE
srecord import format=squeue FILE
srecord import format=swf FILE
srecord import format=sacctmgr FILE
srecord sync from=mysql://u@127.0.0.1:1/db passfile=FILE
srecord sync from=mysql conf=SITE/slurm.conf
sacctmgr -i load FILE
sacctmgr -i load file=FILE
sacctmgr -i archive load FILE
sacctmgr -i archive load file=FILE
sacctmgr diff FILE
sacctmgr -i apply FILE
sacctmgr diff directory FILE
sacctmgr -i apply directory FILE
sacctmgr -i restore FILE'

@test "setgid: no word of a file the caller may not read" {
	local said command
	mkdir -m 755 "$fixed/site"
	printf 'secretword = "hidden|marker\n' >"$fixed/secret"
	cp "$fixed/secret" "$fixed/site/slurmdbd.conf"
	chgrp mail "$fixed/secret" "$fixed/site/slurmdbd.conf"
	chmod 640 "$fixed/secret" "$fixed/site/slurmdbd.conf"
	echo "Include $fixed/secret" >"$fixed/own.conf"
	news_may_all
	while read -r command; do
		command=${command//FILE/$fixed/secret}
		command=${command//OWN/$fixed/own}
		command=${command//SITE/$fixed/site}
		capture as_user news $bin/$command
		said=$stdout$stderr
		[[ $status == 1 && $said != *secretword* && $said != *hidden* ]] ||
			same "$command" "$status $said" 'not readable'
		[[ $said == *'Permission denied'* || $said == *'you may not read it'* ]] ||
			same "$command" "$said" 'what the system says of the file'
	done <<<"$reading"
	chmod 644 "$fixed/secret"
	capture as_user news "$bin/ssim" --conf="$fixed/secret" "$fixed/secret"
	[[ $stderr == *secretword* ]] || same 'a readable file' "$stderr" secretword
}

# NEW stands for a file in the folder of the store, where the group of the programs may write.
writing='sacctmgr -iQ dump canis file=NEW
sacctmgr -iQ dump canis format=yaml file=NEW
sacctmgr -iQ backup NEW
sacctmgr -iQ archive dump directory=STORE jobs purgejobafter=1hours
sreport --svg=NEW cluster utilization start=now-1day
sshare --svg=NEW -a
ssim --starts=NEW.csv
ssim --svg=curves:NEW.svg
ssim --svg=gantt:NEW.svg
spage NEW
srecord import --rejects=NEW jobs'

@test "setgid: nothing is written where only the group of the programs may" {
	local command before
	as_user daemon "$bin/srecord" cluster tres=cpu=64 start=now-2days
	as_user daemon "$bin/srecord" job user=games submit=now-1day start=now-1day end=now-9hours \
		timelimit=60
	as_user news true
	printf 'JobID|User|Submit|Start|End|State\n7|nobody-at-all|x|x|x|COMPLETED\n' \
		>"$fixed/home-news/jobs"
	news_may_all
	before=$(ls "$fixed/store")
	while read -r command; do
		command=${command//NEW/$fixed/store/new}
		command=${command//STORE/$fixed/store}
		capture as_user news $bin/$command
		((status)) || same "$command" "$status $stdout$stderr" 'not written'
		[[ $stdout$stderr == *[Pp]ermission* || $command == *archive* ]] ||
			same "$command" "$stdout$stderr" 'what the system says'
		same "the store's folder after $command" "$(ls "$fixed/store")" "$before"
	done <<<"$writing"
}

# What a library lets its environment load has the program's rights. The same without rights of its
# own, to show that it would be loaded.
@test "setgid: libmariadb loads nothing that the environment names" {
	grep -q libmariadb.so "$bin/srecord" || skip 'built without libmariadb'
	mkdir -m 755 "$fixed/plugins"
	printf '%s\n' '#include <unistd.h>' \
		'__attribute__((constructor)) static void in(void) { write(2, "LOADED", 6); }' |
		cc -x c -shared -fPIC -o "$fixed/plugins/own.so" - 2>/dev/null
	news_may_all
	environment=("MARIADB_PLUGIN_DIR=$fixed/plugins" LIBMYSQL_PLUGINS=own)
	capture as_user news "$bin/srecord" sync from=mysql://u@127.0.0.1:1/db
	[[ $status == 1 && $stderr != *LOADED* ]] || same setgid "$status $stderr" 'nothing loaded'
	chmod 660 "$store"
	capture as_user root "$plain/srecord" sync from=mysql://u@127.0.0.1:1/db
	[[ $stderr == *LOADED* ]] || same plain "$stderr" LOADED
}

@test "setgid: --what-if and --dry-run are for root, who may read all" {
	refuses 'rights of their own' as_user games "$bin/sshare" \
		--what-if='modify account lab set fairshare=5'
	refuses 'rights of their own' as_user games "$bin/srecord" --dry-run job user=games
	refuses 'rights of their own' as_user games "$bin/sacctmgr" --dry-run add account new
	as_user root "$bin/sshare" -aU --what-if='modify account lab set fairshare=5' \
		>"$BATS_TEST_TMPDIR/shares"
	grep -q games "$BATS_TEST_TMPDIR/shares"
	as_user root "$bin/srecord" --dry-run job user=games
	as_user root "$bin/sacctmgr" -i --dry-run add account new
	same accounts $'lab\nroot' \
		"$(as_user root "$bin/sacctmgr" -nP show account format=account)"
}

@test "plain permissions: a slurm.conf of one's own makes no SlurmUser" {
	local own=$fixed/home-games
	as_user games true
	chmod 777 "$fixed/store"
	chmod 666 "$store"*
	sed 's/^SlurmUser=.*/SlurmUser=games/' "$fixed/slurm.conf" >"$own/slurm.conf"
	cp "$fixed/slurmdbd.conf" "$own"
	chown games "$own"/*
	environment=("SLURM_CONF=$own/slurm.conf")
	refuses 'Only admins' as_user games "$plain/sacctmgr" -iQ add account mine
	chown daemon "$own/slurm.conf"
	as_user games "$plain/sacctmgr" -iQ add account mine
}

@test "plain permissions: who owns the store is its administrator; its mode" {
	rm "$fixed"/slurm*.conf
	as_user games "$plain/sacctmgr" -iQ add account mine
	same own "$(mode "$fixed/home-games/.local/share/bursar/acct.db")" '640 games games'
	prints 1 as_user games "$plain/srecord" job user=games
	install -d -o news -g mail "$fixed/shared"
	environment=("BURSAR_STORE=$fixed/shared/acct.db")
	as_user news "$plain/sacctmgr" -iQ add account mine
	same 'a foreign group' "$(mode "$fixed/shared/acct.db")" '600 news news'
	rm "$fixed/shared/acct.db"
	as_user root "$plain/sacctmgr" -iQ add account mine
	same root "$(mode "$fixed/shared/acct.db")" '640 root mail'
}

@test "make install SETGID=group, make uninstall" {
	local to=$fixed/inst
	make -C "$BATS_TEST_DIRNAME/../.." -s O="${BURSAR_BIN%/bin}" DESTDIR="$to" SETGID=mail \
		install >/dev/null
	same folder "$(mode "$to/var/lib/bursar")" '2770 root mail'
	same sacct "$(mode "$to/usr/local/bin/sacct")" '2755 root mail'
	same bursar "$(mode "$to/usr/local/bin/bursar")" '755 root root'
	: >"$to/var/lib/bursar/acct.db"
	make -C "$BATS_TEST_DIRNAME/../.." -s O="${BURSAR_BIN%/bin}" DESTDIR="$to" SETGID=mail \
		install >/dev/null
	same store "$(mode "$to/var/lib/bursar/acct.db")" '660 root mail'
	make -C "$BATS_TEST_DIRNAME/../.." -s DESTDIR="$to" uninstall >/dev/null
	same left "$(find "$to" -type f -o -type l)" "$to/var/lib/bursar/acct.db"
}
