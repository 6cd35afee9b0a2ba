/*
 * Numbers as decimal text; see digits.h.
 */
#include "common/base/digits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	UINT_DIGITS = 20, /* of the largest 64-bit number */
	MOST_PLACES = 9,  /* behind the point, for the fast way */
};

__extension__ typedef unsigned __int128 wide;

/* Writes the number so that it ends before `end`, with zeros before it up to
 * `least` digits; gives its beginning. */
static char *put_uint(char *end, uint64_t number, int least)
{
	for (; number || least > 0; number /= 10, least--)
		*--end = (char)('0' + number % 10);
	return end;
}

const char *digits_uint(struct arena *arena, uint64_t number)
{
	char *end = (char *)arena_alloc(arena, UINT_DIGITS + 1) + UINT_DIGITS;

	return put_uint(end, number, 1);
}

const char *digits_int(struct arena *arena, int64_t number)
{
	char *end =
		(char *)arena_alloc(arena, UINT_DIGITS + 2) + UINT_DIGITS + 1;
	char *text = put_uint(
		end, number < 0 ? -(uint64_t)number : (uint64_t)number, 1);

	if (number < 0)
		*--text = '-';
	return text;
}

/*
 * The number times 10^digits, rounded to the nearest, halves to even, as IEEE
 * 754 has it and printf does: a double is a whole number of 53 bits times a
 * power of two, so the product is exact in 128 bits. False when it is too large
 * for that.
 */
static bool scale(double number, int digits, uint64_t *scaled)
{
	int exponent;
	wide product = (wide)ldexp(frexp(number, &exponent), 53);
	wide rest, half;

	exponent -= 53;
	for (int i = 0; i < digits; i++)
		product *= 10;
	if (exponent >= 0 || exponent <= -120) {
		*scaled = 0;
		return exponent <= -120; /* far below the last digit */
	}
	rest = product & (((wide)1 << -exponent) - 1);
	half = (wide)1 << (-exponent - 1);
	product >>= -exponent;
	if (rest > half || (rest == half && product & 1))
		product++;
	*scaled = (uint64_t)product;
	return product <= UINT64_MAX;
}

const char *digits_fixed(struct arena *arena, double number, int digits)
{
	uint64_t scaled, unit = 1;
	char *end, *text;

	if (!isfinite(number) || digits > MOST_PLACES ||
		!scale(fabs(number), digits, &scaled))
		return arena_printf(arena, "%.*f", digits, number);
	for (int i = 0; i < digits; i++)
		unit *= 10;
	end = (char *)arena_alloc(arena, UINT_DIGITS + 4) + UINT_DIGITS + 3;
	text = end;
	if (digits) {
		text = put_uint(end, scaled % unit, digits);
		*--text = '.';
	}
	text = put_uint(text, scaled / unit, 1);
	if (signbit(number))
		*--text = '-';
	return text;
}
