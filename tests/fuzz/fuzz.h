/*
 * What the fuzz targets share: the entry point libFuzzer and replay_main.c
 * call, and a check that stays in when NDEBUG is set.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(truth)                                                           \
	do {                                                                   \
		if (!(truth)) {                                                \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__,       \
				__LINE__, #truth);                             \
			abort();                                               \
		}                                                              \
	} while (0)
