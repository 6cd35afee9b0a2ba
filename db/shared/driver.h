/*
 * The functions of libmariadb, for the log (db/shared/link.h) and `srecord sync
 * from=mysql`: the library is loaded when a database is asked and not before.
 */
#pragma once

#include <mysql.h>

#include "common/base/err.h"
#include "common/base/library.h"

#define DRIVER_FUNCTIONS(X)                                                    \
	X(mysql_init)                                                          \
	X(mysql_optionsv)                                                      \
	X(mysql_real_connect)                                                  \
	X(mysql_close)                                                         \
	X(mysql_query)                                                         \
	X(mysql_real_query)                                                    \
	X(mysql_send_query)                                                    \
	X(mysql_read_query_result)                                             \
	X(mysql_store_result)                                                  \
	X(mysql_num_rows)                                                      \
	X(mysql_data_seek)                                                     \
	X(mysql_fetch_row)                                                     \
	X(mysql_fetch_lengths)                                                 \
	X(mysql_num_fields)                                                    \
	X(mysql_free_result)                                                   \
	X(mysql_next_result)                                                   \
	X(mysql_errno)                                                         \
	X(mysql_error)                                                         \
	X(mysql_real_escape_string)                                            \
	X(mysql_get_server_info)                                               \
	X(mysql_get_server_version)

extern struct driver {
	DRIVER_FUNCTIONS(LIBRARY_MEMBER)
} driver;

/* Loads the library, if it is not loaded yet. `what`: who needs it, for the
 * error: "from=mysql". 0, or -1 with err. */
int driver_load(const char *what, struct err *err);
