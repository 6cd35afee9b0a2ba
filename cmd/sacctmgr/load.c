/*
 * `load`: a flat file into the store, all of it or nothing (Slurm's
 * src/sacctmgr/file_functions.c). What it says shall be there at least; what it
 * does not say stays.
 */
#include "cmd/sacctmgr/loading.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/infile.h"
#include "common/base/numbers.h"
#include "common/base/stopwatch.h"
#include "common/base/utf8.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/change/operations.h"

/* ---- what is wrong with the file -----------------------------------------*/

/* Tells what is wrong; in which line becomes the complaint. */
static int bad_line(struct session *s, const struct flat_line *line)
{
	complain_err(s);
	return err_usage(&s->err, ERR_PLACED, "%s Problem with line(%d)",
		line->kind == FLAT_CLUSTER ? " error:" : "", line->number);
}

static int bad_option(struct session *s, const struct flat_line *line,
	const char *what, const char *word, const char *more)
{
	err_set(&s->err, ERR_USAGE, " %s%s%s", what, word, more);
	return bad_line(s, line);
}

static int bad_value(
	struct session *s, const struct flat_line *line, const char *word)
{
	if (line->kind == FLAT_QOS || s->err.code == ERR_NO_QOS)
		return bad_line(s, line);
	complain_err(s);
	return bad_option(s, line, "Unknown option: ", word, "");
}

/* In Slurm's words. */
static int bad_file(struct flat_part *part, enum flat_fault fault,
	const struct flat_line *line, const char *word, const char *name)
{
	struct session *s = part->s;
	struct err *err = &s->err;

	((struct loading *)part)->wrong = line->kind;
	switch (fault) {
	case FLAT_NOTHING:
		return -1;
	case FLAT_OPEN_QUOTE:
		return err_usage(err, ERR_FATAL,
			"sacctmgr: fatal: There is a problem with option %s "
			"with quotes.",
			word);
	case FLAT_NO_NAME:
		return bad_option(s, line, "No name given", "", "");
	case FLAT_BAD_VALUE:
		return bad_value(s, line, word);
	case FLAT_NO_EQUALS:
		return bad_option(s, line, "Bad format on ", word,
			": End your option with an '=' sign");
	case FLAT_UNKNOWN_OPTION:
		return bad_option(s, line, "Unknown option: ", word, "");
	case FLAT_BELOW_ITSELF:
		err_set(err, ERR_USAGE,
			" Account %s can't be below %s, which is below it",
			name, word);
		return bad_line(s, line);
	case FLAT_BAD_PROPERTY:
		*err->text = (char)toupper((unsigned char)*err->text);
		return bad_line(s, line);
	case FLAT_UNKNOWN_KEYWORD:
		return err_usage(err, ERR_PLACED, " Misformatted line(%d): %s",
			line->number, line->text);
	case FLAT_LATE_QOS:
		return err_usage(err, ERR_PLACED,
			" You need to specify all QOS before the "
			"'Cluster - $NAME' in your file");
	case FLAT_SECOND_QOS:
		return err_usage(err, ERR_PLACED,
			" Problem with line(%d). QOS '%s' has multiple "
			"entries. Remove one to continue.",
			line->number, word);
	case FLAT_SECOND_CLUSTER:
		return err_usage(err, ERR_PLACED,
			" You can only add one cluster at a time.");
	case FLAT_NO_CLUSTER:
		return err_usage(err, ERR_MISPLACED,
			" You need to specify a cluster name first with "
			"'Cluster - $NAME' in your file");
	case FLAT_NO_PARENT:
		return err_usage(err, ERR_MISPLACED,
			" line(%d) You need to add this parent (%s) as a child "
			"before you can add children to it.",
			line->number, word);
	default:
		return bad_line(s, line);
	}
}

/* Files that name no cluster, or a parent that is not there, are told so
 * without more ado. */
static enum plan_result refused(struct loading *l)
{
	struct session *s = l->part.s;
	bool plain = s->err.code == ERR_MISPLACED;

	if (plain)
		fputs(" Nothing new added.\n", output(s));
	if (s->err.code == ERR_FATAL) {
		complain(s, "%s", s->err.text);
		return PLAN_FAILED;
	}
	complain_err(s);
	if (!plain)
		complain(s, " Problem with requests: Unspecified error");
	return PLAN_FAILED;
}

/* ---- the cluster ---------------------------------------------------------*/

/* What `clean` takes away. Root and the caller stay. */
static int take_away(struct loading *l, const char *cluster)
{
	struct session *s = l->part.s;
	struct qos_cond cond = {0};
	struct qos_list list;

	if (cluster_key(s->store, cluster) > 0 &&
		cluster_remove(s->store, cluster, &s->arena))
		return -1;
	if (l->clean_accounts && account_remove_all(s->store))
		return -1;
	if (l->clean_users &&
		user_remove_all(s->store, s->site.caller.name))
		return -1;
	if (!l->clean_qos)
		return 0;
	if (qos_list(s->store, &cond, &s->arena, &list))
		return -1;
	for (size_t i = 0; i < list.n; i++)
		if (qos_remove(s->store, list.v[i]))
			return -1;
	return 0;
}

/* The roster of the store anew; what users had by default stays known. */
static int load_again(struct loading *l, const char *cluster, bool users)
{
	static const enum property_type kept[] = {
		PROPERTY_DEFAULT_ACCOUNT, PROPERTY_DEFAULT_WCKEY};
	struct session *s = l->part.s;
	struct roster before = l->part.store;
	const struct entry_list *list = &before.of[ROSTER_USER];
	int rc = roster_load_all(s, cluster, &l->part.store);

	for (size_t i = 0; !rc && users && i < list->n; i++) {
		struct entry *e = roster_find(
			&l->part.store, ROSTER_USER, list->v[i]->name);

		for (size_t k = 0; e && k < 2; k++)
			entry_set_of(e, kept[k],
				entry_text(list->v[i], kept[k]), &s->arena);
	}
	roster_release(&before);
	return rc;
}

/* Users as they are before anything is taken away. */
static int begin(struct flat_part *part, const char *cluster)
{
	struct loading *l = (struct loading *)part;

	if (roster_load_all(part->s, cluster, &part->store))
		return -1;
	if (l->clean && (take_away(l, cluster) ||
				load_again(l, cluster, !l->clean_users)))
		return -1;
	l->new_cluster = cluster_key(part->s->store, cluster) <= 0;
	return 0;
}

/* From here on users have what is there: after `clean` no default account. */
static void forget_defaults(struct loading *l)
{
	const struct entry_list *users = &l->part.store.of[ROSTER_USER];

	for (size_t i = 0; l->clean && i < users->n; i++)
		entry_set_of(users->v[i], PROPERTY_DEFAULT_ACCOUNT, NULL,
			&l->part.s->arena);
}

static int add_cluster(struct loading *l)
{
	struct session *s = l->part.s;
	const struct roster *file = &l->part.file;
	const struct entry *root = roster_find(file, ROSTER_ACCOUNT, "root");
	const char *class = entry_text(
		file->of[ROSTER_CLUSTER].v[0], PROPERTY_CLASSIFICATION);
	const struct cluster_values values = {
		.classification = class ? cluster_classification(
						  str_lower(&s->arena, class))
					: NO_VAL,
		.fed_state = NO_VAL,
	};
	struct settings set = {0};

	if (root && entry_settings(s, root, &set))
		return -1;
	return cluster_add(s->store, file->cluster, &set, &s->arena) ||
			       cluster_set(s->store, file->cluster, &values) ||
			       load_again(l, file->cluster, true)
		       ? -1
		       : 0;
}

/* ---- default accounts ----------------------------------------------------*/

/* A user for whom the file wants a default account without an association
 * there. */
struct homeless {
	const struct entry *user;
	const char *wanted;
};

struct homeless_list {
	struct homeless *v;
	size_t n, cap;
};

static int has_row(struct loading *l, const struct entry *user)
{
	struct session *s = l->part.s;
	const char *wanted = entry_text(user, PROPERTY_DEFAULT_ACCOUNT),
		   *ignored;

	if (entry_has_row(user, wanted))
		return 1;
	return user->seen ? assoc_first_account(s->store, l->part.file.cluster,
				    user->name, wanted, &s->arena, &ignored)
			  : 0;
}

/* Such a default is no change that could be made: the old one stays. */
static int keep_default(struct loading *l, struct entry *user,
	struct homeless_list *homeless)
{
	struct session *s = l->part.s;
	const struct property *f =
		roster_property_of(ROSTER_USER, PROPERTY_DEFAULT_ACCOUNT);
	const char *current = "";
	int found = has_row(l, user);

	if (found)
		return found < 0 ? -1 : 0;
	*ARENA_PUSH(&s->arena, homeless->v, homeless->n, homeless->cap) =
		(struct homeless){user, entry_text_of(user, f)};
	if (user_default_account(s->store, l->part.file.cluster, user->name,
		    &s->arena, &current))
		return -1;
	entry_set(user, f, current, &s->arena);
	return 0;
}

/* Has the user the key, or gets it? */
static bool has_key(
	struct loading *l, const struct entry *user, const char *key)
{
	struct session *s = l->part.s;
	const struct entry *old =
		roster_find(&l->part.store, ROSTER_USER, user->name);

	return roster_among(s, entry_text(user, PROPERTY_WCKEYS), key) ||
	       (old && roster_among(s, entry_text(old, PROPERTY_WCKEYS), key));
}

/* Leaves defaults that cannot be made out of what is to be done. */
static int check_defaults(struct loading *l, struct difference *d,
	struct homeless_list *homeless)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct changed_property c = d->v[i];

		if (c.property->type == PROPERTY_DEFAULT_WCKEY &&
			!has_key(l, d->entry, c.is))
			continue;
		if (c.property->type == PROPERTY_DEFAULT_ACCOUNT) {
			if (keep_default(l, d->entry, homeless))
				return -1;
			if (entry_text_of(d->entry, c.property) != c.is)
				continue;
		}
		d->v[kept++] = c;
	}
	d->n = (uint32_t)kept;
	return 0;
}

/* After `clean` users have lost it who still are there. */
static int keep_defaults(struct loading *l, struct homeless_list *homeless)
{
	const struct entry_list *users = &l->part.file.of[ROSTER_USER];
	const char *wanted;

	for (size_t i = 0; i < l->rest.n; i++)
		if (l->rest.v[i].entry->kind == ROSTER_USER &&
			check_defaults(l, &l->rest.v[i], homeless))
			return -1;
	for (size_t i = 0; i < users->n; i++) {
		wanted = entry_text(users->v[i], PROPERTY_DEFAULT_ACCOUNT);
		if ((!users->v[i]->seen || l->clean) && wanted && *wanted &&
			keep_default(l, users->v[i], homeless))
			return -1;
	}
	return 0;
}

/* Whom the file says no default of keeps that there is, or gets one. */
static int give_defaults(struct loading *l)
{
	const struct entry_list *users = &l->part.file.of[ROSTER_USER];
	const char *ignored;

	for (size_t i = 0; i < users->n; i++)
		if (!entry_text(users->v[i], PROPERTY_DEFAULT_ACCOUNT) &&
			op_give_default(l->part.s, l->part.file.cluster,
				users->v[i]->name, &ignored))
			return -1;
	return 0;
}

/* A user without a default account gets that of the first association. */
static int stand_in_default(struct loading *l, const struct homeless *h)
{
	struct session *s = l->part.s;
	const char *cluster = l->part.file.cluster, *user = h->user->name;
	const char *current = entry_text(h->user, PROPERTY_DEFAULT_ACCOUNT);
	const char *first;

	if (op_give_default(s, cluster, user, &first))
		return -1;
	fprintf(output(s),
		" User %s has no association with the default account %s on "
		"cluster %s: ",
		user, h->wanted, cluster);
	if (!*first)
		fputs("no default account\n", output(s));
	else
		fprintf(output(s), "it %s %s\n",
			*current ? "stays" : "becomes",
			utf8_visible(&s->arena, first));
	return 0;
}

/* ---- the plan ------------------------------------------------------------*/

static void start_over(struct loading *l)
{
	roster_release(&l->part.store);
	roster_release(&l->part.file);
	l->part.cluster_read = l->part.no_parent = false;
	l->qos = l->rest = (struct differences){0};
}

static int apply(struct loading *l, struct roster *file,
	const struct differences *all)
{
	struct session *s = l->part.s;
	struct strv lost;

	if (!all->n || !roster_apply(s, &l->part.store, file, all, &lost))
		return 0;
	return err_usage(&s->err, ERR_PLACED, " Problem with line(%d)",
		file->wrong);
}

/* QOS before all that may have them. */
static int make_qos(struct loading *l)
{
	struct roster qos = l->part.file;

	for (int kind = 0; kind < ROSTER_KINDS; kind++)
		if (kind != ROSTER_QOS)
			qos.of[kind].n = 0;
	roster_compare(l->part.s, &l->part.store, &qos, false, &l->qos);
	return apply(l, &qos, &l->qos) ? -1 : load_tell_qos(l);
}

static int make_rest(struct loading *l, bool whole)
{
	struct roster rest = l->part.file;
	struct homeless_list homeless = {0};

	rest.of[ROSTER_QOS].n = 0;
	load_tell_cluster(l);
	if (l->new_cluster && add_cluster(l))
		return -1;
	roster_compare(l->part.s, &l->part.store, &rest, false, &l->rest);
	if (load_tell_changes(l))
		return -1;
	if (!whole)
		return 0;
	load_tell_new(l);
	forget_defaults(l);
	if (keep_defaults(l, &homeless) || apply(l, &rest, &l->rest) ||
		give_defaults(l))
		return -1;
	for (size_t i = 0; i < homeless.n; i++)
		if (stand_in_default(l, &homeless.v[i]))
			return -1;
	return 0;
}

/* What is told of a file that is wrong somewhere is told of the lines before. */
static int make(struct loading *l)
{
	struct session *s = l->part.s;
	int rc = flat_read_part(&l->part, l->text);
	struct err wrong = s->err;

	if (rc && (!l->part.file.cluster ||
			  (!l->part.cluster_read && l->wrong == FLAT_QOS)))
		return -1;
	if (!l->part.file.cluster)
		return 0;
	if (make_qos(l) || (l->part.cluster_read && make_rest(l, !rc)))
		return -1;
	s->err = wrong;
	return rc;
}

static enum plan_result plan_load(struct session *s, void *arg)
{
	struct loading *l = arg;
	int64_t began = stopwatch_usec();

	start_over(l);
	*s->err.text = '\0';
	if (make(l))
		return refused(l);
	if (!l->rest.n && !l->new_cluster) {
		fputs(" Nothing new added.\n", output(s));
		return l->qos.n ? PLAN_CHANGED : PLAN_NOTHING;
	}
	if (!options(s)->quiet)
		fprintf(stderr, "%s: Done adding cluster in usec=%" PRId64 "\n",
			cli_name(), stopwatch_usec() - began);
	return PLAN_CHANGED;
}

/* ---- words ---------------------------------------------------------------*/

static void clean_kinds(struct loading *l, const char *value)
{
	l->clean = true;
	l->clean_accounts |=
		strcasestr(value, "acct") || strcasestr(value, "account");
	l->clean_users |= strcasestr(value, "user") != NULL;
	l->clean_qos |= strcasestr(value, "qos") != NULL;
}

static void take_word(struct loading *l, const char **path, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&l->part.s->arena, word.value);

	if (words_match("clean:3", text, word.name_len)) {
		clean_kinds(l, word.op == OP_NONE ? "" : value);
	} else if (word.op == OP_NONE ||
		words_match("File:1", text, word.name_len)) {
		take_once(l->part.s, path, value, "File name already set to");
	} else if (words_match("Cluster:3", text, word.name_len)) {
		take_once(l->part.s, &l->part.cluster,
			str_lower(&l->part.s->arena, value), ONE_CLUSTER);
	} else {
		complain(l->part.s, " Unknown option: %s", text);
	}
}

static int check_clean(struct loading *l)
{
	struct strv clusters = {0};

	if (!l->clean)
		return 0;
	if (cluster_names(l->part.s->store, &l->part.s->arena, &clusters))
		return complain_err(l->part.s);
	if (clusters.n > 1 &&
		(l->clean_accounts || l->clean_users || l->clean_qos)) {
		return complain(l->part.s,
			" When doing a clean=account, user, and/or qos you "
			"must only have one cluster in the system.");
	}
	if (prompt(l->part.s,
		    "You requested to flush the cluster before adding it "
		    "again.\nIt is advised to not have your slurmctld running "
		    "while doing this operation.\nIf you have jobs running on "
		    "this cluster this operation will abort.\nAre you sure "
		    "you want to continue?"))
		return 0;
	fputs("Aborted\n Nothing new added.\n", output(l->part.s));
	return 1;
}

/* The report is the file's, not that of the operations. */
static int load_silently(struct loading *l)
{
	int rc;

	l->part.s->silent = true;
	rc = change_run(l->part.s, plan_load, l);
	l->part.s->silent = false;
	return rc;
}

int load_command(struct session *s, char **words, int n)
{
	struct loading l = {.part = {.s = s, .begin = begin, .fault = bad_file}};
	const char *path = NULL;
	size_t size;
	int rc;

	assoc_init(&l.blank);
	l.blank.shares_raw = NO_VAL;
	for (int i = 0; i < n; i++)
		take_word(&l, &path, words[i]);
	if (s->status)
		return -1;
	if (!path)
		return complain(s, " No filename given, specify one with file=''");
	l.text = infile_text(path, &size);
	if (!l.text)
		return complain(s, " Unable to read \"%s\": %s", words[0],
			strerror(errno));
	rc = may_do(s, "load file") ? check_clean(&l) : -1;
	if (!rc)
		rc = load_silently(&l);
	start_over(&l);
	free(l.text);
	return rc < 0 ? -1 : 0;
}
