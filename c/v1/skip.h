/* SPDX-License-Identifier: BSD-3-Clause */
/* skip.h - the loop of the first pass over events that it only counts. */
#ifndef GTRACE_V1_SKIP_H_
#define GTRACE_V1_SKIP_H_

#include <stddef.h>

#include "v1/rules.h"

/*
 * Moves over the plain events from OFFSET on in DATA, a file of SIZE bytes, and
 * adds their number to *EVENTS. Returns the offset where it stopped: a record
 * that is no plain event, is longer than usual or may be broken, or is near the
 * end of the file.
 */
size_t gti_skip_plain(const struct rules *rules, const uint8_t *data,
		      size_t offset, size_t size, uint64_t *events);

#endif /* GTRACE_V1_SKIP_H_ */
