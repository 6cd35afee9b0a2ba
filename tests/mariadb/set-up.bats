#!/usr/bin/env bats
# What man/bursar-hosts.7 says is typed as it stands there, for a site of three hosts: the lines for
# the database, slurmdbd.conf, and what begins the log; and how to leave. With TLS, too.

load lib

setup() {
	fresh_site a b
	page=$BATS_TEST_DIRNAME/../../man/bursar-hosts.7
	database=bursar
	sql_ask 1 'DROP DATABASE IF EXISTS bursar; DROP USER IF EXISTS bursar@"%"'
}

# block N: the N-th of the page that is set off
block() {
	awk -v n="$1" '
		/^\.Bd -literal/ { inside = ++seen == n; next }
		/^\.Ed/ { inside = 0 }
		inside' "$page"
}

# The page's slurmdbd.conf on a host, with the servers and the folder of this test.
conf_of_page() {
	block 2 | sed "s,=db1.db2.db3,=$(sql_hosts):$sql_port,
		s,=/var/lib/bursar,=$(host_folder "$1" store)," >"$(host_conf "$1")"
	chmod o= "$(host_conf "$1")"
}

set_up() {
	block 1 | grep -q '^GRANT'
	sql_ask 1 "$(block 1)"
	conf_of_page a
	conf_of_page b
	[[ $(grep -c = "$(host_conf a)") == 6 ]]
}

@test "the lines of the manual make a site, with the store that there was" {
	set_up
	alone sacctmgr -iQ add account physics
	alone sacctmgr -iQ add user ann account=physics
	on a $(block 3 | sed "s,/backup/acct.db,$BATS_TEST_TMPDIR/alone.db,")
	on b $(block 4) >ping
	grep -q '^log(1) at 127.0.0.1:'"$sql_port is UP" ping
	has_user b ann
	on b sacctmgr -iQ add user bob account=physics
	agree a b
}

@test "the rights it names are enough, and CREATE only until the tables are there" {
	set_up
	on a sacctmgr -iQ add account physics
	sql_ask 1 "REVOKE CREATE ON bursar.* FROM bursar@'%'"
	conf_add SnapshotEntries=5
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		on b sacctmgr -iQ add user "u$i" account=physics
	done
	(($(log_ask 'SELECT COUNT(*) FROM bursar_snapshot') == 2))
	agree a b
}

@test "how to leave" {
	set_up
	on a sacctmgr -iQ add account physics
	on b sacctmgr -iQ add user ann account=physics
	on a sacctmgr backup "$BATS_TEST_TMPDIR/acct.db" >/dev/null
	grep -A1 '^\.Dl StorageType=' "$page" |
		sed "s/^\.Dl //; s,/var/lib/bursar,$BATS_TEST_TMPDIR," >"$(host_conf a)"
	sql_ask 1 'DROP DATABASE bursar'
	on a sacctmgr -iQ add user bob account=physics
	has_user a ann
	has_user a bob
}

# A server with a certificate that nobody but this test's authority has signed.
with_tls() {
	local dir=$sql_dir/1/tls
	mkdir -p "$dir"
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority \
		-keyout "$dir/ca-key.pem" -out "$dir/ca.pem" 2>/dev/null
	openssl req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout "$dir/key.pem" \
		-out "$dir/request.pem" 2>/dev/null
	openssl x509 -req -days 2 -in "$dir/request.pem" -CA "$dir/ca.pem" \
		-CAkey "$dir/ca-key.pem" -CAcreateserial -out "$dir/cert.pem" 2>/dev/null \
		-extfile <(echo 'subjectAltName=IP:127.0.0.1')
	chmod -R a+rX "$dir"
	cp "$dir/ca.pem" "$BATS_TEST_TMPDIR/ca.pem"
	sql_end 1
	sql_again 1 --ssl-ca="$dir/ca.pem" --ssl-cert="$dir/cert.pem" --ssl-key="$dir/key.pem"
}

@test "TLS: the certificate of the server is checked" {
	set_up
	with_tls
	sql_ask 1 "ALTER USER bursar@'%' REQUIRE SSL"
	refuses '127.0.0.1' on a sshare -a
	conf_add "StorageParameters=SSL_CA=$BATS_TEST_TMPDIR/ca.pem"
	on a sacctmgr -iQ add account physics
	on b sshare -a >/dev/null
	agree a b
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger \
		-keyout /dev/null -out "$BATS_TEST_TMPDIR/ca.pem" 2>/dev/null
	capture on a sacctmgr -iQ add account music
	[[ $status == 1 && $stderr == *127.0.0.1* ]]
	sql_end 1
	sql_again 1
}
