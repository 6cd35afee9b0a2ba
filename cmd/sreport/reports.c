/*
 * Every report of sreport, one row each, and how a typed command finds its
 * report (Slurm's src/sreport/sreport.c).
 */
#include "cmd/sreport/sreport.h"

#include <string.h>
#include <strings.h>

#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/entity/capacity.h"

/* How a typed name is compared: with so many first letters of the name,
 * whatever follows; or, where that is 0, as an abbreviation. */
struct spelling {
	const char *names; /* with minima */
	size_t letters;
	const char *alias; /* two letters, whatever follows; or NULL */
};

#define FILLS(amount) (1u << AMOUNT_##amount)
#define FILLS_USAGE (FILLS(USED) | FILLS(ENERGY))
#define FILLS_CLUSTER                                                          \
	(FILLS(ENERGY) | FILLS(ALLOCATED) | FILLS(DOWN) |                      \
		FILLS(PLANNED_DOWN) | FILLS(IDLE) | FILLS(PLANNED) |           \
		FILLS(OVER) | FILLS(REPORTED))

static const struct {
	struct report report;
	struct spelling spelling;
} reports[] = {
	/* clang-format off */
	{{"AccountUtilizationByUser", CLASS_CLUSTER, "Cluster/Account/User Utilization", WORDS_ASSOC,
		"cluster,accounts,login,proper,used,energy", "cluster,accounts,login,proper,tresname,used",
		report_assocs, BY_ACCOUNT, true, FILLS_USAGE | FILLS_QOS}, {"AccountUtilizationByUser:21", 21, NULL}},
	{{"AccountUtilizationByQOS", CLASS_CLUSTER, "Cluster/Account/QOS Utilization", WORDS_ASSOC,
		"cluster,accounts,qos,used,energy", "cluster,accounts,qos,tresname,used",
		report_assocs, BY_QOS, true, FILLS_USAGE | FILLS_QOS}, {"AccountUtilizationByQOS:21", 21, "AQ"}},
	{{"UserUtilizationByAccount", CLASS_CLUSTER, "Cluster/User/Account Utilization", WORDS_ASSOC,
		"cluster,login,proper,accounts,used,energy", "cluster,login,proper,accounts,tresname,used",
		report_people, BY_ACCOUNT, true, FILLS_USAGE}, {"UserUtilizationByAccount:18", 18, "UA"}},
	{{"UserUtilizationByWckey", CLASS_CLUSTER, "Cluster/User/WCKey Utilization", WORDS_WCKEY,
		"cluster,login,proper,wckey,used", "cluster,login,proper,wckey,tresname,used",
		report_people, BY_USER_WCKEY, true, FILLS_USAGE}, {"UserUtilizationByWckey:18", 18, "UW"}},
	{{"Utilization", CLASS_CLUSTER, "Cluster Utilization", WORDS_CLUSTER,
		"cluster,allocated,down,plnddown,idle,planned,reported",
		"cluster,tresname,allocated,down,plnddown,idle,planned,reported",
		report_cluster, 0, false, FILLS_CLUSTER}, {"Utilization:2", 2, NULL}},
	{{"WCKeyUtilizationByUser", CLASS_CLUSTER, "Cluster/WCKey/User Utilization", WORDS_WCKEY,
		"cluster,wckey,login,proper,used", "cluster,wckey,login,proper,tresname,used",
		report_people, BY_WCKEY, true, FILLS(USED) | FILLS_QOS}, {"WCKeyUtilizationByUser:1", 1, NULL}},
	{{"SizesByAccount", CLASS_JOB, "Job Sizes", WORDS_JOB,
		"cluster,account", "cluster,account", report_sizes, BY_ACCOUNT, true, 0}, {"SizesByAccount:1", 0, NULL}},
	{{"SizesByWcKey", CLASS_JOB, "Job Sizes by Wckey", WORDS_JOB,
		"cluster,wckey", "cluster,wckey", report_sizes, BY_WCKEY, true, 0}, {"SizesByWcKey:8", 0, NULL}},
	{{"SizesByAccountAndWcKey", CLASS_JOB, "Job Sizes", WORDS_JOB,
		"cluster,account%-20", "cluster,account%-20", report_sizes, BY_BOTH, true, 0},
		{"SizesByAccountAndWcKey:15", 0, NULL}},
	{{"Utilization", CLASS_RESERVATION, "Reservation Utilization", WORDS_RESERVATION,
		"cluster,name,start,end,tresname,allocated,idle", "cluster,name,start,end,tresname,allocated,idle",
		report_reservations, 0, false,
		FILLS(ALLOCATED) | FILLS(IDLE)}, {"Utilization:1", 1, NULL}},
	{{"TopUsage", CLASS_USER, "Users", WORDS_USER,
		"cluster,login,proper,accounts,used,energy", "cluster,login,proper,accounts,tresname,used",
		report_people, BY_USE, true, FILLS_USAGE}, {"TopUsage:1", 1, NULL}},
	/* clang-format on */
};

enum { REPORTS = sizeof(reports) / sizeof(*reports) };

/* clang-format off */
static const struct {
	const char *names;
	enum report_class class;
	const char *valid;
} classes[] = {
	{"cluster:2", CLASS_CLUSTER, "Valid cluster reports are, \"AccountUtilizationByUser\", \"AccountUtilizationByQOS\", "
		"\"UserUtilizationByAccount\", \"UserUtilizationByWckey\", \"Utilization\", and \"WCKeyUtilizationByUser\""},
	{"job:1", CLASS_JOB, "Valid job reports are, \"SizesByAccount, SizesByAccountAndWcKey, and  SizesByWckey\""},
	{"reservation:2 resv:2", CLASS_RESERVATION, "Valid reservation reports are, \"Utilization\""},
	{"user:1", CLASS_USER, "Valid user reports are, \"Top\""},
};
/* clang-format on */

enum { CLASSES = sizeof(classes) / sizeof(*classes) };

static bool is_spelled(const struct spelling *s, const char *typed)
{
	size_t n = strlen(typed);

	if (s->alias && !strncasecmp(typed, s->alias, strlen(s->alias)))
		return true;
	if (s->letters && n > s->letters)
		n = s->letters;
	return words_match(s->names, typed, n);
}

/* `AccountUtilizationByU` and `...ByQ` differ in the last letter compared,
 * `UserUtilizationByA` and `...ByW` too. */
static const struct report *find_report(
	enum report_class class, const char *typed)
{
	for (size_t i = 0; i < REPORTS; i++)
		if (reports[i].report.class == class &&
			is_spelled(&reports[i].spelling, typed))
			return &reports[i].report;
	return NULL;
}

static void run_report(
	struct session *s, const struct report *report, int n, char **words)
{
	struct report_run r = {.session = s, .report = report};
	struct output output = {0};

	r.output = &output;
	read_conditions(&r, n, words);
	set_window(&r);
	if (choose_clusters(&r) || choose_tres(&r))
		return;
	report->run(&r);
	forget_names();
	arena_reset(&s->scratch);
	arena_reset(&s->arena);
}

static void run_class(struct session *s, size_t class, int n, char **words)
{
	const struct report *report;

	if (n < 2) {
		if (!s->options.quiet)
			complain(s, "too few arguments for keyword:%s",
				words[0]);
		s->options.failed = true;
		return;
	}
	report = find_report(classes[class].class, words[1]);
	if (report)
		run_report(s, report, n - 2, words + 2);
	else
		complain(s, "Not valid report %s\n%s", words[1],
			classes[class].valid);
}

/* ---- the other commands ------------------------------------------------- */

static void do_help(void *options, const struct option_row *row, const char *word)
{
	(void)row;
	(void)word;
	print_help(options);
}

/* Either `quiet` or `verbose`. */
static void do_quiet(void *o, const struct option_row *row, const char *word)
{
	struct options *options = o;

	(void)word;
	options->quiet = row->value;
	options->verbose = !row->value;
}

static void do_version(void *o, const struct option_row *row, const char *word)
{
	(void)row;
	(void)word;
	cli_version(((struct options *)o)->verbose > 0);
}

#define SETS(member, taker, to) \
	{.take = option_##taker, .offset = offsetof(struct options, member), .value = (to)}

static const struct {
	const char *names;
	int words; /* how many belong to it */
	struct option_row row; /* what it sets or does */
} commands[] = {
	{"help:2", 1, {.take = do_help}},
	{"quiet:4", 1, {.take = do_quiet, .value = true}},
	{"exit:1 \\q:2 quit:4", 1, SETS(leave, bool, true)},
	{"local:3", 1, SETS(local, bool, true)},
	{"nonparsable:4", 1, SETS(mode, int, TABLE_FIXED)},
	{"parsable:8", 1, SETS(mode, int, TABLE_PARSABLE)},
	{"parsable2:9", 1, SETS(mode, int, TABLE_PARSABLE2)},
	{"sort:1", 2, {.take = take_sort}},
	{"time:1", 2, {.take = take_unit}},
	{"verbose:4", 1, {.take = do_quiet}},
	{"version:4", 1, {.take = do_version}},
};

enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

static void run_other(struct session *s, size_t i, int n, char **words)
{
	if (n < commands[i].words) {
		complain(s, "too few arguments for keyword:%s", words[0]);
		return;
	}
	if (n > commands[i].words && commands[i].words == 1)
		complain(s, "too many arguments for keyword:%s", words[0]);
	commands[i].row.take(
		&s->options, &commands[i].row, n > 1 ? words[1] : "");
}

/* `reservation` is tried before `sort`, `user` last: no minimum is shared. */
static void run_words(struct session *s, int n, char **words)
{
	size_t len = strlen(words[0]);
	struct nearest nearest;

	for (size_t i = 0; i < CLASSES; i++)
		if (words_match(classes[i].names, words[0], len)) {
			run_class(s, i, n, words);
			return;
		}
	for (size_t i = 0; i < COMMANDS; i++)
		if (words_match(commands[i].names, words[0], len)) {
			run_other(s, i, n, words);
			return;
		}
	complain(s, "invalid keyword: %s", words[0]);
	nearest_init(&nearest, words[0], len);
	for (size_t i = 0; i < CLASSES; i++)
		nearest_names(&nearest, classes[i].names);
	for (size_t i = 0; i < COMMANDS; i++)
		nearest_names(&nearest, commands[i].names);
	cli_did_you_mean(&nearest);
}

/* Where nobody has recorded the capacity, nor who records jobs has noted the one
 * that is assumed, it is assumed in a copy that is forgotten. */
void run_command(struct session *s, int n, char **words)
{
	struct site site = s->site;
	int missing = capacity_is_missing(&s->site);

	if (missing < 0 ||
		(missing && (site_lay_over(&s->site, &site) ||
				    capacity_assume(&s->site))))
		cli_die(&s->err);
	run_words(s, n, words);
	if (!missing)
		return;
	store_close(&s->site.store);
	s->site.store = site.store;
}

/* ---- completion ----------------------------------------------------------*/

static void offer_commands(struct completion *c)
{
	for (size_t i = 0; i < CLASSES; i++)
		offer_word(c, classes[i].names, "", NULL);
	for (size_t i = 0; i < COMMANDS; i++)
		offer_word(c, commands[i].names, "", NULL);
}

static bool is_word(const char *names, const char *typed)
{
	return words_match(names, typed, strlen(typed));
}

void sreport_complete(struct completion *c, char **words, int n)
{
	const struct report *report;
	size_t class = 0;

	while (class < CLASSES && !is_word(classes[class].names, words[0]))
		class++;
	if (n == 1) {
		offer_commands(c);
	} else if (n == 2 && is_word("sort:1", words[0])) {
		offer_list(c, SORT_WORDS);
	} else if (n == 2 && is_word("time:1", words[0])) {
		offer_list(c, TIME_WORDS);
	} else if (class < CLASSES && n == 2) {
		for (size_t i = 0; i < REPORTS; i++)
			if (reports[i].report.class == classes[class].class)
				offer_word(c, reports[i].spelling.names, "",
					reports[i].report.title);
	} else if (class < CLASSES) {
		report = find_report(classes[class].class, words[1]);
		if (report)
			offer_conditions(c, report);
	}
}
