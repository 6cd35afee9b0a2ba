# fish completion of sacct: bursar knows what could stand at the cursor.
complete -c sacct -f -a \
	'(bursar --complete -- sacct (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
