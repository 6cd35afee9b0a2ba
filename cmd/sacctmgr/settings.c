#include "cmd/sacctmgr/settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/bisect.h"
#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "db/entity/cluster.h"
#include "db/entity/lease.h"
#include "db/entity/privacy.h"
#include "db/undo/blame.h"
#include "db/view/effective.h"

/* ---- rows ----------------------------------------------------------------*/

struct setting_row {
	const char *cluster, *account, *user, *partition;
	const char *qos;     /* it is a setting of */
	const char *job_qos; /* of the jobs it holds for */
	const char *name;
	struct value value, used, remaining, running;
	const char *origin;
	int64_t until;
	struct value then;
	struct blame blame;
};

GETTER(value, struct setting_row, row->value)
GETTER(used, struct setting_row, row->used)
GETTER(remaining, struct setting_row, row->remaining)
GETTER(running, struct setting_row, row->running)
GETTER(then, struct setting_row, row->then)
GETTER(until, struct setting_row, of_some_time(row->until))
GETTER(change, struct setting_row,
	row->blame.change ? of_int(row->blame.change) : no_value())
GETTER(time, struct setting_row, of_some_time(row->blame.time))

/* clang-format off */
#define R(field, member, rank_) {HEAD_##field, .type = MEMBER_TEXT, .offset = offsetof(struct setting_row, member), .fit.rank = rank_}
#define T(member, rank_, least_, ...) {.type = MEMBER_TEXT, .offset = offsetof(struct setting_row, member), SHOWN(__VA_ARGS__), .fit = {rank_, least_}}
static const struct member setting_rows[] = {
	R(CLUSTER, cluster, 7),
	R(ACCOUNT, account, 0),
	R(USER, user, 0),
	R(PARTITION, partition, 6),
	R(NAME, qos, 0),
	T(job_qos, 5, 0, "JobQOS:4", "JobQOS", 10, NULL, "QOS of the jobs a limit holds for"),
	T(name, 0, 16, "Setting:3", "Setting", -24, NULL, "limit or other setting"),
	{SHOWN("Value:1", "Value", 16, NULL, "what it is set to"), .get = get_value},
	{SHOWN("Used:4", "Used", 16, NULL, "how much of the limit is in use"), .fit.rank = 1, .get = get_used},
	{SHOWN("Remaining:3", "Remaining", 16, NULL, "the limit less what is in use"), .fit.rank = 1, .get = get_remaining},
	{SHOWN("Running:2", "Running", 16, NULL, "how much more running jobs may use"), .fit.rank = 4, .get = get_running},
	T(origin, 3, 12, "Origin:3", "Origin", -26, NULL, "account, user or QOS that the limit is set for"),
	{SHOWN("Until:2", "Until", 19, NULL, "until when it holds"), .get = get_until},
	{SHOWN("Then:2", "Then", 16, NULL, "what comes back then"), .get = get_then},
	R(ACTOR, blame.actor, 1),
	{HEAD_TIME_STAMP, .fit.rank = 2, .get = get_time},
	{HEAD_CHANGE, .fit.rank = 4, .get = get_change},
	T(blame.command, 5, 20, "Command:5", "Command", -40, NULL, "the command that set it"),
};
const struct members setting_columns = MEMBERS(setting_rows);
/* clang-format on */

/* Whose settings they are: one of these. */
struct owner {
	const struct assoc *assoc;
	const struct user *user;
	const struct qos *qos;
};

/* All leases, sorted by owner. */
struct owned_leases {
	const struct lease **v;
	size_t n;
};

struct rows {
	struct session *session;
	const struct conds *where;
	struct owned_leases leases;
	const char *cluster; /* whose limits are open; NULL: none */
	struct limits limits;
	struct setting_row *v;
	size_t n, cap;
};

static struct setting_row *add_row(struct rows *rows, const struct owner *o)
{
	struct setting_row *row = ARENA_PUSH(
		&rows->session->arena, rows->v, rows->n, rows->cap);

	*row = (struct setting_row){.cluster = "",
		.account = "",
		.user = o->user ? o->user->name : "",
		.partition = "",
		.qos = o->qos ? o->qos->name : "",
		.job_qos = "",
		.origin = "",
		.blame = {.actor = "", .command = ""}};
	if (o->assoc) {
		row->cluster = o->assoc->cluster;
		row->account = o->assoc->account;
		row->user = o->assoc->user;
		row->partition = o->assoc->partition;
	}
	return row;
}

/* One amount of a list. */
static struct value of_amount(struct rows *rows, uint32_t tres, uint64_t count)
{
	struct tres_list list = {0};

	tres_list_set(&list, &rows->session->arena, tres, count);
	return of_tres(list, &rows->session->arena);
}

/* Where the store keeps the member: a column, or a row of a list. */
static void ask_blame(struct rows *rows, struct setting_row *row,
	const struct member *m, bool of_qos, int64_t key, uint32_t tres)
{
	struct arena *arena = &rows->session->arena;

	if (!m || !rows->where->with_blame)
		return;
	row->blame.key = arena_printf(arena, "%lld", (long long)key);
	if (m->type == MEMBER_TRES) {
		row->blame.table = of_qos ? "qos_tres" : "assoc_tres";
		row->blame.key = arena_printf(
			arena, "%s %u %u", row->blame.key, m->arg, tres);
	} else if (m->set->type == ATTR_QOS_LIST) {
		row->blame.table = "assoc_qos";
	} else {
		row->blame.table = of_qos ? "qos" : "assoc";
		row->blame.column = m->column ? m->column : "parent";
	}
}

/* ---- limits in force -----------------------------------------------------*/

/* An amount of the limit: a number, minutes, or a count of its TRES. */
static struct value of_limited(
	struct rows *rows, const struct effective *e, uint64_t amount)
{
	if (e->tres)
		return of_amount(rows, e->tres, amount);
	return e->minutes ? of_minutes(amount) : of_uint(amount);
}

static void put_effective(
	struct rows *rows, struct setting_row *row, const struct effective *e)
{
	const struct members *members =
		e->of_qos ? &qos_members : &assoc_members;

	row->name = e->word;
	row->origin = e->origin;
	row->value = of_limited(rows, e, e->limit);
	if (e->has_used && !private_hides(rows->session, PRIVATE_USAGE)) {
		row->used = of_limited(rows, e, e->used);
		row->remaining = of_limited(rows, e,
			e->limit > e->used ? e->limit - e->used : 0);
		if (e->to_come != NO_VAL64)
			row->running = of_limited(rows, e, e->to_come);
	}
	ask_blame(rows, row,
		settings_word(members, e->word, strlen(e->word), false),
		e->of_qos, e->key, e->tres);
}

static int open_cluster(struct rows *rows, const char *name)
{
	struct session *s = rows->session;
	int64_t key;

	if (rows->cluster && !strcmp(rows->cluster, name))
		return 0;
	key = cluster_key(s->store, name);
	if (key < 0)
		return -1;
	rows->cluster = name;
	return limits_open(&rows->limits, &s->site, key, s->site.now,
		LIMITS_BOTH, NULL, &s->arena);
}

/* The partition of jobs that name none, unless another was asked for. */
static int choose_partition(struct rows *rows,
	const struct conf_partition **partition)
{
	const struct strv *names = &rows->where->job_partition;
	const struct conf *conf = &rows->session->site.conf;

	*partition = conf_default_partition(conf);
	if (!names->n)
		return 0;
	*partition = conf_partition_by_name(conf, names->v[0]);
	if (*partition)
		return 0;
	return err_set(&rows->session->err, ERR_USAGE,
		"JobPartition: slurm.conf has no partition '%s'", names->v[0]);
}

/* 0: jobs of the association cannot use the one asked for. */
static uint32_t choose_qos(struct rows *rows, const struct assoc *assoc)
{
	const struct strv *ids = &rows->where->job_qos;
	uint32_t id;

	if (!ids->n || uint_parse(ids->v[0], &id))
		return assoc_default_qos(assoc, &rows->session->store->qos);
	return assoc_has_qos(assoc, id) ? id : 0;
}

static int effective_assoc_rows(struct rows *rows, const struct owner *o)
{
	const struct assoc *assoc = o->assoc;
	struct session *s = rows->session;
	const struct conf_partition *partition;
	const struct qos_name *qos;
	struct effective_list list;
	uint32_t id = choose_qos(rows, assoc);

	if (!id && rows->where->job_qos.n && *assoc->user)
		return 0;
	if (choose_partition(rows, &partition) ||
		open_cluster(rows, assoc->cluster))
		return -1;
	if (*assoc->partition)
		partition = conf_partition_by_name(
			&s->site.conf, assoc->partition);
	if (effective_of_assoc(&rows->limits, assoc, id, partition, &list))
		return -1;
	qos = *assoc->user ? qos_by_id(&s->store->qos, id) : NULL;
	for (size_t i = 0; i < list.n; i++) {
		struct setting_row *row = add_row(rows, o);

		if (*assoc->user && partition)
			row->partition = partition->name;
		row->job_qos = qos ? qos->name : "";
		put_effective(rows, row, &list.v[i]);
	}
	return 0;
}

static int effective_qos_rows(struct rows *rows, const struct owner *o)
{
	struct effective_list list;

	if (open_cluster(rows, rows->session->site.cluster) ||
		effective_of_qos(&rows->limits, o->qos->id, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		put_effective(rows, add_row(rows, o), &list.v[i]);
	return 0;
}

/* ---- what was set --------------------------------------------------------*/

static bool same(const struct value *a, const struct value *b,
	const struct session *s, struct arena *arena)
{
	const struct value_style style = site_style(&s->site);

	return !strcmp(value_text(a, &style, arena),
		value_text(b, &style, arena));
}

/* `tres`: of a list, which of its amounts. */
static void add_setting(struct rows *rows, const struct owner *o,
	const struct member *m, struct value value, uint32_t tres)
{
	struct setting_row *row = add_row(rows, o);

	row->name = m->set->name;
	row->value = value;
	ask_blame(rows, row, m, o->qos != NULL,
		o->qos ? (int64_t)o->qos->id : o->assoc->key, tres);
}

/* The amounts of a list, each with a row. */
static void add_amounts(struct rows *rows, const struct owner *o,
	const struct member *m, const struct tres_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		add_setting(rows, o, m,
			of_amount(rows, list->v[i].id, list->v[i].count),
			list->v[i].id);
}

/* Every value that is not that of a new row. */
static void set_rows(struct rows *rows, const struct owner *o,
	const struct members *members, const void *record, const void *blank)
{
	struct arena *arena = &rows->session->arena;

	for (size_t i = 0; i < members->n; i++) {
		const struct member *m = &members->v[i];
		struct value value, unset;

		if (!m->set || m->set->tres)
			continue;
		if (m->type == MEMBER_TRES) {
			add_amounts(rows, o, m,
				(const void *)((const char *)record +
					       m->offset));
			continue;
		}
		if (!m->column)
			continue;
		value = member_value(m, record, arena);
		unset = member_value(m, blank, arena);
		if (!same(&value, &unset, rows->session, arena))
			add_setting(rows, o, m, value, 0);
	}
}

/* The parent, the default QOS and lists by name are not as they are stored. */
static void assoc_rows(struct rows *rows, const struct owner *o)
{
	const struct assoc *assoc = o->assoc;
	struct assoc blank, seen = *assoc;

	if (!*assoc->user && *assoc->parent_account)
		add_setting(rows, o, assoc_attr(parent_account),
			of_text(assoc->parent_account), 0);
	assoc_init(&blank);
	seen.def_qos_id = blank.def_qos_id;
	set_rows(rows, o, &assoc_members, &seen, &blank);
	if (*assoc->def_qos)
		add_setting(rows, o, assoc_attr(def_qos_id),
			of_text(assoc->def_qos), 0);
	if (assoc->own_qos.n)
		add_setting(rows, o, assoc_attr(own_qos),
			of_text(assoc->qos_text), 0);
}

static void qos_rows(struct rows *rows, const struct owner *o)
{
	struct qos blank;

	qos_init(&blank);
	set_rows(rows, o, &qos_members, o->qos, &blank);
}

static void user_rows(struct rows *rows, const struct owner *o)
{
	struct setting_row *row;

	if (o->user->admin_level <= ADMIN_NONE)
		return;
	row = add_row(rows, o);
	row->name = "AdminLevel";
	row->value = of_text(o->user->admin_text);
	row->blame.table = "user";
	row->blame.key = o->user->name;
	row->blame.column = "admin_level";
}

/* ---- what holds until a time ---------------------------------------------*/

/* The value that comes back, printed like any such value. */
static struct value value_then(
	struct rows *rows, const struct lease *l, const struct member *m)
{
	struct arena *arena = &rows->session->arena;
	union {
		struct assoc assoc;
		struct qos qos;
	} record;
	char *at = (char *)&record + m->offset;
	uint32_t number = l->unset ? INFINITE : (uint32_t)l->number;

	if (l->kind >= LEASE_QOS)
		qos_init(&record.qos);
	else
		assoc_init(&record.assoc);
	if (m->type == MEMBER_FACTOR || m->type == MEMBER_REAL) {
		if (!l->unset)
			memcpy(at, &l->real, sizeof(l->real));
	} else if (m->type == MEMBER_TEXT) {
		return of_text(l->unset ? "" : l->text);
	} else {
		memcpy(at, &number, sizeof(number));
	}
	return member_value(m, &record, arena);
}

/* "=1,+3" by name. */
static const char *qos_names(struct rows *rows, const struct lease *l)
{
	struct session *s = rows->session;
	struct strv words = {0}, names = {0};

	strv_split(&words, &s->arena, l->unset ? "" : l->text);
	for (size_t i = 0; i < words.n; i++) {
		uint32_t id;
		const struct qos_name *qos;

		if (!*words.v[i] || uint_parse(words.v[i] + 1, &id))
			continue;
		qos = qos_by_id(&s->store->qos, id);
		if (qos)
			strv_printf(&names, &s->arena, "%s%s",
				*words.v[i] == '='   ? ""
				: *words.v[i] == '+' ? "+"
						     : "-",
				qos->name);
	}
	return strv_join(&names, ",", &s->arena);
}

static const char *name_of_qos(struct rows *rows, int64_t id)
{
	const struct qos_name *qos =
		qos_by_id(&rows->session->store->qos, (uint32_t)id);

	return qos ? qos->name : "";
}

static struct value then_of(struct rows *rows, const struct lease *l)
{
	uint32_t tres;
	const struct member *m = lease_member(l, &tres);

	switch (l->kind) {
	case LEASE_ASSOC_ROW:
		return of_text("deleted");
	case LEASE_ASSOC_QOS:
		return of_text(qos_names(rows, l));
	case LEASE_USER:
		return of_text(admin_level_text((uint32_t)l->number));
	case LEASE_ASSOC_TRES:
	case LEASE_QOS_TRES:
		return l->unset ? no_value()
				: of_amount(rows, tres, (uint64_t)l->number);
	default:
		if (m == assoc_attr(def_qos_id))
			return of_text(l->unset ? ""
						: name_of_qos(rows, l->number));
		return m ? value_then(rows, l, m) : of_text(l->text);
	}
}

/* `then`: the lease whose earlier value follows. */
static void lease_row(struct rows *rows, const struct owner *o,
	const struct lease *l, const struct lease *then)
{
	struct session *s = rows->session;
	struct setting_row *row = add_row(rows, o);

	row->name = lease_setting(l, &s->store->tres, &s->arena);
	row->until = l->until;
	row->then = then_of(rows, then);
	if (l->kind == LEASE_QOS && !strcmp(l->field, "flags"))
		row->then = of_text(flags_text(qos_flag_words,
			then->unset ? 0 : (uint32_t)then->number, &s->arena));
	row->blame.actor = l->actor;
	row->blame.time = l->set;
	if (private_hides(s, PRIVATE_NAMES) &&
		strcasecmp(l->actor, s->site.caller.name))
		row->blame.actor = "";
}

/* Whose value it sets: an association's, a QOS's or a user's. */
static enum lease_kind owner_kind(const struct lease *l)
{
	return l->kind >= LEASE_USER ? LEASE_USER
	       : l->kind >= LEASE_QOS ? LEASE_QOS
				      : LEASE_ASSOC;
}

static int compare_owners(const struct lease *a, const struct lease *b)
{
	enum lease_kind kind = owner_kind(a);

	if (kind != owner_kind(b))
		return kind < owner_kind(b) ? -1 : 1;
	if (kind == LEASE_USER)
		return strcasecmp(a->name, b->name);
	return (a->owner > b->owner) - (a->owner < b->owner);
}

/* Those of one owner stay in the order in which they end. */
static int by_owner(const void *a, const void *b)
{
	const struct lease *const *x = a, *const *y = b;
	int order = compare_owners(*x, *y);

	return order ? order : (*x > *y) - (*x < *y);
}

static int read_leases(struct rows *rows)
{
	struct session *s = rows->session;
	struct owned_leases *leases = &rows->leases;
	struct lease_list list;

	if (lease_read(s->store, INT64_MAX, &s->arena, &list))
		return -1;
	leases->n = list.n;
	leases->v = arena_array(&s->arena, list.n, sizeof(*leases->v));
	for (size_t i = 0; i < list.n; i++)
		leases->v[i] = &list.v[i];
	if (list.n)
		qsort(leases->v, list.n, sizeof(*leases->v), by_owner);
	return 0;
}

/* Of the leases of one owner: the value below this one, but for leases that are
 * over by the time it ends; then what is below those. */
static const struct lease *last_to_end(
	const struct lease *const *v, size_t n, const struct lease *l)
{
	const struct lease *last = l, *below;

	do {
		below = NULL;
		for (size_t i = 0; i < n; i++)
			if (v[i]->kind == l->kind && v[i]->n < last->n &&
				!strcmp(v[i]->field, l->field) &&
				(!below || v[i]->n > below->n))
				below = v[i];
		if (below && below->until <= l->until)
			last = below;
	} while (last == below);
	return last;
}

/* A row for each lease of the owner. */
static void lease_rows(struct rows *rows, const struct owner *o)
{
	const struct owned_leases *leases = &rows->leases;
	const struct lease like = {
		.kind = o->user	 ? LEASE_USER
			: o->qos ? LEASE_QOS
				 : LEASE_ASSOC,
		.name = o->user ? o->user->name : NULL,
		.owner = o->qos	   ? (int64_t)o->qos->id
			 : o->assoc ? o->assoc->key
				    : 0};
	size_t first = 0, after = leases->n;

	BISECT(first, after, middle, compare_owners(leases->v[middle], &like) < 0)
	for (after = first; after < leases->n &&
			    !compare_owners(leases->v[after], &like);)
		after++;
	for (size_t i = first; i < after; i++)
		lease_row(rows, o, leases->v[i],
			last_to_end(leases->v + first, after - first,
				leases->v[i]));
}

/* ---- printing ------------------------------------------------------------*/

static int find_blame(struct rows *rows)
{
	struct session *s = rows->session;
	struct blame *v = arena_array(&s->arena, rows->n, sizeof(*v));
	bool hidden = private_hides(s, PRIVATE_NAMES);

	if (!rows->where->with_blame)
		return 0;
	for (size_t i = 0; i < rows->n; i++)
		v[i] = rows->v[i].blame;
	if (blame_find(s->store, &s->arena, v, rows->n))
		return -1;
	for (size_t i = 0; i < rows->n; i++) {
		rows->v[i].blame = v[i];
		if (hidden && strcasecmp(v[i].actor, s->site.caller.name))
			rows->v[i].blame = (struct blame){
				.actor = "", .command = ""};
	}
	return 0;
}

/* Columns of its own in a document, not those of the entity's layout. */
static const struct entity setting_entity = {
	.names = "Settings:3",
	.columns = {&setting_columns},
};

static int print_rows(struct rows *rows, const char *who)
{
	struct session *s = rows->session;
	const struct entity *showing = program(s)->showing;
	const char *format = arena_printf(&s->arena, "%s,Setting%s%s%s", who,
		rows->where->with_leases ? ",Until,Then,Actor,TimeStamp"
					 : ",Value",
		rows->where->with_effective ? ",Used,Remaining,Running,Origin" : "",
		rows->where->with_blame ? ",Actor,TimeStamp,Change,Command"
					: "");
	struct listing l;

	if (find_blame(rows))
		return complain_err(s);
	program(s)->showing = &setting_entity;
	/* A column of the entity would be blank in every row: refused. */
	listing_init(&l, s, &setting_columns);
	l.fields = &setting_columns;
	l.format = &rows->where->format;
	listing_open(&l, format);
	for (size_t i = 0; i < rows->n; i++)
		listing_row(&l, &rows->v[i]);
	listing_close(&l);
	program(s)->showing = showing;
	return 0;
}

/* ---- all -----------------------------------------------------------------*/

bool settings_wanted(const struct conds *where)
{
	return where->with_effective || where->with_blame || where->with_leases;
}

void settings_ask(struct conds *where)
{
	if (where->with_leases)
		where->with_effective = where->with_blame = false;
	if (where->with_effective)
		where->assoc.raw_qos = where->assoc.without_limits = false;
	else if (where->with_blame)
		where->assoc.raw_qos = where->assoc.without_limits = true;
}

static int owner_rows(struct rows *rows, const struct owner o)
{
	if (rows->where->with_leases)
		lease_rows(rows, &o);
	else if (o.user && rows->where->with_blame)
		user_rows(rows, &o);
	else if (o.assoc && rows->where->with_effective)
		return effective_assoc_rows(rows, &o);
	else if (o.qos && rows->where->with_effective)
		return effective_qos_rows(rows, &o);
	else if (o.assoc)
		assoc_rows(rows, &o);
	else if (o.qos)
		qos_rows(rows, &o);
	return 0;
}

int show_settings(struct session *s, const struct conds *where,
	const struct user_list *users, const struct assoc_list *assocs,
	const struct qos_list *qos)
{
	struct rows rows = {.session = s, .where = where};
	int rc = where->with_leases ? read_leases(&rows) : 0;

	for (size_t i = 0; !rc && users && i < users->n; i++)
		rc = owner_rows(&rows, (struct owner){.user = &users->v[i]});
	for (size_t i = 0; !rc && assocs && i < assocs->n; i++)
		rc = owner_rows(&rows, (struct owner){.assoc = assocs->v[i]});
	for (size_t i = 0; !rc && qos && i < qos->n; i++)
		rc = owner_rows(&rows, (struct owner){.qos = qos->v[i]});
	if (rc)
		return complain_err(s);
	return print_rows(&rows, qos ? "Name"
				 : where->with_effective
					 ? "Cluster,Account,User,Partition,"
					   "JobQOS"
					 : "Cluster,Account,User,Partition");
}
