/*
 * Completion asks the programs themselves: for options --autocomplete, for
 * columns and states --helpformat and the like, for names of the store
 * sacctmgr --complete, which knows what the caller may see. sacctmgr and
 * sreport complete their own words.
 */
#include "cmd/bursar/complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGS = 130, LINE = 512 };

/* What is taken of a line that a program prints. */
enum take { FIRST_WORD, ALL_WORDS };

/* Values of an option, or of a key of srecord. */
static const struct source {
	const char *programs; /* blanks around each; NULL: all */
	const char *options;  /* the same */
	const char *ask; /* "user=": names of the store; "--x": an option */
	enum take take;
	const char *words; /* or these, with blanks between */
} sources[] = {
	{NULL, " -u --user --users --uid user ", "user=", FIRST_WORD, NULL},
	{NULL, " -A --account --accounts account ", "account=", FIRST_WORD, NULL},
	{NULL, " -M --cluster --clusters cluster ", "cluster=", FIRST_WORD, NULL},
	{" sacct squeue srecord ", " -q --qos qos ", "qos=", FIRST_WORD, NULL},
	{" sinfo squeue sprio srecord ", " -p --partition --partitions partition ",
		"partition=", FIRST_WORD, NULL},
	{" sacct ", " -r --partition ", "partition=", FIRST_WORD, NULL},
	{" sshare sacct ", " -o --format --fields ", "--helpformat", ALL_WORDS,
		NULL},
	{" splan ssim ", " -o --format ", "--helpformat", FIRST_WORD, NULL},
	{" sinfo squeue ", " -O --Format ", "--helpFormat", ALL_WORDS, NULL},
	{" sinfo squeue ", " -t --states ", "--helpstate", ALL_WORDS, NULL},
	{" sacct ", " -s --state ", "--helpstate", ALL_WORDS, NULL},
	{" sacct ", " -R --reason ", "--helpreason", ALL_WORDS, NULL},
	{" scontrol ", " show ", NULL, FIRST_WORD,
		"config hostlist hostlistsorted hostnames job node partition "
		"reservation"},
	{" scontrol ", " partition ", "partition=", FIRST_WORD, NULL},
	{" sacct ", " --units ", NULL, FIRST_WORD, "K M G T P"},
	{" sreport ", " -t --time ", NULL, FIRST_WORD,
		"Seconds Minutes Hours Percent SecPer MinPer HourPer"},
	{" sreport ", " -s --sort ", NULL, FIRST_WORD, "Name Time"},
	{" sshare ", " --algorithm ", NULL, FIRST_WORD,
		"fair-tree classic depth-oblivious"},
	{" ssim splan ", " --policy ", NULL, FIRST_WORD,
		"fcfs easy sjbf conservative slurm"},
	{" sprio ", " --explain ", NULL, FIRST_WORD, "all"},
	{" splan ", " --granularity ", NULL, FIRST_WORD, "node core"},
	{" ssim ", " --estimates ", NULL, FIRST_WORD,
		"user perfect double random:"},
	{" ssim ", " --predict ", NULL, FIRST_WORD, "last2 quantile:"},
	{" ssim ", " --missing-limit ", NULL, FIRST_WORD, "drop run"},
	{" ssim ", " --over-limit ", NULL, FIRST_WORD, "cut raise"},
	{" ssim ", " --cancelled ", NULL, FIRST_WORD, "keep drop"},
	{" ssim ", " --by ", NULL, FIRST_WORD, "policy metric"},
};

/* One question. */
struct completion {
	const char *(*find)(const char *program);
	const char *program;
	const char *typed; /* the word at the cursor */
	size_t head;	   /* of it stays: `--format=user,` */
};

/* ---- candidates ----------------------------------------------------------*/

/* Prints the word as typed, with the rest of the name, where that fits. */
static void offer(const struct completion *c, const char *name, size_t len,
	const char *suffix)
{
	const char *part = c->typed + c->head;
	size_t n = strlen(part);

	if (len >= n && !strncasecmp(name, part, n))
		printf("%s%.*s%s\n", c->typed, (int)(len - n), name + n,
			suffix);
}

static void offer_words(const struct completion *c, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " \t\n");

		if (len)
			offer(c, words, len, "");
		words += len + (words[len] != '\0');
	}
}

/* ---- asking --------------------------------------------------------------*/

/* Starts the program, its messages nowhere; what it prints. */
static FILE *ask(const char *path, char *const argv[], pid_t *pid)
{
	int ends[2];
	FILE *out;

	if (!path || pipe(ends))
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		if (!freopen("/dev/null", "w", stderr) ||
			dup2(ends[1], STDOUT_FILENO) < 0)
			_exit(1);
		close(ends[0]);
		close(ends[1]);
		execv(path, argv);
		_exit(1);
	}
	close(ends[1]);
	out = *pid > 0 ? fdopen(ends[0], "r") : NULL;
	if (!out)
		close(ends[0]);
	return out;
}

static void end_ask(FILE *out, pid_t pid)
{
	fclose(out);
	waitpid(pid, NULL, 0);
}

/* Calls `each` for every line, without its end. */
static void each_line(const struct completion *c, const char *program,
	char *const argv[],
	void (*each)(const struct completion *, char *line, const void *),
	const void *arg)
{
	char line[LINE];
	pid_t pid;
	FILE *out = ask(c->find(program), argv, &pid);

	while (out && fgets(line, sizeof(line), out)) {
		line[strcspn(line, "\n")] = '\0';
		each(c, line, arg);
	}
	if (out)
		end_ask(out, pid);
}

/* A word as the other program completes it: `user=ann`; ours ends there. */
static void name_line(const struct completion *c, char *line, const void *ask)
{
	size_t head = strlen(ask);

	if (!strncmp(line, ask, head))
		offer(c, line + head, strlen(line + head), "");
}

static void offer_names(const struct completion *c, const char *what)
{
	char word[LINE];
	char *argv[] = {"sacctmgr", "--complete", "--", "show", "assoc", word,
		NULL};

	snprintf(word, sizeof(word), "%s%s", what, c->typed + c->head);
	each_line(c, "sacctmgr", argv, name_line, what);
}

static void help_line(const struct completion *c, char *line, const void *take)
{
	line += strspn(line, " \t");
	if (*(const enum take *)take == FIRST_WORD)
		line[strcspn(line, " \t")] = '\0';
	offer_words(c, line);
}

static void offer_from(const struct completion *c, const struct source *source)
{
	char option[64];
	char *argv[] = {(char[16]){0}, option, NULL};

	if (source->words) {
		offer_words(c, source->words);
	} else if (*source->ask != '-') {
		offer_names(c, source->ask);
	} else {
		snprintf(argv[0], 16, "%s", c->program);
		snprintf(option, sizeof(option), "%s", source->ask);
		each_line(c, c->program, argv, help_line, &source->take);
	}
}

/* ---- options and their values --------------------------------------------*/

/* " a b " has the word of `len` bytes. */
static bool among(const char *list, const char *word, size_t len)
{
	for (const char *at = list; (at = strstr(at, " ")) && at[1]; at++)
		if (!strncmp(at + 1, word, len) && at[1 + len] == ' ')
			return true;
	return false;
}

static const struct source *find_source(
	const struct completion *c, const char *option, size_t len)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (len &&
			(!sources[i].programs ||
				among(sources[i].programs, c->program,
					strlen(c->program))) &&
			among(sources[i].options, option, len))
			return &sources[i];
	return NULL;
}

/* Behind the last comma of the value that begins at `from`. */
static void to_last_part(struct completion *c, size_t from)
{
	const char *comma = strrchr(c->typed + from, ',');

	c->head = comma ? (size_t)(comma + 1 - c->typed) : from;
}

static void option_line(const struct completion *c, char *line, const void *arg)
{
	size_t len = strlen(line);

	(void)arg;
	/* `--json ` says that the value may be left out. */
	if (len && line[len - 1] != ' ' && *line == '-')
		offer(c, line, len, "");
}

static void offer_options(const struct completion *c)
{
	char option[LINE], name[16];
	char *argv[] = {name, option, NULL};

	snprintf(name, sizeof(name), "%s", c->program);
	snprintf(option, sizeof(option), "--autocomplete=%s", c->typed);
	each_line(c, c->program, argv, option_line, NULL);
}

/* ---- words ---------------------------------------------------------------*/

/* `srecord --helpformat`: "job:", then its keys, a line each. */
struct keys {
	const char *fact;
	bool *on;
};

static void key_line(const struct completion *c, char *line, const void *arg)
{
	const struct keys *keys = arg;
	size_t len = strlen(keys->fact);

	if (*line != ' ') {
		*keys->on = !strncmp(line, keys->fact, len) && line[len] == ':';
		return;
	}
	line += strspn(line, " ");
	if (*keys->on && *line)
		offer(c, line, strcspn(line, " "), "=");
}

static void complete_fact(struct completion *c, const char *fact)
{
	char *argv[] = {"srecord", "--helpformat", NULL};
	const char *equals = strchr(c->typed, '=');
	bool on = false;

	if (equals) {
		const struct source *source = find_source(
			c, c->typed, (size_t)(equals - c->typed));

		to_last_part(c, (size_t)(equals + 1 - c->typed));
		if (source)
			offer_from(c, source);
		return;
	}
	each_line(c, "srecord", argv, key_line, &(struct keys){fact, &on});
}

static void own_line(const struct completion *c, char *line, const void *arg)
{
	(void)c;
	(void)arg;
	puts(line);
}

/* sacctmgr and sreport know their words. */
static void pass_on(const struct completion *c, char **words, int n)
{
	char *argv[MOST_ARGS + 4] = {words[0], "--complete", "--"};

	for (int i = 1; i < n && i < MOST_ARGS; i++)
		argv[i + 2] = words[i];
	each_line(c, c->program, argv, own_line, NULL);
}

static bool is_job(const char *program)
{
	return !strcmp(program, "seff");
}

static void complete_word(struct completion *c, char **words, int n)
{
	const char *fact = NULL;
	char *jobs[] = {"sacct", "-nPX", "-S", "now-7days", "-o", "jobid", NULL};
	const enum take take = FIRST_WORD;

	for (int i = 1; i + 1 < n && !fact; i++)
		if (*words[i] != '-')
			fact = words[i];
	if (!strcmp(c->program, "srecord") && fact)
		complete_fact(c, fact);
	else if (!strcmp(c->program, "srecord"))
		offer_words(c, "job step node cluster reservation import");
	else if (is_job(c->program))
		each_line(c, "sacct", jobs, help_line, &take);
}

static bool completes_itself(const char *program)
{
	return !strcmp(program, "sacctmgr") || !strcmp(program, "sreport");
}

void complete_print(
	char **words, int n, const char *(*find)(const char *program))
{
	struct completion c = {.find = find, .program = words[0]};
	const struct source *source = NULL;
	const char *equals;

	if (n < 2)
		return;
	c.typed = words[n - 1];
	equals = *c.typed == '-' ? strchr(c.typed, '=') : NULL;
	if (equals) {
		source = find_source(&c, c.typed, (size_t)(equals - c.typed));
		to_last_part(&c, (size_t)(equals + 1 - c.typed));
	} else if (n > 2 && *words[n - 2] == '-' && *c.typed != '-') {
		source = find_source(&c, words[n - 2], strlen(words[n - 2]));
		if (source)
			to_last_part(&c, 0);
	}
	if (source)
		offer_from(&c, source);
	else if (*c.typed == '-' && !equals)
		offer_options(&c);
	else if (completes_itself(c.program))
		pass_on(&c, words, n);
	else if (!equals)
		complete_word(&c, words, n);
}
