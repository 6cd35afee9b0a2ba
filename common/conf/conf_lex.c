/*
 * See conf_lex.h. The grammar is that of Slurm's own reader: a `#` that no
 * backslash escapes starts a comment even inside quotes, a backslash at the end
 * of what is left continues the line, then `\x` becomes `x`; a value is one
 * word or is in double quotes.
 */
#include "common/conf/conf_lex.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"

enum {
	FILE_BYTES_MAX = 64 << 20,
	INCLUDE_DEPTH_MAX = 16,
	INCLUDE_FILES_MAX = 1000,
};

/* A file being read; `parent` includes it. */
struct conf_file {
	const struct conf_file *parent;
	const char *path;
	dev_t dev;
	ino_t ino;
	int depth;
	int line;
};

struct lexer {
	struct arena *arena;
	struct err *err;
	struct conf_lines *lines;
	const char *first_path;
	const char *cluster; /* NULL until seen */
	int files;
};

static int lex_source(
	struct lexer *lexer, const char *path, const struct conf_file *parent);

/* The file of lines that are in no file. */
static const char nowhere[] = "(a line)";

int conf_err_at(struct err *err, const char *file, int line)
{
	for (char *c = err->text; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return file == nowhere ? -1 : err_prefix(err, "%s:%d", file, line);
}

static int fail(struct lexer *lexer, const struct conf_file *source,
	const char *what, const char *text)
{
	err_set(lexer->err, ERR_USAGE, "%s: \"%s\"", what, text);
	return conf_err_at(lexer->err, source->path, source->line);
}

/* --- files ------------------------------------------------------------- */

static int cannot_read(struct lexer *lexer, const char *path, int number)
{
	char buf[128];
	const char *why = number == EILSEQ
				  ? "not a text file (it holds a NUL byte)"
			  : number == ESPIPE
				  ? "not a regular file"
				  : strerror_r(number, buf, sizeof(buf));

	return err_set(lexer->err, ERR_SYSTEM, "%s cannot be read: %s", path, why);
}

/* All bytes up to the end; NULL with errno set. */
static char *read_all(struct arena *arena, int fd)
{
	size_t used = 0, size = 16384;
	char *text = arena_alloc(arena, size);

	for (;;) {
		ssize_t n = read(fd, text + used, size - used - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? NULL : text;
		used += (size_t)n;
		if (memchr(text + used - (size_t)n, '\0', (size_t)n)) {
			errno = EILSEQ;
			return NULL;
		}
		if (used + 1 < size)
			continue;
		if (size >= FILE_BYTES_MAX) {
			errno = EFBIG;
			return NULL;
		}
		size *= 2;
		text = memcpy(arena_alloc(arena, size), text, used);
	}
}

/* A pipe, a terminal or another device is not read: that would wait for a
 * writer, or never end. */
static char *read_source(struct lexer *lexer, struct conf_file *source)
{
	int fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *text = NULL;
	int number;

	if (fd >= 0 && !fstat(fd, &st)) {
		source->dev = st.st_dev;
		source->ino = st.st_ino;
		lexer->lines->changed =
			larger(lexer->lines->changed, st.st_mtime);
		errno = S_ISDIR(st.st_mode) ? EISDIR : ESPIPE;
		if (S_ISREG(st.st_mode))
			text = read_all(lexer->arena, fd);
	}
	number = errno;
	if (fd >= 0)
		close(fd);
	if (!text)
		cannot_read(lexer, source->path, number);
	return text;
}

/* --- lines ------------------------------------------------------------- */

static void cut_comment(char *text)
{
	for (; *text && *text != '#'; text++)
		if (*text == '\\' && text[1])
			text++;
	*text = '\0';
}

/* Removes the backslash that continues the line: the last character but
 * blanks, and not escaped itself. */
static bool cut_continuation(char *text)
{
	char *end = text + strlen(text), *p;

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	for (p = end; p > text && p[-1] == '\\';)
		p--;
	if ((end - p) % 2 == 0)
		return false;
	end[-1] = '\0';
	return true;
}

static void unescape(char *text)
{
	char *out = text;

	for (; *text; text++) {
		if (*text == '\\' && !*++text)
			break;
		*out++ = *text;
	}
	*out = '\0';
}

/* The next logical line, put together in place; NULL at the end. `number`
 * counts physical lines, source->line is where this one begins. */
static char *next_line(struct conf_file *source, char **cursor, int *number)
{
	char *line = *cursor, *end = line;
	bool more = true;

	if (!*line)
		return NULL;
	source->line = *number + 1;
	while (more && **cursor) {
		char *part = *cursor;
		size_t n = strcspn(part, "\n");

		*cursor += part[n] ? n + 1 : n;
		part[n] = '\0';
		++*number;
		cut_comment(part);
		more = cut_continuation(part);
		n = strlen(part);
		memmove(end, part, n + 1);
		end += n;
	}
	unescape(line);
	return line;
}

/* --- key=value --------------------------------------------------------- */

static char *skip_blanks(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static bool key_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool ends_word(char c)
{
	return !c || isspace((unsigned char)c);
}

/* The value at *text, which moves past it; NULL when there is no value. */
static const char *read_value(struct lexer *lexer, char **text)
{
	char *start = skip_blanks(*text), *end;

	if (*start == '"') {
		end = strchr(start + 1, '"');
		if (!end)
			return NULL;
		if (ends_word(end[1])) {
			*text = end + 1;
			return arena_strndup(lexer->arena, start + 1,
				(size_t)(end - start - 1));
		}
	}
	for (end = start; !ends_word(*end);)
		end++;
	*text = end;
	return end == start ? NULL
			    : arena_strndup(lexer->arena, start,
				      (size_t)(end - start));
}

/* Slurm's reader knows operators before `=` but no key that heeds them. */
static char *skip_equals(char *text)
{
	text = skip_blanks(text);
	if (*text && strchr("-+*/", *text))
		text++;
	return *text == '=' ? text + 1 : NULL;
}

static int read_pair(struct lexer *lexer, struct conf_file *source, char **text,
	struct conf_pairs *pairs)
{
	char *start = *text, *end = start;
	struct conf_pair pair = {.file = source->path, .line = source->line};

	while (key_char(*end))
		end++;
	*text = end == start ? NULL : skip_equals(end);
	if (!*text)
		return fail(lexer, source, "Parse error", start);
	pair.key = arena_strndup(lexer->arena, start, (size_t)(end - start));
	pair.value = read_value(lexer, text);
	if (!pair.value)
		return fail(lexer, source,
			strchr(start, '"') ? "Closing quote missing"
					   : "Value missing",
			start);
	*ARENA_PUSH(lexer->arena, pairs->v, pairs->n, pairs->cap) = pair;
	if (!strcasecmp(pair.key, "ClusterName"))
		lexer->cluster = str_lower(lexer->arena, pair.value);
	return 0;
}

static int read_pairs(struct lexer *lexer, struct conf_file *source, char *text)
{
	struct conf_line line = {0};

	for (text = skip_blanks(text); *text; text = skip_blanks(text))
		if (read_pair(lexer, source, &text, &line.pairs))
			return -1;
	if (line.pairs.n)
		*ARENA_PUSH(lexer->arena, lexer->lines->v, lexer->lines->n,
			lexer->lines->cap) = line;
	return 0;
}

/* --- Include ----------------------------------------------------------- */

/* The name after "Include ", or NULL when the line is something else. */
static char *include_name(struct lexer *lexer, char *line)
{
	char *start = skip_blanks(line), *end;

	if (strncasecmp(start, "include", 7) ||
		!isspace((unsigned char)start[7]))
		return NULL;
	start = skip_blanks(start + 7);
	for (end = start; !ends_word(*end);)
		end++;
	return arena_strndup(lexer->arena, start, (size_t)(end - start));
}

static const char *beside(
	struct arena *arena, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');

	if (*name == '/' || !slash)
		return name;
	return arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}

static const char *find_include(
	struct lexer *lexer, const struct conf_file *source, const char *name)
{
	const char *path = beside(lexer->arena, lexer->first_path, name);
	const char *other = beside(lexer->arena, source->path, name);

	return access(path, F_OK) && !access(other, F_OK) ? other : path;
}

/* Every `%c` of the name becomes the cluster's name. */
static const char *fill_cluster(struct lexer *lexer, const char *name)
{
	const char *mark;

	while (lexer->cluster && (mark = strstr(name, "%c")))
		name = arena_printf(lexer->arena, "%.*s%s%s",
			(int)(mark - name), name, lexer->cluster, mark + 2);
	return name;
}

static int lex_include(
	struct lexer *lexer, struct conf_file *source, const char *name)
{
	if (lexer->cluster && strstr(lexer->cluster, "%c"))
		return fail(lexer, source, "Bad ClusterName", lexer->cluster);
	name = fill_cluster(lexer, name);
	if (!*name)
		return fail(lexer, source, "Include without a file", name);
	if (strstr(name, "%c"))
		return fail(lexer, source, "No ClusterName before this Include",
			name);
	if (strchr(name, '*'))
		return fail(lexer, source,
			"Include takes one file, not a pattern", name);
	if (source->depth == INCLUDE_DEPTH_MAX)
		return fail(lexer, source, "Include goes too deep", name);
	if (++lexer->files > INCLUDE_FILES_MAX)
		return fail(lexer, source, "Too many files included", name);
	return lex_source(lexer, find_include(lexer, source, name), source);
}

static bool is_open(const struct conf_file *source)
{
	for (const struct conf_file *s = source->parent; s; s = s->parent)
		if (s->dev == source->dev && s->ino == source->ino)
			return true;
	return false;
}

/* An error about the file itself belongs to the Include that named it. */
static int fail_parent(struct lexer *lexer, const struct conf_file *source)
{
	if (source->parent)
		conf_err_at(
			lexer->err, source->parent->path, source->parent->line);
	return -1;
}

static int lex_source(
	struct lexer *lexer, const char *path, const struct conf_file *parent)
{
	struct conf_file source = {.parent = parent,
		.path = arena_strdup(lexer->arena, path),
		.depth = parent ? parent->depth + 1 : 0};
	char *cursor = read_source(lexer, &source), *line, *name;
	int number = 0;

	if (!cursor)
		return fail_parent(lexer, &source);
	if (is_open(&source)) {
		err_set(lexer->err, ERR_USAGE,
			"Include of %s goes round in a circle", path);
		return fail_parent(lexer, &source);
	}
	while ((line = next_line(&source, &cursor, &number))) {
		name = include_name(lexer, line);
		if (name ? lex_include(lexer, &source, name)
			 : read_pairs(lexer, &source, line))
			return -1;
	}
	return 0;
}

int conf_lex_file(const char *path, struct arena *arena,
	struct conf_lines *lines, struct err *err)
{
	struct lexer lexer = {.arena = arena,
		.err = err,
		.lines = lines,
		.first_path = arena_strdup(arena, path)};

	return lex_source(&lexer, path, NULL);
}

int conf_lex_line(const char *text, struct arena *arena,
	struct conf_lines *lines, struct err *err)
{
	struct conf_file source = {.path = nowhere};
	struct lexer lexer = {
		.arena = arena, .err = err, .lines = lines, .first_path = ""};
	char *cursor = arena_strdup(arena, text), *line;
	int number = 0;

	while ((line = next_line(&source, &cursor, &number)))
		if (read_pairs(&lexer, &source, line))
			return -1;
	return 0;
}

const char *conf_pairs_get(const struct conf_pairs *pairs, const char *key)
{
	for (size_t i = pairs->n; i > 0; i--)
		if (!strcasecmp(pairs->v[i - 1].key, key))
			return pairs->v[i - 1].value;
	return NULL;
}
