/*
 * The data of the page, as JSON. Explanations are packed (zlib, base64): each
 * is a kilobyte of words with little news, and readers open only a few.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cmd/spage/spage.h"
#include "common/base/memory.h"

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

static void write_row(FILE *out, char **cells, size_t n)
{
	putc('[', out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc(',', out);
		data_text(out, cells[i]);
	}
	putc(']', out);
}

void data_table(FILE *out, const char *key, const struct rows *rows)
{
	fprintf(out, ",\n\"%s\":{\"columns\":", key);
	write_row(out, rows->heads, rows->n_heads);
	fputs(",\"rows\":[", out);
	for (size_t i = 0; i < rows->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		write_row(out, rows->v[i], rows->n_heads);
	}
	fputs("]}", out);
}

/* ---- explanations ---------------------------------------------------------*/

/* The keys of explanations, as page.c asks for them. */
static const char *share_key(struct page *p, char **row)
{
	const char *account = row[SHARES_ACCOUNT];

	return arena_printf(&p->arena, " %s %s %s", row[SHARES_USER],
		account + strspn(account, " "), row[SHARES_PARTITION]);
}

static const char *job_key(struct page *p, char **row)
{
	return arena_printf(&p->arena, " %s", row[JOB_ID]);
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

/* The new cell of each row: the index of its text; "" without one. */
static void number(struct page *p, enum question table, enum question why,
	const char *(*key)(struct page *, char **), size_t *next)
{
	struct rows *rows = &p->answers[table].rows;
	const struct row_index *index;

	if (!rows->n_heads)
		return;
	index = row_index_make(&p->answers[why].rows, 0, &p->arena);
	for (size_t i = 0; i < rows->n; i++) {
		char **row = rows->v[i];
		char **words = row_index_find(index, key(p, row));
		char *place = arena_strdup(&p->arena, "");

		if (words) {
			place = arena_printf(&p->arena, "%zu", (*next)++);
			append(p, words[1]);
		}
		row[rows->n_heads] = place;
	}
	rows->heads[rows->n_heads++] = arena_strdup(&p->arena, "why");
}

void words_number(struct page *p)
{
	size_t next = 0;

	number(p, ASK_SHARES, ASK_SHARES_WHY, share_key, &next);
	number(p, ASK_JOBS, ASK_JOBS_WHY, job_key, &next);
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
