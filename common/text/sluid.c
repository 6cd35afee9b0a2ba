#include "common/text/sluid.h"

#include <ctype.h>
#include <string.h>

/* Crockford's digits: none that looks like another. */
static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

enum { DIGITS = 13, BITS = 5 };

/* From the top: 11 bits of the cluster, 43 of milliseconds, 10 of the id; what
 * the id has beyond those takes the place of the milliseconds. */
uint64_t sluid_make(int64_t cluster, uint32_t id, int64_t submit)
{
	uint64_t ms = (uint64_t)submit * 1000 + (id >> 10) % 1000;

	return ((uint64_t)cluster & 0x7ff) << 53 | (ms & 0x7ffffffffff) << 10 |
	       (id & 0x3ff);
}

const char *sluid_text(uint64_t sluid, char *buf)
{
	buf[0] = 's';
	for (int i = DIGITS; i > 0; i--) {
		buf[i] = digits[sluid & ((1 << BITS) - 1)];
		sluid >>= BITS;
	}
	buf[DIGITS + 1] = '\0';
	return buf;
}

uint64_t sluid_parse(const char *text)
{
	uint64_t sluid = 0;

	if ((*text != 's' && *text != 'S') || strlen(text) != DIGITS + 1)
		return 0;
	for (text++; *text; text++) {
		const char *digit =
			strchr(digits, toupper((unsigned char)*text));

		if (!digit)
			return 0;
		sluid = sluid << BITS | (uint64_t)(digit - digits);
	}
	return sluid;
}
