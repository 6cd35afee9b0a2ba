/*
 * seff --waste: who asked for what was not used, in hours and as a share, the
 * worst first, and beside it what would have been enough. What nobody measured
 * is not waste: it is left out, and counted.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/seff/seff.h"
#include "common/base/hash.h"
#include "common/base/nearest.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/cli/options.h"
#include "db/entity/names.h"
#include "db/viewer/viewer.h"

enum group_key { BY_USER, BY_ACCOUNT, BY_PARTITION, GROUP_KEYS };

/* Jobs of one user, account, partition, name and size; then a row: those and
 * all others of its group, which lost less. */
struct waster {
	UT_hash_handle hh;
	const char *id, *of[GROUP_KEYS];
	uint64_t jobs, unknown;
	struct loss loss[LOSSES];
	struct sample sample;
	/* As the newest asked. */
	double asked[LOSSES];
	char newest[32];
	const char *enough;
};

struct wasters {
	struct session *session;
	struct strv users, accounts, partitions;
	struct arena arena;
	struct waster *index, **v;
	size_t n, cap;
	bool by[GROUP_KEYS];
	enum loss_kind sort;
};

/* ---- columns -------------------------------------------------------------*/

static double used_part(const struct loss *loss)
{
	return loss->given > 0 ? (1 - loss->lost / loss->given) * 100 : NAN;
}

static double hours_lost(const struct loss *loss)
{
	return loss->given > 0 ? loss->lost : NAN;
}

#define GET(name, expression) GETTER(name, struct waster, expression)
GET(key, of_text(row->of[m->arg]))
GET(jobs, of_uint(row->jobs))
GET(unknown, of_uint(row->unknown))
GET(part, of_fixed(used_part(&row->loss[m->arg]), 1))
GET(lost, of_fixed(hours_lost(&row->loss[m->arg]), 2))
GET(newest, of_text(row->newest))
GET(enough, of_text(row->enough))

/* clang-format off */
#define BY(key, ...) {SHOWN(__VA_ARGS__), .get = get_key, .arg = (key)}
#define PART(kind, worth, ...) {SHOWN(__VA_ARGS__), .fit.rank = (worth), .get = get_part, .arg = (kind)}
#define LOST(kind, worth, ...) {SHOWN(__VA_ARGS__), .fit.rank = (worth), .get = get_lost, .arg = (kind)}

static const struct member rows[] = {
	BY(BY_USER, "User", "User", 10, "user", "whose jobs"),
	BY(BY_ACCOUNT, "Account", "Account", 10, "account", "of which account"),
	BY(BY_PARTITION, "Partition", "Partition", 9, "partition", "of which partition"),
	{SHOWN("Jobs", "Jobs", 5, "jobs", "that ended"), .get = get_jobs},
	{SHOWN("Unknown", "Unknown", 7, "unknown_jobs", "of them, of which no step tells what it used"), .fit.rank = 5, .get = get_unknown},
	PART(LOSS_CPU, 2, "CPU%", "CPU%", 5, "cpu_percent", "CPU time by what was given"),
	LOST(LOSS_CPU, 0, "CPUhLost", "CPUhLost", 9, "cpu_hours_lost", "core hours not used"),
	PART(LOSS_MEM, 4, "Mem%", "Mem%", 5, "memory_percent", "peak memory by what was given"),
	LOST(LOSS_MEM, 0, "GiBhLost", "GiBhLost", 9, "memory_gib_hours_lost", "GiB hours above the peak"),
	PART(LOSS_GPU, 5, "GPU%", "GPU%", 5, "gpu_percent", "GPUs used at once by those given"),
	LOST(LOSS_GPU, 0, "GPUhLost", "GPUhLost", 8, "gpu_hours_lost", "GPU hours above the peak"),
	PART(LOSS_TIME, 6, "Time%", "Time%", 5, "time_limit_percent", "run time by time limit"),
	LOST(LOSS_TIME, 3, "TimehLost", "TimehLost", 9, "time_limit_hours_lost", "hours of the time limits not needed"),
	{SHOWN("Newest", "Newest", 10, "newest_job", "the newest of the like jobs that lost most"), .fit.rank = 7, .get = get_newest},
	{SHOWN("Enough", "Enough", -36, "enough", "what such jobs need instead"), .fit = {1, 33}, .get = get_enough},
};
/* clang-format on */
static const struct members members = MEMBERS(rows);

void print_waster_columns(void)
{
	grid_print_help(stdout, &members, 12);
}

/* Those that tell the groups apart, and the rest. */
static void begin(const struct wasters *w)
{
	struct member *v =
		arena_array(w->session->options.arena, members.n, sizeof(*v));
	struct members *shown =
		arena_array(w->session->options.arena, 1, sizeof(*shown));

	*shown = (struct members){v, 0};
	for (size_t i = 0; i < members.n; i++)
		if (i >= GROUP_KEYS || w->by[i])
			v[shown->n++] = rows[i];
	listing_begin(w->session, shown, "groups");
}

/* ---- what is asked for ---------------------------------------------------*/

static const char *const key_words[] = {"user:1", "account:1", "partition:1"};
static const char *const sort_words[] = {
	"cpu:1", "memory:1", "gpu:1", "time:1"};

static size_t one_of(const char *name, const char *value,
	const char *const *words, size_t n, const char *list)
{
	for (size_t i = 0; i < n; i++)
		if (words_match(words[i], value, strlen(value)))
			return i;
	cli_fatal("--waste: %s='%s' is none of %s", name, value, list);
}

#define KEY_LIST "user, account, partition"
#define SORT_LIST "cpu, memory, gpu, time"

static void take_by(struct wasters *w, const char *value)
{
	struct strv words = {0};

	strv_words(&words, &w->arena, value);
	for (size_t i = 0; i < words.n; i++)
		w->by[one_of("by", words.v[i], key_words, GROUP_KEYS,
			KEY_LIST)] = true;
}

static void take_sort(struct wasters *w, const char *value)
{
	w->sort = (enum loss_kind)one_of(
		"sort", value, sort_words, LOSSES, SORT_LIST);
}

static void take_user(struct wasters *w, const char *value)
{
	struct strv words = {0};

	strv_words(&words, &w->arena, value);
	for (size_t i = 0; i < words.n; i++)
		strv_push(&w->users, &w->arena,
			viewer_user(&w->session->site, words.v[i]));
}

static void take_account(struct wasters *w, const char *value)
{
	strv_words(&w->accounts, &w->arena, str_lower(&w->arena, value));
	site_missing(
		&w->session->site, FROM_ACCOUNTS, &w->accounts, cli_no_such);
}

static void take_partition(struct wasters *w, const char *value)
{
	strv_words(&w->partitions, &w->arena, value);
}

static void take_since(struct wasters *w, const char *value)
{
	w->session->options.from =
		option_time_of("since", value, w->session->options.now);
}

static void take_until(struct wasters *w, const char *value)
{
	w->session->options.until =
		option_time_of("until", value, w->session->options.now);
}

static const struct {
	const char *names;
	void (*take)(struct wasters *, const char *value);
	enum value_source source;
	const char *values, *help;
} words[] = {
	{"user:1 users:5", take_user, FROM_USERS, "", "their jobs"},
	{"account:1 accounts:8", take_account, FROM_ACCOUNTS, "", "its jobs"},
	{"partition:1 partitions:10", take_partition, FROM_PARTITIONS, "",
		"its jobs"},
	{"since:2", take_since, FROM_NOTHING, "", "jobs that ended since then"},
	{"until:2", take_until, FROM_NOTHING, "", "jobs that ended before"},
	{"by:1", take_by, FROM_NOTHING, KEY_LIST, "what a row is of"},
	{"sort:2", take_sort, FROM_NOTHING, SORT_LIST, "what the worst lost"},
};
enum { WORDS = sizeof(words) / sizeof(*words) };

static void take_word(struct wasters *w, const char *text)
{
	struct word word = word_split(text);
	struct nearest nearest;

	nearest_init(&nearest, text, word.name_len);
	for (size_t i = 0; i < WORDS; i++) {
		if (word.op == OP_SET &&
			words_match(words[i].names, text, word.name_len)) {
			words[i].take(w, word.value);
			return;
		}
		nearest_names(&nearest, words[i].names);
	}
	cli_error("--waste: unknown word '%s'", text);
	cli_did_you_mean(&nearest);
	exit(1);
}

void offer_waste_words(struct completion *c)
{
	struct word word = word_split(c->typed);

	for (size_t i = 0; i < WORDS; i++) {
		if (word.op == OP_NONE) {
			offer_word(c, words[i].names, "=", words[i].help);
		} else if (words_match(
				   words[i].names, c->typed, word.name_len)) {
			completion_value(c, word.value);
			offer_list(c, words[i].values);
			offer_from(c, words[i].source);
			return;
		}
	}
}

/* ---- groups ------------------------------------------------------------*/

static struct waster *group_of(struct wasters *w, const struct job_report *r)
{
	const struct job *job = r->job;
	const char *id = arena_printf(&w->session->scratch,
		"%s\n%s\n%s\n%llu\n%llu\n%llu\n%s", job->user, job->account,
		job->partition, (unsigned long long)r->e.cpus,
		(unsigned long long)r->e.nodes, (unsigned long long)r->gpus,
		job->name);
	struct waster *group;

	HASH_FIND_STR(w->index, id, group);
	if (group)
		return group;
	group = arena_array(&w->arena, 1, sizeof(*group));
	*group = (struct waster){
		.id = arena_strdup(&w->arena, id),
		.of = {arena_strdup(&w->arena, job->user),
			arena_strdup(&w->arena, job->account),
			arena_strdup(&w->arena, job->partition)},
		.enough = "",
	};
	HASH_ADD_KEYPTR(hh, w->index, group->id, strlen(group->id), group);
	*ARENA_PUSH(&w->arena, w->v, w->n, w->cap) = group;
	return group;
}

static void add(struct loss *to, struct loss loss)
{
	if (isnan(loss.lost))
		return;
	to->given += loss.given;
	to->lost += loss.lost;
}

static int take(struct history_row *row, void *arg)
{
	struct wasters *w = arg;
	uint32_t limit = row->job.wall_limit;
	struct job_report r;
	struct waster *group;

	if (!job_state_finished(row->job.state) || !row->job.start)
		return 0;
	r = report_of(row, w->session);
	group = group_of(w, &r);
	group->jobs++;
	group->unknown += !r.knows_cpu && !r.knows_mem && isnan(r.gpus_used);
	for (enum loss_kind kind = 0; kind < LOSSES; kind++)
		add(&group->loss[kind], loss_of(&r, kind));
	sample_take(&group->sample, &r, &w->arena);
	snprintf(group->newest, sizeof(group->newest), "%s", r.id);
	group->asked[LOSS_CPU] = (double)r.e.cpus;
	group->asked[LOSS_MEM] = r.e.mem_given / 1024;
	group->asked[LOSS_GPU] = (double)r.gpus;
	group->asked[LOSS_TIME] =
		limit_is_set(limit) ? limit : (double)INFINITY;
	return 0;
}

/* ---- rows ----------------------------------------------------------------*/

static const struct wasters *sorted; /* for qsort */

static int by_group(const struct waster *x, const struct waster *y)
{
	int order = 0;

	for (size_t i = 0; i < GROUP_KEYS && !order; i++)
		if (sorted->by[i])
			order = strcmp(x->of[i], y->of[i]);
	return order;
}

/* Of which nothing is known comes last. */
static int by_loss(const void *a, const void *b)
{
	const struct waster *x = *(struct waster *const *)a,
			    *y = *(struct waster *const *)b;
	const struct loss *p = &x->loss[sorted->sort],
			  *q = &y->loss[sorted->sort];
	int order;

	if (p->lost != q->lost)
		return p->lost < q->lost ? 1 : -1;
	if (!(p->given > 0) != !(q->given > 0))
		return p->given > 0 ? -1 : 1;
	order = by_group(x, y);
	return order ? order : strcmp(x->id, y->id);
}

static int by_group_and_loss(const void *a, const void *b)
{
	int order = by_group(
		*(struct waster *const *)a, *(struct waster *const *)b);

	return order ? order : by_loss(a, b);
}

static char *memory_text(struct arena *arena, double mib)
{
	return mib < 10240 ? arena_printf(arena, "mem=%.0fM", mib)
			   : arena_printf(arena, "mem=%.0fG", ceil(mib / 1024));
}

/* In the words of srecord and splan --when; nothing where they ask for no more
 * than they need, or none of them tells. */
static const char *enough_of(struct wasters *w, struct waster *group)
{
	struct arena *arena = &w->arena;
	struct strv texts = {0};

	for (enum loss_kind kind = 0; kind < LOSSES; kind++) {
		double n = sample_limit(
			&group->sample, kind, w->session->options.quantile);

		if (!group->sample.of[kind].n || n >= group->asked[kind])
			continue;
		if (kind == LOSS_MEM)
			strv_push(&texts, arena, memory_text(arena, n));
		else if (kind == LOSS_TIME)
			strv_printf(&texts, arena, "time=%s",
				efficiency_time(arena, (uint64_t)n * 60));
		else
			strv_printf(&texts, arena, "%s=%.0f",
				kind == LOSS_CPU ? "cpus" : "gpus", n);
	}
	return strv_join(&texts, " ", arena);
}

static void join(struct waster *row, const struct waster *group)
{
	row->jobs += group->jobs;
	row->unknown += group->unknown;
	for (enum loss_kind kind = 0; kind < LOSSES; kind++)
		add(&row->loss[kind], group->loss[kind]);
	if (*row->enough)
		return;
	row->enough = group->enough;
	if (*row->enough)
		memcpy(row->newest, group->newest, sizeof(row->newest));
}

/* Those come first in their group that lost most: of them the first that could
 * do with less speak for it. */

static void make_rows(struct wasters *w)
{
	size_t n = 0;

	sorted = w;
	if (w->n)
		qsort(w->v, w->n, sizeof(*w->v), by_group_and_loss);
	for (size_t i = 0; i < w->n; i++) {
		struct waster *group = w->v[i];

		group->enough = enough_of(w, group);
		if (n && !by_group(w->v[n - 1], group))
			join(w->v[n - 1], group);
		else
			w->v[n++] = group;
	}
	w->n = n;
	if (n)
		qsort(w->v, n, sizeof(*w->v), by_loss);
}

void show_wasters(struct session *s)
{
	struct wasters w = {.session = s};
	struct options *options = &s->options;
	struct history_cond cond;

	arena_init(&w.arena);
	if (options->user)
		take_user(&w, options->user);
	for (size_t i = 0; i < options->jobs.n; i++)
		take_word(&w, options->jobs.v[i]);
	w.by[BY_USER] |= !w.by[BY_ACCOUNT] && !w.by[BY_PARTITION];
	seff_window(options);
	cond = ended_jobs(s);
	cond.users = w.users;
	cond.accounts = w.accounts;
	cond.partitions = w.partitions;
	if (history_each(&s->site.store, &cond, &s->scratch, take, &w))
		cli_die(&s->err);
	make_rows(&w);
	begin(&w);
	for (size_t i = 0; i < w.n; i++) {
		arena_reset(&s->scratch);
		printout_row(&s->out, w.v[i]);
	}
	printout_end(&s->out, NULL);
	HASH_CLEAR(hh, w.index);
	arena_release(&w.arena);
}
