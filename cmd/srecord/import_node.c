/*
 * `scontrol show node --json` and `sinfo --json`: what the nodes have that
 * register themselves. Those of slurm.conf are passed over: it says what they
 * have.
 */
#include "cmd/srecord/import.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "common/conf/conf_index.h"
#include "common/text/hostlist.h"
#include "db/entity/node.h"

/* "a,b" of a text or of a list of texts; "" when empty. */
static const char *words_of(struct import *im, struct json_object *o)
{
	struct strv words = {0};

	if (json_object_is_type(o, json_type_string))
		return json_object_get_string(o);
	if (!json_object_is_type(o, json_type_array))
		return "";
	for (size_t i = 0; i < json_object_array_length(o); i++)
		strv_push(&words, &im->scratch,
			json_object_get_string(
				json_object_array_get_idx(o, i)));
	return strv_join(&words, ",", &im->scratch);
}

struct node_column {
	const char *key;  /* of srecord node */
	const char *node; /* where scontrol has it */
	const char *row;  /* where sinfo has its "minimum" and "maximum" */
};

static const struct node_column amounts[] = {
	{"cpus", "cpus", "cpus"},
	{"memory", "real_memory", "memory"},
	{"sockets", "sockets", "sockets"},
	{"corespersocket", "cores", "cores"},
	{"threadspercore", "threads", "threads"},
	{"weight", "weight", "weight"},
	{"tmpdisk", "temporary_disk", "disk"},
};

static int add_amount(struct import *im, struct json_object *from, bool is_row,
	const struct node_column *c, struct strv *words)
{
	struct json_object *o = import_find(from, is_row ? c->row : c->node), *most;
	const char *memory = strcmp(c->key, "memory") ? "" : "M";

	if (json_object_is_type(o, json_type_object)) {
		most = import_find(from, arena_printf(&im->scratch, "%s/maximum", c->row));
		o = import_find(from, arena_printf(&im->scratch, "%s/minimum", c->row));
		if (o && most && !json_object_equal(o, most))
			return err_set(&im->s->err, ERR_USAGE,
				"nodes of a row differ in %s: 'sinfo -N --json' "
				"has a row for each",
				c->key);
	}
	if (json_object_is_type(o, json_type_int) && json_object_get_int64(o) > 0)
		strv_printf(words, &im->scratch, "%s=%" PRId64 "%s", c->key,
			json_object_get_int64(o), memory);
	return 0;
}

static void add_text(struct import *im, struct json_object *o, const char *key,
	struct strv *words)
{
	const char *text = words_of(im, o);

	if (*text && strcmp(text, "(null)") != 0)
		strv_printf(words, &im->scratch, "%s=%s", key, text);
}

/* "gpu:a100:4(S:0-1)": which sockets is nothing to the planner. */
static void add_gres(struct import *im, struct json_object *o,
	struct strv *words)
{
	const char *text = words_of(im, o);
	char *plain = arena_strdup(&im->scratch, text), *to = plain;
	bool inside = false;

	for (; *text; text++) {
		inside |= *text == '(';
		if (!inside)
			*to++ = *text;
		inside &= *text != ')';
	}
	*to = '\0';
	if (*plain)
		strv_printf(words, &im->scratch, "gres=%s", plain);
}

/* sinfo has a node once in each of its partitions. */
static void count(struct import *im, const char *name, uint64_t *kind)
{
	if (conf_index_find(&im->known_nodes, name, NULL))
		return;
	conf_index_add(&im->known_nodes, &im->keep,
		arena_strdup(&im->keep, name), 0);
	(*kind)++;
}

static int add_name(struct import *im, const char *names, struct strv *words,
	struct strv *own)
{
	const struct conf *conf = &im->s->site->conf;
	struct strv all = {0};

	if (hostlist_expand(names, &im->scratch, &all, &im->s->err))
		return -1;
	for (size_t i = 0; i < all.n; i++) {
		const struct conf_node *known =
			conf_node_by_name(conf, all.v[i]);

		if (known && !node_is_registered(known))
			count(im, known->name, &im->count.passed);
		else
			strv_push(own, &im->scratch, all.v[i]);
	}
	if (own->n)
		strv_printf(words, &im->scratch, "node=%s",
			hostlist_fold(own, &im->scratch));
	return 0;
}

/* A row of sinfo has the list of its nodes. */
int import_node(struct import *im, struct json_object *from)
{
	bool is_row = import_find(from, "nodes/nodes") != NULL;
	struct strv words = {0}, own = {0};
	const char *name =
		words_of(im, import_find(from, is_row ? "nodes/nodes" : "name"));
	const char *address = words_of(im, import_find(from, "address"));

	if (!*name)
		return is_row ? 0
			      : err_set(&im->s->err, ERR_USAGE,
					"a node without a name");
	if (add_name(im, name, &words, &own))
		return -1;
	if (!words.n)
		return 0;
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
		if (add_amount(im, from, is_row, &amounts[i], &words))
			return -1;
	add_gres(im, import_find(from, is_row ? "gres/total" : "gres"), &words);
	add_text(im, import_find(from, is_row ? "features/total" : "features"),
		"features", &words);
	if (*address && strcmp(address, name) != 0)
		add_text(im, import_find(from, "address"), "address", &words);
	if (record_node(im->s, words.v, (int)words.n))
		return -1;
	im->s->log.action = 0;
	for (size_t i = 0; i < own.n; i++)
		count(im, own.v[i], &im->count.nodes);
	return 0;
}
