/*
 * Finds the k-th smallest number of an array without sorting it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns the k-th smallest of the `n` numbers of `v`; k counts from 0 and is
 * less than n. Reorders `v`. O(n) on average. */
int64_t select_kth(int64_t *v, size_t n, size_t k);
