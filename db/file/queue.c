#include "db/file/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "common/base/privilege.h"
#include "common/base/stopwatch.h"

/* Behind what a log may ever hold. */
#define FIRST (INT64_C(1) << 60)

/* So often in the time that is allowed one looks whether somebody got on. */
enum { LOOKS = 20 };

/* What who waits knows of those before: who is first of them, and until when that
 * one is waited for. */
struct queue_wait {
	int fd, ms;
	int64_t place, front, until;
};

/* 0: it cannot be opened, or standard input is closed. */
static int open_line(const char *path)
{
	char side[PATH_MAX];
	int fd;

	snprintf(side, sizeof(side), "%s-wal", path);
	privilege_raise();
	fd = open(side, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	privilege_lower();
	return fd > 0 ? fd : 0;
}

static struct flock lock_of(short type, int64_t from, int64_t n)
{
	return (struct flock){.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = from,
		.l_len = n}; /* 0: all that follow */
}

/* Has another process a place there? The one found first is `*at`. */
static bool is_taken(int fd, int64_t from, int64_t n, int64_t *at)
{
	struct flock lock = lock_of(F_WRLCK, from, n);

	if (fcntl(fd, F_GETLK, &lock) || lock.l_type == F_UNLCK)
		return false;
	*at = lock.l_start;
	return true;
}

/* The first place behind all others; `*at` is one of them. */
static int64_t find_end(int fd, int64_t at)
{
	int64_t step = 1, ignored;

	while (is_taken(fd, at + step, 0, &ignored))
		step *= 2;
	/* Someone is at `at` or behind it, nobody from `at + step` on. */
	for (; step > 1; step /= 2)
		if (is_taken(fd, at + step / 2, 0, &ignored))
			at += step / 2;
	return at + 1;
}

static bool take(int fd, int64_t place)
{
	struct flock lock = lock_of(F_WRLCK, place, 1);

	return !fcntl(fd, F_SETLK, &lock);
}

/* Wakes up who waits for a lock. */
static void tick(int number)
{
	(void)number;
}

static int64_t now_ms(void)
{
	return stopwatch_usec() / 1000;
}

static int64_t find_front(int fd, int64_t place)
{
	int64_t front = place;

	while (front > FIRST && is_taken(fd, FIRST, front - FIRST, &front))
		;
	return front;
}

/* Only the time in which nobody gets on counts: a long line is no reason to give
 * up. */
static bool is_in_time(struct queue_wait *w)
{
	int64_t front = find_front(w->fd, w->place), now = now_ms();

	if (front != w->front)
		w->until = now + w->ms;
	w->front = front;
	return now < w->until;
}

/* False when time is up, or nobody may wait here. */
static bool wait_for(struct queue_wait *w, int64_t place)
{
	struct flock lock = lock_of(F_RDLCK, place, 1);
	int rc;

	while ((rc = fcntl(w->fd, F_SETLKW, &lock)) && errno == EINTR &&
		is_in_time(w))
		;
	if (rc)
		return false;
	lock.l_type = F_UNLCK;
	fcntl(w->fd, F_SETLK, &lock);
	return true;
}

/* Mostly who came just before is the last of them; but it may have been
 * killed. */
static void wait_for_all(struct queue_wait *w)
{
	int64_t at = w->place - 1;
	bool in_time;

	do
		in_time = wait_for(w, at);
	while (in_time && is_taken(w->fd, FIRST, w->place - FIRST, &at));
	is_in_time(w);
}

/* With an alarm clock, for fcntl() has none. */
static void wait_in_line(struct queue_wait *w)
{
	const long every = (long)w->ms * 1000000 / LOOKS + 1;
	const struct timespec look = {every / 1000000000, every % 1000000000};
	struct sigaction act = {.sa_handler = tick}, before;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGRTMIN};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return;
	sigaction(SIGRTMIN, &act, &before);
	timer_settime(timer, 0, &(struct itimerspec){look, look}, NULL);
	wait_for_all(w);
	timer_delete(timer);
	sigaction(SIGRTMIN, &before, NULL);
}

int queue_enter(const char *path, int *ms)
{
	int64_t left, at, place = FIRST;
	struct queue_wait w;
	int fd = open_line(path);
	bool others = fd && is_taken(fd, FIRST, 0, &at);

	if (others)
		place = find_end(fd, at);
	while (fd && !take(fd, place)) {
		if (errno != EAGAIN && errno != EACCES) {
			close(fd);
			return 0;
		}
		place++; /* somebody came at the same time */
		others = true;
	}
	if (!others)
		return fd;
	w = (struct queue_wait){
		fd, *ms, place, find_front(fd, place), now_ms() + *ms};
	wait_in_line(&w);
	left = w.until - now_ms();
	*ms = left > 0 ? (int)left : 0;
	return fd;
}

int queue_enter_alone(const char *path)
{
	int fd = open_line(path);
	int64_t at;

	if (fd && !is_taken(fd, FIRST, 0, &at) && take(fd, FIRST))
		return fd;
	queue_leave(fd);
	return 0;
}

void queue_leave(int place)
{
	if (place)
		close(place);
}
