/*
 * rebuild usage: usage of associations and QOS computed again from the job
 * records and the log of changes (db/past/rebuild.h). Slurm has no such
 * command.
 */
#include "db/past/rebuild.h"

#include <string.h>

#include "cmd/sacctmgr/dry_run.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "common/text/timespec.h"
#include "db/rollup/rollup.h"

enum { OWNER_WIDTH = 44 };

struct rebuilding {
	struct strv clusters;
	int64_t *keys;
};

/* As sshare calls them. */
static const char *amount_name(struct session *s, int tres)
{
	const struct tres *known;

	if (tres == USAGE_RAW)
		return "RawUsage";
	if (tres == USAGE_WALL)
		return "wall";
	known = tres_by_id(&s->store->tres, (uint32_t)tres);
	return known ? tres_full_name(known, &s->arena)
		     : arena_printf(&s->arena, "tres %d", tres);
}

static const char *owner_name(
	struct session *s, const char *cluster, const struct rebuild_row *row)
{
	if (row->qos)
		return arena_printf(
			&s->arena, "C = %-10s Q = %s", cluster, row->qos);
	if (!*row->user)
		return arena_printf(
			&s->arena, "C = %-10s A = %s", cluster, row->account);
	return arena_printf(&s->arena, "C = %-10s A = %-10s U = %s%s%s",
		cluster, row->account, row->user,
		*row->partition ? " P = " : "", row->partition);
}

static void report_row(
	struct session *s, const char *cluster, const struct rebuild_row *row)
{
	fprintf(output(s), "  %-*s %s: %.0Lf -> %.0Lf\n", OWNER_WIDTH,
		owner_name(s, cluster, row), amount_name(s, row->tres),
		row->was, row->is);
}

static void report(struct session *s, const struct strv *clusters,
	const struct rebuild_list *lists, size_t *rows)
{
	*rows = 0;
	for (size_t i = 0; i < clusters->n; i++) {
		for (size_t j = 0; j < lists[i].n; j++) {
			if (!(*rows)++)
				fputs(" Rebuilt usage (seconds)...\n", output(s));
			report_row(s, clusters->v[i], &lists[i].v[j]);
		}
	}
	if (!*rows)
		fputs("  Nothing modified\n", output(s));
}

static enum plan_result plan(struct session *s, void *arg)
{
	struct rebuilding *r = arg;
	struct rebuild_list *lists =
		arena_array(&s->arena, r->clusters.n, sizeof(*lists));
	size_t rows;

	if (rebuild_usage(s->store, &s->site.conf.policy, r->keys,
		    r->clusters.n, &s->arena, lists))
		return plan_failed(s);
	report(s, &r->clusters, lists, &rows);
	if (!rows)
		return PLAN_NOTHING;
	for (size_t i = 0; i < r->clusters.n; i++)
		if (lists[i].n &&
			txn_add(s->store, TXN_MODIFY_ASSOCS, r->clusters.v[i],
				"usage", "rebuilt from the job records"))
			return plan_failed(s);
	return PLAN_CHANGED;
}

/* Of the words only cluster= and where. */
static int read_words(
	struct session *s, struct strv *given, char **words, int n)
{
	for (int i = 0; i < n; i++) {
		struct word word = word_split(words[i]);

		if (word.op == OP_NONE &&
			words_match("where:5", word.text, word.name_len))
			continue;
		if (word.op == OP_SET &&
			words_match("Clusters:1", word.text, word.name_len)) {
			strv_split(given, &s->arena,
				str_lower(&s->arena,
					str_unquote(&s->arena, word.value)));
			continue;
		}
		return complain(s, " Unknown condition: %s", words[i]);
	}
	return 0;
}

static int find_clusters(struct session *s, struct rebuilding *r)
{
	r->keys = arena_array(&s->arena, r->clusters.n, sizeof(*r->keys));
	for (size_t i = 0; i < r->clusters.n; i++) {
		r->keys[i] = cluster_key(s->store, r->clusters.v[i]);
		if (r->keys[i] > 0)
			continue;
		if (!r->keys[i])
			err_set(&s->err, ERR_USAGE,
				"Failed to find cluster %s in database",
				r->clusters.v[i]);
		return complain_err(s);
	}
	return 0;
}

/* They only repeat what the records say: no question is asked. */
static int rebuild_rollups(struct session *s, void *arg)
{
	const struct rebuilding *r = arg;

	for (size_t i = 0; i < r->clusters.n; i++)
		if (rollup_remake(s->store, r->keys[i]))
			return complain_err(s);
	return 0;
}

int rebuild_command(struct session *s, char **words, int n)
{
	struct rebuilding r = {.keys = NULL};
	struct strv given = {0};
	bool rollups = n && words_match("rollups:1", words[0],
				    strlen(words[0]));

	if (!n || (!rollups &&
			  !words_match("usage:1", words[0], strlen(words[0]))))
		return complain(s, "No valid entity in rebuild command\n"
			"Input line must include \"Usage\" or "
			"\"Rollups\"");
	if (options(s)->readonly)
		return complain(s, "Can't run this command in readonly mode.");
	if (read_words(s, &given, words + 1, n - 1))
		return -1;
	if (!is_administrator(s))
		return complain_denied(s);
	if (chosen_clusters(s, &given, &r.clusters) || find_clusters(s, &r))
		return -1;
	if (rollups)
		return options(s)->dry_run ? dry_run_around(s, rebuild_rollups, &r)
				      : rebuild_rollups(s, &r);
	s->command = REBUILD_COMMAND;
	return change_run(s, plan, &r);
}
