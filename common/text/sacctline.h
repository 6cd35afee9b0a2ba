/*
 * A line of `sacct -P` and the values in its columns (spec/reporting.md 3.4, 9).
 * Pure: nothing here knows of files or of the store.
 */
#ifndef BURSAR_SACCTLINE_H
#define BURSAR_SACCTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* The delimiter between two names of a header line, such as | or ^|^; its
 * length, or 0 when there are not two names. */
size_t sacct_delimiter(const char *header, char *delimiter, size_t size);

/* Cuts the line at every delimiter, in place. `fields` gets the first `max`;
 * the number of all of them. */
size_t sacct_split(
	char *line, const char *delimiter, char **fields, size_t max);

/* Puts `surplus` delimiters back that belong to the text of field `at`, so that
 * the n + surplus fields become n. */
void sacct_join(char **fields, size_t n, size_t at, size_t surplus,
	const char *delimiter);

/* JobID and JobIDRaw: 7, 7_3, 7_[1-5%2], 7+1, each with .STEP behind it. */
struct sacct_id {
	uint32_t job;
	bool has_task, has_het;
	uint32_t task, het;
	const char *tasks; /* "1-5%2", or NULL */
	const char *step;  /* "batch", "0", or NULL */
};

/* In place: texts point into `text`. -1: no job id. */
int sacct_id_parse(char *text, struct sacct_id *);

/* [D-]HH:MM:SS[.fff], MM:SS[.fff] or seconds, in microseconds. */
int sacct_duration(const char *text, int64_t *usec);

/* A number with K M G T P (times 1024) in bytes, `bare` being what one without
 * counts. `per`: 'n', 'c' (older releases: each node, each cpu) or 0. */
int sacct_size(const char *text, uint64_t bare, uint64_t *bytes, char *per);

/* CODE[:SIGNAL] as a wait status. */
int sacct_exit(const char *text, uint32_t *status);

/* Whole numbers without any text after them. */
int sacct_number(const char *text, uint64_t most, uint64_t *number);

/* Local hours that were looked up before: the clock of the machine is slow. */
struct sacct_clock {
	struct {
		uint32_t hour; /* year, month, day and hour in one; 0: none */
		int64_t start;
	} known[512];
};

/* Seconds since 1970, or YYYY-MM-DDTHH:MM:SS in local time; Unknown, None and
 * "" are 0. -1: neither. */
int sacct_time(struct sacct_clock *, const char *text, int64_t *when);

#endif
