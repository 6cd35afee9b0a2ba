#include "common/text/nodestate.h"

#include <string.h>
#include <strings.h>

const struct node_state_word node_state_words[] = {
	{NODE_UNKNOWN, "UNKNOWN", "UNK"},
	{NODE_DOWN, "DOWN", "DOWN"},
	{NODE_IDLE, "IDLE", "IDLE"},
	{NODE_ALLOCATED, "ALLOCATED", "ALLOC"},
	{NODE_ERROR, "ERROR", "ERR"},
	{NODE_MIXED, "MIXED", "MIX"},
	{NODE_FUTURE, "FUTURE", "FUTR"},
	{NODE_CLOUD, "CLOUD", "CLOUD"},
	{NODE_COMPLETING, "COMPLETING", "COMP"},
	{NODE_DRAIN, "DRAIN", "DRAIN"},
	{NODE_FAIL, "FAIL", "FAIL"},
	{NODE_MAINT, "MAINTENANCE", "MAINT"},
	{NODE_POWER_DOWN, "POWER_DOWN", "POW_DN"},
	{NODE_POWERED_DOWN, "POWERED_DOWN", "POWERED_DN"},
	{NODE_REBOOT_REQUESTED, "REBOOT_REQUESTED", "BOOT"},
	{NODE_REBOOT_ISSUED, "REBOOT_ISSUED", "BOOT^"},
	{NODE_RESERVED, "RESERVED", "RESV"},
	{NODE_NO_RESPOND, "NOT_RESPONDING", "NO_RESPOND"},
	{NODE_PLANNED, "PLANNED", "PLND"},
	{NODE_POWERING_UP, "POWERING_UP", "POWERING_UP"},
	{NODE_POWERING_DOWN, "POWERING_DOWN", "POWRING_DN"},
	{NODE_DYNAMIC_NORM, "DYNAMIC_NORM", "DYNAMIC_NORM"},
	{0, NULL, NULL},
};

/* The mark of a flag behind a state, the weightiest first. */
static const struct {
	uint32_t flag;
	const char *mark;
} marks[] = {
	{NODE_MAINT, "$"},
	{NODE_REBOOT_ISSUED, "^"},
	{NODE_REBOOT_REQUESTED, "@"},
	{NODE_POWERING_UP, "#"},
	{NODE_POWERING_DOWN, "%"},
	{NODE_POWERED_DOWN, "~"},
	{NODE_POWER_DOWN, "!"},
	{NODE_NO_RESPOND, "*"},
};

enum { N_MARKS = sizeof(marks) / sizeof(*marks) };

static uint32_t base_of(uint32_t state)
{
	return state & NODE_BASE_MASK;
}

static bool is_busy(uint32_t state)
{
	return base_of(state) == NODE_ALLOCATED || base_of(state) == NODE_MIXED;
}

int node_state_draining(uint32_t state)
{
	return (state & NODE_DRAIN) &&
	       (is_busy(state) || base_of(state) == NODE_ERROR ||
		       (state & NODE_COMPLETING));
}

int node_state_drained(uint32_t state)
{
	return (state & NODE_DRAIN) && !node_state_draining(state);
}

/* ---- as text -------------------------------------------------------------*/

static const char *marked(const char *word, uint32_t state, uint32_t among,
	struct arena *arena)
{
	for (size_t i = 0; i < N_MARKS; i++)
		if (state & among & marks[i].flag)
			return arena_printf(
				arena, "%s%s", word, marks[i].mark);
	return word;
}

static const char *base_word(uint32_t state, bool code)
{
	uint32_t base = base_of(state);

	if (base >= NODE_BASE_STATES)
		return "?";
	return code ? node_state_words[base].code : node_state_words[base].word;
}

/* A flag that says more than the idle state it is set on. */
static const char *idle_word(uint32_t state, bool code)
{
	if (state & NODE_RESERVED)
		return code ? "RESV" : "RESERVED";
	if (state & NODE_PLANNED)
		return code ? "PLND" : "PLANNED";
	return base_word(state, code);
}

static const char *state_text(uint32_t state, bool code, struct arena *arena)
{
	bool busy = is_busy(state) || (state & NODE_COMPLETING);
	uint32_t base = base_of(state), answers = NODE_NO_RESPOND;
	const char *word = base_word(state, code), *full;

	if ((state & NODE_MAINT) && !(state & NODE_DRAIN) && !is_busy(state) &&
		base != NODE_DOWN)
		return marked("MAINT", state, answers, arena);
	if ((state & NODE_REBOOT_ISSUED) && !is_busy(state))
		return code ? "BOOT^" : "REBOOT^";
	if ((state & NODE_REBOOT_REQUESTED) && !is_busy(state))
		return marked(code ? "BOOT" : "REBOOT", state, answers, arena);
	if (state & NODE_DRAIN) {
		if (busy)
			word = code ? "DRNG" : "DRAINING";
		else
			word = code ? "DRAIN" : "DRAINED";
		return marked(word, state, UINT32_MAX, arena);
	}
	if (state & NODE_FAIL) {
		if (busy)
			word = code ? "FAILG" : "FAILING";
		else
			word = "FAIL";
		return marked(word, state, answers, arena);
	}
	if ((state & NODE_COMPLETING) && base != NODE_DOWN &&
		base != NODE_ALLOCATED)
		return marked(code ? "COMP" : "COMPLETING", state, UINT32_MAX,
			arena);
	full = marked(word, state,
		base == NODE_UNKNOWN || base == NODE_ERROR ? answers : UINT32_MAX,
		arena);
	if (full != word)
		return full;
	if (base == NODE_IDLE)
		return idle_word(state, code);
	if (base == NODE_ALLOCATED && (state & NODE_COMPLETING))
		return code ? "ALLOC+" : "ALLOCATED+";
	if (base == NODE_MIXED && (state & NODE_PLANNED))
		return code ? "MIX-" : "MIXED-";
	return word;
}

const char *node_state_word(uint32_t state, struct arena *arena)
{
	return state_text(state, false, arena);
}

const char *node_state_code(uint32_t state, struct arena *arena)
{
	return state_text(state, true, arena);
}

void node_state_list(uint32_t state, struct arena *arena, struct strv *words)
{
	strv_push(words, arena, base_word(state, false));
	for (size_t i = NODE_BASE_STATES; node_state_words[i].word; i++)
		if (state & node_state_words[i].state)
			strv_push(words, arena, node_state_words[i].word);
}

const char *node_state_complete(uint32_t state, struct arena *arena)
{
	struct strv words = {0};

	node_state_list(state, arena, &words);
	return strv_join(&words, "+", arena);
}

/* ---- read ----------------------------------------------------------------*/

/* What records call them beside Slurm's words. */
static const struct node_state_word other_words[] = {
	{NODE_MAINT, "MAINT", NULL},
	{NODE_NO_RESPOND, "NO_RESPOND", NULL},
	{NODE_NO_RESPOND, "NORESP", NULL},
	{NODE_DRAIN, "DRAINED", NULL},
	{NODE_DRAIN, "DRAINING", NULL},
	{NODE_DRAIN, "DRNG", NULL},
	{NODE_FAIL, "FAILING", NULL},
	{NODE_FAIL, "FAILG", NULL},
	{NODE_REBOOT_REQUESTED, "REBOOT", NULL},
	{0, NULL, NULL},
};

static bool is_word(const char *word, const char *text, size_t len)
{
	return word && strlen(word) == len && !strncasecmp(word, text, len);
}

static bool find_word(const struct node_state_word *words, const char *text,
	size_t len, uint32_t *state)
{
	for (; words->word; words++)
		if (is_word(words->word, text, len) ||
			is_word(words->code, text, len)) {
			*state = words->state;
			return true;
		}
	return false;
}

static uint32_t add_word(uint32_t state, const char *text, size_t len)
{
	uint32_t found;

	if (!find_word(node_state_words, text, len, &found) &&
		!find_word(other_words, text, len, &found))
		return state;
	if (found >= NODE_BASE_STATES)
		return state | found;
	if (found == NODE_DOWN || found == NODE_ERROR || found == NODE_FUTURE)
		return (state & ~(uint32_t)NODE_BASE_MASK) | found;
	return state;
}

uint32_t node_state_add(uint32_t state, const char *text)
{
	static const char ends[] = "+$^@#%~!*- ";

	while (*text) {
		size_t len = strcspn(text, ends);

		if (len)
			state = add_word(state, text, len);
		text += len;
		for (size_t i = 0; *text && i < N_MARKS; i++)
			if (*text == *marks[i].mark)
				state |= marks[i].flag;
		text += *text != '\0';
	}
	return state;
}

static bool begins(const char *word, const char *text)
{
	return !strncasecmp(word, text, strlen(text));
}

int node_state_parse(const char *text, uint32_t *state)
{
	static const struct {
		const char *word;
		uint32_t state;
	} drains[] = {
		{"DRAIN", NODE_DRAIN},
		{"DRAINED", NODE_DRAIN | NODE_IDLE},
		{"DRAINING", NODE_DRAIN | NODE_ALLOCATED},
		{"DRNG", NODE_DRAIN | NODE_ALLOCATED},
	};
	const struct node_state_word *w;
	size_t i = 0;

	for (w = node_state_words; w->word; w++, i++) {
		for (size_t d = 0; i == NODE_BASE_STATES &&
				d < sizeof(drains) / sizeof(*drains); d++)
			if (begins(drains[d].word, text)) {
				*state = drains[d].state;
				return 0;
			}
		if (begins(w->word, text) || begins(w->code, text)) {
			*state = w->state;
			return 0;
		}
	}
	return -1;
}
