/*
 * assoc_usage=FILE: the file in slurmctld's StateSaveLocation in which it keeps
 * raw usage. Numbers are big-endian; a text is its length, with the NUL behind
 * it, and its bytes. A version and a time, then for each association its number,
 * its own raw usage as a text, that by TRES as a text, and wall seconds.
 */
#include "cmd/srecord/sync/sync.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/memory.h"
#include "common/cli/cli.h"

/* Of Slurm's protocol: that of 22.05 and of 26.05, the upper byte. */
enum { OLDEST = 38, NEWEST = 45 };
enum { MOST_BYTES = 1 << 30, HOUR = 3600 };

struct state_file {
	const char *path;
	unsigned char *bytes;
	size_t n, at;
	bool cut; /* it ended too early */
};

static uint64_t number(struct state_file *state, size_t bytes)
{
	uint64_t value = 0;

	if (state->n - state->at < bytes) {
		state->cut = true;
		state->at = state->n;
		return 0;
	}
	while (bytes--)
		value = value << 8 | state->bytes[state->at++];
	return value;
}

/* Stays in the bytes of the file; "" for none. */
static const char *text(struct state_file *state)
{
	uint64_t n = number(state, 4);
	const char *start = (const char *)state->bytes + state->at;

	if (!n)
		return "";
	if (n > state->n - state->at || start[n - 1]) {
		state->cut = true;
		state->at = state->n;
		return "";
	}
	state->at += n;
	return start;
}

static int load(struct sync *sync, struct state_file *state)
{
	struct err *err = &sync->s->err;
	FILE *file = fopen(state->path, "re");
	struct stat st;

	if (!file || fstat(fileno(file), &st)) {
		if (file)
			fclose(file);
		return err_set(err, ERR_SYSTEM,
			"assoc_usage: %s: %s", state->path, strerror(errno));
	}
	if (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES) {
		fclose(file);
		return err_set(err, ERR_USAGE,
			"assoc_usage: %s is not a state file of slurmctld",
			state->path);
	}
	state->bytes = arena_alloc(&sync->arena, (size_t)st.st_size + 1);
	state->n = fread(state->bytes, 1, (size_t)st.st_size, file);
	fclose(file);
	return 0;
}

static int check_version(struct sync *sync, struct state_file *state)
{
	unsigned version = (unsigned)number(state, 2);

	if (state->cut || version >> 8 < 20 || version >> 8 > 99)
		return err_set(&sync->s->err, ERR_USAGE,
			"assoc_usage: %s is not a state file of slurmctld",
			state->path);
	if (version >> 8 < OLDEST || version >> 8 > NEWEST)
		return err_set(&sync->s->err, ERR_USAGE,
			"assoc_usage: %s is of version %u; those of Slurm "
			"22.05 to 26.05 (%u to %u) are known",
			state->path, version, OLDEST << 8, NEWEST << 8);
	return 0;
}

/* How much is left of usage of that time. */
static double decay_since(struct sync *sync, int64_t then)
{
	double half_life = (double)sync->s->site->conf.policy.half_life;
	double age = (double)(sync->now - then);

	if (age > HOUR)
		cli_error("assoc_usage was written %.1f hours ago: is it that "
			  "of a running slurmctld?",
			age / HOUR);
	return half_life > 0 && age > 0 ? exp2(-age / half_life) : 1;
}

int sync_assoc_usage(struct sync *sync,
	int (*each)(struct sync *, uint32_t id, double raw, double decay))
{
	struct state_file state = {.path = sync->words.assoc_usage};
	double decay;

	if (load(sync, &state) || check_version(sync, &state))
		return -1;
	decay = decay_since(sync, (int64_t)number(&state, 8));
	while (state.at < state.n) {
		uint32_t id = (uint32_t)number(&state, 4);
		double raw = strtod(text(&state), NULL);

		text(&state);
		number(&state, 4);
		if (state.cut)
			return err_set(&sync->s->err, ERR_USAGE,
				"assoc_usage: %s ends in the middle of a "
				"record",
				state.path);
		if (isfinite(raw) && each(sync, id, raw, decay))
			return -1;
	}
	return 0;
}
