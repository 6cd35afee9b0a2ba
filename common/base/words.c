#include "common/base/words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* One of the names, its least abbreviation, and where the next begins. */
static const char *one_word(const char *names, size_t *len, size_t *min)
{
	*len = *min = 0;
	while (names[*len] && names[*len] != ':' && names[*len] != ' ')
		++*len;
	names += *len;
	if (*names == ':')
		for (names++; *names >= '0' && *names <= '9'; names++)
			*min = *min * 10 + (size_t)(*names - '0');
	while (*names == ' ')
		names++;
	return names;
}

void words_each(const char *names,
	void (*each)(const char *name, size_t len, size_t min, void *arg),
	void *arg)
{
	while (*names) {
		size_t len, min;
		const char *next = one_word(names, &len, &min);

		each(names, len, min, arg);
		names = next;
	}
}

/* Letters that are the same but for their case differ in this bit alone. */
enum { CASE_BIT = 0x20 };

/* Most names begin with another letter: those are passed over at once. */
bool words_match(const char *names, const char *typed, size_t len)
{
	while (names && *names && len) {
		size_t whole, min;

		if (!((*names ^ *typed) & ~CASE_BIT)) {
			one_word(names, &whole, &min);
			if (len >= min && len <= whole &&
				!strncasecmp(names, typed, len))
				return true;
		}
		names = strchr(names, ' ');
		while (names && *names == ' ')
			names++;
	}
	return false;
}

bool words_have(const char *names, const char *word, size_t len)
{
	while (*names) {
		size_t n = strcspn(names, " ");

		if (n == len && !strncasecmp(names, word, len))
			return true;
		names += n + (names[n] == ' ');
	}
	return false;
}

const char *words_first(const char *names, char *buf, size_t size)
{
	size_t len = strcspn(names, ": ");

	if (len >= size)
		len = size - 1;
	memcpy(buf, names, len);
	buf[len] = '\0';
	return buf;
}

struct word word_split(const char *text)
{
	const char *equals = strchr(text, '=');
	struct word word = {.text = text, .name_len = strlen(text),
		.op = OP_NONE, .value = text};

	if (!equals)
		return word;
	word.op = OP_SET;
	word.name_len = (size_t)(equals - text);
	word.value = equals + 1;
	if (equals > text && equals[-1] == '+')
		word.op = OP_ADD;
	else if (equals > text && equals[-1] == '-')
		word.op = OP_SUB;
	if (word.op != OP_SET)
		word.name_len--;
	return word;
}

/* Behind the word that begins at c. */
static char *word_end(char *c, enum line_quotes quotes)
{
	bool open[2] = {false, false}; /* "twice", 'once' */

	for (; *c; c++) {
		int kind = *c == '\'';

		if (!open[0] && !open[1] && isspace((unsigned char)*c))
			break;
		if ((*c == '"' || *c == '\'') &&
			(quotes == QUOTES_CROSS || !open[!kind]))
			open[kind] = !open[kind];
	}
	return c;
}

/* `open`: the last word ended with the line, not before. */
static int cut_line(
	char *line, enum line_quotes quotes, char **words, bool *open)
{
	int n = 0;

	*open = false;
	for (char *c = line; *c;) {
		while (isspace((unsigned char)*c))
			c++;
		*open = *c != '\0';
		if (!*c)
			break;
		if (n == LINE_WORDS)
			return -1;
		words[n++] = c;
		c = word_end(c, quotes);
		if (*c) {
			*c++ = '\0';
			*open = false;
		}
	}
	return n;
}

int line_split(char *line, enum line_quotes quotes, char **words)
{
	bool open;

	return cut_line(line, quotes, words, &open);
}

int line_split_partial(char *line, enum line_quotes quotes, char **words)
{
	bool open;
	char *end = line + strlen(line);
	int n = cut_line(line, quotes, words, &open);

	if (n >= 0 && !open)
		words[n++] = end;
	return n;
}

/* Removes the quotes of a word. False: one is not closed. */
static bool unquote(char **from, char *to)
{
	char quote = '\0', *at = *from;

	for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
		if (*at == quote)
			quote = '\0';
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (*at == '\\' && quote != '\'' && at[1])
			*to++ = *++at;
		else
			*to++ = *at;
	}
	*from = at + (*at != '\0');
	*to = '\0';
	return !quote;
}

int line_unquote(char *line, char **words)
{
	int n = 0;

	for (;;) {
		while (isspace((unsigned char)*line))
			line++;
		words[n] = NULL;
		if (!*line)
			return n;
		if (n == LINE_WORDS)
			return -1;
		words[n] = line;
		if (!unquote(&line, words[n++]))
			return -2;
	}
}
