/*
 * What `ping` and `show stats` say of a log that several hosts share
 * (man/bursar-hosts.7).
 */
#include "cmd/sacctmgr/hosts.h"

#include <inttypes.h>

int hosts_read(struct session *s, struct log_status *status)
{
	if (log_status_read(s->site.log, s->store, &s->arena, status))
		return complain_err(s);
	return 0;
}

/* "log(1) at db1 is UP, 10.11.6-MariaDB, 0.4 ms" */
static void print_host(
	struct session *s, const struct log_host *host, size_t number)
{
	fprintf(output(s), "log(%zu) at %s is ", number, host->name);
	if (*host->why)
		fprintf(output(s), "DOWN: %s\n", host->why);
	else
		fprintf(output(s), "UP, %s, %.1f ms\n", host->version,
			host->ms);
}

static void print_age(struct session *s, const struct log_status *status)
{
	if (status->seen)
		fprintf(output(s), "asked %" PRId64 " seconds ago\n",
			s->site.now > status->seen
				? s->site.now - status->seen
				: 0);
	else
		fputs("never asked\n", output(s));
}

void hosts_print(struct session *s, const struct log_status *status)
{
	for (size_t i = 0; i < status->n_hosts; i++)
		print_host(s, &status->hosts[i], i + 1);
	fprintf(output(s), "log head ");
	if (status->asked)
		fprintf(output(s),
			"%" PRId64 ", replica %" PRId64 " (%" PRId64
			" behind), ",
			status->head, status->position,
			status->head - status->position);
	else
		fprintf(output(s), "unknown, replica %" PRId64 ", ",
			status->position);
	print_age(s, status);
}

static void print_number(struct session *s, const char *label, int64_t n)
{
	fprintf(output(s), "\t%-14s%" PRId64 "\n", label, n);
}

void hosts_stats(struct session *s, const struct log_status *status)
{
	fprintf(output(s), "\nLog of several hosts\n\t%-14s%s\n",
		"Database:", status->database);
	for (size_t i = 0; i < status->n_hosts; i++) {
		fputc('\t', output(s));
		print_host(s, &status->hosts[i], i + 1);
	}
	print_number(s, "Replica at:", status->position);
	fprintf(output(s), "\t%-14s", "Log:");
	print_age(s, status);
	if (!status->asked)
		return;
	fprintf(output(s), "\t%-14s%s\n", "Site:", status->site);
	print_number(s, "Head:", status->head);
	print_number(s, "Behind:", status->head - status->position);
	print_number(s, "First kept:", status->first);
	print_number(s, "Entries:", status->entries);
	print_number(s, "Bytes:", status->bytes);
	for (size_t i = 0; i < status->n_snapshots; i++)
		fprintf(output(s),
			"\t%-14s%" PRId64 ", %" PRId64 " bytes\n",
			"Snapshot at:", status->snapshots[i].number,
			status->snapshots[i].size);
}
