/*
 * Changes: carried out in one transaction, shown, asked about outside of it,
 * carried out again and compared (DESIGN.md "The store"; spec/sacctmgr.md
 * 1.8). And the complaints of every part.
 */
#include "cmd/sacctmgr/sacctmgr.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "common/base/numbers.h"
#include "common/cli/cli.h"

enum { ANSWER_MS = 30000 };

void complain(struct session *s, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	s->status = 1;
}

int require_set(struct session *s, const struct request *r)
{
	if (r->set_given)
		return 0;
	complain(s, " You didn't give me anything to set");
	return -1;
}

int refuse_all(struct session *s)
{
	complain(s, " No conditions given to remove, not executing.");
	return -1;
}

void complain_err(struct session *s)
{
	cli_print_err(&s->err);
	s->status = 1;
}

void complain_request(struct session *s, const char *text)
{
	complain(s, " Error with request: %s", text);
}

void complain_denied(struct session *s)
{
	cli_error("Your user doesn't have privilege to perform this action");
	complain_request(s, "Access/permission denied");
}

/* The keys of a terminal come without Enter, and Ctrl-C as a key, so that it
 * leaves the terminal as it was. False: no terminal. */
static bool keys_begin(struct termios *saved)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, saved))
		return false;
	raw = *saved;
	raw.c_lflag &= ~(tcflag_t)ICANON;
	raw.c_cc[VINTR] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	return true;
}

/* Not a terminal: through stdio, which takes more than one byte from a pipe;
 * what follows an answer is lost to an interactive session there, as in the
 * original. */
static int read_key(bool terminal)
{
	char key;

	errno = 0;
	if (!terminal)
		return fgetc(stdin);
	return read(STDIN_FILENO, &key, 1) == 1 ? (unsigned char)key : -1;
}

/* What a pipe at its end is called by the original. */
static const char *input_error(void)
{
	return strerror(errno ? errno : ENOTTY);
}

/* Tests do not wait for half a minute. */
static int answer_ms(void)
{
	const char *text = secure_getenv("BURSAR_ANSWER_MS");
	uint32_t ms;

	return text && !uint_parse(text, &ms) && ms < ANSWER_MS ? (int)ms
								: ANSWER_MS;
}

static int poll_key(bool terminal)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int wait = answer_ms(), ready, key;

	do
		ready = poll(&in, 1, wait);
	while (ready < 0 && errno == EINTR);
	if (ready == 0) {
		puts("timeout");
		return 'n';
	}
	putchar('\n');
	key = read_key(terminal);
	if (key < 0)
		printf("error: %s\n", input_error());
	return key;
}

/* Ctrl-C ends a single command, and says no in a session; so does Ctrl-D. */
static int wait_for_key(const struct session *s)
{
	struct termios saved;
	bool terminal = keys_begin(&saved);
	int key = poll_key(terminal);

	if (!terminal)
		return key;
	tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	if (key == saved.c_cc[VINTR] && !s->interactive)
		raise(SIGINT);
	return key == saved.c_cc[VINTR] || key == saved.c_cc[VEOF] ? 'n' : key;
}

bool prompt(struct session *s, const char *question)
{
	int key;

	if (s->opt.immediate)
		return true;
	printf("%s (You have 30 seconds to decide)\n(N/y): ", question);
	fflush(stdout);
	while ((key = wait_for_key(s)) >= 0) {
		if (key == 'y' || key == 'Y')
			return true;
		if (key == 'n' || key == 'N' || key == '\n')
			return false;
		printf("Y or N please\n(N/y): ");
		fflush(stdout);
	}
	return false;
}

/* On standard error, where no script reads it as Slurm's question. */
static void say_count(struct session *s, enum name_kind kind)
{
	static const char *const names[NAME_KINDS] = {
		[NAME_ACCOUNT] = "accounts",
		[NAME_USER] = "users",
		[NAME_CLUSTER] = "clusters",
		[NAME_QOS] = "QOS",
		[NAME_FEDERATION] = "federations",
		[NAME_RESOURCE] = "resources",
	};
	int64_t records, assocs;

	if (s->opt.immediate || kind == NAME_KINDS || !names[kind] ||
		store_count(s->store, kind, &records, &assocs))
		return;
	cli_flush();
	fprintf(stderr, "%s: that is every one of %" PRId64 " %s", cli_name(),
		records, names[kind]);
	if (assocs)
		fprintf(stderr, " with %" PRId64 " associations", assocs);
	fputc('\n', stderr);
}

bool confirm_all(struct session *s, enum name_kind kind)
{
	say_count(s, kind);
	if (prompt(s, "You didn't set any conditions with 'WHERE'.\n"
		      "Are you sure you want to continue?"))
		return true;
	fputs("Aborted\n", s->out);
	return false;
}

bool assoc_conds_unwanted(struct session *s, const struct conds *where)
{
	if (where->with_assoc || !where->assoc_given ||
		prompt(s, "You requested options that are only valid when "
			  "querying with the withassoc option.\n"
			  "Are you sure you want to continue?"))
		return false;
	fputs("Aborted\n", s->out);
	return true;
}

void report_hold(struct session *s, struct held *held)
{
	*held = (struct held){.out = s->out};
	s->out = open_memstream(&held->text, &held->size);
}

char *report_text(struct session *s, struct held *held)
{
	fclose(s->out);
	s->out = held->out;
	return held->text;
}

const char *names_where(struct session *s, const struct strv *names)
{
	return arena_printf(&s->arena, "(name='%s')",
		strv_join(names, "' || name='", &s->arena));
}

/* What one run of a plan came to. */
struct outcome {
	enum plan_result result;
	char *report;
	void *changes;
	int size;
};

static void outcome_free(struct outcome *o)
{
	free(o->report);
	store_changeset_free(o->changes);
}

/* Runs the plan with its report kept. The transaction stays open. */
static int run_plan(struct session *s,
	enum plan_result (*plan)(struct session *, void *), void *arg,
	struct outcome *o)
{
	struct held held;

	*o = (struct outcome){.result = PLAN_FAILED};
	if (store_begin(s->store)) {
		complain_err(s);
		return -1;
	}
	report_hold(s, &held);
	o->result = plan(s, arg);
	o->report = report_text(s, &held);
	if (o->result == PLAN_CHANGED && !s->opt.immediate &&
		store_changeset(s->store, &o->changes, &o->size)) {
		complain_err(s);
		o->result = PLAN_FAILED;
	}
	return 0;
}

/* After a yes: the same plan on the store as it is now. */
static int run_again(struct session *s,
	enum plan_result (*plan)(struct session *, void *), void *arg,
	const struct outcome *first)
{
	struct outcome again;
	bool same;

	if (run_plan(s, plan, arg, &again))
		return -1;
	same = again.result == PLAN_CHANGED && again.size == first->size &&
		!memcmp(again.changes, first->changes, (size_t)first->size);
	outcome_free(&again);
	if (same)
		return 0;
	store_rollback(s->store);
	err_set(&s->err, ERR_STORE,
		"somebody else changed the store in the meantime, nothing was "
		"done: look and try again");
	complain_err(s);
	return -1;
}

/* Prints the report; `*rest` is what is still to be printed. While the
 * transaction is open that is no more than what standard output takes at once:
 * a pager that sleeps must not stop others. */
static int show(const struct outcome *o, bool is_open, const char **rest)
{
	size_t done;

	*rest = "";
	if (o->result == PLAN_REFUSED)
		return cli_flush();
	*rest = o->report;
	if (is_open) {
		if (cli_write_ready(o->report, &done))
			return -1;
		*rest += done;
		return 0;
	}
	fputs(o->report, stdout);
	*rest = "";
	return cli_flush();
}

/* Shown and confirmed: commit, or discard. The transaction is open only when
 * nobody has to be asked. */
static int confirm(struct session *s,
	enum plan_result (*plan)(struct session *, void *), void *arg,
	const struct outcome *o)
{
	if (!s->opt.immediate) {
		if (!prompt(s, "Would you like to commit changes?")) {
			fputs(" Changes Discarded\n", s->out);
			return 0;
		}
		if (run_again(s, plan, arg, o))
			return -1;
	}
	if (store_commit(s->store, s->command)) {
		complain(s, " Error committing changes: %s", s->err.text);
		return -1;
	}
	return 0;
}

int change_run(struct session *s,
	enum plan_result (*plan)(struct session *, void *), void *arg)
{
	const char *rest;
	struct outcome o;
	bool is_open;
	int rc = 0;

	cli_flush(); /* not while others wait */
	if (run_plan(s, plan, arg, &o))
		return -1;
	is_open = o.result == PLAN_CHANGED && s->opt.immediate;
	if (!is_open)
		store_rollback(s->store);
	/* A change is not made behind the back of who cannot read of it. */
	if (show(&o, is_open, &rest)) {
		o.result = PLAN_FAILED;
		if (is_open)
			store_rollback(s->store);
	}
	if (o.result == PLAN_CHANGED) {
		rc = confirm(s, plan, arg, &o);
	} else if (o.result != PLAN_NOTHING) {
		s->status = 1;
		rc = -1;
	}
	if (!rc)
		fputs(rest, s->out);
	if (store_load_catalogs(s->store))
		complain_err(s);
	outcome_free(&o);
	return rc;
}

int delete_records(struct session *s, const struct vocabulary *vocabulary,
	char **words, int n,
	enum plan_result (*plan)(struct session *, void *request))
{
	struct request r;

	parse_words(s, vocabulary, PARSE_WHERE, false, words, n, &r);
	if (!r.where.record_given)
		return refuse_all(s);
	if (r.failed)
		return -1;
	return change_run(s, plan, &r);
}

struct series {
	const struct change *v;
	size_t n;
};

static enum plan_result plan_series(struct session *s, void *arg)
{
	const struct series *series = arg;
	enum plan_result all = PLAN_UNCHANGED;

	for (size_t i = 0; i < series->n; i++) {
		enum plan_result one =
			series->v[i].plan(s, series->v[i].arg);

		if (one == PLAN_CHANGED)
			all = one;
		else if (one == PLAN_UNCHANGED)
			s->status = 1;
		if (one >= PLAN_UNCHANGED)
			continue;
		if (all == PLAN_CHANGED)
			fputs(" Changes Discarded\n", s->out);
		return PLAN_FAILED;
	}
	return all;
}

int changes_run(struct session *s, const struct change *changes, size_t n)
{
	struct series series = {changes, n};

	if (s->opt.immediate)
		return change_run(s, plan_series, &series);
	for (size_t i = 0; i < n; i++)
		if (change_run(s, changes[i].plan, changes[i].arg))
			return -1;
	return 0;
}
