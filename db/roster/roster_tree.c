/*
 * Rosters as files: what `dump format=yaml` writes, and what `diff` and `apply`
 * read. Every complaint about a file begins with its line.
 */
#include "db/roster/roster.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/nearest.h"
#include "common/base/utf8.h"

struct roster_reading {
	struct session *s;
	struct roster *store, *file;
	struct qos_catalog qos; /* of the store, and those new in the file */
};

/* The complaint that is there gets its line and record. */
static int bad_value(struct roster_reading *r, int line, const struct entry *e)
{
	return roster_bad(r->s, line, "%s: %s", entry_title(e, &r->s->arena),
		roster_complaint(r->s));
}

static int need_map(
	struct roster_reading *r, const struct tree *t, const char *what)
{
	if (t->kind == TREE_MAP || tree_is_nothing(t))
		return 0;
	return roster_bad(r->s, t->line, "%s must be a map of names", what);
}

/* ---- values --------------------------------------------------------------*/

static int list_text(
	struct roster_reading *r, const struct tree *list, const char **text)
{
	struct strv words = {0};

	for (const struct tree *t = list->first; t; t = t->next) {
		if (t->kind != TREE_TEXT || strchr(t->text, ','))
			return roster_bad(r->s, t->line,
				"'%s' must be a list of words", list->name);
		strv_push(&words, &r->s->arena, t->text);
	}
	*text = strv_join(&words, ",", &r->s->arena);
	return 0;
}

/* The value as it would be typed: a text, or a list of words. NULL: nothing. */
static int typed_text(
	struct roster_reading *r, const struct tree *t, const char **text)
{
	*text = NULL;
	if (t->kind == TREE_LIST)
		return list_text(r, t, text);
	if (t->kind == TREE_MAP)
		return roster_bad(
			r->s, t->line, "'%s' must be a text", t->name);
	if (!tree_is_nothing(t))
		*text = t->text;
	return 0;
}

/* Names in order; each must be one that can be typed. */
static int names_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	struct strv names = {0};

	strv_words(&names, &r->s->arena, str_lower(&r->s->arena, typed));
	for (size_t i = 0; i < names.n; i++)
		if (check_name(r->s, names.v[i]))
			return -1;
	strv_sort(&names);
	*text = names.n ? strv_join(&names, ",", &r->s->arena) : NULL;
	return 0;
}

static int level_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	uint32_t level = admin_level_parse(typed);

	if (level == ADMIN_NOT_SET)
		return err_set(&r->s->err, ERR_USAGE,
			"unknown AdminLevel '%s': None, Operator or "
			"Administrator",
			typed);
	*text = level > ADMIN_NONE ? admin_level_text(level) : NULL;
	return 0;
}

static int flags_of(
	struct roster_reading *r, const char *typed, const char **text)
{
	if (strcasecmp(typed, "UsersAreCoords") != 0 && *typed)
		return err_set(&r->s->err, ERR_USAGE,
			"unknown Flags '%s': UsersAreCoords", typed);
	*text = *typed ? "UsersAreCoords" : NULL;
	return 0;
}

static int class_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	static const char *const words[] = {
		"Capability", "Capacity", "Capapacity"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(typed + (*typed == '*'), words[i])) {
			*text = arena_printf(&r->s->arena, "%s%s",
				*typed == '*' ? "*" : "", words[i]);
			return 0;
		}
	return err_set(&r->s->err, ERR_USAGE,
		"unknown Classification '%s': Capability, Capacity or "
		"Capapacity",
		typed);
}

static int plain_text(
	struct roster_reading *r, const char *typed, const char **text)
{
	if (!utf8_clean(typed))
		return err_set(&r->s->err, ERR_USAGE,
			"a text must be UTF-8 without control characters");
	*text = str_lower(&r->s->arena, str_unquote(&r->s->arena, typed));
	return 0;
}

static int text_of_typed(struct roster_reading *r, const struct fact *f,
	const char *typed, const char **text)
{
	switch (f->type) {
	case FACT_MEMBER:
		if (fact_read(r->s, f, &r->qos, typed, text))
			return -1;
		if (!*text && f->member == qos_attr(description))
			*text = "";
		return 0;
	case FACT_DESCRIPTION:
	case FACT_ORGANIZATION:
		return plain_text(r, typed, text);
	case FACT_FLAGS:
		return flags_of(r, typed, text);
	case FACT_CLASSIFICATION:
		return class_text(r, typed, text);
	case FACT_ADMIN_LEVEL:
		return level_text(r, typed, text);
	case FACT_COORDINATOR:
	case FACT_WCKEYS:
		return names_text(r, typed, text);
	default:
		*text = str_lower(&r->s->arena, typed);
		return 0;
	}
}

/* "; perhaps MaxJobs was meant" */
static const char *perhaps(
	struct roster_reading *r, enum roster_kind kind, const char *name)
{
	const struct facts *facts = roster_facts(kind);
	struct nearest nearest;
	const char *found;

	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < facts->n; i++)
		nearest_try(&nearest, facts->v[i].name,
			strlen(facts->v[i].name));
	found = nearest_found(&nearest);
	return found ? arena_printf(&r->s->arena, "; perhaps %s was meant",
			       found)
		     : "";
}

static int read_fact(
	struct roster_reading *r, struct entry *e, const struct tree *t)
{
	const struct fact *f = roster_fact(e->kind, t->name);
	const char *typed, *text = NULL;

	if (!f || f->type == FACT_PARENT)
		return roster_bad(r->s, t->line, "%s: unknown key '%s'%s",
			entry_title(e, &r->s->arena), t->name,
			perhaps(r, e->kind, t->name));
	for (size_t i = 0; i < e->n; i++)
		if (e->v[i].fact == f)
			return roster_bad(r->s, t->line,
				"%s: '%s' is %s, which was given",
				entry_title(e, &r->s->arena), t->name, f->name);
	if (typed_text(r, t, &typed))
		return -1;
	if (!typed)
		return 0;
	if (text_of_typed(r, f, typed, &text))
		return bad_value(r, t->line, e);
	entry_tell(e, f, text, &r->s->arena);
	return 0;
}

/* ---- records -------------------------------------------------------------*/

static bool is_word(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (!strcasecmp(name, *words))
			return true;
	return false;
}

/* A record with all of its map that is not one of `parts`. */
static struct entry *read_entry(struct roster_reading *r, enum roster_kind kind,
	const char *account, const char *partition, const struct tree *t,
	const char *typed, const char *const *parts)
{
	const char *name = name_case(r->s,
		kind == ROSTER_ROW || kind == ROSTER_USER ? NAMES_USER
							  : NAMES_PLAIN,
		typed);
	struct entry *e;

	if (!*name || strpbrk(name, ",[]\"'") || check_name(r->s, name)) {
		roster_bad(r->s, t->line, "'%s' is no name", name);
		return NULL;
	}
	e = roster_add(r->s, r->file, kind, name, account, partition);
	if (!e) {
		roster_bad(r->s, t->line,
			"%s a second time; the first is in line %d",
			entry_title(&(struct entry){.kind = kind,
					    .name = name,
					    .account = account,
					    .partition = partition},
				&r->s->arena),
			roster_find(
				r->s, r->file, kind, name, account, partition)
				->line);
		return NULL;
	}
	e->line = t->line;
	if (need_map(r, t, entry_title(e, &r->s->arena)))
		return NULL;
	for (const struct tree *in = t->first; in; in = in->next)
		if (!is_word(in->name, parts) && read_fact(r, e, in))
			return NULL;
	return e;
}

static const char *const no_parts[] = {NULL};
static const char *const row_parts[] = {"partitions", NULL};
static const char *const account_parts[] = {"users", "accounts", NULL};

static void note_user(struct roster_reading *r, const struct entry *row)
{
	struct session *s = r->s;
	struct entry *e = roster_find(
		s, r->file, ROSTER_USER, row->name, "", "");

	if (!e) {
		e = roster_add(s, r->file, ROSTER_USER, row->name, "", "");
		e->line = row->line;
		e->first = row->account;
	}
	e->several |= strcmp(e->first, row->account) != 0;
}

static int read_row(struct roster_reading *r, const struct tree *t,
	const char *account, const char *user, const char *partition)
{
	struct entry *e = read_entry(
		r, ROSTER_ROW, account, partition, t, user, no_parts);

	if (!e)
		return -1;
	note_user(r, e);
	return 0;
}

/* Of one that has rows for partitions; "" is the row for none. */
static int read_partitions(struct roster_reading *r, const struct tree *t,
	const char *account, const struct tree *partitions)
{
	if (t->first->next)
		return roster_bad(r->s, t->line,
			"user %s in %s: beside 'partitions' nothing is said: "
			"say it of each partition",
			t->name, account);
	if (partitions->kind != TREE_MAP)
		return roster_bad(r->s, partitions->line,
			"'partitions' must be a map of names");
	for (const struct tree *p = partitions->first; p; p = p->next)
		if (check_name(r->s, p->name) || strpbrk(p->name, ",[]\"'"))
			return roster_bad(
				r->s, p->line, "'%s' is no name", p->name);
		else if (read_row(r, p, account, t->name,
				 str_lower(&r->s->arena, p->name)))
			return -1;
	return 0;
}

static int read_users(
	struct roster_reading *r, const struct tree *users, const char *account)
{
	if (!users)
		return 0;
	if (need_map(r, users, "'users'"))
		return -1;
	for (const struct tree *t = users->first; t; t = t->next) {
		const struct tree *partitions =
			t->kind == TREE_MAP ? tree_find(t, *row_parts) : NULL;

		if (partitions ? read_partitions(r, t, account, partitions)
			       : read_row(r, t, account, t->name, ""))
			return -1;
	}
	return 0;
}

static int read_accounts(struct roster_reading *r, const struct tree *accounts,
	const char *parent);

/* What was not said of an account is as in a new one. */
static void fill_account(
	struct roster_reading *r, struct entry *e, const char *parent)
{
	const struct facts *facts = roster_facts(ROSTER_ACCOUNT);

	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *f = &facts->v[i];

		if (f->type == FACT_PARENT)
			entry_tell(e, f, parent, &r->s->arena);
		else if ((f->type == FACT_DESCRIPTION ||
				 f->type == FACT_ORGANIZATION) &&
			 !entry_text(e, f->type))
			entry_tell(e, f, roster_default(f, e, &r->s->arena),
				&r->s->arena);
	}
}

/* `parent` NULL: the root. */
static int read_account(
	struct roster_reading *r, const struct tree *t, const char *parent)
{
	struct entry *e = read_entry(
		r, ROSTER_ACCOUNT, "", "", t, t->name, account_parts);
	const struct tree *users, *accounts;

	if (!e)
		return -1;
	fill_account(r, e, parent);
	if (t->kind != TREE_MAP)
		return 0;
	users = tree_find(t, account_parts[0]);
	accounts = tree_find(t, account_parts[1]);
	if (!parent && accounts)
		return roster_bad(r->s, accounts->line,
			"accounts below root stand at 'accounts', beside "
			"'root'");
	return read_users(r, users, e->name) ||
			       read_accounts(r, accounts, e->name)
		       ? -1
		       : 0;
}

static int read_accounts(struct roster_reading *r, const struct tree *accounts,
	const char *parent)
{
	if (!accounts)
		return 0;
	if (need_map(r, accounts, "'accounts'"))
		return -1;
	for (const struct tree *t = accounts->first; t; t = t->next)
		if (read_account(r, t, parent))
			return -1;
	return 0;
}

/* ---- QOS -----------------------------------------------------------------*/

enum { NEW_QOS = 0x40000000 /* no real number is as high */ };

/* Names that the file may use: of the store, and its own. */
static int know_qos(struct roster_reading *r, const struct tree *qos)
{
	struct session *s = r->s;
	struct qos_name *v;
	size_t n = s->store->qos.n, all = n;

	if (qos && need_map(r, qos, "'qos'"))
		return -1;
	for (const struct tree *t = qos ? qos->first : NULL; t; t = t->next)
		all++;
	v = arena_array(&s->arena, all + 1, sizeof(*v));
	if (n)
		memcpy(v, s->store->qos.v, n * sizeof(*v));
	for (const struct tree *t = qos ? qos->first : NULL; t; t = t->next)
		if (!qos_by_name(&s->store->qos, t->name)) {
			v[n] = (struct qos_name){(uint32_t)(NEW_QOS + n),
				str_lower(&s->arena, t->name)};
			n++;
		}
	r->qos = (struct qos_catalog){v, n};
	return 0;
}

static int read_qos(struct roster_reading *r, const struct tree *qos)
{
	const struct fact *description =
		roster_fact(ROSTER_QOS, "Description");

	for (const struct tree *t = qos ? qos->first : NULL; t; t = t->next) {
		struct entry *e = read_entry(
			r, ROSTER_QOS, "", "", t, t->name, no_parts);
		bool said = false;

		if (!e)
			return -1;
		for (size_t i = 0; i < e->n; i++)
			said |= e->v[i].fact == description;
		if (!said)
			entry_tell(e, description,
				roster_default(description, e, &r->s->arena),
				&r->s->arena);
	}
	return 0;
}

/* ---- users ---------------------------------------------------------------*/

static int read_user(struct roster_reading *r, const struct tree *t)
{
	const char *name = name_case(r->s, NAMES_USER, t->name);
	struct entry *e = roster_find(
		r->s, r->file, ROSTER_USER, name, "", "");

	if (!e)
		return roster_bad(r->s, t->line,
			"user %s is in no account of the file", name);
	if (e->seen)
		return roster_bad(r->s, t->line,
			"user %s a second time; the first is in line %d", name,
			e->line);
	e->seen = true;
	e->line = t->line;
	if (need_map(r, t, entry_title(e, &r->s->arena)))
		return -1;
	for (const struct tree *in = t->first; in; in = in->next)
		if (read_fact(r, e, in))
			return -1;
	return 0;
}

/* Does the user have the account in the file? */
static bool has_row(
	struct roster_reading *r, const struct entry *user, const char *account)
{
	if (!user->several)
		return !strcmp(user->first, account);
	for (size_t i = 0; i < r->file->of[ROSTER_ROW].n; i++) {
		const struct entry *row = r->file->of[ROSTER_ROW].v[i];

		if (!strcmp(row->account, account) &&
			!strcasecmp(row->name, user->name))
			return true;
	}
	return false;
}

/* Which account is the default where the file does not say it: the only one,
 * else that of the store, else the first of the file. */
static int settle_account(struct roster_reading *r, struct entry *e)
{
	const struct fact *f = roster_fact(ROSTER_USER, "DefaultAccount");
	const char *said = entry_text(e, FACT_DEFAULT_ACCOUNT), *is = NULL;
	const struct entry *known;

	if (said && *said && !has_row(r, e, said))
		return roster_bad(r->s, e->line,
			"user %s: the default account %s is not among the "
			"user's accounts in the file",
			e->name, said);
	if (said)
		return 0;
	known = e->several ? roster_find(r->s, r->store, ROSTER_USER, e->name,
				     "", "")
			   : NULL;
	if (known)
		is = entry_text(known, FACT_DEFAULT_ACCOUNT);
	if (!is || !*is || !has_row(r, e, is))
		is = e->first;
	entry_tell(e, f, is, &r->s->arena);
	return 0;
}

static bool among(const char *list, const char *name, struct arena *arena)
{
	struct strv names = {0};

	if (list)
		strv_split(&names, arena, list);
	return strv_has(&names, name);
}

static int settle_wckey(struct roster_reading *r, struct entry *e)
{
	const struct fact *f = roster_fact(ROSTER_USER, "DefaultWCKey");
	const struct entry *known;
	const char *keys = entry_text(e, FACT_WCKEYS);
	const char *said = entry_text(e, FACT_DEFAULT_WCKEY), *is = NULL;

	if (said && !among(keys, said, &r->s->arena))
		return roster_bad(r->s, e->line,
			"user %s: the default wckey %s is not among WCKeys",
			e->name, said);
	if (said || !keys)
		return 0;
	known = roster_find(r->s, r->store, ROSTER_USER, e->name, "", "");
	is = known ? entry_text(known, FACT_DEFAULT_WCKEY) : NULL;
	if (!is || !among(keys, is, &r->s->arena))
		is = arena_strndup(&r->s->arena, keys, strcspn(keys, ","));
	entry_tell(e, f, is, &r->s->arena);
	return 0;
}

static int check_coordinator(struct roster_reading *r, const struct entry *e)
{
	const char *list = entry_text(e, FACT_COORDINATOR);
	struct strv accounts = {0};

	if (list)
		strv_split(&accounts, &r->s->arena, list);
	for (size_t i = 0; i < accounts.n; i++)
		if (!roster_find(r->s, r->file, ROSTER_ACCOUNT, accounts.v[i],
			    "", ""))
			return roster_bad(r->s, e->line,
				"user %s: Coordinator of '%s', which is no "
				"account of the file",
				e->name, accounts.v[i]);
	return 0;
}

static int read_user_facts(struct roster_reading *r, const struct tree *users)
{
	const struct entry_list *list = &r->file->of[ROSTER_USER];

	if (users && need_map(r, users, "'users'"))
		return -1;
	for (const struct tree *t = users ? users->first : NULL; t; t = t->next)
		if (read_user(r, t))
			return -1;
	for (size_t i = 0; i < list->n; i++)
		if (settle_account(r, list->v[i]) ||
			settle_wckey(r, list->v[i]) ||
			check_coordinator(r, list->v[i]))
			return -1;
	return 0;
}

/* ---- the file ------------------------------------------------------------*/

static const char *const top[] = {
	"cluster", "classification", "qos", "root", "accounts", "users", NULL};

static int check_top(struct roster_reading *r, const struct tree *tree)
{
	if (tree->kind != TREE_MAP)
		return roster_bad(r->s, tree->line,
			"this is no dump: 'cluster: NAME' "
			"is looked for");
	for (const struct tree *t = tree->first; t; t = t->next)
		if (!is_word(t->name, top))
			return roster_bad(r->s, t->line,
				"unknown key '%s': cluster, Classification, "
				"qos, root, accounts or users",
				t->name);
	return 0;
}

static int read_cluster(struct roster_reading *r, const struct tree *tree)
{
	const struct tree *cluster = tree_find(tree, "cluster");
	const struct tree *class = tree_find(tree, "classification");
	struct entry *e;

	if (!cluster || cluster->kind != TREE_TEXT || !*cluster->text)
		return roster_bad(r->s, cluster ? cluster->line : 1,
			"which cluster is it? 'cluster: NAME' is missing");
	r->file->cluster = str_lower(&r->s->arena, cluster->text);
	if (cluster_key(r->s->store, r->file->cluster) <= 0)
		return roster_bad(r->s, cluster->line,
			"the file is for cluster '%s', which is not in this "
			"store",
			r->file->cluster);
	e = roster_add(r->s, r->file, ROSTER_CLUSTER, r->file->cluster, "", "");
	e->line = cluster->line;
	r->file->has[ROSTER_CLUSTER] = true;
	return class ? read_fact(r, e, class) : 0;
}

static int read_root(struct roster_reading *r, const struct tree *root)
{
	struct tree named;

	if (!root)
		return 0;
	named = *root;
	named.name = "root";
	return read_account(r, &named, NULL);
}

static int read_tree(struct roster_reading *r, const struct tree *tree)
{
	const struct tree *qos = tree_find(tree, "qos");
	const struct tree *accounts = tree_find(tree, "accounts");
	const struct tree *users = tree_find(tree, "users");

	r->file->has[ROSTER_QOS] = qos != NULL;
	r->file->has[ROSTER_ACCOUNT] = accounts != NULL;
	r->file->has[ROSTER_ROW] = accounts != NULL;
	r->file->has[ROSTER_USER] = users != NULL;
	return know_qos(r, qos) || read_qos(r, qos) ||
			       read_root(r, tree_find(tree, "root")) ||
			       read_accounts(r, accounts, "root") ||
			       read_user_facts(r, users)
		       ? -1
		       : 0;
}

int roster_read(struct session *s, const char *text, size_t size,
	struct roster *store, struct roster *file)
{
	struct roster_reading r = {.s = s, .store = store, .file = file};
	struct tree *tree;

	*store = *file = (struct roster){0};
	if (tree_read(text, size, &s->arena, &tree, &s->err) ||
		check_top(&r, tree) || read_cluster(&r, tree) ||
		roster_load(s, file->cluster, store))
		return -1;
	return read_tree(&r, tree);
}

/* ---- writing -------------------------------------------------------------*/

static bool is_number(const struct told *t)
{
	return t->fact->type == FACT_MEMBER &&
	       t->fact->member->set->type != ATTR_TEXT &&
	       t->fact->member->set->type != ATTR_TEXT_CASE &&
	       t->fact->member->set->type != ATTR_QOS &&
	       t->fact->member->set->type != ATTR_QOS_LIST &&
	       t->text[strspn(t->text, "0123456789.")] == '\0';
}

static void write_facts(
	struct session *s, struct tree *map, const struct entry *e)
{
	for (size_t i = 0; i < e->n; i++) {
		const struct told *t = &e->v[i];
		const char *given = roster_default(t->fact, e, &s->arena);

		if (t->fact->type != FACT_PARENT &&
			(!given || strcmp(given, t->text) != 0))
			tree_add_text(map, t->fact->name, t->text,
				is_number(t), &s->arena);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_account(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;
	int rc = strcmp((*x)->account, (*y)->account);

	rc = rc ? rc : strcmp((*x)->name, (*y)->name);
	return rc ? rc : strcmp((*x)->partition, (*y)->partition);
}

static const char *parent_of(const struct entry *e)
{
	const char *parent = entry_text(e, FACT_PARENT);

	return parent ? parent : "";
}

static int by_parent(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;
	int rc = strcmp(parent_of(*x), parent_of(*y));

	return rc ? rc : strcmp((*x)->name, (*y)->name);
}

static struct entry_list sorted(struct session *s, const struct entry_list *list,
	int (*order)(const void *, const void *))
{
	struct entry_list copy = {.n = list->n};

	copy.v = arena_array(&s->arena, list->n + 1, sizeof(*copy.v));
	for (size_t i = 0; i < list->n; i++)
		copy.v[i] = list->v[i];
	if (copy.n)
		qsort(copy.v, copy.n, sizeof(*copy.v), order);
	return copy;
}

struct writing {
	struct session *s;
	struct entry_list rows, accounts; /* by account; by parent */
};

/* The first of a sorted list whose `of` is the name, or what follows it. */
static size_t first_of(const struct entry_list *list, const char *name,
	bool parents)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct entry *e = list->v[mid];

		if (strcmp(parents ? parent_of(e) : e->account, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The rows of one user in an account, from row `i` on; how many. */
static size_t write_user(struct writing *w, struct tree *users, size_t i)
{
	const struct entry *first = w->rows.v[i];
	struct tree *user = tree_add_map(users, first->name, &w->s->arena);
	struct tree *partitions;
	size_t n = 1;

	while (i + n < w->rows.n &&
		!strcmp(w->rows.v[i + n]->name, first->name) &&
		!strcmp(w->rows.v[i + n]->account, first->account))
		n++;
	if (n == 1 && !*first->partition) {
		write_facts(w->s, user, first);
		return n;
	}
	partitions = tree_add_map(user, *row_parts, &w->s->arena);
	for (size_t k = i; k < i + n; k++) {
		const struct entry *row = w->rows.v[k];

		write_facts(w->s,
			tree_add_map(partitions, row->partition, &w->s->arena),
			row);
	}
	return n;
}

static void write_rows(struct writing *w, struct tree *at, const char *account)
{
	size_t i = first_of(&w->rows, account, false);
	struct tree *users;

	if (i == w->rows.n || strcmp(w->rows.v[i]->account, account) != 0)
		return;
	users = tree_add_map(at, "users", &w->s->arena);
	while (i < w->rows.n && !strcmp(w->rows.v[i]->account, account))
		i += write_user(w, users, i);
}

/* What is below the account: users, then accounts (root's into `below`). */
static void write_account(struct writing *w, const struct entry *e,
	struct tree *at, struct tree *below)
{
	size_t i = first_of(&w->accounts, e->name, true);

	write_facts(w->s, at, e);
	write_rows(w, at, e->name);
	for (; i < w->accounts.n; i++) {
		const struct entry *child = w->accounts.v[i];

		if (strcmp(parent_of(child), e->name) != 0)
			return;
		if (!below)
			below = tree_add_map(at, "accounts", &w->s->arena);
		write_account(w, child,
			tree_add_map(below, child->name, &w->s->arena), NULL);
	}
}

/* Left out when obvious: the only account is the default. */
static bool is_told(const struct entry *e, const struct told *t)
{
	const char *keys;

	if (t->fact->type == FACT_DEFAULT_ACCOUNT)
		return e->several || strcmp(e->first, t->text) != 0;
	if (t->fact->type != FACT_DEFAULT_WCKEY)
		return true;
	keys = entry_text(e, FACT_WCKEYS);
	return !keys || strcmp(keys, t->text) != 0;
}

static void write_users(struct session *s, const struct roster *r,
	const struct entry_list *list, struct tree *whole)
{
	struct tree *users = tree_add_map(whole, "users", &s->arena);

	for (size_t i = 0; i < list->n; i++) {
		const struct entry *e = list->v[i];
		struct tree *user = NULL;

		for (size_t k = 0; k < e->n; k++) {
			const char *text = e->v[k].text;

			if (e->v[k].fact->type == FACT_COORDINATOR)
				text = roster_coordinated(s, text, r, r);
			if (!text || !e->first || !is_told(e, &e->v[k]))
				continue;
			if (!user)
				user = tree_add_map(users, e->name, &s->arena);
			tree_add_text(user, e->v[k].fact->name, text, false,
				&s->arena);
		}
	}
}

const struct tree *roster_document(struct session *s, struct roster *r)
{
	struct tree *tree = arena_alloc(&s->arena, sizeof(*tree));
	struct writing w = {.s = s};
	struct tree *qos, *root;
	struct entry_list list = sorted(s, &r->of[ROSTER_QOS], by_name);

	w.rows = sorted(s, &r->of[ROSTER_ROW], by_account);
	w.accounts = sorted(s, &r->of[ROSTER_ACCOUNT], by_parent);
	*tree = (struct tree){.kind = TREE_MAP};
	tree_add_text(tree, "cluster", r->cluster, false, &s->arena);
	write_facts(s, tree, r->of[ROSTER_CLUSTER].v[0]);
	qos = tree_add_map(tree, "qos", &s->arena);
	for (size_t i = 0; i < list.n; i++)
		write_facts(s,
			tree_add_map(qos, list.v[i]->name, &s->arena),
			list.v[i]);
	root = tree_add_map(tree, "root", &s->arena);
	if (w.accounts.n)
		write_account(&w, w.accounts.v[0], root,
			tree_add_map(tree, "accounts", &s->arena));
	list = sorted(s, &r->of[ROSTER_USER], by_name);
	write_users(s, r, &list, tree);
	return tree;
}
