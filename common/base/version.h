/*
 * The version of Slurm whose commands, formats and JSON documents these
 * programs follow. Bursar's own version is BURSAR_VERSION, from the Makefile.
 */
#pragma once

#define SLURM_VERSION_TEXT "26.05.3"
#define SLURM_API_VERSION "2949120, 45.0.0"
