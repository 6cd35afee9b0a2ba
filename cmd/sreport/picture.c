/*
 * Pictures of reports.
 */
#include "cmd/sreport/sreport.h"

void draw_rows(struct request *r, const struct rows *rows)
{
	(void)r;
	(void)rows;
}
