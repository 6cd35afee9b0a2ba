/*
 * `dump`: a cluster as a flat file (spec/sacctmgr.md 6.1), or as YAML or JSON
 * for `diff` and `apply` (db/change/roster.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/sacctmgr/flatfile.h"
#include "common/base/memory.h"
#include "common/base/numbers.h"
#include "common/base/outfile.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/change/roster.h"

static const char preamble[] =
	"# To edit this file start with a cluster line for the new cluster\n"
	"# Cluster - 'cluster_name':MaxTRESPerJob=node=50\n"
	"# Followed by Accounts you want in this fashion (root is created by "
	"default)...\n"
	"# Parent - 'root'\n"
	"# Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:"
	"MaxTRESMinsPerJob=cpu=20:FairShare=399:MaxWallDurationPerJob=40:"
	"Description='Computer Science':Organization='LC'\n"
	"# Any of the options after a ':' can be left out and they can be in "
	"any order.\n"
	"# If you want to add any sub accounts just list the Parent THAT HAS "
	"ALREADY\n"
	"# BEEN CREATED before the account line in this fashion...\n"
	"# Parent - 'cs'\n"
	"# Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:"
	"MaxTRESMinsPerJob=cpu=1:FairShare=1:MaxWallDurationPerJob=1:"
	"Description='Test Account':Organization='Test'\n"
	"# To add users to a account add a line like this after a Parent - "
	"'line'\n"
	"# User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:"
	"MaxTRESMinsPerJob=cpu=4:FairShare=1:MaxWallDurationPerJob=1\n";

enum format { FORMAT_FLAT, FORMAT_YAML, FORMAT_JSON, FORMATS };

static const char *const formats[FORMATS] = {"flat", "yaml", "json"};
static const char *const endings[FORMATS] = {"cfg", "yaml", "json"};

struct dump {
	struct session *s;
	enum format format;
	FILE *file;
	const char *cluster, *path;
	struct assoc_list rows;	   /* of the cluster, own values */
	struct account_list accounts;
	struct user_list users;
	struct wckey_list wckeys;
	struct coordinator_list coordinators;
	const struct member **assoc_order; /* in_order(), once asked for */
};

/* ---- values --------------------------------------------------------------*/

static void put_text(FILE *out, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	fprintf(out, ":%s=", key);
	flat_quote(out, value);
}

static uint32_t number_at(const void *record, const struct member *attr)
{
	uint32_t n;

	memcpy(&n, (const char *)record + attr->offset, sizeof(n));
	return n;
}

static double real_at(const void *record, const struct member *attr)
{
	double n;

	memcpy(&n, (const char *)record + attr->offset, sizeof(n));
	return n;
}

/* Values a new record (`blank`) has anyway are left out, but for shares. */
static bool is_given(
	const void *record, const void *blank, const struct member *attr)
{
	uint32_t n;

	if (attr->set->type == ATTR_REAL) {
		double real = real_at(record, attr);

		return real != (double)INFINITE && real != real_at(blank, attr);
	}
	n = number_at(record, attr);
	if (n == INFINITE || n == NO_VAL)
		return false;
	return attr->set->type == ATTR_SHARES || n != number_at(blank, attr);
}

static void put_tres(
	struct dump *d, const void *record, const struct member *attr)
{
	const struct tres_list *list =
		(const void *)((const char *)record + attr->offset);

	if (list->n)
		fprintf(d->file, ":%s=%s", set_dump(attr->set),
			tres_list_format(
				list, &d->s->store->tres, 0, &d->s->arena));
}

static void put_attr(struct dump *d, const void *record, const void *blank,
	const struct member *attr)
{
	const char *text;

	switch (attr->set->type) {
	case ATTR_TRES:
		put_tres(d, record, attr);
		return;
	case ATTR_TEXT:
		memcpy(&text, (const char *)record + attr->offset,
			sizeof(text));
		put_text(d->file, set_dump(attr->set), text);
		return;
	case ATTR_REAL:
		if (is_given(record, blank, attr))
			fprintf(d->file, ":%s=%f", set_dump(attr->set),
				real_at(record, attr));
		return;
	default:
		if (is_given(record, blank, attr))
			fprintf(d->file, ":%s=%u", set_dump(attr->set),
				number_at(record, attr));
	}
}

/* Those that stand in the file, in its order; NULL behind the last. */
static const struct member **in_order(
	const struct members *members, struct arena *arena)
{
	const struct member **v =
		arena_array(arena, members->n + 1, sizeof(*v));
	size_t n = 0;

	for (int order = 1; order <= (int)members->n; order++)
		for (size_t i = 0; i < members->n; i++) {
			const struct member *m = &members->v[i];

			if (m->set && m->set->dump_order == order)
				v[n++] = m;
		}
	return v;
}

static void put_attrs(struct dump *d, const struct member **order,
	const void *record, const void *blank,
	bool (*special)(struct dump *, const void *, const struct member *))
{
	for (; *order; order++)
		if (!special(d, record, *order))
			put_attr(d, record, blank, *order);
}

/* ---- lines ---------------------------------------------------------------*/

static bool qos_special(
	struct dump *d, const void *record, const struct member *attr)
{
	const struct qos *qos = record;

	if (attr == qos_attr(flags))
		put_text(d->file, set_dump(attr->set), qos->flags_text);
	else if (attr == qos_attr(preempt))
		put_text(d->file, set_dump(attr->set), qos->preempt_text);
	else if (attr == qos_attr(preempt_mode))
		put_text(d->file, set_dump(attr->set),
			qos->preempt_mode & ~(uint32_t)PREEMPT_CLUSTER
				? qos->preempt_mode_text
				: "");
	else
		return false;
	return true;
}

static const char *sorted_qos(struct dump *d, const struct assoc *assoc)
{
	struct strv names = {0};

	for (size_t i = 0; i < assoc->qos_names.n; i++)
		strv_push(&names, &d->s->arena, assoc->qos_names.v[i]);
	strv_sort(&names);
	return strv_join(&names, ",", &d->s->arena);
}

static bool assoc_special(
	struct dump *d, const void *record, const struct member *attr)
{
	const struct assoc *assoc = record;

	/* asked for every member of every row: not assoc_attr(), which looks
	 * through all */
	if (attr->offset == offsetof(struct assoc, own_qos))
		put_text(d->file, set_dump(attr->set), sorted_qos(d, assoc));
	else if (attr->offset == offsetof(struct assoc, def_qos_id))
		put_text(d->file, set_dump(attr->set), assoc->def_qos);
	else
		return false;
	return true;
}

static void put_limits(struct dump *d, const struct assoc *assoc)
{
	struct assoc blank;

	assoc_init(&blank);
	if (!d->assoc_order)
		d->assoc_order = in_order(&assoc_members, &d->s->arena);
	put_attrs(d, d->assoc_order, assoc, &blank, assoc_special);
}

static void put_cluster(struct dump *d)
{
	struct cluster_cond cond = {0};
	struct cluster_list list;

	fputs("Cluster - ", d->file);
	flat_quote(d->file, d->cluster);
	strv_push(&cond.names, &d->s->arena, d->cluster);
	if (cluster_list(d->s->store, &cond, &d->s->arena, &list) == 0 &&
		list.n)
		put_text(d->file, "Classification",
			list.v[0].classification_text);
	for (size_t i = 0; i < d->rows.n; i++)
		if (assoc_is_root(d->rows.v[i]))
			put_limits(d, d->rows.v[i]);
	fputc('\n', d->file);
}

static int put_qos(struct dump *d)
{
	struct qos_cond cond = {0};
	struct qos_list list;
	const struct member **order = in_order(&qos_members, &d->s->arena);
	struct qos blank;

	qos_init(&blank);
	if (qos_list(d->s->store, &cond, &d->s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++) {
		fputs("QOS - ", d->file);
		flat_quote(d->file, list.v[i]->name);
		put_attrs(d, order, list.v[i], &blank, qos_special);
		fputc('\n', d->file);
	}
	return 0;
}

static void put_account(struct dump *d, const struct assoc *row)
{
	fputs("Account - ", d->file);
	flat_quote(d->file, row->account);
	for (size_t i = 0; i < d->accounts.n; i++)
		if (!strcmp(d->accounts.v[i].name, row->account)) {
			put_text(d->file, "Description",
				d->accounts.v[i].description);
			put_text(d->file, "Organization",
				d->accounts.v[i].organization);
		}
	put_limits(d, row);
	fputc('\n', d->file);
}

static const char *wckeys_of(struct dump *d, const char *user)
{
	struct strv names = {0};

	for (size_t i = 0; i < d->wckeys.n; i++)
		if (!strcasecmp(d->wckeys.v[i].user, user))
			strv_push(&names, &d->s->arena, d->wckeys.v[i].name);
	return strv_join(&names, ",", &d->s->arena);
}

static const char *coordinated_by(struct dump *d, const char *user)
{
	struct strv names = {0};

	for (size_t i = 0; i < d->coordinators.n; i++)
		if (!strcasecmp(d->coordinators.v[i].user, user))
			strv_push(&names, &d->s->arena,
				d->coordinators.v[i].account);
	return strv_join(&names, ",", &d->s->arena);
}

static int compare_users(const void *a, const void *b)
{
	return strcmp(((const struct user *)a)->name,
		((const struct user *)b)->name);
}

static const struct user *find_user(const struct dump *d, const char *name)
{
	const struct user key = {.name = name};

	return bsearch(&key, d->users.v, d->users.n, sizeof(*d->users.v),
		compare_users);
}

static void put_user(struct dump *d, const struct assoc *row)
{
	const struct user *user = find_user(d, row->user);

	fputs("User - ", d->file);
	flat_quote(d->file, row->user);
	put_text(d->file, "Partition", row->partition);
	if (user) {
		put_text(d->file, "DefaultAccount", user->default_account);
		put_text(d->file, "DefaultWCKey", user->default_wckey);
		if (user->admin_level > ADMIN_NONE)
			put_text(d->file, "AdminLevel", user->admin_text);
	}
	put_text(d->file, "Coordinator", coordinated_by(d, row->user));
	put_text(d->file, "WCKeys", wckeys_of(d, row->user));
	put_text(d->file, "Comment", row->comment);
	put_limits(d, row);
	fputc('\n', d->file);
}

/* The children of the account in row `top`, users first. Rows are in lineage
 * order: what is below an account follows it, and children come sorted. */
static void put_block(struct dump *d, size_t top)
{
	const struct assoc *parent = d->rows.v[top];
	size_t len = strlen(parent->lineage);
	bool any = false;

	for (int accounts = 0; accounts < 2; accounts++)
		for (size_t i = top + 1; i < d->rows.n; i++) {
			const struct assoc *row = d->rows.v[i];

			if (strncmp(row->lineage, parent->lineage, len))
				break;
			if (row->parent_key != parent->key ||
				(*row->user == '\0') != (accounts == 1))
				continue;
			if (!any) {
				fputs("Parent - ", d->file);
				flat_quote(d->file, parent->account);
				fputc('\n', d->file);
			}
			any = true;
			if (accounts)
				put_account(d, row);
			else
				put_user(d, row);
		}
}

/* ---- the file ------------------------------------------------------------*/

static int load_all(struct dump *d)
{
	struct session *s = d->s;
	struct assoc_cond rows = {.without_limits = true, .raw_qos = true};
	struct account_cond accounts = {0};
	struct user_cond users = {0};
	struct wckey_cond wckeys = {0};
	struct strv none = {0};

	strv_push(&rows.clusters, &s->arena, d->cluster);
	users.clusters = wckeys.clusters = rows.clusters;
	if (user_list(s->store, &users, &s->arena, &d->users))
		return -1;
	if (d->users.n)
		qsort(d->users.v, d->users.n, sizeof(*d->users.v),
			compare_users);
	return assoc_list(s->store, &rows, &s->arena, &d->rows) ||
			account_list(s->store, &accounts, &s->arena,
				&d->accounts) ||
			wckey_list(s->store, &wckeys, &s->arena, &d->wckeys) ||
			coordinator_list(s->store, &none, &none, &s->arena,
				&d->coordinators)
		? -1
		: 0;
}

/* Every line written is told on standard error too: QOS and cluster lines as
 * one message, the others one by one. */
static void log_lines(struct dump *d, const char *text, size_t head)
{
	if (options(d->s)->quiet)
		return;
	fprintf(stderr, "%s: %.*s", cli_name(), (int)head, text);
	for (text += head; *text;) {
		int n = (int)strcspn(text, "\n");

		fprintf(stderr, "%s: %.*s\n", cli_name(), n, text);
		text += n + 1;
	}
}

static int write_file(struct dump *d, const char *text)
{
	struct outfile out;
	struct err err;

	if (outfile_open(&out, d->path, OUTFILE_REPLACE, &err)) {
		complain(d->s, "Can't open file %s, %s", d->path,
			strerror(errno));
		return -1;
	}
	fprintf(out.file, "%s%s", preamble, text);
	if (outfile_close(&out, &err)) {
		complain(d->s, "Can't write file %s, %s", d->path,
			strerror(errno));
		return -1;
	}
	return 0;
}

static int dump_cluster(struct dump *d)
{
	char *text = NULL;
	size_t size = 0, head;
	int rc;

	if (load_all(d)) {
		complain_err(d->s);
		return -1;
	}
	d->file = memory_stream(&text, &size);
	if (put_qos(d)) {
		complain_err(d->s);
		fclose(d->file);
		free(text);
		return -1;
	}
	put_cluster(d);
	fflush(d->file);
	head = size;
	for (size_t i = 0; i < d->rows.n; i++)
		if (!*d->rows.v[i]->user)
			put_block(d, i);
	fclose(d->file);
	rc = write_file(d, text);
	if (!rc)
		log_lines(d, text, head);
	free(text);
	return rc;
}

static bool may_dump(struct session *s)
{
	int known = user_exists(s->store, s->site.caller.name);

	if (!s->site.caller.super && known == 0) {
		complain(s,
			" Your uid (%u) is not in the accounting system, can't "
			"dump cluster.",
			(unsigned)s->site.caller.uid);
		return false;
	}
	if (is_administrator(s))
		return true;
	complain(s, " Your user does not have sufficient privileges to dump "
		    "clusters.");
	return false;
}

/* ---- YAML and JSON -------------------------------------------------------*/

static int write_tree(struct dump *d, const struct tree *tree)
{
	bool json = d->format == FORMAT_JSON;
	struct outfile out;
	struct err err;

	if (!strcmp(d->path, "-")) {
		tree_write(output(d->s), tree, json);
		return 0;
	}
	if (outfile_open(&out, d->path, OUTFILE_REPLACE, &err)) {
		complain(d->s, "%s", err.text);
		return -1;
	}
	tree_write(out.file, tree, json);
	if (outfile_close(&out, &err)) {
		complain(d->s, "%s", err.text);
		return -1;
	}
	return 0;
}

static int dump_roster(struct dump *d)
{
	struct roster roster;
	int rc = roster_load(d->s, d->cluster, &roster);

	if (rc)
		complain_err(d->s);
	else
		rc = write_tree(d, roster_document(d->s, &roster));
	roster_release(&roster);
	return rc;
}

/* ---- words ---------------------------------------------------------------*/

static void take_format(struct dump *d, const char *value)
{
	for (int i = 0; i < FORMATS; i++)
		if (!strcasecmp(value, formats[i])) {
			d->format = (enum format)i;
			return;
		}
	d->format = FORMATS;
	complain(d->s, " Unknown format '%s': flat, yaml or json", value);
}

static void take_word(struct dump *d, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&d->s->arena, word.value);
	bool bare = word.op == OP_NONE;

	if (bare || words_match("Cluster:1", text, word.name_len)) {
		if (d->cluster)
			complain(d->s,
				" Can only do one cluster at a time.  Already "
				"doing %s",
				d->cluster);
		else
			d->cluster = str_lower(&d->s->arena, value);
	} else if (words_match("Format:2", text, word.name_len)) {
		take_format(d, value);
	} else if (words_match("File:1", text, word.name_len)) {
		if (d->path)
			complain(d->s, " File name already set to %s", d->path);
		else
			d->path = value;
	} else {
		complain(d->s, " Unknown option: %s", text);
	}
}

int dump_command(struct session *s, char **words, int n)
{
	struct dump d = {.s = s};

	if (!may_dump(s))
		return -1;
	for (int i = 0; i < n; i++)
		take_word(&d, words[i]);
	if (d.format == FORMATS)
		return -1;
	if (!d.cluster || !*d.cluster) {
		complain(s, " We need a cluster to dump.");
		return -1;
	}
	if (cluster_key(s->store, d.cluster) <= 0) {
		complain(s, " Cluster %s doesn't exist.", d.cluster);
		return -1;
	}
	if (!d.path) {
		d.path = arena_printf(&s->arena, "./%s.%s", d.cluster,
			endings[d.format]);
		fprintf(output(s), " No filename given, using %s.\n", d.path);
	}
	return d.format == FORMAT_FLAT ? dump_cluster(&d) : dump_roster(&d);
}
