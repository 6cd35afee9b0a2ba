/*
 * What is asked of the other programs, and the page as the template
 * (cmd/spage/page.html) lays it out.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/spage/spage.h"
#include "common/base/version.h"
#include "common/text/timespec.h"

/* ---- questions ------------------------------------------------------------*/

#define SPLAN_FIELDS "JobID,Action,StartTime,EndTime,NodeList"
#define SSHARE_FIELDS                                                          \
	"Account,User,Partition,Cluster,RawShares,NormShares,RawUsage,"        \
	"NormUsage,EffectvUsage,FairShare,LevelFS"
#define SQUEUE_FIELDS "%A %i %P %u %a %q %T %r %Q %D %C %l %M %S %e %V %N %j"

/* Some words of a command are placeholders. */
#define FROM "START"	  /* start=TIME */
#define FROM_OPTION "--START"
#define SACCT_FROM "-START"
#define WHOSE "WHOSE"	  /* all users whom the caller may see */
#define FIRST "THE FIRST" /* the users with the most usage */

/* In the order in which they are asked: what takes longest first, so that it
 * is done when the rest is. Shares come before all else. */
static const struct page_request {
	const char *key; /* in the data; NULL: not there as it came */
	char separator;	 /* of a table; 0: text */
	const char *heads; /* in the data; NULL: the program's own */
	const char *argv[10];
} requests[QUESTIONS] = {
	[ASK_SHARES] = {"shares", '|',
		"account,user,partition,cluster,shares,promised,usage,"
		"used_of_all,used,fairshare,levelfs",
		{"sshare", "-a", "-P", "-o", SSHARE_FIELDS}},
	[ASK_JOBS] = {"jobs", ',',
		"id,job,partition,user,account,qos,state,reason,priority,"
		"nodes,cpus,limit,elapsed,start,end,submit,node_list,name",
		{"squeue", "-a", "--csv", "-S-p,i", "-o", SQUEUE_FIELDS}},
	/* Its own table leaves factors without a weight out. */
	[ASK_PRIORITIES] = {"priorities", ',',
		"id,partition,priority,site,age,association,fairshare,job_size,"
		"partition_factor,qos,tres",
		{"sprio", "--csv", "-S-y", "-o",
			"%i %r %Y %S %A %B %F %J %P %Q %T"}},
	[ASK_PLAN] = {"plan", ',', "job,action,start,end,node_list",
		{"splan", "--csv", "-o", SPLAN_FIELDS}},
	[ASK_LIMITS] = {NULL, ',', NULL,
		{"sacctmgr", "show", "assoc", "witheffective", "--csv"}},
	[ASK_WAITS] = {NULL, '|', NULL,
		{"sacct", "-a", "-X", "-P", SACCT_FROM, "-o",
			"Eligible,Start"}},
	[ASK_TOP] = {"top", ',', NULL,
		{"sreport", "user", "top", "--csv", "topcount=25", "-t",
			"percent", FROM}},
	[ASK_SHARES_WHY] = {NULL, 0, NULL,
		{"sshare", "-a", "--explain", "--ndjson"}},
	[ASK_JOBS_WHY] = {NULL, 0, NULL,
		{"sprio", "--explain=all", "--ndjson"}},
	[ASK_USE_PICTURE] = {NULL, 0, NULL,
		{"sreport", "cluster", "AccountUtilizationByUser", "-t",
			"hours", FROM, "--svg=-"}},
	[ASK_CLUSTER_PICTURE] = {NULL, 0, NULL,
		{"sreport", "cluster", "Utilization", FROM, "--svg=-"}},
	[ASK_HISTORY_PICTURE] = {NULL, 0, NULL,
		{"sshare", "--history", "--svg=-", WHOSE, FROM_OPTION}},
	[ASK_FORECAST_PICTURE] = {NULL, 0, NULL,
		{"sshare", "--forecast", "--svg=-", "-U", FIRST}},
};

enum { FORECASTS = 12 };

static int compare_usage(const void *a, const void *b)
{
	double x = strtod((*(char **const *)a)[SHARES_USAGE], NULL);
	double y = strtod((*(char **const *)b)[SHARES_USAGE], NULL);

	return (x < y) - (x > y);
}

/* Lines of more users could not be told apart, and each takes its time. */
static const char *first_users(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;
	char ***order = arena_array(&p->arena, rows->n + 1, sizeof(*order));
	const char *list = "--users=";
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (*rows->v[i][SHARES_USER])
			order[n++] = rows->v[i];
	if (n)
		qsort(order, n, sizeof(*order), compare_usage);
	for (size_t i = 0; i < n && i < FORECASTS; i++)
		list = arena_printf(&p->arena, "%s%s%s", list, i ? "," : "",
			order[i][SHARES_USER]);
	return list;
}

static const char *filled(struct page *p, const char *word)
{
	if (!strcmp(word, FROM))
		return arena_printf(&p->arena, "start=%s", p->start);
	if (!strcmp(word, FROM_OPTION))
		return arena_printf(&p->arena, "--start=%s", p->start);
	if (!strcmp(word, SACCT_FROM))
		return arena_printf(&p->arena, "-S%s", p->start);
	if (!strcmp(word, WHOSE))
		return p->user ? "-a" : "-aU";
	return strcmp(word, FIRST) ? word : first_users(p);
}

static int start(struct page *p, enum question which,
	struct asked_program *asked, struct err *err)
{
	const struct page_request *request = &requests[which];
	const char *argv[12] = {NULL};

	for (size_t i = 0; request->argv[i]; i++)
		argv[i] = filled(p, request->argv[i]);
	return ask_start(argv, p->user, asked, err);
}

/* The programs answer at once, so that each processor has something to do. */
static int ask(struct page *p, int first, int behind, struct err *err)
{
	struct asked_program asked[QUESTIONS];
	int started = first, status = 0;

	while (!status && started < behind) {
		status = start(p, (enum question)started,
			&asked[started - first], err);
		started += !status;
	}
	ask_finish(asked, (size_t)(started - first), &p->arena,
		p->answers + first);
	return status;
}

static void read_table(struct page *p, enum question which)
{
	const struct page_request *request = &requests[which];
	struct answer *answer = &p->answers[which];
	struct rows named = {0};

	if (!request->separator || answer->error)
		return;
	rows_read(
		&answer->rows, answer->text, request->separator, &p->arena);
	if (!request->heads || !answer->rows.n_heads)
		return;
	rows_make(&named, request->heads, &p->arena);
	answer->rows.heads = named.heads;
}

int page_ask(struct page *p, struct err *err)
{
	static const char *const of_share[] = {
		"user", "account", "partition", NULL};
	static const char *const of_job[] = {"job_id", NULL};
	struct answer *answers = p->answers;

	if (ask(p, ASK_SHARES, ASK_SHARES + 1, err))
		return -1;
	if (answers[ASK_SHARES].error)
		return err_set(err, ERR_STORE, "%s", answers[ASK_SHARES].error);
	read_table(p, ASK_SHARES);
	if (ask(p, ASK_SHARES + 1, QUESTIONS, err))
		return -1;
	for (int i = ASK_SHARES + 1; i < QUESTIONS; i++)
		read_table(p, (enum question)i);
	words_read(&answers[ASK_SHARES_WHY].rows, answers[ASK_SHARES_WHY].text,
		of_share, &p->arena);
	words_read(&answers[ASK_JOBS_WHY].rows, answers[ASK_JOBS_WHY].text,
		of_job, &p->arena);
	words_number(p);
	limits_make(p);
	waits_make(p);
	return 0;
}

/* ---- times ----------------------------------------------------------------*/

int64_t moment_read(const char *text, int64_t now)
{
	struct err err;
	time_t time;

	if (*text < '0' || *text > '9' ||
		time_parse(text, (time_t)now, true, &time, &err))
		return 0;
	return time;
}

const char *seconds_show(struct arena *arena, int64_t seconds)
{
	int days = (int)(seconds / 86400), hours = (int)(seconds / 3600 % 24);
	int minutes = (int)(seconds / 60 % 60);

	if (days)
		return arena_printf(arena, "%dd %02dh", days, hours);
	if (hours)
		return arena_printf(arena, "%dh %02dm", hours, minutes);
	return minutes ? arena_printf(arena, "%dm", minutes)
		       : arena_printf(arena, "%ds", (int)seconds);
}

/* ---- pictures -------------------------------------------------------------*/

/* Without its own style: ours has it for all of them. */
static void write_picture(
	struct page *p, enum question which, const char *label)
{
	struct answer *answer = &p->answers[which];
	char *style = strstr(answer->text, "<style>");
	char *end = style ? strstr(style, "</style>") : NULL;

	if (strncmp(answer->text, "<svg ", 5) != 0 || !end) {
		html_missing(p->out, answer, "Nothing was used.");
		return;
	}
	fprintf(p->out,
		"<div class=\"wide picture\" role=group aria-label=\"%s\">"
		"%.*s%s</div>\n",
		label, (int)(style - answer->text), answer->text, end + 8);
}

/* ---- head and tail --------------------------------------------------------*/

static const char *cluster_of(const struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;

	return rows->n ? rows->v[0][SHARES_CLUSTER] : "no cluster";
}

static void write_cluster(struct page *p)
{
	html_text(p->out, cluster_of(p));
}

static void write_when(struct page *p)
{
	html_text(p->out, time_format(&p->arena, p->now,
				  "%A, %Y-%m-%d %H:%M %Z", p->now));
	if (p->user) {
		fputs(", as ", p->out);
		html_text(p->out, p->user);
		fputs(" may see it", p->out);
	}
}

static void write_card(struct page *p, const char *to, size_t n, const char *of)
{
	fprintf(p->out, "<a class=card href=\"#%s\"><b>%zu</b> %s</a>\n", to, n,
		of);
}

static size_t count(
	const struct rows *rows, size_t column, const char *word)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		n += !strcmp(rows->v[i][column], word);
	return n;
}

static void write_cards(struct page *p)
{
	const struct rows *jobs = &p->answers[ASK_JOBS].rows;
	const struct rows *shares = &p->answers[ASK_SHARES].rows;
	size_t accounts = count(shares, SHARES_USER, "");

	write_card(p, "running", count(jobs, JOB_STATE, "RUNNING"), "jobs run");
	write_card(p, "queue", count(jobs, JOB_STATE, "PENDING"), "jobs wait");
	write_card(p, "plan", count(&p->answers[ASK_PLAN].rows, PLAN_ACTION, "start"),
		"can start now");
	write_card(p, "shares", accounts, "accounts");
	write_card(p, "shares", shares->n - accounts, "users in accounts");
}

static void write_start(struct page *p)
{
	struct err err;
	time_t when;

	if (time_parse(p->start, p->now, true, &when, &err))
		html_text(p->out, p->start);
	else
		html_text(p->out,
			time_format(&p->arena, when, "%B %d", p->now));
}

/* What a program would not tell. */
static void write_missing(
	struct page *p, enum question which, const char *label)
{
	(void)label;
	if (p->answers[which].error)
		html_missing(p->out, &p->answers[which], "");
}

static void write_queue_missing(struct page *p)
{
	write_missing(p, ASK_JOBS, NULL);
	write_missing(p, ASK_PRIORITIES, NULL);
}

/* ---- data ------------------------------------------------------------------*/

static void write_data(struct page *p)
{
	fputs("{\"cluster\":", p->out);
	data_text(p->out, cluster_of(p));
	fprintf(p->out, ",\"written\":%lld", (long long)p->now);
	fputs(",\"now\":", p->out);
	data_text(p->out, time_format(&p->arena, p->now, NULL, p->now));
	for (int i = 0; i < QUESTIONS; i++)
		if (requests[i].key)
			data_table(p->out, requests[i].key,
				&p->answers[i].rows);
	data_table(p->out, "limits", &p->limits);
	data_table(p->out, "waits", &p->waits);
	data_words(p);
	fputs("}\n", p->out);
}

/* ---- the template ---------------------------------------------------------*/

static const struct page_part {
	const char *name;
	/* One of these. */
	void (*write)(struct page *);
	void (*answer)(struct page *, enum question, const char *label);
	const char *text;

	enum question question;
	const char *label;
} parts[] = {
	{"cards", .write = write_cards},
	{"cluster", .write = write_cluster},
	{"data", .write = write_data},
	{"forecast", .answer = write_picture, .question = ASK_FORECAST_PICTURE,
		.label = "Fair-share to come, should nobody run anything"},
	{"hash", .text = page_script_hash},
	{"history", .answer = write_picture, .question = ASK_HISTORY_PICTURE,
		.label = "Usage and fair-share over time"},
	{"limits", .write = plain_limits},
	{"limits-missing", .answer = write_missing, .question = ASK_LIMITS},
	{"queue-missing", .write = write_queue_missing},
	{"running", .write = plain_running},
	{"script", .text = page_script},
	{"shares", .write = plain_shares},
	{"start", .write = write_start},
	{"style", .text = page_style},
	{"top", .write = plain_top},
	{"top-missing", .answer = write_missing, .question = ASK_TOP},
	{"use", .answer = write_picture, .question = ASK_USE_PICTURE,
		.label = "Usage by account, as areas"},
	{"utilization", .answer = write_picture,
		.question = ASK_CLUSTER_PICTURE, .label = "Utilization by day"},
	{"version", .text = BURSAR_VERSION},
	{"waiting", .write = plain_waiting},
	{"waits", .write = plain_waits},
	{"waits-missing", .answer = write_missing, .question = ASK_WAITS},
	{"when", .write = write_when},
};

static void write_content(struct page *p, const struct page_part *part)
{
	if (part->write)
		part->write(p);
	else if (part->answer)
		part->answer(p, part->question, part->label);
	else
		fputs(part->text, p->out);
}

static void write_part(struct page *p, const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strlen(parts[i].name) == len &&
			!strncmp(parts[i].name, name, len)) {
			write_content(p, &parts[i]);
			return;
		}
	BUG("page.html: unknown part %.*s", (int)len, name);
}

void page_write(struct page *p, FILE *out)
{
	const char *at = page_template, *mark;

	p->out = out;
	while ((mark = strstr(at, "{{"))) {
		const char *end = strstr(mark, "}}");

		fwrite(at, 1, (size_t)(mark - at), out);
		write_part(p, mark + 2, (size_t)(end - mark - 2));
		at = end + 2;
	}
	fputs(at, out);
}
