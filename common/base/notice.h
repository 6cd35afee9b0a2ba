/*
 * Notices: sentences that a library tells the user although nothing has failed.
 * Libraries do not print, so the program sets the function that does
 * (cli_init).
 */
#ifndef BURSAR_NOTICE_H
#define BURSAR_NOTICE_H

/* Sets the function that prints notices; NULL, as at the start: none is
 * printed. The sentence has no newline at its end. */
void notice_to(void (*say)(const char *sentence));

/* Prints the sentence (printf's format), unless it is among the last eight
 * notices: none is repeated. */
void notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
