/* SPDX-License-Identifier: BSD-3-Clause */
/* skip.h - the loop of the first pass over events that it only counts. */
#ifndef GTRACE_V1_SKIP_H_
#define GTRACE_V1_SKIP_H_

#include "v1/rules.h"

/*
 * Moves over the plain events from P on, and adds their number to *EVENTS. END
 * is the end of the file. Returns where it stopped, which can be P: at a record
 * that is no plain event, is longer than usual or may be broken, or near END.
 */
const uint8_t *gti_skip_plain(const struct rules *rules, const uint8_t *p,
			      const uint8_t *end, uint64_t *events);

#endif /* GTRACE_V1_SKIP_H_ */
