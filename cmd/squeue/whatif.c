/*
 * squeue --what-if: every line before and after changes that nobody has made
 * (db/whatif/whatif.h), and the difference. The columns are those asked for; what such
 * a change may move stands there three times, or twice where there is nothing
 * to subtract.
 */
#include "cmd/squeue/squeue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cli/cli.h"
#include "common/table/flat.h"
#include "common/text/timespec.h"
#include "db/whatif/whatif.h"

/* One line on either side; NULL where there is none. */
struct pair {
	const struct queue_row *before, *after;
};

enum part { BEFORE, AFTER, DIFFERENCE };

struct comparison {
	struct session *s;
	struct whatif what;
	struct format wide;
	enum part *parts; /* of each piece of `wide` */
	struct json_doc doc;
};

/* ---- what may differ -----------------------------------------------------*/

static int64_t higher(const struct pair *p)
{
	return (int64_t)p->after->priority - p->before->priority;
}

static const char *difference_priority(
	const struct pair *p, struct arena *arena)
{
	return arena_printf(arena, "%+" PRId64, higher(p));
}

/* Of a line that a scheduling pass starts: now. 0: nobody knows. */
static int64_t expected_start(const struct queue_row *row)
{
	int64_t now = row->queue->site->now;

	return queue_starts_now(row) ? now : queue_start(row);
}

static bool starts_are_known(const struct pair *p)
{
	return p->before && p->after && expected_start(p->before) &&
	       expected_start(p->after);
}

static int64_t later(const struct pair *p)
{
	return expected_start(p->after) - expected_start(p->before);
}

static const char *difference_start(const struct pair *p, struct arena *arena)
{
	int64_t more;

	if (!starts_are_known(p))
		return "";
	more = later(p);
	return arena_printf(arena, "%c%s", more < 0 ? '-' : '+',
		duration_format(arena, (uint64_t)(more < 0 ? -more : more)));
}

/* By the name of the type; without a difference where it is no number. */
static const struct moving {
	const char *type;
	const char *(*difference)(const struct pair *, struct arena *);
} movings[] = {
	{"Priority", NULL},
	{"PriorityLong", difference_priority},
	{"Reason", NULL},
	{"ReasonList", NULL},
	{"StartTime", difference_start},
	{"State", NULL},
};

static const struct moving *moving_of(const struct member *type)
{
	for (size_t i = 0; type && i < sizeof(movings) / sizeof(*movings); i++)
		if (!strcmp(movings[i].type, type->names))
			return &movings[i];
	return NULL;
}

/* ---- columns -------------------------------------------------------------*/

static void add_piece(
	struct comparison *c, const struct piece *piece, enum part part)
{
	enum { IF_SO_WIDTH = 5, DIFFERENCE_WIDTH = 11 };
	struct piece wide = *piece;

	if (part == AFTER && wide.width > 0 && wide.width < IF_SO_WIDTH)
		wide.width = IF_SO_WIDTH;
	if (part == DIFFERENCE && wide.width > 0)
		wide.width = DIFFERENCE_WIDTH;
	c->parts[c->wide.n] = part;
	*ARENA_PUSH(&c->s->site.arena, c->wide.v, c->wide.n, c->wide.cap) =
		wide;
}

/* What stands between the parts of one column: what stands behind columns. */
static const char *between(const struct format *format, size_t i)
{
	for (size_t j = i + 1; j-- > 0;)
		if (format->v[j].suffix && *format->v[j].suffix)
			return format->v[j].suffix;
	return " ";
}

static void widen(struct comparison *c)
{
	const struct format *own = &c->s->format;

	c->wide = (struct format){.prefix = own->prefix};
	c->parts =
		arena_array(&c->s->site.arena, own->n * 3, sizeof(*c->parts));
	for (size_t i = 0; i < own->n; i++) {
		const struct moving *moving = moving_of(own->v[i].type);
		struct piece piece = own->v[i], inner = piece;

		inner.suffix = between(own, i);
		add_piece(c, moving ? &inner : &piece, BEFORE);
		if (!moving)
			continue;
		add_piece(c, moving->difference ? &inner : &piece, AFTER);
		if (moving->difference)
			add_piece(c, &piece, DIFFERENCE);
	}
}

static void print_heading(const struct comparison *c)
{
	static const char *const short_heads[] = {NULL, "IF_SO", "DIFFERENCE"};
	static const char *const plain[] = {"", "_if_so", "_difference"};
	bool csv = c->s->options.csv;
	struct arena *arena = &c->s->scratch;
	const char **texts = arena_array(arena, c->wide.n, sizeof(*texts));

	for (size_t i = 0; i < c->wide.n; i++) {
		const struct member *type = c->wide.v[i].type;
		const char *part = short_heads[c->parts[i]];

		if (!type)
			continue;
		if (csv)
			texts[i] = arena_printf(arena, "%s%s",
				member_key(type, arena), plain[c->parts[i]]);
		else
			texts[i] = part ? part : type->heading;
	}
	if (c->s->options.heading)
		format_line(&c->wide, texts, WHOLE_HEADING, csv);
}

/* ---- lines ---------------------------------------------------------------*/

static const char *side_text(const struct comparison *c,
	const struct queue_row *row, const struct member *type)
{
	if (!row)
		return "";
	if (!strcmp(type->names, "StartTime") && queue_starts_now(row))
		return "now";
	return cell_text(type, row, &c->s->scratch);
}

/* To people, who look for what moves, nothing where it is 0. */
static const char *difference_text(const struct comparison *c,
	const struct pair *p, const struct moving *moving)
{
	const char *text;

	if (!p->before || !p->after)
		return "";
	text = moving->difference(p, &c->s->scratch);
	return c->s->options.csv || text[strspn(text, "+-0:")] ? text : "";
}

static const char *cell(
	const struct comparison *c, const struct pair *p, size_t i)
{
	const struct member *type = c->wide.v[i].type;
	const struct moving *moving = moving_of(type);

	if (!type)
		return "";
	if (!moving)
		return side_text(c, p->after ? p->after : p->before, type);
	if (c->parts[i] == BEFORE)
		return side_text(c, p->before, type);
	if (c->parts[i] == AFTER)
		return side_text(c, p->after, type);
	return difference_text(c, p, moving);
}

static void print_pair(const struct comparison *c, const struct pair *p)
{
	const char **texts;

	arena_reset(&c->s->scratch);
	texts = arena_array(&c->s->scratch, c->wide.n, sizeof(*texts));
	for (size_t i = 0; i < c->wide.n; i++)
		texts[i] = cell(c, p, i);
	format_line(&c->wide, texts, WHOLE_VALUE, c->s->options.csv);
}

static struct json_object *side_record(
	const struct comparison *c, const struct queue_row *row)
{
	struct value now;
	struct json_object *record;

	if (!row)
		return NULL;
	now = of_bool(queue_starts_now(row));
	record = json_record();
	queue_put_moving(record, row, &c->s->scratch);
	json_put(record, "starts_now", &now, NULL);
	return record;
}

static void write_pair(struct comparison *c, const struct pair *p)
{
	const struct queue_row *row = p->after ? p->after : p->before;
	struct json_object *record = json_record();

	arena_reset(&c->s->scratch);
	queue_put_identity(record, row, &c->s->scratch);
	json_put_object(record, "before", side_record(c, p->before));
	json_put_object(record, "after", side_record(c, p->after));
	json_put_object(record, "difference/priority", NULL);
	json_put_object(record, "difference/start_time", NULL);
	if (p->before && p->after)
		json_put_int(record, "difference/priority", higher(p));
	if (starts_are_known(p))
		json_put_int(record, "difference/start_time", later(p));
	json_write(&c->doc, record);
}

/* ---- both sides, side by side --------------------------------------------*/

static int compare_identity(const void *a, const void *b)
{
	const struct queue_row *x = a, *y = b;

	if (x->job->id != y->job->id)
		return x->job->id < y->job->id ? -1 : 1;
	if (x->job->submit != y->job->submit)
		return x->job->submit < y->job->submit ? -1 : 1;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	return strcmp(x->partition, y->partition);
}

static void sort_by_identity(struct rows *rows)
{
	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), compare_identity);
}

/* Which lines are the same; the rest has one side only. */
static size_t match(struct pair *pairs, struct rows *before, struct rows *after)
{
	size_t i = 0, j = 0, n = 0;

	sort_by_identity(before);
	sort_by_identity(after);
	while (i < before->n || j < after->n) {
		struct pair pair = {NULL, NULL};
		int order = i == before->n  ? 1
			    : j == after->n ? -1
					    : compare_identity(&before->v[i],
						      &after->v[j]);

		if (order <= 0)
			pair.before = &before->v[i++];
		if (order >= 0)
			pair.after = &after->v[j++];
		pairs[n++] = pair;
	}
	return n;
}

/* In the order of the lines as they would be. */
static void tell_pairs(struct comparison *c, const struct pair *pairs, size_t n)
{
	struct arena *arena = &c->s->site.arena;
	struct rows shown = {.n = n};

	shown.v = arena_array(arena, n, sizeof(*shown.v));
	for (size_t i = 0; i < n; i++) {
		shown.v[i] =
			pairs[i].after ? *pairs[i].after : *pairs[i].before;
		shown.v[i].order = i;
	}
	sort_rows(&shown, c->s->options.sort);
	for (size_t i = 0; i < n; i++) {
		if (c->s->options.form)
			write_pair(c, &pairs[shown.v[i].order]);
		else
			print_pair(c, &pairs[shown.v[i].order]);
	}
}

static bool load(struct comparison *c, struct rows *rows, struct site *site,
	const char *cluster)
{
	struct session *s = c->s;
	struct queue *queue = arena_alloc(&s->site.arena, sizeof(*queue));
	int found = squeue_load(rows, queue, &s->options, site, &s->privacy,
		cluster, &s->site.arena);

	if (found < 0)
		cli_die(site->store.err);
	return found;
}

static void compare_cluster(struct comparison *c, const char *cluster)
{
	struct rows before = {0}, after = {0};
	bool known = load(c, &before, &c->s->site, cluster);
	struct pair *pairs;

	if (!load(c, &after, &c->what.site, cluster) && !known) {
		session_no_job(c->s);
		return;
	}
	pairs = arena_array(
		&c->s->site.arena, before.n + after.n, sizeof(*pairs));
	tell_pairs(c, pairs, match(pairs, &before, &after));
}

/* ---- all -----------------------------------------------------------------*/

static void tell(struct comparison *c)
{
	struct session *s = c->s;
	bool titles = session_titles(s);

	for (size_t i = 0; i < s->clusters.n; i++) {
		if (titles && s->options.heading)
			printf("%sCLUSTER: %s\n", i ? "\n" : "",
				s->clusters.v[i]);
		if (!s->options.form && (titles || !i))
			print_heading(c);
		compare_cluster(c, s->clusters.v[i]);
	}
}

void squeue_whatif(struct session *s)
{
	struct comparison c = {.s = s};

	if (whatif_open(&c.what, &s->site, &s->options.what_if, s->site.now,
		    false, &s->err))
		cli_die(&s->err);
	c.what.site.now = s->site.now; /* one moment for both */
	if (s->options.form)
		json_begin(&c.doc, stdout, s->options.form, "what_if");
	else
		widen(&c);
	tell(&c);
	if (s->options.form && json_end(&c.doc, NULL, &s->meta, &s->err))
		cli_die(&s->err);
	whatif_close(&c.what);
}
