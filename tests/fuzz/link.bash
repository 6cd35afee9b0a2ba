# Sourced by run and replay: what a fuzz target is linked with.

# needs FILE: prints the program whose main file the target includes, if any.
program_of() {
	sed -n 's|^#include "cmd/\([a-z]*\)\.c"|\1|p' "$1"
}

# link_of FILE BUILD_FOLDER: sets link to what stands behind the sources, parts to what has to be
# made first.
link_of() {
	local program libraries=(-Wl,--as-needed -lsqlite3 -ljson-c -lyaml -lz -lm)
	program=$(program_of "$1")
	if [[ ! $program ]]; then
		parts=() link=("$2/libcommon.a" "${libraries[@]}")
		return
	fi
	parts=("$2/parts/$program.a" "$2/libdb.a")
	link=("${parts[@]}" "$2/libcommon.a" "${libraries[@]}" -pthread)
	local name
	for name in exit atexit getuid geteuid sqlite3_open_v2 sqlite3_close; do
		link+=("-Wl,--wrap=$name")
	done
}
