/*
 * sacctmgr: accounts, users, associations, QOS and all that hangs on them
 * (Slurm's src/sacctmgr/sacctmgr.c). Options, verbs, and which entity a verb is
 * about.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/sacctmgr/dry_run.h"
#include "cmd/sacctmgr/help.h"
#include "cmd/sacctmgr/input.h"
#include "cmd/sacctmgr/options.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "cmd/sacctmgr/shell.h"
#include "cmd/sacctmgr/suggest.h"
#include "common/base/memory.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/deliver/deliver.h"
#include "db/store/meta.h"

/* In the order in which abbreviations are tried. */
const struct entity *const sacctmgr_entities[] = {
	&account_entity,
	&assoc_entity,
	&cluster_entity,
	&configuration_entity,
	&coordinator_entity,
	&event_entity,
	&federation_entity,
	&instance_entity,
	&job_entity,
	&problem_entity,
	&qos_entity,
	&reservation_entity,
	&resource_entity,
	&runaway_entity,
	&stats_entity,
	&txn_entity,
	&user_entity,
	&wckey_entity,
	&tres_entity,
	NULL,
};

/* ---- verbs ---------------------------------------------------------------*/

static void no_entity(struct session *s, enum verb verb)
{
	static const char *const texts[VERBS] = {
		[VERB_ADD] =
			"No valid entity in add command\nInput line must "
			"include \"Account\", \"Cluster\", \"Coordinator\", "
			"\"Federation\", \"QOS\", \"Resource\", or \"User\"",
		[VERB_SHOW] =
			"No valid entity in list command\nInput line must "
			"include \"Account\", \"Association\", \"Cluster\", "
			"\"Configuration\",\n\"Event\", \"Federation\", "
			"\"Problem\", \"QOS\", \"Resource\", "
			"\"Reservation\",\n\"RunAwayJobs\", \"Stats\", "
			"\"Transaction\", \"TRES\", \"User\", or \"WCKey\"",
		[VERB_MODIFY] =
			"No valid entity in modify command\nInput line must "
			"include \"Account\", \"Cluster\", \"Federation\", "
			"\"Job\", \"QOS\", \"Resource\" or \"User\"",
		[VERB_DELETE] =
			"No valid entity in delete command\nInput line must "
			"include \"Account\", \"Cluster\", \"Coordinator\", "
			"\"Federation\", \"QOS\", \"Resource\", or \"User\"",
	};

	complain(s, "%s", texts[verb]);
}

static int verb_entity(struct session *s, char **words, int n)
{
	enum verb verb = program(s)->verb->verb;
	const struct entity *entity = n ? find_entity(verb, words[0]) : NULL;

	if (entity) {
		program(s)->showing = verb == VERB_SHOW ? entity : NULL;
		program(s)->entity = entity;
		return verb == VERB_SHOW
			       ? entity_show(s, entity, words + 1, n - 1)
			       : change_entity(s, entity->changes, verb,
					 words + 1, n - 1);
	}
	no_entity(s, verb);
	if (n)
		suggest_entity(verb, words[0]);
	return -1;
}

static int verb_exit(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	program(s)->leave = true;
	return 0;
}

static int verb_version(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	cli_version(options(s)->verbose);
	return 0;
}

static int verb_help(struct session *s, char **words, int n);

/* The option of the same name, for the rest of the session. */
static int verb_option(struct session *s, char **words, int n)
{
	const struct option_row *row = sacctmgr_option_rows;
	char name[64];

	(void)words;
	(void)n;
	words_first(program(s)->verb->names, name, sizeof(name));
	while (strcmp(row->name, name))
		row++;
	row->take(options(s), row, NULL);
	return 0;
}

/* clang-format off */
const struct verb_word sacctmgr_verbs[] = {
	{"associations:3", verb_option, EXTRA_ALLOWED, "associations", "listings of accounts and users show associations", AFTER_NOTHING, VERBS, STORE_NONE},
	{"dump:3", dump_command, EXTRA_ALLOWED, "dump CLUSTER [file=FILE] [format=yaml]", "write a cluster to a file", AFTER_DUMP, VERBS, STORE_READ},
	{"help:2", verb_help, EXTRA_KEYWORD_COLON, "help [ENTITY]", "this text, or the words of an entity", AFTER_HELP, VERBS, STORE_NONE},
	{"load:2", load_command, EXTRA_ALLOWED, "load FILE [cluster=NAME] [clean]", "read a flat file", AFTER_LOAD, VERBS, STORE_CREATE},
	{"oneliner:1", verb_option, EXTRA_KEYWORD_COLON, "oneliner", "accepted, no effect", AFTER_NOTHING, VERBS, STORE_NONE},
	{"quiet:4", verb_option, EXTRA_KEYWORD_COLON, "quiet", "fewer messages", AFTER_NOTHING, VERBS, STORE_NONE},
	{"exit:4 quit:4 \\q:2", verb_exit, EXTRA_KEYWORD_COLON, "exit, quit", "leave", AFTER_NOTHING, VERBS, STORE_NONE},
	{"add:3 create:3", verb_entity, EXTRA_ALLOWED, "add ENTITY ...", "add records", AFTER_ENTITY, VERB_ADD, STORE_CREATE},
	{"archive:3", archive_command, EXTRA_ALLOWED, "archive dump|load ...", "write old records to a file, read them back", AFTER_NOTHING, VERBS, STORE_WRITE},
	{"backup:3", backup_command, EXTRA_ALLOWED, "backup FILE", "write the whole store to a file, while others use it", AFTER_NOTHING, VERBS, STORE_READ},
	{"check:3", check_command, EXTRA_ALLOWED, "check [CHECK...]", "is all of the store right? Exit status 2: no", AFTER_CHECK, VERBS, STORE_READ},
	{"clear:3", clear_command, EXTRA_ALLOWED, "clear stats", "accepted, no effect", AFTER_NOTHING, VERBS, STORE_READ},
	{"show:3 list:3", verb_entity, EXTRA_ALLOWED, "show ENTITY ...", "list records", AFTER_ENTITY, VERB_SHOW, STORE_READ},
	{"modify:1 update:1", verb_entity, EXTRA_ALLOWED, "modify ENTITY where ... set ...", "change records", AFTER_ENTITY, VERB_MODIFY, STORE_WRITE},
	{"delete:3 remove:3", verb_entity, EXTRA_ALLOWED, "delete ENTITY where ...", "delete records", AFTER_ENTITY, VERB_DELETE, STORE_WRITE},
	{"verbose:4", verb_option, EXTRA_FOR_KEYWORD, "verbose", "more messages", AFTER_NOTHING, VERBS, STORE_NONE},
	{"ping:4", ping_command, EXTRA_ALLOWED, "ping", "can the store be read and written?", AFTER_NOTHING, VERBS, STORE_WRITE},
	{"readonly:4", verb_option, EXTRA_FOR_KEYWORD, "readonly", "refuse changes from now on", AFTER_NOTHING, VERBS, STORE_NONE},
	{"reconfigure:4", reconfigure_command, EXTRA_FOR_KEYWORD, "reconfigure", "accepted, no effect", AFTER_NOTHING, VERBS, STORE_READ},
	{"rollup:2", rollup_command, EXTRA_ALLOWED, "rollup [START] [END] [ARCHIVE]", "accepted, no effect", AFTER_NOTHING, VERBS, STORE_READ},
	{"rebuild:3", rebuild_command, EXTRA_ALLOWED, "rebuild usage|rollups [cluster=NAME,...]", "usage or roll-ups anew from the job records", AFTER_REBUILD, VERBS, STORE_WRITE},
	{"restore:4", restore_command, EXTRA_ALLOWED, "restore FILE", "put a backup in the place of the store, which is kept", AFTER_NOTHING, VERBS, STORE_WRITE},
	{"redo:4", redo_command, EXTRA_ALLOWED, "redo [ID|last|since=TIME|actor=NAME]", "make undone changes once more", AFTER_UNDO, VERBS, STORE_WRITE},
	{"undo:3", undo_command, EXTRA_ALLOWED, "undo [ID|last|since=TIME|actor=NAME]", "take changes back, the newest first", AFTER_UNDO, VERBS, STORE_WRITE},
	{"ensure:3", ensure_command, EXTRA_ALLOWED, "ensure ENTITY ...", "add it, or set what differs: changed or unchanged", AFTER_ENTITY, VERB_ADD, STORE_CREATE},
	{"absent:3", absent_command, EXTRA_ALLOWED, "absent ENTITY ...", "delete it if it is there: changed or unchanged", AFTER_ENTITY, VERB_DELETE, STORE_WRITE},
	{"diff:3", diff_command, EXTRA_ALLOWED, "diff [directory] FILE [FILE] [prune]", "how the store, or a file, differs from a file of dump; exit status 2: it does", AFTER_DIFF, VERBS, STORE_NONE},
	{"apply:3", apply_command, EXTRA_ALLOWED, "apply [directory] FILE [prune] [max-delete=N]", "make the store as such a file, or a mapping of groups, says", AFTER_APPLY, VERBS, STORE_CREATE},
	{"shutdown:4", shutdown_command, EXTRA_FOR_KEYWORD, "shutdown", "accepted, no effect", AFTER_NOTHING, VERBS, STORE_READ},
	{"version:4", verb_version, EXTRA_FOR_KEYWORD, "version", "print the version", AFTER_NOTHING, VERBS, STORE_NONE},
	{NULL, NULL, EXTRA_ALLOWED, NULL, NULL, AFTER_NOTHING, VERBS, STORE_NONE},
};
/* clang-format on */

static void check_extra(struct session *s, const struct verb_word *verb,
	char **words, int n)
{
	if (n < 2 || verb->extra == EXTRA_ALLOWED ||
		(verb->run == verb_help && find_any_entity(words[1])))
		return;
	if (verb->extra == EXTRA_KEYWORD_COLON)
		complain(s, "too many arguments for keyword:%s", words[0]);
	else
		complain(s, "too many arguments for %s keyword", words[0]);
}

/* What the command needs of the store. Words that are no command need none. */
static enum store_mode mode_of(const struct session *s,
	const struct verb_word *verb, char **words, int n)
{
	if (verb->after == AFTER_ENTITY &&
		(n < 2 || !find_entity(verb->verb, words[1])))
		return STORE_NONE;
	if ((options(s)->readonly || options(s)->dry_run) && verb->opens > STORE_READ)
		return STORE_READ;
	return verb->opens;
}

static void session_close(struct session *s)
{
	if (s->store && options(s)->dry_run)
		dry_run_close(s);
	if (s->store)
		site_close(&s->site);
	s->store = NULL;
}

int session_open(struct session *s, enum store_mode mode)
{
	bool first = !program(s)->warned;

	if (mode == STORE_NONE ||
		(s->store && (mode == STORE_READ || !s->store->is_private)))
		return 0;
	session_close(s);
	if (site_open(&s->site, mode, false, &s->err))
		return -1;
	if (options(s)->dry_run && dry_run_open(s)) {
		site_close(&s->site);
		return -1;
	}
	s->store = &s->site.store;
	if (mode > STORE_READ)
		deliver_here(&s->site, &(struct delivered){0});
	program(s)->warned = true;
	if (first) {
		cli_print_warnings(&s->site.conf.warnings);
		cli_print_hints(&s->site.conf.hints);
	}
	return 0;
}

static bool changes_records(const struct verb_word *verb)
{
	return verb->after == AFTER_LOAD || verb->after == AFTER_UNDO ||
	       verb->after == AFTER_APPLY || verb->verb == VERB_ADD ||
	       verb->verb == VERB_MODIFY || verb->verb == VERB_DELETE;
}

static bool may_run(struct session *s, const struct verb_word *verb)
{
	if (options(s)->queue && verb->opens > STORE_READ &&
		(verb->run != verb_entity || !s->immediate)) {
		complain(s, " --queue goes with -i and add, modify or delete");
		return false;
	}
	if (!options(s)->readonly ||
		(!changes_records(verb) && verb->run != archive_command))
		return true;
	complain(s, "Can't run this command in readonly mode.");
	return false;
}

/* `srecord sync` would revert a change: it must be made in Slurm. The private
 * copy of a what-if may be changed. */
static bool follows_slurm(struct session *s, const struct verb_word *verb)
{
	int64_t follows = 0;

	if (!s->store || s->store->is_private || !changes_records(verb))
		return false;
	if (meta_get_int(s->store, META_FOLLOWS, &follows)) {
		complain_err(s);
		return true;
	}
	if (!follows)
		return false;
	complain(s, " This store follows slurmdbd: change it there, or end "
		    "that with 'srecord sync --end'");
	s->status = 1;
	return true;
}

/* Verbs that hand a plan to the session's hook. */
static bool can_be_tried(const struct verb_word *verb)
{
	return verb->after == AFTER_ENTITY || verb->after == AFTER_LOAD ||
	       verb->after == AFTER_UNDO || verb->after == AFTER_APPLY ||
	       verb->after == AFTER_REBUILD || verb->run == archive_command ||
	       verb->run == restore_command;
}

void run_command(struct session *s, char **words, int n)
{
	const struct verb_word *verb;
	struct strv line = {0};
	bool failed;

	arena_reset(&s->arena);
	*s->err.text = '\0';
	program(s)->showing = NULL;
	program(s)->entity = NULL;
	program(s)->last_lines = NULL;
	program(s)->words = words;
	program(s)->n_words = n;
	program(s)->changed = program(s)->waits = false;
	s->until = 0;
	memset(program(s)->named, 0, sizeof(program(s)->named));
	for (int i = 0; i < n; i++)
		strv_push(&line, &s->arena, words[i]);
	s->command = strv_join(&line, " ", &s->arena);
	verb = find_verb(words[0]);
	if (!verb) {
		complain(s, "invalid keyword: %s", words[0]);
		suggest_verb(words[0]);
		return;
	}
	check_extra(s, verb, words, n);
	if (options(s)->fix && verb->run != check_command) {
		complain(s, " --fix goes with check");
		return;
	}
	if (options(s)->dry_run && verb->opens >= STORE_WRITE && !can_be_tried(verb)) {
		dry_run_refuse(s, words[0]);
		return;
	}
	if (session_open(s, mode_of(s, verb, words, n))) {
		if (verb->run == ping_command)
			ping_down(s);
		if (verb->run == restore_command &&
			(s->err.kind == ERR_STORE || s->site.by_log)) {
			if (restore_over_damage(s, words + 1, n - 1))
				s->status = 1;
			arena_release(&s->site.arena);
			return;
		}
		complain_err(s);
		return;
	}
	if (s->store)
		s->store->command = s->command;
	if (follows_slurm(s, verb))
		return;
	program(s)->verb = verb;
	failed = !may_run(s, verb) || verb->run(s, words + 1, n - 1) != 0;
	if (failed)
		s->status = 1;
	if (s->store && (failed || program(s)->showing))
		suggest_names(s);
}

/* ---- help ----------------------------------------------------------------*/

static int verb_help(struct session *s, char **words, int n)
{
	const struct entity *entity = n ? find_any_entity(words[0]) : NULL;

	if (n && !entity)
		return -1;
	if (entity)
		help_entity(output(s), entity, &s->arena);
	else
		help_usage(output(s));
	return 0;
}

int main(int argc, char **argv)
{
	char **typed = memory_zeroed((size_t)argc + 1, sizeof(*typed));
	struct program p = {
		.session = {.hooks = &ask_hooks,
			.hints = &suggest_hints,
			.for_people = cli_hints()},
		.opt = {.heading = true},
		.argv = typed,
		.argc = argc};
	struct session *s = &p.session;
	int first;

	cli_init(argv[0]);
	input_init();
	p.out = stdout;
	memcpy(typed, argv, (size_t)argc * sizeof(*argv)); /* getopt sorts */
	first = sacctmgr_options(&p.opt, argc, argv);
	argv += first;
	argc -= first;
	s->immediate = p.opt.immediate || p.opt.dry_run;
	if (p.opt.dry_run)
		s->hooks = &dry_run_hooks;
	if (p.opt.quiet && p.opt.verbose) {
		fputs("conflicting 'quiet' and 'verbose' options\n", stderr);
		free(typed);
		return 1;
	}
	cli_progress(p.opt.quiet);
	arena_init(&s->arena);
	if (argc)
		run_command(s, argv, argc);
	else
		run_shell(s);
	session_close(s);
	arena_release(&s->arena);
	free(typed);
	return s->status;
}
