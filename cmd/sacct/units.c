/*
 * Numbers with the suffix of their unit (Slurm's
 * src/common/slurm_protocol_api.c, convert_num_unit2()).
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacct/sacct.h"
#include "common/base/numbers.h"
#include "common/text/timespec.h"

static const char suffixes[] = "KMGTP";

int unit_parse(const char *text, int *unit)
{
	const char *found =
		*text ? strchr(suffixes, toupper((unsigned char)*text)) : NULL;

	if (!found)
		return -1;
	*unit = (int)(found - suffixes) + UNIT_KILO;
	return 0;
}

static const char *with_suffix(double number, int unit, struct arena *arena)
{
	const char suffix[] = {unit == UNIT_NONE  ? '\0'
			       : unit > UNIT_PETA ? '?'
						  : suffixes[unit - UNIT_KILO],
		'\0'};

	if (number < 0x1p63 && (double)(uint64_t)number == number)
		return arena_printf(
			arena, "%" PRIu64 "%s", (uint64_t)number, suffix);
	return arena_printf(arena, "%.2f%s", number, suffix);
}

/* To the unit that was asked for; else up as long as that is allowed. */
static const char *scaled(double number, int unit, const struct units *units,
	unsigned by, bool without_loss, struct arena *arena)
{
	if (!(number >= 1))
		return "0";
	for (; units->forced >= 0 && unit > units->forced; unit--)
		number *= by;
	for (; units->forced >= 0 && unit < units->forced; unit++)
		number /= by;
	/* Halves are no loss: 2.50G. */
	while (units->forced < 0 && !units->keep && number >= by &&
		!(without_loss && (uint64_t)number % (by / 2))) {
		number /= by;
		unit++;
	}
	return with_suffix(number, unit, arena);
}

const char *unit_text(double number, enum unit base, const struct units *units,
	struct arena *arena)
{
	return scaled(number, (int)base, units, 1024, true, arena);
}

const char *unit_text_decimal(double number, enum unit base,
	const struct units *units, struct arena *arena)
{
	return scaled(number, (int)base, units, 1000, false, arena);
}

static const char *used_text(const struct tres *tres, uint64_t count,
	const struct units *units, struct arena *arena)
{
	if (tres->id == TRES_CPU)
		return duration_format(arena, count / 1000);
	if (!strcasecmp(tres->name, "gpuutil"))
		return arena_printf(arena, "%" PRIu64, count);
	return unit_text((double)count, UNIT_NONE, units, arena);
}

static const char *held_text(const struct tres *tres, uint64_t count,
	const struct units *units, struct arena *arena)
{
	if (tres->id == TRES_MEM || !strcasecmp(tres->name, "gpumem") ||
		!strcasecmp(tres->type, "bb"))
		return unit_text((double)count, UNIT_MEGA, units, arena);
	return arena_printf(arena, "%" PRIu64, count);
}

static const char *count_text(const struct tres *tres, uint64_t count,
	bool usage, const struct units *units, struct arena *arena)
{
	if (count == INFINITE64)
		return "NONE";
	return usage ? used_text(tres, count, units, arena)
		     : held_text(tres, count, units, arena);
}

const char *unit_tres(const struct tres_list *list,
	const struct tres_catalog *catalog, bool usage,
	const struct units *units, struct arena *arena)
{
	struct strv texts = {0};

	for (size_t i = 0; i < list->n; i++) {
		const struct tres *tres = tres_by_id(catalog, list->v[i].id);
		uint64_t count = list->v[i].count;

		if (!tres || count == NO_VAL64)
			continue;
		strv_printf(&texts, arena, "%s=%s",
			tres_full_name(tres, arena),
			count_text(tres, count, usage, units, arena));
	}
	strv_sort(&texts);
	return strv_join(&texts, ",", arena);
}
