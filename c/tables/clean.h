/* SPDX-License-Identifier: BSD-3-Clause */
/* clean.h - texts of a trace, which can be any bytes, as UTF-8. */
#ifndef GTRACE_TABLES_CLEAN_H_
#define GTRACE_TABLES_CLEAN_H_

#include <gtrace/gtrace.h>

#include "tables/bytes.h"

/* A text of a table has no more bytes: the rest is left out. */
#define CLEAN_MAX (64 << 10)

/*
 * TEXT with U+FFFD in place of each byte that is not UTF-8, up to the last
 * character within CLEAN_MAX. It may be in SCRATCH, which is used again.
 */
struct gtrace_string clean_text(struct gtrace_string text,
				struct bytes *scratch);

#endif /* GTRACE_TABLES_CLEAN_H_ */
