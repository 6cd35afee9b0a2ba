# fish completion of sprio: bursar knows what could stand at the cursor.
complete -c sprio -f -a \
	'(bursar --complete -- sprio (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
