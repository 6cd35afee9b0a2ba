/*
 * Users: add, show, modify, delete (spec/sacctmgr.md 3.16, 5.3, 5.4).
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/private.h"
#include "cmd/sacctmgr/remove.h"
#include "common/cli.h"

/* clang-format off */
#define W(member) offsetof(struct conds, member)
static const struct where_word where_words[] = {
	{"WithAssoc:5", WHERE_SWITCH, W(with_assoc), GROUP_NONE, "one row for each association"},
	{"WithCoordinators:5", WHERE_SWITCH, W(with_coordinators), GROUP_NONE, "accounts they coordinate too"},
	{"WithDeleted:5", WHERE_SWITCH, W(with_deleted), GROUP_NONE, "deleted users too"},
	{"WithRawQOSLevel:5", WHERE_SWITCH, W(assoc.raw_qos), GROUP_NONE, "QOS lists with their signs"},
	{"WOPLimits:4", WHERE_SWITCH, W(assoc.without_limits), GROUP_NONE, "only what the row itself holds"},
	{"Names:1 Users:1", WHERE_LIST, W(assoc.users), GROUP_RECORD, "user names"},
	{"AdminLevel:2", WHERE_LIST, W(admin_level), GROUP_RECORD, "None, Operator, Administrator"},
	{"Clusters:1", WHERE_LIST, W(assoc.clusters), GROUP_RECORD, "cluster names"},
	{"DefaultAccount:8", WHERE_LIST, W(default_accounts), GROUP_RECORD, "default accounts"},
	{"DefaultWCKey:8", WHERE_LIST, W(default_wckeys), GROUP_RECORD, "default wckeys"},
	{"Format:1", WHERE_FORMAT, W(format), GROUP_NONE, "columns"},
	{"WCKeys:1", WHERE_LIST, W(wckeys), GROUP_WCKEY, "wckeys (delete)"},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = where_words,
	.where_more = assoc_where_words,
	.bare = offsetof(struct conds, assoc.users),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {user_set_words, assoc_set_words},
};

/* In an add, names have words of their own, and there is no `where`. */
static const struct vocabulary add_vocabulary = {
	.where = where_words,
	.set = {user_set_words, assoc_set_words},
	.bare_set_is_name = true,
	.name_words = "name=Names:1 Users:1;account=Accounts:3 Acct:4;"
		      "cluster=Clusters:1;partition=Partitions:1;"
		      "wckey=WCKeys:1",
	.names = NAMES_USER,
};

static const char *text_of(const struct settings *set, enum user_attr id)
{
	const struct setting *s = settings_find(set, &user_attrs[id]);

	return s ? s->text : NULL;
}

static const char *new_name_of(
	struct session *s, const struct settings *set)
{
	const char *name = text_of(set, USER_ATTR_NEW_NAME);

	return name ? name_case(s, NAMES_USER, name) : NULL;
}

/* An unknown admin level changes nothing; it must not pass in silence. */
static int check_level(struct session *s, const struct settings *set)
{
	const char *text = text_of(set, USER_ATTR_ADMIN_LEVEL);

	if (!text || admin_level_parse(text) != ADMIN_NOT_SET)
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"Unknown AdminLevel '%s': None, Operator or Administrator",
		text);
}

/* ---- add -----------------------------------------------------------------*/

struct adding {
	struct request *request;
	struct settings rows; /* the part for associations */
	const char *default_account, *default_wckey;
	uint32_t admin_level;
	FILE *lines;
	bool any_line, added, wckeys_added, coordinator;
};

static int add_records(struct session *s, struct adding *a)
{
	struct strv *names = &a->request->names;
	bool any = false;

	for (size_t i = 0; i < names->n; i++) {
		/* Who is there keeps the spelling, whatever was typed. */
		int exists = user_spelling(
			s->store, names->v[i], &s->arena, &names->v[i]);

		if (exists < 0)
			return -1;
		if (exists)
			continue;
		if (check_level(s, &a->request->set))
			return -1;
		if (!any)
			fputs(" Adding User(s)\n", s->out);
		any = true;
		fprintf(s->out, "  %s\n", names->v[i]);
		if (user_add(s->store, names->v[i], a->admin_level) ||
			txn_add(s->store, TXN_ADD_USERS, "", names->v[i],
				arena_printf(&s->arena, "admin_level=%u",
					a->admin_level ? a->admin_level : 1)))
			return -1;
	}
	if (!any)
		return 0;
	fputs(" Settings\n", s->out);
	if (a->default_account)
		fprintf(s->out, "  Default Account = %s\n",
			a->default_account);
	if (a->default_wckey)
		fprintf(s->out, "  Default WCKey   = %s\n", a->default_wckey);
	if (a->admin_level)
		fprintf(s->out, "  Admin Level     = %s\n",
			admin_level_text(a->admin_level));
	return 0;
}

/* Is the new row the user's default on the cluster? Of several rows of one
 * account (one a partition) the first becomes it. */
static int becomes_default(struct session *s, const struct adding *a,
	const char *cluster, const char *account, const char *user,
	bool *is_default)
{
	const char *current;

	if (user_default_account(
		    s->store, cluster, user, &s->arena, &current))
		return -1;
	*is_default = !*current;
	if (a->default_account && (!a->coordinator || !*current))
		*is_default = !strcmp(a->default_account, account) &&
			strcmp(current, account) != 0;
	return 0;
}

static void line(struct session *s, struct adding *a, const struct assoc *row)
{
	FILE *out = s->out;

	if (!a->any_line)
		fputs(" Associations =\n", a->lines);
	a->any_line = true;
	s->out = a->lines;
	report_assoc(s, row, false);
	s->out = out;
}

static int add_row(struct session *s, struct adding *a,
	const struct assoc *parent, const char *user, const char *partition)
{
	struct assoc_new new = {
		.cluster = cluster_key(s->store, parent->cluster),
		.cluster_name = parent->cluster,
		.account = parent->account,
		.user = user,
		.partition = partition,
		.parent = parent,
		.settings = &a->rows,
	};
	struct assoc row, *known;
	int found = assoc_find(s->store, parent->cluster, parent->account,
		user, partition, &s->arena, &known);
	int64_t key;

	if (found)
		return found < 0 ? -1 : 0;
	if (becomes_default(s, a, parent->cluster, parent->account, user,
		    &new.is_default))
		return -1;
	key = assoc_add(s->store, &new, &s->arena);
	if (key < 0)
		return -1;
	assoc_init(&row);
	row.key = key;
	row.cluster = parent->cluster;
	row.account = parent->account;
	row.user = user;
	row.partition = partition;
	a->added = true;
	line(s, a, &row);
	return new.is_default ? assoc_take_default(s->store, parent->cluster,
					user, parent->account)
			      : 0;
}

static int add_user_rows(struct session *s, struct adding *a,
	const struct assoc *parent, const char *user)
{
	const struct strv *partitions = &a->request->partitions;

	if (!partitions->n)
		return add_row(s, a, parent, user, "");
	for (size_t i = 0; i < partitions->n; i++)
		if (add_row(s, a, parent, user, partitions->v[i]))
			return -1;
	return 0;
}

static int check_account(struct session *s, const struct adding *a,
	const char *account)
{
	if (is_operator(s) || is_coordinator(s, account))
		return 0;
	(void)a;
	return err_set(&s->err, ERR_DENIED,
		" error: Problem adding user associations: Access/permission "
		"denied (Your user doesn't have privilege to perform this "
		"action\n)");
}

static int add_on_account(struct session *s, struct adding *a,
	const char *cluster, const char *account)
{
	struct assoc *parent;
	int found = assoc_find(
		s->store, cluster, account, "", "", &s->arena, &parent);

	if (found < 0)
		return -1;
	if (!found) {
		fprintf(a->lines, "No account %s on cluster %s, skipping.\n",
			account, cluster);
		a->any_line = true;
		return 0;
	}
	if (check_account(s, a, account))
		return -1;
	for (size_t i = 0; i < a->request->names.n; i++)
		if (add_user_rows(s, a, parent, a->request->names.v[i]))
			return -1;
	return 0;
}

static int add_everywhere(
	struct session *s, struct adding *a, const struct strv *clusters)
{
	for (size_t c = 0; c < clusters->n; c++)
		for (size_t i = 0; i < a->request->accounts.n; i++)
			if (add_on_account(s, a, clusters->v[c],
				    a->request->accounts.v[i]))
				return -1;
	return 0;
}

/* The first key of a user on a cluster becomes the default. */
static int add_one_wckey(struct session *s, struct adding *a,
	const char *cluster, const char *key, const char *user)
{
	struct wckey_cond cond = {0};
	struct wckey_list known;
	bool is_default = a->default_wckey && !strcmp(a->default_wckey, key);
	int added;

	strv_push(&cond.users, &s->arena, user);
	strv_push(&cond.clusters, &s->arena, cluster);
	if (wckey_list(s->store, &cond, &s->arena, &known))
		return -1;
	if (!known.n && !a->default_wckey)
		is_default = true;
	added = wckey_add(s->store, cluster, key, user, is_default);
	if (added <= 0)
		return added;
	if (!a->wckeys_added)
		fputs(" Wckey(s)\n", s->out);
	a->wckeys_added = true;
	fprintf(s->out, "  C = %-10s W = %-10s U = %-9s\n", cluster, key,
		user);
	return txn_add(s->store, TXN_ADD_WCKEYS, cluster,
		arena_printf(&s->arena, "wckey='%s'", key),
		arena_printf(&s->arena, "user='%s'", user));
}

static int add_wckeys(
	struct session *s, struct adding *a, const struct strv *clusters)
{
	const struct request *r = a->request;

	for (size_t c = 0; c < clusters->n; c++)
		for (size_t u = 0; u < r->names.n; u++)
			for (size_t k = 0; k < r->wckeys.n; k++)
				if (add_one_wckey(s, a, clusters->v[c],
					    r->wckeys.v[k], r->names.v[u]))
					return -1;
	return 0;
}

/* A default QOS given with a list must be in it. */
static int check_default_qos(struct session *s, const struct adding *a)
{
	const struct setting *def = settings_find(
		&a->rows, &assoc_attrs[ASSOC_ATTR_DEFAULT_QOS]);
	const struct setting *list =
		settings_find(&a->rows, &assoc_attrs[ASSOC_ATTR_QOS]);
	const struct qos_name *qos =
		def ? qos_by_id(&s->store->qos, def->number) : NULL;

	if (!qos || !list)
		return 0;
	for (size_t i = 0; i < list->list.n; i++) {
		const char *name = list->list.v[i];

		if (*name == '-' || !strcmp(name + (*name == '+'), qos->name))
			return 0;
	}
	return err_set(&s->err, ERR_USAGE,
		" error: Problem adding user associations: This request would "
		"make it so some associations would not have access to their "
		"default qos. (%s)",
		qos->name);
}

static int check_rights(struct session *s, struct adding *a)
{
	if (is_operator(s))
		return 0;
	a->coordinator = true;
	if (a->admin_level > ADMIN_NONE)
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only admins/operators can "
			"add an admin/operator)");
	if (!is_any_coordinator(s))
		return err_set(&s->err, ERR_DENIED,
			" error: Problem adding user associations: "
			"Access/permission denied (Only "
			"admins/operators/coordinators can add accounts)");
	return 0;
}

static int add_all(struct session *s, struct adding *a)
{
	struct strv clusters = {0};

	*s->err.text = '\0';
	return check_rights(s, a) || check_default_qos(s, a) ||
			chosen_clusters(
				s, &a->request->clusters, &clusters) ||
			add_records(s, a) ||
			add_everywhere(s, a, &clusters)
		? -1
		: 0;
}

/* Runs `add_all` with the two parts of its report kept: what it says of
 * records, and of associations. */
static int add_quietly(
	struct session *s, struct adding *a, char **records, char **lines)
{
	FILE *out = s->out;
	size_t size[2];
	int rc;

	a->added = a->any_line = a->wckeys_added = false;
	s->out = open_memstream(records, &size[0]);
	a->lines = open_memstream(lines, &size[1]);
	rc = add_all(s, a);
	fclose(s->out);
	fclose(a->lines);
	s->out = out;
	return rc;
}

/* Nothing new: the records that were added for nothing are forgotten. */
static enum plan_result nothing_added(struct session *s, const char *lines)
{
	fprintf(s->out,
		"%sNothing added.\nMake sure the accounts requested here have "
		"been added to the system/cluster. (sacctmgr add "
		"account...)\n",
		*lines ? lines : "Request didn't affect anything\n");
	return PLAN_FAILED;
}

/* The rest of an add whose associations are in. */
static enum plan_result finish_add(struct session *s, struct adding *a,
	const char *records, const char *lines)
{
	struct strv clusters = {0};

	fprintf(s->out, "%s%s", records, lines);
	if (chosen_clusters(s, &a->request->clusters, &clusters) ||
		add_wckeys(s, a, &clusters)) {
		complain_err(s);
		return PLAN_REFUSED;
	}
	if (!a->added && !a->wckeys_added)
		return nothing_added(s, "");
	if (a->rows.n) {
		fputs(" Non Default Settings\n", s->out);
		echo_settings(s, assoc_attrs, ASSOC_ATTRS, &a->rows);
	}
	return PLAN_CHANGED;
}

static enum plan_result plan_add(struct session *s, void *arg)
{
	struct adding *a = arg;
	char *records = NULL, *lines = NULL;
	enum plan_result result;

	if (add_quietly(s, a, &records, &lines)) {
		complain_err(s);
		result = PLAN_REFUSED;
	} else if (!a->added && a->request->accounts.n) {
		result = nothing_added(s, lines);
	} else {
		result = finish_add(s, a, records, lines);
	}
	free(records);
	free(lines);
	return result;
}

static bool has_uid(struct session *s, const char *user)
{
	(void)s;
	return getpwnam(user) != NULL;
}

/* A user the system does not know: is that meant? */
static int check_uids(struct session *s, const struct strv *names)
{
	for (size_t i = 0; i < names->n && !s->opt.immediate; i++) {
		if (has_uid(s, names->v[i]))
			continue;
		if (!prompt(s,
			    arena_printf(&s->arena,
				    "There is no uid for user '%s'\n"
				    "Are you sure you want to continue?",
				    names->v[i]))) {
			s->status = 1;
			return -1;
		}
	}
	return 0;
}

static int add(struct session *s, char **words, int n)
{
	struct request r;
	struct adding a = {.request = &r};
	const char *level;

	parse_words(s, &add_vocabulary, PARSE_SET, false, words, n, &r);
	if (r.failed)
		return -1;
	a.default_account = text_of(&r.set, USER_ATTR_DEFAULT_ACCOUNT);
	a.default_wckey = text_of(&r.set, USER_ATTR_DEFAULT_WCKEY);
	level = text_of(&r.set, USER_ATTR_ADMIN_LEVEL);
	a.admin_level = level ? admin_level_parse(level) : ADMIN_NOT_SET;
	a.rows = assoc_settings(s, &r.set);
	if (a.default_account && !strv_has(&r.accounts, a.default_account))
		strv_push(&r.accounts, &s->arena, a.default_account);
	if (a.default_wckey && !strv_has(&r.wckeys, a.default_wckey))
		strv_push(&r.wckeys, &s->arena, a.default_wckey);
	if (!r.names.n || strv_has(&r.names, "")) {
		complain(s, " Need name of user to add.");
		return -1;
	}
	if (!r.accounts.n && !r.wckeys.n) {
		complain(s, " Need name of account or wckey to add.");
		return -1;
	}
	if (check_uids(s, &r.names))
		return -1;
	return change_run(s, plan_add, &a);
}

/* ---- show ----------------------------------------------------------------*/

static struct user_cond user_cond_of(const struct request *r)
{
	struct user_cond cond = {
		.names = r->where.assoc.users,
		.default_accounts = r->where.default_accounts,
		.default_wckeys = r->where.default_wckeys,
		.clusters = r->where.assoc.clusters,
		.with_deleted = r->where.with_deleted,
		.with_coordinators = r->where.with_coordinators,
	};

	if (r->where.admin_level.n)
		cond.admin_level =
			admin_level_parse(r->where.admin_level.v[0]);
	return cond;
}

static void show_rows(struct listing *l, const struct user_list *users,
	const struct assoc_index *assocs)
{
	for (size_t i = 0; i < users->n; i++) {
		const struct user *user = &users->v[i];
		struct value_rows own = assoc_index_find(assocs, user->name);
		struct part parts[] = {
			{user_columns, user}, {assoc_columns, NULL}};

		for (size_t j = 0; j < own.n; j++) {
			parts[1].row = own.v[j];
			listing_row(l, parts);
		}
		if (!own.n)
			listing_row(l, parts);
	}
}

/* What a document holds inside a user. */
struct user_record {
	struct value_rows associations, coordinators, wckeys;
};

#define R(path, member)                                                        \
	{FIELD_NONE, path, get_rows, offsetof(struct user_record, member), 0}
static const struct column record_columns[] = {
	R("associations", associations),
	R("coordinators", coordinators),
	R("wckeys", wckeys),
	{FIELD_NONE, NULL, NULL, 0, 0},
};
#undef R

static int add_accounts(struct document *doc, const struct user *user,
	struct user_record *record)
{
	struct strv accounts = {0}, direct = {0};

	if (coordinated_accounts(doc->session->store, user->name,
		    &doc->scratch, &accounts, &direct))
		return -1;
	record->coordinators =
		coordinator_rows(&accounts, &direct, &doc->scratch);
	return 0;
}

static int add_keys(struct document *doc, const struct user *user,
	struct user_record *record)
{
	struct wckey_cond cond = {0};
	struct wckey_list list;
	const void **v;

	strv_push(&cond.users, &doc->scratch, user->name);
	if (wckey_list(doc->session->store, &cond, &doc->scratch, &list))
		return -1;
	v = arena_array(&doc->scratch, list.n, sizeof(*v));
	for (size_t i = 0; i < list.n; i++)
		v[i] = &list.v[i];
	record->wckeys = (struct value_rows){wckey_columns, v, list.n};
	return 0;
}

static int show_record(struct document *doc, const struct conds *where,
	const struct user *user, const struct assoc_index *assocs)
{
	struct user_record record = {
		.associations = assoc_index_find(assocs, user->name)};
	const struct part parts[] = {
		{record_columns, &record}, {user_columns, user}};

	if ((where->with_coordinators && add_accounts(doc, user, &record)) ||
		(where->with_assoc && add_keys(doc, user, &record)))
		return -1;
	document_row(doc, parts, 2);
	return 0;
}

static int show_document(struct session *s, const struct conds *where,
	const struct user_list *users, const struct assoc_index *assocs)
{
	struct document doc;
	int rc = 0;

	document_open(&doc, s, document_key(s, s->showing));
	for (size_t i = 0; !rc && i < users->n; i++)
		rc = show_record(&doc, where, &users->v[i], assocs);
	if (rc)
		complain_err(s);
	document_close(&doc);
	return rc;
}

static const char *default_format(struct session *s, const struct conds *where)
{
	return arena_printf(&s->arena, "U,DefaultA,%sAd%s%s",
		s->site.conf.track_wckey ? "DefaultW," : "",
		where->with_assoc ? ",Cl,Acc,Part,Share,Priority,MaxJ,MaxN,"
				    "MaxCPUs,MaxS,MaxW,MaxCPUMins,QOS,"
				    "DefaultQOS"
				  : "",
		where->with_coordinators ? ",Coord" : "");
}

static int show(struct session *s, char **words, int n)
{
	const struct part parts[] = {
		{user_columns, NULL}, {assoc_columns, NULL}};
	struct request r;
	struct user_cond cond;
	struct user_list users;
	struct assoc_list assocs = {0};
	struct assoc_index index;
	struct listing l;

	parse_words(s, &vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.failed)
		return -1;
	r.where.with_assoc |= s->opt.with_assoc;
	r.where.assoc.with_deleted = r.where.with_deleted;
	if (!r.where.with_assoc && r.where.assoc_given &&
		!prompt(s, "You requested options that are only valid when "
			   "querying with the withassoc option.\n"
			   "Are you sure you want to continue?")) {
		fputs("Aborted\n", s->out);
		return 0;
	}
	cond = user_cond_of(&r);
	if (user_list(s->store, &cond, &s->arena, &users) ||
		(r.where.with_assoc && assoc_list(s->store, &r.where.assoc,
					       &s->arena, &assocs))) {
		complain_err(s);
		return -1;
	}
	if (private_users(s, &users) || private_assocs(s, &assocs))
		return -1;
	assoc_index_make(&index, &assocs, true, &s->arena);
	if (document_wanted(s))
		return show_document(s, &r.where, &users, &index);
	listing_open(&l, s, &r.where.format, default_format(s, &r.where), parts,
		2);
	show_rows(&l, &users, &index);
	listing_close(&l);
	return 0;
}

/* ---- modify --------------------------------------------------------------*/

static int set_default_account(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *account)
{
	bool bad = false;

	for (size_t c = 0; c < clusters->n; c++)
		for (size_t i = 0; i < users->n; i++) {
			const char *user = users->v[i].name;
			int found = *account
				? assoc_first_account(s->store,
					  clusters->v[c], user, account,
					  &s->arena, &account)
				: 1;

			if (found < 0)
				return -1;
			if (found) {
				if (assoc_set_default(s->store, clusters->v[c],
					    user, account))
					return -1;
				continue;
			}
			if (!bad)
				fprintf(s->out,
					" Can't modify because these users "
					"aren't associated with new default "
					"account '%s'...\n",
					account);
			bad = true;
			fprintf(s->out, "  U = %s C = %s\n", user,
				clusters->v[c]);
		}
	return bad ? 1 : 0;
}

static int set_default_wckey(struct session *s, const struct user_list *users,
	const struct strv *clusters, const char *name)
{
	bool bad = false;

	for (size_t c = 0; c < clusters->n; c++)
		for (size_t i = 0; i < users->n; i++) {
			struct wckey_cond cond = {0};
			struct wckey_list keys;

			strv_push(&cond.users, &s->arena, users->v[i].name);
			strv_push(&cond.clusters, &s->arena, clusters->v[c]);
			strv_push(&cond.names, &s->arena, name);
			if (wckey_list(s->store, &cond, &s->arena, &keys))
				return -1;
			if (keys.n) {
				if (wckey_make_default(s->store, &keys.v[0]))
					return -1;
				continue;
			}
			if (!bad)
				fprintf(s->out,
					" Can't modify because these users "
					"aren't associated with new default "
					"wckey '%s'...\n",
					name);
			bad = true;
			fprintf(s->out, "  U = %s C = %s\n",
				users->v[i].name, clusters->v[c]);
		}
	return bad ? 1 : 0;
}

static int refuse(struct session *s, const char *text)
{
	cli_error("%s", text);
	complain_request(s, text);
	return 1;
}

/* A name with a comma could not be named again. */
static int check_new_name(struct session *s, const char *name)
{
	if (!*name || strchr(name, ','))
		return err_set(&s->err, ERR_USAGE,
			"NewName must be one name: \"%s\"", name);
	return check_name(s, name);
}

/* Another spelling of the same name; look-ups ignore case. */
static bool is_respelled(const char *old, const char *new)
{
	return !strcasecmp(old, new) && strcmp(old, new) != 0;
}

static int set_name(struct session *s, const struct user_list *users,
	const char *new_name)
{
	int exists;

	if (users->n > 1) {
		refuse(s, "Can only change one at a time");
		complain(s,
			" If you are changing a users name you can only "
			"specify 1 user at a time.");
		return 1;
	}
	if (check_new_name(s, new_name))
		return -1;
	exists = is_respelled(users->v[0].name, new_name)
		? 0
		: user_exists(s->store, new_name);
	if (exists < 0)
		return -1;
	if (exists) {
		cli_error("Something was wrong with your query");
		complain_request(s, "Unspecified error");
		return 1;
	}
	return user_rename(s->store, users->v[0].name, new_name);
}

static int set_admin_level(
	struct session *s, const struct user_list *users, uint32_t level)
{
	if (!is_administrator(s)) {
		cli_error("You must be a super user to modify a users admin "
			  "level");
		complain_request(s, "Access/permission denied");
		return 1;
	}
	for (size_t i = 0; i < users->n; i++)
		if (user_set_admin_level(s->store, users->v[i].name, level))
			return -1;
	return 0;
}

/* The user's own defaults are everybody's to change. */
static bool only_own_defaults(struct session *s, const struct user_list *users,
	const struct settings *set)
{
	return users->n == 1 &&
		!strcasecmp(users->v[0].name, s->site.caller.name) &&
		!settings_find(set, &user_attrs[USER_ATTR_ADMIN_LEVEL]) &&
		!settings_find(set, &user_attrs[USER_ATTR_NEW_NAME]);
}

static int check_modify(struct session *s, const struct user_list *users,
	const struct settings *set)
{
	if (is_operator(s) || only_own_defaults(s, users, set))
		return 0;
	if (users->n == 1 && !strcasecmp(users->v[0].name, s->site.caller.name)) {
		cli_error("You can only change your own default account, "
			  "default wckey nothing else");
		complain_request(s, "Access/permission denied");
		return 1;
	}
	complain_denied(s);
	return 1;
}

/* All record settings, in order. 0: done, 1: refused with messages, -1. */
static int apply_record(struct session *s, const struct request *r,
	const struct user_list *users, uint32_t level)
{
	const char *account = text_of(&r->set, USER_ATTR_DEFAULT_ACCOUNT);
	const char *wckey = text_of(&r->set, USER_ATTR_DEFAULT_WCKEY);
	const char *name = new_name_of(s, &r->set);
	struct strv clusters = {0};
	int rc = check_modify(s, users, &r->set);

	if (chosen_clusters(s, &r->where.assoc.clusters, &clusters))
		return -1;
	if (!rc && account && !*account && !s->site.dbd.allow_no_def_acct)
		rc = refuse(s,
			"You can not remove the default account of a user");
	else if (!rc && account)
		rc = set_default_account(s, users, &clusters, account);
	if (!rc && wckey)
		rc = set_default_wckey(s, users, &clusters, wckey);
	if (!rc && level)
		rc = set_admin_level(s, users, level);
	if (!rc && name)
		rc = set_name(s, users, name);
	return rc;
}

static const char *record_info(struct session *s, const struct request *r,
	uint32_t level)
{
	const char *name = new_name_of(s, &r->set);

	if (name)
		return arena_printf(&s->arena, "name='%s'", name);
	return level ? arena_printf(&s->arena, "admin_level=%u", level) : "";
}

static int log_modified(struct session *s, const struct user_list *users,
	const char *info)
{
	const char *where = "";

	for (size_t i = 0; i < users->n; i++)
		where = arena_printf(&s->arena, "%s%sname='%s'", where,
			*where ? " || " : "(", users->v[i].name);
	return txn_add(s->store, TXN_MODIFY_USERS, "",
		arena_printf(&s->arena, "%s)", where), info);
}

static enum plan_result plan_record(struct session *s, void *arg)
{
	struct request *r = arg;
	const char *text = text_of(&r->set, USER_ATTR_ADMIN_LEVEL);
	uint32_t level = text ? admin_level_parse(text) : ADMIN_NOT_SET;
	struct user_cond cond = user_cond_of(r);
	struct user_list users;
	int rc;

	*s->err.text = '\0';
	fputs(" Modified users...\n", s->out);
	cond.clusters = (struct strv){0};
	if (user_list(s->store, &cond, &s->arena, &users)) {
		complain_err(s);
		return PLAN_FAILED;
	}
	if (!users.n) {
		fputs("  Nothing modified\n", s->out);
		return PLAN_UNCHANGED;
	}
	rc = apply_record(s, r, &users, level);
	if (rc < 0)
		complain_err(s);
	if (rc)
		return PLAN_FAILED;
	for (size_t i = 0; i < users.n; i++)
		fprintf(s->out, "  %s\n", users.v[i].name);
	if (log_modified(s, &users, record_info(s, r, level))) {
		complain_err(s);
		return PLAN_FAILED;
	}
	return PLAN_CHANGED;
}

/* Records are chosen by conditions of records, rows by those of rows. */
static int check_where(struct session *s, const struct conds *where,
	bool records, bool rows)
{
	if (!(records && where->assoc_given && !where->record_given) &&
		!(rows && !where->assoc_given && !where->assoc.users.n))
		return 0;
	complain(s, " There was a problem with your 'where' options.");
	return -1;
}

/* Accounts= beside a setting of the user itself: perhaps DefaultAccount= was
 * meant. */
static void ask_default_accounts(struct session *s, struct request *r)
{
	if (!r->where.assoc.accounts.n || s->opt.immediate)
		return;
	if (!prompt(s, " You specified Accounts in your request.  Did you "
		       "mean DefaultAccounts?\n"))
		return;
	r->where.default_accounts = r->where.assoc.accounts;
	r->where.assoc.accounts = (struct strv){0};
}

static int modify(struct session *s, char **words, int n)
{
	const struct setting *usage;
	struct request r, of_rows;
	struct change changes[2];
	size_t count = 0;
	bool records;

	parse_words(s, &vocabulary, PARSE_WHERE, true, words, n, &r);
	if (r.failed)
		return -1;
	if (require_set(s, &r))
		return -1;
	if (check_level(s, &r.set)) {
		complain_err(s);
		return -1;
	}
	if (!r.where.record_given && !r.where.assoc_given && !confirm_all(s))
		return 0;
	usage = settings_find(&r.set, &user_attrs[USER_ATTR_RAW_USAGE]);
	if (usage)
		return modify_raw_usage(s, &r, usage->real);
	of_rows = r;
	of_rows.set = assoc_settings(s, &r.set);
	records = r.set.n > of_rows.set.n;
	if (check_where(s, &r.where, records, of_rows.set.n))
		return -1;
	if (records) {
		ask_default_accounts(s, &r);
		of_rows.where = r.where;
		changes[count++] = (struct change){plan_record, &r};
	}
	of_rows.where.assoc.only_users = true;
	if (of_rows.set.n)
		changes[count++] = modify_assocs(
			s, &of_rows, " Modified user associations...\n");
	return changes_run(s, changes, count);
}

/* ---- delete --------------------------------------------------------------*/

static int delete(struct session *s, char **words, int n)
{
	struct request r;

	parse_words(s, &vocabulary, PARSE_WHERE, false, words, n, &r);
	if (r.where.wckey_given && r.where.assoc.accounts.n) {
		complain(s, " Mixing Account and WCKeys is not allowed");
		return -1;
	}
	if (!r.where.record_given && !r.where.assoc_given &&
		!r.where.wckey_given)
		return refuse_all(s);
	if (r.failed)
		return -1;
	return remove_users(s, &r);
}

const struct entity user_entity = {
	.names = {[VERB_ADD] = "User:1", [VERB_SHOW] = "Users:1",
		[VERB_MODIFY] = "Users:1", [VERB_DELETE] = "Users:1"},
	.run = {add, show, modify, delete},
	.vocabulary = &vocabulary,
	.add = &add_vocabulary,
	.columns = {user_columns, assoc_columns},
	.document = "users",
	.help = "who runs jobs: users and their defaults",
};
