#include "common/base/library.h"

#include <dlfcn.h>
#include <string.h>

static bool fill(void *library, const struct library_function *functions,
	size_t n, void *table)
{
	for (size_t i = 0; i < n; i++) {
		void *found = dlsym(library, functions[i].name);

		if (!found)
			return false;
		memcpy((char *)table + functions[i].offset, &found,
			sizeof(found));
	}
	return true;
}

bool library_load(const char *const *libraries,
	const struct library_function *functions, size_t n, void *table)
{
	for (; *libraries; libraries++) {
		void *library = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);

		if (library && fill(library, functions, n, table))
			return true;
		if (library)
			dlclose(library);
	}
	return false;
}
