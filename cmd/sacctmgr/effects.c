/*
 * Effects of operations (db/change/effect.h) in Slurm's words (Slurm's
 * src/sacctmgr).
 */
#include "cmd/sacctmgr/effects.h"

#include <string.h>

#include "common/base/numbers.h"
#include "common/base/utf8.h"
#include "common/text/timespec.h"
#include "db/entity/resource.h"
#include "db/entity/user.h"
#include "db/job/job.h"

/* A list being printed. */
struct printing {
	struct session *s;
	const struct effect *v;
	size_t n, at;
	const char *heading; /* that stands above what is printed */
};

/* ---- settings ------------------------------------------------------------*/

static const char *echo_tres(struct session *s, const struct setting *set)
{
	struct strv texts = {0};

	for (size_t i = 0; i < set->tres.n; i++) {
		const struct tres_edit *edit = &set->tres.v[i];
		const struct tres *tres = tres_by_id(&s->store->tres, edit->id);
		struct tres_list one = {0};
		const char *sign = edit->op == TRES_OP_ADD   ? "+"
				   : edit->op == TRES_OP_SUB ? "-"
							     : "";
		const char *text;

		tres_list_set(&one, &s->arena, edit->id, edit->count);
		text = tres_list_format(
			&one, &s->store->tres, TRES_NONE_WORD, &s->arena);
		if (*sign)
			text = arena_printf(&s->arena, "%s%s%s",
				tres_full_name(tres, &s->arena), sign,
				strchr(text, '='));
		strv_push(&texts, &s->arena, text);
	}
	strv_sort(&texts);
	return strv_join(&texts, ",", &s->arena);
}

/* The text after a label; NULL: no line. */
static const char *echo_text(struct session *s, const struct setting *set)
{
	const char *none = set->attr->set->none ? set->attr->set->none : "NONE";
	const struct qos_name *qos;
	const char *text;

	switch (set->attr->set->type) {
	case ATTR_TRES:
		return echo_tres(s, set);
	case ATTR_QOS_LIST:
	case ATTR_LIST:
		return strv_join_sorted(&set->list, &s->arena);
	case ATTR_TEXT:
	case ATTR_TEXT_CASE:
		return set->text;
	case ATTR_PREEMPT_MODE: /* in capitals; off and cluster say nothing */
		return set->number & ~(uint32_t)PREEMPT_CLUSTER
			       ? str_upper(&s->arena,
					 preempt_mode_text(set->number,
						 &s->arena))
			       : NULL;
	case ATTR_REAL:
		return set->real == (double)INFINITE
			       ? none
			       : arena_printf(&s->arena, "%.4f", set->real);
	case ATTR_QOS:
		qos = qos_by_id(&s->store->qos, set->number);
		return qos ? qos->name : "(null)";
	default:
		break;
	}
	if (set->number == INFINITE)
		return set->attr->set->type == ATTR_FLAGS ? NULL : none;
	text = set_words(set->attr->set, set->number, &s->arena);
	return text ? text : arena_printf(&s->arena, "%u", set->number);
}

/* Those of the table that have an echo, in the order of echoes. */
static struct settings to_be_echoed(struct session *s,
	const struct members *members, const struct settings *settings)
{
	struct settings echoed = {0};

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting one = settings->v[i];
		size_t at = echoed.n;

		if (!members_has(members, one.attr) || !one.attr->set->echo)
			continue;
		ARENA_PUSH(&s->arena, echoed.v, echoed.n, echoed.cap);
		for (; at && echoed.v[at - 1].attr->set->echo_order >
				     one.attr->set->echo_order;
			at--)
			echoed.v[at] = echoed.v[at - 1];
		echoed.v[at] = one;
	}
	return echoed;
}

static void print_settings(struct session *s, const struct members *members,
	const struct settings *settings)
{
	const struct settings echoed = to_be_echoed(s, members, settings);

	for (size_t i = 0; i < echoed.n; i++) {
		const char *text = echo_text(s, &echoed.v[i]);

		if (text)
			fprintf(output(s), "%s%s\n", echoed.v[i].attr->set->echo,
				text);
	}
}


static void account_settings(struct printing *p, const struct effect *e)
{
	const char *description = settings_text_of(
		&e->set, account_attr(description));
	const char *organization = settings_text_of(
		&e->set, account_attr(organization));

	fprintf(output(p->s),
		" Settings\n  Description     = %s\n  Organization    = %s\n",
		description ? description : "Account Name",
		organization ? organization : "Parent/Account Name");
}

static void user_settings(struct printing *p, const struct effect *e)
{
	const char *account = settings_text_of(&e->set, user_attr(default_account));
	const char *wckey = settings_text_of(&e->set, user_attr(default_wckey));
	const char *level = settings_text_of(&e->set, user_attr(admin_level));
	FILE *out = output(p->s);

	fputs(" Settings\n", out);
	if (account)
		fprintf(out, "  Default Account = %s\n", account);
	if (wckey)
		fprintf(out, "  Default WCKey   = %s\n", wckey);
	if (level)
		fprintf(out, "  Admin Level     = %s\n",
			admin_level_text(admin_level_parse(level)));
}

static void qos_settings(struct printing *p, const struct effect *e)
{
	fputs(" Settings\n", output(p->s));
	if (!settings_find(&e->set, qos_attr(description)))
		fprintf(output(p->s), "  Description    = %s\n", e->name);
	print_settings(p->s, &qos_members, &e->set);
}

static void assoc_rows_settings(struct printing *p, const struct effect *e)
{
	static const char *const headings[][VERBS] = {
		[ON_ACCOUNT] = {[VERB_ADD] = " Settings\n"},
		[ON_USER] = {[VERB_ADD] = " Non Default Settings\n"},
		[ON_CLUSTER] = {[VERB_ADD] = "  Default Limits:\n",
			[VERB_MODIFY] = " Setting\n  Default Limits:\n"},
	};
	const char *heading = headings[e->of][e->verb];

	if (!heading)
		return;
	fputs(heading, output(p->s));
	print_settings(p->s, &assoc_members, &e->set);
}

static void cluster_features(struct session *s, const struct strv *list)
{
	if (!list->n)
		fputs("  Feature     = \n", output(s));
	for (size_t i = 0; i < list->n; i++) {
		const char *text = list->v[i];
		bool sign = *text == '+' || *text == '-';

		fprintf(output(s), "  Feature     %.*s= %s\n", sign ? 1 : 2,
			sign ? text : "  ", text + sign);
	}
}

static void cluster_record(struct printing *p, const struct effect *e)
{
	const char *class =
		settings_text_of(&e->set, cluster_attr(classification_text));
	const struct setting *features =
		settings_find(&e->set, cluster_attr(features));
	const char *federation =
		settings_text_of(&e->set, cluster_attr(federation));
	const char *state =
		settings_text_of(&e->set, cluster_attr(fed_state_text));
	const char *name = settings_text_of(&e->set, cluster_attr(new_name));
	FILE *out = output(p->s);

	fputs(" Setting\n", out);
	if (class)
		fprintf(out, "  Classification = %s\n",
			cluster_classification_text(cluster_classification(class),
				"None", &p->s->arena));
	if (features)
		cluster_features(p->s, &features->list);
	if (federation)
		fprintf(out, "  Federation     = %s\n", federation);
	if (state)
		fprintf(out, "  FedState       = %s\n",
			cluster_fed_state_text(fed_state_parse(state)));
	if (name)
		fprintf(out, "  NewName        = %s\n", name);
}

static void federation_settings(struct printing *p, const struct effect *e)
{
	fputs(e->verb == VERB_ADD ? " Settings\n" : " Setting\n", output(p->s));
	for (size_t i = 0; i < e->names.n; i++) {
		const char *text = e->names.v[i];

		if (*text == '+' || *text == '-')
			fprintf(output(p->s), "  Cluster      %c= %s\n", *text,
				text + 1);
		else
			fprintf(output(p->s), "  Cluster       = %s\n", text);
	}
}

static void resource_settings(struct printing *p, const struct effect *e)
{
	const struct resource *r = e->record;
	const char *flags =
		flags_text(resource_flag_words, r->flags, &p->s->arena);
	FILE *out = output(p->s);

	fprintf(out, " Settings\n  Name           = %s\n", r->name);
	fprintf(out, "  Server         = %s\n", r->server);
	if (e->is_new)
		fprintf(out, "  Description    = %s\n", r->description);
	if (e->is_new && *r->server_type)
		fprintf(out, "  ServerType     = %s\n", r->server_type);
	fprintf(out, "  Count          = %u\n", r->count);
	if (!e->is_new || settings_find(&e->set, resource_attr(last_consumed)))
		fprintf(out, "  LastConsumed   = %u\n", r->last_consumed);
	if (!e->is_new || *flags)
		fprintf(out, "  Flags          = %s\n",
			*flags ? flags : "(null)");
	fprintf(out, "  Type           = %s\n", resource_type_text(r->type));
}

/* ---- records and rows ----------------------------------------------------*/

static void name(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  %s\n", e->name);
}

static void names(struct printing *p, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		fprintf(output(p->s), "  %s\n", list->v[i]);
}

static void new_cluster(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  Name           = %s\n", e->name);
}

static void known(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), " This %s %s already exists.  Not adding.\n",
		e->on == ON_CLUSTER ? "cluster" : "federation", e->name);
}

static void local_cluster(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s),
		"No cluster specified, resetting on local cluster %s\n",
		e->name);
}

static void job(struct printing *p, const struct effect *e)
{
	const struct job *j = e->record;

	fprintf(output(p->s), "  %u submitted at %s\n", j->id,
		time_format(&p->s->arena, (time_t)j->submit,
			p->s->site.time_format, (time_t)p->s->site.now));
}

static void new_wckey(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  C = %-10.10s W = %-10.10s U = %-9.9s\n",
		e->cluster, e->name, e->user);
}

static void old_wckey(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  C = %-10s W = %-20s U = %-9s\n", e->cluster,
		e->name, e->user);
}

/* ---- associations --------------------------------------------------------*/

static void user_assoc(FILE *out, const struct assoc *a, int account_width)
{
	fprintf(out, "A = %-*s U = %-9s", account_width, a->account, a->user);
	if (*a->partition)
		fprintf(out, " P = %s", a->partition);
}

static void new_or_inherited(struct printing *p, const struct effect *e)
{
	FILE *out = output(p->s);

	fprintf(out, "  C = %-10s ", e->assoc->cluster);
	if (*e->assoc->user)
		user_assoc(out, e->assoc, 20);
	else
		fprintf(out, "A = %-20s", e->assoc->account);
	fputc('\n', out);
}

/* An account with its parent. */
static void with_parent(struct printing *p, const struct effect *e)
{
	const struct assoc *a = e->assoc;
	FILE *out = output(p->s);

	fprintf(out, "  C = %-10s ", a->cluster);
	if (*a->user)
		user_assoc(out, a, e->verb == VERB_DELETE ? 10 : 20);
	else
		fprintf(out, "A = %s%s%s", a->account,
			*a->parent_account ? " of " : "", a->parent_account);
	fputc('\n', out);
}

static const char associations[] = " Associations =\n";

/* Slurm puts a blank before these lines when there are no others, and no
 * heading between them and those of new rows. */
static void known_assoc(struct printing *p, const struct effect *e)
{
	bool any = p->at > 0;

	for (size_t i = 0; i < p->n; i++)
		any |= p->v[i].kind == EFFECT_DONE;
	fprintf(output(p->s), "%sAlready existing account %s on cluster %s\n",
		any ? "" : " ", e->assoc->account, e->assoc->cluster);
	p->heading = associations;
}

static void no_account(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "No account %s on cluster %s, skipping.\n",
		e->account, e->cluster);
	p->heading = associations;
}

static void no_parent(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  Parent account %s doesn't exist on cluster %s\n",
		e->name, e->assoc->cluster);
}

static void own_child(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s),
		"  Requested parent account %s is a child of %s on cluster "
		"%s. Please re-parent %s before using it as a parent.\n",
		e->name, e->assoc->account, e->assoc->cluster, e->name);
}

/* ---- others --------------------------------------------------------------*/

static void no_default(struct printing *p, const struct effect *e)
{
	bool first = !p->at || e[-1].kind != e->kind || e[-1].on != e->on;

	if (first)
		fprintf(output(p->s),
			" Can't modify because these users aren't associated "
			"with new default %s '%s'...\n",
			e->on == ON_WCKEY ? "wckey" : "account", e->name);
	fprintf(output(p->s), "  U = %s C = %s\n", e->user, e->cluster);
}

static void no_user(struct printing *p, const struct effect *e)
{
	bool any = false;

	(void)e;
	for (size_t i = 0; i < p->n; i++)
		any |= p->v[i].kind == EFFECT_NO_ACCOUNT;
	fprintf(output(p->s),
		"%sNothing added.\nMake sure the accounts requested here have "
		"been added to the system/cluster. (sacctmgr add "
		"account...)\n",
		any ? "" : "Request didn't affect anything\n");
}

static void coordinators_to_add(struct printing *p, const struct effect *e)
{
	names(p, &e->names);
	fputs(" To Account(s) and all sub-accounts\n", output(p->s));
	names(p, &e->accounts);
}

static void coordinators_to_go(struct printing *p, const struct effect *e)
{
	fputs(e->names.n ? " Removing Coordinators with user name\n"
			 : " Removing all users from Accounts\n",
		output(p->s));
	names(p, &e->names);
	if (e->names.n)
		fputs(e->accounts.n ? " From Account(s)\n"
				    : " From all accounts\n",
			output(p->s));
	names(p, &e->accounts);
}

static void old_coordinator(struct printing *p, const struct effect *e)
{
	fprintf(output(p->s), "  U = %-9s A = %-10s\n", e->user, e->account);
}

static void resource(struct printing *p, const struct effect *e)
{
	const struct resource *r = e->record;

	fprintf(output(p->s), "  %s@%s\n", r->name, r->server);
}

/* The resource stands above the first share, also one that is not new. */
static void new_share(struct printing *p, const struct effect *e)
{
	if (p->at && e[-1].kind == EFFECT_EXISTS)
		resource(p, e);
	fprintf(output(p->s), "   Cluster - %s\t%u\n", e->cluster, e->allowed);
}

static void share(struct printing *p, const struct effect *e)
{
	const struct resource *r = e->record;

	fprintf(output(p->s), "  Cluster - %s\t- %s@%s\n", e->cluster, r->name,
		r->server);
}

static void until(struct printing *p, const struct effect *e)
{
	struct session *s = p->s;

	(void)e;
	fprintf(output(s), "  Until         = %s\n",
		time_format(&s->arena, (time_t)s->until, s->site.time_format,
			(time_t)s->site.now));
}

/* ---- all -----------------------------------------------------------------*/

enum { ANY = -1 };

/* Searched in order. A heading is printed where it differs from the last one;
 * then the line or lines of the effect. */
static const struct wording {
	int verb;
	enum effect_kind kind;
	int on, of;
	const char *heading;
	void (*print)(struct printing *, const struct effect *);
} wordings[] = {
	/* clang-format off */
	{VERB_ADD, EFFECT_DONE, ON_ACCOUNT, ANY, " Adding Account(s)\n", name},
	{VERB_ADD, EFFECT_DONE, ON_ASSOC, ANY, associations, new_or_inherited},
	{VERB_ADD, EFFECT_DONE, ON_CLUSTER, ANY, " Adding Cluster(s)\n", new_cluster},
	{VERB_ADD, EFFECT_BEGUN, ON_COORDINATOR, ANY, " Adding Coordinator User(s)\n", coordinators_to_add},
	{VERB_ADD, EFFECT_DONE, ON_FEDERATION, ANY, " Adding Federation(s)\n", name},
	{VERB_ADD, EFFECT_DONE, ON_QOS, ANY, " Adding QOS(s)\n", name},
	{VERB_ADD, EFFECT_DONE, ON_RESOURCE, ANY, " Adding Resource(s)\n", resource},
	{VERB_ADD, EFFECT_DONE, ON_RESOURCE_SHARE, ANY, " Adding Resource(s)\n", new_share},
	{VERB_ADD, EFFECT_DONE, ON_USER, ANY, " Adding User(s)\n", name},
	{VERB_ADD, EFFECT_DONE, ON_WCKEY, ANY, " Wckey(s)\n", new_wckey},
	{VERB_ADD, EFFECT_EXISTS, ON_ASSOC, ANY, NULL, known_assoc},
	{VERB_ADD, EFFECT_EXISTS, ON_CLUSTER, ANY, NULL, known},
	{VERB_ADD, EFFECT_EXISTS, ON_FEDERATION, ANY, NULL, known},
	{VERB_ADD, EFFECT_NO_ACCOUNT, ON_ASSOC, ANY, NULL, no_account},
	{VERB_ADD, EFFECT_NOTHING, ON_USER, ANY, NULL, no_user},
	{VERB_ADD, EFFECT_NOTHING, ANY, ANY, " Nothing new added.\n", NULL},

	{VERB_MODIFY, EFFECT_BEGUN, ON_ACCOUNT, ANY, " Modified accounts...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_ASSOC, ON_ACCOUNT, " Modified account associations...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_ASSOC, ON_USER, " Modified user associations...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_FEDERATION, ANY, " Modified federation...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_JOB, ANY, " Modified jobs...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_RESOURCE, ANY, " Modified server resource ...\n", NULL},
	{VERB_MODIFY, EFFECT_BEGUN, ON_USER, ANY, " Modified users...\n", NULL},
	{VERB_MODIFY, EFFECT_DONE, ON_ASSOC, ON_CLUSTER, " Modified cluster defaults for associations...\n", with_parent},
	{VERB_MODIFY, EFFECT_DONE, ON_ASSOC, ANY, NULL, with_parent},
	{VERB_MODIFY, EFFECT_DONE, ON_CLUSTER, ANY, " Modified cluster...\n", name},
	{VERB_MODIFY, EFFECT_DONE, ON_JOB, ANY, NULL, job},
	{VERB_MODIFY, EFFECT_DONE, ON_QOS, ANY, " Modified qos...\n", name},
	{VERB_MODIFY, EFFECT_DONE, ON_RESOURCE, ANY, NULL, resource},
	{VERB_MODIFY, EFFECT_DONE, ON_RESOURCE_SHARE, ANY, NULL, share},
	{VERB_MODIFY, EFFECT_DONE, ANY, ANY, NULL, name},
	{VERB_MODIFY, EFFECT_INHERITED, ON_ASSOC, ANY, NULL, new_or_inherited},
	{VERB_MODIFY, EFFECT_LOCAL, ON_CLUSTER, ANY, NULL, local_cluster},
	{VERB_MODIFY, EFFECT_NO_DEFAULT, ANY, ANY, NULL, no_default},
	{VERB_MODIFY, EFFECT_NO_PARENT, ON_ASSOC, ANY, NULL, no_parent},
	{VERB_MODIFY, EFFECT_NOTHING, ANY, ANY, "  Nothing modified\n", NULL},
	{VERB_MODIFY, EFFECT_OWN_CHILD, ON_ASSOC, ANY, NULL, own_child},
	{VERB_MODIFY, EFFECT_UNCHANGED, ON_CLUSTER, ANY, "  Nothing to change\n", NULL},
	{VERB_MODIFY, EFFECT_UNCHANGED, ON_FEDERATION, ANY, "Nothing to change\n", NULL},

	{VERB_DELETE, EFFECT_BEGUN, ON_COORDINATOR, ANY, NULL, coordinators_to_go},
	{VERB_DELETE, EFFECT_BEGUN, ON_RESOURCE, ANY, " Deleting resource(s)...\n", NULL},
	{VERB_DELETE, EFFECT_DONE, ON_ACCOUNT, ANY, " Deleting accounts...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_ASSOC, ON_ACCOUNT, " Deleting account associations...\n", with_parent},
	{VERB_DELETE, EFFECT_DONE, ON_ASSOC, ON_USER, " Deleting user associations...\n", with_parent},
	{VERB_DELETE, EFFECT_DONE, ON_CLUSTER, ANY, " Deleting clusters...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_COORDINATOR, ANY, " Removed Coordinators (sub accounts not listed)...\n", old_coordinator},
	{VERB_DELETE, EFFECT_DONE, ON_FEDERATION, ANY, " Deleting federations...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_QOS, ANY, " Deleting QOS(s)...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_RESOURCE, ANY, NULL, resource},
	{VERB_DELETE, EFFECT_DONE, ON_RESOURCE_SHARE, ANY, NULL, share},
	{VERB_DELETE, EFFECT_DONE, ON_USER, ON_ASSOC, " Deleting users (No Associations)...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_USER, ANY, " Deleting users...\n", name},
	{VERB_DELETE, EFFECT_DONE, ON_WCKEY, ANY, " Deleting user WCKeys...\n", old_wckey},
	{VERB_DELETE, EFFECT_NOTHING, ON_COORDINATOR, ANY, " Nothing removed\n", NULL},
	{VERB_DELETE, EFFECT_NOTHING, ON_QOS, ANY, "  Nothing deleted\n", NULL},
	{VERB_DELETE, EFFECT_NOTHING, ON_RESOURCE, ANY, "  Nothing deleted\n", NULL},
	{VERB_DELETE, EFFECT_NOTHING, ANY, ANY, " Nothing deleted\n", NULL},

	{ANY, EFFECT_SET, ON_ACCOUNT, ANY, NULL, account_settings},
	{ANY, EFFECT_SET, ON_ASSOC, ANY, NULL, assoc_rows_settings},
	{ANY, EFFECT_SET, ON_CLUSTER, ANY, NULL, cluster_record},
	{ANY, EFFECT_SET, ON_FEDERATION, ANY, NULL, federation_settings},
	{ANY, EFFECT_SET, ON_QOS, ANY, NULL, qos_settings},
	{ANY, EFFECT_SET, ON_RESOURCE, ANY, NULL, resource_settings},
	{ANY, EFFECT_SET, ON_USER, ANY, NULL, user_settings},
	{ANY, EFFECT_UNTIL, ANY, ANY, NULL, until},
	{ANY, EFFECT_ABORTED, ANY, ANY, "Aborted\n", NULL},
	{ANY, EFFECT_DISCARDED, ANY, ANY, " Changes Discarded\n", NULL},
	/* clang-format on */
};

static bool is_about(const struct wording *w, const struct effect *e)
{
	return w->kind == e->kind && (w->verb == ANY || w->verb == (int)e->verb) &&
	       (w->on == ANY || w->on == (int)e->on) &&
	       (w->of == ANY || w->of == (int)e->of);
}

static void print(struct printing *p, const struct effect *e)
{
	const struct wording *w = wordings;
	const struct wording *end =
		wordings + sizeof(wordings) / sizeof(*wordings);

	while (w < end && !is_about(w, e))
		w++;
	if (w == end)
		return;
	if (w->heading && (!p->heading || strcmp(p->heading, w->heading) != 0)) {
		fputs(w->heading, output(p->s));
		p->heading = w->heading;
	}
	if (w->print)
		w->print(p, e);
}

static void make_visible(struct arena *arena, const char **text)
{
	if (*text)
		*text = utf8_visible(arena, *text);
}

/* A copy where a name needs it: the list may be somebody else's, and long. */
static void make_list_visible(struct arena *arena, struct strv *list)
{
	struct strv visible = {0};
	size_t i = 0;

	while (i < list->n && utf8_clean(list->v[i]))
		i++;
	if (i == list->n)
		return;
	for (i = 0; i < list->n; i++)
		strv_push(&visible, arena, utf8_visible(arena, list->v[i]));
	*list = visible;
}

/* The same row, with names that are fit to be shown. */
static const struct assoc *visible_assoc(
	struct arena *arena, const struct assoc *assoc)
{
	struct assoc *copy;

	if (utf8_clean(assoc->account) && utf8_clean(assoc->user) &&
		utf8_clean(assoc->partition) && utf8_clean(assoc->cluster) &&
		utf8_clean(assoc->parent_account))
		return assoc;
	copy = arena_alloc(arena, sizeof(*copy));
	*copy = *assoc;
	make_visible(arena, &copy->account);
	make_visible(arena, &copy->user);
	make_visible(arena, &copy->partition);
	make_visible(arena, &copy->cluster);
	make_visible(arena, &copy->parent_account);
	return copy;
}

/* No name ends a line, whatever was forced into the store. */
static void make_effect_visible(struct arena *arena, struct effect *e)
{
	make_visible(arena, &e->name);
	make_visible(arena, &e->cluster);
	make_visible(arena, &e->account);
	make_visible(arena, &e->user);
	make_list_visible(arena, &e->names);
	make_list_visible(arena, &e->accounts);
	if (e->assoc)
		e->assoc = visible_assoc(arena, e->assoc);
}

void effects_print(struct session *s, const struct effects *effects)
{
	struct printing p = {.s = s, .v = effects->v, .n = effects->n};

	for (size_t i = 0; i < p.n; i++)
		make_effect_visible(&s->arena, &effects->v[i]);
	for (; p.at < p.n; p.at++)
		print(&p, &p.v[p.at]);
}
