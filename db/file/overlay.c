/*
 * Pages of a file and, over them, those that were written; see overlay.h. Only
 * the main file of a connection has an overlay. The connection keeps its
 * journal in memory and sees no journal of others: its opener holds a read
 * transaction on the store, and beginning that has played back the journal of
 * any crash.
 *
 * For a store with a write-ahead log (WAL) the overlay begins with the log's
 * committed pages, and to the connection it is a file without a log. The format
 * is that of sqlite.org/fileformat2.html, 4.
 */
#include "db/file/overlay.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/base/hash.h"

enum { LEAST_PAGE = 512, HEADER = 100 };
enum { WRITE_VERSION = 18, READ_VERSION = 19, VERSION_WAL = 2 };
enum { WAL_HEADER = 32, FRAME_HEADER = 24, WAL_TRIES = 50 };

struct overlay_page {
	sqlite3_int64 number;
	UT_hash_handle hh;
	unsigned char bytes[];
};

struct overlay {
	sqlite3_file file; /* first: SQLite's part of it */
	struct overlay_page *pages;
	sqlite3_int64 size;	 /* as it is with what was written */
	sqlite3_int64 base_size; /* so much of the file below is still seen */
	int page_size;
	bool locked;
	const char *name;
	sqlite3_vfs *below;
	sqlite3_file *base; /* behind this struct */
};

static sqlite3_vfs *below(sqlite3_vfs *vfs)
{
	return vfs->pAppData;
}

static struct overlay *overlay_of(sqlite3_file *file)
{
	return (struct overlay *)file;
}

static struct overlay_page *find_page(struct overlay *o, sqlite3_int64 number)
{
	struct overlay_page *page;

	HASH_FIND(hh, o->pages, &number, sizeof(number), page);
	return page;
}

static void drop_pages(struct overlay *o, sqlite3_int64 from)
{
	struct overlay_page *page, *next;

	HASH_ITER(hh, o->pages, page, next) {
		if (page->number < from)
			continue;
		HASH_DEL(o->pages, page);
		free(page);
	}
}

/* Reads the file below; bytes past its end are zeros. */
static int read_base(struct overlay *o, unsigned char *to, int amount,
	sqlite3_int64 offset)
{
	sqlite3_int64 there = o->base_size - offset;
	int n = there >= amount ? amount : there > 0 ? (int)there : 0;

	memset(to + n, 0, (size_t)(amount - n));
	return n ? o->base->pMethods->xRead(o->base, to, n, offset) : SQLITE_OK;
}

static int read_page(struct overlay *o, sqlite3_int64 number, int from,
	int amount, unsigned char *to)
{
	const struct overlay_page *page = find_page(o, number);

	if (!page)
		return read_base(o, to, amount, number * o->page_size + from);
	memcpy(to, page->bytes + from, (size_t)amount);
	return SQLITE_OK;
}

static int overlay_read(
	sqlite3_file *file, void *to, int amount, sqlite3_int64 offset)
{
	struct overlay *o = overlay_of(file);
	bool is_short = offset + amount > o->size;
	int done = 0;

	while (done < amount) {
		sqlite3_int64 at = offset + done;
		int from = (int)(at % o->page_size);
		int n = o->page_size - from;
		int rc;

		if (n > amount - done)
			n = amount - done;
		rc = read_page(o, at / o->page_size, from, n,
			(unsigned char *)to + done);
		if (rc != SQLITE_OK)
			return rc;
		done += n;
	}
	return is_short ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

/* The page to be written to; when not all of it will be, with what it holds. */
static int own_page(struct overlay *o, sqlite3_int64 number, bool whole,
	struct overlay_page **page)
{
	size_t size = sizeof(**page) + (size_t)o->page_size;
	int rc = SQLITE_OK;

	*page = find_page(o, number);
	if (*page)
		return SQLITE_OK;
	*page = malloc(size);
	if (!*page)
		return SQLITE_NOMEM;
	(*page)->number = number;
	if (!whole)
		rc = read_base(o, (*page)->bytes, o->page_size,
			number * o->page_size);
	if (rc != SQLITE_OK) {
		free(*page);
		return rc;
	}
	HASH_ADD(hh, o->pages, number, sizeof((*page)->number), *page);
	return SQLITE_OK;
}

static int overlay_write(
	sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset)
{
	struct overlay *o = overlay_of(file);
	int done = 0;

	while (done < amount) {
		sqlite3_int64 at = offset + done;
		int from = (int)(at % o->page_size);
		int n = o->page_size - from;
		struct overlay_page *page;
		int rc;

		if (n > amount - done)
			n = amount - done;
		rc = own_page(
			o, at / o->page_size, n == o->page_size, &page);
		if (rc != SQLITE_OK)
			return rc;
		memcpy(page->bytes + from, (const char *)bytes + done,
			(size_t)n);
		done += n;
	}
	if (offset + amount > o->size)
		o->size = offset + amount;
	return SQLITE_OK;
}

static int overlay_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct overlay *o = overlay_of(file);

	drop_pages(o, (size + o->page_size - 1) / o->page_size);
	if (size < o->base_size)
		o->base_size = size;
	o->size = size;
	return SQLITE_OK;
}

static int overlay_size(sqlite3_file *file, sqlite3_int64 *size)
{
	*size = overlay_of(file)->size;
	return SQLITE_OK;
}

static int overlay_sync(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags;
	return SQLITE_OK;
}

/* ---- the WAL -------------------------------------------------------------*/

struct wal_state {
	unsigned char *bytes;
	sqlite3_int64 size;
	bool big_endian; /* sums are of such words */
	uint32_t sum[2];
};

static uint32_t big(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[1] << 8 | p[0];
}

static void sum_up(struct wal_state *wal, const unsigned char *bytes, int n)
{
	for (int i = 0; i < n; i += 8) {
		const unsigned char *p = bytes + i;

		wal->sum[0] +=
			(wal->big_endian ? big(p) : little(p)) + wal->sum[1];
		wal->sum[1] += (wal->big_endian ? big(p + 4) : little(p + 4)) +
			       wal->sum[0];
	}
}

static bool sum_is(const struct wal_state *wal, const unsigned char *stored)
{
	return wal->sum[0] == big(stored) && wal->sum[1] == big(stored + 4);
}

/* Reads all of the WAL. If its header has changed afterwards, the WAL was
 * restarted during the read. */
static int read_wal_once(
	sqlite3_file *file, struct wal_state *wal, bool *steady)
{
	unsigned char after[WAL_HEADER];
	int rc = file->pMethods->xFileSize(file, &wal->size);

	*steady = true;
	if (rc != SQLITE_OK || wal->size < WAL_HEADER) {
		wal->size = 0;
		return rc;
	}
	if (wal->size > INT32_MAX)
		return SQLITE_TOOBIG;
	wal->bytes = malloc((size_t)wal->size);
	if (!wal->bytes)
		return SQLITE_NOMEM;
	rc = file->pMethods->xRead(file, wal->bytes, (int)wal->size, 0);
	if (rc == SQLITE_IOERR_SHORT_READ)
		rc = SQLITE_OK;
	if (rc == SQLITE_OK)
		rc = file->pMethods->xRead(file, after, WAL_HEADER, 0);
	*steady = rc != SQLITE_OK || !memcmp(after, wal->bytes, WAL_HEADER);
	return rc;
}

static int read_wal(struct overlay *o, struct wal_state *wal)
{
	int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL;
	const char *name = sqlite3_filename_wal(o->name);
	sqlite3_file *file = calloc(1, (size_t)o->below->szOsFile);
	bool steady = false;
	int rc;

	if (!file)
		return SQLITE_NOMEM;
	rc = o->below->xOpen(o->below, name, file, flags, NULL);
	for (int i = 0; rc == SQLITE_OK && !steady && i < WAL_TRIES; i++) {
		free(wal->bytes);
		wal->bytes = NULL;
		rc = read_wal_once(file, wal, &steady);
	}
	if (rc == SQLITE_OK && !steady)
		rc = SQLITE_BUSY;
	if (file->pMethods)
		file->pMethods->xClose(file);
	free(file);
	return rc == SQLITE_CANTOPEN ? SQLITE_OK : rc; /* there is none */
}

/* How many bytes of the WAL were committed: whole frames of this WAL, up to
 * the last that ends a transaction. `pages`: so large is the file then. */
static sqlite3_int64 committed(
	struct overlay *o, struct wal_state *wal, uint32_t *pages)
{
	const unsigned char *header = wal->bytes;
	sqlite3_int64 frame = FRAME_HEADER + o->page_size, end = 0;

	*pages = 0;
	if (wal->size < WAL_HEADER || (big(header) & ~1u) != 0x377f0682 ||
		big(header + 8) != (uint32_t)o->page_size)
		return 0;
	wal->big_endian = big(header) & 1;
	sum_up(wal, header, WAL_HEADER - 8);
	if (!sum_is(wal, header + 24))
		return 0;
	for (sqlite3_int64 at = WAL_HEADER; at + frame <= wal->size;
		at += frame) {
		const unsigned char *p = wal->bytes + at;

		sum_up(wal, p, 8);
		sum_up(wal, p + FRAME_HEADER, o->page_size);
		if (memcmp(p + 8, header + 16, 8) || !sum_is(wal, p + 16))
			break;
		if (!big(p + 4))
			continue;
		*pages = big(p + 4);
		end = at + frame;
	}
	return end;
}

static int lay_wal(struct overlay *o, struct wal_state *wal)
{
	sqlite3_int64 frame = FRAME_HEADER + o->page_size, end;
	struct overlay_page *page;
	uint32_t pages;
	int rc;

	end = committed(o, wal, &pages);
	for (sqlite3_int64 at = WAL_HEADER; at < end; at += frame) {
		const unsigned char *p = wal->bytes + at;

		rc = own_page(o, (sqlite3_int64)big(p) - 1, true, &page);
		if (rc != SQLITE_OK)
			return rc;
		memcpy(page->bytes, p + FRAME_HEADER, (size_t)o->page_size);
	}
	if (pages)
		o->size = (sqlite3_int64)pages * o->page_size;
	drop_pages(o, o->size / o->page_size);
	rc = own_page(o, 0, false, &page);
	if (rc == SQLITE_OK)
		page->bytes[WRITE_VERSION] = page->bytes[READ_VERSION] = 1;
	return rc;
}

/* The file's header gives the page size and whether there is a WAL. */
static int learn_base(struct overlay *o)
{
	unsigned char header[HEADER];
	struct wal_state wal = {0};
	int page, rc;

	drop_pages(o, 0);
	rc = o->base->pMethods->xFileSize(o->base, &o->base_size);
	o->size = o->base_size;
	if (rc != SQLITE_OK || o->base_size < HEADER)
		return rc;
	rc = o->base->pMethods->xRead(o->base, header, HEADER, 0);
	page = header[16] << 8 | header[17];
	if (page == 1)
		page = 65536;
	if (page >= LEAST_PAGE && !(page & (page - 1)))
		o->page_size = page;
	if (rc != SQLITE_OK || header[READ_VERSION] != VERSION_WAL)
		return rc;
	rc = read_wal(o, &wal);
	if (rc == SQLITE_OK)
		rc = lay_wal(o, &wal);
	free(wal.bytes);
	return rc;
}

/* ---- what SQLite calls ---------------------------------------------------*/

/* The file below stays locked for reading; other locks are never contended. */
static int overlay_lock(sqlite3_file *file, int level)
{
	struct overlay *o = overlay_of(file);
	int rc;

	if (o->locked || level == SQLITE_LOCK_NONE)
		return SQLITE_OK;
	rc = o->base->pMethods->xLock(o->base, SQLITE_LOCK_SHARED);
	if (rc != SQLITE_OK)
		return rc;
	o->locked = true;
	return learn_base(o);
}

static int overlay_unlock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static int overlay_reserved(sqlite3_file *file, int *reserved)
{
	(void)file;
	*reserved = 0;
	return SQLITE_OK;
}

static int overlay_control(sqlite3_file *file, int op, void *arg)
{
	(void)file;
	(void)op;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int overlay_sector(sqlite3_file *file)
{
	(void)file;
	return 4096;
}

static int overlay_device(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static int overlay_close(sqlite3_file *file)
{
	struct overlay *o = overlay_of(file);

	drop_pages(o, 0);
	if (o->locked)
		o->base->pMethods->xUnlock(o->base, SQLITE_LOCK_NONE);
	return o->base->pMethods->xClose(o->base);
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = overlay_close,
	.xRead = overlay_read,
	.xWrite = overlay_write,
	.xTruncate = overlay_truncate,
	.xSync = overlay_sync,
	.xFileSize = overlay_size,
	.xLock = overlay_lock,
	.xUnlock = overlay_unlock,
	.xCheckReservedLock = overlay_reserved,
	.xFileControl = overlay_control,
	.xSectorSize = overlay_sector,
	.xDeviceCharacteristics = overlay_device,
};

/* ---- the file system -----------------------------------------------------*/

static int open_main(sqlite3_vfs *vfs, const char *name, struct overlay *o,
	int flags, int *out)
{
	int below_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
	int rc;

	memset(o, 0, sizeof(*o));
	o->page_size = 4096;
	o->name = name;
	o->below = below(vfs);
	o->base = (sqlite3_file *)(o + 1);
	memset(o->base, 0, (size_t)below(vfs)->szOsFile);
	rc = below(vfs)->xOpen(below(vfs), name, o->base, below_flags, NULL);
	if (rc == SQLITE_OK)
		rc = learn_base(o);
	if (rc != SQLITE_OK) {
		if (o->base->pMethods)
			o->base->pMethods->xClose(o->base);
		return rc;
	}
	o->file.pMethods = &methods;
	if (out)
		*out = flags;
	return SQLITE_OK;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file,
	int flags, int *out)
{
	if (flags & SQLITE_OPEN_MAIN_DB)
		return open_main(vfs, name, overlay_of(file), flags, out);
	return below(vfs)->xOpen(below(vfs), name, file, flags, out);
}

/* A journal beside the file belongs to another process. */
static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *yes)
{
	size_t n = strlen(name);

	*yes = 0;
	if ((n > 8 && !strcmp(name + n - 8, "-journal")) ||
		(n > 4 && !strcmp(name + n - 4, "-wal")))
		return SQLITE_OK;
	return below(vfs)->xAccess(below(vfs), name, flags, yes);
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
	(void)vfs;
	(void)name;
	(void)sync_folder;
	return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int n, char *path)
{
	return below(vfs)->xFullPathname(below(vfs), name, n, path);
}

static int randomness(sqlite3_vfs *vfs, int n, char *bytes)
{
	return below(vfs)->xRandomness(below(vfs), n, bytes);
}

static int wait_a_while(sqlite3_vfs *vfs, int microseconds)
{
	return below(vfs)->xSleep(below(vfs), microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *days)
{
	return below(vfs)->xCurrentTime(below(vfs), days);
}

static int last_error(sqlite3_vfs *vfs, int n, char *text)
{
	return below(vfs)->xGetLastError
		       ? below(vfs)->xGetLastError(below(vfs), n, text)
		       : 0;
}

const char *overlay_vfs(struct sqlite3_vfs *base)
{
	static sqlite3_vfs vfs = {
		.iVersion = 1,
		.zName = "bursar-overlay",
		.xOpen = open_file,
		.xDelete = delete_file,
		.xAccess = access_file,
		.xFullPathname = full_path,
		.xRandomness = randomness,
		.xSleep = wait_a_while,
		.xCurrentTime = current_time,
		.xGetLastError = last_error,
	};

	if (vfs.pAppData)
		return vfs.zName;
	vfs.szOsFile = (int)sizeof(struct overlay) + base->szOsFile;
	vfs.mxPathname = base->mxPathname;
	vfs.pAppData = base;
	if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK)
		BUG("SQLite does not take our files");
	return vfs.zName;
}
