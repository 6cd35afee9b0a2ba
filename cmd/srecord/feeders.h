/*
 * srecord feeders: the lines of slurm.conf by which a slurmctld tells the store
 * of its jobs (bursar-feeders(7)), and what they still lack. It only looks.
 */
#pragma once

/* Prints the lines and what is missing. Returns the exit status: 0 when nothing
 * is, else 1. */
int show_feeders(void);
