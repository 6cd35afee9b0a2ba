# fish completion of ssim: bursar knows what could stand at the cursor.
complete -c ssim -a \
	'(bursar --complete -- ssim (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
