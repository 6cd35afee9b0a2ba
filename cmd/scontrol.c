/*
 * scontrol: `show`, and whatever can be answered without a controller. Verbs
 * that would act say that there is no controller. The listings are in
 * cmd/scontrol/.
 */
#include "cmd/scontrol/scontrol.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/base/nearest.h"
#include "common/cli/cli.h"
#include "db/job/complete.h"
#include "db/viewer/viewer.h"

/* clang-format off */
static const char help_head[] =
"Usage: scontrol [OPTIONS] COMMAND [ARGUMENTS]\n"
"Shows nodes, partitions, jobs, reservations and the configuration.\n"
"\n"
"Commands:\n"
"  show aliases [HOST]             nodes that are on the host\n"
"  show assoc_mgr [users= accounts= qos= flags=assoc,qos,users]\n"
"                                  limits beside what is in use\n"
"  show config\n"
"  show federation\n"
"  show hostlist|hostlistsorted|hostnames [LIST]\n"
"  show job [IDS]\n"
"  show licenses [NAME]\n"
"  show node [HOSTS]\n"
"  show partition [NAMES]\n"
"  show reservation [NAME]\n"
"  show step [ID]\n"
"  show topology\n"
"  ping                            is there a controller: no, and exit 1\n"
"  version                         print the version\n"
"  help                            print this\n"
"Commands of Slurm that change something are refused: no controller is here.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{"Options:", "all hide details future clusters federation,local,sibling offline oneliner quiet uid json,yaml verbose version help,usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 34, NULL};
/* clang-format on */

static void complete_words(struct completion *, char **words, int n);

#define AT(member) offsetof(struct session, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored, .complete = complete_words},
	{"all", 'a', no_argument, option_bool, .offset = AT(all), .value = true, .env = "SCONTROL_ALL",
		.help = "hidden partitions too"},
	{"cluster", 'M', required_argument, option_clusters, .offset = AT(clusters)},
	{"clusters", 'M', required_argument, option_clusters, .offset = AT(clusters), .source = FROM_CLUSTERS, .env = "SLURM_CLUSTERS",
		.arg = "NAME", .help = "of this cluster"},
	{"details", 'd', no_argument, option_bool, .offset = AT(details), .value = true,
		.help = "more of jobs and nodes"},
	{"federation", 0, no_argument, option_nothing,
		.help = "taken as in Slurm"},
	{"future", 'F', no_argument, option_bool, .offset = AT(future), .value = true, .env = "SCONTROL_FUTURE",
		.help = "nodes of state FUTURE too"},
	OPTION_HELP('h', "print this"),
	{"hide", 0, no_argument, option_bool, .offset = AT(all),
		.help = "no hidden partitions"},
	{"json", 0, optional_argument, option_json, .offset = AT(form),
		.help = "jobs, licenses, nodes, partitions, reservations as a document"},
	{"local", 0, no_argument, option_nothing, .value = 0},
	{"o", 'o', no_argument, option_bool, .offset = AT(one_line), .value = true, .hidden = true},
	{"oneliner", 'o', no_argument, option_bool, .offset = AT(one_line), .value = true,
		.help = "a line for each record"},
	{"quiet", 'Q', no_argument, option_bool, .offset = AT(quiet), .value = true,
		.help = "do not say what is not found"},
	{"sibling", 0, no_argument, option_nothing, .value = 0},
	{"uid", 'u', required_argument, option_nothing, .source = FROM_USERS,
		.arg = "USER", .help = "taken as in Slurm"},
	{"usage", 'h', no_argument, option_print, .page = &help_page},
	OPTION_VERBOSE("taken as in Slurm"),
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	{"yaml", 0, optional_argument, option_yaml, .offset = AT(form)},
	{.take = NULL},
};
/* clang-format on */

/* ---- site ----------------------------------------------------------------*/

static void open_site(struct session *s, bool described)
{
	viewer_open(&s->site, described, &s->err);
	viewer_own_cluster(&s->site, &s->clusters);
	if (!s->form)
		cli_pager();
}

void scontrol_open(struct session *s)
{
	open_site(s, false);
}

void scontrol_load(struct session *s)
{
	open_site(s, true);
	if (machine_load(&s->machine, &s->site, s->site.cluster, s->arena))
		cli_die(&s->err);
}

/* ---- show ----------------------------------------------------------------*/

/* A word and how many letters of it are enough; the first row that fits. Without
 * `run` only a controller knows. */
struct command_word {
	const char *word;
	size_t least;
	void (*run)(struct session *, const char *name);
};

/* clang-format off */
static const struct command_word shows[] = {
	{"aliases", 1, show_aliases},
	{"assoc_mgr", 2, show_assoc_mgr},
	{"bbstat", 2, NULL}, {"dwstat", 2, NULL}, {"burstbuffer", 2, NULL},
	{"cache", 2, show_assoc_mgr},
	{"config", 1, show_config},
	{"daemons", 1, NULL},
	{"federations", 1, show_federation},
	{"hostnames", 5, show_hostnames},
	{"hostlist", 5, show_hostlist},
	{"hostlistsorted", 9, show_hostlistsorted},
	{"jobs", 1, show_jobs}, {"jobid", 1, show_jobs},
	{"licenses", 2, show_licenses},
	{"nodes", 1, show_nodes}, {"nodename", 1, show_nodes},
	{"partitions", 2, show_partitions}, {"partitionname", 2, show_partitions},
	{"reservations", 1, show_reservations}, {"reservationname", 1, show_reservations},
	{"resources", 4, NULL}, {"slurmd", 2, NULL},
	{"steps", 2, show_steps},
	{"topoconf", 5, NULL}, {"topology", 1, show_topology},
};

static const struct command_word acts[] = {
	{"cancel_reboot", 3, NULL}, {"create", 2, NULL},
	{"delete", 1, NULL}, {"fsdampeningfactor", 3, NULL},
	{"hold", 4, NULL}, {"holdu", 5, NULL},
	{"notify", 1, NULL}, {"power", 2, NULL},
	{"reboot_nodes", 3, NULL}, {"reconfigure", 3, NULL},
	{"release", 3, NULL}, {"requeue", 3, NULL},
	{"requeuehold", 8, NULL}, {"resume", 3, NULL},
	{"schedloglevel", 3, NULL}, {"setdebug", 2, NULL},
	{"setdebugflags", 9, NULL}, {"shutdown", 8, NULL},
	{"suspend", 2, NULL}, {"takeover", 8, NULL},
	{"token", 3, NULL}, {"top", 3, NULL},
	{"uhold", 5, NULL}, {"update", 1, NULL},
	{"wait_job", 2, NULL}, {"write", 5, NULL},
};
/* clang-format on */

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

static const struct command_word *find(
	const struct command_word *words, size_t n, const char *typed)
{
	size_t len = strlen(typed);

	for (size_t i = 0; i < n; i++)
		if (len >= words[i].least &&
			!strncasecmp(words[i].word, typed, len))
			return &words[i];
	return NULL;
}

static void bad_word(const char *before, const char *typed, const char *behind,
	const struct command_word *words, size_t n)
{
	struct nearest nearest;

	cli_say_error("%s%s%s", before, typed, behind);
	nearest_init(&nearest, typed, strlen(typed));
	for (size_t i = 0; i < n; i++)
		nearest_try(&nearest, words[i].word, strlen(words[i].word));
	cli_did_you_mean(&nearest);
}

static void show(struct session *s, char **words, int n)
{
	char *equals = n ? strchr(words[0], '=') : NULL;
	const char *name = n > 1 ? words[1] : NULL;
	const struct command_word *word;

	s->status = 1;
	if (!n) {
		cli_say_error("too few arguments for keyword:show");
		return;
	}
	if (equals) {
		*equals = '\0';
		name = equals + 1;
	}
	word = find(shows, LENGTH(shows), words[0]);
	if (!word) {
		bad_word("invalid entity:", words[0], " for keyword:show",
			shows, LENGTH(shows));
	} else if (!word->run) {
		cli_error("show %s: only a controller knows this, and none is here",
			word->word);
	} else if (n > 2 && word->run != show_assoc_mgr &&
			word->run != show_topology) {
		cli_say_error("too many arguments for keyword:show");
	} else {
		s->status = 0;
		s->words = words + 1;
		s->n_words = n - 1;
		word->run(s, name);
	}
}

/* ---- other commands ------------------------------------------------------*/

static void act(struct session *s, const struct command_word *word)
{
	cli_error("%s: there is no controller here to do that; srecord tells "
		  "of jobs and nodes, sacctmgr changes accounts and limits",
		word->word);
	s->status = 1;
}

static void ping(struct session *s)
{
	char host[256] = "localhost";

	gethostname(host, sizeof(host) - 1);
	printf("Slurmctld(primary) at %s is DOWN\n", host);
	cli_error("there is no controller here: the programs read slurm.conf "
		  "and the store themselves");
	s->status = 1;
}

static bool is_word(const char *typed, const char *word, size_t least)
{
	size_t len = strlen(typed);

	return len >= least && !strncasecmp(word, typed, len);
}

static void run(struct session *s, char **words, int n)
{
	const struct command_word *word;

	if (is_word(words[0], "show", 3)) {
		show(s, words + 1, n - 1);
	} else if (is_word(words[0], "version", 4)) {
		cli_version(false);
	} else if (is_word(words[0], "help", 2)) {
		option_print_help(&help_page);
	} else if (is_word(words[0], "ping", 3)) {
		ping(s);
	} else if ((word = find(acts, LENGTH(acts), words[0]))) {
		act(s, word);
	} else {
		bad_word("invalid keyword: ", words[0], "", acts, LENGTH(acts));
		s->status = 1;
	}
}

static void complete_words(struct completion *c, char **words, int n)
{
	const struct command_word *word = NULL;

	if (n == 1)
		offer_list(c, "help ping show version");
	else if (!is_word(words[0], "show", 3))
		return;
	else if (n == 2)
		offer_list(c, "aliases assoc_mgr config federation hostlist "
			      "hostlistsorted hostnames job licenses node "
			      "partition reservation step topology");
	else
		word = find(shows, LENGTH(shows), words[1]);
	if (word && word->run == show_jobs)
		offer_from(c, FROM_OPEN_JOBS);
	else if (word && word->run == show_partitions)
		offer_from(c, FROM_PARTITIONS);
}

int main(int argc, char **argv)
{
	struct session s = {0};
	struct arena arena;
	int first;

	cli_init(argv[0]);
	arena_init(&arena);
	arena_init(&s.scratch);
	s.arena = &arena;
	first = options_read(option_rows, &s, argc, argv);
	if (first == argc) {
		cli_error("no command: try \"scontrol --help\"");
		return 1;
	}
	run(&s, argv + first, argc - first);
	if (s.site.store.db)
		site_close(&s.site);
	arena_release(&s.scratch);
	arena_release(&arena);
	return s.status;
}
