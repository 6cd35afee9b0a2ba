#include "common/base/privilege.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <unistd.h>

/* What the program was installed with, once it is put aside. */
static struct {
	bool user, group;
	uid_t uid;
	gid_t gid;
} own;

static _Thread_local int raised;

/* Variables that name files, folders or programs; those of libmariadb let it
 * load libraries, take a password or do without a check of the server. */
static const char *const file_variables[] = {
	"BURSAR_NOW", "BURSAR_PAGER", "BURSAR_STORE", "EDITOR", "HOME",
	"HOSTALIASES", "LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN", "LIBMYSQL_PLUGINS",
	"LIBMYSQL_PLUGIN_DIR", "MARIADB_HOME", "MARIADB_PLUGINS",
	"MARIADB_PLUGIN_DIR", "MARIADB_TLS_DISABLE_PEER_VERIFICATION",
	"MARIADB_UNIX_PORT", "MYSQL_HOME", "MYSQL_PWD", "MYSQL_TCP_PORT",
	"MYSQL_UNIX_PORT", "PAGER", "SLURM_CONF", "SQLITE_TMPDIR", "TMPDIR",
	"VISUAL", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"XDG_RUNTIME_DIR", "XDG_STATE_HOME",
};

bool privilege_held(void)
{
	return getauxval(AT_SECURE) != 0;
}

#ifdef __SANITIZE_ADDRESS__
/* AddressSanitizer asks this at its start: leaks cannot be looked for in a
 * program with more rights than its caller, which nothing may trace. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return privilege_held() ? "detect_leaks=0" : "";
}
#endif

bool privilege_guards(void)
{
	return privilege_held() && getuid() != 0;
}

static void forget_environment(void)
{
	for (size_t i = 0; i < sizeof(file_variables) / sizeof(char *); i++)
		if (unsetenv(file_variables[i]))
			_exit(1);
}

/* The saved ids keep what is put aside: setfsgid and setfsuid may go back to
 * it. The group goes first: a user id that was put aside may not. */
void privilege_drop(void)
{
	if (!privilege_held())
		return;
	forget_environment();
	own.uid = geteuid();
	own.gid = getegid();
	own.user = own.uid != getuid();
	own.group = own.gid != getgid();
	if ((own.group && setegid(getgid())) || (own.user && seteuid(getuid())))
		_exit(1);
	if (geteuid() != getuid() || getegid() != getgid())
		_exit(1);
}

void privilege_raise(void)
{
	int error = errno;

	if (raised++)
		return;
	if (own.user)
		setfsuid(own.uid);
	if (own.group)
		setfsgid(own.gid);
	errno = error;
}

void privilege_lower(void)
{
	int error = errno;

	if (--raised)
		return;
	if (own.group)
		setfsgid(getgid());
	if (own.user)
		setfsuid(getuid());
	errno = error;
}
