/*
 * Every column of sreport, one table a class of reports: names, heading, width,
 * help and how to get it (Slurm's src/sreport/common.c). The order decides
 * which name an abbreviation means.
 */
#include "cmd/sreport/sreport.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/words.h"
#include "common/cli/cli.h"

static struct value known(const char *text)
{
	return of_text(text ? text : "");
}

static struct value count(int64_t number)
{
	return of_uint(number > 0 ? (uint64_t)number : 0);
}

static const char *account_of(const struct row *row, struct arena *arena)
{
	return row->indent ? arena_printf(arena, "%*s%s", (int)row->indent, "",
				     row->account)
			   : row->account;
}

static const char *proper_of(const struct row *row, struct arena *arena)
{
	return row->login && *row->login ? proper_name(row->login, arena) : "";
}

#define GET(name, expression) GETTER(name, struct row, expression)
GET(account, known(account_of(row, arena)))
GET(assocs, known(row->assocs))
GET(blank, no_value())
GET(cluster, known(row->cluster))
/* Not every report has it. */
GET(count, row->count ? count(row->count) : no_value())
GET(end, of_time(row->end))
GET(flag_words, known(row->flags))
GET(id, count(row->id))
GET(login, known(row->login))
GET(name, known(row->name))
GET(nodes, known(row->nodes))
GET(partition, known(row->partition))
GET(proper, known(proper_of(row, arena)))
GET(qos, known(row->qos))
GET(qos_id, count(row->qos_id))
GET(start, of_time(row->start))
GET(total_time, of_seconds((uint64_t)row->total_time))
GET(tres_name, known(row->tres))
GET(tres_time, of_seconds((uint64_t)row->tres_time))
GET(wckey, known(row->wckey))

/* clang-format off */
#define F(names, heading, width, help, getter) \
	{{SHOWN(names, heading, width, NULL, help), .get = getter}, 0, COLUMN_PLAIN, 0}
#define A(names, heading, width, per, amount, help) \
	{{SHOWN(names, heading, width, NULL, help)}, per, COLUMN_AMOUNT, AMOUNT_##amount}

static const struct report_field cluster_fields[] = {
	F("Accounts:2", "Account", 15, "account", get_account),
	A("allocated:2", "Allocated", 12, 20, ALLOCATED, "what jobs and reservations held"),
	F("Cluster:2", "Cluster", 9, "cluster", get_cluster),
	A("down:1", "Down", 10, 18, DOWN, "out of order"),
	A("idle:1", "Idle", 12, 20, IDLE, "not asked for by any job"),
	F("Login:1", "Login", 9, "user", get_login),
	A("overcommitted:1", "Over Comm", 9, 18, OVER, "asked for beyond the cluster's size"),
	A("planned:2 reserved:3", "Planned", 9, 18, PLANNED, "idle while jobs waited for it"),
	A("PlannedDown:2 PLNDDown:2", "PLND Down", 10, 18, PLANNED_DOWN, "switched off, maintenance"),
	F("Proper:2", "Proper Name", 15, "the user's full name", get_proper),
	F("QOS:1", "QOS", 12, "QOS", get_qos),
	F("QOSID:4", "QOS ID", 8, "number of the QOS", get_qos_id),
	A("reported:3", "Reported", 12, 20, REPORTED, "all of the above"),
	F("TresCount:5 cpucount:2 count:2", "TRES Count", 10, "how much there is", get_count),
	F("TresName:5", "TRES Name", 14, "which TRES", get_tres_name),
	A("Used:1", "Used", 10, 18, USED, "what was used"),
	F("WCKey:2", "WCKey", 15, "wckey", get_wckey),
	A("Energy:1", "Energy", 10, 18, ENERGY, "joules, as if they were seconds"),
};

static const struct report_field job_fields[] = {
	F("Account:1 Acct:4", "Account", 9, "account", get_account),
	F("Cluster:2", "Cluster", 9, "cluster", get_cluster),
	F("Duration:1", "Duration", 12, "blank, as in Slurm", get_blank),
	F("JobCount:2", "Job Count", 9, "blank, as in Slurm", get_blank),
	F("NodeCount:2", "Node Count", 9, "blank, as in Slurm", get_blank),
	F("TresCount:5 CpuCount:2 count:2", "TRES Count", 10, "blank, as in Slurm", get_blank),
	F("User:1", "User", 9, "blank, as in Slurm", get_blank),
	F("Wckey:1", "Wckey", 9, "wckey", get_account),
};

static const struct report_field reservation_fields[] = {
	A("allocated:2", "Allocated", 20, 29, ALLOCATED, "what jobs in it used"),
	F("Associations:2", "Associations", 15, "who may use it, by number", get_assocs),
	F("Cluster:2", "Cluster", 9, "cluster", get_cluster),
	F("End:2", "End", 19, "end", get_end),
	F("Flags:2", "Flags", 20, "flags", get_flag_words),
	A("Idle:1", "Idle", 20, 29, IDLE, "what was not used"),
	F("Name:2", "Name", 9, "name", get_name),
	F("Nodes:2", "Nodes", 15, "nodes", get_nodes),
	F("ReservationId:2", "Id", 8, "number", get_id),
	F("Start:2", "Start", 19, "start", get_start),
	F("TotalTime:2", "TotalTime", 9, "from start to end", get_total_time),
	F("TresCount:5 CpuCount:2 count:2", "TRES count", 10, "how much was reserved", get_count),
	F("TresName:5", "TRES Name", 14, "which TRES", get_tres_name),
	F("TresTime:2 CpuTime:5", "TRES Time", 9, "count times duration", get_tres_time),
};

static const struct report_field user_fields[] = {
	F("Accounts:1", "Account", 15, "account, or all of them", get_account),
	F("Cluster:1", "Cluster", 9, "cluster", get_cluster),
	A("Energy:1", "Energy", 10, 18, ENERGY, "joules, as if they were seconds"),
	F("Login:1", "Login", 9, "user", get_login),
	F("Partition:2", "Partition", 15, "partition of the association", get_partition),
	F("Proper:2", "Proper Name", 15, "the user's full name", get_proper),
	F("TresName:5", "TRES Name", 14, "which TRES", get_tres_name),
	A("Used:1", "Used", 10, 18, USED, "what was used"),
};

#define TABLE(v) {v, (int)(sizeof(v) / sizeof(*(v)))}
static const struct {
	const struct report_field *fields;
	int n;
} tables[] = {
	[CLASS_CLUSTER] = TABLE(cluster_fields),
	[CLASS_JOB] = TABLE(job_fields),
	[CLASS_RESERVATION] = TABLE(reservation_fields),
	[CLASS_USER] = TABLE(user_fields),
};
/* clang-format on */

const struct report_field *class_fields(enum report_class class, int *n)
{
	*n = tables[class].n;
	return tables[class].fields;
}

bool field_is_filled(const struct report *report, const struct report_field *f)
{
	if (f->kind == COLUMN_AMOUNT)
		return f->amount == AMOUNT_TOTAL ||
		       report->fills & 1u << f->amount;
	return f->member.get != get_qos_id || report->fills & FILLS_QOS;
}

/* ---- which columns ------------------------------------------------------ */

static const struct report_field group_field = {
	{.heading = "", .width = 13}, 20, COLUMN_GROUP, 0};
static const struct report_field total_field = {
	{.heading = "Total Count", .width = 11}, 0, COLUMN_AMOUNT,
	AMOUNT_TOTAL};
static const struct report_field share_field = {
	{.heading = "% of cluster", .width = 12}, 0, COLUMN_SHARE,
	AMOUNT_TOTAL};

static bool is_double(const struct report_run *r)
{
	const struct time_style *style = &r->session->options.style;

	return style->number && style->percent;
}

static void add_column(struct report_run *r, const struct report_field *field,
	const char *heading, int width)
{
	struct arena *arena = &r->session->arena;
	struct output *out = r->output;
	size_t n = out->n;

	if (!width)
		width = is_double(r) && field->per_width ? field->per_width
							 : field->member.width;
	ARENA_PUSH(arena, out->columns, n, out->cap_columns)->field = field;
	*ARENA_PUSH(arena, out->heads, out->n, out->cap_heads) =
		(struct table_column){.heading = heading, .width = width};
}

/* `name[%width]`, also with the width alone to the right. */
static void choose_column(struct report_run *r, const char *item)
{
	struct nearest nearest;
	int n;
	const struct report_field *fields = class_fields(r->report->class, &n);
	size_t len = strcspn(item, "%");
	long width = item[len] ? strtol(item + len + 1, NULL, 10) : 0;

	if (width < -100000 || width > 100000)
		width = 0;
	for (int i = 0; i < n; i++) {
		if (!words_match(fields[i].member.names, item, len))
			continue;
		if (!width && r->cond.tree && fields[i].member.get == get_account)
			width = -20;
		if (!width && r->cond.tree && fields[i].member.get == get_wckey)
			width = 20;
		add_column(r, &fields[i], fields[i].member.heading, (int)width);
		return;
	}
	r->bad_format = true;
	complain(r->session, " Unknown field '%.*s'", (int)len, item);
	nearest_init(&nearest, item, len);
	for (int i = 0; i < n; i++)
		nearest_names(&nearest, fields[i].member.names);
	cli_did_you_mean(&nearest);
}

/* Programs that read a report count its columns: for them these do not depend
 * on the rows. */
static const char *default_format(const struct report_run *r)
{
	const struct options *o = &r->session->options;

	if (o->tres)
		return r->report->tres_format;
	if (r->has_partitions && o->mode == TABLE_FIXED && !o->form)
		return "cluster,login,proper,accounts,partition,used,energy";
	return r->report->format;
}

void choose_columns(struct report_run *r)
{
	struct strv format = r->cond.format;

	if (!format.n)
		strv_split(&format, &r->session->arena, default_format(r));
	for (size_t i = 0; i < format.n; i++)
		choose_column(r, format.v[i]);
}

void add_group_columns(struct report_run *r, char *const *headings,
	const int *widths, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		add_column(r, &group_field, headings[i], widths[i]);
		r->output->columns[r->output->n - 1].group = i;
	}
	add_column(r, &total_field, total_field.member.heading, 0);
	add_column(r, &share_field, share_field.member.heading, 0);
}

void widen(struct report_run *r, enum amount amount, int64_t most)
{
	int width = 8;

	for (int64_t order = 100000000; most >= order; order *= 10) {
		width++;
		if (order > INT64_MAX / 10)
			break;
	}
	if (is_double(r))
		width += 9;
	for (size_t i = 0; i < r->output->n; i++) {
		const struct report_field *f = r->output->columns[i].field;

		if (f->kind == COLUMN_AMOUNT && f->amount == amount)
			r->output->heads[i].width = width;
	}
}
