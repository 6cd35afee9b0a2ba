/*
 * Notices: sentences that a library tells the user although nothing has failed,
 * and how far it is with what takes long.
 * Libraries do not print, so the program sets the functions that do
 * (cli_init).
 */
#pragma once

#include <stdint.h>

/* Sets the function that prints notices; NULL, as at the start: none is
 * printed. The sentence has no newline at its end. */
void notice_to(void (*say)(const char *sentence));

/* Prints the sentence (printf's format), unless it is among the last eight
 * notices: none is repeated. */
void notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Sets the function that shows how far something is, when it has taken
 * `patience` microseconds; NULL: nothing is shown. `what` NULL: it is over;
 * `left`: seconds, 0: unknown; the others are those of progress(). */
void progress_to(void (*show)(const char *what, int64_t done, int64_t all,
			 int64_t left),
	int64_t patience);

/* `done` of `all` is done of something that may take long; all 0: of nobody
 * knows how much. Shown only where the percentage, the ten thousands or `what`,
 * a text that stays, is another than before. */
void progress(const char *what, int64_t done, int64_t all);

/* What progress() was told last still goes on: it may have to be shown now. */
void progress_wait(void);

/* It is over; the next call is the first of something else. */
void progress_end(void);
