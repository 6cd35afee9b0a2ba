# tests/tags-twice, by which tests/lint holds that a tag names one thing.

bats_require_minimum_version 1.5.0

# In a folder of its own: source FILE LINE
source_of() {
	mkdir -p "${1%/*}"
	printf '%s\n' "$2" >>"$1"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

twice() {
	# shellcheck disable=SC2046
	"$BATS_TEST_DIRNAME/../tags-twice" $(find . -name '*.[ch]' | sed 's,^\./,,' | sort)
}

@test "tags: one definition each, uses and comments do not count" {
	source_of common/fair/a.c 'struct reading {'
	source_of common/fair/b.c 'struct reading *r;'
	source_of common/fair/b.c ' * struct reading {'
	source_of common/fair/b.c 'struct reading read_one(void)'
	source_of db/job/c.c 'enum what { ONE };'
	run -0 twice
	[[ ! $output ]]
}

@test "tags: a second definition is printed with the first" {
	source_of common/fair/a.c 'struct reading {'
	source_of db/job/c.c 'enum reading { ONE };'
	source_of cmd/sacct/d.c 'static const struct reading {'
	run -0 twice
	[[ $output == "cmd/sacct/d.c:1: reading
common/fair/a.c:1: reading is defined twice: let it say which
db/job/c.c:1: reading is defined twice: let it say which" ]]
}

@test "tags: every program may have options, rows and a session" {
	for tag in options row rows session; do
		source_of cmd/sacct/sacct.h "struct $tag {"
		source_of cmd/squeue.c "struct $tag {"
		source_of db/change/change.h "struct $tag {"
	done
	run -0 twice
	[[ ! $output ]]
	source_of cmd/squeue/row.h 'struct row {'
	run -0 twice
	[[ $output == *"cmd/squeue/row.h:1: row is defined twice"* ]]
}
