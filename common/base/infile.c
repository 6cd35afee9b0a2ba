#include "common/base/infile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/memory.h"

static int copy(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0) {
		if (memchr(buffer, '\0', n)) {
			errno = EILSEQ;
			return -1;
		}
		fwrite(buffer, 1, n, to);
	}
	return ferror(from) ? -1 : 0;
}

int infile_read(const char *path, char **text, size_t *size, struct err *err)
{
	bool standard = !strcmp(path, "-");
	FILE *file = standard ? stdin : fopen(path, "r");
	int error = 0;
	FILE *out;

	*text = NULL;
	if (!file)
		return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
			strerror(errno));
	out = memory_stream(text, size);
	if (copy(file, out))
		error = errno;
	fclose(out);
	if (!standard)
		fclose(file);
	if (!error)
		return 0;
	free(*text);
	*text = NULL;
	return err_set(err, ERR_USAGE, "cannot read %s: %s", path,
		error == EILSEQ ? "this is no text" : strerror(error));
}
