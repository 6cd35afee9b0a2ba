/*
 * spage: the whole site as one self-contained HTML file. Its data come from the
 * programs in the same folder.
 */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/spage/spage.h"
#include "common/base/notice.h"
#include "common/base/outfile.h"
#include "common/cli/cli.h"
#include "db/entity/site.h"
#include "common/cli/options.h"
#include "common/text/timespec.h"
#include "db/job/complete.h"

struct options {
	const char *user, *folder, *start;
	bool quiet;
};

/* clang-format off */
static const char usage_text[] =
"Usage: spage [-hQV] [--start=TIME] [--user=NAME] [FILE|-]\n"
"       spage [-Q] [--start=TIME] --dir=DIR\n";

static const char help_head[] =
"spage [<OPTION>] [FILE|-]\n"
"Writes the site as one HTML file: shares, queue, plan, usage. FILE is replaced\n"
"only by a whole page; without it, or with -, standard output takes it.\n";

/* In the order of --help. */
static const struct option_group option_groups[] = {
	{NULL, "user dir start"},
	{NULL, "quiet offline version help usage"},
	{NULL, NULL},
};

static const struct option_help help_page = {help_head, option_groups, 22, NULL};
/* clang-format on */

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{"autocomplete", 0, required_argument, option_complete, .stored = offer_stored},
	{"user", 0, required_argument, option_text, .offset = AT(user), .source = FROM_USERS,
		.arg = "NAME", .help = "what NAME may see; of another only as root"},
	{"dir", 0, required_argument, option_text, .offset = AT(folder),
		.arg = "DIR", .help = "a page for every user and an index, in DIR; only as root"},
	{"start", 0, required_argument, option_text, .offset = AT(start),
		.arg = "TIME", .help = "usage, utilization and history from then on; now-14days"},
	{"quiet", 'Q', no_argument, option_bool, .offset = AT(quiet), .value = true,
		.help = "no progress"},
	OPTION_OFFLINE,
	OPTION_VERSION("print the version"),
	OPTION_HELP('h', "print this"),
	OPTION_USAGE,
	{.take = NULL},
};
/* clang-format on */

/* Their tables must look as we read them, and be whole. */
static void clean_environment(void)
{
	static const char *const names[] = {"SLURM_TIME_FORMAT",
		"SLURM_CLUSTERS", "SPRIO_FORMAT", "SQUEUE_ACCOUNT",
		"SQUEUE_ARRAY", "SQUEUE_ALL", "SQUEUE_FORMAT",
		"SQUEUE_FORMAT2", "SQUEUE_LICENSES", "SQUEUE_NAMES",
		"SQUEUE_PARTITION", "SQUEUE_PRIORITY", "SQUEUE_QOS",
		"SQUEUE_SORT", "SQUEUE_STATES", "SQUEUE_USERS",
		"BURSAR_HINTS"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unsetenv(names[i]);
	setenv("BURSAR_HINTS", "no", 1);
}

/* A name that can be used as a file name and in a URL as it is. */
static bool is_plain(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-.") == strlen(name);
}

/* Users of the store by their names: those whose name can be that of a file,
 * and the others. */
static int list_users(struct arena *arena, struct strv *users,
	struct strv *others, struct err *err)
{
	static const char *const argv[] = {
		"sacctmgr", "show", "user", "--ndjson", "format=user", NULL};
	struct answer answer = {0};
	struct asked_program asked;

	if (ask_start(argv, NULL, &asked, err))
		return -1;
	ask_finish(&asked, 1, arena, &answer);
	if (answer.error)
		return err_set(err, ERR_STORE, "%s", answer.error);
	for (size_t i = 0; i < answer.lines.n; i++) {
		struct json_object *record =
			json_tokener_parse(answer.lines.v[i]);
		const char *name =
			arena_strdup(arena, record_text(record, "user"));

		strv_push(is_plain(name) ? users : others, arena, name);
		json_object_put(record);
	}
	return 0;
}

static bool is_own_name(const char *name)
{
	const struct passwd *own = getpwuid(getuid());

	return own && !strcmp(own->pw_name, name);
}

/* May we look as the user, and does the store know one of that name? */
static int check_user(const char *name, struct err *err)
{
	struct strv users = {0};
	struct arena arena;
	int status;

	if (is_own_name(name))
		return 0;
	if (getuid())
		return err_set(err, ERR_DENIED,
			"--user=%s: only root can look as another", name);
	arena_init(&arena);
	status = list_users(&arena, &users, &users, err);
	if (!status && !strv_has(&users, name))
		status = err_set(err, ERR_USAGE,
			"--user: the store has no user %s", name);
	arena_release(&arena);
	return status;
}

/* ---- one page -------------------------------------------------------------*/

static int write_file(struct page *p, const char *name, struct err *err)
{
	struct outfile file = {0};

	if (outfile_open(&file, name, OUTFILE_OR_STDOUT, err))
		return -1;
	page_write(p, file.file);
	return outfile_close(&file, err);
}

/* Of what the user may see; NULL: the caller. */
static int make_page(const struct options *options, const char *user,
	const char *name, struct err *err)
{
	struct page p = {.user = user && !is_own_name(user) ? user : NULL,
		.own = user,
		.start = options->start,
		.now = site_clock()};
	int status;

	if (time_parse(p.start, p.now, true, &p.from, err))
		return -1;
	arena_init(&p.arena);
	status = page_ask(&p, err);
	if (!status)
		status = write_file(&p, name, err);
	free(p.words);
	arena_release(&p.arena);
	return status;
}

/* ---- a page for every user ------------------------------------------------*/

static int make_index(struct arena *arena, const char *folder,
	const struct strv *users, struct err *err)
{
	struct outfile file = {0};

	if (outfile_open(&file, arena_printf(arena, "%s/index.html", folder),
		    OUTFILE_REPLACE, err))
		return -1;
	fputs("<!doctype html>\n<html lang=en><meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width\">\n"
	      "<meta name=color-scheme content=\"light dark\">\n"
	      "<title>Pages of users</title>\n"
	      "<body style=\"font:1rem/1.6 sans-serif;margin:2rem\">\n"
	      "<h1>Pages of users</h1>\n<ul style=\"columns:12rem\">\n",
		file.file);
	for (size_t i = 0; i < users->n; i++)
		fprintf(file.file, "<li><a href=\"user-%s.html\">%s</a>\n",
			users->v[i], users->v[i]);
	fputs("</ul>\n", file.file);
	return outfile_close(&file, err);
}

static int make_folder(const struct options *options, struct err *err)
{
	const char *folder = options->folder;
	struct strv users = {0}, others = {0};
	struct arena arena;
	int status;

	if (getuid())
		return err_set(err, ERR_DENIED,
			"--dir: only root can look as every user");
	umask(077);
	if (mkdir(folder, 0700) && errno != EEXIST)
		return err_set(err, ERR_SYSTEM, "%s: %s", folder,
			strerror(errno));
	arena_init(&arena);
	status = list_users(&arena, &users, &others, err);
	for (size_t i = 0; !status && i < users.n; i++) {
		progress("writing the pages", (int64_t)i, (int64_t)users.n);
		status = make_page(options, users.v[i],
			arena_printf(&arena, "%s/user-%s.html", folder,
				users.v[i]),
			err);
	}
	if (!status)
		status = make_index(&arena, folder, &users, err);
	if (!status && others.n)
		fprintf(stderr,
			"%s: no page for %zu whose name is that of no file: %s\n",
			cli_name(), others.n,
			strv_join_some(&others, ", ", &arena));
	arena_release(&arena);
	return status;
}

int main(int argc, char **argv)
{
	struct options options = {.start = "now-14days"};
	const char *name = "-";
	struct err err = {0};
	int first;

	cli_init(argv[0]);
	first = options_read(option_rows, &options, argc, argv);
	if (first < argc)
		name = argv[first];
	if (first + 1 < argc)
		option_bad_word(argv[first + 1], usage_text);
	if (options.folder && (first < argc || options.user))
		cli_fatal("--dir chooses the files and the users by itself");
	cli_progress(options.quiet);
	clean_environment();
	progress("asking the programs", 0, 0);
	if (options.user && check_user(options.user, &err))
		cli_die(&err);
	if (options.folder ? make_folder(&options, &err)
			   : make_page(&options, options.user, name, &err))
		cli_die(&err);
	progress_end();
	return 0;
}
