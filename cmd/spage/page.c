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

#define SPLAN_FIELDS                                                           \
	"JobID,Action,StartTime,EndTime,Nodes,NodeList,Reason,User,Account"
#define SSHARE_FIELDS                                                          \
	"Account,User,Partition,Cluster,RawShares,NormShares,RawUsage,"        \
	"NormUsage,EffectvUsage,FairShare,LevelFS,GrpTRESMins,GrpTRESRaw,"     \
	"TRESRunMins"
#define SQUEUE_FIELDS "%A %i %P %u %a %q %T %r %Q %D %C %l %M %S %e %V %N %j"
#define SACCTMGR_FIELDS                                                        \
	"format=account,user,partition,grptres,grpjobs,grpsubmit,"             \
	"maxjobs,maxsubmit,maxtres,maxwall,grptresmins,qos"

/* START stands for the first day of usage. */
static const struct request {
	const char *key; /* in the data; NULL: no table, or not for them */
	char separator;	 /* of a table; 0: text */
	const char *argv[10];
} requests[QUESTIONS] = {
	[ASK_SHARES] = {"shares", '|',
		{"sshare", "-a", "-P", "-o", SSHARE_FIELDS}},
	[ASK_SHARES_WHY] = {NULL, 0, {"sshare", "-a", "--explain"}},
	[ASK_JOBS] = {"jobs", ',',
		{"squeue", "-a", "--csv", "-S-p,i", "-o", SQUEUE_FIELDS}},
	/* Its own table leaves factors without a weight out. */
	[ASK_PRIORITIES] = {"priorities", ',',
		{"sprio", "--csv", "-S-y", "-o",
			"%i %r %Y %S %A %B %F %J %P %Q %T"}},
	[ASK_JOBS_WHY] = {NULL, 0, {"sprio", "--explain=all"}},
	[ASK_PLAN] = {"plan", ',', {"splan", "--csv", "-o", SPLAN_FIELDS}},
	[ASK_LIMITS] = {"limits", ',',
		{"sacctmgr", "show", "assoc", "--csv", SACCTMGR_FIELDS}},
	[ASK_TOP] = {"top", ',',
		{"sreport", "user", "top", "--csv", "topcount=25", "-t",
			"percent", "START"}},
	[ASK_USE_PICTURE] = {NULL, 0,
		{"sreport", "cluster", "AccountUtilizationByUser", "-t",
			"hours", "START", "--svg=/dev/stdout"}},
	[ASK_CLUSTER_PICTURE] = {NULL, 0,
		{"sreport", "cluster", "Utilization", "START",
			"--svg=/dev/stdout"}},
	[ASK_HISTORY_PICTURE] = {NULL, 0,
		{"sshare", "--history", "--svg=/dev/stdout", "WHOSE",
			"--START"}},
};

static const char *filled(struct page *p, const char *word)
{
	if (!strcmp(word, "START"))
		return arena_printf(&p->arena, "start=%s", p->start);
	if (!strcmp(word, "--START"))
		return arena_printf(&p->arena, "--start=%s", p->start);
	if (!strcmp(word, "WHOSE"))
		return p->user ? "-a" : "-aU";
	return word;
}

static int ask(struct page *p, enum question which, struct err *err)
{
	const struct request *request = &requests[which];
	struct answer *answer = &p->answers[which];
	const char *argv[12] = {NULL};

	for (size_t i = 0; request->argv[i]; i++)
		argv[i] = filled(p, request->argv[i]);
	if (ask_program(argv, p->user, &p->arena, answer, err))
		return -1;
	if (request->separator && !answer->error)
		rows_read(&answer->rows, answer->text, request->separator,
			&p->arena);
	return 0;
}

int page_ask(struct page *p, struct err *err)
{
	struct answer *answers = p->answers;

	for (int i = 0; i < QUESTIONS; i++) {
		if (ask(p, (enum question)i, err))
			return -1;
		if (i == ASK_SHARES && answers[i].error)
			return err_set(err, ERR_STORE, "%s", answers[i].error);
	}
	words_read(&answers[ASK_SHARES_WHY].rows, answers[ASK_SHARES_WHY].text,
		"", ": fair-share ", &p->arena);
	words_read(&answers[ASK_JOBS_WHY].rows, answers[ASK_JOBS_WHY].text,
		"Job ", " of ", &p->arena);
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

const char *moment_show(struct page *p, const char *text)
{
	time_t when = (time_t)moment_read(text, p->now);
	char shown[32];
	struct tm tm;

	if (!when)
		return text;
	localtime_r(&when, &tm);
	strftime(shown, sizeof(shown), "%b %d %H:%M", &tm);
	return arena_strdup(&p->arena, shown);
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

static void write_use_picture(struct page *p)
{
	write_picture(p, ASK_USE_PICTURE, "Usage by account, as areas");
}

static void write_cluster_picture(struct page *p)
{
	write_picture(p, ASK_CLUSTER_PICTURE, "Utilization by day");
}

static void write_history_picture(struct page *p)
{
	write_picture(p, ASK_HISTORY_PICTURE, "Usage and fair-share over time");
}

/* ---- tables that are shown as they are ------------------------------------*/

static void write_top(struct page *p)
{
	const struct rows *rows = &p->answers[ASK_TOP].rows;
	double most = 0;

	for (size_t i = 0; i < rows->n; i++) {
		double used = strtod(rows->v[i][5], NULL);

		most = used > most ? used : most;
	}
	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];
		double used = strtod(row[5], NULL);

		fputs("<tbody><tr><th scope=row>", p->out);
		html_text(p->out, row[1]);
		html_cell(p->out, row[2]);
		html_cell(p->out, row[3]);
		fprintf(p->out, "<td data-v=\"%g\">", used);
		html_bar(p->out, "used", most > 0 ? used / most : 0,
			"of the first in this list");
		fputs(" <span class=after>", p->out);
		html_text(p->out, row[5]);
		fputs("</span>\n", p->out);
	}
}

/* ---- head and tail --------------------------------------------------------*/

static const char *cluster_of(const struct page *p)
{
	const struct rows *rows = &p->answers[ASK_SHARES].rows;

	return rows->n ? rows->v[0][3] : "no cluster";
}

static void write_cluster(struct page *p)
{
	html_text(p->out, cluster_of(p));
}

static void write_when(struct page *p)
{
	time_t now = (time_t)p->now;
	char text[64];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, sizeof(text), "%A, %Y-%m-%d %H:%M %Z", &tm);
	html_text(p->out, text);
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
	size_t accounts = count(shares, 1, "");

	write_card(p, "running", count(jobs, 6, "RUNNING"), "jobs run");
	write_card(p, "queue", count(jobs, 6, "PENDING"), "jobs wait");
	write_card(p, "plan", count(&p->answers[ASK_PLAN].rows, 1, "start"),
		"can start now");
	write_card(p, "shares", accounts, "accounts");
	write_card(p, "shares", shares->n - accounts, "users in accounts");
}

static void write_style(struct page *p)
{
	fputs(page_style, p->out);
}

static void write_script(struct page *p)
{
	fputs(page_script, p->out);
}

static void write_hash(struct page *p)
{
	fputs(page_script_hash, p->out);
}

static void write_version(struct page *p)
{
	html_text(p->out, BURSAR_VERSION);
}

static void write_start(struct page *p)
{
	char text[32];
	struct err err;
	struct tm tm;
	time_t when;

	if (time_parse(p->start, (time_t)p->now, true, &when, &err)) {
		html_text(p->out, p->start);
		return;
	}
	localtime_r(&when, &tm);
	strftime(text, sizeof(text), "%B %d", &tm);
	html_text(p->out, text);
}

/* What a program would not tell. */
static void write_missing(struct page *p, enum question which)
{
	if (p->answers[which].error)
		html_missing(p->out, &p->answers[which], "");
}

static void write_queue_missing(struct page *p)
{
	write_missing(p, ASK_JOBS);
	write_missing(p, ASK_PRIORITIES);
}

static void write_top_missing(struct page *p)
{
	write_missing(p, ASK_TOP);
}

/* ---- data -----------------------------------------------------------------*/

/* A JSON text that cannot end the element it stands in. */
static void write_json_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || strchr("<>&\"\\\x7f", c))
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

static void write_json_row(FILE *out, char **cells, size_t n)
{
	putc('[', out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc(',', out);
		write_json_text(out, cells[i]);
	}
	putc(']', out);
}

static void write_json_table(
	FILE *out, const char *key, const struct rows *rows)
{
	fprintf(out, ",\n\"%s\":{\"columns\":", key);
	write_json_row(out, rows->heads, rows->n_heads);
	fputs(",\"rows\":[", out);
	for (size_t i = 0; i < rows->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_json_row(out, rows->v[i], rows->n_heads);
	}
	fputs("]}", out);
}

void write_data(struct page *p)
{
	fputs("{\"cluster\":", p->out);
	write_json_text(p->out, cluster_of(p));
	fprintf(p->out, ",\"written\":%lld", (long long)p->now);
	for (int i = 0; i < QUESTIONS; i++)
		if (requests[i].key)
			write_json_table(p->out, requests[i].key,
				&p->answers[i].rows);
	fputs("}\n", p->out);
}

/* ---- the template ---------------------------------------------------------*/

static const struct part {
	const char *name;
	void (*write)(struct page *);
} parts[] = {
	{"cards", write_cards},
	{"cluster", write_cluster},
	{"data", write_data},
	{"gantt", write_gantt},
	{"hash", write_hash},
	{"history", write_history_picture},
	{"limits", write_limits},
	{"queue-missing", write_queue_missing},
	{"running", write_running},
	{"script", write_script},
	{"shares", write_shares},
	{"start", write_start},
	{"style", write_style},
	{"top", write_top},
	{"top-missing", write_top_missing},
	{"use", write_use_picture},
	{"utilization", write_cluster_picture},
	{"version", write_version},
	{"waiting", write_waiting},
	{"when", write_when},
};

static void write_part(struct page *p, const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strlen(parts[i].name) == len &&
			!strncmp(parts[i].name, name, len)) {
			parts[i].write(p);
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
