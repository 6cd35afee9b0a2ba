/*
 * Random operations of administrators on a small tree, as words: what histories
 * of tests are made of. Many of them are refused; that is as good. Include after
 * tests/unit/seeded.h.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "common/base/memory.h"

/* %a account, %u user, %q QOS, %n number, %t text, %v settings of an
 * association; ^ is a blank within a word. */
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
	"add cluster name=other",
	"delete cluster where name=other",
	"modify cluster where name=t set classification=capacity",
	"modify cluster where name=t set classification=*capability",
	"modify cluster where name=t set %v",
	"add federation name=fed clusters=t,other",
	"add account name=%a parent=root cluster=other %v",
	"add user name=%u account=%a cluster=other %v",
	"modify user where name=%u cluster=other set defaultaccount=%a",
	"delete account where name=%a cluster=t",
	"delete user where name=%u account=%a cluster=other",
	"modify account where name=%a set description=%t organization=%t",
	"modify account where name=%a set comment=%t",
	"modify account where name=%a set flags-=usersarecoords",
	"modify account where name=root set comment=%t description=%t",
	"modify qos where name=%q set description=%t",
	"modify qos where name=%q set preempt= preemptmode=requeue",
	"modify qos where name=%q set limitfactor=1.%n usagethreshold=0.%n",
	"modify qos where name=%q set %v",
	"modify user where name=%u set defaultwckey=k%n",
	"modify user where name=%u set defaultaccount=",
	"add wckey user=%u name=k%n",
	"modify user where name=%u set newname=%u",
	"modify user where name=%u set fairshare=%n maxjobs=%n until=uts1790000000",
	"modify qos where name=%q set priority=%n until=uts1790000000",
	"add user name=%u account=%a partition=%t",
	"delete user where name=%u account=%a partition=q",
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
	"comment=%t",
	"comment=",
	"qos=-%q",
	"qos=-%q,+normal",
	"qos-=%q",
	"qos=",
	"defaultqos=-1",
	"grptresrunmins=cpu=%n,gres/gpu=%n",
	"maxtrespernode=mem=%nM,billing=%n",
	"maxsubmit=0",
	"grpsubmitjobs=%n",
	"maxjobsaccrue=%n",
	"minpriothresh=%n",
};

/* What a text may have in it that files give a meaning. */
static const char *const texts[] = {
	"it's", "a:b", "#x", "a^#b", "\"q\"", "a=b", "x,y", "\xc3\xbc", "^lead",
	"trail^", "'", "a\\b", "\\", "~", "null", "12", "-", "-^a", "{}", "{a",
	"[a]", "&a", "*b", "yes", "0x1f", "1e3", "|", ">", "%", "@", "`", "a:^b",
	"?^x", "!t", "User^-^x", "a^-^b:QOS=c", "CAP^Ital", "None", "--", "...",
	"---", "a^^b", "\xe2\x80\xa8", "^\xe2\x80\xa9" "a", "\xef\xbb\xbfq", "+x", ":", ",", "=",
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
		case 't':
			fputs(texts[chance(sizeof(texts) / sizeof(*texts))],
				out);
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
