/*
 * Users: their words, and deleting them; adding, showing and modifying have
 * files of their own (Slurm's src/sacctmgr/user_functions.c).
 */
#include "db/change/user.h"

#include "db/change/remove.h"

/* clang-format off */
static const struct where_word where_words[] = {
	{"Names:1 Users:1", WHERE_LIST, COND(assoc.users), GROUP_RECORD, "user names", FROM_USERS},
	{"AdminLevel:2", WHERE_LIST, COND(admin_level), GROUP_RECORD, "None, Operator, Administrator", FROM_ADMIN_LEVELS},
	{"Clusters:1", WHERE_LIST, COND(assoc.clusters), GROUP_RECORD, "cluster names", FROM_CLUSTERS},
	{"DefaultAccount:8", WHERE_LIST, COND(user.default_accounts), GROUP_RECORD, "default accounts; without clusters, on the local one", FROM_ACCOUNTS},
	{"DefaultWCKey:8", WHERE_LIST, COND(user.default_wckeys), GROUP_RECORD, "default wckeys", FROM_WCKEYS},
	{"Format:1", WHERE_FORMAT, COND(format), GROUP_NONE, "columns", FROM_COLUMNS},
	{"WCKeys:1", WHERE_LIST, COND(wckeys), GROUP_WCKEY, "wckeys (delete)", FROM_WCKEYS},
	{NULL, WHERE_LIST, 0, GROUP_NONE, NULL, FROM_NOTHING},
};
/* clang-format on */

static const struct vocabulary vocabulary = {
	.where = {record_where_words, where_words, assoc_where_words},
	.bare = COND(assoc.users),
	.bare_group = GROUP_RECORD,
	.unknown_where = " Use keyword 'set' to modify value",
	.set = {&user_members, &assoc_members},
	.leases = true,
};

static const struct add_word name_words[] = {
	{"Names:1 Users:1", offsetof(struct request, names), FROM_NOTHING},
	{"Accounts:3 Acct:4", offsetof(struct request, accounts), FROM_ACCOUNTS},
	{"Clusters:1", offsetof(struct request, clusters), FROM_CLUSTERS},
	{"Partitions:1", offsetof(struct request, partitions), FROM_PARTITIONS},
	{"WCKeys:1", offsetof(struct request, wckeys), FROM_WCKEYS},
	{NULL, 0, FROM_NOTHING},
};

/* In an add, names have words of their own, and there is no `where`. */
static const struct vocabulary add_vocabulary = {
	.where = {record_where_words, where_words},
	.set = {&user_members, &assoc_members},
	.bare_set_is_name = true,
	.name_words = name_words,
	.names = NAMES_USER,
	.leases_in_add = true,
};

/* An unknown admin level changes nothing; it must not pass in silence. */
int user_check_level(struct session *s, const struct settings *set)
{
	const char *text = settings_text_of(set, user_attr(admin_level));

	if (!text || admin_level_parse(text) != ADMIN_NOT_SET)
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"Unknown AdminLevel '%s': None, Operator or Administrator",
		text);
}

struct user_cond user_cond_of(const struct request *r)
{
	struct user_cond cond = r->where.user;

	cond.names = r->where.assoc.users;
	cond.clusters = r->where.assoc.clusters;
	cond.with_deleted = r->where.with_deleted;
	cond.with_coordinators = r->where.with_coordinators;
	if (r->where.admin_level.n)
		cond.admin_level = admin_level_parse(r->where.admin_level.v[0]);
	return cond;
}

/* These choose what `delete user` takes away, never users. */
int user_refuse_wckeys(struct session *s, const struct request *r)
{
	if (!r->where.wckey_given)
		return 0;
	return complain(s, " WCKeys= is a condition of delete only; perhaps "
		"DefaultWCKey= was meant");
}

static int erase(struct session *s, struct request *r)
{
	if (r->where.wckey_given && r->where.assoc.accounts.n)
		return complain(s, " Mixing Account and WCKeys is not allowed");
	if (!r->where.record_given && !r->where.assoc_given &&
		!r->where.wckey_given)
		return refuse_all(s);
	if (r->failed)
		return -1;
	return remove_users(s, r);
}

const struct changeable user_changes = {
	.names = {[VERB_ADD] = "User:1",
		[VERB_MODIFY] = "Users:1",
		[VERB_DELETE] = "Users:1"},
	.words = &vocabulary,
	.add_words = &add_vocabulary,
	.run = {[VERB_ADD] = user_add_command,
		[VERB_MODIFY] = user_modify_command,
		[VERB_DELETE] = erase},
};
