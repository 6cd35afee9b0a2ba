/*
 * Text that should be UTF-8 but came from anywhere: JSON, YAML and CSV must not
 * carry invalid bytes.
 */
#ifndef BURSAR_UTF8_H
#define BURSAR_UTF8_H

#include <stdbool.h>

#include "common/base/arena.h"

/* Shortest form, no surrogates, nothing above U+10FFFF. */
bool utf8_valid(const char *text);

/* Valid, and without a control character: what one line can hold and a
 * terminal does not obey. */
bool utf8_clean(const char *text);

/* The longest name of a record, in bytes. */
enum { MAX_NAME = 1024 };

/* The text itself when it is valid, else a copy in the arena with U+FFFD in
 * place of every byte that belongs to no character. */
const char *utf8_repair(struct arena *, const char *text);

/* Safe for a terminal and for line-based readers: control characters and
 * invalid bytes are written as \x1b. The text itself when it has none of
 * them. */
const char *utf8_visible(struct arena *, const char *text);

/* For the store: blanks in place of tabs and ends of lines, U+FFFD in place of
 * other control characters and of invalid bytes. The text itself when it has
 * none of them. */
const char *utf8_tame(struct arena *, const char *text);

#endif
