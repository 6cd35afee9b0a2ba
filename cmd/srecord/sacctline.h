/*
 * Reads lines of `sacct -P` and the values in their columns (Slurm's
 * src/sacct/print.c). Pure: knows neither files nor the store. Functions that
 * return int: 0, or -1 when the whole text is not such a value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies the delimiter between the first two names of a header line, such as |
 * or ^|^, to a buffer of `size` bytes; after a single name, the first byte that
 * follows it. Returns its length; 0: there is none, or it does not fit. */
size_t sacct_delimiter(const char *header, char *delimiter, size_t size);

/* Cuts the line in place at every delimiter. fields[0] ... get the first `max`
 * fields. Returns the number of all fields, which may be more than `max`. */
size_t sacct_split(
	char *line, const char *delimiter, char **fields, size_t max);

/* The number of fields that sacct_split() would find; the line is not changed.
 */
size_t sacct_count(const char *line, const char *delimiter);

/* Makes a line of its `n` fields again. */
void sacct_unsplit(char *line, const char *delimiter, size_t n);

/* Undoes `surplus` cuts: the text of field `at` contains that many delimiters.
 * Joins its parts again, so that n + surplus fields become n. */
void sacct_join(char **fields, size_t n, size_t at, size_t surplus,
	const char *delimiter);

/* The columns JobID and JobIDRaw: 7, 7_3, 7_[1-5%2] or 7+1, each perhaps with
 * .STEP after it. */
struct sacct_id {
	uint32_t job;
	bool has_task, has_het;
	uint32_t task, het; /* 3 in 7_3; 1 in 7+1 */
	const char *tasks; /* "1-5%2", or NULL */
	const char *step;  /* "batch", "0", or NULL */
};

/* Cuts `text` in place; tasks and step point into it. */
int sacct_id_parse(char *text, struct sacct_id *);

/* Reads [D-]HH:MM:SS[.fff], MM:SS[.fff] or seconds as microseconds. */
int sacct_duration(const char *text, int64_t *usec);

/* Reads a size such as 1.5G as bytes (K M G T P: powers of 1024). `bare`: bytes
 * of one unit of a number without such a letter. *per: 'n' or 'c' if that
 * follows (older releases: the size is per node or per CPU), else 0. */
int sacct_size(const char *text, uint64_t bare, uint64_t *bytes, char *per);

/* Reads CODE[:SIGNAL] as a wait status (CODE << 8 | SIGNAL). */
int sacct_exit(const char *text, uint32_t *status);

/* Reads a whole number of at most `most`. */
int sacct_number(const char *text, uint64_t most, uint64_t *number);

/* A cache of local hours and their epoch seconds, because mktime() is slow;
 * zeroed at the start. */
struct sacct_clock {
	struct {
		uint32_t hour; /* year, month, day and hour in one; 0: none */
		int64_t start;
	} known[512];
};

/* Reads epoch seconds, or YYYY-MM-DDTHH:MM:SS in local time, as epoch seconds;
 * Unknown, None and "" give 0. */
int sacct_time(struct sacct_clock *, const char *text, int64_t *when);
