/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the pass that adds up slices and stops of the world by stack,
 * and gives the stacks names while the format knows them.
 */
#ifndef GTRACE_FINDINGS_H_
#define GTRACE_FINDINGS_H_

#include "analysis/holders.h"
#include "base/texts.h"
#include "front.h"

/* One pass, with slices, stops or both, in a profile. */
struct findings {
	struct gtrace *trace;
	struct observer observer;
	struct slices slices;
	struct stops stops;
	struct profile profile;
	struct holders holders;
	struct insides inside;
	struct filter filter;
	/* Frames of the stacks that are being named. */
	struct event_maker maker;
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

/* What a pass is to find. */
struct findings_request {
	size_t slices; /* the N longest; 0: none of them */
	size_t stops;
	bool profile; /* all slices by stack */
	bool by_goroutine;
	bool holders;                       /* all stops by stack */
	bool details;                       /* of the longest slices */
	const struct gtrace_filter *filter; /* NULL: none */
};

/*
 * Makes the pass. FINDINGS has its trace, its functions and its context set,
 * and is to be given to gti_findings_free() whatever comes of it. Called with
 * the input guarded. Errors: those of gtrace_analyse().
 */
enum gtrace_status gti_findings_make(struct findings *findings,
				     const struct findings_request *request,
				     struct gtrace_error *error);

void gti_findings_free(struct findings *findings);

#endif /* GTRACE_FINDINGS_H_ */
