/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.h - prints slices, stops and waits that are longer than a limit. */
#ifndef GTRACE_TOOLS_VERDICT_H_
#define GTRACE_TOOLS_VERDICT_H_

#include <stdio.h>

#include <gtrace/gtrace.h>

#include "tools/settings.h"

/*
 * Prints a line to TO for each slice, stop and wait of TRACE, called NAME, that
 * is longer than SETTINGS allow and passes their filter.
 */
enum gtrace_status verdict_print(struct gtrace *trace, const char *name,
				 const struct settings *settings, FILE *to,
				 struct gtrace_error *error);

#endif /* GTRACE_TOOLS_VERDICT_H_ */
