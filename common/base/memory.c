#include "common/base/memory.h"

#include <stdlib.h>

#include "common/base/err.h"

void *memory_zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		BUG("no memory");
	return p;
}

void *memory_resize(void *v, size_t n, size_t size)
{
	v = reallocarray(v, n ? n : 1, size);
	if (!v)
		BUG("no memory");
	return v;
}

void *memory_grow(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap ? *cap * 2 : 256;
	return memory_resize(v, *cap, size);
}
