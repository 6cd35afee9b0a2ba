/*
 * What a library has to tell a person though nothing has failed: a sentence,
 * said once. Libraries do not print: the program says who does (cli_init).
 */
#ifndef BURSAR_NOTICE_H
#define BURSAR_NOTICE_H

/* Where notices are written from now on; NULL drops them. They end without a
 * newline. */
void notice_to(void (*say)(const char *sentence));

/* A sentence that was said before is not said again. */
void notice(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
