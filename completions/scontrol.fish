# fish completion of scontrol: bursar knows what could stand at the cursor.
complete -c scontrol -f -a \
	'(bursar --complete -- scontrol (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
