# fish completion of sinfo: bursar knows what could stand at the cursor.
complete -c sinfo -f -a \
	'(bursar --complete -- sinfo (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
