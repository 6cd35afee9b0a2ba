# fish completion of squeue: bursar knows what could stand at the cursor.
complete -c squeue -f -a \
	'(bursar --complete -- squeue (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
