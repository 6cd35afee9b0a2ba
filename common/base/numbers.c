#include "common/base/numbers.h"

#include <errno.h>
#include <stdlib.h>

int number_read(const char *text, uint32_t *number, const char **rest)
{
	unsigned long long n;
	char *end;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	n = strtoull(text, &end, 10);
	*rest = end;
	*number = (uint32_t)n;
	return errno || n >= NO_VAL ? -1 : 0;
}
