#!/usr/bin/env bats
# A program that holds the log and sleeps, or whose host is gone without a word: the server frees
# the log before others that wait for it give up.

load lib

setup() {
	fresh_site a b
	populate
	proxy_before a
	on a sshare -a >/dev/null
}

@test "a sleeper loses the log before others give up, and makes its change again" {
	local sleeper
	[[ ${LONG-} ]] || skip 'LONG=1: it takes half a minute'
	printf '#!/bin/sh\ntouch held; while [ ! -e go ]; do sleep 0.1; done\n' >"$proxy/script"
	chmod +x "$proxy/script"
	rule run START TRANSACTION
	on a sacctmgr -iQ add user dee account=music >said 2>&1 3>&- &
	sleeper=$!
	until_true test -e "$proxy/held"
	on b sacctmgr -iQ add user eve account=music
	touch "$proxy/go"
	wait $sleeper || { cat said; return 1; }
	has_user b dee
	has_user a eve
	agree a b
}
