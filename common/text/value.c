#include "common/text/value.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "common/base/digits.h"
#include "common/base/numbers.h"
#include "common/text/timespec.h"

static bool is_unset(uint64_t number)
{
	return number == NO_VAL || number == INFINITE || number == NO_VAL64 ||
		number == INFINITE64;
}

static const char *real_text(double real, struct arena *arena)
{
	if (real == (double)NO_VAL || real == (double)INFINITE ||
		real == (double)NO_VAL64 || real == (double)INFINITE64)
		return "";
	return digits_fixed(arena, real, 6);
}

static const char *fixed_text(const struct value *value, struct arena *arena)
{
	if (!isfinite(value->real))
		return "";
	return digits_fixed(
		arena, value->real, (int)(value->type - VALUE_FIXED));
}

static const char *exit_text(uint64_t status, struct arena *arena)
{
	uint64_t signal = status & 0x7f;

	return arena_printf(arena, "%" PRIu64 ":%" PRIu64,
		signal ? 0 : status >> 8 & 0xff, signal);
}

const char *value_text(const struct value *value,
	const struct value_style *style, struct arena *arena)
{
	uint64_t n = value->number;

	switch (value->type) {
	case VALUE_NONE:
	case VALUE_BOOL:
	case VALUE_RECORD:
	case VALUE_RECORDS:
		return "";
	case VALUE_TEXT:
		return value->text ? value->text : "";
	case VALUE_UINT:
		return digits_uint(arena, n);
	case VALUE_INT:
		return digits_int(arena, (int64_t)n);
	case VALUE_LIMIT:
		return is_unset(n) ? "" : digits_uint(arena, n);
	case VALUE_SHARES:
		if (n == SHARES_PARENT)
			return "parent";
		return is_unset(n) ? "" : digits_uint(arena, n);
	case VALUE_REAL:
		return real_text(value->real, arena);
	case VALUE_MINUTES:
		return is_unset(n) ? "" : duration_format(arena, n * 60);
	case VALUE_SECONDS:
		return is_unset(n) ? "" : duration_format(arena, n);
	case VALUE_TIME:
		return time_format(arena, (time_t)n, style->time_format,
			(time_t)style->now);
	case VALUE_LIST:
		return strv_join_sorted(value->list, arena);
	case VALUE_WORDS:
		return strv_join(value->list, ",", arena);
	case VALUE_FLAGS:
		return value->list->n ? strv_join(value->list, ",", arena)
				      : "None";
	case VALUE_TRES:
		return tres_list_format(value->tres, style->tres, 0, arena);
	case VALUE_EXIT:
		return exit_text(n, arena);
	default:
		return fixed_text(value, arena);
	}
}

bool value_may_cut(const struct value *value)
{
	return value->type == VALUE_TEXT || value->type == VALUE_LIST ||
		value->type == VALUE_TRES || value->type == VALUE_WORDS ||
		value->type == VALUE_FLAGS;
}
