# fish completion of bursar and, through links with their names, of its programs: the program itself
# is asked what could stand at the cursor, and what that is.
function __bursar_complete
	set -l words (commandline -opc)
	set -l found ($words[1] --complete=help -- $words[2..-1] (commandline -ct) 2>/dev/null)
	if set -q found[1]
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end

complete -c (string replace -r '^.*/(.*)\.fish$' '$1' (status filename)) -f -k \
	-a '(__bursar_complete)'
