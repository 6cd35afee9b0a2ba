#include "common/base/infile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"

static int copy(FILE *from, FILE *to)
{
	static const char mark[] = "\xef\xbb\xbf";
	char buffer[65536];
	size_t n, skip;
	bool first = true;

	errno = 0;
	for (; (n = fread(buffer, 1, sizeof(buffer), from)) > 0; first = false) {
		if (memchr(buffer, '\0', n)) {
			errno = EILSEQ;
			return -1;
		}
		skip = first && n >= 3 && !memcmp(buffer, mark, 3) ? 3 : 0;
		fwrite(buffer + skip, 1, n - skip, to);
	}
	return ferror(from) ? -1 : 0;
}

/* NULL with errno. */
static char *read_text(FILE *from, size_t *size)
{
	char *text = NULL;
	FILE *to = memory_stream(&text, size);
	int error = copy(from, to) ? errno : 0;

	fclose(to);
	if (!error)
		return text;
	free(text);
	errno = error;
	return NULL;
}

char *infile_text(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = file ? read_text(file, size) : NULL;
	int error = errno;

	if (file)
		fclose(file);
	errno = error;
	return text;
}

int infile_read(const char *path, char **text, size_t *size, struct err *err)
{
	*text = strcmp(path, "-") ? infile_text(path, size)
				  : read_text(stdin, size);
	if (*text)
		return 0;
	return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
		errno == EILSEQ ? "this is not text" : strerror(errno));
}
