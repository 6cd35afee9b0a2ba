/*
 * Random operations of administrators on a small tree, as words: what histories
 * of tests are made of. Many of them are refused; that is as good. Include after
 * tests/unit/seeded.h.
 */
#ifndef BURSAR_TEST_RANDOM_STEPS_H
#define BURSAR_TEST_RANDOM_STEPS_H

#include <stdio.h>
#include <stdlib.h>

#include "common/base/memory.h"

/* %a account, %u user, %q QOS, %n number, %v settings of an association. */
static const char *const steps[] = {
	"add account name=%a parent=%a %v",
	"add account name=%a description=%u",
	"add user name=%u account=%a %v",
	"add user name=%u,%u account=%a,%a",
	"add user name=%u account=%a partition=p%n,q %v",
	"add user name=%u account=%a wckeys=k%n,k2",
	"add qos name=%q priority=%n maxwall=%n",
	"add coordinator name=%u accounts=%a",
	"modify user where name=%u set %v",
	"modify user where name=%u account=%a set %v",
	"modify user where name=%u set defaultaccount=%a",
	"modify user where name=%u set adminlevel=operator",
	"modify user where name=%u set adminlevel=none",
	"modify account where name=%a set %v",
	"modify account where name=%a set parent=%a",
	"modify account where name=%a set description=%u organization=%a",
	"modify account where name=%a set flags=usersarecoords",
	"modify qos where name=%q set grace=%n flags=denyonlimit,nodecay",
	"modify qos where name=%q set preempt=%q maxtresperuser=cpu=%n,mem=%n",
	"modify qos where name=%q set usagefactor=0.%n flags-=nodecay",
	"delete user where name=%u",
	"delete user where name=%u account=%a",
	"delete account where name=%a",
	"delete qos where name=%q",
	"delete coordinator where name=%u",
};

static const char *const settings[] = {
	"fairshare=%n",
	"fairshare=parent",
	"maxjobs=%n",
	"maxjobs=-1",
	"grptres=cpu=%n,mem=%nG",
	"grptres=cpu=-1",
	"maxtresmins=cpu=%n",
	"maxwall=%n",
	"grpwall=1-%n",
	"comment=it%n",
	"qos=+%q",
	"qos=normal,%q",
	"defaultqos=%q",
	"priority=%n",
};

static inline void put_step(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text != '%') {
			fputc(*text, out);
			continue;
		}
		switch (*++text) {
		case 'a':
			fprintf(out, "a%u", (unsigned)chance(6));
			break;
		case 'u':
			fprintf(out, "u%u", (unsigned)chance(6));
			break;
		case 'q':
			fprintf(out, "q%u", (unsigned)chance(3));
			break;
		case 'n':
			fprintf(out, "%u", 1 + (unsigned)chance(20));
			break;
		default:
			for (unsigned i = chance(3) + 1; i; i--) {
				put_step(out,
					settings[chance(sizeof(settings) /
							sizeof(*settings))]);
				fputc(' ', out);
			}
		}
	}
}

/* The caller frees it. */
static inline char *random_step(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = memory_stream(&text, &size);

	put_step(out, steps[chance(sizeof(steps) / sizeof(*steps))]);
	fclose(out);
	return text;
}

#endif
