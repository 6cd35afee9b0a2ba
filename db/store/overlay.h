/*
 * A file system of SQLite's in which a store can be changed and stays as it
 * is: pages come from the file, what is written goes into memory and is gone
 * with the connection. Nothing is copied but the pages that change, nothing is
 * left behind, and the store need only be readable.
 *
 * From its first look until it is closed the connection holds the lock of a
 * reader on the file, and whoever opens it has another connection in a read of
 * the store (as store_open_private): so it sees one state of the store, and in
 * one with a log of writes stops nobody.
 */
#ifndef BURSAR_OVERLAY_H
#define BURSAR_OVERLAY_H

struct sqlite3_vfs;

/* The name of the file system that lies over this one (always the same). */
const char *overlay_vfs(struct sqlite3_vfs *below);

#endif
