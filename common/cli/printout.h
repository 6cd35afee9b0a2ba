/*
 * A listing on standard output in the form that was asked for: lines under a
 * heading, or the records of a document. For cmd/ only: it prints.
 *
 *	struct printout out = {.grid = &grid, .form = options->form,
 *		.list = "jobs", .record = job_record, .scratch = &scratch};
 *
 *	printout_begin(&out);
 *	printout_rows(&out, rows, n, sizeof(*rows));
 *	printout_end(&out, NULL);
 */
#pragma once

#include "common/cli/format.h"
#include "common/table/json.h"
#include "common/table/pairs.h"

struct printout {
	/* The columns, of one of these kinds. */
	const struct grid *grid;
	const struct format *format;
	const struct pairs_grid *pairs; /* its rows are pairs */
	enum json_form form;		/* JSON_NONE: lines */
	const char *list;		/* in the document */
	/* Makes the record of a row; NULL: every member of the grid
	 * (json_put_members_plain). */
	struct json_object *(*record)(const void *row, struct arena *);
	bool flat; /* records have the columns of the lines, and no more */
	const struct tres_catalog *catalog;
	struct arena *scratch; /* for a row */
	struct json_doc doc;
};

/* Begins the document, or prints the heading: for several tables several times.
 */
void printout_begin(struct printout *);

/* The caller resets `scratch`; or it is reset before each of n rows of `size`
 * bytes. */
void printout_row(struct printout *, const void *row);
void printout_rows(struct printout *, const void *rows, size_t n, size_t size);

/* Ends the document, if it is one, with what stands beside the list (taken
 * over), or NULL. */
void printout_end(struct printout *, struct json_object *beside);
