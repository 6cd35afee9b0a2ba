/*
 * sshare --algorithm: what Fair Tree, the classic and the depth-oblivious
 * formula make of the same shares and usage, in neighbouring columns.
 */
#include "cmd/sshare/sshare.h"

#include <string.h>

#include "common/base/words.h"

static const struct algorithm {
	const char *names; /* as common/base/words.h reads them */
	const char *member;
	struct table_column heads[2]; /* effective usage, factor */
} algorithms[] = {
	[FAIRSHARE_FAIR_TREE] = {"fair-tree:1 fairtree:1 fair_tree:1",
		"fair_tree", {{"TreeUsage", 11}, {"FairTree", 10}}},
	[FAIRSHARE_CLASSIC] = {"classic:1", "classic",
		{{"ClassUsage", 11}, {"Classic", 10}}},
	[FAIRSHARE_DEPTH_OBLIVIOUS] = {"depth-oblivious:1 depth_oblivious:1",
		"depth_oblivious", {{"DepthUsage", 11}, {"DepthObliv", 10}}},
};

enum { ALGORITHMS = sizeof(algorithms) / sizeof(*algorithms) };

static int find(const char *word, size_t len)
{
	for (int i = 0; len && i < ALGORITHMS; i++)
		if (words_match(algorithms[i].names, word, len))
			return i;
	return -1;
}

static void add(struct algorithms *list, enum fairshare_algorithm algorithm)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == algorithm)
			return;
	list->v[list->n++] = algorithm;
}

int algorithms_read(struct algorithms *list, const char *text, struct err *err)
{
	while (*text) {
		size_t len = strcspn(text, ",");
		int found = find(text, len);

		if (len && found < 0)
			return err_set(err, ERR_USAGE,
				"--algorithm: '%.*s' is none of fair-tree, "
				"classic, depth-oblivious",
				(int)len, text);
		if (len)
			add(list, (enum fairshare_algorithm)found);
		text += len + (text[len] == ',');
	}
	if (!list->n)
		return err_set(err, ERR_USAGE,
			"--algorithm: name one or more of fair-tree, classic, "
			"depth-oblivious");
	return 0;
}

void algorithm_columns(struct table_choice *columns,
	const struct algorithms *list, struct arena *arena)
{
	for (size_t i = 0; i < list->n * 2; i++)
		table_choice_add(columns, arena, NO_FIELD,
			&algorithms[list->v[i / 2]].heads[i % 2]);
}

struct fs_node *const *algorithms_compute(const struct shares *shares,
	const struct algorithms *list, const struct policy *policy,
	struct arena *arena)
{
	struct fs_node **by = arena_array(arena, list->n, sizeof(*by));
	struct policy other = *policy;

	for (size_t i = 0; i < list->n; i++) {
		other.algorithm = list->v[i];
		by[i] = shares_nodes(shares, arena);
		shares_compute(by[i], shares->n, &other);
	}
	return by;
}

static void set_real(struct value *value, long double real)
{
	value->type = VALUE_REAL;
	value->real = (double)real;
}

void algorithm_values(const struct row *row, const struct algorithms *list,
	struct value *values)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct fs_node *node = &row->by_algorithm[i][row->place];

		set_real(&values[2 * i], node->usage_efctv);
		if (node->is_user)
			set_real(&values[2 * i + 1], node->fairshare);
	}
}

void algorithm_members(const struct row *row, const struct algorithms *list,
	struct json_object *record)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct fs_node *node = &row->by_algorithm[i][row->place];
		struct json_object *member = json_record();

		json_put_text(
			member, "algorithm", algorithms[list->v[i]].member);
		json_put_real(
			member, "effective_usage", (double)node->usage_efctv);
		json_put_real(member, "factor", node->fairshare);
		json_append(record, "fairshare/algorithms", member);
	}
}
