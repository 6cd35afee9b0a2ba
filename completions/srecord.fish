# fish completion of srecord: bursar knows what could stand at the cursor.
complete -c srecord -a \
	'(bursar --complete -- srecord (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
