# fish completion of splan: bursar knows what could stand at the cursor.
complete -c splan -f -a \
	'(bursar --complete -- splan (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
