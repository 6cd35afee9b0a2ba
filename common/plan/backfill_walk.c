/*
 * What the table leaves over the time of a job, and which tries are not worth
 * making: part of common/plan/backfill.h.
 */
#include <string.h>

#include "common/base/bits.h"
#include "common/base/numbers.h"
#include "common/plan/backfill_pass.h"

/* ---- the table over the time of the job ----------------------------------*/

struct ns_record *backfill_record(const struct attempt *a, uint32_t index)
{
	return &a->p->ns.v[index];
}

/* Would the successor offer a node that has been left out so far? */
static bool offers_more_nodes(const struct attempt *a,
	const struct ns_record *r, const struct ns_record *next)
{
	const struct pass *p = a->p;

	for (size_t w = a->words.first; w < a->words.end; w++)
		if (p->entry[w] & next->avail[w] &
			~(p->usable[w] & r->avail[w]))
			return true;
	return false;
}

/* Is less promised of one in the next? None was in those in front: then this
 * would not be asked. */
static bool offers_more_amounts(
	const struct attempt *a, const struct ns_record *r)
{
	for (size_t w = a->words.first; w < a->words.end; w++)
		if (a->p->entry[w] & r->eases[w])
			return true;
	return false;
}

static bool offers_more_licenses(const struct attempt *a,
	const struct ns_record *r, const struct ns_record *next)
{
	for (size_t i = 0; a->job->licenses && i < a->p->ns.n_licenses; i++)
		if (a->job->licenses[i] && next->licenses[i] > r->licenses[i])
			return true;
	return false;
}

static bool offers_more(const struct attempt *a, const struct ns_record *r)
{
	const struct ns_record *next = backfill_record(a, r->next);

	return offers_more_nodes(a, r, next) ||
	       offers_more_licenses(a, r, next) ||
	       (a->p->ns.amounts && offers_more_amounts(a, r));
}

bool backfill_licenses_left(const struct attempt *a, const struct ns_record *r)
{
	for (size_t i = 0; a->job->licenses && i < a->p->ns.n_licenses; i++)
		if (a->job->licenses[i] > r->licenses[i])
			return false;
	return true;
}

/* Keeps of the set what is in the other, too; both lie in the partition. */
static void keep(const struct attempt *a, uint64_t *set, const uint64_t *other)
{
	bits_and(set + a->words.first, other + a->words.first,
		a->words.end - a->words.first);
}

bool backfill_enough(const struct attempt *a, const uint64_t *set)
{
	return blocks_enough_and(
		a->p->blocks, set, set, a->words, a->n_nodes);
}

/* Amounts of nodes in the words of the partition. */
static size_t amounts_from(const struct attempt *a)
{
	return a->words.first * 64 * a->p->ns.amounts;
}

static size_t amounts_end(const struct attempt *a)
{
	size_t n = a->words.end * 64;

	return (n < a->p->ns.n_nodes ? n : a->p->ns.n_nodes) * a->p->ns.amounts;
}

/* How much of the amount running jobs give back behind `from` until then. */
static uint64_t given_back(const struct schedule *s, size_t node, size_t amount,
	int64_t from, int64_t then)
{
	const struct sched_node *n = &s->nodes[node];
	uint64_t sum = 0;

	for (size_t i = 0; i < n->jobs && n->shares[i].end <= then; i++) {
		const struct sched_share *share = &n->shares[i];
		const struct sched_running *r = &s->running[share->running];

		if (share->end <= from)
			continue;
		if (amount < 2)
			sum += amount ? share->mem : share->cpus;
		else if (r->job->gres)
			sum += gres_share(r->job, amount - 2, r->start.n_nodes);
	}
	return sum;
}

void backfill_add_promised(const struct attempt *a, const struct ns_record *r,
	size_t node, int64_t from)
{
	const struct pass *p = a->p;
	size_t per = p->ns.amounts;
	int64_t then = a->may_push ? from : larger(r->begin, from);

	for (size_t i = 0; i < per; i++) {
		uint32_t *to = &p->promised[node * per + i];
		uint64_t more = r->promised[node * per + i], less;

		if (more <= *to)
			continue;
		less = given_back(p->s, node, i, from, then);
		if (more > less && more - less > *to)
			*to = (uint32_t)(more - less);
	}
}

void backfill_nothing_promised(const struct attempt *a)
{
	size_t from = amounts_from(a), end = amounts_end(a);

	if (end > from)
		memset(a->p->promised + from, 0,
			(end - from) * sizeof(*a->p->promised));
}

/* The table knows in each record the nodes with room for the need. */
static bool knows_left(const struct attempt *a)
{
	return a->p->ns.amounts && a->need < NS_NEEDS;
}

bool backfill_few_left(const struct attempt *a)
{
	const struct pass *p = a->p;
	size_t n = 0;

	for (size_t w = a->words.first; w < a->words.end; w++)
		n += bits_of_word(p->usable[w] & p->left[w]);
	return n < a->n_nodes;
}

/* Where some of what runs may be preempted, all that is promised is asked for. */
bool backfill_asks_left(const struct attempt *a)
{
	return a->p->ns.amounts && !a->may_push;
}

static void keep_left(const struct attempt *a, const struct ns_record *r)
{
	const struct pass *p = a->p;

	if (knows_left(a)) {
		keep(a, p->left, r->left[a->need]);
		return;
	}
	for (size_t w = a->words.first; w < a->words.end; w++)
		for (uint64_t set = p->usable[w] & p->left[w]; set;
			set &= set - 1) {
			size_t node = w * 64 + (size_t)__builtin_ctzll(set);

			if (nodespace_blocked(&p->ns, r, p->least,
				    a->need_whole, node))
				bits_clear(p->left, node);
		}
}

static void add_of_usable(const struct attempt *a, const struct ns_record *r)
{
	const struct pass *p = a->p;
	bool left = backfill_asks_left(a);

	for (size_t w = a->words.first; w < a->words.end; w++)
		for (uint64_t set = p->usable[w] &
				    (left ? p->left[w] : UINT64_MAX);
			set; set &= set - 1)
			backfill_add_promised(a, r,
				w * 64 + (size_t)__builtin_ctzll(set), a->from);
}

void backfill_promised_of_left(const struct attempt *a, int64_t end)
{
	const struct ns_record *r = backfill_record(a, a->record);

	if (!backfill_asks_left(a) || backfill_few_left(a))
		return;
	for (;; r = backfill_record(a, r->next)) {
		if (r->begin > end)
			return;
		if (r->end > a->from)
			add_of_usable(a, r);
		if (!r->next)
			return;
	}
}

/* Nodes that have room in the record, beside what runs. */
static const uint64_t *left_in(
	const struct attempt *a, const struct ns_record *r)
{
	return knows_left(a) ? r->left[a->need] : r->avail;
}

static bool enough_left(const struct attempt *a, uint32_t record)
{
	const struct pass *p = a->p;
	const struct sched_words *words = &a->words;

	if (!knows_left(a))
		return nodespace_count(&p->ns, record, a->partition) >=
		       a->n_nodes;
	return bits_enough_and(p->ns.v[record].left[a->need] + words->first,
		a->choice->partition->bits + words->first,
		words->end - words->first, a->n_nodes);
}

/* The first record that ends behind `from`. `from` never goes back. */
void backfill_find_record(struct attempt *a)
{
	uint32_t near = nodespace_near(&a->p->ns, a->from);

	if (backfill_record(a, near)->begin >
		backfill_record(a, a->record)->begin)
		a->record = near;
	while (backfill_record(a, a->record)->end <= a->from &&
		backfill_record(a, a->record)->next)
		a->record = backfill_record(a, a->record)->next;
}

/* ---- tries that are not worth it -----------------------------------------*/

/* How far behind `later` the test of nodes may look: its last group of ends
 * reaches at most as far beyond that as that lies ahead. */
static int64_t reach(const struct attempt *a)
{
	enum { FIRST_GROUP = 60 };
	int64_t linear = a->p->b->params.bf_window_linear;
	int64_t beyond = a->later - a->from;

	if (a->p->rules.exact)
		return a->later;
	if (beyond < FIRST_GROUP)
		beyond = FIRST_GROUP;
	return a->later + (beyond > linear ? beyond : linear);
}

/* Nodes that are left, in this record too, and have room as early as the test
 * would look ahead: `ready`. Are they enough? */
static bool find_ready(struct attempt *a, const struct ns_record *r)
{
	struct pass *p = a->p;
	const uint64_t *early, *left = left_in(a, r);

	(void)backfill_fits(a);
	early = backfill_early(a, reach(a));
	for (size_t w = a->words.first; w < a->words.end; w++)
		p->ready[w] = p->usable[w] & left[w] & early[w];
	return backfill_enough(a, p->ready);
}

/* Are enough of the ready nodes left during the whole time of the job? */
static bool ready_enough(const struct attempt *a, int64_t end)
{
	enum { FEW = 4 }; /* records after which counting pays */
	struct pass *p = a->p;

	for (uint32_t index = a->record, n = 1;; n++) {
		const struct ns_record *r = backfill_record(a, index);

		if (r->begin > end)
			break;
		keep(a, p->ready, left_in(a, r));
		if (!r->next)
			break;
		if (n % FEW == 0 && !backfill_enough(a, p->ready))
			return false;
		index = r->next;
	}
	return backfill_enough(a, p->ready);
}

/* The first record from a->record on at which the job can start without meeting
 * a record that has too few nodes; UINT32_MAX: none. Records before a->clear
 * are known to have enough. */
static uint32_t first_clear(struct attempt *a)
{
	struct pass *p = a->p;
	uint32_t clear = a->record, index = a->record;
	int64_t from = a->from;

	if (backfill_record(a, a->clear)->begin > from)
		index = a->clear;
	for (;; index = backfill_record(a, index)->next) {
		const struct ns_record *r = backfill_record(a, index);

		a->clear = index;
		if (r->begin > from + a->seconds - !p->rules.end_counts)
			return clear;
		if (!enough_left(a, index)) {
			clear = r->next ? r->next : UINT32_MAX;
			from = r->end;
		}
		if (!r->next)
			return clear;
	}
}

/*
 * `later` is known: is all before it in vain? Then the outcome of the try is.
 * Starts before the end of a full record would all meet it: `later` moves
 * there; behind the last record there is nothing.
 */
static bool in_vain(struct attempt *a, const struct ns_record *r, int64_t end)
{
	bool by_fit = a->counted && r->begin <= end &&
		      (!a->p->ns.amounts || knows_left(a));
	uint32_t clear;

	if (a->no_reserve)
		return false;
	if (by_fit && !find_ready(a, r))
		return true;
	clear = first_clear(a);
	if (clear == a->record)
		return by_fit && !ready_enough(a, end);
	if (clear == UINT32_MAX)
		a->later = 0;
	else if (backfill_record(a, clear)->begin > a->later)
		a->later = backfill_record(a, clear)->begin;
	return true;
}

/*
 * The nodes left during [from, end] become `usable` and `promised`; the first
 * end of a record after which there are more becomes `later`. False: too few to
 * be worth a test.
 */
bool backfill_walk(struct attempt *a, int64_t end)
{
	struct pass *p = a->p;
	const struct ns_record *r = backfill_record(a, a->record);
	bool left = backfill_asks_left(a);
	bool promised = p->ns.amounts && !left;

	if (left)
		memset(p->left, 0xff, p->ns.words * sizeof(*p->left));
	for (;;) {
		if (!a->later && r->next && offers_more(a, r)) {
			a->later = r->end;
			if (in_vain(a, r, end))
				return false;
		}
		if (r->begin > end)
			break;
		keep(a, p->usable, r->avail);
		if (left)
			keep_left(a, r);
		if (promised)
			add_of_usable(a, r);
		if (!backfill_licenses_left(a, r)) {
			a->later = r->end;
			return false;
		}
		if (!r->next)
			return true;
		r = backfill_record(a, r->next);
	}
	if (!a->later && r->next && backfill_record(a, r->next)->next)
		a->later = backfill_record(a, r->next)->end;
	return true;
}
