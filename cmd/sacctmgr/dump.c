/*
 * `dump`: a cluster as a flat file (Slurm's src/sacctmgr/file_functions.c), or
 * as YAML or JSON for `diff` and `apply` (db/roster/roster.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/sacctmgr/dry_run.h"
#include "cmd/sacctmgr/sacctmgr.h"
#include "common/base/memory.h"
#include "common/base/outfile.h"
#include "common/base/words.h"
#include "common/cli/cli.h"
#include "db/roster/flatfile.h"
#include "db/roster/roster.h"

static const char preamble[] =
	"# To edit this file start with a cluster line for the new cluster\n"
	"# Cluster - 'cluster_name':MaxTRESPerJob=node=50\n"
	"# Followed by Accounts you want in this fashion (root is created by "
	"default)...\n"
	"# Parent - 'root'\n"
	"# Account - 'cs':MaxTRESPerJob=node=5:MaxJobs=4:"
	"MaxTRESMinsPerJob=cpu=20:FairShare=399:MaxWallDurationPerJob=40:"
	"Description='Computer Science':Organization='LC'\n"
	"# Any of the options after a ':' can be left out and they can be in "
	"any order.\n"
	"# If you want to add any sub accounts just list the Parent THAT HAS "
	"ALREADY\n"
	"# BEEN CREATED before the account line in this fashion...\n"
	"# Parent - 'cs'\n"
	"# Account - 'test':MaxTRESPerJob=node=1:MaxJobs=1:"
	"MaxTRESMinsPerJob=cpu=1:FairShare=1:MaxWallDurationPerJob=1:"
	"Description='Test Account':Organization='Test'\n"
	"# To add users to a account add a line like this after a Parent - "
	"'line'\n"
	"# User - 'lipari':MaxTRESPerJob=node=2:MaxJobs=3:"
	"MaxTRESMinsPerJob=cpu=4:FairShare=1:MaxWallDurationPerJob=1\n";

enum dump_format { FORMAT_FLAT, FORMAT_YAML, FORMAT_JSON, FORMATS };

static const char *const formats[FORMATS] = {"flat", "yaml", "json"};
static const char *const endings[FORMATS] = {"cfg", "yaml", "json"};

struct dump {
	struct flat_out to; /* first; its file is that of `out`, or `text` until
			       its lines are told */
	struct session *s;
	enum dump_format format;
	struct outfile out;
	char *text;
	size_t size, told;
	const char *cluster, *path;
};

/* ---- the flat file -------------------------------------------------------*/

/* The lines written go to the file and, as one message, to standard error. */
static void tell(struct flat_out *to)
{
	enum { MOST = 1 << 20 };
	struct dump *d = (struct dump *)to;

	if (to->file == d->out.file)
		return;
	fflush(to->file);
	fputs(d->text + d->told, d->out.file);
	fprintf(stderr, "%s: %s", cli_name(), d->text + d->told);
	d->told = d->size;
	if (d->told < MOST)
		return;
	fclose(to->file);
	free(d->text);
	to->file = memory_stream(&d->text, &d->size);
	d->told = 0;
}

static int open_file(struct dump *d)
{
	struct err err;

	if (outfile_open(&d->out, d->path, OUTFILE_OR_STDOUT, &err))
		return complain(d->s, "Can't open file %s, %s", d->path,
			strerror(errno));
	fputs(preamble, d->out.file);
	d->to.written = tell;
	d->to.file = d->out.file;
	if (!options(d->s)->quiet && strcmp(d->path, "-") != 0)
		d->to.file = memory_stream(&d->text, &d->size);
	return 0;
}

static int close_file(struct dump *d)
{
	struct err err;

	if (!outfile_close(&d->out, &err))
		return 0;
	return complain(d->s, "Can't write file %s, %s", d->path, strerror(errno));
}

static int dump_cluster(struct dump *d)
{
	int status;

	if (open_file(d))
		return -1;
	status = flat_write(d->s, d->cluster, &d->to);
	if (d->to.file != d->out.file) {
		fclose(d->to.file);
		free(d->text);
	}
	if (!status)
		return close_file(d);
	complain_err(d->s);
	outfile_discard(&d->out);
	return -1;
}

bool may_do(struct session *s, const char *what)
{
	int known = user_exists(s->store, s->site.caller.name);

	if (!s->site.caller.super && known == 0) {
		complain(s,
			" Your uid (%u) is not in the accounting system, can't "
			"%s.",
			(unsigned)s->site.caller.uid, what);
		return false;
	}
	if (is_administrator(s))
		return true;
	complain(s, " Your user does not have sufficient privileges to %ss.",
		what);
	return false;
}

/* ---- YAML and JSON -------------------------------------------------------*/

static int write_tree(struct dump *d, const struct tree *tree)
{
	bool json = d->format == FORMAT_JSON;
	struct outfile out;
	struct err err;

	if (outfile_open(&out, d->path, OUTFILE_OR_STDOUT, &err))
		return complain(d->s, "%s", err.text);
	tree_write(out.file, tree, json);
	if (outfile_close(&out, &err))
		return complain(d->s, "%s", err.text);
	return 0;
}

static int dump_roster(struct dump *d)
{
	struct roster roster;
	int rc = roster_load(d->s, d->cluster, &roster);

	if (rc)
		complain_err(d->s);
	else
		rc = write_tree(d, roster_document(d->s, &roster));
	roster_release(&roster);
	return rc;
}

/* ---- words ---------------------------------------------------------------*/

static void take_format(struct dump *d, const char *value)
{
	for (int i = 0; i < FORMATS; i++)
		if (!strcasecmp(value, formats[i])) {
			d->format = (enum dump_format)i;
			return;
		}
	d->format = FORMATS;
	complain(d->s, " Unknown format '%s': flat, yaml or json", value);
}

void take_once(struct session *s, const char **to, const char *value,
	const char *already)
{
	if (*to)
		complain(s, " %s %s", already, *to);
	else
		*to = value;
}

static void take_word(struct dump *d, const char *text)
{
	struct word word = word_split(text);
	const char *value = str_unquote(&d->s->arena, word.value);
	bool bare = word.op == OP_NONE;

	if (bare || words_match("Cluster:1", text, word.name_len)) {
		take_once(d->s, &d->cluster, str_lower(&d->s->arena, value),
			ONE_CLUSTER);
	} else if (words_match("Format:2", text, word.name_len)) {
		take_format(d, value);
	} else if (words_match("File:1", text, word.name_len)) {
		take_once(d->s, &d->path, value, "File name already set to");
	} else {
		complain(d->s, " Unknown option: %s", text);
	}
}

int dump_command(struct session *s, char **words, int n)
{
	struct dump d = {.s = s};

	if (!may_do(s, "dump cluster"))
		return -1;
	for (int i = 0; i < n; i++)
		take_word(&d, words[i]);
	if (d.format == FORMATS)
		return -1;
	if (!d.cluster || !*d.cluster)
		return complain(s, " We need a cluster to dump.");
	if (cluster_key(s->store, d.cluster) <= 0)
		return complain(s, " Cluster %s doesn't exist.", d.cluster);
	if (!d.path) {
		d.path = arena_printf(&s->arena, "./%s.%s", d.cluster,
			endings[d.format]);
		fprintf(output(s), " No filename given, using %s.\n", d.path);
	}
	if (options(s)->dry_run && strcmp(d.path, "-") != 0) {
		dry_run_file(s, d.path);
		return 0;
	}
	return d.format == FORMAT_FLAT ? dump_cluster(&d) : dump_roster(&d);
}
