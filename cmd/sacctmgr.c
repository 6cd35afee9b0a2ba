/*
 * sacctmgr: accounts, users, associations, QOS and all that hangs on them
 * (spec/sacctmgr.md). Options, verbs, and which entity a verb is about.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sacctmgr/complete.h"
#include "cmd/sacctmgr/help.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "cmd/sacctmgr/shell.h"
#include "common/cli.h"
#include "common/options.h"
#include "common/words.h"

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

static int run_entity(
	struct session *s, enum verb verb, char **words, int n)
{
	const struct entity *entity;

	if (verb != VERB_SHOW && s->opt.readonly) {
		complain(s, "Can't run this command in readonly mode.");
		return -1;
	}
	entity = n ? find_entity(verb, words[0]) : NULL;
	if (entity) {
		s->showing = verb == VERB_SHOW ? entity : NULL;
		return entity->run[verb](s, words + 1, n - 1);
	}
	no_entity(s, verb);
	return -1;
}

static int verb_add(struct session *s, char **words, int n)
{
	return run_entity(s, VERB_ADD, words + 1, n - 1);
}

static int verb_show(struct session *s, char **words, int n)
{
	return run_entity(s, VERB_SHOW, words + 1, n - 1);
}

static int verb_modify(struct session *s, char **words, int n)
{
	return run_entity(s, VERB_MODIFY, words + 1, n - 1);
}

static int verb_delete(struct session *s, char **words, int n)
{
	return run_entity(s, VERB_DELETE, words + 1, n - 1);
}

static int verb_dump(struct session *s, char **words, int n)
{
	return dump_command(s, words + 1, n - 1);
}

static int verb_load(struct session *s, char **words, int n)
{
	if (s->opt.readonly) {
		complain(s, "Can't run this command in readonly mode.");
		return -1;
	}
	return load_command(s, words + 1, n - 1);
}

static int verb_archive(struct session *s, char **words, int n)
{
	if (s->opt.readonly) {
		complain(s, "Can't run this command in readonly mode.");
		return -1;
	}
	return archive_command(s, words + 1, n - 1);
}

static int verb_clear(struct session *s, char **words, int n)
{
	return clear_command(s, words + 1, n - 1);
}

static int verb_ping(struct session *s, char **words, int n)
{
	return ping_command(s, words + 1, n - 1);
}

static int verb_rollup(struct session *s, char **words, int n)
{
	return rollup_command(s, words + 1, n - 1);
}

static int verb_exit(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	s->leave = true;
	return 0;
}

static int verb_version(struct session *s, char **words, int n)
{
	(void)s;
	(void)words;
	(void)n;
	cli_version(false);
	return 0;
}

static int verb_help(struct session *s, char **words, int n);

/* Toggles last for the session. */
static int toggle(bool *option)
{
	*option = true;
	return 0;
}

static int verb_associations(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	return toggle(&s->opt.with_assoc);
}

static int verb_oneliner(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	return toggle(&s->opt.oneliner);
}

static int verb_quiet(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	return toggle(&s->opt.quiet);
}

static int verb_readonly(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	return toggle(&s->opt.readonly);
}

static int verb_verbose(struct session *s, char **words, int n)
{
	(void)words;
	(void)n;
	s->opt.verbose++;
	return 0;
}

/* clang-format off */
const struct verb_word sacctmgr_verbs[] = {
	{"associations:3", verb_associations, EXTRA_FINE, "associations", "listings of accounts and users show associations", AFTER_NOTHING, VERBS},
	{"dump:3", verb_dump, EXTRA_FINE, "dump CLUSTER [file=FILE]", "write a cluster to a flat file", AFTER_DUMP, VERBS},
	{"help:2", verb_help, EXTRA_KEYWORD_COLON, "help [ENTITY]", "this text, or the words of an entity", AFTER_HELP, VERBS},
	{"load:2", verb_load, EXTRA_FINE, "load FILE [cluster=NAME] [clean]", "read a flat file", AFTER_LOAD, VERBS},
	{"oneliner:1", verb_oneliner, EXTRA_KEYWORD_COLON, "oneliner", "accepted, no effect", AFTER_NOTHING, VERBS},
	{"quiet:4", verb_quiet, EXTRA_KEYWORD_COLON, "quiet", "fewer messages", AFTER_NOTHING, VERBS},
	{"exit:4 quit:4 \\q:2", verb_exit, EXTRA_KEYWORD_COLON, "exit, quit", "leave", AFTER_NOTHING, VERBS},
	{"add:3 create:3", verb_add, EXTRA_FINE, "add ENTITY ...", "add records", AFTER_ENTITY, VERB_ADD},
	{"archive:3", verb_archive, EXTRA_FINE, "archive dump|load ...", "write old records to a file, read them back", AFTER_NOTHING, VERBS},
	{"clear:3", verb_clear, EXTRA_FINE, "clear stats", "accepted, no effect", AFTER_NOTHING, VERBS},
	{"show:3 list:3", verb_show, EXTRA_FINE, "show ENTITY ...", "list records", AFTER_ENTITY, VERB_SHOW},
	{"modify:1 update:1", verb_modify, EXTRA_FINE, "modify ENTITY where ... set ...", "change records", AFTER_ENTITY, VERB_MODIFY},
	{"delete:3 remove:3", verb_delete, EXTRA_FINE, "delete ENTITY where ...", "delete records", AFTER_ENTITY, VERB_DELETE},
	{"verbose:4", verb_verbose, EXTRA_FOR_KEYWORD, "verbose", "more messages", AFTER_NOTHING, VERBS},
	{"ping:4", verb_ping, EXTRA_FINE, "ping", "can the store be read and written?", AFTER_NOTHING, VERBS},
	{"readonly:4", verb_readonly, EXTRA_FOR_KEYWORD, "readonly", "refuse changes from now on", AFTER_NOTHING, VERBS},
	{"reconfigure:4", reconfigure_command, EXTRA_FOR_KEYWORD, "reconfigure", "accepted, no effect", AFTER_NOTHING, VERBS},
	{"rollup:2", verb_rollup, EXTRA_FINE, "rollup [START] [END] [ARCHIVE]", "accepted, no effect", AFTER_NOTHING, VERBS},
	{"shutdown:4", shutdown_command, EXTRA_FOR_KEYWORD, "shutdown", "accepted, no effect", AFTER_NOTHING, VERBS},
	{"version:4", verb_version, EXTRA_FOR_KEYWORD, "version", "print the version", AFTER_NOTHING, VERBS},
	{NULL, NULL, EXTRA_FINE, NULL, NULL, AFTER_NOTHING, VERBS},
};
/* clang-format on */

static void check_extra(struct session *s, const struct verb_word *verb,
	char **words, int n)
{
	if (n < 2 || verb->extra == EXTRA_FINE || verb->run == verb_help)
		return;
	if (verb->extra == EXTRA_KEYWORD_COLON)
		complain(s, "too many arguments for keyword:%s", words[0]);
	else
		complain(s, "too many arguments for %s keyword", words[0]);
}

void run_command(struct session *s, char **words, int n)
{
	const struct verb_word *verb;
	struct strv line = {0};

	arena_reset(&s->arena);
	*s->err.text = '\0';
	s->showing = NULL;
	for (int i = 0; i < n; i++)
		strv_push(&line, &s->arena, words[i]);
	s->command = strv_join(&line, " ", &s->arena);
	verb = find_verb(words[0]);
	if (!verb) {
		complain(s, "invalid keyword: %s", words[0]);
		return;
	}
	check_extra(s, verb, words, n);
	if (verb->run(s, words, n))
		s->status = 1;
}

/* ---- options and help ----------------------------------------------------*/

enum long_option {
	OPT_JSON = 256,
	OPT_YAML,
	OPT_AUTOCOMPLETE,
	OPT_CSV,
	OPT_NDJSON,
	OPT_COMPLETE,
};

/* clang-format off */
static const struct option long_options[] = {
	{"autocomplete", required_argument, NULL, OPT_AUTOCOMPLETE},
	{"help", no_argument, NULL, 'h'},
	{"helpformat", no_argument, NULL, 'h'}, /* so that --hel is no riddle */
	{"usage", no_argument, NULL, 'h'},
	{"immediate", no_argument, NULL, 'i'},
	{"noheader", no_argument, NULL, 'n'},
	{"oneliner", no_argument, NULL, 'o'},
	{"parsable", no_argument, NULL, 'p'},
	{"parsable2", no_argument, NULL, 'P'},
	{"quiet", no_argument, NULL, 'Q'},
	{"readonly", no_argument, NULL, 'r'},
	{"associations", no_argument, NULL, 's'},
	{"verbose", no_argument, NULL, 'v'},
	{"version", no_argument, NULL, 'V'},
	{"json", optional_argument, NULL, OPT_JSON},
	{"yaml", optional_argument, NULL, OPT_YAML},
	{"csv", no_argument, NULL, OPT_CSV},
	{"n", no_argument, NULL, 'n'}, /* not --ndjson: Slurm's noheader */
	{"ndjson", no_argument, NULL, OPT_NDJSON},
	{"complete", no_argument, NULL, OPT_COMPLETE},
	{NULL, 0, NULL, 0},
};

const struct option_help sacctmgr_option_helps[] = {
	{'i', "immediate", "answer every question with yes"},
	{'n', "noheader", "no heading in listings"},
	{'o', "oneliner", "accepted, no effect"},
	{'p', "parsable", "fields separated by |, one behind the last too"},
	{'P', "parsable2", "fields separated by |"},
	{'Q', "quiet", "no informational messages"},
	{'r', "readonly", "refuse commands that change anything"},
	{'s', "associations", "accounts and users with their associations"},
	{'v', "verbose", "more messages; may be repeated"},
	{'V', "version", "print the version"},
	{0, "json", "listings as JSON; =list: which layouts there are"},
	{0, "yaml", "listings as YAML"},
	{0, "csv", "comma-separated values (RFC 4180)"},
	{0, "ndjson", "one JSON object a line, of the chosen columns"},
	{'h', "help", "this text"},
	{0, "helpformat", "every column of format=, its heading and width"},
	{0, NULL, NULL},
};
/* clang-format on */

static int verb_help(struct session *s, char **words, int n)
{
	const struct entity *entity = n > 1 ? find_any_entity(words[1]) : NULL;

	if (n > 1 && !entity) {
		complain(s, "too many arguments for keyword:%s", words[0]);
		return -1;
	}
	if (entity)
		help_entity(s->out, entity, &s->arena);
	else
		help_usage(s->out);
	return 0;
}

/* The long forms of an option: with `=` when it takes a value, both when it
 * may. */
static void complete_long(const struct option *o, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "--%s%s", o->name,
		o->has_arg == no_argument ? "" : "=");
	if (!strstr(name, text))
		return;
	puts(name);
	if (o->has_arg == optional_argument)
		printf("--%s \n", o->name);
}

/* Option names that contain the text, as bash completion asks for them; after
 * one dash the short ones. */
static void autocomplete(const char *text)
{
	for (const struct option *o = long_options; o->name; o++) {
		char letter[3] = {'-', (char)o->val, '\0'};

		if (o->val == OPT_COMPLETE || !strcmp(o->name, "n"))
			continue;
		if (o->val < 256 && strstr(letter, text) &&
			strcmp(o->name, "helpformat"))
			puts(letter);
		if (strcmp(text, "-"))
			complete_long(o, text);
	}
	putchar('\n');
}

static void set_mode(struct options *opt, enum table_mode mode)
{
	opt->mode = mode;
}

/* --json, --yaml, with which layout; Slurm's three lines when it is none. */
static void set_document(struct options *opt, bool yaml)
{
	const struct option_row row = {
		.offset = offsetof(struct options, form)};
	struct err err;

	if (json_parser_check(optarg, yaml, &err) < 0) {
		cli_error("Couldn't find the specified plugin name for "
			  "data_parser/%s looking at all files",
			optarg);
		cli_error("cannot find data_parser plugin for data_parser/%s",
			optarg);
		cli_error("%s output not supported by " JSON_DATA_PARSER,
			yaml ? "application/x-yaml" : "application/json");
		exit(1);
	}
	if (yaml)
		option_yaml(opt, &row, optarg);
	else
		option_json(opt, &row, optarg);
}

static void parse_options(int argc, char **argv, struct options *opt)
{
	int c, index = 0;

	while ((c = getopt_long(argc, argv, "hionpPQrsvV", long_options,
			&index)) != -1) {
		switch (c) {
		case 'h':
			if (!strcmp(long_options[index].name, "helpformat"))
				help_fields(stdout);
			else
				help_usage(stdout);
			exit(0);
		case 'i':
			opt->immediate = true;
			break;
		case 'n':
			opt->heading = false;
			break;
		case 'o':
			opt->oneliner = true;
			break;
		case 'p':
			set_mode(opt, TABLE_PARSABLE);
			break;
		case 'P':
			set_mode(opt, TABLE_PARSABLE2);
			break;
		case 'Q':
			opt->quiet = true;
			break;
		case 'r':
			opt->readonly = true;
			break;
		case 's':
			opt->with_assoc = true;
			break;
		case 'v':
			opt->verbose++;
			break;
		case 'V':
			cli_version(opt->verbose > 0);
			exit(0);
		case OPT_CSV:
			set_mode(opt, TABLE_CSV);
			opt->form = JSON_NONE;
			break;
		case OPT_JSON:
		case OPT_YAML:
			set_document(opt, c == OPT_YAML);
			break;
		case OPT_NDJSON:
			opt->form = JSON_LINES;
			break;
		case OPT_AUTOCOMPLETE:
			autocomplete(optarg);
			exit(0);
		case OPT_COMPLETE:
			complete_print(argv + optind, argc - optind);
			exit(0);
		default:
			cli_bad_option();
		}
	}
}

int main(int argc, char **argv)
{
	struct session s = {.out = stdout,
		.opt = {.heading = true},
		.argv = argv,
		.argc = argc};

	cli_init(argv[0]);
	parse_options(argc, argv, &s.opt);
	if (s.opt.quiet && s.opt.verbose) {
		fputs("conflicting 'quiet' and 'verbose' options\n", stderr);
		return 1;
	}
	if (site_open(&s.site, false, &s.err)) {
		if (optind < argc && find_verb(argv[optind]) == find_verb("ping"))
			ping_down();
		cli_die(&s.err);
	}
	s.store = &s.site.store;
	arena_init(&s.arena);
	if (optind < argc)
		run_command(&s, argv + optind, argc - optind);
	else
		run_shell(&s);
	arena_release(&s.arena);
	site_close(&s.site);
	return s.status;
}
