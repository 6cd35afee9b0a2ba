#include "db/store/changeset.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/base/memory.h"
#include "db/store/query.h"

/* Before what is compressed: a letter that begins no changeset of SQLite, and
 * how long the whole is, the lowest byte first. */
enum { MARK = 'Z', HEAD = 5, LEVEL = 1 };
enum { SMALL_BITS = 12, SMALL = 1 << SMALL_BITS };

static void *copy(const void *blob, int size)
{
	void *v = memory_resize(NULL, 1, (size_t)size + 1);

	if (size)
		memcpy(v, blob, (size_t)size);
	return v;
}

static void put_head(unsigned char *v, unsigned whole)
{
	v[0] = MARK;
	for (int i = 0; i < 4; i++)
		v[1 + i] = (unsigned char)(whole >> 8 * i);
}

/* As compress2(), but that a few bytes get a small window: to clear a large one
 * takes longer than all the rest. */
static bool deflate_whole(
	unsigned char *to, uLong *room, const void *blob, uLong size)
{
	bool small = size <= SMALL;
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)blob,
		.avail_in = (uInt)size,
		.next_out = to,
		.avail_out = (uInt)*room};
	bool done = deflateInit2(&z, LEVEL, Z_DEFLATED,
			    small ? SMALL_BITS : MAX_WBITS,
			    small ? SMALL_BITS - 7 : MAX_MEM_LEVEL - 1,
			    Z_DEFAULT_STRATEGY) == Z_OK &&
		    deflate(&z, Z_FINISH) == Z_STREAM_END;

	*room = z.total_out;
	deflateEnd(&z);
	return done;
}

void *changeset_pack(const void *blob, int size, int *packed)
{
	uLong room = compressBound((uLong)size);
	unsigned char *v = memory_resize(NULL, 1, room + HEAD);

	if (!deflate_whole(v + HEAD, &room, blob, (uLong)size) ||
		room + HEAD >= (uLong)size) {
		free(v);
		*packed = size;
		return copy(blob, size);
	}
	put_head(v, (unsigned)size);
	*packed = (int)room + HEAD;
	return v;
}

/* ---- in pieces -----------------------------------------------------------*/

/* A part is deflated by itself and ends at a byte, so that parts can be put one
 * after the other between the head and the tail of a zlib stream (RFC 1950). */
struct changeset_packing {
	z_stream stream;
	unsigned char *v;
	size_t size, cap;
	uLong sum; /* Adler-32 of what came in */
};

enum { MORE = 1 << 16 };
static const unsigned char zlib_head[] = {0x78, 0x01};
static const unsigned char last_block[] = {0x03, 0x00}; /* an empty one */
enum { SUM = 4 };

struct changeset_packing *changeset_pack_begin(void)
{
	struct changeset_packing *p = memory_zeroed(1, sizeof(*p));

	if (deflateInit2(&p->stream, LEVEL, Z_DEFLATED, -MAX_WBITS,
		    MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) != Z_OK)
		BUG("no memory");
	p->sum = adler32(0, NULL, 0);
	return p;
}

static void deflate_all(struct changeset_packing *p, int how)
{
	do {
		if (p->cap - p->size < MORE) {
			p->cap = p->cap * 2 + 2 * MORE;
			p->v = memory_resize(p->v, 1, p->cap);
		}
		p->stream.next_out = p->v + p->size;
		p->stream.avail_out = (uInt)MORE;
		if (deflate(&p->stream, how) == Z_STREAM_ERROR)
			BUG("a changeset cannot be packed");
		p->size += MORE - p->stream.avail_out;
	} while (!p->stream.avail_out);
}

void changeset_pack_piece(
	struct changeset_packing *p, const void *piece, size_t size)
{
	p->stream.next_in = (unsigned char *)(uintptr_t)piece;
	p->stream.avail_in = (uInt)size;
	p->sum = adler32_z(p->sum, piece, size);
	if (size)
		deflate_all(p, Z_NO_FLUSH);
}

void changeset_pack_drop(struct changeset_packing *p)
{
	if (!p)
		return;
	deflateEnd(&p->stream);
	free(p->v);
	free(p);
}

static unsigned char *put(unsigned char *at, const void *bytes, size_t size)
{
	return size ? (unsigned char *)memcpy(at, bytes, size) + size : at;
}

static void put_sum(unsigned char *at, uLong sum)
{
	for (int i = 0; i < SUM; i++)
		at[i] = (unsigned char)(sum >> (24 - 8 * i));
}

void *changeset_pack_join(
	struct changeset_packing *const *parts, size_t n, int *packed)
{
	size_t size = HEAD + sizeof(zlib_head) + sizeof(last_block) + SUM;
	uLong whole = 0, sum = adler32(0, NULL, 0);
	unsigned char *v, *at;

	for (size_t i = 0; i < n; i++) {
		deflate_all(parts[i], Z_SYNC_FLUSH);
		size += parts[i]->size;
		whole += parts[i]->stream.total_in;
	}
	if (whole > INT_MAX)
		return NULL;
	v = memory_resize(NULL, 1, size);
	put_head(v, (unsigned)whole);
	at = put(v + HEAD, zlib_head, sizeof(zlib_head));
	for (size_t i = 0; i < n; i++) {
		at = put(at, parts[i]->v, parts[i]->size);
		sum = adler32_combine(sum, parts[i]->sum,
			(z_off_t)parts[i]->stream.total_in);
	}
	put_sum(put(at, last_block, sizeof(last_block)), sum);
	*packed = (int)size;
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
	/* zlib's output never grows more than a thousandfold. */
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

/* ---- tables --------------------------------------------------------------*/

/* SQLite's format: a table is 'T', its number of columns, a byte for each, its
 * name; a row of it an operation, a byte, and its values, of an update twice. A
 * value begins with its type. Numbers have seven bits a byte. */
struct changeset_bytes {
	const unsigned char *at, *end; /* `at` NULL: damaged */
};

static void skip(struct changeset_bytes *r, size_t n)
{
	if (r->at)
		r->at = (size_t)(r->end - r->at) < n ? NULL : r->at + n;
}

static size_t take_length(struct changeset_bytes *r)
{
	size_t n = 0;

	while (r->at && r->at < r->end) {
		unsigned char byte = *r->at++;

		n = n << 7 | (byte & 0x7f);
		if (!(byte & 0x80))
			return n;
		if (n > INT_MAX)
			break;
	}
	r->at = NULL;
	return 0;
}

static void skip_value(struct changeset_bytes *r)
{
	if (!r->at || r->at == r->end) {
		r->at = NULL;
		return;
	}
	switch (*r->at++) {
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		skip(r, 8);
		break;
	case SQLITE_TEXT:
	case SQLITE_BLOB:
		skip(r, take_length(r));
		break;
	case SQLITE_NULL:
	case 0: /* the same as before */
		break;
	default:
		r->at = NULL;
	}
}

size_t changeset_table(
	const unsigned char *blob, size_t size, const char **table)
{
	struct changeset_bytes r = {blob, blob + size};
	size_t columns, name;

	if (!size || *blob != 'T')
		return 0;
	skip(&r, 1);
	columns = take_length(&r);
	skip(&r, columns);
	if (!r.at || !columns)
		return 0;
	*table = (const char *)r.at;
	name = strnlen(*table, (size_t)(r.end - r.at));
	skip(&r, name + 1);
	while (r.at && r.at < r.end && *r.at != 'T') {
		size_t values = *r.at == SQLITE_UPDATE ? 2 * columns : columns;

		skip(&r, 2);
		while (values-- && r.at)
			skip_value(&r);
	}
	return r.at ? (size_t)(r.at - blob) : 0;
}

/* ---- operations ----------------------------------------------------------*/

int changeset_each(struct store *store, const void *blob, int size,
	changeset_reader *each, void *arg)
{
	sqlite3_changeset_iter *iter;
	const char *table;
	int columns, op, status = 0;

	if (sqlite3changeset_start(&iter, size, (void *)(uintptr_t)blob) !=
		SQLITE_OK)
		return store_fail(store, "the log cannot be read");
	while (!status && sqlite3changeset_next(iter) == SQLITE_ROW) {
		sqlite3changeset_op(iter, &table, &columns, &op, NULL);
		status = each(arg, table, op, iter);
	}
	/* It also ends where it is damaged or memory runs out. */
	if (sqlite3changeset_finalize(iter) != SQLITE_OK && !status)
		status = store_fail(store, "the log cannot be read");
	return status;
}

int op_column(struct store *store, const char *table, const char *column)
{
	int64_t number = -1;

	return store_ask(store,
		       "SELECT cid FROM pragma_table_info(:table)"
		       " WHERE name = :column",
		       &number, bind_text(":table", table),
		       bind_text(":column", column))
		       ? -2
		       : (int)number;
}

bool op_is_removal(sqlite3_changeset_iter *iter, int op, int deleted)
{
	sqlite3_value *mark;

	if (op != SQLITE_UPDATE)
		return op == SQLITE_DELETE;
	mark = op_new(iter, deleted);
	return mark && sqlite3_value_int(mark);
}

sqlite3_value *op_old(sqlite3_changeset_iter *iter, int column)
{
	sqlite3_value *value = NULL;

	sqlite3changeset_old(iter, column, &value);
	return value;
}

sqlite3_value *op_new(sqlite3_changeset_iter *iter, int column)
{
	sqlite3_value *value = NULL;

	sqlite3changeset_new(iter, column, &value);
	return value;
}

sqlite3_value *op_key_value(sqlite3_changeset_iter *iter, int op, int column)
{
	return op == SQLITE_INSERT ? op_new(iter, column) : op_old(iter, column);
}

int64_t op_key(sqlite3_changeset_iter *iter, int op, int column)
{
	sqlite3_value *value = op_key_value(iter, op, column);

	return value ? sqlite3_value_int64(value) : 0;
}
