#include "common/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void (*end_when_out)(void) = abort;

void memory_when_out(void (*end)(void))
{
	end_when_out = end;
}

_Noreturn void memory_out(size_t wanted)
{
	if (wanted)
		fprintf(stderr, "out of memory (%zu bytes wanted)\n", wanted);
	else
		fputs("out of memory\n", stderr);
	end_when_out();
	abort();
}

void *memory_zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		memory_out(n * size);
	return p;
}

void *memory_resize(void *v, size_t n, size_t size)
{
	v = reallocarray(v, n ? n : 1, size);
	if (!v)
		memory_out(n * size);
	return v;
}

void *memory_grow(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap ? *cap * 2 : 256;
	return memory_resize(v, *cap, size);
}

void memory_append(
	char **v, size_t *n, size_t *cap, const void *bytes, size_t size)
{
	if (*n + size + 1 > *cap) {
		*cap = (*n + size + 1) * 2;
		*v = memory_resize(*v, *cap, 1);
	}
	memcpy(*v + *n, bytes, size);
	*n += size;
	(*v)[*n] = '\0';
}

struct memory_stream {
	char **text;
	size_t *size, cap;
};

static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
	struct memory_stream *s = cookie;

	memory_append(s->text, s->size, &s->cap, bytes, n);
	return (ssize_t)n;
}

static int stream_close(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *memory_stream(char **text, size_t *size)
{
	static const cookie_io_functions_t functions = {
		.write = stream_write, .close = stream_close};
	struct memory_stream *s = memory_zeroed(1, sizeof(*s));
	FILE *f = fopencookie(s, "w", functions);

	if (!f)
		memory_out(sizeof(*s));
	*s = (struct memory_stream){.text = text, .size = size, .cap = 1};
	*text = memory_zeroed(1, 1);
	*size = 0;
	return f;
}
