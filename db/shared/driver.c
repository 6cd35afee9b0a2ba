/*
 * libmariadb; see driver.h. Without its headers there is nothing here.
 */
#include "common/base/library.h"

#ifdef HAVE_MARIADB

#include "db/shared/driver.h"

struct driver driver;

int driver_load(const char *what, struct err *err)
{
#define NAME(name) LIBRARY_FUNCTION(driver, name)
	static const struct library_function functions[] = {
		DRIVER_FUNCTIONS(NAME)};
	static const char *const libraries[] = {"libmariadb.so.3", NULL};

	if (driver.mysql_init ||
		library_load(libraries, functions,
			sizeof(functions) / sizeof(*functions), &driver))
		return 0;
	driver.mysql_init = NULL;
	return err_set(err, ERR_SYSTEM, "%s needs %s: install libmariadb3",
		what, libraries[0]);
}

#endif
