/*
 * What the files that draw reports share.
 */
#pragma once

#include <stdio.h>

#include "cmd/sreport/sreport.h"

/* "2026-10-01 00:00 to 2026-11-01 00:00, cpu hours" */
const char *picture_subtitle(const struct report_run *, const char *unit);

/* What became of each cluster and TRES, hour by hour, day by day or month by
 * month (cmd/sreport/periods.c). */
void draw_periods(FILE *out, struct report_run *, const char *title);
