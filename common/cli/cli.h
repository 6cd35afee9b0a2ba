/*
 * What every command shares before and after its work: the program's name in
 * front of errors, the version line, a full disk on standard output. The one
 * part of common that prints; for cmd/ only.
 */
#ifndef BURSAR_CLI_H
#define BURSAR_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nearest.h"
#include "common/base/strv.h"
#include "common/base/version.h"
#include "common/table/json.h"
#include "common/table/member.h"

/* Sets the program's name; from then on an exit that could not write all of
 * standard output says so and fails. */
void cli_init(const char *argv0);

const char *cli_name(void);

/* The path, PATH_MAX bytes, of the program of that name in the folder this one
 * is in, links followed; it need not be there. -1: err says why. */
int cli_beside(char *path, const char *name, struct err *);

/* Writes out what was printed. -1: some of it, now or before, was lost; the
 * exit will say so. */
int cli_flush(void);

/* The same for reports about committed changes: lost output is a warning and
 * leaves the exit status as it is. */
void cli_flush_done(void);

/* Writes of `text` what standard output takes without waiting, `*done` bytes:
 * one who reads it may sleep, and the caller holds a lock. -1 as above. */
int cli_write_ready(const char *text, size_t *done);

/* A line in Slurm's own form, without the program's name; with --json it stands among
 * the errors of the document, also of one that lists what was found. */
void cli_say_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "NAME: error: TEXT" on standard error. */
void cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "NAME: warning: TEXT" on standard error: what was asked for is done. */
void cli_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints an err: a text that begins with a blank as it is, others with the
 * program's name in front. */
void cli_print_err(const struct err *);

/* "NAME: did you mean 'WORD'?" on standard error, where a word is near enough. */
void cli_did_you_mean(const struct nearest *);

/* The same for an unknown `name[%width]`, with the closest name of a member. */
void cli_did_you_mean_member(const struct members *, const char *word);

/* "NAME: no KIND 'TYPED' exists; did you mean 'WORD'?" Where no word is near
 * only a person is told, without the question. */
void cli_no_such(const char *kind, const struct nearest *);

/*
 * A document was asked for: errors that end the program before it printed one
 * make a document of their own, with `errors` as Slurm has them.
 */
void cli_document(enum json_form, int argc, char *const *argv);

/* May hints be given: to a person only (standard error is a terminal), and not
 * where BURSAR_HINTS says no. */
bool cli_hints(void);

/* "hint: TEXT" on standard error, if hints may be given. */
void cli_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "Sun Nov 22 19:36:37 2026": the line above a queue that is shown repeatedly. */
void cli_print_date(int64_t when);

/* Width in columns of the terminal on standard output; 0: not a terminal. */
size_t cli_width(void);

/* Does the environment say that text is UTF-8? */
bool cli_utf8(void);

/*
 * From here on what is printed goes through a pager, where standard output and
 * standard input are a terminal: BURSAR_PAGER, else PAGER, else less; empty or
 * `cat`: none. None in a program with more rights than its caller. What fits
 * the screen is simply printed (less -F).
 */
void cli_pager(void);

/* Prints the warnings that a configuration gives to every command. */
void cli_print_warnings(const struct strv *);

/* cli_print_err, then exit 1. */
_Noreturn void cli_die(const struct err *);

/* "NAME: fatal: TEXT", then exit 1. */
_Noreturn void cli_fatal(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* After getopt found a bad option: the "Try" line, then exit 1. */
_Noreturn void cli_bad_option(void);

/* `slurm 26.05.3-bursar-VERSION`, and the API version when verbose. */
void cli_version(bool verbose);

#endif
