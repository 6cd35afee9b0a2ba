/*
 * Any fact by its words; see record.h.
 */
#include "db/record/record.h"

#include <stddef.h>
#include <string.h>

/* Bytes that the struct of any kind of fact has at most. */
enum { MOST_FACTS = 1 << 13 };
_Static_assert(sizeof(struct job_facts) <= MOST_FACTS, "the largest of them");

static const struct {
	const char *name;
	int (*run)(struct recording *, char **words, int n);
	const struct word_row *words;
} kinds[] = {
#define KIND(name, help) {#name, record_##name, name##_words},
	RECORD_FACTS(KIND)
#undef KIND
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static size_t kind_of(const char *name)
{
	size_t i = 0;

	while (i < KINDS && strcmp(kinds[i].name, name) != 0)
		i++;
	return i;
}

static int unknown(struct recording *s, const char *name)
{
	return err_set(&s->err, ERR_USAGE,
		"unknown fact '%.40s'; expected one of job, step, node, "
		"cluster, reservation",
		name);
}

int record_fact(struct recording *s, char **words, int n)
{
	size_t kind = kind_of(words[0]);

	if (kind == KINDS)
		return unknown(s, words[0]);
	s->log.action = 0;
	s->only_own = false;
	s->new_id = 0;
	return rights_check(s, words[0]) || kinds[kind].run(s, words + 1, n - 1) ||
			       write_log(s, words + 1, n - 1)
		       ? -1
		       : 0;
}

int record_part(struct recording *s, char **words, int n)
{
	struct err why;

	if (store_part_begin(s->store))
		return -1;
	if (!record_fact(s, words, n))
		return store_part_end(s->store, true);
	why = s->err;
	if (why.kind != ERR_USAGE && why.kind != ERR_DENIED)
		return -1;
	if (store_part_end(s->store, false))
		return -1;
	s->err = why;
	return 1;
}

bool record_lacks_number(char **words, int n)
{
	if (strcmp(words[0], "job") != 0)
		return false;
	for (int i = 1; i < n; i++)
		if (words_match(job_words[0].names, words[i],
			    strcspn(words[i], "=")))
			return false;
	return true;
}

int record_may_wait(struct recording *s, char **words, int n)
{
	max_align_t facts[MOST_FACTS / sizeof(max_align_t)] = {0};
	size_t kind = kind_of(words[0]);

	if (kind == KINDS)
		return unknown(s, words[0]);
	if (read_words(s, kinds[kind].words, words + 1, n - 1, facts))
		return -1;
	return !record_lacks_number(words, n)
		       ? 0
		       : err_set(&s->err, ERR_USAGE,
				 "a job without id= cannot wait: the log gives "
				 "it its number");
}
