# fish completion of sreport: bursar knows what could stand at the cursor.
complete -c sreport -f -a \
	'(bursar --complete -- sreport (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
