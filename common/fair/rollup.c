#include "common/fair/rollup.h"

#include <string.h>

#include "common/base/numbers.h"

/* ---- amounts ------------------------------------------------------------ */

int64_t usage_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t cluster_usage_reported(const struct cluster_usage *c)
{
	int64_t sum = usage_sum(usage_sum(c->alloc, c->down), c->pdown);

	return usage_sum(usage_sum(sum, c->idle), c->plan);
}

int64_t usage_product(uint64_t count, int64_t seconds)
{
	uint64_t amount;

	if (__builtin_mul_overflow(count, (uint64_t)seconds, &amount) ||
		amount > INT64_MAX)
		return INT64_MAX;
	return (int64_t)amount;
}

void cluster_usage_add(
	struct cluster_usage *sum, const struct cluster_usage *more)
{
	sum->count = larger(sum->count, more->count);
	sum->alloc = usage_sum(sum->alloc, more->alloc);
	sum->down = usage_sum(sum->down, more->down);
	sum->pdown = usage_sum(sum->pdown, more->pdown);
	sum->idle = usage_sum(sum->idle, more->idle);
	sum->plan = usage_sum(sum->plan, more->plan);
	sum->over = usage_sum(sum->over, more->over);
}

/* ---- cells -------------------------------------------------------------- */

void usage_cells_init(
	struct usage_cells *cells, size_t n_tres, struct arena *arena)
{
	*cells = (struct usage_cells){.arena = arena, .n_tres = n_tres};
}

/* FNV-1a over what makes a cell. */
static uint32_t hash(int64_t assoc, uint32_t qos, const char *wckey)
{
	uint64_t h = 14695981039346656037u;

	h = (h ^ (uint64_t)assoc) * 1099511628211u;
	h = (h ^ qos) * 1099511628211u;
	for (; *wckey; wckey++)
		h = (h ^ (unsigned char)*wckey) * 1099511628211u;
	return (uint32_t)(h ^ h >> 32);
}

static bool is_cell(const struct usage_cell *cell, int64_t assoc, uint32_t qos,
	const char *wckey)
{
	return cell->assoc == assoc && cell->qos == qos &&
	       !strcmp(cell->wckey, wckey);
}

/* The slot of the cell, or the free one it would take. */
static uint32_t *find_slot(const struct usage_cells *cells, int64_t assoc,
	uint32_t qos, const char *wckey)
{
	size_t mask = cells->n_slots - 1;
	size_t i = hash(assoc, qos, wckey) & mask;

	while (cells->slots[i] &&
		!is_cell(&cells->v[cells->slots[i] - 1], assoc, qos, wckey))
		i = (i + 1) & mask;
	return &cells->slots[i];
}

static void grow_slots(struct usage_cells *cells)
{
	cells->n_slots = cells->n_slots ? 2 * cells->n_slots : 32;
	cells->slots = arena_array(
		cells->arena, cells->n_slots, sizeof(*cells->slots));
	for (size_t i = 0; i < cells->n; i++)
		*find_slot(cells, cells->v[i].assoc, cells->v[i].qos,
			cells->v[i].wckey) = (uint32_t)i + 1;
}

struct usage_cell *usage_cells_at(struct usage_cells *cells, int64_t assoc,
	uint32_t qos, const char *wckey)
{
	struct usage_cell *cell;
	uint32_t *slot;

	if (2 * cells->n >= cells->n_slots)
		grow_slots(cells);
	slot = find_slot(cells, assoc, qos, wckey);
	if (*slot)
		return &cells->v[*slot - 1];
	cell = ARENA_PUSH(cells->arena, cells->v, cells->n, cells->cap);
	*slot = (uint32_t)cells->n;
	cell->assoc = assoc;
	cell->qos = qos;
	cell->wckey = *wckey ? arena_strdup(cells->arena, wckey) : "";
	cell->secs =
		arena_array(cells->arena, cells->n_tres, sizeof(*cell->secs));
	return cell;
}

/* ---- hours -------------------------------------------------------------- */

/* Gives its end. */
static int64_t add_hour(struct rollup *r, int64_t start)
{
	struct rollup_hour *hour =
		ARENA_PUSH(r->arena, r->hours, r->n_hours, r->cap_hours);

	hour->start = start;
	hour->end = span_next(start, SPAN_HOUR);
	hour->cluster =
		arena_array(r->arena, r->n_tres, sizeof(*hour->cluster));
	hour->total = arena_array(r->arena, r->n_tres, sizeof(*hour->total));
	usage_cells_init(&hour->cells, r->n_tres, r->arena);
	return hour->end;
}

void rollup_init(struct rollup *r, int64_t from, int64_t until,
	const uint32_t *tres, size_t n_tres, struct arena *arena)
{
	*r = (struct rollup){.arena = arena,
		.from = from,
		.until = until,
		.tres = tres,
		.n_tres = n_tres};
	while (from < until)
		from = add_hour(r, from);
}

static size_t index_of(const struct rollup *r, uint32_t id)
{
	size_t i = 0;

	while (i < r->n_tres && r->tres[i] != id)
		i++;
	return i;
}

/* A stretch of time as the hours see it. */
struct hour_span {
	int64_t start, end;
	size_t first, last; /* hours; none when first > last */
};

/* Hours may be shorter, so it is this one or a later one. */
static size_t hour_of(const struct rollup *r, int64_t when)
{
	size_t i = (size_t)((when - r->from) / SPAN_HOUR_MOST);

	while (r->hours[i].end <= when)
		i++;
	return i;
}

static struct hour_span clip(const struct rollup *r, int64_t start, int64_t end)
{
	struct hour_span s = {larger(start, r->from), r->until, 1, 0};

	if (end)
		s.end = smaller(end, r->until);
	if (s.end <= s.start)
		return s;
	s.first = hour_of(r, s.start);
	s.last = hour_of(r, s.end - 1);
	return s;
}

static int64_t seconds_in(
	const struct hour_span *s, const struct rollup_hour *hour)
{
	return smaller(s->end, hour->end) - larger(s->start, hour->start);
}

/* ---- events and reservations -------------------------------------------- */

/* Nodes are shared, so a cluster has no capacity in them: as in Slurm they
 * count in the hours in which one is down, and nothing bounds them there. */
static void add_event(struct rollup_hour *hour, size_t index, bool nodes,
	enum rollup_event_kind kind, uint64_t count, int64_t seconds)
{
	struct cluster_usage *usage = &hour->cluster[index];
	int64_t amount = usage_product(count, seconds);

	if (nodes && kind == ROLLUP_CAPACITY)
		return;
	if (nodes && !usage->count)
		usage->count = usage_product(count, 1);
	if (!nodes && (kind == ROLLUP_CAPACITY ||
			      kind == ROLLUP_CONTROLLER_DOWN)) {
		usage->count = larger(usage->count, usage_product(count, 1));
		hour->total[index] = usage_sum(hour->total[index], amount);
	}
	if (kind == ROLLUP_DOWN || kind == ROLLUP_CONTROLLER_DOWN)
		usage->down = usage_sum(usage->down, amount);
	if (kind == ROLLUP_PLANNED_DOWN)
		usage->pdown = usage_sum(usage->pdown, amount);
}

void rollup_add_event(struct rollup *r, const struct rollup_event *event)
{
	struct hour_span s = clip(r, event->start, event->end);

	for (size_t t = 0; t < event->tres->n; t++) {
		size_t index = index_of(r, event->tres->v[t].id);

		if (index == r->n_tres)
			continue;
		for (size_t h = s.first; h <= s.last; h++)
			add_event(&r->hours[h], index,
				r->tres[index] == TRES_NODE, event->kind,
				event->tres->v[t].count,
				seconds_in(&s, &r->hours[h]));
	}
}

static void reserve(struct rollup *r, const struct rollup_reservation *resv,
	const struct tres_count *tres)
{
	struct hour_span s = clip(r, resv->start, resv->end);
	size_t index = index_of(r, tres->id);

	if (index == r->n_tres)
		return;
	for (size_t h = s.first; h <= s.last; h++) {
		struct cluster_usage *usage = &r->hours[h].cluster[index];
		int64_t *into =
			resv->planned_down ? &usage->pdown : &usage->alloc;

		*into = usage_sum(*into,
			usage_product(tres->count, seconds_in(&s, &r->hours[h])));
	}
}

void rollup_add_reservation(
	struct rollup *r, const struct rollup_reservation *resv)
{
	struct rollup_reservation *own;

	own = ARENA_PUSH(r->arena, r->reservations, r->n_reservations,
		r->cap_reservations);
	*own = *resv;
	own->used = arena_array(
		r->arena, r->n_hours * r->n_tres, sizeof(*own->used));
	for (size_t t = 0; !resv->ignored && t < resv->tres->n; t++)
		reserve(r, resv, &resv->tres->v[t]);
}

/* The reservation that the run's time was already charged to. */
static struct rollup_reservation *reservation_of(
	const struct rollup *r, const struct rollup_run *run)
{
	if (!*run->reservation)
		return NULL;
	for (size_t i = 0; i < r->n_reservations; i++) {
		struct rollup_reservation *resv = &r->reservations[i];

		if (!resv->ignored && !strcmp(resv->name, run->reservation) &&
			run->start >= resv->start &&
			(!resv->end || run->start < resv->end))
			return resv;
	}
	return NULL;
}

/* Unused time of a reservation is charged to those who may use it, in equal
 * parts. */
static void share_rest(struct rollup *r, const struct rollup_reservation *resv,
	size_t h, const struct tres_count *tres)
{
	struct hour_span s = clip(r, resv->start, resv->end);
	size_t index = index_of(r, tres->id);
	int64_t rest;

	if (index == r->n_tres)
		return;
	rest = usage_product(tres->count, seconds_in(&s, &r->hours[h])) -
	       resv->used[h * r->n_tres + index];
	for (size_t i = 0; rest > 0 && i < resv->n_heirs; i++) {
		const struct rollup_heir *heir = &resv->heirs[i];
		struct usage_cell *cell = usage_cells_at(
			&r->hours[h].cells, heir->assoc, heir->qos, "");

		cell->secs[index] = usage_sum(
			cell->secs[index], rest / (int64_t)resv->n_heirs);
	}
}

static void share_rests(struct rollup *r, const struct rollup_reservation *resv)
{
	struct hour_span s = clip(r, resv->start, resv->end);

	if (resv->ignored || resv->planned_down || !resv->n_heirs)
		return;
	for (size_t h = s.first; h <= s.last; h++)
		for (size_t t = 0; t < resv->tres->n; t++)
			share_rest(r, resv, h, &resv->tres->v[t]);
}

/* ---- runs --------------------------------------------------------------- */

/* The part of the energy that falls between two moments of the run; parts
 * add up to the whole. */
static int64_t energy_part(const struct rollup_run *run, uint64_t joules,
	int64_t start, int64_t end)
{
	long double length = (long double)(run->end - run->start);
	long double all = (long double)joules;

	if (!run->end || !(length > 0) || all > (long double)INT64_MAX)
		return 0;
	return (int64_t)(all * (long double)(end - run->start) / length) -
	       (int64_t)(all * (long double)(start - run->start) / length);
}

/* What has no time is not taken out, as in Slurm. */
static int64_t suspended_part(
	const struct rollup_run *run, int64_t from, int64_t until)
{
	struct suspensions known = run->suspended;

	known.loose = 0;
	return suspended_within(&known, run->start,
		run->end ? run->end : INT64_MAX, from, until);
}

static int64_t amount_of(const struct rollup_run *run,
	const struct tres_count *tres, const struct hour_span *s,
	const struct rollup_hour *hour)
{
	int64_t start = larger(s->start, hour->start);
	int64_t seconds = seconds_in(s, hour);

	if (tres->id == TRES_ENERGY)
		return energy_part(run, tres->count, start, start + seconds);
	if (tres->id == TRES_CPU)
		seconds -= suspended_part(run, start, start + seconds);
	return usage_product(tres->count, seconds);
}

static void add_to_hour(struct rollup *r, size_t h,
	const struct rollup_run *run, const struct hour_span *s,
	struct rollup_reservation *resv)
{
	struct rollup_hour *hour = &r->hours[h];
	struct usage_cell *cell =
		usage_cells_at(&hour->cells, run->assoc, run->qos, run->wckey);

	for (size_t t = 0; t < run->alloc->n; t++) {
		size_t index = index_of(r, run->alloc->v[t].id);
		int64_t amount, *into;

		if (index == r->n_tres)
			continue;
		amount = amount_of(run, &run->alloc->v[t], s, hour);
		into = resv ? &resv->used[h * r->n_tres + index]
			    : &hour->cluster[index].alloc;
		*into = usage_sum(*into, amount);
		cell->secs[index] = usage_sum(cell->secs[index], amount);
	}
}

/* A job that waits outside of a reservation asks for CPUs. */
static void add_wait(struct rollup *r, const struct rollup_run *run)
{
	int64_t until = run->start ? run->start : run->end;
	struct hour_span s = clip(r, run->eligible, until);
	size_t index = index_of(r, TRES_CPU);

	if (!run->eligible || *run->reservation || index == r->n_tres)
		return;
	for (size_t h = s.first; h <= s.last; h++) {
		struct cluster_usage *usage = &r->hours[h].cluster[index];
		uint64_t cpus = (uint64_t)run->cpus_req *
				(run->tasks > 1 ? run->tasks : 1);

		usage->plan = usage_sum(usage->plan,
			usage_product(cpus, seconds_in(&s, &r->hours[h])));
	}
}

void rollup_add_run(struct rollup *r, const struct rollup_run *run)
{
	struct rollup_reservation *resv;
	struct hour_span s;

	add_wait(r, run);
	if (!run->start)
		return;
	resv = reservation_of(r, run);
	s = clip(r, run->start, run->end);
	for (size_t h = s.first; h <= s.last; h++)
		add_to_hour(r, h, run, &s, resv);
}

/* ---- clamps ------------------------------------------------------------- */

static void take_excess(int64_t *from, int64_t *excess)
{
	int64_t part = smaller(*from, larger(*excess, 0));

	*from -= part;
	*excess -= part;
}

static void clamp(struct cluster_usage *usage, int64_t total)
{
	int64_t excess, rest;

	usage->alloc = smaller(usage->alloc, total);
	excess = usage_sum(usage_sum(usage->alloc, usage->down), usage->pdown) -
		 total;
	take_excess(&usage->down, &excess);
	take_excess(&usage->pdown, &excess);
	rest = total - usage->alloc - usage->down - usage->pdown;
	usage->idle = larger(rest - usage->plan, 0);
	if (usage->plan > rest) {
		usage->over = usage_sum(usage->over, usage->plan - rest);
		usage->plan = rest;
	}
}

static void finish_nodes(struct cluster_usage *usage)
{
	static const struct cluster_usage none;

	if (!usage->down && !usage->pdown)
		*usage = none;
	usage->over = usage_sum(
		usage->alloc, usage_sum(usage->down, usage->pdown));
}

/* Nothing bounds energy: what was used is all there was. */
static void finish_hour(struct rollup *r, struct rollup_hour *hour)
{
	for (size_t t = 0; t < r->n_tres; t++) {
		int64_t total = hour->total[t];

		if (r->tres[t] == TRES_ENERGY)
			total = larger(total, hour->cluster[t].alloc);
		if (r->tres[t] == TRES_NODE)
			finish_nodes(&hour->cluster[t]);
		else
			clamp(&hour->cluster[t], total);
	}
}

void rollup_finish(struct rollup *r)
{
	for (size_t i = 0; i < r->n_reservations; i++)
		share_rests(r, &r->reservations[i]);
	for (size_t h = 0; h < r->n_hours; h++)
		finish_hour(r, &r->hours[h]);
}
