# fish completion of bursar: bursar knows what could stand at the cursor.
complete -c bursar -f -a \
	'(bursar --complete -- bursar (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
