/*
 * Help on the words of sacctmgr: the usage, the vocabulary of an entity, the
 * columns. All of it is made from the tables that the parsers use.
 *
 * A name is shown as `Acc[ount]`: the part before the bracket must be typed.
 */
#pragma once

#include "common/cli/options.h"
#include "cmd/sacctmgr/sacctmgr.h"

/* What a verb thinks of words after it. */
enum extra { EXTRA_ALLOWED, EXTRA_KEYWORD_COLON, EXTRA_FOR_KEYWORD };

/* The words after a verb, for completion. */
enum after { AFTER_NOTHING, AFTER_ENTITY, AFTER_DUMP, AFTER_LOAD, AFTER_HELP,
	AFTER_REBUILD, AFTER_CHECK, AFTER_UNDO, AFTER_DIFF, AFTER_APPLY };

struct verb_word {
	const char *names;
	/* With the words behind the verb; program->verb is this row. */
	int (*run)(struct session *, char **words, int n);
	enum extra extra;
	const char *usage, *help;
	enum after after;
	enum verb verb; /* with AFTER_ENTITY */
	enum store_mode opens;
};

/* In the order in which abbreviations are tried; they end with NULL names, a
 * NULL pointer, a NULL name. */
extern const struct verb_word sacctmgr_verbs[];
extern const struct entity *const sacctmgr_entities[];
extern const struct option_row sacctmgr_option_rows[];
extern const char sacctmgr_option_names[]; /* in the order of the help */

/* What the entity is called by the verb; NULL: it lacks the verb. */
const char *entity_names(const struct entity *, enum verb);

/* The verb, or NULL. */
const struct verb_word *find_verb(const char *word);

/* The entity the verb finds under this word, or NULL. */
const struct entity *find_entity(enum verb, const char *word);

/* The entity under any verb, or NULL. */
const struct entity *find_any_entity(const char *word);

/* The name of an entity in the singular, if any verb has that. */
const char *entity_name(const struct entity *, char *buf, size_t size);

/* A line about what can be set; one without a line of its own has that of the
 * column of the same name. */
const char *setting_help(const struct member *);

/* --help, and `help` alone. */
void help_usage(FILE *);

/* `help ENTITY`. */
void help_entity(FILE *, const struct entity *, struct arena *);

/* --helpformat: every column with its heading, width (negative: left) and what
 * it holds. */
void help_fields(FILE *);
