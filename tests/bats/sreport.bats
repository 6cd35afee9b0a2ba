#!/usr/bin/env bats
# sreport: what the recordings (reports.t, sacct-more.t) do not show.

bats_require_minimum_version 1.5.0
load lib

setup() {
	fresh_cluster
	local_users amy bob cat
	sacctmgr -iQ add qos high >/dev/null
	sacctmgr -iQ add account phys,chem >/dev/null
	sacctmgr -iQ add account sub parent=phys >/dev/null
	sacctmgr -iQ add user amy,bob account=phys qos=normal,high >/dev/null
	sacctmgr -iQ add user amy account=sub >/dev/null
	sacctmgr -iQ add user cat account=chem >/dev/null
	srecord cluster tres=cpu=10,mem=1000,node=2,billing=10 start=2026-10-01
	srecord job id=1 user=amy account=phys cpus=2 mem=100 submit=2026-10-01T00:00:00 \
		start=2026-10-01T01:00:00 end=2026-10-01T03:00:00 state=COMPLETED wckey=wine
	srecord job id=2 user=amy account=sub cpus=4 mem=100 submit=2026-10-01T02:00:00 \
		start=2026-10-01T02:00:00 end=2026-10-01T02:30:00 state=COMPLETED
	srecord job id=3 user=bob account=phys qos=high cpus=1 mem=100 submit=2026-10-01T04:00:00 \
		start=2026-10-01T04:00:00 end=2026-10-01T08:00:00 state=COMPLETED wckey=beer
}

# Without its title, cells apart.
rows() {
	sreport -nP "$@" Start=2026-10-01 End=2026-10-02
}

@test "who used what, in every unit" {
	prints 'canis|amy||phys|14400|0
canis|bob||phys|14400|0
canis|amy||sub|7200|0' rows -t seconds user top
	prints 'canis|amy||phys|240|0
canis|bob||phys|240|0
canis|amy||sub|120|0' rows user top
	prints 'canis|amy||phys|4(1.67%)|0(0.00%)
canis|bob||phys|4(1.67%)|0(0.00%)
canis|amy||sub|2(0.83%)|0(0.00%)' rows -t hourper user top
	prints 'canis|amy||phys, sub|360|0
canis|bob||phys|240|0' rows user top group
}

@test "conditions: users, accounts, bare words, abbreviations" {
	prints 'canis|phys|amy||14400|0
canis|sub|amy||7200|0' rows -t s cluster AccountUtilizationByU amy
	prints 'canis|sub|||7200|0
canis|sub|amy||7200|0' rows -t s cluster accountutilizationbyuser acc=sub
	prints 'canis|bob||phys|14400|0' rows -t s cluster UA u=bob
	prints 'canis|root|high|14400|0
canis|phys|high|14400|0' rows -t s cluster AQ qos=high
	prints 'canis|amy||phys|14400|0' rows -t s user t topcount=1
	prints 'canis|amy||phys|14400|0
canis|amy||sub|7200|0
canis|bob||phys|14400|0' rows -t s -s name user t to=-1
}

@test "conditions: empty lists, names nobody has" {
	prints 'canis|root|||36000
canis|phys|||36000
canis|sub|||7200' rows -t s cluster AccountUtilizationByU users= format=cl,ac,l,pr,used
	prints '' rows user top users=
	prints '' rows user top accounts=
	prints '' rows cluster Utilization clusters=
	prints 'canis|amy||phys|240|0' rows user top topcount=0
	refuses 'Invalid value for Grouping (bogus)' rows job sizes grouping=2,bogus
	refuses 'Invalid value for Grouping (4x)' rows job sizes grouping=4x
	refuses "You gave a bad qos 'nosuch'. Valid QOS's are normal" rows cluster AQ qos=nosuch
	refuses 'error: Invalid user id: nosuch' rows job sizes users=nosuch
	prints 'canis|root|2|0|2|100.00%' rows job sizes print users=amy,99999 grouping=9
	capture rows user top format= users=amy
	same status "$status" 1
	same message "$stderr" " Unknown field ''"
}

@test "columns that a report has nothing for are blank" {
	prints 'amy|||||0|120||0' rows cluster AccountUtilizationByU \
		format=login,count,alloc,idle,wckey,qosid,used,reported,energy \
		users=amy accounts=sub
	prints 'amy||||240|0' rows cluster UA users=amy accounts=phys \
		format=login,count,qos,qosid,used,energy
	prints '||10|600||0' rows cluster Utilization format=login,qosid,count,alloc,used,energy
	prints $'wine|0||240\nwine|0||240' rows cluster WCKeyUtilizationByUser wckeys=wine \
		user=nobody,amy format=wckey,qosid,energy,used
	same null "$(sreport --json cluster UA Start=2026-10-01 End=2026-10-02 format=idle,used |
		jq -c '.rows[0]')" '{"idle":null,"used":14400,"used_percent":1.6667}'
	prints 'wine||amy' bash -c "sreport -nP cluster UW Start=2026-10-01 End=2026-10-02 \
		format=login,wckey,qos,login user=amy"
}

@test "wckeys" {
	prints 'canis|beer|||240
canis|beer|bob||240
canis|wine|||240
canis|wine|amy||240' rows cluster wckeyutilizationbyuser
	prints 'canis|amy||wine|240
canis|bob||beer|240' rows cluster UW
	prints 'canis|bob||beer|240' rows cluster UW beer
	prints 'canis|beer|4|0|0|4|50.00%
canis|wine|0|4|0|4|50.00%' rows -t hours job sizesbyw grouping=2,8
}

@test "job sizes" {
	prints 'canis|root|4|6|0|10|100.00%' rows -t h job s grouping=2,8
	prints 'canis|root|4|4|2|10|100.00%' rows -t h job s grouping=individual
	prints 'canis|phys|4|6|0|10|100.00%' rows -t h job s acctasparent grouping=2,8
	prints 'canis|sub|0|2|0|2|100.00%' rows -t h job s acctasparent acc=phys grouping=2,8
	prints 'canis|phys|1|1|0|2|66.67%
canis|sub|0|1|0|1|33.33%' rows job s flat print grouping=2,8
	prints 'canis|root:beer|4|0|4|50.00%
canis|root:wine|0|4|4|50.00%' rows -t h job sizesbyaccounta grouping=2
	prints 'canis|phys:beer|4|0|4|40.00%
canis|phys:wine|0|4|4|40.00%
canis|sub:|0|2|2|20.00%' rows -t h job sizesbyaccounta flat grouping=2
	prints 'canis|root|0|2|0|2|100.00%' rows -t h job s users=amy acc=root grouping=2,8 \
		jobs=2,
	refuses 'only supports a single --tres' rows -T cpu,mem job sizes
}

@test "the headings of job sizes say what is counted" {
	run -0 sreport -P -T mem job sizes Start=2026-10-01 End=2026-10-02 grouping=3%9
	[[ ${lines[2]} == 'TRES type is mem' && ${lines[3]} == 'Time reported in Minutes' ]]
	[[ ${lines[5]} == 'Cluster|Account|0-2 TRES|>= 3 TRES|Total Count|% of cluster' ]]
}

@test "the window: whole hours, past the present nothing, an hour at least" {
	run -0 sreport cluster utilization Start=2026-10-01T01:59:59 End=2026-10-01T02:00:01
	[[ ${lines[1]} == *'2026-10-01T01:00:00 - 2026-10-01T02:59:59' ]]
	run -0 sreport cluster utilization Start=2026-10-01T01:59:59 End=2026-10-01T00:00
	[[ ${lines[1]} == *'2026-10-01T01:00:00 - 2026-10-01T01:59:59' ]]
	run -0 sreport user top Start=2026-10-01 End=2026-10-02
	[[ ${lines[1]} == *'(86400 secs)' ]]
	refuses 'Invalid time specification (pos=0): never' sreport -n user top start=never
}

@test "late and corrected records count at once" {
	prints 'canis|600|0|0|13680|120|14400' rows cluster utilization
	srecord job id=3 submit=2026-10-01T04:00:00 end=2026-10-01T05:00:00
	prints 'canis|420|0|0|13860|120|14400' rows cluster utilization
	srecord job id=4 user=cat cpus=10 submit=2026-10-01T10:00:00 start=2026-10-01T10:00:00 \
		end=2026-10-01T20:00:00 state=COMPLETED
	prints 'canis|6420|0|0|7860|120|14400' rows cluster utilization
	srecord node node=n1 state=down tres=cpu=5 start=2026-10-01T21:00:00 end=2026-10-01T22:00:00
	prints 'canis|6420|300|0|7560|120|14400' rows cluster utilization
	prints 'canis|cat||chem|6000|0' rows user top users=cat
}

@test "who may not write the store sees the same" {
	chmod -R a+rX "$BATS_TEST_TMPDIR" "$(dirname "$(store)")"
	rows cluster utilization >rolled
	srecord job id=4 user=cat cpus=10 submit=2026-10-01T10:00:00 start=2026-10-01T10:00:00 \
		end=2026-10-01T20:00:00 state=COMPLETED
	cp "$(store)" copy.db
	chmod a=r copy.db
	BURSAR_STORE=copy.db run -0 rows cluster utilization
	[[ $output != "$(<rolled)" && $output == "$(rows cluster utilization)" ]]
}

@test "rows of days and months are kept" {
	rows cluster utilization
	[[ $(ask 'SELECT count(*) FROM rollup WHERE span = 1') == 3 ]]
	[[ $(ask 'SELECT count(*) FROM rollup_dirty') == 0 ]]
	prints 'canis|root|||600|0
canis|phys|||600|0
canis|phys|amy||240|0
canis|phys|bob||240|0
canis|sub|||120|0
canis|sub|amy||120|0' sreport -nP cluster accountutilizationbyuser \
		start=2026-10-01 end=2026-11-01
}

# All that is kept of roll-ups.
kept() {
	ask 'SELECT * FROM rollup; SELECT * FROM rollup_cluster; SELECT * FROM rollup_state;
		SELECT * FROM rollup_dirty'
}

# at HOURS COMMAND...: that long after the test began.
at() {
	BURSAR_STORE=$(store) BURSAR_NOW=$((began + $1 * 3600)) "${@:2}"
}

# ended ID HOURS: a job that has just ended.
ended() {
	at "$2" srecord job id="$1" user=amy account=phys cpus=2 state=COMPLETED \
		start=uts$((began + $2 * 3600 - 1800)) end=uts$((began + $2 * 3600 - 60))
}

@test "who records a job's end rolls up the hours that are over: readers write nothing" {
	local hour jobs='' began done='SELECT (max(done) - 0) / 3600 FROM rollup_state'
	began=$(($(date +%s) / 3600 * 3600 + 600))
	sreport cluster utilization start=2026-10-01 end=now >/dev/null
	for hour in 2 3 4 50; do
		ended 10$hour $hour
		same "rolled up after $hour hours" "$(ask "$done")" $((began / 3600 + hour - 1))
	done
	jobs=$(printf 'job id=%d user=bob cpus=1 start=now-50minutes end=now\n' 201 202)
	at 60 srecord - <<<"$jobs" >/dev/null
	same 'after lines' "$(ask "$done")" $((began / 3600 + 59))
	kept >before
	at 60 sreport cluster utilization start=2026-10-01 end=now >said
	at 60 sreport user top start=2026-10-01 end=now >>said
	at 60 sshare --history -u amy --start=now-1day >/dev/null
	same 'what readers wrote' "$(kept)" "$(<before)"
	[[ $(at 60 sacctmgr check) != *'rebuild rollups'* ]]
}

@test "a correction counts at once, and is rolled up by who records in the next hour" {
	local began
	began=$(($(date +%s) / 3600 * 3600 + 600))
	sreport cluster utilization start=2026-10-01 end=now >/dev/null
	ended 100 2
	at 2 srecord job id=3 submit=2026-10-01T04:00:00 end=2026-10-01T05:00:00
	[[ $(ask 'SELECT count(*) FROM rollup_dirty') == 1 ]]
	prints 'canis|420|0|0|13860|120|14400' at 2 rows cluster utilization
	at 2 srecord job id=3 submit=2026-10-01T04:00:00 end=2026-10-01T06:00:00
	ended 101 3
	[[ $(ask 'SELECT count(*) FROM rollup_dirty') == 0 ]]
	kept >before
	prints 'canis|480|0|0|13800|120|14400' at 3 rows cluster utilization
	same 'what readers wrote' "$(kept)" "$(<before)"
}

@test "roll-ups that fail do not undo what was recorded" {
	local began
	began=$(($(date +%s) / 3600 * 3600 + 600))
	ask 'ALTER TABLE rollup_cluster RENAME TO gone'
	capture ended 100 2
	same status "$status" 0
	[[ $stderr == *warning:*'recorded is in the store'* ]]
	[[ $(ask 'SELECT count(*) FROM job WHERE id = 100') == 1 ]]
}

@test "a reservation: what its jobs used, what nobody did" {
	srecord reservation name=class start=2026-10-02 end=2026-10-02T10:00 tres=cpu=4 \
		flags=DAILY accounts=phys
	srecord job id=9 user=cat cpus=2 reservation=class submit=2026-10-02T01:00:00 \
		start=2026-10-02T01:00:00 end=2026-10-02T02:00:00 state=COMPLETED
	prints 'canis|class|2026-10-02T00:00:00|2026-10-02T10:00:00|cpu|2(5.00%)|38(95.00%)' \
		sreport -nP -t hourper resv util start=2026-10-02 end=2026-10-03
	prints 'canis|40|0|0|200|0|240' \
		sreport -nP -t h cluster util start=2026-10-02 end=2026-10-03
	prints '' sreport -nP resv util other start=2026-10-02 end=2026-10-03
	# one hour less is so in what was rolled up, too
	srecord reservation name=class end=2026-10-02T09:00
	prints 'canis|class|2026-10-02T00:00:00|2026-10-02T09:00:00|cpu|2|34' \
		sreport -nP -t hour resv util start=2026-10-02 end=2026-10-03
	prints 'canis|36|0|0|204|0|240' \
		sreport -nP -t h cluster util start=2026-10-02 end=2026-10-03
	prints 'class|1' sacct -nPX -j 9 -o reservation,reservationid
	xmllint --noout <(sreport --svg=- resv util start=2026-10-02 end=2026-10-03)
	# The job in one that is open is not counted beside it.
	ask 'UPDATE reservation SET end = 0'
	prints 'canis|96|0|0|144|0|240' \
		sreport -nP -t h cluster util start=2026-10-02 end=2026-10-03
}

@test "what nobody ran of a reservation is of the default QOS of who may use it" {
	sacctmgr -iQ modify user bob where account=phys set defaultqos=high >/dev/null
	bob=$(sacctmgr -nP show assoc where user=bob format=id)
	cat=$(sacctmgr -nP show assoc where user=cat format=id)
	srecord reservation name=class start=2026-10-02 end=2026-10-02T10:00 tres=cpu=4 \
		associations="$bob,$cat"
	prints 'canis|chem|normal|20
canis|phys|high|20
canis|root|high|20
canis|root|normal|20' eval 'sreport -nP -t hours cluster AQ start=2026-10-02 end=2026-10-03 \
		format=cluster,account,qos,used | sort'
}

@test "full names, also of many rows" {
	local dir=$BATS_TEST_TMPDIR
	sed -i '/^amy:/s/::/:Amy Adams,,:/' "$dir/etc/passwd"
	for ((i = 1; i <= 70; i++)); do
		echo "u$i:x:$((2000 + i)):1001:User $i:/:/bin/sh" >>"$dir/etc/passwd"
		users+=,u$i
	done
	sacctmgr -iQ add user "${users#,}" account=chem >/dev/null
	for ((i = 1; i <= 70; i++)); do
		echo "$i|u$i|chem|COMPLETED|2026-10-01|2026-10-01|2026-10-02|1"
	done | sed '1iJobIDRaw|User|Account|State|Submit|Start|End|AllocCPUS' |
		srecord import - 2>/dev/null
	same 'rows without a full name' "$(rows cluster accountutilizationbyuser \
		format=login,proper | grep -c '^u[0-9]*|User [0-9]*$')" 70
}

@test "documents: seconds, and shares of the whole" {
	run -0 rows --json user top users=bob
	[[ $(jq -c '.rows[0] | [.user, .used, .energy]' <<<"$output") == '["bob",14400,0]' ]]
	[[ $(jq -r '.report.name, .meta.slurm.cluster' <<<"$output") == $'TopUsage\ncanis' ]]
	[[ $(rows --ndjson cluster utilization -t percent |
		jq -c '[.allocated, .reported]') == '[36000,864000]' ]]
	[[ $(rows --yaml user top users=bob) == *'used: '*14400* ]]
	prints 'cluster,user,proper_name,account,used,energy
canis,amy,,"phys, sub",360,0' sreport --csv user top group users=amy Start=2026-10-01 End=2026-10-02
	[[ $(rows --json job s grouping=2 | jq -c '.rows[0].groups[1]') == \
		'{"name":">= 2 CPUs","seconds":21600}' ]]
}

# boxes FILE CLASS: how many there are
boxes() {
	grep -c "^<rect.*class=\"[^\"]*$2\"" "$1"
}

@test "UserUtilizationByAccount where an association has a partition" {
	sacctmgr -iQ add user amy account=phys partition=gpu >/dev/null
	srecord job id=9 user=amy account=phys partition=gpu cpus=1 submit=2026-10-01T09:00 \
		start=2026-10-01T09:00 end=2026-10-01T10:00 state=COMPLETED
	[[ $(sreport user top Start=2026-10-01 End=2026-10-02) == *' gpu '* ]]
	local columns=cluster,login,proper,accounts,used,energy
	prints "$(rows cluster UserUtilizationByAccount format=$columns)" \
		rows cluster UserUtilizationByAccount
	prints '' rows cluster UserUtilizationByAccount --svg=people.svg
	grep -q 'amy / phys' people.svg
	refuses "Unknown field 'colour'" rows cluster UserUtilizationByAccount format=login,colour \
		--svg=none.svg
	[ ! -e none.svg ]
}

@test "billing: a node counts with the most it costs in one of its partitions" {
	srecord cluster start=2026-10-03
	srecord node node=vm state=down start=2026-10-03T06:00 end=2026-10-03T18:00
	# In partition gpu 64 CPUs, 250 GB at a quarter, 4 GPUs at 2: 134.5, whole numbers count.
	prints "$((134 * 43200))|$((134 * 86400))" sreport -nP -t seconds -T billing \
		cluster utilization format=down,reported start=2026-10-03 end=2026-10-04
	prints "$((64 * 86400))" sreport -nP -t seconds -T cpu \
		cluster utilization format=reported start=2026-10-03 end=2026-10-04
	srecord reservation name=all nodes=vm user=amy start=2026-10-03 end=2026-10-04
	[[ $(sreport -nP -T billing reservation utilization format=count \
		start=2026-10-03 end=2026-10-04) == 134 ]]
	sed -i 's/CPU=1.0,Mem/CPU=x,Mem/' "$SLURM_CONF"
	refuses 'partition gpu' srecord cluster start=2026-10-05
}

@test "pictures: bars, longest first" {
	prints '' rows --svg=top.svg user top
	same bars "$(boxes top.svg part0)" 3
	grep -q 'bob / phys' top.svg
	rows --svg=sizes.svg job s flat grouping=2,4
	grep -q '>2-3 CPUs<' sizes.svg
	rows --svg=qos.svg cluster AQ
	same 'longest first' "$(sed -n 's/.*class="number">\(.*\)<.*/\1/p' qos.svg | tr '\n' ' ')" \
		'phys sub '
	xmllint --noout top.svg sizes.svg qos.svg
	for form in --json --yaml --ndjson --openmetrics; do
		capture rows --svg=- $form user top
		[[ $status == 1 && $stderr == *'neither a document'* && $stdout != *'<svg'* ]]
	done
	refuses 'No such file' rows --svg=no/such.svg user top
	rows --svg=/dev/full user top 2>err && return 1
	grep -q 'No space' err
}

@test "pictures: the tree of accounts as bars, without its root" {
	rows --svg=tree.svg cluster accountutilizationbyuser
	xmllint --noout tree.svg
	same bars "$(sed -n 's/.*<title>\(.*\)<.title>.*/\1/p' tree.svg)" 'phys: 600
amy / phys: 240
bob / phys: 240
sub: 120
amy / sub: 120'
	rows --svg=tree.svg cluster wckeyutilizationbyuser
	grep -q '<title>amy / wine: 240<' tree.svg
	rows --svg=none.svg cluster accountutilizationbyuser accounts=chem
	xmllint --noout none.svg
}

@test "pictures: long numbers are hours, an empty one says so" {
	local i
	for i in {1..12}; do
		sacctmgr -iQ add user small$i account=sub >/dev/null
		srecord job id=$((900 + i)) user=small$i account=sub cpus=20 \
			submit=2026-09-01T00:00:00 start=2026-09-01T00:00:00 \
			end=2026-09-01T00:10:00 state=COMPLETED
	done
	srecord job id=920 user=small1 account=sub cpus=100 submit=2026-09-01T00:00:00 \
		start=2026-09-01T00:00:00 end=2026-09-02T00:00:00 state=COMPLETED
	sreport --svg=many.svg cluster AccountUtilizationByUser start=2026-09-01 end=2026-10-01
	xmllint --noout many.svg
	grep -q 'cpu hours<' many.svg
	grep -q '<title>sub: 2.44k<' many.svg
	sreport --svg=few.svg user top topcount=20 start=2026-09-01 end=2026-10-01
	grep -q '<title>small1 / sub: 2.4k<' few.svg
	# A long label has the room that it needs.
	local long=geophysics-and-planetary-science
	sacctmgr -iQ add account $long >/dev/null
	sacctmgr -iQ add user amy account=$long >/dev/null
	srecord job id=930 user=amy account=$long submit=2026-09-02T00:00:00 \
		start=2026-09-02T00:00:00 end=2026-09-02T01:00:00 state=COMPLETED
	sreport --svg=few.svg user top topcount=20 start=2026-09-01 end=2026-10-01
	grep -q " class=\"number\">amy / $long<" few.svg
	for i in 'cluster AccountUtilizationByUser' 'user top'; do
		sreport --svg=none.svg $i start=2020-01-01 end=2020-02-01
		xmllint --noout none.svg
		grep -q '>nothing<' none.svg
	done
	sreport --svg=none.svg cluster utilization start=2020-01-01 end=2020-02-01
	xmllint --noout none.svg
	grep -q '>no capacity known<' none.svg
}

@test "pictures: utilization, a column an hour, a day, a month; a panel a TRES" {
	rows --svg=- cluster utilization >day.svg
	xmllint --noout day.svg
	grep -q 'an hour a column' day.svg
	same hours "$(boxes day.svg neutral)" 25 # and the legend
	same shares "$(sed -n 's/.*="number">\(.*%\)<.*/\1/p' day.svg | tail -5 | tr '\n' ' ')" \
		'4.2% 0.8% 0.0% 0.0% 95.0% '
	sreport --svg=month.svg -T cpu,mem cluster utilization start=2026-10-01 end=2026-11-01
	same panels "$(grep -c 'class="panel"' month.svg)" 2
	same days "$(boxes month.svg neutral)" 64
	sreport --svg=years.svg cluster utilization start=2024-10-01 end=2026-11-01
	grep -q 'a month a column' years.svg
}

@test "several clusters, one of them, a federation" {
	sacctmgr -iQ add cluster lupus >/dev/null
	sacctmgr -iQ add federation pack clusters=canis,lupus >/dev/null
	sacctmgr -iQ add account phys cluster=lupus >/dev/null
	sacctmgr -iQ add user amy account=phys cluster=lupus >/dev/null
	srecord cluster cluster=lupus tres=cpu=10 start=2026-10-01
	srecord job id=1 cluster=lupus user=amy account=phys cpus=2 submit=2026-10-01T00:00:00 \
		start=2026-10-01T01:00:00 end=2026-10-01T02:00:00 state=COMPLETED
	prints 'lupus|amy||phys|120|0' rows -M lupus user top
	prints 'lupus|amy||phys|120|0' rows user top clusters=lupus
	[[ $(rows -a user top | cut -d'|' -f1 | sort -u) == $'canis\nlupus' ]]
	[[ $(rows --federation user top | head -1) == 'FED:pack|amy||phys|360|0' ]]
	[[ $(rows --federation -t h cluster util) == 'FED:pack|12|0|0|464|4|480' ]]
	prints '' rows -M nowhere user top
	refuses 'Only one cluster option can be used' rows -a -M lupus user top
}

@test "words that are none" {
	run sreport -nP user top format=bogus,login start=2026-10-01 end=2026-10-02 users=bob
	((status == 1))
	[[ $output == *"Unknown field 'bogus'"* && $output == *bob* ]]
	refuses ' Unknown condition: colour=red' sreport -n user top users=nobody colour=red
	refuses 'Invalid value for TopCount (x)' sreport -n user top topcount=x users=nobody
	refuses 'unknown time format fortnights' sreport -n -t fortnights user top users=nobody
	refuses 'too few arguments for keyword:cluster' sreport cluster
	refuses 'Not valid report sizesx' sreport job sizesx
	refuses 'No valid TRES given' sreport -T nosuch user top
	refuses "no TRES 'gpu' exists; did you mean 'gres/gpu'?" sreport -T gpu user top
	refuses 'TRES node usage is no longer reported in percent' \
		sreport -T node -t percent user top
	refuses 'in the Cluster Utilization report' sreport -T node cluster utilization
}

# window ZONE NOW: the title of a report without start= and end= at that time of the local clock.
window() {
	local -x TZ=$1 BURSAR_STORE BURSAR_NOW
	BURSAR_STORE=$(store) BURSAR_NOW=$(date -d "$2" +%s)
	sreport cluster accountutilizationbyuser | sed -n 's/^Cluster.Account.User Utilization //p'
}

@test "without start= and end=: all of yesterday, at any minute, in any zone" {
	local day='2026-06-09T00:00:00 - 2026-06-09T23:59:59 (86400 secs)'
	prints "$day" window UTC 2026-06-10T00:00:00
	prints "$day" window UTC 2026-06-10T00:00:01
	prints "$day" window UTC 2026-06-10T10:23:45
	prints "$day" window Asia/Kolkata 2026-06-10T10:23:45
	prints "$day" window America/New_York 2026-06-10T23:59:59
	prints '2026-03-08T00:00:00 - 2026-03-08T23:59:59 (82800 secs)' \
		window America/New_York 2026-03-09T10:23:45
	prints '2026-03-07T00:00:00 - 2026-03-07T23:59:59 (86400 secs)' \
		window America/New_York 2026-03-08T03:23:45
	prints '2026-11-01T00:00:00 - 2026-11-01T23:59:59 (90000 secs)' \
		window America/New_York 2026-11-02T01:07:00
	prints '2026-10-03T00:00:00 - 2026-10-03T23:59:59 (86400 secs)' \
		window Australia/Lord_Howe 2026-10-04T12:01:00
}

@test "-T ALL: nodes count in the hours in which one is down" {
	srecord job id=4 user=amy account=phys cpus=1 nodes=2 submit=2026-10-01T09:00:00 \
		start=2026-10-01T09:00:00 end=2026-10-01T12:00:00 state=COMPLETED
	run -0 rows -t hours -T ALL cluster utilization format=tresname,alloc,down,idle,reported
	[[ $output != *node* ]]
	srecord node node=n1 state=down reason=x start=2026-10-01T10:00:00 end=2026-10-01T10:30:00 \
		tres=cpu=1,node=1
	prints 'node|7200|1800|0|9000|9000' bash -c \
		"sreport -nP -t seconds -T ALL cluster utilization start=2026-10-01 end=2026-10-02 \
			format=tresname,alloc,down,idle,over,reported | grep ^node"
}

@test "a session: commands, units, the last line again" {
	run -0 sreport <<-'END'
		parsable2
		time seconds
		user top start=2026-10-01 end=2026-10-02 users=bob format="login,used"
		!!
		quit
		user top
	END
	[[ $(grep -c '^bob|14400$' <<<"$output") == 2 ]]
	[[ ${lines[-1]} == 'sreport: quit' ]]
	run sreport <<<bogus
	((status == 1))
	[[ $output == *'invalid keyword: bogus'* ]]
}

@test "abbreviated options mean what they mean in Slurm" {
	prints 'canis|amy||phys|cpu|14400' rows --tr cpu -t s user top topcount=1
	prints 'canis|amy||phys|cpu|14400' rows --t cpu -t s user top topcount=1
	prints 'canis|amy||phys|14400|0' rows --s name --c canis --ti s user top topcount=1
	run -0 sreport --vers
	[[ $output == 'slurm 26.05.3'* ]]
}

@test "PrivateData=usage: own rows only" {
	echo PrivateData=usage >>"$SLURM_CONF"
	[[ $(rows user top | wc -l) == 3 ]]
	prints 'canis|bob||phys|240|0' \
		as bob sreport -nP user top Start=2026-10-01 End=2026-10-02
	prints 'canis|phys|bob||240|0' as bob sreport -nP cluster accountutilizationbyuser \
		Start=2026-10-01 End=2026-10-02
}

@test "a full disk is an error" {
	run sh -c 'sreport -n user top start=2026-10-01 end=2026-10-02 >/dev/full'
	((status != 0))
}

@test "the examples of the manual work" {
	srecord cluster tres=cpu=10,gres/gpu=2 start=2026-10-01
	sacctmgr -iQ add account physics >/dev/null
	local line n=0
	while read -r line; do
		run -0 --separate-stderr bash -c "set -o pipefail; $line"
		((status == 0)) && [[ $output && ! $stderr ]] || [[ $line == *Accounts=* ]] || {
			echo "$line"
			return 1
		}
		((++n))
	done < <(sed -n 's/^\.Dl \$ //p' "$BATS_TEST_DIRNAME/../../man/sreport.1")
	((n == 4))
}

@test "the manual has every option, report, condition and column; so has completion" {
	local page=$BATS_TEST_DIRNAME/../../man/sreport.1 word
	sreport --help >help
	for word in $(grep -oE -- '--[a-z][a-z_0-9]+' help | sort -u); do
		grep -qE -- "[ ,]-${word#--}( |\$)" "$page" || same option '' "$word"
	done
	local class report
	for class in cluster job reservation user; do
		for report in $(sreport --complete -- $class ''); do
			grep -qiw "$report" "$page" || same report '' "$report"
			for word in $(sreport --complete -- $class "$report" '' | tr -d =); do
				grep -qiw "$word" "$page" || same word '' "$word"
			done
		done
	done
	same reports "$(sreport --complete -- job '' | xargs)" \
		'SizesByAccount SizesByAccountAndWcKey SizesByWcKey'
	sed -n '/COLUMNS/,$s/^      \([^ ]*\( [^ ]*\)*\)  .*/\1/p' help | while read -r word; do
		grep -qFx ".It $word" "$page" || same column '' "$word"
	done
	(($(sed -n '/COLUMNS/,$p' help | wc -l) > 40))
	same condition "$(sreport --complete -- user TopUsage Acco)" Accounts=
	same report "$(sreport --complete -- user Top)" TopUsage
	same option "$(bursar --complete -- sreport --al)" --all_clusters
}

@test "user Top: Partition is a column of tables for people only" {
	sacctmgr -iQ add user amy account=phys partition=gpu >/dev/null
	srecord job id=9 user=amy account=phys partition=gpu cpus=1 submit=2026-10-01T09:00 \
		start=2026-10-01T09:00 end=2026-10-01T10:00 state=COMPLETED
	window=(start=2026-10-01 end=2026-10-02)
	[[ $(sreport user Top "${window[@]}") == *Partition* ]]
	same parsable "$(sreport -P user Top "${window[@]}" | grep Login)" \
		'Cluster|Login|Proper Name|Account|Used|Energy'
	same csv "$(sreport --csv user Top "${window[@]}" | head -1)" \
		'cluster,user,proper_name,account,used,energy'
	same members "$(sreport --json user Top "${window[@]}" |
		jq -rc '.rows[0] | keys_unsorted | join(",")')" \
		'cluster,user,proper_name,account,used,used_percent,energy,energy_percent'
	[[ $(sreport -nP user Top "${window[@]}" format=login,partition) == *'amy|gpu'* ]]
}

# No `srecord cluster`: what slurm.conf has, from the first job on.
assumes() {
	ask "DELETE FROM event; UPDATE cluster SET tres = '', nodes = ''"
	srecord job id=4 user=cat account=chem cpus=16 submit=2026-09-30T12:00 \
		start=2026-09-30T12:00 end=2026-10-01T12:00 state=COMPLETED
}

@test "percentages without a recorded capacity: slurm.conf's is assumed" {
	assumes
	prints 'canis|Assumed from slurm.conf|2026-09-30T12:00:00|Unknown' \
		sacctmgr -nP show event start=2026-09-01 event=cluster \
		format=cluster,reason,start,end
	prints 'canis|13.15%|0.00%|0.00%|86.72%|0.13%|100.00%' \
		sreport -nP -t percent cluster Utilization start=2026-10-01 end=2026-10-02
	# What comes to be known of earlier days moves it, a change of slurm.conf adds to it.
	srecord job id=5 user=cat account=chem cpus=64 submit=2026-09-29 start=2026-09-29 \
		end=2026-09-30 state=COMPLETED
	prints 'canis|100.00%|0.00%|0.00%|0.00%|0.00%|100.00%' \
		sreport -nP -t percent cluster Utilization start=2026-09-29 end=2026-09-30
	sed -i 's/CPUs=64/CPUs=32/' "$SLURM_CONF"
	srecord job id=5 user=cat account=chem exit=0
	same capacities "$(ask "SELECT start = unixepoch('2026-09-29'), end IS NOT NULL, tres
		LIKE '%1=64,%' FROM event ORDER BY start")" $'1|1|1\n0|0|0'
	# It ends where somebody knows better.
	srecord cluster tres=cpu=16 start=2026-09-30
	same capacities "$(ask "SELECT date(start, 'unixepoch'), date(end, 'unixepoch'), reason
		FROM event ORDER BY start")" \
$'2026-09-29|2026-09-30|Assumed from slurm.conf\n2026-09-30||Cluster Registered TRES'
}

@test "a listing assumes the capacity and writes nothing" {
	assumes
	ask "DELETE FROM event"
	prints 'canis|13.15%|0.00%|0.00%|86.72%|0.13%|100.00%' \
		sreport -nP -t percent cluster Utilization start=2026-10-01 end=2026-10-02
	same events "$(ask 'SELECT count(*) FROM event')" 0
	[[ $(sacctmgr check capacity) == *'nothing found' ]]
}

@test "no percentages where nothing says how much there is" {
	sed -i '/NodeName/d; /Nodes=/d' "$SLURM_CONF"
	assumes
	unknown="sreport: warning: the size of cluster 'canis' is not recorded: no percentage; \
\"srecord cluster tres=... start=...\" records it"
	capture sreport -nP -t percent user Top start=2026-10-01 end=2026-10-02 users=cat
	same output "$stdout" 'canis|cat||chem||0.00%'
	same messages "$stderr" "$unknown"
	capture sreport -nP -t hourper user Top start=2026-10-01 end=2026-10-02 users=cat
	same output "$stdout" 'canis|cat||chem|192|0(0.00%)'
	capture sreport -nP cluster Utilization start=2026-10-01 end=2026-10-02
	same output "$stdout" ''
	same messages "$stderr" "$unknown"
	capture sreport --json -t percent user Top start=2026-10-01 end=2026-10-02
	[[ $stdout == *'"used_percent": null'* ]]
	sreport --svg=none.svg cluster Utilization start=2026-10-01 end=2026-10-02 2>/dev/null
	grep -q '>no capacity known<' none.svg
	run ! grep -qE '\.[0-9]%<|nan|>nothing<' none.svg
	capture sacctmgr check capacity
	same status "$status" 2
	[[ $stdout == *'the size of cluster canis is not recorded'* ]]
}

@test "job sizes in percent: groups and total are of the row's total" {
	prints 'canis|root|100.00%|0.00%|100.00%|100.00%' sreport -nP -t percent \
		job SizesByAccount grouping=1000 format=cluster,account \
		start=2026-10-01 end=2026-10-02
}

@test "reservation utilization: CPUs of a suspended job are idle, where the store knows when" {
	at() {
		local -x BURSAR_STORE BURSAR_NOW
		BURSAR_STORE=$(store) BURSAR_NOW=$(date -u -d "2026-10-03T$1" +%s)
		srecord job id=90 "${@:2}" >/dev/null
	}
	srecord reservation name=all nodes=vm user=amy start=2026-10-03T08:00 end=2026-10-03T12:00
	at 08:00 user=amy account=phys cpus=64 reservation=all submit=now start=now
	at 09:00 state=SUSPENDED
	at 10:00 state=RUNNING
	at 12:00 end=now state=COMPLETED
	prints "$((64 * 3 * 3600))|$((64 * 3600))" sreport -nP -t seconds -T cpu \
		reservation utilization format=allocated,idle start=2026-10-03 end=2026-10-04
}
