/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - the report in one HTML file. */
#ifndef GTRACE_TOOLS_PAGE_H_
#define GTRACE_TOOLS_PAGE_H_

#include <gtrace/gtrace.h>

#include "tools/settings.h"

/*
 * Writes the page of TRACE to the file that SETTINGS names. A trace that cannot
 * be read leaves that file as it was; one that cannot be written is removed.
 */
enum gtrace_status page_print(struct gtrace *trace,
			      const struct gtrace_request *request,
			      const struct settings *settings,
			      struct gtrace_error *error);

#endif /* GTRACE_TOOLS_PAGE_H_ */
