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

int infile_copy(FILE *from, char **text, size_t *size)
{
	FILE *to = memory_stream(text, size);
	int error = copy(from, to) ? errno : 0;

	fclose(to);
	if (!error)
		return 0;
	free(*text);
	*text = NULL;
	errno = error;
	return -1;
}

int infile_read(const char *path, char **text, size_t *size, struct err *err)
{
	bool standard = !strcmp(path, "-");
	FILE *file = standard ? stdin : fopen(path, "r");
	int error = 0;

	*text = NULL;
	if (!file)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
			strerror(errno));
	if (infile_copy(file, text, size))
		error = errno;
	if (!standard)
		fclose(file);
	if (!error)
		return 0;
	return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
		error == EILSEQ ? "this is no text" : strerror(error));
}
