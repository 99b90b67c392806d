/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the pass that adds up slices and stops of the world by stack,
 * and gives the stacks names while the format knows them.
 */
#ifndef GTRACE_FINDINGS_H_
#define GTRACE_FINDINGS_H_

#include "base/texts.h"
#include "run.h"

typedef uint32_t name_function(void *context, const struct naming *naming,
			       const struct gtrace_frame *frames, size_t count);

/* A pass, whose `maker` has the frames of the stacks that are being named. */
struct findings {
	struct run run;
	/*
	 * Return the name of NAMING, of the COUNT frames at FRAMES, for the
	 * profile and for the holders. NO_TEXT: there is no memory. NULL: they
	 * are not wanted.
	 */
	name_function *name, *name_holder;
	/* Which time of a stop, if `by_phase` is wanted, is being named. */
	enum { FINDINGS_STOPPING, FINDINGS_STOPPED, FINDINGS_RESTARTING } phase;
	/* Forgets all names. */
	void (*forget)(void *context);
	void *context;
};

/*
 * Makes the pass for what is WANTED, and for a profile and holders if there are
 * names for them. The caller has set the functions of FINDINGS and its context,
 * and calls gti_run_end() afterwards, even on failure. Errors: those of
 * gti_run().
 */
enum gtrace_status gti_findings_make(struct findings *findings,
				     struct gtrace *trace,
				     struct wanted *wanted,
				     struct gtrace_error *error);

#endif /* GTRACE_FINDINGS_H_ */
