/*
 * What `ping` and `show stats` say of a log that several hosts share
 * (man/bursar-hosts.7).
 */
#include "cmd/sacctmgr/hosts.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stddef.h>

#include "common/table/json.h"

int hosts_read(struct session *s, struct shared_status *status)
{
	if (shared_status_read(s->site.shared_log, s->store, &s->arena, status))
		return complain_err(s);
	return 0;
}

/* "log(1) at db1 is UP, 10.11.6-MariaDB, 0.4 ms" */
static void print_host(
	struct session *s, const struct shared_host *host, size_t number)
{
	fprintf(output(s), "log(%zu) at %s is ", number, host->name);
	if (*host->why)
		fprintf(output(s), "DOWN: %s\n", host->why);
	else
		fprintf(output(s), "UP, %s, %.1f ms\n", host->version,
			host->ms);
}

static void print_age(struct session *s, const struct shared_status *status)
{
	if (status->age < 0)
		fputs("never asked\n", output(s));
	else
		fprintf(output(s), "asked %" PRId64 " seconds ago\n",
			status->age);
}

void hosts_print(struct session *s, const struct shared_status *status)
{
	for (size_t i = 0; i < status->n_hosts; i++)
		print_host(s, &status->hosts[i], i + 1);
	fprintf(output(s), "log head ");
	if (status->asked)
		fprintf(output(s),
			"%" PRId64 ", replica %" PRId64 " (%" PRId64
			" behind), ",
			status->head, status->position, status->behind);
	else
		fprintf(output(s), "unknown, replica %" PRId64 ", ",
			status->position);
	print_age(s, status);
	fprintf(output(s), "spool: %" PRId64 " wait, %" PRId64 " refused\n",
		status->waiting, status->refused);
	if (status->error)
		fprintf(output(s), "last error %" PRId64 " seconds ago: %s\n",
			status->error_age, status->error);
}

/* ---- statistics ----------------------------------------------------------*/

#define N(label, name, from_log)                                               \
	{                                                                      \
		label, "log/" #name, offsetof(struct shared_status, name),     \
			from_log                                               \
	}

/* What it counts; some of it is known only where one host answered. */
static const struct host_number {
	const char *label, *path;
	size_t offset;
	bool from_log;
} numbers[] = {
	N("Replica at:", position, false),
	N("Head:", head, true),
	N("Behind:", behind, true),
	N("First kept:", first, true),
	N("Entries:", entries, true),
	N("Bytes:", bytes, true),
};

enum { NUMBERS = sizeof(numbers) / sizeof(*numbers) };

static int64_t number_of(
	const struct shared_status *status, const struct host_number *number)
{
	return *(const int64_t *)((const char *)status + number->offset);
}

void hosts_stats(struct session *s, const struct shared_status *status)
{
	fprintf(output(s), "\nLog of several hosts\n\t%-14s%s\n",
		"Database:", status->database);
	if (status->asked)
		fprintf(output(s), "\t%-14s%s\n", "Site:", status->site);
	for (const struct host_number *n = numbers; n < numbers + NUMBERS; n++)
		if (status->asked || !n->from_log)
			fprintf(output(s), "\t%-14s%" PRId64 "\n", n->label,
				number_of(status, n));
	for (size_t i = 0; i < status->n_snapshots; i++)
		fprintf(output(s),
			"\t%-14s%" PRId64 ", %" PRId64 " bytes\n",
			"Snapshot at:", status->snapshots[i].number,
			status->snapshots[i].size);
}

static struct json_object *hosts_list(const struct shared_status *status)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < status->n_hosts; i++) {
		const struct shared_host *host = &status->hosts[i];
		struct json_object *record = json_record();

		json_put_text(record, "host", host->name);
		json_put_text(record, "state", *host->why ? "DOWN" : "UP");
		json_put_text(record, "reason", host->why);
		json_put_text(record, "version", host->version);
		json_put_real(record, "milliseconds", host->ms);
		json_object_array_add(list, record);
	}
	return list;
}

static struct json_object *snapshots_list(const struct shared_status *status)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < status->n_snapshots; i++) {
		const struct shared_snapshot *snapshot = &status->snapshots[i];
		struct json_object *record = json_record();

		json_put_int(record, "number", snapshot->number);
		json_put_int(record, "time", snapshot->time);
		json_put_int(record, "bytes", snapshot->size);
		json_object_array_add(list, record);
	}
	return list;
}

struct json_object *hosts_put(
	struct json_object *record, const struct shared_status *status)
{
	json_put_text(record, "log/database", status->database);
	json_put_text(record, "log/site", status->site);
	json_put_object(record, "log/hosts", hosts_list(status));
	json_put_int(record, "log/age", status->age);
	json_put_int(record, "log/spool/waiting", status->waiting);
	json_put_int(record, "log/spool/refused", status->refused);
	if (status->error) {
		json_put_int(record, "log/last_error/age", status->error_age);
		json_put_text(record, "log/last_error/text", status->error);
	}
	for (const struct host_number *n = numbers; n < numbers + NUMBERS; n++)
		if (status->asked || !n->from_log)
			json_put_int(record, n->path, number_of(status, n));
	json_put_object(record, "log/snapshots", snapshots_list(status));
	return record;
}
