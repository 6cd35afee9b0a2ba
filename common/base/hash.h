/*
 * uthash, for which a want of memory ends the program as everywhere (memory.h):
 * left to itself it leaves with status 255 and without a word.
 */
#ifndef BURSAR_HASH_H
#define BURSAR_HASH_H

#include "common/base/memory.h"

#define uthash_fatal(why) memory_out(0)

#include <uthash.h>

#endif
