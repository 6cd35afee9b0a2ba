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

# cells FILE TABLE COLUMN...: of each row of the data, with | between.
cells() {
	page_data "$1" | jq -r --arg table "$2" '.[$table] as $t | $t.rows[] |
		[.[$ARGS.positional[] as $c | $t.columns | index($c)]] | join("|")' --args "${@:3}"
}

@test "spage: every part is there, and nothing from elsewhere" {
	prints '' spage page.html
	local part
	for part in shares queue plan running usage utilization waits limits history; do
		grep -q "<section id=\"$part\"" page.html
		grep -q "<a .*href=\"#$part\"" page.html
	done
	absent '[{][{]' page.html
	absent '(src|href)="[^#]' page.html
	absent '^<p class=none' page.html
	same pictures "$(grep -c '<div class="wide picture"' page.html)" 4
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
	same jobs "$(cells page.html jobs id why | sort | xargs)" '1| 2|4 3|3'
}

@test "spage: limits and what of them is used" {
	sacctmgr -iQ modify user ann set maxjobs=4 >/dev/null
	sacctmgr -iQ modify user bob set maxsubmitjobs=9 >/dev/null
	sacctmgr -iQ add user ann account=deep >/dev/null
	spage page.html
	same limits "$(cells page.html limits whose limit most used)" "$(
		echo 'account deep|GrpTRESMins cpu|1000|480'
		echo 'user ann in account lab|MaxJobs|4|1'
		echo 'user bob in account deep|MaxSubmitJobs|9|1'
	)"
	shows page.html '<th scope=row>account deep<td>GrpTRESMins cpu<td>1000<td>480<td>48.0 %'
	sacctmgr -iQ modify user ann set maxjobs=0 where account=lab >/dev/null
	spage page.html
	shows page.html '<th scope=row>user ann in account lab<td>MaxJobs<td>0<td>1<td>full'
}

@test "spage: how long jobs waited, by day" {
	export TZ=UTC
	local minutes
	for minutes in 05 10 15 20 25 30 35 40 45 50; do
		srecord job user=bob account=deep partition=debug submit=2026-01-02T10:00:00 \
			start=2026-01-02T10:$minutes:00 end=2026-01-02T11:00:00 >/dev/null
	done
	srecord job user=bob account=deep partition=debug submit=2026-01-02T10:00:00 \
		start=2026-01-03T10:00:30 end=2026-01-03T11:00:00 >/dev/null
	spage --start=2026-01-01 page.html
	same waits "$(cells page.html waits day started half nine_tenths | head -2 | xargs)" \
		'2026-01-02|10|1500|2700 2026-01-03|1|86430|86430'
	shows page.html '<th scope=row>2026-01-03<td>1<td>1d 00h<td>1d 00h'
}

@test "spage: names stay text" {
	spage page.html
	same 'scripts' "$(grep -o '<script' page.html | wc -l)" 2
	grep -qF '<td>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;<td>' page.html
	same 'its name in the data' "2|$evil" "$(cells page.html jobs id name | grep ^2)"
	same 'jobs in the data' "$(page_data page.html | jq '.jobs.rows | length')" 3
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
	same jobs "$(page_data page.html | jq '.jobs.rows | length')" 3003
	beside=$(($(wc -c <page.html) - $(page_data page.html | wc -c)))
	((beside < 300000)) || same 'bytes beside the data' $beside 'at most 300000'
	# Where no script runs, the rest is told.
	shows page.html '2802 more: with a script, or squeue -t PD'
}

# ---- in a browser -----------------------------------------------------------

# chromium_says FILE OPTION...: what headless Chromium prints of it; its complaints fail the test.
chromium_says() {
	local file=$1
	shift
	LD_PRELOAD='' HOME=$BATS_TEST_TMPDIR chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$BATS_TEST_TMPDIR/chromium" --enable-logging=stderr \
		--virtual-time-budget=10000 "$@" "file://$PWD/$file" 2>browser.err
	absent CONSOLE browser.err
}

# tried FILE: what the script on standard input says of the page. It has wait(), all() and seen().
tried() {
	# The rule on scripts lets no test in.
	sed 's/<meta http-equiv="Content-Security-Policy".*//; /^<\/body>/d; /^<\/html>/d' \
		"$1" >tried.html
	{
		echo '<script>(async () => {'
		echo 'const all = s => [...document.querySelectorAll(s)], said = [];'
		echo 'const seen = s => all(s).filter(e => e.getClientRects().length);'
		echo 'const names = s => seen(s + " tbody tr[data-place]")'
		echo '	.map(row => row.cells[1].textContent);'
		echo 'const wait = async f => {'
		echo '	while (!f()) await new Promise(r => setTimeout(r, 10)); };'
		echo 'const byId = id => document.getElementById(id);'
		echo 'function type(text) {'
		echo '	byId("search").value = text;'
		echo '	byId("search").dispatchEvent(new Event("input")); }'
		echo 'try {'
		cat
		echo '} catch (e) { said.push(String(e)); }'
		echo 'document.body.innerHTML = "";'
		echo 'document.body.append("SAID " + JSON.stringify(said) + " END");'
		echo '})()</script>'
	} >>tried.html
	chromium_says tried.html --dump-dom | sed -n 's/.*SAID \(.*\) END.*/\1/p' |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | jq -c '.[]'
}

needs_chromium() {
	command -v chromium >/dev/null || skip "chromium is not installed"
}

@test "spage in a browser: search, sort, fold" {
	needs_chromium
	spage page.html
	chromium_says page.html --dump-dom >dom.html
	grep -q '<html lang="en" class="js">' dom.html
	tried page.html >said <<-'END'
		said.push(names('#t-shares'));
		type('bob');
		said.push(names('#t-shares'), names('#t-queue'), byId('found').textContent);
		type('');
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'), seen('#t-shares [aria-sort=ascending]').length);
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'));
		all('.reset')[0].click();
		said.push(names('#t-shares'));
		all('#t-shares .fold')[1].click();
		said.push(names('#t-shares'), document.activeElement.className);
		byId('fold').click();
		said.push(names('#t-shares').length);
	END
	prints "$(
		echo '["root","root root","lab","ann lab","deep","bob deep"]'
		echo '["root","lab","deep","bob deep"]'
		echo '["3"]'
		echo '"3 rows"'
		echo '["root root","ann lab","bob deep"]'
		echo 1
		echo '["bob deep","root root","ann lab"]'
		echo '["root","root root","lab","ann lab","deep","bob deep"]'
		echo '["root","root root","lab"]'
		echo '"fold"'
		echo 6
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
		"$(sprio --explain 3)"
	same 'the user' "$(jq -r 'select(type == "string" and startswith("bob"))' said)" \
		"$(sshare --explain -u bob)"
	same rest "$(sed 1,2d said)" \
		$'["Why bob in deep has this fair-share","Why job 3 waits"]\n0'
}

@test "spage in a browser: names stay text, in tables, words and plan" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		await wait(() => all('.gantt rect').length);
		said.push(seen('#t-queue .clip').map(e => e.textContent).sort());
		said.push(all('main script').length, all('.gantt title').length);
	END
	same names "$(head -1 said)" "$(jq -nc --arg evil "$evil" '[$evil, "bobwait"]')"
	same 'scripts and bars' "$(sed 1d said | xargs)" '0 3'
}

@test "spage in a browser: the plan zooms, its bars lead to the jobs" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		await wait(() => all('.gantt rect').length);
		const width = () => Number(all('.gantt rect.run')[0].getAttribute('width'));
		const before = width();
		all('[data-zoom=in]')[0].click();
		said.push(Math.round(width() / before));
		all('[data-zoom=all]')[0].click();
		said.push(width() === before);
		location.hash = '#job3';
		await wait(() => all('#t-queue .words pre')[0]?.textContent);
		said.push(all('.target th')[0].textContent);
		said.push(document.activeElement.getAttribute('aria-label'));
	END
	prints $'2\ntrue\n"3"\n"Why job 3 waits"' cat said
}

@test "spage in a browser: every button and picture has a name" {
	needs_chromium
	spage page.html
	tried page.html >said <<-'END'
		await wait(() => all('.gantt rect').length);
		const name = e => (e.getAttribute('aria-label') ?? e.textContent).trim();
		said.push(all('button').filter(e => !name(e)).length);
		const pictures = all('svg, [role=img]');
		said.push(pictures.filter(e => !e.closest('[aria-label]')).length);
		const title = e => byId(e.getAttribute('aria-labelledby'));
		said.push(all('section').filter(e => !title(e)).length);
		said.push(seen('button').filter(e => e.tabIndex < 0).length);
	END
	prints $'0\n0\n0\n0' cat said
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
				seen('#t-shares tbody tr').length,
				seen('#t-queue tbody th').map(e => e.textContent),
				seen('#t-running tbody tr').length,
				seen('#search').length + seen('#plan').length,
				seen('svg').length]) + ' END';
		};
		</script>
	END
	LD_PRELOAD='' HOME=$BATS_TEST_TMPDIR chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$BATS_TEST_TMPDIR/chromium" --allow-file-access-from-files \
		--disable-web-security --dump-dom "file://$PWD/frame.html" 2>/dev/null |
		sed -n 's/.*SAID \(.*\) END.*/\1/p' >said
	prints '[6,["3","2"],1,0,4]' cat said
}
