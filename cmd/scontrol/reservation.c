/*
 * scontrol show reservation.
 */
#include "cmd/scontrol/scontrol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"
#include "common/text/hostlist.h"
#include "common/text/timespec.h"
#include "db/entity/assoc.h"

struct row {
	const struct machine *machine;
	const struct reservation *of;
	struct strv names, users, accounts;
};

static uint64_t count(const struct row *row, uint32_t id)
{
	return tres_list_count(&row->of->tres, id);
}

/* CPUs that the record tells, else those of its nodes. */
static uint64_t cores(const struct row *row)
{
	uint64_t found = count(row, TRES_CPU);

	for (size_t i = 0; !count(row, TRES_CPU) && i < row->names.n; i++) {
		const struct machine_node *node =
			machine_node(row->machine, row->names.v[i]);

		found += node ? node->conf->cpus : 0;
	}
	return found;
}

static const char *tres(const struct row *row, struct arena *arena)
{
	if (row->of->tres.n)
		return tres_list_format(&row->of->tres,
			&row->machine->site->store.tres, TRES_BY_ID, arena);
	return arena_printf(arena, "cpu=%" PRIu64, cores(row));
}

#define GET(name, expression) GETTER(name, struct row, expression)
#define TEXT(name, expression) GET(name, of_text(expression))
TEXT(duration, duration_format(arena, reservation_duration(row->of)))
TEXT(nodes, or_null_text(row->of->nodes))
GET(n_nodes, of_uint(row->names.n))
GET(cores, of_uint(cores(row)))
TEXT(tres, tres(row, arena))
TEXT(users, or_null_text(strv_join(&row->users, ",", arena)))
TEXT(accounts, or_null_text(strv_join(&row->accounts, ",", arena)))
TEXT(state, reservation_is_active(row->of, row->machine->site->now)
		    ? "ACTIVE" : "INACTIVE")
GET(comment, some_text(row->of->comment))
GET(start_number, of_limit((uint64_t)row->of->start))
GET(end_number, of_limit(row->of->end ? (uint64_t)row->of->end : INFINITE64))
TEXT(users_list, strv_join(&row->users, ",", arena))
TEXT(accounts_list, strv_join(&row->accounts, ",", arena))

static struct value flag_words(const struct row *row, struct arena *arena)
{
	struct strv words = {0};

	strv_words(&words, arena, row->of->flags);
	return of_words(words, arena);
}
GET(flag_words, flag_words(row, arena))

#define OF(type, member)                                                       \
	THROUGH(struct row, of, MEMBER_##type, struct reservation, member)
#define LINE .marks = SHOWN_LINE

static const struct member rows[] = {
	{.names = "ReservationName", OF(TEXT, name)},
	{.names = "StartTime", OF(KNOWN_TIME, start)},
	{.names = "EndTime", OF(KNOWN_TIME, end)},
	{.names = "Duration", .get = get_duration},
	{.names = "Nodes", .get = get_nodes, LINE},
	{.names = "NodeCnt", .get = get_n_nodes},
	{.names = "CoreCnt", .get = get_cores},
	{.names = "Features", .constant = "(null)"},
	{.names = "PartitionName", .constant = "(null)"},
	{.names = "Flags", OF(TEXT, flags)},
	{.names = "TRES", .get = get_tres, LINE},
	{.names = "Users", .get = get_users, LINE},
	{.names = "Groups", .constant = "(null)"},
	{.names = "Accounts", .get = get_accounts},
	{.names = "Licenses", .constant = "(null)"},
	{.names = "State", .get = get_state},
	{.names = "BurstBuffer", .constant = "(null)"},
	{.names = "MaxStartDelay", .constant = "(null)", LINE},
	{.names = "Comment", .get = get_comment, LINE},
};
static const struct members shown = MEMBERS(rows);

static const struct member records[] = {
	{.json = "accounts", .get = get_accounts_list},
	{.json = "burst_buffer", .constant = ""},
	{.json = "core_count", .get = get_cores},
	{.json = "core_specializations", NO_WORDS},
	{.json = "end_time", .get = get_end_number},
	{.json = "features", .constant = ""},
	{.json = "flags", .get = get_flag_words},
	{.json = "groups", .constant = ""},
	{.json = "licenses", .constant = ""},
	{.json = "max_start_delay", SAME_UINT(0)},
	{.json = "name", OF(TEXT, name)},
	{.json = "node_count", .get = get_n_nodes},
	{.json = "node_list", OF(TEXT, nodes)},
	{.json = "partition", .constant = ""},
	{.json = "purge_completed/time", SAME_LIMIT(NO_VAL)},
	{.json = "start_time", .get = get_start_number},
	{.json = "tres", .get = get_tres},
	{.json = "users", .get = get_users_list},
};
static const struct members documented = MEMBERS(records);

/* ---- whose it is ---------------------------------------------------------*/

static const struct assoc *find_assoc(
	const struct assoc_list *list, const char *id)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i]->id == (uint32_t)strtoul(id, NULL, 10))
			return list->v[i];
	return NULL;
}

/* Users by name; accounts where no user is meant. */
static void read_owners(struct session *s, struct row *row)
{
	struct assoc_cond cond = {.without_limits = true};
	struct assoc_list list = {0};

	strv_words(&cond.ids, s->arena, row->of->assocs);
	strv_push(&cond.clusters, s->arena, s->site.cluster);
	if (cond.ids.n &&
		assoc_list(&s->site.store, &cond, s->arena, &list))
		cli_die(&s->err);
	for (size_t i = 0; i < cond.ids.n; i++) {
		const struct assoc *assoc = find_assoc(&list, cond.ids.v[i]);
		struct strv *names;
		const char *name;

		if (!assoc)
			continue;
		names = *assoc->user ? &row->users : &row->accounts;
		name = *assoc->user ? assoc->user : assoc->account;
		if (!strv_has(names, name))
			strv_push(names, s->arena, name);
	}
}

static struct row row_of(struct session *s, const struct reservation *of)
{
	struct row row = {.machine = &s->machine,
		.of = of,
		.names = hostlist_names(of->nodes, s->arena)};

	read_owners(s, &row);
	return row;
}

static void list(struct session *s, const char *name, struct json_doc *doc)
{
	const struct reservation_list *all = &s->machine.plan.reservations;
	bool found = false;

	for (size_t i = 0; i < all->n; i++) {
		struct row row;

		if (name && strcmp(name, all->v[i].name))
			continue;
		row = row_of(s, &all->v[i]);
		scontrol_show(s, doc, &shown, &documented, &row);
		found = true;
	}
	if (name && !found)
		scontrol_missing(s, "Reservation", name);
	else if (!found && !doc && !s->quiet)
		puts("No reservations in the system");
}

void show_reservations(struct session *s, const char *name)
{
	struct json_doc whole, *doc;

	scontrol_load(s);
	doc = scontrol_begin(s, &whole, "reservations");
	list(s, name, doc);
	scontrol_end(s, doc, NULL);
}
