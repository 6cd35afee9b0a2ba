# Bad input to sacctmgr: a clear sentence that names the word, exit 1, nothing changed.

setup() {
	load lib
	fresh_cluster
	sacctmgr -iQ add account lab grpjobs=3 >/dev/null
	sacctmgr -iQ add account sub parent=lab >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -Q dump canis file=before.cfg
}

# fails WORDS COMMAND...: exit 1, the words on either stream, the store as before.
fails() {
	local words=$1
	shift
	capture "$@"
	same "exit status of $*" "$status" 1 || { printf '%s\n' "$stdout" "$stderr"; return 1; }
	[[ "$stdout$stderr" == *"$words"* ]] ||
		{ same "message of $*" "$stdout$stderr" "$words"; return 1; }
	sacctmgr -Q dump canis file=after.cfg
	diff -u before.cfg after.cfg
}

@test "numbers that are none, too large, or with something behind them" {
	fails 'Bad RawUsage value: 1e308' sacctmgr -i modify account lab set rawusage=1e308
	for value in abc 5x '' 99999999999 4294967294 1.5 0x10 ' 7'; do
		fails "Invalid value for GrpJobs ($(echo "$value" | sed 's/^ *//'))" \
			sacctmgr -i modify account lab set "grpjobs=$value" || [[ $value == ' 7' ]]
	done
}

@test "a value is needed" {
	fails 'Invalid value for FairShare ()' sacctmgr -i modify account lab set fairshare=
	fails 'Bad MaxWall time format: maxwall=' sacctmgr -i modify account lab set maxwall=
	fails 'grptres=' sacctmgr -i modify account lab set grptres=
	fails 'Server must have a name' sacctmgr -i add resource r server= count=1
}

@test "units and TRES nobody knows" {
	fails "Invalid unit type 'a'" sacctmgr -i modify account lab set grptres=cpu=4a
	fails 'no TRES known by type bogus' sacctmgr -i modify account lab set grptres=bogus=4
	fails 'no TRES id found for cpu' sacctmgr -i modify account lab set grptres=cpu
	fails '5000' sacctmgr -i modify account lab set grptres=5000=1
}

@test "unknown words, entities, verbs, operators" {
	fails 'Unknown option: bogus=3' sacctmgr -i modify account lab set bogus=3
	fails 'Unknown condition: bogus=3' sacctmgr -i modify account where bogus=3 set grpjobs=1
	fails "Invalid operator '+=' in grpjobs+=3" sacctmgr -i modify account lab set grpjobs+=3
	fails "Invalid operator '-=' in account-=x" sacctmgr show assoc account-=x
	fails 'invalid keyword: frobnicate' sacctmgr frobnicate
	fails 'No valid entity in add command' sacctmgr -i add thing x
	fails "Unknown field 'bogus'" sacctmgr show assoc format=bogus
	fails 'Unknown AdminLevel' sacctmgr -i modify user ann set adminlevel=king
}

@test "names: control characters, invalid UTF-8, 10,000 bytes, empty" {
	fails 'without control characters' sacctmgr -i add account $'a\tb'
	fails 'without control characters' sacctmgr -i add account $'a\nb'
	fails 'must be UTF-8' sacctmgr -i add account $'a\xff\xfeb'
	fails 'must be UTF-8' sacctmgr -i add user $'\xc0\x80' account=lab
	fails 'too long' sacctmgr -i add account "$(printf 'a%.0s' {1..10000})"
	fails 'Something was wrong with your query' sacctmgr -i add account ''
}

@test "names: C1 controls, surrogates, overlong UTF-8, a new name" {
	fails 'without control characters' sacctmgr -i add account $'a\xc2\x9bb'
	fails 'must be UTF-8' sacctmgr -i add account $'a\xed\xa0\x80b'
	fails 'must be UTF-8' sacctmgr -i add account $'a\xe0\x80\x80b'
	fails 'must be UTF-8' sacctmgr -i modify user ann set newname=$'a\xffb'
	fails 'too long' sacctmgr -i modify user ann set newname="$(printf 'a%.0s' {1..10000})"
	fails 'NewName must be one name: ""' sacctmgr -i modify user ann set newname=
	fails 'NewName must be one name: "a,b"' sacctmgr -i modify user ann set newname=a,b
}

@test "texts: control characters, invalid UTF-8" {
	fails 'Description must be UTF-8' sacctmgr -i modify account lab set description=$'a\nb'
	fails 'Organization must be UTF-8' sacctmgr -i add account new organization=$'a\xffb'
	fails 'Comment must be UTF-8' sacctmgr -i modify user ann set comment=$'a\e[31mb'
	fails 'Server must be UTF-8' sacctmgr -i add resource r count=1 type=license \
		server=$'a\tb'
}

@test "a cluster name in slurm.conf that is none" {
	sed -i $'s/^ClusterName=.*/ClusterName=a\xffb/' "$SLURM_CONF"
	refuses 'slurm.conf:' sacctmgr show cluster
	refuses 'for ClusterName' sacctmgr show cluster
	sed -i "s/^ClusterName=.*/ClusterName=$(printf 'a%.0s' {1..10000})/" "$SLURM_CONF"
	refuses 'slurm.conf:' sacctmgr show cluster
}

@test "nothing is changed when the report of the change is lost" {
	fails 'standard output: No space left on device' \
		bash -c 'sacctmgr -i add account new >/dev/full'
	fails 'standard output: Bad file descriptor' bash -c 'sacctmgr -i add account new >&-'
	fails 'standard output: Bad file descriptor' bash -c 'sacctmgr add account new >&-'
}

@test "what is printed on a closed stream does not go into a file" {
	bash -c 'sacctmgr dump canis file=closed.cfg >&- 2>&-' || true
	diff before.cfg closed.cfg
}

@test "words with operators, more than once" {
	sacctmgr -iQ add qos q1 >/dev/null
	sacctmgr -iQ add cluster c2,c3 >/dev/null
	sacctmgr -iQ modify qos q1 set flags+=nodecay flags+=denyonlimit >/dev/null
	prints 'DenyOnLimit,NoDecay' sacctmgr -nP show qos q1 format=flags
	sacctmgr -iQ modify qos q1 set flags=nodecay,noreserve,denyonlimit flags-=nodecay >/dev/null
	prints 'DenyOnLimit,NoReserve' sacctmgr -nP show qos q1 format=flags
	sacctmgr -Q dump canis file=before.cfg
	fails "You can't add to and take from Flags" \
		sacctmgr -i modify qos q1 set flags+=nodecay flags-=noreserve
	sacctmgr -iQ modify cluster canis set features+=a features+=b,a >/dev/null
	prints 'a,b' sacctmgr -nP show cluster canis withfed format=features
	sacctmgr -iQ modify cluster canis set features-=a features-=b >/dev/null
	prints '' sacctmgr -nP show cluster canis withfed format=features
	sacctmgr -iQ add federation pack >/dev/null
	sacctmgr -iQ modify federation pack set clusters+=c2 clusters+=c3 >/dev/null
	prints $'c2\nc3|' sacctmgr -nP show federation pack format=cluster
}

@test "RawUsage is set alone, wckeys have names" {
	fails "RawUsage can't be set together" \
		sacctmgr -i modify account lab set rawusage=1 grpjobs=4
	fails "RawUsage can't be set together" \
		sacctmgr -i modify qos normal set rawusage=0 priority=4
	fails 'A wckey needs a name' sacctmgr -i add user bob account=lab wckeys=,
}

@test "several changes in one command: all or none" {
	sacctmgr -iQ add qos fast,slow >/dev/null
	sacctmgr -Q dump canis file=before.cfg
	fails "associated with new default account 'nope'" \
		sacctmgr -i modify user ann set maxjobs=3 defaultaccount=nope
	fails 'access to their default qos' \
		sacctmgr -i modify user ann set adminlevel=operator qos=fast defaultqos=slow
	fails 'Changes Discarded' \
		sacctmgr -i modify account lab set description=x qos=fast defaultqos=slow
	fails "problem with your 'where' options" \
		sacctmgr -i modify account where cluster=canis set description=x grpjobs=3
	fails "problem with your 'where' options" \
		sacctmgr -i modify user where adminlevel=none set adminlevel=operator maxjobs=3
	fails "Unknown AdminLevel 'king'" \
		sacctmgr -i add user bob account=lab adminlevel=king
	fails 'No parent account' sacctmgr -i add account new1,new2 parent=nope
	fails 'has not been added yet' sacctmgr -i add account new1 cluster=canis,nope
	# Nothing to change in one of them is no failure of the other.
	capture sacctmgr -i modify account sub set description=x parent=lab
	same status "$status" 1
	prints x sacctmgr -nP show account sub format=description
}

@test "an account below itself" {
	capture sacctmgr -i modify account lab set parent=sub
	[[ $stdout == *'Please re-parent sub before using it as a parent.'* ]]
	sacctmgr -Q dump canis file=after.cfg
	diff -u before.cfg after.cfg
}

@test "coordinators of nothing" {
	fails "non-existent account 'nosuch'" sacctmgr -i add coordinator account=nosuch names=ann
	fails "non-existent user 'ghost'" sacctmgr -i add coordinator account=lab names=ghost
	fails 'need to specify an account list' sacctmgr -i add coordinator names=ann
	fails 'need to specify a user list' sacctmgr -i add coordinator account=lab
}

@test "a bad line in a file changes nothing, and is named" {
	{
		cat before.cfg
		echo "Parent - 'lab'"
		for i in {1..200}; do echo "User - 'u$i':Fairshare=1"; done
		echo "User - 'bad':Fairshare=many"
		for i in {201..300}; do echo "User - 'u$i':Fairshare=1"; done
	} >bad.cfg
	fails "Problem with line($(grep -n "'bad'" bad.cfg | cut -d: -f1))" sacctmgr -i load bad.cfg
	sed -i 's/Fairshare=many/AdminLevel=king/' bad.cfg
	fails "Unknown AdminLevel 'king'" sacctmgr -i load bad.cfg
}

@test "names in a file: as on the command line" {
	local name
	for name in $'a\xff' $'a\001b' "$(printf '%10000s' '' | tr ' ' x)"; do
		{
			cat before.cfg
			printf '%s\n' "Account - '$name'"
		} >bad.cfg
		fails 'a name ' sacctmgr -i load bad.cfg
	done
}

@test "a cycle in a file" {
	cat >cycle.cfg <<-END
		Cluster - 'canis'
		Parent - 'sub'
		Account - 'lab'
	END
	fails 'below' sacctmgr -i load cycle.cfg
}

@test "files that are none" {
	fails 'Unable to read "nosuch.cfg"' sacctmgr -i load nosuch.cfg
	fails 'Unable to read "/dev/zero"' sacctmgr -i load /dev/zero
	head -c 4096 /dev/urandom >random.cfg
	capture sacctmgr -i load random.cfg
	sacctmgr -Q dump canis file=after.cfg
	diff -u before.cfg after.cfg
	: >empty.cfg
	capture sacctmgr -i load empty.cfg
	same 'exit status of an empty file' "$status" 0
}

@test "an underscore and a percent sign are just letters" {
	sacctmgr -iQ add account za_x >/dev/null
	sacctmgr -iQ add account za1x >/dev/null
	sacctmgr -iQ delete account za_x >/dev/null
	prints 'za1x' sacctmgr -nP show account za1x format=account
	prints '' sacctmgr -nP show assoc where account=za%x format=account
}

@test "slurm.conf: a mistyped keyword is named once a command" {
	cat >>"$SLURM_CONF" <<-'END'
	PriorityWeigthAge=1000
	TaskPlugin=task/none
	SchedulerTimSlice=5
	PartitionName=odd Nodes=vm MaxTme=5 Priorty=3 JobDefaults=DefMemPerGPU=1
	END
	for program in 'sshare -n' sinfo 'sprio -w' squeue 'sacct -n' 'sreport user top' \
		'scontrol show partition' 'scontrol show config' splan 'sacctmgr show qos' \
		'srecord cluster'; do
		capture $program
		same "messages of $program" "$(sed 's/.*slurm.conf:[0-9]*: //' <<<"$stderr")" \
"PriorityWeigthAge is not known; did you mean PriorityWeightAge?
SchedulerTimSlice is not known; did you mean SchedulerTimeSlice?
MaxTme is not known; did you mean MaxTime?
Priorty is not known; did you mean Priority?"
		same status "$status" 0
	done
	# What Slurm has and is of no use here is no mistake, nor is what is far from all it has.
	sed -i '/Weigth/d; /TimSlice/d; /odd/d' "$SLURM_CONF"
	echo 'SiteLocalThing=1' >>"$SLURM_CONF"
	capture sinfo
	same messages "$stderr" ''
}

@test "slurm.conf: numbers of partitions are read as Slurm reads them" {
	local n=0
	while read -r words minutes share; do
		n=$((n + 1))
		echo "PartitionName=p$n Nodes=vm $words" >>"$SLURM_CONF"
		capture scontrol -o show partition "p$n"
		[[ $stdout == *" OverTimeLimit=$minutes "* &&
			$stdout == *" OverSubscribe=$share "* ]] ||
			same "partition with $words" "$stdout" "$minutes $share"
	done <<-'END'
	OverTimeLimit=NONE 0 NO
	OverTimeLimit=5x 5 NO
	OverTimeLimit=-3 NONE NO
	OverTimeLimit=99999 UNLIMITED NO
	OverSubscribe=YES:x NONE NO
	OverSubscribe=YES:4x NONE YES:4
	OverSubscribe=FORCE:x NONE NO
	END
}
