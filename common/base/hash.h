/*
 * Includes uthash so that running out of memory ends the program by
 * memory_out(), as everywhere else (common/base/memory.h). Left to itself,
 * uthash ends it with status 255 and without a message.
 */
#pragma once

#include "common/base/memory.h"

#define uthash_fatal(why) memory_out(0)

#include <uthash.h>
