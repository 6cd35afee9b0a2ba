/*
 * sshare --algorithm: what Fair Tree, the classic and the depth-oblivious
 * formula make of the same shares and usage, in neighbouring columns.
 */
#include "cmd/sshare/sshare.h"

#include <string.h>

#include "common/base/words.h"

#define HEADS(usage, factor)                                                   \
	{{.heading = usage, .width = 11}, {.heading = factor, .width = 10}}

static const struct algorithm {
	const char *names; /* as common/base/words.h reads them */
	const char *member;
	struct table_column heads[2]; /* effective usage, factor */
} algorithms[] = {
	[FAIRSHARE_FAIR_TREE] = {"fair-tree:1 fairtree:1 fair_tree:1",
		"fair_tree", HEADS("TreeUsage", "FairTree")},
	[FAIRSHARE_CLASSIC] = {"classic:1", "classic",
		HEADS("ClassUsage", "Classic")},
	[FAIRSHARE_DEPTH_OBLIVIOUS] = {"depth-oblivious:1 depth_oblivious:1",
		"depth_oblivious", HEADS("DepthUsage", "DepthObliv")},
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
				"--algorithm: unknown algorithm '%.*s'; expected "
				"fair-tree, classic or depth-oblivious",
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

struct fs_tree *algorithms_compute(const struct shares *shares,
	const struct algorithms *list, const struct policy *policy,
	struct arena *arena)
{
	struct fs_tree *by = arena_array(arena, list->n, sizeof(*by));

	for (size_t i = 0; i < list->n; i++) {
		by[i] = shares->tree;
		fs_tree_compute(
			&by[i], list->v[i], policy->dampening, arena);
	}
	return by;
}

/* ---- columns -------------------------------------------------------------*/

/* arg: which of the algorithms asked for. */
static struct fs_node node_of(
	const struct member *m, const struct row *row)
{
	return fs_tree_node(&row->by_algorithm[m->arg], row->index);
}

static struct value get_usage(
	const struct member *m, const void *row, struct arena *arena)
{
	(void)arena;
	return of_real((double)node_of(m, row).usage_efctv);
}

static struct value get_factor(
	const struct member *m, const void *row, struct arena *arena)
{
	const struct fs_node node = node_of(m, row);

	(void)arena;
	return node.is_user ? of_real(node.fairshare) : no_value();
}

void algorithm_columns(struct grid *grid, const struct algorithms *list)
{
	struct member *members =
		arena_array(grid->arena, list->n * 2, sizeof(*members));

	for (uint32_t i = 0; i < list->n * 2; i++) {
		members[i] = (struct member){
			.get = i % 2 ? get_factor : get_usage, .arg = i / 2};
		grid_add_as(grid, &members[i],
			&algorithms[list->v[i / 2]].heads[i % 2]);
	}
}

void algorithm_members(const struct row *row, struct json_object *record)
{
	const struct algorithms *list = row->algorithms;

	for (size_t i = 0; i < list->n; i++) {
		const struct fs_node node =
			fs_tree_node(&row->by_algorithm[i], row->index);
		struct json_object *member = json_record();

		json_put_text(
			member, "algorithm", algorithms[list->v[i]].member);
		json_put_real(
			member, "effective_usage", (double)node.usage_efctv);
		json_put_real(member, "factor", node.fairshare);
		json_append(record, "fairshare/algorithms", member);
	}
}
