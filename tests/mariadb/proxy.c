/*
 * Stands between a program and a MariaDB server (tests/mariadb), writes down
 * each statement the program sends, and does at one of them what a network or a
 * power cut may do:
 *
 *   proxy HOST PORT FOLDER [MILLISECONDS]
 *
 * Listens on 127.0.0.1, on a port that it writes to FOLDER/port, passes all on
 * to HOST and PORT, and adds a line a statement to FOLDER/statements. What the
 * program sends when it has heard the server, and waits for an answer to, is a
 * round trip: it takes so many milliseconds, and a line in FOLDER/trips.
 * FOLDER/rule, when it is there, is
 *
 *   drop WORDS      the connection is cut when a statement comes that begins with
 *                   WORDS; the server never sees it
 *   swallow WORDS   ... after the server has answered; the program never sees that
 *   run WORDS       FOLDER/script runs before the answer is passed on; when it fails,
 *                   the connection is cut instead
 *   hold WORDS      the connection is cut, and the statement passed on once there is
 *                   FOLDER/release; FOLDER/answered when the server has answered
 *   silence WORDS   nothing is passed on any more and nothing is closed
 *
 * and is gone once it was followed. Ends with the process that started it.
 * Reads no TLS.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PREFIX = 60 };

/* What a program sends: packets of a length (3 bytes, the lowest first), a
 * number (0: a command) and that many bytes; a statement's first is 3. */
struct packets {
	unsigned char head[4];
	size_t head_size, left;
	char text[PREFIX + 1];
	size_t text_size;
};

struct rule {
	char action[16], words[PREFIX + 1];
};

static long delay;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static bool pass(int to, const char *data, size_t size)
{
	ssize_t done;

	for (; size > 0; data += done, size -= (size_t)done)
		if ((done = write(to, data, size)) <= 0)
			return false;
	return true;
}

static void write_line(const char *file, const char *line)
{
	FILE *f = fopen(file, "a");

	if (!f || fprintf(f, "%s\n", line) < 0 || fclose(f))
		fail(file);
}

static bool read_rule(struct rule *rule)
{
	FILE *f = fopen("rule", "r");
	bool found = f && fscanf(f, "%15s %60[^\n]", rule->action, rule->words) == 2;

	if (f)
		fclose(f);
	return found;
}

/* A statement has begun: whether it is the one of the rule, which is then gone. */
static bool follows_rule(const char *text, struct rule *rule)
{
	return read_rule(rule) && !strncmp(text, rule->words, strlen(rule->words)) &&
		!unlink("rule");
}

/* The text of a packet is there, or as much of it as counts. */
static bool packet_seen(struct packets *p, struct rule *rule)
{
	size_t i;

	if (p->head[3] != 0 || p->text_size == 0 || p->text[0] != 3)
		return false;
	for (i = 1; i < p->text_size; i++)
		if ((unsigned char)p->text[i] < ' ')
			p->text[i] = ' ';
	p->text[p->text_size] = '\0';
	write_line("statements", p->text + 1);
	return follows_rule(p->text + 1, rule);
}

/* Whether what the program sent has a statement that the rule is about. */
static bool read_packets(struct packets *p, const char *data, size_t size, struct rule *rule)
{
	bool found = false;
	size_t i;

	for (i = 0; i < size; i++) {
		if (p->head_size < 4) {
			p->head[p->head_size++] = (unsigned char)data[i];
			p->left = p->head[0] | (size_t)p->head[1] << 8 | (size_t)p->head[2] << 16;
			p->text_size = 0;
		} else {
			p->left--;
			if (p->text_size < PREFIX)
				p->text[p->text_size++] = data[i];
			if (p->text_size == PREFIX || p->left == 0)
				found |= packet_seen(p, rule);
			if (p->text_size == PREFIX) /* seen: no further time */
				p->head[3] = 1;
		}
		if (p->head_size == 4 && p->left == 0)
			p->head_size = 0;
	}
	return found;
}

/* A statement that arrives when nobody waits for its answer any more. */
static void hold(int client, int server, const char *data, size_t size)
{
	const struct timespec moment = {0, 20000000};
	struct pollfd answer = {server, POLLIN, 0};

	shutdown(client, SHUT_RDWR);
	while (access("release", F_OK))
		nanosleep(&moment, NULL);
	if (pass(server, data, size) && poll(&answer, 1, -1) == 1)
		write_line("answered", "");
}

/* What the rule does with this statement; false: cut the connection. */
static bool obey(const struct rule *rule, int client, int server, const char *data, size_t size)
{
	struct pollfd answer = {server, POLLIN, 0};

	if (!strcmp(rule->action, "drop"))
		return false;
	if (!strcmp(rule->action, "hold")) {
		hold(client, server, data, size);
		return false;
	}
	if (!strcmp(rule->action, "silence"))
		for (;;)
			pause();
	if (!pass(server, data, size) || poll(&answer, 1, -1) != 1)
		return false;
	return !strcmp(rule->action, "run") && system("./script") == 0;
}

/* A packet of the one byte 1 is a farewell, which nobody answers. */
static void travel(const char *data, size_t size)
{
	struct timespec wait = {delay / 1000, delay % 1000 * 1000000};

	if (size == 5 && data[0] == 1 && data[4] == 1)
		return;
	write_line("trips", "");
	nanosleep(&wait, NULL);
}

static void serve(int client, int server)
{
	struct pollfd ends[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
	struct packets packets = {0};
	struct rule rule;
	bool answered = true;
	char data[65536];
	ssize_t size;

	while (poll(ends, 2, -1) > 0) {
		if (ends[1].revents) {
			answered = true;
			if ((size = read(server, data, sizeof(data))) <= 0 ||
			    !pass(client, data, (size_t)size))
				return;
		}
		if (ends[0].revents) {
			if ((size = read(client, data, sizeof(data))) <= 0)
				return;
			if (answered)
				travel(data, (size_t)size);
			answered = false;
			if (read_packets(&packets, data, (size_t)size, &rule)) {
				if (!obey(&rule, client, server, data, (size_t)size))
					return;
			} else if (!pass(server, data, (size_t)size)) {
				return;
			}
		}
	}
}

static int connect_to(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	if (fd < 0 || connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		return -1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

static int listen_here(void)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	socklen_t size = sizeof(here);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char port[16];

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&here, size) || listen(fd, 64) ||
	    getsockname(fd, (struct sockaddr *)&here, &size))
		fail("127.0.0.1");
	snprintf(port, sizeof(port), "%d", ntohs(here.sin_port));
	write_line("port", port);
	return fd;
}

int main(int argc, char **argv)
{
	struct sockaddr_in there = {.sin_family = AF_INET};
	int listening, client, server, on = 1;

	if (argc < 4 || inet_pton(AF_INET, argv[1], &there.sin_addr) != 1) {
		fprintf(stderr, "usage: proxy HOST PORT FOLDER [MILLISECONDS]\n");
		return 2;
	}
	there.sin_port = htons((uint16_t)strtol(argv[2], NULL, 10));
	delay = argc > 4 ? strtol(argv[4], NULL, 10) : 0;
	if (chdir(argv[3]))
		fail(argv[3]);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	listening = listen_here();
	while ((client = accept(listening, NULL, NULL)) >= 0) {
		if (fork() == 0) {
			signal(SIGCHLD, SIG_DFL); /* system() waits */
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			if ((server = connect_to(&there)) >= 0)
				serve(client, server);
			_exit(0);
		}
		close(client);
	}
	return 1;
}
