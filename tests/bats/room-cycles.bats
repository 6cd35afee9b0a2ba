# tests/room-cycles, which tests/lint runs over the objects that were built.

bats_require_minimum_version 1.5.0

cycles() {
	"$BATS_TEST_DIRNAME/../room-cycles"
}

@test "rooms that call downwards are fine" {
	run cycles <<-END
		common/fair/a.o:                 U base
		common/fair/a.o:0000000000000000 T fair
		common/base/b.o:0000000000000000 T base
		cmd/sprio.o:                 U fair
		cmd/sprio.o:                 U printf
		cmd/sprio/rows.o:                 U main_part
		cmd/sprio.o:0000000000000000 T main_part
		common/base/c.o:0000000000000000 t fair
		cmd/squeue.o:                 U sort_rows
		cmd/squeue/sort.o:0000000000000000 T sort_rows
		cmd/squeue/sort.o:                 U rows
		cmd/sprio/sort.o:0000000000000000 T sort_rows
		cmd/sprio/sort.o:                 U format
		cmd/squeue/format.o:0000000000000000 T format
	END
	[[ $status == 0 && ! $output ]]
}

@test "a cycle is printed with its objects" {
	run cycles <<-END
		db/view/a.o:                 U fair
		common/fair/a.o:                 U base
		common/fair/a.o:0000000000000000 T fair
		common/base/b.o:0000000000000000 T base
		common/base/b.o:                 U table
		common/text/c.o:                 U fair_words
		common/text/c.o:0000000000000000 D table
		common/fair/d.o:0000000000000000 R fair_words
	END
	echo "$output"
	[[ $output == "a cycle of rooms:
  common/fair uses common/base: common/fair/a.o calls base of common/base/b.o
  common/base uses common/text: common/base/b.o calls table of common/text/c.o
  common/text uses common/fair: common/text/c.o calls fair_words of common/fair/d.o" ]]
}

@test "a library that calls a program" {
	run -0 cycles <<-END
		cmd/sprio.o:                 U fair
		common/fair/a.o:0000000000000000 T fair
		common/fair/a.o:                 U usage
		cmd/sprio/options.o:0000000000000000 T usage
	END
	[[ $output == *"common/fair uses cmd/sprio:"* ]]
	[[ $output == *"common/fair/a.o calls usage of cmd/sprio/options.o"* ]]
}

@test "objects without symbols prove nothing" {
	run -0 cycles </dev/null
	[[ $output == "skip: nm reads no symbols of these objects" ]]
}
