/*
 * Cuts of the power. The commands run one after the other with what they write
 * to files on record (faults.c); then the disk is made as it may be after a cut
 * at any call: what was not synchronised is lost, or is there in part. What was
 * acknowledged before the cut must be there, and nothing by half.
 *
 * A name is on the disk once its folder was synchronised, content once its file
 * was. Memory shared in STORE-shm is gone.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/torture/torture.h"
#include "tests/torture/trace.h"

enum { FILES = 4096, PENDING = 65536 };

struct write {
	enum trace_op op;
	int64_t offset;
	const char *bytes;
	size_t n;
};

struct content {
	char *bytes;
	size_t n;
};

struct file {
	const char *now, *disk; /* its names, or NULL */
	struct content on_disk;
	struct write *pending;
	size_t n_pending;
};

static struct file files[FILES];
static size_t n_files;
static size_t root_length;

/* ---- content -------------------------------------------------------------*/

static void *room(void *old, size_t n)
{
	void *new = realloc(old, n ? n : 1);

	if (!new) {
		perror("torture");
		exit(2);
	}
	return new;
}

static void set_size(struct content *c, size_t n)
{
	c->bytes = room(c->bytes, n);
	if (n > c->n)
		memset(c->bytes + c->n, 0, n - c->n);
	c->n = n;
}

static void apply(struct content *c, const struct write *w)
{
	if (w->op == TRACE_CONTENT)
		set_size(c, 0);
	if (w->op == TRACE_TRUNCATE) {
		set_size(c, (size_t)w->offset);
		return;
	}
	if ((size_t)w->offset + w->n > c->n)
		set_size(c, (size_t)w->offset + w->n);
	memcpy(c->bytes + w->offset, w->bytes, w->n);
}

/* ---- the disk ------------------------------------------------------------*/

static struct file *find_now(const char *name)
{
	for (size_t i = 0; i < n_files; i++)
		if (files[i].now && !strcmp(files[i].now, name))
			return &files[i];
	return NULL;
}

static struct file *make_file(const char *name)
{
	struct file *file = find_now(name);

	if (file)
		return file;
	if (n_files == FILES) {
		fprintf(stderr, "torture: too many files\n");
		exit(2);
	}
	file = &files[n_files++];
	*file = (struct file){.now = strdup(name)};
	return file;
}

static bool lies_in(const char *name, const char *dir)
{
	const char *slash = strrchr(name, '/');

	return (size_t)(slash - name) == strlen(dir) &&
	       !strncmp(name, dir, strlen(dir));
}

static void add_pending(struct file *file, const struct write *w)
{
	file->pending = room(file->pending,
		(file->n_pending + 1) * sizeof(*file->pending));
	file->pending[file->n_pending++] = *w;
}

static void sync_content(struct file *file)
{
	for (size_t i = 0; i < file->n_pending; i++)
		apply(&file->on_disk, &file->pending[i]);
	file->n_pending = 0;
}

static void sync_folder(const char *dir)
{
	for (size_t i = 0; i < n_files; i++)
		if ((files[i].now && lies_in(files[i].now, dir)) ||
			(files[i].disk && lies_in(files[i].disk, dir)))
			files[i].disk = files[i].now;
}

static void play(const struct trace_record *r, const char *path,
	const char *other, const char *bytes)
{
	const struct write w = {(enum trace_op)r->op, r->offset, bytes,
		(size_t)r->bytes};
	struct file *file;

	switch ((enum trace_op)r->op) {
	case TRACE_CREATE:
		make_file(path);
		break;
	case TRACE_WRITE:
	case TRACE_CONTENT:
	case TRACE_TRUNCATE:
		add_pending(make_file(path), &w);
		break;
	case TRACE_SYNC:
		sync_content(make_file(path));
		break;
	case TRACE_SYNC_FOLDER:
		sync_folder(path);
		break;
	case TRACE_UNLINK:
		make_file(path)->now = NULL;
		break;
	case TRACE_RENAME:
		if ((file = find_now(other)))
			file->now = NULL;
		make_file(path)->now = strdup(other);
		break;
	case TRACE_SAID:
		break;
	}
}

/* ---- what is found after the cut -----------------------------------------*/

enum variant {
	OLD_NAMES, /* nothing that was not synchronised */
	NEW_NAMES, /* names, but no content */
	SOME_CONTENT, /* names, and some of the content */
	VARIANTS,
};

static uint64_t put_file(uint64_t hash, const char *path,
	const struct file *file, enum variant variant)
{
	struct content c = {0};
	FILE *out = fopen(path, "w");

	if (!out) {
		perror(path);
		exit(2);
	}
	set_size(&c, file->on_disk.n);
	memcpy(c.bytes, file->on_disk.bytes ? file->on_disk.bytes : "", c.n);
	for (size_t i = 0; variant == SOME_CONTENT && i < file->n_pending; i++)
		if (chance(2))
			apply(&c, &file->pending[i]);
	fwrite(c.bytes, 1, c.n, out);
	fclose(out);
	hash = hash_of(hash_of(hash, path, strlen(path)), c.bytes, c.n);
	free(c.bytes);
	return hash;
}

/* What it looks like, as a number. */
static uint64_t put_disk(const struct place *place, enum variant variant)
{
	uint64_t hash = 0;
	char path[TEXT];

	remove_place(place);
	mkdir(place->dir, 0755);
	snprintf(path, sizeof(path), "%s/archive", place->dir);
	mkdir(path, 0700);
	for (size_t i = 0; i < n_files; i++) {
		const char *name = variant == OLD_NAMES ? files[i].disk
							: files[i].now;

		if (!name)
			continue;
		snprintf(path, sizeof(path), "%s%s", place->dir,
			name + root_length);
		hash = put_file(hash, path, &files[i], variant);
	}
	return hash;
}

/* What there was before the first command is on the disk. */
static void read_folder(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char path[TEXT];
		struct write w = {.op = TRACE_CONTENT};
		struct file *file;
		struct stat st;
		FILE *in;
		char *bytes;

		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (strstr(entry->d_name, "-shm") || stat(path, &st) ||
			!S_ISREG(st.st_mode))
			continue;
		in = fopen(path, "r");
		bytes = room(NULL, (size_t)st.st_size);
		w.n = fread(bytes, 1, (size_t)st.st_size, in);
		w.bytes = bytes;
		fclose(in);
		file = make_file(path);
		file->disk = file->now;
		apply(&file->on_disk, &w);
		free(bytes);
	}
	if (d)
		closedir(d);
}

/* ---- the record ----------------------------------------------------------*/

/* Mapped: a fork would have to copy the tables of a hundred MB that are read. */
static char *read_trace(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *bytes;

	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		exit(2);
	}
	*size = (size_t)st.st_size;
	bytes = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	close(fd);
	return bytes;
}

static void write_said(const char *path, size_t which)
{
	struct trace_record r = {.op = TRACE_SAID, .offset = (int64_t)which};
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, &r, sizeof(r)) != sizeof(r)) {
		perror(path);
		exit(2);
	}
	close(fd);
}

static void record_all(const struct place *place, const char *trace)
{
	char to[TEXT + 32], root[TEXT];
	const char *environment[] = {preload_text(), to, root, NULL};

	snprintf(to, sizeof(to), "TORTURE_TRACE=%s", trace);
	snprintf(root, sizeof(root), "TORTURE_ROOT=%s", place->dir);
	for (size_t i = 0; i < n_works; i++) {
		const struct place at = place_of(place, &works[i]);
		int status = finish(
			start(&at, works[i].words, (int)i + 1, environment));

		if (status) {
			fprintf(stderr, "torture: %s: exit status %d\n",
				works[i].name, status);
			exit(2);
		}
		write_said(trace, i);
	}
}

/* A disk that was looked at when so many had been acknowledged. */
struct looked {
	uint64_t disk;
	size_t said;
};

/* Remembers it; what it said before, or NULL. */
static const struct looked *looked_before(uint64_t disk, size_t said)
{
	static struct looked all[65536], before;
	struct looked *at = &all[disk % 65536];

	before = *at;
	*at = (struct looked){disk, said};
	return before.disk == disk ? &before : NULL;
}

/* Those that were acknowledged, and the one that was running; of a disk that is
 * as one before only those since. The last is a restore, which takes the others
 * back. */
static void look(struct tally *tally, const struct place *place,
	uint64_t disk, size_t said)
{
	const struct looked *before = looked_before(disk, said);
	size_t from = before ? before->said : 0;

	if (before && before->said == said)
		return;
	if (said >= n_works - 1)
		from = n_works - 1;
	for (size_t i = from; i < n_works && i <= said; i++) {
		if (i < said)
			judge(tally, place, &works[i], (int)i + 1, 0);
		else if (state_of(place, &works[i], (int)i + 1) < 0)
			tally->half++;
	}
	tally->runs++;
	if (!are_sound(place))
		tally->broken++;
}

/* `every`: a cut after so many calls. */
static void play_all(const struct place *cut, const char *bytes, size_t size,
	uint64_t calls, struct tally *tally)
{
	uint64_t wanted = (uint64_t)options.cuts;
	size_t said = 0, at = 0;

	while (at < size) {
		struct trace_record r;
		char path[TEXT], other[TEXT];

		memcpy(&r, bytes + at, sizeof(r));
		at += sizeof(r);
		snprintf(path, sizeof(path), "%.*s", (int)r.path, bytes + at);
		at += r.path;
		snprintf(other, sizeof(other), "%.*s", (int)r.other,
			bytes + at);
		at += r.other;
		play(&r, path, other, bytes + at);
		at += r.bytes;
		if (r.op == TRACE_SAID)
			said = (size_t)r.offset + 1;
		if (r.op != TRACE_SAID && chance(calls) >= wanted)
			continue;
		for (int v = 0; v < VARIANTS; v++) {
			uint64_t disk = put_disk(cut, (enum variant)v);

			look(tally, cut, disk, said);
		}
	}
}

static uint64_t count_calls(const char *bytes, size_t size)
{
	struct trace_record r;
	uint64_t calls = 0;

	for (size_t at = 0; at < size; calls++) {
		memcpy(&r, bytes + at, sizeof(r));
		at += sizeof(r) + r.path + r.other + r.bytes;
	}
	return calls;
}

void power_cuts(const struct place *base, struct tally *tally)
{
	struct place place, cut;
	char trace[TEXT], *bytes;
	size_t size;

	copy_place(base, &place, "recorded");
	make_place(&cut, "cut");
	for (size_t i = 0; i < n_works; i++) {
		const struct place at = place_of(&place, &works[i]);

		if (works[i].prepare)
			works[i].prepare(&at, (int)i + 1);
	}
	root_length = strlen(place.dir);
	read_folder(place.dir);
	snprintf(trace, sizeof(trace), "%s.trace", place.dir);
	record_all(&place, trace);
	bytes = read_trace(trace, &size);
	play_all(&cut, bytes, size, count_calls(bytes, size), tally);
	munmap(bytes, size);
	remove_place(&place);
	remove_place(&cut);
}
