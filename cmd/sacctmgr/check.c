/*
 * check: is all of the store right, and meant like that? What is looked at is
 * in db/check/check.h. --fix carries out the commands that are safe.
 */
#include "db/check/check.h"

#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/sacctmgr.h"
#include "cmd/sacctmgr/shell.h"
#include "common/base/notice.h"
#include "common/base/utf8.h"
#include "common/cli/cli.h"

/* 2 tells a script that something was found, 1 that it could not be looked. */
enum { FOUND = 2 };

/* A finding as it is printed. */
struct printed_finding {
	const char *check, *text;
	const char *remedy;	  /* a command line, or what else to do */
	const struct strv *words; /* of the command, or empty */
	bool safe, fixed;
};

struct printed_findings {
	struct printed_finding *v;
	size_t n, cap;
};

/* Outlives the commands that --fix carries out. */
struct check_run {
	struct session *s;
	struct arena arena;
	char **wanted;
	int n_wanted;
	size_t looked;
	struct printed_findings findings;
};

/* clang-format off */
#define T(type_, member, ...) {.type = MEMBER_##type_, .offset = offsetof(struct printed_finding, member), SHOWN(__VA_ARGS__)}
static const struct member finding_rows[] = {
	T(TEXT, check, "Check:1", "Check", -16, "check", "which check"),
	T(TEXT, text, "Finding:1", "Finding", -60, "finding", "what is wrong"),
	T(TEXT, remedy, "Remedy:1", "Remedy", -60, "remedy", "the command that remedy it"),
	T(BOOL, safe, "Safe:1", "Safe", 5, "safe", "is it safe?"),
	T(BOOL, fixed, "Fixed:1", "Fixed", 5, "fixed", "has it been done?"),
};
static const struct members finding_columns = MEMBERS(finding_rows);
/* clang-format on */

/* ---- looking -------------------------------------------------------------*/

static bool is_wanted(const struct check_run *l, const char *name)
{
	for (int i = 0; i < l->n_wanted; i++)
		if (!strcasecmp(l->wanted[i], name))
			return true;
	return !l->n_wanted;
}

/* A word as a shell takes it. */
static const char *quoted(struct arena *arena, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=:,./@%";
	struct strv parts = {0};

	if (*word && !word[strspn(word, plain)])
		return word;
	while (*word) {
		size_t n = strcspn(word, "'");

		strv_printf(&parts, arena, "%.*s%s", (int)n, word,
			word[n] ? "'\\''" : "");
		word += n + (word[n] != '\0');
	}
	return arena_printf(arena, "'%s'", strv_join(&parts, "", arena));
}

static const char *command_line(
	const struct strv *words, struct arena *arena)
{
	struct strv line = {0};

	strv_push(&line, arena, "sacctmgr");
	for (size_t i = 0; i < words->n; i++)
		strv_push(&line, arena, quoted(arena, words->v[i]));
	return strv_join(&line, " ", arena);
}

static void tell(
	struct check_run *l, const struct check *check, const struct finding *f)
{
	struct printed_finding *finding = ARENA_PUSH(
		&l->arena, l->findings.v, l->findings.n, l->findings.cap);

	*finding = (struct printed_finding){.check = check->name,
		.text = utf8_visible(&l->arena, f->text),
		.remedy = f->remedy	  ? f->remedy
			  : check->remedy ? check->remedy
					  : "",
		.words = &f->words,
		.safe = f->safe};
	if (f->words.n)
		finding->remedy = utf8_visible(
			&l->arena, command_line(&f->words, &l->arena));
}

static int look(struct check_run *l)
{
	struct session *s = l->s;

	l->looked = 0;
	l->findings = (struct printed_findings){0};
	for (size_t i = 0; i < n_checks; i++) {
		struct findings found = {0};
		struct checking checking = {s->store, &s->site.conf,
			&s->site.dbd, &l->arena, &found};

		if (!is_wanted(l, checks[i].name))
			continue;
		l->looked++;
		progress(arena_printf(&l->arena, "checking %s", checks[i].name),
			(int64_t)i, (int64_t)n_checks);
		if (check_run(&checks[i], &checking))
			return complain_err(s);
		for (size_t n = 0; n < found.n; n++)
			tell(l, &checks[i], &found.v[n]);
	}
	progress_end();
	return 0;
}

/* ---- printing ------------------------------------------------------------*/

enum { NAME_WIDTH = 15 };

/* Findings of one check that are fixed alike say so once. */
static void print_check(struct check_run *l, const struct check *check)
{
	FILE *out = output(l->s);
	const struct printed_finding *last = NULL;

	for (size_t i = 0; i < l->findings.n; i++) {
		const struct printed_finding *finding = &l->findings.v[i];

		if (finding->check != check->name)
			continue;
		if (last && *last->remedy &&
			strcmp(last->remedy, finding->remedy))
			fprintf(out, " %-*s remedy: %s\n", NAME_WIDTH, "",
				last->remedy);
		fprintf(out, " %-*s %s\n", NAME_WIDTH, check->name,
			finding->text);
		last = finding;
	}
	if (last && *last->remedy)
		fprintf(out, " %-*s remedy: %s\n", NAME_WIDTH, "",
			last->remedy);
	else if (!last && !options(l->s)->quiet)
		fprintf(out, " %-*s fine: %s\n", NAME_WIDTH, check->name,
			check->what);
}

static void print_text(struct check_run *l)
{
	for (size_t i = 0; i < n_checks; i++)
		if (is_wanted(l, checks[i].name))
			print_check(l, &checks[i]);
	if (l->findings.n)
		fprintf(output(l->s), " %zu checks, %zu found\n", l->looked,
			l->findings.n);
	else if (!options(l->s)->quiet)
		fprintf(output(l->s), " %zu checks, nothing found\n", l->looked);
}

static void print_document(struct check_run *l)
{
	struct document doc;

	document_open(&doc, l->s, "findings");
	for (size_t i = 0; i < l->findings.n; i++)
		document_row(&doc,
			&(const struct record_part){
				&finding_columns, &l->findings.v[i]},
			1);
	document_close(&doc);
}

/* ---- mending -------------------------------------------------------------*/

static size_t count_safe(const struct check_run *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->findings.n; i++)
		n += l->findings.v[i].safe && l->findings.v[i].words->n;
	return n;
}

static bool agreed(struct check_run *l)
{
	struct session *s = l->s;

	if (s->immediate)
		return true;
	fputs(" Safe to carry out:\n", output(s));
	for (size_t i = 0; i < l->findings.n; i++)
		if (l->findings.v[i].safe && l->findings.v[i].words->n)
			fprintf(output(s), "  %s\n", l->findings.v[i].remedy);
	return prompt(s, "Would you like to carry these out?");
}

/* Its report has no place in a document. */
static int run_quietly(struct session *s, const struct change *change)
{
	struct outcome o;
	int tries = 0;
	bool changed;

	do {
		if (change_try(s, change, false, &o))
			return complain_err(s);
		changed = o.result == PLAN_CHANGED;
		outcome_free(&o);
		if (!changed) {
			store_rollback(s->store);
			return -1;
		}
		if (!store_commit(s->store, s->command))
			return 0;
	} while (store_again(s->store, &tries));
	return complain_err(s);
}

/* Each is a change of its own, as if it had been typed. */
static void carry_out(struct check_run *l, struct printed_finding *finding)
{
	struct session *s = l->s;
	const bool immediate = s->immediate;
	char **words =
		arena_array(&l->arena, finding->words->n + 1, sizeof(*words));
	const struct session_hooks quiet = {
		.say = ask_hooks.say, .run = run_quietly};
	int failed = s->status;

	for (size_t i = 0; i < finding->words->n; i++)
		words[i] = arena_strdup(&l->arena, finding->words->v[i]);
	s->immediate = true;
	options(s)->fix = false;
	s->status = 0;
	s->hooks = document_wanted(s) ? &quiet : &ask_hooks;
	run_command(s, words, (int)finding->words->n);
	s->hooks = &ask_hooks;
	finding->fixed = !s->status;
	s->status |= failed;
	s->immediate = immediate;
	options(s)->fix = true;
	if (!document_wanted(s))
		fprintf(output(s), " %s: %s\n",
			finding->fixed ? "Done" : "Failed", finding->remedy);
}

/* 1: something was fixed. */
static int fix(struct check_run *l)
{
	size_t safe = count_safe(l);

	if (!safe) {
		if (l->findings.n && !document_wanted(l->s) &&
			!options(l->s)->quiet)
			fputs(" Nothing of it is safe to carry out unseen\n",
				output(l->s));
		return 0;
	}
	if (!agreed(l)) {
		fputs(" Changes Discarded\n", output(l->s));
		return 0;
	}
	for (size_t i = 0; i < l->findings.n; i++)
		if (l->findings.v[i].safe && l->findings.v[i].words->n)
			carry_out(l, &l->findings.v[i]);
	return 1;
}

/* ---- all -----------------------------------------------------------------*/

static int check_words(struct session *s, char **words, int n)
{
	for (int i = 0; i < n; i++) {
		bool known = false;

		for (size_t c = 0; c < n_checks; c++)
			known |= !strcasecmp(words[i], checks[c].name);
		if (!known)
			return complain(s, " Unknown check: %s", words[i]);
	}
	return 0;
}

/* What is left is looked for once more. */
static int fix_and_look(struct check_run *l, size_t *left)
{
	const struct printed_findings found = l->findings;
	int fixed = fix(l);

	*left = l->findings.n;
	if (!fixed)
		return 0;
	if (session_open(l->s, STORE_READ))
		return complain_err(l->s);
	if (look(l))
		return -1;
	*left = l->findings.n;
	if (!document_wanted(l->s))
		fprintf(output(l->s), " %zu left\n", *left);
	l->findings = found;
	return 0;
}

static int run(struct check_run *l)
{
	struct session *s = l->s;
	bool document = document_wanted(s);
	size_t left;

	if (look(l))
		return -1;
	left = l->findings.n;
	if (!document)
		print_text(l);
	if (options(s)->fix && fix_and_look(l, &left))
		return -1;
	if (document)
		print_document(l);
	if (left && s->status != 1)
		s->status = FOUND;
	return 0;
}

int check_command(struct session *s, char **words, int n)
{
	struct check_run l = {.s = s, .wanted = words, .n_wanted = n};
	int rc;

	if (!is_operator(s))
		return complain_denied(s);
	if (check_words(s, words, n))
		return -1;
	if (options(s)->fix && options(s)->readonly)
		return complain(s, "Can't run this command in readonly mode.");
	if (options(s)->fix && options(s)->dry_run)
		return complain(s, " --fix shows what it would do, and asks");
	if (options(s)->fix && document_wanted(s) && !s->immediate)
		return complain(s, " --fix asks before it changes something: with "
			"--json, give -i");
	arena_init(&l.arena);
	rc = run(&l);
	arena_release(&l.arena);
	return rc;
}
