/*
 * The data of the page, as JSON. Explanations are packed (zlib, base64): each
 * is a kilobyte of words with little news, and readers open only a few.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Hash tables live in the arena and go with it. */
#define uthash_malloc(size) arena_alloc(arena, (size))
#define uthash_free(memory, size) ((void)(memory))

#include "cmd/spage/spage.h"
#include "common/base/hash.h"
#include "common/base/memory.h"

/* None of these can close the element around it; in JSON they stand in texts
 * only. */
static void write_json(FILE *out, const char *json)
{
	for (; *json; json++)
		if (strchr("<>&\x7f", *json))
			fprintf(out, "\\u%04x", *json);
		else
			putc_unlocked(*json, out);
}

void data_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || strchr("<>&\"\\\x7f", c))
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
	}
	putc('"', out);
}

void data_list(FILE *out, const char *key, const struct strv *records)
{
	fprintf(out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < records->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_json(out, records->v[i]);
	}
	putc(']', out);
}

/* ---- explanations ---------------------------------------------------------*/

/* An explanation, by what it is about. */
struct row_words {
	const char *text;
	UT_hash_handle hh;
};

/* These members of a record. */
static const char *key_of(struct json_object *record, const char *const *names,
	struct arena *arena)
{
	const char *key = "";

	for (; *names; names++)
		key = arena_printf(
			arena, "%s %s", key, record_text(record, *names));
	return key;
}

static void append(struct page *p, const char *text)
{
	size_t len = strlen(text) + 1;

	if (p->words_len + len > p->words_room) {
		p->words_room = (p->words_len + len) * 2;
		p->words = memory_resize(p->words, p->words_room, 1);
	}
	memcpy(p->words + p->words_len, text, len);
	p->words_len += len;
}

/* The new member of each record that has an explanation: the index of its
 * text. */
static void number(struct page *p, enum question table, enum question why,
	const char *const *names, size_t *next)
{
	struct strv *records = &p->answers[table].lines;
	const struct strv *texts = &p->answers[why].lines;
	struct arena *arena = &p->arena;
	struct row_words *all = NULL, *found;

	for (size_t i = 0; i < texts->n; i++) {
		struct json_object *record = json_tokener_parse(texts->v[i]);
		const char *key = key_of(record, names, arena);

		found = arena_alloc(arena, sizeof(*found));
		found->text = arena_strdup(arena, record_text(record, "text"));
		HASH_ADD_KEYPTR(hh, all, key, strlen(key), found);
		json_object_put(record);
	}
	for (size_t i = 0; all && i < records->n; i++) {
		const char *line = records->v[i];
		struct json_object *record = json_tokener_parse(line);
		const char *key = key_of(record, names, arena);

		json_object_put(record);
		HASH_FIND_STR(all, key, found);
		if (!found)
			continue;
		records->v[i] = arena_printf(arena, "%.*s,\"why\":%zu}",
			(int)strlen(line) - 1, line, (*next)++);
		append(p, found->text);
	}
}

void words_number(struct page *p)
{
	static const char *const of_share[] = {
		"user", "account", "partition", NULL};
	static const char *const of_job[] = {"job_id", NULL};
	size_t next = 0;

	number(p, ASK_SHARES, ASK_SHARES_WHY, of_share, &next);
	number(p, ASK_JOBS, ASK_JOBS_WHY, of_job, &next);
}

static void write_base64(FILE *out, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		three |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
		three |= i + 2 < n ? bytes[i + 2] : 0;
		putc(digits[three >> 18], out);
		putc(digits[three >> 12 & 63], out);
		putc(i + 1 < n ? digits[three >> 6 & 63] : '=', out);
		putc(i + 2 < n ? digits[three & 63] : '=', out);
	}
}

void data_words(struct page *p)
{
	uLongf len = compressBound(p->words_len);
	Bytef *packed = memory_resize(NULL, len, 1);

	if (p->words_len && compress(packed, &len, (const Bytef *)p->words,
				    p->words_len) == Z_OK) {
		fputs(",\n\"why\":{\"zlib\":\"", p->out);
		write_base64(p->out, packed, len);
		fputs("\"}", p->out);
	}
	free(packed);
}
