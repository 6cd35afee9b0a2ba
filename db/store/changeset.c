#include "db/store/changeset.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/base/memory.h"

/* Before what is compressed: a letter that begins no changeset of SQLite, and
 * how long the whole is, the lowest byte first. */
enum { MARK = 'Z', HEAD = 5, LEVEL = 1 };

static void *copy(const void *blob, int size)
{
	void *v = memory_resize(NULL, 1, (size_t)size + 1);

	if (size)
		memcpy(v, blob, (size_t)size);
	return v;
}

void *changeset_pack(const void *blob, int size, int *packed)
{
	uLongf room = compressBound((uLong)size);
	unsigned char *v = memory_resize(NULL, 1, room + HEAD);

	if (compress2(v + HEAD, &room, blob, (uLong)size, LEVEL) != Z_OK ||
		room + HEAD >= (uLongf)size) {
		free(v);
		*packed = size;
		return copy(blob, size);
	}
	v[0] = MARK;
	for (int i = 0; i < 4; i++)
		v[1 + i] = (unsigned char)((unsigned)size >> 8 * i);
	*packed = (int)room + HEAD;
	return v;
}

void *changeset_unpack(
	const void *kept, int size, int *whole, struct err *err)
{
	const unsigned char *head = kept;
	unsigned length = 0;
	uLongf got;
	void *v;

	if (!size || head[0] != MARK) {
		*whole = size;
		return copy(kept, size);
	}
	for (int i = 0; i < 4 && size > HEAD; i++)
		length |= (unsigned)head[1 + i] << 8 * i;
	/* Nothing of zlib's grows a thousandfold and more. */
	if (!length || length > 0x7fffffff || length / 1100 > (unsigned)size)
		goto damaged;
	v = memory_resize(NULL, 1, (size_t)length + 1);
	got = length;
	*whole = (int)length;
	if (uncompress(v, &got, head + HEAD, (uLong)(size - HEAD)) == Z_OK &&
		got == length)
		return v;
	free(v);
damaged:
	err_set(err, ERR_STORE,
		"the log of changes is damaged (sacctmgr check)");
	return NULL;
}
