/*
 * cmocka, behind the headers that it wants before it: for every program here.
 */
#ifndef BURSAR_TEST_UNIT_H
#define BURSAR_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LENGTH(v) (sizeof(v) / sizeof((v)[0]))

#endif
