/*
 * TRES lists as the store keeps them: "1=4,2=8000".
 */
#ifndef BURSAR_DB_TRESPACK_H
#define BURSAR_DB_TRESPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/arena.h"
#include "common/text/tres.h"

/* False: it does not fit into `size` bytes. */
bool tres_pack_into(const struct tres_list *, char *text, size_t size);

char *tres_pack(const struct tres_list *, struct arena *);

/* Text that is not a list ends it. */
void tres_unpack(const char *text, struct arena *, struct tres_list *);

#endif
