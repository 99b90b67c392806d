/* SPDX-License-Identifier: BSD-3-Clause */
/* paths_profile.h - critical paths as samples of a profile. */
#ifndef GTRACE_PATHS_PROFILE_H_
#define GTRACE_PATHS_PROFILE_H_

#include "report/pprof.h"
#include "run.h"

/* The most frames that a stack of a path of TRACE has. */
size_t gti_path_frames_max(const struct gtrace *trace);

/*
 * Passes ADD the samples of the paths of RUN, which added them up. Their stacks
 * are in PPROF. Returns false if ADD does, or there is no memory.
 */
bool gti_add_paths(struct run *run, struct pprof *pprof,
		   bool (*add)(void *context,
			       const struct pprof_sample *sample),
		   void *context);

#endif /* GTRACE_PATHS_PROFILE_H_ */
