#include "common/text/stepwords.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"

/* ---- frequencies ----------------------------------------------------------*/

static const struct {
	uint32_t freq;
	const char *word;
} freq_words[] = {
	{0x80000001, "Low"},
	{0x80000002, "Medium"},
	{0x80000003, "High"},
	{0x80000004, "Highm1"},
	{0x88000000, "Conservative"},
	{0x84000000, "OnDemand"},
	{0x82000000, "Performance"},
	{0x81000000, "PowerSave"},
	{0x80800000, "UserSpace"},
	{0x80400000, "SchedUtil"},
	{NO_VAL, "Unknown"},
};

enum { WORDS = sizeof(freq_words) / sizeof(*freq_words) };
#define NO_NUMBER 0x80000000u /* this bit is in all of them */

static const char units[] = "KMGT";

const char *cpu_freq_text(uint32_t freq, struct arena *arena)
{
	double khz = freq;
	size_t unit = 0;

	for (int i = 0; i < WORDS; i++)
		if (freq_words[i].freq == freq)
			return freq_words[i].word;
	if (freq & NO_NUMBER)
		return "Unknown";
	if (!freq)
		return "0";
	for (; khz >= 1000; khz /= 1000)
		unit++;
	if ((double)(uint32_t)khz == khz)
		return arena_printf(arena, "%.0f%c", khz, units[unit]);
	return arena_printf(arena, "%.2f%c", khz, units[unit]);
}

int cpu_freq_parse(const char *text, uint32_t *freq)
{
	char *end;
	double khz = strtod(text, &end);
	const char *unit = *end ? strchr(units, *end) : NULL;

	for (int i = 0; i < WORDS; i++)
		if (!strcasecmp(freq_words[i].word, text)) {
			*freq = freq_words[i].freq;
			return 0;
		}
	if (end == text || (*end && (!unit || end[1])) || !(khz >= 0))
		return -1;
	for (; unit && unit > units; unit--)
		khz *= 1000;
	if (khz >= (unit ? NO_NUMBER : INFINITE))
		return -1;
	*freq = (uint32_t)(khz + 0.5);
	return 0;
}

/* ---- how tasks are spread -------------------------------------------------*/

enum { PACK = 0x800000, NO_PACK = 0x400000 };

/* Over nodes; then over the sockets of a node and the cores of a socket, in words
 * that follow it. */
static const char *const over_nodes[] = {NULL, "C", "B"};
static const char *const over_rest[] = {"", "Cyclic", "Block", "FCyclic"};

static const char *dist_word(uint32_t dist, struct arena *arena)
{
	static const char *const alone[] = {"Unknown", "Cyclic", "Block",
		"arbitrary task distribution", "Plane"};
	const uint32_t node = dist & 0xf, socket = dist >> 4 & 0xf;
	const uint32_t core = dist >> 8 & 0xf;

	if (dist <= 4)
		return alone[dist];
	if (dist > 0xfff || !node || node > 2 || !socket || socket > 3 || core > 3)
		return "Unknown";
	if (dist == 0x321)
		return "CCyclicFCyclic"; /* Slurm's word */
	return arena_printf(arena, "%s%s%s", over_nodes[node],
		over_rest[socket], over_rest[core]);
}

const char *task_dist_text(uint32_t dist, struct arena *arena)
{
	return arena_printf(arena, "%s%s%s", dist_word(dist & 0xffff, arena),
		dist & PACK ? ",Pack" : "", dist & NO_PACK ? ",NoPack" : "");
}
