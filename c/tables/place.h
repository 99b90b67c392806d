/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - a file that is there whole or not at all.
 *
 * It is written under a name of its own, which begins with a dot, so that no
 * reader takes it for part of a table, and then renamed. Several programs can
 * write one file at a time: each of them writes all of it.
 */
#ifndef GTRACE_TABLES_PLACE_H_
#define GTRACE_TABLES_PLACE_H_

#include <stdbool.h>
#include <stdio.h>

/* Zero: none. */
struct place {
	FILE *file;
	char *path;
	char *temporary; /* its name until it is whole */
};

/*
 * Makes the folders above PATH, and begins the file. Returns 0, or the errno
 * value of what failed; then PLACE is none.
 */
int place_open(struct place *place, const char *path);

/* Ends writing. Returns 0, or the errno value of what failed. */
int place_end(struct place *place);

/* Gives the file its name. Returns 0, or the errno value of what failed. */
int place_keep(struct place *place);

/* Frees PLACE, and removes the file if it was not kept. None: does nothing. */
void place_free(struct place *place);

#endif /* GTRACE_TABLES_PLACE_H_ */
