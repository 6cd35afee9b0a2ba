/*
 * What a change has to say, kept until it may be printed: the report of a load
 * may be hundreds of megabytes, so that from a megabyte on it is kept in a
 * temporary file.
 */
#pragma once

#include <stdio.h>

struct kept_report {
	char *text;
	size_t size, cap;
	FILE *file;	/* instead of the text; or NULL */
	char *buffer;	/* of the stream that writes into it */
	size_t printed; /* how much of it */
	int lost;	/* errno of what could not be kept; 0 */
};

/* A stream that writes into it; close that before anything below. */
FILE *report_open(struct kept_report *);

/* Prints what has not been printed yet: all of it, or as much as standard output
 * takes without waiting (cli_write_ready). -1: it cannot be read, or written. */
int report_print(struct kept_report *, FILE *to);
int report_print_ready(struct kept_report *);

/* All of it as one text; NULL: it cannot be read. */
const char *report_whole(struct kept_report *);

void report_free(struct kept_report *);
