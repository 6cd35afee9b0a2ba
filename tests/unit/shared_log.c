/*
 * What db/shared does without a database: the words of slurmdbd.conf, and the
 * checksum of an entry. The rest is in tests/mariadb.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/shared/shared_parts.h"
#include "tests/unit/unit.h"

static struct arena arena;
static struct err err;

static int make_arena(void **state)
{
	arena_init(&arena);
	return 0;
}

static int drop_arena(void **state)
{
	arena_release(&arena);
	return 0;
}

static void hosts_ports_and_sockets(void **state)
{
	struct link link = {0};

	assert_int_equal(link_read_hosts(&link,
				 "db1,db2:3307,[::1]:3308,[fe80::1],/run/my.sock",
				 3306, &arena, &err),
		0);
	assert_int_equal(link.n_hosts, 5);
	assert_string_equal(link.hosts[0].host, "db1");
	assert_int_equal(link.hosts[0].port, 3306);
	assert_string_equal(link.hosts[1].host, "db2");
	assert_int_equal(link.hosts[1].port, 3307);
	assert_string_equal(link.hosts[2].host, "::1");
	assert_int_equal(link.hosts[2].port, 3308);
	assert_string_equal(link.hosts[3].host, "fe80::1");
	assert_null(link.hosts[4].host);
	assert_string_equal(link.hosts[4].socket, "/run/my.sock");
}

static void what_is_no_host_is_named(void **state)
{
	static const char *const bad[] = {
		"", ",", "db1:", "db1:x", "db1:0", "db1:70000", ":3306", "[::1"};
	struct link link = {0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(
			link_read_hosts(&link, bad[i], 0, &arena, &err), -1);
		assert_non_null(strstr(err.text, "StorageHost"));
	}
}

static void every_member_counts_in_the_checksum(void **state)
{
	const struct shared_entry whole = {.number = 7,
		.time = 1760000000,
		.kind = SHARED_CHANGE,
		.version = 14,
		.size = 3,
		.token = "t",
		.host = "h",
		.actor = "a",
		.command = "c",
		.data = "xyz"};
	const int64_t sum = entry_checksum("site", 5, &whole);
	struct shared_entry other[8];

	for (size_t i = 0; i < 8; i++)
		other[i] = whole;
	other[0].number++;
	other[1].time++;
	other[2].kind++;
	other[3].actor = "b";
	other[4].host = "g";
	other[5].command = "d";
	other[6].data = "xyy";
	other[7].size--;
	for (size_t i = 0; i < 8; i++)
		assert_int_not_equal(entry_checksum("site", 5, &other[i]), sum);
	assert_int_not_equal(entry_checksum("site", 6, &whole), sum);
	assert_int_not_equal(entry_checksum("town", 5, &whole), sum);
	assert_int_equal(entry_checksum("site", 5, &whole), sum);
}

static void ages_are_in_the_unit_that_tells_most(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} ages[] = {{0, "0 seconds"}, {1, "1 second"}, {119, "119 seconds"},
		{120, "2 minutes"}, {7199, "119 minutes"}, {7200, "2 hours"},
		{172800, "2 days"}};
	char text[64];

	for (size_t i = 0; i < sizeof(ages) / sizeof(*ages); i++)
		assert_string_equal(
			age_text(ages[i].seconds, text, sizeof(text)),
			ages[i].text);
}

/* shared_find of a slurmdbd.conf with these lines and that mode. */
static int find(const char *lines, mode_t mode, struct shared_log **log)
{
	char folder[] = "/tmp/unit-log.XXXXXX", path[64], conf[64];
	struct conf_dbd dbd;
	FILE *file;
	int rc;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/slurmdbd.conf", folder);
	snprintf(conf, sizeof(conf), "%s/slurm.conf", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(lines, file);
	fclose(file);
	chmod(path, mode);
	rc = conf_load_dbd(&dbd, conf, &arena, &err) ||
	     shared_find(log, &dbd, false, "tux", &arena, &err);
	unlink(path);
	rmdir(folder);
	return rc;
}

static void a_password_is_for_nobody_else(void **state)
{
	struct shared_log *log;

	assert_int_equal(find("StoragePass=sesam\n", 0640, &log), 0);
	assert_string_equal(log->link.login.password, "sesam");
	assert_int_not_equal(find("StoragePass=sesam\n", 0644, &log), 0);
	assert_non_null(strstr(err.text, "chmod o="));
	assert_null(strstr(err.text, "sesam"));
	assert_int_equal(find("StorageUser=bursar\n", 0644, &log), 0);
	assert_int_not_equal(find("StoragePass sesam\n", 0600, &log), 0);
	assert_null(strstr(err.text, "sesam"));
}

static void words_and_their_defaults(void **state)
{
	struct shared_log *log;

	assert_int_equal(find("StorageHost=a,b\nStorageBackupHost=c\n"
			      "PollInterval=10\nReplicaDir=/srv/r\n"
			      "StorageParameters=SSL_CA=/ca,SSL_CERT=/cert\n",
				 0600, &log),
		0);
	assert_int_equal(log->link.n_hosts, 3);
	assert_string_equal(log->link.hosts[2].name, "c");
	assert_int_equal(log->poll, 10);
	assert_string_equal(shared_replica(log), "/srv/r/replica.db");
	assert_string_equal(log->link.login.ca, "/ca");
	assert_string_equal(log->link.login.cert, "/cert");
	assert_string_equal(log->link.login.user, "slurm");
	assert_string_equal(log->link.login.database, "bursar");
}

static void words_that_are_wrong(void **state)
{
	static const char *const bad[][2] = {
		{"PollInterval=often\n", "often"},
		{"PollInterval=-1\n", "-1"},
		{"StoragePort=99999\n", "99999"},
		{"ReplicaDir=here\n", "ReplicaDir"},
		{"StorageParameters=TLS=yes\n", "TLS"},
	};
	struct shared_log *log;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_not_equal(find(bad[i][0], 0600, &log), 0);
		assert_non_null(strstr(err.text, bad[i][1]));
	}
}

RUN_TESTS(make_arena, drop_arena,
	cmocka_unit_test(hosts_ports_and_sockets),
	cmocka_unit_test(what_is_no_host_is_named),
	cmocka_unit_test(every_member_counts_in_the_checksum),
	cmocka_unit_test(ages_are_in_the_unit_that_tells_most),
	cmocka_unit_test(a_password_is_for_nobody_else),
	cmocka_unit_test(words_and_their_defaults),
	cmocka_unit_test(words_that_are_wrong))
