# spage: one HTML file of the site. What the browser does with it is tested where Chromium is.
load lib

evil='</script><script>alert(1)</script>'

setup() {
	fresh_cluster PriorityWeightAge=1000
	BURSAR_NOW=$(date +%s)
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

# data FILE: the JSON in the page.
data() {
	sed -n '/<script type="application\/json"/,/<\/script>/p' "$1" | sed '1d; s,</script>,,'
}

# shows FILE TEXT: the text is in it, line by line.
shows() {
	[[ $(plain_text "$1") == *"$2"* ]] || { echo "not in $1: $2" && return 1; }
}

@test "spage: every part is there, and nothing from elsewhere" {
	prints '' spage page.html
	local part
	for part in shares queue plan running usage utilization limits history; do
		grep -q "<section id=\"$part\"" page.html
		grep -q "<a href=\"#$part\"" page.html
	done
	absent '[{][{]' page.html
	absent '(src|href)="[^#]' page.html
	absent 'class=none' page.html
	grep -q '<svg class=gantt' page.html
	[[ $(grep -c '<div class="wide picture"' page.html) == 3 ]]
	same 'standard output' "$(spage | wc -l)" "$(wc -l <page.html)"
	same '-' "$(spage - | wc -l)" "$(wc -l <page.html)"
	[[ $(wc -c <page.html) -lt 300000 ]]
}

@test "spage: the words of --explain" {
	spage page.html
	shows page.html "$(sshare --explain -u bob)"
	shows page.html "$(sshare --explain -u ann)"
	shows page.html "$(sprio --explain 2)"
	shows page.html "$(sprio --explain 3)"
	same 'explained' "$(grep -c '<tr class=why>' page.html)" 5 # root, ann, bob; two jobs
}

@test "spage: limits on minutes, what of them is used" {
	spage page.html
	local cell='<td class=n data-v='
	grep -q "<th scope=row>deep<td>cpu minutes$cell\"1000\">1000$cell\"480\">480<" page.html
	grep -q 'class=after>48.0 %</span>' page.html
}

@test "spage: factors without a weight" {
	sed -i '/^PriorityWeight/d' "$SLURM_CONF"
	echo PriorityWeightFairshare=1000 >>"$SLURM_CONF"
	spage page.html
	grep -o 'aria-label="fair-share [0-9][^"]*"' page.html >told
	same factors "$(sed 's/[0-9]\+/N/g' told | sort -u)" 'aria-label="fair-share N"'
}

@test "spage: names stay text" {
	spage page.html
	same 'scripts' "$(grep -o '<script' page.html | wc -l)" 2
	grep -qF '">&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;<td>' page.html
	same 'its name in the data' "$evil" "$(data page.html |
		jq -r '.jobs | (.columns | index("name")) as $i | .rows[] |
			select(.[0] == "2")[$i]')"
	same 'jobs in the data' "$(data page.html | jq '.jobs.rows | length')" 3
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
	grep -q 'as ann may see it' ann.html
	spage all.html
	grep -q bobwait all.html
	as ann spage >own.html
	absent 'bob|deep' own.html
	same 'her rows' "$(grep -c '<tbody' own.html)" "$(grep -c '<tbody' ann.html)"
	prints '' as ann spage --user=ann own.html
	refuses 'only root can look as another' as ann spage --user=bob
	refuses 'no user nosuch on this machine' spage --user=nosuch
}

@test "spage --dir: a page for every user, and an index" {
	sacctmgr -iQ add user nologin account=lab >/dev/null
	echo PrivateData=jobs,usage >>"$BATS_TEST_TMPDIR/etc/slurmdbd.conf"
	echo PrivateData=jobs,usage >>"$BATS_TEST_TMPDIR/etc/slurm.conf"
	prints '' spage --dir=pages
	same files "$(ls pages | xargs)" 'index.html user-ann.html user-bob.html user-root.html'
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

# in_browser FILE: the page as it is after its scripts, and what they complained of.
in_browser() {
	LD_PRELOAD='' HOME=$BATS_TEST_TMPDIR chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$BATS_TEST_TMPDIR/chromium" --enable-logging=stderr --dump-dom \
		"file://$PWD/$1" 2>browser.err
	absent CONSOLE browser.err
}

@test "spage: in a browser" {
	command -v chromium >/dev/null || skip "chromium is not installed"
	spage page.html
	in_browser page.html >dom.html
	grep -q '<html lang="en" class="js">' dom.html
	# The rule on scripts lets no test in: without it, with one more script.
	sed 's/<meta http-equiv="Content-Security-Policy".*//; /^<\/body>/d; /^<\/html>/d' \
		page.html >tried.html
	cat >>tried.html <<-'END'
		<script>
		const said = [], all = s => [...document.querySelectorAll(s)];
		const seen = s => all(s).filter(e => e.getClientRects().length);
		const names = s => seen(s + ' tbody').map(b => b.rows[0].cells[1].textContent);
		const search = document.getElementById('search');
		function type(text) {
			search.value = text;
			search.dispatchEvent(new Event('input'));
		}
		said.push(names('#t-shares'));
		type('bob');
		said.push(names('#t-shares'), names('#t-queue'),
			document.getElementById('found').textContent);
		type('');
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'), seen('#t-shares [aria-sort=ascending]').length);
		all('#t-shares thead .sort')[1].click();
		said.push(names('#t-shares'));
		all('.reset')[0].click();
		said.push(names('#t-shares'));
		all('#t-shares .account .fold')[1].click();
		said.push(names('#t-shares'));
		seen('#t-queue tbody td')[1].click();
		said.push(all('#t-queue [open] pre').map(p => p.textContent.slice(0, 5)));
		document.body.innerHTML = '';
		document.body.append('SAID ' + JSON.stringify(said) + ' END');
		</script>
	END
	in_browser tried.html | sed -n 's/.*SAID \(.*\) END.*/\1/p' | jq -c '.[]' >said
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
		echo '["Job 3"]'
	)" cat said
}
