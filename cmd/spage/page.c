/*
 * What is asked of the other programs, and the page as the template
 * (cmd/spage/page.html) lays it out.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/spage/spage.h"
#include "common/draw/svg.h"
#include "common/fair/shares.h"
#include "common/text/timespec.h"

/* ---- questions ------------------------------------------------------------*/

/* Some words of a command are placeholders. */
#define FROM "START"	  /* start=TIME */
#define FROM_OPTION "--START"
#define SACCT_FROM "-START"
#define FIRST "THE FIRST" /* the users with the most usage */
#define WASTE "WASTE"	  /* of the page's user, or of all */
#define EXPLAINED "EXPLAINED" /* all users, or the first of very many */

/* In the order in which they are asked: what takes longest first, so that it
 * is done when the rest is. Shares come before all else. Each answers with its
 * own records. */
static const struct page_request {
	const char *key; /* in the data; NULL: not there as it came */
	const char *argv[10];
} requests[QUESTIONS] = {
	[ASK_SHARES] = {"shares",
		{"sshare", "-a", "-o",
			"Account,Parent,User,Partition,Cluster,RawShares,"
			"NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
			"LevelFS"}},
	[ASK_JOBS] = {"jobs",
		{"squeue", "-a", "-S-p,i", "-o",
			"%i %P %u %a %q %T %r %Q %D %C %l %M %S %e %V %N %j"}},
	/* Its own table leaves factors without a weight out. */
	[ASK_PRIORITIES] = {"priorities",
		{"sprio", "-S-y", "-o", "%i %r %Y %S %A %B %F %J %P %Q %T"}},
	[ASK_PLAN] = {"plan",
		{"splan", "-o", "JobID,Action,StartTime,EndTime,NodeList"}},
	[ASK_NODES] = {"nodes",
		{"sinfo", "-N", "-a", "-O",
			"NodeList,Partition,StateLong,CPUsState,Memory,"
			"AllocMem,Gres,GresUsed,Reason"}},
	[ASK_LIMITS] = {"limits",
		{"sacctmgr", "show", "assoc", "witheffective",
			"format=origin,setting,value,used,user,account"}},
	[ASK_PAST] = {NULL,
		{"sacct", "-a", "-X", SACCT_FROM, "-o",
			"Eligible,Start,End,State,User,Account,AllocCPUS"}},
	[ASK_TOP] = {"top", {"sreport", "user", "top", "topcount=25", FROM}},
	[ASK_CLUSTER] = {"utilization",
		{"sreport", "cluster", "Utilization", FROM}},
	[ASK_WASTE] = {"waste", {"seff", WASTE}},
	[ASK_SHARES_WHY] = {NULL, {"sshare", EXPLAINED, "--explain"}},
	[ASK_JOBS_WHY] = {NULL, {"sprio", "--explain=all"}},
	[ASK_HISTORY] = {"history",
		{"sshare", "--history", "-U", FIRST, FROM_OPTION}},
	[ASK_FORECAST] = {"forecast", {"sshare", "--forecast", "-U", FIRST}},
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
	return p->answers[ASK_SHARES].lines.n;
}

static void read_shares(struct page *p)
{
	const struct strv *records = &p->answers[ASK_SHARES].lines;

	p->shares = arena_array(&p->arena, records->n, sizeof(*p->shares));
	for (size_t i = 0; i < records->n; i++) {
		struct json_object *record = json_tokener_parse(records->v[i]);
		bool user = *record_text(record, "user");

		p->shares[i] = (struct share_name){
			.name = arena_strdup(&p->arena,
				record_text(record, user ? "user" : "account")),
			.user = user,
			.below = *record_text(record, "parent"),
			.usage = record_number(record, "usage")};
		json_object_put(record);
	}
}

/* As shares_most_used(). */
static struct strv most_used(struct page *p, bool users, size_t most)
{
	struct used_name *all =
		arena_array(&p->arena, associations(p), sizeof(*all));
	struct strv names = {0};
	size_t n = 0;

	for (size_t i = 0; i < associations(p); i++)
		if (p->shares[i].user == users && p->shares[i].below)
			all[n++] = (struct used_name){p->shares[i].name,
				(long double)p->shares[i].usage};
	names_most_used(all, n, most, &p->arena, &names);
	return names;
}

/* The history of each takes its time and place. */
static const char *first_users(struct page *p, size_t most)
{
	const struct strv names = most_used(p, true, most);

	return arena_printf(&p->arena, "--users=%s",
		strv_join(&names, ",", &p->arena));
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
	size_t n = 0;

	for (; request->argv[n]; n++)
		argv[n] = filled(p, request->argv[n]);
	argv[n] = "--ndjson";
	return ask_start(argv, p->user, asked, err);
}

/* The programs answer at once, so that each processor has something to do. */
static int ask(struct page *p, int first, int behind, struct err *err)
{
	struct asked_program asked[QUESTIONS];
	struct answer answers[QUESTIONS] = {0};
	int which[QUESTIONS], status = 0;
	size_t n = 0;

	for (int i = first; !status && i < behind; i++) {
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

int page_ask(struct page *p, struct err *err)
{
	const struct answer *shares = &p->answers[ASK_SHARES];

	if (ask(p, ASK_SHARES, ASK_SHARES + 1, err))
		return -1;
	if (shares->error)
		return err_set(err, ERR_STORE, "%s", shares->error);
	read_shares(p);
	if (ask(p, ASK_SHARES + 1, QUESTIONS, err))
		return -1;
	words_number(p);
	limits_drop(p);
	days_make(p);
	return 0;
}

/* ---- head and tail --------------------------------------------------------*/

static const char *cluster_of(struct page *p)
{
	const struct strv *records = &p->answers[ASK_SHARES].lines;
	struct json_object *record;
	const char *cluster;

	if (!records->n)
		return "no cluster";
	record = json_tokener_parse(records->v[0]);
	cluster = arena_strdup(&p->arena, record_text(record, "cluster"));
	json_object_put(record);
	return cluster;
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
	html_text(p->out, time_format(&p->arena, p->from, "%B %d", p->now));
}

/* ---- data ------------------------------------------------------------------*/

static void write_member(struct page *p, const char *name, const char *text)
{
	fprintf(p->out, ",\n\"%s\":", name);
	data_text(p->out, text);
}

enum { HOUR = 3600 };

/* How far the site's clock is ahead of UTC, in seconds, and since when. */
static void write_zone(struct page *p)
{
	const time_t from = p->from / HOUR * HOUR, to = p->now + 400 * 24 * HOUR;
	const char *between = "";
	struct tm tm;
	long last = -1;

	fputs(",\n\"zone\":[", p->out);
	for (time_t at = from; at < to; at += HOUR) {
		if (!localtime_r(&at, &tm) || tm.tm_gmtoff == last)
			continue;
		last = tm.tm_gmtoff;
		fprintf(p->out, "%s[%lld,%ld]", between, (long long)at, last);
		between = ",";
	}
	putc(']', p->out);
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

/* The number in the palette of each name, as in the pictures of other
 * programs. */
static void write_colours(struct page *p, const char *kind, bool users)
{
	const struct strv first = most_used(p, users, SVG_COLOURS);
	const char *between = "";
	struct svg_book book;

	svg_book(&book, (const char *const *)first.v, first.n);
	fprintf(p->out, ",\n\"colour_of_%s\":{", kind);
	for (size_t i = 0; i < associations(p); i++) {
		const struct share_name *share = &p->shares[i];

		if (share->user != users)
			continue;
		fputs(between, p->out);
		data_text(p->out, share->name);
		fprintf(p->out, ":%d", svg_colour(&book, share->name));
		between = ",";
	}
	putc('}', p->out);
}

static void write_data(struct page *p)
{
	fprintf(p->out, "{\"written\":%lld", (long long)p->now);
	write_member(p, "cluster", cluster_of(p));
	write_member(p, "user", p->own ? p->own : "");
	write_zone(p);
	write_errors(p);
	for (int i = 0; i < QUESTIONS; i++)
		if (requests[i].key)
			data_list(p->out, requests[i].key,
				&p->answers[i].lines);
	write_colours(p, "user", true);
	write_colours(p, "account", false);
	data_list(p->out, "days", &p->days);
	data_list(p->out, "used", &p->used);
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
	plain_table(p, "Nodes", &answers[ASK_NODES].lines, "sinfo -N");
	plain_table(p, "Jobs", &answers[ASK_JOBS].lines, "squeue");
	plain_table(p, "Plan", &answers[ASK_PLAN].lines, "splan");
	plain_table(p, "Shares", &answers[ASK_SHARES].lines, "sshare -a");
	plain_table(p, "Limits in use", &answers[ASK_LIMITS].lines,
		"sacctmgr show assoc witheffective");
	plain_table(p, "Days", &p->days, "sacct -a");
	plain_table(p, "Top users", &answers[ASK_TOP].lines, "sreport user top");
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
