# fish completion of spage: bursar knows what could stand at the cursor.
complete -c spage -a \
	'(bursar --complete -- spage (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
