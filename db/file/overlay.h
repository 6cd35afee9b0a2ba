/*
 * A VFS of SQLite in which a store can be changed while its file stays as it
 * is: pages come from the file, writes go to memory and are gone with the
 * connection. Only pages that change are copied, nothing is left behind, and
 * the store need only be readable.
 *
 * From its first read until it is closed the connection holds a reader's lock
 * on the file, and its opener keeps another connection in a read transaction
 * (as store_open_private does): so it sees one state of the store and, with a
 * write-ahead log, blocks no writer.
 */
#pragma once

struct sqlite3_vfs;

/* The name of the VFS that overlays this one (always the same). */
const char *overlay_vfs(struct sqlite3_vfs *below);
