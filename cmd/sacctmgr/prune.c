/*
 * PurgeTXNAfter of slurmdbd.conf: after a change the oldest entries of the log
 * are removed, as there is no daemon to do it.
 */
#include "db/undo/undo.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "common/cli/cli.h"

/* The moment so many hours, days or months ago, at the start of one. */
static int64_t ago(int64_t now, long n, char unit)
{
	time_t t = (time_t)now;
	struct tm tm;

	localtime_r(&t, &tm);
	tm.tm_sec = tm.tm_min = 0;
	tm.tm_isdst = -1;
	if (unit == 'h') {
		tm.tm_hour -= (int)n;
		return mktime(&tm);
	}
	tm.tm_hour = 0;
	if (unit == 'd') {
		tm.tm_mday -= (int)n;
		return mktime(&tm);
	}
	tm.tm_mday = 1;
	tm.tm_mon -= (int)n;
	return mktime(&tm);
}

int read_purge(
	struct session *s, const char *text, bool units, int64_t *before)
{
	static const char *const names[] = {"months", "hours", "days"};
	const char *unit = text + strspn(text, "0123456789");
	long n = strtol(text, NULL, 10);
	char letter = *unit ? 0 : 'm';

	if (unit == text || n > 100000 || (*unit && !units))
		return err_set(&s->err, ERR_USAGE, "Invalid purge string '%s'",
			text);
	for (size_t i = 0; *unit && i < 3; i++)
		if (!strncasecmp(names[i], unit, strlen(unit)))
			letter = *names[i];
	if (!letter)
		return err_set(&s->err, ERR_USAGE,
			"Invalid purge unit '%s', valid options are hours, "
			"days, or months",
			unit);
	*before = ago(s->site.now, n, letter);
	return 0;
}

void prune_log(struct session *s)
{
	const char *text = s->site.dbd.purge_txn;
	const char *unit = text ? text + strspn(text, "0123456789") : "";
	int64_t before = 0, keep = 0;

	if (!text || !strcasecmp(text, "NONE") || s->store->is_private)
		return;
	if (unit > text && *unit && !strncasecmp("changes", unit, strlen(unit)))
		keep = strtoll(text, NULL, 10);
	else if (read_purge(s, text, true, &before)) {
		complain_named(s, "PurgeTXNAfter in slurmdbd.conf: %s",
			s->err.text);
		return;
	}
	/* The change itself is made; what could not go now goes later. */
	if (undo_log_prune(s->store, before, keep))
		cli_warning("%s; entries older than PurgeTXNAfter stay in the "
			    "log until the next change",
			s->err.text);
}
