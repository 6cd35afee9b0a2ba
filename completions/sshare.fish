# fish completion of sshare: bursar knows what could stand at the cursor.
complete -c sshare -f -a \
	'(bursar --complete -- sshare (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
