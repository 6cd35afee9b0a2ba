#include "db/file/files.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/err.h"
#include "common/base/privilege.h"
#include "db/file/overlay.h"

static sqlite3_vfs layer, *below;
static sqlite3_io_methods own_methods;
static const sqlite3_io_methods *methods_below;

static bool opening_own; /* sqlite3_open_v2 of the site's store is under way */
static char *own_path;	 /* as SQLite calls it */

/* ---- which files ---------------------------------------------------------*/

static bool begin(const char *path)
{
	/* The store itself, or one whose name begins with the store's: its
	 * journal. */
	bool own =
		path && own_path && !strncmp(path, own_path, strlen(own_path));

	if (own)
		privilege_raise();
	return own;
}

static void end(bool own)
{
	if (own)
		privilege_lower();
}

/* ---- a new store ---------------------------------------------------------*/

static bool folder_of(const char *path, struct stat *st)
{
	char *folder = strdup(path), *slash;
	bool found;

	slash = folder ? strrchr(folder, '/') : NULL;
	if (slash)
		slash[slash == folder] = '\0';
	found = slash && !stat(folder, st);
	free(folder);
	return found;
}

/* An empty file with the wanted mode, whatever the umask. Only its owner may
 * use it if it cannot get the folder's group. */
static void make_file(const char *path)
{
	struct stat folder;
	mode_t mode;
	int fd;

	if (!folder_of(path, &folder))
		return;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	mode = (folder.st_mode & (S_ISGID | S_IWGRP)) == (S_ISGID | S_IWGRP)
		       ? 0660
		       : 0640;
	if (fchown(fd, (uid_t)-1, folder.st_gid))
		mode = 0600;
	(void)!fchmod(fd, mode);
	close(fd);
}

/* ---- what SQLite calls ---------------------------------------------------*/

/* A folder is opened to be synced, shared memory by its name; whether the file
 * is where it was is looked up. */
static int own_sync(sqlite3_file *file, int flags)
{
	int rc;

	privilege_raise();
	rc = methods_below->xSync(file, flags);
	privilege_lower();
	return rc;
}

static int own_control(sqlite3_file *file, int what, void *arg)
{
	int rc;

	privilege_raise();
	rc = methods_below->xFileControl(file, what, arg);
	privilege_lower();
	return rc;
}

static int own_map(
	sqlite3_file *file, int page, int size, int extend, void volatile **at)
{
	int rc;

	privilege_raise();
	rc = methods_below->xShmMap(file, page, size, extend, at);
	privilege_lower();
	return rc;
}

static int own_unmap(sqlite3_file *file, int remove)
{
	int rc;

	privilege_raise();
	rc = methods_below->xShmUnmap(file, remove);
	privilege_lower();
	return rc;
}

/* All files of the unix VFS on a local file system have the same methods;
 * others are left as they are. */
static void put_methods(sqlite3_file *file)
{
	if (!methods_below) {
		methods_below = file->pMethods;
		own_methods = *methods_below;
		own_methods.xSync = own_sync;
		own_methods.xFileControl = own_control;
		if (own_methods.iVersion >= 2) {
			own_methods.xShmMap = own_map;
			own_methods.xShmUnmap = own_unmap;
		}
	}
	if (file->pMethods == methods_below)
		file->pMethods = &own_methods;
}

static int layer_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file,
	int flags, int *given)
{
	const int create = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_CREATE;
	bool own;
	int rc;

	(void)vfs;
	if (opening_own && (flags & SQLITE_OPEN_MAIN_DB) && name) {
		free(own_path);
		own_path = strdup(name);
	}
	own = begin(name);
	if ((flags & create) == create && name)
		make_file(name);
	rc = below->xOpen(below, name, file, flags, given);
	if (rc == SQLITE_OK && own && privilege_held() && file->pMethods)
		put_methods(file);
	end(own);
	return rc;
}

static int layer_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	bool own = begin(name);
	int rc = below->xDelete(below, name, sync);

	(void)vfs;
	end(own);
	return rc;
}

static int layer_access(
	sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
	bool own = begin(name);
	int rc = below->xAccess(below, name, flags, result);

	(void)vfs;
	end(own);
	return rc;
}

static int layer_full_path(
	sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	int rc;

	(void)vfs;
	if (opening_own)
		privilege_raise();
	rc = below->xFullPathname(below, name, size, out);
	if (opening_own)
		privilege_lower();
	return rc;
}

/* ---- for the rest of db/ -------------------------------------------------*/

static void register_layer(void)
{
	if (below)
		return;
	below = sqlite3_vfs_find(NULL);
	if (!below)
		BUG("SQLite knows no files");
	layer = *below;
	layer.zName = "bursar";
	layer.pNext = NULL;
	layer.xOpen = layer_open;
	layer.xDelete = layer_delete;
	layer.xAccess = layer_access;
	layer.xFullPathname = layer_full_path;
	if (sqlite3_vfs_register(&layer, 0) != SQLITE_OK)
		BUG("SQLite does not take our files");
}

int store_files_open(
	const char *path, struct sqlite3 **db, int flags, bool own, bool overlay)
{
	int rc;

	register_layer();
	opening_own = own;
	rc = sqlite3_open_v2(path, db, flags,
		overlay ? overlay_vfs(&layer) : layer.zName);
	opening_own = false;
	return rc;
}

int store_files_access(const char *path, int mode)
{
	int rc;

	if (!privilege_held())
		return access(path, mode);
	privilege_raise();
	rc = faccessat(AT_FDCWD, path, mode, AT_EACCESS);
	privilege_lower();
	return rc;
}

int store_files_stat(const char *path, struct stat *st)
{
	int rc;

	privilege_raise();
	rc = stat(path, st);
	privilege_lower();
	return rc;
}
