/*
 * Checks and repairs text that should be UTF-8 but may hold anything: JSON,
 * YAML and CSV must not hold invalid bytes, a terminal must get no control
 * characters.
 */
#pragma once

#include <stdbool.h>

#include "common/base/arena.h"

/* Is all of it valid UTF-8: shortest forms, no surrogates, nothing above
 * U+10FFFF? */
bool utf8_valid(const char *text);

/* Valid and without control characters (newline and tab are such)? Then it fits
 * on one line, and a terminal does not obey it. */
bool utf8_clean(const char *text);

/* The longest name of a record, in bytes. */
enum { MAX_NAME = 1024 };

/* The text itself when it is valid, else a copy in the arena with U+FFFD in
 * place of every byte that belongs to no character. */
const char *utf8_repair(struct arena *, const char *text);

/* Safe for a terminal and for readers of lines: bytes of control characters and
 * invalid bytes are written in hexadecimal, as \x1b. The text itself when it
 * has none of them, else a copy in the arena. */
const char *utf8_visible(struct arena *, const char *text);

/* For the store: spaces in place of tabs and ends of lines, U+FFFD in place of
 * other control characters and of invalid bytes. The text itself when it has
 * none of them, else a copy in the arena. */
const char *utf8_tame(struct arena *, const char *text);
