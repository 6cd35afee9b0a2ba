/*
 * The k-th smallest of an array without sorting it.
 */
#ifndef BURSAR_SELECT_KTH_H
#define BURSAR_SELECT_KTH_H

#include <stddef.h>
#include <stdint.h>

/* k from 0, less than n; the order of v is lost. O(n). */
int64_t select_kth(int64_t *v, size_t n, size_t k);

#endif
