/* SPDX-License-Identifier: BSD-3-Clause */
/* skip.h - the loop of the first pass over events that it only counts. */
#ifndef GTRACE_V1_SKIP_H_
#define GTRACE_V1_SKIP_H_

#include <stddef.h>

#include "v1/rules.h"

/*
 * Skips the plain events from OFFSET on in DATA, a file of SIZE bytes, and adds
 * their number to *EVENTS. Returns the offset of the first record that it does
 * not skip: one that is not a plain event, or is unusually long, or may be
 * broken, or is near the end of the file.
 */
size_t gti_skip_plain(const struct rules *rules, const uint8_t *data,
		      size_t offset, size_t size, uint64_t *events);

#endif /* GTRACE_V1_SKIP_H_ */
