# Bursar: one Makefile, not recursive.
#
# Targets
#   all             the programs, in build/bin (default)
#   optimized       the same with an ssim that is built with a profile: minutes
#   demo            build, load the example cluster, show tree, fair-share, priorities
#   check           everything that must be green: unit, bats, recordings, lint
#   check-unit      unit tests only              check-bats   bats only
#   check-lint      source checks that need no extra tool
#   check-asan      check-unit and check-bats under AddressSanitizer and UBSan (build/asan)
#   check-valgrind  unit tests under valgrind
#   check-slurm     srecord sync beside a real Slurm of Debian's packages, which it installs (root)
#   check-mariadb   many hosts over a log in MariaDB: one server in a temporary folder (LONG=1: longer)
#   check-galera    ... and over three servers as a Galera cluster, one killed, frozen, cut off
#   bench           speeds, each as a ratio to something run beside it: tests/bench/table says how
#                   to choose sizes and rows, and to compare (BASE=old.json JSON=new.json)
#   torture         kills, faults, power cuts, many at once (TORTURE='kills=10000 ...', minutes)
#   analyze         gcc -fanalyzer, clang-tidy and cppcheck; tests/analyze.answers answers them
#   fuzz            libFuzzer on every parser (clang), FUZZ_SECONDS each
#   format          clang-format over the tree
#   install         programs, man pages, completions below DESTDIR/PREFIX; with LIBEXEC=DIR the
#                   programs are in DIR, where `bursar PROGRAM` finds them, and manuals are
#                   bursar-PROGRAM: for machines with Slurm
#                   SETGID=group: the programs get the rights of that group, which owns the
#                   store's folder (man/bursar-store.5)
#   uninstall       takes them away again (same knobs); the store stays
#   deb             Debian packages in O (packaging/deb)
#   deb-trained     the same with an ssim that was built with a profile: minutes
#   dist            a tarball that builds without git, in O
#   clean
#
# Knobs
#   CC=gcc|clang    V=1 (show commands)
#   DEVELOPER=1     warnings are errors, and debuggers know variables, not lines alone
#   SANITIZE=address,undefined    O=DIR (build folder, default build)
#   MARIADB=no      leave srecord sync from=mysql and replicas of a log out (as without
#                   libmariadb's headers)
#   CFLAGS= LDFLAGS= added last   FUZZ_SECONDS=20       PREFIX=/usr/local DESTDIR=
#   CONF_FOLDER=/etc/slurm (slurm.conf where SLURM_CONF names none)
#   BENCH='table changes history ssim splan hosts sync'     scripts of tests/bench
#   BATS='bats'     TESTS='tests/bats/x.bats ...' (default: all)

VERSION := 0.2.0
O ?= build
PREFIX ?= /usr/local
CONF_FOLDER ?= /etc/slurm
BATS ?= bats
BENCH ?= table changes history ssim splan hosts sync
FUZZ_SECONDS ?= 20
Q := $(if $(V),,@)

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2
HARDENING := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
ALL_CFLAGS := -std=c11 -O2 $(if $(DEVELOPER),-g,-g1) -I. -D_GNU_SOURCE -DBURSAR_VERSION='"$(VERSION)"' \
	-DBURSAR_CONF_FOLDER='"$(CONF_FOLDER)"' \
	$(WARNINGS) $(if $(DEVELOPER),-Werror) \
	$(if $(SANITIZE),,$(HARDENING)) $(SANITIZE_FLAGS) -MMD -MP $(CFLAGS)
ALL_LDFLAGS := -pie -Wl,-z,relro,-z,now -Wl,--as-needed $(SANITIZE_FLAGS) $(LDFLAGS)
LIBS := -lsqlite3 -ljson-c -lyaml -lz -lm

# srecord sync from=mysql needs libmariadb; without it everything else is built.
WITH_MARIADB := $(if $(filter no,$(MARIADB)),,$(wildcard /usr/include/mariadb/mysql.h /usr/local/include/mariadb/mysql.h))
LEFT_OUT := $(if $(WITH_MARIADB),,$(wildcard cmd/srecord/sync/mysql*.c))
ALL_CFLAGS += $(if $(WITH_MARIADB),-DHAVE_MARIADB -isystem $(dir $(firstword $(WITH_MARIADB))))

COMMON := $(patsubst %.c,$(O)/%.o,$(wildcard common/*/*.c))
DB := $(patsubst %.c,$(O)/%.o,$(wildcard db/*/*.c)) $(O)/db/store/schema.o
NAMES := $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
PROGRAMS := $(NAMES:%=$(O)/bin/%)
UNITS := $(patsubst tests/unit/%.c,$(O)/unit/%,$(wildcard tests/unit/*.c))
STORE_UNITS := $(patsubst tests/unit/%.c,$(O)/unit/%,$(shell grep -lE '"(db/|tests/unit/store_)' tests/unit/*.c))
UNIT_LIBS = $(O)/libcommon.a $(filter-out -lsqlite3,$(LIBS))
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
TESTS ?= $(wildcard tests/bats/*.bats)
SOURCES = $(wildcard common/*/*.[ch] db/*/*.[ch] cmd/*.[ch] cmd/*/*.[ch] cmd/*/*/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch])

.PHONY: all optimized demo check check-unit check-bats check-lint check-asan check-valgrind check-slurm check-mariadb check-galera bench torture torture-tools growth-tools fuzz analyze format \
	install install-setgid uninstall deb deb-trained dist clean
.DELETE_ON_ERROR:
.SECONDARY: # objects are kept
all: $(PROGRAMS)

$(O)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC $<")
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The inner loops of planning call from file to file: the programs that plan and
# replay are optimized as a whole, a tenth faster. Not while developing: to link
# them takes five seconds. The others do not gain by it, and their link would do it
# again where it is not told otherwise, once for each program of unit tests.
LOOPS := base plan select sim
LTO := -flto=auto -ffat-lto-objects
PROFILE_generate := -fprofile-generate
PROFILE_use := -fprofile-use -fprofile-partial-training -Wno-missing-profile
ifeq ($(or $(SANITIZE),$(DEVELOPER),$(shell $(CC) -Werror $(LTO) -x c -fsyntax-only /dev/null 2>&1)),)
$(LOOPS:%=$(O)/common/%/%.o): ALL_CFLAGS += $(LTO) $(PROFILE_$(PROFILE))
ALL_LDFLAGS += -fno-lto
$(O)/bin/splan $(O)/bin/ssim: ALL_LDFLAGS += -flto=auto -O2 $(PROFILE_$(PROFILE))
endif

# ssim is built twice more, the second time for the branches that replays by the
# first took: under Slurm's rules alone, or the other policies count for most of
# it, on nodes of one CPU and of several, or what was not trained becomes slow. So
# would splan, which is left as it is.
TRAINED := $(O)/trained
TRAINING := tests/traces/KTH-SP2-1996.swf.gz
optimized: all $(TRAINED)/profile
	@$(MAKE) --no-print-directory O=$(TRAINED) DEVELOPER= PROFILE=use $(TRAINED)/bin/ssim
	cp $(TRAINED)/bin/ssim $(O)/bin/ssim
$(TRAINED)/profile: $(TRAINING) $(wildcard $(LOOPS:%=common/%/*.[ch]))
	rm -rf $(TRAINED)
	@$(MAKE) --no-print-directory O=$(TRAINED) DEVELOPER= PROFILE=generate $(TRAINED)/bin/ssim
	for nodes in 'nodes=100' 'nodes=25 --cpus-per-node=4'; do \
		$(TRAINED)/bin/ssim --policy=slurm --$$nodes \
			$(TRAINING) >/dev/null || break; done # another machine's program
	find $(TRAINED) -name '*.[oa]' -delete
	rm -r $(TRAINED)/bin
	@touch $@

# What names the version is built anew when it is another.
$(O)/version: FORCE
	@mkdir -p $(@D)
	@echo $(VERSION) | cmp -s - $@ || echo $(VERSION) >$@
.PHONY: FORCE
$(O)/common/cli/cli.o $(O)/cmd/spage/page.o: $(O)/version

$(O)/libcommon.a: $(COMMON)
$(O)/libdb.a: $(DB)
$(O)/lib%.a:
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# A program is cmd/NAME.c and, for a big one, the parts in cmd/NAME/.
.SECONDEXPANSION:
$(O)/bin/%: $(O)/cmd/%.o $$(addsuffix .o,$$(addprefix $(O)/,$$(basename $$(filter-out $$(LEFT_OUT),$$(wildcard cmd/$$*/*.c cmd/$$*/*/*.c))))) $(O)/libdb.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  LD $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(O)/libdb.a $(O)/libcommon.a $(LIBS) $(LIBS_$*)

# A program's parts without its main file: what a fuzz target of the program is linked with.
$(O)/parts/%.a: $$(addsuffix .o,$$(addprefix $(O)/,$$(basename $$(filter-out $$(LEFT_OUT),$$(wildcard cmd/$$*/*.c cmd/$$*/*/*.c)))))
	@mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# The bytes of a file, as C reads them.
BYTES = { od -An -v -tx1 | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; }

# What spage writes around its data: plain files, made into arrays of bytes. The page lets only the
# script run that has this hash.
$(O)/bin/spage: $(O)/cmd/spage/embedded.o
PAGE_SCRIPT = $(addprefix cmd/spage/,text.js tables.js pictures.js plan.js now.js page.js)
$(O)/cmd/spage/embedded.c: cmd/spage/page.html cmd/spage/page.css $(PAGE_SCRIPT) Makefile
	@mkdir -p $(@D)
	$(Q){ echo "'use strict';"; echo '(() => {'; cat $(PAGE_SCRIPT); echo '})();'; } >$(@D)/page.js
	$(Q){ echo '#include "cmd/spage/spage.h"'; \
	bytes() { $(BYTES); echo '0};'; }; \
	echo 'const char page_template[] = {'; bytes <cmd/spage/page.html; \
	echo 'const char page_style[] = {'; bytes <cmd/spage/page.css; \
	echo 'const char page_script[] = {'; bytes <$(@D)/page.js; \
	hash=$$(sha256sum $(@D)/page.js | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64); \
	echo "const char page_script_hash[] = \"sha256-$$hash\";"; } >$@
$(O)/cmd/spage/embedded.o: $(O)/cmd/spage/embedded.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What a new store is made from: a plain file, made into an array of bytes.
$(O)/db/store/schema.c: db/store/schema.sql Makefile
	@mkdir -p $(@D)
	$(Q){ echo '#include "db/store/migrations.h"'; \
	echo '#include <stddef.h>'; \
	echo 'const char schema[] = {'; $(BYTES) <$<; echo '0};'; \
	echo 'const char *const schema_views_and_triggers[] = {'; \
	sed -n 's/^CREATE VIEW \([a-z_]*\).*/"view \1",/p; s/^CREATE TRIGGER \([a-z_]*\).*/"trigger \1",/p' $<; \
	echo 'NULL};'; } >$@
$(O)/db/store/schema.o: $(O)/db/store/schema.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

LIBS_srecord := -pthread

# Tests of the core name nothing of db/ and link without SQLite: that proves it pure.
$(STORE_UNITS): $(O)/libdb.a
$(STORE_UNITS): UNIT_LIBS := $(O)/libdb.a $(O)/libcommon.a $(LIBS)
# cmocka hands each test a state that most have no use for.
$(O)/tests/unit/%.o: ALL_CFLAGS += -Wno-unused-parameter
$(O)/unit/%: $(O)/tests/unit/%.o $(O)/libcommon.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $< $(UNIT_LIBS) -lcmocka

demo: all
	@tests/show-example $(O)/bin

check:
	@tests/run-all "$(MAKE)" "$(O)"

check-unit: $(UNITS)
	@status=0; for t in $(UNITS); do $$t || status=1; done; exit $$status

check-bats: all
	@BURSAR_BIN=$(abspath $(O)/bin) $(BATS) $(TESTS)

check-lint:
	@BURSAR_BIN=$(abspath $(O)/bin) tests/lint

check-asan:
	@$(MAKE) --no-print-directory O=$(O)/asan SANITIZE=address,undefined check-unit check-bats

check-valgrind: $(UNITS)
	@for t in $(UNITS); do valgrind -q --error-exitcode=1 --leak-check=full $$t || exit 1; done

check-slurm: all
	@sh tests/deps slurm && BURSAR_BIN=$(abspath $(O)/bin) $(BATS) $(or $(filter tests/slurm/%,$(TESTS)),tests/slurm)

check-mariadb check-galera: check-%: all $(O)/mariadb/proxy $(O)/mariadb/newer/bin/sacctmgr $(O)/torture/faults.so
	@sh tests/deps $* && BURSAR_BIN=$(abspath $(O)/bin) $(BATS) $(or $(filter tests/mariadb/%,$(TESTS)),$($*_TESTS))
galera_TESTS := $(wildcard tests/mariadb/galera*.bats)
mariadb_TESTS := $(filter-out $(galera_TESTS),$(wildcard tests/mariadb/*.bats))
$(O)/mariadb/proxy: tests/mariadb/proxy.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(TORTURE_CFLAGS) -o $@ $<

# Programs of a version to come, with one more migration: what there is now is the older one beside
# them.
NEWER := $(O)/mariadb/newer
$(NEWER)/migrations.c: db/store/migrations.c Makefile
	@mkdir -p $(@D)
	$(Q)sed 's/^\t{0, NULL},/\t{99, "ALTER TABLE account ADD COLUMN later TEXT"},\n&/' $< >$@
$(NEWER)/migrations.o: $(NEWER)/migrations.c
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<
$(NEWER)/bin/%: $(O)/cmd/%.o $(NEWER)/migrations.o $(O)/parts/%.a $(O)/libdb.a $(O)/libcommon.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS) $(LIBS_$*)

bench: optimized
	@for bench in $(BENCH); do tests/bench/$$bench $(O)/bin || exit; done

torture: all torture-tools
	@tests/torture/run $(O) $(TORTURE)

# What stands in front of libc must not be checked by a sanitizer.
torture-tools: $(O)/torture/torture $(O)/torture/faults.so
TORTURE_CFLAGS := -std=c11 -O2 -g -I. -D_GNU_SOURCE $(WARNINGS) $(if $(DEVELOPER),-Werror) $(CFLAGS)
$(O)/torture/torture: $(wildcard tests/torture/*.[ch]) tests/unit/older_store.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(TORTURE_CFLAGS) -Wno-format-truncation -o $@ \
		$(filter-out %/faults.c,$(filter %.c,$^)) -lsqlite3 -lz
$(O)/torture/faults.so: tests/torture/faults.c tests/torture/trace.h
	@mkdir -p $(@D)
	$(Q)$(CC) $(TORTURE_CFLAGS) -fPIC -shared -o $@ $<

# Counts SQLite's steps (tests/bats/growth.bats).
growth-tools: $(O)/growth/steps.so
$(O)/growth/steps.so: tests/growth/steps.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(TORTURE_CFLAGS) -fPIC -shared -o $@ $< -lsqlite3 -ldl

# The same targets are built with gcc as replay tests over their corpus (see tests/fuzz/README).
fuzz:
	@CC=clang tests/fuzz/run $(FUZZ_SECONDS) $(FUZZERS)

# Those that are installed; minutes.
analyze:
	@tests/analyze

format:
	clang-format -i $(SOURCES)

# Where things go; OWN_NAMES take the group of SETGID.
PROGRAM_FOLDER = $(DESTDIR)$(or $(LIBEXEC),$(PREFIX)/bin)
SHARE = $(DESTDIR)$(PREFIX)/share
FEEDERS = $(SHARE)/bursar/feeders
STORE_FOLDER = $(DESTDIR)/var/lib/bursar
OWN_NAMES = $(filter-out bursar spage,$(NAMES))

# of a page of man/
page_name = $(if $(filter bursar% %.2 %.3 %.4 %.5 %.6 %.7 %.8,$(1)),,$(if $(LIBEXEC),bursar-))$(1)
page_path = $(SHARE)/man/man$(patsubst .%,%,$(suffix $(1)))/$(call page_name,$(notdir $(1)))
# One file for each shell; those of bash and fish have a link for each plain name.
FOR_BASH = $(SHARE)/bash-completion/completions
FOR_FISH = $(SHARE)/fish/vendor_completions.d
FOR_ZSH = $(SHARE)/zsh/site-functions
COMPLETED = $(if $(LIBEXEC),,$(filter-out bursar,$(NAMES)))
PAGES = $(wildcard man/*.[1-8])

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(PROGRAM_FOLDER)
	install $(PROGRAMS) $(PROGRAM_FOLDER)
	$(if $(LIBEXEC),ln -sf $(LIBEXEC)/bursar $(DESTDIR)$(PREFIX)/bin/bursar)
	$(foreach p,$(PAGES),install -D -m 644 $(p) $(call page_path,$(p)) &&) :
	install -D -m 644 -t $(FOR_BASH) completions/bursar
	install -D -m 644 -t $(FOR_FISH) completions/bursar.fish
	install -D -m 644 -t $(FOR_ZSH) completions/_bursar
	$(if $(LIBEXEC),sed -i '1s/ .*/ bursar/' $(FOR_ZSH)/_bursar)
	$(foreach n,$(COMPLETED),ln -sf bursar $(FOR_BASH)/$(n) && ln -sf bursar.fish $(FOR_FISH)/$(n).fish &&) :
	install -d $(FEEDERS) $(SHARE)/bursar/example
	install packaging/feeders/* $(FEEDERS)
	chmod 644 $(FEEDERS)/cron
	install tests/show-example $(SHARE)/bursar
	install tests/example/jobs $(SHARE)/bursar/example
	install -m 644 tests/example/*.c* $(SHARE)/bursar/example
	$(if $(SETGID),$(MAKE) --no-print-directory install-setgid)

# The store's folder is shared by a group that nobody need be in: the programs are.
install-setgid:
	install -d -m 2770 -g $(SETGID) $(STORE_FOLDER)
	for file in $(STORE_FOLDER)/acct.db*; do \
		[ ! -f "$$file" ] || { chgrp $(SETGID) "$$file" && chmod 660 "$$file"; }; done
	chgrp $(SETGID) $(OWN_NAMES:%=$(PROGRAM_FOLDER)/%)
	chmod 2755 $(OWN_NAMES:%=$(PROGRAM_FOLDER)/%)

# With the knobs of the install. The store stays.
uninstall:
	rm -f $(NAMES:%=$(PROGRAM_FOLDER)/%) $(if $(LIBEXEC),$(DESTDIR)$(PREFIX)/bin/bursar) \
		$(foreach p,$(PAGES),$(call page_path,$(p))) \
		$(foreach n,bursar $(COMPLETED),$(FOR_BASH)/$(n) $(FOR_FISH)/$(n).fish) \
		$(FOR_ZSH)/_bursar
	rm -rf $(SHARE)/bursar

deb: all
deb-trained: optimized
deb deb-trained:
	@packaging/deb $(VERSION) $(abspath $(O)) "$(MAKE)"

dist:
	@mkdir -p $(O)
	git archive --prefix=bursar-$(VERSION)/ \
		--add-virtual-file=bursar-$(VERSION)/bursar.spec:"$$(git show \
		HEAD:packaging/bursar.spec.in | sed 's/@VERSION@/$(VERSION)/')" \
		HEAD | gzip -9n >$(O)/bursar-$(VERSION).tar.gz

clean:
	rm -rf $(O)

-include $(COMMON:.o=.d) $(DB:.o=.d) $(wildcard $(O)/cmd/*.d $(O)/cmd/*/*.d $(O)/cmd/*/*/*.d $(O)/tests/unit/*.d)
