#include "common/base/numbers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
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

int real_read(const char *text, double *number, const char **rest)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	if ((!isdigit((unsigned char)*digits) && *digits != '.') ||
		(*digits == '0' && tolower((unsigned char)digits[1]) == 'x'))
		return -1;
	*number = strtod(text, &end);
	*rest = end;
	return end == text || !isfinite(*number) ? -1 : 0;
}
