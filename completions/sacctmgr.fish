# fish completion of sacctmgr: the program itself is asked what could stand at the cursor.
complete -c sacctmgr -n 'not __fish_seen_subcommand_from load dump archive' -f
complete -c sacctmgr \
	-a '(sacctmgr --complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
