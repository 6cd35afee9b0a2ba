/* TODO */
#include "cmd/srecord/import.h"
int import_json(struct import *im) { return err_set(&im->s->err, ERR_SYSTEM, "json"); }
int import_event_begin(struct import *im) { (void)im; return 0; }
int import_event_line(struct import *im, char *line, size_t len) { (void)im; (void)line; (void)len; return 0; }
int import_dump(struct import *im, const char *path) { (void)path; return err_set(&im->s->err, ERR_SYSTEM, "dump"); }
