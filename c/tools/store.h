/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - writes what is known of traces as tables. */
#ifndef GTRACE_TOOLS_STORE_H_
#define GTRACE_TOOLS_STORE_H_

#include <stddef.h>

#include <gtrace/gtrace.h>

/* How many passes over an open trace that takes. */
#define STORE_PASSES 8

/* Sets what follows from the flags, and checks them. Comes first. */
void store_check(void);

/* Writes the tables of TRACE, number NUMBER, if they are not there. */
enum gtrace_status store_write(size_t number, struct gtrace *trace,
			       struct gtrace_error *error);

#endif /* GTRACE_TOOLS_STORE_H_ */
