# fish completion of seff: bursar knows what could stand at the cursor.
complete -c seff -f -a \
	'(bursar --complete -- seff (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
