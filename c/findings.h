/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the pass that adds up slices and stops of the world by stack,
 * and gives the stacks names while the format knows them.
 */
#ifndef GTRACE_FINDINGS_H_
#define GTRACE_FINDINGS_H_

#include "base/texts.h"
#include "run.h"

/* A pass, whose `maker` has the frames of the stacks that are being named. */
struct findings {
	struct run run;
	/*
	 * Returns the name of NAMING, of the COUNT frames at FRAMES, for the
	 * profile. NO_TEXT: there is no memory. NULL: no profile is wanted.
	 */
	uint32_t (*name)(void *context, const struct naming *naming,
			 const struct gtrace_frame *frames, size_t count);
	/* See struct profile_names. */
	bool (*is_program)(void *context, uint32_t name);
	/* Takes one of the holders. Returns false if there is no memory. */
	bool (*take_holder)(void *context, const struct holder *holder,
			    const struct gtrace_frame *frames, size_t count);
	/* Forgets all of this. */
	void (*forget)(void *context);
	void *context;
};

/*
 * Makes the pass for what is WANTED, and for a profile if there are names for
 * it. The caller has set the functions of FINDINGS and its context, and calls
 * gti_run_end() afterwards, even on failure. Errors: those of gti_run().
 */
enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error);

#endif /* GTRACE_FINDINGS_H_ */
