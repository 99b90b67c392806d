/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - slices and stops of the world added up by function. */
#ifndef GTRACE_TOTALS_H_
#define GTRACE_TOTALS_H_

#include "run.h"

/* The names of what is added up while a pass is made. */
struct totals {
	const struct gtrace_allocator *memory;
	struct texts names;
	/* struct total_key: the names of the profile, and of the holders. */
	struct texts functions;
	struct texts holders;
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory);
void gti_totals_free(struct totals *totals);

/* See struct wanted: their context is a struct totals. */
name_function gti_totals_name, gti_totals_name_holder;
void gti_totals_forget(void *context);

/*
 * Fills in the functions and the holders of TO, which has its blocks, of what
 * RUN added up, and the sums of the tracer. All is in ARENA. Returns false if
 * there is no memory.
 */
bool gti_totals_make(const struct totals *totals, const struct run *run,
		     struct arena *arena, struct gtrace_summary *to);

#endif /* GTRACE_TOTALS_H_ */
