# What the tests beside a real Slurm share: a site for the tests of a file, and our programs with a
# store of their own.

. "$BATS_TEST_DIRNAME/site.bash"
. "$BATS_TEST_DIRNAME/example.bash"

# site_for_tests FUNCTION...: starts a site and fills it by them; without Slurm's programs nothing.
site_for_tests() {
	local fill
	[[ $(id -u) == 0 ]] || echo root >"$BATS_FILE_TMPDIR/missing"
	site_missing >>"$BATS_FILE_TMPDIR/missing"
	[[ ! -s $BATS_FILE_TMPDIR/missing ]] || return 0
	SITE=$(mktemp -d /tmp/slurm-site.XXXXXX) # the jobs' users must be able to look into it
	export SITE
	site_start "$SITE" >"$BATS_FILE_TMPDIR/start" 2>&1 ||
		{ tail "$BATS_FILE_TMPDIR/start"; return 1; }
	for fill; do
		"$fill" >>"$BATS_FILE_TMPDIR/fill" 2>&1 ||
			{ tail "$BATS_FILE_TMPDIR/fill"; return 1; }
	done
	# Our own configuration: the same policy, the store beside it.
	mkdir "$BATS_FILE_TMPDIR/ours"
	local words='ClusterName|Priority|AccountingStorage(Enforce|TRES)|GresTypes|Select'
	grep -E "^($words|NodeName|Partition)" "$SITE/slurm.conf" \
		>"$BATS_FILE_TMPDIR/ours/slurm.conf"
}

site_of_tests_ends() {
	if [[ -d ${SITE-} ]]; then
		site_stop "$SITE"
		rm -rf "$SITE"
	fi
}

# In each test: where all is; skips it where there is no site.
beside_the_site() {
	[[ ! -s $BATS_FILE_TMPDIR/missing ]] ||
		skip "not here: $(paste -sd, "$BATS_FILE_TMPDIR/missing")"
	site=$SITE
	bin=$(cd "${BURSAR_BIN:-$BATS_TEST_DIRNAME/../../build/bin}" && pwd)
	export SLURM_CONF=$BATS_FILE_TMPDIR/ours/slurm.conf BURSAR_STORE=$BATS_TEST_TMPDIR/acct.db
	port=$(sed -n 's/^StoragePort=//p' "$SITE/slurmdbd.conf")
	echo only-looks >"$BATS_TEST_TMPDIR/pass"
	chmod 600 "$BATS_TEST_TMPDIR/pass"
}

ours() {
	local program=$1
	shift
	"$bin/$program" "$@"
}

from_slurm() {
	ours srecord sync from=slurm bin="$slurm_bin" conf="$SITE/slurm.conf" "$@"
}

from_mysql() {
	ours srecord sync "from=mysql://reader@127.0.0.1:$port/slurm_acct_db" \
		passfile="$BATS_TEST_TMPDIR/pass" "$@"
}
