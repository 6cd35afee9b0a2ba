# spage: one HTML file of the site. What the browser does with it is tested where Chromium is.
load lib

evil='</script><script>alert(1)</script>'

setup() {
	fresh_cluster PriorityWeightAge=1000
	# A day has the job of yesterday, whatever time it is.
	BURSAR_NOW=$(($(date +%s) / 86400 * 86400 + 43200))
	export BURSAR_NOW BURSAR_STORE=$BATS_TEST_TMPDIR/store/acct.db
	local_users ann bob
	sacctmgr -iQ add account lab >/dev/null
	sacctmgr -iQ add account deep parent=lab grptresmins=cpu=1000 >/dev/null
	sacctmgr -iQ add user ann account=lab >/dev/null
	sacctmgr -iQ add user bob account=deep fairshare=3 >/dev/null
	srecord cluster tres=cpu=64,mem=256000,gres/gpu=4 start=now-3days >/dev/null
	srecord job user=ann account=lab cpus=40 partition=debug timelimit=60 name=annrun \
		submit=now-3hours start=now-30minutes nodelist=vm >/dev/null
	srecord job user=ann account=lab cpus=64 partition=debug timelimit=60 \
		name="$evil" >/dev/null
	srecord job user=bob account=deep cpus=4 partition=debug timelimit=60 \
		name=bobwait >/dev/null
	srecord job user=bob account=deep cpus=8 partition=debug submit=now-1day start=now-20hours \
		end=now-19hours nodelist=vm name=bobran >/dev/null
}

# absent PATTERN FILE: no line of it matches.
absent() {
	if grep -E "$@"; then return 1; fi
}

# plain_text FILE: what HTML escapes is as it was.
plain_text() {
	sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' "$1"
}

# shows FILE TEXT: the text is in it, line by line.
shows() {
	[[ $(plain_text "$1") == *"$2"* ]] || { echo "not in $1: $2" && return 1; }
}

# cells FILE LIST MEMBER...: of each record of the data, with | between.
cells() {
	page_data "$1" | jq -r --arg list "$2" \
		'.[$list][] | [.[$ARGS.positional[]] | (iterables | tojson) // .] |
			join("|")' --args "${@:3}"
}

@test "spage: every part is there, and nothing from elsewhere" {
	prints '' spage page.html
	local part
	for part in own now queue plan running shares limits usage days history waste; do
		grep -q "<section id=\"$part\"" page.html
		grep -q "<a .*href=\"#$part\"" page.html
	done
	absent '[{][{]' page.html
	absent '(src|href)="[^#]' page.html
	absent '^<p class=none' page.html
	same 'standard output' "$(spage | wc -l)" "$(wc -l <page.html)"
	same '-' "$(spage - | wc -l)" "$(wc -l <page.html)"
	[[ $(wc -c <page.html) -lt 300000 ]]
}

@test "spage: the words of --explain" {
	spage page.html
	page_words page.html >words
	shows words "$(sshare --explain -u bob)"
	shows words "$(sshare --explain -u ann)"
	shows words "$(sprio --explain 2 | sed '/^What would help/,$d')"
	shows words "$(sprio --explain 3 | sed '/^What would help/,$d')"
	# The accounts have none, nor the job that runs.
	same users "$(cells page.html shares user why | xargs)" '| root|0 | ann|1 | bob|2'
	same jobs "$(cells page.html jobs job_id why | sort | xargs)" '1| 2|4 3|3'
}

@test "spage: limits and what of them is used" {
	sacctmgr -iQ modify user ann set maxjobs=4 >/dev/null
	sacctmgr -iQ modify user bob set maxsubmitjobs=9 maxjobs=5 >/dev/null
	sacctmgr -iQ add user ann account=deep >/dev/null
	spage page.html
	# One of the account, whoever shares it.
	same limits "$(cells page.html limits origin setting value used user | sort)" "$(
		echo 'account deep|GrpTRESMins|{"cpu":1000}|{"cpu":480}|'
		echo 'user ann in account lab|MaxJobs|4|1|ann'
		echo 'user bob in account deep|MaxSubmitJobs|9|1|bob'
	)"
	shows page.html '<tr><td>account deep<td>GrpTRESMins<td>{"cpu":1000}<td>{"cpu":480}'
}

@test "spage: how long jobs waited, how they ended, who used CPUs, by day" {
	export TZ=UTC
	local minutes
	for minutes in 05 10 15 20 25 30 35 40 45 50; do
		srecord job user=bob account=deep partition=debug submit=2026-01-02T10:00:00 \
			start=2026-01-02T10:$minutes:00 end=2026-01-02T11:00:00 >/dev/null
	done
	srecord job user=ann account=lab partition=debug submit=2026-01-02T10:00:00 \
		start=2026-01-03T10:00:30 end=2026-01-03T11:00:00 state=TIMEOUT >/dev/null
	srecord job user=ann account=lab partition=debug cpus=2 submit=2026-01-03T22:00:00 \
		start=2026-01-03T23:00:00 end=2026-01-04T02:00:00 state=FAILED >/dev/null
	BURSAR_NOW=$(date -d 2026-01-04T12:00:00 +%s) spage --start=2026-01-02 page.html
	local columns='day_time started half nine_tenths ended failed timeout'
	same days "$(cells page.html days $columns)" "$(
		echo "$(date -d 2026-01-02 +%s)|10|1500|2700|10|0|0"
		echo "$(date -d 2026-01-03 +%s)|2|3600|86430|1|0|1"
		echo "$(date -d 2026-01-04 +%s)|0|||1|1|0"
	)"
	same used "$(cells page.html used kind name cpu_hours | tr -d '[]')" "$(
		echo 'user|ann|0,2.992,4'
		echo 'user|bob|5.417,0,0'
		echo 'account|lab|0,2.992,4'
		echo 'account|deep|5.417,0,0'
	)"
}

@test "spage: the site's clock is told, with its summer time" {
	local now
	now=$(date -ud 2026-04-01 +%s)
	TZ=Europe/Berlin BURSAR_NOW=$now spage page.html
	same zone "$(page_data page.html | jq -c '[.zone[0][1], .zone[1:3][]]')" "[3600,[$(
		date -ud '2026-03-29 01:00' +%s),7200],[$(date -ud '2026-10-25 01:00' +%s),3600]]"
}

@test "spage: nodes, what is lost, history and forecast are data" {
	srecord node node=vm state=drain reason='fans fail' start=now-1hour >/dev/null
	spage page.html
	same nodes "$(cells page.html nodes node_list partition state reason | xargs)" \
		"$(sinfo -Nah --csv -O NodeList,Partition,StateLong,Reason |
			tr -d '"' | tr ',' '|' | xargs)"
	same history "$(page_data page.html | jq -c '.history[] | select(.user == "ann")')" \
		"$(sshare --history --ndjson -U -uann --start=now-14days | jq -c .)"
	same waste "$(page_data page.html | jq -c '.waste[]')" "$(seff --waste --ndjson | jq -c .)"
	[[ $(cells page.html waste user) == *bob* ]]
	cells page.html forecast user fairshare | grep -q '^bob|0'
}

@test "spage: names stay text" {
	spage page.html
	same 'scripts' "$(grep -o '<script' page.html | wc -l)" 2
	grep -qF '<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;' page.html
	same 'its name in the data' "2|$evil" "$(cells page.html jobs job_id name | grep ^2)"
	same 'jobs in the data' "$(page_data page.html | jq '.jobs | length')" 3
}

@test "spage: only the script that was built may run" {
	spage page.html
	sed -n '/^<script>/,$p' page.html | sed 's/^<script>//; /<\/script>/,$d' >script.js
	local hash
	hash=$(sha256sum script.js | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64)
	grep -qF "script-src 'sha256-$hash'" page.html
	grep -qF "default-src 'none'" page.html
}

@test "spage --user: what she may see" {
	echo PrivateData=accounts,jobs,usage,users >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	echo PrivateData=accounts,jobs,usage,users >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	prints '' spage --user=ann ann.html
	grep -q annrun ann.html
	absent 'bob|deep' ann.html
	page_words ann.html >words
	grep -q '^ann in account lab' words
	absent 'bob|deep' words
	grep -q 'as ann may see it' ann.html
	spage all.html
	grep -q bobwait all.html
	as ann spage >own.html
	absent 'bob|deep' own.html
	same 'her rows' "$(page_data own.html | jq '.jobs, .shares')" \
		"$(page_data ann.html | jq '.jobs, .shares')"
	prints '' as ann spage --user=ann own.html
	refuses 'only root can look as another' as ann spage --user=bob
	refuses 'nologin changes nothing' env BURSAR_AS=nologin sacctmgr -i add account x
	same 'only root' "$(BURSAR_AS=bob as ann squeue -ho %u | sort -u)" ann
	refuses 'the store has no user nosuch' spage --user=nosuch
}

@test "spage --dir: a page for every user, and an index" {
	sacctmgr -iQ add user nologin account=lab >/dev/null
	echo PrivateData=jobs,usage >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	echo PrivateData=jobs,usage >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	sacctmgr -iQ add user 'n@site' account=lab >/dev/null
	capture spage --dir=pages
	same 'who is left out' "$status $stderr$stdout" \
		'0 spage: no page for 1 whose name is that of no file: n@site'
	same files "$(ls pages | xargs)" \
		'index.html user-ann.html user-bob.html user-nologin.html user-root.html'
	absent 'annrun|bobwait' pages/user-nologin.html
	same permissions "$(stat -c %a pages pages/user-ann.html | xargs)" '700 600'
	grep -q '<a href="user-ann.html">ann</a>' pages/index.html
	absent bobwait pages/user-ann.html
	absent annrun pages/user-bob.html
	chmod 644 pages/user-ann.html
	spage --dir=pages
	same kept "$(stat -c %a pages/user-ann.html)" 644
	refuses 'only root can look as every user' as ann spage --dir=other
	refuses 'chooses the files' spage --dir=pages page.html
}

@test "spage: a full disk, no store" {
	refuses 'No space left on device' spage /dev/full
	status=0
	spage >/dev/full 2>err || status=$?
	same status $status 1
	spage page.html
	cp page.html before.html
	rm "$(store)"
	capture spage page.html
	same 'status without a store' "$status" 1
	[[ $stderr ]]
	cmp page.html before.html
}

@test "spage: a program that has no answer has its message in the page" {
	sed -i '/^PriorityType=/d' "$BATS_TEST_TMPDIR/etc/slurm.conf"
	echo PriorityType=priority/basic >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	capture spage page.html
	same status "$status" 0
	grep -qF "<p class=none>" page.html
	shows page.html "$(sprio 2>&1 | head -1)"
}

@test "spage: a large site is data, and little beside it" {
	{
		echo 'Cluster - canis:Fairshare=1:QOS=normal'
		echo 'Parent - root'
		echo 'Account - big:Fairshare=1'
		echo 'Parent - big'
		printf 'User - u%04d:DefaultAccount=big:Fairshare=1\n' {1..1000}
	} >dump.cfg
	sed -i "s/canis/$(sacctmgr -nP show cluster format=cluster)/" dump.cfg
	sacctmgr -iQ load file=dump.cfg >/dev/null
	{
		echo 'JobIDRaw|User|Account|Partition|State|Submit|Start|End|ReqCPUS|TimelimitRaw'
		printf '%d|u%04d|big|debug|PENDING|%d|Unknown|Unknown|1|60\n' \
			$(for ((i = 0; i < 3000; i++)); do
				echo $((100 + i)) $((1 + i % 1000)) $((BURSAR_NOW - 9000 + i))
			done)
	} >jobs.txt
	srecord import jobs.txt >/dev/null
	spage page.html
	same jobs "$(page_data page.html | jq '.jobs | length')" 3003
	beside=$(($(wc -c <page.html) - $(page_data page.html | wc -c)))
	((beside < 300000)) || same 'bytes beside the data' $beside 'at most 300000'
	# Where no script runs, the rest is told.
	shows page.html '2803 more: with a script, or squeue'
}

@test "spage: of a very large site the history is left out, and the first users are explained" {
	sed "s/canis/$(sacctmgr -nP show cluster format=cluster)/" >dump.cfg <<-END
		Cluster - canis:Fairshare=1:QOS=normal
		Parent - root
		$(printf 'Account - a%02d:Fairshare=1\n' {0..99})
		$(for a in {00..99}; do
			echo "Parent - a$a"
			printf "User - u$a%02d:DefaultAccount=a$a:Fairshare=1\n" {0..99}
		done)
	END
	sacctmgr -iQ load file=dump.cfg >/dev/null
	spage page.html
	same users "$(page_data page.html | jq '.shares | length')" 10106
	same history "$(page_data page.html | jq '.history | length')" 0
	same explained "$(cells page.html shares user why | grep -c '|[0-9]')" 100
	cells page.html shares user why | grep -q '^bob|[0-9]'
}

# ---- in a browser -----------------------------------------------------------

# chromium_says FILE OPTION...: what headless Chromium prints of it; its complaints fail the test.
# Its own folder is of all tests: to make one takes a quarter of what it does.
chromium_says() {
	local file=$1
	shift
	LD_PRELOAD='' HOME=$BATS_TEST_TMPDIR chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$BATS_FILE_TMPDIR/chromium" --enable-logging=stderr \
		--virtual-time-budget=10000 "$@" "file://$PWD/$file" 2>browser.err
	absent CONSOLE browser.err
}

# tried FILE [OPTION...]: what the script on standard input says of the page; options are those of
# Chromium. The script has wait(), all(), seen(), names() and type().
tried() {
	local file=$1
	shift
	# The rule on scripts lets no test in.
	sed 's/<meta http-equiv="Content-Security-Policy".*//; /^<\/body>/d; /^<\/html>/d' \
		"$file" >tried.html
	{
		cat <<-'END'
			<script>(async () => {
			const said = [];
			const all = (s, within = document) => [...within.querySelectorAll(s)];
			const seen = s => all(s).filter(e => e.getClientRects().length);
			const names = s => seen(s + ' tbody tr[data-place]')
				.map(row => row.cells[1].textContent);
			const sleep = () => new Promise(r => setTimeout(r, 10));
			async function wait(f) {
				for (let i = 0; i < 500 && !f(); i++)
					await sleep();
			}
			const byId = id => document.getElementById(id);
			function type(text) {
				byId('search').value = text;
				byId('search').dispatchEvent(new Event('input'));
			}
			await wait(() => all('#gantt rect').length);
			try {
		END
		cat
		cat <<-'END'
			} catch (e) { said.push(String(e)); }
			document.body.innerHTML = '';
			document.body.append('SA' + 'ID ' + JSON.stringify(said) + ' END');
			})()</script>
		END
	} >>tried.html
	chromium_says tried.html "$@" --dump-dom | sed -n 's/.*SAID \(.*\) END.*/\1/p' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | jq -c '.[]'
}

needs_chromium() {
	command -v chromium >/dev/null || skip "chromium is not installed"
}

@test "spage in a browser: search, sort, fold" {
	needs_chromium
	spage page.html
	chromium_says page.html --dump-dom >dom.html
	grep -q '<html lang="en" class="js"' dom.html
	tried page.html >said <<-'END'
		said.push(names('#t-shares'));
		type('bobwait');
		said.push(names('#t-queue'), byId('found').textContent);
		said.push(seen('#t-running .none')[0].textContent);
		type('bob');
		said.push(names('#t-shares'));
		type('');
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'), seen('#t-shares [aria-sort=ascending]').length);
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'));
		byId('unsort').click();
		said.push(names('#t-shares'));
		all('#t-shares .fold')[1].click();
		said.push(names('#t-shares'), document.activeElement.className);
		byId('fold').click();
		said.push(names('#t-shares').length);
	END
	prints "$(
		echo '["root","root root","lab","ann lab","deep","bob deep"]'
		echo '["3"]'
		echo '"1 rows"'
		echo '"Nothing here matches “bobwait”."'
		echo '["root","lab","deep","bob deep"]'
		echo '["root root","ann lab","bob deep"]'
		echo 1
		echo '["bob deep","root root","ann lab"]'
		echo '["root","root root","lab","ann lab","deep","bob deep"]'
		echo '["root","root root","lab"]'
		echo '"fold"'
		echo 6
	)" cat said
}

@test "spage in a browser: the address keeps search, sorting and place" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		type('bob');
		all('#t-running thead .sort')[2].click();
		all('#t-running thead .sort')[2].click();
		byId('colour').value = 'user';
		byId('colour').dispatchEvent(new Event('change', {bubbles: true}));
		said.push(location.hash);
		location.hash = '#queue?q=annrun&t-queue=1';
		await wait(() => byId('search').value === 'annrun');
		said.push(names('#t-running'), seen('#t-queue [aria-sort]').length);
		said.push(byId('colour').value);
	END
	prints "$(
		echo '"#?q=bob&colour=user&t-running=-3"'
		echo '["1"]'
		echo 1
		echo '"account"'
	)" cat said
}

@test "spage in a browser: a row unfolds to the words, byte by byte" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		all('#t-queue tbody tr')[0].cells[3].click();
		all('#t-shares .why')[2].click();
		await wait(() => all('pre').filter(p => p.textContent).length === 2);
		said.push(all('#t-queue .words pre')[0].textContent);
		said.push(all('#t-shares .words pre')[0].textContent);
		said.push(all('[aria-expanded=true].why').map(b => b.getAttribute('aria-label')));
		all('#t-shares .why')[2].click();
		said.push(all('#t-shares .words').length);
	END
	same 'the job' "$(jq -r 'select(type == "string" and startswith("Job"))' said)" \
		"$(sprio --explain 3 | sed '/^What would help/,$d')"
	same 'the user' "$(jq -r 'select(type == "string" and startswith("bob"))' said)" \
		"$(sshare --explain -u bob)"
	same rest "$(sed 1,2d said)" \
		$'["Why job 3 waits","Why bob in deep has this fair-share"]\n0'
}

@test "spage in a browser: names stay text, in tables, words and plan" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		said.push(seen('#t-queue .clip').map(e => e.textContent).sort());
		said.push(all('main script').length, all('.plan title').length);
	END
	same names "$(head -1 said)" "$(jq -nc --arg evil "$evil" '[$evil, "bobwait"]')"
	same 'scripts and bars' "$(sed 1d said | xargs)" '0 4'
}

@test "spage in a browser: first is now" {
	needs_chromium
	srecord node node=vm state=drain reason='fans fail' start=now-1hour >/dev/null
	spage page.html
	tried page.html >said <<-'END'
		said.push(all('main section').filter(e => !e.hidden)[0].id);
		said.push(seen('#cards .card').map(e =>
			[...e.children].map(c => c.textContent).join('|')));
		said.push(seen('.nodes i').map(e => e.className + ' ' + e.title));
		said.push(seen('#reasons li').map(e => e.textContent));
		said.push(seen('#who li').map(e => e.textContent.replace(/\s+/g, ' ')));
	END
	prints "$(
		echo '"now"'
		printf '%s,' '["CPUs|62.5 %||40 of 64 in use"' \
			'"Memory|100.0 %||250 GB of 250 GB in use"' '"GPUs|0.0 %||0 of 4 in use"' \
			'"Running|1|40 CPUs"' '"Waiting|2|longest 0s"' \
			'"Failed today|0|of 0 that ended"'
		echo '"Timed out today|0|ran into their limit"]'
		local node='drained vm: draining, 40 of 64 CPUs, 0 of 4 GPUs, fans fail'
		echo "[\"$node\",\"$node\"]"
		echo '["draining: fans fail vm"]'
		echo '["ann 40"]'
	)" cat said
}

@test "spage in a browser: the plan has names, zooms, and leads to the jobs and back" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		said.push(seen('#gantt a text').map(e => e.textContent));
		const width = () => Number(all('#gantt .runs rect')[0].getAttribute('width'));
		const before = width();
		all('[data-zoom=in]')[0].click();
		said.push(Math.round(width() / before));
		all('[data-zoom=all]')[0].click();
		said.push(width() === before);
		location.hash = '#job3';
		await wait(() => all('#t-queue .words pre')[0]?.textContent);
		said.push(all('.target th')[0].textContent);
		said.push(document.activeElement.getAttribute('aria-label'));
		all('.target .tobar')[0].click();
		await wait(() => document.activeElement.dataset.bar);
		said.push(document.activeElement.dataset.bar);
		said.push(byId('plan-told').textContent.slice(0, 9));
		type('annrun');
		said.push(seen('#gantt a:not(.dim)').map(e => e.dataset.bar));
	END
	prints "$(
		echo '["ann 1","bob 3","ann 2"]'
		printf '%s\n' 2 true '"3"' '"Why job 3 waits"' '"3"' '"3 bobwait"' '["1"]'
	)" cat said
}

@test "spage in a browser: nodes with the same jobs are one row, with a count" {
	needs_chromium
	echo 'NodeName=p[1-3] CPUs=4' >>"$SLURM_CONF"
	echo 'PartitionName=p Nodes=p[1-3]' >>"$SLURM_CONF"
	srecord job user=ann account=lab partition=p cpus=8 nodes=2 timelimit=60 submit=now-1hour \
		start=now-10minutes nodelist='p[1-2]' >/dev/null
	spage page.html
	tried page.html >said <<-'END'
		said.push(all('#gantt g > text').map(e => e.firstChild.data));
		said.push(all('#gantt g > text title').map(e => e.textContent));
	END
	prints '["p1 +1","vm"]
["p1, p2","vm"]' cat said
}

@test "spage in a browser: heads of tables stay in sight, an own page opens with what is hers" {
	needs_chromium
	spage --user=ann page.html
	tried page.html --window-size=1200,500 >said <<-'END'
		said.push(all('main section').filter(e => !e.hidden).map(e => e.id).slice(0, 3));
		said.push(names('#t-own-jobs').sort());
		said.push(seen('#own-cards .card b').map(e => e.textContent));
		byId('fold').click();
		const head = all('#t-shares thead th')[0];
		window.scrollTo(0, head.getBoundingClientRect().top + scrollY - 30);
		await sleep();
		const under = document.querySelector('header').getBoundingClientRect().bottom;
		said.push(Math.abs(head.getBoundingClientRect().top - under) < 2);
	END
	prints "$(
		echo '["own","waste","now"]'
		echo '["1","2"]'
		echo "[\"$(sshare -nP -uann -o fairshare,user | sed -n 's/|ann$//p' |
			xargs printf %.3g)\",\"1\",\"1\"]"
		echo true
	)" cat said
}

@test "spage in a browser: what lies behind the window starts later, and has no bar" {
	needs_chromium
	printf 'SchedulerParameters=bf_window=30\n' >>"$SLURM_CONF"
	spage page.html
	grep -q '"estimate"' <(page_data page.html)
	tried page.html >said <<-'END'
		said.push(seen('#gantt a').map(e => e.dataset.bar));
		const time = /[A-Z][a-z]. \d+ \d+:\d+/;
		said.push(byId('plan-words').textContent.replace(time, 'TIME'));
		said.push(seen('#t-queue tbody tr').filter(e =>
			/later than/.test(e.textContent)).length);
	END
	prints "$(
		echo '["1"]'
		echo '"2 jobs start later than TIME: nothing is kept for them yet."'
		echo 2
	)" cat said
}

@test "spage in a browser: every control has a name and can be reached by keys" {
	needs_chromium
	spage --user=root page.html
	tried page.html >said <<-'END'
		const name = e => (e.getAttribute('aria-label') ?? e.textContent).trim();
		said.push(all('button, main a').filter(e => !name(e)).length);
		const pictures = all('svg, [role=img]');
		said.push(pictures.filter(e => !e.closest('[aria-label]')).length);
		const title = e => byId(e.getAttribute('aria-labelledby'));
		said.push(all('section').filter(e => !title(e)).length);
		const controls = seen('button, a, input, select');
		said.push(controls.filter(e => e.tabIndex < 0 && !e.closest('#gantt')).length);
		// Arrow keys lead from one bar to all others.
		const bars = seen('#gantt a'), reached = new Set();
		said.push(bars.filter(e => e.tabIndex === 0).length);
		bars[0].focus();
		for (let i = 0; i < bars.length; i++) {
			reached.add(document.activeElement.dataset.bar);
			document.activeElement.dispatchEvent(
				new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
		}
		said.push(reached.size === bars.length);
		// What can be clicked is a control, or a row that has one.
		said.push(seen('[onclick]').length);
	END
	prints $'0\n0\n0\n0\n1\ntrue\n0' cat said
}

@test "spage in a browser: nothing is wider than a phone" {
	needs_chromium
	srecord job user=ann account=lab partition=debug \
		name=$(printf 'long%.0s' {1..30}) >/dev/null
	spage --user=root page.html
	# Chromium's own windows are not as narrow.
	{
		printf '<!doctype html>\n<iframe src=page.html width=390 height=800></iframe>\n'
		cat <<-'END'
			<script>
			onload = () => setTimeout(() => {
				const page = document.querySelector('iframe').contentDocument;
				const width = page.documentElement.scrollWidth;
				const wide = [...page.body.querySelectorAll('*')].filter(e =>
					e.getClientRects().length && !e.closest('nav, .clip') &&
					e.getBoundingClientRect().right > 390.5);
				document.title = 'SAID ' + JSON.stringify([width <= 390,
					wide.map(e => e.outerHTML.slice(0, 80))]) + ' END';
			}, 500);
			</script>
		END
	} >frame.html
	framed frame.html >said
	prints '[true,[]]' cat said
}

# framed FILE: the title of a page that looks into a frame of its own.
framed() {
	LD_PRELOAD='' HOME=$BATS_TEST_TMPDIR chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$BATS_TEST_TMPDIR/chromium" --allow-file-access-from-files \
		--virtual-time-budget=5000 --disable-web-security --dump-dom "file://$PWD/$1" \
		2>/dev/null | sed -n 's/.*<title>SAID \(.*\) END.*/\1/p' |
		sed 's/&lt;/</g; s/&gt;/>/g'
}

@test "spage in a browser: contrast is 4.5 at least, light and dark" {
	needs_chromium
	srecord job user=ann account=lab cpus=1 partition=debug submit=now-1hour \
		start=now-50minutes end=now-20minutes state=FAILED nodelist=vm >/dev/null
	spage --user=root page.html
	local scheme
	for scheme in 0 1; do # dark, light
		tried page.html "--blink-settings=preferredColorScheme=$scheme" >said <<-'END'
			const scale = text => text.startsWith('color(srgb') ? 255 : 1;
			function rgb(text) {
				const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
				return [r, g, b].map(v => v * scale(text)).concat(a);
			}
			const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
				.map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
				.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
			function behind(e) {
				const box = e.closest('#gantt a')?.querySelector('rect');
				if (box)
					return rgb(getComputedStyle(box).fill);
				for (; e; e = e.parentElement) {
					const paint = rgb(getComputedStyle(e).backgroundColor);
					if (paint[3] > 0)
						return paint;
				}
			}
			const written = e => [...e.childNodes].some(n =>
				n.nodeType === 3 && n.data.trim());
			function contrast(e) {
				const style = getComputedStyle(e);
				const ink = light(rgb(e.closest('svg') ? style.fill : style.color));
				const [low, high] = [ink, light(behind(e))].sort((a, b) => a - b);
				return (high + 0.05) / (low + 0.05);
			}
			const bad = seen('body *').filter(e =>
				!e.closest('script') && written(e) && contrast(e) < 4.5);
			said.push(getComputedStyle(document.body).backgroundColor);
			said.push(bad.map(e => e.outerHTML.slice(0, 90)));
		END
		same "scheme $scheme" "$(xargs -d '\n' <said)" \
			"\"rgb($( ((scheme)) && echo 255, 255, 255 || echo 14, 18, 23))\" []"
	done
}

@test "spage in a browser: one person, one colour, in all pictures and in those of sshare" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		const paint = (s, name) => [...new Set(seen(s).filter(e =>
			e.textContent.startsWith(name) && e.querySelector('.swatch')).map(e =>
			getComputedStyle(e.querySelector('.swatch')).backgroundColor))];
		byId('colour').value = 'user';
		byId('colour').dispatchEvent(new Event('change', {bubbles: true}));
		const bar = getComputedStyle(all('#gantt a.runs rect')[0]).fill;
		said.push(paint('#t-running td', 'ann')[0] === bar);
		for (const s of ['#t-queue td', '#p-users button', '#p-usage button',
			'#p-fairshare button', '#plan-legend span'])
			said.push(s + ': ' + paint(s, 'ann').map(colour => colour === bar));
		said.push(bar);
	END
	local bar
	bar=$(tail -1 said)
	same pictures "$(sed '$d' said | xargs)" "$(
		echo 'true #t-queue td: true #p-users button: true #p-usage button: true' \
			'#p-fairshare button: true #plan-legend span: true'
	)"
	# Fifteen accounts, of which at least three have a colour of their names in common: in the
	# plan, too, each has that of the page.
	local i
	for i in {1..15}; do
		sacctmgr -iQ add account acc$i >/dev/null
		sacctmgr -iQ add user u$i account=acc$i >/dev/null
		srecord job user=u$i account=acc$i cpus=1 partition=debug timelimit=60 \
			submit=now-1hour start=now-${i}minutes nodelist=vm >/dev/null
	done
	spage page.html
	splan --svg=plan.svg
	same accounts "$(sed -n \
		's/.*class="part\([0-9]*\) .*<title>.* in \(acc[0-9]*\): .*/\2 \1/p' \
		plan.svg | sort -u)" "$(page_data page.html |
		jq -r '.colour_of_account | to_entries[] | select(.key | test("acc")) |
			"\(.key) \(.value)"' | sort)"
	# Of those shown by name no two have one colour; all CPUs are far above the columns.
	tried page.html >said <<-'END'
		const paints = all('#p-accounts [aria-pressed=true] .swatch')
			.map(e => e.style.background);
		said.push(paints.length, new Set(paints).size, all('#p-accounts .limit').length);
	END
	prints $'9\n9\n0' cat said
	sshare --history -U -uann,bob --svg=history.svg --start=now-7days
	local class hex
	class=$(sed -n 's/.*class="line \(line[0-9]*\)".*<title>ann[^a-z].*/\1/p' history.svg |
		head -1)
	hex=$(sed -n "s/.*\.$class { stroke: #\([0-9a-f]*\) }.*/\1/p" history.svg | head -1)
	same 'of sshare' "\"rgb($((16#${hex:0:2})), $((16#${hex:2:2})), $((16#${hex:4:2})))\"" \
		"$bar"
}

@test "spage in a browser: without scripts there are tables" {
	needs_chromium
	spage page.html
	# A frame may not run them; what it shows is asked from outside.
	cat >frame.html <<-'END'
		<!doctype html>
		<iframe sandbox=allow-same-origin src=page.html width=1200></iframe>
		<script>
		onload = () => {
			const page = document.querySelector('iframe').contentDocument;
			const seen = s => [...page.querySelectorAll(s)]
				.filter(e => e.getClientRects().length);
			document.title = 'SAID ' + JSON.stringify([
				seen('h2').map(e => e.textContent),
				seen('table').map(e => e.tBodies[0].rows.length),
				seen('#search').length + seen('section').length]) + ' END';
		};
		</script>
	END
	framed frame.html >said
	prints "$(
		printf '[["Nodes","Jobs","Plan","Shares","Limits in use","Days","Top users"],'
		printf '[2,3,2,6,1,15,1],0]'
	)" cat said
}
