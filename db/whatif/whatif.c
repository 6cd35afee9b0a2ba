/*
 * What if; see whatif.h. The store is laid over (db/file/overlay.h), and the
 * operations of sacctmgr and srecord are carried out on that by their own
 * functions: no program is run, no file written.
 */
#include "db/whatif/whatif.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/privilege.h"
#include "common/base/words.h"
#include "db/change/change.h"
#include "db/entity/privacy.h"
#include "db/past/past.h"
#include "db/job/job.h"
#include "db/record/record.h"
#include "db/store/query.h"

/* What is tried, for whom. */
struct trial {
	struct whatif *what;
	struct site *site; /* the caller's own */
	struct err *err;
	const char *option; /* that asked for it, "--what-if" */
	size_t ours;	    /* this much is prefixed to a change that was not typed */
	const char *typed;  /* the change at hand */
	struct privacy privacy;
};

/* ---- what others keep private --------------------------------------------*/

/* The job id of JobID=; 0 for another word. */
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

static int check_job(struct trial *t, uint32_t id)
{
	struct job_ref ref = {id, NO_VAL};
	struct job_cond cond = {.ids = &ref, .n_ids = 1};
	struct job_list found = {0};

	if (job_load(&t->site->store, &cond, &t->site->arena, &found))
		return -1;
	for (size_t i = 0; i < found.n; i++)
		if (!privacy_allows(&t->privacy, found.v[i].user,
			    found.v[i].account))
			return err_set(t->err, ERR_DENIED,
				"job %" PRIu32 " is not yours", id);
	return 0;
}

/* A change must not make the caller's what is another's: neither a job, nor a
 * user by his name. */
static int check_private(struct trial *t, char *const *words)
{
	for (; t->privacy.on && *words; words++) {
		uint32_t id = job_number(*words);

		if (!strncasecmp(*words, "new", 3))
			return err_set(t->err, ERR_DENIED,
				"nobody gets a new name here (PrivateData)");
		if (id && check_job(t, id))
			return -1;
	}
	return 0;
}

/* ---- an operation --------------------------------------------------------*/

/* What is said must not name those whom the caller may not list. */
static int refuse(struct trial *t, const char *text)
{
	if (privacy_hides_text(&t->privacy, &t->site->store, text, t->typed,
		    &t->site->arena))
		text = "refused, for a reason that names others "
		       "(PrivateData)";
	return err_set(t->err, ERR_USAGE, "%s", text);
}

/* The caller of a what-if may do everything while it lasts. */
static int run_verb(struct trial *t, enum verb verb, char **words, int n)
{
	struct unasked u = {.command = t->option};
	struct site *site = &t->what->site;
	const struct caller caller = site->caller;
	int rc;

	site->caller.super = true;
	rc = change_unasked(site, &u, verb, words, n);
	site->caller = caller;
	return rc ? refuse(t, u.why) : 0;
}

static int run_change(struct trial *t, char *text)
{
	char *words[LINE_WORDS + 1];
	int n = line_unquote(text, words);
	enum verb verb;
	uint32_t id;

	if (n < 0)
		return err_set(t->err, ERR_USAGE,
			n == -1 ? "too many words" : "a quote is open");
	if (check_private(t, words))
		return -1;
	t->what->changed = true;
	if (n && !strcasecmp(words[0], "job")) {
		struct err err;

		if (record_submit(&t->what->site, words + 1, n - 1, &id, &err))
			return refuse(t, err.text);
		return 0;
	}
	verb = n ? change_verb(words[0]) : VERBS;
	if (verb != VERBS)
		return run_verb(t, verb, words + 1, n - 1);
	return err_set(t->err, ERR_USAGE,
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

static int check_keyword(struct trial *t, const char *text)
{
	size_t len = strcspn(text, "=");

	for (const char *const *k = policy_keywords; *k; k++)
		if (strlen(*k) == len && !strncasecmp(*k, text, len))
			return 0;
	return err_set(t->err, ERR_USAGE,
		"'%.*s' is no keyword of the policy: Priority..., or "
		"FairShareDampeningFactor",
		(int)len, text);
}

/* The site's configuration with these lines more, which win. */
static int read_policy(struct trial *t, const struct strv *changes)
{
	struct site *site = &t->what->site;
	struct strv lines = {0};

	for (size_t i = 0; i < t->site->registered.n; i++)
		strv_push(&lines, &site->arena, t->site->registered.v[i]);
	for (size_t i = 0; i < changes->n; i++)
		strv_push(&lines, &site->arena, changes->v[i]);
	return conf_load_with(&site->conf, t->site->conf.path, &lines,
		&site->arena, t->err);
}

/* ---- all -----------------------------------------------------------------*/

static int carry_out(struct trial *t, const struct strv *changes)
{
	struct arena *arena = &t->what->site.arena;
	struct strv lines = {0};

	for (size_t i = 0; i < changes->n; i++) {
		char *text = arena_strdup(arena, changes->v[i]);
		int status;

		t->typed = changes->v[i];
		text += strspn(text, " \t\n");
		if (is_keyword(text)) {
			strv_push(&lines, arena, text);
			status = check_keyword(t, text) ||
				 read_policy(t, &lines);
		} else {
			status = run_change(t, text);
		}
		if (status)
			return err_prefix(t->err, "%s='%s'", t->option,
				changes->v[i] + t->ours);
	}
	return 0;
}

/* At another time, or with another decay, usage is computed from the
 * records. */
static int move(struct whatif *what, const struct site *site, int64_t at,
	bool details, struct err *err)
{
	bool anew = site->conf.policy.half_life !=
			    what->site.conf.policy.half_life ||
		    site->conf.policy.reset != what->site.conf.policy.reset;

	if (what->changed && at < site->now)
		return err_set(err, ERR_USAGE,
			"--what-if changes what is to come: --at must not lie "
			"in the past");
	what->site.now = at;
	if (!anew && at == site->now)
		return 0;
	return any_failed(past_open_in(&what->past, &what->site.store,
				  &what->site.conf.policy, details, anew) ||
			  past_move(&what->past, at));
}

/* Opens `what` for the changes, as they are at the time of the site. */
static int begin(struct trial *t, const struct strv *changes)
{
	struct whatif *what = t->what;

	if (privilege_guards())
		return err_set(t->err, ERR_DENIED,
			"%s is not for programs with rights of their own",
			t->option);
	if (privacy_open(&t->privacy, t->site, PRIVATE_NAMES, &t->site->arena))
		return -1;
	*what = (struct whatif){.site = *t->site};
	if (site_lay_over(&what->site, t->site)) {
		if (t->err != t->site->store.err)
			*t->err = *t->site->store.err;
		return -1;
	}
	arena_init(&what->site.arena);
	if (!carry_out(t, changes))
		return 0;
	whatif_close(what);
	return -1;
}

int whatif_open(struct whatif *what, struct site *site,
	const struct strv *changes, int64_t at, bool details, struct err *err)
{
	struct trial t = {.what = what,
		.site = site,
		.err = err,
		.option = "--what-if"};

	if (begin(&t, changes))
		return -1;
	if (!move(what, site, at, details, err))
		return 0;
	whatif_close(what);
	return -1;
}

int whatif_submit(struct whatif *what, struct site *site, const char *option,
	const char *defaults, const char *words, int64_t *key, struct err *err)
{
	const char *front = arena_printf(&site->arena, "job %s ", defaults);
	struct trial t = {.what = what,
		.site = site,
		.err = err,
		.option = option,
		.ours = strlen(front)};
	struct strv changes = {0};

	strv_printf(&changes, &site->arena, "%s%s", front, words);
	if (begin(&t, &changes))
		return -1;
	if (!job_newest_key(&what->site.store, key))
		return 0;
	whatif_close(what);
	return -1;
}

void whatif_close(struct whatif *what)
{
	past_close(&what->past);
	store_close(&what->site.store);
	arena_release(&what->site.arena);
}
