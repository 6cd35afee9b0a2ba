/*
 * splan --advise
 */
#include "cmd/splan/splan.h"
int splan_advise(struct planned *p, struct site *site,
	const struct options *options, struct err *err)
{
	(void)p;
	(void)site;
	(void)options;
	return err_set(err, ERR_USAGE, "soon");
}
