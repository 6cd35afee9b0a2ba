#!/usr/bin/env bats
# Lines that portals, exporters and site scripts run of sshare, sprio and squeue, and what their
# parsers make of the answer. Those of squeue are what is seen most in public
# scripts.

load lib

setup() {
	fresh_cluster
	local_users ann bob
	sacctmgr -iQ >/dev/null <<-'END'
		add account lab fairshare=10
		add account sub parent=lab fairshare=3
		add user ann,bob account=lab
		add user ann account=sub
	END
	srecord job user=ann account=lab name=one cpus=2 mem=100 time=60 submit=now-99 \
		start=now-90 nodelist=vm >/dev/null
	srecord job user=bob account=lab name=two cpus=4 mem=100 time=30 hold=1 >/dev/null
	srecord job user=ann account=sub name=arr cpus=1 mem=100 time=30 array=1-3 \
		array_job=3 >/dev/null
}

# quiet COMMAND...: exits with 0 and says nothing on standard error.
quiet() {
	capture "$@"
	same "messages of $*" "$stderr" '' && same "status of $*" "$status" 0
}

# fields N SEPARATOR: every line of stdout has so many.
fields() {
	same fields "$(awk -F"$2" '{ print NF }' <<<"$stdout" | sort -u)" "$1"
}

# ---- sshare -------------------------------------------------------------------------------------

@test "31, 34-36 exporters: sshare -n -P" {
	quiet sshare -n -P -o account,fairshare
	same accounts "$(grep -v '^  ' <<<"$stdout" | cut -d'|' -f1 | tr -d ' ' | paste -sd,)" \
		root,root,lab
	quiet sshare -a -P -n -o Account,User,RawShares,NormShares,RawUsage,NormUsage,FairShare
	fields 7 '|'
	same ann "$(awk -F'|' '$2 == "ann" { print $1, $3, ($7 > 0) }' <<<"$stdout" | sort)" \
		$'   sub 1 1\n  lab 1 1'
	same root "$(head -1 <<<"$stdout" | cut -d'|' -f1,3,4,7)" 'root||0.000000|'
	quiet sshare -ahP --format=User,Account,RawShares,NormShares,RawUsage,NormUsage,Fairshare
	fields 7 '|'
	quiet sshare -hP -A lab --format=RawShares,NormShares,RawUsage,NormUsage,Fairshare
	same account "$(head -1 <<<"$stdout" | cut -d'|' -f1)" 10
}

@test "40, 54, 56, 62, 65 site scripts: sshare" {
	quiet as ann sshare -U --format Account%256 --noheader
	same accounts "$(awk '{ print $1 }' <<<"$stdout" | sort | paste -sd,)" lab,sub
	quiet sshare -U -u ann
	quiet sshare -lUm -u ann
	same rows "$(grep -c ann <<<"$stdout")" 2
	quiet sshare -hp -M canis -a -A lab,sub
	same columns "$(awk -F'|' 'NR > 1 { print NF }' <<<"$stdout" | sort -u)" 8
	same usage "$(awk -F'|' '$2 == "bob" { print $5 }' <<<"$stdout")" 0
	quiet sshare -A lab,sub -u ann \
		--format=Account,User,RawShares,NormShares,EffectvUsage,LevelFS,FairShare
	quiet sshare -l -A lab --noheader
	same shares "$(awk '$2 == 10 { print $1 }' <<<"$stdout")" lab
}

# ---- sprio --------------------------------------------------------------------------------------

@test "62, 64 sprio: the formats of public scripts" {
	quiet sprio '--format=%.10i %9r %.8u %.10Y %.10A %.10F %.10P %.10Q'
	same columns "$(awk 'NR == 2 { print NF }' <<<"$stdout")" 8
	quiet sprio -h -o '%i|%r|%Y'
	fields 3 '|'
	same first "$(cut -d'|' -f1,2 <<<"$stdout")" '3|debug'
	quiet sprio -h -o '%i|%r|%Y|%S|%A|%F|%J|%P'
	fields 8 '|'
	quiet sprio -h -o '%i|%Y|%A|%B|%P|%J|%n|%N|%o|%Q|%r|%T|%u'
	fields 13 '|'
	quiet sprio -h -o '%.18i|%.12Y|%.12A|%.12F|%.12J|%.12P|%.12Q|%.12T'
	fields 8 '|'
	quiet sprio -w -o '%.15i %.10Y %.10a %.10f %.10j %.10q %.6N %.8T %u'
	[[ $stdout == *Weights* ]]
	quiet sprio -o '%i;%u;%Y;%A;%F;%J;%P;%Q;%N'
	fields 9 ';'
	quiet sprio -o '%i|%Q|%a|%A|%F|%J|%P|%q|%n|%T'
	fields 10 '|'
	quiet sprio -o '%.15i %9r %.8u %.10Y %.10A %.10F %.10P' -S -y,p,u
}

# ---- squeue -------------------------------------------------------------------------------------

@test "squeue: is it still there, and how is it" {
	quiet squeue --noheader -j 1 -o %T
	same state "$stdout" RUNNING
	quiet squeue -h -j 1 -o '%T %B'
	same spawner "$stdout" 'RUNNING vm'
	quiet squeue --noheader --job 1,2 '--format=%i %t'
	same pairs "$(sort <<<"$stdout")" $'1 R\n2 PD'
	quiet squeue -h -o 'Slurm job %T (%M of %l)' --job 1
	[[ $stdout =~ ^'Slurm job RUNNING (1:'[0-9]{2}' of 1:00:00)'$ ]]
	quiet squeue --noheader --jobs=2 '--format=%T|%R'
	same held "$stdout" 'PENDING|(JobHeldUser)'
	quiet squeue -h -j 1,77 -o '%i %T %r'
	same known "$stdout" '1 RUNNING None'
	capture squeue -h -j 77
	same gone "$status $stderr" '1 slurm_load_jobs error: Invalid job id specified'
	quiet squeue -h -o %L -j 1
	[[ $stdout =~ ^58:[0-9]{2}$ ]]
	quiet squeue --noheader --format %i --name two
	same dependency "$stdout" 2
	quiet squeue --job 1 --noheader --format %Q
	(($(head -n 1 <<<"$stdout") > 0))
	quiet as ann squeue --me -h -o '%i %j %T %N'
	same mine "$(grep RUNNING <<<"$stdout")" '1 one RUNNING vm'
	quiet squeue --noheader -t all -u ann -o '%i %t'
	same workflow "$(sort <<<"$stdout")" $'1 R\n3_[1-3] PD'
}

@test "squeue: exporters count states, users, accounts" {
	quiet squeue -a -r -h -o %A,%T,%r --states=all
	same states "$(cut -d, -f2,3 <<<"$stdout" | sort | uniq -c | tr -s ' ')" \
		$' 1 PENDING,JobHeldUser\n 3 PENDING,Priority\n 1 RUNNING,None'
	quiet squeue -a -r -h -o '%A|%u|%T|%C'
	same cpus "$(awk -F'|' '{ n[$2 $3] += $4 } END { print n["annPENDING"], n["bobPENDING"] }' \
		<<<"$stdout")" '3 4'
	quiet squeue -a -r -h -o '%A|%a|%T|%C'
	fields 4 '|'
	quiet squeue -a -r -h -o%P --states=PENDING
	same partitions "$(sort <<<"$stdout" | uniq -c | tr -s ' ')" ' 4 debug'
	quiet squeue --states=all -h -r -o '{"a": "%a", "id": %A, "end_time": "%e", "u": "%u", '$(
		)'"state": "%T", "p": "%P", "cpu": %C, "mem": "%m"}'
	same objects 'ann RUNNING 2 100M' \
		"$(jq -r 'select(.id == 1) | "\(.u) \(.state) \(.cpu) \(.mem)"' <<<"$stdout")"
}

@test "squeue: portals and workflow systems split on marks of their own" {
	local format='' letter
	for letter in a A B c C d D e E f F g G h H i I j J k K l L m M n N o O q P Q r S t T u U \
		v V w W x X y Y z Z b; do
		format+=$'\x1f'"%$letter"
	done
	quiet squeue --all --states=all --noconvert -o $'\x1e'"${format#?}"
	same records "$(tr -dc $'\x1e' <<<"$stdout" | wc -c)" 4
	same columns "$(tr -d '\n' <<<"$stdout" | tr $'\x1e' '\n' | tail -n +2 |
		awk -F$'\x1f' '{ print NF }' | sort -u)" 49
	quiet squeue --noheader --user=ann \
		--format '%i^^^%t^^^%r^^^%B^^^%u^^^%D^^^%C^^^%N^^^%P^^^%l^^^%M^^^%S^^^%j^^^%V'
	same fields "$(sed 's/\^\^\^/\n/g' <<<"$stdout" | wc -l)" 28
	quiet squeue -h -O "jobid:400,arraytaskid:400,name:400,userid:400,partition:400,state:400,$(
		)nodelist:400,numnodes:400,numcpus:400,exit_code:400"
	same wide "$(awk '{ print length($0) }' <<<"$stdout" | sort -u)" 4000
	quiet squeue '--format=%.18i %.9P %.30j %.8u %.8T %.10M %.9l %.6D %R' --me
	quiet squeue --start -j 2
	same heading "$(head -1 <<<"$stdout" | tr -s ' ')" \
		' JOBID PARTITION NAME USER ST START_TIME NODES SCHEDNODES NODELIST(REASON)'
	quiet squeue --json
	same document "$(jq -r '.jobs[] | select(.job_id == 1) |
		"\(.user_name) \(.job_state[0]) \(.exit_code.return_code.number) \(.nodes)"' \
		<<<"$stdout")" 'ann RUNNING 0 vm'
}
