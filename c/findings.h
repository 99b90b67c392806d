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
	 * Take one entry of the profile or of the holders, with its frames.
	 * They return false if there is no memory. If entries are by goroutine,
	 * the profile keeps them, and name() returns the name of a stack, or
	 * NO_TEXT if there is no memory. forget() forgets all of this.
	 */
	bool (*take)(struct findings *findings,
		     const struct profile_entry *entry,
		     const struct gtrace_frame *frames, size_t count);
	uint32_t (*name)(struct findings *findings, unsigned gc_worker,
			 const struct gtrace_frame *frames, size_t count);
	bool (*take_holder)(struct findings *findings,
			    const struct holder *holder,
			    const struct gtrace_frame *frames, size_t count);
	void (*forget)(struct findings *findings);
	void *context;
};

/*
 * Makes the pass for what is WANTED. The caller has set the functions of
 * FINDINGS and its context, and calls gti_run_end() afterwards, even on
 * failure. Errors: those of gti_run().
 */
enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error);

#endif /* GTRACE_FINDINGS_H_ */
