/*
 * What if; see whatif.h. Nothing of the copy is left in the file system once
 * whatif_open is over.
 */
#include "db/history/whatif.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "common/base/words.h"
#include "db/entity/privacy.h"
#include "db/history/past.h"
#include "db/job/job.h"
#include "db/store/query.h"

enum { MAX_WORDS = 128, SAID = 600 };

/* The folder of the copy, only while whatif_open runs. */
struct workshop {
	struct site *site;
	struct err *err;
	const char *option; /* that asked for it, "--what-if" */
	struct privacy privacy;
	const char *typed;  /* the change at hand */
	size_t ours;	    /* so much in front of a change nobody typed */
	char folder[512];
	char store[560], journal[576], wal[576], shm[576], conf[560], said[560];
};

/* ---- the folder ----------------------------------------------------------*/

static int make_folder(struct workshop *w)
{
	const char *tmp = secure_getenv("TMPDIR");

	snprintf(w->folder, sizeof(w->folder), "%s/bursar.XXXXXX",
		tmp && *tmp == '/' ? tmp : "/tmp");
	if (!mkdtemp(w->folder)) {
		err_set(w->err, ERR_SYSTEM, "cannot make a folder in %s: %s",
			w->folder, strerror(errno));
		*w->folder = '\0';
		return -1;
	}
	snprintf(w->store, sizeof(w->store), "%s/acct.db", w->folder);
	snprintf(w->journal, sizeof(w->journal), "%s-journal", w->store);
	snprintf(w->wal, sizeof(w->wal), "%s-wal", w->store);
	snprintf(w->shm, sizeof(w->shm), "%s-shm", w->store);
	snprintf(w->conf, sizeof(w->conf), "%s/slurm.conf", w->folder);
	snprintf(w->said, sizeof(w->said), "%s/said", w->folder);
	return 0;
}

static void remove_folder(struct workshop *w)
{
	if (!*w->folder)
		return;
	unlink(w->store);
	unlink(w->journal);
	unlink(w->wal);
	unlink(w->shm);
	unlink(w->conf);
	unlink(w->said);
	rmdir(w->folder);
}

/* ---- programs ------------------------------------------------------------*/

/* A program with rights of its own would not take the copy. */
static int find_program(
	struct workshop *w, const char *name, char *path, size_t size)
{
	struct stat st;
	char own[400], *slash;
	ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	own[len > 0 ? len : 0] = '\0';
	slash = strrchr(own, '/');
	if (!slash)
		return err_set(w->err, ERR_SYSTEM,
			"where this program lies cannot be told");
	*slash = '\0';
	snprintf(path, size, "%s/%s", own, name);
	if (stat(path, &st) || access(path, X_OK))
		return err_set(w->err, ERR_SYSTEM,
			"%s is needed and cannot be run: %s", path,
			strerror(errno));
	if (st.st_mode & (S_ISUID | S_ISGID) ||
		getxattr(path, "security.capability", NULL, 0) > 0)
		return err_set(w->err, ERR_SYSTEM,
			"%s has rights of its own and is not run on a copy",
			path);
	return 0;
}

/* In the child: only the copy and our own now, nothing to read, all it says
 * into a file. */
_Noreturn static void become(
	const struct workshop *w, const char *path, char *const *words)
{
	sigset_t none;
	int in = open("/dev/null", O_RDONLY);
	int out = open(w->said, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	char now[32];

	snprintf(now, sizeof(now), "%" PRId64, w->site->now);
	if (in < 0 || out < 0 || setenv("BURSAR_STORE", w->store, 1) ||
		setenv("BURSAR_NOW", now, 1))
		_exit(127);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(path, words);
	_exit(127);
}

static int complain(struct workshop *w)
{
	char said[SAID + 1];
	int fd = open(w->said, O_RDONLY);
	ssize_t len = fd < 0 ? 0 : read(fd, said, SAID);
	char *text = said;

	if (fd >= 0)
		close(fd);
	said[len > 0 ? len : 0] = '\0';
	while (len > 0 && strchr(" \n", said[len - 1]))
		said[--len] = '\0';
	for (char *c = said; *c; c++)
		if (*c == '\n')
			*c = ' ';
	text += strspn(text, " ");
	if (privacy_hides_text(&w->privacy, &w->site->store, text, w->typed,
		    &w->site->arena))
		text = "refused, for a reason that names others "
		       "(PrivateData)";
	return err_set(w->err, ERR_USAGE, "%s", *text ? text : "refused");
}

static int run(struct workshop *w, const char *name, char *const *words)
{
	char path[512];
	int status = 0;
	pid_t child;

	if (find_program(w, name, path, sizeof(path)))
		return -1;
	child = fork();
	if (child < 0)
		return err_set(w->err, ERR_SYSTEM, "cannot run %s: %s", path,
			strerror(errno));
	if (!child)
		become(w, path, words);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			break;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return complain(w);
}

/* ---- one change ----------------------------------------------------------*/

struct words {
	char *v[MAX_WORDS + 1];
	size_t n;
};

/* At blanks outside of quotes; the quotes go. */
static char *next_word(char **text, bool *open)
{
	char *from = *text + strspn(*text, " \t\n"), *to = from, *word = from;
	char quote = 0;

	if (!*from)
		return NULL;
	for (; *from && (quote || !strchr(" \t\n", *from)); from++) {
		if (quote ? *from == quote : *from == '"' || *from == '\'')
			quote = quote ? 0 : *from;
		else
			*to++ = *from;
	}
	*text = from + (*from != '\0');
	*to = '\0';
	*open = quote != 0;
	return word;
}

static int split(struct workshop *w, char *text, struct words *words)
{
	bool open = false;
	char *word;

	while ((word = next_word(&text, &open))) {
		if (open)
			return err_set(w->err, ERR_USAGE, "a quote is open");
		if (words->n == MAX_WORDS)
			return err_set(w->err, ERR_USAGE, "too many words");
		words->v[words->n++] = word;
	}
	return 0;
}

static bool is_verb(const char *word)
{
	static const char *const verbs[] = {
		"add", "create", "modify", "update", "delete", "remove"};
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (len >= 3 && !strncasecmp(word, verbs[i], len))
			return true;
	return false;
}

/* ---- what others keep private --------------------------------------------*/

/* Jobs of this number, whoever's; 0: the word names none. */
static uint32_t job_number(const char *text)
{
	struct word word = word_split(text);
	unsigned long id;

	if (word.op != OP_SET ||
		!words_match("id:2 jobid:5", word.text, word.name_len))
		return 0;
	id = strtoul(word.value, NULL, 10);
	return id < NO_VAL ? (uint32_t)id : 0;
}

static int check_job(struct workshop *w, uint32_t id)
{
	struct job_ref ref = {id, NO_VAL};
	struct job_cond cond = {.ids = &ref, .n_ids = 1};
	struct job_list found = {0};

	if (job_load(&w->site->store, &cond, &w->site->arena, &found))
		return -1;
	for (size_t i = 0; i < found.n; i++)
		if (!privacy_allows(&w->privacy, found.v[i].user,
			    found.v[i].account))
			return err_set(w->err, ERR_DENIED,
				"job %" PRIu32 " is not yours", id);
	return 0;
}

/* A change must not make the caller's what is another's: neither a job, nor a
 * user by his name. */
static int check_private(struct workshop *w, const struct words *words)
{
	for (size_t i = 0; w->privacy.on && i < words->n; i++) {
		uint32_t id = job_number(words->v[i]);

		if (!strncasecmp(words->v[i], "new", 3))
			return err_set(w->err, ERR_DENIED,
				"nobody gets a new name here (PrivateData)");
		if (id && check_job(w, id))
			return -1;
	}
	return 0;
}

static int run_change(struct whatif *what, struct workshop *w, char *text)
{
	static char sacctmgr[] = "sacctmgr", srecord[] = "srecord",
		    yes[] = "-iQ";
	struct words words = {{sacctmgr, yes}, 2};

	if (split(w, text, &words) || check_private(w, &words))
		return -1;
	what->changed = true;
	if (words.n > 2 && !strcasecmp(words.v[2], "job")) {
		words.v[1] = srecord;
		return run(w, srecord, words.v + 1);
	}
	if (words.n > 2 && is_verb(words.v[2]))
		return run(w, sacctmgr, words.v);
	return err_set(w->err, ERR_USAGE,
		"neither a change of sacctmgr (add, modify, delete ...), nor "
		"job ..., nor a keyword of the policy "
		"(PriorityDecayHalfLife=14-0)");
}

/* ---- the policy ----------------------------------------------------------*/

static const char *const policy_keywords[] = {
	"FairShareDampeningFactor",
	"PriorityCalcPeriod",
	"PriorityDecayHalfLife",
	"PriorityFavorSmall",
	"PriorityFlags",
	"PriorityMaxAge",
	"PriorityUsageResetPeriod",
	"PriorityWeightAge",
	"PriorityWeightAssoc",
	"PriorityWeightFairshare",
	"PriorityWeightJobSize",
	"PriorityWeightPartition",
	"PriorityWeightQOS",
	"PriorityWeightTRES",
	NULL,
};

/* Is it KEYWORD=...? */
static bool is_keyword(const char *text)
{
	size_t len = strcspn(text, "= \t\n");

	return len && text[len] == '=';
}

static int check_keyword(struct workshop *w, const char *text)
{
	size_t len = strcspn(text, "=");

	for (const char *const *k = policy_keywords; *k; k++)
		if (strlen(*k) == len && !strncasecmp(*k, text, len))
			return 0;
	return err_set(w->err, ERR_USAGE,
		"'%.*s' is no keyword of the policy: Priority..., or "
		"FairShareDampeningFactor",
		(int)len, text);
}

/* The site's slurm.conf with one more line, which wins. */
static int read_policy(
	struct whatif *what, struct workshop *w, const struct strv *lines)
{
	const char *own = w->site->conf.path;
	FILE *out = fopen(w->conf, "we");
	char *full = own ? realpath(own, NULL) : NULL;
	char *sentence;
	int failed;

	if (!out) {
		free(full);
		return err_set(w->err, ERR_SYSTEM, "cannot write %s: %s",
			w->conf, strerror(errno));
	}
	if (full)
		fprintf(out, "Include %s\n", full);
	for (size_t i = 0; i < lines->n; i++)
		fprintf(out, "%s\n", lines->v[i]);
	failed = fclose(out);
	free(full);
	if (failed)
		return err_set(w->err, ERR_SYSTEM, "cannot write %s: %s",
			w->conf, strerror(errno));
	if (!conf_load(&what->site.conf, w->conf, &what->site.arena, w->err))
		return 0;
	sentence = strstr(w->err->text, ": ");
	if (sentence && !strncmp(w->err->text, w->folder, strlen(w->folder)))
		return err_set(w->err, ERR_USAGE, "%s",
			arena_strdup(&what->site.arena, sentence + 2));
	return -1;
}

/* ---- all -----------------------------------------------------------------*/

/* Whoever tries may do everything, in the copy. */
static int make_administrator(struct store *copy, const char *name)
{
	struct query q;

	if (query_open(&q, copy,
		    "INSERT INTO user"
		    " (name, admin_level, created, modified)"
		    " VALUES (:name, 3, :now, :now)"
		    " ON CONFLICT DO UPDATE SET admin_level = 3, deleted = 0"))
		return -1;
	query_bind_text(&q, ":name", name);
	query_bind_int(&q, ":now", copy->now);
	return query_run(&q);
}

static int open_copy(
	struct workshop *w, struct store *store, struct arena *arena)
{
	struct store_options options = {
		.mode = STORE_CREATE,
		.path = arena_strdup(arena, w->store),
		.cluster = w->site->cluster,
		.tres = &w->site->conf.tres,
		.default_qos = w->site->dbd.default_qos,
		.actor = w->site->caller.name,
		.now = w->site->now,
	};

	return store_open(store, &options, w->err);
}

static int prepare_copy(struct workshop *w)
{
	struct store copy;
	struct arena arena;
	int status;

	if (store_copy_file(&w->site->store, w->store))
		return -1;
	if (w->site->caller.super)
		return 0;
	arena_init(&arena);
	status = open_copy(w, &copy, &arena);
	if (!status) {
		status = make_administrator(&copy, w->site->caller.name);
		store_close(&copy);
	}
	arena_release(&arena);
	return status;
}

static int carry_out(
	struct whatif *what, struct workshop *w, const struct strv *changes)
{
	struct strv lines = {0};

	for (size_t i = 0; i < changes->n; i++) {
		char *text = arena_strdup(&what->site.arena, changes->v[i]);
		int status;

		w->typed = changes->v[i];
		text += strspn(text, " \t\n");
		if (is_keyword(text)) {
			strv_push(&lines, &what->site.arena, text);
			status = check_keyword(w, text) ||
				 read_policy(what, w, &lines);
		} else {
			status = run_change(what, w, text);
		}
		if (status)
			return err_prefix(w->err, "%s='%s'", w->option,
				changes->v[i] + w->ours);
	}
	return 0;
}

static bool fades_otherwise(const struct policy *a, const struct policy *b)
{
	return a->half_life != b->half_life || a->reset != b->reset;
}

static int build(
	struct whatif *what, struct workshop *w, const struct strv *changes)
{
	if (make_folder(w) || prepare_copy(w) || carry_out(what, w, changes))
		return -1;
	return open_copy(w, &what->site.store, &what->site.arena);
}

/* The folder must go, whatever comes from the keyboard meanwhile. */
static void hold_signals(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGHUP);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGQUIT);
	sigaddset(&held, SIGTERM);
	sigprocmask(SIG_BLOCK, &held, before);
}

static int make_copy(
	struct whatif *what, const struct strv *changes, struct workshop *w)
{
	sigset_t before;
	int status;

	hold_signals(&before);
	status = build(what, w, changes);
	remove_folder(w);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* Another time, or usage that fades otherwise: it is made anew from the
 * records then. */
static int move(struct whatif *what, const struct site *site, int64_t at,
	bool details, struct err *err)
{
	bool anew =
		fades_otherwise(&site->conf.policy, &what->site.conf.policy);

	if (what->changed && at < site->now)
		return err_set(err, ERR_USAGE,
			"--what-if changes what is to come: --at must not lie "
			"in the past");
	what->site.now = at;
	if (!anew && at == site->now)
		return 0;
	what->copy = what->site.store;
	if (past_open(&what->past, &what->copy, &what->site.conf.policy,
		    details, anew ? PAST_ONE_HALF_LIFE : PAST_FROM_STORE))
		return -1;
	what->moved = true;
	if (past_move(&what->past, at))
		return -1;
	what->site.store = what->past.store;
	return 0;
}

/* Opens `what` for the changes, as they are at the time of the site. */
static int begin(
	struct whatif *what, const struct strv *changes, struct workshop *w)
{
	if (getauxval(AT_SECURE))
		return err_set(w->err, ERR_DENIED,
			"%s is not for programs with rights of their own",
			w->option);
	if (privacy_open(&w->privacy, w->site, PRIVATE_NAMES, &w->site->arena))
		return -1;
	*what = (struct whatif){.site = *w->site};
	arena_init(&what->site.arena);
	if (!make_copy(what, changes, w))
		return 0;
	arena_release(&what->site.arena);
	return -1;
}

int whatif_open(struct whatif *what, struct site *site,
	const struct strv *changes, int64_t at, bool details, struct err *err)
{
	struct workshop w = {.site = site, .err = err, .option = "--what-if"};

	if (begin(what, changes, &w))
		return -1;
	if (!move(what, site, at, details, err))
		return 0;
	whatif_close(what);
	return -1;
}

/* The newest record is the one that came last. */
static int newest_job(struct store *store, int64_t *key)
{
	struct query q;

	if (query_open_text(&q, store, "SELECT MAX(key) FROM job"))
		return -1;
	*key = query_row(&q) ? query_int(&q, 0) : 0;
	return query_close(&q);
}

int whatif_submit(struct whatif *what, struct site *site, const char *option,
	const char *defaults, const char *words, int64_t *key, struct err *err)
{
	struct workshop w = {.site = site, .err = err, .option = option};
	struct strv changes = {0};
	const char *front = arena_printf(&site->arena, "job %s ", defaults);

	w.ours = strlen(front);
	strv_push(&changes, &site->arena,
		arena_printf(&site->arena, "%s%s", front, words));
	if (begin(what, &changes, &w))
		return -1;
	if (!newest_job(&what->site.store, key))
		return 0;
	whatif_close(what);
	return -1;
}

void whatif_close(struct whatif *what)
{
	if (what->moved) {
		past_close(&what->past);
		store_close(&what->copy);
	} else {
		store_close(&what->site.store);
	}
	arena_release(&what->site.arena);
}
