/*
 * cmocka, behind the headers that it wants before it, and what every program here
 * has beside its tests.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

/* The program's main: runs these tests between `begin` and `end`, which are those
 * of the whole group, or NULL. */
#define RUN_TESTS(begin, end, ...) \
	int main(void) \
	{ \
		const struct CMUnitTest tests[] = {__VA_ARGS__}; \
\
		return cmocka_run_group_tests(tests, begin, end); \
	}
