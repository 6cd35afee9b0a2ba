/*
 * See conf_key.h. Which texts are numbers, booleans and times, and the
 * sentences for those that are not, are Slurm's (Slurm's
 * src/common/read_config.c).
 */
#include "common/conf/conf_key.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/numbers.h"
#include "common/base/strv.h"
#include "common/conf/conf.h"
#include "common/text/timespec.h"

int conf_assign(const struct conf_key *keys, size_t n, void *record,
	const struct conf_pair *pair, struct arena *arena, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct conf_assign assign = {.key = keys[i].name,
			.value = pair->value,
			.record = record,
			.member = (char *)record + keys[i].offset,
			.arena = arena,
			.err = err};

		if (strcasecmp(keys[i].name, pair->key))
			continue;
		if (!keys[i].set(&assign))
			return 0;
		return conf_err_at(err, pair->file, pair->line);
	}
	return 1;
}

int conf_bad_value(const struct conf_assign *assign)
{
	return err_set(assign->err, ERR_USAGE, "Bad value \"%s\" for %s",
		assign->value, assign->key);
}

int conf_set_text(const struct conf_assign *assign)
{
	*(const char **)assign->member = *assign->value ? assign->value : NULL;
	return 0;
}

int conf_set_lower(const struct conf_assign *assign)
{
	const char *text = str_lower(assign->arena, assign->value);

	*(const char **)assign->member = *text ? text : NULL;
	return 0;
}

/* 1: yes; 0: no; -1: neither. */
static int yes_or_no(const char *value)
{
	static const char *const words[] = {
		"no", "yes", "down", "up", "false", "true", "0", "1"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(value, words[i]))
			return i % 2;
	return -1;
}

bool conf_is_yes(const char *value)
{
	return yes_or_no(value) > 0;
}

int conf_set_bool(const struct conf_assign *assign)
{
	int yes = yes_or_no(assign->value);

	if (yes >= 0) {
		*(bool *)assign->member = yes;
		return 0;
	}
	return err_set(assign->err, ERR_USAGE,
		"\"%s\" is not a valid option for \"%s\"", assign->value,
		assign->key);
}

/* --- numbers ----------------------------------------------------------- */

static int bad_number(const struct conf_assign *assign, const char *why)
{
	return err_set(assign->err, ERR_USAGE, "%s value (%s) is %s",
		assign->key, assign->value, why);
}

/* Slurm quotes the word when it wants 16 bits. */
static int no_number(const struct conf_assign *assign, uint64_t max)
{
	if (max > UINT16_MAX)
		return bad_number(assign, "not a valid number");
	return err_set(assign->err, ERR_USAGE,
		"%s value \"%s\" is not a valid number", assign->key,
		assign->value);
}

static bool is_unlimited(const char *text)
{
	return !strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE");
}

/* Decimal, 0x or 0 as in C, with a K behind it when `max` is beyond 16 bits.
 * *end is where it stops; errno is ERANGE for more than 64 bits. */
static uint64_t read_digits(const char *digits, uint64_t max, char **end)
{
	uint64_t number;

	errno = 0;
	number = strtoull(digits, end, 0);
	if (max <= UINT16_MAX || (**end != 'k' && **end != 'K'))
		return number;
	++*end;
	if (number > UINT64_MAX / 1024)
		errno = ERANGE;
	return number * 1024;
}

/* UNLIMITED gives `max`. */
static int read_number(
	const struct conf_assign *assign, uint64_t max, uint64_t *number)
{
	const char *digits = assign->value;
	char *end;

	*number = max;
	if (is_unlimited(digits))
		return 0;
	digits += *digits == '-';
	if (!isdigit((unsigned char)*digits))
		return no_number(assign, max);
	*number = read_digits(digits, max, &end);
	if (*end)
		return no_number(assign, max);
	if (errno == ERANGE)
		return bad_number(assign, "out of range");
	if (digits > assign->value)
		return bad_number(assign, "less than zero");
	if (*number <= max)
		return 0;
	return err_set(assign->err, ERR_USAGE,
		"%s value (%s) is greater than %" PRIu64, assign->key,
		assign->value, max);
}

int conf_set_uint16(const struct conf_assign *assign)
{
	uint64_t number;

	if (read_number(assign, UINT16_MAX, &number))
		return -1;
	*(uint16_t *)assign->member = (uint16_t)number;
	return 0;
}

int conf_set_uint32(const struct conf_assign *assign)
{
	uint64_t number;

	if (read_number(assign, UINT32_MAX, &number))
		return -1;
	*(uint32_t *)assign->member = (uint32_t)number;
	return 0;
}

int conf_set_uint64(const struct conf_assign *assign)
{
	return read_number(assign, UINT64_MAX, assign->member);
}

int conf_set_minutes(const struct conf_assign *assign)
{
	struct err unused;

	if (minutes_parse(assign->value, assign->member, &unused))
		return conf_bad_value(assign);
	return 0;
}

/* Plain minutes, unlike the other times. */
int conf_set_minutes16(const struct conf_assign *assign)
{
	uint64_t minutes;

	if (read_number(assign, UINT16_MAX, &minutes))
		return -1;
	*(uint32_t *)assign->member =
		minutes < NO_VAL16 ? (uint32_t)minutes : INFINITE;
	return 0;
}

/* What begins with no number is 0, what follows one is ignored. */
int conf_set_any_minutes16(const struct conf_assign *assign)
{
	long minutes = strtol(assign->value, NULL, 10);

	if (is_unlimited(assign->value) || minutes >= NO_VAL16)
		*(uint32_t *)assign->member = INFINITE;
	else if (minutes >= 0)
		*(uint32_t *)assign->member = (uint32_t)minutes;
	return 0;
}

/* --- lists ------------------------------------------------------------- */

static void split(const struct conf_assign *assign, const char *text)
{
	struct strv *words = assign->member;

	*words = (struct strv){0};
	if (*text)
		strv_split(words, assign->arena, text);
}

int conf_set_words(const struct conf_assign *assign)
{
	split(assign, assign->value);
	return 0;
}

int conf_set_lower_words(const struct conf_assign *assign)
{
	split(assign, str_lower(assign->arena, assign->value));
	return 0;
}

int conf_set_names(const struct conf_assign *assign)
{
	const char *text = str_lower(assign->arena, assign->value);

	split(assign, strcmp(text, "all") ? text : "");
	return 0;
}

int conf_set_private_data(const struct conf_assign *assign)
{
	static const struct {
		const char *word;
		unsigned flags;
	} words[] = {
		{"account", PRIVATE_ACCOUNTS},
		{"event", PRIVATE_EVENTS},
		{"job", PRIVATE_JOBS},
		{"node", PRIVATE_NODES},
		{"partition", PRIVATE_PARTITIONS},
		{"reservation", PRIVATE_RESERVATIONS},
		{"usage", PRIVATE_USAGE},
		{"user", PRIVATE_USERS},
		{"all", PRIVATE_ALL},
	};
	unsigned *flags = assign->member;

	*flags = 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasestr(assign->value, words[i].word))
			*flags |= words[i].flags;
	return 0;
}
