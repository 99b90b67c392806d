/* SPDX-License-Identifier: BSD-3-Clause */
/* totals.h - slices and stops of the world added up by function. */
#ifndef GTRACE_TOTALS_H_
#define GTRACE_TOTALS_H_

#include "findings.h"

/* Names are numbers of texts in struct totals. */
struct total {
	uint32_t function; /* NO_TEXT: no stack */
	uint32_t caller;   /* NO_TEXT: none, or several */
	enum gtrace_work work;
	uint64_t count;
	uint64_t time;
	int64_t max;
};

/* What is added up while a pass is made. */
struct totals {
	struct texts names;
	struct texts keys;      /* of functions: struct key */
	struct array functions; /* struct total, by key */
	struct texts holder_keys;
	struct array holders;
	/* The slice of the program with the greatest `own`. */
	struct profile_slice longest;
	uint32_t longest_at; /* in `functions` */
	bool has_longest;
};

void gti_totals_init(struct totals *totals,
		     const struct gtrace_allocator *memory);
void gti_totals_free(struct totals *totals);

/* The functions of struct findings, whose context is a struct totals. */
bool gti_totals_take(struct findings *findings,
		     const struct profile_entry *entry,
		     const struct gtrace_frame *frames, size_t count);
bool gti_totals_take_holder(struct findings *findings,
			    const struct holder *holder,
			    const struct gtrace_frame *frames, size_t count);
void gti_totals_forget(struct findings *findings);

#endif /* GTRACE_TOTALS_H_ */
