/*
 * A store file for one test, in a folder of its own that goes with all that
 * SQLite leaves beside the file.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STORE_FILE_SIZE = 64 }; /* bytes of a path */

/* Makes the folder; `path` is the file that does not exist in it yet. In memory
 * where there is some for files: a program may wait for the disk 20,000 times. */
static inline void store_file_make(char path[STORE_FILE_SIZE])
{
	strcpy(path, access("/dev/shm", W_OK | X_OK)
			     ? "/tmp/bursar-unit-XXXXXX"
			     : "/dev/shm/bursar-unit-XXXXXX");
	if (!mkdtemp(path)) {
		perror(path);
		exit(1);
	}
	strcat(path, "/acct.db");
}

static inline void store_file_remove(char path[STORE_FILE_SIZE])
{
	static const char *const ends[] = {"", "-journal", "-wal", "-shm"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		char file[STORE_FILE_SIZE + 8];

		snprintf(file, sizeof(file), "%s%s", path, ends[i]);
		unlink(file);
	}
	*strrchr(path, '/') = '\0';
	rmdir(path);
}
