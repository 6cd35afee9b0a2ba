/*
 * What every command does before and after its work: start-up, printing of
 * errors, warnings and hints with the program's name, the version line, lost
 * output (a full disk), the pager. It prints, so it is for cmd/ only; a line
 * for standard error follows what was printed to standard output so far, and
 * ends with a newline that the caller's format does not have.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nearest.h"
#include "common/base/strv.h"
#include "common/base/version.h"
#include "common/table/json.h"
#include "common/table/member.h"
#include "common/table/table.h"

/* Call it first in main. It drops the program's extra rights (privilege_drop),
 * takes the program's name from argv[0] and guards the terminal (screen_guard).
 * From then on an exit that could not write all of standard output says so and
 * has status 1. */
void cli_init(const char *argv0);

/* The program's name, without its folder. */
const char *cli_name(void);

/* Writes to `path`, a buffer of PATH_MAX bytes, the path of a program `name` in
 * the folder of this program (links followed); that program need not exist.
 * Returns 0, or -1 with err (ERR_SYSTEM). */
int cli_beside(char *path, const char *name, struct err *);

/* Flushes standard output, and takes away a line of progress. Returns 0; -1:
 * some output, now or before, could not be written, which the exit will
 * report. */
int cli_flush(void);

/* The same after a committed transaction: lost output is only a warning here
 * and does not change the exit status. */
void cli_flush_done(void);

/* Between cli_hold() and cli_held() what goes to stdout is kept in memory.
 * cli_held() returns the text, which the caller frees. */
struct cli_held {
	char *text;
	size_t size;
	FILE *stdout_before;
};
void cli_hold(struct cli_held *);
char *cli_held(struct cli_held *);

/* Writes as much of the text as standard output takes without blocking, *done
 * bytes: for a caller that holds a lock, since the reader of a pipe may be
 * stopped. To a terminal it writes nothing. Returns 0, or -1 like cli_flush. */
int cli_write_ready(const char *text, size_t *done);

/* "TEXT" on standard error, for messages in Slurm's own form, without the
 * program's name. With --json it is also among the `errors` of the document,
 * even of one that lists records. */
void cli_say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Only among the `errors` of the document: getopt has printed it already. */
void cli_note_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "NAME: error: TEXT" on standard error. */
void cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "NAME: warning: TEXT" on standard error: the program still does what was
 * asked. */
void cli_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints the text of an err like cli_error; a text that begins with a blank is
 * printed as it is. */
void cli_print_err(const struct err *);

/* For a program whose work may take long, once its options are known: progress
 * (common/base/notice.h) is shown, on standard error, also where that is no
 * terminal: each stage as a line. With `quiet` nowhere. */
void cli_progress(bool quiet);

/* "NAME: did you mean 'WORD'?" on standard error, if a word was near enough. */
void cli_did_you_mean(const struct nearest *);

/* The same for an unknown `name[%width]` of format=, with the nearest name of a
 * member. */
void cli_did_you_mean_member(const struct members *, const char *word);

/* "NAME: no KIND 'TYPED' exists; did you mean 'WORD'?" on standard error. If no
 * word is near, the line is without the question and is printed only if
 * cli_hints(). */
void cli_no_such(const char *kind, const struct nearest *);

/*
 * Call it when a document (JSON, YAML) was asked for: if the program ends with
 * errors before it has begun one, the exit prints a document with these
 * `errors`, as Slurm does. argc and argv are for its `meta`.
 */
void cli_document(enum json_form, int argc, char *const *argv);

/* Of which cluster and by whom records are asked for, for the `meta` of the
 * document: neither text is copied. A document of errors alone does not tell. */
void cli_asked(const char *cluster, const char *user);

/* json_end with the `meta` of this run, which ends the program if it fails. */
void cli_end_document(struct json_doc *, struct json_object *beside);

/* May hints be printed? Only if standard error is a terminal, and BURSAR_HINTS
 * is not no, off, 0, never or false. */
bool cli_hints(void);

/* "hint: TEXT" on standard error if cli_hints(); waits for the pager to end
 * first. */
void cli_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints the local time `when` (epoch seconds) as "Sun Nov 22 19:36:37 2026",
 * the line above each listing of --iterate. */
void cli_print_date(int64_t when);

/* Width in columns of the terminal on standard output; 0: not a terminal. */
size_t cli_width(void);

/* Before the heading of a table that Slurm does not have, in columns that nobody
 * named: on a terminal the table fits it (table_fit), and what that left out is
 * said at the exit, as a hint. */
void cli_fit(struct table *);

/* Do LC_ALL, LC_CTYPE or LANG (the first that is set) say that text is UTF-8?
 */
bool cli_utf8(void);

/* Is standard output a terminal that shall have colours? Not with NO_COLOR, nor
 * with TERM=dumb. */
bool cli_coloured(void);

/*
 * Sends what is printed from now on through a pager, if standard output and
 * standard input are a terminal: the command in BURSAR_PAGER, else in PAGER,
 * else less; empty or `cat` means none. No pager in a program with more rights
 * than its caller. Output that fits the screen is simply printed (less -F).
 */
void cli_pager(void);

/* Prints the warnings of a configuration (conf.warnings), with "error:" as
 * Slurm's commands do. */
void cli_print_warnings(const struct strv *);

/* Prints the hints of a configuration (conf.hints), with "warning:". */
void cli_print_hints(const struct strv *);

/* cli_print_err, then exit 1. */
_Noreturn void cli_die(const struct err *);

/* "NAME: error: TEXT", or "NAME: fatal: TEXT", then exit 1. */
_Noreturn void cli_refuse(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));
_Noreturn void cli_fatal(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* After getopt complained of a bad option: prints "Try "NAME --help" for more
 * information" to standard error, then exit 1. */
_Noreturn void cli_bad_option(void);

/* Prints `slurm 26.05.3-bursar-VERSION` and, when verbose, the API version. */
void cli_version(bool verbose);
