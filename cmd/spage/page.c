/*
 * What is asked of the other programs, and the page as the template
 * (cmd/spage/page.html) lays it out.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/spage/spage.h"
#include "common/base/version.h"
#include "common/draw/svg.h"
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
#define FIRST "THE FIRST" /* the users with the most usage */
#define WASTE "WASTE"	  /* of the page's user, or of all */
#define EXPLAINED "EXPLAINED" /* all users, or the first of very many */

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
	[ASK_NODES] = {"nodes", ',',
		"node,partition,state,cpus,memory,memory_used,gres,gres_used,"
		"reason",
		{"sinfo", "-N", "-a", "--csv", "-O",
			"NodeList,Partition,StateLong,CPUsState,Memory,"
			"AllocMem,Gres,GresUsed,Reason"}},
	[ASK_LIMITS] = {NULL, ',', NULL,
		{"sacctmgr", "show", "assoc", "witheffective", "--csv"}},
	[ASK_PAST] = {NULL, '|', NULL,
		{"sacct", "-a", "-X", "-P", SACCT_FROM, "-o",
			"Eligible,Start,End,State,User,Account,AllocCPUS"}},
	[ASK_TOP] = {"top", ',', NULL,
		{"sreport", "user", "top", "--csv", "topcount=25", "-t",
			"percent", FROM}},
	[ASK_CLUSTER] = {"utilization", ',', NULL,
		{"sreport", "cluster", "Utilization", "--csv", "-t", "percent",
			FROM}},
	[ASK_WASTE] = {"waste", ',', NULL, {"seff", WASTE, "--csv"}},
	[ASK_SHARES_WHY] = {NULL, 0, NULL,
		{"sshare", EXPLAINED, "--explain", "--ndjson"}},
	[ASK_JOBS_WHY] = {NULL, 0, NULL,
		{"sprio", "--explain=all", "--ndjson"}},
	[ASK_HISTORY] = {NULL, ',', NULL,
		{"sshare", "--history", "--csv", "-U", FIRST, FROM_OPTION}},
	[ASK_FORECAST] = {"forecast", ',', NULL,
		{"sshare", "--forecast", "--csv", "-U", FIRST}},
};

/* Of a very large site each explanation and each moment of the history takes its
 * time: a page is made within seconds. */
enum {
	FIRST_USERS = 24,
	MOST_EXPLAINED = 2000,
	FIRST_EXPLAINED = 100,
	MOST_WITH_HISTORY = 10000
};

static size_t associations(const struct page *p)
{
	return p->answers[ASK_SHARES].rows.n;
}

static int compare_usage(const void *a, const void *b)
{
	double x = strtod((*(char **const *)a)[SHARES_USAGE], NULL);
	double y = strtod((*(char **const *)b)[SHARES_USAGE], NULL);

	return (x < y) - (x > y);
}

/* The history of each takes its time and place. */
static const char *first_users(struct page *p, size_t most)
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
	for (size_t i = 0; i < n && i < most; i++)
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
	if (!strcmp(word, WASTE))
		return p->own ? arena_printf(&p->arena, "--user=%s", p->own)
			      : "--waste";
	if (!strcmp(word, EXPLAINED))
		return associations(p) > MOST_EXPLAINED
			       ? first_users(p, FIRST_EXPLAINED)
			       : "-a";
	return strcmp(word, FIRST) ? word : first_users(p, FIRST_USERS);
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
	struct answer answers[QUESTIONS] = {{0}};
	int which[QUESTIONS], status = 0;
	size_t n = 0;

	for (int i = first; !status && i < behind; i++) {
		p->answers[i].text = "";
		if (i == ASK_HISTORY && associations(p) > MOST_WITH_HISTORY)
			continue;
		status = start(p, (enum question)i, &asked[n], err);
		which[n] = i;
		n += !status;
	}
	ask_finish(asked, n, &p->arena, answers);
	for (size_t i = 0; i < n; i++)
		p->answers[which[i]] = answers[i];
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
	days_make(p);
	history_make(p);
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
	if (p->own) {
		fputs(", as ", p->out);
		html_text(p->out, p->own);
		fputs(" may see it", p->out);
	}
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

/* ---- data ------------------------------------------------------------------*/

static void write_member(struct page *p, const char *name, const char *text)
{
	fprintf(p->out, ",\n\"%s\":", name);
	data_text(p->out, text);
}

/* What programs said in place of an answer. */
static void write_errors(struct page *p)
{
	const char *between = "";

	fputs(",\n\"errors\":[", p->out);
	for (int i = 0; i < QUESTIONS; i++)
		if (p->answers[i].error) {
			fputs(between, p->out);
			data_text(p->out, p->answers[i].error);
			between = ",";
		}
	putc(']', p->out);
}

static void write_data(struct page *p)
{
	fprintf(p->out, "{\"written\":%lld", (long long)p->now);
	write_member(p, "cluster", cluster_of(p));
	write_member(p, "user", p->own ? p->own : "");
	write_member(
		p, "now", time_format(&p->arena, p->now, NULL, p->now));
	write_errors(p);
	for (int i = 0; i < QUESTIONS; i++)
		if (requests[i].key)
			data_table(p->out, requests[i].key,
				&p->answers[i].rows);
	data_table(p->out, "limits", &p->limits);
	data_table(p->out, "days", &p->days);
	data_table(p->out, "used", &p->used);
	data_table(p->out, "history", &p->history);
	data_words(p);
	fputs("}\n", p->out);
}

/* Without a script. */
static void write_plain(struct page *p)
{
	const struct answer *answers = p->answers;

	for (int i = 0; i < QUESTIONS; i++)
		if (answers[i].error) {
			fputs("<p class=none>", p->out);
			html_text(p->out, answers[i].error);
			fputs("</p>\n", p->out);
		}
	plain_table(p, "Nodes", &answers[ASK_NODES].rows, "sinfo -N");
	plain_table(p, "Jobs", &answers[ASK_JOBS].rows, "squeue");
	plain_table(p, "Plan", &answers[ASK_PLAN].rows, "splan");
	plain_table(p, "Shares", &answers[ASK_SHARES].rows, "sshare -a");
	plain_table(p, "Limits in use", &p->limits,
		"sacctmgr show assoc witheffective");
	plain_table(p, "Days", &p->days, "sacct -a");
	plain_table(p, "Top users", &answers[ASK_TOP].rows, "sreport user top");
}

/* ---- the template ---------------------------------------------------------*/

static void write_palette(struct page *p)
{
	svg_palette(p->out);
}

/* What is written in place of a name, or a text. */
static const struct page_part {
	const char *name;
	void (*write)(struct page *);
	const char *text;
} parts[] = {
	{"cluster", write_cluster, NULL},
	{"data", write_data, NULL},
	{"hash", NULL, page_script_hash},
	{"palette", write_palette, NULL},
	{"plain", write_plain, NULL},
	{"script", NULL, page_script},
	{"start", write_start, NULL},
	{"style", NULL, page_style},
	{"version", NULL, BURSAR_VERSION},
	{"when", write_when, NULL},
};

static void write_content(struct page *p, const struct page_part *part)
{
	if (part->write)
		part->write(p);
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
