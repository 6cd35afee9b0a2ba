/*
 * What sshare's plots and pictures share: an area in the terminal, its width,
 * and the file of an SVG picture. What is drawn is decided elsewhere.
 */
#include "cmd/sshare/sshare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/base/outfile.h"
#include "common/cli/cli.h"
#include "common/draw/plot.h"

enum { AREA_ROWS = 8, MARGIN = 8 /* left of a plot */, LEAST_WIDTH = 20,
	MOST_LINES = 8, MOST_NAMED = 16 };

size_t sshare_plot_width(size_t columns)
{
	return columns > MARGIN + LEAST_WIDTH ? columns - MARGIN : LEAST_WIDTH;
}

void sshare_plot(const struct plot_area *wanted, struct arena *arena)
{
	struct plot_area area = *wanted;
	struct strv lines = {0};

	area.rows = AREA_ROWS;
	area.colour = cli_coloured() ? area.colour : NULL;
	area.ascii = !cli_utf8();
	plot_draw(&area, &lines, arena);
	for (size_t i = 0; i < lines.n; i++)
		puts(lines.v[i]);
}

size_t sshare_lines(const struct session *s, size_t n)
{
	size_t most = s->options.users.n ? MOST_NAMED : MOST_LINES;

	return n < most ? n : most;
}

void sshare_largest(const double *keys, size_t of, size_t n, size_t *places,
	struct arena *arena)
{
	bool *chosen = arena_array(arena, of + 1, sizeof(*chosen));
	size_t to = 0;

	for (size_t k = 0; k < n; k++) {
		size_t most = of;

		for (size_t i = 0; i < of; i++)
			if (!chosen[i] && (most == of || keys[i] > keys[most] ||
						  isnan(keys[most])))
				most = i;
		if (most < of)
			chosen[most] = true;
	}
	for (size_t i = 0; i < of; i++)
		if (chosen[i])
			places[to++] = i;
}

void sshare_books(struct session *s, const char *cluster, struct arena *arena,
	struct svg_book *users, struct svg_book *accounts)
{
	struct strv names[2] = {{0}};
	struct shares shares;

	if (shares_load(&s->site.store, s->policy, cluster, s->site.now, 0,
		    arena, &shares))
		cli_die(&s->err);
	for (int i = 0; i < 2; i++) {
		shares_most_used(&shares, i == 0, SVG_COLOURS, arena, &names[i]);
		svg_book(i ? accounts : users,
			(const char *const *)names[i].v, names[i].n);
	}
}

void sshare_write_svg(const char *path,
	void (*draw)(const void *picture, FILE *), const void *picture)
{
	struct outfile out;
	struct err err;

	if (outfile_open(&out, path, OUTFILE_OR_STDOUT, &err))
		cli_fatal("%s", err.text);
	draw(picture, out.file);
	if (outfile_close(&out, &err))
		cli_fatal("%s", err.text);
}
