/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.h - traces with parts in common are reported on as one. */
#ifndef GTRACE_TOOLS_OVERLAP_H_
#define GTRACE_TOOLS_OVERLAP_H_

/*
 * Joins those of settings.files that overlap, in a file that has no name, and
 * says so. A joined trace has the place of the first of its members. There are
 * no other threads yet, and jobs.traces is there.
 */
void overlap_join(void);

#endif /* GTRACE_TOOLS_OVERLAP_H_ */
