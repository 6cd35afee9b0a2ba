/*
 * srecord reservation: what was or will be reserved, and for whom. What is not
 * given keeps its value.
 */
#include "db/record/record.h"

#include <stdlib.h>

#include "common/text/hostlist.h"
#include "db/entity/capacity.h"
#include "db/entity/reservation.h"
#include "db/store/txn.h"

struct reservation_facts {
	struct number id, start, end, unused;
	const char *name, *cluster, *nodes, *accounts, *users, *assocs;
	const char *flags, *comment;
	struct tres_list tres;
};

#define F(...) WORD_ROW(reservation_facts, __VA_ARGS__)
#define W(names, type, member, help) F(names, type, member, NULL, help)

/* clang-format off */
const struct word_row reservation_words[] = {
	F("name:4 reservationname:15", TEXT, name, "name", "what jobs call it"),
	F("start:5 starttime:9", AHEAD, start, "start", "from when on; default now, or that of the newest of this name"),
	F("end:3 endtime:7", AHEAD, end, "end", "until when"),
	F("nodes:5", HOSTS, nodes, "nodes", "host list"),
	F("tres:4", TRES, tres, "tres", "what is reserved; default: the nodes, by slurm.conf"),
	W("accounts:4", ACCOUNT, accounts, "who may use it"),
	W("users:4", USER, users, "who may use it"),
	F("associations:5 assocs:6", TEXT, assocs, "assocs", "who may use it, by numbers"),
	F("flags:5", TEXT, flags, "flags", "MAINT, IGNORE_JOBS, DAILY ..."),
	F("comment:7", TEXT, comment, "comment", "free text"),
	W("id:2", AMOUNT, id, "its number; default: the next"),
	F("unusedwall:6", SECONDS, unused, "unused", "how long nobody used it"),
	W("cluster:7", CLUSTER, cluster, "default: this one"),
	{NULL, WORD_TEXT, 0, NULL, NULL},
};
/* clang-format on */

/* What its nodes have. */
static int set_tres(struct recording *s, const struct reservation_facts *facts,
	struct reservation *r)
{
	const struct conf_node **nodes;
	struct strv names;
	size_t n = 0;

	if (facts->tres.n || !facts->nodes)
		return 0;
	names = hostlist_names(facts->nodes, &s->arena);
	r->tres = (struct tres_list){0};
	nodes = arena_array(&s->arena, names.n, sizeof(*nodes));
	for (size_t i = 0; i < names.n; i++) {
		nodes[n] = conf_node_by_name(&s->site->conf, names.v[i]);
		n += nodes[n] != NULL;
	}
	return capacity_of_nodes(s->site, nodes, n, &s->arena, &r->tres);
}

static int set_owners(struct recording *s, const struct reservation_facts *facts,
	int64_t cluster, struct reservation *r)
{
	struct strv accounts = {0}, users = {0};

	if (!facts->accounts && !facts->users)
		return 0;
	if (facts->accounts)
		strv_split(&accounts, &s->arena, facts->accounts);
	if (facts->users)
		strv_split(&users, &s->arena, facts->users);
	if (reservation_assocs(s->store, cluster, &accounts, &users, &s->arena,
		    &r->assocs))
		return -1;
	if (*r->assocs)
		return 0;
	return err_set(&s->err, ERR_USAGE,
		"reservation %s: no association of %s%s%s%s%s is known",
		facts->name, facts->users ? "user " : "",
		facts->users ? facts->users : "",
		facts->users && facts->accounts ? " and " : "",
		facts->accounts ? "account " : "",
		facts->accounts ? facts->accounts : "");
}

static int check(struct recording *s, const struct reservation *r)
{
	if (!r->end)
		return err_set(&s->err, ERR_USAGE,
			"reservation %s: end= is missing", r->name);
	if (r->end <= r->start)
		return err_set(&s->err, ERR_USAGE,
			"reservation %s: end is not after its start", r->name);
	if (!r->tres.n)
		return err_set(&s->err, ERR_USAGE,
			"reservation %s: give tres=, or nodes= that slurm.conf "
			"knows",
			r->name);
	return 0;
}

/* The reservation meant, or a new one. */
static int find(struct recording *s, const struct reservation_facts *facts,
	int64_t cluster, struct reservation *r)
{
	uint32_t id = facts->id.given ? (uint32_t)facts->id.v : 0;
	int64_t start = facts->start.given ? facts->start.v : 0;
	int found = reservation_find(
		s->store, cluster, facts->name, id, start, &s->arena, r);

	if (found)
		return found < 0 ? -1 : 0;
	*r = (struct reservation){
		.id = id,
		.start = s->site->now,
		.nodes = "",
		.assocs = "",
		.flags = "",
		.comment = "",
	};
	return 0;
}

int record_reservation(struct recording *s, char **words, int n)
{
	struct reservation_facts facts = {0};
	struct reservation r;
	int64_t cluster;
	bool is_new;

	if (read_words(s, reservation_words, words, n, &facts))
		return -1;
	if (!facts.name)
		return err_set(&s->err, ERR_USAGE, "name= is missing");
	cluster = find_cluster(s, facts.cluster);
	if (cluster <= 0 || find(s, &facts, cluster, &r))
		return -1;
	is_new = !r.name;
	take_facts(reservation_words, &facts, &reservation_members, &r);
	if (set_tres(s, &facts, &r) || set_owners(s, &facts, cluster, &r) || check(s, &r))
		return -1;
	log_fact(s, is_new ? TXN_ADD_RESERVATION : TXN_MODIFY_RESERVATION,
		facts.cluster, facts.name);
	return reservation_save(s->store, cluster, &r);
}
