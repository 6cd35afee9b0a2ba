/*
 * Full names of users. A look-up through the name service costs as much as a
 * hundred rows of a report; so when many are wanted and the machine has no
 * other source of users than its own file, that file is read once.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sreport/sreport.h"

enum { FEW = 64 };

struct proper_name {
	const char *login, *name;
};

static struct {
	unsigned asked;
	bool read, only; /* the file; and there is nothing else */
	struct proper_name *v;
	size_t n, cap;
	struct arena arena;
} file;

static int by_login(const void *a, const void *b)
{
	return strcmp(((const struct proper_name *)a)->login,
		((const struct proper_name *)b)->login);
}

/* Are all words of "passwd: files systemd" sources without users of a site? */
static bool is_local(char *services)
{
	static const char *const local[] = {"files", "compat", "systemd"};
	char *rest = NULL;

	for (char *word = strtok_r(services, " \t\n", &rest); word;
		word = strtok_r(NULL, " \t\n", &rest)) {
		size_t i = 0;

		while (i < 3 && strcmp(word, local[i]))
			i++;
		if (i == 3)
			return false;
	}
	return true;
}

static bool only_files(void)
{
	FILE *in = fopen("/etc/nsswitch.conf", "re");
	bool only = true;
	char line[512];

	if (!in)
		return false;
	while (fgets(line, sizeof(line), in))
		if (!strncmp(line, "passwd:", 7))
			only = is_local(line + 7);
	fclose(in);
	return only;
}

static void read_file(void)
{
	struct passwd *entry;

	file.read = true;
	file.only = only_files();
	arena_init(&file.arena);
	if (!file.only)
		return;
	setpwent();
	while ((entry = getpwent()))
		*ARENA_PUSH(&file.arena, file.v, file.n, file.cap) =
			(struct proper_name){
				arena_strdup(&file.arena, entry->pw_name),
				arena_strndup(&file.arena, entry->pw_gecos,
					strcspn(entry->pw_gecos, ","))};
	endpwent();
	if (file.n)
		qsort(file.v, file.n, sizeof(*file.v), by_login);
}

static const char *from_file(const char *login)
{
	struct proper_name wanted = {login, NULL}, *found;

	found = file.n ? bsearch(&wanted, file.v, file.n, sizeof(wanted),
				 by_login)
		       : NULL;
	return found ? found->name : "";
}

const char *proper_name(const char *login, struct arena *arena)
{
	struct passwd entry, *found = NULL;
	char buf[4096];

	if (++file.asked > FEW && !file.read)
		read_file();
	if (file.only)
		return from_file(login);
	if (getpwnam_r(login, &entry, buf, sizeof(buf), &found) || !found ||
		!found->pw_gecos)
		return "";
	return arena_strndup(
		arena, found->pw_gecos, strcspn(found->pw_gecos, ","));
}

void forget_names(void)
{
	if (file.read)
		arena_release(&file.arena);
	memset(&file, 0, sizeof(file));
}
