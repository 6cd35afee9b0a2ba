#include "common/words.h"

#include <string.h>
#include <strings.h>

void words_each(const char *names,
	void (*each)(const char *name, size_t len, size_t min, void *arg),
	void *arg)
{
	while (*names) {
		size_t len = strcspn(names, ": "), min = 0;
		const char *name = names;

		names += len;
		if (*names == ':')
			for (names++; *names >= '0' && *names <= '9'; names++)
				min = min * 10 + (size_t)(*names - '0');
		while (*names == ' ')
			names++;
		each(name, len, min, arg);
	}
}

struct match {
	const char *typed;
	size_t len;
	bool found;
};

static void match_one(const char *name, size_t len, size_t min, void *arg)
{
	struct match *m = arg;

	if (m->len >= min && m->len <= len && m->len &&
		!strncasecmp(name, m->typed, m->len))
		m->found = true;
}

bool words_match(const char *names, const char *typed, size_t len)
{
	struct match m = {typed, len, false};

	words_each(names, match_one, &m);
	return m.found;
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
